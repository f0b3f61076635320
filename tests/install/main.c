/* A program of somebody else's, built against the installed library: reverses a vector across a grid barrier, on the
 * best device here and segment by segment. Compiles as C and as C++. */
#include <gridfence/gridfence.h>
#include <stdio.h>
#include <string.h>

static const char program_text[] = "program mirror;\n"
                                   "param u32 n;\n"
                                   "in u32 x[n];\n"
                                   "out u32 y[n];\n"
                                   "scratch u32 twice[n];\n"
                                   "kernel (n) workgroup(64) {\n"
                                   "    twice[gid.x] = 2 * x[gid.x];\n"
                                   "    grid_barrier;\n"
                                   "    y[gid.x] = twice[n - 1 - gid.x];\n"
                                   "}\n";

enum { COUNT = 1000 };

static int run_with(gf_kernel *kernel, gf_strategy strategy, gf_diags *diags) {
    static uint32_t x[COUNT];
    static uint32_t y[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        x[i] = i * i;
        y[i] = 0;
    }
    gf_bindings *bindings = gf_bindings_create(kernel);
    gf_bind_u32(bindings, "n", COUNT);
    gf_bind_input(bindings, "x", x, sizeof x);
    gf_bind_output(bindings, "y", y, sizeof y);
    gf_run_options options;
    memset(&options, 0, sizeof options);
    options.strategy = strategy;
    gf_stats stats;
    int status = gf_run(kernel, bindings, &options, &stats, diags) ? 0 : 1;
    for (uint32_t i = 0; status == 0 && i < COUNT; i++) {
        if (y[i] != 2 * x[COUNT - 1 - i]) {
            fprintf(stderr, "y[%u] is %u\n", (unsigned)i, (unsigned)y[i]);
            status = 1;
        }
    }
    gf_bindings_destroy(bindings);
    return status;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], gf_version()) != 0) {
        fprintf(stderr, "headers say %s, the library %s\n", argv[1], gf_version());
        return 1;
    }
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(program_text, strlen(program_text), "mirror.gf", diags);
    gf_plan *plan = gf_plan_create(program, NULL, diags);
    gf_device *device = gf_device_open("auto", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    int status = 0;
    if (gf_plan_segment_count(plan) != 2) {
        fprintf(stderr, "%u segments\n", (unsigned)gf_plan_segment_count(plan));
        status = 1;
    }
    if (run_with(kernel, GF_STRATEGY_AUTO, diags) != 0 || run_with(kernel, GF_STRATEGY_HOST, diags) != 0) {
        status = 1;
    }
    gf_diags_print(diags, stderr);
    gf_kernel_destroy(kernel);
    gf_device_destroy(device);
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return status;
}
