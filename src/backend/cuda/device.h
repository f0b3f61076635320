/* NVIDIA GPUs as devices of this library, through their driver alone. */
#ifndef GF_BACKEND_CUDA_DEVICE_H
#define GF_BACKEND_CUDA_DEVICE_H

#include "backend/cuda/memory.h"
#include "backend/cuda/staging.h"
#include "dev/device.h"
#include <stdatomic.h>

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

/* Shapes of a grid for which a barrier is measured: so many blocks for each multiprocessor, of so many threads. */
#define GF_CUDA_BARRIERS 6
#define GF_CUDA_BARRIER_BLOCKS                                                                                         \
    { 1, 2, 4, 8, 1, 2 }
#define GF_CUDA_BARRIER_THREADS                                                                                        \
    { 256, 256, 256, 256, 1024, 1024 }

/* What forms of a program cost; see measure.h. Seconds, and bytes per second. */
typedef struct gf_cuda_figures {
    double barrier[GF_CUDA_BARRIERS]; /* of the grid, in one launch; 0: so many blocks do not fit at once */
    double launch;                    /* a kernel, from the call until the host knows that it is done */
    double launch_more;               /* each further kernel behind it */
    double graph;                     /* a graph of one kernel, as launch */
    double node[2];                   /* each further kernel in it, of one and of eight blocks of 256 for each
                                         multiprocessor: reads and writes 4 bytes a thread */
    double idle[2];                   /* the same, of a kernel that finds nothing to do */
    double turn;                      /* of a loop of a graph, beside its kernels; 0: the driver has no loops */
    double up, down;                  /* between the host's pinned memory and the device's */
    double copy;                      /* on the device, read and written bytes counted both */
} gf_cuda_figures;

typedef enum gf_cuda_figures_origin {
    GF_CUDA_FIGURES_NONE, /* nobody has asked yet */
    GF_CUDA_FIGURES_DEFAULT,
    GF_CUDA_FIGURES_MEASURED,
} gf_cuda_figures_origin;

/* The kernel of zeros.h. */
typedef struct gf_cuda_zeros {
    CUmodule module;
    CUfunction function;
    unsigned runs; /* up to 2 */
    _Atomic(bool) is_ready;
} gf_cuda_zeros;

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
    pthread_mutex_t figures_lock; /* of what follows */
    gf_cuda_zeros zeros;
    gf_cuda_figures figures;
    gf_cuda_figures_origin figures_origin;
} gf_cuda_device;

const gf_backend *gf_cuda_backend(void);

/* The handle of a device that this backend made; NULL for any other. */
gf_cuda_device *gf_cuda_device_of(const gf_device *device);

/* All attributes; false with a message. */
bool gf_cuda_facts_read(gf_cuda_facts *facts, const gf_cuda_driver *driver, CUdevice device, gf_diags *diags);
/* Lines `WHAT: VALUE`. */
void gf_cuda_facts_describe(const gf_cuda_facts *facts, char *text, size_t size);

#endif
