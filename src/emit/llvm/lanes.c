/* The invocations of a segment as loops: rows of the space, and in each row a loop over x that LLVM may vectorise.
 *
 * A row is cut in up to three parts: where every access that is affine in x is in bounds the loop has no checks for
 * them; in front of that and behind it, it has. So the edges of a stencil cost nothing in its middle. What only one
 * lane does, as in `if i == n - 1`, is done in front or behind too: a condition would cost all lanes. */
#include "emit/llvm/emitter.h"

#define STRIP 32       /* lanes with loops between two questions whether the run should stop */
#define AHEAD_STRIP 64 /* the same where what they look at is fetched before */
#define COMBINED 128   /* lanes that do an atomic as one */

typedef struct row {
    const gf_block *body;
    LLVMValueRef from, to; /* i64: of the variable */
    LLVMValueRef base;     /* i64: what it is beyond that; NULL: nothing */
    bool polls;
    gf_combined *combined; /* NULL: the lanes go one by one */
    gf_ahead *ahead[2];    /* what is fetched for the next strip, for this one; NULL: nothing */
    LLVMValueRef pays[2];  /* i1: that is worth it */
} row;

/* Which part of a lane a loop over them emits; AHEAD: none, but what it will look at is fetched. */
typedef enum half { WHOLE, AHEAD, FIRST_HALF, SECOND_HALF } half;

/* What the variable of the loop says of the invocation. */
static void enter_invocation(gf_emit *e, LLVMValueRef variable) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef x = LLVMBuildTrunc(b, variable, e->ll.i32, "x");
    e->lane = variable;
    if (e->in_group) {
        e->lid[0] = x;
        e->gid[0] = LLVMBuildAdd(b, e->lane_gid, x, "gid.x");
        return;
    }
    e->gid[0] = x;
    for (int axis = 0; axis < 3; axis++) {
        LLVMValueRef size = gf_i32(e, e->tree->kernel.workgroup[axis] > 0 ? e->tree->kernel.workgroup[axis] : 1);
        e->wid[axis] = LLVMBuildUDiv(b, e->gid[axis], size, "");
        e->lid[axis] = LLVMBuildURem(b, e->gid[axis], size, "");
    }
}

static void emit_lane(gf_emit *e, const row *part, half which, LLVMValueRef turn) {
    bool is_half = which == FIRST_HALF || which == SECOND_HALF;
    LLVMValueRef lane = is_half ? LLVMBuildSub(e->ll.builder, turn, part->from, "") : NULL;
    switch (which) {
    case WHOLE:
        gf_emit_block(e, part->body);
        break;
    case AHEAD:
        gf_ahead_fetch(e, part->ahead[0]);
        break;
    case FIRST_HALF:
        gf_emit_block(e, &part->combined->first);
        gf_combine_keep(e, part->combined, lane);
        break;
    case SECOND_HALF:
        gf_combine_restore(e, part->combined, lane);
        e->combined = part->combined;
        gf_emit_block(e, &part->combined->second);
        e->combined = NULL;
        break;
    }
}

static void enter_lane(gf_emit *e, LLVMValueRef variable, const void *lanes) {
    const gf_affine_loop *affine = lanes;
    for (size_t i = affine != NULL ? affine->first : 0; affine != NULL && i < affine->end; i++) {
        e->proven.items[i].variable = variable;
    }
    enter_invocation(e, variable);
}

static void emit_lanes(gf_emit *e, const row *part, const gf_affine_loop *affine, half which) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = gf_block_new(e, "lanes"), body = gf_block_new(e, "lane"),
                      latch = gf_block_new(e, "done"), after = gf_block_new(e, "endlanes");
    gf_branch(e, head);
    gf_at(e, head);
    LLVMValueRef turn = LLVMBuildPhi(b, e->ll.i64, "i");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, turn, part->to, ""), body, after);
    gf_at(e, body);
    enter_lane(e, part->base != NULL ? LLVMBuildAdd(b, part->base, turn, "") : turn, affine);
    e->on_end = e->on_return = latch;
    gf_exit *exit = e->exit; /* of a loop that the workgroup takes together */
    e->exit = NULL;
    emit_lane(e, part, which, turn);
    e->exit = exit;
    gf_branch(e, latch);
    gf_at(e, latch);
    if ((which == FIRST_HALF || which == SECOND_HALF) && part->polls) {
        gf_poll(e);
    }
    LLVMValueRef next = LLVMBuildAdd(b, turn, gf_i64(e, 1), "");
    LLVMValueRef values[] = {part->from, next};
    LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(b)};
    gf_branch(e, head);
    LLVMAddIncoming(turn, values, blocks, 2);
    gf_at(e, after);
}

/* Lanes with loops inside: some, and a question whether to stop, and so on. */
typedef struct strips {
    const row *part;
    const gf_affine_loop *affine;
    uint64_t size;
    const gf_rows *rows; /* that are folded before; NULL: none */
} strips;

static void emit_ahead(gf_emit *e, const row *part, int step, const gf_affine_loop *affine) {
    if (part->ahead[step] == NULL) {
        return;
    }
    LLVMBasicBlockRef fetch = gf_block_new(e, "ahead"), after = gf_block_new(e, "near");
    LLVMBuildCondBr(e->ll.builder, part->pays[step], fetch, after);
    gf_at(e, fetch);
    row lanes = *part;
    lanes.ahead[0] = part->ahead[step];
    emit_lanes(e, &lanes, affine, AHEAD);
    gf_branch(e, after);
    gf_at(e, after);
}

/* The addresses for this strip are found in what was fetched for it during the last one. */
static void fetch_strip(gf_emit *e, const row *part, LLVMValueRef end, uint64_t size, const gf_affine_loop *affine) {
    LLVMBuilderRef b = e->ll.builder;
    row next = *part;
    next.from = part->to;
    next.to = LLVMBuildAdd(b, part->to, gf_i64(e, size), "");
    next.to = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, next.to, end, ""), next.to, end, "");
    emit_ahead(e, &next, 0, affine);
    emit_ahead(e, part, 1, affine);
}

static void emit_strip(gf_emit *e, LLVMValueRef index, void *context) {
    const strips *all = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef size = gf_i64(e, all->size);
    LLVMValueRef first = LLVMBuildAdd(b, all->part->from, LLVMBuildMul(b, index, size, ""), "");
    LLVMValueRef left = LLVMBuildSub(b, all->part->to, first, "");
    LLVMValueRef whole = LLVMBuildICmp(b, LLVMIntULT, size, left, "");
    row part = *all->part;
    part.from = first;
    part.to = LLVMBuildSelect(b, whole, LLVMBuildAdd(b, first, size, ""), part.to, "");
    if (part.combined != NULL) {
        gf_combine_begin(e, part.combined, all->size);
        fetch_strip(e, &part, all->part->to, all->size, all->affine);
        emit_lanes(e, &part, all->affine, FIRST_HALF);
        gf_combine_add(e, part.combined);
        emit_lanes(e, &part, all->affine, SECOND_HALF);
        return;
    }
    gf_poll(e);
    if (all->rows != NULL) {
        gf_rows_fold(e, all->rows, first, LLVMBuildSub(b, part.to, first, ""), enter_lane, all->affine);
    }
    fetch_strip(e, &part, all->part->to, all->size, all->affine);
    e->folded = all->rows;
    e->folded_first = first;
    emit_lanes(e, &part, all->affine, WHOLE);
    e->folded = NULL;
}

static void emit_strips(gf_emit *e, const row *part, const gf_affine_loop *affine, const gf_rows *rows) {
    LLVMBuilderRef b = e->ll.builder;
    strips all = {.part = part, .affine = affine, .rows = rows};
    all.size = part->ahead[0] != NULL || part->ahead[1] != NULL ? AHEAD_STRIP : STRIP;
    all.size = part->combined != NULL ? COMBINED : rows != NULL ? GF_ROWS_STRIP : all.size;
    LLVMValueRef some = LLVMBuildICmp(b, LLVMIntULT, part->from, part->to, ""), size = gf_i64(e, all.size);
    LLVMValueRef count = LLVMBuildSelect(b, some, LLVMBuildSub(b, part->to, part->from, ""), gf_i64(e, 0), "");
    LLVMValueRef up = LLVMBuildAdd(b, count, gf_i64(e, all.size - 1), "");
    gf_emit_range(e, gf_i64(e, 0), LLVMBuildUDiv(b, up, size, ""), "strip", emit_strip, &all);
}

static void emit_loop(gf_emit *e, const row *part, const gf_affine_loop *affine) {
    if (e->running != NULL && part->base == NULL) {
        gf_running_lanes(e, part->from, part->to);
    }
    if (part->polls || part->combined != NULL) {
        row whole = *part;
        gf_ahead ahead[2];
        for (int step = 0; step < 2 && affine != NULL; step++) {
            if (gf_ahead_find(e, part->body, step == 0, &ahead[step])) {
                whole.ahead[step] = &ahead[step];
                whole.pays[step] = gf_ahead_pays(e, &ahead[step]);
            }
        }
        emit_strips(e, &whole, affine, NULL);
    } else {
        emit_lanes(e, part, affine, WHOLE);
    }
}

/* The same line by line, whose results go past the caches. */
typedef struct lined {
    const row *part;
    const gf_affine_loop *affine;
    const gf_streams *streams;
} lined;

static void emit_stretch(gf_emit *e, LLVMValueRef from, LLVMValueRef to, void *context) {
    const lined *all = context;
    row part = *all->part;
    part.from = from;
    part.to = to;
    emit_loop(e, &part, all->affine);
}

static void emit_line(gf_emit *e, LLVMValueRef first, void *context) {
    const lined *all = context;
    row part = {.body = all->part->body, .from = gf_i64(e, 0), .base = first};
    part.to = gf_i64(e, all->streams->per_line);
    if (e->running != NULL) {
        gf_running_line(e, first);
    }
    emit_loop(e, &part, all->affine);
}

static void emit_lined(gf_emit *e, const row *whole, const gf_affine_loop *affine, const gf_streams *streams) {
    lined all = {.part = whole, .affine = affine, .streams = streams};
    gf_stretches stretches = {.streams = streams,
                              .from = whole->from,
                              .to = whole->to,
                              .pays = gf_stream_pays(e, streams),
                              .plain = emit_stretch,
                              .line = emit_line,
                              .context = &all,
                              .has_sums = e->running != NULL};
    gf_stream_stretches(e, &stretches);
}

static void emit_fast(gf_emit *e, const row *part, const gf_affine_loop *affine) {
    gf_streams streams = {0};
    gf_stream_find(e, affine, &streams);
    gf_rows rows;
    bool is_plain = part->combined == NULL && e->running == NULL;
    if (streams.count > 0 && part->combined == NULL) {
        emit_lined(e, part, affine, &streams);
    } else if (is_plain && gf_rows_find(e, affine, &rows)) {
        gf_rows_begin(e, &rows);
        emit_strips(e, part, affine, &rows);
    } else {
        emit_loop(e, part, affine);
    }
}

/* Of [*low, *high) the larger part that is without the lane. */
static void leave_out(gf_emit *e, LLVMValueRef lane, LLVMValueRef *low, LLVMValueRef *high) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef inside = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntSGE, lane, *low, ""),
                                       LLVMBuildICmp(b, LLVMIntSLT, lane, *high, ""), "");
    LLVMValueRef before = LLVMBuildSub(b, lane, *low, ""), behind = LLVMBuildSub(b, *high, lane, "");
    LLVMValueRef first = LLVMBuildICmp(b, LLVMIntSGE, before, behind, "");
    LLVMValueRef next = LLVMBuildAdd(b, lane, gf_i64(e, 1), "");
    LLVMValueRef cut = LLVMBuildSelect(b, first, *low, next, "");
    *low = LLVMBuildSelect(b, inside, cut, *low, "");
    cut = LLVMBuildSelect(b, first, lane, *high, "");
    *high = LLVMBuildSelect(b, inside, cut, *high, "");
}

/* for (at = from; at < to;) the part that begins at `at`. */
static void emit_parts(gf_emit *e, const row *whole, gf_affine_loop *affine) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef low = NULL, high = NULL;
    gf_affine_range(e, affine, whole->from, whole->to, &low, &high);
    for (unsigned i = 0; i < affine->single_count; i++) {
        leave_out(e, affine->singles[i].lane, &low, &high);
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = gf_block_new(e, "parts"), choose = gf_block_new(e, "part"),
                      fast = gf_block_new(e, "fast"), slow = gf_block_new(e, "slow"), next = gf_block_new(e, ""),
                      after = gf_block_new(e, "endparts");
    gf_branch(e, head);
    gf_at(e, head);
    LLVMValueRef at = LLVMBuildPhi(b, e->ll.i64, "at");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntSLT, at, whole->to, ""), choose, after);
    gf_at(e, choose);
    LLVMValueRef reached = LLVMBuildICmp(b, LLVMIntSGE, at, low, ""), left = LLVMBuildICmp(b, LLVMIntSLT, at, high, "");
    gf_branch_likely(e, LLVMBuildAnd(b, reached, left, ""), fast, slow);

    gf_at(e, fast);
    row part = *whole;
    part.from = at;
    part.to = high;
    e->fast_depth++;
    e->singles = affine->singles;
    e->single_count = affine->single_count;
    emit_fast(e, &part, affine);
    e->single_count = 0;
    e->fast_depth--;
    LLVMBasicBlockRef fast_end = LLVMGetInsertBlock(b);
    gf_branch(e, next);

    gf_at(e, slow);
    LLVMValueRef ahead =
        LLVMBuildAnd(b, LLVMBuildNot(b, reached, ""), LLVMBuildICmp(b, LLVMIntSLT, low, whole->to, ""), "");
    part.to = LLVMBuildSelect(b, ahead, low, whole->to, "");
    e->proven.count = affine->first;
    e->is_slow = true;
    emit_loop(e, &part, NULL);
    e->is_slow = false;
    LLVMBasicBlockRef slow_end = LLVMGetInsertBlock(b);
    gf_branch(e, next);

    gf_at(e, next);
    LLVMValueRef end = LLVMBuildPhi(b, e->ll.i64, "");
    LLVMValueRef ends[] = {high, part.to};
    LLVMBasicBlockRef from[] = {fast_end, slow_end};
    LLVMAddIncoming(end, ends, from, 2);
    gf_branch(e, head);
    LLVMValueRef begins[] = {whole->from, end};
    LLVMBasicBlockRef sources[] = {before, next};
    LLVMAddIncoming(at, begins, sources, 2);
    gf_at(e, after);
}

static void emit_row(gf_emit *e, const gf_block *body, LLVMValueRef from, LLVMValueRef to) {
    gf_combined combined;
    row whole = {.body = body, .from = from, .to = to, .polls = gf_holds_loop(body)};
    whole.combined = gf_combine_find(e, body, &combined) ? &combined : NULL;
    gf_affine_loop affine = {.body = body, .is_lane = true, .first = e->proven.count};
    affine.end = affine.first;
    e->gid[0] = e->lid[0] = NULL;
    LLVMValueRef some = gf_some_act(e, body);
    LLVMBasicBlockRef after = gf_block_new(e, "endrow");
    if (some != NULL) {
        LLVMBasicBlockRef acts = gf_block_new(e, "acts");
        LLVMBuildCondBr(e->ll.builder, some, acts, after);
        gf_at(e, acts);
    }
    gf_affine_find(e, &affine);
    if (affine.end > affine.first && e->options.unchecked && affine.single_count == 0) {
        emit_fast(e, &whole, &affine);
    } else if (affine.end > affine.first || affine.single_count > 0) {
        emit_parts(e, &whole, &affine);
    } else {
        emit_loop(e, &whole, NULL);
    }
    gf_branch(e, after);
    gf_at(e, after);
    e->proven.count = affine.first;
    e->lane = e->gid[0] = e->lid[0] = NULL;
}

/* ---- by invocation ---- */

static bool has_one_row(const gf_tree *tree) {
    return tree->kernel.space_kind == GF_SPACE_ONE ||
           (tree->kernel.space_kind != GF_SPACE_INDIRECT && tree->kernel.space_axes <= 1);
}

void gf_emit_invocations(gf_emit *e, const gf_block *body, LLVMValueRef begin, LLVMValueRef end) {
    LLVMBuilderRef b = e->ll.builder;
    e->in_group = false;
    e->lane_gid = NULL;
    if (has_one_row(e->tree)) {
        e->gid[1] = e->gid[2] = gf_i32(e, 0);
        e->row_first = gf_i64(e, 0);
        emit_row(e, body, begin, end);
        return;
    }
    LLVMValueRef size_x = LLVMBuildZExt(b, e->space[0], e->ll.i64, ""),
                 size_y = LLVMBuildZExt(b, e->space[1], e->ll.i64, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = gf_block_new(e, "rows"), inside = gf_block_new(e, "row"),
                      after = gf_block_new(e, "endrows");
    gf_branch(e, head);
    gf_at(e, head);
    LLVMValueRef at = LLVMBuildPhi(b, e->ll.i64, "linear");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, at, end, ""), inside, after);
    gf_at(e, inside);
    gf_poll(e);
    LLVMValueRef row_index = LLVMBuildUDiv(b, at, size_x, ""), x = LLVMBuildURem(b, at, size_x, "");
    e->gid[1] = LLVMBuildTrunc(b, LLVMBuildURem(b, row_index, size_y, ""), e->ll.i32, "y");
    e->gid[2] = LLVMBuildTrunc(b, LLVMBuildUDiv(b, row_index, size_y, ""), e->ll.i32, "z");
    e->row_first = LLVMBuildSub(b, at, x, "");
    LLVMValueRef rest = LLVMBuildAdd(b, x, LLVMBuildSub(b, end, at, ""), "");
    LLVMValueRef to = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, rest, size_x, ""), rest, size_x, "");
    emit_row(e, body, x, to);
    LLVMValueRef next = LLVMBuildAdd(b, at, LLVMBuildSub(b, to, x, ""), "");
    LLVMValueRef values[] = {begin, next};
    LLVMBasicBlockRef blocks[] = {before, LLVMGetInsertBlock(b)};
    gf_branch(e, head);
    LLVMAddIncoming(at, values, blocks, 2);
    gf_at(e, after);
}

/* ---- by workgroup ---- */

/* How many lanes of the present workgroup exist along an axis: those that only pad the space do not. */
static LLVMValueRef extent(gf_emit *e, int axis) {
    LLVMBuilderRef b = e->ll.builder;
    uint32_t size = e->tree->kernel.workgroup[axis] > 0 ? e->tree->kernel.workgroup[axis] : 1;
    LLVMValueRef whole = gf_i64(e, size);
    if (e->tree->kernel.space_kind == GF_SPACE_GROUPS || e->tree->kernel.space_kind == GF_SPACE_INDIRECT ||
        (size_t)axis >= e->tree->kernel.space_axes) {
        return whole;
    }
    LLVMValueRef first = LLVMBuildMul(b, LLVMBuildZExt(b, e->wid[axis], e->ll.i64, ""), whole, "");
    LLVMValueRef left = LLVMBuildSub(b, LLVMBuildZExt(b, e->space[axis], e->ll.i64, ""), first, "");
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, left, whole, ""), left, whole, "");
}

static LLVMValueRef first_of(gf_emit *e, int axis) {
    return LLVMBuildMul(e->ll.builder, e->wid[axis], gf_i32(e, e->tree->kernel.workgroup[axis]), "");
}

typedef struct lanes {
    const gf_block *body;
    LLVMValueRef extent[3];
} lanes;

static void emit_lane_row(gf_emit *e, LLVMValueRef y, void *context) {
    const lanes *all = context;
    e->lid[1] = LLVMBuildTrunc(e->ll.builder, y, e->ll.i32, "lid.y");
    e->gid[1] = LLVMBuildAdd(e->ll.builder, first_of(e, 1), e->lid[1], "gid.y");
    emit_row(e, all->body, gf_i64(e, 0), all->extent[0]);
}

static void emit_lane_plane(gf_emit *e, LLVMValueRef z, void *context) {
    const lanes *all = context;
    e->lid[2] = LLVMBuildTrunc(e->ll.builder, z, e->ll.i32, "lid.z");
    e->gid[2] = LLVMBuildAdd(e->ll.builder, first_of(e, 2), e->lid[2], "gid.z");
    if (e->tree->kernel.workgroup[1] > 1) {
        gf_emit_range(e, gf_i64(e, 0), all->extent[1], "lane_y", emit_lane_row, context);
    } else {
        emit_lane_row(e, gf_i64(e, 0), context);
    }
}

void gf_emit_group_lanes(gf_emit *e, const gf_block *body) {
    lanes all = {.body = body};
    e->in_group = true;
    e->lane_gid = first_of(e, 0);
    for (int axis = 0; axis < 3; axis++) {
        all.extent[axis] = extent(e, axis);
    }
    if (e->tree->kernel.workgroup[2] > 1) {
        gf_emit_range(e, gf_i64(e, 0), all.extent[2], "lane_z", emit_lane_plane, &all);
    } else {
        emit_lane_plane(e, gf_i64(e, 0), &all);
    }
}
