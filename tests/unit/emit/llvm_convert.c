/* Casts between all arithmetic types, bit casts, the one NaN, and elements of every stored type on their way from and
 * to memory: the bits of ir/eval.h on every target. */
#include "unit/emit/llvm_jit.h"

static const gf_type types[] = {GF_TYPE_BOOL, GF_TYPE_U32, GF_TYPE_I32, GF_TYPE_U64,
                                GF_TYPE_I64,  GF_TYPE_F32, GF_TYPE_F64};
enum { TYPES = sizeof types / sizeof *types, MOST_CASES = 200, MOST_ROWS = 100000 };

static jit_case cases[MOST_CASES];
static size_t case_count;

/* An element comes as the low bits of an i64, and goes as them. */
static LLVMValueRef take_element(gf_ll *ll, gf_type stored, LLVMValueRef bits) {
    if (stored == GF_TYPE_F32 || stored == GF_TYPE_F64) {
        return jit_take(ll, stored, bits);
    }
    return LLVMBuildIntCast2(ll->builder, bits, gf_ll_stored(ll, stored), 0, "");
}

static LLVMValueRef emit_cast(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    (void)b;
    (void)c;
    return jit_give(ll, it->other, gf_ll_cast(ll, it->type, it->other, jit_take(ll, it->type, a)));
}

static uint64_t expect_cast(const jit_case *it, uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    return gf_eval_cast(it->type, it->other, a);
}

static LLVMValueRef emit_bitcast(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    (void)b;
    (void)c;
    return jit_give(ll, it->other, gf_ll_bitcast(ll, it->type, it->other, jit_take(ll, it->type, a)));
}

static uint64_t expect_bitcast(const jit_case *it, uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    return gf_eval_bitcast(it->type, it->other, a);
}

/* The bits of a sum, whose NaN is whatever the machine makes of it: here the optimiser sees more than a cast. */
static LLVMValueRef emit_sum_bits(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    (void)c;
    LLVMValueRef sum =
        gf_ll_op(ll, GF_OP_ADD, it->type, GF_TYPE_NONE, jit_take(ll, it->type, a), jit_take(ll, it->type, b), NULL);
    return jit_give(ll, it->other, gf_ll_bitcast(ll, it->type, it->other, sum));
}

static uint64_t expect_sum_bits(const jit_case *it, uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    return gf_eval_bitcast(it->type, it->other, gf_eval_op(GF_OP_ADD, it->type, a, b, 0));
}

static LLVMValueRef emit_canonical(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    (void)b;
    (void)c;
    return jit_give(ll, it->type, gf_ll_canonical(ll, it->type, jit_take(ll, it->type, a)));
}

static uint64_t expect_canonical(const jit_case *it, uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    return gf_canonical(it->type, a);
}

static LLVMValueRef emit_widen(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    (void)b;
    (void)c;
    return jit_give(ll, gf_type_loaded(it->type), gf_ll_widen(ll, it->type, take_element(ll, it->type, a)));
}

static uint64_t expect_widen(const jit_case *it, uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    return gf_element_load(it->type, &a);
}

static LLVMValueRef emit_narrow(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    (void)b;
    (void)c;
    LLVMValueRef element = gf_ll_narrow(ll, it->type, jit_take(ll, gf_type_loaded(it->type), a));
    LLVMTypeRef bits = LLVMIntTypeInContext(ll->context, 8 * (unsigned)gf_type_bytes(it->type));
    element = LLVMBuildBitCast(ll->builder, element, bits, "");
    return LLVMBuildIntCast2(ll->builder, element, ll->i64, 0, "");
}

static uint64_t expect_narrow(const jit_case *it, uint64_t a, uint64_t b, uint64_t c) {
    (void)b;
    (void)c;
    uint64_t element = 0;
    gf_element_store(it->type, &element, a);
    return element;
}

static void say(const jit_case *it, char name[128]) {
    static const struct {
        LLVMValueRef (*emit)(gf_ll *ll, const jit_case *it, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);
        const char *name;
    } names[] = {{emit_cast, "cast"},           {emit_bitcast, "bitcast"}, {emit_sum_bits, "bitcast of a sum"},
                 {emit_canonical, "canonical"}, {emit_widen, "load"},      {emit_narrow, "store"}};
    size_t row = 0;
    while (names[row].emit != it->emit) {
        row++;
    }
    snprintf(name, 128, "%s %s %s", names[row].name, gf_type_name(it->type), gf_type_name(it->other));
}

/* ---- the list ---- */

static void add_case(jit_case it) {
    assert_true(case_count < MOST_CASES);
    cases[case_count++] = it;
}

/* Where bits are the result, they are compared as an integer's: one NaN is not like another. */
static void list_casts(void) {
    for (size_t i = 0; i < TYPES; i++) {
        gf_type from = types[i], exact = gf_type_bytes(from) == 8 ? GF_TYPE_U64 : GF_TYPE_U32;
        for (size_t k = 0; k < TYPES; k++) {
            gf_type to = types[k];
            add_case((jit_case){emit_cast, expect_cast, 0, from, to, to, -1, 0});
            if (gf_type_bytes(from) == gf_type_bytes(to) && from != GF_TYPE_BOOL) {
                add_case((jit_case){emit_bitcast, expect_bitcast, 0, from, to, exact, -1, 0});
            }
        }
        add_case((jit_case){emit_canonical, expect_canonical, 0, from, from, exact, -1, 0});
        if (gf_type_is_float(from)) {
            add_case((jit_case){emit_sum_bits, expect_sum_bits, 0, from, exact, exact, -1, 0});
        }
    }
}

static void list_elements(void) {
    for (unsigned i = GF_TYPE_NONE + 1; i < GF_TYPE_COUNT; i++) {
        gf_type type = (gf_type)i;
        add_case((jit_case){emit_widen, expect_widen, 0, type, type, gf_type_loaded(type), -1, 0});
        add_case((jit_case){emit_narrow, expect_narrow, 0, type, type, GF_TYPE_U64, -1, 0});
    }
}

/* ---- rows ---- */

/* Every f16 as an f32, and what lies around it and half way to the next one. */
static void add_around_halves(jit_rows *rows) {
    for (uint32_t half = 0; half < 0x8000; half += half < 0x1000 || half > 0x7000 ? 1 : 17) {
        float value = gf_f16_to_f32((uint16_t)half), next = gf_f16_to_f32((uint16_t)(half + 1));
        float middle = half == 0x7bff ? 65520.0f : value + (next - value) / 2;
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        jit_row(rows, bits, 0, 0);
        memcpy(&bits, &middle, sizeof bits);
        for (uint32_t around = bits - 1; around != bits + 2; around++) {
            jit_row(rows, half & 2 ? around : around ^ 0x80000000, 0, 0);
        }
    }
}

static void fill_rows(const jit_case *it, jit_rows *rows) {
    bool loads = it->emit == emit_widen, stores = it->emit == emit_narrow;
    gf_type type = stores ? gf_type_loaded(it->type) : it->type;
    rows->count = 0;
    if (loads && gf_type_bytes(type) <= 2) {
        for (uint64_t bits = 0; bits < (UINT64_C(1) << 8 * gf_type_bytes(type)); bits++) {
            jit_row(rows, bits, 0, 0);
        }
        return;
    }
    uint64_t edges[JIT_EDGES];
    size_t count = jit_edges(type, edges);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            jit_row(rows, edges[i], edges[k], 0);
        }
    }
    for (int i = 0; i < 20003; i++) {
        jit_row(rows, jit_any(type), jit_any(type), 0);
    }
    if (stores && it->type == GF_TYPE_F16) {
        add_around_halves(rows);
    }
}

static void values(void **state) {
    (void)state;
    case_count = 0;
    list_casts();
    list_elements();
    jit_run(cases, case_count, MOST_ROWS, fill_rows, say);
}

/* All but what is the identity, of which LLVM makes a copy of memory. */
static void vectors(void **state) {
    (void)state;
#if defined(__x86_64__)
    size_t kept = 0;
    case_count = 0;
    list_casts();
    list_elements();
    for (size_t i = 0; i < case_count; i++) {
        bool stores_float = cases[i].emit != emit_widen && gf_type_is_float(cases[i].type);
        bool is_same = gf_type_bytes(cases[i].type) == 8 && gf_type_bytes(cases[i].other) == 8;
        if (!is_same || (stores_float && cases[i].emit != emit_cast)) {
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
