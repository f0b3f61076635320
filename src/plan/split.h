/* The inside of the splitter: the kernel body on its way from statements to segments.
 *
 *   names.c      names for what the plan adds
 *   flatten.c    statements -> pieces: stretches between barriers, and the constructs that the level takes together
 *   flow.c       pieces -> a graph of work and barriers, along which questions are asked
 *   drop.c       barriers that order nothing go, stretches merge, constructs without a barrier dissolve
 *   registers.c  which uniform values live in the tree; their versions inside a stretch
 *   live.c       which values of an invocation cross a cut
 *   fate.c       recompute, carry, returned
 *   stretch.c    which segments are of one stretch, in which a fault waits for others
 *   roles.c      what each segment does to each buffer
 *   draft.c      a stretch -> the body of a segment (with blocks.c, alive.c, uses.c)
 *   segment.c    that -> a program of its own
 *   tree.c       pieces -> plan nodes (exits.c: for devices that have only if and while)
 *
 * The level is a parameter: GRID cuts at grid barriers, GROUP at workgroup barriers. */
#ifndef GF_PLAN_SPLIT_H
#define GF_PLAN_SPLIT_H

#include "base/diag.h"
#include "ir/effects.h"
#include "ir/make.h"
#include "ir/visit.h"
#include "plan/plan.h"
#include <stdatomic.h>

/* The regions and blocks around a statement, innermost first. One node per REGION or BLOCK of the program, so that two
 * statements of one region have the same pointer. */
typedef struct gf_path {
    const struct gf_path *parent;
    const gf_stmt *stmt;
} gf_path;

typedef struct gf_piece gf_piece;

typedef enum gf_item_kind {
    GF_ITEM_WORK,   /* each invocation executes the statement */
    GF_ITEM_SET,    /* LET, VAR, ASSIGN of a value of the level; or CONVERGED */
    GF_ITEM_SCALAR, /* a construct that only sets such values */
} gf_item_kind;

typedef struct gf_item {
    gf_item_kind kind;
    const gf_stmt *stmt;
    const gf_path *path;
    gf_piece *scalar;
} gf_item;

typedef struct gf_item_list {
    gf_item *items;
    size_t count, capacity;
} gf_item_list;

typedef struct gf_piece_list {
    gf_piece **items;
    size_t count, capacity;
} gf_piece_list;

typedef enum gf_piece_kind {
    GF_PIECE_STRETCH,
    GF_PIECE_BARRIER,
    GF_PIECE_IF,
    GF_PIECE_WHILE, /* and LOOP */
    GF_PIECE_FOR,
    GF_PIECE_FORALL,
    GF_PIECE_REDUCE, /* an operation over the level: the stretch before it stored the values */
    GF_PIECE_SCAN,
    GF_PIECE_LOAD, /* grid_load */
    GF_PIECE_SWAP,
    GF_PIECE_COLLECTIVE,
    GF_PIECE_BREAK,
    GF_PIECE_CONTINUE,
    GF_PIECE_RETURN,
} gf_piece_kind;

/* One line of a stretch after registers have been taken out: what each invocation executes. */
typedef struct gf_line {
    const gf_stmt *stmt;
    const gf_path *path;
} gf_line;

typedef struct gf_line_list {
    gf_line *items;
    size_t count, capacity;
} gf_line_list;

/* SET, IF, FOR, WHILE nodes that come before a segment. */
typedef struct gf_node_list {
    const gf_plan_node **items;
    size_t count, capacity;
} gf_node_list;

#define GF_EDGE_COUNT 4

struct gf_piece {
    gf_piece_kind kind;
    const gf_stmt *stmt;
    const gf_path *path;
    gf_item_list items;            /* STRETCH */
    gf_piece_list body, otherwise; /* IF WHILE FOR */
    bool nested;                   /* inside a construct: it may not be come to */
    bool behind_dropped;           /* a barrier stood before it: some invocation may have elements on both sides */
    bool follows, is_followed;     /* STRETCH, FORALL: see gf_plan_node */
    bool finds_failed;             /* STRETCH: who failed in one that it follows has returned */
    bool tells_failed;             /* STRETCH: it says who fails, of which one behind it wants to know */
    size_t note;                   /* BARRIER and constructs: index into notes */
    uint32_t edges[GF_EDGE_COUNT]; /* flow nodes of the barriers that the piece is or has; count in edge_count */
    unsigned edge_count;
    uint32_t flow;                 /* STRETCH, FORALL: its node in the flow graph */
    uint32_t values, result;       /* REDUCE, SCAN: plan buffers; FORALL: see reduce_values */
    const uint32_t *reduce_values; /* FORALL: a plan buffer for each reduction */
    const gf_symbol *target;       /* REDUCE, LOAD: the register that takes the result */
    const gf_symbol *from, *count; /* FORALL: registers of its begin and width */
    gf_node_list sets;             /* STRETCH: registers, in order, before the segment */
    gf_line_list lines;            /* STRETCH, FORALL */
    struct gf_draft *draft;        /* STRETCH, FORALL: NULL where it would do nothing */
};

/* Whose element an index is: the invocation's own of the kernel's space, a forall's own i, or anybody's. */
typedef enum gf_owner_kind { GF_OWNER_ANY, GF_OWNER_SELF, GF_OWNER_FORALL } gf_owner_kind;
typedef struct gf_owner {
    gf_owner_kind kind;
    const gf_stmt *forall;
} gf_owner;

/* ---- the flow graph ---- */

typedef struct gf_flow_list {
    uint32_t *items;
    size_t count, capacity;
} gf_flow_list;

typedef struct gf_flow_node {
    bool is_barrier;
    bool dropped;    /* a barrier that is passed through */
    gf_piece *piece; /* WORK: the stretch, forall or head; NULL: a joint */
    bool is_head;
    gf_access_list accesses;
    gf_owner *owners; /* of drop.c: by access, once they are known */
    bool pins;        /* holds a trap, assert, copy or collective: barriers at its sides stay */
    const gf_stmt *pin;
    gf_flow_list successors, predecessors;
    uint32_t mark;
} gf_flow_node;

typedef struct gf_flow {
    gf_flow_node *items;
    size_t count, capacity;
    uint32_t entry, exit; /* border of the pass: barriers */
    uint32_t mark;
} gf_flow;

/* ---- the splitter's state ---- */

typedef struct gf_hidden {
    gf_plan_buffer *items;
    size_t count, capacity;
} gf_hidden;

typedef struct gf_split_name gf_split_name;

typedef struct gf_split {
    gf_arena *arena;
    gf_program *program;
    const gf_tree *tree;
    gf_plan *plan;
    gf_plan_options options;
    gf_level level;
    gf_diags *diags;
    bool refused; /* with a message */
    size_t drop_work;
    bool many_passes;

    gf_piece_list pieces;
    gf_flow flow;
    gf_hidden buffers; /* becomes plan->buffers */
    struct {
        gf_barrier_note *items;
        size_t count, capacity;
    } notes;
    struct {
        const gf_symbol **items;
        size_t count, capacity;
    } registers;
    struct {
        gf_crossing *items;
        size_t count, capacity;
    } crossings;
    struct {
        gf_segment **items;
        size_t count, capacity;
    } segments;
    bool *fill_each, *fill_once; /* by plan buffer: set to fill_bits before each launch that writes it, or once */
    uint64_t *fill_bits;
    gf_node_list prologue;
    const gf_segment *before; /* of tree.c: the one before, in the same stretch */
    bool own_before;          /* in that stretch: one of the kernel's space */

    gf_split_name *names; /* of names.c: a table of names taken */
    size_t name_count, name_capacity;

    uint32_t symbol_count; /* ids of the tree, then of symbols made here */
    uint32_t id_capacity;  /* size of the tables below, fixed after registers.c */
    /* by symbol id of the tree */
    const gf_stmt **definition; /* the LET, or the VAR that is never assigned again; else NULL */
    bool *reassigned;
    bool *written;          /* buffers: something in the kernel writes it */
    uint32_t *same;         /* buffers: the representative of names that trade storage */
    uint32_t *array_number; /* buffers and workgroup arrays: 0 to array_count, one number for `same` names */
    uint32_t array_count;
    bool *is_register;
    const gf_symbol **clone_of; /* work space of segment.c, by symbol id */
    bool *seen;
    const gf_symbol **length; /* by buffer of the program: the register of its length, where one is needed */
    size_t length_count;
    const gf_expr *space[3]; /* the space of the kernel, with len(...) in registers */
    /* By GF_BUILTIN_GRID_SIZE, GROUP_SIZE, SPACE and axis: the register that holds it, where a forall speaks of it,
     * whose segment has sizes of its own; else NULL. */
    const gf_symbol *sizes[GF_BUILTIN_SPACE + 1][3];
    const gf_symbol *returned; /* hidden buffer of returned invocations, or NULL */
    uint32_t returned_buffer;
    const gf_symbol *reached; /* hidden buffer of invocations that have not failed in their stretch, or NULL */
} gf_split;

/* What a plan may be made of. Everything below is a small power of these, and no program that a person wrote comes near
 * them. */
#define GF_PLAN_MEETINGS 2000                 /* places where the level meets, before any is dropped */
#define GF_PLAN_CELLS ((size_t)4 << 20)       /* flow nodes x (buffers + values that may cross a cut) */
#define GF_PLAN_DROP_WORK ((size_t)20 << 20)  /* accesses looked at to drop barriers: the rest then stay */
#define GF_PLAN_AGAIN_WORK ((size_t)64 << 20) /* flow nodes looked at for recomputation: the rest is then carried */

/* plan.c: GF0502, unless nodes x columns is small enough. */
void gf_split_limit(gf_split *split, size_t nodes, size_t columns, const char *what);

/* flatten.c */
void gf_split_prepare(gf_split *split);
void gf_split_flatten(gf_split *split);
bool gf_split_is_uniform_def(const gf_split *split, const gf_stmt *stmt);
uint32_t gf_split_add_buffer(gf_split *split, gf_plan_buffer_kind kind, const char *name, gf_type type,
                             const gf_expr *size, const char *reason);
gf_symbol *gf_split_new_register(gf_split *split, const char *name, gf_type type);

/* The linear id of an invocation among those of the level; how many there are; slots of VALUES buffers. */
const gf_expr *gf_split_own_slot(const gf_split *split);
const gf_expr *gf_split_slot_count(const gf_split *split);
bool gf_split_values_compact(const gf_split *split);
const gf_expr *gf_split_value_slot(const gf_split *split);
const gf_expr *gf_split_value_count(const gf_split *split);

gf_owner gf_split_owner(const gf_split *split, const gf_symbol *array, const gf_expr *index, const gf_stmt *forall);
bool gf_owner_same(gf_owner a, gf_owner b);

/* names.c: a name that neither the program nor a buffer or register of the plan has; to give it to one of these is to
 * take it. */
const char *gf_split_fresh_name(gf_split *split, const char *prefix, const char *name);
void gf_split_take_name(gf_split *split, const char *text);
/* A symbol of a segment's own, to be filled in. */
gf_symbol *gf_split_new_local(gf_split *split, gf_symbol_kind kind, const char *name, gf_type type);

/* flow.c: builds split->flow from split->pieces (again after the merge). */
void gf_split_build_flow(gf_split *split);
/* Nodes reachable from `from` (not itself, unless by a cycle) forward or backward; stops at barriers that are not
 * dropped if stop_at_barriers. */
void gf_flow_reach(gf_split *split, uint32_t from, bool forward, bool stop_at_barriers, gf_flow_list *out);

/* drop.c */
void gf_split_drop(gf_split *split);
/* registers.c: fills is_register, sets and lines of every stretch. */
void gf_split_registers(gf_split *split);

/* live.c: for each flow node with lines, what of an invocation's values it needs, defines and leaves. */
typedef struct gf_live_node {
    uint64_t *uses, *must, *may, *in, *out; /* bitsets over candidates */
} gf_live_node;
typedef struct gf_live {
    size_t words;
    const gf_symbol **candidates;
    size_t candidate_count;
    uint32_t *candidate_of; /* by symbol id; UINT32_MAX: none */
    gf_live_node *nodes;    /* by flow node */
} gf_live;
void gf_split_live(gf_split *split, gf_live *live);

static inline bool gf_bit(const uint64_t *bits, size_t i) {
    return (bits[i / 64] >> (i % 64)) & 1;
}
static inline void gf_bit_set(uint64_t *bits, size_t i) {
    bits[i / 64] |= (uint64_t)1 << (i % 64);
}

/* fate.c */
typedef struct gf_value_fate {
    bool crosses;
    bool recompute;
    const gf_expr *again; /* recompute: may name other recomputed values, those before it */
    uint32_t buffer;      /* carry */
} gf_value_fate;
typedef struct gf_shared_fate {
    const gf_symbol *array;
    uint32_t buffer;
    bool *restore, *save; /* by flow node */
} gf_shared_fate;
/* How later segments know who has returned. */
typedef struct gf_return_fate {
    bool any;       /* some stretch holds a return of single invocations, with work behind it */
    bool *checks;   /* by flow node: its segment starts by leaving the returned ones out */
    bool recompute; /* by the conditions below instead of a buffer */
    const gf_expr *const *conditions;
    const bool *const *behind; /* by condition and flow node: the return lies before it */
    size_t condition_count;
} gf_return_fate;
typedef struct gf_fates {
    gf_value_fate *values; /* by candidate */
    gf_shared_fate *shared;
    size_t shared_count;
    gf_return_fate returns;
} gf_fates;
void gf_split_fates(gf_split *split, gf_live *live, gf_fates *fates);

/* stretch.c: which pieces follow each other in a stretch, and which of them know of failed invocations. */
void gf_split_stretches(gf_split *split);
/* Of a piece that tells_failed, where it begins and at its end; of one that finds_failed: those leave. */
const gf_stmt *gf_split_tell_failed(gf_split *split, bool at_end);
const gf_stmt *gf_split_leave_failed(gf_split *split);

/* blocks.c: statements with each BREAK, CONTINUE and RETURN in them replaced by what `leaf` gives. */
typedef struct gf_leaf_map {
    gf_split *split;
    const gf_stmt *(*leaf)(struct gf_leaf_map *map, const gf_stmt *stmt, bool in_loop);
} gf_leaf_map;
const gf_stmt *gf_map_stmt(gf_leaf_map *map, const gf_stmt *stmt, bool in_loop);
const gf_block *gf_map_block(gf_leaf_map *map, const gf_block *block, bool in_loop);
/* A visitor: whether a workgroup meets, at a barrier, an operation or a construct that it takes together. */
bool gf_split_note_meeting(void *found, const gf_stmt *stmt);
/* Constructs among the lines that the level no longer takes together lose it, and the dropped barriers in them.
 * `meets`: workgroups meet beside the lines. */
void gf_split_strip(gf_split *split, gf_line_list *lines, bool meets);

/* draft.c: the body of a segment, still in the plan's symbols. */
typedef struct gf_draft_buffer {
    bool used, reads, writes;
    bool overwrites; /* every element is written by a store that every invocation executes */
} gf_draft_buffer;
typedef struct gf_draft {
    gf_piece *piece;
    uint32_t flow;
    const gf_block *body;
    const char *region;
    gf_draft_buffer *buffers; /* by plan buffer */
    bool *as_var;             /* by symbol id of the tree: a `let` that has become a variable here; or NULL */
    gf_role *roles;           /* by plan buffer, of those used; filled by roles.c */
    bool *fresh;              /* role OUT because every element is written */
} gf_draft;
void gf_split_prepare_foralls(gf_split *split); /* registers and value buffers that their segments need */
void gf_split_drafts(gf_split *split, const gf_live *live, const gf_fates *fates);
/* uses.c: fills draft->buffers; false if the body does nothing that anyone could see. */
/* exact.c: it cannot go around its type, as nothing does that sizes are computed from. */
bool gf_split_is_exact(const gf_expr *expr);
bool gf_split_draft_uses(gf_split *split, gf_draft *draft, const gf_line_list *lines);
/* alive.c: the same lines with returns taken out: `live` is false from where an invocation would have returned, and
 * what follows is guarded by it, barriers and values of the workgroup apart. Gives, by symbol id of the tree, which
 * `let` has become a variable. */
bool *gf_split_guard_returns(gf_split *split, const gf_symbol *live, gf_line_list *lines);
/* Whether a workgroup takes control together somewhere in these lines. */
bool gf_split_controls_group(const gf_line_list *lines);
const gf_stmt *gf_split_at_group_level(gf_split *split, const gf_stmt *stmt);
/* Appends: a workgroup of which nobody is left returns as a whole. */
void gf_split_return_together(gf_split *split, gf_line_list *out);
/* u64: how many turns a forall has, without wrap. */
const gf_expr *gf_forall_width(gf_split *split, const gf_stmt *forall);
/* roles.c: fills and roles. */
void gf_split_roles(gf_split *split, const gf_fates *fates);
/* segment.c: a draft as a program of its own. */
const gf_segment *gf_split_segment(gf_split *split, const gf_draft *draft);
/* tree.c: plan->body and plan->prologue. */
void gf_split_tree(gf_split *split);
/* exits.c: break, continue and return of the tree become registers and ifs. */
void gf_plan_lower_exits(gf_split *split);

/* once.c: plan->once. */
void gf_split_once(gf_split *split);
/* overwritten.c: `overwritten` and `swapped` of each buffer, with the plan whole. */
void gf_split_overwritten(gf_split *split);
/* Whether an expression, NULL allowed, looks into a buffer, functions that it calls included; `len` does not. */
bool gf_split_mentions(const gf_expr *expr, const gf_symbol *buffer);
/* keep.c: plan->kept, behind that. */
void gf_split_kept(gf_split *split);

#endif
