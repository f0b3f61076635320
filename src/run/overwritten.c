#include "run/overwritten.h"
#include "ir/visit.h"

typedef enum verdict { GOES_ON, YES, NO } verdict;

typedef struct mention {
    const gf_symbol *buffer;
    bool found;
} mention;

static bool look_at_expr(void *user, const gf_expr *expr) {
    mention *search = user;
    search->found = search->found || (expr->ref.symbol == search->buffer && expr->kind != GF_EXPR_LEN);
    return !search->found;
}

static bool is_mentioned(const gf_expr *expr, const gf_symbol *buffer) {
    mention search = {.buffer = buffer};
    gf_visitor visitor = {.user = &search, .expr = look_at_expr, .into_calls = true};
    gf_visit_expr(&visitor, expr);
    return search.found;
}

static verdict judge_segment(const gf_segment *segment, uint32_t buffer) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer == buffer) {
            return segment->buffers[i].role == GF_ROLE_OUT && segment->buffers[i].overwrites ? YES : NO;
        }
    }
    return GOES_ON;
}

static verdict judge_node(const gf_plan *plan, const gf_plan_node *node, uint32_t buffer) {
    bool touches = node->buffer == buffer || node->second == buffer;
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
        return judge_segment(node->segment, buffer);
    case GF_PLAN_SET:
    case GF_PLAN_CONVERGED:
        return is_mentioned(node->value, plan->buffers[buffer].symbol) ? NO : GOES_ON;
    case GF_PLAN_REDUCE:
    case GF_PLAN_SCAN:
        return touches || is_mentioned(node->count, plan->buffers[buffer].symbol) ? NO : GOES_ON;
    case GF_PLAN_FILL:
        return node->buffer == buffer ? NO : GOES_ON;
    case GF_PLAN_SWAP:
        return touches ? NO : GOES_ON;
    case GF_PLAN_COLLECTIVE:
    case GF_PLAN_IF:
    case GF_PLAN_WHILE:
    case GF_PLAN_FOR:
    case GF_PLAN_BREAK:
    case GF_PLAN_CONTINUE:
    case GF_PLAN_RETURN:
        break;
    }
    return NO;
}

bool gf_plan_overwritten(const gf_plan *plan, uint32_t buffer) {
    const gf_plan_block *blocks[] = {plan->prologue, plan->body};
    for (size_t b = 0; b < 2; b++) {
        for (size_t i = 0; blocks[b] != NULL && i < blocks[b]->count; i++) {
            verdict found = judge_node(plan, blocks[b]->items[i], buffer);
            if (found != GOES_ON) {
                return found == YES;
            }
        }
    }
    return false;
}
