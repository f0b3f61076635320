/* How large what a device compiles would be, before it is compiled. */
#include "ir/visit.h"
#include "plan/plan.h"

/* In units of a simple operation: the code of a segment around its body, of a reduction or group operation, and of an
 * elementary function. */
enum { SIZE_SEGMENT = 20, SIZE_COMBINE = 50, SIZE_ELEMENTARY = 30 };

typedef struct counter {
    size_t size, most;
} counter;

static bool count_stmt(void *user, const gf_stmt *stmt) {
    counter *c = user;
    c->size += 1 + stmt->reduce_count * SIZE_COMBINE;
    return c->size <= c->most;
}

static bool count_expr(void *user, const gf_expr *expr) {
    counter *c = user;
    bool is_elementary = expr->kind == GF_EXPR_OP && gf_op_is_elementary(expr->op);
    c->size += expr->kind == GF_EXPR_CROSS ? SIZE_COMBINE : is_elementary ? SIZE_ELEMENTARY : 1;
    return c->size <= c->most;
}

static void count_nodes(counter *c, const gf_plan_block *block) {
    gf_visitor visitor = {.user = c, .stmt = count_stmt, .expr = count_expr, .into_calls = true};
    for (size_t i = 0; block != NULL && i < block->count && c->size <= c->most; i++) {
        const gf_plan_node *node = block->items[i];
        const gf_expr *exprs[] = {node->value, node->from, node->to, node->step, node->count};
        for (size_t k = 0; k < sizeof exprs / sizeof *exprs; k++)
            gf_visit_expr(&visitor, exprs[k]);
        c->size += node->kind == GF_PLAN_REDUCE || node->kind == GF_PLAN_SCAN ? SIZE_COMBINE : 1;
        count_nodes(c, node->body);
        count_nodes(c, node->otherwise);
    }
}

bool gf_plan_compiles(const gf_plan *plan, size_t most, gf_diags *diags) {
    counter c = {.most = most};
    gf_visitor visitor = {.user = &c, .stmt = count_stmt, .expr = count_expr, .into_calls = true};
    for (size_t i = 0; i < plan->segment_count && c.size <= most; i++) {
        c.size += SIZE_SEGMENT;
        gf_visit_block(&visitor, plan->segments[i]->tree->kernel.body);
    }
    count_nodes(&c, plan->body);
    count_nodes(&c, plan->prologue);
    if (c.size <= most)
        return true;
    gf_fail(diags, GF_CODE_PLAN_TO_COMPILE, plan->program->checked->kernel.span,
            "the program is too large to compile: more than %zu operations, functions in place of their calls", most);
    gf_fix(diags, "put what repeats into loops, or run it on the interpreter: --device interp");
    return false;
}
