/* What a run of a plan asks of a device, in numbers, before anything is compiled: by the tree of the plan and the sizes
 * of a launch. It counts as the emitter lays things out (emit/ptx: walk.c for barriers, stages.c for kernels), loosely:
 * who decides by it wants to know what is the cheaper, not what it costs. */
#ifndef GF_BACKEND_CUDA_LOAD_H
#define GF_BACKEND_CUDA_LOAD_H

#include "backend/cuda/sizes.h"

/* What a loop is taken for whose turns nobody knows before the run. */
#define GF_CUDA_GUESSED_TURNS 16

/* Steps that stand before the loop of a graph, where nobody knows how many there will be, and in its body: multiples of
 * GF_PTX_SETS, so that the sets are where they were behind them. */
#define GF_CUDA_FIRST_STEPS 15
#define GF_CUDA_BODY_STEPS 33

typedef struct gf_cuda_load {
    uint64_t items;  /* of the widest segment; UINT64_MAX: the device alone knows */
    bool is_guessed; /* some loop's turns are known on the device alone */
    bool is_single;  /* one segment, once, and nobody looks at what it did */
    /* In one launch: */
    double barriers; /* grid barriers met */
    /* By stages, or by steps, all told: */
    double kernels;     /* that do something */
    double wide_blocks; /* of them, of 256 threads, past the first for each multiprocessor, all told */
    double idle;        /* kernels that find nothing to do: the rest of the turns that are laid out together */
    double idle_blocks; /* as wide_blocks */
    double turns;       /* of the graph's own loops */
    unsigned loops;     /* of the graph */
    unsigned nodes;     /* of the graph */
    /* Either way, all told: */
    double bytes;  /* of buffers, read and written */
    double uneven; /* of them, by segments of which a thread has many invocations that take different times */
    double values; /* bytes of what stays with invocations, written and read again: where it is not kept in registers */
    double value_segments; /* segments that do either */
} gf_cuda_load;

typedef struct gf_cuda_load_options {
    bool passes, compare; /* as gf_ptx_options */
    bool by_steps;        /* gf_cuda_goes_by_steps */
    const bool *tracked;  /* by plan buffer */
    const bool *lists;    /* by segment: gf_ptx_may_leave_rows */
    uint64_t multiprocessors;
    uint64_t resident_threads; /* of a multiprocessor */
} gf_cuda_load_options;

gf_cuda_load gf_cuda_load_of(const gf_cuda_sizes *sizes, const gf_cuda_load_options *options);

#endif
