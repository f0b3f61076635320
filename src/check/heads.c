/* Conditions of if and while that hold group or grid operations: these become lets of their own, so that a checked tree
 * has them in one form only. */
#include "check/checker.h"
#include "ir/visit.h"

static bool note_cross(void *user, const gf_expr *expr) {
    bool *found = user;
    *found = *found || expr->kind == GF_EXPR_CROSS;
    return !*found;
}

bool gf_check_holds_cross(const gf_expr *parsed) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .expr = note_cross};
    gf_visit_expr(&visitor, parsed);
    return found;
}

static gf_expr *take_out(checker *c, const gf_expr *parsed, stmt_list *out) {
    gf_expr *value = gf_check_count_node(c, parsed->span) ? gf_check_cross(c, parsed) : NULL;
    if (value == NULL) {
        return NULL;
    }
    const gf_symbol *answer = gf_check_emit_let(c, out, "answer", value, parsed->span);
    return gf_check_name_of(c, answer, parsed->span);
}

gf_expr *gf_check_head(checker *c, const gf_expr *parsed, const char *what, stmt_list *out) {
    if (!gf_check_holds_cross(parsed)) {
        return gf_check_condition(c, parsed, what);
    }
    if (parsed->kind == GF_EXPR_CROSS) {
        return gf_check_require(c, take_out(c, parsed, out), GF_TYPE_BOOL, what);
    }
    if (parsed->kind != GF_EXPR_OP) {
        return gf_check_condition(c, parsed, what); /* which refuses the operation where it stands */
    }
    gf_expr **args = gf_new_array(c->arena, gf_expr *, parsed->arg_count);
    bool right = true;
    for (size_t i = 0; i < parsed->arg_count; i++) {
        const gf_expr *arg = parsed->args[i];
        if (arg->kind == GF_EXPR_CROSS && gf_op_form(parsed->op) != GF_FORM_CALL) {
            args[i] = take_out(c, arg, out);
        } else if (parsed->op == GF_OP_NOT) {
            args[i] = gf_check_head(c, arg, what, out);
        } else {
            args[i] = gf_check_expr(c, arg);
        }
        right = right && args[i] != NULL;
    }
    if (!right) {
        return NULL;
    }
    gf_expr *made = gf_check_make(c, GF_EXPR_OP, GF_TYPE_NONE, parsed->span);
    made->op = parsed->op;
    made->args = (const gf_expr *const *)args;
    made->arg_count = parsed->arg_count;
    return gf_check_require(c, gf_check_op(c, made, args), GF_TYPE_BOOL, what);
}
