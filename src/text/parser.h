/* The inside of the parser: shared by the files parse*.c and nobody else. */
#ifndef GF_TEXT_PARSER_H
#define GF_TEXT_PARSER_H

#include "text/lex.h"

#define GF_TEXT_DEPTH 200 /* of blocks one inside the other; of brackets and signs in an expression; of its height */

typedef GF_VEC(const gf_expr *) gf_expr_list;

typedef struct gf_parser {
    gf_arena *arena;
    gf_lexer lexer;
    struct {
        struct gf_own_name {
            const char *name; /* interned */
            bool declared;
        } * items;
        size_t count, capacity;
    } foreign;      /* what gf_parser_declares_function has found out */
    gf_token token; /* the next one, not used yet */
    gf_token ahead; /* the one behind it, if has_ahead */
    bool has_ahead;
    gf_token last;      /* the one used last */
    uint32_t last_end;  /* where it ends */
    unsigned blocks;    /* open ones */
    unsigned brackets;  /* open ones of the expression */
    unsigned prefixes;  /* signs before the operand being parsed */
    unsigned height;    /* of the expression parsed last */
    size_t taken;       /* comments that have found their place */
    gf_trivia *owner;   /* of the statement or declaration being parsed: gets the comments of its head */
    bool has_suspect;   /* a `}` stands further left than the line of its `{`: that one may have lost its own */
    gf_token suspect;   /* the first such `{` */
    bool unclosed_said; /* one missing brace is one error, however many blocks it leaves open */
} gf_parser;

/* ---- tokens ---- */
void gf_parser_advance(gf_parser *p);
void gf_parser_skip(gf_parser *p); /* the same after an error: the lexer has no say about what is behind */
const gf_token *gf_parser_peek(gf_parser *p);
bool gf_parser_is(const gf_parser *p, gf_token_kind kind);
bool gf_parser_is_keyword(const gf_parser *p, gf_keyword keyword);
bool gf_parser_is_name(const gf_parser *p, const char *text); /* a word that means something at this place only */
bool gf_parser_take(gf_parser *p, gf_token_kind kind);        /* uses the token if it is of the kind */
bool gf_parser_touches(const gf_parser *p);                   /* no space between the last token and the next */
gf_span gf_parser_span(const gf_parser *p, const gf_token *token);
gf_span gf_parser_span_from(const gf_parser *p, uint32_t offset); /* from there to the end of the last token */
bool gf_parser_at_margin(const gf_parser *p);                     /* without a space before the token on its line */
/* The first bytes of the token, for messages. */
const char *gf_parser_text(const gf_parser *p, const gf_token *token);
/* Whether the next token begins a declaration, or a statement that begins with a keyword. */
bool gf_parser_at_declaration(const gf_parser *p);
bool gf_parser_at_statement(const gf_parser *p);

/* ---- errors: all return false or NULL ---- */
/* "expected `what`, found the next token"; silent where the lexer has refused that token. */
bool gf_parser_expected(gf_parser *p, const char *what);
bool gf_parser_expect(gf_parser *p, gf_token_kind kind, const char *what);
/* The `;` behind `what`. Where it was forgotten and what follows can stand for itself, parsing goes on as if it were
 * there. */
bool gf_parser_semicolon(gf_parser *p, const char *what);
/* The `)` or `]` that closes `open`. */
bool gf_parser_close(gf_parser *p, gf_token_kind kind, const gf_token *open);
/* Counts up one of the depths above. False, with an error that ends parsing, at the limit. */
bool gf_parser_enter(gf_parser *p, unsigned *depth);
bool gf_parser_too_deep(gf_parser *p, const char *message, const char *fix);
/* What other languages call `text`: the type of this one, or NULL; what to write in place of a name, or NULL. */
const char *gf_foreign_type(const char *text);
const char *gf_foreign_name(const char *text);
/* Whether the text has `fn NAME(` or `fn TYPE NAME(` somewhere: then the name is the program's own, whatever it means
 * in other languages. Looks through the whole text, once for each
 * name, so ask only of a name that is foreign. */
bool gf_parser_declares_function(gf_parser *p, const char *name);

/* ---- names, types, comments ---- */
/* The name of something new; a reserved word is refused and taken all the same. */
bool gf_parser_declare(gf_parser *p, const char *what, gf_ref *ref);
/* A name that is used. */
bool gf_parser_refer(gf_parser *p, const char *what, gf_ref *ref);
bool gf_parser_type(gf_parser *p, gf_type *type);
/* add min max and or */
bool gf_parser_combine(gf_parser *p, gf_combine *combine);
/* A string token. */
bool gf_parser_string(gf_parser *p, const char *what, const char **text);

/* Around a statement or declaration: comments above it and behind it. `first`: of its block. */
void gf_parser_begin_item(gf_parser *p, gf_trivia *trivia, bool first);
void gf_parser_end_item(gf_parser *p, gf_trivia *trivia);
/* Comments up to the next token that are not taken yet, as lines; NULL: none. */
const char *gf_parser_take_comments(gf_parser *p);
/* A comment that stands behind the last token on its line, or NULL. */
const char *gf_parser_take_behind(gf_parser *p);
/* The same for the head of the item being parsed: they move above it. */
void gf_parser_lift_comments(gf_parser *p);

/* ---- grammar ---- */
const gf_expr *gf_parse_expr(gf_parser *p);      /* NULL after an error */
const gf_expr *gf_parse_condition(gf_parser *p); /* an expression in which `=` is a likely mistake */
/* Arguments up to the `)` that closes `open`, which is used already. */
bool gf_parse_arguments(gf_parser *p, const gf_token *open, gf_expr_list *arguments);
/* `a .. b` */
bool gf_parse_range(gf_parser *p, const gf_expr **from, const gf_expr **to);
/* The block of `owner`. A comment behind the `{` goes to `line`, or to what follows where that is NULL or has one. NULL
 * where no `{` stands. */
const gf_block *gf_parse_block(gf_parser *p, const char *owner, gf_trivia *line);

#endif
