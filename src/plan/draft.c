/* The body of a segment: what it needs from earlier segments, the user's statements in their regions, and what it
 * leaves for later ones. */
#include "ir/eval.h"
#include "plan/split.h"
#include <string.h>

typedef struct drafter {
    gf_split *split;
    const gf_live *live;
    const gf_fates *fates;
    gf_draft *draft;
    gf_line_list out;
} drafter;

static void put(drafter *d, const gf_stmt *stmt, const gf_path *path) {
    gf_push(d->split->arena, &d->out, ((gf_line){.stmt = stmt, .path = path}));
}

static const gf_symbol *buffer_symbol(const gf_split *split, uint32_t buffer) {
    return split->buffers.items[buffer].symbol;
}

static const gf_block *block_of(gf_split *split, const gf_stmt *a, const gf_stmt *b) {
    const gf_stmt **items = gf_new_array(split->arena, const gf_stmt *, 2);
    items[0] = a;
    items[1] = b;
    return gf_make_block(split->arena, items, b == NULL ? 1 : 2);
}

/* ---- values of one invocation ---- */

static const gf_expr *to_stored(gf_split *split, const gf_expr *value) {
    return value->type == GF_TYPE_BOOL ? gf_make_cast(split->arena, GF_TYPE_U32, value) : value;
}

static const gf_expr *from_stored(gf_split *split, gf_type type, const gf_expr *load) {
    return type == GF_TYPE_BOOL ? gf_make_cast(split->arena, GF_TYPE_BOOL, load) : load;
}

/* for i in 0 .. length { to[ti] = from[fi] } where one side is x[i] and the other the carry buffer. */
static void copy_array(drafter *d, const gf_symbol *array, const gf_symbol *carry, bool save) {
    gf_split *split = d->split;
    gf_arena *arena = split->arena;
    gf_symbol *i = gf_split_new_local(split, GF_SYMBOL_LOOP, "i", GF_TYPE_U32);
    const gf_expr *index = gf_make_name(arena, i);
    /* Structure of arrays: element i of all invocations lies together. */
    const gf_expr *slot = gf_make_op2(
        arena, GF_OP_ADD, gf_make_op2(arena, GF_OP_MUL, index, gf_split_slot_count(split)), gf_split_own_slot(split));
    const gf_stmt *move;
    if (save)
        move = gf_make_store(arena, carry, slot, to_stored(split, gf_make_load(arena, array, index)));
    else
        move = gf_make_store(arena, array, index, from_stored(split, array->type, gf_make_load(arena, carry, slot)));
    put(d,
        gf_make_for(arena, i, gf_make_literal(arena, GF_TYPE_U32, 0),
                    gf_make_literal(arena, GF_TYPE_U32, array->length), NULL, block_of(split, move, NULL)),
        NULL);
}

static void save_value(drafter *d, size_t c, const gf_path *path) {
    const gf_symbol *symbol = d->live->candidates[c];
    const gf_symbol *carry = buffer_symbol(d->split, d->fates->values[c].buffer);
    if (symbol->is_array) {
        copy_array(d, symbol, carry, true);
        return;
    }
    gf_arena *arena = d->split->arena;
    put(d, gf_make_store(arena, carry, gf_split_own_slot(d->split), to_stored(d->split, gf_make_name(arena, symbol))),
        path);
}

static void define(drafter *d, const gf_symbol *symbol, const gf_expr *value) {
    gf_arena *arena = d->split->arena;
    put(d, symbol->kind == GF_SYMBOL_LET ? gf_make_let(arena, symbol, value) : gf_make_var(arena, symbol, value), NULL);
}

static const gf_expr *bitcast(gf_split *split, gf_type type, const gf_expr *value) {
    const gf_expr **args = gf_new_array(split->arena, const gf_expr *, 1);
    args[0] = value;
    gf_expr *expr = gf_new(split->arena, gf_expr);
    *expr = (gf_expr){.kind = GF_EXPR_BITCAST, .type = type, .args = args, .arg_count = 1};
    return expr;
}

/* A value that is the same for the workgroup must be seen to be so: the lanes combine their equal copies, as bits. */
static void restore_uniform(drafter *d, const gf_symbol *symbol, const gf_expr *load) {
    gf_split *split = d->split;
    gf_arena *arena = split->arena;
    const gf_expr *value = from_stored(split, symbol->type, load);
    bool is_float = gf_type_is_float(symbol->type);
    if (is_float)
        value = bitcast(split, symbol->type == GF_TYPE_F32 ? GF_TYPE_U32 : GF_TYPE_U64, value);
    gf_cross same = symbol->type == GF_TYPE_BOOL ? GF_CROSS_ANY : GF_CROSS_MAX;
    const gf_expr *cross = gf_make_cross(arena, same, GF_LEVEL_GROUP, value);
    if (is_float) {
        gf_symbol *bits =
            gf_split_new_local(split, GF_SYMBOL_LET, gf_arena_format(arena, "bits_%s", symbol->name), value->type);
        bits->uniform = bits->declared = GF_LEVEL_GROUP;
        put(d, gf_split_at_group_level(split, gf_make_let(arena, bits, cross)), NULL);
        value = bitcast(split, symbol->type, gf_make_name(arena, bits));
    } else {
        value = cross;
    }
    bool let = symbol->kind == GF_SYMBOL_LET;
    put(d, gf_split_at_group_level(split, let ? gf_make_let(arena, symbol, value) : gf_make_var(arena, symbol, value)),
        NULL);
}

static void restore_value(drafter *d, size_t c) {
    gf_split *split = d->split;
    const gf_symbol *symbol = d->live->candidates[c];
    const gf_value_fate *fate = &d->fates->values[c];
    if (fate->recompute) {
        define(d, symbol, fate->again);
        return;
    }
    const gf_symbol *carry = buffer_symbol(split, fate->buffer);
    if (symbol->is_array) {
        put(d, gf_make_var(split->arena, symbol, NULL), NULL);
        copy_array(d, symbol, carry, false);
        return;
    }
    const gf_expr *load = gf_make_load(split->arena, carry, gf_split_own_slot(split));
    if (symbol->uniform == GF_LEVEL_GROUP && split->level == GF_LEVEL_GRID)
        restore_uniform(d, symbol, load);
    else
        define(d, symbol, from_stored(split, symbol->type, load));
}

typedef struct need_search {
    const gf_split *split;
    const gf_live *live;
    bool *needed;
} need_search;

static bool need_names(void *user, const gf_expr *expr) {
    need_search *search = user;
    if (expr->kind == GF_EXPR_NAME && expr->ref.symbol->id < search->split->tree->symbol_count) {
        uint32_t c = search->live->candidate_of[expr->ref.symbol->id];
        if (c != UINT32_MAX)
            search->needed[c] = true;
    }
    return true;
}

/* Adds what recomputed values name, to those that are needed. */
static void close_needs(need_search *search, const gf_fates *fates) {
    gf_visitor visitor = {.user = search, .expr = need_names};
    for (size_t c = search->live->candidate_count; c-- > 0;)
        if (search->needed[c] && fates->values[c].recompute)
            gf_visit_expr(&visitor, fates->values[c].again);
}

/* Whether a workgroup whose invocations have all returned would still do something here that needs right values: take
 * control together, or compute from a value that it carries. None of them has saved one, and where they returned
 * together the control itself has ended. */
static bool needs_somebody(const drafter *d, const bool *restored) {
    if (d->split->level != GF_LEVEL_GRID)
        return false;
    bool needs = gf_split_controls_group(&d->draft->piece->lines);
    for (size_t c = 0; c < d->live->candidate_count; c++)
        needs |= restored[c] && d->live->candidates[c]->uniform == GF_LEVEL_GROUP && !d->fates->values[c].recompute;
    return needs;
}

/* Recomputed and carried values, each after those that it names. Whoever has returned leaves before anything carried is
 * looked at: its slots hold nothing. */
static void restore_values(drafter *d) {
    gf_split *split = d->split;
    const gf_live_node *node = &d->live->nodes[d->draft->flow];
    size_t count = d->live->candidate_count;
    need_search first = {.split = split, .live = d->live, .needed = gf_new_array(split->arena, bool, count + 1)};
    need_search rest = {.split = split, .live = d->live, .needed = gf_new_array(split->arena, bool, count + 1)};
    const gf_return_fate *returns = &d->fates->returns;
    bool checks = returns->any && returns->recompute && returns->checks[d->draft->flow];
    gf_visitor visitor = {.user = &first, .expr = need_names};
    for (size_t i = 0; checks && i < returns->condition_count; i++)
        if (returns->behind[i][d->draft->flow])
            gf_visit_expr(&visitor, returns->conditions[i]);
    close_needs(&first, d->fates);
    for (size_t c = 0; c < count; c++) {
        bool here = gf_bit(node->uses, c) || (gf_bit(node->may, c) && gf_bit(node->out, c));
        rest.needed[c] = gf_bit(node->in, c) && here && d->fates->values[c].crosses;
    }
    close_needs(&rest, d->fates);
    for (size_t c = 0; c < count; c++)
        if (first.needed[c])
            restore_value(d, c);
    for (size_t i = 0; checks && i < returns->condition_count; i++)
        if (returns->behind[i][d->draft->flow])
            put(d,
                gf_make_if(split->arena, returns->conditions[i],
                           block_of(split, gf_make_simple(split->arena, GF_STMT_RETURN), NULL), NULL),
                NULL);
    if (d->draft->piece->finds_failed)
        put(d, gf_split_leave_failed(split), NULL);
    bool leaves = (returns->any && returns->checks[d->draft->flow]) || d->draft->piece->finds_failed;
    if (leaves && needs_somebody(d, rest.needed))
        gf_split_return_together(split, &d->out);
    for (size_t c = 0; c < count; c++)
        if (rest.needed[c] && !first.needed[c])
            restore_value(d, c);
}

static void check_returned(drafter *d) {
    gf_split *split = d->split;
    const gf_return_fate *returns = &d->fates->returns;
    if (!returns->any || returns->recompute || !returns->checks[d->draft->flow])
        return;
    const gf_expr *flag = gf_make_load(split->arena, split->returned, gf_split_own_slot(split));
    const gf_expr *gone = gf_make_op2(split->arena, GF_OP_NE, flag, gf_make_literal(split->arena, GF_TYPE_U32, 0));
    put(d, gf_make_if(split->arena, gone, block_of(split, gf_make_simple(split->arena, GF_STMT_RETURN), NULL), NULL),
        NULL);
}

/* ---- returns ---- */

static const gf_stmt *mark_returned(gf_leaf_map *map, const gf_stmt *stmt, bool in_loop) {
    (void)in_loop;
    gf_split *split = map->split;
    if (stmt->kind != GF_STMT_RETURN)
        return stmt;
    gf_stmt *block = gf_new(split->arena, gf_stmt);
    block->kind = GF_STMT_BLOCK;
    block->span = stmt->span;
    block->body = block_of(split,
                           gf_make_store(split->arena, split->returned, gf_split_own_slot(split),
                                         gf_make_literal(split->arena, GF_TYPE_U32, 1)),
                           stmt);
    return block;
}

/* ---- the user's lines ---- */

static bool carried_out(const drafter *d, const gf_symbol *symbol, size_t *c) {
    if (symbol == NULL || symbol->id >= d->split->tree->symbol_count)
        return false;
    uint32_t index = d->live->candidate_of[symbol->id];
    if (index == UINT32_MAX)
        return false;
    *c = index;
    const gf_value_fate *fate = &d->fates->values[index];
    return fate->crosses && !fate->recompute && gf_bit(d->live->nodes[d->draft->flow].out, index);
}

/* What is assigned here without having been restored, and declared elsewhere or in a region, is in scope from the
 * start: it is saved at the end. */
static void declare_first(drafter *d) {
    gf_split *split = d->split;
    const gf_live_node *node = &d->live->nodes[d->draft->flow];
    const gf_line_list *lines = &d->draft->piece->lines;
    bool *declared = gf_new_array(split->arena, bool, d->live->candidate_count + 1);
    size_t c;
    for (size_t i = 0; i < lines->count; i++) {
        const gf_stmt *stmt = lines->items[i].stmt;
        if (stmt->kind != GF_STMT_LET && stmt->kind != GF_STMT_VAR)
            continue;
        bool hoisted = stmt->kind == GF_STMT_VAR && lines->items[i].path != NULL;
        uint32_t index = stmt->target.symbol->id < split->tree->symbol_count
                             ? d->live->candidate_of[stmt->target.symbol->id]
                             : UINT32_MAX;
        if (index != UINT32_MAX)
            declared[index] = !(hoisted && carried_out(d, stmt->target.symbol, &c));
    }
    for (size_t i = 0; i < d->live->candidate_count; i++)
        if (gf_bit(node->may, i) && !gf_bit(node->in, i) && !declared[i])
            put(d, gf_make_var(split->arena, d->live->candidates[i], NULL), NULL);
}

static void put_lines(drafter *d) {
    gf_split *split = d->split;
    const gf_line_list *lines = &d->draft->piece->lines;
    size_t c;
    declare_first(d);
    bool marks = split->returned != NULL;
    gf_leaf_map map = {.split = split, .leaf = mark_returned};
    for (size_t i = 0; i < lines->count; i++) {
        const gf_stmt *stmt = lines->items[i].stmt;
        const gf_path *path = lines->items[i].path;
        bool saved = carried_out(d, stmt->target.symbol, &c);
        if (stmt->kind == GF_STMT_VAR && path != NULL && saved) {
            const gf_symbol *symbol = stmt->target.symbol;
            const gf_expr *value = stmt->value;
            if (value == NULL && !symbol->is_array)
                value = gf_make_literal(split->arena, symbol->type, 0);
            if (value != NULL)
                put(d, gf_make_assign(split->arena, symbol, value), path);
            continue;
        }
        put(d, marks && gf_holds_return(stmt) ? gf_map_stmt(&map, stmt, false) : stmt, path);
        if (stmt->kind == GF_STMT_LET && saved)
            save_value(d, c, path);
    }
}

static void save_values(drafter *d) {
    const gf_live_node *node = &d->live->nodes[d->draft->flow];
    for (size_t c = 0; c < d->live->candidate_count; c++) {
        const gf_value_fate *fate = &d->fates->values[c];
        if (fate->crosses && !fate->recompute && gf_bit(node->may, c) && gf_bit(node->out, c) &&
            d->live->candidates[c]->kind != GF_SYMBOL_LET)
            save_value(d, c, NULL);
    }
}

/* ---- workgroup arrays ---- */

/* How many lanes this workgroup has along an axis: the last one may be cut by the space. */
static const gf_expr *lanes(gf_split *split, gf_axis axis) {
    gf_arena *arena = split->arena;
    const gf_expr *size = gf_make_builtin(arena, GF_BUILTIN_GROUP_SIZE, axis);
    const gf_expr *before = gf_make_op2(arena, GF_OP_MUL, gf_make_builtin(arena, GF_BUILTIN_WID, axis), size);
    const gf_expr *rest = gf_make_op2(arena, GF_OP_SUB, gf_make_builtin(arena, GF_BUILTIN_SPACE, axis), before);
    return gf_make_op2(arena, GF_OP_MIN, size, rest);
}

static void copy_shared(drafter *d, const gf_shared_fate *fate, bool save) {
    gf_split *split = d->split;
    gf_arena *arena = split->arena;
    bool padded = split->tree->kernel.space_kind == GF_SPACE_ITEMS;
    const gf_expr *first, *step;
    if (save && d->draft->piece->tells_failed) {
        /* Whoever has failed saves nothing, and the others go on with the array: each saves all of it. */
        first = gf_make_literal(arena, GF_TYPE_U32, 0);
        step = NULL;
    } else if (padded) {
        const gf_expr *x = lanes(split, GF_AXIS_X), *y = lanes(split, GF_AXIS_Y), *z = lanes(split, GF_AXIS_Z);
        const gf_expr *lx = gf_make_builtin(arena, GF_BUILTIN_LID, GF_AXIS_X),
                      *ly = gf_make_builtin(arena, GF_BUILTIN_LID, GF_AXIS_Y),
                      *lz = gf_make_builtin(arena, GF_BUILTIN_LID, GF_AXIS_Z);
        step = gf_make_op2(arena, GF_OP_MUL, gf_make_op2(arena, GF_OP_MUL, x, y), z);
        first = gf_make_op2(
            arena, GF_OP_ADD, lx,
            gf_make_op2(arena, GF_OP_MUL, x, gf_make_op2(arena, GF_OP_ADD, ly, gf_make_op2(arena, GF_OP_MUL, y, lz))));
    } else {
        const uint32_t *w = split->tree->kernel.workgroup;
        first = gf_make_builtin(arena, GF_BUILTIN_LID, GF_AXIS_LINEAR);
        step = gf_make_literal(arena, GF_TYPE_U32, (uint64_t)w[0] * w[1] * w[2]);
    }
    gf_symbol *i = gf_split_new_local(split, GF_SYMBOL_LOOP, "i", GF_TYPE_U32);
    const gf_expr *index = gf_make_name(arena, i);
    const gf_expr *length = gf_make_literal(arena, GF_TYPE_U32, fate->array->length);
    const gf_expr *slot = gf_make_op2(
        arena, GF_OP_ADD, gf_make_op2(arena, GF_OP_MUL, gf_make_builtin(arena, GF_BUILTIN_WID, GF_AXIS_LINEAR), length),
        index);
    const gf_symbol *saved = buffer_symbol(split, fate->buffer);
    const gf_stmt *move = save ? gf_make_store(arena, saved, slot, gf_make_load(arena, fate->array, index))
                               : gf_make_store(arena, fate->array, index, gf_make_load(arena, saved, slot));
    if (save)
        put(d, gf_make_simple(arena, GF_STMT_BARRIER), NULL);
    put(d, gf_make_for(arena, i, first, length, step, block_of(split, move, NULL)), NULL);
    if (!save)
        put(d, gf_make_simple(arena, GF_STMT_BARRIER), NULL);
}

static void move_shared(drafter *d, bool save) {
    for (size_t i = 0; i < d->fates->shared_count; i++) {
        const gf_shared_fate *fate = &d->fates->shared[i];
        if ((save ? fate->save : fate->restore)[d->draft->flow])
            copy_shared(d, fate, save);
    }
}

static bool saves_shared(const drafter *d) {
    for (size_t i = 0; i < d->fates->shared_count; i++)
        if (d->fates->shared[i].save[d->draft->flow])
            return true;
    return false;
}

/* ---- regions ---- */

static size_t path_depth(const gf_path *path) {
    size_t depth = 0;
    for (; path != NULL; path = path->parent)
        depth++;
    return depth;
}

static const gf_path *path_at(const gf_path *path, size_t depth) {
    for (size_t above = path_depth(path); above > depth + 1; above--)
        path = path->parent;
    return path;
}

/* Lines [begin, end) share the first `depth` regions; those that share the next are put into it together. */
static const gf_block *wrap(gf_split *split, const gf_line *lines, size_t begin, size_t end, size_t depth) {
    struct {
        const gf_stmt **items;
        size_t count, capacity;
    } out = {0};
    for (size_t i = begin; i < end;) {
        if (path_depth(lines[i].path) == depth) {
            gf_push(split->arena, &out, lines[i++].stmt);
            continue;
        }
        const gf_path *inner = path_at(lines[i].path, depth);
        size_t next = i + 1;
        while (next < end && path_depth(lines[next].path) > depth && path_at(lines[next].path, depth) == inner)
            next++;
        gf_stmt *copy = gf_arena_copy(split->arena, inner->stmt, sizeof *inner->stmt);
        copy->body = wrap(split, lines, i, next, depth + 1);
        gf_push(split->arena, &out, (const gf_stmt *)copy);
        i = next;
    }
    return gf_make_block(split->arena, out.items, out.count);
}

static const char *first_region(const gf_line_list *lines) {
    for (size_t i = 0; i < lines->count; i++)
        for (const gf_path *path = lines->items[i].path; path != NULL; path = path->parent)
            if (path->stmt->kind == GF_STMT_REGION)
                return path->stmt->text;
    return NULL;
}

/* ---- stretches and foralls ---- */

static void draft_stretch(drafter *d) {
    gf_split *split = d->split;
    bool meets = saves_shared(d);
    gf_visitor meetings = {.user = &meets, .stmt = gf_split_note_meeting};
    move_shared(d, false);
    size_t start = d->out.count;
    check_returned(d);
    restore_values(d);
    for (size_t i = 0; i < d->out.count; i++)
        gf_visit_stmt(&meetings, d->out.items[i].stmt);
    gf_split_strip(split, &d->draft->piece->lines, meets);
    if (d->draft->piece->tells_failed)
        put(d, gf_split_tell_failed(split, false), NULL);
    put_lines(d);
    save_values(d);
    if (d->draft->piece->tells_failed)
        put(d, gf_split_tell_failed(split, true), NULL);
    bool returns = false;
    for (size_t i = start; i < d->out.count; i++)
        returns |= gf_holds_return(d->out.items[i].stmt);
    if (returns && saves_shared(d)) {
        gf_symbol *live = gf_split_new_local(split, GF_SYMBOL_VAR, "live", GF_TYPE_BOOL);
        gf_line_list rest = {0};
        for (size_t i = start; i < d->out.count; i++)
            gf_push(split->arena, &rest, d->out.items[i]);
        d->out.count = start;
        put(d, gf_make_var(split->arena, live, gf_make_literal(split->arena, GF_TYPE_BOOL, 1)), NULL);
        d->draft->as_var = gf_split_guard_returns(split, live, &rest);
        for (size_t i = 0; i < rest.count; i++)
            gf_push(split->arena, &d->out, rest.items[i]);
    }
    move_shared(d, true);
}

static const gf_stmt *end_of_one(gf_leaf_map *map, const gf_stmt *stmt, bool in_loop) {
    if (stmt->kind != GF_STMT_CONTINUE || in_loop)
        return stmt;
    return gf_make_simple(map->split->arena, GF_STMT_RETURN);
}

static const gf_stmt *end_of_turn(gf_leaf_map *map, const gf_stmt *stmt, bool in_loop) {
    if (stmt->kind != GF_STMT_CONTINUE || in_loop)
        return stmt;
    return gf_make_simple(map->split->arena, GF_STMT_BREAK);
}

typedef struct continue_search {
    bool found;
} continue_search;

static bool find_continue(void *user, const gf_stmt *stmt) {
    continue_search *search = user;
    search->found |= stmt->kind == GF_STMT_CONTINUE;
    return true;
}

typedef struct renaming {
    const gf_symbol *from, *to;
} renaming;

static const gf_symbol *rename_symbol(void *user, const gf_symbol *symbol) {
    const renaming *r = user;
    return symbol == r->from ? r->to : symbol;
}

static void draft_forall(drafter *d) {
    gf_split *split = d->split;
    gf_arena *arena = split->arena;
    gf_piece *piece = d->draft->piece;
    const gf_stmt *forall = piece->stmt;
    const gf_symbol *i = forall->target.symbol;
    gf_symbol *own = gf_make_symbol(arena, GF_SYMBOL_LET, i->name, i->type, split->symbol_count++);
    own->span = i->span;
    const gf_expr *index = gf_make_cast(arena, i->type, gf_make_builtin(arena, GF_BUILTIN_GID, GF_AXIS_X));
    if (piece->from != NULL)
        index = gf_make_op2(arena, GF_OP_ADD, gf_make_name(arena, piece->from), index);
    put(d, gf_make_let(arena, own, index), piece->path);
    for (size_t k = 0; k < forall->reduce_count; k++) {
        const gf_reduce *reduce = &forall->reduces[k];
        uint64_t neutral = gf_combine_neutral(reduce->combine, reduce->inner->type);
        put(d, gf_make_var(arena, reduce->inner, gf_make_literal(arena, reduce->inner->type, neutral)), piece->path);
    }
    renaming to_own = {.from = i, .to = own};
    gf_rewriter rewriter = {.arena = arena, .user = &to_own, .symbol = rename_symbol};
    const gf_block *body = gf_rewrite_block(&rewriter, forall->body);
    continue_search search = {0};
    gf_visitor visitor = {.user = &search, .stmt = find_continue};
    gf_visit_block(&visitor, body);
    if (search.found && forall->reduce_count != 0) {
        gf_leaf_map map = {.split = split, .leaf = end_of_turn};
        const gf_block *mapped = gf_map_block(&map, body, false);
        const gf_stmt **items = gf_new_array(arena, const gf_stmt *, mapped->count + 1);
        memcpy(items, mapped->items, mapped->count * sizeof *items);
        items[mapped->count] = gf_make_simple(arena, GF_STMT_BREAK);
        put(d, gf_make_loop(arena, gf_make_block(arena, items, mapped->count + 1)), piece->path);
    } else {
        gf_leaf_map map = {.split = split, .leaf = end_of_one};
        if (search.found)
            body = gf_map_block(&map, body, false);
        for (size_t k = 0; k < body->count; k++)
            put(d, body->items[k], piece->path);
    }
    for (size_t k = 0; k < forall->reduce_count; k++)
        put(d,
            gf_make_store(arena, buffer_symbol(split, piece->reduce_values[k]),
                          gf_make_builtin(arena, GF_BUILTIN_GID, GF_AXIS_X),
                          to_stored(split, gf_make_name(arena, forall->reduces[k].inner))),
            piece->path);
}

static bool is_zero_literal(const gf_expr *expr) {
    return expr->kind == GF_EXPR_LITERAL && expr->bits == 0;
}

static const gf_expr *wide(gf_split *split, const gf_expr *expr) {
    bool narrow = expr->type == GF_TYPE_U32 || expr->type == GF_TYPE_I32;
    return gf_make_cast(split->arena, narrow ? GF_TYPE_I64 : GF_TYPE_U64, expr);
}

/* b - a where a < b, else 0, without wrap: the width of a forall as u64. */
const gf_expr *gf_forall_width(gf_split *split, const gf_stmt *forall) {
    gf_arena *arena = split->arena;
    if (is_zero_literal(forall->from) && !gf_type_is_signed(forall->to->type))
        return gf_make_cast(arena, GF_TYPE_U64, forall->to);
    const gf_expr *width = gf_make_cast(
        arena, GF_TYPE_U64, gf_make_op2(arena, GF_OP_SUB, wide(split, forall->to), wide(split, forall->from)));
    return gf_make_op3(arena, GF_OP_SELECT, gf_make_op2(arena, GF_OP_LT, forall->from, forall->to), width,
                       gf_make_literal(arena, GF_TYPE_U64, 0));
}

static void prepare_list(gf_split *split, gf_piece_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        gf_piece *piece = list->items[i];
        prepare_list(split, &piece->body);
        prepare_list(split, &piece->otherwise);
        if (piece->kind != GF_PIECE_FORALL)
            continue;
        const gf_stmt *forall = piece->stmt;
        if (!is_zero_literal(forall->from))
            piece->from =
                gf_split_new_register(split, gf_arena_format(split->arena, "from_%s", forall->target.symbol->name),
                                      forall->target.symbol->type);
        piece->count = gf_split_new_register(
            split, gf_arena_format(split->arena, "count_%s", forall->target.symbol->name), GF_TYPE_U64);
        uint32_t *values = gf_new_array(split->arena, uint32_t, forall->reduce_count);
        for (size_t k = 0; k < forall->reduce_count; k++) {
            const gf_symbol *inner = forall->reduces[k].inner;
            gf_type type = inner->type == GF_TYPE_BOOL ? GF_TYPE_U8 : inner->type;
            values[k] = gf_split_add_buffer(split, GF_PLAN_BUFFER_VALUES,
                                            gf_arena_format(split->arena, "values_%s", forall->reduces[k].outer.name),
                                            type, gf_make_name(split->arena, piece->count), "what the forall reduces");
        }
        piece->reduce_values = values;
    }
}

void gf_split_prepare_foralls(gf_split *split) {
    prepare_list(split, &split->pieces);
}

void gf_split_drafts(gf_split *split, const gf_live *live, const gf_fates *fates) {
    for (uint32_t i = 0; i < split->flow.count; i++) {
        gf_piece *piece = split->flow.items[i].piece;
        if (split->flow.items[i].is_barrier || piece == NULL || piece->flow != i)
            continue;
        drafter d = {.split = split, .live = live, .fates = fates};
        d.draft = gf_new(split->arena, gf_draft);
        d.draft->piece = piece;
        d.draft->flow = i;
        if (piece->kind == GF_PIECE_FORALL)
            draft_forall(&d);
        else
            draft_stretch(&d);
        d.draft->region = first_region(&d.out);
        d.draft->body = wrap(split, d.out.items, 0, d.out.count, 0);
        if (gf_split_draft_uses(split, d.draft, &d.out))
            piece->draft = d.draft;
    }
}
