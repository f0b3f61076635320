/* Makes a program that shows a difference small, keeping the difference. */
#ifndef FUZZ_DIFFERENTIAL_SHRINK_H
#define FUZZ_DIFFERENTIAL_SHRINK_H

#include "fuzz/generate/text.h"
#include <stdbool.h>

/* Whether a text still shows it. */
typedef struct shrink_test {
    bool (*shows)(void *user, const char *text);
    void *user;
    unsigned tries; /* that are left */
} shrink_test;

/* `program` shows it, before and after. */
void shrink(text *program, shrink_test *test);

#endif
