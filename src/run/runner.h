/* One run from its bindings to its end; what gf_run and gf_run_async share. */
#ifndef GF_RUN_RUNNER_H
#define GF_RUN_RUNNER_H

#include "run/bindings.h"
#include "run/cancel.h"

/* A run that was submitted: what was bound then, and its place in the order. */
typedef struct gf_run_state {
    gf_kernel *kernel;     /* held */
    gf_bindings *bindings; /* held */
    gf_run_options options;
    gf_value *params;
    gf_bound *buffers;  /* device buffers held */
    gf_ticket *tickets; /* of the bindings and each device buffer */
    size_t ticket_count;
    double begin;
    gf_stats stats;
} gf_run_state;

/* Takes the arguments and a place in the order. gf_run_state_finish is due in any case. */
bool gf_run_state_submit(gf_run_state *run, gf_kernel *kernel, gf_bindings *bindings, const gf_run_options *options,
                         gf_diags *diags);
/* Waits for its turn, runs, and lets the next ones in. After a submit that succeeded. */
bool gf_run_state_execute(gf_run_state *run, gf_diags *diags);
void gf_run_state_finish(gf_run_state *run);

#endif
