/* The meaning of the op table on single values, and of scalar expressions over an environment. */
#ifndef GF_IR_EVAL_H
#define GF_IR_EVAL_H

#include "base/diag.h"
#include "ir/ir.h"

/* One operation on bit patterns of `type` (of SELECT: the type of the two sides; of comparisons: of the operands).
 * Gives the bits of the result. Runs under the caller's floating-point mode: see gf_float_mode. */
uint64_t gf_eval_op(gf_op op, gf_type type, uint64_t a, uint64_t b, uint64_t c);
/* The type an operation gives for operands of `type`. */
gf_type gf_op_result(gf_op op, gf_type type);
uint64_t gf_eval_cast(gf_type from, gf_type to, uint64_t bits);
uint64_t gf_eval_bitcast(gf_type from, gf_type to, uint64_t bits);
/* The value that an atomic leaves in the element, given the old one (bits of an arithmetic type). */
uint64_t gf_eval_atomic(gf_atomic atomic, gf_type type, uint64_t old, uint64_t a, uint64_t b);
uint64_t gf_eval_combine(gf_combine combine, gf_type type, uint64_t a, uint64_t b);
/* The x with combine(x, y) = y for every y: of float add it is -0.0, of float min inf. */
uint64_t gf_combine_neutral(gf_combine combine, gf_type type);
/* ANY OR, ALL AND, SCAN_ADD ADD ... */
gf_combine gf_cross_combine(gf_cross cross);
/* Any NaN becomes the one NaN of its type; other bits stay. */
uint64_t gf_canonical(gf_type type, uint64_t bits);

/* How often `for i in a .. b step s` turns: ceil((b - a) / s) counted without wrap, 0 where that is negative or s is 0;
 * i is a + turn * s in the type, wrapping. All three are bits of the integer type. */
uint64_t gf_eval_turns(gf_type type, uint64_t a, uint64_t b, uint64_t s);

/* Elements in memory (little-endian host order). A load widens small types; a store wraps or rounds and makes NaN
 * canonical. `bits` is of gf_type_loaded(type). */
uint64_t gf_element_load(gf_type type, const void *element);
void gf_element_store(gf_type type, void *element, uint64_t bits);
uint16_t gf_f16_from_f32(float value);
float gf_f16_to_f32(uint16_t half);

/* Round to nearest, no flushing, no traps, for as long as the library computes. */
typedef struct gf_float_mode {
    unsigned char saved[64];
} gf_float_mode;
void gf_float_mode_enter(gf_float_mode *mode);
void gf_float_mode_leave(const gf_float_mode *mode);

/* What checked mode refuses, and the language otherwise gives a meaning to. */
typedef struct gf_eval_fault {
    gf_span span;
    const gf_symbol *array; /* an access out of its bounds; NULL: an integer division by zero */
    gf_type type;           /* of the index */
    uint64_t index, length;
} gf_eval_fault;

/* What a scalar expression may ask for. Each gives false where it has no answer, with a diagnostic or without. */
typedef struct gf_env {
    void *user;
    /* a PARAM, or a local that is a grid register */
    bool (*symbol)(void *user, const gf_symbol *symbol, uint64_t *bits);
    bool (*length)(void *user, const gf_symbol *buffer, uint64_t *count);
    /* Out of bounds gives 0 and is no failure. */
    bool (*load)(void *user, const gf_symbol *buffer, uint64_t index, uint64_t *bits);
    /* Told of each fault; false ends the evaluation. NULL: nobody wants to know. */
    bool (*fault)(void *user, const gf_eval_fault *fault);
    bool has_geometry;
    uint64_t space[3], groups[3], workgroup[3]; /* of SPACE, GRID_SIZE, GROUP_SIZE */
    bool in_group;                              /* evaluated for one workgroup, so that WID has a value */
    uint64_t wid[3];
} gf_env;

/* A checked expression of constants, params, registers, len, sizes, rank (0 of 1), loads and pure calls. */
bool gf_eval(const gf_expr *expr, const gf_env *env, uint64_t *bits);

/* Sizes, spaces and defaults of params: computed in 64 bits whatever the types say. Overflow, a negative result and a
 * division by zero are refused with a message that names `what` ("size of buffer `row`"). Floats are not allowed. */
bool gf_eval_size(const gf_expr *expr, const gf_env *env, const char *what, uint64_t *out, gf_diags *diags);
/* A constant or default of any type: integers in 64 bits and then checked to fit `type`, floats in the type. */
bool gf_eval_constant(const gf_expr *expr, const gf_env *env, gf_type type, const char *what, uint64_t *bits,
                      gf_diags *diags);

#endif
