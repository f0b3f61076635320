/* Devices of one's own, by the table: memory apart from the host's that comes as garbage, limits, and calls that fail.
 */
#include "run/interp_device.h"
#include "run_test.h"

typedef struct fake {
    gf_backend table;
    const gf_backend *interp;
    bool has_barrier, silent;
    uint64_t resident, by_kernel;
    size_t calls, fail_at; /* of alloc, upload, download, zero and launch; from 1 */
    size_t failed_kind;
    size_t allocated, released, compiled, discarded, launches;
    bool times_unknown_at_second;
    void *memories[16]; /* of the first buffer, launch by launch */
} fake;

enum { CALL_ALLOC = 1, CALL_UPLOAD, CALL_DOWNLOAD, CALL_LAUNCH };

static bool goes_well(fake *f, size_t kind, gf_diags *diags) {
    if (++f->calls != f->fail_at) {
        return true;
    }
    f->failed_kind = kind;
    if (!f->silent) {
        assert_null(gf_device_open("the fake says no", diags));
    }
    return false;
}

static bool open_fake(void *user, const char *which, void **device, gf_backend_limits *limits, gf_diags *diags) {
    fake *f = user;
    bool done = f->interp->open(NULL, which, device, limits, diags);
    *device = f;
    limits->host_memory = false;
    limits->grid_barrier = f->has_barrier;
    limits->max_resident_groups = f->resident;
    return done;
}

static void close_fake(void *device) {
    (void)device;
}

static void *alloc_fake(void *device, size_t bytes, gf_diags *diags) {
    fake *f = device;
    if (!goes_well(f, CALL_ALLOC, diags)) {
        return NULL;
    }
    f->allocated++;
    void *memory = malloc(bytes);
    assert_non_null(memory);
    return memset(memory, 0xab, bytes);
}

static void release_fake(void *device, void *memory) {
    fake *f = device;
    f->released++;
    free(memory);
}

static bool upload_fake(void *device, void *memory, size_t offset, const void *data, size_t bytes, gf_diags *diags) {
    return goes_well(device, CALL_UPLOAD, diags) && memcpy((char *)memory + offset, data, bytes) != NULL;
}

static bool download_fake(void *device, const void *memory, size_t offset, void *data, size_t bytes, gf_diags *diags) {
    return goes_well(device, CALL_DOWNLOAD, diags) && memcpy(data, (const char *)memory + offset, bytes) != NULL;
}

static void *compile_fake(void *device, gf_program *program, gf_diags *diags) {
    fake *f = device;
    f->compiled++;
    return f->interp->compile(NULL, program, diags);
}

static void discard_fake(void *device, void *kernel) {
    fake *f = device;
    f->discarded++;
    f->interp->discard(NULL, kernel);
}

static bool launch_fake(void *device, void *kernel, const gf_backend_launch *launch, gf_backend_result *result,
                        gf_diags *diags) {
    fake *f = device;
    if (!goes_well(f, CALL_LAUNCH, diags)) {
        return false;
    }
    if (f->launches < 16 && launch->buffer_count > 0) {
        f->memories[f->launches] = launch->buffers[0].memory;
    }
    f->launches++;
    bool done = f->interp->launch(NULL, kernel, launch, result, diags);
    result->seconds_device = 1;
    result->seconds_queue = f->times_unknown_at_second && f->launches == 2 ? -1 : 2;
    result->seconds_wait = 3;
    return done;
}

static uint64_t resident_fake(void *device, void *kernel) {
    (void)kernel;
    return ((fake *)device)->by_kernel;
}

static void make_fake(fake *f, bool has_barrier, uint64_t resident) {
    *f = (fake){.interp = gf_interp_backend(), .has_barrier = has_barrier, .resident = resident, .by_kernel = 1000};
    f->table = (gf_backend){.version = GF_BACKEND_VERSION,
                            .size = sizeof(gf_backend),
                            .name = "fake",
                            .open = open_fake,
                            .close = close_fake,
                            .alloc = alloc_fake,
                            .release = release_fake,
                            .upload = upload_fake,
                            .download = download_fake,
                            .compile = compile_fake,
                            .discard = discard_fake,
                            .launch = launch_fake,
                            .resident_groups = resident_fake};
}

static const char text[] =
    "program counts;\nin u32 x[4];\ninout u32 a[4];\nout u32 y[5] returns(0 .. 5);\nscratch u32 s[4];\n"
    "kernel (4) workgroup(2) {\n"
    "    atomic_add(s[gid.x], x[gid.x]);\n    grid_barrier;\n"
    "    a[gid.x] += s[3 - gid.x];\n    y[gid.x] = a[gid.x];\n}\n";

static bench start(fake *f, uint32_t *x, uint32_t *a, uint32_t *y) {
    bench t = set_up_on(gf_device_open_backend(&f->table, f, "", NULL), text,
                        &(gf_kernel_options){.plan = {.keep_empty = true}});
    assert_non_null(t.bindings);
    gf_bind_input(t.bindings, "x", x, 16);
    gf_bind_inout(t.bindings, "a", a, 16);
    gf_bind_output(t.bindings, "y", y, 20);
    return t;
}

/* K19, K18, K11: garbage memory, everything freed once, the same as elsewhere. */
static void k19_garbage_is_zeroed_and_all_is_freed(void **state) {
    (void)state;
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        fake f;
        uint32_t x[4] = {1, 2, 3, 4};
        uint32_t a[4] = {10, 10, 10, 10};
        uint32_t y[5] = {7, 7, 7, 7, 7};
        make_fake(&f, true, 1000);
        bench t = start(&f, x, a, y);
        gf_stats stats = run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        assert_memory_equal(a, ((uint32_t[]){14, 13, 12, 11}), 16);
        assert_memory_equal(y, ((uint32_t[]){14, 13, 12, 11, 0}), 20);
        assert_int_equal(f.launches, strategies[s] == GF_STRATEGY_NATIVE ? 1 : 2);
        assert_int_equal(f.launches, stats.launches);
        assert_true(stats.seconds_device == (double)f.launches);
        assert_true(stats.seconds_queue == 2 * (double)f.launches);
        tear_down(&t);
        assert_int_equal(f.allocated, f.released);
        assert_int_equal(f.compiled, f.discarded);
    }
}

static void k18_resident_buffers_and_times(void **state) {
    (void)state;
    for (int unknown = 0; unknown < 2; unknown++) {
        fake f;
        uint32_t x[4] = {1, 2, 3, 4};
        uint32_t a[4] = {0};
        uint32_t y[5];
        make_fake(&f, false, 0);
        f.times_unknown_at_second = unknown != 0;
        bench t = start(&f, x, a, y);
        gf_stats stats = run_well(&t, &(gf_run_options){.strategy = GF_STRATEGY_RESIDENT, .max_passes = 4});
        assert_int_equal(f.launches, 2 * 4);
        for (size_t i = 2; i < f.launches; i++) {
            assert_non_null(f.memories[i]);
            assert_ptr_equal(f.memories[i], f.memories[i % 2]);
        }
        assert_true(stats.seconds_device == 8);
        assert_true(stats.seconds_queue == (unknown != 0 ? -1 : 2 * 8));
        assert_true(stats.seconds_wait == 3 * 8);
        tear_down(&t);
    }
}

/* K18, K20, K21 */
static void k21_without_grid_barrier_it_gets_segments(void **state) {
    (void)state;
    fake f;
    uint32_t x[4] = {1, 2, 3, 4};
    uint32_t a[4] = {0};
    uint32_t y[5];
    make_fake(&f, false, 0);
    f.times_unknown_at_second = true;
    bench t = start(&f, x, a, y);
    run_badly(&t, &(gf_run_options){.strategy = GF_STRATEGY_NATIVE}, GF_STATUS_DEVICE, "no grid barrier");
    assert_int_equal(f.compiled, 0);
    gf_stats stats = run_well(&t, &(gf_run_options){.max_passes = 3});
    assert_int_equal(stats.strategy, GF_STRATEGY_RESIDENT);
    assert_int_equal(f.launches, 6);
    assert_ptr_equal(f.memories[0], f.memories[2]);
    assert_ptr_equal(f.memories[0], f.memories[4]);
    assert_true(stats.seconds_queue == -1);
    assert_true(stats.seconds_wait == 18);
    /* s doubles: 4 + 8 + 12 for the first element. */
    assert_int_equal(a[0], 4 + 8 + 12);
    tear_down(&t);
}

/* K22 */
static void k22_over_the_residency_limit(void **state) {
    (void)state;
    fake f;
    uint32_t x[4] = {1, 2, 3, 4};
    uint32_t a[4] = {0};
    uint32_t y[5];
    make_fake(&f, true, 1);
    bench t = start(&f, x, a, y);
    run_badly(&t, &(gf_run_options){.strategy = GF_STRATEGY_NATIVE}, GF_STATUS_DEVICE,
              "the grid has 2 workgroups, and 1 can be resident");
    assert_int_equal(f.compiled + f.launches, 0);
    gf_stats stats = run_well(&t, NULL);
    assert_int_equal(stats.strategy, GF_STRATEGY_RESIDENT);
    assert_non_null(strstr(stats.reason, "2 workgroups"));
    assert_int_equal(a[3], 1);
    tear_down(&t);
    make_fake(&f, true, 2);
    f.by_kernel = 1;
    t = start(&f, x, a, y);
    run_badly(&t, &(gf_run_options){.strategy = GF_STRATEGY_NATIVE}, GF_STATUS_DEVICE, "2 workgroups, and 1");
    assert_int_equal(f.launches, 0);
    assert_int_equal(gf_kernel_max_resident_groups(t.kernel), 1);
    f.by_kernel = 2;
    run_well(&t, &(gf_run_options){.strategy = GF_STRATEGY_NATIVE});
    tear_down(&t);
}

/* B14: each call to the device fails in turn. */
static void b14_every_call_may_fail(void **state) {
    (void)state;
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        bool done = false;
        for (size_t k = 1; !done; k++) {
            fake f;
            uint32_t x[4] = {1, 2, 3, 4};
            uint32_t a[4] = {10, 10, 10, 10};
            uint32_t y[5] = {7, 7, 7, 7, 7};
            make_fake(&f, true, 1000);
            f.fail_at = k;
            f.silent = k % 2 == 0;
            bench t = start(&f, x, a, y);
            gf_stats stats;
            done = gf_run(t.kernel, t.bindings, &(gf_run_options){.strategy = strategies[s], .max_passes = 2}, &stats,
                          t.diags);
            assert_true(done == (f.failed_kind == 0));
            gf_diag first = {.name = ""};
            assert_true(gf_diags_get(t.diags, 0, &first) == !done);
            bool final_read = strcmp(first.name, "read-back") == 0;
            if (!done) {
                assert_int_equal(stats.status, GF_STATUS_DEVICE);
                assert_true(final_read || (a[0] == 10 && y[0] == 7));
                assert_true(!final_read || f.failed_kind == CALL_DOWNLOAD);
            }
            tear_down(&t);
            assert_int_equal(f.allocated, f.released);
            assert_int_equal(f.compiled, f.discarded);
            assert_true(k < 200);
        }
    }
}

static void buffers_on_the_device_are_worked_on_in_place(void **state) {
    (void)state;
    fake f;
    uint32_t x[4] = {1, 2, 3, 4};
    uint32_t a[4] = {10, 10, 10, 10};
    uint32_t y[5];
    for (size_t s = 0; s < STRATEGY_COUNT; s++) {
        make_fake(&f, true, 1000);
        bench t = start(&f, x, a, y);
        gf_buffer *buffer = gf_buffer_create(t.device, 16, t.diags);
        assert_true(gf_buffer_write(buffer, 0, x, 16, t.diags));
        gf_bind_buffer(t.bindings, "a", buffer);
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        run_well(&t, &(gf_run_options){.strategy = strategies[s]});
        uint32_t now[4];
        assert_true(gf_buffer_read(buffer, 0, now, 16, t.diags));
        assert_memory_equal(now, ((uint32_t[]){9, 8, 7, 6}), 16);
        assert_int_equal(a[0], 10);
        /* The last launch fails: what was there is put back. */
        f.calls = 0;
        f.fail_at = SIZE_MAX;
        run_well(&t, &(gf_run_options){.strategy = strategies[s], .keep_on_failure = true});
        size_t calls = f.calls;
        assert_true(gf_buffer_read(buffer, 0, now, 16, t.diags));
        for (size_t k = 2; k < calls; k++) {
            uint32_t then[4];
            f.calls = 0;
            f.fail_at = k;
            gf_diags_clear(t.diags);
            assert_false(gf_run(t.kernel, t.bindings,
                                &(gf_run_options){.strategy = strategies[s], .keep_on_failure = true}, NULL, t.diags));
            assert_true(gf_buffer_read(buffer, 0, then, 16, t.diags));
            assert_memory_equal(now, then, 16);
        }
        gf_buffer_destroy(buffer);
        tear_down(&t);
        assert_int_equal(f.allocated, f.released);
    }
}

static void tables_are_checked(void **state) {
    (void)state;
    fake f;
    gf_diags *diags = gf_diags_create();
    make_fake(&f, true, 1);
    f.table.launch = NULL;
    assert_null(gf_device_open_backend(&f.table, &f, "", diags));
    f.table.version = 2;
    assert_null(gf_device_open_backend(&f.table, &f, "", diags));
    assert_null(gf_device_open_backend(NULL, NULL, "", diags));
    assert_int_equal(gf_diags_error_count(diags), 3);
    gf_diags_destroy(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(k19_garbage_is_zeroed_and_all_is_freed),
        cmocka_unit_test(k18_resident_buffers_and_times),
        cmocka_unit_test(k21_without_grid_barrier_it_gets_segments),
        cmocka_unit_test(k22_over_the_residency_limit),
        cmocka_unit_test(b14_every_call_may_fail),
        cmocka_unit_test(buffers_on_the_device_are_worked_on_in_place),
        cmocka_unit_test(tables_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
