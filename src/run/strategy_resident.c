/* Strategy resident: a launch per segment; buffers stay on the device from the first to the last. */
#include "base/memory.h"
#include "run/strategy.h"
#include "run/walk.h"
#include <string.h>

typedef struct device_side {
    gf_device *device;
    gf_backend_buffer *buffers; /* as long as the longest list */
} device_side;

static bool fill_table(gf_walk *walk, const gf_segment *segment, gf_diags *diags) {
    const device_side *side = walk->user;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_segment_buffer *buffer = &segment->buffers[i];
        const void *view = NULL;
        void *edit = NULL;
        bool ready = buffer->role == GF_ROLE_IN ? gf_store_view(&walk->store, buffer->buffer, &view, diags)
                                                : gf_store_edit(&walk->store, buffer->buffer, &edit, diags);
        if (!ready) {
            return false;
        }
        uint64_t count = walk->store.lengths[buffer->buffer];
        size_t bytes = (size_t)count * walk->store.sizes[buffer->buffer];
        side->buffers[i] = (gf_backend_buffer){.memory = edit != NULL ? edit : (void *)(uintptr_t)view, .count = count};
        walk->profile->entries[segment->index].bytes += bytes;
        if (walk->planned->plan->buffers[buffer->buffer].kind != GF_PLAN_BUFFER_PROGRAM) {
            walk->stats->bytes_carried += bytes;
        }
    }
    return true;
}

static bool launch_in_place(gf_walk *walk, const gf_segment_launch *asked, gf_diags *diags) {
    const device_side *side = walk->user;
    const gf_segment *segment = asked->segment;
    gf_backend_launch launch = {.params = asked->present->values,
                                .param_count = segment->param_count,
                                .buffers = side->buffers,
                                .buffer_count = segment->buffer_count,
                                .max_passes = 1,
                                .checked = walk->job->options.checked || walk->job->options.check_races,
                                .races = walk->job->options.check_races,
                                .stop = &walk->job->stop,
                                .memory_left = gf_store_memory_left(&walk->store),
                                .forall_from = gf_walk_forall_from(segment, asked->present->values)};
    memcpy(launch.space, asked->geometry.space, sizeof launch.space);
    memcpy(launch.groups, asked->geometry.groups, sizeof launch.groups);
    return fill_table(walk, segment, diags) &&
           side->device->table.launch(side->device->handle, walk->planned->segments[segment->index].kernel, &launch,
                                      &walk->result, diags);
}

bool gf_run_resident(gf_job *job, const gf_planned *planned, gf_stats *stats, gf_profile *profile, gf_diags *diags) {
    device_side side = {.device = job->device};
    gf_walk walk = {.job = job,
                    .planned = planned,
                    .launch = launch_in_place,
                    .user = &side,
                    .stats = stats,
                    .profile = profile,
                    .diags = diags};
    side.buffers = gf_calloc(planned->most_buffers, sizeof *side.buffers);
    bool done = side.buffers != NULL ? gf_walk_run(&walk, job->device) : gf_fail_memory(diags);
    gf_free(side.buffers);
    return done;
}
