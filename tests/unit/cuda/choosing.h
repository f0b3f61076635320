/* Plans on a played device with the shape of an H200, for tests of what is chosen for them and of what that goes by. */
#ifndef GF_TESTS_CUDA_CHOOSING_H
#define GF_TESTS_CUDA_CHOOSING_H

#include "backend/cuda/kernel.h"
#include "backend/cuda/measure.h"
#include "cuda_test.h"
#include "ir/program.h"

#define MOST 16

static const char one[] = "program one;\nparam u32 n;\ninout u32 a[n];\nkernel (n) { a[gid.x] += 1; }\n";

/* Nothing stays with an invocation; a loop whose turns nobody knows. */
static const char until[] =
    "program until;\nparam u32 n;\ninout u32 a[n];\nkernel (n) {\n"
    "    var bool more = true;\n    while more {\n        var bool grew = false;\n"
    "        if a[gid.x] < 9 {\n            a[gid.x] += 1;\n            grew = true;\n        }\n"
    "        more = grid_any(grew);\n    }\n}\n";

/* The same with prefix sums, whose tiles wait for each other: not by steps. */
static const char scanning[] =
    "program scanning;\nparam u32 n;\ninout u32 a[n];\nkernel (n) {\n"
    "    var bool more = true;\n    while more {\n        let before = grid_scan_add(a[gid.x]);\n"
    "        a[gid.x] = before % 7;\n        more = grid_any(before > 9);\n    }\n}\n";

/* A value of each invocation crosses the barrier of each turn. */
static const char keeps[] = "program keeps;\nparam u32 n;\nparam u32 turns;\ninout u32 a[n];\nkernel (n) {\n"
                            "    var u32 mine = a[gid.x];\n    for t in 0 .. turns {\n        grid_barrier;\n"
                            "        a[gid.x] = mine;\n        grid_barrier;\n"
                            "        mine = mine * 3 + a[(gid.x + t) % n];\n    }\n    a[gid.x] = mine;\n}\n";

/* Two segments, one behind the other. */
static const char two[] = "program two;\nparam u32 n;\nin u32 a[n];\nout u32 b[n];\nout u32 c[n];\nkernel (n) {\n"
                          "    b[gid.x] = a[gid.x] + 1;\n    grid_barrier;\n    c[gid.x] = b[n - 1 - gid.x];\n}\n";

typedef struct bench {
    gf_device *device;
    gf_cuda_device *cuda;
    gf_cuda_driver driver; /* a copy, to be changed */
    const gf_cuda_driver *original;
    gf_program *program;
    gf_cuda_kernel *kernel;
    gf_value params[MOST];
    gf_backend_buffer buffers[MOST];
    gf_backend_launch launch;
} bench;

static inline void begin(bench *b, const char *text) {
    memset(b, 0, sizeof *b);
    b->device = open_device("");
    b->cuda = gf_cuda_device_of(b->device);
    b->original = b->cuda->context.driver;
    b->driver = *b->original;
    b->cuda->context.driver = &b->driver;
    b->cuda->facts.sms = 132;
    b->cuda->facts.threads_per_sm = 2048;
    b->cuda->facts.l2_bytes = 62914560;
    b->cuda->figures = gf_cuda_figures_default();
    b->cuda->figures_origin = GF_CUDA_FIGURES_MEASURED;
    b->program = gf_program_parse(text, strlen(text), "t.gf", NULL);
    assert_non_null(b->program);
    assert_non_null(b->program->checked);
    b->kernel = gf_cuda_kernel_create(b->cuda, b->program, NULL, NULL);
    assert_non_null(b->kernel);
}

/* One axis of n invocations; all buffers have n elements, and the first param is n. */
static inline void size(bench *b, uint64_t n, uint64_t second, uint64_t passes) {
    const gf_tree *tree = b->program->checked;
    size_t params = gf_tree_count(tree, GF_SYMBOL_PARAM), buffers = gf_tree_count(tree, GF_SYMBOL_BUFFER);
    assert_true(params <= MOST && buffers <= MOST);
    for (size_t i = 0; i < params; i++) {
        b->params[i] = (gf_value){.type = gf_tree_nth(tree, GF_SYMBOL_PARAM, i)->type, .bits = i == 0 ? n : second};
    }
    for (size_t i = 0; i < buffers; i++) {
        b->buffers[i] = (gf_backend_buffer){.count = n};
    }
    uint64_t group = tree->kernel.workgroup[0];
    b->launch = (gf_backend_launch){.params = b->params,
                                    .param_count = params,
                                    .buffers = b->buffers,
                                    .buffer_count = buffers,
                                    .space = {n, 1, 1},
                                    .groups = {(n + group - 1) / group, 1, 1},
                                    .max_passes = passes,
                                    .compare = passes > 1,
                                    .memory_left = UINT64_MAX};
}

static inline void end(bench *b) {
    b->cuda->context.driver = b->original;
    gf_cuda_kernel_destroy(b->cuda, b->kernel);
    gf_program_destroy(b->program);
    gf_device_destroy(b->device);
    assert_int_equal(fake_live(), 0);
}

#endif
