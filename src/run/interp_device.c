#include "run/interp_device.h"
#include "backend/interp/interp.h"
#include "base/clock.h"
#include "base/memory.h"
#include <string.h>

#define INTERP_MAX_WORKGROUP 1024
#define INTERP_MAX_SHARED ((uint64_t)1 << 30)

static bool open_interp(void *user, const char *which, void **device, gf_backend_limits *limits, gf_diags *diags) {
    (void)user;
    if (*which != '\0') {
        return gf_fail(diags, GF_CODE_DEVICE_UNKNOWN, GF_NO_SPAN,
                       "there is one interpreter, `interp`, and no `interp:%s`", which);
    }
    *device = NULL;
    *limits = (gf_backend_limits){.host_memory = true,
                                  .grid_barrier = true,
                                  .checked = true,
                                  .races = true,
                                  .atomics_64 = true,
                                  .max_resident_groups = UINT64_MAX,
                                  .max_groups = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                  .max_workgroup = INTERP_MAX_WORKGROUP,
                                  .max_shared_bytes = INTERP_MAX_SHARED};
    return true;
}

static void close_interp(void *device) {
    (void)device;
}

static void *alloc_memory(void *device, size_t bytes, gf_diags *diags) {
    (void)device;
    void *memory = gf_malloc(bytes);
    if (memory == NULL) {
        (void)gf_fail_memory(diags);
    }
    return memory;
}

static void release_memory(void *device, void *memory) {
    (void)device;
    gf_free(memory);
}

static bool upload_bytes(void *device, void *memory, size_t offset, const void *data, size_t bytes, gf_diags *diags) {
    (void)device;
    (void)diags;
    memcpy((char *)memory + offset, data, bytes);
    return true;
}

static bool download_bytes(void *device, const void *memory, size_t offset, void *data, size_t bytes, gf_diags *diags) {
    (void)device;
    (void)diags;
    memcpy(data, (const char *)memory + offset, bytes);
    return true;
}

static bool zero_bytes(void *device, void *memory, size_t offset, size_t bytes, gf_diags *diags) {
    (void)device;
    (void)diags;
    memset((char *)memory + offset, 0, bytes);
    return true;
}

static void *compile_program(void *device, gf_program *program, gf_diags *diags) {
    (void)device;
    return gf_interp_compile(program, diags);
}

static void discard_kernel(void *device, void *kernel) {
    (void)device;
    gf_interp_destroy(kernel);
}

static bool launch_kernel(void *device, void *kernel, const gf_backend_launch *asked, gf_backend_result *result,
                          gf_diags *diags) {
    (void)device;
    gf_launch_buffer *buffers = gf_calloc(asked->buffer_count, sizeof *buffers);
    if (buffers == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < asked->buffer_count; i++) {
        buffers[i] = (gf_launch_buffer){.data = asked->buffers[i].memory, .count = asked->buffers[i].count};
    }
    gf_launch launch = {.params = asked->params,
                        .buffers = buffers,
                        .max_passes = asked->max_passes,
                        .compare = asked->compare,
                        .checked = asked->checked,
                        .races = asked->races,
                        .forall_from = asked->forall_from,
                        .stop = (gf_stop *)(uintptr_t)asked->stop,
                        .on_pass = asked->on_pass,
                        .user = asked->on_pass_user};
    memcpy(launch.space, asked->space, sizeof launch.space);
    memcpy(launch.groups, asked->groups, sizeof launch.groups);
    gf_launch_result got = {.converged = GF_CONVERGED_UNKNOWN};
    double begin = gf_clock_seconds();
    bool done = gf_interp_launch(kernel, &launch, &got, diags);
    result->seconds_device = gf_clock_seconds() - begin;
    result->seconds_queue = 0;
    result->seconds_wait = 0;
    for (size_t i = 0; i < asked->buffer_count; i++) {
        asked->buffers[i].memory = buffers[i].data;
    }
    gf_free(buffers);
    result->passes = got.passes;
    result->converged = (int)got.converged;
    result->barriers = got.barriers;
    result->trapped = got.trap.raised;
    result->trap_stretch = got.trap.stretch;
    result->trap_invocation = got.trap.invocation;
    result->trap_statement = got.trap.stmt;
    result->trap_address = got.trap.address;
    result->has_fault = got.has_fault;
    result->fault_invocation = got.fault_invocation;
    return done;
}

const gf_backend *gf_interp_backend(void) {
    static const gf_backend table = {.version = GF_BACKEND_VERSION,
                                     .size = sizeof(gf_backend),
                                     .name = "interp",
                                     .open = open_interp,
                                     .close = close_interp,
                                     .alloc = alloc_memory,
                                     .release = release_memory,
                                     .upload = upload_bytes,
                                     .download = download_bytes,
                                     .zero = zero_bytes,
                                     .compile = compile_program,
                                     .discard = discard_kernel,
                                     .launch = launch_kernel};
    return &table;
}
