/* One run: passes, waiting, the outcome. */
#include "backend/cuda/launching.h"
#include "backend/cuda/sizes.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "emit/ptx/abi.h"
#include "ir/program.h"
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define WIDE ((uint64_t)1 << 32)
#define SPINS 2000   /* looks at the stream before others may have the processor in between */
#define PATIENCE 3.0 /* seconds for a kernel to end that was told to */

/* Ordered with the launches: a word that is reset while blocks wait at it never lets them go. */
static bool set_state(gf_cuda_launching *run, size_t offset, unsigned char value, size_t bytes) {
    CUdeviceptr at = run->kernel->state->address + offset;
    return gf_cuda_try(&run->device->context, run->driver->cuMemsetD8Async(at, value, bytes, run->device->stream),
                       "cuMemsetD8Async", run->diags);
}

static bool reset_state(gf_cuda_launching *run) {
    run->kernel->is_ready = set_state(run, 0, 0, GF_PTX_STATE_SCAN) && set_state(run, GF_PTX_STATE_CULPRIT, 0xff, 8);
    return run->kernel->is_ready;
}

/* Behind a launch, while it is under way: what any run leaves in the state becomes what the next one wants, and so does
 * memory that began as zeros, and that nobody looks at any more. The state of a run that does not come to its end
 * stays, and makes all of it due. */
static bool clean_behind(gf_cuda_launching *run) {
    gf_cuda_find_spent(run);
    run->fresh[run->fresh_count] = (gf_cuda_range){.address = run->kernel->state->address + GF_PTX_STATE_ROOT,
                                                   .bytes = GF_PTX_STATE_SCAN - GF_PTX_STATE_ROOT};
    run->kernel->is_ready = gf_cuda_zeros_set(run->device, run->fresh, run->fresh_count + 1, run->diags);
    for (size_t i = 0; run->kernel->is_ready && i < run->spent_count; i++) {
        run->spent[i]->zeros = run->fresh[i].bytes;
    }
    return run->kernel->is_ready;
}

static void forget_zeros(gf_cuda_launching *run) {
    for (size_t i = 0; i < run->asked->buffer_count; i++) {
        gf_cuda_memory *memory = run->asked->buffers[i].memory;
        if (memory != NULL) {
            memory->zeros = 0;
        }
    }
}

/* ---- the launch ---- */

/* Beside the work, on the other stream. */
static void tell_stop(gf_cuda_launching *run) {
    static const unsigned one = 1;
    (void)run->driver->cuMemcpyHtoDAsync(run->kernel->state->address + GF_PTX_STATE_STOP, &one, sizeof one,
                                         run->device->side);
}

/* Nothing ends it from outside. What it may write to stays allocated for as long as the process lives. */
static bool give_up(gf_cuda_launching *run) {
    bool is_late = gf_stop_poll(run->stop) == GF_STOP_TIMEOUT;
    gf_cuda_give_up(&run->device->context);
    (void)gf_fail(run->diags, is_late ? GF_CODE_TIMEOUT : GF_CODE_CANCELLED, GF_NO_SPAN,
                  "%s, and the kernel did not end within %g seconds of being told to: `%s` is lost to this process",
                  is_late ? "the time limit was reached" : "the run was cancelled", PATIENCE, run->device->facts.name);
    gf_cuda_fix_stuck(run->diags);
    return false;
}

/* Kernels that follow each other, and count those that did something. */
static bool is_by_segments(const gf_cuda_launching *run) {
    return run->stages != NULL || run->code->options.by_steps;
}

static bool launch(gf_cuda_launching *run) {
    gf_cuda_code *code = run->code;
    if (code == NULL) {
        return gf_cuda_stages_launch(run->device, run->stages, run->kernel->done, run->kernel->state->address,
                                     run->stage_blocks, run->stage_across, run->diags);
    }
    if (code->options.by_steps) {
        return gf_cuda_steps_launch(run->device, code, run->kernel->done, run->kernel->state->address, run->blocks,
                                    run->threads, run->shared_bytes, run->diags);
    }
    CUresult result =
        code->text.has_barrier
            ? run->driver->cuLaunchCooperativeKernel(code->function, run->blocks, 1, 1, run->threads, 1, 1,
                                                     (unsigned)run->shared_bytes, run->device->stream, NULL)
            : run->driver->cuLaunchKernel(code->function, run->blocks, 1, 1, run->threads, 1, 1,
                                          (unsigned)run->shared_bytes, run->device->stream, NULL, NULL);
    const char *call = code->text.has_barrier ? "cuLaunchCooperativeKernel" : "cuLaunchKernel";
    return gf_cuda_try(&run->device->context, result, call, run->diags);
}

/* And what tells that it is through. */
static bool launch_and_record(gf_cuda_launching *run) {
    return launch(run) &&
           gf_cuda_try(&run->device->context, run->driver->cuEventRecord(run->kernel->done, run->device->stream),
                       "cuEventRecord", run->diags);
}

/* Some steps at a time, until they tell the end. */
static bool is_polled(const gf_cuda_launching *run) {
    return run->code != NULL && run->code->options.polled;
}

/* The last of them writes the end to memory of ours, which is seen sooner than the driver tells it; what goes wrong the
 * driver tells alone, and of a kernel that is the whole plan too, where others may be at work yet when the first block
 * is done. */
static bool wait(gf_cuda_launching *run) {
    const volatile uint64_t *done = &run->kernel->outcome[GF_PTX_OUTCOME_DONE];
    double told = 0;
    for (unsigned looks = 0;; looks++) {
        if (is_by_segments(run) && *done != 0) {
            atomic_thread_fence(memory_order_acquire);
            return true;
        }
        bool asks = !is_by_segments(run) || looks % 16 == 15;
        CUresult result = asks ? run->driver->cuEventQuery(run->kernel->done) : CUDA_ERROR_NOT_READY;
        if (result == CUDA_SUCCESS && is_polled(run)) {
            if (*done == 0 && !launch_and_record(run)) {
                return false;
            }
        } else if (result != CUDA_ERROR_NOT_READY) {
            return gf_cuda_try(&run->device->context, result, "cuLaunchKernel", run->diags);
        }
        if (looks > SPINS) {
            (void)sched_yield();
        }
        if (looks % 64 != 63 || gf_stop_poll(run->stop) == GF_STOP_NONE) {
            continue;
        }
        if (told == 0) {
            tell_stop(run);
            run->kernel->is_ready = false;
            told = gf_clock_seconds();
        } else if (gf_clock_seconds() - told > PATIENCE) {
            return give_up(run);
        }
    }
}

static bool launch_once(gf_cuda_launching *run, uint64_t passes) {
    gf_cuda_kernel *kernel = run->kernel;
    memset(kernel->outcome, 0, (GF_PTX_OUTCOME_BUFFERS + kernel->plan->buffer_count) * 8);
    if (!gf_cuda_send_arguments(run, passes) || (!kernel->is_ready && !reset_state(run))) {
        return false;
    }
    kernel->is_ready = false;
    forget_zeros(run);
    bool done = launch_and_record(run) && (is_polled(run) || clean_behind(run)) && wait(run) &&
                (!is_polled(run) || clean_behind(run));
    const uint64_t *outcome = kernel->outcome;
    kernel->is_ready = kernel->is_ready && done && outcome[GF_PTX_OUTCOME_RECORDED] == 0 &&
                       outcome[GF_PTX_OUTCOME_STOPPED] == 0 && outcome[GF_PTX_OUTCOME_LEFT] == 0;
    return done;
}

/* ---- the outcome ---- */

/* What names the buffers stand for now. */
static void give_names(gf_cuda_launching *run) {
    const uint64_t *outcome = run->kernel->outcome;
    size_t count = run->asked->buffer_count;
    void **memory = gf_calloc(count, sizeof *memory);
    for (size_t i = 0; memory != NULL && i < count; i++) {
        uint64_t address = outcome[GF_PTX_OUTCOME_BUFFERS + i];
        memory[i] = run->asked->buffers[i].memory;
        for (size_t k = 0; address != 0 && k < count; k++) {
            const void *other = run->asked->buffers[k].memory;
            if (other != NULL && gf_cuda_address(other) == address) {
                memory[i] = run->asked->buffers[k].memory;
            }
        }
    }
    for (size_t i = 0; memory != NULL && i < count; i++) {
        run->asked->buffers[i].memory = memory[i];
    }
    gf_free(memory);
}

/* A pass in which an invocation did wrong is no whole one, though it may have come to its end. */
static bool look_at_record(gf_cuda_launching *run, uint64_t passes_before, bool *ended) {
    uint64_t state[GF_PTX_STATE_RECORD / 8] = {0};
    *ended = run->kernel->outcome[GF_PTX_OUTCOME_RECORDED] != 0;
    if (!*ended) {
        return true;
    }
    const gf_cuda_driver *driver = run->driver;
    CUresult copied = driver->cuMemcpyDtoHAsync(state, run->kernel->state->address, sizeof state, run->device->stream);
    if (!gf_cuda_try(&run->device->context, copied, "cuMemcpyDtoHAsync", run->diags) ||
        !gf_cuda_try(&run->device->context, driver->cuStreamSynchronize(run->device->stream), "cuStreamSynchronize",
                     run->diags)) {
        return false;
    }
    run->result->passes = passes_before + state[GF_PTX_STATE_PASS / 8];
    return gf_cuda_report(run->kernel, run->text, state, run->asked, run->result->barriers, run->result, run->diags);
}

static bool fail_stopped(gf_cuda_launching *run) {
    unsigned long long passes = (unsigned long long)run->result->passes;
    const char *plural = passes == 1 ? "" : "es";
    if (gf_stop_poll(run->stop) == GF_STOP_TIMEOUT) {
        return gf_fail(run->diags, GF_CODE_TIMEOUT, GF_NO_SPAN, "the time limit was reached after %llu whole pass%s",
                       passes, plural);
    }
    return gf_fail(run->diags, GF_CODE_CANCELLED, GF_NO_SPAN, "the run was cancelled after %llu whole pass%s", passes,
                   plural);
}

/* A launch for all passes, or one for each where somebody wants to hear of them. */
static bool run_passes(gf_cuda_launching *run) {
    const gf_backend_launch *asked = run->asked;
    gf_backend_result *result = run->result;
    const uint64_t *outcome = run->kernel->outcome;
    bool go_on = true, ended = false;
    int said = -1;
    uint64_t stable = 0;
    while (go_on && result->passes < asked->max_passes) {
        if (gf_stop_poll(run->stop) != GF_STOP_NONE) {
            return fail_stopped(run);
        }
        if (!launch_once(run, asked->on_pass != NULL ? 1 : asked->max_passes)) {
            return false;
        }
        give_names(run);
        uint64_t before = result->passes;
        result->passes += outcome[GF_PTX_OUTCOME_PASSES];
        result->barriers += is_by_segments(run) ? 0 : outcome[GF_PTX_OUTCOME_BARRIERS];
        result->counts_launches = is_by_segments(run);
        uint64_t steps = outcome[GF_PTX_OUTCOME_BARRIERS];
        run->most_steps = steps > run->most_steps ? steps : run->most_steps;
        result->launches += outcome[GF_PTX_OUTCOME_LAUNCHES];
        run->has_pieces |= outcome[GF_PTX_OUTCOME_LISTED] != 0;
        if (outcome[GF_PTX_OUTCOME_LEFT] != 0) {
            /* The pass in which it was left, which nobody may have noticed to the end, is no whole one. */
            result->passes -= outcome[GF_PTX_OUTCOME_STOPPED] == 0 && outcome[GF_PTX_OUTCOME_PASSES] > 0;
            return fail_stopped(run);
        }
        said = outcome[GF_PTX_OUTCOME_CONVERGED] < 2 ? (int)outcome[GF_PTX_OUTCOME_CONVERGED] : said;
        stable = outcome[GF_PTX_OUTCOME_STABLE];
        if (!look_at_record(run, before, &ended)) {
            return false;
        }
        if (ended) {
            return true;
        }
        if (outcome[GF_PTX_OUTCOME_STOPPED] != 0) {
            return fail_stopped(run);
        }
        if (asked->on_pass != NULL && outcome[GF_PTX_OUTCOME_PASSES] == 0) {
            return gf_fail(run->diags, GF_CODE_INTERNAL, GF_NO_SPAN,
                           "a launch of program `%s` on `%s` ended without a pass, and did not say why",
                           run->kernel->plan->program->checked->name, run->device->facts.name);
        }
        go_on = asked->on_pass != NULL &&
                asked->on_pass(asked->on_pass_user, result->passes, !(asked->compare && stable != 0));
        go_on = go_on && !(asked->compare && stable != 0);
    }
    result->converged = asked->compare && said < 0 ? (stable != 0 ? 1 : 0) : said;
    return true;
}

/* ---- begin and end ---- */

static bool has_wide(const gf_backend_launch *asked) {
    for (size_t i = 0; i < asked->buffer_count; i++) {
        if (asked->buffers[i].count >= WIDE) {
            return true;
        }
    }
    return false;
}

/* Not more elements than blocks of two for each multiprocessor have room for. */
static bool may_be_near(const gf_cuda_kernel *kernel, const gf_backend_launch *launch) {
    uint64_t most = (uint64_t)2 * (uint64_t)kernel->device->facts.sms * GF_PTX_BLOCK_ITEMS;
    for (size_t i = 0; i < kernel->plan->kept_count; i++) {
        uint32_t buffer = kernel->plan->kept[i].buffer;
        if (buffer < launch->buffer_count && launch->buffers[buffer].count > most) {
            return false;
        }
    }
    return kernel->plan->kept_count > 0;
}

gf_ptx_options gf_cuda_launch_options(const gf_cuda_kernel *kernel, const gf_backend_launch *launch) {
    return (gf_ptx_options){.checked = launch->checked,
                            .wide = has_wide(launch),
                            .native = kernel->keeps_values && !launch->keep_shares,
                            .passes = launch->max_passes > 1,
                            .dependent = kernel->device->context.dependent,
                            .near = may_be_near(kernel, launch),
                            .compare = launch->compare,
                            .sm_shared = (uint32_t)kernel->device->facts.shared_per_sm};
}

/* The kernel, or the kernels, that carry it out. */
static bool find_code(gf_cuda_launching *run) {
    gf_cuda_kernel *kernel = run->kernel;
    gf_ptx_options options = gf_cuda_launch_options(kernel, run->asked);
    if (run->asked->by_segments) {
        options.native = options.near = false;
        options.by_steps = gf_cuda_goes_by_steps(kernel, &options, run->asked);
        options.polled = options.by_steps && !gf_cuda_has_loops(&run->device->context, NULL);
    }
    if (run->asked->by_segments && !options.by_steps) {
        run->stages = gf_cuda_stages_get(kernel, &options, run->asked, run->diags);
    } else {
        run->code = gf_cuda_code_get(kernel, &options, run->diags);
    }
    return run->code != NULL || run->stages != NULL;
}

static bool begin_run(gf_cuda_launching *run) {
    gf_cuda_kernel *kernel = run->kernel;
    bool is_known = gf_cuda_recall_form(run);
    if (!is_known && !find_code(run)) {
        return false;
    }
    run->text = run->stages != NULL ? &run->stages->text.module : &run->code->text;
    run->image = run->stages != NULL ? &run->stages->image : &run->code->image;
    run->hidden = gf_calloc(kernel->plan->buffer_count, sizeof *run->hidden);
    run->counts = gf_calloc(kernel->plan->buffer_count, sizeof *run->counts);
    run->snapshots = gf_calloc(kernel->watched_count, sizeof *run->snapshots);
    run->fresh = gf_calloc(kernel->plan->buffer_count + 1, sizeof *run->fresh);
    run->spent = gf_calloc(kernel->plan->buffer_count, sizeof *run->spent);
    run->words = gf_calloc(run->text->arg_words, sizeof *run->words);
    if (run->hidden == NULL || run->counts == NULL || run->snapshots == NULL || run->fresh == NULL ||
        run->spent == NULL || run->words == NULL) {
        return gf_fail_memory(run->diags);
    }
    for (size_t i = 0; i < run->asked->buffer_count; i++) {
        run->counts[i] = run->asked->buffers[i].count;
    }
    return (is_known || gf_cuda_choose_form(run)) && gf_cuda_take_room(run);
}

static bool run_locked(gf_cuda_kernel *kernel, const gf_backend_launch *asked, gf_backend_result *result,
                       gf_diags *diags) {
    gf_cuda_launching run = {
        .kernel = kernel,
        .device = kernel->device,
        .driver = kernel->device->context.driver,
        .asked = asked,
        .result = result,
        .diags = diags,
        /* Asked through a pointer to const: a backend has nothing to write there but the clock's verdict. */
        .stop = (gf_stop *)(uintptr_t)asked->stop};
    double begin = gf_clock_seconds();
    bool done = begin_run(&run) && run_passes(&run);
    if (done && run.stages != NULL) {
        gf_cuda_stages_learn(kernel->device, run.stages, run.has_pieces);
    }
    if (done && run.code != NULL && run.code->options.by_steps) {
        gf_cuda_steps_learn(kernel->device, run.code, run.most_steps);
    }
    /* Nobody waits for it now. */
    done = done && (kernel->is_ready || reset_state(&run));
    result->bytes_hidden = run.bytes_hidden;
    result->seconds_device = gf_clock_seconds() - begin;
    gf_cuda_give_room(&run);
    return done;
}

bool gf_cuda_kernel_launch(gf_cuda_device *device, gf_cuda_kernel *kernel, const gf_backend_launch *asked,
                           gf_backend_result *result, gf_diags *diags) {
    if (!gf_cuda_enter(&device->context, diags)) {
        return false;
    }
    (void)pthread_mutex_lock(&kernel->lock);
    gf_cuda_kernel *used = asked->checked ? gf_cuda_kernel_careful(kernel, diags) : kernel;
    bool done = used != NULL && run_locked(used, asked, result, diags);
    (void)pthread_mutex_unlock(&kernel->lock);
    gf_cuda_leave(&device->context);
    return done;
}
