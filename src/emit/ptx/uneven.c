/* Segments whose invocations take different times, and no other thread helps: loops that end by what they find, and
 * rows that add up floats, in their order. Where a thread has many of them one after the other, it is worth something
 * that the GPU hands out blocks as others end. */
#include "emit/ptx/stages.h"
#include "ir/visit.h"

static bool look_at_bound(void *user, const gf_expr *expr) {
    bool *found = user;
    *found |= expr->kind == GF_EXPR_LOAD || (expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind == GF_SYMBOL_LET);
    return !*found;
}

static bool is_from_memory(const gf_expr *expr) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .expr = look_at_bound, .into_calls = true};
    gf_visit_expr(&visitor, expr);
    return found;
}

static bool look_for_sum(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found |= stmt->kind == GF_STMT_ASSIGN && (stmt->op == GF_OP_ADD || stmt->op == GF_OP_SUB) &&
              gf_type_is_float(stmt->target.symbol->type);
    return !*found;
}

static bool look_for_uneven(void *user, const gf_stmt *stmt) {
    bool *found = user;
    if (stmt->kind == GF_STMT_WHILE || stmt->kind == GF_STMT_LOOP) {
        *found = true;
    } else if (stmt->kind == GF_STMT_FOR && (is_from_memory(stmt->from) || is_from_memory(stmt->to))) {
        gf_visitor sums = {.user = found, .stmt = look_for_sum};
        gf_visit_block(&sums, stmt->body);
    }
    return !*found;
}

bool gf_ptx_is_uneven(const gf_segment *segment) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .stmt = look_for_uneven, .into_calls = true};
    gf_visit_block(&visitor, segment->tree->kernel.body);
    return found;
}
