/* The elementary functions as functions of a module: elementary_f32.inc and elementary_f64.inc over a domain whose
 * values are LLVM's and whose operations are those of the op table. */
#include "emit/llvm/value.h"

#include <stdio.h>
#include <string.h>

/* ---- the domain ---- */

static LLVMValueRef make_op(gf_ll *ll, gf_op op, gf_type type, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    return gf_ll_op(ll, op, type, type, a, b, c);
}

static LLVMValueRef make_constant_f32(gf_ll *ll, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return gf_ll_bits(ll, GF_TYPE_F32, bits);
}

static LLVMValueRef make_constant_f64(gf_ll *ll, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return gf_ll_bits(ll, GF_TYPE_F64, bits);
}

/* The texts turn only small whole numbers into integers (exponents, at most 1100 either way), so nothing saturates; and
 * 32 bits hold them, which more machines convert in vectors than 64. */
static LLVMValueRef make_integer(gf_ll *ll, gf_type to, LLVMValueRef v) {
    LLVMValueRef n = LLVMBuildFPToSI(ll->builder, v, ll->i32, "");
    return LLVMBuildIntCast2(ll->builder, n, gf_ll_type(ll, to), true, "");
}

/* Back: of signed integers exponents again; of unsigned ones what fits the fraction of the float, so that the sign bit
 * is free. */
static LLVMValueRef make_float_of_small(gf_ll *ll, gf_type to, LLVMValueRef v) {
    v = LLVMBuildIntCast2(ll->builder, v, ll->i32, true, "");
    return LLVMBuildSIToFP(ll->builder, v, gf_ll_type(ll, to), "");
}

static LLVMValueRef make_float(gf_ll *ll, gf_type to, LLVMValueRef v) {
    return LLVMBuildSIToFP(ll->builder, v, gf_ll_type(ll, to), "");
}

static LLVMValueRef make_bitcast(gf_ll *ll, gf_type to, LLVMValueRef v) {
    return LLVMBuildBitCast(ll->builder, v, gf_ll_type(ll, to), "");
}

#define EL_PASTE(a, b) a##_##b
#define EL_JOIN(a, b) EL_PASTE(a, b)
#define EL_NAME(name) EL_JOIN(name, EL_W)
#define EL_DEFINE(type, name, ...) static type EL_JOIN(el_##name, EL_W)(gf_ll * ll_, __VA_ARGS__)
#define EL_CALL(name, ...) EL_JOIN(el_##name, EL_W)(ll_, __VA_ARGS__)

#define F LLVMValueRef
#define U LLVMValueRef
#define B LLVMValueRef
#define F_C(x) EL_NAME(make_constant)(ll_, x)
#define U_C(x) gf_ll_bits(ll_, EL_U, x)
#define F_OP(op, a, b, c) make_op(ll_, GF_OP_##op, EL_F, a, b, c)
#define U_OP(op, a, b, c) make_op(ll_, GF_OP_##op, EL_U, a, b, c)
#define F_ADD(a, b) F_OP(ADD, a, b, NULL)
#define F_SUB(a, b) F_OP(SUB, a, b, NULL)
#define F_MUL(a, b) F_OP(MUL, a, b, NULL)
#define F_DIV(a, b) F_OP(DIV, a, b, NULL)
#define F_FMA(a, b, c) F_OP(FMA, a, b, c)
#define F_NEG(a) F_OP(NEG, a, NULL, NULL)
#define F_ABS(a) F_OP(ABS, a, NULL, NULL)
#define F_ROUND(a) F_OP(ROUND, a, NULL, NULL)
#define F_TRUNC(a) F_OP(TRUNC, a, NULL, NULL)
#define F_MIN(a, b) F_OP(MIN, a, b, NULL)
#define F_MAX(a, b) F_OP(MAX, a, b, NULL)
#define F_LT(a, b) F_OP(LT, a, b, NULL)
#define F_LE(a, b) F_OP(LE, a, b, NULL)
#define F_EQ(a, b) F_OP(EQ, a, b, NULL)
#define U_ADD(a, b) U_OP(ADD, a, b, NULL)
#define U_SUB(a, b) U_OP(SUB, a, b, NULL)
#define U_MUL(a, b) U_OP(MUL, a, b, NULL)
#define U_MULHI(a, b) U_OP(MUL_HI, a, b, NULL)
#define U_AND(a, b) U_OP(AND, a, b, NULL)
#define U_OR(a, b) U_OP(OR, a, b, NULL)
#define U_XOR(a, b) U_OP(XOR, a, b, NULL)
#define U_SHL(a, n) U_OP(SHL, a, n, NULL)
#define U_SHR(a, n) U_OP(SHR, a, n, NULL)
#define U_SAR(a, n) make_op(ll_, GF_OP_SHR, EL_S, a, n, NULL)
#define U_CLZ(a) U_OP(CLZ, a, NULL, NULL)
#define U_LT(a, b) U_OP(LT, a, b, NULL)
#define U_EQ(a, b) U_OP(EQ, a, b, NULL)
#define B_AND(a, b) make_op(ll_, GF_OP_AND, GF_TYPE_BOOL, a, b, NULL)
#define B_NOT(a) make_op(ll_, GF_OP_NOT, GF_TYPE_BOOL, a, NULL, NULL)
#define F_SELECT(c, a, b) F_OP(SELECT, c, a, b)
#define U_SELECT(c, a, b) U_OP(SELECT, c, a, b)
#define BITS_OF(a) make_bitcast(ll_, EL_U, a)
#define FROM_BITS(a) make_bitcast(ll_, EL_F, a)
#define S_OF_F(a) make_integer(ll_, EL_S, a)
#define F_OF_S(a) make_float_of_small(ll_, EL_F, a)
#define F_OF_U(a) make_float(ll_, EL_F, a)

#define EL_W f32
#define EL_F GF_TYPE_F32
#define EL_U GF_TYPE_U32
#define EL_S GF_TYPE_I32
#include "ir/elementary_f32.inc"
#undef EL_W
#undef EL_F
#undef EL_U
#undef EL_S
#define EL_W f64
#define EL_F GF_TYPE_F64
#define EL_U GF_TYPE_U64
#define EL_S GF_TYPE_I64
#include "ir/elementary_f64.inc"

/* ---- functions ---- */

typedef LLVMValueRef one_argument(gf_ll *ll, LLVMValueRef x);

/* All but pow, which has two arguments. */
static one_argument *const bodies[GF_OP_COUNT][2] = {
    [GF_OP_EXP2] = {el_exp2_f32, el_exp2_f64}, [GF_OP_LOG2] = {el_log2_f32, el_log2_f64},
    [GF_OP_EXP] = {el_exp_f32, el_exp_f64},    [GF_OP_LOG] = {el_log_f32, el_log_f64},
    [GF_OP_SIN] = {el_sin_f32, el_sin_f64},    [GF_OP_COS] = {el_cos_f32, el_cos_f64},
    [GF_OP_TANH] = {el_tanh_f32, el_tanh_f64},
};

static void add_attribute(gf_ll *ll, LLVMValueRef function, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(ll->context, kind, 0));
}

static LLVMTypeRef function_type(const gf_ll *ll, gf_op op, gf_type type) {
    LLVMTypeRef t = gf_ll_type(ll, type);
    return LLVMFunctionType(t, (LLVMTypeRef[]){t, t}, op == GF_OP_POW ? 2 : 1, false);
}

/* With a builder of its own: who asks is in the middle of another function. */
static LLVMValueRef make_function(gf_ll *ll, gf_op op, gf_type type) {
    bool wide = type == GF_TYPE_F64;
    gf_ll inner = *ll;
    char name[64];
    snprintf(name, sizeof name, "gf_%s_%s", gf_op_spelling(op), gf_type_name(type)); /* LLVM knows a plain "exp" */
    LLVMValueRef function = LLVMAddFunction(ll->module, name, function_type(ll, op, type));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    add_attribute(ll, function, "alwaysinline");
    add_attribute(ll, function, "nounwind");
    inner.builder = LLVMCreateBuilderInContext(ll->context);
    LLVMPositionBuilderAtEnd(inner.builder, LLVMAppendBasicBlockInContext(ll->context, function, ""));
    LLVMValueRef x = LLVMGetParam(function, 0), result;
    if (op == GF_OP_POW) {
        LLVMValueRef y = LLVMGetParam(function, 1);
        result = wide ? el_pow_f64(&inner, x, y) : el_pow_f32(&inner, x, y);
    } else {
        result = bodies[op][wide](&inner, x);
    }
    LLVMBuildRet(inner.builder, result);
    LLVMDisposeBuilder(inner.builder);
    return function;
}

LLVMValueRef gf_ll_elementary(gf_ll *ll, gf_op op, gf_type type, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef *function = &ll->elementary[op][type == GF_TYPE_F64];
    if (*function == NULL) {
        *function = make_function(ll, op, type);
    }
    LLVMValueRef args[] = {a, b};
    return LLVMBuildCall2(ll->builder, function_type(ll, op, type), *function, args, op == GF_OP_POW ? 2 : 1, "");
}
