#include "run/choose.h"
#include "base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define REASON_BYTES sizeof(((gf_stats *)0)->reason)

static uint64_t group_count(const gf_geometry *geometry) {
    uint64_t total = 1;
    for (int axis = 0; axis < 3; axis++) {
        /* Each is below 2^32, and together they are no more than the space's 2^64 invocations. */
        total *= geometry->groups[axis];
    }
    return total;
}

bool gf_is_resident_native(const gf_device *device) {
    return device->limits.grid_barrier && device->limits.native_is_resident;
}

/* What a device that makes no difference between the two says with its reason. */
static void add_sameness(const gf_job *job, gf_stats *stats) {
    if (gf_is_resident_native(job->device)) {
        size_t used = strlen(stats->reason);
        (void)snprintf(stats->reason + used, sizeof stats->reason - used,
                       "; native and resident are the same on device `%s`", job->device->name);
    }
}

/* ---- devices that say it themselves ---- */

/* False where this device leaves it to us; `can`: the strategy can be had. */
static bool ask_device(gf_kernel *kernel, const gf_job *job, gf_strategy wanted, gf_backend_choice *choice, bool *can) {
    const gf_backend *table = &job->device->table;
    void *native = table->choose != NULL && !job->is_empty ? gf_kernel_native(kernel, job->max_passes > 1, NULL) : NULL;
    gf_backend_buffer *buffers = native != NULL ? gf_calloc(job->buffer_count, sizeof *buffers) : NULL;
    if (native == NULL || buffers == NULL) {
        gf_free(buffers);
        return false;
    }
    for (size_t i = 0; i < job->buffer_count; i++) {
        buffers[i].count = job->buffers[i].count;
    }
    gf_backend_launch asked = {.params = job->params,
                               .param_count = job->param_count,
                               .buffers = buffers,
                               .buffer_count = job->buffer_count,
                               .max_passes = job->max_passes,
                               .compare = job->compare,
                               .checked = job->options.checked || job->options.check_races,
                               .races = job->options.check_races,
                               .stop = &job->stop,
                               .memory_left = UINT64_MAX};
    memcpy(asked.space, job->geometry.space, sizeof asked.space);
    memcpy(asked.groups, job->geometry.groups, sizeof asked.groups);
    *choice = (gf_backend_choice){.strategy = wanted};
    *can = table->choose(job->device->handle, native, &asked, wanted, choice);
    gf_free(buffers);
    return *can || choice->why[0] != '\0';
}

/* ---- by limits ---- */

/* Workgroups that may be resident at once. A device whose workgroups can take turns is asked for each kernel: there may
 * be nothing that has to stay. */
static uint64_t most_resident(gf_kernel *kernel, const gf_job *job, uint64_t groups, gf_diags *diags) {
    const gf_backend_limits *limits = &job->device->limits;
    uint64_t most = limits->max_resident_groups;
    if (job->device->table.resident_groups == NULL || (groups > most && !limits->persistent)) {
        return most;
    }
    void *native = gf_kernel_native(kernel, job->max_passes > 1, diags);
    uint64_t by_kernel = native != NULL ? job->device->table.resident_groups(job->device->handle, native) : 0;
    return by_kernel == UINT64_MAX || by_kernel < most ? by_kernel : most;
}

/* False with the reason in `why`. */
static bool can_be_native(gf_kernel *kernel, const gf_job *job, gf_code *code, char why[REASON_BYTES],
                          gf_diags *diags) {
    const gf_backend_limits *limits = &job->device->limits;
    const gf_tree *tree = job->tree;
    uint64_t groups = group_count(&job->geometry);
    gf_backend_choice choice;
    bool can = false;
    *code = GF_CODE_STRATEGY;
    if (ask_device(kernel, job, GF_STRATEGY_NATIVE, &choice, &can)) {
        *code = choice.is_too_large ? GF_CODE_RESIDENCY : GF_CODE_STRATEGY;
        (void)snprintf(why, REASON_BYTES, "%s", choice.why);
        return can;
    }
    if (!limits->grid_barrier) {
        bool plain = !tree->has_grid_barrier && tree->kernel.space_kind != GF_SPACE_ONE && job->max_passes == 1 &&
                     tree->kernel.fixpoint == NULL;
        (void)snprintf(why, REASON_BYTES,
                       plain ? "one launch needs no grid barrier" : "device `%s` has no grid barrier",
                       job->device->name);
        return plain;
    }
    uint64_t most = most_resident(kernel, job, groups, diags);
    if (groups > most) {
        *code = GF_CODE_RESIDENCY;
        (void)snprintf(why, REASON_BYTES,
                       "the grid has %" PRIu64 " workgroups, and %" PRIu64 " can be resident at once on device `%s`",
                       groups, most, job->device->name);
        return false;
    }
    (void)snprintf(why, REASON_BYTES,
                   gf_is_resident_native(job->device) ? "one launch runs the program's segments on memory that stays"
                                                      : "the device has a grid barrier and holds the whole grid");
    return true;
}

static bool refuse(gf_code code, gf_strategy strategy, const char *why, gf_diags *diags) {
    (void)gf_fail(diags, code, GF_NO_SPAN, "strategy %s cannot be had: %s", gf_strategy_name(strategy), why);
    gf_fix(diags, "leave the strategy to auto");
    return false;
}

static void say(gf_stats *stats, gf_strategy strategy, const char *why) {
    stats->strategy = strategy;
    (void)snprintf(stats->reason, sizeof stats->reason, "%s", why);
}

static bool choose_auto(gf_kernel *kernel, const gf_job *job, gf_stats *stats) {
    char why[REASON_BYTES];
    gf_code code = GF_CODE_STRATEGY;
    gf_backend_choice choice;
    bool can = false;
    if (ask_device(kernel, job, GF_STRATEGY_AUTO, &choice, &can) && can) {
        say(stats, choice.strategy, choice.why);
    } else if (can_be_native(kernel, job, &code, why, NULL)) {
        say(stats, GF_STRATEGY_NATIVE, why);
        add_sameness(job, stats);
    } else {
        char longer[REASON_BYTES + 16];
        (void)snprintf(longer, sizeof longer, "by segments: %s", why);
        say(stats, GF_STRATEGY_RESIDENT, longer);
    }
    return true;
}

/* "asked for", and what the device has to say of it; where it cannot be had an error. */
static bool take_asked(gf_kernel *kernel, const gf_job *job, gf_stats *stats, const char *otherwise, gf_diags *diags) {
    gf_strategy strategy = job->options.strategy;
    gf_backend_choice choice;
    bool can = false;
    if (!ask_device(kernel, job, strategy, &choice, &can)) {
        say(stats, strategy, otherwise);
        return true;
    }
    char why[REASON_BYTES + 16];
    (void)snprintf(why, sizeof why, "asked for; %s", choice.why);
    say(stats, strategy, why);
    return can || refuse(choice.is_too_large ? GF_CODE_RESIDENCY : GF_CODE_STRATEGY, strategy, choice.why, diags);
}

bool gf_choose_strategy(gf_kernel *kernel, const gf_job *job, gf_stats *stats, gf_diags *diags) {
    char why[REASON_BYTES];
    gf_code code = GF_CODE_STRATEGY;
    size_t errors = gf_diags_error_count(diags);
    stats->strategy = job->options.strategy;
    switch (job->options.strategy) {
    case GF_STRATEGY_AUTO:
        return choose_auto(kernel, job, stats);
    case GF_STRATEGY_NATIVE:
        if (!can_be_native(kernel, job, &code, why, diags)) {
            return gf_diags_error_count(diags) == errors ? refuse(code, GF_STRATEGY_NATIVE, why, diags) : false;
        }
        say(stats, GF_STRATEGY_NATIVE, "asked for");
        add_sameness(job, stats);
        return true;
    case GF_STRATEGY_PERSISTENT:
        if (job->device->limits.grid_barrier && job->device->limits.persistent) {
            return take_asked(kernel, job, stats,
                              "asked for; each worker keeps its share of the workgroups across barriers", diags);
        }
        (void)snprintf(why, sizeof why, "device `%s` has no launch in which workgroups take turns", job->device->name);
        return refuse(GF_CODE_STRATEGY, GF_STRATEGY_PERSISTENT, why, diags);
    case GF_STRATEGY_RESIDENT:
        if (gf_is_resident_native(job->device)) {
            say(stats, GF_STRATEGY_RESIDENT, "asked for");
            add_sameness(job, stats);
            return true;
        }
        return take_asked(
            kernel, job, stats,
            job->device->limits.resident
                ? "asked for; segments follow each other on the device, which decides itself what comes next"
            : job->device->limits.host_memory
                ? "asked for; the device's memory is the host's, whose loops drive the passes"
                : "asked for; loops are driven from the host",
            diags);
    case GF_STRATEGY_HOST:
        say(stats, GF_STRATEGY_HOST, "asked for");
        return true;
    }
    return false;
}
