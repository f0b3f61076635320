#include "ir/visit.h"

/* Trees come from a parser that limits nesting, so recursion is bounded; calls cannot recurse in a checked program. */

static void visit_body_of_call(const gf_visitor *visitor, const gf_expr *expr) {
    if (visitor->into_calls && expr->kind == GF_EXPR_CALL && expr->ref.symbol != NULL) {
        gf_visit_block(visitor, expr->ref.symbol->body);
    }
}

void gf_visit_expr(const gf_visitor *visitor, const gf_expr *expr) {
    if (expr == NULL || (visitor->expr != NULL && !visitor->expr(visitor->user, expr))) {
        return;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        gf_visit_expr(visitor, expr->args[i]);
    }
    visit_body_of_call(visitor, expr);
}

void gf_visit_own_exprs(const gf_visitor *visitor, const gf_stmt *stmt) {
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
    case GF_STMT_EXPR:
    case GF_STMT_CONVERGED:
    case GF_STMT_IF:
    case GF_STMT_WHILE:
    case GF_STMT_RETURN:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COLLECTIVE:
        gf_visit_expr(visitor, stmt->value);
        break;
    case GF_STMT_STORE:
        gf_visit_expr(visitor, stmt->index);
        gf_visit_expr(visitor, stmt->value);
        break;
    case GF_STMT_FOR:
    case GF_STMT_FORALL:
        gf_visit_expr(visitor, stmt->from);
        gf_visit_expr(visitor, stmt->to);
        gf_visit_expr(visitor, stmt->step);
        break;
    case GF_STMT_COPY_ASYNC: /* copy_async(target, index, second, from, to, tag) */
        gf_visit_expr(visitor, stmt->index);
        gf_visit_expr(visitor, stmt->from);
        gf_visit_expr(visitor, stmt->to);
        break;
    case GF_STMT_SWAP:
    case GF_STMT_LOOP:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
    case GF_STMT_WAIT:
        break;
    }
}

void gf_visit_stmt(const gf_visitor *visitor, const gf_stmt *stmt) {
    if (stmt == NULL || (visitor->stmt != NULL && !visitor->stmt(visitor->user, stmt))) {
        return;
    }
    gf_visit_own_exprs(visitor, stmt);
    gf_visit_block(visitor, stmt->body);
    gf_visit_block(visitor, stmt->otherwise);
}

void gf_visit_block(const gf_visitor *visitor, const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        gf_visit_stmt(visitor, block->items[i]);
    }
}
