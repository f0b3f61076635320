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
        cmocka_unit_test(k30_a_failing_segment_is_named),
        cmocka_unit_test(b44_params_and_registers_have_present_values),
        cmocka_unit_test(b21_unused_buffers_are_not_moved),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
