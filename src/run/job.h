/* One run, with every argument checked: what the strategies work from. The front door (front.c) is the only place that
 * looks at arguments; behind it sizes are known, fit, and do not overlap. */
#ifndef GF_RUN_JOB_H
#define GF_RUN_JOB_H

#include "base/stop.h"
#include "dev/device.h"
#include "ir/program.h"
#include "run/scope.h"
#include <gridfence/run.h>

typedef enum gf_bound_kind {
    GF_BOUND_NONE,
    GF_BOUND_INPUT,
    GF_BOUND_INOUT,
    GF_BOUND_OUTPUT,
    GF_BOUND_DEVICE,
} gf_bound_kind;

/* What a caller gave for one buffer. */
typedef struct gf_bound {
    gf_bound_kind kind;
    const void *input; /* INPUT, INOUT */
    size_t input_bytes;
    void *output; /* INOUT (the same memory, or other), OUTPUT */
    size_t output_bytes;
    gf_buffer *buffer; /* DEVICE; borrowed here */
} gf_bound;

typedef struct gf_job_buffer {
    const gf_symbol *symbol;
    const gf_bound *bound;
    uint64_t count; /* elements */
    size_t bytes;
    size_t back_offset, back_bytes; /* what is handed back: all, or the range of `returns` */
} gf_job_buffer;

typedef struct gf_job {
    const gf_program *program; /* borrowed */
    const gf_tree *tree;
    gf_device *device;      /* borrowed; NULL of gf_run_split */
    gf_run_options options; /* whole: what the caller's struct lacks is zero */
    const gf_scope *scope;  /* params and buffers of the program */
    gf_scope own_scope;     /* where the request gives none */
    gf_value *params;       /* in order of declaration */
    size_t param_count;
    gf_job_buffer *buffers;
    size_t buffer_count;
    uint64_t *lengths; /* elements, by buffer */
    gf_geometry geometry;
    bool is_empty;       /* no invocations: nothing runs */
    uint64_t max_passes; /* at least 1 */
    bool compare;        /* passes end when one changes nothing */
    bool may_trap;       /* the program holds a trap or assert */
    bool has_loaded;     /* what the arguments came to was read out of a buffer */
    gf_stop stop;
    double begin; /* clock */
} gf_job;

struct gf_prepared;

/* What a run asks for, before it is checked. */
typedef struct gf_request {
    const gf_program *program;
    gf_device *device;
    const gf_value *params;       /* by order of declaration; type NONE: not given */
    const gf_bound *bound;        /* by order of declaration, alive as long as the job */
    const gf_scope *scope;        /* of the program, alive as long as the job; NULL: it is made */
    bool outputs_required;        /* an `out` buffer must be bound */
    struct gf_prepared *prepared; /* of the last run of these bindings, and of this one then; NULL: of none */
} gf_request;

/* The caller's options whole. */
bool gf_options_read(gf_run_options *whole, const gf_run_options *given, gf_diags *diags);
/* Fills a zeroed job of which `options`, `begin` and `stop` are set. gf_job_finish is due in any case. */
bool gf_job_prepare(gf_job *job, const gf_request *request, gf_diags *diags);
void gf_job_finish(gf_job *job);
gf_env gf_job_env(const gf_job *job, gf_frame *frame);

/* The refusal of a run that needs more than its limit; `what` takes the memory. */
bool gf_job_check_memory(const gf_job *job, uint64_t bytes, const char *what, gf_diags *diags);
/* Whether the device takes workgroups of this size, and that many. */
bool gf_check_workgroup(const gf_device *device, const gf_tree *tree, gf_diags *diags);
bool gf_check_groups(const gf_device *device, const gf_geometry *geometry, gf_diags *diags);
uint64_t gf_tree_shared_bytes(const gf_tree *tree);

/* Whether somebody has stopped the run: a launch that returns then may have left before its end, whatever it says. */
bool gf_job_was_stopped(const gf_job *job);
/* The message of a run that was stopped by the clock or by request. */
bool gf_fail_stopped(gf_stop *stop, const gf_run_options *options, gf_diags *diags);
/* The message of a trap or failed assert. */
bool gf_fail_trap(const gf_backend_result *result, gf_diags *diags);

#endif
