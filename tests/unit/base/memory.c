/* Memory, types, clock, stop. */
#include "base/memory.h"
#include "base/clock.h"
#include "base/stop.h"
#include "unit/unit.h"

static void test_sizes(void **state) {
    (void)state;
    void *data = gf_malloc(0);
    assert_non_null(data);
    data = gf_realloc(data, 0);
    assert_non_null(data);
    data = gf_realloc(data, 100);
    assert_non_null(data);
    gf_free(data);
    gf_free(NULL);
    data = gf_calloc(0, 8);
    assert_non_null(data);
    gf_free(data);
    unsigned char *zeros = gf_calloc(10, 10);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(zeros[i], 0);
    }
    gf_free(zeros);
    assert_null(gf_malloc(SIZE_MAX));
    assert_null(gf_realloc(NULL, SIZE_MAX - 1));
    assert_null(gf_calloc(SIZE_MAX / 2, 3));
    assert_null(gf_calloc((size_t)1 << 33, (size_t)1 << 31));
    char *text = gf_strdup("text");
    assert_string_equal(text, "text");
    gf_free(text);
}

static void test_failing_on_demand(void **state) {
    (void)state;
    bool got[4];
    for (int all_after = 0; all_after < 2; all_after++) {
        gf_memory_fail_at(2, all_after != 0);
        for (size_t i = 0; i < 4; i++) {
            void *data = gf_malloc(1);
            got[i] = data != NULL;
            gf_free(data);
        }
        assert_int_equal(gf_memory_fail_at(0, false), 4);
        assert_true(got[0]);
        assert_false(got[1]);
        assert_int_equal(got[2], all_after == 0);
        assert_int_equal(got[3], all_after == 0);
    }
    char *text = gf_strdup("on again");
    assert_non_null(text);
    gf_free(text);
}

static void test_types(void **state) {
    (void)state;
    static const size_t bytes[GF_TYPE_COUNT] = {0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    for (int i = 0; i < GF_TYPE_COUNT; i++) {
        assert_int_equal(gf_type_bytes((gf_type)i), bytes[i]);
    }
    assert_string_equal(gf_type_name(GF_TYPE_NONE), "none");
    assert_string_equal(gf_type_name(GF_TYPE_F16), "f16");
    assert_string_equal(gf_type_name(GF_TYPE_U64), "u64");
    char version[64];
    (void)snprintf(version, sizeof version, "%d.%d.%d", GF_VERSION_MAJOR, GF_VERSION_MINOR, GF_VERSION_PATCH);
    assert_string_equal(gf_version(), version);
}

static void test_stop(void **state) {
    (void)state;
    assert_int_equal(gf_stop_poll(NULL), GF_STOP_NONE);
    gf_stop stop = {0};
    assert_int_equal(gf_stop_poll(&stop), GF_STOP_NONE);
    gf_stop_request(&stop, GF_STOP_CANCELLED);
    gf_stop_request(&stop, GF_STOP_TIMEOUT);
    assert_int_equal(gf_stop_poll(&stop), GF_STOP_CANCELLED);
    double now = gf_clock_seconds();
    assert_true(now > 0);
    assert_true(gf_clock_seconds() >= now);
    gf_stop past = {.deadline = now};
    assert_int_equal(gf_stop_poll(&past), GF_STOP_TIMEOUT);
    gf_stop future = {.deadline = now + 1e6};
    assert_int_equal(gf_stop_poll(&future), GF_STOP_NONE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_failing_on_demand),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
