/* When a run works on memory of the caller directly. */
#ifndef GF_RUN_IN_PLACE_H
#define GF_RUN_IN_PLACE_H

#include "run/job.h"

/* Whether a native launch of `kernel` may write into memory that the caller lent for results. Such memory is written
 * only when a run has succeeded: so this is for runs that cannot fail once they have begun, or whose caller allows it.
 * The rule stands here alone, and gridfence/run.h tells it. */
bool gf_job_in_place(const gf_job *job, void *kernel);
/* And whether this buffer has memory that will do: whole, aligned, and the same for what goes in and comes out. */
bool gf_job_buffer_in_place(const gf_job_buffer *buffer);

#endif
