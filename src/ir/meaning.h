/* What the columns of ops.def call. Whoever expands the table defines, for one type at a time,
 *     T      the C type of the operands (bool uint32_t int32_t uint64_t int64_t float double)
 *     U      its unsigned twin, WIDTH its bits (of integers)
 *     FLOAT  GF_FLOAT_F32 or GF_FLOAT_F64 (of floats)
 *     NO     what stands where an operation does not exist
 * and includes this file once before. All of it assumes the mode of gf_float_mode and a compiler that neither
 * contracts nor reassociates. */
#ifndef GF_IR_MEANING_H
#define GF_IR_MEANING_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

_Static_assert(FLT_EVAL_METHOD == 0, "floats must be computed in their own precision");

#define GF_FLOAT_F32(name) name##_f32
#define GF_FLOAT_F64(name) name##_f64

/* min(max(a, low), high): of bounds the wrong way round, the high one wins. */
#define GF_CLAMP(a, low, high) (((a) > (low) ? (a) : (low)) < (high) ? ((a) > (low) ? (a) : (low)) : (high))

static inline uint64_t gf_m_popcount(uint64_t a) {
    uint64_t count = 0;
    for (; a != 0; a &= a - 1) {
        count++;
    }
    return count;
}

static inline uint64_t gf_m_clz(uint64_t a, unsigned width) {
    uint64_t count = 0;
    while (count < width && (a >> (width - 1 - count) & 1) == 0) {
        count++;
    }
    return count;
}

static inline uint64_t gf_m_ctz(uint64_t a, unsigned width) {
    uint64_t count = 0;
    while (count < width && (a >> count & 1) == 0) {
        count++;
    }
    return count;
}

static inline uint64_t gf_m_reverse(uint64_t a, unsigned width) {
    uint64_t result = 0;
    for (unsigned i = 0; i < width; i++) {
        result = result << 1 | (a >> i & 1);
    }
    return result;
}

static inline uint64_t gf_m_rotate_left(uint64_t a, uint64_t by, unsigned width) {
    by &= width - 1;
    return by == 0 ? a : a << by | a >> (width - by);
}

/* The upper half of the product, from four products of 32 bits where there is no wider type. */
static inline uint64_t gf_m_mul_hi(uint64_t a, uint64_t b, unsigned width) {
    if (width == 32) {
        return a * b >> 32;
    }
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t middle = a1 * b0 + (low >> 32);
    uint64_t other = a0 * b1 + (middle & UINT32_MAX);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* For a < 0 the unsigned product counts b * 2^width too much; for b < 0 alike. */
static inline uint64_t gf_m_mul_hi_signed(int64_t a, int64_t b, unsigned width) {
    if (width == 32) {
        return (uint64_t)(a * b) >> 32;
    }
    uint64_t high = gf_m_mul_hi((uint64_t)a, (uint64_t)b, width);
    return high - (a < 0 ? (uint64_t)b : 0) - (b < 0 ? (uint64_t)a : 0);
}

static inline float gf_m_min_f32(float a, float b) {
    return a != a ? b : b != b ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
static inline double gf_m_min_f64(double a, double b) {
    return a != a ? b : b != b ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
static inline float gf_m_max_f32(float a, float b) {
    return a != a ? b : b != b ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}
static inline double gf_m_max_f64(double a, double b) {
    return a != a ? b : b != b ? a : a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}
static inline float gf_m_abs_f32(float a) {
    return fabsf(a);
}
static inline double gf_m_abs_f64(double a) {
    return fabs(a);
}
static inline float gf_m_trunc_f32(float a) {
    return truncf(a);
}
static inline double gf_m_trunc_f64(double a) {
    return trunc(a);
}
static inline float gf_m_floor_f32(float a) {
    return floorf(a);
}
static inline double gf_m_floor_f64(double a) {
    return floor(a);
}
static inline float gf_m_ceil_f32(float a) {
    return ceilf(a);
}
static inline double gf_m_ceil_f64(double a) {
    return ceil(a);
}
static inline float gf_m_round_f32(float a) {
    return nearbyintf(a);
}
static inline double gf_m_round_f64(double a) {
    return nearbyint(a);
}
static inline float gf_m_fma_f32(float a, float b, float c) {
    return fmaf(a, b, c);
}
static inline double gf_m_fma_f64(double a, double b, double c) {
    return fma(a, b, c);
}
static inline float gf_m_sqrt_f32(float a) {
    return sqrtf(a);
}
static inline double gf_m_sqrt_f64(double a) {
    return sqrt(a);
}
static inline bool gf_m_is_inf_f32(float a) {
    return fabsf(a) > FLT_MAX;
}
static inline bool gf_m_is_inf_f64(double a) {
    return fabs(a) > DBL_MAX;
}

#endif
