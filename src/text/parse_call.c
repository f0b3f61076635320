/* Statements that look like calls. */
#include "text/parse_stmt.h"
#include <string.h>

static bool parse_open(gf_parser *p, const char *word, gf_token *open) {
    gf_parser_advance(p);
    *open = p->token;
    return gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, gf_arena_format(p->arena, "`(` after `%s`", word));
}

static bool parse_end(gf_parser *p, const gf_token *open) {
    return gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, open) && gf_parser_semicolon(p, "this statement");
}

static bool parse_comma(gf_parser *p, const char *what) {
    return gf_parser_expect(p, GF_TOKEN_COMMA, gf_arena_format(p->arena, "`,` and %s", what));
}

static bool parse_value(gf_parser *p, const gf_expr **value) {
    *value = gf_parse_expr(p);
    return *value != NULL;
}

bool gf_parse_assert(gf_parser *p, gf_stmt *stmt) {
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

bool gf_parse_trap(gf_parser *p, gf_stmt *stmt) {
    gf_token open;
    stmt->kind = GF_STMT_TRAP;
    return parse_open(p, "trap", &open) &&
           gf_parser_string(p, "a tag in `\"`, as in `trap(\"tag\", i)`", &stmt->text) &&
           parse_comma(p, "an address, as in `trap(\"tag\", i)`") && parse_value(p, &stmt->value) &&
           parse_end(p, &open);
}

bool gf_parse_swap(gf_parser *p, gf_stmt *stmt) {
    gf_token open;
    stmt->kind = GF_STMT_SWAP;
    return parse_open(p, "swap", &open) && gf_parser_refer(p, "the name of a buffer", &stmt->target) &&
           parse_comma(p, "a second buffer") && gf_parser_refer(p, "the name of a buffer", &stmt->second) &&
           parse_end(p, &open);
}

bool gf_parse_converged(gf_parser *p, gf_stmt *stmt) {
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

bool gf_parse_collective(gf_parser *p, gf_stmt *stmt, gf_collective collective) {
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

bool gf_parse_copy_async(gf_parser *p, gf_stmt *stmt) {
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

bool gf_parse_wait(gf_parser *p, gf_stmt *stmt) {
    gf_token open;
    stmt->kind = GF_STMT_WAIT;
    return parse_open(p, "wait", &open) && parse_tag(p, stmt) && parse_end(p, &open);
}
