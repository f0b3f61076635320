/* The op table on bit patterns: expanded once per operand type. */
#include "ir/elementary.h"
#include "ir/eval.h"
#include "ir/meaning.h"

#include <string.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

static bool take_bool(uint64_t bits) {
    return bits & 1;
}
static uint32_t take_u32(uint64_t bits) {
    return (uint32_t)bits;
}
static int32_t take_i32(uint64_t bits) {
    return (int32_t)(uint32_t)bits;
}
static uint64_t take_u64(uint64_t bits) {
    return bits;
}
static int64_t take_i64(uint64_t bits) {
    return (int64_t)bits;
}
static float take_f32(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}
static double take_f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static uint64_t give_bool(bool value) {
    return value;
}
static uint64_t give_u32(uint32_t value) {
    return value;
}
static uint64_t give_i32(int32_t value) {
    return (uint32_t)value;
}
static uint64_t give_u64(uint64_t value) {
    return value;
}
static uint64_t give_i64(int64_t value) {
    return (uint64_t)value;
}
static uint64_t give_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static uint64_t give_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* What a rule gives: the operands' type, or bool. */
#define RESULT_NUMBER(value) GIVE((T)(value))
#define RESULT_INTEGER(value) GIVE((T)(value))
#define RESULT_FLOAT(value) GIVE((T)(value))
#define RESULT_BOOL(value) GIVE((T)(value))
#define RESULT_BITS(value) GIVE((T)(value))
#define RESULT_SHIFT(value) GIVE((T)(value))
#define RESULT_SELECT(value) GIVE((T)(value))
#define RESULT_EQUAL(value) (uint64_t)((value) ? 1 : 0)
#define RESULT_ORDER(value) (uint64_t)((value) ? 1 : 0)
#define RESULT_FLOAT_TEST(value) (uint64_t)((value) ? 1 : 0)

#define BOOL_COLUMN(boolean, unsigned_, signed_, float_) boolean
#define UNSIGNED_COLUMN(boolean, unsigned_, signed_, float_) unsigned_
#define SIGNED_COLUMN(boolean, unsigned_, signed_, float_) signed_
#define FLOAT_COLUMN(boolean, unsigned_, signed_, float_) float_
#define NO 0

#define FUNCTION eval_bool
#define COLUMN BOOL_COLUMN
#define TAKE take_bool
#define GIVE give_bool
#define T bool
#include "ir/eval_op_type.inc"

#define FUNCTION eval_u32
#define COLUMN UNSIGNED_COLUMN
#define TAKE take_u32
#define GIVE give_u32
#define T uint32_t
#define U uint32_t
#define WIDTH 32
#include "ir/eval_op_type.inc"

#define FUNCTION eval_i32
#define COLUMN SIGNED_COLUMN
#define TAKE take_i32
#define GIVE give_i32
#define T int32_t
#define U uint32_t
#define WIDTH 32
#include "ir/eval_op_type.inc"

#define FUNCTION eval_u64
#define COLUMN UNSIGNED_COLUMN
#define TAKE take_u64
#define GIVE give_u64
#define T uint64_t
#define U uint64_t
#define WIDTH 64
#include "ir/eval_op_type.inc"

#define FUNCTION eval_i64
#define COLUMN SIGNED_COLUMN
#define TAKE take_i64
#define GIVE give_i64
#define T int64_t
#define U uint64_t
#define WIDTH 64
#include "ir/eval_op_type.inc"

#define FUNCTION eval_f32
#define COLUMN FLOAT_COLUMN
#define TAKE take_f32
#define GIVE give_f32
#define T float
#define FLOAT GF_FLOAT_F32
#include "ir/eval_op_type.inc"

#define FUNCTION eval_f64
#define COLUMN FLOAT_COLUMN
#define TAKE take_f64
#define GIVE give_f64
#define T double
#define FLOAT GF_FLOAT_F64
#include "ir/eval_op_type.inc"

uint64_t gf_eval_op(gf_op op, gf_type type, uint64_t a, uint64_t b, uint64_t c) {
    switch (type) {
    case GF_TYPE_BOOL:
        return eval_bool(op, a, b, c);
    case GF_TYPE_U32:
        return eval_u32(op, a, b, c);
    case GF_TYPE_I32:
        return eval_i32(op, a, b, c);
    case GF_TYPE_U64:
        return eval_u64(op, a, b, c);
    case GF_TYPE_I64:
        return eval_i64(op, a, b, c);
    case GF_TYPE_F32:
        return eval_f32(op, a, b, c);
    case GF_TYPE_F64:
        return eval_f64(op, a, b, c);
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return 0;
}

gf_type gf_op_result(gf_op op, gf_type type) {
    switch (gf_op_rule(op)) {
    case GF_RULE_EQUAL:
    case GF_RULE_ORDER:
    case GF_RULE_FLOAT_TEST:
        return GF_TYPE_BOOL;
    case GF_RULE_NUMBER:
    case GF_RULE_INTEGER:
    case GF_RULE_FLOAT:
    case GF_RULE_BOOL:
    case GF_RULE_BITS:
    case GF_RULE_SHIFT:
    case GF_RULE_SELECT:
        break;
    }
    return type;
}
