/* The inside of the generator: a program while it is written, statement by statement.
 *
 *   claims.c      what arrays are used for between two barriers, so that nothing races
 *   arrays.c      buffers and workgroup arrays: which there are, and indices into them
 *   names.c       locals in scope
 *   values.c      expressions: literals, names, loads
 *   operations.c  expressions: operations on them
 *   functions.c   functions that hold no barrier
 *   plain.c       statements of one invocation (plain_loops.c, plain_stores.c)
 *   level.c       statements of the grid or a workgroup (level_loops.c, level_values.c)
 *   foralls.c     foralls
 *   calls.c       functions that hold a barrier
 *   wrong.c       statements whose result depends on order, and races
 *   program.c     declarations, kernel, everything in its order */
#ifndef FUZZ_GENERATE_WRITER_H
#define FUZZ_GENERATE_WRITER_H

#include "generate.h"
#include "ir/ir.h"

enum {
    MOST_NAMES = 120,
    MOST_ARRAYS = 20,
    MOST_HELPERS = 8,
    MOST_NEEDS = 8,
    NAME_SIZE = 12,
    SIZE_TEXT = 64,
    MOST_SUM = 8
};

/* ---- locals ---- */

typedef struct local {
    char name[NAME_SIZE];
    gf_type type;     /* of an array its elements' */
    gf_level uniform; /* among whom it is surely the same */
    bool assignable;
    bool is_counter;   /* of a loop: small, and indices like it */
    bool needed;       /* the writer itself uses it later: no inner name may hide it */
    bool hidden;       /* by an inner name */
    bool out_of_reach; /* from a function or a forall */
    uint32_t length;   /* of an array; 0: a scalar */
    unsigned scope;
} local;

/* ---- arrays ---- */

typedef enum use_kind {
    USE_NONE,
    USE_READ,     /* by everybody */
    USE_OWN,      /* at the index of the invocation, which `detail` names */
    USE_SPREAD,   /* at elements that no two invocations share; `detail`: which family, whose */
    USE_ATOMIC,   /* `detail`: which operation */
    USE_CONSTANT, /* plain stores of 7 */
    USE_GROUP,    /* each workgroup its own stretch of elements; inside by group_use */
    USE_BUSY,     /* by a copy that is under way */
} use_kind;

typedef enum length_kind {
    LENGTH_OWN,   /* an element for each invocation */
    LENGTH_FOUR,  /* four of them */
    LENGTH_SMALL, /* a few */
    LENGTH_ODD,   /* some other size */
    LENGTH_OPEN,  /* as bound */
} length_kind;

typedef struct array {
    char name[NAME_SIZE];
    gf_type type;
    gf_role role;
    bool is_shared;
    length_kind length;
    char size[SIZE_TEXT]; /* as declared */
    uint32_t elements;    /* of SMALL, ODD and OPEN: roughly how many */
    bool returns;
    int twin; /* of the same type and size, or -1 */
    use_kind use, group_use;
    uint32_t detail;
} array;

/* What a function does to an array, each time that it is called. */
typedef struct need {
    size_t array;
    use_kind use;
    uint32_t detail;
} need;

typedef struct helper {
    char name[NAME_SIZE];
    gf_type gives; /* NONE: nothing */
    gf_type takes[2];
    size_t argument_count;
    bool takes_own;  /* the first argument is the invocation's own index */
    bool uses_ids;   /* not for a forall */
    bool is_uniform; /* of uniform arguments it makes a uniform value */
    uint32_t owner;  /* 0: of anybody */
    need needs[MOST_NEEDS];
    size_t need_count;
} helper;

typedef enum place {
    PLACE_PLAIN, /* one invocation by itself */
    PLACE_GROUP, /* the workgroup together */
    PLACE_GRID,  /* the grid together */
} place;

typedef enum plain_kind {
    PLAIN_ASSIGN,
    PLAIN_DECLARE,
    PLAIN_STORE,
    PLAIN_ATOMIC,
    PLAIN_SPREAD,
    PLAIN_IF,
    PLAIN_FOR,
    PLAIN_WHILE,
    PLAIN_NEST,
    PLAIN_ARRAY,
    PLAIN_LEAVE,
    PLAIN_BLOCK,
    PLAIN_CALL,
    PLAIN_COPY,
    PLAIN_OWN_ATOMIC,
    PLAIN_CHECK,
    PLAIN_COUNT
} plain_kind;

typedef enum level_kind {
    LEVEL_PLAIN,
    LEVEL_BARRIER,
    LEVEL_CROSS,
    LEVEL_SET,
    LEVEL_SHARED,
    LEVEL_IF,
    LEVEL_LOOP,
    LEVEL_GROUP,
    LEVEL_FORALL,
    LEVEL_SWAP,
    LEVEL_REGION,
    LEVEL_CONVERGED,
    LEVEL_COLLECTIVE,
    LEVEL_LOAD,
    LEVEL_CALL,
    LEVEL_COPY,
    LEVEL_COUNT
} level_kind;

typedef struct writer {
    choice_stream *choices;
    generated *result;
    generate_kind kind;

    /* The run. */
    gf_space_kind space;
    unsigned axes;
    uint32_t n;                 /* the param */
    const char *own_by_ids;     /* the invocation's own index, of what is seen everywhere */
    uint32_t total;             /* invocations */
    uint32_t group;             /* invocations of a workgroup */
    uint32_t groups;            /* of the grid */
    uint32_t counts[5];         /* of an indirect launch */
    char total_text[SIZE_TEXT]; /* the same in the program */
    bool one_group;             /* no grid barriers: what else is the grid's is the workgroup's, and there is one */
    bool whole_groups;
    bool fixpoint;
    uint8_t plain_weights[PLAIN_COUNT], level_weights[LEVEL_COUNT]; /* what this program likes */
    bool likes_indices;                                             /* out of bounds, in odd forms */
    bool likes_failing;

    /* Text: of functions and of the kernel. */
    text functions, body;
    text *to;
    unsigned indent;

    local locals[MOST_NAMES];
    size_t local_count;
    unsigned scope;
    unsigned next_name;
    char retired[16][NAME_SIZE]; /* names of closed scopes, to be used once more */
    unsigned retired_count;

    array arrays[MOST_ARRAYS];
    size_t array_count, array_limit;
    helper helpers[MOST_HELPERS];
    size_t helper_count;
    helper *recording; /* the function that is being written */
    bool uses_param[GF_TYPE_COUNT], uses_const[GF_TYPE_COUNT];

    /* Where the next statement stands. */
    place place;
    bool in_forall;
    bool in_function;
    bool in_head;         /* of a construct of the grid: loads are made once for all */
    bool returned;        /* some invocations may have returned */
    gf_type gives;        /* of the function */
    unsigned plain_loops; /* around, that one invocation may leave */
    unsigned depth;       /* of nesting */
    unsigned indices;     /* around, one inside the other: bytes may ask for more than a text may have */
    int budget;           /* statements still to be written */
    unsigned turns;       /* product of the turns of the loops around */
    const char *own;      /* the invocation's own index */
    gf_type own_type;
    uint32_t owner, next_owner;
} writer;

/* ---- claims.c ---- */
/* True if the array may be used so until the next barrier; then it is. */
bool claim(writer *w, size_t array, use_kind use, uint32_t detail);
bool could_claim(const writer *w, size_t array, use_kind use, uint32_t detail);
void fence(writer *w);       /* a barrier of the grid, or of the only workgroup */
void fence_group(writer *w); /* a barrier of the workgroup */

/* ---- arrays.c ---- */
#define NO_ARRAY SIZE_MAX
typedef bool array_test(const writer *w, size_t index);
/* Some array that passes, or a new one if there is room; else NO_ARRAY. */
size_t pick_array(writer *w, array_test *test);
size_t pick_array_of(writer *w, gf_type loaded, array_test *test);
size_t new_buffer(writer *w, gf_type type, length_kind length, gf_role role);
size_t new_shared(writer *w, gf_type type, uint32_t length);
size_t twin_of(writer *w, size_t index);
void write_index(writer *w, text *to, size_t index, gf_level uniform); /* to be read: any element, or none */
void write_below(writer *w, text *to, uint32_t bound);                 /* an index below it */
void write_odd_index(writer *w, text *to);
bool is_writable(const array *a);
bool is_visible(const writer *w, const array *a); /* no workgroup array where there is no workgroup */
bool takes_atomics(const array *a);

/* ---- names.c ---- */
void fresh_name(writer *w, const char *stem, char name[NAME_SIZE]);
local *add_local(writer *w, const char *name, gf_type type, gf_level uniform, bool assignable);
void open_scope(writer *w);
void close_scope(writer *w);
bool is_seen(const local *l); /* where the next statement stands */
/* A local that passes, or NULL. */
typedef bool local_test(const writer *w, const local *l, gf_type type);
local *pick_local(writer *w, gf_type type, local_test *test);

/* ---- values.c, operations.c ---- */
extern const gf_type value_types[7];
gf_type pick_type(writer *w);
gf_type pick_integer(writer *w);
gf_type pick_number(writer *w);
typedef struct wish {
    gf_type type;
    unsigned depth;
    gf_level uniform; /* the same for the workgroup or grid */
    bool anchored;    /* its type must be seen in it: not a bare literal */
} wish;
void write_expr(writer *w, text *to, wish want);
void write_leaf(writer *w, text *to, wish want);
void write_operation(writer *w, text *to, wish want);
/* Of this type, by an invocation, as deep as statements like it. */
void write_value(writer *w, text *to, gf_type type);
void write_condition(writer *w, text *to);
void write_uniform(writer *w, text *to, gf_type type, gf_level level, unsigned depth);
bool write_load(writer *w, text *to, gf_type type);
bool write_load_at(writer *w, text *to, gf_type type, const char *at); /* the element `at` */
void write_literal(writer *w, text *to, gf_type type, bool anchored);
/* ` = ...`, ` += ...`, ` <<= ...` of an element or variable of that type. */
void write_update(writer *w, text *to, gf_type type, gf_level uniform);

/* ---- functions.c ---- */
/* Writes a function while the caller waits in the middle of a line. */
typedef struct aside {
    text *to;
    const char *own;
    gf_type own_type, gives;
    unsigned indent, plain_loops, depth;
    size_t local_count;
    bool out_of_reach[MOST_NAMES];
    bool in_function, in_head;
    int budget;
    place place;
} aside;
void step_aside(writer *w, aside *old);
void step_back(writer *w, const aside *old);
void name_function(writer *w, char name[NAME_SIZE]);
bool write_call(writer *w, text *to, wish want);
bool call_for_effect(writer *w);

/* ---- plain.c and its kin: each writes a statement, or gives false and writes nothing ---- */
void put_line(writer *w, text *line); /* and clears it */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void put(writer *w, const char *format, ...);
void open_block(writer *w, text *head); /* with " {" */
void close_block(writer *w);
void plain_statement(writer *w);
void plain_block(writer *w, unsigned most);
bool declare_local(writer *w);
bool assign_local(writer *w);
bool store_somewhere(writer *w);
bool update_atomic(writer *w);
bool spread_stores(writer *w);
bool copy_and_wait(writer *w);
bool use_own_atomic(writer *w);
bool plain_for(writer *w);
bool plain_while(writer *w);
bool loop_nest(writer *w);
bool fill_local_array(writer *w);
void see_everything(writer *w, size_t first_local);

/* ---- level.c and its kin ---- */
gf_level level_here(const writer *w);    /* of what is uniform where statements of a level stand */
const char *level_word(const writer *w); /* "grid" or "group" */
void level_statement(writer *w);
void level_block(writer *w, unsigned most, bool barrier);
void put_barrier(writer *w);
void fence_here(writer *w);
void combine_values(writer *w);
bool set_uniform(writer *w);
bool load_for_all(writer *w);
void share_in_group(writer *w);
void level_if(writer *w);
void level_loop(writer *w);
void group_construct(writer *w);
bool write_forall(writer *w);
bool copy_across(writer *w);
bool swap_buffers(writer *w);
bool write_collective(writer *w);

/* ---- calls.c ---- */
bool call_with_barrier(writer *w);

/* ---- wrong.c ---- */
bool depend_on_order(writer *w);
bool race(writer *w);

#endif
