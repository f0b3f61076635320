#include "run/planned.h"
#include "base/memory.h"
#include <string.h>

static bool add_names(gf_planned *planned, gf_diags *diags) {
    const gf_plan *plan = planned->plan;
    const gf_tree *tree = plan->program->checked;
    for (size_t i = 0; i < tree->decl_count; i++) {
        if (tree->decls[i]->kind == GF_SYMBOL_PARAM &&
            !gf_scope_add(&planned->scope, GF_SCOPE_PARAM, tree->decls[i], diags)) {
            return false;
        }
    }
    for (size_t i = 0; i < plan->register_count; i++) {
        if (!gf_scope_add(&planned->scope, GF_SCOPE_REGISTER, plan->registers[i], diags)) {
            return false;
        }
    }
    for (size_t i = 0; i < plan->buffer_count; i++) {
        if (!gf_scope_add(&planned->scope, GF_SCOPE_BUFFER, plan->buffers[i].symbol, diags)) {
            return false;
        }
    }
    gf_scope_seal(&planned->scope);
    return true;
}

static bool add_segments(gf_planned *planned, gf_diags *diags) {
    const gf_plan *plan = planned->plan;
    planned->segments = gf_calloc(plan->segment_count, sizeof *planned->segments);
    if (planned->segments == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < plan->segment_count; i++) {
        const gf_segment *segment = plan->segments[i];
        if (!gf_scope_add_tree(&planned->segments[i].scope, segment->program->checked, diags)) {
            return false;
        }
        gf_scope_seal(&planned->segments[i].scope);
        if (segment->buffer_count > planned->most_buffers) {
            planned->most_buffers = segment->buffer_count;
        }
    }
    return true;
}

/* Depth is that of the tree, which the parser bounds. */
static void note_writes(gf_planned *planned, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        switch (node->kind) {
        case GF_PLAN_SWAP:
            planned->written[node->buffer] = true;
            planned->written[node->second] = true;
            break;
        case GF_PLAN_COLLECTIVE:
            if (node->collective == GF_COLLECTIVE_ALL_GATHER || node->collective == GF_COLLECTIVE_REDUCE_SCATTER) {
                planned->written[node->second] = true;
            }
            break;
        case GF_PLAN_SCAN:
            planned->written[node->second] = true;
            break;
        case GF_PLAN_FILL:
            planned->written[node->buffer] = true;
            break;
        case GF_PLAN_SEGMENT:
        case GF_PLAN_SET:
        case GF_PLAN_REDUCE:
        case GF_PLAN_CONVERGED:
        case GF_PLAN_IF:
        case GF_PLAN_WHILE:
        case GF_PLAN_FOR:
        case GF_PLAN_BREAK:
        case GF_PLAN_CONTINUE:
        case GF_PLAN_RETURN:
            break;
        }
        note_writes(planned, node->body);
        note_writes(planned, node->otherwise);
    }
}

static bool find_watched(gf_planned *planned, gf_diags *diags) {
    const gf_plan *plan = planned->plan;
    planned->written = gf_calloc(plan->buffer_count, sizeof *planned->written);
    planned->watched = gf_calloc(plan->buffer_count, sizeof *planned->watched);
    if (planned->written == NULL || planned->watched == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < plan->segment_count; i++) {
        const gf_segment *segment = plan->segments[i];
        for (size_t k = 0; k < segment->buffer_count; k++) {
            if (segment->buffers[k].role != GF_ROLE_IN) {
                planned->written[segment->buffers[k].buffer] = true;
            }
        }
    }
    note_writes(planned, plan->body);
    size_t candidates = plan->is_fixpoint ? plan->watched_count : plan->buffer_count;
    for (size_t i = 0; i < candidates; i++) {
        uint32_t buffer = plan->is_fixpoint ? plan->watched[i] : (uint32_t)i;
        if (planned->written[buffer] && plan->buffers[buffer].kind == GF_PLAN_BUFFER_PROGRAM) {
            planned->watched[planned->watched_count++] = buffer;
        }
    }
    return true;
}

bool gf_planned_init(gf_planned *planned, gf_program *program, const gf_plan_options *options, gf_diags *diags) {
    planned->plan = gf_plan_create(program, options, diags);
    return planned->plan != NULL && add_names(planned, diags) && add_segments(planned, diags) &&
           find_watched(planned, diags);
}

bool gf_planned_compile(gf_planned *planned, gf_device *device, gf_diags *diags) {
    if (planned->device == NULL) {
        planned->device = gf_device_hold(device);
    }
    for (size_t i = 0; i < planned->plan->segment_count; i++) {
        gf_planned_segment *segment = &planned->segments[i];
        size_t errors = gf_diags_error_count(diags);
        if (segment->kernel == NULL) {
            segment->kernel = device->table.compile(device->handle, planned->plan->segments[i]->program, diags);
        }
        if (segment->kernel == NULL) {
            if (gf_diags_error_count(diags) == errors) {
                (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN,
                              "device `%s` failed to compile segment %zu of %zu", device->name, i + 1,
                              planned->plan->segment_count);
            }
            return false;
        }
    }
    return true;
}

void gf_planned_finish(gf_planned *planned) {
    for (size_t i = 0; planned->segments != NULL && i < planned->plan->segment_count; i++) {
        if (planned->segments[i].kernel != NULL) {
            planned->device->table.discard(planned->device->handle, planned->segments[i].kernel);
        }
        gf_scope_finish(&planned->segments[i].scope);
    }
    gf_free(planned->segments);
    gf_free(planned->written);
    gf_free(planned->watched);
    gf_scope_finish(&planned->scope);
    gf_device_destroy(planned->device);
    gf_plan_destroy(planned->plan);
    memset(planned, 0, sizeof *planned);
}
