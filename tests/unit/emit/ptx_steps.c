/* Plans by steps: which ones go so, and what their one kernel is like. */
#include "base/memory.h"
#include "base/str.h"
#include "emit/ptx/emit.h"
#include "emit/ptx/stages.h"
#include "plan/plan.h"
#include "unit/unit.h"
#include <gridfence/program.h>

static gf_program *program;
static gf_plan *plan;

static void make(const char *decls, const char *head, const char *body) {
    char text[16384];
    (void)snprintf(text, sizeof text,
                   "program t;\nparam u32 n;\nparam u32 m;\ninout u32 x[n];\nscratch u32 y[n];\n%s\n"
                   "kernel %s {\n %s\n}\n",
                   decls, head, body);
    gf_diags *diags = gf_diags_create();
    gf_plan_options asked = {.lower_exits = true};
    program = gf_program_parse(text, strlen(text), "t.gf", diags);
    plan = program != NULL ? gf_plan_create(program, &asked, diags) : NULL;
    if (plan == NULL) {
        gf_diags_print(diags, stderr);
        fail();
    }
    gf_diags_destroy(diags);
}

static void drop(void) {
    gf_plan_destroy(plan);
    gf_program_destroy(program);
}

static bool goes(const gf_ptx_options *options) {
    return gf_ptx_can_go_by_steps(plan) && gf_ptx_wants_steps(plan, options);
}

#define A "forall i in 0 .. n { y[i] = x[n - 1 - i]; }"
#define B "forall i in 0 .. n { x[i] = y[n - 1 - i]; }"
#define MORE "forall i in 0 .. n reduce(or more) { more = x[i] > 3; }"
#define START "var bool more = true; var u32 k = 0; "

static void what_goes_by_steps(void **state) {
    (void)state;
    static const struct {
        const char *body;
        bool goes;
    } samples[] = {
        /* Branches and loops in a loop, of which nobody knows before. */
        {START "while more { if k % 2 == 0 { " A " } else { " B " } " MORE " k += 1; }", true},
        {START "while more { if k % 2 == 0 { " A " } " MORE " k += 1; }", true},
        {START "while more { while k % 7 != 0 { " A " k += 1; } " MORE " k += 1; }", true},
        {START "for t in 0 .. m { while more { " MORE " } more = true; }", true},
        {START "for t in 0 .. 100 { for s in 0 .. x[t] { " A B " } }", true},
        /* No branch or loop, or one of scalars, or of which all turns stand one behind the other. */
        {A B, false},
        {START "while more { " A B MORE " }", false},
        {START "while more { " A B MORE " if k == 3 { k = 0; } while k < m { k += 1; } }", false},
        {START "while more { for s in 0 .. 4 { " A B " } " MORE " }", false},
        {START "if m > 3 { while more { " A B MORE " } } else { " A " }", false},
        {START "for t in 0 .. 3 { if t == 1 { " A " } else { " B " } }", false},
        /* The rest of a turn that may have been left is mostly gone through. */
        {START "while more { " MORE " if k == 5 { break; } " A " k += 1; }", false},
        {START "while more { " MORE " if k == 5 { continue; } " A " k += 1; }", false},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        make("", "", samples[i].body);
        gf_ptx_options options = {.threads = 512};
        if (goes(&options) != samples[i].goes) {
            fail_msg("%s: %s", samples[i].body, samples[i].goes ? "not by steps" : "by steps");
        }
        drop();
    }
}

static const gf_plan_node *inner_loop(const gf_plan_block *block) {
    const gf_plan_node *found = NULL;
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i], *inside = inner_loop(node->body);
        bool is_loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
        found = inside != NULL ? inside : is_loop ? node : found;
    }
    return found;
}

/* As many turns are laid out as the host can tell, and none of them is idle. */
static void known_turns_are_laid_out(void **state) {
    (void)state;
    make("", "", START "while more { for s in 0 .. m { " A B " } " MORE " }");
    gf_ptx_guess turns = {.node = inner_loop(plan->body)};
    gf_ptx_options options = {.threads = 512, .turns = &turns, .turns_count = 1};
    assert_true(goes(&options));
    turns.count = 5;
    assert_false(goes(&options));
    drop();
}

/* Passes are a loop too. */
static void passes_are_a_loop(void **state) {
    (void)state;
    make("", "fixpoint(m) on (x)", START A "while more { " MORE B " }");
    gf_ptx_options once = {.threads = 512}, again = {.threads = 512, .passes = true, .compare = true};
    assert_false(goes(&once));
    assert_true(goes(&again));
    drop();
}

static void what_steps_cannot_do(void **state) {
    (void)state;
    static const struct {
        const char *decls, *head, *body;
    } samples[] = {
        /* Prefix sums. */
        {"", "(n)",
         START "while more { let i = gid.x; let s = grid_scan_add(x[i]); if k % 2 == 0 { y[i] = s; "
               "grid_barrier; } else { x[n - 1 - i] = y[i]; } more = grid_any(x[i] > 3); k += 1; }"},
        /* Rows that may be long. */
        {"in u32 row[n + 1]; in u32 col[];", "",
         START "while more { if k % 2 == 0 { forall v in 0 .. n { for e in row[v] .. row[v + 1] { "
               "atomic_max(x[col[e]], k); } } } " MORE " k += 1; }"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        make(samples[i].decls, samples[i].head, samples[i].body);
        gf_ptx_options options = {.threads = 512};
        assert_true(gf_ptx_wants_steps(plan, &options));
        assert_false(gf_ptx_can_go_by_steps(plan));
        drop();
    }
}

/* What lives on has cells in a set, so many and no more. */
static void cells_are_few(void **state) {
    (void)state;
    static const struct {
        int count;
        bool goes;
    } samples[] = {{20, true}, {200, false}};
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        gf_str body = {0};
        gf_str_add(&body, START);
        for (int i = 0; i < samples[s].count; i++) {
            gf_str_addf(&body, "var u64 a%d = %d; ", i, i);
        }
        gf_str_add(&body, "while more { if k % 2 == 0 { " A " } " MORE " k += 1; ");
        for (int i = 0; i < samples[s].count; i++) {
            gf_str_addf(&body, "a%d = a%d * 3 + u64(k); ", i, (i + 1) % samples[s].count);
        }
        gf_str_add(&body, "} x[0] = u32(a0);");
        char *text = gf_str_take(&body);
        make("", "", text);
        gf_ptx_options options = {.threads = 512, .by_steps = true};
        gf_ptx_module module = {0};
        assert_true(gf_ptx_wants_steps(plan, &options));
        assert_int_equal(gf_ptx_can_go_by_steps(plan), samples[s].goes);
        assert_int_equal(gf_ptx_emit_whole(plan, &options, &module, NULL), samples[s].goes);
        gf_ptx_module_finish(&module);
        gf_free(text);
        drop();
    }
}

static size_t count(const char *text, const char *what) {
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++) {
        found++;
    }
    return found;
}

/* Nobody waits for the grid; each end of a step has a place behind it, which comparisons lead to. */
static void steps_end_where_the_grid_would_meet(void **state) {
    (void)state;
    make("", "", START "while more { if k % 2 == 0 { " A " } else { " B " } " MORE " k += 1; }");
    gf_ptx_options options = {.threads = 512};
    gf_ptx_module whole = {0}, steps = {0};
    assert_true(gf_ptx_emit_whole(plan, &options, &whole, NULL));
    options.by_steps = true;
    assert_true(gf_ptx_emit_whole(plan, &options, &steps, NULL));
    assert_true(whole.has_barrier);
    assert_false(steps.has_barrier);
    assert_int_equal(count(steps.text, "atom.acq_rel"), 0);
    assert_int_equal(count(steps.text, "ld.acquire"), 0);
    assert_int_equal(count(steps.text, "// a step ends"), count(whole.text, "// grid barrier"));
    assert_int_equal(count(steps.text, "// a step ends with a vote"), count(whole.text, "// grid barrier with a vote"));
    assert_non_null(strstr(steps.text, ".entry gf_step("));
    assert_non_null(strstr(steps.text, ".entry gf_more("));
    assert_null(strstr(steps.text, ".entry gf_whole"));
    assert_non_null(strstr(steps.text, ".extern .func cudaGraphSetConditional"));
    gf_ptx_module_finish(&whole);
    gf_ptx_module_finish(&steps);
    drop();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_by_steps), cmocka_unit_test(known_turns_are_laid_out),
        cmocka_unit_test(passes_are_a_loop),  cmocka_unit_test(what_steps_cannot_do),
        cmocka_unit_test(cells_are_few),      cmocka_unit_test(steps_end_where_the_grid_would_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
