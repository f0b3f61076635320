/* What values an index can have, from what stands in the program: where that is less than a workgroup's or an
 * invocation's array is long, nobody has to look. Unsigned integers only; what is not known is all that the type holds.
 */
#include "base/checked.h"
#include "emit/ptx/emitter.h"

#define DEEPEST 24

typedef gf_ptx_range range;

static range whole(gf_type type) {
    return (range){.most = type == GF_TYPE_U32 || type == GF_TYPE_BOOL ? UINT32_MAX : UINT64_MAX};
}

static range one(uint64_t value) {
    return (range){value, value};
}

static range range_of(gf_ptx_emit *e, const gf_expr *expr, unsigned depth);

static range of_name(gf_ptx_emit *e, const gf_expr *expr) {
    const gf_symbol *symbol = expr->ref.symbol;
    if (symbol->kind == GF_SYMBOL_CONST) {
        return one(symbol->constant.bits);
    }
    const gf_ptx_named *name = gf_ptx_name_of(e, symbol);
    if (name->has_range) {
        return name->range;
    }
    if (name->value.is_constant && name->value.type == expr->type) {
        return one(name->value.bits);
    }
    return whole(expr->type);
}

/* It has just been emitted, and so is among the last. */
static range of_call(const gf_ptx_emit *e, const gf_expr *expr) {
    for (unsigned i = 1; i <= GF_PTX_CALLS && i <= e->call_count; i++) {
        if (e->calls[(e->call_count - i) % GF_PTX_CALLS].call == expr) {
            return e->calls[(e->call_count - i) % GF_PTX_CALLS].result;
        }
    }
    return whole(expr->type);
}

static range of_builtin(gf_ptx_emit *e, const gf_expr *expr) {
    uint64_t size[3], all = 1;
    for (int i = 0; i < 3; i++) {
        size[i] = e->tree->kernel.workgroup[i] > 0 ? e->tree->kernel.workgroup[i] : 1;
        all *= size[i];
    }
    uint64_t count = expr->axis == GF_AXIS_LINEAR ? all : size[expr->axis];
    switch (expr->builtin) {
    case GF_BUILTIN_LID:
        return (range){.most = count - 1};
    case GF_BUILTIN_GROUP_SIZE:
        return one(count);
    case GF_BUILTIN_GID:
    case GF_BUILTIN_WID:
    case GF_BUILTIN_GRID_SIZE:
    case GF_BUILTIN_SPACE:
    case GF_BUILTIN_RANK:
    case GF_BUILTIN_RANKS:
        break;
    }
    return whole(expr->type);
}

/* All ones below the highest bit that a value can have. */
static uint64_t fill(uint64_t most) {
    for (unsigned by = 1; by < 64; by *= 2) {
        most |= most >> by;
    }
    return most;
}

static range of_shift(range a, range by, bool left, gf_type type) {
    uint64_t width = 8 * gf_type_bytes(type), top = whole(type).most;
    if (by.least != by.most || by.most >= width) {
        return left ? whole(type) : (range){.most = a.most};
    }
    if (!left) {
        return (range){a.least >> by.least, a.most >> by.least};
    }
    return a.most <= top >> by.least ? (range){a.least << by.least, a.most << by.least} : whole(type);
}

static range of_division(range a, range b, bool rest) {
    if (rest) { /* by 0: 0 */
        uint64_t most = b.most > 0 ? b.most - 1 : 0;
        return (range){.most = a.most < most ? a.most : most};
    }
    return b.least > 0 ? (range){a.least / b.most, a.most / b.least} : (range){.most = a.most};
}

static range add(range a, range b, gf_type type) {
    uint64_t most = 0;
    return gf_add_u64(a.most, b.most, &most) && most <= whole(type).most ? (range){a.least + b.least, most}
                                                                         : whole(type);
}

static range multiply(range a, range b, gf_type type) {
    uint64_t most = 0;
    return gf_mul_u64(a.most, b.most, &most) && most <= whole(type).most ? (range){a.least * b.least, most}
                                                                         : whole(type);
}

static uint64_t lower(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t higher(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static range of_op(gf_ptx_emit *e, const gf_expr *expr, unsigned depth) {
    gf_type type = expr->type;
    range args[3] = {{0}};
    for (size_t i = 0; i < expr->arg_count && i < 3; i++) {
        args[i] = range_of(e, expr->args[i], depth);
    }
    range a = args[0], b = args[1];
    switch ((int)expr->op) {
    case GF_OP_ADD:
        return add(a, b, type);
    case GF_OP_SUB:
        return a.least >= b.most ? (range){a.least - b.most, a.most - b.least} : whole(type);
    case GF_OP_MUL:
        return multiply(a, b, type);
    case GF_OP_DIV:
    case GF_OP_REM:
        return of_division(a, b, expr->op == GF_OP_REM);
    case GF_OP_AND:
        return (range){.most = lower(a.most, b.most)};
    case GF_OP_OR:
    case GF_OP_XOR:
        return (range){.most = fill(higher(a.most, b.most))};
    case GF_OP_SHL:
    case GF_OP_SHR:
        return of_shift(a, b, expr->op == GF_OP_SHL, type);
    case GF_OP_MIN:
        return (range){lower(a.least, b.least), lower(a.most, b.most)};
    case GF_OP_MAX:
        return (range){higher(a.least, b.least), higher(a.most, b.most)};
    case GF_OP_SELECT:
        return (range){lower(b.least, args[2].least), higher(b.most, args[2].most)};
    case GF_OP_POPCOUNT:
    case GF_OP_CLZ:
    case GF_OP_CTZ:
        return (range){.most = 8 * gf_type_bytes(expr->args[0]->type)};
    default:
        return whole(type);
    }
}

static range of_load(const gf_expr *expr) {
    gf_type stored = expr->ref.symbol->type;
    if (stored == GF_TYPE_U8 || stored == GF_TYPE_U16) {
        return (range){.most = stored == GF_TYPE_U8 ? UINT8_MAX : UINT16_MAX};
    }
    return whole(expr->type);
}

static range of_cast(gf_ptx_emit *e, const gf_expr *expr, unsigned depth) {
    const gf_expr *from = expr->args[0];
    if (from->type == GF_TYPE_BOOL) {
        return (range){.most = 1};
    }
    range r = range_of(e, from, depth);
    return r.most <= whole(expr->type).most ? r : whole(expr->type);
}

static range range_of(gf_ptx_emit *e, const gf_expr *expr, unsigned depth) {
    bool is_known = expr->type == GF_TYPE_U32 || expr->type == GF_TYPE_U64;
    if (depth == 0 || !is_known) {
        return whole(expr->type);
    }
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        return one(expr->bits);
    case GF_EXPR_NAME:
        return of_name(e, expr);
    case GF_EXPR_BUILTIN:
        return of_builtin(e, expr);
    case GF_EXPR_OP:
        return of_op(e, expr, depth - 1);
    case GF_EXPR_CAST:
        return of_cast(e, expr, depth - 1);
    case GF_EXPR_LOAD:
        return of_load(expr);
    case GF_EXPR_LEN:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_BITCAST:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
        break;
    case GF_EXPR_CALL:
        return of_call(e, expr);
    }
    return whole(expr->type);
}

void gf_ptx_note_result(gf_ptx_emit *e, const gf_expr *call, gf_ptx_range result) {
    e->calls[e->call_count % GF_PTX_CALLS].call = call;
    e->calls[e->call_count % GF_PTX_CALLS].result = result;
    e->call_count++;
}

gf_ptx_range gf_ptx_range_of(gf_ptx_emit *e, const gf_expr *expr) {
    return range_of(e, expr, DEEPEST);
}
