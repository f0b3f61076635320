/* Why a value is not the same for all: the chain of definitions down to what makes it differ, and what to do. */
#include "check/checker.h"
#include <string.h>

#define NOTES 8

typedef struct explanation {
    checker *c;
    gf_level level;
    unsigned notes;
    const gf_expr *root; /* where the chain ends */
} explanation;

static const char *circle(gf_level level) {
    return level == GF_LEVEL_GRID ? "grid" : "workgroup";
}

static const char *shown(const explanation *at, const gf_expr *expr) {
    const char *text = gf_check_text(at->c, expr->span);
    return text[0] != '\0' ? text : expr->ref.name != NULL ? expr->ref.name : "it";
}

static void explain_value(explanation *at, const gf_expr *expr, bool in_head);

static void explain_symbol(explanation *at, const check_symbol *symbol) {
    checker *c = at->c;
    const char *name = symbol->user_name;
    const gf_stmt *stmt = symbol->why_stmt;
    if (symbol->symbol.kind == GF_SYMBOL_ARGUMENT) {
        gf_note(c->diags, symbol->symbol.span, "`%s` is an argument", name);
        return;
    }
    if (stmt == NULL) {
        gf_note(c->diags, symbol->symbol.span,
                "`%s` is declared inside control flow that each invocation takes by itself", name);
        return;
    }
    if (symbol->why_expr != NULL) {
        gf_note(c->diags, stmt->span, "`%s` gets its value here", name);
        explain_value(at, symbol->why_expr, false);
        return;
    }
    bool is_definition = stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR || stmt->kind == GF_STMT_FOR;
    gf_note(c->diags, stmt->span,
            is_definition ? "`%s` is declared inside control flow that the %s does not take together"
                          : "`%s` is assigned here, inside control flow that the %s does not take "
                            "together",
            name, circle(at->level));
}

static void explain_call(explanation *at, const gf_expr *expr) {
    const function_facts *facts = &as_check(expr->ref.symbol)->facts;
    const char *name = expr->ref.symbol->name;
    if (facts->uses_ids) {
        gf_note(at->c->diags, facts->ids_span, "`%s` uses `%s`", name, facts->ids_name);
        return;
    }
    for (size_t i = 0; i < facts->load_count; i++) {
        if (facts->loads[i]->written) {
            gf_note(at->c->diags, expr->span, "`%s` loads from `%s`, which the program writes", name,
                    facts->loads[i]->symbol.name);
            return;
        }
    }
    gf_note(at->c->diags, expr->span, "`%s` has effects of its own or uses atomics", name);
}

static void explain_leaf(explanation *at, const gf_expr *expr, bool in_head) {
    checker *c = at->c;
    at->root = expr;
    switch (expr->kind) {
    case GF_EXPR_BUILTIN:
        gf_note(c->diags, expr->span, "`%s` differs from %s to %s", shown(at, expr),
                expr->builtin == GF_BUILTIN_WID ? "workgroup" : "invocation",
                expr->builtin == GF_BUILTIN_WID ? "workgroup" : "invocation");
        break;
    case GF_EXPR_NAME:
        explain_symbol(at, as_check(expr->ref.symbol));
        break;
    case GF_EXPR_LOAD:
        if (expr->ref.symbol->kind == GF_SYMBOL_VAR) {
            gf_note(c->diags, expr->span, "each invocation has a `%s` of its own", user_name(expr->ref.symbol));
        } else if (expr->ref.symbol->kind == GF_SYMBOL_SHARED && (in_head || !as_check(expr->ref.symbol)->written)) {
            gf_note(c->diags, expr->span, "each workgroup has a `%s` of its own", expr->ref.name);
        } else {
            gf_note(c->diags, expr->span,
                    "the program writes `%s`, so what this loads depends on when each invocation comes "
                    "by",
                    expr->ref.name);
        }
        break;
    case GF_EXPR_ATOMIC:
        gf_note(c->diags, expr->span, "what an atomic gives depends on when each invocation comes by");
        break;
    case GF_EXPR_CROSS:
        if (expr->cross == GF_CROSS_SCAN_ADD) {
            gf_note(c->diags, expr->span, "a scan gives each invocation a sum of its own");
        } else {
            gf_note(c->diags, expr->span, "a group operation gives each workgroup a result of its own");
        }
        break;
    case GF_EXPR_CALL:
        explain_call(at, expr);
        break;
    case GF_EXPR_LITERAL:
    case GF_EXPR_LEN:
    case GF_EXPR_OP:
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        break;
    }
}

static void explain_value(explanation *at, const gf_expr *expr, bool in_head) {
    if (at->notes++ >= NOTES) {
        return;
    }
    const gf_expr *culprit = NULL;
    gf_check_uniformity(at->c, expr, in_head, at->level, &culprit);
    if (culprit != NULL) {
        explain_leaf(at, culprit, in_head);
    } else if (expr->kind == GF_EXPR_CROSS) {
        explain_leaf(at, expr, in_head);
    }
}

void gf_check_explain(checker *c, const gf_expr *expr, bool in_head, gf_level level, const char *barrier) {
    explanation at = {.c = c, .level = level};
    explain_value(&at, expr, in_head);
    const char *prefix = level == GF_LEVEL_GRID ? "grid" : "group";
    const gf_expr *root = at.root;
    bool is_load = root != NULL && (root->kind == GF_EXPR_LOAD || root->kind == GF_EXPR_ATOMIC) &&
                   root->ref.symbol->kind == GF_SYMBOL_BUFFER &&
                   gf_check_uniformity(c, root->args[0], false, level, NULL) >= level;
    if (c->tree->kernel.space_kind == GF_SPACE_ONE) {
        is_load = is_load && in_head && root->kind == GF_EXPR_LOAD;
        gf_fix(c->diags,
               is_load ? "load it in the condition itself, `%s[%s]`, or bring it out of a forall by `reduce`"
                       : "bring the value out of a forall by `reduce`",
               is_load ? root->ref.name : "", is_load ? shown(&at, root->args[0]) : "");
    } else if (is_load && in_head && root->kind == GF_EXPR_ATOMIC && root->atomic == GF_ATOMIC_LOAD && at.notes == 1) {
        gf_fix(c->diags, "write `%s[%s]`: a plain load in this condition is done once for all", root->ref.name,
               shown(&at, root->args[0]));
    } else if (is_load && level == GF_LEVEL_GRID) {
        const char *element = gf_arena_format(c->arena, "%s[%s]", root->ref.name, shown(&at, root->args[0]));
        gf_fix(c->diags, "load it once for the whole grid: `let x = grid_load(%s);`", element);
    } else if (expr->type == GF_TYPE_BOOL && barrier != NULL) {
        /* First, as a vote would have the rest of the `if` done by all as well. */
        gf_fix(c->diags, "move %s out of the if, or let the %s decide together: %s_any(%s), or %s_all", barrier,
               circle(level), prefix, shown(&at, expr), prefix);
    } else if (expr->type == GF_TYPE_BOOL) {
        gf_fix(c->diags, "let the %s decide together: %s_any(%s), or %s_all", circle(level), prefix, shown(&at, expr),
               prefix);
    } else {
        gf_fix(c->diags, "make it one value: %s_max(%s), or %s_min", prefix, shown(&at, expr), prefix);
    }
}
