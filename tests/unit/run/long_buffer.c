/* A buffer of 2^32 elements: `len` of it is no u32. The memory is reserved and never touched. */
#define _GNU_SOURCE
#include "run_test.h"
#include <sys/mman.h>

#define ELEMENTS ((size_t)1 << 32)

static bool run_long(const char *text, void *memory, gf_diags *diags) {
    gf_program *program = gf_program_parse(text, strlen(text), "long.gf", diags);
    gf_device *device = gf_device_open("interp", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    gf_bindings *bindings = gf_bindings_create(kernel);
    uint32_t answer[1] = {7};
    gf_bind_input(bindings, "x", memory, ELEMENTS);
    gf_bind_output(bindings, "y", answer, sizeof answer);
    bool done = gf_run(kernel, bindings, &(gf_run_options){.strategy = GF_STRATEGY_NATIVE}, NULL, diags);
    assert_int_equal(answer[0], done ? 1 : 7);
    gf_bindings_destroy(bindings);
    gf_kernel_destroy(kernel);
    gf_device_destroy(device);
    gf_program_destroy(program);
    return done;
}

static void narrow_len_is_refused(void **state) {
    (void)state;
    void *memory = mmap(NULL, ELEMENTS, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        skip();
    }
    gf_diags *diags = gf_diags_create();
    assert_false(run_long("program p; in u8 x[]; out u32 y[1]; kernel { y[0] = len(x); }", memory, diags));
    gf_diag diag;
    assert_true(gf_diags_get(diags, 0, &diag));
    assert_non_null(strstr(diag.message, "`len(x)` is a u32"));
    gf_diags_clear(diags);
    /* Who does not ask for the length may have it. */
    assert_true(
        run_long("program p; in u8 x[]; out u32 y[1]; kernel { y[0] = u32(x[u64(4294967295)] == 0); }", memory, diags));
    gf_diags_destroy(diags);
    munmap(memory, ELEMENTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(narrow_len_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
