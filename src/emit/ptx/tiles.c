/* The space of a segment, shared out in packs. In one row the lanes of a warp have packs side by side; the warps of a
 * block have rows one below the other, so that what neighbouring rows both read is read once; blocks go on by as many
 * tiles as there are blocks. Where packs cannot be aligned they have one invocation. */
#include "emit/ptx/pack.h"
#include "ir/visit.h"

#define LANES 32
#define MOST_WIDTH (UINT32_C(1) << 31)
#define WORDS 12 /* of gf_sync for each segment */
#define MOST_ARRAYS 7
#define NOWHERE 0xc0000000 /* gid.x in a row that does not exist */

typedef struct tiles {
    gf_ptx_pack pack;
    gf_ptx_walk *walk;
    gf_ptx_emit *e;
    bool has_rows;  /* two axes */
    bool is_steady; /* what is found out once holds until buffers are swapped */
    gf_pv fits;     /* bool: in packs; else by invocation */
    gf_pv scale;    /* u32: log2 of the invocations of a pack */
    gf_pv shift;    /* u32: the first pack begins so far before the row */
    gf_pv last;     /* u32: packs that begin before it are whole */
    gf_pv columns;  /* u32: packs of a row */
    gf_pv lane;     /* u32: of those that have packs of one row side by side */
    gf_pv across;   /* u32: log2 of how many these are in a warp */
    /* of rows, u32: tiles side by side, rows of a tile; the first tile of the block, and steps to its next ones */
    gf_pv tiles_across, height, at, top, step_at, step_top;
    /* of this thread, at present */
    gf_pv column, left; /* u32: its pack in the row; bool: there is one */
    gf_pv has_row;      /* bool */
} tiles;

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
    gf_pv fits = gf_ptx_do(e, GF_OP_AND, aligned, gf_ptx_do(e, GF_OP_LE, width, gf_ptx_u32(MOST_WIDTH)));
    if (t->pack.refuses) {
        gf_pv threads = gf_ptx_to_u64(e, gf_ptx_threads(e)), all = gf_ptx_to_u64(e, e->space[0]);
        threads = gf_ptx_do(e, GF_OP_MUL, threads, gf_ptx_to_u64(e, gf_ptx_blocks(e)));
        all = gf_ptx_do(e, GF_OP_MUL, all, gf_ptx_to_u64(e, e->space[1]));
        gf_pv many = gf_ptx_do(e, GF_OP_MUL, threads, gf_ptx_u64(t->pack.size));
        fits = gf_ptx_do(e, GF_OP_AND, fits, gf_ptx_do(e, GF_OP_GE, all, many));
    }
    t->fits = gf_ptx_register(&e->p, fits);
    t->shift = gf_ptx_choose(e, t->fits, shift, zero);
    t->scale = gf_ptx_choose(e, t->fits, gf_ptx_u32(t->pack.size == 4 ? 2 : 1), zero);
    gf_pv has_whole = gf_ptx_do(e, GF_OP_AND, t->fits, gf_ptx_do(e, GF_OP_GE, width, size));
    t->last = gf_ptx_choose(e, has_whole, gf_ptx_do(e, GF_OP_SUB, width, gf_ptx_u32(t->pack.size - 1)), zero);
    gf_pv more = gf_ptx_do(e, GF_OP_SUB, gf_ptx_do(e, GF_OP_SHL, gf_ptx_u32(1), t->scale), gf_ptx_u32(1));
    gf_pv end = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_ADD, width, t->shift), more);
    t->columns = gf_ptx_do(e, GF_OP_SHR, end, t->scale);
}

/* ---- a pack ---- */

static void set_pack(tiles *t, gf_pv row) {
    gf_ptx_emit *e = t->e;
    gf_pv first = gf_ptx_do(e, GF_OP_SUB, gf_ptx_do(e, GF_OP_SHL, t->column, t->scale), t->shift);
    if (t->has_rows) {
        first = gf_ptx_choose(e, t->has_row, first, gf_ptx_u32(NOWHERE));
    }
    first = gf_ptx_register(&e->p, first);
    t->pack.first = first;
    t->pack.y = row;
    for (unsigned k = 0; k < t->pack.size; k++) {
        t->pack.x[k] = gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_u32(k));
    }
    gf_pv less = gf_ptx_u32(t->pack.size - 1);
    t->pack.whole = gf_ptx_do(e, GF_OP_LT, first, t->last);
    gf_pv lifted = gf_ptx_do(e, GF_OP_ADD, first, less);
    t->pack.some = gf_ptx_do(e, GF_OP_LT, lifted, gf_ptx_do(e, GF_OP_ADD, t->pack.width, less));
}

/* By invocation, so that those of neighbouring lanes are neighbours. */
static void emit_singly(tiles *t) {
    gf_ptx_emit *e = t->e;
    const uint32_t *size = t->pack.segment->tree->kernel.workgroup;
    gf_pv ids[2] = {{0}, t->pack.y}, zero = gf_ptx_u32(0);
    gf_pv base = gf_ptx_do(e, GF_OP_SUB, t->pack.first, gf_ptx_do(e, GF_OP_SHL, t->lane, t->scale));
    gf_pv x = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_ADD, base, t->lane)),
          left = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_SHL, gf_ptx_u32(1), t->scale));
    gf_pv step = gf_ptx_do(e, GF_OP_SHL, gf_ptx_u32(1), t->across);
    uint32_t head = gf_ptx_label(&e->p), none = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, head);
    gf_pv here = gf_ptx_do(e, GF_OP_LT, x, t->pack.width);
    here = gf_ptx_do(e, GF_OP_AND, here, gf_ptx_do(e, GF_OP_OR, t->left, t->fits));
    here = gf_ptx_do(e, GF_OP_AND, here, t->has_row);
    gf_ptx_jump_if(&e->p, here, false, none);
    ids[0] = x;
    for (int axis = 0; axis < 3; axis++) {
        e->gid[axis] = axis < 2 ? ids[axis] : zero;
        e->wid[axis] = gf_ptx_do(e, GF_OP_DIV, e->gid[axis], gf_ptx_u32(size[axis]));
        e->lid[axis] = gf_ptx_do(e, GF_OP_REM, e->gid[axis], gf_ptx_u32(size[axis]));
    }
    gf_ptx_emit_body(t->walk, t->pack.segment, gf_ptx_constant(GF_TYPE_BOOL, 1));
    gf_ptx_add_values(t->walk, t->pack.segment, false);
    gf_ptx_place(&e->p, none);
    gf_ptx_move(&e->p, x, gf_ptx_do(e, GF_OP_ADD, x, step));
    gf_ptx_move(&e->p, left, gf_ptx_do(e, GF_OP_SUB, left, gf_ptx_u32(1)));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, left, zero), true, head);
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
    gf_pv tid = gf_ptx_thread(e), blocks = gf_ptx_blocks(e);
    gf_pv warp = gf_ptx_do(e, GF_OP_SHR, tid, gf_ptx_u32(5));
    t->lane = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(LANES - 1));
    t->has_row = gf_ptx_constant(GF_TYPE_BOOL, 1);
    gf_pv begin = gf_ptx_do(e, GF_OP_MUL, warp, blocks);
    begin = gf_ptx_do(e, GF_OP_ADD, begin, gf_ptx_block(e));
    begin = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_MUL, begin, gf_ptx_u32(LANES)));
    gf_pv step = gf_ptx_do(e, GF_OP_MUL, blocks, gf_ptx_threads(e));
    gf_pv left = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_SUB, t->columns, begin));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, begin, t->columns), false, done);
    gf_ptx_place(&e->p, head);
    t->column = gf_ptx_do(e, GF_OP_ADD, begin, t->lane);
    t->left = gf_ptx_do(e, GF_OP_LT, t->lane, left);
    emit_pack(t, gf_ptx_u32(0));
    gf_pv goes_on = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_GT, left, step));
    gf_ptx_move(&e->p, begin, gf_ptx_do(e, GF_OP_ADD, begin, step));
    gf_ptx_move(&e->p, left, gf_ptx_do(e, GF_OP_SUB, left, step));
    gf_ptx_jump_if(&e->p, goes_on, true, head);
    gf_ptx_place(&e->p, done);
}

/* ---- rows ---- */

/* Rows of a tile: as many as the block has room for, or fewer where there are not tiles for all blocks. */
static gf_pv choose_height(gf_ptx_emit *e, gf_pv across, gf_pv tiles_across, gf_pv rows, gf_pv blocks) {
    gf_pv most = gf_ptx_do(e, GF_OP_SHR, gf_ptx_threads(e), across);
    gf_pv all = gf_ptx_to_u64(e, tiles_across);
    all = gf_ptx_do(e, GF_OP_MUL, all, gf_ptx_to_u64(e, rows));
    gf_pv few = gf_ptx_do(e, GF_OP_LT, all, gf_ptx_u64(UINT32_C(1) << 31));
    gf_pv up = gf_ptx_cast(&e->p, GF_TYPE_U32, all);
    up = gf_ptx_do(e, GF_OP_ADD, up, gf_ptx_do(e, GF_OP_SUB, blocks, gf_ptx_u32(1)));
    gf_pv fair = gf_ptx_do(e, GF_OP_MAX, gf_ptx_do(e, GF_OP_DIV, up, blocks), gf_ptx_u32(1));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_MIN, most, gf_ptx_choose(e, few, fair, most)));
}

/* Where the launcher has chosen the grid for the space, so that there are blocks side by side and rows of blocks:
 * nothing is divided, which in a kernel of a microsecond takes a good part of it. */
static void take_grid(tiles *t) {
    gf_ptx_emit *e = t->e;
    const gf_ptx_grid_shape *grid = &t->walk->grid;
    gf_pv block = gf_ptx_block(e), wide = gf_ptx_to_u64(e, block), rows = e->space[1];
    gf_pv down = gf_ptx_do(e, GF_OP_MUL, wide, gf_ptx_to_u64(e, grid->inverse));
    down = gf_ptx_to_u32(e, gf_ptx_do(e, GF_OP_SHR, down, gf_ptx_u32(31)));
    t->height = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_SHR, gf_ptx_threads(e), t->across));
    t->at = gf_ptx_do(e, GF_OP_SUB, block, gf_ptx_do(e, GF_OP_MUL, down, grid->across));
    t->top = gf_ptx_do(e, GF_OP_MUL, down, t->height);
    t->top = gf_ptx_choose(e, gf_ptx_do(e, GF_OP_EQ, t->columns, gf_ptx_u32(0)), rows, t->top); /* nothing */
    t->step_at = grid->across;
    t->step_top = gf_ptx_do(e, GF_OP_MUL, grid->down, t->height);
    e->by_rows = true;
}

/* How the rows are shared out. */
static void choose_tiles(tiles *t) {
    gf_ptx_emit *e = t->e;
    gf_pv blocks = gf_ptx_blocks(e), block = gf_ptx_block(e), one = gf_ptx_u32(1);
    gf_pv last = gf_ptx_do(e, GF_OP_SUB, t->columns, one), rows = e->space[1];
    gf_pv bits = gf_ptx_do(e, GF_OP_SUB, gf_ptx_u32(32),
                           gf_ptx_op(&e->p, GF_OP_CLZ, GF_TYPE_U32, GF_TYPE_NONE, last, last, last));
    t->across = gf_ptx_do(e, GF_OP_MIN, bits, gf_ptx_u32(5));
    t->tiles_across = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_SHR, last, t->across), one);
    if (t->walk->by_stages) {
        take_grid(t);
        return;
    }
    t->height = choose_height(e, t->across, t->tiles_across, rows, blocks);
    gf_pv down = gf_ptx_do(e, GF_OP_DIV, block, t->tiles_across),
          step_down = gf_ptx_do(e, GF_OP_DIV, blocks, t->tiles_across);
    t->at = gf_ptx_do(e, GF_OP_SUB, block, gf_ptx_do(e, GF_OP_MUL, down, t->tiles_across));
    t->step_at = gf_ptx_do(e, GF_OP_SUB, blocks, gf_ptx_do(e, GF_OP_MUL, step_down, t->tiles_across));
    t->top = gf_ptx_do(e, GF_OP_MUL, down, t->height);
    t->top = gf_ptx_choose(e, gf_ptx_do(e, GF_OP_EQ, t->columns, gf_ptx_u32(0)), rows, t->top); /* nothing */
    t->step_top = gf_ptx_do(e, GF_OP_MUL, step_down, t->height);
}

static void emit_rows(tiles *t) {
    gf_ptx_emit *e = t->e;
    gf_pv tid = gf_ptx_thread(e), rows = e->space[1], one = gf_ptx_u32(1);
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p), same = gf_ptx_label(&e->p);
    t->lane = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_do(e, GF_OP_SUB, gf_ptx_do(e, GF_OP_SHL, one, t->across), one));
    gf_pv line = gf_ptx_do(e, GF_OP_SHR, tid, t->across);
    gf_pv at = gf_ptx_variable(e, t->at), top = gf_ptx_variable(e, t->top);
    gf_pv left = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_SUB, rows, top)), move = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, top, rows), false, done);
    gf_ptx_place(&e->p, head);
    gf_pv begin = gf_ptx_do(e, GF_OP_SHL, at, t->across);
    t->column = gf_ptx_do(e, GF_OP_ADD, begin, t->lane);
    t->left = gf_ptx_do(e, GF_OP_LT, t->lane, gf_ptx_do(e, GF_OP_SUB, t->columns, begin));
    t->has_row = gf_ptx_do(e, GF_OP_LT, line, gf_ptx_do(e, GF_OP_MIN, left, t->height));
    emit_pack(t, gf_ptx_do(e, GF_OP_ADD, top, line));
    bool by_grid = t->walk->by_stages;
    gf_ptx_move(&e->p, move, by_grid ? gf_ptx_u32(0) : t->step_top);
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_ADD, at, t->step_at));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, at, t->tiles_across), true, same);
    gf_ptx_move(&e->p, at, by_grid ? t->at : gf_ptx_do(e, GF_OP_SUB, at, t->tiles_across));
    gf_ptx_move(&e->p, move, by_grid ? t->step_top : gf_ptx_do(e, GF_OP_ADD, move, t->height));
    gf_ptx_place(&e->p, same);
    gf_pv goes_on = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_GT, left, move));
    gf_ptx_move(&e->p, top, gf_ptx_do(e, GF_OP_ADD, top, move));
    gf_ptx_move(&e->p, left, gf_ptx_do(e, GF_OP_SUB, left, move));
    gf_ptx_jump_if(&e->p, goes_on, true, head);
    gf_ptx_place(&e->p, done);
}

/* ---- what is the same each time ---- */

static bool is_param(const tiles *t, const gf_symbol *symbol) {
    const gf_segment *segment = t->pack.segment;
    for (size_t i = 0; i < segment->param_count; i++) {
        if (segment->params[i].symbol == symbol) {
            return segment->params[i].source->kind == GF_SYMBOL_PARAM;
        }
    }
    return symbol->kind == GF_SYMBOL_CONST;
}

static bool look_at_name(void *user, const gf_expr *expr) {
    tiles *t = user;
    if (expr->kind == GF_EXPR_NAME && !is_param(t, expr->ref.symbol)) {
        t->is_steady = false;
    }
    return true;
}

static gf_pv add_array(tiles *t, const gf_symbol **arrays, unsigned *count, const gf_symbol *array, gf_pv key) {
    gf_ptx_emit *e = t->e;
    for (unsigned i = 0; i < *count; i++) {
        if (arrays[i] == array) {
            return key;
        }
    }
    if (*count == MOST_ARRAYS) {
        t->is_steady = false;
        return key;
    }
    gf_pv low =
        gf_ptx_do(e, GF_OP_AND, gf_ptx_cast(&e->p, GF_TYPE_U32, gf_ptx_name_of(e, array)->array->data), gf_ptx_u32(15));
    arrays[*count] = array;
    return gf_ptx_do(e, GF_OP_OR, key, gf_ptx_do(e, GF_OP_SHL, low, gf_ptx_u32(4 * (uint64_t)(*count)++)));
}

/* Of all that the tiles depend on and that a run may change, by swapping buffers: how these are aligned. A constant 0
 * where there is more. */
static gf_pv key_of(tiles *t) {
    const gf_symbol *arrays[MOST_ARRAYS];
    unsigned count = 0;
    gf_pv key = gf_ptx_u32(UINT32_C(1) << 31);
    gf_visitor visitor = {.user = t, .expr = look_at_name};
    bool comes_again = !t->walk->by_stages && t->walk->steps == NULL; /* with the same shared memory */
    t->is_steady = comes_again && t->walk->tile_slots < GF_PTX_TILE_SLOTS;
    for (size_t i = 0; i < t->pack.parts.count; i++) {
        for (size_t k = 0; k < t->pack.parts.items[i]->strips.count; k++) {
            const gf_ptx_strip *strip = t->pack.parts.items[i]->strips.items[k];
            key = add_array(t, arrays, &count, strip->array, key);
            for (size_t n = 0; n < strip->sum.count; n++) {
                gf_visit_expr(&visitor, strip->sum.terms[n].atom);
            }
        }
    }
    return t->is_steady ? key : gf_ptx_u32(0);
}

/* A segment that is come to again and again finds in shared memory what it has found out before: it is a third of what
 * a thread does in a small stencil. */
static void remember_tiles(tiles *t, gf_pv key, void (*find_out)(tiles *t)) {
    gf_ptx_emit *e = t->e;
    gf_ptx *p = &e->p;
    gf_pv words[WORDS], tid = gf_ptx_thread(e);
    unsigned at = GF_PTX_SYNC_TILES + 4 * WORDS * t->walk->tile_slots++, used = t->has_rows ? WORDS : 8;
    uint32_t known = gf_ptx_label(p);
    for (unsigned i = 0; i < WORDS; i++) {
        words[i] = gf_ptx_new_value(p, GF_TYPE_U32);
    }
    for (unsigned i = 0; i < used; i += 4) {
        gf_ptx_line(p, "ld.shared.v4.u32 {%s, %s, %s, %s}, [gf_sync+%u];", gf_ptx_spell(words[i]).text,
                    gf_ptx_spell(words[i + 1]).text, gf_ptx_spell(words[i + 2]).text, gf_ptx_spell(words[i + 3]).text,
                    at + 4 * i);
    }
    gf_pv width = gf_ptx_register(p, t->pack.width);
    gf_pv same = gf_ptx_do(e, GF_OP_EQ, words[0], key);
    same = gf_ptx_do(e, GF_OP_AND, same, gf_ptx_do(e, GF_OP_EQ, words[1], width));
    gf_ptx_jump_if(p, same, true, known);
    find_out(t);
    gf_pv flags = gf_ptx_cast(p, GF_TYPE_U32, t->fits);
    flags = gf_ptx_do(e, GF_OP_OR, flags, gf_ptx_do(e, GF_OP_SHL, t->across, gf_ptx_u32(1)));
    const gf_pv found[WORDS] = {key,       width, flags,      t->shift, t->columns, t->last, t->tiles_across,
                                t->height, t->at, t->step_at, t->top,   t->step_top};
    for (unsigned i = 0; i < WORDS; i++) {
        gf_ptx_move(p, words[i], found[i].type != GF_TYPE_NONE ? found[i] : gf_ptx_u32(0));
    }
    gf_ptx_sync(e); /* all have looked */
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_NE, tid, gf_ptx_u32(0)), true, known);
    for (unsigned i = 0; i < used; i += 4) {
        gf_ptx_line(p, "st.shared.v4.u32 [gf_sync+%u], {%s, %s, %s, %s};", at + 4 * i, gf_ptx_spell(words[i]).text,
                    gf_ptx_spell(words[i + 1]).text, gf_ptx_spell(words[i + 2]).text, gf_ptx_spell(words[i + 3]).text);
    }
    gf_ptx_place(p, known);
    t->fits =
        gf_ptx_register(p, gf_ptx_do(e, GF_OP_NE, gf_ptx_do(e, GF_OP_AND, words[2], gf_ptx_u32(1)), gf_ptx_u32(0)));
    t->across = gf_ptx_do(e, GF_OP_SHR, words[2], gf_ptx_u32(1));
    t->shift = words[3];
    t->columns = words[4];
    t->last = words[5];
    t->tiles_across = words[6];
    t->height = words[7];
    t->at = words[8];
    t->step_at = words[9];
    t->top = words[10];
    t->step_top = words[11];
}

static void choose_all(tiles *t) {
    choose_packs(t);
    t->across = gf_ptx_u32(5);
    if (t->has_rows) {
        choose_tiles(t);
    }
}

/* NULL: no packs are worth it. */
static tiles *find_packs(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    if (!gf_ptx_may_pack(walk, segment)) {
        return NULL;
    }
    tiles *t = gf_new(e->arena, tiles);
    t->walk = walk;
    t->e = e;
    t->has_rows = segment->tree->kernel.space_axes == 2;
    t->pack = (gf_ptx_pack){.e = e, .walk = walk, .segment = segment};
    if (!gf_ptx_pack_is_worth(&t->pack)) {
        return NULL;
    }
    t->pack.width = e->space[0];
    for (int axis = 0; axis < 3; axis++) {
        e->gid[axis] = gf_ptx_u32(0);
    }
    return t;
}

static bool look_at_atom(void *user, const gf_expr *expr) {
    tiles *t = user;
    t->is_steady =
        t->is_steady && expr->kind != GF_EXPR_LOAD && expr->kind != GF_EXPR_ATOMIC && expr->kind != GF_EXPR_CALL;
    return look_at_name(user, expr);
}

/* Whether all that the tiles depend on stands in the arguments. */
static bool is_known_early(tiles *t) {
    gf_visitor visitor = {.user = t, .expr = look_at_atom};
    t->is_steady = !t->pack.segment->is_forall;
    for (size_t i = 0; i < t->pack.parts.count; i++) {
        for (size_t k = 0; k < t->pack.parts.items[i]->strips.count; k++) {
            const gf_ptx_sum *sum = &t->pack.parts.items[i]->strips.items[k]->sum;
            for (size_t n = 0; n < sum->count; n++) {
                gf_visit_expr(&visitor, sum->terms[n].atom);
            }
        }
    }
    return t->is_steady;
}

void gf_ptx_ready_tiles(gf_ptx_walk *walk, const gf_segment *segment) {
    tiles *t = find_packs(walk, segment);
    if (t != NULL && is_known_early(t)) {
        gf_ptx_line(&walk->e->p, "// tiles of segment %u", (unsigned)segment->index);
        choose_all(t);
        walk->ready = t;
    }
}

bool gf_ptx_emit_tiles(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    tiles *t = walk->ready != NULL ? walk->ready : find_packs(walk, segment);
    if (t == NULL) {
        return false;
    }
    e->pack_size = t->pack.refuses ? 1 : t->pack.size;
    gf_ptx_line(&e->p, "// in packs of %u", t->pack.size);
    gf_pv key = key_of(t);
    if (walk->ready != NULL) {
        walk->ready = NULL;
    } else if (key.is_constant && key.bits == 0) {
        choose_all(t);
    } else {
        remember_tiles(t, key, choose_all);
    }
    t->scale = gf_ptx_choose(e, t->fits, gf_ptx_u32(t->pack.size == 4 ? 2 : 1), gf_ptx_u32(0));
    if (t->has_rows) {
        emit_rows(t);
    } else {
        emit_line(t);
    }
    return true;
}
