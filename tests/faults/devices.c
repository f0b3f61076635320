/* K19, K30, B14: a device fails at its n-th call of each kind, for every kind and n, silently or with a message, before
 * or behind half of its work; a dispatch function fails at each segment of each pass. The caller's memory stays as it
 * was, unless results were being read back, and then that is said; all that the device gave comes back once; the same
 * objects then do what they should. */
#include "failing_device.h"
#include "segment.h"

#define COUNT 6
#define GUARD 0x5afe5afeU
#define SEGMENTS ((size_t)3)
#define PASSES ((size_t)3)

/* Three segments, two of them named; what x holds crosses; three passes, in each of which `a` changes. */
static const char text[] = "program steps;\n"
                           "param u32 n;\n"
                           "in u32 x[n];\n"
                           "inout u32 a[n];\n"
                           "out u32 y[n];\n"
                           "out u32 part[n] returns(1 .. n - 1);\n"
                           "scratch u32 s[n];\n"
                           "kernel (n) workgroup(4) fixpoint(3) on (a) {\n"
                           "    let old = a[gid.x];\n"
                           "    region \"first\" { atomic_add(s[n - 1 - gid.x], x[gid.x]); }\n"
                           "    grid_barrier;\n"
                           "    region \"second\" { a[gid.x] = old + s[gid.x]; part[gid.x] = gid.x; }\n"
                           "    grid_barrier;\n"
                           "    y[gid.x] = a[n - 1 - gid.x] + old;\n"
                           "}\n";

/* By a loop of its own. */
static void expect_results(uint32_t a[COUNT], uint32_t y[COUNT]) {
    uint32_t s[COUNT] = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        a[i] = 10 * i;
    }
    for (size_t pass = 0; pass < PASSES; pass++) {
        uint32_t old[COUNT];
        memcpy(old, a, sizeof old);
        for (uint32_t i = 0; i < COUNT; i++) {
            s[COUNT - 1 - i] += i + 1;
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            a[i] = old[i] + s[i];
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            y[i] = a[COUNT - 1 - i] + old[i];
        }
    }
}

typedef struct way {
    gf_strategy strategy;
    bool on_device; /* `a` and `y` lie in buffers of the device */
    bool async;
} way;

typedef struct bench {
    failing_device device;
    way how;
    gf_device *opened;
    gf_program *program;
    gf_kernel *kernel;
    gf_bindings *bindings;
    gf_buffer *a, *y;
} bench;

static void start(bench *b, way how, gf_diags *diags) {
    b->how = how;
    b->device.has_barrier = how.strategy == GF_STRATEGY_NATIVE;
    b->opened = open_failing_device(&b->device, diags);
    b->program = gf_program_parse(text, sizeof text - 1, "steps.gf", diags);
    b->kernel = gf_kernel_create(b->opened, b->program, NULL, diags);
    b->bindings = gf_bindings_create(b->kernel);
    if (how.on_device) {
        b->a = gf_buffer_create(b->opened, COUNT * sizeof(uint32_t), diags);
        b->y = gf_buffer_create(b->opened, COUNT * sizeof(uint32_t), diags);
    }
}

static void end(bench *b) {
    gf_buffer_destroy(b->a);
    gf_buffer_destroy(b->y);
    gf_bindings_destroy(b->bindings);
    gf_kernel_destroy(b->kernel);
    gf_program_destroy(b->program);
    gf_device_destroy(b->opened);
    expect_all_back(&b->device);
}

typedef struct memory {
    uint32_t a[COUNT + 2], y[COUNT + 2], part[COUNT];
} memory;

static void expect_guards(const memory *m) {
    assert_true(m->a[0] == GUARD && m->a[COUNT + 1] == GUARD && m->y[0] == GUARD && m->y[COUNT + 1] == GUARD);
    assert_true(m->part[0] == 5 && m->part[COUNT - 1] == 5);
}

static void expect_untouched(const memory *m) {
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(m->a[i + 1], 10 * i);
        assert_int_equal(m->y[i + 1], 7);
        assert_int_equal(m->part[i], 5);
    }
}

static bool write_inputs(bench *b, const memory *m, gf_diags *diags) {
    return !b->how.on_device || (gf_buffer_write(b->a, 0, m->a + 1, COUNT * sizeof *m->a, diags) &&
                                 gf_buffer_write(b->y, 0, m->y + 1, COUNT * sizeof *m->y, diags));
}

static bool run_once(bench *b, memory *m, gf_stats *stats, gf_diags *diags) {
    static const uint32_t x[COUNT] = {1, 2, 3, 4, 5, 6};
    gf_bind_u32(b->bindings, "n", COUNT);
    gf_bind_input(b->bindings, "x", x, sizeof x);
    gf_bind_output(b->bindings, "part", m->part + 1, (COUNT - 2) * sizeof *m->part);
    if (b->how.on_device) {
        gf_bind_buffer(b->bindings, "a", b->a);
        gf_bind_buffer(b->bindings, "y", b->y);
    } else {
        gf_bind_inout(b->bindings, "a", m->a + 1, COUNT * sizeof *m->a);
        gf_bind_output(b->bindings, "y", m->y + 1, COUNT * sizeof *m->y);
    }
    gf_run_options options = {.strategy = b->how.strategy, .keep_on_failure = b->how.on_device};
    if (b->how.async) {
        gf_pending *pending = gf_run_async(b->kernel, b->bindings, &options, diags);
        return gf_run_wait(pending, stats, diags);
    }
    return gf_run(b->kernel, b->bindings, &options, stats, diags);
}

static void fill(memory *m) {
    for (uint32_t i = 0; i < COUNT; i++) {
        m->a[i + 1] = 10 * i;
        m->y[i + 1] = 7;
        m->part[i] = 5;
    }
    m->a[0] = m->y[0] = m->a[COUNT + 1] = m->y[COUNT + 1] = GUARD;
}

static void run_well(bench *b, gf_diags *diags) {
    memory m;
    uint32_t a[COUNT];
    uint32_t y[COUNT];
    gf_stats stats;
    fill(&m);
    expect_results(a, y);
    gf_diags_clear(diags);
    bool done = write_inputs(b, &m, diags) && run_once(b, &m, &stats, diags);
    if (!done) {
        gf_diags_print(diags, stderr);
    }
    assert_true(done);
    if (b->how.on_device) {
        memory before;
        fill(&before);
        assert_memory_equal(m.a, before.a, sizeof m.a);
        assert_memory_equal(m.y, before.y, sizeof m.y);
        assert_true(gf_buffer_read(b->a, 0, m.a + 1, sizeof a, diags));
        assert_true(gf_buffer_read(b->y, 0, m.y + 1, sizeof y, diags));
    }
    assert_memory_equal(m.a + 1, a, sizeof a);
    assert_memory_equal(m.y + 1, y, sizeof y);
    assert_memory_equal(m.part, ((uint32_t[]){5, 1, 2, 3, 4, 5}), sizeof m.part);
    expect_guards(&m);
}

/* Segment k of n, region, pass p, its buffers, and what the device said. */
static void expect_place(const bench *b, const gf_diags *diags) {
    gf_diag first;
    gf_diag why = {.message = ""};
    char place[96];
    size_t launch = b->device.n - 1;
    size_t k = launch % SEGMENTS;
    static const char *const regions[] = {", region \"first\"", ", region \"second\"", ""};
    (void)snprintf(place, sizeof place, "segment %zu of %zu%s, pass %zu failed", k + 1, SEGMENTS, regions[k],
                   launch / SEGMENTS + 1);
    assert_true(gf_diags_get(diags, 0, &first));
    if (strstr(first.message, place) == NULL) {
        gf_diags_print(diags, stderr);
        fail_msg("not at %s", place);
    }
    assert_non_null(strstr(first.message, k == 2 ? "`y`" : k == 1 ? "`part`" : "`x`"));
    assert_true(gf_diags_get_note(diags, 0, 0, &why));
    assert_non_null(strstr(why.message, b->device.says ? "the wire is cut" : "no message"));
}

static void expect_told(const bench *b, const memory *m, const gf_stats *stats, const gf_diags *diags) {
    gf_diag first = {.name = "", .message = ""};
    gf_diag why = {.message = ""};
    assert_true(gf_diags_get(diags, 0, &first));
    (void)gf_diags_get_note(diags, 0, 0, &why);
    assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
    assert_int_equal(stats->status, GF_STATUS_DEVICE);
    if (b->device.says && strstr(first.message, "the wire is cut") == NULL &&
        strstr(why.message, "the wire is cut") == NULL) {
        gf_diags_print(diags, stderr);
        fail_msg("the device's own message is lost");
    }
    if (strcmp(first.name, "read-back") == 0) {
        assert_int_equal(b->device.kind, b->how.on_device ? b->device.kind : FAIL_DOWNLOAD);
    } else {
        expect_untouched(m);
    }
    expect_guards(m);
    if (b->device.kind == FAIL_LAUNCH && b->how.strategy != GF_STRATEGY_NATIVE) {
        expect_place(b, diags);
    }
}

/* What keep_on_failure promises; it cannot where putting back is what fails, and one call fails here only. */
static void expect_kept(bench *b, gf_diags *diags) {
    memory now;
    fill(&now);
    fail_device(&b->device, FAIL_NONE, 0);
    if (b->how.on_device) {
        memset(now.a + 1, 0, COUNT * sizeof *now.a);
        assert_true(gf_buffer_read(b->a, 0, now.a + 1, COUNT * sizeof *now.a, diags));
        assert_true(gf_buffer_read(b->y, 0, now.y + 1, COUNT * sizeof *now.y, diags));
    }
    expect_untouched(&now);
}

/* Compiling may come when the kernel is made or when it runs. */
static size_t fail_each_compile(way how, bool says, gf_diags *diags) {
    size_t failures = 0;
    for (size_t n = 1, failed = 1; failed > 0; n++, failures += failed) {
        bench b = {.device = {.says = says}};
        memory m;
        gf_stats stats = {0};
        fill(&m);
        gf_diags_clear(diags);
        fail_device(&b.device, FAIL_COMPILE, n);
        start(&b, how, diags);
        bool done = write_inputs(&b, &m, diags) && run_once(&b, &m, &stats, diags);
        failed = b.device.has_failed;
        assert_true(done != (failed > 0));
        assert_int_equal(gf_diags_count(diags), failed);
        if (failed > 0) {
            assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
            expect_untouched(&m);
            fail_device(&b.device, FAIL_NONE, 0);
            if (b.kernel == NULL) {
                b.kernel = gf_kernel_create(b.opened, b.program, NULL, diags);
                b.bindings = gf_bindings_create(b.kernel);
            }
            run_well(&b, diags);
        }
        end(&b);
    }
    return failures;
}

static size_t fail_each_call(way how, fail_kind kind, bool says, bool late, gf_diags *diags) {
    size_t failures = 0;
    for (size_t n = 1, failed = 1; failed > 0; n++, failures += failed) {
        bench b = {.device = {.says = says, .late = late}};
        memory m;
        gf_stats stats = {0};
        start(&b, how, diags);
        assert_non_null(b.bindings);
        fill(&m);
        assert_true(write_inputs(&b, &m, diags));
        gf_diags_clear(diags);
        fail_device(&b.device, kind, n);
        bool done = run_once(&b, &m, &stats, diags);
        failed = b.device.has_failed;
        if (done == (failed > 0)) {
            gf_diags_print(diags, stderr);
            fail_msg("%s, on the device %d, async %d: kind %d, call %zu: done %d", gf_strategy_name(how.strategy),
                     how.on_device, how.async, (int)kind, n, done);
        }
        if (failed) {
            expect_told(&b, &m, &stats, diags);
            expect_kept(&b, diags);
        }
        fail_device(&b.device, FAIL_NONE, 0);
        run_well(&b, diags);
        end(&b);
        assert_true(n < 200);
    }
    return failures;
}

static void each_call_of_each_kind(void **state) {
    (void)state;
    static const gf_strategy strategies[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_RESIDENT, GF_STRATEGY_HOST};
    gf_diags *diags = gf_diags_create();
    for (int w = 0; w < 3 * 2 * 2 * 2 * 2; w++) {
        way how = {.strategy = strategies[w % 3], .on_device = w / 3 % 2 != 0, .async = w / 6 % 2 != 0};
        bool says = w / 12 % 2 != 0;
        bool late = w / 24 != 0;
        size_t failures[FAIL_KINDS] = {0};
        for (fail_kind kind = FAIL_ALLOC; kind < FAIL_KINDS; kind++) {
            failures[kind] = kind == FAIL_COMPILE ? fail_each_compile(how, says, diags)
                                                  : fail_each_call(how, kind, says, late, diags);
        }
        assert_true(failures[FAIL_ALLOC] >= 3 && failures[FAIL_UPLOAD] >= 1 && failures[FAIL_DOWNLOAD] >= 1);
        assert_int_equal(failures[FAIL_LAUNCH], how.strategy == GF_STRATEGY_NATIVE ? 1 : SEGMENTS * PASSES);
        assert_int_equal(failures[FAIL_COMPILE], how.strategy == GF_STRATEGY_NATIVE ? 1 : SEGMENTS);
    }
    gf_diags_destroy(diags);
}

/* Opening, buffers of the device, reads and writes: outside of runs. */
static void calls_outside_of_runs(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    static const fail_kind kinds[] = {FAIL_OPEN, FAIL_ALLOC, FAIL_ZERO, FAIL_UPLOAD, FAIL_DOWNLOAD};
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof kinds[0]; i++) {
        failing_device d = {.says = i % 2 != 0, .late = true};
        uint32_t data[COUNT] = {1, 2, 3, 4, 5, 6};
        gf_diags_clear(diags);
        fail_device(&d, kinds[i / 2], 1);
        gf_device *device = open_failing_device(&d, diags);
        gf_buffer *buffer = gf_buffer_create(device, sizeof data, diags);
        bool done =
            gf_buffer_write(buffer, 0, data, sizeof data, diags) && gf_buffer_read(buffer, 0, data, sizeof data, diags);
        assert_false(done);
        assert_true(d.has_failed);
        assert_int_equal(gf_diags_count(diags), 1);
        assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
        gf_buffer_destroy(buffer);
        gf_device_destroy(device);
        expect_all_back(&d);
    }
    gf_diags_destroy(diags);
}

/* ---- gf_run_split ---- */

typedef struct dispatcher {
    gf_device *device;
    size_t calls, fail_at;
    bool says, late;
    int wrong_size; /* -1, 1: an output is handed back too short, too long */
} dispatcher;

static bool dispatch(void *user, const gf_program *segment, const uint32_t groups[3], const gf_bytes *inputs,
                     size_t input_count, gf_output *outputs, size_t output_count, gf_diags *diags) {
    dispatcher *at = user;
    (void)groups;
    bool fails = ++at->calls == at->fail_at;
    if (fails && at->late) {
        for (size_t i = 0; i < output_count; i++) {
            memset(outputs[i].data, 0xee, outputs[i].size);
        }
    }
    if (fails && at->wrong_size == 0) {
        return at->says && gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "the wire is cut");
    }
    bool done = run_segment_on(at->device, segment, inputs, input_count, outputs, output_count, diags);
    if (fails) {
        outputs[0].size = (size_t)((intptr_t)outputs[0].size + at->wrong_size);
    }
    return done;
}

static bool split(const gf_program *program, dispatcher *at, memory *m, gf_stats *stats, gf_diags *diags) {
    static const uint32_t x[COUNT] = {1, 2, 3, 4, 5, 6};
    gf_bytes inputs[2] = {{x, sizeof x}, {m->a + 1, sizeof x}};
    gf_output outputs[3] = {
        {m->a + 1, 99, sizeof x}, {m->y + 1, 99, sizeof x}, {m->part + 1, 99, (COUNT - 2) * sizeof *x}};
    gf_run_param n = {"n", GF_TYPE_U32, COUNT};
    bool done = gf_run_split(program, inputs, 2, &(gf_run_options){.params = &n, .param_count = 1}, dispatch, at,
                             outputs, 3, stats, diags);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(outputs[i].size, !done ? 99 : i < 2 ? sizeof x : (COUNT - 2) * sizeof *x);
    }
    return done;
}

static void each_dispatch_of_each_pass(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_device *interp = gf_device_open("interp", diags);
    gf_program *program = gf_program_parse(text, sizeof text - 1, "steps.gf", diags);
    uint32_t a[COUNT];
    uint32_t y[COUNT];
    expect_results(a, y);
    for (int form = 0; form < 6; form++) {
        for (size_t k = 1; k <= SEGMENTS * PASSES + 1; k++) {
            dispatcher at = {.device = interp,
                             .fail_at = k,
                             .says = form % 2 != 0,
                             .late = form / 2 == 1,
                             .wrong_size = form == 4   ? -1
                                           : form == 5 ? 1
                                                       : 0};
            memory m;
            gf_stats stats;
            fill(&m);
            gf_diags_clear(diags);
            bool done = split(program, &at, &m, &stats, diags);
            expect_guards(&m);
            assert_int_equal(at.calls, k <= SEGMENTS * PASSES ? k : SEGMENTS * PASSES);
            assert_true(done == (k > SEGMENTS * PASSES));
            if (done) {
                assert_memory_equal(m.a + 1, a, sizeof a);
                assert_memory_equal(m.y + 1, y, sizeof y);
                continue;
            }
            expect_untouched(&m);
            assert_int_equal(stats.status, GF_STATUS_DEVICE);
            assert_int_equal(gf_diags_count(diags), 1);
            if (at.wrong_size == 0) {
                bench place = {.device = {.n = k, .says = at.says}};
                expect_place(&place, diags);
            }
        }
    }
    gf_program_destroy(program);
    gf_device_destroy(interp);
    gf_diags_destroy(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_of_each_kind),
        cmocka_unit_test(calls_outside_of_runs),
        cmocka_unit_test(each_dispatch_of_each_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
