/* Measures the largest error of the elementary functions, in units of the last place of the exact result, and prints
 * a Markdown table.
 *
 *   cc -std=c17 -D_GNU_SOURCE -O3 -march=native -ffp-contract=off -Isrc bench/elementary_ulp.c -o elementary_ulp
 *      -lmpfr -lgmp -lm -lpthread
 *   ./elementary_ulp [stride [samples [threads [function]]]]
 *
 * f32 of one argument: every stride-th of all 2^32 inputs, against f64 functions of the C library, whose own error is
 * below 1e-8 of such a unit. f32 pow and f64: samples random inputs of each distribution, against long double (its
 * error is about 1e-3 of a unit), and each new maximum is weighed again with MPFR. */
#include "ir/elementary.c"

#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CHUNK 1024
#define THREADS_MAX 64

typedef struct worst {
    double ulp;
    double x, y;
    uint64_t inputs;
    uint64_t wrong; /* NaN where a number belongs, or the reverse */
} worst;

static void merge_worst(worst *into, const worst *from) {
    if (from->ulp > into->ulp) {
        into->ulp = from->ulp;
        into->x = from->x;
        into->y = from->y;
    }
    into->inputs += from->inputs;
    into->wrong += from->wrong;
}

/* Counts what no unit measures, a wrong sign too; true where there is an error to weigh. */
static bool comparable(worst *w, double got, double want) {
    w->inputs++;
    if (isnan(got) || isnan(want)) {
        w->wrong += !isnan(got) || !isnan(want);
        return false;
    }
    w->wrong += signbit(got) != signbit(want);
    return true;
}

/* An overflow counts as the power of two behind the largest float, on both sides. */
static void weigh_single(worst *w, float got, double want, float x, float y) {
    if (!comparable(w, got, want)) {
        return;
    }
    double limit = 0x1p128;
    double a = isinf(got) ? copysign(limit, got) : (double)got;
    double b = fabs(want) > limit ? copysign(limit, want) : want;
    uint64_t exponent = bits_of_f64(b) >> 52 & 0x7ff;
    exponent = exponent < 1023 - 126 ? 1023 - 126 : exponent;
    double ulp = fabs(a - b) * from_bits_f64((1023 + 23 + 1023 - exponent) << 52);
    if (ulp > w->ulp) {
        w->ulp = ulp;
        w->x = x;
        w->y = y;
    }
}

static void weigh_wide(worst *w, double got, long double want, double x, double y) {
    if (!comparable(w, got, (double)want)) {
        return;
    }
    long double limit = 0x1p1024L;
    long double a = isinf(got) ? copysignl(limit, got) : (long double)got;
    long double b = fabsl(want) > limit ? copysignl(limit, want) : want;
    int e;
    frexpl(b, &e);
    e = e < -1021 ? -1021 : e;
    double ulp = (double)ldexpl(fabsl(a - b), 53 - e);
    if (ulp > w->ulp) {
        w->ulp = ulp;
        w->x = x;
        w->y = y;
    }
}

/* ---- the functions ---- */

#define FUNCTIONS(X) X(exp2) X(log2) X(exp) X(log) X(sin) X(cos) X(tanh)

typedef struct function {
    const char *name;
    float (*single)(float);
    double (*wide)(double);
    double (*single_want)(double);
    long double (*wide_want)(long double);
    int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
} function;

static const function functions[] = {
#define ROW(name) {#name, gf_##name##_f32, gf_##name##_f64, name, name##l, mpfr_##name},
    FUNCTIONS(ROW)
#undef ROW
};
enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0], POW = FUNCTION_COUNT };

static const char *name_of(unsigned which) {
    return which == POW ? "pow" : functions[which].name;
}

/* ---- random inputs ---- */

static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static double uniform(uint64_t *state, double low, double high) {
    return low + (high - low) * (double)(next_random(state) >> 11) * 0x1p-53;
}

/* Any exponent in [low, high), any significand, any sign. */
static double scaled(uint64_t *state, int low, int high) {
    double m = uniform(state, 1, 2);
    int e = low + (int)(next_random(state) % (uint64_t)(high - low));
    return next_random(state) & 1 ? ldexp(m, e) : -ldexp(m, e);
}

/* The double next to a random multiple of pi/2, where little is left of it. */
static double near_multiple(uint64_t *state) {
    int bits = 1 + (int)(next_random(state) % 60);
    long double n = (long double)(next_random(state) >> (64 - bits));
    double v = (double)(n * 1.57079632679489661923132169163975144L);
    uint64_t b = bits_of_f64(v) + next_random(state) % 3 - 1;
    return from_bits_f64(b);
}

enum { KINDS = 4 };

static double draw(unsigned which, unsigned kind, uint64_t *state) {
    const char *name = name_of(which);
    if (kind == 0) {
        return from_bits_f64(next_random(state));
    }
    if (name[0] == 'e') {
        double range = name[3] == '2' ? 1 : 0.6931471805599453;
        return kind == 1   ? uniform(state, -1080, 1030) * range
               : kind == 2 ? uniform(state, -1, 1)
                           : uniform(state, -1076, -1020) * range;
    }
    if (name[0] == 'l') {
        return kind == 1   ? uniform(state, 0.5, 2)
               : kind == 2 ? 1 + scaled(state, -52, -2)
                           : fabs(scaled(state, -1074, 1023));
    }
    if (name[0] == 't') {
        return kind == 1 ? uniform(state, -2, 2) : kind == 2 ? scaled(state, -40, 5) : uniform(state, -25, 25);
    }
    return kind == 1 ? uniform(state, -10, 10) : kind == 2 ? near_multiple(state) : scaled(state, -30, 1023);
}

static void draw_pow(unsigned kind, uint64_t *state, bool single, double *x, double *y) {
    int top = single ? 127 : 1023;
    double limit = single ? 152 : 1080;
    switch (kind) {
    case 0:
        *x = uniform(state, 0, 4);
        *y = uniform(state, -64, 64);
        break;
    case 1: /* up to overflow and underflow */
        *x = fabs(scaled(state, -top, top));
        *y = uniform(state, -limit, limit) / log2(*x);
        break;
    case 2: /* bases next to 1 */
        *x = 1 + scaled(state, single ? -23 : -52, -3);
        *y = uniform(state, -limit, limit) / log2(*x);
        break;
    default: /* whole exponents */
        *x = scaled(state, -20, 20);
        *y = rint(uniform(state, -40, 40));
        break;
    }
}

/* ---- exact ---- */

/* The error of got against the function at (x, y), by MPFR. */
static double exact_error(unsigned which, double got, double x, double y) {
    mpfr_t a, b, r;
    mpfr_inits2(220, a, b, r, (mpfr_ptr)0);
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_d(b, y, MPFR_RNDN);
    if (which == POW) {
        mpfr_pow(r, a, b, MPFR_RNDN);
    } else {
        functions[which].exact(r, a, MPFR_RNDN);
    }
    mpfr_set_ui_2exp(a, 1, 1024, MPFR_RNDN);
    if (mpfr_cmpabs(r, a) > 0) {
        mpfr_setsign(r, a, mpfr_signbit(r), MPFR_RNDN);
    }
    long e = mpfr_zero_p(r) ? -1021 : mpfr_get_exp(r);
    if (isinf(got)) {
        mpfr_setsign(b, a, signbit(got), MPFR_RNDN);
    } else {
        mpfr_set_d(b, got, MPFR_RNDN);
    }
    mpfr_sub(r, r, b, MPFR_RNDN);
    e = e < -1021 ? -1021 : e;
    mpfr_mul_2si(r, r, 53 - e, MPFR_RNDN);
    double result = fabs(mpfr_get_d(r, MPFR_RNDN));
    mpfr_clears(a, b, r, (mpfr_ptr)0);
    return result;
}

/* ---- work ---- */

typedef struct job {
    unsigned which, part, parts;
    bool single;
    uint64_t stride, samples;
    worst worst;
} job;

static void sweep_single(job *j) {
    const function *f = &functions[j->which];
    float x[CHUNK], y[CHUNK];
    uint64_t count = ((uint64_t)1 << 32) / j->stride;
    for (uint64_t at = j->part * (uint64_t)CHUNK; at < count; at += (uint64_t)CHUNK * j->parts) {
        unsigned n = count - at < CHUNK ? (unsigned)(count - at) : CHUNK;
        for (unsigned i = 0; i < n; i++) {
            x[i] = from_bits_f32((uint32_t)((at + i) * j->stride));
            y[i] = f->single(x[i]);
        }
        for (unsigned i = 0; i < n; i++) {
            weigh_single(&j->worst, y[i], f->single_want(x[i]), x[i], 0);
        }
    }
}

static void sample_single_pow(job *j) {
    uint64_t state = 77 + j->part;
    for (uint64_t i = 0; i < j->samples / j->parts * KINDS; i++) {
        double x, y;
        draw_pow(i % KINDS, &state, true, &x, &y);
        float a = (float)x, b = (float)y;
        weigh_single(&j->worst, gf_pow_f32(a, b), pow(a, b), a, b);
    }
}

static void sample_wide(job *j) {
    uint64_t state = 1234567 + j->part;
    for (uint64_t i = 0; i < j->samples / j->parts * KINDS; i++) {
        double x, y = 0, got;
        long double want;
        if (j->which == POW) {
            draw_pow(i % KINDS, &state, false, &x, &y);
            got = gf_pow_f64(x, y);
            want = powl(x, y);
        } else {
            x = draw(j->which, i % KINDS, &state);
            if (i < 64 && i % 2 == 0) { /* the double nearest to a multiple of pi/2 of all, and its neighbours */
                x = from_bits_f64(bits_of_f64(0x1.6ac5b262ca1ffp849) - 16 + i / 2);
            }
            got = functions[j->which].wide(x);
            want = functions[j->which].wide_want(x);
        }
        worst before = j->worst;
        weigh_wide(&j->worst, got, want, x, y);
        if (j->worst.ulp > before.ulp) {
            double ulp = exact_error(j->which, got, x, y);
            if (ulp > before.ulp) {
                j->worst.ulp = ulp;
            } else {
                before.inputs++;
                j->worst = before;
            }
        }
    }
}

static void *work(void *argument) {
    job *j = argument;
    if (!j->single) {
        sample_wide(j);
    } else if (j->which == POW) {
        sample_single_pow(j);
    } else {
        sweep_single(j);
    }
    return NULL;
}

static int measure(unsigned which, bool single, uint64_t stride, uint64_t samples, unsigned threads) {
    pthread_t ids[THREADS_MAX];
    job jobs[THREADS_MAX];
    worst all = {0};
    for (unsigned t = 0; t < threads; t++) {
        jobs[t] =
            (job){.which = which, .part = t, .parts = threads, .single = single, .stride = stride, .samples = samples};
        if (pthread_create(&ids[t], NULL, work, &jobs[t]) != 0) {
            fprintf(stderr, "no thread\n");
            exit(2);
        }
    }
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        merge_worst(&all, &jobs[t].worst);
    }
    const char *name = name_of(which);
    printf("| %s | %s | %.3f | %llu |\n", name, single ? "f32" : "f64", all.ulp, (unsigned long long)all.inputs);
    fflush(stdout);
    fprintf(stderr, "%s: worst at %a %a, %llu of a wrong kind\n", name, all.x, all.y, (unsigned long long)all.wrong);
    return all.wrong != 0;
}

int main(int argc, char **argv) {
    uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t samples = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000000;
    unsigned threads = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 2;
    if (stride < 1 || samples < 1 || threads < 1 || threads > THREADS_MAX) {
        fprintf(stderr, "usage: elementary_ulp [stride [samples [threads [function]]]]\n");
        return 2;
    }
    const char *only = argc > 4 ? argv[4] : NULL;
    int wrong = 0;
    printf("| function | type | max error in ULP | inputs tested |\n| --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < 2 * (FUNCTION_COUNT + 1); i++) {
        unsigned f = i % (FUNCTION_COUNT + 1);
        if (only == NULL || strcmp(only, name_of(f)) == 0) {
            wrong |= measure(f, i == f, stride, samples, threads);
        }
    }
    return wrong;
}
