/* Buffers of which a loop of the plan touches no element but the invocation's own: item i of each forall in it looks at
 * element i, and nothing else in the loop looks at all. While the loop goes on nobody but the thread, or the block of
 * threads, that has item i needs to have element i. */
#include "ir/visit.h"
#include "plan/split.h"

/* What a segment does, by symbol id of its own program. */
typedef struct looking {
    bool *own;    /* a LET that is the invocation's number */
    bool *shared; /* a buffer of which it looks at other elements, or at its own by more than loads and stores */
    bool copies;  /* many elements at once */
} looking;

static bool is_own(const looking *l, const gf_expr *index) {
    switch ((int)index->kind) {
    case GF_EXPR_BUILTIN:
        return index->builtin == GF_BUILTIN_GID && (index->axis == GF_AXIS_X || index->axis == GF_AXIS_LINEAR);
    case GF_EXPR_NAME:
        return index->ref.symbol->kind == GF_SYMBOL_LET && l->own[index->ref.symbol->id];
    case GF_EXPR_CAST:
        return (index->type == GF_TYPE_U32 || index->type == GF_TYPE_U64) && is_own(l, index->args[0]);
    default:
        return false;
    }
}

static bool look_at_expr(void *user, const gf_expr *expr) {
    looking *l = user;
    const gf_symbol *buffer = expr->ref.symbol;
    if (buffer != NULL && buffer->kind == GF_SYMBOL_BUFFER && expr->kind != GF_EXPR_LEN) {
        l->shared[buffer->id] |= expr->kind != GF_EXPR_LOAD || !is_own(l, expr->args[0]);
    }
    return true;
}

static bool look_at_stmt(void *user, const gf_stmt *stmt) {
    looking *l = user;
    const gf_symbol *target = stmt->target.symbol;
    if (stmt->kind == GF_STMT_LET) {
        l->own[target->id] = is_own(l, stmt->value);
    } else if (target != NULL && target->kind == GF_SYMBOL_BUFFER) {
        l->shared[target->id] |= stmt->kind != GF_STMT_STORE || !is_own(l, stmt->index);
    }
    l->copies |= stmt->kind == GF_STMT_COPY_ASYNC || stmt->kind == GF_STMT_COLLECTIVE || stmt->kind == GF_STMT_SWAP;
    return true;
}

/* By the segment's buffers: those of which it looks at more than the invocation's own element. */
static bool *find_shared(gf_arena *arena, const gf_segment *segment) {
    size_t symbols = segment->tree->symbol_count;
    looking l = {.own = gf_new_array(arena, bool, symbols), .shared = gf_new_array(arena, bool, symbols)};
    gf_visitor visitor = {.user = &l, .stmt = look_at_stmt, .expr = look_at_expr, .into_calls = true};
    gf_visit_block(&visitor, segment->tree->kernel.body);
    bool *shared = gf_new_array(arena, bool, segment->buffer_count);
    for (size_t i = 0; i < segment->buffer_count; i++) {
        shared[i] = !segment->is_forall || l.copies || l.shared[segment->buffers[i].symbol->id];
    }
    return shared;
}

typedef struct judging {
    const gf_plan *plan;
    bool *const *shared; /* by segment: what find_shared gives */
    gf_plan_kept kept;   /* so far */
    bool fits;
} judging;

static void judge_segment(judging *j, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer == j->kept.buffer) {
            j->fits = j->fits && !j->shared[segment->index][i];
            j->kept.uses++;
            j->kept.is_written |= segment->buffers[i].role != GF_ROLE_IN;
        }
    }
}

static void judge_block(judging *j, const gf_plan_block *block);

/* The node and all below it: a loop's bounds are read by everybody, as often as it is asked whether it goes on. */
static void judge_node(judging *j, const gf_plan_node *node) {
    const gf_symbol *buffer = j->plan->buffers[j->kept.buffer].symbol;
    const gf_expr *exprs[] = {node->value, node->from, node->to, node->step, node->count};
    for (size_t k = 0; k < sizeof exprs / sizeof *exprs; k++) {
        j->fits = j->fits && !gf_split_mentions(exprs[k], buffer);
    }
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
        judge_segment(j, node->segment);
        break;
    case GF_PLAN_FILL:
    case GF_PLAN_REDUCE:
    case GF_PLAN_SCAN:
    case GF_PLAN_SWAP:
        j->fits = j->fits && node->buffer != j->kept.buffer && node->second != j->kept.buffer;
        break;
    case GF_PLAN_SET:
    case GF_PLAN_CONVERGED:
    case GF_PLAN_IF:
    case GF_PLAN_WHILE:
    case GF_PLAN_FOR:
    case GF_PLAN_BREAK:
    case GF_PLAN_CONTINUE:
        break;
    case GF_PLAN_RETURN: /* leaves the loop where nobody sees it */
    case GF_PLAN_COLLECTIVE:
        j->fits = false;
        break;
    }
    judge_block(j, node->body);
    judge_block(j, node->otherwise);
}

static void judge_block(judging *j, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count && j->fits; i++) {
        judge_node(j, block->items[i]);
    }
}

void gf_split_kept(gf_split *split) {
    gf_plan *plan = split->plan;
    GF_VEC(gf_plan_kept) kept = {0};
    bool **shared = gf_new_array(split->arena, bool *, plan->segment_count);
    for (size_t i = 0; i < plan->segment_count; i++) {
        shared[i] = find_shared(split->arena, plan->segments[i]);
    }
    for (size_t i = 0; i < plan->body->count; i++) {
        const gf_plan_node *node = plan->body->items[i];
        bool is_loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
        for (uint32_t b = 0; is_loop && b < plan->buffer_count; b++) {
            judging j = {.plan = plan, .shared = shared, .kept = {.loop = node, .buffer = b}};
            j.fits = plan->buffers[b].kind == GF_PLAN_BUFFER_PROGRAM && !plan->buffers[b].swapped;
            judge_node(&j, node);
            if (j.fits && j.kept.uses > 0) {
                gf_push(split->arena, &kept, j.kept);
            }
        }
    }
    plan->kept = kept.items;
    plan->kept_count = kept.count;
}
