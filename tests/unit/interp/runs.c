/* Runs as a whole: passes, traps, errors of checked mode, stops, memory that ends. */
#include "unit/interp/job.h"

#include "ir/fold.h"

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void fixpoints(void **state) {
    (void)state;
    job j;
    job_open(&j, "program t;\nparam u32 m;\ninout u32 x[2];\nkernel (2) fixpoint(100) on (x) {"
                 " if x[gid.x] < m { x[gid.x] += 1; } }\n");
    uint32_t x[2] = {0, 2};
    job_set(&j, "m", 3);
    job_bind(&j, "x", x, 2);
    j.launch.max_passes = 100;
    j.launch.compare = true;
    job_must(&j);
    assert_int_equal(j.result.passes, 4);
    assert_int_equal(j.result.converged, GF_CONVERGED_YES);
    job_must(&j); /* already stable (B15) */
    assert_int_equal(j.result.passes, 1);
    job_set(&j, "m", 50);
    j.launch.max_passes = 5;
    job_must(&j);
    assert_int_equal(j.result.passes, 5);
    assert_int_equal(j.result.converged, GF_CONVERGED_NO);
    assert_int_equal(x[0], 8);
    /* Net unchanged inside a pass (B32), a state that cycles, names traded in a pass. */
    job_close(&j);
    job_open(&j, "program t;\ninout u32 x[2];\nscratch u32 y[2];\nkernel (2) fixpoint(9) on (x) { let v = gid.x;"
                 " x[v] += 1; y[v] = x[v] - 1; swap(x, y); }\n");
    j.launch.max_passes = 9;
    j.launch.compare = true;
    job_must(&j);
    assert_int_equal(j.result.passes, 1);
    assert_int_equal(j.result.converged, GF_CONVERGED_YES);
    job_close(&j);
    job_open(&j, "program t;\ninout u32 x[2];\nkernel (2) fixpoint(9) on (x) { x[gid.x] ^= 1; }\n");
    j.launch.max_passes = 9;
    j.launch.compare = true;
    job_must(&j);
    assert_int_equal(j.result.passes, 9);
    assert_int_equal(j.result.converged, GF_CONVERGED_NO);
    job_close(&j);
}

static bool stop_after_two(void *user, uint64_t pass, bool changed) {
    *(uint64_t *)user = pass;
    return changed && pass < 2;
}

static void passes(void **state) {
    (void)state;
    job j;
    job_open(&j, "program t;\nout u32 x[1];\nkernel (1) { x[0] += 1; grid_barrier; x[0] += 1; }\n");
    j.launch.max_passes = 3; /* without a fixpoint, as asked for (K09) */
    job_must(&j);
    assert_int_equal(job_u32(&j, "x", 0), 6);
    assert_int_equal(j.result.passes, 3);
    assert_int_equal(j.result.converged, GF_CONVERGED_UNKNOWN);
    uint64_t seen = 0;
    j.launch.max_passes = 10;
    j.launch.on_pass = stop_after_two;
    j.launch.user = &seen;
    job_must(&j);
    assert_int_equal(seen, 2);
    assert_int_equal(j.result.passes, 2);
    job_close(&j);
    job_open(&j,
             "program t;\nout u32 x[3];\nkernel (3) workgroup(2) { var u32 k = 0; while k < 4 { k += 1; grid_barrier; }"
             " converged(k == 4); x[gid.x] = k; }\n");
    job_must(&j);
    assert_int_equal(j.result.converged, GF_CONVERGED_YES);
    job_close(&j);
}

static void empty_space(void **state) {
    (void)state;
    job j;
    job_open(
        &j,
        "program t;\nparam u32 n;\ninout u32 f[1];\nkernel (n) fixpoint(5) { while f[0] == 0 { grid_barrier; } }\n");
    job_set(&j, "n", 0);
    j.launch.max_passes = 5;
    j.launch.compare = true;
    job_must(&j); /* B36 */
    assert_int_equal(j.result.passes, 1);
    assert_int_equal(j.result.converged, GF_CONVERGED_YES);
    job_close(&j);
}

static void traps(void **state) {
    (void)state;
    job j;
    job_open(&j,
             "program t;\nout u32 x[8];\nkernel (8) workgroup(2) {\nlet v = gid.x;\nx[v] = 1;\n"
             "if v == 6 { trap(\"six\", v * 2); }\nif v == 3 { assert(v == 4, \"three\"); }\n x[v] = 2; grid_barrier;\n"
             "if v == 0 { trap(\"later\", 0); }\nx[v] = 3;\n}\n");
    job_must(&j); /* B41 */
    assert_true(j.result.trap.raised);
    assert_true(j.result.trap.is_assert);
    assert_int_equal(j.result.trap.stretch, 0);
    assert_int_equal(j.result.trap.invocation, 3);
    assert_string_equal(j.result.trap.stmt->text, "three");
    static const uint32_t wanted[] = {2, 2, 2, 1, 2, 2, 1, 2};
    job_expect(&j, "x", wanted, 8);
    job_close(&j);
    job_open(&j, "program t;\nout u32 x[8];\nkernel {\nforall i in 2 .. 8 { if i > 3 { trap(\"item\", u64(i) * 3); }"
                 " x[i] = 1; }\n}\n");
    job_must(&j);
    assert_true(j.result.trap.raised && !j.result.trap.is_assert);
    assert_int_equal(j.result.trap.invocation, 2);
    assert_int_equal(j.result.trap.address.bits, 12);
    assert_int_equal(j.result.trap.address.type, GF_TYPE_U64);
    job_close(&j);
}

static void expect_error(const char *body, const char *name, const char *message, uint32_t line) {
    char text[2048];
    snprintf(text, sizeof text,
             "program t;\nparam i32 m = -1;\nin u32 a[];\nout u32 x[8];\nshared u32 w[4];\nkernel (8) workgroup(4) "
             "{\n%s\n}\n",
             body);
    job j;
    job_open(&j, text);
    uint32_t a[5] = {1, 2, 3, 4, 0};
    job_set(&j, "m", 0xffffffff);
    job_bind(&j, "a", a, 5);
    job_must(&j); /* unchecked it is none */
    j.launch.checked = true;
    gf_diag diag;
    if (name == NULL) {
        job_must(&j);
    } else {
        assert_false(job_go(&j));
        assert_true(gf_diags_get(j.diags, 0, &diag));
        assert_string_equal(diag.name, name);
        assert_string_equal(diag.message, message);
        assert_int_equal(diag.line, line);
        assert_int_equal(gf_diags_error_count(j.diags), 1);
    }
    job_close(&j);
}

static void checked_errors(void **state) {
    (void)state;
    expect_error("let v = gid.x;\nx[v] = a[v];", "out-of-bounds",
                 "invocation 5 is at `a[5]`, which is out of bounds: its length is 5", 8);
    expect_error("x[gid.x + 1] = 1;", "out-of-bounds",
                 "invocation 7 is at `x[8]`, which is out of bounds: its length is 8", 7);
    expect_error("x[gid.x] = a[m];", "out-of-bounds",
                 "invocation 0 is at `a[-1]`, which is out of bounds: its length is 5", 7);
    expect_error("var u32 q[3]; q[gid.x] = 1;", "out-of-bounds",
                 "invocation 3 is at `q[3]`, which is out of bounds: its length is 3", 7);
    expect_error("atomic_add(w[lid.x * 2], 1);", "out-of-bounds",
                 "invocation 2 is at `w[4]`, which is out of bounds: its length is 4", 7);
    expect_error("x[gid.x] = 6 / a[min(gid.x, 4)];", "division-by-zero", "invocation 4 divides by zero", 7);
    expect_error("x[gid.x] %= a[min(gid.x, 4)];", "division-by-zero", "invocation 4 divides by zero", 7);
    /* The lowest invocation of the earliest stretch, though another one was first to err. */
    expect_error("if gid.x == 6 { x[20] = 1; } barrier; if gid.x == 1 { x[30] = 1; } grid_barrier; x[40] = 1;",
                 "out-of-bounds", "invocation 1 is at `x[30]`, which is out of bounds: its length is 8", 7);
    expect_error("forall i in 3 .. 9 { x[i] = i; }", "out-of-bounds",
                 "item 8 of a forall is at `x[8]`, which is out of bounds: its length is 8", 7);
    expect_error("grid if a[9] == 0 { x[gid.x] = 1; }", "out-of-bounds",
                 "the grid is at `a[9]`, which is out of bounds: its length is 5", 7);
    expect_error("if gid.x == 2 { copy_async(x, 4, a, 2, 4, t); wait(t); }", "out-of-bounds",
                 "invocation 2 is at `a[5]`, which is out of bounds: its length is 5", 7);
    /* B55, and what short-circuit leaves out. */
    expect_error("let v = gid.x; x[v] = select(v < 5, a[v], 0);", NULL, NULL, 0);
    expect_error("let v = gid.x; x[v] = select(v == 9, 1 / (v - v), select(v < 5, a[v], 7 / (v - 5)));",
                 "division-by-zero", "invocation 5 divides by zero", 7);
    expect_error("let v = gid.x; if v < 5 && a[v] > 0 { x[v] = 1; }", NULL, NULL, 0);
    expect_error("let v = gid.x; if v >= 5 || a[v] > 0 { x[v] = 1; }", NULL, NULL, 0);
}

static void out_of_bounds_unchecked(void **state) {
    (void)state;
    job j;
    job_open(&j,
             "program t;\nin u32 a[];\nout u32 x[8];\nkernel (1) {\nvar u32 q[2];\nlet far = i64(0) - 1;\n"
             "x[0] = a[2] + a[far] + 1;\nx[1] = atomic_add(x[8], 5) + 1;\nx[9] = 1;\nq[2] = 9;\nx[2] = q[2] + q[far];\n"
             "x[3] = 7 / x[4]; x[5] = 7 % x[4];\ncopy_async(x, 6, a, 1, 9, t); wait(t);\n}\n");
    uint32_t a[2] = {5, 6}, x[9] = {0, 0, 3, 0, 0, 3, 3, 3, 77};
    job_bind(&j, "a", a, 2);
    job_bind(&j, "x", x, 8);
    job_must(&j);
    static const uint32_t wanted[] = {1, 1, 0, 7, 0, 0, 6, 0, 77};
    assert_memory_equal(x, wanted, sizeof wanted);
    job_close(&j);
}

/* The fixed order, over many sizes of grids, against the fold itself (B46). */
static void sums_of_floats(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 31, 256, 257, 4097, 10000};
    static const unsigned widths[] = {1, 48, 256};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            uint32_t n = sizes[s], width = widths[w];
            char text[512];
            snprintf(text, sizeof text,
                     "program t;\nparam u32 n;\nin f32 a[n];\nout f32 x[3];\nkernel (n) workgroup(%u) {\n"
                     "let g = group_add(a[gid.x]);\nlet s = grid_add(a[gid.x]);\nvar f32 r = 0.5;\n"
                     "forall i in 0 .. n reduce(add r) { r += a[i]; }\n"
                     "if gid.x == n - 1 { x[0] = s; x[1] = r; x[2] = g; }\n}\n",
                     width);
            job j;
            job_open(&j, text);
            job_set(&j, "n", n);
            float *a = calloc(n, sizeof *a);
            uint64_t *values = calloc(n, sizeof *values), *groups = calloc(n, sizeof *groups);
            assert_true(a != NULL && values != NULL && groups != NULL);
            for (uint32_t i = 0; i < n; i++) {
                a[i] = (float)(i * 2654435761u % 1000) * 0.37f - 100.0f;
                values[i] = bits_of(a[i]);
            }
            job_bind(&j, "a", a, n);
            job_must(&j);
            uint64_t count = 0, last = 0;
            for (uint32_t i = 0; i < n; i += width, count++) {
                uint64_t part[256], size = n - i < width ? n - i : width;
                memcpy(part, values + i, size * sizeof *part);
                last = groups[count] = gf_fold_bits(GF_COMBINE_ADD, GF_TYPE_F32, part, size);
            }
            assert_int_equal(job_u32(&j, "x", 2), last);
            assert_int_equal(job_u32(&j, "x", 0), gf_fold_bits(GF_COMBINE_ADD, GF_TYPE_F32, groups, count));
            uint64_t all = gf_fold_bits(GF_COMBINE_ADD, GF_TYPE_F32, values, n);
            assert_int_equal(job_u32(&j, "x", 1), gf_eval_combine(GF_COMBINE_ADD, GF_TYPE_F32, bits_of(0.5f), all));
            job_close(&j);
            free(a);
            free(values);
            free(groups);
        }
    }
}

static void nan_is_one(void **state) {
    (void)state;
    job j;
    uint32_t a[1] = {0xffc12345};
    job_open(&j, "program t;\nin f32 a[1];\nout f32 x[4];\nout u32 y[2];\nout f64 z[1];\nout f16 h[1];\nkernel (1) {\n"
                 "let s = grid_add(a[0]);\nx[0] = a[0]; x[1] = a[0] - a[0]; y[0] = bitcast<u32>(a[0]);"
                 " atomic_exchange(x[2], a[0]);\nz[0] = f64(a[0]); h[0] = a[0]; x[3] = s;\n}\n");
    job_bind(&j, "a", a, 1);
    job_must(&j); /* B38 */
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(job_u32(&j, "x", i), 0x7fc00000);
    }
    assert_int_equal(job_u32(&j, "y", 0), 0x7fc00000);
    assert_int_equal(job_u32(&j, "z", 1), 0x7ff80000);
    assert_int_equal(*(const uint16_t *)job_data(&j, "h"), 0x7e00);
    job_close(&j);
}

static void stops(void **state) {
    (void)state;
    static const char *const endless[] = {
        "kernel (4) { loop { x[0] = 1; } }",
        "kernel (4) workgroup(2) { grid loop { x[0] = 1; } }",
        "kernel (4) workgroup(2) { group loop { x[0] = 1; } }",
        "kernel (4) { while x[1] == 0 { } }",
        "kernel { forall i in u64(0) .. 0xffffffffffffffff { x[i] = 1; } }",
        "kernel (4) { for i in u64(0) .. 0xffffffffffffffff { x[0] = 1; } }",
    };
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        char text[256];
        snprintf(text, sizeof text, "program t;\nout u32 x[4];\n%s\n", endless[i]);
        job j;
        job_open(&j, text);
        j.stop.deadline = gf_clock_seconds() + 0.02;
        assert_false(job_go(&j));
        assert_string_equal(job_error(&j), "timeout");
        job_close(&j);
        job_open(&j, text);
        gf_stop_request(&j.stop, GF_STOP_CANCELLED);
        assert_false(job_go(&j));
        assert_string_equal(job_error(&j), "cancelled");
        job_close(&j);
    }
}

/* Every allocation of compile and launch fails in turn: a clean error, nothing leaks. */
static void memory_ends(void **state) {
    (void)state;
    job j;
    job_open(
        &j,
        "program t;\nout f32 x[600];\nscratch u32 y[600];\nshared u32 w[4];\nkernel (600) workgroup(4) fixpoint(2) {\n"
        "let v = gid.x; let k = y[v]; var u32 q[2]; var f32 r = 0.0;\nif v == 599 { return; } w[lid.x] = 1; barrier;\n"
        "let s = group_add(k + w[3 - lid.x]); q[0] = s; let p = grid_scan_add(s);\n"
        "forall i in 0 .. 600 reduce(add r) { r += 1.0; }\n"
        "if v == 0 { copy_async(y, 0, y, 300, 3, t); wait(t); }\nx[v] = r + f32(p) + f32(q[0]);\n}\n");
    j.launch.max_passes = 2;
    j.launch.compare = true;
    j.launch.races = true;
    job_must(&j);
    unsigned failures = 0;
    for (uint64_t n = 1; n < 500; n++) {
        gf_memory_fail_at(n, false);
        gf_interp_kernel *kernel = gf_interp_compile(j.program, NULL);
        bool fine = kernel != NULL && gf_interp_launch(kernel, &j.launch, &j.result, NULL);
        gf_interp_destroy(kernel);
        uint64_t asked = gf_memory_fail_at(0, false);
        assert_int_equal(fine, asked < n);
        failures += !fine;
        if (fine) {
            break;
        }
    }
    assert_true(failures > 10);
    /* A grid whose frames cannot be had. */
    job_close(&j);
    job_open(
        &j,
        "program t;\nout u32 x[1];\nkernel (4000000000, 4000000000) workgroup(16, 16) { let v = atomic_add(x[0], 1);"
        " grid_barrier; x[v] = gid.y; }\n");
    assert_false(job_go(&j));
    assert_string_equal(job_error(&j), "no-memory");
    job_close(&j);
}

static void too_large(void **state) {
    (void)state;
    char *text = calloc(1, 20000);
    assert_non_null(text);
    strcat(text, "program t;\nout u32 x[1];\nfn f0() { x[0] += 1; }\n");
    for (int i = 1; i < 60; i++) {
        char line[128];
        snprintf(line, sizeof line, "fn f%d() { f%d(); f%d(); }\n", i, i - 1, i - 1);
        strcat(text, line);
    }
    strcat(text, "kernel { f59(); }\n");
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "test.gf", diags);
    if (program != NULL) { /* or the checker has a limit of its own */
        assert_null(gf_interp_compile(program, diags));
        gf_diag diag;
        assert_true(gf_diags_get(diags, gf_diags_count(diags) - 1, &diag));
        assert_string_equal(diag.name, "interp-size");
    }
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixpoints),      cmocka_unit_test(passes),         cmocka_unit_test(empty_space),
        cmocka_unit_test(traps),          cmocka_unit_test(checked_errors), cmocka_unit_test(out_of_bounds_unchecked),
        cmocka_unit_test(sums_of_floats), cmocka_unit_test(nan_is_one),     cmocka_unit_test(stops),
        cmocka_unit_test(memory_ends),    cmocka_unit_test(too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
