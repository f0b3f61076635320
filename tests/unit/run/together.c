/* Runs beside each other, stopped, followed, and in the order submitted. */
#include "run_test.h"
#include <fenv.h>
#include <pthread.h>

static const char add[] = "program add;\nparam u32 k;\ninout u32 a[64];\n"
                          "kernel (64) workgroup(16) { a[gid.x] = a[gid.x] * 3 + k; grid_barrier; a[gid.x] += 1; }\n";
static const char forever[] = "program forever;\ninout u32 a[1];\nkernel (1) { grid while true { a[0] += 1; } }\n";

typedef struct worker {
    gf_kernel *kernel;
    bool fine;
} worker;

static void *run_sixteen(void *context) {
    worker *w = context;
    w->fine = true;
    for (size_t i = 0; i < 16; i++) {
        uint32_t a[64] = {0};
        gf_bindings *b = gf_bindings_create(w->kernel);
        gf_bind_u32(b, "k", (uint32_t)i);
        gf_bind_inout(b, "a", a, sizeof a);
        bool done = gf_run(w->kernel, b, &(gf_run_options){.strategy = strategies[i % STRATEGY_COUNT]}, NULL, NULL);
        w->fine = w->fine && done && a[63] == i + 1;
        gf_bindings_destroy(b);
    }
    return NULL;
}

static void k25_eight_threads_share_a_kernel(void **state) {
    (void)state;
    bench t = set_up(add);
    pthread_t threads[8];
    worker workers[8];
    for (size_t i = 0; i < 8; i++) {
        workers[i] = (worker){.kernel = t.kernel};
        assert_int_equal(pthread_create(&threads[i], NULL, run_sixteen, &workers[i]), 0);
    }
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(workers[i].fine);
    }
    tear_down(&t);
}

static void runs_that_share_a_buffer_keep_their_order(void **state) {
    (void)state;
    bench t = set_up(add);
    gf_buffer *buffer = gf_buffer_create(t.device, (size_t)64 * 4, t.diags);
    gf_bindings *b[8];
    gf_pending *pending[8];
    uint32_t want = 0;
    for (size_t i = 0; i < 8; i++) {
        b[i] = gf_bindings_create(t.kernel);
        gf_bind_u32(b[i], "k", (uint32_t)i);
        gf_bind_buffer(b[i], "a", buffer);
        pending[i] = gf_run_async(t.kernel, b[i], NULL, t.diags);
        assert_non_null(pending[i]);
        want = want * 3 + (uint32_t)i + 1;
    }
    uint32_t got[64];
    assert_true(gf_buffer_read(buffer, 0, got, sizeof got, t.diags));
    assert_int_equal(got[0], want);
    assert_int_equal(got[63], want);
    gf_bind_u32(b[3], "k", 1);
    for (size_t i = 0; i < 8; i++) {
        gf_stats stats;
        assert_true(gf_run_wait(pending[i], &stats, t.diags));
        assert_int_equal(stats.passes, 1);
    }
    assert_false(gf_run(t.kernel, b[3], NULL, NULL, t.diags));
    assert_int_equal(gf_diags_status(t.diags), GF_STATUS_USAGE);
    for (size_t i = 0; i < 8; i++) {
        gf_bindings_destroy(b[i]);
    }
    gf_buffer_destroy(buffer);
    tear_down(&t);
}

static void a_time_limit_ends_the_run(void **state) {
    (void)state;
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t a = 5;
        bench t = set_up(forever);
        gf_bind_inout(t.bindings, "a", &a, sizeof a);
        run_badly(&t, &(gf_run_options){.strategy = strategies[s], .timeout = 0.05}, GF_STATUS_TIME, "limit");
        assert_int_equal(a, 5);
        tear_down(&t);
    }
}

/* Two groups of two, which the stop word must not part: both leave at one barrier. */
static void b42_the_stop_word_takes_all_workgroups(void **state) {
    (void)state;
    const char *text = "program turns;\ninout u32 a[4];\ninout u32 far[4];\n"
                       "kernel (4) workgroup(2) { grid while true { a[gid.x] += 1; grid_barrier;\n"
                       "  far[gid.x] = a[3 - gid.x]; grid_barrier; } }\n";
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        bench t = set_up(text);
        gf_buffer *a = gf_buffer_create(t.device, 16, t.diags);
        gf_buffer *far = gf_buffer_create(t.device, 16, t.diags);
        gf_bind_buffer(t.bindings, "a", a);
        gf_bind_buffer(t.bindings, "far", far);
        run_badly(&t, &(gf_run_options){.strategy = strategies[s], .timeout = 0.05}, GF_STATUS_TIME, "limit");
        uint32_t turns[4];
        assert_true(gf_buffer_read(a, 0, turns, sizeof turns, t.diags));
        for (size_t i = 0; i < 4; i++) {
            assert_true(turns[i] > 0 && turns[i] == turns[0]);
        }
        gf_buffer_destroy(a);
        gf_buffer_destroy(far);
        tear_down(&t);
    }
}

static void another_thread_cancels(void **state) {
    (void)state;
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t a = 5;
        bench t = set_up(forever);
        gf_cancel *cancel = gf_cancel_create();
        gf_bind_inout(t.bindings, "a", &a, sizeof a);
        gf_pending *pending =
            gf_run_async(t.kernel, t.bindings, &(gf_run_options){.strategy = strategies[s], .cancel = cancel}, t.diags);
        assert_non_null(pending);
        gf_cancel_request(cancel);
        gf_stats stats;
        assert_false(gf_run_wait(pending, &stats, t.diags));
        assert_int_equal(stats.status, GF_STATUS_TIME);
        assert_int_equal(a, 5);
        run_badly(&t, &(gf_run_options){.strategy = strategies[s], .cancel = cancel}, GF_STATUS_TIME, "cancelled");
        gf_cancel_destroy(cancel);
        tear_down(&t);
    }
}

static bool stop_after_two(void *user, uint64_t pass, bool changed, double elapsed) {
    *(uint64_t *)user = pass;
    return changed && elapsed >= 0 && pass < 2;
}

static void a_callback_ends_the_run_and_the_next_goes_on(void **state) {
    (void)state;
    bench t = set_up("program g; inout u32 a[1]; kernel (1) fixpoint(100) { a[0] = min(a[0] + 1, 5); }");
    gf_buffer *buffer = gf_buffer_create(t.device, 4, t.diags);
    gf_bind_buffer(t.bindings, "a", buffer);
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t a = 0;
        uint64_t last = 0;
        gf_trace *trace = gf_trace_create(0);
        assert_true(gf_buffer_write(buffer, 0, &a, 4, t.diags));
        gf_run_options options = {
            .strategy = strategies[s], .on_pass = stop_after_two, .on_pass_user = &last, .trace = trace};
        gf_stats stats = run_well(&t, &options);
        assert_int_equal(stats.passes, 2);
        assert_int_equal(stats.converged, 0);
        assert_int_equal(last, 2);
        assert_true(gf_buffer_read(buffer, 0, &a, 4, t.diags));
        assert_int_equal(a, 2);
        options.on_pass = NULL;
        stats = run_well(&t, &options);
        assert_int_equal(stats.passes, 4);
        assert_true(gf_buffer_read(buffer, 0, &a, 4, t.diags));
        assert_int_equal(a, 5);
        gf_trace_event event;
        assert_true(gf_trace_count(trace) >= 8);
        assert_true(gf_trace_get(trace, 0, &event));
        assert_true(event.begin >= 0 && event.end >= event.begin);
        gf_trace_destroy(trace);
        gf_profile_entry entry;
        assert_int_equal(gf_run_profile(t.bindings, &entry, 1), 1);
        assert_true(entry.launches > 0);
    }
    gf_buffer_destroy(buffer);
    tear_down(&t);
}

/* B39: 1 / 25 lies above the nearest f32, so that rounding up would show. */
static void round_up_on(const char *name) {
    gf_device *device = gf_device_open(name, NULL);
    if (device == NULL) {
        return; /* it was left out of this build */
    }
    bench t = set_up_on(device, "program r; inout f32 a[2]; kernel (1) { let s = grid_add(a[0]); a[1] = s / 25.0; }",
                        &(gf_kernel_options){.plan = {.keep_empty = true}});
    assert_non_null(t.bindings);
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        float plain[2] = {1, 0};
        float odd[2] = {1, 0};
        gf_bind_inout(t.bindings, "a", plain, sizeof plain);
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        gf_bind_inout(t.bindings, "a", odd, sizeof odd);
        assert_int_equal(fesetround(FE_UPWARD), 0);
        bool done = gf_run(t.kernel, t.bindings, &(gf_run_options){.strategy = strategies[s]}, NULL, t.diags);
        int mode = fegetround();
        (void)fesetround(FE_TONEAREST);
        assert_true(done);
        assert_int_equal(mode, FE_UPWARD);
        assert_memory_equal(plain, odd, sizeof odd);
    }
    tear_down(&t);
}

static void b39_the_callers_rounding_is_its_own(void **state) {
    (void)state;
    round_up_on("interp");
    round_up_on("cpu");
}

/* A trap ends the run with its tag, place and invocation; B54: names hand back what they hold. */
static void traps_and_swaps(void **state) {
    (void)state;
    const char *text = "program trapped;\nparam u32 at = 2;\ninout u32 a[4];\n"
                       "kernel (4) { converged(true); a[gid.x] = 1; grid_barrier;\n    if gid.x >= at { trap(\"too "
                       "far\", gid.x); } }\n";
    bench t = set_up(text);
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t a[4] = {0};
        gf_diag first;
        gf_bind_inout(t.bindings, "a", a, sizeof a);
        gf_bind_u32(t.bindings, "at", 2);
        gf_stats stats = run_badly(&t, &(gf_run_options){.strategy = strategies[s]}, GF_STATUS_TRAP,
                                   "trap \"too far\" at address 2 (invocation 2)");
        assert_true(gf_diags_get(t.diags, 0, &first));
        assert_int_equal(first.line, 5);
        assert_int_equal(stats.converged, -1); /* whatever it said: it did not come to its end */
        assert_int_equal(a[0], 0);
        gf_bind_u32(t.bindings, "at", 9);
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_int_equal(a[0], 1);
    }
    tear_down(&t);
    t = set_up("program s; inout u32 a[2]; inout u32 b[2]; scratch u32 c[2]; kernel (2) { swap(a, b); swap(b, c); }");
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t a[2] = {1, 2};
        uint32_t b[2] = {3, 4};
        gf_bind_inout(t.bindings, "a", a, sizeof a);
        gf_bind_inout(t.bindings, "b", b, sizeof b);
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_memory_equal(a, ((uint32_t[]){3, 4}), sizeof a);
        assert_memory_equal(b, ((uint32_t[]){0, 0}), sizeof b);
        gf_buffer *x = gf_buffer_create(t.device, 8, t.diags);
        gf_buffer *y = gf_buffer_create(t.device, 8, t.diags);
        assert_true(gf_buffer_write(x, 0, ((uint32_t[]){5, 6}), 8, t.diags));
        assert_true(gf_buffer_write(y, 0, ((uint32_t[]){7, 8}), 8, t.diags));
        gf_bind_buffer(t.bindings, "a", x);
        gf_bind_buffer(t.bindings, "b", y);
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_true(gf_buffer_read(x, 0, a, 8, t.diags) && gf_buffer_read(y, 0, b, 8, t.diags));
        assert_memory_equal(a, ((uint32_t[]){7, 8}), sizeof a);
        assert_memory_equal(b, ((uint32_t[]){0, 0}), sizeof b);
        gf_buffer_destroy(x);
        gf_buffer_destroy(y);
    }
    tear_down(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k25_eight_threads_share_a_kernel),
        cmocka_unit_test(runs_that_share_a_buffer_keep_their_order),
        cmocka_unit_test(a_time_limit_ends_the_run),
        cmocka_unit_test(b42_the_stop_word_takes_all_workgroups),
        cmocka_unit_test(another_thread_cancels),
        cmocka_unit_test(a_callback_ends_the_run_and_the_next_goes_on),
        cmocka_unit_test(b39_the_callers_rounding_is_its_own),
        cmocka_unit_test(traps_and_swaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
