/* Which buffers need not be zeros when a run begins: wrong answers here are values of an earlier run in a later one. */
#include "plan/plan.h"
#include <gridfence/program.h>
#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

typedef struct sample {
    const char *text;
    const char *need; /* names of the buffers that must be zeros, each followed by a blank */
} sample;

/* Buffers that start as zeros are u, v, w. */
#define HEAD "program t;\nparam u32 n;\nin u32 x[n];\n"

static const sample samples[] = {
    {HEAD "out u32 u[n];\nkernel (n) { u[gid.x] = x[gid.x]; }\n", ""},
    {HEAD "out u32 u[n];\nkernel (n) { if x[gid.x] != 0 { u[gid.x] = 1; } }\n", "u "},
    {HEAD "out u32 u[n];\nkernel (n) { u[gid.x] += x[gid.x]; }\n", "u "},
    /* one element, by the one invocation */
    {HEAD "out u32 u[1];\nkernel { u[0] = n; }\n", ""},
    {HEAD "out u32 u[2];\nkernel { u[0] = n; }\n", "u "},
    {HEAD "out u32 u[1];\nkernel { if n > 3 { u[0] = n; } }\n", "u "},
    {HEAD "out u32 u[1];\nkernel (n) { if gid.x == 0 { u[0] = n; } }\n", "u "},
    /* behind a loop that does not touch it, which may take no turn */
    {HEAD "out u32 u[n];\nscratch u32 v[n];\nkernel {\n    forall i in 0 .. n { v[i] = x[i]; }\n    for t in 0 .. n {\n"
          "        forall i in 0 .. n { v[i] += v[(i + 1) % n]; }\n    }\n    forall i in 0 .. n { u[i] = v[i]; }\n}\n",
     ""},
    /* written in the loop, first thing in a turn, and read there alone */
    {HEAD "inout u32 y[n];\nscratch u32 v[n];\nkernel {\n    for t in 0 .. n {\n"
          "        forall i in 0 .. n { v[i] = y[i] + t; }\n        forall i in 0 .. n { y[i] = v[(i + 1) % n]; }\n"
          "    }\n}\n",
     ""},
    /* read behind the loop as well: there may have been no turn */
    {HEAD
     "out u32 u[n];\nscratch u32 v[n];\nkernel {\n    for t in 0 .. n {\n"
     "        forall i in 0 .. n { v[i] = x[i] + t; }\n    }\n    forall i in 0 .. n { u[i] = v[(i + 1) % n]; }\n}\n",
     "v "},
    /* read before it is written in the same turn: what the turn before left, and zeros in the first */
    {HEAD
     "inout u32 y[n];\nscratch u32 v[n];\nkernel {\n    for t in 0 .. n {\n"
     "        forall i in 0 .. n { y[i] += v[(i + 1) % n]; }\n        forall i in 0 .. n { v[i] = y[i]; }\n    }\n}\n",
     "v "},
    /* an output that a loop writes, if it takes a turn */
    {HEAD "out u32 u[n];\nkernel {\n    for t in 0 .. n {\n        forall i in 0 .. n { u[i] = x[i] + t; }\n    }\n}\n",
     "u "},
    /* conditions: in both branches, in one; an output may stay as it is, scratch may not be read then */
    {HEAD "out u32 u[n];\nkernel {\n    if n > 7 {\n        forall i in 0 .. n { u[i] = 1; }\n    } else {\n"
          "        forall i in 0 .. n { u[i] = 2; }\n    }\n}\n",
     ""},
    {HEAD "out u32 u[n];\nkernel {\n    if n > 7 {\n        forall i in 0 .. n { u[i] = 1; }\n    }\n}\n", "u "},
    {HEAD "inout u32 y[n];\nscratch u32 v[n];\nkernel {\n    if n > 7 {\n        forall i in 0 .. n { v[i] = x[i]; }\n"
          "        forall i in 0 .. n { y[i] = v[(i + 1) % n]; }\n    }\n}\n",
     ""},
    {HEAD "inout u32 y[n];\nscratch u32 v[n];\nkernel {\n    if n > 7 {\n        forall i in 0 .. n { v[i] = x[i]; }\n"
          "    }\n    forall i in 0 .. n { y[i] = v[(i + 1) % n]; }\n}\n",
     "v "},
    /* a way out before it */
    {HEAD "out u32 u[n];\nscratch u32 v[n];\nkernel {\n    if n > 7 {\n        return;\n    }\n"
          "    forall i in 0 .. n { v[i] = x[i]; }\n    grid_barrier;\n"
          "    forall i in 0 .. n { u[i] = v[(i + 1) % n]; }\n}\n",
     "u "},
    {HEAD
     "inout u32 y[n];\nscratch u32 v[n];\nkernel {\n    for t in 0 .. n {\n        if y[t] == 0 {\n            break;\n"
     "        }\n        forall i in 0 .. n { v[i] = x[i]; }\n        forall i in 0 .. n { y[i] = v[(i + 1) % n]; }\n"
     "    }\n}\n",
     ""},
    /* in part, and under names that are swapped */
    {HEAD "out u32 u[n];\nkernel {\n    forall i in 1 .. n { u[i] = x[i]; }\n}\n", "u "},
    {HEAD "out u32 u[n];\nscratch u32 v[n];\nkernel {\n    forall i in 0 .. n { u[i] = x[i]; }\n    swap(u, v);\n}\n",
     "v "},
    /* a bound that goes around where the size does not, for some params; and such as cannot */
    {HEAD "out u32 u[n * 3 / 3];\nkernel {\n    forall i in 0 .. n * 3 / 3 { u[i] = 1; }\n}\n", "u "},
    {HEAD "out u32 u[n + 1];\nkernel {\n    forall i in 0 .. n + 1 { u[i] = 1; }\n}\n", "u "},
    {"program t;\nconst u32 A = 70000;\nout u8 u[A * A / A];\nkernel {\n    forall i in 0 .. A * A / A { u[i] = 1; "
     "}\n}\n",
     "u "},
    {"program t;\nparam i32 m;\nout u8 u[m * 3 / 3];\nkernel {\n    forall i in 0 .. m * 3 / 3 { u[i] = 1; }\n}\n",
     "u "},
    {HEAD "out u32 u[n / 32 + 1];\nkernel {\n    forall i in 0 .. n / 32 + 1 { u[i] = 1; }\n}\n", ""},
    {HEAD "out u32 u[min(n, 100) * 3 % 7];\nkernel {\n    forall i in 0 .. min(n, 100) * 3 % 7 { u[i] = 1; }\n}\n", ""},
    {HEAD "param u64 k;\nout u32 u[k];\nkernel {\n    forall i in 0 .. k { u[i] = 1; }\n}\n", ""},
    {"program t;\nparam i32 m;\nout u8 u[m];\nkernel {\n    forall i in 0 .. m { u[i] = 1; }\n}\n", ""},
    /* a condition of the plan that reads it */
    {HEAD "out u32 u[1];\nscratch u32 v[1];\nkernel {\n    while v[0] < n {\n        forall i in 0 .. 1 { v[i] = n; }\n"
          "    }\n    u[0] = n;\n}\n",
     "v "},
};

static void buffers_that_are_written_first(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        gf_diags *diags = gf_diags_create();
        gf_program *program = gf_program_parse(samples[i].text, strlen(samples[i].text), "t.gf", diags);
        gf_plan_options options = {.lower_exits = i % 2 == 1};
        gf_plan *plan = program != NULL ? gf_plan_create(program, &options, diags) : NULL;
        gf_diag first;
        if (plan == NULL) {
            fail_msg("%s\n%s", samples[i].text, gf_diags_get(diags, 0, &first) ? first.message : "");
        }
        for (uint32_t b = 0; b < plan->buffer_count; b++) {
            const gf_symbol *symbol = plan->buffers[b].symbol;
            bool starts = symbol->role == GF_ROLE_OUT || symbol->role == GF_ROLE_SCRATCH;
            char name[64];
            (void)snprintf(name, sizeof name, "%s ", symbol->name);
            if (plan->buffers[b].kind == GF_PLAN_BUFFER_PROGRAM && starts &&
                plan->buffers[b].overwritten != (strstr(samples[i].need, name) == NULL)) {
                fail_msg("`%s` of\n%s", symbol->name, samples[i].text);
            }
        }
        gf_plan_destroy(plan);
        gf_program_destroy(program);
        gf_diags_destroy(diags);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(buffers_that_are_written_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
