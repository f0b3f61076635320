/* How the work of a segment is spread over its invocations. Some take different times, and no other thread helps: loops
 * that end by what they find, and rows that add up floats, in their order. Where a thread has many of them one after
 * the other, it is worth something that the GPU hands out blocks as others end. And some segments are for one
 * invocation. */
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

/* ---- for one ---- */

static bool is_number_of_invocation(const gf_segment *segment, const gf_expr *expr) {
    bool is_line = segment->tree->kernel.space_axes <= 1 || segment->is_forall;
    return expr->kind == GF_EXPR_BUILTIN && expr->builtin == GF_BUILTIN_GID &&
           (expr->axis == GF_AXIS_LINEAR || (expr->axis == GF_AXIS_X && is_line));
}

static bool is_known_before(const gf_expr *expr) {
    return expr->kind == GF_EXPR_LITERAL || (expr->kind == GF_EXPR_NAME && (expr->ref.symbol->kind == GF_SYMBOL_CONST ||
                                                                            expr->ref.symbol->kind == GF_SYMBOL_PARAM));
}

static bool holds_for_one(const gf_segment *segment, const gf_expr *expr) {
    if (expr->kind == GF_EXPR_AND) {
        return holds_for_one(segment, expr->args[0]) || holds_for_one(segment, expr->args[1]);
    }
    bool is_equality = expr->kind == GF_EXPR_OP && expr->op == GF_OP_EQ;
    return is_equality && ((is_number_of_invocation(segment, expr->args[0]) && is_known_before(expr->args[1])) ||
                           (is_number_of_invocation(segment, expr->args[1]) && is_known_before(expr->args[0])));
}

bool gf_ptx_is_for_one(const gf_segment *segment) {
    const gf_block *body = segment->tree->kernel.body;
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        bool is_for_one = stmt->kind == GF_STMT_IF && stmt->otherwise == NULL && holds_for_one(segment, stmt->value);
        if (!is_for_one && stmt->kind != GF_STMT_LET) {
            return false;
        }
    }
    return body->count > 0;
}
