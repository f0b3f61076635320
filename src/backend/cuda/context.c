#include "backend/cuda/context.h"
#include <stdio.h>

/* By the driver's number, of the first 64: the primary context is one for all of the process, and stays stuck. */
static _Atomic(uint64_t) stuck_devices;

static uint64_t bit_of(CUdevice device) {
    return device >= 0 && device < 64 ? UINT64_C(1) << device : 0;
}

bool gf_cuda_is_lost(const gf_cuda_context *context) {
    return atomic_load_explicit(&context->lost, memory_order_acquire) != NULL;
}

bool gf_cuda_fail_lost(const gf_cuda_context *context, gf_diags *diags) {
    (void)gf_fail(diags, GF_CODE_DEVICE_LOST, GF_NO_SPAN, "the GPU is lost since %s",
                  atomic_load_explicit(&context->lost, memory_order_acquire));
    gf_cuda_fix_lost(diags);
    return false;
}

/* The first thread to come writes the text. */
static void lose(gf_cuda_context *context, const char *call, const char *why) {
    if (!atomic_exchange(&context->is_told, true)) {
        (void)snprintf(context->lost_text, sizeof context->lost_text, "%s: %s", call, why);
        atomic_store_explicit(&context->lost, context->lost_text, memory_order_release);
    }
}

bool gf_cuda_try(gf_cuda_context *context, CUresult result, const char *call, gf_diags *diags) {
    if (result == CUDA_SUCCESS) {
        return true;
    }
    if (gf_cuda_is_sticky(result)) {
        lose(context, call, gf_cuda_error_name(context->driver, result));
    }
    return gf_cuda_ok(context->driver, result, call, diags);
}

bool gf_cuda_enter(gf_cuda_context *context, gf_diags *diags) {
    if (gf_cuda_is_lost(context)) {
        return gf_cuda_fail_lost(context, diags);
    }
    return gf_cuda_try(context, context->driver->cuCtxPushCurrent(context->context), "cuCtxPushCurrent", diags);
}

void gf_cuda_give_up(gf_cuda_context *context) {
    atomic_store(&context->is_stuck, true);
    if (!context->is_borrowed) {
        (void)atomic_fetch_or(&stuck_devices, bit_of(context->device));
    }
    lose(context, "cuLaunchKernel", "a kernel that did not end");
}

bool gf_cuda_can_free(const gf_cuda_context *context) {
    return !atomic_load(&context->is_stuck);
}

bool gf_cuda_enter_to_free(gf_cuda_context *context) {
    /* A call that fails once may not the next time, and what is not given back now never is. */
    bool entered = false;
    for (int turn = 0; turn < 2 && !entered && gf_cuda_can_free(context); turn++) {
        entered = gf_cuda_try(context, context->driver->cuCtxPushCurrent(context->context), "cuCtxPushCurrent", NULL);
    }
    return entered;
}

void gf_cuda_leave(gf_cuda_context *context) {
    CUcontext ours;
    (void)context->driver->cuCtxPopCurrent(&ours);
}

static void begin(gf_cuda_context *context, const gf_cuda_driver *driver) {
    *context = (gf_cuda_context){.driver = driver};
    atomic_init(&context->lost, NULL);
    atomic_init(&context->is_told, false);
    atomic_init(&context->is_stuck, false);
}

bool gf_cuda_context_retain(gf_cuda_context *context, const gf_cuda_driver *driver, int index, gf_diags *diags) {
    begin(context, driver);
    if (!gf_cuda_ok(driver, driver->cuDeviceGet(&context->device, index), "cuDeviceGet", diags)) {
        return false;
    }
    if ((atomic_load(&stuck_devices) & bit_of(context->device)) != 0) {
        (void)gf_fail(diags, GF_CODE_DEVICE_LOST, GF_NO_SPAN,
                      "a kernel that this process started on cuda:%d did not end, and may be running yet", index);
        gf_cuda_fix_stuck(diags);
        return false;
    }
    return gf_cuda_ok(driver, driver->cuDevicePrimaryCtxRetain(&context->context, context->device),
                      "cuDevicePrimaryCtxRetain", diags);
}

bool gf_cuda_context_borrow(gf_cuda_context *context, const gf_cuda_driver *driver, CUcontext theirs, gf_diags *diags) {
    begin(context, driver);
    context->context = theirs;
    context->is_borrowed = true;
    if (!gf_cuda_enter(context, diags)) {
        return false;
    }
    bool done = gf_cuda_try(context, driver->cuCtxGetDevice(&context->device), "cuCtxGetDevice", diags);
    gf_cuda_leave(context);
    return done;
}

void gf_cuda_context_finish(gf_cuda_context *context) {
    if (!context->is_borrowed && gf_cuda_can_free(context)) {
        (void)context->driver->cuDevicePrimaryCtxRelease(context->device);
    }
}
