/* Elements as buffers hold them. */
#include "ir/eval.h"

#include <string.h>

static uint64_t load_bytes(const void *element, size_t size) {
    const unsigned char *bytes = element;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        bits |= (uint64_t)bytes[i] << (8 * i);
    }
    return bits;
}

static void store_bytes(void *element, uint64_t bits, size_t size) {
    unsigned char *bytes = element;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (unsigned char)(bits >> (8 * i));
    }
}

static float f32_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

uint64_t gf_element_load(gf_type type, const void *element) {
    uint64_t bits = load_bytes(element, gf_type_bytes(type));
    switch (type) {
    case GF_TYPE_BOOL:
        return bits != 0;
    case GF_TYPE_I8:
        return (uint32_t)(int32_t)(int8_t)(uint8_t)bits;
    case GF_TYPE_I16:
        return (uint32_t)(int32_t)(int16_t)(uint16_t)bits;
    case GF_TYPE_F16:
        return bits_of_f32(gf_f16_to_f32((uint16_t)bits));
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_U16:
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_U64:
    case GF_TYPE_I64:
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        break;
    }
    return bits;
}

void gf_element_store(gf_type type, void *element, uint64_t bits) {
    if (type == GF_TYPE_F16) {
        bits = gf_f16_from_f32(f32_of_bits((uint32_t)bits));
    }
    if (type == GF_TYPE_BOOL) {
        bits = bits != 0;
    }
    store_bytes(element, gf_canonical(type, bits), gf_type_bytes(type));
}

/* value / 2^shift to nearest, ties to even; 0 < shift < 32. */
static uint32_t shift_to_nearest(uint32_t value, unsigned shift) {
    uint32_t half = UINT32_C(1) << (shift - 1), rest = value & (2 * half - 1), kept = value >> shift;
    return kept + (rest > half || (rest == half && (kept & 1) != 0));
}

uint16_t gf_f16_from_f32(float value) {
    uint32_t bits = bits_of_f32(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) {
        return 0x7e00;
    }
    if (magnitude >= 0x47800000) { /* 2^16 and up, infinity too */
        return (uint16_t)(sign | 0x7c00);
    }
    if (magnitude >= 0x38800000) { /* 2^-14, the least normal one: rounding may carry up to infinity */
        return (uint16_t)(sign | shift_to_nearest(magnitude - (UINT32_C(112) << 23), 13));
    }
    unsigned exponent = magnitude >> 23;
    if (exponent < 102) { /* below half of 2^-24 */
        return (uint16_t)sign;
    }
    /* A subnormal counts 2^-24: the significand weighs 2^(exponent - 150). */
    return (uint16_t)(sign | shift_to_nearest((magnitude & 0x7fffff) | 0x800000, 126 - exponent));
}

float gf_f16_to_f32(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31) {
        return f32_of_bits(fraction != 0 ? 0x7fc00000 : sign | 0x7f800000);
    }
    if (exponent == 0) { /* fraction * 2^-24, normal in f32: no flush mode can touch it */
        float magnitude = (float)fraction * 0x1p-24f;
        return sign != 0 ? -magnitude : magnitude;
    }
    return f32_of_bits(sign | (exponent + 112) << 23 | fraction << 13);
}
