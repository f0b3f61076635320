/* Buffers that are near their invocations while a loop goes on. See near.c. */
#ifndef GF_EMIT_PTX_NEAR_H
#define GF_EMIT_PTX_NEAR_H

#include "emit/ptx/grid.h"

#define GF_PTX_MOST_NEAR 4 /* buffers */

typedef struct gf_ptx_near {
    size_t count; /* 0: none */
    uint32_t buffers[GF_PTX_MOST_NEAR];
    bool is_written[GF_PTX_MOST_NEAR];
    uint64_t offsets[GF_PTX_MOST_NEAR], bytes; /* in the room that the launcher gives each block */
} gf_ptx_near;

/* Before and behind the code of a loop of the plan, WHILE or FOR. */
void gf_ptx_begin_near(gf_ptx_walk *walk, const gf_plan_node *loop, gf_ptx_near *near);
void gf_ptx_end_near(gf_ptx_walk *walk, const gf_ptx_near *near);
/* The address of such a buffer, u64, generic; taken anew by each segment. */
gf_pv gf_ptx_near_base(gf_ptx_emit *e, unsigned slot);
/* Whether a segment works on such a buffer, and so goes by block (teams.c). */
bool gf_ptx_looks_near(const gf_ptx_walk *walk, const gf_segment *segment);

#endif
