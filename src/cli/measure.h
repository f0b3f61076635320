/* What a device is worth, by small runs. */
#ifndef GF_CLI_MEASURE_H
#define GF_CLI_MEASURE_H

#include "cli/cli.h"

typedef struct gf_cli_measure {
    double launch_seconds;        /* of a run of one invocation */
    double barrier_seconds;       /* between 4 workgroups of 64 */
    double operations_per_second; /* of one u32 loop: a multiplication, an addition, a step */
} gf_cli_measure;

bool gf_cli_measure_device(gf_device *device, gf_cli_measure *out, gf_diags *diags);

#endif
