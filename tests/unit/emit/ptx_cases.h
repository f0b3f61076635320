/* What is asked of single values in PTX: every operation, conversion and elementary function on every type, with
 * operands that vary and with constants, each as a kernel of its own and with the values it must give. */
#ifndef GF_TESTS_PTX_CASES_H
#define GF_TESTS_PTX_CASES_H

#include "emit/ptx/value.h"
#include "ir/eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum ptx_kind {
    PTX_OP,
    PTX_COMBINE,
    PTX_TURNS, /* other is GF_TYPE_NONE: no step is given */
    PTX_CAST,
    PTX_BITCAST,
    PTX_SUM_BITS, /* a bitcast of a sum, whose NaN is whatever the machine makes of it */
    PTX_CANONICAL,
    PTX_EXTEND,
    PTX_WIDEN,
    PTX_NARROW,
} ptx_kind;

typedef struct ptx_case {
    ptx_kind kind;
    unsigned op; /* a gf_op, a gf_combine */
    gf_type type, other;
    gf_type result; /* NaNs of it are all alike; of an integer type where bits count */
    unsigned fixed; /* a bit for each operand that is a constant */
    uint64_t constants[3];
} ptx_case;

enum { PTX_CASES = 4000 };

typedef struct ptx_list {
    ptx_case cases[PTX_CASES];
    size_t count;
} ptx_list;

static const gf_type ptx_types[] = {GF_TYPE_BOOL, GF_TYPE_U32, GF_TYPE_I32, GF_TYPE_U64,
                                    GF_TYPE_I64,  GF_TYPE_F32, GF_TYPE_F64};
enum { PTX_TYPES = sizeof ptx_types / sizeof *ptx_types };

/* ---- what a case is ---- */

static inline unsigned ptx_arity(const ptx_case *it) {
    switch (it->kind) {
    case PTX_OP:
        return gf_op_arity((gf_op)it->op);
    case PTX_TURNS:
        return it->other == GF_TYPE_NONE ? 2 : 3;
    case PTX_COMBINE:
    case PTX_SUM_BITS:
        return 2;
    case PTX_CAST:
    case PTX_BITCAST:
    case PTX_CANONICAL:
    case PTX_EXTEND:
    case PTX_WIDEN:
    case PTX_NARROW:
        break;
    }
    return 1;
}

/* The type that an operand has in memory. */
static inline gf_type ptx_operand_type(const ptx_case *it, unsigned operand) {
    if (it->kind == PTX_OP && it->op == GF_OP_SELECT && operand == 0) {
        return GF_TYPE_BOOL;
    }
    if (it->kind == PTX_OP && gf_op_rule((gf_op)it->op) == GF_RULE_SHIFT && operand == 1) {
        return it->other;
    }
    return it->kind == PTX_NARROW ? gf_type_loaded(it->type) : it->type;
}

static inline void ptx_say(const ptx_case *it, char *name, size_t size) {
    static const char *const kinds[] = {"",          "combine", "turns", "cast", "bitcast", "bitcast of a sum",
                                        "canonical", "extend",  "load",  "store"};
    const char *what = it->kind == PTX_OP        ? gf_op_spelling((gf_op)it->op)
                       : it->kind == PTX_COMBINE ? gf_combine_name((gf_combine)it->op)
                                                 : "";
    int length = snprintf(name, size, "%s%s%s of %s", kinds[it->kind], it->kind == PTX_COMBINE ? " " : "", what,
                          gf_type_name(it->type));
    if (it->other != GF_TYPE_NONE) {
        length += snprintf(name + length, size - (size_t)length, ", %s", gf_type_name(it->other));
    }
    for (unsigned i = 0; i < 3; i++) {
        if ((it->fixed >> i & 1) != 0) {
            length += snprintf(name + length, size - (size_t)length, ", %c = %" PRIx64, "abc"[i], it -> constants[i]);
        }
    }
}

static inline uint64_t ptx_expect(const ptx_case *it, const uint64_t row[3]) {
    uint64_t v[3], element = 0;
    for (unsigned i = 0; i < 3; i++) {
        v[i] = (it->fixed >> i & 1) != 0 ? it->constants[i] : row[i];
    }
    switch (it->kind) {
    case PTX_OP:
        return gf_eval_op((gf_op)it->op, it->type, v[0], v[1], v[2]);
    case PTX_COMBINE:
        return gf_eval_combine((gf_combine)it->op, it->type, v[0], v[1]);
    case PTX_TURNS:
        return gf_eval_turns(it->type, v[0], v[1], it->other == GF_TYPE_NONE ? 1 : v[2]);
    case PTX_CAST:
        return gf_eval_cast(it->type, it->other, v[0]);
    case PTX_BITCAST:
        return gf_eval_bitcast(it->type, it->other, v[0]);
    case PTX_SUM_BITS:
        return gf_eval_bitcast(it->type, it->other, gf_eval_op(GF_OP_ADD, it->type, v[0], v[1], 0));
    case PTX_CANONICAL:
        return gf_canonical(it->type, v[0]);
    case PTX_EXTEND:
        return gf_eval_cast(it->type, GF_TYPE_U64, v[0]);
    case PTX_WIDEN:
        return gf_element_load(it->type, v);
    case PTX_NARROW:
        gf_element_store(it->type, &element, v[0]);
        return element;
    }
    return 0;
}

static inline bool ptx_equals(const ptx_case *it, uint64_t a, uint64_t b) {
    return gf_canonical(it->result, a) == gf_canonical(it->result, b);
}

/* ---- as code ---- */

static inline gf_pv ptx_take(gf_ptx *p, const ptx_case *it, unsigned operand) {
    gf_type type = ptx_operand_type(it, operand);
    if ((it->fixed >> operand & 1) != 0) {
        return gf_ptx_constant(type, it->constants[operand]);
    }
    gf_ptx_class class = gf_ptx_stored_class(type);
    uint32_t raw = gf_ptx_new(p, class);
    gf_ptx_line(p, "ld.global.%s %s, [%%rd0+%u]", gf_ptx_stored_suffix(type), gf_ptx_name(class, raw).text,
                8 * operand);
    return gf_ptx_widen(p, type, raw);
}

static inline void ptx_give(gf_ptx *p, gf_type stored, uint32_t number) {
    gf_ptx_line(p, "st.global.%s [%%rd1], %s", gf_ptx_stored_suffix(stored),
                gf_ptx_name(gf_ptx_stored_class(stored), number).text);
}

static inline gf_pv ptx_emit_value(gf_ptx *p, const ptx_case *it, const gf_pv v[3]) {
    switch (it->kind) {
    case PTX_OP:
        return gf_ptx_op(p, (gf_op)it->op, it->type, it->other, v[0], v[1], v[2]);
    case PTX_COMBINE:
        return gf_ptx_combine(p, (gf_combine)it->op, it->type, v[0], v[1]);
    case PTX_TURNS:
        return gf_ptx_turns(p, it->type, v[0], v[1], it->other != GF_TYPE_NONE, v[2]);
    case PTX_CAST:
        return gf_ptx_cast(p, it->other, v[0]);
    case PTX_BITCAST:
        return gf_ptx_bitcast(p, it->other, v[0]);
    case PTX_SUM_BITS:
        return gf_ptx_bitcast(p, it->other, gf_ptx_op(p, GF_OP_ADD, it->type, GF_TYPE_NONE, v[0], v[1], v[0]));
    case PTX_CANONICAL:
        return gf_ptx_canonical(p, v[0]);
    case PTX_EXTEND:
        return gf_ptx_extend(p, v[0]);
    case PTX_WIDEN:
    case PTX_NARROW:
        break;
    }
    return v[0];
}

/* The straight part: from the row at %rd0 to the result at %rd1, whose eight bytes were 0. */
static inline gf_ptx ptx_emit_body(const ptx_case *it) {
    gf_ptx p = {0};
    gf_pv v[3] = {0};
    gf_ptx_new(&p, GF_PTX_RD);
    gf_ptx_new(&p, GF_PTX_RD);
    for (unsigned i = 0; i < ptx_arity(it); i++) {
        v[i] = ptx_take(&p, it, i);
    }
    gf_pv result = ptx_emit_value(&p, it, v);
    if (it->kind == PTX_NARROW) {
        ptx_give(&p, it->type, gf_ptx_narrow(&p, it->type, result));
    } else if (result.type == GF_TYPE_BOOL) {
        ptx_give(&p, GF_TYPE_BOOL, gf_ptx_narrow(&p, GF_TYPE_BOOL, result));
    } else {
        ptx_give(&p, result.type, gf_ptx_register(&p, result).number);
    }
    return p;
}

/* The kernel `name`(in, out, rows): row i is three words of `in`, its result one of `out`. */
static inline void ptx_emit_kernel(gf_str *text, const ptx_case *it, const char *name) {
    static const char *const kinds[GF_PTX_CLASSES] = {".pred", ".b32", ".b64", ".f32", ".f64", ".b16"};
    gf_ptx p = ptx_emit_body(it);
    char said[128];
    ptx_say(it, said, sizeof said);
    gf_str_addf(text, "\n// %s\n.visible .entry %s(.param .u64 in, .param .u64 out, .param .u32 rows)\n{\n", said,
                name);
    for (int i = 0; i < GF_PTX_CLASSES; i++) {
        if (p.count[i] > 0) {
            char letter[28];
            snprintf(letter, sizeof letter, "%s", gf_ptx_name((gf_ptx_class)i, 0).text);
            letter[strlen(letter) - 1] = '\0';
            gf_str_addf(text, "    .reg %s %s<%u>;\n", kinds[i], letter, (unsigned)p.count[i]);
        }
    }
    gf_str_add(text, "    .reg .b32 %i, %size, %block, %rows;\n"
                     "    .reg .pred %outside;\n"
                     "    mov.u32 %i, %tid.x;\n"
                     "    mov.u32 %size, %ntid.x;\n"
                     "    mov.u32 %block, %ctaid.x;\n"
                     "    mad.lo.u32 %i, %block, %size, %i;\n"
                     "    ld.param.u32 %rows, [rows];\n"
                     "    setp.ge.u32 %outside, %i, %rows;\n"
                     "    @%outside ret;\n"
                     "    ld.param.u64 %rd0, [in];\n"
                     "    ld.param.u64 %rd1, [out];\n"
                     "    mad.wide.u32 %rd0, %i, 24, %rd0;\n"
                     "    mad.wide.u32 %rd1, %i, 8, %rd1;\n");
    gf_str_add(text, p.text.failed ? "memory ran out" : p.text.text);
    gf_str_add(text, "    ret;\n}\n");
    gf_str_free(&p.text);
}

/* ---- values ---- */

static inline uint64_t ptx_random(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static inline uint64_t ptx_bits_of(gf_type type, double value) {
    float narrow = (float)value;
    uint32_t low;
    uint64_t bits;
    memcpy(&low, &narrow, sizeof low);
    memcpy(&bits, &value, sizeof bits);
    return type == GF_TYPE_F32 ? low : bits;
}

/* Around every power of two and its negative. */
static inline uint64_t ptx_edge_of_integer(gf_type type) {
    unsigned width = 8 * (unsigned)gf_type_bytes(type);
    uint64_t bits = (UINT64_C(1) << ptx_random() % width) + ptx_random() % 3 - 1;
    bits = (ptx_random() & 1) != 0 ? 0 - bits : bits;
    return width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

/* Exponents and fractions at which something changes, for this format and those that it is converted to. */
static inline uint64_t ptx_edge_of_float(gf_type type) {
    static const int powers[] = {-1080, -1075, -1074, -1073, -1023, -1022, -1021, -151, -150, -149, -127, -126,
                                 -125,  -54,   -53,   -26,   -25,   -24,   -15,   -14,  -2,   -1,   0,    1,
                                 2,     10,    15,    16,    22,    23,    24,    30,   31,   32,   51,   52,
                                 53,    62,    63,    64,    126,   127,   128,   1022, 1023, 1024};
    static const double factors[] = {
        1,           1 + 0x1p-23, 2 - 0x1p-23, 1.5,           1 + 0x1p-10, 1 + 0x1p-11,        1.5 + 0x1p-11,
        1 + 0x1p-52, 2 - 0x1p-52, 1 + 0x1p-24, 1 + 0x1.8p-23, 2 - 0x1p-24, 0x1.921fb54442d18p0};
    static const uint64_t special[] = {0x7f800000, 0x7fc00000, 0x7f800001, 0x7fffffff, 0x7fd23456, 0};
    static const uint64_t wide_special[] = {0x7ff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001,
                                            0x7fffffffffffffff, 0x7ff8123456789abc, 0};
    size_t pick = ptx_random() % 8, power = ptx_random() % (sizeof powers / sizeof *powers);
    double value = ldexp(factors[ptx_random() % (sizeof factors / sizeof *factors)], powers[power]);
    uint64_t bits = ptx_bits_of(type, pick == 1 ? (double)(int)(ptx_random() % 256) : value);
    if (pick == 0) {
        size_t row = ptx_random() % (sizeof special / sizeof *special);
        bits = type == GF_TYPE_F32 ? special[row] : wide_special[row];
    }
    return (ptx_random() & 1) != 0 ? bits ^ (type == GF_TYPE_F32 ? UINT64_C(1) << 31 : UINT64_C(1) << 63) : bits;
}

/* Any bits; moderate magnitudes; whole numbers; what the elementary functions do not send to 0 or infinity; near
 * multiples of pi/2. */
static inline uint64_t ptx_any_float(gf_type type) {
    uint64_t bits = ptx_random();
    double unit = ldexp((double)(bits >> 11), -53) * 2 - 1;
    switch (ptx_random() % 6) {
    case 0:
        return type == GF_TYPE_F32 ? bits >> 32 : bits;
    case 1:
        return ptx_bits_of(type, (double)(int32_t)(bits >> 32) / (double)(1 + (bits & 7)));
    case 2:
        return ptx_bits_of(type, unit * (type == GF_TYPE_F32 ? 160 : 1100));
    case 3:
        return ptx_bits_of(type, (double)(int32_t)(bits >> 40) * 1.5707963267948966);
    case 4:
        return ptx_bits_of(type, 1 + unit * ldexp(1, -(int)(bits & 15)));
    default:
        return ptx_bits_of(type, ldexp(unit, (int)(ptx_random() % 60) - 30));
    }
}

static inline uint64_t ptx_any(gf_type type) {
    uint64_t bits = ptx_random(), pick = ptx_random();
    bool edge = (pick & 1) != 0;
    switch (type) {
    case GF_TYPE_BOOL:
        return bits >> 63;
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        return edge ? ptx_edge_of_float(type) : ptx_any_float(type);
    case GF_TYPE_U32:
    case GF_TYPE_I32:
        bits >>= (pick & 2) != 0 ? 32 : 32 + (pick >> 8) % 32;
        return edge ? ptx_edge_of_integer(type) : (pick & 4) != 0 ? bits : (uint32_t)~bits;
    case GF_TYPE_U64:
    case GF_TYPE_I64:
        bits >>= (pick & 2) != 0 ? 0 : (pick >> 8) % 64;
        return edge ? ptx_edge_of_integer(type) : (pick & 4) != 0 ? bits : ~bits;
    case GF_TYPE_U8:
    case GF_TYPE_I8:
        return bits & 0xff;
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        return bits & 0xffff;
    case GF_TYPE_NONE:
        break;
    }
    return bits;
}

/* Around every f16 and half way to the next one. */
static inline uint64_t ptx_near_half(size_t row) {
    uint16_t half = (uint16_t)(row / 6 % 0x7c00);
    float value = gf_f16_to_f32(half), next = half == 0x7bff ? 65536.0f : gf_f16_to_f32((uint16_t)(half + 1));
    float at = row % 2 == 0 ? value : value + (next - value) / 2;
    uint32_t bits;
    memcpy(&bits, &at, sizeof bits);
    bits += (uint32_t)(row / 2 % 3) - 1;
    return (ptx_random() & 1) != 0 ? bits ^ UINT32_C(0x80000000) : bits;
}

/* Row number i of a case; of a shift every second count is small, and each of them comes up. */
static inline void ptx_fill_row(const ptx_case *it, size_t i, uint64_t row[3]) {
    for (unsigned k = 0; k < 3; k++) {
        row[k] = k < ptx_arity(it) ? ptx_any(ptx_operand_type(it, k)) : 0;
    }
    if (it->kind == PTX_OP && gf_op_rule((gf_op)it->op) == GF_RULE_SHIFT && i % 2 == 0) {
        row[1] = gf_eval_cast(GF_TYPE_I64, it->other, (i / 2) % 200 - 66);
    }
    if (it->kind == PTX_WIDEN && gf_type_bytes(it->type) <= 2) {
        row[0] = it->type == GF_TYPE_BOOL ? i & 1 : i & (gf_type_bytes(it->type) == 2 ? 0xffff : 0xff);
    }
    if (it->kind == PTX_NARROW && it->type == GF_TYPE_F16 && i % 4 != 0) {
        row[0] = ptx_near_half(i);
    }
    if (it->kind == PTX_TURNS && i % 3 == 0) { /* near each other, so that steps matter */
        row[1] =
            gf_eval_op(GF_OP_ADD, it->type, row[0], gf_eval_cast(GF_TYPE_I64, it->type, ptx_random() % 41 - 20), 0);
        row[2] = gf_eval_cast(GF_TYPE_I64, it->type, ptx_random() % 9 - 4);
    }
}

/* ---- the list ---- */

static inline bool ptx_is_same(const ptx_case *a, const ptx_case *b) {
    return a->kind == b->kind && a->op == b->op && a->type == b->type && a->other == b->other && a->fixed == b->fixed &&
           a->result == b->result && memcmp(a->constants, b->constants, sizeof a->constants) == 0;
}

/* Some constants are one in a narrow type. */
static inline void ptx_add(ptx_list *list, ptx_case it) {
    for (size_t i = list->count; i > 0 && i + 64 > list->count && list->count <= PTX_CASES; i--) {
        if (ptx_is_same(&list->cases[i - 1], &it)) {
            return;
        }
    }
    if (list->count < PTX_CASES) {
        list->cases[list->count] = it;
    }
    list->count++; /* too many are seen by who counts */
}

static inline void ptx_add_fixed(ptx_list *list, ptx_case it, unsigned operand, uint64_t value) {
    it.fixed |= 1u << operand;
    it.constants[operand] = gf_ptx_constant(ptx_operand_type(&it, operand), value).bits;
    ptx_add(list, it);
}

static inline bool ptx_exists(gf_op op, gf_type type) {
    bool is_bool = type == GF_TYPE_BOOL, is_float = gf_type_is_float(type);
    switch (gf_op_rule(op)) {
    case GF_RULE_NUMBER:
    case GF_RULE_ORDER:
        return !is_bool;
    case GF_RULE_INTEGER:
    case GF_RULE_SHIFT:
        return gf_type_is_integer(type);
    case GF_RULE_FLOAT:
    case GF_RULE_FLOAT_TEST:
        return is_float;
    case GF_RULE_BOOL:
        return is_bool;
    case GF_RULE_BITS:
        return !is_float;
    case GF_RULE_EQUAL:
    case GF_RULE_SELECT:
        break;
    }
    return true;
}

/* Constants that make other code, or that an immediate operand could spoil. */
static inline void ptx_add_constants(ptx_list *list, ptx_case it) {
    static const uint64_t divisors[] = {
        0,          1,          2,          3,          5,          6,          7,          9,
        10,         11,         14,         16,         25,         28,         100,        125,
        641,        1000,       0xffff,     0x10001,    1000000007, 0x7fffffff, 0x80000000, 0x80000001,
        0xaaaaaaab, 0xfffffffe, 0xffffffff, 0xfffffffd, 0xfffffff9, 0xfffffff8, 0xc0000000, 0x55555556};
    static const uint64_t wide[] = {0x100000000,        0x100000001,        0x7fffffffffffffff, 0x8000000000000000,
                                    0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff, 0xfffffffffffffff9,
                                    0xfffffffffffffff8, 0xfffffffffffffffd, 0xaaaaaaaaaaaaaaab, 0x0020000000000003,
                                    0xc000000000000000, 0x5555555555555556, 10000000000,        0xfffffffffffffff6};
    static const uint64_t integers[] = {0, 1, 2, 8, UINT64_MAX, 0x80000000, 0x8000000000000000, 33};
    static const double floats[] = {0,         -0.0,     1,        -1,        2,        -0.25,   3,
                                    0.1,       1e30,     0x1p-126, 0x1p-127,  0x1p-149, 0x1p127, -0x1p-1022,
                                    0x1p-1030, 0x1p1023, INFINITY, -INFINITY, NAN};
    bool is_float = gf_type_is_float(it.type), divides = it.op == GF_OP_DIV || it.op == GF_OP_REM;
    bool heavy = gf_op_rule((gf_op)it.op) == GF_RULE_FLOAT && it.op == GF_OP_POW;
    for (size_t i = 0; divides && !is_float && i < sizeof divisors / sizeof *divisors; i++) {
        ptx_add_fixed(list, it, 1, divisors[i]);
    }
    for (size_t i = 0; divides && gf_type_bytes(it.type) == 8 && !is_float && i < sizeof wide / sizeof *wide; i++) {
        ptx_add_fixed(list, it, 1, wide[i]);
    }
    for (unsigned operand = 0; operand < ptx_arity(&it) && ptx_arity(&it) > 1; operand++) {
        gf_type type = ptx_operand_type(&it, operand);
        for (size_t i = 0; gf_type_is_float(type) && i < sizeof floats / sizeof *floats; i++) {
            if (!heavy || i % 6 == 4) {
                ptx_add_fixed(list, it, operand, ptx_bits_of(type, floats[i]));
            }
        }
        for (size_t i = 0; !gf_type_is_float(type) && i < (type == GF_TYPE_BOOL ? 2 : sizeof integers / 8); i++) {
            if (!divides || operand == 0) {
                ptx_add_fixed(list, it, operand, integers[i]);
            }
        }
    }
}

static inline void ptx_add_op(ptx_list *list, gf_op op, gf_type type) {
    ptx_case it = {.kind = PTX_OP, .op = op, .type = type, .result = gf_op_result(op, type)};
    if (gf_op_rule(op) != GF_RULE_SHIFT) {
        ptx_add(list, it);
        ptx_add_constants(list, it);
        return;
    }
    for (size_t i = 0; i < PTX_TYPES; i++) {
        it.other = ptx_types[i];
        if (gf_type_is_integer(ptx_types[i])) {
            ptx_add(list, it);
        }
        if (ptx_types[i] == type) {
            ptx_add_constants(list, it);
        }
    }
}

static inline void ptx_add_combines(ptx_list *list, gf_type type) {
    for (unsigned combine = 0; combine < GF_COMBINE_COUNT; combine++) {
        bool logic = combine == GF_COMBINE_AND || combine == GF_COMBINE_OR;
        if (logic ? gf_type_is_float(type) : type == GF_TYPE_BOOL) {
            continue;
        }
        ptx_case it = {.kind = PTX_COMBINE, .op = combine, .type = type, .result = type};
        ptx_add(list, it);
        ptx_add_fixed(list, it, 1, gf_ptx_neutral((gf_combine)combine, type).bits);
    }
}

static inline void ptx_add_turns(ptx_list *list, gf_type type) {
    static const uint64_t steps[] = {0,          1,
                                     2,          3,
                                     1000,       0x7fffffff,
                                     0x80000000, 0xfffffffe,
                                     0xffffffff, 0x8000000000000000,
                                     UINT64_MAX, UINT64_MAX - 2};
    ptx_case it = {.kind = PTX_TURNS, .type = type, .result = GF_TYPE_U64};
    ptx_add(list, it);
    ptx_add_fixed(list, it, 0, 0);
    ptx_add_fixed(list, it, 1, 1000);
    it.other = type;
    ptx_add(list, it);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        ptx_add_fixed(list, it, 2, steps[i]);
    }
}

static inline void ptx_add_casts(ptx_list *list, gf_type from) {
    gf_type exact = gf_type_bytes(from) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    for (size_t k = 0; k < PTX_TYPES; k++) {
        gf_type to = ptx_types[k];
        ptx_case it = {.kind = PTX_CAST, .type = from, .other = to, .result = to};
        ptx_add(list, it);
        ptx_add_fixed(list, it, 0, gf_type_is_float(from) ? ptx_bits_of(from, -1e10) : UINT64_MAX);
        if (gf_type_bytes(from) == gf_type_bytes(to) && from != GF_TYPE_BOOL) {
            ptx_add(list, (ptx_case){.kind = PTX_BITCAST, .type = from, .other = to, .result = exact});
        }
    }
    ptx_add(list, (ptx_case){.kind = PTX_CANONICAL, .type = from, .result = exact});
    if (gf_type_is_float(from)) {
        ptx_add(list, (ptx_case){.kind = PTX_SUM_BITS, .type = from, .other = exact, .result = exact});
    } else {
        ptx_add(list, (ptx_case){.kind = PTX_EXTEND, .type = from, .result = GF_TYPE_U64});
    }
}

static inline void ptx_add_elements(ptx_list *list) {
    for (unsigned i = GF_TYPE_NONE + 1; i < GF_TYPE_COUNT; i++) {
        gf_type type = (gf_type)i;
        ptx_add(list, (ptx_case){.kind = PTX_WIDEN, .type = type, .result = gf_type_loaded(type)});
        ptx_case it = {.kind = PTX_NARROW, .type = type, .result = GF_TYPE_U64};
        ptx_add(list, it);
        ptx_add_fixed(list, it, 0, gf_type_is_float(type) ? ptx_bits_of(gf_type_loaded(type), NAN) : 0x12345);
    }
}

static inline void ptx_list_all(ptx_list *list) {
    list->count = 0;
    for (size_t i = 0; i < PTX_TYPES; i++) {
        gf_type type = ptx_types[i];
        for (unsigned op = GF_OP_NONE + 1; op < GF_OP_COUNT; op++) {
            if (ptx_exists((gf_op)op, type)) {
                ptx_add_op(list, (gf_op)op, type);
            }
        }
        ptx_add_combines(list, type);
        if (gf_type_is_integer(type)) {
            ptx_add_turns(list, type);
        }
        ptx_add_casts(list, type);
    }
    ptx_add_elements(list);
}

static inline bool ptx_is_elementary(const ptx_case *it) {
    return it->kind == PTX_OP && it->op >= GF_OP_EXP2 && it->op <= GF_OP_POW;
}

#endif
