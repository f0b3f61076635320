/* Trees to trees: what did not change is shared with the old one. */
#include "ir/visit.h"

static const gf_symbol *new_symbol(const gf_rewriter *rewriter, const gf_symbol *symbol) {
    return symbol == NULL || rewriter->symbol == NULL ? symbol : rewriter->symbol(rewriter->user, symbol);
}

/* The name follows the symbol, so that what is printed is what is meant. True if the ref changed. */
static bool rewrite_ref(const gf_rewriter *rewriter, gf_ref *ref) {
    const gf_symbol *symbol = new_symbol(rewriter, ref->symbol);
    if (symbol == ref->symbol) {
        return false;
    }
    ref->symbol = symbol;
    if (symbol != NULL) {
        ref->name = symbol->name;
    }
    return true;
}

const gf_expr *gf_rewrite_expr(const gf_rewriter *rewriter, const gf_expr *expr) {
    if (expr == NULL) {
        return NULL;
    }
    gf_expr copy = *expr;
    bool changed = rewrite_ref(rewriter, &copy.ref);
    const gf_expr **args = NULL;
    for (size_t i = 0; i < expr->arg_count; i++) {
        const gf_expr *arg = gf_rewrite_expr(rewriter, expr->args[i]);
        if (arg != expr->args[i] && args == NULL) {
            args = gf_arena_copy(rewriter->arena, expr->args, expr->arg_count * sizeof *args);
        }
        if (args != NULL) {
            args[i] = arg;
        }
    }
    if (args != NULL) {
        copy.args = args;
        changed = true;
    }
    const gf_expr *result = changed ? gf_arena_copy(rewriter->arena, &copy, sizeof copy) : expr;
    return rewriter->expr != NULL ? rewriter->expr(rewriter->user, result) : result;
}

static bool rewrite_field(const gf_rewriter *rewriter, const gf_expr **field) {
    const gf_expr *old = *field;
    *field = gf_rewrite_expr(rewriter, old);
    return *field != old;
}

static bool rewrite_reduces(const gf_rewriter *rewriter, gf_stmt *stmt) {
    gf_reduce *reduces = NULL;
    for (size_t i = 0; i < stmt->reduce_count; i++) {
        gf_reduce reduce = stmt->reduces[i];
        bool changed = rewrite_ref(rewriter, &reduce.outer);
        const gf_symbol *inner = new_symbol(rewriter, reduce.inner);
        changed = changed || inner != reduce.inner;
        reduce.inner = inner;
        if (changed && reduces == NULL) {
            reduces = gf_arena_copy(rewriter->arena, stmt->reduces, stmt->reduce_count * sizeof *reduces);
        }
        if (reduces != NULL) {
            reduces[i] = reduce;
        }
    }
    if (reduces == NULL) {
        return false;
    }
    stmt->reduces = reduces;
    return true;
}

static bool rewrite_block_field(const gf_rewriter *rewriter, const gf_block **field) {
    const gf_block *old = *field;
    *field = gf_rewrite_block(rewriter, old);
    return *field != old;
}

const gf_stmt *gf_rewrite_stmt(const gf_rewriter *rewriter, const gf_stmt *stmt) {
    gf_stmt copy = *stmt;
    bool changed = rewrite_ref(rewriter, &copy.target);
    changed |= rewrite_field(rewriter, &copy.index);
    changed |= rewrite_ref(rewriter, &copy.second);
    changed |= rewrite_field(rewriter, &copy.from);
    changed |= rewrite_field(rewriter, &copy.to);
    changed |= rewrite_field(rewriter, &copy.step);
    changed |= rewrite_field(rewriter, &copy.value);
    changed |= rewrite_reduces(rewriter, &copy);
    changed |= rewrite_block_field(rewriter, &copy.body);
    changed |= rewrite_block_field(rewriter, &copy.otherwise);
    return changed ? gf_arena_copy(rewriter->arena, &copy, sizeof copy) : stmt;
}

const gf_block *gf_rewrite_block(const gf_rewriter *rewriter, const gf_block *block) {
    if (block == NULL) {
        return NULL;
    }
    const gf_stmt **items = NULL;
    for (size_t i = 0; i < block->count; i++) {
        const gf_stmt *item = gf_rewrite_stmt(rewriter, block->items[i]);
        if (item != block->items[i] && items == NULL) {
            items = gf_arena_copy(rewriter->arena, block->items, block->count * sizeof *items);
        }
        if (items != NULL) {
            items[i] = item;
        }
    }
    if (items == NULL) {
        return block;
    }
    gf_block *copy = gf_arena_copy(rewriter->arena, block, sizeof *block);
    copy->items = items;
    return copy;
}
