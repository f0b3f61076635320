/* Sizes and constants: exact in 64 bits, whatever the types say. */
#include "base/checked.h"
#include "ir/eval.h"

#include <inttypes.h>

/* -2^63 .. 2^64 - 1, as sign and magnitude; there is no -0. */
typedef struct wide {
    bool negative;
    uint64_t magnitude;
} wide;

typedef struct sizer {
    const gf_env *env;
    const char *what;
    gf_diags *diags;
    bool floats_allowed; /* as an inner part that a cast or comparison makes an integer of */
} sizer;

static bool compute(const sizer *at, const gf_expr *expr, wide *out);

#define NEGATIVE_LIMIT (UINT64_C(1) << 63)

static wide of_i64(int64_t value) {
    return (wide){value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value};
}

static wide of_bits(gf_type type, uint64_t bits) {
    return gf_type_is_signed(type) ? of_i64((int64_t)gf_eval_cast(type, GF_TYPE_I64, bits)) : (wide){false, bits};
}

static uint64_t twos_complement(wide value) {
    return value.negative ? 0 - value.magnitude : value.magnitude;
}

static bool overflowed(const sizer *at, const gf_expr *expr) {
    return gf_fail(at->diags, GF_CODE_SIZE_OVERFLOW, expr->span, "%s overflows 64 bits", at->what);
}

static bool give(const sizer *at, const gf_expr *expr, bool negative, uint64_t magnitude, wide *out) {
    *out = (wide){negative && magnitude != 0, magnitude};
    return !out->negative || magnitude <= NEGATIVE_LIMIT ? true : overflowed(at, expr);
}

static bool add(const sizer *at, const gf_expr *expr, wide a, wide b, wide *out) {
    if (a.negative == b.negative) {
        uint64_t sum;
        return gf_add_u64(a.magnitude, b.magnitude, &sum) ? give(at, expr, a.negative, sum, out) : overflowed(at, expr);
    }
    bool first = a.magnitude >= b.magnitude;
    uint64_t difference = first ? a.magnitude - b.magnitude : b.magnitude - a.magnitude;
    return give(at, expr, first ? a.negative : b.negative, difference, out);
}

static int compare(wide a, wide b) {
    if (a.negative != b.negative) {
        return a.negative ? -1 : 1;
    }
    int order = (a.magnitude > b.magnitude) - (a.magnitude < b.magnitude);
    return a.negative ? -order : order;
}

static bool divide(const sizer *at, const gf_expr *expr, wide a, wide b, wide *out) {
    if (b.magnitude == 0) {
        return gf_fail(at->diags, GF_CODE_SIZE_DIVISION, expr->span, "%s divides by zero", at->what);
    }
    if (expr->op == GF_OP_DIV) {
        return give(at, expr, a.negative != b.negative, a.magnitude / b.magnitude, out);
    }
    return give(at, expr, a.negative, a.magnitude % b.magnitude, out);
}

/* Bit operations see two's complement of 64 bits; a value below zero cannot meet one that needs the top bit. */
static bool combine_bits(const sizer *at, const gf_expr *expr, wide a, wide b, wide *out) {
    bool is_signed = a.negative || b.negative;
    if ((a.negative && !b.negative && b.magnitude > INT64_MAX) ||
        (b.negative && !a.negative && a.magnitude > INT64_MAX)) {
        return overflowed(at, expr);
    }
    uint64_t bits = gf_eval_op(expr->op, GF_TYPE_U64, twos_complement(a), twos_complement(b), 0);
    *out = is_signed ? of_i64((int64_t)bits) : (wide){false, bits};
    return true;
}

static bool shift(const sizer *at, const gf_expr *expr, wide a, wide b, wide *out) {
    unsigned by = (unsigned)(twos_complement(b) & 63);
    if (expr->op == GF_OP_SHR) {
        /* Arithmetic: rounds down. */
        uint64_t lost = a.negative && (a.magnitude & ((UINT64_C(1) << by) - 1)) != 0;
        return give(at, expr, a.negative, (a.magnitude >> by) + lost, out);
    }
    if (a.magnitude > UINT64_MAX >> by) {
        return overflowed(at, expr);
    }
    return give(at, expr, a.negative, a.magnitude << by, out);
}

/* Operations that mean something only at a width: there the operands are those of their type. */
static bool at_width(const sizer *at, const gf_expr *expr, const wide *args, wide *out) {
    gf_type type = expr->args[0]->type;
    uint64_t bits[3] = {0};
    for (size_t i = 0; i < expr->arg_count; i++) {
        bits[i] = twos_complement(args[i]);
        if (gf_type_bytes(type) == 4) {
            bits[i] = (uint32_t)bits[i];
        }
    }
    for (size_t i = 0; i < expr->arg_count && gf_op_rule(expr->op) != GF_RULE_SHIFT; i++) {
        if (compare(of_bits(type, bits[i]), args[i]) != 0) {
            return overflowed(at, expr);
        }
    }
    *out = of_bits(type, gf_eval_op(expr->op, type, bits[0], bits[1], bits[2]));
    return true;
}

static bool apply(const sizer *at, const gf_expr *expr, const wide *args, wide *out) {
    wide a = args[0], b = args[1];
    switch (expr->op) {
    case GF_OP_NEG:
        return give(at, expr, !a.negative, a.magnitude, out);
    case GF_OP_ADD:
        return add(at, expr, a, b, out);
    case GF_OP_SUB:
        return add(at, expr, a, (wide){!b.negative && b.magnitude != 0, b.magnitude}, out);
    case GF_OP_MUL: {
        uint64_t product;
        return gf_mul_u64(a.magnitude, b.magnitude, &product) ? give(at, expr, a.negative != b.negative, product, out)
                                                              : overflowed(at, expr);
    }
    case GF_OP_DIV:
    case GF_OP_REM:
        return divide(at, expr, a, b, out);
    case GF_OP_AND:
    case GF_OP_OR:
    case GF_OP_XOR:
        return combine_bits(at, expr, a, b, out);
    case GF_OP_SHL:
    case GF_OP_SHR:
        return shift(at, expr, a, b, out);
    case GF_OP_NOT:
        *out = (wide){false, a.magnitude == 0};
        return true;
    case GF_OP_EQ:
        *out = (wide){false, compare(a, b) == 0};
        return true;
    case GF_OP_NE:
        *out = (wide){false, compare(a, b) != 0};
        return true;
    case GF_OP_LT:
        *out = (wide){false, compare(a, b) < 0};
        return true;
    case GF_OP_LE:
        *out = (wide){false, compare(a, b) <= 0};
        return true;
    case GF_OP_GT:
        *out = (wide){false, compare(a, b) > 0};
        return true;
    case GF_OP_GE:
        *out = (wide){false, compare(a, b) >= 0};
        return true;
    case GF_OP_MIN:
        *out = compare(a, b) < 0 ? a : b;
        return true;
    case GF_OP_MAX:
        *out = compare(a, b) > 0 ? a : b;
        return true;
    case GF_OP_CLAMP:
        *out = compare(a, b) > 0 ? a : b;
        *out = compare(*out, args[2]) < 0 ? *out : args[2];
        return true;
    case GF_OP_ABS:
        *out = (wide){false, a.magnitude};
        return true;
    case GF_OP_SIGN:
        *out = (wide){a.negative, a.magnitude != 0};
        return true;
    case GF_OP_COMPLEMENT:
    case GF_OP_POPCOUNT:
    case GF_OP_CLZ:
    case GF_OP_CTZ:
    case GF_OP_REVERSE_BITS:
    case GF_OP_ROTATE_LEFT:
    case GF_OP_ROTATE_RIGHT:
    case GF_OP_MUL_HI:
        return at_width(at, expr, args, out);
    case GF_OP_SELECT: /* taken care of before its sides are computed */
    case GF_OP_NONE:
    case GF_OP_FMA:
    case GF_OP_SQRT:
    case GF_OP_FLOOR:
    case GF_OP_CEIL:
    case GF_OP_TRUNC:
    case GF_OP_ROUND:
    case GF_OP_EXP2:
    case GF_OP_LOG2:
    case GF_OP_EXP:
    case GF_OP_LOG:
    case GF_OP_SIN:
    case GF_OP_COS:
    case GF_OP_TANH:
    case GF_OP_POW:
    case GF_OP_IS_NAN:
    case GF_OP_IS_INF:
    case GF_OP_COUNT:
        break;
    }
    return gf_fail(at->diags, GF_CODE_SIZE_UNKNOWN, expr->span, "%s uses `%s`, which is of floats", at->what,
                   gf_op_spelling(expr->op));
}

static bool no_value(const sizer *at, const gf_expr *expr) {
    if (expr->kind == GF_EXPR_NAME || expr->kind == GF_EXPR_LOAD || expr->kind == GF_EXPR_CALL ||
        expr->kind == GF_EXPR_LEN) {
        return gf_fail(at->diags, GF_CODE_SIZE_UNKNOWN, expr->span, "%s needs `%s`, which has no value here", at->what,
                       expr->ref.name == NULL ? "?" : expr->ref.name);
    }
    return gf_fail(at->diags, GF_CODE_SIZE_UNKNOWN, expr->span, "%s needs a value that is not known here", at->what);
}

static bool is_whole(gf_type type) {
    return type == GF_TYPE_BOOL || gf_type_is_integer(type);
}

/* What is computed in its type after all: parts with floats, loads, calls, bit patterns. */
static bool in_its_type(const sizer *at, const gf_expr *expr, wide *out) {
    uint64_t bits;
    if (!gf_eval(expr, at->env, &bits)) {
        return no_value(at, expr);
    }
    *out = of_bits(expr->type, bits);
    return true;
}

static bool has_float_operand(const gf_expr *expr) {
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (gf_type_is_float(expr->args[i]->type)) {
            return true;
        }
    }
    return false;
}

static bool no_floats(const sizer *at, const gf_expr *expr) {
    return gf_fail(at->diags, GF_CODE_SIZE_UNKNOWN, expr->span, "%s is computed with floats", at->what);
}

static bool compute_cast(const sizer *at, const gf_expr *expr, wide *out) {
    if (!compute(at, expr->args[0], out)) {
        return false;
    }
    if (expr->type == GF_TYPE_BOOL) {
        *out = (wide){false, out->magnitude != 0};
        return true;
    }
    uint64_t bits = twos_complement(*out);
    if (compare(of_bits(expr->type, gf_type_bytes(expr->type) == 4 ? (uint32_t)bits : bits), *out) != 0) {
        return gf_fail(at->diags, GF_CODE_SIZE_OVERFLOW, expr->span,
                       "%s casts %s%" PRIu64 " to %s, where it does not fit", at->what, out->negative ? "-" : "",
                       out->magnitude, gf_type_name(expr->type));
    }
    return true;
}

static bool compute_op(const sizer *at, const gf_expr *expr, wide *out) {
    wide args[3] = {{0}};
    if (expr->arg_count == 0 || expr->arg_count > 3) {
        return no_value(at, expr);
    }
    if (expr->op == GF_OP_SELECT) {
        if (!compute(at, expr->args[0], &args[0])) {
            return false;
        }
        return compute(at, expr->args[args[0].magnitude != 0 ? 1 : 2], out);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (!compute(at, expr->args[i], &args[i])) {
            return false;
        }
    }
    return apply(at, expr, args, out);
}

static bool compute(const sizer *at, const gf_expr *expr, wide *out) {
    if (!is_whole(expr->type) || has_float_operand(expr)) {
        return at->floats_allowed && is_whole(expr->type) ? in_its_type(at, expr, out) : no_floats(at, expr);
    }
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        /* What was spelled has no sign: the magnitude in -9223372036854775808 is no i64, and needs to be none here. */
        *out = expr->text != NULL ? (wide){false, expr->bits} : of_bits(expr->type, expr->bits);
        return true;
    case GF_EXPR_OP:
        return compute_op(at, expr, out);
    case GF_EXPR_AND:
        return compute(at, expr->args[0], out) && (out->magnitude == 0 || compute(at, expr->args[1], out));
    case GF_EXPR_OR:
        return compute(at, expr->args[0], out) && (out->magnitude != 0 || compute(at, expr->args[1], out));
    case GF_EXPR_CAST:
        return compute_cast(at, expr, out);
    case GF_EXPR_LEN: {
        /* The length itself, though `len` may be too narrow a type for it. */
        uint64_t count;
        if (expr->ref.symbol == NULL || at->env == NULL || at->env->length == NULL ||
            !at->env->length(at->env->user, expr->ref.symbol, &count)) {
            return no_value(at, expr);
        }
        *out = (wide){false, count};
        return true;
    }
    case GF_EXPR_NAME:
    case GF_EXPR_BUILTIN:
    case GF_EXPR_LOAD:
    case GF_EXPR_BITCAST:
    case GF_EXPR_CALL:
        return in_its_type(at, expr, out);
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
        break;
    }
    return no_value(at, expr);
}

bool gf_eval_size(const gf_expr *expr, const gf_env *env, const char *what, uint64_t *out, gf_diags *diags) {
    sizer at = {.env = env, .what = what, .diags = diags};
    wide value;
    if (!compute(&at, expr, &value)) {
        return false;
    }
    if (value.negative) {
        return gf_fail(diags, GF_CODE_SIZE_NEGATIVE, expr->span, "%s is -%" PRIu64, what, value.magnitude);
    }
    *out = value.magnitude;
    return true;
}

static bool eval_in_type(const sizer *at, const gf_expr *expr, uint64_t *bits) {
    if (!gf_eval(expr, at->env, bits)) {
        return no_value(at, expr);
    }
    *bits = gf_canonical(expr->type, *bits);
    return true;
}

static bool eval_whole(const sizer *at, const gf_expr *expr, gf_type type, uint64_t *bits) {
    wide value;
    if (!compute(at, expr, &value)) {
        return false;
    }
    uint64_t low = twos_complement(value);
    low = gf_type_bytes(type) == 4 ? (uint32_t)low : low;
    if (compare(of_bits(type, low), value) != 0 || (type == GF_TYPE_BOOL && low > 1)) {
        return gf_fail(at->diags, GF_CODE_CONSTANT_RANGE, expr->span, "%s is %s%" PRIu64 ", which does not fit %s",
                       at->what, value.negative ? "-" : "", value.magnitude, gf_type_name(type));
    }
    *bits = low;
    return true;
}

bool gf_eval_constant(const gf_expr *expr, const gf_env *env, gf_type type, const char *what, uint64_t *bits,
                      gf_diags *diags) {
    sizer at = {.env = env, .what = what, .diags = diags, .floats_allowed = true};
    gf_float_mode mode;
    gf_float_mode_enter(&mode);
    bool done = is_whole(type) ? eval_whole(&at, expr, type, bits) : eval_in_type(&at, expr, bits);
    gf_float_mode_leave(&mode);
    return done;
}
