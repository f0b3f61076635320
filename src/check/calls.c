/* Functions: bodies of those that stay, and inlining of those that hold something of a level. */
#include "check/checker.h"
#include <string.h>

/* What surrounds an expression or statement, put aside while another body is looked at. */
typedef struct surroundings {
    check_symbol *function;
    loop_scope *loops;
    const gf_stmt *forall;
    unsigned forall_number, block_depth;
    const call_site *site;
    bool dry;
    size_t expanded;
} surroundings;

static surroundings put_aside(checker *c) {
    surroundings before = {c->function,    c->loops, c->forall, c->forall_number,
                           c->block_depth, c->site,  c->dry,    c->expanded};
    return before;
}

static void restore(checker *c, const surroundings *before) {
    c->function = before->function;
    c->loops = before->loops;
    c->forall = before->forall;
    c->forall_number = before->forall_number;
    c->block_depth = before->block_depth;
    c->site = before->site;
    c->dry = before->dry;
}

static bool leaves_loop(const gf_block *block, const gf_stmt *loop) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        if ((stmt->kind == GF_STMT_BREAK && as_check_stmt(stmt)->target == loop) || leaves_loop(stmt->body, loop) ||
            leaves_loop(stmt->otherwise, loop)) {
            return true;
        }
    }
    return false;
}

/* Whether nothing comes out at the end of the block. */
static bool never_ends(const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        bool stops = false;
        switch (stmt->kind) {
        case GF_STMT_RETURN:
            stops = true;
            break;
        case GF_STMT_IF:
            stops = stmt->otherwise != NULL && never_ends(stmt->body) && never_ends(stmt->otherwise);
            break;
        case GF_STMT_LOOP:
            stops = !leaves_loop(stmt->body, stmt);
            break;
        case GF_STMT_REGION:
        case GF_STMT_BLOCK:
            stops = never_ends(stmt->body);
            break;
        case GF_STMT_LET:
        case GF_STMT_VAR:
        case GF_STMT_ASSIGN:
        case GF_STMT_STORE:
        case GF_STMT_EXPR:
        case GF_STMT_SWAP:
        case GF_STMT_CONVERGED:
        case GF_STMT_FOR:
        case GF_STMT_WHILE:
        case GF_STMT_FORALL:
        case GF_STMT_BREAK:
        case GF_STMT_CONTINUE:
        case GF_STMT_BARRIER:
        case GF_STMT_GRID_BARRIER:
        case GF_STMT_ASSERT:
        case GF_STMT_TRAP:
        case GF_STMT_COLLECTIVE:
        case GF_STMT_COPY_ASYNC:
        case GF_STMT_WAIT:
            break;
        }
        if (stops) {
            return true;
        }
    }
    return false;
}

/* The first return that is not the last statement of the body. */
static const gf_stmt *find_early_return(const gf_block *block, bool is_body) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        if (stmt->kind == GF_STMT_RETURN && !(is_body && i + 1 == block->count)) {
            return stmt;
        }
        const gf_stmt *found = find_early_return(stmt->body, false);
        found = found != NULL ? found : find_early_return(stmt->otherwise, false);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

static bool check_shape(checker *c, check_symbol *function, const gf_block *body) {
    if (function->symbol.type != GF_TYPE_NONE && !never_ends(body)) {
        gf_check_fail(c, GF_CODE_MISSING_RETURN, function->symbol.span, "`%s` gives %s back, but not on every path",
                      function->symbol.name, gf_type_name(function->symbol.type));
        gf_fix(c->diags, "end it with `return ...;`");
        return false;
    }
    if (!function->is_inlined) {
        return true;
    }
    const gf_stmt *early = find_early_return(function->parsed->body, true);
    if (early != NULL) {
        gf_check_fail(c, GF_CODE_INLINE_RETURN, early->span,
                      "`%s` holds %s, so `return` can only be its last statement", function->symbol.name,
                      function->reason_text);
        gf_note(c->diags, function->reason, "it is here");
        gf_fix(c->diags, "put the rest under an `if`, or the value into a var that the last statement returns");
        return false;
    }
    return true;
}

/* Types of arguments and of what comes back. */
static bool check_signature(checker *c, check_symbol *function) {
    const gf_symbol *parsed = function->parsed;
    bool right = true;
    if (parsed->type != GF_TYPE_NONE && !gf_type_is_arithmetic(parsed->type)) {
        right = gf_check_fail(c, GF_CODE_ELEMENT_TYPE, parsed->span, "`%s` cannot give back %s: only arrays hold it",
                              parsed->name, gf_type_name(parsed->type));
        gf_fix(c->diags, "give back %s", gf_type_name(gf_type_loaded(parsed->type)));
    }
    for (size_t i = 0; i < parsed->argument_count; i++) {
        const gf_symbol *argument = parsed->arguments[i];
        if (!gf_type_is_arithmetic(argument->type)) {
            right = gf_check_fail(c, GF_CODE_ELEMENT_TYPE, argument->span, "`%s` cannot be %s: only arrays hold it",
                                  argument->name, gf_type_name(argument->type));
            gf_fix(c->diags, "make it %s", gf_type_name(gf_type_loaded(argument->type)));
        }
    }
    return right;
}

bool gf_check_function_body(checker *c, check_symbol *function) {
    if (function->state != 0) {
        return !function->broken;
    }
    function->state = 1;
    const gf_symbol *parsed = function->parsed;
    size_t errors = c->errors;
    surroundings before = put_aside(c);
    c->function = function;
    c->loops = NULL;
    c->forall = NULL;
    c->forall_number = 0;
    c->block_depth = 0;
    c->site = NULL;
    c->dry = function->is_inlined;
    c->expanded = 0;
    bool right = check_signature(c, function);
    gf_check_scope_open(c);
    const gf_symbol **arguments = gf_new_array(c->arena, const gf_symbol *, parsed->argument_count);
    for (size_t i = 0; i < parsed->argument_count; i++) {
        const gf_symbol *argument = parsed->arguments[i];
        check_symbol *made = gf_check_symbol_new(c, GF_SYMBOL_ARGUMENT, argument->name, argument->type, argument->span);
        gf_check_bind(c, argument->name, argument->span, made);
        arguments[i] = &made->symbol;
    }
    function->symbol.arguments = arguments;
    function->symbol.argument_count = parsed->argument_count;
    const gf_block *body = right ? gf_check_block(c, parsed->body) : NULL;
    gf_check_scope_close(c);
    function->expanded = c->expanded;
    restore(c, &before);
    c->expanded = before.expanded;
    if (right && c->errors == errors) {
        check_shape(c, function, body);
    }
    function->symbol.body = body;
    function->broken = function->broken || c->errors != errors;
    function->state = 2;
    if (!function->broken && !function->is_inlined) {
        gf_check_function_facts(c, function);
    }
    return !function->broken;
}

void gf_check_functions(checker *c) {
    for (size_t i = 0; i < c->functions.count && !c->too_large && c->errors < GF_CHECK_ERRORS; i++) {
        if (!c->functions.items[i]->poison) {
            gf_check_function_body(c, c->functions.items[i]);
        }
    }
}

static bool check_argument_count(checker *c, const gf_expr *call, const check_symbol *function) {
    size_t wanted = function->parsed->argument_count;
    if (call->arg_count == wanted) {
        return true;
    }
    gf_check_fail(c, GF_CODE_ARGUMENT_COUNT, call->span, "`%s` takes %zu argument%s, and here %s %zu",
                  function->symbol.name, wanted, wanted == 1 ? "" : "s", call->arg_count == 1 ? "is" : "are",
                  call->arg_count);
    gf_note(c->diags, function->symbol.span, "`%s` is declared here", function->symbol.name);
    return false;
}

static gf_expr *check_argument(checker *c, const gf_expr *call, const check_symbol *function, size_t i) {
    const gf_symbol *argument = function->parsed->arguments[i];
    const char *what = gf_arena_format(c->arena, "argument `%s` of `%s`", argument->name, function->symbol.name);
    return gf_check_value(c, call->args[i], argument->type, what);
}

/* A function sees more than a forall or a kernel without a space does. */
static bool check_ids_of_call(checker *c, const gf_expr *call, const check_symbol *function) {
    if (!function->facts.uses_ids || c->function != NULL) {
        return true;
    }
    if (c->forall != NULL) {
        gf_check_fail(c, GF_CODE_FORALL_SEES, call->span, "a forall cannot call `%s`, which uses `%s`",
                      function->symbol.name, function->facts.ids_name);
    } else if (c->tree->kernel.space_kind == GF_SPACE_ONE) {
        gf_check_fail(c, GF_CODE_NO_SPACE, call->span, "a kernel without a space cannot call `%s`, which uses `%s`",
                      function->symbol.name, function->facts.ids_name);
    } else {
        return true;
    }
    gf_note(c->diags, function->facts.ids_span, "`%s` is used here", function->facts.ids_name);
    gf_fix(c->diags, "hand the index to the function as an argument");
    return false;
}

gf_expr *gf_check_call(checker *c, const gf_expr *call, check_symbol *function) {
    bool right = gf_check_function_body(c, function) && check_argument_count(c, call, function);
    if (!right) {
        return NULL;
    }
    gf_expr **args = gf_new_array(c->arena, gf_expr *, call->arg_count);
    for (size_t i = 0; i < call->arg_count; i++) {
        args[i] = check_argument(c, call, function, i);
        right = right && args[i] != NULL;
    }
    if (!right || !check_ids_of_call(c, call, function) || !gf_check_count_call(c, call->span, function)) {
        return NULL;
    }
    gf_expr *made = gf_check_make(c, GF_EXPR_CALL, function->symbol.type, call->span);
    made->ref = gf_check_ref(&function->symbol, call->ref.span);
    made->args = (const gf_expr *const *)args;
    made->arg_count = call->arg_count;
    return made;
}

gf_expr *gf_check_inline(checker *c, const gf_expr *call, check_symbol *function, stmt_list *out) {
    if (!gf_check_function_body(c, function) || !check_argument_count(c, call, function) || c->too_large) {
        return NULL;
    }
    if (c->dry) {
        /* The body was looked at already; only the arguments are new. */
        for (size_t i = 0; i < call->arg_count; i++) {
            if (check_argument(c, call, function, i) == NULL) {
                return NULL;
            }
        }
        return function->symbol.type == GF_TYPE_NONE
                   ? NULL
                   : gf_check_make(c, GF_EXPR_NAME, function->symbol.type, call->span);
    }
    if (c->site != NULL && c->site->depth >= GF_CHECK_DEPTH) {
        return NULL;
    }
    gf_expr **args = gf_new_array(c->arena, gf_expr *, call->arg_count);
    for (size_t i = 0; i < call->arg_count; i++) {
        args[i] = check_argument(c, call, function, i);
        if (args[i] == NULL) {
            return NULL;
        }
    }
    call_site *site = gf_new(c->arena, call_site);
    site->span = call->span;
    site->function = function->symbol.name;
    site->outer = c->site;
    site->depth = c->site == NULL ? 1 : c->site->depth + 1;
    surroundings before = put_aside(c);
    c->site = site;
    c->loops = NULL;
    c->function = NULL;
    gf_check_scope_open(c);
    for (size_t i = 0; i < call->arg_count; i++) {
        const gf_symbol *argument = function->parsed->arguments[i];
        const gf_symbol *let = gf_check_emit_let(c, out, argument->name, args[i], argument->span);
        gf_check_bind(c, argument->name, argument->span, as_check(let));
    }
    gf_check_scope_open(c);
    const gf_block *body = function->parsed->body;
    const gf_stmt *last = body->count == 0 ? NULL : body->items[body->count - 1];
    bool returns = last != NULL && last->kind == GF_STMT_RETURN;
    gf_block kept = {.items = body->items, .count = returns ? body->count - 1 : body->count};
    gf_check_stmts(c, &kept, out);
    gf_expr *value = NULL;
    if (returns && last->value != NULL) {
        value = gf_check_value(c, last->value, function->symbol.type, function->symbol.name);
    }
    gf_check_scope_close(c);
    gf_check_scope_close(c);
    restore(c, &before);
    return value;
}
