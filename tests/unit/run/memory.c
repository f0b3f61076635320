/* Every allocation of a run may fail: a clean error, nothing written, nothing lost. */
#include "base/memory.h"
#include "run_test.h"

static const char text[] =
    "program mixed;\nparam u32 n;\nin u32 x[];\ninout u32 a[n];\nout u32 y[n];\nscratch u32 s[n];\n"
    "kernel (n) workgroup(4) fixpoint(3) on (a) {\n"
    "    let t = atomic_add(s[0], 1);\n    grid_barrier;\n"
    "    let total = grid_add(x[gid.x]);\n"
    "    a[gid.x] = max(a[gid.x], total);\n    y[gid.x] = a[gid.x] + t * 0;\n}\n";

static bool run_once(gf_program *program, gf_strategy strategy, gf_diags *diags) {
    uint32_t x[6] = {1, 2, 3, 4, 5, 6};
    uint32_t a[6] = {0, 0, 0, 0, 0, 0};
    uint32_t y[6] = {7, 7, 7, 7, 7, 7};
    gf_device *device = gf_device_open("interp", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    gf_bindings *b = gf_bindings_create(kernel);
    if (kernel != NULL && b == NULL) {
        gf_kernel_destroy(kernel);
        gf_device_destroy(device);
        return false;
    }
    gf_buffer *buffer = gf_buffer_create(device, sizeof a, diags);
    if (device != NULL && buffer == NULL) {
        gf_bindings_destroy(b);
        gf_kernel_destroy(kernel);
        gf_device_destroy(device);
        return false;
    }
    gf_bind_u32(b, "n", 6);
    gf_bind_input(b, "x", x, sizeof x);
    gf_bind_inout(b, "a", a, sizeof a);
    gf_bind_output(b, "y", y, sizeof y);
    bool done = gf_run(kernel, b, &(gf_run_options){.strategy = strategy}, NULL, diags);
    assert_int_equal(a[5], done ? 21 : 0);
    assert_int_equal(y[5], done ? 21 : 7);
    gf_buffer_destroy(buffer);
    gf_bindings_destroy(b);
    gf_kernel_destroy(kernel);
    gf_device_destroy(device);
    return done;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse(text, diags);
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        (void)gf_memory_fail_at(0, false);
        gf_diags_clear(diags);
        bool well = run_once(program, strategies[s], diags);
        show(diags);
        assert_true(well);
        uint64_t most = gf_memory_fail_at(0, false);
        assert_true(most > 20);
        for (uint64_t n = 1; n <= most; n++) {
            gf_diags_clear(diags);
            (void)gf_memory_fail_at(n, n % 2 == 0);
            (void)run_once(program, strategies[s], diags);
            (void)gf_memory_fail_at(0, false);
        }
    }
    gf_program_destroy(program);
    gf_diags_destroy(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
