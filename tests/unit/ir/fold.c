/* The fixed order of sums against a second reading of the language page that shares nothing with the first. */
#include "ir/fold.h"
#include "ir/eval.h"
#include "unit/unit.h"

/* Rounds of whole sequences in memory, each partial summed by itself. */
static float naive_sum(const float *values, size_t count) {
    if (count == 0) {
        return -0.0f;
    }
    if (count == 1) {
        return values[0];
    }
    size_t blocks = (count + 4095) / 4096;
    float *next = calloc(blocks, sizeof *next);
    assert_non_null(next);
    for (size_t block = 0; block < blocks; block++) {
        size_t from = block * 4096, to = from + 4096 < count ? from + 4096 : count;
        float partials[256];
        bool there[256] = {false};
        for (size_t p = 0; p < 256; p++) {
            for (size_t i = from + p; i < to; i += 256) {
                partials[p] = there[p] ? partials[p] + values[i] : values[i];
                there[p] = true;
            }
        }
        for (size_t half = 128; half >= 1; half /= 2) {
            for (size_t p = 0; p < half; p++) {
                if (there[p] && there[p + half]) {
                    partials[p] += partials[p + half];
                }
            }
        }
        next[block] = partials[0];
    }
    float sum = naive_sum(next, blocks);
    free(next);
    return sum;
}

static float value_at(size_t i) {
    uint32_t x = (uint32_t)i * 2654435761u + 12345u;
    x ^= x >> 15;
    return (float)(int32_t)(x * 2246822519u) * 0x1p-20f / (float)(1 + i % 97);
}

static const size_t counts[] = {0,    1,    2,    31,   128,  129,  255,  256,    257,    511,
                                4095, 4096, 4097, 8191, 8192, 8193, 9000, 100000, 1000003};

static void sums_keep_the_fixed_order(void **state) {
    (void)state;
    bool plain_differs = false;
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        size_t count = counts[c];
        float *values = calloc(count + 1, sizeof *values);
        uint64_t *bits = calloc(count + 1, sizeof *bits);
        assert_non_null(values);
        assert_non_null(bits);
        float plain = 0.0f;
        for (size_t i = 0; i < count; i++) {
            values[i] = value_at(i);
            plain += values[i];
            uint32_t low;
            memcpy(&low, &values[i], sizeof low);
            bits[i] = low;
        }
        float expected = naive_sum(values, count);
        uint32_t expected_bits;
        memcpy(&expected_bits, &expected, sizeof expected_bits);
        plain_differs = plain_differs || plain != expected;
        assert_int_equal(gf_fold_elements(GF_COMBINE_ADD, GF_TYPE_F32, values, count), expected_bits);
        assert_int_equal(gf_fold_bits(GF_COMBINE_ADD, GF_TYPE_F32, bits, count), expected_bits);
        free(values);
        free(bits);
    }
    assert_true(plain_differs); /* else this test shows nothing */
}

static void groups_are_folded_first(void **state) {
    (void)state;
    enum { GROUPS = 5000, SIZE = 48 };
    float *values = calloc((size_t)GROUPS * SIZE, sizeof *values);
    float *sums = calloc(GROUPS, sizeof *sums);
    assert_non_null(values);
    assert_non_null(sums);
    for (size_t i = 0; i < (size_t)GROUPS * SIZE; i++) {
        values[i] = value_at(i);
    }
    for (size_t g = 0; g < GROUPS; g++) {
        sums[g] = naive_sum(values + g * SIZE, SIZE);
    }
    float expected = naive_sum(sums, GROUPS);
    uint32_t expected_bits;
    memcpy(&expected_bits, &expected, sizeof expected_bits);
    uint64_t bits;
    assert_true(gf_fold_groups(GF_COMBINE_ADD, GF_TYPE_F32, values, (uint64_t)GROUPS * SIZE, SIZE, &bits));
    assert_int_equal(bits, expected_bits);
    assert_true(gf_fold_groups(GF_COMBINE_ADD, GF_TYPE_F32, NULL, 0, SIZE, &bits));
    assert_int_equal(bits, 0x80000000);
    assert_false(gf_fold_groups(GF_COMBINE_ADD, GF_TYPE_F32, NULL, 1, SIZE, &bits));
    free(values);
    free(sums);
}

static void other_folds(void **state) {
    (void)state;
    int32_t values[5000];
    int64_t least = INT32_MAX;
    uint32_t sum = 0;
    for (size_t i = 0; i < 5000; i++) {
        values[i] = (int32_t)((uint32_t)i * 2654435761u);
        least = values[i] < least ? values[i] : least;
        sum += (uint32_t)values[i];
    }
    assert_int_equal(gf_fold_elements(GF_COMBINE_MIN, GF_TYPE_I32, values, 5000), (uint32_t)least);
    assert_int_equal(gf_fold_elements(GF_COMBINE_ADD, GF_TYPE_I32, values, 5000), sum);
    bool flags[300] = {false};
    assert_int_equal(gf_fold_elements(GF_COMBINE_OR, GF_TYPE_BOOL, flags, 300), 0);
    flags[299] = true;
    assert_int_equal(gf_fold_elements(GF_COMBINE_OR, GF_TYPE_BOOL, flags, 300), 1);
    assert_int_equal(gf_fold_elements(GF_COMBINE_AND, GF_TYPE_BOOL, flags, 300), 0);
    assert_int_equal(gf_fold_elements(GF_COMBINE_AND, GF_TYPE_BOOL, flags, 0), 1);
    uint64_t nans[3] = {0xffc00001, 0xbf800000, 0xffc00002}; /* dropped by max, not by add */
    assert_int_equal(gf_fold_bits(GF_COMBINE_MAX, GF_TYPE_F32, nans, 3), 0xbf800000);
    assert_int_equal(gf_fold_bits(GF_COMBINE_ADD, GF_TYPE_F32, nans, 3), 0x7fc00000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_keep_the_fixed_order),
        cmocka_unit_test(groups_are_folded_first),
        cmocka_unit_test(other_folds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
