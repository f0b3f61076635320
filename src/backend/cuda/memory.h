/* Memory of one device: a pool over cuMemAlloc that keeps what is given back.
 *
 * A pool of our own, and not the driver's (cuMemAllocAsync): that one is missing on some devices and under old drivers,
 * its blocks belong to an order of streams, and it takes 1 us a call; here a size that was given back is had again for
 * a lock and a list, without a call of the driver. Whoever uses the memory does it on one stream, or has waited before
 * giving it back; then it may be handed out again at once. */
#ifndef GF_BACKEND_CUDA_MEMORY_H
#define GF_BACKEND_CUDA_MEMORY_H

#include "backend/cuda/context.h"
#include <pthread.h>

/* What the backend's table calls memory: never an address of the process. */
typedef struct gf_cuda_memory {
    CUdeviceptr address; /* on 256 bytes, where it is ours */
    size_t bytes;        /* at least those asked for */
    bool is_theirs;      /* a caller's, wrapped: not freed */
    size_t zeros;        /* so many bytes are zeros, once the stream has come so far; whoever writes says 0 */
    unsigned class;      /* of small ones: the list it goes back to */
    struct gf_cuda_memory *next;
} gf_cuda_memory;

#define GF_CUDA_SMALL_CLASSES 12

typedef struct gf_cuda_slab gf_cuda_slab;

typedef struct gf_cuda_pool {
    gf_cuda_context *context;
    pthread_mutex_t lock;
    /* Small: powers of two, cut from slabs, kept until the pool ends. */
    gf_cuda_memory *small[GF_CUDA_SMALL_CLASSES];
    gf_cuda_slab *slabs; /* the first is cut */
    /* Large: whole allocations; the latest that came back first. */
    gf_cuda_memory *large;
    size_t large_bytes; /* in that list */
    size_t most_kept;
} gf_cuda_pool;

/* most_kept: bytes that are kept at most, of large ones. False: no memory, no message. */
bool gf_cuda_pool_init(gf_cuda_pool *pool, gf_cuda_context *context, size_t most_kept);
/* Everything must have been given back. The context is entered; it may be lost. */
void gf_cuda_pool_finish(gf_cuda_pool *pool);

/* Contents may be anything; NULL with a message. bytes > 0. */
gf_cuda_memory *gf_cuda_pool_take(gf_cuda_pool *pool, size_t bytes, gf_diags *diags);
/* The same for memory that will be asked to be zeros: it still says what is. */
gf_cuda_memory *gf_cuda_pool_take_for_zeros(gf_cuda_pool *pool, size_t bytes, gf_diags *diags);
void gf_cuda_pool_give(gf_cuda_pool *pool, gf_cuda_memory *memory); /* NULL allowed */

/* Zeros in stream order, by a memset; the context is entered, here and below. */
CUresult gf_cuda_set_zeros(const gf_cuda_driver *driver, CUstream stream, CUdeviceptr at, size_t bytes);
/* Unless they are there. */
bool gf_cuda_memory_zero(gf_cuda_context *context, CUstream stream, gf_cuda_memory *memory, size_t offset, size_t bytes,
                         gf_diags *diags);

static inline CUdeviceptr gf_cuda_address(const void *memory) {
    return ((const gf_cuda_memory *)memory)->address;
}

#endif
