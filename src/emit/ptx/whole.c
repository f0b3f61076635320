/* The whole plan in one kernel: prologue, passes, what is told at the end. Each thread walks the tree, registers of the
 * plan are its registers, and the grid meets where the plan wants it to. */
#include "emit/ptx/whole.h"
#include "emit/ptx/scan.h"
#include "emit/ptx/steps.h"
#include "ir/program.h"
#include "plan/track.h"
#include <string.h>

/* ---- names ---- */

static void name_registers(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; i < walk->plan->register_count; i++) {
        const gf_symbol *symbol = walk->plan->registers[i];
        gf_pv value = gf_ptx_new_value(&e->p, symbol->type);
        gf_ptx_move(&e->p, value, gf_ptx_constant(symbol->type, 0));
        gf_ptx_keep(walk, value);
        walk->names[symbol->id].value = value;
    }
}

void gf_ptx_name_swapped(gf_ptx_walk *walk, const gf_plan_block *block) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        gf_ptx_name_swapped(walk, node->body);
        gf_ptx_name_swapped(walk, node->otherwise);
        uint32_t buffers[] = {node->buffer, node->second};
        for (int k = 0; node->kind == GF_PLAN_SWAP && k < 2; k++) {
            if (walk->arrays[buffers[k]] != NULL) {
                continue;
            }
            gf_ptx_array *array = gf_new(e->arena, gf_ptx_array);
            *array = (gf_ptx_array){.data = gf_ptx_new_value(&e->p, GF_TYPE_U64), .is_written = true};
            gf_ptx_move(&e->p, array->data, gf_ptx_arg(e, GF_TYPE_U64, gf_ptx_arg_of_buffer(walk->plan, buffers[k])));
            gf_ptx_keep(walk, array->data);
            walk->arrays[buffers[k]] = array;
        }
    }
}

/* Values of an invocation that cross a barrier stay in its thread. */
static void name_carried(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; e->options.native && i < walk->plan->buffer_count; i++) {
        const gf_plan_buffer *buffer = &walk->plan->buffers[i];
        bool carried = buffer->kind == GF_PLAN_BUFFER_CARRY || buffer->kind == GF_PLAN_BUFFER_RETURNED;
        if (!carried || buffer->of_array) {
            continue;
        }
        gf_ptx_array *own = gf_new(e->arena, gf_ptx_array);
        *own =
            (gf_ptx_array){.space = GF_PTX_OWN, .own = gf_ptx_new_value(&e->p, gf_type_loaded(buffer->symbol->type))};
        gf_ptx_move(&e->p, own->own, gf_ptx_constant(own->own.type, 0));
        walk->arrays[i] = own;
    }
}

/* ---- convergence ---- */

typedef struct comparison {
    gf_pv now, before; /* addresses */
    gf_ptx_walk *walk;
    unsigned bytes;
} comparison;

/* Compares, and leaves the copy as the next pass will want it. */
static void compare_one(gf_ptx_emit *e, gf_pv i, void *context) {
    const comparison *c = context;
    const char *suffix = gf_ptx_raw_suffix(c->bytes);
    gf_type type = c->bytes == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
    gf_pv offset = gf_ptx_do(e, GF_OP_MUL, i, gf_ptx_u64(c->bytes));
    gf_pv now = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, c->now, offset));
    gf_pv before = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, c->before, offset));
    gf_pv a = gf_ptx_new_value(&e->p, type), b = gf_ptx_new_value(&e->p, type);
    gf_ptx_line(&e->p, "ld.global.%s %s, [%s];", suffix, gf_ptx_spell(a).text, gf_ptx_spell(now).text);
    gf_ptx_line(&e->p, "ld.global.%s %s, [%s];", suffix, gf_ptx_spell(b).text, gf_ptx_spell(before).text);
    gf_pv differs = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_NE, a, b));
    gf_ptx_line(&e->p, "@%s st.global.%s [%s], %s;", gf_ptx_spell(differs).text, suffix, gf_ptx_spell(before).text,
                gf_ptx_spell(a).text);
    gf_ptx_move(&e->p, e->changed, gf_ptx_do(e, GF_OP_OR, e->changed, differs));
}

void gf_ptx_compare_watched(gf_ptx_walk *walk, const gf_ptx_watch *watch) {
    gf_ptx_emit *e = walk->e;
    size_t snapshot = GF_PTX_ARGS_PARAMS + gf_tree_count(walk->plan->program->checked, GF_SYMBOL_PARAM) +
                      2 * walk->plan->buffer_count;
    for (size_t i = 0; i < watch->count; i++) {
        uint32_t buffer = watch->buffers[i];
        if (watch->tracked[buffer]) {
            continue;
        }
        comparison c = {.walk = walk, .bytes = (unsigned)gf_type_bytes(walk->plan->buffers[buffer].symbol->type)};
        size_t word = gf_ptx_arg_of_buffer(walk->plan, buffer);
        c.now = walk->arrays[buffer] != NULL ? walk->arrays[buffer]->data : gf_ptx_arg(e, GF_TYPE_U64, word);
        c.before = gf_ptx_arg(e, GF_TYPE_U64, snapshot++);
        gf_ptx_emit_each(e, gf_ptx_arg(e, GF_TYPE_U64, word + 1), compare_one, &c);
    }
}

bool gf_ptx_compares(const gf_ptx_watch *watch) {
    for (size_t i = 0; i < watch->count; i++) {
        if (!watch->tracked[watch->buffers[i]]) {
            return true;
        }
    }
    return false;
}

/* Whether the pass changed anything that is watched, for all threads. */
static gf_pv has_changed(gf_ptx_walk *walk, const gf_ptx_watch *watch) {
    if (gf_ptx_compares(watch)) {
        gf_ptx_settle(walk);
    }
    gf_ptx_compare_watched(walk, watch);
    gf_pv any = gf_ptx_grid_barrier(walk, &walk->e->changed);
    walk->after_write = walk->after_read = false;
    return any;
}

/* ---- the end ---- */

static void tell(gf_ptx_emit *e, gf_pv outcome, unsigned word, gf_pv value) {
    value = gf_ptx_register(&e->p, gf_ptx_cast(&e->p, GF_TYPE_U64, value));
    gf_ptx_line(&e->p, "st.global.u64 [%s+%u], %s;", gf_ptx_spell(outcome).text, 8 * word, gf_ptx_spell(value).text);
}

void gf_ptx_tell_outcome(gf_ptx_walk *walk, gf_pv passes, gf_pv stable, gf_pv stopped, bool has_rounds) {
    gf_ptx_emit *e = walk->e;
    gf_pv round = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    uint32_t others = gf_ptx_label(&e->p);
    gf_pv block = gf_ptx_block(e), who = gf_ptx_do(e, GF_OP_OR, block, gf_ptx_thread(e));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, who, gf_ptx_u32(0)), true, others);
    gf_pv outcome = gf_ptx_register(&e->p, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_OUTCOME));
    if (has_rounds) {
        gf_ptx_move(&e->p, round, e->round);
    } else {
        gf_ptx_move(&e->p, round, gf_ptx_u32(0));
    }
    tell(e, outcome, GF_PTX_OUTCOME_PASSES, passes);
    tell(e, outcome, GF_PTX_OUTCOME_CONVERGED, walk->converged);
    tell(e, outcome, GF_PTX_OUTCOME_BARRIERS, round);
    tell(e, outcome, GF_PTX_OUTCOME_STABLE, stable);
    tell(e, outcome, GF_PTX_OUTCOME_STOPPED, stopped);
    if (!has_rounds || walk->steps != NULL) {
        gf_pv launches = gf_ptx_new_value(&e->p, GF_TYPE_U32);
        gf_pv state = gf_ptx_register(&e->p, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE));
        gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u32 %s, [%s+%d];", gf_ptx_spell(launches).text,
                    gf_ptx_spell(state).text, GF_PTX_STATE_LAUNCHES);
        tell(e, outcome, GF_PTX_OUTCOME_LAUNCHES, launches);
        if (e->list_bytes > 0) {
            gf_pv put = gf_ptx_new_value(&e->p, GF_TYPE_U64), emptied = gf_ptx_new_value(&e->p, GF_TYPE_U32);
            gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u64 %s, [%s+%d];", gf_ptx_spell(put).text,
                        gf_ptx_spell(state).text, GF_PTX_STATE_LISTS);
            gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u32 %s, [%s+%d];", gf_ptx_spell(emptied).text,
                        gf_ptx_spell(state).text, GF_PTX_STATE_LISTED);
            tell(e, outcome, GF_PTX_OUTCOME_LISTED, gf_ptx_do(e, GF_OP_OR, put, gf_ptx_to_u64(e, emptied)));
        }
    }
    for (size_t i = 0; i < walk->plan->buffer_count; i++) {
        if (walk->arrays[i] != NULL && walk->arrays[i]->space == GF_PTX_GLOBAL) {
            tell(e, outcome, GF_PTX_OUTCOME_BUFFERS + (unsigned)i, walk->arrays[i]->data);
        }
    }
    /* The host looks at this word of stages while they run, and then at the others: they have to be there first. Of
     * steps it is the kernel behind them that writes it. */
    if (walk->steps != NULL) {
        gf_ptx_place(&e->p, others);
        return;
    }
    if (has_rounds) {
        tell(e, outcome, GF_PTX_OUTCOME_DONE, gf_ptx_u64(1));
    } else {
        gf_pv one = gf_ptx_register(&e->p, gf_ptx_u64(1));
        gf_ptx_line(&e->p, "st.release.sys.global.u64 [%s+%u], %s;", gf_ptx_spell(outcome).text,
                    8 * GF_PTX_OUTCOME_DONE, gf_ptx_spell(one).text);
    }
    gf_ptx_place(&e->p, others);
}

/* By one thread of the grid; nobody waits for it. */
void gf_ptx_count_launch(gf_ptx_emit *e) {
    gf_pv block = gf_ptx_block(e), who = gf_ptx_do(e, GF_OP_OR, block, gf_ptx_thread(e));
    gf_pv first = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_EQ, who, gf_ptx_u32(0)));
    gf_pv state = gf_ptx_register(&e->p, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE));
    gf_ptx_line(&e->p, "@%s red.relaxed.gpu.global.add.u32 [%s+%d], 1;", gf_ptx_spell(first).text,
                gf_ptx_spell(state).text, GF_PTX_STATE_LAUNCHES);
}

/* ---- the kernel ---- */

static void walk_passes(gf_ptx_walk *walk, const gf_ptx_watch *watch, gf_pv passes, gf_pv stable) {
    gf_ptx_emit *e = walk->e;
    uint32_t again = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_walk_block(walk, walk->plan->prologue);
    gf_ptx_settle(walk);
    gf_ptx_place(&e->p, again);
    walk->on_return = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, e->changed, gf_ptx_constant(GF_TYPE_BOOL, 0));
    gf_ptx_walk_block(walk, walk->plan->body);
    if (walk->listed != NULL && !e->options.compare) {
        gf_ptx_settle(walk); /* else the barrier that compares does */
    }
    gf_ptx_place(&e->p, walk->on_return);
    e->is_open = true;
    gf_ptx_move(&e->p, passes, gf_ptx_do(e, GF_OP_ADD, passes, gf_ptx_u64(1)));
    if (e->options.compare) {
        gf_pv any = has_changed(walk, watch);
        gf_ptx_move(&e->p, stable, gf_ptx_op(&e->p, GF_OP_NOT, GF_TYPE_BOOL, GF_TYPE_NONE, any, any, any));
        gf_ptx_jump_if(&e->p, stable, true, done);
    }
    if (e->options.passes) {
        gf_pv most = gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_PASSES);
        gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, passes, most), true, done);
        gf_ptx_settle(walk);
        gf_ptx_jump(&e->p, again);
    }
    gf_ptx_place(&e->p, done);
}

void gf_ptx_write_whole(gf_ptx_walk *walk, const gf_ptx_watch *watch) {
    gf_ptx_emit *e = walk->e;
    uint32_t out = gf_ptx_label(&e->p);
    gf_pv passes = gf_ptx_new_value(&e->p, GF_TYPE_U64), stable = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    gf_pv stopped = gf_ptx_new_value(&e->p, GF_TYPE_BOOL), no = gf_ptx_constant(GF_TYPE_BOOL, 0);
    if (e->options.by_steps) {
        gf_ptx_begin_steps(walk);
    }
    walk->on_stop = gf_ptx_label(&e->p);
    walk->converged = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    walk->scan_parity = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    e->changed = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    e->ended = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    e->is_open = true;
    gf_ptx_move(&e->p, passes, gf_ptx_u64(0));
    gf_ptx_move(&e->p, stable, no);
    gf_ptx_move(&e->p, stopped, no);
    gf_ptx_move(&e->p, e->changed, no);
    gf_ptx_move(&e->p, e->ended, no);
    gf_ptx_move(&e->p, walk->converged, gf_ptx_u32(2));
    gf_ptx_move(&e->p, walk->scan_parity, gf_ptx_u32(0));
    e->passes = e->options.passes ? passes : (gf_pv){0};
    e->may_end = gf_ptx_may_end(walk->plan, e->options.checked);
    if (walk->steps == NULL) {
        gf_ptx_barrier_begin(e);
    }
    const gf_pv kept[] = {passes, stable, walk->converged};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        gf_ptx_keep(walk, kept[i]);
    }
    name_registers(walk);
    gf_ptx_name_swapped(walk, walk->plan->body);
    gf_ptx_find_fused(walk);
    gf_ptx_begin_cells(walk);
    gf_ptx_find_scans(walk);
    gf_ptx_begin_scans(walk);
    name_carried(walk);
    walk_passes(walk, watch, passes, stable);
    if (walk->steps != NULL) {
        gf_ptx_move(&e->p, stopped, no); /* so that it need not live on */
    }
    gf_ptx_jump(&e->p, out);
    gf_ptx_place(&e->p, walk->on_stop);
    gf_ptx_move(&e->p, stopped, gf_ptx_constant(GF_TYPE_BOOL, 1));
    gf_ptx_place(&e->p, out);
    if (walk->steps != NULL && !e->options.compare) {
        gf_ptx_move(&e->p, stable, no);
    }
    gf_ptx_tell_outcome(walk, passes, stable, stopped, true);
    if (walk->steps != NULL) {
        gf_ptx_end_steps(walk);
    } else {
        gf_ptx_line(&e->p, "ret;");
    }
    if (e->has_ended && !e->may_end) {
        e->failed = true;
        e->why = "an invocation may end the run, and barriers do not ask for it";
    }
}
