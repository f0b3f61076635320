#include "backend/cuda/theirs.h"
#include "backend/cuda/device.h"
#include "base/memory.h"
#include <gridfence/cuda.h>
#include <stdio.h>

#define ALIGNMENT 16 /* of the widest access that kernels make */
#define PER_THREAD_STREAM ((uintptr_t)2)
#define FIRST_REAL_STREAM ((uintptr_t)3) /* below: names of default streams */

/* ---- devices ---- */

static bool find_context(gf_cuda_theirs *theirs, gf_diags *diags) {
    if (theirs->context == NULL) {
        CUresult result = theirs->driver->cuCtxGetCurrent(&theirs->context);
        if (!gf_cuda_ok(theirs->driver, result, "cuCtxGetCurrent", diags)) {
            return false;
        }
    }
    if (theirs->context == NULL) {
        (void)gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN,
                      "no CUDA context was given, and none is current for this thread");
        gf_fix(diags, "hand over a CUcontext, or call the CUDA runtime first (cudaSetDevice, cudaFree(0))");
        return false;
    }
    return true;
}

static bool check_stream(const gf_cuda_theirs *theirs, gf_diags *diags) {
    if ((uintptr_t)theirs->stream == PER_THREAD_STREAM) {
        (void)gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN,
                      "the default stream of each thread is another one for each thread of this library");
        gf_fix(diags, "make a stream by cuStreamCreate or cudaStreamCreate, and hand that over");
        return false;
    }
    if ((uintptr_t)theirs->stream < FIRST_REAL_STREAM) {
        return true;
    }
    CUcontext context = NULL;
    if (!gf_cuda_ok(theirs->driver, theirs->driver->cuStreamGetCtx(theirs->stream, &context), "cuStreamGetCtx",
                    diags)) {
        return false;
    }
    return context == theirs->context || gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN,
                                                 "the CUDA stream belongs to another context than the one handed over");
}

gf_device *gf_device_open_cuda(void *context, void *stream, gf_diags *diags) {
    gf_cuda_theirs theirs = {.driver = gf_cuda_driver_get(diags), .context = context, .stream = stream};
    if (theirs.driver == NULL || gf_cuda_driver_start(theirs.driver, diags) == 0 || !find_context(&theirs, diags) ||
        !check_stream(&theirs, diags)) {
        return NULL;
    }
    gf_device *device = gf_device_open_backend(gf_cuda_backend_of_theirs(), &theirs, "", diags);
    if (device != NULL) {
        (void)snprintf(device->name, sizeof device->name, "cuda:%d", gf_cuda_device_of(device)->context.device);
    }
    return device;
}

/* ---- buffers ---- */

static bool fail_pointer(gf_code code, const void *pointer, const char *what, gf_diags *diags) {
    return gf_fail(diags, code, GF_NO_SPAN, "the pointer %p is %s", pointer, what);
}

/* What is not known of the memory is not held against it. */
static bool check_memory(gf_cuda_context *context, const void *pointer, size_t bytes, gf_diags *diags) {
    const gf_cuda_driver *driver = context->driver;
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)pointer;
    unsigned type = 0; /* stays 0 of memory that the driver does not know */
    int ordinal = context->device;
    CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void *values[] = {&type, &ordinal};
    CUresult result = driver->cuPointerGetAttributes(2, attributes, values, address);
    if (!gf_cuda_try(context, result, "cuPointerGetAttributes", diags)) {
        return false;
    }
    if (type == 0) {
        return fail_pointer(GF_CODE_BAD_ARGUMENT, pointer, "no memory that the NVIDIA driver knows", diags);
    }
    if (type != CU_MEMORYTYPE_DEVICE) {
        return fail_pointer(GF_CODE_BAD_ARGUMENT, pointer, "memory of the host, not of a GPU", diags);
    }
    if (ordinal != context->device) {
        return fail_pointer(GF_CODE_BAD_ARGUMENT, pointer, "memory of another GPU", diags);
    }
    CUdeviceptr base = 0;
    size_t reach = 0;
    result = driver->cuMemGetAddressRange(&base, &reach, address);
    if (result == CUDA_SUCCESS && bytes > reach - (address - base)) {
        return gf_fail(diags, GF_CODE_BUFFER_RANGE, GF_NO_SPAN,
                       "%zu bytes at the pointer %p reach beyond its allocation, which ends after %zu", bytes, pointer,
                       reach - (size_t)(address - base));
    }
    return true;
}

static bool check_pointer(gf_cuda_device *device, const void *pointer, size_t bytes, gf_diags *diags) {
    if (pointer == NULL) {
        return gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "a buffer of %zu bytes got no memory", bytes);
    }
    if ((uintptr_t)pointer % ALIGNMENT != 0) {
        return fail_pointer(GF_CODE_BAD_ARGUMENT, pointer, "not a multiple of 16", diags);
    }
    if (!gf_cuda_enter(&device->context, diags)) {
        return false;
    }
    bool done = check_memory(&device->context, pointer, bytes, diags);
    gf_cuda_leave(&device->context);
    return done;
}

gf_buffer *gf_buffer_wrap_cuda(gf_device *device, void *pointer, size_t bytes, gf_diags *diags) {
    if (device == NULL) {
        return NULL;
    }
    gf_cuda_device *ours = gf_cuda_device_of(device);
    if (ours == NULL) {
        (void)gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN,
                      "device `%s` is no CUDA device, and cannot use memory of one", gf_device_name(device));
        return NULL;
    }
    if (bytes > 0 && !check_pointer(ours, pointer, bytes, diags)) {
        return NULL;
    }
    gf_buffer *buffer = gf_calloc(1, sizeof *buffer);
    gf_cuda_memory *memory = bytes > 0 ? gf_calloc(1, sizeof *memory) : NULL;
    if (buffer == NULL || (bytes > 0 && memory == NULL)) {
        gf_free(buffer);
        gf_free(memory);
        (void)gf_fail_memory(diags);
        return NULL;
    }
    if (memory != NULL) {
        *memory = (gf_cuda_memory){.address = (CUdeviceptr)(uintptr_t)pointer, .bytes = bytes, .is_theirs = true};
    }
    buffer->device = gf_device_hold(device);
    buffer->memory = memory;
    buffer->bytes = bytes;
    buffer->address = (uintptr_t)pointer;
    atomic_init(&buffer->references, 1);
    return buffer;
}
