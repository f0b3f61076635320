/* Which plans go by steps rather than by stages: those of whose stages many would find nothing to do, as a branch, or a
 * loop in a loop, is laid out for all that might happen. And what steps cannot do. */
#include "emit/ptx/grid.h"
#include "emit/ptx/stages.h"

#define CELLS_OF_LOOP 8  /* bytes: what a loop may keep from step to step */
#define CELLS_OF_WALK 64 /* and the walk itself */

static bool has_work(const gf_plan_block *block);

/* Work of the grid, which takes kernels. */
static bool is_work(const gf_plan_node *node) {
    return node->kind == GF_PLAN_SEGMENT || node->kind == GF_PLAN_SCAN || has_work(node->body) ||
           has_work(node->otherwise);
}

static bool has_work(const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        if (is_work(block->items[i])) {
            return true;
        }
    }
    return false;
}

static unsigned count_segments(const gf_plan_block *block) {
    unsigned count = 0;
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        count += node->kind == GF_PLAN_SEGMENT;
        count += count_segments(node->body) + count_segments(node->otherwise);
    }
    return count;
}

static bool holds_loop(const gf_plan_block *block);

/* Turns of it stand one behind the other, and none is idle. */
static bool is_unrolled(const gf_plan_node *loop) {
    return gf_ptx_is_unrolled(loop, count_segments(loop->body), holds_loop(loop->body));
}

static bool holds_loop(const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        bool is_loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
        if ((is_loop && is_work(node) && !is_unrolled(node)) || holds_loop(node->body) || holds_loop(node->otherwise)) {
            return true;
        }
    }
    return false;
}

/* The rest of a turn that may have been left (lower_exits): it has work in most of them. */
static bool is_rest(const gf_expr *condition) {
    if (condition->kind == GF_EXPR_AND) {
        return is_rest(condition->args[0]) && is_rest(condition->args[1]);
    }
    return condition->kind == GF_EXPR_OP && condition->op == GF_OP_NOT && condition->args[0]->kind == GF_EXPR_NAME;
}

/* Kernels for something that may not happen, in each turn of a loop. Of a loop whose turns the host can tell as many
 * are laid out. */
static bool is_often_idle(const gf_plan_block *block, const gf_ptx_options *options, bool in_loop) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        bool is_loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR, is_idle = false;
        if (!is_work(node) || node->kind == GF_PLAN_SEGMENT || node->kind == GF_PLAN_SCAN) {
            continue;
        }
        if (is_loop) {
            bool is_known = gf_ptx_turns_of(options->turns, options->turns_count, node) > 0;
            is_idle = in_loop && !is_known && !is_unrolled(node);
        } else {
            is_idle = in_loop && (has_work(node->otherwise) || !is_rest(node->value));
        }
        bool inside = in_loop || (is_loop && !is_unrolled(node));
        if (is_idle || is_often_idle(node->body, options, inside) || is_often_idle(node->otherwise, options, inside)) {
            return true;
        }
    }
    return false;
}

bool gf_ptx_wants_steps(const gf_plan *plan, const gf_ptx_options *options) {
    return is_often_idle(plan->body, options, options->passes);
}

bool gf_ptx_wants_loops(const gf_plan *plan, const gf_ptx_options *options) {
    return options->passes || holds_loop(plan->prologue) || holds_loop(plan->body);
}

/* ---- what steps cannot do ---- */

static bool reads(const gf_expr *expr) {
    return expr != NULL && gf_ptx_reads_memory(expr);
}

/* What is between a segment and the reductions of its values: nothing for which a step would end. */
static bool passes_by(const gf_plan_node *node) {
    bool is_quick = node->kind == GF_PLAN_SET || node->kind == GF_PLAN_CONVERGED || node->kind == GF_PLAN_REDUCE ||
                    node->kind == GF_PLAN_SWAP;
    return is_quick && !reads(node->value);
}

static bool makes(const gf_segment *segment, uint32_t buffer) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer == buffer && segment->buffers[i].role != GF_ROLE_IN) {
            return true;
        }
    }
    return false;
}

static bool follows_its_segment(const gf_plan_block *block, size_t at) {
    for (size_t i = at; i-- > 0;) {
        if (block->items[i]->kind == GF_PLAN_SEGMENT) {
            return makes(block->items[i]->segment, block->items[at]->buffer);
        }
        if (!passes_by(block->items[i])) {
            return false;
        }
    }
    return false;
}

/* And counts what loops keep. */
static bool can_go(const gf_plan_block *block, size_t *cells) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        bool is_loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
        *cells += is_loop ? CELLS_OF_LOOP : node->kind == GF_PLAN_SWAP ? 16 : 0;
        /* Tiles of prefix sums wait for each other, which wants all blocks of a launch to be there at once. */
        if (node->kind == GF_PLAN_SCAN) {
            return false;
        }
        /* A loop that counts has become one that looks (lower_exits), whose registers are the plan's. */
        if (node->kind == GF_PLAN_FOR) {
            return false;
        }
        if (node->kind == GF_PLAN_REDUCE && !follows_its_segment(block, i)) {
            return false;
        }
        if (!can_go(node->body, cells) || !can_go(node->otherwise, cells)) {
            return false;
        }
    }
    return true;
}

bool gf_ptx_can_go_by_steps(const gf_plan *plan) {
    size_t cells = CELLS_OF_WALK + 8 * (plan->register_count + plan->buffer_count);
    if (!can_go(plan->prologue, &cells) || !can_go(plan->body, &cells)) {
        return false;
    }
    for (size_t i = 0; i < plan->segment_count; i++) {
        /* A list of pieces would have to live on; by stages a kernel behind the segment goes through it. */
        if (gf_ptx_may_leave_rows(plan->segments[i])) {
            return false;
        }
    }
    return cells <= GF_PTX_SET_BYTES - GF_PTX_SET_CELLS;
}
