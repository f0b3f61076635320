/* Single values in PTX: the op table, conversions and elementary functions as straight code at the end of a text. The
 * bits are those of ir/eval.h: IEEE division and square root, nothing contracted, no flush to zero. There is no branch
 * and no label in any of it. A NaN that an operation makes may be any NaN until gf_ptx_narrow, gf_ptx_bitcast or
 * gf_ptx_canonical.
 *
 * PTX's registers are variables: they may be written more than once, and nobody counts them (`ptxas` does). A value is
 * a register or a constant; what works on constants alone is folded by ir/eval.h. What a function gives may be the
 * register of one of its operands (of x + 0, say): who will write to that one copies first. */
#ifndef GF_EMIT_PTX_VALUE_H
#define GF_EMIT_PTX_VALUE_H

#include "base/arena.h"
#include "base/str.h"
#include "ir/op.h"

/* The classes of registers, by the letters of their names: %p (.pred) %r (.b32) %rd (.b64) %f (.f32) %d (.f64)
 * %h (.b16). */
typedef enum gf_ptx_class { GF_PTX_P, GF_PTX_R, GF_PTX_RD, GF_PTX_F, GF_PTX_D, GF_PTX_H, GF_PTX_CLASSES } gf_ptx_class;

/* The body of one function being written. Registers are numbered from 0 by class; who writes the function's frame
 * declares `.reg .b32 %r<count>;` and so on at its start, which is why the body is a text of its own. */
typedef struct gf_ptx {
    gf_str text;
    uint32_t count[GF_PTX_CLASSES];
    uint32_t labels;
    bool has_note; /* record.c has declared its variable */
    bool has_fold; /* fold.c uses its part of gf_sync */
} gf_ptx;

/* A value of an arithmetic type: bool in %p, u32 and i32 in %r, u64 and i64 in %rd, f32 in %f, f64 in %d. */
typedef struct gf_pv {
    gf_type type;
    bool is_constant;
    uint32_t number; /* of the register */
    uint64_t bits;   /* of the constant */
} gf_pv;

/* As an operand in the text: "%r5", "42", "0x80000000", "0f3f800000". A constant bool is "0" or "1", which `mov.pred`
 * takes and nothing else: see gf_ptx_register. */
typedef struct gf_ptx_operand {
    char text[28];
} gf_ptx_operand;

gf_ptx_class gf_ptx_class_of(gf_type type); /* of an arithmetic type */
/* Of an arithmetic type, as instructions name it: "pred" "u32" "s32" "u64" "s64" "f32" "f64"; and where only the bits
 * count: "pred" "b32" "b64". */
const char *gf_ptx_suffix(gf_type type);
const char *gf_ptx_bits_suffix(gf_type type);
/* Whose class of register counts, and nothing else: "pred" "b32" "b64" "f32" "f64". */
const char *gf_ptx_class_suffix(gf_type type);
/* An element that nobody computes with, by its bytes: "u8" "u16" "b32" "b64". */
const char *gf_ptx_raw_suffix(unsigned bytes);
uint32_t gf_ptx_new(gf_ptx *p, gf_ptx_class class);
gf_pv gf_ptx_new_value(gf_ptx *p, gf_type type); /* a register nobody has written */
gf_pv gf_ptx_constant(gf_type type, uint64_t bits);
gf_ptx_operand gf_ptx_spell(gf_pv v);
gf_ptx_operand gf_ptx_name(gf_ptx_class class, uint32_t number);
/* In a register whatever it was: constants are moved into a new one. */
gf_pv gf_ptx_register(gf_ptx *p, gf_pv v);
/* to = from; `to` is a register of the same type. */
void gf_ptx_move(gf_ptx *p, gf_pv to, gf_pv from);
/* One line, indented and ended: `;` is put behind what does not end in one of `;{}:` and is no comment. */
void gf_ptx_line(gf_ptx *p, const char *format, ...) GF_PRINTF(2, 3);
/* Labels are "$L0", "$L1", ... */
uint32_t gf_ptx_label(gf_ptx *p);
void gf_ptx_place(gf_ptx *p, uint32_t label); /* the label stands here */
void gf_ptx_jump(gf_ptx *p, uint32_t label);
/* To the label if the bool is `when`; a constant gives a jump or nothing. */
void gf_ptx_jump_if(gf_ptx *p, gf_pv condition, bool when, uint32_t label);

/* An operation of ops.def. `type` is as for gf_eval_op: of the operands (of the second one of SELECT); `count_type`
 * that of the count b of shifts and rotates. Operands that the operation has not are ignored. */
gf_pv gf_ptx_op(gf_ptx *p, gf_op op, gf_type type, gf_type count_type, gf_pv a, gf_pv b, gf_pv c);
/* DIV and REM of integers, where a or b is in a register and b is not the constant 0. */
gf_pv gf_ptx_divide(gf_ptx *p, gf_type type, bool rest, gf_pv a, gf_pv b);
gf_pv gf_ptx_combine(gf_ptx *p, gf_combine combine, gf_type type, gf_pv a, gf_pv b);
gf_pv gf_ptx_neutral(gf_combine combine, gf_type type); /* a constant; of a float ADD -0.0 */
/* gf_eval_turns, a u64. `has_step` false: 1. */
gf_pv gf_ptx_turns(gf_ptx *p, gf_type type, gf_pv from, gf_pv to, bool has_step, gf_pv step);
/* EXP2 LOG2 EXP LOG SIN COS TANH POW, written out in place. */
gf_pv gf_ptx_elementary(gf_ptx *p, gf_op op, gf_type type, gf_pv a, gf_pv b);

gf_pv gf_ptx_cast(gf_ptx *p, gf_type to, gf_pv v); /* from v.type */
gf_pv gf_ptx_bitcast(gf_ptx *p, gf_type to, gf_pv v);
/* Of a float any NaN becomes the one NaN; all else stays. */
gf_pv gf_ptx_canonical(gf_ptx *p, gf_pv v);
/* Integers to u64, signed ones by their sign: for indices. */
gf_pv gf_ptx_extend(gf_ptx *p, gf_pv v);

/* An element as it lies in memory and as instructions load and store it: the suffix "u8" "s8" "u16" "s16" "b16" "b32"
 * "b64" "f32" "f64", and the class of the register that takes it: u8 s8 u16 s16 in %r, f16 ("b16") in %h. */
const char *gf_ptx_stored_suffix(gf_type stored);
gf_ptx_class gf_ptx_stored_class(gf_type stored);
/* What was loaded into register `raw` as gf_type_loaded(stored) (bool is stored as u8); and a value made ready to be
 * stored, the register that holds it as given back: a NaN is the one NaN, f32 was rounded to f16. Upper bits of the
 * register are ignored by the store. */
gf_pv gf_ptx_widen(gf_ptx *p, gf_type stored, uint32_t raw);
uint32_t gf_ptx_narrow(gf_ptx *p, gf_type stored, gf_pv v);

#endif
