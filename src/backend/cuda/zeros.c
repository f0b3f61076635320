#include "backend/cuda/zeros.h"
#include <stdio.h>
#include <string.h>

#define MOST_AT_ONCE 12           /* ranges of a launch */
#define LARGE ((size_t)1 << 20)   /* bytes for which a memset is worth its call: nothing is faster */
#define ALIGNED 16                /* bytes that a thread sets at once */
#define THREADS 256               /* of a block */
#define BLOCKS_PER_SM 2           /* at most */
#define TEXT_BYTES ((size_t)8192) /* of the kernel, in which ranges follow each other */

static const char head[] =
    "// sets memory to zeros\n"
    ".version 6.0\n.target sm_70\n.address_size 64\n\n"
    ".visible .entry gf_zeros(.param .align 8 .b8 gf_params[192])\n.maxntid 256, 1, 1\n{\n"
    "    .reg .pred %p<4>;\n    .reg .b32 %r<8>;\n    .reg .b64 %rd<12>;\n"
    "    mov.u32 %r0, %ctaid.x;\n    mov.u32 %r1, %ntid.x;\n    mov.u32 %r2, %tid.x;\n    mov.u32 %r3, %nctaid.x;\n"
    "    mul.wide.u32 %rd0, %r0, %r1;\n    cvt.u64.u32 %rd1, %r2;\n    add.u64 %rd0, %rd0, %rd1;\n"
    "    mul.wide.u32 %rd2, %r1, %r3;\n    mov.u32 %r4, 0;\n";

/* 16 bytes at a time, in turns of the grid; what is left goes by bytes. */
static const char part[] = "    ld.param.u64 %%rd3, [gf_params+%u];\n    ld.param.u64 %%rd4, [gf_params+%u];\n"
                           "    shr.u64 %%rd5, %%rd4, 4;\n    mov.u64 %%rd6, %%rd0;\n"
                           "$NEXT%u:\n    setp.ge.u64 %%p0, %%rd6, %%rd5;\n    @%%p0 bra $REST%u;\n"
                           "    shl.b64 %%rd7, %%rd6, 4;\n    add.u64 %%rd7, %%rd7, %%rd3;\n"
                           "    st.global.v4.b32 [%%rd7], {%%r4, %%r4, %%r4, %%r4};\n"
                           "    add.u64 %%rd6, %%rd6, %%rd2;\n    bra $NEXT%u;\n"
                           "$REST%u:\n    shl.b64 %%rd5, %%rd5, 4;\n    add.u64 %%rd5, %%rd5, %%rd0;\n"
                           "    setp.ge.u64 %%p1, %%rd5, %%rd4;\n    @%%p1 bra $OVER%u;\n"
                           "    add.u64 %%rd7, %%rd5, %%rd3;\n    st.global.u8 [%%rd7], %%r4;\n"
                           "$OVER%u:\n";

/* What gf_params is. */
typedef struct zeros_params {
    gf_cuda_range ranges[MOST_AT_ONCE];
} zeros_params;

_Static_assert(sizeof(zeros_params) == 192, "as the kernel has it");

static bool goes_with_others(const gf_cuda_range *range) {
    return range->bytes < LARGE && range->address % ALIGNED == 0;
}

static bool set_together(gf_cuda_device *device, zeros_params *params, size_t count, gf_diags *diags) {
    size_t most = 0, limit = (size_t)device->facts.sms * BLOCKS_PER_SM;
    memset(&params->ranges[count], 0, (MOST_AT_ONCE - count) * sizeof params->ranges[0]);
    for (size_t i = 0; i < count; i++) {
        most = params->ranges[i].bytes > most ? params->ranges[i].bytes : most;
    }
    size_t blocks = most / ((size_t)ALIGNED * THREADS) + 1;
    void *arguments[] = {params};
    CUresult result =
        device->context.driver->cuLaunchKernel(device->zeros.function, (unsigned)(blocks < limit ? blocks : limit), 1,
                                               1, THREADS, 1, 1, 0, device->stream, arguments, NULL);
    return gf_cuda_try(&device->context, result, "cuLaunchKernel", diags);
}

/* Texts follow each other in it, one for each range. */
static bool load(gf_cuda_device *device) {
    const gf_cuda_driver *driver = device->context.driver;
    gf_cuda_zeros *zeros = &device->zeros;
    char text[TEXT_BYTES];
    size_t length = (size_t)snprintf(text, sizeof text, "%s", head);
    for (unsigned i = 0; i < MOST_AT_ONCE; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, part, 16 * i, 16 * i + 8, i, i, i, i, i, i);
    }
    (void)snprintf(text + length, sizeof text - length, "    ret;\n}\n");
    if (driver->cuModuleLoadDataEx(&zeros->module, text, 0, NULL, NULL) != CUDA_SUCCESS) {
        zeros->module = NULL;
        return false;
    }
    return driver->cuModuleGetFunction(&zeros->function, zeros->module, "gf_zeros") == CUDA_SUCCESS;
}

/* A driver may load a kernel when it is launched first, and waits then for all that is under way. */
void gf_cuda_zeros_prepare(gf_cuda_device *device) {
    gf_cuda_zeros *zeros = &device->zeros;
    if (atomic_load(&zeros->is_ready)) {
        return;
    }
    (void)pthread_mutex_lock(&device->figures_lock);
    if (zeros->runs < 2 && zeros->runs++ == 1 && load(device)) {
        zeros_params none;
        atomic_store(&zeros->is_ready, set_together(device, &none, 0, NULL));
    }
    (void)pthread_mutex_unlock(&device->figures_lock);
}

bool gf_cuda_zeros_set(gf_cuda_device *device, const gf_cuda_range *ranges, size_t count, gf_diags *diags) {
    zeros_params params;
    size_t small = 0, held = 0;
    for (size_t i = 0; i < count; i++) {
        small += goes_with_others(&ranges[i]);
    }
    bool together = small > 1 && atomic_load(&device->zeros.is_ready);
    for (size_t i = 0; i < count; i++) {
        if (!together || !goes_with_others(&ranges[i])) {
            CUresult result =
                gf_cuda_set_zeros(device->context.driver, device->stream, ranges[i].address, ranges[i].bytes);
            if (!gf_cuda_try(&device->context, result, "cuMemsetAsync", diags)) {
                return false;
            }
            continue;
        }
        params.ranges[held++] = ranges[i];
        if (held == MOST_AT_ONCE && !set_together(device, &params, held, diags)) {
            return false;
        }
        held = held == MOST_AT_ONCE ? 0 : held;
    }
    return held == 0 || set_together(device, &params, held, diags);
}

void gf_cuda_zeros_finish(gf_cuda_device *device) {
    if (device->zeros.module != NULL && gf_cuda_can_free(&device->context)) {
        (void)device->context.driver->cuModuleUnload(device->zeros.module);
    }
}
