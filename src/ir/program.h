/* The inside of a gf_program handle. */
#ifndef GF_IR_PROGRAM_H
#define GF_IR_PROGRAM_H

#include "base/diag.h"
#include "ir/ir.h"
#include <gridfence/program.h>

/* An empty program with an arena of its own (and a reference), holding `parent` if given; NULL without memory. */
gf_program *gf_program_new(gf_program *parent, gf_diags *diags);
gf_program *gf_program_hold(gf_program *program);

/* Canonical text of either form of a tree. */
bool gf_print_tree(const gf_tree *tree, struct gf_str *out);
void gf_print_expr(const gf_expr *expr, struct gf_str *out);
void gf_print_stmt(const gf_stmt *stmt, unsigned indent, struct gf_str *out);
void gf_print_block(const gf_block *block, unsigned indent, struct gf_str *out);

/* Declarations of one kind in order: count, and the n-th. */
size_t gf_tree_count(const gf_tree *tree, gf_symbol_kind kind);
const gf_symbol *gf_tree_find(const gf_tree *tree, const char *name); /* NULL: none */

#endif
