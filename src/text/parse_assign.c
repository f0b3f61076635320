/* Statements that begin with an expression, and what is mistaken for one. */
#include "text/parse_stmt.h"
#include <string.h>

/* What a statement may begin with, for "did you mean". */
static const gf_keyword statement_keywords[] = {
    GF_KEYWORD_LET,        GF_KEYWORD_VAR,        GF_KEYWORD_IF,     GF_KEYWORD_ELSE,       GF_KEYWORD_FOR,
    GF_KEYWORD_WHILE,      GF_KEYWORD_LOOP,       GF_KEYWORD_FORALL, GF_KEYWORD_GRID,       GF_KEYWORD_GROUP,
    GF_KEYWORD_BREAK,      GF_KEYWORD_CONTINUE,   GF_KEYWORD_RETURN, GF_KEYWORD_BARRIER,    GF_KEYWORD_GRID_BARRIER,
    GF_KEYWORD_REGION,     GF_KEYWORD_ASSERT,     GF_KEYWORD_TRAP,   GF_KEYWORD_SWAP,       GF_KEYWORD_CONVERGED,
    GF_KEYWORD_COPY_ASYNC, GF_KEYWORD_ALL_REDUCE, GF_KEYWORD_WAIT,   GF_KEYWORD_ALL_GATHER, GF_KEYWORD_REDUCE_SCATTER,
    GF_KEYWORD_BROADCAST,
};

/* `i++` and `++i`, the first of the two signs being next. `name`: what stood before it, or NULL. */
static bool refuse_step(gf_parser *p, const char *name) {
    const char *sign = p->token.infix == GF_OP_ADD ? "+" : "-";
    gf_span span = gf_lexer_span(&p->lexer, p->token.offset, p->token.length + 1);
    if (name == NULL) {
        gf_parser_advance(p);
        name = gf_parser_peek(p)->kind == GF_TOKEN_NAME ? p->ahead.text : "x";
    }
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, span,
                       gf_arena_format(p->arena, "write `%s %s= 1;`", name, sign), "there is no `%s%s`", sign, sign);
    return false;
}

/* `do`, `switch` and the like, whose blocks are read for their errors. */
static bool refuse_construct(gf_parser *p) {
    const char *text = p->token.text;
    bool is_do = strcmp(text, "do") == 0;
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token),
                       is_do ? "write `loop { ... if !c { break; } }`" : "write a chain of `else if`",
                       "there is no `%s`", text);
    if (!gf_parser_skip_to_block(p) || gf_parse_block(p, "this", NULL) == NULL) {
        return false;
    }
    while (is_do && !gf_parser_is(p, GF_TOKEN_END) && !gf_parser_is(p, GF_TOKEN_RIGHT_BRACE) &&
           !gf_parser_take(p, GF_TOKEN_SEMICOLON)) {
        gf_parser_skip(p);
    }
    return true;
}

/* What stands where a statement begins with a name that nothing can be done with. */
static bool refuse_start(gf_parser *p) {
    const char *text = p->token.text;
    gf_span span = gf_parser_span(p, &p->token);
    const char *type = p->token.kind == GF_TOKEN_WORD ? text : gf_foreign_type(text);
    const char *like =
        gf_keyword_like(text, statement_keywords, sizeof statement_keywords / sizeof *statement_keywords);
    const char *foreign = gf_foreign_name(text);
    gf_token behind = *gf_parser_peek(p);
    if (strcmp(text, "auto") == 0) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, span, "write `let`", "there is no `auto`");
    } else if (type != NULL) {
        const char *name = behind.kind == GF_TOKEN_NAME || behind.kind == GF_TOKEN_WORD ? behind.text : "x";
        (void)gf_text_fail(
            &p->lexer, GF_CODE_SYNTAX, span,
            gf_arena_format(p->arena, "write `var %s %s`, or `let %s` if it never changes", type, name, name),
            "a variable is declared with `var` or `let`");
    } else if (strcmp(text, "elif") == 0 || strcmp(text, "elsif") == 0 || strcmp(text, "elseif") == 0) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, span, "write `else if`, behind the `}` of an `if`",
                           "there is no `%s`", text);
    } else if (foreign != NULL) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, span, foreign, "there is no `%s` in this language", text);
    } else if (like != NULL) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, span, gf_arena_format(p->arena, "did you mean `%s`?", like),
                           "`%s` begins no statement", text);
    } else {
        gf_parser_advance(p);
        return gf_parser_expected(p, gf_arena_format(p->arena, "`=`, `[` or `(` after `%s`", text));
    }
    return false;
}

/* Whether a name followed by this can go on as a statement. */
static bool can_follow_name(const gf_token *token) {
    switch (token->kind) {
    case GF_TOKEN_NAME:
    case GF_TOKEN_WORD:
    case GF_TOKEN_INT:
    case GF_TOKEN_FLOAT:
    case GF_TOKEN_STRING:
    case GF_TOKEN_LEFT_BRACE:
    case GF_TOKEN_SEMICOLON:
    case GF_TOKEN_RIGHT_BRACE:
    case GF_TOKEN_END:
        return false;
    case GF_TOKEN_BAD:
    case GF_TOKEN_OPERATOR:
    case GF_TOKEN_ASSIGN_OP:
    case GF_TOKEN_ASSIGN:
    case GF_TOKEN_AND_AND:
    case GF_TOKEN_OR_OR:
    case GF_TOKEN_LEFT_PAREN:
    case GF_TOKEN_RIGHT_PAREN:
    case GF_TOKEN_LEFT_BRACKET:
    case GF_TOKEN_RIGHT_BRACKET:
    case GF_TOKEN_COMMA:
    case GF_TOKEN_DOT:
    case GF_TOKEN_RANGE:
        return true;
    }
    return true;
}

/* `target = value`, `target op= value`, the sign being next. */
static bool parse_assignment(gf_parser *p, gf_stmt *stmt, const gf_expr *target, bool parenthesised) {
    if (parenthesised || (target->kind != GF_EXPR_NAME && target->kind != GF_EXPR_LOAD)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, target->span,
                           "variables and elements are assigned: `x = 1;`, `buffer[i] = 1;`",
                           "this cannot be assigned to");
        return false;
    }
    stmt->kind = target->kind == GF_EXPR_NAME ? GF_STMT_ASSIGN : GF_STMT_STORE;
    stmt->target = target->ref;
    stmt->index = target->kind == GF_EXPR_LOAD ? target->args[0] : NULL;
    stmt->op = gf_parser_is(p, GF_TOKEN_ASSIGN_OP) ? p->token.infix : GF_OP_NONE;
    gf_parser_advance(p);
    stmt->value = gf_parse_expr(p);
    return stmt->value != NULL && gf_parser_semicolon(p, "this statement");
}

bool gf_parse_expression_statement(gf_parser *p, gf_stmt *stmt) {
    bool parenthesised = gf_parser_is(p, GF_TOKEN_LEFT_PAREN);
    bool is_type = p->token.kind == GF_TOKEN_WORD && p->token.word->kind == GF_WORD_TYPE;
    if (gf_parser_at_step(&p->token) && gf_parser_peek(p)->infix == p->token.infix && gf_parser_at_step(&p->ahead)) {
        return refuse_step(p, NULL);
    }
    if (is_type && gf_parser_peek(p)->kind != GF_TOKEN_LEFT_PAREN) {
        return refuse_start(p);
    }
    if (gf_parser_is(p, GF_TOKEN_NAME)) {
        bool calls = gf_parser_peek(p)->kind == GF_TOKEN_LEFT_PAREN;
        if (gf_parser_is_name(p, "do") || gf_parser_is_name(p, "switch") || gf_parser_is_name(p, "match")) {
            gf_token_kind behind = gf_parser_peek(p)->kind;
            if (behind == GF_TOKEN_LEFT_BRACE || behind == GF_TOKEN_LEFT_PAREN || behind == GF_TOKEN_NAME) {
                return refuse_construct(p);
            }
        }
        bool is_foreign =
            calls && gf_foreign_name(p->token.text) != NULL && !gf_parser_declares_function(p, p->token.text);
        if (!can_follow_name(gf_parser_peek(p)) || is_foreign) {
            return refuse_start(p);
        }
        if (gf_parser_at_step(gf_parser_peek(p))) {
            gf_token name = p->token;
            gf_parser_advance(p);
            if (gf_parser_at_step(gf_parser_peek(p)) && p->ahead.infix == p->token.infix) {
                return refuse_step(p, name.text);
            }
            (void)gf_parser_expected(p, gf_arena_format(p->arena, "`=`, `[` or `(` after `%s`", name.text));
            return false;
        }
    }
    const gf_expr *expr = gf_parse_expr(p);
    if (expr == NULL) {
        return false;
    }
    stmt->head = expr->span;
    if (gf_parser_is(p, GF_TOKEN_ASSIGN) || gf_parser_is(p, GF_TOKEN_ASSIGN_OP)) {
        return parse_assignment(p, stmt, expr, parenthesised);
    }
    if (expr->kind == GF_EXPR_ATOMIC || expr->kind == GF_EXPR_CALL) {
        stmt->kind = GF_STMT_EXPR;
        stmt->value = expr;
        return gf_parser_semicolon(p, "this statement");
    }
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_STATEMENT, expr->span,
                       expr->kind == GF_EXPR_CROSS ? "write `let x = ...;`, or a barrier if only that is meant"
                                                   : "use the value: `let x = ...;`",
                       "an expression alone is no statement");
    return false;
}
