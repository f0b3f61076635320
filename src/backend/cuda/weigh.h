/* What the forms of a run would cost on a device, by its figures: arithmetic alone. */
#ifndef GF_BACKEND_CUDA_WEIGH_H
#define GF_BACKEND_CUDA_WEIGH_H

#include "backend/cuda/device.h"
#include "backend/cuda/load.h"

/* The grid of the whole plan in one kernel. */
typedef struct gf_cuda_grid {
    unsigned blocks, threads; /* threads of a block */
    unsigned resident;        /* threads of a multiprocessor that its registers allow; 0: not compiled yet */
    int spilled;              /* bytes of each thread */
    unsigned stage_resident;  /* as resident, of the kernels by stages: the least of them */
} gf_cuda_grid;

/* Threads of a multiprocessor; fewer have too little in flight for all of the memory's speed. */
#define GF_CUDA_BUSY_THREADS 1024

/* Seconds of a run; what is the same for all (transfers, compiling) is left out. */
typedef struct gf_cuda_costs {
    double native;                /* one launch, values in registers */
    double persistent;            /* one launch, values in memory */
    double resident;              /* kernels that follow each other */
    double work;                  /* the part of each that its buffers' bytes take */
    double barrier, kernel, turn; /* one of each: a grid barrier, a kernel of a graph, a turn of a loop of it */
    bool is_graph;                /* else its kernels are launched one by one */
} gf_cuda_costs;

double gf_cuda_barrier_seconds(const gf_cuda_figures *figures, const gf_cuda_facts *facts, unsigned blocks,
                               unsigned threads);
gf_cuda_costs gf_cuda_weigh(const gf_cuda_load *load, const gf_cuda_figures *figures, const gf_cuda_facts *facts,
                            const gf_cuda_grid *grid);
/* "0.94 us" and the like, into `text`, which is given back. */
char *gf_cuda_spell_seconds(double seconds, char text[16]);

#endif
