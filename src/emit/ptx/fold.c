/* Combining what threads have. Sums of floats go by the language's fixed order: partial result p of 256 takes the
 * elements p, p + 256, ... of a block of 4096, and the partial results are halved; what is missing adds -0.0, which
 * changes nothing. Anything else may be taken as it comes. */
#include "emit/ptx/grid.h"
#include "ir/program.h"
#include <stdio.h>
#include <string.h>

#define TEAM 256

/* ---- shuffles ---- */

static bool is_wide(gf_pv v) {
    return gf_type_bytes(v.type) == 8;
}

gf_pv gf_ptx_as_bits(gf_ptx_emit *e, gf_pv v) {
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

gf_pv gf_ptx_from_bits(gf_ptx_emit *e, gf_type type, gf_pv bits) {
    if (!gf_type_is_float(type)) {
        bits.type = type;
        return bits;
    }
    gf_pv v = gf_ptx_new_value(&e->p, type);
    bits = gf_ptx_register(&e->p, bits);
    gf_ptx_line(&e->p, "mov.b%d %s, %s;", is_wide(v) ? 64 : 32, gf_ptx_spell(v).text, gf_ptx_spell(bits).text);
    return v;
}

static void shuffle_word(gf_ptx_emit *e, const char *mode, gf_pv to, gf_pv from, const char *by) {
    const char *clamp = strcmp(mode, "up") == 0 ? "0" : "31";
    gf_ptx_line(&e->p, "shfl.sync.%s.b32 %s, %s, %s, %s, 0xffffffff;", mode, gf_ptx_spell(to).text,
                gf_ptx_spell(from).text, by, clamp);
}

static gf_pv shuffle(gf_ptx_emit *e, const char *mode, gf_pv v, const char *by) {
    gf_pv bits = gf_ptx_register(&e->p, gf_ptx_as_bits(e, v)), got = gf_ptx_new_value(&e->p, bits.type);
    if (!is_wide(v)) {
        shuffle_word(e, mode, got, bits, by);
        return gf_ptx_from_bits(e, v.type, got);
    }
    gf_pv halves[2], halves_got[2];
    for (int i = 0; i < 2; i++) {
        halves[i] = gf_ptx_new_value(&e->p, GF_TYPE_U32);
        halves_got[i] = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    }
    gf_ptx_line(&e->p, "mov.b64 {%s, %s}, %s;", gf_ptx_spell(halves[0]).text, gf_ptx_spell(halves[1]).text,
                gf_ptx_spell(bits).text);
    for (int i = 0; i < 2; i++) {
        shuffle_word(e, mode, halves_got[i], halves[i], by);
    }
    gf_ptx_line(&e->p, "mov.b64 %s, {%s, %s};", gf_ptx_spell(got).text, gf_ptx_spell(halves_got[0]).text,
                gf_ptx_spell(halves_got[1]).text);
    return gf_ptx_from_bits(e, v.type, got);
}

/* Of the lane `by` away: "down", "up", "bfly". */
gf_pv gf_ptx_shuffled(gf_ptx_emit *e, const char *mode, gf_pv v, unsigned by) {
    char text[16];
    (void)snprintf(text, sizeof text, "%u", by);
    return shuffle(e, mode, v, text);
}

gf_pv gf_ptx_from_lane(gf_ptx_emit *e, gf_pv v, gf_pv lane) {
    bool is_bool = v.type == GF_TYPE_BOOL;
    if (v.is_constant) {
        return v;
    }
    gf_pv got = shuffle(e, "idx", is_bool ? gf_ptx_cast(&e->p, GF_TYPE_U32, v) : v, gf_ptx_spell(lane).text);
    return is_bool ? gf_ptx_do(e, GF_OP_NE, got, gf_ptx_u32(0)) : got;
}

gf_pv gf_ptx_from_last_lane(gf_ptx_emit *e, gf_pv v) {
    return gf_ptx_from_lane(e, v, gf_ptx_register(&e->p, gf_ptx_u32(31)));
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
    gf_pv bits = gf_ptx_register(&e->p, gf_ptx_as_bits(e, v));
    gf_ptx_line(&e->p, "st.shared.b%d [%s+%d], %s;", is_wide(v) ? 64 : 32, gf_ptx_spell(address).text, offset,
                gf_ptx_spell(bits).text);
}

gf_pv gf_ptx_get_shared(gf_ptx_emit *e, gf_type type, gf_pv address, int offset) {
    gf_pv bits = gf_ptx_new_value(&e->p, gf_type_bytes(type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32);
    gf_ptx_line(&e->p, "ld.shared.b%d %s, [%s+%d];", gf_type_bytes(type) == 8 ? 64 : 32, gf_ptx_spell(bits).text,
                gf_ptx_spell(address).text, offset);
    return gf_ptx_from_bits(e, type, bits);
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

gf_pv gf_ptx_fold_warp(gf_ptx_emit *e, gf_combine combine, gf_pv value) {
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
    value = gf_ptx_fold_warp(e, combine, gf_ptx_register(&e->p, value));
    gf_ptx_sync(e);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, lane, gf_ptx_u32(0)), true, others);
    gf_ptx_put_shared(e, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, warp, 8), 0, value);
    gf_ptx_place(&e->p, others);
    gf_ptx_sync(e);
    gf_pv warps = gf_ptx_do(e, GF_OP_SHR, gf_ptx_do(e, GF_OP_ADD, gf_ptx_threads(e), gf_ptx_u32(31)), gf_ptx_u32(5));
    gf_pv got = gf_ptx_get_shared(e, type, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, lane, 8), 0);
    got = gf_ptx_choose(e, gf_ptx_do(e, GF_OP_LT, lane, warps), got, gf_ptx_neutral(combine, type));
    return gf_ptx_fold_warp(e, combine, gf_ptx_register(&e->p, got));
}

/* p with p + 128, then 64, 32, where a lane has p, p + 32, ... */
static gf_pv halve(gf_ptx_emit *e, gf_combine combine, gf_pv partial[TEAM / 32]) {
    for (unsigned by = TEAM / 64; by > 0; by /= 2) {
        for (unsigned k = 0; k < by; k++) {
            partial[k] = gf_ptx_combine(&e->p, combine, partial[k].type, partial[k], partial[k + by]);
        }
    }
    return partial[0];
}

/* The first warp of a team adds up what its threads have. */
gf_pv gf_ptx_fold_team(gf_ptx_emit *e, gf_combine combine, gf_type type, gf_pv partial) {
    gf_pv tid = gf_ptx_thread(e), p = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(TEAM - 1));
    gf_pv own = fold_address(e, tid), value = gf_ptx_new_value(&e->p, type), all[TEAM / 32];
    uint32_t others = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, value, partial);
    gf_ptx_sync(e);
    gf_ptx_put_shared(e, own, 0, value);
    gf_ptx_sync(e);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, p, gf_ptx_u32(32)), true, others);
    for (unsigned k = 0; k < TEAM / 32; k++) {
        all[k] = gf_ptx_get_shared(e, type, own, (int)k * 32 * 8);
    }
    gf_ptx_move(&e->p, value, halve(e, combine, all));
    gf_ptx_place(&e->p, others);
    for (unsigned by = 16; by > 0; by /= 2) {
        gf_ptx_move(&e->p, value, gf_ptx_combine(&e->p, combine, type, value, gf_ptx_shuffled(e, "down", value, by)));
    }
    return value;
}

gf_pv gf_ptx_fold_few(gf_ptx_emit *e, gf_combine combine, gf_type type, gf_pv address, gf_pv count) {
    gf_pv lane = gf_ptx_new_value(&e->p, GF_TYPE_U32), all[TEAM / 32];
    gf_ptx_line(&e->p, "mov.u32 %s, %%laneid;", gf_ptx_spell(lane).text);
    gf_pv own = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, lane), gf_ptx_u64(8));
    own = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, address, own));
    for (unsigned k = 0; k < TEAM / 32; k++) {
        gf_pv there = gf_ptx_do(e, GF_OP_LT, gf_ptx_do(e, GF_OP_ADD, lane, gf_ptx_u32((uint64_t)k * 32)), count);
        there = gf_ptx_register(&e->p, there);
        all[k] = gf_ptx_new_value(&e->p, type);
        gf_ptx_move(&e->p, all[k], gf_ptx_neutral(combine, type));
        gf_ptx_line(&e->p, "@%s ld.global.%s %s, [%s+%u];", gf_ptx_spell(there).text,
                    type == GF_TYPE_F64 ? "f64" : "f32", gf_ptx_spell(all[k]).text, gf_ptx_spell(own).text, k * 32 * 8);
    }
    return gf_ptx_fold_warp(e, combine, gf_ptx_register(&e->p, halve(e, combine, all)));
}

bool gf_ptx_is_ordered_sum(gf_combine combine, gf_type type) {
    return combine == GF_COMBINE_ADD && gf_type_is_float(type);
}

/* A workgroup has at most 1024 lanes, and the block at least that many threads (those beyond have neutral values). */
gf_pv gf_ptx_fold_group(gf_ptx_emit *e, gf_combine combine, gf_type type, uint32_t size, gf_pv value) {
    if (!gf_ptx_is_ordered_sum(combine, type)) {
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
        gf_pv mine = gf_ptx_do(e, GF_OP_LT, tid, gf_ptx_u32(by));
        mine = gf_ptx_do(e, GF_OP_AND, mine, gf_ptx_do(e, GF_OP_LT, other, gf_ptx_u32(size < TEAM ? size : TEAM)));
        gf_ptx_jump_if(&e->p, mine, false, others);
        gf_ptx_move(&e->p, sum,
                    gf_ptx_combine(&e->p, combine, type, sum, gf_ptx_get_shared(e, type, own, (int)by * 8)));
        gf_ptx_put_shared(e, own, 0, sum);
        gf_ptx_place(&e->p, others);
        gf_ptx_sync(e);
    }
    return gf_ptx_broadcast(e, sum);
}

gf_pv gf_ptx_scan_warp(gf_ptx_emit *e, gf_pv lane, gf_pv value) {
    gf_pv sum = gf_ptx_variable(e, value);
    for (unsigned by = 1; by < 32; by *= 2) {
        gf_pv from = gf_ptx_register(&e->p, gf_ptx_shuffled(e, "up", sum, by));
        gf_pv adds = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_GE, lane, gf_ptx_u32(by)));
        gf_ptx_line(&e->p, "@%s add.%s %s, %s, %s;", gf_ptx_spell(adds).text, gf_ptx_suffix(sum.type),
                    gf_ptx_spell(sum).text, gf_ptx_spell(sum).text, gf_ptx_spell(from).text);
    }
    return sum;
}

gf_pv gf_ptx_scan_block(gf_ptx_emit *e, gf_type type, gf_pv value, gf_pv *total) {
    gf_pv tid = gf_ptx_thread(e);
    gf_pv lane = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(31)), warp = gf_ptx_do(e, GF_OP_SHR, tid, gf_ptx_u32(5));
    gf_pv mine = gf_ptx_variable(e, value), zero = gf_ptx_constant(type, 0);
    gf_ptx_line(&e->p, "bar.warp.sync 0xffffffff;");
    gf_pv sum = gf_ptx_scan_warp(e, lane, mine);
    uint32_t not_last = gf_ptx_label(&e->p);
    gf_ptx_sync(e);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, lane, gf_ptx_u32(31)), true, not_last);
    gf_ptx_put_shared(e, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, warp, 8), 0, sum);
    gf_ptx_place(&e->p, not_last);
    gf_ptx_sync(e);
    gf_pv warps = gf_ptx_do(e, GF_OP_SHR, gf_ptx_threads(e), gf_ptx_u32(5));
    gf_pv of_warp = gf_ptx_get_shared(e, type, gf_ptx_sync_address(e, GF_PTX_SYNC_WARPS, lane, 8), 0);
    of_warp = gf_ptx_register(&e->p, gf_ptx_choose(e, gf_ptx_do(e, GF_OP_LT, lane, warps), of_warp, zero));
    gf_pv before = gf_ptx_register(&e->p, gf_ptx_choose(e, gf_ptx_do(e, GF_OP_LT, lane, warp), of_warp, zero));
    before = gf_ptx_fold_warp(e, GF_COMBINE_ADD, before);
    if (total != NULL) {
        *total = gf_ptx_fold_warp(e, GF_COMBINE_ADD, of_warp);
    }
    return gf_ptx_do(e, GF_OP_ADD, before, gf_ptx_do(e, GF_OP_SUB, sum, mine));
}

/* ---- memory of the device ---- */

void gf_ptx_put_global(gf_ptx_emit *e, gf_pv mine, gf_pv address, gf_pv value) {
    gf_pv bits = gf_ptx_register(&e->p, gf_ptx_as_bits(e, value));
    mine = gf_ptx_register(&e->p, mine);
    gf_ptx_line(&e->p, "@%s st.global.b%d [%s], %s;", gf_ptx_spell(mine).text, is_wide(value) ? 64 : 32,
                gf_ptx_spell(address).text, gf_ptx_spell(bits).text);
}

gf_pv gf_ptx_get_global(gf_ptx_emit *e, gf_type type, gf_pv address) {
    gf_pv bits = gf_ptx_new_value(&e->p, gf_type_bytes(type) == 8 ? GF_TYPE_U64 : GF_TYPE_U32);
    gf_ptx_line(&e->p, "ld.global.b%d %s, [%s];", gf_type_bytes(type) == 8 ? 64 : 32, gf_ptx_spell(bits).text,
                gf_ptx_spell(address).text);
    return gf_ptx_from_bits(e, type, bits);
}
