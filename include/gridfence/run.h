/* gridfence/run.h - running programs: a kernel is a program made ready for a device, bindings give it its data, gf_run
 * runs it.
 *
 * Handles that could not be made are NULL, and NULL is taken by every function here, which then fails and adds no
 * second message. Structs that a caller fills carry their `size` and grow at the end only; a size of 0 stands for the
 * whole struct as this header has it.
 *
 * Threads: a kernel is shared freely; bindings, a sink and a run belong to one thread at a time. */
#ifndef GRIDFENCE_RUN_H
#define GRIDFENCE_RUN_H

#include <gridfence/device.h>
#include <gridfence/plan.h>
#include <gridfence/program.h>

#ifdef __cplusplus
extern "C" {
#endif

GF_API const char *gf_strategy_name(gf_strategy strategy); /* "auto", "native", ...; static storage */
/* False where the text is none of them. */
GF_API bool gf_strategy_from_name(const char *name, gf_strategy *out);

/* ---- kernels ---- */

typedef struct gf_kernel gf_kernel;

typedef struct gf_kernel_options {
    size_t size;           /* sizeof(gf_kernel_options), or 0 */
    uint32_t workgroup[3]; /* instead of the program's; all 0: the program's. Refused where it would change results */
    gf_plan_options plan;  /* of the strategies that split */
} gf_kernel_options;

/* Holds device and program. `options` may be NULL. */
GF_API gf_kernel *gf_kernel_create(gf_device *device, gf_program *program, const gf_kernel_options *options,
                                   gf_diags *diags);
GF_API void gf_kernel_destroy(gf_kernel *kernel);
/* Workgroups that the device can hold at once for `native`; UINT64_MAX where any number is fine, 0 where the device has
 * no grid barrier or the kernel is NULL. */
GF_API uint64_t gf_kernel_max_resident_groups(gf_kernel *kernel);
/* The plan that a run of this kernel by segments walks, for the number of passes of such a run; borrowed from the
 * kernel. NULL with a message. */
GF_API const gf_plan *gf_kernel_plan(gf_kernel *kernel, bool many_passes, gf_diags *diags);

/* ---- bindings ---- */

/* What the params and buffers of one kernel are. They hold for all later runs until bound again. A bad name, type or
 * size is told by gf_run. Memory is borrowed until the run returns (gf_run_wait has, of gf_run_async). */
typedef struct gf_bindings gf_bindings;

GF_API gf_bindings *gf_bindings_create(gf_kernel *kernel); /* NULL where there is no memory */
GF_API void gf_bindings_destroy(gf_bindings *bindings);

GF_API void gf_bind_u32(gf_bindings *bindings, const char *param, uint32_t value);
GF_API void gf_bind_i32(gf_bindings *bindings, const char *param, int32_t value);
GF_API void gf_bind_u64(gf_bindings *bindings, const char *param, uint64_t value);
GF_API void gf_bind_i64(gf_bindings *bindings, const char *param, int64_t value);
GF_API void gf_bind_f32(gf_bindings *bindings, const char *param, float value);
GF_API void gf_bind_f64(gf_bindings *bindings, const char *param, double value);
GF_API void gf_bind_bool(gf_bindings *bindings, const char *param, bool value);
GF_API void gf_bind_value(gf_bindings *bindings, const char *param, gf_value value);

/* An `in` buffer: `bytes` bytes of elements, read only; nobody may change them while a run goes on. May be longer than
 * declared. */
GF_API void gf_bind_input(gf_bindings *bindings, const char *buffer, const void *data, size_t bytes);
/* An `inout` buffer: read at the start, written when the run has succeeded, and only then. */
GF_API void gf_bind_inout(gf_bindings *bindings, const char *buffer, void *data, size_t bytes);
/* An `out` buffer: written when the run has succeeded. With `returns(a .. b)` it takes that range, from its begin. */
GF_API void gf_bind_output(gf_bindings *bindings, const char *buffer, void *data, size_t bytes);
/* A buffer of any role in device memory, worked on in place. Held by the bindings. `out` and `scratch` are set to zeros
 * when the run begins. After a failed run that launched anything the contents are undefined (see keep_on_failure). */
GF_API void gf_bind_buffer(gf_bindings *bindings, const char *buffer, gf_buffer *data);

/* ---- running ---- */

/* A request to stop that another thread may make. */
typedef struct gf_cancel gf_cancel;
GF_API gf_cancel *gf_cancel_create(void);         /* NULL where there is no memory */
GF_API void gf_cancel_request(gf_cancel *cancel); /* stops the runs that carry it, now and later, until cleared */
GF_API void gf_cancel_clear(gf_cancel *cancel);
GF_API void gf_cancel_destroy(gf_cancel *cancel); /* not while a run carries it */

/* What happened when, for a picture of a run. */
typedef struct gf_trace gf_trace;
typedef struct gf_trace_event {
    char name[64];        /* region of a segment or "segment"; "upload", "pass", ... */
    const char *category; /* "segment", "pass", "transfer", "run"; static storage */
    double begin, end;    /* seconds since the trace was made */
    uint64_t segment;     /* index, or UINT64_MAX */
    uint64_t pass;        /* from 1, or 0 */
} gf_trace_event;
GF_API gf_trace *gf_trace_create(size_t limit); /* keeps at most `limit` events (0: a million); NULL without memory */
GF_API void gf_trace_destroy(gf_trace *trace);
GF_API size_t gf_trace_count(const gf_trace *trace);
GF_API size_t gf_trace_lost(const gf_trace *trace); /* events past the limit */
GF_API bool gf_trace_get(const gf_trace *trace, size_t index, gf_trace_event *out);

/* A param of gf_run_split: its bits as in gf_value. */
typedef struct gf_run_param {
    const char *name;
    gf_type type;
    uint64_t bits;
} gf_run_param;

/* Zeros everywhere ask for nothing special. */
typedef struct gf_run_options {
    size_t size;         /* sizeof(gf_run_options), or 0 */
    uint64_t max_passes; /* 0: the program's fixpoint limit, or 1. N for a program without fixpoint: the body up to N
                            times, ending when a pass changes nothing that it hands back or keeps */
    gf_strategy strategy;
    double timeout;         /* seconds for the whole run; 0: none */
    uint64_t memory_limit;  /* bytes of device memory for the whole run; 0: none */
    bool checked;           /* out of bounds, division by zero are errors */
    bool check_races;       /* and races; where the device can */
    bool require_converged; /* not converged at the last pass: the run fails, nothing is handed back */
    bool keep_on_failure;   /* buffers of gf_bind_buffer are put back as they were when a run fails */
    /* After each pass, on the thread that runs; false ends the run there: it succeeds with what it has. Must not touch
     * the buffers of the run. `elapsed` in seconds. */
    bool (*on_pass)(void *user, uint64_t pass, bool changed, double elapsed);
    void *on_pass_user;
    gf_cancel *cancel; /* borrowed */
    gf_trace *trace;   /* borrowed; gets events */
    /* Of gf_run_split alone: */
    const gf_run_param *params;
    size_t param_count;
    const gf_plan_options *plan; /* NULL: the default */
    /* Of all runs again: */
    bool profile;  /* gf_run_profile tells segments of strategy native too, where the device can; it costs two looks at
                      the clock per segment */
    bool in_place; /* memory of `inout` and `out` buffers may be worked on directly: after a failed run its contents are
                      undefined. Without this it is done only where a run cannot fail once it has begun (below). */
} gf_run_options;

typedef struct gf_stats {
    size_t size; /* set by the run */
    gf_status status;
    gf_strategy strategy; /* the one that ran */
    char reason[256];     /* why that one */
    char device[64];
    uint64_t passes;
    int converged;             /* 1 yes, 0 no, -1 nobody asked: no fixpoint and no converged(c); or it failed */
    uint64_t launches;         /* that did work */
    uint64_t launches_skipped; /* that found nothing to do: no workgroups, or the run over */
    uint64_t barriers;         /* grid barriers met */
    uint64_t segments;         /* of the plan; 0 where there was none */
    uint64_t bytes_up;         /* to the device, or handed to callbacks */
    uint64_t bytes_down;       /* back */
    uint64_t bytes_carried;    /* of hidden buffers: values that cross a barrier */
    uint64_t bytes_device;     /* memory that the run took, at most */
    double seconds_wall;
    double seconds_device; /* -1: not known; so is a sum of which one part is not known */
    double seconds_queue;
    double seconds_wait;
} gf_stats;

/* Memory of the caller is worked on in place, without a copy, where the device computes in memory of the process, the
 * program runs there in one launch that cannot fail half-way, and nobody can stop the run: no trap or assert in the
 * program; no checked mode, timeout, cancel, on_pass or require_converged asked for. The memory must be aligned to its
 * elements, and an `out` buffer handed back whole. Else results are copied to it when the run has succeeded.
 *
 * Runs and waits. `options` and `stats` may be NULL. On failure nothing was written to memory of the caller; a failure
 * while results are read back from the device says so. */
GF_API bool gf_run(gf_kernel *kernel, gf_bindings *bindings, const gf_run_options *options, gf_stats *stats,
                   gf_diags *diags);

/* Times of the segments in the latest finished run of these bindings. */
typedef struct gf_profile_entry {
    uint64_t segment; /* index; of `native` without gf_run_options.profile the one entry of the whole program */
    char region[64];  /* "" where there is none */
    uint64_t launches;
    double seconds; /* wall */
    uint64_t bytes; /* handed over and back */
} gf_profile_entry;
/* How many there are; the first `capacity` of them go to `entries` (NULL where capacity is 0). */
GF_API size_t gf_run_profile(const gf_bindings *bindings, gf_profile_entry *entries, size_t capacity);

/* A run on a thread of its own. What is bound now counts. Runs, reads and writes that share a buffer take effect in the
 * order submitted; so do runs of the same bindings. `options` is copied; what it points to is borrowed until the wait
 * has returned. Bindings may not change until then: such a call is told by the next run. */
typedef struct gf_pending gf_pending;
GF_API gf_pending *gf_run_async(gf_kernel *kernel, gf_bindings *bindings, const gf_run_options *options,
                                gf_diags *diags);
GF_API bool gf_run_poll(const gf_pending *pending); /* true once it is over, or NULL */
/* Waits, gives what gf_run would have given, and frees it. */
GF_API bool gf_run_wait(gf_pending *pending, gf_stats *stats, gf_diags *diags);

/* Process-wide, since it began. */
typedef struct gf_counters {
    uint64_t runs, splits, segments, barriers, passes, early_exits, launches, launches_skipped;
    uint64_t bytes_up, bytes_down, bytes_carried;
} gf_counters;
GF_API void gf_counters_snapshot(gf_counters *out);

/* ---- a device that can only run one kernel ---- */

/* Runs one segment: a complete program without grid barriers. Its params carry their present values
 * (gf_program_param(segment, name, &value)); it has one address for the whole run. `groups` counts workgroups of the
 * segment's own workgroup size. `inputs` are its in and inout buffers, `outputs` its inout and out buffers, in the
 * order of its declarations; capacity and, already set, size of an output are the bytes that it has. An `inout` is one
 * storage: outputs[j].data == inputs[i].data and holds the present contents, to be worked on in place. Of an `out` the
 * storage holds zeros, or anything where the segment writes all of it. Memory stays the runner's. Failure: false, with
 * a message in the sink; then nothing else runs. */
typedef bool gf_dispatch_fn(void *user, const gf_program *segment, const uint32_t groups[3], const gf_bytes *inputs,
                            size_t input_count, gf_output *outputs, size_t output_count, gf_diags *diags);

/* Splits the program and runs it over `dispatch`. Inputs and outputs are positional, in the order of declaration: `in`
 * and `inout` take an input place, `inout` and `out` an output place. Outputs are the caller's: `data` with room for
 * `capacity`; written, and `size` set, only when the run has succeeded. */
GF_API bool gf_run_split(const gf_program *program, const gf_bytes *inputs, size_t input_count,
                         const gf_run_options *options, gf_dispatch_fn *dispatch, void *user, gf_output *outputs,
                         size_t output_count, gf_stats *stats, gf_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
