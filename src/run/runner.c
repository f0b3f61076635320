#include "run/runner.h"
#include "base/clock.h"
#include "base/memory.h"
#include "run/choose.h"
#include "run/strategy.h"
#include <stdio.h>
#include <string.h>

/* ---- submission ---- */

static bool copy_bound(gf_run_state *run, const gf_bindings *bindings, gf_diags *diags) {
    run->params = gf_calloc(bindings->param_count, sizeof *run->params);
    run->buffers = gf_calloc(bindings->buffer_count, sizeof *run->buffers);
    run->tickets = gf_calloc(bindings->buffer_count + 1, sizeof *run->tickets);
    if (run->params == NULL || run->buffers == NULL || run->tickets == NULL) {
        return gf_fail_memory(diags);
    }
    if (bindings->param_count > 0) {
        memcpy(run->params, bindings->params, bindings->param_count * sizeof *run->params);
    }
    for (size_t i = 0; i < bindings->buffer_count; i++) {
        run->buffers[i] = bindings->buffers[i];
        if (run->buffers[i].buffer != NULL) {
            (void)gf_buffer_hold(run->buffers[i].buffer);
        }
    }
    return true;
}

static void add_ticket(gf_run_state *run, gf_queue *queue) {
    for (size_t i = 0; i < run->ticket_count; i++) {
        if (run->tickets[i].queue == queue) {
            return;
        }
    }
    run->tickets[run->ticket_count++].queue = queue;
}

bool gf_run_state_submit(gf_run_state *run, gf_kernel *kernel, gf_bindings *bindings, const gf_run_options *options,
                         gf_diags *diags) {
    memset(run, 0, sizeof *run);
    gf_stats_begin(&run->stats);
    run->begin = gf_clock_seconds();
    if (kernel == NULL || bindings == NULL) {
        return false;
    }
    run->kernel = gf_kernel_hold(kernel);
    run->bindings = gf_bindings_hold(bindings);
    (void)snprintf(run->stats.device, sizeof run->stats.device, "%s", kernel->device->name);
    if (bindings->kernel != kernel) {
        return gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "the bindings were made for another kernel");
    }
    if (!gf_options_read(&run->options, options, diags) || !gf_bindings_check(bindings, diags) ||
        !copy_bound(run, bindings, diags)) {
        return false;
    }
    add_ticket(run, &bindings->queue);
    for (size_t i = 0; i < bindings->buffer_count; i++) {
        if (run->buffers[i].buffer != NULL) {
            add_ticket(run, &run->buffers[i].buffer->queue);
        }
    }
    gf_order_submit(run->tickets, run->ticket_count);
    return true;
}

void gf_run_state_finish(gf_run_state *run) {
    for (size_t i = 0; run->buffers != NULL && i < run->bindings->buffer_count; i++) {
        gf_buffer_destroy(run->buffers[i].buffer);
    }
    gf_free(run->params);
    gf_free(run->buffers);
    gf_free(run->tickets);
    gf_bindings_destroy(run->bindings);
    gf_kernel_destroy(run->kernel);
    memset(run, 0, sizeof *run);
}

/* ---- device buffers that must survive a failure ---- */

static void drop_copies(const gf_job *job, void **copies) {
    for (size_t i = 0; copies != NULL && i < job->buffer_count; i++) {
        gf_free(copies[i]);
    }
    gf_free(copies);
}

static bool copy_buffers(const gf_job *job, void **copies, gf_diags *diags) {
    for (size_t i = 0; i < job->buffer_count; i++) {
        const gf_job_buffer *buffer = &job->buffers[i];
        gf_buffer *memory = buffer->bound->buffer;
        if (memory == NULL || buffer->symbol->role == GF_ROLE_IN || buffer->bytes == 0) {
            continue;
        }
        copies[i] = gf_malloc(buffer->bytes);
        if (copies[i] == NULL) {
            return gf_fail_memory(diags);
        }
        if (!gf_device_download(memory->device, memory->memory, 0, copies[i], buffer->bytes, diags)) {
            return false;
        }
    }
    return true;
}

static void restore_buffers(const gf_job *job, void **copies, gf_diags *diags) {
    for (size_t i = 0; i < job->buffer_count; i++) {
        gf_buffer *memory = job->buffers[i].bound->buffer;
        if (copies[i] != NULL &&
            !gf_device_upload(memory->device, memory->memory, 0, copies[i], job->buffers[i].bytes, NULL)) {
            gf_note(diags, GF_NO_SPAN, "buffer `%s` could not be put back as it was", job->buffers[i].symbol->name);
        }
    }
}

/* ---- execution ---- */

static bool run_strategy(gf_run_state *run, gf_job *job, gf_profile *profile, gf_diags *diags) {
    gf_stats *stats = &run->stats;
    gf_planned_kind kind = {.many_passes = job->max_passes > 1, .checked = job->options.checked};
    const gf_planned *planned = NULL;
    void *native = NULL;
    if (!gf_choose_strategy(run->kernel, job, stats, diags)) {
        return false;
    }
    switch (stats->strategy) {
    case GF_STRATEGY_NATIVE:
    case GF_STRATEGY_PERSISTENT:
        native = gf_kernel_native(run->kernel, job->max_passes > 1, diags);
        return native != NULL && gf_run_native(job, native, stats, profile, diags);
    case GF_STRATEGY_RESIDENT:
        if (gf_is_resident_native(job->device) || job->device->limits.resident) {
            native = gf_kernel_native(run->kernel, job->max_passes > 1, diags);
            return native != NULL && gf_run_native(job, native, stats, profile, diags);
        }
        planned = gf_kernel_planned(run->kernel, kind, true, diags);
        return planned != NULL && gf_run_resident(job, planned, stats, profile, diags);
    case GF_STRATEGY_HOST:
        planned = gf_kernel_planned(run->kernel, kind, true, diags);
        return planned != NULL && gf_run_host(job, planned, stats, profile, diags);
    case GF_STRATEGY_AUTO:
        break;
    }
    return gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "strategy %s was chosen and is not there",
                   gf_strategy_name(stats->strategy));
}

static bool run_guarded(gf_run_state *run, gf_job *job, gf_profile *profile, gf_diags *diags) {
    if (!job->options.keep_on_failure) {
        return run_strategy(run, job, profile, diags);
    }
    void **copies = gf_calloc(job->buffer_count, sizeof *copies);
    bool done = copies != NULL || gf_fail_memory(diags);
    bool copied = done && copy_buffers(job, copies, diags);
    done = copied && run_strategy(run, job, profile, diags);
    if (copied && !done) {
        restore_buffers(job, copies, diags);
    }
    drop_copies(job, copies);
    return done;
}

static bool run_job(gf_run_state *run, gf_profile *profile, gf_diags *diags) {
    gf_job job = {.options = run->options, .begin = run->begin, .may_trap = run->kernel->may_trap};
    gf_request request = {.program = run->kernel->program,
                          .device = run->kernel->device,
                          .params = run->params,
                          .bound = run->buffers,
                          .scope = &run->kernel->scope,
                          .prepared = &run->bindings->prepared};
    gf_cancel_link link = {0};
    gf_float_mode mode;
    job.stop.deadline = run->options.timeout > 0 ? run->begin + run->options.timeout : 0;
    gf_cancel_attach(run->options.cancel, &link, &job.stop);
    gf_float_mode_enter(&mode);
    bool done = gf_job_prepare(&job, &request, diags);
    gf_float_mode_leave(&mode);
    if (done && gf_stop_poll(&job.stop) != GF_STOP_NONE) {
        done = gf_fail_stopped(&job.stop, &job.options, diags);
    }
    done = done && run_guarded(run, &job, profile, diags);
    gf_cancel_detach(run->options.cancel, &link);
    if (done) {
        gf_counters_add(&run->stats, run->stats.strategy != GF_STRATEGY_NATIVE,
                        job.compare && run->stats.passes < job.max_passes);
    }
    gf_job_finish(&job);
    return done;
}

bool gf_run_state_execute(gf_run_state *run, gf_diags *diags) {
    gf_profile profile = {0};
    gf_order_begin(run->tickets, run->ticket_count);
    /* A sink of its own: its first error is this run's, whatever the caller's sink holds. */
    gf_diags *inner = gf_diags_create();
    bool done = inner != NULL ? run_job(run, &profile, inner) : gf_fail_memory(diags);
    run->stats.status = inner != NULL ? gf_diags_status(inner) : GF_STATUS_DEVICE;
    run->stats.status = done ? GF_STATUS_OK : run->stats.status;
    gf_diags_take(diags, inner);
    gf_diags_destroy(inner);
    gf_free(run->bindings->profile.entries);
    run->bindings->profile = profile;
    gf_order_end(run->tickets, run->ticket_count);
    run->stats.seconds_wall = gf_clock_seconds() - run->begin;
    gf_trace_add(run->options.trace, "run", "run", run->begin, gf_clock_seconds(), UINT64_MAX, 0);
    return done;
}

bool gf_run(gf_kernel *kernel, gf_bindings *bindings, const gf_run_options *options, gf_stats *stats, gf_diags *diags) {
    gf_run_state run;
    /* It is there for the status alone where the caller has no sink. */
    gf_diags *inner = gf_diags_create();
    bool done = gf_run_state_submit(&run, kernel, bindings, options, inner);
    if (done) {
        done = gf_run_state_execute(&run, inner);
    } else if (gf_diags_error_count(inner) > 0) {
        run.stats.status = gf_diags_status(inner);
    } else {
        run.stats.status = inner != NULL || kernel == NULL || bindings == NULL ? GF_STATUS_USAGE : GF_STATUS_DEVICE;
    }
    if (inner == NULL && !done) {
        (void)gf_fail_memory(diags);
    }
    gf_diags_take(diags, inner);
    gf_diags_destroy(inner);
    if (stats != NULL) {
        *stats = run.stats;
    }
    gf_run_state_finish(&run);
    return done;
}
