/* Buffers of which a loop looks at no element but the invocation's own: a wrong answer here is an element that somebody
 * else has. */
#include "plan/plan.h"
#include <gridfence/program.h>
#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

typedef struct sample {
    const char *body; /* of one turn */
    const char *kept; /* names, each followed by a blank */
} sample;

#define HEAD "program t;\nparam u32 n;\nin u32 x[n];\ninout u32 u[n];\nscratch u32 v[n];\nout u64 w[n];\n"
#define LOOP "kernel {\n    for t in 0 .. 3 {\n"

static const sample samples[] = {
    {"forall i in 0 .. n { u[i] += x[i]; }", "x u "},
    {"forall i in 0 .. n { let j = i; let k = u64(j); w[k] = 1; u[j] = v[i]; }", "u v w "},
    {"forall i in 0 .. n { if x[i] != 0 { u[i] = 1; } }\nforall i in 0 .. n / 2 { v[i] = u[i]; }", "x u v "},
    {"forall i in 0 .. n { for k in 0 .. x[i] { u[i] += k; } }", "x u "},
    {"forall i in 0 .. n { u[i] = len(v); v[i] = 1; }", "u v "},
    /* elements of others */
    {"forall i in 0 .. n { u[i] = x[i + 1]; }", "u "},
    {"forall i in 0 .. n { u[i] = x[0]; v[n - 1 - i] = 1; }", "u "},
    {"forall i in 0 .. n { u[i] = 1; }\nforall i in 0 .. n { v[i] = u[(i + 1) % n]; }", "v "},
    {"forall i in 1 .. n { u[i] = x[i - 1]; }", ""},
    {"forall i in 0 .. n { var u32 k = i; k += 1; u[k - 1] = 1; v[i] = u[i]; }", "v "},
    {"forall i in 0 .. n { let k = i % 7; u[k] = 1; v[i] = x[u32(i32(i))]; }", "v "},
    /* more than loads and stores */
    {"forall i in 0 .. n { atomic_add(u[i], 1); v[i] = x[i]; }", "x v "},
    {"forall i in 0 .. n { u[i] = take(i); v[i] = x[i]; }", "u v "},
    /* other nodes of the plan */
    {"forall i in 0 .. n { u[i] = 1; v[i] = 2; }\nif x[0] == 1 { forall i in 0 .. n { u[i] = x[i]; } }", "u v "},
    {"forall i in 0 .. x[0] { u[i] = 1; v[i] = x[i]; }", "u v "},
    {"forall i in 0 .. n { u[i] = 1; v[i] = 2; }\nswap(u, v);", ""},
    {"forall i in 0 .. n { u[i] = 1; }\nif n > t { return; }", ""},
    {"forall i in 0 .. n { u[i] = 1; }\nif n > t { break; }", "u "},
    {"u[0] = t;\nforall i in 0 .. n { u[i] += 1; v[i] = 1; }", "v "},
    {"if n > 7 { forall i in 0 .. n { u[i] = 1; } }\nfor k in 0 .. 2 { forall i in 0 .. n { v[i] = u[i]; } }", "u v "},
};

static void find_kept(const char *text, bool lower_exits, char *kept, size_t size) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "t.gf", diags);
    gf_plan_options options = {.lower_exits = lower_exits};
    gf_plan *plan = program != NULL ? gf_plan_create(program, &options, diags) : NULL;
    gf_diag first;
    if (plan == NULL) {
        fail_msg("%s\n%s", text, gf_diags_get(diags, 0, &first) ? first.message : "");
    }
    kept[0] = '\0';
    for (size_t i = 0; i < plan->kept_count; i++) {
        size_t used = strlen(kept);
        (void)snprintf(kept + used, size - used, "%s ", plan->buffers[plan->kept[i].buffer].symbol->name);
    }
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
}

static void buffers_of_a_loop(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char text[1024], kept[64];
        (void)snprintf(text, sizeof text, HEAD "fn u32 take(u32 k) {\n    return x[k];\n}\n" LOOP "%s\n    }\n}\n",
                       samples[i].body);
        find_kept(text, i % 2 == 0 || strstr(samples[i].body, "return") != NULL ? false : true, kept, sizeof kept);
        if (strcmp(kept, samples[i].kept) != 0) {
            fail_msg("%s: '%s', not '%s'", samples[i].body, kept, samples[i].kept);
        }
    }
}

/* Invocations of the program's own space have their values in registers; ids of workgroups are no items. */
static void not_of_the_space(void **state) {
    (void)state;
    char kept[64];
    find_kept(HEAD "kernel (n) {\n    for t in 0 .. 3 {\n        u[gid.x] += 1;\n        grid_barrier;\n"
                   "        v[gid.x] = u[gid.x] + x[(gid.x + 1) % n];\n    }\n}\n",
              true, kept, sizeof kept);
    assert_string_equal(kept, "");
}

/* What says how often the loop is gone through belongs to it. */
static void bounds_of_the_loop(void **state) {
    (void)state;
    const char *const heads[] = {"for t in 0 .. u[0]", "for t in u[0] .. 9", "for t in 0 .. 9 step u[0] + 1",
                                 "while u[0] < 9"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char text[1024], kept[64];
        (void)snprintf(text, sizeof text,
                       HEAD "kernel {\n    %s {\n        forall i in 0 .. n { u[i] += 1; v[i] = 1; }\n    }\n}\n",
                       heads[i]);
        find_kept(text, false, kept, sizeof kept);
        if (strcmp(kept, "v ") != 0) {
            fail_msg("%s: '%s'", heads[i], kept);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(buffers_of_a_loop), cmocka_unit_test(not_of_the_space),
                                       cmocka_unit_test(bounds_of_the_loop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
