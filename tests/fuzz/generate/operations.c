/* Expressions: every operation of the op table, on every type that it takes, and casts. */
#include "writer.h"

static bool takes(gf_rule rule, gf_type operand) {
    switch (rule) {
    case GF_RULE_NUMBER:
    case GF_RULE_ORDER:
        return operand != GF_TYPE_BOOL;
    case GF_RULE_INTEGER:
    case GF_RULE_SHIFT:
        return gf_type_is_integer(operand);
    case GF_RULE_FLOAT:
    case GF_RULE_FLOAT_TEST:
        return gf_type_is_float(operand);
    case GF_RULE_BOOL:
        return operand == GF_TYPE_BOOL;
    case GF_RULE_BITS:
        return operand == GF_TYPE_BOOL || gf_type_is_integer(operand);
    case GF_RULE_EQUAL:
    case GF_RULE_SELECT:
        return true;
    }
    return false;
}

static bool gives_bool(gf_rule rule) {
    return rule == GF_RULE_EQUAL || rule == GF_RULE_ORDER || rule == GF_RULE_FLOAT_TEST;
}

static gf_type operand_type(writer *w, gf_rule rule, gf_type result) {
    if (!gives_bool(rule)) {
        return result;
    }
    return rule == GF_RULE_FLOAT_TEST ? (choose(w->choices, 2) != 0 ? GF_TYPE_F64 : GF_TYPE_F32)
           : rule == GF_RULE_ORDER    ? pick_number(w)
                                      : pick_type(w);
}

static bool is_slow(gf_op op) {
    return op >= GF_OP_EXP2 && op <= GF_OP_POW;
}

static gf_op pick_op(writer *w, gf_type result) {
    bool infix = choose_yes(w->choices, 50);
    bool slow = choose_yes(w->choices, 20);
    uint8_t weights[GF_OP_COUNT] = {0};
    for (int op = GF_OP_NONE + 1; op < GF_OP_COUNT; op++) {
        gf_rule rule = gf_op_rule((gf_op)op);
        bool fits = gives_bool(rule) ? result == GF_TYPE_BOOL : takes(rule, result);
        bool wanted = (!infix || gf_op_form((gf_op)op) == GF_FORM_INFIX) && (slow || !is_slow((gf_op)op));
        weights[op] = fits && wanted ? 1 : 0;
    }
    return (gf_op)choose_weighted(w->choices, weights, GF_OP_COUNT);
}

static void write_operand(writer *w, text *to, wish outer, gf_type type, bool anchored) {
    write_expr(w, to, (wish){.type = type, .depth = outer.depth - 1, .uniform = outer.uniform, .anchored = anchored});
}

static void write_op(writer *w, text *to, wish want) {
    gf_op op = pick_op(w, want.type);
    gf_rule rule = gf_op_rule(op);
    gf_type type = operand_type(w, rule, want.type);
    unsigned arity = gf_op_arity(op);
    bool anchored = want.anchored || gives_bool(rule);
    /* One operand shows the type of all. */
    unsigned shown = rule == GF_RULE_SHIFT    ? 0
                     : rule == GF_RULE_SELECT ? 1 + choose(w->choices, 2)
                                              : choose(w->choices, arity);
    const char *spelling = gf_op_spelling(op);
    gf_form form = gf_op_form(op);
    text_put(to, form == GF_FORM_INFIX ? "(" : form == GF_FORM_PREFIX ? "(%s(" : "%s(", spelling);
    for (unsigned i = 0; i < arity; i++) {
        if (i > 0) {
            text_put(to, form == GF_FORM_INFIX ? " %s " : ", ", spelling);
        }
        if (rule == GF_RULE_SELECT && i == 0) {
            write_operand(w, to, want, GF_TYPE_BOOL, false);
        } else if (rule == GF_RULE_SHIFT && i == 1) {
            write_operand(w, to, want, pick_integer(w), true);
        } else if ((op == GF_OP_DIV || op == GF_OP_REM) && i == 1 && gf_type_is_integer(type) &&
                   choose_yes(w->choices, 70)) {
            text_put(to, "max(");
            write_operand(w, to, want, type, anchored && shown == i);
            text_put(to, ", 1)");
        } else {
            write_operand(w, to, want, type, anchored && shown == i);
        }
    }
    text_put(to, form == GF_FORM_PREFIX ? "))" : ")");
}

static void write_cast(writer *w, text *to, wish want) {
    static const gf_type same_bits[GF_TYPE_COUNT] = {
        [GF_TYPE_U32] = GF_TYPE_F32, [GF_TYPE_F32] = GF_TYPE_U32, [GF_TYPE_I32] = GF_TYPE_F32,
        [GF_TYPE_U64] = GF_TYPE_F64, [GF_TYPE_F64] = GF_TYPE_I64, [GF_TYPE_I64] = GF_TYPE_U64};
    gf_type from = same_bits[want.type];
    if (from != GF_TYPE_NONE && choose_yes(w->choices, 30)) {
        text_put(to, "bitcast<%s>(", gf_type_name(want.type));
    } else {
        from = pick_type(w);
        text_put(to, "%s(", gf_type_name(want.type));
    }
    write_operand(w, to, want, from, true);
    text_put(to, ")");
}

void write_operation(writer *w, text *to, wish want) {
    uint32_t dice = choose(w->choices, 100);
    if (dice >= 80) {
        write_cast(w, to, want);
    } else if (dice >= 60 && want.type == GF_TYPE_BOOL) {
        text_put(to, "(");
        write_operand(w, to, want, GF_TYPE_BOOL, false);
        text_put(to, choose(w->choices, 2) != 0 ? " || " : " && ");
        write_operand(w, to, want, GF_TYPE_BOOL, false);
        text_put(to, ")");
    } else {
        write_op(w, to, want);
    }
}
