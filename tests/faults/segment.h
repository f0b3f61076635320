/* What the tests of gf_run_split share: a device that can run one kernel, over the public interface. */
#ifndef GF_TESTS_FAULTS_SEGMENT_H
#define GF_TESTS_FAULTS_SEGMENT_H

/* clang-format off */
#include "base/diag.h"
#include "unit/unit.h"
#include <gridfence/gridfence.h>
/* clang-format on */

/* Runs the segment natively on that device, with what a gf_dispatch_fn is handed. */
static inline bool run_segment_on(gf_device *device, const gf_program *segment, const gf_bytes *inputs,
                                  size_t input_count, const gf_output *outputs, size_t output_count, gf_diags *diags) {
    /* Counted by reference only: a kernel holds it. */
    gf_kernel *kernel = gf_kernel_create(device, (gf_program *)(uintptr_t)segment, NULL, diags);
    gf_bindings *b = gf_bindings_create(kernel);
    if (kernel != NULL && b == NULL) {
        (void)gf_fail_memory(diags); /* the one function of these that has no sink */
    }
    gf_buffer_info info;
    size_t input = 0;
    size_t output = 0;
    for (size_t i = 0; gf_program_buffer_info(segment, i, &info); i++) {
        if (info.role == GF_BUFFER_IN) {
            gf_bind_input(b, info.name, inputs[input].data, inputs[input].size);
        } else if (info.role == GF_BUFFER_INOUT) {
            gf_bind_inout(b, info.name, outputs[output].data, outputs[output].size);
        } else {
            gf_bind_output(b, info.name, outputs[output].data, outputs[output].size);
        }
        input += info.role != GF_BUFFER_OUT;
        output += info.role != GF_BUFFER_IN;
    }
    assert_true(input == input_count && output == output_count);
    bool done = gf_run(kernel, b, &(gf_run_options){.strategy = GF_STRATEGY_NATIVE}, NULL, diags);
    gf_bindings_destroy(b);
    gf_kernel_destroy(kernel);
    return done;
}

#endif
