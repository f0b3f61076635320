/* Depth, size, and memory that is not there. */
#include "base/memory.h"
#include "base/str.h"
#include "text.h"

/* The only error of the text is of this code. */
static void check_refused(char *text, const char *code) {
    gf_diags *diags = gf_diags_create();
    gf_diag diag;
    assert_null(parse_text(text, strlen(text), diags));
    assert_int_equal(gf_diags_error_count(diags), 1);
    assert_true(gf_diags_get(diags, 0, &diag));
    assert_string_equal(diag.code, code);
    gf_diags_destroy(diags);
    free(text);
}

/* Accepted, and what is printed too. */
static void check_accepted(char *text) {
    gf_program *program = parse_right(text);
    char *printed = gf_program_text(program, NULL);
    assert_non_null(printed);
    gf_program *again = parse_right(printed);
    assert_true(gf_equal_tree(program->parsed, again->parsed));
    gf_program_destroy(again);
    gf_free(printed);
    gf_program_destroy(program);
    free(text);
}

static char *nest(const char *before, const char *open, const char *inner, const char *close, size_t count,
                  const char *after) {
    gf_str text = {0};
    gf_str_add(&text, before);
    for (size_t i = 0; i < count; i++) {
        gf_str_add(&text, open);
    }
    gf_str_add(&text, inner);
    for (size_t i = 0; i < count; i++) {
        gf_str_add(&text, close);
    }
    gf_str_add(&text, after);
    assert_false(text.failed);
    char *copy = strdup(text.text);
    gf_str_free(&text);
    return copy;
}

#define HEAD "program p;\nkernel {\n"

static void test_depth_of_expressions(void **state) {
    (void)state;
    static const struct {
        const char *open, *close;
        size_t most;
    } rows[] = {{"(", ")", 200},
                {"-", "", 199},
                {"!", "", 199},
                {"- ", "", 199},
                {"~(", ")", 199},
                {"a[", "]", 199},
                {"f(", ")", 199},
                {"u32(", ")", 199},
                {"min(1, ", ")", 199},
                {"bitcast<u32>(", ")", 199},
                {"1 + (", ")", 199},
                {"a && (", ")", 199},
                {"atomic_load(a[", "])", 99},
                {"grid_any(", ")", 199}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_accepted(nest(HEAD "let v = ", rows[i].open, "x", rows[i].close, rows[i].most, ";\n}\n"));
        check_refused(nest(HEAD "let v = ", rows[i].open, "x", rows[i].close, 201, ";\n}\n"), "GF0106");
    }
    /* A chain is as high as it is long. */
    check_accepted(nest(HEAD "let v = ", "x + ", "x", "", 199, ";\n}\n"));
    check_refused(nest(HEAD "let v = ", "x + ", "x", "", 200, ";\n}\n"), "GF0106");
}

static void test_depth_of_blocks(void **state) {
    (void)state;
    static const char *const opens[] = {"{",
                                        "if a {",
                                        "loop {",
                                        "while a {",
                                        "region \"r\" {",
                                        "for i in 0 .. 1 {",
                                        "forall i in 0 .. 1 {",
                                        "grid if a {",
                                        "if a {} else {"};
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        check_accepted(nest(HEAD, opens[i], "", "}", 199, "\n}\n"));
        check_refused(nest(HEAD, opens[i], "", "}", 200, "\n}\n"), "GF0106");
    }
    check_accepted(nest(HEAD "if a {}", " else if a {}", "", "", 190, "\n}\n"));
    check_refused(nest(HEAD "if a {}", " else if a {}", "", "", 10000, "\n}\n"), "GF0106");
}

/* Much of what makes parsers fall over: at most 20 errors, and an end. The first twelve get a megabyte. */
static void test_megabytes(void **state) {
    (void)state;
    static const char *const pieces[] = {"(",        "{",          "[",         "!",        "- ",
                                         "1+",       "a[",         "f(",        "if a {",   "else if a {",
                                         "}",        ";",          ")",         "\"",       "\"\\",
                                         "'",        "/*",         "//\n",      "\n",       "\xff",
                                         "\xc3",     "?",          "if ",       "for (",    "fn f() {",
                                         "a b ",     "a ",         "9",         "0x",       "1.",
                                         "==",       "= ",         ".",         "..",       "let ",
                                         "u32 ",     "in ",        "on (",      "kernel ",  "program p;",
                                         "else ",    "grid ",      "do {",      "switch (", "a = if ",
                                         "bitcast<", "var u32 a[", "region \"", "reduce(",  "forall i in ",
                                         "gid.",     "x.",         "a,",        "++",       "i++;"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        for (unsigned inside = 0; inside < 3; inside++) {
            static const char *const before[] = {"", HEAD, HEAD "let v = "};
            size_t count = ((size_t)1 << (i < 12 ? 20 : 15)) / strlen(pieces[i]);
            char *text = repeat_text(before[inside], pieces[i], count, "");
            gf_diags *diags = gf_diags_create();
            assert_null(parse_text(text, strlen(text), diags));
            assert_in_range(gf_diags_error_count(diags), 1, 20);
            gf_diags_destroy(diags);
            free(text);
        }
    }
}

static void test_zeros(void **state) {
    (void)state;
    size_t length = (size_t)1 << 20;
    char *text = calloc(1, length);
    assert_non_null(text);
    gf_diags *diags = gf_diags_create();
    assert_null(parse_text(text, length, diags));
    assert_in_range(gf_diags_error_count(diags), 1, 2);
    gf_diags_destroy(diags);
    free(text);
}

/* Every prefix of a program is refused or accepted, without a read past its end. */
static void test_prefixes(void **state) {
    (void)state;
    static const char text[] = "program p; const u32 A = 0x1f; in u32 a[]; out f32 b[A] returns(0 .. 1);\n"
                               "fn u32 f(u32 x) { return x; } // c\n"
                               "kernel (A) workgroup(8) fixpoint(2) on (b) { let v = gid.x; if v < 3 && !true {\n"
                               "atomic_add(a[v], 1); } else { b[v] += 1.5e-3; } region \"r\\n\" {} wait(t); }";
    for (size_t length = 0; length < sizeof text; length++) {
        /* A copy of exactly that size, for the sanitizer. */
        char *copy = malloc(length > 0 ? length : 1);
        assert_non_null(copy);
        memcpy(copy, text, length);
        gf_diags *diags = gf_diags_create();
        gf_program *program = parse_text(copy, length, diags);
        assert_true((program != NULL) == (length == sizeof text - 1));
        gf_program_destroy(program);
        gf_diags_destroy(diags);
        free(copy);
    }
}

/* Each allocation in turn fails, alone or with all after it: an error, no leak, no crash. */
static void fail_in_turn(const char *text, bool right, bool all_after) {
    for (uint64_t n = 1;; n++) {
        gf_diags *diags = gf_diags_create();
        assert_non_null(diags);
        (void)gf_memory_fail_at(n, all_after);
        gf_program *program = gf_program_parse_only(text, strlen(text), "test.gf", diags);
        uint64_t asked = gf_memory_fail_at(0, false);
        size_t errors = gf_diags_error_count(diags);
        bool failed = asked >= n;
        assert_int_equal(program == NULL, errors > 0);
        /* What a right program loses for want of memory it loses by that message; a wrong one is wrong anyway. */
        if (right && failed) {
            gf_diag diag;
            assert_null(program);
            assert_true(gf_diags_get(diags, 0, &diag));
            assert_string_equal(diag.code, "GF0001");
        }
        gf_program_destroy(program);
        gf_diags_destroy(diags);
        if (!failed) {
            assert_true(right == (program != NULL));
            assert_true(n > 2);
            return;
        }
    }
}

static void test_failing_allocations(void **state) {
    (void)state;
    static const char right[] = "// c\nprogram p; in u32 a[]; shared u32 s[8];\nfn u32 f(u32 x) { return x; } // d\n"
                                "kernel (8) { let v = gid.x; region \"r\" { s[v] = a[v] + f(3); } // e\n"
                                "if v < 3 { var f32 z = 1.0; } else if v > 3 { barrier; } }\n";
    static const char wrong[] = "program p; in int a[]; kernel { i++; a = 5u; if a = 3 { } ";
    fail_in_turn(right, true, false);
    fail_in_turn(right, true, true);
    fail_in_turn(wrong, false, false);
    fail_in_turn(wrong, false, true);
    /* Long enough for several chunks. */
    char *text = repeat_text("program p;\nkernel {\n", "x[a + 1] = y * 2; // c\n", 60, "}\n");
    fail_in_turn(text, true, false);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depth_of_expressions),
        cmocka_unit_test(test_depth_of_blocks),
        cmocka_unit_test(test_megabytes),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
