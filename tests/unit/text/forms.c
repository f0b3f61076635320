/* What each form becomes in the tree. */
#include "base/str.h"
#include "text.h"

/* The only statement of a kernel. */
typedef struct one {
    gf_program *program;
    const gf_stmt *stmt;
} one;

static one parse_one(const char *body) {
    char *text = wrap_body(body);
    one result = {.program = parse_right(text)};
    free(text);
    const gf_block *block = result.program->parsed->kernel.body;
    assert_int_equal(block->count, 1);
    result.stmt = block->items[0];
    return result;
}

/* The value of `let a = <text>;`, printed with all its structure: (op left right). */
static void describe(const gf_expr *expr, gf_str *out) {
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        gf_str_addf(out, "%s%s", expr->text, expr->is_float ? "f" : "");
        return;
    case GF_EXPR_NAME:
        gf_str_add(out, expr->ref.name);
        return;
    case GF_EXPR_BUILTIN:
        gf_str_addf(out, "builtin%d.%d", (int)expr->builtin, (int)expr->axis);
        return;
    case GF_EXPR_LEN:
        gf_str_addf(out, "len %s", expr->ref.name);
        return;
    case GF_EXPR_LOAD:
        gf_str_addf(out, "(load %s", expr->ref.name);
        break;
    case GF_EXPR_OP:
        gf_str_addf(out, "(%s", gf_op_spelling(expr->op));
        break;
    case GF_EXPR_AND:
        gf_str_add(out, "(&&");
        break;
    case GF_EXPR_OR:
        gf_str_add(out, "(||");
        break;
    case GF_EXPR_CAST:
        gf_str_addf(out, "(cast %s", gf_type_name(expr->type));
        break;
    case GF_EXPR_BITCAST:
        gf_str_addf(out, "(bitcast %s", gf_type_name(expr->type));
        break;
    case GF_EXPR_ATOMIC:
        gf_str_addf(out, "(%s %s", gf_atomic_name(expr->atomic), expr->ref.name);
        break;
    case GF_EXPR_CROSS:
        gf_str_addf(out, "(%s %s", expr->level == GF_LEVEL_GRID ? "grid" : "group", gf_cross_name(expr->cross));
        break;
    case GF_EXPR_CALL:
        gf_str_addf(out, "(call %s", expr->ref.name);
        break;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        gf_str_add(out, " ");
        describe(expr->args[i], out);
    }
    gf_str_add(out, ")");
}

static void test_expressions(void **state) {
    (void)state;
    static const struct {
        const char *text, *tree;
    } rows[] = {
        {"1", "1"},
        {"0xff_00", "0xff_00"},
        {"0b101", "0b101"},
        {"1.5", "1.5f"},
        {"1e-6", "1e-6f"},
        {"0.5e3", "0.5e3f"},
        {"inf", "inff"},
        {"nan", "nanf"},
        {"true", "true"},
        {"false", "false"},
        {"x", "x"},
        {"step", "step"},
        {"gid.x", "builtin0.0"},
        {"lid.y", "builtin1.1"},
        {"wid.z", "builtin2.2"},
        {"gid.linear", "builtin0.3"},
        {"grid_size.x", "builtin3.0"},
        {"group_size.y", "builtin4.1"},
        {"space.z", "builtin5.2"},
        {"rank", "builtin6.4"},
        {"ranks", "builtin7.4"},
        {"len(a)", "len a"},
        {"a[i]", "(load a i)"},
        {"a[b[c]]", "(load a (load b c))"},
        {"f()", "(call f)"},
        {"f(1, x)", "(call f 1 x)"},
        {"u32(x)", "(cast u32 x)"},
        {"bool(x)", "(cast bool x)"},
        {"f16(x)", "(cast f16 x)"},
        {"bitcast<u64>(x)", "(bitcast u64 x)"},
        {"-x", "(- x)"},
        {"!x", "(! x)"},
        {"~x", "(~ x)"},
        {"- - x", "(- (- x))"},
        {"--x", "(- (- x))"},
        {"!!x", "(! (! x))"},
        {"a-1", "(- a 1)"},
        {"-a * b", "(* (- a) b)"},
        {"a + b * c", "(+ a (* b c))"},
        {"a - b - c", "(- (- a b) c)"},
        {"a - (b - c)", "(- a (- b c))"},
        {"a / b % c", "(% (/ a b) c)"},
        {"a << b + c", "(<< a (+ b c))"},
        {"a >> b << c", "(<< (>> a b) c)"},
        {"a < b << c", "(< a (<< b c))"},
        {"a == b < c", "(== a (< b c))"},
        {"a & b == c", "(& a (== b c))"},
        {"a ^ b & c", "(^ a (& b c))"},
        {"a | b ^ c", "(| a (^ b c))"},
        {"a && b | c", "(&& a (| b c))"},
        {"a || b && c", "(|| a (&& b c))"},
        {"a && b && c", "(&& (&& a b) c)"},
        {"a == b != c", "(!= (== a b) c)"},
        {"a<b", "(< a b)"},
        {"a<=b", "(<= a b)"},
        {"a>=-b", "(>= a (- b))"},
        {"a<-b", "(< a (- b))"},
        {"select(c, a, b)", "(select c a b)"},
        {"clamp(a, 1, 2)", "(clamp a 1 2)"},
        {"fma(a, b, c)", "(fma a b c)"},
        {"pow(a, b)", "(pow a b)"},
        {"is_nan(a)", "(is_nan a)"},
        {"atomic_load(a[i])", "(atomic_load a i)"},
        {"atomic_add(a[i], 2)", "(atomic_add a i 2)"},
        {"atomic_compare_exchange(a[i], 1, 2)", "(atomic_compare_exchange a i 1 2)"},
        {"grid_any(c)", "(grid any c)"},
        {"group_scan_add(c)", "(group scan_add c)"},
        {"grid_load(a[0])", "(grid load (load a 0))"},
        {"((x))", "x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[256];
        (void)snprintf(body, sizeof body, "let v = %s;", rows[i].text);
        one result = parse_one(body);
        gf_str out = {0};
        describe(result.stmt->value, &out);
        assert_string_equal(out.text, rows[i].tree);
        gf_str_free(&out);
        gf_program_destroy(result.program);
    }
}

static void test_integers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t bits;
    } rows[] = {{"0", 0},
                {"1_000", 1000},
                {"18446744073709551615", UINT64_MAX},
                {"0xffff_ffff_ffff_ffff", UINT64_MAX},
                {"0XaB", 0xab},
                {"0b1010_0101", 0xa5},
                {"4294967296", (uint64_t)1 << 32}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char body[128];
        (void)snprintf(body, sizeof body, "let v = %s;", rows[i].text);
        one result = parse_one(body);
        assert_true(result.stmt->value->bits == rows[i].bits);
        assert_string_equal(result.stmt->value->text, rows[i].text);
        gf_program_destroy(result.program);
    }
}

static void test_range_without_spaces(void **state) {
    (void)state;
    one result = parse_one("for i in 0..n {}");
    assert_int_equal(result.stmt->kind, GF_STMT_FOR);
    assert_int_equal(result.stmt->from->kind, GF_EXPR_LITERAL);
    assert_false(result.stmt->from->is_float);
    assert_string_equal(result.stmt->to->ref.name, "n");
    gf_program_destroy(result.program);
}

static void test_statement_kinds(void **state) {
    (void)state;
    static const struct {
        const char *text;
        gf_stmt_kind kind;
    } rows[] = {{"let a = 1;", GF_STMT_LET},
                {"var u32 a;", GF_STMT_VAR},
                {"a = 1;", GF_STMT_ASSIGN},
                {"a <<= 1;", GF_STMT_ASSIGN},
                {"a[1] = 1;", GF_STMT_STORE},
                {"f(1);", GF_STMT_EXPR},
                {"atomic_add(a[1], 1);", GF_STMT_EXPR},
                {"swap(a, b);", GF_STMT_SWAP},
                {"converged(c);", GF_STMT_CONVERGED},
                {"if c {}", GF_STMT_IF},
                {"for i in 0 .. 1 {}", GF_STMT_FOR},
                {"while c {}", GF_STMT_WHILE},
                {"loop {}", GF_STMT_LOOP},
                {"forall i in 0 .. 1 {}", GF_STMT_FORALL},
                {"break;", GF_STMT_BREAK},
                {"continue;", GF_STMT_CONTINUE},
                {"return;", GF_STMT_RETURN},
                {"barrier;", GF_STMT_BARRIER},
                {"grid_barrier;", GF_STMT_GRID_BARRIER},
                {"region \"r\" {}", GF_STMT_REGION},
                {"{}", GF_STMT_BLOCK},
                {"assert(c, \"t\");", GF_STMT_ASSERT},
                {"trap(\"t\", 1);", GF_STMT_TRAP},
                {"all_reduce(a, or);", GF_STMT_COLLECTIVE},
                {"all_gather(a, b);", GF_STMT_COLLECTIVE},
                {"reduce_scatter(a, b, and);", GF_STMT_COLLECTIVE},
                {"broadcast(a, 0);", GF_STMT_COLLECTIVE},
                {"copy_async(a, 0, b, 1, 2, t);", GF_STMT_COPY_ASYNC},
                {"wait(t);", GF_STMT_WAIT}};
    bool seen[GF_STMT_COUNT] = {false};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        one result = parse_one(rows[i].text);
        assert_int_equal(result.stmt->kind, rows[i].kind);
        assert_int_equal(result.stmt->span.length, strlen(rows[i].text));
        seen[rows[i].kind] = true;
        gf_program_destroy(result.program);
    }
    for (size_t i = 0; i < GF_STMT_COUNT; i++) {
        assert_true(seen[i]);
    }
}

static void test_statement_parts(void **state) {
    (void)state;
    one result = parse_one("var f32 a[2 * n];");
    const gf_symbol *symbol = result.stmt->target.symbol;
    assert_string_equal(result.stmt->target.name, "a");
    assert_true(symbol->is_array && symbol->type == GF_TYPE_F32 && symbol->size != NULL);
    assert_null(result.stmt->value);
    gf_program_destroy(result.program);

    result = parse_one("a[i + 1] %= 3;");
    assert_int_equal(result.stmt->op, GF_OP_REM);
    assert_int_equal(result.stmt->index->op, GF_OP_ADD);
    gf_program_destroy(result.program);

    result = parse_one("group for i in a .. b step s {}");
    assert_int_equal(result.stmt->forced, GF_LEVEL_GROUP);
    assert_string_equal(result.stmt->step->ref.name, "s");
    gf_program_destroy(result.program);

    result = parse_one("grid if a {} else if b {} else { x = 1; }");
    assert_int_equal(result.stmt->forced, GF_LEVEL_GRID);
    assert_int_equal(result.stmt->otherwise->count, 1);
    assert_int_equal(result.stmt->otherwise->items[0]->kind, GF_STMT_IF);
    assert_int_equal(result.stmt->otherwise->items[0]->forced, GF_LEVEL_NONE);
    assert_int_equal(result.stmt->otherwise->items[0]->otherwise->count, 1);
    gf_program_destroy(result.program);

    result = parse_one("forall i in 0 .. n reduce(add a, min b, or c) {}");
    assert_int_equal(result.stmt->reduce_count, 3);
    assert_int_equal(result.stmt->reduces[1].combine, GF_COMBINE_MIN);
    assert_string_equal(result.stmt->reduces[2].outer.name, "c");
    gf_program_destroy(result.program);

    result = parse_one("copy_async(d, 1, s, 2, 3, \"a tag\");");
    assert_string_equal(result.stmt->target.name, "d");
    assert_string_equal(result.stmt->second.name, "s");
    assert_int_equal(result.stmt->index->bits, 1);
    assert_int_equal(result.stmt->from->bits, 2);
    assert_int_equal(result.stmt->to->bits, 3);
    assert_true(result.stmt->tag_quoted);
    assert_string_equal(result.stmt->text, "a tag");
    gf_program_destroy(result.program);

    result = parse_one("wait(0x10);");
    assert_false(result.stmt->tag_quoted);
    assert_string_equal(result.stmt->text, "16");
    gf_program_destroy(result.program);

    result = parse_one("reduce_scatter(a, b, max);");
    assert_int_equal(result.stmt->collective, GF_COLLECTIVE_REDUCE_SCATTER);
    assert_int_equal(result.stmt->combine, GF_COMBINE_MAX);
    assert_string_equal(result.stmt->second.name, "b");
    gf_program_destroy(result.program);

    result = parse_one("region \"a \\\"b\\\" \\\\ \\n\\t \xc3\xa9\" {}");
    assert_string_equal(result.stmt->text, "a \"b\" \\ \n\t \xc3\xa9");
    gf_program_destroy(result.program);
}

static void test_declarations(void **state) {
    (void)state;
    gf_program *program = parse_right("program p;\n"
                                      "const u32 A = 1;\n"
                                      "param f64 b;\n"
                                      "param bool c = true;\n"
                                      "in u8 d[];\n"
                                      "kernel groups(2, 3) workgroup(8, 4, 2) fixpoint(9) on (e, f) {}\n"
                                      "inout i16 e[n];\n"
                                      "out f16 f[n] returns(1 .. n);\n"
                                      "scratch i64 g[n];\n"
                                      "shared u32 h[64];\n"
                                      "fn k(u32 x, bool y) {}\n"
                                      "fn i32 l() { return 1; }\n");
    const gf_tree *tree = program->parsed;
    assert_string_equal(tree->name, "p");
    assert_int_equal(tree->decl_count, 10);
    assert_int_equal(tree->kernel_position, 4);
    assert_int_equal(tree->decls[0]->kind, GF_SYMBOL_CONST);
    assert_null(tree->decls[1]->value);
    assert_non_null(tree->decls[2]->value);
    assert_true(tree->decls[3]->size == NULL && tree->decls[3]->role == GF_ROLE_IN);
    assert_int_equal(tree->decls[4]->role, GF_ROLE_INOUT);
    assert_non_null(tree->decls[5]->returns_from);
    assert_int_equal(tree->decls[5]->type, GF_TYPE_F16);
    assert_int_equal(tree->decls[6]->role, GF_ROLE_SCRATCH);
    assert_int_equal(tree->decls[7]->kind, GF_SYMBOL_SHARED);
    assert_int_equal(tree->decls[8]->argument_count, 2);
    assert_int_equal(tree->decls[8]->type, GF_TYPE_NONE);
    assert_int_equal(tree->decls[9]->type, GF_TYPE_I32);
    assert_int_equal(tree->kernel.space_kind, GF_SPACE_GROUPS);
    assert_int_equal(tree->kernel.space_axes, 2);
    assert_int_equal(tree->kernel.workgroup_axes, 3);
    assert_int_equal(tree->kernel.watched_count, 2);
    assert_true(tree->kernel.watched_listed);
    gf_program_destroy(program);

    program = parse_right("program p; kernel indirect(counts, 3) {}");
    assert_int_equal(program->parsed->kernel.space_kind, GF_SPACE_INDIRECT);
    assert_string_equal(program->parsed->kernel.indirect.name, "counts");
    gf_program_destroy(program);

    program = parse_right("program p; kernel {}");
    assert_int_equal(program->parsed->kernel.space_kind, GF_SPACE_ONE);
    gf_program_destroy(program);
}

/* Words that mean something at one place only, and names that begin like words. */
static void test_free_words(void **state) {
    (void)state;
    gf_program_destroy(
        parse_right("program p;\nparam u32 step = 1; param u32 on; param u32 groups; in u32 reduce[on];\n"
                    "in u32 returns[]; param u32 x; param u32 gf_r0; param u32 index; param u32 format;\n"
                    "fn u32 load(u32 add) { return add; }\n"
                    "kernel (groups) workgroup(step) fixpoint(on) on (reduce) {\n"
                    "for workgroup in step .. on step step { let fixpoint = workgroup; }\n"
                    "for indirect in 0 .. 1 { let or = load(3); } }"));
}

static void test_bytes_around(void **state) {
    (void)state;
    gf_program_destroy(parse_right("\xef\xbb\xbfprogram p;\r\nkernel {}\r\n"));
    gf_program_destroy(parse_right("program p;kernel{}//"));
    gf_program_destroy(parse_right("// \xff no UTF-8\nprogram p; kernel {}"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions),          cmocka_unit_test(test_integers),
        cmocka_unit_test(test_range_without_spaces), cmocka_unit_test(test_statement_kinds),
        cmocka_unit_test(test_statement_parts),      cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_free_words),           cmocka_unit_test(test_bytes_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
