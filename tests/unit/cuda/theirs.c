/* A caller's context, stream and memory. */
#include "base/memory.h"
#include "cuda_test.h"
#include <gridfence/cuda.h>

/* A caller who uses CUDA: the primary context of device 1 is current, with a stream and memory. */
typedef struct caller {
    const gf_cuda_driver *driver;
    CUcontext context;
    CUstream stream;
    CUdeviceptr memory;
} caller;

#define BYTES 100000

static caller begin_caller(void) {
    caller c = {.driver = gf_cuda_driver_get(NULL)};
    assert_int_equal(gf_cuda_driver_start(c.driver, NULL), 2);
    assert_int_equal(c.driver->cuDevicePrimaryCtxRetain(&c.context, 1), CUDA_SUCCESS);
    assert_int_equal(c.driver->cuCtxPushCurrent(c.context), CUDA_SUCCESS);
    assert_int_equal(c.driver->cuStreamCreate(&c.stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    assert_int_equal(c.driver->cuMemAlloc(&c.memory, BYTES), CUDA_SUCCESS);
    return c;
}

/* All of it must still be there, and nothing else. */
static void end_caller(caller *c) {
    CUcontext now = NULL;
    assert_int_equal(fake_live(), 3);
    assert_int_equal(c->driver->cuCtxGetCurrent(&now), CUDA_SUCCESS);
    assert_ptr_equal(now, c->context);
    assert_int_equal(c->driver->cuMemFree(c->memory), CUDA_SUCCESS);
    assert_int_equal(c->driver->cuStreamDestroy(c->stream), CUDA_SUCCESS);
    assert_int_equal(c->driver->cuCtxPopCurrent(&now), CUDA_SUCCESS);
    assert_int_equal(c->driver->cuDevicePrimaryCtxRelease(1), CUDA_SUCCESS);
    assert_int_equal(fake_live(), 0);
}

static void *address_of(CUdeviceptr address) {
    return (void *)(uintptr_t)address;
}

static void works_in_their_stream(void **state) {
    (void)state;
    caller c = begin_caller();
    gf_diags *diags = gf_diags_create();
    for (int given = 0; given < 2; given++) {
        gf_device *device = gf_device_open_cuda(given ? c.context : NULL, c.stream, diags);
        assert_non_null(device);
        assert_string_equal(gf_device_name(device), "cuda:1");
        assert_true(gf_device_limits(device)->grid_barrier);
        gf_buffer *ours = gf_buffer_create(device, 1000, diags);
        gf_buffer *theirs = gf_buffer_wrap_cuda(device, address_of(c.memory), BYTES, diags);
        assert_true(ours != NULL && theirs != NULL);
        assert_int_equal(gf_buffer_bytes(theirs), BYTES);
        unsigned char bytes[1000];
        unsigned char got[1000] = {0};
        fill_random(bytes, sizeof bytes, 3);
        /* Their work before ours, and ours before theirs, by the stream alone. */
        assert_int_equal(c.driver->cuMemsetD8Async(c.memory, 0x11, BYTES, c.stream), CUDA_SUCCESS);
        assert_true(gf_buffer_write(theirs, 16, bytes, sizeof bytes, diags));
        CUdeviceptr copy = 0;
        assert_int_equal(c.driver->cuMemAlloc(&copy, 1016), CUDA_SUCCESS);
        assert_int_equal(c.driver->cuMemcpyDtoDAsync(copy, c.memory, 1016, c.stream), CUDA_SUCCESS);
        assert_int_equal(c.driver->cuStreamSynchronize(c.stream), CUDA_SUCCESS);
        unsigned char *there = fake_memory(copy);
        assert_int_equal(there[0], 0x11);
        assert_memory_equal(there + 16, bytes, sizeof bytes);
        assert_int_equal(c.driver->cuMemFree(copy), CUDA_SUCCESS);
        assert_true(gf_buffer_read(theirs, 16, got, sizeof got, diags));
        assert_memory_equal(got, bytes, sizeof bytes);
        gf_device_destroy(device);
        gf_buffer_destroy(theirs);
        gf_buffer_destroy(ours);
    }
    assert_int_equal(gf_diags_count(diags), 0);
    gf_diags_destroy(diags);
    end_caller(&c);
}

static void default_stream(void **state) {
    (void)state;
    caller c = begin_caller();
    uint32_t value = 77;
    gf_device *device = gf_device_open_cuda(NULL, NULL, NULL);
    gf_buffer *theirs = gf_buffer_wrap_cuda(device, address_of(c.memory + 256), 4, NULL);
    assert_true(gf_buffer_write(theirs, 0, &value, 4, NULL));
    value = 0;
    assert_int_equal(c.driver->cuMemcpyDtoH(&value, c.memory + 256, 4), CUDA_SUCCESS);
    assert_int_equal(value, 77);
    gf_buffer_destroy(theirs);
    gf_device_destroy(device);
    end_caller(&c);
}

static void refused_contexts(void **state) {
    (void)state;
    caller c = begin_caller();
    gf_diags *diags = gf_diags_create();
    assert_null(gf_device_open_cuda(NULL, address_of(2), diags));
    assert_says(diags, "GF0003", "default stream of each thread", "");
    gf_diags_clear(diags);
    CUcontext other = NULL;
    assert_int_equal(c.driver->cuDevicePrimaryCtxRetain(&other, 0), CUDA_SUCCESS);
    assert_null(gf_device_open_cuda(other, c.stream, diags));
    assert_says(diags, "GF0003", "belongs to another context", "");
    gf_diags_clear(diags);
    assert_null(gf_device_open_cuda(NULL, &other, diags));
    assert_says(diags, "GF0621", "cuStreamGetCtx: ", "");
    assert_int_equal(c.driver->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
    gf_diags_clear(diags);
    assert_int_equal(c.driver->cuCtxPopCurrent(&other), CUDA_SUCCESS);
    assert_null(gf_device_open_cuda(NULL, NULL, diags));
    assert_says(diags, "GF0003", "none is current for this thread", "");
    assert_int_equal(c.driver->cuCtxPushCurrent(c.context), CUDA_SUCCESS);
    static const char *const plans[] = {"cuCtxGetCurrent:1=1", "cuCtxGetDevice:1=1", "cuDeviceGetAttribute:3=1",
                                        "cuStreamCreate:1=1",  "cuInit:1=1",         "cuCtxPushCurrent_v2:1=1"};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        gf_diags_clear(diags);
        fake_fail(plans[i]);
        assert_null(gf_device_open_cuda(NULL, c.stream, diags));
        char call[32];
        (void)snprintf(call, sizeof call, "%.*s", (int)strcspn(plans[i], ":_"), plans[i]);
        assert_says(diags, "GF0621", call, "CUDA_ERROR_INVALID_VALUE");
    }
    fake_fail("");
    gf_diags_destroy(diags);
    end_caller(&c);
}

static void refused_memory(void **state) {
    (void)state;
    caller c = begin_caller();
    gf_device *device = open_device("1");
    gf_device *other = open_device("0");
    gf_diags *diags = gf_diags_create();
    static unsigned char host[64];
    struct {
        gf_device *device;
        void *pointer;
        size_t bytes;
        const char *code, *says;
    } cases[] = {
        {device, NULL, 16, "GF0003", "got no memory"},
        {device, address_of(c.memory + 4), 16, "GF0003", "not a multiple of 16"},
        {device, address_of((CUdeviceptr)(uintptr_t)host / 16 * 16), 16, "GF0003", "no memory that the NVIDIA driver"},
        {device, address_of(c.memory), BYTES + 1, "GF0734", "beyond its allocation, which ends after 100000"},
        {device, address_of(c.memory + 1600), BYTES - 1599, "GF0734", "which ends after 98400"},
        {device, address_of(c.memory), SIZE_MAX, "GF0734", "beyond its allocation"},
        {other, address_of(c.memory), 16, "GF0003", "memory of another GPU"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gf_diags_clear(diags);
        assert_null(gf_buffer_wrap_cuda(cases[i].device, cases[i].pointer, cases[i].bytes, diags));
        assert_says(diags, cases[i].code, cases[i].says, "");
        assert_int_equal(gf_diags_status(diags), GF_STATUS_USAGE);
    }
    void *pinned = NULL;
    assert_int_equal(c.driver->cuMemHostAlloc(&pinned, 4096, 0), CUDA_SUCCESS);
    gf_diags_clear(diags);
    assert_null(gf_buffer_wrap_cuda(device, pinned, 16, diags));
    assert_says(diags, "GF0003", "memory of the host", "");
    assert_int_equal(c.driver->cuMemFreeHost(pinned), CUDA_SUCCESS);
    gf_diags_clear(diags);
    assert_null(gf_buffer_wrap_cuda(NULL, pinned, 16, diags));
    assert_int_equal(gf_diags_count(diags), 0);
    fake_fail("cuPointerGetAttributes:1=400");
    assert_null(gf_buffer_wrap_cuda(device, address_of(c.memory), 16, diags));
    assert_says(diags, "GF0621", "cuPointerGetAttributes: ", "");
    fake_fail("");
    for (uint64_t n = 1; n <= 2; n++) {
        gf_diags_clear(diags);
        (void)gf_memory_fail_at(n, false);
        assert_null(gf_buffer_wrap_cuda(device, address_of(c.memory), 16, diags));
        (void)gf_memory_fail_at(0, false);
        assert_int_equal(gf_diags_error_count(diags), 1);
    }
    /* To the last byte is right, and so is nothing at all. */
    gf_buffer_destroy(gf_buffer_wrap_cuda(device, address_of(c.memory + 1600), BYTES - 1600, diags));
    gf_buffer *none = gf_buffer_wrap_cuda(device, NULL, 0, NULL);
    assert_non_null(none);
    gf_buffer_destroy(none);
    gf_diags_destroy(diags);
    gf_device_destroy(other);
    gf_device_destroy(device);
    end_caller(&c);
}

static bool open_nothing(void *user, const char *which, void **device, gf_backend_limits *limits, gf_diags *diags) {
    (void)user;
    (void)which;
    (void)device;
    (void)limits;
    (void)diags;
    return true;
}

static void close_nothing(void *device) {
    (void)device;
}

static void not_a_cuda_device(void **state) {
    (void)state;
    gf_backend table = *gf_cuda_backend();
    table.name = "abacus";
    table.open = open_nothing;
    table.close = close_nothing;
    gf_device *device = gf_device_open_backend(&table, NULL, "", NULL);
    assert_non_null(device);
    gf_diags *diags = gf_diags_create();
    assert_null(gf_buffer_wrap_cuda(device, address_of(4096), 16, diags));
    assert_says(diags, "GF0003", "`abacus` is no CUDA device", "");
    gf_diags_destroy(diags);
    gf_device_destroy(device);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(works_in_their_stream), cmocka_unit_test(default_stream),
        cmocka_unit_test(refused_contexts),      cmocka_unit_test(refused_memory),
        cmocka_unit_test(not_a_cuda_device),
    };
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
