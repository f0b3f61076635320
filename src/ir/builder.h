/* The inside of the builder. Every public call checks its arguments, fills a node on the stack with the caller's own
 * strings, and hands it to one of the few functions here that copy it into the arena under a protect. */
#ifndef GF_IR_BUILDER_H
#define GF_IR_BUILDER_H

#include "base/diag.h"
#include "ir/ir.h"
#include <gridfence/build.h>

#define GF_BUILD_DEPTH 200
#define GF_BUILD_NODES 4000000 /* of expressions, each counted where it is printed */

struct gf_build_expr {
    const gf_builder *owner;
    const gf_expr *expr;
    uint32_t depth;
    uint32_t nodes;
};

/* A body that is open. */
typedef struct gf_build_frame {
    gf_stmt *stmt;       /* NULL: of a function or of the kernel */
    gf_symbol *function; /* NULL: of the kernel, or of a statement */
    bool in_else;
    bool broken; /* its opening call failed; open all the same, so that each end finds its begin */
    GF_VEC(const gf_stmt *) body;
    GF_VEC(const gf_symbol *) arguments;
    GF_VEC(gf_reduce) reduces;
} gf_build_frame;

struct gf_builder {
    gf_arena *arena;
    gf_diags *diags;
    bool failed;
    uint64_t nodes;
    gf_tree tree;
    GF_VEC(gf_symbol *) decls;
    GF_VEC(gf_ref) watched;
    bool has_kernel;
    gf_build_frame frames[GF_BUILD_DEPTH];
    size_t depth;
    size_t beyond; /* bodies opened where no frame was left */
};

/* All false, having put a message into the sink unless the builder is NULL or has failed for the same reason. */
bool gf_build_fail(gf_builder *b, gf_code code, const char *format, ...) GF_PRINTF(3, 4);
bool gf_build_fail_memory(gf_builder *b);
bool gf_build_check_name(gf_builder *b, const char *name);
bool gf_build_check_text(gf_builder *b, const char *text);
/* The expression must be there and be of this builder. */
bool gf_build_check_expr(gf_builder *b, const gf_build_expr *expr);
bool gf_build_check_optional(gf_builder *b, const gf_build_expr *expr);
bool gf_build_check_place(gf_builder *b, bool in_body);
bool gf_build_check_op(gf_builder *b, const char *name, gf_op *op); /* an infix one; NULL gives NONE */
bool gf_build_check_combine(gf_builder *b, const char *name, gf_combine *combine);

static inline const gf_expr *gf_build_inner(const gf_build_expr *expr) {
    return expr == NULL ? NULL : expr->expr;
}

/* Counts an expression at the place where it is used. */
bool gf_build_use(gf_builder *b, const gf_build_expr *expr);
/* A node of its own for a statement, in the open body; opens another one if `opens`. */
bool gf_build_add_stmt(gf_builder *b, const gf_stmt *draft, bool opens);
bool gf_build_add_decl(gf_builder *b, const gf_symbol *draft);

/* For an opening call that failed: false, with a broken body open. */
bool gf_build_open_broken(gf_builder *b);

/* What was built, as a parsed tree in the builder's arena; NULL with a message where something is still open or went
 * wrong before. */
const gf_tree *gf_build_tree(gf_builder *b, gf_diags *diags);

#endif
