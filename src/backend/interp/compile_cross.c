/* Operations over all invocations of the grid or of a workgroup. */
#include "backend/interp/compile.h"

#include "ir/eval.h"

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
            gf_declare_uniform(c, symbol, home);
        }
        gf_assign_uniform(c, stmt, result, home);
        return;
    }
    gf_open_lanes(c);
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
    gf_open_lanes(c);
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

void gf_compile_cross(gf_compiler *c, const gf_stmt *stmt) {
    const gf_expr *cross = stmt->value;
    gf_level level = cross->level;
    if (level > c->context || level == GF_LEVEL_NONE) {
        gf_compile_fault(c, stmt->span, "an operation over all invocations stands where they do not all come");
        return;
    }
    if (cross->cross == GF_CROSS_LOAD) {
        gf_stop_all(c, GF_LEVEL_GRID);
        uint32_t loaded = gf_reg_fixed(c);
        gf_begin_head(c);
        gf_compile_into(c, cross->args[0], loaded);
        gf_end_head(c);
        gf_stop_all(c, GF_LEVEL_GRID);
        bind_result(c, stmt, loaded);
        return;
    }
    bool scan = cross->cross == GF_CROSS_SCAN_ADD, of_grid = level == GF_LEVEL_GRID;
    gf_type type = cross->args[0]->type;
    gf_open_lanes(c);
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
        gf_step *stretch = gf_step_at(c, c->stretch);
        stretch->finish = scan ? GF_FINISH_SCAN : GF_FINISH_FOLD;
        stretch->combine = combine;
        stretch->type = type;
    }
    gf_stop_all(c, level);
    uint32_t result = scan ? 0 : gf_reg_fixed(c);
    uint32_t index = gf_push_step(c, of_grid ? (scan ? GF_STEP_GRID_SCAN : GF_STEP_GRID_FOLD)
                                             : (scan ? GF_STEP_GROUP_SCAN : GF_STEP_GROUP_FOLD));
    if (c->failed) {
        return;
    }
    gf_step *step = gf_step_at(c, index);
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
