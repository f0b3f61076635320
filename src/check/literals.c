/* Literals have no type of their own. An expression of nothing but literals stays untyped until its place gives it a
 * type; then the type goes down to each literal, which must fit it. */
#include "base/str.h"
#include "check/checker.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

gf_type gf_check_default_type(const gf_expr *expr) {
    return expr->is_float ? GF_TYPE_F32 : GF_TYPE_U32;
}

static bool integer_fits(uint64_t value, gf_type type, bool negated) {
    switch (type) {
    case GF_TYPE_U32:
        return value <= UINT32_MAX;
    case GF_TYPE_I32:
        return value <= (uint64_t)INT32_MAX + (negated ? 1 : 0);
    case GF_TYPE_U64:
        return true;
    case GF_TYPE_I64:
        return value <= (uint64_t)INT64_MAX + (negated ? 1 : 0);
    case GF_TYPE_F32:
        return value <= (uint64_t)1 << 24 || (value < (uint64_t)1 << 63 && (uint64_t)(float)value == value);
    case GF_TYPE_F64:
        return value <= (uint64_t)1 << 53 || (value < (uint64_t)1 << 63 && (uint64_t)(double)value == value);
    case GF_TYPE_NONE:
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return false;
}

static uint64_t bits_of_float(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? 0x7fc00000u : bits;
}

static uint64_t bits_of_double(double value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? 0x7ff8000000000000u : bits;
}

/* False where a finite spelling is beyond the type. */
static bool float_bits(checker *c, const char *text, gf_type type, uint64_t *bits) {
    char plain[128];
    size_t used = 0;
    for (const char *at = text; *at != '\0' && used + 1 < sizeof plain; at++) {
        if (*at != '_') {
            plain[used++] = *at;
        }
    }
    plain[used] = '\0';
    if (used + 1 == sizeof plain) {
        char *whole = gf_arena_string(c->arena, text, strlen(text));
        size_t kept = 0;
        for (const char *at = text; *at != '\0'; at++) {
            if (*at != '_') {
                whole[kept++] = *at;
            }
        }
        whole[kept] = '\0';
        text = whole;
    } else {
        text = plain;
    }
    bool is_inf = strstr(text, "inf") != NULL;
    if (type == GF_TYPE_F32) {
        float value = strtof(text, NULL);
        *bits = bits_of_float(value);
        return is_inf || !isinf(value);
    }
    double value = strtod(text, NULL);
    *bits = bits_of_double(value);
    return is_inf || !isinf(value);
}

static bool settle_literal(checker *c, gf_expr *expr, gf_type type, bool negated) {
    if (expr->is_float) {
        if (!gf_type_is_float(type)) {
            gf_check_fail(c, GF_CODE_TYPE_MISMATCH, expr->span, "`%s` is a float, and %s is wanted here",
                          gf_check_text(c, expr->span), gf_type_name(type));
            if (gf_type_is_integer(type)) {
                gf_fix(c->diags, "write an integer, or %s(%s)", gf_type_name(type), gf_check_text(c, expr->span));
            }
            return false;
        }
        if (!float_bits(c, expr->text, type, &expr->bits)) {
            return gf_check_fail(c, GF_CODE_LITERAL_RANGE, expr->span, "`%s` is beyond the range of %s",
                                 gf_check_text(c, expr->span), gf_type_name(type));
        }
        expr->type = type;
        return true;
    }
    if (type == GF_TYPE_BOOL) {
        gf_check_fail(c, GF_CODE_TYPE_MISMATCH, expr->span, "`%s` is a number, and bool is wanted here",
                      gf_check_text(c, expr->span));
        gf_fix(c->diags, "write true or false");
        return false;
    }
    if (!integer_fits(expr->bits, type, negated)) {
        bool is_float = gf_type_is_float(type);
        gf_check_fail(c, GF_CODE_LITERAL_RANGE, expr->span,
                      is_float ? "`%s` has no exact value as %s" : "`%s` does not fit %s", gf_check_text(c, expr->span),
                      gf_type_name(type));
        if (is_float) {
            gf_fix(c->diags, "write it with a point if rounding is meant");
        } else if (type == GF_TYPE_I32 && expr->bits <= UINT32_MAX && !negated) {
            gf_fix(c->diags, "for the bit pattern write i32(%s)", gf_check_text(c, expr->span));
        } else if (type == GF_TYPE_U32) {
            gf_fix(c->diags, "a 64-bit value is u64(%s)", gf_check_text(c, expr->span));
        }
        return false;
    }
    if (type == GF_TYPE_F32) {
        expr->bits = bits_of_float((float)expr->bits);
    } else if (type == GF_TYPE_F64) {
        expr->bits = bits_of_double((double)expr->bits);
    }
    expr->type = type;
    return true;
}

static bool settle(checker *c, gf_expr *expr, gf_type type, bool negated) {
    if (!is_untyped(expr)) {
        return true;
    }
    if (expr->kind == GF_EXPR_LITERAL) {
        return settle_literal(c, expr, type, negated);
    }
    gf_rule rule = gf_op_rule(expr->op);
    bool wants_integer = rule == GF_RULE_INTEGER || rule == GF_RULE_BITS || rule == GF_RULE_SHIFT;
    if ((wants_integer && !gf_type_is_integer(type)) || (rule == GF_RULE_FLOAT && !gf_type_is_float(type)) ||
        type == GF_TYPE_BOOL) {
        return gf_check_fail(c, GF_CODE_OPERAND_TYPE, expr->span, "`%s` gives no %s", gf_op_spelling(expr->op),
                             gf_type_name(type));
    }
    bool right = true;
    for (size_t i = 0; i < expr->arg_count; i++) {
        gf_expr *arg = own_expr(expr->args[i]);
        if (is_untyped(arg)) {
            right = settle(c, arg, type, expr->op == GF_OP_NEG) && right;
        }
    }
    expr->type = type;
    return right;
}

bool gf_check_settle(checker *c, gf_expr *expr, gf_type type) {
    return settle(c, expr, type, false);
}

static bool fits(checker *c, const gf_expr *expr, gf_type type, bool negated) {
    if (expr->kind == GF_EXPR_LITERAL) {
        uint64_t bits;
        if (expr->is_float) {
            return gf_type_is_float(type) && float_bits(c, expr->text, type, &bits);
        }
        return integer_fits(expr->bits, type, negated);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (is_untyped(expr->args[i]) && !fits(c, expr->args[i], type, expr->op == GF_OP_NEG)) {
            return false;
        }
    }
    return true;
}

bool gf_check_literal_fits(checker *c, const gf_expr *expr, gf_type type) {
    return fits(c, expr, type, false);
}
