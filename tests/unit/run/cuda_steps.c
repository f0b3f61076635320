/* Strategy resident by steps: what runs took decides how many steps stand before the loop of the graph, counts are
 * those of segments that did work, and a run may end in any step. On the played GPU. */
#include "backend/cuda/kernel.h"
#include "emit/ptx/abi.h"
#include "run/kernel.h"
#include "run_test.h"
#include <stdlib.h>

/* Each turn is one segment, or one and those of a loop in it: `turns` turns, of which each third has k % 4 of them. */
static const char text[] =
    "program t;\nparam u32 n;\nparam u32 turns;\nparam u32 bad;\nout u32 x[n];\nout u32 done[1];\n"
    "kernel {\n    forall i in 0 .. n {\n        x[i] = i;\n    }\n    var u32 k = 0;\n"
    "    while k < turns {\n        if k % 3 == 2 {\n            var u32 left = k % 4;\n"
    "            while left != 0 {\n                left -= 1;\n"
    "                forall i in 0 .. n {\n                    x[i] = x[i] * 3 + left;\n"
    "                }\n            }\n        } else {\n            var u32 odd = 0;\n"
    "            forall i in 0 .. n reduce(add odd) {\n                x[i] += k;\n"
    "                assert(i != 5 || k != bad, \"bad\");\n                odd = x[i] % 3;\n"
    "            }\n            k += odd % 2;\n        }\n        k += 1;\n    }\n    done[0] = k;\n"
    "}\n";

#define ITEMS 20

typedef struct result {
    uint32_t x[ITEMS], done, launches;
} result;

static result wanted(uint32_t turns) {
    result r = {.launches = 1 + 1};
    for (uint32_t i = 0; i < ITEMS; i++) {
        r.x[i] = i;
    }
    for (; r.done < turns; r.done++) {
        uint32_t k = r.done, odd = 0;
        for (uint32_t left = k % 4; k % 3 == 2 && left-- > 0; r.launches++) {
            for (uint32_t i = 0; i < ITEMS; i++) {
                r.x[i] = r.x[i] * 3 + left;
            }
        }
        for (uint32_t i = 0; k % 3 != 2 && i < ITEMS; i++) {
            r.x[i] += k;
            odd += r.x[i] % 3;
        }
        r.launches += k % 3 != 2;
        r.done += odd % 2;
    }
    return r;
}

static void bind(bench *b, uint32_t turns, uint32_t bad, result *found) {
    gf_bind_u32(b->bindings, "n", ITEMS);
    gf_bind_u32(b->bindings, "turns", turns);
    gf_bind_u32(b->bindings, "bad", bad);
    gf_bind_output(b->bindings, "x", found->x, sizeof found->x);
    gf_bind_output(b->bindings, "done", &found->done, sizeof found->done);
}

static gf_stats run(bench *b, uint32_t turns) {
    result right = wanted(turns), found = {0};
    bind(b, turns, UINT32_MAX, &found);
    gf_stats stats = run_well(b, &(gf_run_options){.strategy = GF_STRATEGY_RESIDENT});
    assert_memory_equal(found.x, right.x, sizeof right.x);
    assert_int_equal(found.done, right.done);
    assert_int_equal(stats.launches, right.launches);
    assert_int_equal(stats.barriers, 0);
    assert_int_equal(stats.passes, 1);
    return stats;
}

static bench open_bench(const char *program) {
    bench b = set_up_on(gf_device_open("cuda", NULL), program, NULL);
    show(b.diags);
    assert_non_null(b.bindings);
    return b;
}

static const gf_cuda_steps *steps_of(const bench *b) {
    const gf_cuda_kernel *native = b->kernel->native[0];
    assert_null(native->stages);
    assert_non_null(native->codes);
    assert_true(native->codes->options.by_steps);
    return &native->codes->steps;
}

static void runs_of_any_length(void **state) {
    (void)state;
    bench b = open_bench(text);
    for (uint32_t turns = 0; turns < 20; turns++) {
        (void)run(&b, turns);
    }
    (void)run(&b, 400);
    (void)run(&b, 3);
    tear_down(&b);
}

static void graphs_learn(void **state) {
    (void)state;
    bench b = open_bench(text);
    (void)run(&b, 4);
    const gf_cuda_steps *steps = steps_of(&b);
    uint64_t few = steps->most;
    assert_true(few >= 4 && few < 10);
    assert_null(steps->graph.exec); /* it has more than that before the loop */
    (void)run(&b, 4);
    CUgraphExec kept = steps->graph.exec;
    assert_non_null(kept);
    (void)run(&b, 4);
    (void)run(&b, 2); /* fewer are no reason to make another */
    assert_ptr_equal(steps->graph.exec, kept);
    assert_int_equal(steps->most, few);
    (void)run(&b, 30);
    assert_true(steps->most > few);
    assert_null(steps->graph.exec);
    (void)run(&b, 4);
    assert_non_null(steps->graph.exec);
    tear_down(&b);
}

static void ends_in_the_middle(void **state) {
    (void)state;
    result found = {0};
    bench b = open_bench(text);
    (void)run(&b, 9);
    bind(&b, 9, 4, &found);
    gf_run_options options = {.strategy = GF_STRATEGY_RESIDENT};
    (void)run_badly(&b, &options, GF_STATUS_TRAP, "invocation 5");
    (void)run(&b, 9);
    tear_down(&b);
}

static const char endless[] =
    "program t;\nparam u32 n;\ninout u32 x[n];\nkernel {\n    var u32 k = 1;\n"
    "    while k != 0 {\n        if k % 2 == 0 {\n            forall i in 0 .. n {\n"
    "                x[i] += 1;\n            }\n        }\n        k = k % 6 + 1;\n    }\n}\n";

static void limits_hold(void **state) {
    (void)state;
    static const char scalars[] =
        "program t;\nparam u32 n;\ninout u32 x[n];\nkernel {\n    var u32 k = 1;\n"
        "    while k != 0 {\n        if k == 7 {\n            forall i in 0 .. n {\n"
        "                x[i] += 1;\n            }\n        }\n        k = k % 6 + 1;\n    }\n}\n";
    const char *const programs[] = {endless, scalars}; /* steps that do something for ever, and turns that have none */
    for (size_t i = 0; i < 2; i++) {
        uint32_t x[4] = {0};
        bench b = open_bench(programs[i]);
        gf_bind_u32(b.bindings, "n", 4);
        gf_bind_inout(b.bindings, "x", x, sizeof x);
        gf_run_options options = {.strategy = GF_STRATEGY_RESIDENT, .timeout = 0.3};
        gf_stats stats = run_badly(&b, &options, GF_STATUS_TIME, "after 0 whole passes");
        assert_int_equal(stats.passes, 0);
        (void)steps_of(&b);
        tear_down(&b);
    }
}

/* Whoever wants to hear of passes gets a launch for each. */
static bool hear(void *user, uint64_t pass, bool changed, double elapsed) {
    (void)changed;
    (void)elapsed;
    *(uint64_t *)user = pass;
    return pass < 5;
}

static void passes_are_told(void **state) {
    (void)state;
    uint32_t x[6] = {1, 2, 3, 4, 5, 6};
    uint64_t heard = 0;
    bench b = open_bench("program t;\nparam u32 n;\ninout u32 x[n];\nkernel fixpoint(100) on (x) {\n"
                         "    var u32 k = 0;\n    while k < x[0] % 4 {\n        k += 1;\n"
                         "        forall i in 0 .. n {\n            x[i] = min(x[i] + 1, 40 + i);\n        }\n    }\n"
                         "    forall i in 0 .. n {\n        x[i] = min(x[i] + i % 2 + u32(i == 0), 50);\n    }\n}\n");
    gf_bind_u32(b.bindings, "n", 6);
    gf_bind_inout(b.bindings, "x", x, sizeof x);
    gf_run_options options = {.strategy = GF_STRATEGY_RESIDENT, .on_pass = hear, .on_pass_user = &heard};
    gf_stats stats = run_well(&b, &options);
    (void)steps_of(&b);
    assert_int_equal(heard, 5);
    assert_int_equal(stats.passes, 5);
    assert_int_equal(stats.converged, 0);
    tear_down(&b);
}

/* Votes, a counted loop whose end the data says, and passes in which the last change is not the last thing done. */
static const char passes[] =
    "program t;\nparam u32 n;\ninout u32 x[n];\nout u32 y[n];\nout u32 seen[1];\nscratch u32 most[1];\n"
    "kernel fixpoint(60) on (x) {\n    var bool large = false;\n    forall i in 0 .. n reduce(or large) {\n"
    "        y[i] = x[i];\n        large = x[i] > 35;\n    }\n    forall i in 0 .. n {\n"
    "        atomic_min(x[i], y[(i + 1) % n]);\n    }\n    most[0] = x[0] % 5;\n"
    "    if large {\n        seen[0] += 1;\n    }\n    for k in 0 .. most[0] + 2 {\n        forall i in 0 .. n {\n"
    "            y[i] = y[i] * 2 + x[(i + k) % n];\n        }\n        if k % 2 == 1 {\n            var bool some = "
    "false;\n"
    "            forall i in 0 .. n reduce(or some) {\n                some = y[i] % 32 == 5;\n            }\n"
    "            if some {\n                seen[0] += 100;\n            }\n        }\n    }\n}\n";

typedef struct memory {
    uint32_t x[ITEMS], y[ITEMS], seen;
} memory;

static memory run_passes(const char *device, gf_stats *stats) {
    memory m = {.seen = 0};
    for (uint32_t i = 0; i < ITEMS; i++) {
        m.x[i] = 40 - i;
    }
    bench b = set_up_on(gf_device_open(device, NULL), passes, NULL);
    show(b.diags);
    assert_non_null(b.bindings);
    gf_bind_u32(b.bindings, "n", ITEMS);
    gf_bind_inout(b.bindings, "x", m.x, sizeof m.x);
    gf_bind_output(b.bindings, "y", m.y, sizeof m.y);
    gf_bind_output(b.bindings, "seen", &m.seen, sizeof m.seen);
    *stats = run_well(&b, &(gf_run_options){.strategy = GF_STRATEGY_RESIDENT});
    if (strcmp(device, "cuda") == 0) {
        (void)steps_of(&b);
    }
    tear_down(&b);
    return m;
}

static void as_the_interpreter(void **state) {
    (void)state;
    gf_stats right, found;
    memory wanted_memory = run_passes("interp", &right), m = run_passes("cuda", &found);
    assert_memory_equal(&m, &wanted_memory, sizeof m);
    assert_int_equal(found.passes, right.passes);
    assert_int_equal(found.converged, right.converged);
    assert_true(right.passes > 10 && m.seen > 100);
}

int main(void) {
    assert_int_equal(setenv("GRIDFENCE_CUDA_LIBRARY", GF_FAKE_CUDA, 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_RUN", "1", 1), 0);
    assert_int_equal(setenv("FAKE_CUDA_SMS", "2", 1), 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_any_length), cmocka_unit_test(graphs_learn),    cmocka_unit_test(ends_in_the_middle),
        cmocka_unit_test(limits_hold),        cmocka_unit_test(passes_are_told), cmocka_unit_test(as_the_interpreter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
