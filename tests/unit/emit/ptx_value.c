/* Single values in PTX: what each operation, conversion and elementary function gives on a machine for such code, that
 * all of it is what NVIDIA's assembler takes, where that is here, and how it is spelled. */
#include "scratch.h"
#include "unit/emit/ptx_cases.h"
#include "unit/emit/ptx_machine.h"
#include "unit/unit.h"

#include <unistd.h>

static ptx_list list;
static ptx_machine machine;

enum { ROWS = 1500, ELEMENTARY_ROWS = 6000 };

static void run_case(const ptx_case *it) {
    char name[128];
    gf_ptx body = ptx_emit_body(it);
    ptx_say(it, name, sizeof name);
    assert_false(body.text.failed);
    if (!ptx_read(&machine, body.text.text)) {
        fail_msg("%s: `%s` is %s in\n%s", name, machine.at->text, machine.why, body.text.text);
    }
    size_t rows = it->fixed == (1u << ptx_arity(it)) - 1 ? 1 : ptx_is_elementary(it) ? ELEMENTARY_ROWS : ROWS;
    rows = it->kind == PTX_WIDEN && gf_type_bytes(it->type) == 2 ? 0x10000 : rows;
    for (size_t i = 0; i < rows; i++) {
        uint64_t row[3], result = 0;
        ptx_fill_row(it, i, row);
        uint64_t expected = ptx_expect(it, row);
        if (!ptx_run(&machine, row, &result)) {
            fail_msg("%s of %" PRIx64 " %" PRIx64 " %" PRIx64 ": `%s` %s in\n%s", name, row[0], row[1], row[2],
                     machine.at->text, machine.why, body.text.text);
        }
        if (!ptx_equals(it, result, expected)) {
            fail_msg("%s of %" PRIx64 " %" PRIx64 " %" PRIx64 " is %" PRIx64 ", not %" PRIx64 ":\n%s", name, row[0],
                     row[1], row[2], result, expected, body.text.text);
        }
    }
    gf_str_free(&body.text);
}

static void values(void **state) {
    (void)state;
    gf_float_mode mode;
    ptx_list_all(&list);
    assert_in_range(list.count, 1000, PTX_CASES);
    gf_float_mode_enter(&mode);
    for (size_t i = 0; i < list.count; i++) {
        run_case(&list.cases[i]);
    }
    gf_float_mode_leave(&mode);
}

/* ---- the assembler ---- */

/* Its command; NULL where it is not here. */
static const char *find_assembler(void) {
    static const char *const commands[] = {"ptxas", "/usr/local/cuda/bin/ptxas"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[128];
        snprintf(line, sizeof line, "%s --version >/dev/null 2>&1", commands[i]);
        if (system(line) == 0) { // NOLINT(cert-env33-c)
            return commands[i];
        }
    }
    return NULL;
}

static void assembles(void **state) {
    (void)state;
    const char *assembler = find_assembler();
    if (assembler == NULL) {
        print_message("skipped: no ptxas\n");
        skip();
    }
    gf_str text = {0};
    ptx_list_all(&list);
    gf_str_add(&text, ".version 6.0\n.target sm_70\n.address_size 64\n");
    for (size_t i = 0; i < list.count; i++) {
        char name[32];
        snprintf(name, sizeof name, "case_%zu", i);
        ptx_emit_kernel(&text, &list.cases[i], name);
    }
    assert_false(text.failed);
    char folder[SCRATCH_BYTES], path[SCRATCH_INSIDE], line[2 * SCRATCH_INSIDE];
    assert_true(scratch_make(folder));
    snprintf(path, sizeof path, "%s/all.ptx", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text.text, 1, text.length, file), text.length);
    assert_int_equal(fclose(file), 0);
    gf_str_free(&text);
    snprintf(line, sizeof line, "%s -arch=sm_90 -O0 -o /dev/null '%s'", assembler, path);
    int status = system(line); // NOLINT(cert-env33-c)
    scratch_remove(folder);
    assert_int_equal(status, 0);
}

/* ---- spelling ---- */

static void spelling(void **state) {
    (void)state;
    gf_ptx p = {0};
    gf_pv u = gf_ptx_new_value(&p, GF_TYPE_U32), b = gf_ptx_new_value(&p, GF_TYPE_BOOL);
    gf_pv d = gf_ptx_new_value(&p, GF_TYPE_F64), wide = gf_ptx_new_value(&p, GF_TYPE_I64);
    assert_string_equal(gf_ptx_spell(u).text, "%r0");
    assert_string_equal(gf_ptx_spell(b).text, "%p0");
    assert_string_equal(gf_ptx_spell(wide).text, "%rd0");
    assert_string_equal(gf_ptx_spell(gf_ptx_constant(GF_TYPE_U32, 42)).text, "42");
    assert_string_equal(gf_ptx_spell(gf_ptx_constant(GF_TYPE_I32, UINT64_MAX)).text, "0xffffffff");
    assert_string_equal(gf_ptx_spell(gf_ptx_constant(GF_TYPE_I64, UINT64_MAX)).text, "0xffffffffffffffff");
    assert_string_equal(gf_ptx_spell(gf_ptx_constant(GF_TYPE_F32, 0x3f800000)).text, "0f3f800000");
    assert_string_equal(gf_ptx_spell(gf_ptx_constant(GF_TYPE_F64, 1)).text, "0d0000000000000001");
    assert_string_equal(gf_ptx_name(GF_PTX_H, 12).text, "%h12");
    gf_ptx_move(&p, u, gf_ptx_constant(GF_TYPE_U32, 7));
    gf_ptx_move(&p, u, u);
    gf_ptx_move(&p, b, gf_ptx_constant(GF_TYPE_BOOL, 1));
    gf_ptx_move(&p, d, gf_ptx_constant(GF_TYPE_F64, UINT64_C(0x3ff0000000000000)));
    assert_int_equal(gf_ptx_register(&p, u).number, u.number);
    assert_int_equal(gf_ptx_register(&p, gf_ptx_constant(GF_TYPE_BOOL, 0)).number, 1);
    uint32_t first = gf_ptx_label(&p), second = gf_ptx_label(&p);
    gf_ptx_jump_if(&p, b, true, second);
    gf_ptx_jump_if(&p, b, false, first);
    gf_ptx_jump_if(&p, gf_ptx_constant(GF_TYPE_BOOL, 0), true, first);
    gf_ptx_jump_if(&p, gf_ptx_constant(GF_TYPE_BOOL, 0), false, second);
    gf_ptx_place(&p, first);
    gf_ptx_line(&p, "// said");
    gf_ptx_line(&p, "ret;");
    assert_string_equal(p.text.text, "    mov.u32 %r0, 7;\n"
                                     "    mov.pred %p0, 1;\n"
                                     "    mov.f64 %d0, 0d3ff0000000000000;\n"
                                     "    mov.pred %p1, 0;\n"
                                     "    @%p0 bra $L1;\n"
                                     "    @!%p0 bra $L0;\n"
                                     "    bra $L1;\n"
                                     "$L0:\n"
                                     "    // said\n"
                                     "    ret;\n");
    gf_str_free(&p.text);
}

/* ---- folding ---- */

static size_t lines_of(gf_ptx *p) {
    size_t count = 0;
    for (size_t i = 0; i < p->text.length; i++) {
        count += p->text.text[i] == '\n';
    }
    gf_str_free(&p->text);
    return count;
}

/* How many instructions stand where constants make less do. */
static void folding(void **state) {
    (void)state;
    static const struct {
        gf_op op;
        gf_type type;
        bool constant_first;
        uint64_t constant;
        size_t lines;
    } table[] = {
        {GF_OP_ADD, GF_TYPE_U32, true, 0, 0},           {GF_OP_MUL, GF_TYPE_I64, false, 1, 0},
        {GF_OP_MUL, GF_TYPE_U32, true, 8, 1},           {GF_OP_DIV, GF_TYPE_U32, false, 8, 1},
        {GF_OP_REM, GF_TYPE_U64, false, 64, 1},         {GF_OP_DIV, GF_TYPE_U32, false, 10, 2},
        {GF_OP_REM, GF_TYPE_U32, false, 10, 3},         {GF_OP_DIV, GF_TYPE_I32, false, 4, 4},
        {GF_OP_DIV, GF_TYPE_I32, false, UINT64_MAX, 1}, {GF_OP_DIV, GF_TYPE_F32, false, 0x40000000, 1},
        {GF_OP_AND, GF_TYPE_BOOL, true, 0, 0},          {GF_OP_EQ, GF_TYPE_BOOL, true, 0, 1},
        {GF_OP_SHL, GF_TYPE_U64, false, 64, 0},         {GF_OP_SHL, GF_TYPE_U32, false, 3, 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gf_ptx p = {0};
        gf_pv v = gf_ptx_new_value(&p, table[i].type), constant = gf_ptx_constant(table[i].type, table[i].constant);
        bool first = table[i].constant_first;
        gf_ptx_op(&p, table[i].op, v.type, v.type, first ? constant : v, first ? v : constant, v);
        assert_int_equal(lines_of(&p), table[i].lines);
    }
    for (size_t i = 0; i < PTX_TYPES; i++) { /* constants alone */
        gf_ptx p = {0};
        gf_pv one = gf_ptx_constant(ptx_types[i], 1);
        for (unsigned op = GF_OP_NONE + 1; op < GF_OP_COUNT; op++) {
            if (ptx_exists((gf_op)op, ptx_types[i])) {
                gf_pv a = op == GF_OP_SELECT ? gf_ptx_constant(GF_TYPE_BOOL, 1) : one;
                gf_pv result = gf_ptx_op(&p, (gf_op)op, ptx_types[i], ptx_types[i], a, one, one);
                assert_true(result.is_constant);
                assert_int_equal(result.type, gf_op_result((gf_op)op, ptx_types[i]));
            }
        }
        assert_null(p.text.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(assembles),
                                       cmocka_unit_test(spelling), cmocka_unit_test(folding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
