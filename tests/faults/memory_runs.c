/* Memory that runs out in the middle of whole ways through the library: for every allocation there is a clean error,
 * no memory of the caller was touched, nothing is left over, and the same objects go on afterwards. What LLVM and the C
 * library take for themselves is not made to fail here. */
#include "every.h"
#include "place.h"
#include "segment.h"
#include <gridfence/backend.h>
#include <gridfence/build.h>
#include <gridfence/gridfence.h>

#define COUNT 8
#define SUM 36
#define GUARD 0x5afe5afeU

/* A grid barrier that orders, a vote, a value that crosses, a scan, a loop of the grid, workgroup memory, a scratch
 * buffer and a fixpoint: three passes, the same bytes each time. */
static const char text[] = "program mixed;\n"
                           "param u32 n;\n"
                           "in u32 x[];\n"
                           "inout u32 a[n];\n"
                           "out u32 y[n];\n"
                           "scratch u32 s[n];\n"
                           "shared u32 w[4];\n"
                           "kernel groups((n + 3) / 4) workgroup(4) fixpoint(3) on (a) {\n"
                           "    let v = gid.x;\n"
                           "    var u32 turns = 0;\n"
                           "    region \"sum\" {\n"
                           "        w[lid.x] = x[v];\n"
                           "        barrier;\n"
                           "        atomic_add(s[v / 4], w[3 - lid.x]);\n"
                           "    }\n"
                           "    let old = a[v];\n"
                           "    grid_barrier;\n"
                           "    let total = grid_add(x[v]);\n"
                           "    grid while turns < 2 { turns += 1; grid_barrier; s[v] += turns; grid_barrier; }\n"
                           "    let place = grid_scan_add(x[v]);\n"
                           "    a[v] = max(old, total);\n"
                           "    y[v] = a[v] + place * 0;\n"
                           "    forall i in 0 .. n reduce(add turns) { turns += x[i] * 0; }\n"
                           "}\n";

/* How the scenario of a run is carried out. */
typedef struct way {
    const char *device;
    gf_strategy strategy;
    bool checked, cached, on_device, async, whole_run;
} way;

typedef struct bench {
    gf_device *device;
    gf_program *program;
    gf_kernel *kernel;
    gf_bindings *bindings;
    gf_buffer *buffer;
} bench;

static void end_bench(void *made) {
    bench *b = made;
    if (b != NULL) {
        gf_buffer_destroy(b->buffer);
        gf_bindings_destroy(b->bindings);
        gf_kernel_destroy(b->kernel);
        gf_program_destroy(b->program);
        gf_device_destroy(b->device);
        free(b);
    }
}

static void *begin_bench(const void *with, gf_diags *diags) {
    const way *how = with;
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->device = gf_device_open_with(how->device, &(gf_device_options){.threads = 2, .no_cache = !how->cached}, diags);
    b->program = gf_program_parse(text, sizeof text - 1, "mixed.gf", diags);
    b->kernel = gf_kernel_create(b->device, b->program, NULL, diags);
    b->bindings = gf_bindings_create(b->kernel);
    if (b->kernel != NULL && b->bindings == NULL) {
        (void)gf_fail_memory(diags); /* the one function of these that has no sink */
    }
    b->buffer = how->on_device ? gf_buffer_create(b->device, COUNT * sizeof(uint32_t), diags) : NULL;
    if (b->bindings == NULL || (how->on_device && b->buffer == NULL)) {
        end_bench(b);
        return NULL;
    }
    return b;
}

static bool run_in_line(bench *b, const gf_run_options *options, gf_stats *stats, gf_diags *diags) {
    return gf_run(b->kernel, b->bindings, options, stats, diags);
}

static bool run_aside(bench *b, const gf_run_options *options, gf_stats *stats, gf_diags *diags) {
    gf_pending *pending = gf_run_async(b->kernel, b->bindings, options, diags);
    while (!gf_run_poll(pending)) {
    }
    return gf_run_wait(pending, stats, diags);
}

/* A guard word lies before and behind each buffer. */
static bool run_bench(void *made, const void *with, gf_diags *diags) {
    const way *how = with;
    bench *b = made;
    const uint32_t x[COUNT] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t a[COUNT + 2] = {GUARD, 1, 2, 3, 4, 5, 6, 7, 8, GUARD};
    uint32_t y[COUNT + 2] = {GUARD, 7, 7, 7, 7, 7, 7, 7, 7, GUARD};
    const uint32_t zeros[COUNT] = {0};
    gf_bind_u32(b->bindings, "n", COUNT);
    gf_bind_input(b->bindings, "x", x, sizeof x);
    gf_bind_output(b->bindings, "y", y + 1, COUNT * sizeof *y);
    if (how->on_device) {
        gf_bind_buffer(b->bindings, "a", b->buffer);
        if (!gf_buffer_write(b->buffer, 0, zeros, sizeof zeros, diags)) {
            return false;
        }
    } else {
        gf_bind_inout(b->bindings, "a", a + 1, COUNT * sizeof *a);
    }
    gf_cancel *cancel = how->whole_run ? gf_cancel_create() : NULL;
    gf_trace *trace = how->whole_run ? gf_trace_create(100) : NULL;
    gf_run_options options = {.strategy = how->strategy,
                              .checked = how->checked,
                              .check_races = how->checked,
                              .profile = how->whole_run,
                              .cancel = cancel,
                              .trace = trace,
                              .keep_on_failure = how->on_device};
    gf_stats stats = {0};
    bool done = (how->async ? run_aside : run_in_line)(b, &options, &stats, diags);
    gf_cancel_destroy(cancel);
    gf_trace_destroy(trace);
    assert_true(a[0] == GUARD && a[COUNT + 1] == GUARD && y[0] == GUARD && y[COUNT + 1] == GUARD);
    for (uint32_t i = 1; i <= COUNT; i++) {
        assert_int_equal(y[i], done ? SUM : 7);
        assert_int_equal(a[i], !done || how->on_device ? i : SUM);
    }
    gf_status wanted = done || (how->async && stats.size == 0) ? GF_STATUS_OK : GF_STATUS_DEVICE;
    if (stats.status != wanted) {
        gf_diags_print(diags, stderr);
        fail_msg("status %d, not %d", (int)stats.status, (int)wanted);
    }
    if (how->on_device) {
        uint32_t there[COUNT];
        assert_true(gf_buffer_read(b->buffer, 0, there, sizeof there, NULL));
        assert_int_equal(there[COUNT - 1], done ? SUM : 0);
    }
    return done;
}

/* ---- gf_run_split ---- */

typedef struct split {
    gf_device *device;
    gf_program *program;
} split;

static void end_split(void *made) {
    split *at = made;
    if (at != NULL) {
        gf_program_destroy(at->program);
        gf_device_destroy(at->device);
        free(at);
    }
}

static void *begin_split(const void *with, gf_diags *diags) {
    split *at = calloc(1, sizeof *at);
    assert_non_null(at);
    at->device = gf_device_open("interp", diags);
    at->program = gf_program_parse(with, strlen(with), "split.gf", diags);
    if (at->device == NULL || at->program == NULL) {
        end_split(at);
        return NULL;
    }
    return at;
}

static bool run_segment(void *user, const gf_program *segment, const uint32_t groups[3], const gf_bytes *inputs,
                        size_t input_count, gf_output *outputs, size_t output_count, gf_diags *diags) {
    split *at = user;
    (void)groups;
    return run_segment_on(at->device, segment, inputs, input_count, outputs, output_count, diags);
}

static bool run_split(void *made, const void *with, gf_diags *diags) {
    (void)with;
    const uint32_t x[COUNT] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint32_t a[COUNT + 2] = {GUARD, 1, 2, 3, 4, 5, 6, 7, 8, GUARD};
    uint32_t y[COUNT + 2] = {GUARD, 7, 7, 7, 7, 7, 7, 7, 7, GUARD};
    gf_bytes inputs[2] = {{x, sizeof x}, {a + 1, sizeof x}};
    gf_output outputs[2] = {{a + 1, 99, sizeof x}, {y + 1, 99, sizeof x}};
    gf_run_param n = {"n", GF_TYPE_U32, COUNT};
    bool done = gf_run_split(((split *)made)->program, inputs, 2, &(gf_run_options){.params = &n, .param_count = 1},
                             run_segment, made, outputs, 2, NULL, diags);
    assert_true(a[0] == GUARD && a[COUNT + 1] == GUARD && y[0] == GUARD && y[COUNT + 1] == GUARD);
    for (uint32_t i = 1; i <= COUNT; i++) {
        assert_int_equal(y[i], done ? SUM : 7);
        assert_int_equal(a[i], done ? SUM : i);
    }
    assert_int_equal(outputs[0].size, done ? sizeof x : 99);
    assert_int_equal(outputs[1].size, done ? sizeof x : 99);
    return done;
}

static void split_run(void **state) {
    (void)state;
    scenario s = {
        .name = "gf_run_split", .begin = begin_split, .act = run_split, .end = end_split, .with = text, .step = 3};
    fail_whole(&s);
    s.step = 7;
    fail_act(&s);
}

/* ---- programs and plans ---- */

static bool dump_plan(const gf_program *program, gf_plan *plan, gf_diags *diags) {
    static const gf_plan_format formats[] = {GF_PLAN_TEXT, GF_PLAN_JSON, GF_PLAN_DOT, GF_PLAN_SVG, GF_PLAN_SEGMENTS};
    gf_value params[] = {{GF_TYPE_U32, COUNT}};
    uint64_t lengths[] = {COUNT, COUNT, COUNT, COUNT};
    bool done = plan != NULL;
    for (size_t i = 0; done && i < sizeof formats / sizeof formats[0]; i++) {
        char *dump = gf_plan_dump(plan, formats[i], diags);
        char *sized = gf_plan_dump_sized(plan, formats[i], &(gf_plan_sizes){params, lengths}, diags);
        done = dump != NULL && sized != NULL;
        gf_free(dump);
        gf_free(sized);
    }
    char *canonical = done ? gf_program_text(program, diags) : NULL;
    done = canonical != NULL;
    gf_free(canonical);
    return done;
}

static bool make_plans(void *made, const void *with, gf_diags *diags) {
    (void)made;
    (void)with;
    gf_program *program = gf_program_parse(text, sizeof text - 1, "mixed.gf", diags);
    bool done = program != NULL;
    for (int form = 0; done && form < 3; form++) {
        gf_plan_options options = {.keep_empty = form == 1, .all_carry = form == 2, .lower_exits = form == 2};
        gf_plan *plan = gf_plan_create(program, &options, diags);
        done = dump_plan(program, plan, diags);
        gf_plan_destroy(plan);
    }
    gf_program_destroy(program);
    return done;
}

static void plans(void **state) {
    (void)state;
    fail_whole(&(scenario){.name = "plans", .act = make_plans});
}

static bool build(void *made, const void *with, gf_diags *diags) {
    (void)made;
    (void)with;
    gf_builder *b = gf_build_program("built", diags);
    (void)gf_build_param(b, GF_TYPE_U32, "n", NULL);
    (void)gf_build_buffer(b, GF_BUFFER_INOUT, GF_TYPE_U32, "x", gf_build_name(b, "n"));
    (void)gf_build_kernel(b);
    (void)gf_build_space(b, gf_build_name(b, "n"), NULL, NULL);
    (void)gf_build_store(b, "x", gf_build_builtin(b, "gid.x"), "*", gf_build_integer(b, 2));
    (void)gf_build_let(b, "all", gf_build_cross(b, "grid_add", gf_build_load(b, "x", gf_build_builtin(b, "gid.x"))));
    (void)gf_build_store(b, "x", gf_build_builtin(b, "gid.x"), NULL, gf_build_name(b, "all"));
    (void)gf_build_end(b);
    gf_program *program = gf_build_finish(b, diags);
    gf_build_destroy(b);
    gf_plan *plan = program != NULL ? gf_plan_create(program, NULL, diags) : NULL;
    bool done = plan != NULL;
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    return done;
}

static void builder(void **state) {
    (void)state;
    fail_whole(&(scenario){.name = "builder", .act = build});
}

/* ---- runs ---- */

static void go(const char *name, way how, uint64_t step) {
    scenario s = {.name = name,
                  .begin = begin_bench,
                  .act = run_bench,
                  .end = end_bench,
                  .with = &how,
                  .may_do_without = true,
                  .step = step};
    fail_whole(&s);
    fail_act(&s);
}

static void interpreter(void **state) {
    (void)state;
    go("interp native", (way){.device = "interp", .strategy = GF_STRATEGY_NATIVE}, 1);
    go("interp resident", (way){.device = "interp", .strategy = GF_STRATEGY_RESIDENT, .whole_run = true}, 1);
    go("interp host", (way){.device = "interp", .strategy = GF_STRATEGY_HOST}, 1);
    go("interp checked", (way){.device = "interp", .strategy = GF_STRATEGY_NATIVE, .checked = true}, 1);
    go("interp on the device", (way){.device = "interp", .strategy = GF_STRATEGY_AUTO, .on_device = true}, 1);
    go("interp resident on the device", (way){.device = "interp", .strategy = GF_STRATEGY_RESIDENT, .on_device = true},
       1);
    go("interp async", (way){.device = "interp", .strategy = GF_STRATEGY_AUTO, .async = true}, 1);
}

static void compiled(void **state) {
    (void)state;
    gf_device *device = gf_device_open("cpu", NULL);
    if (device == NULL) {
        skip(); /* built without LLVM */
    }
    gf_device_destroy(device);
    go("cpu auto", (way){.device = "cpu", .strategy = GF_STRATEGY_AUTO, .cached = true, .whole_run = true}, 31);
    go("cpu persistent", (way){.device = "cpu", .strategy = GF_STRATEGY_PERSISTENT, .cached = true}, 31);
    go("cpu host", (way){.device = "cpu", .strategy = GF_STRATEGY_HOST, .cached = true}, 31);
    go("cpu async",
       (way){.device = "cpu", .strategy = GF_STRATEGY_AUTO, .cached = true, .async = true, .on_device = true}, 31);
    go("cpu without a cache", (way){.device = "cpu", .strategy = GF_STRATEGY_AUTO}, 397);
}

static void played_gpu(void **state) {
    (void)state;
    go("cuda native", (way){.device = "cuda", .strategy = GF_STRATEGY_NATIVE, .cached = true, .whole_run = true}, 31);
    go("cuda resident", (way){.device = "cuda", .strategy = GF_STRATEGY_RESIDENT, .cached = true}, 301);
    go("cuda persistent", (way){.device = "cuda", .strategy = GF_STRATEGY_PERSISTENT, .cached = true}, 31);
    go("cuda host", (way){.device = "cuda", .strategy = GF_STRATEGY_HOST, .cached = true}, 151);
    go("cuda auto", (way){.device = "cuda", .strategy = GF_STRATEGY_AUTO, .cached = true, .on_device = true}, 101);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(builder, stop_failing),   cmocka_unit_test_setup(plans, stop_failing),
        cmocka_unit_test_setup(split_run, stop_failing), cmocka_unit_test_setup(interpreter, stop_failing),
        cmocka_unit_test_setup(compiled, stop_failing),  cmocka_unit_test_setup(played_gpu, stop_failing),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
