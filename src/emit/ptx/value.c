/* What the other files of values stand on: registers, constants, lines, labels, and how all of them are spelled. */
#include "emit/ptx/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

gf_ptx_class gf_ptx_class_of(gf_type type) {
    switch (type) {
    case GF_TYPE_BOOL:
        return GF_PTX_P;
    case GF_TYPE_U64:
    case GF_TYPE_I64:
        return GF_PTX_RD;
    case GF_TYPE_F32:
        return GF_PTX_F;
    case GF_TYPE_F64:
        return GF_PTX_D;
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return GF_PTX_R;
}

const char *gf_ptx_suffix(gf_type type) {
    switch (type) {
    case GF_TYPE_BOOL:
        return "pred";
    case GF_TYPE_I32:
        return "s32";
    case GF_TYPE_U64:
        return "u64";
    case GF_TYPE_I64:
        return "s64";
    case GF_TYPE_F32:
        return "f32";
    case GF_TYPE_F64:
        return "f64";
    case GF_TYPE_U32:
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return "u32";
}

const char *gf_ptx_bits_suffix(gf_type type) {
    return type == GF_TYPE_BOOL ? "pred" : gf_type_bytes(type) == 8 ? "b64" : "b32";
}

const char *gf_ptx_class_suffix(gf_type type) {
    return gf_type_is_float(type) ? gf_ptx_suffix(type) : gf_ptx_bits_suffix(type);
}

const char *gf_ptx_raw_suffix(unsigned bytes) {
    return bytes == 8 ? "b64" : bytes == 4 ? "b32" : bytes == 2 ? "u16" : "u8";
}

/* ---- registers and constants ---- */

uint32_t gf_ptx_new(gf_ptx *p, gf_ptx_class class) {
    return p->count[class]++;
}

gf_pv gf_ptx_new_value(gf_ptx *p, gf_type type) {
    return (gf_pv){.type = type, .number = gf_ptx_new(p, gf_ptx_class_of(type))};
}

gf_pv gf_ptx_constant(gf_type type, uint64_t bits) {
    uint64_t mask = type == GF_TYPE_BOOL ? 1 : gf_type_bytes(type) == 8 ? UINT64_MAX : UINT32_MAX;
    return (gf_pv){.type = type, .is_constant = true, .bits = bits & mask};
}

gf_ptx_operand gf_ptx_name(gf_ptx_class class, uint32_t number) {
    static const char *const letters[GF_PTX_CLASSES] = {
        [GF_PTX_P] = "p", [GF_PTX_R] = "r", [GF_PTX_RD] = "rd", [GF_PTX_F] = "f", [GF_PTX_D] = "d", [GF_PTX_H] = "h"};
    gf_ptx_operand operand;
    snprintf(operand.text, sizeof operand.text, "%%%s%" PRIu32, letters[class], number);
    return operand;
}

/* Integers in decimal where that is short, for the reader's sake. */
gf_ptx_operand gf_ptx_spell(gf_pv v) {
    gf_ptx_operand operand;
    if (!v.is_constant) {
        return gf_ptx_name(gf_ptx_class_of(v.type), v.number);
    }
    if (v.type == GF_TYPE_F32) {
        snprintf(operand.text, sizeof operand.text, "0f%08" PRIx64, v.bits);
    } else if (v.type == GF_TYPE_F64) {
        snprintf(operand.text, sizeof operand.text, "0d%016" PRIx64, v.bits);
    } else if (v.bits < 4096) {
        snprintf(operand.text, sizeof operand.text, "%" PRIu64, v.bits);
    } else {
        snprintf(operand.text, sizeof operand.text, "0x%0*" PRIx64, gf_type_bytes(v.type) == 8 ? 16 : 8, v.bits);
    }
    return operand;
}

gf_pv gf_ptx_register(gf_ptx *p, gf_pv v) {
    if (!v.is_constant) {
        return v;
    }
    gf_pv result = gf_ptx_new_value(p, v.type);
    gf_ptx_move(p, result, v);
    return result;
}

void gf_ptx_move(gf_ptx *p, gf_pv to, gf_pv from) {
    if (!from.is_constant && from.number == to.number) {
        return;
    }
    gf_ptx_line(p, "mov.%s %s, %s", gf_ptx_suffix(to.type), gf_ptx_spell(to).text, gf_ptx_spell(from).text);
}

/* ---- text ---- */

void gf_ptx_line(gf_ptx *p, const char *format, ...) {
    char line[256];
    va_list list;
    va_start(list, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is right above */
    int length = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (length < 0 || (size_t)length >= sizeof line) {
        p->text.failed = true; /* no instruction is that long */
        return;
    }
    bool ends = length == 0 || strncmp(line, "//", 2) == 0 || strchr(";{}:", line[length - 1]) != NULL;
    gf_str_addf(&p->text, "    %s%s\n", line, ends ? "" : ";");
}

uint32_t gf_ptx_label(gf_ptx *p) {
    return p->labels++;
}

void gf_ptx_place(gf_ptx *p, uint32_t label) {
    gf_str_addf(&p->text, "$L%" PRIu32 ":\n", label);
}

void gf_ptx_jump(gf_ptx *p, uint32_t label) {
    gf_ptx_line(p, "bra $L%" PRIu32, label);
}

void gf_ptx_jump_if(gf_ptx *p, gf_pv condition, bool when, uint32_t label) {
    if (condition.is_constant) {
        if ((condition.bits != 0) == when) {
            gf_ptx_jump(p, label);
        }
        return;
    }
    gf_ptx_line(p, "@%s%s bra $L%" PRIu32, when ? "" : "!", gf_ptx_spell(condition).text, label);
}
