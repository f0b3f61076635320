/* Which folds over rows are taken a strip at a time: their results lie in arrays named `folded`. That they are right is
 * for tests/golden/run/rows_folded*.gf. */
#include "emit/llvm/emit.h"
#include "unit/unit.h"
#include <gridfence/program.h>

#define HEAD                                                                                                           \
    "program p; param u32 n; in u32 row[n + 1]; in u32 col[]; in f32 val[]; in f32 x[]; in u32 list[n];\n"             \
    "inout f32 y[n]; out f32 q[n];\n"                                                                                  \
    "fn f32 twice(f32 a) { return a + a; }\n"                                                                          \
    "kernel (n) { let v = gid.x; var f32 s = 0.0; "
#define TAIL " q[v] = s; }\n"

static unsigned count_results(const char *text) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "p.gf", diags);
    if (program == NULL) {
        gf_diags_print(diags, stderr);
    }
    assert_non_null(program);
    gf_plan *plan = gf_plan_create(program, NULL, diags);
    assert_non_null(plan);
    gf_llvm_module module = {0};
    gf_llvm_options options = {.table = "table"};
    assert_true(gf_llvm_emit(plan, &options, &module, diags));
    char *code = LLVMPrintModuleToString(module.module);
    unsigned count = 0;
    for (const char *at = code; (at = strstr(at, "  %folded")) != NULL; at++) {
        count += strncmp(strchr(at, '=') != NULL ? strchr(at, '=') : "", "= alloca", 8) == 0;
    }
    LLVMDisposeMessage(code);
    gf_llvm_module_finish(&module);
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return count;
}

static void test_taken(void **state) {
    (void)state;
    assert_int_equal(count_results(HEAD "for e in row[v] .. row[v + 1] { s += val[e] * x[col[e]]; }" TAIL), 1);
    assert_int_equal(count_results(HEAD "let end = row[v + 1]; let begin = row[v]; let own = x[v];"
                                        "for e in begin .. end { let a = x[col[e]]; if a > own { s -= a; } }" TAIL),
                     1);
    assert_int_equal(count_results(HEAD "var u32 count = 0; for e in row[v] .. row[v + 1] {"
                                        "s = max(s, x[col[e]]); count += 1; } s += f32(count);" TAIL),
                     2);
}

static void test_left(void **state) {
    (void)state;
    static const char *const texts[] = {
        HEAD "for e in row[v] .. row[v + 1] { s += y[col[e]]; } y[v] = 1.0;" TAIL, /* written */
        HEAD "for e in row[v] .. row[v + 1] { s += 1.0; y[v] = s; }" TAIL,         /* writes */
        HEAD "for e in row[v] .. row[v + 1] { if val[e] > 1.0 { break; } s += val[e]; }" TAIL,
        HEAD "for e in row[v] .. row[v + 1] { s += twice(val[e]); }" TAIL,
        HEAD "for e in row[v] .. row[v + 1] step 2 { s += val[e]; }" TAIL,
        HEAD "for e in row[v] .. row[v + 2] { s += val[e]; }" TAIL,
        HEAD "for e in row[v] .. col[v + 1] { s += val[e]; }" TAIL,
        HEAD "let w = list[v]; for e in row[w] .. row[w + 1] { s += val[e]; }" TAIL,
        HEAD "if v % 2 == 0 { for e in row[v] .. row[v + 1] { s += val[e]; } }" TAIL,
        HEAD "s = 1.0; for e in row[v] .. row[v + 1] { s += val[e]; }" TAIL,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (count_results(texts[i]) != 0) {
            fail_msg("taken: %s", texts[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_taken), cmocka_unit_test(test_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
