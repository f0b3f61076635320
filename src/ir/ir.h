/* The data model: a program as a tree. One set of nodes serves two forms of it:
 *
 *   parsed   what the text or the builder says. References are names, expressions have no types.
 *   checked  what src/check makes of it, in new nodes, and what everything below works on:
 *            - every reference has its symbol, every expression its type, every literal its bits;
 *            - all locals have names of their own, different from every other name of the program, so that a
 *              statement can be moved between blocks without a second thought; ids are dense;
 *            - functions that hold a barrier, a forall or anything else of a level are inlined; what is left of
 *              functions holds none and is called in expressions or as a statement;
 *            - an operation over the group or grid (GF_EXPR_CROSS) is the whole value of a LET, VAR or ASSIGN, and
 *              nothing else: `while grid_any(c) {...}` has become `loop { let t = grid_any(c); if !t {break;} ...}`;
 *            - constructs carry their level, symbols their uniformity.
 *
 * Nodes are const once made: a pass reads one tree and builds another in its own arena. */
#ifndef GF_IR_IR_H
#define GF_IR_IR_H

#include "base/arena.h"
#include "base/source.h"
#include "ir/op.h"

typedef struct gf_expr gf_expr;
typedef struct gf_stmt gf_stmt;
typedef struct gf_block gf_block;
typedef struct gf_symbol gf_symbol;
typedef struct gf_tree gf_tree;

/* Who takes part: one invocation, its workgroup, the whole grid. As the level of a construct: who takes it together
 * (NONE: each invocation by itself). As the uniformity of a value: among whom it is the same (NONE: it may differ). */
typedef enum gf_level { GF_LEVEL_NONE, GF_LEVEL_GROUP, GF_LEVEL_GRID } gf_level;

/* A use of a name. `symbol` is NULL in a parsed tree, but for the target of VAR: there it is a symbol of kind VAR with
 * the name, the type and, of an array, is_array and the size. */
typedef struct gf_ref {
    const char *name;
    gf_span span;
    const gf_symbol *symbol;
} gf_ref;

/* What stood around a node in the text, for the printer alone. Comments keep their slashes, lines end in '\n'. */
typedef struct gf_trivia {
    const char *before; /* whole lines above, or NULL */
    const char *after;  /* rest of the same line (of what has a body: of the line of its `{`), no '\n', or NULL */
    bool blank_line;    /* an empty line above */
} gf_trivia;

/* ---- expressions ---- */

typedef enum gf_expr_kind {
    GF_EXPR_LITERAL, /* bits; text is its spelling. Parsed: type NONE unless true/false (bool) */
    GF_EXPR_NAME,    /* ref: a const, param, local or argument */
    GF_EXPR_BUILTIN, /* builtin, axis: u32 */
    GF_EXPR_LEN,     /* len(ref) */
    GF_EXPR_LOAD,    /* ref[args[0]]: a buffer, workgroup array or local array */
    GF_EXPR_OP,      /* op over args */
    GF_EXPR_AND,     /* args[0] && args[1], short-circuit */
    GF_EXPR_OR,      /* args[0] || args[1] */
    GF_EXPR_CAST,    /* type(args[0]) */
    GF_EXPR_BITCAST, /* bitcast<type>(args[0]) */
    GF_EXPR_ATOMIC,  /* atomic on ref[args[0]] with operands args[1..] */
    GF_EXPR_CROSS,   /* cross at level over args[0]; grid_load: args[0] is a LOAD */
    GF_EXPR_CALL,    /* ref(args...), a function */
} gf_expr_kind;

typedef enum gf_builtin {
    GF_BUILTIN_GID,
    GF_BUILTIN_LID,
    GF_BUILTIN_WID,
    GF_BUILTIN_GRID_SIZE,  /* in workgroups */
    GF_BUILTIN_GROUP_SIZE, /* in invocations */
    GF_BUILTIN_SPACE,      /* in invocations */
    GF_BUILTIN_RANK,
    GF_BUILTIN_RANKS,
} gf_builtin;

/* gid.linear = gid.x + space.x * (gid.y + space.y * gid.z); lid and wid alike over group_size and grid_size. */
typedef enum gf_axis { GF_AXIS_X, GF_AXIS_Y, GF_AXIS_Z, GF_AXIS_LINEAR, GF_AXIS_NONE } gf_axis;

struct gf_expr {
    gf_expr_kind kind;
    gf_type type; /* NONE in a parsed tree (but for casts) and for a call that gives nothing back */
    gf_span span;
    gf_ref ref;
    gf_op op;
    gf_atomic atomic;
    gf_cross cross;
    gf_level level; /* of CROSS */
    gf_builtin builtin;
    gf_axis axis;
    uint64_t bits;    /* of LITERAL, checked: the value; parsed: the integer, where it is one */
    const char *text; /* of LITERAL: the spelling; NULL: made by a pass, the printer finds one */
    bool is_float;    /* of LITERAL: written with a point, exponent, or as inf/nan */
    const gf_expr *const *args;
    size_t arg_count;
};

/* ---- statements ---- */

typedef enum gf_stmt_kind {
    GF_STMT_LET,       /* let target = value */
    GF_STMT_VAR,       /* var T target = value (NULL: zero); or an array target[...], zeros */
    GF_STMT_ASSIGN,    /* target op= value: a local */
    GF_STMT_STORE,     /* target[index] op= value: buffer, workgroup array, local array; index evaluated once */
    GF_STMT_EXPR,      /* value: an atomic or a call */
    GF_STMT_SWAP,      /* swap(target, second) */
    GF_STMT_CONVERGED, /* converged(value) */
    GF_STMT_IF,        /* if value body else otherwise (or NULL) */
    GF_STMT_FOR,       /* for target in from .. to step step (or NULL) body */
    GF_STMT_WHILE,     /* while value body */
    GF_STMT_LOOP,      /* loop body */
    GF_STMT_FORALL,    /* forall target in from .. to reduce(reduces) body */
    GF_STMT_BREAK,
    GF_STMT_CONTINUE,
    GF_STMT_RETURN, /* value in functions that give one */
    GF_STMT_BARRIER,
    GF_STMT_GRID_BARRIER,
    GF_STMT_REGION,     /* region "text" body */
    GF_STMT_BLOCK,      /* { body } */
    GF_STMT_ASSERT,     /* assert(value, "text") */
    GF_STMT_TRAP,       /* trap("text", value) */
    GF_STMT_COLLECTIVE, /* collective over ranks: on target, second, combine, value (root) */
    GF_STMT_COPY_ASYNC, /* copy_async(target, index, second, from, to, text): to = count, text = the tag */
    GF_STMT_WAIT,       /* wait(text) */
} gf_stmt_kind;
#define GF_STMT_COUNT 24

typedef enum gf_collective {
    GF_COLLECTIVE_ALL_REDUCE,     /* target, combine */
    GF_COLLECTIVE_ALL_GATHER,     /* target = input, second = output */
    GF_COLLECTIVE_REDUCE_SCATTER, /* target = input, second = output, combine */
    GF_COLLECTIVE_BROADCAST,      /* target, value = root */
} gf_collective;

/* One `op NAME` of forall ... reduce(...). `outer` is the grid-level variable; `inner` (checked trees) the symbol of
 * its own that the body uses, which starts at the neutral element for each i. */
typedef struct gf_reduce {
    gf_combine combine;
    gf_ref outer;
    const gf_symbol *inner;
} gf_reduce;

struct gf_stmt {
    gf_stmt_kind kind;
    gf_span span;    /* the whole statement */
    gf_span head;    /* the part that a message underlines: condition, target or keyword */
    gf_level forced; /* written `grid if`, `group while`: the level asked for */
    gf_level level;  /* checked: the level of IF FOR WHILE LOOP (NONE: each invocation by itself); FORALL, SWAP,
                        CONVERGED, COLLECTIVE, GRID_BARRIER: GRID; BARRIER: GROUP; BREAK CONTINUE RETURN: the level
                        that takes it together; LET VAR ASSIGN: GRID or GROUP where it defines a uniform value at
                        that level, or where value is a CROSS its level */
    gf_ref target, second;
    gf_op op; /* of ASSIGN and STORE: GF_OP_NONE for plain `=` */
    gf_collective collective;
    gf_combine combine;
    const gf_expr *value, *index, *from, *to, *step;
    const gf_block *body, *otherwise;
    const gf_reduce *reduces;
    size_t reduce_count;
    const char *text;
    bool tag_quoted; /* of COPY_ASYNC and WAIT: the tag was written as a string */
    gf_trivia trivia;
};

struct gf_block {
    const gf_stmt *const *items;
    size_t count;
    const char *comments; /* after the last statement, or NULL */
};

/* ---- names ---- */

typedef enum gf_symbol_kind {
    GF_SYMBOL_CONST,
    GF_SYMBOL_PARAM,
    GF_SYMBOL_BUFFER,
    GF_SYMBOL_SHARED, /* a workgroup array */
    GF_SYMBOL_FUNCTION,
    GF_SYMBOL_LET,
    GF_SYMBOL_VAR,      /* is_array: one array per invocation */
    GF_SYMBOL_LOOP,     /* of for and forall */
    GF_SYMBOL_ARGUMENT, /* of a function */
} gf_symbol_kind;

typedef enum gf_role { GF_ROLE_IN, GF_ROLE_INOUT, GF_ROLE_OUT, GF_ROLE_SCRATCH } gf_role;

struct gf_symbol {
    gf_symbol_kind kind;
    const char *name;
    gf_type type; /* of the value; of an element; of what a function gives back */
    gf_span span; /* where the name is declared */
    uint32_t id;  /* checked: dense from 0 over all symbols of the tree */
    gf_role role; /* of BUFFER */
    bool is_array;
    const gf_expr *size;                      /* elements of BUFFER (NULL: `[]`), SHARED, array VAR */
    uint64_t length;                          /* checked: elements of SHARED and array VAR */
    const gf_expr *value;                     /* of CONST; the default of PARAM, or NULL */
    gf_value constant;                        /* checked: of CONST */
    const gf_expr *returns_from, *returns_to; /* of an OUT buffer: `returns(a .. b)`, or NULL */
    gf_level uniform;                         /* checked, locals: among whom the value is the same */
    gf_level declared; /* checked, locals: declared at this level (NONE: inside plain control flow or a forall) */
    const gf_symbol *const *arguments; /* of FUNCTION */
    size_t argument_count;
    const gf_block *body;
    gf_trivia trivia;
};

/* ---- the program ---- */

typedef enum gf_space_kind {
    GF_SPACE_ONE,      /* kernel { }: one invocation, foralls choose their own width */
    GF_SPACE_ITEMS,    /* kernel (x, y, z) */
    GF_SPACE_GROUPS,   /* kernel groups(x, y, z): the space in whole workgroups */
    GF_SPACE_INDIRECT, /* kernel indirect(counts, i): workgroups from a u32 buffer */
} gf_space_kind;

typedef struct gf_kernel_decl {
    gf_span span;
    gf_space_kind space_kind;
    const gf_expr *space[3];
    size_t space_axes;
    gf_ref indirect;
    const gf_expr *indirect_index;
    const gf_expr *workgroup_size[3]; /* as written, or NULL */
    size_t workgroup_axes;            /* 0: not given */
    uint32_t workgroup[3];            /* checked: 256, 1, 1 where not given; 1, 1, 1 for SPACE_ONE */
    const gf_expr *fixpoint;          /* the limit of passes, or NULL */
    const gf_ref *watched;            /* of `on (...)`; checked: filled in where it was left out */
    size_t watched_count;
    bool watched_listed; /* `on` was written */
    const gf_block *body;
    gf_trivia trivia;
} gf_kernel_decl;

struct gf_tree {
    const char *name;
    gf_trivia trivia;              /* of `program name;` */
    const gf_symbol *const *decls; /* constants, params, buffers, workgroup arrays, functions, as declared */
    size_t decl_count;
    size_t kernel_position; /* decls before the kernel, for the printer */
    gf_kernel_decl kernel;
    const char *end_comments;
    /* checked trees only */
    uint32_t symbol_count; /* ids run from 0 to here */
    bool has_grid_barrier; /* anything that is one: a barrier, a construct's edge, a grid operation */
    bool has_group_barrier;
};

/* What a gf_program handle is. Reference-counted; read-only once made. */
struct gf_program {
    gf_arena *arena;
    const gf_source *source;
    const gf_tree *parsed;     /* NULL for programs made by a pass */
    const gf_tree *checked;    /* NULL until checked */
    struct gf_program *parent; /* whose arena and source this one's nodes point into, held; or NULL */
    void *segment_state;       /* of a plan's segment: its present param values (see plan/segment.h); else NULL */
    _Atomic(unsigned) references;
};

#endif
