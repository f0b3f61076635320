/* The command line: what main.c and the commands share. */
#ifndef GF_CLI_CLI_H
#define GF_CLI_CLI_H

#include "base/diag.h"
#include "base/str.h"
#include <gridfence/backend.h>
#include <gridfence/gridfence.h>

/* Each takes the arguments behind `gridfence`, the command's name first, puts messages into the sink and gives the exit
 * status; what is left in the sink is printed by main. */
int gf_cmd_run(int argc, char **argv, gf_diags *diags);
int gf_cmd_check(int argc, char **argv, gf_diags *diags);
int gf_cmd_plan(int argc, char **argv, gf_diags *diags);
int gf_cmd_diff(int argc, char **argv, gf_diags *diags);
int gf_cmd_emit(int argc, char **argv, gf_diags *diags);
int gf_cmd_fmt(int argc, char **argv, gf_diags *diags);
int gf_cmd_devices(int argc, char **argv, gf_diags *diags);
int gf_cmd_bench(int argc, char **argv, gf_diags *diags);
int gf_cmd_rmat(int argc, char **argv, gf_diags *diags);

/* The text of a program; `-` is standard input. The caller frees *text with gf_free. */
bool gf_cli_read(const char *path, char **text, size_t *length, gf_diags *diags);
/* Read, parsed and checked; NULL with messages. */
gf_program *gf_cli_program(const char *path, gf_diags *diags);
/* Whether it is order-free, into *order_free; the lines on which it is not go into the sink `reasons`, as warnings. */
bool gf_cli_order_free(const gf_program *program, bool *order_free, gf_diags *reasons, gf_diags *diags);
/* The exit status, which is the signal's where one has stopped a run. `accepted`: the program had passed all checks, so
 * that a size that has no value is the fault of what was given for its params. */
int gf_cli_status(const gf_diags *diags, bool accepted);
/* Whether messages may be coloured: standard error is a terminal and NO_COLOR is not set. */
bool gf_cli_colour(void);
/* Everything that was written to standard output has arrived; an error (of a file) where it has not. */
bool gf_cli_flush(gf_diags *diags);
/* An open string builder to standard output or into a file (`-`: standard output); frees it. */
bool gf_cli_print(gf_str *text, gf_diags *diags);
bool gf_cli_write(const char *path, gf_str *text, gf_diags *diags);
/* Whether such a file could be begun now; NULL is none. */
bool gf_cli_write_check(const char *path, gf_diags *diags);
/* The name among `names` that is nearest to `name`, for "did you mean"; NULL where none is near. */
const char *gf_cli_nearest(const char *name, const char *const *names, size_t count);

#endif
