/* What a strip of invocations will look at is fetched before it runs: how many fetches the code of a program has. That
 * nothing else comes of it is for tests/golden/run/fetched_ahead.gf. */
#include "emit/llvm/emit.h"
#include "unit/unit.h"
#include <gridfence/program.h>

#define HEAD                                                                                                           \
    "program p; param u32 n; in u32 row[n + 1]; in u32 col[]; in u32 list[n]; in u32 list2[n];\n"                      \
    "inout u32 comp[n]; inout u32 other[n];\n"                                                                         \
    "fn climb(u32 a) { var u32 at = a; while atomic_load(comp[at]) != at { at = atomic_load(comp[at]); }"              \
    " atomic_add(other[0], at); }\n"                                                                                   \
    "fn through(u32 k) { let w = list[k]; climb(other[w]); }\n"                                                        \
    "kernel (n) { let v = gid.x; "
#define TAIL " }\n"

static unsigned count_fetches(const char *text, bool checked) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "p.gf", diags);
    if (program == NULL) {
        gf_diags_print(diags, stderr);
    }
    assert_non_null(program);
    gf_plan *plan = gf_plan_create(program, NULL, diags);
    assert_non_null(plan);
    gf_llvm_module module = {0};
    gf_llvm_options options = {.table = "table", .checked = checked};
    assert_true(gf_llvm_emit(plan, &options, &module, diags));
    char *code = LLVMPrintModuleToString(module.module);
    unsigned count = 0;
    for (const char *at = code; (at = strstr(at, "call void @llvm.prefetch")) != NULL; at++) {
        count++;
    }
    LLVMDisposeMessage(code);
    gf_llvm_module_finish(&module);
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return count;
}

typedef struct ahead_case {
    const char *text;
    unsigned fetches;
} ahead_case;

static void test_fetches(void **state) {
    (void)state;
    static const ahead_case cases[] = {
        /* col[e], and where that leads to */
        {HEAD "let e = row[v]; if e < row[v + 1] { let w = col[e]; comp[w] = 1; climb(v); }" TAIL, 2},
        {HEAD "let e = row[v] + 1; if e < row[v + 1] { other[col[e]] = v; } climb(v);" TAIL, 2},
        /* the first turn alone, and no address from what it loads */
        {HEAD "for e in row[v] .. row[v + 1] { atomic_min(comp[col[e]], v); }" TAIL, 1},
        {HEAD "let w = list[v]; for e in row[w] .. row[w + 1] { atomic_min(comp[col[e]], v); }" TAIL, 2},
        /* row[w] and row[w + 1] are neighbours */
        {HEAD "let w = list[v]; climb(row[w + 1] - row[w]);" TAIL, 1},
        /* through calls, whose arguments are wanted with each value that they have */
        {HEAD "let a = list2[v]; through(v); through(a);" TAIL, 3},
        {HEAD "through(list2[v]); through(v);" TAIL, 3},
        /* a name that is wanted only further down */
        {HEAD "let a = other[list[v]]; let b = list2[v]; climb(other[b]); climb(col[a]);" TAIL, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned found = count_fetches(cases[i].text, false);
        if (found != cases[i].fetches) {
            fail_msg("%u fetches, not %u: %s", found, cases[i].fetches, cases[i].text);
        }
        assert_int_equal(count_fetches(cases[i].text, true), 0);
    }
}

static void test_left(void **state) {
    (void)state;
    static const char *const texts[] = {
        HEAD "climb(v);" TAIL,                                                /* by the lane's number alone */
        HEAD "comp[list[v]] = 1;" TAIL,                                       /* no loop */
        HEAD "climb(col[list[0]]);" TAIL,                                     /* the same for all */
        HEAD "if list[v] != 0 { climb(col[list[v]]); }" TAIL,                 /* nobody knows how often */
        HEAD "let d = list[v]; if d < list2[v] { climb(col[row[v]]); }" TAIL, /* nor here: not about the place */
        HEAD "var u32 w = list[v]; while w != 0 { w = col[w]; }" TAIL,        /* changes */
        HEAD "let w = atomic_add(comp[v], 1); climb(col[w]);" TAIL,           /* is found by doing */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        unsigned found = count_fetches(texts[i], false);
        if (found != 0) {
            fail_msg("%u fetches: %s", found, texts[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fetches), cmocka_unit_test(test_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
