/* Values get names, lose them, or are kept in variables. */
#include "ir/make.h"
#include "ir/visit.h"
#include "metamorphic/change.h"

enum { MOST_NODES = 40 };

typedef struct puller {
    change *c;
    statements *out;
    bool loads; /* may be made earlier */
} puller;

static bool note_effect(void *user, const gf_expr *expr) {
    bool *found = user;
    *found = *found || expr->kind == GF_EXPR_ATOMIC || expr->kind == GF_EXPR_CALL || expr->kind == GF_EXPR_CROSS;
    return true;
}

static bool note_load(void *user, const gf_expr *expr) {
    bool *found = user;
    *found = *found || expr->kind == GF_EXPR_LOAD;
    return true;
}

static bool holds(const gf_expr *expr, bool (*note)(void *user, const gf_expr *expr)) {
    bool found = false;
    const gf_visitor visitor = {.user = &found, .expr = note};
    gf_visit_expr(&visitor, expr);
    return found;
}

static const gf_expr *name_it(puller *at, const gf_expr *value) {
    change *c = at->c;
    const gf_symbol *symbol = gf_make_symbol(c->arena, GF_SYMBOL_LET, new_name(c), value->type, 0);
    put(c, at->out, gf_make_let(c->arena, symbol, value));
    c->made++;
    return gf_make_name(c->arena, symbol);
}

/* The expression with some of its parts named before the statement. */
static const gf_expr *pull(puller *at, const gf_expr *expr, bool itself) {
    if (expr == NULL || expr->kind == GF_EXPR_LITERAL || expr->kind == GF_EXPR_NAME) {
        return expr;
    }
    gf_expr *copy = gf_arena_copy(at->c->arena, expr, sizeof *expr);
    const gf_expr **args = gf_new_array(at->c->arena, const gf_expr *, expr->arg_count + 1);
    bool one_load = expr->kind == GF_EXPR_CROSS && expr->cross == GF_CROSS_LOAD;
    for (size_t i = 0; i < expr->arg_count; i++) {
        bool may_not_come = i > 0 && (expr->kind == GF_EXPR_AND || expr->kind == GF_EXPR_OR);
        args[i] = may_not_come ? expr->args[i] : pull(at, expr->args[i], !one_load);
    }
    copy->args = args;
    bool is_value = expr->kind == GF_EXPR_OP || expr->kind == GF_EXPR_CAST || expr->kind == GF_EXPR_BUILTIN ||
                    expr->kind == GF_EXPR_LEN || expr->kind == GF_EXPR_LOAD;
    bool fits = itself && is_value && !holds(copy, note_effect) && (at->loads || !holds(copy, note_load));
    return fits && one_in(at->c, 3) ? name_it(at, copy) : copy;
}

static void pull_from(change *c, const gf_block *block, gf_level level, statements *out) {
    (void)level;
    for (size_t i = 0; i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        bool has_effect = false;
        const gf_visitor visitor = {.user = &has_effect, .expr = note_effect};
        gf_visit_own_exprs(&visitor, stmt);
        bool in_head = stmt->level != GF_LEVEL_NONE && (stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_FOR);
        puller at = {.c = c, .out = out, .loads = !has_effect && !in_head && stmt->kind != GF_STMT_FORALL};
        if (stmt->kind != GF_STMT_WHILE) {
            gf_stmt *own = own_stmt(stmt);
            own->index = pull(&at, stmt->index, true);
            own->from = pull(&at, stmt->from, true);
            own->to = pull(&at, stmt->to, true);
            own->step = pull(&at, stmt->step, true);
            own->value = pull(&at, stmt->value, true);
        }
        put(c, out, stmt);
    }
}

void split_expressions(change *c) {
    change_blocks(c, pull_from);
}

/* ---- the other way ---- */

static size_t size_of(const gf_expr *expr) {
    size_t size = 1;
    for (size_t i = 0; i < expr->arg_count; i++) {
        size += size_of(expr->args[i]);
    }
    return size;
}

/* The same wherever the name is seen. */
static bool is_lasting(const gf_expr *expr) {
    bool fine = expr->kind == GF_EXPR_LITERAL || expr->kind == GF_EXPR_BUILTIN || expr->kind == GF_EXPR_LEN ||
                expr->kind == GF_EXPR_OP || expr->kind == GF_EXPR_AND || expr->kind == GF_EXPR_OR ||
                expr->kind == GF_EXPR_CAST || expr->kind == GF_EXPR_BITCAST ||
                (expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind != GF_SYMBOL_VAR);
    for (size_t i = 0; i < expr->arg_count && fine; i++) {
        fine = is_lasting(expr->args[i]);
    }
    return fine;
}

typedef struct substitution {
    const gf_symbol *name;
    const gf_expr *value;
} substitution;

static const gf_expr *substitute(void *user, const gf_expr *expr) {
    const substitution *at = user;
    return expr->kind == GF_EXPR_NAME && expr->ref.symbol == at->name ? at->value : expr;
}

static void inline_from(change *c, const gf_block *block, gf_level level, statements *out) {
    (void)level;
    const gf_block *rest = block;
    while (rest->count > 0) {
        const gf_stmt *stmt = rest->items[0];
        rest = gf_make_block(c->arena, rest->items + 1, rest->count - 1);
        if (stmt->kind != GF_STMT_LET || !is_lasting(stmt->value) || size_of(stmt->value) > MOST_NODES ||
            one_in(c, 4)) {
            put(c, out, stmt);
            continue;
        }
        substitution with = {stmt->target.symbol, stmt->value};
        const gf_rewriter rewriter = {.arena = c->arena, .user = &with, .expr = substitute};
        rest = gf_rewrite_block(&rewriter, rest);
        c->made++;
    }
}

void inline_lets(change *c) {
    change_blocks(c, inline_from);
}

static void lets_of(change *c, const gf_block *block, gf_level level, statements *out) {
    (void)level;
    for (size_t i = 0; i < block->count; i++) {
        gf_stmt *stmt = own_stmt(block->items[i]);
        if (stmt->kind == GF_STMT_LET && !one_in(c, 3)) {
            stmt->kind = GF_STMT_VAR;
            ((gf_symbol *)(uintptr_t)stmt->target.symbol)->kind = GF_SYMBOL_VAR;
            c->made++;
        }
        put(c, out, stmt);
    }
}

void lets_to_vars(change *c) {
    change_blocks(c, lets_of);
}
