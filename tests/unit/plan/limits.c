/* Programs that no plan is made of: because they are too large, or because memory runs out. */
#include "base/memory.h"
#include "plan/dump.h"
#include "plan/plan.h"
#include <gridfence/program.h>

#include "unit/unit.h"

/* Every allocation fails in turn: a clean error, nothing left behind (the leak checker of the sanitizer build looks).
 */
static void every_allocation_may_fail(void **state) {
    (void)state;
    const char *text =
        "program t; param u32 n; inout u32 a[n]; inout u32 b[n]; out u32 c[n]; in u32 x[n]; shared u32 w[256];\n"
        "kernel (n) { if x[gid.x] > 5 { return; } w[lid.x] = 1; var u32 s = 0; for i in 0 .. 4 { "
        "s += a[0]; b[gid.x] = s; grid_barrier; a[gid.x] = b[0] + w[0]; grid_barrier; } "
        "c[gid.x] = s; }";
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "t.gf", diags);
    assert_non_null(program);
    bool made = false;
    for (uint64_t i = 1; !made; i++) {
        gf_diags_clear(diags);
        gf_memory_fail_at(i, false);
        gf_plan *plan = gf_plan_create(program, NULL, diags);
        char *dump = gf_plan_dump(plan, GF_PLAN_TEXT, diags);
        gf_memory_fail_at(0, false);
        made = dump != NULL;
        if (!made)
            assert_int_not_equal(gf_diags_error_count(diags), 0);
        gf_free(dump);
        gf_plan_destroy(plan);
        assert_in_range(i, 1, 100000);
    }
    gf_program_destroy(program);
    gf_diags_destroy(diags);
}

/* `before`, `count` times `each`, `after`. */
GF_PRINTF(2, 0)
static gf_program *repeated(const char *before, const char *each, size_t count, const char *after, gf_diags *diags) {
    gf_str text = {0};
    gf_str_add(&text, before);
    for (size_t i = 0; i < count; i++)
        gf_str_addf(&text, each, (unsigned)i, (unsigned)i);
    gf_str_add(&text, after);
    gf_program *program = gf_program_parse(text.text, text.length, "test.gf", diags);
    assert_non_null(program);
    gf_str_free(&text);
    return program;
}

static void expect_refused(gf_program *program, const char *code, gf_diags *diags) {
    gf_plan *plan = gf_plan_create(program, NULL, diags);
    assert_true(plan == NULL || !gf_plan_compiles(plan, GF_PLAN_MOST_PTX, diags));
    gf_diag first;
    assert_true(gf_diags_get(diags, 0, &first));
    assert_string_equal(first.code, code);
    assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    gf_diags_clear(diags);
}

static void what_is_too_large_is_refused(void **state) {
    (void)state;
    const char *head = "program p; param u32 n; inout u32 a[n]; kernel (n) {\n";
    gf_diags *diags = gf_diags_create();
    expect_refused(repeated(head, "grid_barrier;\n", 2001, "}", diags), "GF0502", diags);
    gf_program *most = repeated(head, "grid_barrier;\n", 2000, "}", diags);
    gf_plan *plan = gf_plan_create(most, NULL, diags);
    assert_non_null(plan);
    assert_int_equal(gf_plan_segment_count(plan), 0); /* they order nothing */
    gf_plan_destroy(plan);
    gf_program_destroy(most);
    /* 3000 values, each of which may live across 1000 barriers. */
    gf_str many = {0};
    gf_str_add(&many, head);
    for (unsigned i = 0; i < 3000; i++)
        gf_str_addf(&many, "var u32 x%u = a[gid.x];\n", i);
    for (unsigned i = 0; i < 1000; i++)
        gf_str_add(&many, "a[gid.x + 1] = 1; grid_barrier;\n");
    for (unsigned i = 0; i < 3000; i++)
        gf_str_addf(&many, "x%u += 1; a[gid.x] += x%u;\n", i, i);
    expect_refused(repeated(many.text, " ", 1, "}", diags), "GF0502", diags);
    gf_str_free(&many);
    expect_refused(repeated(head, "a[gid.x + %u] += %u;\n", 8000, "}", diags), "GF0503", diags);
    gf_diags_destroy(diags);
}

/* Without the limits of work these are a matter of minutes. */
static void long_searches_end(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_program *program = repeated("program p; param u32 n; inout u32 a[n]; kernel (n) {\nlet x0 = a[gid.x];\n",
                                   "a[gid.x] += %u; a[gid.x] += 1; a[gid.x] += 2; a[gid.x] += 3; a[gid.x] += 4; "
                                   "a[gid.x] += 5; a[gid.x] += 6; a[gid.x] += 7; a[gid.x] += %u; grid_barrier;\n",
                                   2000, "}", diags);
    gf_plan *plan = gf_plan_create(program, NULL, diags);
    assert_non_null(plan);
    assert_in_range(plan->barrier_count, 2000, 2000);
    assert_true(plan->barriers[0].dropped);
    assert_false(plan->barriers[1999].dropped);
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_too_large_is_refused),
        cmocka_unit_test(long_searches_end),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
