#include "backend/cuda/kernel.h"
#include "base/memory.h"
#include "emit/ptx/abi.h"
#include "ir/program.h"
#include "plan/track.h"

/* Tracking costs a little with each write; only where something watches. */
static bool find_tracked(gf_cuda_kernel *kernel, gf_diags *diags) {
    const gf_plan *plan = kernel->plan;
    kernel->tracked = gf_plan_tracked(plan);
    kernel->written = gf_calloc(plan->buffer_count, sizeof *kernel->written);
    kernel->overwritten = gf_calloc(plan->buffer_count, sizeof *kernel->overwritten);
    kernel->watched = gf_calloc(plan->buffer_count, sizeof *kernel->watched);
    if (kernel->tracked == NULL || kernel->written == NULL || kernel->overwritten == NULL || kernel->watched == NULL) {
        return gf_fail_memory(diags);
    }
    gf_plan_written(plan, kernel->written);
    kernel->watched_count = gf_plan_watched(plan, kernel->written, kernel->watched);
    for (size_t i = 0; i < plan->buffer_count; i++) {
        bool watched = false;
        for (size_t k = 0; plan->is_fixpoint && k < kernel->watched_count; k++) {
            watched |= kernel->watched[k] == i;
        }
        kernel->tracked[i] = kernel->tracked[i] && watched;
    }
    return true;
}

/* Each look goes through a whole segment, and sizes do not matter for it. */
static bool find_lists(gf_cuda_kernel *kernel, gf_diags *diags) {
    const gf_plan *plan = kernel->plan;
    kernel->lists = gf_calloc(plan->segment_count, sizeof *kernel->lists);
    if (kernel->lists == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < plan->segment_count; i++) {
        kernel->lists[i] = gf_ptx_may_leave_rows(plan->segments[i]);
    }
    return true;
}

/* Every segment that writes it writes all of it. */
static bool is_overwritten(const gf_plan *plan, size_t buffer) {
    bool overwritten = plan->buffers[buffer].kind == GF_PLAN_BUFFER_VALUES;
    for (size_t k = 0; overwritten && k < plan->segment_count; k++) {
        for (size_t i = 0; i < plan->segments[k]->buffer_count; i++) {
            const gf_segment_buffer *use = &plan->segments[k]->buffers[i];
            overwritten &= use->buffer != buffer || use->role == GF_ROLE_IN || use->overwrites;
        }
    }
    return overwritten;
}

static void look_at_buffers(gf_cuda_kernel *kernel) {
    for (size_t i = 0; i < kernel->plan->buffer_count; i++) {
        kernel->overwritten[i] = is_overwritten(kernel->plan, i);
        switch (kernel->plan->buffers[i].kind) {
        case GF_PLAN_BUFFER_PROGRAM:
            kernel->program_buffers++;
            break;
        case GF_PLAN_BUFFER_CARRY:
        case GF_PLAN_BUFFER_RETURNED:
        case GF_PLAN_BUFFER_SHARED:
            kernel->keeps_values = true;
            break;
        case GF_PLAN_BUFFER_VALUES:
            break;
        }
    }
}

static bool take_outcome(gf_cuda_kernel *kernel, gf_diags *diags) {
    gf_cuda_context *context = &kernel->device->context;
    const gf_cuda_driver *driver = context->driver;
    size_t bytes = (GF_PTX_OUTCOME_BUFFERS + kernel->plan->buffer_count) * sizeof *kernel->outcome;
    void *memory = NULL;
    if (!gf_cuda_enter(context, diags)) {
        return false;
    }
    bool done = gf_cuda_try(context, driver->cuMemHostAlloc(&memory, bytes, CU_MEMHOSTALLOC_DEVICEMAP),
                            "cuMemHostAlloc", diags);
    if (done) {
        kernel->outcome = memory;
        done =
            gf_cuda_try(context, driver->cuMemHostGetDevicePointer(&kernel->outcome_address, memory, 0),
                        "cuMemHostGetDevicePointer", diags) &&
            gf_cuda_try(context, driver->cuEventCreate(&kernel->done, CU_EVENT_DISABLE_TIMING), "cuEventCreate", diags);
    }
    gf_cuda_leave(context);
    return done;
}

static gf_cuda_kernel *make_kernel(gf_cuda_device *device, gf_program *program, const gf_plan_options *options,
                                   gf_diags *diags) {
    gf_cuda_kernel *kernel = gf_calloc(1, sizeof *kernel);
    if (kernel == NULL || pthread_mutex_init(&kernel->lock, NULL) != 0) {
        gf_free(kernel);
        (void)gf_fail_memory(diags);
        return NULL;
    }
    kernel->device = device;
    kernel->program = gf_program_hold(program);
    kernel->plan_options = options != NULL ? *options : (gf_plan_options){0};
    kernel->plan_options.lower_exits = true; /* graphs have no jumps */
    kernel->plan = gf_plan_create(program, &kernel->plan_options, diags);
    if (kernel->plan == NULL || !find_tracked(kernel, diags) || !find_lists(kernel, diags) ||
        !take_outcome(kernel, diags)) {
        gf_cuda_kernel_destroy(device, kernel);
        return NULL;
    }
    look_at_buffers(kernel);
    /* With passes, and no turns known, it is wanted wherever it may be: what a launch knows only takes from that. */
    const gf_ptx_options most = {.passes = true};
    bool wants = gf_ptx_wants_steps(kernel->plan, &most) || !gf_cuda_has_loops(&kernel->device->context, NULL);
    kernel->may_go_by_steps = wants && gf_ptx_can_go_by_steps(kernel->plan);
    return kernel;
}

gf_cuda_kernel *gf_cuda_kernel_create(gf_cuda_device *device, gf_program *program, const gf_plan_options *plan,
                                      gf_diags *diags) {
    return make_kernel(device, program, plan, diags);
}

gf_cuda_kernel *gf_cuda_kernel_careful(gf_cuda_kernel *kernel, gf_diags *diags) {
    gf_plan_options options = kernel->plan_options;
    options.checked = true;
    if (kernel->careful == NULL) {
        kernel->careful = make_kernel(kernel->device, kernel->program, &options, diags);
    }
    return kernel->careful;
}

void gf_cuda_kernel_destroy(gf_cuda_device *device, gf_cuda_kernel *kernel) {
    if (kernel == NULL) {
        return;
    }
    gf_cuda_kernel_destroy(device, kernel->careful);
    bool entered = gf_cuda_enter_to_free(&device->context);
    while (kernel->codes != NULL) {
        gf_cuda_code *code = kernel->codes;
        kernel->codes = code->next;
        gf_cuda_code_destroy(&device->context, code);
    }
    while (kernel->stages != NULL) {
        gf_cuda_stages *stages = kernel->stages;
        kernel->stages = stages->next;
        gf_cuda_stages_destroy(&device->context, stages);
    }
    gf_cuda_pool_give(&device->pool, kernel->state);
    if (kernel->outcome != NULL && gf_cuda_can_free(&device->context)) {
        (void)device->context.driver->cuMemFreeHost(kernel->outcome);
    }
    if (kernel->done != NULL && gf_cuda_can_free(&device->context)) {
        (void)device->context.driver->cuEventDestroy(kernel->done);
    }
    if (entered) {
        gf_cuda_leave(&device->context);
    }
    for (int i = 0; i < GF_STRATEGY_COUNT; i++) {
        gf_cuda_chosen_free(kernel->chosen[i]);
    }
    gf_cuda_forms_forget(kernel);
    gf_free(kernel->tracked);
    gf_free(kernel->lists);
    gf_free(kernel->written);
    gf_free(kernel->overwritten);
    gf_free(kernel->watched);
    gf_plan_destroy(kernel->plan);
    gf_program_destroy(kernel->program);
    (void)pthread_mutex_destroy(&kernel->lock);
    gf_free(kernel);
}

const gf_plan *gf_cuda_kernel_plan(const gf_cuda_kernel *kernel) {
    return kernel->plan;
}

/* What a run needs besides its buffers may be more than there is, and the device's memory is not the caller's. */
bool gf_cuda_kernel_is_sure(const gf_cuda_kernel *kernel) {
    (void)kernel;
    return false;
}

uint64_t gf_cuda_kernel_resident_groups(gf_cuda_device *device, gf_cuda_kernel *kernel) {
    if (!kernel->keeps_values) {
        return UINT64_MAX; /* nothing has to stay with an invocation: blocks share out the workgroups */
    }
    gf_ptx_options options = {
        .native = true, .passes = kernel->plan->is_fixpoint, .compare = kernel->plan->is_fixpoint};
    uint64_t groups = 0;
    (void)pthread_mutex_lock(&kernel->lock);
    if (gf_cuda_enter(&device->context, NULL)) {
        const gf_cuda_code *code = gf_cuda_code_get(kernel, &options, NULL);
        groups = code != NULL ? gf_cuda_code_groups(kernel, code) : 0;
        gf_cuda_leave(&device->context);
    }
    (void)pthread_mutex_unlock(&kernel->lock);
    return groups;
}
