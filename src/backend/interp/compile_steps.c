/* Steps as they are put together: stretches and lanes are opened when there is something to run, and closed by what
 * stops them. */
#include "backend/interp/compile.h"

uint32_t gf_push_step(gf_compiler *c, gf_step_kind kind) {
    if (c->failed) {
        return 0;
    }
    gf_step step = {.kind = kind, .to = GF_NO_INDEX, .uniform_code = GF_NO_INDEX};
    gf_push(c->arena, &c->steps, step);
    return (uint32_t)c->steps.count - 1;
}

gf_step *gf_step_at(gf_compiler *c, uint32_t index) {
    return &c->steps.items[index];
}

uint32_t gf_next_step(const gf_compiler *c) {
    return (uint32_t)c->steps.count;
}

void gf_jump_step(gf_compiler *c, uint32_t *chain) {
    uint32_t index = gf_push_step(c, GF_STEP_JUMP);
    if (!c->failed) {
        gf_step_at(c, index)->to = *chain;
        *chain = index;
    }
}

void gf_patch_steps(gf_compiler *c, uint32_t chain) {
    while (!c->failed && chain != GF_NO_INDEX) {
        uint32_t next = gf_step_at(c, chain)->to;
        gf_step_at(c, chain)->to = gf_next_step(c);
        chain = next;
    }
}

static void open_stretch(gf_compiler *c) {
    if (c->stretch == GF_NO_INDEX && !c->failed) {
        c->stretch = gf_push_step(c, GF_STEP_STRETCH);
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

void gf_open_lanes(gf_compiler *c) {
    open_stretch(c);
    if (c->lanes == GF_NO_INDEX && !c->failed) {
        c->lanes = gf_push_step(c, GF_STEP_LANES);
        gf_step *step = gf_step_at(c, c->lanes);
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
    gf_step *step = gf_step_at(c, c->lanes);
    step->uniform_code = uniform_code;
    if (c->lane_assigned.count > 0) {
        step->assigned = copy_regs(c, c->lane_assigned.items, c->lane_assigned.count);
    }
    step->save_grid = frame_now(c, GF_LEVEL_GRID);
    step->save_group = frame_now(c, GF_LEVEL_GROUP);
    c->lanes = GF_NO_INDEX;
}

void gf_close_stretch(gf_compiler *c) {
    close_lanes(c);
    if (c->stretch == GF_NO_INDEX || c->failed) {
        return;
    }
    uint32_t uniform_code = c->stretch_uniforms.count > 0
                                ? compile_uniforms(c, c->stretch_uniforms.items, c->stretch_uniforms.count)
                                : GF_NO_INDEX;
    gf_push_step(c, GF_STEP_GROUP_END);
    gf_step *step = gf_step_at(c, c->stretch);
    step->to = gf_next_step(c);
    step->uniform_code = uniform_code;
    if (c->stretch_assigned.count > 0) {
        step->assigned = copy_regs(c, c->stretch_assigned.items, c->stretch_assigned.count);
    }
    c->stretch = GF_NO_INDEX;
}

/* All of the level arrive. */
void gf_arrive(gf_compiler *c, gf_level level) {
    if (level == GF_LEVEL_GRID) {
        gf_close_stretch(c);
    } else {
        open_stretch(c);
        close_lanes(c);
    }
}

void gf_stop_all(gf_compiler *c, gf_level level) {
    gf_arrive(c, level);
    gf_push_step(c, level == GF_LEVEL_GRID ? GF_STEP_GRID_BARRIER : GF_STEP_GROUP_BARRIER);
}

void gf_begin_head(gf_compiler *c) {
    uint32_t index = gf_push_step(c, GF_STEP_HEAD);
    if (!c->failed) {
        gf_step_at(c, index)->code = gf_here(c);
    }
}

void gf_end_head(gf_compiler *c) {
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
void gf_assign_uniform(gf_compiler *c, const gf_stmt *stmt, uint32_t value, gf_level home) {
    if (c->failed) {
        return;
    }
    gf_uniform uniform = {.stmt = stmt, .value = value};
    bool of_grid = home == GF_LEVEL_GRID;
    if (of_grid && c->stretch == GF_NO_INDEX) {
        gf_begin_head(c);
        compile_uniform(c, &uniform);
        gf_end_head(c);
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
        gf_begin_head(c);
        compile_uniform(c, &uniform);
        gf_end_head(c);
    }
    if (of_grid) {
        gf_push(c->arena, &c->stretch_uniforms, uniform);
    }
    note_assigned(c, stmt, in_lanes, of_grid);
}

/* A register for a variable that the grid or a workgroup shares. */
void gf_declare_uniform(gf_compiler *c, const gf_symbol *symbol, gf_level home) {
    uint32_t reg = gf_reg_fixed(c);
    c->reg_of[symbol->id] = reg;
    if (home == GF_LEVEL_GROUP && c->context == GF_LEVEL_GRID) {
        uint16_t short_reg = (uint16_t)reg;
        gf_push(c->arena, &c->group_regs, short_reg);
    }
}
