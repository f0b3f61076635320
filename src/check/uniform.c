/* Which names have one value for the whole grid (or workgroup), and which constructs are taken together: the largest
 * set for which the rules hold. All candidates start in the set; what breaks a rule falls, and takes with it what leans
 * on it, along the edges of a graph. Each edge is walked once, so this is linear in the program.
 *
 * Nodes are names (let, var, loop variables) and constructs. A name leans on the names in its values and on the
 * constructs around its assignments; a construct leans on the one around it. An `if` that is taken together only
 * because of what it assigns or returns also falls with its condition, or when the last of its reasons falls. */
#include "check/checker.h"

typedef struct edge {
    size_t to;
    size_t next;    /* of the same source, from 1 */
    bool is_reason; /* the target has one reason less, instead of falling */
    const gf_stmt *stmt;
    const gf_expr *expr;
} edge;

typedef struct node {
    check_symbol *symbol; /* or */
    check_stmt *construct;
    size_t parent; /* of a construct */
    size_t first_edge;
    size_t reasons;
    bool optional, fallen;
} node;

typedef struct graph {
    checker *c;
    gf_level level;
    bool has_barrier;
    GF_VEC(node) nodes;
    GF_VEC(edge) edges;
    GF_VEC(size_t) work;
} graph;

#define ROOT ((size_t)0)
#define NOWHERE SIZE_MAX /* inside control flow that is not taken together */

/* ---- the uniformity of expressions ---- */

static gf_level least(gf_level a, gf_level b) {
    return a < b ? a : b;
}

static gf_level uniformity_of_call(const gf_expr *expr, bool in_head) {
    const function_facts *facts = &as_check(expr->ref.symbol)->facts;
    if (facts->varies) {
        return GF_LEVEL_NONE;
    }
    for (size_t i = 0; !in_head && i < facts->load_count; i++) {
        if (facts->loads[i]->written) {
            return GF_LEVEL_NONE;
        }
    }
    return facts->uses_group ? GF_LEVEL_GROUP : GF_LEVEL_GRID;
}

static gf_level own_uniformity(const gf_expr *expr, bool in_head) {
    switch (expr->kind) {
    case GF_EXPR_NAME: {
        const gf_symbol *s = expr->ref.symbol;
        return s->kind == GF_SYMBOL_CONST || s->kind == GF_SYMBOL_PARAM ? GF_LEVEL_GRID : s->uniform;
    }
    case GF_EXPR_BUILTIN:
        switch (expr->builtin) {
        case GF_BUILTIN_GID:
        case GF_BUILTIN_LID:
            return GF_LEVEL_NONE;
        case GF_BUILTIN_WID:
            return GF_LEVEL_GROUP;
        case GF_BUILTIN_GRID_SIZE:
        case GF_BUILTIN_GROUP_SIZE:
        case GF_BUILTIN_SPACE:
        case GF_BUILTIN_RANK:
        case GF_BUILTIN_RANKS:
            return GF_LEVEL_GRID;
        }
        return GF_LEVEL_NONE;
    case GF_EXPR_LOAD: {
        const gf_symbol *array = expr->ref.symbol;
        if (array->kind == GF_SYMBOL_VAR || (!in_head && as_check(array)->written)) {
            return GF_LEVEL_NONE;
        }
        return array->kind == GF_SYMBOL_SHARED ? GF_LEVEL_GROUP : GF_LEVEL_GRID;
    }
    case GF_EXPR_ATOMIC:
        return GF_LEVEL_NONE;
    case GF_EXPR_CROSS:
        return expr->cross == GF_CROSS_SCAN_ADD ? GF_LEVEL_NONE : expr->level;
    case GF_EXPR_CALL:
        return uniformity_of_call(expr, in_head);
    case GF_EXPR_LITERAL:
    case GF_EXPR_LEN:
    case GF_EXPR_OP:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        break;
    }
    return GF_LEVEL_GRID;
}

gf_level gf_check_uniformity(checker *c, const gf_expr *expr, bool in_head, gf_level level, const gf_expr **culprit) {
    if (expr == NULL) {
        return GF_LEVEL_GRID;
    }
    gf_level own = own_uniformity(expr, in_head);
    if (expr->kind == GF_EXPR_CROSS) {
        return own; /* whatever is combined, the result is one */
    }
    if (own < level && culprit != NULL && *culprit == NULL) {
        *culprit = expr;
    }
    for (size_t i = 0; i < expr->arg_count && own > GF_LEVEL_NONE; i++) {
        own = least(own, gf_check_uniformity(c, expr->args[i], in_head, level, culprit));
    }
    return own;
}

/* ---- the graph ---- */

static size_t add_node(graph *g, check_symbol *symbol, check_stmt *construct, size_t parent) {
    node made = {.symbol = symbol, .construct = construct, .parent = parent};
    gf_push(g->c->arena, &g->nodes, made);
    return g->nodes.count - 1;
}

static void add_edge(graph *g, size_t from, size_t to, bool is_reason, const gf_stmt *stmt, const gf_expr *expr) {
    if (from == ROOT || from == to) {
        return;
    }
    edge made = {.to = to, .next = g->nodes.items[from].first_edge, .is_reason = is_reason, .stmt = stmt, .expr = expr};
    gf_push(g->c->arena, &g->edges, made);
    g->nodes.items[from].first_edge = g->edges.count;
}

static void fall(graph *g, size_t at, const gf_stmt *stmt, const gf_expr *expr) {
    node *n = &g->nodes.items[at];
    if (n->fallen) {
        return;
    }
    n->fallen = true;
    if (n->symbol != NULL) {
        n->symbol->symbol.uniform = GF_LEVEL_NONE;
        n->symbol->why_stmt = stmt;
        n->symbol->why_expr = expr;
    } else {
        n->construct->stmt.level = GF_LEVEL_NONE;
    }
    gf_push(g->c->arena, &g->work, at);
}

/* The node of a symbol in this graph: one that the graph of another level left behind does not count. */
static size_t node_of(const graph *g, const check_symbol *symbol) {
    size_t at = symbol->node;
    return at < g->nodes.count && g->nodes.items[at].symbol == symbol ? at : ROOT;
}

/* The node falls with any name in the expression. */
static void lean_on_names(graph *g, const gf_expr *expr, size_t to, const gf_stmt *stmt, const gf_expr *whole) {
    if (expr == NULL || expr->kind == GF_EXPR_CROSS) {
        return;
    }
    if (expr->kind == GF_EXPR_NAME) {
        add_edge(g, node_of(g, as_check(expr->ref.symbol)), to, false, stmt, whole);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        lean_on_names(g, expr->args[i], to, stmt, whole);
    }
}

static bool is_uniform(graph *g, const gf_expr *expr, bool in_head) {
    return gf_check_uniformity(g->c, expr, in_head, g->level, NULL) >= g->level;
}

static void define(graph *g, const gf_stmt *stmt, const gf_expr *value, size_t around) {
    check_symbol *symbol = as_check(stmt->target.symbol);
    symbol->node = 0;
    if (symbol->symbol.uniform > g->level) {
        return; /* it is so for a larger circle */
    }
    if (around == NOWHERE || symbol->symbol.is_array) {
        symbol->why_stmt = stmt;
        symbol->why_expr = NULL;
        return;
    }
    size_t at = add_node(g, symbol, NULL, ROOT);
    symbol->node = at;
    symbol->home = around;
    symbol->symbol.uniform = g->level;
    add_edge(g, around, at, false, stmt, NULL);
    if (!is_uniform(g, value, false)) {
        fall(g, at, stmt, value);
    } else {
        lean_on_names(g, value, at, stmt, value);
    }
}

/* Every construct between the assignment and the declaration has a reason more. */
static void give_reasons(graph *g, const check_symbol *symbol, size_t around) {
    for (size_t at = around; at != ROOT && at != symbol->home; at = g->nodes.items[at].parent) {
        if (g->nodes.items[at].optional) {
            g->nodes.items[at].reasons++;
            add_edge(g, symbol->node, at, true, NULL, NULL);
        }
    }
}

static void assign(graph *g, const gf_stmt *stmt, const gf_symbol *target, const gf_expr *value, size_t around) {
    check_symbol *symbol = as_check(target);
    size_t node_at = node_of(g, symbol);
    if (node_at == ROOT || g->nodes.items[node_at].fallen) {
        return;
    }
    if (around == NOWHERE) {
        fall(g, node_at, stmt, NULL);
        return;
    }
    add_edge(g, around, node_at, false, stmt, NULL);
    if (!is_uniform(g, value, false)) {
        fall(g, node_at, stmt, value);
        return;
    }
    lean_on_names(g, value, node_at, stmt, value);
    give_reasons(g, symbol, around);
}

bool gf_check_is_bound(const gf_stmt *stmt, gf_level level) {
    const check_stmt *s = as_check_stmt(stmt);
    return s->holds[level] || s->leaves[level] != NULL;
}

static void walk(graph *g, const gf_block *block, size_t around);

static size_t enter_construct(graph *g, const gf_stmt *stmt, size_t around) {
    check_stmt *construct = as_check_stmt(stmt);
    if (around == NOWHERE) {
        return NOWHERE;
    }
    if (gf_check_is_bound(stmt, g->level)) {
        size_t at = add_node(g, NULL, construct, around);
        construct->stmt.level = g->level;
        add_edge(g, around, at, false, stmt, NULL);
        return at;
    }
    if (stmt->kind != GF_STMT_IF || !is_uniform(g, stmt->value, true)) {
        return NOWHERE;
    }
    size_t at = add_node(g, NULL, construct, around);
    construct->stmt.level = g->level;
    add_edge(g, around, at, false, stmt, NULL);
    lean_on_names(g, stmt->value, at, stmt, stmt->value);
    g->nodes.items[at].optional = true;
    g->nodes.items[at].reasons = construct->holds_return && g->has_barrier ? 1 : 0;
    return at;
}

static void walk_construct(graph *g, const gf_stmt *stmt, size_t around) {
    if (stmt->level > g->level) {
        walk(g, stmt->body, around);
        walk(g, stmt->otherwise, around);
        return;
    }
    size_t inside = enter_construct(g, stmt, around);
    if (stmt->kind == GF_STMT_FOR) {
        define(g, stmt, NULL, inside);
    }
    walk(g, stmt->body, inside);
    walk(g, stmt->otherwise, inside);
    if (inside != NOWHERE && g->nodes.items[inside].optional && g->nodes.items[inside].reasons == 0) {
        fall(g, inside, stmt, NULL);
    }
}

static void walk_stmt(graph *g, const gf_stmt *stmt, size_t around) {
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
        define(g, stmt, stmt->value, around);
        break;
    case GF_STMT_ASSIGN:
        assign(g, stmt, stmt->target.symbol, stmt->value, around);
        break;
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        walk_construct(g, stmt, around);
        break;
    case GF_STMT_FORALL:
        for (size_t i = 0; i < stmt->reduce_count; i++) {
            assign(g, stmt, stmt->reduces[i].outer.symbol, NULL, around);
        }
        walk(g, stmt->body, NOWHERE);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        walk(g, stmt->body, around);
        break;
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
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
        break;
    }
}

static void walk(graph *g, const gf_block *block, size_t around) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        walk_stmt(g, block->items[i], around);
    }
}

static void settle(graph *g) {
    while (g->work.count > 0) {
        size_t at = g->work.items[--g->work.count];
        for (size_t e = g->nodes.items[at].first_edge; e != 0; e = g->edges.items[e - 1].next) {
            const edge *by = &g->edges.items[e - 1];
            node *to = &g->nodes.items[by->to];
            if (!by->is_reason || (--to->reasons == 0 && !to->fallen)) {
                fall(g, by->to, by->stmt, by->expr);
            }
        }
    }
}

/* True if an `if` is taken together for what it assigns. */
static bool run(checker *c, gf_level level, bool has_barrier) {
    graph g = {.c = c, .level = level, .has_barrier = has_barrier};
    add_node(&g, NULL, NULL, ROOT);
    walk(&g, c->tree->kernel.body, ROOT);
    settle(&g);
    bool any = false;
    for (size_t i = 1; i < g.nodes.count; i++) {
        any = any || (g.nodes.items[i].construct != NULL && !g.nodes.items[i].fallen);
    }
    return any;
}

/* ---- what holds what ---- */

static void take_over(check_stmt *s, const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const check_stmt *inner = as_check_stmt(block->items[i]);
        for (gf_level level = GF_LEVEL_GROUP; level <= GF_LEVEL_GRID; level++) {
            if (inner->holds[level] && !s->holds[level]) {
                s->holds[level] = true;
                s->holder[level] = inner->holder[level];
            }
        }
        s->holds_return = s->holds_return || inner->holds_return;
    }
}

static void annotate(const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        check_stmt *s = as_check_stmt(stmt);
        annotate(stmt->body);
        annotate(stmt->otherwise);
        gf_level own = stmt->forced;
        if (stmt->kind == GF_STMT_BARRIER) {
            own = GF_LEVEL_GROUP;
        } else if (stmt->kind == GF_STMT_GRID_BARRIER || stmt->kind == GF_STMT_FORALL ||
                   stmt->kind == GF_STMT_COLLECTIVE || stmt->kind == GF_STMT_SWAP) {
            own = GF_LEVEL_GRID;
        } else if (stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS) {
            own = stmt->value->level;
        }
        if (own != GF_LEVEL_NONE) {
            s->holds[own] = true;
            s->holder[own] = stmt;
        }
        s->holds_return = stmt->kind == GF_STMT_RETURN;
        take_over(s, stmt->body);
        take_over(s, stmt->otherwise);
    }
}

/* The first break or continue of the innermost loop around. */
static const gf_stmt *find_leaves(const gf_block *block, const gf_stmt *loop) {
    const gf_stmt *first = NULL;
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        bool is_loop = stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE || stmt->kind == GF_STMT_LOOP ||
                       stmt->kind == GF_STMT_FORALL;
        const gf_stmt *found = find_leaves(stmt->body, is_loop ? stmt : loop);
        const gf_stmt *other = find_leaves(stmt->otherwise, loop);
        found = is_loop ? NULL : found != NULL ? found : other;
        if (stmt->kind == GF_STMT_BREAK || stmt->kind == GF_STMT_CONTINUE) {
            found = stmt;
        }
        if (found != NULL && stmt->kind == GF_STMT_IF && loop != NULL) {
            for (gf_level level = GF_LEVEL_GROUP; level <= GF_LEVEL_GRID; level++) {
                if (as_check_stmt(loop)->holds[level] && loop->kind != GF_STMT_FORALL) {
                    as_check_stmt(stmt)->leaves[level] = found;
                }
            }
        }
        first = first != NULL ? first : found;
    }
    return first;
}

bool gf_check_has_barrier(const gf_block *body, gf_level level) {
    for (size_t i = 0; body != NULL && i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        const check_stmt *s = as_check_stmt(stmt);
        if (s->holds[level] && ((stmt->kind != GF_STMT_FORALL && stmt->kind != GF_STMT_REGION &&
                                 stmt->kind != GF_STMT_BLOCK && stmt->kind != GF_STMT_COLLECTIVE) ||
                                stmt->reduce_count > 0)) {
            return true;
        }
        if ((stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK) && gf_check_has_barrier(stmt->body, level)) {
            return true;
        }
    }
    return false;
}

void gf_check_uniform(checker *c) {
    annotate(c->tree->kernel.body);
    find_leaves(c->tree->kernel.body, NULL);
    for (gf_level level = GF_LEVEL_GRID; level >= GF_LEVEL_GROUP; level--) {
        bool has_barrier = gf_check_has_barrier(c->tree->kernel.body, level);
        /* The edges of a construct are barriers too: then returns count after all. */
        if (run(c, level, has_barrier) && !has_barrier) {
            run(c, level, true);
        }
    }
}
