/* Which statement it is, and the short ones. */
#include "text/parse_stmt.h"
#include <string.h>

/* ---- simple statements ---- */

static bool parse_let(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_LET;
    gf_parser_advance(p);
    const gf_token *behind = gf_parser_peek(p);
    bool names_follow = behind->kind == GF_TOKEN_NAME || behind->kind == GF_TOKEN_WORD;
    if (p->token.kind == GF_TOKEN_WORD && p->token.word->kind == GF_WORD_TYPE && names_follow) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           gf_arena_format(p->arena, "leave out `%s`; or write `var %s`", p->token.text, p->token.text),
                           "`let` takes its type from the value");
        gf_parser_advance(p);
    } else if (names_follow && (gf_parser_is_name(p, "mut") || gf_parser_is_name(p, "mutable"))) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token),
                           "write `var u32 x = 0;`, or another type", "what changes is a `var`");
        gf_parser_advance(p);
    }
    if (!gf_parser_declare(p, "the name of a `let`", &stmt->target)) {
        return false;
    }
    stmt->head = stmt->target.span;
    if (!gf_parser_expect(p, GF_TOKEN_ASSIGN, "`=` and the value of the `let`")) {
        return false;
    }
    stmt->value = gf_parse_expr(p);
    return stmt->value != NULL && gf_parser_semicolon(p, "this statement");
}

static bool parse_var(gf_parser *p, gf_stmt *stmt) {
    gf_symbol *symbol = gf_new(p->arena, gf_symbol);
    symbol->kind = GF_SYMBOL_VAR;
    stmt->kind = GF_STMT_VAR;
    gf_parser_advance(p);
    if (gf_parser_is(p, GF_TOKEN_NAME) && gf_parser_peek(p)->kind == GF_TOKEN_ASSIGN) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           gf_arena_format(p->arena,
                                           "write `var u32 %s`, or another type; or `let %s`, if it never changes",
                                           p->token.text, p->token.text),
                           "`var` names its type");
    } else if (!gf_parser_type(p, &symbol->type)) {
        return false;
    }
    if (!gf_parser_declare(p, "the name of a variable", &stmt->target)) {
        return false;
    }
    stmt->head = stmt->target.span;
    symbol->name = stmt->target.name;
    symbol->span = stmt->target.span;
    stmt->target.symbol = symbol;
    gf_token open = p->token;
    if (gf_parser_take(p, GF_TOKEN_LEFT_BRACKET)) {
        symbol->is_array = true;
        symbol->size = gf_parse_expr(p);
        if (symbol->size == NULL || !gf_parser_close(p, GF_TOKEN_RIGHT_BRACKET, &open)) {
            return false;
        }
        if (gf_parser_is(p, GF_TOKEN_ASSIGN)) {
            (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                               "leave out the value and store to the elements", "an array starts as zeros");
            return false;
        }
    } else if (gf_parser_take(p, GF_TOKEN_ASSIGN)) {
        stmt->value = gf_parse_expr(p);
        if (stmt->value == NULL) {
            return false;
        }
    }
    return gf_parser_semicolon(p, "this statement");
}

static bool parse_plain(gf_parser *p, gf_stmt *stmt, gf_stmt_kind kind) {
    const char *word = p->token.text;
    stmt->kind = kind;
    gf_parser_advance(p);
    if (gf_parser_is(p, GF_TOKEN_LEFT_PAREN) && gf_parser_peek(p)->kind == GF_TOKEN_RIGHT_PAREN) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token),
                           gf_arena_format(p->arena, "write `%s;`", word), "`%s` takes no parentheses", word);
        gf_parser_advance(p);
        gf_parser_advance(p);
    }
    return gf_parser_semicolon(p, "this statement");
}

static bool parse_return(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_RETURN;
    gf_parser_advance(p);
    bool ends = gf_parser_is(p, GF_TOKEN_SEMICOLON) || gf_parser_is(p, GF_TOKEN_RIGHT_BRACE) ||
                (p->token.line_start && gf_parser_at_statement(p));
    if (!ends) {
        stmt->value = gf_parse_expr(p);
        if (stmt->value == NULL) {
            return false;
        }
    }
    return gf_parser_semicolon(p, "this statement");
}

/* ---- which one ---- */

static bool refuse_keyword(gf_parser *p) {
    const char *text = p->token.text;
    gf_span span = gf_parser_span(p, &p->token);
    if (gf_parser_is_keyword(p, GF_KEYWORD_ELSE)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, span, "it stands directly behind the `}` of an `if`",
                           "`else` without an `if`");
        gf_parser_advance(p);
        return false;
    }
    const char *fix = "move it above the kernel";
    if (gf_parser_is_keyword(p, GF_KEYWORD_CONST)) {
        fix = "write `let`, or move it above the kernel";
    }
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_PLACE, span, fix, "`%s` stands outside of blocks", text);
    gf_parser_advance(p);
    return false;
}

static bool parse_keyword(gf_parser *p, gf_stmt *stmt) {
    switch (p->token.word->keyword) {
    case GF_KEYWORD_LET:
        return parse_let(p, stmt);
    case GF_KEYWORD_VAR:
        return parse_var(p, stmt);
    case GF_KEYWORD_IF:
        return gf_parse_if(p, stmt);
    case GF_KEYWORD_FOR:
        return gf_parse_for(p, stmt);
    case GF_KEYWORD_WHILE:
        return gf_parse_while(p, stmt);
    case GF_KEYWORD_LOOP:
        return gf_parse_loop(p, stmt);
    case GF_KEYWORD_FORALL:
        return gf_parse_forall(p, stmt);
    case GF_KEYWORD_GRID:
    case GF_KEYWORD_GROUP:
        return gf_parse_forced(p, stmt);
    case GF_KEYWORD_BREAK:
        return parse_plain(p, stmt, GF_STMT_BREAK);
    case GF_KEYWORD_CONTINUE:
        return parse_plain(p, stmt, GF_STMT_CONTINUE);
    case GF_KEYWORD_RETURN:
        return parse_return(p, stmt);
    case GF_KEYWORD_BARRIER:
        return parse_plain(p, stmt, GF_STMT_BARRIER);
    case GF_KEYWORD_GRID_BARRIER:
        return parse_plain(p, stmt, GF_STMT_GRID_BARRIER);
    case GF_KEYWORD_REGION:
        return gf_parse_region(p, stmt);
    case GF_KEYWORD_ASSERT:
        return gf_parse_assert(p, stmt);
    case GF_KEYWORD_TRAP:
        return gf_parse_trap(p, stmt);
    case GF_KEYWORD_SWAP:
        return gf_parse_swap(p, stmt);
    case GF_KEYWORD_CONVERGED:
        return gf_parse_converged(p, stmt);
    case GF_KEYWORD_ALL_REDUCE:
        return gf_parse_collective(p, stmt, GF_COLLECTIVE_ALL_REDUCE);
    case GF_KEYWORD_ALL_GATHER:
        return gf_parse_collective(p, stmt, GF_COLLECTIVE_ALL_GATHER);
    case GF_KEYWORD_REDUCE_SCATTER:
        return gf_parse_collective(p, stmt, GF_COLLECTIVE_REDUCE_SCATTER);
    case GF_KEYWORD_BROADCAST:
        return gf_parse_collective(p, stmt, GF_COLLECTIVE_BROADCAST);
    case GF_KEYWORD_COPY_ASYNC:
        return gf_parse_copy_async(p, stmt);
    case GF_KEYWORD_WAIT:
        return gf_parse_wait(p, stmt);
    case GF_KEYWORD_PROGRAM:
    case GF_KEYWORD_CONST:
    case GF_KEYWORD_PARAM:
    case GF_KEYWORD_IN:
    case GF_KEYWORD_INOUT:
    case GF_KEYWORD_OUT:
    case GF_KEYWORD_SCRATCH:
    case GF_KEYWORD_SHARED:
    case GF_KEYWORD_FN:
    case GF_KEYWORD_KERNEL:
    case GF_KEYWORD_ELSE:
        return refuse_keyword(p);
    case GF_KEYWORD_LEN:
    case GF_KEYWORD_BITCAST:
    case GF_KEYWORD_TRUE:
    case GF_KEYWORD_FALSE:
    case GF_KEYWORD_INF:
    case GF_KEYWORD_NAN:
    case GF_KEYWORD_COUNT:
        break;
    }
    return gf_parse_expression_statement(p, stmt);
}

static bool parse_block_statement(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_BLOCK;
    stmt->body = gf_parse_block(p, "this statement", &stmt->trivia);
    return stmt->body != NULL;
}

/* NULL after an error; then the caller skips what is left of the statement. */
const gf_stmt *gf_parse_statement(gf_parser *p, bool first) {
    uint32_t offset = p->token.offset;
    gf_stmt *stmt = gf_new(p->arena, gf_stmt);
    gf_trivia *outer = p->owner;
    bool right = false;
    stmt->head = gf_parser_span(p, &p->token);
    gf_parser_begin_item(p, &stmt->trivia, first);
    p->owner = &stmt->trivia;
    if (p->token.kind == GF_TOKEN_WORD && p->token.word->kind == GF_WORD_KEYWORD) {
        right = parse_keyword(p, stmt);
    } else if (gf_parser_is(p, GF_TOKEN_LEFT_BRACE)) {
        right = parse_block_statement(p, stmt);
    } else if (gf_parser_is(p, GF_TOKEN_SEMICOLON)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token), "leave out this `;`",
                           "a statement without anything in it");
    } else {
        right = gf_parse_expression_statement(p, stmt);
    }
    p->owner = outer;
    if (!right) {
        return NULL;
    }
    stmt->span = gf_parser_span_from(p, offset);
    gf_parser_end_item(p, &stmt->trivia);
    return stmt;
}
