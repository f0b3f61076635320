/* gf_run_split: what a callback sees, and what is made of what it does. */
#include "base/memory.h"
#include "run_test.h"

typedef struct caller {
    gf_device *device;
    size_t calls, fail_at; /* fail_at: from 1 */
    bool silent, short_output;
    const void *last_input, *first_output;
    const gf_program *segments[8];
    uint32_t seen[64]; /* a param, call by call */
    const char *param;
    size_t inputs, outputs; /* of the latest call */
    size_t bytes;
    uint32_t groups;
    uint32_t first_word[64]; /* of the first output, before the segment ran */
} caller;

/* Runs the segment on the interpreter, as any stranger could. */
static bool run_segment(void *user, const gf_program *segment, const uint32_t groups[3], const gf_bytes *inputs,
                        size_t input_count, gf_output *outputs, size_t output_count, gf_diags *diags) {
    caller *c = user;
    gf_value value = {0};
    if (c->param != NULL && gf_program_param(segment, c->param, &value)) {
        c->seen[c->calls] = (uint32_t)value.bits;
    }
    if (output_count > 0 && outputs[0].capacity >= 4) {
        memcpy(&c->first_word[c->calls], outputs[0].data, 4);
    }
    if (c->calls < 8) {
        c->segments[c->calls] = segment;
    }
    c->calls++;
    c->groups = groups[0];
    c->inputs = input_count;
    c->outputs = output_count;
    if (c->calls == c->fail_at) {
        if (!c->silent) {
            gf_device *none = gf_device_open("toaster", diags);
            assert_null(none);
        }
        return false;
    }
    gf_kernel *kernel = gf_kernel_create(c->device, (gf_program *)(uintptr_t)segment, NULL, diags);
    gf_bindings *b = gf_bindings_create(kernel);
    gf_buffer_info info;
    for (size_t i = 0; gf_program_buffer_info(segment, i, &info); i++) {
        switch (info.role) {
        case GF_BUFFER_IN:
            c->bytes += inputs->size;
            c->last_input = inputs->data;
            gf_bind_input(b, info.name, inputs->data, inputs->size);
            inputs++;
            break;
        case GF_BUFFER_INOUT:
            assert_ptr_equal(inputs->data, outputs->data);
            c->bytes += inputs->size;
            c->last_input = inputs->data;
            gf_bind_inout(b, info.name, outputs->data, outputs->capacity);
            inputs++;
            outputs++;
            break;
        case GF_BUFFER_OUT:
            gf_bind_output(b, info.name, outputs->data, outputs->capacity);
            outputs++;
            break;
        case GF_BUFFER_SCRATCH:
            fail();
        }
    }
    bool done = gf_run(kernel, b, NULL, NULL, diags);
    if (c->short_output && done) {
        outputs[-1].size = 1;
    }
    gf_bindings_destroy(b);
    gf_kernel_destroy(kernel);
    return done;
}

static const gf_plan_options keep = {.keep_empty = true};

static caller make_caller(void) {
    caller c = {.device = gf_device_open("interp", NULL)};
    return c;
}

static const char twice[] = "program twice;\nin u32 x[4];\ninout u32 acc[4];\nout u32 y[4];\n"
                            "kernel (4) { acc[gid.x] += x[gid.x]; y[gid.x] = 1; grid_barrier;\n"
                            "  region \"hop\" { acc[gid.x] += 10; y[gid.x] += acc[gid.x]; } }\n";

/* K07, K08, K09, K12, K13, K14 */
static void k08_the_callers_storage_is_used(void **state) {
    (void)state;
    uint32_t x[4] = {1, 2, 3, 4};
    uint32_t acc[4] = {100, 100, 100, 100};
    uint32_t result[4] = {0};
    uint32_t y[5] = {77, 77, 77, 77, 77};
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse(twice, diags);
    caller c = make_caller();
    gf_bytes inputs[2] = {{x, sizeof x}, {acc, sizeof acc}};
    gf_output outputs[2] = {{result, 0, sizeof result}, {y, 0, sizeof y}};
    gf_counters before;
    gf_counters after;
    gf_counters_snapshot(&before);
    gf_stats stats;
    bool done = gf_run_split(program, inputs, 2, &(gf_run_options){.plan = &keep, .max_passes = 1}, run_segment, &c,
                             outputs, 2, &stats, diags);
    show(diags);
    assert_true(done);
    gf_counters_snapshot(&after);
    assert_int_equal(c.calls, 2);
    assert_ptr_equal(outputs[1].data, y);
    assert_int_equal(outputs[1].size, 16);
    assert_int_equal(y[4], 77);
    assert_memory_equal(result, ((uint32_t[]){111, 112, 113, 114}), 16);
    assert_memory_equal(acc, ((uint32_t[]){100, 100, 100, 100}), 16);
    assert_memory_equal(x, ((uint32_t[]){1, 2, 3, 4}), 16);
    assert_int_equal(stats.launches, 2);
    assert_int_equal(after.splits - before.splits, 1);
    assert_int_equal(after.barriers - before.barriers, 1);
    assert_true(after.segments - before.segments >= 2);
    for (uint32_t passes = 3; passes < 5; passes++) {
        c.calls = 0;
        done = gf_run_split(program, inputs, 2, &(gf_run_options){.plan = &keep, .max_passes = passes}, run_segment, &c,
                            outputs, 2, &stats, diags);
        assert_true(done);
        assert_int_equal(c.calls, 2 * passes);
        assert_int_equal(result[0], 100 + 11 * passes);
        assert_ptr_equal(c.segments[0], c.segments[2]);
    }
    gf_program_destroy(program);
    gf_device_destroy(c.device);
    gf_diags_destroy(diags);
}

/* Notes where everything lies and works on it in place: nothing of its own is allocated. */
typedef struct witness {
    const void *seen[32]; /* of `acc`, call by call */
    const gf_output *list;
    size_t calls;
    bool moved; /* another list of outputs than in the first call */
} witness;

static bool note_addresses(void *user, const gf_program *segment, const uint32_t groups[3], const gf_bytes *inputs,
                           size_t input_count, gf_output *outputs, size_t output_count, gf_diags *diags) {
    witness *w = user;
    (void)segment;
    (void)groups;
    (void)diags;
    assert_true(input_count > 0);
    w->list = w->calls == 0 ? outputs : w->list;
    w->moved = w->moved || outputs != w->list;
    assert_true(w->calls < 32);
    w->seen[w->calls++] = inputs[0].data;
    for (size_t i = 0; i < output_count; i++) {
        *(uint32_t *)outputs[i].data += 1;
    }
    return true;
}

static const char read_then_written[] = "program later;\ninout u32 acc[4];\nout u32 y[4];\n"
                                        "kernel (4) { y[gid.x] += acc[3 - gid.x]; grid_barrier;\n"
                                        "  acc[gid.x] += 1; grid_barrier; acc[gid.x] += 2; }\n";

/* Calls of one run, and how often it took memory. */
static uint64_t witness_passes(witness *w, const uint32_t acc[4], uint32_t result[4], uint64_t passes) {
    uint32_t y[4];
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse(read_then_written, diags);
    gf_bytes inputs[1] = {{acc, 16}};
    gf_output outputs[2] = {{result, 0, 16}, {y, 0, 16}};
    *w = (witness){0};
    (void)gf_memory_fail_at(0, false);
    bool done = gf_run_split(program, inputs, 1, &(gf_run_options){.plan = &keep, .max_passes = passes}, note_addresses,
                             w, outputs, 2, NULL, diags);
    uint64_t taken = gf_memory_fail_at(0, false);
    show(diags);
    assert_true(done);
    assert_int_equal(w->calls, 3 * passes);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return taken;
}

static void k07_an_input_is_copied_at_its_first_write(void **state) {
    (void)state;
    uint32_t acc[4] = {5, 6, 7, 8};
    uint32_t result[4] = {0};
    witness w;
    (void)witness_passes(&w, acc, result, 4);
    assert_ptr_equal(w.seen[0], acc); /* only read so far: the caller's own */
    assert_ptr_not_equal(w.seen[1], acc);
    for (size_t i = 2; i < w.calls; i++) {
        assert_ptr_equal(w.seen[i], w.seen[1]);
    }
    assert_memory_equal(acc, ((uint32_t[]){5, 6, 7, 8}), 16);
    assert_memory_equal(result, ((uint32_t[]){5 + 2 * 4, 6, 7, 8}), 16);
}

static void k11_callback_and_device_agree(void **state) {
    (void)state;
    uint32_t x[4] = {1, 2, 3, 4};
    uint32_t start[4] = {100, 200, 300, 400};
    uint32_t acc[4];
    uint32_t y[4];
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse(twice, diags);
    caller c = make_caller();
    gf_bytes inputs[2] = {{x, sizeof x}, {start, sizeof start}};
    gf_output outputs[2] = {{acc, 0, sizeof acc}, {y, 0, sizeof y}};
    gf_stats stats;
    assert_true(gf_run_split(program, inputs, 2, &(gf_run_options){.plan = &keep, .max_passes = 3}, run_segment, &c,
                             outputs, 2, &stats, diags));
    assert_int_equal(stats.launches, c.calls);
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        uint32_t acc_there[4];
        uint32_t y_there[4];
        bench t = set_up(twice);
        memcpy(acc_there, start, sizeof start);
        gf_bind_input(t.bindings, "x", x, sizeof x);
        gf_bind_inout(t.bindings, "acc", acc_there, sizeof acc_there);
        gf_bind_output(t.bindings, "y", y_there, sizeof y_there);
        gf_stats there = run_well(&t, &(gf_run_options){.strategy = strategies[s], .max_passes = 3});
        assert_memory_equal(acc_there, acc, sizeof acc);
        assert_memory_equal(y_there, y, sizeof y);
        assert_int_equal(there.launches, strategies[s] == GF_STRATEGY_NATIVE ? 1 : stats.launches);
        tear_down(&t);
    }
    gf_program_destroy(program);
    gf_device_destroy(c.device);
    gf_diags_destroy(diags);
}

static void k12_lists_are_made_once(void **state) {
    (void)state;
    uint32_t acc[4] = {5, 6, 7, 8};
    uint32_t result[4] = {0};
    witness w;
    uint64_t few = witness_passes(&w, acc, result, 2);
    assert_false(w.moved);
    uint64_t many = witness_passes(&w, acc, result, 10);
    assert_false(w.moved);
    assert_int_equal(few, many);
}

static void k13_counters_of_a_run(void **state) {
    (void)state;
    uint32_t acc[4] = {0};
    uint32_t result[4];
    witness w;
    gf_counters before;
    gf_counters after;
    gf_counters_snapshot(&before);
    (void)witness_passes(&w, acc, result, 1);
    gf_counters_snapshot(&after);
    assert_int_equal(after.splits - before.splits, 1);
    assert_int_equal(after.segments - before.segments, 3);
    assert_int_equal(after.barriers - before.barriers, 2);
    assert_int_equal(after.launches - before.launches, 3);
}

/* K30 */
static void k30_a_failing_segment_is_named(void **state) {
    (void)state;
    uint32_t x[4] = {1, 2, 3, 4};
    uint32_t acc[4] = {100, 100, 100, 100};
    uint32_t y[4] = {77, 77, 77, 77};
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse(twice, diags);
    gf_bytes inputs[2] = {{x, sizeof x}, {acc, sizeof acc}};
    gf_output outputs[2] = {{acc, 0, sizeof acc}, {y, 0, sizeof y}};
    for (size_t k = 1; k <= 6; k++) {
        caller c = make_caller();
        c.fail_at = k;
        c.silent = k % 3 == 0;
        gf_stats stats;
        gf_diag first;
        gf_diag why;
        gf_diags_clear(diags);
        assert_false(gf_run_split(program, inputs, 2, &(gf_run_options){.plan = &keep, .max_passes = 3}, run_segment,
                                  &c, outputs, 2, &stats, diags));
        assert_int_equal(c.calls, k);
        assert_int_equal(gf_diags_count(diags), 1);
        assert_true(gf_diags_get(diags, 0, &first));
        char place[64];
        (void)snprintf(place, sizeof place, "segment %zu of 2%s, pass %zu failed", (k - 1) % 2 + 1,
                       k % 2 == 0 ? ", region \"hop\"" : "", (k + 1) / 2);
        if (strstr(first.message, place) == NULL) {
            show(diags);
        }
        assert_non_null(strstr(first.message, place));
        assert_non_null(strstr(first.message, "`acc`"));
        assert_true(gf_diags_get_note(diags, 0, 0, &why));
        assert_non_null(strstr(why.message, c.silent ? "no message" : "toaster"));
        assert_int_equal(stats.status, GF_STATUS_DEVICE);
        assert_int_equal(acc[0], 100);
        assert_int_equal(y[0], 77);
        gf_device_destroy(c.device);
    }
    caller c = make_caller();
    c.short_output = true;
    gf_diags_clear(diags);
    assert_false(gf_run_split(program, inputs, 2, NULL, run_segment, &c, outputs, 2, NULL, diags));
    assert_int_equal(y[0], 77);
    gf_device_destroy(c.device);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
}

/* B44 */
static void b44_params_and_registers_have_present_values(void **state) {
    (void)state;
    const char *text = "program turn;\nparam u32 n;\nparam u32 add = n + 1;\ninout u32 a[n];\n"
                       "kernel (n) { grid for i in 0 .. 3 { a[gid.x] += add * i; grid_barrier; } }\n";
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse(text, diags);
    uint32_t a[2] = {0, 0};
    caller c = make_caller();
    c.param = "add";
    gf_bytes inputs[1] = {{a, sizeof a}};
    gf_output outputs[1] = {{a, 0, sizeof a}};
    gf_plan_options barriers = {.keep_barriers = true};
    gf_run_param param = {"n", GF_TYPE_U32, 2};
    bool done =
        gf_run_split(program, inputs, 1, &(gf_run_options){.params = &param, .param_count = 1, .plan = &barriers},
                     run_segment, &c, outputs, 1, NULL, diags);
    show(diags);
    assert_true(done);
    assert_int_equal(a[1], 3 * (0 + 1 + 2));
    assert_int_equal(c.seen[0], 3);
    assert_int_equal(c.calls, 3);
    param.name = "m";
    assert_false(gf_run_split(program, inputs, 1, &(gf_run_options){.params = &param, .param_count = 1}, run_segment,
                              &c, outputs, 1, NULL, diags));
    assert_int_equal(gf_diags_status(diags), GF_STATUS_USAGE);
    gf_diags_clear(diags);
    assert_false(gf_run_split(program, inputs, 0, NULL, run_segment, &c, outputs, 1, NULL, diags));
    assert_int_equal(gf_diags_status(diags), GF_STATUS_USAGE);
    gf_device_destroy(c.device);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
}

/* B21: not handed over where it is not used; K07: an input that is only read is the caller's own. */
static void b21_unused_buffers_are_not_moved(void **state) {
    (void)state;
    const char *text = "program unused;\nin u32 big[1000];\nout u32 y[1];\n"
                       "kernel (1) { y[0] = 1; grid_barrier; y[0] += big[7]; grid_barrier; y[0] += 1; }\n";
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse(text, diags);
    static uint32_t big[1000];
    uint32_t y = 0;
    big[7] = 5;
    caller c = make_caller();
    gf_bytes inputs[1] = {{big, sizeof big}};
    gf_output outputs[1] = {{&y, 0, sizeof y}};
    assert_true(
        gf_run_split(program, inputs, 1, &(gf_run_options){.plan = &keep}, run_segment, &c, outputs, 1, NULL, diags));
    assert_int_equal(y, 7);
    assert_int_equal(c.calls, 3);
    assert_int_equal(c.bytes, sizeof big + 2 * sizeof y);
    assert_int_equal(c.first_word[0], 0);
    assert_int_equal(c.first_word[1], 1);
    gf_device_destroy(c.device);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
}

static bool call_split(const gf_program *program, gf_device *device, gf_diags *diags) {
    uint32_t x[4] = {1, 2, 3, 4};
    uint32_t acc[4] = {100, 100, 100, 100};
    uint32_t y[4] = {77, 77, 77, 77};
    caller c = {.device = device};
    gf_bytes inputs[2] = {{x, sizeof x}, {acc, sizeof acc}};
    gf_output outputs[2] = {{acc, 0, sizeof acc}, {y, 0, sizeof y}};
    bool done =
        gf_run_split(program, inputs, 2, &(gf_run_options){.max_passes = 2}, run_segment, &c, outputs, 2, NULL, diags);
    assert_int_equal(acc[0], done ? 122 : 100);
    assert_int_equal(y[3], done ? 129 : 77);
    return done;
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse(twice, diags);
    gf_device *device = gf_device_open("interp", diags);
    (void)gf_memory_fail_at(0, false);
    assert_true(call_split(program, device, diags));
    uint64_t most = gf_memory_fail_at(0, false);
    assert_true(most > 20);
    for (int after = 0; after < 2; after++) {
        for (uint64_t n = 1; n <= most; n++) {
            gf_diags_clear(diags);
            (void)gf_memory_fail_at(n, after != 0);
            bool done = call_split(program, device, diags);
            (void)gf_memory_fail_at(0, false);
            assert_true(done || gf_diags_error_count(diags) > 0);
        }
    }
    gf_device_destroy(device);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k08_the_callers_storage_is_used),
        cmocka_unit_test(k07_an_input_is_copied_at_its_first_write),
        cmocka_unit_test(k11_callback_and_device_agree),
        cmocka_unit_test(k12_lists_are_made_once),
        cmocka_unit_test(k13_counters_of_a_run),
        cmocka_unit_test(k30_a_failing_segment_is_named),
        cmocka_unit_test(b44_params_and_registers_have_present_values),
        cmocka_unit_test(b21_unused_buffers_are_not_moved),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
