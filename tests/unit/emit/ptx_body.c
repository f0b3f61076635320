/* What stands in the bodies that PTX kernels have: which loops look at the stop word, where arrays lie and how much
 * room they take, which accesses are guarded, how long the code of a possible fault is. That the code is right is
 * tested by running it: tests/suites/17-golden-fake-cuda.sh, and on a GPU. */
#include "base/memory.h"
#include "emit/ptx/abi.h"
#include "emit/ptx/stages.h"
#include "plan/plan.h"
#include "unit/unit.h"
#include <gridfence/program.h>

static gf_ptx_module made;
static gf_plan *plan;

static const char *emit_with(const char *text, gf_ptx_options options) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "test.gf", diags);
    gf_plan_options asked = {.keep_empty = options.checked};
    plan = program != NULL ? gf_plan_create(program, &asked, diags) : NULL;
    options.threads = options.threads > 0 ? options.threads : 512;
    if (plan == NULL || !gf_ptx_emit_whole(plan, &options, &made, diags)) {
        gf_diags_print(diags, stderr);
        fail();
    }
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return made.text;
}

static const char *emit(const char *text) {
    return emit_with(text, (gf_ptx_options){0});
}

static int tear_down(void **state) {
    (void)state;
    gf_ptx_module_finish(&made);
    gf_plan_destroy(plan);
    plan = NULL;
    return 0;
}

static size_t count(const char *text, const char *what) {
    size_t found = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) {
        found++;
    }
    return found;
}

/* The code of the last statement whose remark ends in `what`, up to the next remark; freed by the caller. */
static char *code_of(const char *text, const char *what) {
    const char *remark = NULL;
    char line[128];
    (void)snprintf(line, sizeof line, ": %s\n", what);
    for (const char *at = strstr(text, line); at != NULL; at = strstr(at + 1, line)) {
        remark = at;
    }
    if (remark == NULL) {
        print_error("no remark says `%s` in\n%s", what, text);
        fail();
    }
    const char *begin = strchr(remark, '\n') + 1, *end = strstr(begin, "    //");
    size_t length = end != NULL ? (size_t)(end - begin) : strlen(begin);
    char *code = strndup(begin, length);
    assert_non_null(code);
    return code;
}

/* ---- loops ---- */

#define HEAD "program p; param u32 n; param u64 most; inout u32 a[n]; "
/* Where the stop word in the state is looked at; an argument may lie as far from the first. */
static const char *find_look(const char *text) {
    static const char argument[] = "[gf_args";
    const char *at = strstr(text, "+128];");
    while (at != NULL && strncmp(at - strlen(argument), argument, strlen(argument)) == 0) {
        at = strstr(at + 1, "+128];");
    }
    return at;
}

static void loops_that_end(void **state) {
    (void)state;
    assert_int_equal(GF_PTX_STATE_STOP, 128);
    const char *text = emit(HEAD "kernel (n) { var u32 s = 0; for i in 0 .. n step 3 { s += i; } "
                                 "for i in u64(0) .. 100 { s += u32(i); } a[gid.x] = s; }");
    assert_null(find_look(text));
}

/* Long rows are shared by the grid where it meets anyway; a kernel that is one segment is launched without that. */
#define ROWS                                                                                                           \
    HEAD "in u32 first[n + 1]; in u32 col[]; kernel (n) { for e in first[gid.x] .. first[gid.x + 1] { "                \
         "atomic_add(a[col[e]], 1); } "

static void rows_of_one_segment(void **state) {
    (void)state;
    assert_int_equal(count(emit(ROWS "}"), "// grid barrier"), 0);
}

static void rows_before_a_barrier(void **state) {
    (void)state;
    assert_int_equal(count(emit(ROWS "grid_barrier; a[gid.x] += a[0]; }"), "// pieces of rows"), 1);
}

/* Nobody waits between segments that no barrier of the program parts; but where a row may have been left to the grid,
 * and where both may trap, for the first is told of. */
static void segments_of_one_stretch(void **state) {
    (void)state;
    static const struct {
        const char *body;
        size_t barriers;
    } cases[] = {
        {"a[gid.x] = 1; forall i in 0 .. n { b[i] = 1; } forall i in 0 .. n { c[i] = 1; }", 0},
        {"a[gid.x] = 1; grid_barrier; forall i in 0 .. n { b[i] = a[i]; }", 1},
        {"assert(n > 3, \"few\"); forall i in 0 .. n { b[i] = 1; }", 0},
        {"forall i in 0 .. n { b[i] = 1; } assert(n > 3, \"few\");", 1},
        {"for e in a[gid.x] .. a[gid.x + 1] { atomic_add(b[e], 1); } forall i in 0 .. n { c[i] = 1; }", 2},
        {"forall i in 0 .. n { c[i] = 1; } for e in a[gid.x] .. a[gid.x + 1] { atomic_add(b[e], 1); }", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, HEAD "inout u32 b[n]; out u32 c[n]; kernel (n) { %s }", cases[i].body);
        size_t found = count(emit(text), "// grid barrier");
        if (found != cases[i].barriers) {
            print_message("%s: %zu barriers\n", cases[i].body, found);
        }
        assert_int_equal(found, cases[i].barriers);
        (void)tear_down(NULL);
    }
}

static void loops_that_may_not(void **state) {
    (void)state;
    const char *text = emit(HEAD "kernel (n) { var u32 s = 0; while s * s != n { s += 1; } "
                                 "for i in 0 .. most { s += u32(i); } loop { s += a[s]; if s > n { break; } } "
                                 "a[gid.x] = s; }");
    assert_int_equal(count(text, "ld.relaxed.gpu.global.u32"), 3);
    /* Each leaves by telling that it did: word LEFT of the outcome. */
    assert_int_equal(count(text, "st.relaxed.sys.global.u32"), 3);
}

/* Who goes on to the next turn by `continue` counts it too. */
static void continue_counts(void **state) {
    (void)state;
    const char *text = emit(HEAD "kernel (n) {\n var u32 s = 0;\n loop {\n s += 1;\n if s % 2 == 0 {\n continue;\n }\n"
                                 "if s > n {\n break;\n }\n }\n a[gid.x] = s;\n }");
    char *code = code_of(text, "continue;");
    const char *jump = strstr(code, "bra ");
    assert_non_null(jump);
    char label[16];
    (void)snprintf(label, sizeof label, "\n%.*s:\n", (int)strcspn(jump + 4, ";"), jump + 4);
    /* Forward, to where turns are counted, and not back to the head. */
    const char *place = strstr(text, label);
    assert_true(place != NULL && place > strstr(text, ": continue;"));
    assert_true(strstr(place, ", 0x00010000;") != NULL);
    free(code);
}

static void loops_in_loops_share_a_counter(void **state) {
    (void)state;
    const char *text = emit(HEAD "kernel (n) { var u32 s = 0; while s < n { while a[s] != 0 { s += a[s]; } s += 1; } "
                                 "a[gid.x] = s; }");
    assert_int_equal(count(text, "selp.b32"), 1); /* where it begins: at its end for who has left a loop before */
}

/* A loop of the plan whose turns meet nowhere meets now and then. */
static void plan_loops(void **state) {
    (void)state;
    const char *text = emit(HEAD "kernel { var u32 x = 1; grid while x * x < n { x += 1; } "
                                 "forall i in 0 .. x { a[i] = x; } }");
    assert_true(made.has_barrier);
    assert_int_equal(count(text, "// grid barrier"), 1);
}

/* Who computes a bound of the plan by a loop may have left it: all agree before anybody goes by the value. */
static void loops_in_scalars(void **state) {
    (void)state;
    const char *text = emit("program p; param u32 n; inout u32 a[n]; scratch u32 b[n]; fn u32 root(u32 x) { "
                            "var u32 r = 1; while r * r < x { r += 1; } return r; } "
                            "kernel (n) workgroup(32) { grid for i in 0 .. root(n) { b[gid.x] = a[n - 1 - gid.x]; "
                            "grid_barrier; a[gid.x] = b[gid.x] + 1; grid_barrier; } }");
    const char *look = find_look(text), *meet = strstr(text, "// grid barrier"),
               *segment = strstr(text, "// segment 0");
    assert_true(look != NULL && meet != NULL && segment != NULL && look < meet && meet < segment);
}

/* ---- arrays of an invocation ---- */

static void arrays_share_room(void **state) {
    (void)state;
    (void)emit(HEAD
               "kernel (n) { let k = a[gid.x]; var u32 x[10]; if k > 1 { var f64 y[8]; y[k] = 1.0; x[k] = u32(y[3]); } "
               "else { var u8 z[100]; z[k] = 1; x[k] = z[2]; } a[gid.x] = x[k % 10]; }");
    assert_int_equal(made.local_bytes, 48 + 112); /* x, and the larger of the others */
    assert_int_equal(made.thread_bytes, 0);
}

static void large_arrays(void **state) {
    (void)state;
    const char *text = emit(HEAD "kernel (n) { let k = a[gid.x]; var u32 x[2040]; var u32 y[10]; var u16 z[70000]; "
                                 "x[k] = 1; y[k] = x[k + 1];\n z[k] = 5;\n a[gid.x] = y[k] + z[k] + x[2]; }");
    assert_int_equal(made.local_bytes, 2040 * 4); /* what fits into 8 KiB */
    assert_int_equal(made.thread_bytes, 48 + 140000);
    char *code = code_of(text, "z[k] = 5;");
    /* Elements of one index lie side by side: an index goes as far as all threads are wide. */
    assert_int_equal(count(code, "mad.wide.u32"), 1);
    assert_int_equal(count(code, " st.global.u16"), 1);
    free(code);
}

static void arrays_of_segments(void **state) {
    (void)state;
    (void)emit(HEAD "kernel (n) { { var u32 x[300]; x[a[gid.x]] = 2; a[gid.x] = x[1]; } grid_barrier; "
                    "{ var u32 y[200]; y[a[n - 1 - gid.x]] = 2; a[gid.x] += y[1]; } }");
    assert_int_equal(made.local_bytes, 1200);
}

#define CROSSES(length)                                                                                                \
    "program p; param u32 n; out u32 a[n]; shared u32 s[256]; kernel groups(n / 256) workgroup(256) { "                \
    "var u32 x[" length "]; for i in 0 .. 10 { x[i] = gid.x + i; } s[lid.x] = x[3]; barrier; "                         \
    "let other = s[255 - lid.x];\n a[gid.x] = x[other % 10];\n }"

static void arrays_over_barriers_of_workgroups(void **state) {
    (void)state;
    const char *text = emit(CROSSES("10"));
    assert_int_equal(made.local_bytes, 48 + 48); /* x, and what it is saved in */
    assert_int_equal(made.block_bytes, 0);
    assert_int_equal(count(text, "st.relaxed.gpu.global"), 0);
    (void)tear_down(NULL);
    (void)emit(CROSSES("100")); /* 400 bytes of each thread: memory of the block */
    assert_int_equal(made.local_bytes, 400);
    assert_int_equal(made.block_bytes, 256 * 400);
}

/* ---- guards ---- */

static void expect_guard(const char *body, const char *statement, bool guarded) {
    char program[1024];
    (void)snprintf(program, sizeof program,
                   "program p; param u32 n; inout u32 a[n]; shared u32 s[256]; fn u32 half(u32 x) { return x / 2; } "
                   "kernel groups(n) workgroup(256) {\n%s\nbarrier;\na[gid.x] = s[0];\n}",
                   body);
    char *code = code_of(emit(program), statement);
    const char *store = strstr(code, "st.shared");
    if (store == NULL || (store > code + 1 && store[-2] != ' ') != guarded) { /* "@%p7 st.shared" */
        print_error("`%s`, which %s a guard:\n%s", statement, guarded ? "wants" : "wants no", code);
        fail();
    }
    free(code);
    (void)tear_down(NULL);
}

static void indices_that_fit(void **state) {
    (void)state;
    expect_guard("s[lid.x] = 1;", "s[lid.x] = 1;", false);
    expect_guard("s[lid.x + 1] = 1;", "s[lid.x + 1] = 1;", true);
    expect_guard("s[255 - lid.x] = 1;", "s[255 - lid.x] = 1;", false);
    expect_guard("s[254 - lid.x] = 1;", "s[254 - lid.x] = 1;", true);
    expect_guard("let k = a[0];\n s[k % 256] = 1;", "s[k % 256] = 1;", false);
    expect_guard("let k = a[0];\n s[k % 257] = 1;", "s[k % 257] = 1;", true);
    expect_guard("let k = a[0];\n s[k % lid.x] = 1;", "s[k % lid.x] = 1;", false); /* by 0: 0 */
    expect_guard("let k = min(a[0], 17) * 15;\n s[k] = 1;", "s[k] = 1;", false);
    expect_guard("let k = min(a[0], 17) * 16;\n s[k] = 1;", "s[k] = 1;", true);
    expect_guard("let k = a[0] >> 24;\n s[k] = 1;", "s[k] = 1;", false);
    expect_guard("let k = a[0] >> 23;\n s[k] = 1;", "s[k] = 1;", true);
    expect_guard("let k = lid.x ^ 128;\n s[k] = 1;", "s[k] = 1;", false);
    expect_guard("let k = lid.x ^ 256;\n s[k] = 1;", "s[k] = 1;", true);
    expect_guard("for i in 0 .. 8 {\n s[i * 32 + lid.x / 8] = 1;\n }", "s[i * 32 + lid.x / 8] = 1;", false);
    expect_guard("for i in 0 .. 9 {\n s[i * 32 + lid.x / 8] = 1;\n }", "s[i * 32 + lid.x / 8] = 1;", true);
    expect_guard("let k = half(lid.x) + half(256);\n s[k] = 1;", "s[k] = 1;", false);
    expect_guard("let k = half(lid.x) + half(258);\n s[k] = 1;", "s[k] = 1;", true);
    expect_guard("var u32 k = 3;\n k += a[0];\n s[k] = 1;", "s[k] = 1;", true);
    expect_guard("let k = 4294967295 * a[0];\n s[k] = 1;", "s[k] = 1;", true);
    expect_guard("let k = i32(lid.x);\n s[k] = 1;", "s[k] = 1;", true); /* only unsigned ones are looked at */
}

/* ---- faults ---- */

static size_t lines_of(const char *text) {
    return count(text, "\n");
}

static void faults_are_short(void **state) {
    (void)state;
    const char *program = "program p; param u32 n; in u32 a[n]; out u32 b[n]; kernel (n) { "
                          "b[gid.x] = a[a[a[a[gid.x]]]]; }";
    size_t plain = lines_of(emit(program));
    (void)tear_down(NULL);
    const char *text = emit_with(program, (gf_ptx_options){.checked = true});
    assert_int_equal(made.place_count, 5);
    assert_int_equal(count(text, "atom.acquire"), 1); /* told once, behind */
    assert_true(lines_of(text) < plain + 90);
}

/* What the program cannot do wrong takes nothing. */
static void nothing_to_tell(void **state) {
    (void)state;
    const char *text = emit("program p; param u32 n; out u32 b[n]; kernel (n) { b[gid.x] = gid.x; }");
    assert_int_equal(count(text, "gf_note"), 0);
}

/* ---- blocks of a multiprocessor ---- */

static size_t blocks_for(const char *arrays, uint32_t sm_shared) {
    char text[256];
    (void)snprintf(text, sizeof text,
                   "program p; param u32 n; out u32 a[n]; %s kernel groups(n / 256) workgroup(256) { s[lid.x] = 1; "
                   "barrier; a[gid.x] = s[255 - lid.x]; }",
                   arrays);
    gf_ptx_options options = {.threads = 256, .sm_shared = sm_shared};
    const char *at = strstr(emit_with(text, options), ".minnctapersm ");
    size_t blocks = at != NULL ? strtoul(at + strlen(".minnctapersm "), NULL, 10) : 0;
    (void)tear_down(NULL);
    return blocks;
}

/* As many as their arrays leave room for, but no more than 48 registers of a thread do; of small arrays nothing is
 * said. */
static void blocks_that_arrays_allow(void **state) {
    (void)state;
    assert_int_equal(blocks_for("shared u32 s[11000];", 233472), 5);
    assert_int_equal(blocks_for("shared u32 s[8000];", 233472), 5);
    assert_int_equal(blocks_for("shared u32 s[18000];", 233472), 3);
    assert_int_equal(blocks_for("shared u32 s[6000];", 233472), 0);
    assert_int_equal(blocks_for("shared u32 s[256];", 233472), 0);
    assert_int_equal(blocks_for("shared u32 s[11000];", 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(loops_that_end, tear_down),
                                       cmocka_unit_test_teardown(rows_of_one_segment, tear_down),
                                       cmocka_unit_test_teardown(rows_before_a_barrier, tear_down),
                                       cmocka_unit_test_teardown(segments_of_one_stretch, tear_down),
                                       cmocka_unit_test_teardown(loops_that_may_not, tear_down),
                                       cmocka_unit_test_teardown(continue_counts, tear_down),
                                       cmocka_unit_test_teardown(loops_in_loops_share_a_counter, tear_down),
                                       cmocka_unit_test_teardown(plan_loops, tear_down),
                                       cmocka_unit_test_teardown(loops_in_scalars, tear_down),
                                       cmocka_unit_test_teardown(arrays_share_room, tear_down),
                                       cmocka_unit_test_teardown(large_arrays, tear_down),
                                       cmocka_unit_test_teardown(arrays_of_segments, tear_down),
                                       cmocka_unit_test_teardown(arrays_over_barriers_of_workgroups, tear_down),
                                       cmocka_unit_test(indices_that_fit),
                                       cmocka_unit_test_teardown(faults_are_short, tear_down),
                                       cmocka_unit_test(blocks_that_arrays_allow),
                                       cmocka_unit_test_teardown(nothing_to_tell, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
