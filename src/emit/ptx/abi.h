/* What PTX kernels and the one who launches them agree on.
 *
 * Kernels find what they work on in the module's constant array `gf_args`, of 64-bit words, which is written before a
 * run (ordered with its launches) and not while it runs; and in the state, memory of the device that belongs to the
 * run.
 */
#ifndef GF_EMIT_PTX_ABI_H
#define GF_EMIT_PTX_ABI_H

#include <stdint.h>

/* Words of gf_args: the address of the state, the program's space and workgroups per axis, the limit of passes, the
 * address of the outcome, memory of each block (address, bytes), the address of memory of all threads, the list of
 * pieces of rows (address, pieces it has room for), then params in order of declaration as bits, then for each buffer
 * of the plan its address and its length in elements, then for each watched buffer that is compared the address of its
 * snapshot. Buffers begin at multiples of 16 bytes. Of a reduction that a segment does itself the buffer of values is
 * what the results of blocks go to: two areas of so many words of 8 bytes, and a third for the results of the results.
 * Of prefix sums whose values stay in registers (gf_ptx_module.tile_items) it is what tiles tell each other: a line
 * with the counter of tiles, then a word of 8 bytes for each tile, two for sums of 64 bits. The last word of a kernel
 * with buffers that may stay near (gf_ptx_module.near_bytes): where each block has room for them, as GF_PTX_NEAR_UNIT
 * and the offset in gf_shared; 0: it has none. */
#define GF_PTX_ARGS_STATE 0
#define GF_PTX_ARGS_SPACE 1
#define GF_PTX_ARGS_GROUPS 4
#define GF_PTX_ARGS_PASSES 7
#define GF_PTX_ARGS_OUTCOME 8
#define GF_PTX_ARGS_BLOCK 9
#define GF_PTX_ARGS_THREAD 11
#define GF_PTX_ARGS_LIST 12
#define GF_PTX_ARGS_PARAMS 14

#define GF_PTX_NEAR_UNIT 16     /* bytes: alignment of that room, and what its offset is more by than it is */
#define GF_PTX_BLOCK_ITEMS 4096 /* of a forall that adds up floats; elements of a buffer that a block has there */

/* Memory of threads: so many bytes for each of the kernel's (gf_ptx_module.thread_bytes). A large array that begins at
 * byte `at` of a thread has its element i of thread t of T at (at * T + (i * T + t) * element size): what neighbours
 * look at together lies together. */

/* Offsets in the state, in bytes. What different blocks write lies on lines of its own. */
#define GF_PTX_LINE 128
#define GF_PTX_STATE_LOCK 0     /* u32: who holds it writes the record */
#define GF_PTX_STATE_CULPRIT 8  /* u64: linear id of the invocation; UINT64_MAX: nobody */
#define GF_PTX_STATE_EVENT 16   /* u64: gf_ptx_event */
#define GF_PTX_STATE_PLACE 24   /* u64: number of the place */
#define GF_PTX_STATE_VALUE 32   /* u64: address of a trap as bits; index of an access */
#define GF_PTX_STATE_COUNT 40   /* u64: length of the array */
#define GF_PTX_STATE_FROM 56    /* u64: of a forall that does not begin at 0, in checked code: its first item */
#define GF_PTX_STATE_PASS 64    /* u64: whole passes of the launch before the one in which that was */
#define GF_PTX_STATE_RECORD 72  /* bytes up to here are what is told of it */
#define GF_PTX_STATE_STOP 128   /* u32: nonzero once the run should end; the host writes it */
#define GF_PTX_STATE_ROOT 256   /* two lines, used in turn. u64: blocks arrived, low; votes and stops, high */
#define GF_PTX_STATE_NODES 512  /* GF_PTX_NODES lines: u32, blocks of a group of blocks arrived */
#define GF_PTX_STATE_ENDED 48   /* u32: not 0 once somebody did wrong; by stages the number of the stretch */
#define GF_PTX_STATE_SLOTS 2560 /* GF_PTX_SLOTS lines, by stages: u32, a pass has changed something */
#define GF_PTX_SLOTS 32
/* By steps: GF_PTX_SETS sets in the same place, used in turn. */
#define GF_PTX_STATE_SETS GF_PTX_STATE_SLOTS
#define GF_PTX_SETS 3
#define GF_PTX_SET_BYTES 1280
#define GF_PTX_SET_PLACE 0    /* u32: where the next step goes on; 0: at the beginning */
#define GF_PTX_SET_SAID 4     /* u32: what blocks said when the step ended */
#define GF_PTX_SET_RESULTS 16 /* GF_PTX_CELLS x u64: results of the grid, which come with the end of a step */
#define GF_PTX_SET_CELLS 80   /* what lives on: 8 bytes each, then 4 */
#define GF_PTX_PLACE_END UINT32_MAX
#define GF_PTX_SAID_YES 1     /* a vote */
#define GF_PTX_SAID_CHANGED 2 /* something that is tracked has another value than before the pass */
#define GF_PTX_SAID_STOP 4    /* the run ends: somebody did wrong, or the host wants it to */
#define GF_PTX_SAID_FAILED 8  /* somebody did wrong, in a stretch that is not at its end */
/* GF_PTX_LISTS lines, used in turn. u64: pieces of rows on the list, or that it had no room for. */
#define GF_PTX_STATE_LISTS 6656
#define GF_PTX_LISTS 2
/* By stages, which have one list, in its line. u32: blocks that are through with it; 1 once there was one. */
#define GF_PTX_STATE_SERVED (GF_PTX_STATE_LISTS + 8)
#define GF_PTX_STATE_LISTED (GF_PTX_STATE_LISTS + 16)
#define GF_PTX_STATE_LAUNCHES 6912 /* u32, by stages or steps: segments that did work */
/* Three lines, used in turn: results of the grid that come with a barrier, GF_PTX_CELLS x u64. */
#define GF_PTX_STATE_CELLS 7040
#define GF_PTX_CELLS 8
#define GF_PTX_CELL_LINES 3
#define GF_PTX_STATE_SCAN 8192 /* two areas of GF_PTX_MOST_BLOCKS u64: sums of blocks, of prefix sums */
#define GF_PTX_MOST_BLOCKS 8192
/* Behind it, by stages: two sets of cells. */
#define GF_PTX_STATE_BYTES (GF_PTX_STATE_SCAN + 2 * 8 * GF_PTX_MOST_BLOCKS)
#define GF_PTX_NODES 16
#define GF_PTX_TWO_LEVELS 800 /* blocks above which they arrive group by group */
_Static_assert(GF_PTX_STATE_SLOTS + GF_PTX_SLOTS * GF_PTX_LINE <= GF_PTX_STATE_LISTS, "slots do not reach the lists");
_Static_assert(GF_PTX_SETS *GF_PTX_SET_BYTES <= GF_PTX_SLOTS * GF_PTX_LINE, "nor do sets");
_Static_assert(GF_PTX_STATE_LISTS + GF_PTX_LISTS * GF_PTX_LINE <= GF_PTX_STATE_LAUNCHES, "and those not what stays");
_Static_assert(GF_PTX_STATE_CELLS + GF_PTX_CELL_LINES * GF_PTX_LINE <= GF_PTX_STATE_SCAN, "cells do not reach sums");
/* Up to GF_PTX_STATE_SCAN the state is zeros before a run, but for the culprit. */

/* Words of the outcome, memory of the host that the device writes at the end of a run; then, for each buffer of the
 * plan, the address that its name stands for. */
#define GF_PTX_OUTCOME_DONE 0      /* 1 */
#define GF_PTX_OUTCOME_PASSES 1    /* whole ones */
#define GF_PTX_OUTCOME_CONVERGED 2 /* 0 or 1; 2: the program said nothing */
#define GF_PTX_OUTCOME_BARRIERS 3  /* by steps: those that did something */
#define GF_PTX_OUTCOME_STABLE 4    /* 1: the last pass changed nothing */
#define GF_PTX_OUTCOME_STOPPED 5   /* 1: left early: by the stop word, or somebody did wrong */
#define GF_PTX_OUTCOME_RECORDED 6  /* 1: the state says who did wrong */
#define GF_PTX_OUTCOME_LEFT                                                                                            \
    7 /* 1: a loop was left early because of the stop word, so that what was done is worth nothing */
#define GF_PTX_OUTCOME_LAUNCHES 8 /* by stages or steps: segments that did work */
#define GF_PTX_OUTCOME_LISTED 9   /* by stages: some row was long enough for the list, whether it had room or not */
#define GF_PTX_OUTCOME_BUFFERS 10

#endif
