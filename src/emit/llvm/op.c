/* The op table in LLVM, and what is made of it: combinations and the turns of a loop. */
#include "emit/llvm/value.h"

#include "ir/eval.h"

#include <math.h>

static LLVMValueRef call1(gf_ll *ll, const char *name, gf_type type, LLVMValueRef a) {
    return gf_ll_call_intrinsic(ll, name, gf_ll_type(ll, type), &a, 1);
}

static LLVMValueRef call2(gf_ll *ll, const char *name, gf_type type, LLVMValueRef a, LLVMValueRef b) {
    return gf_ll_call_intrinsic(ll, name, gf_ll_type(ll, type), (LLVMValueRef[]){a, b}, 2);
}

static LLVMValueRef call3(gf_ll *ll, const char *name, gf_type type, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    return gf_ll_call_intrinsic(ll, name, gf_ll_type(ll, type), (LLVMValueRef[]){a, b, c}, 3);
}

/* abs, ctlz and cttz: the flag that makes one input poison is off. */
static LLVMValueRef call_total(gf_ll *ll, const char *name, gf_type type, LLVMValueRef a) {
    return call2(ll, name, type, a, LLVMConstInt(ll->i1, 0, false));
}

static LLVMValueRef select_value(gf_ll *ll, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildSelect(ll->builder, condition, a, b, "");
}

static gf_type bits_type(gf_type type) {
    return gf_type_bytes(type) == 4 ? GF_TYPE_U32 : GF_TYPE_U64;
}

static LLVMValueRef to_bits(gf_ll *ll, gf_type type, LLVMValueRef v) {
    return LLVMBuildBitCast(ll->builder, v, gf_ll_type(ll, bits_type(type)), "");
}

/* ---- comparisons ---- */

/* NE is true of NaN, the others are false. */
static LLVMValueRef compare(gf_ll *ll, gf_op op, gf_type type, LLVMValueRef a, LLVMValueRef b) {
    static const struct {
        gf_op op;
        LLVMIntPredicate without_sign, with_sign;
        LLVMRealPredicate real;
    } table[] = {
        {GF_OP_EQ, LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},   {GF_OP_NE, LLVMIntNE, LLVMIntNE, LLVMRealUNE},
        {GF_OP_LT, LLVMIntULT, LLVMIntSLT, LLVMRealOLT}, {GF_OP_LE, LLVMIntULE, LLVMIntSLE, LLVMRealOLE},
        {GF_OP_GT, LLVMIntUGT, LLVMIntSGT, LLVMRealOGT}, {GF_OP_GE, LLVMIntUGE, LLVMIntSGE, LLVMRealOGE},
    };
    size_t row = 0;
    while (table[row].op != op) {
        row++;
    }
    if (gf_type_is_float(type)) {
        return LLVMBuildFCmp(ll->builder, table[row].real, a, b, "");
    }
    LLVMIntPredicate predicate = gf_type_is_signed(type) ? table[row].with_sign : table[row].without_sign;
    return LLVMBuildICmp(ll->builder, predicate, a, b, "");
}

static LLVMValueRef is_nan(gf_ll *ll, LLVMValueRef v) {
    return LLVMBuildFCmp(ll->builder, LLVMRealUNO, v, v, "");
}

/* ---- integers ---- */

/* A divisor with which a division is defined and already gives what the table says: 1 in place of 0, for a / 1 = a and
 * a % 1 = 0; and 1 in place of -1 where a is the least integer, for that is its own negative. */
static LLVMValueRef safe_divisor(gf_ll *ll, gf_type type, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef t = gf_ll_type(ll, type);
    LLVMValueRef zero = LLVMConstInt(t, 0, false), one = LLVMConstInt(t, 1, false), minus = LLVMConstAllOnes(t);
    if (LLVMIsAConstantInt(b) != NULL && b != zero && b != minus) {
        return b;
    }
    LLVMValueRef bad = LLVMBuildICmp(ll->builder, LLVMIntEQ, b, zero, "");
    if (gf_type_is_signed(type)) {
        LLVMValueRef least = LLVMConstInt(t, UINT64_C(1) << (8 * gf_type_bytes(type) - 1), false);
        LLVMValueRef is_least = LLVMBuildICmp(ll->builder, LLVMIntEQ, a, least, "");
        LLVMValueRef is_minus = LLVMBuildICmp(ll->builder, LLVMIntEQ, b, minus, "");
        bad = LLVMBuildOr(ll->builder, bad, LLVMBuildAnd(ll->builder, is_least, is_minus, ""), "");
    }
    return select_value(ll, bad, one, b);
}

/* A zero that LLVM does not see through: it lies in memory that somebody else might set. */
static LLVMValueRef hidden_zero(gf_ll *ll, LLVMTypeRef type) {
    if (ll->zero == NULL) {
        ll->zero = LLVMAddGlobal(ll->module, ll->i64, "zero");
        LLVMSetLinkage(ll->zero, LLVMInternalLinkage);
        LLVMSetInitializer(ll->zero, LLVMConstNull(ll->i64));
        LLVMSetExternallyInitialized(ll->zero, 1);
    }
    LLVMValueRef load = LLVMBuildLoad2(ll->builder, ll->i64, ll->zero, "");
    unsigned kind = LLVMGetMDKindIDInContext(ll->context, "invariant.load", 14);
    LLVMSetMetadata(load, kind, LLVMMetadataAsValue(ll->context, LLVMMDNodeInContext2(ll->context, NULL, 0)));
    return LLVMBuildTrunc(ll->builder, load, type, "");
}

/* LLVM 19 makes vectors of `if c { b[x / y] }` wrongly where x and y are the same in all turns: it leaves the division
 * where it is, under the condition, and then takes the first lane's quotient for all lanes, though the first lane may
 * not have come there. So it is not to see that the quotient is the same in all turns. A divisor that is known divides
 * anywhere, and is moved out of the loop. */
static LLVMValueRef divide(gf_ll *ll, gf_type type, bool rest, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef result = NULL;
    b = safe_divisor(ll, type, a, b);
    bool is_known = LLVMIsAConstantInt(b) != NULL;
    if (gf_type_is_signed(type)) {
        result = rest ? LLVMBuildSRem(ll->builder, a, b, "") : LLVMBuildSDiv(ll->builder, a, b, "");
    } else {
        result = rest ? LLVMBuildURem(ll->builder, a, b, "") : LLVMBuildUDiv(ll->builder, a, b, "");
    }
    return is_known ? result : LLVMBuildXor(ll->builder, result, hidden_zero(ll, gf_ll_type(ll, type)), "");
}

/* The count in the type of what is shifted, its low bits. */
static LLVMValueRef shift_count(gf_ll *ll, gf_type type, gf_type count_type, LLVMValueRef b) {
    LLVMTypeRef t = gf_ll_type(ll, type);
    if (gf_type_bytes(count_type) != gf_type_bytes(type)) {
        b = LLVMBuildIntCast2(ll->builder, b, t, false, "");
    }
    return LLVMBuildAnd(ll->builder, b, LLVMConstInt(t, 8 * gf_type_bytes(type) - 1, false), "");
}

static LLVMValueRef upper_product(gf_ll *ll, gf_type type, LLVMValueRef a, LLVMValueRef b) {
    unsigned width = 8 * (unsigned)gf_type_bytes(type);
    LLVMTypeRef wide = LLVMIntTypeInContext(ll->context, 2 * width);
    bool with_sign = gf_type_is_signed(type);
    a = LLVMBuildIntCast2(ll->builder, a, wide, with_sign, "");
    b = LLVMBuildIntCast2(ll->builder, b, wide, with_sign, "");
    LLVMValueRef product = LLVMBuildMul(ll->builder, a, b, "");
    product = LLVMBuildLShr(ll->builder, product, LLVMConstInt(wide, width, false), "");
    return LLVMBuildTrunc(ll->builder, product, gf_ll_type(ll, type), "");
}

/* ---- floats ---- */

/* The least or greatest of two; a NaN loses, and -0 < +0. With `a < b ? a : b` (one instruction on x86) a NaN in a
 * is done with; a NaN in b, and zeros of two signs, are not. Of equal numbers the bits differ in that sign only, so
 * their `or` is the least and their `and` the greatest. */
static LLVMValueRef extreme_float(gf_ll *ll, gf_type type, bool least, LLVMValueRef a, LLVMValueRef b) {
    if (LLVMIsAConstantFP(b) == NULL) {
        LLVMValueRef other = a;
        a = b;
        b = other;
    }
    gf_op strict = least ? GF_OP_LT : GF_OP_GT;
    if (LLVMIsAConstantFP(b) != NULL) {
        LLVMBool lossy;
        double number = LLVMConstRealGetDouble(b, &lossy);
        if (isnan(number)) {
            return a;
        }
        bool loses_tie = number == 0 && (signbit(number) != 0) != least;
        gf_op before = !loses_tie ? strict : least ? GF_OP_LE : GF_OP_GE;
        return select_value(ll, compare(ll, before, type, a, b), a, b);
    }
    LLVMValueRef first = select_value(ll, compare(ll, strict, type, a, b), a, b);
    LLVMValueRef ia = to_bits(ll, type, a), ib = to_bits(ll, type, b);
    LLVMValueRef both = least ? LLVMBuildOr(ll->builder, ia, ib, "") : LLVMBuildAnd(ll->builder, ia, ib, "");
    both = LLVMBuildBitCast(ll->builder, both, gf_ll_type(ll, type), "");
    LLVMValueRef result = select_value(ll, compare(ll, GF_OP_EQ, type, a, b), both, first);
    return select_value(ll, is_nan(ll, b), a, result);
}

static LLVMValueRef extreme(gf_ll *ll, gf_type type, bool least, LLVMValueRef a, LLVMValueRef b) {
    if (gf_type_is_float(type)) {
        return extreme_float(ll, type, least, a, b);
    }
    if (gf_type_is_signed(type)) {
        return call2(ll, least ? "llvm.smin" : "llvm.smax", type, a, b);
    }
    return call2(ll, least ? "llvm.umin" : "llvm.umax", type, a, b);
}

/* a - b trunc(a / b), each step rounded. */
static LLVMValueRef rest_float(gf_ll *ll, gf_type type, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef whole = call1(ll, "llvm.trunc", type, LLVMBuildFDiv(ll->builder, a, b, ""));
    return LLVMBuildFSub(ll->builder, a, LLVMBuildFMul(ll->builder, b, whole, ""), "");
}

static LLVMValueRef sign(gf_ll *ll, gf_type type, LLVMValueRef a) {
    LLVMTypeRef t = gf_ll_type(ll, type);
    LLVMValueRef zero = LLVMConstNull(t);
    LLVMValueRef above = compare(ll, GF_OP_GT, type, a, zero), below = compare(ll, GF_OP_LT, type, a, zero);
    if (gf_type_is_float(type)) {
        LLVMValueRef negative = select_value(ll, below, LLVMConstReal(t, -1), zero);
        return select_value(ll, above, LLVMConstReal(t, 1), negative);
    }
    above = LLVMBuildZExt(ll->builder, above, t, "");
    return LLVMBuildSub(ll->builder, above, LLVMBuildZExt(ll->builder, below, t, ""), "");
}

static LLVMValueRef is_infinite(gf_ll *ll, gf_type type, LLVMValueRef a) {
    LLVMValueRef infinity = LLVMConstReal(gf_ll_type(ll, type), INFINITY);
    return compare(ll, GF_OP_EQ, type, call1(ll, "llvm.fabs", type, a), infinity);
}

/* ---- the table ---- */

LLVMValueRef gf_ll_op(gf_ll *ll, gf_op op, gf_type type, gf_type count_type, LLVMValueRef a, LLVMValueRef b,
                      LLVMValueRef c) {
    LLVMBuilderRef at = ll->builder;
    bool is_float = gf_type_is_float(type), is_signed = gf_type_is_signed(type);
    switch (op) {
    case GF_OP_NONE:
    case GF_OP_COUNT:
        break;
    case GF_OP_NEG:
        return is_float ? LLVMBuildFNeg(at, a, "") : LLVMBuildNeg(at, a, "");
    case GF_OP_NOT:
    case GF_OP_COMPLEMENT:
        return LLVMBuildNot(at, a, "");
    case GF_OP_ADD:
        return is_float ? LLVMBuildFAdd(at, a, b, "") : LLVMBuildAdd(at, a, b, "");
    case GF_OP_SUB:
        return is_float ? LLVMBuildFSub(at, a, b, "") : LLVMBuildSub(at, a, b, "");
    case GF_OP_MUL:
        return is_float ? LLVMBuildFMul(at, a, b, "") : LLVMBuildMul(at, a, b, "");
    case GF_OP_DIV:
        return is_float ? LLVMBuildFDiv(at, a, b, "") : divide(ll, type, false, a, b);
    case GF_OP_REM:
        return is_float ? rest_float(ll, type, a, b) : divide(ll, type, true, a, b);
    case GF_OP_AND:
        return LLVMBuildAnd(at, a, b, "");
    case GF_OP_OR:
        return LLVMBuildOr(at, a, b, "");
    case GF_OP_XOR:
        return LLVMBuildXor(at, a, b, "");
    case GF_OP_SHL:
        return LLVMBuildShl(at, a, shift_count(ll, type, count_type, b), "");
    case GF_OP_SHR:
        b = shift_count(ll, type, count_type, b);
        return is_signed ? LLVMBuildAShr(at, a, b, "") : LLVMBuildLShr(at, a, b, "");
    case GF_OP_EQ:
    case GF_OP_NE:
    case GF_OP_LT:
    case GF_OP_LE:
    case GF_OP_GT:
    case GF_OP_GE:
        return compare(ll, op, type, a, b);
    case GF_OP_SELECT:
        return select_value(ll, a, b, c);
    case GF_OP_MIN:
        return extreme(ll, type, true, a, b);
    case GF_OP_MAX:
        return extreme(ll, type, false, a, b);
    case GF_OP_CLAMP:
        return extreme(ll, type, true, extreme(ll, type, false, a, b), c);
    case GF_OP_ABS:
        return is_float ? call1(ll, "llvm.fabs", type, a) : is_signed ? call_total(ll, "llvm.abs", type, a) : a;
    case GF_OP_SIGN:
        return sign(ll, type, a);
    case GF_OP_POPCOUNT:
        return call1(ll, "llvm.ctpop", type, a);
    case GF_OP_CLZ:
        return call_total(ll, "llvm.ctlz", type, a);
    case GF_OP_CTZ:
        return call_total(ll, "llvm.cttz", type, a);
    case GF_OP_REVERSE_BITS:
        return call1(ll, "llvm.bitreverse", type, a);
    case GF_OP_ROTATE_LEFT:
        return call3(ll, "llvm.fshl", type, a, a, shift_count(ll, type, count_type, b));
    case GF_OP_ROTATE_RIGHT:
        return call3(ll, "llvm.fshr", type, a, a, shift_count(ll, type, count_type, b));
    case GF_OP_MUL_HI:
        return upper_product(ll, type, a, b);
    case GF_OP_FMA:
        return call3(ll, "llvm.fma", type, a, b, c);
    case GF_OP_SQRT:
        return call1(ll, "llvm.sqrt", type, a);
    case GF_OP_FLOOR:
        return call1(ll, "llvm.floor", type, a);
    case GF_OP_CEIL:
        return call1(ll, "llvm.ceil", type, a);
    case GF_OP_TRUNC:
        return call1(ll, "llvm.trunc", type, a);
    case GF_OP_ROUND:
        return call1(ll, "llvm.roundeven", type, a);
    case GF_OP_EXP2:
    case GF_OP_LOG2:
    case GF_OP_EXP:
    case GF_OP_LOG:
    case GF_OP_SIN:
    case GF_OP_COS:
    case GF_OP_TANH:
    case GF_OP_POW:
        return gf_ll_elementary(ll, op, type, a, b);
    case GF_OP_IS_NAN:
        return is_nan(ll, a);
    case GF_OP_IS_INF:
        return is_infinite(ll, type, a);
    }
    return NULL;
}

/* ---- combinations, turns ---- */

LLVMValueRef gf_ll_combine(gf_ll *ll, gf_combine combine, gf_type type, LLVMValueRef a, LLVMValueRef b) {
    gf_op op = GF_OP_NONE;
    switch (combine) {
    case GF_COMBINE_ADD:
        op = GF_OP_ADD;
        break;
    case GF_COMBINE_MIN:
        op = GF_OP_MIN;
        break;
    case GF_COMBINE_MAX:
        op = GF_OP_MAX;
        break;
    case GF_COMBINE_AND:
        op = GF_OP_AND;
        break;
    case GF_COMBINE_OR:
        op = GF_OP_OR;
        break;
    }
    return gf_ll_op(ll, op, type, GF_TYPE_NONE, a, b, NULL);
}

LLVMValueRef gf_ll_neutral(gf_ll *ll, gf_combine combine, gf_type type) {
    return gf_ll_bits(ll, type, gf_combine_neutral(combine, type));
}

/* Of a constant step its sign is known, and the other direction need not be asked for. */
LLVMValueRef gf_ll_turns(gf_ll *ll, gf_type type, LLVMValueRef a, LLVMValueRef b, LLVMValueRef s) {
    LLVMBuilderRef at = ll->builder;
    LLVMTypeRef t = gf_ll_type(ll, type);
    LLVMValueRef zero = LLVMConstInt(t, 0, false), one = LLVMConstInt(t, 1, false), none = LLVMConstInt(ll->i64, 0, 0);
    bool is_signed = gf_type_is_signed(type), is_constant = s == NULL || LLVMIsAConstantInt(s) != NULL;
    if (s == zero) {
        return none;
    }
    if (s == NULL || s == one) {
        /* Widened first: that is the shape that says best what the last index is. */
        LLVMValueRef from = LLVMBuildIntCast2(at, a, ll->i64, is_signed, "");
        LLVMValueRef to = LLVMBuildIntCast2(at, b, ll->i64, is_signed, "");
        return select_value(ll, compare(ll, GF_OP_LT, type, a, b), LLVMBuildSub(at, to, from, ""), none);
    }
    /* The distance always fits the unsigned twin of the type, and so does the count. */
    LLVMValueRef runs = compare(ll, GF_OP_LT, type, a, b), distance = LLVMBuildSub(at, b, a, ""), width = s;
    bool may_fall = is_signed && (!is_constant || LLVMConstIntGetSExtValue(s) < 0);
    if (may_fall) {
        LLVMValueRef rises = compare(ll, GF_OP_GT, type, s, zero);
        runs = select_value(ll, rises, runs, compare(ll, GF_OP_GT, type, a, b));
        distance = select_value(ll, rises, distance, LLVMBuildSub(at, a, b, ""));
        width = select_value(ll, rises, s, LLVMBuildNeg(at, s, ""));
    }
    if (!is_constant) {
        runs = LLVMBuildAnd(at, runs, compare(ll, GF_OP_NE, type, s, zero), "");
        width = select_value(ll, compare(ll, GF_OP_EQ, type, s, zero), one, width);
    }
    /* Rounded up without a rest; with a distance of 0 this is no count, but nor does the loop run. */
    LLVMValueRef count = LLVMBuildUDiv(at, LLVMBuildSub(at, distance, one, ""), width, "");
    count = LLVMBuildIntCast2(at, LLVMBuildAdd(at, count, one, ""), ll->i64, false, "");
    return select_value(ll, runs, count, none);
}
