/* Any text as a program: what is accepted is planned in several forms, written as PTX, and run on the interpreter for a
 * moment, by itself and by its plan. The first byte says how. */
#include "plan/plan.h"
#include "base/memory.h"
#include "bytes.h"
#include "emit/ptx/text.h"
#include "ir/program.h"
#include <gridfence/gridfence.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUFFERS = 16, ELEMENTS = 64, GUARD = 16, NUMBER = 5 };

static void make_plan(gf_program *program, unsigned how, gf_diags *diags) {
    gf_plan_options options = {
        .keep_barriers = (how & 1) != 0, .keep_empty = (how & 2) != 0, .many_passes = (how & 4) != 0};
    options.all_carry = (how & 8) != 0;
    options.lower_exits = (how & 16) != 0;
    gf_plan *plan = gf_plan_create(program, &options, diags);
    if (plan == NULL && gf_diags_error_count(diags) == 0) {
        abort();
    }
    /* What the emitter writes is long; a larger program shows no more of it. */
    if (plan != NULL && (how & 32) != 0 && gf_plan_compiles(plan, 1500, NULL)) {
        gf_free(gf_ptx_text(plan, diags));
    }
    gf_plan_destroy(plan);
}

static void run(gf_program *program, unsigned how, gf_diags *diags) {
    static uint64_t memory[BUFFERS][ELEMENTS + 2 * GUARD];
    gf_device *device = gf_device_open("interp", diags);
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    gf_bindings *bindings = gf_bindings_create(kernel);
    gf_param_info param;
    for (size_t i = 0; gf_program_param_info(program, i, &param); i++) {
        gf_bind_value(bindings, param.name, (gf_value){.type = param.type, .bits = NUMBER});
    }
    memset(memory, 0x5a, sizeof memory);
    gf_buffer_info buffer;
    for (size_t i = 0; i < BUFFERS && gf_program_buffer_info(program, i, &buffer); i++) {
        void *own = &memory[i][GUARD];
        memset(own, (int)i, ELEMENTS * sizeof memory[i][0]);
        if (buffer.role == GF_BUFFER_IN) {
            gf_bind_input(bindings, buffer.name, own, ELEMENTS * sizeof memory[i][0]);
        } else if (buffer.role == GF_BUFFER_INOUT) {
            gf_bind_inout(bindings, buffer.name, own, ELEMENTS * sizeof memory[i][0]);
        } else if (buffer.role == GF_BUFFER_OUT) {
            gf_bind_output(bindings, buffer.name, own, ELEMENTS * sizeof memory[i][0]);
        }
    }
    gf_run_options options = {.timeout = 0.02, .memory_limit = 1 << 20, .max_passes = 3, .checked = (how & 64) != 0};
    options.strategy = (how & 128) != 0 ? GF_STRATEGY_RESIDENT : GF_STRATEGY_NATIVE;
    (void)gf_run(kernel, bindings, &options, NULL, diags);
    if (gf_diags_status(diags) == GF_STATUS_INTERNAL) {
        gf_diags_print(diags, stderr);
        abort();
    }
    for (size_t i = 0; i < BUFFERS; i++) {
        for (size_t k = 0; k < GUARD; k++) {
            if (memory[i][k] != 0x5a5a5a5a5a5a5a5a || memory[i][GUARD + ELEMENTS + k] != 0x5a5a5a5a5a5a5a5a) {
                abort();
            }
        }
    }
    gf_bindings_destroy(bindings);
    gf_kernel_destroy(kernel);
    gf_device_destroy(device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse((const char *)data + 1, size - 1, "fuzz.gf", diags);
    if (program != NULL) {
        gf_diags_clear(diags);
        make_plan(program, data[0], diags);
        gf_diags_clear(diags);
        run(program, data[0], diags);
    }
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return 0;
}
