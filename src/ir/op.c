#include "ir/op.h"

#include <string.h>

typedef struct op_row {
    const char *spelling;
    unsigned arity;
    gf_form form;
    gf_rule rule;
} op_row;

static const op_row op_rows[GF_OP_COUNT] = {
    [GF_OP_NONE] = {"", 0, GF_FORM_CALL, GF_RULE_NUMBER},
#define OP(name, spelling, arity, form, rule, ...) [GF_OP_##name] = {spelling, arity, GF_FORM_##form, GF_RULE_##rule},
#include "ir/ops.def"
#undef OP
};

typedef struct atomic_row {
    const char *name;
    unsigned operands;
} atomic_row;

static const atomic_row atomic_rows[GF_ATOMIC_COUNT] = {
#define ATOMIC(name, spelling, operands) [GF_ATOMIC_##name] = {spelling, operands},
#include "ir/atomics.def"
#undef ATOMIC
};

typedef struct cross_row {
    const char *name;
    bool group, grid;
} cross_row;

static const cross_row cross_rows[GF_CROSS_COUNT] = {
#define CROSS(name, spelling, group, grid) [GF_CROSS_##name] = {spelling, group, grid},
#include "ir/cross.def"
#undef CROSS
};

static const char *const combine_names[GF_COMBINE_COUNT] = {
    [GF_COMBINE_ADD] = "add", [GF_COMBINE_MIN] = "min", [GF_COMBINE_MAX] = "max",
    [GF_COMBINE_AND] = "and", [GF_COMBINE_OR] = "or",
};

static bool same_text(const char *entry, const char *name, size_t length) {
    return strlen(entry) == length && memcmp(entry, name, length) == 0;
}

const char *gf_op_spelling(gf_op op) {
    return op < GF_OP_COUNT ? op_rows[op].spelling : "";
}

unsigned gf_op_arity(gf_op op) {
    return op < GF_OP_COUNT ? op_rows[op].arity : 0;
}

gf_form gf_op_form(gf_op op) {
    return op < GF_OP_COUNT ? op_rows[op].form : GF_FORM_CALL;
}

gf_rule gf_op_rule(gf_op op) {
    return op < GF_OP_COUNT ? op_rows[op].rule : GF_RULE_NUMBER;
}

gf_op gf_op_from_name(const char *name, size_t length, unsigned arity) {
    for (gf_op op = GF_OP_NONE + 1; op < GF_OP_COUNT; op++) {
        if (op_rows[op].arity == arity && same_text(op_rows[op].spelling, name, length)) {
            return op;
        }
    }
    return GF_OP_NONE;
}

/* The infix operations have no level in ops.def, because levels belong to the spelling and not to the meaning. */
static unsigned infix_precedence(const char *spelling) {
    static const struct {
        const char *spelling;
        gf_precedence precedence;
    } rows[] = {
        {"|", GF_PRECEDENCE_OR},      {"^", GF_PRECEDENCE_XOR},     {"&", GF_PRECEDENCE_AND},
        {"==", GF_PRECEDENCE_EQUAL},  {"!=", GF_PRECEDENCE_EQUAL},  {"<", GF_PRECEDENCE_ORDER},
        {"<=", GF_PRECEDENCE_ORDER},  {">", GF_PRECEDENCE_ORDER},   {">=", GF_PRECEDENCE_ORDER},
        {"<<", GF_PRECEDENCE_SHIFT},  {">>", GF_PRECEDENCE_SHIFT},  {"+", GF_PRECEDENCE_SUM},
        {"-", GF_PRECEDENCE_SUM},     {"*", GF_PRECEDENCE_PRODUCT}, {"/", GF_PRECEDENCE_PRODUCT},
        {"%", GF_PRECEDENCE_PRODUCT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].spelling, spelling) == 0) {
            return rows[i].precedence;
        }
    }
    return GF_PRECEDENCE_NONE;
}

unsigned gf_op_precedence(gf_op op) {
    if (op == GF_OP_NONE || op >= GF_OP_COUNT) {
        return GF_PRECEDENCE_NONE;
    }
    switch (op_rows[op].form) {
    case GF_FORM_INFIX:
        return infix_precedence(op_rows[op].spelling);
    case GF_FORM_PREFIX:
        return GF_PRECEDENCE_UNARY;
    case GF_FORM_CALL:
        return GF_PRECEDENCE_PRIMARY;
    }
    return GF_PRECEDENCE_NONE;
}

const char *gf_atomic_name(gf_atomic atomic) {
    return atomic < GF_ATOMIC_COUNT ? atomic_rows[atomic].name : "";
}

unsigned gf_atomic_operands(gf_atomic atomic) {
    return atomic < GF_ATOMIC_COUNT ? atomic_rows[atomic].operands : 0;
}

gf_atomic gf_atomic_from_name(const char *name, size_t length) {
    gf_atomic atomic = 0;
    while (atomic < GF_ATOMIC_COUNT && !same_text(atomic_rows[atomic].name, name, length)) {
        atomic++;
    }
    return atomic;
}

const char *gf_cross_name(gf_cross cross) {
    return cross < GF_CROSS_COUNT ? cross_rows[cross].name : "";
}

bool gf_cross_exists(gf_cross cross, bool grid) {
    return cross < GF_CROSS_COUNT && (grid ? cross_rows[cross].grid : cross_rows[cross].group);
}

gf_cross gf_cross_from_name(const char *name, size_t length) {
    gf_cross cross = 0;
    while (cross < GF_CROSS_COUNT && !same_text(cross_rows[cross].name, name, length)) {
        cross++;
    }
    return cross;
}

const char *gf_combine_name(gf_combine combine) {
    return (unsigned)combine < GF_COMBINE_COUNT ? combine_names[combine] : "";
}

bool gf_combine_from_name(const char *name, size_t length, gf_combine *combine) {
    for (unsigned i = 0; i < GF_COMBINE_COUNT; i++) {
        if (same_text(combine_names[i], name, length)) {
            *combine = (gf_combine)i;
            return true;
        }
    }
    return false;
}

gf_type gf_type_loaded(gf_type stored) {
    switch (stored) {
    case GF_TYPE_U8:
    case GF_TYPE_U16:
        return GF_TYPE_U32;
    case GF_TYPE_I8:
    case GF_TYPE_I16:
        return GF_TYPE_I32;
    case GF_TYPE_F16:
        return GF_TYPE_F32;
    case GF_TYPE_NONE:
    case GF_TYPE_BOOL:
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_U64:
    case GF_TYPE_I64:
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        return stored;
    }
    return GF_TYPE_NONE;
}

gf_type gf_type_from_name(const char *name, size_t length) {
    for (gf_type type = GF_TYPE_BOOL; (unsigned)type < GF_TYPE_COUNT; type++) {
        if (same_text(gf_type_name(type), name, length)) {
            return type;
        }
    }
    return GF_TYPE_NONE;
}
