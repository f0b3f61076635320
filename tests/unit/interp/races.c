/* Programs with a race and without: every pair of accesses that nothing orders is found, and no other. */
#include "unit/interp/job.h"

#define HEAD                                                                                                           \
    "program t;\nparam u32 n = 8;\ninout u32 x[16];\nscratch u32 y[16];\nscratch u32 z[16];\n"                         \
    "fn put(u32 i, u32 v) { y[i] = v; }\n"

static void run(const char *space, const char *body, size_t races) {
    char text[8192];
    snprintf(text, sizeof text, HEAD "%skernel %s {\n%s\n}\n", space[0] == 0 ? "" : "shared u32 w[8];\n", space, body);
    job j;
    job_open(&j, text);
    job_set(&j, "n", 8);
    j.launch.races = true;
    j.launch.max_passes = 3;
    bool fine = job_go(&j);
    if (fine != (races == 0) || gf_diags_error_count(j.diags) != races) {
        gf_diags_print(j.diags, stderr);
        fail_msg("%zu races, not %zu, in: %s", gf_diags_error_count(j.diags), races, body);
    }
    for (size_t i = 0; i < gf_diags_error_count(j.diags); i++) {
        gf_diag diag;
        assert_true(gf_diags_get(j.diags, i, &diag));
        assert_string_equal(diag.name, "race");
        assert_int_equal(diag.note_count, 2);
    }
    job_close(&j);
}

static void races(void **state) {
    (void)state;
    static const char *const four = "(4) workgroup(2)";
    run(four, "y[0] = gid.x;", 1);
    run(four, "y[gid.x] = 1; x[gid.x] = y[(gid.x + 1) % 4];", 1);
    run(four, "x[gid.x] = y[(gid.x + 1) % 4]; y[gid.x] = 1;", 1);
    run(four, "if gid.x == 0 { y[0] = 1; } else { x[gid.x] = y[0]; }", 1);
    run(four, "if gid.x == 3 { y[0] = 1; } else { x[gid.x] = y[0]; }", 1);
    run(four, "atomic_add(y[0], 1); x[gid.x] = y[0];", 1);
    run(four, "if gid.x == 1 { y[0] = 1; } else { atomic_add(y[0], 1); }", 1);
    run(four, "if gid.x == 1 { y[0] = 1; } else { x[gid.x] = atomic_load(y[0]); }", 1);
    /* A store of the value that is there is a store. */
    run(four, "y[0] = 0; x[gid.x] = y[0];", 1);
    /* barrier orders the workgroup alone. */
    run(four, "y[gid.x] = 1; barrier; x[gid.x] = y[3 - gid.x];", 1);
    /* Inside one workgroup, on its array, before and behind the barrier. */
    run("groups(1) workgroup(4)", "w[lid.x] = 1; x[gid.x] = w[3 - lid.x];", 1);
    run("groups(2) workgroup(4)", "w[lid.x] = 1; barrier; x[gid.x] = w[3 - lid.x]; w[lid.x] = 2;", 1);
    /* The back edge of a loop: what one turn writes is read by another workgroup in the next; a turn of a loop of the
     * workgroup orders that workgroup alone. */
    run("groups(2) workgroup(2)", "for i in 0 .. 3 { x[gid.x] = y[3 - gid.x]; barrier; y[gid.x] = i; }", 1);
    run("groups(1) workgroup(4)", "for i in 0 .. 3 { x[gid.x] = y[3 - gid.x]; barrier; y[gid.x] = i; }", 0);
    run("groups(1) workgroup(4)", "for i in 0 .. 3 { x[gid.x] = y[3 - gid.x]; y[gid.x] = i; }", 1);
    run("(4) workgroup(4)", "for i in 0 .. 3 { y[gid.x] = i; grid_barrier; x[gid.x] = y[3 - gid.x]; }", 0);
    /* Epochs of one workgroup count for the workgroups to come, whatever came behind them. */
    run(four, "if gid.x == 0 { y[0] = 1; } barrier; if gid.x == 1 { y[0] = 2; } barrier; if gid.x == 2 { y[0] = 2; }",
        1);
    run(four,
        "if gid.x == 0 { let a = y[0]; x[8] = a; } barrier; if gid.x == 1 { x[9] = y[0]; } barrier;"
        " if gid.x == 3 { y[0] = 2; }",
        1); /* of two such loads the later one stands for both */
    /* Two values by one invocation, then one of them by another. */
    run(four, "if gid.x == 0 { y[0] = 1; y[0] = 2; } if gid.x == 1 { y[0] = 2; }", 1);
    run(four, "if gid.x == 0 { y[0] = 1; y[0] = 2; } if gid.x == 3 { y[0] = 1; }", 1);
    /* Two write one value, before and behind a barrier: of the later ones both count. */
    run("groups(1) workgroup(4)",
        "if lid.x < 2 { y[0] = 1; } barrier; if lid.x < 2 { y[0] = 1; } forall i in 0 .. 4 { z[i] = i; }"
        " if lid.x == 0 { x[0] = y[0]; }",
        1);
    /* The first reader is the writer: the second one counts. */
    run(four, "x[gid.x] = y[5]; if gid.x == 0 { y[5] = 1; }", 1);
    run(four, "x[gid.x] = y[5]; if gid.x == 3 { y[5] = 1; }", 1);
    /* Items of a forall, two foralls, a forall and what stands around it. */
    run("", "forall i in 0 .. 4 { y[0] = i; }", 1);
    run("", "forall i in 0 .. 4 { y[i] = 1; } forall i in 0 .. 4 { x[i] = y[i]; }", 1);
    run("", "x[0] = 1; forall i in 0 .. 4 { x[i] = 2; }", 1);
    run("", "forall i in 0 .. 4 { x[i] = 2; } x[0] = 1;", 1);
    /* A head of the workgroup against another workgroup. */
    run(four, "group if y[wid.x] == 0 { barrier; } if gid.x == 2 { y[0] = 1; }", 1);
    /* A copy may happen up to its wait. */
    run(four,
        "if gid.x == 0 { copy_async(y, 0, z, 0, 4, t); } barrier; if gid.x == 1 { x[1] = y[2]; } barrier;"
        " if gid.x == 0 { wait(t); }",
        1);
    run(four, "if gid.x == 0 { copy_async(y, 0, z, 0, 4, t); wait(t); } x[gid.x] = y[gid.x];", 1);
    /* A forall that is no barrier: workgroups come back and go on where they were. */
    static const char *const between = "forall i in 0 .. 4 { z[i] = i; }";
    char body[256];
    snprintf(body, sizeof body, "barrier; y[gid.x] = gid.x; %s x[gid.x] = y[gid.x ^ 1];", between);
    run(four, body, 1);
    snprintf(body, sizeof body, "w[lid.x] = gid.x; %s x[gid.x] = w[lid.x ^ 1];", between);
    run(four, body, 1);
    snprintf(body, sizeof body, "x[gid.x] = y[5]; %s if gid.x == 0 { y[5] = 1; }", between);
    run("(2) workgroup(1)", body, 1);
    /* A head is evaluated by all of the workgroup: the one who copies is not alone. */
    run(four, "if lid.x == 0 { copy_async(w, 0, z, 0, 2, t); } group if w[0] == 0 { x[gid.x] = 1; }", 1);
    /* Stores from a function; a select reads what it takes. */
    run(four, "put(0, gid.x);", 1);
    run(four, "y[gid.x] = 1; x[gid.x] = select(gid.x == 1, y[2], 0);", 1);
    /* Several pairs of lines. */
    run(four, "y[0] = gid.x;\ny[1] = gid.x;\nz[0] = gid.x;", 3);
}

static void no_races(void **state) {
    (void)state;
    static const char *const four = "(4) workgroup(2)";
    run(four, "y[gid.x] = gid.x; x[gid.x] = y[gid.x]; y[gid.x] += 1;", 0);
    run(four, "y[0] = 7; z[0] = 7;", 0);
    run(four, "x[gid.x] = y[0] + y[0];", 0);
    run(four, "y[gid.x] = 1; grid_barrier; x[gid.x] = y[3 - gid.x]; grid_barrier; y[gid.x] = 2;", 0);
    run(four, "atomic_add(y[0], 1); x[gid.x] = atomic_load(y[0]); atomic_store(y[0], 3);", 0);
    run(four, "x[gid.x] = y[0] + atomic_load(y[0]);", 0);
    run("groups(2) workgroup(4)", "w[lid.x] = 1; barrier; x[gid.x] = w[3 - lid.x]; barrier; w[3 - lid.x] = 2;", 0);
    run("groups(2) workgroup(2)", "y[gid.x] = 1; barrier; x[gid.x] = y[gid.x ^ 1];", 0);
    run("groups(2) workgroup(2)", "for i in 0 .. 3 { w[lid.x] = i; barrier; x[gid.x] += w[1 - lid.x]; barrier; }", 0);
    run("groups(2) workgroup(2)", "w[lid.x] = 1; let s = group_add(w[lid.x]); x[gid.x] = w[1 - lid.x] + s;", 0);
    run(four, "if gid.x == 0 { y[0] = 1; } barrier; if gid.x == 1 { y[0] = 2; } barrier; if gid.x == 0 { y[0] = 3; }",
        0);
    run("", "forall i in 0 .. 4 { y[i] = i; } grid_barrier; forall i in 0 .. 4 { x[i] = y[3 - i]; }", 0);
    run("",
        "var u32 s = 0; forall i in 0 .. 4 reduce(add s) { y[i] = i; s += 1; } forall i in 0 .. 4 { x[i] = y[3 - i]; }",
        0);
    run("", "y[0] = 3; grid_barrier; forall i in 0 .. 4 { x[i] = y[0]; } grid_barrier; y[0] = 1;", 0);
    run(four, "y[gid.x] = gid.x; barrier; forall i in 0 .. 4 { z[i] = i; } x[gid.x] = y[gid.x ^ 1];", 0);
    run(four, "w[lid.x] = 1; barrier; forall i in 0 .. 4 { z[i] = i; } x[gid.x] = w[lid.x ^ 1];", 0);
    run(four, "w[lid.x] = 1; forall i in 0 .. 4 { z[i] = i; } x[gid.x] = w[lid.x];", 0);
    /* Heads lie between barriers. */
    run(four, "grid while y[0] < 3 { if gid.x == 2 { y[0] += 1; } }", 0);
    run(four, "y[gid.x] = 2; let a = grid_load(y[1]); y[gid.x] = a;", 0);
    run("groups(2) workgroup(2)", "group while w[0] < 3 { if lid.x == 1 { w[0] += 1; } } x[gid.x] = w[0];", 0);
    /* What select does not take is not read. */
    run(four, "y[gid.x] = 1; x[gid.x] = select(gid.x > 9, y[(gid.x + 1) % 4], 0);", 0);
    run(four, "if gid.x == 0 { copy_async(y, 0, z, 0, 4, t); wait(t); } grid_barrier; x[gid.x] = y[gid.x];", 0);
    run(four, "swap(y, z); y[gid.x] = 1; swap(y, z); z[3 - gid.x] = 2; x[gid.x] = y[gid.x];", 0);
    run(four, "var u32 a[2]; a[0] = gid.x; a[1] = a[0]; x[gid.x] = a[1];", 0);
}

static void names_both(void **state) {
    (void)state;
    job j;
    job_open(&j, "program t;\nout u32 x[4];\nscratch u32 y[4];\nkernel (4) workgroup(2) {\n    barrier;\n"
                 "    y[gid.x] = 1;\n    x[gid.x] = y[3 - gid.x];\n}\n");
    j.launch.races = true;
    assert_false(job_go(&j));
    gf_diag diag, note;
    assert_true(gf_diags_get(j.diags, 0, &diag));
    assert_int_equal(diag.line, 6);
    assert_string_equal(diag.message,
                        "race on `y[2]`: invocation 1 loads it and invocation 2 stores to it, and no barrier "
                        "lies between");
    assert_true(gf_diags_get_note(j.diags, 0, 0, &note));
    assert_int_equal(note.line, 7);
    assert_string_equal(note.message, "invocation 1 loads it here, in stretch 0, 1 workgroup barrier into it");
    assert_true(gf_diags_get_note(j.diags, 0, 1, &note));
    assert_int_equal(note.line, 6);
    job_close(&j);
}

/* Every pair of kinds, in both orders of execution, in all places, against the definition. */
static const char *const kind_text[] = {"x[8 + gid.x] = y[0];", "x[8 + gid.x] = atomic_load(y[0]);",
                                        "atomic_add(y[0], 1);", "y[0] = 1;", "y[0] = 2;"};

static bool conflict(int a, int b) {
    bool loads = a < 2 && b < 2, atomics = (a == 1 || a == 2) && (b == 1 || b == 2);
    return !loads && !atomics && !(a >= 3 && a == b);
}

static void every_pair(void **state) {
    (void)state;
    for (int first = 0; first < 5; first++) {
        for (int second = 0; second < 5; second++) {
            for (unsigned who = 0; who < 4; who++) {
                for (unsigned other = 0; other < 4; other++) {
                    for (int barrier = 0; barrier < 3; barrier++) {
                        static const char *const between[] = {"", "barrier;", "grid_barrier;"};
                        char body[512];
                        snprintf(body, sizeof body, "if gid.x == %u { %s }\n%s\nif gid.x == %u { %s }", who,
                                 kind_text[first], between[barrier], other, kind_text[second]);
                        bool ordered = who == other || barrier == 2 || (barrier == 1 && who / 2 == other / 2);
                        run("(4) workgroup(2)", body, !ordered && conflict(first, second));
                    }
                }
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(races),
        cmocka_unit_test(no_races),
        cmocka_unit_test(names_both),
        cmocka_unit_test(every_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
