/* Division of integers. `ptxas` makes the same long code of every divisor, known or not, so known ones are multiplied
 * by here: Granlund and Montgomery, "Division by invariant integers using multiplication" (1994). */
#include "emit/ptx/value.h"

static gf_pv with_type(gf_pv v, gf_type type) {
    v.type = type;
    return v;
}

static gf_pv op2(gf_ptx *p, gf_op op, gf_pv a, gf_pv b) {
    return gf_ptx_op(p, op, a.type, b.type, a, b, a);
}

static gf_pv shift_right(gf_ptx *p, gf_pv a, unsigned count) {
    return op2(p, GF_OP_SHR, a, gf_ptx_constant(GF_TYPE_U32, count));
}

static unsigned width_of(gf_type type) {
    return 8 * (unsigned)gf_type_bytes(type);
}

static gf_type twin_of(gf_type type) {
    return gf_type_bytes(type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
}

/* The k with 2^k <= v < 2^(k+1), of v > 0. */
static unsigned log2_below(uint64_t v) {
    unsigned k = 0;
    while (v >> k > 1) {
        k++;
    }
    return k;
}

/* ---- powers of two ---- */

/* By 2^k, toward zero. Of a negative integer 2^k - 1 is added before the shift, which rounds down. */
static gf_pv divide_by_power(gf_ptx *p, gf_type type, gf_pv a, unsigned k) {
    if (gf_type_is_signed(type) && k > 0) {
        gf_pv sign = with_type(shift_right(p, a, width_of(type) - 1), twin_of(type));
        a = op2(p, GF_OP_ADD, a, with_type(shift_right(p, sign, width_of(type) - k), type));
    }
    return shift_right(p, a, k);
}

/* ---- other known divisors ---- */

/* floor(2^exponent / d) + 1, less what does not fit 64 bits; and how much d times that is above 2^exponent, 1 .. d. */
static uint64_t inverse_above(unsigned exponent, uint64_t d, uint64_t *above) {
    uint64_t quotient = 0, rest = 1;
    for (unsigned i = 0; i < exponent; i++) {
        bool fits = rest >= d - rest; /* 2 rest >= d, without the carry */
        quotient = quotient << 1 | fits;
        rest = fits ? rest - (d - rest) : rest << 1;
    }
    *above = d - rest;
    return quotient + 1;
}

/* With N bits and 2^(l-1) < d < 2^l the quotient is that of the product with m = 2^(N+s) / d, rounded up, where that is
 * too large by at most 2^s / d. From s = l on it always is, but then m has N + 1 bits. */
static gf_pv divide_unsigned(gf_ptx *p, gf_type type, gf_pv a, uint64_t d) {
    unsigned width = width_of(type), l = log2_below(d) + 1;
    uint64_t above, m = inverse_above(width + l - 1, d, &above);
    if (above <= UINT64_C(1) << (l - 1)) {
        return shift_right(p, op2(p, GF_OP_MUL_HI, a, gf_ptx_constant(type, m)), l - 1);
    }
    if ((d & 1) == 0) { /* of d / 2 and one bit less of a it may be twice as much too large */
        unsigned k = 0;
        while ((d >> k & 1) == 0) {
            k++;
        }
        m = inverse_above(width + l - k - 1, d >> k, &above);
        gf_pv product = op2(p, GF_OP_MUL_HI, shift_right(p, a, k), gf_ptx_constant(type, m));
        return shift_right(p, product, l - k - 1);
    }
    /* The top bit of m apart: (a + t) / 2^l, without the carry of the sum. */
    m = inverse_above(width + l, d, &above);
    gf_pv t = op2(p, GF_OP_MUL_HI, a, gf_ptx_constant(type, m));
    gf_pv half = shift_right(p, op2(p, GF_OP_SUB, a, t), 1);
    return shift_right(p, op2(p, GF_OP_ADD, half, t), l - 1);
}

/* Alike, of magnitudes up to 2^(N-1), for a positive d. The shift rounds down, so negative quotients are one too low.
 */
static gf_pv divide_signed(gf_ptx *p, gf_type type, gf_pv a, uint64_t d) {
    unsigned width = width_of(type), l = log2_below(d) + 1, count = l - 2;
    uint64_t above, m = inverse_above(width + l - 2, d, &above);
    bool fits = above <= UINT64_C(1) << (l - 1);
    if (!fits) { /* one bit more, which makes it negative: 2^N is missing, and added as a */
        count = l - 1;
        m = inverse_above(width + l - 1, d, &above);
    }
    gf_pv q = op2(p, GF_OP_MUL_HI, a, gf_ptx_constant(type, m));
    q = shift_right(p, fits ? q : op2(p, GF_OP_ADD, q, a), count);
    return op2(p, GF_OP_SUB, q, shift_right(p, a, width - 1));
}

/* By a constant other than 0. */
static gf_pv divide_by_known(gf_ptx *p, gf_type type, gf_pv a, uint64_t d) {
    bool falls = gf_type_is_signed(type) && (d >> (width_of(type) - 1) & 1) != 0;
    if (falls) {
        d = gf_ptx_constant(type, 0 - d).bits;
    }
    bool is_power = (d & (d - 1)) == 0;
    gf_pv q;
    if (falls && d >> (width_of(type) - 1) != 0) { /* the least integer goes once into itself, and into no other */
        gf_pv same = op2(p, GF_OP_EQ, a, gf_ptx_constant(type, d));
        return gf_ptx_cast(p, type, same);
    }
    if (is_power) {
        q = divide_by_power(p, type, a, log2_below(d));
    } else {
        q = gf_type_is_signed(type) ? divide_signed(p, type, a, d) : divide_unsigned(p, type, a, d);
    }
    return falls ? gf_ptx_op(p, GF_OP_NEG, type, GF_TYPE_NONE, q, q, q) : q;
}

static gf_pv rest_of_known(gf_ptx *p, gf_type type, gf_pv a, uint64_t d) {
    if (!gf_type_is_signed(type) && (d & (d - 1)) == 0) {
        return op2(p, GF_OP_AND, a, gf_ptx_constant(type, d - 1));
    }
    gf_pv q = divide_by_known(p, type, a, d), rest = gf_ptx_new_value(p, type);
    gf_ptx_line(p, "mad.lo.%s %s, %s, %s, %s", gf_ptx_suffix(type), gf_ptx_spell(rest).text, gf_ptx_spell(q).text,
                gf_ptx_spell(gf_ptx_constant(type, 0 - d)).text, gf_ptx_spell(a).text);
    return rest;
}

/* ---- divisors that are not known ---- */

/* A divisor with which a division is defined and already gives what the table says: 1 in place of 0, for a / 1 = a and
 * a % 1 = 0; and 1 in place of -1 where a is the least integer, for that is its own negative. */
static gf_pv safe_divisor(gf_ptx *p, gf_type type, gf_pv a, gf_pv b) {
    gf_pv bad = op2(p, GF_OP_EQ, b, gf_ptx_constant(type, 0));
    gf_pv least = gf_ptx_constant(type, UINT64_C(1) << (width_of(type) - 1));
    if (gf_type_is_signed(type) && (!a.is_constant || a.bits == least.bits)) {
        gf_pv minus = op2(p, GF_OP_EQ, b, gf_ptx_constant(type, UINT64_MAX));
        bad = op2(p, GF_OP_OR, bad, op2(p, GF_OP_AND, minus, op2(p, GF_OP_EQ, a, least)));
    }
    return gf_ptx_op(p, GF_OP_SELECT, type, GF_TYPE_NONE, bad, gf_ptx_constant(type, 1), b);
}

gf_pv gf_ptx_divide(gf_ptx *p, gf_type type, bool rest, gf_pv a, gf_pv b) {
    if (b.is_constant && b.bits != 0 && !a.is_constant) {
        return rest ? rest_of_known(p, type, a, b.bits) : divide_by_known(p, type, a, b.bits);
    }
    b = safe_divisor(p, type, a, b);
    gf_pv d = gf_ptx_new_value(p, type);
    gf_ptx_line(p, "%s.%s %s, %s, %s", rest ? "rem" : "div", gf_ptx_suffix(type), gf_ptx_spell(d).text,
                gf_ptx_spell(a).text, gf_ptx_spell(b).text);
    return d;
}
