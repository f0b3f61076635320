/* The rows of a warp's lanes as one: turn t of all of them is that of the first lane whose rows, with those of the
 * lanes before, have more than t turns. Each lane finds it for itself, for several turns at once, by halving; where
 * rows are of some ten turns, going through them one after the other would leave most lanes idle and wait for memory
 * once for each row. As the warps' part of D. Merrill, M. Garland, A. Grimshaw: Scalable GPU graph traversal (2012). */
#include "emit/ptx/grid.h"
#include "emit/ptx/rows.h"

#define WARP 32
#define MOST_TURNS (UINT32_C(1) << 25) /* of a lane at once, so that their sum is one of 32 bits */
#define LEAST_LISTED 1024              /* turns of a warp from which it looks whether the grid should take them */

typedef struct flat {
    gf_pv lane, turns, sum, total; /* u32; sum: of the lanes up to this one */
    gf_pv from;                    /* where turn 0 of all would be, if all were of this lane's row */
} flat;

static void count_turns(gf_ptx_emit *e, flat *f, gf_pv still) {
    gf_ptx *p = &e->p;
    gf_pv turns = gf_ptx_row_turns(e, e->rows->from, e->rows->to);
    turns = gf_ptx_do(e, GF_OP_MIN, turns, gf_ptx_constant(turns.type, MOST_TURNS));
    gf_ptx_move(p, f->turns, gf_ptx_choose(e, still, gf_ptx_to_u32(e, turns), gf_ptx_u32(0)));
    gf_ptx_move(p, f->sum, gf_ptx_scan_warp(e, f->lane, f->turns));
    gf_ptx_move(p, f->total, gf_ptx_from_last_lane(e, f->sum));
}

/* The lane that turn `at` belongs to. */
static gf_pv owner_of(gf_ptx_emit *e, const flat *f, gf_pv at) {
    gf_pv owner = gf_ptx_u32(0);
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        gf_pv there = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, owner, gf_ptx_u32(step - 1)));
        gf_pv is_behind = gf_ptx_do(e, GF_OP_LE, gf_ptx_from_lane(e, f->sum, there), at);
        gf_pv next = gf_ptx_do(e, GF_OP_ADD, owner, gf_ptx_u32(step));
        owner = gf_ptx_register(&e->p, gf_ptx_choose(e, is_behind, next, owner));
    }
    return owner;
}

static void go_through(gf_ptx_emit *e, const flat *f) {
    gf_ptx *p = &e->p;
    const gf_ptx_rows *rows = e->rows;
    gf_pv base = gf_ptx_variable(e, gf_ptx_u32(0));
    gf_pv last = gf_ptx_register(p, gf_ptx_do(e, GF_OP_SUB, f->total, gf_ptx_u32(1)));
    uint32_t head = gf_ptx_label(p), on_end = e->on_end;
    gf_ptx_place(p, head);
    gf_ptx_together t = {.turns = GF_PTX_TOGETHER, .has_owners = true};
    for (unsigned turn = 0; turn < GF_PTX_TOGETHER; turn++) {
        gf_pv at = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_ADD, base, f->lane), gf_ptx_u32((uint64_t)turn * WARP));
        at = gf_ptx_register(p, at);
        t.is_there[turn] = gf_ptx_register(p, gf_ptx_do(e, GF_OP_LE, at, last));
        at = gf_ptx_register(p, gf_ptx_do(e, GF_OP_MIN, at, last));
        gf_pv owner = owner_of(e, f, at), from = gf_ptx_from_lane(e, f->from, owner);
        t.here[turn] = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_ADD, from, gf_ptx_cast(p, from.type, at)));
        for (size_t i = 0; i < rows->captured_count; i++) {
            t.captured[turn][i] = gf_ptx_from_lane(e, rows->captured[i].own, owner);
        }
    }
    e->on_end = gf_ptx_label(p); /* of a thread that was told to stop inside a turn */
    gf_ptx_emit_together(e, &t, rows->stmt->body);
    gf_ptx_arrive(e, e->on_end);
    e->on_end = on_end;
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    gf_ptx_move(p, base, gf_ptx_do(e, GF_OP_ADD, base, gf_ptx_u32(UINT64_C(1) * GF_PTX_TOGETHER * WARP)));
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LE, base, last), true, head);
}

void gf_ptx_share_flat(gf_ptx_emit *e, gf_pv waits) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    gf_pv still = gf_ptx_variable(e, waits), zero = gf_ptx_u32(0), any = gf_ptx_new_value(p, GF_TYPE_BOOL);
    flat f = {.lane = gf_ptx_lane(e), .turns = gf_ptx_variable(e, zero)};
    f.sum = gf_ptx_variable(e, zero);
    f.total = gf_ptx_variable(e, zero);
    uint32_t again = gf_ptx_label(p), few = gf_ptx_label(p), done = gf_ptx_label(p);
    gf_ptx_place(p, again);
    count_turns(e, &f, still);
    if (rows->by_grid) {
        gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, f.total, gf_ptx_u32(LEAST_LISTED)), true, few);
        gf_ptx_move(p, still, gf_ptx_list_rows(e, still));
        count_turns(e, &f, still);
        gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_EQ, f.total, zero), true, done);
        gf_ptx_place(p, few);
    }
    gf_pv before = gf_ptx_do(e, GF_OP_SUB, f.sum, f.turns);
    f.from = gf_ptx_do(e, GF_OP_SUB, rows->from, gf_ptx_cast(p, rows->from.type, before));
    f.from = gf_ptx_register(p, f.from);
    go_through(e, &f);
    gf_ptx_move(p, rows->from, gf_ptx_do(e, GF_OP_ADD, rows->from, gf_ptx_cast(p, rows->from.type, f.turns)));
    gf_ptx_move(p, still, gf_ptx_both(e, still, gf_ptx_do(e, GF_OP_LT, rows->from, rows->to)));
    gf_ptx_line(p, "vote.sync.any.pred %s, %s, 0xffffffff", gf_ptx_spell(any).text, gf_ptx_spell(still).text);
    gf_ptx_jump_if(p, any, true, again);
    gf_ptx_place(p, done);
}
