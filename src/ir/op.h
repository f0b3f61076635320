/* The operations of ops.def, atomics.def and cross.def as enums, with what can be asked of them. */
#ifndef GF_IR_OP_H
#define GF_IR_OP_H

#include <gridfence/base.h>

typedef enum gf_op {
    GF_OP_NONE,
#define OP(name, ...) GF_OP_##name,
#include "ir/ops.def"
#undef OP
    GF_OP_COUNT
} gf_op;

typedef enum gf_form { GF_FORM_INFIX, GF_FORM_PREFIX, GF_FORM_CALL } gf_form;

typedef enum gf_rule {
    GF_RULE_NUMBER,     /* all operands of one number type; gives that type */
    GF_RULE_INTEGER,    /* one integer type */
    GF_RULE_FLOAT,      /* one float type */
    GF_RULE_BOOL,       /* bool */
    GF_RULE_BITS,       /* one integer type, or bool */
    GF_RULE_SHIFT,      /* an integer, and a count of any integer type; gives the first type */
    GF_RULE_EQUAL,      /* one type of any kind; gives bool */
    GF_RULE_ORDER,      /* one number type; gives bool */
    GF_RULE_SELECT,     /* bool, and two of one type; gives that type */
    GF_RULE_FLOAT_TEST, /* a float; gives bool */
} gf_rule;

typedef enum gf_atomic {
#define ATOMIC(name, ...) GF_ATOMIC_##name,
#include "ir/atomics.def"
#undef ATOMIC
    GF_ATOMIC_COUNT
} gf_atomic;

typedef enum gf_cross {
#define CROSS(name, ...) GF_CROSS_##name,
#include "ir/cross.def"
#undef CROSS
    GF_CROSS_COUNT
} gf_cross;

/* How reductions (`forall ... reduce`) and collectives combine. */
typedef enum gf_combine { GF_COMBINE_ADD, GF_COMBINE_MIN, GF_COMBINE_MAX, GF_COMBINE_AND, GF_COMBINE_OR } gf_combine;
#define GF_COMBINE_COUNT 5

/* How tightly a form binds; higher binds tighter. All infix operations are left-associative. The parser climbs by this
 * table and the printer sets parentheses by it. */
typedef enum gf_precedence {
    GF_PRECEDENCE_NONE,    /* not infix */
    GF_PRECEDENCE_EITHER,  /* ||  (GF_EXPR_OR, no row of ops.def) */
    GF_PRECEDENCE_BOTH,    /* &&  (GF_EXPR_AND) */
    GF_PRECEDENCE_OR,      /* | */
    GF_PRECEDENCE_XOR,     /* ^ */
    GF_PRECEDENCE_AND,     /* & */
    GF_PRECEDENCE_EQUAL,   /* == != */
    GF_PRECEDENCE_ORDER,   /* < <= > >= */
    GF_PRECEDENCE_SHIFT,   /* << >> */
    GF_PRECEDENCE_SUM,     /* + - */
    GF_PRECEDENCE_PRODUCT, /* * / % */
    GF_PRECEDENCE_UNARY,   /* - ! ~ */
    GF_PRECEDENCE_PRIMARY, /* names, literals, calls, loads, casts */
} gf_precedence;

/* Of an infix op its level, of a prefix op UNARY, of a call PRIMARY, of GF_OP_NONE NONE. */
unsigned gf_op_precedence(gf_op op);
const char *gf_op_spelling(gf_op op);
/* The operation of that spelling and number of operands; GF_OP_NONE where there is none. */
gf_op gf_op_from_name(const char *name, size_t length, unsigned arity);
unsigned gf_op_arity(gf_op op);
gf_form gf_op_form(gf_op op);
gf_rule gf_op_rule(gf_op op);
static inline bool gf_op_is_elementary(gf_op op) { /* an elementary function: many instructions */
    return op >= GF_OP_EXP2 && op <= GF_OP_POW;
}
const char *gf_atomic_name(gf_atomic atomic);
unsigned gf_atomic_operands(gf_atomic atomic);
/* GF_ATOMIC_COUNT where the text names no atomic. */
gf_atomic gf_atomic_from_name(const char *name, size_t length);
const char *gf_cross_name(gf_cross cross); /* without group_ or grid_ */
bool gf_cross_exists(gf_cross cross, bool grid);
/* `name` is without group_ or grid_. GF_CROSS_COUNT where there is none. */
gf_cross gf_cross_from_name(const char *name, size_t length);
const char *gf_combine_name(gf_combine combine); /* "add" */
/* False where the text is no such operation. */
bool gf_combine_from_name(const char *name, size_t length, gf_combine *combine);

static inline bool gf_type_is_float(gf_type t) {
    return t == GF_TYPE_F16 || t == GF_TYPE_F32 || t == GF_TYPE_F64;
}
static inline bool gf_type_is_signed(gf_type t) {
    return t == GF_TYPE_I8 || t == GF_TYPE_I16 || t == GF_TYPE_I32 || t == GF_TYPE_I64;
}
static inline bool gf_type_is_integer(gf_type t) {
    return t >= GF_TYPE_U8 && t <= GF_TYPE_I64;
}
static inline bool gf_type_is_arithmetic(gf_type t) {
    return t == GF_TYPE_BOOL || (t >= GF_TYPE_U32 && t <= GF_TYPE_I64) || t == GF_TYPE_F32 || t == GF_TYPE_F64;
}
/* What a load of a stored type gives: u8 u16 -> u32, i8 i16 -> i32, f16 -> f32, others themselves. */
gf_type gf_type_loaded(gf_type stored);
/* GF_TYPE_NONE where the text names no type. */
gf_type gf_type_from_name(const char *name, size_t length);

#endif
