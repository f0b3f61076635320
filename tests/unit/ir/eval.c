/* Scalar expressions, pure functions, and sizes in 64 bits. */
#include "ir/eval.h"
#include "unit/ir/arena_test.h"

#include <gridfence/diag.h>

/* What the environment of these tests knows. */
static bool give_symbol(void *user, const gf_symbol *symbol, uint64_t *bits) {
    const gf_symbol *known = user;
    *bits = UINT32_MAX;
    return symbol == known;
}

static bool give_length(void *user, const gf_symbol *buffer, uint64_t *count) {
    (void)user;
    (void)buffer;
    *count = UINT64_C(0x100000001);
    return true;
}

static bool give_element(void *user, const gf_symbol *buffer, uint64_t index, uint64_t *bits) {
    (void)user;
    (void)buffer;
    *bits = index < 10 ? index * index : 0;
    return true;
}

static uint64_t value_of(const gf_expr *expr, const gf_env *env) {
    uint64_t bits = 0;
    assert_true(gf_eval(expr, env, &bits));
    return bits;
}

static void expressions(void *context) {
    gf_arena *arena = context;
    const gf_symbol *n = gf_make_symbol(arena, GF_SYMBOL_PARAM, "n", GF_TYPE_U32, 0);
    const gf_symbol *buffer = gf_make_symbol(arena, GF_SYMBOL_BUFFER, "b", GF_TYPE_U8, 1);
    gf_env env = {.user = (void *)n,
                  .symbol = give_symbol,
                  .length = give_length,
                  .load = give_element,
                  .has_geometry = true,
                  .space = {100, 7, 1}};
    const gf_expr *name = gf_make_name(arena, n), *one = u32_literal(arena, 1), *zero = u32_literal(arena, 0);
    assert_int_equal(value_of(gf_make_op2(arena, GF_OP_ADD, name, one), &env), 0); /* wraps, unlike a size */
    assert_int_equal(value_of(gf_make_load(arena, buffer, u32_literal(arena, 3)), &env), 9);
    assert_int_equal(value_of(gf_make_load(arena, buffer, name), &env), 0);
    assert_int_equal(value_of(gf_make_load(arena, buffer, gf_make_literal(arena, GF_TYPE_I32, UINT32_MAX)), &env), 0);
    assert_int_equal(value_of(gf_make_builtin(arena, GF_BUILTIN_SPACE, GF_AXIS_Y), &env), 7);
    assert_int_equal(value_of(gf_make_builtin(arena, GF_BUILTIN_RANKS, GF_AXIS_NONE), &env), 1);
    assert_int_equal(value_of(gf_make_cast(arena, GF_TYPE_I64, gf_make_literal(arena, GF_TYPE_I32, UINT32_MAX)), NULL),
                     UINT64_MAX);
    /* What has no value here is asked for only where it counts. */
    const gf_expr *unknown = gf_make_builtin(arena, GF_BUILTIN_GID, GF_AXIS_X);
    const gf_expr *bad = gf_make_op2(arena, GF_OP_EQ, unknown, one), *no = gf_make_literal(arena, GF_TYPE_BOOL, 0);
    gf_expr both = {.kind = GF_EXPR_AND, .type = GF_TYPE_BOOL, .arg_count = 2};
    both.args = (const gf_expr *const[]){no, bad};
    assert_int_equal(value_of(&both, &env), 0);
    both.args = (const gf_expr *const[]){bad, no};
    uint64_t bits;
    assert_false(gf_eval(&both, &env, &bits));
    both.kind = GF_EXPR_OR;
    both.args = (const gf_expr *const[]){gf_make_op2(arena, GF_OP_EQ, zero, zero), bad};
    assert_int_equal(value_of(&both, &env), 1);
    assert_false(gf_eval(name, NULL, &bits));
}

/* fn u32 f(u32 a) { var u32 sum = 0; var u8 seen[4]; for i in 0 .. a { seen[i] = 300; sum += i; }
 *                   if sum > 5 { return sum + seen[2]; } return seen[9]; } */
static gf_symbol *make_function(gf_arena *arena, const gf_stmt *first) {
    gf_symbol *f = gf_make_symbol(arena, GF_SYMBOL_FUNCTION, "f", GF_TYPE_U32, 0);
    const gf_symbol *a = gf_make_symbol(arena, GF_SYMBOL_ARGUMENT, "a", GF_TYPE_U32, 1);
    const gf_symbol *sum = gf_make_symbol(arena, GF_SYMBOL_VAR, "sum", GF_TYPE_U32, 2);
    gf_symbol *seen = gf_make_symbol(arena, GF_SYMBOL_VAR, "seen", GF_TYPE_U8, 3);
    const gf_symbol *i = gf_make_symbol(arena, GF_SYMBOL_LOOP, "i", GF_TYPE_U32, 4);
    seen->is_array = true;
    seen->length = 4;
    gf_stmt *add = gf_arena_copy(arena, gf_make_assign(arena, sum, gf_make_name(arena, i)), sizeof *add);
    add->op = GF_OP_ADD;
    const gf_stmt *body[] = {gf_make_store(arena, seen, gf_make_name(arena, i), u32_literal(arena, 300)), add};
    gf_stmt *give = gf_arena_copy(arena, gf_make_simple(arena, GF_STMT_RETURN), sizeof *give);
    gf_stmt *give_last = gf_arena_copy(arena, give, sizeof *give);
    give->value =
        gf_make_op2(arena, GF_OP_ADD, gf_make_name(arena, sum), gf_make_load(arena, seen, u32_literal(arena, 2)));
    give_last->value = gf_make_load(arena, seen, u32_literal(arena, 9));
    const gf_stmt *inner = give;
    const gf_stmt *all[] = {
        first != NULL ? first : gf_make_var(arena, sum, NULL),
        gf_make_var(arena, sum, NULL),
        gf_make_var(arena, seen, NULL),
        gf_make_for(arena, i, u32_literal(arena, 0), gf_make_name(arena, a), NULL, gf_make_block(arena, body, 2)),
        gf_make_if(arena, gf_make_op2(arena, GF_OP_GT, gf_make_name(arena, sum), u32_literal(arena, 5)),
                   gf_make_block(arena, &inner, 1), NULL),
        give_last,
    };
    f->body = gf_make_block(arena, all, 6);
    f->arguments = gf_arena_copy(arena, &a, sizeof a);
    f->argument_count = 1;
    return f;
}

static void functions(void *context) {
    gf_arena *arena = context;
    gf_expr call = {.kind = GF_EXPR_CALL, .type = GF_TYPE_U32, .arg_count = 1};
    const gf_expr *argument = u32_literal(arena, 5);
    call.args = &argument;
    call.ref = (gf_ref){.name = "f", .symbol = make_function(arena, NULL)};
    assert_int_equal(value_of(&call, NULL), 10 + 44); /* 300 wraps to 44 in a u8 */
    argument = u32_literal(arena, 2);
    assert_int_equal(value_of(&call, NULL), 0); /* seen[9] is outside */
    /* A loop without end is given up, and so is what is not pure. */
    uint64_t bits;
    call.ref.symbol = make_function(arena, gf_make_loop(arena, gf_make_block(arena, NULL, 0)));
    assert_false(gf_eval(&call, NULL, &bits));
    call.ref.symbol = make_function(arena, gf_make_simple(arena, GF_STMT_GRID_BARRIER));
    assert_false(gf_eval(&call, NULL, &bits));
    argument = u32_literal(arena, UINT32_MAX);
    call.ref.symbol = make_function(arena, NULL);
    assert_false(gf_eval(&call, NULL, &bits));
}

static void refused(const gf_expr *expr, const gf_env *env, const char *code) {
    gf_diags *diags = gf_diags_create();
    uint64_t out;
    gf_diag said;
    assert_false(gf_eval_size(expr, env, "size of buffer `row`", &out, diags));
    assert_true(gf_diags_get(diags, 0, &said));
    assert_string_equal(said.name, code);
    assert_non_null(strstr(said.message, "size of buffer `row`"));
    gf_diags_destroy(diags);
}

static uint64_t size_of(const gf_expr *expr, const gf_env *env) {
    uint64_t out = 0;
    assert_true(gf_eval_size(expr, env, "size", &out, NULL));
    return out;
}

static void sizes(void *context) {
    gf_arena *arena = context;
    const gf_symbol *n = gf_make_symbol(arena, GF_SYMBOL_PARAM, "n", GF_TYPE_U32, 0);
    gf_env env = {.user = (void *)n, .symbol = give_symbol, .length = give_length};
    const gf_expr *name = gf_make_name(arena, n), *one = u32_literal(arena, 1), *two = u32_literal(arena, 2);
    const gf_expr *zero = u32_literal(arena, 0), *most = gf_make_literal(arena, GF_TYPE_U64, UINT64_MAX);
    assert_int_equal(size_of(gf_make_op2(arena, GF_OP_ADD, name, one), &env), UINT64_C(0x100000000));
    assert_int_equal(size_of(gf_make_op2(arena, GF_OP_MUL, name, name), &env), UINT64_C(0xfffffffe00000001));
    /* Below zero on the way, not at the end. */
    const gf_expr *minus = gf_make_op2(arena, GF_OP_SUB, one, two);
    assert_int_equal(size_of(gf_make_op2(arena, GF_OP_ADD, minus, two), &env), 1);
    refused(minus, &env, "size-negative");
    refused(gf_make_op2(arena, GF_OP_ADD, most, one), &env, "size-overflow");
    refused(gf_make_op2(arena, GF_OP_MUL, most, two), &env, "size-overflow");
    refused(gf_make_op1(arena, GF_OP_NEG, most), &env, "size-overflow");
    refused(gf_make_op2(arena, GF_OP_SHL, most, one), &env, "size-overflow");
    refused(gf_make_op2(arena, GF_OP_DIV, one, zero), &env, "size-division");
    refused(gf_make_op2(arena, GF_OP_REM, one, zero), &env, "size-division");
    refused(gf_make_literal(arena, GF_TYPE_F32, 0), &env, "size-unknown");
    refused(gf_make_builtin(arena, GF_BUILTIN_GID, GF_AXIS_X), &env, "size-unknown");
    refused(gf_make_cast(arena, GF_TYPE_U32, most), &env, "size-overflow");
    /* The side of a select that is not taken may be wrong. */
    const gf_expr *safe = gf_make_op3(arena, GF_OP_SELECT, gf_make_op2(arena, GF_OP_EQ, zero, zero), two,
                                      gf_make_op2(arena, GF_OP_DIV, one, zero));
    assert_int_equal(size_of(safe, &env), 2);
    gf_expr length = {.kind = GF_EXPR_LEN, .type = GF_TYPE_U32, .ref = {.name = "n", .symbol = n}};
    assert_int_equal(size_of(gf_make_op2(arena, GF_OP_SUB, &length, one), &env), UINT64_C(0x100000000));
    assert_int_equal(size_of(gf_make_op2(arena, GF_OP_SHL, one, u32_literal(arena, 40)), &env), UINT64_C(1) << 40);
    assert_int_equal(size_of(gf_make_op1(arena, GF_OP_COMPLEMENT, zero), &env), UINT32_MAX);
}

static void constants(void *context) {
    gf_arena *arena = context;
    const gf_expr *one = u32_literal(arena, 1), *most = u32_literal(arena, UINT32_MAX);
    const gf_expr *over = gf_make_op2(arena, GF_OP_ADD, most, one);
    uint64_t bits;
    gf_diags *diags = gf_diags_create();
    assert_false(gf_eval_constant(over, NULL, GF_TYPE_U32, "`C`", &bits, diags));
    char *text = print_diags(diags);
    assert_non_null(strstr(text, "`C` is 4294967296, which does not fit u32"));
    free(text);
    gf_diags_destroy(diags);
    const gf_expr *under = gf_make_op2(arena, GF_OP_SUB, one, gf_make_op2(arena, GF_OP_ADD, one, one));
    assert_true(gf_eval_constant(under, NULL, GF_TYPE_I32, "`C`", &bits, NULL));
    assert_int_equal(bits, UINT32_MAX);
    assert_false(gf_eval_constant(under, NULL, GF_TYPE_U64, "`C`", &bits, NULL));
    const gf_expr *half = gf_make_literal(arena, GF_TYPE_F32, 0x3f000000);
    assert_true(gf_eval_constant(gf_make_op2(arena, GF_OP_ADD, half, half), NULL, GF_TYPE_F32, "`C`", &bits, NULL));
    assert_int_equal(bits, 0x3f800000);
    assert_true(gf_eval_constant(gf_make_op2(arena, GF_OP_LT, half, half), NULL, GF_TYPE_BOOL, "`C`", &bits, NULL));
    assert_int_equal(bits, 0);
    assert_true(gf_eval_constant(gf_make_cast(arena, GF_TYPE_U32, half), NULL, GF_TYPE_U32, "`C`", &bits, NULL));
    assert_int_equal(bits, 0);
}

static void test_expressions(void **state) {
    (void)state;
    run_in_arena(expressions);
}

static void test_functions(void **state) {
    (void)state;
    run_in_arena(functions);
}

static void test_sizes(void **state) {
    (void)state;
    run_in_arena(sizes);
}

static void test_constants(void **state) {
    (void)state;
    run_in_arena(constants);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
