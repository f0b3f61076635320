/* Memory that a run wants to begin as zeros: what the run before has left there, and when it is set to zeros. */
#include "unit/cuda/cuda_test.h"
#include <gridfence/gridfence.h>
#include <stdlib.h>

/* Counts what its scratch memory held, and leaves something there. */
static const char counts[] = "program counts;\nparam u32 n;\nscratch u32 s[n];\nout u32 y[n];\nkernel (n) {\n"
                             "    y[gid.x] = atomic_add(s[gid.x], 7) + 1;\n    grid_barrier;\n"
                             "    y[gid.x] += s[n - 1 - gid.x];\n}\n";

/* The result is in what was scratch memory when the run began. */
static const char swaps[] = "program swaps;\nparam u32 n;\nscratch u32 s[n];\ninout u32 y[n];\nkernel (n) {\n"
                            "    atomic_add(s[gid.x], y[gid.x] + 1);\n    grid_barrier;\n    swap(s, y);\n}\n";

/* Each pass goes on with what the one before has left in scratch memory. */
static const char passes[] = "program passes;\nparam u32 n;\nscratch u32 s[n];\nout u32 y[n];\n"
                             "kernel (n) fixpoint(20) on (y) {\n    if y[gid.x] < 8 {\n        s[gid.x] += 2;\n    }\n"
                             "    grid_barrier;\n    y[gid.x] = s[n - 1 - gid.x];\n}\n";

/* Who has returned is known by memory that begins as zeros and that the program does not see. */
static const char leaves[] = "program leaves;\nparam u32 n;\nparam u32 few;\nscratch u32 s[n];\nout u32 y[n];\n"
                             "kernel (n) {\n    s[gid.x] = 3;\n    if gid.x < few {\n        return;\n    }\n"
                             "    grid_barrier;\n    y[gid.x] = s[n - 1 - gid.x] + 5;\n}\n";

/* The same of three. */
static const char more[] = "program more;\nparam u32 n;\nscratch u32 s[n];\nscratch u32 r[n];\nscratch u32 q[n];\n"
                           "out u32 y[n];\nkernel (n) {\n"
                           "    y[gid.x] = atomic_add(s[gid.x], 7) + atomic_add(r[gid.x], 7) + 1;\n"
                           "    y[gid.x] += atomic_add(q[gid.x], 7);\n    grid_barrier;\n"
                           "    y[gid.x] += s[n - 1 - gid.x];\n}\n";

/* What trades its memory with another is copied to see whether a pass changed it. */
static const char copies[] = "program copies;\nparam u32 n;\nscratch u32 s[n];\ninout u32 y[n];\n"
                             "kernel (n) fixpoint(3) on (y) {\n    s[n - 1 - gid.x] = y[gid.x] + 1;\n"
                             "    grid_barrier;\n    swap(s, y);\n}\n";

typedef struct bench {
    gf_device *device;
    gf_kernel *kernel;
    gf_bindings *bindings;
    uint32_t y[600];
} bench;

static void begin(bench *b, const char *text) {
    memset(b, 0, sizeof *b);
    b->device = open_device("");
    gf_program *program = gf_program_parse(text, strlen(text), "t.gf", NULL);
    assert_non_null(program);
    b->kernel = gf_kernel_create(b->device, program, NULL, NULL);
    assert_non_null(b->kernel);
    b->bindings = gf_bindings_create(b->kernel);
    gf_program_destroy(program);
}

static void end(bench *b) {
    gf_bindings_destroy(b->bindings);
    gf_kernel_destroy(b->kernel);
    gf_device_destroy(b->device);
    assert_int_equal(fake_live(), 0);
}

static void run(bench *b, uint32_t n, const gf_run_options *options) {
    gf_bind_u32(b->bindings, "n", n);
    gf_bind_output(b->bindings, "y", b->y, n * sizeof b->y[0]);
    gf_diags *diags = gf_diags_create();
    bool done = gf_run(b->kernel, b->bindings, options, NULL, diags);
    if (!done) {
        gf_diags_print(diags, stderr);
    }
    gf_diags_destroy(diags);
    assert_true(done);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(b->y[i], 8);
    }
}

/* Which of two was called first since the counts began anew; one of them was. */
static bool was_first(const char *one, const char *other) {
    for (uint64_t i = 0;; i++) {
        const char *symbol = fake_symbol(i);
        assert_non_null(symbol);
        if (strcmp(symbol, one) == 0 || strcmp(symbol, other) == 0) {
            return strcmp(symbol, one) == 0;
        }
    }
}

static void are_made_behind_a_run(void **state) {
    (void)state;
    static const gf_strategy strategies[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_PERSISTENT, GF_STRATEGY_RESIDENT};
    for (size_t i = 0; i < sizeof strategies / sizeof strategies[0]; i++) {
        bench b;
        gf_run_options options = {.strategy = strategies[i]};
        const char *launch = strategies[i] == GF_STRATEGY_RESIDENT ? "cuLaunchKernel" : "cuLaunchCooperativeKernel";
        begin(&b, counts);
        for (int turn = 0; turn < 3; turn++) {
            fake_fail("");
            run(&b, 500, &options);
            assert_int_equal(was_first(launch, "cuMemsetD32Async"), turn > 0);
        }
        end(&b);
    }
}

/* A driver that loads something waits for all that is under way, and what is may wait for the host. */
static void nothing_is_loaded_behind_a_launch(void **state) {
    (void)state;
    bench b;
    begin(&b, counts);
    run(&b, 500, NULL); /* for which the device measures itself */
    for (int turn = 1; turn < 4; turn++) {
        bool is_launched = false;
        fake_fail("");
        run(&b, 500, NULL);
        for (uint64_t i = 0; fake_symbol(i) != NULL; i++) {
            is_launched |= strcmp(fake_symbol(i), "cuLaunchCooperativeKernel") == 0;
            assert_false(is_launched && strncmp(fake_symbol(i), "cuModule", 8) == 0);
        }
        assert_true(is_launched);
    }
    end(&b);
}

static void are_as_many_as_the_run_wants(void **state) {
    (void)state;
    bench b;
    begin(&b, counts);
    static const uint32_t sizes[] = {300, 310, 260, 310, 600, 5, 520};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        run(&b, sizes[i], NULL);
    }
    end(&b);
}

static bool go_on(void *user, uint64_t pass, bool changed, double seconds) {
    (void)user, (void)pass, (void)changed, (void)seconds;
    return true;
}

static void nothing_of_a_run_that_goes_on(void **state) {
    (void)state;
    bench b;
    begin(&b, passes);
    gf_run_options options = {.on_pass = go_on};
    run(&b, 500, NULL);
    for (int turn = 0; turn < 3; turn++) {
        run(&b, 500, &options);
    }
    run(&b, 500, NULL);
    end(&b);
}

static void not_where_the_driver_refuses(void **state) {
    (void)state;
    bench b;
    begin(&b, counts);
    run(&b, 500, NULL);
    fake_fail("cuMemsetD32Async:1=1");
    run(&b, 500, NULL);
    fake_fail("");
    run(&b, 500, NULL);
    end(&b);
}

static void not_what_a_swap_made_the_result(void **state) {
    (void)state;
    bench b;
    begin(&b, swaps);
    for (int turn = 0; turn < 3; turn++) {
        for (uint32_t i = 0; i < 500; i++) {
            b.y[i] = 3 * i;
        }
        gf_bind_u32(b.bindings, "n", 500);
        gf_bind_inout(b.bindings, "y", b.y, 500 * sizeof b.y[0]);
        assert_true(gf_run(b.kernel, b.bindings, NULL, NULL, NULL));
        for (uint32_t i = 0; i < 500; i++) {
            assert_int_equal(b.y[i], 3 * i + 1);
        }
    }
    end(&b);
}

/* The memory has become that of a run which does not want zeros of it. */
static void not_once_a_run_wrote_there(void **state) {
    (void)state;
    bench b;
    begin(&b, more);
    gf_program *program = gf_program_parse(copies, strlen(copies), "t.gf", NULL);
    gf_kernel *kernel = gf_kernel_create(b.device, program, NULL, NULL);
    gf_bindings *bindings = gf_bindings_create(kernel);
    uint32_t y[500];
    for (int turn = 0; turn < 4; turn++) {
        run(&b, 500, NULL);
        memset(y, 0xa5, sizeof y);
        gf_bind_u32(bindings, "n", 500);
        gf_bind_inout(bindings, "y", y, sizeof y);
        assert_true(gf_run(kernel, bindings, &(gf_run_options){.strategy = GF_STRATEGY_NATIVE}, NULL, NULL));
        assert_int_equal(y[7], 0xa5a5a5a8);
    }
    gf_bindings_destroy(bindings);
    gf_kernel_destroy(kernel);
    gf_program_destroy(program);
    end(&b);
}

/* Scratch memory of the caller's is not the run's own. */
static void not_what_the_caller_gave(void **state) {
    (void)state;
    bench b;
    begin(&b, counts);
    gf_buffer *buffer = gf_buffer_create(b.device, 500 * sizeof(uint32_t), NULL);
    gf_bind_buffer(b.bindings, "s", buffer);
    uint32_t found[500];
    for (int turn = 0; turn < 2; turn++) {
        run(&b, 500, NULL);
        assert_true(gf_buffer_read(buffer, 0, found, sizeof found, NULL));
        assert_int_equal(found[0], 7);
        assert_int_equal(found[499], 7);
    }
    gf_buffer_destroy(buffer);
    end(&b);
}

/* The memory is somebody else's in between. */
static void not_once_others_wrote_there(void **state) {
    (void)state;
    bench b;
    begin(&b, counts);
    unsigned char bytes[500 * sizeof(uint32_t)], found[sizeof bytes];
    for (uint32_t turn = 0; turn < 3; turn++) {
        run(&b, 500, NULL);
        gf_buffer *buffers[3];
        for (uint32_t i = 0; i < 3; i++) {
            buffers[i] = gf_buffer_create(b.device, sizeof bytes, NULL);
            fill_random(bytes, sizeof bytes, 3 * turn + i);
            assert_true(gf_buffer_write(buffers[i], 0, bytes, sizeof bytes, NULL));
        }
        for (uint32_t i = 0; i < 3; i++) {
            fill_random(bytes, sizeof bytes, 3 * turn + i);
            assert_true(gf_buffer_read(buffers[i], 0, found, sizeof found, NULL));
            assert_memory_equal(bytes, found, sizeof bytes);
            gf_buffer_destroy(buffers[i]);
        }
    }
    end(&b);
}

static void hidden_ones_too(void **state) {
    (void)state;
    static const gf_strategy strategies[] = {GF_STRATEGY_PERSISTENT, GF_STRATEGY_RESIDENT};
    for (size_t i = 0; i < sizeof strategies / sizeof strategies[0]; i++) {
        bench b;
        gf_run_options all = {.strategy = strategies[i]}, heard = {.strategy = strategies[i], .on_pass = go_on};
        begin(&b, leaves);
        for (int turn = 0; turn < 3; turn++) {
            gf_bind_u32(b.bindings, "few", 0);
            run(&b, 500, &all);
            gf_bind_u32(b.bindings, "few", 500); /* and nothing is cleaned behind it */
            assert_true(gf_run(b.kernel, b.bindings, &heard, NULL, NULL));
            assert_int_equal(b.y[0], 0);
            assert_int_equal(b.y[499], 0);
        }
        end(&b);
    }
}

static int setup(void **state) {
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    return use_fake(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_made_behind_a_run),
        cmocka_unit_test(are_as_many_as_the_run_wants),
        cmocka_unit_test(nothing_of_a_run_that_goes_on),
        cmocka_unit_test(not_where_the_driver_refuses),
        cmocka_unit_test(not_what_a_swap_made_the_result),
        cmocka_unit_test(not_once_a_run_wrote_there),
        cmocka_unit_test(not_what_the_caller_gave),
        cmocka_unit_test(not_once_others_wrote_there),
        cmocka_unit_test(nothing_is_loaded_behind_a_launch),
        cmocka_unit_test(hidden_ones_too),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
