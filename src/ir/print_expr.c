/* Expressions as text: as few parentheses and casts as keep the meaning. */
#include "ir/eval.h"
#include "ir/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *builtin_name(gf_builtin builtin) {
    switch (builtin) {
    case GF_BUILTIN_GID:
        return "gid";
    case GF_BUILTIN_LID:
        return "lid";
    case GF_BUILTIN_WID:
        return "wid";
    case GF_BUILTIN_GRID_SIZE:
        return "grid_size";
    case GF_BUILTIN_GROUP_SIZE:
        return "group_size";
    case GF_BUILTIN_SPACE:
        return "space";
    case GF_BUILTIN_RANK:
        return "rank";
    case GF_BUILTIN_RANKS:
        return "ranks";
    }
    return "?";
}

static const char *axis_suffix(gf_axis axis) {
    switch (axis) {
    case GF_AXIS_X:
        return ".x";
    case GF_AXIS_Y:
        return ".y";
    case GF_AXIS_Z:
        return ".z";
    case GF_AXIS_LINEAR:
        return ".linear";
    case GF_AXIS_NONE:
        break;
    }
    return "";
}

/* A cross operation's level is part of its name. */
static const char *cross_prefix(gf_level level) {
    return level == GF_LEVEL_GRID ? "grid_" : "group_";
}

const char *gf_level_prefix(gf_level level) {
    switch (level) {
    case GF_LEVEL_GRID:
        return "grid ";
    case GF_LEVEL_GROUP:
        return "group ";
    case GF_LEVEL_NONE:
        break;
    }
    return "";
}

static double float_value(gf_type type, uint64_t bits) {
    if (type == GF_TYPE_F64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

static bool reads_back(gf_type type, const char *text, double value) {
    return type == GF_TYPE_F64 ? strtod(text, NULL) == value : (double)strtof(text, NULL) == value;
}

void gf_print_float(gf_type type, uint64_t bits, gf_str *out) {
    double value = float_value(type, bits);
    if (value != value) {
        gf_str_add(out, "nan");
        return;
    }
    gf_str_add(out, signbit(value) ? "-" : "");
    value = fabs(value);
    if (isinf(value)) {
        gf_str_add(out, "inf");
        return;
    }
    char text[40];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (reads_back(type, text, value)) {
            break;
        }
    }
    /* Whatever the locale uses for a point. */
    bool plain = true;
    for (char *c = text; *c != 0; c++) {
        if (strchr("0123456789", *c) == NULL) {
            plain = false;
            *c = strchr("+-e", *c) != NULL ? *c : '.';
        }
    }
    gf_str_add(out, text);
    gf_str_add(out, plain ? ".0" : "");
}

static void print_integer(gf_type type, uint64_t bits, gf_str *out) {
    if (gf_type_is_signed(type)) {
        int64_t value = (int64_t)gf_eval_cast(type, GF_TYPE_I64, bits);
        gf_str_addf(out, value < 0 ? "-%" PRIu64 : "%" PRIu64, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    } else {
        gf_str_addf(out, "%" PRIu64, bits);
    }
}

static bool is_negative(const gf_expr *literal) {
    switch (literal->type) {
    case GF_TYPE_I32:
    case GF_TYPE_F32:
        return literal->bits >> 31 & 1;
    case GF_TYPE_I64:
    case GF_TYPE_F64:
        return literal->bits >> 63;
    case GF_TYPE_NONE:
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_U32:
    case GF_TYPE_U64:
    case GF_TYPE_F16:
        break;
    }
    return false;
}

/* The value alone. A spelling that the user chose is kept. */
static void print_bare_literal(const gf_expr *expr, gf_str *out) {
    if (expr->text != NULL) {
        gf_str_add(out, expr->text);
    } else if (expr->type == GF_TYPE_BOOL) {
        gf_str_add(out, expr->bits != 0 ? "true" : "false");
    } else if (gf_type_is_float(expr->type)) {
        gf_print_float(expr->type, expr->bits, out);
    } else {
        print_integer(expr->type, expr->bits, out);
    }
}

/* What a literal becomes where its place says nothing. */
static gf_type default_type(const gf_expr *literal) {
    bool point = literal->text != NULL ? literal->is_float : gf_type_is_float(literal->type);
    return point ? GF_TYPE_F32 : GF_TYPE_U32;
}

static void print_literal(const gf_expr *expr, gf_type wanted, unsigned precedence, gf_str *out) {
    gf_type type = expr->type;
    bool plain =
        type == GF_TYPE_NONE || type == GF_TYPE_BOOL || type == (wanted == GF_TYPE_NONE ? default_type(expr) : wanted);
    bool negative = expr->text == NULL && is_negative(expr);
    if (!plain) {
        gf_str_addf(out, "%s(", gf_type_name(type));
    } else if (negative && precedence > GF_PRECEDENCE_UNARY) {
        gf_str_add(out, "(");
    }
    print_bare_literal(expr, out);
    if (!plain || (negative && precedence > GF_PRECEDENCE_UNARY)) {
        gf_str_add(out, ")");
    }
}

/* Whether the checker finds the type of `expr` without looking at its place. */
static bool has_own_type(const gf_expr *expr) {
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        return expr->type == GF_TYPE_BOOL;
    case GF_EXPR_OP:
        switch (gf_op_rule(expr->op)) {
        case GF_RULE_EQUAL:
        case GF_RULE_ORDER:
        case GF_RULE_FLOAT_TEST:
            return true;
        case GF_RULE_SHIFT:
            return has_own_type(expr->args[0]);
        case GF_RULE_SELECT:
            return has_own_type(expr->args[1]) || has_own_type(expr->args[2]);
        case GF_RULE_NUMBER:
        case GF_RULE_INTEGER:
        case GF_RULE_FLOAT:
        case GF_RULE_BOOL:
        case GF_RULE_BITS:
            break;
        }
        for (size_t i = 0; i < expr->arg_count; i++) {
            if (has_own_type(expr->args[i])) {
                return true;
            }
        }
        return false;
    case GF_EXPR_CROSS:
        return has_own_type(expr->args[0]);
    case GF_EXPR_NAME:
    case GF_EXPR_BUILTIN:
    case GF_EXPR_LEN:
    case GF_EXPR_LOAD:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CALL:
        break;
    }
    return true;
}

/* The type that the operands from `first` on get from each other, else from the place. */
static gf_type shared_type(const gf_expr *const *exprs, size_t count, gf_type wanted) {
    for (size_t i = 0; i < count; i++) {
        if (exprs[i] != NULL && has_own_type(exprs[i])) {
            return exprs[i]->type;
        }
    }
    return wanted;
}

/* What operand `i` of an operation is wanted as. */
static gf_type operand_type(const gf_expr *expr, size_t i, gf_type wanted) {
    switch (gf_op_rule(expr->op)) {
    case GF_RULE_SHIFT:
        return i == 0 ? wanted : GF_TYPE_NONE;
    case GF_RULE_SELECT:
        return i == 0 ? GF_TYPE_BOOL : shared_type(expr->args + 1, expr->arg_count - 1, wanted);
    case GF_RULE_EQUAL:
    case GF_RULE_ORDER:
    case GF_RULE_FLOAT_TEST:
        return shared_type(expr->args, expr->arg_count, GF_TYPE_NONE);
    case GF_RULE_NUMBER:
    case GF_RULE_INTEGER:
    case GF_RULE_FLOAT:
    case GF_RULE_BOOL:
    case GF_RULE_BITS:
        break;
    }
    return shared_type(expr->args, expr->arg_count, wanted);
}

static void print_infix(const gf_expr *expr, const char *spelling, unsigned level, gf_type left, gf_type right,
                        unsigned precedence, gf_str *out) {
    gf_str_add(out, level < precedence ? "(" : "");
    gf_print_expr_in(expr->args[0], left, level, out);
    gf_str_addf(out, " %s ", spelling);
    gf_print_expr_in(expr->args[1], right, level + 1, out);
    gf_str_add(out, level < precedence ? ")" : "");
}

static void print_op(const gf_expr *expr, gf_type wanted, unsigned precedence, gf_str *out) {
    const char *spelling = gf_op_spelling(expr->op);
    unsigned level = gf_op_precedence(expr->op);
    switch (gf_op_form(expr->op)) {
    case GF_FORM_INFIX:
        print_infix(expr, spelling, level, operand_type(expr, 0, wanted), operand_type(expr, 1, wanted), precedence,
                    out);
        return;
    case GF_FORM_PREFIX: {
        gf_str_add(out, level < precedence ? "(" : "");
        gf_str_add(out, spelling);
        /* Two minus signs in a row are legal and unreadable. */
        const gf_expr *operand = expr->args[0];
        bool minus = expr->op == GF_OP_NEG &&
                     ((operand->kind == GF_EXPR_OP && operand->op == GF_OP_NEG) ||
                      (operand->kind == GF_EXPR_LITERAL && operand->text == NULL && is_negative(operand)));
        gf_print_expr_in(operand, operand_type(expr, 0, wanted), minus ? GF_PRECEDENCE_PRIMARY : level, out);
        gf_str_add(out, level < precedence ? ")" : "");
        return;
    }
    case GF_FORM_CALL:
        break;
    }
    gf_str_addf(out, "%s(", spelling);
    for (size_t i = 0; i < expr->arg_count; i++) {
        gf_str_add(out, i == 0 ? "" : ", ");
        gf_print_expr_in(expr->args[i], operand_type(expr, i, wanted), GF_PRECEDENCE_NONE, out);
    }
    gf_str_add(out, ")");
}

/* A literal right inside a cast becomes of the cast's type where it can, inside a bitcast of the like unsigned or float
 * type: any other one says what it is. */
static void print_cast(const gf_expr *expr, gf_str *out) {
    const gf_expr *arg = expr->args[0];
    gf_type wanted = expr->type == GF_TYPE_BOOL ? GF_TYPE_NONE : expr->type;
    if (expr->kind == GF_EXPR_BITCAST) {
        bool wide = gf_type_bytes(expr->type) == 8;
        wanted = gf_type_is_float(arg->type) ? (wide ? GF_TYPE_F64 : GF_TYPE_F32) : wide ? GF_TYPE_U64 : GF_TYPE_U32;
        gf_str_add(out, "bitcast<");
    }
    gf_str_addf(out, expr->kind == GF_EXPR_BITCAST ? "%s>(" : "%s(", gf_type_name(expr->type));
    gf_print_expr_in(arg, wanted, GF_PRECEDENCE_NONE, out);
    gf_str_add(out, ")");
}

static void print_element(const gf_ref *array, const gf_expr *index, gf_str *out) {
    gf_str_addf(out, "%s[", array->name);
    gf_print_expr_in(index, GF_TYPE_NONE, GF_PRECEDENCE_NONE, out);
    gf_str_add(out, "]");
}

static void print_atomic(const gf_expr *expr, gf_str *out) {
    gf_type element = expr->ref.symbol == NULL ? GF_TYPE_NONE : expr->ref.symbol->type;
    gf_str_addf(out, "%s(", gf_atomic_name(expr->atomic));
    print_element(&expr->ref, expr->args[0], out);
    for (size_t i = 1; i < expr->arg_count; i++) {
        gf_str_add(out, ", ");
        gf_print_expr_in(expr->args[i], element, GF_PRECEDENCE_NONE, out);
    }
    gf_str_add(out, ")");
}

static void print_call(const gf_expr *expr, gf_str *out) {
    const gf_symbol *function = expr->ref.symbol;
    gf_str_addf(out, "%s(", expr->ref.name);
    for (size_t i = 0; i < expr->arg_count; i++) {
        bool known = function != NULL && i < function->argument_count;
        gf_str_add(out, i == 0 ? "" : ", ");
        gf_print_expr_in(expr->args[i], known ? function->arguments[i]->type : GF_TYPE_NONE, GF_PRECEDENCE_NONE, out);
    }
    gf_str_add(out, ")");
}

void gf_print_expr_in(const gf_expr *expr, gf_type wanted, unsigned precedence, gf_str *out) {
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        print_literal(expr, wanted, precedence, out);
        return;
    case GF_EXPR_NAME:
        gf_str_add(out, expr->ref.name);
        return;
    case GF_EXPR_BUILTIN:
        gf_str_addf(out, "%s%s", builtin_name(expr->builtin), axis_suffix(expr->axis));
        return;
    case GF_EXPR_LEN:
        gf_str_addf(out, "len(%s)", expr->ref.name);
        return;
    case GF_EXPR_LOAD:
        print_element(&expr->ref, expr->args[0], out);
        return;
    case GF_EXPR_OP:
        print_op(expr, wanted, precedence, out);
        return;
    case GF_EXPR_AND:
        print_infix(expr, "&&", GF_PRECEDENCE_BOTH, GF_TYPE_BOOL, GF_TYPE_BOOL, precedence, out);
        return;
    case GF_EXPR_OR:
        print_infix(expr, "||", GF_PRECEDENCE_EITHER, GF_TYPE_BOOL, GF_TYPE_BOOL, precedence, out);
        return;
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        print_cast(expr, out);
        return;
    case GF_EXPR_ATOMIC:
        print_atomic(expr, out);
        return;
    case GF_EXPR_CROSS:
        gf_str_addf(out, "%s%s(", cross_prefix(expr->level), gf_cross_name(expr->cross));
        gf_print_expr_in(expr->args[0], GF_TYPE_NONE, GF_PRECEDENCE_NONE, out);
        gf_str_add(out, ")");
        return;
    case GF_EXPR_CALL:
        print_call(expr, out);
        return;
    }
}

void gf_print_string(const char *text, gf_str *out) {
    gf_str_add(out, "\"");
    for (const char *c = text == NULL ? "" : text; *c != 0; c++) {
        switch (*c) {
        case '"':
            gf_str_add(out, "\\\"");
            break;
        case '\\':
            gf_str_add(out, "\\\\");
            break;
        case '\n':
            gf_str_add(out, "\\n");
            break;
        case '\t':
            gf_str_add(out, "\\t");
            break;
        default:
            gf_str_add_n(out, c, 1);
            break;
        }
    }
    gf_str_add(out, "\"");
}

void gf_print_peers(const gf_expr *const *exprs, size_t count, const char *const *between, gf_str *out) {
    gf_type type = shared_type(exprs, count, GF_TYPE_NONE);
    for (size_t i = 0; i < count; i++) {
        if (exprs[i] != NULL) {
            gf_str_add(out, i == 0 ? "" : between[i - 1]);
            gf_print_expr_in(exprs[i], type, GF_PRECEDENCE_NONE, out);
        }
    }
}

void gf_print_expr(const gf_expr *expr, gf_str *out) {
    gf_print_expr_in(expr, expr->type, GF_PRECEDENCE_NONE, out);
}
