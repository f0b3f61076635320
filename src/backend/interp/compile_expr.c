/* Expressions: each gives the register that holds its value. */
#include "backend/interp/compile.h"

#include "ir/op.h"

static unsigned kind_of(gf_type type) {
    switch (type) {
    case GF_TYPE_BOOL:
        return 0;
    case GF_TYPE_U32:
        return 1;
    case GF_TYPE_I32:
        return 2;
    case GF_TYPE_U64:
        return 3;
    case GF_TYPE_I64:
        return 4;
    case GF_TYPE_F32:
        return 5;
    case GF_TYPE_F64:
        return 6;
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

static bool is_64(gf_type type) {
    return type == GF_TYPE_U64 || type == GF_TYPE_I64;
}

/* Integers and bool among each other, without an instruction: the bits in the register are the same. */
static bool keeps_bits(gf_type from, gf_type to) {
    if (from == to) {
        return true;
    }
    if (gf_type_is_float(from) || gf_type_is_float(to) || to == GF_TYPE_BOOL) {
        return false;
    }
    return is_64(to) ? from != GF_TYPE_I32 : !is_64(from);
}

bool gf_expr_is_fixed(const gf_expr *expr) {
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
    case GF_EXPR_BUILTIN:
    case GF_EXPR_LEN:
        return true;
    case GF_EXPR_NAME:
        return expr->ref.symbol->kind != GF_SYMBOL_VAR;
    case GF_EXPR_CAST:
        return keeps_bits(expr->args[0]->type, expr->type) && gf_expr_is_fixed(expr->args[0]);
    case GF_EXPR_LOAD:
    case GF_EXPR_OP:
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

static uint32_t id_reg(gf_compiler *c, uint16_t *slot) {
    if (*slot == 0) {
        *slot = (uint16_t)gf_reg_fixed(c);
    }
    return *slot;
}

static uint32_t compile_builtin(gf_compiler *c, const gf_expr *expr) {
    unsigned axis = expr->axis == GF_AXIS_NONE ? 0 : (unsigned)expr->axis;
    switch (expr->builtin) {
    case GF_BUILTIN_GID:
        return id_reg(c, &c->code->ids.gid[axis]);
    case GF_BUILTIN_LID:
        return id_reg(c, &c->code->ids.lid[axis]);
    case GF_BUILTIN_WID:
        return id_reg(c, &c->code->ids.wid[axis]);
    case GF_BUILTIN_GRID_SIZE:
    case GF_BUILTIN_GROUP_SIZE:
    case GF_BUILTIN_SPACE: {
        uint16_t *slot = &c->sizes[expr->builtin - GF_BUILTIN_GRID_SIZE][axis];
        if (*slot == 0) {
            gf_fill fill = {
                .kind = GF_FILL_SIZE, .reg = (uint16_t)id_reg(c, slot), .bits = (uint64_t)expr->builtin * 8 + axis};
            gf_push(c->arena, &c->fills, fill);
        }
        return *slot;
    }
    case GF_BUILTIN_RANK:
        return gf_reg_constant(c, 0);
    case GF_BUILTIN_RANKS:
        return gf_reg_constant(c, 1);
    }
    return 0;
}

static uint32_t compile_len(gf_compiler *c, const gf_expr *expr) {
    uint32_t array = gf_array_index(c, &expr->ref);
    if (c->failed) {
        return 0;
    }
    if (c->arrays.items[array].home != GF_HOME_BUFFER) {
        return gf_reg_constant(c, c->arrays.items[array].length);
    }
    /* The same length may be asked for often: the fills are few and found by a look through them. */
    for (size_t i = 0; i < c->fills.count; i++) {
        const gf_fill *fill = &c->fills.items[i];
        if (fill->kind == GF_FILL_LENGTH && fill->bits == array && fill->type == expr->type) {
            return fill->reg;
        }
    }
    gf_fill fill = {.kind = GF_FILL_LENGTH, .reg = (uint16_t)gf_reg_fixed(c), .bits = array, .type = expr->type};
    gf_push(c->arena, &c->fills, fill);
    return fill.reg;
}

uint32_t gf_compile_index(gf_compiler *c, const gf_expr *index) {
    if (index->type == GF_TYPE_I32) {
        if (index->kind == GF_EXPR_LITERAL) {
            return gf_reg_constant(c, (uint64_t)(int64_t)(int32_t)(uint32_t)index->bits);
        }
        uint32_t reg = gf_reg_stack(c);
        uint32_t narrow = gf_compile_expr(c, index);
        gf_emit(c, GF_DO_SIGN_EXTEND, reg, narrow, 0, 0, GF_NO_INDEX);
        return reg;
    }
    return gf_compile_expr(c, index);
}

static unsigned load_op(gf_type type) {
    switch (type) {
    case GF_TYPE_BOOL:
    case GF_TYPE_U8:
        return GF_DO_LOAD_U8;
    case GF_TYPE_I8:
        return GF_DO_LOAD_I8;
    case GF_TYPE_U16:
        return GF_DO_LOAD_U16;
    case GF_TYPE_I16:
        return GF_DO_LOAD_I16;
    case GF_TYPE_F16:
        return GF_DO_LOAD_F16;
    case GF_TYPE_U32:
    case GF_TYPE_I32:
    case GF_TYPE_F32:
        return GF_DO_LOAD_32;
    case GF_TYPE_U64:
    case GF_TYPE_I64:
    case GF_TYPE_F64:
    case GF_TYPE_NONE:
        break;
    }
    return GF_DO_LOAD_64;
}

void gf_compile_load(gf_compiler *c, const gf_symbol *array, uint32_t array_index, const gf_expr *index,
                     uint32_t index_reg, uint32_t to, gf_span span) {
    if (c->watched) {
        gf_emit(c, GF_DO_LOAD_WATCHED, to, index_reg, array_index, 0, gf_place_of(c, span, NULL, array, index->type));
    } else {
        gf_emit(c, load_op(array->type), to, index_reg, array_index, 0, GF_NO_INDEX);
    }
}

void gf_compile_operation(gf_compiler *c, gf_op op, gf_type type, uint32_t to, const uint32_t *from, gf_span span) {
    if (c->watched && (op == GF_OP_DIV || op == GF_OP_REM) && gf_type_is_integer(type)) {
        gf_emit(c, GF_DO_CHECK_DIVISOR, from[1], 0, 0, 0, gf_place_of(c, span, NULL, NULL, type));
    }
    gf_emit(c, GF_DO_OPERATION + (unsigned)op * GF_KINDS + kind_of(type), to, from[0], from[1], from[2], GF_NO_INDEX);
}

/* In watched code an access or division in the side that is not taken is no error. */
static void compile_select(gf_compiler *c, const gf_expr *expr, uint32_t to) {
    uint32_t from[3];
    from[0] = gf_compile_expr(c, expr->args[0]);
    for (unsigned side = 1; side < 3; side++) {
        bool mute = c->watched && !gf_expr_is_fixed(expr->args[side]);
        if (mute) {
            gf_emit(c, side == 1 ? GF_DO_MUTE_UNLESS : GF_DO_MUTE_IF, from[0], 0, 0, 0, GF_NO_INDEX);
        }
        from[side] = gf_compile_expr(c, expr->args[side]);
        if (mute) {
            gf_emit(c, side == 1 ? GF_DO_UNMUTE_UNLESS : GF_DO_UNMUTE_IF, from[0], 0, 0, 0, GF_NO_INDEX);
        }
    }
    gf_compile_operation(c, GF_OP_SELECT, expr->args[1]->type, to, from, expr->span);
}

static void compile_op(gf_compiler *c, const gf_expr *expr, uint32_t to) {
    if (expr->op == GF_OP_SELECT) {
        compile_select(c, expr, to);
        return;
    }
    uint32_t from[3] = {0};
    for (size_t i = 0; i < expr->arg_count && i < 3; i++) {
        from[i] = gf_compile_expr(c, expr->args[i]);
    }
    gf_compile_operation(c, expr->op, expr->args[0]->type, to, from, expr->span);
}

/* A value, not a jump: through a register of its own, since `to` may be read by the second operand. */
static void compile_logic(gf_compiler *c, const gf_expr *expr, uint32_t to) {
    bool is_and = expr->kind == GF_EXPR_AND;
    uint32_t reg = gf_reg_stack(c), chain = GF_NO_INDEX;
    gf_compile_into(c, expr->args[0], reg);
    gf_jump(c, is_and ? GF_DO_JUMP_UNLESS : GF_DO_JUMP_IF, reg, &chain);
    gf_compile_into(c, expr->args[1], reg);
    gf_patch(c, chain);
    gf_emit(c, GF_DO_MOVE, to, reg, 0, 0, GF_NO_INDEX);
}

static void compile_cast(gf_compiler *c, const gf_expr *expr, uint32_t to) {
    gf_type from_type = expr->args[0]->type;
    uint32_t from = gf_compile_expr(c, expr->args[0]);
    bool floats = gf_type_is_float(from_type) || gf_type_is_float(expr->type);
    unsigned op = GF_DO_CAST;
    if (expr->kind == GF_EXPR_BITCAST) {
        op = GF_DO_BITCAST;
    } else if (keeps_bits(from_type, expr->type)) {
        op = GF_DO_MOVE;
    } else if (!floats) {
        op = expr->type == GF_TYPE_BOOL ? GF_DO_NONZERO : is_64(expr->type) ? GF_DO_SIGN_EXTEND : GF_DO_TRUNCATE;
    }
    gf_emit(c, op, to, from, (uint32_t)from_type << 8 | (uint32_t)expr->type, 0, GF_NO_INDEX);
}

static void compile_atomic(gf_compiler *c, const gf_expr *expr, uint32_t to) {
    uint32_t array = gf_array_index(c, &expr->ref);
    uint32_t index = gf_compile_index(c, expr->args[0]);
    gf_atomic_use use = {.atomic = expr->atomic, .type = expr->ref.symbol->type};
    if (expr->arg_count > 1) {
        use.operand = (uint16_t)gf_compile_expr(c, expr->args[1]);
    }
    if (expr->arg_count > 2) {
        use.desired = (uint16_t)gf_compile_expr(c, expr->args[2]);
    }
    if (c->failed) {
        return;
    }
    if (!c->watched && expr->atomic == GF_ATOMIC_LOAD) {
        gf_emit(c, load_op(use.type), to, index, array, 0, GF_NO_INDEX);
        return;
    }
    gf_push(c->arena, &c->atomics, use);
    gf_emit(c, c->watched ? GF_DO_ATOMIC_WATCHED : GF_DO_ATOMIC, to, index, array, (uint32_t)c->atomics.count - 1,
            gf_place_of(c, expr->span, NULL, expr->ref.symbol, expr->args[0]->type));
}

/* A function is inlined: its arguments are the registers of the values, what it gives goes to `to`. */
static void compile_call(gf_compiler *c, const gf_expr *expr, uint32_t to) {
    const gf_symbol *function = expr->ref.symbol;
    unsigned depth = c->inlined == NULL ? 1 : c->inlined->depth + 1;
    if (depth > GF_INLINE_DEPTH) {
        gf_compile_fault(c, expr->span, "functions call each other too deep for the interpreter");
        return;
    }
    /* All before the first gets its name: a later one may call the same function. */
    uint32_t *regs = gf_new_array(c->arena, uint32_t, expr->arg_count);
    for (size_t i = 0; i < expr->arg_count; i++) {
        regs[i] = gf_compile_expr(c, expr->args[i]);
    }
    for (size_t i = 0; i < expr->arg_count && !c->failed; i++) {
        c->reg_of[function->arguments[i]->id] = regs[i];
    }
    gf_inline call = {.outer = c->inlined, .depth = depth, .result = to, .returns = GF_NO_INDEX};
    gf_level context = c->context;
    gf_loop *loop = c->loop;
    c->inlined = &call;
    c->context = GF_LEVEL_NONE;
    c->loop = NULL;
    gf_compile_lane_block(c, function->body);
    gf_patch(c, call.returns);
    c->loop = loop;
    c->context = context;
    c->inlined = call.outer;
}

void gf_compile_into(gf_compiler *c, const gf_expr *expr, uint32_t to) {
    if (c->failed) {
        return;
    }
    uint32_t mark = c->at.next;
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
    case GF_EXPR_NAME:
    case GF_EXPR_BUILTIN:
    case GF_EXPR_LEN: {
        uint32_t from = gf_compile_expr(c, expr);
        if (from != to) {
            gf_emit(c, GF_DO_MOVE, to, from, 0, 0, GF_NO_INDEX);
        }
        break;
    }
    case GF_EXPR_LOAD: {
        uint32_t array = gf_array_index(c, &expr->ref);
        uint32_t index = gf_compile_index(c, expr->args[0]);
        gf_compile_load(c, expr->ref.symbol, array, expr->args[0], index, to, expr->span);
        break;
    }
    case GF_EXPR_OP:
        compile_op(c, expr, to);
        break;
    case GF_EXPR_AND:
    case GF_EXPR_OR:
        compile_logic(c, expr, to);
        break;
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        compile_cast(c, expr, to);
        break;
    case GF_EXPR_ATOMIC:
        compile_atomic(c, expr, to);
        break;
    case GF_EXPR_CALL:
        compile_call(c, expr, to);
        break;
    case GF_EXPR_CROSS:
        gf_compile_fault(c, expr->span, "an operation over all invocations stands inside an expression");
        break;
    }
    c->at.next = mark;
}

uint32_t gf_compile_expr(gf_compiler *c, const gf_expr *expr) {
    if (c->failed) {
        return 0;
    }
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        return gf_reg_constant(c, expr->bits);
    case GF_EXPR_NAME:
        return gf_reg_symbol(c, &expr->ref);
    case GF_EXPR_BUILTIN:
        return compile_builtin(c, expr);
    case GF_EXPR_LEN:
        return compile_len(c, expr);
    case GF_EXPR_CAST:
        if (keeps_bits(expr->args[0]->type, expr->type)) {
            return gf_compile_expr(c, expr->args[0]);
        }
        break;
    case GF_EXPR_LOAD:
    case GF_EXPR_OP:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_BITCAST:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        break;
    }
    uint32_t reg = gf_reg_stack(c);
    gf_compile_into(c, expr, reg);
    return reg;
}

void gf_compile_condition(gf_compiler *c, const gf_expr *expr, bool sense, uint32_t *chain) {
    if (c->failed) {
        return;
    }
    uint32_t mark = c->at.next;
    if (expr->kind == GF_EXPR_OP && expr->op == GF_OP_NOT) {
        gf_compile_condition(c, expr->args[0], !sense, chain);
    } else if (expr->kind == GF_EXPR_AND || expr->kind == GF_EXPR_OR) {
        /* One operand alone decides for `sense`, or both together. */
        if ((expr->kind == GF_EXPR_OR) == sense) {
            gf_compile_condition(c, expr->args[0], sense, chain);
            gf_compile_condition(c, expr->args[1], sense, chain);
        } else {
            uint32_t past = GF_NO_INDEX;
            gf_compile_condition(c, expr->args[0], !sense, &past);
            gf_compile_condition(c, expr->args[1], sense, chain);
            gf_patch(c, past);
        }
    } else {
        gf_jump(c, sense ? GF_DO_JUMP_IF : GF_DO_JUMP_UNLESS, gf_compile_expr(c, expr), chain);
    }
    c->at.next = mark;
}
