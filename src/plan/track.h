/* Which buffers a plan writes, and how it may be known whether one has changed. */
#ifndef GF_PLAN_TRACK_H
#define GF_PLAN_TRACK_H

#include "plan/plan.h"

/* By plan buffer: some segment or node of the body writes it. */
void gf_plan_written(const gf_plan *plan, bool *written);
/* The buffers that a pass must leave as it found it for the run to be stable: of a fixpoint those it names, else all of
 * the program, and of them only those that are written. Gives their number; `watched` has room for buffer_count. */
size_t gf_plan_watched(const gf_plan *plan, const bool *written, uint32_t *watched);
/* By plan buffer: all writes, in the whole body, are atomics of one operation out of min, max, and, or, or all are
 * stores of one constant. Then what has changed never comes back in that pass, and a write that changes something says
 * all there is to say. NULL without memory. By gf_malloc. */
bool *gf_plan_tracked(const gf_plan *plan);

#endif
