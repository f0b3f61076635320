/* How a job is carried out. Each fills stats and profile and says what failed. */
#ifndef GF_RUN_STRATEGY_H
#define GF_RUN_STRATEGY_H

#include "run/job.h"
#include "run/planned.h"
#include "run/stats.h"

/* One launch of the whole program, with its grid barriers; `kernel` is the device's. Strategies that are such a launch
 * on this device come here too: stats->strategy says which. */
bool gf_run_native(gf_job *job, void *kernel, gf_stats *stats, gf_profile *profile, gf_diags *diags);
/* The plan, a launch per segment on buffers that stay on the device. */
bool gf_run_resident(gf_job *job, const gf_planned *planned, gf_stats *stats, gf_profile *profile, gf_diags *diags);
/* The plan, a call of `dispatch` per segment over memory of the host. */
bool gf_run_over(gf_job *job, const gf_planned *planned, gf_dispatch_fn *dispatch, void *user, gf_stats *stats,
                 gf_profile *profile, gf_diags *diags);
/* The same with the job's device behind the dispatch function. */
bool gf_run_host(gf_job *job, const gf_planned *planned, gf_stats *stats, gf_profile *profile, gf_diags *diags);

#endif
