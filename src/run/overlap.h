/* Two names never share memory, unless both are `in`. */
#ifndef GF_RUN_OVERLAP_H
#define GF_RUN_OVERLAP_H

#include "run/job.h"

/* Looks at the bytes that the run may touch of everything bound, names both names. */
bool gf_check_overlap(const gf_job *job, gf_diags *diags);

#endif
