#include "ir/make.h"

#include "ir/eval.h"

static gf_expr *new_expr(gf_arena *arena, gf_expr_kind kind, gf_type type) {
    gf_expr *expr = gf_new(arena, gf_expr);
    expr->kind = kind;
    expr->type = type;
    expr->axis = GF_AXIS_NONE;
    return expr;
}

static void set_args(gf_arena *arena, gf_expr *expr, const gf_expr *const *args, size_t count) {
    expr->args = gf_arena_copy(arena, args, count * sizeof *args);
    expr->arg_count = count;
    expr->span = args[0]->span;
}

static gf_ref ref_to(const gf_symbol *symbol) {
    return (gf_ref){.name = symbol->name, .span = symbol->span, .symbol = symbol};
}

const gf_expr *gf_make_literal(gf_arena *arena, gf_type type, uint64_t bits) {
    gf_expr *expr = new_expr(arena, GF_EXPR_LITERAL, type);
    expr->bits = bits;
    expr->is_float = gf_type_is_float(type);
    return expr;
}

const gf_expr *gf_make_name(gf_arena *arena, const gf_symbol *symbol) {
    gf_expr *expr = new_expr(arena, GF_EXPR_NAME, symbol->type);
    expr->ref = ref_to(symbol);
    expr->span = symbol->span;
    return expr;
}

const gf_expr *gf_make_builtin(gf_arena *arena, gf_builtin builtin, gf_axis axis) {
    gf_expr *expr = new_expr(arena, GF_EXPR_BUILTIN, GF_TYPE_U32);
    expr->builtin = builtin;
    expr->axis = axis;
    return expr;
}

static const gf_expr *make_op(gf_arena *arena, gf_op op, const gf_expr *const *args, size_t count) {
    const gf_expr *typed = args[op == GF_OP_SELECT ? 1 : 0];
    gf_expr *expr = new_expr(arena, GF_EXPR_OP, gf_op_result(op, typed->type));
    expr->op = op;
    set_args(arena, expr, args, count);
    return expr;
}

const gf_expr *gf_make_op1(gf_arena *arena, gf_op op, const gf_expr *a) {
    return make_op(arena, op, (const gf_expr *const[]){a}, 1);
}

const gf_expr *gf_make_op2(gf_arena *arena, gf_op op, const gf_expr *a, const gf_expr *b) {
    return make_op(arena, op, (const gf_expr *const[]){a, b}, 2);
}

const gf_expr *gf_make_op3(gf_arena *arena, gf_op op, const gf_expr *a, const gf_expr *b, const gf_expr *c) {
    return make_op(arena, op, (const gf_expr *const[]){a, b, c}, 3);
}

const gf_expr *gf_make_cross(gf_arena *arena, gf_cross cross, gf_level level, const gf_expr *a) {
    gf_expr *expr = new_expr(arena, GF_EXPR_CROSS, a->type);
    expr->cross = cross;
    expr->level = level;
    set_args(arena, expr, &a, 1);
    return expr;
}

const gf_expr *gf_make_cast(gf_arena *arena, gf_type type, const gf_expr *a) {
    if (a->type == type) {
        return a;
    }
    gf_expr *expr = new_expr(arena, GF_EXPR_CAST, type);
    set_args(arena, expr, &a, 1);
    return expr;
}

const gf_expr *gf_make_load(gf_arena *arena, const gf_symbol *array, const gf_expr *index) {
    gf_expr *expr = new_expr(arena, GF_EXPR_LOAD, gf_type_loaded(array->type));
    set_args(arena, expr, &index, 1);
    expr->ref = ref_to(array);
    return expr;
}

static gf_stmt *new_stmt(gf_arena *arena, gf_stmt_kind kind) {
    gf_stmt *stmt = gf_new(arena, gf_stmt);
    stmt->kind = kind;
    return stmt;
}

static gf_stmt *new_definition(gf_arena *arena, gf_stmt_kind kind, const gf_symbol *symbol, const gf_expr *value) {
    gf_stmt *stmt = new_stmt(arena, kind);
    stmt->target = ref_to(symbol);
    stmt->value = value;
    stmt->span = stmt->head = symbol->span;
    return stmt;
}

const gf_stmt *gf_make_let(gf_arena *arena, const gf_symbol *symbol, const gf_expr *value) {
    return new_definition(arena, GF_STMT_LET, symbol, value);
}

const gf_stmt *gf_make_var(gf_arena *arena, const gf_symbol *symbol, const gf_expr *value) {
    return new_definition(arena, GF_STMT_VAR, symbol, value);
}

const gf_stmt *gf_make_assign(gf_arena *arena, const gf_symbol *symbol, const gf_expr *value) {
    return new_definition(arena, GF_STMT_ASSIGN, symbol, value);
}

const gf_stmt *gf_make_store(gf_arena *arena, const gf_symbol *array, const gf_expr *index, const gf_expr *value) {
    gf_stmt *stmt = new_definition(arena, GF_STMT_STORE, array, value);
    stmt->index = index;
    return stmt;
}

const gf_stmt *gf_make_if(gf_arena *arena, const gf_expr *cond, const gf_block *body, const gf_block *otherwise) {
    gf_stmt *stmt = new_stmt(arena, GF_STMT_IF);
    stmt->value = cond;
    stmt->span = stmt->head = cond->span;
    stmt->body = body;
    stmt->otherwise = otherwise;
    return stmt;
}

const gf_stmt *gf_make_for(gf_arena *arena, const gf_symbol *symbol, const gf_expr *from, const gf_expr *to,
                           const gf_expr *step, const gf_block *body) {
    gf_stmt *stmt = new_definition(arena, GF_STMT_FOR, symbol, NULL);
    stmt->from = from;
    stmt->to = to;
    stmt->step = step;
    stmt->body = body;
    return stmt;
}

const gf_stmt *gf_make_loop(gf_arena *arena, const gf_block *body) {
    gf_stmt *stmt = new_stmt(arena, GF_STMT_LOOP);
    stmt->body = body;
    return stmt;
}

const gf_stmt *gf_make_simple(gf_arena *arena, gf_stmt_kind kind) {
    gf_stmt *stmt = new_stmt(arena, kind);
    if (kind == GF_STMT_BARRIER) {
        stmt->level = GF_LEVEL_GROUP;
    } else if (kind == GF_STMT_GRID_BARRIER) {
        stmt->level = GF_LEVEL_GRID;
    }
    return stmt;
}

const gf_stmt *gf_make_region(gf_arena *arena, const char *label, const gf_block *body) {
    gf_stmt *stmt = new_stmt(arena, GF_STMT_REGION);
    stmt->text = label;
    stmt->body = body;
    return stmt;
}

const gf_block *gf_make_block(gf_arena *arena, const gf_stmt *const *items, size_t count) {
    gf_block *block = gf_new(arena, gf_block);
    block->items = count == 0 ? NULL : gf_arena_copy(arena, items, count * sizeof *items);
    block->count = count;
    return block;
}

gf_symbol *gf_make_symbol(gf_arena *arena, gf_symbol_kind kind, const char *name, gf_type type, uint32_t id) {
    gf_symbol *symbol = gf_new(arena, gf_symbol);
    symbol->kind = kind;
    symbol->name = name;
    symbol->type = type;
    symbol->id = id;
    return symbol;
}
