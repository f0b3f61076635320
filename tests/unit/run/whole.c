/* A device that runs a whole program by segments in one launch, in memory of the process: which strategies are that
 * launch, what it tells of its segments, and when a run works on memory of the caller. The interpreter does the work.
 */
#include "base/memory.h"
#include "run/interp_device.h"
#include "run_test.h"
#include <stddef.h>
#include <stdlib.h>

typedef struct whole {
    gf_backend table;
    const gf_backend *interp;
    bool foreign_memory, sure;
    unsigned launches, with_plan;
    gf_cancel *cancel; /* requested at the end of that launch, which then says that all is well */
    unsigned cancel_at;
    gf_plan_options plan;         /* as compile_with got it */
    gf_backend_launch asked;      /* the latest */
    gf_backend_buffer buffers[8]; /* of it, before it ran */
    uint32_t first[8];            /* and what their first element was */
} whole;

typedef struct whole_kernel {
    void *interp;
    gf_plan *plan;
} whole_kernel;

static bool open_whole(void *user, const char *which, void **device, gf_backend_limits *limits, gf_diags *diags) {
    whole *w = user;
    bool done = w->interp->open(NULL, which, device, limits, diags);
    *device = w;
    limits->native_is_resident = true;
    limits->persistent = true;
    limits->threads = 2;
    limits->host_memory = !w->foreign_memory;
    return done;
}

static void close_whole(void *device) {
    (void)device;
}

static void *compile_with(void *device, gf_program *program, const gf_plan_options *plan, gf_diags *diags) {
    whole *w = device;
    whole_kernel *kernel = calloc(1, sizeof *kernel);
    assert_non_null(kernel);
    kernel->interp = w->interp->compile(NULL, program, diags);
    kernel->plan = kernel->interp != NULL ? gf_plan_create(program, plan, diags) : NULL;
    if (plan != NULL) {
        w->plan = *plan;
        w->with_plan++;
    }
    if (kernel->plan != NULL) {
        return kernel;
    }
    if (kernel->interp != NULL) {
        w->interp->discard(NULL, kernel->interp);
    }
    free(kernel);
    return NULL;
}

static void *compile_plain(void *device, gf_program *program, gf_diags *diags) {
    return compile_with(device, program, NULL, diags);
}

static void discard_whole(void *device, void *kernel) {
    whole_kernel *k = kernel;
    ((whole *)device)->interp->discard(NULL, k->interp);
    gf_plan_destroy(k->plan);
    free(k);
}

static bool launch_whole(void *device, void *kernel, const gf_backend_launch *launch, gf_backend_result *result,
                         gf_diags *diags) {
    whole *w = device;
    w->launches++;
    w->asked = *launch;
    for (size_t i = 0; i < launch->buffer_count && i < 8; i++) {
        w->buffers[i] = launch->buffers[i];
        if (launch->buffers[i].count > 0 && !w->foreign_memory) {
            memcpy(&w->first[i], launch->buffers[i].memory, sizeof w->first[i]);
        }
    }
    bool done = w->interp->launch(NULL, ((whole_kernel *)kernel)->interp, launch, result, diags);
    result->bytes_carried = 12;
    result->bytes_hidden = 100;
    result->launches = 7;
    result->launches_skipped = 2;
    for (size_t i = 0; i < launch->segment_count; i++) {
        launch->segments[i] = (gf_backend_segment){.launches = i + 3, .seconds = (double)i, .bytes = 40 + i};
    }
    if (w->launches == w->cancel_at) {
        gf_cancel_request(w->cancel);
    }
    return done;
}

static const gf_plan *plan_of(void *device, void *kernel) {
    (void)device;
    return ((whole_kernel *)kernel)->plan;
}

static bool is_sure(void *device, void *kernel) {
    (void)kernel;
    return ((whole *)device)->sure;
}

static void describe(void *device, char *text, size_t size) {
    (void)device;
    (void)snprintf(text, size, "CPU: a test\n");
}

static void make_whole(whole *w) {
    const gf_backend *interp = gf_interp_backend();
    *w = (whole){.interp = interp, .table = *interp, .sure = true};
    w->table.name = "whole";
    w->table.open = open_whole;
    w->table.close = close_whole;
    w->table.compile = compile_plain;
    w->table.compile_with = compile_with;
    w->table.discard = discard_whole;
    w->table.launch = launch_whole;
    w->table.plan = plan_of;
    w->table.is_sure = is_sure;
    w->table.describe = describe;
}

static bench start(whole *w, const char *text) {
    bench t = set_up_on(gf_device_open_backend(&w->table, w, "", NULL), text, NULL);
    if (t.bindings == NULL) {
        show(t.diags);
    }
    assert_non_null(t.bindings);
    return t;
}

/* Two segments; y and the storage of `a` behind its first element are not provably written. */
static const char plain[] = "program plain;\nin u32 x[4];\ninout u32 a[4];\nout u32 y[5];\nout u32 z[4];\n"
                            "kernel (4) workgroup(2) {\n"
                            "    region \"first\" { z[gid.x] = x[gid.x]; }\n    grid_barrier;\n"
                            "    region \"second\" { a[gid.x] += z[3 - gid.x];\n    y[gid.x] = a[gid.x]; }\n}\n";

typedef struct data {
    uint32_t x[4], a[4], y[5], z[4];
} data;

static void bind_plain(const bench *t, data *d) {
    *d = (data){.x = {1, 2, 3, 4}, .a = {10, 10, 10, 10}, .y = {7, 7, 7, 7, 7}, .z = {7, 7, 7, 7}};
    gf_bind_input(t->bindings, "x", d->x, sizeof d->x);
    gf_bind_inout(t->bindings, "a", d->a, sizeof d->a);
    gf_bind_output(t->bindings, "y", d->y, sizeof d->y);
    gf_bind_output(t->bindings, "z", d->z, sizeof d->z);
}

static void assert_results(const data *d) {
    assert_memory_equal(d->a, ((uint32_t[]){14, 13, 12, 11}), sizeof d->a);
    assert_memory_equal(d->y, ((uint32_t[]){14, 13, 12, 11, 0}), sizeof d->y);
    assert_memory_equal(d->z, d->x, sizeof d->z);
}

static bool works_in_place(const whole *w, const data *d) {
    bool a = w->buffers[1].memory == d->a;
    bool y = w->buffers[2].memory == d->y;
    bool z = w->buffers[3].memory == d->z;
    assert_true(a == y && y == z);
    return a;
}

static void strategies_that_are_one_launch(void **state) {
    (void)state;
    static const gf_strategy order[] = {GF_STRATEGY_AUTO, GF_STRATEGY_NATIVE, GF_STRATEGY_RESIDENT,
                                        GF_STRATEGY_PERSISTENT};
    whole w;
    data d;
    make_whole(&w);
    bench t = start(&w, plain);
    for (size_t i = 0; i < 4; i++) {
        bind_plain(&t, &d);
        w.launches = 0;
        gf_stats stats = run_well(&t, &(gf_run_options){.strategy = order[i]});
        assert_results(&d);
        assert_int_equal(w.launches, 1);
        assert_int_equal(stats.strategy, i == 0 ? GF_STRATEGY_NATIVE : order[i]);
        assert_int_equal(w.asked.keep_shares, order[i] == GF_STRATEGY_PERSISTENT);
        assert_true(w.asked.memory_left == UINT64_MAX);
        bool is_same = strstr(stats.reason, "native and resident are the same on device `whole`") != NULL;
        assert_int_equal(is_same, order[i] != GF_STRATEGY_PERSISTENT);
        assert_true(order[i] != GF_STRATEGY_PERSISTENT || strstr(stats.reason, "keeps its share") != NULL);
        assert_int_equal(stats.segments, 2);
        assert_int_equal(stats.launches, 7);
        assert_int_equal(stats.launches_skipped, 2);
        assert_int_equal(stats.bytes_carried, 12);
        assert_int_equal(stats.bytes_device, 100);
        assert_int_equal(stats.bytes_up + stats.bytes_down, 0);
    }
    bind_plain(&t, &d);
    w.launches = 0;
    gf_stats stats = run_well(&t, &(gf_run_options){.strategy = GF_STRATEGY_HOST});
    assert_results(&d);
    assert_int_equal(w.launches, 2);
    assert_null(strstr(stats.reason, "same"));
    tear_down(&t);
}

static void segments_are_told(void **state) {
    (void)state;
    whole w;
    data d;
    gf_profile_entry entries[3];
    make_whole(&w);
    bench t = start(&w, plain);
    for (int i = 0; i < 4; i++) {
        gf_run_options options = {.profile = i == 0,
                                  .strategy = i == 1   ? GF_STRATEGY_RESIDENT
                                              : i == 2 ? GF_STRATEGY_PERSISTENT
                                                       : GF_STRATEGY_AUTO};
        bind_plain(&t, &d);
        run_well(&t, &options);
        if (i == 3) {
            assert_null(w.asked.segments);
            assert_int_equal(gf_run_profile(t.bindings, entries, 3), 1);
            assert_int_equal(entries[0].launches, 1);
            assert_string_equal(entries[0].region, "");
            continue;
        }
        assert_int_equal(gf_run_profile(t.bindings, entries, 3), 2);
        assert_string_equal(entries[0].region, "first");
        assert_string_equal(entries[1].region, "second");
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(entries[k].segment, k);
            assert_int_equal(entries[k].launches, k + 3);
            assert_int_equal(entries[k].bytes, 40 + k);
            assert_true(entries[k].seconds == (double)k);
        }
    }
    /* A device that tells no plan has one entry, whatever is asked. */
    w.table.plan = NULL;
    tear_down(&t);
    t = start(&w, plain);
    bind_plain(&t, &d);
    gf_stats stats = run_well(&t, &(gf_run_options){.profile = true});
    assert_int_equal(gf_run_profile(t.bindings, entries, 3), 1);
    assert_int_equal(stats.segments, 0);
    tear_down(&t);
}

static void plan_options_reach_the_device(void **state) {
    (void)state;
    whole w;
    make_whole(&w);
    bench t = set_up_on(gf_device_open_backend(&w.table, &w, "", NULL), plain,
                        &(gf_kernel_options){.plan = {.keep_barriers = true}});
    assert_int_equal(w.with_plan, 1);
    assert_true(w.plan.keep_barriers);
    assert_int_equal(w.plan.size, sizeof w.plan);
    tear_down(&t);
    w.table.compile_with = NULL;
    t = start(&w, plain);
    assert_int_equal(w.with_plan, 1);
    tear_down(&t);
}

/* ---- in place ---- */

static bool go_on(void *user, uint64_t pass, bool changed, double elapsed) {
    (void)user, (void)pass, (void)changed, (void)elapsed;
    return true;
}

static void in_place_where_nothing_can_fail(void **state) {
    (void)state;
    gf_cancel *cancel = gf_cancel_create();
    const gf_run_options copies[] = {
        {.timeout = 1000},           {.cancel = cancel}, {.on_pass = go_on},
        {.require_converged = true}, {.checked = true},  {.check_races = true},
    };
    whole w;
    data d;
    make_whole(&w);
    bench t = start(&w, plain);
    bind_plain(&t, &d);
    run_well(&t, NULL);
    assert_true(works_in_place(&w, &d));
    assert_ptr_equal(w.buffers[0].memory, d.x);
    assert_results(&d);
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        gf_run_options options = copies[i];
        bind_plain(&t, &d);
        gf_stats stats = run_well(&t, &options);
        assert_false(works_in_place(&w, &d));
        assert_results(&d);
        assert_true(stats.bytes_device > 100 && stats.bytes_down > 0);
        options.in_place = true;
        bind_plain(&t, &d);
        run_well(&t, &options);
        assert_true(works_in_place(&w, &d));
        assert_results(&d);
    }
    bind_plain(&t, &d);
    w.sure = false;
    run_well(&t, NULL);
    assert_false(works_in_place(&w, &d));
    assert_results(&d);
    tear_down(&t);
    w.table.is_sure = NULL;
    t = start(&w, plain);
    bind_plain(&t, &d);
    run_well(&t, NULL);
    assert_false(works_in_place(&w, &d));
    tear_down(&t);
    make_whole(&w);
    w.foreign_memory = true;
    t = start(&w, plain);
    bind_plain(&t, &d);
    run_well(&t, &(gf_run_options){.in_place = true});
    assert_false(works_in_place(&w, &d));
    assert_results(&d);
    tear_down(&t);
    gf_cancel_destroy(cancel);
}

static void memory_that_does_not_fit_is_copied(void **state) {
    (void)state;
    static const char part[] = "program part;\ninout u32 a[2];\nout u32 y[4] returns(1 .. 3);\nout u32 z[2];\n"
                               "kernel (2) { a[gid.x] += 1; y[gid.x + 1] = a[gid.x]; z[gid.x] = 5; }\n";
    whole w;
    _Alignas(uint32_t) unsigned char bytes[9] = {0};
    uint32_t y[2];
    uint32_t z[2];
    make_whole(&w);
    bench t = start(&w, part);
    gf_bind_inout(t.bindings, "a", bytes + 1, 8);
    gf_bind_output(t.bindings, "y", y, sizeof y);
    gf_bind_output(t.bindings, "z", z, sizeof z);
    run_well(&t, NULL);
    assert_ptr_not_equal(w.buffers[0].memory, bytes + 1);
    assert_true((uintptr_t)w.buffers[0].memory % 4 == 0);
    assert_ptr_not_equal(w.buffers[1].memory, y);
    assert_ptr_equal(w.buffers[2].memory, z);
    assert_int_equal(bytes[1] + bytes[5], 2);
    assert_int_equal(y[0] + y[1] + z[0] + z[1], 1 + 1 + 5 + 5);
    tear_down(&t);
}

static void a_trap_leaves_memory_as_it_was(void **state) {
    (void)state;
    static const char *const texts[] = {
        "program t;\ninout u32 a[4];\nout u32 y[4];\nkernel (4) {\n    a[gid.x] = 1; y[gid.x] = 1;\n    grid_barrier;\n"
        "    if a[3 - gid.x] == 1 { trap(\"late\", gid.x); }\n}\n",
        "program t;\ninout u32 a[4];\nout u32 y[4];\nfn look(u32 v) { assert(v < 1, \"late\"); }\n"
        "kernel (4) {\n    a[gid.x] = 1; y[gid.x] = 1;\n    grid_barrier;\n    look(a[3 - gid.x]);\n}\n"};
    for (size_t i = 0; i < 2; i++) {
        whole w;
        uint32_t a[4] = {5, 5, 5, 5};
        uint32_t y[4] = {7, 7, 7, 7};
        make_whole(&w);
        bench t = start(&w, texts[i]);
        gf_bind_inout(t.bindings, "a", a, sizeof a);
        gf_bind_output(t.bindings, "y", y, sizeof y);
        run_badly(&t, NULL, GF_STATUS_TRAP, "late");
        assert_int_equal(w.launches, 1);
        assert_ptr_not_equal(w.buffers[0].memory, a);
        assert_memory_equal(a, ((uint32_t[]){5, 5, 5, 5}), sizeof a);
        assert_memory_equal(y, ((uint32_t[]){7, 7, 7, 7}), sizeof y);
        tear_down(&t);
    }
}

static void zeros_only_where_they_are_needed(void **state) {
    (void)state;
    whole w;
    data d;
    make_whole(&w);
    bench t = start(&w, plain);
    bind_plain(&t, &d);
    run_well(&t, NULL);
    assert_int_equal(w.first[2], 0); /* y has an element more than are written */
    assert_int_equal(w.first[3], 7); /* z is written whole before it is read */
    /* On the device alike. */
    gf_buffer *y = gf_buffer_create(t.device, sizeof d.y, t.diags);
    gf_buffer *z = gf_buffer_create(t.device, sizeof d.z, t.diags);
    bind_plain(&t, &d);
    gf_bind_buffer(t.bindings, "y", y);
    gf_bind_buffer(t.bindings, "z", z);
    assert_true(gf_buffer_write(y, 0, d.y, sizeof d.y, t.diags) && gf_buffer_write(z, 0, d.z, sizeof d.z, t.diags));
    run_well(&t, NULL);
    assert_int_equal(w.first[2], 0);
    assert_int_equal(w.first[3], 7);
    /* What a first pass finds is compared with what it leaves: it must be zeros. */
    bind_plain(&t, &d);
    run_well(&t, &(gf_run_options){.max_passes = 2});
    assert_int_equal(w.first[3], 0);
    gf_buffer_destroy(y);
    gf_buffer_destroy(z);
    tear_down(&t);
    static const char *const texts[] = {
        "program r;\nparam bool c = false;\nout u32 z[4];\nkernel (4) { if c { return; } z[gid.x] = 1; }\n",
        "program r;\nparam bool c = false;\nout u32 z[4];\nkernel (4) {\n    if c { grid_barrier; z[gid.x] = 1; }\n}\n",
        "program r;\nout u32 z[4];\nout u32 y[4];\nkernel (4) {\n    y[gid.x] = z[3 - gid.x];\n    grid_barrier;\n"
        "    z[gid.x] = 1;\n}\n",
        "program r;\nout u32 z[4];\nout u32 y[4];\nkernel (4) {\n    var u32 k = 0;\n    k = grid_load(z[0]);\n"
        "    z[gid.x] = 1 + k;\n}\n",
        "program r;\nout u32 z[4];\nout u32 y[4];\nkernel (4) {\n    y[gid.x] = 2;\n    swap(y, z);\n"
        "    y[gid.x] = 1;\n}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint32_t four[4] = {7, 7, 7, 7};
        t = start(&w, texts[i]);
        gf_bind_output(t.bindings, "z", four, sizeof four);
        run_well(&t, &(gf_run_options){.in_place = true});
        assert_int_equal(w.first[0], 0);
        tear_down(&t);
    }
}

/* What names stand for comes home, round a cycle or beside a name without a result. */
static void swapped_names_in_place(void **state) {
    (void)state;
    static const char text[] = "program turns;\nparam u32 n;\nparam u32 turns;\ninout u32 a[n];\ninout u32 b[n];\n"
                               "inout u32 c[n];\nscratch u32 s[n];\ninout u32 d[n];\n"
                               "kernel (n) workgroup(64) {\n"
                               "    s[gid.x] = 400000 + gid.x;\n"
                               "    for t in 0 .. turns { swap(a, b); swap(b, c); swap(s, d); }\n"
                               "    a[gid.x] += 0; b[gid.x] += 0; c[gid.x] += 0; d[gid.x] += 0;\n}\n";
    enum { N = 9001 };
    static uint32_t v[4][N];
    whole w;
    make_whole(&w);
    bench t = start(&w, text);
    for (uint32_t turns = 0; turns < 7; turns++) {
        for (int on_device = 0; on_device < 2; on_device++) {
            gf_buffer *buffer = gf_buffer_create(t.device, sizeof v[0], t.diags);
            for (uint32_t k = 0; k < 4; k++) {
                for (uint32_t i = 0; i < N; i++) {
                    v[k][i] = 100000 * k + i;
                }
            }
            gf_bind_u32(t.bindings, "n", N);
            gf_bind_u32(t.bindings, "turns", turns);
            gf_bind_inout(t.bindings, "a", v[0], sizeof v[0]);
            gf_bind_inout(t.bindings, "b", v[1], sizeof v[0]);
            gf_bind_inout(t.bindings, "c", v[2], sizeof v[0]);
            gf_bind_inout(t.bindings, "d", v[3], sizeof v[0]);
            if (on_device != 0) {
                assert_true(gf_buffer_write(buffer, 0, v[1], sizeof v[0], t.diags));
                gf_bind_buffer(t.bindings, "b", buffer);
            }
            run_well(&t, NULL);
            assert_ptr_equal(w.buffers[0].memory, v[0]);
            if (on_device != 0) {
                assert_true(gf_buffer_read(buffer, 0, v[1], sizeof v[0], t.diags));
            }
            /* One turn: a has what b had, b what c had, c what a had. */
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t from = k < 3 ? (k + turns) % 3 : turns % 2 == 1 ? 4 : 3;
                for (uint32_t i = 0; i < N; i++) {
                    assert_int_equal(v[k][i], 100000 * from + i);
                }
            }
            gf_buffer_destroy(buffer);
        }
    }
    tear_down(&t);
}

/* Whatever cannot be had: nothing is written, or the run is done. */
static void memory_may_run_out(void **state) {
    (void)state;
    whole w;
    data d;
    make_whole(&w);
    bench t = start(&w, plain);
    bind_plain(&t, &d);
    (void)gf_memory_fail_at(0, false);
    run_well(&t, &(gf_run_options){.profile = true});
    uint64_t most = gf_memory_fail_at(0, false);
    assert_true(most > 10);
    for (uint64_t n = 1; n <= most; n++) {
        bind_plain(&t, &d);
        gf_diags_clear(t.diags);
        w.launches = 0;
        (void)gf_memory_fail_at(n, false);
        bool done = gf_run(t.kernel, t.bindings, &(gf_run_options){.profile = true}, NULL, t.diags);
        (void)gf_memory_fail_at(0, false);
        if (done) {
            assert_results(&d);
        } else if (w.launches == 0) {
            assert_int_equal(gf_diags_status(t.diags), GF_STATUS_DEVICE);
            assert_memory_equal(d.a, ((uint32_t[]){10, 10, 10, 10}), sizeof d.a);
            assert_memory_equal(d.y, ((uint32_t[]){7, 7, 7, 7, 7}), sizeof d.y);
            assert_memory_equal(d.z, ((uint32_t[]){7, 7, 7, 7}), sizeof d.z);
        }
    }
    tear_down(&t);
}

static void limits_of_memory(void **state) {
    (void)state;
    whole w;
    data d;
    make_whole(&w);
    bench t = start(&w, plain);
    bind_plain(&t, &d);
    run_well(&t, &(gf_run_options){.memory_limit = 30});
    assert_true(works_in_place(&w, &d));
    assert_int_equal(w.asked.memory_left, 30);
    w.sure = false;
    run_badly(&t, &(gf_run_options){.memory_limit = 30}, GF_STATUS_DEVICE, "needs 52 bytes");
    run_well(&t, &(gf_run_options){.memory_limit = 60});
    assert_int_equal(w.asked.memory_left, 8);
    tear_down(&t);
}

static void what_was_stopped_fails(void **state) {
    (void)state;
    static const gf_strategy order[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_HOST};
    whole w;
    data d;
    make_whole(&w);
    bench t = start(&w, plain);
    for (size_t i = 0; i < 2; i++) {
        gf_cancel *cancel = gf_cancel_create();
        bind_plain(&t, &d);
        w.cancel = cancel;
        w.cancel_at = i + 1; /* of the segments of host the last */
        w.launches = 0;
        run_badly(&t, &(gf_run_options){.strategy = order[i], .cancel = cancel}, GF_STATUS_TIME, "cancelled");
        assert_int_equal(w.launches, i + 1);
        assert_int_equal(d.a[0], 10);
        gf_cancel_destroy(cancel);
    }
    tear_down(&t);
}

/* ---- the table ---- */

static void older_tables_are_taken(void **state) {
    (void)state;
    enum { OLD = offsetof(gf_backend, compile_with) };
    gf_diags *diags = gf_diags_create();
    char text[16] = "x";
    whole w;
    make_whole(&w);
    w.table.size = OLD;
    gf_backend *old = malloc(OLD);
    assert_non_null(old);
    memcpy(old, &w.table, OLD);
    gf_device *device = gf_device_open_backend(old, &w, "", diags);
    free(old);
    assert_non_null(device);
    gf_device_describe(device, text, sizeof text);
    assert_string_equal(text, "");
    gf_device_destroy(device);
    w.table.size = OLD - 1;
    assert_null(gf_device_open_backend(&w.table, &w, "", diags));
    assert_int_equal(gf_diags_status(diags), GF_STATUS_DEVICE);
    w.table.size = sizeof w.table;
    device = gf_device_open_backend(&w.table, &w, "", diags);
    gf_device_describe(device, text, sizeof text);
    assert_string_equal(text, "CPU: a test\n");
    assert_int_equal(gf_device_limits(device)->threads, 2);
    gf_device_destroy(device);
    gf_device_describe(NULL, text, sizeof text);
    assert_string_equal(text, "");
    gf_diags_destroy(diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strategies_that_are_one_launch),
        cmocka_unit_test(segments_are_told),
        cmocka_unit_test(plan_options_reach_the_device),
        cmocka_unit_test(in_place_where_nothing_can_fail),
        cmocka_unit_test(memory_that_does_not_fit_is_copied),
        cmocka_unit_test(a_trap_leaves_memory_as_it_was),
        cmocka_unit_test(zeros_only_where_they_are_needed),
        cmocka_unit_test(swapped_names_in_place),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(limits_of_memory),
        cmocka_unit_test(what_was_stopped_fails),
        cmocka_unit_test(older_tables_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
