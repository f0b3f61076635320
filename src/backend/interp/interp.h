/* The reference interpreter: runs a whole checked program with its grid barriers, or a segment, one invocation after
 * the other up to the next barrier. Shares nothing with the splitter but the op table: it is the witness. */
#ifndef GF_INTERP_INTERP_H
#define GF_INTERP_INTERP_H

#include "dev/backend.h"
#include "ir/program.h"

typedef struct gf_interp_kernel gf_interp_kernel;

/* Compiles a checked program to the interpreter's own code. NULL with a message where memory ends or the program is too
 * large. The kernel holds the program. Read-only once made: many threads may launch it at once. */
gf_interp_kernel *gf_interp_compile(gf_program *program, gf_diags *diags);
void gf_interp_destroy(gf_interp_kernel *kernel);

/* Runs it. True: it ran to its end, or to the limit of passes, or a trap was raised (see result->trap), or on_pass
 * stopped it. False: memory, a stop by launch->stop (GF_CODE_TIMEOUT, GF_CODE_CANCELLED), or, checked, an error in the
 * program that the sink describes. Works in the buffers of the launch: whoever needs them whole after a failure
 * hands copies. */
bool gf_interp_launch(const gf_interp_kernel *kernel, const gf_launch *launch, gf_launch_result *result,
                      gf_diags *diags);

#endif
