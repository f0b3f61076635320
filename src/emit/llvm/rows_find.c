/* Which loops are folds over rows, see rows.c: those that read what nobody writes in the segment, and do nothing but
 * change variables. Then they may be done before or behind anything else that the invocations do. */
#include "emit/llvm/emitter.h"
#include "ir/visit.h"

#define BUDGET 64 /* nodes looked at for one question: names are looked into again at each use */

typedef struct finder {
    const gf_emit *e;
    const gf_affine_loop *lanes;
    gf_rows *rows;
    GF_VEC(const gf_symbol *) inner; /* variables of the loop's body */
    unsigned budget;
    bool holds;
} finder;

/* Nobody writes it while the segment runs. */
static bool is_steady_array(const gf_emit *e, const gf_symbol *array) {
    const gf_array *known = array->kind == GF_SYMBOL_BUFFER ? e->names[array->id].array : NULL;
    return known != NULL && !known->is_written && !known->is_reduced;
}

static bool is_steady(finder *f, const gf_expr *expr);

static const gf_stmt *prefix_of(const finder *f, const gf_symbol *symbol) {
    for (size_t i = 0; i < f->rows->prefix.count; i++) {
        if (f->rows->prefix.items[i]->target.symbol == symbol) {
            return f->rows->prefix.items[i];
        }
    }
    return NULL;
}

static bool is_inner(const finder *f, const gf_symbol *symbol) {
    for (size_t i = 0; i < f->inner.count; i++) {
        if (f->inner.items[i] == symbol) {
            return true;
        }
    }
    return false;
}

static bool is_steady_name(finder *f, const gf_symbol *symbol) {
    if (symbol->kind == GF_SYMBOL_CONST || symbol->kind == GF_SYMBOL_PARAM || symbol == f->rows->loop->target.symbol ||
        is_inner(f, symbol)) {
        return true;
    }
    const gf_stmt *stmt = prefix_of(f, symbol);
    return stmt != NULL && (stmt->value == NULL || is_steady(f, stmt->value));
}

/* It does nothing, and gives the same whenever in the segment it is computed. */
static bool is_steady(finder *f, const gf_expr *expr) {
    if (f->budget == 0) {
        return false;
    }
    f->budget--;
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
    case GF_EXPR_LEN:
    case GF_EXPR_BUILTIN:
        return true;
    case GF_EXPR_NAME:
        return is_steady_name(f, expr->ref.symbol);
    case GF_EXPR_LOAD:
        if (!is_steady_array(f->e, expr->ref.symbol)) {
            return false;
        }
        break;
    case GF_EXPR_OP:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        break;
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        return false;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        if (!is_steady(f, expr->args[i])) {
            return false;
        }
    }
    return true;
}

static bool is_steady_alone(finder *f, const gf_expr *expr) {
    f->budget = BUDGET;
    return is_steady(f, expr);
}

/* What an expression is, through names. */
static const gf_expr *meaning_of(const finder *f, const gf_expr *expr) {
    while (expr != NULL && expr->kind == GF_EXPR_NAME && expr->ref.symbol->kind == GF_SYMBOL_LET) {
        const gf_stmt *stmt = prefix_of(f, expr->ref.symbol);
        expr = stmt != NULL ? stmt->value : NULL;
    }
    return expr;
}

/* An element of an array that nobody writes, known to be there, of each lane the next. */
static bool is_of_lane(const finder *f, const gf_expr *load) {
    if (load == NULL || load->kind != GF_EXPR_LOAD || !is_steady_array(f->e, load->ref.symbol)) {
        return false;
    }
    for (size_t i = f->lanes->first; i < f->lanes->end; i++) {
        const gf_proven *proven = &f->e->proven.items[i];
        if (proven->node == load && proven->call == 0) {
            return proven->coefficient == 1 && proven->inner_count == 0;
        }
    }
    return false;
}

static bool is_next(const gf_expr *to, const gf_expr *from) {
    return to->kind == GF_EXPR_OP && to->op == GF_OP_ADD && to->args[1]->kind == GF_EXPR_LITERAL &&
           to->args[1]->bits == 1 && gf_equal_expr(to->args[0], from);
}

/* row[v] .. row[v + 1]: each row begins where the one before it ends. */
static bool has_row_bounds(const finder *f) {
    gf_rows *rows = f->rows;
    rows->from = meaning_of(f, rows->loop->from);
    rows->to = meaning_of(f, rows->loop->to);
    return rows->loop->step == NULL && is_of_lane(f, rows->from) && is_of_lane(f, rows->to) &&
           rows->from->ref.symbol == rows->to->ref.symbol && gf_type_bytes(rows->from->ref.symbol->type) >= 4 &&
           is_next(rows->to->args[0], rows->from->args[0]);
}

/* A result is a variable of the prefix that the loop changes. */
static bool add_result(finder *f, const gf_symbol *symbol) {
    gf_rows *rows = f->rows;
    for (unsigned i = 0; i < rows->result_count; i++) {
        if (rows->results[i].symbol == symbol) {
            return true;
        }
    }
    const gf_stmt *stmt = prefix_of(f, symbol);
    if (rows->result_count == GF_MOST_ROW_RESULTS || symbol->is_array || symbol->type == GF_TYPE_BOOL || stmt == NULL ||
        (stmt->value != NULL && !is_steady_alone(f, stmt->value))) {
        return false;
    }
    rows->results[rows->result_count++].symbol = symbol;
    return true;
}

/* As deep as the program's blocks, which the parser bounds. */
static bool is_fold(finder *f, const gf_block *body) {
    for (size_t i = 0; body != NULL && i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        const gf_symbol *symbol = stmt->target.symbol;
        bool holds = stmt->value == NULL || is_steady_alone(f, stmt->value);
        if (stmt->kind == GF_STMT_LET || (stmt->kind == GF_STMT_VAR && !symbol->is_array)) {
            gf_push(f->e->arena, &f->inner, symbol);
        } else if (stmt->kind == GF_STMT_ASSIGN) {
            holds = holds && (is_inner(f, symbol) || add_result(f, symbol));
        } else if (stmt->kind == GF_STMT_IF) {
            holds = holds && is_fold(f, stmt->body) && is_fold(f, stmt->otherwise);
        } else {
            holds = stmt->kind == GF_STMT_BLOCK && is_fold(f, stmt->body);
        }
        if (!holds) {
            return false;
        }
    }
    return true;
}

/* Loads by e alone, as col[e], and by what such a load gives, as p[col[e]]. */
static bool note_load(void *user, const gf_expr *expr) {
    finder *f = user;
    gf_rows *rows = f->rows;
    if (expr->kind != GF_EXPR_LOAD || rows->load_count == GF_MOST_ROW_LOADS) {
        return true;
    }
    const gf_expr *index = expr->args[0];
    gf_row_load load = {.node = expr};
    if (index->kind == GF_EXPR_LOAD && gf_type_is_integer(index->type) && !gf_type_is_signed(index->type)) {
        load.by = index;
        index = index->args[0];
    }
    if (index->kind == GF_EXPR_NAME && index->ref.symbol == rows->loop->target.symbol &&
        (load.by == NULL || gf_may_know_largest(f->e, load.by->ref.symbol))) {
        rows->loads[rows->load_count++] = load;
    }
    return true;
}

/* In front of the loop stand names and variables only. */
static void look_into(finder *f, const gf_block *block) {
    for (size_t i = 0; i < block->count && f->holds && f->rows->loop == NULL; i++) {
        const gf_stmt *stmt = block->items[i];
        if (stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK) {
            look_into(f, stmt->body);
        } else if (stmt->kind == GF_STMT_FOR) {
            f->rows->loop = stmt;
        } else if (stmt->kind == GF_STMT_LET || (stmt->kind == GF_STMT_VAR && !stmt->target.symbol->is_array)) {
            f->holds = stmt->value == NULL || !gf_may_act(stmt->value);
            gf_push(f->e->arena, &f->rows->prefix, stmt);
        } else {
            f->holds = false;
        }
    }
}

bool gf_rows_find(gf_emit *e, const gf_affine_loop *lanes, gf_rows *rows) {
    finder f = {.e = e, .lanes = lanes, .rows = rows, .holds = true};
    *rows = (gf_rows){0};
    if (e->options.checked || e->in_group) {
        return false;
    }
    look_into(&f, lanes->body);
    if (!f.holds || rows->loop == NULL || !has_row_bounds(&f) || !is_fold(&f, rows->loop->body) ||
        rows->result_count == 0) {
        return false;
    }
    gf_visitor visitor = {.user = &f, .expr = note_load};
    gf_visit_block(&visitor, rows->loop->body);
    return true;
}
