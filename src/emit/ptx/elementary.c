/* The elementary functions, written out where they stand: elementary_f32.inc and elementary_f64.inc over a domain whose
 * values are PTX's and whose operations are those of the op table. */
#include "emit/ptx/value.h"

#include <string.h>

/* ---- the domain ---- */

static gf_pv make_constant_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return gf_ptx_constant(GF_TYPE_F32, bits);
}

static gf_pv make_constant_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return gf_ptx_constant(GF_TYPE_F64, bits);
}

/* For what has fewer operands: the others are not looked at. */
static const gf_pv absent = {.type = GF_TYPE_NONE};

/* The texts turn only small whole numbers into integers (exponents, at most 1100 either way), so nothing saturates and
 * there is no NaN to ask for; and 32 bits hold them. */
static gf_pv make_integer(gf_ptx *p, gf_type to, gf_pv v) {
    if (v.is_constant) {
        return gf_ptx_cast(p, to, v);
    }
    gf_pv n = gf_ptx_new_value(p, GF_TYPE_I32);
    gf_ptx_line(p, "cvt.rzi.s32.%s %s, %s", gf_ptx_suffix(v.type), gf_ptx_spell(n).text, gf_ptx_spell(v).text);
    return gf_ptx_cast(p, to, n);
}

/* Back: exponents again. */
static gf_pv make_float_of_small(gf_ptx *p, gf_type to, gf_pv v) {
    v = gf_ptx_cast(p, GF_TYPE_I32, v);
    return gf_ptx_cast(p, to, v);
}

/* The bits as they are: a NaN stays the NaN it is, for it comes out as one in the end. */
static gf_pv make_bitcast(gf_ptx *p, gf_type to, gf_pv v) {
    if (v.is_constant) {
        return gf_ptx_constant(to, v.bits);
    }
    gf_pv d = gf_ptx_new_value(p, to);
    gf_ptx_line(p, "mov.%s %s, %s", gf_ptx_bits_suffix(to), gf_ptx_spell(d).text, gf_ptx_spell(v).text);
    return d;
}

#define EL_PASTE(a, b) a##_##b
#define EL_JOIN(a, b) EL_PASTE(a, b)
#define EL_NAME(name) EL_JOIN(name, EL_W)
#define EL_DEFINE(type, name, ...) static type EL_JOIN(el_##name, EL_W)(gf_ptx * p_, __VA_ARGS__)
#define EL_CALL(name, ...) EL_JOIN(el_##name, EL_W)(p_, __VA_ARGS__)

#define F gf_pv
#define U gf_pv
#define B gf_pv
#define F_C(x) EL_NAME(make_constant)(x)
#define U_C(x) gf_ptx_constant(EL_U, x)
#define OP_OF(type, op, a, b, c) gf_ptx_op(p_, GF_OP_##op, type, type, a, b, c)
#define F_OP(op, a, b, c) OP_OF(EL_F, op, a, b, c)
#define U_OP(op, a, b, c) OP_OF(EL_U, op, a, b, c)
#define F_ADD(a, b) F_OP(ADD, a, b, absent)
#define F_SUB(a, b) F_OP(SUB, a, b, absent)
#define F_MUL(a, b) F_OP(MUL, a, b, absent)
#define F_DIV(a, b) F_OP(DIV, a, b, absent)
#define F_FMA(a, b, c) F_OP(FMA, a, b, c)
#define F_NEG(a) F_OP(NEG, a, absent, absent)
#define F_ABS(a) F_OP(ABS, a, absent, absent)
#define F_ROUND(a) F_OP(ROUND, a, absent, absent)
#define F_TRUNC(a) F_OP(TRUNC, a, absent, absent)
#define F_MIN(a, b) F_OP(MIN, a, b, absent)
#define F_MAX(a, b) F_OP(MAX, a, b, absent)
#define F_LT(a, b) F_OP(LT, a, b, absent)
#define F_LE(a, b) F_OP(LE, a, b, absent)
#define F_EQ(a, b) F_OP(EQ, a, b, absent)
#define U_ADD(a, b) U_OP(ADD, a, b, absent)
#define U_SUB(a, b) U_OP(SUB, a, b, absent)
#define U_MUL(a, b) U_OP(MUL, a, b, absent)
#define U_MULHI(a, b) U_OP(MUL_HI, a, b, absent)
#define U_AND(a, b) U_OP(AND, a, b, absent)
#define U_OR(a, b) U_OP(OR, a, b, absent)
#define U_XOR(a, b) U_OP(XOR, a, b, absent)
#define U_SHL(a, n) U_OP(SHL, a, n, absent)
#define U_SHR(a, n) U_OP(SHR, a, n, absent)
#define U_SAR(a, n) OP_OF(EL_S, SHR, a, n, absent)
#define U_CLZ(a) U_OP(CLZ, a, absent, absent)
#define U_LT(a, b) U_OP(LT, a, b, absent)
#define U_EQ(a, b) U_OP(EQ, a, b, absent)
#define B_AND(a, b) OP_OF(GF_TYPE_BOOL, AND, a, b, absent)
#define B_NOT(a) OP_OF(GF_TYPE_BOOL, NOT, a, absent, absent)
#define F_SELECT(c, a, b) F_OP(SELECT, c, a, b)
#define U_SELECT(c, a, b) U_OP(SELECT, c, a, b)
#define BITS_OF(a) make_bitcast(p_, EL_U, a)
#define FROM_BITS(a) make_bitcast(p_, EL_F, a)
#define S_OF_F(a) make_integer(p_, EL_S, a)
#define F_OF_S(a) make_float_of_small(p_, EL_F, a)
#define F_OF_U(a) gf_ptx_cast(p_, EL_F, a)

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

typedef gf_pv one_argument(gf_ptx *p, gf_pv x);

/* All but pow, which has two arguments. */
static one_argument *const bodies[GF_OP_COUNT][2] = {
    [GF_OP_EXP2] = {el_exp2_f32, el_exp2_f64}, [GF_OP_LOG2] = {el_log2_f32, el_log2_f64},
    [GF_OP_EXP] = {el_exp_f32, el_exp_f64},    [GF_OP_LOG] = {el_log_f32, el_log_f64},
    [GF_OP_SIN] = {el_sin_f32, el_sin_f64},    [GF_OP_COS] = {el_cos_f32, el_cos_f64},
    [GF_OP_TANH] = {el_tanh_f32, el_tanh_f64},
};

gf_pv gf_ptx_elementary(gf_ptx *p, gf_op op, gf_type type, gf_pv a, gf_pv b) {
    bool wide = type == GF_TYPE_F64;
    if (op == GF_OP_POW) {
        return wide ? el_pow_f64(p, a, b) : el_pow_f32(p, a, b);
    }
    return bodies[op][wide](p, a);
}
