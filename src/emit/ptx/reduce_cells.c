/* Results of the grid that come with a barrier. Whole numbers may be combined as they come, so nobody has to go through
 * what each block has left: the threads of a block give what they have to cells of the block, its thread 0 sends those
 * on to cells of the grid before it arrives at the barrier, and fetches what all have sent when all have come. That is
 * one look at memory for all results together, where results of blocks are a loop over them and a sum of the block for
 * each: in a breadth-first search with 264 blocks 0.5 us for each of its two numbers.
 *
 * Cells of the grid lie in three lines. While one is in use the next is cleared, by one thread: it was in use two
 * barriers ago, and whoever arrived at the last one had fetched from it. Cells begin as zeros; what is combined in them
 * is such a form of the values that zero changes nothing. */
#include "emit/ptx/grid.h"
#include "ir/eval.h"

bool gf_ptx_has_cell(const gf_ptx_fuse *fuse) {
    return fuse->is_fused && !gf_type_is_float(fuse->type);
}

/* From a value to what a cell holds, and back: with it the neutral value is zero, and the least or the greatest is the
 * greatest u32 or u64. */
static uint64_t turned_bits(const gf_ptx_fuse *fuse) {
    return gf_combine_neutral(fuse->combine, fuse->type);
}

static gf_type cell_type(const gf_ptx_fuse *fuse) {
    return gf_type_bytes(fuse->sum.type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
}

static gf_pv turned(gf_ptx_emit *e, const gf_ptx_fuse *fuse, gf_pv value) {
    value.type = cell_type(fuse);
    return gf_ptx_do(e, GF_OP_XOR, value, gf_ptx_constant(value.type, turned_bits(fuse)));
}

/* How cells combine. */
static gf_combine cell_combine(gf_combine combine) {
    switch (combine) {
    case GF_COMBINE_ADD:
        return GF_COMBINE_ADD;
    case GF_COMBINE_MIN:
    case GF_COMBINE_MAX:
        return GF_COMBINE_MAX;
    case GF_COMBINE_AND:
    case GF_COMBINE_OR:
        return GF_COMBINE_OR;
    }
    return combine;
}

static const char *red_of(const gf_ptx_fuse *fuse) {
    bool wide = cell_type(fuse) == GF_TYPE_U64;
    switch (cell_combine(fuse->combine)) {
    case GF_COMBINE_ADD:
        return wide ? "add.u64" : "add.u32";
    case GF_COMBINE_MAX:
    case GF_COMBINE_MIN:
        return wide ? "max.u64" : "max.u32";
    case GF_COMBINE_AND:
    case GF_COMBINE_OR:
        return wide ? "or.b64" : "or.b32";
    }
    return NULL;
}

/* ---- the block ---- */

void gf_ptx_begin_cells(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    for (uint32_t i = 0; i < walk->plan->buffer_count; i++) {
        unsigned same = 0;
        for (uint32_t k = 0; k <= i; k++) {
            same += gf_ptx_has_cell(&walk->fuse[k]) && gf_ptx_has_cell(&walk->fuse[i]) &&
                    walk->fuse[k].writer == walk->fuse[i].writer;
        }
        walk->most_cells = same > walk->most_cells ? same : walk->most_cells;
    }
    if (walk->most_cells == 0) {
        return;
    }
    walk->most_cells = walk->most_cells < GF_PTX_CELLS ? walk->most_cells : GF_PTX_CELLS;
    if (walk->steps == NULL) {
        walk->cell_line = gf_ptx_variable(e, gf_ptx_u32(0));
        gf_ptx_clear_cells(walk);
    }
}

void gf_ptx_clear_cells(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    if (walk->most_cells == 0) {
        return;
    }
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, gf_ptx_thread(e), gf_ptx_u32(walk->most_cells)), true, others);
    gf_ptx_put_shared(e, gf_ptx_sync_address(e, GF_PTX_SYNC_CELLS, gf_ptx_thread(e), 8), 0, gf_ptx_u64(0));
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
}

/* Shared memory adds 32 bits at once. What it does with 64 is a loop, in which 16 warps that come together wait for
 * each other longer than for all else that they do between two barriers; so the carry is taken along. */
static void add_wide(gf_ptx_emit *e, unsigned at, gf_pv gives, gf_pv value) {
    gf_pv low = gf_ptx_new_value(&e->p, GF_TYPE_U32), high = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_pv old = gf_ptx_variable(e, gf_ptx_u32(0));
    gf_ptx_line(&e->p, "mov.b64 {%s, %s}, %s;", gf_ptx_spell(low).text, gf_ptx_spell(high).text,
                gf_ptx_spell(value).text);
    gf_ptx_line(&e->p, "@%s atom.shared.add.u32 %s, [gf_sync+%u], %s;", gf_ptx_spell(gives).text,
                gf_ptx_spell(old).text, at, gf_ptx_spell(low).text);
    gf_pv carry = gf_ptx_do(e, GF_OP_LT, gf_ptx_do(e, GF_OP_ADD, old, low), old);
    high = gf_ptx_do(e, GF_OP_ADD, high, gf_ptx_choose(e, carry, gf_ptx_u32(1), gf_ptx_u32(0)));
    high = gf_ptx_register(&e->p, high);
    gf_pv some = gf_ptx_do(e, GF_OP_AND, gives, gf_ptx_do(e, GF_OP_NE, high, gf_ptx_u32(0)));
    some = gf_ptx_register(&e->p, some);
    gf_ptx_line(&e->p, "@%s red.shared.add.u32 [gf_sync+%u], %s;", gf_ptx_spell(some).text, at + 4,
                gf_ptx_spell(high).text);
}

static void give_one(gf_ptx_emit *e, const gf_ptx_fuse *fuse, unsigned at, gf_pv gives, gf_pv value) {
    if (value.type == GF_TYPE_U64 && fuse->combine == GF_COMBINE_ADD) {
        add_wide(e, at, gives, value);
        return;
    }
    gf_ptx_line(&e->p, "@%s red.shared.%s [gf_sync+%u], %s;", gf_ptx_spell(gives).text, red_of(fuse), at,
                gf_ptx_spell(value).text);
}

void gf_ptx_give_cells(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    gf_pv all[GF_PTX_CELLS];
    if (walk->cell_count == 0) {
        return;
    }
    gf_pv some = gf_ptx_constant(GF_TYPE_BOOL, 0), any = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    for (unsigned i = 0; i < walk->cell_count; i++) {
        all[i] = gf_ptx_register(&e->p, turned(e, walk->cells[i], walk->cells[i]->sum));
        some = gf_ptx_do(e, GF_OP_OR, some, gf_ptx_do(e, GF_OP_NE, all[i], gf_ptx_constant(all[i].type, 0)));
    }
    /* Most warps may have had nothing to do, and what they execute holds up those that have. */
    uint32_t nothing = gf_ptx_label(&e->p);
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    some = gf_ptx_register(&e->p, some);
    gf_ptx_line(&e->p, "vote.sync.any.pred %s, %s, 0xffffffff;", gf_ptx_spell(any).text, gf_ptx_spell(some).text);
    gf_ptx_jump_if(&e->p, any, false, nothing);
    for (unsigned i = 0; i < walk->cell_count; i++) {
        all[i] = gf_ptx_register(&e->p, gf_ptx_fold_warp(e, cell_combine(walk->cells[i]->combine), all[i]));
    }
    gf_pv lane = gf_ptx_do(e, GF_OP_AND, gf_ptx_thread(e), gf_ptx_u32(31));
    gf_pv first = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_EQ, lane, gf_ptx_u32(0)));
    for (unsigned i = 0; i < walk->cell_count; i++) {
        gf_pv gives = gf_ptx_do(e, GF_OP_NE, all[i], gf_ptx_constant(all[i].type, 0));
        gives = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_AND, gives, first));
        give_one(e, walk->cells[i], GF_PTX_SYNC_CELLS + 8 * i, gives, all[i]);
    }
    gf_ptx_place(&e->p, nothing);
}

/* ---- thread 0 ---- */

static gf_pv line_address(gf_ptx_emit *e, gf_pv state, gf_pv line) {
    gf_pv offset = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, line), gf_ptx_u64(GF_PTX_LINE));
    gf_pv lines = gf_ptx_do(e, GF_OP_ADD, state, gf_ptx_u64(GF_PTX_STATE_CELLS));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, lines, offset));
}

static gf_pv next_line(gf_ptx_emit *e, gf_pv line) {
    gf_pv next = gf_ptx_do(e, GF_OP_ADD, line, gf_ptx_u32(1));
    gf_pv is_last = gf_ptx_do(e, GF_OP_EQ, line, gf_ptx_u32(GF_PTX_CELL_LINES - 1));
    return gf_ptx_choose(e, is_last, gf_ptx_u32(0), next);
}

void gf_ptx_send_cells_to(gf_ptx_walk *walk, gf_pv line) {
    gf_ptx_emit *e = walk->e;
    gf_pv mine[GF_PTX_CELLS];
    for (unsigned i = 0; i < walk->cell_count; i++) {
        mine[i] = gf_ptx_new_value(&e->p, cell_type(walk->cells[i]));
        gf_ptx_line(&e->p, "ld.shared.b%zu %s, [gf_sync+%u];", 8 * gf_type_bytes(mine[i].type),
                    gf_ptx_spell(mine[i]).text, GF_PTX_SYNC_CELLS + 8 * i);
    }
    for (unsigned i = 0; i < walk->cell_count; i++) {
        gf_pv some = gf_ptx_do(e, GF_OP_NE, mine[i], gf_ptx_constant(mine[i].type, 0));
        gf_pv zero = gf_ptx_register(&e->p, gf_ptx_constant(mine[i].type, 0));
        some = gf_ptx_register(&e->p, some);
        gf_ptx_line(&e->p, "@%s red.relaxed.gpu.global.%s [%s+%u], %s;", gf_ptx_spell(some).text,
                    red_of(walk->cells[i]), gf_ptx_spell(line).text, 8 * i, gf_ptx_spell(mine[i]).text);
        gf_ptx_line(&e->p, "@%s st.shared.b%zu [gf_sync+%u], %s;", gf_ptx_spell(some).text,
                    8 * gf_type_bytes(mine[i].type), GF_PTX_SYNC_CELLS + 8 * i, gf_ptx_spell(zero).text);
    }
}

void gf_ptx_send_cells(gf_ptx_walk *walk, gf_pv state) {
    gf_ptx_emit *e = walk->e;
    if (walk->cell_count == 0) {
        return;
    }
    gf_ptx_send_cells_to(walk, line_address(e, state, walk->cell_line));
    gf_pv clears = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_EQ, gf_ptx_block(e), gf_ptx_u32(0)));
    gf_pv next = line_address(e, state, next_line(e, walk->cell_line)), none = gf_ptx_register(&e->p, gf_ptx_u64(0));
    for (unsigned i = 0; i < walk->most_cells; i++) {
        gf_ptx_line(&e->p, "@%s st.relaxed.gpu.global.u64 [%s+%u], %s;", gf_ptx_spell(clears).text,
                    gf_ptx_spell(next).text, 8 * i, gf_ptx_spell(none).text);
    }
}

void gf_ptx_fetch_cells(gf_ptx_walk *walk, gf_pv state) {
    gf_ptx_emit *e = walk->e;
    gf_pv all[GF_PTX_CELLS];
    if (walk->cell_count == 0) {
        return;
    }
    gf_pv line = line_address(e, state, walk->cell_line);
    for (unsigned i = 0; i < walk->cell_count; i++) {
        all[i] = gf_ptx_new_value(&e->p, cell_type(walk->cells[i]));
        gf_ptx_line(&e->p, "ld.relaxed.gpu.global.b%zu %s, [%s+%u];", 8 * gf_type_bytes(all[i].type),
                    gf_ptx_spell(all[i]).text, gf_ptx_spell(line).text, 8 * i);
    }
    for (unsigned i = 0; i < walk->cell_count; i++) {
        gf_ptx_line(&e->p, "st.shared.b%zu [gf_sync+%u], %s;", 8 * gf_type_bytes(all[i].type), GF_PTX_SYNC_SAID + 8 * i,
                    gf_ptx_spell(all[i]).text);
    }
}

/* ---- all threads ---- */

/* What came of one, from the form that it has in cells. */
static void take(gf_ptx_emit *e, gf_ptx_fuse *fuse, gf_pv got) {
    gf_pv said = turned(e, fuse, got);
    said.type = fuse->sum.type;
    fuse->said = gf_ptx_new_value(&e->p, fuse->sum.type);
    gf_ptx_move(&e->p, fuse->said, said);
}

void gf_ptx_take_cells_from(gf_ptx_walk *walk, const gf_pv *words) {
    gf_ptx_emit *e = walk->e;
    for (unsigned i = 0; i < walk->cell_count; i++) {
        take(e, walk->cells[i], gf_ptx_cast(&e->p, cell_type(walk->cells[i]), words[i]));
    }
    walk->cell_count = 0;
}

void gf_ptx_take_cells(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    for (unsigned i = 0; i < walk->cell_count; i++) {
        gf_ptx_fuse *fuse = walk->cells[i];
        gf_pv got = gf_ptx_new_value(&e->p, cell_type(fuse));
        gf_ptx_line(&e->p, "ld.shared.b%zu %s, [gf_sync+%u];", 8 * gf_type_bytes(got.type), gf_ptx_spell(got).text,
                    GF_PTX_SYNC_SAID + 8 * i);
        take(e, fuse, got);
    }
    if (walk->cell_count > 0) {
        gf_ptx_move(&e->p, walk->cell_line, next_line(e, walk->cell_line));
    }
    walk->cell_count = 0;
}
