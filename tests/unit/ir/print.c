/* The printer on trees that passes make: parentheses, and literals that keep their type. */
#include "ir/effects.h"
#include "ir/program.h"
#include "ir/visit.h"
#include "unit/ir/arena_test.h"

static void prints(const gf_expr *expr, const char *expected) {
    gf_str out = {0};
    gf_print_expr(expr, &out);
    assert_false(out.failed);
    assert_string_equal(out.text, expected);
    gf_str_free(&out);
}

static void prints_stmt(const gf_stmt *stmt, const char *expected) {
    gf_str out = {0};
    gf_print_stmt(stmt, 0, &out);
    assert_string_equal(out.text, expected);
    gf_str_free(&out);
}

static void parentheses(void *context) {
    gf_arena *arena = context;
    const gf_expr *a = gf_make_name(arena, gf_make_symbol(arena, GF_SYMBOL_LET, "a", GF_TYPE_U32, 0));
    const gf_expr *b = gf_make_name(arena, gf_make_symbol(arena, GF_SYMBOL_LET, "b", GF_TYPE_U32, 1));
    const gf_expr *sum = gf_make_op2(arena, GF_OP_ADD, a, b);
    const gf_expr *product = gf_make_op2(arena, GF_OP_MUL, a, b);
    prints(gf_make_op2(arena, GF_OP_MUL, sum, sum), "(a + b) * (a + b)");
    prints(gf_make_op2(arena, GF_OP_ADD, product, product), "a * b + a * b");
    prints(gf_make_op2(arena, GF_OP_SUB, sum, sum), "a + b - (a + b)");
    prints(gf_make_op2(arena, GF_OP_SHL, sum, sum), "a + b << a + b");
    prints(gf_make_op2(arena, GF_OP_AND, gf_make_op2(arena, GF_OP_OR, a, b), b), "(a | b) & b");
    prints(gf_make_op2(arena, GF_OP_OR, gf_make_op2(arena, GF_OP_XOR, a, b), gf_make_op2(arena, GF_OP_AND, a, b)),
           "a ^ b | a & b");
    const gf_expr *less = gf_make_op2(arena, GF_OP_LT, a, b), *equal = gf_make_op2(arena, GF_OP_EQ, sum, b);
    prints(gf_make_op2(arena, GF_OP_EQ, less, equal), "a < b == (a + b == b)");
    prints(gf_make_op1(arena, GF_OP_NOT, less), "!(a < b)");
    prints(gf_make_op1(arena, GF_OP_NEG, gf_make_op1(arena, GF_OP_NEG, a)), "-(-a)");
    prints(gf_make_op1(arena, GF_OP_COMPLEMENT, gf_make_op1(arena, GF_OP_COMPLEMENT, a)), "~~a");
    gf_expr both = {.kind = GF_EXPR_AND, .type = GF_TYPE_BOOL, .arg_count = 2}, either = both;
    both.args = (const gf_expr *const[]){less, equal};
    either.kind = GF_EXPR_OR;
    either.args = (const gf_expr *const[]){&both, less};
    prints(&either, "a < b && a + b == b || a < b");
    gf_expr outer = {.kind = GF_EXPR_AND, .type = GF_TYPE_BOOL, .arg_count = 2};
    outer.args = (const gf_expr *const[]){less, &either};
    prints(&outer, "a < b && (a < b && a + b == b || a < b)");
}

static void literals(void *context) {
    gf_arena *arena = context;
    const gf_expr *wide = gf_make_name(arena, gf_make_symbol(arena, GF_SYMBOL_LET, "w", GF_TYPE_U64, 0));
    const gf_expr *five = gf_make_literal(arena, GF_TYPE_U64, 5);
    const gf_symbol *x = gf_make_symbol(arena, GF_SYMBOL_LET, "x", GF_TYPE_U64, 1);
    prints(gf_make_op2(arena, GF_OP_ADD, wide, five), "w + 5");
    prints(gf_make_op2(arena, GF_OP_EQ, five, five), "u64(5) == u64(5)");
    prints(gf_make_op2(arena, GF_OP_EQ, five, wide), "5 == w");
    prints(gf_make_op2(arena, GF_OP_SHL, wide, five), "w << u64(5)");
    prints_stmt(gf_make_let(arena, x, five), "let x = u64(5);\n");
    prints_stmt(gf_make_let(arena, x, gf_make_op2(arena, GF_OP_ADD, five, five)), "let x = u64(5) + u64(5);\n");
    prints_stmt(gf_make_var(arena, x, five), "var u64 x = 5;\n");
    prints_stmt(gf_make_let(arena, x, u32_literal(arena, 5)), "let x = 5;\n");
    prints_stmt(gf_make_let(arena, x, gf_make_literal(arena, GF_TYPE_I32, (uint32_t)-3)), "let x = i32(-3);\n");
    prints_stmt(gf_make_let(arena, x, gf_make_literal(arena, GF_TYPE_F32, 0x3dcccccd)), "let x = 0.1;\n");
    prints_stmt(gf_make_let(arena, x, gf_make_literal(arena, GF_TYPE_F32, 0x40400000)), "let x = 3.0;\n");
    prints_stmt(gf_make_let(arena, x, gf_make_literal(arena, GF_TYPE_F64, UINT64_C(0x3fb999999999999a))),
                "let x = f64(0.1);\n");
    prints_stmt(gf_make_let(arena, x, gf_make_literal(arena, GF_TYPE_F32, 1)), "let x = 1e-45;\n");
    prints_stmt(gf_make_let(arena, x, gf_make_literal(arena, GF_TYPE_F32, 0x80000000)), "let x = -0.0;\n");
    prints(gf_make_literal(arena, GF_TYPE_F32, 0x7fc00000), "nan");
    prints(gf_make_literal(arena, GF_TYPE_F64, UINT64_C(0xfff0000000000000)), "-inf");
    prints(gf_make_literal(arena, GF_TYPE_BOOL, 1), "true");
    prints(gf_make_op1(arena, GF_OP_NEG, gf_make_literal(arena, GF_TYPE_I32, (uint32_t)-3)), "-(-3)");
    prints(gf_make_cast(arena, GF_TYPE_F32, u32_literal(arena, 16777217)), "f32(u32(16777217))");
    const gf_symbol *bytes = gf_make_symbol(arena, GF_SYMBOL_BUFFER, "bytes", GF_TYPE_I8, 2);
    prints_stmt(gf_make_store(arena, bytes, five, gf_make_literal(arena, GF_TYPE_I32, 7)), "bytes[u64(5)] = 7;\n");
    prints_stmt(gf_make_for(arena, x, five, wide, five, gf_make_block(arena, NULL, 0)), "for x in 5 .. w step 5 {}\n");
    prints_stmt(gf_make_for(arena, x, five, five, NULL, gf_make_block(arena, NULL, 0)),
                "for x in u64(5) .. u64(5) {}\n");
    gf_expr spelled = *u32_literal(arena, 255);
    spelled.text = "0xff";
    prints(&spelled, "0xff");
}

static void statements(void *context) {
    gf_arena *arena = context;
    const gf_expr *yes = gf_make_literal(arena, GF_TYPE_BOOL, 1), *no = gf_make_literal(arena, GF_TYPE_BOOL, 0);
    const gf_stmt *stop = gf_make_simple(arena, GF_STMT_BREAK);
    const gf_block *leave = gf_make_block(arena, &stop, 1), *empty = gf_make_block(arena, NULL, 0);
    const gf_stmt *inner = gf_make_if(arena, no, leave, leave);
    prints_stmt(gf_make_if(arena, yes, empty, gf_make_block(arena, &inner, 1)),
                "if true {} else if false {\n    break;\n} else {\n    break;\n}\n");
    gf_stmt forced = *inner;
    forced.forced = GF_LEVEL_GRID;
    inner = &forced;
    prints_stmt(gf_make_if(arena, yes, empty, gf_make_block(arena, &inner, 1)),
                "if true {} else {\n    grid if false {\n        break;\n    } else {\n        break;\n    }\n}\n");
    prints_stmt(gf_make_region(arena, "a \"b\"\t\\\n", empty), "region \"a \\\"b\\\"\\t\\\\\\n\" {}\n");
    gf_stmt said = *gf_make_loop(arena, leave);
    said.trivia = (gf_trivia){.before = "  // above\n//   more\n", .after = " // behind", .blank_line = true};
    prints_stmt(&said, "// above\n//   more\nloop { // behind\n    break;\n}\n");
    gf_stmt block = {.kind = GF_STMT_BLOCK, .body = leave};
    prints_stmt(&block, "{\n    break;\n}\n");
}

static const gf_symbol *swap_symbols(void *user, const gf_symbol *symbol) {
    const gf_symbol *const *pair = user;
    return symbol == pair[0] ? pair[1] : symbol;
}

static void rewriting_and_effects(void *context) {
    gf_arena *arena = context;
    const gf_symbol *a = gf_make_symbol(arena, GF_SYMBOL_BUFFER, "a", GF_TYPE_U32, 0);
    const gf_symbol *b = gf_make_symbol(arena, GF_SYMBOL_BUFFER, "b", GF_TYPE_U32, 1);
    const gf_expr *zero = u32_literal(arena, 0), *load = gf_make_load(arena, a, zero);
    const gf_stmt *items[] = {gf_make_store(arena, b, load, load), gf_make_store(arena, b, zero, zero)};
    const gf_block *block = gf_make_block(arena, items, 2);
    const gf_symbol *pair[] = {a, b};
    gf_rewriter rewriter = {.arena = arena, .user = pair, .symbol = swap_symbols};
    const gf_block *changed = gf_rewrite_block(&rewriter, block);
    assert_ptr_not_equal(changed, block);
    assert_ptr_equal(changed->items[1], items[1]); /* shared */
    assert_false(gf_equal_block(changed, block));
    prints_stmt(changed->items[0], "b[b[0]] = b[0];\n");
    prints_stmt(items[0], "b[a[0]] = a[0];\n");

    const gf_stmt *leave = gf_make_simple(arena, GF_STMT_RETURN);
    const gf_stmt *guarded[] = {
        items[0], gf_make_if(arena, gf_make_op2(arena, GF_OP_EQ, load, zero), gf_make_block(arena, &leave, 1), NULL),
        items[1]};
    gf_access_list list = {0};
    gf_effects_block(arena, gf_make_block(arena, guarded, 3), &list);
    static const struct {
        gf_access_kind kind;
        const char *array;
        bool conditional;
    } expected[] = {{GF_ACCESS_READ, "a", false},
                    {GF_ACCESS_READ, "a", false},
                    {GF_ACCESS_WRITE, "b", false},
                    {GF_ACCESS_READ, "a", false},
                    {GF_ACCESS_WRITE, "b", true}};
    assert_int_equal(list.count, 5);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].kind, expected[i].kind);
        assert_string_equal(list.items[i].array->name, expected[i].array);
        assert_int_equal(list.items[i].conditional, expected[i].conditional);
    }
    assert_true(gf_holds_return(guarded[1]));
    assert_false(gf_holds_trap(guarded[1]));
}

static void test_parentheses(void **state) {
    (void)state;
    run_in_arena(parentheses);
}

static void test_literals(void **state) {
    (void)state;
    run_in_arena(literals);
}

static void test_statements(void **state) {
    (void)state;
    run_in_arena(statements);
}

static void test_rewriting_and_effects(void **state) {
    (void)state;
    run_in_arena(rewriting_and_effects);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parentheses),
        cmocka_unit_test(test_literals),
        cmocka_unit_test(test_statements),
        cmocka_unit_test(test_rewriting_and_effects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
