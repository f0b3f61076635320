/* One run (or several) of loaded data on one device. */
#ifndef GF_CLI_LAUNCH_H
#define GF_CLI_LAUNCH_H

#include "cli/report.h"

/* Runs options->repeat times from the same inputs; results are in the data, the median in `result` (whose profile the
 * caller frees). `trace` may be NULL and gets the first run. */
bool gf_cli_launch(gf_device *device, gf_cli_data *data, const gf_cli_options *options, gf_strategy strategy,
                   gf_trace *trace, bool show_progress, gf_cli_result *result, gf_diags *diags);

#endif
