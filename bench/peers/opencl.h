/* What the OpenCL peer's workloads share: one device, one in-order queue, buffers over memory of the host. */
#ifndef OPENCL_H
#define OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include "peer.h"
#include <CL/cl.h>

#define OCL_GROUP 256 /* GROUP of reduce.cl */

typedef struct ocl_array {
    void *data;
    size_t count;
    size_t bytes;
    cl_mem mem;
} ocl_array;

/* Opens the device at the first call, for peer_threads threads. `files` are names under opencl/, put together. */
void ocl_build(const char *const *files, size_t count, const char *options);
cl_kernel ocl_kernel(const char *name);

/* Every element has four bytes, or the one of "u8". `ocl_new` gives zeros. */
ocl_array ocl_read(const char *buffer, const char *type);
ocl_array ocl_new(size_t count);

/* Arguments in order, by letter: 'b' an ocl_array *, 'u' a uint32_t, 'f' a float. */
void ocl_args(cl_kernel kernel, const char *letters, ...);
/* Rounds the items up to a multiple of the local size. The queue keeps the order, and nobody waits. */
void ocl_launch(cl_kernel kernel, size_t items, size_t local);
void ocl_fill(ocl_array *array, uint32_t value);

/* Waits for all before it; then the array's data may be read and written until the next launch that uses it. */
void *ocl_host(ocl_array *array);
void ocl_device(ocl_array *array);
/* The first `count` words, as soon as they are there. */
void ocl_words(ocl_array *array, size_t count, void *words);
void ocl_write(const char *buffer, const char *type, ocl_array *array);

/* opencl_*.c */
void flows_load(void), flows_run(void), flows_write(void);
void reach_load(void), reach_reset(void), reach_run(void), reach_write(void);
void rank_load(void), rank_run(void), rank_write(void);
void bfs_load(void), bfs_run(void), bfs_write(void);
void components_load(void), components_run(void), components_write(void);
void sssp_load(void), sssp_run(void), sssp_write(void);
void jacobi_load(void), jacobi_reset(void), jacobi_run(void), jacobi_write(void);
void cg_load(void), cg_reset(void), cg_run(void), cg_write(void);
void scan_load(void), scan_run(void), scan_write(void);
void sort_load(void), sort_reset(void), sort_run(void), sort_write(void);
void histogram_load(void), histogram_run(void), histogram_write(void);
void kmeans_load(void), kmeans_reset(void), kmeans_run(void), kmeans_write(void);

#endif
