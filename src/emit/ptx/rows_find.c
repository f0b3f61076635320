/* Which rows may be shared. See rows.h. */
#include "emit/ptx/grid.h"
#include "emit/ptx/rows.h"
#include "emit/ptx/stages.h"
#include "ir/effects.h"
#include "ir/visit.h"
#include <string.h>

/* ---- which rows ---- */

typedef struct search {
    gf_ptx_emit *e;
    gf_ptx_rows *rows;
    const gf_stmt *loop;
    bool *inside; /* by symbol id: declared in the body */
    bool fits;
} search;

static bool is_local(const gf_symbol *symbol) {
    return symbol->kind == GF_SYMBOL_LET || symbol->kind == GF_SYMBOL_VAR || symbol->kind == GF_SYMBOL_LOOP ||
           symbol->kind == GF_SYMBOL_ARGUMENT;
}

/* What turns may not do, and what they declare. */
static bool look_at_stmt(void *user, const gf_stmt *stmt) {
    search *s = user;
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
        s->inside[stmt->target.symbol->id] = true;
        s->fits &= !stmt->target.symbol->is_array;
        break;
    case GF_STMT_FOR:
        s->inside[stmt->target.symbol->id] = true;
        break;
    case GF_STMT_ASSIGN:
    case GF_STMT_EXPR:
    case GF_STMT_IF:
    case GF_STMT_BLOCK:
    case GF_STMT_REGION:
        break;
    case GF_STMT_WHILE: /* may never end, and is polled for the thread */
    case GF_STMT_LOOP:
    case GF_STMT_STORE:
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_FORALL:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COLLECTIVE:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        s->fits = false;
        break;
    }
    return s->fits;
}

static bool look_at_expr(void *user, const gf_expr *expr) {
    search *s = user;
    gf_ptx_rows *rows = s->rows;
    s->fits &= expr->kind != GF_EXPR_BUILTIN && expr->kind != GF_EXPR_CALL && expr->kind != GF_EXPR_CROSS;
    const gf_symbol *symbol = expr->ref.symbol;
    if (symbol == NULL || !is_local(symbol) || s->inside[symbol->id]) {
        return s->fits;
    }
    s->fits &= !symbol->is_array;
    for (size_t i = 0; i < rows->captured_count; i++) {
        if (rows->captured[i].symbol == symbol) {
            return s->fits;
        }
    }
    s->fits &= rows->captured_count < GF_PTX_MOST_CAPTURED;
    if (s->fits) {
        rows->captured[rows->captured_count++].symbol = symbol;
    }
    return s->fits;
}

static bool is_atomic(const gf_expr *expr, gf_atomic a, gf_atomic b) {
    return expr->kind == GF_EXPR_ATOMIC && (expr->atomic == a || expr->atomic == b);
}

/* if atomic_load(A[i]) > y { atomic_min(A[i], y); }, and < with max: a look that saves work and decides nothing. */
static bool is_guarded(const gf_stmt *stmt) {
    const gf_expr *test = stmt->value;
    if (stmt->kind != GF_STMT_IF || stmt->otherwise != NULL || stmt->body->count != 1 || test->kind != GF_EXPR_OP ||
        stmt->body->items[0]->kind != GF_STMT_EXPR) {
        return false;
    }
    const gf_expr *change = stmt->body->items[0]->value;
    bool more = test->op == GF_OP_GT || test->op == GF_OP_GE, less = test->op == GF_OP_LT || test->op == GF_OP_LE;
    if ((!more && !less) || !is_atomic(change, GF_ATOMIC_MIN, GF_ATOMIC_MAX)) {
        return false;
    }
    bool turned = !is_atomic(test->args[0], GF_ATOMIC_LOAD, GF_ATOMIC_LOAD);
    const gf_expr *look = test->args[turned ? 1 : 0], *value = test->args[turned ? 0 : 1];
    bool lowers = turned ? less : more;
    return is_atomic(look, GF_ATOMIC_LOAD, GF_ATOMIC_LOAD) && lowers == (change->atomic == GF_ATOMIC_MIN) &&
           look->ref.symbol == change->ref.symbol && gf_equal_expr(look->args[0], change->args[0]) &&
           gf_equal_expr(value, change->args[1]);
}

typedef struct guard_search {
    const gf_expr *look;
    bool found;
} guard_search;

static bool look_for_guard(void *user, const gf_stmt *stmt) {
    guard_search *g = user;
    if (is_guarded(stmt)) {
        g->found |= stmt->value->args[0] == g->look || stmt->value->args[1] == g->look;
    }
    return !g->found;
}

static bool is_only_a_look(const gf_block *body, const gf_expr *look) {
    guard_search g = {.look = look};
    gf_visitor visitor = {.user = &g, .stmt = look_for_guard};
    gf_visit_block(&visitor, body);
    return g.found;
}

static bool is_order_free(gf_atomic atomic) {
    return atomic == GF_ATOMIC_ADD || atomic == GF_ATOMIC_SUB || atomic == GF_ATOMIC_MIN || atomic == GF_ATOMIC_MAX ||
           atomic == GF_ATOMIC_AND || atomic == GF_ATOMIC_OR || atomic == GF_ATOMIC_XOR;
}

/* Changes are atomics that do not care for order, one operation for each array, which is not looked at otherwise. */
static bool has_free_effects(gf_arena *arena, const gf_block *body) {
    gf_access_list list = {0};
    gf_effects_block(arena, body, &list);
    for (size_t i = 0; i < list.count; i++) {
        const gf_access *a = &list.items[i];
        if (!gf_access_writes(a)) {
            continue;
        }
        if (a->kind != GF_ACCESS_ATOMIC || !is_order_free(a->atomic) || a->result_used ||
            gf_type_is_float(a->array->type)) {
            return false;
        }
        for (size_t k = 0; k < list.count; k++) {
            const gf_access *b = &list.items[k];
            bool other = b->array == a->array && !(b->kind == GF_ACCESS_ATOMIC && b->atomic == a->atomic);
            bool look = b->kind == GF_ACCESS_ATOMIC && b->atomic == GF_ATOMIC_LOAD;
            if (other && !(look && is_only_a_look(body, b->expr))) {
                return false;
            }
        }
    }
    return true;
}

static bool changes_memory(gf_arena *arena, const gf_block *body) {
    gf_access_list list = {0};
    gf_effects_block(arena, body, &list);
    for (size_t i = 0; i < list.count; i++) {
        if (gf_access_writes(&list.items[i])) {
            return true;
        }
    }
    return false;
}

/* ---- sums ---- */

static bool look_for_sum(void *user, const gf_stmt *stmt) {
    search *s = user;
    if (stmt->kind != GF_STMT_ASSIGN || s->inside[stmt->target.symbol->id]) {
        return s->fits;
    }
    gf_ptx_rows *rows = s->rows;
    const gf_symbol *symbol = stmt->target.symbol;
    bool is_float = gf_type_is_float(symbol->type), is_bool = symbol->type == GF_TYPE_BOOL;
    bool adds = stmt->op == GF_OP_ADD || (is_float && stmt->op == GF_OP_SUB);
    bool bits = !is_float && (stmt->op == GF_OP_OR || stmt->op == GF_OP_AND || stmt->op == GF_OP_XOR);
    s->fits &= (adds && !is_bool) || (bits && !is_bool);
    for (size_t i = 0; i < rows->sum_count; i++) {
        s->fits &= rows->sums[i] != symbol; /* one place for each */
    }
    s->fits &= rows->sum_count < GF_PTX_MOST_SUMS;
    if (s->fits) {
        rows->sum_ops[rows->sum_count] = stmt->op;
        rows->sums[rows->sum_count++] = symbol;
    }
    return s->fits;
}

/* Names of sums are no captured ones, and turns do not look at them. */
static bool part_sums(search *s) {
    gf_ptx_rows *rows = s->rows;
    bool any_float = false, all_float = true;
    for (size_t i = 0; i < rows->sum_count; i++) {
        bool is_float = gf_type_is_float(rows->sums[i]->type);
        any_float |= is_float;
        all_float &= is_float;
        for (size_t k = 0; k < rows->captured_count; k++) {
            if (rows->captured[k].symbol == rows->sums[i]) {
                return false;
            }
        }
    }
    rows->in_order = any_float;
    if (!any_float) {
        return true;
    }
    /* In order: lets, and sums in plain sight, in that order. */
    const gf_block *body = s->loop->body;
    bool summing = false;
    for (size_t i = 0; i < body->count; i++) {
        bool is_sum = body->items[i]->kind == GF_STMT_ASSIGN;
        if ((body->items[i]->kind != GF_STMT_LET && !is_sum) || (summing && !is_sum)) {
            return false;
        }
        summing |= is_sum;
    }
    return all_float && !changes_memory(s->e->arena, body);
}

static bool bounds_load(const gf_stmt *loop) {
    return gf_ptx_reads_memory(loop->from) || gf_ptx_reads_memory(loop->to);
}

static bool fits(gf_ptx_emit *e, const gf_stmt *loop, gf_ptx_rows *rows) {
    memset(rows, 0, sizeof *rows);
    if (loop->step != NULL || !bounds_load(loop)) {
        return false;
    }
    rows->stmt = loop;
    search s = {.e = e, .rows = rows, .loop = loop, .fits = true};
    s.inside = gf_new_array(e->arena, bool, e->tree->symbol_count);
    s.inside[loop->target.symbol->id] = true;
    gf_visitor statements = {.user = &s, .stmt = look_at_stmt};
    gf_visit_block(&statements, loop->body);
    if (!s.fits) {
        return false;
    }
    gf_visitor sums = {.user = &s, .stmt = look_for_sum};
    gf_visit_block(&sums, loop->body);
    gf_visitor names = {.user = &s, .expr = look_at_expr};
    if (s.fits) {
        gf_visit_block(&names, loop->body);
    }
    return s.fits && part_sums(&s) && has_free_effects(e->arena, loop->body);
}

/* Those that are in no other loop: each thread comes to them once at most. */
static void find_in(gf_ptx_emit *e, const gf_block *block, gf_ptx_row_list *list) {
    for (size_t i = 0; block != NULL && i < block->count && list->count < GF_PTX_MOST_ROWS; i++) {
        const gf_stmt *stmt = block->items[i];
        if (stmt->kind == GF_STMT_FOR && fits(e, stmt, &list->items[list->count])) {
            list->count++;
        }
        if (stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_BLOCK || stmt->kind == GF_STMT_REGION) {
            find_in(e, stmt->body, list);
            find_in(e, stmt->otherwise, list);
        }
    }
}

bool gf_ptx_find_rows(gf_ptx_emit *e, const gf_block *body, gf_ptx_row_list *list) {
    list->count = 0;
    if (!e->options.checked) {
        find_in(e, body, list);
    }
    return list->count > 0;
}

/* ---- rows that may wait ---- */

typedef struct asking {
    const gf_tree *tree;
    gf_arena *arena;
    bool may;
} asking;

static void ask(void *context) {
    asking *a = context;
    gf_ptx_emit e = {.arena = a->arena, .tree = a->tree};
    gf_ptx_row_list list;
    bool found = gf_ptx_find_rows(&e, a->tree->kernel.body, &list);
    for (size_t i = 0; found && i < list.count; i++) {
        a->may |= gf_ptx_row_may_wait(&e, &list.items[i]);
    }
}

bool gf_ptx_may_leave_rows(const gf_segment *segment) {
    asking a = {.tree = segment->tree};
    if (gf_ptx_needs_groups(segment->tree) || !(segment->is_forall || gf_ptx_has_one_axis(segment->tree))) {
        return false;
    }
    a.arena = gf_arena_create();
    bool done = a.arena != NULL && gf_arena_protect(a.arena, ask, &a);
    gf_arena_destroy(a.arena);
    return done && a.may;
}

/* Nothing behind the row, in the same invocation, looks at what it changes. */
bool gf_ptx_is_last_to_look(gf_arena *arena, const gf_block *body, const gf_stmt *loop) {
    gf_access_list all = {0}, own = {0};
    gf_effects_block(arena, body, &all);
    gf_effects_stmt(arena, loop, &own);
    size_t at = 0;
    while (at < all.count && own.count > 0 &&
           (all.items[at].expr != own.items[0].expr || all.items[at].stmt != own.items[0].stmt)) {
        at++;
    }
    for (size_t i = at + own.count; i < all.count; i++) {
        for (size_t k = 0; k < own.count; k++) {
            if (gf_access_writes(&own.items[k]) && own.items[k].array == all.items[i].array) {
                return false;
            }
        }
    }
    return own.count > 0 && at + own.count <= all.count;
}
