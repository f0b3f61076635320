/* The space of a segment, shared out in packs. In one row the lanes of a warp have packs side by side; the warps of a
 * block have rows one below the other, so that what neighbouring rows both read is read once; blocks go on by as many
 * tiles as there are blocks. Where packs cannot be aligned they have one invocation. */
#include "emit/ptx/pack.h"

#define LANES 32
#define MOST_WIDTH (UINT32_C(1) << 31)
#define NOWHERE 0xc0000000 /* gid.x in a row that does not exist */

typedef struct tiles {
    gf_ptx_pack pack;
    gf_ptx_walk *walk;
    gf_ptx_emit *e;
    bool has_rows; /* two axes */
    gf_pv fits;    /* bool: in packs; else by invocation */
    gf_pv scale;   /* u32: log2 of the invocations of a pack */
    gf_pv shift;   /* u32: the first pack begins so far before the row */
    gf_pv last;    /* u32: packs that begin before it are whole */
    gf_pv columns; /* u32: packs of a row */
    gf_pv lane;    /* u32: of those that have packs of one row side by side */
    gf_pv across;  /* u32: log2 of how many these are in a warp */
    /* of this thread, at present */
    gf_pv column, left; /* u32: its pack in the row; bool: there is one */
    gf_pv has_row;      /* bool */
} tiles;

static gf_pv op(gf_ptx_emit *e, gf_op o, gf_pv a, gf_pv b) {
    return gf_ptx_do(e, o, a, b);
}

static gf_pv choose(gf_ptx_emit *e, gf_pv condition, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_SELECT, a.type, GF_TYPE_NONE, condition, a, b);
}

static gf_pv special(gf_ptx_emit *e, const char *name) {
    gf_pv value = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, %s;", gf_ptx_spell(value).text, name);
    return value;
}

static gf_pv variable(gf_ptx_emit *e, gf_pv from) {
    gf_pv v = gf_ptx_new_value(&e->p, from.type);
    gf_ptx_move(&e->p, v, from);
    return v;
}

static gf_pv wide(gf_ptx_emit *e, gf_pv v) {
    return gf_ptx_cast(&e->p, GF_TYPE_U64, v);
}

/* ---- whether ---- */

bool gf_ptx_may_pack(const gf_ptx_walk *walk, const gf_segment *segment) {
    const gf_ptx_options *options = &walk->e->options;
    const gf_kernel_decl *kernel = &segment->tree->kernel;
    bool has_space = kernel->space_kind == GF_SPACE_ITEMS || kernel->space_kind == GF_SPACE_GROUPS;
    return !options->checked && !(options->native && !segment->is_forall) && has_space && kernel->space_axes <= 2 &&
           kernel->workgroup[2] <= 1 && (kernel->space_axes == 2 || kernel->workgroup[1] <= 1) &&
           options->threads % LANES == 0 && !gf_ptx_needs_groups(segment->tree);
}

/* ---- the same for all threads ---- */

static void choose_packs(tiles *t) {
    gf_ptx_emit *e = t->e;
    gf_pv width = t->pack.width, aligned, size = gf_ptx_u32(t->pack.size), zero = gf_ptx_u32(0);
    gf_pv shift = gf_ptx_strips_shift(&t->pack, &aligned);
    gf_pv fits = op(e, GF_OP_AND, aligned, op(e, GF_OP_LE, width, gf_ptx_u32(MOST_WIDTH)));
    if (t->pack.refuses) {
        gf_pv threads = op(e, GF_OP_MUL, wide(e, special(e, "%ntid.x")), wide(e, special(e, "%nctaid.x")));
        gf_pv all = op(e, GF_OP_MUL, wide(e, e->space[0]), wide(e, e->space[1]));
        gf_pv many = op(e, GF_OP_MUL, threads, gf_ptx_u64(t->pack.size));
        fits = op(e, GF_OP_AND, fits, op(e, GF_OP_GE, all, many));
    }
    t->fits = gf_ptx_register(&e->p, fits);
    t->shift = choose(e, t->fits, shift, zero);
    t->scale = choose(e, t->fits, gf_ptx_u32(t->pack.size == 4 ? 2 : 1), zero);
    gf_pv has_whole = op(e, GF_OP_AND, t->fits, op(e, GF_OP_GE, width, size));
    t->last = choose(e, has_whole, op(e, GF_OP_SUB, width, gf_ptx_u32(t->pack.size - 1)), zero);
    gf_pv more = op(e, GF_OP_SUB, op(e, GF_OP_SHL, gf_ptx_u32(1), t->scale), gf_ptx_u32(1));
    gf_pv end = op(e, GF_OP_ADD, op(e, GF_OP_ADD, width, t->shift), more);
    t->columns = op(e, GF_OP_SHR, end, t->scale);
}

/* ---- a pack ---- */

static void set_pack(tiles *t, gf_pv row) {
    gf_ptx_emit *e = t->e;
    gf_pv first = op(e, GF_OP_SUB, op(e, GF_OP_SHL, t->column, t->scale), t->shift);
    if (t->has_rows) {
        first = choose(e, t->has_row, first, gf_ptx_u32(NOWHERE));
    }
    first = gf_ptx_register(&e->p, first);
    t->pack.first = first;
    t->pack.y = row;
    for (unsigned k = 0; k < t->pack.size; k++) {
        t->pack.x[k] = op(e, GF_OP_ADD, first, gf_ptx_u32(k));
    }
    gf_pv less = gf_ptx_u32(t->pack.size - 1);
    t->pack.whole = op(e, GF_OP_LT, first, t->last);
    t->pack.some = op(e, GF_OP_LT, op(e, GF_OP_ADD, first, less), op(e, GF_OP_ADD, t->pack.width, less));
}

/* By invocation, so that those of neighbouring lanes are neighbours. */
static void emit_singly(tiles *t) {
    gf_ptx_emit *e = t->e;
    const uint32_t *size = t->pack.segment->tree->kernel.workgroup;
    gf_pv ids[2] = {{0}, t->pack.y}, zero = gf_ptx_u32(0);
    gf_pv base = op(e, GF_OP_SUB, t->pack.first, op(e, GF_OP_SHL, t->lane, t->scale));
    gf_pv x = variable(e, op(e, GF_OP_ADD, base, t->lane)),
          left = variable(e, op(e, GF_OP_SHL, gf_ptx_u32(1), t->scale));
    gf_pv step = op(e, GF_OP_SHL, gf_ptx_u32(1), t->across);
    uint32_t head = gf_ptx_label(&e->p), none = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, head);
    gf_pv here = op(e, GF_OP_AND, op(e, GF_OP_LT, x, t->pack.width), op(e, GF_OP_OR, t->left, t->fits));
    here = op(e, GF_OP_AND, here, t->has_row);
    gf_ptx_jump_if(&e->p, here, false, none);
    ids[0] = x;
    for (int axis = 0; axis < 3; axis++) {
        e->gid[axis] = axis < 2 ? ids[axis] : zero;
        e->wid[axis] = op(e, GF_OP_DIV, e->gid[axis], gf_ptx_u32(size[axis]));
        e->lid[axis] = op(e, GF_OP_REM, e->gid[axis], gf_ptx_u32(size[axis]));
    }
    gf_ptx_emit_body(t->walk, t->pack.segment, gf_ptx_constant(GF_TYPE_BOOL, 1));
    gf_ptx_add_values(t->walk, t->pack.segment, false);
    gf_ptx_place(&e->p, none);
    gf_ptx_move(&e->p, x, op(e, GF_OP_ADD, x, step));
    gf_ptx_move(&e->p, left, op(e, GF_OP_SUB, left, gf_ptx_u32(1)));
    gf_ptx_jump_if(&e->p, op(e, GF_OP_NE, left, zero), true, head);
}

static void emit_pack(tiles *t, gf_pv row) {
    gf_ptx_emit *e = t->e;
    uint32_t singly = gf_ptx_label(&e->p), next = gf_ptx_label(&e->p);
    set_pack(t, row);
    t->pack.on_refusal = singly;
    gf_ptx_jump_if(&e->p, t->fits, false, singly);
    gf_ptx_pack_emit(&t->pack);
    gf_ptx_jump(&e->p, next);
    gf_ptx_place(&e->p, singly);
    gf_ptx_line(&e->p, "// or by invocation");
    emit_singly(t);
    gf_ptx_place(&e->p, next);
}

/* ---- one row: warp after warp, over all blocks, so that all of them have something ---- */

static void emit_line(tiles *t) {
    gf_ptx_emit *e = t->e;
    gf_pv tid = gf_ptx_thread(e), blocks = special(e, "%nctaid.x");
    gf_pv warp = op(e, GF_OP_SHR, tid, gf_ptx_u32(5));
    t->lane = op(e, GF_OP_AND, tid, gf_ptx_u32(LANES - 1));
    t->across = gf_ptx_u32(5);
    t->has_row = gf_ptx_constant(GF_TYPE_BOOL, 1);
    gf_pv begin = op(e, GF_OP_ADD, op(e, GF_OP_MUL, warp, blocks), special(e, "%ctaid.x"));
    begin = variable(e, op(e, GF_OP_MUL, begin, gf_ptx_u32(LANES)));
    gf_pv step = op(e, GF_OP_MUL, blocks, special(e, "%ntid.x"));
    gf_pv left = variable(e, op(e, GF_OP_SUB, t->columns, begin));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_LT, begin, t->columns), false, done);
    gf_ptx_place(&e->p, head);
    t->column = op(e, GF_OP_ADD, begin, t->lane);
    t->left = op(e, GF_OP_LT, t->lane, left);
    emit_pack(t, gf_ptx_u32(0));
    gf_pv goes_on = gf_ptx_register(&e->p, op(e, GF_OP_GT, left, step));
    gf_ptx_move(&e->p, begin, op(e, GF_OP_ADD, begin, step));
    gf_ptx_move(&e->p, left, op(e, GF_OP_SUB, left, step));
    gf_ptx_jump_if(&e->p, goes_on, true, head);
    gf_ptx_place(&e->p, done);
}

/* ---- rows ---- */

/* Rows of a tile: as many as the block has room for, or fewer where there are not tiles for all blocks. */
static gf_pv choose_height(gf_ptx_emit *e, gf_pv across, gf_pv tiles_across, gf_pv rows, gf_pv blocks) {
    gf_pv most = op(e, GF_OP_SHR, special(e, "%ntid.x"), across);
    gf_pv all = op(e, GF_OP_MUL, wide(e, tiles_across), wide(e, rows));
    gf_pv few = op(e, GF_OP_LT, all, gf_ptx_u64(UINT32_C(1) << 31));
    gf_pv up = op(e, GF_OP_ADD, gf_ptx_cast(&e->p, GF_TYPE_U32, all), op(e, GF_OP_SUB, blocks, gf_ptx_u32(1)));
    gf_pv fair = op(e, GF_OP_MAX, op(e, GF_OP_DIV, up, blocks), gf_ptx_u32(1));
    return gf_ptx_register(&e->p, op(e, GF_OP_MIN, most, choose(e, few, fair, most)));
}

static void emit_rows(tiles *t) {
    gf_ptx_emit *e = t->e;
    gf_pv tid = gf_ptx_thread(e), blocks = special(e, "%nctaid.x"), rows = e->space[1], one = gf_ptx_u32(1);
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p), same = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_EQ, t->columns, gf_ptx_u32(0)), true, done);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_EQ, rows, gf_ptx_u32(0)), true, done);
    gf_pv last = op(e, GF_OP_SUB, t->columns, one);
    gf_pv bits =
        op(e, GF_OP_SUB, gf_ptx_u32(32), gf_ptx_op(&e->p, GF_OP_CLZ, GF_TYPE_U32, GF_TYPE_NONE, last, last, last));
    t->across = op(e, GF_OP_MIN, bits, gf_ptx_u32(5));
    gf_pv tiles_across = op(e, GF_OP_ADD, op(e, GF_OP_SHR, last, t->across), one);
    gf_pv height = choose_height(e, t->across, tiles_across, rows, blocks);
    gf_pv lane_mask = op(e, GF_OP_SUB, op(e, GF_OP_SHL, one, t->across), one);
    t->lane = op(e, GF_OP_AND, tid, lane_mask);
    gf_pv line = op(e, GF_OP_SHR, tid, t->across), block = special(e, "%ctaid.x");
    gf_pv down = op(e, GF_OP_DIV, block, tiles_across), step_down = op(e, GF_OP_DIV, blocks, tiles_across);
    gf_pv at = variable(e, op(e, GF_OP_SUB, block, op(e, GF_OP_MUL, down, tiles_across)));
    gf_pv step_at = op(e, GF_OP_SUB, blocks, op(e, GF_OP_MUL, step_down, tiles_across));
    gf_pv top = variable(e, op(e, GF_OP_MUL, down, height)), by = op(e, GF_OP_MUL, step_down, height);
    gf_pv left = variable(e, op(e, GF_OP_SUB, rows, top)), move = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_jump_if(&e->p, op(e, GF_OP_LT, top, rows), false, done);
    gf_ptx_place(&e->p, head);
    gf_pv begin = op(e, GF_OP_SHL, at, t->across);
    t->column = op(e, GF_OP_ADD, begin, t->lane);
    t->left = op(e, GF_OP_LT, t->lane, op(e, GF_OP_SUB, t->columns, begin));
    t->has_row = op(e, GF_OP_LT, line, op(e, GF_OP_MIN, left, height));
    emit_pack(t, op(e, GF_OP_ADD, top, line));
    gf_ptx_move(&e->p, move, by);
    gf_ptx_move(&e->p, at, op(e, GF_OP_ADD, at, step_at));
    gf_ptx_jump_if(&e->p, op(e, GF_OP_LT, at, tiles_across), true, same);
    gf_ptx_move(&e->p, at, op(e, GF_OP_SUB, at, tiles_across));
    gf_ptx_move(&e->p, move, op(e, GF_OP_ADD, move, height));
    gf_ptx_place(&e->p, same);
    gf_pv goes_on = gf_ptx_register(&e->p, op(e, GF_OP_GT, left, move));
    gf_ptx_move(&e->p, top, op(e, GF_OP_ADD, top, move));
    gf_ptx_move(&e->p, left, op(e, GF_OP_SUB, left, move));
    gf_ptx_jump_if(&e->p, goes_on, true, head);
    gf_ptx_place(&e->p, done);
}

bool gf_ptx_emit_tiles(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    if (!gf_ptx_may_pack(walk, segment)) {
        return false;
    }
    tiles *t = gf_new(e->arena, tiles);
    t->walk = walk;
    t->e = e;
    t->has_rows = segment->tree->kernel.space_axes == 2;
    t->pack = (gf_ptx_pack){.e = e, .walk = walk, .segment = segment};
    if (!gf_ptx_pack_is_worth(&t->pack)) {
        return false;
    }
    t->pack.width = e->space[0];
    for (int axis = 0; axis < 3; axis++) {
        e->gid[axis] = gf_ptx_u32(0);
    }
    gf_ptx_line(&e->p, "// in packs of %u", t->pack.size);
    choose_packs(t);
    if (t->has_rows) {
        emit_rows(t);
    } else {
        emit_line(t);
    }
    return true;
}
