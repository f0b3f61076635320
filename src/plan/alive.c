/* Takes returns out of the lines of a segment, so that every lane reaches its end: a flag says whether the invocation
 * still lives, and what it would not have executed is guarded by it. Barriers, uniform control and values of the
 * workgroup ignore the flag, as the language says. A return that the workgroup takes together stays: nobody is left who
 * could look at its arrays. */
#include "ir/eval.h"
#include "plan/split.h"

typedef struct guard {
    gf_split *split;
    const gf_symbol *live;
    bool *as_var;
} guard;

typedef struct stmt_vec {
    const gf_stmt **items;
    size_t count, capacity;
} stmt_vec;

static const gf_expr *is_live(const guard *g) {
    return gf_make_name(g->split->arena, g->live);
}

static const gf_block *one(const guard *g, const gf_stmt *stmt) {
    const gf_stmt **items = gf_new_array(g->split->arena, const gf_stmt *, 1);
    items[0] = stmt;
    return gf_make_block(g->split->arena, items, 1);
}

static bool find_barrier(void *user, const gf_stmt *stmt) {
    bool *found = user;
    bool cross = stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS;
    *found |= stmt->kind == GF_STMT_BARRIER || cross || stmt->level >= GF_LEVEL_GROUP;
    return true;
}

static bool holds_barrier(const gf_stmt *stmt) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .stmt = find_barrier};
    gf_visit_stmt(&visitor, stmt);
    return found;
}

static void guard_list(guard *g, const gf_stmt *const *items, size_t count, bool maybe_gone, stmt_vec *out);

static const gf_block *guard_block(guard *g, const gf_block *block, bool maybe_gone) {
    if (block == NULL)
        return NULL;
    stmt_vec out = {0};
    guard_list(g, block->items, block->count, maybe_gone, &out);
    return gf_make_block(g->split->arena, out.items, out.count);
}

/* The statement with its returns replaced, blocks inside guarded. */
static const gf_stmt *take_out(guard *g, const gf_stmt *stmt, bool maybe_gone) {
    gf_arena *arena = g->split->arena;
    if (stmt->kind == GF_STMT_RETURN && stmt->level >= GF_LEVEL_GROUP)
        return stmt;
    if (stmt->kind == GF_STMT_RETURN)
        return gf_make_assign(arena, g->live, gf_make_literal(arena, GF_TYPE_BOOL, 0));
    if (stmt->body == NULL || !(gf_holds_return(stmt) || maybe_gone))
        return stmt;
    bool loops = stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE || stmt->kind == GF_STMT_LOOP;
    bool plain_loop = loops && stmt->level == GF_LEVEL_NONE;
    /* A loop of the workgroup goes on without those who returned in a turn before. */
    bool gone_before = maybe_gone || (loops && !plain_loop && gf_holds_return(stmt));
    gf_stmt *copy = gf_arena_copy(arena, stmt, sizeof *stmt);
    copy->body = guard_block(g, stmt->body, gone_before);
    copy->otherwise = guard_block(g, stmt->otherwise, maybe_gone);
    if (plain_loop && gf_holds_return(stmt)) {
        /* Leave the loop with the invocation, at the end of the turn: a `continue` behind the return is guarded, and
         * does not pass the check by. */
        const gf_stmt *leave = gf_make_if(arena, gf_make_op1(arena, GF_OP_NOT, is_live(g)),
                                          one(g, gf_make_simple(arena, GF_STMT_BREAK)), NULL);
        const gf_stmt **items = gf_new_array(arena, const gf_stmt *, copy->body->count + 1);
        for (size_t i = 0; i < copy->body->count; i++)
            items[i] = copy->body->items[i];
        items[copy->body->count] = leave;
        copy->body = gf_make_block(arena, items, copy->body->count + 1);
    }
    return copy;
}

static bool find_effect(void *user, const gf_expr *expr) {
    bool *found = user;
    *found |= expr->kind == GF_EXPR_ATOMIC || expr->kind == GF_EXPR_CALL;
    return true;
}

/* What the invocation gives to an operation of its workgroup: the neutral value where it is gone. What has effects is
 * computed by the living alone, in a statement before. */
static const gf_expr *contribution(guard *g, const gf_expr *argument, uint64_t neutral, stmt_vec *out) {
    gf_split *split = g->split;
    gf_arena *arena = split->arena;
    const gf_expr *nothing = gf_make_literal(arena, argument->type, neutral);
    bool effect = false;
    const gf_visitor visitor = {.user = &effect, .expr = find_effect};
    gf_visit_expr(&visitor, argument);
    if (!effect)
        return gf_make_op3(arena, GF_OP_SELECT, is_live(g), argument, nothing);
    const char *name = gf_arena_format(arena, "given_%u", split->symbol_count);
    const gf_symbol *given = gf_split_new_local(split, GF_SYMBOL_VAR, name, argument->type);
    gf_push(arena, out, gf_make_var(arena, given, nothing));
    gf_push(arena, out, gf_make_if(arena, is_live(g), one(g, gf_make_assign(arena, given, argument)), NULL));
    return gf_make_name(arena, given);
}

/* A statement in which the whole workgroup takes part. */
static const gf_stmt *together(guard *g, const gf_stmt *stmt, stmt_vec *out) {
    gf_arena *arena = g->split->arena;
    if (stmt->value == NULL || stmt->value->kind != GF_EXPR_CROSS)
        return take_out(g, stmt, true);
    const gf_expr *argument = stmt->value->args[0];
    uint64_t neutral = gf_combine_neutral(gf_cross_combine(stmt->value->cross), argument->type);
    const gf_expr **args = gf_new_array(arena, const gf_expr *, 1);
    args[0] = contribution(g, argument, neutral, out);
    gf_expr *cross = gf_arena_copy(arena, stmt->value, sizeof *stmt->value);
    cross->args = args;
    gf_stmt *copy = gf_arena_copy(arena, stmt, sizeof *stmt);
    copy->value = cross;
    return copy;
}

static bool declares(const gf_stmt *stmt) {
    return stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR;
}

/* Computes a value of the workgroup again, behind a cut: the statement has no level, but its symbol has. */
static bool is_again(const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    return declares(stmt) && symbol->uniform >= GF_LEVEL_GROUP && symbol->declared >= GF_LEVEL_GROUP;
}

static void guard_list(guard *g, const gf_stmt *const *items, size_t count, bool maybe_gone, stmt_vec *out) {
    gf_arena *arena = g->split->arena;
    for (size_t i = 0; i < count; i++) {
        const gf_stmt *stmt = items[i];
        bool scope = stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK;
        if (!maybe_gone || scope) {
            gf_push(arena, out, take_out(g, stmt, maybe_gone));
        } else if (is_again(stmt) || holds_barrier(stmt)) {
            const gf_stmt *made = together(g, stmt, out);
            gf_push(arena, out, made);
        } else if (declares(stmt) && stmt->value != NULL) {
            /* In scope for what follows, whether or not it is computed. */
            if (stmt->target.symbol->id < g->split->tree->symbol_count)
                g->as_var[stmt->target.symbol->id] = true;
            gf_push(arena, out, gf_make_var(arena, stmt->target.symbol, NULL));
            gf_push(
                arena, out,
                gf_make_if(arena, is_live(g), one(g, gf_make_assign(arena, stmt->target.symbol, stmt->value)), NULL));
        } else if (declares(stmt)) {
            gf_push(arena, out, stmt);
        } else {
            gf_push(arena, out, gf_make_if(arena, is_live(g), one(g, take_out(g, stmt, false)), NULL));
        }
        maybe_gone = maybe_gone || gf_holds_return(stmt);
    }
}

bool *gf_split_guard_returns(gf_split *split, const gf_symbol *live, gf_line_list *lines) {
    guard g = {.split = split, .live = live};
    g.as_var = gf_new_array(split->arena, bool, split->tree->symbol_count);
    gf_line_list out = {0};
    bool gone = false;
    for (size_t i = 0; i < lines->count; i++) {
        stmt_vec made = {0};
        guard_list(&g, &lines->items[i].stmt, 1, gone, &made);
        for (size_t k = 0; k < made.count; k++)
            gf_push(split->arena, &out, ((gf_line){.stmt = made.items[k], .path = lines->items[i].path}));
        gone = gone || gf_holds_return(lines->items[i].stmt);
    }
    *lines = out;
    return g.as_var;
}

/* ---- workgroups of which nobody is left ---- */

static bool find_group_construct(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found |= stmt->body != NULL && stmt->level == GF_LEVEL_GROUP;
    return true;
}

bool gf_split_controls_group(const gf_line_list *lines) {
    bool found = false;
    const gf_visitor visitor = {.user = &found, .stmt = find_group_construct};
    for (size_t i = 0; i < lines->count; i++)
        gf_visit_stmt(&visitor, lines->items[i].stmt);
    return found;
}

const gf_stmt *gf_split_at_group_level(gf_split *split, const gf_stmt *stmt) {
    gf_stmt *copy = gf_arena_copy(split->arena, stmt, sizeof *stmt);
    copy->level = GF_LEVEL_GROUP;
    return copy;
}

void gf_split_return_together(gf_split *split, gf_line_list *out) {
    gf_arena *arena = split->arena;
    gf_symbol *some = gf_split_new_local(split, GF_SYMBOL_LET, "some", GF_TYPE_BOOL);
    some->uniform = some->declared = GF_LEVEL_GROUP;
    const gf_expr *any = gf_make_cross(arena, GF_CROSS_ANY, GF_LEVEL_GROUP, gf_make_literal(arena, GF_TYPE_BOOL, 1));
    const gf_stmt **leave = gf_new_array(arena, const gf_stmt *, 1);
    leave[0] = gf_split_at_group_level(split, gf_make_simple(arena, GF_STMT_RETURN));
    const gf_expr *none = gf_make_op1(arena, GF_OP_NOT, gf_make_name(arena, some));
    gf_push(arena, out, ((gf_line){.stmt = gf_split_at_group_level(split, gf_make_let(arena, some, any))}));
    gf_push(arena, out,
            ((gf_line){.stmt = gf_split_at_group_level(
                           split, gf_make_if(arena, none, gf_make_block(arena, leave, 1), NULL))}));
}
