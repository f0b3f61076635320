/* The page from text to result, and what strategies give for it. */
#include "run_test.h"

static const char reach[] = "program reach;\n"
                            "const u32 INF = 0xffffffff;\n"
                            "param u32 n;\n"
                            "in u32 row[n + 1];\n"
                            "in u32 col[];\n"
                            "inout u32 dist[n];\n"
                            "kernel (n) workgroup(64) fixpoint(n) on (dist) {\n"
                            "    let v = gid.x;\n"
                            "    let d = atomic_load(dist[v]);\n"
                            "    if d != INF {\n"
                            "        for e in row[v] .. row[v + 1] { atomic_min(dist[col[e]], d + 1); }\n"
                            "    }\n"
                            "}\n";

static void page_of_the_interface(void **state) {
    (void)state;
    uint32_t row[] = {0, 2, 3, 4, 4};
    uint32_t col[] = {1, 2, 3, 1};
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t dist[] = {0, UINT32_MAX, UINT32_MAX, UINT32_MAX};
        gf_diags *diags = gf_diags_create();
        gf_program *program = gf_program_parse(reach, strlen(reach), "reach.gf", diags);
        gf_device *device = gf_device_open("auto", diags);
        gf_kernel *kernel = gf_kernel_create(device, program, &(gf_kernel_options){0}, diags);
        gf_bindings *b = gf_bindings_create(kernel);
        gf_bind_u32(b, "n", 4);
        gf_bind_input(b, "row", row, sizeof row);
        gf_bind_input(b, "col", col, sizeof col);
        gf_bind_inout(b, "dist", dist, sizeof dist);
        gf_stats stats;
        bool done = gf_run(kernel, b, &(gf_run_options){.max_passes = 100, .strategy = strategies[s]}, &stats, diags);
        show(diags);
        assert_true(done);
        assert_int_equal(stats.converged, 1);
        assert_int_equal(stats.strategy, strategies[s]);
        uint32_t want[] = {0, 1, 1, 2};
        assert_memory_equal(dist, want, sizeof want);
        gf_diags_destroy(diags);
        gf_device_destroy(device);
        gf_bindings_destroy(b);
        gf_kernel_destroy(kernel);
        gf_program_destroy(program);
    }
}

static void null_handles_fail_silently(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse("program x; kernel { oops }", 26, "x.gf", diags);
    assert_null(program);
    size_t messages = gf_diags_count(diags);
    gf_device *device = gf_device_open("auto", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    gf_bindings *b = gf_bindings_create(kernel);
    gf_bind_u32(b, "n", 1);
    gf_bind_input(b, "x", NULL, 0);
    gf_bind_buffer(b, "x", NULL);
    gf_stats stats;
    assert_false(gf_run(kernel, b, NULL, &stats, diags));
    assert_null(gf_run_async(kernel, b, NULL, diags));
    assert_false(gf_run_wait(NULL, NULL, diags));
    assert_true(gf_run_poll(NULL));
    assert_int_equal(gf_kernel_max_resident_groups(kernel), 0);
    assert_int_equal(gf_diags_count(diags), messages);
    gf_device_destroy(device);
    gf_diags_destroy(diags);
}

static void unknown_devices_list_what_is_there(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_diag first;
    assert_null(gf_device_open("abacus:0", diags));
    assert_true(gf_diags_get(diags, 0, &first));
    assert_non_null(strstr(first.message, "cuda"));
    assert_non_null(strstr(first.message, "interp"));
    assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
    gf_diags_destroy(diags);
}

static const char count_up[] = "program count;\n"
                               "inout u32 a[1];\n"
                               "inout u32 b[1];\n"
                               "kernel (1) {\n"
                               "    a[0] += 1;\n"
                               "    grid_barrier;\n"
                               "    a[0] += 1;\n"
                               "}\n";

/* K09, K17, K20: the whole sequence, as often as asked. */
static void k09_passes_repeat_the_sequence(void **state) {
    (void)state;
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t a = 0;
        uint32_t b = 7;
        bench t = set_up(count_up);
        gf_bind_inout(t.bindings, "a", &a, sizeof a);
        gf_bind_inout(t.bindings, "b", &b, sizeof b);
        gf_stats stats = run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_int_equal(a, 2);
        assert_int_equal(stats.passes, 1);
        assert_int_equal(stats.converged, -1);
        a = 0;
        stats = run_well(&t, &(gf_run_options){.strategy = strategies[s], .max_passes = 3});
        assert_int_equal(a, 6);
        assert_int_equal(b, 7);
        assert_int_equal(stats.passes, 3);
        assert_int_equal(stats.converged, 0);
        if (strategies[s] != GF_STRATEGY_NATIVE) {
            assert_int_equal(stats.launches, 6);
            assert_int_equal(stats.segments, 2);
        }
        a = 0;
        stats = run_well(&t, &(gf_run_options){.strategy = strategies[s], .max_passes = 4});
        assert_int_equal(a, 8);
        tear_down(&t);
    }
}

static const char saturate[] = "program saturate;\n"
                               "inout u32 a[1];\n"
                               "kernel (1) {\n"
                               "    a[0] = min(a[0] + 1, 3);\n"
                               "    grid_barrier;\n"
                               "    a[0] = min(a[0] + 1, 3);\n"
                               "}\n";

/* K16, B15 */
static void k16_passes_end_when_nothing_changes(void **state) {
    (void)state;
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t a = 0;
        bench t = set_up(saturate);
        gf_bind_inout(t.bindings, "a", &a, sizeof a);
        gf_stats stats = run_well(&t, &(gf_run_options){.strategy = strategies[s], .max_passes = 10});
        assert_int_equal(a, 3);
        assert_int_equal(stats.passes, 3);
        assert_int_equal(stats.converged, 1);
        stats = run_well(&t, &(gf_run_options){.strategy = strategies[s], .max_passes = 100});
        assert_int_equal(stats.passes, 1);
        tear_down(&t);
    }
}

/* K15, K10, B10 */
static void k15_both_slots_survive(void **state) {
    (void)state;
    const char *text = "program slots;\n"
                       "out u32 a[4];\nout u32 c[1];\nout u32 never[3];\n"
                       "kernel (1) { a[0] = 5; atomic_add(c[0], 2); grid_barrier; a[2] = 6; }\n";
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t a[4] = {9, 9, 9, 9};
        uint32_t c = 9;
        uint32_t never[3] = {9, 9, 9};
        bench t = set_up(text);
        gf_bind_output(t.bindings, "a", a, sizeof a);
        gf_bind_output(t.bindings, "c", &c, sizeof c);
        gf_bind_output(t.bindings, "never", never, sizeof never);
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_memory_equal(a, ((uint32_t[]){5, 0, 6, 0}), sizeof a);
        assert_int_equal(c, 2);
        assert_memory_equal(never, ((uint32_t[]){0, 0, 0}), sizeof never);
        tear_down(&t);
    }
}

/* B45, B11 */
static void b45_bytes_of_the_first_pass_survive(void **state) {
    (void)state;
    const char *text = "program first;\n"
                       "inout u32 it[1];\nout u32 a[2];\n"
                       "kernel (1) { if it[0] == 0 { a[0] = 7; } grid_barrier; it[0] += 1; }\n";
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t it = 0;
        uint32_t a[2] = {1, 1};
        bench t = set_up(text);
        gf_bind_inout(t.bindings, "it", &it, sizeof it);
        gf_bind_output(t.bindings, "a", a, sizeof a);
        run_well(&t, &(gf_run_options){.strategy = strategies[s], .max_passes = 2});
        assert_int_equal(it, 2);
        assert_int_equal(a[0], 7);
        assert_int_equal(a[1], 0);
        tear_down(&t);
    }
}

/* B13 */
static void b13_a_range_is_returned(void **state) {
    (void)state;
    const char *text = "program range;\n"
                       "out u32 a[4] returns(1 .. 3);\n"
                       "kernel (4) { a[gid.x] = gid.x; grid_barrier; a[gid.x] += 10; }\n";
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t a[3] = {99, 99, 99};
        bench t = set_up(text);
        gf_bind_output(t.bindings, "a", a, sizeof a);
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_memory_equal(a, ((uint32_t[]){11, 12, 99}), sizeof a);
        gf_bind_output(t.bindings, "a", a, 4);
        run_badly(&t, &(gf_run_options){.strategy = strategies[s]}, GF_STATUS_USAGE, "needs 8");
        tear_down(&t);
    }
}

/* B36, K29 */
static void b36_an_empty_space_runs_nothing(void **state) {
    (void)state;
    const char *text = "program empty;\n"
                       "param u32 n;\ninout u32 flag[n];\n"
                       "kernel (n) fixpoint(n) { grid while flag[0] == 0 { flag[0] = 0; } }\n";
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        bench t = set_up(text);
        gf_bind_u32(t.bindings, "n", 0);
        gf_bind_inout(t.bindings, "flag", NULL, 0);
        gf_stats stats = run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_int_equal(stats.passes, 1);
        assert_int_equal(stats.converged, 1);
        assert_int_equal(stats.launches, 0);
        tear_down(&t);
    }
}

static void persistent_is_refused(void **state) {
    (void)state;
    uint32_t a = 0;
    bench t = set_up(saturate);
    gf_bind_inout(t.bindings, "a", &a, sizeof a);
    run_badly(&t, &(gf_run_options){.strategy = GF_STRATEGY_PERSISTENT}, GF_STATUS_DEVICE, "persistent cannot be had");
    tear_down(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_of_the_interface),
        cmocka_unit_test(null_handles_fail_silently),
        cmocka_unit_test(unknown_devices_list_what_is_there),
        cmocka_unit_test(k09_passes_repeat_the_sequence),
        cmocka_unit_test(k16_passes_end_when_nothing_changes),
        cmocka_unit_test(k15_both_slots_survive),
        cmocka_unit_test(b45_bytes_of_the_first_pass_survive),
        cmocka_unit_test(b13_a_range_is_returned),
        cmocka_unit_test(b36_an_empty_space_runs_nothing),
        cmocka_unit_test(persistent_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
