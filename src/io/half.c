#include "io/half.h"
#include <string.h>

static double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double gf_half_to_double(uint16_t half) {
    uint64_t sign = (uint64_t)(half >> 15) << 63;
    uint64_t exponent = (half >> 10) & 31, fraction = half & 1023;
    if (exponent == 31) {
        return double_of_bits(sign | (uint64_t)2047 << 52 | fraction << 42);
    }
    if (exponent == 0) {
        /* A subnormal is a whole number of 2^-24, which a double holds exactly. */
        double magnitude = (double)fraction * 0x1p-24;
        return sign ? -magnitude : magnitude;
    }
    return double_of_bits(sign | (exponent + 1023 - 15) << 52 | fraction << 42);
}

/* value / 2^shift, to nearest, ties to even; shift from 1 to 63. */
static uint64_t shift_round(uint64_t value, unsigned shift) {
    uint64_t kept = value >> shift, rest = value & (((uint64_t)1 << shift) - 1), tie = (uint64_t)1 << (shift - 1);
    return kept + (rest > tie || (rest == tie && (kept & 1)));
}

uint16_t gf_half_from_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 63 << 15);
    int exponent = (int)(bits >> 52 & 2047) - 1023;
    uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
    if (exponent == 1024) {
        return (uint16_t)(sign | 0x7c00 | (fraction ? 0x200 | (fraction >> 42) : 0));
    }
    if (exponent > 15) {
        return (uint16_t)(sign | 0x7c00);
    }
    if (exponent < -25) {
        return sign; /* below half of the smallest subnormal; doubles that are subnormal too */
    }
    if (exponent < -14) {
        /* In units of 2^-24: 1.fraction * 2^(exponent + 24). A carry gives the smallest normal, as it should. */
        return (uint16_t)(sign | shift_round(fraction | (uint64_t)1 << 52, (unsigned)(52 - 24 - exponent)));
    }
    /* A carry out of the fraction raises the exponent, up to infinity, by the layout of the bits. */
    return (uint16_t)(sign | (((uint64_t)(exponent + 15) << 10) + shift_round(fraction, 42)));
}
