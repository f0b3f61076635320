/* k-means: the check runs the same iterations in f64. Rounding moves a point between two centres now and then, so a few
 * labels may differ and the centres by little. */
#include "base/memory.h"
#include "cli/workloads.h"
#include "io/random.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEED 5
#define CLOUDS 20 /* no multiple of the centres, which then have something to do */

static double draw(uint64_t index) {
    return (double)(gf_random_draw(SEED, index) >> 40) / 16777216.0;
}

/* Clouds that overlap: a place of the cloud, and three draws around it. */
static void fill_points(float *x, uint32_t n, uint32_t dims) {
    for (uint32_t p = 0; p < n; p++) {
        for (uint32_t j = 0; j < dims; j++) {
            uint64_t index = ((uint64_t)p * dims + j) * 3 + (uint64_t)CLOUDS * dims;
            x[(size_t)p * dims + j] =
                (float)(4 * draw((uint64_t)(p % CLOUDS) * dims + j) + draw(index) + draw(index + 1) + draw(index + 2));
        }
    }
}

bool gf_make_kmeans(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    uint32_t n = setup->quick ? 700 : (uint32_t)1 << 20;
    uint32_t dims = setup->quick ? 3 : 8;
    uint32_t k = setup->quick ? 5 : 16;
    uint32_t iterations = setup->quick ? 4 : 10;
    float *x = gf_bench_add(&out->inputs, "x", GF_TYPE_F32, (uint64_t)n * dims, diags);
    float *centre = x != NULL ? gf_bench_add(&out->inputs, "centre", GF_TYPE_F32, (uint64_t)k * dims, diags) : NULL;
    if (centre == NULL) {
        return false;
    }
    fill_points(x, n, dims);
    memcpy(centre, x, (size_t)k * dims * sizeof *x);
    gf_bench_set(out, "n", n);
    gf_bench_set(out, "dims", dims);
    gf_bench_set(out, "k", k);
    gf_bench_set(out, "max_iter", iterations);
    gf_bench_borrow(&out->outputs, "centre", GF_TYPE_F32, NULL, (uint64_t)k * dims);
    gf_bench_borrow(&out->outputs, "label", GF_TYPE_U32, NULL, n);
    gf_bench_borrow(&out->outputs, "members", GF_TYPE_U32, NULL, k);
    gf_bench_borrow(&out->outputs, "iterations", GF_TYPE_U32, NULL, 1);
    (void)snprintf(out->size, sizeof out->size,
                   "%" PRIu32 " points of %" PRIu32 " dimensions, %" PRIu32 " centres, %" PRIu32 " iterations", n, dims,
                   k, iterations);
    return true;
}

static uint32_t nearest(const float *point, const double *centre, uint32_t dims, uint32_t k) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t c = 0; c < k; c++) {
        double square = 0;
        for (uint32_t j = 0; j < dims; j++) {
            double d = (double)point[j] - centre[(size_t)c * dims + j];
            square += d * d;
        }
        if (square < least) {
            least = square;
            best = c;
        }
    }
    return best;
}

/* Points go to the nearest centre, centres to the middle of their points. `sum` has room for as much as `centre`. */
static void iterate(const float *x, uint32_t n, uint32_t dims, uint32_t k, double *centre, uint32_t *label, double *sum,
                    uint32_t *members) {
    memset(sum, 0, (size_t)k * dims * sizeof *sum);
    memset(members, 0, k * sizeof *members);
    for (uint32_t p = 0; p < n; p++) {
        const float *point = x + (size_t)p * dims;
        label[p] = nearest(point, centre, dims, k);
        members[label[p]]++;
        for (uint32_t j = 0; j < dims; j++) {
            sum[(size_t)label[p] * dims + j] += (double)point[j];
        }
    }
    for (uint32_t i = 0; i < k * dims; i++) {
        uint32_t points = members[i / dims];
        centre[i] = points > 0 ? sum[i] / points : centre[i];
    }
}

static bool expect_kmeans(gf_bench_case *at) {
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    uint32_t dims = (uint32_t)gf_bench_get(at, "dims");
    uint32_t k = (uint32_t)gf_bench_get(at, "k");
    const float *first = gf_bench_find(&at->inputs, "centre")->data;
    double *centre = gf_bench_add(&at->expected, "centre", GF_TYPE_F64, (uint64_t)k * dims, NULL);
    uint32_t *label = gf_bench_add(&at->expected, "label", GF_TYPE_U32, n, NULL);
    uint32_t *members = gf_calloc(k, sizeof *members);
    double *sum = gf_calloc((size_t)k * dims, sizeof *sum);
    bool done = centre != NULL && label != NULL && members != NULL && sum != NULL;
    for (uint32_t i = 0; done && i < k * dims; i++) {
        centre[i] = (double)first[i];
    }
    for (uint32_t it = 0; done && it < (uint32_t)gf_bench_get(at, "max_iter"); it++) {
        iterate(gf_bench_find(&at->inputs, "x")->data, n, dims, k, centre, label, sum, members);
    }
    gf_free(members);
    gf_free(sum);
    return done;
}

bool gf_check_kmeans(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const float *centre = gf_bench_want(at, results, "centre", why);
    const uint32_t *label = gf_bench_want(at, results, "label", why);
    if (centre == NULL || label == NULL || (at->expected.count == 0 && !expect_kmeans(at))) {
        return false;
    }
    const double *right = gf_bench_find(&at->expected, "centre")->data;
    const gf_bench_array *labels = gf_bench_find(&at->expected, "label");
    uint64_t other = 0;
    for (uint64_t i = 0; i < gf_bench_find(&at->expected, "centre")->count; i++) {
        if (!(fabs((double)centre[i] - right[i]) <= 1e-3)) {
            (void)snprintf(why, 160, "centre[%" PRIu64 "] is %g, in f64 %g", i, (double)centre[i], right[i]);
            return false;
        }
    }
    for (uint64_t p = 0; p < labels->count; p++) {
        other += label[p] != ((const uint32_t *)labels->data)[p];
    }
    if (other > labels->count / 1000) {
        (void)snprintf(why, 160, "%" PRIu64 " labels are not those in f64", other);
        return false;
    }
    return true;
}
