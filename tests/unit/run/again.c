/* The same bindings run again: what has changed in between counts, and what has not is not looked at again. */
#include "run/bindings.h"
#include "run_test.h"

static const char scale[] = "program scale;\nparam u32 n;\nparam u32 f = n + 1;\nin u32 x[n];\nin u32 more[];\n"
                            "out u32 y[n] returns(1 .. n);\nkernel (n) workgroup(32) fixpoint(f) on (y) {\n"
                            "    y[gid.x] = x[gid.x] * f + u32(len(more));\n}\n";

static const char counted[] = "program counted;\ninout u32 counts[3];\nout u32 y[8];\nkernel indirect(counts, 0) "
                              "workgroup(1) { y[gid.x] = 1; }\n";

/* Of four elements, two and three. */
static bench set_up_scale(const uint32_t *x, const uint32_t *more, uint32_t *y) {
    bench t = set_up(scale);
    gf_bind_u32(t.bindings, "n", 3);
    gf_bind_input(t.bindings, "x", x, 4 * sizeof *x);
    gf_bind_input(t.bindings, "more", more, 2 * sizeof *more);
    gf_bind_output(t.bindings, "y", y, 3 * sizeof *y);
    return t;
}

static bool is_kept(const bench *t) {
    return t->bindings->prepared.is_valid;
}

static void what_changes_counts(void **state) {
    (void)state;
    uint32_t x[] = {1, 2, 3, 4}, other[] = {5, 6, 7, 8}, more[] = {0, 0}, y[3] = {0};
    bench t = set_up_scale(x, more, y);
    for (int turn = 0; turn < 3; turn++) {
        run_well(&t, NULL);
        assert_true(is_kept(&t) && y[0] == 2 * 4 + 2 && y[1] == 3 * 4 + 2);
    }
    x[1] = 9; /* contents are the run's */
    run_well(&t, NULL);
    assert_true(y[0] == 9 * 4 + 2);
    gf_bind_input(t.bindings, "x", other, sizeof other);
    run_well(&t, NULL);
    assert_true(y[0] == 6 * 4 + 2);
    gf_bind_u32(t.bindings, "f", 2);
    run_well(&t, NULL);
    assert_true(y[0] == 6 * 2 + 2);
    gf_bind_u32(t.bindings, "n", 4);
    run_well(&t, NULL);
    assert_true(y[2] == 8 * 2 + 2);
    gf_bind_input(t.bindings, "more", more, sizeof more[0]);
    run_well(&t, NULL);
    assert_true(y[2] == 8 * 2 + 1);
    assert_int_equal(run_well(&t, &(gf_run_options){.max_passes = 1}).passes, 1);
    assert_int_equal(run_well(&t, NULL).passes, 2);
    tear_down(&t);
}

static void what_is_wrong_is_told_each_time(void **state) {
    (void)state;
    uint32_t x[] = {1, 2, 3, 4}, more[] = {0, 0}, y[3] = {0};
    bench t = set_up_scale(x, more, y);
    run_well(&t, NULL);
    for (int turn = 0; turn < 2; turn++) {
        gf_bind_output(t.bindings, "y", x, sizeof x);
        run_badly(&t, NULL, GF_STATUS_USAGE, "share memory");
        gf_bind_output(t.bindings, "y", y, 4);
        run_badly(&t, NULL, GF_STATUS_USAGE, "bytes and needs");
        gf_bind_output(t.bindings, "y", y, sizeof y);
        gf_bind_u32(t.bindings, "n", 0);
        run_badly(&t, NULL, GF_STATUS_USAGE, "cannot return");
        gf_bind_u32(t.bindings, "n", 3);
        run_badly(&t, &(gf_run_options){.memory_limit = 1}, GF_STATUS_DEVICE, "limit");
        run_well(&t, NULL);
    }
    tear_down(&t);
}

/* One that has gone is told apart from another one, though that may be made where it was. */
static void device_buffers_may_be_others(void **state) {
    (void)state;
    uint32_t x[] = {1, 2, 3, 4}, more[] = {0, 0}, y[4] = {0};
    bench t = set_up_scale(x, more, y);
    for (size_t count = 1; count < 6; count++) {
        gf_buffer *buffer = gf_buffer_create(t.device, count * sizeof x[0], NULL);
        gf_bind_buffer(t.bindings, "more", buffer);
        gf_buffer_destroy(buffer); /* held by the bindings alone */
        run_well(&t, NULL);
        assert_int_equal(y[0], 8 + count);
        gf_bind_input(t.bindings, "more", more, sizeof more); /* and gone */
    }
    tear_down(&t);
}

/* What is read out of a buffer may be other than last time. */
static void counts_are_read_anew(void **state) {
    (void)state;
    uint32_t counts[] = {2, 1, 1}, y[8] = {0};
    bench t = set_up(counted);
    gf_bind_inout(t.bindings, "counts", counts, sizeof counts);
    gf_bind_output(t.bindings, "y", y, sizeof y);
    for (uint32_t n = 1; n < 8; n++) {
        counts[0] = n;
        run_well(&t, NULL);
        assert_false(is_kept(&t));
        assert_true(y[n - 1] == 1 && y[n] == 0);
    }
    tear_down(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changes_counts),
        cmocka_unit_test(what_is_wrong_is_told_each_time),
        cmocka_unit_test(device_buffers_may_be_others),
        cmocka_unit_test(counts_are_read_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
