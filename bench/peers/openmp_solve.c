/* jacobi, cg. */
#include "openmp.h"

/* ---- jacobi ---- */

static size_t width, height;
static float *u, *other, *first, *f;
static float tolerance, worst;
static uint32_t most_iterations, iterations;

void jacobi_load(void) {
    width = (size_t)peer_param("w");
    height = (size_t)peer_param("h");
    tolerance = (float)peer_param("tol");
    most_iterations = (uint32_t)peer_param("max_iter");
    first = peer_read("u", "f32", NULL);
    f = peer_read("f", "f32", NULL);
    u = spread_alloc(width * height * sizeof *u);
    other = spread_alloc(width * height * sizeof *other);
}

void jacobi_reset(void) {
    memcpy(u, first, width * height * sizeof *u);
}

/* The largest change of a row. */
static float sweep_row(const float *restrict from, float *restrict to, const float *restrict right) {
    float most = 0;
#pragma omp simd reduction(max : most)
    for (size_t x = 1; x < width - 1; x++) {
        float next = 0.25F * (from[x - 1] + from[x + 1] + from[x - width] + from[x + width] + right[x]);
        float change = __builtin_fabsf(next - from[x]);
        to[x] = next;
        most = change > most ? change : most;
    }
    return most;
}

static void copy_border(void) {
    memcpy(other, u, width * sizeof *u);
    memcpy(other + (height - 1) * width, u + (height - 1) * width, width * sizeof *u);
    for (size_t y = 0; y < height; y++) {
        other[y * width] = u[y * width];
        other[y * width + width - 1] = u[y * width + width - 1];
    }
}

void jacobi_run(void) {
    copy_border();
    worst = tolerance + 1;
    for (iterations = 0; iterations < most_iterations && worst > tolerance; iterations++) {
        float most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
        for (size_t y = 1; y < height - 1; y++) {
            float change = sweep_row(u + y * width, other + y * width, f + y * width);
            most = change > most ? change : most;
        }
        float *swapped = u;
        u = other;
        other = swapped;
        worst = most;
    }
}

void jacobi_write(void) {
    peer_write("u", "f32", u, width * height);
    peer_write("iterations", "u32", &iterations, 1);
    peer_write("change", "f32", &worst, 1);
}

/* ---- cg ---- */

static graph g;
static float *val, *b, *x, *r, *p, *q, *guess;
static float residual;

void cg_load(void) {
    g = read_graph();
    val = peer_read("val", "f32", NULL);
    b = peer_read("b", "f32", NULL);
    guess = peer_read("x", "f32", NULL);
    tolerance = (float)peer_param("tol");
    most_iterations = (uint32_t)peer_param("max_iter");
    x = spread_alloc((size_t)g.n * sizeof *x);
    r = spread_alloc((size_t)g.n * sizeof *r);
    p = spread_alloc((size_t)g.n * sizeof *p);
    q = spread_alloc((size_t)g.n * sizeof *q);
}

void cg_reset(void) {
    memcpy(x, guess, (size_t)g.n * sizeof *x);
}

static inline float multiply_row(uint32_t v, const float *by) {
    float sum = 0;
    for (uint32_t e = g.row[v]; e < g.row[v + 1]; e++) {
        sum += val[e] * by[g.col[e]];
    }
    return sum;
}

void cg_run(void) {
    float rr = 0;
#pragma omp parallel for schedule(static) reduction(+ : rr)
    for (uint32_t v = 0; v < g.n; v++) {
        float s = b[v] - multiply_row(v, x);
        r[v] = s;
        p[v] = s;
        rr += s * s;
    }
    float goal = tolerance * tolerance * rr;
    for (iterations = 0; iterations < most_iterations && rr > goal; iterations++) {
        float pq = 0;
        float next = 0;
#pragma omp parallel
        {
#pragma omp for schedule(static) reduction(+ : pq)
            for (uint32_t v = 0; v < g.n; v++) {
                float s = multiply_row(v, p);
                q[v] = s;
                pq += p[v] * s;
            }
            float alpha = rr / pq;
#pragma omp for simd schedule(static) reduction(+ : next)
            for (uint32_t v = 0; v < g.n; v++) {
                float s = r[v] - alpha * q[v];
                r[v] = s;
                next += s * s;
            }
            float beta = next / rr;
#pragma omp for simd schedule(static)
            for (uint32_t v = 0; v < g.n; v++) {
                x[v] += alpha * p[v];
                p[v] = r[v] + beta * p[v];
            }
        }
        rr = next;
    }
    residual = rr;
}

void cg_write(void) {
    peer_write("x", "f32", x, g.n);
    peer_write("iterations", "u32", &iterations, 1);
    peer_write("residual", "f32", &residual, 1);
}
