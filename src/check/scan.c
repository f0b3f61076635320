/* Looks through the functions as written: which hold something of a level and are therefore inlined, and that none
 * calls itself. */
#include "check/checker.h"
#include "ir/visit.h"
#include <string.h>

typedef struct scan {
    checker *c;
    check_symbol *function;
    check_symbol **callees;
    const gf_expr **calls;
    size_t count, capacity, call_capacity;
} scan;

static void set_reason(check_symbol *function, gf_span span, const char *text) {
    if (!function->is_inlined) {
        function->is_inlined = true;
        function->reason = span;
        function->reason_text = text;
    }
}

static bool scan_stmt(void *user, const gf_stmt *stmt) {
    scan *at = user;
    const char *text = NULL;
    switch (stmt->kind) {
    case GF_STMT_BARRIER:
        text = "a barrier";
        break;
    case GF_STMT_GRID_BARRIER:
        text = "a grid barrier";
        break;
    case GF_STMT_FORALL:
        text = "a forall";
        break;
    case GF_STMT_SWAP:
        text = "a swap";
        break;
    case GF_STMT_CONVERGED:
        text = "converged";
        break;
    case GF_STMT_COLLECTIVE:
        text = "a collective";
        break;
    case GF_STMT_LET:
    case GF_STMT_VAR:
    case GF_STMT_ASSIGN:
    case GF_STMT_STORE:
    case GF_STMT_EXPR:
    case GF_STMT_IF:
    case GF_STMT_FOR:
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
    case GF_STMT_BREAK:
    case GF_STMT_CONTINUE:
    case GF_STMT_RETURN:
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
    case GF_STMT_COPY_ASYNC:
    case GF_STMT_WAIT:
        if (stmt->forced != GF_LEVEL_NONE) {
            text = stmt->forced == GF_LEVEL_GRID ? "grid-level control flow" : "workgroup-level control flow";
        }
        break;
    }
    if (text != NULL) {
        set_reason(at->function, stmt->head.source != NULL ? stmt->head : stmt->span, text);
    }
    return true;
}

static bool scan_expr(void *user, const gf_expr *expr) {
    scan *at = user;
    if (expr->kind == GF_EXPR_CROSS) {
        set_reason(at->function, expr->span, expr->level == GF_LEVEL_GRID ? "a grid operation" : "a group operation");
    } else if (expr->kind == GF_EXPR_CALL) {
        check_symbol *callee = gf_check_lookup_global(at->c, expr->ref.name);
        if (callee != NULL && callee->symbol.kind == GF_SYMBOL_FUNCTION) {
            at->calls = gf_vec_grow(at->c->arena, at->calls, at->count, &at->call_capacity, sizeof *at->calls);
            at->callees = gf_vec_grow(at->c->arena, at->callees, at->count, &at->capacity, sizeof *at->callees);
            at->calls[at->count] = expr;
            at->callees[at->count++] = callee;
        }
    }
    return true;
}

static void report_cycle(checker *c, check_symbol **chain, const gf_expr **calls, size_t depth, check_symbol *again) {
    size_t first = 0;
    while (first < depth && chain[first] != again) {
        first++;
    }
    gf_check_fail(c, GF_CODE_RECURSION, calls[depth - 1]->span, "`%s` calls itself%s", again->symbol.name,
                  depth - first > 1 ? " through others" : "");
    for (size_t i = first; i + 1 < depth && i < first + 6; i++) {
        gf_note(c->diags, calls[i]->span, "`%s` calls `%s` here", chain[i]->symbol.name, chain[i + 1]->symbol.name);
    }
    gf_fix(c->diags, "functions are inlined and cannot recurse; use a loop");
    for (size_t i = first; i < depth; i++) {
        chain[i]->broken = true;
        chain[i]->poison = true;
    }
}

static void scan_function(checker *c, check_symbol *function, check_symbol **chain, const gf_expr **calls,
                          size_t depth) {
    function->scan_state = 1;
    chain[depth] = function;
    scan at = {.c = c, .function = function};
    gf_visitor visitor = {.user = &at, .stmt = scan_stmt, .expr = scan_expr};
    gf_visit_block(&visitor, function->parsed->body);
    for (size_t i = 0; i < at.count; i++) {
        check_symbol *callee = at.callees[i];
        calls[depth] = at.calls[i];
        if (callee->scan_state == 1) {
            report_cycle(c, chain, calls, depth + 1, callee);
            continue;
        }
        if (callee->scan_state == 0) {
            if (depth + 1 >= GF_CHECK_DEPTH) {
                gf_check_fail(c, GF_CODE_TOO_LARGE, at.calls[i]->span, "functions call functions deeper than %d levels",
                              GF_CHECK_DEPTH);
                callee->poison = true;
                continue;
            }
            scan_function(c, callee, chain, calls, depth + 1);
        }
        if (callee->is_inlined) {
            set_reason(function, callee->reason, callee->reason_text);
        }
    }
    function->scan_state = 2;
}

void gf_check_scan_functions(checker *c) {
    check_symbol **chain = gf_new_array(c->arena, check_symbol *, GF_CHECK_DEPTH + 1);
    const gf_expr **calls = gf_new_array(c->arena, const gf_expr *, GF_CHECK_DEPTH + 1);
    for (size_t i = 0; i < c->functions.count; i++) {
        if (c->functions.items[i]->scan_state == 0) {
            scan_function(c, c->functions.items[i], chain, calls, 0);
        }
    }
}
