/* For devices that have only `if` and `while` between launches: break, continue and return of the tree become
 * registers that guard what they would have skipped, and a `for` becomes a `while` that counts its turns. */
#include "ir/eval.h"
#include "plan/split.h"

typedef struct exit_flags {
    const gf_symbol *leave; /* the loop around is left */
    const gf_symbol *skip;  /* the rest of this turn is skipped */
} exit_flags;

typedef struct lowering {
    gf_split *split;
    const gf_symbol *done; /* the pass is over; NULL where there is no return */
} lowering;

static gf_plan_node *add_node(lowering *l, gf_node_list *out, gf_plan_node_kind kind, gf_span span) {
    gf_plan_node *node = gf_new(l->split->arena, gf_plan_node);
    node->kind = kind;
    node->span = span;
    node->buffer = node->second = UINT32_MAX;
    gf_push(l->split->arena, out, (const gf_plan_node *)node);
    return node;
}

static void add_set(lowering *l, gf_node_list *out, const gf_symbol *target, const gf_expr *value, gf_span span) {
    gf_plan_node *node = add_node(l, out, GF_PLAN_SET, span);
    node->target = target;
    node->value = value;
}

static const gf_expr *truth(lowering *l, bool value) {
    return gf_make_literal(l->split->arena, GF_TYPE_BOOL, value);
}

static const gf_expr *name(lowering *l, const gf_symbol *symbol) {
    return gf_make_name(l->split->arena, symbol);
}

static const gf_expr *both(lowering *l, const gf_expr *a, const gf_expr *b) {
    if (a == NULL || b == NULL)
        return a == NULL ? b : a;
    const gf_expr **args = gf_new_array(l->split->arena, const gf_expr *, 2);
    args[0] = a;
    args[1] = b;
    gf_expr *expr = gf_new(l->split->arena, gf_expr);
    *expr = (gf_expr){.kind = GF_EXPR_AND, .type = GF_TYPE_BOOL, .args = args, .arg_count = 2, .span = a->span};
    return expr;
}

static const gf_expr *not_set(lowering *l, const gf_symbol *flag) {
    return flag == NULL ? NULL : gf_make_op1(l->split->arena, GF_OP_NOT, name(l, flag));
}

static bool holds(const gf_plan_block *block, gf_plan_node_kind kind, bool into_loops) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        bool loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
        if (node->kind == kind)
            return true;
        if ((!loop || into_loops) && (holds(node->body, kind, into_loops) || holds(node->otherwise, kind, into_loops)))
            return true;
    }
    return false;
}

static bool one_holds(const gf_plan_node *node, gf_plan_node_kind kind, bool into_loops) {
    gf_plan_block block = {.items = &node, .count = 1};
    return holds(&block, kind, into_loops);
}

static const gf_plan_block *lower_block(lowering *l, const gf_plan_block *block, exit_flags flags);

static const gf_plan_block *finish_block(lowering *l, const gf_node_list *nodes) {
    gf_plan_block *block = gf_new(l->split->arena, gf_plan_block);
    *block = (gf_plan_block){.items = nodes->items, .count = nodes->count};
    return block;
}

/* ceil((to - from) / step) as u64, none where the signs do not agree. */
static const gf_expr *turn_count(lowering *l, const gf_symbol *from, const gf_symbol *to, const gf_symbol *step) {
    gf_arena *arena = l->split->arena;
    bool narrow = from->type == GF_TYPE_U32 || from->type == GF_TYPE_I32;
    gf_type wide = narrow ? GF_TYPE_I64 : GF_TYPE_U64;
    const gf_expr *a = name(l, from), *b = name(l, to), *s = name(l, step);
    const gf_expr *counts[2];
    for (unsigned down = 0; down < 2; down++) {
        const gf_expr *low = down ? b : a, *high = down ? a : b;
        const gf_expr *width = gf_make_cast(
            arena, GF_TYPE_U64,
            gf_make_op2(arena, GF_OP_SUB, gf_make_cast(arena, wide, high), gf_make_cast(arena, wide, low)));
        const gf_expr *size = gf_make_cast(arena, wide, s);
        size = gf_make_cast(arena, GF_TYPE_U64, down ? gf_make_op1(arena, GF_OP_NEG, size) : size);
        const gf_expr *rest = gf_make_op2(arena, GF_OP_NE, gf_make_op2(arena, GF_OP_REM, width, size),
                                          gf_make_literal(arena, GF_TYPE_U64, 0));
        const gf_expr *turns = gf_make_op2(arena, GF_OP_ADD, gf_make_op2(arena, GF_OP_DIV, width, size),
                                           gf_make_cast(arena, GF_TYPE_U64, rest));
        counts[down] = gf_make_op3(arena, GF_OP_SELECT, gf_make_op2(arena, GF_OP_LT, low, high), turns,
                                   gf_make_literal(arena, GF_TYPE_U64, 0));
    }
    const gf_expr *zero = gf_make_literal(arena, step->type, 0);
    const gf_expr *none = gf_make_literal(arena, GF_TYPE_U64, 0);
    /* A step of 0 makes no turn. */
    counts[0] = gf_make_op3(arena, GF_OP_SELECT, gf_make_op2(arena, GF_OP_EQ, s, zero), none, counts[0]);
    if (!gf_type_is_signed(from->type))
        return counts[0];
    const gf_expr *negative = gf_make_op2(arena, GF_OP_LT, s, gf_make_literal(arena, step->type, 0));
    return gf_make_op3(arena, GF_OP_SELECT, negative, counts[1], counts[0]);
}

/* Known without a run. */
static bool find_turns(const gf_plan_node *node, uint64_t *turns) {
    gf_env nothing = {0};
    uint64_t from = 0, to = 0, step = 1;
    if (!gf_eval(node->from, &nothing, &from) || !gf_eval(node->to, &nothing, &to) ||
        (node->step != NULL && !gf_eval(node->step, &nothing, &step)))
        return false;
    *turns = gf_eval_turns(node->target->type, from, to, step);
    return true;
}

static void lower_loop(lowering *l, const gf_plan_node *node, gf_node_list *out) {
    gf_split *split = l->split;
    exit_flags flags = {0};
    const gf_expr *condition = node->value;
    const gf_symbol *turn = NULL, *step = NULL;
    if (holds(node->body, GF_PLAN_BREAK, false)) {
        flags.leave = gf_split_new_register(split, "break", GF_TYPE_BOOL);
        add_set(l, out, flags.leave, truth(l, false), node->span);
    }
    if (holds(node->body, GF_PLAN_CONTINUE, false))
        flags.skip = gf_split_new_register(split, "continue", GF_TYPE_BOOL);
    if (node->kind == GF_PLAN_FOR) {
        gf_type type = node->target->type;
        const gf_symbol *to = gf_split_new_register(split, "to", type);
        const gf_symbol *turns = gf_split_new_register(split, "turns", GF_TYPE_U64);
        const gf_symbol *from = gf_split_new_register(split, "from", type);
        step = gf_split_new_register(split, "step", type);
        turn = gf_split_new_register(split, "turn", GF_TYPE_U64);
        add_set(l, out, from, node->from, node->span);
        add_set(l, out, to, node->to, node->span);
        add_set(l, out, step, node->step != NULL ? node->step : gf_make_literal(split->arena, type, 1), node->span);
        add_set(l, out, turns, turn_count(l, from, to, step), node->span);
        add_set(l, out, turn, gf_make_literal(split->arena, GF_TYPE_U64, 0), node->span);
        add_set(l, out, node->target, name(l, from), node->span);
        condition = gf_make_op2(split->arena, GF_OP_LT, name(l, turn), name(l, turns));
    }
    const gf_symbol *done = holds(node->body, GF_PLAN_RETURN, true) ? l->done : NULL;
    gf_plan_node *loop = add_node(l, out, GF_PLAN_WHILE, node->span);
    loop->value = both(l, both(l, not_set(l, flags.leave), not_set(l, done)), condition);
    bool is_left = flags.leave != NULL || done != NULL;
    loop->has_turns = node->kind == GF_PLAN_FOR && !is_left && find_turns(node, &loop->turns);
    gf_node_list body = {0};
    if (flags.skip != NULL)
        add_set(l, &body, flags.skip, truth(l, false), node->span);
    const gf_plan_block *inner = lower_block(l, node->body, flags);
    for (size_t i = 0; i < inner->count; i++)
        gf_push(split->arena, &body, inner->items[i]);
    if (turn != NULL) {
        gf_arena *arena = split->arena;
        add_set(l, &body, node->target, gf_make_op2(arena, GF_OP_ADD, name(l, node->target), name(l, step)),
                node->span);
        add_set(l, &body, turn, gf_make_op2(arena, GF_OP_ADD, name(l, turn), gf_make_literal(arena, GF_TYPE_U64, 1)),
                node->span);
    }
    loop->body = finish_block(l, &body);
}

static void lower_node(lowering *l, const gf_plan_node *node, exit_flags flags, gf_node_list *out) {
    switch (node->kind) {
    case GF_PLAN_BREAK:
        add_set(l, out, flags.leave, truth(l, true), node->span);
        break;
    case GF_PLAN_CONTINUE:
        add_set(l, out, flags.skip, truth(l, true), node->span);
        break;
    case GF_PLAN_RETURN:
        add_set(l, out, l->done, truth(l, true), node->span);
        break;
    case GF_PLAN_WHILE:
    case GF_PLAN_FOR:
        lower_loop(l, node, out);
        break;
    case GF_PLAN_IF: {
        gf_plan_node *choice = add_node(l, out, GF_PLAN_IF, node->span);
        choice->value = node->value;
        choice->body = lower_block(l, node->body, flags);
        choice->otherwise = node->otherwise == NULL ? NULL : lower_block(l, node->otherwise, flags);
        break;
    }
    case GF_PLAN_SEGMENT:
    case GF_PLAN_SET:
    case GF_PLAN_REDUCE:
    case GF_PLAN_SCAN:
    case GF_PLAN_FILL:
    case GF_PLAN_SWAP:
    case GF_PLAN_COLLECTIVE:
    case GF_PLAN_CONVERGED:
        gf_push(l->split->arena, out, node);
        break;
    }
}

static const gf_plan_block *lower_block(lowering *l, const gf_plan_block *block, exit_flags flags) {
    gf_node_list out = {0};
    for (size_t i = 0; i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        lower_node(l, node, flags, &out);
        bool leaves = one_holds(node, GF_PLAN_BREAK, false), skips = one_holds(node, GF_PLAN_CONTINUE, false),
             returns = one_holds(node, GF_PLAN_RETURN, true);
        if (!leaves && !skips && !returns)
            continue;
        /* What follows runs only where none of them happened. */
        gf_plan_block rest = {.items = block->items + i + 1, .count = block->count - i - 1};
        if (rest.count != 0) {
            gf_plan_node *guard = add_node(l, &out, GF_PLAN_IF, node->span);
            guard->value =
                both(l, both(l, not_set(l, leaves ? flags.leave : NULL), not_set(l, skips ? flags.skip : NULL)),
                     not_set(l, returns ? l->done : NULL));
            guard->body = lower_block(l, &rest, flags);
        }
        break;
    }
    return finish_block(l, &out);
}

void gf_plan_lower_exits(gf_split *split) {
    lowering l = {.split = split};
    gf_node_list out = {0};
    if (holds(split->plan->body, GF_PLAN_RETURN, true)) {
        l.done = gf_split_new_register(split, "done", GF_TYPE_BOOL);
        add_set(&l, &out, l.done, truth(&l, false), GF_NO_SPAN);
    }
    const gf_plan_block *body = lower_block(&l, split->plan->body, (exit_flags){0});
    for (size_t i = 0; i < body->count; i++)
        gf_push(split->arena, &out, body->items[i]);
    split->plan->body = finish_block(&l, &out);
}
