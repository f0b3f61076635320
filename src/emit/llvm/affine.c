/* Which accesses of a loop have an index of the form base + c * variable, with a base that does not change in the loop.
 *
 * Bases are computed in 64 bits modulo 2^64. The language computes in 32 bits modulo 2^32, where the types are such;
 * both are images of the same integer, so where the 64-bit value lies in [0, 2^32) (for signed types [0, 2^31)) it is
 * the 32-bit one too. As the coefficient is small and the guard refuses loops longer than 2^40, the values for the
 * first and last turn bound all others: a run that left [0, length) in between would have to go around all 2^64
 * numbers. */
#include "emit/llvm/emitter.h"
#include "ir/visit.h"

#define COEFFICIENT_LIMIT ((int64_t)1 << 20)
#define LONGEST ((uint64_t)1 << 40) /* how far the variable goes where this file has an opinion */
#define BUDGET 96                   /* nodes looked at for one index: lets are looked into again at each use */
#define MOST_ACCESSES 32
#define MOST_CALLS 4

typedef struct finder {
    gf_emit *e;
    gf_affine_loop *loop;
    unsigned budget;
    uint64_t call; /* the call being looked into */
    unsigned depth;
    const gf_visitor *visitor;
} finder;

/* base, low, high NULL: 0. */
typedef struct affine {
    bool ok;
    LLVMValueRef base;
    int64_t coefficient;
    gf_inner inner[GF_MOST_INNER];
    unsigned inner_count;
} affine;

static const affine failed = {0};

/* ---- what changes in the loop ---- */

static bool mark_stmt(void *user, const gf_stmt *stmt) {
    finder *f = user;
    if (stmt->target.symbol == NULL) {
        return true;
    }
    gf_named *name = gf_name(f->e, stmt->target.symbol);
    switch (stmt->kind) {
    case GF_STMT_FOR:
        name->loop = stmt;
        name->inside = f->e->stamp;
        break;
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_FORALL:
        name->inside = f->e->stamp;
        break;
    case GF_STMT_ASSIGN:
        name->assigned = f->e->stamp;
        break;
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_IF:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COLLECTIVE:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        break;
    }
    return true;
}

/* ---- one index ---- */

static affine decompose(finder *f, const gf_expr *expr);

static affine invariant(LLVMValueRef value) {
    return (affine){.ok = true, .base = value};
}

/* Adds what another index has of loops inside, times `sign`. */
static bool add_inner(affine *sum, const affine *other, int64_t sign) {
    for (unsigned i = 0; i < other->inner_count; i++) {
        unsigned k = 0;
        while (k < sum->inner_count && sum->inner[k].variable != other->inner[i].variable) {
            k++;
        }
        if (k == GF_MOST_INNER) {
            return false;
        }
        if (k == sum->inner_count) {
            sum->inner[sum->inner_count++] = (gf_inner){.variable = other->inner[i].variable};
        }
        sum->inner[k].coefficient += sign * other->inner[i].coefficient;
    }
    return true;
}

static affine plus(finder *f, affine a, affine b, bool minus) {
    LLVMBuilderRef builder = f->e->ll.builder;
    if (!a.ok || !b.ok) {
        return failed;
    }
    affine sum = a;
    sum.coefficient += minus ? -b.coefficient : b.coefficient;
    if (!add_inner(&sum, &b, minus ? -1 : 1)) {
        return failed;
    }
    LLVMValueRef left = a.base != NULL ? a.base : gf_i64(f->e, 0);
    if (b.base != NULL) {
        sum.base = minus ? LLVMBuildSub(builder, left, b.base, "") : LLVMBuildAdd(builder, left, b.base, "");
    }
    return sum;
}

static bool is_varying(const affine *a) {
    return a->coefficient != 0 || a->inner_count > 0;
}

static bool is_small(int64_t coefficient) {
    return coefficient > -COEFFICIENT_LIMIT && coefficient < COEFFICIENT_LIMIT;
}

/* One side must be a constant where the other varies. */
static affine times(finder *f, affine a, affine b) {
    LLVMBuilderRef builder = f->e->ll.builder;
    if (!a.ok || !b.ok || (is_varying(&a) && is_varying(&b))) {
        return failed;
    }
    if (is_varying(&b)) {
        affine swap = a;
        a = b;
        b = swap;
    }
    LLVMValueRef scale = b.base != NULL ? b.base : gf_i64(f->e, 0);
    affine product = a;
    product.base = a.base != NULL ? LLVMBuildMul(builder, a.base, scale, "") : NULL;
    if (!is_varying(&a)) {
        return product;
    }
    int64_t constant = LLVMIsAConstantInt(scale) != NULL ? LLVMConstIntGetSExtValue(scale) : COEFFICIENT_LIMIT;
    if (!is_small(constant) || !is_small(a.coefficient)) {
        return failed;
    }
    product.coefficient = a.coefficient * constant;
    for (unsigned i = 0; i < product.inner_count; i++) {
        if (!is_small(a.inner[i].coefficient)) {
            return failed;
        }
        product.inner[i].coefficient = a.inner[i].coefficient * constant;
    }
    return product;
}

static affine of_name(finder *f, const gf_expr *expr) {
    gf_emit *e = f->e;
    const gf_symbol *symbol = expr->ref.symbol;
    if (symbol == f->loop->variable) {
        return (affine){.ok = true, .coefficient = 1};
    }
    if (symbol->kind == GF_SYMBOL_CONST) {
        return invariant(gf_extend(e, symbol->type, gf_ll_bits(&e->ll, symbol->type, symbol->constant.bits)));
    }
    const gf_named *name = gf_name(e, symbol);
    if (symbol->kind == GF_SYMBOL_ARGUMENT && name->definition != NULL) {
        return decompose(f, name->definition);
    }
    if (name->inside == e->stamp && symbol->kind == GF_SYMBOL_LOOP && name->loop != NULL) {
        affine inner = {.ok = true, .inner_count = 1};
        inner.inner[0] = (gf_inner){.variable = symbol, .coefficient = 1};
        return inner;
    }
    if (name->inside == e->stamp) {
        return symbol->kind == GF_SYMBOL_LET && name->definition != NULL ? decompose(f, name->definition) : failed;
    }
    if (name->assigned == e->stamp || (name->value == NULL && name->slot == NULL)) {
        return failed;
    }
    return invariant(gf_extend(e, symbol->type, gf_emit_expr(e, expr)));
}

static affine of_builtin(finder *f, const gf_expr *expr) {
    gf_emit *e = f->e;
    if (!f->loop->is_lane) {
        return invariant(gf_extend(e, expr->type, gf_emit_expr(e, expr)));
    }
    bool one_axis = e->in_group && e->tree->kernel.workgroup[1] <= 1 && e->tree->kernel.workgroup[2] <= 1;
    LLVMValueRef base = NULL;
    switch (expr->builtin) {
    case GF_BUILTIN_GID:
        if (expr->axis == GF_AXIS_X) {
            base = e->lane_gid != NULL ? gf_extend(e, GF_TYPE_U32, e->lane_gid) : NULL;
            return (affine){.ok = true, .base = base, .coefficient = 1};
        }
        if (expr->axis == GF_AXIS_LINEAR) {
            /* Of this row, at x = 0 or at the first lane: the rest is the variable. */
            LLVMValueRef id = e->gid[0];
            e->gid[0] = e->lane_gid != NULL ? e->lane_gid : gf_i32(e, 0);
            base = gf_extend(e, GF_TYPE_U32, gf_emit_builtin(e, GF_BUILTIN_GID, GF_AXIS_LINEAR));
            e->gid[0] = id;
            return (affine){.ok = true, .base = base, .coefficient = 1};
        }
        break;
    case GF_BUILTIN_LID:
        if (!e->in_group) {
            return failed;
        }
        if (expr->axis == GF_AXIS_X || (expr->axis == GF_AXIS_LINEAR && one_axis)) {
            return (affine){.ok = true, .coefficient = 1};
        }
        if (expr->axis == GF_AXIS_LINEAR) {
            return failed;
        }
        break;
    case GF_BUILTIN_WID:
        if (!e->in_group) {
            return failed;
        }
        break;
    case GF_BUILTIN_GRID_SIZE:
    case GF_BUILTIN_GROUP_SIZE:
    case GF_BUILTIN_SPACE:
    case GF_BUILTIN_RANK:
    case GF_BUILTIN_RANKS:
        break;
    }
    return invariant(gf_extend(e, expr->type, gf_emit_expr(e, expr)));
}

static affine of_op(finder *f, const gf_expr *expr) {
    affine a, b;
    if (!gf_type_is_integer(expr->type)) {
        return failed;
    }
    if (expr->op == GF_OP_ADD || expr->op == GF_OP_SUB || expr->op == GF_OP_MUL) {
        a = decompose(f, expr->args[0]);
        b = decompose(f, expr->args[1]);
        return expr->op == GF_OP_MUL ? times(f, a, b) : plus(f, a, b, expr->op == GF_OP_SUB);
    }
    if (expr->op == GF_OP_NEG) {
        return plus(f, invariant(NULL), decompose(f, expr->args[0]), true);
    }
    if (expr->op == GF_OP_SHL) {
        a = decompose(f, expr->args[0]);
        b = decompose(f, expr->args[1]);
        if (!a.ok || !b.ok || is_varying(&b) || b.base == NULL || LLVMIsAConstantInt(b.base) == NULL) {
            return failed;
        }
        uint64_t width = 8 * gf_type_bytes(expr->type);
        uint64_t shift = LLVMConstIntGetZExtValue(b.base) % width;
        return times(f, a, invariant(gf_i64(f->e, (uint64_t)1 << shift)));
    }
    return failed;
}

/* The variable as it is, through whatever names. */
static bool is_variable(const finder *f, const gf_expr *expr) {
    while (expr->kind == GF_EXPR_NAME && expr->ref.symbol != f->loop->variable &&
           expr->ref.symbol->kind != GF_SYMBOL_LOOP) {
        const gf_symbol *symbol = expr->ref.symbol;
        bool names = symbol->kind == GF_SYMBOL_LET || symbol->kind == GF_SYMBOL_ARGUMENT;
        expr = names ? gf_name(f->e, symbol)->definition : NULL;
        if (expr == NULL) {
            return false;
        }
    }
    return expr->kind == GF_EXPR_NAME || expr->kind == GF_EXPR_BUILTIN;
}

static affine of_cast(finder *f, const gf_expr *expr) {
    const gf_expr *inner = expr->args[0];
    if (!gf_type_is_integer(expr->type) || !gf_type_is_integer(inner->type)) {
        return failed;
    }
    affine a = decompose(f, inner);
    if (!a.ok || gf_type_bytes(expr->type) <= gf_type_bytes(inner->type)) {
        return a;
    }
    /* Widening: the value must be that of the narrow type, which it is for the variable itself. */
    bool alone = a.inner_count == 0 ? a.coefficient == 1
                                    : a.inner_count == 1 && a.coefficient == 0 && a.inner[0].coefficient == 1;
    return alone && a.base == NULL && is_variable(f, inner) ? a : failed;
}

static affine decompose(finder *f, const gf_expr *expr) {
    if (f->budget == 0) {
        return failed;
    }
    f->budget--;
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        return invariant(gf_extend(f->e, expr->type, gf_emit_expr(f->e, expr)));
    case GF_EXPR_LEN:
        return invariant(gf_extend(f->e, expr->type, gf_emit_expr(f->e, expr)));
    case GF_EXPR_NAME:
        return gf_type_is_integer(expr->type) ? of_name(f, expr) : failed;
    case GF_EXPR_BUILTIN:
        return of_builtin(f, expr);
    case GF_EXPR_OP:
        return of_op(f, expr);
    case GF_EXPR_CAST:
        return of_cast(f, expr);
    case GF_EXPR_LOAD:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_BITCAST:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        break;
    }
    return failed;
}

/* ---- all of them ---- */

/* A bound whose value in 64 bits is that in its own type: a constant, a length, what was computed before the loop. Of a
 * sum that might wrap it is not known. */
static bool is_plain(const finder *f, const gf_expr *expr) {
    if (expr->kind != GF_EXPR_NAME || expr->ref.symbol->kind == GF_SYMBOL_CONST) {
        return expr->kind == GF_EXPR_LITERAL || expr->kind == GF_EXPR_LEN || expr->kind == GF_EXPR_NAME;
    }
    const gf_named *name = gf_name(f->e, expr->ref.symbol);
    return name->inside != f->e->stamp && name->definition == NULL;
}

/* Which values a variable of a loop inside takes: from .. to, which must not change in the loop that proves. Gives the
 * least and the largest times the coefficient. Of an empty loop it may be anything: then the guard fails, or does no
 * harm. */
static bool inner_range(finder *f, const gf_inner *inner, LLVMValueRef *low, LLVMValueRef *high) {
    gf_emit *e = f->e;
    LLVMBuilderRef b = e->ll.builder;
    const gf_stmt *loop = gf_name(e, inner->variable)->loop;
    if (!is_small(inner->coefficient) || inner->coefficient == 0 ||
        (loop->step != NULL && (loop->step->kind != GF_EXPR_LITERAL || loop->step->bits != 1))) {
        return false;
    }
    affine from = decompose(f, loop->from), to = decompose(f, loop->to);
    if (!from.ok || !to.ok || is_varying(&from) || is_varying(&to) || !is_plain(f, loop->from) ||
        !is_plain(f, loop->to)) {
        return false;
    }
    LLVMValueRef scale = gf_i64(e, (uint64_t)inner->coefficient);
    LLVMValueRef first = from.base != NULL ? from.base : gf_i64(e, 0), end = to.base != NULL ? to.base : gf_i64(e, 0);
    LLVMValueRef at_first = LLVMBuildMul(b, first, scale, "");
    LLVMValueRef at_last = LLVMBuildMul(b, LLVMBuildSub(b, end, gf_i64(e, 1), ""), scale, "");
    *low = inner->coefficient > 0 ? at_first : at_last;
    *high = inner->coefficient > 0 ? at_last : at_first;
    return true;
}

static bool add_ranges(finder *f, const affine *a, gf_proven *proven) {
    LLVMBuilderRef b = f->e->ll.builder;
    for (unsigned i = 0; i < a->inner_count; i++) {
        LLVMValueRef low = NULL, high = NULL;
        if (!inner_range(f, &a->inner[i], &low, &high)) {
            return false;
        }
        proven->low = proven->low != NULL ? LLVMBuildAdd(b, proven->low, low, "") : low;
        proven->high = proven->high != NULL ? LLVMBuildAdd(b, proven->high, high, "") : high;
        proven->inner[proven->inner_count++] = a->inner[i];
    }
    return true;
}

static void try_access(finder *f, const void *node, const gf_symbol *array, const gf_expr *index) {
    gf_emit *e = f->e;
    const gf_named *name = gf_name(e, array);
    /* What is declared inside has no place yet where bases are computed. */
    bool is_inside = array->kind == GF_SYMBOL_VAR && (name->inside == e->stamp || name->slot == NULL);
    bool is_reduced = name->array != NULL && name->array->is_reduced;
    if (is_inside || is_reduced || e->proven.count - f->loop->first >= MOST_ACCESSES ||
        gf_find_proven(e, node, f->call) != NULL) {
        return;
    }
    f->budget = BUDGET;
    affine a = decompose(f, index);
    if (!a.ok || !is_varying(&a) || !is_small(a.coefficient)) {
        return;
    }
    gf_proven proven = {.node = node,
                        .call = f->call,
                        .array = array,
                        .type = index->type,
                        .base = a.base != NULL ? a.base : gf_i64(e, 0),
                        .coefficient = a.coefficient};
    if (add_ranges(f, &a, &proven)) {
        gf_push(e->arena, &e->proven, proven);
    }
}

/* What stands in the function, its arguments being what they are here. */
static void look_into(finder *f, const gf_expr *call) {
    const gf_symbol *function = call->ref.symbol;
    uint64_t outer = f->call;
    if (f->depth >= MOST_CALLS) {
        return;
    }
    f->call = gf_call_key(outer, call);
    f->depth++;
    for (size_t i = 0; i < call->arg_count; i++) {
        gf_name(f->e, function->arguments[i])->definition = call->args[i];
    }
    gf_visit_block(f->visitor, function->body);
    for (size_t i = 0; i < call->arg_count; i++) {
        gf_name(f->e, function->arguments[i])->definition = NULL;
    }
    f->depth--;
    f->call = outer;
}

static bool find_expr(void *user, const gf_expr *expr) {
    finder *f = user;
    if (expr->kind == GF_EXPR_CALL) {
        look_into(f, expr);
    }
    if (expr->kind == GF_EXPR_LOAD || expr->kind == GF_EXPR_ATOMIC) {
        try_access(f, expr, expr->ref.symbol, expr->args[0]);
    }
    return true;
}

/* Whether `a == b` holds for one lane alone: where the difference, lane + base or base - lane, is 0 modulo 2^32. A lane
 * is less than that. */
static void try_single(finder *f, const gf_stmt *stmt) {
    gf_emit *e = f->e;
    const gf_expr *equal = stmt->value;
    if (!f->loop->is_lane || f->depth > 0 || f->loop->single_count == GF_MOST_SINGLES || equal->kind != GF_EXPR_OP ||
        equal->op != GF_OP_EQ || !gf_type_is_integer(equal->args[0]->type) ||
        gf_type_bytes(equal->args[0]->type) != 4) {
        return;
    }
    f->budget = BUDGET;
    affine a = plus(f, decompose(f, equal->args[0]), decompose(f, equal->args[1]), true);
    if (!a.ok || a.inner_count > 0 || (a.coefficient != 1 && a.coefficient != -1)) {
        return;
    }
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef lane = a.base != NULL ? a.base : gf_i64(e, 0);
    lane = a.coefficient == 1 ? LLVMBuildSub(b, gf_i64(e, 0), lane, "") : lane;
    lane = LLVMBuildAnd(b, lane, gf_i64(e, UINT32_MAX), "");
    f->loop->singles[f->loop->single_count++] = (gf_single){.stmt = stmt, .lane = lane};
}

static bool find_stmt(void *user, const gf_stmt *stmt) {
    finder *f = user;
    if (stmt->kind == GF_STMT_STORE) {
        try_access(f, stmt, stmt->target.symbol, stmt->index);
    } else if (stmt->kind == GF_STMT_IF) {
        try_single(f, stmt);
    }
    return true;
}

void gf_affine_find(gf_emit *e, gf_affine_loop *loop) {
    finder f = {.e = e, .loop = loop};
    loop->first = e->proven.count;
    e->stamp++;
    gf_visitor marks = {.user = &f, .stmt = mark_stmt, .into_calls = true};
    gf_visit_block(&marks, loop->body);
    gf_visitor accesses = {.user = &f, .stmt = find_stmt, .expr = find_expr};
    f.visitor = &accesses;
    f.call = e->call;
    gf_visit_block(&accesses, loop->body);
    loop->end = e->proven.count;
}

/* One past the largest index that the type can say and the array has. */
static LLVMValueRef limit_of(gf_emit *e, const gf_proven *proven) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef count = gf_array_count(e, proven->array);
    if (gf_type_bytes(proven->type) == 8) {
        return count;
    }
    LLVMValueRef most = gf_i64(e, gf_type_is_signed(proven->type) ? (uint64_t)1 << 31 : (uint64_t)1 << 32);
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, count, most, ""), count, most, "");
}

static LLVMValueRef is_inside(gf_emit *e, const gf_proven *proven, LLVMValueRef variable, LLVMValueRef more,
                              LLVMValueRef limit) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef scaled = LLVMBuildMul(b, variable, gf_i64(e, (uint64_t)proven->coefficient), "");
    LLVMValueRef index = LLVMBuildAdd(b, proven->base, scaled, "");
    index = more != NULL ? LLVMBuildAdd(b, index, more, "") : index;
    return LLVMBuildICmp(b, LLVMIntULT, index, limit, "");
}

/* The first and the last bound all between only where they are not too far apart. */
static LLVMValueRef is_short(gf_emit *e, LLVMValueRef first, LLVMValueRef last) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef shifted = LLVMBuildAdd(b, LLVMBuildSub(b, last, first, ""), gf_i64(e, LONGEST), "");
    return LLVMBuildICmp(b, LLVMIntULT, shifted, gf_i64(e, 2 * LONGEST), "");
}

/* At all corners: the first and last turn of this loop, the least and largest that loops inside add. */
static LLVMValueRef guard_one(gf_emit *e, const gf_proven *proven, LLVMValueRef first, LLVMValueRef last) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef limit = limit_of(e, proven);
    LLVMValueRef holds = LLVMBuildAnd(b, is_inside(e, proven, first, proven->low, limit),
                                      is_inside(e, proven, last, proven->high, limit), "");
    if (proven->low != NULL) {
        holds = LLVMBuildAnd(b, holds, is_short(e, proven->low, proven->high), "");
    }
    if (proven->low != NULL && proven->coefficient < 0) {
        holds = LLVMBuildAnd(b, holds, is_inside(e, proven, first, proven->high, limit), "");
        holds = LLVMBuildAnd(b, holds, is_inside(e, proven, last, proven->low, limit), "");
    }
    return holds;
}

static bool is_zero(LLVMValueRef value) {
    return LLVMIsAConstantInt(value) != NULL && LLVMConstIntGetZExtValue(value) == 0;
}

static bool is_plain_index(const gf_affine_loop *loop, const gf_proven *proven) {
    return loop->is_short && loop->grows && loop->variable->type == GF_TYPE_U32 && proven->coefficient == 1 &&
           proven->inner_count == 0 && is_zero(proven->base);
}

/* Of accesses whose index is the variable itself the shortest array speaks for all, as in `col[e]` and `val[e]`; and as
 * the variable only grows, from a value of 32 bits, its last one speaks for all turns. */
static LLVMValueRef guard_plain(gf_emit *e, const gf_affine_loop *loop, LLVMValueRef last) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef limit = NULL;
    for (size_t i = loop->first; i < loop->end; i++) {
        const gf_proven *proven = &e->proven.items[i];
        if (is_plain_index(loop, proven)) {
            LLVMValueRef one = limit_of(e, proven);
            limit =
                limit == NULL ? one : LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, one, limit, ""), one, limit, "");
        }
    }
    return limit != NULL ? LLVMBuildICmp(b, LLVMIntULT, last, limit, "") : NULL;
}

LLVMValueRef gf_affine_guard(gf_emit *e, const gf_affine_loop *loop, LLVMValueRef first, LLVMValueRef last) {
    LLVMValueRef all = loop->is_short ? NULL : is_short(e, first, last);
    LLVMValueRef plain = guard_plain(e, loop, last);
    if (plain != NULL) {
        all = all == NULL ? plain : LLVMBuildAnd(e->ll.builder, all, plain, "");
    }
    for (size_t i = loop->first; i < loop->end; i++) {
        if (!is_plain_index(loop, &e->proven.items[i])) {
            LLVMValueRef one = guard_one(e, &e->proven.items[i], first, last);
            all = all == NULL ? one : LLVMBuildAnd(e->ll.builder, all, one, "");
        }
    }
    return all;
}

static LLVMValueRef larger(gf_emit *e, LLVMValueRef a, LLVMValueRef b, bool smaller) {
    LLVMIntPredicate order = smaller ? LLVMIntSLT : LLVMIntSGT;
    return LLVMBuildSelect(e->ll.builder, LLVMBuildICmp(e->ll.builder, order, a, b, ""), a, b, "");
}

static LLVMValueRef is_near(gf_emit *e, LLVMValueRef value, LLVMValueRef far) {
    LLVMValueRef shifted = LLVMBuildAdd(e->ll.builder, value, far, "");
    return LLVMBuildICmp(e->ll.builder, LLVMIntULT, shifted, gf_i64(e, (uint64_t)1 << 63), "");
}

void gf_affine_range(gf_emit *e, const gf_affine_loop *loop, LLVMValueRef from, LLVMValueRef to, LLVMValueRef *low,
                     LLVMValueRef *high) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef lower = from, upper = to, holds = NULL;
    LLVMValueRef last = LLVMBuildSub(b, to, gf_i64(e, 1), "");
    for (size_t i = loop->first; i < loop->end; i++) {
        const gf_proven *proven = &e->proven.items[i];
        LLVMValueRef fine = NULL;
        if (proven->coefficient == 1) {
            /* -base <= variable < limit - base, where neither is anywhere near the ends of 64 bits. */
            LLVMValueRef limit = limit_of(e, proven), far = gf_i64(e, (uint64_t)1 << 62);
            LLVMValueRef least = proven->low != NULL ? LLVMBuildAdd(b, proven->base, proven->low, "") : proven->base;
            LLVMValueRef most = proven->high != NULL ? LLVMBuildAdd(b, proven->base, proven->high, "") : proven->base;
            fine = is_near(e, least, far);
            if (proven->high != NULL) {
                fine = LLVMBuildAnd(b, fine, is_near(e, most, far), "");
                fine = LLVMBuildAnd(b, fine, is_short(e, proven->low, proven->high), "");
            }
            lower = larger(e, lower, LLVMBuildSub(b, gf_i64(e, 0), least, ""), false);
            upper = larger(e, upper, LLVMBuildSub(b, limit, most, ""), true);
        } else {
            fine = guard_one(e, proven, from, last);
        }
        holds = holds == NULL ? fine : LLVMBuildAnd(b, holds, fine, "");
    }
    if (holds != NULL) {
        upper = LLVMBuildSelect(b, holds, upper, from, "");
    }
    *low = lower;
    *high = upper;
}
