/* What a grid barrier costs: bare, with a vote, and with an element per invocation that comes from another workgroup.
 * Sizes are those of the grid; the workgroup stands in the text. */
#include "cli/workloads.h"
#include <inttypes.h>
#include <stdio.h>

#define TURNS 4000
#define TURNS_QUICK 100
#define GROUPS 264
#define GROUPS_QUICK 3
#define GROUP 256

/* No invocation ever writes in the loop, which only the params know: a barrier that orders nothing is dropped. */
const char gf_barrier_text[] = "program barriers;\n"
                               "param u32 groups;\n"
                               "param u32 turns;\n"
                               "param u32 never;\n"
                               "out u32 y[1];\n"
                               "kernel groups(groups) workgroup(%u) {\n"
                               "    for i in 0 .. turns {\n"
                               "        if gid.x == never + i {\n"
                               "            y[0] = i;\n"
                               "        }\n"
                               "        grid_barrier;\n"
                               "    }\n"
                               "    if gid.x == 0 {\n"
                               "        y[0] = turns;\n"
                               "    }\n"
                               "}\n";

/* In each turn another invocation says yes. */
const char gf_vote_text[] = "program vote;\n"
                            "param u32 groups;\n"
                            "param u32 turns;\n"
                            "out u32 y[1];\n"
                            "kernel groups(groups) workgroup(%u) {\n"
                            "    var u32 count = 0;\n"
                            "    var bool yes = true;\n"
                            "    for i in 0 .. turns {\n"
                            "        yes = grid_any(gid.x % 32 == i % 32 && yes);\n"
                            "        count += u32(yes);\n"
                            "    }\n"
                            "    if gid.x == 0 {\n"
                            "        y[0] = count;\n"
                            "    }\n"
                            "}\n";

const char gf_round_text[] = "program rounds;\n"
                             "param u32 groups;\n"
                             "param u32 n;\n"
                             "param u32 turns;\n"
                             "param u32 apart;\n"
                             "inout u32 x[2 * n];\n"
                             "kernel groups(groups) workgroup(%u) {\n"
                             "    let there = (gid.x + apart) % n;\n"
                             "    for i in 0 .. turns {\n"
                             "        x[(i + 1) % 2 * n + gid.x] = x[i % 2 * n + there] + 1;\n"
                             "        grid_barrier;\n"
                             "    }\n"
                             "}\n";

static uint32_t set_sizes(const gf_bench_setup *setup, gf_bench_case *out) {
    uint32_t groups = setup->shape.groups > 0 ? setup->shape.groups : setup->quick ? GROUPS_QUICK : GROUPS;
    uint32_t group = setup->shape.group > 0 ? setup->shape.group : GROUP;
    uint32_t turns = setup->shape.sweeps > 0 ? setup->shape.sweeps : setup->quick ? TURNS_QUICK : TURNS;
    gf_bench_set(out, "groups", groups);
    gf_bench_set(out, "group", group);
    gf_bench_set(out, "turns", turns);
    gf_bench_set(out, "never", (double)((uint32_t)1 << 30));
    (void)snprintf(out->size, sizeof out->size, "%" PRIu32 " in %" PRIu32 " workgroups of %" PRIu32, turns, groups,
                   group);
    return groups * group;
}

bool gf_make_barrier(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    (void)diags;
    (void)set_sizes(setup, out);
    gf_bench_borrow(&out->outputs, "y", GF_TYPE_U32, NULL, 1);
    return true;
}

bool gf_check_barrier(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const uint32_t *y = gf_bench_want(at, results, "y", why);
    uint32_t turns = (uint32_t)gf_bench_get(at, "turns");
    if (y != NULL && y[0] != turns) {
        (void)snprintf(why, 160, "y is %" PRIu32 ", expected %" PRIu32, y[0], turns);
    }
    return y != NULL && y[0] == turns;
}

bool gf_make_round(gf_bench_setup *setup, const gf_program *program, gf_bench_case *out, gf_diags *diags) {
    (void)program;
    uint32_t n = set_sizes(setup, out);
    gf_bench_set(out, "n", n);
    gf_bench_set(out, "apart", 37 * gf_bench_get(out, "group") + 11);
    gf_bench_borrow(&out->outputs, "x", GF_TYPE_U32, NULL, (uint64_t)2 * n);
    return gf_bench_add(&out->inputs, "x", GF_TYPE_U32, (uint64_t)2 * n, diags) != NULL;
}

/* Each turn adds one to all elements of the half that it reads, wherever they go. */
bool gf_check_round(gf_bench_case *at, const gf_bench_arrays *results, char why[160]) {
    const uint32_t *x = gf_bench_want(at, results, "x", why);
    uint32_t n = (uint32_t)gf_bench_get(at, "n");
    uint32_t turns = (uint32_t)gf_bench_get(at, "turns");
    for (uint32_t i = 0; x != NULL && i < n; i++) {
        if (x[turns % 2 * n + i] != turns) {
            (void)snprintf(why, 160, "element %" PRIu32 " is %" PRIu32 ", expected %" PRIu32, i, x[turns % 2 * n + i],
                           turns);
            return false;
        }
    }
    return x != NULL;
}
