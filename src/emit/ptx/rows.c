/* Rows: what the invocation does that comes to one. See rows.h. */
#include "emit/ptx/rows.h"
#include "emit/ptx/grid.h"
#include <string.h>

#define LONG_ROW 64         /* turns from which a warp is better than a thread */
#define FLAT_ROW 8          /* the same where the warp has all its rows at once */
#define VERY_LONG_ROW 2048  /* from which a block is better than a warp */
#define TOO_LONG 0x40000000 /* turns from which counting needs care: left to the thread */

static gf_ptx_rows *row_of(gf_ptx_emit *e, const gf_stmt *stmt) {
    for (size_t i = 0; e->row_list != NULL && i < e->row_list->count; i++) {
        if (e->row_list->items[i].stmt == stmt) {
            return &e->row_list->items[i];
        }
    }
    return NULL;
}

/* ---- leaving ---- */

static void begin_row(gf_ptx_emit *e, gf_ptx_rows *rows, uint64_t *bytes) {
    gf_type type = rows->stmt->target.symbol->type;
    rows->waits = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    rows->is_served = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    rows->from = gf_ptx_new_value(&e->p, type);
    rows->to = gf_ptx_new_value(&e->p, type);
    gf_ptx_move(&e->p, rows->from, gf_ptx_constant(type, 0));
    gf_ptx_move(&e->p, rows->to, gf_ptx_constant(type, 0));
    if (rows->by_block) {
        rows->list = *bytes;
        *bytes += 8 + (uint64_t)8 * GF_PTX_LISTED * (2 + rows->captured_count);
    }
}

bool gf_ptx_row_may_wait(gf_ptx_emit *e, const gf_ptx_rows *rows) {
    return !rows->in_order && rows->sum_count == 0 &&
           gf_ptx_is_last_to_look(e->arena, e->tree->kernel.body, rows->stmt);
}

void gf_ptx_begin_rows(gf_ptx_emit *e, gf_ptx_row_list *list, gf_ptx_meeting meeting) {
    uint64_t bytes = 0;
    bool has_list = false;
    e->row_list = list;
    for (size_t i = 0; i < list->count; i++) {
        gf_ptx_rows *rows = &list->items[i];
        bool may_wait = meeting != GF_PTX_MEET_WARP && gf_ptx_row_may_wait(e, rows);
        rows->by_grid = may_wait && meeting >= GF_PTX_MEET_STAGE && !has_list;
        rows->by_stage = rows->by_grid && meeting == GF_PTX_MEET_STAGE;
        rows->by_block = may_wait && !rows->by_grid;
        has_list |= rows->by_grid;
        rows->is_flat = !rows->in_order && rows->sum_count == 0 && rows->captured_count <= GF_PTX_MOST_OWNED &&
                        gf_ptx_can_go_together(rows->stmt->body);
        begin_row(e, rows, &bytes);
    }
    e->rows_bytes = bytes > e->rows_bytes ? bytes : e->rows_bytes;
    if (bytes == 0) {
        return;
    }
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_sync(e);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].by_block) {
            gf_ptx_line(&e->p, "st.shared.u32 [gf_rows+%llu], 0", (unsigned long long)list->items[i].list);
        }
    }
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
}

void gf_ptx_begin_body(gf_ptx_emit *e) {
    gf_ptx_row_list *list = e->row_list;
    if (list == NULL) {
        return;
    }
    list->serve = gf_ptx_label(&e->p);
    for (size_t i = 0; i < list->count; i++) {
        list->items[i].after = gf_ptx_label(&e->p);
        list->items[i].is_left = false;
        gf_ptx_move(&e->p, list->items[i].waits, gf_ptx_constant(GF_TYPE_BOOL, 0));
        gf_ptx_move(&e->p, list->items[i].is_served, gf_ptx_constant(GF_TYPE_BOOL, 0));
    }
}

/* ---- the list of a block ---- */

gf_pv gf_ptx_row_entry(gf_ptx_emit *e, gf_pv slot) {
    gf_pv base = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    uint32_t entry = (uint32_t)(8 * (2 + e->rows->captured_count));
    gf_ptx_line(&e->p, "mov.u32 %s, gf_rows", gf_ptx_spell(base).text);
    gf_pv at = gf_ptx_do(e, GF_OP_ADD, base, gf_ptx_u32(e->rows->list + 8));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, at, gf_ptx_do(e, GF_OP_MUL, slot, gf_ptx_u32(entry))));
}

static const char *space_of(gf_pv at) {
    return at.type == GF_TYPE_U64 ? "global" : "shared";
}

void gf_ptx_put_row_word(gf_ptx_emit *e, gf_pv at, size_t index, gf_pv v) {
    if (v.is_constant) {
        return;
    }
    v = gf_ptx_register(&e->p, v.type == GF_TYPE_BOOL ? gf_ptx_cast(&e->p, GF_TYPE_U32, v) : v);
    gf_ptx_line(&e->p, "st.%s.%s [%s+%zu], %s", space_of(at), gf_ptx_class_suffix(v.type), gf_ptx_spell(at).text,
                8 * index, gf_ptx_spell(v).text);
}

gf_pv gf_ptx_row_word(gf_ptx_emit *e, gf_pv at, size_t index, gf_pv like) {
    if (like.is_constant) {
        return like;
    }
    bool is_bool = like.type == GF_TYPE_BOOL;
    gf_pv v = gf_ptx_new_value(&e->p, is_bool ? GF_TYPE_U32 : like.type);
    gf_ptx_line(&e->p, "ld.%s.%s %s, [%s+%zu]", space_of(at), gf_ptx_class_suffix(v.type), gf_ptx_spell(v).text,
                gf_ptx_spell(at).text, 8 * index);
    return is_bool ? gf_ptx_do(e, GF_OP_NE, v, gf_ptx_u32(0)) : v;
}

/* Gives whether the row is on the list. Its owner goes on. */
static void list_row(gf_ptx_emit *e, gf_ptx_rows *rows, gf_pv from, gf_pv to, uint32_t full) {
    gf_ptx *p = &e->p;
    gf_pv slot = gf_ptx_new_value(p, GF_TYPE_U32);
    gf_ptx_line(p, "atom.shared.add.u32 %s, [gf_rows+%llu], 1", gf_ptx_spell(slot).text,
                (unsigned long long)rows->list);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_GE, slot, gf_ptx_u32(GF_PTX_LISTED)), true, full);
    e->rows = rows;
    gf_pv entry = gf_ptx_row_entry(e, slot);
    gf_ptx_put_row_word(e, entry, 0, from);
    gf_ptx_put_row_word(e, entry, 1, to);
    for (size_t i = 0; i < rows->captured_count; i++) {
        gf_ptx_put_row_word(e, entry, 2 + i, rows->captured[i].own);
    }
    e->rows = NULL;
    gf_ptx_jump(p, rows->after);
}

bool gf_ptx_leave_row(gf_ptx_emit *e, const gf_stmt *stmt, gf_pv from, gf_pv to) {
    gf_ptx_rows *rows = row_of(e, stmt);
    if (rows == NULL || rows->is_left) {
        return false;
    }
    gf_ptx *p = &e->p;
    uint32_t stays = gf_ptx_label(p), alone = gf_ptx_label(p), full = gf_ptx_label(p);
    from = gf_ptx_register(p, from);
    to = gf_ptx_register(p, to);
    rows->is_left = true;
    for (size_t i = 0; i < rows->captured_count; i++) {
        rows->captured[i].own = gf_ptx_name_of(e, rows->captured[i].symbol)->value;
    }
    for (size_t i = 0; i < rows->sum_count; i++) {
        rows->own_sums[i] = gf_ptx_name_of(e, rows->sums[i])->value;
    }
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, from, to), false, rows->after);
    gf_pv turns = gf_ptx_row_turns(e, from, to),
          least = gf_ptx_constant(turns.type, rows->is_flat ? FLAT_ROW : LONG_ROW);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, turns, least), true, alone);
    gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_GE, turns, gf_ptx_constant(turns.type, TOO_LONG)), true, stays);
    if (rows->by_block) {
        gf_ptx_jump_if(p, gf_ptx_do(e, GF_OP_LT, turns, gf_ptx_constant(turns.type, VERY_LONG_ROW)), true, full);
        list_row(e, rows, from, to, full);
        gf_ptx_place(p, full);
    }
    gf_ptx_move(p, rows->from, from);
    gf_ptx_move(p, rows->to, to);
    gf_ptx_move(p, rows->waits, gf_ptx_constant(GF_TYPE_BOOL, 1));
    gf_ptx_jump(p, e->row_list->serve);
    gf_ptx_place(p, alone);
    if (!rows->in_order || gf_ptx_can_go_together(stmt->body)) {
        gf_ptx_named *name = gf_ptx_name_of(e, stmt->target.symbol), kept = *name;
        if (rows->in_order) {
            gf_ptx_jump_if(p, gf_ptx_find_strips(e, rows, to), false, stays);
        }
        e->rows = rows;
        if (rows->in_order) {
            gf_ptx_sum_in_order(e, from, turns);
        } else {
            gf_ptx_share_turns(e, from, turns, gf_ptx_u32(0), gf_ptx_u32(1));
        }
        e->rows = NULL;
        *name = kept;
        gf_ptx_jump(p, rows->after);
    }
    gf_ptx_place(p, stays);
    e->is_open = true;
    return true;
}

void gf_ptx_back_from_row(gf_ptx_emit *e, const gf_stmt *stmt) {
    gf_ptx_arrive(e, row_of(e, stmt)->after);
}
