/* The invocations of a segment, shared out over the threads of a grid.
 *
 *   by group    a block is a workgroup: where the segment has workgroup arrays or barriers
 *   by item     thread after thread takes the next invocation, whatever workgroup it is of
 *   by team     where sums of floats are formed of the items of a forall: see teams.c
 *
 * In a native kernel each thread keeps its invocation over the whole run, since that is where its values are. */
#include "emit/ptx/near.h"
#include "emit/ptx/pack.h"
#include "emit/ptx/rows.h"
#include "ir/program.h"

bool gf_ptx_needs_groups(const gf_tree *tree) {
    return tree->has_group_barrier || gf_tree_count(tree, GF_SYMBOL_SHARED) > 0;
}

/* What the segments of one kernel agree on. */
uint32_t gf_ptx_group_size(const gf_tree *tree) {
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
        e->space[0] = gf_ptx_to_u32(e, count);
        gf_pv size = gf_ptx_u64(gf_ptx_group_size(segment->tree));
        gf_pv up = gf_ptx_do(e, GF_OP_ADD, count, gf_ptx_do(e, GF_OP_SUB, size, gf_ptx_u64(1)));
        e->groups[0] = gf_ptx_to_u32(e, gf_ptx_do(e, GF_OP_DIV, up, size));
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        e->space[axis] = gf_ptx_arg(e, GF_TYPE_U32, GF_PTX_ARGS_SPACE + (size_t)axis);
        e->groups[axis] = gf_ptx_arg(e, GF_TYPE_U32, GF_PTX_ARGS_GROUPS + (size_t)axis);
    }
}

void gf_ptx_set_item(gf_ptx_emit *e, const gf_segment *segment, gf_pv i) {
    gf_pv size = gf_ptx_u32(gf_ptx_group_size(segment->tree)), zero = gf_ptx_u32(0);
    e->gid[0] = gf_ptx_to_u32(e, i);
    e->wid[0] = gf_ptx_do(e, GF_OP_DIV, e->gid[0], size);
    e->lid[0] = gf_ptx_do(e, GF_OP_REM, e->gid[0], size);
    for (int axis = 1; axis < 3; axis++) {
        e->gid[axis] = e->wid[axis] = e->lid[axis] = zero;
    }
}

/* Of the lane `lane` of workgroup `group`, both u32. Gives whether it is in the space. */
static gf_pv set_ids_of_lane(gf_ptx_emit *e, const gf_segment *segment, gf_pv group, gf_pv lane) {
    const uint32_t *size = segment->tree->kernel.workgroup;
    gf_pv rest = group, in_space = gf_ptx_do(e, GF_OP_LT, lane, gf_ptx_u32(gf_ptx_group_size(segment->tree)));
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

/* ---- by item ---- */

bool gf_ptx_share_rows(gf_ptx_emit *e, const gf_segment *segment, gf_ptx_meeting meeting, gf_ptx_row_list *rows) {
    if (gf_ptx_needs_groups(segment->tree) || !gf_ptx_find_rows(e, e->tree->kernel.body, rows)) {
        return false;
    }
    gf_ptx_begin_rows(e, rows, meeting);
    return true;
}

/* Item of this thread, and how far it is to the next; of the type of the items' number, or nearly: of 32 bits a sum may
 * go around, which no comparison below minds. */
typedef struct going {
    gf_pv i, step;
} going;

static gf_pv as_number(gf_ptx_emit *e, gf_type type, gf_pv v) {
    return type == GF_TYPE_U64 ? gf_ptx_to_u64(e, v) : gf_ptx_to_u32(e, v);
}

static going go_by_thread(gf_ptx_emit *e, gf_type type) {
    gf_pv threads = as_number(e, type, gf_ptx_threads(e));
    gf_pv first = gf_ptx_do(e, GF_OP_MUL, as_number(e, type, gf_ptx_block(e)), threads);
    going at = {.i = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_ADD, first, as_number(e, type, gf_ptx_thread(e))))};
    at.step = gf_ptx_do(e, GF_OP_MUL, as_number(e, type, gf_ptx_blocks(e)), threads);
    at.step = gf_ptx_variable(e, at.step);
    return at;
}

/* Where rows are shared, what lies side by side goes to warps of different blocks: long rows often do. And vertices
 * with many edges often have numbers that end in zeros, so that an even step would give them to a few warps: of an even
 * number of warps the last one has nothing to do. */
static going go_by_warp(gf_ptx_emit *e, gf_pv end) {
    gf_pv tid = gf_ptx_thread(e), blocks = gf_ptx_blocks(e), one = gf_ptx_u32(1);
    gf_pv mine = gf_ptx_do(e, GF_OP_MUL, gf_ptx_do(e, GF_OP_SHR, tid, gf_ptx_u32(5)), blocks);
    mine = gf_ptx_do(e, GF_OP_ADD, mine, gf_ptx_block(e));
    gf_pv all = gf_ptx_do(e, GF_OP_MUL, gf_ptx_do(e, GF_OP_SHR, gf_ptx_threads(e), gf_ptx_u32(5)), blocks);
    gf_pv odd = gf_ptx_do(e, GF_OP_OR, gf_ptx_do(e, GF_OP_SUB, all, one), one); /* 2 k and 2 k - 1 give 2 k - 1 */
    gf_pv warp = gf_ptx_constant(end.type, 32), lane = gf_ptx_do(e, GF_OP_AND, tid, gf_ptx_u32(31));
    gf_pv first = gf_ptx_do(e, GF_OP_MUL, as_number(e, end.type, mine), warp);
    first = gf_ptx_choose(e, gf_ptx_do(e, GF_OP_LT, mine, odd), first, end);
    going at = {.i = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_ADD, first, as_number(e, end.type, lane)))};
    at.step = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_MUL, as_number(e, end.type, odd), warp));
    return at;
}

void gf_ptx_take_items(gf_ptx_walk *walk, const gf_segment *segment, bool shares, gf_pv i, gf_pv end, gf_pv step) {
    gf_ptx_emit *e = walk->e;
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_pv lane = gf_ptx_do(e, GF_OP_AND, gf_ptx_thread(e), gf_ptx_u32(31));
    lane = shares ? gf_ptx_register(&e->p, as_number(e, i.type, lane)) : gf_ptx_constant(i.type, 0);
    gf_pv first = gf_ptx_do(e, GF_OP_SUB, i, lane); /* of the warp: threads that have none stay with the others */
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, first, end), false, done);
    gf_ptx_place(&e->p, head);
    gf_ptx_set_item(e, segment, i);
    gf_pv left = gf_ptx_do(e, GF_OP_SUB, end, gf_ptx_do(e, GF_OP_SUB, i, lane));
    gf_ptx_emit_body(walk, segment, shares ? gf_ptx_do(e, GF_OP_LT, lane, left) : gf_ptx_constant(GF_TYPE_BOOL, 1));
    gf_ptx_add_values(walk, segment, false);
    left = gf_ptx_do(e, GF_OP_SUB, end, gf_ptx_do(e, GF_OP_SUB, i, lane));
    gf_pv again = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_GT, left, step));
    gf_ptx_move(&e->p, i, gf_ptx_do(e, GF_OP_ADD, i, step));
    gf_ptx_jump_if(&e->p, again, true, head);
    gf_ptx_place(&e->p, done);
}

static void end_rows(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_end_rows(walk->e);
    walk->listed = gf_ptx_listed_rows(walk->e, segment);
}

/* A kernel that is one segment, once, has no grid barrier, and is launched without one. By steps there is none, and no
 * list of rows that would live on. */
static gf_ptx_meeting meeting_of(const gf_ptx_walk *walk) {
    const gf_plan_block *body = walk->plan->body;
    if (walk->by_stages) {
        return GF_PTX_MEET_STAGE;
    }
    bool is_alone = walk->plan->segment_count == 1 && body->count > 0 &&
                    body->items[body->count - 1]->kind == GF_PLAN_SEGMENT && !walk->e->options.passes &&
                    !walk->e->options.compare;
    return is_alone || walk->steps != NULL ? GF_PTX_MEET_BLOCK : GF_PTX_MEET_GRID;
}

static void by_item(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_row_list rows;
    bool shares = gf_ptx_share_rows(e, segment, meeting_of(walk), &rows),
         once = e->options.native && !segment->is_forall;
    gf_pv count = segment->is_forall ? walk->names[segment->forall_count->id].value : e->space[0];
    going at = shares && !once ? go_by_warp(e, count) : go_by_thread(e, count.type);
    if (once) {
        gf_ptx_set_item(e, segment, at.i);
        gf_ptx_emit_body(walk, segment, gf_ptx_do(e, GF_OP_LT, at.i, count));
        gf_ptx_add_values(walk, segment, false);
        end_rows(walk, segment);
        return;
    }
    gf_ptx_take_items(walk, segment, shares, at.i, count, at.step);
    end_rows(walk, segment);
}

/* ---- by workgroup ---- */

static gf_pv all_groups(gf_ptx_emit *e) {
    gf_pv xy = gf_ptx_to_u64(e, e->groups[0]);
    xy = gf_ptx_do(e, GF_OP_MUL, xy, gf_ptx_to_u64(e, e->groups[1]));
    return gf_ptx_do(e, GF_OP_MUL, xy, gf_ptx_to_u64(e, e->groups[2]));
}

/* Sums of floats: the lanes of the workgroup first, and a result of it. */
static void put_groups(gf_ptx_walk *walk, const gf_segment *segment, gf_pv group) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        uint32_t buffer = segment->buffers[i].buffer;
        gf_ptx_fuse *fuse = &walk->fuse[buffer];
        if (fuse->is_fused && fuse->writer == segment && fuse->is_ordered) {
            gf_pv value = gf_ptx_fold_group(e, fuse->combine, fuse->sum.type, gf_ptx_group_size(segment->tree),
                                            walk->arrays[buffer]->own);
            gf_ptx_put_result(walk, buffer, gf_ptx_do(e, GF_OP_EQ, gf_ptx_thread(e), gf_ptx_u32(0)), group, value);
            gf_ptx_move(&e->p, fuse->count, all_groups(e));
        }
    }
}

/* `packed`: as many workgroups at once as there is room for; else one, and all threads come to its end together. */
static void by_group(gf_ptx_walk *walk, const gf_segment *segment, bool packed) {
    gf_ptx_emit *e = walk->e;
    gf_pv lane = gf_ptx_thread(e), each = gf_ptx_u64(1), size = gf_ptx_u32(gf_ptx_group_size(segment->tree));
    gf_pv group = gf_ptx_variable(e, gf_ptx_to_u64(e, gf_ptx_block(e))), all = gf_ptx_variable(e, all_groups(e));
    gf_pv fits = gf_ptx_constant(GF_TYPE_BOOL, 1);
    if (packed) {
        gf_pv packs = gf_ptx_do(e, GF_OP_DIV, gf_ptx_threads(e), size);
        gf_pv pack = gf_ptx_do(e, GF_OP_DIV, lane, size);
        each = gf_ptx_to_u64(e, packs);
        fits = gf_ptx_do(e, GF_OP_LT, pack, packs);
        lane = gf_ptx_do(e, GF_OP_REM, lane, size);
        gf_pv first = gf_ptx_do(e, GF_OP_MUL, group, each);
        gf_ptx_move(&e->p, group, gf_ptx_do(e, GF_OP_ADD, first, gf_ptx_to_u64(e, pack)));
    }
    gf_pv step = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_MUL, gf_ptx_to_u64(e, gf_ptx_blocks(e)), each));
    bool once = e->options.native;
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_pv here = gf_ptx_do(e, GF_OP_AND, fits, gf_ptx_do(e, GF_OP_LT, group, all));
    if (!once || !packed) {
        gf_ptx_jump_if(&e->p, here, false, done);
    }
    gf_ptx_place(&e->p, head);
    gf_pv in_space = set_ids_of_lane(e, segment, gf_ptx_to_u32(e, group), lane);
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

/* ---- all of them ---- */

/* The whole segment is one invocation. */
static void alone(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    gf_pv zero = gf_ptx_u32(0);
    for (int axis = 0; axis < 3; axis++) {
        e->gid[axis] = e->lid[axis] = e->wid[axis] = zero;
    }
    gf_pv block = gf_ptx_block(e);
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

/* By workgroups, or by blocks of 4096 items. */
static bool goes_by_groups(const gf_ptx_walk *walk, const gf_segment *segment) {
    bool groups = gf_ptx_needs_groups(segment->tree) || has_ordered(walk, segment, true);
    return groups || (walk->e->options.native && !segment->is_forall && any_by_group(walk));
}

static bool goes_by_blocks(const gf_ptx_walk *walk, const gf_segment *segment) {
    return segment->is_forall && (has_ordered(walk, segment, false) || gf_ptx_looks_near(walk, segment));
}

bool gf_ptx_is_by_item(const gf_ptx_walk *walk, const gf_segment *segment) {
    return !goes_by_groups(walk, segment) && !goes_by_blocks(walk, segment);
}

void gf_ptx_ready_items(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    if (segment->is_forall || goes_by_groups(walk, segment)) {
        return;
    }
    gf_ptx_scope scope = gf_ptx_enter(walk, segment);
    e->segment = segment;
    set_space(walk, segment);
    gf_ptx_ready_tiles(walk, segment);
    e->segment = NULL;
    gf_ptx_leave(e, scope);
}

void gf_ptx_emit_items(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_line(&e->p, "// segment %u%s%s", (unsigned)segment->index, segment->region != NULL ? ", " : "",
                segment->region != NULL ? "a region" : "");
    begin_sums(walk, segment);
    e->pack_size = 1;
    gf_ptx_scope scope = gf_ptx_enter(walk, segment);
    e->segment = segment;
    set_space(walk, segment);
    bool groups = goes_by_groups(walk, segment), by_block = goes_by_blocks(walk, segment);
    if (!groups && !by_block && gf_ptx_emit_tiles(walk, segment)) {
        /* in packs */
    } else if (segment->tree->kernel.space_kind == GF_SPACE_ONE && !segment->is_forall) {
        alone(walk, segment);
    } else if (groups) {
        by_group(walk, segment, false);
    } else if (by_block) {
        gf_ptx_emit_teams(walk, segment);
    } else if (segment->is_forall || gf_ptx_has_one_axis(segment->tree)) {
        by_item(walk, segment);
    } else {
        by_group(walk, segment, true);
    }
    walk->each[segment->index] = e->pack_size;
    e->segment = NULL;
    e->row_list = NULL;
    gf_ptx_leave(e, scope);
}

void gf_ptx_emit_each(gf_ptx_emit *e, gf_pv count, gf_ptx_item_fn *body, void *context) {
    gf_pv threads = gf_ptx_to_u64(e, gf_ptx_threads(e));
    gf_pv i = gf_ptx_do(e, GF_OP_MUL, gf_ptx_to_u64(e, gf_ptx_block(e)), threads);
    i = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_ADD, i, gf_ptx_to_u64(e, gf_ptx_thread(e))));
    gf_pv step = gf_ptx_variable(e, gf_ptx_do(e, GF_OP_MUL, gf_ptx_to_u64(e, gf_ptx_blocks(e)), threads));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, i, count), false, done);
    gf_ptx_place(&e->p, head);
    body(e, i, context);
    gf_ptx_move(&e->p, i, gf_ptx_do(e, GF_OP_ADD, i, step));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, i, count), true, head);
    gf_ptx_place(&e->p, done);
}
