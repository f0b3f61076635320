/* bfs, components and pagerank on SuiteSparse:GraphBLAS 7. */
#include "peer.h"
#include <GraphBLAS.h>
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNREACHED UINT32_MAX
#define ALPHA 8  /* as LAGraph's breadth-first search has them, tuned for SuiteSparse */
#define BETA_1 8 /* pull from a frontier of n / BETA_1 vertices on, */
#define BETA_2 512
#define SAMPLED 4 /* edges per vertex in the first phase of components */
#define SAMPLES 1024

static GrB_Index n;
static uint32_t *row, *col;
static uint64_t edges;

static void must(GrB_Info info, const char *what) {
    if (info != GrB_SUCCESS && info != GrB_NO_VALUE) {
        errno = 0;
        peer_die("GraphBLAS fails", what);
    }
}

static void *alloc_zeros(size_t count, size_t bytes) {
    return memset(peer_alloc(count * bytes), 0, count * bytes);
}

static void load_graph(void) {
    size_t count;
    /* Freed memory is kept, so that a run does not wait for the kernel to clear pages. */
    if (mallopt(M_MMAP_THRESHOLD, 1 << 30) == 0 || mallopt(M_TRIM_THRESHOLD, INT_MAX) == 0) {
        peer_die("cannot set", "malloc");
    }
    must(GxB_init(GrB_NONBLOCKING, peer_alloc, alloc_zeros, NULL, free), "init"); /* huge pages, as all peers have */
    must(GxB_Global_Option_set(GxB_NTHREADS, peer_threads), "threads");
    n = (GrB_Index)peer_param("n");
    row = peer_read("row", "u32", NULL);
    col = peer_read("col", "u32", &count);
    edges = count;
}

/* A coordinate per edge; the caller frees both. */
static void list_edges(const uint32_t *rows, const uint32_t *cols, GrB_Index **from, GrB_Index **to) {
    *from = peer_alloc((rows[n] + 1) * sizeof(GrB_Index));
    *to = peer_alloc((rows[n] + 1) * sizeof(GrB_Index));
    for (GrB_Index v = 0; v < n; v++) {
        for (uint32_t e = rows[v]; e < rows[v + 1]; e++) {
            (*from)[e] = v;
            (*to)[e] = cols[e];
        }
    }
}

/* Edges without values; parallel ones become one. */
static GrB_Matrix make_pattern(const uint32_t *rows, const uint32_t *cols) {
    GrB_Matrix a;
    GrB_Scalar one;
    GrB_Index *from;
    GrB_Index *to;
    list_edges(rows, cols, &from, &to);
    must(GrB_Scalar_new(&one, GrB_BOOL), "scalar");
    must(GrB_Scalar_setElement_BOOL(one, true), "scalar");
    must(GrB_Matrix_new(&a, GrB_BOOL, n, n), "matrix");
    must(GxB_Matrix_build_Scalar(a, from, to, one, rows[n]), "build");
    must(GrB_Matrix_wait(a, GrB_MATERIALIZE), "build");
    must(GrB_Scalar_free(&one), "free");
    free(from);
    free(to);
    return a;
}

static GrB_Vector make_vector(GrB_Type type, int sparsity) {
    GrB_Vector v;
    must(GrB_Vector_new(&v, type, n), "vector");
    must(GxB_Vector_Option_set(v, GxB_SPARSITY_CONTROL, sparsity), "sparsity");
    return v;
}

/* ---- bfs ---- */

static GrB_Matrix out_edges, in_edges;
static GrB_Vector degree, level;
static GrB_Index source;
static uint32_t depth;

static void load_bfs(void) {
    load_graph();
    source = (GrB_Index)peer_param_or("source", 0);
    out_edges = make_pattern(row, col);
    in_edges = out_edges;
    if (peer_has("in_row", "u32")) {
        size_t count;
        uint32_t *in_row = peer_read("in_row", "u32", &count);
        uint32_t *in_col = peer_read("in_col", "u32", NULL);
        bool same = count == n + 1 && memcmp(in_row, row, count * 4) == 0 && memcmp(in_col, col, edges * 4) == 0;
        in_edges = count == 0 ? NULL : same ? out_edges : make_pattern(in_row, in_col);
        free(in_row);
        free(in_col);
    }
    degree = make_vector(GrB_INT64, GxB_FULL | GxB_BITMAP);
    for (GrB_Index v = 0; v < n; v++) {
        must(GrB_Vector_setElement_INT64(degree, (int64_t)row[v + 1] - row[v], v), "degree");
    }
    must(GrB_Vector_wait(degree, GrB_MATERIALIZE), "degree");
}

static int64_t count_edges(GrB_Vector frontier) {
    GrB_Vector of = make_vector(GrB_INT64, GxB_AUTO_SPARSITY);
    int64_t sum = 0;
    must(GrB_Vector_assign(of, frontier, NULL, degree, GrB_ALL, n, GrB_DESC_RS), "degrees");
    must(GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, of, NULL), "sum");
    must(GrB_Vector_free(&of), "free");
    return sum;
}

static void run_bfs(void) {
    GrB_Vector frontier = make_vector(GrB_BOOL, GxB_SPARSE | GxB_BITMAP);
    GrB_Index found = 1;
    GrB_Index before = 0;
    int64_t left = (int64_t)edges;
    bool pulls = false;
    if (level != NULL) {
        must(GrB_Vector_free(&level), "free");
    }
    level = make_vector(GrB_UINT32, GxB_BITMAP | GxB_FULL);
    must(GrB_Vector_setElement_BOOL(frontier, true, source), "frontier");
    must(GrB_Vector_setElement_UINT32(level, 0, source), "level");
    for (depth = 1;; depth++) {
        bool grows = found > before;
        if (pulls) {
            pulls = grows || found > n / BETA_2;
        } else if (in_edges != NULL && grows) {
            int64_t here = count_edges(frontier);
            left -= here;
            pulls = here > left / ALPHA || found > n / BETA_1;
        }
        before = found;
        must(GxB_Vector_Option_set(frontier, GxB_SPARSITY_CONTROL, pulls ? GxB_BITMAP : GxB_SPARSE), "sparsity");
        if (pulls) {
            must(GrB_mxv(frontier, level, NULL, GxB_ANY_PAIR_BOOL, in_edges, frontier, GrB_DESC_RSC), "pull");
        } else {
            must(GrB_vxm(frontier, level, NULL, GxB_ANY_PAIR_BOOL, frontier, out_edges, GrB_DESC_RSC), "push");
        }
        must(GrB_Vector_nvals(&found, frontier), "found");
        if (found == 0) {
            break;
        }
        must(GrB_Vector_assign_UINT32(level, frontier, NULL, depth, GrB_ALL, n, GrB_DESC_S), "level");
    }
    must(GrB_Vector_free(&frontier), "free");
}

static void write_bfs(void) {
    uint32_t *levels = peer_alloc(n * 4);
    for (GrB_Index v = 0; v < n; v++) {
        levels[v] = UNREACHED;
        must(GrB_Vector_extractElement_UINT32(&levels[v], level, v), "level");
    }
    peer_write("level", "u32", levels, n);
    peer_write("levels", "u32", &depth, 1);
    free(levels);
}

/* ---- components: FastSV (Y. Zhang, A. Azad, Z. Hu: FastSV, PP 2020), first on a sample of the edges ---- */

static GrB_Index *first, *target; /* the pattern without parallel edges */
static uint32_t *parent;
static uint32_t components;

static void load_components(void) {
    load_graph();
    GrB_Matrix a = make_pattern(row, col);
    void *values;
    GrB_Index first_bytes, target_bytes, value_bytes;
    bool iso, jumbled;
    must(GxB_Matrix_unpack_CSR(a, &first, &target, &values, &first_bytes, &target_bytes, &value_bytes, &iso, &jumbled,
                               NULL),
         "unpack");
    must(GrB_Matrix_free(&a), "free");
    free(values);
    parent = peer_alloc(n * 4);
}

/* The matrix takes the arrays. */
static GrB_Matrix pack_pattern(GrB_Index **rows, GrB_Index **cols, GrB_Index space) {
    GrB_Matrix a;
    bool *one = peer_alloc(sizeof *one);
    *one = true;
    must(GrB_Matrix_new(&a, GrB_BOOL, n, n), "matrix");
    must(GxB_Matrix_pack_CSR(a, rows, cols, (void **)&one, (n + 1) * sizeof **rows, space * sizeof **cols, 1, true,
                             true, NULL),
         "pack");
    return a;
}

static void pack_words(GrB_Vector v, uint32_t **words) {
    must(GxB_Vector_pack_Full(v, (void **)words, n * 4, false, NULL), "pack");
}

static uint32_t *unpack_words(GrB_Vector v) {
    uint32_t *words = NULL;
    GrB_Index bytes;
    bool iso;
    must(GxB_Vector_unpack_Full(v, (void **)&words, &bytes, &iso, NULL), "unpack");
    return words;
}

static void lower(uint32_t *place, uint32_t value) {
    uint32_t old = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (value < old && !__atomic_compare_exchange_n(place, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* Until no grandparent changes. `parent` is stable already where edges are not in `a`. */
static void run_fastsv(GrB_Matrix a, GrB_Vector grand, GrB_Vector least) {
    int64_t size = (int64_t)n;
    uint32_t *grands = peer_alloc(n * 4);
    uint32_t *leasts = peer_alloc(n * 4);
    memcpy(grands, parent, n * 4);
    memcpy(leasts, parent, n * 4);
    for (bool changed = true; changed;) {
        pack_words(grand, &grands);
        pack_words(least, &leasts);
        must(GrB_mxv(least, NULL, GrB_MIN_UINT32, GrB_MIN_SECOND_SEMIRING_UINT32, a, grand, NULL), "multiply");
        must(GrB_Vector_wait(least, GrB_MATERIALIZE), "multiply");
        grands = unpack_words(grand);
        leasts = unpack_words(least);
        changed = false;
#pragma omp parallel for schedule(static) num_threads(peer_threads)
        for (int64_t v = 0; v < size; v++) {
            lower(&parent[parent[v]], leasts[v]);
        }
#pragma omp parallel for schedule(static) num_threads(peer_threads)
        for (int64_t v = 0; v < size; v++) {
            lower(&parent[v], leasts[v] < grands[v] ? leasts[v] : grands[v]);
        }
#pragma omp parallel for schedule(static) num_threads(peer_threads) reduction(|| : changed)
        for (int64_t v = 0; v < size; v++) {
            uint32_t up = parent[parent[v]];
            changed = changed || up != grands[v];
            grands[v] = up;
        }
    }
    free(grands);
    free(leasts);
}

static GrB_Matrix sample_edges(void) {
    int64_t size = (int64_t)n;
    GrB_Index *rows = peer_alloc((n + 1) * sizeof *rows);
    GrB_Index *cols = peer_alloc((n * SAMPLED + 1) * sizeof *cols);
    rows[0] = 0;
    for (GrB_Index v = 0; v < n; v++) {
        GrB_Index have = first[v + 1] - first[v];
        rows[v + 1] = rows[v] + (have < SAMPLED ? have : SAMPLED);
    }
#pragma omp parallel for schedule(static) num_threads(peer_threads)
    for (int64_t v = 0; v < size; v++) {
        memcpy(cols + rows[v], target + first[v], (rows[v + 1] - rows[v]) * sizeof *cols);
    }
    return pack_pattern(&rows, &cols, n * SAMPLED + 1);
}

/* A label that many have. */
static uint32_t find_giant(void) {
    static uint32_t votes[SAMPLES];
    uint32_t giant = 0;
    uint32_t most = 0;
    memset(votes, 0, sizeof votes);
    for (GrB_Index i = 0; i < SAMPLES; i++) {
        uint32_t label = parent[i * 2654435761U % n];
        uint32_t have = ++votes[label % SAMPLES];
        giant = have > most ? label : giant;
        most = have > most ? have : most;
    }
    return giant;
}

/* The edges of v that matter once the giant component is known, into `cols` if that is given; those that lead into it
 * become one. */
static GrB_Index keep_some(GrB_Index v, uint32_t giant, GrB_Index *cols) {
    GrB_Index kept = 0;
    bool meets = false;
    for (GrB_Index e = first[v]; parent[v] != giant && e < first[v + 1]; e++) {
        bool in = parent[target[e]] == giant;
        if (!in || !meets) {
            if (cols != NULL) {
                cols[kept] = in ? giant : target[e];
            }
            kept++;
        }
        meets = meets || in;
    }
    return kept;
}

static GrB_Matrix keep_edges(uint32_t giant) {
    int64_t size = (int64_t)n;
    GrB_Index *rows = peer_alloc((n + 1) * sizeof *rows);
    rows[0] = 0;
#pragma omp parallel for schedule(dynamic, 1024) num_threads(peer_threads)
    for (int64_t v = 0; v < size; v++) {
        rows[v + 1] = keep_some((GrB_Index)v, giant, NULL);
    }
    for (GrB_Index v = 0; v < n; v++) {
        rows[v + 1] += rows[v];
    }
    GrB_Index *cols = peer_alloc((rows[n] + 1) * sizeof *cols);
#pragma omp parallel for schedule(dynamic, 1024) num_threads(peer_threads)
    for (int64_t v = 0; v < size; v++) {
        (void)keep_some((GrB_Index)v, giant, cols + rows[v]);
    }
    return pack_pattern(&rows, &cols, rows[n] + 1);
}

static void run_components(void) {
    GrB_Vector grand = make_vector(GrB_UINT32, GxB_FULL);
    GrB_Vector least = make_vector(GrB_UINT32, GxB_FULL);
    for (GrB_Index v = 0; v < n; v++) {
        parent[v] = (uint32_t)v;
    }
    GrB_Matrix a = sample_edges();
    run_fastsv(a, grand, least);
    must(GrB_Matrix_free(&a), "free");
    a = keep_edges(find_giant());
    run_fastsv(a, grand, least);
    must(GrB_Matrix_free(&a), "free");
    must(GrB_Vector_free(&grand), "free");
    must(GrB_Vector_free(&least), "free");
    components = 0;
    for (GrB_Index v = 0; v < n; v++) {
        components += parent[v] == v;
    }
}

static void write_components(void) {
    peer_write("comp", "u32", parent, n);
    peer_write("count", "u32", &components, 1);
}

/* ---- pagerank ---- */

static GrB_Matrix links;
static GrB_Semiring gather;
static float *weight, *score; /* weight: damping by links out, 0 where there are none */
static float damping, tolerance, residual;
static uint32_t limit, turns;

/* Parallel links count as often as they are there: values are needed. */
static GrB_Matrix make_counted(void) {
    GrB_Matrix a;
    GrB_Index *from;
    GrB_Index *to;
    float *ones = peer_alloc(edges * sizeof *ones);
    for (uint64_t e = 0; e < edges; e++) {
        ones[e] = 1;
    }
    list_edges(row, col, &from, &to);
    must(GrB_Matrix_new(&a, GrB_FP32, n, n), "matrix");
    must(GrB_Matrix_build_FP32(a, from, to, ones, edges, GrB_PLUS_FP32), "build");
    must(GrB_Matrix_wait(a, GrB_MATERIALIZE), "build");
    free(ones);
    free(from);
    free(to);
    return a;
}

static void load_rank(void) {
    GrB_Index distinct;
    load_graph();
    damping = (float)peer_param_or("damping", 0.85);
    tolerance = (float)peer_param_or("tol", 1e-6);
    limit = (uint32_t)peer_param_or("max_iter", 100);
    links = make_pattern(row, col);
    gather = GxB_PLUS_SECOND_FP32;
    must(GrB_Matrix_nvals(&distinct, links), "links");
    if (distinct != edges) {
        must(GrB_Matrix_free(&links), "free");
        links = make_counted();
        gather = GrB_PLUS_TIMES_SEMIRING_FP32;
    }
    uint32_t *out_row = peer_read("out_row", "u32", NULL);
    weight = peer_alloc(n * sizeof *weight);
    score = peer_alloc(n * sizeof *score);
    for (GrB_Index v = 0; v < n; v++) {
        uint32_t out = out_row[v + 1] - out_row[v];
        weight[v] = out == 0 ? 0 : damping / (float)out;
    }
    free(out_row);
}

/* The product is GraphBLAS's, one sweep over the vertices does the rest: three more of its operations would be slower,
 * and its sums in f32 are so coarse that more iterations are needed. */
static void run_rank(void) {
    int64_t size = (int64_t)n;
    GrB_Vector share = make_vector(GrB_FP32, GxB_FULL);
    GrB_Vector next = make_vector(GrB_FP32, GxB_FULL);
    uint32_t *shares = peer_alloc(n * 4); /* floats; GraphBLAS does not look at the type */
    uint32_t *nexts = peer_alloc(n * 4);
    float base = 1.0F / (float)n;
    double lost = 0;
    float *s = (void *)shares;
    float *x = (void *)nexts;
#pragma omp parallel for schedule(static) num_threads(peer_threads) reduction(+ : lost)
    for (int64_t v = 0; v < size; v++) {
        score[v] = base;
        s[v] = base * weight[v];
        x[v] = 0;
        lost += weight[v] == 0 ? base : 0;
    }
    residual = tolerance + 1.0F;
    for (turns = 0; turns < limit && residual > tolerance; turns++) {
        float same = (1.0F - damping) * base + damping * (float)lost * base;
        double change = 0;
        pack_words(share, &shares);
        pack_words(next, &nexts);
        must(GrB_mxv(next, NULL, GrB_PLUS_FP32, gather, links, share, NULL), "pull");
        must(GrB_Vector_wait(next, GrB_MATERIALIZE), "pull");
        shares = unpack_words(share);
        nexts = unpack_words(next);
        s = (void *)shares;
        x = (void *)nexts;
        lost = 0;
#pragma omp parallel for schedule(static) num_threads(peer_threads) reduction(+ : lost, change)
        for (int64_t v = 0; v < size; v++) {
            float now = same + x[v];
            change += fabsf(now - score[v]);
            lost += weight[v] == 0 ? now : 0;
            score[v] = now;
            s[v] = now * weight[v];
            x[v] = 0;
        }
        residual = (float)change;
    }
    free(shares);
    free(nexts);
    must(GrB_Vector_free(&share), "free");
    must(GrB_Vector_free(&next), "free");
}

static void write_rank(void) {
    peer_write("score", "f32", score, n);
    peer_write("iterations", "u32", &turns, 1);
    peer_write("residual", "f32", &residual, 1);
}

static peer_workload table[] = {
    {"bfs", load_bfs, NULL, run_bfs, write_bfs, 0},
    {"components", load_components, NULL, run_components, write_components, 0},
    {"pagerank", load_rank, NULL, run_rank, write_rank, 0},
};

int main(int argc, char **argv) {
    return peer_main(argc, argv, table, sizeof table / sizeof *table);
}
