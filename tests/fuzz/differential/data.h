/* A program with what its first line gives it: `//! args --set n=5 --in x=random:1 ...`. */
#ifndef FUZZ_DIFFERENTIAL_DATA_H
#define FUZZ_DIFFERENTIAL_DATA_H

#include "cli/bind.h"

typedef struct loaded {
    gf_diags *diags;
    gf_program *program;
    gf_cli_options options;
    gf_cli_data data;
    char *words; /* of the line, cut apart */
    char *argv[256];
} loaded;

/* False with a message in the diags; unload is due in any case. Options that name what the program has not are left
 * out, so that a program can lose a declaration. */
bool load(loaded *to, const char *text);
void unload(loaded *from);

#endif
