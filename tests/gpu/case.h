/* Recorded cases: what is run, and what the interpreter gave. A file of them is lines of a word and a rest:
 *
 *     case NAME                begins one
 *     arg TEXT                 of the command, in order; the first is the command's name
 *     strategies NAME...       only by these; auto counts as native
 *     loose passes converged   what of the two may differ
 *     tells TEXT               messages hold this
 *     dies                     the process is to be killed by this case: for the tests of what supervises it
 *     = TEXT                   a line of what was recorded, as gf_attempt_make writes it
 *
 * A `@/` behind `=` in an argument stands for a folder for results; such files are compared too. */
#ifndef GF_TESTS_GPU_CASE_H
#define GF_TESTS_GPU_CASE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gf_case_lines {
    char **items; /* point into the text of the file */
    size_t count;
} gf_case_lines;

typedef struct gf_case {
    const char *name;
    gf_case_lines args, tells, recorded;
    const char *strategies; /* NULL: all */
    bool loose_passes, loose_converged, dies;
} gf_case;

typedef struct gf_cases {
    char *text;
    gf_case *items;
    size_t count;
} gf_cases;

/* False with a message on standard error. */
bool gf_cases_read(gf_cases *cases, const char *path);
void gf_cases_free(gf_cases *cases);
/* Whether it is meant for this strategy. */
bool gf_case_takes(const gf_case *item, const char *strategy);

#endif
