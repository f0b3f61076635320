/* Pieces of rows between kernels, where the grid does not meet: a queue. Who has put pieces there takes some, once its
 * block is through with its invocations, until there are none; a block that has put none does not look.
 *
 * One word says how many places were given and how many taken. Who takes a place that was given has the piece there,
 * for which it waits if it must: its owner is at work, and waits for nobody. Who takes places that were not given yet
 * has passed over them and goes; the next piece is put behind them. So each piece is taken by one warp, the last ones
 * by whoever put them, and nobody depends on a block that may not have begun. See rows_grid.c. */
#include "emit/ptx/rows.h"

#define BUNCH 4 /* places that a warp takes at once: all of them at one word would hold each other up */

gf_pv gf_ptx_rows_queue(gf_ptx_emit *e, gf_pv number) {
    gf_pv offset = gf_ptx_do(e, GF_OP_MUL, number, gf_ptx_u32(GF_PTX_LINE));
    offset = gf_ptx_to_u64(e, gf_ptx_do(e, GF_OP_ADD, offset, gf_ptx_u32(GF_PTX_STATE_LISTS)));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE), offset));
}

static gf_pv look_at(gf_ptx_emit *e, gf_pv queue) {
    gf_pv word = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_ptx_line(&e->p, "ld.relaxed.gpu.global.u64 %s, [%s]", gf_ptx_spell(word).text, gf_ptx_spell(queue).text);
    return word;
}

static gf_pv given_of(gf_ptx_emit *e, gf_pv word) {
    return gf_ptx_do(e, GF_OP_SHR, word, gf_ptx_u32(32));
}

static gf_pv taken_of(gf_ptx_emit *e, gf_pv word) {
    return gf_ptx_do(e, GF_OP_AND, word, gf_ptx_u64(UINT32_MAX));
}

/* By lane 0: the word with more places given, behind all that were passed over. */
gf_pv gf_ptx_queue_places(gf_ptx_emit *e, gf_pv lane, gf_pv places) {
    gf_ptx *p = &e->p;
    gf_pv first = gf_ptx_variable(e, gf_ptx_u64(0)), queue = gf_ptx_rows_queue(e, e->list_number);
    gf_pv room = gf_ptx_list_room(e), more = gf_ptx_to_u64(e, places), got = gf_ptx_new_value(p, GF_TYPE_U64);
    uint32_t again = gf_ptx_label(p), others = gf_ptx_label(p);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_NE, lane, gf_ptx_u32(0)), true, others);
    gf_pv word = gf_ptx_variable(e, look_at(e, queue));
    gf_ptx_place(p, again);
    gf_pv taken = taken_of(e, word);
    gf_ptx_move(p, first, gf_ptx_do(e, GF_OP_MAX, given_of(e, word), taken));
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_GE, first, room), true, others);
    gf_pv next = gf_ptx_do(e, GF_OP_SHL, gf_ptx_do(e, GF_OP_ADD, first, more), gf_ptx_u32(32));
    next = gf_ptx_register(p, gf_ptx_do(e, GF_OP_OR, next, taken));
    gf_ptx_line(p, "atom.relaxed.gpu.global.cas.b64 %s, [%s], %s, %s", gf_ptx_spell(got).text, gf_ptx_spell(queue).text,
                gf_ptx_spell(word).text, gf_ptx_spell(next).text);
    gf_pv failed = gf_ptx_do(e, GF_OP_NE, got, word);
    gf_ptx_move(p, word, got);
    gf_ptx_jump_if(p, failed, true, again);
    gf_pv said = gf_ptx_sync_address(e, GF_PTX_SYNC_LISTED, gf_ptx_u32(0), 4);
    gf_ptx_put_shared(e, said, 0, gf_ptx_register(p, gf_ptx_u32(1)));
    gf_ptx_place(p, others);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    return gf_ptx_from_lane(e, first, gf_ptx_register(p, gf_ptx_u32(0)));
}

/* The word as it was when the warp took places; as it is, where there are none to be taken. */
static gf_pv take_bunch(gf_ptx_emit *e, gf_pv lane, gf_pv queue) {
    gf_ptx *p = &e->p;
    gf_pv word = gf_ptx_variable(e, gf_ptx_u64(0)), bunch = gf_ptx_register(p, gf_ptx_u64(BUNCH));
    uint32_t others = gf_ptx_label(p);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_NE, lane, gf_ptx_u32(0)), true, others);
    gf_ptx_move(p, word, look_at(e, queue));
    gf_pv given = given_of(e, word);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_GE, taken_of(e, word), given), true, others);
    gf_ptx_line(p, "atom.relaxed.gpu.global.add.u64 %s, [%s], %s", gf_ptx_spell(word).text, gf_ptx_spell(queue).text,
                gf_ptx_spell(bunch).text);
    gf_ptx_place(p, others);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    return gf_ptx_from_lane(e, word, gf_ptx_register(p, gf_ptx_u32(0)));
}

/* Once it is there; the place is then as it was before. */
static void serve_place(gf_ptx_emit *e, gf_pv lane, gf_pv place) {
    gf_ptx *p = &e->p;
    gf_pv entry = gf_ptx_piece_at(e, place), turns = gf_ptx_new_value(p, GF_TYPE_U32);
    uint32_t waits = gf_ptx_label(p), others = gf_ptx_label(p);
    gf_ptx_place(p, waits);
    gf_ptx_line(p, "ld.acquire.gpu.global.u32 %s, [%s+8]", gf_ptx_spell(turns).text, gf_ptx_spell(entry).text);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_EQ, turns, gf_ptx_u32(0)), true, waits);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_NE, lane, gf_ptx_u32(0)), true, others);
    gf_ptx_line(p, "st.relaxed.gpu.global.u32 [%s+8], 0", gf_ptx_spell(entry).text);
    gf_ptx_place(p, others);
    gf_ptx_serve_piece(e, entry, turns);
}

static void serve(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    gf_pv lane = gf_ptx_lane(e), queue = gf_ptx_rows_queue(e, e->list_number), room = gf_ptx_list_room(e);
    gf_pv place = gf_ptx_new_value(p, GF_TYPE_U32), end = gf_ptx_new_value(p, GF_TYPE_U32);
    uint32_t head = gf_ptx_label(p), each = gf_ptx_label(p), done = gf_ptx_label(p);
    gf_ptx_place(p, head);
    gf_pv word = take_bunch(e, lane, queue), taken = taken_of(e, word);
    gf_pv given = gf_ptx_do(e, GF_OP_MIN, given_of(e, word), room);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_GE, taken, given), true, done);
    gf_ptx_move(p, place, gf_ptx_to_u32(e, taken));
    gf_pv last = gf_ptx_do(e, GF_OP_MIN, gf_ptx_do(e, GF_OP_ADD, taken, gf_ptx_u64(BUNCH)), given);
    gf_ptx_move(p, end, gf_ptx_to_u32(e, last));
    gf_ptx_place(p, each);
    serve_place(e, lane, place);
    gf_ptx_move(p, place, gf_ptx_do(e, GF_OP_ADD, place, gf_ptx_u32(1)));
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, place, end), true, each);
    gf_ptx_jump(p, head);
    gf_ptx_place(p, done);
}

void gf_ptx_serve_queue(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    uint32_t none = gf_ptx_label(p);
    gf_ptx_sync(e);
    gf_pv said = gf_ptx_sync_address(e, GF_PTX_SYNC_LISTED, gf_ptx_u32(0), 4);
    said = gf_ptx_get_shared(e, GF_TYPE_U32, said, 0);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_EQ, said, gf_ptx_u32(0)), true, none);
    serve(e);
    gf_ptx_place(p, none);
}
