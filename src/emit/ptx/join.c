/* Segments of one stage: those that nobody need wait between (gf_plan_node.joins) are one kernel, one behind the other.
 * Each kernel less is a microsecond less, which is what most passes of flows_to over a small graph are made of. */
#include "emit/ptx/stages.h"
#include "emit/ptx/whole.h"

#define LEAST_GROUP 256 /* threads of a block that others may as well have */

/* In one row, or by workgroup: others want the grid in a shape of their own. */
static bool has_any_grid(const gf_segment *segment) {
    return segment->is_forall ||
           (gf_ptx_needs_groups(segment->tree) && gf_ptx_group_size(segment->tree) >= LEAST_GROUP);
}

/* What one only reads it loads past the coherent caches. */
static bool writes_what_is_read(const gf_segment *a, const gf_segment *b) {
    for (size_t i = 0; i < a->buffer_count; i++) {
        for (size_t k = 0; k < b->buffer_count; k++) {
            bool is_read = a->buffers[i].role == GF_ROLE_IN, is_read_too = b->buffers[k].role == GF_ROLE_IN;
            if (a->buffers[i].buffer == b->buffers[k].buffer && is_read != is_read_too) {
                return true;
            }
        }
    }
    return false;
}

static bool fits_beside(const gf_segment *segment, const gf_segment *other) {
    bool by_group = gf_ptx_needs_groups(segment->tree) && gf_ptx_needs_groups(other->tree);
    bool is_other = gf_ptx_group_size(segment->tree) != gf_ptx_group_size(other->tree);
    return !(by_group && is_other) && !writes_what_is_read(segment, other);
}

static bool takes(const gf_segment *segment, const gf_symbol *reg) {
    for (size_t i = 0; i < segment->param_count; i++) {
        if (segment->params[i].source == reg) {
            return true;
        }
    }
    return segment->forall_from != NULL && segment->forall_from->source == reg;
}

/* A register that is set between them, and may as well be set before all of them. */
static bool is_early(const gf_ptx_joined *joined, const gf_plan_node *node) {
    bool early = node->kind == GF_PLAN_SET && !gf_ptx_reads_memory(node->value);
    for (size_t i = 0; early && i < joined->count; i++) {
        early = !takes(joined->items[i]->segment, node->target);
    }
    return early;
}

/* Prefix sums and reductions have hidden buffers, and none of those joins another. */
size_t gf_ptx_find_joined(const gf_plan_block *block, size_t first, const bool *lists, bool checked,
                          gf_ptx_joined *joined) {
    size_t last = first;
    *joined = (gf_ptx_joined){.items = {block->items[first]}, .count = 1};
    if (!has_any_grid(block->items[first]->segment)) {
        return first;
    }
    for (size_t i = first + 1; i < block->count && joined->count < GF_PTX_MOST_JOINED; i++) {
        const gf_plan_node *node = block->items[i];
        if (is_early(joined, node)) {
            continue;
        }
        bool joins = node->kind == GF_PLAN_SEGMENT && has_any_grid(node->segment) && gf_ptx_joins(node, checked);
        /* Rows that are left to a kernel of pieces are those of the last one. */
        joins = joins && !lists[joined->items[joined->count - 1]->segment->index];
        for (size_t k = 0; joins && k < joined->count; k++) {
            joins = fits_beside(joined->items[k]->segment, node->segment);
        }
        if (!joins) {
            break;
        }
        joined->items[joined->count++] = node;
        last = i;
    }
    return last;
}
