/* Work on whole buffers: sums in the fixed order, prefix sums, fills, copies and comparisons, each cut into parts of
 * the language's blocks so that all threads take part and the result does not depend on how many there are. */
#include "backend/cpu/run.h"
#include "base/memory.h"
#include "ir/eval.h"
#include "ir/fold.h"
#include <stdatomic.h>
#include <string.h>

#define FOLD_BLOCK 4096
#define SCAN_BLOCK ((uint64_t)1 << 15)
#define PART_BYTES ((size_t)1 << 20)

static void run_parts(gf_cpu_run *run, gf_pool_body *body, void *context, uint64_t count, uint64_t grain) {
    gf_pool_job job = {.body = body, .context = context, .count = count, .grain = grain};
    gf_pool_run(run->threads > 1 ? run->pool : NULL, &job);
}

/* ---- reductions ---- */

typedef struct fold_job {
    gf_combine combine;
    gf_type type;
    const char *values;
    uint64_t count, block;
    size_t size;
    char *results;
} fold_job;

static void fold_blocks(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    const fold_job *job = context;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t first = i * job->block, left = job->count - first;
        uint64_t bits = gf_fold_elements(job->combine, job->type, job->values + first * job->size,
                                         left < job->block ? left : job->block);
        memcpy(job->results + i * job->size, &bits, job->size);
    }
}

/* Of values that lie in memory: by blocks (or groups), and then the results of those. */
static bool fold_values(gf_cpu_run *run, fold_job *job, uint64_t *bits) {
    uint64_t blocks = (job->count + job->block - 1) / job->block;
    job->results = gf_malloc((size_t)blocks * job->size);
    if (job->results == NULL) {
        return gf_fail_memory(run->diags);
    }
    run_parts(run, fold_blocks, job, blocks, 16);
    *bits = gf_fold_elements(job->combine, job->type, job->results, blocks);
    gf_free(job->results);
    return true;
}

bool gf_cpu_reduce(gf_cpu_run *run, const gf_cpu_node *at) {
    const gf_plan_node *node = at->node;
    gf_type stored = run->kernel->plan->buffers[node->buffer].symbol->type;
    fold_job job = {.combine = node->combine, .size = gf_type_bytes(stored), .block = FOLD_BLOCK};
    uint64_t bits = 0;
    job.type = node->target->type == GF_TYPE_BOOL ? GF_TYPE_BOOL : stored;
    if (node->by_group) {
        const uint32_t *size = run->kernel->plan->program->checked->kernel.workgroup;
        job.block = (uint64_t)size[0] * size[1] * size[2];
    }
    if (at->is_fused && run->results_unfolded[node->buffer]) {
        job.values = run->results[node->buffer];
        job.count = run->results_count[node->buffer];
        if (!fold_values(run, &job, &bits)) {
            return false;
        }
    } else if (at->is_fused) {
        bits = gf_fold_elements(job.combine, job.type, run->results[node->buffer], run->results_count[node->buffer]);
    } else {
        if (!gf_cpu_size_hidden(run, node->buffer)) {
            return false;
        }
        job.values = run->buffers[node->buffer].data;
        job.count = run->buffers[node->buffer].count;
        if (at->count != GF_NO_SCALAR) {
            uint64_t asked = run->code->scalars[at->count](&run->scalars);
            job.count = asked < job.count ? asked : job.count;
        }
        if (!fold_values(run, &job, &bits)) {
            return false;
        }
    }
    uint64_t *target = &run->registers[at->target];
    *target = node->keep_old ? gf_eval_combine(node->combine, node->target->type, *target, bits) : bits;
    return true;
}

/* ---- prefix sums ---- */

typedef struct scan_job {
    const void *values;
    void *sums;
    uint64_t count;
    bool is_wide;
    uint64_t *totals; /* of each block; then what lies before it */
} scan_job;

static void sum_blocks(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    const scan_job *job = context;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t first = i * SCAN_BLOCK, last = first + SCAN_BLOCK < job->count ? first + SCAN_BLOCK : job->count;
        uint64_t sum = 0;
        if (job->is_wide) {
            const uint64_t *values = job->values;
            for (uint64_t k = first; k < last; k++) {
                sum += values[k];
            }
        } else {
            const uint32_t *values = job->values;
            uint32_t narrow = 0;
            for (uint64_t k = first; k < last; k++) {
                narrow += values[k];
            }
            sum = narrow;
        }
        job->totals[i] = sum;
    }
}

static void scan_blocks(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    const scan_job *job = context;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t first = i * SCAN_BLOCK, last = first + SCAN_BLOCK < job->count ? first + SCAN_BLOCK : job->count;
        if (job->is_wide) {
            const uint64_t *values = job->values;
            uint64_t *sums = job->sums, sum = job->totals[i];
            for (uint64_t k = first; k < last; k++) {
                sums[k] = sum;
                sum += values[k];
            }
        } else {
            const uint32_t *values = job->values;
            uint32_t *sums = job->sums, sum = (uint32_t)job->totals[i];
            for (uint64_t k = first; k < last; k++) {
                sums[k] = sum;
                sum += values[k];
            }
        }
    }
}

/* The totals of the blocks become what lies before them; the segment that uses the sums does the rest. */
uint64_t gf_cpu_scan_totals(gf_cpu_run *run, uint32_t values, uint64_t first, uint64_t end, uint64_t before) {
    gf_type type = run->kernel->plan->buffers[values].symbol->type;
    size_t size = gf_type_bytes(type);
    unsigned char *totals = run->results[values];
    for (uint64_t i = first; i < end; i++) {
        uint64_t total = gf_element_load(type, totals + i * size);
        gf_element_store(type, totals + i * size, before);
        before += total;
    }
    return before;
}

bool gf_cpu_scan(gf_cpu_run *run, const gf_cpu_node *at) {
    const gf_plan_node *node = at->node;
    if (at->is_fused) {
        return true; /* the segment that uses the sums sees to it */
    }
    if (!gf_cpu_size_hidden(run, node->buffer) || !gf_cpu_size_hidden(run, node->second)) {
        return false;
    }
    const gf_abi_buffer *from = &run->buffers[node->buffer], *to = &run->buffers[node->second];
    scan_job job = {.values = from->data, .sums = to->data, .count = from->count < to->count ? from->count : to->count};
    if (at->count != GF_NO_SCALAR) {
        uint64_t asked = run->code->scalars[at->count](&run->scalars);
        job.count = asked < job.count ? asked : job.count;
    }
    job.is_wide = gf_type_bytes(run->kernel->plan->buffers[node->buffer].symbol->type) == 8;
    uint64_t blocks = (job.count + SCAN_BLOCK - 1) / SCAN_BLOCK;
    job.totals = gf_malloc((size_t)blocks * sizeof *job.totals);
    if (job.totals == NULL) {
        return gf_fail_memory(run->diags);
    }
    run_parts(run, sum_blocks, &job, blocks, 1);
    uint64_t before = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        uint64_t total = job.totals[i];
        job.totals[i] = before;
        before += total;
    }
    run_parts(run, scan_blocks, &job, blocks, 1);
    gf_free(job.totals);
    return true;
}

/* ---- fills, copies, comparisons ---- */

typedef struct bytes_job {
    char *to;
    const char *from;
    size_t bytes, element;
    uint64_t bits;
    atomic_bool differs;
} bytes_job;

static size_t part_of(const bytes_job *job, uint64_t part) {
    size_t first = (size_t)part * PART_BYTES, left = job->bytes - first;
    return left < PART_BYTES ? left : PART_BYTES;
}

static void fill_parts(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    const bytes_job *job = context;
    for (uint64_t i = begin; i < end; i++) {
        char *to = job->to + i * PART_BYTES;
        size_t bytes = part_of(job, i);
        if (job->bits == 0) {
            memset(to, 0, bytes);
            continue;
        }
        for (size_t at = 0; at < bytes; at += job->element) {
            memcpy(to + at, &job->bits, job->element);
        }
    }
}

static void copy_parts(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    const bytes_job *job = context;
    for (uint64_t i = begin; i < end; i++) {
        memcpy(job->to + i * PART_BYTES, job->from + i * PART_BYTES, part_of(job, i));
    }
}

static void compare_parts(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    bytes_job *job = context;
    for (uint64_t i = begin; i < end; i++) {
        /* In pieces that stay in the first cache between the comparison and the copy. */
        for (size_t at = 0, bytes = part_of(job, i), step = 8192; at < bytes; at += step) {
            size_t piece = bytes - at < step ? bytes - at : step;
            char *to = job->to + i * PART_BYTES + at;
            const char *from = job->from + i * PART_BYTES + at;
            if (memcmp(to, from, piece) != 0) {
                memcpy(to, from, piece);
                atomic_store_explicit(&job->differs, true, memory_order_relaxed);
            }
        }
    }
}

static void run_bytes(gf_cpu_run *run, gf_pool_body *body, bytes_job *job) {
    run_parts(run, body, job, (job->bytes + PART_BYTES - 1) / PART_BYTES, 1);
}

bool gf_cpu_fill(gf_cpu_run *run, const gf_plan_node *node) {
    if (!gf_cpu_size_hidden(run, node->buffer)) {
        return false;
    }
    const gf_abi_buffer *buffer = &run->buffers[node->buffer];
    bytes_job job = {.to = buffer->data, .bits = node->bits};
    job.element = gf_type_bytes(run->kernel->plan->buffers[node->buffer].symbol->type);
    job.bytes = (size_t)buffer->count * job.element;
    run_bytes(run, fill_parts, &job);
    return true;
}

void gf_cpu_copy(gf_cpu_run *run, void *to, const void *from, size_t bytes) {
    bytes_job job = {.to = to, .from = from, .bytes = bytes};
    run_bytes(run, copy_parts, &job);
}

bool gf_cpu_compare_and_copy(gf_cpu_run *run, void *before, const void *now, size_t bytes) {
    bytes_job job = {.to = before, .from = now, .bytes = bytes};
    run_bytes(run, compare_parts, &job);
    return atomic_load_explicit(&job.differs, memory_order_relaxed);
}
