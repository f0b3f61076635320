/* Messages: which, where, with which fix, and how many. */
#include "text.h"

typedef struct expected_error {
    const char *body; /* statements of a kernel */
    const char *code;
    const char *at;      /* what the span begins with; NULL: not looked at */
    const char *message; /* a part of it */
    const char *fix;     /* a part of it, or NULL */
} expected_error;

static bool matches(const gf_diags *diags, const expected_error *row) {
    gf_diag diag;
    return gf_diags_error_count(diags) == 1 && gf_diags_get(diags, 0, &diag) && strcmp(diag.code, row->code) == 0 &&
           strstr(diag.message, row->message) != NULL && (row->fix == NULL || strstr(diag.fix, row->fix) != NULL) &&
           (row->at == NULL || strncmp(diag.source + diag.column - 1, row->at, strlen(row->at)) == 0);
}

/* Whether the text has this one error; says which it has where not, so that a run shows all rows that fail. */
static bool check_row(const char *text, const expected_error *row) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse_text(text, strlen(text), diags);
    bool right = program == NULL && matches(diags, row);
    if (!right) {
        fprintf(stderr, "wrong for: %s\n", row->body);
        gf_diags_print(diags, stderr);
    }
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return right;
}

/* Each is one error and no more, whatever follows. */
static void test_statements(void **state) {
    (void)state;
    static const expected_error rows[] = {
        {"let a = 1", "GF0101", "", "expected `;` after this statement, found `let`", "write `;`"},
        {"a = 1 b = 2;", "GF0101", NULL, "expected `;` after this statement, found `b`", "write `;`"},
        {"if a = 3 { b = 1; }", "GF0117", "= 3", "comparing is `==`", "`==`"},
        {"if (a = 3) { b = 1; }", "GF0117", "= 3", "comparing is `==`", "`==`"},
        {"while a = 3 { b = 1; }", "GF0117", "= 3", "comparing is `==`", "`==`"},
        {"f(a = 3);", "GF0117", "= 3", "inside an expression", "`==`"},
        {"a = b = 3;", "GF0117", "= 3", "only once", NULL},
        {"i++;", "GF0118", "++", "there is no `++`", "`i += 1;`"},
        {"--i;", "GF0118", "--", "there is no `--`", "`i -= 1;`"},
        {"a[0]--;", "GF0118", "--", "there is no `--`", "-= 1"},
        {"a = i++;", "GF0118", "++", "there is no `++`", "+= 1"},
        {"a = +i;", "GF0118", "+i", "there is no `+` before a value", NULL},
        {"for (int i = 0; i < n; i++) { a = 1; }", "GF0118", "(int", "there is no `for (...)`", "for i in 0 .. n"},
        {"for i in 0 ..= n { }", "GF0118", "=", "a range does not hold its end", "b + 1"},
        {"for i in 0 ... n { }", "GF0118", ".", "a range does not hold its end", "b + 1"},
        {"for i = 0 .. n { }", "GF0101", "= 0", "expected `in`", NULL},
        {"for u32 i in 0 .. n { }", "GF0101", "u32", "takes its type from the range", "leave out `u32`"},
        {"for i in n { }", "GF0101", "{", "expected `..`", NULL},
        {"forall i in 0 .. n step 2 { }", "GF0101", "step", "`forall` has no `step`", NULL},
        {"forall i in 0 .. n reduce(mul x) { }", "GF0101", "mul", "expected one of `add`", NULL},
        {"forall i in 0 .. n reduce(add) { }", "GF0101", ")", "expected the name of a variable", NULL},
        {"int x = 3;", "GF0101", "int", "declared with `var` or `let`", "var i32 x"},
        {"float x;", "GF0101", "float", "declared with `var` or `let`", "var f32 x"},
        {"u32 x = 3;", "GF0101", "u32", "declared with `var` or `let`", "var u32 x"},
        {"auto x = 3;", "GF0118", "auto", "there is no `auto`", "let"},
        {"var int x = 3;", "GF0118", "int", "there is no type `int`", "i32"},
        {"var float x = 3.0;", "GF0118", "float", "there is no type `float`", "f32"},
        {"var x = 3;", "GF0101", "x", "`var` names its type", "let x"},
        {"var u32 x[3] = 1;", "GF0101", "= 1", "starts as zeros", NULL},
        {"let u32 x = 3;", "GF0101", "u32", "takes its type from the value", "var u32"},
        {"let mut x = 3;", "GF0118", "mut", "what changes is a `var`", NULL},
        {"let x;", "GF0101", ";", "expected `=`", NULL},
        {"let x: u32 = 3;", "GF0102", ":", "`:` is not part", "before the name"},
        {"x &&= y;", "GF0118", "&&=", "there is no `&&=`", "a = a && b"},
        {"x ||= y;", "GF0118", "||=", "there is no `||=`", "a = a || b"},
        {"if a { } elif b { }", "GF0118", "elif", "there is no `elif`", "else if"},
        {"else { }", "GF0101", "else", "`else` without an `if`", NULL},
        {"if a b = 3;", "GF0101", "b", "expected `{`", NULL},
        {"if a { } else b = 3;", "GF0101", "b", "expected `{` and the block of `else`", NULL},
        {"if a then { }", "GF0101", "then", "expected `{`", "leave out `then`"},
        {"if a and b { }", "GF0101", "and", "expected `{`", "`&&`"},
        {"__syncthreads();", "GF0118", "__sync", "there is no `__syncthreads`", "`barrier;`"},
        {"barrier();", "GF0118", "(", "takes no parentheses", "`barrier;`"},
        {"gridBarrier();", "GF0118", "gridB", "there is no `gridBarrier`", "`grid_barrier;`"},
        {"grid barrier;", "GF0101", "barrier", "there is no `grid barrier`", "`grid_barrier;`"},
        {"atomicAdd(a[0], 1);", "GF0118", "atomicAdd", "there is no", "atomic_add"},
        {"a = threadIdx.x;", "GF0118", "threadIdx", "there is no", "lid.x"},
        {"a = (int)b;", "GF0118", "int", "a cast is written like a call", "i32(x)"},
        {"a = float(b);", "GF0118", "float", "there is no `float`", "f32(...)"},
        {"a = b ? 1 : 2;", "GF0102", "?", "`?` is not part", "select"},
        {"a = if b { 1 } else { 2 };", "GF0118", "if", "gives no value", "select"},
        {"do { a = 1; } while b;", "GF0118", "do", "there is no `do`", "loop"},
        {"switch (a) { }", "GF0118", "switch", "there is no `switch`", "else if"},
        {"whlie a { b = 1; }", "GF0101", "whlie", "begins no statement", "did you mean `while`?"},
        {"retrun;", "GF0101", "retrun", "begins no statement", "did you mean `return`?"},
        {"grid_barier;", "GF0101", "grid_barier", "begins no statement", "did you mean `grid_barrier`?"},
        {"x y;", "GF0101", "y", "expected `=`, `[` or `(` after `x`", NULL},
        {"a < b;", "GF0109", "a < b", "an expression alone", "let"},
        {"5;", "GF0109", "5", "an expression alone", NULL},
        {"x;", "GF0101", ";", "expected `=`", NULL},
        {"grid_any(x);", "GF0109", "grid_any", "an expression alone", "let"},
        {"gid.x = 3;", "GF0101", "gid.x", "cannot be assigned", NULL},
        {"(x) = 3;", "GF0101", "x", "cannot be assigned", NULL},
        {";", "GF0101", ";", "without anything in it", NULL},
        {"if a < b < c { }", "GF0111", "< c", "do not chain", "a < b && b < c"},
        {"if (a < b) < c { }", "GF0111", "< c", "do not chain", NULL},
        {"a[0][1] = 3;", "GF0101", "[1]", "one dimension", NULL},
        {"a = gid;", "GF0101", "gid", "wants an axis", "gid.x"},
        {"a = gid.w;", "GF0101", "w", "no part `w`", NULL},
        {"a = space.linear;", "GF0101", "linear", "no part `linear`", NULL},
        {"a = rank.x;", "GF0101", "x", "no parts", NULL},
        {"a = b.x;", "GF0101", "b.x", "has no parts", NULL},
        {"a = min(1);", "GF0112", "min", "`min` takes 2 arguments, not 1", NULL},
        {"a = u32(1, 2);", "GF0112", "u32", "`u32` takes 1 argument, not 2", NULL},
        {"atomic_add(a, 1);", "GF0112", "a, 1", "works on an element", "a[i]"},
        {"a = grid_load(b);", "GF0112", "b", "works on an element", "b[i]"},
        {"a = len(3);", "GF0101", "3", "the name of a buffer", NULL},
        {"let gid = 3;", "GF0108", "gid", "is a word of the language", NULL},
        {"let min = 3;", "GF0108", "min", "is a word of the language", NULL},
        {"for rank in 0 .. 1 { }", "GF0108", "rank", "is a word of the language", NULL},
        {"const u32 a = 3;", "GF0116", "const", "outside of blocks", "let"},
        {"    scratch u32 a[3];", "GF0116", "scratch", "outside of blocks", NULL},
        {"a = (1 + 2;", "GF0101", ";", "expected `)`", NULL},
        {"a = b[1;", "GF0101", ";", "expected `]`", NULL},
        {"a = ;", "GF0101", ";", "expected an expression", NULL},
        {"a = 1 + ;", "GF0101", ";", "expected an expression", NULL},
        {"a = 5u;", "GF0103", "5u", "no suffix", "u32(5)"},
        {"a = 1.0f;", "GF0103", "1.0f", "no suffix", "f32(1.0)"},
        {"a = 0x1fUL;", "GF0103", "0x1f", "no suffix", "u64(0x1f)"},
        {"a = 1.;", "GF0103", "1.", "a digit behind it", "1.0"},
        {"a = .5;", "GF0103", ".5", "begins with a digit", "0.5"},
        {"a = 010;", "GF0103", "010", "does not begin with 0", NULL},
        {"a = 18446744073709551616;", "GF0103", "1844", "64 bits", NULL},
        {"a = 0x10000000000000000;", "GF0103", "0x1", "64 bits", NULL},
        {"a = 0x;", "GF0103", "0x", "wants digits", NULL},
        {"a = 0b12;", "GF0103", "2", "no digit of a binary", NULL},
        {"a = 1_;", "GF0103", "1_", "ends in a digit", NULL},
        {"a = 1_0.5;", "GF0103", "1_0", "whole numbers only", "10.5"},
        {"a = 5abc;", "GF0103", "abc", "letters directly behind", NULL},
        {"assert(a);", "GF0101", ")", "expected `,` and a text", NULL},
        {"assert(a, b);", "GF0101", "b", "a text in `\"`", NULL},
        {"region foo { a = 1; }", "GF0101", "foo", "the label of the region", NULL},
        {"assert(a, \"b);", "GF0104", "\"b", "not closed", NULL},
        {"assert(a, \"\\q\");", "GF0104", "\\q", "escape", NULL},
        {"assert(a, \"\xff\");", "GF0104", NULL, "0xff", NULL},
        {"assert(a, \"\x01\");", "GF0104", NULL, "control character 0x01", NULL},
        {"/* a */ a = 1;", "GF0110", "/*", "no `/* */`", "//"},
        {"a = b\xc3\x97"
         "c;",
         "GF0102", NULL, "U+00D7", "`*`"},
        {"let gr\xc3\xb6\xc3\x9f"
         "e = 3;",
         "GF0102", "gr", "letters outside of ASCII", NULL},
        {"a = \xe2\x80\x9cx\xe2\x80\x9d;", "GF0102", NULL, "U+201C", NULL},
        {"a = \xff;", "GF0102", NULL, "0xff", "UTF-8"},
        {"a = 'c';", "GF0102", "'", "`'`", NULL},
        {"a = \x01;", "GF0102", NULL, "control character 0x01", NULL},
        {"copy_async(a, 0, b);", "GF0101", ")", "expected `,` and the index to copy from", NULL},
        {"all_reduce(a, mul);", "GF0101", "mul", "expected one of `add`", NULL},
        {"wait(if);", "GF0101", "if", "expected a tag", NULL},
        {"swap(a);", "GF0101", ")", "expected `,` and a second buffer", NULL},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        /* Between statements that are right, to see that nothing follows from the error. */
        size_t size = strlen(rows[i].body) + 128;
        char *text = malloc(size);
        assert_non_null(text);
        (void)snprintf(text, size,
                       "program p;\nkernel (1) {\n    let one = 1;\n    %s\n    let two = one;\n}\nparam u32 n;\n",
                       rows[i].body);
        failed += check_row(text, &rows[i]) ? 0 : 1;
        free(text);
    }
    assert_int_equal(failed, 0);
}

static void test_declarations(void **state) {
    (void)state;
    static const expected_error rows[] = {
        {"const u32 A = 1", "GF0101", "", "expected `;` after this declaration", NULL},
        {"const A = 1;", "GF0101", "A", "expected a type before `A`", "u32 A"},
        {"const u32 A;", "GF0101", ";", "the value of the constant", NULL},
        {"param float x;", "GF0118", "float", "there is no type `float`", "f32"},
        {"param vec3 x;", "GF0101", "vec3", "there is no type `vec3`", NULL},
        {"param u32 x[3];", "GF0101", "[3]", "a param is one value", "in u32 x"},
        {"in u32 x;", "GF0101", ";", "expected `[`", "x[n]"},
        {"in u32 x[3] = 1;", "GF0101", "= 1", "no value", NULL},
        {"in u32 x[3] returns(0 .. 1);", "GF0115", "returns", "belongs to `out`", NULL},
        {"scratch u32 x[];", "GF0101", "]", "no length to take", NULL},
        {"shared u32 x[];", "GF0101", "]", "no length to take", NULL},
        {"in u32 rank[3];", "GF0108", "rank", "is a word of the language", NULL},
        {"fn f(x: u32) -> u32 { return x; }", "GF0102", ":", "`:` is not part", NULL},
        {"fn f(u32 x) -> u32 { return x; }", "GF0118", "->", "before its name", "fn u32 f"},
        {"fn f(u32 x[3]) { }", "GF0101", "[3]", "single values", NULL},
        {"fn f(x) { }", "GF0101", "x", "expected a type", NULL},
        {"void f() { }", "GF0118", "void", "there is no `void`", "fn"},
        {"parm u32 x;", "GF0101", "parm", "begins no declaration", "did you mean `param`?"},
        {"u32 x = 3;", "GF0101", "u32", "begins with what it declares", "const u32"},
        {"let x = 3;", "GF0116", "let", "is a statement", NULL},
        {"}", "GF0105", "}", "closes nothing", NULL},
        {"kernel { }", "GF0113", "kernel", "one kernel", "grid_barrier"},
        {"program q;", "GF0114", "program", "one program", NULL},
        {"#include <a>", "GF0102", "#", "`#`", "const"},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "program p;\nkernel (1) {\n}\nparam u32 m;\n%s\nparam u32 n;\n",
                       rows[i].body);
        failed += check_row(text, &rows[i]) ? 0 : 1;
    }
    assert_int_equal(failed, 0);
}

static void test_whole_texts(void **state) {
    (void)state;
    static const expected_error rows[] = {
        {"", "GF0114", NULL, "no program", "program NAME;"},
        {"// nothing\n", "GF0114", NULL, "no program", NULL},
        {"kernel { }", "GF0114", "kernel", "begins with its name", "program NAME;"},
        {"progam p; kernel { }", "GF0114", "progam", "begins with its name", NULL},
        {"program p;", "GF0113", NULL, "no kernel", "kernel (n)"},
        {"program p; kernl (n) { let a = 1; }", "GF0101", "kernl", "begins no declaration", "kernel"},
        {"program gid; kernel { }", "GF0108", "gid", "is a word", NULL},
        {"program p; kernel workgroup(1) (n) { }", "GF0115", "(n)", "belongs before `workgroup`", NULL},
        {"program p; kernel (n) fixpoint(1) workgroup(1) { }", "GF0115", "workgroup", "belongs before", NULL},
        {"program p; kernel (n) workgroup(1) workgroup(1) { }", "GF0115", "workgroup(1) {", "twice", NULL},
        {"program p; kernel (n) on (a) { }", "GF0115", "on", "belongs to a `fixpoint`", NULL},
        {"program p; kernel (1, 2, 3, 4) { }", "GF0101", "(1", "1 to 3 axes", NULL},
        {"program p; kernel () { }", "GF0101", "()", "1 to 3 axes", NULL},
        {"program p; kernel main(n) { }", "GF0101", "main", "no name", NULL},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        failed += check_row(rows[i].body, &rows[i]) ? 0 : 1;
    }
    assert_int_equal(failed, 0);
}

static void test_unclosed_block_names_its_brace(void **state) {
    (void)state;
    static const char text[] = "program p;\nkernel (1) {\n    if a {\n        b = 1;\n    while c {\n    }\n}\n";
    gf_diags *diags = gf_diags_create();
    gf_diag note;
    assert_null(parse_text(text, strlen(text), diags));
    assert_int_equal(gf_diags_error_count(diags), 1);
    assert_true(gf_diags_get_note(diags, 0, 0, &note));
    assert_int_equal(note.line, 3);
    assert_int_equal(note.column, 10);
    gf_diags_destroy(diags);

    static const char before_fn[] = "program p;\nkernel (1) {\n    a = 1;\nfn f() {\n}\n";
    diags = gf_diags_create();
    assert_null(parse_text(before_fn, strlen(before_fn), diags));
    assert_int_equal(gf_diags_error_count(diags), 1);
    assert_true(gf_diags_get_note(diags, 0, 0, &note));
    assert_int_equal(note.line, 2);
    gf_diags_destroy(diags);
}

static void test_several_in_one_go(void **state) {
    (void)state;
    static const char text[] = "program p;\n"
                               "param int n;\n"  /* 2 */
                               "in u32 a[n]\n"   /* 3 */
                               "fn f(u32) { }\n" /* 4 */
                               "kernel (n) {\n"
                               "    i++;\n"        /* 6 */
                               "    if a = 1 {\n"  /* 7 */
                               "        x = 5u;\n" /* 8 */
                               "        y = ;\n"   /* 9 */
                               "    }\n"
                               "    for (;;) {\n"     /* 11 */
                               "        elif b { }\n" /* 12 */
                               "    }\n"
                               "    let z = (1;\n" /* 14 */
                               "}\n"
                               "out u32 b;\n"; /* 16 */
    static const uint32_t lines[] = {2, 3, 4, 6, 7, 8, 9, 11, 12, 14, 16};
    gf_diags *diags = gf_diags_create();
    assert_null(parse_text(text, strlen(text), diags));
    if (gf_diags_error_count(diags) != sizeof lines / sizeof *lines) {
        gf_diags_print(diags, stderr);
    }
    assert_int_equal(gf_diags_error_count(diags), sizeof lines / sizeof *lines);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        gf_diag diag;
        assert_true(gf_diags_get(diags, i, &diag));
        assert_int_equal(diag.line, lines[i]);
    }
    gf_diags_destroy(diags);
}

static void test_at_most_twenty(void **state) {
    (void)state;
    char *text = repeat_text("program p;\nkernel {\n", "a = ;\n", 100, "}\n");
    gf_diags *diags = gf_diags_create();
    assert_null(parse_text(text, strlen(text), diags));
    assert_int_equal(gf_diags_error_count(diags), 20);
    gf_diag note;
    assert_true(gf_diags_get_note(diags, 19, 0, &note));
    gf_diags_destroy(diags);
    free(text);
}

static void test_zero_bytes(void **state) {
    (void)state;
    static const char rows[][32] = {"program p;\0 kernel {}", "program p; // a\0b\nkernel {}",
                                    "pro\0gram p; kernel {}"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        gf_diags *diags = gf_diags_create();
        gf_diag diag;
        assert_null(parse_text(rows[i], 22, diags));
        bool said = false;
        for (size_t k = 0; gf_diags_get(diags, k, &diag); k++) {
            said = said || strstr(diag.message, "zero byte") != NULL;
        }
        assert_true(said);
        gf_diags_destroy(diags);
    }
}

static void test_arguments_of_parse_only(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    assert_null(gf_program_parse_only(NULL, 3, "x", diags));
    assert_int_equal(gf_diags_error_count(diags), 1);
    assert_null(gf_program_parse_only(NULL, 0, NULL, diags));
    assert_null(gf_program_parse_only("program p;", (size_t)65 << 20, "x", diags));
    gf_diag diag;
    assert_true(gf_diags_get(diags, 2, &diag));
    assert_string_equal(diag.code, "GF0107");
    assert_null(gf_program_parse_only("x", 1, NULL, NULL));
    gf_diags_destroy(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements),        cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_whole_texts),       cmocka_unit_test(test_unclosed_block_names_its_brace),
        cmocka_unit_test(test_several_in_one_go), cmocka_unit_test(test_at_most_twenty),
        cmocka_unit_test(test_zero_bytes),        cmocka_unit_test(test_arguments_of_parse_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
