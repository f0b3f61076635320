/* Which programs are order-free (language page, "Order-free programs"), races apart. Every edge of a construct that
 * holds barriers is itself a barrier, so the stretches follow each other in the text: a counter that steps at each
 * barrier names them. */
#include "base/diag.h"
#include "ir/program.h"
#include "ir/visit.h"

typedef enum use_kind { USE_NONE, USE_LOAD, USE_ADD, USE_MIN, USE_MAX, USE_AND, USE_OR, USE_XOR, USE_STORE } use_kind;

/* What the present stretch does to one array by atomics. */
typedef struct array_use {
    uint64_t stretch;
    use_kind kind;
    const gf_expr *first;
} array_use;

typedef struct order_check {
    gf_arena *arena;
    gf_diags *diags;
    const gf_tree *tree;
    array_use *uses;      /* by symbol id */
    uint64_t *seen;       /* of functions, by id: the stretch in which it was looked at */
    uint64_t grid, group; /* stretches of the grid and of a workgroup, from 1 */
    const gf_expr *alone; /* the atomic that is a statement of its own, so that nobody uses its result */
    bool depends;
    GF_VEC(const gf_expr *) reported;
} order_check;

static void walk(order_check *at, const gf_block *block);

static bool is_reported(order_check *at, const gf_expr *expr) {
    for (size_t i = 0; i < at->reported.count; i++) {
        if (at->reported.items[i] == expr) {
            return true;
        }
    }
    if (at->reported.count < 64) { /* more than a sink holds */
        gf_push(at->arena, &at->reported, expr);
    }
    return false;
}

/* `why` says it for the atomic alone; else it is `other`, in the same stretch. */
static void report(order_check *at, const gf_expr *expr, const gf_expr *other, const char *why) {
    at->depends = true;
    if (is_reported(at, expr)) {
        return;
    }
    const char *name = expr->ref.name;
    gf_warn(at->diags, GF_CODE_ORDER_DEPENDENT, expr->span,
            "%s on `%s` makes the result depend on the order of atomics%s%s", gf_atomic_name(expr->atomic), name,
            why == NULL ? "" : ": ", why == NULL ? "" : why);
    if (other != NULL) {
        gf_note(at->diags, other->span, "%s on `%s` is in the same stretch: there is no barrier between",
                gf_atomic_name(other->atomic), name);
    }
}

static use_kind kind_of(const gf_expr *expr) {
    switch (expr->atomic) {
    case GF_ATOMIC_LOAD:
        return USE_LOAD;
    case GF_ATOMIC_STORE:
        return USE_STORE;
    case GF_ATOMIC_ADD:
    case GF_ATOMIC_SUB:
        return gf_type_is_float(expr->type) ? USE_NONE : USE_ADD;
    case GF_ATOMIC_MIN:
        return USE_MIN;
    case GF_ATOMIC_MAX:
        return USE_MAX;
    case GF_ATOMIC_AND:
        return USE_AND;
    case GF_ATOMIC_OR:
        return USE_OR;
    case GF_ATOMIC_XOR:
        return USE_XOR;
    case GF_ATOMIC_EXCHANGE:
    case GF_ATOMIC_COMPARE_EXCHANGE:
    case GF_ATOMIC_COUNT:
        break;
    }
    return USE_NONE;
}

static bool is_fixed(const gf_expr *expr) {
    if (expr->kind == GF_EXPR_NAME) {
        return expr->ref.symbol->kind == GF_SYMBOL_CONST || expr->ref.symbol->kind == GF_SYMBOL_PARAM;
    }
    if (expr->kind != GF_EXPR_LITERAL && expr->kind != GF_EXPR_OP && expr->kind != GF_EXPR_CAST) {
        return false;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (!is_fixed(expr->args[i])) {
            return false;
        }
    }
    return true;
}

static void look_at_atomic(order_check *at, const gf_expr *expr) {
    const gf_symbol *array = expr->ref.symbol;
    uint64_t stretch = array->kind == GF_SYMBOL_SHARED ? at->group : at->grid;
    use_kind kind = kind_of(expr);
    if (kind == USE_NONE) {
        bool is_float = expr->atomic == GF_ATOMIC_ADD || expr->atomic == GF_ATOMIC_SUB;
        report(at, expr, NULL,
               is_float ? "float sums round differently in each order" : "what it finds depends on who came before");
        return;
    }
    if (kind != USE_LOAD && at->alone != expr) {
        report(at, expr, NULL, "its result depends on who came before");
        return;
    }
    array_use *use = &at->uses[array->id];
    if (use->stretch != stretch) {
        *use = (array_use){.stretch = stretch, .kind = kind, .first = expr};
        if (kind == USE_STORE && !is_fixed(expr->args[1])) {
            report(at, expr, NULL, "the stored value may differ by invocation, and the last one stays");
        }
        return;
    }
    if (use->kind != kind) {
        report(at, expr, use->first, NULL);
    } else if (kind == USE_STORE && (!is_fixed(expr->args[1]) || !gf_equal_expr(expr->args[1], use->first->args[1]))) {
        report(at, expr, use->first, "the last stored value stays");
    }
}

static bool look_at_expr(void *user, const gf_expr *expr) {
    order_check *at = user;
    if (expr->kind == GF_EXPR_ATOMIC) {
        look_at_atomic(at, expr);
    } else if (expr->kind == GF_EXPR_CALL) {
        const gf_symbol *function = expr->ref.symbol;
        if (at->seen[function->id] != at->group) {
            at->seen[function->id] = at->group;
            walk(at, function->body);
        }
    }
    return true;
}

static void step(order_check *at, gf_level level) {
    if (level == GF_LEVEL_GRID) {
        at->grid++;
    }
    if (level != GF_LEVEL_NONE) {
        at->group++;
    }
}

static void walk_stmt(order_check *at, const gf_stmt *stmt) {
    gf_visitor visitor = {.user = at, .expr = look_at_expr};
    bool is_construct = stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE ||
                        stmt->kind == GF_STMT_LOOP;
    gf_level edges = is_construct ? stmt->level : GF_LEVEL_NONE;
    at->alone = stmt->kind == GF_STMT_EXPR && stmt->value->kind == GF_EXPR_ATOMIC ? stmt->value : NULL;
    step(at, edges);
    gf_visit_own_exprs(&visitor, stmt);
    step(at, edges);
    walk(at, stmt->body);
    step(at, edges);
    walk(at, stmt->otherwise);
    step(at, edges);
    if (stmt->kind == GF_STMT_BARRIER || stmt->kind == GF_STMT_GRID_BARRIER || stmt->kind == GF_STMT_SWAP ||
        stmt->kind == GF_STMT_COLLECTIVE) {
        step(at, stmt->kind == GF_STMT_BARRIER ? GF_LEVEL_GROUP : GF_LEVEL_GRID);
    } else if (stmt->reduce_count > 0) {
        step(at, GF_LEVEL_GRID);
    } else if (stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS) {
        step(at, stmt->value->level);
    }
}

static void walk(order_check *at, const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        walk_stmt(at, block->items[i]);
    }
}

static void check_order(void *context) {
    order_check *at = context;
    at->uses = gf_new_array(at->arena, array_use, (size_t)at->tree->symbol_count + 1);
    at->seen = gf_new_array(at->arena, uint64_t, (size_t)at->tree->symbol_count + 1);
    at->grid = at->group = 1;
    walk(at, at->tree->kernel.body);
}

bool gf_program_order_free(const gf_program *program, gf_diags *diags) {
    if (program == NULL || program->checked == NULL) {
        return false;
    }
    order_check at = {.tree = program->checked, .diags = diags, .arena = gf_arena_create()};
    if (at.arena == NULL) {
        return gf_fail_memory(diags);
    }
    bool had_memory = gf_arena_protect(at.arena, check_order, &at);
    gf_arena_destroy(at.arena);
    return had_memory ? !at.depends : gf_fail_memory(diags);
}
