/* What tests of device `cuda` share: the fake driver, and devices on it. */
#ifndef GF_TESTS_CUDA_TEST_H
#define GF_TESTS_CUDA_TEST_H

#include "backend/cuda/device.h"
#include "unit/unit.h"
#include <dlfcn.h>

static void (*fake_fail)(const char *plan);
static uint64_t (*fake_calls)(const char *symbol);
static const char *(*fake_symbol)(uint64_t index);
static int64_t (*fake_live)(void);
static void *(*fake_memory)(uint64_t device_address);

static inline void load_symbol(void *library, const char *name, void *function, size_t size) {
    void *found = dlsym(library, name);
    assert_non_null(found);
    memcpy(function, &found, size);
}

/* To be called first: a group's setup. */
static inline int use_fake(void **state) {
    (void)state;
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    assert_int_equal(unsetenv("FAKE_CUDA_FAIL"), 0);
    assert_int_equal(unsetenv("FAKE_CUDA_DEVICES"), 0);
    void *library = dlopen(GF_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    load_symbol(library, "fake_cuda_fail", &fake_fail, sizeof fake_fail);
    load_symbol(library, "fake_cuda_calls", &fake_calls, sizeof fake_calls);
    load_symbol(library, "fake_cuda_symbol", &fake_symbol, sizeof fake_symbol);
    load_symbol(library, "fake_cuda_live", &fake_live, sizeof fake_live);
    load_symbol(library, "fake_cuda_memory", &fake_memory, sizeof fake_memory);
    return 0;
}

static inline gf_device *open_which(const char *which, gf_diags *diags) {
    gf_device_options options = {.size = sizeof options};
    return gf_device_open_backend(gf_cuda_backend(), &options, which, diags);
}

/* Must open. */
static inline gf_device *open_device(const char *which) {
    gf_device *device = open_which(which, NULL);
    assert_non_null(device);
    return device;
}

/* The only message there is says all of these. */
static inline void assert_says(const gf_diags *diags, const char *code, const char *first, const char *second) {
    gf_diag diag;
    assert_int_equal(gf_diags_count(diags), 1);
    assert_true(gf_diags_get(diags, 0, &diag));
    if (strcmp(diag.code, code) != 0 || strstr(diag.message, first) == NULL || strstr(diag.message, second) == NULL) {
        print_message("%s: %s\n", diag.code, diag.message);
    }
    assert_string_equal(diag.code, code);
    assert_non_null(strstr(diag.message, first));
    assert_non_null(strstr(diag.message, second));
}

static inline void fill_random(unsigned char *bytes, size_t count, uint32_t seed) {
    uint32_t word = seed * 2654435761U + 1;
    for (size_t i = 0; i < count; i++) {
        word = word * 1664525U + 1013904223U;
        bytes[i] = (unsigned char)(word >> 24);
    }
}

#endif
