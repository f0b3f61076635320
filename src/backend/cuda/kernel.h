/* A program compiled for a device, and its launches. */
#ifndef GF_BACKEND_CUDA_KERNEL_H
#define GF_BACKEND_CUDA_KERNEL_H

#include "backend/cuda/device.h"

typedef struct gf_cuda_kernel gf_cuda_kernel;

/* By a plan of these options; NULL: the device's own choice. NULL with a message. Belongs to the device. */
gf_cuda_kernel *gf_cuda_kernel_create(gf_cuda_device *device, gf_program *program, const gf_plan_options *plan,
                                      gf_diags *diags);
void gf_cuda_kernel_destroy(gf_cuda_device *device, gf_cuda_kernel *kernel);

/* As the functions of gf_backend that they are named after. */
bool gf_cuda_kernel_launch(gf_cuda_device *device, gf_cuda_kernel *kernel, const gf_backend_launch *launch,
                           gf_backend_result *result, gf_diags *diags);
uint64_t gf_cuda_kernel_resident_groups(gf_cuda_device *device, gf_cuda_kernel *kernel);
const gf_plan *gf_cuda_kernel_plan(const gf_cuda_kernel *kernel);
bool gf_cuda_kernel_is_sure(const gf_cuda_kernel *kernel);

#endif
