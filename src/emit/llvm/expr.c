/* Expressions. */
#include "emit/llvm/emitter.h"
#include "ir/eval.h"

static LLVMValueRef mul_add(gf_emit *e, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    return LLVMBuildAdd(e->ll.builder, LLVMBuildMul(e->ll.builder, a, b, ""), c, "");
}

static LLVMValueRef linear(gf_emit *e, const LLVMValueRef id[3], const LLVMValueRef size[3]) {
    return mul_add(e, mul_add(e, id[2], size[1], id[1]), size[0], id[0]);
}

LLVMValueRef gf_emit_builtin(gf_emit *e, gf_builtin builtin, gf_axis axis) {
    const LLVMValueRef *id = NULL;
    LLVMValueRef size[3];
    for (int i = 0; i < 3; i++) {
        size[i] = gf_i32(e, e->tree->kernel.workgroup[i] > 0 ? e->tree->kernel.workgroup[i] : 1);
    }
    switch (builtin) {
    case GF_BUILTIN_GID:
        id = e->gid;
        break;
    case GF_BUILTIN_LID:
        id = e->lid;
        break;
    case GF_BUILTIN_WID:
        id = e->wid;
        break;
    case GF_BUILTIN_GRID_SIZE:
        id = e->groups;
        break;
    case GF_BUILTIN_GROUP_SIZE:
        return axis == GF_AXIS_LINEAR
                   ? LLVMBuildMul(e->ll.builder, LLVMBuildMul(e->ll.builder, size[0], size[1], ""), size[2], "")
                   : size[axis];
    case GF_BUILTIN_SPACE:
        id = e->space;
        break;
    case GF_BUILTIN_RANK:
        return gf_i32(e, 0);
    case GF_BUILTIN_RANKS:
        return gf_i32(e, 1);
    }
    if (axis == GF_AXIS_LINEAR) {
        return linear(e, id, builtin == GF_BUILTIN_GID ? e->space : builtin == GF_BUILTIN_WID ? e->groups : size);
    }
    return id[axis];
}

static LLVMValueRef emit_name(gf_emit *e, const gf_expr *expr) {
    const gf_symbol *symbol = expr->ref.symbol;
    if (symbol->kind == GF_SYMBOL_CONST) {
        return gf_ll_bits(&e->ll, symbol->type, symbol->constant.bits);
    }
    const gf_named *name = gf_name(e, symbol);
    if (name->slot != NULL) {
        return LLVMBuildLoad2(e->ll.builder, gf_ll_type(&e->ll, symbol->type), name->slot, symbol->name);
    }
    return name->value;
}

/* What may be evaluated though nobody asked: it costs little, does nothing and cannot fail. */
static bool is_simple(const gf_expr *expr, unsigned budget) {
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
        if (!is_simple(expr->args[i], budget / 2)) {
            return false;
        }
    }
    return true;
}

static LLVMValueRef emit_connective(gf_emit *e, const gf_expr *expr) {
    LLVMBuilderRef b = e->ll.builder;
    bool is_and = expr->kind == GF_EXPR_AND;
    LLVMValueRef left = gf_emit_expr(e, expr->args[0]);
    if (is_simple(expr->args[1], 16)) {
        LLVMValueRef right = gf_emit_expr(e, expr->args[1]);
        return is_and ? LLVMBuildAnd(b, left, right, "") : LLVMBuildOr(b, left, right, "");
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), second = gf_block_new(e, is_and ? "and" : "or"),
                      after = gf_block_new(e, "");
    if (is_and) {
        LLVMBuildCondBr(b, left, second, after);
    } else {
        LLVMBuildCondBr(b, left, after, second);
    }
    gf_at(e, second);
    LLVMValueRef right = gf_emit_expr(e, expr->args[1]);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(b);
    gf_branch(e, after);
    gf_at(e, after);
    LLVMValueRef phi = LLVMBuildPhi(b, e->ll.i1, "");
    LLVMValueRef values[] = {LLVMConstInt(e->ll.i1, is_and ? 0 : 1, 0), right};
    LLVMBasicBlockRef blocks[] = {before, end};
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

LLVMValueRef gf_emit_operation(gf_emit *e, gf_op op, gf_type type, gf_type count_type, LLVMValueRef a, LLVMValueRef b,
                               LLVMValueRef c, gf_span span) {
    if (e->options.checked && (op == GF_OP_DIV || op == GF_OP_REM) && gf_type_is_integer(type)) {
        LLVMValueRef zero = LLVMBuildICmp(e->ll.builder, LLVMIntEQ, b, LLVMConstNull(LLVMTypeOf(b)), "");
        gf_llvm_place place = {.type = type, .span = span};
        gf_record(e, zero, GF_ABI_DIVISION, gf_note_place(e, place), gf_i64(e, 0), gf_i64(e, 0));
    }
    return gf_ll_op(&e->ll, op, type, count_type, a, b, c);
}

/* In checked code what is not taken is no error. */
static LLVMValueRef emit_select(gf_emit *e, const gf_expr *expr) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef live = e->live, args[3];
    args[0] = gf_emit_expr(e, expr->args[0]);
    for (size_t i = 1; i < 3; i++) {
        if (e->options.checked) {
            LLVMValueRef taken = i == 1 ? args[0] : LLVMBuildNot(b, args[0], "");
            e->live = live != NULL ? LLVMBuildAnd(b, live, taken, "") : taken;
        }
        args[i] = gf_emit_expr(e, expr->args[i]);
    }
    e->live = live;
    return gf_ll_op(&e->ll, GF_OP_SELECT, expr->type, GF_TYPE_NONE, args[0], args[1], args[2]);
}

static LLVMValueRef emit_op(gf_emit *e, const gf_expr *expr) {
    LLVMValueRef args[3] = {NULL, NULL, NULL};
    if (expr->op == GF_OP_SELECT) {
        return emit_select(e, expr);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        args[i] = gf_emit_expr(e, expr->args[i]);
    }
    gf_type count_type = expr->arg_count > 1 ? expr->args[1]->type : GF_TYPE_NONE;
    return gf_emit_operation(e, expr->op, expr->args[0]->type, count_type, args[0], args[1], args[2], expr->span);
}

LLVMValueRef gf_emit_expr(gf_emit *e, const gf_expr *expr) {
    LLVMValueRef value = NULL;
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        return gf_ll_bits(&e->ll, expr->type, expr->bits);
    case GF_EXPR_NAME:
        return emit_name(e, expr);
    case GF_EXPR_BUILTIN:
        return gf_emit_builtin(e, expr->builtin, expr->axis);
    case GF_EXPR_LEN:
        value = gf_array_count(e, expr->ref.symbol);
        return LLVMBuildTrunc(e->ll.builder, value, gf_ll_type(&e->ll, expr->type), "");
    case GF_EXPR_LOAD:
        return gf_emit_load(e, expr);
    case GF_EXPR_OP:
        return emit_op(e, expr);
    case GF_EXPR_AND:
    case GF_EXPR_OR:
        return emit_connective(e, expr);
    case GF_EXPR_CAST:
        return gf_ll_cast(&e->ll, expr->args[0]->type, expr->type, gf_emit_expr(e, expr->args[0]));
    case GF_EXPR_BITCAST:
        return gf_ll_bitcast(&e->ll, expr->args[0]->type, expr->type, gf_emit_expr(e, expr->args[0]));
    case GF_EXPR_ATOMIC:
        return gf_emit_atomic(e, expr, true);
    case GF_EXPR_CALL:
        gf_emit_call(e, expr, &value);
        return value;
    case GF_EXPR_CROSS:
        break; /* the plan has made it a node of its tree */
    }
    return LLVMGetUndef(gf_ll_type(&e->ll, expr->type));
}
