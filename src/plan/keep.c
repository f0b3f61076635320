/* Buffers of which a loop of the plan touches no element but the invocation's own: item i of each forall in it looks at
 * element i, and nothing else in the loop looks at all. While the loop goes on nobody but the thread, or the block of
 * threads, that has item i needs to have element i. */
#include "ir/visit.h"
#include "plan/split.h"
#include <string.h>

typedef struct looking {
    const gf_symbol *buffer; /* of the segment's own program, or of the plan's */
    bool *own;               /* by symbol id: a LET that is the invocation's number */
    bool is_kept, is_written;
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
    if (expr->ref.symbol == l->buffer && expr->kind != GF_EXPR_LEN) {
        l->is_kept = l->is_kept && expr->kind == GF_EXPR_LOAD && l->own != NULL && is_own(l, expr->args[0]);
    }
    return l->is_kept;
}

static bool look_at_stmt(void *user, const gf_stmt *stmt) {
    looking *l = user;
    const gf_symbol *target = stmt->target.symbol;
    if (stmt->kind == GF_STMT_LET) {
        l->own[target->id] = is_own(l, stmt->value);
    } else if (target == l->buffer) {
        l->is_kept = l->is_kept && stmt->kind == GF_STMT_STORE && is_own(l, stmt->index);
        l->is_written = true;
    }
    l->is_kept = l->is_kept && stmt->kind != GF_STMT_COPY_ASYNC && stmt->kind != GF_STMT_COLLECTIVE &&
                 stmt->kind != GF_STMT_SWAP;
    return l->is_kept;
}

typedef struct judging {
    const gf_plan *plan;
    bool *own;         /* room for the symbols of any segment */
    gf_plan_kept kept; /* so far */
    bool fits;
} judging;

static void judge_segment(judging *j, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer != j->kept.buffer) {
            continue;
        }
        looking l = {.buffer = segment->buffers[i].symbol, .is_kept = true};
        l.own = j->own;
        memset(l.own, 0, segment->tree->symbol_count * sizeof *l.own);
        gf_visitor visitor = {.user = &l, .stmt = look_at_stmt, .expr = look_at_expr, .into_calls = true};
        gf_visit_block(&visitor, segment->tree->kernel.body);
        j->fits = j->fits && l.is_kept && segment->is_forall;
        j->kept.uses++;
        j->kept.is_written |= l.is_written;
    }
}

static void judge_scalar(judging *j, const gf_expr *expr) {
    looking l = {.buffer = j->plan->buffers[j->kept.buffer].symbol, .is_kept = true};
    gf_visitor visitor = {.user = &l, .expr = look_at_expr, .into_calls = true};
    gf_visit_expr(&visitor, expr);
    j->fits = j->fits && l.is_kept;
}

static void judge_block(judging *j, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count && j->fits; i++) {
        const gf_plan_node *node = block->items[i];
        const gf_expr *exprs[] = {node->value, node->from, node->to, node->step, node->count};
        for (size_t k = 0; k < sizeof exprs / sizeof *exprs; k++) {
            judge_scalar(j, exprs[k]);
        }
        switch (node->kind) {
        case GF_PLAN_SEGMENT:
            judge_segment(j, node->segment);
            break;
        case GF_PLAN_FILL:
            j->fits = j->fits && node->buffer != j->kept.buffer;
            break;
        case GF_PLAN_REDUCE: /* their buffers are hidden ones */
        case GF_PLAN_SCAN:
        case GF_PLAN_SET:
        case GF_PLAN_CONVERGED:
        case GF_PLAN_IF:
        case GF_PLAN_WHILE:
        case GF_PLAN_FOR:
        case GF_PLAN_BREAK:
        case GF_PLAN_CONTINUE:
        case GF_PLAN_SWAP: /* of others */
            break;
        case GF_PLAN_RETURN: /* leaves the loop where nobody sees it */
        case GF_PLAN_COLLECTIVE:
            j->fits = false;
            break;
        }
        judge_block(j, node->body);
        judge_block(j, node->otherwise);
    }
}

void gf_split_kept(gf_split *split) {
    gf_plan *plan = split->plan;
    GF_VEC(gf_plan_kept) kept = {0};
    size_t symbols = 0;
    for (size_t i = 0; i < plan->segment_count; i++) {
        size_t count = plan->segments[i]->tree->symbol_count;
        symbols = count > symbols ? count : symbols;
    }
    bool *own = gf_new_array(split->arena, bool, symbols);
    for (size_t i = 0; i < plan->body->count; i++) {
        const gf_plan_node *node = plan->body->items[i];
        bool is_loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
        for (uint32_t b = 0; is_loop && b < plan->buffer_count; b++) {
            judging j = {.plan = plan, .own = own, .kept = {.loop = node, .buffer = b}};
            j.fits = plan->buffers[b].kind == GF_PLAN_BUFFER_PROGRAM && !plan->buffers[b].swapped;
            judge_scalar(&j, node->value);
            judge_block(&j, node->body);
            if (j.fits && j.kept.uses > 0) {
                gf_push(split->arena, &kept, j.kept);
            }
        }
    }
    plan->kept = kept.items;
    plan->kept_count = kept.count;
}
