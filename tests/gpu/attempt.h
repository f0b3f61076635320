/* Carries out one case in this process and compares. */
#ifndef GF_TESTS_GPU_ATTEMPT_H
#define GF_TESTS_GPU_ATTEMPT_H

#include "base/str.h"
#include "gpu/case.h"

typedef struct gf_attempt_how {
    const char *device, *strategy;
    const char *folder;       /* for results in files */
    const char *const *extra; /* further arguments, NULL behind them */
    int output;               /* a file that standard output goes to */
} gf_attempt_how;

typedef enum gf_verdict { GF_VERDICT_PASSED, GF_VERDICT_FAILED, GF_VERDICT_SKIPPED, GF_VERDICT_LOST } gf_verdict;

/* From now on standard output goes to a file of its own; its descriptor, or -1. */
int gf_attempt_capture(void);
/* What the command gives, in lines: its status, and then the code of the first error, or passes and convergence,
 * outputs and files, long ones as size and hash. */
bool gf_attempt_make(const gf_case *item, const gf_attempt_how *how, gf_str *lines);
/* Against what was recorded; `why` gets lines for people. LOST: failed, and the device is not to be used again. */
gf_verdict gf_attempt_judge(const gf_case *item, const gf_attempt_how *how, gf_str *why);
/* Whether the device of this name does what it should. */
bool gf_attempt_is_well(const char *device);
/* The command line that repeats it. */
void gf_attempt_tell(const gf_case *item, const gf_attempt_how *how, gf_str *out);

#endif
