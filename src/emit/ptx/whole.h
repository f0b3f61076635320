/* What whole.c and module.c share. */
#ifndef GF_EMIT_PTX_WHOLE_H
#define GF_EMIT_PTX_WHOLE_H

#include "emit/ptx/grid.h"

typedef struct gf_ptx_watch {
    uint32_t *buffers; /* that a pass must leave as it found them */
    size_t count;
    const bool *tracked; /* by plan buffer */
} gf_ptx_watch;

/* Buffers that trade names are addressed by registers. */
void gf_ptx_name_swapped(gf_ptx_walk *walk, const gf_plan_block *block);
bool gf_ptx_compares(const gf_ptx_watch *watch); /* some are not tracked */
void gf_ptx_compare_watched(gf_ptx_walk *walk, const gf_ptx_watch *watch);
/* A segment does its work, by stages or steps: the outcome tells how many did. */
void gf_ptx_count_launch(gf_ptx_emit *e);
/* By one thread: whether a loop of the graph goes on. */
void gf_ptx_set_condition(gf_ptx_emit *e, gf_pv flag, gf_pv value);
void gf_ptx_tell_outcome(gf_ptx_walk *walk, gf_pv passes, gf_pv stable, gf_pv stopped, bool has_rounds);
/* ends.c: whether an invocation of any segment may trap, or do wrong in checked code. */
bool gf_ptx_may_do_wrong(const gf_plan *plan, bool checked);
/* Whether one, or a scalar, may end the run by that, or by leaving a loop that might not end. */
bool gf_ptx_may_end(const gf_plan *plan, bool checked);
void gf_ptx_write_whole(gf_ptx_walk *walk, const gf_ptx_watch *watch);

#endif
