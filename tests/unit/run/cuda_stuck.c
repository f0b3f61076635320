/* A kernel that does not end when it is told to: the run ends all the same, the device is lost, and nobody waits for it
 * any more. On the fake driver, where a kernel goes on as long as somebody looks at its stream. */
#include "dev/device.h"
#include "run_test.h"
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* One loop of 32 bits, which no kernel looks up from: 2^32 turns take the fake a day. */
static const char endless[] = "program endless;\ninout u32 x[64];\nkernel (64) {\n"
                              "    for i in 0 .. 4294967295 {\n        x[gid.x] += i;\n    }\n}\n";
static const char quick[] = "program quick;\ninout u32 x[64];\nkernel (64) { x[gid.x] += 1; }\n";

typedef struct trial {
    gf_device *device;
    gf_program *program;
    gf_kernel *kernel;
    gf_buffer *buffer;
    uint32_t x[64];
    gf_diags *diags;
} trial;

static trial begin(const char *which, const char *text) {
    trial t = {.device = gf_device_open(which, NULL), .x = {7}, .diags = gf_diags_create()};
    t.program = gf_program_parse(text, strlen(text), "t.gf", NULL);
    t.kernel = gf_kernel_create(t.device, t.program, NULL, NULL);
    t.buffer = gf_buffer_create(t.device, sizeof t.x, NULL);
    assert_true(t.kernel != NULL && t.buffer != NULL);
    return t;
}

static bool run(trial *t, const gf_run_options *options) {
    gf_bindings *b = gf_bindings_create(t->kernel);
    gf_bind_inout(b, "x", t->x, sizeof t->x);
    bool done = gf_run(t->kernel, b, options, NULL, t->diags);
    gf_bindings_destroy(b);
    return done;
}

static void end(trial *t) {
    gf_buffer_destroy(t->buffer);
    gf_kernel_destroy(t->kernel);
    gf_program_destroy(t->program);
    gf_device_destroy(t->device);
    gf_diags_destroy(t->diags);
}

static void assert_first(const trial *t, const char *code, const char *says) {
    gf_diag first;
    assert_true(gf_diags_get(t->diags, 0, &first));
    assert_string_equal(first.code, code);
    assert_non_null(strstr(first.message, says));
}

static void assert_lost(trial *t, const char *which) {
    uint32_t data[64] = {0};
    assert_int_equal(t->x[0], 7); /* as the caller left it */
    gf_diags_clear(t->diags);
    assert_false(gf_buffer_write(t->buffer, 0, data, sizeof data, t->diags));
    assert_first(t, "GF0631", "a kernel that did not end");
    gf_diags_clear(t->diags);
    assert_false(run(t, NULL));
    assert_first(t, "GF0631", "a kernel that did not end");
    gf_diags_clear(t->diags);
    assert_null(gf_device_open(which, t->diags));
    assert_first(t, "GF0631", "did not end, and may be running yet");
}

static void a_limit_is_a_limit(void **state) {
    (void)state;
    trial t = begin("cuda:0", endless);
    gf_run_options options = {.size = sizeof options, .timeout = 0.05};
    assert_false(run(&t, &options));
    assert_first(&t, "GF0701", "did not end within");
    assert_lost(&t, "cuda:0");
    trial other = begin("cuda:1", quick);
    assert_true(run(&other, NULL));
    assert_int_equal(other.x[0], 8);
    end(&other);
    end(&t);
}

static void *ask(void *cancel) {
    (void)nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    gf_cancel_request(cancel);
    return NULL;
}

static void cancelled_is_cancelled(void **state) {
    (void)state;
    trial t = begin("cuda:1", endless);
    gf_run_options options = {.size = sizeof options, .cancel = gf_cancel_create()};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, ask, options.cancel), 0);
    assert_false(run(&t, &options));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_first(&t, "GF0702", "did not end within");
    assert_lost(&t, "cuda:1");
    gf_cancel_destroy(options.cancel);
    end(&t);
}

static int use_fake(void **state) {
    (void)state;
    return setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1) + setenv("FAKE_CUDA_RUN", "1", 1);
}

/* By the leak checker's name: what the driver itself holds for a kernel that has not ended is its own. */
const char *__lsan_default_suppressions(void);  /* NOLINT */
const char *__lsan_default_suppressions(void) { /* NOLINT */
    return "leak:fake_cuda";
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_limit_is_a_limit), cmocka_unit_test(cancelled_is_cancelled)};
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
