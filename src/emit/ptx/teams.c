/* The items of a forall whose sums of floats have one order: blocks of 4096, in which partial result p of 256 takes the
 * values p, p + 256, ...
 *
 *   by block    all threads of a block make its values, in shared memory, and then 256 of them fold
 *   by team     256 threads make them and fold as they go: where shared memory has no room for the values */
#include "emit/ptx/pack.h"
#include "emit/ptx/rows.h"

#define BLOCK GF_PTX_BLOCK_ITEMS
#define TEAM 256
#define MOST_STAGED 32768 /* bytes */

/* Whether buffer i of the segment takes values of such a sum. */
static bool is_ordered(const gf_ptx_walk *walk, const gf_segment *segment, size_t i) {
    const gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
    return fuse->is_fused && fuse->writer == segment && fuse->is_ordered;
}

/* How many results there are, also where there is nothing. */
static void tell_count(gf_ptx_walk *walk, const gf_segment *segment, gf_pv blocks) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (is_ordered(walk, segment, i)) {
            gf_ptx_move(&walk->e->p, walk->fuse[segment->buffers[i].buffer].count, blocks);
        }
    }
}

/* ---- by block ---- */

static uint64_t staged_bytes(const gf_ptx_walk *walk, const gf_segment *segment) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (is_ordered(walk, segment, i)) {
            bytes += BLOCK * gf_type_bytes(walk->fuse[segment->buffers[i].buffer].sum.type);
        }
    }
    return bytes;
}

bool gf_ptx_goes_by_block(const gf_ptx_walk *walk, const gf_segment *segment) {
    return segment->is_forall && staged_bytes(walk, segment) <= MOST_STAGED;
}

bool gf_ptx_sums_by_block(const gf_ptx_walk *walk, const gf_segment *segment) {
    return gf_ptx_goes_by_block(walk, segment) && staged_bytes(walk, segment) > 0;
}

static gf_pv staged_address(gf_ptx_emit *e, uint64_t offset, gf_pv index, gf_type type) {
    gf_pv base = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, gf_staged", gf_ptx_spell(base).text);
    gf_pv at = gf_ptx_do(e, GF_OP_MUL, index, gf_ptx_u32(gf_type_bytes(type)));
    at = gf_ptx_do(e, GF_OP_ADD, at, gf_ptx_u32(offset));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, base, at));
}

static void stage_values(gf_ptx_walk *walk, const gf_segment *segment, gf_pv index) {
    gf_ptx_emit *e = walk->e;
    uint64_t offset = 0;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (is_ordered(walk, segment, i)) {
            gf_pv own = gf_ptx_register(&e->p, walk->arrays[segment->buffers[i].buffer]->own);
            gf_pv at = staged_address(e, offset, index, own.type);
            gf_ptx_line(&e->p, "st.shared.%s [%s], %s", own.type == GF_TYPE_F64 ? "f64" : "f32", gf_ptx_spell(at).text,
                        gf_ptx_spell(own).text);
            offset += BLOCK * gf_type_bytes(own.type);
        }
    }
}

/* Partial result p of 256 takes the values p, p + 256, ... in order. */
static void fold_staged(gf_ptx_walk *walk, const gf_segment *segment, gf_pv block, gf_pv blocks) {
    gf_ptx_emit *e = walk->e;
    gf_pv tid = gf_ptx_thread(e);
    uint64_t offset = 0;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (!is_ordered(walk, segment, i)) {
            continue;
        }
        gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        gf_type type = fuse->sum.type;
        gf_pv sum = gf_ptx_new_value(&e->p, type), at = staged_address(e, offset, tid, type);
        uint32_t others = gf_ptx_label(&e->p);
        gf_ptx_move(&e->p, sum, gf_ptx_neutral(fuse->combine, type));
        gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, tid, gf_ptx_u32(TEAM)), true, others);
        for (unsigned k = 0; k < BLOCK / TEAM; k++) {
            gf_pv value = gf_ptx_new_value(&e->p, type);
            gf_ptx_line(&e->p, "ld.shared.%s %s, [%s+%zu]", type == GF_TYPE_F64 ? "f64" : "f32",
                        gf_ptx_spell(value).text, gf_ptx_spell(at).text, gf_type_bytes(type) * k * TEAM);
            gf_ptx_move(&e->p, sum, gf_ptx_combine(&e->p, fuse->combine, type, sum, value));
        }
        gf_ptx_place(&e->p, others);
        gf_pv value = gf_ptx_fold_team(e, fuse->combine, type, sum);
        gf_ptx_put_result(walk, segment->buffers[i].buffer, gf_ptx_do(e, GF_OP_EQ, tid, gf_ptx_u32(0)), block, value);
        gf_ptx_move(&e->p, fuse->count, blocks);
        offset += BLOCK * gf_type_bytes(type);
    }
}

/* Of neighbours, which lie side by side here too. */
static void stage_pack(gf_ptx_walk *walk, gf_ptx_pack *pack, gf_pv index) {
    gf_ptx_emit *e = walk->e;
    uint64_t offset = 0;
    for (size_t i = 0; i < pack->segment->buffer_count; i++) {
        if (!is_ordered(walk, pack->segment, i)) {
            continue;
        }
        gf_type type = walk->fuse[pack->segment->buffers[i].buffer].sum.type;
        gf_pv at = staged_address(e, offset, index, type);
        for (unsigned k = 0; k < pack->size; k++) {
            gf_pv own = gf_ptx_register(&e->p, gf_ptx_pack_value(pack, pack->segment->buffers[i].symbol, k));
            gf_ptx_line(&e->p, "st.shared.%s [%s+%zu], %s", type == GF_TYPE_F64 ? "f64" : "f32", gf_ptx_spell(at).text,
                        k * gf_type_bytes(type), gf_ptx_spell(own).text);
        }
        offset += BLOCK * gf_type_bytes(type);
    }
}

/* The whole block in packs, where all of it exists and lies inside its arrays; else goes on at `singly`. */
static void take_packs(gf_ptx_walk *walk, gf_ptx_pack *pack, gf_pv fits, gf_pv first, gf_pv count, uint32_t singly,
                       uint32_t folded) {
    gf_ptx_emit *e = walk->e;
    gf_pv end = gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_u64(BLOCK)), size = gf_ptx_u32(pack->size);
    gf_pv yes = gf_ptx_do(e, GF_OP_AND, fits, gf_ptx_do(e, GF_OP_LE, end, count));
    e->gid[0] = gf_ptx_register(&e->p, gf_ptx_to_u32(e, first));
    e->gid[1] = gf_ptx_u32(0);
    gf_pv inside = gf_ptx_strips_inside(pack, gf_ptx_u32(BLOCK)), begin = e->gid[0];
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_AND, yes, inside), false, singly);
    gf_pv index = gf_ptx_new_value(&e->p, GF_TYPE_U32), step = gf_ptx_do(e, GF_OP_MUL, gf_ptx_threads(e), size);
    uint32_t head = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, index, gf_ptx_do(e, GF_OP_MUL, gf_ptx_thread(e), size));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, index, gf_ptx_u32(BLOCK)), false, folded);
    gf_ptx_place(&e->p, head);
    gf_ptx_line(&e->p, "// in packs of %u", pack->size);
    pack->first = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, begin, index));
    pack->y = gf_ptx_u32(0);
    pack->width = e->space[0];
    pack->whole = pack->some = gf_ptx_constant(GF_TYPE_BOOL, 1);
    pack->is_whole = pack->is_sure = pack->keeps_sums = true;
    for (unsigned k = 0; k < pack->size; k++) {
        pack->x[k] = gf_ptx_do(e, GF_OP_ADD, pack->first, gf_ptx_u32(k));
    }
    gf_ptx_pack_emit(pack);
    stage_pack(walk, pack, index);
    gf_ptx_move(&e->p, index, gf_ptx_do(e, GF_OP_ADD, index, step));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, index, gf_ptx_u32(BLOCK)), true, head);
    gf_ptx_jump(&e->p, folded);
}

/* Packs begin where blocks do. */
static gf_pv packs_fit(gf_ptx_emit *e, gf_ptx_pack *pack) {
    gf_pv aligned;
    e->gid[0] = e->gid[1] = gf_ptx_u32(0);
    gf_pv shift = gf_ptx_strips_shift(pack, &aligned);
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_AND, aligned, gf_ptx_do(e, GF_OP_EQ, shift, gf_ptx_u32(0))));
}

static void by_block(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_row_list rows;
    gf_ptx_pack *pack = gf_new(e->arena, gf_ptx_pack);
    *pack = (gf_ptx_pack){.e = e, .walk = walk, .segment = segment};
    bool in_packs = gf_ptx_may_pack(walk, segment) && gf_ptx_pack_is_worth(pack) && gf_ptx_pack_is_flat(pack);
    gf_pv fits = in_packs ? packs_fit(e, pack) : gf_ptx_constant(GF_TYPE_BOOL, 0);
    (void)gf_ptx_share_rows(e, segment, GF_PTX_MEET_WARP, &rows);
    uint64_t bytes = staged_bytes(walk, segment);
    e->staged_bytes = bytes > e->staged_bytes ? bytes : e->staged_bytes;
    gf_pv count = walk->names[segment->forall_count->id].value;
    gf_pv blocks = gf_ptx_variable(
        e, gf_ptx_do(e, GF_OP_SHR, gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_u64(BLOCK - 1)), gf_ptx_u32(12)));
    gf_pv at = gf_ptx_variable(e, gf_ptx_to_u64(e, gf_ptx_block(e))),
          step = gf_ptx_variable(e, gf_ptx_to_u64(e, gf_ptx_blocks(e)));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p), item = gf_ptx_label(&e->p);
    tell_count(walk, segment, blocks);
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, at, blocks), true, done);
    gf_pv first = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_MUL, at, gf_ptx_u64(BLOCK)));
    uint32_t singly = gf_ptx_label(&e->p), folded = gf_ptx_label(&e->p);
    if (in_packs) {
        take_packs(walk, pack, fits, first, count, singly, folded);
        gf_ptx_place(&e->p, singly);
    }
    gf_pv index = gf_ptx_new_value(&e->p, GF_TYPE_U32), threads = gf_ptx_threads(e);
    gf_ptx_move(&e->p, index, gf_ptx_thread(e));
    gf_ptx_place(&e->p, item);
    gf_pv i = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_to_u64(e, index)));
    gf_ptx_set_item(e, segment, i);
    gf_ptx_emit_body(walk, segment, gf_ptx_do(e, GF_OP_LT, i, count));
    gf_ptx_add_values(walk, segment, true);
    stage_values(walk, segment, index);
    gf_ptx_move(&e->p, index, gf_ptx_do(e, GF_OP_ADD, index, threads));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, index, gf_ptx_u32(BLOCK)), true, item);
    gf_ptx_place(&e->p, folded);
    gf_ptx_sync(e);
    fold_staged(walk, segment, at, blocks);
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_ADD, at, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
}

/* ---- by team ---- */

static void put_teams(gf_ptx_walk *walk, const gf_segment *segment, gf_pv block, gf_pv blocks, gf_pv first_of_team) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        uint32_t buffer = segment->buffers[i].buffer;
        gf_ptx_fuse *fuse = &walk->fuse[buffer];
        if (is_ordered(walk, segment, i)) {
            gf_pv value = gf_ptx_fold_team(e, fuse->combine, fuse->sum.type, fuse->sum);
            gf_pv mine = gf_ptx_do(e, GF_OP_AND, first_of_team, gf_ptx_do(e, GF_OP_LT, block, blocks));
            gf_ptx_put_result(walk, buffer, mine, block, value);
            gf_ptx_move(&e->p, fuse->count, blocks);
            gf_ptx_move(&e->p, fuse->sum, gf_ptx_neutral(fuse->combine, fuse->sum.type));
        }
    }
}

void gf_ptx_emit_teams(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    walk->by_block[segment->index] = gf_ptx_goes_by_block(walk, segment);
    if (walk->by_block[segment->index]) {
        by_block(walk, segment);
        return;
    }
    gf_ptx_row_list rows;
    bool shares = gf_ptx_share_rows(e, segment, GF_PTX_MEET_WARP, &rows);
    gf_pv count = walk->names[segment->forall_count->id].value, tid = gf_ptx_thread(e);
    gf_pv teams = gf_ptx_do(e, GF_OP_SHR, gf_ptx_threads(e), gf_ptx_u32(8));
    gf_pv team = gf_ptx_do(e, GF_OP_SHR, tid, gf_ptx_u32(8)), p = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(TEAM - 1));
    gf_pv blocks = gf_ptx_do(e, GF_OP_SHR, gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_u64(BLOCK - 1)), gf_ptx_u32(12));
    blocks = gf_ptx_variable(e, blocks);
    gf_pv wide_teams = gf_ptx_to_u64(e, teams);
    gf_pv at = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_MUL, gf_ptx_to_u64(e, gf_ptx_block(e)), wide_teams));
    gf_pv step = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_MUL, gf_ptx_to_u64(e, gf_ptx_blocks(e)), wide_teams));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    tell_count(walk, segment, blocks);
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, at, blocks), true, done);
    gf_pv block = gf_ptx_do(e, GF_OP_ADD, at, gf_ptx_to_u64(e, team)),
          first = gf_ptx_do(e, GF_OP_MUL, block, gf_ptx_u64(BLOCK));
    gf_pv end = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_u64(BLOCK))));
    gf_pv i = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_to_u64(e, p)));
    gf_ptx_take_items(walk, segment, shares, i, end, gf_ptx_u64(TEAM));
    put_teams(walk, segment, block, blocks, gf_ptx_do(e, GF_OP_EQ, p, gf_ptx_u32(0)));
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_ADD, at, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
}
