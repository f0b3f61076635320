/* Questions about trees, by one visitor: it reaches every expression and statement below a node exactly once, in
 * order of evaluation. Bodies of called functions are visited at each call if `into_calls`. */
#ifndef GF_IR_VISIT_H
#define GF_IR_VISIT_H

#include "ir/ir.h"

typedef struct gf_visitor {
    void *user;
    /* Before the children; false: don't go into them. NULL: go everywhere. */
    bool (*stmt)(void *user, const gf_stmt *stmt);
    bool (*expr)(void *user, const gf_expr *expr);
    bool into_calls;
} gf_visitor;

void gf_visit_expr(const gf_visitor *visitor, const gf_expr *expr); /* NULL allowed */
void gf_visit_stmt(const gf_visitor *visitor, const gf_stmt *stmt);
void gf_visit_block(const gf_visitor *visitor, const gf_block *block); /* NULL allowed */
/* The expressions that belong to the statement itself (not to its blocks), in order of evaluation. */
void gf_visit_own_exprs(const gf_visitor *visitor, const gf_stmt *stmt);

/* Rewriting: builds new trees in an arena. The hooks see each node after its children were rewritten (children that did
 * not change are shared) and give the node to use: the one handed in, or another. */
typedef struct gf_rewriter {
    gf_arena *arena;
    void *user;
    const gf_expr *(*expr)(void *user, const gf_expr *expr);         /* NULL: identity */
    const gf_symbol *(*symbol)(void *user, const gf_symbol *symbol); /* each ref's symbol; NULL: identity */
} gf_rewriter;

const gf_expr *gf_rewrite_expr(const gf_rewriter *rewriter, const gf_expr *expr);
const gf_stmt *gf_rewrite_stmt(const gf_rewriter *rewriter, const gf_stmt *stmt);
const gf_block *gf_rewrite_block(const gf_rewriter *rewriter, const gf_block *block);

/* Same program up to spans, comments and spelling of literals: what print . parse keeps. */
bool gf_equal_expr(const gf_expr *a, const gf_expr *b);
bool gf_equal_block(const gf_block *a, const gf_block *b);
bool gf_equal_tree(const gf_tree *a, const gf_tree *b);

#endif
