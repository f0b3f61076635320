/* Statements of the grid and of the workgroup: the steps, and the code between them. */
#include "backend/interp/compile.h"

#include "ir/eval.h"

static gf_level lower(gf_level a, gf_level b) {
    return a < b ? a : b;
}

/* ---- whose variable it is ---- */

/* The checker's word, as far as the places of the assignments bear it out. */
static void find_homes(gf_compiler *c, const gf_block *block, gf_level context) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        gf_level inside = context;
        switch (stmt->kind) {
        case GF_STMT_LET:
        case GF_STMT_VAR: {
            const gf_symbol *symbol = stmt->target.symbol;
            c->home[symbol->id] =
                (unsigned char)(symbol->is_array ? GF_LEVEL_NONE
                                                 : lower(context, lower(symbol->uniform, symbol->declared)));
            break;
        }
        case GF_STMT_ASSIGN:
            c->home[stmt->target.symbol->id] =
                (unsigned char)lower((gf_level)c->home[stmt->target.symbol->id], context);
            break;
        case GF_STMT_IF:
        case GF_STMT_FOR:
        case GF_STMT_WHILE:
        case GF_STMT_LOOP:
            inside = lower(context, stmt->level);
            break;
        case GF_STMT_FORALL:
            inside = GF_LEVEL_NONE;
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
        case GF_STMT_REGION:
        case GF_STMT_BLOCK:
        case GF_STMT_ASSERT:
        case GF_STMT_TRAP:
        case GF_STMT_COLLECTIVE:
        case GF_STMT_COPY_ASYNC:
        case GF_STMT_WAIT:
            break;
        }
        find_homes(c, stmt->body, inside);
        find_homes(c, stmt->otherwise, inside);
    }
}

void gf_find_homes(gf_compiler *c) {
    find_homes(c, c->tree->kernel.body, GF_LEVEL_GRID);
}

/* The highest stop that the statement holds. */
static gf_level stops_of(const gf_stmt *stmt) {
    gf_level most = GF_LEVEL_NONE;
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        return stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS ? stmt->value->level : GF_LEVEL_NONE;
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        return stmt->level;
    case GF_STMT_SWAP:
    case GF_STMT_FORALL:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_COLLECTIVE:
        return GF_LEVEL_GRID;
    case GF_STMT_BARRIER:
        return GF_LEVEL_GROUP;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        for (size_t i = 0; stmt->body != NULL && i < stmt->body->count; i++) {
            gf_level level = stops_of(stmt->body->items[i]);
            most = level > most ? level : most;
        }
        return most;
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_CONVERGED:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        break;
    }
    return most;
}

/* ---- steps ---- */

static uint32_t push_step(gf_compiler *c, gf_step_kind kind) {
    if (c->failed) {
        return 0;
    }
    gf_step step = {.kind = kind, .to = GF_NO_INDEX, .uniform_code = GF_NO_INDEX};
    gf_push(c->arena, &c->steps, step);
    return (uint32_t)c->steps.count - 1;
}

static gf_step *step_at(gf_compiler *c, uint32_t index) {
    return &c->steps.items[index];
}

static uint32_t next_step(const gf_compiler *c) {
    return (uint32_t)c->steps.count;
}

static void jump_step(gf_compiler *c, uint32_t *chain) {
    uint32_t index = push_step(c, GF_STEP_JUMP);
    if (!c->failed) {
        step_at(c, index)->to = *chain;
        *chain = index;
    }
}

static void patch_steps(gf_compiler *c, uint32_t chain) {
    while (!c->failed && chain != GF_NO_INDEX) {
        uint32_t next = step_at(c, chain)->to;
        step_at(c, chain)->to = next_step(c);
        chain = next;
    }
}

static void open_stretch(gf_compiler *c) {
    if (c->stretch == GF_NO_INDEX && !c->failed) {
        c->stretch = push_step(c, GF_STEP_STRETCH);
        c->code->stretch_count++;
        c->stretch_uniforms.count = c->stretch_assigned.count = 0;
    }
}

static gf_saves frame_now(gf_compiler *c, gf_level level) {
    gf_save *saves = gf_new_array(c->arena, gf_save, c->frame.count);
    size_t count = 0;
    for (size_t i = 0; i < c->frame.count; i++) {
        if (c->frame.items[i].level == level) {
            saves[count++] = c->frame.items[i].save;
        }
    }
    return (gf_saves){.items = saves, .count = count};
}

static void open_lanes(gf_compiler *c) {
    open_stretch(c);
    if (c->lanes == GF_NO_INDEX && !c->failed) {
        c->lanes = push_step(c, GF_STEP_LANES);
        gf_step *step = step_at(c, c->lanes);
        step->code = gf_here(c);
        step->load_grid = frame_now(c, GF_LEVEL_GRID);
        step->load_group = frame_now(c, GF_LEVEL_GROUP);
        c->lane_uniforms.count = c->lane_assigned.count = 0;
    }
}

static void compile_uniform(gf_compiler *c, const gf_uniform *uniform) {
    const gf_stmt *stmt = uniform->stmt;
    uint32_t mark = c->at.next;
    if (stmt->kind == GF_STMT_CONVERGED) {
        gf_emit(c, GF_DO_CONVERGED, gf_compile_expr(c, stmt->value), 0, 0, 0, GF_NO_INDEX);
        c->at.next = mark;
        return;
    }
    uint32_t reg = gf_reg_symbol(c, &stmt->target);
    bool whole = stmt->kind != GF_STMT_ASSIGN || stmt->op == GF_OP_NONE;
    if (whole && uniform->value == GF_NO_INDEX && stmt->value != NULL) {
        gf_compile_into(c, stmt->value, reg);
    } else {
        uint32_t value = uniform->value != GF_NO_INDEX ? uniform->value
                         : stmt->value != NULL         ? gf_compile_expr(c, stmt->value)
                                                       : gf_reg_constant(c, 0);
        uint32_t from[3] = {reg, value, 0};
        if (whole) {
            gf_emit(c, GF_DO_MOVE, reg, value, 0, 0, GF_NO_INDEX);
        } else {
            gf_compile_operation(c, stmt->op, stmt->target.symbol->type, reg, from, stmt->span);
        }
    }
    c->at.next = mark;
}

static uint32_t compile_uniforms(gf_compiler *c, const gf_uniform *items, size_t count) {
    uint32_t code = gf_here(c);
    for (size_t i = 0; i < count; i++) {
        compile_uniform(c, &items[i]);
    }
    gf_emit(c, GF_DO_END, 0, 0, 0, 0, GF_NO_INDEX);
    return code;
}

static gf_regs copy_regs(gf_compiler *c, const uint16_t *items, size_t count) {
    return (gf_regs){.items = gf_arena_copy(c->arena, items, count * sizeof *items), .count = count};
}

static void close_lanes(gf_compiler *c) {
    if (c->lanes == GF_NO_INDEX || c->failed) {
        return;
    }
    gf_emit(c, GF_DO_END, 0, 0, 0, 0, GF_NO_INDEX);
    uint32_t uniform_code =
        c->lane_uniforms.count > 0 ? compile_uniforms(c, c->lane_uniforms.items, c->lane_uniforms.count) : GF_NO_INDEX;
    gf_step *step = step_at(c, c->lanes);
    step->uniform_code = uniform_code;
    if (c->lane_assigned.count > 0) {
        step->assigned = copy_regs(c, c->lane_assigned.items, c->lane_assigned.count);
    }
    step->save_grid = frame_now(c, GF_LEVEL_GRID);
    step->save_group = frame_now(c, GF_LEVEL_GROUP);
    c->lanes = GF_NO_INDEX;
}

static void close_stretch(gf_compiler *c) {
    close_lanes(c);
    if (c->stretch == GF_NO_INDEX || c->failed) {
        return;
    }
    uint32_t uniform_code = c->stretch_uniforms.count > 0
                                ? compile_uniforms(c, c->stretch_uniforms.items, c->stretch_uniforms.count)
                                : GF_NO_INDEX;
    push_step(c, GF_STEP_GROUP_END);
    gf_step *step = step_at(c, c->stretch);
    step->to = next_step(c);
    step->uniform_code = uniform_code;
    if (c->stretch_assigned.count > 0) {
        step->assigned = copy_regs(c, c->stretch_assigned.items, c->stretch_assigned.count);
    }
    c->stretch = GF_NO_INDEX;
}

/* All of the level arrive. */
static void arrive(gf_compiler *c, gf_level level) {
    if (level == GF_LEVEL_GRID) {
        close_stretch(c);
    } else {
        open_stretch(c);
        close_lanes(c);
    }
}

static void stop_all(gf_compiler *c, gf_level level) {
    arrive(c, level);
    push_step(c, level == GF_LEVEL_GRID ? GF_STEP_GRID_BARRIER : GF_STEP_GROUP_BARRIER);
}

static void begin_head(gf_compiler *c) {
    uint32_t index = push_step(c, GF_STEP_HEAD);
    if (!c->failed) {
        step_at(c, index)->code = gf_here(c);
    }
}

static void end_head(gf_compiler *c) {
    gf_emit(c, GF_DO_END, 0, 0, 0, 0, GF_NO_INDEX);
}

/* ---- assignments ---- */

static void note_assigned(gf_compiler *c, const gf_stmt *stmt, bool lanes, bool stretch) {
    if (stmt->kind != GF_STMT_ASSIGN || c->failed) {
        return;
    }
    uint16_t reg = (uint16_t)gf_reg_symbol(c, &stmt->target);
    bool known = false;
    for (size_t i = 0; lanes && i < c->lane_assigned.count && !known; i++) {
        known = c->lane_assigned.items[i] == reg;
    }
    if (lanes && !known) {
        gf_push(c->arena, &c->lane_assigned, reg);
    }
    known = false;
    for (size_t i = 0; stretch && i < c->stretch_assigned.count && !known; i++) {
        known = c->stretch_assigned.items[i] == reg;
    }
    if (stretch && !known) {
        gf_push(c->arena, &c->stretch_assigned, reg);
    }
}

/* An assignment to a variable that all of `home` share. Where an invocation is at work, it makes it for itself, too,
 * so that it sees the old value before and the new one behind. */
static void assign_uniform(gf_compiler *c, const gf_stmt *stmt, uint32_t value, gf_level home) {
    if (c->failed) {
        return;
    }
    gf_uniform uniform = {.stmt = stmt, .value = value};
    bool of_grid = home == GF_LEVEL_GRID;
    if (of_grid && c->stretch == GF_NO_INDEX) {
        begin_head(c);
        compile_uniform(c, &uniform);
        end_head(c);
        return;
    }
    open_stretch(c);
    bool in_lanes = c->lanes != GF_NO_INDEX;
    if (stmt->kind == GF_STMT_CONVERGED) {
        gf_push(c->arena, &c->stretch_uniforms, uniform);
        return;
    }
    if (in_lanes) {
        compile_uniform(c, &uniform);
        gf_push(c->arena, &c->lane_uniforms, uniform);
    } else {
        begin_head(c);
        compile_uniform(c, &uniform);
        end_head(c);
    }
    if (of_grid) {
        gf_push(c->arena, &c->stretch_uniforms, uniform);
    }
    note_assigned(c, stmt, in_lanes, of_grid);
}

/* A register for a variable that the grid or a workgroup shares. */
static void declare_uniform(gf_compiler *c, const gf_symbol *symbol, gf_level home) {
    uint32_t reg = gf_reg_fixed(c);
    c->reg_of[symbol->id] = reg;
    if (home == GF_LEVEL_GROUP && c->context == GF_LEVEL_GRID) {
        uint16_t short_reg = (uint16_t)reg;
        gf_push(c->arena, &c->group_regs, short_reg);
    }
}

static void compile_local(gf_compiler *c, const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    gf_level home = (gf_level)c->home[symbol->id];
    if (stmt->kind == GF_STMT_VAR && symbol->is_array) {
        open_lanes(c);
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
            declare_uniform(c, symbol, home);
        }
        assign_uniform(c, stmt, GF_NO_INDEX, home);
        return;
    }
    open_lanes(c);
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

/* ---- operations over all ---- */

/* Gives the target of the statement the result, which lies in a register that all share. */
static void bind_result(gf_compiler *c, const gf_stmt *stmt, uint32_t result) {
    const gf_symbol *symbol = stmt->target.symbol;
    gf_level home = (gf_level)c->home[symbol->id];
    if (stmt->kind == GF_STMT_LET) {
        c->reg_of[symbol->id] = result;
        return;
    }
    if (home != GF_LEVEL_NONE) {
        if (stmt->kind == GF_STMT_VAR) {
            declare_uniform(c, symbol, home);
        }
        assign_uniform(c, stmt, result, home);
        return;
    }
    open_lanes(c);
    uint32_t reg = stmt->kind == GF_STMT_VAR ? gf_declare_stack(c, symbol, c->lives) : gf_reg_symbol(c, &stmt->target);
    if (stmt->kind == GF_STMT_VAR || stmt->op == GF_OP_NONE) {
        gf_emit(c, GF_DO_MOVE, reg, result, 0, 0, GF_NO_INDEX);
    } else {
        uint32_t from[3] = {reg, result, 0};
        gf_compile_operation(c, stmt->op, symbol->type, reg, from, stmt->span);
    }
}

static void bind_scan(gf_compiler *c, const gf_stmt *stmt, gf_level level) {
    unsigned take = level == GF_LEVEL_GRID ? GF_DO_TAKE_GRID : GF_DO_TAKE_GROUP;
    open_lanes(c);
    if (stmt->kind != GF_STMT_ASSIGN) {
        gf_emit(c, take, gf_declare_stack(c, stmt->target.symbol, c->lives), 0, 0, 0, GF_NO_INDEX);
        return;
    }
    uint32_t reg = gf_reg_symbol(c, &stmt->target), mark = c->at.next;
    if (stmt->op == GF_OP_NONE) {
        gf_emit(c, take, reg, 0, 0, 0, GF_NO_INDEX);
    } else {
        uint32_t from[3] = {reg, gf_reg_stack(c), 0};
        gf_emit(c, take, from[1], 0, 0, 0, GF_NO_INDEX);
        gf_compile_operation(c, stmt->op, stmt->target.symbol->type, reg, from, stmt->span);
    }
    c->at.next = mark;
}

static void compile_cross(gf_compiler *c, const gf_stmt *stmt) {
    const gf_expr *cross = stmt->value;
    gf_level level = cross->level;
    if (level > c->context || level == GF_LEVEL_NONE) {
        gf_compile_fault(c, stmt->span, "an operation over all invocations stands where they do not all come");
        return;
    }
    if (cross->cross == GF_CROSS_LOAD) {
        stop_all(c, GF_LEVEL_GRID);
        uint32_t loaded = gf_reg_fixed(c);
        begin_head(c);
        gf_compile_into(c, cross->args[0], loaded);
        end_head(c);
        stop_all(c, GF_LEVEL_GRID);
        bind_result(c, stmt, loaded);
        return;
    }
    bool scan = cross->cross == GF_CROSS_SCAN_ADD, of_grid = level == GF_LEVEL_GRID;
    gf_type type = cross->args[0]->type;
    open_lanes(c);
    uint32_t mark = c->at.next;
    uint32_t value = gf_compile_expr(c, cross->args[0]);
    /* Only a scan of the grid needs what each invocation gave for longer than its workgroup's turn. */
    gf_emit(c, scan && of_grid ? GF_DO_GIVE_GRID : GF_DO_GIVE_GROUP, value, 0, 0, 0, GF_NO_INDEX);
    c->at.next = mark;
    if (c->failed) {
        return;
    }
    c->code->gives_grid |= scan && of_grid;
    c->code->gives_group |= !(scan && of_grid);
    c->code->folds_grid |= of_grid;
    gf_combine combine = gf_cross_combine(cross->cross);
    if (of_grid) {
        gf_step *stretch = step_at(c, c->stretch);
        stretch->finish = scan ? GF_FINISH_SCAN : GF_FINISH_FOLD;
        stretch->combine = combine;
        stretch->type = type;
    }
    stop_all(c, level);
    uint32_t result = scan ? 0 : gf_reg_fixed(c);
    uint32_t index = push_step(c, of_grid ? (scan ? GF_STEP_GRID_SCAN : GF_STEP_GRID_FOLD)
                                          : (scan ? GF_STEP_GROUP_SCAN : GF_STEP_GROUP_FOLD));
    if (c->failed) {
        return;
    }
    gf_step *step = step_at(c, index);
    step->combine = combine;
    step->type = type;
    step->reg = (uint16_t)result;
    if (scan) {
        bind_scan(c, stmt, level);
        return;
    }
    if (!of_grid && c->context == GF_LEVEL_GRID) {
        uint16_t reg = (uint16_t)result;
        gf_push(c->arena, &c->group_regs, reg);
    }
    bind_result(c, stmt, result);
}

/* ---- constructs ---- */

static void compile_block(gf_compiler *c, const gf_block *block);

static void compile_inside(gf_compiler *c, const gf_block *block, gf_level level) {
    gf_level context = c->context;
    c->context = level;
    compile_block(c, block);
    c->context = context;
    arrive(c, level);
}

/* Evaluates the condition once for all of the level, between two barriers, and jumps if it is false. */
static void jump_unless(gf_compiler *c, const gf_expr *condition, gf_level level, uint32_t *chain) {
    stop_all(c, level);
    uint32_t mark = c->at.next;
    begin_head(c);
    uint32_t reg = gf_compile_expr(c, condition);
    end_head(c);
    stop_all(c, level);
    jump_step(c, chain);
    if (!c->failed) {
        gf_step *step = step_at(c, *chain);
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
        jump_step(c, &end);
        patch_steps(c, otherwise);
        compile_inside(c, stmt->otherwise, level);
        patch_steps(c, end);
    } else {
        patch_steps(c, otherwise);
    }
    stop_all(c, level);
}

static void compile_for(gf_compiler *c, const gf_stmt *stmt, gf_level level, gf_loop *loop) {
    uint32_t i = gf_reg_fixed(c), step_reg = gf_reg_fixed(c), count = gf_reg_fixed(c), mark = c->at.next;
    stop_all(c, level);
    begin_head(c);
    gf_compile_turns(c, stmt, i, step_reg, count);
    end_head(c);
    c->at.next = mark;
    stop_all(c, level);
    c->reg_of[stmt->target.symbol->id] = i;
    uint32_t top = next_step(c);
    jump_step(c, &loop->breaks);
    if (!c->failed) {
        gf_step *step = step_at(c, loop->breaks);
        step->kind = GF_STEP_JUMP_ZERO;
        step->reg = (uint16_t)count;
    }
    compile_inside(c, stmt->body, level);
    patch_steps(c, loop->continues);
    stop_all(c, level);
    begin_head(c);
    gf_compile_next(c, stmt, i, step_reg, count, gf_here(c) + 1);
    end_head(c);
    uint32_t back = push_step(c, GF_STEP_JUMP);
    if (!c->failed) {
        step_at(c, back)->to = top;
    }
}

static void compile_loop(gf_compiler *c, const gf_stmt *stmt, gf_level level) {
    gf_loop loop = {.outer = c->loop, .level = level, .breaks = GF_NO_INDEX, .continues = GF_NO_INDEX};
    c->loop = &loop;
    if (stmt->kind == GF_STMT_FOR) {
        compile_for(c, stmt, level, &loop);
    } else {
        stop_all(c, level);
        uint32_t top = next_step(c);
        if (stmt->kind == GF_STMT_WHILE) {
            jump_unless(c, stmt->value, level, &loop.breaks);
        }
        compile_inside(c, stmt->body, level);
        patch_steps(c, loop.continues);
        stop_all(c, level);
        uint32_t back = push_step(c, GF_STEP_JUMP);
        if (!c->failed) {
            step_at(c, back)->to = top;
        }
    }
    patch_steps(c, loop.breaks);
    stop_all(c, level);
    c->loop = loop.outer;
}

static void compile_forall(gf_compiler *c, const gf_stmt *stmt) {
    close_stretch(c);
    gf_marks mark = c->at;
    uint32_t i = gf_reg_stack(c), from = gf_reg_fixed(c), until = gf_reg_fixed(c);
    begin_head(c);
    gf_compile_into(c, stmt->from, from);
    gf_compile_into(c, stmt->to, until);
    end_head(c);
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
    uint32_t index = push_step(c, GF_STEP_FORALL);
    if (c->failed) {
        return;
    }
    gf_step *step = step_at(c, index);
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
        push_step(c, GF_STEP_GRID_BARRIER);
    }
}

static void compile_exchange(gf_compiler *c, const gf_stmt *stmt) {
    stop_all(c, GF_LEVEL_GRID);
    uint32_t first = gf_array_index(c, &stmt->target);
    uint32_t second = stmt->second.symbol != NULL ? gf_array_index(c, &stmt->second) : first;
    uint32_t index = push_step(c, stmt->kind == GF_STMT_SWAP ? GF_STEP_SWAP : GF_STEP_COLLECTIVE);
    if (!c->failed) {
        gf_step *step = step_at(c, index);
        step->first = (uint16_t)first;
        step->second = (uint16_t)second;
        step->stmt = stmt;
    }
    stop_all(c, GF_LEVEL_GRID);
}

static void compile_leave(gf_compiler *c, const gf_stmt *stmt) {
    if (stmt->kind == GF_STMT_RETURN) {
        arrive(c, c->context);
        if (c->context == GF_LEVEL_GRID) {
            jump_step(c, &c->pass_ends);
        } else {
            c->code->may_end = true;
            push_step(c, GF_STEP_GROUP_RETURN);
        }
        return;
    }
    if (c->loop == NULL || c->loop->level != c->context) {
        gf_compile_fault(c, stmt->span, "a jump leaves a loop that others do not leave with it");
        return;
    }
    arrive(c, c->context);
    jump_step(c, stmt->kind == GF_STMT_BREAK ? &c->loop->breaks : &c->loop->continues);
}

static void compile_stmt(gf_compiler *c, const gf_stmt *stmt) {
    gf_level level = lower(c->context, stmt->level);
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
        if (stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS) {
            compile_cross(c, stmt);
        } else {
            compile_local(c, stmt);
        }
        break;
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        if (level == GF_LEVEL_NONE) {
            open_lanes(c);
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
        open_lanes(c);
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
            stop_all(c, GF_LEVEL_GRID);
        } else if (stmt->kind == GF_STMT_CONVERGED) {
            assign_uniform(c, stmt, GF_NO_INDEX, GF_LEVEL_GRID);
        } else {
            compile_exchange(c, stmt);
        }
        break;
    case GF_STMT_BARRIER:
        stop_all(c, GF_LEVEL_GROUP);
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
        gf_level own = lower(stops_of(block->items[i]), c->context);
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
    close_stretch(c);
    patch_steps(c, c->pass_ends);
    push_step(c, GF_STEP_PASS_END);
}
