/* A device, by the public table, whose n-th call of a kind fails. It computes with the interpreter, on memory that
 * comes as garbage between guards; it keeps a book of what it gave, in which everything must come back once. */
#ifndef GF_TESTS_FAULTS_FAILING_DEVICE_H
#define GF_TESTS_FAULTS_FAILING_DEVICE_H

/* clang-format off */
#include "base/diag.h"
#include "run/interp_device.h"
#include "unit/unit.h"
#include <gridfence/gridfence.h>
/* clang-format on */

typedef enum fail_kind {
    FAIL_NONE,
    FAIL_OPEN,
    FAIL_ALLOC,
    FAIL_UPLOAD,
    FAIL_DOWNLOAD,
    FAIL_ZERO,
    FAIL_COMPILE,
    FAIL_LAUNCH,
    FAIL_KINDS
} fail_kind;

#define DEVICE_BOOK 512
#define DEVICE_GUARD 64

typedef struct failing_device {
    fail_kind kind;
    size_t n;                 /* which call of that kind, from 1; 0: none */
    bool says;                /* with a message of its own */
    bool late;                /* after it has done half of its work */
    bool has_barrier;         /* native too */
    size_t calls[FAIL_KINDS]; /* since the last that was told to fail */
    bool has_failed;
    struct {
        char *memory;
        size_t bytes;
    } book[DEVICE_BOOK];
    size_t kernels;
} failing_device;

static inline bool device_goes_well(failing_device *d, fail_kind kind) {
    d->calls[kind]++;
    bool fails = d->kind == kind && d->calls[kind] == d->n;
    d->has_failed = d->has_failed || fails;
    return !fails;
}

static inline bool device_says(const failing_device *d, gf_diags *diags) {
    return d->says && gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "the wire is cut");
}

static inline bool open_failing(void *user, const char *which, void **device, gf_backend_limits *limits,
                                gf_diags *diags) {
    failing_device *d = user;
    if (!device_goes_well(d, FAIL_OPEN)) {
        return device_says(d, diags) && false;
    }
    bool done = gf_interp_backend()->open(NULL, which, device, limits, diags);
    limits->host_memory = false;
    limits->grid_barrier = d->has_barrier;
    *device = d;
    return done;
}

static inline void close_failing(void *device) {
    (void)device;
}

static inline void *alloc_failing(void *device, size_t bytes, gf_diags *diags) {
    failing_device *d = device;
    if (!device_goes_well(d, FAIL_ALLOC)) {
        (void)device_says(d, diags);
        return NULL;
    }
    assert_true(bytes > 0);
    for (size_t i = 0; i < DEVICE_BOOK; i++) {
        if (d->book[i].memory == NULL) {
            d->book[i].memory = malloc(bytes + DEVICE_GUARD);
            d->book[i].bytes = bytes;
            assert_non_null(d->book[i].memory);
            return memset(d->book[i].memory, 0xab, bytes + DEVICE_GUARD);
        }
    }
    fail_msg("too many pieces of device memory at once");
    return NULL;
}

static inline void release_failing(void *device, void *memory) {
    failing_device *d = device;
    for (size_t i = 0; i < DEVICE_BOOK; i++) {
        if (memory != NULL && d->book[i].memory == memory) {
            for (size_t k = 0; k < DEVICE_GUARD; k++) {
                assert_int_equal((unsigned char)d->book[i].memory[d->book[i].bytes + k], 0xab);
            }
            free(memory);
            d->book[i].memory = NULL;
            return;
        }
    }
    fail_msg("device memory came back that was not given, or was given back before");
}

/* That the range lies in memory which was given. */
static inline void expect_given(const failing_device *d, const void *memory, size_t offset, size_t bytes) {
    for (size_t i = 0; i < DEVICE_BOOK; i++) {
        if (memory != NULL && d->book[i].memory == memory) {
            assert_true(offset <= d->book[i].bytes && bytes <= d->book[i].bytes - offset);
            return;
        }
    }
    fail_msg("memory is used that the device did not give");
}

static inline bool move_failing(failing_device *d, fail_kind kind, void *to, const void *from, size_t bytes,
                                gf_diags *diags) {
    bool well = device_goes_well(d, kind);
    if (well || d->late) {
        memcpy(to, from, well ? bytes : bytes / 2);
    }
    return well || (device_says(d, diags) && false);
}

static inline bool upload_failing(void *device, void *memory, size_t offset, const void *data, size_t bytes,
                                  gf_diags *diags) {
    expect_given(device, memory, offset, bytes);
    return move_failing(device, FAIL_UPLOAD, (char *)memory + offset, data, bytes, diags);
}

static inline bool download_failing(void *device, const void *memory, size_t offset, void *data, size_t bytes,
                                    gf_diags *diags) {
    expect_given(device, memory, offset, bytes);
    return move_failing(device, FAIL_DOWNLOAD, data, (const char *)memory + offset, bytes, diags);
}

static inline bool zero_failing(void *device, void *memory, size_t offset, size_t bytes, gf_diags *diags) {
    failing_device *d = device;
    expect_given(d, memory, offset, bytes);
    bool well = device_goes_well(d, FAIL_ZERO);
    if (well || d->late) {
        memset((char *)memory + offset, 0, well ? bytes : bytes / 2);
    }
    return well || (device_says(d, diags) && false);
}

static inline void *compile_failing(void *device, gf_program *program, gf_diags *diags) {
    failing_device *d = device;
    if (!device_goes_well(d, FAIL_COMPILE)) {
        (void)device_says(d, diags);
        return NULL;
    }
    void *kernel = gf_interp_backend()->compile(NULL, program, diags);
    d->kernels += kernel != NULL;
    return kernel;
}

static inline void discard_failing(void *device, void *kernel) {
    failing_device *d = device;
    assert_true(kernel != NULL && d->kernels > 0);
    d->kernels--;
    gf_interp_backend()->discard(NULL, kernel);
}

static inline bool launch_failing(void *device, void *kernel, const gf_backend_launch *launch,
                                  gf_backend_result *result, gf_diags *diags) {
    failing_device *d = device;
    for (size_t i = 0; i < launch->buffer_count; i++) {
        if (launch->buffers[i].count > 0) {
            expect_given(d, launch->buffers[i].memory, 0, 1);
        }
    }
    bool well = device_goes_well(d, FAIL_LAUNCH);
    bool done = (!well && !d->late) || gf_interp_backend()->launch(NULL, kernel, launch, result, diags);
    return (well && done) || (!well && device_says(d, diags) && false);
}

static inline gf_device *open_failing_device(failing_device *d, gf_diags *diags) {
    static const gf_backend table = {.version = GF_BACKEND_VERSION,
                                     .size = sizeof(gf_backend),
                                     .name = "failing",
                                     .open = open_failing,
                                     .close = close_failing,
                                     .alloc = alloc_failing,
                                     .release = release_failing,
                                     .upload = upload_failing,
                                     .download = download_failing,
                                     .zero = zero_failing,
                                     .compile = compile_failing,
                                     .discard = discard_failing,
                                     .launch = launch_failing};
    return gf_device_open_backend(&table, d, "", diags);
}

/* From here on that call fails, and none before. */
static inline void fail_device(failing_device *d, fail_kind kind, size_t n) {
    d->kind = kind;
    d->n = n;
    d->has_failed = false;
    memset(d->calls, 0, sizeof d->calls);
}

static inline void expect_all_back(const failing_device *d) {
    for (size_t i = 0; i < DEVICE_BOOK; i++) {
        assert_null(d->book[i].memory);
    }
    assert_int_equal(d->kernels, 0);
}

#endif
