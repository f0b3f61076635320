#include "ir/effects.h"

#include "ir/visit.h"

typedef struct walk {
    gf_arena *arena;
    gf_access_list *out;
    const gf_stmt *stmt;
    unsigned conditions; /* around the present place */
    bool left;           /* a return, trap or assert came before: what follows may not happen */
    bool in_head;
} walk;

static void walk_block(walk *at, const gf_block *block);

static void add(walk *at, gf_access access) {
    if (access.array == NULL || (access.array->kind != GF_SYMBOL_BUFFER && access.array->kind != GF_SYMBOL_SHARED)) {
        return;
    }
    access.stmt = at->stmt;
    access.in_head = at->in_head;
    access.conditional = at->conditions != 0 || at->left;
    gf_push(at->arena, at->out, access);
}

static void walk_call(walk *at, const gf_symbol *function) {
    if (function == NULL || function->body == NULL) {
        return;
    }
    walk saved = *at;
    walk_block(at, function->body);
    at->stmt = saved.stmt;
    at->in_head = saved.in_head;
    at->conditions = saved.conditions;
    /* A return of the function is none of the caller, but a trap in it is. */
    if (!saved.left) {
        at->left = gf_block_holds_trap(function->body);
    }
}

static void walk_expr(walk *at, const gf_expr *expr, bool result_used) {
    if (expr == NULL) {
        return;
    }
    bool short_circuit = expr->kind == GF_EXPR_AND || expr->kind == GF_EXPR_OR;
    for (size_t i = 0; i < expr->arg_count; i++) {
        at->conditions += short_circuit && i != 0;
        walk_expr(at, expr->args[i], true);
        at->conditions -= short_circuit && i != 0;
    }
    switch (expr->kind) {
    case GF_EXPR_LOAD:
        add(at, (gf_access){.kind = GF_ACCESS_READ, .array = expr->ref.symbol, .index = expr->args[0], .expr = expr});
        break;
    case GF_EXPR_ATOMIC:
        add(at, (gf_access){.kind = GF_ACCESS_ATOMIC,
                            .atomic = expr->atomic,
                            .array = expr->ref.symbol,
                            .index = expr->args[0],
                            .expr = expr,
                            .result_used = result_used});
        break;
    case GF_EXPR_CALL:
        walk_call(at, expr->ref.symbol);
        break;
    case GF_EXPR_LITERAL:
    case GF_EXPR_NAME:
    case GF_EXPR_BUILTIN:
    case GF_EXPR_LEN:
    case GF_EXPR_OP:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
    case GF_EXPR_CROSS:
        break;
    }
}

static void add_copy(walk *at, const gf_symbol *array, bool read, bool written) {
    if (read) {
        add(at, (gf_access){.kind = GF_ACCESS_COPY_READ, .array = array});
    }
    if (written) {
        add(at, (gf_access){.kind = GF_ACCESS_COPY_WRITE, .array = array});
    }
}

static void walk_collective(walk *at, const gf_stmt *stmt) {
    switch (stmt->collective) {
    case GF_COLLECTIVE_ALL_REDUCE:
    case GF_COLLECTIVE_BROADCAST:
        add_copy(at, stmt->target.symbol, true, true);
        break;
    case GF_COLLECTIVE_ALL_GATHER:
    case GF_COLLECTIVE_REDUCE_SCATTER:
        add_copy(at, stmt->target.symbol, true, false);
        add_copy(at, stmt->second.symbol, false, true);
        break;
    }
}

/* What the statement itself does, its blocks apart. */
static void walk_own(walk *at, const gf_stmt *stmt) {
    if (stmt->kind == GF_STMT_EXPR) {
        walk_expr(at, stmt->value, false);
        return;
    }
    /* A while meets its condition once at least; it is in the head of a loop all the same. */
    at->in_head = stmt->level != GF_LEVEL_NONE && (stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_WHILE ||
                                                   stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_FORALL);
    walk_expr(at, stmt->index, true);
    walk_expr(at, stmt->from, true);
    walk_expr(at, stmt->to, true);
    walk_expr(at, stmt->step, true);
    if (stmt->kind == GF_STMT_STORE && stmt->op != GF_OP_NONE) {
        add(at, (gf_access){.kind = GF_ACCESS_READ, .array = stmt->target.symbol, .index = stmt->index});
    }
    walk_expr(at, stmt->value, true);
    at->in_head = false;
    if (stmt->kind == GF_STMT_STORE) {
        add(at, (gf_access){.kind = GF_ACCESS_WRITE, .array = stmt->target.symbol, .index = stmt->index});
    } else if (stmt->kind == GF_STMT_SWAP) {
        add_copy(at, stmt->target.symbol, true, true);
        add_copy(at, stmt->second.symbol, true, true);
    } else if (stmt->kind == GF_STMT_COPY_ASYNC) {
        add_copy(at, stmt->second.symbol, true, false);
        add_copy(at, stmt->target.symbol, false, true);
    } else if (stmt->kind == GF_STMT_COLLECTIVE) {
        walk_collective(at, stmt);
    }
}

static void walk_stmt(walk *at, const gf_stmt *stmt) {
    const gf_stmt *outer = at->stmt;
    at->stmt = stmt;
    walk_own(at, stmt);
    bool conditional = stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE ||
                       stmt->kind == GF_STMT_LOOP || stmt->kind == GF_STMT_FORALL;
    at->conditions += conditional;
    walk_block(at, stmt->body);
    walk_block(at, stmt->otherwise);
    at->conditions -= conditional;
    if (stmt->kind == GF_STMT_RETURN || stmt->kind == GF_STMT_TRAP || stmt->kind == GF_STMT_ASSERT) {
        at->left = true;
    }
    at->stmt = outer;
}

static void walk_block(walk *at, const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        walk_stmt(at, block->items[i]);
    }
}

void gf_effects_stmt(gf_arena *arena, const gf_stmt *stmt, gf_access_list *out) {
    walk at = {.arena = arena, .out = out};
    walk_stmt(&at, stmt);
}

void gf_effects_block(gf_arena *arena, const gf_block *block, gf_access_list *out) {
    walk at = {.arena = arena, .out = out};
    walk_block(&at, block);
}

void gf_effects_expr(gf_arena *arena, const gf_expr *expr, const gf_stmt *stmt, gf_access_list *out) {
    walk at = {.arena = arena, .out = out, .stmt = stmt};
    bool result_used = stmt == NULL || stmt->kind != GF_STMT_EXPR || stmt->value != expr;
    walk_expr(&at, expr, result_used);
}

bool gf_access_writes(const gf_access *access) {
    switch (access->kind) {
    case GF_ACCESS_READ:
    case GF_ACCESS_COPY_READ:
        return false;
    case GF_ACCESS_WRITE:
    case GF_ACCESS_COPY_WRITE:
        return true;
    case GF_ACCESS_ATOMIC:
        return access->atomic != GF_ATOMIC_LOAD;
    }
    return true;
}

static bool note_trap(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_TRAP || stmt->kind == GF_STMT_ASSERT;
    return !*found;
}

static bool note_return(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_RETURN;
    return !*found;
}

bool gf_holds_trap(const gf_stmt *stmt) {
    bool found = false;
    gf_visit_stmt(&(gf_visitor){.user = &found, .stmt = note_trap, .into_calls = true}, stmt);
    return found;
}

bool gf_block_holds_trap(const gf_block *block) {
    bool found = false;
    gf_visit_block(&(gf_visitor){.user = &found, .stmt = note_trap, .into_calls = true}, block);
    return found;
}

bool gf_holds_return(const gf_stmt *stmt) {
    bool found = false;
    gf_visit_stmt(&(gf_visitor){.user = &found, .stmt = note_return}, stmt);
    return found;
}
