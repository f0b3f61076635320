/* Printing and parsing undo each other: for the text that a user wrote, comments kept, and for the checked form that
 * passes work on, whose text must check to the same types. Besides the program below, every one in programs/ is tried.
 */
#include "base/diag.h"
#include "check/check.h"
#include "ir/visit.h"
#include "unit/unit.h"

#include <dirent.h>

static const char sample[] = "// What it is for.\n"
                             "// Two lines.\n"
                             "program sample; // its name\n\n"
                             "// A constant.\n"
                             "const u32 BITS = 0xff;\n"
                             "const f64 STEP = 1e-3; // spelled so\n\n"
                             "param u32 n;\n"
                             "param i64 low = -3;\n"
                             "in i8 small[n];\n"
                             "inout u64 wide[n];\n"
                             "out f32 y[n] returns(0 .. n / 2);\n\n"
                             "// Of use to the kernel.\n"
                             "fn u64 twice(u64 x) { // behind the brace\n"
                             "    // first\n"
                             "    let y2 = x * 2;\n\n"
                             "    // then\n"
                             "    return y2; // back\n"
                             "    // last\n"
                             "}\n\n"
                             "kernel (n) workgroup(64) fixpoint(n + 1) on (wide) {\n"
                             "    let v = gid.x;\n"
                             "    var u64 a = twice(5) + (wide[v] - (3 - 1)) * 2;\n"
                             "    var i64 b = -low - -2;\n"
                             "    a <<= 3;\n"
                             "    if v == 0 && (n > 3 || !(n < 2)) { // one\n"
                             "        a = select(n == 0, 1, u64(0xffffffffffffffff));\n"
                             "    } else if v == 1 {\n"
                             "        b = i64(small[v]) + 1;\n"
                             "    } else {\n"
                             "        // nothing\n"
                             "    }\n"
                             "    for i in 0 .. 10 step BITS {\n"
                             "        a ^= 1 << i % 3;\n"
                             "    }\n\n"
                             "    grid while grid_any(a > 5) {\n"
                             "        a /= 2;\n"
                             "    }\n"
                             "    wide[v] = max(a, u64(b));\n"
                             "    y[v] = f32(f64(v) * STEP) + f32(-0.1) + inf;\n"
                             "    // the end of the kernel\n"
                             "}\n\n"
                             "// the end\n";

static gf_program *parse(const char *text, const char *name) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), name, diags);
    if (program == NULL) {
        gf_diags_print(diags, stdout);
        fail_msg("%s is refused", name);
    }
    gf_diags_destroy(diags);
    return program;
}

static char *print(const gf_tree *tree) {
    gf_str out = {0};
    assert_true(gf_print_tree(tree, &out));
    return gf_str_take(&out);
}

static void goes_round(const char *text, const char *name) {
    gf_program *first = parse(text, name);
    char *canonical = print(first->parsed);
    gf_program *second = parse(canonical, "canonical text");
    assert_true(gf_equal_tree(first->parsed, second->parsed));
    assert_true(gf_equal_tree(first->checked, second->checked));
    char *again = print(second->parsed);
    assert_string_equal(canonical, again);

    char *checked = print(first->checked);
    gf_program *third = parse(checked, "text of the checked form");
    char *checked_again = print(third->checked);
    assert_string_equal(checked, checked_again);
    gf_program_destroy(first);
    gf_program_destroy(second);
    gf_program_destroy(third);
    gf_free(canonical);
    gf_free(again);
    gf_free(checked);
    gf_free(checked_again);
}

static void canonical_text_stays(void **state) {
    (void)state;
    gf_program *program = parse(sample, "sample");
    char *text = print(program->parsed);
    assert_string_equal(text, sample);
    gf_free(text);
    gf_program_destroy(program);
    goes_round(sample, "sample");
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

static void the_library_goes_round(void **state) {
    (void)state;
    DIR *folder = opendir(GF_SOURCE_DIR "/programs");
    if (folder == NULL) {
        skip();
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        size_t length = strlen(entry->d_name);
        if (length > 3 && strcmp(entry->d_name + length - 3, ".gf") == 0) {
            char path[1024];
            snprintf(path, sizeof path, "%s/programs/%s", GF_SOURCE_DIR, entry->d_name);
            char *text = read_file(path);
            goes_round(text, entry->d_name);
            free(text);
        }
    }
    closedir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canonical_text_stays),
        cmocka_unit_test(the_library_goes_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
