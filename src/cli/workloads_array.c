/* Workloads on arrays: scan, sort, histogram. */
#include "base/memory.h"
#include "cli/bench_threads.h"
#include "cli/workloads.h"
#include "io/random.h"
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define COUNT ((uint32_t)1 << 26)
#define COUNT_QUICK 5000 /* no power of two, no whole workgroups */
#define SEED 3

#define GRAIN ((uint64_t)1 << 18) /* elements that a thread is worth */

static uint32_t element_count(const gf_bench_setup *setup) {
    uint32_t set = setup->quick ? COUNT_QUICK : COUNT;
    return setup->shape.count > 0 ? setup->shape.count : set;
}

static void draw_elements(void *context, uint64_t begin, uint64_t end) {
    uint32_t *x = context;
    for (uint64_t i = begin; i < end; i++) {
        x[i] = (uint32_t)gf_random_draw(SEED, i);
    }
}

static uint32_t *add_random(gf_bench_case *out, const char *name, uint32_t n, gf_diags *diags) {
    uint32_t *x = gf_bench_add(&out->inputs, name, GF_TYPE_U32, n, diags);
    if (x != NULL) {
        gf_bench_share(n, GRAIN, draw_elements, x);
    }
    return x;
}

static const void *input(const gf_bench_case *at, const char *name) {
    const gf_bench_array *array = gf_bench_find(&at->inputs, name);
    return array != NULL ? array->data : NULL;
}

/* ---- scan ---- */

bool gf_make_scan(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    uint32_t n = element_count(setup);
    gf_bench_set(out, "n", n);
    gf_bench_borrow(&out->outputs, "y", GF_TYPE_U32, NULL, n);
    gf_bench_borrow(&out->outputs, "total", GF_TYPE_U32, NULL, 1);
    (void)snprintf(out->size, sizeof out->size, "%" PRIu32 " u32", n);
    return add_random(out, "x", n, diags) != NULL;
}

bool gf_check_scan(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    const uint32_t *x = input(at, "x");
    const uint32_t *y = gf_bench_want(at, results, "y", why);
    const gf_bench_array *total = gf_bench_find(results, "total");
    uint32_t sum = 0;
    for (uint32_t i = 0; y != NULL && i < n; i++) {
        sum += x[i];
        if (y[i] != sum) {
            (void)snprintf(why, 160, "y[%" PRIu32 "] is %" PRIu32 ", expected %" PRIu32, i, y[i], sum);
            return false;
        }
    }
    if (y != NULL && total != NULL && *(const uint32_t *)total->data != sum) {
        (void)snprintf(why, 160, "total is wrong");
        return false;
    }
    return y != NULL;
}

/* ---- copy ---- */

const char gf_copy_text[] = "program copies;\n"
                            "param u32 n;\n"
                            "in u32 x[n];\n"
                            "out u32 y[n];\n"
                            "kernel (n) workgroup(%u) {\n"
                            "    y[gid.x] = x[gid.x];\n"
                            "}\n";

bool gf_make_copying(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    uint32_t n = element_count(setup);
    gf_bench_set(out, "n", n);
    gf_bench_borrow(&out->outputs, "y", GF_TYPE_U32, NULL, n);
    (void)snprintf(out->size, sizeof out->size, "%" PRIu32 " u32", n);
    return add_random(out, "x", n, diags) != NULL;
}

bool gf_check_copying(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const uint32_t *y = gf_bench_want(at, results, "y", why);
    bool right = y != NULL && memcmp(y, input(at, "x"), (size_t)gf_bench_get(at, "n") * sizeof *y) == 0;
    if (y != NULL && !right) {
        (void)snprintf(why, 160, "y is not x");
    }
    return right;
}

/* ---- sort ---- */

bool gf_make_sort(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    uint32_t n = element_count(setup);
    gf_bench_set(out, "n", n);
    gf_bench_borrow(&out->outputs, "key", GF_TYPE_U32, NULL, n);
    (void)snprintf(out->size, sizeof out->size, "%" PRIu32 " u32", n);
    return add_random(out, "key", n, diags) != NULL;
}

/* A sum over the elements that tells multisets apart. */
typedef struct multiset {
    const uint32_t *x;
    atomic_ullong sum;
} multiset;

static void add_draws(void *context, uint64_t begin, uint64_t end) {
    multiset *at = context;
    uint64_t sum = 0;
    for (uint64_t i = begin; i < end; i++) {
        sum += gf_random_draw(at->x[i], 0);
    }
    atomic_fetch_add(&at->sum, sum);
}

static uint64_t sum_of_draws(const uint32_t *x, uint32_t n) {
    multiset at = {.x = x};
    gf_bench_share(n, GRAIN, add_draws, &at);
    return at.sum;
}

bool gf_check_sort(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    const uint32_t *key = gf_bench_want(at, results, "key", why);
    for (uint32_t i = 1; key != NULL && i < n; i++) {
        if (key[i - 1] > key[i]) {
            (void)snprintf(why, 160, "key[%" PRIu32 "] is less than the key before it", i);
            return false;
        }
    }
    if (key != NULL && sum_of_draws(key, n) != sum_of_draws(input(at, "key"), n)) {
        (void)snprintf(why, 160, "the keys are not those that were given");
        return false;
    }
    return key != NULL;
}

/* ---- histogram ---- */

#define VALUES 256

bool gf_make_histogram(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    uint32_t n = element_count(setup);
    uint8_t *x = gf_bench_add(&out->inputs, "x", GF_TYPE_U8, n, diags);
    for (uint32_t i = 0; x != NULL && i < n; i++) {
        uint64_t draw = gf_random_draw(SEED, i);
        x[i] = (uint8_t)(draw & draw >> 8); /* some values are more frequent than others */
    }
    gf_bench_set(out, "n", n);
    gf_bench_borrow(&out->outputs, "count", GF_TYPE_U32, NULL, VALUES);
    gf_bench_borrow(&out->outputs, "begin", GF_TYPE_U32, NULL, VALUES);
    (void)snprintf(out->size, sizeof out->size, "%" PRIu32 " u8", n);
    return x != NULL;
}

bool gf_check_histogram(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    const uint8_t *x = input(at, "x");
    const uint32_t *count = gf_bench_want(at, results, "count", why);
    const gf_bench_array *begin = gf_bench_find(results, "begin");
    uint32_t expected[VALUES] = {0};
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        expected[x[i]]++;
    }
    for (uint32_t v = 0; count != NULL && v < VALUES; v++) {
        if (count[v] != expected[v] || (begin != NULL && ((const uint32_t *)begin->data)[v] != sum)) {
            (void)snprintf(why, 160, "count or begin of %" PRIu32 " is wrong", v);
            return false;
        }
        sum += expected[v];
    }
    return count != NULL;
}
