/* The workloads of `gridfence bench`: a program of programs/, its data at a set size, and a check of what comes out. */
#ifndef GF_CLI_WORKLOADS_H
#define GF_CLI_WORKLOADS_H

#include "cli/bench_data.h"

/* Compressed rows: the targets of v are col[row[v]] .. col[row[v + 1] - 1], in order. */
typedef struct gf_bench_graph {
    uint32_t n;
    uint32_t m;
    uint32_t *row, *col;
} gf_bench_graph;

/* Another size than the set one, of what a workload has of these; 0: as it is set. */
typedef struct gf_bench_shape {
    uint32_t scale;  /* R-MAT graphs of 2^scale vertices */
    uint32_t layers; /* in place of R-MAT a chain: so many layers of so many vertices, edges to the next layer alone */
    uint32_t side;   /* of a grid */
    uint32_t sweeps; /* of jacobi, iterations of cg */
    uint32_t count;  /* elements of an array */
    uint32_t groups; /* of a grid barrier: workgroups, and what each has */
    uint32_t group;
} gf_bench_shape;

/* "KEY=VALUE,...", a value as number or 2^K. False with a message. */
bool gf_bench_shape_read(const char *text, gf_bench_shape *out, gf_diags *diags);
/* In short, behind the name of a workload: " 2^22"; empty of the set size. */
void gf_bench_shape_label(const gf_bench_shape *shape, char out[32]);

/* One graph in three directions, made when first asked for. */
typedef struct gf_bench_graphs {
    uint32_t scale, layers;
    gf_bench_graph directed, transposed, symmetric;
} gf_bench_graphs;

/* What the workloads of one bench share. */
typedef struct gf_bench_setup {
    bool quick;                  /* tiny sizes */
    const char *graphs;          /* folder with depends.mtx and targets.txt of the demo; NULL: none */
    bool wants_graphs;           /* it was asked for: a random graph will not do */
    gf_bench_shape shape;        /* of the next workload */
    gf_bench_graphs rmat, chain; /* the latest ones */
} gf_bench_setup;

void gf_bench_setup_free(gf_bench_setup *setup);

typedef struct gf_workload {
    const char *name; /* of the program too, and of peers' work */
    const char *size; /* of the full size, for lists */
    /* Makes inputs. `program` says which buffers and types are wanted. False with a message; gf_bench_case_free is due
     * in any case. */
    bool (*make)(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags);
    /* Whether `results` are right: an array for each output that was handed back. Else why not, and no
     * reason where there was no memory to find out. */
    bool (*check)(gf_bench_case *at, const gf_bench_arrays *results, char why[160]);
    /* NULL: the program of that name in programs/. Else its text, with %u for what a workgroup has. */
    const char *text;
    /* NULL: GPUs run the same program. Else the one in programs/ that does the same on the same buffers there. */
    const char *gpu;
} gf_workload;

const gf_workload *gf_workload_get(size_t index); /* NULL past the end */
/* Also those that have no program in programs/, which only run where they are named: barrier, vote, round,
 * copy. */
const gf_workload *gf_workload_find(const char *name);
/* The name of the program that a device runs. */
const char *gf_workload_program(const gf_workload *workload, bool is_gpu);
/* That program at the size of the shape, owned; NULL: there is none, or no memory. */
char *gf_workload_text(const gf_workload *workload, const gf_bench_shape *shape, bool is_gpu);

/* The shared graphs of the shape (cli/bench_graph.c); NULL with a message. They stay until one of another size is asked
 * for. */
const gf_bench_graph *gf_bench_directed(gf_bench_setup *setup, gf_diags *diags);
const gf_bench_graph *gf_bench_transposed(gf_bench_setup *setup, gf_diags *diags);
const gf_bench_graph *gf_bench_symmetric(gf_bench_setup *setup, gf_diags *diags);
/* The graph of the demo, transposed, and the ids in targets.txt, at most 32. False: it is not there, no message. */
bool gf_bench_demo_graph(const gf_bench_setup *setup, gf_bench_graph *out, uint32_t targets[32], size_t *count);

/* Makers and checks, by file. A buffer that the program declares with another type than the check knows is refused when
 * it is bound. */
#define GF_WORKLOAD_FUNCTIONS(name)                                                                                    \
    bool gf_make_##name(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags);        \
    bool gf_check_##name(gf_bench_case *at, const gf_bench_arrays *results, char why[160]);
GF_WORKLOAD_FUNCTIONS(flows_to)
GF_WORKLOAD_FUNCTIONS(reach)
GF_WORKLOAD_FUNCTIONS(bfs)
GF_WORKLOAD_FUNCTIONS(components)
GF_WORKLOAD_FUNCTIONS(pagerank)
GF_WORKLOAD_FUNCTIONS(sssp)
GF_WORKLOAD_FUNCTIONS(cg)
GF_WORKLOAD_FUNCTIONS(jacobi)
GF_WORKLOAD_FUNCTIONS(scan)
GF_WORKLOAD_FUNCTIONS(sort)
GF_WORKLOAD_FUNCTIONS(histogram)
GF_WORKLOAD_FUNCTIONS(kmeans)
GF_WORKLOAD_FUNCTIONS(barrier)
GF_WORKLOAD_FUNCTIONS(round)
GF_WORKLOAD_FUNCTIONS(copying)
#undef GF_WORKLOAD_FUNCTIONS

extern const char gf_barrier_text[], gf_vote_text[], gf_round_text[], gf_copy_text[];

/* For checks: the array of a result that must be there; NULL with the reason. */
const void *gf_bench_want(const gf_bench_case *at, const gf_bench_arrays *results, const char *name, char why[160]);

#endif
