/* Strategy host: every segment goes through a dispatch function that knows nothing of the plan. */
#include "base/memory.h"
#include "run/strategy.h"
#include "run/walk.h"
#include <string.h>

typedef struct hand_over {
    gf_dispatch_fn *dispatch;
    void *user;
    gf_bytes *inputs; /* made once per run, as long as the longest list */
    gf_output *outputs;
} hand_over;

static void count_bytes(gf_walk *walk, const gf_segment_buffer *buffer, size_t bytes) {
    bool hidden = walk->planned->plan->buffers[buffer->buffer].kind != GF_PLAN_BUFFER_PROGRAM;
    uint64_t moved = 0;
    if (buffer->role != GF_ROLE_OUT) {
        walk->stats->bytes_up += bytes;
        moved += bytes;
    }
    if (buffer->role != GF_ROLE_IN) {
        walk->stats->bytes_down += bytes;
        moved += bytes;
    }
    walk->stats->bytes_carried += hidden ? moved : 0;
}

static bool fill_lists(gf_walk *walk, const gf_segment *segment, size_t *inputs, size_t *outputs, gf_diags *diags) {
    hand_over *hand = walk->user;
    *inputs = 0;
    *outputs = 0;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_segment_buffer *buffer = &segment->buffers[i];
        size_t bytes = (size_t)walk->store.lengths[buffer->buffer] * walk->store.sizes[buffer->buffer];
        const void *view = NULL;
        void *edit = NULL;
        if (buffer->role == GF_ROLE_IN) {
            if (!gf_store_view(&walk->store, buffer->buffer, &view, diags)) {
                return false;
            }
        } else {
            if (!gf_store_edit(&walk->store, buffer->buffer, &edit, diags)) {
                return false;
            }
            view = edit;
            hand->outputs[(*outputs)++] = (gf_output){.data = edit, .size = bytes, .capacity = bytes};
        }
        if (buffer->role != GF_ROLE_OUT) {
            hand->inputs[(*inputs)++] = (gf_bytes){.data = view, .size = bytes};
        }
        count_bytes(walk, buffer, bytes);
        walk->profile->entries[segment->index].bytes += bytes;
    }
    return true;
}

static bool check_outputs(gf_walk *walk, const gf_segment *segment, gf_diags *diags) {
    const hand_over *hand = walk->user;
    size_t output = 0;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].role == GF_ROLE_IN) {
            continue;
        }
        const gf_output *given = &hand->outputs[output++];
        uint32_t buffer = segment->buffers[i].buffer;
        if (given->size != given->capacity) {
            return gf_fail(diags, GF_CODE_OUTPUT_SIZE, GF_NO_SPAN,
                           "%zu bytes of buffer `%s` were handed back, which has %zu", given->size,
                           walk->planned->plan->buffers[buffer].symbol->name, given->capacity);
        }
    }
    return true;
}

static bool launch_by_dispatch(gf_walk *walk, const gf_segment_launch *launch, gf_diags *diags) {
    const hand_over *hand = walk->user;
    size_t inputs = 0;
    size_t outputs = 0;
    uint32_t groups[3];
    for (int axis = 0; axis < 3; axis++) {
        groups[axis] = (uint32_t)launch->geometry.groups[axis];
    }
    if (!fill_lists(walk, launch->segment, &inputs, &outputs, diags)) {
        return false;
    }
    gf_float_mode_leave(&walk->float_mode);
    bool done = hand->dispatch(hand->user, launch->present->program, groups, hand->inputs, inputs, hand->outputs,
                               outputs, diags);
    gf_float_mode_enter(&walk->float_mode);
    return done && check_outputs(walk, launch->segment, diags);
}

static bool run_walk(gf_walk *walk, hand_over *hand) {
    size_t most = walk->planned->most_buffers;
    hand->inputs = gf_calloc(most, sizeof *hand->inputs);
    hand->outputs = gf_calloc(most, sizeof *hand->outputs);
    walk->launch = launch_by_dispatch;
    walk->user = hand;
    bool done = hand->inputs != NULL && hand->outputs != NULL ? gf_walk_run(walk, NULL) : gf_fail_memory(walk->diags);
    gf_free(hand->inputs);
    gf_free(hand->outputs);
    return done;
}

bool gf_run_over(gf_job *job, const gf_planned *planned, gf_dispatch_fn *dispatch, void *user, gf_stats *stats,
                 gf_profile *profile, gf_diags *diags) {
    gf_walk walk = {.job = job, .planned = planned, .stats = stats, .profile = profile, .diags = diags};
    hand_over hand = {.dispatch = dispatch, .user = user};
    return run_walk(&walk, &hand);
}

/* ---- a device behind the dispatch function ---- */

typedef struct device_side {
    gf_walk *walk;
    gf_device *device;
    gf_backend_buffer *buffers;
    uint64_t *lengths;
    const void **given; /* host memory by buffer: what goes up */
    void **wanted;      /* and what comes back */
} device_side;

static size_t find_segment(const gf_walk *walk, const gf_program *program) {
    size_t index = 0;
    while (walk->presents[index].program != program) {
        index++;
    }
    return index;
}

static void sort_buffers(device_side *side, const gf_program *segment, const gf_bytes *inputs,
                         const gf_output *outputs) {
    size_t index = 0;
    size_t input = 0;
    size_t output = 0;
    for (size_t i = 0; i < segment->checked->decl_count; i++) {
        const gf_symbol *symbol = segment->checked->decls[i];
        if (symbol->kind != GF_SYMBOL_BUFFER) {
            continue;
        }
        size_t bytes = 0;
        side->given[index] = NULL;
        side->wanted[index] = NULL;
        if (symbol->role != GF_ROLE_OUT) {
            side->given[index] = inputs[input].data;
            bytes = inputs[input++].size;
        }
        if (symbol->role != GF_ROLE_IN) {
            side->wanted[index] = outputs[output].data;
            bytes = outputs[output++].capacity;
        }
        side->lengths[index] = bytes / gf_type_bytes(symbol->type);
        side->buffers[index++] = (gf_backend_buffer){.count = bytes / gf_type_bytes(symbol->type)};
    }
}

/* Host memory that is the device's own goes in as it is. */
static bool move_up(device_side *side, const gf_symbol *symbol, size_t index, gf_diags *diags) {
    gf_backend_buffer *buffer = &side->buffers[index];
    size_t bytes = (size_t)buffer->count * gf_type_bytes(symbol->type);
    const void *data = side->wanted[index] != NULL ? side->wanted[index] : side->given[index];
    if (side->device->limits.host_memory) {
        buffer->memory = (void *)(uintptr_t)data;
        return true;
    }
    if (bytes == 0) {
        return true;
    }
    /* Of an output the storage goes up too: what the segment does not write are the zeros in it. */
    buffer->memory = gf_device_alloc(side->device, bytes, diags);
    return buffer->memory != NULL && gf_device_upload(side->device, buffer->memory, 0, data, bytes, diags);
}

static bool move_down(device_side *side, const gf_symbol *symbol, size_t index, gf_diags *diags) {
    const gf_backend_buffer *buffer = &side->buffers[index];
    if (side->device->limits.host_memory || side->wanted[index] == NULL) {
        return true;
    }
    return gf_device_download(side->device, buffer->memory, 0, side->wanted[index],
                              (size_t)buffer->count * gf_type_bytes(symbol->type), diags);
}

typedef bool move_fn(device_side *side, const gf_symbol *symbol, size_t index, gf_diags *diags);

static bool move_all(device_side *side, const gf_tree *tree, move_fn *move, gf_diags *diags) {
    size_t index = 0;
    for (size_t i = 0; i < tree->decl_count; i++) {
        if (tree->decls[i]->kind == GF_SYMBOL_BUFFER && !move(side, tree->decls[i], index++, diags)) {
            return false;
        }
    }
    return true;
}

static bool launch_on_device(device_side *side, const gf_program *segment, const uint32_t groups[3], size_t index,
                             gf_diags *diags) {
    gf_walk *walk = side->walk;
    const gf_planned_segment *planned = &walk->planned->segments[index];
    const gf_segment_values *present = segment->segment_state;
    gf_frame frame = {.scope = &planned->scope, .params = present->values, .lengths = side->lengths};
    gf_env env = gf_frame_env(&frame);
    gf_geometry geometry = {0};
    if (!gf_geometry_eval(&geometry, segment->checked, &env, diags)) {
        return false;
    }
    for (int axis = 0; axis < 3; axis++) {
        if (geometry.groups[axis] != groups[axis]) {
            return gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN,
                           "a segment has %llu workgroups on axis %c by itself and %u in the plan",
                           (unsigned long long)geometry.groups[axis], "xyz"[axis], (unsigned)groups[axis]);
        }
    }
    gf_backend_launch launch = {.params = present->values,
                                .param_count = present->count,
                                .buffers = side->buffers,
                                .buffer_count = planned->scope.counts[GF_SCOPE_BUFFER],
                                .max_passes = 1,
                                .checked = walk->job->options.checked || walk->job->options.check_races,
                                .races = walk->job->options.check_races,
                                .stop = &walk->job->stop,
                                .memory_left = gf_store_memory_left(&walk->store),
                                .forall_from =
                                    gf_walk_forall_from(walk->planned->plan->segments[index], present->values)};
    memcpy(launch.space, geometry.space, sizeof launch.space);
    memcpy(launch.groups, geometry.groups, sizeof launch.groups);
    return side->device->table.launch(side->device->handle, planned->kernel, &launch, &walk->result, diags);
}

static bool dispatch_to_device(void *user, const gf_program *segment, const uint32_t groups[3], const gf_bytes *inputs,
                               size_t input_count, gf_output *outputs, size_t output_count, gf_diags *diags) {
    device_side *side = user;
    size_t index = find_segment(side->walk, segment);
    (void)input_count;
    (void)output_count;
    /* A dispatch function is called in the caller's mode; this one computes. */
    gf_float_mode mode;
    gf_float_mode_enter(&mode);
    sort_buffers(side, segment, inputs, outputs);
    gf_backend_result *result = &side->walk->result;
    bool done =
        move_all(side, segment->checked, move_up, diags) && launch_on_device(side, segment, groups, index, diags);
    /* Who has failed is known from memory where the stretch goes on. */
    if ((done || result->has_fault) && !move_all(side, segment->checked, move_down, diags)) {
        done = result->has_fault = false;
    }
    if (!side->device->limits.host_memory) {
        for (size_t i = 0; i < side->walk->planned->segments[index].scope.counts[GF_SCOPE_BUFFER]; i++) {
            gf_device_release(side->device, side->buffers[i].memory);
        }
    }
    gf_float_mode_leave(&mode);
    return done;
}

bool gf_run_host(gf_job *job, const gf_planned *planned, gf_stats *stats, gf_profile *profile, gf_diags *diags) {
    gf_walk walk = {.job = job, .planned = planned, .stats = stats, .profile = profile, .diags = diags};
    size_t most = planned->most_buffers;
    device_side side = {.walk = &walk, .device = job->device};
    side.buffers = gf_calloc(most, sizeof *side.buffers);
    side.lengths = gf_calloc(most, sizeof *side.lengths);
    side.given = gf_calloc(most, sizeof *side.given);
    side.wanted = gf_calloc(most, sizeof *side.wanted);
    hand_over hand = {.dispatch = dispatch_to_device, .user = &side};
    bool has_memory = side.buffers != NULL && side.lengths != NULL && side.given != NULL && side.wanted != NULL;
    bool done = has_memory ? run_walk(&walk, &hand) : gf_fail_memory(diags);
    gf_free(side.buffers);
    gf_free(side.lengths);
    gf_free(side.given);
    gf_free(side.wanted);
    return done;
}
