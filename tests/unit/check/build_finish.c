/* The builder: the same programs as text, and misuse that is told and harms nothing. */
#include "base/diag.h"
#include "base/memory.h"
#include "ir/program.h"
#include "ir/visit.h"
#include "unit/unit.h"
#include <gridfence/build.h>

typedef const gf_build_expr *expr;

/* Everything of the language that has a form of its own, once. */
static void build_everything(gf_builder *b) {
    gf_build_const(b, GF_TYPE_U32, "INF", gf_build_integer(b, 0xffffffff));
    gf_build_const(b, GF_TYPE_I64, "LOW", gf_build_i64(b, INT64_MIN));
    gf_build_param(b, GF_TYPE_U32, "n", NULL);
    gf_build_param(b, GF_TYPE_F32, "tol", gf_build_real(b, 1e-6));
    gf_build_param(b, GF_TYPE_F64, "big", gf_build_f64(b, -0.1));
    gf_build_buffer(b, GF_BUFFER_IN, GF_TYPE_U32, "row",
                    gf_build_op2(b, "+", gf_build_name(b, "n"), gf_build_integer(b, 1)));
    gf_build_buffer(b, GF_BUFFER_IN, GF_TYPE_U32, "col", NULL);
    gf_build_buffer(b, GF_BUFFER_INOUT, GF_TYPE_U32, "dist", gf_build_name(b, "n"));
    gf_build_buffer(b, GF_BUFFER_OUT, GF_TYPE_F16, "half", gf_build_len(b, "col"));
    gf_build_returns(b, "half", gf_build_integer(b, 1), gf_build_integer(b, 2));
    gf_build_buffer(b, GF_BUFFER_SCRATCH, GF_TYPE_U32, "next", gf_build_name(b, "n"));
    gf_build_shared(b, GF_TYPE_U32, "lanes", gf_build_integer(b, 64));
    gf_build_function(b, GF_TYPE_U32, "pick");
    gf_build_argument(b, GF_TYPE_BOOL, "even");
    gf_build_argument(b, GF_TYPE_U32, "i");
    gf_build_if(b, gf_build_name(b, "even"));
    gf_build_return(b, gf_build_load(b, "row", gf_build_name(b, "i")));
    gf_build_end(b);
    gf_build_return(b, gf_build_load(b, "col", gf_build_name(b, "i")));
    gf_build_end(b);

    gf_build_kernel(b);
    gf_build_space(b, gf_build_name(b, "n"), NULL, NULL);
    gf_build_workgroup(b, gf_build_integer(b, 64), NULL, NULL);
    expr v = gf_build_name(b, "v"), zero = gf_build_integer(b, 0), one = gf_build_integer(b, 1);
    gf_build_let(b, "v", gf_build_builtin(b, "gid.x"));
    gf_build_var(b, GF_TYPE_U32, "it", NULL);
    gf_build_var(b, GF_TYPE_BOOL, "more", gf_build_bool(b, true));
    gf_build_var_array(b, GF_TYPE_U32, "own", gf_build_integer(b, 4));
    gf_build_while(b, gf_build_op2(b, "&&", gf_build_name(b, "more"),
                                   gf_build_op2(b, "<", gf_build_name(b, "it"), gf_build_name(b, "n"))));
    gf_build_together(b, true);
    gf_build_region(b, "hop \"one\"");
    gf_build_for(b, "e", gf_build_load(b, "row", v), gf_build_load(b, "row", gf_build_op2(b, "+", v, one)), one);
    gf_build_do(b, gf_build_atomic(b, "atomic_min", "dist", gf_build_load(b, "col", gf_build_name(b, "e")),
                                   gf_build_op2(b, "+", gf_build_atomic(b, "atomic_load", "dist", v, NULL, NULL), one),
                                   NULL));
    gf_build_if(b, gf_build_op2(b, "==", gf_build_name(b, "e"), gf_build_integer(b, 7)));
    gf_build_continue(b);
    gf_build_else(b);
    gf_build_if(b, gf_build_op1(b, "!", gf_build_op2(b, ">", gf_build_name(b, "e"), one)));
    gf_build_break(b);
    gf_build_end(b);
    gf_build_end(b);
    gf_build_end(b);
    gf_build_end(b);
    gf_build_assign(b, "more", NULL,
                    gf_build_cross(b, "grid_any", gf_build_op2(b, "!=", gf_build_load(b, "next", v), zero)));
    gf_build_assign(b, "it", "+", one);
    gf_build_end(b);
    gf_build_loop(b);
    gf_build_store(b, "own", zero, "^", gf_build_op3(b, "select", gf_build_bool(b, false), one, v));
    gf_build_break(b);
    gf_build_end(b);
    gf_build_block(b);
    gf_build_store(b, "lanes", gf_build_builtin(b, "lid.linear"), NULL,
                   gf_build_cast(b, GF_TYPE_U32, gf_build_i32(b, -3)));
    gf_build_barrier(b);
    gf_build_store(b, "half", v, NULL, gf_build_bitcast(b, GF_TYPE_F32, gf_build_load(b, "lanes", zero)));
    gf_build_end(b);
    gf_build_swap(b, "dist", "next");
    gf_build_converged(b, gf_build_op2(b, "==", gf_build_name(b, "it"), gf_build_name(b, "n")));
    expr arguments[] = {gf_build_bool(b, true), v};
    gf_build_store(b, "dist", v, NULL, gf_build_call(b, "pick", arguments, 2));
    gf_build_copy_async(b, "next", v, "dist", v, one, "tag");
    gf_build_wait(b, "tag");
    gf_build_assert(b, gf_build_op2(b, "<=", v, gf_build_name(b, "n")), "a text\nof two lines");
    gf_build_grid_barrier(b);
    gf_build_all_reduce(b, "dist", "min");
    gf_build_all_gather(b, "next", "dist");
    gf_build_reduce_scatter(b, "next", "dist", "add");
    gf_build_broadcast(b, "dist", zero);
    gf_build_var(b, GF_TYPE_U32, "sum", NULL);
    gf_build_forall(b, "k", zero, gf_build_len(b, "col"));
    gf_build_reduce(b, "add", "sum");
    gf_build_assign(b, "sum", "+", gf_build_load(b, "col", gf_build_name(b, "k")));
    gf_build_end(b);
    gf_build_trap(b, "end", gf_build_name(b, "sum"));
    gf_build_end(b);
}

static const char everything[] = "program all;\n\n"
                                 "const u32 INF = 4294967295;\n"
                                 "const i64 LOW = i64(-9223372036854775808);\n"
                                 "param u32 n;\n"
                                 "param f32 tol = 1e-06;\n"
                                 "param f64 big = f64(-0.1);\n"
                                 "in u32 row[n + 1];\n"
                                 "in u32 col[];\n"
                                 "inout u32 dist[n];\n"
                                 "out f16 half[len(col)] returns(1 .. 2);\n"
                                 "scratch u32 next[n];\n"
                                 "shared u32 lanes[64];\n\n"
                                 "fn u32 pick(bool even, u32 i) {\n"
                                 "    if even {\n"
                                 "        return row[i];\n"
                                 "    }\n"
                                 "    return col[i];\n"
                                 "}\n\n"
                                 "kernel (n) workgroup(64) {\n"
                                 "    let v = gid.x;\n"
                                 "    var u32 it;\n"
                                 "    var bool more = true;\n"
                                 "    var u32 own[4];\n"
                                 "    grid while more && it < n {\n"
                                 "        region \"hop \\\"one\\\"\" {\n"
                                 "            for e in row[v] .. row[v + 1] step 1 {\n"
                                 "                atomic_min(dist[col[e]], atomic_load(dist[v]) + 1);\n"
                                 "                if e == 7 {\n"
                                 "                    continue;\n"
                                 "                } else if !(e > 1) {\n"
                                 "                    break;\n"
                                 "                }\n"
                                 "            }\n"
                                 "        }\n"
                                 "        more = grid_any(next[v] != 0);\n"
                                 "        it += 1;\n"
                                 "    }\n"
                                 "    loop {\n"
                                 "        own[0] ^= select(false, 1, v);\n"
                                 "        break;\n"
                                 "    }\n"
                                 "    {\n"
                                 "        lanes[lid.linear] = u32(i32(-3));\n"
                                 "        barrier;\n"
                                 "        half[v] = bitcast<f32>(lanes[0]);\n"
                                 "    }\n"
                                 "    swap(dist, next);\n"
                                 "    converged(it == n);\n"
                                 "    dist[v] = pick(true, v);\n"
                                 "    copy_async(next, v, dist, v, 1, \"tag\");\n"
                                 "    wait(\"tag\");\n"
                                 "    assert(v <= n, \"a text\\nof two lines\");\n"
                                 "    grid_barrier;\n"
                                 "    all_reduce(dist, min);\n"
                                 "    all_gather(next, dist);\n"
                                 "    reduce_scatter(next, dist, add);\n"
                                 "    broadcast(dist, 0);\n"
                                 "    var u32 sum;\n"
                                 "    forall k in 0 .. len(col) reduce(add sum) {\n"
                                 "        sum += col[k];\n"
                                 "    }\n"
                                 "    trap(\"end\", sum);\n"
                                 "}\n";

static void a_built_program_is_the_written_one(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_builder *b = gf_build_program("all", diags);
    build_everything(b);
    gf_program *built = gf_build_finish(b, diags);
    gf_build_destroy(b);
    if (built == NULL) {
        gf_diags_print(diags, stdout);
    }
    assert_non_null(built);
    char *text = gf_program_text(built, diags);
    assert_string_equal(text, everything);
    gf_program *written = gf_program_parse(everything, strlen(everything), "all.gf", diags);
    assert_non_null(written);
    assert_true(gf_equal_tree(built->parsed, written->parsed));
    assert_true(gf_equal_tree(built->checked, written->checked));
    gf_value value;
    assert_true(gf_program_param(built, "big", &value));
    assert_int_equal(value.type, GF_TYPE_F64);
    assert_false(gf_program_param(built, "n", &value));
    assert_int_equal(gf_program_buffer_count(built), 5);
    gf_program_destroy(written);
    gf_program_destroy(built);
    gf_free(text);
    gf_diags_destroy(diags);
}

/* What checking the whole program finds is shown in its text. */
static void errors_show_a_line(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    gf_builder *b = gf_build_program("wrong", diags);
    gf_build_buffer(b, GF_BUFFER_OUT, GF_TYPE_U32, "x", gf_build_integer(b, 4));
    gf_build_kernel(b);
    gf_build_store(b, "x", gf_build_integer(b, 0), NULL, gf_build_name(b, "y"));
    gf_build_end(b);
    assert_null(gf_build_finish(b, diags));
    gf_build_destroy(b);
    gf_diag diag;
    assert_true(gf_diags_get(diags, 0, &diag));
    assert_string_equal(diag.file, "<wrong>");
    assert_string_equal(diag.source, "    x[0] = y;");
    gf_diags_destroy(diags);
}

/* Runs one misuse in an open kernel, and wants the named message. */
static void misused(void (*misuse)(gf_builder *b), const char *name) {
    gf_diags *diags = gf_diags_create();
    gf_builder *b = gf_build_program("p", diags);
    gf_build_kernel(b);
    misuse(b);
    gf_build_end(b);
    assert_null(gf_build_finish(b, diags));
    gf_diag diag;
    assert_true(gf_diags_get(diags, 0, &diag));
    assert_string_equal(diag.name, name);
    gf_build_destroy(b);
    gf_diags_destroy(diags);
}

static void bad_name(gf_builder *b) {
    assert_false(gf_build_let(b, "a b", gf_build_integer(b, 1)));
    assert_false(gf_build_let(b, NULL, gf_build_integer(b, 1)));
    assert_false(gf_build_let(b, "", gf_build_integer(b, 1)));
    assert_null(gf_build_name(b, "x;\nkernel {}"));
}

static void bad_text(gf_builder *b) {
    assert_false(gf_build_region(b, "\x01"));
    gf_build_end(b);
    assert_false(gf_build_wait(b, "\xff"));
    assert_false(gf_build_wait(b, NULL));
}

static void bad_value(gf_builder *b) {
    assert_false(gf_build_let(b, "x", NULL));
    assert_false(gf_build_let(b, "x", NULL));
    assert_null(gf_build_op2(b, "+", gf_build_integer(b, 1), NULL));
}

static void foreign_value(gf_builder *b) {
    gf_builder *other = gf_build_program("other", NULL);
    assert_false(gf_build_let(b, "x", gf_build_integer(other, 1)));
    gf_build_destroy(other);
}

static void bad_kind(gf_builder *b) {
    assert_null(gf_build_op2(b, "~", gf_build_integer(b, 1), gf_build_integer(b, 1)));
    assert_null(gf_build_op1(b, NULL, gf_build_integer(b, 1)));
    assert_null(gf_build_builtin(b, "gid"));
    assert_null(gf_build_builtin(b, "rank.x"));
    assert_null(gf_build_cross(b, "group_load", gf_build_integer(b, 1)));
    assert_null(gf_build_atomic(b, "atomic_nand", "x", gf_build_integer(b, 1), NULL, NULL));
    assert_null(gf_build_cast(b, (gf_type)99, gf_build_integer(b, 1)));
    assert_false(gf_build_assign(b, "x", "<", gf_build_integer(b, 1)));
    assert_false(gf_build_assign(b, "x", "min", gf_build_integer(b, 1)));
    assert_false(gf_build_do(b, gf_build_integer(b, 1)));
    assert_false(gf_build_all_reduce(b, "x", "xor"));
}

static void declaration_inside(gf_builder *b) {
    assert_false(gf_build_param(b, GF_TYPE_U32, "n", NULL));
}

static void second_kernel(gf_builder *b) {
    gf_build_end(b);
    assert_false(gf_build_kernel(b));
}

static void else_alone(gf_builder *b) {
    assert_false(gf_build_else(b));
}

static void too_many_ends(gf_builder *b) {
    gf_build_end(b);
    assert_false(gf_build_end(b));
    assert_false(gf_build_break(b));
}

static void late_head(gf_builder *b) {
    gf_build_barrier(b);
    assert_false(gf_build_space(b, gf_build_integer(b, 1), NULL, NULL));
}

static void deep_bodies(gf_builder *b) {
    for (int i = 0; i < 5000; i++) {
        gf_build_block(b);
    }
    for (int i = 0; i < 5000; i++) {
        gf_build_end(b);
    }
}

static void deep_expression(gf_builder *b) {
    expr x = gf_build_integer(b, 1);
    for (int i = 0; i < 5000 && x != NULL; i++) {
        x = gf_build_op1(b, "~", x);
    }
    assert_null(x);
}

/* Each step doubles what is printed. */
static void wide_expression(gf_builder *b) {
    expr x = gf_build_integer(b, 1);
    for (int i = 0; i < 100; i++) {
        x = gf_build_op2(b, "+", x, x);
    }
    assert_non_null(x);
    assert_false(gf_build_let(b, "x", x));
}

static void misuse_is_told(void **state) {
    (void)state;
    misused(bad_name, "build-name");
    misused(bad_text, "build-text");
    misused(bad_value, "build-value");
    misused(foreign_value, "build-value");
    misused(bad_kind, "build-kind");
    misused(declaration_inside, "build-place");
    misused(second_kernel, "build-place");
    misused(else_alone, "build-place");
    misused(too_many_ends, "build-place");
    misused(late_head, "build-place");
    misused(deep_bodies, "build-depth");
    misused(deep_expression, "build-depth");
    misused(wide_expression, "build-depth");
}

static void nothing_is_taken(void **state) {
    (void)state;
    gf_diags *diags = gf_diags_create();
    assert_null(gf_build_program("1st", diags));
    assert_null(gf_build_program(NULL, diags));
    assert_int_equal(gf_diags_error_count(diags), 2);
    build_everything(NULL);
    assert_null(gf_build_finish(NULL, diags));
    gf_build_destroy(NULL);
    assert_int_equal(gf_diags_error_count(diags), 2);
    gf_builder *b = gf_build_program("open", diags);
    assert_null(gf_build_finish(b, diags));
    gf_build_kernel(b);
    assert_null(gf_build_finish(b, diags));
    assert_int_equal(gf_diags_error_count(diags), 4);
    gf_build_end(b);
    gf_program *program = gf_build_finish(b, diags);
    assert_non_null(program);
    gf_program_destroy(program);
    gf_build_destroy(b);
    gf_diags_destroy(diags);
}

/* Every allocation in turn fails: a clean error, and no crash. */
static void out_of_memory_anywhere(void **state) {
    (void)state;
    for (uint64_t n = 1;; n++) {
        gf_diags *diags = gf_diags_create();
        gf_memory_fail_at(n, false);
        gf_builder *b = gf_build_program("all", diags);
        build_everything(b);
        gf_program *program = gf_build_finish(b, diags);
        bool reached = gf_memory_fail_at(0, false) >= n;
        assert_true(!reached || program == NULL || gf_diags_error_count(diags) == 0);
        assert_true(program != NULL || gf_diags_error_count(diags) != 0);
        gf_program_destroy(program);
        gf_build_destroy(b);
        gf_diags_destroy(diags);
        if (!reached) {
            break;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_built_program_is_the_written_one),
        cmocka_unit_test(errors_show_a_line),
        cmocka_unit_test(misuse_is_told),
        cmocka_unit_test(nothing_is_taken),
        cmocka_unit_test(out_of_memory_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
