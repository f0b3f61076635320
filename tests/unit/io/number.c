#include "io/number.h"
#include "io/half.h"
#include "io_test.h"
#include <math.h>

static void test_half_every_pattern(void **state) {
    (void)state;
    for (unsigned bits = 0; bits < 65536; bits++) {
        double value = gf_half_to_double((uint16_t)bits);
        uint16_t back = gf_half_from_double(value);
        if (isnan(value)) {
            assert_int_equal(back, bits | 0x200); /* quiet */
        } else {
            assert_int_equal(back, bits);
        }
    }
}

static void test_half_edges(void **state) {
    (void)state;
    static const struct {
        double value;
        uint16_t half;
    } rows[] = {{0.0, 0},
                {-0.0, 0x8000},
                {1.0, 0x3c00},
                {65504.0, 0x7bff},
                {65519.999, 0x7bff},
                {65520.0, 0x7c00}, /* a tie, to even: infinity */
                {1e300, 0x7c00},
                {-1e300, 0xfc00},
                {0x1p-14, 0x0400},
                {0x1p-24, 0x0001},
                {0x1p-25, 0x0000}, /* a tie, to even: 0 */
                {0x1.0000001p-25, 0x0001},
                {0x1.8p-24, 0x0002}, /* a tie between 1 and 2 */
                {0x1p-26, 0x0000},
                {0x1.ff8p-15, 0x03ff},
                {0x1.ffcp-15, 0x0400}, /* a tie that carries into the smallest normal */
                {1.0 + 0x1p-11, 0x3c00},
                {1.0 + 0x3p-11, 0x3c02},
                {1.0 + 0x1p-11 + 0x1p-40, 0x3c01},
                {0x1p-1070, 0x0000},
                {(double)INFINITY, 0x7c00}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(gf_half_from_double(rows[i].value), rows[i].half);
    }
    assert_int_equal(gf_half_from_double((double)NAN), 0x7e00);
    assert_true(gf_half_to_double(0x0001) == 0x1p-24);
    assert_true(gf_half_to_double(0x7bff) == 65504.0);
}

static double parsed(const char *text) {
    double value = 0;
    gf_fit fit;
    assert_true(gf_number_parse(text, strlen(text), GF_TYPE_F64, &value, &fit));
    assert_true(fit <= GF_FIT_ROUNDED);
    return value;
}

static void test_reals(void **state) {
    (void)state;
    assert_true(parsed("0.1") == 0.1);
    assert_true(parsed("+1.5e3") == 1500.0);
    assert_true(parsed(".5") == 0.5);
    assert_true(parsed("5.") == 5.0);
    assert_true(parsed("1e22") == 1e22);
    assert_true(parsed("1e23") == 1e23);
    assert_true(parsed("123456789012345678901234567890") == 123456789012345678901234567890.0);
    assert_true(parsed("2.2250738585072011e-308") == 2.2250738585072011e-308);
    assert_true(parsed("4.9e-324") == 4.9e-324);
    assert_true(parsed("1e-400") == 0.0);
    assert_true(parsed("9007199254740993") == 9007199254740992.0);
    assert_true(parsed("0x10") == 16.0);
    assert_true(signbit(parsed("-0")) && parsed("-0") == 0.0);
    assert_true(isinf(parsed("inf")) && isinf(parsed("-Infinity")) && isnan(parsed("NaN")));
    float single;
    gf_fit fit;
    /* Just above the tie between two floats: by way of a double it would be rounded down. */
    const char *text = "1.00000005960464477540";
    assert_true(gf_number_parse(text, strlen(text), GF_TYPE_F32, &single, &fit));
    assert_true(single == 1.00000011920928955078125F);
}

static void test_no_numbers(void **state) {
    (void)state;
    static const char *const rows[] = {"",   "-",   "+",    ".",    "e5",   "1e", "1e+", "0x",  "0xg",  "1 ",
                                       " 1", "--1", "1..2", "infx", "nane", "1f", "in",  "1,2", "1_000"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value;
        gf_fit fit;
        assert_false(gf_number_parse(rows[i], strlen(rows[i]), GF_TYPE_F64, &value, &fit));
    }
}

static void test_integers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        gf_type type;
        gf_fit fit;
        uint64_t bits;
    } rows[] = {{"255", GF_TYPE_U8, GF_FIT_EXACT, 255},
                {"256", GF_TYPE_U8, GF_FIT_RANGE, 0},
                {"-1", GF_TYPE_U8, GF_FIT_RANGE, 0},
                {"-0", GF_TYPE_U8, GF_FIT_EXACT, 0},
                {"-128", GF_TYPE_I8, GF_FIT_EXACT, 0x80},
                {"-129", GF_TYPE_I8, GF_FIT_RANGE, 0},
                {"128", GF_TYPE_I8, GF_FIT_RANGE, 0},
                {"65535", GF_TYPE_U16, GF_FIT_EXACT, 65535},
                {"-32768", GF_TYPE_I16, GF_FIT_EXACT, 0x8000},
                {"0xffffffff", GF_TYPE_U32, GF_FIT_EXACT, 0xffffffff},
                {"4294967296", GF_TYPE_U32, GF_FIT_RANGE, 0},
                {"-2147483648", GF_TYPE_I32, GF_FIT_EXACT, 0x80000000},
                {"2147483648", GF_TYPE_I32, GF_FIT_RANGE, 0},
                {"18446744073709551615", GF_TYPE_U64, GF_FIT_EXACT, UINT64_MAX},
                {"18446744073709551616", GF_TYPE_U64, GF_FIT_RANGE, 0},
                {"-9223372036854775808", GF_TYPE_I64, GF_FIT_EXACT, (uint64_t)1 << 63},
                {"9223372036854775808", GF_TYPE_I64, GF_FIT_RANGE, 0},
                {"3.0", GF_TYPE_U32, GF_FIT_EXACT, 3},
                {"1e3", GF_TYPE_U16, GF_FIT_EXACT, 1000},
                {"3.5", GF_TYPE_U32, GF_FIT_NOT_WHOLE, 0},
                {"inf", GF_TYPE_U32, GF_FIT_NOT_WHOLE, 0},
                {"nan", GF_TYPE_I64, GF_FIT_NOT_WHOLE, 0},
                {"65504", GF_TYPE_F16, GF_FIT_EXACT, 0x7bff},
                {"65519", GF_TYPE_F16, GF_FIT_ROUNDED, 0x7bff},
                {"65520", GF_TYPE_F16, GF_FIT_RANGE, 0},
                {"0.1", GF_TYPE_F16, GF_FIT_ROUNDED, 0x2e66},
                {"1e39", GF_TYPE_F32, GF_FIT_RANGE, 0},
                {"16777217", GF_TYPE_F32, GF_FIT_ROUNDED, 0x4b800000},
                {"1e999", GF_TYPE_F64, GF_FIT_RANGE, 0},
                {"inf", GF_TYPE_F16, GF_FIT_EXACT, 0x7c00},
                {"nan", GF_TYPE_F32, GF_FIT_EXACT, 0x7fc00000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t bits = 0;
        gf_fit fit;
        assert_true(gf_number_parse(rows[i].text, strlen(rows[i].text), rows[i].type, &bits, &fit));
        if (fit != rows[i].fit || bits != rows[i].bits) {
            fail_msg("%s as %s: fit %d bits %jx", rows[i].text, gf_type_name(rows[i].type), (int)fit, (uintmax_t)bits);
        }
    }
}

static void expect_text(gf_type type, const void *element, const char *wanted) {
    char text[GF_NUMBER_TEXT];
    size_t length = gf_number_format(type, element, text);
    assert_string_equal(text, wanted);
    assert_int_equal(length, strlen(wanted));
}

static void test_format(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {{0.1, "0.1"},
                {-0.0, "-0"},
                {1e15, "1e+15"},
                {999999999999999.0, "999999999999999"},
                {1.0 / 3, "0.3333333333333333"},
                {0.1 + 0.2, "0.30000000000000004"},
                {4.9e-324, "5e-324"},
                {1.7976931348623157e308, "1.7976931348623157e+308"},
                {-2.5, "-2.5"},
                {(double)INFINITY, "inf"},
                {-(double)INFINITY, "-inf"},
                {(double)NAN, "nan"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_text(GF_TYPE_F64, &rows[i].value, rows[i].text);
    }
    static const struct {
        float value;
        const char *text;
    } singles[] = {{0.1F, "0.1"}, {16777216.0F, "16777216"}, {3.4028234664e38F, "3.4028235e+38"}, {1e-45F, "1e-45"}};
    for (size_t i = 0; i < sizeof singles / sizeof *singles; i++) {
        expect_text(GF_TYPE_F32, &singles[i].value, singles[i].text);
    }
    expect_text(GF_TYPE_I64, &(int64_t){INT64_MIN}, "-9223372036854775808");
    expect_text(GF_TYPE_U64, &(uint64_t){UINT64_MAX}, "18446744073709551615");
    expect_text(GF_TYPE_I8, &(int8_t){-128}, "-128");
    expect_text(GF_TYPE_F16, &(uint16_t){0x2e66}, "0.1");
    expect_text(GF_TYPE_F16, &(uint16_t){0x7bff}, "65504");
}

/* What is written is read back to the same bits: every half, and floats and doubles from all over their bits. */
static void expect_back(gf_type type, uint64_t bits) {
    char text[GF_NUMBER_TEXT];
    uint64_t back = 0;
    gf_fit fit;
    size_t length = gf_number_format(type, &bits, text);
    assert_true(gf_number_parse(text, length, type, &back, &fit));
    if (strcmp(text, "nan") != 0 && memcmp(&bits, &back, gf_type_bytes(type)) != 0) {
        fail_msg("%jx as %s reads back as %jx", (uintmax_t)bits, text, (uintmax_t)back);
    }
}

static void test_format_round_trip(void **state) {
    (void)state;
    for (unsigned bits = 0; bits < 65536; bits++) {
        expect_back(GF_TYPE_F16, bits);
    }
    uint64_t bits = 1;
    for (int i = 0; i < 20000; i++) {
        bits = bits * 6364136223846793005U + 1442695040888963407U;
        expect_back(GF_TYPE_F64, bits ^ bits >> 33);
        expect_back(GF_TYPE_F64, bits >> (12 + i % 50)); /* subnormals */
        uint32_t single = (uint32_t)(bits >> 32);
        expect_back(GF_TYPE_F32, single);
        expect_back(GF_TYPE_F32, single >> (9 + i % 20));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_every_pattern), cmocka_unit_test(test_half_edges), cmocka_unit_test(test_reals),
        cmocka_unit_test(test_no_numbers),         cmocka_unit_test(test_integers),   cmocka_unit_test(test_format),
        cmocka_unit_test(test_format_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
