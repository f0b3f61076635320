/* The domain of plain C values for elementary_f32.inc and elementary_f64.inc: each operation is a small function,
 * of ir/meaning.h where that has it.
 * Define EL_W as f32 or f64 before a text is included. Only elementary.c wants this header. */
#ifndef GF_IR_ELEMENTARY_VALUES_H
#define GF_IR_ELEMENTARY_VALUES_H

#include "ir/meaning.h"

#include <string.h>

typedef float float_f32;
typedef double float_f64;
typedef uint32_t bits_f32;
typedef uint64_t bits_f64;

/* Halving the span: below the highest set bit everything is set, and what is left above it is counted. */
static inline uint32_t u_clz_f32(uint32_t a) {
    uint32_t n = 0;
    for (uint32_t step = 16; step != 0; step /= 2) {
        uint32_t empty = a >> (32 - step) == 0;
        n += empty * step;
        a <<= empty * step;
    }
    return n + (a == 0);
}
static inline uint64_t u_clz_f64(uint64_t a) {
    uint32_t high = (uint32_t)(a >> 32);
    return high != 0 ? u_clz_f32(high) : 32 + u_clz_f32((uint32_t)a);
}

/* Saturating, NaN gives 0. */
static inline uint32_t s_of_f_f32(float a) {
    int32_t n = a != a ? 0 : a >= 0x1p31f ? INT32_MAX : a < -0x1p31f ? INT32_MIN : (int32_t)a;
    return (uint32_t)n;
}
static inline uint64_t s_of_f_f64(double a) {
    int64_t n = a != a ? 0 : a >= 0x1p63 ? INT64_MAX : a < -0x1p63 ? INT64_MIN : (int64_t)a;
    return (uint64_t)n;
}
/* What both widths say in the same words. A signed shift fills with the sign by complementing around the shift. */
#define WIDE_VALUES(W, FLOAT, UINT, INT, WIDTH)                                                                        \
    static inline UINT bits_of_##W(FLOAT a) {                                                                          \
        UINT u;                                                                                                        \
        memcpy(&u, &a, sizeof u);                                                                                      \
        return u;                                                                                                      \
    }                                                                                                                  \
    static inline FLOAT from_bits_##W(UINT a) {                                                                        \
        FLOAT f;                                                                                                       \
        memcpy(&f, &a, sizeof f);                                                                                      \
        return f;                                                                                                      \
    }                                                                                                                  \
    static inline FLOAT f_add_##W(FLOAT a, FLOAT b) {                                                                  \
        return a + b;                                                                                                  \
    }                                                                                                                  \
    static inline FLOAT f_sub_##W(FLOAT a, FLOAT b) {                                                                  \
        return a - b;                                                                                                  \
    }                                                                                                                  \
    static inline FLOAT f_mul_##W(FLOAT a, FLOAT b) {                                                                  \
        return a * b;                                                                                                  \
    }                                                                                                                  \
    static inline FLOAT f_div_##W(FLOAT a, FLOAT b) {                                                                  \
        return a / b;                                                                                                  \
    }                                                                                                                  \
    static inline FLOAT f_select_##W(bool c, FLOAT a, FLOAT b) {                                                       \
        return c ? a : b;                                                                                              \
    }                                                                                                                  \
    static inline UINT u_select_##W(bool c, UINT a, UINT b) {                                                          \
        return c ? a : b;                                                                                              \
    }                                                                                                                  \
    static inline UINT u_shl_##W(UINT a, UINT n) {                                                                     \
        return (UINT)(a << (n & (WIDTH - 1)));                                                                         \
    }                                                                                                                  \
    static inline UINT u_shr_##W(UINT a, UINT n) {                                                                     \
        return (UINT)(a >> (n & (WIDTH - 1)));                                                                         \
    }                                                                                                                  \
    static inline UINT u_sar_##W(UINT a, UINT n) {                                                                     \
        UINT sign = (UINT)(0 - (a >> (WIDTH - 1)));                                                                    \
        return (UINT)(((a ^ sign) >> (n & (WIDTH - 1))) ^ sign);                                                       \
    }                                                                                                                  \
    static inline FLOAT f_of_s_##W(UINT a) {                                                                           \
        INT n;                                                                                                         \
        memcpy(&n, &a, sizeof n);                                                                                      \
        return (FLOAT)n;                                                                                               \
    }                                                                                                                  \
    static inline FLOAT f_of_u_##W(UINT a) {                                                                           \
        return (FLOAT)a;                                                                                               \
    }
WIDE_VALUES(f32, float, uint32_t, int32_t, 32)
WIDE_VALUES(f64, double, uint64_t, int64_t, 64)

#define EL_PASTE(a, b) a##_##b
#define EL_JOIN(a, b) EL_PASTE(a, b)
#define EL_NAME(name) EL_JOIN(name, EL_W)
#define EL_DEFINE(type, name, ...) static type EL_JOIN(el_##name, EL_W)(__VA_ARGS__)
#define EL_CALL(name, ...) EL_JOIN(el_##name, EL_W)(__VA_ARGS__)

#define F EL_JOIN(float, EL_W)
#define U EL_JOIN(bits, EL_W)
#define B bool
#define F_C(x) ((F)(x))
#define U_C(x) ((U)(x))
#define F_ADD(a, b) EL_NAME(f_add)(a, b)
#define F_SUB(a, b) EL_NAME(f_sub)(a, b)
#define F_MUL(a, b) EL_NAME(f_mul)(a, b)
#define F_DIV(a, b) EL_NAME(f_div)(a, b)
#define F_FMA(a, b, c) EL_NAME(gf_m_fma)(a, b, c)
#define F_NEG(a) (-(a))
#define F_ABS(a) EL_NAME(gf_m_abs)(a)
#define F_ROUND(a) EL_NAME(gf_m_round)(a)
#define F_TRUNC(a) EL_NAME(gf_m_trunc)(a)
#define F_MIN(a, b) EL_NAME(gf_m_min)(a, b)
#define F_MAX(a, b) EL_NAME(gf_m_max)(a, b)
#define F_LT(a, b) ((a) < (b))
#define F_LE(a, b) ((a) <= (b))
#define F_EQ(a, b) ((a) == (b))
#define U_ADD(a, b) ((U)((a) + (b)))
#define U_SUB(a, b) ((U)((a) - (b)))
#define U_MUL(a, b) ((U)((a) * (b)))
#define U_MULHI(a, b) ((U)gf_m_mul_hi(a, b, 8 * sizeof(U)))
#define U_AND(a, b) ((a) & (b))
#define U_OR(a, b) ((a) | (b))
#define U_XOR(a, b) ((a) ^ (b))
#define U_SHL(a, n) EL_NAME(u_shl)(a, n)
#define U_SHR(a, n) EL_NAME(u_shr)(a, n)
#define U_SAR(a, n) EL_NAME(u_sar)(a, n)
#define U_CLZ(a) EL_NAME(u_clz)(a)
#define U_LT(a, b) ((a) < (b))
#define U_EQ(a, b) ((a) == (b))
#define B_AND(a, b) ((a) & (b))
#define B_NOT(a) (!(a))
#define F_SELECT(c, a, b) EL_NAME(f_select)(c, a, b)
#define U_SELECT(c, a, b) EL_NAME(u_select)(c, a, b)
#define BITS_OF(a) EL_NAME(bits_of)(a)
#define FROM_BITS(a) EL_NAME(from_bits)(a)
#define S_OF_F(a) EL_NAME(s_of_f)(a)
#define F_OF_S(a) EL_NAME(f_of_s)(a)
#define F_OF_U(a) EL_NAME(f_of_u)(a)

#endif
