/* Every allocation of parsing and checking fails in turn: each time there is a clean error and nothing leaks (which the
 * address sanitizer sees). */
#include "base/memory.h"
#include "check/check.h"
#include "ir/program.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char good[] =
    "program good;\n"
    "param u32 n;\n"
    "param f32 tol = 1e-3;\n"
    "inout f32 x[n];\n"
    "shared f32 w[64];\n"
    "fn f32 twice(f32 a) { return 2.0 * a; }\n"
    "fn meet(u32 v) { x[v] = twice(x[v]); barrier; w[v % 64] = x[v]; }\n"
    "kernel groups(n) workgroup(64) fixpoint(10) {\n"
    "    let v = gid.x;\n"
    "    var f32 worst = 1.0;\n"
    "    meet(v);\n"
    "    while grid_max(x[v]) > tol { x[v] *= 0.5; if worst < tol { break; } worst = grid_min(x[v]); }\n"
    "    var f32 sum = 0.0;\n"
    "    forall i in 0 .. n reduce(add sum) { sum += x[i]; }\n"
    "    x[v] = sum;\n"
    "}\n";

static const char bad[] = "program bad;\n"
                          "param u32 n;\n"
                          "inout u32 x[n];\n"
                          "kernel (n) { let v = gid.x; let d = v * 2; if d == 3 { grid_barrier; } }\n";

static void fail_each(const char *text, bool is_right) {
    uint64_t n = 1;
    for (;; n++) {
        gf_diags *diags = gf_diags_create();
        assert_non_null(diags);
        (void)gf_memory_fail_at(n, false);
        gf_program *program = gf_program_parse(text, strlen(text), "memory.gf", diags);
        uint64_t asked = gf_memory_fail_at(0, false);
        bool reached = asked >= n;
        if (program == NULL) {
            assert_true(gf_diags_error_count(diags) > 0);
        } else {
            assert_true(is_right);
            assert_true(gf_validate(program->checked, NULL));
            (void)gf_memory_fail_at(1, true);
            bool order_free = gf_program_order_free(program, diags);
            (void)gf_memory_fail_at(0, false);
            assert_false(order_free);
            gf_program_destroy(program);
        }
        gf_diags_destroy(diags);
        if (!reached) {
            break;
        }
    }
    assert_true(n > 3);
}

static void test_right_program(void **state) {
    (void)state;
    fail_each(good, true);
}

static void test_wrong_program(void **state) {
    (void)state;
    fail_each(bad, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_right_program), cmocka_unit_test(test_wrong_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
