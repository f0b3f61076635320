#include "run/in_place.h"

/* The device takes what else it needs before it writes. */
static bool is_sure(const gf_device *device, void *kernel) {
    return device->table.is_sure != NULL && device->table.is_sure(device->handle, kernel);
}

bool gf_job_in_place(const gf_job *job, void *kernel) {
    const gf_run_options *options = &job->options;
    if (!job->device->limits.host_memory) {
        return false;
    }
    if (options->in_place) {
        return true;
    }
    /* What the program may do to itself, */
    bool by_program = job->may_trap || options->checked || options->check_races;
    /* what the caller may do to it while it runs (on_pass may leave by a jump, and might look at results early), */
    bool by_caller = options->timeout > 0 || options->cancel != NULL || options->on_pass != NULL;
    /* and what is found out at its end. */
    bool at_end = options->require_converged;
    return !by_program && !by_caller && !at_end && is_sure(job->device, kernel);
}

bool gf_job_buffer_in_place(const gf_job_buffer *buffer) {
    const gf_bound *bound = buffer->bound;
    bool is_result = bound->kind == GF_BOUND_OUTPUT || (bound->kind == GF_BOUND_INOUT && bound->input == bound->output);
    bool is_whole = buffer->back_offset == 0 && buffer->back_bytes == buffer->bytes && buffer->bytes > 0;
    return is_result && is_whole && (uintptr_t)bound->output % gf_type_bytes(buffer->symbol->type) == 0;
}
