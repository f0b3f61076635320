/* Expressions. A register that an expression gives may be a variable's own: nothing within an expression assigns one,
 * so a copy is made only where the value is kept. */
#include "emit/ptx/emitter.h"
#include "ir/eval.h"

static const gf_pv none = {0};

/* ---- which invocation ---- */

static bool is_zero(gf_pv v) {
    return v.type == GF_TYPE_NONE || (v.is_constant && v.bits == 0);
}

static gf_pv mul_add(gf_ptx_emit *e, gf_type type, gf_pv a, gf_pv b, gf_pv c) {
    if (is_zero(a)) {
        return c;
    }
    gf_pv product = gf_ptx_op(&e->p, GF_OP_MUL, type, type, a, b, none);
    return is_zero(c) ? product : gf_ptx_op(&e->p, GF_OP_ADD, type, type, product, c, none);
}

static gf_pv linear(gf_ptx_emit *e, gf_type type, const gf_pv id[3], const gf_pv size[3]) {
    return mul_add(e, type, mul_add(e, type, id[2], size[1], id[1]), size[0], id[0]);
}

gf_pv gf_ptx_linear(gf_ptx_emit *e) {
    gf_pv id[3], size[3];
    for (int axis = 0; axis < 3; axis++) {
        id[axis] = is_zero(e->gid[axis]) ? gf_ptx_u32(0) : e->gid[axis];
        id[axis] = gf_ptx_extend(&e->p, id[axis]);
        size[axis] = is_zero(e->space[axis]) ? gf_ptx_u32(0) : e->space[axis];
        size[axis] = axis < 2 ? gf_ptx_extend(&e->p, size[axis]) : none;
    }
    return linear(e, GF_TYPE_U64, id, size);
}

static gf_pv of_axes(gf_ptx_emit *e, gf_axis axis, const gf_pv id[3], const gf_pv size[3]) {
    gf_pv value = axis == GF_AXIS_LINEAR ? linear(e, GF_TYPE_U32, id, size) : id[axis];
    return value.type == GF_TYPE_NONE ? gf_ptx_u32(0) : value;
}

gf_pv gf_ptx_emit_builtin(gf_ptx_emit *e, gf_builtin builtin, gf_axis axis) {
    gf_pv size[3];
    for (int i = 0; i < 3; i++) {
        size[i] = gf_ptx_u32(e->tree->kernel.workgroup[i] > 0 ? e->tree->kernel.workgroup[i] : 1);
    }
    switch (builtin) {
    case GF_BUILTIN_GID:
        return of_axes(e, axis, e->gid, e->space);
    case GF_BUILTIN_LID:
        return of_axes(e, axis, e->lid, size);
    case GF_BUILTIN_WID:
        return of_axes(e, axis, e->wid, e->groups);
    case GF_BUILTIN_GRID_SIZE:
        return e->groups[axis];
    case GF_BUILTIN_GROUP_SIZE:
        return axis == GF_AXIS_LINEAR ? gf_ptx_u32(size[0].bits * size[1].bits * size[2].bits) : size[axis];
    case GF_BUILTIN_SPACE:
        return e->space[axis];
    case GF_BUILTIN_RANK:
        return gf_ptx_u32(0);
    case GF_BUILTIN_RANKS:
        break;
    }
    return gf_ptx_u32(1);
}

static bool is_same_for_all(const gf_expr *expr) {
    return expr->kind == GF_EXPR_LITERAL || (expr->kind == GF_EXPR_NAME && (expr->ref.symbol->kind == GF_SYMBOL_CONST ||
                                                                            expr->ref.symbol->kind == GF_SYMBOL_PARAM));
}

bool gf_ptx_is_own(gf_ptx_emit *e, const gf_expr *expr) {
    const gf_kernel_decl *kernel = &e->tree->kernel;
    if (kernel->space_kind == GF_SPACE_ONE) {
        return true;
    }
    switch (expr->kind) {
    case GF_EXPR_NAME:
        return expr->ref.symbol->kind != GF_SYMBOL_CONST && gf_ptx_name_of(e, expr->ref.symbol)->is_own;
    case GF_EXPR_BUILTIN:
        return expr->builtin == GF_BUILTIN_GID &&
               (expr->axis == GF_AXIS_LINEAR ||
                (expr->axis == GF_AXIS_X && kernel->space_kind != GF_SPACE_INDIRECT && kernel->space_axes <= 1));
    case GF_EXPR_CAST:
        return gf_type_is_integer(expr->type) && gf_type_bytes(expr->type) >= gf_type_bytes(expr->args[0]->type) &&
               gf_ptx_is_own(e, expr->args[0]);
    case GF_EXPR_OP:
        if (expr->op == GF_OP_ADD || expr->op == GF_OP_SUB) {
            return (is_same_for_all(expr->args[1]) && gf_ptx_is_own(e, expr->args[0])) ||
                   (is_same_for_all(expr->args[0]) && gf_ptx_is_own(e, expr->args[1]));
        }
        return false;
    case GF_EXPR_LITERAL:
    case GF_EXPR_LEN:
    case GF_EXPR_LOAD:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_BITCAST:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        break;
    }
    return false;
}

/* ---- && and || ---- */

bool gf_ptx_is_simple(const gf_expr *expr, unsigned budget) {
    if (budget == 0) {
        return false;
    }
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
    case GF_EXPR_NAME:
    case GF_EXPR_BUILTIN:
    case GF_EXPR_LEN:
        return true;
    case GF_EXPR_OP:
        if (expr->op == GF_OP_DIV || expr->op == GF_OP_REM || expr->op >= GF_OP_EXP2) {
            return expr->op == GF_OP_IS_NAN || expr->op == GF_OP_IS_INF;
        }
        break;
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        break;
    case GF_EXPR_LOAD:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        return false;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (!gf_ptx_is_simple(expr->args[i], budget / 2)) {
            return false;
        }
    }
    return true;
}

static gf_pv emit_connective(gf_ptx_emit *e, const gf_expr *expr) {
    gf_ptx *p = &e->p;
    bool is_and = expr->kind == GF_EXPR_AND;
    gf_pv left = gf_ptx_peek_expr(e, expr->args[0]);
    if (left.is_constant) {
        bool is_decided = (left.bits != 0) != is_and;
        return is_decided ? left : gf_ptx_peek_expr(e, expr->args[1]);
    }
    if (gf_ptx_is_simple(expr->args[1], 16)) {
        gf_pv right = gf_ptx_peek_expr(e, expr->args[1]);
        return gf_ptx_op(p, is_and ? GF_OP_AND : GF_OP_OR, GF_TYPE_BOOL, GF_TYPE_BOOL, left, right, none);
    }
    uint32_t after = gf_ptx_label(p);
    gf_pv result = gf_ptx_new_value(p, GF_TYPE_BOOL);
    gf_ptx_move(p, result, left);
    gf_ptx_jump_if(p, left, !is_and, after);
    gf_ptx_known known = {.outer = e->known, .condition = expr->args[0]};
    e->known = &known;
    gf_ptx_move(p, result, gf_ptx_peek_expr(e, expr->args[1]));
    e->known = known.outer;
    gf_ptx_arrive(e, after);
    return result;
}

/* ---- operations ---- */

gf_pv gf_ptx_emit_operation(gf_ptx_emit *e, gf_op op, gf_type type, gf_type count_type, gf_pv a, gf_pv b, gf_pv c,
                            gf_span span) {
    gf_ptx *p = &e->p;
    if (e->options.checked && (op == GF_OP_DIV || op == GF_OP_REM) && gf_type_is_integer(type)) {
        gf_pv zero = gf_ptx_op(p, GF_OP_EQ, type, type, b, gf_ptx_constant(type, 0), none);
        gf_ptx_site place = {.type = type, .span = span};
        gf_pv nothing = gf_ptx_constant(GF_TYPE_U64, 0);
        gf_ptx_record(e, zero, GF_PTX_DIVISION, place, nothing, nothing);
    }
    return gf_ptx_op(p, op, type, count_type, a, b, c);
}

/* In checked code what is not taken is no error. */
static gf_pv emit_select(gf_ptx_emit *e, const gf_expr *expr) {
    gf_ptx *p = &e->p;
    bool had_live = e->has_live;
    gf_pv live = e->live, args[3];
    args[0] = gf_ptx_peek_expr(e, expr->args[0]);
    for (size_t i = 1; i < 3; i++) {
        if (e->options.checked) {
            gf_pv taken = i == 1 ? args[0] : gf_ptx_op(p, GF_OP_NOT, GF_TYPE_BOOL, GF_TYPE_BOOL, args[0], none, none);
            e->live = had_live ? gf_ptx_op(p, GF_OP_AND, GF_TYPE_BOOL, GF_TYPE_BOOL, live, taken, none) : taken;
            e->has_live = true;
        }
        args[i] = gf_ptx_peek_expr(e, expr->args[i]);
    }
    e->live = live;
    e->has_live = had_live;
    return gf_ptx_op(p, GF_OP_SELECT, expr->type, GF_TYPE_NONE, args[0], args[1], args[2]);
}

static gf_pv emit_op(gf_ptx_emit *e, const gf_expr *expr) {
    gf_pv args[3] = {none, none, none};
    if (expr->op == GF_OP_SELECT) {
        return emit_select(e, expr);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        args[i] = gf_ptx_peek_expr(e, expr->args[i]);
    }
    gf_type count_type = expr->arg_count > 1 ? expr->args[1]->type : GF_TYPE_NONE;
    return gf_ptx_emit_operation(e, expr->op, expr->args[0]->type, count_type, args[0], args[1], args[2], expr->span);
}

/* ---- all of them ---- */

static gf_pv emit_name(gf_ptx_emit *e, const gf_symbol *symbol) {
    return symbol->kind == GF_SYMBOL_CONST ? gf_ptx_constant(symbol->type, symbol->constant.bits)
                                           : gf_ptx_name_of(e, symbol)->value;
}

gf_pv gf_ptx_peek_expr(gf_ptx_emit *e, const gf_expr *expr) {
    gf_pv value = gf_ptx_constant(expr->type, 0);
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        return gf_ptx_constant(expr->type, expr->bits);
    case GF_EXPR_NAME:
        return emit_name(e, expr->ref.symbol);
    case GF_EXPR_BUILTIN:
        return gf_ptx_emit_builtin(e, expr->builtin, expr->axis);
    case GF_EXPR_LEN:
        return gf_ptx_cast(&e->p, expr->type, gf_ptx_array_count(e, expr->ref.symbol));
    case GF_EXPR_LOAD:
        return gf_ptx_emit_load(e, expr);
    case GF_EXPR_OP:
        return emit_op(e, expr);
    case GF_EXPR_AND:
    case GF_EXPR_OR:
        return emit_connective(e, expr);
    case GF_EXPR_CAST:
        return gf_ptx_cast(&e->p, expr->type, gf_ptx_peek_expr(e, expr->args[0]));
    case GF_EXPR_BITCAST:
        return gf_ptx_bitcast(&e->p, expr->type, gf_ptx_peek_expr(e, expr->args[0]));
    case GF_EXPR_ATOMIC:
        return gf_ptx_emit_atomic(e, expr, true);
    case GF_EXPR_CALL:
        gf_ptx_emit_call(e, expr, true, &value);
        return value;
    case GF_EXPR_CROSS:
        break; /* the plan has made it a node of its tree */
    }
    return value;
}

/* What is read as it is and never written again. */
static bool is_lasting(const gf_expr *expr) {
    return expr->kind == GF_EXPR_BUILTIN || (expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind != GF_SYMBOL_VAR);
}

gf_pv gf_ptx_emit_expr(gf_ptx_emit *e, const gf_expr *expr) {
    gf_ptx *p = &e->p;
    uint32_t before = p->count[gf_ptx_class_of(expr->type)];
    gf_pv value = gf_ptx_peek_expr(e, expr);
    if (value.is_constant || value.number >= before || is_lasting(expr)) {
        return value;
    }
    gf_pv copy = gf_ptx_new_value(p, value.type);
    gf_ptx_move(p, copy, value);
    return copy;
}
