/* Conversions: casts, bit casts, and elements on their way from and to memory. */
#include "emit/llvm/value.h"

#include "ir/eval.h"

#include <float.h>
#include <math.h>

static LLVMValueRef select_value(gf_ll *ll, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(ll->builder, condition, a, b, "");
}

static LLVMValueRef compare_bits(gf_ll *ll, LLVMIntPredicate predicate, LLVMValueRef a, uint64_t b) {
    return LLVMBuildICmp(ll->builder, predicate, a, LLVMConstInt(LLVMTypeOf(a), b, false), "");
}

/* ---- casts ---- */

/* Toward zero, saturating, NaN to 0. The float is brought into the range first, by two selects that are one instruction
 * each; the intrinsics that mean the same become scalar code in a loop of vectors. */
static LLVMValueRef saturate(gf_ll *ll, gf_type from, gf_type to, LLVMValueRef v) {
    LLVMBuilderRef at = ll->builder;
    LLVMTypeRef source = gf_ll_type(ll, from), target = gf_ll_type(ll, to);
    bool is_signed = gf_type_is_signed(to);
    int width = 8 * (int)gf_type_bytes(to), digits = is_signed ? width - 1 : width;
    int precision = from == GF_TYPE_F32 ? FLT_MANT_DIG : DBL_MANT_DIG;
    bool exact = digits <= precision; /* the greatest integer is a float */
    double top = ldexp(1, digits), greatest = top - ldexp(1, exact ? 0 : digits - precision);
    LLVMValueRef low = LLVMConstReal(source, is_signed ? -top : 0), high = LLVMConstReal(source, greatest);
    LLVMValueRef c = select_value(ll, LLVMBuildFCmp(at, LLVMRealOGT, v, low, ""), v, low); /* a NaN becomes low */
    c = select_value(ll, LLVMBuildFCmp(at, LLVMRealOLT, c, high, ""), c, high);
    if (!is_signed) {
        c = LLVMBuildFPToUI(at, c, target, "");
    } else {
        c = LLVMBuildFPToSI(at, c, target, "");
        c = select_value(ll, LLVMBuildFCmp(at, LLVMRealUNO, v, v, ""), LLVMConstNull(target), c);
    }
    if (exact) {
        return c;
    }
    LLVMValueRef beyond = LLVMBuildFCmp(at, LLVMRealOGE, v, LLVMConstReal(source, top), "");
    LLVMValueRef most = LLVMConstInt(target, UINT64_MAX >> (64 - digits), false);
    return select_value(ll, beyond, most, c);
}

static LLVMValueRef to_bool(gf_ll *ll, gf_type from, LLVMValueRef v) {
    LLVMValueRef zero = LLVMConstNull(gf_ll_type(ll, from));
    return gf_ll_op(ll, GF_OP_NE, from, GF_TYPE_NONE, v, zero, NULL);
}

LLVMValueRef gf_ll_cast(gf_ll *ll, gf_type from, gf_type to, LLVMValueRef v) {
    LLVMTypeRef target = gf_ll_type(ll, to);
    if (from == to) {
        return v;
    }
    if (to == GF_TYPE_BOOL) {
        return to_bool(ll, from, v);
    }
    if (gf_type_is_float(from)) {
        return gf_type_is_float(to) ? LLVMBuildFPCast(ll->builder, v, target, "") : saturate(ll, from, to, v);
    }
    if (!gf_type_is_float(to)) {
        return LLVMBuildIntCast2(ll->builder, v, target, gf_type_is_signed(from), "");
    }
    return gf_type_is_signed(from) ? LLVMBuildSIToFP(ll->builder, v, target, "")
                                   : LLVMBuildUIToFP(ll->builder, v, target, "");
}

/* ---- the one NaN ---- */

/* The value as bits, with the one NaN. Chosen among integers, where no rule of floats lets LLVM change a NaN. */
static LLVMValueRef canonical_bits(gf_ll *ll, gf_type type, LLVMValueRef v) {
    gf_type bits_type = type == GF_TYPE_F32 ? GF_TYPE_U32 : GF_TYPE_U64;
    LLVMValueRef bits = LLVMBuildBitCast(ll->builder, v, gf_ll_type(ll, bits_type), "");
    LLVMValueRef nan = gf_ll_bits(ll, bits_type, gf_canonical(type, UINT64_MAX));
    return select_value(ll, LLVMBuildFCmp(ll->builder, LLVMRealUNO, v, v, ""), nan, bits);
}

LLVMValueRef gf_ll_canonical(gf_ll *ll, gf_type type, LLVMValueRef v) {
    if (type != GF_TYPE_F32 && type != GF_TYPE_F64) {
        return v;
    }
    return LLVMBuildBitCast(ll->builder, canonical_bits(ll, type, v), gf_ll_type(ll, type), "");
}

LLVMValueRef gf_ll_bitcast(gf_ll *ll, gf_type from, gf_type to, LLVMValueRef v) {
    if (gf_type_is_float(from)) {
        v = canonical_bits(ll, from, v);
    }
    return LLVMBuildBitCast(ll->builder, v, gf_ll_type(ll, to), "");
}

/* ---- elements ---- */

/* Between f16 and f32 the bits of exponent and fraction lie 13 apart, and the exponents 112. A subnormal half counts
 * 2^-24 and becomes a number; it goes by way of one, so that no denormal float is computed with, which is slow. */
static LLVMValueRef widen_half(gf_ll *ll, LLVMValueRef v) {
    LLVMBuilderRef at = ll->builder;
    if (ll->converts_half) {
        return LLVMBuildFPExt(at, LLVMBuildBitCast(at, v, ll->half, ""), ll->f32, "");
    }
    LLVMValueRef rebias = LLVMConstInt(ll->i32, UINT64_C(112) << 23, false);
    LLVMValueRef bits = LLVMBuildZExt(at, v, ll->i32, "");
    LLVMValueRef magnitude = LLVMBuildAnd(at, bits, LLVMConstInt(ll->i32, 0x7fff, false), "");
    LLVMValueRef sign = LLVMBuildShl(at, LLVMBuildXor(at, bits, magnitude, ""), LLVMConstInt(ll->i32, 16, false), "");
    LLVMValueRef normal = LLVMBuildShl(at, magnitude, LLVMConstInt(ll->i32, 13, false), "");
    normal = LLVMBuildAdd(at, normal, rebias, "");
    /* Infinity and NaN: the exponent of all ones is twice as far. */
    LLVMValueRef special = compare_bits(ll, LLVMIntUGE, magnitude, 0x7c00);
    normal = select_value(ll, special, LLVMBuildAdd(at, normal, rebias, ""), normal);
    LLVMValueRef small = LLVMBuildSIToFP(at, magnitude, ll->f32, "");
    small = LLVMBuildFMul(at, small, LLVMConstReal(ll->f32, 0x1p-24), "");
    small = LLVMBuildBitCast(at, small, ll->i32, "");
    LLVMValueRef result = select_value(ll, compare_bits(ll, LLVMIntULT, magnitude, 0x400), small, normal);
    return LLVMBuildBitCast(at, LLVMBuildOr(at, result, sign, ""), ll->f32, "");
}

/* To nearest, ties to even. In the normal range half of what is dropped, less one where what is kept is even, is added
 * before the drop; a carry runs up into the exponent, up to infinity too. Below, 1/2 is added as a float: its last bit
 * weighs 2^-24, as that of a subnormal half does, and so the addition rounds. */
static LLVMValueRef round_to_half(gf_ll *ll, LLVMValueRef v) {
    LLVMBuilderRef at = ll->builder;
    LLVMValueRef thirteen = LLVMConstInt(ll->i32, 13, false), half_bits = LLVMConstInt(ll->i32, 0x3f000000, false);
    LLVMValueRef bits = LLVMBuildBitCast(at, v, ll->i32, "");
    LLVMValueRef magnitude = LLVMBuildAnd(at, bits, LLVMConstInt(ll->i32, 0x7fffffff, false), "");
    LLVMValueRef sign = LLVMBuildXor(at, bits, magnitude, "");
    sign = LLVMBuildLShr(at, sign, LLVMConstInt(ll->i32, 16, false), "");
    LLVMValueRef limit = LLVMConstInt(ll->i32, 0x47800000, false); /* 2^16, and all above it, is infinity */
    LLVMValueRef capped = select_value(ll, compare_bits(ll, LLVMIntUGE, magnitude, 0x47800000), limit, magnitude);
    LLVMValueRef even = LLVMBuildAnd(at, LLVMBuildLShr(at, capped, thirteen, ""), LLVMConstInt(ll->i32, 1, false), "");
    /* Exponents less by 112, and 0xfff more. */
    LLVMValueRef offset = LLVMConstInt(ll->i32, 0xfff - (UINT32_C(112) << 23), false);
    LLVMValueRef normal = LLVMBuildAdd(at, LLVMBuildAdd(at, capped, offset, ""), even, "");
    normal = LLVMBuildLShr(at, normal, thirteen, "");
    LLVMValueRef sum = LLVMBuildBitCast(at, magnitude, ll->f32, "");
    sum = LLVMBuildFAdd(at, sum, LLVMConstReal(ll->f32, 0.5), "");
    LLVMValueRef small = LLVMBuildSub(at, LLVMBuildBitCast(at, sum, ll->i32, ""), half_bits, "");
    LLVMValueRef result = select_value(ll, compare_bits(ll, LLVMIntULT, magnitude, 0x38800000), small, normal);
    return LLVMBuildTrunc(at, LLVMBuildOr(at, result, sign, ""), ll->i16, "");
}

static LLVMValueRef narrow_half(gf_ll *ll, LLVMValueRef v) {
    LLVMValueRef half;
    if (ll->converts_half) {
        half = LLVMBuildBitCast(ll->builder, LLVMBuildFPTrunc(ll->builder, v, ll->half, ""), ll->i16, "");
    } else {
        half = round_to_half(ll, v);
    }
    LLVMValueRef nan = LLVMConstInt(ll->i16, gf_canonical(GF_TYPE_F16, 0x7fff), false);
    return select_value(ll, LLVMBuildFCmp(ll->builder, LLVMRealUNO, v, v, ""), nan, half);
}

LLVMValueRef gf_ll_widen(gf_ll *ll, gf_type stored, LLVMValueRef v) {
    switch (stored) {
    case GF_TYPE_BOOL:
        return compare_bits(ll, LLVMIntNE, v, 0);
    case GF_TYPE_U8:
    case GF_TYPE_U16:
        return LLVMBuildZExt(ll->builder, v, ll->i32, "");
    case GF_TYPE_I8:
    case GF_TYPE_I16:
        return LLVMBuildSExt(ll->builder, v, ll->i32, "");
    case GF_TYPE_F16:
        return widen_half(ll, v);
    case GF_TYPE_NONE:
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_U64:
    case GF_TYPE_I64:
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        break;
    }
    return v;
}

LLVMValueRef gf_ll_narrow(gf_ll *ll, gf_type stored, LLVMValueRef v) {
    switch (stored) {
    case GF_TYPE_BOOL:
        return LLVMBuildZExt(ll->builder, v, ll->i8, "");
    case GF_TYPE_U8:
    case GF_TYPE_U16:
    case GF_TYPE_I8:
    case GF_TYPE_I16:
        return LLVMBuildTrunc(ll->builder, v, gf_ll_stored(ll, stored), "");
    case GF_TYPE_F16:
        return narrow_half(ll, v);
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        return gf_ll_canonical(ll, stored, v);
    case GF_TYPE_NONE:
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_U64:
    case GF_TYPE_I64:
        break;
    }
    return v;
}
