/* Casts, atomics and combinations: what is not an operation of the table, in terms of it. */
#include "ir/eval.h"

#include <math.h>
#include <string.h>

#define NAN_F16 UINT64_C(0x7e00)
#define NAN_F32 UINT64_C(0x7fc00000)
#define NAN_F64 UINT64_C(0x7ff8000000000000)

static double f64_of_bits(gf_type type, uint64_t bits) {
    if (type == GF_TYPE_F32) {
        uint32_t low = (uint32_t)bits;
        float value;
        memcpy(&value, &low, sizeof value);
        return (double)value;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t bits_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t bits_of_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Toward zero, saturating, NaN to 0. The limits of the comparisons are powers of two, so they are exact. */
static uint64_t integer_of_float(gf_type to, double value) {
    if (value != value) {
        return 0;
    }
    switch (to) {
    case GF_TYPE_U32:
        return value <= 0 ? 0 : value >= 0x1p32 ? UINT32_MAX : (uint32_t)value;
    case GF_TYPE_I32:
        return value <= -0x1p31 ? (uint32_t)INT32_MIN : value >= 0x1p31 ? INT32_MAX : (uint32_t)(int32_t)value;
    case GF_TYPE_U64:
        return value <= 0 ? 0 : value >= 0x1p64 ? UINT64_MAX : (uint64_t)value;
    case GF_TYPE_I64:
        return value <= -0x1p63 ? (uint64_t)INT64_MIN : value >= 0x1p63 ? INT64_MAX : (uint64_t)(int64_t)value;
    case GF_TYPE_NONE:
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        break;
    }
    return 0;
}

/* The integer as 64 bits of two's complement, whatever its width. */
static uint64_t widen(gf_type from, uint64_t bits) {
    switch (from) {
    case GF_TYPE_BOOL:
        return bits & 1;
    case GF_TYPE_I32:
        return (uint64_t)(int64_t)(int32_t)(uint32_t)bits;
    case GF_TYPE_U32:
        return (uint32_t)bits;
    case GF_TYPE_U64:
    case GF_TYPE_I64:
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        break;
    }
    return bits;
}

uint64_t gf_eval_cast(gf_type from, gf_type to, uint64_t bits) {
    bool from_float = gf_type_is_float(from), from_signed = gf_type_is_signed(from);
    switch (to) {
    case GF_TYPE_BOOL:
        return from_float ? f64_of_bits(from, bits) != 0 : widen(from, bits) != 0;
    case GF_TYPE_U32:
    case GF_TYPE_I32:
        return from_float ? integer_of_float(to, f64_of_bits(from, bits)) : (uint32_t)widen(from, bits);
    case GF_TYPE_U64:
    case GF_TYPE_I64:
        return from_float ? integer_of_float(to, f64_of_bits(from, bits)) : widen(from, bits);
    case GF_TYPE_F32:
        if (from == GF_TYPE_F32) {
            return bits;
        }
        if (from_float) {
            return bits_of_f32((float)f64_of_bits(from, bits));
        }
        /* Straight from 64 bits, so that there is one rounding. */
        return bits_of_f32(from_signed ? (float)(int64_t)widen(from, bits) : (float)widen(from, bits));
    case GF_TYPE_F64:
        if (from_float) {
            return from == GF_TYPE_F64 ? bits : bits_of_f64(f64_of_bits(from, bits));
        }
        return bits_of_f64(from_signed ? (double)(int64_t)widen(from, bits) : (double)widen(from, bits));
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return 0;
}

uint64_t gf_eval_bitcast(gf_type from, gf_type to, uint64_t bits) {
    bits = gf_canonical(from, bits);
    return gf_type_bytes(to) == 4 ? (uint32_t)bits : bits;
}

uint64_t gf_canonical(gf_type type, uint64_t bits) {
    if (type == GF_TYPE_F32 && (bits & 0x7fffffff) > 0x7f800000) {
        return NAN_F32;
    }
    if (type == GF_TYPE_F64 && (bits & INT64_MAX) > UINT64_C(0x7ff0000000000000)) {
        return NAN_F64;
    }
    if (type == GF_TYPE_F16 && (bits & 0x7fff) > 0x7c00) {
        return NAN_F16;
    }
    return bits;
}

uint64_t gf_eval_atomic(gf_atomic atomic, gf_type type, uint64_t old, uint64_t a, uint64_t b) {
    a = gf_canonical(type, a);
    b = gf_canonical(type, b);
    gf_op op = GF_OP_NONE;
    switch (atomic) {
    case GF_ATOMIC_LOAD:
    case GF_ATOMIC_COUNT:
        return old;
    case GF_ATOMIC_STORE:
    case GF_ATOMIC_EXCHANGE:
        return a;
    case GF_ATOMIC_COMPARE_EXCHANGE:
        return old == a ? b : old;
    case GF_ATOMIC_ADD:
        op = GF_OP_ADD;
        break;
    case GF_ATOMIC_SUB:
        op = GF_OP_SUB;
        break;
    case GF_ATOMIC_MIN:
        op = GF_OP_MIN;
        break;
    case GF_ATOMIC_MAX:
        op = GF_OP_MAX;
        break;
    case GF_ATOMIC_AND:
        op = GF_OP_AND;
        break;
    case GF_ATOMIC_OR:
        op = GF_OP_OR;
        break;
    case GF_ATOMIC_XOR:
        op = GF_OP_XOR;
        break;
    }
    return gf_canonical(type, gf_eval_op(op, type, old, a, 0));
}

uint64_t gf_eval_combine(gf_combine combine, gf_type type, uint64_t a, uint64_t b) {
    switch (combine) {
    case GF_COMBINE_ADD:
        return gf_eval_op(GF_OP_ADD, type, a, b, 0);
    case GF_COMBINE_MIN:
        return gf_eval_op(GF_OP_MIN, type, a, b, 0);
    case GF_COMBINE_MAX:
        return gf_eval_op(GF_OP_MAX, type, a, b, 0);
    case GF_COMBINE_AND:
        return gf_eval_op(GF_OP_AND, type, a, b, 0);
    case GF_COMBINE_OR:
        return gf_eval_op(GF_OP_OR, type, a, b, 0);
    }
    return 0;
}

/* The least and the greatest value; of floats the infinities. */
static uint64_t bound(gf_type type, bool greatest) {
    switch (type) {
    case GF_TYPE_BOOL:
        return greatest;
    case GF_TYPE_U32:
        return greatest ? UINT32_MAX : 0;
    case GF_TYPE_I32:
        return greatest ? INT32_MAX : (uint32_t)INT32_MIN;
    case GF_TYPE_U64:
        return greatest ? UINT64_MAX : 0;
    case GF_TYPE_I64:
        return greatest ? INT64_MAX : (uint64_t)INT64_MIN;
    case GF_TYPE_F32:
        return bits_of_f32(greatest ? INFINITY : -INFINITY);
    case GF_TYPE_F64:
        return bits_of_f64(greatest ? (double)INFINITY : -(double)INFINITY);
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return 0;
}

uint64_t gf_combine_neutral(gf_combine combine, gf_type type) {
    switch (combine) {
    case GF_COMBINE_ADD:
        return type == GF_TYPE_F32 ? UINT64_C(0x80000000) : type == GF_TYPE_F64 ? UINT64_C(1) << 63 : 0;
    case GF_COMBINE_MIN:
        return bound(type, true);
    case GF_COMBINE_MAX:
        return bound(type, false);
    case GF_COMBINE_AND:
        return type == GF_TYPE_BOOL ? 1 : gf_type_bytes(type) == 4 ? UINT32_MAX : UINT64_MAX;
    case GF_COMBINE_OR:
        return 0;
    }
    return 0;
}

gf_combine gf_cross_combine(gf_cross cross) {
    switch (cross) {
    case GF_CROSS_ANY:
        return GF_COMBINE_OR;
    case GF_CROSS_ALL:
        return GF_COMBINE_AND;
    case GF_CROSS_MIN:
        return GF_COMBINE_MIN;
    case GF_CROSS_MAX:
        return GF_COMBINE_MAX;
    case GF_CROSS_ADD:
    case GF_CROSS_SCAN_ADD:
    case GF_CROSS_LOAD:
    case GF_CROSS_COUNT:
        break;
    }
    return GF_COMBINE_ADD;
}
