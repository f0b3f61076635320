/* Strategy native: the whole program in one launch; the device does barriers, passes and comparisons. */
#include "base/clock.h"
#include "base/memory.h"
#include "ir/eval.h"
#include "run/in_place.h"
#include "run/store.h"
#include "run/strategy.h"
#include <stdio.h>
#include <string.h>

typedef struct native_run {
    gf_job *job;
    void *kernel;
    const gf_plan *plan; /* of the kernel, where the device tells it */
    gf_store store;
    gf_backend_buffer *buffers;
    void **before;                 /* their memory before the launch */
    bool *overwritten, *own_zeros; /* by buffer */
    bool *zeros;                   /* the same: the launch sets them; NULL: the store does */
    gf_backend_segment *segments;  /* NULL: the profile has one entry */
    gf_stats *stats;
    gf_profile *profile;
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

static bool fill_entry(native_run *run, uint32_t i, gf_diags *diags) {
    const void *view = NULL;
    void *edit = NULL;
    if (run->job->buffers[i].symbol->role == GF_ROLE_IN ? !gf_store_view(&run->store, i, &view, diags)
                                                        : !gf_store_edit(&run->store, i, &edit, diags)) {
        return false;
    }
    run->buffers[i].memory = edit != NULL ? edit : (void *)(uintptr_t)view;
    run->buffers[i].count = run->job->buffers[i].count;
    run->before[i] = run->buffers[i].memory;
    return true;
}

/* Buffers that nobody writes may be the caller's own; all others are the run's, or worked on in place. Those come last:
 * they may be set to zeros here, and then nothing may fail any more. */
static bool fill_table(native_run *run, gf_diags *diags) {
    for (int in_place = 0; in_place < 2; in_place++) {
        for (uint32_t i = 0; i < run->job->buffer_count; i++) {
            bool is_last = run->store.in_place && gf_job_buffer_in_place(&run->job->buffers[i]);
            if (is_last == (in_place != 0) && !fill_entry(run, i, diags)) {
                return false;
            }
        }
    }
    return true;
}

/* The program may have swapped: names stand for what the device left in the table. */
static void follow_swaps(native_run *run) {
    void *const *before = run->before;
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

/* ---- what is told of the launch ---- */

/* An entry per segment where the run goes by segments, by its strategy or because the caller wants to know. */
static bool make_profile(native_run *run, gf_diags *diags) {
    /* A checked run may go by another plan, which leaves nothing out. */
    bool checked = run->job->options.checked || run->job->options.check_races;
    bool by_segment =
        run->plan != NULL && !checked && (run->job->options.profile || run->stats->strategy != GF_STRATEGY_NATIVE);
    size_t count = by_segment ? run->plan->segment_count : 1;
    /* One at least, for a device that tells no segments, though there may be none. */
    run->profile->entries = gf_calloc(count > 0 ? count : 1, sizeof *run->profile->entries);
    run->segments = by_segment ? gf_calloc(count, sizeof *run->segments) : NULL;
    if (run->profile->entries == NULL || (by_segment && run->segments == NULL)) {
        return gf_fail_memory(diags);
    }
    run->profile->count = count;
    return true;
}

/* A device that goes through segments where the host does not see it says nothing of them: then there is one entry. */
static bool tells_segments(const native_run *run, const gf_backend_result *result) {
    bool is_told = !result->counts_launches && (result->launches > 0 || result->launches_skipped > 0);
    for (size_t i = 0; run->segments != NULL && i < run->profile->count; i++) {
        is_told = is_told || run->segments[i].launches > 0;
    }
    return run->segments != NULL && is_told;
}

static void name_entries(native_run *run) {
    for (size_t i = 0; run->segments != NULL && i < run->profile->count; i++) {
        gf_profile_entry *entry = &run->profile->entries[i];
        const char *region = run->plan->segments[i]->region;
        entry->segment = i;
        (void)snprintf(entry->region, sizeof entry->region, "%s", region != NULL ? region : "");
    }
}

static void note_profile(native_run *run, const gf_backend_result *result, double seconds) {
    gf_profile_entry *entries = run->profile->entries;
    if (!tells_segments(run, result)) {
        run->profile->count = 1;
        entries[0] = (gf_profile_entry){.launches = 1, .seconds = seconds};
        return;
    }
    name_entries(run);
    for (size_t i = 0; i < run->profile->count; i++) {
        entries[i].launches = run->segments[i].launches;
        entries[i].seconds = run->segments[i].seconds;
        entries[i].bytes = run->segments[i].bytes;
    }
}

static void note_result(native_run *run, const gf_backend_result *result) {
    gf_stats *stats = run->stats;
    bool is_told = result->counts_launches || result->launches > 0 || result->launches_skipped > 0;
    stats->launches += is_told ? result->launches : 1;
    stats->launches_skipped += result->launches_skipped;
    stats->passes = result->passes;
    stats->converged = result->converged;
    stats->barriers = result->barriers;
    stats->bytes_carried += result->bytes_carried;
    stats->bytes_device = run->store.bytes_most + result->bytes_hidden;
    gf_seconds_add(&stats->seconds_device, result->seconds_device);
    gf_seconds_add(&stats->seconds_queue, result->seconds_queue);
    gf_seconds_add(&stats->seconds_wait, result->seconds_wait);
}

/* ---- the launch ---- */

static bool launch(native_run *run, gf_diags *diags) {
    gf_job *job = run->job;
    bool is_heard = job->options.on_pass != NULL || job->options.trace != NULL;
    gf_backend_launch asked = {.params = job->params,
                               .param_count = job->param_count,
                               .buffers = run->buffers,
                               .buffer_count = job->buffer_count,
                               .max_passes = job->max_passes,
                               .compare = job->compare,
                               .checked = job->options.checked || job->options.check_races,
                               .races = job->options.check_races,
                               .stop = &job->stop,
                               .on_pass = is_heard ? after_pass : NULL,
                               .on_pass_user = run,
                               .keep_shares = run->stats->strategy == GF_STRATEGY_PERSISTENT,
                               .by_segments = run->stats->strategy == GF_STRATEGY_RESIDENT,
                               .segments = run->segments,
                               .segment_count = run->segments != NULL ? run->profile->count : 0,
                               .memory_left = gf_store_memory_left(&run->store),
                               .own_zeros = run->own_zeros,
                               .zeros = run->zeros};
    gf_backend_result result = {.converged = -1, .seconds_device = -1, .seconds_queue = -1, .seconds_wait = -1};
    memcpy(asked.space, job->geometry.space, sizeof asked.space);
    memcpy(asked.groups, job->geometry.groups, sizeof asked.groups);
    size_t errors = gf_diags_error_count(diags);
    double begin = gf_clock_seconds();
    run->pass_begin = begin;
    bool done = job->device->table.launch(job->device->handle, run->kernel, &asked, &result, diags);
    double end = gf_clock_seconds();
    gf_trace_add(job->options.trace, "launch", "run", begin, end, UINT64_MAX, 0);
    note_result(run, &result);
    note_profile(run, &result, end - begin);
    if (!done || result.trapped || gf_job_was_stopped(job)) {
        run->stats->converged = -1; /* whatever the device knows of it: the run did not come to its end */
    }
    if (done && result.trapped) {
        return gf_fail_trap(&result, diags);
    }
    if (done && gf_job_was_stopped(job)) {
        return gf_fail_stopped(&job->stop, &job->options, diags);
    }
    if (!done && gf_diags_error_count(diags) == errors) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "device `%s` failed to run program `%s`",
                      job->device->name, job->tree->name);
    }
    return done;
}

/* ---- begin and end ---- */

static bool check_memory(const native_run *run, gf_diags *diags) {
    const gf_job *job = run->job;
    uint64_t total = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const gf_job_buffer *buffer = &job->buffers[i];
        bool lent = job->device->limits.host_memory && buffer->bound->kind == GF_BOUND_INPUT;
        bool in_place = run->store.in_place && gf_job_buffer_in_place(buffer);
        total += lent || in_place || buffer->bound->kind == GF_BOUND_DEVICE ? 0 : buffer->bytes;
    }
    return gf_job_check_memory(job, total, "the run", diags);
}

static bool make_tables(native_run *run, gf_diags *diags) {
    const gf_job *job = run->job;
    run->buffers = gf_calloc(job->buffer_count, sizeof *run->buffers);
    run->before = gf_calloc(job->buffer_count, sizeof *run->before);
    run->overwritten = gf_calloc(job->buffer_count, sizeof *run->overwritten);
    run->own_zeros = gf_calloc(job->buffer_count, sizeof *run->own_zeros);
    /* Of a run without invocations there is no launch. */
    bool by_launch = job->device->limits.sets_zeros && !job->is_empty;
    run->zeros = by_launch ? gf_calloc(job->buffer_count, sizeof *run->zeros) : NULL;
    if (run->buffers == NULL || run->before == NULL || run->overwritten == NULL || run->own_zeros == NULL ||
        (by_launch && run->zeros == NULL)) {
        return gf_fail_memory(diags);
    }
    bool checked = job->options.checked || job->options.check_races; /* those go by another plan */
    bool knows = run->plan != NULL && !checked;
    for (uint32_t i = 0; knows && i < job->buffer_count; i++) {
        const gf_plan_buffer *planned = &run->plan->buffers[i];
        bool is_own = planned->symbol->role == GF_ROLE_SCRATCH && job->buffers[i].bound->kind == GF_BOUND_NONE;
        run->overwritten[i] = planned->overwritten && !job->compare && !job->is_empty;
        run->own_zeros[i] = is_own && !planned->swapped && !run->overwritten[i];
    }
    run->store.overwritten = run->overwritten;
    run->store.zeros = run->zeros;
    return make_profile(run, diags);
}

static bool begin_run(native_run *run, gf_diags *diags) {
    gf_device *device = run->job->device;
    run->plan = device->table.plan != NULL ? device->table.plan(device->handle, run->kernel) : NULL;
    run->stats->segments = run->plan != NULL ? run->plan->segment_count : 0;
    run->store.in_place = gf_job_in_place(run->job, run->kernel);
    return make_tables(run, diags) && check_memory(run, diags) &&
           gf_store_init(&run->store, run->job, NULL, device, diags) && fill_table(run, diags);
}

static bool run_all(native_run *run, gf_diags *diags) {
    gf_stats *stats = run->stats;
    bool done = begin_run(run, diags);
    if (done && run->job->is_empty) {
        stats->passes = 1;
        stats->converged = run->job->compare ? 1 : -1;
        stats->launches_skipped++;
        name_entries(run);
        stats->bytes_device = run->store.bytes_most;
    } else if (done) {
        done = launch(run, diags);
        follow_swaps(run);
    }
    if (done && run->job->options.require_converged && stats->converged == 0) {
        done = gf_fail(diags, GF_CODE_NOT_CONVERGED, GF_NO_SPAN, "not converged after %llu pass%s",
                       (unsigned long long)stats->passes, stats->passes == 1 ? "" : "es");
    }
    done = done && gf_store_hand_back(&run->store, diags);
    stats->bytes_up += run->store.bytes_up;
    stats->bytes_down += run->store.bytes_down;
    gf_store_finish(&run->store);
    gf_free(run->before);
    gf_free(run->overwritten);
    gf_free(run->own_zeros);
    gf_free(run->zeros);
    gf_free(run->segments);
    gf_free(run->buffers);
    return done;
}

bool gf_run_native(gf_job *job, void *kernel, gf_stats *stats, gf_profile *profile, gf_diags *diags) {
    native_run run = {.job = job, .kernel = kernel, .stats = stats, .profile = profile};
    gf_float_mode_enter(&run.float_mode);
    bool done = run_all(&run, diags);
    gf_float_mode_leave(&run.float_mode);
    return done;
}
