/* Passes, and what a run takes and gives back. */
#include "backend/cpu/run.h"
#include "backend/cpu/watchdog.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/system.h"
#include <string.h>

#define GROUP_ALIGN 64
#define MUCH ((uint64_t)16 << 20) /* bytes for each thread from which one looks what there is */

bool gf_cpu_fail_stopped(gf_cpu_run *run) {
    unsigned long long passes = (unsigned long long)run->result->passes;
    const char *plural = passes == 1 ? "" : "es";
    if (gf_stop_poll(run->stop) == GF_STOP_TIMEOUT) {
        return gf_fail(run->diags, GF_CODE_TIMEOUT, GF_NO_SPAN, "the time limit was reached after %llu whole pass%s",
                       passes, plural);
    }
    return gf_fail(run->diags, GF_CODE_CANCELLED, GF_NO_SPAN, "the run was cancelled after %llu whole pass%s", passes,
                   plural);
}

/* ---- convergence ---- */

static size_t watched_bytes(const gf_cpu_run *run, size_t index) {
    uint32_t buffer = run->kernel->watched[index];
    return (size_t)run->buffers[buffer].count * gf_type_bytes(run->kernel->plan->buffers[buffer].symbol->type);
}

static bool is_tracked(const gf_cpu_run *run, size_t index) {
    return run->kernel->tracked[run->kernel->watched[index]];
}

static bool take_snapshots(gf_cpu_run *run) {
    for (size_t i = 0; run->asked->compare && i < run->kernel->watched_count; i++) {
        if (is_tracked(run, i)) {
            continue;
        }
        size_t bytes = watched_bytes(run, i);
        if (run->asked->memory_left - run->bytes_hidden < bytes) {
            return gf_fail(run->diags, GF_CODE_MEMORY_LIMIT, GF_NO_SPAN,
                           "to see whether a pass changed anything %zu bytes more are needed, beyond the memory limit",
                           bytes);
        }
        run->snapshots[i] = gf_malloc(bytes);
        if (run->snapshots[i] == NULL) {
            return gf_fail_memory(run->diags);
        }
        run->bytes_hidden += bytes;
    }
    return true;
}

static void begin_pass(gf_cpu_run *run) {
    for (unsigned i = 0; i < run->threads; i++) {
        run->workers[i].abi.changed = 0;
    }
    /* After the first pass the comparison has left the copy as it is wanted. */
    for (size_t i = 0; run->asked->compare && run->result->passes == 0 && i < run->kernel->watched_count; i++) {
        if (!is_tracked(run, i)) {
            gf_cpu_copy(run, run->snapshots[i], run->buffers[run->kernel->watched[i]].data, watched_bytes(run, i));
        }
    }
}

static bool has_changed(gf_cpu_run *run) {
    bool changed = false;
    for (unsigned i = 0; i < run->threads; i++) {
        changed |= run->workers[i].abi.changed != 0;
    }
    for (size_t i = 0; i < run->kernel->watched_count; i++) {
        if (!is_tracked(run, i)) {
            const void *now = run->buffers[run->kernel->watched[i]].data;
            changed |= gf_cpu_compare_and_copy(run, run->snapshots[i], now, watched_bytes(run, i));
        }
    }
    return changed;
}

/* ---- passes ---- */

static bool run_passes(gf_cpu_run *run) {
    const gf_backend_launch *asked = run->asked;
    size_t register_bytes = run->kernel->plan->register_count * sizeof *run->registers;
    bool changed = true;
    if (!gf_cpu_walk(run, run->kernel->prologue)) {
        return false;
    }
    memcpy(run->registers_at_pass, run->registers, register_bytes);
    while (run->result->passes < asked->max_passes) {
        if (gf_stop_poll(run->stop) != GF_STOP_NONE) {
            return gf_cpu_fail_stopped(run);
        }
        memcpy(run->registers, run->registers_at_pass, register_bytes);
        begin_pass(run);
        if (!gf_cpu_walk(run, run->kernel->body)) {
            return false;
        }
        changed = asked->compare ? has_changed(run) : true;
        run->result->passes++;
        if (asked->on_pass != NULL && !asked->on_pass(asked->on_pass_user, run->result->passes, changed)) {
            break;
        }
        if (asked->compare && !changed) {
            break;
        }
    }
    run->result->converged = asked->compare && run->converged < 0 ? !changed : run->converged;
    return true;
}

/* ---- begin and end ---- */

static bool take_tables(gf_cpu_run *run) {
    const gf_plan *plan = run->kernel->plan;
    run->workers = gf_malloc_aligned(alignof(gf_cpu_worker), run->threads * sizeof *run->workers);
    run->params = gf_calloc(run->asked->param_count, sizeof *run->params);
    run->registers = gf_calloc(plan->register_count, sizeof *run->registers);
    run->registers_at_pass = gf_calloc(plan->register_count, sizeof *run->registers_at_pass);
    run->buffers = gf_calloc(plan->buffer_count, sizeof *run->buffers);
    run->hidden = gf_calloc(plan->buffer_count, sizeof *run->hidden);
    run->results = gf_calloc(plan->buffer_count, sizeof *run->results);
    run->results_capacity = gf_calloc(plan->buffer_count, sizeof *run->results_capacity);
    run->results_count = gf_calloc(plan->buffer_count, sizeof *run->results_count);
    run->results_unfolded = gf_calloc(plan->buffer_count, sizeof *run->results_unfolded);
    run->largest = gf_calloc(plan->buffer_count, sizeof *run->largest);
    run->args = gf_calloc(run->kernel->most_words, sizeof *run->args);
    run->source_args = gf_calloc(run->kernel->most_words, sizeof *run->source_args);
    run->snapshots = gf_calloc(run->kernel->watched_count, sizeof *run->snapshots);
    if (run->workers == NULL) {
        return gf_fail_memory(run->diags);
    }
    memset(run->workers, 0, run->threads * sizeof *run->workers);
    return (run->params != NULL && run->registers != NULL && run->registers_at_pass != NULL && run->buffers != NULL &&
            run->hidden != NULL && run->results != NULL && run->results_capacity != NULL &&
            run->results_count != NULL && run->results_unfolded != NULL && run->largest != NULL && run->args != NULL &&
            run->source_args != NULL && run->snapshots != NULL) ||
           gf_fail_memory(run->diags);
}

static bool take_workers(gf_cpu_run *run) {
    static const int never = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < run->code->segment_count; i++) {
        bytes = run->code->segments[i].group_bytes > bytes ? run->code->segments[i].group_bytes : bytes;
    }
    uint64_t available = gf_system_memory_available();
    if (bytes > MUCH && available > 0 && bytes > available / 2 / run->threads) {
        run->threads = 1; /* slower, but it may fit */
    }
    if (bytes > MUCH && (bytes > run->asked->memory_left || (available > 0 && bytes > available))) {
        return gf_fail(run->diags, GF_CODE_MEMORY_LIMIT, GF_NO_SPAN,
                       "each thread needs %llu bytes for arrays of invocations and workgroups, more than there is",
                       (unsigned long long)bytes);
    }
    for (unsigned i = 0; i < run->threads; i++) {
        gf_abi_worker *worker = &run->workers[i].abi;
        worker->culprit = GF_ABI_NOBODY;
        worker->stop = run->stop != NULL ? (const volatile int *)&run->stop->reason : &never;
        if (bytes > 0) {
            worker->group_memory = gf_malloc_aligned(GROUP_ALIGN, (size_t)bytes);
            if (worker->group_memory == NULL) {
                return gf_fail_memory(run->diags);
            }
        }
    }
    return true;
}

static bool begin_run(gf_cpu_run *run) {
    const gf_backend_launch *asked = run->asked;
    if (!take_tables(run) || !take_workers(run)) {
        return false;
    }
    for (size_t i = 0; i < asked->param_count; i++) {
        run->params[i] = asked->params[i].bits;
    }
    for (size_t i = 0; i < asked->buffer_count; i++) {
        run->buffers[i] = (gf_abi_buffer){.data = asked->buffers[i].memory, .count = asked->buffers[i].count};
    }
    run->wrong.what.culprit = GF_ABI_NOBODY;
    run->scalars = (gf_abi_scalars){.params = run->params, .registers = run->registers, .buffers = run->buffers};
    run->scalars.worker = &run->workers[0].abi;
    memcpy(run->scalars.space, asked->space, sizeof run->scalars.space);
    memcpy(run->scalars.groups, asked->groups, sizeof run->scalars.groups);
    return take_snapshots(run);
}

static void end_run(gf_cpu_run *run) {
    const gf_plan *plan = run->kernel->plan;
    for (unsigned i = 0; run->workers != NULL && i < run->threads; i++) {
        gf_free(run->workers[i].abi.group_memory);
    }
    for (size_t i = 0; run->hidden != NULL && i < plan->buffer_count; i++) {
        gf_free(run->hidden[i].memory);
    }
    for (size_t i = 0; run->results != NULL && i < plan->buffer_count; i++) {
        gf_free(run->results[i]);
    }
    for (size_t i = 0; run->snapshots != NULL && i < run->kernel->watched_count; i++) {
        gf_free(run->snapshots[i]);
    }
    gf_free(run->workers);
    gf_free(run->params);
    gf_free(run->registers);
    gf_free(run->registers_at_pass);
    gf_free(run->buffers);
    gf_free(run->hidden);
    gf_free(run->results);
    gf_free(run->results_capacity);
    gf_free(run->results_count);
    gf_free(run->results_unfolded);
    gf_free(run->largest);
    gf_free(run->args);
    gf_free(run->source_args);
    gf_free(run->snapshots);
}

/* What names the buffers stand for now. */
static void give_names(const gf_cpu_run *run) {
    for (size_t i = 0; i < run->asked->buffer_count; i++) {
        run->asked->buffers[i].memory = run->buffers[i].data;
    }
}

static bool carry_out(gf_cpu_run *run) {
    gf_watchdog watchdog = {0};
    double begin = gf_clock_seconds();
    bool done = begin_run(run);
    if (done) {
        gf_watchdog_start(&watchdog, run->stop);
        done = run_passes(run);
        gf_watchdog_end(&watchdog);
        /* A trap ends the run, and is no failure of the device. */
        done = done || (run->ended && run->result->trapped);
        give_names(run);
    }
    run->result->launches = run->launches;
    run->result->barriers = run->launches > 0 ? run->launches - 1 : 0;
    run->result->bytes_hidden = run->bytes_hidden;
    run->result->seconds_device = gf_clock_seconds() - begin;
    run->result->seconds_queue = run->result->seconds_wait = 0;
    end_run(run);
    return done;
}

bool gf_cpu_launch(gf_cpu_kernel *kernel, gf_pool *pool, const gf_backend_launch *asked, gf_backend_result *result,
                   gf_diags *diags) {
    gf_backend_launch untold = *asked;
    if (asked->checked) {
        kernel = gf_cpu_kernel_careful(kernel, diags);
        if (kernel == NULL) {
            return false;
        }
        untold.segments = NULL; /* those that the caller knows of are not these */
        asked = &untold;
    }
    gf_cpu_run run = {.kernel = kernel,
                      .asked = asked,
                      .result = result,
                      .diags = diags,
                      .converged = -1,
                      .threads = 1,
                      /* Asked through a pointer to const, because a backend has nothing to write there but the clock's
                       * verdict. */
                      .stop = (gf_stop *)(uintptr_t)asked->stop};
    run.code = gf_cpu_kernel_code(kernel, asked->checked, diags);
    if (run.code == NULL) {
        return false;
    }
    bool has_team = gf_pool_acquire(pool);
    if (has_team) {
        run.pool = pool;
        run.threads = gf_pool_threads(pool);
    }
    bool done = carry_out(&run);
    if (has_team) {
        gf_pool_release(pool);
    }
    return done;
}
