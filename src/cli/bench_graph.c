/* The graphs of the bench: R-MAT and chains in three directions, and the package graph of the demo. */
#include "base/memory.h"
#include "cli/workloads.h"
#include "io/file.h"
#include "io/random.h"
#include "io/rmat.h"
#include <stdlib.h>
#include <string.h>

#define SCALE 20
#define SCALE_QUICK 8
#define DEGREE 16
#define CHAIN_DEGREE 4
#define SEED 1

static void free_graph(gf_bench_graph *graph) {
    gf_free(graph->row);
    gf_free(graph->col);
    *graph = (gf_bench_graph){0};
}

static void free_graphs(gf_bench_graphs *graphs) {
    free_graph(&graphs->directed);
    free_graph(&graphs->transposed);
    free_graph(&graphs->symmetric);
}

void gf_bench_setup_free(gf_bench_setup *setup) {
    free_graphs(&setup->rmat);
    free_graphs(&setup->chain);
}

static bool allocate(gf_bench_graph *graph, uint32_t n, uint32_t m, gf_diags *diags) {
    *graph = (gf_bench_graph){.n = n, .m = m};
    graph->row = gf_calloc_data((size_t)n + 2, sizeof *graph->row);
    graph->col = gf_calloc_data((size_t)m + 1, sizeof *graph->col);
    if (graph->row != NULL && graph->col != NULL) {
        return true;
    }
    free_graph(graph);
    return gf_fail_memory(diags);
}

/* Counts into row[v + 2], adds up, and places through row[v + 1], which leaves row as it is wanted. */
static void count_row(gf_bench_graph *graph, uint32_t v) {
    graph->row[(size_t)v + 2]++;
}

static void add_up(gf_bench_graph *graph) {
    for (size_t v = 2; v <= graph->n; v++) {
        graph->row[v] += graph->row[v - 1];
    }
}

static void place(gf_bench_graph *graph, uint32_t from, uint32_t to) {
    graph->col[graph->row[(size_t)from + 1]++] = to;
}

/* Rows come out in order, whatever the order in the rows of `graph`. */
static bool transpose(const gf_bench_graph *graph, gf_bench_graph *out, gf_diags *diags) {
    if (!allocate(out, graph->n, graph->m, diags)) {
        return false;
    }
    for (uint32_t e = 0; e < graph->m; e++) {
        count_row(out, graph->col[e]);
    }
    add_up(out);
    for (uint32_t v = 0; v < graph->n; v++) {
        for (uint32_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
            place(out, graph->col[e], v);
        }
    }
    return true;
}

/* From each vertex of a layer to some of the next. */
static bool make_chain(uint32_t layers, gf_edges *edges, gf_diags *diags) {
    uint64_t count = (uint64_t)layers * (layers - 1) * CHAIN_DEGREE;
    if (!gf_edges_reserve(edges, count, diags)) {
        return false;
    }
    for (uint64_t e = 0; e < count; e++) {
        uint64_t v = e / CHAIN_DEGREE;
        edges->from[e] = v;
        edges->to[e] = (v / layers + 1) * layers + gf_random_below(gf_random_draw(SEED, e), layers);
    }
    edges->count = count;
    edges->rows = edges->cols = (uint64_t)layers * layers;
    return true;
}

/* Makes both directions: rows by `to` in any order, then two transpositions, each of which orders. */
static bool make_directed(gf_bench_graphs *graphs, gf_diags *diags) {
    gf_edges edges = {0};
    gf_bench_graph rough = {0};
    bool done = graphs->layers > 0 ? make_chain(graphs->layers, &edges, diags)
                                   : gf_rmat_generate(graphs->scale, DEGREE, SEED, &edges, diags);
    if (!done) {
        gf_edges_free(&edges);
        return false;
    }
    done = allocate(&rough, (uint32_t)edges.rows, (uint32_t)edges.count, diags);
    if (done) {
        for (uint64_t e = 0; e < edges.count; e++) {
            count_row(&rough, (uint32_t)edges.to[e]);
        }
        add_up(&rough);
        for (uint64_t e = 0; e < edges.count; e++) {
            place(&rough, (uint32_t)edges.to[e], (uint32_t)edges.from[e]);
        }
    }
    gf_edges_free(&edges);
    done = done && transpose(&rough, &graphs->directed, diags);
    free_graph(&rough);
    return done && transpose(&graphs->directed, &graphs->transposed, diags);
}

/* The graphs of the shape, both directions made; NULL with a message. */
static gf_bench_graphs *find_graphs(gf_bench_setup *setup, gf_diags *diags) {
    uint32_t layers = setup->shape.layers;
    uint32_t set_scale = setup->quick ? SCALE_QUICK : SCALE;
    uint32_t scale = layers > 0 ? 0 : setup->shape.scale > 0 ? setup->shape.scale : set_scale;
    gf_bench_graphs *graphs = layers > 0 ? &setup->chain : &setup->rmat;
    if (graphs->scale != scale || graphs->layers != layers) {
        free_graphs(graphs);
        *graphs = (gf_bench_graphs){.scale = scale, .layers = layers};
    }
    bool there = graphs->transposed.row != NULL || make_directed(graphs, diags);
    return there ? graphs : NULL;
}

const gf_bench_graph *gf_bench_directed(gf_bench_setup *setup, gf_diags *diags) {
    gf_bench_graphs *graphs = find_graphs(setup, diags);
    return graphs != NULL ? &graphs->directed : NULL;
}

const gf_bench_graph *gf_bench_transposed(gf_bench_setup *setup, gf_diags *diags) {
    gf_bench_graphs *graphs = find_graphs(setup, diags);
    return graphs != NULL ? &graphs->transposed : NULL;
}

/* One row of both directions together, in order; a loop is one entry of both, and counts once. */
static uint32_t merge_rows(const gf_bench_graph *a, const gf_bench_graph *b, uint32_t v, uint32_t *out) {
    uint32_t i = a->row[v];
    uint32_t j = b->row[v];
    uint32_t count = 0;
    while (i < a->row[v + 1] || j < b->row[v + 1]) {
        bool second = i == a->row[v + 1] || (j < b->row[v + 1] && b->col[j] < a->col[i]);
        uint32_t to = second ? b->col[j++] : a->col[i++];
        if (second && to == v) {
            continue;
        }
        if (out != NULL) {
            out[count] = to;
        }
        count++;
    }
    return count;
}

const gf_bench_graph *gf_bench_symmetric(gf_bench_setup *setup, gf_diags *diags) {
    gf_bench_graphs *graphs = find_graphs(setup, diags);
    if (graphs == NULL || graphs->symmetric.row != NULL) {
        return graphs == NULL ? NULL : &graphs->symmetric;
    }
    const gf_bench_graph *a = &graphs->directed;
    const gf_bench_graph *b = &graphs->transposed;
    gf_bench_graph *out = &graphs->symmetric;
    uint32_t loops = 0;
    for (uint32_t v = 0; v < a->n; v++) {
        for (uint32_t e = a->row[v]; e < a->row[v + 1]; e++) {
            loops += a->col[e] == v;
        }
    }
    if (!allocate(out, a->n, 2 * a->m - loops, diags)) {
        return NULL;
    }
    for (uint32_t v = 0; v < a->n; v++) {
        out->row[v + 1] = out->row[v] + merge_rows(a, b, v, out->col + out->row[v]);
    }
    return out;
}

/* ---- the graph of the demo ---- */

static bool read_graph(const char *path, gf_bench_graph *out) {
    gf_edges edges = {0};
    gf_array row = {0};
    gf_array col = {0};
    bool done = gf_graph_read(path, (gf_graph_options){.transpose = true}, &edges, NULL) && edges.count < UINT32_MAX &&
                gf_edges_csr(&edges, GF_TYPE_U32, GF_TYPE_U32, path, &row, &col, NULL);
    if (done) {
        /* The arrays go over to the graph. */
        *out =
            (gf_bench_graph){.n = (uint32_t)edges.rows, .m = (uint32_t)edges.count, .row = row.data, .col = col.data};
    }
    gf_edges_free(&edges);
    return done;
}

static size_t read_targets(const char *path, uint32_t n, uint32_t targets[32]) {
    gf_file file = {0};
    size_t count = 0;
    if (gf_file_read(path, &file, NULL)) {
        char *end = NULL;
        for (char *at = file.data; count < 32; at = end) {
            unsigned long id = strtoul(at, &end, 10);
            if (end == at) {
                break;
            }
            if (id < n) {
                targets[count++] = (uint32_t)id;
            }
        }
    }
    gf_file_free(&file);
    return count;
}

bool gf_bench_demo_graph(const gf_bench_setup *setup, gf_bench_graph *out, uint32_t targets[32], size_t *count) {
    gf_str path = {0};
    *out = (gf_bench_graph){0};
    if (setup->graphs == NULL) {
        return false;
    }
    gf_str_addf(&path, "%s/depends.mtx", setup->graphs);
    bool done = !path.failed && read_graph(path.text, out);
    gf_str_free(&path);
    gf_str_addf(&path, "%s/targets.txt", setup->graphs);
    *count = done && !path.failed ? read_targets(path.text, out->n, targets) : 0;
    gf_str_free(&path);
    if (*count == 0) {
        free_graph(out);
    }
    return *count > 0;
}
