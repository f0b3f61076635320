/* Random choices of a test, the same each time: FAULTS_SEED in the environment gives others. */
#ifndef GF_TESTS_FAULTS_DRAW_H
#define GF_TESTS_FAULTS_DRAW_H

#include <stdint.h>
#include <stdlib.h>

static uint32_t state_of_random = 1;

static inline void seed_draw(void) {
    const char *seed = getenv("FAULTS_SEED");
    state_of_random = seed != NULL ? (uint32_t)strtoul(seed, NULL, 10) : 1;
}

/* Below `limit`. */
static inline uint32_t draw(uint32_t limit) {
    state_of_random = state_of_random * 1664525U + 1013904223U;
    return (uint32_t)(((uint64_t)(state_of_random >> 8) * limit) >> 24);
}

#endif
