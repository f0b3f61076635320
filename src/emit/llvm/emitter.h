/* The inside of the emitter: one plan on its way to an LLVM module.
 *
 *   value.h op.c convert.c elementary.c   single operations
 *   access.c      elements of arrays: addresses, bounds, loads, stores
 *   atomic.c      atomics
 *   expr.c        expressions
 *   stmt.c        what one invocation executes
 *   loop.c        counted loops, in a fast form without checks and a slow one
 *   affine.c      which accesses of a loop stay in bounds, asked once before the loop
 *   running.c     prefix sums of a block
 *   combine.c     one atomic for many invocations
 *   stream.c      results that go to memory past the caches
 *   stream_find.c which results do
 *   idle.c        rows in which nobody does anything
 *   rows.c        folds over the rows of a matrix, many rows at once
 *   rows_find.c   which loops are such folds
 *   largest.c     what is asked of the runner about the elements of a buffer
 *   ahead.c       fetches of what a strip of invocations will look at
 *   lanes.c       the invocations of a segment, or of a workgroup, as loops
 *   group.c       workgroups: the plan one level down, as code
 *   fuse.c        which reductions and prefix sums a segment does itself
 *   fold.c        reductions in the fixed order, block by block
 *   segment.c     the function of a segment
 *   scalar.c      the scalar expressions of the plan
 *   module.c      all of it */
#ifndef GF_EMIT_LLVM_EMITTER_H
#define GF_EMIT_LLVM_EMITTER_H

#include "emit/llvm/abi.h"
#include "emit/llvm/emit.h"
#include "emit/llvm/value.h"

/* An array as the function being emitted knows it. */
typedef struct gf_array {
    LLVMValueRef data;  /* pointer */
    LLVMValueRef count; /* i64 */
    bool is_private;    /* only this thread touches it while the function runs: atomics are plain */
    bool is_written;    /* somebody writes it while the function runs */
    bool is_tracked;    /* writes that change something are told to the worker */
    bool is_reduced;    /* values of a fused reduction: whatever the index says, each invocation has one slot */
    LLVMValueRef total; /* of such: a pointer to what all stores so far come to together; NULL: each has its slot */
    gf_combine combine;
} gf_array;

/* What a symbol stands for; by symbol id of the tree being emitted. */
typedef struct gf_named {
    LLVMValueRef value;                   /* LET, LOOP, PARAM, ARGUMENT */
    LLVMValueRef slot;                    /* VAR: its memory */
    LLVMTypeRef type;                     /* VAR array: of the whole */
    const gf_array *array;                /* BUFFER, SHARED */
    LLVMValueRef wide;                    /* LOOP: in 64 bits, while its body is being emitted */
    const gf_stmt *loop;                  /* LOOP: the statement, of loops inside the one that affine.c looks at */
    const gf_expr *definition;            /* LET: what it stands for; ARGUMENT: while affine.c looks into a call */
    uint64_t memory_offset, memory_bytes; /* of a VAR array that is not on the stack */
    uint32_t inside, assigned;            /* stamp of the loop in whose body it is declared, assigned */
} gf_named;

/* A loop inside the one that proves: of its variable times the coefficient the least and the largest. */
typedef struct gf_inner {
    const gf_symbol *variable;
    int64_t coefficient;
} gf_inner;
#define GF_MOST_INNER 3

/* An access that a loop has proven to be in bounds: the element is base + coefficient * the loop's variable, and the
 * same for loops inside, whose variables make the index larger by `low` to `high`. */
typedef struct gf_proven {
    const void *node; /* the LOAD or ATOMIC, or the STORE statement */
    uint64_t call;    /* in which call it stands: gf_emit.call */
    const gf_symbol *array;
    gf_type type; /* of the index */
    LLVMValueRef base;
    int64_t coefficient;
    gf_inner inner[GF_MOST_INNER];
    unsigned inner_count;
    LLVMValueRef low, high;        /* i64; NULL: 0 */
    LLVMValueRef variable;         /* i64; set once the loop is being emitted */
    LLVMValueRef line, line_first; /* see stream.c; NULL: the element is where it should be */
} gf_proven;

/* An `if` whose condition holds for one lane of the row at most, as in `if i == n - 1`. */
typedef struct gf_single {
    const gf_stmt *stmt;
    LLVMValueRef lane; /* i64 */
} gf_single;
#define GF_MOST_SINGLES 4

/* Prefix sums that the lanes of a part of a row ask for, see running.c. */
typedef struct gf_running {
    LLVMTypeRef type;
    gf_array *array;           /* where the lanes find them: each at its own number */
    LLVMValueRef values, sums; /* pointers, by lane; the two may be one */
    LLVMValueRef sum;          /* pointer: what lies before the next lane */
    LLVMValueRef line, line_sum;
    unsigned line_lanes;
} gf_running;

/* An atomic that many invocations do as one, see combine.c. */
#define GF_MOST_CONDITIONS 4
#define GF_MOST_KEPT 16
typedef struct gf_combined {
    const gf_expr *atomic;
    gf_block first, second; /* halves of the body */
    const gf_expr *conditions[GF_MOST_CONDITIONS];
    unsigned condition_count;
    const gf_symbol *locals[GF_MOST_KEPT];
    LLVMValueRef kept[GF_MOST_KEPT]; /* pointers: the locals by lane */
    unsigned local_count;
    LLVMValueRef some;   /* pointer: i1, somebody comes to the atomic; NULL: all do */
    LLVMValueRef next;   /* pointer: what all add; then what the next invocation finds */
    LLVMValueRef inside; /* i1: there is such an element; NULL: there is */
} gf_combined;

typedef struct gf_exit {
    struct gf_exit *outer;
    LLVMBasicBlockRef on_break, on_continue;
} gf_exit;

struct gf_rows;

/* Of the loads in a row it is known that they are in bounds, of those by a value only where `values` is set. */
typedef struct gf_row_trust {
    const struct gf_rows *rows; /* NULL: of none */
    bool values;
} gf_row_trust;

typedef struct gf_emit {
    gf_ll ll;
    gf_arena *arena;
    const gf_plan *plan;
    gf_llvm_options options;
    gf_llvm_module *out;
    LLVMValueRef *functions;   /* for the table */
    const gf_plan **groups_of; /* by segment: its plan one level down, or NULL */

    /* the function */
    size_t segment;       /* its index */
    size_t largest_word;  /* where in its arguments the largest elements of buffers begin */
    uint64_t stack_bytes; /* of local arrays so far */
    LLVMValueRef function, worker;
    LLVMValueRef stop;              /* pointer: see gf_poll */
    LLVMBasicBlockRef entry, start; /* for allocas; for all else */
    LLVMBasicBlockRef abort;        /* leaves the function */

    /* the tree */
    const gf_tree *tree;
    gf_named *names;
    uint32_t stamp;

    /* the invocation */
    LLVMValueRef space[3], groups[3]; /* i32 */
    LLVMValueRef gid[3], lid[3], wid[3];
    LLVMValueRef lane;              /* i64: the variable of the loop over x; NULL outside */
    LLVMValueRef row_first;         /* i64: the linear id of x = 0 in this row */
    uint64_t call;                  /* tells one call of a function from another; 0: in none */
    LLVMValueRef lane_gid;          /* what gid.x is beyond it (i32), NULL: nothing */
    bool in_group;                  /* lanes of one workgroup: lid.x is the variable */
    LLVMBasicBlockRef on_group_end; /* the workgroup is done */
    LLVMBasicBlockRef on_end;       /* the invocation is done */
    LLVMBasicBlockRef on_return;    /* of the kernel's or function's body */
    LLVMValueRef result_slot;       /* of a function */
    gf_exit *exit;
    bool has_streams;         /* the function stores past the caches somewhere */
    bool is_slow;             /* the enclosing loop could not prove its bounds */
    unsigned fast_depth;      /* how many loops around have a fast form */
    const gf_single *singles; /* of the row: the lanes being emitted are none of them */
    unsigned single_count;
    gf_running *running;          /* NULL: the lanes ask for no prefix sums */
    gf_combined *combined;        /* in the second half of invocations; else NULL */
    const struct gf_rows *folded; /* loops that have been done for the lanes being emitted; NULL: none */
    LLVMValueRef folded_first;    /* i64: the first of these lanes */
    gf_row_trust row_loads;       /* in the rows being emitted */
    LLVMValueRef only;            /* elsewhere the first element is taken for any other (ahead.c); NULL: nowhere */
    LLVMValueRef live;            /* checked: accesses count only where this holds; NULL: always */

    GF_VEC(gf_proven) proven;
    GF_VEC(gf_llvm_place) places;
} gf_emit;

/* ---- small things (module.c) ---- */
LLVMValueRef gf_i32(const gf_emit *e, uint64_t value);
LLVMValueRef gf_i64(const gf_emit *e, uint64_t value);
LLVMBasicBlockRef gf_block_new(gf_emit *e, const char *name);
void gf_at(gf_emit *e, LLVMBasicBlockRef block); /* goes on there */
bool gf_is_open(gf_emit *e);                     /* the present block has no end yet */
/* To `likely` where the condition holds: the other way is out of the way, and registers are not given up for it. */
void gf_branch_likely(gf_emit *e, LLVMValueRef condition, LLVMBasicBlockRef likely, LLVMBasicBlockRef other);
void gf_branch(gf_emit *e, LLVMBasicBlockRef block);                    /* unless it has */
LLVMValueRef gf_alloca(gf_emit *e, LLVMTypeRef type, const char *name); /* in the entry block */
LLVMValueRef gf_word(gf_emit *e, LLVMValueRef base, size_t index);      /* i64 at base[index] */
LLVMValueRef gf_word_ptr(gf_emit *e, LLVMValueRef base, size_t index);
LLVMValueRef gf_extend(gf_emit *e, gf_type type, LLVMValueRef value);   /* integer to i64 */
LLVMValueRef gf_from_bits(gf_emit *e, gf_type type, LLVMValueRef bits); /* i64 to a value of an arithmetic type */
LLVMValueRef gf_to_bits(gf_emit *e, gf_type type, LLVMValueRef value);
void gf_begin_function(gf_emit *e, LLVMValueRef function, LLVMValueRef worker); /* worker NULL: nothing can stop it */
void gf_end_function(gf_emit *e);
void gf_poll(gf_emit *e);                           /* leaves the function where the run should end */
void gf_emit_tree(gf_emit *e, const gf_tree *tree); /* names for the symbols of a tree */
gf_named *gf_name(gf_emit *e, const gf_symbol *symbol);

/* ---- access.c ---- */
/* What a loop around has proven of the access; NULL: nothing. */
const gf_proven *gf_find_proven(const gf_emit *e, const void *node, uint64_t call);
LLVMValueRef gf_emit_load(gf_emit *e, const gf_expr *expr);
void gf_emit_store(gf_emit *e, const gf_stmt *stmt);
/* For atomics: the index as i64 and whether it is inside (NULL: it is). */
typedef struct gf_element {
    LLVMValueRef index;
    LLVMValueRef inside;
    LLVMValueRef place; /* where a store goes instead; NULL: to the element */
} gf_element;
/* In checked code an element that is not there is found when it is accessed, which is behind all operands. */
gf_element gf_emit_place(gf_emit *e, const void *node, const gf_symbol *array, const gf_expr *index);
void gf_check_element(gf_emit *e, const gf_element *element, gf_span span, const gf_symbol *array,
                      const gf_expr *index);
gf_element gf_emit_element(gf_emit *e, const void *node, gf_span span, const gf_symbol *array, const gf_expr *index);
LLVMValueRef gf_element_ptr(gf_emit *e, const gf_symbol *array, LLVMValueRef index);
uint64_t gf_note_place(gf_emit *e, gf_llvm_place place);
/* Records what happened where `condition` (i1) holds. */
void gf_record(gf_emit *e, LLVMValueRef condition, gf_abi_event event, uint64_t place, LLVMValueRef value,
               LLVMValueRef count);
void gf_note_change(gf_emit *e, LLVMValueRef changed);
void gf_emit_copy(gf_emit *e, const gf_stmt *stmt);
/* The length of an array: a constant where it is known. */
LLVMValueRef gf_array_count(gf_emit *e, const gf_symbol *array);

/* ---- atomic.c ---- */
LLVMValueRef gf_emit_atomic(gf_emit *e, const gf_expr *expr, bool used);

/* ---- expr.c ---- */
LLVMValueRef gf_emit_expr(gf_emit *e, const gf_expr *expr);
LLVMValueRef gf_emit_builtin(gf_emit *e, gf_builtin builtin, gf_axis axis);
/* An operation as gf_ll_op emits it; in checked code a division by zero is recorded. */
LLVMValueRef gf_emit_operation(gf_emit *e, gf_op op, gf_type type, gf_type count_type, LLVMValueRef a, LLVMValueRef b,
                               LLVMValueRef c, gf_span span);

/* ---- stmt.c ---- */
uint64_t gf_call_key(uint64_t outer, const gf_expr *call);
void gf_emit_block(gf_emit *e, const gf_block *block);
void gf_emit_call(gf_emit *e, const gf_expr *call, LLVMValueRef *result);
void gf_declare_var(gf_emit *e, const gf_symbol *symbol);
bool gf_holds_loop(const gf_block *block);
bool gf_holds_long_loop(const gf_block *block); /* other than of a few turns that are written out */

/* ---- loop.c ---- */
void gf_emit_for(gf_emit *e, const gf_stmt *stmt);
void gf_emit_while(gf_emit *e, const gf_stmt *stmt);
/* for (v = from; v < to; v++) in i64, both evaluated before; `body` emits one turn. */
typedef void gf_turn_fn(gf_emit *e, LLVMValueRef variable, void *context);
/* Gives the branch back to its head. */
LLVMValueRef gf_emit_range(gf_emit *e, LLVMValueRef from, LLVMValueRef to, const char *name, gf_turn_fn *turn,
                           void *context);

/* ---- affine.c ---- */
typedef struct gf_affine_loop {
    const gf_block *body;
    const gf_symbol *variable; /* NULL: the lane */
    bool is_lane;
    bool is_short; /* the guard is asked only where there are few turns, with small steps */
    bool grows;    /* the step is positive */
    size_t first;  /* index into e->proven of those found */
    size_t end;
    gf_single singles[GF_MOST_SINGLES]; /* of lanes */
    unsigned single_count;
} gf_affine_loop;
/* Finds the accesses in `body` whose index is base + c * variable, and adds them to e->proven. Emits their bases. */
void gf_affine_find(gf_emit *e, gf_affine_loop *loop);
/* i1: all of them are in bounds for variables from `first` to `last`. */
LLVMValueRef gf_affine_guard(gf_emit *e, const gf_affine_loop *loop, LLVMValueRef first, LLVMValueRef last);
/* The largest range [*low, *high) within [from, to) that the unit-stride accesses allow; empty where another fails. */
void gf_affine_range(gf_emit *e, const gf_affine_loop *loop, LLVMValueRef from, LLVMValueRef to, LLVMValueRef *low,
                     LLVMValueRef *high);

/* ---- stream_find.c, stream.c ---- */
#define GF_MOST_STREAMS 2
typedef struct gf_streams {
    gf_proven *items[GF_MOST_STREAMS];
    LLVMValueRef lines[GF_MOST_STREAMS]; /* pointers to the results of one line of lanes */
    unsigned count;
    uint64_t per_line; /* lanes */
} gf_streams;
/* Which stores of a row, or of a counted loop with steps of 1, may go to memory past the caches. */
void gf_stream_find(gf_emit *e, const gf_affine_loop *loop, gf_streams *streams);
void gf_stream_find_in_loop(gf_emit *e, const gf_affine_loop *loop, const gf_stmt *stmt, gf_streams *streams);
/* i1: there is so much to store that it pays. */
LLVMValueRef gf_stream_pays(gf_emit *e, const gf_streams *streams);
LLVMValueRef gf_stream_pays_in_loop(gf_emit *e, const gf_streams *streams, LLVMValueRef turns);
/* Lanes or turns from <= i < to, those of a line together where that pays. All in i64. */
typedef struct gf_stretches {
    const gf_streams *streams;
    LLVMValueRef origin; /* the loop's variable at i = 0; NULL: 0 */
    LLVMValueRef from, to;
    LLVMValueRef pays; /* i1 */
    void (*plain)(gf_emit *e, LLVMValueRef from, LLVMValueRef to, void *context);
    void (*line)(gf_emit *e, LLVMValueRef first, void *context);
    void *context;
    bool has_sums; /* lanes ask for prefix sums, which go line by line too */
} gf_stretches;
void gf_stream_stretches(gf_emit *e, const gf_stretches *all);
/* At the end of a function that did, before others are told. */
void gf_stream_fence(gf_emit *e);

/* ---- combine.c ---- */
/* Whether the body has an atomic that the invocations of a strip can do as one. */
bool gf_combine_find(gf_emit *e, const gf_block *body, gf_combined *combined);
/* Before a strip; behind the first half of a lane; between the halves; before the second half of a lane. */
void gf_combine_begin(gf_emit *e, gf_combined *combined, uint64_t lanes);
void gf_combine_keep(gf_emit *e, const gf_combined *combined, LLVMValueRef lane);
void gf_combine_add(gf_emit *e, gf_combined *combined);
void gf_combine_restore(gf_emit *e, const gf_combined *combined, LLVMValueRef lane);
/* The atomic in the second half. */
LLVMValueRef gf_combined_add(gf_emit *e);

/* ---- idle.c ---- */
/* i1: false where no lane of a row does anything; NULL: that cannot be told beforehand. */
LLVMValueRef gf_some_act(gf_emit *e, const gf_block *body);
/* Whether it does more than give a value, or what that is depends on more than memory and names. */
bool gf_may_act(const gf_expr *expr);
/* ---- largest.c ---- */
/* Of a buffer that nobody writes in the whole run, unsigned: an i64 that no element exceeds. */
bool gf_may_know_largest(const gf_emit *e, const gf_symbol *buffer);
LLVMValueRef gf_emit_largest(gf_emit *e, const gf_symbol *buffer);

/* ---- ahead.c ---- */
#define GF_MOST_AHEAD 8
typedef struct gf_ahead {
    const gf_block *body;
    const gf_symbol *arrays[GF_MOST_AHEAD]; /* of which elements are fetched */
    unsigned count;
    bool is_first; /* what lies at places that are loaded; else what that leads to */
    bool *wanted;  /* by symbol id: an address needs it */
} gf_ahead;
/* Whether it can be found out where the lanes will look, before they do. */
bool gf_ahead_find(gf_emit *e, const gf_block *body, bool is_first, gf_ahead *ahead);
/* i1: the arrays are so large that it pays. */
LLVMValueRef gf_ahead_pays(gf_emit *e, const gf_ahead *ahead);
/* Fetches what the present lane will look at. */
void gf_ahead_fetch(gf_emit *e, gf_ahead *ahead);

/* ---- rows_find.c, rows.c ---- */
#define GF_ROWS_STRIP 256 /* lanes whose rows are folded at once */
#define GF_MOST_ROW_RESULTS 4
#define GF_MOST_ROW_LOADS 8
typedef struct gf_row_load {
    const gf_expr *node;
    const gf_expr *by; /* the load whose value is the index; NULL: the loop's variable is */
} gf_row_load;
typedef struct gf_row_result {
    const gf_symbol *symbol;
    LLVMValueRef values; /* pointer: by lane of the strip */
} gf_row_result;
typedef struct gf_rows {
    const gf_stmt *loop;
    const gf_expr *from, *to;       /* the loads that are its bounds */
    GF_VEC(const gf_stmt *) prefix; /* what stands in front of it */
    gf_row_result results[GF_MOST_ROW_RESULTS];
    unsigned result_count;
    gf_row_load loads[GF_MOST_ROW_LOADS];
    unsigned load_count;
    LLVMValueRef falls;  /* pointer: i16, not 0 where a row ends before it begins */
    LLVMValueRef inside; /* i1: loads by values of others are in bounds; NULL: there are none */
} gf_rows;
/* The invocation is now that of the lane. */
typedef void gf_lane_fn(gf_emit *e, LLVMValueRef lane, const void *lanes);
/* Whether what the lanes do can be taken apart so: their rows folded, then all else. */
bool gf_rows_find(gf_emit *e, const gf_affine_loop *lanes, gf_rows *rows);
void gf_rows_begin(gf_emit *e, gf_rows *rows);
/* Folds the rows of `count` lanes, not 0, from lane `first` on. */
void gf_rows_fold(gf_emit *e, const gf_rows *rows, LLVMValueRef first, LLVMValueRef count, gf_lane_fn *enter,
                  const void *lanes);
/* In place of the loop: the results of the present lane, of a strip that began with `first`. */
void gf_rows_take(gf_emit *e, const gf_rows *rows, LLVMValueRef first);
/* Whether the load is known to be in bounds in the rows that are being emitted. *index: i64, or NULL where it is what
 * its expression says. */
bool gf_rows_hold(const gf_emit *e, const void *node, LLVMValueRef *index);

/* ---- lanes.c ---- */
/* The invocations begin <= linear id < end of the kernel's space, each executing `body`. */
void gf_emit_invocations(gf_emit *e, const gf_block *body, LLVMValueRef begin, LLVMValueRef end);
/* The lanes of the present workgroup that exist. */
void gf_emit_group_lanes(gf_emit *e, const gf_block *body);

/* ---- group.c ---- */
void gf_emit_groups(gf_emit *e, const gf_plan *plan, LLVMValueRef begin, LLVMValueRef end);

/* ---- fuse.c ---- */
/* Its lanes must be brought together: it is run by workgroups. */
bool gf_needs_groups(const gf_tree *tree);

/* ---- fold.c ---- */
/* Folds the elements values[0 .. count), count at most 4096 and not 0, in the fixed order; they are overwritten, and
 * there is room for count rounded up to 256. */
LLVMValueRef gf_emit_fold(gf_emit *e, gf_combine combine, gf_type type, gf_type stored, LLVMValueRef values,
                          LLVMValueRef count);

/* ---- running.c ---- */
/* The prefix sums that the lanes [from, to) of e->running ask for: into memory, before these lanes run. All lanes of a
 * part must be named, by this or by lines, from the first on. */
void gf_running_lanes(gf_emit *e, LLVMValueRef from, LLVMValueRef to);
/* Or line by line, from one to the next in registers: before the first, for each one, behind the last. */
void gf_running_begin_lines(gf_emit *e, uint64_t per_line);
void gf_running_line(gf_emit *e, LLVMValueRef first);
void gf_running_end_lines(gf_emit *e);

/* ---- segment.c, scalar.c ---- */
void gf_emit_segment(gf_emit *e, const gf_segment *segment);
void gf_emit_scalar(gf_emit *e, const gf_expr *expr, size_t index);

#endif
