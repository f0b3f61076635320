/* Combining what threads have. Sums of floats go by the language's fixed order: partial result p of 256 takes the
 * elements p, p + 256, ... of a block of 4096, and the partial results are halved; what is missing adds -0.0, which
 * changes nothing. Anything else may be taken as it comes. */
#include "emit/ptx/grid.h"
#include "ir/program.h"

#define BLOCK 4096
#define TEAM 256

/* ---- shuffles ---- */

static bool is_wide(gf_pv v) {
    return gf_type_bytes(v.type) == 8;
}

static gf_pv as_bits(gf_ptx_emit *e, gf_pv v) {
    gf_type type = is_wide(v) ? GF_TYPE_U64 : GF_TYPE_U32;
    if (!gf_type_is_float(v.type)) {
        v.type = type;
        return v;
    }
    gf_pv bits = gf_ptx_new_value(&e->p, type);
    v = gf_ptx_register(&e->p, v);
    gf_ptx_line(&e->p, "mov.b%d %s, %s;", is_wide(v) ? 64 : 32, gf_ptx_spell(bits).text, gf_ptx_spell(v).text);
    return bits;
}

static gf_pv from_bits(gf_ptx_emit *e, gf_type type, gf_pv bits) {
    if (!gf_type_is_float(type)) {
        bits.type = type;
        return bits;
    }
    gf_pv v = gf_ptx_new_value(&e->p, type);
    bits = gf_ptx_register(&e->p, bits);
    gf_ptx_line(&e->p, "mov.b%d %s, %s;", is_wide(v) ? 64 : 32, gf_ptx_spell(v).text, gf_ptx_spell(bits).text);
    return v;
}

static void shuffle(gf_ptx_emit *e, const char *mode, gf_pv to, gf_pv from, unsigned by, const char *clamp) {
    gf_ptx_line(&e->p, "shfl.sync.%s.b32 %s, %s, %u, %s, 0xffffffff;", mode, gf_ptx_spell(to).text,
                gf_ptx_spell(from).text, by, clamp);
}

/* Of the lane `by` away: "down", "up", "bfly". */
gf_pv gf_ptx_shuffled(gf_ptx_emit *e, const char *mode, gf_pv v, unsigned by) {
    const char *clamp = mode[0] == 'u' ? "0" : "31";
    gf_pv bits = gf_ptx_register(&e->p, as_bits(e, v)), got = gf_ptx_new_value(&e->p, bits.type);
    if (!is_wide(v)) {
        shuffle(e, mode, got, bits, by, clamp);
        return from_bits(e, v.type, got);
    }
    gf_pv low = gf_ptx_new_value(&e->p, GF_TYPE_U32), high = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.b64 {%s, %s}, %s;", gf_ptx_spell(low).text, gf_ptx_spell(high).text,
                gf_ptx_spell(bits).text);
    gf_pv low_got = gf_ptx_new_value(&e->p, GF_TYPE_U32), high_got = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    shuffle(e, mode, low_got, low, by, clamp);
    shuffle(e, mode, high_got, high, by, clamp);
    gf_ptx_line(&e->p, "mov.b64 %s, {%s, %s};", gf_ptx_spell(got).text, gf_ptx_spell(low_got).text,
                gf_ptx_spell(high_got).text);
    return from_bits(e, v.type, got);
}

/* ---- shared memory ---- */

/* The address of element `index` (u32) of the part at `offset`. */
gf_pv gf_ptx_sync_address(gf_ptx_emit *e, unsigned offset, gf_pv index, unsigned size) {
    gf_pv base = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, gf_sync;", gf_ptx_spell(base).text);
    gf_pv at = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_MUL, index, gf_ptx_u32(size)), gf_ptx_u32(offset));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, base, at));
}

/* The partial result of a thread. */
static gf_pv fold_address(gf_ptx_emit *e, gf_pv tid) {
    e->p.has_fold = true;
    return gf_ptx_sync_address(e, GF_PTX_SYNC_FOLD, tid, 8);
}

void gf_ptx_put_shared(gf_ptx_emit *e, gf_pv address, int offset, gf_pv v) {
    gf_pv bits = gf_ptx_register(&e->p, as_bits(e, v));
    gf_ptx_line(&e->p, "st.shared.b%d [%s+%d], %s;", is_wide(v) ? 64 : 32, gf_ptx_spell(address).text, offset,
                gf_ptx_spell(bits).text);
}

gf_pv gf_ptx_get_shared(gf_ptx_emit *e, gf_type type, gf_pv address, int offset) {
    gf_pv bits = gf_ptx_new_value(&e->p, gf_type_bytes(type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32);
    gf_ptx_line(&e->p, "ld.shared.b%d %s, [%s+%d];", gf_type_bytes(type) == 8 ? 64 : 32, gf_ptx_spell(bits).text,
                gf_ptx_spell(address).text, offset);
    return from_bits(e, type, bits);
}

static gf_pv choose(gf_ptx_emit *e, gf_pv condition, gf_pv a, gf_pv b) {
    return gf_ptx_op(&e->p, GF_OP_SELECT, a.type, GF_TYPE_NONE, condition, a, b);
}

gf_pv gf_ptx_threads(gf_ptx_emit *e) {
    gf_pv count = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, %%ntid.x;", gf_ptx_spell(count).text);
    return count;
}

gf_pv gf_ptx_special(gf_ptx_emit *e, const char *name) {
    gf_pv block = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, %s;", gf_ptx_spell(block).text, name);
    return block;
}

gf_pv gf_ptx_broadcast(gf_ptx_emit *e, gf_pv value) {
    gf_type type = value.type;
    gf_pv kept = type == GF_TYPE_BOOL ? gf_ptx_cast(&e->p, GF_TYPE_U32, value) : value;
    uint32_t others = gf_ptx_label(&e->p);
    gf_pv zero = gf_ptx_sync_address(e, GF_PTX_SYNC_VALUE, gf_ptx_u32(0), 8);
    gf_ptx_sync(e); /* all have read what stood there */
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, others);
    gf_ptx_put_shared(e, zero, 0, kept);
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
    gf_pv got = gf_ptx_get_shared(e, kept.type, zero, 0);
    return type == GF_TYPE_BOOL ? gf_ptx_do(e, GF_OP_NE, got, gf_ptx_u32(0)) : got;
}

/* ---- of a block ---- */

static gf_pv vote_block(gf_ptx_emit *e, gf_combine combine, gf_pv value) {
    gf_pv mine = gf_ptx_register(&e->p, value), got = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    bool all = combine == GF_COMBINE_AND || combine == GF_COMBINE_MIN;
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    gf_ptx_line(&e->p, "bar.red.%s.pred %s, 0, %s;", all ? "and" : "or", gf_ptx_spell(got).text,
                gf_ptx_spell(mine).text);
    return got;
}

static gf_pv fold_warp(gf_ptx_emit *e, gf_combine combine, gf_pv value) {
    for (unsigned by = 16; by > 0; by /= 2) {
        value = gf_ptx_combine(&e->p, combine, value.type, value, gf_ptx_shuffled(e, "bfly", value, by));
    }
    return value;
}

gf_pv gf_ptx_fold_block(gf_ptx_emit *e, gf_combine combine, gf_type type, gf_pv value) {
    if (type == GF_TYPE_BOOL) {
        return vote_block(e, combine, value);
    }
    gf_pv tid = gf_ptx_thread(e);
    gf_pv lane = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(31)), warp = gf_ptx_do(e, GF_OP_SHR, tid, gf_ptx_u32(5));
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    value = fold_warp(e, combine, gf_ptx_register(&e->p, value));
    gf_ptx_sync(e);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, lane, gf_ptx_u32(0)), true, others);
    gf_ptx_put_shared(e, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, warp, 8), 0, value);
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
    gf_pv warps = gf_ptx_do(e, GF_OP_SHR, gf_ptx_do(e, GF_OP_ADD, gf_ptx_threads(e), gf_ptx_u32(31)), gf_ptx_u32(5));
    gf_pv got = gf_ptx_get_shared(e, type, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, lane, 8), 0);
    got = choose(e, gf_ptx_do(e, GF_OP_LT, lane, warps), got, gf_ptx_neutral(combine, type));
    return fold_warp(e, combine, gf_ptx_register(&e->p, got));
}

/* p with p + 128, then 64, ... 1. */
gf_pv gf_ptx_fold_team(gf_ptx_emit *e, gf_combine combine, gf_type type, gf_pv partial) {
    gf_pv tid = gf_ptx_thread(e), p = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(TEAM - 1));
    gf_pv own = fold_address(e, tid), value = gf_ptx_new_value(&e->p, type);
    gf_ptx_move(&e->p, value, partial);
    gf_ptx_sync(e);
    gf_ptx_put_shared(e, own, 0, value);
    gf_ptx_sync(e);
    for (unsigned by = TEAM / 2; by >= 32; by /= 2) {
        uint32_t others = gf_ptx_label(&e->p);
        gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, p, gf_ptx_u32(by)), true, others);
        gf_ptx_move(&e->p, value,
                    gf_ptx_combine(&e->p, combine, type, value, gf_ptx_get_shared(e, type, own, (int)by * 8)));
        gf_ptx_put_shared(e, own, 0, value);
        gf_ptx_place(&e->p, others);
        gf_ptx_sync(e);
    }
    for (unsigned by = 16; by > 0; by /= 2) {
        gf_ptx_move(&e->p, value, gf_ptx_combine(&e->p, combine, type, value, gf_ptx_shuffled(e, "down", value, by)));
    }
    return value;
}

static bool is_ordered(gf_combine combine, gf_type type) {
    return combine == GF_COMBINE_ADD && gf_type_is_float(type);
}

/* A workgroup has at most 1024 lanes, and the block at least that many threads (those beyond have neutral values). */
gf_pv gf_ptx_fold_group(gf_ptx_emit *e, gf_combine combine, gf_type type, uint32_t size, gf_pv value) {
    if (!is_ordered(combine, type)) {
        return gf_ptx_fold_block(e, combine, type, value);
    }
    gf_pv tid = gf_ptx_thread(e), own = fold_address(e, tid);
    gf_pv sum = gf_ptx_new_value(&e->p, type);
    gf_ptx_move(&e->p, sum, value);
    gf_ptx_sync(e);
    gf_ptx_put_shared(e, own, 0, sum);
    gf_ptx_sync(e);
    uint32_t top = 1;
    while (top < size && top < TEAM) {
        top *= 2;
    }
    for (uint32_t from = TEAM; from < size; from += TEAM) {
        uint32_t others = gf_ptx_label(&e->p);
        gf_pv there = gf_ptx_do(e, GF_OP_LT, gf_ptx_do(e, GF_OP_ADD, tid, gf_ptx_u32(from)), gf_ptx_u32(size));
        gf_pv mine = gf_ptx_do(e, GF_OP_AND, there, gf_ptx_do(e, GF_OP_LT, tid, gf_ptx_u32(TEAM)));
        gf_ptx_jump_if(&e->p, mine, false, others);
        gf_ptx_move(&e->p, sum,
                    gf_ptx_combine(&e->p, combine, type, sum, gf_ptx_get_shared(e, type, own, (int)from * 8)));
        gf_ptx_place(&e->p, others);
    }
    if (size > TEAM) {
        gf_ptx_sync(e);
        gf_ptx_put_shared(e, own, 0, sum);
        gf_ptx_sync(e);
    }
    for (uint32_t by = top / 2; by > 0; by /= 2) {
        uint32_t others = gf_ptx_label(&e->p);
        gf_pv other = gf_ptx_do(e, GF_OP_ADD, tid, gf_ptx_u32(by));
        gf_pv mine = gf_ptx_do(e, GF_OP_AND, gf_ptx_do(e, GF_OP_LT, tid, gf_ptx_u32(by)),
                               gf_ptx_do(e, GF_OP_LT, other, gf_ptx_u32(size < TEAM ? size : TEAM)));
        gf_ptx_jump_if(&e->p, mine, false, others);
        gf_ptx_move(&e->p, sum,
                    gf_ptx_combine(&e->p, combine, type, sum, gf_ptx_get_shared(e, type, own, (int)by * 8)));
        gf_ptx_put_shared(e, own, 0, sum);
        gf_ptx_place(&e->p, others);
        gf_ptx_sync(e);
    }
    return gf_ptx_broadcast(e, sum);
}

gf_pv gf_ptx_scan_block(gf_ptx_emit *e, gf_type type, gf_pv value, gf_pv *total) {
    gf_pv tid = gf_ptx_thread(e);
    gf_pv lane = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(31)), warp = gf_ptx_do(e, GF_OP_SHR, tid, gf_ptx_u32(5));
    gf_pv sum = gf_ptx_new_value(&e->p, type), mine = gf_ptx_new_value(&e->p, type), zero = gf_ptx_constant(type, 0);
    gf_ptx_move(&e->p, mine, value);
    gf_ptx_move(&e->p, sum, value);
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    for (unsigned by = 1; by < 32; by *= 2) {
        gf_pv from = gf_ptx_shuffled(e, "up", sum, by);
        from = choose(e, gf_ptx_do(e, GF_OP_GE, lane, gf_ptx_u32(by)), from, zero);
        gf_ptx_move(&e->p, sum, gf_ptx_do(e, GF_OP_ADD, sum, from));
    }
    uint32_t not_last = gf_ptx_label(&e->p);
    gf_ptx_sync(e);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, lane, gf_ptx_u32(31)), true, not_last);
    gf_ptx_put_shared(e, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, warp, 8), 0, sum);
    gf_ptx_place(&e->p, not_last);
    gf_ptx_sync(e);
    gf_pv warps = gf_ptx_do(e, GF_OP_SHR, gf_ptx_threads(e), gf_ptx_u32(5));
    gf_pv of_warp = gf_ptx_get_shared(e, type, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, lane, 8), 0);
    of_warp = gf_ptx_register(&e->p, choose(e, gf_ptx_do(e, GF_OP_LT, lane, warps), of_warp, zero));
    gf_pv before = gf_ptx_register(&e->p, choose(e, gf_ptx_do(e, GF_OP_LT, lane, warp), of_warp, zero));
    before = fold_warp(e, GF_COMBINE_ADD, before);
    if (total != NULL) {
        *total = fold_warp(e, GF_COMBINE_ADD, of_warp);
    }
    return gf_ptx_do(e, GF_OP_ADD, before, gf_ptx_do(e, GF_OP_SUB, sum, mine));
}

/* ---- of the grid ---- */

static bool writes(const gf_segment *segment, uint32_t buffer) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer == buffer && segment->buffers[i].role != GF_ROLE_IN) {
            return true;
        }
    }
    return false;
}

static void count_nodes(const gf_plan_block *block, uint32_t buffer, unsigned *reduces, unsigned *scans,
                        const gf_plan_node **node) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *at = block->items[i];
        if (at->kind == GF_PLAN_REDUCE && at->buffer == buffer) {
            *node = at;
            ++*reduces;
        }
        *scans += at->kind == GF_PLAN_SCAN && (at->buffer == buffer || at->second == buffer);
        count_nodes(at->body, buffer, reduces, scans, node);
        count_nodes(at->otherwise, buffer, reduces, scans, node);
    }
}

/* Written by one segment, and reduced by one node. */
static bool fuse_one(gf_ptx_walk *walk, uint32_t buffer) {
    const gf_plan *plan = walk->plan;
    const gf_plan_node *node = NULL;
    const gf_segment *writer = NULL;
    unsigned reduces = 0, scans = 0, writers = 0;
    if (plan->buffers[buffer].kind != GF_PLAN_BUFFER_VALUES) {
        return false;
    }
    count_nodes(plan->body, buffer, &reduces, &scans, &node);
    for (size_t k = 0; k < plan->segment_count; k++) {
        if (writes(plan->segments[k], buffer)) {
            writer = plan->segments[k];
            writers++;
        }
    }
    if (reduces != 1 || scans != 0 || writers != 1) {
        return false;
    }
    gf_type stored = gf_type_loaded(plan->buffers[buffer].symbol->type);
    bool is_bool = node->target->type == GF_TYPE_BOOL;
    walk->fuse[buffer] = (gf_ptx_fuse){.is_fused = true,
                                       .is_ordered = is_ordered(node->combine, stored),
                                       .by_group = node->by_group,
                                       .is_vote = is_bool,
                                       .combine = node->combine,
                                       .writer = writer,
                                       .type = is_bool ? GF_TYPE_BOOL : stored};
    return true;
}

void gf_ptx_find_fused(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    for (uint32_t i = 0; i < walk->plan->buffer_count; i++) {
        if (!fuse_one(walk, i)) {
            continue;
        }
        gf_ptx_array *own = gf_new(e->arena, gf_ptx_array);
        *own = (gf_ptx_array){.space = GF_PTX_OWN};
        walk->arrays[i] = own;
    }
    gf_ptx_begin_fused(walk);
}

void gf_ptx_begin_fused(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    for (uint32_t i = 0; i < walk->plan->buffer_count; i++) {
        gf_ptx_fuse *fuse = &walk->fuse[i];
        if (!fuse->is_fused) {
            continue;
        }
        gf_type type = gf_type_loaded(walk->plan->buffers[i].symbol->type);
        fuse->sum = gf_ptx_new_value(&e->p, type);
        fuse->count = gf_ptx_new_value(&e->p, GF_TYPE_U64);
        fuse->parity = gf_ptx_new_value(&e->p, GF_TYPE_U32);
        fuse->vote = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
        gf_ptx_move(&e->p, fuse->sum, gf_ptx_constant(type, 0));
        gf_ptx_move(&e->p, fuse->count, gf_ptx_u64(0));
        gf_ptx_move(&e->p, fuse->parity, gf_ptx_u32(0));
        walk->arrays[i]->own = gf_ptx_new_value(&e->p, type);
        gf_ptx_move(&e->p, walk->arrays[i]->own, gf_ptx_constant(type, 0));
    }
}

/* Of the area that is written now, or of the third. */
static gf_pv result_address(gf_ptx_walk *walk, uint32_t buffer, bool second, gf_pv index) {
    gf_ptx_emit *e = walk->e;
    size_t word = gf_ptx_arg_of_buffer(walk->plan, buffer);
    gf_pv base = gf_ptx_arg(e, GF_TYPE_U64, word), capacity = gf_ptx_arg(e, GF_TYPE_U64, word + 1);
    gf_pv area = second ? gf_ptx_u64(2) : gf_ptx_cast(&e->p, GF_TYPE_U64, walk->fuse[buffer].parity);
    gf_pv at = gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_MUL, area, capacity), index);
    at = gf_ptx_do(e, GF_OP_ADD, base, gf_ptx_do(e, GF_OP_MUL, at, gf_ptx_u64(8)));
    return gf_ptx_register(&e->p, at);
}

static void put_at(gf_ptx_emit *e, gf_pv mine, gf_pv address, gf_pv value) {
    gf_pv bits = gf_ptx_register(&e->p, as_bits(e, value));
    mine = gf_ptx_register(&e->p, mine);
    gf_ptx_line(&e->p, "@%s st.global.b%d [%s], %s;", gf_ptx_spell(mine).text, is_wide(value) ? 64 : 32,
                gf_ptx_spell(address).text, gf_ptx_spell(bits).text);
}

static gf_pv get_at(gf_ptx_emit *e, gf_type type, gf_pv address) {
    gf_pv bits = gf_ptx_new_value(&e->p, gf_type_bytes(type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32);
    gf_ptx_line(&e->p, "ld.global.b%d %s, [%s];", gf_type_bytes(type) == 8 ? 64 : 32, gf_ptx_spell(bits).text,
                gf_ptx_spell(address).text);
    return from_bits(e, type, bits);
}

void gf_ptx_put_result(gf_ptx_walk *walk, uint32_t buffer, gf_pv mine, gf_pv index, gf_pv value) {
    put_at(walk->e, mine, result_address(walk, buffer, false, index), value);
}

/* What threads have summed up as they came: a result per block, by all blocks. */
static void publish_block(gf_ptx_walk *walk, uint32_t buffer) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[buffer];
    gf_type type = fuse->sum.type;
    gf_pv value = gf_ptx_fold_block(e, fuse->combine, type, fuse->sum);
    gf_pv block = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_special(e, "%ctaid.x"));
    gf_ptx_put_result(walk, buffer, gf_ptx_do(e, GF_OP_EQ, gf_ptx_thread(e), gf_ptx_u32(0)), block, value);
    gf_ptx_move(&e->p, fuse->count, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_special(e, "%nctaid.x")));
}

void gf_ptx_publish_stage(gf_ptx_walk *walk, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        if (fuse->is_fused && fuse->writer == segment && !fuse->is_ordered) {
            publish_block(walk, segment->buffers[i].buffer);
        }
    }
}

/* The values of a segment: one barrier for all of them, which carries the first that is a bool. */
static void publish(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *carried = NULL;
    gf_pv vote = gf_ptx_constant(GF_TYPE_BOOL, 0);
    for (size_t i = 0; i < segment->buffer_count; i++) {
        gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        if (!fuse->is_fused || fuse->is_published) {
            continue;
        }
        fuse->is_published = true;
        if (fuse->is_vote && carried == NULL) {
            carried = fuse;
            bool all = fuse->combine == GF_COMBINE_AND || fuse->combine == GF_COMBINE_MIN;
            vote = gf_ptx_do(e, all ? GF_OP_EQ : GF_OP_NE, fuse->sum, gf_ptx_u32(0));
            continue;
        }
        fuse->is_vote = false;
        if (!fuse->is_ordered) {
            publish_block(walk, segment->buffers[i].buffer);
        }
    }
    gf_pv any = gf_ptx_grid_barrier(walk, carried != NULL ? &vote : NULL);
    if (carried != NULL) {
        bool all = carried->combine == GF_COMBINE_AND || carried->combine == GF_COMBINE_MIN;
        gf_ptx_move(&e->p, carried->vote,
                    all ? gf_ptx_op(&e->p, GF_OP_NOT, GF_TYPE_BOOL, GF_TYPE_NONE, any, any, any) : any);
    }
    walk->after_write = walk->after_read = false;
}

/* for k = thread; k < count; k += step: `value` is combined with result k. */
static void gather(gf_ptx_walk *walk, uint32_t buffer, bool second, gf_pv value, gf_pv first, gf_pv end, gf_pv step) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[buffer];
    gf_pv k = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, k, first);
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, k, end), true, done);
    gf_pv got = get_at(e, value.type, result_address(walk, buffer, second, k));
    gf_ptx_move(&e->p, value, gf_ptx_combine(&e->p, fuse->combine, value.type, value, got));
    gf_ptx_move(&e->p, k, gf_ptx_do(e, GF_OP_ADD, k, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
}

/* Results of more blocks than make one block of results: once more, team by team, into the third area. */
static void reduce_results(gf_ptx_walk *walk, uint32_t buffer, gf_pv count, gf_pv second) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[buffer];
    gf_pv tid = gf_ptx_thread(e), p = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(TEAM - 1));
    gf_pv teams = gf_ptx_do(e, GF_OP_SHR, gf_ptx_threads(e), gf_ptx_u32(8));
    gf_pv team = gf_ptx_do(e, GF_OP_SHR, tid, gf_ptx_u32(8));
    gf_pv blocks = gf_ptx_do(e, GF_OP_SHR, gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_u64(BLOCK - 1)), gf_ptx_u32(12));
    gf_pv at = gf_ptx_new_value(&e->p, GF_TYPE_U64), value = gf_ptx_new_value(&e->p, fuse->sum.type);
    gf_pv wide_teams = gf_ptx_cast(&e->p, GF_TYPE_U64, teams);
    /* Between kernels there is nobody to meet: each block does all of it, and leaves what the others leave. */
    gf_pv mine_first = walk->by_stages ? gf_ptx_u32(0) : gf_ptx_special(e, "%ctaid.x");
    gf_pv grid = walk->by_stages ? gf_ptx_u32(1) : gf_ptx_special(e, "%nctaid.x");
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, mine_first), wide_teams));
    gf_pv step = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, grid), wide_teams);
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, at, blocks), true, done);
    gf_pv block = gf_ptx_do(e, GF_OP_ADD, at, gf_ptx_cast(&e->p, GF_TYPE_U64, team));
    gf_pv first = gf_ptx_do(e, GF_OP_MUL, block, gf_ptx_u64(BLOCK));
    gf_pv end = gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_u64(BLOCK)));
    gf_ptx_move(&e->p, value, gf_ptx_neutral(fuse->combine, value.type));
    gather(walk, buffer, false, value, gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_cast(&e->p, GF_TYPE_U64, p)), end,
           gf_ptx_u64(TEAM));
    gf_pv sum = gf_ptx_fold_team(e, fuse->combine, value.type, value);
    gf_pv mine =
        gf_ptx_do(e, GF_OP_AND, gf_ptx_do(e, GF_OP_EQ, p, gf_ptx_u32(0)), gf_ptx_do(e, GF_OP_LT, block, blocks));
    put_at(e, mine, result_address(walk, buffer, true, block), sum);
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_ADD, at, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
    if (walk->by_stages) {
        gf_ptx_sync(e);
    } else {
        (void)gf_ptx_grid_barrier(walk, NULL);
    }
    gf_ptx_move(&e->p, second, blocks);
}

/* Every block combines the results of all blocks for itself: cheaper than to wait once more. */
static gf_pv reduce_ordered(gf_ptx_walk *walk, uint32_t buffer) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[buffer];
    gf_pv value = gf_ptx_new_value(&e->p, fuse->sum.type), second = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_pv tid = gf_ptx_thread(e), neutral = gf_ptx_neutral(fuse->combine, value.type);
    uint32_t one = gf_ptx_label(&e->p), summed = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, value, neutral);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LE, fuse->count, gf_ptx_u64(BLOCK)), true, one);
    reduce_results(walk, buffer, fuse->count, second);
    for (int level = 0; level < 2; level++) {
        uint32_t skip = level == 0 ? summed : done;
        gf_pv end = level == 0 ? second : fuse->count;
        gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, tid, gf_ptx_u32(TEAM)), true, skip);
        gather(walk, buffer, level == 0, value, gf_ptx_cast(&e->p, GF_TYPE_U64, tid), end, gf_ptx_u64(TEAM));
        if (level == 0) {
            gf_ptx_place(&e->p, summed);
            gf_ptx_jump(&e->p, done);
            gf_ptx_place(&e->p, one);
        }
    }
    gf_ptx_place(&e->p, done);
    return gf_ptx_broadcast(e, gf_ptx_fold_team(e, fuse->combine, value.type, value));
}

static gf_pv reduce_unordered(gf_ptx_walk *walk, uint32_t buffer) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[buffer];
    gf_pv value = gf_ptx_new_value(&e->p, fuse->sum.type);
    gf_ptx_move(&e->p, value, gf_ptx_constant(value.type, gf_ptx_neutral(fuse->combine, fuse->type).bits));
    gather(walk, buffer, false, value, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_thread(e)), fuse->count,
           gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_threads(e)));
    return gf_ptx_fold_block(e, fuse->combine, value.type, value);
}

void gf_ptx_reduce_grid(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[node->buffer];
    if (!fuse->is_fused) {
        e->failed = true;
        e->why = "a reduction of values that several segments make";
        return;
    }
    if (!fuse->is_published && !walk->by_stages) {
        publish(walk, fuse->writer);
    }
    gf_pv value, target = walk->names[node->target->id].value;
    if (fuse->is_vote && !walk->by_stages) {
        value = fuse->vote;
    } else {
        value = fuse->is_ordered ? reduce_ordered(walk, node->buffer) : reduce_unordered(walk, node->buffer);
        if (!walk->by_stages) {
            gf_ptx_move(&e->p, fuse->parity, gf_ptx_do(e, GF_OP_XOR, fuse->parity, gf_ptx_u32(1)));
        }
        value = target.type == GF_TYPE_BOOL ? gf_ptx_do(e, GF_OP_NE, value, gf_ptx_u32(0)) : value;
    }
    if (node->keep_old) {
        value = gf_ptx_combine(&e->p, node->combine, target.type, target, value);
    }
    gf_ptx_move(&e->p, target, value);
}

/* ---- prefix sums of the grid ---- */

typedef struct sums {
    gf_type type;
    gf_pv from, to; /* addresses */
    gf_pv begin, end;
} sums;

static gf_pv element(gf_ptx_emit *e, const sums *s, gf_pv base, gf_pv index) {
    gf_pv offset = gf_ptx_do(e, GF_OP_MUL, index, gf_ptx_u64(gf_type_bytes(s->type)));
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, base, offset));
}

static gf_pv slot_of(gf_ptx_walk *walk, gf_pv index) {
    gf_ptx_emit *e = walk->e;
    gf_pv area = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, walk->scan_parity),
                           gf_ptx_u64((uint64_t)8 * GF_PTX_MOST_BLOCKS));
    gf_pv base = gf_ptx_do(e, GF_OP_ADD, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_STATE), gf_ptx_u64(GF_PTX_STATE_SCAN));
    base = gf_ptx_do(e, GF_OP_ADD, base, area);
    return gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, base, gf_ptx_do(e, GF_OP_MUL, index, gf_ptx_u64(8))));
}

/* The sum of this block's part. */
static gf_pv sum_part(gf_ptx_emit *e, const sums *s) {
    gf_pv sum = gf_ptx_new_value(&e->p, s->type), i = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_pv step = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_threads(e));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, sum, gf_ptx_constant(s->type, 0));
    gf_ptx_move(&e->p, i, gf_ptx_do(e, GF_OP_ADD, s->begin, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_thread(e))));
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, i, s->end), true, done);
    gf_ptx_move(&e->p, sum, gf_ptx_do(e, GF_OP_ADD, sum, get_at(e, s->type, element(e, s, s->from, i))));
    gf_ptx_move(&e->p, i, gf_ptx_do(e, GF_OP_ADD, i, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
    return gf_ptx_fold_block(e, GF_COMBINE_ADD, s->type, sum);
}

/* What lies before this block's part: the sums of the blocks before it. */
static gf_pv sum_before(gf_ptx_walk *walk, const sums *s) {
    gf_ptx_emit *e = walk->e;
    gf_pv sum = gf_ptx_new_value(&e->p, s->type), k = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_pv step = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_threads(e));
    gf_pv block = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_special(e, "%ctaid.x"));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, sum, gf_ptx_constant(s->type, 0));
    gf_ptx_move(&e->p, k, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_thread(e)));
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, k, block), true, done);
    gf_ptx_move(&e->p, sum, gf_ptx_do(e, GF_OP_ADD, sum, get_at(e, s->type, slot_of(walk, k))));
    gf_ptx_move(&e->p, k, gf_ptx_do(e, GF_OP_ADD, k, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
    return gf_ptx_fold_block(e, GF_COMBINE_ADD, s->type, sum);
}

static void scan_part(gf_ptx_emit *e, const sums *s, gf_pv before) {
    gf_pv carry = gf_ptx_new_value(&e->p, s->type), tile = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_pv value = gf_ptx_new_value(&e->p, s->type), total = value;
    gf_pv threads = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_threads(e));
    gf_pv tid = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_thread(e));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p), none = gf_ptx_label(&e->p),
             past = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, carry, before);
    gf_ptx_move(&e->p, tile, s->begin);
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, tile, s->end), true, done);
    gf_pv i = gf_ptx_do(e, GF_OP_ADD, tile, tid), inside = gf_ptx_do(e, GF_OP_LT, i, s->end);
    gf_ptx_move(&e->p, value, gf_ptx_constant(s->type, 0));
    gf_ptx_jump_if(&e->p, inside, false, none);
    gf_ptx_move(&e->p, value, get_at(e, s->type, element(e, s, s->from, i)));
    gf_ptx_place(&e->p, none);
    gf_pv sum = gf_ptx_scan_block(e, s->type, value, &total);
    gf_ptx_jump_if(&e->p, inside, false, past);
    put_at(e, inside, element(e, s, s->to, i), gf_ptx_do(e, GF_OP_ADD, carry, sum));
    gf_ptx_place(&e->p, past);
    gf_ptx_move(&e->p, carry, gf_ptx_do(e, GF_OP_ADD, carry, total));
    gf_ptx_move(&e->p, tile, gf_ptx_do(e, GF_OP_ADD, tile, threads));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
}

static sums scan_of(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    size_t from = gf_ptx_arg_of_buffer(walk->plan, node->buffer), to = gf_ptx_arg_of_buffer(walk->plan, node->second);
    gf_pv count = gf_ptx_do(e, GF_OP_MIN, gf_ptx_arg(e, GF_TYPE_U64, from + 1), gf_ptx_arg(e, GF_TYPE_U64, to + 1));
    if (node->count != NULL) {
        gf_pv asked = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_emit_scalar(walk, node->count));
        count = gf_ptx_do(e, GF_OP_MIN, count, asked);
    }
    gf_ptx_settle(walk);
    gf_pv blocks = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_special(e, "%nctaid.x"));
    gf_pv block = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_special(e, "%ctaid.x"));
    gf_pv up = gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_do(e, GF_OP_SUB, blocks, gf_ptx_u64(1)));
    gf_pv part = gf_ptx_do(e, GF_OP_DIV, up, blocks);
    sums s = {.type = walk->plan->buffers[node->buffer].symbol->type};
    s.from = gf_ptx_arg(e, GF_TYPE_U64, from);
    s.to = gf_ptx_arg(e, GF_TYPE_U64, to);
    s.begin = gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_do(e, GF_OP_MUL, block, part));
    s.end = gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_do(e, GF_OP_ADD, s.begin, part));
    return s;
}

static void put_sum(gf_ptx_walk *walk, const sums *s) {
    gf_ptx_emit *e = walk->e;
    gf_pv sum = sum_part(e, s), block = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_special(e, "%ctaid.x"));
    put_at(e, gf_ptx_do(e, GF_OP_EQ, gf_ptx_thread(e), gf_ptx_u32(0)), slot_of(walk, block), sum);
}

void gf_ptx_scan_part(gf_ptx_walk *walk, const gf_plan_node *node, bool second) {
    sums s = scan_of(walk, node);
    if (second) {
        scan_part(walk->e, &s, sum_before(walk, &s));
    } else {
        put_sum(walk, &s);
    }
}

/* Each block sums up its part, meets the others, and goes over its part once more. */
void gf_ptx_scan_grid(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    sums s = scan_of(walk, node);
    put_sum(walk, &s);
    (void)gf_ptx_grid_barrier(walk, NULL);
    scan_part(e, &s, sum_before(walk, &s));
    gf_ptx_move(&e->p, walk->scan_parity, gf_ptx_do(e, GF_OP_XOR, walk->scan_parity, gf_ptx_u32(1)));
    walk->after_write = true;
    walk->after_read = false;
}
