/* Rows that were left, gone through by a warp or a block. See rows.h. */
#include "emit/ptx/grid.h"
#include "emit/ptx/rows.h"
#include <string.h>

#define WARP 32

static const gf_pv none = {0};

/* ---- serving ---- */

/* Symbols that stand for something else for a while. */
typedef struct binding {
    gf_ptx_named kept[GF_PTX_MOST_CAPTURED + GF_PTX_MOST_SUMS + 1];
    size_t count;
} binding;

static void rebind(gf_ptx_emit *e, binding *b, const gf_symbol *symbol, gf_pv value) {
    gf_ptx_named *name = gf_ptx_name_of(e, symbol);
    b->kept[b->count++] = *name;
    *name = (gf_ptx_named){.is_set = true, .value = value};
}

static void bind_back(gf_ptx_emit *e, const binding *b, const gf_ptx_rows *rows, bool has_sums) {
    size_t at = 0;
    for (size_t i = 0; i < rows->captured_count; i++) {
        *gf_ptx_name_of(e, rows->captured[i].symbol) = b->kept[at++];
    }
    for (size_t i = 0; has_sums && i < rows->sum_count; i++) {
        *gf_ptx_name_of(e, rows->sums[i]) = b->kept[at++];
    }
    *gf_ptx_name_of(e, rows->stmt->target.symbol) = b->kept[at];
}

static gf_combine combine_of(gf_op op) {
    return op == GF_OP_AND ? GF_COMBINE_AND : op == GF_OP_OR ? GF_COMBINE_OR : GF_COMBINE_ADD;
}

gf_pv gf_ptx_lane(gf_ptx_emit *e) {
    gf_pv lane = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, %%laneid", gf_ptx_spell(lane).text);
    return lane;
}

/* Each lane adds up its turns, the lanes what they have, and the owner that to what it had. */
static void serve_free(gf_ptx_emit *e, gf_pv from, gf_pv turns, gf_pv lane, gf_pv owner, binding *b) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    gf_pv parts[GF_PTX_MOST_SUMS];
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_type type = rows->sums[i]->type;
        parts[i] = gf_ptx_new_value(p, type);
        gf_pv zero = rows->sum_ops[i] == GF_OP_AND ? gf_ptx_constant(type, UINT64_MAX) : gf_ptx_constant(type, 0);
        gf_ptx_move(p, parts[i], zero);
        rebind(e, b, rows->sums[i], parts[i]);
    }
    b->kept[b->count] = *gf_ptx_name_of(e, rows->stmt->target.symbol);
    gf_ptx_share_turns(e, from, turns, lane, gf_ptx_u32(WARP));
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    gf_pv is_owner = gf_ptx_do(e, GF_OP_EQ, lane, owner);
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_pv all = gf_ptx_new_value(p, parts[i].type);
        gf_ptx_move(p, all, parts[i]);
        for (unsigned by = WARP / 2; by > 0; by /= 2) {
            gf_pv other = gf_ptx_from_lane(e, all, gf_ptx_do(e, GF_OP_XOR, lane, gf_ptx_u32(by)));
            gf_ptx_move(p, all,
                        rows->sum_ops[i] == GF_OP_XOR
                            ? gf_ptx_do(e, GF_OP_XOR, all, other)
                            : gf_ptx_combine(p, combine_of(rows->sum_ops[i]), all.type, all, other));
        }
        gf_pv own = rows->own_sums[i];
        gf_ptx_move(p, own, gf_ptx_choose(e, is_owner, gf_ptx_do(e, rows->sum_ops[i], own, all), own));
    }
}

/* 32 addends at once, and then one after the other into the owner's sum, which all lanes follow. */
static void serve_in_order(gf_ptx_emit *e, gf_pv from, gf_pv turns, gf_pv lane, gf_pv owner, binding *b) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    const gf_block *body = rows->stmt->body;
    gf_type type = rows->stmt->target.symbol->type;
    gf_pv sums[GF_PTX_MOST_SUMS], addends[GF_PTX_MOST_SUMS];
    b->kept[b->count] = *gf_ptx_name_of(e, rows->stmt->target.symbol);
    for (size_t i = 0; i < rows->sum_count; i++) {
        sums[i] = gf_ptx_new_value(p, rows->sums[i]->type);
        addends[i] = gf_ptx_new_value(p, rows->sums[i]->type);
        gf_ptx_move(p, sums[i], gf_ptx_from_lane(e, rows->own_sums[i], owner));
    }
    gf_pv base = gf_ptx_new_value(p, GF_TYPE_U32), left = gf_ptx_cast(p, GF_TYPE_U32, turns);
    gf_pv here = gf_ptx_new_value(p, type), many = gf_ptx_new_value(p, GF_TYPE_U32);
    uint32_t head = gf_ptx_label(p), past = gf_ptx_label(p), few = gf_ptx_label(p), next = gf_ptx_label(p);
    gf_ptx_move(p, base, gf_ptx_u32(0));
    gf_ptx_place(p, head);
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_ptx_move(p, addends[i], gf_ptx_constant(addends[i].type, 0));
    }
    gf_pv k = gf_ptx_do(e, GF_OP_ADD, base, lane);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, k, left), false, past);
    gf_ptx_move(p, here, gf_ptx_do(e, GF_OP_ADD, from, gf_ptx_cast(p, type, k)));
    *gf_ptx_name_of(e, rows->stmt->target.symbol) = (gf_ptx_named){.is_set = true, .value = here};
    size_t sum = 0;
    gf_block part = {.items = body->items, .count = body->count - rows->sum_count};
    e->is_open = true;
    gf_ptx_emit_block(e, &part);
    for (size_t i = part.count; i < body->count; i++) {
        gf_ptx_move(p, addends[sum++], gf_ptx_emit_expr(e, body->items[i]->value));
    }
    gf_ptx_place(p, past);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    gf_ptx_move(p, many, gf_ptx_do(e, GF_OP_SUB, left, base));
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, many, gf_ptx_u32(WARP)), true, few);
    for (unsigned turn = 0; turn < WARP; turn++) {
        for (size_t i = 0; i < rows->sum_count; i++) {
            gf_pv other = gf_ptx_from_lane(e, addends[i], gf_ptx_register(p, gf_ptx_u32(turn)));
            gf_ptx_move(p, sums[i], gf_ptx_do(e, rows->sum_ops[i], sums[i], other));
        }
    }
    gf_ptx_jump(p, next);
    gf_ptx_place(p, few);
    gf_pv turn = gf_ptx_new_value(p, GF_TYPE_U32);
    uint32_t again = gf_ptx_label(p);
    gf_ptx_move(p, turn, gf_ptx_u32(0));
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_EQ, many, gf_ptx_u32(0)), true, next);
    gf_ptx_place(p, again);
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_ptx_move(p, sums[i], gf_ptx_do(e, rows->sum_ops[i], sums[i], gf_ptx_from_lane(e, addends[i], turn)));
    }
    gf_ptx_move(p, turn, gf_ptx_do(e, GF_OP_ADD, turn, gf_ptx_u32(1)));
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, turn, many), true, again);
    gf_ptx_place(p, next);
    gf_ptx_move(p, base, gf_ptx_do(e, GF_OP_ADD, base, gf_ptx_u32(WARP)));
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, base, left), true, head);
    gf_pv is_owner = gf_ptx_do(e, GF_OP_EQ, lane, owner);
    for (size_t i = 0; i < rows->sum_count; i++) {
        gf_ptx_move(p, rows->own_sums[i], gf_ptx_choose(e, is_owner, sums[i], rows->own_sums[i]));
    }
}

static void ballot(gf_ptx_emit *e, gf_pv mask, gf_pv mine) {
    mine = gf_ptx_register(&e->p, mine);
    gf_ptx_line(&e->p, "vote.sync.ballot.b32 %s, %s, 0xffffffff", gf_ptx_spell(mask).text, gf_ptx_spell(mine).text);
}

static void serve_flat(gf_ptx_emit *e, gf_pv waits) {
    gf_ptx_rows *rows = e->rows;
    binding b = {0};
    for (size_t i = 0; i < rows->captured_count; i++) {
        rebind(e, &b, rows->captured[i].symbol, rows->captured[i].own);
    }
    b.kept[b.count] = *gf_ptx_name_of(e, rows->stmt->target.symbol);
    gf_ptx_share_flat(e, waits);
    bind_back(e, &b, rows, false);
}

/* The rows of a warp's lanes, one after the other, or all at once. */
static void serve_by_warp(gf_ptx_emit *e, gf_pv waits) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    gf_pv mask = gf_ptx_new_value(p, GF_TYPE_U32), lane = gf_ptx_lane(e);
    uint32_t head = gf_ptx_label(p), done = gf_ptx_label(p);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
    ballot(e, mask, waits);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_EQ, mask, gf_ptx_u32(0)), true, done); /* which is so nearly always */
    if (rows->is_flat) {
        serve_flat(e, waits);
        gf_ptx_place(p, done);
        gf_ptx_line(p, "bar.warp.sync 0xffffffff");
        return;
    }
    if (rows->by_grid) {
        ballot(e, mask, gf_ptx_list_rows(e, waits));
    }
    gf_ptx_place(p, head);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_EQ, mask, gf_ptx_u32(0)), true, done);
    gf_pv owner = gf_ptx_register(p, gf_ptx_op(p, GF_OP_CTZ, GF_TYPE_U32, GF_TYPE_NONE, mask, none, none));
    gf_pv from = gf_ptx_from_lane(e, rows->from, owner), to = gf_ptx_from_lane(e, rows->to, owner);
    binding b = {0};
    for (size_t i = 0; i < rows->captured_count; i++) {
        rebind(e, &b, rows->captured[i].symbol, gf_ptx_from_lane(e, rows->captured[i].own, owner));
    }
    gf_pv turns = gf_ptx_row_turns(e, from, to);
    if (rows->in_order) {
        serve_in_order(e, from, turns, lane, owner, &b);
    } else {
        serve_free(e, from, turns, lane, owner, &b);
    }
    bind_back(e, &b, rows, !rows->in_order);
    gf_ptx_move(p, mask, gf_ptx_do(e, GF_OP_AND, mask, gf_ptx_do(e, GF_OP_SUB, mask, gf_ptx_u32(1))));
    gf_ptx_jump(p, head);
    gf_ptx_place(p, done);
    gf_ptx_line(p, "bar.warp.sync 0xffffffff");
}

/* All threads come by here once for each row, and those whose row waited once more for each that waited. */
void gf_ptx_serve_rows(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    gf_ptx_row_list *list = e->row_list;
    bool any = false;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        any |= list->items[i].is_left;
    }
    if (!any) {
        return;
    }
    gf_ptx_place(p, list->serve);
    for (size_t i = 0; i < list->count; i++) {
        gf_ptx_rows *rows = &list->items[i];
        if (!rows->is_left) {
            continue;
        }
        uint32_t next = gf_ptx_label(p);
        e->rows = rows;
        gf_ptx_jump_if(p, rows->is_served, true, next);
        serve_by_warp(e, rows->waits);
        gf_ptx_move(p, rows->is_served, gf_ptx_constant(GF_TYPE_BOOL, 1));
        gf_ptx_jump_if(p, rows->waits, true, rows->after);
        gf_ptx_place(p, next);
    }
    e->rows = NULL;
    e->is_open = true;
}

static void serve_list(gf_ptx_emit *e) {
    gf_ptx *p = &e->p;
    gf_ptx_rows *rows = e->rows;
    uint32_t head = gf_ptx_label(p), done = gf_ptx_label(p);
    gf_pv count = gf_ptx_new_value(p, GF_TYPE_U32), q = gf_ptx_new_value(p, GF_TYPE_U32);
    gf_ptx_line(p, "ld.shared.u32 %s, [gf_rows+%llu]", gf_ptx_spell(count).text, (unsigned long long)rows->list);
    count = gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_u32(GF_PTX_LISTED));
    gf_ptx_move(p, q, gf_ptx_u32(0));
    gf_ptx_place(p, head);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_GE, q, count), true, done);
    gf_pv entry = gf_ptx_row_entry(e, q);
    gf_pv from = gf_ptx_row_word(e, entry, 0, rows->from), to = gf_ptx_row_word(e, entry, 1, rows->to);
    binding b = {0};
    for (size_t i = 0; i < rows->captured_count; i++) {
        rebind(e, &b, rows->captured[i].symbol, gf_ptx_row_word(e, entry, 2 + i, rows->captured[i].own));
    }
    b.kept[b.count] = *gf_ptx_name_of(e, rows->stmt->target.symbol);
    gf_pv turns = gf_ptx_row_turns(e, from, to);
    gf_pv thread = gf_ptx_thread(e);
    gf_ptx_share_turns(e, from, turns, thread, gf_ptx_threads(e));
    bind_back(e, &b, rows, false);
    gf_ptx_move(p, q, gf_ptx_do(e, GF_OP_ADD, q, gf_ptx_u32(1)));
    gf_ptx_jump(p, head);
    gf_ptx_place(p, done);
}

void gf_ptx_end_rows(gf_ptx_emit *e) {
    gf_ptx_row_list *list = e->row_list;
    bool meets = false;
    for (size_t i = 0; list != NULL && i < list->count; i++) {
        if (!list->items[i].is_left || !list->items[i].by_block) {
            continue;
        }
        if (!meets) {
            gf_ptx_sync(e);
        }
        meets = true;
        e->rows = &list->items[i];
        serve_list(e);
    }
    e->rows = NULL;
}
