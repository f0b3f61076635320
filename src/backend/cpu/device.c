#include "backend/cpu/device.h"
#include "backend/cpu/pages.h"
#include "backend/cpu/run.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

#define CPU_MAX_WORKGROUP 1024
#define CPU_MAX_SHARED ((uint64_t)64 << 20)
#define ZERO_GRAIN ((size_t)256 << 10) /* bytes */

typedef struct cpu_device {
    gf_binary_store store;
    gf_pool *pool;
    gf_pages pages;
} cpu_device;

static void close_cpu(void *handle) {
    cpu_device *device = handle;
    gf_pool_destroy(device->pool);
    gf_binary_store_finish(&device->store);
    gf_pages_finish(&device->pages);
    gf_free(device);
}

static bool open_cpu(void *user, const char *which, void **handle, gf_backend_limits *limits, gf_diags *diags) {
    const gf_device_options *options = user;
    if (*which != '\0') {
        return gf_fail(diags, GF_CODE_DEVICE_UNKNOWN, GF_NO_SPAN,
                       "there is one device `cpu`, with all cores, and no `cpu:%s`", which);
    }
    cpu_device *device = gf_calloc(1, sizeof *device);
    if (device == NULL) {
        return gf_fail_memory(diags);
    }
    if (!gf_binary_store_init(&device->store, !options->no_cache, options->unchecked, diags)) {
        gf_free(device);
        return false;
    }
    if (!gf_pages_init(&device->pages)) {
        gf_binary_store_finish(&device->store);
        gf_free(device);
        return gf_fail_memory(diags);
    }
    device->pool = gf_pool_create(options->threads);
    if (device->pool == NULL) {
        close_cpu(device);
        return gf_fail_memory(diags);
    }
    *handle = device;
    *limits = (gf_backend_limits){.host_memory = true,
                                  .grid_barrier = true,
                                  .checked = !options->unchecked,
                                  .atomics_64 = true,
                                  .max_resident_groups = UINT64_MAX,
                                  .max_groups = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                                  .max_workgroup = CPU_MAX_WORKGROUP,
                                  .max_shared_bytes = CPU_MAX_SHARED,
                                  .native_is_resident = true,
                                  .persistent = true,
                                  .threads = gf_pool_threads(device->pool)};
    return true;
}

static void *alloc_memory(void *handle, size_t bytes, gf_diags *diags) {
    cpu_device *device = handle;
    void *memory = gf_pages_take(&device->pages, bytes);
    if (memory == NULL) {
        (void)gf_fail_memory(diags);
    }
    return memory;
}

static void release_memory(void *handle, void *memory) {
    cpu_device *device = handle;
    gf_pages_give(&device->pages, memory);
}

static bool upload_bytes(void *handle, void *memory, size_t offset, const void *data, size_t bytes, gf_diags *diags) {
    cpu_device *device = handle;
    (void)diags;
    (void)gf_pages_are_zeros(&device->pages, memory);
    memcpy((char *)memory + offset, data, bytes);
    return true;
}

static bool download_bytes(void *handle, const void *memory, size_t offset, void *data, size_t bytes, gf_diags *diags) {
    (void)handle;
    (void)diags;
    memcpy(data, (const char *)memory + offset, bytes);
    return true;
}

static void zero_part(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    memset((char *)context + begin, 0, (size_t)(end - begin));
}

/* By all threads, where no run has them. */
static bool zero_bytes(void *handle, void *memory, size_t offset, size_t bytes, gf_diags *diags) {
    cpu_device *device = handle;
    (void)diags;
    if (gf_pages_are_zeros(&device->pages, memory)) {
        return true;
    }
    gf_pool_job job = {.body = zero_part, .context = (char *)memory + offset, .count = bytes, .grain = ZERO_GRAIN};
    bool has_team = bytes >= 2 * ZERO_GRAIN && gf_pool_acquire(device->pool);
    gf_pool_run(has_team ? device->pool : NULL, &job);
    if (has_team) {
        gf_pool_release(device->pool);
    }
    return true;
}

static void *compile_with(void *handle, gf_program *program, const gf_plan_options *plan, gf_diags *diags) {
    cpu_device *device = handle;
    return gf_cpu_kernel_create(&device->store, program, plan, diags);
}

static void *compile_program(void *handle, gf_program *program, gf_diags *diags) {
    return compile_with(handle, program, NULL, diags);
}

static void discard_kernel(void *handle, void *kernel) {
    (void)handle;
    gf_cpu_kernel_destroy(kernel);
}

static bool launch_kernel(void *handle, void *kernel, const gf_backend_launch *asked, gf_backend_result *result,
                          gf_diags *diags) {
    cpu_device *device = handle;
    for (size_t i = 0; i < asked->buffer_count; i++) {
        (void)gf_pages_are_zeros(&device->pages, asked->buffers[i].memory);
    }
    return gf_cpu_launch(kernel, device->pool, asked, result, diags);
}

static const gf_plan *plan_of(void *handle, void *kernel) {
    (void)handle;
    return ((gf_cpu_kernel *)kernel)->plan;
}

/* Hidden buffers and results of reductions are taken when their size is known, which is late. */
static bool is_sure(void *handle, void *opaque) {
    (void)handle;
    const gf_cpu_kernel *kernel = opaque;
    return kernel->program_buffers == kernel->plan->buffer_count;
}

static void describe(void *handle, char *text, size_t size) {
    cpu_device *device = handle;
    const gf_jit *jit = gf_binary_store_jit(&device->store, NULL);
    const char *folder = gf_disk_cache_folder(device->store.disk);
    (void)snprintf(text, size, "threads: %u\nprocessor: %s\ncompiler: LLVM %s\ncache: %s\n",
                   gf_pool_threads(device->pool), jit != NULL ? gf_jit_cpu(jit) : "unknown",
                   jit != NULL ? gf_jit_version(jit) : "not usable", folder != NULL ? folder : "none");
}

const gf_backend *gf_cpu_backend(void) {
    static const gf_backend table = {.version = GF_BACKEND_VERSION,
                                     .size = sizeof(gf_backend),
                                     .name = "cpu",
                                     .open = open_cpu,
                                     .close = close_cpu,
                                     .alloc = alloc_memory,
                                     .release = release_memory,
                                     .upload = upload_bytes,
                                     .download = download_bytes,
                                     .zero = zero_bytes,
                                     .compile = compile_program,
                                     .discard = discard_kernel,
                                     .launch = launch_kernel,
                                     .compile_with = compile_with,
                                     .plan = plan_of,
                                     .is_sure = is_sure,
                                     .describe = describe};
    return &table;
}
