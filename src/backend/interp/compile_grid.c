/* Statements that the grid or a workgroup takes together. */
#include "backend/interp/compile.h"

static void compile_local(gf_compiler *c, const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    gf_level home = (gf_level)c->home[symbol->id];
    if (stmt->kind == GF_STMT_VAR && symbol->is_array) {
        gf_open_lanes(c);
        gf_declare_array(c, symbol, c->lives, stmt->span);
        gf_emit(c, GF_DO_ZERO_ARRAY, 0, 0, gf_array_index(c, &stmt->target), 0, GF_NO_INDEX);
        return;
    }
    if (stmt->kind == GF_STMT_LET && gf_expr_is_fixed(stmt->value)) {
        c->reg_of[symbol->id] = gf_compile_expr(c, stmt->value);
        return;
    }
    if (home != GF_LEVEL_NONE) {
        if (stmt->kind != GF_STMT_ASSIGN) {
            gf_declare_uniform(c, symbol, home);
        }
        gf_assign_uniform(c, stmt, GF_NO_INDEX, home);
        return;
    }
    gf_open_lanes(c);
    if (stmt->kind == GF_STMT_ASSIGN) {
        gf_compile_lane_stmt(c, stmt);
        return;
    }
    uint32_t reg = gf_declare_stack(c, symbol, c->lives);
    if (stmt->value != NULL) {
        gf_compile_into(c, stmt->value, reg);
    } else {
        gf_emit(c, GF_DO_MOVE, reg, gf_reg_constant(c, 0), 0, 0, GF_NO_INDEX);
    }
}

static void compile_block(gf_compiler *c, const gf_block *block);

static void compile_inside(gf_compiler *c, const gf_block *block, gf_level level) {
    gf_level context = c->context;
    c->context = level;
    compile_block(c, block);
    c->context = context;
    gf_arrive(c, level);
}

/* Evaluates the condition once for all of the level, between two barriers, and jumps if it is false. */
static void jump_unless(gf_compiler *c, const gf_expr *condition, gf_level level, uint32_t *chain) {
    gf_stop_all(c, level);
    uint32_t mark = c->at.next;
    gf_begin_head(c);
    uint32_t reg = gf_compile_expr(c, condition);
    gf_end_head(c);
    gf_stop_all(c, level);
    gf_jump_step(c, chain);
    if (!c->failed) {
        gf_step *step = gf_step_at(c, *chain);
        step->kind = GF_STEP_JUMP_ZERO;
        step->reg = (uint16_t)reg;
    }
    c->at.next = mark;
}

static void compile_if(gf_compiler *c, const gf_stmt *stmt, gf_level level) {
    uint32_t otherwise = GF_NO_INDEX, end = GF_NO_INDEX;
    jump_unless(c, stmt->value, level, &otherwise);
    compile_inside(c, stmt->body, level);
    if (stmt->otherwise != NULL) {
        gf_jump_step(c, &end);
        gf_patch_steps(c, otherwise);
        compile_inside(c, stmt->otherwise, level);
        gf_patch_steps(c, end);
    } else {
        gf_patch_steps(c, otherwise);
    }
    gf_stop_all(c, level);
}

static void compile_for(gf_compiler *c, const gf_stmt *stmt, gf_level level, gf_loop *loop) {
    uint32_t i = gf_reg_fixed(c), step_reg = gf_reg_fixed(c), count = gf_reg_fixed(c), mark = c->at.next;
    gf_stop_all(c, level);
    gf_begin_head(c);
    gf_compile_turns(c, stmt, i, step_reg, count);
    gf_end_head(c);
    c->at.next = mark;
    gf_stop_all(c, level);
    c->reg_of[stmt->target.symbol->id] = i;
    uint32_t top = gf_next_step(c);
    gf_jump_step(c, &loop->breaks);
    if (!c->failed) {
        gf_step *step = gf_step_at(c, loop->breaks);
        step->kind = GF_STEP_JUMP_ZERO;
        step->reg = (uint16_t)count;
    }
    compile_inside(c, stmt->body, level);
    gf_patch_steps(c, loop->continues);
    gf_stop_all(c, level);
    gf_begin_head(c);
    gf_compile_next(c, stmt, i, step_reg, count, gf_here(c) + 1);
    gf_end_head(c);
    uint32_t back = gf_push_step(c, GF_STEP_JUMP);
    if (!c->failed) {
        gf_step_at(c, back)->to = top;
    }
}

static void compile_loop(gf_compiler *c, const gf_stmt *stmt, gf_level level) {
    gf_loop loop = {.outer = c->loop, .level = level, .breaks = GF_NO_INDEX, .continues = GF_NO_INDEX};
    c->loop = &loop;
    if (stmt->kind == GF_STMT_FOR) {
        compile_for(c, stmt, level, &loop);
    } else {
        gf_stop_all(c, level);
        uint32_t top = gf_next_step(c);
        if (stmt->kind == GF_STMT_WHILE) {
            jump_unless(c, stmt->value, level, &loop.breaks);
        }
        compile_inside(c, stmt->body, level);
        gf_patch_steps(c, loop.continues);
        gf_stop_all(c, level);
        uint32_t back = gf_push_step(c, GF_STEP_JUMP);
        if (!c->failed) {
            gf_step_at(c, back)->to = top;
        }
    }
    gf_patch_steps(c, loop.breaks);
    gf_stop_all(c, level);
    c->loop = loop.outer;
}

static void compile_forall(gf_compiler *c, const gf_stmt *stmt) {
    gf_close_stretch(c);
    gf_marks mark = c->at;
    uint32_t i = gf_reg_stack(c), from = gf_reg_fixed(c), until = gf_reg_fixed(c);
    gf_begin_head(c);
    gf_compile_into(c, stmt->from, from);
    gf_compile_into(c, stmt->to, until);
    gf_end_head(c);
    gf_step_reduce *reduces = gf_new_array(c->arena, gf_step_reduce, stmt->reduce_count);
    for (size_t k = 0; k < stmt->reduce_count; k++) {
        const gf_reduce *reduce = &stmt->reduces[k];
        reduces[k] = (gf_step_reduce){.combine = reduce->combine,
                                      .type = reduce->outer.symbol->type,
                                      .outer = (uint16_t)gf_reg_symbol(c, &reduce->outer),
                                      .inner = (uint16_t)gf_declare_stack(c, reduce->inner, GF_LEVEL_NONE)};
        if (c->home[reduce->outer.symbol->id] != GF_LEVEL_GRID) {
            gf_compile_fault(c, stmt->span, "a forall reduces to a variable that the grid does not share");
        }
    }
    uint32_t index = gf_push_step(c, GF_STEP_FORALL);
    if (c->failed) {
        return;
    }
    gf_step *step = gf_step_at(c, index);
    step->type = stmt->target.symbol->type;
    step->reg = (uint16_t)i;
    step->from = (uint16_t)from;
    step->until = (uint16_t)until;
    step->reduces = reduces;
    step->reduce_count = stmt->reduce_count;
    step->stmt = stmt;
    step->code = gf_here(c);
    c->reg_of[stmt->target.symbol->id] = i;
    gf_loop loop = {.outer = c->loop, .only_continue = true, .breaks = GF_NO_INDEX, .continues = GF_NO_INDEX};
    gf_level context = c->context;
    c->loop = &loop;
    c->context = GF_LEVEL_NONE;
    gf_compile_lane_block(c, stmt->body);
    gf_patch(c, loop.continues);
    gf_emit(c, GF_DO_END, 0, 0, 0, 0, GF_NO_INDEX);
    c->context = context;
    c->loop = loop.outer;
    c->at = mark;
    if (stmt->reduce_count > 0) {
        gf_push_step(c, GF_STEP_GRID_BARRIER);
    }
}

static void compile_exchange(gf_compiler *c, const gf_stmt *stmt) {
    gf_stop_all(c, GF_LEVEL_GRID);
    uint32_t first = gf_array_index(c, &stmt->target);
    uint32_t second = stmt->second.symbol != NULL ? gf_array_index(c, &stmt->second) : first;
    uint32_t index = gf_push_step(c, stmt->kind == GF_STMT_SWAP ? GF_STEP_SWAP : GF_STEP_COLLECTIVE);
    if (!c->failed) {
        gf_step *step = gf_step_at(c, index);
        step->first = (uint16_t)first;
        step->second = (uint16_t)second;
        step->stmt = stmt;
    }
    gf_stop_all(c, GF_LEVEL_GRID);
}

static void compile_leave(gf_compiler *c, const gf_stmt *stmt) {
    if (stmt->kind == GF_STMT_RETURN) {
        gf_arrive(c, c->context);
        if (c->context == GF_LEVEL_GRID) {
            gf_jump_step(c, &c->pass_ends);
        } else {
            c->code->may_end = true;
            gf_push_step(c, GF_STEP_GROUP_RETURN);
        }
        return;
    }
    if (c->loop == NULL || c->loop->level != c->context) {
        gf_compile_fault(c, stmt->span, "a jump leaves a loop that others do not leave with it");
        return;
    }
    gf_arrive(c, c->context);
    gf_jump_step(c, stmt->kind == GF_STMT_BREAK ? &c->loop->breaks : &c->loop->continues);
}

static void compile_stmt(gf_compiler *c, const gf_stmt *stmt) {
    gf_level level = gf_lower_level(c->context, stmt->level);
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        if (stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS) {
            gf_compile_cross(c, stmt);
        } else {
            compile_local(c, stmt);
        }
        break;
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        if (level == GF_LEVEL_NONE) {
            gf_open_lanes(c);
            gf_compile_lane_stmt(c, stmt);
        } else if (stmt->kind == GF_STMT_IF) {
            compile_if(c, stmt, level);
        } else {
            compile_loop(c, stmt, level);
        }
        break;
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        gf_open_lanes(c);
        gf_compile_lane_stmt(c, stmt);
        break;
    case GF_STMT_SWAP:
    case GF_STMT_COLLECTIVE:
    case GF_STMT_FORALL:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_CONVERGED:
        if (c->context != GF_LEVEL_GRID) {
            gf_compile_fault(c, stmt->span, "a statement of the grid stands where its invocations do not all come");
        } else if (stmt->kind == GF_STMT_FORALL) {
            compile_forall(c, stmt);
        } else if (stmt->kind == GF_STMT_GRID_BARRIER) {
            gf_stop_all(c, GF_LEVEL_GRID);
        } else if (stmt->kind == GF_STMT_CONVERGED) {
            gf_assign_uniform(c, stmt, GF_NO_INDEX, GF_LEVEL_GRID);
        } else {
            compile_exchange(c, stmt);
        }
        break;
    case GF_STMT_BARRIER:
        gf_stop_all(c, GF_LEVEL_GROUP);
        break;
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
        compile_leave(c, stmt);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        compile_block(c, stmt->body);
        break;
    }
}

static void compile_block(gf_compiler *c, const gf_block *block) {
    if (block == NULL || c->failed) {
        return;
    }
    /* lives[i]: the highest stop behind statement i - 1. */
    gf_level *lives = gf_new_array(c->arena, gf_level, block->count + 1);
    for (size_t i = block->count; i-- > 0;) {
        gf_level own = gf_lower_level(gf_stops_of(block->items[i]), c->context);
        lives[i] = own > lives[i + 1] ? own : lives[i + 1];
    }
    gf_marks mark = c->at;
    size_t frame = c->frame.count;
    for (size_t i = 0; i < block->count && !c->failed; i++) {
        c->lives = lives[i + 1];
        compile_stmt(c, block->items[i]);
    }
    c->at = mark;
    c->frame.count = frame;
}

void gf_compile_kernel(gf_compiler *c) {
    compile_block(c, c->tree->kernel.body);
    gf_close_stretch(c);
    gf_patch_steps(c, c->pass_ends);
    gf_push_step(c, GF_STEP_PASS_END);
}
