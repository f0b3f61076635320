#include "cli/measure.h"
#include <string.h>

static const char launch_text[] = "program launch;\n"
                                  "out u32 x[1];\n"
                                  "kernel (1) workgroup(1) { x[0] = 1; }\n";
static const char barrier_text[] = "program barriers;\n"
                                   "param u32 turns;\n"
                                   "inout u32 x[256];\n"
                                   "kernel (256) workgroup(64) {\n"
                                   "    for i in 0 .. turns {\n"
                                   "        x[gid.x] = x[255 - gid.x] + i;\n"
                                   "        grid_barrier;\n"
                                   "    }\n"
                                   "}\n";
static const char operations_text[] = "program operations;\n"
                                      "param u32 turns;\n"
                                      "out u32 x[1];\n"
                                      "kernel (1) workgroup(1) {\n"
                                      "    var u32 a = 1;\n"
                                      "    for i in 0 .. turns { a = a * 1664525 + i; }\n"
                                      "    x[0] = a;\n"
                                      "}\n";

/* The fastest of three. */
static bool time_program(gf_device *device, const char *text, uint32_t turns, double *seconds, gf_diags *diags) {
    uint32_t x[256] = {0};
    gf_program *program = gf_program_parse(text, strlen(text), "<measure>", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    gf_bindings *bindings = gf_bindings_create(kernel);
    if (turns > 0) {
        gf_bind_u32(bindings, "turns", turns);
    }
    if (text == barrier_text) {
        gf_bind_inout(bindings, "x", x, sizeof x);
    } else {
        gf_bind_output(bindings, "x", x, sizeof x);
    }
    bool done = program != NULL;
    for (int i = 0; done && i < 3; i++) {
        gf_stats stats;
        done = gf_run(kernel, bindings, NULL, &stats, diags);
        *seconds = done && (i == 0 || stats.seconds_wall < *seconds) ? stats.seconds_wall : *seconds;
    }
    gf_bindings_destroy(bindings);
    gf_kernel_destroy(kernel);
    gf_program_destroy(program);
    return done;
}

bool gf_cli_measure_device(gf_device *device, gf_cli_measure *out, gf_diags *diags) {
    enum { BARRIERS = 64, TURNS = 300000, OPERATIONS = 3 };
    double loop = 0;
    double barriers = 0;
    if (!time_program(device, launch_text, 0, &out->launch_seconds, diags) ||
        !time_program(device, barrier_text, BARRIERS, &barriers, diags) ||
        !time_program(device, operations_text, TURNS, &loop, diags)) {
        return false;
    }
    out->barrier_seconds = barriers / BARRIERS;
    out->operations_per_second = loop > 0 ? (double)TURNS * OPERATIONS / loop : 0;
    return true;
}
