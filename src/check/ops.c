/* Operand types of the op table. */
#include "check/checker.h"

static bool type_taken(gf_rule rule, gf_type type) {
    bool is_number = gf_type_is_arithmetic(type) && type != GF_TYPE_BOOL;
    switch (rule) {
    case GF_RULE_NUMBER:
    case GF_RULE_ORDER:
        return is_number;
    case GF_RULE_INTEGER:
    case GF_RULE_SHIFT:
        return is_number && gf_type_is_integer(type);
    case GF_RULE_FLOAT:
    case GF_RULE_FLOAT_TEST:
        return gf_type_is_float(type) && is_number;
    case GF_RULE_BOOL:
        return type == GF_TYPE_BOOL;
    case GF_RULE_BITS:
        return type == GF_TYPE_BOOL || (is_number && gf_type_is_integer(type));
    case GF_RULE_EQUAL:
    case GF_RULE_SELECT:
        return gf_type_is_arithmetic(type);
    }
    return false;
}

static const char *rule_wants(gf_rule rule) {
    switch (rule) {
    case GF_RULE_NUMBER:
    case GF_RULE_ORDER:
        return "numbers";
    case GF_RULE_INTEGER:
    case GF_RULE_SHIFT:
        return "integers";
    case GF_RULE_FLOAT:
    case GF_RULE_FLOAT_TEST:
        return "floats";
    case GF_RULE_BOOL:
        return "bool";
    case GF_RULE_BITS:
        return "integers or bool";
    case GF_RULE_EQUAL:
    case GF_RULE_SELECT:
        return "values";
    }
    return "values";
}

static bool refuse_type(checker *c, const gf_expr *expr, const gf_expr *arg, gf_type type) {
    gf_rule rule = gf_op_rule(expr->op);
    gf_check_fail(c, GF_CODE_OPERAND_TYPE, arg->span, "`%s` takes %s, and this is %s", gf_op_spelling(expr->op),
                  rule_wants(rule), gf_type_name(type));
    if (rule == GF_RULE_BOOL) {
        gf_fix(c->diags,
               expr->op == GF_OP_NOT && gf_type_is_integer(type) ? "the bitwise operation is `~`; a test is `%s == 0`"
                                                                 : "compare it: `%s != 0`",
               gf_check_operand_text(c, arg));
    } else if (type == GF_TYPE_BOOL) {
        gf_fix(c->diags, "write u32(%s), which is 0 or 1", gf_check_text(c, arg->span));
    } else if ((rule == GF_RULE_FLOAT || rule == GF_RULE_FLOAT_TEST) && gf_type_is_integer(type)) {
        gf_fix(c->diags, "write f32(%s)", gf_check_text(c, arg->span));
    } else if (gf_type_is_float(type)) {
        gf_fix(c->diags, "write u32(%s), which rounds toward zero, or bitcast<u32>(%s)", gf_check_text(c, arg->span),
               gf_check_text(c, arg->span));
    }
    return false;
}

static bool refuse_mix(checker *c, const gf_expr *expr, const gf_expr *a, const gf_expr *b) {
    gf_check_fail(c, GF_CODE_TYPE_MISMATCH, expr->span, "`%s` takes values of one type, and these are %s and %s",
                  gf_op_spelling(expr->op), gf_type_name(a->type), gf_type_name(b->type));
    gf_note(c->diags, a->span, "this is %s", gf_type_name(a->type));
    gf_note(c->diags, b->span, "this is %s", gf_type_name(b->type));
    /* The wider one, or the float, is what is most often meant. */
    bool to_a = gf_type_is_float(a->type) != gf_type_is_float(b->type)
                    ? gf_type_is_float(a->type)
                    : gf_type_bytes(a->type) >= gf_type_bytes(b->type);
    const gf_expr *kept = to_a ? a : b;
    const gf_expr *cast = to_a ? b : a;
    if (kept->type == GF_TYPE_BOOL) {
        gf_fix(c->diags, "compare `%s` with something first: `%s != 0`", gf_check_text(c, cast->span),
               gf_check_operand_text(c, cast));
    } else {
        gf_fix(c->diags, "write %s(%s)", gf_type_name(kept->type), gf_check_text(c, cast->span));
    }
    return false;
}

/* The operands from `first` to before `end` get one type. NONE: all are untyped. False after an error. */
static bool unify(checker *c, gf_expr *expr, gf_expr **args, size_t first, size_t end, gf_type *type) {
    gf_rule rule = gf_op_rule(expr->op);
    const gf_expr *typed = NULL;
    for (size_t i = first; i < end; i++) {
        if (is_untyped(args[i])) {
            continue;
        }
        if (!type_taken(rule, args[i]->type)) {
            return refuse_type(c, expr, args[i], args[i]->type);
        }
        if (typed == NULL) {
            typed = args[i];
        } else if (typed->type != args[i]->type) {
            return refuse_mix(c, expr, typed, args[i]);
        }
    }
    *type = typed == NULL ? GF_TYPE_NONE : typed->type;
    if (typed == NULL) {
        bool is_float = rule == GF_RULE_FLOAT || rule == GF_RULE_FLOAT_TEST;
        for (size_t i = first; i < end; i++) {
            is_float = is_float || args[i]->is_float;
        }
        if (is_float && !type_taken(rule, GF_TYPE_F32)) {
            return refuse_type(c, expr, args[first], GF_TYPE_F32);
        }
        if (rule == GF_RULE_BOOL) {
            return refuse_type(c, expr, args[first], GF_TYPE_U32);
        }
        expr->is_float = is_float;
        return true;
    }
    bool right = true;
    for (size_t i = first; i < end; i++) {
        right = gf_check_settle(c, args[i], *type) && right;
    }
    return right;
}

/* Comparisons and tests give bool, so literals get their own default. */
static bool settle_defaults(checker *c, gf_expr *expr, gf_expr **args, size_t count) {
    bool right = true;
    for (size_t i = 0; i < count; i++) {
        right = gf_check_settle(c, args[i], expr->is_float ? GF_TYPE_F32 : GF_TYPE_U32) && right;
    }
    expr->is_float = false;
    return right;
}

gf_expr *gf_check_op(checker *c, gf_expr *expr, gf_expr **args) {
    size_t count = expr->arg_count;
    gf_type type = GF_TYPE_NONE;
    expr->is_float = false;
    switch (gf_op_rule(expr->op)) {
    case GF_RULE_NUMBER:
    case GF_RULE_INTEGER:
    case GF_RULE_FLOAT:
    case GF_RULE_BOOL:
    case GF_RULE_BITS:
        if (!unify(c, expr, args, 0, count, &type)) {
            return NULL;
        }
        expr->type = type;
        return expr;
    case GF_RULE_SHIFT:
        if (!unify(c, expr, args, 0, 1, &type)) {
            return NULL;
        }
        if (is_untyped(args[1])) {
            if (args[1]->is_float) {
                refuse_type(c, expr, args[1], GF_TYPE_F32);
                return NULL;
            }
            if (!gf_check_settle(c, args[1], GF_TYPE_U32)) {
                return NULL;
            }
        } else if (!type_taken(GF_RULE_SHIFT, args[1]->type)) {
            refuse_type(c, expr, args[1], args[1]->type);
            return NULL;
        }
        expr->type = type;
        return expr;
    case GF_RULE_EQUAL:
    case GF_RULE_ORDER:
    case GF_RULE_FLOAT_TEST:
        if (!unify(c, expr, args, 0, count, &type)) {
            return NULL;
        }
        if (type == GF_TYPE_NONE && !settle_defaults(c, expr, args, count)) {
            return NULL;
        }
        expr->type = GF_TYPE_BOOL;
        return expr;
    case GF_RULE_SELECT:
        if (args[0]->type != GF_TYPE_BOOL) {
            gf_type is = is_untyped(args[0]) ? gf_check_default_type(args[0]) : args[0]->type;
            gf_check_fail(c, GF_CODE_OPERAND_TYPE, args[0]->span,
                          "the first operand of `select` is the condition, a bool, "
                          "and this is %s",
                          gf_type_name(is));
            gf_fix(c->diags, "select(condition, value if true, value if false)");
            return NULL;
        }
        if (!unify(c, expr, args, 1, 3, &type)) {
            return NULL;
        }
        expr->type = type;
        return expr;
    }
    return NULL;
}
