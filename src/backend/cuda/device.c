#include "backend/cuda/device.h"
#include "backend/cuda/kernel.h"
#include "backend/cuda/measure.h"
#include "backend/cuda/theirs.h"
#include "backend/cuda/zeros.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

#define LEAST_MAJOR 7 /* the compute capability that the kernels' text asks for */
/* And where kernels of a graph may begin early: what the hardware wants, and the driver with which it was seen to work
 * in loops of graphs too. */
#define DEPENDENT_MAJOR 9
#define DEPENDENT_DRIVER 13000
#define MAX_WORKGROUP 1024

/* ---- closing ---- */

static gf_cuda_device *make_device(gf_diags *diags) {
    gf_cuda_device *device = gf_calloc(1, sizeof *device);
    if (device == NULL || pthread_mutex_init(&device->figures_lock, NULL) != 0) {
        gf_free(device);
        (void)gf_fail_memory(diags);
        return NULL;
    }
    return device;
}

static void free_device(gf_cuda_device *device) {
    (void)pthread_mutex_destroy(&device->figures_lock);
    gf_free(device);
}

static void destroy_streams(gf_cuda_device *device) {
    const gf_cuda_driver *driver = device->context.driver;
    if (!gf_cuda_can_free(&device->context)) {
        return;
    }
    if (device->stream != NULL && !device->is_their_stream) {
        (void)driver->cuStreamDestroy(device->stream);
    }
    if (device->side != NULL) {
        (void)driver->cuStreamDestroy(device->side);
    }
}

static void close_cuda(void *handle) {
    gf_cuda_device *device = handle;
    bool entered = gf_cuda_enter_to_free(&device->context);
    if (gf_cuda_can_free(&device->context)) {
        (void)device->context.driver->cuStreamSynchronize(device->stream);
    }
    gf_cuda_zeros_finish(device);
    gf_cuda_staging_finish(&device->staging);
    gf_cuda_pool_finish(&device->pool);
    destroy_streams(device);
    if (entered) {
        gf_cuda_leave(&device->context);
    }
    gf_cuda_context_finish(&device->context);
    free_device(device);
}

/* ---- opening ---- */

static void fill_limits(const gf_cuda_device *device, gf_backend_limits *limits) {
    const gf_cuda_facts *facts = &device->facts;
    int shared = facts->shared_optin > facts->shared_per_block ? facts->shared_optin : facts->shared_per_block;
    *limits = (gf_backend_limits){
        .grid_barrier = facts->cooperative,
        .checked = !device->options.unchecked,
        .atomics_64 = true,
        .max_resident_groups = (uint64_t)facts->blocks_per_sm * (uint64_t)facts->sms,
        .max_groups = {(uint64_t)facts->grid[0], (uint64_t)facts->grid[1], (uint64_t)facts->grid[2]},
        .max_workgroup = facts->block_threads < MAX_WORKGROUP ? (uint32_t)facts->block_threads : MAX_WORKGROUP,
        .max_shared_bytes = (uint64_t)shared,
        .memory_bytes = facts->memory_bytes,
        .persistent = facts->cooperative,
        .resident = true,
        .sets_zeros = true};
}

/* With the context there: the rest. The context is the caller's to finish where this fails. */
static bool begin_device(gf_cuda_device *device, gf_diags *diags) {
    gf_cuda_context *context = &device->context;
    const gf_cuda_driver *driver = context->driver;
    if (!gf_cuda_facts_read(&device->facts, driver, context->device, diags)) {
        return false;
    }
    if (device->facts.major < LEAST_MAJOR) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN,
                      "`%s` has compute capability %d.%d, and device `cuda` needs %d.0", device->facts.name,
                      device->facts.major, device->facts.minor, LEAST_MAJOR);
        gf_fix(diags, "take another GPU (cuda:1 and so on) or another device");
        return false;
    }
    context->dependent = device->facts.major >= DEPENDENT_MAJOR && device->facts.driver_version >= DEPENDENT_DRIVER &&
                         driver->cuGraphAddNode_v2 != NULL;
    if (!gf_cuda_enter(context, diags)) {
        return false;
    }
    bool done =
        (device->is_their_stream ||
         gf_cuda_try(context, driver->cuStreamCreate(&device->stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate",
                     diags)) &&
        gf_cuda_try(context, driver->cuStreamCreate(&device->side, CU_STREAM_NON_BLOCKING), "cuStreamCreate", diags);
    /* What others may want stays theirs: half of the memory is kept at most. */
    bool has_pool = done && gf_cuda_pool_init(&device->pool, context, device->facts.memory_bytes / 2);
    bool has_staging = has_pool && gf_cuda_staging_init(&device->staging, context, device->stream);
    if (done && !has_staging) {
        if (has_pool) {
            gf_cuda_pool_finish(&device->pool);
        }
        done = gf_fail_memory(diags);
    }
    if (!done) {
        destroy_streams(device);
    }
    gf_cuda_leave(context);
    return done;
}

/* "" or a number from 0; -1 for anything else. */
static int read_index(const char *which) {
    int index = 0;
    for (const char *at = which; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || at - which > 5) {
            return -1;
        }
        index = index * 10 + (*at - '0');
    }
    return index;
}

static bool refuse_index(const gf_cuda_driver *driver, const char *which, int count, gf_diags *diags) {
    (void)gf_fail(diags, GF_CODE_DEVICE_UNKNOWN, GF_NO_SPAN,
                  "there is no device `cuda:%.40s`; the driver sees %d GPU%s", which, count, count == 1 ? "" : "s");
    for (int i = 0; i < count; i++) {
        CUdevice device = 0;
        char name[96] = "";
        if (driver->cuDeviceGet(&device, i) == CUDA_SUCCESS &&
            driver->cuDeviceGetName(name, (int)sizeof name, device) == CUDA_SUCCESS) {
            gf_note(diags, GF_NO_SPAN, "cuda:%d is %s", i, name);
        }
    }
    if (count == 1) {
        gf_fix(diags, "take cuda, which is cuda:0");
    } else {
        gf_fix(diags, "take one of cuda:0 to cuda:%d", count - 1);
    }
    return false;
}

static bool retain_context(gf_cuda_context *context, const char *which, gf_diags *diags) {
    const gf_cuda_driver *driver = gf_cuda_driver_get(diags);
    int count = driver != NULL ? gf_cuda_driver_start(driver, diags) : 0;
    if (count == 0) {
        return false;
    }
    int index = read_index(which);
    return index >= 0 && index < count ? gf_cuda_context_retain(context, driver, index, diags)
                                       : refuse_index(driver, which, count, diags);
}

static bool open_cuda(void *user, const char *which, void **handle, gf_backend_limits *limits, gf_diags *diags) {
    gf_cuda_device *device = make_device(diags);
    if (device == NULL) {
        return false;
    }
    device->options = *(const gf_device_options *)user;
    if (!retain_context(&device->context, which, diags)) {
        free_device(device);
        return false;
    }
    if (!begin_device(device, diags)) {
        gf_cuda_context_finish(&device->context);
        free_device(device);
        return false;
    }
    fill_limits(device, limits);
    *handle = device;
    return true;
}

static bool open_theirs(void *user, const char *which, void **handle, gf_backend_limits *limits, gf_diags *diags) {
    (void)which;
    const gf_cuda_theirs *theirs = user;
    gf_cuda_device *device = make_device(diags);
    if (device == NULL) {
        return false;
    }
    device->options = (gf_device_options){.size = sizeof device->options};
    device->stream = theirs->stream;
    device->is_their_stream = true;
    if (!gf_cuda_context_borrow(&device->context, theirs->driver, theirs->context, diags) ||
        !begin_device(device, diags)) {
        free_device(device);
        return false;
    }
    fill_limits(device, limits);
    *handle = device;
    return true;
}

/* ---- memory ---- */

static void *alloc_memory(void *handle, size_t bytes, gf_diags *diags) {
    gf_cuda_device *device = handle;
    return gf_cuda_pool_take_for_zeros(&device->pool, bytes, diags);
}

static void release_memory(void *handle, void *memory) {
    gf_cuda_device *device = handle;
    gf_cuda_pool_give(&device->pool, memory);
}

static bool upload_bytes(void *handle, void *memory, size_t offset, const void *data, size_t bytes, gf_diags *diags) {
    gf_cuda_device *device = handle;
    ((gf_cuda_memory *)memory)->zeros = 0;
    return gf_cuda_upload(&device->staging, gf_cuda_address(memory) + offset, data, bytes, diags);
}

static bool download_bytes(void *handle, const void *memory, size_t offset, void *data, size_t bytes, gf_diags *diags) {
    gf_cuda_device *device = handle;
    return gf_cuda_download(&device->staging, data, gf_cuda_address(memory) + offset, bytes, diags);
}

static bool zero_bytes(void *handle, void *memory, size_t offset, size_t bytes, gf_diags *diags) {
    gf_cuda_device *device = handle;
    if (!gf_cuda_enter(&device->context, diags)) {
        return false;
    }
    bool done = gf_cuda_memory_zero(&device->context, device->stream, memory, offset, bytes, diags);
    gf_cuda_leave(&device->context);
    return done;
}

/* ---- kernels ---- */

static void *compile_with(void *handle, gf_program *program, const gf_plan_options *plan, gf_diags *diags) {
    return gf_cuda_kernel_create(handle, program, plan, diags);
}

static void *compile_program(void *handle, gf_program *program, gf_diags *diags) {
    return gf_cuda_kernel_create(handle, program, NULL, diags);
}

static void discard_kernel(void *handle, void *kernel) {
    gf_cuda_kernel_destroy(handle, kernel);
}

static bool launch_kernel(void *handle, void *kernel, const gf_backend_launch *launch, gf_backend_result *result,
                          gf_diags *diags) {
    return gf_cuda_kernel_launch(handle, kernel, launch, result, diags);
}

static uint64_t resident_groups(void *handle, void *kernel) {
    return gf_cuda_kernel_resident_groups(handle, kernel);
}

static const gf_plan *plan_of(void *handle, void *kernel) {
    (void)handle;
    return gf_cuda_kernel_plan(kernel);
}

static bool is_sure(void *handle, void *kernel) {
    (void)handle;
    return gf_cuda_kernel_is_sure(kernel);
}

static bool choose(void *handle, void *kernel, const gf_backend_launch *launch, gf_strategy wanted,
                   gf_backend_choice *choice) {
    return gf_cuda_kernel_choose(handle, kernel, launch, wanted, choice);
}

static void describe(void *handle, char *text, size_t size) {
    gf_cuda_device *device = handle;
    gf_cuda_figures figures;
    gf_cuda_facts_describe(&device->facts, text, size);
    if (gf_cuda_figures_peek(device, &figures)) {
        gf_cuda_figures_describe(&figures, &device->facts, text, size);
    }
}

/* ---- tables ---- */

#define TABLE(opens)                                                                                                   \
    {                                                                                                                  \
        .version = GF_BACKEND_VERSION, .size = sizeof(gf_backend), .name = "cuda", .open = (opens),                    \
        .close = close_cuda, .alloc = alloc_memory, .release = release_memory, .upload = upload_bytes,                 \
        .download = download_bytes, .zero = zero_bytes, .compile = compile_program, .discard = discard_kernel,         \
        .launch = launch_kernel, .resident_groups = resident_groups, .compile_with = compile_with, .plan = plan_of,    \
        .is_sure = is_sure, .describe = describe, .choose = choose                                                     \
    }

const gf_backend *gf_cuda_backend(void) {
    static const gf_backend table = TABLE(open_cuda);
    return &table;
}

const gf_backend *gf_cuda_backend_of_theirs(void) {
    static const gf_backend table = TABLE(open_theirs);
    return &table;
}

gf_cuda_device *gf_cuda_device_of(const gf_device *device) {
    return device != NULL && device->table.close == close_cuda ? device->handle : NULL;
}
