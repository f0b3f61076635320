/* Whether a checked tree keeps the promises of ir.h: names and ids of their own, symbols and types everywhere,
 * operations over the group or grid only as whole values, barriers only where all come by. */
#include "check/check.h"
#include "ir/eval.h"
#include <string.h>

typedef struct validator {
    gf_arena *arena;
    gf_diags *diags;
    const gf_tree *tree;
    const gf_symbol **by_id;
    bool *visible;
    const gf_symbol **names; /* open addressing */
    size_t name_slots;
    size_t count;
    const gf_symbol *function; /* whose body it is, or NULL */
    bool broken;
} validator;

typedef struct place {
    gf_level level;
    unsigned loops;
    const gf_stmt *forall;
} place;

static bool complain(validator *v, gf_span span, const char *what, const char *name) {
    if (!v->broken) {
        v->broken = true;
        gf_fail(v->diags, GF_CODE_BROKEN_TREE, span, "broken tree: %s%s%s%s", what, name == NULL ? "" : " `",
                name == NULL ? "" : name, name == NULL ? "" : "`");
    }
    return false;
}

static uint64_t hash(const char *name) {
    uint64_t value = 14695981039346656037u;
    for (; *name != '\0'; name++) {
        value = (value ^ (unsigned char)*name) * 1099511628211u;
    }
    return value ^ value >> 29;
}

/* A symbol that the tree declares, once. */
static void declare(validator *v, const gf_symbol *symbol, gf_span span) {
    if (symbol == NULL || symbol->name == NULL) {
        complain(v, span, "a declaration without a symbol or name", NULL);
        return;
    }
    if (symbol->id >= v->tree->symbol_count || v->by_id[symbol->id] != NULL) {
        complain(v, span, "the id is taken or too large of", symbol->name);
        return;
    }
    v->by_id[symbol->id] = symbol;
    v->count++;
    size_t at = hash(symbol->name) & (v->name_slots - 1);
    for (; v->names[at] != NULL; at = (at + 1) & (v->name_slots - 1)) {
        if (strcmp(v->names[at]->name, symbol->name) == 0) {
            complain(v, span, "two symbols are called", symbol->name);
            return;
        }
    }
    v->names[at] = symbol;
    v->visible[symbol->id] = true;
}

static bool use(validator *v, const gf_ref *ref) {
    const gf_symbol *symbol = ref->symbol;
    if (symbol == NULL) {
        return complain(v, ref->span, "a reference without a symbol", ref->name);
    }
    if (symbol->id >= v->tree->symbol_count || v->by_id[symbol->id] != symbol || !v->visible[symbol->id]) {
        return complain(v, ref->span, "used where it is not declared:", symbol->name);
    }
    return true;
}

static void check_expr_tree(validator *v, const gf_expr *expr, bool cross_allowed, bool void_allowed);

static void need_type(validator *v, const gf_expr *expr, gf_type type, const char *what) {
    if (expr != NULL && expr->type != type) {
        complain(v, expr->span, what, gf_type_name(expr->type));
    }
}

static void check_op_types(validator *v, const gf_expr *expr) {
    size_t first = expr->op == GF_OP_SELECT ? 1 : 0;
    size_t end = gf_op_rule(expr->op) == GF_RULE_SHIFT ? 1 : expr->arg_count;
    if (expr->op == GF_OP_NONE || expr->op >= GF_OP_COUNT || expr->arg_count != gf_op_arity(expr->op)) {
        complain(v, expr->span, "an operation with a wrong number of operands", NULL);
        return;
    }
    for (size_t i = first; i < end; i++) {
        need_type(v, expr->args[i], expr->args[first]->type, "operands of two types, one of them");
    }
    if (first == 1) {
        need_type(v, expr->args[0], GF_TYPE_BOOL, "a condition of type");
    }
    if (gf_op_result(expr->op, expr->args[first]->type) != expr->type) {
        complain(v, expr->span, "a wrong type for the result of", gf_op_spelling(expr->op));
    }
}

static bool bits_fit(gf_type type, uint64_t bits) {
    size_t bytes = gf_type_bytes(type);
    return type == GF_TYPE_BOOL ? bits <= 1 : bytes >= 8 || bits >> (8 * bytes) == 0;
}

static bool is_array(const gf_symbol *symbol) {
    return symbol->kind == GF_SYMBOL_BUFFER || symbol->kind == GF_SYMBOL_SHARED ||
           (symbol->kind == GF_SYMBOL_VAR && symbol->is_array);
}

static void check_own(validator *v, const gf_expr *expr) {
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
        if (!bits_fit(expr->type, expr->bits)) {
            complain(v, expr->span, "bits that are too wide for", gf_type_name(expr->type));
        }
        break;
    case GF_EXPR_NAME:
        if (use(v, &expr->ref) && (expr->ref.symbol->type != expr->type || is_array(expr->ref.symbol))) {
            complain(v, expr->span, "a wrong type for", expr->ref.name);
        }
        break;
    case GF_EXPR_LEN:
        if (use(v, &expr->ref) && !is_array(expr->ref.symbol)) {
            complain(v, expr->span, "len of what is no array:", expr->ref.name);
        }
        break;
    case GF_EXPR_LOAD:
    case GF_EXPR_ATOMIC:
        if (!use(v, &expr->ref)) {
            break;
        }
        if (!is_array(expr->ref.symbol) || expr->type != gf_type_loaded(expr->ref.symbol->type)) {
            complain(v, expr->span, "a wrong type for an element of", expr->ref.name);
        } else if (expr->arg_count == 0 || !gf_type_is_integer(expr->args[0]->type)) {
            complain(v, expr->span, "an index that is no integer, of", expr->ref.name);
        }
        for (size_t i = 1; i < expr->arg_count; i++) {
            need_type(v, expr->args[i], expr->type, "an operand of an atomic has type");
        }
        break;
    case GF_EXPR_OP:
        check_op_types(v, expr);
        break;
    case GF_EXPR_AND:
    case GF_EXPR_OR:
        need_type(v, expr->args[0], GF_TYPE_BOOL, "a side of && or || has type");
        need_type(v, expr->args[1], GF_TYPE_BOOL, "a side of && or || has type");
        break;
    case GF_EXPR_BITCAST:
        if (gf_type_bytes(expr->args[0]->type) != gf_type_bytes(expr->type)) {
            complain(v, expr->span, "a bitcast between widths", NULL);
        }
        break;
    case GF_EXPR_CALL: {
        const gf_symbol *function = expr->ref.symbol;
        if (!use(v, &expr->ref)) {
            break;
        }
        if (function->kind != GF_SYMBOL_FUNCTION || function->argument_count != expr->arg_count) {
            complain(v, expr->span, "a wrong call of", expr->ref.name);
            break;
        }
        for (size_t i = 0; i < expr->arg_count; i++) {
            need_type(v, expr->args[i], function->arguments[i]->type, "an argument has type");
        }
        break;
    }
    case GF_EXPR_CROSS:
        if (expr->cross == GF_CROSS_LOAD ? expr->args[0]->kind != GF_EXPR_LOAD : expr->args[0]->type != expr->type) {
            complain(v, expr->span, "a wrong operand of a group or grid operation", NULL);
        }
        break;
    case GF_EXPR_BUILTIN:
    case GF_EXPR_CAST:
        break;
    }
}

static void check_expr_tree(validator *v, const gf_expr *expr, bool cross_allowed, bool void_allowed) {
    if (expr == NULL || v->broken) {
        return;
    }
    if (expr->type == GF_TYPE_NONE ? !(void_allowed && expr->kind == GF_EXPR_CALL)
                                   : !gf_type_is_arithmetic(expr->type)) {
        complain(v, expr->span, "an expression of type", gf_type_name(expr->type));
        return;
    }
    if (expr->kind == GF_EXPR_CROSS && !cross_allowed) {
        complain(v, expr->span, "a group or grid operation inside an expression", NULL);
        return;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        check_expr_tree(v, expr->args[i], false, false);
    }
    check_own(v, expr);
}

static void check_statements(validator *v, const gf_block *block, place at);

static void define(validator *v, const gf_stmt *stmt) {
    check_expr_tree(v, stmt->value, true, false);
    declare(v, stmt->target.symbol, stmt->target.span);
    if (stmt->target.symbol != NULL) {
        need_type(v, stmt->value, stmt->target.symbol->type, "a definition by a value of type");
    }
}

static void need_level(validator *v, const gf_stmt *stmt, gf_level level, place at) {
    if (at.level < level || v->function != NULL || at.forall != NULL) {
        complain(v, stmt->span, "a barrier, or what wants a level, where not all come by", NULL);
    }
}

static void check_target(validator *v, const gf_stmt *stmt) {
    check_expr_tree(v, stmt->index, false, false);
    check_expr_tree(v, stmt->value, stmt->kind == GF_STMT_ASSIGN && stmt->op == GF_OP_NONE, false);
    if (!use(v, &stmt->target)) {
        return;
    }
    const gf_symbol *symbol = stmt->target.symbol;
    bool is_store = stmt->kind == GF_STMT_STORE;
    if (is_array(symbol) != is_store || (!is_store && symbol->kind != GF_SYMBOL_VAR)) {
        complain(v, stmt->span, "this cannot be assigned:", symbol->name);
    } else if (stmt->op == GF_OP_NONE || gf_op_rule(stmt->op) != GF_RULE_SHIFT) {
        need_type(v, stmt->value, is_store ? gf_type_loaded(symbol->type) : symbol->type, "a value is stored of type");
    }
}

static void check_loop(validator *v, const gf_stmt *stmt, place at) {
    check_expr_tree(v, stmt->value, false, false);
    check_expr_tree(v, stmt->from, false, false);
    check_expr_tree(v, stmt->to, false, false);
    check_expr_tree(v, stmt->step, false, false);
    bool is_forall = stmt->kind == GF_STMT_FORALL;
    for (size_t i = 0; i < stmt->reduce_count; i++) {
        use(v, &stmt->reduces[i].outer);
        declare(v, stmt->reduces[i].inner, stmt->span);
    }
    if (is_forall) {
        need_level(v, stmt, GF_LEVEL_GRID, at);
        at.forall = stmt;
    }
    if (is_forall || stmt->kind == GF_STMT_FOR) {
        declare(v, stmt->target.symbol, stmt->target.span);
    }
    at.level = is_forall ? GF_LEVEL_NONE : stmt->level < at.level ? stmt->level : at.level;
    at.loops++;
    check_statements(v, stmt->body, at);
    for (size_t i = 0; i < stmt->reduce_count; i++) {
        if (!v->broken) {
            v->visible[stmt->reduces[i].inner->id] = false;
        }
    }
    if (!v->broken && (is_forall || stmt->kind == GF_STMT_FOR)) {
        v->visible[stmt->target.symbol->id] = false;
    }
}

static void check_statement(validator *v, const gf_stmt *stmt, place at) {
    switch (stmt->kind) {
    case GF_STMT_LET:
    case GF_STMT_VAR:
        define(v, stmt);
        break;
    case GF_STMT_ASSIGN:
    case GF_STMT_STORE:
        check_target(v, stmt);
        break;
    case GF_STMT_EXPR:
        check_expr_tree(v, stmt->value, false, true);
        break;
    case GF_STMT_IF:
        check_expr_tree(v, stmt->value, false, false);
        need_type(v, stmt->value, GF_TYPE_BOOL, "a condition of type");
        at.level = stmt->level < at.level ? stmt->level : at.level;
        check_statements(v, stmt->body, at);
        check_statements(v, stmt->otherwise, at);
        break;
    case GF_STMT_WHILE:
        need_type(v, stmt->value, GF_TYPE_BOOL, "a condition of type");
        check_loop(v, stmt, at);
        break;
    case GF_STMT_FOR:
    case GF_STMT_LOOP:
    case GF_STMT_FORALL:
        check_loop(v, stmt, at);
        break;
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
        if (at.loops == 0) {
            complain(v, stmt->span, "break or continue outside of a loop", NULL);
        }
        break;
    case GF_STMT_RETURN:
        check_expr_tree(v, stmt->value, false, false);
        if ((stmt->value == NULL ? GF_TYPE_NONE : stmt->value->type) !=
            (v->function == NULL ? GF_TYPE_NONE : v->function->type)) {
            complain(v, stmt->span, "a return of a wrong type", NULL);
        }
        break;
    case GF_STMT_BARRIER:
        need_level(v, stmt, GF_LEVEL_GROUP, at);
        break;
    case GF_STMT_GRID_BARRIER:
        need_level(v, stmt, GF_LEVEL_GRID, at);
        break;
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_COLLECTIVE:
        need_level(v, stmt, GF_LEVEL_GRID, at);
        check_expr_tree(v, stmt->value, false, false);
        if (stmt->target.name != NULL) {
            use(v, &stmt->target);
        }
        if (stmt->second.name != NULL) {
            use(v, &stmt->second);
        }
        break;
    case GF_STMT_COPY_ASYNC:
        check_expr_tree(v, stmt->index, false, false);
        check_expr_tree(v, stmt->from, false, false);
        check_expr_tree(v, stmt->to, false, false);
        use(v, &stmt->target);
        use(v, &stmt->second);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        check_statements(v, stmt->body, at);
        break;
    case GF_STMT_ASSERT:
        check_expr_tree(v, stmt->value, false, false);
        need_type(v, stmt->value, GF_TYPE_BOOL, "a condition of type");
        break;
    case GF_STMT_TRAP:
        check_expr_tree(v, stmt->value, false, false);
        break;
    case GF_STMT_WAIT:
        break;
    }
    if (!v->broken && (stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_ASSIGN) &&
        stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS) {
        need_level(v, stmt, stmt->value->level, at);
    }
}

static void check_statements(validator *v, const gf_block *block, place at) {
    if (block == NULL) {
        return;
    }
    for (size_t i = 0; i < block->count && !v->broken; i++) {
        check_statement(v, block->items[i], at);
    }
    for (size_t i = 0; i < block->count && !v->broken; i++) {
        const gf_stmt *stmt = block->items[i];
        if (stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR) {
            v->visible[stmt->target.symbol->id] = false;
        }
    }
}

static void check_kernel(validator *v) {
    const gf_kernel_decl *kernel = &v->tree->kernel;
    for (size_t i = 0; i < 3; i++) {
        check_expr_tree(v, kernel->space[i], false, false);
        if (kernel->workgroup[i] == 0) {
            complain(v, kernel->span, "a workgroup without invocations", NULL);
        }
    }
    if (kernel->space_kind == GF_SPACE_INDIRECT) {
        use(v, &kernel->indirect);
        check_expr_tree(v, kernel->indirect_index, false, false);
    }
    check_expr_tree(v, kernel->fixpoint, false, false);
    for (size_t i = 0; i < kernel->watched_count; i++) {
        use(v, &kernel->watched[i]);
    }
    check_statements(v, kernel->body, (place){.level = GF_LEVEL_GRID});
}

static void check_declared(validator *v, const gf_symbol *symbol) {
    check_expr_tree(v, symbol->size, false, false);
    check_expr_tree(v, symbol->value, false, false);
    check_expr_tree(v, symbol->returns_from, false, false);
    check_expr_tree(v, symbol->returns_to, false, false);
    if (symbol->kind != GF_SYMBOL_FUNCTION) {
        return;
    }
    v->function = symbol;
    for (size_t i = 0; i < symbol->argument_count; i++) {
        declare(v, symbol->arguments[i], symbol->span);
    }
    check_statements(v, symbol->body, (place){.level = GF_LEVEL_NONE});
    for (size_t i = 0; i < symbol->argument_count && !v->broken; i++) {
        v->visible[symbol->arguments[i]->id] = false;
    }
    v->function = NULL;
}

static void validate(void *context) {
    validator *v = context;
    const gf_tree *tree = v->tree;
    v->by_id = gf_new_array(v->arena, const gf_symbol *, (size_t)tree->symbol_count + 1);
    v->visible = gf_new_array(v->arena, bool, (size_t)tree->symbol_count + 1);
    v->name_slots = 16;
    while (v->name_slots < 2 * (size_t)tree->symbol_count) {
        v->name_slots *= 2;
    }
    v->names = gf_new_array(v->arena, const gf_symbol *, v->name_slots);
    for (size_t i = 0; i < tree->decl_count; i++) {
        declare(v, tree->decls[i], tree->decls[i] == NULL ? GF_NO_SPAN : tree->decls[i]->span);
    }
    for (size_t i = 0; i < tree->decl_count && !v->broken; i++) {
        check_declared(v, tree->decls[i]);
    }
    check_kernel(v);
    if (!v->broken && v->count != tree->symbol_count) {
        complain(v, tree->kernel.span, "ids are not dense", NULL);
    }
}

bool gf_validate(const gf_tree *tree, gf_diags *diags) {
    validator v = {.tree = tree, .diags = diags, .arena = gf_arena_create()};
    if (v.arena == NULL) {
        return gf_fail_memory(diags);
    }
    bool had_memory = gf_arena_protect(v.arena, validate, &v);
    gf_arena_destroy(v.arena);
    return had_memory ? !v.broken : gf_fail_memory(diags);
}
