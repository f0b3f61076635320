/* Prefix sums that go from one segment to the next in registers (scan.c). */
#ifndef GF_EMIT_PTX_SCAN_H
#define GF_EMIT_PTX_SCAN_H

#include "emit/ptx/pack.h"

/* ---- scan_find.c ---- */
/* Finds those of the plan. */
void gf_ptx_find_scans(gf_ptx_walk *walk);
/* Registers of one, at the start of a kernel that has it. */
void gf_ptx_begin_scan(gf_ptx_walk *walk, gf_ptx_scan *scan);
/* The kernel of the whole plan begins with those that were found. */
void gf_ptx_begin_scans(gf_ptx_walk *walk);
/* That the node belongs to: its segments, and itself. NULL: to none. */
gf_ptx_scan *gf_ptx_scan_by(const gf_ptx_walk *walk, const gf_plan_node *node);

/* ---- scan.c ---- */
/* By stages, first thing in the kernel: what the first tile waits for is under way while all else is got ready. */
void gf_ptx_begin_tickets(gf_ptx_walk *walk, gf_ptx_scan *scan);
/* Both segments, and the sums between them. */
void gf_ptx_emit_scan(gf_ptx_walk *walk, gf_ptx_scan *scan);

/* ---- lookback.c ---- */
/* The tile that a block has at present; u32. */
typedef struct gf_ptx_tile {
    gf_type type; /* of the sums: U32 or U64 */
    gf_pv words;  /* u64: address of what gf_ptx_clear_words clears */
    gf_pv tile;   /* its number */
    gf_pv round;  /* the number of the round in this kernel */
    gf_pv takes;  /* bool: this thread takes a ticket for the block's next tile, and leaves it in gf_sync */
    gf_pv warp, lane;
} gf_ptx_tile;

gf_pv gf_ptx_tile_words(gf_ptx_emit *e, uint32_t buffer); /* u64: the address that stands for a buffer of values */
/* By the grid, before a barrier or the end of a kernel that all others come behind. */
void gf_ptx_clear_words(gf_ptx_emit *e, uint32_t buffer);
/* u32: how many were taken before, in all blocks. */
gf_pv gf_ptx_take_ticket(gf_ptx_emit *e, const gf_ptx_tile *s);
/* What lies before the tile, `s`, of which `total` is the sum. By all threads of the block, which all get it. */
gf_pv gf_ptx_exchange(gf_ptx_emit *e, const gf_ptx_tile *s, gf_pv total);
gf_pv gf_ptx_half_of(gf_ptx_emit *e, gf_pv sum, unsigned half); /* as u64: the lower one, the upper one */

#endif
