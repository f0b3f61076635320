/* Events of a run in the format that chrome://tracing and ui.perfetto.dev load. */
#ifndef GF_CLI_TRACE_H
#define GF_CLI_TRACE_H

#include "cli/cli.h"

bool gf_cli_trace_write(const gf_trace *trace, const char *program, const char *path, gf_diags *diags);

#endif
