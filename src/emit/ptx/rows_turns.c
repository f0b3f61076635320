/* Turns of rows, several at once, so that what they load is under way together. See rows.h. */
#include "emit/ptx/grid.h"
#include "emit/ptx/rows.h"

gf_pv gf_ptx_row_turns(gf_ptx_emit *e, gf_pv from, gf_pv to) {
    gf_pv left = gf_ptx_do(e, GF_OP_SUB, to, from);
    left.type = gf_type_bytes(left.type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    return left;
}

bool gf_ptx_can_go_together(const gf_block *body) {
    size_t lets = 0;
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        bool declares = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR;
        lets += declares;
        if (!declares && stmt->kind != GF_STMT_IF && stmt->kind != GF_STMT_EXPR && stmt->kind != GF_STMT_ASSIGN) {
            return false;
        }
    }
    return lets <= GF_PTX_MOST_LETS;
}

static void take_turn(gf_ptx_emit *e, const gf_ptx_together *t, unsigned turn) {
    *gf_ptx_name_of(e, e->rows->stmt->target.symbol) = (gf_ptx_named){.is_set = true, .value = t->here[turn]};
    e->rows->turn = turn;
    e->rows->is_there = t->is_there[turn];
    for (size_t i = 0; t->has_owners && i < e->rows->captured_count; i++) {
        *gf_ptx_name_of(e, e->rows->captured[i].symbol) = (gf_ptx_named){.is_set = true, .value = t->captured[turn][i]};
    }
    for (size_t i = 0; i < t->let_count; i++) {
        *gf_ptx_name_of(e, t->lets[i]) = t->named[turn][i];
    }
    e->is_open = true;
}

static void emit_one(gf_ptx_emit *e, const gf_stmt *stmt) {
    const gf_stmt *items[] = {stmt};
    gf_block block = {.items = items, .count = 1};
    gf_ptx_emit_block(e, &block);
}

/* Conditions first, with their loads, and then what each decides. */
static void emit_ifs(gf_ptx_emit *e, const gf_ptx_together *t, const gf_stmt *stmt) {
    gf_ptx *p = &e->p;
    gf_pv conditions[GF_PTX_IN_ORDER];
    for (unsigned turn = 0; turn < t->turns; turn++) {
        take_turn(e, t, turn);
        conditions[turn] = gf_ptx_register(p, gf_ptx_emit_expr(e, stmt->value));
    }
    for (unsigned turn = 0; turn < t->turns; turn++) {
        uint32_t otherwise = gf_ptx_label(p), after = gf_ptx_label(p);
        take_turn(e, t, turn);
        if (stmt->otherwise == NULL) {
            gf_ptx_jump_if(p, gf_ptx_both(e, conditions[turn], t->is_there[turn]), false, after);
        } else {
            gf_ptx_jump_if(p, t->is_there[turn], false, after);
            gf_ptx_jump_if(p, conditions[turn], false, otherwise);
        }
        gf_ptx_known known = {.outer = e->known, .condition = stmt->value};
        e->known = &known;
        gf_ptx_emit_block(e, stmt->body);
        e->known = known.outer;
        if (stmt->otherwise != NULL) {
            gf_ptx_jump(p, after);
            gf_ptx_arrive(e, otherwise);
            gf_ptx_emit_block(e, stmt->otherwise);
        }
        gf_ptx_arrive(e, after);
    }
}

static void emit_where_there(gf_ptx_emit *e, const gf_ptx_together *t, unsigned turn, const gf_stmt *stmt) {
    uint32_t after = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, t->is_there[turn], false, after);
    emit_one(e, stmt);
    gf_ptx_arrive(e, after);
}

void gf_ptx_emit_together(gf_ptx_emit *e, gf_ptx_together *t, const gf_block *body) {
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        bool declares = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR;
        if (stmt->kind == GF_STMT_IF) {
            emit_ifs(e, t, stmt);
            continue;
        }
        for (unsigned turn = 0; turn < t->turns; turn++) {
            take_turn(e, t, turn);
            if (!declares) {
                emit_where_there(e, t, turn, stmt);
                continue;
            }
            emit_one(e, stmt);
            t->lets[t->let_count] = stmt->target.symbol;
            t->named[turn][t->let_count] = *gf_ptx_name_of(e, stmt->target.symbol);
        }
        t->let_count += declares;
    }
}

static gf_pv turn_at(gf_ptx_emit *e, gf_pv from, gf_pv k) {
    gf_type type = e->rows->stmt->target.symbol->type;
    gf_pv here = gf_ptx_new_value(&e->p, type);
    gf_ptx_move(&e->p, here, gf_ptx_do(e, GF_OP_ADD, from, gf_ptx_cast(&e->p, type, k)));
    return here;
}

/* Some turns at once. Where a row ends among them, the last ones are not there: one by one they would be waited for
 * one by one. */
static void share_together(gf_ptx_emit *e, gf_pv from, gf_pv left, gf_pv k, gf_pv step) {
    gf_ptx *p = &e->p;
    gf_pv last = gf_ptx_register(p, gf_ptx_do(e, GF_OP_SUB, left, gf_ptx_u32(1)));
    gf_ptx_together t = {.turns = GF_PTX_TOGETHER};
    for (unsigned turn = 0; turn < GF_PTX_TOGETHER; turn++) {
        gf_pv at = gf_ptx_do(e, GF_OP_ADD, k, gf_ptx_do(e, GF_OP_MUL, step, gf_ptx_u32(turn)));
        t.is_there[turn] = gf_ptx_constant(GF_TYPE_BOOL, 1); /* the first is, or there would be none */
        if (turn > 0) {
            t.is_there[turn] = gf_ptx_register(p, gf_ptx_do(e, GF_OP_LT, at, left));
            at = gf_ptx_do(e, GF_OP_MIN, at, last);
        }
        t.here[turn] = turn_at(e, from, at);
    }
    gf_ptx_emit_together(e, &t, e->rows->stmt->body);
    gf_ptx_move(p, k, gf_ptx_do(e, GF_OP_ADD, k, gf_ptx_do(e, GF_OP_MUL, step, gf_ptx_u32(GF_PTX_TOGETHER))));
}

void gf_ptx_share_turns(gf_ptx_emit *e, gf_pv from, gf_pv count, gf_pv first, gf_pv step) {
    gf_ptx *p = &e->p;
    gf_pv k = gf_ptx_new_value(p, GF_TYPE_U32), left = gf_ptx_cast(p, GF_TYPE_U32, count);
    uint32_t head = gf_ptx_label(p), latch = gf_ptx_label(p), done = gf_ptx_label(p);
    gf_ptx_exit exit = {.outer = NULL, .on_break = done, .on_continue = latch};
    gf_ptx_exit *outer = e->exit;
    e->exit = &exit;
    gf_ptx_move(p, k, first);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, k, left), false, done);
    gf_ptx_place(p, head);
    if (gf_ptx_can_go_together(e->rows->stmt->body)) {
        share_together(e, from, left, k, step);
        gf_ptx_arrive(e, latch);
    } else {
        *gf_ptx_name_of(e, e->rows->stmt->target.symbol) = (gf_ptx_named){.is_set = true, .value = turn_at(e, from, k)};
        e->is_open = true;
        gf_ptx_emit_block(e, e->rows->stmt->body);
        gf_ptx_arrive(e, latch);
        gf_ptx_move(p, k, gf_ptx_do(e, GF_OP_ADD, k, step));
    }
    e->exit = outer;
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, k, left), true, head);
    gf_ptx_arrive(e, done);
}

/* Turn `at` of a row, or none: an index of all ones is behind the end of any array, so that what would be loaded is not
 * asked for. Nothing is known of the values that the loop's variable has here, so that each of its loads is guarded;
 * and rows of checked code are not shared. */
static gf_pv turn_if(gf_ptx_emit *e, gf_pv is_there, gf_pv from, gf_pv at) {
    gf_pv here = turn_at(e, from, at);
    gf_pv nowhere = gf_ptx_constant(here.type, gf_type_bytes(here.type) == 8 ? UINT64_MAX : UINT32_MAX);
    gf_ptx_move(&e->p, here, gf_ptx_choose(e, is_there, here, nowhere));
    return here;
}

/* Sums of floats, by one thread: what some turns load is under way together. Those that a row lacks at its end load
 * nothing and are not added: where rows have five turns three of eight are none, and the first cache has enough to do
 * with the others. */
void gf_ptx_sum_in_order(gf_ptx_emit *e, gf_pv from, gf_pv count) {
    gf_ptx *p = &e->p;
    const gf_ptx_rows *rows = e->rows;
    const gf_block *body = rows->stmt->body;
    gf_block lets = {.items = body->items, .count = body->count - rows->sum_count};
    gf_pv left = gf_ptx_new_value(p, GF_TYPE_U32), at = gf_ptx_new_value(p, from.type);
    uint32_t head = gf_ptx_label(p);
    gf_ptx_together t = {.turns = GF_PTX_IN_ORDER};
    e->sums_rows = true;
    e->rows->in_strips = true;
    gf_ptx_begin_strips(e, from);
    gf_ptx_move(p, left, gf_ptx_cast(p, GF_TYPE_U32, count));
    gf_ptx_move(p, at, from);
    gf_ptx_place(p, head);
    for (unsigned turn = 0; turn < GF_PTX_IN_ORDER; turn++) {
        gf_pv k = gf_ptx_u32(turn);
        t.is_there[turn] = gf_ptx_register(p, gf_ptx_do(e, GF_OP_GT, left, k));
        t.here[turn] = turn == 0 ? turn_at(e, at, k) : turn_if(e, t.is_there[turn], at, k);
    }
    gf_ptx_emit_together(e, &t, &lets);
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_pv addends[GF_PTX_IN_ORDER], sum = gf_ptx_name_of(e, rows->sums[i])->value;
        for (unsigned turn = 0; turn < GF_PTX_IN_ORDER; turn++) {
            take_turn(e, &t, turn);
            addends[turn] = gf_ptx_emit_expr(e, body->items[lets.count + i]->value);
        }
        for (unsigned turn = 0; turn < GF_PTX_IN_ORDER; turn++) {
            gf_pv more = gf_ptx_do(e, rows->sum_ops[i], sum, addends[turn]);
            gf_ptx_move(p, sum, turn == 0 ? more : gf_ptx_choose(e, t.is_there[turn], more, sum));
        }
    }
    e->rows->in_strips = false;
    gf_ptx_move_strips(e, GF_PTX_IN_ORDER);
    gf_ptx_move(p, at, gf_ptx_do(e, GF_OP_ADD, at, gf_ptx_constant(at.type, GF_PTX_IN_ORDER)));
    gf_pv again = gf_ptx_do(e, GF_OP_GT, left, gf_ptx_u32(GF_PTX_IN_ORDER));
    gf_ptx_move(p, left, gf_ptx_do(e, GF_OP_SUB, left, gf_ptx_u32(GF_PTX_IN_ORDER)));
    gf_ptx_jump_if(p, again, true, head);
}
