/* Bytes between the process and the device. Pageable memory goes through pinned memory of our own, in chunks, so that
 * the copy here overlaps the one by the device; large transfers are copied by several threads, since one cannot keep up
 * with the bus. Pinning costs as much as moving ten times the bytes, so it is done late, once, and little by little. */
#ifndef GF_BACKEND_CUDA_STAGING_H
#define GF_BACKEND_CUDA_STAGING_H

#include "backend/cuda/context.h"
#include <pthread.h>

#define GF_CUDA_LANES 4 /* threads that can copy at once */
#define GF_CUDA_SMALL_TRANSFER ((size_t)64 << 10)

/* What one thread copies through: two slots of pinned memory, used in turn. */
typedef struct gf_cuda_lane {
    bool is_taken;
    size_t slot_bytes; /* 0: nothing is pinned yet */
    char *slots[2];
    CUevent events[2]; /* recorded behind the device's last use of the slot */
    unsigned turn;
} gf_cuda_lane;

typedef struct gf_cuda_staging {
    gf_cuda_context *context;
    CUstream stream;
    pthread_mutex_t lock; /* of is_taken and of moved */
    pthread_cond_t given;
    gf_cuda_lane lanes[GF_CUDA_LANES];
    uint64_t moved;   /* bytes of transfers that were not small */
    unsigned threads; /* that copy, of one transfer */
} gf_cuda_staging;

/* Takes nothing from the driver. False: no memory, no message. */
bool gf_cuda_staging_init(gf_cuda_staging *staging, gf_cuda_context *context, CUstream stream);
/* No transfer may be under way. The context is entered; it may be lost. */
void gf_cuda_staging_finish(gf_cuda_staging *staging);

/* In the order of the stream. `from` may be changed as soon as this returns, though the device may still be copying; an
 * error of that is told by a later call. */
bool gf_cuda_upload(gf_cuda_staging *staging, CUdeviceptr to, const void *from, size_t bytes, gf_diags *diags);
/* Waits for all before it in the stream, and for the bytes. */
bool gf_cuda_download(gf_cuda_staging *staging, void *to, CUdeviceptr from, size_t bytes, gf_diags *diags);

#endif
