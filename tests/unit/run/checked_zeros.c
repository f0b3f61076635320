/* What a checked run finds in memory that others had before. */
#include "run_test.h"

/* A checked run goes by another plan, which leaves nothing out: what the plan says of buffers is not of that one. */
static void checked_runs_find_zeros(void **state) {
    (void)state;
    static const char text[] = "program t;\nparam u32 n;\nscratch u32 s[n];\nout u32 y[n];\nin u32 x[1];\n"
                               "kernel (n) { let a = x[s[gid.x]]; }\n";
    gf_device *device = gf_device_open("cpu", NULL);
    if (device == NULL) {
        skip();
    }
    gf_program *program = gf_program_parse(text, strlen(text), "t.gf", NULL);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, NULL);
    uint32_t x = 0, y[1000], garbage[1000];
    memset(garbage, 0xa5, sizeof garbage);
    gf_buffer *buffer = gf_buffer_create(device, sizeof garbage, NULL);
    assert_true(gf_buffer_write(buffer, 0, garbage, sizeof garbage, NULL));
    gf_bindings *b = gf_bindings_create(kernel);
    gf_bind_u32(b, "n", 1000);
    gf_bind_input(b, "x", &x, sizeof x);
    gf_bind_output(b, "y", y, sizeof y);
    gf_bind_buffer(b, "s", buffer);
    gf_run_options options = {.checked = true};
    assert_true(gf_run(kernel, b, &options, NULL, NULL));
    gf_bindings_destroy(b);
    gf_buffer_destroy(buffer);
    gf_kernel_destroy(kernel);
    gf_program_destroy(program);
    gf_device_destroy(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(checked_runs_find_zeros)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
