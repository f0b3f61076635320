/* Buffers that need not be zeros when a run begins, and those whose memory may be another's at its end. */
#include "ir/visit.h"
#include "plan/split.h"

/* What a part of the plan does to a buffer of which nothing has been written before. */
typedef enum verdict {
    UNTOUCHED,
    MAYBE,   /* on some ways it is as WRITTEN, on others untouched */
    WRITTEN, /* all of it, before anything is read */
    TOUCHED, /* otherwise */
} verdict;

typedef struct judging {
    const gf_plan *plan;
    uint32_t buffer;
    bool returns; /* the part may end the run early */
} judging;

typedef struct mention {
    const gf_symbol *buffer;
    bool found;
} mention;

static bool look_at_expr(void *user, const gf_expr *expr) {
    mention *search = user;
    search->found = search->found || (expr->ref.symbol == search->buffer && expr->kind != GF_EXPR_LEN);
    return !search->found;
}

bool gf_split_mentions(const gf_expr *expr, const gf_symbol *buffer) {
    mention search = {.buffer = buffer};
    gf_visitor visitor = {.user = &search, .expr = look_at_expr, .into_calls = true};
    gf_visit_expr(&visitor, expr);
    return search.found;
}

static bool mentions(const judging *j, const gf_expr *expr) {
    return gf_split_mentions(expr, j->plan->buffers[j->buffer].symbol);
}

static verdict judge_segment(const judging *j, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer == j->buffer) {
            return segment->buffers[i].role == GF_ROLE_OUT && segment->buffers[i].overwrites ? WRITTEN : TOUCHED;
        }
    }
    return UNTOUCHED;
}

static verdict judge_block(judging *j, const gf_plan_block *block);

static verdict judge_branches(judging *j, const gf_plan_node *node) {
    verdict then = judge_block(j, node->body), otherwise = judge_block(j, node->otherwise);
    if (mentions(j, node->value) || then == TOUCHED || otherwise == TOUCHED) {
        return TOUCHED;
    }
    return then == otherwise ? then : MAYBE;
}

/* Whatever a turn does to a buffer that is untouched, it may do to one that is written; and there may be no turn. */
static verdict judge_loop(judging *j, const gf_plan_node *node) {
    verdict turn = judge_block(j, node->body);
    if (mentions(j, node->value) || mentions(j, node->from) || mentions(j, node->to) || mentions(j, node->step)) {
        return TOUCHED;
    }
    return turn == WRITTEN ? MAYBE : turn;
}

static verdict judge_node(judging *j, const gf_plan_node *node) {
    bool touches = node->buffer == j->buffer || node->second == j->buffer;
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
        return judge_segment(j, node->segment);
    case GF_PLAN_SET:
    case GF_PLAN_CONVERGED:
        return mentions(j, node->value) ? TOUCHED : UNTOUCHED;
    case GF_PLAN_REDUCE:
    case GF_PLAN_SCAN:
        return touches || mentions(j, node->count) ? TOUCHED : UNTOUCHED;
    case GF_PLAN_FILL:
        return node->buffer == j->buffer ? TOUCHED : UNTOUCHED;
    case GF_PLAN_SWAP:
        return touches ? TOUCHED : UNTOUCHED;
    case GF_PLAN_IF:
        return judge_branches(j, node);
    case GF_PLAN_WHILE:
    case GF_PLAN_FOR:
        return judge_loop(j, node);
    case GF_PLAN_RETURN:
        j->returns = true;
        return UNTOUCHED;
    case GF_PLAN_BREAK:
    case GF_PLAN_CONTINUE:
        return UNTOUCHED;
    case GF_PLAN_COLLECTIVE:
        break;
    }
    return TOUCHED;
}

/* Nodes behind a jump are judged as if it were none: that finds no less. */
static verdict judge_block(judging *j, const gf_plan_block *block) {
    verdict so_far = UNTOUCHED;
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        verdict found = judge_node(j, block->items[i]);
        if (found == TOUCHED || found == WRITTEN) {
            return found;
        }
        so_far = found == MAYBE ? MAYBE : so_far;
    }
    return so_far;
}

static bool is_overwritten(const gf_plan *plan, uint32_t buffer) {
    judging j = {.plan = plan, .buffer = buffer};
    const gf_plan_block *blocks[] = {plan->prologue, plan->body};
    verdict found = UNTOUCHED;
    for (size_t b = 0; b < 2 && found != TOUCHED && found != WRITTEN; b++) {
        verdict next = judge_block(&j, blocks[b]);
        found = next == UNTOUCHED ? found : next;
    }
    if (plan->buffers[buffer].symbol->role == GF_ROLE_SCRATCH) {
        return found != TOUCHED;
    }
    return found == WRITTEN && !j.returns;
}

static void find_swapped(gf_split *split, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (node->kind == GF_PLAN_SWAP) {
            split->buffers.items[node->buffer].swapped = true;
            split->buffers.items[node->second].swapped = true;
        }
        find_swapped(split, node->body);
        find_swapped(split, node->otherwise);
    }
}

void gf_split_overwritten(gf_split *split) {
    find_swapped(split, split->plan->prologue);
    find_swapped(split, split->plan->body);
    for (uint32_t i = 0; i < split->buffers.count; i++) {
        gf_plan_buffer *buffer = &split->buffers.items[i];
        bool begins = buffer->symbol->role == GF_ROLE_OUT || buffer->symbol->role == GF_ROLE_SCRATCH;
        buffer->overwritten = buffer->kind == GF_PLAN_BUFFER_PROGRAM && begins && is_overwritten(split->plan, i);
    }
}
