/* The invocations of a segment, shared out over the threads of a grid.
 *
 *   by group    a block is a workgroup: where the segment has workgroup arrays or barriers
 *   by item     thread after thread takes the next invocation, whatever workgroup it is of
 *   by team     256 threads take 4096 items in the order in which sums of floats are formed
 *
 * In a native kernel each thread keeps its invocation over the whole run, since that is where its values are. */
#include "emit/ptx/pack.h"
#include "emit/ptx/rows.h"
#include "ir/program.h"
#include "ir/visit.h"
#include <string.h>

#define BLOCK 4096
#define TEAM 256

bool gf_ptx_needs_groups(const gf_tree *tree) {
    return tree->has_group_barrier || gf_tree_count(tree, GF_SYMBOL_SHARED) > 0;
}

static gf_pv special(gf_ptx_emit *e, const char *name) {
    gf_pv value = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    gf_ptx_line(&e->p, "mov.u32 %s, %s;", gf_ptx_spell(value).text, name);
    return value;
}

static gf_pv widen(gf_ptx_emit *e, gf_pv v) {
    return gf_ptx_cast(&e->p, GF_TYPE_U64, v);
}

static gf_pv narrow(gf_ptx_emit *e, gf_pv v) {
    return gf_ptx_cast(&e->p, GF_TYPE_U32, v);
}

/* What the segments of one kernel agree on. */
static uint32_t group_size(const gf_tree *tree) {
    const uint32_t *size = tree->kernel.workgroup;
    return size[0] * size[1] * size[2];
}

bool gf_ptx_has_one_axis(const gf_tree *tree) {
    const gf_kernel_decl *kernel = &tree->kernel;
    return (kernel->space_kind == GF_SPACE_ITEMS || kernel->space_kind == GF_SPACE_GROUPS) && kernel->space_axes <= 1 &&
           kernel->workgroup[1] <= 1 && kernel->workgroup[2] <= 1;
}

/* ---- values that are combined ---- */

static void begin_sums(gf_ptx_walk *walk, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        if (fuse->is_fused && fuse->writer == segment) {
            gf_pv neutral = gf_ptx_neutral(fuse->combine, fuse->type);
            gf_ptx_move(&walk->e->p, fuse->sum, gf_ptx_constant(fuse->sum.type, neutral.bits));
        }
    }
}

static void begin_values(gf_ptx_walk *walk, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        uint32_t buffer = segment->buffers[i].buffer;
        const gf_ptx_fuse *fuse = &walk->fuse[buffer];
        if (fuse->is_fused && fuse->writer == segment) {
            gf_pv neutral = gf_ptx_neutral(fuse->combine, fuse->type);
            gf_ptx_move(&walk->e->p, walk->arrays[buffer]->own, gf_ptx_constant(fuse->sum.type, neutral.bits));
        }
    }
}

/* Whether values of the segment are sums of floats by workgroup, or by forall. */
static bool has_ordered(const gf_ptx_walk *walk, const gf_segment *segment, bool by_group) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        if (fuse->is_fused && fuse->writer == segment && fuse->is_ordered && fuse->by_group == by_group) {
            return true;
        }
    }
    return false;
}

void gf_ptx_add_values(gf_ptx_walk *walk, const gf_segment *segment, bool of_groups) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        uint32_t buffer = segment->buffers[i].buffer;
        gf_ptx_fuse *fuse = &walk->fuse[buffer];
        if (!fuse->is_fused || fuse->writer != segment || (of_groups && fuse->is_ordered)) {
            continue;
        }
        gf_type type = fuse->sum.type;
        gf_ptx_move(&e->p, fuse->sum, gf_ptx_combine(&e->p, fuse->combine, type, fuse->sum, walk->arrays[buffer]->own));
    }
}

/* ---- the invocation ---- */

static void set_space(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    for (int axis = 0; axis < 3; axis++) {
        e->space[axis] = e->groups[axis] = gf_ptx_u32(1);
    }
    if (segment->is_forall) {
        gf_pv count = walk->names[segment->forall_count->id].value;
        e->space[0] = narrow(e, count);
        gf_pv size = gf_ptx_u64(group_size(segment->tree));
        gf_pv up = gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_do(e, GF_OP_SUB, size, gf_ptx_u64(1)));
        e->groups[0] = narrow(e, gf_ptx_do(e, GF_OP_DIV, up, size));
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        e->space[axis] = gf_ptx_arg(e, GF_TYPE_U32, GF_PTX_ARGS_SPACE + (size_t)axis);
        e->groups[axis] = gf_ptx_arg(e, GF_TYPE_U32, GF_PTX_ARGS_GROUPS + (size_t)axis);
    }
}

static void set_ids_of_item(gf_ptx_emit *e, const gf_segment *segment, gf_pv i) {
    gf_pv size = gf_ptx_u32(group_size(segment->tree)), zero = gf_ptx_u32(0);
    e->gid[0] = narrow(e, i);
    e->wid[0] = gf_ptx_do(e, GF_OP_DIV, e->gid[0], size);
    e->lid[0] = gf_ptx_do(e, GF_OP_REM, e->gid[0], size);
    for (int axis = 1; axis < 3; axis++) {
        e->gid[axis] = e->wid[axis] = e->lid[axis] = zero;
    }
}

/* Of the lane `lane` of workgroup `group`, both u32. Gives whether it is in the space. */
static gf_pv set_ids_of_lane(gf_ptx_emit *e, const gf_segment *segment, gf_pv group, gf_pv lane) {
    const uint32_t *size = segment->tree->kernel.workgroup;
    gf_pv rest = group, in_space = gf_ptx_do(e, GF_OP_LT, lane, gf_ptx_u32(group_size(segment->tree)));
    for (int axis = 0; axis < 3; axis++) {
        bool last = axis == 2 || segment->tree->kernel.space_axes <= (size_t)axis + 1;
        last = last && segment->tree->kernel.space_kind != GF_SPACE_INDIRECT;
        last = last || axis == 2;
        e->wid[axis] = last ? rest : gf_ptx_do(e, GF_OP_REM, rest, e->groups[axis]);
        rest = last ? gf_ptx_u32(0) : gf_ptx_do(e, GF_OP_DIV, rest, e->groups[axis]);
    }
    e->lid[0] = gf_ptx_do(e, GF_OP_REM, lane, gf_ptx_u32(size[0]));
    gf_pv rows = gf_ptx_do(e, GF_OP_DIV, lane, gf_ptx_u32(size[0]));
    e->lid[1] = gf_ptx_do(e, GF_OP_REM, rows, gf_ptx_u32(size[1]));
    e->lid[2] = gf_ptx_do(e, GF_OP_DIV, rows, gf_ptx_u32(size[1]));
    for (int axis = 0; axis < 3; axis++) {
        gf_pv first = gf_ptx_do(e, GF_OP_MUL, e->wid[axis], gf_ptx_u32(size[axis]));
        e->gid[axis] = gf_ptx_do(e, GF_OP_ADD, first, e->lid[axis]);
        in_space = gf_ptx_do(e, GF_OP_AND, in_space, gf_ptx_do(e, GF_OP_LT, e->gid[axis], e->space[axis]));
    }
    return in_space;
}

void gf_ptx_emit_body(gf_ptx_walk *walk, const gf_segment *segment, gf_pv in_space) {
    gf_ptx_emit *e = walk->e;
    begin_values(walk, segment);
    if (gf_ptx_needs_groups(segment->tree)) {
        gf_ptx_emit_group(e, segment, in_space);
        return;
    }
    uint32_t end = gf_ptx_label(&e->p);
    gf_ptx_begin_body(e);
    gf_ptx_listen(e); /* whoever is not in the space comes to the end too, with nothing to tell */
    gf_ptx_jump_if(&e->p, in_space, false, end);
    e->on_end = e->on_return = end;
    gf_ptx_emit_block(e, e->tree->kernel.body);
    gf_ptx_place(&e->p, end);
    e->is_open = true;
    gf_ptx_serve_rows(e);
    gf_ptx_tell(e);
}

static gf_pv u64_of(gf_ptx_emit *e, gf_pv from) {
    gf_pv v = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_ptx_move(&e->p, v, from);
    return v;
}

/* ---- by item ---- */

/* Rows that threads share want them to go through the loop over items together, as far as they meet. */
static bool find_rows(gf_ptx_emit *e, const gf_segment *segment, bool blocks_meet, gf_ptx_row_list *rows) {
    if (gf_ptx_needs_groups(segment->tree) || !gf_ptx_find_rows(e, e->tree->kernel.body, rows)) {
        return false;
    }
    gf_ptx_begin_rows(e, rows, blocks_meet);
    return true;
}

/* The item of the first thread of the warp. */
static gf_pv first_item(gf_ptx_emit *e, gf_pv i) {
    return gf_ptx_do(e, GF_OP_SUB, i, widen(e, gf_ptx_do(e, GF_OP_AND, gf_ptx_thread(e), gf_ptx_u32(31))));
}

/* Where rows are shared, what lies side by side goes to warps of different blocks: long rows often do. */
static gf_pv item_of(gf_ptx_emit *e, bool spread) {
    gf_pv tid = gf_ptx_thread(e), block = special(e, "%ctaid.x");
    if (!spread) {
        gf_pv first = widen(e, block);
        first = gf_ptx_do(e, GF_OP_MUL, first, widen(e, special(e, "%ntid.x")));
        return u64_of(e, gf_ptx_do(e, GF_OP_ADD, first, widen(e, tid)));
    }
    gf_pv warp = widen(e, gf_ptx_do(e, GF_OP_SHR, tid, gf_ptx_u32(5)));
    gf_pv chunk = gf_ptx_do(e, GF_OP_MUL, warp, widen(e, special(e, "%nctaid.x")));
    chunk = gf_ptx_do(e, GF_OP_ADD, chunk, widen(e, block));
    gf_pv lane = widen(e, gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(31)));
    return u64_of(e, gf_ptx_do(e, GF_OP_ADD, gf_ptx_do(e, GF_OP_MUL, chunk, gf_ptx_u64(32)), lane));
}

static void by_item(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_row_list rows;
    bool shares = find_rows(e, segment, true, &rows), once = e->options.native && !segment->is_forall;
    gf_pv count = segment->is_forall ? walk->names[segment->forall_count->id].value : widen(e, e->space[0]);
    gf_pv i = item_of(e, shares && !once);
    if (once) {
        set_ids_of_item(e, segment, i);
        gf_ptx_emit_body(walk, segment, gf_ptx_do(e, GF_OP_LT, i, count));
        gf_ptx_add_values(walk, segment, false);
        gf_ptx_end_rows(e);
        return;
    }
    gf_pv threads = widen(e, special(e, "%ntid.x"));
    gf_pv step = u64_of(e, gf_ptx_do(e, GF_OP_MUL, widen(e, special(e, "%nctaid.x")), threads));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, shares ? first_item(e, i) : i, count), false, done);
    gf_ptx_place(&e->p, head);
    set_ids_of_item(e, segment, i);
    gf_ptx_emit_body(walk, segment, shares ? gf_ptx_do(e, GF_OP_LT, i, count) : gf_ptx_constant(GF_TYPE_BOOL, 1));
    gf_ptx_add_values(walk, segment, false);
    gf_ptx_move(&e->p, i, gf_ptx_do(e, GF_OP_ADD, i, step));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, shares ? first_item(e, i) : i, count), true, head);
    gf_ptx_place(&e->p, done);
    gf_ptx_end_rows(e);
}

/* ---- by workgroup ---- */

static gf_pv all_groups(gf_ptx_emit *e) {
    gf_pv xy = widen(e, e->groups[0]);
    xy = gf_ptx_do(e, GF_OP_MUL, xy, widen(e, e->groups[1]));
    return gf_ptx_do(e, GF_OP_MUL, xy, widen(e, e->groups[2]));
}

/* Sums of floats: the lanes of the workgroup first, and a result of it. */
static void put_groups(gf_ptx_walk *walk, const gf_segment *segment, gf_pv group) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        uint32_t buffer = segment->buffers[i].buffer;
        gf_ptx_fuse *fuse = &walk->fuse[buffer];
        if (fuse->is_fused && fuse->writer == segment && fuse->is_ordered) {
            gf_pv value = gf_ptx_fold_group(e, fuse->combine, fuse->sum.type, group_size(segment->tree),
                                            walk->arrays[buffer]->own);
            gf_ptx_put_result(walk, buffer, gf_ptx_do(e, GF_OP_EQ, gf_ptx_thread(e), gf_ptx_u32(0)), group, value);
            gf_ptx_move(&e->p, fuse->count, all_groups(e));
        }
    }
}

/* `packed`: as many workgroups at once as there is room for; else one, and all threads come to its end together. */
static void by_group(gf_ptx_walk *walk, const gf_segment *segment, bool packed) {
    gf_ptx_emit *e = walk->e;
    gf_pv lane = gf_ptx_thread(e), each = gf_ptx_u64(1), size = gf_ptx_u32(group_size(segment->tree));
    gf_pv group = u64_of(e, widen(e, special(e, "%ctaid.x"))), all = u64_of(e, all_groups(e));
    gf_pv fits = gf_ptx_constant(GF_TYPE_BOOL, 1);
    if (packed) {
        gf_pv packs = gf_ptx_do(e, GF_OP_DIV, special(e, "%ntid.x"), size);
        gf_pv pack = gf_ptx_do(e, GF_OP_DIV, lane, size);
        each = widen(e, packs);
        fits = gf_ptx_do(e, GF_OP_LT, pack, packs);
        lane = gf_ptx_do(e, GF_OP_REM, lane, size);
        gf_pv first = gf_ptx_do(e, GF_OP_MUL, group, each);
        gf_ptx_move(&e->p, group, gf_ptx_do(e, GF_OP_ADD, first, widen(e, pack)));
    }
    gf_pv step = u64_of(e, gf_ptx_do(e, GF_OP_MUL, widen(e, special(e, "%nctaid.x")), each));
    bool once = e->options.native;
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_pv here = gf_ptx_do(e, GF_OP_AND, fits, gf_ptx_do(e, GF_OP_LT, group, all));
    if (!once || !packed) {
        gf_ptx_jump_if(&e->p, here, false, done);
    }
    gf_ptx_place(&e->p, head);
    gf_pv in_space = set_ids_of_lane(e, segment, narrow(e, group), lane);
    gf_ptx_emit_body(walk, segment, once && packed ? gf_ptx_do(e, GF_OP_AND, in_space, here) : in_space);
    gf_ptx_add_values(walk, segment, true);
    if (!packed) {
        put_groups(walk, segment, group);
    }
    if (!once) {
        gf_ptx_move(&e->p, group, gf_ptx_do(e, GF_OP_ADD, group, step));
        gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, group, all), true, head);
    }
    gf_ptx_place(&e->p, done);
}

/* ---- by team ---- */

static void put_teams(gf_ptx_walk *walk, const gf_segment *segment, gf_pv block, gf_pv blocks, gf_pv first_of_team) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        uint32_t buffer = segment->buffers[i].buffer;
        gf_ptx_fuse *fuse = &walk->fuse[buffer];
        if (fuse->is_fused && fuse->writer == segment && fuse->is_ordered) {
            gf_pv value = gf_ptx_fold_team(e, fuse->combine, fuse->sum.type, fuse->sum);
            gf_pv mine = gf_ptx_do(e, GF_OP_AND, first_of_team, gf_ptx_do(e, GF_OP_LT, block, blocks));
            gf_ptx_put_result(walk, buffer, mine, block, value);
            gf_ptx_move(&e->p, fuse->count, blocks);
            gf_ptx_move(&e->p, fuse->sum, gf_ptx_neutral(fuse->combine, fuse->sum.type));
        }
    }
}

/* ---- by block: as by team, but all threads of a block make the 4096 values, in shared memory ---- */

#define MOST_STAGED 32768 /* bytes */

static bool is_staged(const gf_ptx_walk *walk, const gf_segment *segment, size_t i) {
    const gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
    return fuse->is_fused && fuse->writer == segment && fuse->is_ordered;
}

static uint64_t staged_bytes(const gf_ptx_walk *walk, const gf_segment *segment) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (is_staged(walk, segment, i)) {
            bytes += BLOCK * gf_type_bytes(walk->fuse[segment->buffers[i].buffer].sum.type);
        }
    }
    return bytes;
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
        if (is_staged(walk, segment, i)) {
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
        if (!is_staged(walk, segment, i)) {
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
        if (!is_staged(walk, pack->segment, i)) {
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
    e->gid[0] = gf_ptx_register(&e->p, narrow(e, first));
    e->gid[1] = gf_ptx_u32(0);
    gf_pv inside = gf_ptx_strips_inside(pack, gf_ptx_u32(BLOCK)), begin = e->gid[0];
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_AND, yes, inside), false, singly);
    gf_pv index = gf_ptx_new_value(&e->p, GF_TYPE_U32), step = gf_ptx_do(e, GF_OP_MUL, special(e, "%ntid.x"), size);
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
    (void)find_rows(e, segment, false, &rows);
    uint64_t bytes = staged_bytes(walk, segment);
    e->staged_bytes = bytes > e->staged_bytes ? bytes : e->staged_bytes;
    gf_pv count = walk->names[segment->forall_count->id].value;
    gf_pv blocks =
        u64_of(e, gf_ptx_do(e, GF_OP_SHR, gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_u64(BLOCK - 1)), gf_ptx_u32(12)));
    gf_pv at = u64_of(e, widen(e, special(e, "%ctaid.x"))), step = u64_of(e, widen(e, special(e, "%nctaid.x")));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p), item = gf_ptx_label(&e->p);
    /* Also where there is nothing: the number of results is told. */
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (is_staged(walk, segment, i)) {
            gf_ptx_move(&e->p, walk->fuse[segment->buffers[i].buffer].count, blocks);
        }
    }
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, at, blocks), true, done);
    gf_pv first = u64_of(e, gf_ptx_do(e, GF_OP_MUL, at, gf_ptx_u64(BLOCK)));
    uint32_t singly = gf_ptx_label(&e->p), folded = gf_ptx_label(&e->p);
    if (in_packs) {
        take_packs(walk, pack, fits, first, count, singly, folded);
        gf_ptx_place(&e->p, singly);
    }
    gf_pv index = gf_ptx_new_value(&e->p, GF_TYPE_U32), threads = special(e, "%ntid.x");
    gf_ptx_move(&e->p, index, gf_ptx_thread(e));
    gf_ptx_place(&e->p, item);
    gf_pv i = u64_of(e, gf_ptx_do(e, GF_OP_ADD, first, widen(e, index)));
    set_ids_of_item(e, segment, i);
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

static void by_team(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    if (staged_bytes(walk, segment) <= MOST_STAGED) {
        by_block(walk, segment);
        return;
    }
    gf_ptx_row_list rows;
    bool shares = find_rows(e, segment, false, &rows);
    gf_pv count = walk->names[segment->forall_count->id].value, tid = gf_ptx_thread(e);
    gf_pv teams = gf_ptx_do(e, GF_OP_SHR, special(e, "%ntid.x"), gf_ptx_u32(8));
    gf_pv team = gf_ptx_do(e, GF_OP_SHR, tid, gf_ptx_u32(8)), p = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(TEAM - 1));
    gf_pv blocks = gf_ptx_do(e, GF_OP_SHR, gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_u64(BLOCK - 1)), gf_ptx_u32(12));
    blocks = u64_of(e, blocks);
    gf_pv wide_teams = widen(e, teams);
    gf_pv at = u64_of(e, gf_ptx_do(e, GF_OP_MUL, widen(e, special(e, "%ctaid.x")), wide_teams));
    gf_pv step = u64_of(e, gf_ptx_do(e, GF_OP_MUL, widen(e, special(e, "%nctaid.x")), wide_teams));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    /* Also where there is nothing: the number of results is told. */
    for (size_t i = 0; i < segment->buffer_count; i++) {
        gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        if (fuse->is_fused && fuse->writer == segment && fuse->is_ordered) {
            gf_ptx_move(&e->p, fuse->count, blocks);
        }
    }
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, at, blocks), true, done);
    gf_pv block = gf_ptx_do(e, GF_OP_ADD, at, widen(e, team)),
          first = gf_ptx_do(e, GF_OP_MUL, block, gf_ptx_u64(BLOCK));
    gf_pv end = u64_of(e, gf_ptx_do(e, GF_OP_MIN, count, gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_u64(BLOCK))));
    gf_pv i = u64_of(e, gf_ptx_do(e, GF_OP_ADD, first, widen(e, p)));
    uint32_t item = gf_ptx_label(&e->p), summed = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, shares ? first_item(e, i) : i, end), false, summed);
    gf_ptx_place(&e->p, item);
    set_ids_of_item(e, segment, i);
    gf_ptx_emit_body(walk, segment, shares ? gf_ptx_do(e, GF_OP_LT, i, end) : gf_ptx_constant(GF_TYPE_BOOL, 1));
    gf_ptx_add_values(walk, segment, false);
    gf_ptx_move(&e->p, i, gf_ptx_do(e, GF_OP_ADD, i, gf_ptx_u64(TEAM)));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, shares ? first_item(e, i) : i, end), true, item);
    gf_ptx_place(&e->p, summed);
    put_teams(walk, segment, block, blocks, gf_ptx_do(e, GF_OP_EQ, p, gf_ptx_u32(0)));
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_ADD, at, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
}

/* ---- all of them ---- */

/* The whole segment is one invocation. */
static void alone(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    gf_pv zero = gf_ptx_u32(0);
    for (int axis = 0; axis < 3; axis++) {
        e->gid[axis] = e->lid[axis] = e->wid[axis] = zero;
    }
    gf_pv block = special(e, "%ctaid.x");
    gf_pv here = gf_ptx_do(e, GF_OP_EQ, gf_ptx_do(e, GF_OP_OR, block, gf_ptx_thread(e)), zero);
    gf_ptx_emit_body(walk, segment, here);
    gf_ptx_add_values(walk, segment, false);
}

/* In a native kernel all segments of the program's space go by the same units, so that a thread is one invocation. */
static bool any_by_group(const gf_ptx_walk *walk) {
    for (size_t i = 0; i < walk->plan->segment_count; i++) {
        const gf_segment *segment = walk->plan->segments[i];
        if (!segment->is_forall && (gf_ptx_needs_groups(segment->tree) || has_ordered(walk, segment, true))) {
            return true;
        }
    }
    return false;
}

void gf_ptx_begin_items(gf_ptx_walk *walk, const gf_segment *segment) {
    begin_sums(walk, segment);
    set_space(walk, segment);
}

void gf_ptx_set_item(gf_ptx_emit *e, const gf_segment *segment, gf_pv x) {
    set_ids_of_item(e, segment, x);
}

void gf_ptx_emit_items(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_line(&e->p, "// segment %u%s%s", (unsigned)segment->index, segment->region != NULL ? ", " : "",
                segment->region != NULL ? "a region" : "");
    begin_sums(walk, segment);
    gf_ptx_scope scope = gf_ptx_enter(walk, segment);
    e->segment = segment;
    set_space(walk, segment);
    bool groups = gf_ptx_needs_groups(segment->tree) || has_ordered(walk, segment, true);
    groups = groups || (e->options.native && !segment->is_forall && any_by_group(walk));
    if (!groups && !(segment->is_forall && has_ordered(walk, segment, false)) && gf_ptx_emit_tiles(walk, segment)) {
        /* in packs */
    } else if (segment->tree->kernel.space_kind == GF_SPACE_ONE && !segment->is_forall) {
        alone(walk, segment);
    } else if (groups) {
        by_group(walk, segment, false);
    } else if (segment->is_forall && has_ordered(walk, segment, false)) {
        by_team(walk, segment);
    } else if (segment->is_forall || gf_ptx_has_one_axis(segment->tree)) {
        by_item(walk, segment);
    } else {
        by_group(walk, segment, true);
    }
    e->segment = NULL;
    e->row_list = NULL;
    gf_ptx_leave(e, scope);
}

void gf_ptx_emit_each(gf_ptx_emit *e, gf_pv count, gf_ptx_item_fn *body, void *context) {
    gf_pv threads = widen(e, special(e, "%ntid.x"));
    gf_pv i = gf_ptx_do(e, GF_OP_MUL, widen(e, special(e, "%ctaid.x")), threads);
    i = u64_of(e, gf_ptx_do(e, GF_OP_ADD, i, widen(e, gf_ptx_thread(e))));
    gf_pv step = u64_of(e, gf_ptx_do(e, GF_OP_MUL, widen(e, special(e, "%nctaid.x")), threads));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, i, count), false, done);
    gf_ptx_place(&e->p, head);
    body(e, i, context);
    gf_ptx_move(&e->p, i, gf_ptx_do(e, GF_OP_ADD, i, step));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, i, count), true, head);
    gf_ptx_place(&e->p, done);
}
