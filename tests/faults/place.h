/* A folder of a test's own, with the cache of compiled kernels in it, and the GPU that tests/fake_cuda plays. */
#ifndef GF_TESTS_FAULTS_PLACE_H
#define GF_TESTS_FAULTS_PLACE_H

#include "scratch.h"
#include "unit/unit.h"

static char place[SCRATCH_BYTES];

static inline int make_place(void **state) {
    (void)state;
    char cache[SCRATCH_INSIDE];
    assert_true(scratch_make(place));
    (void)snprintf(cache, sizeof cache, "%s/cache", place);
    assert_int_equal(setenv("GRIDFENCE_CACHE", cache, 1), 0);
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    return 0;
}

static inline int remove_place(void **state) {
    (void)state;
    scratch_remove(place);
    return 0;
}

#endif
