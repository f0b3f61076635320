/* Strategies on device cuda as a caller sees them: which one auto takes and what is said of it, those that are asked
 * for, what is told of a run whose segments nobody sees. By the fake driver, whose kernels do nothing and whose device
 * holds 8192 threads at once. */
#include "run_test.h"
#include <stdlib.h>

static const char plain[] = "program plain;\nparam u32 n;\ninout u32 a[n];\nkernel (n) { a[gid.x] += 1; }\n";

static const char keeps[] = "program keeps;\nparam u32 n;\ninout u32 a[n];\nkernel (n) {\n    let mine = a[gid.x];\n"
                            "    grid_barrier;\n    a[(gid.x + 1) % n] = mine;\n    grid_barrier;\n"
                            "    a[gid.x] = mine + a[gid.x];\n}\n";

static const char passes[] = "program passes;\nparam u32 n;\ninout u32 a[n];\nkernel (n) fixpoint(20) on (a) {\n"
                             "    a[gid.x] = max(a[gid.x], 7);\n}\n";

/* Rows ask for blocks of 512 threads, the workgroup for 1024. */
static const char wide[] =
    "program wide;\nparam u32 n;\ninout u32 a[n];\nscratch u32 row[n];\nscratch u32 b[n];\n"
    "kernel (n) workgroup(1024) {\n    let mine = a[gid.x];\n    row[gid.x] = mine;\n"
    "    grid_barrier;\n    for e in row[n - gid.x - 1] .. row[gid.x] {\n        atomic_add(b[e % n], 1);\n    }\n"
    "    grid_barrier;\n    a[(gid.x + 1) % n] = mine + b[gid.x];\n    grid_barrier;\n"
    "    a[gid.x] += mine;\n}\n";

#define MOST 20000
static uint32_t values[MOST];

static bench start(const char *text, uint32_t n) {
    bench b = set_up_on(gf_device_open_with("cuda", &(gf_device_options){.no_cache = true}, NULL), text, NULL);
    assert_non_null(b.bindings);
    gf_bind_u32(b.bindings, "n", n);
    gf_bind_inout(b.bindings, "a", values, (size_t)n * sizeof values[0]);
    return b;
}

static gf_stats takes(bench *b, gf_strategy asked, gf_strategy taken, const char *reason) {
    gf_stats stats = run_well(b, &(gf_run_options){.strategy = asked});
    if (stats.strategy != taken || strstr(stats.reason, reason) == NULL) {
        print_message("%s: %s\n", gf_strategy_name(stats.strategy), stats.reason);
    }
    assert_int_equal(stats.strategy, taken);
    assert_non_null(strstr(stats.reason, reason));
    return stats;
}

static void one_launch(void **state) {
    (void)state;
    bench b = start(plain, MOST);
    takes(&b, GF_STRATEGY_AUTO, GF_STRATEGY_NATIVE, "one launch needs no grid barrier");
    takes(&b, GF_STRATEGY_NATIVE, GF_STRATEGY_NATIVE, "asked for");
    takes(&b, GF_STRATEGY_PERSISTENT, GF_STRATEGY_PERSISTENT, "asked for; one launch needs no grid barrier");
    takes(&b, GF_STRATEGY_RESIDENT, GF_STRATEGY_RESIDENT, "asked for; one segment alone");
    tear_down(&b);
}

static void a_grid_that_fits(void **state) {
    (void)state;
    bench b = start(keeps, 8192);
    gf_stats stats = takes(&b, GF_STRATEGY_AUTO, GF_STRATEGY_NATIVE, "4 bytes of each invocation stay in registers");
    assert_non_null(strstr(stats.reason, "grid barriers of"));
    assert_non_null(strstr(stats.reason, "by figures of an H200, as measuring failed"));
    takes(&b, GF_STRATEGY_NATIVE, GF_STRATEGY_NATIVE, "asked for");
    tear_down(&b);
}

static void a_workgroup_that_is_wider(void **state) {
    (void)state;
    bench b = start(wide, 8192);
    takes(&b, GF_STRATEGY_NATIVE, GF_STRATEGY_NATIVE, "asked for");
    tear_down(&b);
}

static void a_grid_that_does_not(void **state) {
    (void)state;
    bench b = start(keeps, 8193);
    gf_diag first;
    run_badly(&b, &(gf_run_options){.strategy = GF_STRATEGY_NATIVE}, GF_STATUS_DEVICE,
              "the grid has 33 workgroups, and no more than 32 can be resident at once");
    assert_true(gf_diags_get(b.diags, 0, &first));
    assert_string_equal(first.code, "GF0623");
    gf_stats stats = run_well(&b, NULL);
    assert_true(stats.strategy == GF_STRATEGY_PERSISTENT || stats.strategy == GF_STRATEGY_RESIDENT);
    assert_non_null(strstr(stats.reason, "the grid has 33 workgroups, and no more than 32 can be resident at once; "));
    takes(&b, GF_STRATEGY_PERSISTENT, GF_STRATEGY_PERSISTENT, "asked for; each block keeps its share");
    tear_down(&b);
}

/* The host sees one launch, whatever happens in it. By resident the device counts, and here nobody carries out
 * anything. */
static void segments_that_nobody_sees(void **state) {
    (void)state;
    static const gf_strategy all[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_PERSISTENT, GF_STRATEGY_RESIDENT};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        gf_profile_entry entries[4];
        bench b = start(keeps, 1000);
        gf_stats stats = run_well(&b, &(gf_run_options){.strategy = all[i], .profile = true});
        assert_int_equal(stats.launches, all[i] == GF_STRATEGY_RESIDENT ? 0 : 1);
        assert_int_equal(stats.launches_skipped, 0);
        assert_int_equal(stats.segments, 3);
        assert_int_equal(gf_run_profile(b.bindings, entries, 4), 1);
        assert_int_equal(entries[0].launches, 1);
        assert_true(entries[0].seconds > 0 && entries[0].region[0] == '\0');
        tear_down(&b);
    }
}

/* Nothing: no launch, and nothing to weigh. */
static void no_invocations(void **state) {
    (void)state;
    bench b = start(keeps, 0);
    gf_stats stats = run_well(&b, NULL);
    assert_int_equal(stats.launches, 0);
    tear_down(&b);
}

static bool go_on(void *user, uint64_t pass, bool changed, double elapsed) {
    (void)user;
    (void)pass;
    (void)changed;
    (void)elapsed;
    return true;
}

/* As kernels that do nothing make no passes, whoever listens for them would wait for ever. */
static void a_launch_without_a_pass(void **state) {
    (void)state;
    static const gf_strategy all[] = {GF_STRATEGY_AUTO, GF_STRATEGY_NATIVE, GF_STRATEGY_RESIDENT};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        bench b = start(passes, 1000);
        gf_stats stats;
        assert_false(
            gf_run(b.kernel, b.bindings, &(gf_run_options){.strategy = all[i], .on_pass = go_on}, &stats, b.diags));
        gf_diag first;
        assert_true(gf_diags_get(b.diags, 0, &first));
        assert_non_null(strstr(first.message, "without a pass"));
        tear_down(&b);
    }
}

static int use_fake(void **state) {
    (void)state;
    return setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_launch),
        cmocka_unit_test(a_grid_that_fits),
        cmocka_unit_test(a_grid_that_does_not),
        cmocka_unit_test(segments_that_nobody_sees),
        cmocka_unit_test(a_workgroup_that_is_wider),
        cmocka_unit_test(no_invocations),
        cmocka_unit_test(a_launch_without_a_pass),
    };
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
