/* Shapes that went wrong elsewhere and need the C interface to be seen; the others are in tests/conform/anchor_*.gf. */
#include "run_test.h"

/* A launch that writes past its arguments, seen only after many. */
static void anchor_10_canary_after_a_thousand_launches(void **state) {
    (void)state;
    bench t = set_up("program add;\ninout u32 a[8];\n"
                     "kernel (8) workgroup(2) { let o = a[7 - gid.x]; grid_barrier; a[gid.x] = o + 1; }\n");
    uint32_t memory[8 + 2 * 64];
    memset(memory, 0xc5, sizeof memory);
    memset(memory + 64, 0, 8 * sizeof *memory);
    gf_bind_inout(t.bindings, "a", memory + 64, 8 * sizeof *memory);
    for (size_t i = 0; i < 1000; i++) {
        (void)run_well(&t, &(gf_run_options){.strategy = strategies[i % STRATEGY_COUNT]});
    }
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        assert_int_equal(memory[i], i >= 64 && i < 72 ? 1000 : 0xc5c5c5c5u);
    }
    tear_down(&t);
}

/* The same body with other types and params, one after the other on one device. */
static void anchor_45_same_body_other_types(void **state) {
    (void)state;
    const char *narrow = "program same;\nparam u32 k;\nout u32 y[4];\n"
                         "kernel (4) { y[gid.x] = k; grid_barrier; y[3 - gid.x] += 1; }\n";
    const char *wide = "program same;\nparam u64 k;\nout u64 y[4];\n"
                       "kernel (4) { y[gid.x] = k; grid_barrier; y[3 - gid.x] += 1; }\n";
    gf_diags *diags = gf_diags_create();
    gf_device *device = gf_device_open("interp", diags);
    gf_program *programs[2] = {parse(narrow, diags), parse(wide, diags)};
    gf_kernel *kernels[2];
    for (size_t i = 0; i < 2; i++) {
        kernels[i] = gf_kernel_create(device, programs[i], NULL, diags);
        assert_non_null(kernels[i]);
    }
    for (size_t round = 0; round < 4 * STRATEGY_COUNT; round++) {
        uint32_t few[4];
        uint64_t many[4];
        gf_bindings *b[2] = {gf_bindings_create(kernels[0]), gf_bindings_create(kernels[1])};
        gf_run_options how = {.strategy = strategies[round % STRATEGY_COUNT]};
        gf_bind_u32(b[0], "k", UINT32_MAX);
        gf_bind_output(b[0], "y", few, sizeof few);
        gf_bind_u64(b[1], "k", UINT32_MAX);
        gf_bind_output(b[1], "y", many, sizeof many);
        assert_true(gf_run(kernels[round % 2], b[round % 2], &how, NULL, diags));
        assert_true(gf_run(kernels[1 - round % 2], b[1 - round % 2], &how, NULL, diags));
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(few[i], 0);
            assert_int_equal(many[i], (uint64_t)UINT32_MAX + 1);
        }
        gf_bindings_destroy(b[0]);
        gf_bindings_destroy(b[1]);
    }
    for (size_t i = 0; i < 2; i++) {
        gf_kernel_destroy(kernels[i]);
        gf_program_destroy(programs[i]);
    }
    gf_device_destroy(device);
    gf_diags_destroy(diags);
}

/* A wait without a limit returns, whether the run was over before or not. */
static void anchor_63_a_wait_returns(void **state) {
    (void)state;
    bench t = set_up("program work;\nparam u32 turns;\nout u32 y[2];\n"
                     "kernel (2) workgroup(1) { for i in 0 .. turns { y[gid.x] += 1; grid_barrier; } }\n");
    uint32_t y[2];
    gf_bind_output(t.bindings, "y", y, sizeof y);
    for (uint32_t turns = 1; turns <= 10000; turns *= 100) {
        for (int over = 0; over < 2; over++) {
            gf_bind_u32(t.bindings, "turns", turns);
            gf_pending *pending = gf_run_async(t.kernel, t.bindings, NULL, t.diags);
            assert_non_null(pending);
            while (over != 0 && !gf_run_poll(pending)) {
            }
            assert_true(gf_run_wait(pending, NULL, t.diags));
            assert_int_equal(y[0], turns);
            assert_int_equal(y[1], turns);
        }
    }
    tear_down(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anchor_10_canary_after_a_thousand_launches),
        cmocka_unit_test(anchor_45_same_body_other_types),
        cmocka_unit_test(anchor_63_a_wait_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
