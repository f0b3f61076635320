/* The inside of the PTX emitter above one invocation: threads, blocks, the grid, and the tree of a plan over them. */
#ifndef GF_EMIT_PTX_GRID_H
#define GF_EMIT_PTX_GRID_H

#include "emit/ptx/abi.h"
#include "emit/ptx/emitter.h"
#include "emit/ptx/stages.h"

/* Shared memory of a block that is not the program's: `gf_sync`, in bytes. */
#define GF_PTX_SYNC_VOTE 0    /* u32: what the last barrier said: votes below, stops above */
#define GF_PTX_SYNC_LIST 4    /* u32: which list takes pieces of rows: 0, or GF_PTX_LINE */
#define GF_PTX_SYNC_SEEN 12   /* 2 x u32: high half of each root when last looked at */
#define GF_PTX_SYNC_LOOKED 20 /* u32: the clock when the stop word was last looked at */
#define GF_PTX_SYNC_ENDED 24  /* u32: a thread of this block trapped or did wrong */
#define GF_PTX_SYNC_LISTED 28 /* u32: GF_PTX_LISTED_VOTE once a thread of this block began the list, else 0 */
#define GF_PTX_SYNC_VALUE 32  /* 8 bytes: a value for all threads */
#define GF_PTX_SYNC_TICKET 40 /* u32: for the next tile of prefix sums */
#define GF_PTX_SYNC_WARPS 64  /* 32 x 8 bytes: a value of each warp */
#define GF_PTX_SYNC_TILES 320 /* GF_PTX_TILE_SLOTS x 48 bytes: how segments share out their space (tiles.c) */
#define GF_PTX_TILE_SLOTS 4
#define GF_PTX_SYNC_CELLS 512 /* GF_PTX_CELLS x 8 bytes: what threads of this block give to the grid's results */
#define GF_PTX_SYNC_SAID 576  /* as many: results of the last barrier */
#define GF_PTX_SYNC_FOLD 640  /* 1024 x 8 bytes: partial results; only of kernels that use it (gf_ptx.has_fold) */
#define GF_PTX_SYNC_BYTES (640 + 8192)
#define GF_PTX_LISTED_VOTE 32768 /* what is added by the one block that began the list of pieces of rows */
#define GF_PTX_STOP_UNIT 65536   /* what a stop adds to the votes of a barrier; no grid has half as many blocks */

/* What a segment of the present kernel does with a buffer of values: each invocation has one in a register, and they
 * are combined as they come. By plan buffer. */
typedef struct gf_ptx_fuse {
    bool is_fused;
    bool is_ordered; /* a sum of floats: blocks of 4096, or workgroups */
    bool by_group;
    bool is_vote; /* of bools: goes with a barrier */
    gf_combine combine;
    const gf_segment *writer;
    gf_type type;      /* BOOL where truth values lie in bytes */
    gf_pv sum;         /* of this thread: of gf_type_loaded, BOOL as u32 */
    gf_pv count;       /* u64, ordered: results of blocks */
    gf_pv parity;      /* u32: which area is written next */
    bool is_published; /* while emitting: its results lie in memory, or the vote is known */
    gf_pv vote;        /* bool */
    int cell;          /* while emitting: the barrier brings the result of the grid, by this cell; -1: it does not */
    gf_pv said;        /* that result: of gf_type_loaded */
} gf_ptx_fuse;

#define GF_PTX_SCAN_THREADS 256 /* of a block that suits them best */
#define GF_PTX_SCAN_BLOCKS 4    /* of those, that registers of a multiprocessor should allow for */

/* Prefix sums between two segments that take nothing else in or out. */
typedef struct gf_ptx_scan {
    const gf_plan_node *node;
    const gf_segment *source, *user;
    uint32_t items; /* once it is emitted: of a tile, at least */
    gf_pv ticket;   /* by stages: u32, of thread 0 of a block, for its first tile */
} gf_ptx_scan;

/* How blocks share out a space of rows, by stages: gf_ptx_stage_params, u32. */
typedef struct gf_ptx_grid_shape {
    gf_pv across, inverse, down;
} gf_ptx_grid_shape;

/* A walk over the tree of a plan, of the grid or of a workgroup: what its nodes are is up to the level. */
typedef struct gf_ptx_walk gf_ptx_walk;
struct gf_ptx_walk {
    gf_ptx_emit *e;
    const gf_plan *plan;
    gf_level level;
    gf_ptx_named *names;   /* by symbol id of the plan */
    uint32_t *each;        /* by segment of the plan, once it is emitted: invocations that a thread takes at once */
    bool *by_block;        /* the same: a block takes 4096 items at once */
    gf_ptx_array **arrays; /* by plan buffer: those that are the same at all places; NULL: taken from the arguments */
    const gf_tree **trees; /* GRID: by segment, as code is made of them; NULL: not yet */
    gf_ptx_fuse *fuse;     /* GRID: by plan buffer */
    bool after_write;      /* others may not see yet what was written */
    bool after_read;       /* others may not have read yet what they will */
    uint32_t on_return;    /* label */
    gf_pv converged;       /* GRID: u32: what `converged` last said; 2: nothing */
    gf_pv in_space;        /* GROUP: this thread is an invocation */
    uint32_t on_stop;      /* GRID, label: the run ends here and now */
    bool has_barrier;      /* GRID: somebody waits for the grid */
    gf_pv failed;    /* GRID: a bool: those of the present stretch, where they are not in `ended`; or of no type */
    bool in_stretch; /* GRID: what comes next is of the same stretch, in which a fault before ends nothing */
    const struct gf_ptx_listed *listed; /* GRID: rows of the last segment that the next barrier sees to; NULL: none */
    bool by_stages;                     /* GRID: kernels follow each other, and nobody waits inside one */
    gf_ptx_grid_shape grid;             /* GRID, by stages */
    struct tiles *ready;                /* GRID, by stages: how the segment that comes next is shared out; NULL: open */
    GF_VEC(gf_ptx_scan) scans;          /* GRID: that need no memory */
    gf_pv scan_round;                   /* GRID: u32, if there are any: rounds so far */
    unsigned tile_slots;                /* GRID: of gf_sync that are taken */
    gf_pv scan_parity;                  /* GRID: u32: which area of the state the next prefix sums take */
    gf_pv cell_line;                    /* GRID: u32: which line of cells the next results take */
    unsigned most_cells;                /* GRID: that a barrier of this kernel brings */
    unsigned cell_count;                /* GRID, while emitting: cells of the barrier that is written */
    gf_ptx_fuse *cells[GF_PTX_CELLS];   /* GRID: whose they are */
    struct gf_ptx_steps *steps;         /* GRID: where the grid would meet the kernel ends (steps.c); NULL: it meets */
};

/* ---- walk.c ---- */
void gf_ptx_walk_block(gf_ptx_walk *walk, const gf_plan_block *block);
void gf_ptx_walk_node(gf_ptx_walk *walk, const gf_plan_node *node);
/* A barrier of the level, if anything asks for one. */
void gf_ptx_settle(gf_ptx_walk *walk);
/* ends.c: nobody waits between a segment and the one before it. */
bool gf_ptx_joins(const gf_plan_node *node, bool checked);
/* The same for all threads of the block; of a condition too. */
gf_pv gf_ptx_emit_scalar(gf_ptx_walk *walk, const gf_expr *expr);

/* ---- scope.c ---- */
bool gf_ptx_reads_memory(const gf_expr *expr);
/* A buffer of the plan at the present place, for what does `role` with it. */
const gf_ptx_array *gf_ptx_array_of(gf_ptx_walk *walk, uint32_t buffer, gf_role role);
/* Names of a segment's program for its body, params and buffers; names of the program for an expression of the tree.
 * The emitter is left at them; gf_ptx_leave brings back. */
typedef struct gf_ptx_scope {
    const gf_tree *tree;
    gf_ptx_named *names;
} gf_ptx_scope;
gf_ptx_scope gf_ptx_enter(gf_ptx_walk *walk, const gf_segment *segment);
gf_ptx_scope gf_ptx_enter_plan(gf_ptx_walk *walk, const gf_expr *expr);
void gf_ptx_leave(gf_ptx_emit *e, gf_ptx_scope scope);

/* ---- group.c ---- */
/* What each lane of a workgroup does between two barriers: a segment of the plan one level down. */
void gf_ptx_emit_piece(gf_ptx_walk *walk, const gf_segment *segment);

/* ---- cells of barriers, reduce_cells.c ---- */
/* Whether results of the grid may come with a barrier: whole numbers, which may be combined as they come. */
bool gf_ptx_has_cell(const gf_ptx_fuse *fuse);
void gf_ptx_begin_cells(gf_ptx_walk *walk); /* at the start of the kernel */
void gf_ptx_clear_cells(gf_ptx_walk *walk); /* of the block */
/* By all threads: what they have summed up, to the cells of their block. Before the barrier. */
void gf_ptx_give_cells(gf_ptx_walk *walk);
/* By thread 0 of the block, before it arrives at the barrier, and when all have. */
void gf_ptx_send_cells(gf_ptx_walk *walk, gf_pv state);
void gf_ptx_fetch_cells(gf_ptx_walk *walk, gf_pv state);
/* By all threads, behind the barrier: gf_ptx_fuse.said. */
void gf_ptx_take_cells(gf_ptx_walk *walk);
/* By steps: thread 0, to a line of the grid; and all threads, from words (u64) that they have loaded from one. */
void gf_ptx_send_cells_to(gf_ptx_walk *walk, gf_pv line);
void gf_ptx_take_cells_from(gf_ptx_walk *walk, const gf_pv *words);

/* ---- steps.c ---- */
/* By steps: the kernel ends, and the next launch goes on here. As gf_ptx_grid_barrier. */
gf_pv gf_ptx_end_step(gf_ptx_walk *walk, const gf_pv *vote);
/* By steps a register that is the same for all threads has the value that it has now in later steps too, or a copy of
 * it. Else nothing, and the value. */
void gf_ptx_keep(gf_ptx_walk *walk, gf_pv value);
gf_pv gf_ptx_stay(gf_ptx_walk *walk, gf_pv value);

/* ---- barrier.c ---- */
void gf_ptx_sync(gf_ptx_emit *e); /* of the block, by all its threads */
/* Of the grid. With `vote` (NULL: none) gives whether it held for any thread of the grid. */
gf_pv gf_ptx_grid_barrier(gf_ptx_walk *walk, const gf_pv *vote);
/* Whether the run ends there if `ended` says so. */
bool gf_ptx_barrier_ends(const gf_ptx_walk *walk);
void gf_ptx_barrier_begin(gf_ptx_emit *e); /* at the start of the kernel */
/* At the start of a kernel that may come before the one in front of it has ended (gf_ptx_options.dependent). Nothing is
 * looked at before it but parameters and gf_args.
 *
 * No kernel lets the next one come while blocks of its own are at work (griddepcontrol.launch_dependents): those that
 * come then find multiprocessors taken unevenly, and stand where they came. On an H200 Jacobi on 512 x 512 points took
 * 2.85 ms by that, 2.68 without any of it, 2.31 as it is. */
void gf_ptx_wait_for_kernel(gf_ptx_emit *e);
/* A word of the arguments as a value of a type. */
gf_pv gf_ptx_arg(gf_ptx_emit *e, gf_type type, size_t word);

/* ---- fold.c ---- */
gf_pv gf_ptx_as_bits(gf_ptx_emit *e, gf_pv v); /* a u32 or u64 */
gf_pv gf_ptx_from_bits(gf_ptx_emit *e, gf_type type, gf_pv bits);
/* To memory of the device, by the threads where `mine` holds; and back. */
void gf_ptx_put_global(gf_ptx_emit *e, gf_pv mine, gf_pv address, gf_pv value);
gf_pv gf_ptx_get_global(gf_ptx_emit *e, gf_type type, gf_pv address);
bool gf_ptx_is_ordered_sum(gf_combine combine, gf_type type); /* of floats */
/* Whether a segment combines this buffer of values itself. */
void gf_ptx_find_fused(gf_ptx_walk *walk);
void gf_ptx_begin_fused(gf_ptx_walk *walk); /* their registers, at the start of a kernel */
/* Combines the values of all threads of the block, in any order; all threads get the result. */
gf_pv gf_ptx_fold_block(gf_ptx_emit *e, gf_combine combine, gf_type type, gf_pv value);
/* Sums 256 partial results of each team of 256 threads in the fixed order; thread 0 of the team gets the result. */
gf_pv gf_ptx_fold_team(gf_ptx_emit *e, gf_combine combine, gf_type type, gf_pv partial);
/* Of the lanes of a warp; all get it. */
gf_pv gf_ptx_fold_warp(gf_ptx_emit *e, gf_combine combine, gf_pv value);
/* What another lane of the warp has. */
gf_pv gf_ptx_from_lane(gf_ptx_emit *e, gf_pv v, gf_pv lane);
gf_pv gf_ptx_from_last_lane(gf_ptx_emit *e, gf_pv v);
/* Lane by lane the sum of the lanes up to it. */
gf_pv gf_ptx_scan_warp(gf_ptx_emit *e, gf_pv lane, gf_pv value);
/* The same of `count` results in memory, 8 bytes each and 256 at most, by a whole warp, whose lanes all get it. */
gf_pv gf_ptx_fold_few(gf_ptx_emit *e, gf_combine combine, gf_type type, gf_pv address, gf_pv count);
/* The values of the lanes of a workgroup, by lid, in the fixed order; all threads get the result. */
gf_pv gf_ptx_fold_group(gf_ptx_emit *e, gf_combine combine, gf_type type, uint32_t size, gf_pv value);
/* For each thread the sum of the values of the threads before it in the block; `total` (NULL allowed): of all. */
gf_pv gf_ptx_scan_block(gf_ptx_emit *e, gf_type type, gf_pv value, gf_pv *total);
/* Of the lane `by` away: "down", "up", "bfly". */
gf_pv gf_ptx_shuffled(gf_ptx_emit *e, const char *mode, gf_pv v, unsigned by);
/* The address of element `index` (u32) of the part of gf_sync at `offset`; what lies there. */
gf_pv gf_ptx_sync_address(gf_ptx_emit *e, unsigned offset, gf_pv index, unsigned size);
void gf_ptx_put_shared(gf_ptx_emit *e, gf_pv address, int offset, gf_pv v);
gf_pv gf_ptx_get_shared(gf_ptx_emit *e, gf_type type, gf_pv address, int offset);
/* Same for all threads: from thread 0. */
gf_pv gf_ptx_broadcast(gf_ptx_emit *e, gf_pv value);
void gf_ptx_reduce_grid(gf_ptx_walk *walk, const gf_plan_node *node);
void gf_ptx_scan_grid(gf_ptx_walk *walk, const gf_plan_node *node);
/* By stages: the sums of the blocks' parts, or what comes of them. */
void gf_ptx_scan_part(gf_ptx_walk *walk, const gf_plan_node *node, bool second);
/* Values that a segment makes, for all blocks: the grid meets. */
void gf_ptx_publish(gf_ptx_walk *walk, const gf_segment *segment);
/* By steps, before the segment: whether it makes any. They are published at its end, for no thread has them later. */
bool gf_ptx_begin_values(gf_ptx_walk *walk, const gf_segment *segment);
/* By stages: what blocks have summed up of the segment's values. */
void gf_ptx_publish_stage(gf_ptx_walk *walk, const gf_segment *segment);
/* Writes the result of one block, or workgroup, or team: by the threads where `mine` holds. */
void gf_ptx_put_result(gf_ptx_walk *walk, uint32_t buffer, gf_pv mine, gf_pv index, gf_pv value);

/* ---- teams.c ---- */
void gf_ptx_emit_teams(gf_ptx_walk *walk, const gf_segment *segment);
/* Whether a block makes 4096 items at once; and values of a sum of floats among them. */
bool gf_ptx_goes_by_block(const gf_ptx_walk *walk, const gf_segment *segment);
bool gf_ptx_sums_by_block(const gf_ptx_walk *walk, const gf_segment *segment);

/* ---- items.c ---- */
void gf_ptx_emit_items(gf_ptx_walk *walk, const gf_segment *segment);
/* By stages, while cells are loaded: finds out what of a segment's space is known without them. */
void gf_ptx_ready_items(gf_ptx_walk *walk, const gf_segment *segment);
/* Space and sums, before the first invocation; the names are the segment's. */
void gf_ptx_begin_items(gf_ptx_walk *walk, const gf_segment *segment);
/* The ids of an invocation (u32) of a segment of one axis. */
void gf_ptx_set_item(gf_ptx_emit *e, const gf_segment *segment, gf_pv i);
/* Items i, i + step, ... before `end`, of which each thread has its own; `shares`: rows are shared by warps, which stay
 * together. */
void gf_ptx_take_items(gf_ptx_walk *walk, const gf_segment *segment, bool shares, gf_pv i, gf_pv end, gf_pv step);
/* The invocation whose ids are set, where `in_space` (bool); and what it combines with others. */
void gf_ptx_emit_body(gf_ptx_walk *walk, const gf_segment *segment, gf_pv in_space);
void gf_ptx_add_values(gf_ptx_walk *walk, const gf_segment *segment, bool of_groups);
bool gf_ptx_needs_groups(const gf_tree *tree);
uint32_t gf_ptx_group_size(const gf_tree *tree); /* invocations of a workgroup */
/* Invocations may be taken one by one, whatever workgroup they are of. */
bool gf_ptx_has_one_axis(const gf_tree *tree);
/* for (i = thread of the grid; i < count; i += threads of the grid) body; i and count are u64. */
typedef void gf_ptx_item_fn(gf_ptx_emit *e, gf_pv i, void *context);
void gf_ptx_emit_each(gf_ptx_emit *e, gf_pv count, gf_ptx_item_fn *body, void *context);

#endif
