/* How each crossing value lives on: recomputed where that is sure to give the same and cheap, else carried; workgroup
 * arrays saved and restored; returned invocations known. */
#include "plan/split.h"
#include <string.h>

/* What a recomputation may cost, in simple operations, against a store, a load and their traffic. */
enum { COST_LIMIT = 12, COST_LIMIT_UNIFORM = 48, COST_LOAD = 6, COST_DIVIDE = 4, COST_ELEMENTARY = 30 };
enum { COST_LIMIT_ALL = 1000 }; /* expressions grow by what they name */

typedef struct fate_state {
    gf_split *split;
    gf_live *live;
    gf_fates *fates;
    uint32_t *def_node;       /* by symbol id of the tree: the stretch with its only definition, or UINT32_MAX */
    const gf_stmt **def_stmt; /* that definition, as a line (registers already by version) */
    bool **assigned_in;       /* by register id: flow nodes that assign it, or NULL */
    bool **written_in;        /* by array number: flow nodes that write it, or NULL */
    size_t work;              /* flow nodes looked at so far */
    struct {
        struct gf_carry_slot *items;
        size_t count, capacity;
    } slots;
} fate_state;

/* ---- what is assigned and written where ---- */

static bool *flags_of(fate_state *state, bool **slot) {
    if (*slot == NULL)
        *slot = gf_new_array(state->split->arena, bool, state->split->flow.count);
    return *slot;
}

static void note_sets(fate_state *state, const gf_plan_node *node, uint32_t flow) {
    if (node->target != NULL)
        flags_of(state, &state->assigned_in[node->target->id])[flow] = true;
    const gf_plan_block *blocks[] = {node->body, node->otherwise};
    for (size_t b = 0; b < 2; b++)
        for (size_t i = 0; blocks[b] != NULL && i < blocks[b]->count; i++)
            note_sets(state, blocks[b]->items[i], flow);
}

static void note_piece(fate_state *state, const gf_piece *piece, uint32_t flow) {
    for (size_t i = 0; i < piece->sets.count; i++)
        note_sets(state, piece->sets.items[i], flow);
    const gf_symbol *target = piece->target;
    if (piece->kind == GF_PIECE_FOR)
        target = piece->stmt->target.symbol;
    if (target != NULL)
        flags_of(state, &state->assigned_in[target->id])[flow] = true;
    for (size_t i = 0; piece->kind == GF_PIECE_FORALL && i < piece->stmt->reduce_count; i++)
        flags_of(state, &state->assigned_in[piece->stmt->reduces[i].outer.symbol->id])[flow] = true;
    for (size_t i = 0; piece->kind == GF_PIECE_STRETCH && i < piece->lines.count; i++) {
        const gf_stmt *stmt = piece->lines.items[i].stmt;
        bool defines = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR;
        if (!defines || stmt->target.symbol->id >= state->split->tree->symbol_count || stmt->value == NULL ||
            state->split->reassigned[stmt->target.symbol->id] || stmt->target.symbol->is_array)
            continue;
        state->def_node[stmt->target.symbol->id] = flow;
        state->def_stmt[stmt->target.symbol->id] = stmt;
    }
}

static void note_everything(fate_state *state) {
    gf_split *split = state->split;
    state->def_node = gf_new_array(split->arena, uint32_t, split->tree->symbol_count);
    memset(state->def_node, 0xff, split->tree->symbol_count * sizeof *state->def_node);
    state->def_stmt = gf_new_array(split->arena, const gf_stmt *, split->tree->symbol_count);
    state->assigned_in = gf_new_array(split->arena, bool *, split->symbol_count);
    state->written_in = gf_new_array(split->arena, bool *, split->array_count);
    for (uint32_t i = 0; i < split->flow.count; i++) {
        const gf_flow_node *node = &split->flow.items[i];
        if (node->piece != NULL)
            note_piece(state, node->piece, i);
        for (size_t k = 0; k < node->accesses.count; k++) {
            const gf_access *access = &node->accesses.items[k];
            if (gf_access_writes(access) && access->array->id < split->tree->symbol_count)
                flags_of(state, &state->written_in[split->array_number[access->array->id]])[i] = true;
        }
    }
}

/* ---- recomputation ---- */

/* Flow nodes on some path from `from` to a node of `to`, both ends in full; none where there is no such path. */
static bool *nodes_between(fate_state *state, uint32_t from, const bool *to) {
    gf_split *split = state->split;
    state->work += split->flow.count;
    bool *ahead = gf_new_array(split->arena, bool, split->flow.count);
    bool *between = gf_new_array(split->arena, bool, split->flow.count);
    gf_flow_list list = {0};
    gf_flow_reach(split, from, true, false, &list);
    ahead[from] = true;
    for (size_t i = 0; i < list.count; i++)
        ahead[list.items[i]] = true;
    list.count = 0;
    gf_flow_list stack = {0};
    for (uint32_t i = 0; i < split->flow.count; i++)
        if (to[i] && ahead[i]) {
            between[i] = true;
            gf_push(split->arena, &stack, i);
        }
    while (stack.count != 0) {
        const gf_flow_node *node = &split->flow.items[stack.items[--stack.count]];
        for (size_t i = 0; i < node->predecessors.count; i++) {
            uint32_t p = node->predecessors.items[i];
            if (ahead[p] && !between[p]) {
                between[p] = true;
                gf_push(split->arena, &stack, p);
            }
        }
    }
    return between;
}

typedef struct recompute {
    fate_state *state;
    const bool *uses;    /* flow nodes where the value is wanted */
    const bool *between; /* of the definition being looked at */
    int cost, limit;
    const char *why_not;
    unsigned depth;
} recompute;

static const gf_expr *recompute_expr(recompute *r, const gf_expr *expr);

static bool any_in(const bool *flags, const bool *between, size_t count) {
    for (size_t i = 0; flags != NULL && i < count; i++)
        if (flags[i] && between[i])
            return true;
    return false;
}

static const gf_expr *refuse(recompute *r, const char *why) {
    if (r->why_not == NULL)
        r->why_not = why;
    return NULL;
}

/* A name in a recomputed expression: fixed, or a local whose own definition is put in its place. */
static const gf_expr *recompute_name(recompute *r, const gf_expr *expr) {
    gf_split *split = r->state->split;
    const gf_symbol *symbol = expr->ref.symbol;
    if (symbol->kind == GF_SYMBOL_CONST || symbol->kind == GF_SYMBOL_PARAM)
        return expr;
    bool is_register = symbol->id >= split->tree->symbol_count || split->is_register[symbol->id];
    if (is_register) {
        if (any_in(r->state->assigned_in[symbol->id], r->between, split->flow.count))
            return refuse(r, gf_arena_format(split->arena, "`%s` may be assigned before it is used", symbol->name));
        return expr;
    }
    const gf_stmt *definition = r->state->def_stmt[symbol->id];
    if (r->state->work > GF_PLAN_AGAIN_WORK)
        return refuse(r, "the program is too long to look for what it depends on");
    if (definition == NULL || r->depth > 16)
        return refuse(r, gf_arena_format(split->arena, "it depends on `%s`, which is assigned", symbol->name));
    const bool *outer = r->between;
    r->between = nodes_between(r->state, r->state->def_node[symbol->id], r->uses);
    r->depth++;
    int cost = r->cost;
    const gf_expr *value = recompute_expr(r, definition->value);
    r->depth--;
    r->between = outer;
    /* What is recomputed anyway is named, at no further cost; but it must be right here too. */
    uint32_t c = r->state->live->candidate_of[symbol->id];
    if (value != NULL && c != UINT32_MAX && r->state->fates->values[c].recompute) {
        r->cost = cost;
        return expr;
    }
    return value;
}

static int op_cost(const gf_expr *expr) {
    if (expr->op == GF_OP_DIV || expr->op == GF_OP_REM || expr->op == GF_OP_SQRT)
        return COST_DIVIDE;
    return gf_op_is_elementary(expr->op) ? COST_ELEMENTARY : 1;
}

static const gf_expr *with_args(recompute *r, const gf_expr *expr, int cost) {
    gf_split *split = r->state->split;
    r->cost += cost;
    if (r->cost > r->limit)
        return refuse(r, "it costs more than a load");
    const gf_expr **args = gf_new_array(split->arena, const gf_expr *, expr->arg_count);
    for (size_t i = 0; i < expr->arg_count; i++) {
        args[i] = recompute_expr(r, expr->args[i]);
        if (args[i] == NULL)
            return NULL;
    }
    gf_expr *copy = gf_arena_copy(split->arena, expr, sizeof *expr);
    copy->args = args;
    return copy;
}

static const gf_expr *recompute_expr(recompute *r, const gf_expr *expr) {
    gf_split *split = r->state->split;
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
    case GF_EXPR_BUILTIN:
    case GF_EXPR_LEN:
        return expr;
    case GF_EXPR_NAME:
        return recompute_name(r, expr);
    case GF_EXPR_LOAD: {
        const gf_symbol *array = expr->ref.symbol;
        if (array->kind != GF_SYMBOL_BUFFER || array->id >= split->tree->symbol_count)
            return refuse(r, "it is loaded from memory that does not stay");
        if (any_in(r->state->written_in[split->array_number[array->id]], r->between, split->flow.count))
            return refuse(r, gf_arena_format(split->arena,
                                             "it is loaded from `%s`, which may be written before it is used",
                                             array->name));
        return with_args(r, expr, COST_LOAD);
    }
    case GF_EXPR_OP:
        return with_args(r, expr, op_cost(expr));
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        return with_args(r, expr, 1);
    case GF_EXPR_ATOMIC:
        return refuse(r, "it is the result of an atomic");
    case GF_EXPR_CROSS:
        return refuse(r, "it is what a group has combined");
    case GF_EXPR_CALL:
        return refuse(r, "it is the result of a function");
    }
    return NULL;
}

/* The nodes whose segments need candidate c at their start. */
static bool *wanting_nodes(const fate_state *state, size_t c) {
    gf_split *split = state->split;
    bool *uses = gf_new_array(split->arena, bool, split->flow.count);
    for (uint32_t i = 0; i < split->flow.count; i++)
        uses[i] = gf_bit(state->live->nodes[i].in, c) && split->flow.items[i].piece != NULL &&
                  (gf_bit(state->live->nodes[i].uses, c) || gf_bit(state->live->nodes[i].may, c));
    return uses;
}

static const gf_expr *try_recompute(fate_state *state, const gf_expr *value, int limit, const bool *uses,
                                    uint32_t def_node, const char **why_not) {
    recompute r = {.state = state, .limit = limit, .uses = uses, .between = nodes_between(state, def_node, uses)};
    const gf_expr *expr = recompute_expr(&r, value);
    *why_not = r.why_not;
    return expr;
}

/* ---- carry ---- */

/* One hidden buffer for values whose lives do not overlap: the flow nodes behind which one of them lives, as bits. What
 * lives before a node lives behind those that come before it. */
struct gf_carry_slot {
    uint32_t buffer;
    gf_type type;
    uint64_t *behind;
};

static uint64_t *life_of(const fate_state *state, size_t c, size_t words) {
    uint64_t *behind = gf_new_array(state->split->arena, uint64_t, words);
    for (uint32_t i = 0; i < state->split->flow.count; i++)
        if (gf_bit(state->live->nodes[i].out, c))
            gf_bit_set(behind, i);
    return behind;
}

static bool overlap(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t w = 0; w < words; w++)
        if ((a[w] & b[w]) != 0)
            return true;
    return false;
}

static gf_type stored_type(gf_type type) {
    return type == GF_TYPE_BOOL ? GF_TYPE_U8 : type;
}

/* A slot of earlier values of the same type whose lives do not overlap with this one, or a new one. */
static uint32_t carry_slot(fate_state *state, size_t c) {
    gf_split *split = state->split;
    const gf_symbol *symbol = state->live->candidates[c];
    size_t words = split->flow.count / 64 + 1;
    struct gf_carry_slot own = {.type = stored_type(symbol->type), .behind = life_of(state, c, words)};
    for (size_t i = 0; !symbol->is_array && i < state->slots.count; i++) {
        struct gf_carry_slot *slot = &state->slots.items[i];
        if (slot->type != own.type || overlap(slot->behind, own.behind, words))
            continue;
        for (size_t w = 0; w < words; w++)
            slot->behind[w] |= own.behind[w];
        return slot->buffer;
    }
    const gf_expr *size = gf_split_slot_count(split);
    if (symbol->is_array)
        size = gf_make_op2(split->arena, GF_OP_MUL, size, gf_make_literal(split->arena, GF_TYPE_U32, symbol->length));
    own.buffer =
        gf_split_add_buffer(split, GF_PLAN_BUFFER_CARRY, gf_arena_format(split->arena, "carry_%s", symbol->name),
                            stored_type(symbol->type), size, "a value of each invocation that crosses a cut");
    split->buffers.items[own.buffer].of_array = symbol->is_array;
    if (!symbol->is_array)
        gf_push(split->arena, &state->slots, own);
    return own.buffer;
}

static void add_crossing(gf_split *split, const gf_symbol *symbol, gf_fate fate, uint64_t bytes, const char *reason,
                         uint32_t buffer) {
    gf_push(split->arena, &split->crossings,
            ((gf_crossing){.symbol = symbol, .fate = fate, .bytes = bytes, .reason = reason, .buffer = buffer}));
}

static void decide_values(fate_state *state) {
    gf_split *split = state->split;
    gf_live *live = state->live;
    state->fates->values = gf_new_array(split->arena, gf_value_fate, live->candidate_count);
    for (size_t c = 0; c < live->candidate_count; c++) {
        const gf_symbol *symbol = live->candidates[c];
        gf_value_fate *fate = &state->fates->values[c];
        fate->buffer = UINT32_MAX;
        const bool *uses = wanting_nodes(state, c);
        for (uint32_t i = 0; i < split->flow.count; i++)
            fate->crosses |= uses[i];
        if (!fate->crosses)
            continue;
        const char *why = NULL;
        /* A carried value of a workgroup costs an operation over the group at each restore. */
        int limit = symbol->uniform == GF_LEVEL_GROUP ? COST_LIMIT_UNIFORM : COST_LIMIT;
        if (split->options.all_recompute)
            limit = COST_LIMIT_ALL;
        const gf_stmt *definition = state->def_stmt[symbol->id];
        if (symbol->is_array)
            why = "an array of each invocation";
        else if (definition == NULL)
            why = "it is assigned more than once";
        else if (split->options.all_carry)
            why = "carried, as asked for";
        else
            fate->again = try_recompute(state, definition->value, limit, uses, state->def_node[symbol->id], &why);
        if (fate->again != NULL) {
            fate->recompute = true;
            add_crossing(split, symbol, GF_FATE_RECOMPUTE, 0, "the same wherever it is computed, and cheap",
                         UINT32_MAX);
            continue;
        }
        fate->buffer = carry_slot(state, c);
        uint64_t bytes = gf_type_bytes(stored_type(symbol->type)) * (symbol->is_array ? symbol->length : 1);
        add_crossing(split, symbol, GF_FATE_CARRY, bytes, why, fate->buffer);
    }
}

/* ---- workgroup arrays ---- */

static void decide_shared(fate_state *state) {
    gf_split *split = state->split;
    const gf_tree *tree = split->tree;
    state->fates->shared = gf_new_array(split->arena, gf_shared_fate, tree->decl_count);
    if (split->level == GF_LEVEL_GROUP)
        return;
    size_t nodes = split->flow.count;
    for (size_t d = 0; d < tree->decl_count; d++) {
        const gf_symbol *array = tree->decls[d];
        if (array->kind != GF_SYMBOL_SHARED)
            continue;
        bool *reads = gf_new_array(split->arena, bool, nodes), *writes = gf_new_array(split->arena, bool, nodes),
             *in = gf_new_array(split->arena, bool, nodes), *out = gf_new_array(split->arena, bool, nodes);
        for (size_t i = 0; i < nodes; i++)
            for (size_t k = 0; k < split->flow.items[i].accesses.count; k++) {
                const gf_access *access = &split->flow.items[i].accesses.items[k];
                if (access->array != array)
                    continue;
                writes[i] |= gf_access_writes(access);
                /* An atomic reads what it changes. */
                reads[i] |= !gf_access_writes(access) || access->kind == GF_ACCESS_ATOMIC;
            }
        for (bool changed = true; changed;) {
            changed = false;
            for (size_t i = nodes; i-- > 0;) {
                for (size_t s = 0; s < split->flow.items[i].successors.count; s++)
                    out[i] |= in[split->flow.items[i].successors.items[s]];
                bool now = reads[i] || out[i];
                changed |= now != in[i];
                in[i] = now;
            }
        }
        gf_shared_fate fate = {.array = array, .buffer = UINT32_MAX};
        fate.restore = gf_new_array(split->arena, bool, nodes);
        fate.save = gf_new_array(split->arena, bool, nodes);
        bool any = false;
        for (size_t i = 0; i < nodes; i++)
            any |= fate.save[i] = writes[i] && out[i];
        for (size_t i = 0; any && i < nodes; i++)
            fate.restore[i] = in[i] && (reads[i] || writes[i]);
        if (!any)
            continue;
        const gf_expr *groups = gf_make_op2(split->arena, GF_OP_MUL,
                                            gf_make_op2(split->arena, GF_OP_MUL,
                                                        gf_make_builtin(split->arena, GF_BUILTIN_GRID_SIZE, GF_AXIS_X),
                                                        gf_make_builtin(split->arena, GF_BUILTIN_GRID_SIZE, GF_AXIS_Y)),
                                            gf_make_builtin(split->arena, GF_BUILTIN_GRID_SIZE, GF_AXIS_Z));
        const gf_expr *size =
            gf_make_op2(split->arena, GF_OP_MUL, groups, gf_make_literal(split->arena, GF_TYPE_U32, array->length));
        fate.buffer =
            gf_split_add_buffer(split, GF_PLAN_BUFFER_SHARED, gf_arena_format(split->arena, "shared_%s", array->name),
                                array->type, size, "a workgroup array that is read behind a cut");
        add_crossing(split, array, GF_FATE_SHARED, array->length * gf_type_bytes(array->type),
                     "saved and restored for each workgroup", fate.buffer);
        state->fates->shared[state->fates->shared_count++] = fate;
    }
}

/* ---- returned invocations ---- */

/* `if cond { return; }` as a whole line, with nothing else. */
static const gf_expr *simple_return(const gf_stmt *stmt) {
    if (stmt->kind != GF_STMT_IF || stmt->otherwise != NULL || stmt->body->count != 1 ||
        stmt->body->items[0]->kind != GF_STMT_RETURN)
        return NULL;
    return stmt->value;
}

/* Who traps in a workgroup has returned for what comes behind its barriers, where the run goes on; behind a barrier of
 * the grid there is nothing (and for what stands before that see stretch.c). */
static bool ends_by_trap(const gf_split *split, const gf_stmt *stmt) {
    return split->level == GF_LEVEL_GROUP && gf_holds_trap(stmt);
}

static void decide_returns(fate_state *state) {
    gf_split *split = state->split;
    gf_return_fate *returns = &state->fates->returns;
    size_t nodes = split->flow.count;
    returns->checks = gf_new_array(split->arena, bool, nodes);
    struct {
        const gf_expr **items;
        size_t count, capacity;
    } conditions = {0};
    struct {
        uint32_t *items;
        size_t count, capacity;
    } at = {0};
    struct {
        const bool **items;
        size_t count, capacity;
    } behind = {0};
    bool simple = !split->options.all_carry, found = false;
    for (uint32_t i = 0; i < nodes; i++) {
        gf_piece *piece = split->flow.items[i].piece;
        if (split->flow.items[i].is_barrier || piece == NULL || piece->kind != GF_PIECE_STRETCH || piece->flow != i)
            continue;
        bool here = false, traps = false;
        bool *later_nodes = gf_new_array(split->arena, bool, nodes);
        for (size_t k = 0; k < piece->lines.count; k++) {
            const gf_stmt *stmt = piece->lines.items[k].stmt;
            traps |= ends_by_trap(split, stmt);
            if (!gf_holds_return(stmt) && !ends_by_trap(split, stmt))
                continue;
            here = true;
            const gf_expr *condition = simple_return(stmt);
            /* Where a construct decided whether the statement is come to, its condition alone says too little. */
            simple &= condition != NULL && !piece->nested && !ends_by_trap(split, stmt);
            gf_push(split->arena, &conditions, condition);
            gf_push(split->arena, &at, i);
            gf_push(split->arena, &behind, (const bool *)later_nodes);
        }
        if (!here)
            continue;
        found = true;
        gf_flow_list ahead = {0};
        gf_flow_reach(split, i, true, false, &ahead);
        for (size_t k = 0; k < ahead.count; k++) {
            const gf_piece *later = split->flow.items[ahead.items[k]].piece;
            if (later == NULL || later->kind != GF_PIECE_STRETCH || later->lines.count == 0)
                continue;
            later_nodes[ahead.items[k]] = returns->checks[ahead.items[k]] = returns->any = true;
            piece->tells_failed = traps;
        }
    }
    if (!found || !returns->any)
        return;
    const char *why = "the conditions under which they returned can be evaluated again";
    if (simple && conditions.count <= 2) {
        const gf_expr **again = gf_new_array(split->arena, const gf_expr *, conditions.count);
        for (size_t i = 0; simple && i < conditions.count; i++) {
            const char *why_not;
            again[i] = try_recompute(state, conditions.items[i], COST_LIMIT, behind.items[i], at.items[i], &why_not);
            simple = again[i] != NULL;
        }
        if (simple) {
            returns->recompute = true;
            returns->conditions = again;
            returns->behind = behind.items;
            returns->condition_count = conditions.count;
            gf_symbol *name = gf_make_symbol(split->arena, GF_SYMBOL_LET, "returned invocations", GF_TYPE_BOOL, 0);
            add_crossing(split, name, GF_FATE_RECOMPUTE, 0, why, UINT32_MAX);
            return;
        }
    }
    split->returned_buffer = gf_split_add_buffer(split, GF_PLAN_BUFFER_RETURNED, "returned", GF_TYPE_U8,
                                                 gf_split_slot_count(split), "1 where an invocation has returned");
    split->returned = split->buffers.items[split->returned_buffer].symbol;
    add_crossing(split, split->returned, GF_FATE_RETURNED, 1, "who has returned takes no part in later segments",
                 split->returned_buffer);
}

void gf_split_fates(gf_split *split, gf_live *live, gf_fates *fates) {
    fate_state state = {.split = split, .live = live, .fates = fates};
    note_everything(&state);
    for (size_t i = 0; i < split->registers.count; i++) {
        const gf_symbol *symbol = split->registers.items[i];
        if (symbol->id < split->tree->symbol_count)
            add_crossing(split, symbol, GF_FATE_REGISTER, 0, "the same for the whole grid", UINT32_MAX);
    }
    decide_values(&state);
    decide_returns(&state);
    decide_shared(&state);
}
