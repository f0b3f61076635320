/* The inside of the checker: what its files share. One checker works on one program, inside gf_arena_protect.
 *
 * The way of a program:  scan.c (which functions are inlined) -> decls.c (declarations) -> exprs.c, literals.c,
 * heads.c, stmts.c, calls.c (bodies: names, types, inlining, heads of loops) -> uniform.c (the largest set of uniform
 * names) -> levels.c (who takes what together, and what is refused there) -> warnings.c,
 * weak_barrier.c. */
#ifndef GF_CHECK_CHECKER_H
#define GF_CHECK_CHECKER_H

#include "base/diag.h"
#include "check/check.h"
#include "ir/ir.h"

#define GF_CHECK_DEPTH 200                       /* calls inside calls, and blocks inside blocks after inlining */
#define GF_CHECK_EXPR_DEPTH 2000                 /* expressions inside expressions: chains of + count */
#define GF_CHECK_NODES 1000000                   /* statements and expressions after inlining */
#define GF_CHECK_ARRAY_BYTES ((uint64_t)1 << 30) /* of one workgroup or local array */
#define GF_CHECK_ERRORS 200                      /* more than a sink keeps: the rest would only take time */
#define GF_CHECK_DECLS 1000                      /* buffers and workgroup arrays; params */
#define GF_CHECK_GROUP 1024                      /* invocations of one workgroup */

typedef struct call_site call_site;
typedef struct check_symbol check_symbol;
typedef struct check_stmt check_stmt;

/* Where a level function was inlined, for notes. */
struct call_site {
    gf_span span;
    const char *function;
    const call_site *outer;
    unsigned depth;
};

/* What a plain function does, as seen by its caller. */
typedef struct function_facts {
    bool varies;      /* its result may differ by invocation for equal arguments: gid, lid, atomics, effects */
    bool uses_group;  /* wid or a workgroup array: the same for a workgroup at most */
    bool uses_ids;    /* gid, lid, wid or a workgroup array, for a forall or a kernel without a space */
    gf_span ids_span; /* the first such use */
    const char *ids_name;
    const check_symbol **loads; /* arrays that it loads from, each once, also by its callees */
    size_t load_count, load_capacity;
    uint64_t *loaded; /* the same as bits, by array_number */
} function_facts;

/* Every symbol of a checked tree is one of these: the symbol comes first. */
struct check_symbol {
    gf_symbol symbol;
    const char *user_name;     /* as in the text */
    uint32_t position;         /* of a declaration: its place among them */
    uint32_t array_number;     /* of a buffer or workgroup array: its place among those */
    bool poison;               /* its declaration was wrong: uses are silent */
    bool written;              /* of arrays: anything in the program writes it */
    unsigned forall;           /* number of the forall in which it was declared; 0: none */
    const gf_expr *definition; /* of LET: its value, or what that stands for where it is a name */
    const gf_symbol *reduced;  /* of the inner variable of a reduction: the outer one */
    /* of functions */
    const gf_symbol *parsed;
    unsigned char state; /* 0 not looked at, 1 in work, 2 done */
    unsigned char scan_state;
    bool is_inlined; /* holds something of a level */
    bool broken;     /* has errors of its own */
    size_t expanded; /* statements and expressions in it, those of the functions that it calls included */
    gf_span reason;  /* why it is inlined */
    const char *reason_text;
    function_facts facts;
    /* of uniform.c: */
    size_t node;             /* in the graph, from 1; 0: none */
    size_t home;             /* the node of the construct in which it is declared */
    const gf_stmt *why_stmt; /* the statement by which it differs */
    const gf_expr *why_expr; /* the value by which it differs, or NULL: its place */
};

/* Every statement of a checked tree is one of these. */
struct check_stmt {
    gf_stmt stmt;
    const call_site *site;
    bool holds[3]; /* by level: something in it is a barrier of that level (forall, collective: of the grid) */
    const gf_stmt *holder[3]; /* the first such thing */
    const gf_stmt *leaves[3]; /* of IF, by level: a break or continue in it of a loop of that level around it */
    bool holds_return;
    size_t node;
    const gf_stmt *target; /* of BREAK and CONTINUE: the loop */
    const gf_stmt *forall; /* of anything: the forall around, or NULL */
};

typedef struct stmt_list {
    const gf_stmt **items;
    size_t count, capacity;
} stmt_list;

typedef enum expr_place {
    PLACE_BODY,
    PLACE_CONST,   /* constants only: consts, array and workgroup sizes */
    PLACE_DEFAULT, /* constants, earlier params, len of [] buffers */
    PLACE_SIZE,    /* the same and space, grid_size, group_size */
} expr_place;

typedef struct loop_scope {
    struct loop_scope *outer;
    const gf_stmt *stmt; /* the checked FOR, WHILE, LOOP or FORALL */
} loop_scope;

typedef struct name_table name_table;

typedef struct checker {
    gf_arena *arena;
    gf_diags *diags;
    const gf_tree *parsed;
    gf_tree *tree;
    name_table *names;
    struct {
        check_symbol **items;
        size_t count, capacity;
    } symbols; /* all of the checked tree, by id */
    struct {
        check_symbol **items;
        size_t count, capacity;
    } functions;
    size_t errors;
    size_t nodes;
    size_t expanded; /* of the body that it is in, with called functions put in place of their calls */
    bool too_large;
    /* where it is */
    expr_place place;
    const char *place_what;  /* "the size of `row`" */
    uint32_t place_position; /* declarations before this one may be used */
    check_symbol *function;  /* the function whose body it is in, not inlined; or NULL: the kernel */
    bool dry;                /* looking at a level function for its errors only */
    const call_site *site;
    loop_scope *loops;
    const gf_stmt *forall;
    unsigned forall_number, forall_count;
    unsigned expr_depth, block_depth;
    bool in_while; /* in the condition of one */
} checker;

/* ---- errors (check.c): all count, and return NULL or false ---- */
bool gf_check_fail(checker *c, gf_code code, gf_span span, const char *format, ...) GF_PRINTF(4, 5);
/* The user's text there, in one line and not too long; "" where there is none. */
const char *gf_check_text(checker *c, gf_span span);
/* The same of an expression, in parentheses where an operator follows. */
const char *gf_check_operand_text(checker *c, const gf_expr *expr);
/* Notes for the functions through which a statement was inlined. */
void gf_check_note_site(checker *c, const call_site *site);
bool gf_check_count_node(checker *c, gf_span span);
/* The same for all that a call of a function stands for. */
bool gf_check_count_call(checker *c, gf_span span, const check_symbol *function);

static inline check_symbol *as_check(const gf_symbol *symbol) {
    return (check_symbol *)(uintptr_t)symbol;
}
static inline check_stmt *as_check_stmt(const gf_stmt *stmt) {
    return (check_stmt *)(uintptr_t)stmt;
}
static inline gf_expr *own_expr(const gf_expr *expr) {
    return (gf_expr *)(uintptr_t)expr;
}

/* ---- names.c ---- */
void gf_check_names_start(checker *c);
void gf_check_scope_open(checker *c);
void gf_check_scope_close(checker *c);
/* A symbol of its own, not bound yet. Locals get a name that nothing else has (unless in a dry run). */
check_symbol *gf_check_symbol_new(checker *c, gf_symbol_kind kind, const char *name, gf_type type, gf_span span);
/* Binds `name` in the innermost scope; a second time there is an error. */
bool gf_check_bind(checker *c, const char *name, gf_span span, check_symbol *symbol);
/* NULL with an error (once per name) where there is none. */
check_symbol *gf_check_lookup(checker *c, const gf_ref *ref);
check_symbol *gf_check_lookup_global(checker *c, const char *name);
gf_ref gf_check_ref(const gf_symbol *symbol, gf_span span);
static inline const char *user_name(const gf_symbol *symbol) {
    return as_check(symbol)->user_name;
}
const char *gf_check_symbol_noun(const gf_symbol *symbol);

/* ---- literals.c: expressions of literals alone have no type until somebody wants one ---- */
static inline bool is_untyped(const gf_expr *expr) {
    return expr->type == GF_TYPE_NONE && (expr->kind == GF_EXPR_LITERAL || expr->kind == GF_EXPR_OP);
}
bool gf_check_settle(checker *c, gf_expr *expr, gf_type type);
gf_type gf_check_default_type(const gf_expr *expr);
bool gf_check_literal_fits(checker *c, const gf_expr *expr, gf_type type); /* without a message */

/* ---- exprs.c ---- */
/* An expression that may be untyped; NULL after an error. */
gf_expr *gf_check_expr(checker *c, const gf_expr *parsed);
/* Of the wanted type (NONE: whatever it is, untyped ones by default); `what` names the receiver for the message. */
gf_expr *gf_check_value(checker *c, const gf_expr *parsed, gf_type want, const char *what);
gf_expr *gf_check_integer(checker *c, const gf_expr *parsed, const char *what);
gf_expr *gf_check_condition(checker *c, const gf_expr *parsed, const char *what);
gf_expr *gf_check_require(checker *c, gf_expr *value, gf_type want, const char *what);
/* A group or grid operation at a place where it may stand. */
gf_expr *gf_check_cross(checker *c, const gf_expr *parsed);
gf_expr *gf_check_make(checker *c, gf_expr_kind kind, gf_type type, gf_span span);
gf_expr *gf_check_name_of(checker *c, const gf_symbol *symbol, gf_span span);
check_symbol *gf_check_array(checker *c, const gf_ref *ref, const char *what);
/* A store or atomic may not go there: `in` buffers. */
bool gf_check_writable(checker *c, const check_symbol *array, gf_span span, const char *how);
bool gf_check_element_type(gf_type type, bool allow_bool);

/* ---- ops.c ---- */
gf_expr *gf_check_op(checker *c, gf_expr *expr, gf_expr **args);

/* ---- stmts.c, heads.c, calls.c ---- */
check_stmt *gf_check_stmt_new(checker *c, const gf_stmt *parsed);
void gf_check_emit(checker *c, stmt_list *out, check_stmt *stmt);
void gf_check_stmts(checker *c, const gf_block *block, stmt_list *out);
const gf_block *gf_check_block(checker *c, const gf_block *block);
const gf_block *gf_check_block_of(checker *c, stmt_list *list, const char *comments);
void gf_check_stmt_into(checker *c, const gf_stmt *parsed, stmt_list *out);
void gf_check_while(checker *c, const gf_stmt *parsed, stmt_list *out);
void gf_check_for(checker *c, const gf_stmt *parsed, stmt_list *out);
const gf_block *gf_check_loop_body(checker *c, const gf_stmt *loop, const gf_block *block);
/* A let or var of a wrong value is there all the same, so that its uses are no errors of their own. */
void gf_check_bind_poison(checker *c, gf_symbol_kind kind, const gf_ref *target);
void gf_check_forall(checker *c, const gf_stmt *parsed, stmt_list *out);
void gf_check_collective(checker *c, const gf_stmt *parsed, stmt_list *out);
void gf_check_copy(checker *c, const gf_stmt *parsed, stmt_list *out);
void gf_check_wait(checker *c, const gf_stmt *parsed, stmt_list *out);
void gf_check_swap(checker *c, const gf_stmt *parsed, stmt_list *out);
/* The condition of an if or while; operations in it are put into `out` as lets. */
gf_expr *gf_check_head(checker *c, const gf_expr *parsed, const char *what, stmt_list *out);
bool gf_check_holds_cross(const gf_expr *parsed);
/* A let with a new name. */
const gf_symbol *gf_check_emit_let(checker *c, stmt_list *out, const char *name, gf_expr *value, gf_span span);
/* The right side of let, var or =; cross operations and inlined functions allowed. */
gf_expr *gf_check_right_side(checker *c, const gf_expr *parsed, gf_type want, const char *what, stmt_list *out);

void gf_check_scan_functions(checker *c);
void gf_check_functions(checker *c);
bool gf_check_function_body(checker *c, check_symbol *function);
/* Puts the body into `out`; gives the value that it returns, or NULL. */
gf_expr *gf_check_inline(checker *c, const gf_expr *call, check_symbol *function, stmt_list *out);
gf_expr *gf_check_call(checker *c, const gf_expr *call, check_symbol *function);

/* ---- decls.c ---- */
void gf_check_declarations(checker *c);
void gf_check_kernel_head(checker *c);
void gf_check_kernel_rules(checker *c);
bool gf_check_constant_size(checker *c, const gf_expr *parsed, const char *what, const gf_expr **size, uint64_t *value);

/* ---- facts.c: after the bodies ---- */
void gf_check_mark_written(checker *c);
void gf_check_function_facts(checker *c, check_symbol *function);

/* ---- uniform.c ---- */
/* Among whom the value is the same, by the present state of the symbols. `culprit`: the first part by which it differs
 * below `level`. */
gf_level gf_check_uniformity(checker *c, const gf_expr *expr, bool in_head, gf_level level, const gf_expr **culprit);
void gf_check_uniform(checker *c);
/* Whether the construct must be taken together at that level, whatever its condition is. */
bool gf_check_is_bound(const gf_stmt *stmt, gf_level level);
/* Notes and a fix for the latest message: why the expression differs within `level`. `barrier`: what the `if` whose
 * condition it is should not hold, such as "the grid barrier"; else NULL. */
void gf_check_explain(checker *c, const gf_expr *expr, bool in_head, gf_level level, const char *barrier);
/* Whether anything in the kernel is a barrier of that level. */
bool gf_check_has_barrier(const gf_block *body, gf_level level);

/* ---- levels.c ---- */
void gf_check_levels(checker *c);

/* ---- warnings.c ---- */
void gf_check_warnings(checker *c);
/* weak_barrier.c */
void gf_check_weak_barriers(checker *c);
/* The expression behind the name of a let. */
const gf_expr *gf_check_behind(const gf_expr *expr);

#endif
