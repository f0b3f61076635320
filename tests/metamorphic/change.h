/* Changes to a checked tree that must not change what the program does. They work in place, on a tree that was made for
 * this and is printed afterwards: what is run is its text, read again. */
#ifndef GF_TESTS_METAMORPHIC_CHANGE_H
#define GF_TESTS_METAMORPHIC_CHANGE_H

#include "ir/ir.h"

typedef struct change {
    gf_tree *tree;
    gf_arena *arena;
    uint64_t random;
    size_t made; /* how often something was changed */
    unsigned names;
} change;

typedef struct statements {
    const gf_stmt **items;
    size_t count, capacity;
} statements;

typedef struct transformation {
    const char *name;
    void (*apply)(change *c);
    bool reorders;      /* other orders of atomics and of traps are possible: for order-free programs that succeed */
    bool grid_barriers; /* there are more of them: for programs that have one */
} transformation;

extern const transformation transformations[];
extern const size_t transformation_count;

/* walk.c */
bool one_in(change *c, unsigned many);
const char *new_name(change *c);
gf_stmt *own_stmt(const gf_stmt *stmt);
gf_stmt *copy_stmt(change *c, const gf_stmt *stmt);
void put(change *c, statements *out, const gf_stmt *stmt);
/* Each block of the kernel and of functions, inner ones first: `change_block` puts into `out` what it is to hold. */
typedef void change_block(change *c, const gf_block *block, gf_level level, statements *out);
void change_blocks(change *c, change_block *hook);

/* names.c, order.c, blocks.c, values.c */
void rename_all(change *c);
void permute(change *c);
void wrap_in_regions(change *c);
void take_regions_apart(change *c);
void insert_grid_barriers(change *c);
void wrap_in_grid_if(change *c);
void wrap_in_plain_if(change *c);
void unroll(change *c);
void split_expressions(change *c);
void inline_lets(change *c);
void lets_to_vars(change *c);

#endif
