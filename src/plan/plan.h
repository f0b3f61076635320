/* What a plan is: a small tree over segments (doc/plan.md explains it; design: "split soundly at grid barriers").
 *
 * A plan is read-only once made. Everything lies in its arena; segments are gf_programs of their own that hold the
 * program the plan was made of. */
#ifndef GF_PLAN_PLAN_H
#define GF_PLAN_PLAN_H

#include "ir/program.h"
#include <gridfence/plan.h>

typedef struct gf_plan_node gf_plan_node;
typedef struct gf_plan_block gf_plan_block;
typedef struct gf_segment gf_segment;

struct gf_plan_block {
    const gf_plan_node *const *items;
    size_t count;
};

/* Scalar expressions in nodes are checked expressions over params, constants, registers (NAMEs of symbols in
 * plan->registers), len, sizes, and loads from buffers of the program. They are evaluated once, by whoever walks the
 * tree, when it comes to the node. */
struct gf_plan_node {
    gf_plan_node_kind kind;
    gf_span span;
    const gf_segment *segment; /* SEGMENT */
    bool joins; /* SEGMENT: it stands in one stretch with the one right before it: nothing need be waited for */
    /* SEGMENT: of a stretch in which more than one may fail: others of them stand before it, or behind it, with nothing
     * but registers and fills between. A fault in one that is followed does not end the run yet, and one that follows
     * is carried out behind a fault: told is the lowest invocation of all of them, of one number the earlier segment.
     */
    bool follows, is_followed;
    const gf_symbol *target;         /* register of SET, REDUCE, FOR */
    const gf_expr *value;            /* SET; the condition of IF and WHILE; CONVERGED */
    const gf_expr *from, *to, *step; /* FOR: evaluated once on entry; step NULL: 1 */
    bool has_turns; /* WHILE that a FOR has become (lower_exits): it turns so often, whatever happens in it */
    uint64_t turns;
    uint32_t buffer;          /* index into plan->buffers: REDUCE and SCAN (values), FILL, SWAP, COLLECTIVE */
    uint32_t second;          /* SCAN (result), SWAP, COLLECTIVE (output) */
    gf_combine combine;       /* REDUCE */
    bool keep_old;            /* REDUCE: combine with the register's old value (forall ... reduce) */
    bool by_group;            /* REDUCE: fold each group first (grid_*), else one sequence (forall) */
    const gf_expr *count;     /* REDUCE of a forall, SCAN: how many values (NULL: the whole buffer) */
    uint64_t bits;            /* FILL: each element */
    gf_collective collective; /* COLLECTIVE */
    const gf_plan_block *body, *otherwise;
};

typedef enum gf_plan_buffer_kind {
    GF_PLAN_BUFFER_PROGRAM,  /* one of the program, scratch included */
    GF_PLAN_BUFFER_CARRY,    /* a crossing value: one slot (or array) per invocation */
    GF_PLAN_BUFFER_RETURNED, /* a byte per invocation: it has returned */
    GF_PLAN_BUFFER_SHARED,   /* a saved workgroup array, per workgroup */
    GF_PLAN_BUFFER_VALUES,   /* what invocations hand to a reduction or scan, and what a scan gives them */
} gf_plan_buffer_kind;

typedef struct gf_plan_buffer {
    const gf_symbol *symbol; /* name and element type; hidden ones are named gf_... */
    gf_plan_buffer_kind kind;
    const gf_expr *size; /* elements, over params, registers, len and sizes; NULL: `[]`, as bound */
    bool of_array;       /* CARRY: of an array of each invocation, element by element */
    /* PROGRAM, out or scratch: no run reads an element before a segment has written all of them, and, unless it is
     * scratch memory, which nobody sees afterwards, every run does write all of them: it need not begin as zeros. A run
     * that compares what passes find must not rely on it: what the first pass finds are zeros. */
    bool overwritten;
    bool swapped;       /* PROGRAM: a swap gives its name to another's memory, and the other's to its own */
    const char *reason; /* hidden ones: for what */
} gf_plan_buffer;

typedef struct gf_segment_param {
    const gf_symbol *source; /* a PARAM of the program, or a register of the plan */
    const gf_symbol *symbol; /* the PARAM of the segment's own program */
} gf_segment_param;

typedef struct gf_segment_buffer {
    uint32_t buffer;         /* index into plan->buffers */
    const gf_symbol *symbol; /* the BUFFER of the segment's own program, with its role here: in, out, inout */
    gf_role role;
    bool overwrites; /* role is out because every element is provably written: storage need not be zeroed */
} gf_segment_buffer;

struct gf_segment {
    uint32_t index;
    const char *region; /* the first region label in it, or NULL */
    const gf_tree *tree;
    gf_program *program;            /* the tree as a program that stands alone: prints, checks, runs by itself */
    const gf_segment_param *params; /* in the order of the segment's declarations */
    size_t param_count;
    const gf_segment_buffer *buffers; /* in the order of the segment's declarations */
    size_t buffer_count;
    bool is_forall;
    const gf_symbol *forall_count;       /* is_forall: the register (u64) that holds its width */
    const gf_segment_param *forall_from; /* is_forall: what its first item is, a register; NULL: 0 */
};

/* What became of a value that crosses a cut, for the dump. */
typedef enum gf_fate { GF_FATE_RECOMPUTE, GF_FATE_REGISTER, GF_FATE_CARRY, GF_FATE_SHARED, GF_FATE_RETURNED } gf_fate;

typedef struct gf_crossing {
    const gf_symbol *symbol;
    gf_fate fate;
    uint64_t bytes; /* per invocation (SHARED: per workgroup) */
    const char *reason;
    uint32_t buffer; /* CARRY, SHARED, RETURNED: where */
} gf_crossing;

/* A buffer of the program of which a loop touches no element but the invocation's own. */
typedef struct gf_plan_kept {
    const gf_plan_node *loop; /* of plan->body */
    uint32_t buffer;
    unsigned uses; /* segments in the loop */
    bool is_written;
} gf_plan_kept;

typedef struct gf_barrier_note {
    gf_span span;     /* of the statement that is or makes the barrier */
    const char *what; /* "grid_barrier", "entry of while", "turn of while", ... */
    bool dropped;
    const char *reason;
} gf_barrier_note;

struct gf_plan {
    gf_program *root; /* owns the arena in which all this lies, and holds `program` */
    gf_program *program;
    gf_plan_options options;
    const gf_plan_block *prologue; /* once, before the first pass: indirect counts */
    const gf_plan_block *body;     /* one pass */
    bool is_fixpoint;
    const uint32_t *watched; /* of a fixpoint: indices into buffers */
    size_t watched_count;
    const gf_symbol *const *registers; /* LOCAL symbols; names unique */
    size_t register_count;
    const gf_plan_node *const *once; /* by id of a symbol: the one node that sets that register, or NULL */
    const gf_plan_buffer *buffers;   /* those of the program in order of declaration, then hidden ones */
    size_t buffer_count;
    const gf_segment *const *segments;
    size_t segment_count;
    const gf_crossing *crossings;
    size_t crossing_count;
    const gf_plan_kept *kept; /* by loop, then by buffer */
    size_t kept_count;
    const gf_barrier_note *barriers;
    size_t barrier_count;
    const gf_symbol *group_count[3]; /* registers of an indirect launch: set by the prologue; else NULL */
    gf_level level;
    uint32_t symbol_count; /* ids of registers and of the program's symbols run from 0 to here */
    _Atomic(unsigned) references;
};

gf_plan *gf_plan_hold(gf_plan *plan);
/* What compilers are given: no more than `most` operations, each function counted at each of its calls. GF0503. */
#define GF_PLAN_MOST_LLVM 10000
#define GF_PLAN_MOST_PTX 30000
bool gf_plan_compiles(const gf_plan *plan, size_t most, gf_diags *diags);

#endif
