/* What strategy `auto` takes on device cuda, by given figures, and what it says of it; what is said of strategies that
 * are asked for. The fake driver plays a device with the shape of an H200. */
#include "backend/cuda/kernel.h"
#include "backend/cuda/measure.h"
#include "backend/cuda/turns.h"
#include "backend/cuda/weigh.h"
#include "cuda_test.h"
#include "emit/ptx/stages.h"
#include "ir/program.h"
#include <stdlib.h>

#define MOST 16

static const char one[] = "program one;\nparam u32 n;\ninout u32 a[n];\nkernel (n) { a[gid.x] += 1; }\n";

/* Nothing stays with an invocation; a loop whose turns nobody knows. */
static const char until[] =
    "program until;\nparam u32 n;\ninout u32 a[n];\nkernel (n) {\n"
    "    var bool more = true;\n    while more {\n        var bool grew = false;\n"
    "        if a[gid.x] < 9 {\n            a[gid.x] += 1;\n            grew = true;\n        }\n"
    "        more = grid_any(grew);\n    }\n}\n";

/* A value of each invocation crosses the barrier of each turn. */
static const char keeps[] = "program keeps;\nparam u32 n;\nparam u32 turns;\ninout u32 a[n];\nkernel (n) {\n"
                            "    var u32 mine = a[gid.x];\n    for t in 0 .. turns {\n        grid_barrier;\n"
                            "        a[gid.x] = mine;\n        grid_barrier;\n"
                            "        mine = mine * 3 + a[(gid.x + t) % n];\n    }\n    a[gid.x] = mine;\n}\n";

/* Two segments, one behind the other. */
static const char two[] = "program two;\nparam u32 n;\nin u32 a[n];\nout u32 b[n];\nout u32 c[n];\nkernel (n) {\n"
                          "    b[gid.x] = a[gid.x] + 1;\n    grid_barrier;\n    c[gid.x] = b[n - 1 - gid.x];\n}\n";

typedef struct bench {
    gf_device *device;
    gf_cuda_device *cuda;
    gf_cuda_driver driver; /* a copy, to be changed */
    const gf_cuda_driver *original;
    gf_program *program;
    gf_cuda_kernel *kernel;
    gf_value params[MOST];
    gf_backend_buffer buffers[MOST];
    gf_backend_launch launch;
} bench;

static void begin(bench *b, const char *text) {
    memset(b, 0, sizeof *b);
    b->device = open_device("");
    b->cuda = gf_cuda_device_of(b->device);
    b->original = b->cuda->context.driver;
    b->driver = *b->original;
    b->cuda->context.driver = &b->driver;
    b->cuda->facts.sms = 132;
    b->cuda->facts.threads_per_sm = 2048;
    b->cuda->facts.l2_bytes = 62914560;
    b->cuda->figures = gf_cuda_figures_default();
    b->cuda->figures_origin = GF_CUDA_FIGURES_MEASURED;
    b->program = gf_program_parse(text, strlen(text), "t.gf", NULL);
    assert_non_null(b->program);
    assert_non_null(b->program->checked);
    b->kernel = gf_cuda_kernel_create(b->cuda, b->program, NULL, NULL);
    assert_non_null(b->kernel);
}

/* One axis of n invocations; all buffers have n elements, and the first param is n. */
static void size(bench *b, uint64_t n, uint64_t second, uint64_t passes) {
    const gf_tree *tree = b->program->checked;
    size_t params = gf_tree_count(tree, GF_SYMBOL_PARAM), buffers = gf_tree_count(tree, GF_SYMBOL_BUFFER);
    assert_true(params <= MOST && buffers <= MOST);
    for (size_t i = 0; i < params; i++) {
        b->params[i] = (gf_value){.type = gf_tree_nth(tree, GF_SYMBOL_PARAM, i)->type, .bits = i == 0 ? n : second};
    }
    for (size_t i = 0; i < buffers; i++) {
        b->buffers[i] = (gf_backend_buffer){.count = n};
    }
    uint64_t group = tree->kernel.workgroup[0];
    b->launch = (gf_backend_launch){.params = b->params,
                                    .param_count = params,
                                    .buffers = b->buffers,
                                    .buffer_count = buffers,
                                    .space = {n, 1, 1},
                                    .groups = {(n + group - 1) / group, 1, 1},
                                    .max_passes = passes,
                                    .compare = passes > 1,
                                    .memory_left = UINT64_MAX};
}

static void end(bench *b) {
    b->cuda->context.driver = b->original;
    gf_cuda_kernel_destroy(b->cuda, b->kernel);
    gf_program_destroy(b->program);
    gf_device_destroy(b->device);
    assert_int_equal(fake_live(), 0);
}

static gf_backend_choice ask(bench *b, gf_strategy wanted, bool can) {
    gf_backend_choice choice;
    assert_int_equal(gf_cuda_kernel_choose(b->cuda, b->kernel, &b->launch, wanted, &choice), can);
    assert_true(choice.why[0] != '\0');
    assert_int_equal(choice.strategy, wanted == GF_STRATEGY_AUTO ? choice.strategy : wanted);
    return choice;
}

static void assert_holds(const char *text, const char *part) {
    if (part != NULL && strstr(text, part) == NULL) {
        print_message("'%s' is not in: %s\n", part, text);
    }
    assert_true(part == NULL || strstr(text, part) != NULL);
}

/* ---- decisions ---- */

typedef struct decision {
    const char *text;
    uint64_t n, second;
    double barriers, nodes; /* the figures are so many times those of an H200; 0: 1 */
    gf_strategy strategy;
    const char *says, *and_says;
} decision;

static void decides(void **state) {
    (void)state;
    static const decision table[] = {
        {one, 1000, 0, 0, 0, GF_STRATEGY_NATIVE, "one launch needs no grid barrier", NULL},
        {one, 1 << 24, 0, 100, 0, GF_STRATEGY_NATIVE, "one launch needs no grid barrier", NULL},
        /* Cheap turns of a number that nobody knows: one launch, whatever the size of the grid. */
        {until, 1000, 0, 0, 0, GF_STRATEGY_NATIVE, "16 grid barriers of 0.585 us (1 block of 1024) take",
         "turns guessed"},
        {until, 100000, 0, 0, 0, GF_STRATEGY_NATIVE, "(98 blocks of 1024)", "loop turns of 3.8 us would"},
        {until, 10000000, 0, 0, 0, GF_STRATEGY_NATIVE, "16 grid barriers of 0.94 us (264 blocks of 1024)",
         "for the bytes in each"},
        /* A device that is slow at barriers, or quick with graphs. */
        {until, 100000, 0, 50, 0, GF_STRATEGY_RESIDENT, "28 kernels of 1.41 us and 2 loop turns of 3.8 us take",
         "would"},
        {two, 100000, 0, 0, 0, GF_STRATEGY_NATIVE, "1 grid barrier of 0.818 us", "3 kernels of"},
        {two, 100000, 0, 20, 0, GF_STRATEGY_RESIDENT, "3 kernels of", "1 grid barrier of 16.4 us"},
        /* Values in registers: as long as the grid fits. */
        {keeps, 100000, 100, 0, 0, GF_STRATEGY_NATIVE, "4 bytes of each invocation stay in registers",
         "201 grid barriers"},
        {keeps, 270336, 100, 0, 0, GF_STRATEGY_NATIVE, "(264 blocks of 1024)", NULL},
        {keeps, 270337, 100, 0, 0, GF_STRATEGY_PERSISTENT,
         "the grid has 1057 workgroups, and no more than 1056 can be resident at once; ", "grid barriers"},
        {keeps, 270337, 100, 4, 0, GF_STRATEGY_RESIDENT, "no more than 1056 can be resident at once; ", "kernels of"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const decision *d = &table[i];
        bench b;
        begin(&b, d->text);
        for (int k = 0; k < GF_CUDA_BARRIERS && d->barriers > 0; k++) {
            b.cuda->figures.barrier[k] *= d->barriers;
        }
        size(&b, d->n, d->second, 1);
        gf_backend_choice choice = ask(&b, GF_STRATEGY_AUTO, true);
        if (choice.strategy != d->strategy) {
            print_message("row %zu: %s\n", i, choice.why);
        }
        assert_int_equal(choice.strategy, d->strategy);
        assert_holds(choice.why, d->says);
        assert_holds(choice.why, d->and_says);
        end(&b);
    }
}

/* ---- what cannot be had ---- */

static void without_grid_barrier(void **state) {
    (void)state;
    bench b;
    begin(&b, until);
    b.cuda->facts.cooperative = false;
    size(&b, 1000, 0, 1);
    gf_backend_choice choice = ask(&b, GF_STRATEGY_AUTO, true);
    assert_int_equal(choice.strategy, GF_STRATEGY_RESIDENT);
    assert_holds(choice.why, "no cooperative launches");
    choice = ask(&b, GF_STRATEGY_NATIVE, false);
    assert_holds(choice.why, "no cooperative launches");
    assert_false(choice.is_too_large);
    choice = ask(&b, GF_STRATEGY_PERSISTENT, false);
    assert_holds(choice.why, "no cooperative launches");
    end(&b);
    begin(&b, one);
    b.cuda->facts.cooperative = false;
    size(&b, 1000, 0, 1);
    assert_int_equal(ask(&b, GF_STRATEGY_AUTO, true).strategy, GF_STRATEGY_NATIVE);
    (void)ask(&b, GF_STRATEGY_NATIVE, true);
    (void)ask(&b, GF_STRATEGY_PERSISTENT, true);
    end(&b);
}

/* Drivers before CUDA 12.4. */
static void without_loops_of_graphs(void **state) {
    (void)state;
    bench b;
    begin(&b, until);
    b.driver.cuGraphConditionalHandleCreate = NULL;
    for (int i = 0; i < GF_CUDA_BARRIERS; i++) {
        b.cuda->figures.barrier[i] = 1e-3;
    }
    size(&b, 1000, 0, 1);
    gf_backend_choice choice = ask(&b, GF_STRATEGY_AUTO, true);
    assert_int_equal(choice.strategy, GF_STRATEGY_NATIVE);
    assert_holds(choice.why, "the driver has no graphs with loops");
    choice = ask(&b, GF_STRATEGY_RESIDENT, false);
    assert_holds(choice.why, "the driver has no graphs with loops");
    end(&b);
    begin(&b, two); /* needs none */
    b.driver.cuGraphConditionalHandleCreate = NULL;
    size(&b, 1000, 0, 1);
    (void)ask(&b, GF_STRATEGY_RESIDENT, true);
    end(&b);
}

/* Nothing is said of a failure here: the run will. */
static void the_driver_does_not_take_it(void **state) {
    (void)state;
    bench b;
    begin(&b, until);
    size(&b, 1000, 0, 1);
    fake_fail("cuModuleLoadDataEx:*=218");
    gf_backend_choice choice = ask(&b, GF_STRATEGY_AUTO, true);
    assert_int_equal(choice.strategy, GF_STRATEGY_RESIDENT);
    assert_holds(choice.why, "as one kernel the driver does not take it");
    fake_fail("");
    end(&b);
}

static void a_lost_device(void **state) {
    (void)state;
    bench b;
    gf_backend_choice choice;
    begin(&b, until);
    size(&b, 1000, 0, 1);
    fake_fail("cuModuleLoadDataEx:*=700");
    (void)gf_cuda_kernel_choose(b.cuda, b.kernel, &b.launch, GF_STRATEGY_AUTO, &choice);
    fake_fail("");
    assert_false(gf_cuda_kernel_choose(b.cuda, b.kernel, &b.launch, GF_STRATEGY_AUTO, &choice));
    end(&b);
}

static void asked_for(void **state) {
    (void)state;
    bench b;
    begin(&b, keeps);
    size(&b, 270337, 10, 1);
    gf_backend_choice choice = ask(&b, GF_STRATEGY_NATIVE, false);
    assert_true(choice.is_too_large);
    assert_string_equal(choice.why, "the grid has 1057 workgroups, and no more than 1056 can be resident at once");
    choice = ask(&b, GF_STRATEGY_PERSISTENT, true);
    assert_holds(choice.why, "keeps its share");
    size(&b, 270336, 10, 1);
    choice = ask(&b, GF_STRATEGY_NATIVE, true);
    assert_string_equal(choice.why,
                        "1056 of at most 1056 workgroups are resident, with 32 registers for each invocation");
    /* What the multiprocessors would hold is more than the compiled kernel lets them. */
    b.cuda->facts.sms = 200;
    b.cuda->facts.threads_per_sm = 4096;
    size(&b, 500000, 10, 1);
    choice = ask(&b, GF_STRATEGY_NATIVE, false);
    assert_true(choice.is_too_large);
    assert_string_equal(choice.why, "the grid has 1954 workgroups, and 1600 can be resident at once (32 registers, 2 "
                                    "blocks of 1024 on each of 200)");
    choice = ask(&b, GF_STRATEGY_AUTO, true);
    assert_int_equal(choice.strategy, GF_STRATEGY_PERSISTENT);
    assert_holds(choice.why, "the grid has 1954 workgroups, and 1600 can be resident at once");
    choice = ask(&b, GF_STRATEGY_RESIDENT, true);
    assert_holds(choice.why, "segments follow each other on the device");
    end(&b);
    begin(&b, two);
    size(&b, 100000000, 0, 1);
    choice = ask(&b, GF_STRATEGY_NATIVE, true);
    assert_holds(choice.why, "nothing stays with an invocation");
    choice = ask(&b, GF_STRATEGY_PERSISTENT, true);
    assert_holds(choice.why, "it is the launch that native is");
    end(&b);
    begin(&b, one);
    size(&b, 1000, 0, 1);
    choice = ask(&b, GF_STRATEGY_PERSISTENT, true);
    assert_holds(choice.why, "there is no other segment");
    choice = ask(&b, GF_STRATEGY_RESIDENT, true);
    assert_holds(choice.why, "one segment alone");
    end(&b);
}

/* ---- how little it takes ---- */

static void rules_need_no_figures(void **state) {
    (void)state;
    bench b;
    begin(&b, one);
    b.cuda->figures_origin = GF_CUDA_FIGURES_NONE;
    size(&b, 1000, 0, 1);
    (void)ask(&b, GF_STRATEGY_AUTO, true);
    assert_int_equal(b.cuda->figures_origin, GF_CUDA_FIGURES_NONE);
    end(&b);
    begin(&b, keeps);
    b.cuda->figures_origin = GF_CUDA_FIGURES_NONE;
    size(&b, 1000, 3, 1);
    (void)ask(&b, GF_STRATEGY_NATIVE, true);
    (void)ask(&b, GF_STRATEGY_PERSISTENT, true);
    (void)ask(&b, GF_STRATEGY_RESIDENT, true);
    assert_int_equal(b.cuda->figures_origin, GF_CUDA_FIGURES_NONE);
    end(&b);
}

static void nothing_is_compiled_that_is_not_run(void **state) {
    (void)state;
    bench b;
    begin(&b, until);
    for (int i = 0; i < GF_CUDA_BARRIERS; i++) {
        b.cuda->figures.barrier[i] = 1e-3;
    }
    size(&b, 100000, 0, 1);
    fake_fail("");
    assert_int_equal(ask(&b, GF_STRATEGY_AUTO, true).strategy, GF_STRATEGY_RESIDENT);
    assert_int_equal(fake_calls("cuModuleLoadDataEx"), 0);
    end(&b);
    begin(&b, until);
    size(&b, 100000, 0, 1);
    fake_fail("");
    assert_int_equal(ask(&b, GF_STRATEGY_AUTO, true).strategy, GF_STRATEGY_NATIVE);
    assert_int_equal(fake_calls("cuModuleLoadDataEx"), 1);
    end(&b);
}

static void the_same_sizes_are_remembered(void **state) {
    (void)state;
    bench b;
    begin(&b, keeps);
    size(&b, 5000, 10, 1);
    gf_backend_choice first = ask(&b, GF_STRATEGY_AUTO, true);
    b.cuda->figures.barrier[4] = 1e-3; /* nobody looks */
    gf_backend_choice second = ask(&b, GF_STRATEGY_AUTO, true);
    assert_memory_equal(&first, &second, sizeof first);
    size(&b, 5000, 11, 1);
    gf_backend_choice third = ask(&b, GF_STRATEGY_AUTO, true);
    assert_int_equal(third.strategy, GF_STRATEGY_RESIDENT);
    end(&b);
}

static void without_figures(void **state) {
    (void)state;
    bench b;
    begin(&b, until);
    b.cuda->figures_origin = GF_CUDA_FIGURES_DEFAULT;
    size(&b, 5000, 0, 1);
    assert_holds(ask(&b, GF_STRATEGY_AUTO, true).why, "by figures of an H200, as measuring failed");
    /* Of a checked run too. */
    b.launch.checked = true;
    assert_holds(ask(&b, GF_STRATEGY_AUTO, true).why, "by figures of an H200, as measuring failed");
    end(&b);
}

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
                                    .multiprocessors = 132,
                                    .resident_threads = 2048};
    return gf_cuda_load_of(&sizes, &options);
}

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
        cmocka_unit_test(decides),
        cmocka_unit_test(without_grid_barrier),
        cmocka_unit_test(without_loops_of_graphs),
        cmocka_unit_test(the_driver_does_not_take_it),
        cmocka_unit_test(a_lost_device),
        cmocka_unit_test(asked_for),
        cmocka_unit_test(rules_need_no_figures),
        cmocka_unit_test(nothing_is_compiled_that_is_not_run),
        cmocka_unit_test(the_same_sizes_are_remembered),
        cmocka_unit_test(without_figures),
        cmocka_unit_test(barriers_between_those_measured),
        cmocka_unit_test(costs_add_up),
        cmocka_unit_test(seconds_are_spelled),
        cmocka_unit_test(counts_as_the_emitter_does),
        cmocka_unit_test(uneven_invocations),
        cmocka_unit_test(counts_turns_and_bytes),
    };
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
