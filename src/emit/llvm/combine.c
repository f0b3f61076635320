/* One atomic for many invocations: `place = atomic_add(queued[0], count)`, with which each of them takes a place in a
 * queue, is the one line of memory that all threads want. Each such atomic costs a transfer between cores, more than
 * all else that short invocations do.
 *
 * Invocations may run in any order, and one thread has many of them. So those of a strip first do all that stands in
 * front of the atomic (the first half), then one atomic adds what they want together, then they go on (the second
 * half), each with the place it would have had if their atomics had come one behind the other. What an invocation knows
 * by then lies in arrays with an element per lane.
 *
 * The atomic stands in the body of the segment or in the first statement of a condition there; its operand and the
 * conditions depend on nothing but names, so they can be asked in the first half. */
#include "emit/llvm/emitter.h"
#include "ir/effects.h"
#include "ir/visit.h"

/* ---- which ---- */

static bool look_for_impure(void *user, const gf_expr *expr) {
    bool *found = user;
    switch (expr->kind) {
    case GF_EXPR_LITERAL:
    case GF_EXPR_BUILTIN:
    case GF_EXPR_LEN:
    case GF_EXPR_OP:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        break;
    case GF_EXPR_NAME:
        *found = *found || expr->ref.symbol->kind == GF_SYMBOL_ARGUMENT || expr->ref.symbol->is_array;
        break;
    case GF_EXPR_LOAD:
    case GF_EXPR_ATOMIC:
    case GF_EXPR_CROSS:
    case GF_EXPR_CALL:
        *found = true;
        break;
    }
    return !*found;
}

/* Gives the same whenever it is asked, as long as nobody assigns to a name. */
static bool is_pure(const gf_expr *expr) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .expr = look_for_impure};
    gf_visit_expr(&visitor, expr);
    return !found;
}

static bool is_same_for_all(const gf_expr *index) {
    return index->kind == GF_EXPR_LITERAL ||
           (index->kind == GF_EXPR_NAME &&
            (index->ref.symbol->kind == GF_SYMBOL_CONST || index->ref.symbol->kind == GF_SYMBOL_PARAM));
}

typedef struct search {
    gf_emit *e;
    const gf_expr *found;
} search;

static bool look_for_add(void *user, const gf_expr *expr) {
    search *s = user;
    if (expr->kind == GF_EXPR_ATOMIC && expr->atomic == GF_ATOMIC_ADD && s->found == NULL) {
        const gf_array *array = gf_name(s->e, expr->ref.symbol)->array;
        bool is_shared = expr->ref.symbol->kind == GF_SYMBOL_BUFFER && array != NULL && !array->is_private;
        if (is_shared && !array->is_tracked && !gf_type_is_float(expr->ref.symbol->type) &&
            is_same_for_all(expr->args[0]) && is_pure(expr->args[1])) {
            s->found = expr;
        }
    }
    return s->found == NULL && expr->kind != GF_EXPR_AND && expr->kind != GF_EXPR_OR; /* there, only perhaps */
}

/* The atomic that the statement surely comes to, where all conditions hold that it asks. */
static bool finds_add(gf_emit *e, const gf_stmt *stmt, gf_combined *combined) {
    if (stmt->kind == GF_STMT_IF) {
        if (stmt->otherwise != NULL || stmt->body->count == 0 || combined->condition_count == GF_MOST_CONDITIONS ||
            !is_pure(stmt->value)) {
            return false;
        }
        combined->conditions[combined->condition_count++] = stmt->value;
        return finds_add(e, stmt->body->items[0], combined);
    }
    if (stmt->kind != GF_STMT_LET && stmt->kind != GF_STMT_VAR && stmt->kind != GF_STMT_ASSIGN &&
        stmt->kind != GF_STMT_STORE && stmt->kind != GF_STMT_EXPR) {
        return false;
    }
    search s = {.e = e};
    gf_visitor visitor = {.user = &s, .expr = look_for_add};
    gf_visit_own_exprs(&visitor, stmt);
    combined->atomic = s.found;
    return s.found != NULL;
}

static bool look_for_atomic(void *user, const gf_expr *expr) {
    bool *found = user;
    *found = *found || expr->kind == GF_EXPR_ATOMIC;
    return !*found;
}

static bool look_for_wait(void *user, const gf_stmt *stmt) {
    bool *found = user;
    if (stmt->kind == GF_STMT_WHILE || stmt->kind == GF_STMT_LOOP) {
        gf_visitor visitor = {.user = found, .expr = look_for_atomic, .into_calls = true};
        gf_visit_expr(&visitor, stmt->value);
        gf_visit_block(&visitor, stmt->body);
    }
    return !*found;
}

/* Nothing that the invocation does in the first half can be waiting for the second half of another. */
static bool may_wait(const gf_block *first) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .stmt = look_for_wait, .into_calls = true};
    gf_visit_block(&visitor, first);
    return found;
}

static bool holds_return(const gf_block *body) {
    bool found = false;
    for (size_t i = 0; i < body->count; i++) {
        found = found || gf_holds_return(body->items[i]);
    }
    return found;
}

/* What is declared in the first half and lives in the second. */
static bool note_locals(gf_combined *combined) {
    for (size_t i = 0; i < combined->first.count; i++) {
        const gf_stmt *stmt = combined->first.items[i];
        if (stmt->kind != GF_STMT_LET && stmt->kind != GF_STMT_VAR) {
            continue;
        }
        if (stmt->target.symbol->is_array || combined->local_count == GF_MOST_KEPT) {
            return false;
        }
        combined->locals[combined->local_count++] = stmt->target.symbol;
    }
    return true;
}

bool gf_combine_find(gf_emit *e, const gf_block *body, gf_combined *combined) {
    if (e->options.checked || e->in_group || holds_return(body) || gf_block_holds_trap(body)) {
        return false;
    }
    while (body->count == 1 && (body->items[0]->kind == GF_STMT_REGION || body->items[0]->kind == GF_STMT_BLOCK)) {
        body = body->items[0]->body;
    }
    for (size_t i = 0; i < body->count; i++) {
        *combined = (gf_combined){.first = {.items = body->items, .count = i},
                                  .second = {.items = body->items + i, .count = body->count - i}};
        if (finds_add(e, body->items[i], combined)) {
            return note_locals(combined) && !may_wait(&combined->first);
        }
    }
    return false;
}

/* ---- code ---- */

static LLVMTypeRef local_type(gf_emit *e, const gf_symbol *local) {
    return gf_ll_type(&e->ll, local->type);
}

static LLVMTypeRef sum_type(gf_emit *e, const gf_combined *combined) {
    return gf_ll_type(&e->ll, combined->atomic->ref.symbol->type);
}

void gf_combine_begin(gf_emit *e, gf_combined *combined, uint64_t lanes) {
    for (unsigned i = 0; i < combined->local_count; i++) {
        LLVMTypeRef type = LLVMArrayType2(local_type(e, combined->locals[i]), lanes);
        combined->kept[i] = gf_alloca(e, type, combined->locals[i]->name);
    }
    combined->next = gf_alloca(e, sum_type(e, combined), "next");
    LLVMBuildStore(e->ll.builder, LLVMConstNull(sum_type(e, combined)), combined->next);
    combined->some = combined->condition_count > 0 ? gf_alloca(e, e->ll.i1, "some") : NULL;
    if (combined->some != NULL) {
        LLVMBuildStore(e->ll.builder, LLVMConstNull(e->ll.i1), combined->some);
    }
}

static LLVMValueRef kept_at(gf_emit *e, const gf_combined *combined, unsigned local, LLVMValueRef lane) {
    LLVMTypeRef type = local_type(e, combined->locals[local]);
    return LLVMBuildGEP2(e->ll.builder, type, combined->kept[local], &lane, 1, "");
}

void gf_combine_keep(gf_emit *e, const gf_combined *combined, LLVMValueRef lane) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMTypeRef type = sum_type(e, combined);
    LLVMValueRef operand = gf_emit_expr(e, combined->atomic->args[1]), comes = NULL;
    for (unsigned i = 0; i < combined->condition_count; i++) {
        LLVMValueRef holds = gf_emit_expr(e, combined->conditions[i]);
        comes = comes != NULL ? LLVMBuildAnd(b, comes, holds, "") : holds;
    }
    if (comes != NULL) {
        LLVMValueRef some = LLVMBuildLoad2(b, e->ll.i1, combined->some, "");
        LLVMBuildStore(b, LLVMBuildOr(b, some, comes, ""), combined->some);
        operand = LLVMBuildSelect(b, comes, operand, LLVMConstNull(type), "");
    }
    LLVMValueRef sum = LLVMBuildLoad2(b, type, combined->next, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, sum, operand, ""), combined->next);
    for (unsigned i = 0; i < combined->local_count; i++) {
        const gf_symbol *local = combined->locals[i];
        LLVMValueRef value = gf_name(e, local)->value;
        if (local->kind == GF_SYMBOL_VAR) {
            value = LLVMBuildLoad2(b, local_type(e, local), gf_name(e, local)->slot, "");
        }
        LLVMBuildStore(b, value, kept_at(e, combined, i, lane));
    }
}

void gf_combine_add(gf_emit *e, gf_combined *combined) {
    LLVMBuilderRef b = e->ll.builder;
    const gf_expr *atomic = combined->atomic;
    LLVMTypeRef type = sum_type(e, combined);
    LLVMValueRef sum = LLVMBuildLoad2(b, type, combined->next, "");
    gf_element element = gf_emit_place(e, NULL, atomic->ref.symbol, atomic->args[0]);
    /* Who adds 0 wants to know what is there. */
    LLVMValueRef some =
        combined->some != NULL ? LLVMBuildLoad2(b, e->ll.i1, combined->some, "") : LLVMConstInt(e->ll.i1, 1, 0);
    combined->inside = element.inside;
    if (element.inside != NULL) {
        some = LLVMBuildAnd(b, some, element.inside, "");
    }
    LLVMBasicBlockRef add = gf_block_new(e, "add"), after = gf_block_new(e, "added");
    LLVMBuildCondBr(b, some, add, after);
    gf_at(e, add);
    LLVMValueRef at = gf_element_ptr(e, atomic->ref.symbol, element.index);
    LLVMValueRef old = LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpAdd, at, sum, LLVMAtomicOrderingMonotonic, 0);
    LLVMBuildStore(b, old, combined->next);
    gf_branch(e, after);
    gf_at(e, after);
}

void gf_combine_restore(gf_emit *e, const gf_combined *combined, LLVMValueRef lane) {
    LLVMBuilderRef b = e->ll.builder;
    for (unsigned i = 0; i < combined->local_count; i++) {
        const gf_symbol *local = combined->locals[i];
        LLVMValueRef value = LLVMBuildLoad2(b, local_type(e, local), kept_at(e, combined, i, lane), "");
        if (local->kind == GF_SYMBOL_VAR) {
            LLVMBuildStore(b, value, gf_name(e, local)->slot);
        } else {
            gf_name(e, local)->value = value;
        }
    }
}

LLVMValueRef gf_combined_add(gf_emit *e) {
    LLVMBuilderRef b = e->ll.builder;
    const gf_combined *combined = e->combined;
    LLVMTypeRef type = sum_type(e, combined);
    LLVMValueRef operand = gf_emit_expr(e, combined->atomic->args[1]);
    LLVMValueRef old = LLVMBuildLoad2(b, type, combined->next, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, old, operand, ""), combined->next);
    return combined->inside == NULL ? old : LLVMBuildSelect(b, combined->inside, old, LLVMConstNull(type), "");
}
