/* while, for and forall. */
#include "check/checker.h"
#include <string.h>

const gf_block *gf_check_loop_body(checker *c, const gf_stmt *loop, const gf_block *block) {
    loop_scope scope = {.outer = c->loops, .stmt = loop};
    c->loops = &scope;
    const gf_block *body = gf_check_block(c, block);
    c->loops = scope.outer;
    return body;
}

/* while with an operation in its head: loop { let t = ...; if !(...t...) { break; } body } */
void gf_check_while(checker *c, const gf_stmt *parsed, stmt_list *out) {
    check_stmt *made = gf_check_stmt_new(c, parsed);
    if (!gf_check_holds_cross(parsed->value)) {
        made->stmt.value = gf_check_condition(c, parsed->value, "the condition of a while");
        made->stmt.body = gf_check_loop_body(c, &made->stmt, parsed->body);
        if (made->stmt.value != NULL) {
            gf_check_emit(c, out, made);
        }
        return;
    }
    made->stmt.kind = GF_STMT_LOOP;
    loop_scope scope = {.outer = c->loops, .stmt = &made->stmt};
    /* cppcheck-suppress autoVariables; taken back below, before the scope ends */
    c->loops = &scope;
    gf_check_scope_open(c);
    stmt_list list = {0};
    c->in_while = true;
    gf_expr *condition = gf_check_head(c, parsed->value, "the condition of a while", &list);
    c->in_while = false;
    if (condition != NULL) {
        gf_expr **args = gf_new_array(c->arena, gf_expr *, 1);
        args[0] = condition;
        gf_expr *negated = gf_check_make(c, GF_EXPR_OP, GF_TYPE_BOOL, condition->span);
        negated->op = GF_OP_NOT;
        negated->args = (const gf_expr *const *)args;
        negated->arg_count = 1;
        gf_stmt shape = {.kind = GF_STMT_BREAK, .span = parsed->head, .head = parsed->head};
        check_stmt *leave = gf_check_stmt_new(c, &shape);
        leave->target = &made->stmt;
        stmt_list inside = {0};
        gf_check_emit(c, &inside, leave);
        shape.kind = GF_STMT_IF;
        check_stmt *test = gf_check_stmt_new(c, &shape);
        test->stmt.value = negated;
        test->stmt.body = gf_check_block_of(c, &inside, NULL);
        gf_check_emit(c, &list, test);
    }
    gf_check_stmts(c, parsed->body, &list);
    gf_check_scope_close(c);
    c->loops = scope.outer;
    made->stmt.body = gf_check_block_of(c, &list, parsed->body->comments);
    gf_check_emit(c, out, made);
}

/* The common integer type of bounds; untyped ones follow. */
static bool check_bounds(checker *c, const gf_stmt *parsed, gf_expr *bounds[3]) {
    const gf_expr *from[3] = {parsed->from, parsed->to, parsed->step};
    bool right = true;
    gf_expr *typed = NULL;
    for (size_t i = 0; i < 3; i++) {
        bounds[i] = from[i] == NULL ? NULL : gf_check_expr(c, from[i]);
        right = right && (from[i] == NULL || bounds[i] != NULL);
        if (bounds[i] != NULL && !is_untyped(bounds[i]) && typed == NULL) {
            typed = bounds[i];
        }
    }
    for (size_t i = 0; i < 3 && right; i++) {
        gf_expr *bound = bounds[i];
        if (bound == NULL) {
            continue;
        }
        gf_type is = is_untyped(bound) ? (bound->is_float ? GF_TYPE_F32 : GF_TYPE_U32) : bound->type;
        if (!gf_type_is_integer(is)) {
            right = gf_check_fail(c, GF_CODE_TYPE_MISMATCH, bound->span,
                                  "the bounds of a loop are integers, and this is %s", gf_type_name(is));
            gf_fix(c->diags, "write u32(%s)", gf_check_text(c, bound->span));
        } else if (is_untyped(bound)) {
            gf_type type = typed != NULL ? typed->type : GF_TYPE_U32;
            if (typed == NULL && (!gf_check_literal_fits(c, bound, GF_TYPE_U32) ||
                                  (bounds[1] != NULL && !gf_check_literal_fits(c, bounds[1], GF_TYPE_U32)))) {
                type = GF_TYPE_U64;
            }
            right = gf_check_settle(c, bound, type);
        } else if (typed != NULL && bound->type != typed->type) {
            right = gf_check_fail(c, GF_CODE_TYPE_MISMATCH, bound->span,
                                  "the bounds of a loop have one type: this is %s, and "
                                  "`%s` is %s",
                                  gf_type_name(bound->type), gf_check_text(c, typed->span), gf_type_name(typed->type));
            gf_fix(c->diags, "write %s(%s)", gf_type_name(typed->type), gf_check_text(c, bound->span));
        }
    }
    return right;
}

static check_symbol *bind_loop_variable(checker *c, const gf_stmt *parsed, const gf_expr *bound, check_stmt *made) {
    check_symbol *symbol = gf_check_symbol_new(c, GF_SYMBOL_LOOP, parsed->target.name,
                                               bound == NULL ? GF_TYPE_NONE : bound->type, parsed->target.span);
    symbol->poison = bound == NULL;
    gf_check_bind(c, parsed->target.name, parsed->target.span, symbol);
    made->stmt.target = gf_check_ref(&symbol->symbol, parsed->target.span);
    return symbol;
}

void gf_check_for(checker *c, const gf_stmt *parsed, stmt_list *out) {
    gf_expr *bounds[3];
    bool right = check_bounds(c, parsed, bounds);
    check_stmt *made = gf_check_stmt_new(c, parsed);
    made->stmt.from = bounds[0];
    made->stmt.to = bounds[1];
    made->stmt.step = bounds[2];
    gf_check_scope_open(c);
    bind_loop_variable(c, parsed, right ? bounds[0] : NULL, made);
    made->stmt.body = gf_check_loop_body(c, &made->stmt, parsed->body);
    gf_check_scope_close(c);
    if (right) {
        gf_check_emit(c, out, made);
    }
}

static bool combine_takes(gf_combine combine, gf_type type) {
    switch (combine) {
    case GF_COMBINE_ADD:
    case GF_COMBINE_MIN:
    case GF_COMBINE_MAX:
        return type != GF_TYPE_BOOL;
    case GF_COMBINE_AND:
    case GF_COMBINE_OR:
        return type == GF_TYPE_BOOL || gf_type_is_integer(type);
    }
    return false;
}

static bool check_reduce(checker *c, const gf_reduce *parsed, gf_reduce *made) {
    check_symbol *outer = gf_check_lookup(c, &parsed->outer);
    if (outer == NULL || outer->poison) {
        return false;
    }
    const gf_symbol *s = &outer->symbol;
    if (s->kind != GF_SYMBOL_VAR || s->is_array) {
        gf_check_fail(c, GF_CODE_REDUCE_VARIABLE, parsed->outer.span, "reduce combines into a var, and `%s` is %s",
                      parsed->outer.name, gf_check_symbol_noun(s));
        gf_note(c->diags, s->span, "`%s` is declared here", parsed->outer.name);
        return false;
    }
    if (!combine_takes(parsed->combine, s->type)) {
        gf_check_fail(c, GF_CODE_REDUCE_VARIABLE, parsed->outer.span, "reduce(%s) does not take %s, the type of `%s`",
                      gf_combine_name(parsed->combine), gf_type_name(s->type), parsed->outer.name);
        gf_fix(c->diags, s->type == GF_TYPE_BOOL ? "for bool there are `or` and `and`"
                                                 : "add, min and max take numbers, `and` and `or` integers and bool");
        return false;
    }
    made->combine = parsed->combine;
    made->outer = gf_check_ref(s, parsed->outer.span);
    return true;
}

void gf_check_forall(checker *c, const gf_stmt *parsed, stmt_list *out) {
    if (c->forall != NULL) {
        gf_check_fail(c, GF_CODE_FORALL_HOLDS, parsed->head, "a forall holds no other forall");
        gf_note(c->diags, c->forall->head, "the outer one is here");
        gf_fix(c->diags, "write the inner one as `for`, or make one forall over both ranges");
        return;
    }
    gf_expr *bounds[3];
    bool right = check_bounds(c, parsed, bounds);
    check_stmt *made = gf_check_stmt_new(c, parsed);
    made->stmt.from = bounds[0];
    made->stmt.to = bounds[1];
    gf_reduce *reduces = gf_new_array(c->arena, gf_reduce, parsed->reduce_count);
    for (size_t i = 0; i < parsed->reduce_count; i++) {
        right = check_reduce(c, &parsed->reduces[i], &reduces[i]) && right;
        for (size_t k = 0; right && k < i; k++) {
            if (reduces[k].outer.symbol == reduces[i].outer.symbol) {
                right = gf_check_fail(c, GF_CODE_REDUCE_VARIABLE, parsed->reduces[i].outer.span,
                                      "`%s` is combined twice", parsed->reduces[i].outer.name);
            }
        }
    }
    unsigned outer_number = c->forall_number;
    c->forall = &made->stmt;
    c->forall_number = ++c->forall_count;
    made->stmt.target = parsed->target; /* its name, for messages, until the symbol is there */
    gf_check_scope_open(c);
    for (size_t i = 0; i < parsed->reduce_count && !right; i++) {
        bool is_first = true;
        for (size_t k = 0; k < i; k++) {
            is_first = is_first && strcmp(parsed->reduces[k].outer.name, parsed->reduces[i].outer.name) != 0;
        }
        if (is_first) {
            gf_check_bind_poison(c, GF_SYMBOL_VAR, &parsed->reduces[i].outer);
        }
    }
    for (size_t i = 0; i < parsed->reduce_count && right; i++) {
        const gf_symbol *outer = reduces[i].outer.symbol;
        check_symbol *inner = gf_check_symbol_new(c, GF_SYMBOL_VAR, outer->name, outer->type, outer->span);
        inner->reduced = outer;
        inner->user_name = user_name(outer);
        reduces[i].inner = &inner->symbol;
        gf_check_bind(c, parsed->reduces[i].outer.name, parsed->reduces[i].outer.span, inner);
    }
    gf_check_scope_open(c);
    bind_loop_variable(c, parsed, right ? bounds[0] : NULL, made);
    made->stmt.body = gf_check_loop_body(c, &made->stmt, parsed->body);
    gf_check_scope_close(c);
    gf_check_scope_close(c);
    c->forall = NULL;
    c->forall_number = outer_number;
    made->stmt.reduces = reduces;
    made->stmt.reduce_count = parsed->reduce_count;
    if (right) {
        gf_check_emit(c, out, made);
    }
}
