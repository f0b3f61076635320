/* Sizes that come from input: arithmetic that says when it does not fit. Each returns false on overflow. */
#ifndef GF_BASE_CHECKED_H
#define GF_BASE_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

static inline bool gf_add_u64(uint64_t a, uint64_t b, uint64_t *out) {
    *out = a + b;
    return *out >= a;
}

static inline bool gf_mul_u64(uint64_t a, uint64_t b, uint64_t *out) {
    *out = a * b;
    return a == 0 || *out / a == b;
}

#endif
