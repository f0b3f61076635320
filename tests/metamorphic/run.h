/* One program with one set of data, and what comes out of it. */
#ifndef GF_TESTS_METAMORPHIC_RUN_H
#define GF_TESTS_METAMORPHIC_RUN_H

#include "cli/bind.h"

typedef struct outcome {
    bool ok;
    char code[16], message[256]; /* of the first error */
    uint64_t passes;
    int converged;
    unsigned char **bytes; /* by buffer; of those that are handed back */
} outcome;

typedef struct way {
    gf_device *device;
    const char *name;
    gf_strategy strategy;
    uint32_t workgroup[3];
    bool check_races;
} way;

/* `data` is that of the original program: buffers and params go by their place among their kind, whatever their names
 * are now. */
outcome run_program(gf_program *program, gf_cli_data *data, const gf_cli_options *options, const way *how);
void drop_outcome(outcome *of, const gf_cli_data *data);
/* `passes`: they count, and whether the run converged. Else why they differ. */
bool is_same_outcome(const outcome *a, const outcome *b, const gf_cli_data *data, bool passes, char *why, size_t size);

#endif
