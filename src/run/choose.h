/* Which strategy carries out a job, and why. */
#ifndef GF_RUN_CHOOSE_H
#define GF_RUN_CHOOSE_H

#include "run/job.h"
#include "run/kernel.h"

/* Whether strategy resident is a native launch on this device. */
bool gf_is_resident_native(const gf_device *device);
/* Sets stats->strategy and stats->reason. A strategy that was asked for and cannot be had is an error that says why. */
bool gf_choose_strategy(gf_kernel *kernel, const gf_job *job, gf_stats *stats, gf_diags *diags);

#endif
