/* Runs that somebody stops at a random moment: another thread cancels, the time is over, the callback after a pass says
 * no; on every device that is here, a GPU that is played among them, by every strategy. The run ends soon. Either it
 * was done, and its results are right, or it says why it ended and the caller's memory is as it was; the kernel and the
 * device go on. FAULTS_ROUNDS=1000 for more of it, FAULTS_SEED for other moments. */
#include "base/clock.h"
#include "draw.h"
#include "place.h"
#include <gridfence/gridfence.h>
#include <pthread.h>
#include <time.h>

#define COUNT 64
#define GUARD 0x5afe5afeU
#define SOON 60 /* seconds, on a machine that is busy and under a sanitizer */

/* Some milliseconds of passes with barriers, of which each changes something. */
static const char passes[] = "program passes;\nparam u32 top;\ninout u32 a[64];\nout u32 y[64];\n"
                             "kernel (64) workgroup(16) fixpoint(100000) on (a) {\n"
                             "    let next = a[(gid.x + 1) % 64];\n    grid_barrier;\n"
                             "    let all = grid_any(next < top);\n"
                             "    if all { a[gid.x] += 1; }\n    y[gid.x] = a[gid.x] + next * 0;\n}\n";
/* One pass with a loop of the grid. */
static const char turns[] = "program turns;\nparam u32 top;\ninout u32 a[64];\nout u32 y[64];\n"
                            "kernel (64) workgroup(16) {\n    var u32 i = a[gid.x] * 0;\n    var u32 turn = 0;\n"
                            "    grid while turn < top {\n        turn += 1;\n        i += 1;\n        grid_barrier;\n"
                            "        a[gid.x] = i;\n        grid_barrier;\n    }\n    y[gid.x] = a[63 - gid.x];\n}\n";
/* No barrier at all, in a loop that is long, of one invocation. */
static const char loop[] = "program loops;\nparam u32 top;\ninout u32 a[64];\nout u32 y[64];\n"
                           "kernel (64) workgroup(16) {\n    var u32 i = top;\n    if gid.x == 5 {\n        i = 0;\n"
                           "        while i < top { i += select(a[gid.x] == 4000000000, 2, 1); }\n    }\n"
                           "    a[gid.x] = i;\n    y[gid.x] = i;\n}\n";

typedef struct subject {
    const char *device;
    gf_strategy strategy;
    const char *text;
    uint32_t top;     /* what ends after some milliseconds, and the value of all results then */
    uint32_t forever; /* what does not end in time */
} subject;

typedef struct bench {
    const subject *about;
    gf_diags *diags;
    gf_device *device;
    gf_program *program;
    gf_kernel *kernel;
    gf_bindings *bindings;
} bench;

static unsigned count_rounds(unsigned few) {
    const char *asked = getenv("FAULTS_ROUNDS");
    return asked != NULL ? (unsigned)strtoul(asked, NULL, 10) : few;
}

static void set_up(bench *b, const subject *about) {
    *b = (bench){.about = about, .diags = gf_diags_create()};
    b->device = gf_device_open_with(about->device, &(gf_device_options){.threads = 2}, b->diags);
    b->program = gf_program_parse(about->text, strlen(about->text), "stop.gf", b->diags);
    b->kernel = gf_kernel_create(b->device, b->program, NULL, b->diags);
    b->bindings = gf_bindings_create(b->kernel);
    if (b->bindings == NULL) {
        gf_diags_print(b->diags, stderr);
    }
    assert_non_null(b->bindings);
    gf_diags_clear(b->diags);
}

static void tear_down(bench *b) {
    gf_bindings_destroy(b->bindings);
    gf_kernel_destroy(b->kernel);
    gf_program_destroy(b->program);
    gf_device_destroy(b->device);
    gf_diags_destroy(b->diags);
}

typedef struct attempt {
    uint32_t a[COUNT + 2], y[COUNT + 2];
    gf_stats stats;
} attempt;

static void prepare(bench *b, attempt *t, uint32_t top) {
    for (size_t i = 0; i < COUNT + 2; i++) {
        bool is_guard = i == 0 || i == COUNT + 1;
        t->a[i] = is_guard ? GUARD : 0;
        t->y[i] = is_guard ? GUARD : 7;
    }
    gf_diags_clear(b->diags);
    gf_bind_u32(b->bindings, "top", top);
    gf_bind_inout(b->bindings, "a", t->a + 1, COUNT * sizeof *t->a);
    gf_bind_output(b->bindings, "y", t->y + 1, COUNT * sizeof *t->y);
}

static void expect(const bench *b, const attempt *t, bool done, uint32_t result) {
    gf_diag first = {.name = "", .message = ""};
    assert_true(t->a[0] == GUARD && t->a[COUNT + 1] == GUARD && t->y[0] == GUARD && t->y[COUNT + 1] == GUARD);
    for (size_t i = 1; i <= COUNT; i++) {
        assert_int_equal(t->a[i], done ? result : 0);
        assert_int_equal(t->y[i], done ? result : 7);
    }
    assert_int_equal(t->stats.status, done ? GF_STATUS_OK : GF_STATUS_TIME);
    assert_true(gf_diags_get(b->diags, 0, &first) == !done);
    if (!done && gf_diags_status(b->diags) != GF_STATUS_TIME) {
        gf_diags_print(b->diags, stderr);
    }
    assert_true(done || gf_diags_status(b->diags) == GF_STATUS_TIME);
}

/* The same kernel afterwards. */
static void run_well(bench *b) {
    attempt t;
    prepare(b, &t, b->about->top);
    bool done = gf_run(b->kernel, b->bindings, &(gf_run_options){.strategy = b->about->strategy}, &t.stats, b->diags);
    if (!done) {
        gf_diags_print(b->diags, stderr);
    }
    assert_true(done);
    expect(b, &t, done, b->about->top);
}

typedef struct canceller {
    gf_cancel *cancel;
    uint32_t microseconds;
} canceller;

static void *cancel_later(void *context) {
    const canceller *at = context;
    struct timespec pause = {.tv_sec = at->microseconds / 1000000,
                             .tv_nsec = (long)(at->microseconds % 1000000) * 1000};
    (void)nanosleep(&pause, NULL);
    gf_cancel_request(at->cancel);
    return NULL;
}

/* In line, or aside; with a trace and a profile at times, which must not mind. */
static bool run_somehow(bench *b, attempt *t, gf_run_options *options) {
    gf_trace *trace = draw(2) == 0 ? gf_trace_create(1000) : NULL;
    options->trace = trace;
    options->profile = draw(2) == 0;
    options->strategy = b->about->strategy;
    double begin = gf_clock_seconds();
    bool done = false;
    if (draw(2) == 0) {
        gf_pending *pending = gf_run_async(b->kernel, b->bindings, options, b->diags);
        assert_non_null(pending);
        done = gf_run_wait(pending, &t->stats, b->diags);
    } else {
        done = gf_run(b->kernel, b->bindings, options, &t->stats, b->diags);
    }
    assert_true(gf_clock_seconds() - begin < SOON);
    gf_trace_destroy(trace);
    return done;
}

static unsigned cancel_at_random(bench *b, unsigned rounds, uint32_t longest, bool endless) {
    unsigned stopped = 0;
    for (unsigned i = 0; i < rounds; i++) {
        attempt t;
        pthread_t thread;
        canceller at = {.cancel = gf_cancel_create(), .microseconds = draw(longest)};
        assert_non_null(at.cancel);
        prepare(b, &t, endless ? b->about->forever : b->about->top);
        assert_int_equal(pthread_create(&thread, NULL, cancel_later, &at), 0);
        bool done = run_somehow(b, &t, &(gf_run_options){.cancel = at.cancel});
        assert_int_equal(pthread_join(thread, NULL), 0);
        expect(b, &t, done, b->about->top);
        assert_true(!done || !endless);
        stopped += !done;
        /* One that was asked for stops the next run too, until it is taken back. */
        prepare(b, &t, b->about->top);
        assert_false(gf_run(b->kernel, b->bindings,
                            &(gf_run_options){.strategy = b->about->strategy, .cancel = at.cancel}, &t.stats,
                            b->diags));
        expect(b, &t, false, 0);
        gf_cancel_clear(at.cancel);
        prepare(b, &t, b->about->top);
        assert_true(gf_run(b->kernel, b->bindings,
                           &(gf_run_options){.strategy = b->about->strategy, .cancel = at.cancel}, &t.stats, b->diags));
        expect(b, &t, true, b->about->top);
        gf_cancel_destroy(at.cancel);
    }
    return stopped;
}

static unsigned time_out_at_random(bench *b, unsigned rounds, double longest, bool endless) {
    unsigned stopped = 0;
    for (unsigned i = 0; i < rounds; i++) {
        attempt t;
        double limit = longest * (draw(1000) + 1) / 1000;
        prepare(b, &t, endless ? b->about->forever : b->about->top);
        bool done = run_somehow(b, &t, &(gf_run_options){.timeout = limit});
        expect(b, &t, done, b->about->top);
        assert_true(!done || !endless);
        stopped += !done;
        run_well(b);
    }
    return stopped;
}

static bool stop_after(void *user, uint64_t pass, bool changed, double elapsed) {
    (void)changed;
    assert_true(elapsed >= 0);
    return pass < *(uint64_t *)user;
}

/* Stopped after a pass, a run has succeeded with what it has, and a later one on the same buffers goes on from there.
 */
static void stop_after_passes(bench *b, unsigned rounds) {
    gf_buffer *a = gf_buffer_create(b->device, COUNT * sizeof(uint32_t), b->diags);
    assert_non_null(a);
    for (unsigned i = 0; i < rounds; i++) {
        attempt t;
        uint64_t last = 1 + draw(b->about->top - 1);
        prepare(b, &t, b->about->top);
        assert_true(gf_buffer_write(a, 0, t.a + 1, COUNT * sizeof *t.a, b->diags));
        gf_bind_buffer(b->bindings, "a", a);
        assert_true(
            gf_run(b->kernel, b->bindings,
                   &(gf_run_options){.strategy = b->about->strategy, .on_pass = stop_after, .on_pass_user = &last},
                   &t.stats, b->diags));
        assert_int_equal(t.stats.passes, last);
        assert_int_equal(t.y[1], last);
        assert_int_equal(t.y[COUNT], last);
        assert_true(
            gf_run(b->kernel, b->bindings, &(gf_run_options){.strategy = b->about->strategy}, &t.stats, b->diags));
        assert_int_equal(t.stats.passes, b->about->top - last + 1);
        assert_true(gf_buffer_read(a, 0, t.a + 1, COUNT * sizeof *t.a, b->diags));
        expect(b, &t, true, b->about->top);
    }
    gf_buffer_destroy(a);
}

static void stop_every_way(const subject *about, unsigned rounds) {
    bench b;
    set_up(&b, about);
    run_well(&b); /* compiles what is compiled late */
    double begin = gf_clock_seconds();
    run_well(&b);
    double takes = gf_clock_seconds() - begin;
    uint32_t longest = takes > 0.02 ? 20000 : takes < 0.0002 ? 200 : (uint32_t)(takes * 1e6);
    (void)cancel_at_random(&b, rounds, longest, false);
    assert_int_equal(cancel_at_random(&b, rounds, longest, true), rounds);
    (void)time_out_at_random(&b, rounds, longest * 1e-6, false);
    assert_int_equal(time_out_at_random(&b, rounds, longest * 1e-6, true), rounds);
    if (about->text == passes) {
        stop_after_passes(&b, rounds);
    }
    tear_down(&b);
}

static void stop_on(const char *device, bool is_slow, bool has_persistent, unsigned rounds) {
    static const gf_strategy strategies[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_RESIDENT, GF_STRATEGY_HOST,
                                             GF_STRATEGY_PERSISTENT};
    for (size_t s = 0; s < (has_persistent ? 4 : 3); s++) {
        const subject subjects[] = {
            {device, strategies[s], passes, is_slow ? 6 : 60, 99999},
            {device, strategies[s], turns, is_slow ? 20 : 300, UINT32_MAX},
            {device, strategies[s], loop, is_slow ? 300 : 3000, UINT32_MAX},
        };
        for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
            /* The GPU that is played takes a second to see that it should stop. */
            if (!is_slow || (s + i) % 3 == 0 || rounds > 1) {
                stop_every_way(&subjects[i], rounds);
            }
        }
    }
}

static void interpreter(void **state) {
    (void)state;
    stop_on("interp", false, false, count_rounds(6));
}

static void compiled(void **state) {
    (void)state;
    gf_device *device = gf_device_open("cpu", NULL);
    if (device == NULL) {
        skip(); /* built without LLVM */
    }
    gf_device_destroy(device);
    stop_on("cpu", false, true, count_rounds(6));
}

static void played_gpu(void **state) {
    (void)state;
    stop_on("cuda", true, true, count_rounds(1));
}

int main(void) {
    seed_draw();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpreter),
        cmocka_unit_test(compiled),
        cmocka_unit_test(played_gpu),
    };
    /* The last is beyond a sanitizer: the GPU is slow as it is. */
    size_t count = sizeof tests / sizeof tests[0] - (getenv("FAULTS_NO_GPU") != NULL ? 1 : 0);
    return _cmocka_run_group_tests("stopping", tests, count, make_place, remove_place);
}
