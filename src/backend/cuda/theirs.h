/* Devices made of a caller's context and stream. */
#ifndef GF_BACKEND_CUDA_THEIRS_H
#define GF_BACKEND_CUDA_THEIRS_H

#include "backend/cuda/driver.h"
#include <gridfence/backend.h>

/* What the table below is opened with. */
typedef struct gf_cuda_theirs {
    const gf_cuda_driver *driver;
    CUcontext context;
    CUstream stream;
} gf_cuda_theirs;

const gf_backend *gf_cuda_backend_of_theirs(void);

#endif
