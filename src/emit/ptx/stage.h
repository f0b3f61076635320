/* What stages.c lays out and stage.c writes. */
#ifndef GF_EMIT_PTX_STAGE_H
#define GF_EMIT_PTX_STAGE_H

#include "emit/ptx/stages.h"
#include "emit/ptx/whole.h"

/* One scalar thing to do between two segments. */
typedef enum gf_ptx_op_kind {
    GF_PTX_OP_START,   /* cells as a run begins with them */
    GF_PTX_OP_NODE,    /* a node of the tree with nothing of the grid in it */
    GF_PTX_OP_COND,    /* the condition of an IF, for what stands in it */
    GF_PTX_OP_BEGIN,   /* of a loop: bounds, and that it goes on at all */
    GF_PTX_OP_HEAD,    /* does the loop go on? */
    GF_PTX_OP_NEXT,    /* of FOR: the next turn */
    GF_PTX_OP_PAUSE,   /* behind turns of a loop in a loop: were they enough? */
    GF_PTX_OP_PASSES,  /* before the first pass */
    GF_PTX_OP_PASS,    /* a pass is over: is there another? */
    GF_PTX_OP_CLEAR,   /* what passes said of changes is forgotten */
    GF_PTX_OP_OUTCOME, /* the end is told */
} gf_ptx_op_kind;

typedef struct gf_ptx_op_item {
    gf_ptx_op_kind kind;
    const gf_plan_node *node;
    int32_t guard; /* cell: only where it holds; -1: always */
    uint32_t loop; /* index into loops */
} gf_ptx_op_item;

/* A loop or a branch, and its cells. */
typedef struct gf_ptx_loop {
    const gf_plan_node *node; /* NULL: passes */
    int32_t outer;            /* guard around it */
    int32_t owner;            /* in whose body it is laid out: index into loops; -1: it is a node itself, or a branch */
    uint32_t guard, otherwise;
    uint32_t paused;                /* of a loop in a loop: what is around waits for it */
    uint32_t turn, turns, at, step; /* FOR */
} gf_ptx_loop;

typedef enum gf_ptx_work_kind {
    GF_PTX_WORK_SEGMENT,
    GF_PTX_WORK_PIECES,  /* of long rows that the segment before has left */
    GF_PTX_WORK_NODE,    /* FILL, COLLECTIVE */
    GF_PTX_WORK_SUM,     /* SCAN, first half */
    GF_PTX_WORK_SCAN,    /* second half */
    GF_PTX_WORK_WORDS,   /* SCAN whose values and sums go from one segment to the next: before the second */
    GF_PTX_WORK_COMPARE, /* watched buffers with their copies */
    GF_PTX_WORK_TURN,    /* nothing but operations, by one block */
} gf_ptx_work_kind;

typedef struct gf_ptx_work {
    gf_ptx_work_kind kind;
    const gf_plan_node *node;
    gf_ptx_joined joined; /* SEGMENT: `node` and those behind it; else none */
    int32_t guard;
    int32_t sets; /* TURN: the loop whose flag it sets; -1: none */
    struct {
        const gf_ptx_op_item *items;
        size_t count;
    } ops;
} gf_ptx_work;

typedef struct gf_ptx_layout {
    gf_arena *arena;
    const gf_plan *plan;
    gf_ptx_walk *walk;
    bool compares; /* some watched buffer is compared */
    bool may_end;  /* somebody may do wrong */
    bool is_too_long;
    uint32_t set, area, slot;
    uint32_t stretch, stretches; /* the number of what was laid out last, and how many there are */
    bool in_stretch;             /* what comes next is of the same */
    int32_t writer;
    bool *lists;                         /* by segment of the plan: it may leave pieces of rows to a stage behind it */
    const struct gf_ptx_listed **listed; /* by segment: what it leaves, once it is written; NULL: nothing */
    uint32_t *each;                      /* by segment: items that a thread takes at once, once it is written */
    int32_t owner;                       /* the loop in whose body loops are laid out at present; -1: none */
    uint32_t first_swapped, passes, converged, stable, stopped; /* cells */
    GF_VEC(gf_type) cells;
    GF_VEC(gf_ptx_loop) loops;
    GF_VEC(gf_ptx_op_item) waiting;
    GF_VEC(gf_ptx_work) works;
    GF_VEC(gf_ptx_step) steps;
    GF_VEC(gf_ptx_stage) shapes; /* by work */
} gf_ptx_layout;

/* What the kernel of a stage knows of its cells. */
typedef struct gf_ptx_cells {
    gf_ptx_layout *l;
    gf_ptx_emit *e;
    gf_pv *values;  /* registers, by cell */
    bool *assigned; /* by cell: it is another than in the set that was read */
    gf_pv *kept;    /* u64: cells as they were, 32 in each */
    gf_pv is_first; /* bool: of the first warp of the first block, who leaves cells */
} gf_ptx_cells;

/* cells.c: into registers, where names of the plan find them; as they are, early, for those that stay; into a set. */
void gf_ptx_load_cells(gf_ptx_cells *c, gf_pv set);
void gf_ptx_keep_cells(gf_ptx_cells *c, gf_pv set);
void gf_ptx_store_cells(gf_ptx_cells *c, gf_pv set);

/* stages.c */
void gf_ptx_lay_out(gf_ptx_layout *layout);
void gf_ptx_name_cells(gf_ptx_layout *layout); /* before it */
/* stage.c: the body of the kernel of one stage, into an empty text. */
void gf_ptx_write_stage(gf_ptx_layout *layout, const gf_ptx_work *work, const gf_ptx_watch *watch);

#endif
