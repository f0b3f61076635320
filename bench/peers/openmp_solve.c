/* jacobi, cg. */
#include "openmp.h"
#include <immintrin.h>

/* ---- jacobi ---- */

static size_t width, height;
static float *u, *other, *first, *f;
static float tolerance, worst;
static uint32_t most_iterations, iterations, every;

void jacobi_load(void) {
    width = (size_t)peer_param("w");
    height = (size_t)peer_param("h");
    tolerance = (float)peer_param("tol");
    most_iterations = (uint32_t)peer_param("max_iter");
    every = (uint32_t)peer_param_or("every", 10);
    first = peer_read("u", "f32", NULL);
    f = peer_read("f", "f32", NULL);
    u = spread_alloc(width * height * sizeof *u);
    other = spread_alloc(width * height * sizeof *other);
}

void jacobi_reset(void) {
    memcpy(u, first, width * height * sizeof *u);
}

/* Points [begin, end) of a row; gives the largest change where it is asked for. */
static inline float sweep_points(const float *restrict from, float *restrict to, const float *restrict right,
                                 size_t begin, size_t end, bool look) {
    float most = 0;
#pragma omp simd reduction(max : most)
    for (size_t x = begin; x < end; x++) {
        float next = 0.25F * (from[x - 1] + from[x + 1] + from[x - width] + from[x + width] + right[x]);
        float change = look ? __builtin_fabsf(next - from[x]) : 0;
        to[x] = next;
        most = change > most ? change : most;
    }
    return most;
}

/* The inner points of a row. Whole lines go past the cache: what a sweep writes is read only when it has left it. */
static inline float sweep_row(const float *from, float *to, const float *right, bool look) {
    size_t x = 1;
    float most = 0;
#ifdef __AVX512F__
    size_t aligned = 1 + (16 - ((uintptr_t)(to + 1) / sizeof *to) % 16) % 16;
    __m512 all = _mm512_setzero_ps();
    if (aligned < width - 1) {
        most = sweep_points(from, to, right, 1, aligned, look);
        for (x = aligned; x + 16 < width; x += 16) {
            __m512 sum = _mm512_add_ps(_mm512_loadu_ps(from + x - 1), _mm512_loadu_ps(from + x + 1));
            sum = _mm512_add_ps(sum, _mm512_loadu_ps(from + x - width));
            sum = _mm512_add_ps(sum, _mm512_loadu_ps(from + x + width));
            sum = _mm512_mul_ps(_mm512_add_ps(sum, _mm512_loadu_ps(right + x)), _mm512_set1_ps(0.25F));
            _mm512_stream_ps(to + x, sum);
            if (look) {
                all = _mm512_max_ps(all, _mm512_abs_ps(_mm512_sub_ps(sum, _mm512_loadu_ps(from + x))));
            }
        }
    }
    float largest = look ? _mm512_reduce_max_ps(all) : 0;
    most = largest > most ? largest : most;
#endif
    float last = sweep_points(from, to, right, x, width - 1, look);
    return last > most ? last : most;
}

/* One sweep; gives the largest change, 0 without a look. */
static float sweep(bool look) {
    float most = 0;
#pragma omp parallel reduction(max : most)
    {
#pragma omp for schedule(static) nowait
        for (size_t y = 1; y < height - 1; y++) {
            size_t at = y * width;
            float change =
                look ? sweep_row(u + at, other + at, f + at, true) : sweep_row(u + at, other + at, f + at, false);
            most = change > most ? change : most;
        }
        _mm_sfence(); /* orders what went past the cache */
    }
    float *swapped = u;
    u = other;
    other = swapped;
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
    iterations = 0;
    while (iterations < most_iterations && worst > tolerance) {
        uint32_t left = most_iterations - iterations;
        uint32_t turns = every < left ? every : left;
        for (uint32_t i = 1; i < turns; i++) {
            (void)sweep(false);
        }
        worst = sweep(true);
        iterations += turns;
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
    double rr = 0; /* sums over all points want more than an f32 */
#pragma omp parallel for schedule(static) reduction(+ : rr)
    for (uint32_t v = 0; v < g.n; v++) {
        float s = b[v] - multiply_row(v, x);
        r[v] = s;
        p[v] = s;
        rr += (double)(s * s);
    }
    double goal = (double)(tolerance * tolerance) * rr;
    for (iterations = 0; iterations < most_iterations && rr > goal; iterations++) {
        double pq = 0;
        double next = 0;
#pragma omp parallel
        {
#pragma omp for schedule(static) reduction(+ : pq)
            for (uint32_t v = 0; v < g.n; v++) {
                float s = multiply_row(v, p);
                q[v] = s;
                pq += (double)(p[v] * s);
            }
            float alpha = (float)(rr / pq);
#pragma omp for simd schedule(static) reduction(+ : next)
            for (uint32_t v = 0; v < g.n; v++) {
                float s = r[v] - alpha * q[v];
                r[v] = s;
                next += (double)(s * s);
            }
            float beta = (float)(next / rr);
#pragma omp for simd schedule(static)
            for (uint32_t v = 0; v < g.n; v++) {
                x[v] += alpha * p[v];
                p[v] = r[v] + beta * p[v];
            }
        }
        rr = next;
    }
    residual = (float)rr;
}

void cg_write(void) {
    peer_write("x", "f32", x, g.n);
    peer_write("iterations", "u32", &iterations, 1);
    peer_write("residual", "f32", &residual, 1);
}
