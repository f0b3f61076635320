/* Pieces of long rows by strategy resident: the kernel that goes through them is left out where no run had any, and is
 * there again from the first that had. The results are right in each. On the played GPU. */
#include "backend/cuda/kernel.h"
#include "run/kernel.h"
#include "run_test.h"
#include <stdlib.h>

#define ROWS 100
#define ELEMENTS 6000

static const char text[] = "program t;\nparam u32 n;\nin u32 row[n + 1];\nout u32 to[64];\nout u32 last[1];\n"
                           "kernel {\n    forall v in 0 .. n {\n        for e in row[v] .. row[v + 1] {\n"
                           "            atomic_add(to[e % 64], e + v);\n        }\n    }\n    last[0] = to[63];\n}\n";

static void wanted(const uint32_t *row, uint32_t *to) {
    memset(to, 0, 64 * sizeof *to);
    for (uint32_t v = 0; v < ROWS; v++) {
        for (uint32_t e = row[v]; e < row[v + 1]; e++) {
            to[e % 64] += e + v;
        }
    }
}

/* The first of the rows has so many of the elements, the others share the rest. */
static void run(gf_kernel *kernel, uint32_t first) {
    uint32_t row[ROWS + 1] = {0}, to[64], right[64], last = 0;
    gf_diags *diags = gf_diags_create();
    gf_bindings *bound = gf_bindings_create(kernel);
    for (uint32_t v = 1; v <= ROWS; v++) {
        row[v] = first + (v - 1) * ((ELEMENTS - first) / (ROWS - 1));
    }
    wanted(row, right);
    gf_bind_u32(bound, "n", ROWS);
    gf_bind_input(bound, "row", row, sizeof row);
    gf_bind_output(bound, "to", to, sizeof to);
    gf_bind_output(bound, "last", &last, sizeof last);
    gf_run_options options = {.strategy = GF_STRATEGY_RESIDENT};
    bool done = gf_run(kernel, bound, &options, NULL, diags);
    show(diags);
    assert_true(done);
    assert_memory_equal(to, right, sizeof to);
    assert_int_equal(last, right[63]);
    gf_bindings_destroy(bound);
    gf_diags_destroy(diags);
}

static bool skips(const gf_kernel *kernel) {
    const gf_cuda_kernel *native = kernel->native[0];
    return native->stages->pieces == GF_CUDA_PIECES_NONE;
}

typedef struct opened {
    gf_diags *diags;
    gf_device *device;
    gf_program *program;
    gf_kernel *kernel;
} opened;

static opened open_kernel(void) {
    opened o = {.diags = gf_diags_create()};
    o.device = gf_device_open("cuda", o.diags);
    o.program = gf_program_parse(text, strlen(text), "t.gf", o.diags);
    o.kernel = gf_kernel_create(o.device, o.program, NULL, o.diags);
    show(o.diags);
    assert_non_null(o.kernel);
    return o;
}

static void close_kernel(opened o) {
    gf_kernel_destroy(o.kernel);
    gf_program_destroy(o.program);
    gf_device_destroy(o.device);
    gf_diags_destroy(o.diags);
}

static void left_out_and_back(void **state) {
    (void)state;
    opened o = open_kernel();
    run(o.kernel, 60);
    assert_true(skips(o.kernel));
    run(o.kernel, 60);
    assert_true(skips(o.kernel));
    run(o.kernel, 4000); /* by the warp that comes to it, and noticed */
    assert_false(skips(o.kernel));
    run(o.kernel, 4000);
    run(o.kernel, 60);
    assert_false(skips(o.kernel));
    run(o.kernel, 5500);
    close_kernel(o);
}

static void there_at_first(void **state) {
    (void)state;
    opened o = open_kernel();
    run(o.kernel, 4000);
    assert_false(skips(o.kernel));
    close_kernel(o);
}

int main(void) {
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_SMS", "2", 1), 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(left_out_and_back), cmocka_unit_test(there_at_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
