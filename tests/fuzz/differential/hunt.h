/* Tries random programs in processes of their own, so that one that crashes or hangs is a finding and not the end. */
#ifndef FUZZ_DIFFERENTIAL_HUNT_H
#define FUZZ_DIFFERENTIAL_HUNT_H

#include "fuzz/generate/generate.h"

enum { HUNT_MOST_JOBS = 64 };

typedef struct hunt_options {
    uint64_t count, seconds; /* 0: no such limit */
    uint64_t seed;           /* of the first program; the others follow */
    unsigned jobs;
    const char *device;   /* NULL: the interpreter alone */
    uint64_t every;       /* on the device goes one program in so many */
    bool coverage;        /* the whole table is printed */
    bool keep_going;      /* behind a difference */
    bool plain_only;      /* none that depends on order or races */
    const char *findings; /* folder where shrunk programs are left, or NULL */
} hunt_options;

/* What kind of program the seed stands for. */
generate_kind hunt_kind(const hunt_options *options, uint64_t seed);
/* Gives the exit status. */
int hunt(const hunt_options *options);

#endif
