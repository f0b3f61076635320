#include "backend/cuda/kernel.h"

gf_cuda_kernel *gf_cuda_kernel_create(gf_cuda_device *device, gf_program *program, const gf_plan_options *plan,
                                      gf_diags *diags) {
    (void)device;
    (void)program;
    (void)plan;
    (void)gf_fail(diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN, "device `cuda` cannot compile programs: not there yet");
    return NULL;
}

void gf_cuda_kernel_destroy(gf_cuda_device *device, gf_cuda_kernel *kernel) {
    (void)device;
    (void)kernel;
}

bool gf_cuda_kernel_launch(gf_cuda_device *device, gf_cuda_kernel *kernel, const gf_backend_launch *launch,
                           gf_backend_result *result, gf_diags *diags) {
    (void)device;
    (void)kernel;
    (void)launch;
    (void)result;
    return gf_fail(diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN, "device `cuda` cannot run programs: not there yet");
}

uint64_t gf_cuda_kernel_resident_groups(gf_cuda_device *device, gf_cuda_kernel *kernel) {
    (void)device;
    (void)kernel;
    return 0;
}

const gf_plan *gf_cuda_kernel_plan(const gf_cuda_kernel *kernel) {
    (void)kernel;
    return NULL;
}

bool gf_cuda_kernel_is_sure(const gf_cuda_kernel *kernel) {
    (void)kernel;
    return false;
}
