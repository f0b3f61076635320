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

int main(void) {
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(stopped_in_a_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
