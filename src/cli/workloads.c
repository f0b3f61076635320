#include "cli/workloads.h"
#include "base/memory.h"
#include "cli/bench_texts.h"
#include <stdio.h>
#include <string.h>

#define GROUP 256
#define GRAPH "R-MAT 2^20 vertices, 16 edges each"

static const gf_workload workloads[] = {
    {"flows_to", "the package graph of the demo, 32 targets", gf_make_flows_to, gf_check_flows_to, NULL, NULL},
    {"reach", GRAPH, gf_make_reach, gf_check_reach, NULL, NULL},
    {"bfs", GRAPH ", both directions", gf_make_bfs, gf_check_bfs, NULL, "bfs_lanes"},
    {"components", GRAPH ", both directions", gf_make_components, gf_check_components, NULL, NULL},
    {"pagerank", GRAPH, gf_make_pagerank, gf_check_pagerank, NULL, "pagerank_tiles"},
    {"sssp", GRAPH ", weights 1 to 255", gf_make_sssp, gf_check_sssp, NULL, NULL},
    {"cg", "Laplacian of 1024 x 1024, 50 iterations", gf_make_cg, gf_check_cg, NULL, NULL},
    {"jacobi", "4096 x 4096 f32, 50 sweeps", gf_make_jacobi, gf_check_jacobi, NULL, NULL},
    {"scan", "2^26 u32", gf_make_scan, gf_check_scan, NULL, NULL},
    {"sort", "2^26 u32", gf_make_sort, gf_check_sort, NULL, "sort_groups"},
    {"histogram", "2^26 elements", gf_make_histogram, gf_check_histogram, NULL, NULL},
    {"kmeans", "2^20 points of 8 dimensions, 16 centres, 10 iterations", gf_make_kmeans, gf_check_kmeans, NULL, NULL},
};

/* Named only: what a device can do at best. Vote and barrier count what they did in the same way. */
static const gf_workload basics[] = {
    {"barrier", "4000 grid barriers", gf_make_barrier, gf_check_barrier, gf_barrier_text, NULL},
    {"vote", "4000 grid barriers that carry a vote", gf_make_barrier, gf_check_barrier, gf_vote_text, NULL},
    {"round", "4000 rounds: read from another workgroup, write, grid barrier", gf_make_round, gf_check_round,
     gf_round_text, NULL},
    {"copy", "2^26 u32", gf_make_copying, gf_check_copying, gf_copy_text, NULL},
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
    for (size_t i = 0; i < sizeof basics / sizeof basics[0]; i++) {
        if (strcmp(basics[i].name, name) == 0) {
            return &basics[i];
        }
    }
    return NULL;
}

const char *gf_workload_program(const gf_workload *workload, bool is_gpu) {
    return is_gpu && workload->gpu != NULL ? workload->gpu : workload->name;
}

char *gf_workload_text(const gf_workload *workload, const gf_bench_shape *shape, bool is_gpu) {
    const char *name = gf_workload_program(workload, is_gpu);
    for (const gf_bench_text *at = gf_bench_texts; at->name != NULL; at++) {
        if (strcmp(at->name, name) == 0) {
            return gf_strdup(at->text);
        }
    }
    const char *at = workload->text != NULL ? strstr(workload->text, "%u") : NULL;
    gf_str out = {0};
    if (at != NULL) {
        gf_str_addf(&out, "%.*s%u%s", (int)(at - workload->text), workload->text,
                    (unsigned)(shape->group > 0 ? shape->group : GROUP), at + 2);
    }
    return at != NULL ? gf_str_take(&out) : NULL;
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
