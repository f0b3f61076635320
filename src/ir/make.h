/* Makes nodes of checked trees, for passes. All give const nodes in the arena; types follow from the operands. */
#ifndef GF_IR_MAKE_H
#define GF_IR_MAKE_H

#include "ir/ir.h"

const gf_expr *gf_make_literal(gf_arena *arena, gf_type type, uint64_t bits);
const gf_expr *gf_make_name(gf_arena *arena, const gf_symbol *symbol);
const gf_expr *gf_make_builtin(gf_arena *arena, gf_builtin builtin, gf_axis axis);
const gf_expr *gf_make_op1(gf_arena *arena, gf_op op, const gf_expr *a);
const gf_expr *gf_make_op2(gf_arena *arena, gf_op op, const gf_expr *a, const gf_expr *b);
const gf_expr *gf_make_op3(gf_arena *arena, gf_op op, const gf_expr *a, const gf_expr *b, const gf_expr *c);
const gf_expr *gf_make_cast(gf_arena *arena, gf_type type, const gf_expr *a); /* a itself where it has the type */
/* Over the workgroup or grid, of one value of each; not grid_load. */
const gf_expr *gf_make_cross(gf_arena *arena, gf_cross cross, gf_level level, const gf_expr *a);
const gf_expr *gf_make_load(gf_arena *arena, const gf_symbol *array, const gf_expr *index);

const gf_stmt *gf_make_let(gf_arena *arena, const gf_symbol *symbol, const gf_expr *value);
const gf_stmt *gf_make_var(gf_arena *arena, const gf_symbol *symbol, const gf_expr *value); /* value NULL: zero */
const gf_stmt *gf_make_assign(gf_arena *arena, const gf_symbol *symbol, const gf_expr *value);
const gf_stmt *gf_make_store(gf_arena *arena, const gf_symbol *array, const gf_expr *index, const gf_expr *value);
const gf_stmt *gf_make_if(gf_arena *arena, const gf_expr *cond, const gf_block *body, const gf_block *otherwise);
const gf_stmt *gf_make_for(gf_arena *arena, const gf_symbol *symbol, const gf_expr *from, const gf_expr *to,
                           const gf_expr *step, const gf_block *body);
const gf_stmt *gf_make_loop(gf_arena *arena, const gf_block *body);
const gf_stmt *gf_make_simple(gf_arena *arena, gf_stmt_kind kind); /* BREAK CONTINUE RETURN BARRIER GRID_BARRIER */
const gf_stmt *gf_make_region(gf_arena *arena, const char *label, const gf_block *body);
const gf_block *gf_make_block(gf_arena *arena, const gf_stmt *const *items, size_t count);

/* A mutable symbol to be filled in; id is the caller's. */
gf_symbol *gf_make_symbol(gf_arena *arena, gf_symbol_kind kind, const char *name, gf_type type, uint32_t id);

#endif
