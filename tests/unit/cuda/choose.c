/* What strategy `auto` takes on device cuda, by given figures, and what it says of it; what is said of strategies that
 * are asked for. */
#include "choosing.h"
#include <stdlib.h>

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
    begin(&b, scanning);
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
    begin(&b, until); /* by steps, which the host launches as long as there are more */
    b.driver.cuGraphConditionalHandleCreate = NULL;
    b.kernel->may_go_by_steps = true; /* as where the driver had none from the beginning */
    size(&b, 1000, 0, 1);
    (void)ask(&b, GF_STRATEGY_RESIDENT, true);
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
    };
    return cmocka_run_group_tests(tests, use_fake, NULL);
}
