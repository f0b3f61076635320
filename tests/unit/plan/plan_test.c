/* The shape of plans: what is cut, dropped, recomputed, carried, and under which role a segment gets a buffer. What the
 * plans compute is tested by running them (tests/golden, tests/conform). */
#include "base/memory.h"
#include "ir/visit.h"
#include "plan/dump.h"
#include "plan_with.h"

static gf_plan *plan_of(const char *text) {
    return plan_with(text, NULL);
}

static gf_plan *kept(const char *text) {
    return plan_with(text, &(gf_plan_options){.keep_empty = true});
}

static void expect_segments(gf_plan *plan, size_t count) {
    assert_int_equal(gf_plan_segment_count(plan), count);
    /* Each is a program of its own: its text checks, makes one segment, and prints the same again. */
    gf_diags *diags = gf_diags_create();
    for (size_t i = 0; i < count; i++) {
        char *text = gf_program_text(gf_plan_segment_program(plan, i), diags);
        assert_non_null(text);
        gf_program *again = gf_program_parse(text, strlen(text), "segment", diags);
        if (again == NULL) {
            fputs(text, stderr);
            gf_diags_print(diags, stderr);
        }
        assert_non_null(again);
        char *second = gf_program_text(again, diags);
        assert_string_equal(text, second);
        gf_free(second);
        gf_free(text);
        gf_program_destroy(again);
    }
    gf_diags_destroy(diags);
}

static const gf_crossing *crossing(const gf_plan *plan, const char *name) {
    for (size_t i = 0; i < plan->crossing_count; i++)
        if (strcmp(plan->crossings[i].symbol->name, name) == 0)
            return &plan->crossings[i];
    return NULL;
}

static gf_fate fate_of(const gf_plan *plan, const char *name) {
    const gf_crossing *found = crossing(plan, name);
    assert_non_null(found);
    return found->fate;
}

static const gf_segment_buffer *use_of(const gf_plan *plan, size_t segment, const char *name) {
    const gf_segment *s = plan->segments[segment];
    for (size_t i = 0; i < s->buffer_count; i++)
        if (strcmp(s->buffers[i].symbol->name, name) == 0)
            return &s->buffers[i];
    return NULL;
}

static void expect_role(const gf_plan *plan, size_t segment, const char *name, gf_role role) {
    const gf_segment_buffer *use = use_of(plan, segment, name);
    assert_non_null(use);
    assert_int_equal(use->role, role);
}

static bool segment_says(const gf_plan *plan, size_t segment, const char *part) {
    char *text = gf_program_text(gf_plan_segment_program((gf_plan *)plan, segment), NULL);
    bool found = strstr(text, part) != NULL;
    gf_free(text);
    return found;
}

static size_t dropped(const gf_plan *plan) {
    size_t count = 0;
    for (size_t i = 0; i < plan->barrier_count; i++)
        count += plan->barriers[i].dropped;
    return count;
}

#define HEAD "program t; param u32 n; inout u32 a[n]; inout u32 b[n]; out u32 c[n]; in u32 x[n]; shared u32 w[256];\n"

/* ---- cutting ---- */

static void k01_no_barrier_one_segment(void **state) {
    (void)state;
    gf_plan *plan = kept(HEAD "kernel (n) { let v = gid.x; if x[v] > 3 { a[v] = x[v]; } else { b[v] = 1; } }");
    expect_segments(plan, 1);
    assert_true(gf_equal_block(plan->segments[0]->tree->kernel.body, plan->program->checked->kernel.body));
    gf_plan_destroy(plan);
}

static void k02_k04_barriers_cut_in_order(void **state) {
    (void)state;
    gf_plan *plan = kept(HEAD "kernel (n) { a[gid.x] = 1; grid_barrier; b[gid.x] = a[0]; grid_barrier; "
                              "a[gid.x] = b[0]; grid_barrier; c[gid.x] = a[0]; }");
    expect_segments(plan, 4);
    assert_true(segment_says(plan, 0, "a[gid.x] = 1;"));
    assert_true(segment_says(plan, 1, "b[gid.x] = a[0];"));
    assert_true(segment_says(plan, 2, "a[gid.x] = b[0];"));
    assert_true(segment_says(plan, 3, "c[gid.x] = a[0];"));
    gf_plan_destroy(plan);
}

static void k03_regions_reappear(void **state) {
    (void)state;
    gf_plan *plan = kept(HEAD "kernel (n) { region \"r\" { { a[gid.x] = 1; grid_barrier; c[gid.x] = a[0]; } } }");
    expect_segments(plan, 2);
    assert_true(segment_says(plan, 0, "region \"r\""));
    assert_true(segment_says(plan, 1, "region \"r\""));
    assert_string_equal(plan->segments[1]->region, "r");
    gf_plan_destroy(plan);
}

static void k05_workgroup_barrier_stays(void **state) {
    (void)state;
    gf_plan *plan = kept(HEAD "kernel (n) { w[lid.x] = x[gid.x]; barrier; a[gid.x] = w[255 - lid.x]; grid_barrier; "
                              "c[gid.x] = a[0]; }");
    expect_segments(plan, 2);
    assert_true(segment_says(plan, 0, "barrier;"));
    assert_false(segment_says(plan, 0, "grid_barrier;"));
    gf_plan_destroy(plan);
}

static void k06_declarations_travel(void **state) {
    (void)state;
    gf_plan *plan = kept("program t; const u32 K = 7; param u32 n; param f32 f; in u32 x[n]; out u32 c[n];"
                         "kernel (n, 2) workgroup(8, 4) { c[gid.x] = x[gid.x] + K; grid_barrier; "
                         "if f > 1.0 { c[gid.x] = K; } }");
    expect_segments(plan, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(segment_says(plan, i, "workgroup(8, 4)"));
        assert_true(segment_says(plan, i, "kernel (n, 2)"));
        assert_true(segment_says(plan, i, "const u32 K = 7;"));
        assert_true(segment_says(plan, i, "param u32 n;"));
    }
    assert_true(segment_says(plan, 1, "param f32 f;"));
    gf_plan_destroy(plan);
}

static void b12_empty_stretches_make_no_launch(void **state) {
    (void)state;
    const char *text = HEAD "kernel (n) { grid_barrier; a[gid.x] = 1; grid_barrier; grid_barrier; c[gid.x] = a[0]; "
                            "grid_barrier; }";
    gf_plan *plan = plan_of(text);
    expect_segments(plan, 2);
    gf_plan_destroy(plan);
    plan = kept(text);
    expect_segments(plan, 5);
    gf_plan_destroy(plan);
}

static void b16_same_plan_twice(void **state) {
    (void)state;
    const char *text = HEAD "kernel (n) { var u32 s = 0; for i in 0 .. 4 { s += x[(gid.x + i) % n]; a[gid.x] = s; "
                            "grid_barrier; s ^= a[0]; grid_barrier; } c[gid.x] = s; }";
    gf_plan *one = plan_of(text), *two = plan_of(text);
    for (int format = GF_PLAN_TEXT; format <= GF_PLAN_SEGMENTS; format++) {
        char *a = gf_plan_dump(one, (gf_plan_format)format, NULL), *b = gf_plan_dump(two, (gf_plan_format)format, NULL);
        assert_string_equal(a, b);
        gf_free(a);
        gf_free(b);
    }
    gf_plan_destroy(one);
    gf_plan_destroy(two);
}

/* ---- values that cross ---- */

static void b02_loads_are_carried(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { let v = a[0]; grid_barrier; if gid.x == 0 { a[0] = 9; } grid_barrier; "
                                 "c[gid.x] = v; }");
    assert_int_equal(fate_of(plan, "v"), GF_FATE_CARRY);
    gf_plan_destroy(plan);
}

static void loads_of_what_nobody_writes_are_recomputed(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { let v = x[gid.x]; a[gid.x] = v; grid_barrier; c[gid.x] = v + a[0]; }");
    assert_int_equal(fate_of(plan, "v"), GF_FATE_RECOMPUTE);
    gf_plan_destroy(plan);
}

static void b03_results_of_atomics_are_carried(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { let t = atomic_add(a[0], 1); grid_barrier; c[t] = a[0]; }");
    assert_int_equal(fate_of(plan, "t"), GF_FATE_CARRY);
    expect_segments(plan, 2);
    assert_false(segment_says(plan, 1, "atomic_add"));
    gf_plan_destroy(plan);
}

static void b17_names_in_sibling_scopes(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { { let t = atomic_add(a[0], 1); grid_barrier; c[gid.x] = t + a[0]; } "
                                 "{ let t = x[0]; b[gid.x] = t; } }");
    expect_segments(plan, 2);
    assert_int_equal(fate_of(plan, "t"), GF_FATE_CARRY);
    gf_plan_destroy(plan);
}

static void b31_versions_of_registers(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { var u32 depth = 0; while depth < 3 { a[gid.x] = depth; depth += 1; "
                                 "b[gid.x] = depth; grid_barrier; c[gid.x] = a[0] + b[0] + depth; grid_barrier; } }");
    expect_segments(plan, 2);
    assert_int_equal(fate_of(plan, "depth"), GF_FATE_REGISTER);
    assert_int_equal(plan->segments[0]->param_count, 3); /* n and both versions */
    gf_plan_destroy(plan);
}

static void slots_are_shared_by_lives_that_do_not_overlap(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { let t = atomic_add(a[0], 1); grid_barrier; c[gid.x] = t + a[0]; "
                                 "grid_barrier; let u = atomic_add(b[0], c[0]); grid_barrier; c[gid.x] = u + b[0]; }");
    const gf_crossing *t = crossing(plan, "t"), *u = crossing(plan, "u");
    assert_non_null(t);
    assert_non_null(u);
    assert_int_equal(t->buffer, u->buffer);
    assert_int_equal(gf_plan_carried_bytes(plan), 4);
    gf_plan_destroy(plan);
}

static void arrays_of_invocations_are_carried_whole(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { var u32 q[4]; q[x[gid.x] % 4] = 1; a[gid.x] = 1; grid_barrier; "
                                 "c[gid.x] = q[2] + a[0]; }");
    expect_segments(plan, 2);
    assert_int_equal(fate_of(plan, "q"), GF_FATE_CARRY);
    assert_int_equal(crossing(plan, "q")->bytes, 16);
    gf_plan_destroy(plan);
}

static void b06_workgroup_arrays_are_saved(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { w[lid.x] = lid.x; a[gid.x] = 1; grid_barrier; c[gid.x] = w[lid.x] + "
                                 "a[0]; }");
    expect_segments(plan, 2);
    assert_int_equal(fate_of(plan, "w"), GF_FATE_SHARED);
    assert_int_equal(crossing(plan, "w")->bytes, 1024);
    gf_plan_destroy(plan);
}

static void b05_returns_by_their_condition(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { if gid.x >= 5 { return; } a[gid.x] = 1; grid_barrier; "
                                 "c[gid.x] = a[0]; }");
    expect_segments(plan, 2);
    assert_true(segment_says(plan, 1, "if gid.x >= 5"));
    gf_plan_destroy(plan);
}

static void returns_by_a_flag(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { for i in 0 .. 3 { if a[gid.x] == i { return; } } a[gid.x] = 1; "
                                 "grid_barrier; c[gid.x] = a[0]; }");
    expect_segments(plan, 2);
    assert_true(segment_says(plan, 0, "gf_returned[gid.x] = 1;"));
    assert_true(segment_says(plan, 1, "if gf_returned[gid.x] != 0"));
    gf_plan_destroy(plan);
}

static void returns_beside_saved_arrays_become_guards(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { if x[gid.x] > 1 { return; } w[lid.x] = 1; a[gid.x] = 1; grid_barrier; "
                                 "c[gid.x] = w[0] + a[0]; }");
    expect_segments(plan, 2);
    assert_true(segment_says(plan, 0, "gf_live"));
    assert_false(segment_says(plan, 0, "return;"));
    gf_plan_destroy(plan);
}

/* ---- roles ---- */

static void k14_roles_of_an_output(void **state) {
    (void)state;
    gf_plan *plan = kept("program t; param u32 n; in u32 x[n]; out u32 c[n]; out u32 d[n];"
                         "kernel (n) { if x[gid.x] > 1 { c[gid.x] = 1; } d[gid.x] = 2; grid_barrier; "
                         "if x[gid.x] > 2 { c[gid.x] = 2; } }");
    expect_segments(plan, 2);
    expect_role(plan, 0, "c", GF_ROLE_OUT);
    expect_role(plan, 1, "c", GF_ROLE_INOUT);
    expect_role(plan, 0, "x", GF_ROLE_IN);
    expect_role(plan, 0, "d", GF_ROLE_OUT);
    assert_true(use_of(plan, 0, "d")->overwrites);
    assert_false(use_of(plan, 0, "c")->overwrites);
    assert_null(use_of(plan, 1, "d")); /* B21: not touched, not in the table */
    gf_plan_destroy(plan);
}

static void b45_second_pass_finds_what_the_first_wrote(void **state) {
    (void)state;
    gf_plan *plan = plan_of("program t; param u32 n; in u32 x[n]; out u32 c[n];"
                            "kernel (n) fixpoint(2) { if x[gid.x] > 1 { c[gid.x] = 1; } }");
    expect_role(plan, 0, "c", GF_ROLE_INOUT);
    gf_plan_destroy(plan);
}

static void b01_inout_is_read_write(void **state) {
    (void)state;
    gf_plan *plan = plan_of("program t; inout u32 s[2]; out u32 r[1]; kernel (1) { s[0] = 1; grid_barrier; "
                            "r[0] = s[1]; }");
    expect_role(plan, 0, "s", GF_ROLE_INOUT);
    gf_plan_destroy(plan);
}

static void b24_everything_counts_as_a_use(void **state) {
    (void)state;
    gf_plan *plan = kept("program t; param u32 n; inout u32 a[n]; in u32 b[n]; in u32 x[n]; inout u32 q[n];"
                         "in u32 r[]; out u32 c[n];"
                         "kernel (n) { for i in 0 .. atomic_add(a[gid.x], 1) { c[gid.x] = i; } grid_barrier; "
                         "assert(b[gid.x] != 9, \"nine\"); if len(r) == 77 { trap(\"t\", x[gid.x]); } grid_barrier; "
                         "copy_async(q, 0, b, 0, 1, k); wait(k); }");
    expect_segments(plan, 3);
    expect_role(plan, 0, "a", GF_ROLE_INOUT);
    expect_role(plan, 1, "b", GF_ROLE_IN);
    expect_role(plan, 1, "x", GF_ROLE_IN);
    expect_role(plan, 1, "r", GF_ROLE_IN);
    expect_role(plan, 2, "q", GF_ROLE_INOUT);
    gf_plan_destroy(plan);
}

/* ---- dropped barriers ---- */

static void b25_barrier_that_orders_nothing(void **state) {
    (void)state;
    const char *text = HEAD "kernel (n) { let v = gid.x; a[v] = x[v]; grid_barrier; c[v] = a[v]; }";
    gf_plan *plan = plan_of(text);
    expect_segments(plan, 1);
    assert_int_equal(dropped(plan), 1);
    gf_plan_destroy(plan);
    plan = plan_with(text, &(gf_plan_options){.keep_barriers = true});
    expect_segments(plan, 2);
    gf_plan_destroy(plan);
}

static gf_level level_of_loop(const char *text) {
    gf_plan *plan = plan_of(text);
    expect_segments(plan, 1);
    const gf_block *body = plan->segments[0]->tree->kernel.body;
    const gf_stmt *loop = NULL;
    for (size_t i = 0; i < body->count; i++)
        loop = body->items[i]->kind == GF_STMT_FOR ? body->items[i] : loop;
    assert_non_null(loop);
    gf_level level = loop->level;
    gf_plan_destroy(plan);
    return level;
}

static void dissolved_loops_are_of_each_or_of_the_workgroup(void **state) {
    (void)state;
    assert_int_equal(level_of_loop(HEAD "kernel (n) { let v = gid.x; for k in 0 .. 3 { a[v] += k; grid_barrier; "
                                        "a[v] += 2; } }"),
                     GF_LEVEL_NONE);
    assert_int_equal(level_of_loop(HEAD "kernel (n) { let v = gid.x; for k in 0 .. 3 { a[v] += k; grid_barrier; "
                                        "a[v] += 2; barrier; } }"),
                     GF_LEVEL_GROUP);
}

static void b29_one_of_two_stays(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { a[gid.x] = 5; grid_barrier; b[gid.x] = 1; grid_barrier; "
                                 "c[gid.x] = a[gid.x + 1]; }");
    expect_segments(plan, 2);
    assert_int_equal(dropped(plan), 1);
    gf_plan_destroy(plan);
    /* With two axes gid.x is nobody's own. */
    plan = plan_of("program t; param u32 n; scratch u32 a[n]; scratch u32 b[n]; out u32 c[n]; kernel (n, n) { "
                   "a[gid.x] = 5; grid_barrier; b[gid.x] = 1 + a[gid.x]; grid_barrier; c[gid.x] = b[gid.x]; }");
    expect_segments(plan, 3);
    assert_int_equal(dropped(plan), 0);
    gf_plan_destroy(plan);
}

/* An item of a forall is the same invocation behind the barrier only where both ranges surely are one. */
static void b29_ranges_of_foralls(void **state) {
    (void)state;
    static const struct {
        const char *body;
        size_t dropped;
    } cases[] = {
        {"forall i in 0 .. n { a[i] = 1; } grid_barrier; forall i in 0 .. n { c[i] = a[i]; }", 1},
        {"forall i in 0 .. n { a[i] = 1; } grid_barrier; forall i in 1 .. n { c[i] = a[i]; }", 0},
        {"forall i in 0 .. n { a[i] = 1; } grid_barrier; forall i in 0 .. 8 { c[i] = a[i]; }", 0},
        {"var u32 k = 2; forall i in 0 .. k { a[i] = 1; } k += 1; grid_barrier; forall i in 0 .. k { c[i] = a[i]; }",
         0},
        {"a[gid.x] = 1; grid_barrier; forall i in 0 .. n { c[i] = a[i]; }", 0},
        {"forall i in 0 .. n { a[i] = 1; } forall i in 0 .. 8 { a[i] = 2; } grid_barrier; "
         "forall i in 0 .. n { c[i] = a[i]; }",
         0},
        {"c[gid.x] = a[gid.x]; grid_barrier; must(gid.x);", 0},
        {"w[lid.x] = 1; grid_barrier; c[gid.x] = w[lid.x];", 1},
        {"w[lid.x] = 1; grid_barrier; c[gid.x] = w[lid.x + 1];", 0},
        {"a[0] = 1; a[gid.x] = 2; grid_barrier; c[gid.x] = a[gid.x];", 0},
        {"c[gid.x] = a[gid.x]; grid_barrier; a[gid.x] = 1; a[0] = 2;", 0},
        {"c[gid.x] = a[gid.x]; grid_barrier; assert(n > 0, \"some\");", 0},
        {"assert(n > 0, \"some\"); grid_barrier; c[gid.x] = a[gid.x];", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "fn must(u32 i) { assert(i < 100, \"few\"); }\nkernel (n) { %s }",
                 cases[i].body);
        gf_plan *plan = plan_of(text);
        if (dropped(plan) != cases[i].dropped)
            print_error("%s\n", cases[i].body);
        assert_int_equal(dropped(plan), cases[i].dropped);
        gf_plan_destroy(plan);
    }
}

static void b30_loaded_head_keeps_its_edges(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { grid while a[0] != 0 { a[gid.x] = 0; } }");
    assert_int_equal(dropped(plan), 0);
    assert_int_equal(plan->body->items[0]->kind, GF_PLAN_WHILE);
    gf_plan_destroy(plan);
}

static void traps_keep_barriers(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { a[gid.x] = 1; assert(x[gid.x] != 9, \"nine\"); grid_barrier; "
                                 "b[gid.x] = 1; }");
    expect_segments(plan, 2);
    gf_plan_destroy(plan);
}

static void constructs_without_barriers_dissolve(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "kernel (n) { a[gid.x] = 0; grid for i in 0 .. 4 { a[gid.x] += i; } }");
    expect_segments(plan, 1);
    assert_int_equal(plan->body->count, 1);
    gf_plan_destroy(plan);
}

static void b52_scalar_constructs_cost_no_launch(void **state) {
    (void)state;
    gf_plan *plan = plan_of(HEAD "param u32 tol = 3; kernel (n) { var u32 it = 0; var u32 goal = 0; while it < 5 { "
                                 "let rr = grid_add(a[gid.x]); if it == 0 { goal = tol * rr; } it += 1; "
                                 "if rr > goal { break; } a[gid.x] += 1; } c[gid.x] = goal; }");
    assert_int_equal(fate_of(plan, "goal"), GF_FATE_REGISTER);
    expect_segments(plan, 3); /* values, a += 1, c = goal */
    gf_plan_destroy(plan);
}

/* ---- the workgroup level, exits ---- */

static void the_same_splitter_at_the_workgroup_level(void **state) {
    (void)state;
    gf_plan *plan = plan_with(HEAD "kernel (n) { w[lid.x] = x[gid.x]; let t = atomic_add(a[gid.x], 1); barrier; "
                                   "c[gid.x] = w[255 - lid.x] + t; }",
                              &(gf_plan_options){.workgroup = true});
    assert_int_equal(gf_plan_segment_count(plan), 2);
    assert_int_equal(fate_of(plan, "t"), GF_FATE_CARRY);
    gf_plan_destroy(plan);
    gf_diags *diags = gf_diags_create();
    const char *text = "program t; out u32 c[1]; kernel (1) { c[0] = 1; grid_barrier; c[0] = 2; }";
    gf_program *program = gf_program_parse(text, strlen(text), "t.gf", diags);
    assert_null(gf_plan_create(program, &(gf_plan_options){.workgroup = true}, diags));
    assert_int_equal(gf_diags_error_count(diags), 1);
    gf_program_destroy(program);
    gf_diags_destroy(diags);
}

static bool no_exits(void *user, const gf_plan_visit *node) {
    bool *found = user;
    *found |= node->kind == GF_PLAN_BREAK || node->kind == GF_PLAN_CONTINUE || node->kind == GF_PLAN_RETURN ||
              node->kind == GF_PLAN_FOR;
    return true;
}

static void exits_become_registers(void **state) {
    (void)state;
    gf_plan *plan = plan_with(HEAD "kernel (n) { for i in 0 .. 9 { a[gid.x] += b[0]; grid_barrier; if i == 3 { "
                                   "continue; } b[gid.x] = a[0]; grid_barrier; if i == 5 { break; } if n == 77 { "
                                   "return; } } c[gid.x] = a[0]; }",
                              &(gf_plan_options){.lower_exits = true});
    bool found = false;
    assert_true(gf_plan_walk(plan, no_exits, &found));
    assert_false(found);
    gf_plan_destroy(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k01_no_barrier_one_segment),
        cmocka_unit_test(k02_k04_barriers_cut_in_order),
        cmocka_unit_test(k03_regions_reappear),
        cmocka_unit_test(k05_workgroup_barrier_stays),
        cmocka_unit_test(k06_declarations_travel),
        cmocka_unit_test(b12_empty_stretches_make_no_launch),
        cmocka_unit_test(b16_same_plan_twice),
        cmocka_unit_test(b02_loads_are_carried),
        cmocka_unit_test(loads_of_what_nobody_writes_are_recomputed),
        cmocka_unit_test(b03_results_of_atomics_are_carried),
        cmocka_unit_test(b17_names_in_sibling_scopes),
        cmocka_unit_test(b31_versions_of_registers),
        cmocka_unit_test(slots_are_shared_by_lives_that_do_not_overlap),
        cmocka_unit_test(arrays_of_invocations_are_carried_whole),
        cmocka_unit_test(b06_workgroup_arrays_are_saved),
        cmocka_unit_test(b05_returns_by_their_condition),
        cmocka_unit_test(returns_by_a_flag),
        cmocka_unit_test(returns_beside_saved_arrays_become_guards),
        cmocka_unit_test(k14_roles_of_an_output),
        cmocka_unit_test(b45_second_pass_finds_what_the_first_wrote),
        cmocka_unit_test(b01_inout_is_read_write),
        cmocka_unit_test(b24_everything_counts_as_a_use),
        cmocka_unit_test(b25_barrier_that_orders_nothing),
        cmocka_unit_test(dissolved_loops_are_of_each_or_of_the_workgroup),
        cmocka_unit_test(b29_one_of_two_stays),
        cmocka_unit_test(b29_ranges_of_foralls),
        cmocka_unit_test(b30_loaded_head_keeps_its_edges),
        cmocka_unit_test(traps_keep_barriers),
        cmocka_unit_test(constructs_without_barriers_dissolve),
        cmocka_unit_test(b52_scalar_constructs_cost_no_launch),
        cmocka_unit_test(the_same_splitter_at_the_workgroup_level),
        cmocka_unit_test(exits_become_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
