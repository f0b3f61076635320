/* Statements that each invocation executes by itself. */
#include "backend/interp/compile.h"

void gf_compile_lane_block(gf_compiler *c, const gf_block *block) {
    if (block == NULL) {
        return;
    }
    gf_marks mark = c->at;
    for (size_t i = 0; i < block->count && !c->failed; i++) {
        gf_compile_lane_stmt(c, block->items[i]);
    }
    c->at = mark;
}

static void compile_let(gf_compiler *c, const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    if (gf_expr_is_fixed(stmt->value)) {
        c->reg_of[symbol->id] = gf_compile_expr(c, stmt->value);
        return;
    }
    uint32_t reg = gf_reg_stack(c);
    gf_compile_into(c, stmt->value, reg);
    c->reg_of[symbol->id] = reg;
}

static void compile_var(gf_compiler *c, const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    if (symbol->is_array) {
        gf_declare_array(c, symbol, GF_LEVEL_NONE, stmt->span);
        gf_emit(c, GF_DO_ZERO_ARRAY, 0, 0, gf_array_index(c, &stmt->target), 0, GF_NO_INDEX);
        return;
    }
    uint32_t reg = gf_reg_stack(c);
    if (stmt->value != NULL) {
        gf_compile_into(c, stmt->value, reg);
    } else {
        gf_emit(c, GF_DO_MOVE, reg, gf_reg_constant(c, 0), 0, 0, GF_NO_INDEX);
    }
    c->reg_of[symbol->id] = reg;
}

static void compile_assign(gf_compiler *c, const gf_stmt *stmt) {
    uint32_t reg = gf_reg_symbol(c, &stmt->target);
    if (stmt->op == GF_OP_NONE) {
        gf_compile_into(c, stmt->value, reg);
        return;
    }
    uint32_t from[3] = {reg, gf_compile_expr(c, stmt->value), 0};
    gf_compile_operation(c, stmt->op, stmt->target.symbol->type, reg, from, stmt->span);
}

static unsigned store_op(gf_type type) {
    switch (type) {
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
        return GF_DO_STORE_8;
    case GF_TYPE_U16:
    case GF_TYPE_I16:
        return GF_DO_STORE_16;
    case GF_TYPE_F16:
        return GF_DO_STORE_F16;
    case GF_TYPE_U32:
    case GF_TYPE_I32:
        return GF_DO_STORE_32;
    case GF_TYPE_F32:
        return GF_DO_STORE_F32;
    case GF_TYPE_F64:
        return GF_DO_STORE_F64;
    case GF_TYPE_U64:
    case GF_TYPE_I64:
    case GF_TYPE_NONE:
        break;
    }
    return GF_DO_STORE_64;
}

static void emit_store(gf_compiler *c, const gf_symbol *array, uint32_t array_index, const gf_expr *index,
                       uint32_t index_reg, uint32_t value, gf_span span) {
    if (c->watched) {
        gf_emit(c, GF_DO_STORE_WATCHED, value, index_reg, array_index, 0,
                gf_place_of(c, span, NULL, array, index->type));
    } else {
        gf_emit(c, store_op(array->type), value, index_reg, array_index, 0, GF_NO_INDEX);
    }
}

static void compile_store(gf_compiler *c, const gf_stmt *stmt) {
    const gf_symbol *array = stmt->target.symbol;
    uint32_t array_index = gf_array_index(c, &stmt->target);
    uint32_t index = gf_compile_index(c, stmt->index);
    uint32_t value;
    gf_span span = stmt->target.span.source != NULL ? stmt->target.span : stmt->span;
    if (stmt->op == GF_OP_NONE) {
        value = gf_compile_expr(c, stmt->value);
    } else {
        uint32_t old = gf_reg_stack(c);
        gf_compile_load(c, array, array_index, stmt->index, index, old, span);
        uint32_t from[3] = {old, gf_compile_expr(c, stmt->value), 0};
        value = old;
        gf_compile_operation(c, stmt->op, gf_type_loaded(array->type), value, from, stmt->span);
    }
    emit_store(c, array, array_index, stmt->index, index, value, span);
}

static void compile_effect(gf_compiler *c, const gf_stmt *stmt) {
    const gf_expr *expr = stmt->value;
    if (!c->watched && expr->kind == GF_EXPR_ATOMIC && expr->atomic == GF_ATOMIC_STORE) {
        uint32_t array = gf_array_index(c, &expr->ref);
        uint32_t index = gf_compile_index(c, expr->args[0]);
        emit_store(c, expr->ref.symbol, array, expr->args[0], index, gf_compile_expr(c, expr->args[1]), stmt->span);
        return;
    }
    gf_compile_into(c, expr, gf_reg_stack(c));
}

static void compile_if(gf_compiler *c, const gf_stmt *stmt) {
    uint32_t otherwise = GF_NO_INDEX, end = GF_NO_INDEX;
    gf_compile_condition(c, stmt->value, false, &otherwise);
    gf_compile_lane_block(c, stmt->body);
    if (stmt->otherwise != NULL) {
        gf_jump(c, GF_DO_JUMP, 0, &end);
        gf_patch(c, otherwise);
        gf_compile_lane_block(c, stmt->otherwise);
        gf_patch(c, end);
    } else {
        gf_patch(c, otherwise);
    }
}

static gf_loop enter_loop(gf_compiler *c) {
    return (gf_loop){.outer = c->loop, .level = GF_LEVEL_NONE, .breaks = GF_NO_INDEX, .continues = GF_NO_INDEX};
}

static bool is_wide(gf_type type) {
    return gf_type_bytes(type) == 8;
}

void gf_compile_turns(gf_compiler *c, const gf_stmt *stmt, uint32_t i, uint32_t step, uint32_t count) {
    gf_type type = stmt->target.symbol->type;
    gf_compile_into(c, stmt->from, i);
    uint32_t to = gf_compile_expr(c, stmt->to);
    if (stmt->step != NULL) {
        gf_compile_into(c, stmt->step, step);
    } else {
        gf_emit(c, GF_DO_MOVE, step, gf_reg_constant(c, 1), 0, 0, GF_NO_INDEX);
    }
    gf_emit(c, GF_DO_TURNS, count, i, to, step,
            gf_place_of(c, stmt->step != NULL ? stmt->step->span : stmt->span, NULL, NULL, type));
}

void gf_compile_next(gf_compiler *c, const gf_stmt *stmt, uint32_t i, uint32_t step, uint32_t count, uint32_t to) {
    gf_emit(c, is_wide(stmt->target.symbol->type) ? GF_DO_NEXT_64 : GF_DO_NEXT_32, i, step, count, to, GF_NO_INDEX);
}

static void compile_for(gf_compiler *c, const gf_stmt *stmt) {
    uint32_t i = gf_reg_stack(c), step = gf_reg_stack(c), count = gf_reg_stack(c), mark = c->at.next;
    gf_compile_turns(c, stmt, i, step, count);
    c->at.next = mark;
    c->reg_of[stmt->target.symbol->id] = i;
    gf_loop loop = enter_loop(c);
    c->loop = &loop;
    gf_jump(c, GF_DO_JUMP_UNLESS, count, &loop.breaks);
    uint32_t top = gf_here(c);
    gf_compile_lane_block(c, stmt->body);
    gf_patch(c, loop.continues);
    gf_compile_next(c, stmt, i, step, count, top);
    gf_patch(c, loop.breaks);
    c->loop = loop.outer;
}

static void compile_loop(gf_compiler *c, const gf_stmt *stmt) {
    gf_loop loop = enter_loop(c);
    c->loop = &loop;
    uint32_t top = gf_here(c);
    if (stmt->kind == GF_STMT_WHILE) {
        gf_compile_condition(c, stmt->value, false, &loop.breaks);
    }
    gf_compile_lane_block(c, stmt->body);
    gf_patch(c, loop.continues);
    gf_emit(c, GF_DO_JUMP_BACK, 0, 0, 0, top, GF_NO_INDEX);
    gf_patch(c, loop.breaks);
    c->loop = loop.outer;
}

static void compile_leave(gf_compiler *c, const gf_stmt *stmt) {
    if (stmt->kind == GF_STMT_RETURN) {
        if (c->inlined == NULL) {
            c->code->may_end = true;
            gf_emit(c, GF_DO_RETURN, 0, 0, 0, 0, GF_NO_INDEX);
            return;
        }
        if (stmt->value != NULL) {
            gf_compile_into(c, stmt->value, c->inlined->result);
        }
        gf_jump(c, GF_DO_JUMP, 0, &c->inlined->returns);
        return;
    }
    if (c->loop == NULL || c->loop->level != GF_LEVEL_NONE || (c->loop->only_continue && stmt->kind == GF_STMT_BREAK)) {
        gf_compile_fault(c, stmt->span, "a jump leaves a loop that the invocation does not run by itself");
        return;
    }
    gf_jump(c, GF_DO_JUMP, 0, stmt->kind == GF_STMT_BREAK ? &c->loop->breaks : &c->loop->continues);
}

static void compile_trap(gf_compiler *c, const gf_stmt *stmt) {
    uint32_t value = gf_compile_expr(c, stmt->value);
    c->code->may_end = true;
    gf_emit(c, stmt->kind == GF_STMT_TRAP ? GF_DO_TRAP : GF_DO_ASSERT, value, 0, 0, 0,
            gf_place_of(c, stmt->span, stmt, NULL, stmt->value->type));
}

static uint32_t place_of_end(gf_compiler *c, const gf_stmt *stmt, const gf_ref *array, const gf_expr *index) {
    return gf_place_of(c, array->span.source != NULL ? array->span : stmt->span, stmt, array->symbol, index->type);
}

static void compile_copy(gf_compiler *c, const gf_stmt *stmt) {
    gf_copy_use use = {.target = (uint16_t)gf_array_index(c, &stmt->target),
                       .source = (uint16_t)gf_array_index(c, &stmt->second),
                       .target_type = stmt->index->type,
                       .source_type = stmt->from->type,
                       .count_type = stmt->to->type,
                       .target_where = place_of_end(c, stmt, &stmt->target, stmt->index),
                       .source_where = place_of_end(c, stmt, &stmt->second, stmt->from),
                       .tag = gf_tag_number(c, stmt->text == NULL ? "" : stmt->text)};
    use.target_index = (uint16_t)gf_compile_index(c, stmt->index);
    use.source_index = (uint16_t)gf_compile_index(c, stmt->from);
    use.count = (uint16_t)gf_compile_index(c, stmt->to);
    gf_push(c->arena, &c->copies, use);
    gf_emit(c, GF_DO_COPY, 0, 0, 0, (uint32_t)c->copies.count - 1,
            gf_place_of(c, stmt->span, stmt, stmt->target.symbol, stmt->index->type));
}

void gf_compile_lane_stmt(gf_compiler *c, const gf_stmt *stmt) {
    if (c->failed) {
        return;
    }
    uint32_t mark = c->at.next;
    switch (stmt->kind) {
    case GF_STMT_LET:
        compile_let(c, stmt);
        /* What is declared stays; the temporaries above it go. */
        if (!c->failed && c->reg_of[stmt->target.symbol->id] == mark) {
            mark++;
        }
        break;
    case GF_STMT_VAR:
        compile_var(c, stmt);
        if (!stmt->target.symbol->is_array) {
            mark++;
        }
        break;
    case GF_STMT_ASSIGN:
        compile_assign(c, stmt);
        break;
    case GF_STMT_STORE:
        compile_store(c, stmt);
        break;
    case GF_STMT_EXPR:
        compile_effect(c, stmt);
        break;
    case GF_STMT_IF:
        compile_if(c, stmt);
        break;
    case GF_STMT_FOR:
        compile_for(c, stmt);
        break;
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        compile_loop(c, stmt);
        break;
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
        compile_leave(c, stmt);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        gf_compile_lane_block(c, stmt->body);
        break;
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
        compile_trap(c, stmt);
        break;
    case GF_STMT_COPY_ASYNC:
        compile_copy(c, stmt);
        break;
    case GF_STMT_WAIT:
        gf_emit(c, GF_DO_WAIT, 0, 0, 0, gf_tag_number(c, stmt->text == NULL ? "" : stmt->text), GF_NO_INDEX);
        break;
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_FORALL:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_COLLECTIVE:
        gf_compile_fault(c, stmt->span, "a barrier stands where an invocation runs by itself");
        break;
    }
    c->at.next = mark;
}
