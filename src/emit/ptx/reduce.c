/* Reductions of the grid: which segments do their own, what blocks leave, and what all make of it. */
#include "emit/ptx/grid.h"
#include "ir/program.h"

#define BLOCK 4096
#define TEAM 256
#define MOST_AT_ONCE 8 /* results that a thread has under way */

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
                                       .is_ordered = gf_ptx_is_ordered_sum(node->combine, stored),
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
        fuse->cell = -1;
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

void gf_ptx_put_result(gf_ptx_walk *walk, uint32_t buffer, gf_pv mine, gf_pv index, gf_pv value) {
    gf_ptx_put_global(walk->e, mine, result_address(walk, buffer, false, index), value);
}

/* What threads have summed up as they came: a result per block, by all blocks. */
static void publish_block(gf_ptx_walk *walk, uint32_t buffer) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[buffer];
    gf_type type = fuse->sum.type;
    gf_pv value = gf_ptx_fold_block(e, fuse->combine, type, fuse->sum);
    gf_pv block = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_block(e));
    gf_ptx_put_result(walk, buffer, gf_ptx_do(e, GF_OP_EQ, gf_ptx_thread(e), gf_ptx_u32(0)), block, value);
    gf_ptx_move(&e->p, fuse->count, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_blocks(e)));
}

void gf_ptx_publish_stage(gf_ptx_walk *walk, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        if (fuse->is_fused && fuse->writer == segment && !fuse->is_ordered) {
            publish_block(walk, segment->buffers[i].buffer);
        }
    }
}

/* By steps no register of a reduction lives on but how many results there are where they go by item: a step writes one
 * area, and the next reads it, which writes the other. */
static void set_areas(gf_ptx_walk *walk, const gf_segment *segment, bool writes_next) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        if (!fuse->is_fused || fuse->writer != segment || (gf_ptx_has_cell(fuse) && walk->most_cells < GF_PTX_CELLS)) {
            continue;
        }
        gf_pv round = writes_next ? e->round : gf_ptx_do(e, GF_OP_SUB, e->round, gf_ptx_u32(1));
        gf_ptx_move(&e->p, fuse->parity, gf_ptx_do(e, GF_OP_AND, round, gf_ptx_u32(1)));
        if (fuse->is_ordered) {
            gf_ptx_keep(walk, fuse->count);
        } else if (!writes_next) {
            gf_ptx_move(&e->p, fuse->count, gf_ptx_to_u64(e, gf_ptx_blocks(e)));
        }
    }
}

bool gf_ptx_begin_values(gf_ptx_walk *walk, const gf_segment *segment) {
    bool has_values = false;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        has_values |= fuse->is_fused && fuse->writer == segment;
    }
    if (has_values) {
        set_areas(walk, segment, true);
        gf_ptx_clear_cells(walk);
    }
    return has_values;
}

/* The values of a segment: one barrier for all of them, which carries the first that is a bool, and brings the results
 * of some others. */
void gf_ptx_publish(gf_ptx_walk *walk, const gf_segment *segment) {
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
        if (gf_ptx_has_cell(fuse) && walk->cell_count < GF_PTX_CELLS) {
            fuse->cell = (int)walk->cell_count;
            walk->cells[walk->cell_count++] = fuse;
        } else if (!fuse->is_ordered) {
            publish_block(walk, segment->buffers[i].buffer);
        }
    }
    gf_ptx_give_cells(walk);
    gf_pv any = gf_ptx_grid_barrier(walk, carried != NULL ? &vote : NULL);
    if (walk->steps != NULL) {
        set_areas(walk, segment, false);
    }
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
    gf_pv got = gf_ptx_get_global(e, value.type, result_address(walk, buffer, second, k));
    gf_ptx_move(&e->p, value, gf_ptx_combine(&e->p, fuse->combine, value.type, value, got));
    gf_ptx_move(&e->p, k, gf_ptx_do(e, GF_OP_ADD, k, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
}

/* The same, several at once from k on, while there are as many, so that a thread does not wait for each by itself: of
 * 8191 results 512 threads have 16 each, one behind the other that is 8 us. */
static void gather_some(gf_ptx_walk *walk, uint32_t buffer, gf_pv value, gf_pv k, gf_pv step, unsigned some) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[buffer];
    gf_pv got[MOST_AT_ONCE], more = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_MUL, step, gf_ptx_u64(some - 1)));
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_place(&e->p, head);
    gf_pv last = gf_ptx_do(e, GF_OP_ADD, k, more);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, last, fuse->count), true, done);
    for (unsigned i = 0; i < some; i++) {
        got[i] = gf_ptx_get_global(e, value.type, result_address(walk, buffer, false, k));
        gf_ptx_move(&e->p, k, gf_ptx_do(e, GF_OP_ADD, k, step));
    }
    for (unsigned i = 0; i < some; i++) {
        gf_ptx_move(&e->p, value, gf_ptx_combine(&e->p, fuse->combine, value.type, value, got[i]));
    }
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
    bool is_alone = walk->by_stages || walk->steps != NULL;
    gf_pv mine_first = is_alone ? gf_ptx_u32(0) : gf_ptx_block(e);
    gf_pv grid = is_alone ? gf_ptx_u32(1) : gf_ptx_blocks(e);
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
    gf_pv mine = gf_ptx_do(e, GF_OP_EQ, p, gf_ptx_u32(0));
    mine = gf_ptx_do(e, GF_OP_AND, mine, gf_ptx_do(e, GF_OP_LT, block, blocks));
    gf_ptx_put_global(e, mine, result_address(walk, buffer, true, block), sum);
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_ADD, at, step));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
    if (is_alone) {
        gf_ptx_sync(e);
    } else {
        (void)gf_ptx_grid_barrier(walk, NULL);
    }
    gf_ptx_move(&e->p, second, blocks);
}

/* Every block combines the results of all blocks for itself, every warp where they are few: cheaper than to wait
 * once more. */
static gf_pv reduce_ordered(gf_ptx_walk *walk, uint32_t buffer) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[buffer];
    gf_pv value = gf_ptx_new_value(&e->p, fuse->sum.type), second = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_pv tid = gf_ptx_thread(e), neutral = gf_ptx_neutral(fuse->combine, value.type);
    uint32_t many = gf_ptx_label(&e->p), one = gf_ptx_label(&e->p), summed = gf_ptx_label(&e->p),
             gathered = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, value, neutral);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GT, fuse->count, gf_ptx_u64(TEAM)), true, many);
    gf_pv results = result_address(walk, buffer, false, gf_ptx_u64(0));
    gf_pv count = gf_ptx_cast(&e->p, GF_TYPE_U32, fuse->count);
    gf_ptx_move(&e->p, value, gf_ptx_fold_few(e, fuse->combine, value.type, results, count));
    gf_ptx_jump(&e->p, done);
    gf_ptx_place(&e->p, many);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LE, fuse->count, gf_ptx_u64(BLOCK)), true, one);
    reduce_results(walk, buffer, fuse->count, second);
    for (int level = 0; level < 2; level++) {
        uint32_t skip = level == 0 ? summed : gathered;
        gf_pv end = level == 0 ? second : fuse->count;
        gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, tid, gf_ptx_u32(TEAM)), true, skip);
        gather(walk, buffer, level == 0, value, gf_ptx_cast(&e->p, GF_TYPE_U64, tid), end, gf_ptx_u64(TEAM));
        if (level == 0) {
            gf_ptx_place(&e->p, summed);
            gf_ptx_jump(&e->p, gathered);
            gf_ptx_place(&e->p, one);
        }
    }
    gf_ptx_place(&e->p, gathered);
    gf_ptx_move(&e->p, value, gf_ptx_fold_team(e, fuse->combine, value.type, value));
    gf_ptx_place(&e->p, done);
    return gf_ptx_broadcast(e, value);
}

static gf_pv reduce_unordered(gf_ptx_walk *walk, uint32_t buffer) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_fuse *fuse = &walk->fuse[buffer];
    gf_pv value = gf_ptx_new_value(&e->p, fuse->sum.type);
    gf_ptx_move(&e->p, value, gf_ptx_constant(value.type, gf_ptx_neutral(fuse->combine, fuse->type).bits));
    gf_pv first = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_thread(e));
    gf_pv step = gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_threads(e));
    if (walk->by_stages || walk->steps != NULL) {
        first = gf_ptx_variable(e, first);
        step = gf_ptx_register(&e->p, step);
        gather_some(walk, buffer, value, first, step, MOST_AT_ONCE);
        gather_some(walk, buffer, value, first, step, 2);
    }
    gather(walk, buffer, false, value, first, fuse->count, step);
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
        gf_ptx_publish(walk, fuse->writer);
    }
    gf_pv value, target = walk->names[node->target->id].value;
    if (fuse->is_vote && !walk->by_stages) {
        value = fuse->vote;
    } else if (fuse->cell >= 0) {
        value = target.type == GF_TYPE_BOOL ? gf_ptx_do(e, GF_OP_NE, fuse->said, gf_ptx_u32(0)) : fuse->said;
    } else {
        value = fuse->is_ordered ? reduce_ordered(walk, node->buffer) : reduce_unordered(walk, node->buffer);
        if (!walk->by_stages && walk->steps == NULL) {
            gf_ptx_move(&e->p, fuse->parity, gf_ptx_do(e, GF_OP_XOR, fuse->parity, gf_ptx_u32(1)));
        }
        value = target.type == GF_TYPE_BOOL ? gf_ptx_do(e, GF_OP_NE, value, gf_ptx_u32(0)) : value;
    }
    if (node->keep_old) {
        value = gf_ptx_combine(&e->p, node->combine, target.type, target, value);
    }
    gf_ptx_move(&e->p, target, value);
}
