/* Which results may go past the caches, see stream.c: elements side by side, one by each lane of a row or each turn of
 * an innermost loop, that nothing else looks at. A row must have no loops, returns and conditions around the store, and
 * of a loop all loops around it must go on to other elements: what is stored again and again belongs into a cache. */
#include "emit/llvm/emitter.h"
#include "ir/effects.h"
#include "ir/visit.h"

#define LINE 64
#define MOST_LOOPS 8 /* around a loop */
#define BUDGET 64    /* nodes looked at for one question */

static bool look_for_exit(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_RETURN || stmt->kind == GF_STMT_BREAK || stmt->kind == GF_STMT_CONTINUE;
    return !*found;
}

static bool look_for_trap(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_ASSERT || stmt->kind == GF_STMT_TRAP;
    return !*found;
}

/* No lane or turn leaves early: not by itself, nor by a trap in a function. */
static bool is_quiet(const gf_block *body) {
    bool found = gf_holds_loop(body);
    gf_visitor exits = {.user = &found, .stmt = look_for_exit};
    gf_visitor traps = {.user = &found, .stmt = look_for_trap, .into_calls = true};
    gf_visit_block(&exits, body);
    gf_visit_block(&traps, body);
    return !found;
}

/* The statement stands where every lane comes by. */
static bool is_unconditional(const gf_block *body, const void *node) {
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        if (stmt == node ||
            ((stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK) && is_unconditional(stmt->body, node))) {
            return true;
        }
    }
    return false;
}

static bool may_stream(gf_emit *e, const gf_affine_loop *loop, const gf_proven *proven, const gf_access_list *all) {
    const gf_array *array = gf_name(e, proven->array)->array;
    size_t bytes = gf_type_bytes(proven->array->type), accesses = 0;
    if (array == NULL || array->is_private || array->is_tracked || proven->coefficient != 1 ||
        proven->inner_count > 0 || proven->call != 0 || (bytes != 4 && bytes != 8) ||
        !is_unconditional(loop->body, proven->node)) {
        return false;
    }
    for (size_t i = 0; i < all->count; i++) {
        accesses += all->items[i].array == proven->array;
    }
    return accesses == 1;
}

static void add_stream(gf_emit *e, gf_proven *proven, gf_streams *streams) {
    uint64_t per_line = LINE / gf_type_bytes(proven->array->type);
    if (streams->count == GF_MOST_STREAMS || (streams->count > 0 && per_line != streams->per_line)) {
        return;
    }
    LLVMTypeRef type = LLVMArrayType2(gf_ll_stored(&e->ll, proven->array->type), per_line);
    LLVMValueRef line = gf_alloca(e, type, "line");
    LLVMSetAlignment(line, LINE);
    streams->per_line = per_line;
    streams->items[streams->count] = proven;
    streams->lines[streams->count++] = line;
}

void gf_stream_find(gf_emit *e, const gf_affine_loop *loop, gf_streams *streams) {
    streams->count = 0;
    if (e->options.checked || e->in_group || !is_quiet(loop->body)) {
        return;
    }
    gf_access_list all = {0};
    gf_effects_block(e->arena, loop->body, &all);
    for (size_t i = loop->first; i < loop->end; i++) {
        if (may_stream(e, loop, &e->proven.items[i], &all)) {
            add_stream(e, &e->proven.items[i], streams);
        }
    }
}

/* ---- loops of an invocation ---- */

/* The loops around a statement, from the outermost on. */
typedef struct path {
    const gf_emit *e;
    const gf_stmt *loops[MOST_LOOPS];
    unsigned count, budget;
} path;

static bool find_path(path *p, const gf_block *block, const gf_stmt *stmt) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *at = block->items[i];
        bool is_loop = at->kind == GF_STMT_FOR || at->kind == GF_STMT_WHILE || at->kind == GF_STMT_LOOP;
        if (at == stmt) {
            return true;
        }
        if (is_loop && p->count == MOST_LOOPS) {
            continue;
        }
        if (is_loop) {
            p->loops[p->count++] = at;
        }
        if (find_path(p, at->body, stmt) || find_path(p, at->otherwise, stmt)) {
            return true;
        }
        p->count -= is_loop;
    }
    return false;
}

typedef struct change {
    const gf_symbol *symbol;
    bool found;
} change;

static bool look_for_change(void *user, const gf_stmt *stmt) {
    change *c = user;
    c->found =
        c->found || ((stmt->kind == GF_STMT_ASSIGN || stmt->kind == GF_STMT_VAR) && stmt->target.symbol == c->symbol);
    return !c->found;
}

static bool changes_in(path *p, const gf_expr *expr, unsigned loop);

static bool name_changes_in(path *p, const gf_symbol *symbol, unsigned loop) {
    for (unsigned i = 0; i < p->count; i++) {
        if (p->loops[i]->target.symbol == symbol) {
            return i == loop || (i > loop && changes_in(p, p->loops[i]->from, loop));
        }
    }
    const gf_expr *definition = p->e->names[symbol->id].definition;
    if (symbol->kind == GF_SYMBOL_LET && definition != NULL) {
        return changes_in(p, definition, loop);
    }
    change c = {.symbol = symbol};
    gf_visitor visitor = {.user = &c, .stmt = look_for_change};
    gf_visit_block(&visitor, p->loops[loop]->body);
    return c.found;
}

/* Whether it looks as if the expression were another one in each turn of the loop. */
static bool changes_in(path *p, const gf_expr *expr, unsigned loop) {
    if (p->budget == 0) {
        return false;
    }
    p->budget--;
    if (expr->kind == GF_EXPR_NAME) {
        return name_changes_in(p, expr->ref.symbol, loop);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (changes_in(p, expr->args[i], loop)) {
            return true;
        }
    }
    return false;
}

/* Elements that a loop further out stores again and again should stay in a cache. */
static bool goes_on(const gf_emit *e, const gf_stmt *loop, const gf_expr *index) {
    path p = {.e = e};
    if (!find_path(&p, e->tree->kernel.body, loop)) {
        return false;
    }
    for (unsigned i = 0; i < p.count; i++) {
        p.budget = BUDGET;
        if (!changes_in(&p, index, i) && !changes_in(&p, loop->from, i)) {
            return false;
        }
    }
    return true;
}

void gf_stream_find_in_loop(gf_emit *e, const gf_affine_loop *loop, const gf_stmt *stmt, gf_streams *streams) {
    streams->count = 0;
    if (e->options.checked || e->in_group || e->call != 0 || !is_quiet(loop->body)) {
        return;
    }
    gf_access_list all = {0};
    gf_effects_block(e->arena, e->tree->kernel.body, &all);
    for (size_t i = loop->first; i < loop->end; i++) {
        gf_proven *proven = &e->proven.items[i];
        const gf_stmt *store = proven->node; /* if it may be streamed */
        if (may_stream(e, loop, proven, &all) && goes_on(e, stmt, store->index)) {
            add_stream(e, proven, streams);
        }
    }
}
