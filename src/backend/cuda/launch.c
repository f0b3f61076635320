/* One run as one launch: what it needs besides its buffers, arguments, passes, outcome. */
#include "backend/cuda/kernel.h"
#include "backend/cuda/sizes.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"
#include "emit/ptx/abi.h"
#include "ir/program.h"
#include <sched.h>
#include <string.h>

#define BLOCK 4096                          /* items of a result */
#define UNKNOWN_RESULTS ((uint64_t)1 << 20) /* of a forall whose width only the device knows: for 2^32 items */
#define WIDE ((uint64_t)1 << 32)
#define TEAM 256 /* threads that sum up a block of items */
#define WARP 32
#define SPINS 2000 /* looks at the stream before others may have the processor in between */

typedef struct launching {
    gf_cuda_kernel *kernel;
    gf_cuda_device *device;
    const gf_cuda_driver *driver;
    gf_cuda_code *code;     /* the whole plan in one kernel, or */
    gf_cuda_stages *stages; /* in many */
    const gf_ptx_module *text;
    gf_cuda_image *image;
    const gf_backend_launch *asked;
    gf_backend_result *result;
    gf_diags *diags;
    gf_stop *stop;
    gf_cuda_memory **hidden; /* by plan buffer */
    gf_cuda_memory **snapshots;
    uint64_t *counts; /* by plan buffer */
    gf_cuda_memory *state, *block_memory, *thread_memory;
    uint64_t thread_bytes; /* of all threads of the one kernel, or at most of any stage */
    uint64_t *words;
    unsigned blocks;        /* of the one kernel, or the most of any stage */
    unsigned threads;       /* of a block of the one kernel */
    unsigned *stage_blocks; /* by stage */
    uint64_t *cells;
    uint64_t bytes_hidden;
} launching;

/* ---- sizes ---- */

static gf_cuda_sizes sizes_of(const launching *run) {
    return (gf_cuda_sizes){.plan = run->kernel->plan, .asked = run->asked};
}

static bool hidden_count(launching *run, size_t buffer, uint64_t *count) {
    gf_cuda_sizes sizes = sizes_of(run);
    return gf_cuda_sizes_hidden(&sizes, buffer, count);
}

/* ---- memory ---- */

static gf_cuda_memory *take(launching *run, uint64_t bytes, const char *what) {
    if (bytes > run->asked->memory_left - run->bytes_hidden) {
        (void)gf_fail(run->diags, GF_CODE_MEMORY_LIMIT, GF_NO_SPAN, "%s take %llu bytes, beyond the memory limit", what,
                      (unsigned long long)bytes);
        return NULL;
    }
    gf_cuda_memory *memory = gf_cuda_pool_take(&run->device->pool, bytes > 0 ? (size_t)bytes : 1, run->diags);
    run->bytes_hidden += memory != NULL ? bytes : 0;
    return memory;
}

static bool zero(launching *run, CUdeviceptr at, uint64_t bytes) {
    return gf_cuda_try(&run->device->context, run->driver->cuMemsetD8Async(at, 0, (size_t)bytes, run->device->stream),
                       "cuMemsetD8Async", run->diags);
}

/* Every segment that writes it writes all of it. */
static bool is_overwritten(const gf_plan *plan, uint32_t buffer) {
    bool overwritten = plan->buffers[buffer].kind == GF_PLAN_BUFFER_VALUES;
    for (size_t k = 0; k < plan->segment_count; k++) {
        for (size_t i = 0; i < plan->segments[k]->buffer_count; i++) {
            const gf_segment_buffer *use = &plan->segments[k]->buffers[i];
            overwritten &= use->buffer != buffer || use->role == GF_ROLE_IN || use->overwrites;
        }
    }
    return overwritten;
}

static uint64_t result_count(launching *run, uint32_t buffer) {
    const gf_plan *plan = run->kernel->plan;
    uint64_t count = 0;
    if (!run->text->ordered[buffer]) {
        return GF_PTX_MOST_BLOCKS;
    }
    for (size_t k = 0; k < plan->segment_count; k++) {
        for (size_t i = 0; i < plan->segments[k]->buffer_count; i++) {
            if (plan->segments[k]->buffers[i].buffer == buffer && !plan->segments[k]->is_forall) {
                return run->asked->groups[0] * run->asked->groups[1] * run->asked->groups[2];
            }
        }
    }
    return hidden_count(run, buffer, &count) ? count / BLOCK + 1 : UNKNOWN_RESULTS;
}

static bool take_hidden(launching *run, uint32_t buffer) {
    const gf_plan *plan = run->kernel->plan;
    uint64_t bytes = 0, count = 0;
    if (run->text->own[buffer]) {
        return true;
    }
    if (run->text->fused[buffer]) {
        run->counts[buffer] = count = result_count(run, buffer);
        bytes = 8 * (2 * count + count / BLOCK + 1);
    } else {
        size_t element = gf_type_bytes(plan->buffers[buffer].symbol->type);
        if (!hidden_count(run, buffer, &count)) {
            return gf_fail(run->diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN,
                           "the size of hidden buffer `%s` is known on the device alone, which cannot be had here",
                           plan->buffers[buffer].symbol->name);
        }
        if (!gf_mul_u64(count, element, &bytes)) {
            return gf_fail_memory(run->diags);
        }
        run->counts[buffer] = count;
    }
    run->hidden[buffer] = take(run, bytes, "values that live across barriers");
    if (run->hidden[buffer] == NULL) {
        return false;
    }
    bool fresh = run->text->fused[buffer] || is_overwritten(plan, buffer) || bytes == 0;
    return fresh || zero(run, run->hidden[buffer]->address, bytes);
}

static bool take_snapshots(launching *run) {
    gf_cuda_kernel *kernel = run->kernel;
    for (size_t i = 0; run->asked->compare && i < kernel->watched_count; i++) {
        uint32_t buffer = kernel->watched[i];
        uint64_t bytes = run->counts[buffer] * gf_type_bytes(kernel->plan->buffers[buffer].symbol->type);
        if (kernel->tracked[buffer]) {
            continue;
        }
        run->snapshots[i] = take(run, bytes, "copies to see whether a pass changed anything");
        if (run->snapshots[i] == NULL ||
            (bytes > 0 &&
             !gf_cuda_try(&run->device->context,
                          run->driver->cuMemcpyDtoDAsync(run->snapshots[i]->address,
                                                         gf_cuda_address(run->asked->buffers[buffer].memory),
                                                         (size_t)bytes, run->device->stream),
                          "cuMemcpyDtoDAsync", run->diags))) {
            return false;
        }
    }
    return true;
}

static bool take_memory(launching *run) {
    const gf_plan *plan = run->kernel->plan;
    for (size_t i = 0; i < run->asked->buffer_count; i++) {
        run->counts[i] = run->asked->buffers[i].count;
    }
    for (size_t i = run->kernel->program_buffers; i < plan->buffer_count; i++) {
        if (!take_hidden(run, (uint32_t)i)) {
            return false;
        }
    }
    uint64_t cells = run->stages != NULL ? run->stages->text.cells : 0;
    run->state = gf_cuda_pool_take(&run->device->pool, GF_PTX_STATE_BYTES + 2 * 8 * cells, run->diags);
    if (run->state == NULL) {
        return false;
    }
    if (run->text->block_bytes > 0) {
        run->block_memory = take(run, run->text->block_bytes * run->blocks, "arrays that live across barriers");
        if (run->block_memory == NULL) {
            return false;
        }
    }
    if (run->thread_bytes > 0) {
        run->thread_memory = take(run, run->thread_bytes, "large arrays of invocations");
        if (run->thread_memory == NULL) {
            return false;
        }
    }
    return take_snapshots(run);
}

static void give_memory(launching *run) {
    gf_cuda_pool *pool = &run->device->pool;
    for (size_t i = 0; run->hidden != NULL && i < run->kernel->plan->buffer_count; i++) {
        gf_cuda_pool_give(pool, run->hidden[i]);
    }
    for (size_t i = 0; run->snapshots != NULL && i < run->kernel->watched_count; i++) {
        gf_cuda_pool_give(pool, run->snapshots[i]);
    }
    gf_cuda_pool_give(pool, run->state);
    gf_cuda_pool_give(pool, run->block_memory);
    gf_cuda_pool_give(pool, run->thread_memory);
    gf_free(run->hidden);
    gf_free(run->snapshots);
    gf_free(run->counts);
    gf_free(run->words);
    gf_free(run->stage_blocks);
    gf_free(run->cells);
}

/* ---- shape ---- */

/* Items of the widest segment; UINT64_MAX where only the device knows. */
static uint64_t most_items(launching *run) {
    const gf_plan *plan = run->kernel->plan;
    gf_cuda_sizes sizes = sizes_of(run);
    uint64_t most = 1, items = 0;
    for (size_t k = 0; k < plan->segment_count; k++) {
        if (!gf_cuda_sizes_items(&sizes, plan->segments[k], &items)) {
            return UINT64_MAX;
        }
        most = items > most ? items : most;
    }
    return most;
}

/* Items of a stage; UINT64_MAX where only the device knows. */
static uint64_t stage_items(launching *run, const gf_ptx_stage *stage) {
    gf_cuda_sizes sizes = sizes_of(run);
    uint64_t items = 0;
    if (stage->one_block) {
        return 1;
    }
    if (stage->segment == NULL) {
        return stage->items_buffer >= 0 && run->counts[stage->items_buffer] > 0 ? run->counts[stage->items_buffer]
                                                                                : UINT64_MAX;
    }
    return gf_cuda_sizes_items(&sizes, stage->segment, &items) ? items : UINT64_MAX;
}

/* Threads that there is memory for where each wants so much: an eighth of the device's is enough to keep it busy. */
static uint64_t most_threads(const launching *run, uint64_t thread_bytes) {
    uint64_t most = run->device->facts.memory_bytes / 8, left = run->asked->memory_left - run->bytes_hidden;
    return (most < left ? most : left) / thread_bytes;
}

static void note_thread_bytes(launching *run, uint64_t thread_bytes, uint64_t threads) {
    uint64_t bytes = thread_bytes * threads;
    run->thread_bytes = bytes > run->thread_bytes ? bytes : run->thread_bytes;
}

static bool choose_stage_grids(launching *run) {
    gf_cuda_stages *stages = run->stages;
    run->stage_blocks = gf_calloc(stages->text.stage_count, sizeof *run->stage_blocks);
    run->cells = gf_calloc(stages->text.cells, sizeof *run->cells);
    if (run->stage_blocks == NULL || run->cells == NULL) {
        return gf_fail_memory(run->diags);
    }
    uint64_t groups = run->asked->groups[0] * run->asked->groups[1] * run->asked->groups[2];
    for (size_t i = 0; i < stages->text.stage_count; i++) {
        const gf_ptx_stage *stage = &stages->text.stages[i];
        uint64_t fits = (uint64_t)stages->blocks_per_sm[i] * (uint64_t)run->device->facts.sms;
        uint64_t items = stage_items(run, stage);
        uint64_t wanted = items == UINT64_MAX ? fits : items / stage->threads + (items % stage->threads != 0);
        wanted = stage->by_group && groups > wanted ? groups : wanted;
        wanted = wanted < fits ? wanted : fits;
        wanted = wanted < GF_PTX_MOST_BLOCKS ? wanted : GF_PTX_MOST_BLOCKS;
        if (stage->thread_bytes > 0) {
            uint64_t room = most_threads(run, stage->thread_bytes) / stage->threads;
            wanted = wanted < room ? wanted : room;
        }
        run->stage_blocks[i] = stage->one_block || wanted == 0 ? 1 : (unsigned)wanted;
        note_thread_bytes(run, stage->thread_bytes, (uint64_t)run->stage_blocks[i] * stage->threads);
        run->blocks = run->stage_blocks[i] > run->blocks ? run->stage_blocks[i] : run->blocks;
    }
    return true;
}

/* Of a kernel whose threads want memory there are as few as there are items, and no more than there is room for, in
 * blocks on all multiprocessors. */
static void choose_few_threads(launching *run, uint64_t items) {
    const gf_ptx_module *text = run->text;
    uint64_t room = most_threads(run, text->thread_bytes), most = (uint64_t)run->blocks * run->threads;
    uint64_t unit = text->by_teams ? TEAM : WARP, sms = (uint64_t)run->device->facts.sms;
    most = items < most ? items : most;
    most = room < most ? room : most;
    if (!text->by_group && !run->code->options.native) {
        uint64_t threads = ((most + sms - 1) / sms + unit - 1) / unit * unit;
        const uint32_t *size = run->kernel->plan->program->checked->kernel.workgroup;
        uint64_t group = ((uint64_t)size[0] * size[1] * size[2] + unit - 1) / unit * unit;
        bool has_groups = run->kernel->plan->program->checked->kernel.space_kind != GF_SPACE_ONE;
        threads = has_groups && threads < group ? group : threads > unit ? threads : unit;
        run->threads = threads < run->threads ? (unsigned)threads : run->threads;
    }
    if (!run->code->options.native) {
        uint64_t blocks = room < items ? most / run->threads : (most + run->threads - 1) / run->threads;
        run->blocks = blocks > 0 && blocks < run->blocks ? (unsigned)blocks : blocks > 0 ? run->blocks : 1;
    }
    note_thread_bytes(run, text->thread_bytes, (uint64_t)run->blocks * run->threads);
}

static bool choose_grid(launching *run) {
    if (run->stages != NULL) {
        return choose_stage_grids(run);
    }
    const gf_cuda_code *code = run->code;
    uint64_t fits = (uint64_t)code->blocks_per_sm * (uint64_t)run->device->facts.sms, wanted;
    uint64_t groups = run->asked->groups[0] * run->asked->groups[1] * run->asked->groups[2];
    uint64_t items = most_items(run);
    if (fits == 0) {
        return gf_fail(run->diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN,
                       "a block of program `%s` needs more than a multiprocessor of `%s` has: %d registers for each of "
                       "%u threads, %llu bytes of workgroup arrays",
                       run->kernel->plan->program->checked->name, run->device->facts.name, code->registers,
                       code->threads, (unsigned long long)code->text.shared_bytes);
    }
    wanted = items == UINT64_MAX ? fits : items / code->threads + (items % code->threads != 0);
    if (code->text.by_group && groups > wanted) {
        wanted = groups;
    }
    if (code->options.native) {
        uint64_t each = code->text.by_group ? 1 : code->threads;
        uint64_t units = code->text.by_group ? groups : groups * 1;
        const uint32_t *size = run->kernel->plan->program->checked->kernel.workgroup;
        uint64_t packs = code->text.by_group ? 1 : each / ((uint64_t)size[0] * size[1] * size[2]);
        uint64_t needed = packs > 0 ? (units + packs - 1) / packs : fits + 1;
        if (needed > fits) {
            return gf_fail(run->diags, GF_CODE_RESIDENCY, GF_NO_SPAN,
                           "%llu blocks must be resident at once, and %llu fit on `%s`", (unsigned long long)needed,
                           (unsigned long long)fits, run->device->facts.name);
        }
        wanted = needed > wanted ? needed : wanted;
    }
    wanted = wanted < fits ? wanted : fits;
    run->blocks = (unsigned)(wanted > 0 ? wanted : 1);
    run->threads = code->threads;
    if (code->text.thread_bytes > 0) {
        run->blocks = (unsigned)(code->text.by_group ? run->blocks : fits);
        choose_few_threads(run, items);
    }
    return true;
}

/* ---- arguments ---- */

static bool fill_words(launching *run, uint64_t passes) {
    const gf_plan *plan = run->kernel->plan;
    uint64_t *at = run->words;
    at[GF_PTX_ARGS_STATE] = run->state->address;
    for (int axis = 0; axis < 3; axis++) {
        at[GF_PTX_ARGS_SPACE + axis] = run->asked->space[axis];
        at[GF_PTX_ARGS_GROUPS + axis] = run->asked->groups[axis];
    }
    at[GF_PTX_ARGS_PASSES] = passes;
    at[GF_PTX_ARGS_OUTCOME] = run->kernel->outcome_address;
    at[GF_PTX_ARGS_BLOCK] = run->block_memory != NULL ? run->block_memory->address : 0;
    at[GF_PTX_ARGS_BLOCK + 1] = run->text->block_bytes;
    at[GF_PTX_ARGS_THREAD] = run->thread_memory != NULL ? run->thread_memory->address : 0;
    at += GF_PTX_ARGS_PARAMS;
    for (size_t i = 0; i < run->asked->param_count; i++) {
        *at++ = run->asked->params[i].bits;
    }
    for (size_t i = 0; i < plan->buffer_count; i++) {
        const void *memory = i < run->asked->buffer_count ? run->asked->buffers[i].memory : run->hidden[i];
        *at++ = memory != NULL ? gf_cuda_address(memory) : 0;
        *at++ = run->counts[i];
    }
    for (size_t i = 0; i < run->kernel->watched_count; i++) {
        if (run->snapshots[i] != NULL) {
            *at++ = run->snapshots[i]->address;
        }
    }
    size_t bytes = run->text->arg_words * sizeof *run->words;
    gf_cuda_image *image = run->image;
    if (image->has_words && memcmp(image->words, run->words, bytes) == 0) {
        return true;
    }
    memcpy(image->words, run->words, bytes);
    image->has_words = gf_cuda_try(
        &run->device->context, run->driver->cuMemcpyHtoDAsync(image->args, image->words, bytes, run->device->stream),
        "cuMemcpyHtoDAsync", run->diags);
    return image->has_words;
}

/* Ordered with the launch: a word that is reset while blocks wait at it never lets them go. */
static bool reset_state(launching *run) {
    CUdeviceptr state = run->state->address;
    gf_cuda_context *context = &run->device->context;
    return gf_cuda_try(context, run->driver->cuMemsetD8Async(state, 0, GF_PTX_STATE_SCAN, run->device->stream),
                       "cuMemsetD8Async", run->diags) &&
           gf_cuda_try(context,
                       run->driver->cuMemsetD8Async(state + GF_PTX_STATE_CULPRIT, 0xff, 8, run->device->stream),
                       "cuMemsetD8Async", run->diags);
}

/* ---- the launch ---- */

/* Beside the work, on the other stream. */
static void tell_stop(launching *run) {
    static const unsigned one = 1;
    (void)run->driver->cuMemcpyHtoDAsync(run->state->address + GF_PTX_STATE_STOP, &one, sizeof one, run->device->side);
}

static bool wait(launching *run) {
    bool told = false;
    for (unsigned looks = 0;; looks++) {
        CUresult result = run->driver->cuStreamQuery(run->device->stream);
        if (result != CUDA_ERROR_NOT_READY) {
            return gf_cuda_try(&run->device->context, result, "cuLaunchKernel", run->diags);
        }
        if (looks > SPINS) {
            (void)sched_yield();
        }
        if (!told && looks % 64 == 63 && gf_stop_poll(run->stop) != GF_STOP_NONE) {
            tell_stop(run);
            told = true;
        }
    }
}

/* The first set of cells: addresses of what trades names, and that the program has said nothing yet. */
static bool fill_cells(launching *run) {
    const gf_ptx_stages *text = &run->stages->text;
    memset(run->cells, 0, text->cells * sizeof *run->cells);
    for (size_t i = 0; i < text->swapped_count; i++) {
        run->cells[text->first_swapped + i] = run->words[gf_ptx_arg_of_buffer(run->kernel->plan, text->swapped[i])];
    }
    run->cells[text->converged] = 2;
    return gf_cuda_try(&run->device->context,
                       run->driver->cuMemcpyHtoDAsync(run->state->address + GF_PTX_STATE_BYTES, run->cells,
                                                      text->cells * sizeof *run->cells, run->device->stream),
                       "cuMemcpyHtoDAsync", run->diags);
}

static bool launch_once(launching *run, uint64_t passes) {
    gf_cuda_context *context = &run->device->context;
    const gf_cuda_code *code = run->code;
    memset(run->kernel->outcome, 0, (GF_PTX_OUTCOME_BUFFERS + run->kernel->plan->buffer_count) * 8);
    if (!fill_words(run, passes) || !reset_state(run)) {
        return false;
    }
    if (run->stages != NULL) {
        return fill_cells(run) && gf_cuda_stages_launch(run->device, run->stages, run->stage_blocks, run->diags) &&
               wait(run);
    }
    CUresult result =
        code->text.has_barrier
            ? run->driver->cuLaunchCooperativeKernel(code->function, run->blocks, 1, 1, run->threads, 1, 1,
                                                     (unsigned)code->text.shared_bytes, run->device->stream, NULL)
            : run->driver->cuLaunchKernel(code->function, run->blocks, 1, 1, run->threads, 1, 1,
                                          (unsigned)code->text.shared_bytes, run->device->stream, NULL, NULL);
    const char *call = code->text.has_barrier ? "cuLaunchCooperativeKernel" : "cuLaunchKernel";
    return gf_cuda_try(context, result, call, run->diags) && wait(run);
}

/* ---- the outcome ---- */

/* What names the buffers stand for now. */
static void give_names(launching *run) {
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

static bool look_at_record(launching *run, bool *ended) {
    uint64_t state[8] = {0};
    *ended = run->kernel->outcome[GF_PTX_OUTCOME_RECORDED] != 0;
    if (!*ended) {
        return true;
    }
    return gf_cuda_try(&run->device->context,
                       run->driver->cuMemcpyDtoHAsync(state, run->state->address, sizeof state, run->device->stream),
                       "cuMemcpyDtoHAsync", run->diags) &&
           wait(run) &&
           gf_cuda_report(run->kernel, run->text, state, run->asked->space, run->result->barriers, run->result,
                          run->diags);
}

static bool fail_stopped(launching *run) {
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
static bool run_passes(launching *run) {
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
        result->passes += outcome[GF_PTX_OUTCOME_PASSES];
        result->barriers += outcome[GF_PTX_OUTCOME_BARRIERS];
        said = outcome[GF_PTX_OUTCOME_CONVERGED] < 2 ? (int)outcome[GF_PTX_OUTCOME_CONVERGED] : said;
        stable = outcome[GF_PTX_OUTCOME_STABLE];
        if (outcome[GF_PTX_OUTCOME_LEFT] != 0) {
            return fail_stopped(run);
        }
        if (!look_at_record(run, &ended)) {
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

gf_ptx_options gf_cuda_launch_options(const gf_cuda_kernel *kernel, const gf_backend_launch *launch) {
    return (gf_ptx_options){.checked = launch->checked,
                            .wide = has_wide(launch),
                            .native = kernel->keeps_values && !launch->keep_shares,
                            .passes = launch->max_passes > 1,
                            .compare = launch->compare};
}

static bool begin_run(launching *run) {
    gf_cuda_kernel *kernel = run->kernel;
    gf_ptx_options options = gf_cuda_launch_options(kernel, run->asked);
    if (run->asked->by_segments) {
        options.native = false;
        run->stages = gf_cuda_stages_get(kernel, &options, run->diags);
    } else {
        run->code = gf_cuda_code_get(kernel, &options, run->diags);
    }
    if (run->code == NULL && run->stages == NULL) {
        return false;
    }
    run->text = run->stages != NULL ? &run->stages->text.module : &run->code->text;
    run->image = run->stages != NULL ? &run->stages->image : &run->code->image;
    run->hidden = gf_calloc(kernel->plan->buffer_count, sizeof *run->hidden);
    run->counts = gf_calloc(kernel->plan->buffer_count, sizeof *run->counts);
    run->snapshots = gf_calloc(kernel->watched_count, sizeof *run->snapshots);
    run->words = gf_calloc(run->text->arg_words, sizeof *run->words);
    if (run->hidden == NULL || run->counts == NULL || run->snapshots == NULL || run->words == NULL) {
        return gf_fail_memory(run->diags);
    }
    for (size_t i = 0; i < run->asked->buffer_count; i++) {
        run->counts[i] = run->asked->buffers[i].count;
    }
    return choose_grid(run) && take_memory(run);
}

static bool run_locked(gf_cuda_kernel *kernel, const gf_backend_launch *asked, gf_backend_result *result,
                       gf_diags *diags) {
    launching run = {
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
    result->bytes_hidden = run.bytes_hidden;
    result->seconds_device = gf_clock_seconds() - begin;
    give_memory(&run);
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
