/* Instructions that work on registers alone. */
#include "ptx_thread.h"
#include <math.h>
#include <string.h>

/* ---- values ---- */

uint64_t ptx_value_of(const running *r, const ptx_operand *operand) {
    if (operand->kind == PTX_REGISTER) {
        return r->thread->registers[operand->index];
    }
    if (operand->kind == PTX_NUMBER) {
        return operand->number;
    }
    switch ((ptx_special)operand->number) {
    case PTX_TID:
        return r->thread->index;
    case PTX_NTID:
        return r->grid->thread_count;
    case PTX_CTAID:
        return r->block->index;
    case PTX_NCTAID:
        return r->grid->block_count;
    case PTX_LANE:
        return r->thread->index % WARP;
    case PTX_CLOCK:
        return (uint32_t)fake_instructions(); /* which counts in large steps */
    }
    return 0;
}

uint64_t ptx_get(const running *r, unsigned i) {
    return ptx_value_of(r, &r->step->operands[i]);
}

void ptx_put(const running *r, unsigned i, uint64_t bits, unsigned bytes) {
    r->thread->registers[r->step->operands[i].index] = bits & mask_of(bytes);
}

static float f32_of(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static double f64_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The NaN that a GPU makes is not the language's. */
static uint64_t bits_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT32_C(0x7fffffff) : bits;
}

static uint64_t bits_of_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT64_C(0x7fffffffffffffff) : bits;
}

static double float_of(ptx_type type, uint64_t bits) {
    return type.bytes == 4 ? (double)f32_of(bits) : f64_of(bits);
}

static float half_to_float(uint16_t half) {
    int exponent = half >> 10 & 31, fraction = half & 1023;
    float value = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                  : exponent == 0 ? ldexpf((float)fraction, -24)
                                  : ldexpf((float)(fraction | 1024), exponent - 25);
    return (half & 0x8000) != 0 ? -value : value;
}

static uint16_t half_of_float(float value) {
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    float size = fabsf(value);
    if (value != value) {
        return 0x7fff;
    }
    if (size < ldexpf(1, -14)) {
        return (uint16_t)(sign | (uint16_t)nearbyintf(ldexpf(size, 24)));
    }
    int exponent;
    float fraction = frexpf(size, &exponent); /* in [0.5, 1) */
    uint32_t bits = (uint32_t)nearbyintf(ldexpf(fraction, 11));
    uint32_t half = ((uint32_t)(exponent + 14) << 10) + bits - 1024;
    return isinf(size) || half >= 0x7c00 ? (uint16_t)(sign | 0x7c00) : (uint16_t)(sign | half);
}

/* ---- arithmetic ---- */

static uint64_t high_product(unsigned bytes, bool is_signed, uint64_t a, uint64_t b) {
    if (bytes == 4) {
        return (is_signed ? (uint64_t)(signed_of(4, a) * signed_of(4, b)) : (a & UINT32_MAX) * (b & UINT32_MAX)) >> 32;
    }
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & UINT32_MAX);
    uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
    return is_signed ? high - (a >> 63 != 0 ? b : 0) - (b >> 63 != 0 ? a : 0) : high;
}

static uint64_t product(const ptx_step *s, uint64_t a, uint64_t b) {
    if (s->how == PTX_HI) {
        return high_product(s->type.bytes, s->is_signed, a, b);
    }
    if (s->how == PTX_WIDE) {
        return s->is_signed ? (uint64_t)(signed_of(4, a) * signed_of(4, b)) : (a & UINT32_MAX) * (b & UINT32_MAX);
    }
    return a * b;
}

static uint64_t divide(running *r, uint64_t a, uint64_t b) {
    const ptx_step *s = r->step;
    bool rest = s->op == PTX_REM;
    unsigned bytes = s->type.bytes;
    a &= mask_of(bytes);
    b &= mask_of(bytes);
    if (b == 0 || (s->is_signed && a == UINT64_C(1) << (8 * bytes - 1) && b == mask_of(bytes))) {
        ptx_stop(r, "divides where that is not defined");
        return 0;
    }
    if (!s->is_signed) {
        return rest ? a % b : a / b;
    }
    int64_t x = signed_of(bytes, a), y = signed_of(bytes, b);
    return (uint64_t)(rest ? x % y : x / y);
}

static void integer(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = ptx_get(r, 1), b = ptx_get(r, 2), result = 0;
    unsigned bytes = s->type.bytes;
    bool less = s->is_signed ? signed_of(bytes, a) < signed_of(bytes, b) : (a & mask_of(bytes)) < (b & mask_of(bytes));
    switch ((int)s->op) {
    case PTX_ADD:
        result = a + b;
        break;
    case PTX_SUB:
        result = a - b;
        break;
    case PTX_MUL:
        result = product(s, a, b);
        break;
    case PTX_MAD:
        result = product(s, a, b) + ptx_get(r, 3);
        break;
    case PTX_MIN:
        result = less ? a : b;
        break;
    case PTX_MAX:
        result = less ? b : a;
        break;
    default:
        result = divide(r, a, b);
    }
    ptx_put(r, 0, result, s->how == PTX_WIDE ? 2 * bytes : bytes);
}

static double extreme(bool least, double a, double b) {
    if (a != a || b != b) {
        return a != a ? b : a;
    }
    bool first = a < b || (a == b && signbit(a));
    return first == least ? a : b;
}

static void floating(running *r) {
    const ptx_step *s = r->step;
    uint64_t i = ptx_get(r, 1), k = s->count > 2 ? ptx_get(r, 2) : 0, l = s->count > 3 ? ptx_get(r, 3) : 0;
    float a = f32_of(i), b = f32_of(k), f = 0;
    double x = f64_of(i), y = f64_of(k), d = 0;
    switch ((int)s->op) {
    case PTX_ADD:
        f = a + b, d = x + y;
        break;
    case PTX_SUB:
        f = a - b, d = x - y;
        break;
    case PTX_MUL:
        f = a * b, d = x * y;
        break;
    case PTX_DIV:
        f = a / b, d = x / y;
        break;
    case PTX_SQRT:
        f = sqrtf(a), d = sqrt(x);
        break;
    case PTX_FMA:
        f = fmaf(a, b, f32_of(l)), d = fma(x, y, f64_of(l));
        break;
    default:
        f = (float)extreme(s->op == PTX_MIN, (double)a, (double)b), d = extreme(s->op == PTX_MIN, x, y);
    }
    ptx_put(r, 0, s->type.bytes == 4 ? bits_of_f32(f) : bits_of_f64(d), s->type.bytes);
}

static void sign(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = ptx_get(r, 1), top = UINT64_C(1) << (8 * s->type.bytes - 1);
    bool absolute = s->op == PTX_ABS;
    uint64_t result = s->type.kind == 'f' ? (absolute ? a & ~top : a ^ top) : !absolute || (a & top) != 0 ? 0 - a : a;
    ptx_put(r, 0, result, s->type.bytes);
}

static void shift(running *r) {
    const ptx_step *s = r->step;
    unsigned width = 8U * s->type.bytes;
    uint64_t a = ptx_get(r, 1) & mask_of(s->type.bytes), by = ptx_get(r, 2) & UINT32_MAX, result;
    if (s->op == PTX_SHL) {
        result = by >= width ? 0 : a << by;
    } else if (s->is_signed) {
        result = (uint64_t)(signed_of(s->type.bytes, a) >> (by >= width ? width - 1 : by));
    } else {
        result = by >= width ? 0 : a >> by;
    }
    ptx_put(r, 0, result, s->type.bytes);
}

static void bits(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = ptx_get(r, 1), ones = 0, reversed = 0, leading = 0;
    for (unsigned i = 0; i < 8U * s->type.bytes; i++) {
        ones += a >> i & 1;
        reversed = reversed << 1 | (a >> i & 1);
        leading = (a >> i & 1) != 0 ? 0 : leading + 1;
    }
    ptx_put(r, 0,
            s->op == PTX_POPC   ? ones
            : s->op == PTX_BREV ? reversed
                                : leading,
            s->op == PTX_BREV ? s->type.bytes : 4);
}

static void compare(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = ptx_get(r, 1), b = ptx_get(r, 2);
    bool less, equal, unordered = false, result = false;
    if (s->type.kind == 'f') {
        double x = float_of(s->type, a), y = float_of(s->type, b);
        less = x < y, equal = x == y, unordered = x != x || y != y;
    } else {
        a &= mask_of(s->type.bytes), b &= mask_of(s->type.bytes);
        less = s->is_signed ? signed_of(s->type.bytes, a) < signed_of(s->type.bytes, b) : a < b;
        equal = a == b;
    }
    switch ((int)s->how) {
    case PTX_EQ:
        result = equal;
        break;
    case PTX_NE:
        result = !equal && !unordered;
        break;
    case PTX_NEU:
        result = !equal;
        break;
    case PTX_NAN:
        result = unordered;
        break;
    case PTX_LT:
        result = less;
        break;
    case PTX_LE:
        result = less || equal;
        break;
    case PTX_GT:
        result = !less && !equal && !unordered;
        break;
    case PTX_GE:
        result = !less && !unordered;
        break;
    default:
        ptx_stop(r, "no such comparison");
    }
    ptx_put(r, 0, result, 0);
}

/* ---- conversions ---- */

static uint64_t whole_of(ptx_type to, ptx_type from, double v) {
    unsigned width = 8U * to.bytes;
    bool is_signed = to.kind == 's';
    if (v != v) {
        return from.bytes == 8 || width == 64 ? UINT64_C(1) << (width - 1) : 0;
    }
    double top = ldexp(1, (int)(is_signed ? width - 1 : width)), low = is_signed ? -top : 0;
    if (v <= low) {
        return is_signed ? UINT64_C(1) << (width - 1) : 0;
    }
    if (v >= top) {
        return is_signed ? (UINT64_C(1) << (width - 1)) - 1 : mask_of(to.bytes);
    }
    return is_signed ? (uint64_t)(int64_t)v : (uint64_t)v;
}

static double rounded(ptx_how how, double v) {
    return how == PTX_RNI ? nearbyint(v) : how == PTX_RMI ? floor(v) : how == PTX_RPI ? ceil(v) : trunc(v);
}

static uint64_t from_float(const ptx_step *s, uint64_t a) {
    double v = s->from.bytes == 2 ? (double)half_to_float((uint16_t)a) : float_of(s->from, a);
    if (s->type.kind != 'f') {
        return whole_of(s->type, s->from, v);
    }
    if (s->type.bytes == s->from.bytes) {
        v = rounded(s->how, v);
    }
    return s->type.bytes == 2 ? half_of_float((float)v) : s->type.bytes == 4 ? bits_of_f32((float)v) : bits_of_f64(v);
}

static void convert(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = ptx_get(r, 1);
    if (s->from.kind == 'f') {
        ptx_put(r, 0, from_float(s, a), s->type.bytes);
        return;
    }
    a &= mask_of(s->from.bytes);
    int64_t whole = signed_of(s->from.bytes, a);
    bool is_signed = s->from.kind == 's';
    if (s->type.kind != 'f') {
        ptx_put(r, 0, is_signed ? (uint64_t)whole : a, s->type.bytes);
    } else if (s->type.bytes == 4) {
        ptx_put(r, 0, bits_of_f32(is_signed ? (float)whole : (float)a), 4);
    } else {
        ptx_put(r, 0, bits_of_f64(is_signed ? (double)whole : (double)a), 8);
    }
}

static void move(running *r) {
    const ptx_step *s = r->step;
    if (s->vector == 1) {
        ptx_put(r, 0, ptx_get(r, 1), s->type.bytes);
    } else if (s->braces_first) {
        ptx_put(r, 0, ptx_get(r, 2), 4);
        ptx_put(r, 1, ptx_get(r, 2) >> 32, 4);
    } else {
        ptx_put(r, 0, ptx_get(r, 1) | ptx_get(r, 2) << 32, 8);
    }
}

/* ---- all of them ---- */

static void logic(running *r) {
    const ptx_step *s = r->step;
    uint64_t a = ptx_get(r, 1), b = s->op == PTX_NOT ? 0 : ptx_get(r, 2);
    uint64_t result = s->op == PTX_AND ? a & b : s->op == PTX_OR ? a | b : s->op == PTX_XOR ? a ^ b : ~a;
    ptx_put(r, 0, result, s->type.bytes);
}

static void funnel(running *r) {
    uint64_t both = (ptx_get(r, 2) & UINT32_MAX) << 32 | (ptx_get(r, 1) & UINT32_MAX), by = ptx_get(r, 3) & 31;
    ptx_put(r, 0, r->step->how == PTX_LEFT ? both << by >> 32 : both >> by, 4);
}

bool ptx_compute(running *r) {
    const ptx_step *s = r->step;
    bool is_float = s->type.kind == 'f';
    switch ((int)s->op) {
    case PTX_ADD:
    case PTX_SUB:
    case PTX_MUL:
    case PTX_DIV:
    case PTX_MIN:
    case PTX_MAX:
        is_float ? floating(r) : integer(r);
        break;
    case PTX_MAD:
    case PTX_REM:
        integer(r);
        break;
    case PTX_FMA:
    case PTX_SQRT:
        floating(r);
        break;
    case PTX_ABS:
    case PTX_NEG:
        sign(r);
        break;
    case PTX_AND:
    case PTX_OR:
    case PTX_XOR:
    case PTX_NOT:
        logic(r);
        break;
    case PTX_SHL:
    case PTX_SHR:
        shift(r);
        break;
    case PTX_SHF:
        funnel(r);
        break;
    case PTX_POPC:
    case PTX_CLZ:
    case PTX_BREV:
        bits(r);
        break;
    case PTX_SETP:
        compare(r);
        break;
    case PTX_SELP:
        ptx_put(r, 0, ptx_get(r, 3) != 0 ? ptx_get(r, 1) : ptx_get(r, 2), s->type.bytes);
        break;
    case PTX_CVT:
        convert(r);
        break;
    case PTX_CVTA: /* of shared memory */
        ptx_put(r, 0, PTX_WINDOW + (ptx_get(r, 1) & UINT32_MAX), 8);
        break;
    case PTX_MOV:
        move(r);
        break;
    default:
        return false;
    }
    return true;
}
