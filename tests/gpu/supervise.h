/* Runs cases one after another in one process, and another process that sees to it that nothing ends the row: a case
 * that crashes, hangs or loses the device has failed, and a new process goes on behind it. The first process never
 * touches the device, so that it can fork. */
#ifndef GF_TESTS_GPU_SUPERVISE_H
#define GF_TESTS_GPU_SUPERVISE_H

#include "gpu/attempt.h"
#include <stdio.h>

typedef struct gf_supervise_options {
    gf_attempt_how how;
    const gf_case *const *cases;
    size_t count;
    double case_seconds;  /* a case that takes longer hangs */
    double limit_seconds; /* 0: none; what is not begun by then is skipped */
    double loop_seconds;  /* above 0: begins again as long as this has not passed */
    bool in_process;      /* no second process: for tools that look at one */
    FILE *record;         /* what the cases give is written here, and compared with nothing; NULL */
    FILE *log;            /* a line for each case, with its time; NULL */
} gf_supervise_options;

typedef struct gf_supervise_counts {
    size_t passed, failed, skipped, restarts;
    bool has_device; /* false: it could not be opened at all */
} gf_supervise_counts;

gf_supervise_counts gf_supervise(const gf_supervise_options *options);

#endif
