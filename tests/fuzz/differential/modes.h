/* The ways in which a program is run, all of which must give the same. */
#ifndef FUZZ_DIFFERENTIAL_MODES_H
#define FUZZ_DIFFERENTIAL_MODES_H

#include <gridfence/gridfence.h>

typedef enum mode_when {
    WHEN_ALWAYS,
    WHEN_IN_TURN,   /* for some programs */
    WHEN_ONE_GROUP, /* of programs of one workgroup without a grid barrier */
} mode_when;

typedef struct mode {
    const char *name;
    mode_when when;
    gf_strategy strategy;
    gf_plan_options plan;
    bool formatted; /* the program printed and parsed once more */
    bool races, checked, in_place;
} mode;

/* On the interpreter; the first is the truth that the others are compared with. */
extern const mode interpreter_modes[];
extern const size_t interpreter_mode_count;
/* On a device that compiles. Those of one plan stand together: they share a kernel. */
extern const mode device_modes[];
extern const size_t device_mode_count;

bool is_same_plan(const mode *a, const mode *b);

#endif
