/* Buffers that need not be zeros when a run begins. */
#ifndef GF_RUN_OVERWRITTEN_H
#define GF_RUN_OVERWRITTEN_H

#include "plan/plan.h"

/* Whether every run of the plan writes each element of that buffer before anything reads one: the first node that
 * touches it is a segment that stands under no condition and writes all of it. A run that compares what passes find
 * must not rely on it: what the first pass finds are zeros. */
bool gf_plan_overwritten(const gf_plan *plan, uint32_t buffer);

#endif
