/* What a drafted segment does to the buffers. */
#include "plan/split.h"
#include <string.h>

static uint32_t plan_buffer_of(const gf_split *split, const gf_symbol *symbol) {
    for (uint32_t i = 0; i < split->buffers.count; i++)
        if (split->buffers.items[i].symbol == symbol)
            return i;
    return UINT32_MAX;
}

typedef struct uses {
    gf_split *split;
    gf_draft *draft;
} uses;

static bool note_len(void *user, const gf_expr *expr) {
    uses *d = user;
    if (expr->kind == GF_EXPR_LEN) {
        uint32_t b = plan_buffer_of(d->split, expr->ref.symbol);
        if (b != UINT32_MAX)
            d->draft->buffers[b].used = d->draft->buffers[b].reads = true;
    }
    return true;
}

static bool is_zero_literal(const gf_expr *expr) {
    return expr->kind == GF_EXPR_LITERAL && expr->bits == 0;
}

/* Whether the buffer has exactly one element for each invocation of the segment. */
static bool one_each(const gf_split *split, const gf_draft *draft, const gf_plan_buffer *buffer) {
    const gf_kernel_decl *kernel = &split->tree->kernel;
    if (buffer->size == NULL)
        return false;
    if (draft->piece->kind == GF_PIECE_FORALL) {
        const gf_stmt *forall = draft->piece->stmt;
        if (buffer->size->kind == GF_EXPR_NAME && buffer->size->ref.symbol == draft->piece->count)
            return true;
        return is_zero_literal(forall->from) && gf_equal_expr(buffer->size, forall->to) &&
               gf_split_is_exact(forall->to);
    }
    if (gf_equal_expr(buffer->size, gf_split_slot_count(split)))
        return true;
    return split->level == GF_LEVEL_GRID && kernel->space_kind == GF_SPACE_ITEMS && kernel->space_axes == 1 &&
           gf_equal_expr(buffer->size, kernel->space[0]);
}

static bool is_own_index(const gf_split *split, const gf_draft *draft, const gf_symbol *array, const gf_expr *index) {
    if (gf_equal_expr(index, gf_split_own_slot(split)) && draft->piece->kind == GF_PIECE_STRETCH)
        return true;
    if (draft->piece->kind == GF_PIECE_FORALL && index->kind == GF_EXPR_BUILTIN)
        return index->builtin == GF_BUILTIN_GID && index->axis == GF_AXIS_X;
    const gf_stmt *forall = draft->piece->kind == GF_PIECE_FORALL ? draft->piece->stmt : NULL;
    if (forall != NULL && index->kind == GF_EXPR_NAME &&
        strcmp(index->ref.symbol->name, forall->target.symbol->name) == 0)
        return true;
    if (split->tree->kernel.space_kind == GF_SPACE_ONE)
        return false; /* its own element is 0, whatever the index */
    return gf_split_owner(split, array, index, forall).kind != GF_OWNER_ANY;
}

/* The one element of a buffer, written by the one invocation. */
static bool is_only_element(const gf_split *split, const gf_draft *draft, const gf_plan_buffer *buffer,
                            const gf_expr *index) {
    return split->level == GF_LEVEL_GRID && split->tree->kernel.space_kind == GF_SPACE_ONE &&
           draft->piece->kind == GF_PIECE_STRETCH && buffer->size != NULL && buffer->size->kind == GF_EXPR_LITERAL &&
           buffer->size->bits == 1 && is_zero_literal(index);
}

static bool writes_all(const gf_split *split, const gf_draft *draft, const gf_plan_buffer *buffer,
                       const gf_stmt *stmt) {
    return is_only_element(split, draft, buffer, stmt->index) ||
           (one_each(split, draft, buffer) && is_own_index(split, draft, stmt->target.symbol, stmt->index));
}

static void note_whole_writes(uses *d, const gf_line_list *lines) {
    for (size_t i = 0; i < lines->count; i++) {
        const gf_stmt *stmt = lines->items[i].stmt;
        if (gf_holds_return(stmt) || gf_holds_trap(stmt))
            return;
        if (stmt->kind != GF_STMT_STORE || stmt->op != GF_OP_NONE)
            continue;
        uint32_t b = plan_buffer_of(d->split, stmt->target.symbol);
        if (b != UINT32_MAX && writes_all(d->split, d->draft, &d->split->buffers.items[b], stmt))
            d->draft->buffers[b].overwrites = true;
    }
}

bool gf_split_draft_uses(gf_split *split, gf_draft *draft, const gf_line_list *lines) {
    uses here = {.split = split, .draft = draft};
    uses *d = &here;
    d->draft->buffers = gf_new_array(split->arena, gf_draft_buffer, split->buffers.count);
    gf_access_list accesses = {0};
    gf_effects_block(split->arena, d->draft->body, &accesses);
    bool does = false;
    for (size_t i = 0; i < accesses.count; i++) {
        uint32_t b = plan_buffer_of(split, accesses.items[i].array);
        if (b == UINT32_MAX)
            continue;
        gf_draft_buffer *entry = &d->draft->buffers[b];
        bool writes = gf_access_writes(&accesses.items[i]);
        entry->used = true;
        entry->writes |= writes;
        entry->reads |= !writes || accesses.items[i].kind == GF_ACCESS_ATOMIC;
        does |= writes;
    }
    gf_visitor visitor = {.user = d, .expr = note_len, .into_calls = true};
    gf_visit_block(&visitor, d->draft->body);
    for (size_t i = 0; i < lines->count; i++)
        does |= gf_holds_trap(lines->items[i].stmt);
    note_whole_writes(d, lines);
    return does || split->options.keep_empty;
}
