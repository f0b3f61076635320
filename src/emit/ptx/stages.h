/* The plan as kernels without a grid barrier, and the order in which they follow each other: what is left to a launcher
 * is to make nodes of a graph of it. Nobody asks the host anything between the first and the last.
 *
 * A stage is one kernel: first the scalar parts of the tree that come before it, which every block carries out for
 * itself, then a segment, or some that nobody waits between, shared out over the grid. Registers of the plan,
 * conditions, counters of loops and the addresses of buffers that trade names are cells of the state. There are two
 * sets: a stage reads one and, if anything changes, leaves the other, so that no block sees what another has changed
 * already. A stage whose condition does not hold does nothing.
 *
 * A loop is a node that repeats its body while a flag is set: the body holds some turns one behind the other, each
 * under the condition that the loop still goes on, and a stage of one block at its end sets the flag.
 *
 * Of a loop that is known to turn a few times all turns stand one behind the other, and nothing else of it is there.
 *
 * Loops in it are laid out in the same way, and are no nodes: some turns of theirs stand in each turn of the outer one.
 * Where that was not enough the outer one pauses: the conditions of all that is around are taken back, so that what
 * follows does nothing, until the loop is come to again, in the next turn that stands there or in the next body, and
 * goes on where it was. */
#ifndef GF_EMIT_PTX_STAGES_H
#define GF_EMIT_PTX_STAGES_H

#include "emit/ptx/emit.h"

typedef enum gf_ptx_step_kind {
    GF_PTX_STEP_STAGE,
    GF_PTX_STEP_LOOP, /* `children` are repeated while the flag is set, which the stage before it sets too */
} gf_ptx_step_kind;

/* Where in the order something stands. What is given to kernels is a gf_ptx_stage_params. */
typedef struct gf_ptx_step {
    gf_ptx_step_kind kind;
    uint32_t stage;                 /* the kernel is gf_stage_<stage> */
    uint32_t in, out;               /* sets of cells */
    uint32_t read_area, write_area; /* of results of blocks */
    int32_t writer;                 /* stage whose results it reads; -1: none */
    uint32_t read_slot, write_slot; /* of the flags that say whether a pass changed anything */
    int32_t sets;                   /* loop whose flag the stage sets; -1: none */
    uint32_t stretch;               /* from 1: another for each stage, but the same in one stretch */
    uint32_t loop;                  /* LOOP: its number */
    size_t child_count;             /* LOOP: so many steps behind it, with all that is in them, are its body */
} gf_ptx_step;

/* The parameters of each stage, in this order, packed as a C struct. Sets and slots by their addresses: what a stage
 * reads first waits for nothing else. */
typedef struct gf_ptx_stage_params {
    uint64_t in, out, read_slot, write_slot;
    uint64_t flag; /* of the loop */
    uint32_t read_area, write_area, writer_blocks;
    uint32_t across, across_inverse, down; /* gf_ptx_stage.by_rows: blocks side by side, 2^31 / across rounded up, and
                                              rows of blocks */
    uint32_t stretch;                      /* last: only where somebody may do wrong */
} gf_ptx_stage_params;

#define GF_PTX_MOST_SHIFT 3 /* items that the first tile may begin before the space */

#define GF_PTX_MOST_JOINED 4 /* segments of one stage */

typedef struct gf_ptx_stage {
    const gf_segment *segment; /* NULL: one block, or work on whole buffers */
    /* More segments of the same kernel, which nobody waits between, and `each` of them. */
    const gf_segment *joined[GF_PTX_MOST_JOINED - 1];
    uint32_t joined_each[GF_PTX_MOST_JOINED - 1];
    size_t joined_count;
    bool one_block;
    bool is_of_pieces; /* goes through what the stage before it has left: needless where that is nothing */
    uint32_t threads;  /* of a block */
    uint32_t each;     /* items that a thread takes at once, where it can */
    uint32_t tile;     /* items that a block takes at once, which then would be the only ones; 0: it does not matter */
    bool by_rows;      /* blocks have tiles of several rows, side by side and one below the other */
    bool by_group;     /* a block is a workgroup */
    bool by_teams;     /* a multiple of 256 threads */
    bool reduces;      /* begins with a reduction of what another stage has found */
    bool is_uneven;    /* some items may take very much longer than others */
    uint64_t shared_bytes;
    uint64_t thread_bytes; /* of memory of threads, for each */
    int32_t items_buffer;  /* work on a whole buffer: that one; else -1 */
} gf_ptx_stage;

typedef struct gf_ptx_stages {
    gf_ptx_module module; /* text, places, arguments; what it says of shapes is of no meaning here */
    gf_ptx_stage *stages; /* by gf_malloc */
    size_t stage_count;
    gf_ptx_step *steps; /* by gf_malloc */
    size_t step_count;
    size_t cells; /* of a set, 8 bytes each */
    size_t first_swapped,
        converged;     /* cells: addresses of buffers that trade names; what the program says, 2: nothing */
    uint32_t *swapped; /* those buffers; by gf_malloc */
    size_t swapped_count;
    size_t loop_count;
} gf_ptx_stages;

/* Segments of one stage, in their order. */
typedef struct gf_ptx_joined {
    const gf_plan_node *items[GF_PTX_MOST_JOINED];
    size_t count;
} gf_ptx_joined;

/* join.c: those of the stage that begins with the segment of that index; gives the index of the last. What stands
 * between them are registers that are set before all of them. `lists`: by segment: it
 * may leave pieces of rows to a kernel behind it. */
size_t gf_ptx_find_joined(const gf_plan_block *block, size_t first, const bool *lists, bool checked,
                          gf_ptx_joined *joined);

/* Turns of a loop that stand one behind the other in its body, where one takes so many stages; `turns`: that it makes,
 * 0: nobody knows. */
unsigned gf_ptx_choose_turns(unsigned stages, uint64_t turns);
/* Of passes, where nobody knows how many there will be: `first` of them in front of the loop. */
unsigned gf_ptx_choose_passes(unsigned stages, unsigned *first);
/* The same of a loop in a loop. */
unsigned gf_ptx_choose_inner(uint64_t turns);
/* What is guessed of a loop; 0: nothing. */
uint64_t gf_ptx_turns_of(const gf_ptx_guess *turns, size_t count, const gf_plan_node *node);
/* Whether loops in it are no nodes, where one turn of it takes so many stages, those loops laid out. */
bool gf_ptx_is_flat(unsigned stages);

/* Whether all turns of a loop stand one behind the other and nothing asks whether there is another, where one turn
 * takes so many stages, those of such loops in it laid out; `has_loop`: there are others in it. */
bool gf_ptx_is_unrolled(const gf_plan_node *loop, unsigned stages, bool has_loop);

/* Invocations of a thread from which it is worth more that the GPU hands out blocks as others end, where some take much
 * longer than others; and whether they may, and no other thread helps (rows.h). */
#define GF_PTX_MANY_EACH 8
bool gf_ptx_is_uneven(const gf_segment *segment);
/* Whether all that a segment does is done by one invocation, `if gid.linear == 0`: nobody needs threads for it. */
bool gf_ptx_is_for_one(const gf_segment *segment);

/* A loop over a long row is shared in pieces, which the segment puts on a list and a stage behind it goes through: one
 * kernel more, which a run without long rows does not want. It may be left out if the list has no room
 * (GF_PTX_ARGS_LIST); then the outcome says whether it would have been of use. */

/* Whether a segment may leave pieces to such a stage. */
bool gf_ptx_may_leave_rows(const gf_segment *segment);

/* As gf_ptx_emit_whole; the plan must have no exits (gf_plan_options.lower_exits). */
bool gf_ptx_emit_stages(const gf_plan *plan, const gf_ptx_options *options, gf_ptx_stages *out, gf_diags *diags);
/* The word of the arguments that holds the address of a buffer; its length comes next. */
size_t gf_ptx_arg_of_buffer(const gf_plan *plan, uint32_t buffer);
void gf_ptx_stages_finish(gf_ptx_stages *stages);

#endif
