/* Every operation on every type it exists for, with operands that vary and with constants, combinations, neutral
 * elements and turns: the bits of ir/eval.h on every target. */
#include "unit/emit/llvm_jit.h"

static const gf_type types[] = {GF_TYPE_BOOL, GF_TYPE_U32, GF_TYPE_I32, GF_TYPE_U64,
                                GF_TYPE_I64,  GF_TYPE_F32, GF_TYPE_F64};
enum { TYPES = sizeof types / sizeof *types, MOST_CASES = 2000, MOST_ROWS = 20000 };

static jit_case cases[MOST_CASES];
static size_t case_count;

static jit_case *add_case(jit_case it) {
    assert_true(case_count < MOST_CASES);
    cases[case_count] = it;
    return &cases[case_count++];
}

/* ---- operations ---- */

static bool exists(gf_op op, gf_type type) {
    bool is_bool = type == GF_TYPE_BOOL, is_float = gf_type_is_float(type);
    switch (gf_op_rule(op)) {
    case GF_RULE_NUMBER:
    case GF_RULE_ORDER:
        return !is_bool;
    case GF_RULE_INTEGER:
    case GF_RULE_SHIFT:
        return gf_type_is_integer(type);
    case GF_RULE_FLOAT:
    case GF_RULE_FLOAT_TEST:
        return is_float;
    case GF_RULE_BOOL:
        return is_bool;
    case GF_RULE_BITS:
        return !is_float;
    case GF_RULE_EQUAL:
    case GF_RULE_SELECT:
        break;
    }
    return true;
}

/* The type of operand 0 1 2. */
static gf_type operand_type(const jit_case *it, int operand) {
    if (it->kind == GF_OP_SELECT && operand == 0) {
        return GF_TYPE_BOOL;
    }
    return operand == 1 && it->other != GF_TYPE_NONE ? it->other : it->type;
}

static LLVMValueRef emit_op(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMValueRef operands[] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        operands[i] = jit_take(ll, operand_type(it, i), operands[i]);
    }
    gf_op op = (gf_op)it->kind;
    LLVMValueRef result = gf_ll_op(ll, op, it->type, it->other, operands[0], operands[1], operands[2]);
    return jit_give(ll, it->result, result);
}

static uint64_t expect_op(const jit_case *it, uint64_t a, uint64_t b, uint64_t c) {
    return gf_eval_op((gf_op)it->kind, it->type, a, b, c);
}

static LLVMValueRef emit_combine(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    (void)c;
    a = jit_take(ll, it->type, a);
    b = it->fixed == 1 ? gf_ll_neutral(ll, (gf_combine)it->kind, it->type) : jit_take(ll, it->type, b);
    return jit_give(ll, it->type, gf_ll_combine(ll, (gf_combine)it->kind, it->type, a, b));
}

static uint64_t expect_combine(const jit_case *it, uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    return gf_eval_combine((gf_combine)it->kind, it->type, a, b);
}

/* other is GF_TYPE_NONE: no step is given. */
static LLVMValueRef emit_turns(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMValueRef step = it->other == GF_TYPE_NONE ? NULL : jit_take(ll, it->type, c);
    return gf_ll_turns(ll, it->type, jit_take(ll, it->type, a), jit_take(ll, it->type, b), step);
}

static uint64_t expect_turns(const jit_case *it, uint64_t a, uint64_t b, uint64_t c) {
    return gf_eval_turns(it->type, a, b, it->other == GF_TYPE_NONE ? 1 : c);
}

static void say(const jit_case *it, char name[128]) {
    if (it->expect == expect_turns) {
        snprintf(name, 128, "turns of %s", gf_type_name(it->type));
    } else if (it->expect == expect_combine) {
        snprintf(name, 128, "combine %s of %s", gf_combine_name((gf_combine)it->kind), gf_type_name(it->type));
    } else {
        snprintf(name, 128, "%s of %s %s", gf_op_spelling((gf_op)it->kind), gf_type_name(it->type),
                 it->other == GF_TYPE_NONE ? "" : gf_type_name(it->other));
    }
}

/* ---- the list ---- */

/* Where a constant operand makes other code: divisors, counts, and the sides of min and max. */
static void add_constants(gf_op op, gf_type type) {
    static const uint64_t divisors[] = {0, 1, 2, 3, 7, 0x80000000, 0xffffffff, 0x8000000000000000, UINT64_MAX};
    static const uint64_t counts[] = {0, 31, 32, 65, UINT64_MAX};
    static const uint64_t f32[] = {0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000};
    static const uint64_t f64[] = {0, 0x8000000000000000, 0xbff0000000000000, 0xfff0000000000000, 0x7ff8000000000000};
    bool is_float = gf_type_is_float(type), shifts = gf_op_rule(op) == GF_RULE_SHIFT;
    bool divides = (op == GF_OP_DIV || op == GF_OP_REM) && !is_float;
    bool orders = (op == GF_OP_MIN || op == GF_OP_MAX || op == GF_OP_CLAMP) && is_float;
    const uint64_t *values = divides ? divisors : shifts ? counts : type == GF_TYPE_F32 ? f32 : f64;
    size_t count = divides ? sizeof divisors : shifts ? sizeof counts : type == GF_TYPE_F32 ? sizeof f32 : sizeof f64;
    if (!divides && !shifts && !orders) {
        return;
    }
    for (size_t i = 0; i < count / sizeof(uint64_t); i++) {
        uint64_t value = gf_type_bytes(type) == 4 ? (uint32_t)values[i] : values[i];
        for (int fixed = orders ? 0 : 1; fixed < (op == GF_OP_CLAMP ? 3 : 2); fixed++) {
            add_case((jit_case){emit_op, expect_op, op, type, shifts ? type : GF_TYPE_NONE, type, fixed, value});
        }
    }
}

static void add_op(gf_op op, gf_type type) {
    jit_case it = {emit_op, expect_op, op, type, GF_TYPE_NONE, gf_op_result(op, type), -1, 0};
    if (gf_op_rule(op) != GF_RULE_SHIFT) {
        add_case(it);
    }
    for (size_t i = 0; gf_op_rule(op) == GF_RULE_SHIFT && i < TYPES; i++) {
        it.other = types[i];
        if (gf_type_is_integer(types[i])) {
            add_case(it);
        }
    }
    add_constants(op, type);
}

static void add_combines(gf_type type) {
    for (unsigned combine = 0; combine < GF_COMBINE_COUNT; combine++) {
        bool logic = combine == GF_COMBINE_AND || combine == GF_COMBINE_OR;
        if (logic ? gf_type_is_float(type) : type == GF_TYPE_BOOL) {
            continue;
        }
        jit_case it = {emit_combine, expect_combine, combine, type, GF_TYPE_NONE, type, -1, 0};
        add_case(it);
        it.fixed = 1;
        it.constant = gf_combine_neutral((gf_combine)combine, type);
        add_case(it);
    }
}

static void add_turns(gf_type type) {
    static const uint64_t steps[] = {
        0, 1, 2, 3, 1000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x8000000000000000, UINT64_MAX};
    jit_case it = {emit_turns, expect_turns, 0, type, GF_TYPE_NONE, GF_TYPE_U64, -1, 0};
    add_case(it);
    it.other = type;
    add_case(it);
    it.fixed = 2;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        it.constant = gf_type_bytes(type) == 4 ? (uint32_t)steps[i] : steps[i];
        add_case(it);
    }
}

static void list_cases(void) {
    case_count = 0;
    for (size_t i = 0; i < TYPES; i++) {
        for (unsigned op = GF_OP_NONE + 1; op < GF_OP_COUNT; op++) {
            if (exists((gf_op)op, types[i])) {
                add_op((gf_op)op, types[i]);
            }
        }
        add_combines(types[i]);
        if (gf_type_is_integer(types[i])) {
            add_turns(types[i]);
        }
    }
}

/* ---- running ---- */

static unsigned arity_of(const jit_case *it) {
    return it->expect == expect_op ? gf_op_arity((gf_op)it->kind) : it->expect == expect_turns ? 3 : 2;
}

/* The cross product of the edges, of every second or third one where there are three operands; and random rows. */
static void fill_rows(const jit_case *it, jit_rows *rows) {
    uint64_t edges[3][JIT_EDGES];
    size_t counts[3] = {1, 1, 1}, stride = 1, arity = arity_of(it);
    for (int i = 0; i < 3; i++) {
        size_t count = jit_edges(operand_type(it, i), edges[i]);
        counts[i] = i < (int)arity && it->fixed != i ? count : 1;
    }
    rows->count = 0;
    while (counts[0] * counts[1] * counts[2] / (stride * stride * stride) > MOST_ROWS / 2) {
        stride++;
    }
    size_t start = jit_random() % stride;
    for (size_t a = counts[0] > stride ? start : 0; a < counts[0]; a += stride) {
        for (size_t b = counts[1] > stride ? start : 0; b < counts[1]; b += stride) {
            for (size_t c = counts[2] > stride ? start : 0; c < counts[2]; c += stride) {
                jit_row(rows, edges[0][a], edges[1][b], edges[2][c]);
            }
        }
    }
    for (size_t i = 0; i < 2003; i++) {
        uint64_t row[3];
        for (int k = 0; k < 3; k++) {
            row[k] = jit_any(operand_type(it, k));
        }
        jit_row(rows, row[0], row[1], row[2]);
    }
}

static void values(void **state) {
    (void)state;
    list_cases();
    jit_run(cases, case_count, MOST_ROWS, fill_rows, say);
}

/* What no machine has in vectors (integer division), what LLVM makes a copy of memory of (abs of u64), and turns. */
static bool stays_scalar(const jit_case *it) {
    bool divides = it->kind == GF_OP_DIV || it->kind == GF_OP_REM;
    return it->expect != expect_op || (gf_type_is_integer(it->type) && divides) ||
           (it->kind == GF_OP_ABS && it->type == GF_TYPE_U64);
}

static void vectors(void **state) {
    (void)state;
#if defined(__x86_64__)
    size_t kept = 0;
    list_cases();
    for (size_t i = 0; i < case_count; i++) {
        if (cases[i].fixed == -1 && !stays_scalar(&cases[i])) {
            cases[kept++] = cases[i];
        }
    }
    jit_expect_vectors(cases, kept, say);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
