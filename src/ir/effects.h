/* What a piece of a checked program does to memory. Every statement and expression kind counts: loads, stores, atomics,
 * copies, collectives, swaps, traps, asserts, loop bounds, conditions; bodies of called functions too. */
#ifndef GF_IR_EFFECTS_H
#define GF_IR_EFFECTS_H

#include "ir/ir.h"

typedef enum gf_access_kind {
    GF_ACCESS_READ,      /* plain load */
    GF_ACCESS_WRITE,     /* plain store */
    GF_ACCESS_ATOMIC,    /* any atomic, see `atomic` */
    GF_ACCESS_COPY_READ, /* copy_async, collectives */
    GF_ACCESS_COPY_WRITE,
} gf_access_kind;

/* One access to one array (BUFFER or SHARED; local arrays are not memory that anyone shares). */
typedef struct gf_access {
    gf_access_kind kind;
    gf_atomic atomic;
    const gf_symbol *array;
    const gf_expr *index; /* NULL: the whole array, or unknown */
    const gf_expr *expr;  /* the LOAD or ATOMIC, or NULL */
    const gf_stmt *stmt;  /* the statement in which it stands */
    bool result_used;     /* of ATOMIC */
    bool in_head;         /* in the condition or bounds of a construct with a level */
    bool conditional;     /* under a condition or in a loop, so that it may not happen */
} gf_access;

typedef struct gf_access_list {
    gf_access *items;
    size_t count, capacity;
} gf_access_list;

/* Appends all accesses of the node and what is below it. The statement's own head is included. */
void gf_effects_stmt(gf_arena *arena, const gf_stmt *stmt, gf_access_list *out);
void gf_effects_block(gf_arena *arena, const gf_block *block, gf_access_list *out);
void gf_effects_expr(gf_arena *arena, const gf_expr *expr, const gf_stmt *stmt, gf_access_list *out);

bool gf_access_writes(const gf_access *access); /* atomic_load does not, other atomics do */

/* Whether a node holds anything that a trap, an assert, or a return of the kernel. */
bool gf_holds_trap(const gf_stmt *stmt);
bool gf_block_holds_trap(const gf_block *block); /* NULL allowed */
bool gf_holds_return(const gf_stmt *stmt);       /* not looking into functions */

#endif
