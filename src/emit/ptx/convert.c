/* Conversions: casts, bit casts, and elements on their way from and to memory. */
#include "emit/ptx/value.h"

#include "ir/eval.h"

static gf_pv with_type(gf_pv v, gf_type type) {
    v.type = type;
    return v;
}

/* ---- casts ---- */

/* cvt.rounding.to.from; `rounding` with its dot, or "". */
static gf_pv convert(gf_ptx *p, gf_type to, const char *rounding, gf_pv v) {
    gf_pv d = gf_ptx_new_value(p, to);
    gf_ptx_line(p, "cvt%s.%s.%s %s, %s", rounding, gf_ptx_suffix(to), gf_ptx_suffix(v.type), gf_ptx_spell(d).text,
                gf_ptx_spell(v).text);
    return d;
}

static gf_pv is_nan(gf_ptx *p, gf_pv v) {
    return gf_ptx_op(p, GF_OP_IS_NAN, v.type, GF_TYPE_NONE, v, v, v);
}

static gf_pv select_value(gf_ptx *p, gf_pv condition, gf_pv a, gf_pv b) {
    return gf_ptx_op(p, GF_OP_SELECT, a.type, GF_TYPE_NONE, condition, a, b);
}

/* Toward zero; the instruction saturates. What it makes of a NaN is 0 from 32 bits to 32, else the top bit. */
static gf_pv to_integer(gf_ptx *p, gf_type to, gf_pv v) {
    gf_pv result = convert(p, to, ".rzi", v);
    if (v.type == GF_TYPE_F32 && gf_type_bytes(to) == 4) {
        return result;
    }
    return select_value(p, is_nan(p, v), gf_ptx_constant(to, 0), result);
}

static gf_pv from_bool(gf_ptx *p, gf_type to, gf_pv v) {
    uint64_t one = to == GF_TYPE_F32 ? UINT64_C(0x3f800000) : to == GF_TYPE_F64 ? UINT64_C(0x3ff0000000000000) : 1;
    return select_value(p, v, gf_ptx_constant(to, one), gf_ptx_constant(to, 0));
}

static uint64_t fold_cast(gf_type from, gf_type to, uint64_t bits) {
    gf_float_mode mode;
    gf_float_mode_enter(&mode);
    bits = gf_eval_cast(from, to, bits);
    gf_float_mode_leave(&mode);
    return bits;
}

gf_pv gf_ptx_cast(gf_ptx *p, gf_type to, gf_pv v) {
    gf_type from = v.type;
    if (from == to) {
        return v;
    }
    if (v.is_constant) {
        return gf_ptx_constant(to, fold_cast(from, to, v.bits));
    }
    if (to == GF_TYPE_BOOL) {
        return gf_ptx_op(p, GF_OP_NE, from, GF_TYPE_NONE, v, gf_ptx_constant(from, 0), v);
    }
    if (from == GF_TYPE_BOOL) {
        return from_bool(p, to, v);
    }
    if (gf_type_is_float(from)) {
        return !gf_type_is_float(to) ? to_integer(p, to, v) : convert(p, to, to == GF_TYPE_F32 ? ".rn" : "", v);
    }
    if (gf_type_is_float(to)) {
        return convert(p, to, ".rn", v);
    }
    if (gf_type_bytes(from) == gf_type_bytes(to)) {
        return with_type(v, to);
    }
    if (gf_type_bytes(to) == 4) {
        return with_type(convert(p, GF_TYPE_U32, "", with_type(v, GF_TYPE_U64)), to);
    }
    return with_type(convert(p, gf_type_is_signed(from) ? GF_TYPE_I64 : GF_TYPE_U64, "", v), to);
}

gf_pv gf_ptx_extend(gf_ptx *p, gf_pv v) {
    return gf_ptx_cast(p, GF_TYPE_U64, v);
}

/* ---- the one NaN ---- */

gf_pv gf_ptx_canonical(gf_ptx *p, gf_pv v) {
    if (v.is_constant) {
        return gf_ptx_constant(v.type, gf_canonical(v.type, v.bits));
    }
    if (!gf_type_is_float(v.type)) {
        return v;
    }
    return select_value(p, is_nan(p, v), gf_ptx_constant(v.type, gf_canonical(v.type, INT64_MAX)), v);
}

gf_pv gf_ptx_bitcast(gf_ptx *p, gf_type to, gf_pv v) {
    if (v.is_constant) {
        return gf_ptx_constant(to, gf_eval_bitcast(v.type, to, v.bits));
    }
    v = gf_ptx_canonical(p, v);
    if (gf_ptx_class_of(v.type) == gf_ptx_class_of(to)) {
        return with_type(v, to);
    }
    gf_pv d = gf_ptx_new_value(p, to);
    gf_ptx_line(p, "mov.%s %s, %s", gf_ptx_bits_suffix(to), gf_ptx_spell(d).text, gf_ptx_spell(v).text);
    return d;
}

/* ---- elements ---- */

const char *gf_ptx_stored_suffix(gf_type stored) {
    switch (stored) {
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
        return "u8";
    case GF_TYPE_I8:
        return "s8";
    case GF_TYPE_U16:
        return "u16";
    case GF_TYPE_I16:
        return "s16";
    case GF_TYPE_F16:
        return "b16";
    case GF_TYPE_U64:
    case GF_TYPE_I64:
        return "b64";
    case GF_TYPE_F32:
        return "f32";
    case GF_TYPE_F64:
        return "f64";
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_NONE:
        break;
    }
    return "b32";
}

gf_ptx_class gf_ptx_stored_class(gf_type stored) {
    return stored == GF_TYPE_BOOL  ? GF_PTX_R
           : stored == GF_TYPE_F16 ? GF_PTX_H
                                   : gf_ptx_class_of(gf_type_loaded(stored));
}

gf_pv gf_ptx_widen(gf_ptx *p, gf_type stored, uint32_t raw) {
    gf_pv v = {.type = gf_type_loaded(stored), .number = raw};
    if (stored == GF_TYPE_BOOL) {
        return gf_ptx_cast(p, GF_TYPE_BOOL, with_type(v, GF_TYPE_U32));
    }
    if (stored == GF_TYPE_F16) {
        v = gf_ptx_new_value(p, GF_TYPE_F32);
        gf_ptx_line(p, "cvt.f32.f16 %s, %s", gf_ptx_spell(v).text, gf_ptx_name(GF_PTX_H, raw).text);
    }
    return v;
}

static uint32_t narrow_half(gf_ptx *p, gf_pv v) {
    uint32_t number = gf_ptx_new(p, GF_PTX_H);
    gf_ptx_operand half = gf_ptx_name(GF_PTX_H, number);
    if (v.is_constant) {
        uint16_t bits = 0;
        gf_element_store(GF_TYPE_F16, &bits, v.bits);
        gf_ptx_line(p, "mov.b16 %s, 0x%04x", half.text, (unsigned)bits);
        return number;
    }
    gf_ptx_line(p, "cvt.rn.f16.f32 %s, %s", half.text, gf_ptx_spell(v).text);
    unsigned nan = (unsigned)gf_canonical(GF_TYPE_F16, 0x7fff);
    gf_ptx_line(p, "selp.b16 %s, 0x%04x, %s, %s", half.text, nan, half.text, gf_ptx_spell(is_nan(p, v)).text);
    return number;
}

uint32_t gf_ptx_narrow(gf_ptx *p, gf_type stored, gf_pv v) {
    if (stored == GF_TYPE_F16) {
        return narrow_half(p, v);
    }
    if (stored == GF_TYPE_BOOL) {
        v = gf_ptx_cast(p, GF_TYPE_U32, v);
    }
    return gf_ptx_register(p, gf_ptx_canonical(p, v)).number;
}
