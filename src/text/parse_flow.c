/* Statements with a block. */
#include "text/parse_stmt.h"
#include <string.h>

/* Where the head is wrong but the block was read, the statement counts as read: there is nothing left of it to skip,
 * and after an error nobody looks at the tree. */

bool gf_parse_if(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_IF;
    gf_parser_advance(p);
    stmt->value = gf_parse_condition(p);
    bool right = stmt->value != NULL;
    stmt->head = right ? stmt->value->span : stmt->head;
    stmt->body = gf_parse_body(p, "`if`", right, &stmt->trivia);
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
        return true;
    }
    if (!misspelt && !gf_parser_is_keyword(p, GF_KEYWORD_IF)) {
        stmt->otherwise = gf_parse_body(p, "`else`", true, NULL);
        return stmt->otherwise != NULL;
    }
    /* The comments of the chain stay above the whole of it. */
    gf_parser_lift_comments(p);
    if (!gf_parser_enter(p, &p->blocks)) {
        return false;
    }
    gf_stmt *inner = gf_new(p->arena, gf_stmt);
    uint32_t offset = p->token.offset;
    inner->head = gf_parser_span(p, &p->token);
    bool complete = gf_parse_if(p, inner);
    p->blocks--;
    inner->span = gf_parser_span_from(p, offset);
    const gf_stmt **items = gf_new_array(p->arena, const gf_stmt *, 1);
    items[0] = inner;
    gf_block *block = gf_new(p->arena, gf_block);
    block->items = items;
    block->count = 1;
    stmt->otherwise = block;
    return complete;
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

/* Past `( ... )`, the `(` being next. */
static void skip_parentheses(gf_parser *p) {
    unsigned open = 0;
    while (!gf_parser_is(p, GF_TOKEN_END) && !gf_parser_is(p, GF_TOKEN_LEFT_BRACE) &&
           !gf_parser_is(p, GF_TOKEN_RIGHT_BRACE)) {
        open += gf_parser_is(p, GF_TOKEN_LEFT_PAREN) ? 1 : 0;
        bool closes = gf_parser_is(p, GF_TOKEN_RIGHT_PAREN);
        gf_parser_skip(p);
        if (closes && --open == 0) {
            return;
        }
    }
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

bool gf_parse_for(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_FOR;
    gf_parser_advance(p);
    bool right = parse_for_head(p, stmt);
    stmt->body = gf_parse_body(p, "`for`", right, &stmt->trivia);
    return stmt->body != NULL;
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

bool gf_parse_forall(gf_parser *p, gf_stmt *stmt) {
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
    stmt->body = gf_parse_body(p, "`forall`", right, &stmt->trivia);
    return stmt->body != NULL;
}

bool gf_parse_while(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_WHILE;
    gf_parser_advance(p);
    stmt->value = gf_parse_condition(p);
    bool right = stmt->value != NULL;
    stmt->head = right ? stmt->value->span : stmt->head;
    stmt->body = gf_parse_body(p, "`while`", right, &stmt->trivia);
    return stmt->body != NULL;
}

bool gf_parse_loop(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_LOOP;
    gf_parser_advance(p);
    stmt->body = gf_parse_body(p, "`loop`", true, &stmt->trivia);
    return stmt->body != NULL;
}

bool gf_parse_region(gf_parser *p, gf_stmt *stmt) {
    stmt->kind = GF_STMT_REGION;
    gf_parser_advance(p);
    bool right = gf_parser_string(p, "the label of the region, as in `region \"name\" { }`", &stmt->text);
    stmt->body = gf_parse_body(p, "`region`", right, &stmt->trivia);
    return stmt->body != NULL;
}

bool gf_parse_forced(gf_parser *p, gf_stmt *stmt) {
    const char *word = p->token.text;
    stmt->forced = gf_parser_is_keyword(p, GF_KEYWORD_GRID) ? GF_LEVEL_GRID : GF_LEVEL_GROUP;
    gf_parser_advance(p);
    if (gf_parser_is_keyword(p, GF_KEYWORD_IF)) {
        return gf_parse_if(p, stmt);
    }
    if (gf_parser_is_keyword(p, GF_KEYWORD_WHILE)) {
        return gf_parse_while(p, stmt);
    }
    if (gf_parser_is_keyword(p, GF_KEYWORD_FOR)) {
        return gf_parse_for(p, stmt);
    }
    if (gf_parser_is_keyword(p, GF_KEYWORD_LOOP)) {
        return gf_parse_loop(p, stmt);
    }
    if (gf_parser_is_keyword(p, GF_KEYWORD_BARRIER)) {
        bool is_grid = stmt->forced == GF_LEVEL_GRID;
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           is_grid ? "write `grid_barrier;`" : "write `barrier;`", "there is no `%s barrier`", word);
        return false;
    }
    return gf_parser_expected(p, gf_arena_format(p->arena, "`if`, `while`, `for` or `loop` after `%s`", word));
}
