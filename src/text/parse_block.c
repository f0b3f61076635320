/* Blocks, and what happens after an error in them. */
#include "text/parse_stmt.h"
#include <string.h>

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
        gf_parser_skip(p);
    }
}

/* After an error in the head of a construct: to its `{`, if there is one before the statement ends. */
bool gf_parser_skip_to_block(gf_parser *p) {
    while (!gf_parser_is(p, GF_TOKEN_LEFT_BRACE)) {
        if (gf_parser_is(p, GF_TOKEN_END) || gf_parser_is(p, GF_TOKEN_SEMICOLON) ||
            gf_parser_is(p, GF_TOKEN_RIGHT_BRACE) || (p->token.line_start && gf_parser_at_statement(p))) {
            return false;
        }
        gf_parser_skip(p);
    }
    return true;
}

/* ---- blocks ---- */

/* Whether a declaration stands here because the braces before it do not add up. */
static bool left_block(const gf_parser *p) {
    return gf_parser_at_declaration(p) && p->token.line_start &&
           (gf_parser_at_margin(p) || gf_parser_is_keyword(p, GF_KEYWORD_KERNEL) ||
            gf_parser_is_keyword(p, GF_KEYWORD_FN));
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
        if (p->has_suspect) {
            gf_note(p->lexer.diags, gf_parser_span(p, &p->suspect),
                    "by the indentation, it is the block that begins here that is not closed");
        } else {
            gf_note(p->lexer.diags, gf_parser_span(p, open), "the block of %s begins here and is not closed", owner);
        }
    }
}

/* Spaces before the first token of the line that the place is on; a far place on a long line has none. */
static uint32_t measure_indent(const gf_parser *p, uint32_t offset) {
    enum { FAR = 4096 };
    const char *text = p->lexer.source->text;
    uint32_t begin = offset;
    while (begin > 0 && text[begin - 1] != '\n' && offset - begin < FAR) {
        begin--;
    }
    uint32_t indent = 0;
    while (text[begin + indent] == ' ' || text[begin + indent] == '\t') {
        indent++;
    }
    return indent;
}

/* Remembers the first block whose `}`, the next token, looks like that of a block around it. */
static void compare_indents(gf_parser *p, const gf_token *open) {
    if (!p->has_suspect && p->token.line_start &&
        measure_indent(p, p->token.offset) < measure_indent(p, open->offset)) {
        p->has_suspect = true;
        p->suspect = *open;
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
        const gf_stmt *stmt = gf_parse_statement(p, items.count == 0);
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
    if (gf_parser_is(p, GF_TOKEN_RIGHT_BRACE)) {
        compare_indents(p, &open);
        gf_parser_advance(p);
        place_behind(p, block, on_one_line);
    } else {
        refuse_unclosed(p, &open, owner);
    }
    p->blocks--;
    return block;
}

bool gf_parser_at_step(const gf_token *token) {
    return token->kind == GF_TOKEN_OPERATOR && (token->infix == GF_OP_ADD || token->infix == GF_OP_SUB);
}

/* The block of a construct whose head was right or not. Where the braces are missing, one statement is taken for it. */
const gf_block *gf_parse_body(gf_parser *p, const char *owner, bool head_is_right, gf_trivia *line) {
    if (!head_is_right && !gf_parser_skip_to_block(p)) {
        return NULL;
    }
    if (gf_parser_is(p, GF_TOKEN_LEFT_BRACE) || gf_parser_is(p, GF_TOKEN_END) || gf_parser_is(p, GF_TOKEN_BAD)) {
        return gf_parse_block(p, owner, line);
    }
    bool is_word = gf_parser_is_name(p, "then") || gf_parser_is_name(p, "do");
    const char *what = gf_arena_format(p->arena, "`{` and the block of %s", owner);
    (void)gf_parser_expected(p, what);
    if (is_word) {
        gf_parser_advance(p);
        return gf_parser_is(p, GF_TOKEN_LEFT_BRACE) ? gf_parse_block(p, owner, line) : NULL;
    }
    gf_token_kind behind = gf_parser_peek(p)->kind;
    bool acts = gf_parser_is(p, GF_TOKEN_NAME) &&
                (behind == GF_TOKEN_ASSIGN || behind == GF_TOKEN_ASSIGN_OP || behind == GF_TOKEN_LEFT_PAREN ||
                 behind == GF_TOKEN_LEFT_BRACKET || gf_parser_at_step(&p->ahead));
    if (acts || gf_parser_at_statement(p)) {
        if (gf_parser_enter(p, &p->blocks)) {
            if (gf_parse_statement(p, true) == NULL) {
                skip_statement(p);
            }
            p->blocks--;
            return gf_new(p->arena, gf_block);
        }
        return NULL;
    }
    return gf_parser_skip_to_block(p) ? gf_parse_block(p, owner, line) : NULL;
}
