/* What a device must be able to do, and how it is asked. Backends check nothing: arguments, limits and sizes were
 * checked at the front door (src/run). */
#ifndef GF_DEV_BACKEND_H
#define GF_DEV_BACKEND_H

#include "base/diag.h"
#include "base/stop.h"
#include "ir/ir.h"
#include <gridfence/base.h>

/* One buffer of a launch, in the order of the program's declarations (in, inout, out and scratch together).
 * `data` is memory of the device with room for count elements; out and scratch start as zeros (the runner sees to
 * it). A `swap` of the program exchanges the `data` of two entries. */
typedef struct gf_launch_buffer {
    void *data;
    uint64_t count; /* elements: the declared length */
} gf_launch_buffer;

/* What a trap or failed assert left behind. */
typedef struct gf_trap {
    bool raised;
    bool is_assert;
    uint64_t stretch;    /* which stretch of the run, from 0, in order of time: the earliest counts */
    uint64_t invocation; /* linear id; there the lowest counts */
    const gf_stmt *stmt; /* which statement */
    gf_value address;    /* of a trap */
} gf_trap;

typedef struct gf_launch {
    const gf_value *params;    /* one per param, in order of declaration */
    gf_launch_buffer *buffers; /* one per buffer, in order of declaration */
    uint64_t space[3];         /* invocations per axis; any 0: nothing runs */
    uint64_t groups[3];        /* workgroups per axis */
    uint64_t max_passes;       /* 1 without a fixpoint */
    bool compare;              /* measure convergence after each pass, and stop when stable */
    bool checked;              /* --checked */
    bool races;                /* --check-races; implies checked */
    gf_stop *stop;             /* polled at barriers and loop ends; NULL: never stops */
    /* After each pass; false stops the run after it. NULL allowed. */
    bool (*on_pass)(void *user, uint64_t pass, bool changed);
    void *user;
    const gf_value *forall_from; /* as in gf_backend_launch */
} gf_launch;

typedef enum gf_converged { GF_CONVERGED_UNKNOWN = -1, GF_CONVERGED_NO = 0, GF_CONVERGED_YES = 1 } gf_converged;

typedef struct gf_launch_result {
    uint64_t passes;
    gf_converged converged; /* of the fixpoint, else what converged(c) last said, else unknown */
    uint64_t barriers;      /* grid barriers met */
    gf_trap trap;
    bool has_fault; /* as in gf_backend_result */
    uint64_t fault_invocation;
} gf_launch_result;

#endif
