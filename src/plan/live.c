/* Which values of an invocation are needed behind a cut: liveness over the flow graph, with a whole stretch as one
 * step. */
#include "plan/split.h"
#include <string.h>

typedef struct counter {
    gf_split *split;
    uint32_t *last_node; /* by symbol id: 1 + the node that named it last */
    bool *several;
    uint32_t node;
} counter;

static void count_symbol(counter *c, const gf_symbol *symbol) {
    if (symbol == NULL || symbol->id >= c->split->tree->symbol_count)
        return;
    uint32_t *last = &c->last_node[symbol->id];
    if (*last != 0 && *last != c->node + 1)
        c->several[symbol->id] = true;
    *last = c->node + 1;
}

static bool count_expr(void *user, const gf_expr *expr) {
    count_symbol(user, expr->ref.symbol);
    return true;
}

static bool count_stmt(void *user, const gf_stmt *stmt) {
    count_symbol(user, stmt->target.symbol);
    count_symbol(user, stmt->second.symbol);
    return true;
}

static const gf_line_list *lines_of(const gf_flow_node *node) {
    return !node->is_barrier && !node->is_head && node->piece != NULL && node->piece->kind == GF_PIECE_STRETCH
               ? &node->piece->lines
               : NULL;
}

static bool is_local(const gf_split *split, const gf_symbol *symbol) {
    return (symbol->kind == GF_SYMBOL_LET || symbol->kind == GF_SYMBOL_VAR) && symbol->id < split->tree->symbol_count &&
           !split->is_register[symbol->id];
}

static void find_candidates(gf_split *split, gf_live *live) {
    counter c = {.split = split};
    c.last_node = gf_new_array(split->arena, uint32_t, split->tree->symbol_count);
    c.several = gf_new_array(split->arena, bool, split->tree->symbol_count);
    gf_visitor visitor = {.user = &c, .expr = count_expr, .stmt = count_stmt};
    for (uint32_t i = 0; i < split->flow.count; i++) {
        const gf_line_list *lines = lines_of(&split->flow.items[i]);
        c.node = i;
        for (size_t k = 0; lines != NULL && k < lines->count; k++)
            gf_visit_stmt(&visitor, lines->items[k].stmt);
    }
    struct {
        const gf_symbol **items;
        size_t count, capacity;
    } found = {0};
    live->candidate_of = gf_new_array(split->arena, uint32_t, split->tree->symbol_count);
    memset(live->candidate_of, 0xff, split->tree->symbol_count * sizeof *live->candidate_of);
    for (uint32_t i = 0; i < split->flow.count; i++) {
        const gf_line_list *lines = lines_of(&split->flow.items[i]);
        for (size_t k = 0; lines != NULL && k < lines->count; k++) {
            const gf_stmt *stmt = lines->items[k].stmt;
            if (stmt->kind != GF_STMT_LET && stmt->kind != GF_STMT_VAR)
                continue;
            const gf_symbol *symbol = stmt->target.symbol;
            if (!is_local(split, symbol) || !c.several[symbol->id] || live->candidate_of[symbol->id] != UINT32_MAX)
                continue;
            live->candidate_of[symbol->id] = (uint32_t)found.count;
            gf_push(split->arena, &found, symbol);
        }
    }
    live->candidates = found.items;
    live->candidate_count = found.count;
    live->words = found.count / 64 + 1;
}

/* ---- one stretch ---- */

typedef struct stretch_scan {
    gf_split *split;
    gf_live *live;
    gf_live_node *node;
} stretch_scan;

static uint32_t candidate(const stretch_scan *scan, const gf_symbol *symbol) {
    if (symbol == NULL || symbol->id >= scan->split->tree->symbol_count)
        return UINT32_MAX;
    return scan->live->candidate_of[symbol->id];
}

static void use(stretch_scan *scan, const gf_symbol *symbol) {
    uint32_t c = candidate(scan, symbol);
    if (c != UINT32_MAX && !gf_bit(scan->node->must, c))
        gf_bit_set(scan->node->uses, c);
}

static bool scan_expr(void *user, const gf_expr *expr) {
    use(user, expr->ref.symbol);
    return true;
}

static bool scan_stmt(void *user, const gf_stmt *stmt) {
    stretch_scan *scan = user;
    uint32_t c = candidate(scan, stmt->target.symbol);
    bool assigns = stmt->kind == GF_STMT_ASSIGN || stmt->kind == GF_STMT_STORE;
    if (assigns && c != UINT32_MAX) {
        gf_bit_set(scan->node->may, c);
        /* What is not replaced whole is needed. */
        if (stmt->kind == GF_STMT_STORE || stmt->op != GF_OP_NONE)
            use(scan, stmt->target.symbol);
    }
    return true;
}

static void scan_line(stretch_scan *scan, const gf_stmt *stmt) {
    gf_visitor visitor = {.user = scan, .expr = scan_expr, .stmt = scan_stmt};
    gf_visit_stmt(&visitor, stmt);
    bool whole = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_ASSIGN;
    uint32_t c = whole ? candidate(scan, stmt->target.symbol) : UINT32_MAX;
    if (c != UINT32_MAX) {
        gf_bit_set(scan->node->may, c);
        gf_bit_set(scan->node->must, c);
    }
}

/* ---- the whole graph ---- */

static bool step(gf_split *split, gf_live *live, uint32_t index) {
    gf_flow_node *flow = &split->flow.items[index];
    gf_live_node *node = &live->nodes[index];
    bool changed = false;
    for (size_t i = 0; i < flow->successors.count; i++)
        for (size_t w = 0; w < live->words; w++)
            node->out[w] |= live->nodes[flow->successors.items[i]].in[w];
    for (size_t w = 0; w < live->words; w++) {
        uint64_t in = node->uses[w] | (node->out[w] & ~node->must[w]);
        changed |= in != node->in[w];
        node->in[w] = in;
    }
    return changed;
}

void gf_split_live(gf_split *split, gf_live *live) {
    find_candidates(split, live);
    gf_split_limit(split, split->flow.count, live->candidate_count, "values that may live across them");
    if (split->refused)
        return;
    live->nodes = gf_new_array(split->arena, gf_live_node, split->flow.count);
    for (uint32_t i = 0; i < split->flow.count; i++) {
        uint64_t *bits = gf_new_array(split->arena, uint64_t, live->words * 5);
        live->nodes[i] = (gf_live_node){.uses = bits,
                                        .must = bits + live->words,
                                        .may = bits + 2 * live->words,
                                        .in = bits + 3 * live->words,
                                        .out = bits + 4 * live->words};
        const gf_line_list *lines = lines_of(&split->flow.items[i]);
        stretch_scan scan = {.split = split, .live = live, .node = &live->nodes[i]};
        for (size_t k = 0; lines != NULL && k < lines->count; k++)
            scan_line(&scan, lines->items[k].stmt);
    }
    /* Nodes are numbered in program order, so going backward settles all but the loops in one round. */
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = (uint32_t)split->flow.count; i-- > 0;)
            changed |= step(split, live, i);
    }
}
