/* Rows in which nobody does anything: where all that the body does stands under a condition, parts of which are the
 * same for all lanes, as in `if step[0] == 0 && i < n`, these are asked before the row. */
#include "emit/llvm/emitter.h"
#include "ir/visit.h"

typedef struct search {
    gf_emit *e;
    bool varies;
} search;

static bool look_for_varying(void *user, const gf_expr *expr) {
    search *s = user;
    const gf_array *array = NULL;
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
    case GF_EXPR_LEN:
    case GF_EXPR_OP:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        break;
    case GF_EXPR_NAME:
        s->varies |= expr->ref.symbol->kind != GF_SYMBOL_CONST && expr->ref.symbol->kind != GF_SYMBOL_PARAM;
        break;
    case GF_EXPR_LOAD:
        array = gf_name(s->e, expr->ref.symbol)->array;
        s->varies |= expr->ref.symbol->kind != GF_SYMBOL_BUFFER || array == NULL || array->is_written;
        break;
    case GF_EXPR_BUILTIN:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        s->varies = true;
        break;
    }
    return !s->varies;
}

static bool is_same_for_all(gf_emit *e, const gf_expr *expr) {
    search s = {.e = e};
    gf_visitor visitor = {.user = &s, .expr = look_for_varying};
    gf_visit_expr(&visitor, expr);
    return !s.varies;
}

static bool look_for_act(void *user, const gf_expr *expr) {
    bool *found = user;
    *found = *found || expr->kind == GF_EXPR_ATOMIC || expr->kind == GF_EXPR_CALL || expr->kind == GF_EXPR_CROSS;
    return !*found;
}

bool gf_may_act(const gf_expr *expr) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .expr = look_for_act};
    gf_visit_expr(&visitor, expr);
    return found;
}

/* Whether nothing is done but under one condition. */
static bool finds_condition(const gf_block *body, const gf_expr **condition) {
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        bool is_if = stmt->kind == GF_STMT_IF && stmt->otherwise == NULL && *condition == NULL;
        bool is_block = stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK;
        bool is_value = (is_if || stmt->kind == GF_STMT_LET) && !gf_may_act(stmt->value);
        if (!is_value && !(is_block && finds_condition(stmt->body, condition))) {
            return false;
        }
        *condition = is_if ? stmt->value : *condition;
    }
    return true;
}

/* The parts of `a && b && c` that are the same for all lanes, together; NULL: there are none. */
static LLVMValueRef emit_same(gf_emit *e, const gf_expr *condition) {
    if (is_same_for_all(e, condition)) {
        return gf_emit_expr(e, condition);
    }
    if (condition->kind != GF_EXPR_AND) {
        return NULL;
    }
    LLVMValueRef left = emit_same(e, condition->args[0]), right = emit_same(e, condition->args[1]);
    return left == NULL ? right : right == NULL ? left : LLVMBuildAnd(e->ll.builder, left, right, "");
}

LLVMValueRef gf_some_act(gf_emit *e, const gf_block *body) {
    const gf_expr *condition = NULL;
    if (e->options.checked || e->running != NULL || !finds_condition(body, &condition) || condition == NULL) {
        return NULL;
    }
    return emit_same(e, condition);
}
