/* A second domain for the texts of ir/elementary_*.inc: every operation is written on a tape, and the tape is run.
 * Floats, integers and truth values are different types here, so a text that confuses them does not compile. */
#ifndef GF_TESTS_ELEMENTARY_TAPE_H
#define GF_TESTS_ELEMENTARY_TAPE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* OP(NAME, arity, what it gives, meaning over floats fa fb fc and bits ua ub uc), apart from ir/meaning.h. */
#define TAPE_OPS(OP)                                                                                                   \
    OP(F_ADD, 2, FLOAT, fa + fb)                                                                                       \
    OP(F_SUB, 2, FLOAT, fa - fb)                                                                                       \
    OP(F_MUL, 2, FLOAT, fa *fb)                                                                                        \
    OP(F_DIV, 2, FLOAT, fa / fb)                                                                                       \
    OP(F_FMA, 3, FLOAT, width == 32 ? (type)fmaf((float)fa, (float)fb, (float)fc) : (type)fma(fa, fb, fc))             \
    OP(F_NEG, 1, FLOAT, -fa)                                                                                           \
    OP(F_ABS, 1, FLOAT, signbit(fa) ? -fa : fa)                                                                        \
    OP(F_ROUND, 1, FLOAT, (type)tape_even(fa))                                                                         \
    OP(F_TRUNC, 1, FLOAT, (type)(signbit(fa) ? ceil(fa) : floor(fa)))                                                  \
    OP(F_MIN, 2, FLOAT, isnan(fa) || fb < fa || (fa == fb && signbit(fb)) ? fb : fa)                                   \
    OP(F_MAX, 2, FLOAT, isnan(fa) || fb > fa || (fa == fb && signbit(fa)) ? fb : fa)                                   \
    OP(F_LT, 2, BITS, fa < fb)                                                                                         \
    OP(F_LE, 2, BITS, fa <= fb)                                                                                        \
    OP(F_EQ, 2, BITS, fa == fb)                                                                                        \
    OP(U_ADD, 2, BITS, ua + ub)                                                                                        \
    OP(U_SUB, 2, BITS, ua - ub)                                                                                        \
    OP(U_MUL, 2, BITS, ua *ub)                                                                                         \
    OP(U_MULHI, 2, BITS, width == 32 ? ua * ub >> 32 : tape_high(ua, ub))                                              \
    OP(U_AND, 2, BITS, ua &ub)                                                                                         \
    OP(U_OR, 2, BITS, ua | ub)                                                                                         \
    OP(U_XOR, 2, BITS, ua ^ ub)                                                                                        \
    OP(U_SHL, 2, BITS, ua << ub % width)                                                                               \
    OP(U_SHR, 2, BITS, ua >> ub % width)                                                                               \
    OP(U_SAR, 2, BITS, ua >> ub % width | (ua >> (width - 1) != 0 ? ~(mask >> ub % width) : 0))                        \
    OP(U_CLZ, 1, BITS, tape_zeros(ua, width))                                                                          \
    OP(U_LT, 2, BITS, ua < ub)                                                                                         \
    OP(U_EQ, 2, BITS, ua == ub)                                                                                        \
    OP(B_AND, 2, BITS, ua != 0 && ub != 0)                                                                             \
    OP(B_NOT, 1, BITS, ua == 0)                                                                                        \
    OP(SELECT, 3, BITS, ua != 0 ? ub : uc)                                                                             \
    OP(BITCAST, 1, BITS, ua)                                                                                           \
    OP(S_OF_F, 1, BITS, tape_whole(fa, width))                                                                         \
    OP(F_OF_S, 1, FLOAT, ua >> (width - 1) != 0 ? -(type)(mask & (0 - ua)) : (type)ua)                                 \
    OP(F_OF_U, 1, FLOAT, (type)ua)

enum tape_op {
    TAPE_ARGUMENT,
    TAPE_CONSTANT,
#define OP(name, arity, gives, meaning) TAPE_##name,
    TAPE_OPS(OP)
#undef OP
};

static inline unsigned tape_arity(enum tape_op op) {
    static const unsigned arities[] = {0, 0,
#define OP(name, arity, gives, meaning) arity,
                                       TAPE_OPS(OP)
#undef OP
    };
    return arities[op];
}

enum { TAPE_NODES = 1024 };

typedef struct tape_node {
    enum tape_op op;
    unsigned operand[3];
    uint64_t constant; /* of an argument: its number */
} tape_node;

typedef struct tape {
    unsigned width, count, result;
    tape_node nodes[TAPE_NODES + 1]; /* the last one takes what does not fit */
} tape;

/* ---- running ---- */

static inline double tape_even(double x) {
    double low = floor(x);
    double rest = x - low;
    double y = rest > 0.5 || (rest == 0.5 && fmod(low, 2) != 0) ? low + 1 : low;
    return copysign(y, x);
}

/* Schoolbook, by bits: slow and plain. */
static inline uint64_t tape_high(uint64_t a, uint64_t b) {
    uint64_t high = 0, low = 0;
    for (int bit = 63; bit >= 0; bit--) {
        high = high << 1 | low >> 63;
        low <<= 1;
        if (b >> bit & 1) {
            low += a;
            high += low < a;
        }
    }
    return high;
}

static inline uint64_t tape_zeros(uint64_t a, unsigned width) {
    unsigned n = 0;
    while (n < width && (a >> (width - 1 - n) & 1) == 0) {
        n++;
    }
    return n;
}

static inline uint64_t tape_whole(double x, unsigned width) {
    double limit = ldexp(1, (int)width - 1);
    uint64_t top = (uint64_t)1 << (width - 1);
    return isnan(x) ? 0 : x >= limit ? top - 1 : x < -limit ? top : (uint64_t)(int64_t)x;
}

#define TAPE_GIVE_FLOAT(meaning)                                                                                       \
    do {                                                                                                               \
        type f = meaning;                                                                                              \
        memcpy(&value, &f, sizeof f);                                                                                  \
    } while (0)
#define TAPE_GIVE_BITS(meaning) value = (meaning)&mask
#define TAPE_RUN(name, float_type, bits)                                                                               \
    static inline uint64_t name(const tape *t, uint64_t x, uint64_t y) {                                               \
        typedef float_type type;                                                                                       \
        const unsigned width = bits;                                                                                   \
        const uint64_t mask = UINT64_MAX >> (64 - bits);                                                               \
        static uint64_t values[TAPE_NODES + 1];                                                                        \
        for (unsigned i = 0; i < t->count; i++) {                                                                      \
            const tape_node *n = &t->nodes[i];                                                                         \
            uint64_t ua = values[n->operand[0]], ub = values[n->operand[1]], uc = values[n->operand[2]];               \
            uint64_t value = 0;                                                                                        \
            type fa, fb, fc;                                                                                           \
            memcpy(&fa, &ua, sizeof fa);                                                                               \
            memcpy(&fb, &ub, sizeof fb);                                                                               \
            memcpy(&fc, &uc, sizeof fc);                                                                               \
            switch (n->op) {                                                                                           \
            case TAPE_ARGUMENT:                                                                                        \
                value = n->constant == 0 ? x : y;                                                                      \
                break;                                                                                                 \
            case TAPE_CONSTANT:                                                                                        \
                value = n->constant;                                                                                   \
                break;                                                                                                 \
                TAPE_OPS(TAPE_CASE)                                                                                    \
            }                                                                                                          \
            values[i] = value;                                                                                         \
        }                                                                                                              \
        return values[t->result];                                                                                      \
    }
#define TAPE_CASE(name, arity, gives, meaning)                                                                         \
    case TAPE_##name:                                                                                                  \
        TAPE_GIVE_##gives(meaning);                                                                                    \
        break;
TAPE_RUN(tape_run_f32, float, 32)
TAPE_RUN(tape_run_f64, double, 64)

/* ---- recording ---- */

typedef struct tape_float {
    unsigned at;
} tape_float;
typedef struct tape_bits {
    unsigned at;
} tape_bits;
typedef struct tape_truth {
    unsigned at;
} tape_truth;

static inline unsigned tape_add(tape *t, enum tape_op op, unsigned a, unsigned b, unsigned c, uint64_t constant) {
    unsigned at = t->count < TAPE_NODES ? t->count++ : TAPE_NODES;
    t->nodes[at] = (tape_node){op, {a, b, c}, constant};
    return at;
}

static inline uint64_t tape_pattern(double value, unsigned width) {
    float single = (float)value;
    uint64_t pattern = 0;
    if (width == 32) {
        memcpy(&pattern, &single, sizeof single);
    } else {
        memcpy(&pattern, &value, sizeof value);
    }
    return pattern;
}

/* One function per operation, so that an operand of the wrong kind is an error. */
#define TAPE_MAKE1(name, op, result, ta)                                                                               \
    static inline result name(tape *t, ta a) {                                                                         \
        return (result){tape_add(t, op, a.at, 0, 0, 0)};                                                               \
    }
#define TAPE_MAKE2(name, op, result, ta, tb)                                                                           \
    static inline result name(tape *t, ta a, tb b) {                                                                   \
        return (result){tape_add(t, op, a.at, b.at, 0, 0)};                                                            \
    }
#define TAPE_MAKE3(name, op, result, ta, tb, tc)                                                                       \
    static inline result name(tape *t, ta a, tb b, tc c) {                                                             \
        return (result){tape_add(t, op, a.at, b.at, c.at, 0)};                                                         \
    }
#define TAPE_FLOAT2(name, op) TAPE_MAKE2(name, op, tape_float, tape_float, tape_float)
#define TAPE_FLOAT1(name, op) TAPE_MAKE1(name, op, tape_float, tape_float)
#define TAPE_TEST(name, op) TAPE_MAKE2(name, op, tape_truth, tape_float, tape_float)
#define TAPE_BITS2(name, op) TAPE_MAKE2(name, op, tape_bits, tape_bits, tape_bits)
TAPE_FLOAT2(tape_f_add, TAPE_F_ADD)
TAPE_FLOAT2(tape_f_sub, TAPE_F_SUB)
TAPE_FLOAT2(tape_f_mul, TAPE_F_MUL)
TAPE_FLOAT2(tape_f_div, TAPE_F_DIV)
TAPE_FLOAT2(tape_f_min, TAPE_F_MIN)
TAPE_FLOAT2(tape_f_max, TAPE_F_MAX)
TAPE_MAKE3(tape_f_fma, TAPE_F_FMA, tape_float, tape_float, tape_float, tape_float)
TAPE_FLOAT1(tape_f_neg, TAPE_F_NEG)
TAPE_FLOAT1(tape_f_abs, TAPE_F_ABS)
TAPE_FLOAT1(tape_f_round, TAPE_F_ROUND)
TAPE_FLOAT1(tape_f_trunc, TAPE_F_TRUNC)
TAPE_TEST(tape_f_lt, TAPE_F_LT)
TAPE_TEST(tape_f_le, TAPE_F_LE)
TAPE_TEST(tape_f_eq, TAPE_F_EQ)
TAPE_BITS2(tape_u_add, TAPE_U_ADD)
TAPE_BITS2(tape_u_sub, TAPE_U_SUB)
TAPE_BITS2(tape_u_mul, TAPE_U_MUL)
TAPE_BITS2(tape_u_mulhi, TAPE_U_MULHI)
TAPE_BITS2(tape_u_and, TAPE_U_AND)
TAPE_BITS2(tape_u_or, TAPE_U_OR)
TAPE_BITS2(tape_u_xor, TAPE_U_XOR)
TAPE_BITS2(tape_u_shl, TAPE_U_SHL)
TAPE_BITS2(tape_u_shr, TAPE_U_SHR)
TAPE_BITS2(tape_u_sar, TAPE_U_SAR)
TAPE_MAKE1(tape_u_clz, TAPE_U_CLZ, tape_bits, tape_bits)
TAPE_MAKE2(tape_u_lt, TAPE_U_LT, tape_truth, tape_bits, tape_bits)
TAPE_MAKE2(tape_u_eq, TAPE_U_EQ, tape_truth, tape_bits, tape_bits)
TAPE_MAKE2(tape_b_and, TAPE_B_AND, tape_truth, tape_truth, tape_truth)
TAPE_MAKE1(tape_b_not, TAPE_B_NOT, tape_truth, tape_truth)
TAPE_MAKE3(tape_f_select, TAPE_SELECT, tape_float, tape_truth, tape_float, tape_float)
TAPE_MAKE3(tape_u_select, TAPE_SELECT, tape_bits, tape_truth, tape_bits, tape_bits)
TAPE_MAKE1(tape_bits_of, TAPE_BITCAST, tape_bits, tape_float)
TAPE_MAKE1(tape_from_bits, TAPE_BITCAST, tape_float, tape_bits)
TAPE_MAKE1(tape_s_of_f, TAPE_S_OF_F, tape_bits, tape_float)
TAPE_MAKE1(tape_f_of_s, TAPE_F_OF_S, tape_float, tape_bits)
TAPE_MAKE1(tape_f_of_u, TAPE_F_OF_U, tape_float, tape_bits)

#define EL_PASTE(a, b) tape_##a##_##b
#define EL_JOIN(a, b) EL_PASTE(a, b)
#define EL_NAME(name) EL_JOIN(name, EL_W)
#define EL_DEFINE(type, name, ...) static type EL_JOIN(name, EL_W)(tape * t_, __VA_ARGS__)
#define EL_CALL(name, ...) EL_JOIN(name, EL_W)(t_, __VA_ARGS__)
#define F tape_float
#define U tape_bits
#define B tape_truth
#define F_C(x) ((F){tape_add(t_, TAPE_CONSTANT, 0, 0, 0, tape_pattern(x, t_->width))})
#define U_C(x) ((U){tape_add(t_, TAPE_CONSTANT, 0, 0, 0, x)})
#define F_ADD(a, b) tape_f_add(t_, a, b)
#define F_SUB(a, b) tape_f_sub(t_, a, b)
#define F_MUL(a, b) tape_f_mul(t_, a, b)
#define F_DIV(a, b) tape_f_div(t_, a, b)
#define F_FMA(a, b, c) tape_f_fma(t_, a, b, c)
#define F_NEG(a) tape_f_neg(t_, a)
#define F_ABS(a) tape_f_abs(t_, a)
#define F_ROUND(a) tape_f_round(t_, a)
#define F_TRUNC(a) tape_f_trunc(t_, a)
#define F_MIN(a, b) tape_f_min(t_, a, b)
#define F_MAX(a, b) tape_f_max(t_, a, b)
#define F_LT(a, b) tape_f_lt(t_, a, b)
#define F_LE(a, b) tape_f_le(t_, a, b)
#define F_EQ(a, b) tape_f_eq(t_, a, b)
#define U_ADD(a, b) tape_u_add(t_, a, b)
#define U_SUB(a, b) tape_u_sub(t_, a, b)
#define U_MUL(a, b) tape_u_mul(t_, a, b)
#define U_MULHI(a, b) tape_u_mulhi(t_, a, b)
#define U_AND(a, b) tape_u_and(t_, a, b)
#define U_OR(a, b) tape_u_or(t_, a, b)
#define U_XOR(a, b) tape_u_xor(t_, a, b)
#define U_SHL(a, n) tape_u_shl(t_, a, n)
#define U_SHR(a, n) tape_u_shr(t_, a, n)
#define U_SAR(a, n) tape_u_sar(t_, a, n)
#define U_CLZ(a) tape_u_clz(t_, a)
#define U_LT(a, b) tape_u_lt(t_, a, b)
#define U_EQ(a, b) tape_u_eq(t_, a, b)
#define B_AND(a, b) tape_b_and(t_, a, b)
#define B_NOT(a) tape_b_not(t_, a)
#define F_SELECT(c, a, b) tape_f_select(t_, c, a, b)
#define U_SELECT(c, a, b) tape_u_select(t_, c, a, b)
#define BITS_OF(a) tape_bits_of(t_, a)
#define FROM_BITS(a) tape_from_bits(t_, a)
#define S_OF_F(a) tape_s_of_f(t_, a)
#define F_OF_S(a) tape_f_of_s(t_, a)
#define F_OF_U(a) tape_f_of_u(t_, a)
#define EL_W f32
#include "ir/elementary_f32.inc"
#undef EL_W
#define EL_W f64
#include "ir/elementary_f64.inc"
#undef EL_W

#endif
