/* Segments of one stretch: who waits for whom, and in which of them a fault waits for others. */
#include "plan_with.h"

#define HEAD "program t; param u32 n; inout u32 a[n]; inout u32 b[n]; out u32 c[n]; in u32 x[n]; shared u32 w[256];\n"

/* By segment of the body, one level deep: does it join the one before? */
static void say_joins(const gf_plan_block *block, char *out) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        if (block->items[i]->kind == GF_PLAN_SEGMENT)
            strcat(out, block->items[i]->joins ? "+" : "-");
        say_joins(block->items[i]->body, out);
        say_joins(block->items[i]->otherwise, out);
    }
}

/* Segments that no barrier of the program parts join each other; where one was dropped the same invocation may have
 * its elements on both sides, and what crosses from one to the other has to be there. */
static void segments_of_one_stretch(void **state) {
    (void)state;
    static const struct {
        const char *body, *joins;
    } cases[] = {
        {"a[gid.x] = 1; forall i in 0 .. n { b[i] = 1; } c[gid.x] = 1;", "-+-"},
        {"forall i in 0 .. n { b[i] = 1; } a[gid.x] = 1; forall i in 0 .. n { c[i] = 1; }", "-++"},
        {"a[gid.x] = 1; forall i in 0 .. n { b[i] = 1; } forall i in 0 .. n { c[i] = 1; }", "-++"},
        {"a[gid.x] = 1; grid_barrier; forall i in 0 .. n { b[i] = a[i]; }", "--"},
        {"forall i in 0 .. n { a[i] = 1; } grid_barrier; forall i in 0 .. n { c[i] = a[i]; }", "--"},
        {"forall i in 0 .. n { a[i] = 1; } grid_barrier; forall i in 0 .. n { c[i] = a[i]; } "
         "forall i in 0 .. n { b[i] = 1; }",
         "--+"},
        {"forall i in 0 .. n { a[i] = 1; } grid_barrier; if n > 3 { grid_barrier; } forall i in 0 .. n { c[i] = a[i]; "
         "}",
         "--"},
        {"forall i in 0 .. n { a[i] = 1; } if n > 3 { b[gid.x] = 1; grid_barrier; } forall i in 0 .. n { c[i] = a[i]; "
         "}",
         "---"},
        {"let mine = a[gid.x]; a[gid.x] = 3; forall i in 0 .. n { b[i] = 1; } c[gid.x] = mine;", "---"},
        {"var u32 s = 0; forall i in 0 .. n reduce(add s) { s = x[i]; } forall i in 0 .. n { b[i] = 1; } "
         "forall i in 0 .. n { c[i] = s; }",
         "--+"},
        {"forall i in 0 .. n { a[i] = 1; } swap(a, b); forall i in 0 .. n { c[i] = 1; }", "--"},
        {"forall i in 0 .. n { a[i] = 1; } for k in 0 .. 3 { forall i in 0 .. n { b[i] = 1; } "
         "forall i in 0 .. n { c[i] = 1; } } a[gid.x] += 1;",
         "--+-"},
        {"if n > 3 { forall i in 0 .. n { a[i] = 1; } } else { forall i in 0 .. n { b[i] = 1; } } c[gid.x] = 1;",
         "---"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], joins[16] = "";
        snprintf(text, sizeof text, HEAD "kernel (n) { %s }", cases[i].body);
        gf_plan *plan = plan_with(text, NULL);
        say_joins(plan->body, joins);
        if (strcmp(joins, cases[i].joins) != 0)
            print_error("%s\n", cases[i].body);
        assert_string_equal(joins, cases[i].joins);
        gf_plan_destroy(plan);
    }
}

/* By segment: ( begins what a fault goes on in, ) ends it, = is in the midst of it; and whether it looks at who has
 * failed, or says so. */
static void say_stretches(const gf_plan *plan, const gf_plan_block *block, char *out) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (node->kind == GF_PLAN_SEGMENT) {
            strcat(out, node->follows ? (node->is_followed ? "=" : ")") : node->is_followed ? "(" : "-");
            for (size_t b = 0; b < node->segment->buffer_count; b++) {
                const gf_segment_buffer *buffer = &node->segment->buffers[b];
                if (strcmp(plan->buffers[buffer->buffer].symbol->name, "gf_reached") == 0)
                    strcat(out, buffer->role == GF_ROLE_IN ? "l" : buffer->role == GF_ROLE_OUT ? "s" : "ls");
            }
        }
        say_stretches(plan, node->body, out);
        say_stretches(plan, node->otherwise, out);
    }
}

static void faults_of_one_stretch(void **state) {
    (void)state;
    static const struct {
        const char *body;
        bool checked;
        const char *said;
    } cases[] = {
        {"a[gid.x] = 1; forall i in 0 .. n { b[i] = 1; } c[gid.x] = 1;", false, "---"},
        {"must(x[gid.x]); forall i in 0 .. n { b[i] = 1; } c[gid.x] = 1;", false, "---"},
        {"a[gid.x] = 1; forall i in 0 .. n { must(i); } must(x[gid.x]);", false, "-()"},
        {"must(x[gid.x]); forall i in 0 .. n { must(i); } c[gid.x] = 1;", false, "()-"},
        {"must(x[gid.x]); forall i in 0 .. n { b[i] = 1; } must(x[gid.x]);", false, "(s=)l"},
        {"must(x[gid.x]); forall i in 0 .. n { b[i] = 1; } c[gid.x] = 1; forall i in 0 .. n { must(i); } "
         "must(x[gid.x]); forall i in 0 .. n { a[i] = 1; } must(c[gid.x]);",
         false, "(s==l==ls=)l"},
        {"must(x[gid.x]); grid_barrier; must(x[gid.x]);", false, "--"},
        {"must(x[gid.x]); forall i in 0 .. n { must(i); } grid_barrier; must(x[gid.x]);", false, "()-"},
        {"var u32 s = 0; must(x[gid.x]); forall i in 0 .. n reduce(add s) { must(i); s = x[i]; } must(s);", false,
         "()-"},
        {"forall i in 0 .. n { must(i); } if n > 3 { forall i in 0 .. n { must(i); } forall i in 0 .. n { must(i); } } "
         "forall i in 0 .. n { must(i); }",
         false, "-()-"},
        {"forall i in 0 .. n { must(i); } swap(a, b); forall i in 0 .. n { must(i); }", false, "--"},
        {"if x[gid.x] > 3 { return; } must(x[gid.x]); forall i in 0 .. n { must(i); } must(x[gid.x]);", false, "(s=)l"},
        {"a[gid.x] = 1; forall i in 0 .. n { b[i] = 1; } c[gid.x] = 1;", true, "(=)"},
        {"must(x[gid.x]); forall i in 0 .. n { b[i] = 1; } c[gid.x] = 1;", true, "(s=)l"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], said[64] = "";
        snprintf(text, sizeof text, HEAD "fn must(u32 i) { assert(i < 100, \"few\"); }\nkernel (n) { %s }",
                 cases[i].body);
        gf_plan *plan = plan_with(text, &(gf_plan_options){.checked = cases[i].checked});
        say_stretches(plan, plan->body, said);
        if (strcmp(said, cases[i].said) != 0)
            print_error("%s\n", cases[i].body);
        assert_string_equal(said, cases[i].said);
        gf_plan_destroy(plan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_of_one_stretch),
        cmocka_unit_test(faults_of_one_stretch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
