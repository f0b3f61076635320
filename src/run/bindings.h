/* What a caller bound, as the runs of a kernel find it. */
#ifndef GF_RUN_BINDINGS_H
#define GF_RUN_BINDINGS_H

#include "run/job.h"
#include "run/kernel.h"
#include "run/prepared.h"
#include "run/stats.h"

struct gf_bindings {
    gf_kernel *kernel; /* held */
    gf_value *params;  /* by order of declaration; type NONE: not bound */
    gf_bound *buffers; /* by order of declaration; device buffers are held */
    size_t param_count, buffer_count;
    char *bad_name; /* the first name that the program does not have, told by the next run */
    bool bad_is_param;
    bool changed_in_flight; /* told by the next run too */
    bool no_memory;
    gf_queue queue;              /* runs of the same bindings, one after the other */
    _Atomic(unsigned) in_flight; /* asynchronous runs not waited for */
    gf_profile profile;          /* of the latest run; under the queue */
    gf_prepared prepared;        /* the same */
    _Atomic(unsigned) references;
};

gf_bindings *gf_bindings_hold(gf_bindings *bindings);
/* What was wrong in calls of gf_bind_*; told once. */
bool gf_bindings_check(gf_bindings *bindings, gf_diags *diags);

#endif
