/* Elements in memory, and f16 at every bit pattern. */
#include "ir/eval.h"
#include "unit/unit.h"

#include <math.h>

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What the bits of an f16 stand for, by the definition. */
static double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                       : exponent == 0 ? ldexp(fraction, -24)
                                       : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static void every_half_comes_back(void **state) {
    (void)state;
    for (unsigned bits = 0; bits < 65536; bits++) {
        float value = gf_f16_to_f32((uint16_t)bits);
        if ((bits & 0x7fff) > 0x7c00) {
            assert_int_equal(bits_of(value), 0x7fc00000);
            assert_int_equal(gf_f16_from_f32(value), 0x7e00);
            continue;
        }
        assert_true((double)value == half_value((uint16_t)bits));
        assert_int_equal(signbit(value) != 0, bits >> 15);
        assert_int_equal(gf_f16_from_f32(value), bits);
    }
}

/* Between neighbours: below the middle down, above it up, at it to the even one. */
static void halves_round_to_nearest_even(void **state) {
    (void)state;
    for (unsigned bits = 0; bits < 0x7c00; bits++) {
        double low = half_value((uint16_t)bits);
        double high = bits == 0x7bff ? 65536.0 : half_value((uint16_t)(bits + 1));
        float middle = (float)((low + high) / 2);
        assert_int_equal(gf_f16_from_f32(middle), bits & 1 ? bits + 1 : bits);
        assert_int_equal(gf_f16_from_f32(nextafterf(middle, 0.0f)), bits);
        assert_int_equal(gf_f16_from_f32(nextafterf(middle, INFINITY)), bits + 1);
        assert_int_equal(gf_f16_from_f32(-middle), 0x8000 | (bits & 1 ? bits + 1 : bits));
    }
    assert_int_equal(gf_f16_from_f32(65520.0f), 0x7c00);
    assert_int_equal(gf_f16_from_f32(65519.996f), 0x7bff);
    assert_int_equal(gf_f16_from_f32(1e38f), 0x7c00);
    assert_int_equal(gf_f16_from_f32(-INFINITY), 0xfc00);
    assert_int_equal(gf_f16_from_f32(0x1p-149f), 0);
    assert_int_equal(gf_f16_from_f32(-0.0f), 0x8000);
}

static void small_types_widen_and_wrap(void **state) {
    (void)state;
    unsigned char bytes[8];
    static const struct {
        gf_type type;
        uint64_t stored, loaded;
    } rows[] = {
        {GF_TYPE_U8, 0x1ff, 0xff},
        {GF_TYPE_I8, 0xff, 0xffffffff},
        {GF_TYPE_I8, 0x17f, 0x7f},
        {GF_TYPE_U16, 0x1ffff, 0xffff},
        {GF_TYPE_I16, 0x8000, 0xffff8000},
        {GF_TYPE_U32, 0xffffffff, 0xffffffff},
        {GF_TYPE_I64, UINT64_C(0x8000000000000001), UINT64_C(0x8000000000000001)},
        {GF_TYPE_BOOL, 1, 1},
        {GF_TYPE_F16, 0x3f800000, 0x3f800000},
        {GF_TYPE_F64, UINT64_C(0x3ff0000000000000), UINT64_C(0x3ff0000000000000)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(bytes, 0xaa, sizeof bytes);
        gf_element_store(rows[i].type, bytes, rows[i].stored);
        assert_int_equal(gf_element_load(rows[i].type, bytes), rows[i].loaded);
        for (size_t k = gf_type_bytes(rows[i].type); k < sizeof bytes; k++) {
            assert_int_equal(bytes[k], 0xaa);
        }
    }
    gf_element_store(GF_TYPE_U32, bytes, 0x04030201);
    assert_int_equal(bytes[0], 1); /* little-endian */
    assert_int_equal(bytes[3], 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_comes_back),
        cmocka_unit_test(halves_round_to_nearest_even),
        cmocka_unit_test(small_types_widen_and_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
