/* Whether an invocation may end the run before its time: it traps, did wrong in checked code, or was told to leave a
 * loop that might not end. If none may, a barrier need not ask. What the emitter makes of loops (loops.c, walk.c) is
 * known here roughly, and on the safe side: it tells if it was wrong. */
#include "emit/ptx/whole.h"
#include "ir/effects.h"
#include "ir/visit.h"

static bool look_for_for(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found |= stmt->kind == GF_STMT_FOR;
    return !*found;
}

/* Of 32 bits a nest of two has too many turns to be waited for. */
static bool look_at_loop(void *user, const gf_stmt *stmt) {
    bool *may = user;
    *may |= stmt->kind == GF_STMT_WHILE || stmt->kind == GF_STMT_LOOP;
    if (stmt->kind == GF_STMT_FOR) {
        *may |= gf_type_bytes(stmt->target.symbol->type) == 8;
        gf_visit_block(&(gf_visitor){.user = may, .stmt = look_for_for, .into_calls = true}, stmt->body);
    }
    return !*may;
}

static void look_at_tree(const gf_visitor *visitor, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        const gf_expr *exprs[] = {node->value, node->from, node->to, node->step};
        for (size_t k = 0; k < sizeof exprs / sizeof exprs[0]; k++) {
            gf_visit_expr(visitor, exprs[k]);
        }
        look_at_tree(visitor, node->body);
        look_at_tree(visitor, node->otherwise);
    }
}

bool gf_ptx_may_do_wrong(const gf_plan *plan, bool checked) {
    bool may = checked;
    for (size_t i = 0; i < plan->segment_count; i++) {
        may |= gf_block_holds_trap(plan->segments[i]->tree->kernel.body);
    }
    return may;
}

/* Not one that may trap: what segments before it have told of is there when it tells, so that of two invocations of one
 * number the first one stays. */
bool gf_ptx_joins(const gf_plan_node *node, bool checked) {
    return node->joins && !checked && !gf_block_holds_trap(node->segment->tree->kernel.body);
}

bool gf_ptx_may_end(const gf_plan *plan, bool checked) {
    bool may = gf_ptx_may_do_wrong(plan, checked);
    gf_visitor loops = {.user = &may, .stmt = look_at_loop, .into_calls = true};
    for (size_t i = 0; i < plan->segment_count && !may; i++) {
        gf_visit_block(&loops, plan->segments[i]->tree->kernel.body);
    }
    look_at_tree(&loops, plan->prologue);
    look_at_tree(&loops, plan->body);
    return may;
}
