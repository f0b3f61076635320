/* What one invocation executes. */
#include "emit/ptx/abi.h"
#include "emit/ptx/index.h"
#include "emit/ptx/rows.h"

/* Bytes of a thread. The driver sets memory for .local aside for as many threads as the device can hold, whatever is
 * launched: 8 KiB are 2 GiB of an H200 already. What is more lies in memory of threads, for those that there are. */
#define MOST_LOCAL ((uint64_t)8 << 10)
#define MOST_THREAD ((uint64_t)4 << 30)
#define WRITTEN_OUT 256 /* bytes that are zeroed without a loop */

static const gf_pv none = {0};

/* ---- places ---- */

void gf_ptx_arrive(gf_ptx_emit *e, uint32_t label) {
    gf_ptx_place(&e->p, label);
    e->is_open = true;
}

void gf_ptx_go(gf_ptx_emit *e, uint32_t label) {
    if (e->is_open) {
        gf_ptx_jump(&e->p, label);
        e->is_open = false;
    }
}

void gf_ptx_go_if(gf_ptx_emit *e, gf_pv condition, bool when, uint32_t label) {
    if (condition.is_constant && (condition.bits != 0) == when) {
        gf_ptx_go(e, label);
    } else if (e->is_open) {
        gf_ptx_jump_if(&e->p, condition, when, label);
    }
}

/* ---- variables ---- */

static void zero_local(gf_ptx_emit *e, uint64_t offset, uint64_t bytes) {
    gf_ptx *p = &e->p;
    unsigned long long first = offset, end = offset + bytes;
    const gf_ptx_operand zero = gf_ptx_spell(gf_ptx_register(p, gf_ptx_constant(GF_TYPE_U32, 0)));
    const char *z = zero.text;
    if (bytes <= WRITTEN_OUT) {
        for (unsigned long long at = first; at < end; at += 16) {
            gf_ptx_line(p, "st.local.v4.u32 [gf_local+%llu], {%s, %s, %s, %s};", at, z, z, z, z);
        }
        return;
    }
    uint32_t head = gf_ptx_label(p);
    gf_pv at = gf_ptx_new_value(p, GF_TYPE_U32), last = gf_ptx_new_value(p, GF_TYPE_U32);
    const gf_ptx_operand here = gf_ptx_spell(at), there = gf_ptx_spell(last);
    gf_ptx_line(p, "mov.u32 %s, gf_local", here.text);
    gf_ptx_line(p, "add.u32 %s, %s, %llu", here.text, here.text, first);
    gf_ptx_line(p, "add.u32 %s, %s, %llu", there.text, here.text, end - first);
    gf_ptx_place(p, head);
    gf_ptx_line(p, "st.local.v4.u32 [%s], {%s, %s, %s, %s};", here.text, z, z, z, z);
    gf_ptx_line(p, "add.u32 %s, %s, 16", here.text, here.text);
    gf_ptx_jump_if(p, gf_ptx_op(p, GF_OP_NE, GF_TYPE_U32, GF_TYPE_U32, at, last, none), true, head);
}

static void declare_local(gf_ptx_emit *e, gf_ptx_array *array, uint64_t bytes) {
    array->space = GF_PTX_LOCAL;
    array->data = gf_ptx_constant(GF_TYPE_U64, e->local_now);
    array->base = "gf_local";
    zero_local(e, e->local_now, bytes);
    e->local_now += bytes;
    e->local_bytes = e->local_now > e->local_bytes ? e->local_now : e->local_bytes;
}

static gf_pv multiply_add(gf_ptx_emit *e, gf_pv a, gf_pv b, gf_pv c) {
    return gf_ptx_op(&e->p, GF_OP_ADD, c.type, c.type, gf_ptx_op(&e->p, GF_OP_MUL, c.type, c.type, a, b, none), c,
                     none);
}

static void zero_thread(gf_ptx_emit *e, const gf_ptx_array *array, gf_type type) {
    gf_ptx *p = &e->p;
    gf_pv at = gf_ptx_new_value(p, GF_TYPE_U64), left = gf_ptx_new_value(p, GF_TYPE_U32);
    gf_pv step = gf_ptx_cast(p, GF_TYPE_U64, array->stride), one = gf_ptx_constant(GF_TYPE_U32, 1);
    size_t bits = 8 * gf_type_bytes(type);
    gf_pv zero = gf_ptx_register(p, gf_ptx_constant(bits == 64 ? GF_TYPE_U64 : GF_TYPE_U32, 0));
    uint32_t head = gf_ptx_label(p);
    gf_ptx_move(p, at, array->data);
    gf_ptx_move(p, left, gf_ptx_constant(GF_TYPE_U32, array->count.bits));
    gf_ptx_place(p, head);
    gf_ptx_line(p, "st.global.u%zu [%s], %s", bits, gf_ptx_spell(at).text, gf_ptx_spell(zero).text);
    gf_ptx_move(p, at, gf_ptx_op(p, GF_OP_ADD, GF_TYPE_U64, GF_TYPE_U64, at, step, none));
    gf_ptx_move(p, left, gf_ptx_op(p, GF_OP_SUB, GF_TYPE_U32, GF_TYPE_U32, left, one, none));
    gf_ptx_jump_if(p, gf_ptx_op(p, GF_OP_NE, GF_TYPE_U32, GF_TYPE_U32, left, gf_ptx_constant(GF_TYPE_U32, 0), none),
                   true, head);
}

static void declare_thread(gf_ptx_emit *e, gf_ptx_array *array, gf_type type, uint64_t bytes) {
    gf_ptx *p = &e->p;
    gf_pv threads = gf_ptx_threads(e), base = gf_ptx_new_value(p, GF_TYPE_U64);
    gf_pv block = gf_ptx_block(e), thread = multiply_add(e, block, threads, gf_ptx_thread(e));
    gf_pv all = gf_ptx_op(p, GF_OP_MUL, GF_TYPE_U32, GF_TYPE_U32, gf_ptx_blocks(e), threads, none);
    gf_pv size = gf_ptx_constant(GF_TYPE_U32, gf_type_bytes(type)), at = gf_ptx_constant(GF_TYPE_U64, e->thread_now);
    gf_ptx_line(p, "ld.const.u64 %s, [gf_args+%d]", gf_ptx_spell(base).text, 8 * GF_PTX_ARGS_THREAD);
    base = multiply_add(e, gf_ptx_cast(p, GF_TYPE_U64, all), at, base);
    thread = gf_ptx_op(p, GF_OP_MUL, GF_TYPE_U32, GF_TYPE_U32, thread, size, none);
    array->space = GF_PTX_THREAD;
    array->data = gf_ptx_register(
        p, gf_ptx_op(p, GF_OP_ADD, GF_TYPE_U64, GF_TYPE_U64, base, gf_ptx_cast(p, GF_TYPE_U64, thread), none));
    array->stride = gf_ptx_register(p, gf_ptx_op(p, GF_OP_MUL, GF_TYPE_U32, GF_TYPE_U32, all, size, none));
    zero_thread(e, array, type);
    e->thread_now += bytes;
    e->thread_bytes = e->thread_now > e->thread_bytes ? e->thread_now : e->thread_bytes;
}

static void declare_array(gf_ptx_emit *e, const gf_symbol *symbol) {
    uint64_t size = gf_type_bytes(symbol->type);
    if (symbol->length > MOST_THREAD / size || e->thread_now > MOST_THREAD) {
        e->failed = true;
        e->why = "local arrays of more than 4 GiB";
        e->is_limit = true;
        return;
    }
    uint64_t bytes = (symbol->length * size + 15) / 16 * 16;
    gf_ptx_array *array = gf_new(e->arena, gf_ptx_array);
    *array = (gf_ptx_array){.count = gf_ptx_constant(GF_TYPE_U64, symbol->length), .is_written = true};
    gf_ptx_name_of(e, symbol)->array = array;
    if (bytes <= MOST_LOCAL - e->local_now) {
        declare_local(e, array, bytes);
    } else {
        declare_thread(e, array, symbol->type, bytes);
    }
}

static void emit_var(gf_ptx_emit *e, const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    if (symbol->is_array) {
        declare_array(e, symbol);
        return;
    }
    gf_pv value = stmt->value != NULL ? gf_ptx_peek_expr(e, stmt->value) : gf_ptx_constant(symbol->type, 0);
    gf_pv variable = gf_ptx_new_value(&e->p, symbol->type);
    gf_ptx_move(&e->p, variable, value);
    gf_ptx_named *name = gf_ptx_name_of(e, symbol);
    name->is_set = true;
    name->value = variable;
}

void gf_ptx_bind(gf_ptx_emit *e, const gf_symbol *symbol, gf_pv value, bool is_own) {
    gf_ptx_named *name = gf_ptx_name_of(e, symbol);
    name->is_set = true;
    name->value = value;
    name->is_own = is_own;
    name->has_range = false;
}

void gf_ptx_bind_range(gf_ptx_emit *e, const gf_symbol *symbol, gf_ptx_range range) {
    gf_ptx_named *name = gf_ptx_name_of(e, symbol);
    name->has_range = symbol->type == GF_TYPE_U32 || symbol->type == GF_TYPE_U64;
    name->range = range;
}

static void emit_assign(gf_ptx_emit *e, const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    gf_pv value = gf_ptx_peek_expr(e, stmt->value), variable = gf_ptx_name_of(e, symbol)->value;
    if (stmt->op != GF_OP_NONE) {
        value = gf_ptx_emit_operation(e, stmt->op, symbol->type, stmt->value->type, variable, value, none, stmt->span);
    }
    gf_ptx_move(&e->p, variable, value);
}

/* ---- control flow ---- */

static void emit_if(gf_ptx_emit *e, const gf_stmt *stmt) {
    gf_ptx *p = &e->p;
    gf_pv condition = gf_ptx_peek_expr(e, stmt->value);
    if (condition.is_constant) {
        gf_ptx_emit_block(e, condition.bits != 0 ? stmt->body : stmt->otherwise);
        return;
    }
    uint32_t otherwise = gf_ptx_label(p);
    gf_ptx_jump_if(p, condition, false, otherwise);
    gf_ptx_known known = {.outer = e->known, .condition = stmt->value};
    e->known = &known;
    gf_ptx_emit_block(e, stmt->body);
    e->known = known.outer;
    if (stmt->otherwise == NULL) {
        gf_ptx_arrive(e, otherwise);
        return;
    }
    bool goes_on = e->is_open;
    uint32_t after = gf_ptx_label(p);
    gf_ptx_go(e, after);
    gf_ptx_arrive(e, otherwise);
    gf_ptx_emit_block(e, stmt->otherwise);
    if (goes_on) {
        gf_ptx_arrive(e, after);
    }
}

static void emit_return(gf_ptx_emit *e, const gf_stmt *stmt) {
    if (stmt->value != NULL) {
        gf_ptx_move(&e->p, e->result, gf_ptx_peek_expr(e, stmt->value));
        gf_ptx_range result = gf_ptx_range_of(e, stmt->value);
        e->result_range.least = result.least < e->result_range.least ? result.least : e->result_range.least;
        e->result_range.most = result.most > e->result_range.most ? result.most : e->result_range.most;
    }
    gf_ptx_go(e, e->on_return);
}

static void emit_trap(gf_ptx_emit *e, const gf_stmt *stmt) {
    gf_ptx *p = &e->p;
    gf_pv value = gf_ptx_peek_expr(e, stmt->value), address = gf_ptx_constant(GF_TYPE_U64, 0);
    uint32_t after = gf_ptx_label(p);
    bool is_assert = stmt->kind == GF_STMT_ASSERT;
    if (is_assert) {
        gf_ptx_go_if(e, value, true, after);
    } else {
        gf_type bits = gf_type_bytes(value.type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
        address = value.type == GF_TYPE_BOOL ? gf_ptx_cast(p, GF_TYPE_U64, value)
                                             : gf_ptx_extend(p, gf_ptx_bitcast(p, bits, value));
    }
    if (e->is_open) {
        gf_ptx_site place = {.stmt = stmt, .type = stmt->value->type, .span = stmt->span};
        gf_pv always = gf_ptx_constant(GF_TYPE_BOOL, 1);
        gf_ptx_record(e, always, GF_PTX_TRAP, place, address, gf_ptx_constant(GF_TYPE_U64, 0));
        gf_ptx_go(e, e->on_end);
    }
    if (is_assert) {
        gf_ptx_arrive(e, after);
    }
}

/* ---- statements ---- */

static void emit_effect(gf_ptx_emit *e, const gf_expr *expr) {
    if (expr->kind == GF_EXPR_ATOMIC) {
        (void)gf_ptx_emit_atomic(e, expr, false);
    } else if (expr->kind == GF_EXPR_CALL) {
        gf_ptx_emit_call(e, expr, false, NULL);
    } else {
        (void)gf_ptx_peek_expr(e, expr);
    }
}

static void emit_stmt(gf_ptx_emit *e, const gf_stmt *stmt) {
    switch (stmt->kind) {
    case GF_STMT_LET:
        gf_ptx_bind(e, stmt->target.symbol, gf_ptx_emit_expr(e, stmt->value), gf_ptx_is_own(e, stmt->value));
        gf_ptx_bind_range(e, stmt->target.symbol, gf_ptx_range_of(e, stmt->value));
        gf_ptx_name_of(e, stmt->target.symbol)->definition = stmt->value;
        if (e->pack != NULL) {
            gf_ptx_close_name(e, stmt->target.symbol, gf_ptx_close(e, stmt->value));
        }
        break;
    case GF_STMT_VAR:
        emit_var(e, stmt);
        break;
    case GF_STMT_ASSIGN:
        emit_assign(e, stmt);
        break;
    case GF_STMT_STORE:
        gf_ptx_emit_store(e, stmt);
        break;
    case GF_STMT_EXPR:
        emit_effect(e, stmt->value);
        break;
    case GF_STMT_IF:
        emit_if(e, stmt);
        break;
    case GF_STMT_FOR:
        gf_ptx_emit_for(e, stmt);
        break;
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        gf_ptx_emit_while(e, stmt);
        break;
    case GF_STMT_BREAK:
        gf_ptx_go(e, e->exit->on_break);
        break;
    case GF_STMT_CONTINUE:
        gf_ptx_go(e, e->exit->on_continue);
        break;
    case GF_STMT_RETURN:
        emit_return(e, stmt);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        gf_ptx_emit_block(e, stmt->body);
        break;
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
        emit_trap(e, stmt);
        break;
    case GF_STMT_COPY_ASYNC:
        gf_ptx_emit_copy(e, stmt);
        break;
    case GF_STMT_WAIT:
        break;
    case GF_STMT_SWAP: /* of these the plan has made nodes and cuts */
    case GF_STMT_CONVERGED:
    case GF_STMT_FORALL:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_COLLECTIVE:
        break;
    }
}

/* What stands behind a break, continue or return is never come to. */
void gf_ptx_emit_block(gf_ptx_emit *e, const gf_block *block) {
    uint64_t local = e->local_now, thread = e->thread_now;
    for (size_t i = 0; block != NULL && i < block->count && e->is_open && !e->failed; i++) {
        gf_ptx_remark(e, block->items[i]);
        emit_stmt(e, block->items[i]);
    }
    e->local_now = local; /* others may have the room of what is declared here */
    e->thread_now = thread;
}

/* Functions are put in where they are called; there is no recursion. */
void gf_ptx_emit_call(gf_ptx_emit *e, const gf_expr *call, bool wanted, gf_pv *result) {
    gf_ptx *p = &e->p;
    const gf_symbol *function = call->ref.symbol;
    uint32_t on_return = e->on_return;
    gf_pv outer_result = e->result;
    gf_ptx_range outer_range = e->result_range;
    gf_ptx_exit *exit = e->exit;
    gf_pv *args = gf_new_array(e->arena, gf_pv, call->arg_count);
    gf_ptx_range *ranges = gf_new_array(e->arena, gf_ptx_range, call->arg_count);
    const gf_expr **closed = gf_new_array(e->arena, const gf_expr *, call->arg_count);
    for (size_t i = 0; i < call->arg_count; i++) {
        args[i] = gf_ptx_emit_expr(e, call->args[i]);
        ranges[i] = gf_ptx_range_of(e, call->args[i]);
    }
    for (size_t i = 0; i < call->arg_count && e->pack != NULL; i++) {
        closed[i] = gf_ptx_close(e, call->args[i]);
    }
    for (size_t i = 0; i < call->arg_count; i++) {
        gf_ptx_bind(e, function->arguments[i], args[i], gf_ptx_is_own(e, call->args[i]));
        gf_ptx_bind_range(e, function->arguments[i], ranges[i]);
        gf_ptx_close_name(e, function->arguments[i], closed[i]);
    }
    e->on_return = gf_ptx_label(p);
    e->exit = NULL;
    e->result_range = (gf_ptx_range){0}; /* what comes out where no `return` is met */
    if (function->type != GF_TYPE_NONE) {
        e->result = gf_ptx_new_value(p, function->type);
        gf_ptx_move(p, e->result, gf_ptx_constant(function->type, 0));
    }
    gf_ptx_emit_block(e, function->body);
    gf_ptx_arrive(e, e->on_return);
    if (function->type != GF_TYPE_NONE && wanted) {
        *result = e->result;
    }
    e->on_return = on_return;
    gf_ptx_note_result(e, call, e->result_range);
    e->result = outer_result;
    e->result_range = outer_range;
    e->exit = exit;
}
