/* Bytes to the device and back: every size and way, source memory changed at once, several threads. The fake driver
 * copies pinned memory only when it is waited for, so that a slot that is used again too early shows. */
#include "cuda_test.h"

#define MIB ((size_t)1 << 20)
#define MOST (40 * MIB)

typedef struct bytes {
    unsigned char *sent, *got, *scratch;
} bytes;

static bytes make_bytes(size_t count) {
    bytes b = {malloc(count), malloc(count), malloc(count)};
    assert_true(b.sent != NULL && b.got != NULL && b.scratch != NULL);
    fill_random(b.sent, count, 5);
    return b;
}

static void free_bytes(bytes b) {
    free(b.sent);
    free(b.got);
    free(b.scratch);
}

/* Sends from memory that is changed as soon as the call returns. */
static void go_round(gf_device *device, bytes b, size_t offset, size_t count) {
    gf_buffer *buffer = gf_buffer_create(device, offset + count, NULL);
    assert_non_null(buffer);
    memcpy(b.scratch, b.sent, count);
    assert_true(gf_buffer_write(buffer, offset, b.scratch, count, NULL));
    memset(b.scratch, 0xee, count);
    memset(b.got, 0xdd, count);
    assert_true(gf_buffer_read(buffer, offset, b.got, count, NULL));
    assert_memory_equal(b.got, b.sent, count);
    if (offset > 0) {
        assert_true(gf_buffer_read(buffer, 0, b.got, offset, NULL));
        for (size_t i = 0; i < offset; i++) {
            assert_int_equal(b.got[i], 0);
        }
    }
    gf_buffer_destroy(buffer);
}

static void all_sizes(void **state) {
    (void)state;
    static const size_t sizes[] = {1,           2,        3,        4,           63,          4095,
                                   4096,        65535,    65536,    65537,       200000,      (256 << 10) + 1,
                                   MIB - 1,     MIB,      MIB + 1,  3 * MIB + 7, 8 * MIB - 1, 8 * MIB,
                                   9 * MIB + 5, 16 * MIB, 31 * MIB, MOST - 100};
    bytes b = make_bytes(MOST);
    /* The first time round memory is not pinned yet but for small ones; the second time it is; then by four threads. */
    gf_device *device = open_device("");
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            go_round(device, b, round == 1 ? 37 : 0, sizes[i]);
        }
        gf_cuda_device_of(device)->staging.threads = GF_CUDA_LANES;
    }
    gf_device_destroy(device);
    free_bytes(b);
    assert_int_equal(fake_live(), 0);
}

static void many_small_ones(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    gf_device *device = open_device("");
    gf_buffer *buffer = gf_buffer_create(device, COUNT * sizeof(uint32_t), NULL);
    uint32_t got[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t value = i * 3 + 1;
        assert_true(gf_buffer_write(buffer, i * sizeof value, &value, sizeof value, NULL));
    }
    assert_true(gf_buffer_read(buffer, 0, got, sizeof got, NULL));
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(got[i], i * 3 + 1);
    }
    /* Writes that lie over each other take effect in order. */
    for (uint32_t i = 0; i < 100; i++) {
        assert_true(gf_buffer_write(buffer, 8, &i, sizeof i, NULL));
    }
    assert_true(gf_buffer_read(buffer, 8, got, 4, NULL));
    assert_int_equal(got[0], 99);
    gf_buffer_destroy(buffer);
    gf_device_destroy(device);
}

static void zeros(void **state) {
    (void)state;
    static const size_t ranges[][2] = {{0, 1}, {1, 1}, {4, 4}, {3, 8}, {8, 1021}, {4096, 65536}, {1, 99999}};
    bytes b = make_bytes(100000);
    gf_device *device = open_device("");
    void *memory = gf_device_alloc(device, 100000, NULL);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        assert_true(gf_device_upload(device, memory, 0, b.sent, 100000, NULL));
        assert_true(gf_device_zero(device, memory, ranges[i][0], ranges[i][1], NULL));
        assert_true(gf_device_download(device, memory, 0, b.got, 100000, NULL));
        memcpy(b.scratch, b.sent, 100000);
        memset(b.scratch + ranges[i][0], 0, ranges[i][1]);
        assert_memory_equal(b.got, b.scratch, 100000);
    }
    gf_device_release(device, memory);
    gf_device_destroy(device);
    free_bytes(b);
}

/* Memory that the caller has pinned goes without a copy here, and may be changed after the call all the same. */
static void pinned_memory_of_the_caller(void **state) {
    (void)state;
    const size_t count = 3 * MIB;
    const gf_cuda_driver *driver = gf_cuda_driver_get(NULL);
    gf_device *device = open_device("");
    gf_cuda_context *context = &gf_cuda_device_of(device)->context;
    bytes b = make_bytes(count);
    void *pinned = NULL;
    assert_true(gf_cuda_enter(context, NULL));
    assert_int_equal(driver->cuMemHostAlloc(&pinned, count, 0), CUDA_SUCCESS);
    free(b.scratch);
    bytes caller = {.sent = b.sent, .got = b.got, .scratch = pinned};
    fake_fail("");
    go_round(device, caller, 0, count);
    assert_int_equal(fake_calls("cuMemcpyHtoDAsync_v2"), 1);
    assert_int_equal(fake_calls("cuMemHostAlloc"), 0);
    assert_int_equal(driver->cuMemFreeHost(pinned), CUDA_SUCCESS);
    gf_cuda_leave(context);
    b.scratch = NULL;
    free_bytes(b);
    gf_device_destroy(device);
    assert_int_equal(fake_live(), 0);
}

static void pinning_is_late_and_once(void **state) {
    (void)state;
    bytes b = make_bytes(MOST);
    gf_device *device = open_device("");
    fake_fail("");
    assert_int_equal(fake_calls("cuMemHostAlloc"), 0);
    go_round(device, b, 0, 100);
    assert_int_equal(fake_calls("cuMemHostAlloc"), 2); /* two small slots */
    go_round(device, b, 0, 4 * MIB);
    assert_int_equal(fake_calls("cuMemHostAlloc"), 2); /* not worth it yet */
    go_round(device, b, 0, MOST);
    uint64_t pinned = fake_calls("cuMemHostAlloc");
    assert_true(pinned > 2);
    gf_cuda_device_of(device)->staging.threads = 1;
    for (int i = 0; i < 3; i++) {
        go_round(device, b, 0, MOST);
        go_round(device, b, 0, 100);
    }
    assert_int_equal(fake_calls("cuMemHostAlloc"), pinned);
    gf_device_destroy(device);
    free_bytes(b);
}

static void memory_that_cannot_be_pinned(void **state) {
    (void)state;
    static const char *const plans[] = {"cuMemHostAlloc:*=2", "cuEventCreate:*=1", "cuMemHostAlloc:4=1"};
    bytes b = make_bytes(MOST);
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        gf_device *device = open_device("");
        fake_fail(plans[i]);
        go_round(device, b, 0, 10);
        go_round(device, b, 0, MOST);
        gf_device_destroy(device);
        fake_fail("");
    }
    free_bytes(b);
    assert_int_equal(fake_live(), 0);
}

#define THREADS 6

static void *go_round_often(void *argument) {
    gf_device *device = argument;
    bytes b = make_bytes(10 * MIB);
    for (size_t i = 0; i < 20; i++) {
        go_round(device, b, i, i % 5 == 0 ? 9 * MIB + i : 1000 * i * i + 1);
    }
    free_bytes(b);
    return NULL;
}

static void several_threads(void **state) {
    (void)state;
    gf_device *device = open_device("");
    gf_cuda_device_of(device)->staging.threads = GF_CUDA_LANES;
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, go_round_often, device), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    gf_device_destroy(device);
    assert_int_equal(fake_live(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sizes),
        cmocka_unit_test(many_small_ones),
        cmocka_unit_test(zeros),
        cmocka_unit_test(pinned_memory_of_the_caller),
        cmocka_unit_test(pinning_is_late_and_once),
        cmocka_unit_test(memory_that_cannot_be_pinned),
        cmocka_unit_test(several_threads),
    };
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
