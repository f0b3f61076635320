/* The table "Rules that make results the same everywhere", row by row, at the edges of every type. */
#include "ir/eval.h"
#include "unit/unit.h"

#include <fenv.h>
#include <math.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#define NAN32 UINT64_C(0x7fc00000)
#define NAN64 UINT64_C(0x7ff8000000000000)

static uint64_t f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t i32(int32_t value) {
    return (uint32_t)value;
}

static uint64_t i64(int64_t value) {
    return (uint64_t)value;
}

static void is(gf_op op, gf_type type, uint64_t a, uint64_t b, uint64_t expected) {
    uint64_t got = gf_eval_op(op, type, a, b, 0);
    if (got != expected) {
        fail_msg("%s on %s of %llx, %llx: got %llx, not %llx", gf_op_spelling(op), gf_type_name(type),
                 (unsigned long long)a, (unsigned long long)b, (unsigned long long)got, (unsigned long long)expected);
    }
}

static void is_nan(gf_op op, gf_type type, uint64_t a, uint64_t b) {
    uint64_t got = gf_canonical(type, gf_eval_op(op, type, a, b, 0));
    assert_int_equal(got, type == GF_TYPE_F32 ? NAN32 : NAN64);
}

static void cast(gf_type from, gf_type to, uint64_t bits, uint64_t expected) {
    uint64_t got = gf_eval_cast(from, to, bits);
    if (got != expected) {
        fail_msg("%s of %s %llx: got %llx, not %llx", gf_type_name(to), gf_type_name(from), (unsigned long long)bits,
                 (unsigned long long)got, (unsigned long long)expected);
    }
}

static void integer_overflow_wraps(void **state) {
    (void)state;
    is(GF_OP_ADD, GF_TYPE_U32, UINT32_MAX, 2, 1);
    is(GF_OP_ADD, GF_TYPE_U64, UINT64_MAX, 2, 1);
    is(GF_OP_ADD, GF_TYPE_I32, i32(INT32_MAX), 1, i32(INT32_MIN));
    is(GF_OP_ADD, GF_TYPE_I64, i64(INT64_MAX), 1, i64(INT64_MIN));
    is(GF_OP_SUB, GF_TYPE_U32, 0, 1, UINT32_MAX);
    is(GF_OP_SUB, GF_TYPE_U64, 0, 1, UINT64_MAX);
    is(GF_OP_SUB, GF_TYPE_I32, i32(INT32_MIN), 1, i32(INT32_MAX));
    is(GF_OP_SUB, GF_TYPE_I64, i64(INT64_MIN), 1, i64(INT64_MAX));
    is(GF_OP_MUL, GF_TYPE_U32, 0x10001, 0x10001, 0x20001);
    is(GF_OP_MUL, GF_TYPE_U64, UINT64_MAX, UINT64_MAX, 1);
    is(GF_OP_MUL, GF_TYPE_I32, i32(INT32_MIN), i32(-1), i32(INT32_MIN));
    is(GF_OP_MUL, GF_TYPE_I64, i64(INT64_MAX), 2, i64(-2));
    is(GF_OP_NEG, GF_TYPE_I32, i32(INT32_MIN), 0, i32(INT32_MIN));
    is(GF_OP_NEG, GF_TYPE_I64, i64(INT64_MIN), 0, i64(INT64_MIN));
    is(GF_OP_NEG, GF_TYPE_U32, 1, 0, UINT32_MAX);
    is(GF_OP_ABS, GF_TYPE_I32, i32(INT32_MIN), 0, i32(INT32_MIN));
    is(GF_OP_ABS, GF_TYPE_I64, i64(-5), 0, 5);
}

static void shifts_count_modulo_the_width(void **state) {
    (void)state;
    is(GF_OP_SHL, GF_TYPE_U32, 1, 32, 1);
    is(GF_OP_SHL, GF_TYPE_U32, 1, 33, 2);
    is(GF_OP_SHL, GF_TYPE_U32, 1, 31, UINT64_C(1) << 31);
    is(GF_OP_SHL, GF_TYPE_I32, i32(-1), 31, i32(INT32_MIN));
    is(GF_OP_SHL, GF_TYPE_U64, 1, 64, 1);
    is(GF_OP_SHL, GF_TYPE_U64, 1, i32(-1), UINT64_C(1) << 63); /* a count of -1 */
    is(GF_OP_SHL, GF_TYPE_I64, 1, UINT64_C(0x100000003f), UINT64_C(1) << 63);
    is(GF_OP_SHR, GF_TYPE_U32, UINT32_MAX, 31, 1);
    is(GF_OP_SHR, GF_TYPE_U32, UINT32_MAX, UINT64_C(0x100000020), UINT32_MAX); /* a u64 count */
    is(GF_OP_SHR, GF_TYPE_I32, i32(INT32_MIN), 31, i32(-1));
    is(GF_OP_SHR, GF_TYPE_I32, i32(-8), 1, i32(-4));
    is(GF_OP_SHR, GF_TYPE_I64, i64(INT64_MIN), 63, i64(-1));
    is(GF_OP_SHR, GF_TYPE_U64, UINT64_MAX, 127, 1);
    is(GF_OP_ROTATE_LEFT, GF_TYPE_U32, 0x80000001, 1, 3);
    is(GF_OP_ROTATE_LEFT, GF_TYPE_U32, 0x80000001, 32, 0x80000001);
    is(GF_OP_ROTATE_RIGHT, GF_TYPE_U64, 1, 1, UINT64_C(1) << 63);
    is(GF_OP_ROTATE_RIGHT, GF_TYPE_I32, 1, 0, 1);
}

static void integer_division(void **state) {
    (void)state;
    static const gf_type types[] = {GF_TYPE_U32, GF_TYPE_I32, GF_TYPE_U64, GF_TYPE_I64};
    for (size_t i = 0; i < 4; i++) {
        is(GF_OP_DIV, types[i], 7, 0, 7);
        is(GF_OP_REM, types[i], 7, 0, 0);
        is(GF_OP_DIV, types[i], 7, 2, 3);
        is(GF_OP_REM, types[i], 7, 2, 1);
        is(GF_OP_DIV, types[i], 0, 0, 0);
    }
    is(GF_OP_DIV, GF_TYPE_I32, i32(INT32_MIN), i32(-1), i32(INT32_MIN));
    is(GF_OP_REM, GF_TYPE_I32, i32(INT32_MIN), i32(-1), 0);
    is(GF_OP_DIV, GF_TYPE_I64, i64(INT64_MIN), i64(-1), i64(INT64_MIN));
    is(GF_OP_REM, GF_TYPE_I64, i64(INT64_MIN), i64(-1), 0);
    is(GF_OP_DIV, GF_TYPE_I32, i32(INT32_MIN), 0, i32(INT32_MIN));
    is(GF_OP_DIV, GF_TYPE_I32, i32(-7), 2, i32(-3));
    is(GF_OP_REM, GF_TYPE_I32, i32(-7), 2, i32(-1));
    is(GF_OP_DIV, GF_TYPE_I64, 7, i64(-2), i64(-3));
}

static void float_to_integer(void **state) {
    (void)state;
    static const struct {
        double value;
        uint32_t u;
        int32_t i;
        uint64_t ul;
        int64_t il;
    } rows[] = {
        {0.0, 0, 0, 0, 0},
        {-0.0, 0, 0, 0, 0},
        {0.99, 0, 0, 0, 0},
        {-0.99, 0, 0, 0, 0},
        {1.5, 1, 1, 1, 1},
        {-1.5, 0, -1, 0, -1},
        {0x1p31, 0x80000000, INT32_MAX, 0x80000000, 0x80000000},
        {-0x1p31, 0, INT32_MIN, 0, -INT64_C(0x80000000)},
        {0x1p32, UINT32_MAX, INT32_MAX, UINT64_C(0x100000000), INT64_C(0x100000000)},
        {0x1p63, UINT32_MAX, INT32_MAX, UINT64_C(1) << 63, INT64_MAX},
        {-0x1p63, 0, INT32_MIN, 0, INT64_MIN},
        {0x1p64, UINT32_MAX, INT32_MAX, UINT64_MAX, INT64_MAX},
        {INFINITY, UINT32_MAX, INT32_MAX, UINT64_MAX, INT64_MAX},
        {-INFINITY, 0, INT32_MIN, 0, INT64_MIN},
        {NAN, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int wide = 0; wide < 2; wide++) {
            gf_type from = wide ? GF_TYPE_F64 : GF_TYPE_F32;
            uint64_t bits = wide ? f64(rows[i].value) : f32((float)rows[i].value);
            cast(from, GF_TYPE_U32, bits, rows[i].u);
            cast(from, GF_TYPE_I32, bits, i32(rows[i].i));
            cast(from, GF_TYPE_U64, bits, rows[i].ul);
            cast(from, GF_TYPE_I64, bits, i64(rows[i].il));
        }
    }
    cast(GF_TYPE_F64, GF_TYPE_I32, f64(2147483647.9), INT32_MAX);
    cast(GF_TYPE_F64, GF_TYPE_I32, f64(-2147483648.9), i32(INT32_MIN));
    cast(GF_TYPE_F64, GF_TYPE_U32, f64(4294967295.9), UINT32_MAX);
    cast(GF_TYPE_F32, GF_TYPE_U64, f32(0x1.fffffep63f), UINT64_C(0xffffff0000000000));
}

static void to_float_rounds_once_to_even(void **state) {
    (void)state;
    cast(GF_TYPE_U32, GF_TYPE_F32, 16777217, f32(16777216.0f));
    cast(GF_TYPE_U32, GF_TYPE_F32, 16777219, f32(16777220.0f));
    cast(GF_TYPE_I32, GF_TYPE_F32, i32(-16777217), f32(-16777216.0f));
    cast(GF_TYPE_U32, GF_TYPE_F32, UINT32_MAX, f32(0x1p32f));
    cast(GF_TYPE_U64, GF_TYPE_F32, UINT64_MAX, f32(0x1p64f));
    /* By way of f64 this one would round twice, and down. */
    cast(GF_TYPE_U64, GF_TYPE_F32, (UINT64_C(1) << 60) + (UINT64_C(1) << 36) + 1, f32(0x1.000002p60f));
    cast(GF_TYPE_I64, GF_TYPE_F32, i64(-((INT64_C(1) << 60) + (INT64_C(1) << 36) + 1)), f32(-0x1.000002p60f));
    cast(GF_TYPE_U64, GF_TYPE_F64, (UINT64_C(1) << 53) + 1, f64(0x1p53));
    cast(GF_TYPE_U64, GF_TYPE_F64, (UINT64_C(1) << 53) + 3, f64(0x1p53 + 4));
    cast(GF_TYPE_I64, GF_TYPE_F64, i64(INT64_MIN), f64(-0x1p63));
    cast(GF_TYPE_F64, GF_TYPE_F32, f64(1.0 + 0x1p-24), f32(1.0f));
    cast(GF_TYPE_F64, GF_TYPE_F32, f64(1.0 + 0x1.8p-23), f32(1.0f + 0x1p-22f));
    cast(GF_TYPE_F64, GF_TYPE_F32, f64(1e300), f32(INFINITY));
    cast(GF_TYPE_F64, GF_TYPE_F32, f64(0x1p-149), f32(0x1p-149f));
    cast(GF_TYPE_F64, GF_TYPE_F32, f64(0x1p-150), f32(0.0f));
    cast(GF_TYPE_F32, GF_TYPE_F64, f32(0x1p-149f), f64(0x1p-149));
    cast(GF_TYPE_BOOL, GF_TYPE_F32, 1, f32(1.0f));
    cast(GF_TYPE_F32, GF_TYPE_BOOL, f32(-0.0f), 0);
    cast(GF_TYPE_F32, GF_TYPE_BOOL, f32(0x1p-149f), 1);
    cast(GF_TYPE_U64, GF_TYPE_BOOL, UINT64_C(1) << 40, 1);
}

static void integer_casts(void **state) {
    (void)state;
    cast(GF_TYPE_I32, GF_TYPE_U64, i32(-1), UINT64_MAX);
    cast(GF_TYPE_I32, GF_TYPE_I64, i32(-1), i64(-1));
    cast(GF_TYPE_U32, GF_TYPE_I64, UINT32_MAX, UINT32_MAX);
    cast(GF_TYPE_U64, GF_TYPE_I32, UINT64_C(0x1ffffffff), i32(-1));
    cast(GF_TYPE_I64, GF_TYPE_U32, i64(-1), UINT32_MAX);
    cast(GF_TYPE_BOOL, GF_TYPE_I64, 1, 1);
}

static void float_arithmetic_is_exact(void **state) {
    (void)state;
    is(GF_OP_ADD, GF_TYPE_F32, f32(16777216.0f), f32(1.0f), f32(16777216.0f));
    is(GF_OP_MUL, GF_TYPE_F32, f32(0x1p-75f), f32(0x1p-74f), f32(0x1p-149f));
    is(GF_OP_MUL, GF_TYPE_F64, f64(0x1p-537), f64(0x1p-537), f64(0x1p-1074));
    is(GF_OP_DIV, GF_TYPE_F32, f32(1.0f), f32(0.0f), f32(INFINITY));
    is(GF_OP_DIV, GF_TYPE_F32, f32(1.0f), f32(3.0f), UINT64_C(0x3eaaaaab));
    is(GF_OP_SQRT, GF_TYPE_F32, f32(2.0f), 0, UINT64_C(0x3fb504f3));
    is(GF_OP_SQRT, GF_TYPE_F64, f64(2.0), 0, UINT64_C(0x3ff6a09e667f3bcd));
    is(GF_OP_SQRT, GF_TYPE_F32, f32(-0.0f), 0, f32(-0.0f));
    is(GF_OP_NEG, GF_TYPE_F32, f32(0.0f), 0, f32(-0.0f));
    /* One rounding: the product alone loses what the sum brings out. */
    float one = 1.0f + 0x1p-12f;
    assert_int_equal(gf_eval_op(GF_OP_FMA, GF_TYPE_F32, f32(one), f32(one), f32(-(1.0f + 0x1p-11f))), f32(0x1p-24f));
    assert_int_equal(gf_eval_op(GF_OP_SUB, GF_TYPE_F32, gf_eval_op(GF_OP_MUL, GF_TYPE_F32, f32(one), f32(one), 0),
                                f32(1.0f + 0x1p-11f), 0),
                     0);
    is(GF_OP_REM, GF_TYPE_F32, f32(-5.5f), f32(2.0f), f32(-1.5f));
    is(GF_OP_ROUND, GF_TYPE_F32, f32(2.5f), 0, f32(2.0f));
    is(GF_OP_ROUND, GF_TYPE_F64, f64(-3.5), 0, f64(-4.0));
    is(GF_OP_FLOOR, GF_TYPE_F32, f32(-0.5f), 0, f32(-1.0f));
    is(GF_OP_CEIL, GF_TYPE_F32, f32(-0.5f), 0, f32(-0.0f));
    is(GF_OP_TRUNC, GF_TYPE_F64, f64(-1.9), 0, f64(-1.0));
}

/* Reads the mode, so that the compiler cannot fold it away. */
static float divide(volatile float a, volatile float b) {
    return a / b;
}

static void the_callers_float_mode_is_set_aside(void **state) {
    (void)state;
    assert_int_equal(fesetround(FE_UPWARD), 0);
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero, denormals are zero */
    unsigned before = _mm_getcsr();
#endif
    gf_float_mode mode;
    gf_float_mode_enter(&mode);
    assert_int_equal(fegetround(), FE_TONEAREST);
    is(GF_OP_DIV, GF_TYPE_F32, f32(1.0f), f32(3.0f), UINT64_C(0x3eaaaaab));
    is(GF_OP_DIV, GF_TYPE_F32, f32(2.0f), f32(3.0f), UINT64_C(0x3f2aaaab));
    is(GF_OP_DIV, GF_TYPE_F32, f32(1.0f), f32(10.0f), UINT64_C(0x3dcccccd));
    is(GF_OP_ADD, GF_TYPE_F32, f32(16777216.0f), f32(1.0f), f32(16777216.0f));
    is(GF_OP_MUL, GF_TYPE_F32, f32(0x1p-75f), f32(0x1p-74f), f32(0x1p-149f));
    is(GF_OP_ADD, GF_TYPE_F32, f32(0x1p-149f), f32(0x1p-149f), f32(0x1p-148f));
    cast(GF_TYPE_U32, GF_TYPE_F32, 16777217, f32(16777216.0f));
    gf_float_mode_leave(&mode);
    assert_int_equal(fegetround(), FE_UPWARD);
#if defined(__SSE__)
    assert_int_equal(_mm_getcsr() & ~0x3fu, before & ~0x3fu);
#endif
    assert_true(divide(1.0f, 10.0f) > 0.1f - 1.0f); /* the caller computes on */
    fesetenv(FE_DFL_ENV);
#if defined(__SSE__)
    _mm_setcsr(0x1f80);
#endif
}

static void there_is_one_nan(void **state) {
    (void)state;
    is_nan(GF_OP_DIV, GF_TYPE_F32, 0, 0);
    is_nan(GF_OP_SUB, GF_TYPE_F32, f32(INFINITY), f32(INFINITY));
    is_nan(GF_OP_DIV, GF_TYPE_F64, 0, 0);
    is_nan(GF_OP_SQRT, GF_TYPE_F64, f64(-1.0), 0);
    is_nan(GF_OP_MUL, GF_TYPE_F32, 0xffc12345, f32(1.0f));
    unsigned char bytes[8];
    gf_element_store(GF_TYPE_F32, bytes, 0xffc12345);
    assert_int_equal(gf_element_load(GF_TYPE_U32, bytes), NAN32);
    gf_element_store(GF_TYPE_F64, bytes, UINT64_C(0xfff0000000000001));
    assert_int_equal(gf_element_load(GF_TYPE_U64, bytes), NAN64);
    gf_element_store(GF_TYPE_F16, bytes, 0xff812345);
    assert_int_equal(gf_element_load(GF_TYPE_U16, bytes), 0x7e00);
    assert_int_equal(gf_eval_bitcast(GF_TYPE_F32, GF_TYPE_U32, 0x7f800001), NAN32);
    assert_int_equal(gf_eval_bitcast(GF_TYPE_F64, GF_TYPE_I64, UINT64_C(0xfff8000000000001)), NAN64);
    assert_int_equal(gf_eval_bitcast(GF_TYPE_U32, GF_TYPE_F32, 0x3f800000), f32(1.0f));
    assert_int_equal(gf_eval_atomic(GF_ATOMIC_EXCHANGE, GF_TYPE_F32, 0, 0xffc12345, 0), NAN32);
    assert_int_equal(gf_eval_atomic(GF_ATOMIC_STORE, GF_TYPE_F64, 0, UINT64_C(0x7ff0000000000001), 0), NAN64);
    assert_int_equal(gf_eval_atomic(GF_ATOMIC_ADD, GF_TYPE_F32, f32(INFINITY), f32(-INFINITY), 0), NAN32);
    assert_int_equal(gf_eval_op(GF_OP_IS_NAN, GF_TYPE_F32, 0xffc12345, 0, 0), 1);
    assert_int_equal(gf_eval_op(GF_OP_IS_INF, GF_TYPE_F64, f64(-INFINITY), 0, 0), 1);
    assert_int_equal(gf_eval_op(GF_OP_IS_INF, GF_TYPE_F32, 0x7fc00000, 0, 0), 0);
}

static void float_min_and_max(void **state) {
    (void)state;
    static const struct {
        double a, b, min, max;
    } rows[] = {
        {1, 2, 1, 2},
        {-0.0, 0.0, -0.0, 0.0},
        {0.0, -0.0, -0.0, 0.0},
        {NAN, 3, 3, 3},
        {3, NAN, 3, 3},
        {NAN, -INFINITY, -INFINITY, -INFINITY},
        {INFINITY, -INFINITY, -INFINITY, INFINITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        is(GF_OP_MIN, GF_TYPE_F64, f64(rows[i].a), f64(rows[i].b), f64(rows[i].min));
        is(GF_OP_MAX, GF_TYPE_F64, f64(rows[i].a), f64(rows[i].b), f64(rows[i].max));
        is(GF_OP_MIN, GF_TYPE_F32, f32((float)rows[i].a), f32((float)rows[i].b), f32((float)rows[i].min));
        is(GF_OP_MAX, GF_TYPE_F32, f32((float)rows[i].a), f32((float)rows[i].b), f32((float)rows[i].max));
    }
    is_nan(GF_OP_MIN, GF_TYPE_F32, NAN32, NAN32);
    is_nan(GF_OP_MAX, GF_TYPE_F64, NAN64, NAN64);
    assert_int_equal(gf_eval_op(GF_OP_CLAMP, GF_TYPE_F32, NAN32, f32(1.0f), f32(2.0f)), f32(1.0f));
    assert_int_equal(gf_eval_op(GF_OP_CLAMP, GF_TYPE_I32, i32(-9), i32(-3), 4), i32(-3));
    assert_int_equal(gf_eval_op(GF_OP_CLAMP, GF_TYPE_U32, 9, 3, 4), 4);
    is(GF_OP_MIN, GF_TYPE_I32, i32(-1), 1, i32(-1));
    is(GF_OP_MIN, GF_TYPE_U32, i32(-1), 1, 1);
    is(GF_OP_MAX, GF_TYPE_I64, i64(-1), 1, 1);
}

static void comparisons_and_select(void **state) {
    (void)state;
    is(GF_OP_LT, GF_TYPE_I32, i32(-1), 0, 1);
    is(GF_OP_LT, GF_TYPE_U32, i32(-1), 0, 0);
    is(GF_OP_EQ, GF_TYPE_F32, f32(-0.0f), f32(0.0f), 1);
    is(GF_OP_EQ, GF_TYPE_F32, NAN32, NAN32, 0);
    is(GF_OP_NE, GF_TYPE_F64, NAN64, NAN64, 1);
    is(GF_OP_GE, GF_TYPE_F64, NAN64, f64(0.0), 0);
    is(GF_OP_EQ, GF_TYPE_BOOL, 1, 1, 1);
    is(GF_OP_XOR, GF_TYPE_BOOL, 1, 1, 0);
    is(GF_OP_NOT, GF_TYPE_BOOL, 1, 0, 0);
    assert_int_equal(gf_eval_op(GF_OP_SELECT, GF_TYPE_F32, 1, f32(1.5f), f32(2.5f)), f32(1.5f));
    assert_int_equal(gf_eval_op(GF_OP_SELECT, GF_TYPE_I64, 0, 7, i64(-8)), i64(-8));
    assert_int_equal(gf_eval_op(GF_OP_SELECT, GF_TYPE_BOOL, 0, 1, 0), 0);
    assert_int_equal(gf_op_result(GF_OP_LE, GF_TYPE_F64), GF_TYPE_BOOL);
    assert_int_equal(gf_op_result(GF_OP_SHL, GF_TYPE_I64), GF_TYPE_I64);
    is(GF_OP_SIGN, GF_TYPE_I32, i32(-7), 0, i32(-1));
    is(GF_OP_SIGN, GF_TYPE_F32, f32(-7.0f), 0, f32(-1.0f));
}

static void bit_operations(void **state) {
    (void)state;
    is(GF_OP_POPCOUNT, GF_TYPE_I32, i32(-1), 0, 32);
    is(GF_OP_POPCOUNT, GF_TYPE_U64, UINT64_MAX, 0, 64);
    is(GF_OP_CLZ, GF_TYPE_U32, 0, 0, 32);
    is(GF_OP_CLZ, GF_TYPE_I64, 1, 0, 63);
    is(GF_OP_CTZ, GF_TYPE_U64, 0, 0, 64);
    is(GF_OP_CTZ, GF_TYPE_I32, i32(INT32_MIN), 0, 31);
    is(GF_OP_REVERSE_BITS, GF_TYPE_U32, 1, 0, 0x80000000);
    is(GF_OP_REVERSE_BITS, GF_TYPE_I64, 1, 0, UINT64_C(1) << 63);
    is(GF_OP_COMPLEMENT, GF_TYPE_I32, 0, 0, i32(-1));
    is(GF_OP_MUL_HI, GF_TYPE_U32, UINT32_MAX, UINT32_MAX, 0xfffffffe);
    is(GF_OP_MUL_HI, GF_TYPE_I32, i32(-1), 1, i32(-1));
    is(GF_OP_MUL_HI, GF_TYPE_I32, i32(INT32_MIN), i32(INT32_MIN), 0x40000000);
    is(GF_OP_MUL_HI, GF_TYPE_U64, UINT64_MAX, UINT64_MAX, UINT64_MAX - 1);
    is(GF_OP_MUL_HI, GF_TYPE_U64, UINT64_C(0xfedcba9876543210), UINT64_C(0x0123456789abcdef),
       UINT64_C(0x0121fa00ad77d742));
    is(GF_OP_MUL_HI, GF_TYPE_I64, i64(INT64_MIN), i64(INT64_MIN), UINT64_C(1) << 62);
    is(GF_OP_MUL_HI, GF_TYPE_I64, i64(-1), i64(-1), 0);
    is(GF_OP_MUL_HI, GF_TYPE_I64, i64(-1), i64(INT64_MAX), i64(-1));
}

static void atomics_and_combinations(void **state) {
    (void)state;
    assert_int_equal(gf_eval_atomic(GF_ATOMIC_SUB, GF_TYPE_U32, 0, 1, 0), UINT32_MAX);
    assert_int_equal(gf_eval_atomic(GF_ATOMIC_MIN, GF_TYPE_I32, 3, i32(-4), 0), i32(-4));
    assert_int_equal(gf_eval_atomic(GF_ATOMIC_LOAD, GF_TYPE_F32, 0xffc12345, 0, 0), 0xffc12345);
    assert_int_equal(gf_eval_atomic(GF_ATOMIC_COMPARE_EXCHANGE, GF_TYPE_U64, 5, 5, 9), 9);
    assert_int_equal(gf_eval_atomic(GF_ATOMIC_COMPARE_EXCHANGE, GF_TYPE_U64, 6, 5, 9), 6);
    assert_int_equal(gf_eval_atomic(GF_ATOMIC_XOR, GF_TYPE_I64, 6, 5, 0), 3);
    static const gf_type types[] = {GF_TYPE_U32, GF_TYPE_I32, GF_TYPE_U64, GF_TYPE_I64, GF_TYPE_F32, GF_TYPE_F64};
    static const double samples[] = {0.0, -0.0, 1.0, -1.0, 1e9};
    for (size_t t = 0; t < 6; t++) {
        for (gf_combine c = GF_COMBINE_ADD; c <= GF_COMBINE_OR; c++) {
            bool bits_only = c == GF_COMBINE_AND || c == GF_COMBINE_OR;
            for (size_t s = 0; s < 5 && !(bits_only && gf_type_is_float(types[t])); s++) {
                uint64_t y = gf_eval_cast(GF_TYPE_F64, types[t], f64(samples[s]));
                assert_int_equal(gf_eval_combine(c, types[t], gf_combine_neutral(c, types[t]), y), y);
            }
        }
    }
    assert_int_equal(gf_combine_neutral(GF_COMBINE_AND, GF_TYPE_BOOL), 1);
    assert_int_equal(gf_combine_neutral(GF_COMBINE_OR, GF_TYPE_BOOL), 0);
    assert_int_equal(gf_cross_combine(GF_CROSS_ALL), GF_COMBINE_AND);
    assert_int_equal(gf_cross_combine(GF_CROSS_ANY), GF_COMBINE_OR);
}

static void turns_of_a_for(void **state) {
    (void)state;
    assert_int_equal(gf_eval_turns(GF_TYPE_U32, 0, 10, 3), 4);
    assert_int_equal(gf_eval_turns(GF_TYPE_U32, 10, 0, 3), 0);
    assert_int_equal(gf_eval_turns(GF_TYPE_U32, 0, UINT32_MAX, 2), UINT64_C(1) << 31);
    assert_int_equal(gf_eval_turns(GF_TYPE_U64, 1, UINT64_MAX, UINT64_MAX), 1);
    assert_int_equal(gf_eval_turns(GF_TYPE_I64, i64(INT64_MIN), i64(INT64_MAX), 1), UINT64_MAX);
    assert_int_equal(gf_eval_turns(GF_TYPE_I32, 10, 0, i32(-3)), 4);
    assert_int_equal(gf_eval_turns(GF_TYPE_I32, 0, 10, i32(-3)), 0);
    assert_int_equal(gf_eval_turns(GF_TYPE_I32, i32(-5), i32(-5), 1), 0);
    assert_int_equal(gf_eval_turns(GF_TYPE_I32, 0, 10, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integer_overflow_wraps),
        cmocka_unit_test(shifts_count_modulo_the_width),
        cmocka_unit_test(integer_division),
        cmocka_unit_test(float_to_integer),
        cmocka_unit_test(to_float_rounds_once_to_even),
        cmocka_unit_test(integer_casts),
        cmocka_unit_test(float_arithmetic_is_exact),
        cmocka_unit_test(the_callers_float_mode_is_set_aside),
        cmocka_unit_test(there_is_one_nan),
        cmocka_unit_test(float_min_and_max),
        cmocka_unit_test(comparisons_and_select),
        cmocka_unit_test(bit_operations),
        cmocka_unit_test(atomics_and_combinations),
        cmocka_unit_test(turns_of_a_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
