/* Value numbering: what is shared and what is not, as texts. What shared programs compute is tested by running them:
 * tests/suites/14-share.sh prints golden programs by this test (--print FILE) and runs what it prints. */
#include "plan/share.h"
#include "base/memory.h"
#include "check/check.h"
#include "ir/program.h"
#include "plan/plan.h"
#include <gridfence/program.h>
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
    gf_arena *arena;
    const gf_tree *tree, *shared;
} job;

static void share(void *context) {
    job *j = context;
    j->shared = gf_share_values(j->arena, j->tree);
}

/* The text of the shared tree, by gf_malloc. `changed` (NULL allowed): whether it is another tree. */
static char *shared_text(const gf_tree *tree, bool *changed) {
    job j = {.arena = gf_arena_create(), .tree = tree};
    gf_str out = {0};
    assert_non_null(j.arena);
    assert_true(gf_arena_protect(j.arena, share, &j));
    gf_diags *diags = gf_diags_create();
    bool right = gf_validate(j.shared, diags);
    if (!right) {
        gf_diags_print(diags, stderr);
    }
    assert_true(right);
    gf_diags_destroy(diags);
    assert_true(gf_print_tree(j.shared, &out));
    if (changed != NULL) {
        *changed = j.shared != tree;
    }
    gf_arena_destroy(j.arena);
    return gf_str_take(&out);
}

static gf_program *parse(const char *text, const char *name) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), name, diags);
    if (program == NULL) {
        (void)fputs(text, stderr);
        gf_diags_print(diags, stderr);
    }
    gf_diags_destroy(diags);
    return program;
}

static const char head[] = "program t;\n"
                           "\n"
                           "param u32 n;\n"
                           "in u32 a[n];\n"
                           "inout u32 b[n];\n"
                           "inout u32 c[n];\n"
                           "out f32 f[n * n];\n"
                           "\n"
                           "kernel (n) {\n";

/* Of the body `given` comes `wanted`; "": it stays as it is. What comes is a right program. */
static void expect(const char *given, const char *wanted) {
    char before[4096], after[4096];
    bool changed = false;
    (void)snprintf(before, sizeof before, "%s%s}\n", head, given);
    (void)snprintf(after, sizeof after, "%s%s}\n", head, wanted[0] != '\0' ? wanted : given);
    gf_program *program = parse(before, "before");
    assert_non_null(program);
    char *text = shared_text(gf_program_tree(program), &changed);
    assert_string_equal(text, after);
    assert_int_equal(changed, wanted[0] != '\0');
    gf_program *again = parse(text, "after");
    assert_non_null(again);
    gf_free(text);
    gf_program_destroy(again);
    gf_program_destroy(program);
}

static void loads_are_shared(void **state) {
    (void)state;
    expect("    let i = gid.x;\n"
           "    b[i] = a[i] + a[i];\n"
           "    c[i] = a[gid.x];\n",
           "    let i = gid.x;\n"
           "    let gf_shared_0 = a[i];\n"
           "    b[i] = gf_shared_0 + gf_shared_0;\n"
           "    c[i] = gf_shared_0;\n");
    expect("    let i = gid.x;\n"
           "    let x = a[i];\n"
           "    b[i] = a[i] + x;\n",
           "    let i = gid.x;\n"
           "    let x = a[i];\n"
           "    b[i] = x + x;\n");
    expect("    let i = gid.x;\n"
           "    b[i] = a[i] + a[i + 1];\n",
           "");
}

static void operations_are_shared(void **state) {
    (void)state;
    expect("    let i = gid.x;\n"
           "    b[i] = i / n + i % n;\n"
           "    c[i] = i / n;\n",
           "    let i = gid.x;\n"
           "    let gf_shared_0 = i / n;\n"
           "    b[i] = gf_shared_0 + i % n;\n"
           "    c[i] = gf_shared_0;\n");
    expect("    let i = gid.x;\n"
           "    b[i] = i * n + i * n;\n",
           "");
}

static void writes_are_in_the_way(void **state) {
    (void)state;
    expect("    let i = gid.x;\n"
           "    c[i] = b[i];\n"
           "    b[i + 1] = 3;\n"
           "    c[i] = b[i];\n",
           "");
    expect("    let i = gid.x;\n"
           "    c[i] = b[i];\n"
           "    atomic_add(b[0], 3);\n"
           "    c[i] = b[i];\n",
           "");
    expect("    let i = gid.x;\n"
           "    c[i] = b[i];\n"
           "    grid_barrier;\n"
           "    c[i] = b[i];\n",
           "");
    expect("    let i = gid.x;\n"
           "    var u32 k = 0;\n"
           "    c[i] = a[k];\n"
           "    k = 1;\n"
           "    c[i] += a[k];\n",
           "");
    /* Not those to other arrays. */
    expect("    let i = gid.x;\n"
           "    c[i] = a[i];\n"
           "    b[i] = a[i];\n",
           "    let i = gid.x;\n"
           "    let gf_shared_0 = a[i];\n"
           "    c[i] = gf_shared_0;\n"
           "    b[i] = gf_shared_0;\n");
}

static void what_is_stored_is_loaded(void **state) {
    (void)state;
    expect("    let i = gid.x;\n"
           "    b[i] = i * 3;\n"
           "    c[i] = b[i];\n",
           "    let i = gid.x;\n"
           "    let gf_shared_0 = i * 3;\n"
           "    let gf_shared_1 = select(i < n, gf_shared_0, 0);\n"
           "    b[i] = gf_shared_0;\n"
           "    c[i] = gf_shared_1;\n");
    /* Where nobody can say how long the array is. */
    expect("    let i = gid.x;\n"
           "    f[i] = 1.5;\n"
           "    b[i] = u32(f[i]);\n",
           "");
}

static void branches_keep_to_themselves(void **state) {
    (void)state;
    expect("    let i = gid.x;\n"
           "    if i > 3 {\n"
           "        b[i] = a[i];\n"
           "    }\n"
           "    c[i] = a[i];\n",
           "");
    expect("    let i = gid.x;\n"
           "    c[i] = a[i];\n"
           "    if i > 3 {\n"
           "        b[i] = a[i] + a[0];\n"
           "        c[0] = a[0];\n"
           "    }\n",
           "    let i = gid.x;\n"
           "    let gf_shared_0 = a[i];\n"
           "    c[i] = gf_shared_0;\n"
           "    if i > 3 {\n"
           "        let gf_shared_1 = a[0];\n"
           "        b[i] = gf_shared_0 + gf_shared_1;\n"
           "        c[0] = gf_shared_1;\n"
           "    }\n");
    /* What stands behind && may not be loaded at all. */
    expect("    let i = gid.x;\n"
           "    if i > 3 && a[i] > 2 {\n"
           "        b[i] = a[i];\n"
           "    }\n",
           "");
}

static void loops_begin_anew(void **state) {
    (void)state;
    expect("    let i = gid.x;\n"
           "    c[i] = b[0] + a[0];\n"
           "    for k in 0 .. 4 {\n"
           "        b[0] = a[0] + k;\n"
           "        c[i] += b[0];\n"
           "    }\n",
           "    let i = gid.x;\n"
           "    let gf_shared_0 = a[0];\n"
           "    c[i] = b[0] + gf_shared_0;\n"
           "    for k in 0 .. 4 {\n"
           "        let gf_shared_1 = gf_shared_0 + k;\n"
           "        let gf_shared_2 = select(0 < n, gf_shared_1, 0);\n"
           "        b[0] = gf_shared_1;\n"
           "        c[i] += gf_shared_2;\n"
           "    }\n");
    expect("    let i = gid.x;\n"
           "    var u32 k = b[i];\n"
           "    while b[i] > 3 {\n"
           "        k += 1;\n"
           "        b[i] = a[k];\n"
           "    }\n",
           "");
}

static void effects_keep_their_order(void **state) {
    (void)state;
    expect("    let i = gid.x;\n"
           "    c[i] = b[0] + atomic_add(b[0], 1) + b[0];\n",
           "");
    expect("    let i = gid.x;\n"
           "    c[i] = atomic_add(b[0], 1) + a[i];\n"
           "    c[0] = a[i];\n",
           "");
}

static int print(const char *path) {
    FILE *file = fopen(path, "rb");
    static char text[1 << 20];
    if (file == NULL) {
        return 2;
    }
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[length] = '\0';
    gf_program *program = parse(text, path);
    if (program == NULL) {
        return 1;
    }
    char *shared = shared_text(gf_program_tree(program), NULL);
    (void)fputs(shared, stdout);
    gf_free(shared);
    gf_program_destroy(program);
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_are_shared),
        cmocka_unit_test(operations_are_shared),
        cmocka_unit_test(writes_are_in_the_way),
        cmocka_unit_test(what_is_stored_is_loaded),
        cmocka_unit_test(branches_keep_to_themselves),
        cmocka_unit_test(loops_begin_anew),
        cmocka_unit_test(effects_keep_their_order),
    };
    if (argc == 3 && strcmp(argv[1], "--print") == 0) {
        return print(argv[2]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
