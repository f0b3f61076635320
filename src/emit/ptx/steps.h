/* The whole plan as steps: one kernel, launched again and again, that ends where the grid would meet. See steps.c. */
#ifndef GF_EMIT_PTX_STEPS_H
#define GF_EMIT_PTX_STEPS_H

#include "emit/ptx/whole.h"

struct gf_ptx_steps {
    GF_VEC(gf_pv) kept; /* registers of the plan and of the walk: the same for all threads, and for the next step */
    GF_VEC(uint32_t) places;     /* labels: the first is the beginning, the others stand behind the ends of steps */
    uint32_t goes_on;            /* label: takes the cells, and goes on where the last step ended */
    uint32_t ends;               /* label: leaves them */
    gf_pv place;                 /* u32: where the next step goes on */
    gf_pv said;                  /* u32: what blocks said when the last step ended, GF_PTX_SAID_... */
    bool has_failed;             /* a step may end in the middle of a stretch */
    gf_pv results[GF_PTX_CELLS]; /* u64: and what they came to together (reduce_cells.c) */
};

/* The kernel begins here, and ends behind what was written in between. */
void gf_ptx_begin_steps(gf_ptx_walk *walk);
void gf_ptx_end_steps(gf_ptx_walk *walk);
/* steps_live.c: of what is kept, what no step looks at later is not. */
void gf_ptx_drop_dead(gf_ptx_walk *walk);
/* The kernel behind some steps: whether there is more to do, or the end is told. */
void gf_ptx_write_more(gf_ptx_emit *e);

#endif
