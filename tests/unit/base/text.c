/* Strings, interning, JSON text, UTF-8, spans. */
#include "base/checked.h"
#include "base/intern.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/str.h"
#include "base/utf8.h"
#include "unit/unit.h"

static void test_str_grows(void **state) {
    (void)state;
    gf_str str = {0};
    for (int i = 0; i < 1000; i++) {
        gf_str_addf(&str, "%03d,", i);
        gf_str_add(&str, "ab");
        gf_str_add_n(&str, "cde", 1);
    }
    assert_false(str.failed);
    assert_int_equal(str.length, 7000);
    assert_memory_equal(str.text + 6993, "999,abc", 8);
    gf_str_addf(&str, "%0*d", 20000, 1);
    assert_int_equal(strlen(str.text), 27000);
    gf_str_free(&str);
    assert_null(str.text);
}

static void test_str_take(void **state) {
    (void)state;
    gf_str str = {0};
    char *text = gf_str_take(&str);
    assert_string_equal(text, "");
    gf_free(text);
    gf_str_add(&str, "x");
    text = gf_str_take(&str);
    assert_string_equal(text, "x");
    gf_free(text);
    assert_null(str.text);
}

static void test_str_fails_once_and_stays(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= 3; n++) {
        gf_str str = {0};
        gf_memory_fail_at(n, false);
        for (int i = 0; i < 200; i++) {
            gf_str_addf(&str, "%d", i);
            gf_str_add(&str, "some text");
        }
        gf_memory_fail_at(0, false);
        assert_true(str.failed);
        assert_true(str.text == NULL || strlen(str.text) == str.length);
        assert_null(gf_str_take(&str));
        assert_null(str.text);
    }
    gf_str str = {0};
    gf_str_add_n(&str, "", SIZE_MAX / 2);
    assert_true(str.failed);
    gf_str_free(&str);
}

static void test_edit_distance(void **state) {
    (void)state;
    assert_int_equal(gf_edit_distance("barrier", "barrier"), 0);
    assert_int_equal(gf_edit_distance("barrier", "barier"), 1);
    assert_int_equal(gf_edit_distance("barrier", "barreir"), 2);
    assert_int_equal(gf_edit_distance("", "ab"), 2);
    assert_int_equal(gf_edit_distance("abc", ""), 3);
    assert_int_equal(gf_edit_distance("kernel", "nothing"), 3);
    char name[200];
    memset(name, 'x', 199);
    name[199] = '\0';
    assert_int_equal(gf_edit_distance(name, name), 0);
    assert_int_equal(gf_edit_distance(name, name + 1), 3);
}

static void use_intern(void *context) {
    gf_arena *arena = context;
    gf_intern_table *table = gf_intern_create(arena);
    enum { COUNT = 5000 };
    const char **first = gf_new_array(arena, const char *, COUNT);
    for (int i = 0; i < COUNT; i++) {
        char name[32];
        int length = snprintf(name, sizeof name, "name%d", i);
        first[i] = gf_intern(table, name, (size_t)length);
        assert_string_equal(first[i], name);
    }
    for (int i = 0; i < COUNT; i++) {
        char name[32];
        int length = snprintf(name, sizeof name, "name%d;", i);
        assert_ptr_equal(gf_intern(table, name, (size_t)length - 1), first[i]);
        assert_ptr_not_equal(gf_intern(table, name, (size_t)length), first[i]);
    }
    const char *empty = gf_intern(table, "", 0);
    assert_ptr_equal(gf_intern(table, "zzz", 0), empty);
    assert_ptr_not_equal(gf_intern(table, "a\0b", 3), gf_intern(table, "a\0c", 3));
    assert_ptr_not_equal(gf_intern(table, "a\0b", 3), gf_intern(table, "a", 1));
}

static void test_intern(void **state) {
    (void)state;
    gf_arena *arena = gf_arena_create();
    assert_true(gf_arena_protect(arena, use_intern, arena));
    gf_arena_destroy(arena);
}

static void expect_json(const char *text, const char *expected) {
    gf_str str = {0};
    gf_json_string(&str, text);
    assert_string_equal(str.text, expected);
    gf_str_free(&str);
}

static void test_json_strings(void **state) {
    (void)state;
    expect_json("", "\"\"");
    expect_json("a\"b\\c/", "\"a\\\"b\\\\c/\"");
    expect_json("\n\t\r\x01\x1f\x7f", "\"\\n\\t\\r\\u0001\\u001f\\u007f\"");
    expect_json("\xc3\xa4\xf0\x9f\x98\x80", "\"\xc3\xa4\xf0\x9f\x98\x80\"");
    expect_json("\xff", "\"" GF_UTF8_REPLACEMENT "\"");
    expect_json("\xc3", "\"" GF_UTF8_REPLACEMENT "\"");
    expect_json("\xc0\x80!", "\"" GF_UTF8_REPLACEMENT GF_UTF8_REPLACEMENT "!\"");
    expect_json("\xe2\x82\"", "\"" GF_UTF8_REPLACEMENT GF_UTF8_REPLACEMENT "\\\"\"");
}

static void test_utf8(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length, bytes;
        uint32_t code_point;
    } rows[] = {
        {"a", 1, 1, 'a'},
        {"", 1, 1, 0},
        {"\xc2\x80", 2, 2, 0x80},
        {"\xdf\xbf", 2, 2, 0x7ff},
        {"\xe0\xa0\x80", 3, 3, 0x800},
        {"\xef\xbf\xbf", 3, 3, 0xffff},
        {"\xf0\x90\x80\x80", 4, 4, 0x10000},
        {"\xf4\x8f\xbf\xbf", 4, 4, 0x10ffff},
        {"\x80", 1, 0, 0},
        {"\xc1\xbf", 2, 0, 0},         /* overlong */
        {"\xe0\x9f\xbf", 3, 0, 0},     /* overlong */
        {"\xf0\x8f\xbf\xbf", 4, 0, 0}, /* overlong */
        {"\xed\xa0\x80", 3, 0, 0},     /* a surrogate */
        {"\xf4\x90\x80\x80", 4, 0, 0}, /* too large */
        {"\xe2\x82\xac", 2, 0, 0},     /* cut off */
        {"\xe2\x82z", 3, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t code_point = 0;
        assert_int_equal(gf_utf8_decode(rows[i].text, rows[i].length, &code_point), rows[i].bytes);
        assert_int_equal(code_point, rows[i].code_point);
    }
}

static void test_spans(void **state) {
    (void)state;
    gf_source source = {.name = "a", .text = "one\ntwo\n", .length = 8};
    gf_source other = source;
    static const uint32_t lines[] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3};
    static const uint32_t columns[] = {1, 2, 3, 4, 1, 2, 3, 4, 1, 1};
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t line = 0;
        uint32_t column = 0;
        gf_span_line_column((gf_span){&source, i, 1}, &line, &column);
        assert_int_equal(line, lines[i]);
        assert_int_equal(column, columns[i]);
    }
    gf_span joined = gf_span_join((gf_span){&source, 1, 2}, (gf_span){&source, 5, 2});
    assert_int_equal(joined.offset, 1);
    assert_int_equal(joined.length, 6);
    joined = gf_span_join(GF_NO_SPAN, (gf_span){&source, 5, 2});
    assert_int_equal(joined.offset, 5);
    joined = gf_span_join((gf_span){&source, 1, 2}, (gf_span){&other, 5, 2});
    assert_int_equal(joined.length, 2);
}

static void test_checked_arithmetic(void **state) {
    (void)state;
    uint64_t out = 0;
    assert_true(gf_add_u64(UINT64_MAX - 1, 1, &out));
    assert_true(out == UINT64_MAX);
    assert_false(gf_add_u64(UINT64_MAX, 1, &out));
    assert_true(gf_mul_u64(UINT64_MAX, 1, &out));
    assert_true(gf_mul_u64(0, UINT64_MAX, &out));
    assert_true(gf_mul_u64(UINT64_C(1) << 32, (UINT64_C(1) << 32) - 1, &out));
    assert_false(gf_mul_u64(UINT64_C(1) << 32, UINT64_C(1) << 32, &out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_str_grows),
        cmocka_unit_test(test_str_take),
        cmocka_unit_test(test_str_fails_once_and_stays),
        cmocka_unit_test(test_edit_distance),
        cmocka_unit_test(test_intern),
        cmocka_unit_test(test_json_strings),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_spans),
        cmocka_unit_test(test_checked_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
