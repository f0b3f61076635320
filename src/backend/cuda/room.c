/* What a run needs besides its buffers: hidden memory, copies to compare with, arguments. */
#include "backend/cuda/launching.h"
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
#define LEAST_ON_LIST 64                    /* pieces of rows */
#define MOST_ON_LIST ((uint64_t)1 << 18)    /* pieces of rows */
#define UNKNOWN_RESULTS ((uint64_t)1 << 20) /* of a forall whose width only the device knows: for 2^32 items */

/* ---- sizes ---- */

static gf_cuda_sizes sizes_of(const gf_cuda_launching *run) {
    return (gf_cuda_sizes){.plan = run->kernel->plan, .asked = run->asked};
}

static bool hidden_count(gf_cuda_launching *run, size_t buffer, uint64_t *count) {
    gf_cuda_sizes sizes = sizes_of(run);
    return gf_cuda_sizes_hidden(&sizes, buffer, count);
}

/* ---- memory ---- */

/* Memory that is written by whoever takes it: no zeros any more, whatever it was. `for_zeros`: the caller looks first
 * whether it was, and says so then. */
static gf_cuda_memory *take(gf_cuda_launching *run, uint64_t bytes, bool for_zeros, const char *what) {
    if (bytes > run->asked->memory_left - run->bytes_hidden) {
        (void)gf_fail(run->diags, GF_CODE_MEMORY_LIMIT, GF_NO_SPAN, "%s take %llu bytes, beyond the memory limit", what,
                      (unsigned long long)bytes);
        return NULL;
    }
    size_t size = bytes > 0 ? (size_t)bytes : 1;
    gf_cuda_memory *memory = for_zeros ? gf_cuda_pool_take_for_zeros(&run->device->pool, size, run->diags)
                                       : gf_cuda_pool_take(&run->device->pool, size, run->diags);
    run->bytes_hidden += memory != NULL ? bytes : 0;
    return memory;
}

static void add_fresh(gf_cuda_launching *run, const gf_cuda_memory *memory, uint64_t bytes) {
    if (bytes > memory->zeros) {
        run->fresh[run->fresh_count++] = (gf_cuda_range){.address = memory->address, .bytes = (size_t)bytes};
    }
}

static bool set_zeros(gf_cuda_launching *run) {
    const gf_backend_launch *asked = run->asked;
    for (size_t i = 0; asked->zeros != NULL && i < asked->buffer_count; i++) {
        if (asked->zeros[i] && asked->buffers[i].memory != NULL) {
            add_fresh(run, asked->buffers[i].memory,
                      run->counts[i] * gf_type_bytes(run->kernel->plan->buffers[i].symbol->type));
        }
    }
    return gf_cuda_zeros_set(run->device, run->fresh, run->fresh_count, run->diags);
}

/* Hidden memory that is to begin as zeros. */
static bool begins_as_zeros(const gf_cuda_launching *run, size_t buffer) {
    return !run->text->own[buffer] && !run->text->fused[buffer] && run->text->tile_items[buffer] == 0 &&
           !run->kernel->overwritten[buffer];
}

/* The program's own too, which the launch is told of. */
static bool is_spent(const gf_cuda_launching *run, size_t buffer) {
    const gf_backend_launch *asked = run->asked;
    return buffer >= run->kernel->program_buffers ? begins_as_zeros(run, buffer)
                                                  : asked->own_zeros != NULL && asked->own_zeros[buffer];
}

void gf_cuda_find_spent(gf_cuda_launching *run) {
    size_t count = run->asked->on_pass == NULL ? run->kernel->plan->buffer_count : 0;
    run->fresh_count = run->spent_count = 0;
    for (size_t i = 0; i < count; i++) {
        gf_cuda_memory *memory = i < run->kernel->program_buffers ? run->asked->buffers[i].memory : run->hidden[i];
        if (memory != NULL && is_spent(run, i)) {
            size_t each = gf_type_bytes(run->kernel->plan->buffers[i].symbol->type);
            run->spent[run->spent_count++] = memory;
            run->fresh[run->fresh_count++] =
                (gf_cuda_range){.address = memory->address, .bytes = (size_t)run->counts[i] * each};
        }
    }
}

static uint64_t result_count(gf_cuda_launching *run, uint32_t buffer) {
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

/* What tiles of so many items tell each other. The first one may begin before them, the last one end behind. */
static uint64_t tile_words(gf_cuda_launching *run, uint32_t buffer, uint64_t items) {
    uint64_t each = gf_type_bytes(run->kernel->plan->buffers[buffer].symbol->type) / 4;
    return GF_PTX_LINE / 8 + each * (items / run->text->tile_items[buffer] + 2);
}

static bool take_hidden(gf_cuda_launching *run, uint32_t buffer) {
    const gf_plan *plan = run->kernel->plan;
    uint64_t bytes = 0, count = 0;
    bool has_tiles = run->text->tile_items[buffer] > 0;
    if (run->text->own[buffer]) {
        return true;
    }
    if (run->text->fused[buffer]) {
        run->counts[buffer] = count = result_count(run, buffer);
        bytes = 8 * (2 * count + count / BLOCK + 1);
    } else {
        size_t element = has_tiles ? 8 : gf_type_bytes(plan->buffers[buffer].symbol->type);
        if (!hidden_count(run, buffer, &count)) {
            return gf_fail(run->diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN,
                           "the size of hidden buffer `%s` is known on the device alone, which cannot be had here",
                           plan->buffers[buffer].symbol->name);
        }
        count = has_tiles ? tile_words(run, buffer, count) : count;
        if (!gf_mul_u64(count, element, &bytes)) {
            return gf_fail_memory(run->diags);
        }
        run->counts[buffer] = count;
    }
    run->hidden[buffer] = take(run, bytes, true, "values that live across barriers");
    if (run->hidden[buffer] == NULL) {
        return false;
    }
    if (begins_as_zeros(run, buffer)) {
        add_fresh(run, run->hidden[buffer], bytes);
    }
    run->hidden[buffer]->zeros = 0; /* from now on, or once it is written */
    return true;
}

static bool take_snapshots(gf_cuda_launching *run) {
    gf_cuda_kernel *kernel = run->kernel;
    for (size_t i = 0; run->asked->compare && i < kernel->watched_count; i++) {
        uint32_t buffer = kernel->watched[i];
        uint64_t bytes = run->counts[buffer] * gf_type_bytes(kernel->plan->buffers[buffer].symbol->type);
        if (kernel->tracked[buffer]) {
            continue;
        }
        run->snapshots[i] = take(run, bytes, false, "copies to see whether a pass changed anything");
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

/* Rows are of the longest buffer mostly, and few are short among those that are cut. With less room, or none, more is
 * done by the warps that come to the rows: no reason to fail. */
static void take_list(gf_cuda_launching *run) {
    uint64_t each = run->text->list_bytes, left = run->asked->memory_left - run->bytes_hidden;
    uint64_t pieces = LEAST_ON_LIST;
    for (size_t i = 0; i < run->asked->buffer_count; i++) {
        uint64_t most = run->asked->buffers[i].count / 256;
        pieces = most > pieces ? most : pieces;
    }
    pieces = pieces > MOST_ON_LIST ? MOST_ON_LIST : pieces;
    pieces = each == 0 || (run->stages != NULL && run->stages->pieces == GF_CUDA_PIECES_NONE) ? 0
             : left / each < pieces                                                           ? left / each
                                                                                              : pieces;
    if (pieces > 0) {
        run->list_memory = gf_cuda_pool_take(&run->device->pool, (size_t)(pieces * each), NULL);
    }
    run->list_pieces = run->list_memory != NULL ? pieces : 0;
    run->bytes_hidden += run->list_pieces * each;
}

/* It stays with the kernel from run to run: after one it is made ready for the next. */
static bool take_state(gf_cuda_launching *run) {
    gf_cuda_kernel *kernel = run->kernel;
    uint64_t bytes = GF_PTX_STATE_BYTES + (uint64_t)2 * 8 * (run->stages != NULL ? run->stages->text.cells : 0);
    if (kernel->state != NULL && kernel->state->bytes >= bytes) {
        return true;
    }
    gf_cuda_pool_give(&run->device->pool, kernel->state);
    kernel->state = gf_cuda_pool_take(&run->device->pool, (size_t)bytes, run->diags);
    kernel->is_ready = false;
    return kernel->state != NULL;
}

bool gf_cuda_take_room(gf_cuda_launching *run) {
    const gf_plan *plan = run->kernel->plan;
    gf_cuda_zeros_prepare(run->device);
    for (size_t i = run->kernel->program_buffers; i < plan->buffer_count; i++) {
        if (!take_hidden(run, (uint32_t)i)) {
            return false;
        }
    }
    if (!take_state(run)) {
        return false;
    }
    if (run->text->block_bytes > 0) {
        run->block_memory = take(run, run->text->block_bytes * run->blocks, false, "arrays that live across barriers");
        if (run->block_memory == NULL) {
            return false;
        }
    }
    if (run->thread_bytes > 0) {
        run->thread_memory = take(run, run->thread_bytes, false, "large arrays of invocations");
        if (run->thread_memory == NULL) {
            return false;
        }
    }
    if (!set_zeros(run) || !take_snapshots(run)) {
        return false;
    }
    take_list(run);
    return true;
}

void gf_cuda_give_room(gf_cuda_launching *run) {
    gf_cuda_pool *pool = &run->device->pool;
    /* The last first: so the next run finds each where this one had it, and has the same arguments. */
    gf_cuda_pool_give(pool, run->list_memory);
    for (size_t i = run->snapshots != NULL ? run->kernel->watched_count : 0; i-- > 0;) {
        gf_cuda_pool_give(pool, run->snapshots[i]);
    }
    gf_cuda_pool_give(pool, run->thread_memory);
    gf_cuda_pool_give(pool, run->block_memory);
    for (size_t i = run->hidden != NULL ? run->kernel->plan->buffer_count : 0; i-- > 0;) {
        gf_cuda_pool_give(pool, run->hidden[i]);
    }
    gf_free(run->hidden);
    gf_free(run->snapshots);
    gf_free(run->fresh);
    gf_free(run->spent);
    gf_free(run->counts);
    gf_free(run->words);
    gf_free(run->items);
}

/* ---- arguments ---- */

bool gf_cuda_send_arguments(gf_cuda_launching *run, uint64_t passes) {
    const gf_plan *plan = run->kernel->plan;
    uint64_t *at = run->words;
    at[GF_PTX_ARGS_STATE] = run->kernel->state->address;
    for (int axis = 0; axis < 3; axis++) {
        at[GF_PTX_ARGS_SPACE + axis] = run->asked->space[axis];
        at[GF_PTX_ARGS_GROUPS + axis] = run->asked->groups[axis];
    }
    at[GF_PTX_ARGS_PASSES] = passes;
    at[GF_PTX_ARGS_OUTCOME] = run->kernel->outcome_address;
    at[GF_PTX_ARGS_BLOCK] = run->block_memory != NULL ? run->block_memory->address : 0;
    at[GF_PTX_ARGS_BLOCK + 1] = run->text->block_bytes;
    at[GF_PTX_ARGS_THREAD] = run->thread_memory != NULL ? run->thread_memory->address : 0;
    at[GF_PTX_ARGS_LIST] = run->list_memory != NULL ? run->list_memory->address : 0;
    at[GF_PTX_ARGS_LIST + 1] = run->list_pieces;
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
    if (run->text->near_bytes > 0) {
        run->words[run->text->arg_words - 1] = run->near_room;
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
