/* What bodies do: which arrays are written, and what a plain function needs to know about itself. */
#include "check/checker.h"
#include "ir/visit.h"

static void mark(const gf_ref *ref) {
    if (ref->symbol != NULL) {
        as_check(ref->symbol)->written = true;
    }
}

static bool mark_stmt(void *user, const gf_stmt *stmt) {
    (void)user;
    if (stmt->kind == GF_STMT_STORE || stmt->kind == GF_STMT_COPY_ASYNC) {
        mark(&stmt->target);
    } else if (stmt->kind == GF_STMT_SWAP) {
        mark(&stmt->target);
        mark(&stmt->second);
    } else if (stmt->kind == GF_STMT_COLLECTIVE) {
        mark(stmt->second.symbol != NULL ? &stmt->second : &stmt->target);
    }
    return true;
}

static bool mark_expr(void *user, const gf_expr *expr) {
    (void)user;
    if (expr->kind == GF_EXPR_ATOMIC && expr->atomic != GF_ATOMIC_LOAD) {
        mark(&expr->ref);
    }
    return true;
}

void gf_check_mark_written(checker *c) {
    gf_visitor visitor = {.stmt = mark_stmt, .expr = mark_expr};
    gf_visit_block(&visitor, c->tree->kernel.body);
    for (size_t i = 0; i < c->functions.count; i++) {
        if (!c->functions.items[i]->is_inlined) {
            gf_visit_block(&visitor, c->functions.items[i]->symbol.body);
        }
    }
}

typedef struct fact_finder {
    checker *c;
    function_facts *facts;
} fact_finder;

static void note_ids(function_facts *facts, gf_span span, const char *name) {
    if (!facts->uses_ids) {
        facts->uses_ids = true;
        facts->ids_span = span;
        facts->ids_name = name;
    }
}

static void note_load(fact_finder *at, const check_symbol *array) {
    function_facts *facts = at->facts;
    if (facts->loaded == NULL) {
        facts->loaded = gf_new_array(at->c->arena, uint64_t, GF_CHECK_DECLS / 64 + 1);
    }
    uint64_t *word = &facts->loaded[array->array_number / 64], bit = (uint64_t)1 << array->array_number % 64;
    if ((*word & bit) != 0) {
        return;
    }
    *word |= bit;
    facts->loads =
        gf_vec_grow(at->c->arena, facts->loads, facts->load_count, &facts->load_capacity, sizeof *facts->loads);
    facts->loads[facts->load_count++] = array;
}

static void note_array(fact_finder *at, const gf_ref *ref) {
    if (ref->symbol != NULL && ref->symbol->kind == GF_SYMBOL_SHARED) {
        at->facts->uses_group = true;
        note_ids(at->facts, ref->span, ref->symbol->name);
    }
}

static bool find_in_stmt(void *user, const gf_stmt *stmt) {
    fact_finder *at = user;
    switch (stmt->kind) {
    case GF_STMT_STORE:
        if (stmt->target.symbol->kind != GF_SYMBOL_VAR) {
            at->facts->varies = true;
        }
        note_array(at, &stmt->target);
        break;
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_WAIT:
        at->facts->varies = true;
        break;
    case GF_STMT_COPY_ASYNC:
        at->facts->varies = true;
        note_array(at, &stmt->target);
        note_array(at, &stmt->second);
        break;
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
    case GF_STMT_EXPR:
    case GF_STMT_SWAP:
    case GF_STMT_CONVERGED:
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
    case GF_STMT_FORALL:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
    case GF_STMT_COLLECTIVE:
        break;
    }
    return true;
}

static bool find_in_expr(void *user, const gf_expr *expr) {
    fact_finder *at = user;
    function_facts *facts = at->facts;
    switch (expr->kind) {
    case GF_EXPR_BUILTIN:
        if (expr->builtin == GF_BUILTIN_GID || expr->builtin == GF_BUILTIN_LID) {
            facts->varies = true;
            note_ids(facts, expr->span, expr->builtin == GF_BUILTIN_GID ? "gid" : "lid");
        } else if (expr->builtin == GF_BUILTIN_WID) {
            facts->uses_group = true;
            note_ids(facts, expr->span, "wid");
        }
        break;
    case GF_EXPR_ATOMIC:
        facts->varies = true;
        note_array(at, &expr->ref);
        break;
    case GF_EXPR_LOAD:
        note_array(at, &expr->ref);
        if (expr->ref.symbol->kind != GF_SYMBOL_VAR) {
            note_load(at, as_check(expr->ref.symbol));
        }
        break;
    case GF_EXPR_LEN:
        break;
    case GF_EXPR_CALL: {
        const function_facts *other = &as_check(expr->ref.symbol)->facts;
        facts->varies = facts->varies || other->varies;
        facts->uses_group = facts->uses_group || other->uses_group;
        if (other->uses_ids) {
            note_ids(facts, other->ids_span, other->ids_name);
        }
        for (size_t i = 0; i < other->load_count; i++) {
            note_load(at, other->loads[i]);
        }
        break;
    }
    case GF_EXPR_LITERAL:
    case GF_EXPR_NAME:
    case GF_EXPR_OP:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
    case GF_EXPR_CROSS:
        break;
    }
    return true;
}

void gf_check_function_facts(checker *c, check_symbol *function) {
    fact_finder at = {.c = c, .facts = &function->facts};
    gf_visitor visitor = {.user = &at, .stmt = find_in_stmt, .expr = find_in_expr};
    gf_visit_block(&visitor, function->symbol.body);
}
