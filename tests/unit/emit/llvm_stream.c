/* Which stores of counted loops go past the caches: those are marked `nontemporal`. That they are right is for
 * tests/golden/run/runs_streamed.gf. */
#include "emit/llvm/emit.h"
#include "unit/unit.h"
#include <gridfence/program.h>

#define HEAD                                                                                                           \
    "program p; param u32 n; in u32 row[n + 1]; in u32 x[n]; inout u32 y[n]; out u32 z[n]; inout u8 b[n];\n"           \
    "kernel (n / 8) { let v = gid.x; var u32 near[1000]; for i in 0 .. 1000 { near[i] = i * v; }\n"
#define TAIL " }\n"

/* The code of a program; the caller frees it with LLVMDisposeMessage. */
static char *code_of(const char *text, bool checked) {
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
    gf_llvm_module_finish(&module);
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return code;
}

static unsigned count_streams(const char *text, bool checked) {
    char *code = code_of(text, checked);
    unsigned count = 0;
    for (const char *at = code; (at = strstr(at, "!nontemporal")) != NULL; at++) {
        count++;
    }
    assert_int_equal(count > 0, strstr(code, "fence seq_cst") != NULL);
    LLVMDisposeMessage(code);
    return count;
}

#define RUN "for i in row[v] .. row[v + 1] { y[i] = near[i - row[v]]; }"

static void test_streamed(void **state) {
    (void)state;
    assert_int_equal(count_streams(HEAD RUN TAIL, false), 1);
    assert_int_equal(count_streams(HEAD "let to = row[v]; for i in 0 .. x[v] { y[to + i] = near[i]; }" TAIL, false), 1);
    assert_int_equal(count_streams(HEAD "for i in row[v] .. row[v + 1] { y[i] = x[i]; z[i] = x[i] + 1; }" TAIL, false),
                     2);
    /* In each turn around it other elements: by the turn itself, by what it loads, by what it adds up. */
    assert_int_equal(count_streams(HEAD "for d in 0 .. x[v] { let to = row[v] + d * 100; for i in 0 .. row[v] "
                                        "{ y[to + i] = near[i]; } }" TAIL,
                                   false),
                     1);
    assert_int_equal(
        count_streams(HEAD "for d in 0 .. x[v] { for i in row[d] .. row[d + 1] { y[i] = near[i - d]; } }" TAIL, false),
        1);
    assert_int_equal(count_streams(HEAD "var u32 to = row[v]; while to < n { let at = to; for i in 0 .. x[v] "
                                        "{ y[at + i] = near[i]; } to += x[v]; }" TAIL,
                                   false),
                     1);
}

static void test_kept(void **state) {
    (void)state;
    static const char *const texts[] = {
        HEAD "for i in row[v] .. row[v + 1] step 2 { y[i] = near[i]; }" TAIL,
        HEAD "for i in row[v] .. row[v + 1] { y[2 * i] = near[i]; }" TAIL,
        HEAD "for i in row[v] .. row[v + 1] { b[i] = near[i]; }" TAIL,
        HEAD "for i in row[v] .. row[v + 1] { y[i] += near[i]; }" TAIL,
        HEAD "for i in row[v] .. row[v + 1] { if x[i] > 3 { y[i] = near[i]; } }" TAIL,
        HEAD "for i in row[v] .. row[v + 1] { if x[i] > 3 { break; } y[i] = near[i]; }" TAIL,
        HEAD "for i in row[v] .. row[v + 1] { if x[i] > 3 { continue; } y[i] = near[i]; }" TAIL,
        HEAD "for i in row[v] .. row[v + 1] { for k in 0 .. i { near[k] += 1; } y[i] = near[i]; }" TAIL,
        HEAD "for i in 0 .. 100 { y[v * 100 + i] = near[i]; }" TAIL, /* short, as everybody knows */
        HEAD RUN " if y[0] > 3 { z[v] = 1; }" TAIL,                  /* looked at in the same segment */
        HEAD "for k in 0 .. x[v] { for i in row[v] .. row[v + 1] { y[i] = near[k]; } }" TAIL, /* the same again */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (count_streams(texts[i], false) != 0) {
            fail_msg("streamed: %s", texts[i]);
        }
    }
    assert_int_equal(count_streams(HEAD RUN TAIL, true), 0); /* checked */
}

/* Small arrays and short runs stay in the caches: that is asked where the code runs. */
static void test_asked(void **state) {
    (void)state;
    char *code = code_of(HEAD RUN TAIL, false);
    assert_non_null(strstr(code, ", 12582912")); /* elements: 48 MiB */
    assert_non_null(strstr(code, ", 64\n"));     /* turns: four lines */
    LLVMDisposeMessage(code);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streamed), cmocka_unit_test(test_kept),
                                       cmocka_unit_test(test_asked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
