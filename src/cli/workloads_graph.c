/* Workloads on graphs. Distances and labels are not compared with those of another search but proved: a distance by the
 * edges, labels by the count of components. */
#include "base/memory.h"
#include "cli/bench_threads.h"
#include "cli/workloads.h"
#include "io/random.h"
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define UNREACHED UINT32_MAX
#define SEED 2
#define RULES 32
#define GRAIN 1024 /* vertices that a thread is worth */

static void bind_graph(gf_bench_case *out, const gf_bench_graph *graph, const char *row, const char *col) {
    gf_bench_borrow(&out->inputs, row, GF_TYPE_U32, graph->row, (uint64_t)graph->n + 1);
    gf_bench_borrow(&out->inputs, col, GF_TYPE_U32, graph->col, graph->m);
}

static void name_size(gf_bench_case *out, const gf_bench_setup *setup, const gf_bench_graph *graph, const char *rest) {
    char kind[48] = "R-MAT";
    if (setup->shape.layers > 0) {
        (void)snprintf(kind, sizeof kind, "chain of %" PRIu32 " layers,", setup->shape.layers);
    }
    (void)snprintf(out->size, sizeof out->size, "%s %" PRIu32 " vertices, %" PRIu32 " edges%s%s", kind, graph->n,
                   graph->m, rest, setup->quick ? ", quick" : "");
}

/* The vertex with the most edges out: in the largest component almost surely, and the same for all. */
static uint32_t find_source(const gf_bench_graph *graph) {
    uint32_t best = 0;
    for (uint32_t v = 1; v < graph->n; v++) {
        if (graph->row[v + 1] - graph->row[v] > graph->row[best + 1] - graph->row[best]) {
            best = v;
        }
    }
    return best;
}

static const uint32_t *input(const gf_bench_case *at, const char *name) {
    const gf_bench_array *array = gf_bench_find(&at->inputs, name);
    return array != NULL ? array->data : NULL;
}

typedef struct proof {
    const uint32_t *row, *col, *weight, *first, *dist;
    atomic_bool *explained;
    atomic_uint wrong; /* the least vertex that was found wrong; UNREACHED: none */
} proof;

static void note_wrong(atomic_uint *wrong, uint32_t v) {
    unsigned old = atomic_load(wrong);
    while (v < old && !atomic_compare_exchange_weak(wrong, &old, v)) {
    }
}

/* Whether no edge of u shortens a distance; those that an edge gives are explained. */
static bool prove_vertex(const proof *at, uint32_t u) {
    const uint32_t *dist = at->dist;
    bool right = at->first[u] != 0 || dist[u] == 0;
    if (at->first[u] == 0) {
        atomic_store_explicit(&at->explained[u], true, memory_order_relaxed);
    }
    for (uint32_t e = at->row[u]; right && dist[u] != UNREACHED && e < at->row[u + 1]; e++) {
        uint32_t w = at->col[e];
        uint64_t through = (uint64_t)dist[u] + (at->weight != NULL ? at->weight[e] : 1);
        right = dist[w] <= through || through >= UNREACHED;
        if (dist[w] == through && !atomic_load_explicit(&at->explained[w], memory_order_relaxed)) {
            atomic_store_explicit(&at->explained[w], true, memory_order_relaxed);
        }
    }
    return right;
}

static void prove_vertices(void *context, uint64_t begin, uint64_t end) {
    proof *at = context;
    for (uint64_t u = begin; u < end; u++) {
        if (!prove_vertex(at, (uint32_t)u)) {
            note_wrong(&at->wrong, (uint32_t)u);
            return;
        }
    }
}

/* Distances are right if sources have 0, no edge could shorten one, and every other one that is reached has an edge
 * that explains it. Weights are at least 1; NULL: all 1. `first` holds 0 at the sources. */
static bool prove_distances(const gf_bench_case *at, const uint32_t *weight, const uint32_t *first,
                            const uint32_t *dist, char why[160]) {
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    proof now = {.row = input(at, "row"),
                 .col = input(at, "col"),
                 .weight = weight,
                 .first = first,
                 .dist = dist,
                 .explained = gf_calloc((size_t)n + 1, sizeof *now.explained),
                 .wrong = UNREACHED};
    bool right = now.explained != NULL;
    if (right) {
        gf_bench_share(n, GRAIN, prove_vertices, &now);
        right = now.wrong == UNREACHED;
    }
    if (now.wrong != UNREACHED) {
        (void)snprintf(why, 160, "the distance of vertex %u, or of one that it leads to, is wrong", now.wrong);
    }
    for (uint32_t v = 0; right && v < n; v++) {
        right = now.explained[v] || dist[v] == UNREACHED;
        if (!right) {
            (void)snprintf(why, 160, "vertex %" PRIu32 " has distance %" PRIu32 ", and no edge gives it", v, dist[v]);
        }
    }
    gf_free(now.explained);
    return right;
}

/* ---- reach, bfs, sssp ---- */

static uint32_t *add_first(gf_bench_arrays *arrays, uint32_t n, uint32_t source, gf_diags *diags) {
    uint32_t *first = gf_bench_add(arrays, "dist", GF_TYPE_U32, n, diags);
    for (uint32_t v = 0; first != NULL && v < n; v++) {
        first[v] = v == source ? 0 : UNREACHED;
    }
    return first;
}

bool gf_make_reach(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    const gf_bench_graph *graph = gf_bench_directed(setup, diags);
    if (graph == NULL || add_first(&out->inputs, graph->n, find_source(graph), diags) == NULL) {
        return false;
    }
    bind_graph(out, graph, "row", "col");
    gf_bench_set(out, "n", graph->n);
    gf_bench_borrow(&out->outputs, "dist", GF_TYPE_U32, NULL, graph->n);
    name_size(out, setup, graph, "");
    return true;
}

bool gf_check_reach(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const uint32_t *dist = gf_bench_want(at, results, "dist", why);
    return dist != NULL && prove_distances(at, NULL, input(at, "dist"), dist, why);
}

/* Of a search from `source`: what the proof takes for the sources. */
static const uint32_t *expected_first(gf_bench_case *at) {
    const gf_bench_array *array = gf_bench_find(&at->expected, "dist");
    return array != NULL
               ? array->data
               : add_first(&at->expected, (uint32_t)gf_bench_get(at, "n"), (uint32_t)gf_bench_get(at, "source"), NULL);
}

bool gf_make_bfs(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    const gf_bench_graph *graph = gf_bench_symmetric(setup, diags);
    if (graph == NULL) {
        return false;
    }
    bind_graph(out, graph, "row", "col");
    bind_graph(out, graph, "in_row", "in_col");
    gf_bench_set(out, "n", graph->n);
    gf_bench_set(out, "source", find_source(graph));
    gf_bench_borrow(&out->outputs, "level", GF_TYPE_U32, NULL, graph->n);
    gf_bench_borrow(&out->outputs, "levels", GF_TYPE_U32, NULL, 1);
    name_size(out, setup, graph, " in both directions");
    return true;
}

bool gf_check_bfs(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const uint32_t *level = gf_bench_want(at, results, "level", why);
    const uint32_t *first = expected_first(at);
    return level != NULL && first != NULL && prove_distances(at, NULL, first, level, why);
}

bool gf_make_sssp(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    const gf_bench_graph *graph = gf_bench_directed(setup, diags);
    uint32_t *weight = graph != NULL ? gf_bench_add(&out->inputs, "weight", GF_TYPE_U32, graph->m, diags) : NULL;
    if (weight == NULL) {
        return false;
    }
    for (uint32_t e = 0; e < graph->m; e++) {
        weight[e] = 1 + (uint32_t)gf_random_below(gf_random_draw(SEED, e), 255);
    }
    bind_graph(out, graph, "row", "col");
    gf_bench_set(out, "n", graph->n);
    gf_bench_set(out, "source", find_source(graph));
    gf_bench_set(out, "delta", 8); /* half of the distances are below 42 */
    gf_bench_borrow(&out->outputs, "dist", GF_TYPE_U32, NULL, graph->n);
    name_size(out, setup, graph, ", weights 1 to 255");
    return true;
}

bool gf_check_sssp(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const uint32_t *dist = gf_bench_want(at, results, "dist", why);
    const uint32_t *first = expected_first(at);
    return dist != NULL && first != NULL && prove_distances(at, input(at, "weight"), first, dist, why);
}

/* ---- components ---- */

static bool wants(const gf_program *program, const char *name) {
    gf_buffer_info info;
    for (size_t i = 0; gf_program_buffer_info(program, i, &info); i++) {
        if (strcmp(info.name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool gf_make_components(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    const gf_bench_graph *graph = gf_bench_symmetric(setup, diags);
    if (graph == NULL) {
        return false;
    }
    bind_graph(out, graph, "row", "col");
    if (wants(program, "from")) {
        uint32_t *from = gf_bench_add(&out->inputs, "from", GF_TYPE_U32, graph->m, diags);
        for (uint32_t v = 0; from != NULL && v < graph->n; v++) {
            for (uint32_t e = graph->row[v]; e < graph->row[v + 1]; e++) {
                from[e] = v;
            }
        }
        if (from == NULL) {
            return false;
        }
        gf_bench_borrow(&out->inputs, "to", GF_TYPE_U32, graph->col, graph->m);
    }
    gf_bench_set(out, "n", graph->n);
    gf_bench_borrow(&out->outputs, "comp", GF_TYPE_U32, NULL, graph->n);
    gf_bench_borrow(&out->outputs, "count", GF_TYPE_U32, NULL, 1);
    gf_bench_borrow(&out->outputs, "rounds", GF_TYPE_U32, NULL, 1);
    name_size(out, setup, graph, " in both directions");
    return true;
}

static uint32_t find_root(uint32_t *parent, uint32_t v) {
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

#define NO_MEMORY UINT32_MAX

/* By union-find, once. */
static uint32_t count_components(gf_bench_case *at) {
    const gf_bench_array *known = gf_bench_find(&at->expected, "count");
    if (known != NULL) {
        return *(uint32_t *)known->data;
    }
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    const uint32_t *row = input(at, "row");
    const uint32_t *col = input(at, "col");
    uint32_t *count = gf_bench_add(&at->expected, "count", GF_TYPE_U32, 1, NULL);
    uint32_t *parent = gf_calloc((size_t)n + 1, sizeof *parent);
    if (count == NULL || parent == NULL) {
        gf_free(parent);
        return NO_MEMORY;
    }
    for (uint32_t v = 0; v < n; v++) {
        parent[v] = v;
    }
    *count = n;
    for (uint32_t v = 0; v < n; v++) {
        for (uint32_t e = row[v]; e < row[v + 1]; e++) {
            uint32_t a = find_root(parent, v);
            uint32_t b = find_root(parent, col[e]);
            parent[a > b ? a : b] = a > b ? b : a;
            *count -= a != b;
        }
    }
    gf_free(parent);
    return *count;
}

typedef struct labelling {
    const uint32_t *row, *col, *comp;
    uint32_t n;
    atomic_bool *used;
    atomic_uint labels, wrong; /* as of a proof */
} labelling;

static void look_at_labels(void *context, uint64_t begin, uint64_t end) {
    labelling *at = context;
    for (uint64_t v = begin; v < end; v++) {
        uint32_t label = at->comp[v];
        bool right = label < at->n;
        if (right && !at->used[label]) {
            at->labels += !atomic_exchange(&at->used[label], true);
        }
        for (uint32_t e = at->row[v]; right && e < at->row[v + 1]; e++) {
            right = at->comp[at->col[e]] == label;
        }
        if (!right) {
            note_wrong(&at->wrong, (uint32_t)v);
            return;
        }
    }
}

/* Both ends of each edge have one label, and there are as many labels as components. */
bool gf_check_components(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const uint32_t *comp = gf_bench_want(at, results, "comp", why);
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    uint32_t expected = comp != NULL ? count_components(at) : 0;
    labelling now = {.row = input(at, "row"),
                     .col = input(at, "col"),
                     .comp = comp,
                     .n = n,
                     .used = gf_calloc((size_t)n + 1, sizeof *now.used),
                     .wrong = UNREACHED};
    bool right = comp != NULL && now.used != NULL && expected != NO_MEMORY;
    if (right) {
        gf_bench_share(n, GRAIN, look_at_labels, &now);
        right = now.wrong == UNREACHED;
    }
    if (now.wrong != UNREACHED) {
        (void)snprintf(why, 160, "vertex %u and a neighbour have different labels", now.wrong);
    }
    if (right && now.labels != expected) {
        (void)snprintf(why, 160, "%u labels, expected %" PRIu32, now.labels, expected);
        right = false;
    }
    const gf_bench_array *count = gf_bench_find(results, "count");
    if (right && count != NULL && *(const uint32_t *)count->data != expected) {
        (void)snprintf(why, 160, "count says %" PRIu32 ", expected %" PRIu32, *(const uint32_t *)count->data, expected);
        right = false;
    }
    gf_free(now.used);
    return right;
}

/* ---- pagerank ---- */

bool gf_make_pagerank(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    const gf_bench_graph *graph = gf_bench_transposed(setup, diags);
    if (graph == NULL) {
        return false;
    }
    bind_graph(out, graph, "row", "col");
    const gf_bench_graph *directed = gf_bench_directed(setup, diags); /* made with the other */
    gf_bench_borrow(&out->inputs, "out_row", GF_TYPE_U32, directed->row, (uint64_t)graph->n + 1);
    gf_bench_set(out, "n", graph->n);
    gf_bench_set(out, "damping", 0.85F); /* the f32 */
    gf_bench_set(out, "tol", 1e-6F);
    gf_bench_set(out, "max_iter", 100);
    gf_bench_borrow(&out->outputs, "score", GF_TYPE_F32, NULL, graph->n);
    gf_bench_borrow(&out->outputs, "iterations", GF_TYPE_U32, NULL, 1);
    gf_bench_borrow(&out->outputs, "residual", GF_TYPE_F32, NULL, 1);
    name_size(out, setup, graph, "");
    return true;
}

typedef struct iteration {
    const gf_bench_case *at;
    const float *score;
    double dangling, *change; /* by vertex */
} iteration;

/* How much an iteration in f64 changes the scores. */
static void iterate(void *context, uint64_t begin, uint64_t end) {
    const iteration *now = context;
    double n = gf_bench_get(now->at, "n");
    double damping = gf_bench_get(now->at, "damping");
    const uint32_t *row = input(now->at, "row");
    const uint32_t *col = input(now->at, "col");
    const uint32_t *out_row = input(now->at, "out_row");
    for (uint64_t v = begin; v < end; v++) {
        double sum = 0;
        for (uint32_t e = row[v]; e < row[v + 1]; e++) {
            uint32_t from = col[e];
            sum += (double)now->score[from] / (out_row[from + 1] - out_row[from]);
        }
        now->change[v] = fabs((1 - damping) / n + damping * (sum + now->dangling / n) - (double)now->score[v]);
    }
}

/* One iteration in f64 may change the scores by little more than the tolerance, which bounds the distance from the
 * solution by 1 / (1 - damping) times as much. The slack is for sums in f32. */
bool gf_check_pagerank(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const float *score = gf_bench_want(at, results, "score", why);
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    const uint32_t *out_row = input(at, "out_row");
    iteration now = {at, score, 0, gf_calloc((size_t)n + 1, sizeof *now.change)};
    bool right = score != NULL && now.change != NULL;
    double change = 0;
    for (uint32_t v = 0; right && v < n; v++) {
        now.dangling += out_row[v + 1] == out_row[v] ? (double)score[v] : 0;
    }
    if (right) {
        gf_bench_share(n, GRAIN, iterate, &now);
    }
    for (uint32_t v = 0; right && v < n; v++) {
        change += now.change[v];
    }
    if (right && !(change < 3 * gf_bench_get(at, "tol") + 4e-6)) {
        (void)snprintf(why, 160, "an iteration in f64 changes the scores by %g", change);
        right = false;
    }
    gf_free(now.change);
    return right;
}

/* ---- flows_to ---- */

/* The graph of the demo is not here: in its place a random one, where nobody asked for a folder. */
static bool do_without_demo(const gf_bench_setup *setup, gf_diags *diags) {
    if (setup->wants_graphs) {
        (void)gf_fail(diags, GF_CODE_FILE_OPEN, GF_NO_SPAN,
                      "no graph with targets in '%s': depends.mtx and targets.txt are expected there", setup->graphs);
        gf_fix(diags, "`./x demo` leaves them in build/demo; without --graphs, or by a size, a random graph is taken");
        return false;
    }
    (void)fputs(
        "gridfence bench: the graph of the demo is not here (`./x demo` makes it): flows_to takes a random one\n",
        stderr);
    return true;
}

bool gf_make_flows_to(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    gf_bench_graph demo;
    uint32_t targets[RULES];
    size_t count = RULES;
    bool shaped = setup->shape.scale > 0 || setup->shape.layers > 0;
    bool wanted = !setup->quick && !shaped, real = wanted && gf_bench_demo_graph(setup, &demo, targets, &count);
    if (wanted && !real && !do_without_demo(setup, diags)) {
        return false;
    }
    count = real ? count : RULES;
    const gf_bench_graph *graph = real ? &demo : gf_bench_transposed(setup, diags);
    if (graph == NULL) {
        return false;
    }
    bind_graph(out, graph, "row", "col");
    for (size_t i = 0; real && i < 2; i++) {
        out->inputs.items[i].borrowed = false; /* nobody else keeps it */
    }
    for (uint32_t r = 0; !real && r < RULES; r++) {
        targets[r] = graph->n / RULES * r;
    }
    uint32_t *target = gf_bench_add(&out->inputs, "target", GF_TYPE_U32, count, diags);
    if (target == NULL) {
        return false;
    }
    memcpy(target, targets, count * sizeof *target);
    gf_bench_set(out, "n", graph->n);
    gf_bench_borrow(&out->outputs, "state", GF_TYPE_U32, NULL, graph->n);
    gf_bench_borrow(&out->outputs, "count", GF_TYPE_U32, NULL, RULES);
    gf_bench_borrow(&out->outputs, "deepest", GF_TYPE_U32, NULL, RULES);
    if (real) {
        (void)snprintf(out->size, sizeof out->size,
                       "package graph, %" PRIu32 " vertices, %" PRIu32 " edges, %zu targets", graph->n, graph->m,
                       count);
    } else {
        name_size(out, setup, graph, ", 32 targets");
    }
    return true;
}

typedef struct flows {
    const gf_bench_case *at;
    const uint32_t *target;
    atomic_uint *state;
    uint32_t *count, *deepest;
    atomic_bool failed;
} flows;

/* A search of one target. */
static void search(const flows *now, uint32_t rule, uint32_t *queue) {
    const uint32_t *row = input(now->at, "row");
    const uint32_t *col = input(now->at, "col");
    uint32_t bit = (uint32_t)1 << rule;
    size_t begin = 0;
    size_t end = 1;
    queue[0] = now->target[rule];
    atomic_fetch_or(&now->state[queue[0]], bit);
    for (uint32_t depth = 1; begin < end; depth++) {
        for (size_t stop = end; begin < stop; begin++) {
            for (uint32_t e = row[queue[begin]]; e < row[queue[begin] + 1]; e++) {
                uint32_t to = col[e];
                if ((atomic_load_explicit(&now->state[to], memory_order_relaxed) & bit) == 0) {
                    atomic_fetch_or_explicit(&now->state[to], bit, memory_order_relaxed);
                    queue[end++] = to;
                    now->deepest[rule] = depth;
                }
            }
        }
    }
    now->count[rule] = (uint32_t)end - 1;
}

static void search_all(void *context, uint64_t begin, uint64_t end) {
    flows *now = context;
    uint32_t *queue = gf_malloc(((size_t)gf_bench_get(now->at, "n") + 1) * sizeof *queue);
    for (uint64_t rule = begin; queue != NULL && rule < end; rule++) {
        search(now, (uint32_t)rule, queue);
    }
    if (queue == NULL) {
        now->failed = true;
    }
    gf_free(queue);
}

static bool expect_flows(gf_bench_case *at) {
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    const gf_bench_array *target = gf_bench_find(&at->inputs, "target");
    flows now = {.at = at,
                 .target = target->data,
                 .state = gf_bench_add(&at->expected, "state", GF_TYPE_U32, n, NULL),
                 .count = gf_bench_add(&at->expected, "count", GF_TYPE_U32, RULES, NULL),
                 .deepest = gf_bench_add(&at->expected, "deepest", GF_TYPE_U32, RULES, NULL)};
    bool done = now.state != NULL && now.count != NULL && now.deepest != NULL;
    if (done) {
        gf_bench_share(target->count, 1, search_all, &now);
    }
    return done && !now.failed;
}

bool gf_check_flows_to(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    static const char *const names[] = {"state", "count", "deepest"};
    if (at->expected.count == 0 && !expect_flows(at)) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        const gf_bench_array *expected = gf_bench_find(&at->expected, names[i]);
        const void *got = gf_bench_want(at, results, names[i], why);
        if (got == NULL) {
            return false;
        }
        if (memcmp(got, expected->data, (size_t)expected->count * 4) != 0) {
            (void)snprintf(why, 160, "%s is not what a search per target gives", names[i]);
            return false;
        }
    }
    return true;
}
