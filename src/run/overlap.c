#include "run/overlap.h"
#include "base/memory.h"
#include <stdlib.h>

typedef struct region {
    uintptr_t begin, end;
    size_t buffer;
    bool is_in;
} region;

static int compare_regions(const void *a, const void *b) {
    const region *left = a;
    const region *right = b;
    return (left->begin > right->begin) - (left->begin < right->begin);
}

static void add_region(region *regions, size_t *count, const void *data, size_t bytes, size_t buffer, bool is_in) {
    if (bytes > 0) {
        uintptr_t begin = (uintptr_t)data;
        regions[(*count)++] = (region){.begin = begin, .end = begin + bytes, .buffer = buffer, .is_in = is_in};
    }
}

static size_t collect(const gf_job *job, region *regions) {
    size_t count = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const gf_job_buffer *buffer = &job->buffers[i];
        const gf_bound *bound = buffer->bound;
        bool is_in = buffer->symbol->role == GF_ROLE_IN;
        switch (bound->kind) {
        case GF_BOUND_NONE:
            break;
        case GF_BOUND_INPUT:
            add_region(regions, &count, bound->input, buffer->bytes, i, is_in);
            break;
        case GF_BOUND_INOUT:
            add_region(regions, &count, bound->input, buffer->bytes, i, is_in);
            add_region(regions, &count, bound->output, buffer->back_bytes, i, is_in);
            break;
        case GF_BOUND_OUTPUT:
            add_region(regions, &count, bound->output, buffer->back_bytes, i, is_in);
            break;
        case GF_BOUND_DEVICE:
            if (bound->buffer->address != 0) {
                add_region(regions, &count, (const void *)bound->buffer->address, buffer->bytes, i, is_in);
            } else {
                /* The handle stands for its memory, which need not have an address here. */
                add_region(regions, &count, bound->buffer, buffer->bytes > 0 ? 1 : 0, i, is_in);
            }
            break;
        }
    }
    return count;
}

static bool fail_overlap(const gf_job *job, size_t a, size_t b, gf_diags *diags) {
    size_t first = a < b ? a : b;
    size_t second = a < b ? b : a;
    (void)gf_fail(diags, GF_CODE_BIND_OVERLAP, job->buffers[second].symbol->span,
                  "buffers `%s` and `%s` share memory, and not both are `in`", job->buffers[first].symbol->name,
                  job->buffers[second].symbol->name);
    gf_fix(diags, "give each of them memory of its own");
    return false;
}

/* Regions sorted by begin: each is compared with the one that reaches furthest so far, of those that write and of
 * all. */
static bool sweep(const gf_job *job, const region *regions, size_t count, gf_diags *diags) {
    const region *furthest = NULL;
    const region *writer = NULL;
    for (size_t i = 0; i < count; i++) {
        const region *now = &regions[i];
        if (!now->is_in && furthest != NULL && furthest->end > now->begin && furthest->buffer != now->buffer) {
            return fail_overlap(job, furthest->buffer, now->buffer, diags);
        }
        if (writer != NULL && writer->end > now->begin && writer->buffer != now->buffer) {
            return fail_overlap(job, writer->buffer, now->buffer, diags);
        }
        furthest = furthest == NULL || now->end > furthest->end ? now : furthest;
        if (!now->is_in) {
            writer = writer == NULL || now->end > writer->end ? now : writer;
        }
    }
    return true;
}

bool gf_check_overlap(const gf_job *job, gf_diags *diags) {
    if (job->buffer_count == 0) {
        return true;
    }
    region *regions = gf_calloc(job->buffer_count, 2 * sizeof *regions);
    if (regions == NULL) {
        return gf_fail_memory(diags);
    }
    size_t count = collect(job, regions);
    if (count > 0) {
        qsort(regions, count, sizeof *regions, compare_regions);
    }
    bool apart = sweep(job, regions, count, diags);
    gf_free(regions);
    return apart;
}
