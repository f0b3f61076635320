/* A parsed tree to a checked one: names, types, uniformity, rules (see ir.h for what a checked tree promises). */
#ifndef GF_CHECK_CHECK_H
#define GF_CHECK_CHECK_H

#include "ir/program.h"

/* Fills program->checked from program->parsed. False with errors in the sink. Runs inside gf_arena_protect itself. */
bool gf_check(gf_program *program, gf_diags *diags);

/* Whether a checked tree keeps the promises of ir.h; the message names the first that is broken. For debug builds and
 * tests, after every pass. */
bool gf_validate(const gf_tree *tree, gf_diags *diags);

#endif
