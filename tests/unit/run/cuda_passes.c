/* A run that is stopped within a pass, by a loop that does not end: that pass is no whole one, by any strategy. On the
 * played GPU. */
#include "run/kernel.h"
#include "run_test.h"
#include <stdlib.h>

static const char text[] = "program t;\nparam u32 n;\ninout u32 k[n];\nscratch u32 y[n];\n"
                           "kernel (n) fixpoint(100) on (k) {\n    let v = gid.x;\n"
                           "    grid while k[0] < 4294967040 {\n        y[v] = k[n - 1 - v];\n        grid_barrier;\n"
                           "        k[v] = y[v] & 15;\n        grid_barrier;\n    }\n}\n";

static void stopped_in_a_pass(void **state) {
    (void)state;
    static const gf_strategy ways[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_RESIDENT};
    gf_diags *diags = gf_diags_create();
    gf_device *device = gf_device_open("cuda", diags);
    gf_program *program = gf_program_parse(text, strlen(text), "t.gf", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    show(diags);
    assert_non_null(kernel);
    for (size_t i = 0; i < 2; i++) {
        uint32_t k[40] = {0};
        gf_bindings *bound = gf_bindings_create(kernel);
        gf_bind_u32(bound, "n", 40);
        gf_bind_inout(bound, "k", k, sizeof k);
        gf_run_options options = {.strategy = ways[i], .timeout = 0.3};
        gf_stats stats = {0};
        assert_false(gf_run(kernel, bound, &options, &stats, diags));
        gf_diag said;
        assert_true(gf_diags_get(diags, gf_diags_count(diags) - 1, &said));
        assert_non_null(strstr(said.message, "after 0 whole passes"));
        assert_int_equal(stats.passes, 0);
        gf_bindings_destroy(bound);
    }
    gf_kernel_destroy(kernel);
    gf_program_destroy(program);
    gf_device_destroy(device);
    gf_diags_destroy(diags);
}

/* In which pass an invocation fails, and in which segment of it; the loop has the pass go on for some turns. */
static const char fails[] =
    "program t;\nparam u32 n;\nparam u32 bad;\nparam u32 where;\ninout u32 k[n];\nscratch u32 y[n];\n"
    "kernel (n) fixpoint(100) on (k) {\n    let v = gid.x;\n"
    "    assert(where != 0 || k[v] != bad, \"first\");\n    y[v] = k[n - 1 - v];\n    grid_barrier;\n"
    "    for i in 0 .. 2 {\n        assert(where != 1 || k[v] != bad, \"inside\");\n        y[n - 1 - v] += i;\n"
    "        grid_barrier;\n    }\n    k[v] += 1;\n    grid_barrier;\n"
    "    assert(where != 2 || k[v] != bad + 1, \"last\");\n    y[v] = k[n - 1 - v];\n}\n";

static uint64_t passes_of(const char *device_name, gf_strategy way, uint32_t bad, uint32_t where, bool checked) {
    gf_diags *diags = gf_diags_create();
    gf_device *device = gf_device_open(device_name, diags);
    gf_program *program = gf_program_parse(fails, strlen(fails), "t.gf", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    show(diags);
    assert_non_null(kernel);
    uint32_t k[40] = {0};
    gf_bindings *bound = gf_bindings_create(kernel);
    gf_bind_u32(bound, "n", 40);
    gf_bind_u32(bound, "bad", bad);
    gf_bind_u32(bound, "where", where);
    gf_bind_inout(bound, "k", k, sizeof k);
    gf_stats stats = {0};
    assert_false(gf_run(kernel, bound, &(gf_run_options){.strategy = way, .checked = checked}, &stats, diags));
    gf_diag said;
    assert_true(gf_diags_get(diags, gf_diags_count(diags) - 1, &said));
    assert_non_null(strstr(said.message, "assert failed"));
    gf_bindings_destroy(bound);
    gf_kernel_destroy(kernel);
    gf_program_destroy(program);
    gf_device_destroy(device);
    gf_diags_destroy(diags);
    return stats.passes;
}

static void failed_in_a_pass(void **state) {
    (void)state;
    static const gf_strategy ways[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_PERSISTENT, GF_STRATEGY_RESIDENT,
                                       GF_STRATEGY_HOST};
    bool right = true;
    for (uint32_t bad = 0; bad < 20; bad += 17) { /* in the first pass; in a loop of the graph */
        for (uint32_t where = 0; where < 3; where++) {
            uint64_t expected = passes_of("interp", GF_STRATEGY_NATIVE, bad, where, false);
            for (size_t i = 0; i < 8; i++) {
                uint64_t found = passes_of("cuda", ways[i % 4], bad, where, i >= 4);
                if (found != expected) {
                    print_message("pass %u, place %u, %s: %llu instead of %llu\n", bad, where,
                                  gf_strategy_name(ways[i % 4]), (unsigned long long)found,
                                  (unsigned long long)expected);
                    right = false;
                }
            }
        }
    }
    assert_true(right);
}

int main(void) {
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(stopped_in_a_pass), cmocka_unit_test(failed_in_a_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
