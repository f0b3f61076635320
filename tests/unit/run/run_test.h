/* What the tests of runs share: programs from text, and messages looked at. */
#ifndef GF_TESTS_RUN_TEST_H
#define GF_TESTS_RUN_TEST_H

/* clang-format off */
#include <gridfence/backend.h>
#include <gridfence/run.h>
#include "unit/unit.h"
/* clang-format on */

typedef struct bench {
    gf_diags *diags;
    gf_device *device;
    gf_program *program;
    gf_kernel *kernel;
    gf_bindings *bindings;
} bench;

static inline void show(const gf_diags *diags) {
    if (gf_diags_count(diags) > 0) {
        gf_diags_print(diags, stderr);
    }
}

static inline gf_program *parse(const char *text, gf_diags *diags) {
    gf_program *program = gf_program_parse(text, strlen(text), "test.gf", diags);
    if (program == NULL) {
        show(diags);
    }
    assert_non_null(program);
    return program;
}

/* On a device of the caller, which the bench takes over. */
static inline bench set_up_on(gf_device *device, const char *text, const gf_kernel_options *options) {
    bench b = {.diags = gf_diags_create()};
    b.device = device;
    b.program = parse(text, b.diags);
    gf_diags_clear(b.diags);
    b.kernel = gf_kernel_create(b.device, b.program, options, b.diags);
    b.bindings = gf_bindings_create(b.kernel);
    return b;
}

static inline bench set_up(const char *text) {
    bench b = set_up_on(gf_device_open("interp", NULL), text, &(gf_kernel_options){.plan = {.keep_empty = true}});
    if (b.bindings == NULL) {
        show(b.diags);
    }
    assert_non_null(b.bindings);
    return b;
}

static inline void tear_down(bench *b) {
    /* Any order will do. */
    gf_program_destroy(b->program);
    gf_device_destroy(b->device);
    gf_kernel_destroy(b->kernel);
    gf_bindings_destroy(b->bindings);
    gf_diags_destroy(b->diags);
}

static inline gf_stats run_well(bench *b, const gf_run_options *options) {
    gf_stats stats;
    gf_diags_clear(b->diags);
    bool done = gf_run(b->kernel, b->bindings, options, &stats, b->diags);
    if (!done) {
        show(b->diags);
    }
    assert_true(done);
    assert_int_equal(stats.status, GF_STATUS_OK);
    return stats;
}

/* The run must fail with that status, and its first message hold that text. */
static inline gf_stats run_badly(bench *b, const gf_run_options *options, gf_status status, const char *text) {
    gf_stats stats;
    gf_diag first;
    gf_diags_clear(b->diags);
    assert_false(gf_run(b->kernel, b->bindings, options, &stats, b->diags));
    assert_true(gf_diags_get(b->diags, 0, &first));
    if (strstr(first.message, text) == NULL || stats.status != status) {
        show(b->diags);
    }
    assert_non_null(strstr(first.message, text));
    assert_int_equal(stats.status, status);
    assert_int_equal(gf_diags_status(b->diags), status);
    return stats;
}

/* The strategies that the interpreter has. */
static const gf_strategy strategies[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_RESIDENT, GF_STRATEGY_HOST};
#define STRATEGY_COUNT (sizeof strategies / sizeof strategies[0])

#endif
