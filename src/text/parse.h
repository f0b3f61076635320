/* Text to a parsed tree. */
#ifndef GF_TEXT_PARSE_H
#define GF_TEXT_PARSE_H

#include "ir/program.h"

/* Fills program->source and program->parsed. False if there was any syntax error; all that could be found in one go
 * are in the sink (recovery at statements and declarations, at most 20). Runs inside gf_arena_protect itself. */
bool gf_parse(gf_program *program, const char *text, size_t length, const char *name, gf_diags *diags);

#endif
