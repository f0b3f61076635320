/* What tiles of prefix sums tell each other. A tile's word, or two words of 64-bit sums: a half of the sum above; below
 * the number of the round, and 1 for the tile's own sum, 2 for the sum of all up to it. A word is written whole and
 * carries all that its reader wants, so that no order among accesses is asked for: relaxed ones do.
 *
 * Nobody needs to know that all blocks are there at once. Numbers of tiles are handed out by a counter to blocks that
 * run, in the order in which tiles are waited for, and a block with several goes through them in that order too; the
 * first tile that is not done is therefore the present one of a block at work, which waits for nobody. A block may come
 * back to a tile's successors as late as it likes, since words are not used again in a round. The kernel of the whole
 * plan is launched so that all its blocks are there, and they take turns.
 *
 * Words are zeros when a kernel's first round begins, and numbers of rounds differ within a kernel, as a number of 30
 * bits: what an earlier round has left says nothing. Between two rounds of the same sums stands a grid barrier. */
#include "emit/ptx/scan.h"

#define FIRST_WORD GF_PTX_LINE /* in front of it stands the counter of tiles, on a line of its own */

gf_pv gf_ptx_tile_words(gf_ptx_emit *e, uint32_t buffer) {
    return gf_ptx_register(&e->p, gf_ptx_arg(e, GF_TYPE_U64, gf_ptx_arg_of_buffer(e->plan, buffer)));
}

static void clear_one(gf_ptx_emit *e, gf_pv i, void *context) {
    const gf_pv *words = context;
    gf_pv at = gf_ptx_do(e, GF_OP_ADD, *words, gf_ptx_do(e, GF_OP_MUL, i, gf_ptx_u64(8)));
    at = gf_ptx_register(&e->p, at);
    gf_pv zero = gf_ptx_register(&e->p, gf_ptx_u64(0));
    gf_ptx_line(&e->p, "st.global.u64 [%s], %s;", gf_ptx_spell(at).text, gf_ptx_spell(zero).text);
}

void gf_ptx_clear_words(gf_ptx_emit *e, uint32_t buffer) {
    gf_pv words = gf_ptx_tile_words(e, buffer);
    gf_ptx_emit_each(e, gf_ptx_arg(e, GF_TYPE_U64, gf_ptx_arg_of_buffer(e->plan, buffer) + 1), clear_one, &words);
}

gf_pv gf_ptx_take_ticket(gf_ptx_emit *e, const gf_ptx_tile *s) {
    gf_pv ticket = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "atom.relaxed.gpu.global.add.u32 %s, [%s], 1;", gf_ptx_spell(ticket).text,
                gf_ptx_spell(s->words).text);
    return ticket;
}

/* Of the first half of a tile's sum; the second comes behind it. */
static gf_pv word_address(gf_ptx_emit *e, const gf_ptx_tile *s, gf_pv tile) {
    gf_pv at = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, tile), gf_ptx_u64(gf_type_bytes(s->type) * 2));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, s->words, at));
}

gf_pv gf_ptx_half_of(gf_ptx_emit *e, gf_pv sum, unsigned half) {
    if (half == 1) {
        sum = gf_ptx_do(e, GF_OP_SHR, sum, gf_ptx_u32(32));
    }
    return gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_cast(&e->p, GF_TYPE_U32, sum));
}

/* Different for each round, and of none 0, which is what stands there before the first. */
static gf_pv tag_of(gf_ptx_emit *e, gf_pv round) {
    return gf_ptx_do(e, GF_OP_SHL, gf_ptx_do(e, GF_OP_ADD, round, gf_ptx_u32(1)), gf_ptx_u32(2));
}

/* By one thread. */
static void tell(gf_ptx_emit *e, const gf_ptx_tile *s, gf_pv sum, gf_pv kind) {
    gf_pv low = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_do(e, GF_OP_OR, tag_of(e, s->round), kind));
    gf_pv at = word_address(e, s, s->tile);
    for (unsigned half = 0; half < gf_type_bytes(s->type) / 4; half++) {
        gf_pv word = gf_ptx_do(e, GF_OP_OR, gf_ptx_do(e, GF_OP_SHL, gf_ptx_half_of(e, sum, half), gf_ptx_u32(32)), low);
        word = gf_ptx_register(&e->p, word);
        gf_ptx_line(&e->p, "st.relaxed.gpu.global.u64 [%s+%u], %s;", gf_ptx_spell(at).text, FIRST_WORD + 8 * half,
                    gf_ptx_spell(word).text);
    }
}

static gf_pv vote(gf_ptx_emit *e, gf_pv mine) {
    gf_pv mask = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    mine = gf_ptx_register(&e->p, mine);
    gf_ptx_line(&e->p, "vote.sync.ballot.b32 %s, %s, 0xffffffff;", gf_ptx_spell(mask).text, gf_ptx_spell(mine).text);
    return mask;
}

/* A word of the tile that is `away` tiles before, until it is of its round: sum and kind. */
typedef struct told {
    gf_pv sum, kind, is_there;
} told;

static told look(gf_ptx_emit *e, const gf_ptx_tile *s, gf_pv at, gf_pv tag) {
    unsigned halves = (unsigned)gf_type_bytes(s->type) / 4;
    gf_pv word[2], low = {0}, sum = {0};
    told got = {0};
    for (unsigned half = 0; half < halves; half++) {
        word[half] = gf_ptx_new_value(&e->p, GF_TYPE_U64);
        gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u64 %s, [%s+%u];", gf_ptx_spell(word[half]).text,
                    gf_ptx_spell(at).text, FIRST_WORD + 8 * half);
    }
    for (unsigned half = 0; half < halves; half++) {
        gf_pv below = gf_ptx_cast(&e->p, GF_TYPE_U32, word[half]);
        gf_pv above = gf_ptx_do(e, GF_OP_SHR, word[half], gf_ptx_u32(32));
        if (half == 0) {
            low = below;
            got.kind = gf_ptx_do(e, GF_OP_SUB, below, tag);
            got.is_there = gf_ptx_do(e, GF_OP_LE, gf_ptx_do(e, GF_OP_SUB, got.kind, gf_ptx_u32(1)), gf_ptx_u32(1));
            sum = above;
        } else {
            got.is_there = gf_ptx_both(e, got.is_there, gf_ptx_do(e, GF_OP_EQ, below, low));
            sum = gf_ptx_do(e, GF_OP_OR, sum, gf_ptx_do(e, GF_OP_SHL, above, gf_ptx_u32(32)));
        }
    }
    got.sum = gf_ptx_cast(&e->p, s->type, sum);
    return got;
}

/* By the first warp: the sum of all tiles before. Lane by lane one tile further back. */
static gf_pv look_back(gf_ptx_emit *e, const gf_ptx_tile *s) {
    gf_pv sum = gf_ptx_variable(e, gf_ptx_constant(s->type, 0)), one = gf_ptx_u32(1);
    gf_pv away = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_ADD, s->lane, one));
    gf_pv tag = gf_ptx_register(&e->p, tag_of(e, s->round));
    uint32_t further = gf_ptx_label(&e->p), spin = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, further);
    gf_pv exists = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_LE, away, s->tile));
    gf_pv tile = gf_ptx_choose(e, exists, gf_ptx_do(e, GF_OP_SUB, s->tile, away), gf_ptx_u32(0));
    gf_pv at = word_address(e, s, tile);
    gf_ptx_place(&e->p, spin);
    told got = look(e, s, at, tag);
    gf_pv there = vote(e, gf_ptx_both(e, exists, got.is_there));
    gf_pv whole = gf_ptx_do(e, GF_OP_EQ, got.kind, gf_ptx_u32(2));
    whole = vote(e, gf_ptx_both(e, gf_ptx_both(e, exists, got.is_there), whole));
    /* Those up to the nearest that knows all before it: all bits where nobody does. */
    gf_pv wanted = gf_ptx_do(e, GF_OP_XOR, gf_ptx_do(e, GF_OP_SUB, whole, one), whole);
    gf_pv all = vote(e, exists);
    wanted = gf_ptx_do(e, GF_OP_AND, wanted, all);
    gf_pv missing = gf_ptx_do(e, GF_OP_NE, gf_ptx_do(e, GF_OP_AND, wanted, there), wanted);
    gf_ptx_jump_if(&e->p, missing, true, spin);
    gf_pv mine = gf_ptx_do(e, GF_OP_AND, gf_ptx_do(e, GF_OP_SHR, wanted, s->lane), one);
    gf_pv part = gf_ptx_choose(e, gf_ptx_do(e, GF_OP_NE, mine, gf_ptx_u32(0)), got.sum, gf_ptx_constant(s->type, 0));
    gf_ptx_move(&e->p, sum,
                gf_ptx_do(e, GF_OP_ADD, sum, gf_ptx_fold_warp(e, GF_COMBINE_ADD, gf_ptx_register(&e->p, part))));
    gf_ptx_move(&e->p, away, gf_ptx_do(e, GF_OP_ADD, away, gf_ptx_u32(32)));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_EQ, whole, gf_ptx_u32(0)), true, further);
    return sum;
}

/* By the last thread, while the first warp looks back: the block is busy until then, and who is given a number should
 * begin with it soon, since others will wait for it. */
static void take_next(gf_ptx_emit *e, const gf_ptx_tile *s) {
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, s->takes, false, others);
    gf_pv place = gf_ptx_sync_address(e, GF_PTX_SYNC_TICKET, gf_ptx_u32(0), 4);
    gf_ptx_put_shared(e, place, 0, gf_ptx_take_ticket(e, s));
    gf_ptx_place(&e->p, others);
}

/* What lies before the tile, of which `total` is the sum; all threads get it. */
gf_pv gf_ptx_exchange(gf_ptx_emit *e, const gf_ptx_tile *s, gf_pv total) {
    uint32_t others = gf_ptx_label(&e->p), told_label = gf_ptx_label(&e->p), known = gf_ptx_label(&e->p),
             not_first = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_pv zero = gf_ptx_u32(0), before = gf_ptx_variable(e, gf_ptx_constant(s->type, 0));
    gf_pv is_first = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_EQ, s->tile, zero));
    gf_pv kind = gf_ptx_choose(e, is_first, gf_ptx_u32(2), gf_ptx_u32(1));
    gf_pv place = gf_ptx_sync_address(e, GF_PTX_SYNC_VALUE, zero, 8);
    total = gf_ptx_register(&e->p, total);
    take_next(e, s);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, s->warp, zero), true, others);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, s->lane, zero), true, told_label);
    tell(e, s, total, kind);
    gf_ptx_place(&e->p, told_label);
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    gf_ptx_jump_if(&e->p, is_first, true, known);
    gf_ptx_move(&e->p, before, look_back(e, s));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, s->lane, zero), true, not_first);
    tell(e, s, gf_ptx_do(e, GF_OP_ADD, before, total), gf_ptx_u32(2));
    gf_ptx_place(&e->p, not_first);
    gf_ptx_place(&e->p, known);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, s->lane, zero), true, done);
    gf_ptx_put_shared(e, place, 0, before);
    gf_ptx_place(&e->p, done);
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
    return gf_ptx_get_shared(e, s->type, place, 0);
}
