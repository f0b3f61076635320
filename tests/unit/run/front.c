/* Arguments of runs, refused at the front door. */
#include "run_test.h"

static const char scale[] =
    "program scale;\n"
    "param u32 n;\nparam f32 f = 2.0;\n"
    "in f32 x[n];\nin u32 more[];\nout f32 y[n];\nscratch u32 s[n];\n"
    "kernel (n) workgroup(32) { y[gid.x] = x[gid.x] * f; if gid.x == 0 { y[0] = f32(len(more)); } }\n";

static void what_is_missing_is_listed(void **state) {
    (void)state;
    bench t = set_up(scale);
    run_badly(&t, NULL, GF_STATUS_USAGE, "param `n`, buffer `x`, buffer `more`");
    assert_int_equal(gf_diags_error_count(t.diags), 1);
    tear_down(&t);
}

static void names_types_and_sizes_are_told_by_the_run(void **state) {
    (void)state;
    float x[3] = {1, 2, 3};
    float y[4] = {9, 9, 9, 9};
    uint32_t more[2] = {0};
    bench t = set_up(scale);
    gf_bind_u32(t.bindings, "n", 3);
    gf_bind_input(t.bindings, "x", x, sizeof x);
    gf_bind_input(t.bindings, "more", more, sizeof more);
    gf_bind_output(t.bindings, "y", y, sizeof y);
    gf_stats stats = run_well(&t, NULL);
    assert_true(y[0] == 2 && y[1] == 4 && y[2] == 6 && y[3] == 9);
    assert_int_equal(stats.strategy, GF_STRATEGY_NATIVE);

    gf_bind_u32(t.bindings, "typo", 3);
    run_badly(&t, NULL, GF_STATUS_USAGE, "no param `typo`");
    run_well(&t, NULL);
    gf_bind_input(t.bindings, "nothing", x, sizeof x);
    run_badly(&t, NULL, GF_STATUS_USAGE, "no buffer `nothing`");
    gf_bind_i32(t.bindings, "n", 3);
    run_badly(&t, NULL, GF_STATUS_USAGE, "`n` is u32 and was given a value of type i32");
    gf_bind_u32(t.bindings, "n", 4);
    run_badly(&t, NULL, GF_STATUS_USAGE, "12 bytes and needs 16");
    gf_bind_u32(t.bindings, "n", 3);
    gf_bind_input(t.bindings, "more", more, 7);
    run_badly(&t, NULL, GF_STATUS_USAGE, "no whole number of u32");
    gf_bind_input(t.bindings, "more", more, sizeof more);
    gf_bind_inout(t.bindings, "x", x, sizeof x);
    run_badly(&t, NULL, GF_STATUS_USAGE, "`x` is `in` and was bound as an inout");
    gf_bind_input(t.bindings, "x", NULL, 12);
    run_badly(&t, NULL, GF_STATUS_USAGE, "no memory");
    gf_bind_input(t.bindings, "x", x, sizeof x);
    gf_bind_f32(t.bindings, "f", 3);
    run_well(&t, NULL);
    assert_true(y[2] == 9);
    run_badly(&t, &(gf_run_options){.strategy = (gf_strategy)17}, GF_STATUS_USAGE, "strategy number 17");
    run_badly(&t, &(gf_run_options){.timeout = -1}, GF_STATUS_USAGE, "time limit");
    tear_down(&t);
}

/* B37 */
static void b37_overlap_names_both(void **state) {
    (void)state;
    const char *text = "program two;\nin u32 a[2];\nin u32 b[2];\ninout u32 c[2];\nout u32 d[2];\n"
                       "kernel (2) { c[gid.x] += a[gid.x] + b[gid.x]; d[gid.x] = 1; }\n";
    uint32_t m[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t d[2];
    bench t = set_up(text);
    gf_bind_input(t.bindings, "a", m, 8);
    gf_bind_input(t.bindings, "b", m + 1, 8);
    gf_bind_inout(t.bindings, "c", m + 3, 8);
    gf_bind_output(t.bindings, "d", d, 8);
    run_well(&t, NULL);
    assert_int_equal(m[3], 4 + 1 + 2);
    gf_bind_inout(t.bindings, "c", m + 2, 8);
    run_badly(&t, NULL, GF_STATUS_USAGE, "buffers `b` and `c` share memory");
    gf_bind_inout(t.bindings, "c", m + 3, 8);
    gf_bind_output(t.bindings, "d", (char *)m + 13, 8);
    run_badly(&t, NULL, GF_STATUS_USAGE, "buffers `c` and `d` share memory");
    gf_buffer *buffer = gf_buffer_create(t.device, 8, t.diags);
    gf_bind_buffer(t.bindings, "c", buffer);
    gf_bind_buffer(t.bindings, "a", buffer);
    gf_bind_output(t.bindings, "d", d, 8);
    run_badly(&t, NULL, GF_STATUS_USAGE, "buffers `a` and `c` share memory");
    gf_bind_buffer(t.bindings, "b", buffer);
    gf_bind_inout(t.bindings, "c", m + 3, 8);
    run_well(&t, NULL);
    gf_buffer_destroy(buffer);
    tear_down(&t);
}

static void limits_are_refused_with_both_numbers(void **state) {
    (void)state;
    const char *text =
        "program limits;\nparam u64 n;\nparam u64 size = 4;\nout u32 a[size];\nkernel (n) { a[0] = 1; }\n";
    uint32_t a[4];
    bench t = set_up(text);
    gf_bind_output(t.bindings, "a", a, sizeof a);
    gf_bind_u64(t.bindings, "n", UINT64_C(1) << 32);
    run_badly(&t, NULL, GF_STATUS_DEVICE, "4294967296 invocations on axis x");
    gf_bind_u64(t.bindings, "n", 1);
    gf_bind_u64(t.bindings, "size", UINT64_MAX);
    run_badly(&t, NULL, GF_STATUS_USAGE, "more than can be addressed");
    gf_bind_u64(t.bindings, "size", 4);
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        run_badly(&t, &(gf_run_options){.memory_limit = 15, .strategy = strategies[s]}, GF_STATUS_DEVICE,
                  "needs 16 bytes of device memory, and the limit is 15");
        run_well(&t, &(gf_run_options){.memory_limit = 16, .strategy = strategies[s]});
    }
    tear_down(&t);
    t = set_up_on(gf_device_open("interp", NULL), "program w; out u32 a[1]; kernel (1) { a[0] = 1; }",
                  &(gf_kernel_options){.workgroup = {1025, 1, 1}});
    assert_null(t.kernel);
    tear_down(&t);
}

static void a_fixpoint_needs_a_pass(void **state) {
    (void)state;
    uint32_t a[1] = {0};
    bench t = set_up("program f; param u32 most; inout u32 a[1]; kernel (1) fixpoint(most) { a[0] = 1; }");
    gf_bind_u32(t.bindings, "most", 0);
    gf_bind_inout(t.bindings, "a", a, sizeof a);
    run_badly(&t, NULL, GF_STATUS_USAGE, "0 passes");
    gf_stats stats = run_well(&t, &(gf_run_options){.max_passes = 1});
    assert_int_equal(stats.converged, 0);
    a[0] = 0;
    run_badly(&t, &(gf_run_options){.max_passes = 1, .require_converged = true}, GF_STATUS_NOT_CONVERGED,
              "not converged after 1 pass");
    assert_int_equal(a[0], 0);
    stats = run_well(&t, &(gf_run_options){.max_passes = 2, .require_converged = true});
    assert_int_equal(stats.converged, 1);
    tear_down(&t);
}

static gf_kernel *with_workgroup(bench *t, const char *text, uint32_t x) {
    *t = set_up_on(gf_device_open("interp", NULL), text, &(gf_kernel_options){.workgroup = {x, 1, 1}});
    return t->kernel;
}

static void another_workgroup_where_nothing_depends_on_it(void **state) {
    (void)state;
    static const char *const refused[] = {
        "program a; out u32 a[1]; kernel (1) { a[0] = lid.x; }",
        "program a; out u32 a[1]; kernel (1) { a[0] = grid_size.x; }",
        "program a; out u32 a[1]; kernel groups(1) { a[0] = 1; }",
        "program a; out u32 a[group_size.x]; kernel (1) { a[0] = 1; }",
        "program a; out u32 a[1]; kernel (1) { let x = group_add(gid.x); a[0] = x; }",
        "program a; out u32 a[1]; kernel (1) { barrier; a[0] = 1; }",
        "program a; out u32 a[1]; fn u32 f() { return wid.x; } kernel (1) { a[0] = f(); }",
    };
    bench t;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_null(with_workgroup(&t, refused[i], 32));
        assert_int_equal(gf_diags_status(t.diags), GF_STATUS_USAGE);
        tear_down(&t);
    }
    uint32_t a[100] = {0};
    assert_non_null(with_workgroup(&t, "program a; out u32 a[100]; kernel (100) { a[gid.x] = gid.x; }", 7));
    gf_bind_output(t.bindings, "a", a, sizeof a);
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_int_equal(a[99], 99);
    }
    tear_down(&t);
}

static void buffers_are_checked(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_device *device = gf_device_open("interp", diags);
    gf_buffer *buffer = gf_buffer_create(device, 8, diags);
    gf_device_destroy(device);
    uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    assert_true(gf_buffer_read(buffer, 0, data, 8, diags));
    assert_int_equal(data[7], 0);
    assert_false(gf_buffer_write(buffer, 1, data, 8, diags));
    assert_false(gf_buffer_read(buffer, SIZE_MAX, data, 2, diags));
    assert_int_equal(gf_diags_status(diags), GF_STATUS_USAGE);
    assert_true(gf_buffer_write(buffer, 8, NULL, 0, diags));
    assert_int_equal(gf_buffer_bytes(buffer), 8);
    gf_buffer_destroy(buffer);
    gf_diags_destroy(diags);
}

static void misaligned_input_is_fine(void **state) {
    (void)state;
    unsigned char bytes[9] = {0, 1, 0, 0, 0, 2, 0, 0, 0};
    uint32_t out[2];
    bench t = set_up("program m; in u32 x[2]; out u32 y[2]; kernel (2) { y[gid.x] = x[gid.x]; }");
    gf_bind_input(t.bindings, "x", bytes + 1, 8);
    gf_bind_output(t.bindings, "y", out, sizeof out);
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_int_equal(out[1], 2);
    }
    tear_down(&t);
}

static void indirect_counts_are_read_once(void **state) {
    (void)state;
    const char *text = "program i;\ninout u32 counts[4];\nout u32 seen[1];\n"
                       "kernel indirect(counts, 1) workgroup(4) {\n"
                       "    atomic_add(seen[0], 1); grid_barrier; counts[1] = 0; }\n";
    bench t = set_up(text);
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t counts[4] = {9, 2, 3, 1};
        uint32_t seen = 0;
        gf_bind_inout(t.bindings, "counts", counts, sizeof counts);
        gf_bind_output(t.bindings, "seen", &seen, sizeof seen);
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_int_equal(seen, 2 * 4 * 3);
        assert_int_equal(counts[1], 0);
    }
    tear_down(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_listed),
        cmocka_unit_test(names_types_and_sizes_are_told_by_the_run),
        cmocka_unit_test(b37_overlap_names_both),
        cmocka_unit_test(limits_are_refused_with_both_numbers),
        cmocka_unit_test(a_fixpoint_needs_a_pass),
        cmocka_unit_test(another_workgroup_where_nothing_depends_on_it),
        cmocka_unit_test(buffers_are_checked),
        cmocka_unit_test(misaligned_input_is_fine),
        cmocka_unit_test(indirect_counts_are_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
