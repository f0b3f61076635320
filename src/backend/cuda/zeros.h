/* Many places of memory set to zeros at once. A memset takes the host 2 to 3 us, and the device as long; runs of small
 * programs have ten of them. */
#ifndef GF_BACKEND_CUDA_ZEROS_H
#define GF_BACKEND_CUDA_ZEROS_H

#include "backend/cuda/device.h"

typedef struct gf_cuda_range {
    CUdeviceptr address;
    size_t bytes;
} gf_cuda_range;

/* Before each run, with nothing of it under way: the second one on a device compiles a kernel for this, which takes
 * longer than one run alone would save. The context is entered here and below. */
void gf_cuda_zeros_prepare(gf_cuda_device *device);
/* In the order of the device's stream. */
bool gf_cuda_zeros_set(gf_cuda_device *device, const gf_cuda_range *ranges, size_t count, gf_diags *diags);
void gf_cuda_zeros_finish(gf_cuda_device *device);

#endif
