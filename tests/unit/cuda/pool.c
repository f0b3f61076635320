/* Memory of a device: what is given back is had again, what is kept is bounded and let go when memory runs out. */
#include "base/memory.h"
#include "cuda_test.h"

#define MIB ((size_t)1 << 20)

static void sizes_repeat_without_the_driver(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 255, 256, 257, 4096, 65537, 512 << 10, (512 << 10) + 1, 3 << 20, 100 << 20};
    gf_device *device = open_device("");
    gf_cuda_pool *pool = &gf_cuda_device_of(device)->pool;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        gf_cuda_memory *memory = gf_cuda_pool_take(pool, sizes[i], NULL);
        assert_non_null(memory);
        CUdeviceptr address = gf_cuda_address(memory);
        assert_int_equal(address % 256, 0);
        assert_true(memory->bytes >= sizes[i] && (memory->bytes <= 2 * MIB || memory->bytes / 2 <= sizes[i]));
        gf_cuda_pool_give(pool, memory);
        fake_fail("");
        for (int again = 0; again < 3; again++) {
            memory = gf_cuda_pool_take(pool, sizes[i], NULL);
            assert_int_equal(gf_cuda_address(memory), address);
            gf_cuda_pool_give(pool, memory);
        }
        assert_int_equal(fake_calls(NULL), 0);
    }
    gf_device_destroy(device);
    assert_int_equal(fake_live(), 0);
}

static void blocks_are_apart(void **state) {
    (void)state;
    enum { COUNT = 300 };
    gf_device *device = open_device("");
    gf_cuda_pool *pool = &gf_cuda_device_of(device)->pool;
    gf_cuda_memory *memory[COUNT] = {NULL};
    uint32_t seed = 1;
    for (int step = 0; step < 5000; step++) {
        seed = seed * 1664525U + 1013904223U;
        size_t at = (seed >> 8) % COUNT;
        gf_cuda_pool_give(pool, memory[at]);
        memory[at] =
            gf_cuda_pool_take(pool, (seed >> 16) % 3 == 0 ? (seed >> 12) % 900000 + 1 : (seed >> 20) + 1, NULL);
        assert_non_null(memory[at]);
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t k = 0; memory[i] != NULL && k < i; k++) {
            assert_true(memory[k] == NULL || memory[k]->address + memory[k]->bytes <= memory[i]->address ||
                        memory[i]->address + memory[i]->bytes <= memory[k]->address);
        }
    }
    for (size_t i = 0; i < COUNT; i++) {
        gf_cuda_pool_give(pool, memory[i]);
    }
    gf_device_destroy(device);
    assert_int_equal(fake_live(), 0);
}

static void what_is_kept_is_bounded(void **state) {
    (void)state;
    gf_device *device = open_device("");
    gf_cuda_pool *pool = &gf_cuda_device_of(device)->pool;
    assert_int_equal(pool->most_kept, 512 * MIB);
    gf_cuda_memory *memory[8];
    for (size_t i = 0; i < 8; i++) {
        memory[i] = gf_cuda_pool_take(pool, 100 * MIB, NULL);
        assert_non_null(memory[i]);
    }
    CUdeviceptr last = memory[7]->address;
    for (size_t i = 0; i < 8; i++) {
        gf_cuda_pool_give(pool, memory[i]);
        assert_true(pool->large_bytes <= 512 * MIB);
    }
    assert_int_equal(pool->large_bytes, 500 * MIB);
    memory[0] = gf_cuda_pool_take(pool, 100 * MIB, NULL);
    assert_int_equal(memory[0]->address, last); /* the latest is had again first */
    /* Twice too large is no fit. */
    gf_cuda_memory *small = gf_cuda_pool_take(pool, 40 * MIB, NULL);
    assert_int_equal(small->bytes, 40 * MIB);
    gf_cuda_pool_give(pool, small);
    gf_cuda_pool_give(pool, memory[0]);
    gf_device_destroy(device);
    assert_int_equal(fake_live(), 0);
}

static void memory_runs_out(void **state) {
    (void)state;
    gf_device *device = open_device("");
    gf_cuda_pool *pool = &gf_cuda_device_of(device)->pool;
    gf_diags *diags = gf_diags_create();
    gf_cuda_memory *kept = gf_cuda_pool_take(pool, 400 * MIB, diags);
    gf_cuda_pool_give(pool, kept);
    /* What is kept goes first. */
    gf_cuda_memory *memory = gf_cuda_pool_take(pool, 900 * MIB, diags);
    assert_non_null(memory);
    assert_int_equal(pool->large_bytes, 0);
    assert_int_equal(gf_diags_count(diags), 0);
    assert_null(gf_cuda_pool_take(pool, 200 * MIB, diags));
    assert_says(diags, "GF0630", "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY: out of memory", "");
    gf_diag note;
    assert_true(gf_diags_get_note(diags, 0, 0, &note));
    assert_string_equal(note.message, "209715200 bytes were asked for; the GPU has 130023424 of 1073741824 bytes free");
    gf_diags_clear(diags);
    assert_null(gf_cuda_pool_take(pool, SIZE_MAX, diags));
    assert_null(gf_cuda_pool_take(pool, SIZE_MAX / 2, diags));
    assert_int_equal(gf_diags_error_count(diags), 2);
    gf_cuda_memory *fits = gf_cuda_pool_take(pool, 100 * MIB, NULL);
    assert_non_null(fits);
    gf_cuda_pool_give(pool, fits);
    gf_cuda_pool_give(pool, memory);
    gf_diags_destroy(diags);
    gf_device_destroy(device);
    assert_int_equal(fake_live(), 0);
}

#define THREADS 6

static void *churn(void *argument) {
    gf_cuda_pool *pool = argument;
    uint32_t seed = 7;
    for (int i = 0; i < 2000; i++) {
        seed = seed * 1664525U + 1013904223U;
        gf_cuda_memory *memory = gf_cuda_pool_take(pool, (size_t)1 << (seed >> 8) % 23, NULL);
        if (memory == NULL) {
            return pool;
        }
        gf_cuda_pool_give(pool, memory);
    }
    return NULL;
}

static void many_threads(void **state) {
    (void)state;
    gf_device *device = open_device("");
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, churn, &gf_cuda_device_of(device)->pool), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *failed = NULL;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    gf_device_destroy(device);
    assert_int_equal(fake_live(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_repeat_without_the_driver),
        cmocka_unit_test(blocks_are_apart),
        cmocka_unit_test(what_is_kept_is_bounded),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(many_threads),
    };
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
