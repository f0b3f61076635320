/* From pieces to the nodes of the plan. */
#include "ir/eval.h"
#include "plan/split.h"

static gf_plan_node *add_node(gf_split *split, gf_node_list *out, gf_plan_node_kind kind, const gf_stmt *stmt) {
    gf_plan_node *node = gf_new(split->arena, gf_plan_node);
    node->kind = kind;
    node->buffer = node->second = UINT32_MAX;
    if (stmt != NULL)
        node->span = stmt->head.source != NULL ? stmt->head : stmt->span;
    gf_push(split->arena, out, (const gf_plan_node *)node);
    return node;
}

static void add_set(gf_split *split, gf_node_list *out, const gf_symbol *target, const gf_expr *value,
                    const gf_stmt *stmt) {
    gf_plan_node *node = add_node(split, out, GF_PLAN_SET, stmt);
    node->target = target;
    node->value = value;
}

static void add_fill(gf_split *split, gf_node_list *out, uint32_t buffer, uint64_t bits) {
    gf_plan_node *node = add_node(split, out, GF_PLAN_FILL, NULL);
    node->buffer = buffer;
    node->bits = bits;
}

/* What one segment leaves for another there is waited for even where the program has no barrier between. */
static bool has_hidden(const gf_split *split, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++)
        if (split->buffers.items[segment->buffers[i].buffer].kind != GF_PLAN_BUFFER_PROGRAM)
            return true;
    return false;
}

static void add_segment(gf_split *split, gf_node_list *out, gf_piece *piece) {
    if (piece->draft == NULL)
        return;
    for (uint32_t b = 0; b < split->buffers.count; b++)
        if (split->fill_each[b] && piece->draft->buffers[b].writes)
            add_fill(split, out, b, split->fill_bits[b]);
    gf_plan_node *node = add_node(split, out, GF_PLAN_SEGMENT, piece->stmt);
    node->segment = gf_split_segment(split, piece->draft);
    /* Of two stretches beside a forall an invocation finds in the second what it did in the first. */
    bool is_own = piece->kind == GF_PIECE_STRETCH;
    node->joins = split->before != NULL && !(is_own && split->own_before) && !has_hidden(split, split->before) &&
                  !has_hidden(split, node->segment);
    node->follows = piece->follows;
    node->is_followed = piece->is_followed;
    split->own_before = is_own || (node->joins && split->own_before);
    split->before = node->segment;
}

static const gf_plan_block *block_from(gf_split *split, const gf_node_list *nodes) {
    gf_plan_block *block = gf_new(split->arena, gf_plan_block);
    *block = (gf_plan_block){.items = nodes->items, .count = nodes->count};
    return block;
}

static const gf_plan_block *block_of(gf_split *split, const gf_piece_list *list);

static void add_forall(gf_split *split, gf_node_list *out, gf_piece *piece) {
    const gf_stmt *forall = piece->stmt;
    if (piece->draft == NULL)
        return;
    if (piece->from != NULL)
        add_set(split, out, piece->from, forall->from, forall);
    add_set(split, out, piece->count, gf_forall_width(split, forall), forall);
    add_segment(split, out, piece);
    for (size_t i = 0; i < forall->reduce_count; i++) {
        gf_plan_node *node = add_node(split, out, GF_PLAN_REDUCE, forall);
        node->target = forall->reduces[i].outer.symbol;
        node->combine = forall->reduces[i].combine;
        node->buffer = piece->reduce_values[i];
        node->keep_old = true;
        node->count = gf_make_name(split->arena, piece->count);
    }
}

static void add_collective(gf_split *split, gf_node_list *out, const gf_piece *piece) {
    const gf_stmt *stmt = piece->stmt;
    gf_plan_node *node = add_node(split, out, GF_PLAN_COLLECTIVE, stmt);
    node->collective = stmt->collective;
    node->combine = stmt->combine;
    node->value = stmt->value;
    for (uint32_t b = 0; b < split->buffers.count; b++) {
        if (split->buffers.items[b].symbol == stmt->target.symbol)
            node->buffer = b;
        if (split->buffers.items[b].symbol == stmt->second.symbol)
            node->second = b;
    }
}

/* Is there nothing between, what comes behind stands in the same stretch. */
static bool is_of_stretch(const gf_piece *piece) {
    return piece->kind == GF_PIECE_STRETCH || (piece->kind == GF_PIECE_FORALL && piece->stmt->reduce_count == 0);
}

static void add_piece(gf_split *split, gf_node_list *out, gf_piece *piece) {
    const gf_stmt *stmt = piece->stmt;
    gf_plan_node *node;
    switch (piece->kind) {
    case GF_PIECE_STRETCH:
        for (size_t i = 0; i < piece->sets.count; i++)
            gf_push(split->arena, out, piece->sets.items[i]);
        add_segment(split, out, piece);
        break;
    case GF_PIECE_BARRIER:
        break;
    case GF_PIECE_IF:
        node = add_node(split, out, GF_PLAN_IF, stmt);
        node->value = stmt->value;
        node->body = block_of(split, &piece->body);
        node->otherwise = stmt->otherwise == NULL ? NULL : block_of(split, &piece->otherwise);
        break;
    case GF_PIECE_WHILE:
        node = add_node(split, out, GF_PLAN_WHILE, stmt);
        node->value = stmt->kind == GF_STMT_LOOP ? gf_make_literal(split->arena, GF_TYPE_BOOL, 1) : stmt->value;
        node->body = block_of(split, &piece->body);
        break;
    case GF_PIECE_FOR:
        node = add_node(split, out, GF_PLAN_FOR, stmt);
        node->target = stmt->target.symbol;
        node->from = stmt->from;
        node->to = stmt->to;
        node->step = stmt->step;
        node->body = block_of(split, &piece->body);
        break;
    case GF_PIECE_FORALL:
        add_forall(split, out, piece);
        break;
    case GF_PIECE_REDUCE:
        node = add_node(split, out, GF_PLAN_REDUCE, stmt);
        node->target = piece->target;
        node->combine = gf_cross_combine(stmt->value->cross);
        node->buffer = piece->values;
        node->by_group = split->level == GF_LEVEL_GRID;
        break;
    case GF_PIECE_SCAN:
        node = add_node(split, out, GF_PLAN_SCAN, stmt);
        node->buffer = piece->values;
        node->second = piece->result;
        break;
    case GF_PIECE_LOAD:
        add_set(split, out, piece->target, stmt->value->args[0], stmt);
        break;
    case GF_PIECE_SWAP:
    case GF_PIECE_COLLECTIVE:
        if (piece->kind == GF_PIECE_COLLECTIVE) {
            add_collective(split, out, piece);
            break;
        }
        node = add_node(split, out, GF_PLAN_SWAP, stmt);
        for (uint32_t b = 0; b < split->buffers.count; b++) {
            if (split->buffers.items[b].symbol == stmt->target.symbol)
                node->buffer = b;
            if (split->buffers.items[b].symbol == stmt->second.symbol)
                node->second = b;
        }
        break;
    case GF_PIECE_BREAK:
        add_node(split, out, GF_PLAN_BREAK, stmt);
        break;
    case GF_PIECE_CONTINUE:
        add_node(split, out, GF_PLAN_CONTINUE, stmt);
        break;
    case GF_PIECE_RETURN:
        add_node(split, out, GF_PLAN_RETURN, stmt);
        break;
    }
}

static void add_pieces(gf_split *split, gf_node_list *out, const gf_piece_list *list) {
    split->before = NULL;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i]->behind_dropped)
            split->before = NULL;
        add_piece(split, out, list->items[i]);
        if (!is_of_stretch(list->items[i]))
            split->before = NULL;
    }
}

static const gf_plan_block *block_of(gf_split *split, const gf_piece_list *list) {
    gf_node_list out = {0};
    add_pieces(split, &out, list);
    return block_from(split, &out);
}

/* Flags and saved workgroup arrays start each pass as zeros. In a single pass they do by themselves, unless one
 * workgroup after the other takes the same ones. */
static void start_pass(gf_split *split, gf_node_list *out) {
    bool again = split->many_passes || split->level == GF_LEVEL_GROUP;
    for (uint32_t b = 0; b < split->buffers.count && again; b++) {
        gf_plan_buffer_kind kind = split->buffers.items[b].kind;
        if (kind == GF_PLAN_BUFFER_RETURNED || kind == GF_PLAN_BUFFER_SHARED)
            add_fill(split, out, b, 0);
    }
}

void gf_split_tree(gf_split *split) {
    gf_node_list out = {0};
    start_pass(split, &out);
    add_pieces(split, &out, &split->pieces);
    split->plan->body = block_from(split, &out);
    for (uint32_t b = 0; b < split->buffers.count; b++)
        if (split->fill_once[b])
            add_fill(split, &split->prologue, b, split->fill_bits[b]);
    split->plan->prologue = block_from(split, &split->prologue);
}
