/* What `gridfence COMMAND --help` prints. */
#ifndef GF_CLI_HELP_H
#define GF_CLI_HELP_H

void gf_cli_help(const char *command);

#endif
