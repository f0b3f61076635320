#include "emit/ptx/index.h"
#include "ir/make.h"
#include "ir/visit.h"

#define MOST_NODES 48 /* of a closed expression */

/* ---- closed expressions ---- */

static bool count_node(void *user, const gf_expr *expr) {
    unsigned *count = user;
    (void)expr;
    ++*count;
    return true;
}

static const gf_expr *close_builtin(gf_ptx_emit *e, const gf_expr *expr) {
    const gf_kernel_decl *kernel = &e->tree->kernel;
    bool has_row = kernel->space_kind == GF_SPACE_ITEMS || kernel->space_kind == GF_SPACE_GROUPS;
    if (expr->builtin == GF_BUILTIN_LID || expr->builtin == GF_BUILTIN_WID) {
        return NULL;
    }
    if (expr->builtin != GF_BUILTIN_GID || expr->axis != GF_AXIS_LINEAR) {
        return expr;
    }
    if (!has_row || kernel->space_axes > 2) {
        return NULL;
    }
    const gf_expr *x = gf_make_builtin(e->arena, GF_BUILTIN_GID, GF_AXIS_X);
    if (kernel->space_axes < 2) {
        return x;
    }
    const gf_expr *row = gf_make_op2(e->arena, GF_OP_MUL, gf_make_builtin(e->arena, GF_BUILTIN_GID, GF_AXIS_Y),
                                     gf_make_builtin(e->arena, GF_BUILTIN_SPACE, GF_AXIS_X));
    return gf_make_op2(e->arena, GF_OP_ADD, row, x);
}

/* A function that only gives names to values and one of them back. */
static const gf_expr *close_call(gf_ptx_emit *e, const gf_expr *expr) {
    const gf_symbol *function = expr->ref.symbol;
    const gf_expr **args = gf_new_array(e->arena, const gf_expr *, expr->arg_count);
    for (size_t i = 0; i < expr->arg_count; i++) {
        args[i] = gf_ptx_close(e, expr->args[i]);
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        gf_ptx_close_name(e, function->arguments[i], args[i]);
    }
    for (size_t i = 0; function->body != NULL && i < function->body->count; i++) {
        const gf_stmt *stmt = function->body->items[i];
        if (stmt->kind == GF_STMT_RETURN && stmt->value != NULL) {
            return gf_ptx_close(e, stmt->value);
        }
        if (stmt->kind != GF_STMT_LET) {
            return NULL;
        }
        gf_ptx_close_name(e, stmt->target.symbol, gf_ptx_close(e, stmt->value));
    }
    return NULL;
}

static const gf_expr *close_args(gf_ptx_emit *e, const gf_expr *expr) {
    gf_expr copy = *expr;
    const gf_expr **args = gf_new_array(e->arena, const gf_expr *, expr->arg_count);
    for (size_t i = 0; i < expr->arg_count; i++) {
        args[i] = gf_ptx_close(e, expr->args[i]);
        if (args[i] == NULL) {
            return NULL;
        }
    }
    copy.args = args;
    return gf_arena_copy(e->arena, &copy, sizeof copy);
}

static const gf_expr *close_name(gf_ptx_emit *e, const gf_expr *expr) {
    switch (expr->ref.symbol->kind) {
    case GF_SYMBOL_CONST:
    case GF_SYMBOL_PARAM:
        return expr;
    case GF_SYMBOL_LET:
    case GF_SYMBOL_ARGUMENT:
        return gf_ptx_name_of(e, expr->ref.symbol)->closed;
    case GF_SYMBOL_VAR:
    case GF_SYMBOL_LOOP:
    case GF_SYMBOL_BUFFER:
    case GF_SYMBOL_SHARED:
    case GF_SYMBOL_FUNCTION:
        break;
    }
    return NULL;
}

static const gf_expr *close_any(gf_ptx_emit *e, const gf_expr *expr) {
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
    case GF_EXPR_LEN:
        return expr;
    case GF_EXPR_NAME:
        return close_name(e, expr);
    case GF_EXPR_BUILTIN:
        return close_builtin(e, expr);
    case GF_EXPR_OP:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        return close_args(e, expr);
    case GF_EXPR_CALL:
        return close_call(e, expr);
    case GF_EXPR_LOAD:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
        break;
    }
    return NULL;
}

const gf_expr *gf_ptx_close(gf_ptx_emit *e, const gf_expr *expr) {
    const gf_expr *closed = close_any(e, expr);
    unsigned count = 0;
    gf_visitor visitor = {.user = &count, .expr = count_node};
    gf_visit_expr(&visitor, closed);
    return count <= MOST_NODES ? closed : NULL;
}

void gf_ptx_close_name(gf_ptx_emit *e, const gf_symbol *symbol, const gf_expr *closed) {
    gf_ptx_name_of(e, symbol)->closed = closed;
}

/* ---- what stands there ---- */

typedef struct question {
    gf_axis axis;
    bool any; /* axis of gid, whichever */
    bool found;
} question;

static bool look_for_axis(void *user, const gf_expr *expr) {
    question *q = user;
    q->found |= expr->kind == GF_EXPR_BUILTIN && expr->builtin == GF_BUILTIN_GID && (q->any || expr->axis == q->axis);
    return !q->found;
}

static bool ask(const gf_expr *closed, question q) {
    gf_visitor visitor = {.user = &q, .expr = look_for_axis};
    gf_visit_expr(&visitor, closed);
    return q.found;
}

bool gf_ptx_knows_axis(const gf_expr *closed, gf_axis axis) {
    return ask(closed, (question){.axis = axis});
}

static bool is_uniform(const gf_expr *closed) {
    return !ask(closed, (question){.any = true});
}

/* ---- sums ---- */

static bool constant_of(const gf_expr *expr, uint64_t *bits) {
    if (expr->kind == GF_EXPR_LITERAL) {
        *bits = expr->bits;
        return true;
    }
    if (expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind == GF_SYMBOL_CONST) {
        *bits = expr->ref.symbol->constant.bits;
        return true;
    }
    return false;
}

static bool add_atom(gf_ptx_sum *sum, const gf_expr *atom, uint64_t factor) {
    if (gf_ptx_knows_axis(atom, GF_AXIS_X)) {
        return false;
    }
    for (size_t i = 0; i < sum->count; i++) {
        if (gf_equal_expr(sum->terms[i].atom, atom)) {
            sum->terms[i].factor += factor;
            return true;
        }
    }
    if (sum->count == GF_PTX_MOST_TERMS) {
        return false;
    }
    sum->terms[sum->count++] = (gf_ptx_term){.atom = atom, .factor = factor};
    return true;
}

static bool add(gf_ptx_sum *sum, const gf_expr *expr, uint64_t factor);

static bool add_op(gf_ptx_sum *sum, const gf_expr *expr, uint64_t factor) {
    const gf_expr *a = expr->args[0], *b = expr->arg_count > 1 ? expr->args[1] : NULL;
    uint64_t bits = 0;
    if (expr->op == GF_OP_ADD) {
        return add(sum, a, factor) && add(sum, b, factor);
    }
    if (expr->op == GF_OP_SUB) {
        return add(sum, a, factor) && add(sum, b, 0 - factor);
    }
    if (expr->op == GF_OP_NEG) {
        return add(sum, a, 0 - factor);
    }
    if (expr->op == GF_OP_MUL && constant_of(b, &bits)) {
        return add(sum, a, factor * bits);
    }
    if (expr->op == GF_OP_MUL && constant_of(a, &bits)) {
        return add(sum, b, factor * bits);
    }
    if (expr->op == GF_OP_SHL && constant_of(b, &bits)) {
        return add(sum, a, factor << (bits & (8 * gf_type_bytes(expr->type) - 1)));
    }
    return add_atom(sum, expr, factor);
}

static bool is_x(const gf_expr *expr) {
    return expr->kind == GF_EXPR_BUILTIN && expr->builtin == GF_BUILTIN_GID && expr->axis == GF_AXIS_X;
}

/* Between integers of 32 bits a cast changes nothing here; gid.x is wide as it is. */
static bool add_cast(gf_ptx_sum *sum, const gf_expr *expr, uint64_t factor) {
    const gf_expr *from = expr->args[0];
    bool same = gf_type_is_integer(from->type) && gf_type_bytes(from->type) == gf_type_bytes(expr->type);
    return same || is_x(from) ? add(sum, from, factor) : add_atom(sum, expr, factor);
}

static bool add(gf_ptx_sum *sum, const gf_expr *expr, uint64_t factor) {
    uint64_t bits = 0;
    if (constant_of(expr, &bits)) {
        sum->constant += factor * bits;
        return true;
    }
    if (is_x(expr)) {
        sum->x += factor;
        return true;
    }
    return expr->kind == GF_EXPR_OP     ? add_op(sum, expr, factor)
           : expr->kind == GF_EXPR_CAST ? add_cast(sum, expr, factor)
                                        : add_atom(sum, expr, factor);
}

/* Factors in the width of the type; what is taken away again is not there. */
static void tidy(gf_ptx_sum *sum) {
    uint64_t mask = gf_type_bytes(sum->type) == 8 ? UINT64_MAX : UINT32_MAX;
    size_t kept = 0;
    sum->constant &= mask;
    sum->x &= mask;
    for (size_t i = 0; i < sum->count; i++) {
        sum->terms[i].factor &= mask;
        if (sum->terms[i].factor != 0) {
            sum->terms[kept++] = sum->terms[i];
        }
    }
    sum->count = kept;
}

gf_ptx_sum gf_ptx_sum_of(const gf_expr *closed) {
    bool widened =
        closed->kind == GF_EXPR_CAST && closed->args[0]->type == GF_TYPE_U32 && gf_type_bytes(closed->type) == 8;
    const gf_expr *index = widened ? closed->args[0] : closed;
    gf_ptx_sum sum = {.type = index->type};
    bool fits = gf_type_is_integer(index->type) && gf_type_bytes(index->type) >= 4;
    if (!fits || !add(&sum, index, 1)) {
        return (gf_ptx_sum){.type = GF_TYPE_NONE};
    }
    tidy(&sum);
    return sum;
}

static bool has_term(const gf_ptx_sum *sum, const gf_ptx_term *term) {
    for (size_t i = 0; i < sum->count; i++) {
        if (sum->terms[i].factor == term->factor && gf_equal_expr(sum->terms[i].atom, term->atom)) {
            return true;
        }
    }
    return false;
}

bool gf_ptx_same_sum(const gf_ptx_sum *a, const gf_ptx_sum *b) {
    bool same = a->type == b->type && a->x == b->x && a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        same = has_term(b, &a->terms[i]);
    }
    return same;
}

/* A sum of gid.y and gid.z times what is the same for all, and of what is the same for all. */
static bool grows_evenly(const gf_expr *expr) {
    if (is_uniform(expr) || expr->kind == GF_EXPR_BUILTIN) {
        return true;
    }
    if (expr->kind != GF_EXPR_OP || gf_type_bytes(expr->type) != gf_type_bytes(expr->args[0]->type)) {
        return false;
    }
    if (expr->op == GF_OP_ADD || expr->op == GF_OP_SUB) {
        return grows_evenly(expr->args[0]) && grows_evenly(expr->args[1]);
    }
    return expr->op == GF_OP_MUL && ((is_uniform(expr->args[0]) && grows_evenly(expr->args[1])) ||
                                     (is_uniform(expr->args[1]) && grows_evenly(expr->args[0])));
}

bool gf_ptx_is_even(const gf_ptx_sum *sum) {
    bool even = true;
    for (size_t i = 0; i < sum->count; i++) {
        even = even && grows_evenly(sum->terms[i].atom);
    }
    return even;
}

/* ---- emission ---- */

static gf_pv scaled(gf_ptx_emit *e, gf_type type, gf_pv value, uint64_t factor) {
    return gf_ptx_op(&e->p, GF_OP_MUL, type, type, value, gf_ptx_constant(type, factor), (gf_pv){0});
}

gf_pv gf_ptx_emit_sum(gf_ptx_emit *e, const gf_ptx_sum *sum, uint64_t constant) {
    gf_ptx *p = &e->p;
    gf_type type = sum->type;
    uint64_t minus = gf_type_bytes(type) == 8 ? UINT64_MAX : UINT32_MAX;
    gf_pv total = gf_ptx_constant(type, 0);
    for (size_t i = 0; i < sum->count; i++) {
        gf_pv value = gf_ptx_emit_expr(e, sum->terms[i].atom);
        bool away = sum->terms[i].factor == minus;
        value.type = type;
        value = away || sum->terms[i].factor == 1 ? value : scaled(e, type, value, sum->terms[i].factor);
        total = gf_ptx_op(p, away ? GF_OP_SUB : GF_OP_ADD, type, type, total, value, (gf_pv){0});
    }
    if (sum->x != 0) {
        gf_pv x = gf_type_bytes(type) == 8 ? gf_ptx_extend(p, e->gid[0]) : e->gid[0];
        x.type = type;
        x = scaled(e, type, x, sum->x);
        total = gf_ptx_op(p, GF_OP_ADD, type, type, total, x, (gf_pv){0});
    }
    return gf_ptx_op(p, GF_OP_ADD, type, type, total, gf_ptx_constant(type, constant), (gf_pv){0});
}
