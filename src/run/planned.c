#include "run/planned.h"
#include "base/memory.h"
#include "plan/track.h"
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

static bool find_watched(gf_planned *planned, gf_diags *diags) {
    const gf_plan *plan = planned->plan;
    planned->written = gf_calloc(plan->buffer_count, sizeof *planned->written);
    planned->watched = gf_calloc(plan->buffer_count, sizeof *planned->watched);
    if (planned->written == NULL || planned->watched == NULL) {
        return gf_fail_memory(diags);
    }
    gf_plan_written(plan, planned->written);
    planned->watched_count = gf_plan_watched(plan, planned->written, planned->watched);
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
