/* Strategy native: the whole program in one launch; the device does barriers, passes and comparisons. */
#include "base/clock.h"
#include "base/memory.h"
#include "ir/eval.h"
#include "run/store.h"
#include "run/strategy.h"
#include <string.h>

typedef struct native_run {
    gf_job *job;
    gf_store store;
    gf_backend_buffer *buffers;
    gf_float_mode float_mode; /* the caller's */
    double pass_begin;
} native_run;

static bool after_pass(void *user, uint64_t pass, bool changed) {
    native_run *run = user;
    const gf_run_options *options = &run->job->options;
    double now = gf_clock_seconds();
    gf_trace_add(options->trace, "pass", "pass", run->pass_begin, now, UINT64_MAX, pass);
    bool go_on = true;
    if (options->on_pass != NULL) {
        gf_float_mode_leave(&run->float_mode);
        go_on = options->on_pass(options->on_pass_user, pass, changed, now - run->job->begin);
        gf_float_mode_enter(&run->float_mode);
    }
    run->pass_begin = gf_clock_seconds();
    return go_on;
}

/* Buffers that nobody writes may be the caller's own; all others are the run's. */
static bool fill_table(native_run *run, gf_diags *diags) {
    const gf_job *job = run->job;
    for (uint32_t i = 0; i < job->buffer_count; i++) {
        const void *view = NULL;
        void *edit = NULL;
        if (job->buffers[i].symbol->role == GF_ROLE_IN ? !gf_store_view(&run->store, i, &view, diags)
                                                       : !gf_store_edit(&run->store, i, &edit, diags)) {
            return false;
        }
        run->buffers[i].memory = edit != NULL ? edit : (void *)(uintptr_t)view;
        run->buffers[i].count = job->buffers[i].count;
    }
    return true;
}

/* The program may have swapped: names stand for what the device left in the table. */
static void follow_swaps(native_run *run, void *const *before) {
    size_t count = run->job->buffer_count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; run->buffers[i].memory != before[i] && k < count; k++) {
            if (before[k] == run->buffers[i].memory) {
                run->store.names[i] = k;
                break;
            }
        }
    }
}

static bool launch(native_run *run, void *kernel, gf_stats *stats, gf_profile *profile, gf_diags *diags) {
    gf_job *job = run->job;
    gf_backend_launch asked = {.params = job->params,
                               .param_count = job->param_count,
                               .buffers = run->buffers,
                               .buffer_count = job->buffer_count,
                               .max_passes = job->max_passes,
                               .compare = job->compare,
                               .checked = job->options.checked || job->options.check_races,
                               .races = job->options.check_races,
                               .stop = &job->stop,
                               .on_pass = after_pass,
                               .on_pass_user = run};
    gf_backend_result result = {.converged = -1, .seconds_device = -1, .seconds_queue = -1, .seconds_wait = -1};
    memcpy(asked.space, job->geometry.space, sizeof asked.space);
    memcpy(asked.groups, job->geometry.groups, sizeof asked.groups);
    size_t errors = gf_diags_error_count(diags);
    double begin = gf_clock_seconds();
    run->pass_begin = begin;
    bool done = job->device->table->launch(job->device->handle, kernel, &asked, &result, diags);
    double end = gf_clock_seconds();
    gf_trace_add(job->options.trace, "launch", "run", begin, end, UINT64_MAX, 0);
    stats->launches++;
    stats->passes = result.passes;
    stats->converged = result.converged;
    stats->barriers = result.barriers;
    gf_seconds_add(&stats->seconds_device, result.seconds_device);
    gf_seconds_add(&stats->seconds_queue, result.seconds_queue);
    gf_seconds_add(&stats->seconds_wait, result.seconds_wait);
    profile->entries[0].launches = 1;
    profile->entries[0].seconds = end - begin;
    if (done && result.trapped) {
        return gf_fail_trap(&result, diags);
    }
    if (!done && gf_diags_error_count(diags) == errors) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "device `%s` failed to run program `%s`",
                      job->device->name, job->tree->name);
    }
    return done;
}

static bool check_memory(const gf_job *job, gf_diags *diags) {
    uint64_t total = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const gf_job_buffer *buffer = &job->buffers[i];
        bool lent = job->device->limits.host_memory && buffer->bound->kind == GF_BOUND_INPUT;
        total += lent || buffer->bound->kind == GF_BOUND_DEVICE ? 0 : buffer->bytes;
    }
    return gf_job_check_memory(job, total, "the run", diags);
}

static bool run_all(native_run *run, void *kernel, gf_stats *stats, gf_profile *profile, gf_diags *diags) {
    size_t count = run->job->buffer_count;
    run->buffers = gf_calloc(count, sizeof *run->buffers);
    void **before = gf_calloc(count, sizeof *before);
    profile->entries = gf_calloc(1, sizeof *profile->entries);
    bool done = run->buffers != NULL && before != NULL && profile->entries != NULL ? true : gf_fail_memory(diags);
    profile->count = profile->entries != NULL ? 1 : 0;
    done = done && check_memory(run->job, diags) &&
           gf_store_init(&run->store, run->job, NULL, run->job->device, diags) && fill_table(run, diags);
    if (done && run->job->is_empty) {
        stats->passes = 1;
        stats->converged = run->job->compare ? 1 : -1;
        stats->launches_skipped++;
    } else if (done) {
        for (size_t i = 0; before != NULL && i < count; i++) {
            before[i] = run->buffers[i].memory;
        }
        done = launch(run, kernel, stats, profile, diags);
        follow_swaps(run, before);
    }
    if (done && run->job->options.require_converged && stats->converged == 0) {
        done = gf_fail(diags, GF_CODE_NOT_CONVERGED, GF_NO_SPAN, "not converged after %llu pass%s",
                       (unsigned long long)stats->passes, stats->passes == 1 ? "" : "es");
    }
    done = done && gf_store_hand_back(&run->store, diags);
    stats->bytes_up += run->store.bytes_up;
    stats->bytes_down += run->store.bytes_down;
    stats->bytes_device = run->store.bytes_most;
    gf_store_finish(&run->store);
    gf_free(before);
    gf_free(run->buffers);
    return done;
}

bool gf_run_native(gf_job *job, void *kernel, gf_stats *stats, gf_profile *profile, gf_diags *diags) {
    native_run run = {.job = job};
    gf_float_mode_enter(&run.float_mode);
    bool done = run_all(&run, kernel, stats, profile, diags);
    gf_float_mode_leave(&run.float_mode);
    return done;
}
