/* Loops of one invocation, and how those come to an end that have none.
 *
 * A run that is to end says so in a word of the state, and a loop that might go on for ever looks there each so many
 * turns. Loops inside it count in the same register, and who has left one leaves the next at its first turn. The look
 * is also what keeps a loop that does nothing: the driver's compiler takes others out, and an endless one would seem to
 * have come to an end. */
#include "emit/ptx/abi.h"
#include "emit/ptx/index.h"
#include "emit/ptx/rows.h"
#include "ir/eval.h"
#include "ir/visit.h"

#define TURNS 65536 /* between two looks at the stop word */

static const gf_pv none = {0};

/* ---- the stop word ---- */

/* Whether it is the outermost one. */
static bool begin_turns(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    if (e->turns.type != GF_TYPE_NONE) {
        return false;
    }
    gf_pv start = gf_ptx_constant(GF_TYPE_U32, 0), last = gf_ptx_constant(GF_TYPE_U32, TURNS - 1);
    e->turns = gf_ptx_new_value(p, GF_TYPE_U32);
    if (e->ended.type == GF_TYPE_BOOL) {
        start = gf_ptx_op(p, GF_OP_SELECT, GF_TYPE_U32, GF_TYPE_NONE, e->ended, last, start);
    }
    gf_ptx_move(p, e->turns, start);
    return true;
}

static void end_turns(gf_ptx_emit *e, bool outermost) {
    if (outermost) {
        e->turns = none;
    }
}

gf_pv gf_ptx_is_stopped(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    gf_pv state = gf_ptx_new_value(p, GF_TYPE_U64), stop = gf_ptx_new_value(p, GF_TYPE_U32);
    const gf_ptx_operand at = gf_ptx_spell(state);
    e->has_polled = true;
    gf_ptx_line(p, "ld.const.u64 %s, [gf_args+%d]", at.text, 8 * GF_PTX_ARGS_STATE);
    gf_ptx_line(p, "ld.relaxed.gpu.global.u32 %s, [%s+%d]", gf_ptx_spell(stop).text, at.text, GF_PTX_STATE_STOP);
    return gf_ptx_op(p, GF_OP_NE, GF_TYPE_U32, GF_TYPE_U32, stop, gf_ptx_constant(GF_TYPE_U32, 0), none);
}

void gf_ptx_tell_left(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    gf_pv outcome = gf_ptx_new_value(p, GF_TYPE_U64), one = gf_ptx_register(p, gf_ptx_constant(GF_TYPE_U32, 1));
    const gf_ptx_operand at = gf_ptx_spell(outcome);
    gf_ptx_line(p, "ld.const.u64 %s, [gf_args+%d]", at.text, 8 * GF_PTX_ARGS_OUTCOME);
    gf_ptx_line(p, "st.relaxed.sys.global.u32 [%s+%d], %s", at.text, 8 * GF_PTX_OUTCOME_LEFT, gf_ptx_spell(one).text);
    if (e->ended.type == GF_TYPE_BOOL) {
        e->has_ended = true;
        gf_ptx_move(p, e->ended, gf_ptx_constant(GF_TYPE_BOOL, 1));
    }
}

/* The end of a turn: back to `head` where the loop goes on. One comparison more, and rarely a look. */
static void turn_back(gf_ptx_emit *e, gf_pv goes_on, uint32_t head, uint32_t after) {
    gf_ptx *p = &e->p;
    if (!e->is_open) {
        return;
    }
    gf_pv one = gf_ptx_constant(GF_TYPE_U32, 1), most = gf_ptx_constant(GF_TYPE_U32, TURNS);
    gf_ptx_move(p, e->turns, gf_ptx_op(p, GF_OP_ADD, GF_TYPE_U32, GF_TYPE_U32, e->turns, one, none));
    gf_pv few = gf_ptx_op(p, GF_OP_LT, GF_TYPE_U32, GF_TYPE_U32, e->turns, most, none);
    gf_ptx_jump_if(p, gf_ptx_op(p, GF_OP_AND, GF_TYPE_BOOL, GF_TYPE_BOOL, goes_on, few, none), true, head);
    gf_ptx_jump_if(p, goes_on, false, after);
    gf_ptx_move(p, e->turns, gf_ptx_constant(GF_TYPE_U32, 0));
    gf_ptx_jump_if(p, gf_ptx_is_stopped(e), false, head);
    gf_ptx_tell_left(e);
    gf_ptx_go(e, e->on_end);
}

/* How many turns a for takes that nobody counts, those of the loops in its body among them; at most, and 0 of other
 * loops, which count theirs. */
static double most_turns(const gf_stmt *stmt);

static bool add_stmt_turns(void *user, const gf_stmt *stmt) {
    double *sum = user;
    bool is_for = stmt->kind == GF_STMT_FOR;
    *sum += is_for ? most_turns(stmt) : 0;
    return !is_for;
}

static bool is_known(const gf_expr *expr, uint64_t *bits) {
    bool is_const = expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind == GF_SYMBOL_CONST;
    *bits = is_const ? expr->ref.symbol->constant.bits : expr->bits;
    return is_const || expr->kind == GF_EXPR_LITERAL;
}

static double most_turns(const gf_stmt *stmt) {
    double inside = 0, turns = UINT32_MAX;
    uint64_t from = 0, to = 0;
    gf_visit_block(&(gf_visitor){.user = &inside, .stmt = add_stmt_turns, .into_calls = true}, stmt->body);
    if (is_known(stmt->from, &from) && is_known(stmt->to, &to) && stmt->step == NULL) {
        turns = (double)gf_eval_turns(stmt->from->type, from, to, 1);
    }
    return turns * (1 + inside);
}

/* A 32-bit type has an end of turns, and a nest of two has none that anyone lives to see. */
static bool may_last(gf_ptx_emit *e, const gf_stmt *stmt, gf_pv from, gf_pv to) {
    bool few = from.is_constant && to.is_constant && to.bits - from.bits <= UINT32_MAX;
    few = few || gf_type_bytes(from.type) < 8;
    few = few || (from.type == GF_TYPE_U64 && gf_ptx_range_of(e, stmt->to).most <= UINT32_MAX);
    return !few || most_turns(stmt) > UINT32_MAX;
}

/* Before a loop that does not look: loops around it that do count its turns as well, as far as they matter. */
static void count_turns(gf_ptx_emit *e, gf_pv turns) {
    gf_ptx *p = &e->p;
    gf_pv most = gf_ptx_constant(turns.type, TURNS);
    gf_pv some = gf_ptx_cast(p, GF_TYPE_U32, gf_ptx_op(p, GF_OP_MIN, turns.type, turns.type, turns, most, none));
    gf_ptx_move(p, e->turns, gf_ptx_op(p, GF_OP_ADD, GF_TYPE_U32, GF_TYPE_U32, e->turns, some, none));
}

/* Of a loop that goes up. */
static void bind_loop_range(gf_ptx_emit *e, const gf_stmt *stmt) {
    gf_ptx_range from = gf_ptx_range_of(e, stmt->from), to = gf_ptx_range_of(e, stmt->to);
    uint64_t most = to.most > 0 ? to.most - 1 : 0;
    gf_ptx_bind_range(e, stmt->target.symbol, (gf_ptx_range){from.least, most > from.least ? most : from.least});
}

static void emit_turn(gf_ptx_emit *e, const gf_stmt *stmt, uint32_t latch, uint32_t after) {
    gf_ptx_exit exit = {.outer = e->exit, .on_break = after, .on_continue = latch};
    e->exit = &exit;
    gf_ptx_emit_block(e, stmt->body);
    e->exit = exit.outer;
    gf_ptx_arrive(e, latch);
}

static void go_round(gf_ptx_emit *e, bool lasts, gf_pv goes_on, uint32_t body, uint32_t after) {
    if (lasts) {
        turn_back(e, goes_on, body, after);
    } else {
        gf_ptx_jump_if(&e->p, goes_on, true, body);
    }
}

/* A step of which the sign is known: there is no wrap before the last turn, and nothing to divide. */
static bool is_plain(gf_type type, gf_pv step) {
    return (step.is_constant && step.bits != 0) || !gf_type_is_signed(type);
}

static bool goes_down(gf_type type, gf_pv step) {
    return gf_type_is_signed(type) && (gf_type_bytes(type) == 8 ? (int64_t)step.bits < 0 : (int32_t)step.bits < 0);
}

/* for (i = from; i is before to; i += step), where the last turn is known by what is left: i itself may go around. */
static void emit_plain_for(gf_ptx_emit *e, const gf_stmt *stmt, gf_pv from, gf_pv to, gf_pv step) {
    gf_ptx *p = &e->p;
    gf_type type = stmt->target.symbol->type, plain = gf_type_bytes(type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    bool down = goes_down(type, step);
    uint32_t body = gf_ptx_label(p), latch = gf_ptx_label(p), after = gf_ptx_label(p);
    gf_pv i = gf_ptx_new_value(p, type);
    gf_pv some = gf_ptx_op(p, down ? GF_OP_GT : GF_OP_LT, type, type, from, to, none);
    if (some.is_constant && some.bits == 0) {
        return;
    }
    gf_ptx_move(p, i, from);
    gf_ptx_jump_if(p, some, false, after);
    if (!step.is_constant) {
        gf_ptx_jump_if(p, gf_ptx_op(p, GF_OP_EQ, type, type, step, gf_ptx_constant(type, 0), none), true, after);
    }
    gf_ptx_bind(e, stmt->target.symbol, i, false);
    bind_loop_range(e, stmt);
    bool lasts = may_last(e, stmt, from, to), outermost = lasts && begin_turns(e);
    if (!lasts && e->turns.type != GF_TYPE_NONE) {
        gf_pv far = gf_ptx_op(p, GF_OP_SUB, type, type, down ? from : to, down ? to : from, none);
        far.type = plain;
        count_turns(e, far);
    }
    gf_ptx_place(p, body);
    emit_turn(e, stmt, latch, after);
    gf_pv goes_on;
    if (step.is_constant && step.bits == 1) {
        gf_ptx_move(p, i, gf_ptx_op(p, GF_OP_ADD, type, type, i, step, none));
        goes_on = gf_ptx_op(p, GF_OP_NE, type, type, i, to, none);
    } else {
        gf_pv size = down ? gf_ptx_constant(plain, 0 - step.bits) : step;
        gf_pv left =
            down ? gf_ptx_op(p, GF_OP_SUB, type, type, i, to, none) : gf_ptx_op(p, GF_OP_SUB, type, type, to, i, none);
        left.type = size.type = plain;
        goes_on = gf_ptx_op(p, GF_OP_GT, plain, plain, left, size, none);
        gf_ptx_move(p, i, gf_ptx_op(p, GF_OP_ADD, type, type, i, step, none));
    }
    go_round(e, lasts, goes_on, body, after);
    end_turns(e, outermost);
    gf_ptx_arrive(e, after);
}

/* Turns are counted: of 32-bit types there are fewer than 2^32. */
static void emit_counted_for(gf_ptx_emit *e, const gf_stmt *stmt, gf_pv from, gf_pv to, gf_pv step) {
    gf_ptx *p = &e->p;
    gf_type type = stmt->target.symbol->type, plain = gf_type_bytes(type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    uint32_t body = gf_ptx_label(p), latch = gf_ptx_label(p), after = gf_ptx_label(p);
    gf_pv zero = gf_ptx_constant(plain, 0), one = gf_ptx_constant(plain, 1);
    gf_pv turns = gf_ptx_cast(p, plain, gf_ptx_turns(p, type, from, to, true, step));
    gf_pv i = gf_ptx_new_value(p, type), left = gf_ptx_new_value(p, plain);
    gf_ptx_move(p, i, from);
    gf_ptx_move(p, left, turns);
    gf_ptx_jump_if(p, gf_ptx_op(p, GF_OP_EQ, plain, plain, left, zero, none), true, after);
    gf_ptx_bind(e, stmt->target.symbol, i, false);
    bool lasts = may_last(e, stmt, from, to), outermost = lasts && begin_turns(e);
    if (!lasts && e->turns.type != GF_TYPE_NONE) {
        count_turns(e, turns);
    }
    gf_ptx_place(p, body);
    emit_turn(e, stmt, latch, after);
    gf_ptx_move(p, i, gf_ptx_op(p, GF_OP_ADD, type, type, i, step, none));
    gf_ptx_move(p, left, gf_ptx_op(p, GF_OP_SUB, plain, plain, left, one, none));
    go_round(e, lasts, gf_ptx_op(p, GF_OP_NE, plain, plain, left, zero, none), body, after);
    end_turns(e, outermost);
    gf_ptx_arrive(e, after);
}

void gf_ptx_emit_for(gf_ptx_emit *e, const gf_stmt *stmt) {
    gf_type type = stmt->target.symbol->type;
    gf_pv from = gf_ptx_peek_expr(e, stmt->from), to = gf_ptx_emit_expr(e, stmt->to);
    gf_pv step = stmt->step != NULL ? gf_ptx_emit_expr(e, stmt->step) : gf_ptx_constant(type, 1);
    if (step.is_constant && step.bits == 0) {
        return;
    }
    if (is_plain(type, step)) {
        from = gf_ptx_register(&e->p, from);
        bool leaves = gf_ptx_leave_row(e, stmt, from, to);
        emit_plain_for(e, stmt, from, to, step);
        if (leaves) {
            gf_ptx_back_from_row(e, stmt);
        }
    } else {
        emit_counted_for(e, stmt, from, to, step);
    }
}

/* A small condition is written twice, before the loop and at its end: that is a jump less in each turn. */
void gf_ptx_emit_while(gf_ptx_emit *e, const gf_stmt *stmt) {
    gf_ptx *p = &e->p;
    bool is_while = stmt->kind == GF_STMT_WHILE, twice = is_while && gf_ptx_is_simple(stmt->value, 16);
    uint32_t head = gf_ptx_label(p), latch = gf_ptx_label(p), after = gf_ptx_label(p);
    if (twice) {
        gf_ptx_go_if(e, gf_ptx_peek_expr(e, stmt->value), false, after);
    }
    if (e->is_open) {
        bool outermost = begin_turns(e);
        gf_ptx_place(p, head);
        if (is_while && !twice) {
            gf_ptx_go_if(e, gf_ptx_peek_expr(e, stmt->value), false, after);
        }
        emit_turn(e, stmt, latch, after);
        turn_back(e, twice ? gf_ptx_peek_expr(e, stmt->value) : gf_ptx_constant(GF_TYPE_BOOL, 1), head, after);
        end_turns(e, outermost);
    }
    gf_ptx_arrive(e, after);
}
