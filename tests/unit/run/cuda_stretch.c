/* What goes wrong in a stretch of several segments, by each strategy, on the played GPU: by segments that are kernels
 * of a graph each of them goes on, the next stretch does not, and a block that begins late is heard. */
#include "backend/cuda/kernel.h"
#include "run/kernel.h"
#include "run_test.h"
#include <stdlib.h>

static const char text[] =
    "program t;\nparam u32 n;\nparam u32 a;\nparam u32 b;\nparam u32 c;\nparam u32 d;\n"
    "out u32 x[n];\nscratch u32 y[n];\n"
    "kernel {\n    for turn in 0 .. 3 {\n"
    "        forall i in 0 .. n {\n            assert(i < a || turn != 1, \"first\");\n            x[i] += 1;\n"
    "        }\n"
    "        forall i in 0 .. n {\n            assert(i != b || turn != 1, \"second\");\n"
    "            y[i] = i;\n        }\n"
    "        grid_barrier;\n"
    "        forall i in 0 .. n {\n            assert(x[i] != c, \"third\");\n"
    "            y[n - 1 - i] += 1;\n        }\n"
    "        forall i in 0 .. n {\n            assert(i != d, \"fourth\");\n        }\n"
    "        grid_barrier;\n    }\n}\n";

#define ITEMS 5000
#define NONE UINT32_MAX

static void lowest_of_the_earliest(void **state) {
    (void)state;
    static const struct {
        uint32_t a, b, c, d;
        const char *told;
    } cases[] = {
        {NONE, 7, NONE, NONE, "assert failed: \"second\" (invocation 7)"},
        {300, 7, NONE, NONE, "assert failed: \"second\" (invocation 7)"},
        {300, NONE, NONE, NONE, "assert failed: \"first\" (invocation 300)"},
        {4990, 7, NONE, NONE, "assert failed: \"second\" (invocation 7)"},
        {7, 7, 2, NONE, "assert failed: \"first\" (invocation 7)"},
        {NONE, 8, 2, NONE, "assert failed: \"second\" (invocation 8)"},
        {300, 7, 1, 4999, "assert failed: \"third\" (invocation 0)"},
        {NONE, NONE, 1, 0, "assert failed: \"third\" (invocation 0)"},
        {300, 8, NONE, 9, "assert failed: \"fourth\" (invocation 9)"},
    };
    static const gf_strategy ways[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_PERSISTENT, GF_STRATEGY_RESIDENT,
                                       GF_STRATEGY_HOST};
    bench b = set_up_on(gf_device_open("cuda", NULL), text, NULL);
    show(b.diags);
    assert_non_null(b.bindings);
    uint32_t *x = calloc(ITEMS, sizeof *x);
    assert_non_null(x);
    gf_bind_u32(b.bindings, "n", ITEMS);
    gf_bind_output(b.bindings, "x", x, ITEMS * sizeof *x);
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        gf_run_options options = {.strategy = ways[way]};
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            gf_bind_u32(b.bindings, "a", cases[i].a);
            gf_bind_u32(b.bindings, "b", cases[i].b);
            gf_bind_u32(b.bindings, "c", cases[i].c);
            gf_bind_u32(b.bindings, "d", cases[i].d);
            gf_stats stats = run_badly(&b, &options, GF_STATUS_TRAP, cases[i].told);
            assert_int_equal(stats.converged, -1);
        }
        gf_bind_u32(b.bindings, "a", NONE);
        gf_bind_u32(b.bindings, "b", NONE);
        gf_bind_u32(b.bindings, "c", NONE);
        gf_bind_u32(b.bindings, "d", NONE);
        (void)run_well(&b, &options);
        assert_int_equal(x[ITEMS - 1], 3);
    }
    const gf_cuda_kernel *kernel = b.kernel->native[0];
    assert_non_null(kernel->stages);
    free(x);
    tear_down(&b);
}

int main(void) {
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_SMS", "2", 1), 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(lowest_of_the_earliest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
