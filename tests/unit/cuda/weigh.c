/* What the forms of a run cost by given figures, and what of a plan is counted for that. */
#include "backend/cuda/weigh.h"
#include "backend/cuda/turns.h"
#include "choosing.h"
#include "emit/ptx/stages.h"
#include <stdlib.h>

/* ---- arithmetic ---- */

static gf_cuda_facts h200(void) {
    return (gf_cuda_facts){.sms = 132, .threads_per_sm = 2048, .l2_bytes = 62914560, .cooperative = true};
}

static void assert_near(double found, double expected) {
    if (!(found > expected * 0.999 && found < expected * 1.001)) {
        print_message("%.6g instead of %.6g\n", found, expected);
    }
    assert_true(found > expected * 0.999 && found < expected * 1.001);
}

static void barriers_between_those_measured(void **state) {
    (void)state;
    gf_cuda_figures figures = gf_cuda_figures_default();
    gf_cuda_facts facts = h200();
    static const struct {
        unsigned blocks, threads;
        double us;
    } rows[] = {{132, 256, 0.85},  {264, 256, 0.86},  {528, 256, 1.11},  {1056, 256, 1.73},
                {396, 256, 0.985}, {132, 1024, 0.90}, {264, 1024, 0.94}, {198, 1024, 0.92},
                {1, 256, 0.5525},  {264, 512, 0.86},  {1584, 256, 2.35}, {1, 1024, 0.585}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_near(gf_cuda_barrier_seconds(&figures, &facts, rows[i].blocks, rows[i].threads), rows[i].us * 1e-6);
    }
    /* Fewer shapes fit on other devices. */
    figures.barrier[3] = figures.barrier[5] = 0;
    assert_near(gf_cuda_barrier_seconds(&figures, &facts, 528, 256), 1.11e-6);
    assert_near(gf_cuda_barrier_seconds(&figures, &facts, 132, 1024), 0.90e-6);
    figures.barrier[4] = 0;
    assert_near(gf_cuda_barrier_seconds(&figures, &facts, 132, 1024), 0.85e-6);
}

/* Each part of a cost by itself. */
static void costs_add_up(void **state) {
    (void)state;
    gf_cuda_figures figures = gf_cuda_figures_default();
    gf_cuda_facts facts = h200();
    gf_cuda_grid grid = {.blocks = 264, .threads = 1024};
    gf_cuda_load load = {.barriers = 100, .kernels = 101, .loops = 1, .nodes = 16, .turns = 7, .idle = 4};
    gf_cuda_costs base = gf_cuda_weigh(&load, &figures, &facts, &grid);
    assert_true(base.is_graph);
    assert_near(base.native, 8.8e-6 + 100 * (0.94e-6 + 0.25e-6));
    assert_near(base.persistent, base.native);
    assert_near(base.resident, 7e-6 + 100 * 1.33e-6 + 4 * 1.2e-6 + 7 * 3.8e-6 + 16 * 5e-6 / 16);
    /* Bytes, that fit into the second cache or do not. */
    load.bytes = 101e6;
    gf_cuda_costs more = gf_cuda_weigh(&load, &figures, &facts, &grid);
    assert_near(more.work, 101e6 / 8.4e12);
    assert_near(more.native - base.native, more.work);
    assert_near(more.resident - base.resident, more.work);
    load.bytes = 101e9;
    assert_near(gf_cuda_weigh(&load, &figures, &facts, &grid).work, 101e9 / 4.2e12);
    load.bytes = 0;
    /* Values: not for who keeps them in registers. */
    load.values = 100e8;
    load.value_segments = 100;
    more = gf_cuda_weigh(&load, &figures, &facts, &grid);
    assert_near(more.native, base.native);
    assert_near(more.persistent - base.persistent, 100e8 / 4.2e12);
    assert_near(more.resident - base.resident, 100e8 / 4.2e12);
    load.values = 0;
    /* Blocks past the first of each multiprocessor. */
    load.wide_blocks = 100 * 924;
    more = gf_cuda_weigh(&load, &figures, &facts, &grid);
    assert_near(more.resident - base.resident, 100 * 0.35e-6);
    load.wide_blocks = 0;
    /* Few threads, and registers in memory. */
    load.bytes = 101e9;
    grid.resident = 512;
    more = gf_cuda_weigh(&load, &figures, &facts, &grid);
    assert_near(more.native - base.native, 2 * more.work);
    assert_near(more.resident - base.resident, more.work);
    grid.stage_resident = 256;
    more = gf_cuda_weigh(&load, &figures, &facts, &grid);
    assert_near(more.resident - base.resident, 4 * more.work);
    load.bytes = 0;
    grid.spilled = 8;
    more = gf_cuda_weigh(&load, &figures, &facts, &grid);
    assert_near(more.native - base.native, 100 * 2.0 * 8 * 264 * 1024 / 8.4e12);
    /* A few kernels are launched one by one, and hidden behind long ones. */
    gf_cuda_load few = {.barriers = 2, .kernels = 4, .nodes = 4};
    more = gf_cuda_weigh(&few, &figures, &facts, &grid);
    assert_false(more.is_graph);
    assert_near(more.resident, 8.8e-6 + 3 * 3.7e-6);
    few.bytes = 4e9;
    grid.stage_resident = 0;
    more = gf_cuda_weigh(&few, &figures, &facts, &grid);
    assert_near(more.resident, 8.8e-6 + 3 * 1.33e-6 + more.work);
}

static void seconds_are_spelled(void **state) {
    (void)state;
    char text[16];
    assert_string_equal(gf_cuda_spell_seconds(0.94e-6, text), "0.94 us");
    assert_string_equal(gf_cuda_spell_seconds(1.234e-3, text), "1.23 ms");
    assert_string_equal(gf_cuda_spell_seconds(0.9996, text), "1 s");
    assert_string_equal(gf_cuda_spell_seconds(123.4e-6, text), "123 us");
    assert_string_equal(gf_cuda_spell_seconds(1e9, text), "1e+09 s");
}

/* ---- loads ---- */

static char *read_program(const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/programs/%s", GF_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* What the emitter lays out is what was counted, but for a kernel or two that only line up others. */
static void counts_as_the_emitter_does(void **state) {
    (void)state;
    static const char *const names[] = {"bfs.gf",    "cg.gf",     "components.gf", "flows_to.gf", "histogram.gf",
                                        "jacobi.gf", "kmeans.gf", "levels.gf",     "pagerank.gf", "reach.gf",
                                        "scan.gf",   "smooth.gf", "sort.gf",       "sssp.gf",     "taint.gf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *text = read_program(names[i]);
        bench b;
        begin(&b, text);
        bool passes = b.kernel->plan->is_fixpoint;
        size(&b, 1000, 10, passes ? 100 : 1);
        gf_ptx_options options = {.passes = passes, .compare = passes, .threads = 1024, .blocks = 1};
        gf_ptx_stages stages = {0};
        gf_ptx_module whole = {0};
        options.tracked = b.kernel->tracked;
        gf_cuda_sizes sizes = {.plan = b.kernel->plan, .asked = &b.launch};
        gf_ptx_guess *turns = gf_cuda_guess_turns(&sizes, &options.turns_count);
        options.turns = turns;
        assert_true(gf_ptx_emit_stages(b.kernel->plan, &options, &stages, NULL));
        assert_true(gf_ptx_emit_whole(b.kernel->plan, &options, &whole, NULL));
        gf_cuda_load_options how = {.passes = passes,
                                    .compare = passes,
                                    .tracked = b.kernel->tracked,
                                    .lists = b.kernel->lists,
                                    .multiprocessors = 132,
                                    .resident_threads = 2048};
        gf_cuda_load load = gf_cuda_load_of(&sizes, &how);
        long nodes = (long)(stages.step_count - stages.loop_count);
        if (labs(nodes - (long)load.nodes) > 2) {
            print_message("%s: %u nodes instead of %ld\n", names[i], load.nodes, nodes);
        }
        assert_true(labs(nodes - (long)load.nodes) <= 2);
        assert_int_equal(load.loops, stages.loop_count);
        assert_int_equal(load.barriers > 0, whole.has_barrier);
        gf_ptx_stages_finish(&stages);
        gf_ptx_module_finish(&whole);
        gf_free(turns);
        end(&b);
        free(text);
    }
}

static gf_cuda_load load_of(bench *b) {
    gf_cuda_sizes sizes = {.plan = b->kernel->plan, .asked = &b->launch};
    gf_cuda_load_options options = {.passes = b->launch.max_passes > 1,
                                    .compare = b->launch.compare,
                                    .tracked = b->kernel->tracked,
                                    .lists = b->kernel->lists,
                                    .multiprocessors = 132,
                                    .resident_threads = 2048};
    return gf_cuda_load_of(&sizes, &options);
}

/* The program of the demo has a barrier for each pass, which is the one that ends it. */
static void one_barrier_a_pass(void **state) {
    (void)state;
    char *text = read_program("flows_to.gf");
    bench b;
    begin(&b, text);
    size(&b, 60000, 0, 1000);
    b.launch.compare = true;
    assert_true(load_of(&b).barriers == GF_CUDA_GUESSED_TURNS);
    end(&b);
    free(text);
}

/* Two segments that no barrier parts. */
static const char beside[] = "program beside;\nparam u32 n;\nin u32 a[n];\nout u32 b[n];\nout u32 c[n];\n"
                             "kernel (n) {\n    b[gid.x] = a[gid.x] + 1;\n"
                             "    forall i in 0 .. n {\n        c[i] = a[i];\n    }\n}\n";

static void counts_turns_and_bytes(void **state) {
    (void)state;
    bench b;
    begin(&b, keeps);
    for (uint64_t turns = 0; turns < 40; turns += 13) {
        size(&b, 100000, turns, 1);
        gf_cuda_load load = load_of(&b);
        assert_false(load.is_guessed);
        assert_int_equal(load.items, 100000);
        assert_true(load.barriers >= 2 * (double)turns && load.barriers <= 2 * (double)turns + 2);
        assert_true(turns == 0 || load.values >= 2.0 * 400000 * (double)turns);
        assert_true(load.bytes >= 2.0 * 400000 * (double)turns);
    }
    end(&b);
    begin(&b, two);
    size(&b, 100000, 0, 1);
    gf_cuda_load load = load_of(&b);
    assert_true(load.barriers == 1 && load.kernels == 3 && load.nodes == 3 && load.loops == 0);
    assert_true(load.bytes == 4 * 400000 && load.values == 0);
    assert_false(load.is_single);
    end(&b);
    /* Without a barrier it is a launch too; yet not of one segment. */
    begin(&b, beside);
    size(&b, 100000, 0, 1);
    load = load_of(&b);
    assert_true(load.barriers == 0 && load.kernels == 3 && !load.is_single);
    end(&b);
    begin(&b, one);
    size(&b, 100000, 0, 1);
    load = load_of(&b);
    assert_true(load.is_single && load.barriers == 0 && load.bytes == 800000);
    /* Passes that end when nothing changes: as many as they may be, or so many as loops are taken for. */
    size(&b, 100000, 0, 5);
    load = load_of(&b);
    assert_true(load.is_guessed && !load.is_single && load.loops == 1 && load.bytes > 5 * 800000);
    size(&b, 100000, 0, 5000);
    assert_true(load_of(&b).bytes < 20 * 4 * 800000);
    end(&b);
}

/* Invocations that take different times, where a thread has many of them: what one grid with barriers waits for. */
static void uneven_invocations(void **state) {
    (void)state;
    static const struct {
        const char *body;
        bool is_uneven;
    } samples[] = {
        {"var f32 s = 0.0;\n for e in row[v] .. row[v + 1] { s += x[e]; }\n y[v] = s;", true},
        {"let b = row[v];\n var f32 s = 0.0;\n for e in b .. b + 9 { s -= x[e]; }\n y[v] = s;", true},
        {"var u32 at = v;\n while row[at] != at { at = row[at]; }\n y[v] = f32(at);", true},
        {"y[v] = f32(find(v));", true},
        {"var f32 s = 0.0;\n for e in 0 .. 9 { s += x[v + e]; }\n y[v] = s;", false},
        {"for e in row[v] .. row[v + 1] { atomic_min(z[row[e]], v); }", false},
        {"y[v] = x[v] + x[n - 1 - v];", false},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "program t;\nparam u32 n;\nin u32 row[n];\nin f32 x[n];\nout f32 y[n];\ninout u32 z[n];\n"
                       "fn u32 find(u32 v) {\n var u32 at = v;\n loop { if row[at] == at { break; } at = row[at]; }\n"
                       " return at;\n}\n"
                       "kernel (n) {\n let v = gid.x;\n %s\n}\n",
                       samples[i].body);
        bench b;
        begin(&b, text);
        size(&b, UINT64_C(100) * 132 * 2048, 0, 1);
        gf_cuda_load load = load_of(&b);
        if ((load.uneven > 0) != samples[i].is_uneven) {
            fail_msg("%s", samples[i].body);
        }
        gf_cuda_grid grid = {.blocks = 264, .threads = 1024, .resident = 2048, .stage_resident = 2048};
        gf_cuda_costs costs = gf_cuda_weigh(&load, &b.cuda->figures, &b.cuda->facts, &grid);
        load.uneven = 0;
        double even = gf_cuda_weigh(&load, &b.cuda->figures, &b.cuda->facts, &grid).native;
        assert_true(samples[i].is_uneven ? costs.native > 1.1 * even : costs.native == even);
        size(&b, UINT64_C(132) * 2048, 0, 1); /* one each */
        assert_true(load_of(&b).uneven == 0);
        end(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_between_those_measured),
        cmocka_unit_test(costs_add_up),
        cmocka_unit_test(seconds_are_spelled),
        cmocka_unit_test(counts_as_the_emitter_does),
        cmocka_unit_test(uneven_invocations),
        cmocka_unit_test(one_barrier_a_pass),
        cmocka_unit_test(counts_turns_and_bytes),
    };
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
