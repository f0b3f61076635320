/* What is laid out of a plan as kernels one behind the other: loops, and how many kernels. */
#include "emit/ptx/stages.h"
#include "plan/plan.h"
#include "unit/unit.h"
#include <gridfence/program.h>

static gf_program *program;
static gf_plan *plan;

static gf_ptx_stages lay_out_space(const char *space, const char *decls, const char *body) {
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "program t;\nparam u32 n;\nparam u32 m;\ninout u32 x[n];\nscratch u32 y[n];\n%s\n"
                   "kernel (%s) {\n let i = gid.x;\n %s\n}\n",
                   decls, space, body);
    gf_diags *diags = gf_diags_create();
    gf_plan_options asked = {.lower_exits = true};
    gf_ptx_options options = {.threads = 512};
    gf_ptx_stages stages = {0};
    program = gf_program_parse(text, strlen(text), "t.gf", diags);
    plan = program != NULL ? gf_plan_create(program, &asked, diags) : NULL;
    if (plan == NULL || !gf_ptx_emit_stages(plan, &options, &stages, diags)) {
        gf_diags_print(diags, stderr);
        fail();
    }
    gf_diags_destroy(diags);
    return stages;
}

static gf_ptx_stages lay_out(const char *decls, const char *body) {
    return lay_out_space("n", decls, body);
}

static void drop(gf_ptx_stages *stages) {
    gf_ptx_stages_finish(stages);
    gf_plan_destroy(plan);
    gf_program_destroy(program);
}

/* Two kernels, each of which looks at what the other has written. */
#define STEP "y[i] = x[n - 1 - i]; grid_barrier; x[i] = y[n - 1 - i]; grid_barrier;"

static void known_turns_are_no_loop(void **state) {
    (void)state;
    static const struct {
        const char *body;
        size_t loops, work; /* kernels of segments */
    } samples[] = {
        {"for t in 0 .. 3 { " STEP " }", 0, 6},
        {"for t in 0 .. 1 { " STEP " }", 0, 2},
        {"for t in 0 .. 0 { " STEP " }", 0, 0},
        {"for t in i64(5) .. -1 step -2 { " STEP " }", 0, 6},
        {"for t in 0 .. K + 2 { " STEP " }", 0, 6},
        {"for t in 0 .. 32 { " STEP " }", 0, 64},
        {"for t in 0 .. 4 { for s in 0 .. 8 { " STEP " } }", 0, 64},
        {"if m > 0 { for t in 0 .. 3 { " STEP " } }", 0, 6},
        /* Too many, not known, or left before. */
        {"for t in 0 .. 33 { " STEP " }", 1, 0},
        {"for t in 0 .. 4 { for s in 0 .. 9 { " STEP " } }", 1, 0},
        {"for t in 0 .. m { " STEP " }", 1, 0},
        {"for t in 0 .. 3 { " STEP " if x[0] > 1 { break; } }", 1, 0},
        {"for t in 0 .. 3 { " STEP " if x[0] > 1 { return; } }", 1, 0},
        {"while x[0] < 3 { " STEP " }", 1, 0},
        /* In one that is a loop, and around one. */
        {"for t in 0 .. m { for s in 0 .. 3 { " STEP " } }", 1, 0},
        {"for t in 0 .. 3 { for s in 0 .. m { " STEP " } }", 1, 0},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        gf_ptx_stages stages = lay_out("const u32 K = 3 / 2;", samples[i].body);
        size_t work = 0;
        for (size_t k = 0; k < stages.step_count; k++) {
            work += stages.steps[k].kind == GF_PTX_STEP_STAGE && stages.stages[stages.steps[k].stage].segment != NULL;
        }
        if (stages.loop_count != samples[i].loops || (stages.loop_count == 0 && work != samples[i].work)) {
            fail_msg("%s: %zu loops, %zu kernels", samples[i].body, stages.loop_count, work);
        }
        drop(&stages);
    }
}

/* One kernel ends it, and nothing stands in front. */
static void unrolled_turns_share_kernels(void **state) {
    (void)state;
    gf_ptx_stages stages = lay_out("", "for t in 0 .. 20 { " STEP " }");
    assert_int_equal(stages.step_count, 41);
    assert_int_equal(stages.stage_count, 4); /* the first of the first turn, the first of others, the second, the end */
    drop(&stages);
}

static void tiles_of_sums(void **state) {
    (void)state;
    gf_ptx_stages stages = lay_out("out u32 z[n];", "let s = grid_scan_add(x[i]); z[i] = s;");
    uint32_t tile = 0;
    for (size_t i = 0; i < stages.stage_count; i++) {
        tile = stages.stages[i].tile > tile ? stages.stages[i].tile : tile;
    }
    assert_int_equal(tile, 8192);
    drop(&stages);
    /* What comes of each block is summed up behind them: there should be few. */
    stages = lay_out("out u32 z[n];", "let s = grid_scan_add(x[i]); z[i] = s; let all = grid_add(s); x[i] = all;");
    for (size_t i = 0; i < stages.stage_count; i++) {
        assert_int_equal(stages.stages[i].tile, 0);
    }
    drop(&stages);
}

static size_t first_of(const gf_ptx_stages *stages) {
    size_t i = 0;
    while (stages->stages[i].segment == NULL) {
        i++;
    }
    return i;
}

/* A kernel whose blocks have tiles of rows divides nothing, and knows its tiles before it knows its cells' values. */
static void rows_come_with_the_launch(void **state) {
    (void)state;
    gf_ptx_stages stages = lay_out_space("m, m", "", "y[gid.y * m + i] = x[gid.y * m + i] + 1;");
    assert_true(stages.stages[first_of(&stages)].by_rows);
    const char *text = stages.module.text, *tiles = strstr(text, "// tiles of segment 0"), *guard = strstr(text, "bra");
    assert_null(strstr(text, "div.u32"));
    assert_non_null(tiles);
    assert_true(guard == NULL || tiles < guard);
    drop(&stages);
    stages = lay_out("", "y[i] = x[i] + 1;");
    assert_false(stages.stages[first_of(&stages)].by_rows);
    drop(&stages);
    /* An index that a scalar of the plan goes into is known behind the scalar. */
    stages = lay_out("", "var u32 k = 0; while k < m { y[i + k] = x[i] + 1; grid_barrier; k += 4; }");
    assert_null(strstr(stages.module.text, "// tiles of segment 0"));
    drop(&stages);
}

/* Loads of a stencil in packs are under way together only in more registers than all threads of a GPU may have. */
static void packs_have_registers(void **state) {
    (void)state;
    gf_ptx_stages stages = lay_out_space("n, m", "param u32 w;\nin f32 a[n * w];\nout f32 b[n * w];\n",
                                         "let c = (gid.y + 1) * w + i + 1;\n"
                                         "b[c] = a[c - 1] + a[c + 1] + a[c - w] + a[c + w] + a[c - 2 * w] + a[c];");
    assert_non_null(strstr(stages.module.text, ".minnctapersm 2\n"));
    drop(&stages);
    stages = lay_out("", "x[i] = y[i];");
    assert_null(strstr(stages.module.text, ".minnctapersm"));
    drop(&stages);
}

static void segments_for_one(void **state) {
    (void)state;
    static const struct {
        const char *space, *body;
        bool is_for_one;
    } samples[] = {
        {"n", "if gid.x == 0 { x[0] = 1; }", true},
        {"n", "if m > 0 && gid.linear == n { x[0] = 1; x[1] = 2; }", true},
        {"n, m", "if gid.linear == 0 { x[0] = 1; }", true},
        {"n, m", "if gid.x == 0 { x[gid.y] = 1; }", false},
        {"n", "if gid.x == 0 { x[0] = 1; } else { x[i] = 1; }", false},
        {"n", "if gid.x == 0 || m > 2 { x[i] = 1; }", false},
        {"n", "if gid.x == 0 { x[0] = 1; } x[i] = 2;", false},
        {"n", "if gid.x == x[i] { y[i] = 1; }", false},
        {"n", "if gid.x != 0 { x[i] = 1; }", false},
    };
    for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
        gf_ptx_stages stages = lay_out_space(samples[k].space, "", samples[k].body);
        if (gf_ptx_is_for_one(plan->segments[0]) != samples[k].is_for_one) {
            fail_msg("%s", samples[k].body);
        }
        drop(&stages);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_turns_are_no_loop), cmocka_unit_test(packs_have_registers),
        cmocka_unit_test(segments_for_one),        cmocka_unit_test(unrolled_turns_share_kernels),
        cmocka_unit_test(tiles_of_sums),           cmocka_unit_test(rows_come_with_the_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
