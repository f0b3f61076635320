/* NVIDIA GPUs as devices of this library, through their driver alone. */
#ifndef GF_BACKEND_CUDA_DEVICE_H
#define GF_BACKEND_CUDA_DEVICE_H

#include "backend/cuda/memory.h"
#include "backend/cuda/staging.h"
#include "dev/device.h"

/* What the driver says of a GPU. */
typedef struct gf_cuda_facts {
    char name[96];
    CUuuid uuid;
    int driver_version; /* 13000: of CUDA 13.0 */
    int major, minor;   /* compute capability */
    int sms;
    int warp;             /* threads */
    int threads_per_sm;   /* resident */
    int blocks_per_sm;    /* resident */
    int registers_per_sm; /* of 32 bits */
    int shared_per_sm;    /* bytes */
    int shared_per_block; /* without asking for more: bytes */
    int shared_optin;     /* by CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: bytes */
    int block_threads;    /* at most */
    int grid[3];          /* at most */
    int l2_bytes;
    bool cooperative;
    size_t memory_bytes;
} gf_cuda_facts;

/* The handle that the backend's functions get. */
typedef struct gf_cuda_device {
    gf_cuda_context context;
    gf_cuda_facts facts;
    CUstream stream; /* of all work: transfers, zeros, launches */
    CUstream side;   /* for the stop word of a run, past the work */
    bool is_their_stream;
    gf_cuda_pool pool;
    gf_cuda_staging staging;
    gf_device_options options;
} gf_cuda_device;

const gf_backend *gf_cuda_backend(void);

/* The handle of a device that this backend made; NULL for any other. */
gf_cuda_device *gf_cuda_device_of(const gf_device *device);

/* All attributes; false with a message. */
bool gf_cuda_facts_read(gf_cuda_facts *facts, const gf_cuda_driver *driver, CUdevice device, gf_diags *diags);
/* Lines `WHAT: VALUE`. */
void gf_cuda_facts_describe(const gf_cuda_facts *facts, char *text, size_t size);

#endif
