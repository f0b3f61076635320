/* The flow graph: what may run after what. Work nodes hold accesses; barrier nodes lie between them. */
#include "plan/split.h"

/* Where control goes from inside loops. */
typedef struct loop_targets {
    uint32_t break_to, continue_to;
} loop_targets;

static uint32_t add_node(gf_split *split, bool is_barrier, gf_piece *piece) {
    gf_push(split->arena, &split->flow, ((gf_flow_node){.is_barrier = is_barrier, .piece = piece}));
    return (uint32_t)split->flow.count - 1;
}

static void connect(gf_split *split, uint32_t from, uint32_t to) {
    gf_push(split->arena, &split->flow.items[from].successors, to);
    gf_push(split->arena, &split->flow.items[to].predecessors, from);
}

static uint32_t then(gf_split *split, uint32_t from, uint32_t to) {
    connect(split, from, to);
    return to;
}

static uint32_t edge(gf_split *split, gf_piece *piece) {
    uint32_t node = add_node(split, true, piece);
    piece->edges[piece->edge_count++] = node;
    return node;
}

/* ---- what a node accesses ---- */

typedef struct pin_search {
    const gf_stmt *found;
} pin_search;

static bool find_pin(void *user, const gf_stmt *stmt) {
    pin_search *search = user;
    if (stmt->kind == GF_STMT_TRAP || stmt->kind == GF_STMT_ASSERT || stmt->kind == GF_STMT_COPY_ASYNC ||
        stmt->kind == GF_STMT_COLLECTIVE)
        search->found = stmt;
    return true;
}

static void add_stmt(gf_split *split, uint32_t node, const gf_stmt *stmt) {
    gf_flow_node *flow = &split->flow.items[node];
    gf_effects_stmt(split->arena, stmt, &flow->accesses);
    pin_search search = {0};
    gf_visitor visitor = {.user = &search, .stmt = find_pin, .into_calls = true};
    gf_visit_stmt(&visitor, stmt);
    if (search.found != NULL) {
        flow->pins = true;
        flow->pin = search.found;
    }
}

static void add_head(gf_split *split, uint32_t node, const gf_stmt *stmt) {
    gf_flow_node *flow = &split->flow.items[node];
    flow->is_head = true;
    const gf_expr *exprs[] = {stmt->kind == GF_STMT_FORALL ? NULL : stmt->value, stmt->from, stmt->to, stmt->step};
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++)
        if (exprs[i] != NULL)
            gf_effects_expr(split->arena, exprs[i], stmt, &flow->accesses);
    for (size_t i = 0; i < flow->accesses.count; i++)
        flow->accesses.items[i].in_head = true;
}

static void add_items(gf_split *split, uint32_t node, const gf_piece *piece) {
    for (size_t i = 0; i < piece->items.count; i++)
        add_stmt(split, node, piece->items.items[i].stmt);
}

/* ---- the graph ---- */

#define NOWHERE UINT32_MAX

static uint32_t add_list(gf_split *split, gf_piece_list *list, uint32_t from, loop_targets targets);

static uint32_t add_if(gf_split *split, gf_piece *piece, uint32_t from, loop_targets targets) {
    uint32_t head = then(split, then(split, from, edge(split, piece)), add_node(split, false, piece));
    add_head(split, head, piece->stmt);
    uint32_t in = then(split, head, edge(split, piece)), out = edge(split, piece);
    uint32_t a = add_list(split, &piece->body, in, targets);
    uint32_t b = add_list(split, &piece->otherwise, in, targets);
    if (a != NOWHERE)
        connect(split, a, out);
    if (b != NOWHERE)
        connect(split, b, out);
    return a == NOWHERE && b == NOWHERE ? NOWHERE : out;
}

static uint32_t add_loop(gf_split *split, gf_piece *piece, uint32_t from) {
    bool counted = piece->kind == GF_PIECE_FOR;
    uint32_t head = then(split, then(split, from, edge(split, piece)), add_node(split, false, piece));
    add_head(split, head, piece->stmt);
    /* The bounds of a `for` are evaluated once, so its turns come back to a joint behind the head. */
    uint32_t top = counted ? then(split, head, add_node(split, false, NULL)) : head;
    uint32_t in = then(split, top, edge(split, piece)), turn = edge(split, piece), out = edge(split, piece);
    uint32_t end = add_list(split, &piece->body, in, (loop_targets){.break_to = out, .continue_to = turn});
    if (end != NOWHERE)
        connect(split, end, turn);
    connect(split, turn, top);
    if (piece->stmt->kind != GF_STMT_LOOP)
        connect(split, top, out);
    return out;
}

static uint32_t add_one(gf_split *split, gf_piece *piece, uint32_t from, loop_targets targets) {
    uint32_t node;
    piece->edge_count = 0;
    switch (piece->kind) {
    case GF_PIECE_STRETCH:
        node = then(split, from, add_node(split, false, piece));
        piece->flow = node;
        add_items(split, node, piece);
        return node;
    case GF_PIECE_BARRIER:
    case GF_PIECE_REDUCE:
    case GF_PIECE_SCAN:
        return then(split, from, edge(split, piece));
    case GF_PIECE_IF:
        return add_if(split, piece, from, targets);
    case GF_PIECE_WHILE:
    case GF_PIECE_FOR:
        return add_loop(split, piece, from);
    case GF_PIECE_FORALL:
        node = then(split, from, add_node(split, false, piece));
        piece->flow = node;
        add_stmt(split, node, piece->stmt);
        return piece->stmt->reduce_count == 0 ? node : then(split, node, edge(split, piece));
    case GF_PIECE_LOAD:
        node = then(split, then(split, from, edge(split, piece)), add_node(split, false, piece));
        add_head(split, node, piece->stmt);
        return then(split, node, edge(split, piece));
    case GF_PIECE_SWAP:
    case GF_PIECE_COLLECTIVE:
        node = then(split, then(split, from, edge(split, piece)), add_node(split, false, piece));
        add_stmt(split, node, piece->stmt);
        return then(split, node, edge(split, piece));
    case GF_PIECE_BREAK:
        connect(split, from, targets.break_to);
        return NOWHERE;
    case GF_PIECE_CONTINUE:
        connect(split, from, targets.continue_to);
        return NOWHERE;
    case GF_PIECE_RETURN:
        connect(split, from, split->flow.exit);
        return NOWHERE;
    }
    return from;
}

static uint32_t add_list(gf_split *split, gf_piece_list *list, uint32_t from, loop_targets targets) {
    for (size_t i = 0; i < list->count; i++) {
        /* What stands behind a break or return is never reached; its node must exist all the same. */
        if (from == NOWHERE)
            from = add_node(split, true, NULL);
        from = add_one(split, list->items[i], from, targets);
    }
    return from;
}

void gf_split_build_flow(gf_split *split) {
    split->flow = (gf_flow){0};
    split->flow.entry = add_node(split, true, NULL);
    split->flow.exit = add_node(split, true, NULL);
    uint32_t end =
        add_list(split, &split->pieces, split->flow.entry, (loop_targets){.break_to = NOWHERE, .continue_to = NOWHERE});
    if (end != NOWHERE)
        connect(split, end, split->flow.exit);
}

void gf_flow_reach(gf_split *split, uint32_t from, bool forward, bool stop_at_barriers, gf_flow_list *out) {
    gf_flow *flow = &split->flow;
    uint32_t mark = ++flow->mark;
    size_t next = out->count;
    bool first = true;
    for (uint32_t at = from;; at = out->items[next++]) {
        gf_flow_node *node = &flow->items[at];
        bool stop = !first && stop_at_barriers && node->is_barrier && !node->dropped;
        first = false;
        const gf_flow_list *list = forward ? &node->successors : &node->predecessors;
        for (size_t i = 0; !stop && i < list->count; i++) {
            if (flow->items[list->items[i]].mark == mark)
                continue;
            flow->items[list->items[i]].mark = mark;
            gf_push(split->arena, out, list->items[i]);
        }
        if (next == out->count)
            return;
    }
}
