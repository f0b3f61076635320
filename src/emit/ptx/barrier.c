/* Barriers. That of the grid: thread 0 of each block adds 1 to a word with an atomic that gives the old value, and
 * looks at the word until all blocks have; votes ride in its high half. Two words are used in turn, so that nobody can
 * come to the next use of a word before all have seen what this one said. Words only grow, and are compared as
 * differences, which is right when they wrap. With many blocks they arrive in groups first.
 *
 * Form and figures: returning `atom.acq_rel` and one thread that spins are the fastest of nine kinds measured on an
 * H200 (0.86 us with 264 blocks); two levels win above about 800 blocks. */
#include "emit/ptx/rows.h"

#define BETWEEN_LOOKS 100000 /* cycles between two looks at the stop word, about 50 us */

void gf_ptx_sync(gf_ptx_emit *e) {
    /* Threads of a warp that went different ways come together first: bar.sync wants them to. */
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    gf_ptx_line(&e->p, "bar.sync 0;");
}

gf_pv gf_ptx_arg(gf_ptx_emit *e, gf_type type, size_t word) {
    gf_pv value = gf_ptx_new_value(&e->p, type == GF_TYPE_BOOL ? GF_TYPE_U32 : type);
    const char *suffix =
        gf_type_is_float(type) ? (type == GF_TYPE_F64 ? "f64" : "f32") : (gf_type_bytes(type) == 8 ? "u64" : "u32");
    gf_ptx_line(&e->p, "ld.const.%s %s, [gf_args+%zu];", suffix, gf_ptx_spell(value).text, 8 * word);
    return type == GF_TYPE_BOOL ? gf_ptx_do(e, GF_OP_NE, value, gf_ptx_u32(0)) : value;
}

static gf_pv load_sync(gf_ptx_emit *e, unsigned offset) {
    gf_pv value = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "ld.shared.u32 %s, [gf_sync+%u];", gf_ptx_spell(value).text, offset);
    return value;
}

static void store_sync(gf_ptx_emit *e, unsigned offset, gf_pv value) {
    value = gf_ptx_register(&e->p, value);
    gf_ptx_line(&e->p, "st.shared.u32 [gf_sync+%u], %s;", offset, gf_ptx_spell(value).text);
}

void gf_ptx_barrier_begin(gf_ptx_emit *e) {
    uint32_t others = gf_ptx_label(&e->p);
    e->round = gf_ptx_variable(e, gf_ptx_u32(0));
    e->told = gf_ptx_variable(e, gf_ptx_u32(0));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    for (unsigned at = 0; at < GF_PTX_SYNC_VALUE; at += 4) {
        store_sync(e, at, gf_ptx_u32(0));
    }
    for (unsigned slot = 0; slot < GF_PTX_TILE_SLOTS; slot++) {
        store_sync(e, GF_PTX_SYNC_TILES + 48 * slot, gf_ptx_u32(0));
    }
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
}

void gf_ptx_wait_for_kernel(gf_ptx_emit *e) {
    if (e->options.dependent) {
        gf_ptx_line(&e->p, "griddepcontrol.wait;");
    }
}

/* Of block 0, while it waits: whether the host wants an end, as a bool. The next barrier is told of it, for this one
 * may have been met already. Not at each barrier: a look takes 0.15 us, and others might have come in the meantime. No
 * other thread does it, since what each warp executes at a barrier is issued one warp after the other. */
static gf_pv look_at_stop(gf_ptx_emit *e, gf_pv state) {
    gf_pv stop = gf_ptx_variable(e, gf_ptx_u32(0));
    uint32_t not_now = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_block(e), gf_ptx_u32(0)), true, not_now);
    gf_pv clock = gf_ptx_new_value(&e->p, GF_TYPE_U32), looked = load_sync(e, GF_PTX_SYNC_LOOKED);
    gf_ptx_line(&e->p, "mov.u32 %s, %%clock;", gf_ptx_spell(clock).text);
    gf_pv since = gf_ptx_do(e, GF_OP_SUB, clock, looked);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, since, gf_ptx_u32(BETWEEN_LOOKS)), true, not_now);
    store_sync(e, GF_PTX_SYNC_LOOKED, clock);
    gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u32 %s, [%s+%d];", gf_ptx_spell(stop).text, gf_ptx_spell(state).text,
                GF_PTX_STATE_STOP);
    gf_ptx_place(&e->p, not_now);
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_NE, stop, gf_ptx_u32(0)));
}

/* Thread 0 alone: what this block adds to the votes. */
static gf_pv own_votes(gf_ptx_emit *e, bool has_vote, gf_pv any, bool has_list) {
    gf_pv votes = has_vote ? gf_ptx_cast(&e->p, GF_TYPE_U32, any) : gf_ptx_u32(0);
    if (has_list) {
        votes = gf_ptx_do(e, GF_OP_OR, votes, load_sync(e, GF_PTX_SYNC_LISTED));
    }
    if (e->may_end) {
        gf_pv ended = gf_ptx_do(e, GF_OP_NE, load_sync(e, GF_PTX_SYNC_ENDED), gf_ptx_u32(0));
        votes = gf_ptx_do(e, GF_OP_OR, votes, gf_ptx_choose(e, ended, gf_ptx_u32(GF_PTX_STOP_UNIT), gf_ptx_u32(0)));
    }
    return votes;
}

/* What the own arrival left at the root, and how many arrivals are waited for there: registers. */
typedef struct arrival {
    gf_pv now, target;
} arrival;

/* Spins until all of this round have come; gives the high half. */
static gf_pv wait_for(gf_ptx_emit *e, gf_pv root, arrival to) {
    uint32_t spin = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, spin);
    gf_pv missing = gf_ptx_do(e, GF_OP_SUB, gf_ptx_cast(&e->p, GF_TYPE_U32, to.now), to.target);
    missing = gf_ptx_bitcast(&e->p, GF_TYPE_I32, missing);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, missing, gf_ptx_constant(GF_TYPE_I32, 0)), true, done);
    gf_ptx_line(&e->p, "ld.acquire.gpu.global.u64 %s, [%s];", gf_ptx_spell(to.now).text, gf_ptx_spell(root).text);
    gf_ptx_jump(&e->p, spin);
    gf_ptx_place(&e->p, done);
    return gf_ptx_cast(&e->p, GF_TYPE_U32, gf_ptx_do(e, GF_OP_SHR, to.now, gf_ptx_u32(32)));
}

static gf_pv add_to(gf_ptx_emit *e, gf_pv address, gf_pv amount) {
    bool wide = amount.type == GF_TYPE_U64;
    gf_pv old = gf_ptx_new_value(&e->p, amount.type);
    amount = gf_ptx_register(&e->p, amount);
    gf_ptx_line(&e->p, "atom.acq_rel.gpu.global.add.%s %s, [%s], %s;", wide ? "u64" : "u32", gf_ptx_spell(old).text,
                gf_ptx_spell(address).text, gf_ptx_spell(amount).text);
    return gf_ptx_do(e, GF_OP_ADD, old, amount);
}

static gf_pv high_half(gf_ptx_emit *e, gf_pv votes) {
    return gf_ptx_do(e, GF_OP_SHL, gf_ptx_cast(&e->p, GF_TYPE_U64, votes), gf_ptx_u32(32));
}

/* Every block at the root. */
static void arrive_flat(gf_ptx_emit *e, const arrival *to, gf_pv root, gf_pv votes, gf_pv uses, gf_pv blocks) {
    gf_ptx_move(&e->p, to->target, gf_ptx_do(e, GF_OP_MUL, uses, blocks));
    gf_ptx_move(&e->p, to->now, add_to(e, root, gf_ptx_do(e, GF_OP_OR, high_half(e, votes), gf_ptx_u64(1))));
}

/* The last of each group of blocks at the root. Votes go there before, so that who sees the arrivals sees them. */
static void arrive_by_groups(gf_ptx_emit *e, const arrival *to, gf_pv state, gf_pv root, gf_pv votes, gf_pv round,
                             gf_pv uses, gf_pv blocks) {
    uint32_t no_vote = gf_ptx_label(&e->p), not_last = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_EQ, votes, gf_ptx_u32(0)), true, no_vote);
    gf_pv high = gf_ptx_register(&e->p, high_half(e, votes));
    gf_ptx_line(&e->p, "red.relaxed.gpu.global.add.u64 [%s], %s;", gf_ptx_spell(root).text, gf_ptx_spell(high).text);
    gf_ptx_place(&e->p, no_vote);
    gf_pv group = gf_ptx_do(e, GF_OP_AND, gf_ptx_block(e), gf_ptx_u32(GF_PTX_NODES - 1));
    gf_pv size = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_SUB, blocks, group), gf_ptx_u32(GF_PTX_NODES - 1));
    size = gf_ptx_do(e, GF_OP_DIV, size, gf_ptx_u32(GF_PTX_NODES));
    gf_pv offset = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, group), gf_ptx_u64(GF_PTX_LINE));
    gf_pv node = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_ADD, state, gf_ptx_u64(GF_PTX_STATE_NODES)), offset);
    gf_pv came = add_to(e, gf_ptx_register(&e->p, node), gf_ptx_u32(1));
    gf_pv target = gf_ptx_do(e, GF_OP_MUL, uses, gf_ptx_u32(GF_PTX_NODES));
    gf_ptx_move(&e->p, to->target, target);
    gf_ptx_move(&e->p, to->now, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_do(e, GF_OP_SUB, target, gf_ptx_u32(1))));
    gf_pv all = gf_ptx_do(e, GF_OP_MUL, size, gf_ptx_do(e, GF_OP_ADD, round, gf_ptx_u32(1)));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, came, all), true, not_last);
    gf_ptx_move(&e->p, to->now, add_to(e, root, gf_ptx_u64(1)));
    gf_ptx_place(&e->p, not_last);
}

static void thread_zero(gf_ptx_walk *walk, bool has_vote, gf_pv any, bool has_list) {
    gf_ptx_emit *e = walk->e;
    gf_pv state = gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE);
    gf_pv round = e->round, parity = gf_ptx_do(e, GF_OP_AND, round, gf_ptx_u32(1));
    gf_pv uses = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_SHR, round, gf_ptx_u32(1)), gf_ptx_u32(1));
    gf_pv line = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, parity), gf_ptx_u64(GF_PTX_LINE));
    gf_pv root = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_ADD, state, line), gf_ptx_u64(GF_PTX_STATE_ROOT));
    root = gf_ptx_register(&e->p, root);
    gf_pv votes = own_votes(e, has_vote, any, has_list), blocks = gf_ptx_blocks(e);
    arrival to = {.now = gf_ptx_new_value(&e->p, GF_TYPE_U64), .target = gf_ptx_new_value(&e->p, GF_TYPE_U32)};
    uint32_t flat = gf_ptx_label(&e->p), come = gf_ptx_label(&e->p);
    bool may_be_many = e->options.threads < 512;
    gf_ptx_send_cells(walk, state);
    if (may_be_many) {
        gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LE, blocks, gf_ptx_u32(GF_PTX_TWO_LEVELS)), true, flat);
        arrive_by_groups(e, &to, state, root, votes, round, uses, blocks);
        gf_ptx_jump(&e->p, come);
        gf_ptx_place(&e->p, flat);
    }
    arrive_flat(e, &to, root, votes, uses, blocks);
    gf_ptx_place(&e->p, come);
    gf_pv other = gf_ptx_do(e, GF_OP_SUB, gf_ptx_u64(2 * (uint64_t)GF_PTX_STATE_ROOT + GF_PTX_LINE), root);
    gf_pv next = gf_ptx_do(e, GF_OP_ADD, other, gf_ptx_do(e, GF_OP_ADD, state, state)); /* the root of the next */
    gf_pv place = gf_ptx_new_value(&e->p, GF_TYPE_U32), before = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, gf_sync;", gf_ptx_spell(place).text);
    place = gf_ptx_do(e, GF_OP_ADD, place, gf_ptx_do(e, GF_OP_MUL, parity, gf_ptx_u32(4)));
    gf_ptx_line(&e->p, "ld.shared.u32 %s, [%s+%d];", gf_ptx_spell(before).text, gf_ptx_spell(place).text,
                GF_PTX_SYNC_SEEN);
    gf_pv stop = look_at_stop(e, gf_ptx_register(&e->p, state));
    gf_pv high = wait_for(e, root, to);
    gf_ptx_fetch_cells(walk, state);
    store_sync(e, GF_PTX_SYNC_VOTE, gf_ptx_do(e, GF_OP_SUB, high, before));
    gf_ptx_line(&e->p, "st.shared.u32 [%s+%d], %s;", gf_ptx_spell(place).text, GF_PTX_SYNC_SEEN,
                gf_ptx_spell(high).text);
    gf_pv unit = gf_ptx_register(&e->p, gf_ptx_u64((uint64_t)GF_PTX_STOP_UNIT << 32));
    next = gf_ptx_register(&e->p, next);
    gf_ptx_line(&e->p, "@%s red.relaxed.gpu.global.add.u64 [%s], %s;", gf_ptx_spell(stop).text, gf_ptx_spell(next).text,
                gf_ptx_spell(unit).text);
}

/* In the middle of a stretch a fault waits for those that may count more; but not who was told to leave. */
bool gf_ptx_barrier_ends(const gf_ptx_walk *walk) {
    return walk->e->may_end && (!walk->in_stretch || walk->failed.type != GF_TYPE_NONE);
}

static void stop_if(gf_ptx_walk *walk, gf_pv said) {
    gf_pv stops = gf_ptx_do(walk->e, GF_OP_GE, said, gf_ptx_u32(GF_PTX_STOP_UNIT));
    gf_ptx_jump_if(&walk->e->p, stops, true, walk->on_stop);
}

/* Gives what the votes of all blocks came to. Where there are none, and nobody but the host may end the run, the word
 * of that is looked at by the next barrier, and nobody waits for it here. */
static gf_pv meet(gf_ptx_walk *walk, const gf_pv *vote, bool has_list) {
    gf_ptx_emit *e = walk->e;
    gf_pv any = gf_ptx_constant(GF_TYPE_BOOL, 0);
    walk->has_barrier = true;
    gf_ptx_line(&e->p, "// grid barrier%s", vote != NULL ? " with a vote" : "");
    uint32_t not_ended = gf_ptx_label(&e->p), waits = gf_ptx_label(&e->p);
    if (gf_ptx_barrier_ends(walk)) {
        gf_ptx_jump_if(&e->p, e->ended, false, not_ended);
        store_sync(e, GF_PTX_SYNC_ENDED, gf_ptx_u32(1));
        gf_ptx_place(&e->p, not_ended);
    } else if (!e->may_end) {
        stop_if(walk, e->told);
    }
    if (vote != NULL) {
        gf_pv mine = gf_ptx_register(&e->p, *vote);
        any = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
        gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
        gf_ptx_line(&e->p, "bar.red.or.pred %s, 0, %s;", gf_ptx_spell(any).text, gf_ptx_spell(mine).text);
    } else {
        gf_ptx_sync(e);
    }
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, waits);
    thread_zero(walk, vote != NULL, any, has_list);
    gf_ptx_place(&e->p, waits);
    gf_ptx_sync(e);
    gf_ptx_move(&e->p, e->round, gf_ptx_do(e, GF_OP_ADD, e->round, gf_ptx_u32(1)));
    gf_pv said = load_sync(e, GF_PTX_SYNC_VOTE);
    if (e->may_end || vote != NULL || has_list) {
        stop_if(walk, said);
    } else {
        gf_ptx_move(&e->p, e->told, said);
    }
    gf_ptx_take_cells(walk);
    return said;
}

/* Where a list of pieces was begun all go through it, and meet again. What that changes is part of the vote. */
gf_pv gf_ptx_grid_barrier(gf_ptx_walk *walk, const gf_pv *vote) {
    gf_ptx_emit *e = walk->e;
    const struct gf_ptx_listed *listed = walk->listed;
    if (walk->steps != NULL) {
        return gf_ptx_end_step(walk, vote);
    }
    gf_pv said = meet(walk, vote, listed != NULL);
    if (listed == NULL) {
        return gf_ptx_do(e, GF_OP_NE, said, gf_ptx_u32(0));
    }
    uint32_t met = gf_ptx_label(&e->p);
    said = gf_ptx_variable(e, said);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, said, gf_ptx_u32(GF_PTX_LISTED_VOTE)), true, met);
    walk->listed = NULL;
    gf_ptx_serve_listed(walk, listed);
    gf_pv again = meet(walk, vote, false);
    gf_ptx_move(&e->p, said,
                gf_ptx_do(e, GF_OP_SUB, gf_ptx_do(e, GF_OP_ADD, said, again), gf_ptx_u32(GF_PTX_LISTED_VOTE)));
    gf_ptx_place(&e->p, met);
    return gf_ptx_do(e, GF_OP_NE, said, gf_ptx_u32(0));
}
