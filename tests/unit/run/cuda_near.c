/* Buffers that stay with their invocations while a loop goes on, in shared memory of a block: the results are those of
 * the interpreter, whether there is room for them or not. On the played GPU. */
#include "backend/cuda/kernel.h"
#include "emit/ptx/abi.h"
#include "run/kernel.h"
#include "run_test.h"
#include <stdlib.h>

#define MOST 66000

/* p is gathered, the others are not; of q and d nothing is read before it is written, b is not written. */
static const char text[] =
    "program t;\nparam u32 n;\nparam u32 turns;\nin f32 b[n];\ninout f32 r[n];\ninout f64 d[n];\nout f32 p[n];\n"
    "out f32 q[n];\nout f32 all[1];\nkernel {\n    forall i in 0 .. n { p[i] = r[i]; }\n    var f32 sum = 0.0;\n"
    "    for turn in 0 .. turns {\n        sum = 0.0;\n        forall i in 0 .. n reduce(add sum) {\n"
    "            q[i] = p[(i + 97) % n] * 0.5 + r[i] + b[i];\n            sum = q[i] * 0.001;\n        }\n"
    "        forall i in 0 .. n {\n            d[i] += f64(q[i]) * 0.25;\n            r[i] = r[i] * 0.75 + b[i];\n"
    "            if i % 5 != turn {\n                p[i] = q[i] + sum;\n            }\n        }\n    }\n"
    "    all[0] = sum;\n    forall i in 0 .. n { p[i] += f32(d[n - 1 - i]) + r[n - 1 - i] + q[n - 1 - i]; }\n}\n";

/* One of them alone, for which there is room wherever there is any. */
static const char alone[] =
    "program t;\nparam u32 n;\nparam u32 turns;\nin f32 b[n];\ninout f32 r[n];\ninout f64 d[n];\nout f32 p[n];\n"
    "out f32 q[n];\nout f32 all[1];\nkernel {\n    var f32 sum = 0.0;\n    for turn in 0 .. turns {\n        sum = "
    "0.0;\n"
    "        forall i in 0 .. n reduce(add sum) {\n            r[i] = r[i] * 0.5 + b[n - 1 - i];\n"
    "            sum = r[i];\n        }\n    }\n    all[0] = sum;\n}\n";

/* As bits. */
typedef struct results {
    uint32_t r[MOST], p[MOST], q[MOST], all[2];
    uint64_t d[MOST];
} results;

/* Gives whether buffers were near; on a device that has no such thing, no. */
static bool run(const char *program_text, const char *name, uint32_t n, uint32_t turns, gf_strategy strategy,
                results *out) {
    static float b[MOST];
    gf_diags *diags = gf_diags_create();
    gf_device *device = gf_device_open(name, diags);
    gf_program *program = gf_program_parse(program_text, strlen(program_text), "t.gf", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    gf_bindings *bound = gf_bindings_create(kernel);
    memset(out, 0x55, sizeof *out);
    for (uint32_t i = 0; i < n; i++) {
        b[i] = (float)(i % 13) * 0.125F;
        float r = (float)(i % 7);
        double d = i;
        memcpy(&out->r[i], &r, sizeof r);
        memcpy(&out->d[i], &d, sizeof d);
    }
    gf_bind_u32(bound, "n", n);
    gf_bind_u32(bound, "turns", turns);
    gf_bind_input(bound, "b", b, n * sizeof *b);
    gf_bind_inout(bound, "r", out->r, n * sizeof *out->r);
    gf_bind_inout(bound, "d", out->d, n * sizeof *out->d);
    gf_bind_output(bound, "p", out->p, n * sizeof *out->p);
    gf_bind_output(bound, "q", out->q, n * sizeof *out->q);
    gf_bind_output(bound, "all", out->all, sizeof out->all[0]);
    gf_run_options options = {.strategy = strategy};
    bool done = gf_run(kernel, bound, &options, NULL, diags), is_near = false;
    show(diags);
    assert_true(done);
    if (strcmp(name, "cuda") == 0) {
        const gf_cuda_kernel *native = kernel->native[0];
        const gf_cuda_code *code = native->codes;
        is_near = code != NULL && code->text.near_bytes > 0 && code->image.words[code->text.arg_words - 1] != 0;
    }
    gf_bindings_destroy(bound);
    gf_kernel_destroy(kernel);
    gf_program_destroy(program);
    gf_device_destroy(device);
    gf_diags_destroy(diags);
    return is_near;
}

static results wanted, found;

/* Eight multiprocessors have room for a block each that has its part of three buffers, and for sixteen others. */
static void as_the_interpreter(void **state) {
    (void)state;
    static const struct {
        uint32_t n, turns;
        bool is_near;
    } table[] = {{1, 3, true},    {1000, 5, true},  {4095, 2, true},   {4097, 2, true},
                 {8193, 1, true}, {32768, 1, true}, {32769, 1, false}, {5000, 0, true}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        (void)run(text, "interp", table[i].n, table[i].turns, GF_STRATEGY_NATIVE, &wanted);
        bool is_near = run(text, "cuda", table[i].n, table[i].turns, GF_STRATEGY_NATIVE, &found);
        if (is_near != table[i].is_near || memcmp(&wanted, &found, sizeof wanted) != 0) {
            fail_msg("%u items, %u turns: near %d", (unsigned)table[i].n, (unsigned)table[i].turns, is_near);
        }
    }
    (void)run(text, "interp", 3000, 2, GF_STRATEGY_NATIVE, &wanted);
    assert_false(run(text, "cuda", 3000, 2, GF_STRATEGY_RESIDENT, &found));
    assert_memory_equal(&wanted, &found, sizeof wanted);
}

/* Sixteen blocks of 4096. */
static void more_than_blocks_have(void **state) {
    (void)state;
    for (uint32_t n = 65536; n < 65538; n++) {
        (void)run(alone, "interp", n, 1, GF_STRATEGY_NATIVE, &wanted);
        bool is_near = run(alone, "cuda", n, 1, GF_STRATEGY_NATIVE, &found);
        assert_int_equal(is_near, n == 65536);
        assert_memory_equal(&wanted, &found, sizeof wanted);
    }
}

int main(void) {
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_SMS", "8", 1), 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_interpreter), cmocka_unit_test(more_than_blocks_have)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
