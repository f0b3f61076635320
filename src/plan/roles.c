/* What each segment does to each buffer, as the role under which the buffer is handed to it. */
#include "ir/eval.h"
#include "plan/split.h"
#include <string.h>

/* ---- buffers that must hold a certain value before invocations write into them ---- */

/* Behind a trap the grid goes no further than its barrier, but a workgroup does. */
static bool may_have_returned(const gf_split *split, const gf_fates *fates, const gf_piece *stretch) {
    if (stretch == NULL)
        return false;
    if (fates->returns.checks[stretch->flow])
        return true;
    for (size_t i = 0; i < stretch->lines.count; i++)
        if (gf_holds_return(stretch->lines.items[i].stmt) ||
            (split->level == GF_LEVEL_GROUP && gf_holds_trap(stretch->lines.items[i].stmt)))
            return true;
    return false;
}

/* Values of lanes that pad the space, and of invocations that have returned, are the neutral element. */
static void decide_fill(gf_split *split, const gf_fates *fates, const gf_piece *piece, const gf_piece *stretch) {
    const gf_expr *cross = piece->stmt->value;
    gf_combine combine = gf_cross_combine(cross->cross);
    uint64_t neutral = gf_combine_neutral(combine, cross->args[0]->type);
    /* Exclusive sums of integers start from 0 as well. */
    bool returns = may_have_returned(split, fates, stretch);
    /* The next workgroup may have fewer lanes, and finds what this one left. */
    returns |= split->level == GF_LEVEL_GROUP && split->tree->kernel.space_kind == GF_SPACE_ITEMS;
    split->fill_bits[piece->values] = neutral;
    split->fill_each[piece->values] = returns;
    split->fill_once[piece->values] = !returns && !gf_split_values_compact(split) && neutral != 0;
}

static void decide_fills(gf_split *split, const gf_fates *fates, const gf_piece_list *list) {
    const gf_piece *stretch = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const gf_piece *piece = list->items[i];
        if (piece->kind == GF_PIECE_STRETCH)
            stretch = piece;
        if (piece->kind == GF_PIECE_REDUCE || piece->kind == GF_PIECE_SCAN)
            decide_fill(split, fates, piece, stretch);
        decide_fills(split, fates, &piece->body);
        decide_fills(split, fates, &piece->otherwise);
    }
}

/* ---- who may have written before ---- */

typedef struct written {
    size_t words;
    uint64_t **in, **out; /* by flow node: bitsets over plan buffers */
    uint64_t **writes;
    uint32_t *buffer_of; /* by symbol id; UINT32_MAX: none */
} written;

static void index_buffers(gf_split *split, written *w) {
    w->buffer_of = gf_new_array(split->arena, uint32_t, split->symbol_count);
    memset(w->buffer_of, 0xff, split->symbol_count * sizeof *w->buffer_of);
    for (uint32_t b = 0; b < split->buffers.count; b++)
        w->buffer_of[split->buffers.items[b].symbol->id] = b;
}

/* A write to one name is none to the other names that trade storage with it: where they do, the swap writes both. */
static void note_node(gf_split *split, written *w, uint32_t node) {
    const gf_flow_node *flow = &split->flow.items[node];
    const gf_piece *piece = flow->piece;
    for (size_t i = 0; i < flow->accesses.count; i++)
        if (gf_access_writes(&flow->accesses.items[i])) {
            uint32_t b = w->buffer_of[flow->accesses.items[i].array->id];
            if (b != UINT32_MAX)
                gf_bit_set(w->writes[node], b);
        }
    if (piece != NULL && piece->kind == GF_PIECE_SCAN)
        gf_bit_set(w->writes[node], piece->result);
    if (piece == NULL || piece->draft == NULL || piece->flow != node)
        return;
    for (uint32_t b = 0; b < split->buffers.count; b++)
        if (piece->draft->buffers[b].writes)
            gf_bit_set(w->writes[node], b);
}

static bool flow_on(gf_split *split, written *w, uint32_t node) {
    const gf_flow_node *flow = &split->flow.items[node];
    bool changed = false;
    for (size_t i = 0; i < flow->predecessors.count; i++)
        for (size_t k = 0; k < w->words; k++)
            w->in[node][k] |= w->out[flow->predecessors.items[i]][k];
    /* Passes: what the last one left is there when the next begins. */
    if (node == split->flow.entry && split->many_passes)
        for (size_t k = 0; k < w->words; k++)
            w->in[node][k] |= w->out[split->flow.exit][k];
    for (size_t k = 0; k < w->words; k++) {
        uint64_t out = w->in[node][k] | w->writes[node][k];
        changed |= out != w->out[node][k];
        w->out[node][k] = out;
    }
    return changed;
}

static void find_written(gf_split *split, written *w) {
    size_t nodes = split->flow.count;
    index_buffers(split, w);
    w->words = split->buffers.count / 64 + 1;
    w->in = gf_new_array(split->arena, uint64_t *, nodes);
    w->out = gf_new_array(split->arena, uint64_t *, nodes);
    w->writes = gf_new_array(split->arena, uint64_t *, nodes);
    for (uint32_t i = 0; i < nodes; i++) {
        uint64_t *bits = gf_new_array(split->arena, uint64_t, 3 * w->words);
        w->in[i] = bits;
        w->out[i] = bits + w->words;
        w->writes[i] = bits + 2 * w->words;
        note_node(split, w, i);
    }
    for (uint32_t b = 0; b < split->buffers.count; b++)
        if (split->fill_each[b] || split->fill_once[b])
            gf_bit_set(w->in[split->flow.entry], b);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < nodes; i++)
            changed |= flow_on(split, w, i);
    }
}

/* ---- roles ---- */

static bool starts_as_zeros(const gf_plan_buffer *buffer) {
    if (buffer->kind != GF_PLAN_BUFFER_PROGRAM)
        return true;
    return buffer->symbol->role == GF_ROLE_OUT || buffer->symbol->role == GF_ROLE_SCRATCH;
}

static void decide_role(gf_split *split, gf_draft *draft, uint32_t b, bool written_before) {
    const gf_draft_buffer *use = &draft->buffers[b];
    const gf_plan_buffer *buffer = &split->buffers.items[b];
    gf_role *role = &draft->roles[b];
    if (!use->writes)
        *role = GF_ROLE_IN;
    else if (use->reads)
        *role = GF_ROLE_INOUT;
    else if ((use->overwrites || buffer->kind == GF_PLAN_BUFFER_CARRY) && !split->fill_each[b]) {
        /* A carry slot is only ever read by an invocation that saved it. */
        *role = GF_ROLE_OUT;
        draft->fresh[b] = true;
    } else if (!written_before && starts_as_zeros(buffer))
        *role = GF_ROLE_OUT;
    else
        *role = GF_ROLE_INOUT;
}

void gf_split_roles(gf_split *split, const gf_fates *fates) {
    size_t count = split->buffers.count;
    split->fill_each = gf_new_array(split->arena, bool, count);
    split->fill_once = gf_new_array(split->arena, bool, count);
    split->fill_bits = gf_new_array(split->arena, uint64_t, count);
    decide_fills(split, fates, &split->pieces);
    written w = {0};
    find_written(split, &w);
    for (uint32_t i = 0; i < split->flow.count; i++) {
        const gf_piece *piece = split->flow.items[i].piece;
        if (piece == NULL || piece->draft == NULL || piece->flow != i)
            continue;
        gf_draft *draft = piece->draft;
        draft->roles = gf_new_array(split->arena, gf_role, count);
        draft->fresh = gf_new_array(split->arena, bool, count);
        for (uint32_t b = 0; b < count; b++)
            if (draft->buffers[b].used)
                decide_role(split, draft, b, gf_bit(w.in[i], b));
    }
}
