/* A plan of a program's text, for tests. */
#ifndef GF_TESTS_PLAN_WITH_H
#define GF_TESTS_PLAN_WITH_H

#include "plan/plan.h"
#include <gridfence/program.h>
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <string.h>

static inline gf_plan *plan_with(const char *text, const gf_plan_options *options) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "test.gf", diags);
    if (program == NULL)
        gf_diags_print(diags, stderr);
    assert_non_null(program);
    gf_plan *plan = gf_plan_create(program, options, diags);
    assert_non_null(plan);
    gf_program_destroy(program); /* the plan holds it */
    gf_diags_destroy(diags);
    return plan;
}

#endif
