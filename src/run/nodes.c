/* The nodes of a plan that work on whole buffers, and the launch of a segment. */
#include "base/clock.h"
#include "base/memory.h"
#include "ir/fold.h"
#include "run/walk.h"
#include <stdio.h>
#include <string.h>

bool gf_walk_size_hidden(gf_walk *walk, uint32_t buffer) {
    const gf_plan_buffer *planned = &walk->planned->plan->buffers[buffer];
    if (planned->kind == GF_PLAN_BUFFER_PROGRAM || planned->size == NULL) {
        return true;
    }
    uint64_t count = 0;
    return gf_eval_size(planned->size, &walk->env, planned->symbol->name, &count, walk->diags) &&
           (count == walk->store.lengths[buffer] || gf_store_resize(&walk->store, buffer, count, walk->diags));
}

/* How many values a reduction or scan takes: never more than there are. */
static bool count_values(gf_walk *walk, const gf_plan_node *node, uint64_t *count) {
    *count = walk->store.lengths[node->buffer];
    uint64_t asked = *count;
    if (node->count != NULL && !gf_walk_eval(walk, node->count, &asked)) {
        return false;
    }
    *count = asked < *count ? asked : *count;
    return true;
}

static bool fold_values(gf_walk *walk, const gf_plan_node *node, const void *values, uint64_t count, uint64_t *bits) {
    /* Truth values are stored as bytes. */
    gf_type stored = walk->planned->plan->buffers[node->buffer].symbol->type;
    gf_type type = node->target->type == GF_TYPE_BOOL ? GF_TYPE_BOOL : stored;
    const gf_geometry *geometry = &walk->job->geometry;
    if (!node->by_group) {
        *bits = gf_fold_elements(node->combine, type, values, count);
        return true;
    }
    uint64_t size = (uint64_t)geometry->workgroup[0] * geometry->workgroup[1] * geometry->workgroup[2];
    if (!gf_fold_groups(node->combine, type, values, count, size, bits)) {
        return gf_fail_memory(walk->diags);
    }
    return true;
}

bool gf_walk_reduce(gf_walk *walk, const gf_plan_node *node) {
    uint64_t count = 0;
    uint64_t bits = 0;
    void *copy = NULL;
    const void *values = NULL;
    uint64_t *target = gf_walk_register(walk, node->target);
    if (target == NULL) {
        return gf_fail(walk->diags, GF_CODE_INTERNAL, node->span, "the plan has no register `%s`", node->target->name);
    }
    bool done = gf_walk_size_hidden(walk, node->buffer) && count_values(walk, node, &count) &&
                gf_store_host_view(&walk->store, node->buffer, &values, &copy, walk->diags) &&
                fold_values(walk, node, values, count, &bits);
    gf_free(copy);
    if (done) {
        *target = node->keep_old ? gf_eval_combine(node->combine, node->target->type, *target, bits) : bits;
    }
    return done;
}

static bool scan_values(gf_type type, const void *values, unsigned char *sums, uint64_t count) {
    size_t size = gf_type_bytes(type);
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t value = gf_element_load(type, (const unsigned char *)values + i * size);
        gf_element_store(type, sums + i * size, sum);
        sum = gf_eval_combine(GF_COMBINE_ADD, gf_type_loaded(type), sum, value);
    }
    return true;
}

bool gf_walk_scan(gf_walk *walk, const gf_plan_node *node) {
    uint64_t count = 0;
    void *copy = NULL;
    const void *values = NULL;
    unsigned char *sums = NULL;
    gf_type type = walk->planned->plan->buffers[node->buffer].symbol->type;
    if (!gf_walk_size_hidden(walk, node->buffer) || !gf_walk_size_hidden(walk, node->second) ||
        !count_values(walk, node, &count)) {
        return false;
    }
    if (count > walk->store.lengths[node->second]) {
        count = walk->store.lengths[node->second];
    }
    size_t bytes = (size_t)count * gf_type_bytes(type);
    sums = gf_malloc(bytes);
    bool done = sums != NULL || gf_fail_memory(walk->diags);
    done = done && gf_store_host_view(&walk->store, node->buffer, &values, &copy, walk->diags) &&
           scan_values(type, values, sums, count) &&
           gf_store_write(&walk->store, node->second, 0, sums, bytes, walk->diags);
    gf_free(copy);
    gf_free(sums);
    return done;
}

/* One rank: what all ranks give together is what this one gives. */
bool gf_walk_collective(gf_walk *walk, const gf_plan_node *node) {
    switch (node->collective) {
    case GF_COLLECTIVE_ALL_REDUCE:
    case GF_COLLECTIVE_BROADCAST:
        return true;
    case GF_COLLECTIVE_ALL_GATHER:
    case GF_COLLECTIVE_REDUCE_SCATTER:
        return gf_store_copy(&walk->store, node->buffer, node->second, walk->diags);
    }
    return false;
}

/* ---- segments ---- */

static bool set_values(gf_walk *walk, const gf_segment *segment, gf_value *values) {
    for (size_t i = 0; i < segment->param_count; i++) {
        const gf_segment_param *param = &segment->params[i];
        const gf_scope_entry *entry = gf_scope_find(&walk->planned->scope, param->source);
        if (entry == NULL || entry->kind == GF_SCOPE_BUFFER) {
            return gf_fail(walk->diags, GF_CODE_INTERNAL, GF_NO_SPAN, "segment %u has a param `%s` of unknown source",
                           (unsigned)segment->index + 1, param->symbol->name);
        }
        uint64_t bits =
            entry->kind == GF_SCOPE_PARAM ? walk->job->params[entry->index].bits : walk->registers[entry->index];
        values[i] = (gf_value){.type = param->symbol->type, .bits = bits};
    }
    return true;
}

static bool set_geometry(gf_walk *walk, const gf_segment *segment, gf_geometry *geometry) {
    if (!segment->is_forall) {
        *geometry = walk->job->geometry;
        return true;
    }
    const uint64_t *width = gf_walk_register(walk, segment->forall_count);
    if (width == NULL) {
        return gf_fail(walk->diags, GF_CODE_INTERNAL, GF_NO_SPAN, "segment %u has no register for its width",
                       (unsigned)segment->index + 1);
    }
    *geometry = (gf_geometry){.space = {*width, 1, 1}};
    memcpy(geometry->workgroup, segment->program->checked->kernel.workgroup, sizeof geometry->workgroup);
    return gf_geometry_cover(geometry, "a forall", segment->program->checked->kernel.span, walk->diags);
}

const gf_value *gf_walk_forall_from(const gf_segment *segment, const gf_value *params) {
    static const gf_value zero = {.type = GF_TYPE_U64};
    if (!segment->is_forall) {
        return NULL;
    }
    return segment->forall_from != NULL ? &params[segment->forall_from - segment->params] : &zero;
}

/* The device's own failure, told with the place in the plan; what the program itself did wrong stands first as it is.
 */
static void describe_failure(gf_walk *walk, const gf_segment *segment, gf_diags *inner, gf_diags *diags) {
    char place[256];
    char names[512] = "";
    const gf_plan *plan = walk->planned->plan;
    for (size_t i = 0; i < segment->buffer_count; i++) {
        size_t used = strlen(names);
        (void)snprintf(names + used, sizeof names - used, "%s`%s`", i > 0 ? ", " : "",
                       plan->buffers[segment->buffers[i].buffer].symbol->name);
    }
    (void)snprintf(place, sizeof place, "segment %u of %zu%s%s%s, pass %llu", (unsigned)segment->index + 1,
                   plan->segment_count, segment->region != NULL ? ", region \"" : "",
                   segment->region != NULL ? segment->region : "", segment->region != NULL ? "\"" : "",
                   (unsigned long long)walk->pass);
    gf_status status = gf_diags_status(inner);
    if (status == GF_STATUS_TRAP || status == GF_STATUS_TIME || status == GF_STATUS_INTERNAL) {
        gf_diags_take(diags, inner);
        gf_note(diags, GF_NO_SPAN, "in %s; buffers: %s", place, names);
        return;
    }
    gf_diag first = {.message = "it gave no message"};
    (void)gf_diags_get(inner, 0, &first);
    (void)gf_fail(diags, GF_CODE_SEGMENT_FAILED, GF_NO_SPAN, "%s failed; buffers: %s", place,
                  names[0] != '\0' ? names : "none");
    gf_note(diags, GF_NO_SPAN, "the device says: %s", first.message);
    if (first.fix != NULL && first.fix[0] != '\0') {
        gf_fix(diags, "%s", first.fix);
    }
}

bool gf_walk_tell_held(gf_walk *walk) {
    gf_diags_take(walk->diags, walk->held.diags);
    walk->held.is_there = false;
    return false;
}

static void hold(gf_walk *walk, const gf_segment *segment, uint64_t invocation) {
    if (walk->held.is_there && walk->held.invocation <= invocation) {
        return;
    }
    gf_diags_clear(walk->held.diags);
    describe_failure(walk, segment, walk->inner, walk->held.diags);
    walk->held.is_there = true;
    walk->held.invocation = invocation;
}

/* What an invocation does wrong is held, and is no failure yet: the stretch may have more of it. */
static bool launch_segment(gf_walk *walk, const gf_segment_launch *launch) {
    gf_diags *inner = walk->inner;
    walk->result = (gf_backend_result){.converged = -1, .seconds_device = -1, .seconds_queue = -1, .seconds_wait = -1};
    bool done = walk->launch(walk, launch, inner);
    if (done && walk->result.trapped) {
        (void)gf_fail_trap(&walk->result, inner);
        hold(walk, launch->segment, walk->result.trap_invocation);
    } else if (!done && walk->result.has_fault) {
        hold(walk, launch->segment, walk->result.fault_invocation);
        done = true;
    } else if (done && walk->job->device != NULL && gf_job_was_stopped(walk->job)) {
        done = gf_fail_stopped(&walk->job->stop, &walk->job->options, inner);
        describe_failure(walk, launch->segment, inner, walk->diags);
    } else if (!done) {
        describe_failure(walk, launch->segment, inner, walk->diags);
    } else {
        gf_diags_take(walk->diags, inner);
    }
    gf_diags_clear(inner);
    return done;
}

static void count_launch(gf_walk *walk, const gf_segment *segment, double begin, double end) {
    gf_profile_entry *entry = &walk->profile->entries[segment->index];
    /* A barrier lies between any two launches. */
    walk->stats->barriers += walk->stats->launches > 0 ? 1 : 0;
    walk->stats->launches++;
    gf_seconds_add(&walk->stats->seconds_device, walk->result.seconds_device);
    gf_seconds_add(&walk->stats->seconds_queue, walk->result.seconds_queue);
    gf_seconds_add(&walk->stats->seconds_wait, walk->result.seconds_wait);
    entry->launches++;
    entry->seconds += end - begin;
    gf_trace_add(walk->job->options.trace, segment->region != NULL ? segment->region : "segment", "segment", begin, end,
                 segment->index, walk->pass);
}

static bool run_segment(gf_walk *walk, const gf_segment *segment) {
    gf_segment_launch launch = {.segment = segment, .present = &walk->presents[segment->index]};
    if (gf_stop_poll(&walk->job->stop) != GF_STOP_NONE) {
        return gf_fail_stopped(&walk->job->stop, &walk->job->options, walk->diags);
    }
    if (!set_geometry(walk, segment, &launch.geometry)) {
        return false;
    }
    if (gf_geometry_is_empty(&launch.geometry)) {
        walk->stats->launches_skipped++;
        return true;
    }
    if ((walk->job->device != NULL && !gf_check_groups(walk->job->device, &launch.geometry, walk->diags)) ||
        !set_values(walk, segment, launch.present->values)) {
        return false;
    }
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (!gf_walk_size_hidden(walk, segment->buffers[i].buffer)) {
            return false;
        }
    }
    double begin = gf_clock_seconds();
    if (!launch_segment(walk, &launch)) {
        return false;
    }
    count_launch(walk, segment, begin, gf_clock_seconds());
    return true;
}

bool gf_walk_segment(gf_walk *walk, const gf_plan_node *node) {
    bool done = run_segment(walk, node->segment);
    return done && walk->held.is_there && !node->is_followed ? gf_walk_tell_held(walk) : done;
}
