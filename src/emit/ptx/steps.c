/* The plan as steps. Laid out as stages (stages.h) a branch, or a loop in a loop, has kernels for all that might
 * happen, and most of them find nothing to do. Here one kernel is launched again and again, and each time does what
 * comes next: it is the kernel of the whole plan, but where the grid would meet it ends. What lives on, registers that
 * are the same for all threads, is left in cells by the first block, with the number of the place; the next launch
 * takes them and goes on there. Nothing of a single thread lives on: sums go to memory where their segment ends.
 *
 * There are three sets of cells, used in turn: a step reads one, leaves the next, and clears what blocks will say in
 * the third, which nobody looks at any more. So no block sees what another changes already, and all that a step is to
 * know lies at one address. A step behind the end looks at one word, and passes on that there is nothing to do. */
#include "emit/ptx/steps.h"
#include "base/memory.h"
#include "ir/program.h"
#include <stdio.h>

#define AT_ONCE 16 /* bytes of cells */
#define WIDE_AT_ONCE 2
#define NARROW_AT_ONCE 4

enum { IN, OUT, NEXT };

static gf_pv load_param(gf_ptx_emit *e, int index) {
    gf_pv address = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_ptx_line(&e->p, "ld.param.u64 %s, [gf_params+%d];", gf_ptx_spell(address).text, 8 * index);
    return address;
}

/* ---- what lives on ---- */

void gf_ptx_keep(gf_ptx_walk *walk, gf_pv value) {
    if (walk->steps == NULL || value.is_constant) {
        return;
    }
    for (size_t i = 0; i < walk->steps->kept.count; i++) {
        const gf_pv *kept = &walk->steps->kept.items[i];
        if (gf_ptx_class_of(kept->type) == gf_ptx_class_of(value.type) && kept->number == value.number) {
            return;
        }
    }
    gf_push(walk->e->arena, &walk->steps->kept, value);
}

gf_pv gf_ptx_stay(gf_ptx_walk *walk, gf_pv value) {
    if (walk->steps == NULL || value.is_constant) {
        return value;
    }
    value = gf_ptx_variable(walk->e, value);
    gf_ptx_keep(walk, value);
    return value;
}

/* ---- the end of a step ---- */

/* By those threads for which it holds. */
static void say(gf_ptx_emit *e, gf_pv holds, unsigned what) {
    gf_pv out = load_param(e, OUT), bit = gf_ptx_register(&e->p, gf_ptx_u32(what));
    holds = gf_ptx_register(&e->p, holds);
    gf_ptx_line(&e->p, "@%s red.relaxed.gpu.global.or.b32 [%s+%d], %s;", gf_ptx_spell(holds).text,
                gf_ptx_spell(out).text, GF_PTX_SET_SAID, gf_ptx_spell(bit).text);
}

/* By thread 0 of each block, where it holds for any of the block; which meets. */
static void say_for_block(gf_ptx_emit *e, gf_pv holds, unsigned what) {
    gf_pv any = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    holds = gf_ptx_register(&e->p, holds);
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    gf_ptx_line(&e->p, "bar.red.or.pred %s, 0, %s;", gf_ptx_spell(any).text, gf_ptx_spell(holds).text);
    say(e, gf_ptx_both(e, any, gf_ptx_do(e, GF_OP_EQ, gf_ptx_thread(e), gf_ptx_u32(0))), what);
}

static gf_pv was_said(const gf_ptx_walk *walk, unsigned what) {
    gf_ptx_emit *e = walk->e;
    return gf_ptx_do(e, GF_OP_NE, gf_ptx_do(e, GF_OP_AND, walk->steps->said, gf_ptx_u32(what)), gf_ptx_u32(0));
}

/* What the block came to, by its thread 0 once all have given theirs. */
static void send_results(gf_ptx_walk *walk, bool has_met) {
    gf_ptx_emit *e = walk->e;
    uint32_t others = gf_ptx_label(&e->p);
    if (walk->cell_count == 0) {
        return;
    }
    if (!has_met) {
        gf_ptx_sync(e);
    }
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    gf_pv line = gf_ptx_do(e, GF_OP_ADD, load_param(e, OUT), gf_ptx_u64(GF_PTX_SET_RESULTS));
    gf_ptx_send_cells_to(walk, gf_ptx_register(&e->p, line));
    gf_ptx_place(&e->p, others);
}

gf_pv gf_ptx_end_step(gf_ptx_walk *walk, const gf_pv *vote) {
    gf_ptx_emit *e = walk->e;
    struct gf_ptx_steps *steps = walk->steps;
    gf_ptx_line(&e->p, "// a step ends%s", vote != NULL ? " with a vote" : "");
    bool has_changes = e->options.compare && e->options.tracked != NULL;
    if (e->may_end) {
        say(e, e->ended, gf_ptx_barrier_ends(walk) ? GF_PTX_SAID_STOP : GF_PTX_SAID_FAILED);
    }
    if (walk->failed.type != GF_TYPE_NONE) {
        say(e, walk->failed, GF_PTX_SAID_FAILED);
    }
    steps->has_failed = steps->has_failed || walk->in_stretch;
    if (vote != NULL) {
        say_for_block(e, *vote, GF_PTX_SAID_YES);
    }
    if (has_changes) {
        say_for_block(e, e->changed, GF_PTX_SAID_CHANGED);
    }
    send_results(walk, vote != NULL || has_changes);
    gf_ptx_move(&e->p, e->round, gf_ptx_do(e, GF_OP_ADD, e->round, gf_ptx_u32(1)));
    gf_ptx_move(&e->p, steps->place, gf_ptx_u32(steps->places.count));
    gf_ptx_jump(&e->p, steps->ends);
    uint32_t behind = gf_ptx_label(&e->p);
    gf_push(e->arena, &steps->places, behind);
    gf_ptx_place(&e->p, behind);
    gf_ptx_take_cells_from(walk, steps->results);
    return was_said(walk, GF_PTX_SAID_YES);
}

/* ---- cells ---- */

/* 16 bytes at once: two registers, or four. */
typedef struct moving {
    gf_ptx_emit *e;
    gf_pv set;
    bool loads;
    unsigned at; /* byte of the set */
} moving;

static void move_some(moving *m, const gf_pv *values, bool wide) {
    gf_ptx_emit *e = m->e;
    unsigned count = wide ? WIDE_AT_ONCE : NARROW_AT_ONCE;
    char list[NARROW_AT_ONCE * sizeof(gf_ptx_operand)] = "";
    size_t length = 0;
    for (unsigned i = 0; i < count; i++) {
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", i > 0 ? ", " : "",
                                   gf_ptx_spell(values[i]).text);
    }
    const char *form = wide ? "v2.b64" : "v4.b32";
    if (m->loads) {
        gf_ptx_line(&e->p, "ld.global.%s {%s}, [%s+%u];", form, list, gf_ptx_spell(m->set).text, m->at);
    } else {
        gf_ptx_line(&e->p, "st.global.%s [%s+%u], {%s};", form, gf_ptx_spell(m->set).text, m->at, list);
    }
    m->at += AT_ONCE;
}

/* Truth values lie in words. */
static gf_pv as_word(gf_ptx_emit *e, gf_pv value, bool loads) {
    if (value.type != GF_TYPE_BOOL) {
        return value;
    }
    return loads ? gf_ptx_new_value(&e->p, GF_TYPE_U32)
                 : gf_ptx_register(&e->p, gf_ptx_cast(&e->p, GF_TYPE_U32, value));
}

static bool is_wide(gf_pv value) {
    return value.type != GF_TYPE_BOOL && gf_type_bytes(value.type) == 8;
}

static void move_cells(gf_ptx_walk *walk, gf_pv set, bool loads) {
    gf_ptx_emit *e = walk->e;
    size_t kept = walk->steps->kept.count;
    gf_pv *words = gf_new_array(e->arena, gf_pv, kept + 1);
    moving m = {.e = e, .set = set, .loads = loads, .at = GF_PTX_SET_CELLS};
    for (int wide = 1; wide >= 0; wide--) {
        unsigned count = 0, most = wide == 1 ? WIDE_AT_ONCE : NARROW_AT_ONCE;
        gf_pv some[NARROW_AT_ONCE], zero = gf_ptx_constant(wide == 1 ? GF_TYPE_U64 : GF_TYPE_U32, 0);
        for (size_t i = 0; i < kept; i++) {
            if (is_wide(walk->steps->kept.items[i]) == (wide == 1)) {
                some[count++] = words[i] = as_word(e, walk->steps->kept.items[i], loads);
            }
            if (count == most || (i + 1 == kept && count > 0)) {
                while (count < most) {
                    some[count++] = loads ? gf_ptx_new_value(&e->p, zero.type) : gf_ptx_register(&e->p, zero);
                }
                move_some(&m, some, wide == 1);
                count = 0;
            }
        }
    }
    for (size_t i = 0; loads && i < kept; i++) {
        gf_pv value = walk->steps->kept.items[i];
        if (value.type == GF_TYPE_BOOL) {
            gf_ptx_move(&e->p, value, gf_ptx_do(e, GF_OP_NE, words[i], gf_ptx_u32(0)));
        }
    }
    if (m.at > GF_PTX_SET_BYTES) {
        e->failed = true; /* gf_ptx_can_go_by_steps knows how many there may be */
        e->why = "more values live on from step to step than a set has cells for";
    }
}

/* ---- the kernel ---- */

/* Few comparisons on the way to any place: each warp makes them in each step. */
static void go_to(gf_ptx_walk *walk, size_t first, size_t count) {
    gf_ptx_emit *e = walk->e;
    if (count == 1) {
        gf_ptx_jump(&e->p, walk->steps->places.items[first]);
        return;
    }
    size_t half = count / 2;
    uint32_t behind = gf_ptx_label(&e->p);
    gf_pv is_before = gf_ptx_do(e, GF_OP_LT, walk->steps->place, gf_ptx_u32(first + half));
    gf_ptx_jump_if(&e->p, is_before, false, behind);
    go_to(walk, first, half);
    gf_ptx_place(&e->p, behind);
    go_to(walk, first + half, count - half);
}

static gf_pv is_first_thread(gf_ptx_emit *e) {
    gf_pv block = gf_ptx_block(e);
    return gf_ptx_do(e, GF_OP_EQ, gf_ptx_do(e, GF_OP_OR, block, gf_ptx_thread(e)), gf_ptx_u32(0));
}

void gf_ptx_begin_steps(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    struct gf_ptx_steps *steps = gf_new(e->arena, struct gf_ptx_steps);
    walk->steps = steps;
    steps->goes_on = gf_ptx_label(&e->p);
    steps->ends = gf_ptx_label(&e->p);
    steps->place = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    steps->said = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    for (unsigned i = 0; i < GF_PTX_CELLS; i++) {
        steps->results[i] = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    }
    e->round = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_keep(walk, e->round);
    gf_ptx_wait_for_kernel(e);
    uint32_t begin = gf_ptx_label(&e->p);
    gf_push(e->arena, &steps->places, begin);
    gf_ptx_jump(&e->p, steps->goes_on);
    gf_ptx_place(&e->p, begin);
    gf_ptx_move(&e->p, e->round, gf_ptx_u32(0));
}

/* All cells are under way with the place. */
static void go_on(gf_ptx_walk *walk, uint32_t over) {
    gf_ptx_emit *e = walk->e;
    struct gf_ptx_steps *steps = walk->steps;
    gf_ptx_place(&e->p, steps->goes_on);
    gf_pv in = load_param(e, IN);
    gf_ptx_line(&e->p, "ld.global.v2.u32 {%s, %s}, [%s];", gf_ptx_spell(steps->place).text,
                gf_ptx_spell(steps->said).text, gf_ptx_spell(in).text);
    moving results = {.e = e, .set = in, .loads = true, .at = GF_PTX_SET_RESULTS};
    for (unsigned i = 0; i < walk->most_cells; i += WIDE_AT_ONCE) {
        move_some(&results, steps->results + i, true);
    }
    move_cells(walk, in, true);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_EQ, steps->place, gf_ptx_u32(GF_PTX_PLACE_END)), true, over);
    gf_ptx_move(&e->p, e->ended,
                steps->has_failed ? was_said(walk, GF_PTX_SAID_FAILED) : gf_ptx_constant(GF_TYPE_BOOL, 0));
    gf_ptx_move(&e->p, e->changed, was_said(walk, GF_PTX_SAID_CHANGED));
    gf_ptx_jump_if(&e->p, was_said(walk, GF_PTX_SAID_STOP), true, walk->on_stop);
    go_to(walk, 0, steps->places.count);
}

void gf_ptx_end_steps(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    struct gf_ptx_steps *steps = walk->steps;
    uint32_t over = gf_ptx_label(&e->p), others = gf_ptx_label(&e->p), last = gf_ptx_label(&e->p);
    gf_ptx_drop_dead(walk);
    gf_ptx_place(&e->p, over);
    gf_ptx_jump_if(&e->p, is_first_thread(e), false, others);
    gf_pv out = load_param(e, OUT), end = gf_ptx_register(&e->p, gf_ptx_u32(GF_PTX_PLACE_END));
    gf_ptx_line(&e->p, "st.global.u32 [%s], %s;", gf_ptx_spell(out).text, gf_ptx_spell(end).text);
    gf_ptx_place(&e->p, others);
    gf_ptx_line(&e->p, "ret;");
    gf_ptx_place(&e->p, steps->ends);
    gf_ptx_jump_if(&e->p, is_first_thread(e), false, last);
    gf_pv set = load_param(e, OUT), next = load_param(e, NEXT), none = gf_ptx_register(&e->p, gf_ptx_u32(0));
    gf_ptx_line(&e->p, "st.global.u32 [%s], %s;", gf_ptx_spell(set).text, gf_ptx_spell(steps->place).text);
    gf_ptx_line(&e->p, "st.global.u32 [%s+%d], %s;", gf_ptx_spell(next).text, GF_PTX_SET_SAID, gf_ptx_spell(none).text);
    gf_pv zero = gf_ptx_register(&e->p, gf_ptx_u64(0)), zeros[WIDE_AT_ONCE] = {zero, zero};
    moving results = {.e = e, .set = next, .at = GF_PTX_SET_RESULTS};
    for (unsigned i = 0; i < walk->most_cells; i += WIDE_AT_ONCE) {
        move_some(&results, zeros, true);
    }
    move_cells(walk, set, false);
    gf_ptx_place(&e->p, last);
    gf_ptx_line(&e->p, "ret;");
    go_on(walk, over);
}

/* ---- behind some steps ---- */

/* One thread. A run that should end goes on for a step that sees it and says how far it came. */
void gf_ptx_write_more(gf_ptx_emit *e) {
    uint32_t out = gf_ptx_label(&e->p), goes_on = gf_ptx_label(&e->p), told = gf_ptx_label(&e->p);
    gf_ptx_wait_for_kernel(e);
    gf_ptx_jump_if(&e->p, is_first_thread(e), false, out);
    gf_pv in = load_param(e, IN), flag = load_param(e, OUT), place = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_pv stop = gf_ptx_new_value(&e->p, GF_TYPE_U32), more = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "ld.global.u32 %s, [%s];", gf_ptx_spell(place).text, gf_ptx_spell(in).text);
    gf_pv is_over = gf_ptx_do(e, GF_OP_EQ, place, gf_ptx_u32(GF_PTX_PLACE_END));
    gf_ptx_jump_if(&e->p, is_over, false, goes_on);
    /* The host looks at this word while they run, and then at the others, which a step has written. */
    gf_pv outcome = gf_ptx_register(&e->p, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_OUTCOME));
    gf_pv one = gf_ptx_register(&e->p, gf_ptx_u64(1));
    gf_ptx_line(&e->p, "st.release.sys.global.u64 [%s+%u], %s;", gf_ptx_spell(outcome).text, 8 * GF_PTX_OUTCOME_DONE,
                gf_ptx_spell(one).text);
    gf_ptx_move(&e->p, more, gf_ptx_u32(0));
    gf_ptx_jump(&e->p, told);
    gf_ptx_place(&e->p, goes_on);
    gf_pv state = gf_ptx_register(&e->p, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE));
    gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u32 %s, [%s+%d];", gf_ptx_spell(stop).text, gf_ptx_spell(state).text,
                GF_PTX_STATE_STOP);
    gf_pv wants_end = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_NE, stop, gf_ptx_u32(0)));
    gf_pv bit = gf_ptx_register(&e->p, gf_ptx_u32(GF_PTX_SAID_STOP));
    gf_ptx_line(&e->p, "@%s red.relaxed.gpu.global.or.b32 [%s+%d], %s;", gf_ptx_spell(wants_end).text,
                gf_ptx_spell(in).text, GF_PTX_SET_SAID, gf_ptx_spell(bit).text);
    gf_ptx_move(&e->p, more, gf_ptx_u32(1));
    gf_ptx_place(&e->p, told);
    if (!e->options.polled) {
        gf_ptx_set_condition(e, flag, more);
    }
    gf_ptx_place(&e->p, out);
    gf_ptx_line(&e->p, "ret;");
}
