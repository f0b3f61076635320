/* components, pagerank, flows_to: something for each vertex. */
#include "openmp.h"

static graph g;

/* ---- components: Afforest ---- */

enum { ROUNDS = 2, SAMPLES = 1024 };

static uint32_t *comp;
static uint32_t component_count;

void components_load(void) {
    g = read_graph();
    comp = spread_alloc((size_t)g.n * sizeof *comp);
}

void components_reset(void) {
}

/* A larger root is hooked below a smaller one. */
static void link_trees(uint32_t a, uint32_t b) {
    uint32_t p = load(&comp[a]);
    uint32_t q = load(&comp[b]);
    while (p != q) {
        uint32_t high = p > q ? p : q;
        uint32_t low = p > q ? q : p;
        uint32_t above = load(&comp[high]);
        if (above == low || (above == high && exchange_if(&comp[high], high, low))) {
            return;
        }
        p = load(&comp[load(&comp[high])]);
        q = load(&comp[low]);
    }
}

static uint32_t compress(uint32_t v) {
    uint32_t above = load(&comp[v]);
    uint32_t root = above;
    for (uint32_t up = load(&comp[root]); up != root; up = load(&comp[root])) {
        root = up;
    }
    if (root != above) {
        store(&comp[v], root);
    }
    return root;
}

static int compare_ids(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The component that most of a sample are in. */
static uint32_t find_giant(void) {
    uint32_t sample[SAMPLES];
    uint32_t best = 0;
    uint32_t best_run = 0;
    uint32_t run = 0;
    for (uint32_t i = 0; i < SAMPLES; i++) {
        sample[i] = comp[(uint64_t)(i * 2654435761U) * g.n >> 32];
    }
    qsort(sample, SAMPLES, sizeof *sample, compare_ids);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        run = i > 0 && sample[i] == sample[i - 1] ? run + 1 : 1;
        if (run > best_run) {
            best_run = run;
            best = sample[i];
        }
    }
    return best;
}

void components_run(void) {
    uint32_t roots = 0;
    uint32_t giant = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (uint32_t v = 0; v < g.n; v++) {
            comp[v] = v;
        }
        for (uint32_t round = 0; round < ROUNDS; round++) {
#pragma omp for schedule(dynamic, 4096)
            for (uint32_t v = 0; v < g.n; v++) {
                uint32_t e = g.row[v] + round;
                if (e < g.row[v + 1]) {
                    link_trees(v, g.col[e]);
                }
            }
#pragma omp for schedule(dynamic, 4096)
            for (uint32_t v = 0; v < g.n; v++) {
                (void)compress(v);
            }
        }
#pragma omp single
        giant = find_giant();
#pragma omp for schedule(dynamic, 4096)
        for (uint32_t v = 0; v < g.n; v++) {
            if (load(&comp[v]) != giant) {
                for (uint32_t e = g.row[v] + ROUNDS; e < g.row[v + 1]; e++) {
                    link_trees(v, g.col[e]);
                }
            }
        }
#pragma omp for schedule(dynamic, 4096) reduction(+ : roots)
        for (uint32_t v = 0; v < g.n; v++) {
            roots += compress(v) == v;
        }
    }
    component_count = roots;
}

void components_write(void) {
    peer_write("comp", "u32", comp, g.n);
    peer_write("count", "u32", &component_count, 1);
}

/* ---- pagerank by pull ---- */

static uint32_t *out_row;
static float *score, *share, *next_share;
static float damping, tolerance, residual;
static uint32_t most_iterations, iterations;

void pagerank_load(void) {
    g = read_graph();
    out_row = peer_read("out_row", "u32", NULL);
    damping = (float)peer_param("damping");
    tolerance = (float)peer_param("tol");
    most_iterations = (uint32_t)peer_param("max_iter");
    score = spread_alloc((size_t)g.n * sizeof *score);
    share = spread_alloc((size_t)g.n * sizeof *share);
    next_share = spread_alloc((size_t)g.n * sizeof *next_share);
}

void pagerank_reset(void) {
}

static float gather(const uint32_t *at, const uint32_t *end) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    for (; end - at >= 4; at += 4) {
        a += share[at[0]];
        b += share[at[1]];
        c += share[at[2]];
        d += share[at[3]];
    }
    for (; at < end; at++) {
        a += share[*at];
    }
    return (a + b) + (c + d);
}

void pagerank_run(void) {
    float base = 1.0F / (float)g.n;
    double lost = 0;
    float change = tolerance + 1;
#pragma omp parallel for schedule(static) reduction(+ : lost)
    for (uint32_t v = 0; v < g.n; v++) {
        uint32_t links = out_row[v + 1] - out_row[v];
        score[v] = base;
        share[v] = links == 0 ? 0 : base / (float)links;
        lost += links == 0 ? (double)base : 0;
    }
    for (iterations = 0; iterations < most_iterations && change > tolerance; iterations++) {
        double changes = 0;
        double losses = 0;
        float same = (1 - damping) * base + damping * (float)lost * base;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : changes, losses)
        for (uint32_t v = 0; v < g.n; v++) {
            float next = same + damping * gather(g.col + g.row[v], g.col + g.row[v + 1]);
            uint32_t links = out_row[v + 1] - out_row[v];
            changes += (double)__builtin_fabsf(next - score[v]);
            losses += links == 0 ? (double)next : 0;
            score[v] = next;
            next_share[v] = links == 0 ? 0 : next / (float)links;
        }
        float *other = share;
        share = next_share;
        next_share = other;
        lost = losses;
        change = (float)changes;
    }
    residual = change;
}

void pagerank_write(void) {
    peer_write("score", "f32", score, g.n);
    peer_write("iterations", "u32", &iterations, 1);
    peer_write("residual", "f32", &residual, 1);
}

/* ---- flows_to: 32 searches in the bits of a word, hop by hop ---- */

enum { RULES = 32 };

static uint32_t *target, *state, *fresh, *arriving;
static size_t target_count;
static uint32_t counts[RULES], deepest[RULES];

void flows_to_load(void) {
    g = read_graph();
    target = peer_read("target", "u32", &target_count);
    state = spread_alloc((size_t)g.n * sizeof *state);
    fresh = spread_alloc((size_t)g.n * sizeof *fresh);
    arriving = spread_alloc((size_t)g.n * sizeof *arriving);
}

void flows_to_reset(void) {
}

static void send(uint32_t bits, uint32_t w) {
    uint32_t lacking = bits & ~state[w];
    if ((lacking & ~load(&arriving[w])) != 0) {
        (void)__atomic_fetch_or(&arriving[w], lacking, __ATOMIC_RELAXED);
    }
}

/* Whether anything arrived at the vertices of this thread; `came` counts it by rule. */
static bool merge(uint32_t came[RULES]) {
    bool any = false;
#pragma omp for schedule(static) nowait
    for (uint32_t v = 0; v < g.n; v++) {
        uint32_t bits = arriving[v] & ~state[v];
        fresh[v] = bits;
        if (arriving[v] != 0) {
            arriving[v] = 0;
            state[v] |= bits;
            any |= bits != 0;
            for (; bits != 0; bits &= bits - 1) {
                came[__builtin_ctz(bits)]++;
            }
        }
    }
    return any;
}

static void add_counts(uint32_t came[RULES], uint32_t hop) {
#pragma omp critical
    for (uint32_t r = 0; r < RULES; r++) {
        counts[r] += came[r];
        deepest[r] = came[r] != 0 ? hop : deepest[r];
        came[r] = 0;
    }
}

void flows_to_run(void) {
    bool changed = true;
    memset(counts, 0, sizeof counts);
    memset(deepest, 0, sizeof deepest);
#pragma omp parallel
    {
        uint32_t came[RULES] = {0};
#pragma omp for schedule(static)
        for (uint32_t v = 0; v < g.n; v++) {
            state[v] = fresh[v] = arriving[v] = 0;
        }
#pragma omp single
        for (size_t r = 0; r < target_count; r++) {
            state[target[r]] |= (uint32_t)1 << r;
            fresh[target[r]] |= (uint32_t)1 << r;
        }
        for (uint32_t hop = 1; changed; hop++) {
#pragma omp for schedule(dynamic, 512)
            for (uint32_t v = 0; v < g.n; v++) {
                for (uint32_t e = g.row[v]; fresh[v] != 0 && e < g.row[v + 1]; e++) {
                    send(fresh[v], g.col[e]);
                }
            }
#pragma omp single
            changed = false;
            if (merge(came)) {
                __atomic_store_n(&changed, true, __ATOMIC_RELAXED);
                add_counts(came, hop);
            }
#pragma omp barrier
        }
    }
}

void flows_to_write(void) {
    peer_write("state", "u32", state, g.n);
    peer_write("count", "u32", counts, RULES);
    peer_write("deepest", "u32", deepest, RULES);
}
