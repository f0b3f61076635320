/* Indices as sums, to see which accesses of neighbouring invocations lie side by side: what is added up is known before
 * anything of the invocation has been executed, and the place in the row (gid.x) counts once. */
#ifndef GF_EMIT_PTX_INDEX_H
#define GF_EMIT_PTX_INDEX_H

#include "emit/ptx/emitter.h"

#define GF_PTX_MOST_TERMS 6

typedef struct gf_ptx_term {
    const gf_expr *atom; /* does not know gid.x */
    uint64_t factor;
} gf_ptx_term;

/* constant + x * gid.x + factor * atom + ..., all in the width of the type. */
typedef struct gf_ptx_sum {
    gf_type type; /* U32 I32 U64 I64; NONE: no such sum */
    uint64_t constant, x;
    gf_ptx_term terms[GF_PTX_MOST_TERMS];
    size_t count;
} gf_ptx_sum;

/* The expression in terms of params, constants, lengths, sizes and gid alone: the same wherever it stands. NULL: it
 * depends on more, or is large. */
const gf_expr *gf_ptx_close(gf_ptx_emit *e, const gf_expr *expr);
/* Of a function's arguments and a let, when they are bound. */
void gf_ptx_close_name(gf_ptx_emit *e, const gf_symbol *symbol, const gf_expr *closed);
bool gf_ptx_knows_axis(const gf_expr *closed, gf_axis axis); /* gid of it stands there */
/* Of a closed expression, as an index: what a u32 is widened to counts as the u32. */
gf_ptx_sum gf_ptx_sum_of(const gf_expr *closed);
/* But for the constant. */
bool gf_ptx_same_sum(const gf_ptx_sum *a, const gf_ptx_sum *b);
/* From row to row of the space the sum grows by one amount that is the same for all, if at all. */
bool gf_ptx_is_even(const gf_ptx_sum *sum);
/* The value where gid is the emitter's, with another constant. */
gf_pv gf_ptx_emit_sum(gf_ptx_emit *e, const gf_ptx_sum *sum, uint64_t constant);

#endif
