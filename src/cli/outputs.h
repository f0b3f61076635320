/* --out NAME=SINK. */
#ifndef GF_CLI_OUTPUTS_H
#define GF_CLI_OUTPUTS_H

#include "cli/bind.h"

/* Before the run: names and sinks are known. */
bool gf_cli_outputs_check(const gf_cli_data *data, const gf_cli_options *options, gf_diags *diags);
/* Files, and unless --json takes them, those for standard output. */
bool gf_cli_outputs_write(const gf_cli_data *data, const gf_cli_options *options, gf_diags *diags);

#endif
