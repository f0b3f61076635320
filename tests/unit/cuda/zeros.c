/* Many places set to zeros at once: those and nothing beside them, whatever their sizes. */
#include "backend/cuda/zeros.h"
#include "cuda_test.h"

#define BYTES ((size_t)3 << 20)

static void set(gf_cuda_device *device, const gf_cuda_range *ranges, size_t count) {
    assert_true(gf_cuda_enter(&device->context, NULL));
    gf_cuda_zeros_prepare(device);
    assert_true(gf_cuda_zeros_set(device, ranges, count, NULL));
    assert_int_equal(device->context.driver->cuStreamSynchronize(device->stream), CUDA_SUCCESS);
    gf_cuda_leave(&device->context);
}

static bool is_inside(size_t at, const size_t (*places)[2], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (at >= places[i][0] && at < places[i][0] + places[i][1]) {
            return true;
        }
    }
    return false;
}

static void those_and_nothing_else(void **state) {
    (void)state;
    /* Offset, bytes: on 16 bytes or not, with a rest or without, none, more than go by one launch, and large. */
    static const size_t places[][2] = {{0, 16},
                                       {32, 4},
                                       {48, 17},
                                       {100, 9},
                                       {128, 0},
                                       {256, 4096},
                                       {4608, 15},
                                       {4640, 31},
                                       {8192, 70001},
                                       {81920, 1},
                                       {81936, 2},
                                       {82000, 100},
                                       {83200, 48},
                                       {86016, 255},
                                       {90112, 257},
                                       {98304, 65536},
                                       {180224, 12},
                                       {262144, 1000},
                                       {1048576, (size_t)1 << 20}};
    enum { COUNT = sizeof places / sizeof places[0] };
    gf_device *opened = open_device("");
    gf_cuda_device *device = gf_cuda_device_of(opened);
    gf_cuda_memory *memory = gf_cuda_pool_take(&device->pool, BYTES, NULL);
    assert_non_null(memory);
    unsigned char *bytes = fake_memory(memory->address);
    gf_cuda_range ranges[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        ranges[i] = (gf_cuda_range){.address = memory->address + places[i][0], .bytes = places[i][1]};
    }
    for (int turn = 0; turn < 3; turn++) {
        memset(bytes, 0x5a, BYTES);
        fake_fail("");
        set(device, ranges, COUNT);
        assert_int_equal(fake_calls("cuLaunchKernel") > 0, turn > 0); /* one run alone goes without */
        for (size_t i = 0; i < BYTES; i++) {
            assert_int_equal(bytes[i], is_inside(i, places, COUNT) ? 0 : 0x5a);
        }
    }
    gf_cuda_pool_give(&device->pool, memory);
    gf_device_destroy(opened);
    assert_int_equal(fake_live(), 0);
}

static void by_memsets_where_the_driver_refuses(void **state) {
    (void)state;
    gf_device *opened = open_device("");
    gf_cuda_device *device = gf_cuda_device_of(opened);
    gf_cuda_memory *memory = gf_cuda_pool_take(&device->pool, 4096, NULL);
    const gf_cuda_range ranges[] = {{memory->address, 1024}, {memory->address + 2048, 1024}};
    fake_fail("cuModuleLoadDataEx:1=218");
    for (int turn = 0; turn < 3; turn++) {
        set(device, ranges, 2);
    }
    assert_int_equal(fake_calls("cuMemsetD32Async"), 6);
    fake_fail("");
    gf_cuda_pool_give(&device->pool, memory);
    gf_device_destroy(opened);
    assert_int_equal(fake_live(), 0);
}

static int setup(void **state) {
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    return use_fake(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_and_nothing_else),
        cmocka_unit_test(by_memsets_where_the_driver_refuses),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
