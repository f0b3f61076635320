/* Values of the level that live in the tree, as registers, and their versions inside a stretch.
 *
 * A uniform value becomes a register where the tree needs it (a head, a bound, a reduction) or where it is used in more
 * than one stretch. What is used in one stretch alone stays a local of its segment. All assignments to registers in a
 * stretch happen before its segment is launched; statements that read an earlier value get a version of their own. */
#include "plan/split.h"

/* Where a symbol is used: HOME_NONE, the tree, one stretch, or several. */
#define HOME_NONE 0
#define HOME_TREE 1
#define HOME_FIRST 2
#define HOME_MANY UINT32_MAX

typedef struct homes {
    gf_split *split;
    uint32_t *home; /* by symbol id */
    uint32_t current, next;
} homes;

static void use_at(homes *h, const gf_symbol *symbol, uint32_t where) {
    if (symbol->id >= h->split->tree->symbol_count)
        return;
    uint32_t *home = &h->home[symbol->id];
    if (where == HOME_TREE || *home == HOME_TREE)
        *home = HOME_TREE;
    else if (*home == HOME_NONE)
        *home = where;
    else if (*home != where)
        *home = HOME_MANY;
}

static bool use_expr(void *user, const gf_expr *expr) {
    homes *h = user;
    if (expr->kind == GF_EXPR_NAME)
        use_at(h, expr->ref.symbol, h->current);
    return true;
}

static bool use_stmt(void *user, const gf_stmt *stmt) {
    homes *h = user;
    if (stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_ASSIGN ||
        stmt->kind == GF_STMT_FOR)
        use_at(h, stmt->target.symbol, h->current);
    return true;
}

static void use_in_tree(homes *h, const gf_stmt *stmt) {
    h->current = HOME_TREE;
    gf_visitor visitor = {.user = h, .expr = use_expr};
    gf_visit_expr(&visitor, stmt->value);
    gf_visit_expr(&visitor, stmt->from);
    gf_visit_expr(&visitor, stmt->to);
    gf_visit_expr(&visitor, stmt->step);
}

static void find_homes(homes *h, const gf_piece_list *list) {
    gf_visitor visitor = {.user = h, .expr = use_expr, .stmt = use_stmt};
    for (size_t i = 0; i < list->count; i++) {
        const gf_piece *piece = list->items[i];
        const gf_stmt *stmt = piece->stmt;
        switch (piece->kind) {
        case GF_PIECE_STRETCH:
            h->current = h->next++;
            for (size_t k = 0; k < piece->items.count; k++) {
                gf_visit_stmt(&visitor, piece->items.items[k].stmt);
                if (piece->items.items[k].stmt->kind == GF_STMT_CONVERGED) {
                    uint32_t stretch = h->current;
                    use_in_tree(h, piece->items.items[k].stmt);
                    h->current = stretch;
                }
            }
            break;
        case GF_PIECE_FORALL:
            h->current = h->next++;
            gf_visit_block(&visitor, stmt->body);
            for (size_t k = 0; k < stmt->reduce_count; k++)
                use_at(h, stmt->reduces[k].outer.symbol, HOME_TREE);
            use_in_tree(h, stmt);
            break;
        case GF_PIECE_IF:
        case GF_PIECE_WHILE:
        case GF_PIECE_FOR:
            use_in_tree(h, stmt);
            if (piece->kind == GF_PIECE_FOR)
                use_at(h, stmt->target.symbol, HOME_TREE);
            find_homes(h, &piece->body);
            find_homes(h, &piece->otherwise);
            break;
        case GF_PIECE_REDUCE:
        case GF_PIECE_LOAD:
            use_at(h, piece->target, HOME_TREE);
            if (piece->kind == GF_PIECE_LOAD)
                use_in_tree(h, stmt);
            break;
        case GF_PIECE_COLLECTIVE:
            use_in_tree(h, stmt);
            break;
        case GF_PIECE_BARRIER:
        case GF_PIECE_SCAN:
        case GF_PIECE_SWAP:
        case GF_PIECE_BREAK:
        case GF_PIECE_CONTINUE:
        case GF_PIECE_RETURN:
            break;
        }
    }
}

/* ---- which become registers ---- */

typedef struct pull {
    gf_split *split;
    bool changed;
} pull;

static void make_register(gf_split *split, const gf_symbol *symbol) {
    if (split->is_register[symbol->id])
        return;
    split->is_register[symbol->id] = true;
    gf_push(split->arena, &split->registers, symbol);
    gf_split_take_name(split, symbol->name);
}

static bool pull_expr(void *user, const gf_expr *expr) {
    pull *p = user;
    if (expr->kind != GF_EXPR_NAME || expr->ref.symbol->id >= p->split->tree->symbol_count)
        return true;
    const gf_symbol *symbol = expr->ref.symbol;
    bool local = symbol->kind == GF_SYMBOL_LET || symbol->kind == GF_SYMBOL_VAR || symbol->kind == GF_SYMBOL_LOOP;
    if (local && !p->split->is_register[symbol->id]) {
        make_register(p->split, symbol);
        p->changed = true;
    }
    return true;
}

static bool pull_stmt(void *user, const gf_stmt *stmt) {
    pull *p = user;
    bool sets = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_ASSIGN ||
                stmt->kind == GF_STMT_FOR;
    if (sets && !p->split->is_register[stmt->target.symbol->id]) {
        make_register(p->split, stmt->target.symbol);
        p->changed = true;
    }
    return true;
}

typedef struct any_search {
    const gf_split *split;
    bool found;
} any_search;

static bool find_register_set(void *user, const gf_stmt *stmt) {
    any_search *search = user;
    if (stmt->kind == GF_STMT_CONVERGED ||
        ((stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_ASSIGN) &&
         search->split->is_register[stmt->target.symbol->id]))
        search->found = true;
    return true;
}

/* Or says what has converged, which is for the tree too. */
static bool sets_register(const gf_split *split, const gf_stmt *stmt) {
    any_search search = {.split = split};
    gf_visitor visitor = {.user = &search, .stmt = find_register_set};
    gf_visit_stmt(&visitor, stmt);
    return search.found;
}

/* What a register is computed from must be registers too. */
static void pull_list(pull *p, const gf_piece_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        const gf_piece *piece = list->items[i];
        for (size_t k = 0; piece->kind == GF_PIECE_STRETCH && k < piece->items.count; k++) {
            const gf_item *item = &piece->items.items[k];
            if (item->kind == GF_ITEM_WORK || !sets_register(p->split, item->stmt))
                continue;
            gf_visitor visitor = {.user = p, .expr = pull_expr};
            if (item->kind == GF_ITEM_SCALAR)
                visitor.stmt = pull_stmt;
            gf_visit_stmt(&visitor, item->stmt);
        }
        pull_list(p, &piece->body);
        pull_list(p, &piece->otherwise);
    }
}

typedef struct symbol_list {
    gf_arena *arena;
    const gf_symbol **items;
    size_t count, capacity;
} symbol_list;

/* In the order of declaration, so that the dump reads like the program. */
static bool collect_local(void *user, const gf_stmt *stmt) {
    symbol_list *list = user;
    if (stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_FOR)
        gf_push(list->arena, list, stmt->target.symbol);
    return true;
}

static void choose_registers(gf_split *split) {
    homes h = {.split = split, .next = HOME_FIRST};
    h.home = gf_new_array(split->arena, uint32_t, split->tree->symbol_count);
    find_homes(&h, &split->pieces);
    split->is_register = gf_new_array(split->arena, bool, split->tree->symbol_count);

    symbol_list locals = {.arena = split->arena};
    gf_visitor visitor = {.user = &locals, .stmt = collect_local};
    gf_visit_block(&visitor, split->tree->kernel.body);
    for (size_t i = 0; i < locals.count; i++) {
        const gf_symbol *symbol = locals.items[i];
        uint32_t home = h.home[symbol->id];
        bool level = symbol->uniform >= split->level && symbol->declared >= split->level && !symbol->is_array;
        if (level && (home == HOME_TREE || home == HOME_MANY))
            make_register(split, symbol);
    }
    pull p = {.split = split, .changed = true};
    while (p.changed) {
        p.changed = false;
        pull_list(&p, &split->pieces);
    }
}

/* ---- versions ---- */

typedef struct version {
    const gf_symbol *symbol;
    size_t set_count;        /* sets of it in this stretch */
    size_t at;               /* sets passed so far */
    bool *read_at;           /* by version: some invocation reads it */
    const gf_symbol **names; /* by version: the register that holds it */
} version;

typedef struct versions {
    gf_split *split;
    struct {
        version *items;
        size_t count, capacity;
    } list;
    uint32_t *index_of; /* by symbol id: 1 + index into list; 0: none. Shared by all stretches, cleared after each */
    gf_rewriter rewriter;
    bool counting;
} versions;

static version *find_version(versions *v, const gf_symbol *symbol, bool add) {
    if (symbol->id >= v->split->tree->symbol_count || !v->split->is_register[symbol->id])
        return NULL;
    uint32_t *index = &v->index_of[symbol->id];
    if (*index == 0 && add) {
        gf_push(v->split->arena, &v->list, ((version){.symbol = symbol}));
        *index = (uint32_t)v->list.count;
    }
    return *index == 0 ? NULL : &v->list.items[*index - 1];
}

static bool count_sets_of(void *user, const gf_stmt *stmt) {
    versions *v = user;
    if (stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_ASSIGN)
        find_version(v, stmt->target.symbol, true);
    return true;
}

/* The registers that an item sets, each once. */
static void advance(versions *v, const gf_item *item, void (*each)(versions *v, version *entry)) {
    if (item->kind == GF_ITEM_SET) {
        version *entry =
            item->stmt->kind == GF_STMT_CONVERGED ? NULL : find_version(v, item->stmt->target.symbol, true);
        if (entry != NULL)
            each(v, entry);
        return;
    }
    versions inner = {.split = v->split,
                      .index_of = gf_new_array(v->split->arena, uint32_t, v->split->tree->symbol_count)};
    gf_visitor visitor = {.user = &inner, .stmt = count_sets_of};
    gf_visit_stmt(&visitor, item->stmt);
    for (size_t i = 0; i < inner.list.count; i++)
        each(v, find_version(v, inner.list.items[i].symbol, true));
}

static void count_one(versions *v, version *entry) {
    (void)v;
    entry->set_count++;
}

static void step_one(versions *v, version *entry) {
    (void)v;
    entry->at++;
}

static bool note_read(void *user, const gf_expr *expr) {
    versions *v = user;
    if (expr->kind == GF_EXPR_NAME) {
        version *entry = find_version(v, expr->ref.symbol, false);
        if (entry != NULL)
            entry->read_at[entry->at] = true;
    }
    return true;
}

static const gf_symbol *present_name(void *user, const gf_symbol *symbol) {
    versions *v = user;
    version *entry = find_version(v, symbol, false);
    return entry == NULL ? symbol : entry->names[entry->at];
}

/* Whether an item works on registers, and so belongs to the tree; else it is work like any other. */
static bool is_tree_item(const gf_split *split, const gf_item *item) {
    if (item->kind == GF_ITEM_WORK)
        return false;
    return sets_register(split, item->stmt);
}

static void add_set(gf_split *split, gf_piece *piece, const gf_symbol *target, const gf_expr *value, gf_span span) {
    gf_plan_node *node = gf_new(split->arena, gf_plan_node);
    *node = (gf_plan_node){.kind = GF_PLAN_SET, .target = target, .value = value, .span = span};
    gf_push(split->arena, &piece->sets, (const gf_plan_node *)node);
}

static const gf_expr *zero_of(gf_split *split, gf_type type) {
    return gf_make_literal(split->arena, type, 0);
}

/* target = value, or target op= value, as an expression. */
static const gf_expr *value_of_set(gf_split *split, const gf_stmt *stmt) {
    if (stmt->value == NULL)
        return zero_of(split, stmt->target.symbol->type);
    if (stmt->op == GF_OP_NONE)
        return stmt->value;
    const gf_expr *made =
        gf_make_op2(split->arena, stmt->op, gf_make_name(split->arena, stmt->target.symbol), stmt->value);
    gf_expr *value = gf_arena_copy(split->arena, made, sizeof *made);
    value->span = stmt->span; /* where it is said to divide by zero */
    return value;
}

static void emit_set(versions *v, gf_piece *piece, const gf_stmt *stmt) {
    gf_split *split = v->split;
    if (stmt->kind == GF_STMT_CONVERGED) {
        gf_plan_node *node = gf_new(split->arena, gf_plan_node);
        node->kind = GF_PLAN_CONVERGED;
        node->value = gf_rewrite_expr(&v->rewriter, stmt->value);
        node->span = stmt->span;
        gf_push(split->arena, &piece->sets, (const gf_plan_node *)node);
        return;
    }
    const gf_expr *value = gf_rewrite_expr(&v->rewriter, value_of_set(split, stmt));
    version *entry = find_version(v, stmt->target.symbol, true);
    entry->at++;
    add_set(split, piece, entry->names[entry->at], value, stmt->span);
}

static const gf_plan_block *scalar_block(versions *v, const gf_block *block);

/* A construct of the level that only sets registers: inside, the registers themselves are used. */
static const gf_plan_node *scalar_node(versions *v, const gf_stmt *stmt) {
    gf_split *split = v->split;
    gf_plan_node *node = gf_new(split->arena, gf_plan_node);
    node->span = stmt->span;
    node->value = stmt->value;
    node->from = stmt->from;
    node->to = stmt->to;
    node->step = stmt->step;
    node->target = stmt->kind == GF_STMT_FOR ? stmt->target.symbol : NULL;
    node->kind = stmt->kind == GF_STMT_IF ? GF_PLAN_IF : stmt->kind == GF_STMT_FOR ? GF_PLAN_FOR : GF_PLAN_WHILE;
    node->body = scalar_block(v, stmt->body);
    node->otherwise = scalar_block(v, stmt->otherwise);
    return node;
}

static void scalar_stmts(versions *v, const gf_block *block, gf_node_list *nodes) {
    gf_split *split = v->split;
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        if (stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK) {
            scalar_stmts(v, stmt->body, nodes);
            continue;
        }
        if (stmt->kind == GF_STMT_GRID_BARRIER || stmt->kind == GF_STMT_BARRIER)
            continue; /* dropped, or the construct would not be here */
        const gf_plan_node *node;
        if (stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE) {
            node = scalar_node(v, stmt);
        } else {
            gf_plan_node *set = gf_new(split->arena, gf_plan_node);
            bool says = stmt->kind == GF_STMT_CONVERGED;
            set->kind = says ? GF_PLAN_CONVERGED : GF_PLAN_SET;
            set->span = stmt->span;
            set->target = says ? NULL : stmt->target.symbol;
            set->value = says ? stmt->value : value_of_set(split, stmt);
            node = set;
        }
        gf_push(split->arena, nodes, node);
    }
}

static const gf_plan_block *scalar_block(versions *v, const gf_block *block) {
    if (block == NULL)
        return NULL;
    gf_node_list nodes = {0};
    scalar_stmts(v, block, &nodes);
    gf_plan_block *made = gf_new(v->split->arena, gf_plan_block);
    *made = (gf_plan_block){.items = nodes.items, .count = nodes.count};
    return made;
}

static void emit_scalar(versions *v, gf_piece *piece, const gf_item *item) {
    gf_split *split = v->split;
    /* Bring every version in use home, let the construct work on the registers, then go on with the next version. */
    for (size_t i = 0; i < v->list.count; i++) {
        version *entry = &v->list.items[i];
        if (entry->at != 0 && entry->names[entry->at] != entry->symbol)
            add_set(split, piece, entry->symbol, gf_make_name(split->arena, entry->names[entry->at]), item->stmt->span);
    }
    gf_push(split->arena, &piece->sets, scalar_node(v, item->stmt));
    advance(v, item, step_one);
    for (size_t i = 0; i < v->list.count; i++) {
        version *entry = &v->list.items[i];
        if (entry->at != 0 && entry->names[entry->at] != entry->symbol)
            add_set(split, piece, entry->names[entry->at], gf_make_name(split->arena, entry->symbol), item->stmt->span);
    }
}

/* A version that statements read and that is not the last gets a register of its own; all others, and so the last, are
 * held by the register itself. The first is copied before anything is set. */
static void name_versions(versions *v, gf_piece *piece) {
    gf_split *split = v->split;
    for (size_t i = 0; i < v->list.count; i++) {
        version *entry = &v->list.items[i];
        entry->names = gf_new_array(split->arena, const gf_symbol *, entry->set_count + 1);
        for (size_t k = 0; k <= entry->set_count; k++) {
            bool own = k < entry->set_count && entry->read_at[k];
            entry->names[k] =
                own ? gf_split_new_register(split, entry->symbol->name, entry->symbol->type) : entry->symbol;
        }
        entry->at = 0;
        if (entry->names[0] != entry->symbol)
            add_set(split, piece, entry->names[0], gf_make_name(split->arena, entry->symbol), GF_NO_SPAN);
    }
}

static void split_stretch(gf_split *split, gf_piece *piece, uint32_t *index_of) {
    versions v = {.split = split, .index_of = index_of};
    v.rewriter = (gf_rewriter){.arena = split->arena, .user = &v, .symbol = present_name};
    for (size_t i = 0; i < piece->items.count; i++)
        if (is_tree_item(split, &piece->items.items[i]))
            advance(&v, &piece->items.items[i], count_one);
    for (size_t i = 0; i < v.list.count; i++)
        v.list.items[i].read_at = gf_new_array(split->arena, bool, v.list.items[i].set_count + 1);
    gf_visitor reads = {.user = &v, .expr = note_read};
    for (size_t i = 0; i < piece->items.count; i++) {
        const gf_item *item = &piece->items.items[i];
        if (is_tree_item(split, item))
            advance(&v, item, step_one);
        else
            gf_visit_stmt(&reads, item->stmt);
    }
    name_versions(&v, piece);
    for (size_t i = 0; i < piece->items.count; i++) {
        const gf_item *item = &piece->items.items[i];
        if (!is_tree_item(split, item))
            gf_push(split->arena, &piece->lines,
                    ((gf_line){.stmt = gf_rewrite_stmt(&v.rewriter, item->stmt), .path = item->path}));
        else if (item->kind == GF_ITEM_SET)
            emit_set(&v, piece, item->stmt);
        else
            emit_scalar(&v, piece, item);
    }
    for (size_t i = 0; i < v.list.count; i++)
        index_of[v.list.items[i].symbol->id] = 0;
}

static void split_list(gf_split *split, gf_piece_list *list, uint32_t *index_of) {
    for (size_t i = 0; i < list->count; i++) {
        gf_piece *piece = list->items[i];
        if (piece->kind == GF_PIECE_STRETCH)
            split_stretch(split, piece, index_of);
        split_list(split, &piece->body, index_of);
        split_list(split, &piece->otherwise, index_of);
    }
}

void gf_split_registers(gf_split *split) {
    choose_registers(split);
    split_list(split, &split->pieces, gf_new_array(split->arena, uint32_t, split->tree->symbol_count));
}
