/* One segment: its arguments, the memory it needs, and how its work is cut. */
#include "backend/cpu/run.h"
#include "base/checked.h"
#include "base/clock.h"
#include "base/memory.h"
#include "ir/eval.h"
#include "ir/program.h"
#include <string.h>

#define SERIAL_WORK 20000        /* operations below which waking anyone costs more than it gives */
#define CHUNKS_EACH 8            /* chunks per thread, so that uneven ones even out */
#define LOOP_WORK 16             /* what a loop multiplies the estimate by */
#define LEAST_WORK 8192          /* operations of a chunk: handing one out costs some 20 ns */
#define SMALL_BLOCK 16           /* invocations: so many are one result at least */
#define WAVE ((uint64_t)1 << 16) /* units of a thread whose values are summed, and then made once more */
#define WAVE_CHUNK (WAVE / 4)

/* ---- hidden buffers ---- */

static bool size_symbol(void *user, const gf_symbol *symbol, uint64_t *bits) {
    const gf_cpu_run *run = user;
    const gf_plan *plan = run->kernel->plan;
    for (size_t i = 0; i < plan->register_count; i++) {
        if (plan->registers[i] == symbol) {
            *bits = run->registers[i];
            return true;
        }
    }
    for (size_t i = 0; i < run->asked->param_count; i++) {
        if (gf_tree_nth(plan->program->checked, GF_SYMBOL_PARAM, i) == symbol) {
            *bits = run->params[i];
            return true;
        }
    }
    return false;
}

static bool size_length(void *user, const gf_symbol *buffer, uint64_t *count) {
    const gf_cpu_run *run = user;
    for (size_t i = 0; i < run->kernel->plan->buffer_count; i++) {
        if (run->kernel->plan->buffers[i].symbol == buffer) {
            *count = run->buffers[i].count;
            return true;
        }
    }
    return false;
}

static bool grow(gf_cpu_run *run, uint32_t buffer, uint64_t count) {
    gf_cpu_hidden *hidden = &run->hidden[buffer];
    size_t element = gf_type_bytes(run->kernel->plan->buffers[buffer].symbol->type);
    uint64_t bytes = 0;
    if (!gf_mul_u64(count, element, &bytes) || bytes > PTRDIFF_MAX) {
        return gf_fail(run->diags, GF_CODE_MEMORY_LIMIT, GF_NO_SPAN,
                       "a hidden buffer of the plan would have %llu elements, more than can be addressed",
                       (unsigned long long)count);
    }
    size_t used = (size_t)run->buffers[buffer].count * element;
    if (bytes > hidden->capacity) {
        uint64_t more = bytes - hidden->capacity;
        if (run->asked->memory_left - run->bytes_hidden < more) {
            return gf_fail(run->diags, GF_CODE_MEMORY_LIMIT, GF_NO_SPAN,
                           "values that live across barriers need %llu bytes more, beyond the memory limit",
                           (unsigned long long)more);
        }
        void *grown = gf_malloc((size_t)bytes);
        if (grown == NULL) {
            return gf_fail_memory(run->diags);
        }
        if (used > 0) {
            memcpy(grown, hidden->memory, used);
        }
        gf_free(hidden->memory);
        hidden->memory = grown;
        hidden->capacity = (size_t)bytes;
        run->bytes_hidden += more;
    }
    if (bytes > used) {
        memset((char *)hidden->memory + used, 0, (size_t)bytes - used);
    }
    run->buffers[buffer] = (gf_abi_buffer){.data = hidden->memory, .count = count};
    return true;
}

bool gf_cpu_size_hidden(gf_cpu_run *run, uint32_t buffer) {
    const gf_plan_buffer *planned = &run->kernel->plan->buffers[buffer];
    if (planned->kind == GF_PLAN_BUFFER_PROGRAM || planned->size == NULL || run->kernel->fused[buffer]) {
        return true;
    }
    gf_env env = {.user = run, .symbol = size_symbol, .length = size_length, .has_geometry = true};
    memcpy(env.space, run->asked->space, sizeof env.space);
    memcpy(env.groups, run->asked->groups, sizeof env.groups);
    for (int axis = 0; axis < 3; axis++) {
        env.workgroup[axis] = run->kernel->plan->program->checked->kernel.workgroup[axis];
    }
    uint64_t count = 0;
    return gf_eval_size(planned->size, &env, planned->symbol->name, &count, run->diags) &&
           (count == run->buffers[buffer].count || grow(run, buffer, count));
}

/* ---- results of fused reductions ---- */

static bool make_results(gf_cpu_run *run, const gf_cpu_segment *segment, uint64_t units, uint64_t block) {
    for (uint32_t k = 0; k < segment->reduce_count; k++) {
        const gf_llvm_reduce *reduce = &segment->reduces[k];
        bool is_left = reduce->fixed_order && block < reduce->block;
        uint64_t blocks = is_left ? units : (units + block - 1) / block;
        size_t bytes = (size_t)blocks * gf_type_bytes(run->kernel->plan->buffers[reduce->buffer].symbol->type);
        run->results_count[reduce->buffer] = blocks;
        run->results_unfolded[reduce->buffer] = is_left;
        if (bytes > run->results_capacity[reduce->buffer]) {
            gf_free(run->results[reduce->buffer]);
            run->results[reduce->buffer] = gf_malloc(bytes);
            run->results_capacity[reduce->buffer] = run->results[reduce->buffer] != NULL ? bytes : 0;
            if (run->results[reduce->buffer] == NULL) {
                return gf_fail_memory(run->diags);
            }
        }
    }
    return true;
}

/* ---- the launch ---- */

/* To look through a buffer costs as much as to use it once, so it is done for who comes a second time. */
static uint64_t largest_of(gf_cpu_run *run, uint32_t buffer) {
    gf_cpu_largest *largest = &run->largest[buffer];
    if (!largest->is_wanted) {
        largest->is_wanted = true;
        return UINT64_MAX;
    }
    if (!largest->is_known) {
        largest->value = gf_cpu_find_largest(run, buffer);
        largest->is_known = true;
    }
    return largest->value;
}

static void fill_args(gf_cpu_run *run, const gf_cpu_segment *segment, const uint64_t space[3], const uint64_t groups[3],
                      uint64_t block) {
    const gf_segment *planned = segment->segment;
    uint64_t *at = run->args;
    for (int axis = 0; axis < 3; axis++) {
        at[GF_ABI_SPACE + axis] = space[axis];
        at[GF_ABI_GROUPS + axis] = groups[axis];
    }
    at[GF_ABI_BLOCK] = block;
    at += GF_ABI_PARAMS;
    for (size_t i = 0; i < planned->param_count; i++) {
        *at++ = segment->params[i].is_register ? run->registers[segment->params[i].index]
                                               : run->params[segment->params[i].index];
    }
    for (size_t i = 0; i < planned->buffer_count; i++) {
        const gf_abi_buffer *buffer = &run->buffers[planned->buffers[i].buffer];
        *at++ = (uint64_t)(uintptr_t)buffer->data;
        *at++ = buffer->count;
    }
    for (uint32_t k = 0; k < segment->reduce_count; k++) {
        *at++ = (uint64_t)(uintptr_t)run->results[segment->reduces[k].buffer];
    }
    if (segment->has_scan) {
        const gf_segment *source = run->kernel->plan->segments[segment->scan.source];
        *at++ = (uint64_t)(uintptr_t)run->results[segment->scan.values];
        size_t words = source->param_count + 2 * source->buffer_count;
        memcpy(at, run->source_args + GF_ABI_PARAMS, words * sizeof *at);
        at += words;
    }
    const gf_llvm_segment *info = &run->code->segments[planned->index];
    for (uint32_t k = 0; k < info->largest_count; k++) {
        *at++ = largest_of(run, info->largest[k]);
    }
}

typedef struct job_context {
    gf_abi_segment *function;
    gf_cpu_run *run;
} job_context;

static void run_chunk(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    const job_context *job = context;
    job->function(job->run->args, &job->run->workers[worker].abi, begin, end);
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* How many units one chunk has; 0: all of them, on this thread. */
static uint64_t choose_grain(const gf_cpu_run *run, const gf_llvm_segment *info, uint64_t units, uint64_t group_size,
                             uint64_t row) {
    uint64_t each = (uint64_t)info->cost * (info->has_loop ? LOOP_WORK : 1) * (info->by_group ? group_size : 1);
    each = each > 0 ? each : 1;
    bool heavy = info->has_loop || info->by_group;
    if (run->threads == 1 || (!heavy && units < SERIAL_WORK / each + 1) ||
        (heavy && units < SERIAL_WORK / LOOP_WORK / each + 1)) {
        return 0;
    }
    uint64_t grain = units / ((uint64_t)run->threads * CHUNKS_EACH) + 1;
    uint64_t worth = LEAST_WORK / each + 1;
    grain = grain > worth ? grain : worth;
    if (!info->by_group && info->unit == 1 && row > 1 && grain > row) {
        return (grain + row - 1) / row * row;
    }
    /* Few long invocations are shared out in smaller blocks than those of a reduction. */
    uint64_t unit = grain < info->unit ? least(info->unit, SMALL_BLOCK) : info->unit;
    return (grain + unit - 1) / unit * unit;
}

static uint64_t grain_of(const gf_cpu_run *run, const gf_segment *segment, uint64_t units, const uint64_t space[3]) {
    const uint32_t *workgroup = segment->tree->kernel.workgroup;
    uint64_t group_size = (uint64_t)workgroup[0] * workgroup[1] * workgroup[2];
    uint64_t row = space[1] > 1 || space[2] > 1 ? space[0] : 1;
    return choose_grain(run, &run->code->segments[segment->index], units, group_size, row);
}

static void launch_units(gf_cpu_run *run, const gf_segment *segment, uint64_t units, uint64_t grain) {
    job_context context = {.function = run->code->segment_functions[segment->index], .run = run};
    if (grain == 0) {
        run_chunk(&context, 0, 0, units);
        return;
    }
    gf_pool_job job = {
        .body = run_chunk, .context = &context, .count = units, .grain = grain, .keep_shares = run->asked->keep_shares};
    gf_pool_run(run->pool, &job);
}

/* ---- prefix sums ---- */

/* One step: a wave of values is used, and the next one summed. Either may be empty. */
typedef struct wave {
    gf_cpu_run *run;
    gf_abi_segment *source, *user;
    uint64_t used, used_end, summed, summed_end;
} wave;

static void run_wave(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    const wave *w = context;
    gf_abi_worker *abi = &w->run->workers[worker].abi;
    if (w->used + begin < w->used_end) {
        w->user(w->run->args, abi, w->used + begin, least(w->used + end, w->used_end));
    }
    if (w->summed + begin < w->summed_end) {
        w->source(w->run->source_args, abi, w->summed + begin, least(w->summed + end, w->summed_end));
    }
}

/* The segment that makes the values and the one that uses their sums go through the space together, a wave ahead the
 * one of the other: what the values are made of comes from the second cache the second time. The segments have nothing
 * to do with each other but for the sums, see fuse.c of the emitter. */
static void run_waves(gf_cpu_run *run, const gf_cpu_segment *segment, uint64_t units) {
    wave w = {.run = run,
              .source = run->code->segment_functions[segment->scan.source],
              .user = run->code->segment_functions[segment->segment->index]};
    uint64_t size = WAVE * run->threads, sum = 0;
    gf_pool *pool = units > WAVE_CHUNK ? run->pool : NULL;
    while (w.used < units) {
        w.summed = w.used_end;
        w.summed_end = least(w.summed + size, units);
        gf_pool_job job = {.body = run_wave,
                           .context = &w,
                           .count = least(size, units - w.used),
                           .grain = WAVE_CHUNK,
                           .keep_shares = true}; /* who has summed a chunk has it in its cache */
        gf_pool_run(pool, &job);
        sum = gf_cpu_scan_totals(run, segment->scan.values, w.summed / GF_LLVM_SCAN_BLOCK,
                                 (w.summed_end + GF_LLVM_SCAN_BLOCK - 1) / GF_LLVM_SCAN_BLOCK, sum);
        w.used = w.used_end;
        w.used_end = w.summed_end;
    }
}

/* ---- one segment ---- */

static void note_launch(gf_cpu_run *run, const gf_segment *segment, double begin) {
    gf_backend_segment *told = run->asked->segments;
    run->launches++;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        uint32_t buffer = segment->buffers[i].buffer;
        const gf_plan_buffer *planned = &run->kernel->plan->buffers[buffer];
        uint64_t bytes = run->buffers[buffer].count * gf_type_bytes(planned->symbol->type);
        if (planned->kind != GF_PLAN_BUFFER_PROGRAM) {
            run->result->bytes_carried += bytes;
        }
        if (told != NULL) {
            told[segment->index].bytes += bytes;
        }
    }
    if (told != NULL) {
        told[segment->index].launches++;
        told[segment->index].seconds += gf_clock_seconds() - begin;
    }
}

static bool anyone_failed(const gf_cpu_run *run) {
    for (unsigned i = 0; i < run->threads; i++) {
        if (run->workers[i].abi.culprit != GF_ABI_NOBODY) {
            return true;
        }
    }
    return false;
}

static bool set_geometry(gf_cpu_run *run, const gf_cpu_segment *segment, uint64_t space[3], uint64_t groups[3]) {
    if (!segment->segment->is_forall) {
        memcpy(space, run->asked->space, 3 * sizeof *space);
        memcpy(groups, run->asked->groups, 3 * sizeof *groups);
        return true;
    }
    uint64_t width = run->registers[segment->forall_count];
    if (width > UINT32_MAX) {
        return gf_fail(run->diags, GF_CODE_GRID_LIMIT, segment->segment->tree->kernel.span,
                       "a forall has %llu invocations on axis x, and at most 4294967295 can be counted",
                       (unsigned long long)width);
    }
    uint64_t size = segment->segment->tree->kernel.workgroup[0];
    space[0] = width;
    groups[0] = (width + size - 1) / size;
    space[1] = space[2] = groups[1] = groups[2] = 1;
    return true;
}

static bool run_segment(gf_cpu_run *run, const gf_segment *planned) {
    const gf_cpu_segment *segment = &run->kernel->segments[planned->index];
    uint64_t space[3], groups[3];
    if (!set_geometry(run, segment, space, groups)) {
        return false;
    }
    bool by_group = run->code->segments[planned->index].by_group;
    const uint64_t *counted = by_group ? groups : space;
    uint64_t units = counted[0] * counted[1] * counted[2];
    if (units == 0) {
        run->result->launches_skipped++;
        for (uint32_t k = 0; k < segment->reduce_count; k++) {
            run->results_count[segment->reduces[k].buffer] = 0;
        }
        return true;
    }
    for (size_t i = 0; segment->has_hidden && i < planned->buffer_count; i++) {
        if (!gf_cpu_size_hidden(run, planned->buffers[i].buffer)) {
            return false;
        }
    }
    bool is_scan = segment->is_source || segment->has_scan;
    uint64_t unit = run->code->segments[planned->index].unit;
    uint64_t grain = is_scan ? 0 : grain_of(run, planned, units, space);
    uint64_t block = grain == 0 ? unit : least(grain, unit);
    if (segment->reduce_count > 0 && !make_results(run, segment, units, block)) {
        return false;
    }
    double begin = run->asked->segments != NULL ? gf_clock_seconds() : 0;
    fill_args(run, segment, space, groups, block);
    if (segment->is_source) { /* it runs along with the segment that uses the sums */
        memcpy(run->source_args, run->args, run->kernel->most_words * sizeof *run->args);
    } else if (segment->has_scan) {
        run_waves(run, segment, units);
    } else {
        launch_units(run, planned, units, grain);
    }
    note_launch(run, planned, begin);
    if (anyone_failed(run)) {
        gf_cpu_take_wrong(run, planned, space);
    }
    return true;
}

/* A segment of the same stretch may yet do what counts more. */
bool gf_cpu_segment_run(gf_cpu_run *run, const gf_plan_node *node) {
    if (!run_segment(run, node->segment)) {
        return false;
    }
    return run->wrong.what.culprit == GF_ABI_NOBODY || node->is_followed || gf_cpu_report(run);
}
