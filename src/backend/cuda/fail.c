#include "backend/cuda/fail.h"

typedef struct error_row {
    CUresult result;
    bool is_sticky;
    const char *fix; /* NULL: as for any error */
} error_row;

#define NEWER "device `cuda` needs a GPU of compute capability 7.0 or later, and the NVIDIA driver 470 or later"

/* Only what is sticky or has a fix of its own. */
static const error_row rows[] = {
    {CUDA_ERROR_OUT_OF_MEMORY, false,
     "make the inputs smaller, or free memory of the GPU: `nvidia-smi` lists who uses it"},
    {CUDA_ERROR_NOT_INITIALIZED, false,
     "a process that was forked after the driver was used cannot use it: fork earlier, or start a new program"},
    {CUDA_ERROR_DEINITIALIZED, true, NULL},
    {CUDA_ERROR_STUB_LIBRARY, false,
     "the library found is the toolkit's stub for linking: take its folder out of LD_LIBRARY_PATH"},
    {CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER, false, NEWER},
    {CUDA_ERROR_DEVICE_UNAVAILABLE, false,
     "another process holds the GPU for itself: wait for it, or set the compute mode by `nvidia-smi -c 0`"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, false, NEWER},
    {CUDA_ERROR_ECC_UNCORRECTABLE, true, NULL},
    {CUDA_ERROR_INVALID_PTX, false, NEWER},
    {CUDA_ERROR_NVLINK_UNCORRECTABLE, true, NULL},
    {CUDA_ERROR_JIT_COMPILER_NOT_FOUND, false,
     "the driver's libnvidia-ptxjitcompiler.so.1 is missing: install the NVIDIA driver whole"},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, false, NEWER},
    {CUDA_ERROR_JIT_COMPILATION_DISABLED, false, "take CUDA_DISABLE_PTX_JIT out of the environment"},
    {CUDA_ERROR_CONTAINED, true, NULL},
    {CUDA_ERROR_OPERATING_SYSTEM, false, "see whether this user may open /dev/nvidia*, and what `nvidia-smi` says"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, true, NULL},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, false, "take a smaller workgroup"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, true, NULL},
    {CUDA_ERROR_CONTEXT_IS_DESTROYED, true, NULL},
    {CUDA_ERROR_ASSERT, true, NULL},
    {CUDA_ERROR_HARDWARE_STACK_ERROR, true, NULL},
    {CUDA_ERROR_ILLEGAL_INSTRUCTION, true, NULL},
    {CUDA_ERROR_MISALIGNED_ADDRESS, true, NULL},
    {CUDA_ERROR_INVALID_ADDRESS_SPACE, true, NULL},
    {CUDA_ERROR_INVALID_PC, true, NULL},
    {CUDA_ERROR_LAUNCH_FAILED, true, NULL},
    {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, false,
     "the whole grid does not fit onto the GPU at once: take the strategy resident or auto"},
    {CUDA_ERROR_TENSOR_MEMORY_LEAK, true, NULL},
    {CUDA_ERROR_SYSTEM_NOT_READY, false, "the GPU is not ready yet: see that nvidia-fabricmanager runs, and try again"},
    {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, false,
     "the driver's library and its kernel module are of different versions: restart the machine"},
    {CUDA_ERROR_MPS_CLIENT_TERMINATED, true, NULL},
    {CUDA_ERROR_EXTERNAL_DEVICE, true, NULL},
    {CUDA_ERROR_UNKNOWN, true, NULL},
};

static const error_row *find_row(CUresult result) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].result == result) {
            return &rows[i];
        }
    }
    return NULL;
}

const char *gf_cuda_error_name(const gf_cuda_driver *driver, CUresult result) {
    const char *text = NULL;
    return driver->cuGetErrorName(result, &text) == CUDA_SUCCESS && text != NULL ? text : "an error without a name";
}

const char *gf_cuda_error_text(const gf_cuda_driver *driver, CUresult result) {
    const char *text = NULL;
    return driver->cuGetErrorString(result, &text) == CUDA_SUCCESS && text != NULL ? text : "the driver says no more";
}

bool gf_cuda_is_sticky(CUresult result) {
    const error_row *row = find_row(result);
    return row != NULL && row->is_sticky;
}

void gf_cuda_fix_lost(gf_diags *diags) {
    gf_fix(
        diags,
        "start the process again: the driver keeps the error with the context of this GPU, which others in the process "
        "may hold and which is not reset under them; other devices go on");
}

void gf_cuda_fix_stuck(gf_diags *diags) {
    gf_fix(diags,
           "start the process again: a kernel goes on until its process ends, and so long its memory stays taken; "
           "other devices go on");
}

bool gf_cuda_ok(const gf_cuda_driver *driver, CUresult result, const char *call, gf_diags *diags) {
    if (result == CUDA_SUCCESS) {
        return true;
    }
    const error_row *row = find_row(result);
    bool is_lost = row != NULL && row->is_sticky;
    gf_code code = result == CUDA_ERROR_OUT_OF_MEMORY ? GF_CODE_DEVICE_MEMORY : GF_CODE_DEVICE_FAILED;
    (void)gf_fail(diags, is_lost ? GF_CODE_DEVICE_LOST : code, GF_NO_SPAN, "%s: %s: %s", call,
                  gf_cuda_error_name(driver, result), gf_cuda_error_text(driver, result));
    if (is_lost) {
        gf_cuda_fix_lost(diags);
    } else {
        gf_fix(diags, "%s",
               row != NULL && row->fix != NULL
                   ? row->fix
                   : "see what `nvidia-smi` and the kernel's log (`dmesg`) say, or take another device");
    }
    return false;
}
