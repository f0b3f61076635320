/* Cells of a stage: taken from one set into registers, and left in the other by the first block. See stages.h. */
#include "emit/ptx/stage.h"

#define LANES 32

static gf_pv load_cell(gf_ptx_emit *e, gf_pv set, size_t cell, gf_type type) {
    gf_pv raw = gf_ptx_new_value(&e->p, type == GF_TYPE_BOOL ? GF_TYPE_U32 : type);
    gf_ptx_line(&e->p, "ld.global.%s %s, [%s+%zu];", gf_ptx_class_suffix(raw.type), gf_ptx_spell(raw).text,
                gf_ptx_spell(set).text, 8 * cell);
    gf_pv value = gf_ptx_new_value(&e->p, type);
    gf_ptx_move(&e->p, value, type == GF_TYPE_BOOL ? gf_ptx_do(e, GF_OP_NE, raw, gf_ptx_u32(0)) : raw);
    return value;
}

static void store_cell(gf_ptx_emit *e, gf_pv set, size_t cell, gf_pv value) {
    gf_pv raw = gf_ptx_register(&e->p, value.type == GF_TYPE_BOOL ? gf_ptx_cast(&e->p, GF_TYPE_U32, value) : value);
    gf_ptx_line(&e->p, "st.global.%s [%s+%zu], %s;", gf_ptx_class_suffix(raw.type), gf_ptx_spell(set).text, 8 * cell,
                gf_ptx_spell(raw).text);
}

void gf_ptx_load_cells(gf_ptx_cells *c, gf_pv set) {
    gf_ptx_layout *l = c->l;
    c->values = gf_new_array(l->arena, gf_pv, l->cells.count);
    c->assigned = gf_new_array(l->arena, bool, l->cells.count);
    c->kept = gf_new_array(l->arena, gf_pv, l->cells.count / LANES + 1);
    for (size_t i = 0; i < l->cells.count; i++) {
        c->values[i] = load_cell(c->e, set, i, l->cells.items[i]);
    }
    for (size_t i = 0; i < l->plan->register_count; i++) {
        l->walk->names[l->plan->registers[i]->id].value = c->values[i];
    }
    uint32_t cell = l->first_swapped;
    for (size_t i = 0; i < l->plan->buffer_count; i++) {
        if (l->walk->arrays[i] != NULL && l->walk->arrays[i]->space == GF_PTX_GLOBAL) {
            l->walk->arrays[i]->data = c->values[cell++];
        }
    }
    l->walk->converged = c->values[l->converged];
}

/* By the first warp of the first block, as early as the others: what may stay as it is, a cell to a thread. */
void gf_ptx_keep_cells(gf_ptx_cells *c, gf_pv set) {
    gf_ptx_emit *e = c->e;
    gf_pv tid = gf_ptx_thread(e), zero = gf_ptx_u32(0);
    gf_pv of_first = gf_ptx_do(e, GF_OP_LT, tid, gf_ptx_u32(LANES)), block = gf_ptx_block(e);
    c->is_first = gf_ptx_both(e, of_first, gf_ptx_do(e, GF_OP_EQ, block, zero));
    gf_pv at = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_do(e, GF_OP_SHL, tid, gf_ptx_u32(3)));
    at = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, set, at));
    for (size_t first = 0; first < c->l->cells.count; first += LANES) {
        uint64_t count = c->l->cells.count - first;
        gf_pv here = c->is_first, word = gf_ptx_new_value(&e->p, GF_TYPE_U64);
        here = count < LANES ? gf_ptx_both(e, here, gf_ptx_do(e, GF_OP_LT, tid, gf_ptx_u32(count))) : here;
        gf_ptx_line(&e->p, "@%s ld.global.b64 %s, [%s+%zu];", gf_ptx_spell(gf_ptx_register(&e->p, here)).text,
                    gf_ptx_spell(word).text, gf_ptx_spell(at).text, 8 * first);
        c->kept[first / LANES] = word;
    }
}

/* Each cell by one thread: nobody waits for anybody. */
void gf_ptx_store_cells(gf_ptx_cells *c, gf_pv set) {
    gf_ptx_emit *e = c->e;
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, c->is_first, false, others);
    gf_pv tid = gf_ptx_thread(e);
    gf_pv to = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_do(e, GF_OP_SHL, tid, gf_ptx_u32(3)));
    to = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, set, to));
    for (size_t first = 0; first < c->l->cells.count; first += LANES) {
        uint64_t stay = 0;
        for (size_t i = first; i < c->l->cells.count && i < first + LANES; i++) {
            stay |= (uint64_t)!c->assigned[i] << (i - first);
        }
        gf_pv mine = gf_ptx_do(e, GF_OP_AND, gf_ptx_do(e, GF_OP_SHR, gf_ptx_u32(stay), tid), gf_ptx_u32(1));
        gf_pv stays = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_NE, mine, gf_ptx_u32(0)));
        gf_ptx_line(&e->p, "@%s st.global.b64 [%s+%zu], %s;", gf_ptx_spell(stays).text, gf_ptx_spell(to).text,
                    8 * first, gf_ptx_spell(c->kept[first / LANES]).text);
    }
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, tid, gf_ptx_u32(0)), true, others);
    for (size_t i = 0; i < c->l->cells.count; i++) {
        if (c->assigned[i]) {
            store_cell(e, set, i, c->values[i]);
        }
    }
    gf_ptx_place(&e->p, others);
}
