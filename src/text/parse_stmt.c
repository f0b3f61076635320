/* Statements and blocks. */
#include "text/parser.h"
#include <string.h>

static const gf_stmt *parse_statement(gf_parser *p, bool first);

/* What a statement may begin with, for "did you mean". */
static const gf_keyword statement_keywords[] = {
    GF_KEYWORD_LET,        GF_KEYWORD_VAR,        GF_KEYWORD_IF,     GF_KEYWORD_ELSE,       GF_KEYWORD_FOR,
    GF_KEYWORD_WHILE,      GF_KEYWORD_LOOP,       GF_KEYWORD_FORALL, GF_KEYWORD_GRID,       GF_KEYWORD_GROUP,
    GF_KEYWORD_BREAK,      GF_KEYWORD_CONTINUE,   GF_KEYWORD_RETURN, GF_KEYWORD_BARRIER,    GF_KEYWORD_GRID_BARRIER,
    GF_KEYWORD_REGION,     GF_KEYWORD_ASSERT,     GF_KEYWORD_TRAP,   GF_KEYWORD_SWAP,       GF_KEYWORD_CONVERGED,
    GF_KEYWORD_COPY_ASYNC, GF_KEYWORD_ALL_REDUCE, GF_KEYWORD_WAIT,   GF_KEYWORD_ALL_GATHER, GF_KEYWORD_REDUCE_SCATTER,
    GF_KEYWORD_BROADCAST,
};

static const char *text_of(const gf_parser *p, const gf_token *token) {
    size_t length = token->length < 60 ? token->length : 60;
    return gf_arena_string(p->arena, p->lexer.source->text + token->offset, length);
}

/* The `;` behind a statement. Where it was forgotten and what follows can stand for itself, parsing goes on as if it
 * were there. */
static bool expect_semicolon(gf_parser *p) {
    if (gf_parser_take(p, GF_TOKEN_SEMICOLON)) {
        return true;
    }
    if (gf_parser_is(p, GF_TOKEN_BAD)) {
        return false;
    }
    if (gf_parser_is(p, GF_TOKEN_ASSIGN)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_EQUALS, gf_parser_span(p, &p->token),
                           "assign in two statements; comparing is `==`", "`=` stands only once in a statement");
        return false;
    }
    const char *found = gf_parser_is(p, GF_TOKEN_END)      ? "the end of the text"
                        : gf_parser_is(p, GF_TOKEN_STRING) ? "a string"
                                                           : gf_arena_format(p->arena, "`%s`", text_of(p, &p->token));
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_lexer_span(&p->lexer, p->last_end, 1), "write `;` here",
                       "expected `;` after this statement, found %s", found);
    return p->token.line_start || gf_parser_is(p, GF_TOKEN_RIGHT_BRACE) || gf_parser_is(p, GF_TOKEN_END);
}

/* ---- recovery ---- */

/* After an error: to the end of the statement, past any blocks that belong to it, whose errors are shown too. */
static void skip_statement(gf_parser *p) {
    while (!gf_parser_is(p, GF_TOKEN_END) && !gf_parser_is(p, GF_TOKEN_RIGHT_BRACE)) {
        if (gf_parser_take(p, GF_TOKEN_SEMICOLON)) {
            return;
        }
        if (gf_parser_is(p, GF_TOKEN_LEFT_BRACE)) {
            (void)gf_parse_block(p, "this", NULL);
            if (!gf_parser_is_keyword(p, GF_KEYWORD_ELSE)) {
                return;
            }
        } else if (p->token.line_start && (gf_parser_at_statement(p) || gf_parser_at_declaration(p)) &&
                   !gf_parser_is_keyword(p, GF_KEYWORD_IN) && !gf_parser_is_keyword(p, GF_KEYWORD_ELSE)) {
            return;
        }
        gf_parser_advance(p);
    }
}

/* After an error in the head of a construct: to its `{`, if there is one before the statement ends. */
static bool skip_to_block(gf_parser *p) {
    while (!gf_parser_is(p, GF_TOKEN_LEFT_BRACE)) {
        if (gf_parser_is(p, GF_TOKEN_END) || gf_parser_is(p, GF_TOKEN_SEMICOLON) ||
            gf_parser_is(p, GF_TOKEN_RIGHT_BRACE) || (p->token.line_start && gf_parser_at_statement(p))) {
            return false;
        }
        gf_parser_advance(p);
    }
    return true;
}

/* Past `( ... )`, the `(` being next. */
static void skip_parentheses(gf_parser *p) {
    unsigned open = 0;
    while (!gf_parser_is(p, GF_TOKEN_END) && !gf_parser_is(p, GF_TOKEN_LEFT_BRACE) &&
           !gf_parser_is(p, GF_TOKEN_RIGHT_BRACE)) {
        open += gf_parser_is(p, GF_TOKEN_LEFT_PAREN) ? 1 : 0;
        bool closes = gf_parser_is(p, GF_TOKEN_RIGHT_PAREN);
        gf_parser_advance(p);
        if (closes && --open == 0) {
            return;
        }
    }
}

/* ---- blocks ---- */

static bool at_margin(const gf_parser *p) {
    return p->token.offset == 0 || p->lexer.source->text[p->token.offset - 1] == '\n';
}

/* Whether a declaration stands here because the braces before it do not add up. */
static bool left_block(const gf_parser *p) {
    return gf_parser_at_declaration(p) && p->token.line_start &&
           (at_margin(p) || gf_parser_is_keyword(p, GF_KEYWORD_KERNEL) || gf_parser_is_keyword(p, GF_KEYWORD_FN));
}

static void refuse_unclosed(gf_parser *p, const gf_token *open, const char *owner) {
    if (p->unclosed_said) {
        return;
    }
    p->unclosed_said = true;
    const char *found =
        gf_parser_is(p, GF_TOKEN_END) ? "the end of the text" : gf_arena_format(p->arena, "`%s`", p->token.text);
    if (gf_text_fail(&p->lexer, GF_CODE_SYNTAX_UNCLOSED, gf_parser_span(p, &p->token), "write the missing `}`",
                     "expected `}`, found %s", found)) {
        gf_note(p->lexer.diags, gf_parser_span(p, open), "the block of %s begins here and is not closed", owner);
    }
}

/* A comment behind the `}`. Of a block on one line it stands for the whole, and the line of the `{` is where that
 * begins once printed; of a longer one it is the last thing in it. */
static void place_behind(gf_parser *p, gf_block *block, bool on_one_line) {
    if (p->taken >= p->token.comments_end || p->lexer.comments.items[p->taken].line_start) {
        return;
    }
    if (on_one_line && p->owner != NULL && p->owner->after == NULL) {
        p->owner->after = gf_parser_take_behind(p);
        return;
    }
    const char *above = block->comments != NULL ? block->comments : "";
    block->comments = gf_arena_format(p->arena, "%s%s\n", above, gf_parser_take_behind(p));
}

const gf_block *gf_parse_block(gf_parser *p, const char *owner, gf_trivia *line) {
    gf_token open = p->token;
    if (!gf_parser_is(p, GF_TOKEN_LEFT_BRACE)) {
        (void)gf_parser_expected(p, gf_arena_format(p->arena, "`{` and the block of %s", owner));
        return NULL;
    }
    gf_parser_lift_comments(p);
    if (!gf_parser_enter(p, &p->blocks)) {
        return NULL;
    }
    gf_parser_advance(p);
    if (line != NULL && line->after == NULL) {
        line->after = gf_parser_take_behind(p);
    }
    bool on_one_line = !p->token.line_start;
    GF_VEC(const gf_stmt *) items = {0};
    while (!gf_parser_is(p, GF_TOKEN_RIGHT_BRACE) && !gf_parser_is(p, GF_TOKEN_END) && !left_block(p)) {
        uint32_t offset = p->token.offset;
        const gf_stmt *stmt = parse_statement(p, items.count == 0);
        if (stmt != NULL) {
            gf_push(p->arena, &items, stmt);
            continue;
        }
        skip_statement(p);
        if (p->token.offset == offset && !gf_parser_is(p, GF_TOKEN_RIGHT_BRACE)) {
            gf_parser_advance(p);
        }
    }
    gf_block *block = gf_new(p->arena, gf_block);
    block->items = items.items;
    block->count = items.count;
    bool blank = p->taken < p->token.comments_end && p->lexer.comments.items[p->taken].blank_above;
    block->comments = gf_parser_take_comments(p);
    if (blank && block->count > 0) {
        block->comments = gf_arena_format(p->arena, "\n%s", block->comments);
    }
    if (gf_parser_take(p, GF_TOKEN_RIGHT_BRACE)) {
        place_behind(p, block, on_one_line);
    } else {
        refuse_unclosed(p, &open, owner);
    }
    p->blocks--;
    return block;
}

/* The block of a construct whose head was right or not. Where the braces are missing, one statement is taken for it. */
static const gf_block *parse_body(gf_parser *p, const char *owner, bool head_is_right, gf_trivia *line) {
    if (!head_is_right && !skip_to_block(p)) {
        return NULL;
    }
    if (gf_parser_is(p, GF_TOKEN_LEFT_BRACE) || gf_parser_is(p, GF_TOKEN_END) || gf_parser_is(p, GF_TOKEN_BAD)) {
        return gf_parse_block(p, owner, line);
    }
    bool is_word = gf_parser_is_name(p, "then") || gf_parser_is_name(p, "do");
    (void)gf_parser_expected(p, gf_arena_format(p->arena, "`{` and the block of %s", owner));
    if (is_word) {
        gf_parser_advance(p);
        return gf_parser_is(p, GF_TOKEN_LEFT_BRACE) ? gf_parse_block(p, owner, line) : NULL;
    }
    if (gf_parser_is(p, GF_TOKEN_NAME) || gf_parser_at_statement(p)) {
        if (gf_parser_enter(p, &p->blocks)) {
            if (parse_statement(p, true) == NULL) {
                skip_statement(p);
            }
            p->blocks--;
            return gf_new(p->arena, gf_block);
        }
    }
    return NULL;
}

/* ---- constructs ---- */

static bool parse_if(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_IF;
    gf_parser_advance(p);
    stmt->value = gf_parse_condition(p);
    bool right = stmt->value != NULL;
    stmt->head = right ? stmt->value->span : stmt->head;
    stmt->body = parse_body(p, "`if`", right, &stmt->trivia);
    if (stmt->body == NULL) {
        return false;
    }
    bool misspelt = gf_parser_is_name(p, "elif") || gf_parser_is_name(p, "elsif") || gf_parser_is_name(p, "elseif");
    if (misspelt) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token), "write `else if`",
                           "there is no `%s`", p->token.text);
    } else if (gf_parser_is_keyword(p, GF_KEYWORD_ELSE)) {
        gf_parser_advance(p);
    } else {
        return right;
    }
    if (!misspelt && !gf_parser_is_keyword(p, GF_KEYWORD_IF)) {
        stmt->otherwise = parse_body(p, "`else`", true, NULL);
        return stmt->otherwise != NULL && right;
    }
    /* The comments of the chain stay above the whole of it. */
    gf_parser_lift_comments(p);
    if (!gf_parser_enter(p, &p->blocks)) {
        return false;
    }
    gf_stmt *inner = gf_new(p->arena, gf_stmt);
    uint32_t offset = p->token.offset;
    inner->head = gf_parser_span(p, &p->token);
    right = parse_if(p, inner) && right;
    p->blocks--;
    inner->span = gf_parser_span_from(p, offset);
    const gf_stmt **items = gf_new_array(p->arena, const gf_stmt *, 1);
    items[0] = inner;
    gf_block *block = gf_new(p->arena, gf_block);
    block->items = items;
    block->count = 1;
    stmt->otherwise = block;
    return right;
}

static bool parse_index_name(gf_parser *p, gf_stmt *stmt, const char *construct) {
    if (p->token.kind == GF_TOKEN_WORD && p->token.word->kind == GF_WORD_TYPE &&
        gf_parser_peek(p)->kind == GF_TOKEN_NAME) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           gf_arena_format(p->arena, "leave out `%s`", p->token.text),
                           "the index of `%s` takes its type from the range", construct);
        gf_parser_advance(p);
    }
    if (!gf_parser_declare(p, "the name of an index", &stmt->target)) {
        return false;
    }
    stmt->head = stmt->target.span;
    if (!gf_parser_is_keyword(p, GF_KEYWORD_IN)) {
        return gf_parser_expected(p, gf_arena_format(p->arena, "`in`, as in `%s i in 0 .. n`", construct));
    }
    gf_parser_advance(p);
    return gf_parse_range(p, &stmt->from, &stmt->to);
}

static bool parse_for_head(gf_parser *p, gf_stmt *stmt) {
    if (gf_parser_is(p, GF_TOKEN_LEFT_PAREN)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token),
                           "write `for i in 0 .. n { }`, or `for i in 0 .. n step 2 { }`",
                           "there is no `for (...)`: `for` counts through a range");
        skip_parentheses(p);
        return false;
    }
    if (!parse_index_name(p, stmt, "for")) {
        return false;
    }
    if (gf_parser_is_name(p, "step")) {
        gf_parser_advance(p);
        stmt->step = gf_parse_expr(p);
        return stmt->step != NULL;
    }
    return true;
}

static bool parse_for(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_FOR;
    gf_parser_advance(p);
    bool right = parse_for_head(p, stmt);
    stmt->body = parse_body(p, "`for`", right, &stmt->trivia);
    return stmt->body != NULL && right;
}

bool gf_parser_combine(gf_parser *p, gf_combine *combine) {
    static const char wanted[] = "one of `add`, `min`, `max`, `and`, `or`";
    if (p->token.kind != GF_TOKEN_NAME && p->token.kind != GF_TOKEN_WORD) {
        return gf_parser_expected(p, wanted);
    }
    if (!gf_combine_from_name(p->token.text, strlen(p->token.text), combine)) {
        return gf_parser_expected(p, wanted);
    }
    gf_parser_advance(p);
    return true;
}

static bool parse_reduces(gf_parser *p, gf_stmt *stmt) {
    GF_VEC(gf_reduce) reduces = {0};
    gf_parser_advance(p);
    gf_token open = p->token;
    if (!gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, "`(` after `reduce`, as in `reduce(add total)`")) {
        return false;
    }
    do {
        gf_reduce reduce = {0};
        if (!gf_parser_combine(p, &reduce.combine) ||
            !gf_parser_refer(p, "the name of a variable, as in `reduce(add total)`", &reduce.outer)) {
            return false;
        }
        gf_push(p->arena, &reduces, reduce);
    } while (gf_parser_take(p, GF_TOKEN_COMMA));
    stmt->reduces = reduces.items;
    stmt->reduce_count = reduces.count;
    return gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, &open);
}

static bool parse_forall(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_FORALL;
    gf_parser_advance(p);
    bool right = parse_index_name(p, stmt, "forall");
    if (right && gf_parser_is_name(p, "step")) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           "count from 0 and multiply the index in the body", "`forall` has no `step`");
        right = false;
    }
    if (right && gf_parser_is_name(p, "reduce")) {
        right = parse_reduces(p, stmt);
    }
    stmt->body = parse_body(p, "`forall`", right, &stmt->trivia);
    return stmt->body != NULL && right;
}

static bool parse_while(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_WHILE;
    gf_parser_advance(p);
    stmt->value = gf_parse_condition(p);
    bool right = stmt->value != NULL;
    stmt->head = right ? stmt->value->span : stmt->head;
    stmt->body = parse_body(p, "`while`", right, &stmt->trivia);
    return stmt->body != NULL && right;
}

static bool parse_loop(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_LOOP;
    gf_parser_advance(p);
    stmt->body = parse_body(p, "`loop`", true, &stmt->trivia);
    return stmt->body != NULL;
}

static bool parse_region(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_REGION;
    gf_parser_advance(p);
    bool right = gf_parser_string(p, "the label of the region, as in `region \"name\" { }`", &stmt->text);
    stmt->body = parse_body(p, "`region`", right, &stmt->trivia);
    return stmt->body != NULL && right;
}

static bool parse_forced(gf_parser *p, gf_stmt *stmt) {
    const char *word = p->token.text;
    stmt->forced = gf_parser_is_keyword(p, GF_KEYWORD_GRID) ? GF_LEVEL_GRID : GF_LEVEL_GROUP;
    gf_parser_advance(p);
    if (gf_parser_is_keyword(p, GF_KEYWORD_IF)) {
        return parse_if(p, stmt);
    }
    if (gf_parser_is_keyword(p, GF_KEYWORD_WHILE)) {
        return parse_while(p, stmt);
    }
    if (gf_parser_is_keyword(p, GF_KEYWORD_FOR)) {
        return parse_for(p, stmt);
    }
    if (gf_parser_is_keyword(p, GF_KEYWORD_LOOP)) {
        return parse_loop(p, stmt);
    }
    return gf_parser_expected(p, gf_arena_format(p->arena, "`if`, `while`, `for` or `loop` after `%s`", word));
}

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
    return stmt->value != NULL && expect_semicolon(p);
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
    return expect_semicolon(p);
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
    return expect_semicolon(p);
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
    return expect_semicolon(p);
}

/* ---- statements that look like calls ---- */

static bool parse_open(gf_parser *p, const char *word, gf_token *open) {
    gf_parser_advance(p);
    *open = p->token;
    return gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, gf_arena_format(p->arena, "`(` after `%s`", word));
}

static bool parse_end(gf_parser *p, const gf_token *open) {
    return gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, open) && expect_semicolon(p);
}

static bool parse_comma(gf_parser *p, const char *what) {
    return gf_parser_expect(p, GF_TOKEN_COMMA, gf_arena_format(p->arena, "`,` and %s", what));
}

static bool parse_value(gf_parser *p, const gf_expr **value) {
    *value = gf_parse_expr(p);
    return *value != NULL;
}

static bool parse_assert(gf_parser *p, gf_stmt *stmt) {
    gf_token open;
    stmt->kind = GF_STMT_ASSERT;
    if (!parse_open(p, "assert", &open)) {
        return false;
    }
    stmt->value = gf_parse_condition(p);
    if (stmt->value == NULL) {
        return false;
    }
    stmt->head = stmt->value->span;
    return parse_comma(p, "a text, as in `assert(c, \"text\")`") &&
           gf_parser_string(p, "a text in `\"`", &stmt->text) && parse_end(p, &open);
}

static bool parse_trap(gf_parser *p, gf_stmt *stmt) {
    gf_token open;
    stmt->kind = GF_STMT_TRAP;
    return parse_open(p, "trap", &open) &&
           gf_parser_string(p, "a tag in `\"`, as in `trap(\"tag\", i)`", &stmt->text) &&
           parse_comma(p, "an address, as in `trap(\"tag\", i)`") && parse_value(p, &stmt->value) &&
           parse_end(p, &open);
}

static bool parse_swap(gf_parser *p, gf_stmt *stmt) {
    gf_token open;
    stmt->kind = GF_STMT_SWAP;
    return parse_open(p, "swap", &open) && gf_parser_refer(p, "the name of a buffer", &stmt->target) &&
           parse_comma(p, "a second buffer") && gf_parser_refer(p, "the name of a buffer", &stmt->second) &&
           parse_end(p, &open);
}

static bool parse_converged(gf_parser *p, gf_stmt *stmt) {
    gf_token open;
    stmt->kind = GF_STMT_CONVERGED;
    if (!parse_open(p, "converged", &open)) {
        return false;
    }
    stmt->value = gf_parse_condition(p);
    if (stmt->value == NULL) {
        return false;
    }
    stmt->head = stmt->value->span;
    return parse_end(p, &open);
}

static bool parse_collective(gf_parser *p, gf_stmt *stmt, gf_collective collective) {
    gf_token open;
    const char *word = p->token.text;
    stmt->kind = GF_STMT_COLLECTIVE;
    stmt->collective = collective;
    if (!parse_open(p, word, &open) || !gf_parser_refer(p, "the name of a buffer", &stmt->target)) {
        return false;
    }
    if (collective == GF_COLLECTIVE_ALL_GATHER || collective == GF_COLLECTIVE_REDUCE_SCATTER) {
        if (!parse_comma(p, "the buffer for the result") ||
            !gf_parser_refer(p, "the name of a buffer", &stmt->second)) {
            return false;
        }
    }
    if (collective == GF_COLLECTIVE_ALL_REDUCE || collective == GF_COLLECTIVE_REDUCE_SCATTER) {
        if (!parse_comma(p, "an operation, such as `add`") || !gf_parser_combine(p, &stmt->combine)) {
            return false;
        }
    }
    if (collective == GF_COLLECTIVE_BROADCAST) {
        if (!parse_comma(p, "the rank that has the data") || !parse_value(p, &stmt->value)) {
            return false;
        }
    }
    return parse_end(p, &open);
}

/* A name, a number or a string. */
static bool parse_tag(gf_parser *p, gf_stmt *stmt) {
    if (gf_parser_is(p, GF_TOKEN_STRING)) {
        stmt->tag_quoted = true;
        stmt->text = p->token.text;
    } else if (gf_parser_is(p, GF_TOKEN_INT)) {
        /* One number is one tag, however it is written. */
        stmt->text = gf_arena_format(p->arena, "%llu", (unsigned long long)p->token.bits);
    } else if (gf_parser_is(p, GF_TOKEN_NAME)) {
        stmt->text = p->token.text;
    } else {
        return gf_parser_expected(p, "a tag: a name, a number or a string");
    }
    gf_parser_advance(p);
    return true;
}

static bool parse_copy_async(gf_parser *p, gf_stmt *stmt) {
    gf_token open;
    stmt->kind = GF_STMT_COPY_ASYNC;
    return parse_open(p, "copy_async", &open) && gf_parser_refer(p, "the buffer or array to copy to", &stmt->target) &&
           parse_comma(p, "the index to copy to") && parse_value(p, &stmt->index) &&
           parse_comma(p, "the buffer or array to copy from") &&
           gf_parser_refer(p, "the buffer or array to copy from", &stmt->second) &&
           parse_comma(p, "the index to copy from") && parse_value(p, &stmt->from) &&
           parse_comma(p, "the number of elements") && parse_value(p, &stmt->to) && parse_comma(p, "a tag") &&
           parse_tag(p, stmt) && parse_end(p, &open);
}

static bool parse_wait(gf_parser *p, gf_stmt *stmt) {
    gf_token open;
    stmt->kind = GF_STMT_WAIT;
    return parse_open(p, "wait", &open) && parse_tag(p, stmt) && parse_end(p, &open);
}

/* ---- statements that begin with an expression ---- */

static bool is_step(const gf_token *token) {
    return token->kind == GF_TOKEN_OPERATOR && (token->infix == GF_OP_ADD || token->infix == GF_OP_SUB);
}

/* `i++` and `++i`, the first of the two signs being next. */
static bool refuse_step(gf_parser *p, const char *name) {
    const char *sign = p->token.infix == GF_OP_ADD ? "+" : "-";
    const char *what = gf_parser_peek(p)->kind == GF_TOKEN_NAME && name == NULL ? p->ahead.text : name;
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN,
                       gf_lexer_span(&p->lexer, p->token.offset, p->token.length + 1),
                       gf_arena_format(p->arena, "write `%s %s= 1;`", what != NULL ? what : "x", sign),
                       "there is no `%s%s`", sign, sign);
    return false;
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
    } else if (strcmp(text, "do") == 0 || strcmp(text, "switch") == 0 || strcmp(text, "goto") == 0) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, span,
                           text[0] == 'd' ? "write `loop { ... if !c { break; } }`" : "write a chain of `else if`",
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
    return stmt->value != NULL && expect_semicolon(p);
}

static bool parse_expression_statement(gf_parser *p, gf_stmt *stmt) {
    bool parenthesised = gf_parser_is(p, GF_TOKEN_LEFT_PAREN);
    bool is_type = p->token.kind == GF_TOKEN_WORD && p->token.word->kind == GF_WORD_TYPE;
    if (is_step(&p->token) && gf_parser_peek(p)->infix == p->token.infix && is_step(&p->ahead)) {
        return refuse_step(p, NULL);
    }
    if (is_type && gf_parser_peek(p)->kind != GF_TOKEN_LEFT_PAREN) {
        return refuse_start(p);
    }
    if (gf_parser_is(p, GF_TOKEN_NAME)) {
        bool calls = gf_parser_peek(p)->kind == GF_TOKEN_LEFT_PAREN;
        bool is_foreign = calls && gf_foreign_name(p->token.text) != NULL;
        if (!can_follow_name(gf_parser_peek(p)) || is_foreign) {
            return refuse_start(p);
        }
        if (is_step(gf_parser_peek(p))) {
            gf_token name = p->token;
            gf_parser_advance(p);
            if (is_step(gf_parser_peek(p)) && p->ahead.infix == p->token.infix) {
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
        return expect_semicolon(p);
    }
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_STATEMENT, expr->span,
                       expr->kind == GF_EXPR_CROSS ? "write `let x = ...;`, or a barrier if only that is meant"
                                                   : "use the value: `let x = ...;`",
                       "an expression alone is no statement");
    return false;
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
        return parse_if(p, stmt);
    case GF_KEYWORD_FOR:
        return parse_for(p, stmt);
    case GF_KEYWORD_WHILE:
        return parse_while(p, stmt);
    case GF_KEYWORD_LOOP:
        return parse_loop(p, stmt);
    case GF_KEYWORD_FORALL:
        return parse_forall(p, stmt);
    case GF_KEYWORD_GRID:
    case GF_KEYWORD_GROUP:
        return parse_forced(p, stmt);
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
        return parse_region(p, stmt);
    case GF_KEYWORD_ASSERT:
        return parse_assert(p, stmt);
    case GF_KEYWORD_TRAP:
        return parse_trap(p, stmt);
    case GF_KEYWORD_SWAP:
        return parse_swap(p, stmt);
    case GF_KEYWORD_CONVERGED:
        return parse_converged(p, stmt);
    case GF_KEYWORD_ALL_REDUCE:
        return parse_collective(p, stmt, GF_COLLECTIVE_ALL_REDUCE);
    case GF_KEYWORD_ALL_GATHER:
        return parse_collective(p, stmt, GF_COLLECTIVE_ALL_GATHER);
    case GF_KEYWORD_REDUCE_SCATTER:
        return parse_collective(p, stmt, GF_COLLECTIVE_REDUCE_SCATTER);
    case GF_KEYWORD_BROADCAST:
        return parse_collective(p, stmt, GF_COLLECTIVE_BROADCAST);
    case GF_KEYWORD_COPY_ASYNC:
        return parse_copy_async(p, stmt);
    case GF_KEYWORD_WAIT:
        return parse_wait(p, stmt);
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
    return parse_expression_statement(p, stmt);
}

static bool parse_block_statement(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_BLOCK;
    stmt->body = gf_parse_block(p, "this statement", &stmt->trivia);
    return stmt->body != NULL;
}

/* NULL after an error; then the caller skips what is left of the statement. */
static const gf_stmt *parse_statement(gf_parser *p, bool first) {
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
        right = parse_expression_statement(p, stmt);
    }
    p->owner = outer;
    if (!right) {
        return NULL;
    }
    stmt->span = gf_parser_span_from(p, offset);
    gf_parser_end_item(p, &stmt->trivia);
    return stmt;
}
