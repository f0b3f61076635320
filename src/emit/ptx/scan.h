/* Prefix sums that go from one segment to the next in registers (scan.c). */
#ifndef GF_EMIT_PTX_SCAN_H
#define GF_EMIT_PTX_SCAN_H

#include "emit/ptx/pack.h"

/* Finds those of the plan, and begins the kernel for them. */
void gf_ptx_find_scans(gf_ptx_walk *walk);
/* That the node belongs to: its segments, and itself. NULL: to none. */
const gf_ptx_scan *gf_ptx_scan_by(const gf_ptx_walk *walk, const gf_plan_node *node);
/* Both segments, and the sums between them. */
void gf_ptx_emit_scan(gf_ptx_walk *walk, const gf_ptx_scan *scan);

#endif
