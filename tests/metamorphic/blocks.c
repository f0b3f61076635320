/* What stands around statements: regions, barriers, conditions, loops. */
#include "ir/effects.h"
#include "ir/make.h"
#include "ir/visit.h"
#include "metamorphic/change.h"

enum { MOST_TURNS = 6 };

static bool defines(const gf_stmt *stmt) {
    return stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR;
}

static const gf_block *block_of(change *c, const gf_stmt *const *items, size_t count) {
    return gf_make_block(c->arena, items, count);
}

static void wrap_some(change *c, const gf_block *block, gf_level level, statements *out) {
    (void)level;
    for (size_t i = 0; i < block->count; i++) {
        size_t many = 0;
        while (i + many < block->count && !defines(block->items[i + many]) && many < 3) {
            many++;
        }
        if (many == 0 || one_in(c, 2)) {
            put(c, out, block->items[i]);
            continue;
        }
        many = one_in(c, 2) ? 1 : many;
        const gf_block *body = block_of(c, block->items + i, many);
        if (one_in(c, 2)) {
            put(c, out, gf_make_region(c->arena, "made", body));
        } else {
            gf_stmt *plain = copy_stmt(c, gf_make_region(c->arena, "made", body));
            plain->kind = GF_STMT_BLOCK;
            plain->text = NULL;
            put(c, out, plain);
        }
        i += many - 1;
        c->made++;
    }
}

void wrap_in_regions(change *c) {
    change_blocks(c, wrap_some);
}

/* A region loses its edges, or becomes two. */
static void take_apart(change *c, const gf_block *block, gf_level level, statements *out) {
    (void)level;
    for (size_t i = 0; i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        size_t half = stmt->body == NULL ? 0 : stmt->body->count / 2;
        bool is_region = stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK;
        for (size_t k = 0; is_region && k < half; k++) {
            half = defines(stmt->body->items[k]) ? 0 : half;
        }
        if (!is_region) {
            put(c, out, stmt);
            continue;
        }
        c->made++;
        if (half == 0) {
            for (size_t k = 0; k < stmt->body->count; k++) {
                put(c, out, stmt->body->items[k]);
            }
            continue;
        }
        gf_stmt *first = copy_stmt(c, stmt), *second = copy_stmt(c, stmt);
        first->body = block_of(c, stmt->body->items, half);
        second->body = block_of(c, stmt->body->items + half, stmt->body->count - half);
        put(c, out, first);
        put(c, out, second);
    }
}

void take_regions_apart(change *c) {
    change_blocks(c, take_apart);
}

static void insert_some(change *c, const gf_block *block, gf_level level, statements *out) {
    for (size_t i = 0; i < block->count; i++) {
        if (level == GF_LEVEL_GRID && one_in(c, 2)) {
            put(c, out, gf_make_simple(c->arena, GF_STMT_GRID_BARRIER));
            c->made++;
        }
        put(c, out, block->items[i]);
    }
}

void insert_grid_barriers(change *c) {
    change_blocks(c, insert_some);
}

static const gf_expr *always(change *c) {
    return gf_make_literal(c->arena, GF_TYPE_BOOL, 1);
}

static void wrap_grid(change *c, const gf_block *block, gf_level level, statements *out) {
    for (size_t i = 0; i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        if (level != GF_LEVEL_GRID || defines(stmt) || one_in(c, 2)) {
            put(c, out, stmt);
            continue;
        }
        gf_stmt *made = copy_stmt(c, gf_make_if(c->arena, always(c), block_of(c, &stmt, 1), NULL));
        made->forced = made->level = GF_LEVEL_GRID;
        put(c, out, made);
        c->made++;
    }
}

void wrap_in_grid_if(change *c) {
    change_blocks(c, wrap_grid);
}

static void wrap_plain(change *c, const gf_block *block, gf_level level, statements *out) {
    (void)level;
    for (size_t i = 0; i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        if ((stmt->kind != GF_STMT_STORE && stmt->kind != GF_STMT_EXPR) || one_in(c, 2)) {
            put(c, out, stmt);
            continue;
        }
        put(c, out, gf_make_if(c->arena, always(c), block_of(c, &stmt, 1), NULL));
        c->made++;
    }
}

void wrap_in_plain_if(change *c) {
    change_blocks(c, wrap_plain);
}

static bool note_leaving(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_BREAK || stmt->kind == GF_STMT_CONTINUE;
    return true;
}

static bool leaves(const gf_block *block) {
    bool found = false;
    const gf_visitor visitor = {.user = &found, .stmt = note_leaving};
    gf_visit_block(&visitor, block);
    return found;
}

static bool holds_for(const gf_block *block) {
    for (size_t i = 0; i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        if (stmt->kind == GF_STMT_FOR || (stmt->body != NULL && holds_for(stmt->body)) ||
            (stmt->otherwise != NULL && holds_for(stmt->otherwise))) {
            return true;
        }
    }
    return false;
}

/* The barriers of the edges of a loop and of its turns. */
static void put_edge(change *c, gf_level level, statements *out) {
    if (level != GF_LEVEL_NONE) {
        put(c, out, gf_make_simple(c->arena, level == GF_LEVEL_GRID ? GF_STMT_GRID_BARRIER : GF_STMT_BARRIER));
    }
}

/* Innermost loops of few turns. A return stays: outside of the loop it could be one that the whole grid takes. */
static void unroll_some(change *c, const gf_block *block, gf_level level, statements *out) {
    (void)level;
    for (size_t i = 0; i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        bool fits = stmt->kind == GF_STMT_FOR && stmt->step == NULL && stmt->from->kind == GF_EXPR_LITERAL &&
                    stmt->to->kind == GF_EXPR_LITERAL && stmt->to->bits > stmt->from->bits &&
                    stmt->to->bits - stmt->from->bits <= MOST_TURNS && !leaves(stmt->body) && !holds_for(stmt->body) &&
                    !gf_holds_return(stmt);
        if (!fits) {
            put(c, out, stmt);
            continue;
        }
        c->made++;
        put_edge(c, stmt->level, out);
        gf_symbol *index = (gf_symbol *)(uintptr_t)stmt->target.symbol;
        index->kind = GF_SYMBOL_LET;
        for (uint64_t turn = stmt->from->bits; turn < stmt->to->bits; turn++) {
            statements body = {0};
            put(c, &body, gf_make_let(c->arena, index, gf_make_literal(c->arena, index->type, turn)));
            for (size_t k = 0; k < stmt->body->count; k++) {
                put(c, &body, stmt->body->items[k]);
            }
            gf_stmt *plain = copy_stmt(c, gf_make_region(c->arena, "made", block_of(c, body.items, body.count)));
            plain->kind = GF_STMT_BLOCK;
            plain->text = NULL;
            put(c, out, plain);
            put_edge(c, stmt->level, out);
        }
    }
}

void unroll(change *c) {
    change_blocks(c, unroll_some);
}
