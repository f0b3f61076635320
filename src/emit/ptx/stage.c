/* The kernel of one stage: cells are taken from one set, operations carried out by each block for itself, cells left in
 * the other set by the first, and the segment shared out. */
#include "emit/ptx/stage.h"
#include "emit/ptx/rows.h"
#include "emit/ptx/scan.h"
#include "ir/program.h"
#include "ir/visit.h"
#include <string.h>

enum { IN, OUT, READ_SLOT, WRITE_SLOT, FLAG, READ_AREA, WRITE_AREA, WRITERS, ACROSS, INVERSE, DOWN, STRETCH, PARAMS };

typedef struct writer {
    gf_ptx_layout *l;
    gf_ptx_emit *e;
    gf_ptx_cells c;
    gf_pv params[PARAMS];
    uint32_t out; /* label: the end */
    gf_pv slot;   /* u32: what passes said of changes, of the slot that is read; of no type: nobody wants to know */
} writer;

static gf_pv not_of(gf_ptx_emit *e, gf_pv v) {
    return gf_ptx_op(&e->p, GF_OP_NOT, GF_TYPE_BOOL, GF_TYPE_NONE, v, v, v);
}

static gf_pv or_of(gf_ptx_emit *e, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_OR, GF_TYPE_BOOL, GF_TYPE_NONE, a, b, b);
}

static gf_pv and_of(gf_ptx_emit *e, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_AND, GF_TYPE_BOOL, GF_TYPE_NONE, a, b, b);
}

static void load_params(writer *w) {
    gf_ptx_emit *e = w->e;
    for (int i = 0; i < (w->l->may_end ? PARAMS : STRETCH); i++) {
        bool wide = i <= FLAG;
        w->params[i] = gf_ptx_new_value(&e->p, wide ? GF_TYPE_U64 : GF_TYPE_U32);
        gf_ptx_line(&e->p, "ld.param.%s %s, [gf_params+%d];", wide ? "u64" : "u32", gf_ptx_spell(w->params[i]).text,
                    wide ? 8 * i : 8 * READ_AREA + 4 * (i - READ_AREA));
    }
    w->l->walk->grid = (gf_ptx_grid_shape){w->params[ACROSS], w->params[INVERSE], w->params[DOWN]};
}

static void assign(writer *w, uint32_t cell, gf_pv value) {
    gf_ptx_move(&w->e->p, w->c.values[cell], value);
    w->c.assigned[cell] = true;
}

/* ---- operations ---- */

static void mark_assigned(writer *w, const gf_plan_node *node) {
    const gf_plan *plan = w->l->plan;
    for (size_t i = 0; node->target != NULL && i < plan->register_count; i++) {
        w->c.assigned[i] |= plan->registers[i] == node->target;
    }
    uint32_t cell = w->l->first_swapped;
    for (size_t i = 0; i < plan->buffer_count; i++) {
        if (w->l->walk->arrays[i] != NULL && w->l->walk->arrays[i]->space == GF_PTX_GLOBAL) {
            w->c.assigned[cell++] |= node->kind == GF_PLAN_SWAP && (node->buffer == i || node->second == i);
        }
    }
    w->c.assigned[w->l->converged] |= node->kind == GF_PLAN_CONVERGED;
    const gf_plan_block *blocks[] = {node->body, node->otherwise};
    for (int b = 0; b < 2; b++) {
        for (size_t i = 0; blocks[b] != NULL && i < blocks[b]->count; i++) {
            mark_assigned(w, blocks[b]->items[i]);
        }
    }
}

/* How many results of blocks there are of a reduction: known to whoever made them, and to whoever knows as much. */
static void count_results(writer *w, const gf_plan_node *node) {
    gf_ptx_emit *e = w->e;
    gf_ptx_fuse *fuse = &w->l->walk->fuse[node->buffer];
    gf_pv count = gf_ptx_cast(&e->p, GF_TYPE_U64, w->params[WRITERS]);
    if (fuse->is_ordered && fuse->by_group) {
        count = gf_ptx_u64(1);
        for (size_t axis = 0; axis < 3; axis++) {
            count = gf_ptx_do(e, GF_OP_MUL, count, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_GROUPS + axis));
        }
    } else if (fuse->is_ordered) {
        count = w->l->walk->names[fuse->writer->forall_count->id].value;
        count = gf_ptx_do(e, GF_OP_SHR, gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_u64(4095)), gf_ptx_u32(12));
    }
    gf_ptx_move(&e->p, fuse->count, count);
    gf_ptx_move(&e->p, fuse->parity, w->params[READ_AREA]);
}

static gf_pv holds(writer *w, int32_t guard) {
    return guard < 0 ? gf_ptx_constant(GF_TYPE_BOOL, 1) : w->c.values[guard];
}

static void do_cond(writer *w, const gf_ptx_op_item *op) {
    gf_ptx_emit *e = w->e;
    const gf_ptx_loop *branch = &w->l->loops.items[op->loop];
    gf_pv no = gf_ptx_constant(GF_TYPE_BOOL, 0);
    uint32_t after = gf_ptx_label(&e->p);
    assign(w, branch->guard, no);
    assign(w, branch->otherwise, no);
    gf_ptx_jump_if(&e->p, holds(w, branch->outer), false, after);
    gf_pv condition = gf_ptx_emit_scalar(w->l->walk, op->node->value);
    assign(w, branch->guard, condition);
    assign(w, branch->otherwise, not_of(e, condition));
    gf_ptx_place(&e->p, after);
}

static void do_begin(writer *w, const gf_ptx_op_item *op) {
    gf_ptx_emit *e = w->e;
    const gf_ptx_loop *loop = &w->l->loops.items[op->loop];
    const gf_plan_node *node = op->node;
    uint32_t after = gf_ptx_label(&e->p);
    if (loop->owner >= 0) {
        gf_ptx_jump_if(&e->p, w->c.values[loop->paused], true, after); /* it goes on where it was */
    }
    assign(w, loop->guard, holds(w, loop->outer));
    if (node->kind != GF_PLAN_FOR) {
        gf_ptx_place(&e->p, after);
        return;
    }
    gf_ptx_jump_if(&e->p, holds(w, loop->outer), false, after);
    gf_type type = node->target->type;
    gf_pv from = gf_ptx_emit_scalar(w->l->walk, node->from), to = gf_ptx_emit_scalar(w->l->walk, node->to);
    bool has_step = node->step != NULL;
    gf_pv step = has_step ? gf_ptx_emit_scalar(w->l->walk, node->step) : gf_ptx_constant(type, 1);
    assign(w, loop->turns, gf_ptx_turns(&e->p, type, from, to, has_step, step));
    assign(w, loop->turn, gf_ptx_u64(0));
    assign(w, loop->at, from);
    assign(w, loop->step, step);
    gf_ptx_place(&e->p, after);
}

static void do_head(writer *w, const gf_ptx_op_item *op) {
    gf_ptx_emit *e = w->e;
    const gf_ptx_loop *loop = &w->l->loops.items[op->loop];
    const gf_plan_node *node = op->node;
    if (node->kind == GF_PLAN_FOR) {
        gf_pv goes_on = gf_ptx_do(e, GF_OP_LT, w->c.values[loop->turn], w->c.values[loop->turns]);
        gf_pv target = w->l->walk->names[node->target->id].value;
        assign(w, loop->guard, and_of(e, w->c.values[loop->guard], goes_on));
        gf_ptx_move(&e->p, target, gf_ptx_choose(e, w->c.values[loop->guard], w->c.values[loop->at], target));
        mark_assigned(w, &(gf_plan_node){.kind = GF_PLAN_SET, .target = node->target});
    } else if (node->value != NULL) {
        assign(w, loop->guard, and_of(e, w->c.values[loop->guard], gf_ptx_emit_scalar(w->l->walk, node->value)));
    }
}

static void do_next(writer *w, const gf_ptx_op_item *op) {
    gf_ptx_emit *e = w->e;
    const gf_ptx_loop *loop = &w->l->loops.items[op->loop];
    gf_pv guard = w->c.values[loop->guard], turn = w->c.values[loop->turn], at = w->c.values[loop->at];
    assign(w, loop->turn, gf_ptx_choose(e, guard, gf_ptx_do(e, GF_OP_ADD, turn, gf_ptx_u64(1)), turn));
    assign(w, loop->at, gf_ptx_choose(e, guard, gf_ptx_do(e, GF_OP_ADD, at, w->c.values[loop->step]), at));
}

/* The condition around the one of this cell. */
static uint32_t cell_around(const gf_ptx_layout *l, uint32_t cell) {
    size_t i = 0;
    while (l->loops.items[i].guard != cell && l->loops.items[i].otherwise != cell) {
        i++;
    }
    return (uint32_t)l->loops.items[i].outer;
}

/* Has the loop more turns than stand here, nothing around goes on until it is come to again; else what has waited for
 * it does. All conditions around held when it began. */
static void do_pause(writer *w, const gf_ptx_op_item *op) {
    gf_ptx_emit *e = w->e;
    const gf_ptx_layout *l = w->l;
    const gf_ptx_loop *loop = &l->loops.items[op->loop];
    uint32_t last = l->loops.items[loop->owner].guard, cell = (uint32_t)loop->outer;
    gf_pv goes_on = w->c.values[loop->guard], is_done = not_of(e, goes_on), waited = w->c.values[loop->paused];
    for (;; cell = cell_around(l, cell)) {
        assign(w, cell, and_of(e, or_of(e, w->c.values[cell], waited), is_done));
        if (cell == last) {
            break;
        }
    }
    assign(w, loop->paused, goes_on);
}

/* A word that one thread of each block looks at for all. */
static gf_pv look(writer *w, gf_pv address, unsigned offset) {
    gf_ptx_emit *e = w->e;
    gf_pv word = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, word, gf_ptx_u32(0));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u32 %s, [%s+%u];", gf_ptx_spell(word).text, gf_ptx_spell(address).text,
                offset);
    gf_ptx_place(&e->p, others);
    return gf_ptx_broadcast(e, word);
}

static gf_pv is_set(gf_ptx_emit *e, gf_pv word) {
    return gf_ptx_do(e, GF_OP_NE, word, gf_ptx_u32(0));
}

/* Somebody did wrong in a stretch before this one. In this one, which may have begun in other kernels, and of which
 * other blocks may be further, all is carried out: a lower invocation may do wrong yet. */
static gf_pv is_over(writer *w) {
    gf_ptx_emit *e = w->e;
    gf_pv state = gf_ptx_register(&e->p, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE));
    gf_pv ended = look(w, state, GF_PTX_STATE_ENDED);
    gf_pv is_other = gf_ptx_do(e, GF_OP_NE, ended, w->params[STRETCH]);
    return and_of(e, is_other, is_set(e, ended));
}

/* One in which the run was stopped is no whole one, and none comes behind it. */
static void do_pass(writer *w, const gf_ptx_op_item *op) {
    gf_ptx_emit *e = w->e;
    gf_ptx_layout *l = w->l;
    gf_pv goes_on = not_of(e, w->c.values[l->stopped]), passes = w->c.values[l->passes];
    gf_pv was = and_of(e, holds(w, op->guard), goes_on);
    assign(w, l->passes, gf_ptx_choose(e, was, gf_ptx_do(e, GF_OP_ADD, passes, gf_ptx_u64(1)), passes));
    gf_pv changed = gf_ptx_constant(GF_TYPE_BOOL, 1);
    if (e->options.compare) {
        changed = gf_ptx_do(e, GF_OP_NE, w->slot, gf_ptx_u32(0));
        gf_pv stays = and_of(e, w->c.values[l->stable], not_of(e, was));
        assign(w, l->stable, or_of(e, stays, and_of(e, was, not_of(e, changed))));
    }
    if (op->loop != UINT32_MAX) {
        gf_pv most = gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_PASSES);
        gf_pv more = gf_ptx_do(e, GF_OP_LT, w->c.values[l->passes], most);
        assign(w, l->loops.items[op->loop].guard, and_of(e, was, and_of(e, more, changed)));
    }
}

static void clear_slots(writer *w) {
    gf_ptx_emit *e = w->e;
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_sync(e); /* all have looked */
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, gf_ptx_thread(e), gf_ptx_u32(GF_PTX_SLOTS)), false, others);
    gf_pv at = gf_ptx_do(e, GF_OP_MUL, gf_ptx_to_u64(e, gf_ptx_thread(e)), gf_ptx_u64(GF_PTX_LINE));
    at = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE), at));
    gf_ptx_line(&e->p, "st.global.u32 [%s+%d], 0;", gf_ptx_spell(at).text, GF_PTX_STATE_SLOTS);
    gf_ptx_place(&e->p, others);
}

static void do_outcome(writer *w) {
    gf_ptx_layout *l = w->l;
    gf_ptx_tell_outcome(l->walk, w->c.values[l->passes], w->c.values[l->stable], w->c.values[l->stopped], false);
}

/* What stands in the state is of the run before. */
static void do_start(writer *w) {
    gf_ptx_emit *e = w->e;
    gf_ptx_layout *l = w->l;
    uint32_t cell = l->first_swapped;
    for (uint32_t i = 0; i < l->cells.count; i++) {
        assign(w, i, gf_ptx_constant(l->cells.items[i], 0));
    }
    for (size_t i = 0; i < l->plan->buffer_count; i++) {
        if (l->walk->arrays[i] != NULL && l->walk->arrays[i]->space == GF_PTX_GLOBAL) {
            assign(w, cell++, gf_ptx_arg(e, GF_TYPE_U64, gf_ptx_arg_of_buffer(l->plan, (uint32_t)i)));
        }
    }
    assign(w, l->converged, gf_ptx_u32(2));
}

static bool look_for_work(void *user, const gf_expr *expr) {
    bool *has_work = user;
    *has_work |= expr->kind == GF_EXPR_LOAD || expr->kind == GF_EXPR_ATOMIC || expr->kind == GF_EXPR_CALL;
    return !*has_work;
}

/* What counts and asks whether to go on is done by choosing: behind a branch the assembler would load, late, what is
 * wanted there alone. */
static bool has_branch(const writer *w, const gf_ptx_op_item *op) {
    bool has_work = w->e->options.checked;
    gf_visitor visitor = {.user = &has_work, .expr = look_for_work};
    switch (op->kind) {
    case GF_PTX_OP_HEAD:
        if (op->node->kind != GF_PLAN_FOR && op->node->value != NULL) {
            gf_visit_expr(&visitor, op->node->value);
            return has_work;
        }
        return false;
    case GF_PTX_OP_NEXT:
    case GF_PTX_OP_PASS:
        return false;
    case GF_PTX_OP_START:
    case GF_PTX_OP_NODE:
    case GF_PTX_OP_COND:
    case GF_PTX_OP_BEGIN:
    case GF_PTX_OP_PAUSE:
    case GF_PTX_OP_PASSES:
    case GF_PTX_OP_CLEAR:
    case GF_PTX_OP_OUTCOME:
        return true;
    }
    return true;
}

static void do_op(writer *w, const gf_ptx_op_item *op) {
    gf_ptx_emit *e = w->e;
    uint32_t after = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, has_branch(w, op) ? holds(w, op->guard) : gf_ptx_constant(GF_TYPE_BOOL, 1), false, after);
    switch (op->kind) {
    case GF_PTX_OP_START:
        do_start(w);
        break;
    case GF_PTX_OP_NODE:
        mark_assigned(w, op->node);
        if (op->node->kind == GF_PLAN_REDUCE) {
            count_results(w, op->node);
        }
        gf_ptx_walk_node(w->l->walk, op->node);
        break;
    case GF_PTX_OP_COND:
        do_cond(w, op);
        break;
    case GF_PTX_OP_BEGIN:
        do_begin(w, op);
        break;
    case GF_PTX_OP_HEAD:
        do_head(w, op);
        break;
    case GF_PTX_OP_NEXT:
        do_next(w, op);
        break;
    case GF_PTX_OP_PAUSE:
        do_pause(w, op);
        break;
    case GF_PTX_OP_PASSES:
        assign(w, w->l->passes, gf_ptx_u64(0));
        assign(w, w->l->loops.items[op->loop].guard, gf_ptx_constant(GF_TYPE_BOOL, 1));
        break;
    case GF_PTX_OP_PASS:
        do_pass(w, op);
        break;
    case GF_PTX_OP_CLEAR:
        clear_slots(w);
        break;
    case GF_PTX_OP_OUTCOME:
        do_outcome(w);
        break;
    }
    gf_ptx_place(&e->p, after);
}

/* ---- the flag of a loop ---- */

void gf_ptx_set_condition(gf_ptx_emit *e, gf_pv flag, gf_pv value) {
    gf_ptx_line(&e->p, "{ .param .b64 gf_flag; .param .b32 gf_go;");
    gf_ptx_line(&e->p, "st.param.b64 [gf_flag], %s;", gf_ptx_spell(flag).text);
    gf_ptx_line(&e->p, "st.param.b32 [gf_go], %s;", gf_ptx_spell(value).text);
    gf_ptx_line(&e->p, "call.uni cudaGraphSetConditional, (gf_flag, gf_go); }");
}

/* A run that should end goes through no further turn. */
static void set_flag(writer *w, int32_t index) {
    gf_ptx_emit *e = w->e;
    const gf_ptx_loop *loop = &w->l->loops.items[index];
    gf_pv state = gf_ptx_register(&e->p, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE));
    gf_pv stop = is_set(e, look(w, state, GF_PTX_STATE_STOP));
    if (w->l->may_end) {
        gf_pv ended = is_set(e, look(w, state, GF_PTX_STATE_ENDED));
        stop = or_of(e, stop, ended);
    }
    gf_pv goes_on = w->c.values[loop->guard];
    for (size_t i = 0; i < w->l->loops.count; i++) {
        goes_on =
            w->l->loops.items[i].owner == index ? or_of(e, goes_on, w->c.values[w->l->loops.items[i].paused]) : goes_on;
    }
    stop = and_of(e, stop, goes_on);
    goes_on = and_of(e, goes_on, not_of(e, stop));
    assign(w, w->l->stopped, or_of(e, w->c.values[w->l->stopped], stop));
    assign(w, loop->guard, and_of(e, w->c.values[loop->guard], goes_on));
    for (size_t i = 0; i < w->l->loops.count; i++) {
        const gf_ptx_loop *inner = &w->l->loops.items[i];
        if (inner->owner == index) {
            assign(w, inner->guard, and_of(e, w->c.values[inner->guard], goes_on));
            assign(w, inner->paused, and_of(e, w->c.values[inner->paused], goes_on));
        }
    }
    gf_pv go = gf_ptx_register(&e->p, gf_ptx_cast(&e->p, GF_TYPE_U32, goes_on));
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    gf_ptx_set_condition(e, w->params[FLAG], go);
    gf_ptx_place(&e->p, others);
}

/* ---- the work ---- */

static bool tracks(const writer *w, const gf_segment *segment) {
    const bool *tracked = w->e->options.tracked;
    for (size_t i = 0; tracked != NULL && w->e->options.compare && i < segment->buffer_count; i++) {
        if (tracked[segment->buffers[i].buffer] && segment->buffers[i].role != GF_ROLE_IN) {
            return true;
        }
    }
    return false;
}

/* One word for each pass, written once by each block that has something to say. */
static void tell_change(writer *w) {
    gf_ptx_emit *e = w->e;
    gf_pv any = gf_ptx_fold_block(e, GF_COMBINE_OR, GF_TYPE_BOOL, e->changed);
    gf_pv mine = and_of(e, any, gf_ptx_do(e, GF_OP_EQ, gf_ptx_thread(e), gf_ptx_u32(0)));
    gf_pv one = gf_ptx_register(&e->p, gf_ptx_u32(1));
    gf_ptx_line(&e->p, "@%s red.relaxed.gpu.global.or.b32 [%s], %s;", gf_ptx_spell(gf_ptx_register(&e->p, mine)).text,
                gf_ptx_spell(w->params[WRITE_SLOT]).text, gf_ptx_spell(one).text);
}

static void do_one(writer *w, const gf_plan_node *node) {
    gf_ptx_walk *walk = w->l->walk;
    gf_ptx_scan *scan = gf_ptx_scan_by(walk, node);
    gf_ptx_count_launch(w->e);
    for (size_t i = 0; i < node->segment->buffer_count; i++) {
        gf_ptx_fuse *fuse = &walk->fuse[node->segment->buffers[i].buffer];
        if (fuse->is_fused) {
            gf_ptx_move(&w->e->p, fuse->parity, w->params[WRITE_AREA]);
        }
    }
    if (scan != NULL) {
        gf_ptx_begin_scan(walk, scan);
        gf_ptx_emit_scan(walk, scan);
    } else {
        gf_ptx_emit_items(walk, node->segment);
        w->l->listed[node->segment->index] = walk->listed;
        walk->listed = NULL;
    }
    gf_ptx_publish_stage(walk, node->segment);
    w->l->each[node->segment->index] = w->e->pack_size;
}

static void do_segments(writer *w, const gf_ptx_joined *joined) {
    bool any = false;
    for (size_t i = 0; i < joined->count; i++) {
        if (i > 0) {
            gf_ptx_sync(w->e); /* shared memory is that of the next segment now */
        }
        w->e->pack_size = 1;
        do_one(w, joined->items[i]);
        any |= tracks(w, joined->items[i]->segment);
    }
    if (any) {
        tell_change(w);
    }
}

static void do_pieces(writer *w, const gf_segment *segment) {
    if (w->l->listed[segment->index] == NULL) {
        return;
    }
    gf_ptx_serve_stage(w->l->walk, w->l->listed[segment->index], w->out);
    if (tracks(w, segment)) {
        tell_change(w);
    }
}

static void do_work(writer *w, const gf_ptx_work *work, const gf_ptx_watch *watch) {
    gf_ptx_walk *walk = w->l->walk;
    switch (work->kind) {
    case GF_PTX_WORK_SEGMENT:
        do_segments(w, &work->joined);
        break;
    case GF_PTX_WORK_PIECES:
        do_pieces(w, work->node->segment);
        break;
    case GF_PTX_WORK_NODE:
        gf_ptx_walk_node(walk, work->node);
        break;
    case GF_PTX_WORK_SUM:
        gf_ptx_scan_part(walk, work->node, false);
        break;
    case GF_PTX_WORK_SCAN:
        gf_ptx_scan_part(walk, work->node, true);
        break;
    case GF_PTX_WORK_WORDS:
        gf_ptx_clear_words(w->e, work->node->buffer);
        break;
    case GF_PTX_WORK_COMPARE:
        gf_ptx_compare_watched(walk, watch);
        tell_change(w);
        break;
    case GF_PTX_WORK_TURN:
        break;
    }
}

/* Through the first cache, for nobody writes this word while the kernel runs; and early, beside the cells. */
static void load_slot(writer *w, const gf_ptx_work *work) {
    gf_ptx_emit *e = w->e;
    for (size_t i = 0; i < work->ops.count; i++) {
        if (work->ops.items[i].kind == GF_PTX_OP_PASS && e->options.compare && w->slot.type == GF_TYPE_NONE) {
            w->slot = gf_ptx_new_value(&e->p, GF_TYPE_U32);
            gf_ptx_line(&e->p, "ld.global.u32 %s, [%s];", gf_ptx_spell(w->slot).text,
                        gf_ptx_spell(w->params[READ_SLOT]).text);
        }
    }
}

/* Registers that whole.c gives the kernel as a whole. */
static void begin(writer *w, const gf_ptx_work *work) {
    gf_ptx_emit *e = w->e;
    gf_pv no = gf_ptx_constant(GF_TYPE_BOOL, 0);
    gf_ptx_scan *scan = work->kind == GF_PTX_WORK_SEGMENT ? gf_ptx_scan_by(w->l->walk, work->node) : NULL;
    e->is_open = true;
    gf_ptx_wait_for_kernel(e);
    if (scan != NULL) {
        gf_ptx_begin_tickets(w->l->walk, scan);
    }
    e->changed = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    e->ended = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    gf_ptx_move(&e->p, e->changed, no);
    gf_ptx_move(&e->p, e->ended, no);
    w->l->walk->scan_parity = gf_ptx_u32(0);
    load_params(w);
    load_slot(w, work);
    gf_ptx_load_cells(&w->c, w->params[IN]);
    e->stretch = w->params[STRETCH];
    e->passes = e->options.passes ? w->c.values[w->l->passes] : (gf_pv){0};
    gf_ptx_begin_fused(w->l->walk);
}

void gf_ptx_write_stage(gf_ptx_layout *l, const gf_ptx_work *work, const gf_ptx_watch *watch) {
    gf_ptx_emit *e = l->walk->e;
    writer w = {.l = l, .e = e, .c = {.l = l, .e = e}};
    w.out = gf_ptx_label(&e->p);
    begin(&w, work);
    bool leaves_cells = work->ops.count > 0 || work->kind == GF_PTX_WORK_TURN;
    if (leaves_cells) {
        gf_ptx_keep_cells(&w.c, w.params[IN]);
    }
    if (work->kind == GF_PTX_WORK_SEGMENT && work->joined.count == 1 && gf_ptx_scan_by(l->walk, work->node) == NULL) {
        gf_ptx_ready_items(l->walk, work->node->segment);
    }
    for (size_t i = 0; i < work->ops.count; i++) {
        do_op(&w, &work->ops.items[i]);
    }
    if (work->sets >= 0) {
        set_flag(&w, work->sets);
    }
    if (leaves_cells) {
        gf_ptx_store_cells(&w.c, w.params[OUT]);
    }
    gf_ptx_jump_if(&e->p, holds(&w, work->guard), false, w.out);
    if (l->may_end && work->kind != GF_PTX_WORK_TURN) {
        gf_ptx_jump_if(&e->p, is_over(&w), true, w.out);
    }
    do_work(&w, work, watch);
    gf_ptx_place(&e->p, w.out);
    gf_ptx_line(&e->p, "ret;");
}
