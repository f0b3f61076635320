#include "run/prepared.h"
#include "base/memory.h"
#include <string.h>

static bool is_same_value(const gf_value *a, const gf_value *b) {
    return a->type == b->type && a->bits == b->bits;
}

static bool is_same_bound(const gf_bound *a, const gf_bound *b) {
    return a->kind == b->kind && a->input == b->input && a->input_bytes == b->input_bytes && a->output == b->output &&
           a->output_bytes == b->output_bytes && a->buffer == b->buffer;
}

static bool fits(const gf_prepared *prepared, const gf_job *job, const gf_request *request) {
    bool same = prepared->is_valid && prepared->asked_passes == job->options.max_passes;
    for (size_t i = 0; same && i < prepared->param_count; i++) {
        same = is_same_value(&prepared->asked[i], &request->params[i]);
    }
    for (size_t i = 0; same && i < prepared->buffer_count; i++) {
        same = is_same_bound(&prepared->bound[i], &request->bound[i]);
    }
    return same;
}

/* By gf_malloc, of at least a byte. */
static void *copy_of(const void *data, size_t count, size_t each) {
    void *copy = gf_malloc(count > 0 ? count * each : 1);
    if (copy != NULL && count > 0) {
        memcpy(copy, data, count * each);
    }
    return copy;
}

bool gf_prepared_recall(const gf_prepared *prepared, gf_job *job, const gf_request *request) {
    if (!fits(prepared, job, request)) {
        return false;
    }
    gf_value *params = copy_of(prepared->params, prepared->param_count, sizeof *params);
    gf_job_buffer *buffers = copy_of(prepared->buffers, prepared->buffer_count, sizeof *buffers);
    uint64_t *lengths = copy_of(prepared->lengths, prepared->buffer_count, sizeof *lengths);
    if (params == NULL || buffers == NULL || lengths == NULL) {
        gf_free(params);
        gf_free(buffers);
        gf_free(lengths);
        return false;
    }
    for (size_t i = 0; i < prepared->buffer_count; i++) {
        buffers[i].bound = &request->bound[i];
    }
    job->params = params;
    job->buffers = buffers;
    job->lengths = lengths;
    job->param_count = prepared->param_count;
    job->buffer_count = prepared->buffer_count;
    job->geometry = prepared->geometry;
    job->is_empty = prepared->is_empty;
    job->compare = prepared->compare;
    job->max_passes = prepared->max_passes;
    return true;
}

void gf_prepared_keep(gf_prepared *prepared, const gf_job *job, const gf_request *request) {
    gf_prepared_finish(prepared);
    *prepared = (gf_prepared){.asked_passes = job->options.max_passes,
                              .asked = copy_of(request->params, job->param_count, sizeof *request->params),
                              .bound = copy_of(request->bound, job->buffer_count, sizeof *request->bound),
                              .params = copy_of(job->params, job->param_count, sizeof *job->params),
                              .buffers = copy_of(job->buffers, job->buffer_count, sizeof *job->buffers),
                              .lengths = copy_of(job->lengths, job->buffer_count, sizeof *job->lengths),
                              .param_count = job->param_count,
                              .buffer_count = job->buffer_count,
                              .geometry = job->geometry,
                              .is_empty = job->is_empty,
                              .compare = job->compare,
                              .max_passes = job->max_passes};
    prepared->is_valid = prepared->asked != NULL && prepared->bound != NULL && prepared->params != NULL &&
                         prepared->buffers != NULL && prepared->lengths != NULL;
}

void gf_prepared_finish(gf_prepared *prepared) {
    gf_free(prepared->asked);
    gf_free(prepared->bound);
    gf_free(prepared->params);
    gf_free(prepared->buffers);
    gf_free(prepared->lengths);
    memset(prepared, 0, sizeof *prepared);
}
