/* What a segment does besides its own text: reductions and prefix sums over values that it makes. They are taken block
 * by block from the first cache, where the plan as it stands would write them to memory and read them again.
 *
 * A prefix sum takes two segments, one that makes the values and one that uses the sums. The first only adds its values
 * up, a total per block; the second makes a block of values once more, which it may because they come from nothing that
 * it writes itself, and sums them up in place. */
#include "emit/llvm/emitter.h"
#include "ir/effects.h"
#include "ir/program.h"

#define BLOCK GF_LLVM_SCAN_BLOCK
#define LEAST_BLOCK 32 /* smaller ones cost more to begin and end than they save */

/* Who has to do with a buffer of values. */
typedef struct use_count {
    uint32_t buffer;
    unsigned reduces, scans, segments;
    const gf_plan_node *node;
} use_count;

static void count_nodes(const gf_plan_block *block, use_count *use) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (node->buffer == use->buffer || node->second == use->buffer) {
            use->reduces += node->kind == GF_PLAN_REDUCE;
            use->scans += node->kind == GF_PLAN_SCAN;
            use->node = node->kind != GF_PLAN_FILL ? node : use->node;
        }
        count_nodes(node->body, use);
        count_nodes(node->otherwise, use);
    }
}

static use_count count_uses(const gf_plan *plan, uint32_t buffer) {
    use_count use = {.buffer = buffer};
    count_nodes(plan->body, &use);
    for (size_t k = 0; k < plan->segment_count; k++) {
        for (size_t j = 0; j < plan->segments[k]->buffer_count; j++) {
            use.segments += plan->segments[k]->buffers[j].buffer == buffer;
        }
    }
    return use;
}

static bool has_one_axis(const gf_segment *segment) {
    const gf_kernel_decl *kernel = &segment->tree->kernel;
    return segment->is_forall || (kernel->space_kind != GF_SPACE_INDIRECT && kernel->space_axes <= 1 &&
                                  kernel->workgroup[1] <= 1 && kernel->workgroup[2] <= 1);
}

bool gf_needs_groups(const gf_tree *tree) {
    return tree->has_group_barrier || gf_tree_count(tree, GF_SYMBOL_SHARED) > 0;
}

/* ---- prefix sums ---- */

static bool uses(const gf_segment *segment, uint32_t buffer, bool writing) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer == buffer && (!writing || segment->buffers[i].role != GF_ROLE_IN)) {
            return true;
        }
    }
    return false;
}

/* Makes values and does nothing else, so that it may do so twice. */
static bool only_makes(const gf_segment *segment, uint32_t values) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer != values && segment->buffers[i].role != GF_ROLE_IN) {
            return false;
        }
    }
    return !gf_block_holds_trap(segment->tree->kernel.body);
}

static bool may_fuse(const gf_plan *plan, const gf_segment *source, const gf_segment *user, const gf_plan_node *scan) {
    if (source->is_forall || user->is_forall || gf_needs_groups(source->tree) || gf_needs_groups(user->tree) ||
        !has_one_axis(source) || !has_one_axis(user) || source->tree->kernel.space_kind == GF_SPACE_ONE ||
        scan->count != NULL || !uses(source, scan->buffer, true) || !uses(user, scan->second, false) ||
        uses(user, scan->second, true) || !only_makes(source, scan->buffer)) {
        return false;
    }
    for (size_t i = 0; i < source->buffer_count; i++) {
        if (uses(user, source->buffers[i].buffer, true)) {
            return false;
        }
    }
    use_count values = count_uses(plan, scan->buffer), sums = count_uses(plan, scan->second);
    return values.scans == 1 && values.reduces == 0 && values.segments == 1 && sums.scans == 1 && sums.reduces == 0 &&
           sums.segments == 1;
}

/* source, scan, then registers, then the user. */
static const gf_plan_node *find_scan(const gf_plan *plan, const gf_plan_block *block, const gf_segment *user,
                                     const gf_segment **source) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (node->kind == GF_PLAN_SCAN && i > 0 && block->items[i - 1]->kind == GF_PLAN_SEGMENT) {
            size_t next = i + 1;
            while (next < block->count && block->items[next]->kind == GF_PLAN_SET) {
                next++;
            }
            *source = block->items[i - 1]->segment;
            if (next < block->count && block->items[next]->kind == GF_PLAN_SEGMENT &&
                block->items[next]->segment == user && may_fuse(plan, *source, user, node)) {
                return node;
            }
        }
        const gf_plan_node *found = find_scan(plan, node->body, user, source);
        found = found != NULL ? found : find_scan(plan, node->otherwise, user, source);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

bool gf_llvm_scan_of(const gf_plan *plan, const gf_segment *user, gf_llvm_scan *scan) {
    const gf_segment *source = NULL;
    const gf_plan_node *node = find_scan(plan, plan->body, user, &source);
    if (node == NULL) {
        return false;
    }
    /* Reductions of the user must go by the same blocks. */
    gf_llvm_reduce reduces[GF_LLVM_REDUCES];
    if (gf_llvm_fused(plan, user, reduces) > 0 && reduces[0].block != BLOCK) {
        return false;
    }
    *scan = (gf_llvm_scan){.source = source->index, .values = node->buffer, .sums = node->second};
    return true;
}

/* What a name stands for, where a let of the block says so. */
static const gf_expr *behind_name(const gf_block *block, const gf_expr *expr) {
    for (size_t i = block->count; i > 0 && expr->kind == GF_EXPR_NAME; i--) {
        const gf_stmt *stmt = block->items[i - 1];
        expr = stmt->kind == GF_STMT_LET && stmt->target.symbol == expr->ref.symbol ? stmt->value : expr;
    }
    return expr;
}

static bool is_own(const gf_block *block, const gf_expr *index) {
    const gf_expr *expr = behind_name(block, index);
    return expr->kind == GF_EXPR_BUILTIN && expr->builtin == GF_BUILTIN_GID &&
           (expr->axis == GF_AXIS_X || expr->axis == GF_AXIS_LINEAR);
}

size_t gf_llvm_copied_by(const gf_segment *source, uint32_t values) {
    const gf_block *body = source->tree->kernel.body;
    const gf_symbol *from = NULL;
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        if (stmt->kind == GF_STMT_LET) {
            continue; /* of a source, which changes nothing */
        }
        if (stmt->kind != GF_STMT_STORE || stmt->op != GF_OP_NONE || from != NULL || !is_own(body, stmt->index)) {
            return SIZE_MAX;
        }
        const gf_expr *value = behind_name(body, stmt->value);
        if (value->kind != GF_EXPR_LOAD || !is_own(body, value->args[0]) ||
            value->ref.symbol->type != stmt->target.symbol->type) {
            return SIZE_MAX;
        }
        from = value->ref.symbol;
    }
    for (size_t i = 0; from != NULL && i < source->buffer_count; i++) {
        if (source->buffers[i].symbol == from && source->buffers[i].buffer != values) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* A source is known by its user. */
static bool is_scanned(const gf_plan *plan, uint32_t values) {
    for (size_t i = 0; i < plan->segment_count; i++) {
        gf_llvm_scan scan;
        const gf_segment *source = NULL;
        const gf_plan_node *node = find_scan(plan, plan->body, plan->segments[i], &source);
        if (node != NULL && node->buffer == values && gf_llvm_scan_of(plan, plan->segments[i], &scan)) {
            return true;
        }
    }
    return false;
}

/* ---- reductions ---- */

unsigned gf_llvm_fused(const gf_plan *plan, const gf_segment *segment, gf_llvm_reduce reduces[GF_LLVM_REDUCES]) {
    unsigned count = 0;
    if (gf_needs_groups(segment->tree)) {
        return 0;
    }
    for (size_t i = 0; i < segment->buffer_count && count < GF_LLVM_REDUCES; i++) {
        uint32_t buffer = segment->buffers[i].buffer;
        if (plan->buffers[buffer].kind != GF_PLAN_BUFFER_VALUES || segment->buffers[i].role == GF_ROLE_IN) {
            continue;
        }
        use_count use = count_uses(plan, buffer);
        gf_type stored = plan->buffers[buffer].symbol->type;
        gf_llvm_reduce reduce = {.buffer = buffer, .block = BLOCK, .combine = GF_COMBINE_ADD, .type = stored};
        if (use.segments == 1 && use.scans == 1 && use.reduces == 0 && is_scanned(plan, buffer)) {
            reduces[count++] = reduce;
            continue;
        }
        if (use.segments != 1 || use.reduces != 1 || use.scans != 0) {
            continue;
        }
        reduce.combine = use.node->combine;
        reduce.type = use.node->target->type == GF_TYPE_BOOL ? GF_TYPE_BOOL : stored;
        /* Sums of floats go by the language's order; anything else may be taken as it comes. */
        reduce.fixed_order = gf_type_is_float(stored) && reduce.combine == GF_COMBINE_ADD;
        if (use.node->by_group && reduce.fixed_order) {
            reduce.block = segment->tree->kernel.workgroup[0];
            if (!has_one_axis(segment) || reduce.block < LEAST_BLOCK) {
                continue;
            }
        }
        if (count == 0 || reduce.block == reduces[0].block) {
            reduces[count++] = reduce;
        }
    }
    return count;
}
