/* gridfence/plan.h - the plan of a program: its grid barriers turned into a tree over segments.
 *
 * A segment is a standalone program without grid barriers. A plan is read-only once made and may be shared between
 * threads; it holds its program. Made twice from one program and the same options it is the same, byte for byte. */
#ifndef GRIDFENCE_PLAN_H
#define GRIDFENCE_PLAN_H

#include <gridfence/program.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_plan gf_plan;

typedef struct gf_plan_options {
    size_t size;        /* sizeof(gf_plan_options), or 0: taken as that */
    bool keep_barriers; /* drop none, even those that order nothing */
    bool keep_empty;    /* a segment for every stretch, even one that does nothing; implies keep_barriers */
    bool many_passes;   /* the body may run more than once even without a fixpoint */
    bool all_carry;     /* recompute nothing: save every value that crosses a cut (for tests) */
    bool workgroup;     /* cut at workgroup barriers instead: what a device does that runs the invocations of a
                           workgroup in turn. The program must hold no grid barrier. */
    bool lower_exits;   /* rewrite break, continue and return of the tree into registers and ifs */
    bool all_recompute; /* recompute what may be recomputed, dear as it is (for tests) */
    bool checked; /* for checked runs, in which any access or division may end its invocation; implies keep_empty */
} gf_plan_options;

/* NULL on failure, with a message. `options` may be NULL. */
GF_API gf_plan *gf_plan_create(gf_program *program, const gf_plan_options *options, gf_diags *diags);
GF_API void gf_plan_destroy(gf_plan *plan);

GF_API size_t gf_plan_segment_count(const gf_plan *plan);
/* The program of segment `index`, borrowed from the plan; NULL past the end. It can be printed, checked and run. */
GF_API gf_program *gf_plan_segment_program(const gf_plan *plan, size_t index);

typedef enum gf_plan_node_kind {
    GF_PLAN_SEGMENT,    /* launch a segment */
    GF_PLAN_SET,        /* register = expression */
    GF_PLAN_REDUCE,     /* register = the values of a segment, combined in the fixed order */
    GF_PLAN_SCAN,       /* exclusive sums over the values of a segment */
    GF_PLAN_FILL,       /* a hidden buffer is set to one value */
    GF_PLAN_SWAP,       /* two buffers trade names */
    GF_PLAN_COLLECTIVE, /* over ranks: on one rank a copy */
    GF_PLAN_CONVERGED,  /* what the program says of its convergence */
    GF_PLAN_IF,
    GF_PLAN_WHILE,
    GF_PLAN_FOR,
    GF_PLAN_BREAK,
    GF_PLAN_CONTINUE,
    GF_PLAN_RETURN, /* the rest of the pass is not run */
} gf_plan_node_kind;

/* One node, as plain data; strings belong to the plan. */
typedef struct gf_plan_visit {
    gf_plan_node_kind kind;
    unsigned depth;   /* nesting, from 0 */
    bool in_else;     /* in the second block of an IF */
    size_t segment;   /* SEGMENT: its index */
    const char *text; /* the node as the dump shows it, one line */
} gf_plan_visit;

/* Calls visit for every node in order, parents before children, until it returns false. */
GF_API bool gf_plan_walk(const gf_plan *plan, bool (*visit)(void *user, const gf_plan_visit *node), void *user);

typedef enum gf_plan_format { GF_PLAN_TEXT, GF_PLAN_JSON, GF_PLAN_DOT, GF_PLAN_SVG, GF_PLAN_SEGMENTS } gf_plan_format;

/* Sizes of a run, for the figures of a dump: one value per param and one length per buffer, in order of declaration
 * (a type of NONE, a length of UINT64_MAX: unknown). */
typedef struct gf_plan_sizes {
    const gf_value *params;
    const uint64_t *lengths;
} gf_plan_sizes;
GF_API char *gf_plan_dump_sized(const gf_plan *plan, gf_plan_format format, const gf_plan_sizes *sizes,
                                gf_diags *diags);

/* The dump; the caller frees it with gf_free. NULL without memory. */
GF_API char *gf_plan_dump(const gf_plan *plan, gf_plan_format format, gf_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
