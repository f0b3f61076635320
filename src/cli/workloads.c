#include "cli/workloads.h"
#include "cli/bench_texts.h"
#include <stdio.h>
#include <string.h>

#define GRAPH "R-MAT 2^20 vertices, 16 edges each"

static const gf_workload workloads[] = {
    {"flows_to", "the package graph of the demo, 32 targets", gf_make_flows_to, gf_check_flows_to},
    {"reach", GRAPH, gf_make_reach, gf_check_reach},
    {"bfs", GRAPH ", both directions", gf_make_bfs, gf_check_bfs},
    {"components", GRAPH ", both directions", gf_make_components, gf_check_components},
    {"pagerank", GRAPH, gf_make_pagerank, gf_check_pagerank},
    {"sssp", GRAPH ", weights 1 to 255", gf_make_sssp, gf_check_sssp},
    {"cg", "Laplacian of 1024 x 1024, 50 iterations", gf_make_cg, gf_check_cg},
    {"jacobi", "4096 x 4096 f32, 50 sweeps", gf_make_jacobi, gf_check_jacobi},
    {"scan", "2^26 u32", gf_make_scan, gf_check_scan},
    {"sort", "2^26 u32", gf_make_sort, gf_check_sort},
    {"histogram", "2^26 elements", gf_make_histogram, gf_check_histogram},
    {"kmeans", "2^20 points of 8 dimensions, 16 centres, 10 iterations", gf_make_kmeans, gf_check_kmeans},
};

const gf_workload *gf_workload_get(size_t index) {
    return index < sizeof workloads / sizeof workloads[0] ? &workloads[index] : NULL;
}

const gf_workload *gf_workload_find(const char *name) {
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
        if (strcmp(workloads[i].name, name) == 0) {
            return &workloads[i];
        }
    }
    return NULL;
}

const char *gf_workload_text(const gf_workload *workload) {
    for (const gf_bench_text *at = gf_bench_texts; at->name != NULL; at++) {
        if (strcmp(at->name, workload->name) == 0) {
            return at->text;
        }
    }
    return NULL;
}

const void *gf_bench_want(const gf_bench_case *at, const gf_bench_arrays *results, const char *name, char why[160]) {
    const gf_bench_array *array = gf_bench_find(results, name);
    const gf_bench_array *declared = gf_bench_find(&at->outputs, name);
    if (array != NULL && declared != NULL && array->count == declared->count && array->type == declared->type) {
        return array->data;
    }
    (void)snprintf(why, 160, "%s was not handed back", name);
    return NULL;
}
