/* Registers that are set at one place of the plan, and from there on are what they are: what is known of a run before
 * it begins is known of them. */
#include "plan/split.h"

static void look_at_block(const gf_plan_block *block, const gf_plan_node **once, bool *found) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (node->target != NULL) {
            uint32_t id = node->target->id;
            once[id] = found[id] || node->kind != GF_PLAN_SET ? NULL : node;
            found[id] = true;
        }
        look_at_block(node->body, once, found);
        look_at_block(node->otherwise, once, found);
    }
}

void gf_split_once(gf_split *split) {
    gf_plan *plan = split->plan;
    const gf_plan_node **once = gf_new_array(split->arena, const gf_plan_node *, split->symbol_count);
    bool *found = gf_new_array(split->arena, bool, split->symbol_count);
    look_at_block(plan->prologue, once, found);
    look_at_block(plan->body, once, found);
    plan->once = once;
}
