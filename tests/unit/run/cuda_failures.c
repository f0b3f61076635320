/* Each call of the driver that a run makes fails in turn, by the fake driver: the run says so, nothing stays behind,
 * and the device is as usable afterwards as the error lets it be. What the runs compute is not looked at: kernels of
 * the fake driver do nothing. */
#include "run_test.h"
#include <dlfcn.h>
#include <stdlib.h>

static void (*fake_fail)(const char *plan);
static uint64_t (*fake_calls)(const char *symbol);
static const char *(*fake_symbol)(uint64_t index);
static int64_t (*fake_live)(void);

static void load_symbol(void *library, const char *name, void *function, size_t size) {
    void *found = dlsym(library, name);
    assert_non_null(found);
    memcpy(function, &found, size);
}

static int use_fake(void **state) {
    (void)state;
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    void *library = dlopen(GF_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    load_symbol(library, "fake_cuda_fail", &fake_fail, sizeof fake_fail);
    load_symbol(library, "fake_cuda_calls", &fake_calls, sizeof fake_calls);
    load_symbol(library, "fake_cuda_symbol", &fake_symbol, sizeof fake_symbol);
    load_symbol(library, "fake_cuda_live", &fake_live, sizeof fake_live);
    return 0;
}

#define COUNT 20000 /* elements: more than a small transfer */

static const char *const texts[] = {
    "program plain;\ninout u32 a[20000];\nout u32 b[20000];\nkernel (20000) { b[gid.x] = a[gid.x]; }\n",
    "program barriers;\ninout u32 a[20000];\nout u32 b[20000];\nkernel (20000) {\n"
    "    let mine = a[gid.x];\n    grid_barrier;\n    b[gid.x] = mine + a[19999 - gid.x];\n}\n",
    "program passes;\ninout u32 a[20000];\nout u32 b[20000];\nkernel (20000) fixpoint(20) on (a) {\n"
    "    a[gid.x] = max(a[gid.x], 7);\n    b[gid.x] = a[gid.x];\n}\n",
};

/* False where something failed that was told. */
static bool run_text(gf_device *device, const char *text, gf_strategy strategy, gf_diags *diags) {
    static uint32_t a[COUNT];
    static uint32_t b[COUNT];
    gf_program *program = gf_program_parse(text, strlen(text), "t.gf", NULL);
    assert_non_null(program);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    gf_bindings *bound = gf_bindings_create(kernel);
    gf_bind_inout(bound, "a", a, sizeof a);
    gf_bind_output(bound, "b", b, sizeof b);
    bool done = kernel != NULL;
    for (int i = 0; done && i < 2; i++) {
        done = gf_run(kernel, bound, &(gf_run_options){.strategy = strategy}, NULL, diags);
    }
    gf_bindings_destroy(bound);
    gf_kernel_destroy(kernel);
    gf_program_destroy(program);
    return done;
}

static bool is_giving_back(const char *symbol) {
    return strstr(symbol, "Free") != NULL || strstr(symbol, "Destroy") != NULL || strstr(symbol, "Unload") != NULL ||
           strstr(symbol, "PopCurrent") != NULL || strstr(symbol, "Release") != NULL;
}

static void assert_told(const char *plan, int result, const gf_diags *diags) {
    bool is_told = false;
    for (size_t i = 0; i < gf_diags_count(diags); i++) {
        gf_diag diag;
        gf_diag note = {.message = ""};
        assert_true(gf_diags_get(diags, i, &diag));
        for (size_t k = 0; !is_told && k <= diag.note_count; k++) {
            const char *message = k == 0 ? diag.message : note.message;
            is_told = strstr(message, "cu") != NULL && strstr(message, "CUDA_ERROR_") != NULL;
            (void)gf_diags_get_note(diags, i, k, &note);
        }
    }
    if (!is_told) {
        print_message("%s:\n", plan);
        gf_diags_print(diags, stderr);
    }
    assert_true(is_told);
    assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
    (void)result;
}

static void fail_each_call(const char *text, gf_strategy strategy) {
    static const int results[] = {1, 2, 700};
    gf_diags *diags = gf_diags_create();
    fake_fail("");
    gf_device *device = gf_device_open("cuda", NULL);
    assert_non_null(device);
    fake_fail("");
    bool can = run_text(device, text, strategy, diags);
    show(diags);
    assert_true(can);
    char symbols[64][64];
    uint64_t calls[64];
    size_t count = 0;
    for (; fake_symbol(count) != NULL && count < 64; count++) {
        (void)snprintf(symbols[count], sizeof symbols[count], "%s", fake_symbol(count));
        calls[count] = fake_calls(symbols[count]);
    }
    assert_true(count > 10);
    gf_device_destroy(device);
    for (size_t i = 0; i < count; i++) {
        if (is_giving_back(symbols[i])) {
            continue;
        }
        for (size_t r = 0; r < sizeof results / sizeof results[0]; r++) {
            for (uint64_t nth = 1; nth <= calls[i]; nth += nth < 4 ? 1 : calls[i] / 3 + 1) {
                char plan[128];
                (void)snprintf(plan, sizeof plan, "%s:%d=%d", symbols[i], (int)nth, results[r]);
                device = gf_device_open("cuda", NULL);
                assert_non_null(device);
                int64_t before = fake_live();
                fake_fail(plan);
                gf_diags_clear(diags);
                bool done = run_text(device, text, strategy, diags);
                bool is_lost = results[r] == 700;
                if (!done) {
                    assert_told(plan, results[r], diags);
                }
                /* The device goes on, or says that it is lost. */
                fake_fail("");
                gf_diags_clear(diags);
                bool again = run_text(device, text, strategy, diags);
                if (again == is_lost) {
                    print_message("%s: then\n", plan);
                    gf_diags_print(diags, stderr);
                }
                assert_int_equal(again, !is_lost);
                gf_device_destroy(device);
                assert_true(fake_live() < before);
                if (fake_live() != 0) { /* which call it was */
                    print_message("%s: left\n", plan);
                }
                assert_int_equal(fake_live(), 0);
            }
        }
    }
    gf_diags_destroy(diags);
}

static void plain(void **state) {
    (void)state;
    fail_each_call(texts[0], GF_STRATEGY_AUTO);
}

static void barriers(void **state) {
    (void)state;
    fail_each_call(texts[1], GF_STRATEGY_NATIVE);
}

static void passes(void **state) {
    (void)state;
    fail_each_call(texts[2], GF_STRATEGY_NATIVE);
}

static void segments_by_the_host(void **state) {
    (void)state;
    fail_each_call(texts[1], GF_STRATEGY_HOST);
}

static void resident(void **state) {
    (void)state;
    fail_each_call(texts[1], GF_STRATEGY_RESIDENT);
    fail_each_call(texts[2], GF_STRATEGY_RESIDENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),    cmocka_unit_test(barriers),
        cmocka_unit_test(passes),   cmocka_unit_test(segments_by_the_host),
        cmocka_unit_test(resident),
    };
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
