/* Workloads in floats: jacobi, cg. Peers may add in another order, so results are compared within what rounding
 * can do. */
#include "base/memory.h"
#include "cli/bench_threads.h"
#include "cli/workloads.h"
#include "io/random.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEED 4

#define GRAIN ((uint64_t)1 << 16) /* elements that a thread is worth */

typedef struct filling {
    float *x;
    uint64_t seed;
} filling;

static void draw_elements(void *context, uint64_t begin, uint64_t end) {
    filling *at = context;
    for (uint64_t i = begin; i < end; i++) {
        at->x[i] = (float)(gf_random_draw(at->seed, i) >> 40) / 16777216.0F;
    }
}

static void fill_random(float *x, uint64_t count, uint64_t seed) {
    gf_bench_share(count, GRAIN, draw_elements, &(filling){x, seed});
}

static const void *input(const gf_bench_case *at, const char *name) {
    const gf_bench_array *array = gf_bench_find(&at->inputs, name);
    return array != NULL ? array->data : NULL;
}

/* ---- jacobi ---- */

bool gf_make_jacobi(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    uint32_t side = setup->shape.side;
    uint32_t w = side > 0 ? side : setup->quick ? 45 : 4096;
    uint32_t h = side > 0 ? side : setup->quick ? 37 : 4096;
    uint32_t sweeps = setup->shape.sweeps > 0 ? setup->shape.sweeps : setup->quick ? 7 : 50;
    uint64_t cells = (uint64_t)w * h;
    float *u = gf_bench_add(&out->inputs, "u", GF_TYPE_F32, cells, diags);
    float *f = u != NULL ? gf_bench_add(&out->inputs, "f", GF_TYPE_F32, cells, diags) : NULL;
    if (f == NULL) {
        return false;
    }
    fill_random(u, cells, SEED);
    fill_random(f, cells, SEED + 1);
    gf_bench_set(out, "w", w);
    gf_bench_set(out, "h", h);
    gf_bench_set(out, "tol", 0); /* the number of sweeps decides */
    gf_bench_set(out, "max_iter", sweeps);
    gf_bench_borrow(&out->outputs, "u", GF_TYPE_F32, NULL, cells);
    gf_bench_borrow(&out->outputs, "iterations", GF_TYPE_U32, NULL, 1);
    gf_bench_borrow(&out->outputs, "change", GF_TYPE_F32, NULL, 1);
    (void)snprintf(out->size, sizeof out->size, "%" PRIu32 " x %" PRIu32 " f32, %" PRIu32 " sweeps", w, h, sweeps);
    return true;
}

typedef struct sweeping {
    const float *u, *f;
    float *next;
    size_t w;
} sweeping;

/* Inner rows, from 0. */
static void sweep_rows(void *context, uint64_t begin, uint64_t end) {
    const sweeping *at = context;
    const float *restrict u = at->u;
    const float *restrict f = at->f;
    float *restrict next = at->next;
    size_t w = at->w;
    for (uint64_t y = begin + 1; y < end + 1; y++) {
        for (size_t i = y * w + 1; i < y * w + w - 1; i++) {
            next[i] = 0.25F * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] + f[i]);
        }
    }
}

static const float *expect_jacobi(gf_bench_case *at) {
    const gf_bench_array *u = gf_bench_find(&at->inputs, "u");
    size_t bytes = (size_t)u->count * sizeof(float);
    float *a = gf_bench_add(&at->expected, "u", GF_TYPE_F32, u->count, NULL);
    float *b = gf_calloc((size_t)u->count + 1, sizeof *b);
    uint32_t sweeps = (uint32_t)gf_bench_get(at, "max_iter");
    size_t w = (size_t)gf_bench_get(at, "w");
    size_t h = (size_t)gf_bench_get(at, "h");
    if (a != NULL && b != NULL) {
        memcpy(a, u->data, bytes);
        memcpy(b, u->data, bytes);
        for (uint32_t i = 0; i < sweeps; i++) {
            sweeping now = {i % 2 == 0 ? a : b, input(at, "f"), i % 2 == 0 ? b : a, w};
            gf_bench_share(h > 2 ? h - 2 : 0, GRAIN / w + 1, sweep_rows, &now);
        }
        if (sweeps % 2 == 1) {
            memcpy(a, b, bytes);
        }
    }
    gf_free(b);
    return b != NULL ? a : NULL;
}

bool gf_check_jacobi(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const float *u = gf_bench_want(at, results, "u", why);
    const gf_bench_array *known = gf_bench_find(&at->expected, "u");
    const float *expected = known != NULL ? known->data : expect_jacobi(at);
    uint64_t count = gf_bench_find(&at->inputs, "u")->count;
    for (uint64_t i = 0; u != NULL && expected != NULL && i < count; i++) {
        if (!(fabsf(u[i] - expected[i]) <= 1e-5F * (1 + fabsf(expected[i])))) {
            (void)snprintf(why, 160, "u[%" PRIu64 "] is %g, expected %g", i, (double)u[i], (double)expected[i]);
            return false;
        }
    }
    return u != NULL && expected != NULL;
}

/* ---- cg ---- */

/* The Laplacian of a grid of side x side points, zero outside. */
static bool add_laplacian(gf_bench_case *out, uint32_t side, gf_diags *diags) {
    uint32_t n = side * side;
    uint64_t count = (uint64_t)5 * n - (uint64_t)4 * side;
    uint32_t *row = gf_bench_add(&out->inputs, "row", GF_TYPE_U32, (uint64_t)n + 1, diags);
    uint32_t *col = row != NULL ? gf_bench_add(&out->inputs, "col", GF_TYPE_U32, count, diags) : NULL;
    float *val = col != NULL ? gf_bench_add(&out->inputs, "val", GF_TYPE_F32, count, diags) : NULL;
    uint32_t at = 0;
    for (uint32_t v = 0; val != NULL && v < n; v++) {
        uint32_t x = v % side;
        const struct {
            bool there;
            uint32_t to;
            float value;
        } entries[] = {{v >= side, v - side, -1},
                       {x > 0, v - 1, -1},
                       {true, v, 4},
                       {x + 1 < side, v + 1, -1},
                       {v + side < n, v + side, -1}};
        for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
            if (entries[i].there) {
                col[at] = entries[i].to;
                val[at++] = entries[i].value;
            }
        }
        row[v + 1] = at;
    }
    return val != NULL;
}

bool gf_make_cg(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    uint32_t side = setup->shape.side > 0 ? setup->shape.side : setup->quick ? 17 : 1024;
    uint32_t iterations = setup->shape.sweeps > 0 ? setup->shape.sweeps : setup->quick ? 10 : 50;
    uint32_t n = side * side;
    float *b = gf_bench_add(&out->inputs, "b", GF_TYPE_F32, n, diags);
    if (b == NULL || gf_bench_add(&out->inputs, "x", GF_TYPE_F32, n, diags) == NULL ||
        !add_laplacian(out, side, diags)) {
        return false;
    }
    fill_random(b, n, SEED);
    gf_bench_set(out, "n", n);
    gf_bench_set(out, "tol", 0); /* the number of iterations decides */
    gf_bench_set(out, "max_iter", iterations);
    gf_bench_borrow(&out->outputs, "x", GF_TYPE_F32, NULL, n);
    gf_bench_borrow(&out->outputs, "iterations", GF_TYPE_U32, NULL, 1);
    gf_bench_borrow(&out->outputs, "residual", GF_TYPE_F32, NULL, 1);
    (void)snprintf(out->size, sizeof out->size, "Laplacian of %" PRIu32 " x %" PRIu32 ", %" PRIu32 " iterations", side,
                   side, iterations);
    return true;
}

static double dot(const double *a, const double *b, uint32_t n) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void multiply(const gf_bench_case *at, const double *p, double *q, uint32_t n) {
    const uint32_t *row = input(at, "row");
    const uint32_t *col = input(at, "col");
    const float *val = input(at, "val");
    for (uint32_t v = 0; v < n; v++) {
        q[v] = 0;
        for (uint32_t e = row[v]; e < row[v + 1]; e++) {
            q[v] += (double)val[e] * p[col[e]];
        }
    }
}

/* The same iterations in f64. */
static const double *expect_cg(gf_bench_case *at) {
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    const float *b = input(at, "b");
    double *x = gf_bench_add(&at->expected, "x", GF_TYPE_F64, n, NULL);
    double *work = gf_calloc((size_t)n * 3 + 1, sizeof *work);
    if (x == NULL || work == NULL) {
        gf_free(work);
        return NULL;
    }
    double *r = work;
    double *p = r + n;
    double *q = p + n;
    for (uint32_t i = 0; i < n; i++) {
        r[i] = p[i] = (double)b[i];
    }
    double rr = dot(r, r, n);
    for (uint32_t it = 0; it < (uint32_t)gf_bench_get(at, "max_iter") && rr > 0; it++) {
        multiply(at, p, q, n);
        double alpha = rr / dot(p, q, n);
        for (uint32_t i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(r, r, n);
        for (uint32_t i = 0; i < n; i++) {
            p[i] = r[i] + next / rr * p[i];
        }
        rr = next;
    }
    gf_free(work);
    return x;
}

bool gf_check_cg(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const float *x = gf_bench_want(at, results, "x", why);
    const gf_bench_array *known = gf_bench_find(&at->expected, "x");
    const double *expected = known != NULL ? known->data : expect_cg(at);
    double difference = 0;
    double size = 0;
    for (uint32_t i = 0; x != NULL && expected != NULL && i < (uint32_t)gf_bench_get(at, "n"); i++) {
        double d = (double)x[i] - expected[i];
        difference += d * d;
        size += expected[i] * expected[i];
    }
    if (x != NULL && expected != NULL && !(difference <= 1e-8 * size)) {
        (void)snprintf(why, 160, "x differs from the same iterations in f64 by %g of its length",
                       sqrt(difference / size));
        return false;
    }
    return x != NULL && expected != NULL;
}
