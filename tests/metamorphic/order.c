/* Statements beside each other that have nothing to do with each other change places. */
#include "ir/effects.h"
#include "ir/visit.h"
#include "metamorphic/change.h"

typedef struct use {
    const gf_symbol *symbol;
    bool written;
} use;

typedef struct uses {
    change *c;
    struct {
        use *items;
        size_t count, capacity;
    } list; /* of locals */
    gf_access_list accesses;
    bool is_fixed; /* stays where it is */
} uses;

static void add_use(uses *of, const gf_symbol *symbol, bool written) {
    if (symbol != NULL) {
        gf_push(of->c->arena, &of->list, ((use){symbol, written}));
    }
}

static bool note_stmt(void *user, const gf_stmt *stmt) {
    uses *of = user;
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        add_use(of, stmt->target.symbol, true);
        break;
    case GF_STMT_STORE:
        if (stmt->target.symbol->kind == GF_SYMBOL_VAR) {
            add_use(of, stmt->target.symbol, true);
        }
        break;
    case GF_STMT_FOR:
        add_use(of, stmt->target.symbol, true);
        of->is_fixed = of->is_fixed || stmt->level != GF_LEVEL_NONE;
        break;
    case GF_STMT_IF:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        of->is_fixed = of->is_fixed || stmt->level != GF_LEVEL_NONE;
        break;
    case GF_STMT_EXPR:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        break;
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
        of->is_fixed = true;
        break;
    }
    return true;
}

static bool note_expr(void *user, const gf_expr *expr) {
    uses *of = user;
    of->is_fixed = of->is_fixed || expr->kind == GF_EXPR_CROSS || expr->kind == GF_EXPR_CALL;
    if (expr->kind == GF_EXPR_NAME || expr->kind == GF_EXPR_LOAD) {
        add_use(of, expr->ref.symbol, false);
    }
    return true;
}

static uses uses_of(change *c, const gf_stmt *stmt) {
    uses of = {.c = c};
    const gf_visitor visitor = {.user = &of, .stmt = note_stmt, .expr = note_expr};
    gf_visit_stmt(&visitor, stmt);
    gf_effects_stmt(c->arena, stmt, &of.accesses);
    return of;
}

static bool are_independent(const uses *a, const uses *b) {
    if (a->is_fixed || b->is_fixed) {
        return false;
    }
    for (size_t i = 0; i < a->list.count; i++) {
        for (size_t k = 0; k < b->list.count; k++) {
            const use *one = &a->list.items[i], *other = &b->list.items[k];
            if (one->symbol == other->symbol && (one->written || other->written)) {
                return false;
            }
        }
    }
    for (size_t i = 0; i < a->accesses.count; i++) {
        for (size_t k = 0; k < b->accesses.count; k++) {
            const gf_access *one = &a->accesses.items[i], *other = &b->accesses.items[k];
            if (one->array == other->array && (gf_access_writes(one) || gf_access_writes(other))) {
                return false;
            }
        }
    }
    return true;
}

static void permute_block(change *c, const gf_block *block, gf_level level, statements *out) {
    (void)level;
    uses *of = gf_new_array(c->arena, uses, block->count + 1);
    for (size_t i = 0; i < block->count; i++) {
        put(c, out, block->items[i]);
        of[i] = uses_of(c, block->items[i]);
    }
    for (size_t turn = 0; turn < 3; turn++) {
        for (size_t i = 0; i + 1 < out->count; i++) {
            if (one_in(c, 3) || !are_independent(&of[i], &of[i + 1])) {
                continue;
            }
            const gf_stmt *stmt = out->items[i];
            uses moved = of[i];
            out->items[i] = out->items[i + 1];
            of[i] = of[i + 1];
            out->items[i + 1] = stmt;
            of[i + 1] = moved;
            c->made++;
        }
    }
}

void permute(change *c) {
    change_blocks(c, permute_block);
}
