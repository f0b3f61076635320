/* What the arguments of a run came to. The next run of the same bindings with the same arguments, which is what loops
 * make, evaluates and checks nothing again: the program's tree is not looked at, which is cold by then. */
#ifndef GF_RUN_PREPARED_H
#define GF_RUN_PREPARED_H

#include "run/job.h"

typedef struct gf_prepared {
    bool is_valid;
    /* asked for */
    uint64_t asked_passes;
    gf_value *asked;
    gf_bound *bound; /* device buffers are the bindings', which forget this where they give one up */
    /* what it came to */
    gf_value *params;
    gf_job_buffer *buffers;
    uint64_t *lengths;
    size_t param_count, buffer_count;
    gf_geometry geometry;
    bool is_empty, compare;
    uint64_t max_passes;
} gf_prepared;

/* Fills the job as gf_job_prepare would; false where the arguments differ, or without memory, with nothing changed. */
bool gf_prepared_recall(const gf_prepared *prepared, gf_job *job, const gf_request *request);
/* A job that is ready, for the next one. Without memory nothing is kept. */
void gf_prepared_keep(gf_prepared *prepared, const gf_job *job, const gf_request *request);
void gf_prepared_finish(gf_prepared *prepared);

#endif
