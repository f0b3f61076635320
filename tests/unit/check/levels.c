/* What a checked tree says about levels and uniformity. */
#include "base/str.h"
#include "check/check.h"
#include "ir/program.h"
#include "ir/visit.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "program p;\nparam u32 n;\nin u32 given[n];\ninout u32 x[n];\nscratch u32 y[n];\nshared u32 w[256];\n"

static gf_program *check_text_of(const char *text) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "p.gf", diags);
    if (program == NULL) {
        gf_diags_print(diags, stderr);
    }
    gf_diags_destroy(diags);
    assert_non_null(program);
    assert_true(gf_validate(program->checked, NULL));
    return program;
}

typedef struct finder {
    const char *name;
    const gf_symbol *symbol;
    gf_stmt_kind kind;
    size_t nth;
    const gf_stmt *stmt;
} finder;

static bool look(void *user, const gf_stmt *stmt) {
    finder *at = user;
    bool declares = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_FOR;
    if (at->name != NULL && declares && strcmp(stmt->target.name, at->name) == 0) {
        at->symbol = stmt->target.symbol;
    }
    if (at->name == NULL && stmt->kind == at->kind && at->stmt == NULL && at->nth-- == 0) {
        at->stmt = stmt;
    }
    return true;
}

static gf_level uniform_of(const gf_program *program, const char *name) {
    finder at = {.name = name};
    gf_visitor visitor = {.user = &at, .stmt = look};
    gf_visit_block(&visitor, program->checked->kernel.body);
    assert_non_null(at.symbol);
    return at.symbol->uniform;
}

static const gf_stmt *find(const gf_program *program, gf_stmt_kind kind, size_t nth) {
    finder at = {.kind = kind, .nth = nth};
    gf_visitor visitor = {.user = &at, .stmt = look};
    gf_visit_block(&visitor, program->checked->kernel.body);
    assert_non_null(at.stmt);
    return at.stmt;
}

/* A variable assigned by a varying value at the end of a chain takes all of them along. */
static void test_largest_set(void **state) {
    (void)state;
    gf_program *p = check_text_of(HEAD "kernel (n) { var u32 a = 0; var u32 b = 0; var u32 c = 0; var u32 k = 0;\n"
                                       "loop { grid_barrier; a = b; b = c; c = gid.x; k += 1; if k > 3 { break; } }\n"
                                       "x[gid.x] = a; }");
    assert_int_equal(uniform_of(p, "a"), GF_LEVEL_NONE);
    assert_int_equal(uniform_of(p, "b"), GF_LEVEL_NONE);
    assert_int_equal(uniform_of(p, "c"), GF_LEVEL_NONE);
    assert_int_equal(uniform_of(p, "k"), GF_LEVEL_GRID);
    assert_int_equal(find(p, GF_STMT_IF, 0)->level, GF_LEVEL_GRID);
    assert_int_equal(find(p, GF_STMT_BREAK, 0)->level, GF_LEVEL_GRID);
    assert_int_equal(find(p, GF_STMT_ASSIGN, 3)->level, GF_LEVEL_GRID);
    assert_int_equal(find(p, GF_STMT_ASSIGN, 0)->level, GF_LEVEL_NONE);
    gf_program_destroy(p);
}

/* B52: an if that assigns a grid-level variable is a construct; one whose variable varies anyway is plain. */
static void test_b52_if_that_assigns(void **state) {
    (void)state;
    gf_program *p =
        check_text_of(HEAD "kernel (n) { var u32 goal = 0; var u32 own = 0;\n"
                           "grid_barrier; if n == 3 { goal = 2; } if n == 4 { own = gid.x; } if n == 5 { own = 3; }\n"
                           "if n == 6 { var u32 t = 0; t = 3; x[gid.x] = t; } x[gid.x] = goal + own; }");
    assert_int_equal(uniform_of(p, "goal"), GF_LEVEL_GRID);
    assert_int_equal(uniform_of(p, "own"), GF_LEVEL_NONE);
    assert_int_equal(find(p, GF_STMT_IF, 0)->level, GF_LEVEL_GRID);
    assert_int_equal(find(p, GF_STMT_IF, 1)->level, GF_LEVEL_NONE);
    assert_int_equal(find(p, GF_STMT_IF, 2)->level, GF_LEVEL_NONE);
    assert_int_equal(find(p, GF_STMT_IF, 3)->level, GF_LEVEL_NONE);
    gf_program_destroy(p);
}

static void test_returns(void **state) {
    (void)state;
    const char *with =
        HEAD "kernel (n) { if x[0] == 3 { return; } if gid.x == 1 { return; } grid_barrier; x[gid.x] = 1; }";
    gf_program *p = check_text_of(with);
    assert_int_equal(find(p, GF_STMT_IF, 0)->level, GF_LEVEL_GRID);
    assert_int_equal(find(p, GF_STMT_RETURN, 0)->level, GF_LEVEL_GRID);
    assert_int_equal(find(p, GF_STMT_IF, 1)->level, GF_LEVEL_NONE);
    assert_int_equal(find(p, GF_STMT_RETURN, 1)->level, GF_LEVEL_NONE);
    gf_program_destroy(p);
    p = check_text_of(HEAD "kernel (n) { if x[0] == 3 { return; } x[gid.x] = 1; }");
    assert_int_equal(find(p, GF_STMT_IF, 0)->level, GF_LEVEL_NONE);
    assert_false(p->checked->has_grid_barrier);
    gf_program_destroy(p);
}

static void test_workgroup(void **state) {
    (void)state;
    gf_program *p =
        check_text_of(HEAD "kernel groups(n) { var u32 d = 0; let g = wid.x; var bool more = true;\n"
                           "while more { let s = w[0]; barrier; more = group_any(w[lid.x] == d); d += 1; }\n"
                           "for i in g .. g + 3 { let c = group_add(given[i]); w[lid.x] = c; } x[gid.x] = d; }");
    assert_int_equal(uniform_of(p, "d"), GF_LEVEL_GROUP);
    assert_int_equal(uniform_of(p, "g"), GF_LEVEL_GROUP);
    assert_int_equal(uniform_of(p, "more"), GF_LEVEL_GROUP);
    assert_int_equal(uniform_of(p, "s"), GF_LEVEL_NONE); /* a load of what the program writes, not in a head */
    assert_int_equal(uniform_of(p, "c"), GF_LEVEL_GROUP);
    assert_int_equal(uniform_of(p, "i"), GF_LEVEL_GROUP);
    assert_int_equal(find(p, GF_STMT_WHILE, 0)->level, GF_LEVEL_GROUP);
    assert_true(p->checked->has_group_barrier);
    assert_false(p->checked->has_grid_barrier);
    gf_program_destroy(p);
}

static void test_loads(void **state) {
    (void)state;
    gf_program *p =
        check_text_of(HEAD "fn u32 f(u32 i) { return given[i]; } fn u32 g(u32 i) { return x[i]; }\n"
                           "kernel (n) { let a = given[0]; let b = x[0]; let c = f(1); let d = g(1);\n"
                           "let e = grid_load(x[0]); let s = grid_scan_add(b); grid_barrier; x[gid.x] = 1; }");
    assert_int_equal(uniform_of(p, "a"), GF_LEVEL_GRID);
    assert_int_equal(uniform_of(p, "b"), GF_LEVEL_NONE);
    assert_int_equal(uniform_of(p, "c"), GF_LEVEL_GRID);
    assert_int_equal(uniform_of(p, "d"), GF_LEVEL_NONE);
    assert_int_equal(uniform_of(p, "e"), GF_LEVEL_GRID);
    assert_int_equal(uniform_of(p, "s"), GF_LEVEL_NONE);
    gf_program_destroy(p);
}

/* Heads with an operation become a loop with a let and a break of their own. */
static void test_heads(void **state) {
    (void)state;
    gf_program *p = check_text_of(HEAD "kernel (n) { while grid_any(x[gid.x] != 0) { x[gid.x] -= 1; }\n"
                                       "if !grid_any(x[gid.x] == 1) { x[gid.x] = 2; } }");
    const gf_stmt *loop = find(p, GF_STMT_LOOP, 0);
    assert_int_equal(loop->level, GF_LEVEL_GRID);
    assert_int_equal(loop->body->items[0]->kind, GF_STMT_LET);
    assert_int_equal(loop->body->items[0]->value->kind, GF_EXPR_CROSS);
    assert_int_equal(loop->body->items[0]->level, GF_LEVEL_GRID);
    assert_int_equal(loop->body->items[1]->kind, GF_STMT_IF);
    assert_int_equal(loop->body->items[1]->level, GF_LEVEL_GRID);
    assert_int_equal(find(p, GF_STMT_BREAK, 0)->level, GF_LEVEL_GRID);
    gf_program_destroy(p);
}

/* Two rules that the parser already keeps, for programs that are built without it. */
static void test_built_axis(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    const char text[] = HEAD "out u32 z[n] returns(0 .. 1);\nkernel (n) { x[gid.x] = 1; z[0] = 1; }";
    gf_program *p = gf_program_parse_only(text, strlen(text), "p.gf", diags);
    assert_non_null(p);
    ((gf_expr *)(uintptr_t)p->parsed->kernel.body->items[0]->index)->axis = GF_AXIS_NONE;
    ((gf_symbol *)(uintptr_t)p->parsed->decls[5])->role = GF_ROLE_INOUT;
    assert_false(gf_check(p, diags));
    gf_diag diag;
    assert_true(gf_diags_get(diags, 0, &diag));
    assert_string_equal(diag.name, "returns-rule");
    assert_true(gf_diags_get(diags, 1, &diag));
    assert_string_equal(diag.name, "axis");
    gf_program_destroy(p);
    gf_diags_destroy(diags);
}

/* The validator sees a tree that breaks a promise. */
static void test_broken_tree(void **state) {
    (void)state;
    gf_program *p = check_text_of(HEAD "kernel (n) { let a = n; let b = a; x[gid.x] = b; }");
    gf_symbol *b = (gf_symbol *)(uintptr_t)p->checked->kernel.body->items[1]->target.symbol;
    const char *name = b->name;
    b->name = "a";
    assert_false(gf_validate(p->checked, NULL));
    b->name = name;
    b->id = 0;
    assert_false(gf_validate(p->checked, NULL));
    gf_program_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_largest_set), cmocka_unit_test(test_b52_if_that_assigns),
        cmocka_unit_test(test_returns),     cmocka_unit_test(test_workgroup),
        cmocka_unit_test(test_loads),       cmocka_unit_test(test_heads),
        cmocka_unit_test(test_built_axis),  cmocka_unit_test(test_broken_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
