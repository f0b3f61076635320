/* The inside of a gf_program handle. */
#ifndef GF_IR_PROGRAM_H
#define GF_IR_PROGRAM_H

#include "base/diag.h"
#include "base/str.h"
#include "ir/ir.h"
#include <gridfence/program.h>

/* An empty program with an arena of its own (and a reference), holding `parent` if given; NULL without memory. */
gf_program *gf_program_new(gf_program *parent, gf_diags *diags);
gf_program *gf_program_hold(gf_program *program);

/* What gf_program.segment_state points to: one value per PARAM of the segment, in order of declaration. */
typedef struct gf_segment_values {
    size_t count;
    const gf_value *values;
} gf_segment_values;

/* The checked tree, else the parsed one, else NULL. NULL allowed. */
const gf_tree *gf_program_tree(const gf_program *program);

/* Canonical text of either form of a tree. */
bool gf_print_tree(const gf_tree *tree, gf_str *out);
void gf_print_expr(const gf_expr *expr, gf_str *out);
void gf_print_stmt(const gf_stmt *stmt, unsigned indent, gf_str *out);
void gf_print_block(const gf_block *block, unsigned indent, gf_str *out);

/* Declarations of one kind in order: count, and the n-th (NULL past the end). */
size_t gf_tree_count(const gf_tree *tree, gf_symbol_kind kind);
const gf_symbol *gf_tree_nth(const gf_tree *tree, gf_symbol_kind kind, size_t index);
const gf_symbol *gf_tree_find(const gf_tree *tree, const char *name); /* NULL: none */

#endif
