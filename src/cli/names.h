/* Finding what an option names, with messages that say what there is. */
#ifndef GF_CLI_NAMES_H
#define GF_CLI_NAMES_H

#include "cli/bind.h"

typedef enum gf_cli_want { GF_CLI_WANT_ANY, GF_CLI_WANT_INPUT, GF_CLI_WANT_OUTPUT } gf_cli_want;

/* The place among the buffers (params) of the program; false with a message. `option` is without dashes. */
bool gf_cli_find_buffer(const gf_cli_data *data, const char *option, const char *name, gf_cli_want want, size_t *place,
                        gf_diags *diags);
bool gf_cli_find_param(const gf_cli_data *data, const char *option, const char *name, size_t *place, gf_diags *diags);

#endif
