/* The op table in PTX, and what is made of it: combinations and the turns of a loop. */
#include "emit/ptx/value.h"

#include "ir/eval.h"

/* ---- lines ---- */

/* d = name.suffix a, b, c */
static gf_pv apply1(gf_ptx *p, gf_type result, const char *name, const char *suffix, gf_pv a) {
    gf_pv d = gf_ptx_new_value(p, result);
    gf_ptx_line(p, "%s.%s %s, %s", name, suffix, gf_ptx_spell(d).text, gf_ptx_spell(a).text);
    return d;
}

static gf_pv apply2(gf_ptx *p, gf_type result, const char *name, const char *suffix, gf_pv a, gf_pv b) {
    gf_pv d = gf_ptx_new_value(p, result);
    gf_ptx_line(p, "%s.%s %s, %s, %s", name, suffix, gf_ptx_spell(d).text, gf_ptx_spell(a).text, gf_ptx_spell(b).text);
    return d;
}

static gf_pv apply3(gf_ptx *p, gf_type result, const char *name, const char *suffix, gf_pv a, gf_pv b, gf_pv c) {
    gf_pv d = gf_ptx_new_value(p, result);
    gf_ptx_line(p, "%s.%s %s, %s, %s, %s", name, suffix, gf_ptx_spell(d).text, gf_ptx_spell(a).text,
                gf_ptx_spell(b).text, gf_ptx_spell(c).text);
    return d;
}

static gf_pv with_type(gf_pv v, gf_type type) {
    v.type = type;
    return v;
}

/* An operation of operands of one type, folded and simplified. */
static gf_pv op1(gf_ptx *p, gf_op op, gf_pv a) {
    return gf_ptx_op(p, op, a.type, GF_TYPE_NONE, a, a, a);
}

static gf_pv op2(gf_ptx *p, gf_op op, gf_pv a, gf_pv b) {
    return gf_ptx_op(p, op, a.type, b.type, a, b, a);
}

static gf_pv op3(gf_ptx *p, gf_op op, gf_pv a, gf_pv b, gf_pv c) {
    return gf_ptx_op(p, op, b.type, b.type, a, b, c);
}

static unsigned width_of(gf_type type) {
    return 8 * (unsigned)gf_type_bytes(type);
}

static bool is_bits(gf_pv v, uint64_t bits) {
    return v.is_constant && v.bits == gf_ptx_constant(v.type, bits).bits;
}

/* ---- constants ---- */

/* As the library computes, whatever mode the caller's thread is in. */
static uint64_t fold(gf_op op, gf_type type, gf_type count_type, const gf_pv *v) {
    gf_float_mode mode;
    gf_float_mode_enter(&mode);
    uint64_t b = v[1].bits;
    if (gf_op_rule(op) == GF_RULE_SHIFT && count_type != GF_TYPE_NONE) {
        b &= width_of(type) - 1;
    }
    uint64_t bits = gf_eval_op(op, type, v[0].bits, b, v[2].bits);
    gf_float_mode_leave(&mode);
    return bits;
}

static bool commutes(gf_op op) {
    return op == GF_OP_ADD || op == GF_OP_MUL || op == GF_OP_AND || op == GF_OP_OR || op == GF_OP_XOR ||
           op == GF_OP_EQ || op == GF_OP_NE || op == GF_OP_MIN || op == GF_OP_MAX || op == GF_OP_MUL_HI;
}

/* The k of 2^k; -1 where it is none. */
static int log2_of(uint64_t bits) {
    if (bits == 0 || (bits & (bits - 1)) != 0) {
        return -1;
    }
    int k = 0;
    while (bits >> k != 1) {
        k++;
    }
    return k;
}

/* Operations with a constant second operand that give a constant or their first operand. */
static bool simplify_integer(gf_op op, gf_type type, gf_pv a, gf_pv b, gf_pv *result) {
    bool zero = is_bits(b, 0), one = is_bits(b, 1), ones = is_bits(b, UINT64_MAX);
    bool same = false, nothing = false, full = false;
    if (op == GF_OP_ADD || op == GF_OP_SUB || op == GF_OP_XOR) {
        same = zero;
    } else if (op == GF_OP_OR) {
        same = zero;
        full = ones;
    } else if (op == GF_OP_AND) {
        same = ones;
        nothing = zero;
    } else if (op == GF_OP_MUL) {
        same = one;
        nothing = zero;
    } else if (op == GF_OP_MUL_HI) {
        nothing = zero;
    } else if (op == GF_OP_DIV) {
        same = zero || one;
    } else if (op == GF_OP_REM) {
        nothing = zero || one || (ones && gf_type_is_signed(type));
    } else if (gf_op_rule(op) == GF_RULE_SHIFT) {
        same = (b.bits & (width_of(type) - 1)) == 0;
    }
    if (same) {
        *result = a;
    } else if (nothing || full) {
        *result = gf_ptx_constant(type, full ? UINT64_MAX : 0);
    }
    return same || nothing || full;
}

/* x * 1, x / 1, x + -0, x - +0: x, or any NaN where that is one. */
static bool simplify_float(gf_op op, gf_type type, gf_pv a, gf_pv b, gf_pv *result) {
    bool wide = type == GF_TYPE_F64;
    bool one = b.bits == (wide ? UINT64_C(0x3ff0000000000000) : UINT64_C(0x3f800000));
    bool minus_zero = b.bits == (wide ? UINT64_C(1) << 63 : UINT64_C(1) << 31);
    *result = a;
    return ((op == GF_OP_MUL || op == GF_OP_DIV) && one) || (op == GF_OP_ADD && minus_zero) ||
           (op == GF_OP_SUB && b.bits == 0);
}

/* ---- bools ---- */

static gf_pv invert(gf_ptx *p, gf_pv a) {
    return a.is_constant ? gf_ptx_constant(GF_TYPE_BOOL, !a.bits) : apply1(p, GF_TYPE_BOOL, "not", "pred", a);
}

static gf_pv logic(gf_ptx *p, gf_op op, gf_pv a, gf_pv b) {
    if (b.is_constant) {
        switch ((int)op) {
        case GF_OP_AND:
            return b.bits != 0 ? a : b;
        case GF_OP_OR:
            return b.bits != 0 ? b : a;
        case GF_OP_EQ:
            return b.bits != 0 ? a : invert(p, a);
        default:
            return b.bits != 0 ? invert(p, a) : a;
        }
    }
    const char *name = op == GF_OP_AND ? "and" : op == GF_OP_OR ? "or" : "xor";
    gf_pv result = apply2(p, GF_TYPE_BOOL, name, "pred", a, b);
    return op == GF_OP_EQ ? invert(p, result) : result;
}

static gf_pv both(gf_ptx *p, gf_pv a, gf_pv b) {
    return op2(p, GF_OP_AND, a, b);
}

static gf_pv either(gf_ptx *p, gf_pv a, gf_pv b) {
    return op2(p, GF_OP_OR, a, b);
}

/* Of bools (c & a) | (!c & b): selp does not take them. */
static gf_pv select_value(gf_ptx *p, gf_type type, gf_pv condition, gf_pv a, gf_pv b) {
    if (condition.is_constant) {
        return condition.bits != 0 ? a : b;
    }
    if (type == GF_TYPE_BOOL) {
        gf_pv first = both(p, a, condition);
        return either(p, first, both(p, b, invert(p, condition)));
    }
    return apply3(p, type, "selp", gf_ptx_class_suffix(type), a, b, condition);
}

/* ---- comparisons ---- */

/* NE is true of NaN, the others are false. */
static gf_pv compare(gf_ptx *p, gf_op op, gf_type type, gf_pv a, gf_pv b) {
    static const struct {
        gf_op op, mirrored;
        const char *name, *of_float;
    } table[] = {
        {GF_OP_EQ, GF_OP_EQ, "setp.eq", "setp.eq"}, {GF_OP_NE, GF_OP_NE, "setp.ne", "setp.neu"},
        {GF_OP_LT, GF_OP_GT, "setp.lt", "setp.lt"}, {GF_OP_LE, GF_OP_GE, "setp.le", "setp.le"},
        {GF_OP_GT, GF_OP_LT, "setp.gt", "setp.gt"}, {GF_OP_GE, GF_OP_LE, "setp.ge", "setp.ge"},
    };
    if (a.is_constant) {
        size_t row = 0;
        while (table[row].op != op) {
            row++;
        }
        return compare(p, table[row].mirrored, type, b, a);
    }
    if (type == GF_TYPE_BOOL) {
        return logic(p, op, a, b);
    }
    size_t row = 0;
    while (table[row].op != op) {
        row++;
    }
    const char *name = gf_type_is_float(type) ? table[row].of_float : table[row].name;
    return apply2(p, GF_TYPE_BOOL, name, gf_ptx_suffix(type), a, b);
}

static gf_pv is_nan(gf_ptx *p, gf_type type, gf_pv a) {
    return apply2(p, GF_TYPE_BOOL, "setp.nan", gf_ptx_suffix(type), a, a);
}

static gf_pv is_infinite(gf_ptx *p, gf_type type, gf_pv a) {
    uint64_t infinity = type == GF_TYPE_F64 ? UINT64_C(0x7ff0000000000000) : UINT64_C(0x7f800000);
    gf_pv magnitude = apply1(p, type, "abs", gf_ptx_suffix(type), a);
    return compare(p, GF_OP_EQ, type, magnitude, gf_ptx_constant(type, infinity));
}

/* ---- integers ---- */

static gf_pv negate(gf_ptx *p, gf_type type, gf_pv a) {
    if (gf_type_is_float(type)) {
        return apply1(p, type, "neg", gf_ptx_suffix(type), a);
    }
    return apply1(p, type, "neg", gf_type_bytes(type) == 8 ? "s64" : "s32", a);
}

static gf_pv multiply(gf_ptx *p, gf_type type, gf_pv a, gf_pv b) {
    if (gf_type_is_float(type)) {
        return apply2(p, type, "mul.rn", gf_ptx_suffix(type), a, b);
    }
    int k = b.is_constant ? log2_of(b.bits) : -1;
    if (k >= 0) {
        return op2(p, GF_OP_SHL, a, gf_ptx_constant(GF_TYPE_U32, (uint64_t)k));
    }
    return apply2(p, type, "mul.lo", gf_ptx_suffix(type), a, b);
}

/* The count as 32 bits; what lies above them does not count. */
static gf_pv low_word(gf_ptx *p, gf_pv b) {
    return gf_ptx_cast(p, GF_TYPE_U32, b);
}

/* PTX's shifts do not wrap their count but end at the width; the funnel shifts can wrap it, of 32 bits. */
static gf_pv shift(gf_ptx *p, gf_op op, gf_type type, gf_pv a, gf_pv b) {
    bool left = op == GF_OP_SHL, arithmetic = !left && gf_type_is_signed(type);
    gf_pv mask = gf_ptx_constant(GF_TYPE_U32, width_of(type) - 1), zero = gf_ptx_constant(type, 0);
    b = low_word(p, b);
    if (!b.is_constant && width_of(type) == 32 && !arithmetic) {
        return left ? apply3(p, type, "shf.l.wrap", "b32", zero, a, b)
                    : apply3(p, type, "shf.r.wrap", "b32", a, zero, b);
    }
    b = op2(p, GF_OP_AND, b, mask);
    if (left) {
        return apply2(p, type, "shl", gf_ptx_bits_suffix(type), a, b);
    }
    return apply2(p, type, "shr", gf_ptx_suffix(type), a, b);
}

/* Of 64 bits from two shifts, of which the second moves everything out where the first has nothing to do. */
static gf_pv rotate(gf_ptx *p, bool left, gf_type type, gf_pv a, gf_pv b) {
    b = low_word(p, b);
    if (width_of(type) == 32) {
        return apply3(p, type, left ? "shf.l.wrap" : "shf.r.wrap", "b32", a, a, b);
    }
    b = op2(p, GF_OP_AND, b, gf_ptx_constant(GF_TYPE_U32, 63));
    gf_pv back = op2(p, GF_OP_SUB, gf_ptx_constant(GF_TYPE_U32, 64), b);
    gf_pv up = apply2(p, type, "shl", "b64", a, left ? b : back);
    gf_pv down = apply2(p, type, "shr", "b64", a, left ? back : b);
    return apply2(p, type, "or", "b64", up, down);
}

/* popc and clz, which give 32 bits whatever they look at. */
static gf_pv count_bits(gf_ptx *p, gf_type type, const char *name, gf_pv a) {
    gf_pv count = apply1(p, GF_TYPE_U32, name, gf_ptx_bits_suffix(type), a);
    return width_of(type) == 32 ? with_type(count, type) : with_type(gf_ptx_cast(p, GF_TYPE_U64, count), type);
}

static gf_pv count_trailing(gf_ptx *p, gf_type type, gf_pv a) {
    return count_bits(p, type, "clz", apply1(p, type, "brev", gf_ptx_bits_suffix(type), a));
}

static gf_pv sign_of_integer(gf_ptx *p, gf_type type, gf_pv a) {
    gf_pv one = gf_ptx_constant(type, 1);
    if (!gf_type_is_signed(type)) {
        return op2(p, GF_OP_MIN, a, one);
    }
    return op2(p, GF_OP_MIN, op2(p, GF_OP_MAX, a, gf_ptx_constant(type, UINT64_MAX)), one);
}

/* ---- floats ---- */

static gf_pv sign_of_float(gf_ptx *p, gf_type type, gf_pv a) {
    bool wide = type == GF_TYPE_F64;
    gf_pv zero = gf_ptx_constant(type, 0);
    gf_pv one = gf_ptx_constant(type, wide ? UINT64_C(0x3ff0000000000000) : UINT64_C(0x3f800000));
    gf_pv minus = gf_ptx_constant(type, wide ? UINT64_C(0xbff0000000000000) : UINT64_C(0xbf800000));
    gf_pv above = select_value(p, type, compare(p, GF_OP_GT, type, a, zero), one, zero);
    return select_value(p, type, compare(p, GF_OP_LT, type, a, zero), minus, above);
}

/* 2^-k for a 2^k where both are normal: to multiply by it is to divide. */
static bool exact_inverse(gf_pv v, uint64_t *bits) {
    bool wide = v.type == GF_TYPE_F64;
    int place = wide ? 52 : 23;
    uint64_t exponents = wide ? 0x7ff : 0xff, bias = exponents >> 1;
    uint64_t exponent = v.bits >> place & exponents, fraction = v.bits & ((UINT64_C(1) << place) - 1);
    if (fraction != 0 || exponent == 0 || exponent >= 2 * bias) {
        return false;
    }
    uint64_t sign = v.bits >> place & ~exponents;
    *bits = (sign | (2 * bias - exponent)) << place;
    return true;
}

static gf_pv divide_float(gf_ptx *p, gf_type type, gf_pv a, gf_pv b) {
    uint64_t inverse;
    if (b.is_constant && exact_inverse(b, &inverse)) {
        return multiply(p, type, a, gf_ptx_constant(type, inverse));
    }
    return apply2(p, type, "div.rn", gf_ptx_suffix(type), a, b);
}

static gf_pv round_to_whole(gf_ptx *p, gf_type type, const char *name, gf_pv a) {
    return apply1(p, type, name, type == GF_TYPE_F64 ? "f64.f64" : "f32.f32", a);
}

/* a - b trunc(a / b), each step rounded. */
static gf_pv rest_float(gf_ptx *p, gf_pv a, gf_pv b) {
    gf_pv whole = op1(p, GF_OP_TRUNC, op2(p, GF_OP_DIV, a, b));
    return op2(p, GF_OP_SUB, a, op2(p, GF_OP_MUL, whole, b));
}

/* ---- the table ---- */

/* Where nothing could be folded: at least one operand is in a register. */
static gf_pv emit_op(gf_ptx *p, gf_op op, gf_type type, gf_pv a, gf_pv b, gf_pv c) {
    bool is_float = gf_type_is_float(type), is_bool = type == GF_TYPE_BOOL;
    const char *suffix = gf_ptx_suffix(type), *bits = gf_ptx_bits_suffix(type);
    switch (op) {
    case GF_OP_NONE:
    case GF_OP_COUNT:
        break;
    case GF_OP_NEG:
        return negate(p, type, a);
    case GF_OP_NOT:
        return invert(p, a);
    case GF_OP_COMPLEMENT:
        return apply1(p, type, "not", bits, a);
    case GF_OP_ADD:
        return apply2(p, type, is_float ? "add.rn" : "add", suffix, a, b);
    case GF_OP_SUB:
        return apply2(p, type, is_float ? "sub.rn" : "sub", suffix, a, b);
    case GF_OP_MUL:
        return multiply(p, type, a, b);
    case GF_OP_DIV:
        return is_float ? divide_float(p, type, a, b) : gf_ptx_divide(p, type, false, a, b);
    case GF_OP_REM:
        return is_float ? rest_float(p, a, b) : gf_ptx_divide(p, type, true, a, b);
    case GF_OP_AND:
        return is_bool ? logic(p, op, a, b) : apply2(p, type, "and", bits, a, b);
    case GF_OP_OR:
        return is_bool ? logic(p, op, a, b) : apply2(p, type, "or", bits, a, b);
    case GF_OP_XOR:
        return is_bool ? logic(p, op, a, b) : apply2(p, type, "xor", bits, a, b);
    case GF_OP_SHL:
    case GF_OP_SHR:
        return shift(p, op, type, a, b);
    case GF_OP_EQ:
    case GF_OP_NE:
    case GF_OP_LT:
    case GF_OP_LE:
    case GF_OP_GT:
    case GF_OP_GE:
        return compare(p, op, type, a, b);
    case GF_OP_SELECT:
        return select_value(p, type, a, b, c);
    case GF_OP_MIN: /* of floats a NaN loses, and -0 < +0 */
        return apply2(p, type, "min", suffix, a, b);
    case GF_OP_MAX:
        return apply2(p, type, "max", suffix, a, b);
    case GF_OP_CLAMP:
        return op2(p, GF_OP_MIN, op2(p, GF_OP_MAX, a, b), c);
    case GF_OP_ABS:
        return is_float || gf_type_is_signed(type) ? apply1(p, type, "abs", suffix, a) : a;
    case GF_OP_SIGN:
        return is_float ? sign_of_float(p, type, a) : sign_of_integer(p, type, a);
    case GF_OP_POPCOUNT:
        return count_bits(p, type, "popc", a);
    case GF_OP_CLZ:
        return count_bits(p, type, "clz", a);
    case GF_OP_CTZ:
        return count_trailing(p, type, a);
    case GF_OP_REVERSE_BITS:
        return apply1(p, type, "brev", bits, a);
    case GF_OP_ROTATE_LEFT:
    case GF_OP_ROTATE_RIGHT:
        return rotate(p, op == GF_OP_ROTATE_LEFT, type, a, b);
    case GF_OP_MUL_HI:
        return apply2(p, type, "mul.hi", suffix, a, b);
    case GF_OP_FMA:
        return apply3(p, type, "fma.rn", suffix, a, b, c);
    case GF_OP_SQRT:
        return apply1(p, type, "sqrt.rn", suffix, a);
    case GF_OP_FLOOR:
        return round_to_whole(p, type, "cvt.rmi", a);
    case GF_OP_CEIL:
        return round_to_whole(p, type, "cvt.rpi", a);
    case GF_OP_TRUNC:
        return round_to_whole(p, type, "cvt.rzi", a);
    case GF_OP_ROUND:
        return round_to_whole(p, type, "cvt.rni", a);
    case GF_OP_EXP2:
    case GF_OP_LOG2:
    case GF_OP_EXP:
    case GF_OP_LOG:
    case GF_OP_SIN:
    case GF_OP_COS:
    case GF_OP_TANH:
    case GF_OP_POW:
        return gf_ptx_elementary(p, op, type, a, b);
    case GF_OP_IS_NAN:
        return is_nan(p, type, a);
    case GF_OP_IS_INF:
        return is_infinite(p, type, a);
    }
    return gf_ptx_constant(type, 0);
}

gf_pv gf_ptx_op(gf_ptx *p, gf_op op, gf_type type, gf_type count_type, gf_pv a, gf_pv b, gf_pv c) {
    unsigned arity = gf_op_arity(op);
    gf_pv v[3] = {a, b, c}, result;
    bool folds = true;
    for (unsigned i = 0; i < 3; i++) {
        if (i >= arity) {
            v[i] = gf_ptx_constant(type, 0);
        }
        folds = folds && v[i].is_constant;
    }
    if (folds) {
        return gf_ptx_constant(gf_op_result(op, type), fold(op, type, count_type, v));
    }
    if (arity == 2 && commutes(op) && v[0].is_constant) {
        gf_pv first = v[0];
        v[0] = v[1];
        v[1] = first;
    }
    if (arity == 2 && v[1].is_constant && type != GF_TYPE_BOOL) {
        bool done = gf_type_is_float(type) ? simplify_float(op, type, v[0], v[1], &result)
                                           : simplify_integer(op, type, v[0], v[1], &result);
        if (done) {
            return result;
        }
    }
    return emit_op(p, op, type, v[0], v[1], v[2]);
}

/* ---- combinations, turns ---- */

gf_pv gf_ptx_combine(gf_ptx *p, gf_combine combine, gf_type type, gf_pv a, gf_pv b) {
    gf_op op = GF_OP_NONE;
    switch (combine) {
    case GF_COMBINE_ADD:
        op = GF_OP_ADD;
        break;
    case GF_COMBINE_MIN:
        op = GF_OP_MIN;
        break;
    case GF_COMBINE_MAX:
        op = GF_OP_MAX;
        break;
    case GF_COMBINE_AND:
        op = GF_OP_AND;
        break;
    case GF_COMBINE_OR:
        op = GF_OP_OR;
        break;
    }
    return gf_ptx_op(p, op, type, GF_TYPE_NONE, a, b, a);
}

gf_pv gf_ptx_neutral(gf_combine combine, gf_type type) {
    return gf_ptx_constant(type, gf_combine_neutral(combine, type));
}

/* Of a constant step its sign is known, and the other direction need not be asked for. The distance always fits the
 * unsigned twin of the type, and so does the count. */
gf_pv gf_ptx_turns(gf_ptx *p, gf_type type, gf_pv from, gf_pv to, bool has_step, gf_pv step) {
    bool is_signed = gf_type_is_signed(type);
    gf_type twin = gf_type_bytes(type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    gf_pv zero = gf_ptx_constant(type, 0), none = gf_ptx_constant(GF_TYPE_U64, 0), one = gf_ptx_constant(twin, 1);
    if (!has_step) {
        step = gf_ptx_constant(type, 1);
    }
    if (is_bits(step, 0)) {
        return none;
    }
    if (from.is_constant && to.is_constant && step.is_constant) {
        return gf_ptx_constant(GF_TYPE_U64, gf_eval_turns(type, from.bits, to.bits, step.bits));
    }
    gf_pv runs = op2(p, GF_OP_LT, from, to), distance = op2(p, GF_OP_SUB, to, from), width = step;
    bool falls = step.is_constant && is_signed && (step.bits >> (width_of(type) - 1) & 1) != 0;
    if (falls) {
        runs = op2(p, GF_OP_GT, from, to);
        distance = op2(p, GF_OP_SUB, from, to);
        width = op1(p, GF_OP_NEG, step);
    } else if (!step.is_constant) {
        gf_pv moves = op2(p, GF_OP_NE, step, zero);
        if (is_signed) {
            gf_pv rises = op2(p, GF_OP_GT, step, zero);
            runs = op3(p, GF_OP_SELECT, rises, runs, op2(p, GF_OP_GT, from, to));
            distance = op3(p, GF_OP_SELECT, rises, distance, op2(p, GF_OP_SUB, from, to));
            width = op3(p, GF_OP_SELECT, rises, step, op1(p, GF_OP_NEG, step));
        }
        runs = both(p, runs, moves);
    }
    distance = with_type(distance, twin);
    width = with_type(width, twin);
    gf_pv count = distance;
    if (!is_bits(width, 1)) {
        /* Rounded up without a rest; with a distance of 0 this is no count, but nor does the loop run. */
        count = op2(p, GF_OP_DIV, op2(p, GF_OP_SUB, distance, one), width);
        count = op2(p, GF_OP_ADD, count, one);
    }
    return op3(p, GF_OP_SELECT, runs, gf_ptx_cast(p, GF_TYPE_U64, count), none);
}
