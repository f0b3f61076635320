/* Opening and closing, what a device tells, and each call of the driver failing in turn. */
#include "base/memory.h"
#include "cuda_test.h"

static void opens_by_index(void **state) {
    (void)state;
    static const char *const bad[] = {"2", "7", "x", "-1", "1x", " 1", "99999999999999999999", "0x0"};
    static const char *const good[] = {"", "0", "1"};
    static const char *const names[] = {"cuda", "cuda:0", "cuda:1"};
    gf_diags *diags = gf_diags_create();
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        gf_device *device = open_device(good[i]);
        assert_string_equal(gf_device_name(device), names[i]);
        assert_int_equal(gf_cuda_device_of(device)->context.device, i == 2);
        gf_device_destroy(device);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gf_diag diag;
        gf_diag note;
        gf_diags_clear(diags);
        assert_null(open_which(bad[i], diags));
        assert_says(diags, "GF0620", bad[i], "2 GPUs");
        assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
        assert_true(gf_diags_get(diags, 0, &diag) && diag.note_count == 2 && *diag.fix != '\0');
        assert_true(gf_diags_get_note(diags, 0, 1, &note));
        assert_string_equal(note.message, "cuda:1 is Fake GPU 1");
    }
    gf_diags_destroy(diags);
    assert_int_equal(fake_live(), 0);
}

static void limits_and_description(void **state) {
    (void)state;
    gf_device *device = open_device("");
    const gf_backend_limits *limits = gf_device_limits(device);
    assert_true(limits->grid_barrier && limits->checked && limits->atomics_64 && limits->persistent);
    assert_false(limits->host_memory || limits->races || limits->native_is_resident);
    assert_int_equal(limits->max_resident_groups, 4 * 32);
    assert_int_equal(limits->max_groups[0], INT32_MAX);
    assert_int_equal(limits->max_groups[1], 65535);
    assert_int_equal(limits->max_groups[2], 65535);
    assert_int_equal(limits->max_workgroup, 1024);
    assert_int_equal(limits->max_shared_bytes, 98304);
    assert_int_equal(limits->memory_bytes, 1 << 30);
    char text[1024];
    gf_device_describe(device, text, sizeof text);
    assert_non_null(strstr(text, "gpu: Fake GPU 0\n"));
    assert_non_null(strstr(text, "compute capability: 9.0\n"));
    assert_non_null(strstr(text, "memory: 1.0 GiB\n"));
    assert_non_null(strstr(text, "driver: CUDA 13.0\n"));
    gf_device_destroy(device);
}

static void two_devices_at_once(void **state) {
    (void)state;
    gf_device *devices[] = {open_device("0"), open_device("1"), open_device("0")};
    gf_buffer *buffers[3];
    for (uint32_t i = 0; i < 3; i++) {
        buffers[i] = gf_buffer_create(devices[i], sizeof i, NULL);
        assert_true(gf_buffer_write(buffers[i], 0, &i, sizeof i, NULL));
    }
    gf_device_destroy(devices[0]); /* buffers hold it */
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t got = 9;
        assert_true(gf_buffer_read(buffers[i], 0, &got, sizeof got, NULL));
        assert_int_equal(got, i);
        gf_buffer_destroy(buffers[i]);
    }
    gf_device_destroy(devices[1]);
    gf_device_destroy(devices[2]);
    assert_int_equal(fake_live(), 0);
}

static void contexts_of_callers_stay(void **state) {
    (void)state;
    const gf_cuda_driver *driver = gf_cuda_driver_get(NULL);
    gf_device *device = open_device("0");
    CUcontext mine = NULL;
    CUcontext now = NULL;
    assert_int_equal(driver->cuCtxGetCurrent(&now), CUDA_SUCCESS);
    assert_null(now);
    assert_int_equal(driver->cuDevicePrimaryCtxRetain(&mine, 1), CUDA_SUCCESS);
    assert_int_equal(driver->cuCtxPushCurrent(mine), CUDA_SUCCESS);
    unsigned char bytes[1000] = {1, 2, 3};
    gf_buffer *buffer = gf_buffer_create(device, sizeof bytes, NULL);
    assert_true(gf_buffer_write(buffer, 0, bytes, sizeof bytes, NULL));
    assert_true(gf_buffer_read(buffer, 0, bytes, sizeof bytes, NULL));
    gf_buffer_destroy(buffer);
    gf_device_destroy(device);
    assert_int_equal(driver->cuCtxGetCurrent(&now), CUDA_SUCCESS);
    assert_ptr_equal(now, mine);
    assert_int_equal(driver->cuCtxPopCurrent(&now), CUDA_SUCCESS);
    assert_int_equal(driver->cuCtxGetCurrent(&now), CUDA_SUCCESS);
    assert_null(now);
    assert_int_equal(driver->cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
}

/* ---- every call fails ---- */

#define LARGE ((size_t)33 << 20)

/* All that a device does, to the first failure. */
static bool use_device(gf_device *device, unsigned char *bytes, gf_diags *diags) {
    bool done = true;
    static const size_t sizes[] = {5, 70000, LARGE};
    for (size_t i = 0; done && i < sizeof sizes / sizeof sizes[0]; i++) {
        gf_buffer *buffer = gf_buffer_create(device, sizes[i], diags);
        done = buffer != NULL && gf_buffer_write(buffer, 0, bytes, sizes[i], diags) &&
               gf_buffer_read(buffer, 0, bytes, sizes[i], diags);
        gf_buffer_destroy(buffer);
    }
    return done;
}

/* False where something failed that was told. */
static bool open_and_use(unsigned char *bytes, gf_diags *diags) {
    gf_device *device = open_which("1", diags);
    bool done = device != NULL && use_device(device, bytes, diags);
    gf_device_destroy(device);
    return done;
}

/* Giving things back has nobody to tell, and what it could not give back stays. */
static bool is_giving_back(const char *symbol) {
    static const char *const list[] = {"cuMemFree_v2",      "cuMemFreeHost",      "cuStreamDestroy_v2",
                                       "cuEventDestroy_v2", "cuCtxPopCurrent_v2", "cuDevicePrimaryCtxRelease_v2"};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (strcmp(list[i], symbol) == 0) {
            return true;
        }
    }
    return false;
}

/* Does without: memory that cannot be pinned, what is known of a pointer. */
static bool is_dispensable(const char *symbol) {
    return strcmp(symbol, "cuMemHostAlloc") == 0 || strcmp(symbol, "cuPointerGetAttributes") == 0 ||
           strcmp(symbol, "cuEventCreate") == 0 || strcmp(symbol, "cuCtxPushCurrent_v2") == 0;
}

static void assert_told(const gf_diags *diags, const char *symbol, CUresult result) {
    gf_diag diag;
    char call[64];
    (void)snprintf(call, sizeof call, "%s", symbol);
    char *version = strstr(call, "_v2");
    if (version != NULL) {
        *version = '\0';
    }
    assert_true(gf_diags_get(diags, 0, &diag));
    /* "CALL: ..." or, where a helper met it, "the GPU is lost since CALL: ..."; what a helper finds lost when it gets
     * its memory another one may have to tell first, by what that was about to do. */
    bool is_named = strstr(diag.message, call) != NULL ||
                    (result == 700 && is_dispensable(symbol) && strncmp(diag.message, "cu", 2) == 0) ||
                    (strncmp(call, "cuMemset", 8) == 0 && strncmp(diag.message, "cuMemset", 8) == 0);
    if (!is_named) {
        print_message("%s=%d: %s\n", symbol, result, diag.message);
    }
    assert_true(is_named);
    assert_non_null(strstr(diag.message, result == 2 ? ": CUDA_ERROR_OUT_OF_MEMORY: out of memory" : ": CUDA_ERROR_"));
    assert_string_equal(diag.code, result == 2 ? "GF0630" : result == 700 ? "GF0631" : "GF0621");
    assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
    assert_true(*diag.fix != '\0');
}

static void each_call_fails_once(void **state) {
    (void)state;
    static const CUresult results[] = {1, 2, 700};
    unsigned char *bytes = calloc(1, LARGE);
    assert_non_null(bytes);
    fake_fail("");
    assert_true(open_and_use(bytes, NULL));
    char symbols[64][64];
    uint64_t calls[64];
    size_t count = 0;
    for (; fake_symbol(count) != NULL; count++) {
        assert_true(count < 64);
        (void)snprintf(symbols[count], sizeof symbols[count], "%s", fake_symbol(count));
        calls[count] = fake_calls(symbols[count]);
    }
    assert_true(count > 20);
    gf_diags *diags = gf_diags_create();
    for (size_t i = 0; i < count; i++) {
        if (is_giving_back(symbols[i])) {
            continue;
        }
        for (size_t r = 0; r < sizeof results / sizeof results[0]; r++) {
            uint64_t failed = 0;
            for (uint64_t nth = 1; nth <= calls[i]; nth += nth < 4 ? 1 : calls[i] / 4 + 1) {
                char plan[128];
                (void)snprintf(plan, sizeof plan, "%s:%d=%d", symbols[i], (int)nth, results[r]);
                fake_fail(plan);
                int64_t before = fake_live();
                gf_diags_clear(diags);
                if (!open_and_use(bytes, diags)) {
                    failed++;
                    assert_told(diags, strcmp(symbols[i], "cuInit") == 0 ? "cuInit" : symbols[i], results[r]);
                }
                assert_int_equal(fake_live(), before);
            }
            assert_true(failed > 0 || is_dispensable(symbols[i]) || strcmp(symbols[i], "cuMemGetInfo_v2") == 0 ||
                        strcmp(symbols[i], "cuStreamSynchronize") == 0);
        }
    }
    fake_fail("");
    assert_true(open_and_use(bytes, NULL));
    gf_diags_destroy(diags);
    free(bytes);
    assert_int_equal(fake_live(), 0);
}

static void stays_usable(void **state) {
    (void)state;
    static const char *const plans[] = {"cuMemAlloc_v2:1=2", "cuMemcpyHtoDAsync_v2:1=1", "cuMemcpyDtoHAsync_v2:1=1",
                                        "cuEventRecord:2=1", "cuMemsetD8Async:1=1",      "cuEventSynchronize:9=1"};
    unsigned char *bytes = calloc(1, LARGE);
    assert_non_null(bytes);
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        gf_device *device = open_device("");
        fake_fail(plans[i]);
        gf_diags *diags = gf_diags_create();
        assert_false(use_device(device, bytes, diags));
        assert_int_equal(gf_diags_count(diags), 1);
        assert_true(use_device(device, bytes, NULL));
        gf_diags_destroy(diags);
        gf_device_destroy(device);
    }
    free(bytes);
    assert_int_equal(fake_live(), 0);
}

static void lost_is_lost(void **state) {
    (void)state;
    static const int results[] = {700, 702, 719, 999};
    unsigned char bytes[100] = {0};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        gf_device *device = open_device("0");
        gf_device *other = open_device("1");
        gf_buffer *buffer = gf_buffer_create(device, sizeof bytes, NULL);
        gf_buffer *others = gf_buffer_create(other, sizeof bytes, NULL);
        char plan[64];
        (void)snprintf(plan, sizeof plan, "cuMemcpyDtoHAsync_v2:1=%d", results[i]);
        fake_fail(plan);
        gf_diags *diags = gf_diags_create();
        assert_false(gf_buffer_read(buffer, 0, bytes, sizeof bytes, diags));
        assert_says(diags, "GF0631", "cuMemcpyDtoHAsync: CUDA_ERROR_", "");
        /* Everything fails from now on, without a call of the driver. */
        fake_fail("");
        for (int what = 0; what < 4; what++) {
            gf_diags_clear(diags);
            assert_false(what == 0   ? gf_buffer_read(buffer, 0, bytes, sizeof bytes, diags)
                         : what == 1 ? gf_buffer_write(buffer, 0, bytes, sizeof bytes, diags)
                         : what == 2 ? gf_buffer_create(device, 64, diags) != NULL
                                     : gf_buffer_create(device, LARGE, diags) != NULL);
            assert_says(diags, "GF0631", "the GPU is lost since cuMemcpyDtoHAsync: CUDA_ERROR_", "");
        }
        assert_int_equal(fake_calls(NULL), 0);
        /* The other goes on. */
        assert_true(gf_buffer_write(others, 0, bytes, sizeof bytes, NULL));
        assert_true(gf_buffer_read(others, 0, bytes, sizeof bytes, NULL));
        /* Its context is still held: a new device is of no use. */
        gf_diags_clear(diags);
        assert_null(open_which("0", diags));
        assert_says(diags, "GF0631", ": CUDA_ERROR_", "");
        gf_buffer_destroy(buffer);
        gf_device_destroy(device);
        /* Now nobody holds it. */
        gf_device *again = open_which("0", NULL);
        assert_non_null(again);
        gf_device_destroy(again);
        gf_buffer_destroy(others);
        gf_device_destroy(other);
        gf_diags_destroy(diags);
    }
    assert_int_equal(fake_live(), 0);
}

static void host_memory_runs_out(void **state) {
    (void)state;
    unsigned char bytes[64] = {0};
    uint64_t failures = 0;
    for (uint64_t n = 1; n < 100; n++) {
        gf_diags *diags = gf_diags_create();
        (void)gf_memory_fail_at(n, false);
        gf_device *device = open_which("", diags);
        gf_buffer *buffer = gf_buffer_create(device, sizeof bytes, diags);
        bool done = buffer != NULL && gf_buffer_write(buffer, 0, bytes, sizeof bytes, diags);
        gf_buffer_destroy(buffer);
        gf_device_destroy(device);
        (void)gf_memory_fail_at(0, false);
        assert_true(done || gf_diags_error_count(diags) > 0);
        assert_int_equal(fake_live(), 0);
        failures += !done;
        gf_diags_destroy(diags);
        if (done) {
            break;
        }
    }
    assert_true(failures >= 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_by_index),       cmocka_unit_test(limits_and_description),
        cmocka_unit_test(two_devices_at_once),  cmocka_unit_test(contexts_of_callers_stay),
        cmocka_unit_test(each_call_fails_once), cmocka_unit_test(stays_usable),
        cmocka_unit_test(lost_is_lost),         cmocka_unit_test(host_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
