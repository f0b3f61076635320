/* One program with its data, tried in several ways and compared. */
#ifndef FUZZ_DIFFERENTIAL_TRIAL_H
#define FUZZ_DIFFERENTIAL_TRIAL_H

#include "coverage.h"
#include "fuzz/generate/generate.h"
#include "modes.h"

typedef enum trial_verdict {
    VERDICT_SAME,
    VERDICT_INVALID, /* the text is no program, or its data do not fit */
    VERDICT_DATA,    /* other bytes */
    VERDICT_PASSES,  /* another number of passes, or another answer to whether it converged */
    VERDICT_MESSAGE, /* another message */
    VERDICT_FAILS,   /* fails where the truth does not */
    VERDICT_RACE,    /* a race is seen where there is none */
    VERDICT_UNSEEN,  /* a race, or that order matters, is not seen or not where it is */
    VERDICT_ORDER,   /* said to depend on order */
    VERDICT_CRASH,   /* of the process, or a hang: told by whoever watches it */
    VERDICT_HANG,
} trial_verdict;

typedef struct finding {
    trial_verdict verdict;
    const mode *how; /* NULL: not in a run */
    char device[16];
    char why[1500];
} finding;

typedef struct device_set {
    gf_device *interpreter;
    gf_device *others[3]; /* the device named, with several team sizes where it has some; NULL where there is none */
    const char *name;
} device_set;

/* Opens the interpreter, and the device named if there is a name; false with a message on stderr. */
bool devices_open(device_set *to, const char *name);
void devices_close(device_set *from);

/* How much is tried. */
typedef struct trial_how {
    generate_kind kind;
    bool own_atomics; /* whether it is order-free is not known */
    bool all;         /* modes, and the device if there is one */
    bool use_device;
    uint64_t turn;  /* else: whose turn it is */
    bool sure;      /* of no race: before anything else that is made sure of (for shrinking) */
    double timeout; /* of a run, in seconds; 0: 200 */
    FILE *tell;     /* a difference is told there with both results and the plan; NULL: not */
} trial_how;

/* False with the finding filled in. `coverage` may be NULL. */
bool try_program(const device_set *devices, const char *text, const trial_how *how, coverage_table *coverage,
                 finding *out);

const char *verdict_name(trial_verdict verdict);

#endif
