/* Barriers. That of the grid: thread 0 of each block adds to a word with an atomic that gives the old value, and looks
 * at the word until all blocks have. Votes and stops ride in the same word. Two words are used in turn, so that nobody
 * can come to the next use of a word before all have seen what this one said. Words only grow, and what is compared is
 * the difference to what the word was when it was last full, which is right when they wrap.
 *
 * One level, up to 800 blocks, a word of 32 bits: it is a tenth of a microsecond faster than 64. From low to high, each
 * with room for what all blocks may add:
 *
 *     10 bits   blocks that have come; 0 again when the word, less what it must become, says that all have
 *     11 bits   votes
 *     11 bits   stops: blocks in which a thread has ended, or that have seen the stop word
 *
 * More blocks arrive in groups, at a root of 64 bits: arrivals in the low half, in the high one votes and stops.
 *
 * Form and figures: returning `atom.acq_rel` and one thread that spins are the fastest of nine kinds measured on an
 * H200 (0.86 us with 264 blocks); two levels win above about 800 blocks. What can be known before the block has met is
 * loaded before, and what the barrier said goes to all threads by the second meeting itself. */
#include "emit/ptx/grid.h"

#define COME_BITS 10
#define VOTE_BITS 11
#define GROUPS_VOTE_BITS 16 /* of the high half of the root of groups */
_Static_assert(GF_PTX_TWO_LEVELS < 1 << COME_BITS, "a word of one level has room for the blocks that have come");

void gf_ptx_sync(gf_ptx_emit *e) {
    /* Threads of a warp that went different ways come together first: bar.sync wants them to. */
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    gf_ptx_line(&e->p, "bar.sync 0;");
}

gf_pv gf_ptx_thread(gf_ptx_emit *e) {
    gf_pv tid = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, %%tid.x;", gf_ptx_spell(tid).text);
    return tid;
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

static gf_pv choose_u32(gf_ptx_emit *e, gf_pv condition, uint32_t yes, uint32_t no) {
    return gf_ptx_op(&e->p, GF_OP_SELECT, GF_TYPE_U32, GF_TYPE_NONE, condition, gf_ptx_u32(yes), gf_ptx_u32(no));
}

/* All threads of the block meet, and know whether the condition holds for any. */
static gf_pv sync_any(gf_ptx_emit *e, gf_pv condition) {
    gf_pv any = gf_ptx_new_value(&e->p, GF_TYPE_BOOL), mine = gf_ptx_register(&e->p, condition);
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    gf_ptx_line(&e->p, "bar.red.or.pred %s, 0, %s;", gf_ptx_spell(any).text, gf_ptx_spell(mine).text);
    return any;
}

void gf_ptx_barrier_begin(gf_ptx_emit *e) {
    uint32_t others = gf_ptx_label(&e->p);
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

/* What thread 0 of a block has in hand when its block meets. */
typedef struct arrival {
    gf_pv round, parity, root; /* how many barriers were before, which of the two words it is, its address */
    gf_pv before;              /* what the word, or the high half of the root, was when it was last full */
    gf_pv stops;               /* bool: this block has seen the stop word */
    gf_pv votes;               /* bool */
    gf_pv blocks;
} arrival;

/* Before the block meets: what it takes is there when it is over. */
static arrival prepare(gf_ptx_emit *e, gf_pv is_first, uint32_t others) {
    arrival a = {.round = gf_ptx_new_value(&e->p, GF_TYPE_U32)};
    gf_pv even = gf_ptx_new_value(&e->p, GF_TYPE_U32), odd = gf_ptx_new_value(&e->p, GF_TYPE_U32),
          stop = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_jump_if(&e->p, is_first, false, others);
    gf_ptx_line(&e->p, "ld.shared.v4.u32 {%s, %s, %s, %s}, [gf_sync+%d];", gf_ptx_spell(a.round).text,
                gf_ptx_spell(even).text, gf_ptx_spell(odd).text, gf_ptx_spell(stop).text, GF_PTX_SYNC_ROUND);
    a.parity = gf_ptx_do(e, GF_OP_AND, a.round, gf_ptx_u32(1));
    a.before = gf_ptx_register(&e->p, gf_ptx_choose(e, gf_ptx_do(e, GF_OP_EQ, a.parity, gf_ptx_u32(0)), even, odd));
    gf_pv line = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, a.parity), gf_ptx_u64(GF_PTX_LINE));
    gf_pv state = gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE);
    a.root = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_ADD, state, line), gf_ptx_u64(GF_PTX_STATE_ROOT));
    a.root = gf_ptx_register(&e->p, a.root);
    a.stops = gf_ptx_do(e, GF_OP_NE, stop, gf_ptx_u32(0));
    a.blocks = gf_ptx_special(e, "%nctaid.x");
    return a;
}

/* Adds to a word, and gives what it is then. */
static gf_pv add_to(gf_ptx_emit *e, gf_pv address, gf_pv amount) {
    bool wide = amount.type == GF_TYPE_U64;
    gf_pv old = gf_ptx_new_value(&e->p, amount.type);
    amount = gf_ptx_register(&e->p, amount);
    gf_ptx_line(&e->p, "atom.acq_rel.gpu.global.add.%s %s, [%s], %s;", wide ? "u64" : "u32", gf_ptx_spell(old).text,
                gf_ptx_spell(address).text, gf_ptx_spell(amount).text);
    return gf_ptx_do(e, GF_OP_ADD, old, amount);
}

/* Looks at the root, as it is in `seen`, until what `missing` makes of it is 0. */
static void spin(gf_ptx_emit *e, gf_pv root, gf_pv seen, gf_pv full, gf_pv (*missing)(gf_ptx_emit *, gf_pv, gf_pv)) {
    uint32_t again = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, again);
    gf_pv left = missing(e, seen, full);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_EQ, left, gf_ptx_u32(0)), true, done);
    gf_ptx_line(&e->p, "ld.acquire.gpu.global.%s %s, [%s];", seen.type == GF_TYPE_U64 ? "u64" : "u32",
                gf_ptx_spell(seen).text, gf_ptx_spell(root).text);
    gf_ptx_jump(&e->p, again);
    gf_ptx_place(&e->p, done);
}

static gf_pv missing_blocks(gf_ptx_emit *e, gf_pv seen, gf_pv full) {
    return gf_ptx_do(e, GF_OP_AND, gf_ptx_do(e, GF_OP_SUB, seen, full), gf_ptx_u32((1 << COME_BITS) - 1));
}

static gf_pv missing_groups(gf_ptx_emit *e, gf_pv seen, gf_pv full) {
    return gf_ptx_do(e, GF_OP_SUB, gf_ptx_cast(&e->p, GF_TYPE_U32, seen), full);
}

/* Every block at the root. Gives what was said, and puts what the word is now into `now`. */
static gf_pv arrive_flat(gf_ptx_emit *e, const arrival *a, gf_pv now) {
    gf_pv amount = choose_u32(e, a->votes, 1 + (1 << COME_BITS), 1);
    amount = gf_ptx_do(e, GF_OP_ADD, amount, choose_u32(e, a->stops, 1 << (COME_BITS + VOTE_BITS), 0));
    gf_pv full = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, a->before, a->blocks));
    gf_ptx_move(&e->p, now, add_to(e, a->root, amount));
    spin(e, a->root, now, full, missing_blocks);
    return gf_ptx_do(e, GF_OP_SHR, gf_ptx_do(e, GF_OP_SUB, now, full), gf_ptx_u32(COME_BITS));
}

/* The last of each group of blocks at the root. Votes go there before, so that who sees the arrivals sees them. */
static gf_pv arrive_by_groups(gf_ptx_emit *e, const arrival *a, gf_pv now) {
    uint32_t no_vote = gf_ptx_label(&e->p), not_last = gf_ptx_label(&e->p);
    gf_pv state = gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE);
    gf_pv votes = choose_u32(e, a->votes, 1, 0);
    votes = gf_ptx_do(e, GF_OP_ADD, votes, choose_u32(e, a->stops, 1 << GROUPS_VOTE_BITS, 0));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_EQ, votes, gf_ptx_u32(0)), true, no_vote);
    gf_pv high = gf_ptx_do(e, GF_OP_SHL, gf_ptx_cast(&e->p, GF_TYPE_U64, votes), gf_ptx_u32(32));
    high = gf_ptx_register(&e->p, high);
    gf_ptx_line(&e->p, "red.relaxed.gpu.global.add.u64 [%s], %s;", gf_ptx_spell(a->root).text, gf_ptx_spell(high).text);
    gf_ptx_place(&e->p, no_vote);
    gf_pv group = gf_ptx_do(e, GF_OP_AND, gf_ptx_special(e, "%ctaid.x"), gf_ptx_u32(GF_PTX_NODES - 1));
    gf_pv size = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_SUB, a->blocks, group), gf_ptx_u32(GF_PTX_NODES - 1));
    size = gf_ptx_do(e, GF_OP_DIV, size, gf_ptx_u32(GF_PTX_NODES));
    gf_pv offset = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, group), gf_ptx_u64(GF_PTX_LINE));
    gf_pv node = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_ADD, state, gf_ptx_u64(GF_PTX_STATE_NODES)), offset);
    gf_pv came = add_to(e, gf_ptx_register(&e->p, node), gf_ptx_u32(1));
    gf_pv uses = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_SHR, a->round, gf_ptx_u32(1)), gf_ptx_u32(1));
    gf_pv full = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_MUL, uses, gf_ptx_u32(GF_PTX_NODES)));
    gf_pv all = gf_ptx_do(e, GF_OP_MUL, size, gf_ptx_do(e, GF_OP_ADD, a->round, gf_ptx_u32(1)));
    gf_pv seen = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_ptx_move(&e->p, seen, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_do(e, GF_OP_SUB, full, gf_ptx_u32(1))));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, came, all), true, not_last);
    gf_ptx_move(&e->p, seen, add_to(e, a->root, gf_ptx_u64(1)));
    gf_ptx_place(&e->p, not_last);
    spin(e, a->root, seen, full, missing_groups);
    gf_ptx_move(&e->p, now, gf_ptx_cast(&e->p, GF_TYPE_U32, gf_ptx_do(e, GF_OP_SHR, seen, gf_ptx_u32(32))));
    return gf_ptx_do(e, GF_OP_SUB, now, a->before);
}

/* Arrives, waits, and leaves what was said in `said`: who stops above the votes. */
static void thread_zero(gf_ptx_emit *e, const arrival *a, gf_pv said) {
    gf_pv now = gf_ptx_new_value(&e->p, GF_TYPE_U32), stops = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    uint32_t flat = gf_ptx_label(&e->p), met = gf_ptx_label(&e->p);
    bool may_be_many = e->options.threads < 512;
    if (may_be_many) {
        gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LE, a->blocks, gf_ptx_u32(GF_PTX_TWO_LEVELS)), true, flat);
        gf_ptx_move(&e->p, said, arrive_by_groups(e, a, now));
        gf_ptx_move(&e->p, stops, gf_ptx_do(e, GF_OP_GE, said, gf_ptx_u32(1 << GROUPS_VOTE_BITS)));
        gf_ptx_jump(&e->p, met);
        gf_ptx_place(&e->p, flat);
    }
    gf_ptx_move(&e->p, said, arrive_flat(e, a, now));
    gf_ptx_move(&e->p, stops, gf_ptx_do(e, GF_OP_GE, said, gf_ptx_u32(1 << VOTE_BITS)));
    gf_ptx_place(&e->p, met);
    gf_pv place = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, gf_sync;", gf_ptx_spell(place).text);
    place = gf_ptx_do(e, GF_OP_ADD, place, gf_ptx_do(e, GF_OP_MUL, a->parity, gf_ptx_u32(4)));
    gf_ptx_line(&e->p, "st.shared.u32 [%s+%d], %s;", gf_ptx_spell(place).text, GF_PTX_SYNC_BEFORE,
                gf_ptx_spell(now).text);
    store_sync(e, GF_PTX_SYNC_ROUND, gf_ptx_do(e, GF_OP_ADD, a->round, gf_ptx_u32(1)));
    store_sync(e, GF_PTX_SYNC_STOPS, gf_ptx_cast(&e->p, GF_TYPE_U32, stops));
}

/* Meanwhile another warp of block 0 looks whether the host wants an end; the next barrier will tell. Of a block of one
 * warp another thread does. */
static void look_at_stop(gf_ptx_emit *e, gf_pv tid, uint32_t after) {
    gf_pv has_warps = gf_ptx_do(e, GF_OP_GT, gf_ptx_special(e, "%ntid.x"), gf_ptx_u32(32)),
          block = gf_ptx_special(e, "%ctaid.x");
    gf_pv who = gf_ptx_op(&e->p, GF_OP_SELECT, GF_TYPE_U32, GF_TYPE_NONE, has_warps, gf_ptx_u32(32), gf_ptx_u32(1));
    gf_pv first = gf_ptx_do(e, GF_OP_NE, tid, who);
    gf_pv others = gf_ptx_do(e, GF_OP_OR, first, gf_ptx_do(e, GF_OP_NE, block, gf_ptx_u32(0)));
    gf_ptx_jump_if(&e->p, others, true, after);
    gf_pv state = gf_ptx_register(&e->p, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE));
    gf_pv word = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u32 %s, [%s+%d];", gf_ptx_spell(word).text, gf_ptx_spell(state).text,
                GF_PTX_STATE_STOP);
    store_sync(e, GF_PTX_SYNC_STOP, word);
}

/* Whether a thread of this block has ended, of kernels where any can: thread 0 asks when the block has met, and where
 * no thread votes or has ended it need not. */
static void note_ended(gf_ptx_emit *e, arrival *a, gf_pv any) {
    gf_pv stops = gf_ptx_new_value(&e->p, GF_TYPE_BOOL), ended = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_move(&e->p, stops, a->stops);
    gf_ptx_move(&e->p, ended, gf_ptx_u32(0));
    gf_pv asks = gf_ptx_register(&e->p, any);
    gf_ptx_line(&e->p, "@%s ld.shared.u32 %s, [gf_sync+%d];", gf_ptx_spell(asks).text, gf_ptx_spell(ended).text,
                GF_PTX_SYNC_ENDED);
    a->stops = gf_ptx_do(e, GF_OP_OR, stops, gf_ptx_do(e, GF_OP_NE, ended, gf_ptx_u32(0)));
}

gf_pv gf_ptx_grid_barrier(gf_ptx_walk *walk, const gf_pv *vote) {
    gf_ptx_emit *e = walk->e;
    uint32_t not_ended = gf_ptx_label(&e->p), others = gf_ptx_label(&e->p), waits = gf_ptx_label(&e->p),
             after = gf_ptx_label(&e->p), goes_on = gf_ptx_label(&e->p);
    walk->has_barrier = true;
    gf_ptx_line(&e->p, "// grid barrier%s", vote != NULL ? " with a vote" : "");
    gf_pv tid = gf_ptx_thread(e), is_first = gf_ptx_do(e, GF_OP_EQ, tid, gf_ptx_u32(0));
    gf_pv said = gf_ptx_new_value(&e->p, GF_TYPE_U32), mine = vote != NULL ? *vote : gf_ptx_constant(GF_TYPE_BOOL, 0);
    gf_ptx_move(&e->p, said, gf_ptx_u32(0));
    gf_ptx_jump_if(&e->p, e->ended, false, not_ended);
    store_sync(e, GF_PTX_SYNC_ENDED, gf_ptx_u32(1));
    gf_ptx_place(&e->p, not_ended);
    arrival a = prepare(e, is_first, others);
    gf_ptx_place(&e->p, others);
    gf_pv any = sync_any(e, gf_ptx_do(e, GF_OP_OR, mine, e->ended));
    gf_ptx_jump_if(&e->p, is_first, false, waits);
    a.votes = vote != NULL ? any : mine;
    note_ended(e, &a, any);
    thread_zero(e, &a, said);
    gf_ptx_jump(&e->p, after);
    gf_ptx_place(&e->p, waits);
    look_at_stop(e, tid, after);
    gf_ptx_place(&e->p, after);
    gf_pv yes = sync_any(e, gf_ptx_do(e, GF_OP_NE, said, gf_ptx_u32(0)));
    gf_ptx_jump_if(&e->p, yes, false, goes_on);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, load_sync(e, GF_PTX_SYNC_STOPS), gf_ptx_u32(0)), true, walk->on_stop);
    gf_ptx_place(&e->p, goes_on);
    return yes;
}
