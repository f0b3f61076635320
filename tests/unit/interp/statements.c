/* What statements do, one invocation and many. */
#include "unit/interp/job.h"

/* Runs `body` as the body of a kernel of `n` invocations that has out u32 x[16], and compares x. */
static void check(const char *space, const char *body, const uint32_t *wanted, size_t count) {
    char text[8192];
    for (int checked = 0; checked < 3; checked++) {
        snprintf(text, sizeof text, "program t;\nout u32 x[16];\nscratch u32 y[16];\nkernel %s {\n%s\n}\n", space,
                 body);
        job j;
        job_open(&j, text);
        j.launch.checked = checked == 1;
        j.launch.races = checked == 2;
        job_must(&j);
        job_expect(&j, "x", wanted, count);
        job_close(&j);
    }
}
#define CHECK(space, body, ...)                                                                                        \
    do {                                                                                                               \
        static const uint32_t wanted[] = {__VA_ARGS__};                                                                \
        check(space, body, wanted, sizeof wanted / sizeof *wanted);                                                    \
    } while (0)

static void locals(void **state) {
    (void)state;
    CHECK("(1)", "let a = 5; var u32 b = a; b += 2; b *= 3; x[0] = b; x[1] = a;", 21, 5);
    CHECK("(1)", "var u32 b; x[0] = b; b = 4; let c = b; b = 9; x[1] = c; x[2] = b;", 0, 4, 9);
    CHECK("(1)", "var u32 a[4]; a[1] = 7; a[2] += 3; x[0] = a[0]; x[1] = a[1]; x[2] = a[2]; x[3] = len(a);", 0, 7, 3,
          4);
    CHECK("(1)", "for i in 0 .. 2 { var u32 a[2]; x[i] = a[0]; a[0] = 5; }", 0, 0);
    CHECK("(1)", "var bool p = true; p = p && !p; x[0] = select(p, 1, 2); p = p || true; x[1] = select(p, 1, 2);", 2,
          1);
    CHECK("(1)", "x[3] = 4; x[3] += 5; x[3] <<= 2;", 0, 0, 0, 36);
}

static void branches(void **state) {
    (void)state;
    CHECK("(8)", "let v = gid.x; if v < 2 { x[v] = 1; } else if v == 3 { x[v] = 2; } else { x[v] = 3; }", 1, 1, 3, 2, 3,
          3);
    CHECK("(4)", "let v = gid.x; if v == 1 && x[v] == 0 || v == 3 { x[v] = 9; } if !(v < 3) { x[v] += 1; }", 0, 9, 0,
          10);
    CHECK("(4)", "let v = gid.x; if v == 2 { return; } x[v] = 1;", 1, 1, 0, 1);
}

static void loops(void **state) {
    (void)state;
    CHECK("(1)", "for i in 3 .. 6 { x[i] = i; }", 0, 0, 0, 3, 4, 5, 0);
    CHECK("(1)", "var u32 k = 0; for i in 1 .. 10 step 4 { x[k] = i; k += 1; }", 1, 5, 9, 0);
    CHECK("(1)", "for i in 6 .. 3 { x[i] = 1; } x[0] = 2;", 2, 0, 0, 0, 0, 0, 0);
    CHECK("(1)", "var u32 k = 0; for i in i32(3) .. -2 step -2 { x[k] = u32(i + 10); k += 1; }", 13, 11, 9, 0);
    CHECK("(1)", "var u32 k = 0; for i in 0xfffffffe .. 0xffffffff { k += 1; } x[0] = k;", 1);
    CHECK("(1)",
          "var u32 k = 0; for i in i64(-9223372036854775807) .. 9223372036854775807 step 9223372036854775807"
          " { k += 1; } x[0] = k;",
          2);
    CHECK("(1)", "var u32 n = 3; for i in 0 .. n { n = 9; x[0] += 1; }", 3);
    CHECK("(1)", "for i in 0 .. 10 { if i == 2 { continue; } if i == 5 { break; } x[i] = 1; }", 1, 1, 0, 1, 1, 0);
    CHECK("(1)", "var u32 k = 0; while k < 5 { k += 1; if k == 3 { continue; } x[k] = k; }", 0, 1, 2, 0, 4, 5);
    CHECK("(1)",
          "var u32 k = 0; loop { k += 2; loop { k += 1; if k % 2 == 0 { break; } } if k > 6 { break; } } x[0] = k;", 8);
}

static void functions(void **state) {
    (void)state;
    static const char text[] = "program t;\nout u32 x[16];\n"
                               "fn u32 twice(u32 a) { return a * 2; }\n"
                               "fn u32 first(u32 a, u32 b) { if a > b { return a; } for i in 0 .. 9 { if i * i >= b {"
                               " return i + twice(b); } } return 100; }\n"
                               "fn put(u32 i, u32 v) { x[i] = v; if v > 5 { return; } x[i + 1] = v; }\n"
                               "kernel { put(0, twice(twice(3))); put(2, 4); x[4] = first(9, 2); x[5] = first(1, 4);"
                               " x[6] = first(first(1, 2), twice(200)); }\n";
    static const uint32_t wanted[] = {12, 0, 4, 4, 9, 10, 100};
    job j;
    job_open(&j, text);
    job_must(&j);
    job_expect(&j, "x", wanted, 7);
    job_close(&j);
}

static void barriers_of_workgroups(void **state) {
    (void)state;
    static const char text[] =
        "program t;\nout u32 x[12];\nshared u32 w[4];\nkernel groups(3) workgroup(4) {\n"
        "let k = lid.x; var u32 a[2]; a[1] = gid.x; w[k] = k + 10 * wid.x; barrier;\n"
        "let other = w[3 - k]; barrier; w[k] = other; barrier; x[gid.x] = w[k] * 100 + a[1];\n}\n";
    job j;
    job_open(&j, text);
    j.launch.races = true;
    job_must(&j);
    for (uint32_t i = 0; i < 12; i++) {
        assert_int_equal(job_u32(&j, "x", i), (3 - i % 4 + 10 * (i / 4)) * 100 + i);
    }
    job_close(&j);
}

static void grid_barriers(void **state) {
    (void)state;
    static const char text[] = "program t;\nparam u32 n;\nout u32 x[n];\nscratch u32 y[n];\nshared u32 w[4];\n"
                               "kernel (n) workgroup(4) {\nlet v = gid.x; let old = x[v]; var u32 a[3]; a[2] = v;\n"
                               "y[v] = v * v; w[lid.x] = v; grid_barrier; let far = y[n - 1 - v];\n"
                               "grid_barrier; x[v] = far + w[lid.x] + a[2] + old;\n}\n";
    for (uint32_t n = 1; n < 14; n++) {
        job j;
        job_open(&j, text);
        job_set(&j, "n", n);
        j.launch.races = true;
        job_must(&j);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(job_u32(&j, "x", i), (n - 1 - i) * (n - 1 - i) + 2 * i);
        }
        assert_int_equal(j.result.barriers, 2);
        job_close(&j);
    }
}

static void uniform_variables(void **state) {
    (void)state;
    /* Both versions of a grid-level variable in one stretch, seen by every invocation. */
    CHECK("(6) workgroup(2)",
          "var u32 d = 1; let now = d; let a = gid.x + d; d += 4; let b = d * 10; d += 1; x[gid.x] = a + b + d + now;"
          " grid_barrier; x[gid.x] += d * 100;",
          658, 659, 660, 661, 662, 663);
    CHECK("(4) workgroup(2)", "var u32 d = wid.x; d += 1; x[gid.x] = d; grid_barrier; d += 1; x[gid.x] += d * 10;", 21,
          21, 32, 32);
    CHECK("(4) workgroup(2)",
          "var u32 d = 0; for i in 0 .. 3 { x[gid.x] += d; grid_barrier; d += i; } x[gid.x] += d * 10;", 31, 31, 31,
          31);
    CHECK("(3) workgroup(2)", "var u32 d = 0; grid while d < 5 { d += 2; if d == 4 { continue; } x[gid.x] += d; }", 8,
          8, 8);
    CHECK("(3) workgroup(2)",
          "var u32 d = 0; grid loop { d += 1; if d > 3 { break; } x[gid.x] = d; } x[gid.x] += d * 10;", 43, 43, 43);
    CHECK("(2) workgroup(1)",
          "var u32 d = 7; if d > 6 { grid_barrier; d = 1; } else { grid_barrier; d = 2; } x[gid.x] = d;", 1, 1);
    CHECK("(4) workgroup(2)",
          "var u32 k = 0; group while k < wid.x + 1 { x[gid.x] += 1; barrier; k += 1; } grid_barrier; x[gid.x] += 10;",
          11, 11, 12, 12);
}

/* Returned and padding invocations: barriers count them, uniform control goes on without them (B34, B35). */
static void returned_invocations(void **state) {
    (void)state;
    CHECK("(5) workgroup(2)",
          "var u32 d = 0; if gid.x != 4 { return; } for i in 0 .. 3 { grid_barrier; d += 1; } x[0] = d;", 3);
    CHECK("(4) workgroup(2)", "if gid.x < 9 { return; } for i in 0 .. 3 { grid_barrier; } x[0] = 1;", 0);
    CHECK("(4) workgroup(2)", "var u32 d = 0; if lid.x == 0 { return; } while d < 4 { barrier; d += 1; } x[gid.x] = d;",
          0, 4, 0, 4);
    CHECK("(4) workgroup(2)",
          "var u32 d = 0; if gid.x < 3 { return; } let s = grid_add(gid.x); let g = group_add(1); let m = "
          "grid_min(gid.x);"
          " let every = grid_all(gid.x == 3); x[0] = s; x[1] = g; x[2] = m; x[3] = u32(every);",
          3, 1, 3, 1);
    CHECK("(4) workgroup(2)", "if gid.x == 1 { return; } let p = grid_scan_add(gid.x + 1); x[gid.x] = p;", 0, 0, 1, 4);
    /* All have returned: heads and grid-level variables go on, the loop ends. */
    CHECK("(2) workgroup(2)", "var u32 d = 0; if gid.x < 2 { x[gid.x] = 1; return; } grid while d < 3 { d += 1; }", 1,
          1);
    /* A return of the whole workgroup, of the whole grid. */
    CHECK("(4) workgroup(2)", "var u32 d = 0; group loop { if wid.x == d { return; } d += 1; barrier; x[gid.x] += 1; }",
          0, 0, 1, 1);
    CHECK("(4) workgroup(2)", "var u32 d = 1; grid_barrier; if d == 1 { return; } x[gid.x] = 5;", 0, 0, 0, 0);
}

static void operations_over_all(void **state) {
    (void)state;
    CHECK("(5) workgroup(2)",
          "let v = gid.x; let a = grid_any(v == 4); let b = grid_all(v < 5); var u32 s = grid_max(v); s += grid_add(v);"
          " x[0] = u32(a); x[1] = u32(b); x[2] = s; let g = group_max(v); barrier; x[3 + v] = g;",
          1, 1, 14, 1, 1, 3, 3, 4);
    CHECK("(6) workgroup(3)", "var u32 t = 1; t += group_scan_add(gid.x); x[gid.x] = t;", 1, 1, 2, 1, 4, 8);
    CHECK("(6) workgroup(3)", "var u32 t = 0; for i in 0 .. 3 { let p = group_scan_add(1); t += p; } x[gid.x] = t;", 0,
          3, 6, 0, 3, 6);
    CHECK("(5) workgroup(2)", "let p = grid_scan_add(gid.x); let q = grid_scan_add(p + 1); x[gid.x] = q;", 0, 1, 2, 4,
          8);
    CHECK("(3) workgroup(2)", "y[gid.x] = gid.x + 3; let a = grid_load(y[2]); y[gid.x] = 0; x[gid.x] = a;", 5, 5, 5);
}

static void foralls(void **state) {
    (void)state;
    CHECK("", "forall i in 2 .. 5 { x[i] = i * i; }", 0, 0, 4, 9, 16, 0);
    CHECK("(3) workgroup(2)",
          "x[gid.x] = 1; grid_barrier; forall i in 0 .. 6 { if i == 2 { continue; } x[i] += i; } grid_barrier; "
          "x[gid.x] += 10;",
          11, 12, 11, 3, 4, 5);
    CHECK("",
          "var u32 s = 100; var u32 m = 3; forall i in 0 .. 5 reduce(add s, max m) { s += i; m = i; } x[0] = s; x[1] = "
          "m;",
          110, 4);
    CHECK("",
          "var u32 s = 7; var bool p = false; forall i in 3 .. 3 reduce(add s, or p) { s += 1; p = true; } x[0] = s;"
          " x[1] = u32(p);",
          7, 0);
    CHECK("", "var i32 s = 0; forall i in i32(-3) .. 2 reduce(add s) { s += i; } x[0] = u32(s);", 0xfffffffbu);
    CHECK("(2) workgroup(1)",
          "let mine = gid.x + 5; var u32 s = 0; forall i in 0 .. 10 reduce(add s) { s = i; }"
          " x[gid.x] = s + mine;",
          50, 51);
}

static void swaps(void **state) {
    (void)state;
    CHECK("(3) workgroup(2)", "x[gid.x] = gid.x; y[gid.x] = 10 + gid.x; swap(x, y); x[gid.x] += 100;", 110, 111, 112);
    CHECK("(3) workgroup(2)",
          "for i in 0 .. 3 { y[gid.x] = x[(gid.x + 1) % 3] + 1; swap(x, y); } x[gid.x] += y[gid.x] * 10;", 23, 23, 23);
}

static void copies(void **state) {
    (void)state;
    CHECK(
        "(2) workgroup(2)",
        "y[gid.x] = gid.x + 1; grid_barrier; if gid.x == 0 { copy_async(x, 4, y, 0, 2, tag); wait(tag); x[0] = x[5]; }",
        2, 0, 0, 0, 1, 2);
    CHECK("(1)", "y[1] = 3; copy_async(x, 0, y, 1, 1, a); grid_barrier; x[1] = x[0]; wait(a);", 3, 3);
}

static void collectives(void **state) {
    (void)state;
    CHECK("(2) workgroup(1)", "y[gid.x] = gid.x + 1; all_gather(y, x); x[gid.x] += rank * 7 + ranks;", 2, 3);
    CHECK("(2) workgroup(1)", "x[gid.x] = gid.x + 1; all_reduce(x, add); broadcast(x, 0);", 1, 2);
}

static void atomics(void **state) {
    (void)state;
    CHECK("(8) workgroup(4)",
          "atomic_add(x[0], gid.x); atomic_max(x[1], gid.x); atomic_or(x[2], 1 << gid.x); atomic_sub(x[3], 1);"
          " atomic_xor(x[4], gid.x); atomic_min(x[5], 3); let t = atomic_add(y[0], 1); atomic_store(x[6], 4);"
          " x[8 + t] = t;",
          28, 7, 255, 0xfffffff8u, 0, 0, 4, 0, 0, 1, 2, 3, 4, 5, 6, 7);
    CHECK("(1)",
          "x[0] = 5; x[1] = atomic_exchange(x[0], 6); x[2] = atomic_compare_exchange(x[0], 5, 7);"
          " x[3] = atomic_compare_exchange(x[0], 6, 8); x[4] = atomic_load(x[0]);",
          8, 5, 6, 6, 8);
}

static void three_axes(void **state) {
    (void)state;
    static const char text[] =
        "program t;\nout u32 x[24];\nkernel (2, 3, 4) workgroup(2, 2, 2) {\n"
        "x[gid.linear] = gid.x + 10 * gid.y + 100 * gid.z + 1000 * lid.linear + 10000 * wid.linear;\n}\n";
    job j;
    job_open(&j, text);
    job_must(&j);
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t a = i % 2, b = i / 2 % 3, c = i / 6;
        uint32_t lid = a + 2 * (b % 2 + 2 * (c % 2)), wid = b / 2 + 2 * (c / 2);
        assert_int_equal(job_u32(&j, "x", i), a + 10 * b + 100 * c + 1000 * lid + 10000 * wid);
    }
    job_close(&j);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locals),
        cmocka_unit_test(branches),
        cmocka_unit_test(loops),
        cmocka_unit_test(functions),
        cmocka_unit_test(barriers_of_workgroups),
        cmocka_unit_test(grid_barriers),
        cmocka_unit_test(uniform_variables),
        cmocka_unit_test(returned_invocations),
        cmocka_unit_test(operations_over_all),
        cmocka_unit_test(foralls),
        cmocka_unit_test(swaps),
        cmocka_unit_test(copies),
        cmocka_unit_test(collectives),
        cmocka_unit_test(atomics),
        cmocka_unit_test(three_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
