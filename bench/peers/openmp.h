/* The workloads by hand: what the files of this peer share. The algorithms are those of programs/; see there for their
 * sources. */
#ifndef OPENMP_PEER_H
#define OPENMP_PEER_H

#include "peer.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define UNREACHED UINT32_MAX
#define CACHE_LINE 64

static inline uint32_t load(const uint32_t *at) {
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}

static inline void store(uint32_t *at, uint32_t value) {
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

static inline bool exchange_if(uint32_t *at, uint32_t expected, uint32_t desired) {
    return __atomic_compare_exchange_n(at, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Whether `value` was less and is there now. */
static inline bool lower(uint32_t *at, uint32_t value) {
    uint32_t old = load(at);
    while (old > value) {
        if (__atomic_compare_exchange_n(at, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            return true;
        }
    }
    return false;
}

/* Of several peers' files. */
typedef struct graph {
    uint32_t n;
    size_t m;
    uint32_t *row, *col;
} graph;

graph read_graph(void); /* row, col */

/* An array whose pages are touched by the thread that will use them: thread t of T has the t-th part. */
void *spread_alloc(size_t bytes);

#define WORKLOAD(name)                                                                                                 \
    void name##_load(void);                                                                                            \
    void name##_reset(void);                                                                                           \
    void name##_run(void);                                                                                             \
    void name##_write(void);
WORKLOAD(flows_to)
WORKLOAD(reach)
WORKLOAD(bfs)
WORKLOAD(components)
WORKLOAD(pagerank)
WORKLOAD(sssp)
WORKLOAD(cg)
WORKLOAD(jacobi)
WORKLOAD(scan)
WORKLOAD(sort)
WORKLOAD(histogram)
WORKLOAD(kmeans)
#undef WORKLOAD

#endif
