/* A plan as PTX text for the driver's compiler: version 6.0, target sm_70, no library. Needs no device to be made. See
 * abi.h for what the kernels in it are given. */
#ifndef GF_EMIT_PTX_EMIT_H
#define GF_EMIT_PTX_EMIT_H

#include "base/diag.h"
#include "plan/plan.h"

typedef enum gf_ptx_event {
    GF_PTX_TRAP,   /* trap or failed assert */
    GF_PTX_BOUNDS, /* checked code: an access outside its array */
    GF_PTX_DIVISION,
} gf_ptx_event;

/* Where something can go wrong: the statement or access behind a number. */
typedef struct gf_ptx_place {
    const gf_stmt *stmt;    /* of a trap or assert */
    const gf_symbol *array; /* of an access */
    gf_type type;           /* of the address or index */
    gf_span span;
} gf_ptx_place;

typedef struct gf_ptx_options {
    bool checked; /* out-of-bounds accesses and divisions by zero are recorded */
    bool wide;    /* some buffer has 2^32 elements or more: indices of 32 bits are compared in 64 */
    const bool *tracked; /* by plan buffer: writes that change something are told; NULL: none */
} gf_ptx_options;

#endif
