/* Whether an expression is the number that it says. Sizes are computed as integers without bounds, all else in its own
 * type, where `n * 3000000 / 3000000` may go around: then the two differ, though they are written the same. */
#include "plan/split.h"

static uint64_t most_of(gf_type type) {
    unsigned bytes = (unsigned)gf_type_bytes(type);
    return bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
}

static bool is_constant(const gf_expr *expr, uint64_t *bits) {
    if (expr->kind == GF_EXPR_LITERAL) {
        *bits = expr->bits;
        return true;
    }
    if (expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind == GF_SYMBOL_CONST) {
        *bits = expr->ref.symbol->constant.bits;
        return true;
    }
    return false;
}

static bool find_most(const gf_expr *expr, uint64_t *most);

static bool find_most_of_op(const gf_expr *expr, uint64_t *most) {
    uint64_t a = 0, b = 0, constant = 0, limit = most_of(expr->type);
    if (expr->arg_count != 2 || !find_most(expr->args[0], &a) || !find_most(expr->args[1], &b)) {
        return false;
    }
    if (expr->op == GF_OP_ADD) {
        *most = a + b;
        return a <= limit - b;
    }
    if (expr->op == GF_OP_MUL) {
        *most = a * b;
        return a == 0 || b <= limit / a;
    }
    if (expr->op == GF_OP_MIN || expr->op == GF_OP_MAX) {
        *most = (a < b) == (expr->op == GF_OP_MIN) ? a : b;
        return true;
    }
    bool divides = is_constant(expr->args[1], &constant) && constant != 0;
    *most = divides && expr->op == GF_OP_DIV ? a / constant : constant - 1;
    return divides && (expr->op == GF_OP_DIV || expr->op == GF_OP_REM); /* of other operations nothing is known */
}

/* The most that it can be, where it is exact. */
static bool find_most(const gf_expr *expr, uint64_t *most) {
    bool is_unsigned = gf_type_is_integer(expr->type) && !gf_type_is_signed(expr->type);
    *most = is_unsigned ? most_of(expr->type) : 0;
    if (is_constant(expr, most)) {
        return is_unsigned;
    }
    if (expr->kind == GF_EXPR_NAME) {
        return is_unsigned && expr->ref.symbol->kind == GF_SYMBOL_PARAM;
    }
    return is_unsigned && expr->kind == GF_EXPR_OP && find_most_of_op(expr, most);
}

bool gf_split_is_exact(const gf_expr *expr) {
    uint64_t most = 0;
    bool is_plain = expr->kind == GF_EXPR_LITERAL ||
                    (expr->kind == GF_EXPR_NAME &&
                     (expr->ref.symbol->kind == GF_SYMBOL_CONST || expr->ref.symbol->kind == GF_SYMBOL_PARAM));
    return is_plain || find_most(expr, &most);
}
