/* Rows: a loop whose turns may be shared out over threads, because nothing depends on their order. One invocation with
 * a hundred thousand edges would else keep the whole grid waiting.
 *
 * An invocation that comes to a long row leaves its body there. At the end of the body, where the threads of a warp
 * meet, rows that were left are gone through by the warp; then each goes on behind its row. Very long ones are put on a
 * list, if nothing behind the row looks at what it changes, and gone through by the block after all its invocations.
 * Where the grid will meet, one row of a segment is cut into pieces instead, which all warps of the grid share.
 * What a thread does alone it does for several turns at once, so that their loads are on their way together; and so
 * does a warp, for turns of different rows where they add nothing up (rows_flat.c).
 *
 *   free       turns change memory by atomics alone, of one operation that does not care for order, or add up whole
 *              numbers
 *   in order   turns add to floats: the addends are made side by side, and added one after the other as the text says
 */
#ifndef GF_EMIT_PTX_ROWS_H
#define GF_EMIT_PTX_ROWS_H

#include "emit/ptx/grid.h"

#define GF_PTX_MOST_CAPTURED 12
#define GF_PTX_MOST_STRIPS 4
#define GF_PTX_MOST_SUMS 4

typedef struct gf_ptx_captured {
    const gf_symbol *symbol;
    gf_pv own; /* of the invocation whose row it is */
} gf_ptx_captured;

/* An array in global memory of which each turn looks at its own element: those of a row lie side by side. */
typedef struct gf_ptx_row_strip {
    const gf_symbol *array;
    gf_pv at; /* u64: the address of the element of the first of some turns */
} gf_ptx_row_strip;

typedef struct gf_ptx_rows {
    const gf_stmt *stmt;
    bool in_order;
    bool by_grid;  /* in pieces */
    bool by_stage; /* these are gone through by a kernel behind this one */
    bool by_block; /* very long ones */
    bool is_flat;  /* those of a warp one behind the other, as if they were one */
    gf_ptx_captured captured[GF_PTX_MOST_CAPTURED];
    size_t captured_count;
    const gf_symbol *sums[GF_PTX_MOST_SUMS]; /* variables outside that turns add to */
    gf_pv own_sums[GF_PTX_MOST_SUMS];
    gf_op sum_ops[GF_PTX_MOST_SUMS];
    size_t sum_count;
    gf_ptx_row_strip strips[GF_PTX_MOST_STRIPS]; /* in order: whose rows are known to be inside */
    size_t strip_count;
    bool in_strips;  /* code of a turn is written that finds them by the two below */
    unsigned turn;   /* of those at once */
    gf_pv is_there;  /* bool */
    bool is_left;    /* somewhere in the text a row is left */
    gf_pv waits;     /* bool: the row of this thread waits, or has waited */
    gf_pv is_served; /* bool: the block has met at the end of this body */
    gf_pv from, to;
    uint32_t after; /* label: behind the loop */
    uint64_t list;  /* of the block: offset in gf_rows */
} gf_ptx_rows;

#define GF_PTX_MOST_ROWS 4

/* Those of one body, in the order of the text. */
typedef struct gf_ptx_row_list {
    gf_ptx_rows items[GF_PTX_MOST_ROWS];
    size_t count;
    uint32_t serve; /* label: where rows that were left are gone through */
} gf_ptx_row_list;

/* Who comes to an end of the segment together. */
typedef enum gf_ptx_meeting {
    GF_PTX_MEET_WARP,
    GF_PTX_MEET_BLOCK,
    GF_PTX_MEET_STAGE, /* the kernel ends, and the next begins */
    GF_PTX_MEET_GRID,
} gf_ptx_meeting;

/* The rows of a body that may be shared; false: none. */
bool gf_ptx_find_rows(gf_ptx_emit *e, const gf_block *body, gf_ptx_row_list *list);
/* Whether it may be gone through when all invocations are through with the rest. */
bool gf_ptx_row_may_wait(gf_ptx_emit *e, const gf_ptx_rows *rows);
/* Before the loop over invocations, and before each of them. */
void gf_ptx_begin_rows(gf_ptx_emit *e, gf_ptx_row_list *list, gf_ptx_meeting meeting);
void gf_ptx_begin_body(gf_ptx_emit *e);
/* At the loop: long rows are left; code goes on where it is not long. Gives whether it did anything. */
bool gf_ptx_leave_row(gf_ptx_emit *e, const gf_stmt *stmt, gf_pv from, gf_pv to);
void gf_ptx_back_from_row(gf_ptx_emit *e, const gf_stmt *stmt); /* behind the loop */
/* At the end of the body, by all threads of the warp together. */
void gf_ptx_serve_rows(gf_ptx_emit *e);
/* Behind the loop over invocations, by all threads of the block together. */
void gf_ptx_end_rows(gf_ptx_emit *e);

/* ---- items.c ---- */
/* Finds and begins the rows of a segment, whose threads then go through the loop over items together, as far as they
 * meet; false: it has none. */
bool gf_ptx_share_rows(gf_ptx_emit *e, const gf_segment *segment, gf_ptx_meeting meeting, gf_ptx_row_list *rows);
/* Whether a segment goes invocation by invocation, or in packs, and not by workgroup or by blocks of a fixed order. */
bool gf_ptx_is_by_item(const gf_ptx_walk *walk, const gf_segment *segment);

/* ---- rows_grid.c ---- */
/* The row of a segment that leaves pieces to the grid; NULL: it has none. */
const struct gf_ptx_listed *gf_ptx_listed_rows(gf_ptx_emit *e, const gf_segment *segment);
/* A turn looks at two arrays at most: 32 registers are enough then. */
bool gf_ptx_is_light(const struct gf_ptx_listed *listed);
/* Behind a barrier, by all threads of the grid: the pieces on the list. */
void gf_ptx_serve_listed(gf_ptx_walk *walk, const struct gf_ptx_listed *listed);
/* The same as a kernel of its own, which goes to `out` where there are none. */
void gf_ptx_serve_stage(gf_ptx_walk *walk, const struct gf_ptx_listed *listed, uint32_t out);

/* ---- between the files ---- */
#define GF_PTX_LISTED 128 /* rows on a block's list at most; more are left to warps */
/* Nothing behind the row, in the same invocation, looks at what it changes. */
bool gf_ptx_is_last_to_look(gf_arena *arena, const gf_block *body, const gf_stmt *loop);
gf_pv gf_ptx_row_turns(gf_ptx_emit *e, gf_pv from, gf_pv to);
/* What each of several turns at once has of its own: the loop's variable, and what stands plainly in the body. Of turns
 * that are not there, which are the last one again, only values are made. */
#define GF_PTX_TOGETHER 4 /* turns at once */
#define GF_PTX_IN_ORDER 8 /* the same where they only add to floats */
#define GF_PTX_MOST_LETS 12
#define GF_PTX_MOST_OWNED 4
typedef struct gf_ptx_together {
    unsigned turns;
    gf_pv here[GF_PTX_IN_ORDER];
    gf_pv is_there[GF_PTX_IN_ORDER];
    bool has_owners; /* turns are of different invocations, whose values these are */
    gf_pv captured[GF_PTX_TOGETHER][GF_PTX_MOST_OWNED];
    const gf_symbol *lets[GF_PTX_MOST_LETS];
    gf_ptx_named named[GF_PTX_IN_ORDER][GF_PTX_MOST_LETS];
    size_t let_count;
} gf_ptx_together;
bool gf_ptx_can_go_together(const gf_block *body);
/* rows_strips.c: finds the strips of a row in order; whether all of the row is inside each of them, as a bool. */
gf_pv gf_ptx_find_strips(gf_ptx_emit *e, gf_ptx_rows *rows, gf_pv to);
void gf_ptx_begin_strips(gf_ptx_emit *e, gf_pv from); /* of the row e->rows */
void gf_ptx_move_strips(gf_ptx_emit *e, unsigned turns);
/* The element of the turn that is written; false: it is of no strip. */
bool gf_ptx_place_in_strip(gf_ptx_emit *e, const gf_symbol *array, const gf_expr *index, gf_ptx_element *element);
void gf_ptx_emit_together(gf_ptx_emit *e, gf_ptx_together *t, const gf_block *body); /* of the row e->rows */
void gf_ptx_sum_in_order(gf_ptx_emit *e, gf_pv from, gf_pv count);                   /* by one thread */
/* Turns first, first + step, ... of the row e->rows, in any order. There are less than 2^30. */
void gf_ptx_share_turns(gf_ptx_emit *e, gf_pv from, gf_pv count, gf_pv first, gf_pv step);
/* The rows e->rows of a warp's lanes, those that wait, as if they were one. */
void gf_ptx_share_flat(gf_ptx_emit *e, gf_pv waits);
/* Words of an entry of a list, in shared memory where its address is a u32: `like` says what type was put. */
void gf_ptx_put_row_word(gf_ptx_emit *e, gf_pv at, size_t index, gf_pv v);
gf_pv gf_ptx_row_word(gf_ptx_emit *e, gf_pv at, size_t index, gf_pv like);
gf_pv gf_ptx_row_entry(gf_ptx_emit *e, gf_pv slot); /* of the block's list: its address */
/* The lane of this thread. */
gf_pv gf_ptx_lane(gf_ptx_emit *e);
/* By the warp: rows e->rows of its lanes are put on the list of the grid if that is worth it. Gives whether this lane's
 * still waits, for what rows->from and rows->to say then. */
gf_pv gf_ptx_list_rows(gf_ptx_emit *e, gf_pv waits);

#endif
