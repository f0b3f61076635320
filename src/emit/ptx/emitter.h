/* The inside of the PTX emitter: one plan on its way to a PTX text.
 *
 *   value.h value.c op.c divide.c convert.c elementary.c   single operations
 *   forms.c       what code of many kinds is made of, in a word each
 *   range.c       what values an index can have
 *   access.c      elements of arrays: addresses, bounds, loads, stores, copies
 *   record.c      what an invocation did wrong
 *   atomic.c      atomics
 *   expr.c        expressions
 *   stmt.c loops.c   what one invocation executes, and its loops
 *   rows_find.c rows.c rows_strips.c rows_serve.c rows_grid.c   loops whose turns threads share
 *   uneven.c      how work is spread over invocations: unevenly, or to one alone
 *   ends.c        whether an invocation may end the run
 *   group.c       a workgroup: its plan one level down, as code of a thread block
 *   items.c teams.c   the invocations of a segment, shared out over the threads of a grid
 *   fold.c        combining what threads of a block have
 *   reduce.c      reductions of the grid
 *   sums.c        prefix sums of the grid
 *   near.c        buffers that are near their invocations while a loop goes on
 *   scan_find.c scan.c lookback.c   those that go from one segment to the next in registers
 *   barrier.c     the grid barrier
 *   scope.c walk.c   the tree of a plan: what its names stand for, and its nodes
 *   whole.c       the whole plan in one kernel
 *   steps.c steps_find.c steps_live.c   the same kernel launched again and again, each time for what comes next
 *   stages.c stage.c cells.c   the plan as kernels that follow each other: their order, one of them, its scalars
 *   module.c      all of it
 *
 * No two arguments of one call may both write code: C does not say which of them comes first, and a text must be the
 * same whatever compiler has built this. */
#ifndef GF_EMIT_PTX_EMITTER_H
#define GF_EMIT_PTX_EMITTER_H

#include "emit/ptx/emit.h"
#include "emit/ptx/value.h"

typedef enum gf_ptx_space {
    GF_PTX_GLOBAL,
    GF_PTX_SHARED,
    GF_PTX_LOCAL,
    GF_PTX_THREAD, /* memory of threads: too large for LOCAL, and nobody else's all the same */
    GF_PTX_NEAR,   /* global or shared memory, as the launcher says: generic addresses, by near.c */
    GF_PTX_OWN,    /* each invocation has one element, a register of its own: whatever the index says */
} gf_ptx_space;

/* An array as the code being emitted knows it. */
typedef struct gf_ptx_array {
    gf_ptx_space space;
    gf_pv data;       /* u64: the address in its space (a register, or for SHARED and LOCAL a constant offset from
                         `base`) */
    const char *base; /* SHARED, LOCAL: the variable of the function that holds it */
    gf_pv count;      /* u64: elements */
    gf_pv stride;     /* THREAD: u32: bytes from an element to the next */
    bool is_written;  /* somebody writes it while this kernel runs: no load past the coherent caches */
    bool is_late;     /* an earlier kernel does, whose end this one waits for by itself: nor for these */
    bool is_tracked;  /* writes that change something set e->changed */
    bool is_by_lane;  /* LOCAL: what an array of each invocation is saved in, of which this thread has its own part: of
                         an index, i * lanes + lane, only i counts */
    gf_pv own;        /* OWN: of gf_type_loaded(type) */
    unsigned slot;    /* NEAR: in the table of addresses */
} gf_ptx_array;

/* Whether loads of it may go past the coherent caches. */
static inline bool gf_ptx_is_constant(const gf_ptx_array *array) {
    return array->space == GF_PTX_GLOBAL && !array->is_written && !array->is_late;
}

/* Values that something unsigned can have. */
typedef struct gf_ptx_range {
    uint64_t least, most;
} gf_ptx_range;

#define GF_PTX_CALLS 8

/* What a symbol stands for; by symbol id of the tree being emitted. */
typedef struct gf_ptx_named {
    bool is_set;
    gf_pv value;               /* LET LOOP PARAM ARGUMENT; VAR: its register, which changes */
    const gf_ptx_array *array; /* BUFFER SHARED, and VARs that are arrays */
    bool is_own;               /* LET ARGUMENT: another one for each invocation, as gid.linear is */
    const gf_expr *definition; /* LET: what it stands for */
    bool has_range;            /* LET LOOP ARGUMENT */
    gf_ptx_range range;
    const gf_expr *closed; /* LET ARGUMENT, in packs: the same in terms that are known everywhere; NULL: it has none */
} gf_ptx_named;

typedef struct gf_ptx_exit {
    struct gf_ptx_exit *outer;
    uint32_t on_break, on_continue; /* labels */
} gf_ptx_exit;

/* A condition that holds where the present code is. */
typedef struct gf_ptx_known {
    const struct gf_ptx_known *outer;
    const gf_expr *condition;
} gf_ptx_known;

struct gf_ptx_pack;

typedef struct gf_ptx_emit {
    gf_ptx p; /* the body of the function being emitted */
    gf_arena *arena;
    const gf_plan *plan;
    gf_ptx_options options;

    const bool *written; /* by plan buffer: something in the plan writes it */

    /* the tree */
    const gf_tree *tree;
    gf_ptx_named *names;

    /* the function */
    uint64_t shared_bytes;          /* of workgroup arrays so far: at offsets of the variable gf_shared */
    uint64_t local_bytes;           /* of local arrays, at most: at offsets of the variable gf_local */
    uint64_t thread_bytes;          /* of those that are larger: in memory of threads */
    uint64_t local_now, thread_now; /* what those declared here and around take */
    uint64_t most_shared_bytes;     /* of any segment */
    uint64_t block_bytes;           /* of global memory for each block, at most */
    GF_VEC(gf_plan *) plans;        /* made on the way, to be destroyed at the end */

    const gf_segment *segment; /* of the grid; NULL: none */

    /* the invocation: u32 values */
    gf_pv space[3], groups[3];
    gf_pv gid[3], lid[3], wid[3];
    uint32_t on_end;    /* label: the invocation is done */
    uint32_t on_return; /* label: of the kernel's or function's body */
    bool is_open;       /* code at this place can be come to: false behind a jump */
    gf_pv result;       /* of a function that gives a value: a register */
    gf_ptx_range result_range;
    struct {
        const gf_expr *call;
        gf_ptx_range result;
    } calls[GF_PTX_CALLS]; /* the last ones */
    unsigned call_count;
    gf_ptx_exit *exit;
    const gf_ptx_known *known;
    bool has_live;
    gf_pv live;    /* checked: accesses count only where this bool holds */
    gf_pv changed; /* a bool register: set where a tracked buffer got another value */
    gf_pv told;  /* u32, as well, if nobody may end: what the last barrier without a vote said, looked at by the next */
    gf_pv round; /* u32, in a kernel with barriers: those that were met. In a register, for what is looked for in shared
                    memory when all threads of the block have come is waited for by the whole grid */
    bool may_end;   /* of the kernel: `ended` may be set, see ends.c */
    gf_pv passes;   /* u64: whole ones up to here, of a kernel that counts; of no type elsewhere */
    gf_pv stretch;  /* by stages, where somebody may do wrong: u32, the number of the present one; else of no type */
    bool has_ended; /* code was written that sets it */
    gf_pv ended; /* a bool register: set where the invocation trapped, did wrong (checked) or was stopped in a loop */
    gf_pv turns; /* u32, inside loops that may not end: turns since the stop word was looked at; else of no type */
    bool has_polled; /* since whoever asks made it false: code that looks at the stop word */

    /* What was noted of the invocation: a bool register, and where its setting belongs in the text. Of no type: nobody
       listens. */
    gf_pv noted;
    bool has_notes;
    size_t listens_at;

    struct gf_ptx_row_list *row_list; /* of the body being emitted: see rows.h; NULL: none */
    struct gf_ptx_rows *rows;         /* the one that is gone through */
    uint64_t rows_bytes;              /* of shared memory for them: the variable gf_rows */
    uint64_t list_bytes;              /* of a piece of a row on the list of the grid, at most */
    uint64_t staged_bytes;            /* of shared memory for values of a block: the variable gf_staged */
    uint64_t near_bytes;              /* of shared memory for buffers that stay near, at most */
    bool *near;                       /* by plan buffer: stays near in a loop */
    size_t near_word;                 /* of the arguments: where there is room for them */

    GF_VEC(gf_ptx_site) places;
    gf_diags *diags; /* of whoever asked */
    bool failed;     /* a limit was met, which `why` tells, or it was told already */
    const char *why;
    bool is_limit; /* `why` is a limit of the target, no fault of this code */

    bool sums_rows;           /* see gf_ptx_module */
    bool fills_arrays;        /* likewise */
    bool by_rows;             /* see gf_ptx_stage */
    unsigned pack_weight;     /* registers that the largest pack so far holds at once */
    unsigned pack_size;       /* invocations of the last one; 1 where it may be that each is done alone */
    uint32_t block_size;      /* threads of a block, as the heaviest want it; 0: any number will do */
    struct gf_ptx_pack *pack; /* of several invocations, whose code is emitted; NULL: one alone */

    /* of comments: the line of the place in a source that was asked for last */
    const gf_source *line_source;
    size_t line_offset;
    uint32_t line;
    bool is_quiet; /* none now */
} gf_ptx_emit;

/* ---- forms.c ---- */
gf_pv gf_ptx_u32(uint64_t value);
gf_pv gf_ptx_u64(uint64_t value);
gf_pv gf_ptx_do(gf_ptx_emit *e, gf_op op, gf_pv a, gf_pv b); /* integer operations and comparisons */
gf_pv gf_ptx_thread(gf_ptx_emit *e);                         /* u32: of the block */
gf_pv gf_ptx_block(gf_ptx_emit *e);                          /* u32: of the grid */
gf_pv gf_ptx_threads(gf_ptx_emit *e);                        /* u32: of a block */
gf_pv gf_ptx_blocks(gf_ptx_emit *e);                         /* u32: of the grid */
gf_pv gf_ptx_variable(gf_ptx_emit *e, gf_pv from);           /* a register of its own, which begins as `from` */
gf_pv gf_ptx_to_u64(gf_ptx_emit *e, gf_pv v);
gf_pv gf_ptx_to_u32(gf_ptx_emit *e, gf_pv v);
gf_pv gf_ptx_both(gf_ptx_emit *e, gf_pv a, gf_pv b); /* of bools */
gf_pv gf_ptx_choose(gf_ptx_emit *e, gf_pv condition, gf_pv a, gf_pv b);

/* ---- access.c ---- */
gf_ptx_named *gf_ptx_name_of(gf_ptx_emit *e, const gf_symbol *symbol);
gf_pv gf_ptx_array_count(gf_ptx_emit *e, const gf_symbol *array); /* u64 */
gf_pv gf_ptx_emit_load(gf_ptx_emit *e, const gf_expr *expr);
void gf_ptx_emit_store(gf_ptx_emit *e, const gf_stmt *stmt);
void gf_ptx_emit_copy(gf_ptx_emit *e, const gf_stmt *stmt);
/* Where an element lies, and whether it is inside (has_inside false: it is). */
typedef struct gf_ptx_element {
    char address[64]; /* as it stands in brackets: "%rd7", "%rd7+4", "gf_shared+64" */
    bool has_inside;
    gf_pv inside, index;
} gf_ptx_element;
gf_ptx_element gf_ptx_emit_place(gf_ptx_emit *e, const gf_symbol *array, const gf_expr *index);
/* In checked code an element that is not there is found when it is accessed, which is behind all operands. */
void gf_ptx_check_element(gf_ptx_emit *e, const gf_ptx_element *element, gf_span span, const gf_symbol *array,
                          const gf_expr *index);
/* ".global" ".shared" ".local" */
const char *gf_ptx_space_name(const gf_ptx_array *array);
/* 0 into a register. */
void gf_ptx_clear(gf_ptx *p, gf_ptx_class class, uint32_t number);
/* Sets e->changed where the bool holds. */
void gf_ptx_note_change(gf_ptx_emit *e, gf_pv changed);

/* ---- record.c ---- */
/* Code of an invocation stands between the two. What it does wrong, the first thing, is noted where it happens, which
 * must take little room, and told behind: of all invocations the one with the lowest linear id stays, and e->ended is
 * set. */
void gf_ptx_listen(gf_ptx_emit *e);
void gf_ptx_tell(gf_ptx_emit *e);
/* Notes where the bool holds that the invocation did wrong or trapped, or tells it at once where nobody listens. It
 * does not leave. */
void gf_ptx_record(gf_ptx_emit *e, gf_pv condition, gf_ptx_event event, gf_ptx_site place, gf_pv value, gf_pv count);

/* ---- range.c ---- */
/* Of an expression whose code has just been written. */
gf_ptx_range gf_ptx_range_of(gf_ptx_emit *e, const gf_expr *expr);
void gf_ptx_note_result(gf_ptx_emit *e, const gf_expr *call, gf_ptx_range result);

/* ---- atomic.c ---- */
gf_pv gf_ptx_emit_atomic(gf_ptx_emit *e, const gf_expr *expr, bool used);

/* ---- expr.c ---- */
/* The value of an expression in a register that nobody writes any more, or a constant. */
gf_pv gf_ptx_emit_expr(gf_ptx_emit *e, const gf_expr *expr);
/* The same for one use at once: the register may be that of a variable, which the next assignment changes. Within an
 * expression there is none: a function knows no variables but its own. */
gf_pv gf_ptx_peek_expr(gf_ptx_emit *e, const gf_expr *expr);
/* Little, without loads, effects and ways to fail: it may be evaluated though nobody asked, or twice. */
bool gf_ptx_is_simple(const gf_expr *expr, unsigned budget);
/* Each invocation has another value of it, as of gid.linear. */
bool gf_ptx_is_own(gf_ptx_emit *e, const gf_expr *expr);
gf_pv gf_ptx_emit_builtin(gf_ptx_emit *e, gf_builtin builtin, gf_axis axis);
gf_pv gf_ptx_linear(gf_ptx_emit *e); /* of the invocation in its space, u64; 0 where there is no invocation */
/* An operation; in checked code a division by zero is recorded. */
gf_pv gf_ptx_emit_operation(gf_ptx_emit *e, gf_op op, gf_type type, gf_type count_type, gf_pv a, gf_pv b, gf_pv c,
                            gf_span span);

/* ---- stmt.c ---- */
void gf_ptx_emit_block(gf_ptx_emit *e, const gf_block *block);
void gf_ptx_emit_call(gf_ptx_emit *e, const gf_expr *call, bool wanted, gf_pv *result);
/* Goes on at a label that can be come to; jumps, behind which nothing is where they are always taken. */
void gf_ptx_arrive(gf_ptx_emit *e, uint32_t label);
void gf_ptx_go(gf_ptx_emit *e, uint32_t label);
void gf_ptx_go_if(gf_ptx_emit *e, gf_pv condition, bool when, uint32_t label);
void gf_ptx_bind(gf_ptx_emit *e, const gf_symbol *symbol, gf_pv value, bool is_own);
void gf_ptx_bind_range(gf_ptx_emit *e, const gf_symbol *symbol, gf_ptx_range range);

/* ---- loops.c ---- */

void gf_ptx_emit_for(gf_ptx_emit *e, const gf_stmt *stmt);
void gf_ptx_emit_while(gf_ptx_emit *e, const gf_stmt *stmt);
/* Whether the run is to end: looks at the stop word. Who leaves because of it says that what was done is not all. */
gf_pv gf_ptx_is_stopped(gf_ptx_emit *e);
void gf_ptx_tell_left(gf_ptx_emit *e);

/* ---- remark.c ---- */
/* A comment that says which statement follows. */
void gf_ptx_remark(gf_ptx_emit *e, const gf_stmt *stmt);

/* ---- group.c ---- */
/* The body of a segment for the present workgroup, by all threads of the block, lid and wid set: with `in_space` (bool)
 * those that exist. Comes out behind it, all threads together where the segment holds barriers. */
void gf_ptx_emit_group(gf_ptx_emit *e, const gf_segment *segment, gf_pv in_space);

#endif
