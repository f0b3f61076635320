/* Memory of a caller on a GPU, bound to runs; by the fake driver, on which kernels do nothing. */
#include "dev/device.h"
#include "run_test.h"
#include <gridfence/cuda.h>
#include <stdlib.h>

static const char text[] = "program copy;\n"
                           "in u32 x[64];\n"
                           "inout u32 y[64];\n"
                           "kernel (64) { y[gid.x] = x[gid.x]; }\n";

#define BYTES 256

/* Binds [x, x + 256) and [y, y + 256) of one allocation. */
static bool share(gf_kernel *kernel, gf_buffer *x, gf_buffer *y, gf_diags *diags) {
    gf_bindings *b = gf_bindings_create(kernel);
    gf_bind_buffer(b, "x", x);
    gf_bind_buffer(b, "y", y);
    (void)gf_run(kernel, b, NULL, NULL, diags);
    gf_bindings_destroy(b);
    gf_diag first;
    return gf_diags_get(diags, 0, &first) && strcmp(first.name, "bind-overlap") == 0;
}

static void overlap_is_seen(void **state) {
    (void)state;
    static const struct {
        size_t x, y;
        bool overlaps;
    } cases[] = {{0, 0, true}, {0, 128, true}, {128, 0, true}, {0, 256, false}, {512, 0, false}, {240, 0, true}};
    gf_diags *diags = gf_diags_create();
    gf_device *device = gf_device_open("cuda", diags);
    assert_non_null(device);
    gf_buffer *memory = gf_buffer_create(device, 1024, diags);
    gf_program *program = gf_program_parse(text, strlen(text), "copy.gf", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    show(diags);
    assert_non_null(kernel);
    /* The first member of what the device calls memory is its address there. */
    uint64_t address = 0;
    memcpy(&address, memory->memory, sizeof address);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gf_diags_clear(diags);
        gf_buffer *x = gf_buffer_wrap_cuda(device, (void *)(uintptr_t)(address + cases[i].x), BYTES, diags);
        gf_buffer *y = gf_buffer_wrap_cuda(device, (void *)(uintptr_t)(address + cases[i].y), BYTES, diags);
        assert_true(x != NULL && y != NULL);
        assert_true(share(kernel, x, y, diags) == cases[i].overlaps);
        gf_buffer_destroy(x);
        gf_buffer_destroy(y);
    }
    gf_buffer_destroy(memory);
    gf_kernel_destroy(kernel);
    gf_program_destroy(program);
    gf_device_destroy(device);
    gf_diags_destroy(diags);
}

static void auto_takes_it(void **state) {
    (void)state;
    gf_device *device = gf_device_open("auto", NULL);
    assert_string_equal(gf_device_name(device), "cuda");
    gf_device_destroy(device);
    device = gf_device_open("cuda:1", NULL);
    assert_string_equal(gf_device_name(device), "cuda:1");
    gf_device_destroy(device);
    assert_null(gf_device_open("cuda:2", NULL));
}

static int use_fake(void **state) {
    (void)state;
    return setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlap_is_seen), cmocka_unit_test(auto_takes_it)};
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
