/* Which prefix sums of a plan need no memory. */
#include "emit/ptx/scan.h"
#include "ir/effects.h"
#include "ir/program.h"

typedef struct use_count {
    unsigned reduces, scans, segments;
} use_count;

static void count_nodes(const gf_plan_block *block, uint32_t buffer, use_count *use) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        use->scans += node->kind == GF_PLAN_SCAN && (node->buffer == buffer || node->second == buffer);
        use->reduces += node->kind == GF_PLAN_REDUCE && node->buffer == buffer;
        count_nodes(node->body, buffer, use);
        count_nodes(node->otherwise, buffer, use);
    }
}

static bool is_used_once(const gf_plan *plan, uint32_t buffer) {
    use_count use = {0};
    count_nodes(plan->body, buffer, &use);
    for (size_t k = 0; k < plan->segment_count; k++) {
        for (size_t i = 0; i < plan->segments[k]->buffer_count; i++) {
            use.segments += plan->segments[k]->buffers[i].buffer == buffer;
        }
    }
    return use.scans == 1 && use.reduces == 0 && use.segments == 1;
}

static bool uses(const gf_segment *segment, uint32_t buffer, bool writing) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer == buffer && (!writing || segment->buffers[i].role != GF_ROLE_IN)) {
            return true;
        }
    }
    return false;
}

/* Makes values and does nothing else, so that it may do so twice; and nothing that the user writes comes in. */
static bool only_makes(const gf_segment *source, const gf_segment *user, uint32_t values) {
    for (size_t i = 0; i < source->buffer_count; i++) {
        const gf_segment_buffer *buffer = &source->buffers[i];
        if ((buffer->buffer != values && buffer->role != GF_ROLE_IN) || uses(user, buffer->buffer, true)) {
            return false;
        }
    }
    return !gf_block_holds_trap(source->tree->kernel.body) && !gf_block_holds_trap(user->tree->kernel.body);
}

static bool sets_param(const gf_plan_node *set, const gf_segment *segment) {
    for (size_t i = 0; i < segment->param_count; i++) {
        if (segment->params[i].source == set->target) {
            return true;
        }
    }
    return false;
}

static bool is_simple(const gf_segment *segment) {
    return !segment->is_forall && !gf_ptx_needs_groups(segment->tree) && gf_ptx_has_one_axis(segment->tree);
}

/* Sums of floats have an order of their own, which is not that of tiles. */
static bool has_ordered(const gf_ptx_walk *walk, const gf_segment *segment) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_ptx_fuse *fuse = &walk->fuse[segment->buffers[i].buffer];
        if (fuse->is_fused && fuse->writer == segment && fuse->is_ordered) {
            return true;
        }
    }
    return false;
}

static bool may_fuse(const gf_ptx_walk *walk, const gf_plan_node *node, const gf_segment *source,
                     const gf_segment *user) {
    return node->count == NULL && is_simple(source) && is_simple(user) && uses(source, node->buffer, true) &&
           uses(user, node->second, false) && !uses(user, node->second, true) &&
           only_makes(source, user, node->buffer) && is_used_once(walk->plan, node->buffer) &&
           is_used_once(walk->plan, node->second) && !has_ordered(walk, user);
}

static void find_in(gf_ptx_walk *walk, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        find_in(walk, node->body);
        find_in(walk, node->otherwise);
        if (node->kind != GF_PLAN_SCAN || i == 0 || block->items[i - 1]->kind != GF_PLAN_SEGMENT) {
            continue;
        }
        const gf_segment *source = block->items[i - 1]->segment;
        size_t next = i + 1;
        while (next < block->count && block->items[next]->kind == GF_PLAN_SET &&
               !sets_param(block->items[next], source)) {
            next++;
        }
        if (next == block->count || block->items[next]->kind != GF_PLAN_SEGMENT ||
            !may_fuse(walk, node, source, block->items[next]->segment)) {
            continue;
        }
        gf_ptx_scan scan = {.node = node, .source = source, .user = block->items[next]->segment};
        gf_push(walk->e->arena, &walk->scans, scan);
    }
}

void gf_ptx_find_scans(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    if (e->options.native || e->options.checked) {
        return;
    }
    find_in(walk, walk->plan->body);
    for (size_t i = 0; i < walk->scans.count; i++) {
        const gf_plan_node *node = walk->scans.items[i].node;
        for (int k = 0; k < 2; k++) {
            gf_ptx_array *own = gf_new(e->arena, gf_ptx_array);
            *own = (gf_ptx_array){.space = GF_PTX_OWN};
            walk->arrays[k == 0 ? node->buffer : node->second] = own;
        }
    }
}

void gf_ptx_begin_scan(gf_ptx_walk *walk, gf_ptx_scan *scan) {
    gf_ptx_emit *e = walk->e;
    const uint32_t buffers[] = {scan->node->buffer, scan->node->second};
    for (int k = 0; k < 2; k++) {
        gf_type type = gf_type_loaded(walk->plan->buffers[buffers[k]].symbol->type);
        walk->arrays[buffers[k]]->own = gf_ptx_variable(e, gf_ptx_constant(type, 0));
    }
    walk->scan_round = gf_ptx_u32(0);
}

void gf_ptx_begin_scans(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    for (size_t i = 0; i < walk->scans.count; i++) {
        gf_ptx_begin_scan(walk, &walk->scans.items[i]);
        gf_ptx_clear_words(e, walk->scans.items[i].node->buffer);
        walk->after_write = true;
    }
    if (walk->scans.count > 0) {
        walk->scan_round = gf_ptx_variable(e, gf_ptx_u32(0));
    }
}

gf_ptx_scan *gf_ptx_scan_by(const gf_ptx_walk *walk, const gf_plan_node *node) {
    for (size_t i = 0; i < walk->scans.count; i++) {
        gf_ptx_scan *scan = &walk->scans.items[i];
        if (scan->node == node ||
            (node->kind == GF_PLAN_SEGMENT && (scan->source == node->segment || scan->user == node->segment))) {
            return scan;
        }
    }
    return NULL;
}
