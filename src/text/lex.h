/* Text to tokens, one at a time, and the errors of the text layer. */
#ifndef GF_TEXT_LEX_H
#define GF_TEXT_LEX_H

#include "base/diag.h"
#include "base/intern.h"
#include "text/words.h"

#define GF_TEXT_ERRORS 20 /* shown of one text; there the parser stops */

typedef enum gf_token_kind {
    GF_TOKEN_END,
    GF_TOKEN_BAD, /* what the lexer has refused already */
    GF_TOKEN_NAME,
    GF_TOKEN_WORD, /* a word of the language: `word` */
    GF_TOKEN_INT,
    GF_TOKEN_FLOAT,
    GF_TOKEN_STRING,
    GF_TOKEN_OPERATOR,  /* infix, prefix, or both */
    GF_TOKEN_ASSIGN_OP, /* += and its like: infix */
    GF_TOKEN_ASSIGN,
    GF_TOKEN_AND_AND,
    GF_TOKEN_OR_OR,
    GF_TOKEN_LEFT_PAREN,
    GF_TOKEN_RIGHT_PAREN,
    GF_TOKEN_LEFT_BRACE,
    GF_TOKEN_RIGHT_BRACE,
    GF_TOKEN_LEFT_BRACKET,
    GF_TOKEN_RIGHT_BRACKET,
    GF_TOKEN_COMMA,
    GF_TOKEN_SEMICOLON,
    GF_TOKEN_DOT,
    GF_TOKEN_RANGE,
} gf_token_kind;

typedef struct gf_token {
    gf_token_kind kind;
    uint32_t offset, length;
    bool line_start;     /* the first token of its line */
    bool blank_above;    /* an empty line directly above it */
    gf_op infix, prefix; /* GF_OP_NONE where it is none */
    const gf_word *word;
    const char *text;    /* NAME: interned; INT, FLOAT: the spelling; STRING: what it says */
    uint64_t bits;       /* of INT */
    size_t comments_end; /* comments up to this token, counted from the start of the text */
} gf_token;

typedef struct gf_comment {
    uint32_t offset, length; /* from the slashes to the last byte that is no space */
    bool line_start;         /* alone on its line */
    bool blank_above;
} gf_comment;

typedef GF_VEC(gf_comment) gf_comments;

typedef struct gf_operator gf_operator;

typedef struct gf_lexer {
    gf_arena *arena;
    gf_diags *diags;
    const gf_source *source;
    gf_intern_table *names;
    const gf_words *words;
    const gf_operator *operators;
    gf_comments comments;
    size_t at;
    size_t errors;
    bool is_quiet;       /* errors are not shown: what is read will be skipped */
    uint32_t last_error; /* offset; a second error at one place is not shown */
} gf_lexer;

/* Inside gf_arena_protect. The source must outlive the lexer. */
void gf_lexer_start(gf_lexer *lexer, gf_arena *arena, const gf_source *source, gf_diags *diags);
gf_token gf_lexer_next(gf_lexer *lexer);
gf_span gf_lexer_span(const gf_lexer *lexer, uint32_t offset, uint32_t length);
/* Whether no more errors are wanted. */
bool gf_lexer_is_done(const gf_lexer *lexer);

/* Reports an error with its fix (or NULL). False if it was not shown: then it takes no notes either. */
bool gf_text_fail(gf_lexer *lexer, gf_code code, gf_span span, const char *fix, const char *format, ...)
    GF_PRINTF(5, 6);

#endif
