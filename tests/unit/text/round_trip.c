/* Print then parse is the identity, and no comment is lost: over all programs at hand and over small texts. */
#include "base/str.h"
#include "text.h"
#include <dirent.h>

static size_t count_comments(const char *text) {
    size_t count = 0;
    bool in_string = false;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' && !(in_string && c > text && c[-1] == '\\')) {
            in_string = !in_string;
        }
        if (!in_string && c[0] == '/' && c[1] == '/') {
            count++;
            while (*c != '\0' && *c != '\n') {
                c++;
            }
            if (*c == '\0') {
                break;
            }
        }
    }
    return count;
}

/* The printed text, after all that must hold of it; the caller frees it. */
static char *check_text(const char *text) {
    gf_program *program = parse_right(text);
    char *printed = gf_program_text(program, NULL);
    assert_non_null(printed);
    assert_int_equal(count_comments(printed), count_comments(text));
    gf_program *again = parse_right(printed);
    assert_true(gf_equal_tree(program->parsed, again->parsed));
    char *second = gf_program_text(again, NULL);
    assert_string_equal(second, printed);
    gf_free(second);
    gf_program_destroy(again);
    gf_program_destroy(program);
    return printed;
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    char *text = calloc(1, (size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    (void)fclose(file);
    return text;
}

static unsigned check_folder(const char *path) {
    DIR *folder = opendir(path);
    assert_non_null(folder);
    unsigned count = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".gf") != 0) {
            continue;
        }
        char inner[4096];
        (void)snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        char *text = read_file(inner);
        gf_free(check_text(text));
        free(text);
        count++;
    }
    (void)closedir(folder);
    return count;
}

static void test_programs(void **state) {
    (void)state;
    assert_true(check_folder(GF_SOURCE_DIR "/tests/golden/text") >= 16);
}

static void check_printed(const char *text, const char *wanted) {
    char *printed = check_text(text);
    assert_string_equal(printed, wanted);
    gf_free(printed);
}

static void test_comments_of_statements(void **state) {
    (void)state;
    check_printed(
        "// top\n\n// second\nprogram p; // name\nkernel { // brace\n\n  // before\n  a = 1; // behind\n\n\n  // x\n\n"
        "  b = 2;\n  // last\n} // close\n// end",
        "// top\n\n// second\nprogram p; // name\n\nkernel { // brace\n    // before\n    a = 1; // behind\n\n"
        "    // x\n\n    b = 2;\n    // last\n    // close\n}\n\n// end\n");
}

static void test_comments_inside_move_above(void **state) {
    (void)state;
    check_printed("program p; kernel {\n  a = 1 + // one\n    2 + // two\n    3; // three\n}\n",
                  "program p;\n\nkernel {\n    // one\n    // two\n    a = 1 + 2 + 3; // three\n}\n");
    check_printed("program p; kernel {\n  if a // one\n    && b // two\n  { c = 1; }\n}\n",
                  "program p;\n\nkernel {\n    // one\n    // two\n    if a && b {\n        c = 1;\n    }\n}\n");
    check_printed(
        "program p; kernel {\n  if a { c = 1; }\n  // one\n  else // two\n  if b // three\n  { c = 2; }\n}\n",
        "program p;\n\nkernel {\n    // one\n    // two\n    // three\n    if a {\n        c = 1;\n    } else if b "
        "{\n        c = 2;\n    }\n}\n");
    check_printed("program // a\np // b\n; // c\nkernel // d\n(n // e\n) {}",
                  "// a\n// b\nprogram p; // c\n\n// d\n// e\nkernel (n) {}\n");
}

static void test_comments_of_blocks(void **state) {
    (void)state;
    check_printed(
        "program p; kernel {\n  if a { b = 1; } // whole\n  if a {\n    b = 1;\n  } // closed\n}\n",
        "program p;\n\nkernel {\n    if a { // whole\n        b = 1;\n    }\n    if a {\n        b = 1;\n        // "
        "closed\n    }\n}\n");
    check_printed(
        "program p; kernel {\n  if a { // one\n  } else if b { // two\n  } else { // three\n    // four\n  }\n}\n",
        "program p;\n\nkernel {\n    if a { // one\n    } else if b { // two\n    } else {\n        // three\n"
        "        // four\n    }\n}\n");
    check_printed("program p; kernel {\n  loop {\n    // only\n  }\n  {} // empty\n}\n",
                  "program p;\n\nkernel {\n    loop {\n        // only\n    }\n    { // empty\n    }\n}\n");
}

/* A comment at every place between two tokens: none is lost, and the program stays the same. */
static void test_comment_at_every_place(void **state) {
    (void)state;
    static const char *const tokens[] = {
        "program",   "p",     ";", "in", "u32", "a",      "[",     "n",    "]",   ";",      "fn", "u32",    "f",
        "(",         "u32",   "x", ")",  "{",   "return", "x",     ";",    "}",   "kernel", "(",  "n",      ")",
        "workgroup", "(",     "8", ")",  "{",   "for",    "i",     "in",   "0",   "..",     "n",  "step",   "2",
        "{",         "if",    "a", "[",  "i",   "]",      "==",    "1",    "{",   "b",      "[",  "i",      "]",
        "+=",        "f",     "(", "3",  ")",   ";",      "}",     "else", "if",  "c",      "{",  "}",      "else",
        "{",         "break", ";", "}",  "}",   "forall", "e",     "in",   "0",   "..",     "n",  "reduce", "(",
        "add",       "s",     ")", "{",  "}",   "region", "\"r\"", "{",    "let", "q",      "=",  "select", "(",
        "a",         ",",     "b", ",",  "-",   "c",      ")",     ";",    "}",   "return", ";",  "}"};
    size_t count = sizeof tokens / sizeof *tokens;
    gf_program *plain = NULL;
    /* One place more than there are: that text has no comment. */
    for (size_t place = count + 2; place-- > 0;) {
        for (unsigned own_line = 0; own_line < 2; own_line++) {
            gf_str text = {0};
            for (size_t i = 0; i < count; i++) {
                gf_str_add(&text, i == place ? (own_line ? "\n// here\n" : "// here\n") : "");
                gf_str_addf(&text, "%s ", tokens[i]);
            }
            gf_str_add(&text, place == count ? "// here" : "");
            gf_program *program = parse_right(text.text);
            plain = plain == NULL ? gf_program_hold(program) : plain;
            assert_true(gf_equal_tree(plain->parsed, program->parsed));
            gf_free(check_text(text.text));
            gf_program_destroy(program);
            gf_str_free(&text);
        }
    }
    gf_program_destroy(plain);
}

static void test_parentheses(void **state) {
    (void)state;
    check_printed(
        "program p; kernel { let a = ((1) + (2 * 3)) * (4); let b = (a - (b - c)) - d; let c = -(-(x)); let e = "
        "(a && b) || c && (d || e); let f = (a == b) == c; let g = a == (b == c); let h = ~(a + b); }",
        "program p;\n\nkernel {\n    let a = (1 + 2 * 3) * 4;\n    let b = a - (b - c) - d;\n    let c = -(-x);\n"
        "    let e = a && b || c && (d || e);\n    let f = a == b == c;\n    let g = a == (b == c);\n"
        "    let h = ~(a + b);\n}\n");
}

static void test_spellings_are_kept(void **state) {
    (void)state;
    check_printed("program p; kernel { let a = 0xFF_00 + 0b1 + 1_000; let b = 1.50e+3 - inf; }",
                  "program p;\n\nkernel {\n    let a = 0xFF_00 + 0b1 + 1_000;\n    let b = 1.50e+3 - inf;\n}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_comments_of_statements),
        cmocka_unit_test(test_comments_inside_move_above),
        cmocka_unit_test(test_comments_of_blocks),
        cmocka_unit_test(test_comment_at_every_place),
        cmocka_unit_test(test_parentheses),
        cmocka_unit_test(test_spellings_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
