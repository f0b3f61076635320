#include "io/random.h"
#include "io/half.h"
#include <math.h>
#include <string.h>

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

uint64_t gf_random_draw(uint64_t seed, uint64_t index) {
    return mix(seed + (index + 1) * 0x9e3779b97f4a7c15);
}

static uint64_t multiply_high(uint64_t a, uint64_t b) {
    uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t other = a0 * b1 + (middle & 0xffffffff);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

uint64_t gf_random_below(uint64_t draw, uint64_t bound) {
    if (bound == 0) {
        return draw;
    }
    if (draw * bound < bound) {
        uint64_t uneven = (0 - bound) % bound;
        while (draw * bound < uneven) {
            draw = mix(draw);
        }
    }
    return multiply_high(draw, bound);
}

static bool is_float(gf_type type) {
    return type == GF_TYPE_F16 || type == GF_TYPE_F32 || type == GF_TYPE_F64;
}

gf_random_range gf_random_all(gf_type type) {
    return (gf_random_range){.type = type, .everything = true, .real_high = 1};
}

/* An integer as two's complement; `fits` in the range of the type, or one more if `past`. */
static bool integer_bound(gf_type type, gf_number number, bool past, uint64_t *bits) {
    uint64_t element = 0;
    if (number.is_integer && past) {
        /* high - 1 must be a value. */
        if (number.negative && number.magnitude) {
            number.magnitude++;
        } else if (number.magnitude == 0) {
            number = (gf_number){.is_integer = true, .negative = true, .magnitude = 1};
        } else {
            number.magnitude--;
        }
    }
    if (!number.is_integer || gf_number_store(number, type, &element) != GF_FIT_EXACT) {
        return false;
    }
    *bits = number.negative ? 0 - number.magnitude : number.magnitude;
    return true;
}

bool gf_random_between(gf_type type, gf_number low, gf_number high, gf_random_range *out) {
    *out = (gf_random_range){.type = type};
    if (!is_float(type)) {
        uint64_t last;
        if (!integer_bound(type, low, false, &out->low) || !integer_bound(type, high, true, &last)) {
            return false;
        }
        bool is_signed = type == GF_TYPE_I8 || type == GF_TYPE_I16 || type == GF_TYPE_I32 || type == GF_TYPE_I64;
        uint64_t flip = is_signed ? (uint64_t)1 << 63 : 0; /* orders two's complement as unsigned */
        if ((out->low ^ flip) > (last ^ flip)) {
            return false;
        }
        out->bound = last - out->low + 1; /* 0 for all 64 bits */
        return true;
    }
    uint64_t unused;
    double span;
    if (gf_number_store(low, GF_TYPE_F64, &out->real_low) > GF_FIT_ROUNDED ||
        gf_number_store(high, GF_TYPE_F64, &out->real_high) > GF_FIT_ROUNDED ||
        gf_number_store(low, type, &unused) > GF_FIT_ROUNDED || gf_number_store(high, type, &unused) > GF_FIT_ROUNDED) {
        return false;
    }
    span = out->real_high - out->real_low;
    return isfinite(span) && span > 0;
}

/* One step towards negative infinity from an element that is the high end of its range. */
static void step_down(gf_type type, void *element) {
    if (type == GF_TYPE_F64) {
        double value;
        memcpy(&value, element, sizeof value);
        value = nextafter(value, -(double)INFINITY);
        memcpy(element, &value, sizeof value);
    } else if (type == GF_TYPE_F32) {
        float value;
        memcpy(&value, element, sizeof value);
        value = nextafterf(value, -INFINITY);
        memcpy(element, &value, sizeof value);
    } else {
        uint16_t bits;
        memcpy(&bits, element, sizeof bits);
        bits = (bits & 0x7fff) == 0 ? 0x8001 : (uint16_t)(bits & 0x8000 ? bits + 1 : bits - 1);
        memcpy(element, &bits, sizeof bits);
    }
}

void gf_random_element(const gf_random_range *range, uint64_t seed, uint64_t index, void *out) {
    uint64_t draw = gf_random_draw(seed, index);
    if (!is_float(range->type)) {
        uint64_t bits = range->everything ? draw : range->low + gf_random_below(draw, range->bound);
        size_t width = gf_type_bytes(range->type);
        gf_number number = {.is_integer = true, .magnitude = bits & (UINT64_MAX >> (64 - 8 * width))};
        gf_type plain = width == 1 ? GF_TYPE_U8 : width == 2 ? GF_TYPE_U16 : width == 4 ? GF_TYPE_U32 : GF_TYPE_U64;
        gf_number_store(number, plain, out);
        return;
    }
    int bits = range->type == GF_TYPE_F64 ? 53 : range->type == GF_TYPE_F32 ? 24 : 11;
    double unit = ldexp((double)(draw >> (64 - bits)), -bits);
    /* Two statements, so that no compiler makes one fused operation of them. */
    double span = range->real_high - range->real_low;
    double scaled = span * unit;
    double value = range->real_low + scaled;
    gf_number_store((gf_number){.real = value}, range->type, out);
    if (gf_number_load(range->type, out).real >= range->real_high) {
        step_down(range->type, out);
    }
}
