/* Pieces of rows, shared by all warps of a grid. Where long rows stand together, as those of a graph's first vertices
 * often do, the warps and blocks that come to them would else be the last by far.
 *
 * At the end of a body the warp cuts what waits there into pieces, which it puts on a list in global memory. What the
 * list has no room for it does itself. The barrier that comes next carries a vote that there is a list, of the one who
 * began it; only then the grid goes through the list, each warp through as many pieces, and meets once more. There are
 * two counters, used in turn: while pieces are taken by the one, the other becomes 0. See rows.h. */
#include "emit/ptx/rows.h"
#include "ir/program.h"
#include "ir/visit.h"

#define WARP 32
#define PIECE 512     /* turns: four times what a warp has on its way at once */
#define LISTED_ROW 64 /* turns of a row from which it is put there */
#define LEAST 2 /* pieces of a warp for which it begins a list: one it goes through in less than the grid meets in */
#define OWN_WORDS 2 /* of an entry: where the piece begins, and its turns; values of the invocation follow */

struct gf_ptx_listed {
    const gf_segment *segment;
    gf_ptx_rows rows;
};

static const gf_pv none = {0};

static unsigned entry_bytes(const gf_ptx_rows *rows) {
    return (unsigned)(8 * (OWN_WORDS + rows->captured_count));
}

const struct gf_ptx_listed *gf_ptx_listed_rows(gf_ptx_emit *e, const gf_segment *segment) {
    const gf_ptx_row_list *list = e->row_list;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        const gf_ptx_rows *rows = &list->items[i];
        if (rows->is_left && rows->by_grid) {
            struct gf_ptx_listed *listed = gf_new(e->arena, struct gf_ptx_listed);
            *listed = (struct gf_ptx_listed){.segment = segment, .rows = *rows};
            e->list_bytes = entry_bytes(rows) > e->list_bytes ? entry_bytes(rows) : e->list_bytes;
            return listed;
        }
    }
    return NULL;
}

typedef struct arrays {
    const gf_symbol *seen[2];
    size_t count;
} arrays;

static bool look_at_array(void *user, const gf_expr *expr) {
    arrays *a = user;
    bool is_access = expr->kind == GF_EXPR_LOAD || expr->kind == GF_EXPR_ATOMIC;
    bool is_known =
        (a->count > 0 && a->seen[0] == expr->ref.symbol) || (a->count > 1 && a->seen[1] == expr->ref.symbol);
    if (is_access && !is_known) {
        a->seen[a->count < 2 ? a->count : 1] = expr->ref.symbol;
        a->count++;
    }
    return true;
}

bool gf_ptx_is_light(const struct gf_ptx_listed *listed) {
    arrays a = {0};
    gf_visit_block(&(gf_visitor){.user = &a, .expr = look_at_array, .into_calls = true}, listed->rows.stmt->body);
    return a.count <= 2;
}

/* ---- the list ---- */

/* Which of the two counters is in use: its offset from the first. Stages have one. */
static gf_pv which_list(gf_ptx_emit *e) {
    if (e->rows->by_stage) {
        return gf_ptx_u32(0);
    }
    gf_pv at = gf_ptx_sync_address(e, GF_PTX_SYNC_LIST, gf_ptx_u32(0), 4);
    return gf_ptx_get_shared(e, GF_TYPE_U32, at, 0);
}

static gf_pv counter(gf_ptx_emit *e, gf_pv which) {
    gf_pv offset = gf_ptx_to_u64(e, gf_ptx_do(e, GF_OP_ADD, which, gf_ptx_u32(GF_PTX_STATE_LISTS)));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE), offset));
}

static gf_pv room_of(gf_ptx_emit *e) {
    return gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_LIST + 1);
}

static gf_pv entry_at(gf_ptx_emit *e, gf_pv slot) {
    gf_pv offset = gf_ptx_do(e, GF_OP_MUL, gf_ptx_to_u64(e, slot), gf_ptx_u64(entry_bytes(e->rows)));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_LIST), offset));
}

/* ---- putting ---- */

/* So many places on the list for the warp; gives the first, u64. Who gets the very first says that there is a list. */
static gf_pv take_places(gf_ptx_emit *e, gf_pv lane, gf_pv places) {
    gf_ptx *p = &e->p;
    gf_pv first = gf_ptx_variable(e, gf_ptx_u64(0)), count = counter(e, which_list(e));
    gf_pv wide = gf_ptx_register(p, gf_ptx_to_u64(e, places));
    uint32_t others = gf_ptx_label(p);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_NE, lane, gf_ptx_u32(0)), true, others);
    gf_ptx_line(p, "atom.relaxed.gpu.global.add.u64 %s, [%s], %s", gf_ptx_spell(first).text, gf_ptx_spell(count).text,
                gf_ptx_spell(wide).text);
    if (!e->rows->by_stage) {
        gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_NE, first, gf_ptx_u64(0)), true, others);
        gf_pv said = gf_ptx_sync_address(e, GF_PTX_SYNC_LISTED, gf_ptx_u32(0), 4);
        gf_ptx_put_shared(e, said, 0, gf_ptx_register(p, gf_ptx_u32(GF_PTX_LISTED_VOTE)));
    }
    gf_ptx_place(p, others);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    return gf_ptx_from_lane(e, first, gf_ptx_register(p, gf_ptx_u32(0)));
}

/* What a lane has: so many turns, of which so many pieces go to places from `first` on. */
typedef struct share {
    gf_pv turns, first, pieces;
} share;

/* The rows of the lanes one after the other, their pieces side by side. */
static void put_pieces(gf_ptx_emit *e, gf_pv lane, share mine) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    gf_pv mask = gf_ptx_new_value(p, GF_TYPE_U32), k = gf_ptx_new_value(p, GF_TYPE_U32);
    gf_pv has_any = gf_ptx_register(p, gf_ptx_do(e, GF_OP_NE, mine.pieces, gf_ptx_u32(0)));
    uint32_t head = gf_ptx_label(p), each = gf_ptx_label(p), next = gf_ptx_label(p), done = gf_ptx_label(p);
    gf_ptx_line(p, "vote.sync.ballot.b32 %s, %s, 0xffffffff", gf_ptx_spell(mask).text, gf_ptx_spell(has_any).text);
    gf_ptx_place(p, head);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_EQ, mask, gf_ptx_u32(0)), true, done);
    gf_pv owner = gf_ptx_register(p, gf_ptx_op(p, GF_OP_CTZ, GF_TYPE_U32, GF_TYPE_NONE, mask, none, none));
    gf_pv from = gf_ptx_from_lane(e, rows->from, owner), captured[GF_PTX_MOST_CAPTURED];
    share its;
    its.turns = gf_ptx_from_lane(e, mine.turns, owner);
    its.first = gf_ptx_from_lane(e, mine.first, owner);
    its.pieces = gf_ptx_from_lane(e, mine.pieces, owner);
    for (size_t i = 0; i < rows->captured_count; i++) {
        captured[i] = gf_ptx_from_lane(e, rows->captured[i].own, owner);
    }
    gf_ptx_move(p, k, lane);
    gf_ptx_place(p, each);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_GE, k, its.pieces), true, next);
    gf_pv entry = entry_at(e, gf_ptx_do(e, GF_OP_ADD, its.first, k));
    gf_pv before = gf_ptx_do(e, GF_OP_MUL, k, gf_ptx_u32(PIECE));
    gf_ptx_put_row_word(e, entry, 0, gf_ptx_do(e, GF_OP_ADD, from, gf_ptx_cast(p, from.type, before)));
    gf_pv left = gf_ptx_do(e, GF_OP_SUB, its.turns, before);
    gf_ptx_put_row_word(e, entry, 1, gf_ptx_do(e, GF_OP_MIN, left, gf_ptx_u32(PIECE)));
    for (size_t i = 0; i < rows->captured_count; i++) {
        gf_ptx_put_row_word(e, entry, OWN_WORDS + i, captured[i]);
    }
    gf_ptx_move(p, k, gf_ptx_do(e, GF_OP_ADD, k, gf_ptx_u32(WARP)));
    gf_ptx_jump(p, each);
    gf_ptx_place(p, next);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    gf_ptx_move(p, mask, gf_ptx_do(e, GF_OP_AND, mask, gf_ptx_do(e, GF_OP_SUB, mask, gf_ptx_u32(1))));
    gf_ptx_jump(p, head);
    gf_ptx_place(p, done);
}

gf_pv gf_ptx_list_rows(gf_ptx_emit *e, gf_pv waits) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    gf_pv lane = gf_ptx_lane(e), still = gf_ptx_variable(e, waits);
    uint32_t few = gf_ptx_label(p);
    share mine;
    gf_pv turns = gf_ptx_to_u32(e, gf_ptx_row_turns(e, rows->from, rows->to));
    mine.turns = gf_ptx_register(p, gf_ptx_choose(e, waits, turns, gf_ptx_u32(0)));
    gf_pv pieces = gf_ptx_do(e, GF_OP_ADD, mine.turns, gf_ptx_u32(PIECE - 1));
    pieces = gf_ptx_do(e, GF_OP_DIV, pieces, gf_ptx_u32(PIECE));
    gf_pv is_long = gf_ptx_do(e, GF_OP_GE, mine.turns, gf_ptx_u32(LISTED_ROW));
    pieces = gf_ptx_register(p, gf_ptx_choose(e, is_long, pieces, gf_ptx_u32(0)));
    gf_pv sum = gf_ptx_scan_warp(e, lane, pieces);
    gf_pv all = gf_ptx_from_last_lane(e, sum);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, all, gf_ptx_u32(LEAST)), true, few);
    gf_pv wide = room_of(e), room = gf_ptx_to_u32(e, wide);
    gf_pv begin = gf_ptx_to_u32(e, gf_ptx_do(e, GF_OP_MIN, take_places(e, lane, all), wide));
    mine.first = gf_ptx_do(e, GF_OP_ADD, begin, gf_ptx_do(e, GF_OP_SUB, sum, pieces));
    mine.first = gf_ptx_register(p, gf_ptx_do(e, GF_OP_MIN, mine.first, room));
    mine.pieces = gf_ptx_do(e, GF_OP_MIN, pieces, gf_ptx_do(e, GF_OP_SUB, room, mine.first));
    mine.pieces = gf_ptx_register(p, mine.pieces);
    put_pieces(e, lane, mine);
    gf_pv listed = gf_ptx_do(e, GF_OP_MUL, mine.pieces, gf_ptx_u32(PIECE));
    gf_ptx_move(p, still, gf_ptx_do(e, GF_OP_LT, listed, mine.turns));
    gf_ptx_move(p, rows->from, gf_ptx_do(e, GF_OP_ADD, rows->from, gf_ptx_cast(p, rows->from.type, listed)));
    gf_ptx_place(p, few);
    return still;
}

/* ---- taking ---- */

/* Warps of different blocks take what lies side by side, so that few pieces go to all multiprocessors. */
static void take_pieces(gf_ptx_emit *e, gf_pv count) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    gf_pv blocks = gf_ptx_blocks(e), block = gf_ptx_block(e), lane = gf_ptx_lane(e);
    gf_pv warp = gf_ptx_do(e, GF_OP_SHR, gf_ptx_thread(e), gf_ptx_u32(5));
    gf_pv warps = gf_ptx_do(e, GF_OP_SHR, gf_ptx_threads(e), gf_ptx_u32(5));
    gf_pv q = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_MUL, warp, blocks), block));
    uint32_t head = gf_ptx_label(p), done = gf_ptx_label(p), on_end = e->on_end;
    gf_ptx_place(p, head);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_GE, q, count), true, done);
    gf_pv entry = entry_at(e, q);
    gf_pv from = gf_ptx_row_word(e, entry, 0, rows->from);
    gf_pv turns = gf_ptx_row_word(e, entry, 1, gf_ptx_new_value(p, GF_TYPE_U32));
    for (size_t i = 0; i < rows->captured_count; i++) { /* names are those of the list alone, see gf_ptx_serve_listed */
        const gf_ptx_captured *captured = &rows->captured[i];
        gf_pv value = gf_ptx_row_word(e, entry, OWN_WORDS + i, captured->own);
        *gf_ptx_name_of(e, captured->symbol) = (gf_ptx_named){.is_set = true, .value = value};
    }
    e->on_end = gf_ptx_label(p); /* of a thread that was told to stop inside a turn */
    gf_ptx_share_turns(e, from, turns, lane, gf_ptx_u32(WARP));
    gf_ptx_arrive(e, e->on_end);
    e->on_end = on_end;
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    gf_ptx_move(p, q, gf_ptx_do(e, GF_OP_ADD, q, gf_ptx_do(e, GF_OP_MUL, warps, blocks)));
    gf_ptx_jump(p, head);
    gf_ptx_place(p, done);
}

/* The other list is the next, once nobody of the block looks which it is, and nobody has begun it. */
static void turn_list(gf_ptx_emit *e, gf_pv which) {
    gf_ptx *p = &e->p;
    uint32_t others = gf_ptx_label(p);
    gf_ptx_sync(e);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    gf_pv at = gf_ptx_sync_address(e, GF_PTX_SYNC_LIST, gf_ptx_u32(0), 4);
    gf_ptx_put_shared(e, at, 0, gf_ptx_register(p, gf_ptx_do(e, GF_OP_SUB, gf_ptx_u32(GF_PTX_LINE), which)));
    gf_pv begun = gf_ptx_sync_address(e, GF_PTX_SYNC_LISTED, gf_ptx_u32(0), 4);
    gf_ptx_put_shared(e, begun, 0, gf_ptx_register(p, gf_ptx_u32(0)));
    gf_ptx_place(p, others);
}

void gf_ptx_serve_listed(gf_ptx_walk *walk, const struct gf_ptx_listed *listed) {
    gf_ptx_emit *e = walk->e;
    gf_ptx *p = &e->p;
    gf_ptx_rows rows = listed->rows;
    gf_ptx_scope scope = gf_ptx_enter(walk, listed->segment); /* whose values are those of the list from here on */
    gf_ptx_line(p, "// pieces of rows");
    e->segment = listed->segment;
    e->rows = &rows;
    gf_pv which = which_list(e);
    gf_pv other = counter(e, gf_ptx_do(e, GF_OP_SUB, gf_ptx_u32(GF_PTX_LINE), which));
    gf_pv count = gf_ptx_get_global(e, GF_TYPE_U64, counter(e, which));
    gf_pv tid = gf_ptx_thread(e), who = gf_ptx_do(e, GF_OP_OR, tid, gf_ptx_block(e));
    gf_ptx_put_global(e, gf_ptx_do(e, GF_OP_EQ, who, gf_ptx_u32(0)), other, gf_ptx_u64(0));
    take_pieces(e, gf_ptx_to_u32(e, gf_ptx_do(e, GF_OP_MIN, count, room_of(e))));
    turn_list(e, which);
    e->rows = NULL;
    e->segment = NULL;
    gf_ptx_leave(e, scope);
}

/* Who is the last to be through with the list empties it, and says that there was one. */
static void empty_list(gf_ptx_emit *e, gf_pv count) {
    gf_ptx *p = &e->p;
    gf_pv before = gf_ptx_new_value(p, GF_TYPE_U32), last = gf_ptx_do(e, GF_OP_SUB, gf_ptx_blocks(e), gf_ptx_u32(1));
    gf_pv state = gf_ptx_register(p, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE));
    uint32_t others = gf_ptx_label(p);
    gf_ptx_sync(e);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    gf_ptx_line(p, "atom.acq_rel.gpu.global.add.u32 %s, [%s+%d], 1", gf_ptx_spell(before).text,
                gf_ptx_spell(state).text, GF_PTX_STATE_SERVED);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_NE, before, last), true, others);
    gf_ptx_line(p, "st.global.u64 [%s], 0", gf_ptx_spell(count).text);
    gf_ptx_line(p, "st.global.u32 [%s+%d], 0", gf_ptx_spell(state).text, GF_PTX_STATE_SERVED);
    gf_ptx_line(p, "st.global.u32 [%s+%d], 1", gf_ptx_spell(state).text, GF_PTX_STATE_LISTED);
    gf_ptx_place(p, others);
}

void gf_ptx_serve_stage(gf_ptx_walk *walk, const struct gf_ptx_listed *listed, uint32_t out) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_rows rows = listed->rows;
    gf_ptx_scope scope = gf_ptx_enter(walk, listed->segment);
    gf_ptx_line(&e->p, "// pieces of rows of segment %u", (unsigned)listed->segment->index);
    e->segment = listed->segment;
    e->rows = &rows;
    gf_pv at = counter(e, gf_ptx_u32(0)), count = gf_ptx_get_global(e, GF_TYPE_U64, at);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_EQ, count, gf_ptx_u64(0)), true, out);
    take_pieces(e, gf_ptx_to_u32(e, gf_ptx_do(e, GF_OP_MIN, count, room_of(e))));
    empty_list(e, at);
    e->rows = NULL;
    e->segment = NULL;
    gf_ptx_leave(e, scope);
}
