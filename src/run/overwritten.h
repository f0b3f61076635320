/* Buffers that need not be zeros when a run begins. */
#ifndef GF_RUN_OVERWRITTEN_H
#define GF_RUN_OVERWRITTEN_H

#include "plan/plan.h"

/* Whether no run of the plan reads an element of that buffer before a segment has written all of them, and, unless it
 * is scratch memory, which nobody sees afterwards, every run does write all of them. A run that compares what passes
 * find must not rely on it: what the first pass finds are zeros. */
bool gf_plan_overwritten(const gf_plan *plan, uint32_t buffer);

#endif
