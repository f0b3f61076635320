#include "base/diag.h"
#include "base/diag_json.h"
#include "base/memory.h"
#include "unit/unit.h"

static gf_source make_source(const char *text) {
    return (gf_source){.name = "reach.gf", .text = text, .length = strlen(text)};
}

/* The place of the first `needle` in the source. */
static gf_span find(const gf_source *source, const char *needle) {
    const char *at = strstr(source->text, needle);
    assert_non_null(at);
    return (gf_span){.source = source, .offset = (uint32_t)(at - source->text), .length = (uint32_t)strlen(needle)};
}

static void expect_print(gf_diags *diags, const char *expected) {
    char *text = print_diags(diags);
    assert_string_equal(text, expected);
    free(text);
    gf_diags_clear(diags);
}

static void test_whole_message(void **state) {
    (void)state;
    gf_source source = make_source("kernel (n) {\n    let more = flag[0];\n    while more {\n    }\n}\n");
    gf_diags *diags = gf_diags_create();
    assert_false(gf_fail(diags, GF_CODE_INTERNAL, find(&source, "more {"), "condition of a %s loop", "grid-level"));
    gf_note(diags, find(&source, "flag[0]"), "loaded from '%s'", "flag");
    gf_note(diags, GF_NO_SPAN, "buffers differ from invocation to invocation");
    gf_fix(diags, "use grid_load(%s)", "flag[0]");
    gf_warn(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "no place");
    assert_int_equal(gf_diags_count(diags), 2);
    assert_int_equal(gf_diags_error_count(diags), 1);
    expect_print(diags, "reach.gf:3:11: error[GF0002]: condition of a grid-level loop\n"
                        "     3 |     while more {\n"
                        "       |           ^~~~~~\n"
                        "reach.gf:2:16: note: loaded from 'flag'\n"
                        "     2 |     let more = flag[0];\n"
                        "       |                ^~~~~~~\n"
                        "note: buffers differ from invocation to invocation\n"
                        "fix: use grid_load(flag[0])\n"
                        "warning[GF0003]: no place\n");
    assert_int_equal(gf_diags_count(diags), 0);
    gf_diags_destroy(diags);
}

static void test_places_at_the_edges(void **state) {
    (void)state;
    gf_source source = make_source("ab\r\ncd");
    gf_diags *diags = gf_diags_create();
    gf_fail(diags, GF_CODE_INTERNAL, (gf_span){&source, 1, 100}, "over lines");
    gf_fail(diags, GF_CODE_INTERNAL, (gf_span){&source, 6, 0}, "at the end");
    gf_fail(diags, GF_CODE_INTERNAL, (gf_span){&source, 4000000000U, 4000000000U}, "past the end");
    expect_print(diags, "reach.gf:1:2: error[GF0002]: over lines\n"
                        "     1 | ab\n"
                        "       |  ^\n"
                        "reach.gf:2:3: error[GF0002]: at the end\n"
                        "     2 | cd\n"
                        "       |   ^\n"
                        "reach.gf:2:3: error[GF0002]: past the end\n"
                        "     2 | cd\n"
                        "       |   ^\n");
    gf_source empty = make_source("");
    gf_fail(diags, GF_CODE_INTERNAL, (gf_span){&empty, 0, 0}, "nothing there");
    expect_print(diags, "reach.gf:1:1: error[GF0002]: nothing there\n");
    gf_diags_destroy(diags);
}

/* With the marks that a parsed text has, each place is the one that counting from the start gives. */
static void test_marked_lines(void **state) {
    (void)state;
    enum { LENGTH = 5 * GF_SOURCE_STEP + 7 };
    static char text[LENGTH + 1];
    static gf_source_mark marks[LENGTH / GF_SOURCE_STEP + 1];
    for (size_t every = 1; every <= (size_t)3 * GF_SOURCE_STEP; every = every * 3 + 1) {
        memset(text, 'x', LENGTH);
        for (size_t i = every - 1; i < LENGTH; i += every) {
            text[i] = '\n';
        }
        gf_source_mark_lines(text, LENGTH, marks);
        gf_source plain = make_source(text), marked = plain;
        marked.marks = marks;
        for (uint32_t at = 0; at <= LENGTH; at += at % GF_SOURCE_STEP < 3 || every > 9 ? 1 : 7) {
            uint32_t line, column, same_line, same_column;
            gf_span_line_column((gf_span){&plain, at, 0}, &line, &column);
            gf_span_line_column((gf_span){&marked, at, 0}, &same_line, &same_column);
            assert_int_equal(line, same_line);
            assert_int_equal(column, same_column);
        }
    }
}

static void test_tabs_keep_the_caret(void **state) {
    (void)state;
    gf_source source = make_source("\tx\ty = 1;");
    gf_diags *diags = gf_diags_create();
    gf_fail(diags, GF_CODE_INTERNAL, find(&source, "y"), "tabs");
    gf_fail(diags, GF_CODE_INTERNAL, find(&source, "x\ty"), "tab inside");
    expect_print(diags, "reach.gf:1:4: error[GF0002]: tabs\n"
                        "     1 |     x   y = 1;\n"
                        "       |         ^\n"
                        "reach.gf:1:2: error[GF0002]: tab inside\n"
                        "     1 |     x   y = 1;\n"
                        "       |     ^~~~~\n");
    gf_diags_destroy(diags);
}

static void test_unprintable_is_shown_safely(void **state) {
    (void)state;
    static const char text[] = "a\033[2J\xff\xc3\xa4\0\xe4\xb8\xad!";
    gf_source source = {.name = "e\nvil.gf", .text = text, .length = sizeof text - 1};
    gf_diags *diags = gf_diags_create();
    gf_fail(diags, GF_CODE_INTERNAL, (gf_span){&source, (uint32_t)sizeof text - 2, 1}, "bad \033[31m \xc3");
    expect_print(diags, "e\xef\xbf\xbdvil.gf:1:13: error[GF0002]: bad \xef\xbf\xbd[31m \xef\xbf\xbd\n"
                        "     1 | a\xef\xbf\xbd[2J\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd\xe4\xb8\xad!\n"
                        "       |           ^\n");
    gf_diags_destroy(diags);
}

/* Longest line of the text. */
static size_t find_width(const char *text) {
    size_t width = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        width = length > width ? length : width;
        text += length + (text[length] == '\n' ? 1 : 0);
    }
    return width;
}

static void test_long_lines_are_cut(void **state) {
    (void)state;
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    static const uint32_t places[] = {0, 50, 115, 130, 2000, 5000, 50000, LENGTH - 10, LENGTH - 3};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        for (size_t b = 0; b < LENGTH; b++) {
            text[b] = (char)('a' + b % 26);
        }
        memcpy(text + places[i], "XYZ", 3);
        text[LENGTH] = '\0';
        gf_source source = make_source(text);
        gf_diags *diags = gf_diags_create();
        gf_fail(diags, GF_CODE_INTERNAL, find(&source, "XYZ"), "long");
        gf_diag diag;
        assert_true(gf_diags_get(diags, 0, &diag));
        assert_int_equal(diag.column, places[i] + 1);
        assert_true(strlen(diag.source) <= 4096);
        assert_memory_equal(diag.source + (diag.column - 1 - diag.source_skipped), "XYZ", 3);

        char *printed = print_diags(diags);
        assert_true(find_width(printed) <= 140);
        const char *line = strchr(printed, '\n') + 1;
        const char *carets = strchr(line, '\n') + 1;
        const char *found = strstr(line, "XYZ");
        assert_non_null(found);
        assert_int_equal(found - line, strcspn(carets, "^"));
        assert_non_null(strstr(carets, "^~~\n"));
        free(printed);
        gf_diags_destroy(diags);
    }
    free(text);
}

static void test_long_span_and_message(void **state) {
    (void)state;
    enum { LENGTH = 10000 };
    char text[LENGTH + 1];
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    gf_source source = make_source(text);
    gf_diags *diags = gf_diags_create();
    gf_fail(diags, GF_CODE_INTERNAL, (gf_span){&source, 3, LENGTH - 3}, "name '%s'", text);
    gf_diag diag;
    assert_true(gf_diags_get(diags, 0, &diag));
    assert_true(strlen(diag.message) < 5000);
    char *printed = print_diags(diags);
    assert_true(find_width(strchr(printed, '\n') + 1) <= 140);
    free(printed);
    gf_diags_destroy(diags);
}

static void test_many_messages(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    for (int i = 0; i < 100; i++) {
        gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "error %d", i);
        gf_note(diags, GF_NO_SPAN, "note %d", i);
        gf_warn(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "warning %d", i);
    }
    assert_int_equal(gf_diags_count(diags), 128);
    assert_int_equal(gf_diags_error_count(diags), 100);
    gf_diag diag;
    assert_true(gf_diags_get(diags, 126, &diag));
    assert_string_equal(diag.message, "error 63");
    /* The note of a message that was not kept must not end up at another. */
    assert_int_equal(diag.note_count, 1);
    assert_true(gf_diags_get_note(diags, 126, 0, &diag));
    assert_string_equal(diag.message, "note 63");
    assert_false(gf_diags_get(diags, 128, &diag));
    char *printed = print_diags(diags);
    assert_non_null(strstr(printed, "\nand 36 more errors\nand 36 more warnings\n"));
    free(printed);
    gf_diags_destroy(diags);
}

static void test_no_sink(void **state) {
    (void)state;
    gf_diag diag;
    assert_false(gf_fail(NULL, GF_CODE_INTERNAL, GF_NO_SPAN, "lost"));
    assert_false(gf_fail_at_line(NULL, GF_CODE_INTERNAL, "f", 1, 1, "x", "lost"));
    assert_false(gf_fail_memory(NULL));
    gf_warn(NULL, GF_CODE_INTERNAL, GF_NO_SPAN, "lost");
    gf_note(NULL, GF_NO_SPAN, "lost");
    gf_fix(NULL, "lost");
    gf_diags_print(NULL, stderr);
    assert_int_equal(gf_diags_count(NULL), 0);
    assert_int_equal(gf_diags_error_count(NULL), 0);
    assert_false(gf_diags_get(NULL, 0, &diag));
    assert_false(gf_diags_get_note(NULL, 0, 0, &diag));
    gf_diags_clear(NULL);
    gf_diags_destroy(NULL);
}

static void test_out_of_memory(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "first");
    gf_memory_fail_at(1, true);
    assert_false(gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "second"));
    gf_note(diags, GF_NO_SPAN, "lost");
    gf_fix(diags, "lost");
    gf_warn(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "lost");
    assert_false(gf_fail_memory(diags));
    gf_memory_fail_at(0, false);
    assert_int_equal(gf_diags_count(diags), 2);
    assert_int_equal(gf_diags_error_count(diags), 3);
    gf_diag diag;
    assert_true(gf_diags_get(diags, 1, &diag));
    assert_string_equal(diag.code, "GF0001");
    assert_string_equal(diag.name, "no-memory");
    assert_true(diag.fix[0] != '\0');
    gf_diags_clear(diags);
    gf_fail_memory(diags);
    gf_fix(diags, "another fix");
    expect_print(diags, "error[GF0001]: out of memory\nfix: another fix\n");
    gf_diags_destroy(diags);
    gf_memory_fail_at(1, false);
    assert_null(gf_diags_create());
    gf_memory_fail_at(0, false);
}

static void test_messages_of_data_files(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_fail_at_line(diags, GF_CODE_INTERNAL, "a.mtx", 7, 3, "1 x 2\n3 4", "not a number");
    gf_fail_at_line(diags, GF_CODE_INTERNAL, "a.npy", 0, 0, NULL, "too short");
    expect_print(diags, "a.mtx:7:3: error[GF0002]: not a number\n"
                        "     7 | 1 x 2\n"
                        "       |   ^\n"
                        "a.npy: error[GF0002]: too short\n");
    gf_diags_destroy(diags);
}

static void test_json(void **state) {
    (void)state;
    gf_source source = make_source("let \"x\";");
    gf_diags *diags = gf_diags_create();
    gf_fail(diags, GF_CODE_INTERNAL, find(&source, "\"x\""), "a \"quoted\" thing");
    gf_note(diags, GF_NO_SPAN, "why");
    gf_fix(diags, "drop\tit");
    gf_str out = {0};
    gf_diags_json(diags, &out);
    assert_string_equal(
        out.text,
        "[{\"severity\": \"error\", \"code\": \"GF0002\", \"name\": \"internal\", \"file\": \"reach.gf\", \"line\": 1, "
        "\"column\": 5, \"length\": 3, \"message\": \"a \\\"quoted\\\" thing\", \"source\": \"let \\\"x\\\";\", "
        "\"fix\": \"drop\\tit\", \"notes\": [{\"file\": \"\", \"line\": 0, \"column\": 0, \"length\": 0, "
        "\"message\": \"why\", \"source\": \"\"}]}]");
    gf_str_free(&out);
    gf_diags_json(NULL, &out);
    assert_string_equal(out.text, "[]");
    gf_str_free(&out);
    gf_diags_destroy(diags);
}

static void test_colours(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "m");
    char *text = print_diags_coloured(diags, 1);
    assert_non_null(strstr(text, "\033["));
    free(text);
    gf_diags_destroy(diags);
}

/* Numbers are stable names: no two codes may share one, nor their slug. */
static void test_codes_are_unique(void **state) {
    (void)state;
    static const struct {
        unsigned number;
        const char *slug, *meaning;
    } rows[] = {
#define CODE(name, number, slug, meaning) {number, slug, meaning},
#include "base/diags.def"
#undef CODE
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_in_range(rows[i].number, 1, 9999);
        assert_true(strlen(rows[i].meaning) > 10);
        for (size_t j = 0; j < i; j++) {
            if (rows[i].number == rows[j].number || strcmp(rows[i].slug, rows[j].slug) == 0) {
                fail_msg("GF%04u %s is also GF%04u %s", rows[i].number, rows[i].slug, rows[j].number, rows[j].slug);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_message),
        cmocka_unit_test(test_places_at_the_edges),
        cmocka_unit_test(test_marked_lines),
        cmocka_unit_test(test_tabs_keep_the_caret),
        cmocka_unit_test(test_unprintable_is_shown_safely),
        cmocka_unit_test(test_long_lines_are_cut),
        cmocka_unit_test(test_long_span_and_message),
        cmocka_unit_test(test_many_messages),
        cmocka_unit_test(test_no_sink),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_messages_of_data_files),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_codes_are_unique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
