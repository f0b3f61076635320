/* The peer of the same algorithms by hand, in C with OpenMP. */
#include "openmp.h"

graph read_graph(void) {
    graph g;
    size_t rows = 0;
    g.row = peer_read("row", "u32", &rows);
    g.col = peer_read("col", "u32", &g.m);
    g.n = (uint32_t)rows - 1;
    return g;
}

void *spread_alloc(size_t bytes) {
    char *data = peer_alloc(bytes);
#pragma omp parallel
    {
        size_t parts = (size_t)omp_get_num_threads();
        size_t part = (size_t)omp_get_thread_num();
        size_t begin = bytes / parts * part;
        size_t end = part + 1 == parts ? bytes : bytes / parts * (part + 1);
        memset(data + begin, 0, end - begin);
    }
    return data;
}

static peer_workload table[] = {
#define WORKLOAD(name)                                                                                                 \
    { #name, name##_load, name##_reset, name##_run, name##_write, 0 }
    WORKLOAD(flows_to), WORKLOAD(reach),  WORKLOAD(bfs),  WORKLOAD(components), WORKLOAD(pagerank),  WORKLOAD(sssp),
    WORKLOAD(cg),       WORKLOAD(jacobi), WORKLOAD(scan), WORKLOAD(sort),       WORKLOAD(histogram), WORKLOAD(kmeans),
};

int main(int argc, char **argv) {
    if (argc == 5) {
        omp_set_dynamic(0);
        omp_set_num_threads(atoi(argv[4]));
    }
    return peer_main(argc, argv, table, sizeof table / sizeof table[0]);
}
