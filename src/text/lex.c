#include "text/lex.h"
#include "base/utf8.h"
#include "text/lex_number.h"
#include <stdio.h>
#include <string.h>

/* A spelling made of punctuation. Those with one first byte form a list, longest first. */
typedef struct spelling {
    char text[4];
    size_t length;
    gf_token_kind kind;
    gf_op infix, prefix;
    const struct spelling *next;
} spelling;

struct gf_operator {
    const spelling *by_first[128];
};

static void add_spelling(gf_arena *arena, gf_operator *table, spelling row) {
    row.length = strlen(row.text);
    const spelling **at = &table->by_first[(unsigned char)row.text[0] & 127U];
    /* The lists are short and made once; each step is a copy because nodes are const once linked. */
    spelling *node = gf_new(arena, spelling);
    *node = row;
    const spelling *list = *at;
    if (list == NULL || list->length <= row.length) {
        node->next = list;
        *at = node;
        return;
    }
    spelling *head = gf_new(arena, spelling);
    *head = *list;
    *at = head;
    while (head->next != NULL && head->next->length > row.length) {
        spelling *copy = gf_new(arena, spelling);
        *copy = *head->next;
        head->next = copy;
        head = copy;
    }
    node->next = head->next;
    head->next = node;
}

static bool takes_assignment(gf_rule rule) {
    return rule == GF_RULE_NUMBER || rule == GF_RULE_BITS || rule == GF_RULE_SHIFT;
}

static const gf_operator *create_operators(gf_arena *arena) {
    static const spelling fixed[] = {
        {.text = "=", .kind = GF_TOKEN_ASSIGN},        {.text = "&&", .kind = GF_TOKEN_AND_AND},
        {.text = "||", .kind = GF_TOKEN_OR_OR},        {.text = "(", .kind = GF_TOKEN_LEFT_PAREN},
        {.text = ")", .kind = GF_TOKEN_RIGHT_PAREN},   {.text = "{", .kind = GF_TOKEN_LEFT_BRACE},
        {.text = "}", .kind = GF_TOKEN_RIGHT_BRACE},   {.text = "[", .kind = GF_TOKEN_LEFT_BRACKET},
        {.text = "]", .kind = GF_TOKEN_RIGHT_BRACKET}, {.text = ",", .kind = GF_TOKEN_COMMA},
        {.text = ";", .kind = GF_TOKEN_SEMICOLON},     {.text = ".", .kind = GF_TOKEN_DOT},
        {.text = "..", .kind = GF_TOKEN_RANGE},
    };
    gf_operator *table = gf_new(arena, gf_operator);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        add_spelling(arena, table, fixed[i]);
    }
    for (gf_op op = GF_OP_NONE + 1; op < GF_OP_COUNT; op++) {
        const char *text = gf_op_spelling(op);
        spelling row = {.kind = GF_TOKEN_OPERATOR};
        (void)snprintf(row.text, sizeof row.text, "%s", text);
        if (gf_op_form(op) == GF_FORM_INFIX) {
            row.infix = op;
            row.prefix = gf_op_from_name(text, strlen(text), 1);
            add_spelling(arena, table, row);
            if (takes_assignment(gf_op_rule(op))) {
                spelling assign = {.kind = GF_TOKEN_ASSIGN_OP, .infix = op};
                (void)snprintf(assign.text, sizeof assign.text, "%s=", text);
                add_spelling(arena, table, assign);
            }
        } else if (gf_op_form(op) == GF_FORM_PREFIX && gf_op_from_name(text, strlen(text), 2) == GF_OP_NONE) {
            row.prefix = op;
            add_spelling(arena, table, row);
        }
    }
    return table;
}

void gf_lexer_start(gf_lexer *lexer, gf_arena *arena, const gf_source *source, gf_diags *diags) {
    *lexer = (gf_lexer){.arena = arena,
                        .diags = diags,
                        .source = source,
                        .names = gf_intern_create(arena),
                        .words = gf_words_create(arena),
                        .operators = create_operators(arena)};
    /* What an editor puts before UTF-8 says nothing. */
    if (source->length >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) {
        lexer->at = 3;
    }
}

gf_span gf_lexer_span(const gf_lexer *lexer, uint32_t offset, uint32_t length) {
    return (gf_span){.source = lexer->source, .offset = offset, .length = length};
}

bool gf_lexer_is_done(const gf_lexer *lexer) {
    return lexer->errors >= GF_TEXT_ERRORS;
}

bool gf_text_fail(gf_lexer *lexer, gf_code code, gf_span span, const char *fix, const char *format, ...) {
    if (lexer->is_quiet || gf_lexer_is_done(lexer) || (lexer->errors > 0 && lexer->last_error == span.offset)) {
        return false;
    }
    lexer->errors++;
    lexer->last_error = span.offset;
    va_list list;
    va_start(list, format);
    const char *message = gf_arena_format_list(lexer->arena, format, list);
    va_end(list);
    (void)gf_fail(lexer->diags, code, span, "%s", message);
    if (fix != NULL) {
        gf_fix(lexer->diags, "%s", fix);
    }
    if (gf_lexer_is_done(lexer)) {
        gf_note(lexer->diags, GF_NO_SPAN, "these are the first %d errors; there may be more", GF_TEXT_ERRORS);
    }
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The byte `ahead` bytes on; 0 past the end. */
static char peek(const gf_lexer *lexer, size_t ahead) {
    return ahead < lexer->source->length - lexer->at ? lexer->source->text[lexer->at + ahead] : '\0';
}

static void read_comment(gf_lexer *lexer, bool line_start, bool blank_above) {
    const char *text = lexer->source->text;
    size_t begin = lexer->at;
    const char *newline = memchr(text + begin, '\n', lexer->source->length - begin);
    size_t end = newline != NULL ? (size_t)(newline - text) : lexer->source->length;
    lexer->at = end;
    const char *zero = memchr(text + begin, '\0', end - begin);
    if (zero != NULL) {
        (void)gf_text_fail(lexer, GF_CODE_SYNTAX_CHARACTER, gf_lexer_span(lexer, (uint32_t)(zero - text), 1),
                           "remove it", "a zero byte in a comment");
    }
    while (end > begin && (text[end - 1] == ' ' || text[end - 1] == '\t' || text[end - 1] == '\r')) {
        end--;
    }
    gf_comment comment = {.offset = (uint32_t)begin,
                          .length = (uint32_t)(end - begin),
                          .line_start = line_start,
                          .blank_above = blank_above};
    gf_push(lexer->arena, &lexer->comments, comment);
}

static void refuse_block_comment(gf_lexer *lexer) {
    const char *text = lexer->source->text;
    (void)gf_text_fail(lexer, GF_CODE_SYNTAX_COMMENT, gf_lexer_span(lexer, (uint32_t)lexer->at, 2),
                       "begin each line of the comment with `//`", "there are no `/* */` comments");
    size_t at = lexer->at + 2;
    while (at + 1 < lexer->source->length && !(text[at] == '*' && text[at + 1] == '/')) {
        at++;
    }
    lexer->at = at + 1 < lexer->source->length ? at + 2 : lexer->source->length;
}

/* Skips what stands between tokens, and says in the token what it was. */
static void skip_space(gf_lexer *lexer, gf_token *token) {
    const char *text = lexer->source->text;
    size_t length = lexer->source->length;
    bool fresh = lexer->at == 0;
    unsigned newlines = 0;
    while (lexer->at < length) {
        char c = text[lexer->at];
        if (c == '\n') {
            fresh = true;
            newlines++;
            lexer->at++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            lexer->at++;
        } else if (c == '/' && peek(lexer, 1) == '/') {
            read_comment(lexer, fresh, newlines > 1);
            newlines = 0;
        } else if (c == '/' && peek(lexer, 1) == '*') {
            refuse_block_comment(lexer);
            newlines = 0;
        } else {
            break;
        }
    }
    token->line_start = fresh;
    token->blank_above = newlines > 1;
    token->comments_end = lexer->comments.count;
}

/* What to write in place of a character that text programs and web pages put in. NULL: nothing known. */
static const char *fix_character(uint32_t c) {
    switch (c) {
    case 0x2018:
    case 0x2019:
    case 0x201c:
    case 0x201d:
        return "write a plain `\"`";
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2212:
        return "write `-`";
    case 0xa0:
    case 0x2009:
    case 0x200b:
    case 0x3000:
        return "write a plain space";
    case 0xd7:
        return "write `*`";
    case 0xf7:
        return "write `/`";
    case 0x2026:
        return "write `..`";
    case 0x2260:
        return "write `!=`";
    case 0x2264:
        return "write `<=`";
    case 0x2265:
        return "write `>=`";
    case '?':
        return "write `select(condition, yes, no)`";
    case ':':
        return "the type stands before the name, as in `u32 x`";
    case '#':
        return "write a constant as `const u32 NAME = 1;`";
    case '\'':
        return "write text in `\"`, and a character as its number";
    default:
        return NULL;
    }
}

/* One error for a run of characters that no token begins with. */
static void refuse_characters(gf_lexer *lexer, gf_token *token) {
    const char *text = lexer->source->text;
    size_t begin = lexer->at;
    uint32_t code_point = 0;
    size_t bytes = gf_utf8_decode(text + begin, lexer->source->length - begin, &code_point);
    const char *fix = bytes > 0 ? fix_character(code_point) : NULL;
    gf_span span = gf_lexer_span(lexer, (uint32_t)begin, (uint32_t)(bytes > 0 ? bytes : 1));
    if (bytes == 0) {
        (void)gf_text_fail(lexer, GF_CODE_SYNTAX_CHARACTER, span, "save the file as UTF-8",
                           "the byte 0x%02x is not valid UTF-8", (unsigned char)text[begin]);
    } else if (code_point == 0) {
        (void)gf_text_fail(lexer, GF_CODE_SYNTAX_CHARACTER, span, "remove it", "a zero byte in the text");
    } else if (code_point < 0x20 || code_point == 0x7f) {
        (void)gf_text_fail(lexer, GF_CODE_SYNTAX_CHARACTER, span, "remove it", "the control character 0x%02x",
                           (unsigned)code_point);
    } else if (code_point < 0x80) {
        (void)gf_text_fail(lexer, GF_CODE_SYNTAX_CHARACTER, span, fix, "`%c` is not part of the language",
                           (int)code_point);
    } else {
        (void)gf_text_fail(lexer, GF_CODE_SYNTAX_CHARACTER, span,
                           fix != NULL ? fix : "use ASCII letters, digits and `_` outside of comments and strings",
                           "`%.*s` (U+%04X) is not part of the language", (int)bytes, text + begin,
                           (unsigned)code_point);
    }
    lexer->at += bytes > 0 ? bytes : 1;
    while (lexer->at < lexer->source->length) {
        unsigned char c = (unsigned char)text[lexer->at];
        bool known = c < 0x80 && (lexer->operators->by_first[c] != NULL || is_name_start((char)c) ||
                                  is_digit((char)c) || c == '"' || c == ' ' || c == '\t' || c == '\r' || c == '\n');
        if (known) {
            break;
        }
        lexer->at++;
    }
    token->kind = GF_TOKEN_BAD;
}

static void read_name(gf_lexer *lexer, gf_token *token) {
    const char *text = lexer->source->text;
    size_t begin = lexer->at;
    size_t at = begin;
    size_t foreign = 0; /* where the first byte outside of ASCII is */
    while (at < lexer->source->length) {
        char c = text[at];
        if ((unsigned char)c >= 0x80) {
            uint32_t code_point = 0;
            /* Letters of other scripts belong to the word; signs and spaces end it. */
            size_t bytes = gf_utf8_decode(text + at, lexer->source->length - at, &code_point);
            if (bytes == 0 || code_point < 0xc0 || fix_character(code_point) != NULL || code_point >= 0x2000) {
                break;
            }
            foreign = foreign == 0 ? at : foreign;
            at += bytes;
        } else if (is_name_start(c) || is_digit(c)) {
            at++;
        } else {
            break;
        }
    }
    lexer->at = at;
    if (foreign > 0) {
        (void)gf_text_fail(lexer, GF_CODE_SYNTAX_CHARACTER,
                           gf_lexer_span(lexer, (uint32_t)begin, (uint32_t)(at - begin)),
                           "use ASCII letters, digits and `_`", "the name `%.*s` has letters outside of ASCII",
                           (int)(at - begin < 60 ? at - begin : 60), text + begin);
    }
    token->word = gf_words_find(lexer->words, text + begin, at - begin);
    if (token->word != NULL) {
        token->kind = GF_TOKEN_WORD;
        token->text = token->word->text;
        return;
    }
    token->kind = GF_TOKEN_NAME;
    token->text = gf_intern(lexer->names, text + begin, at - begin);
}

/* The byte that `\c` stands for; 0: no escape. */
static char unescape(char c) {
    switch (c) {
    case '"':
        return '"';
    case '\\':
        return '\\';
    case 'n':
        return '\n';
    case 't':
        return '\t';
    default:
        return '\0';
    }
}

static void read_string(gf_lexer *lexer, gf_token *token) {
    const char *text = lexer->source->text;
    size_t length = lexer->source->length;
    size_t begin = lexer->at;
    size_t end = begin + 1;
    while (end < length && text[end] != '"' && text[end] != '\n') {
        end += text[end] == '\\' && end + 1 < length && text[end + 1] != '\n' ? 2 : 1;
    }
    if (end >= length || text[end] != '"') {
        lexer->at = end < length ? end : length;
        token->kind = GF_TOKEN_BAD;
        (void)gf_text_fail(lexer, GF_CODE_SYNTAX_STRING, gf_lexer_span(lexer, (uint32_t)begin, 1),
                           "close it with `\"` on the same line; a line break is `\\n`", "this string is not closed");
        return;
    }
    lexer->at = end + 1;
    char *said = gf_arena_alloc(lexer->arena, end - begin);
    size_t count = 0;
    for (size_t at = begin + 1; at < end;) {
        uint32_t code_point = 0;
        size_t bytes = gf_utf8_decode(text + at, end - at, &code_point);
        if (text[at] == '\\') {
            char c = unescape(text[at + 1]);
            if (c == '\0') {
                (void)gf_text_fail(lexer, GF_CODE_SYNTAX_STRING, gf_lexer_span(lexer, (uint32_t)at, 2),
                                   "the escapes are `\\\"` `\\\\` `\\n` `\\t`; a backslash itself is `\\\\`",
                                   "this escape is not part of the language");
                c = '?';
            }
            said[count++] = c;
            at += 2;
        } else if (bytes == 0 || (code_point < 0x20 && code_point != '\t') || code_point == 0x7f) {
            (void)gf_text_fail(lexer, GF_CODE_SYNTAX_STRING, gf_lexer_span(lexer, (uint32_t)at, 1), "remove it",
                               bytes == 0 ? "the byte 0x%02x in a string is not valid UTF-8"
                                          : "the control character 0x%02x in a string",
                               (unsigned char)text[at]);
            at += bytes == 0 ? 1 : bytes;
        } else {
            memcpy(said + count, text + at, bytes);
            count += bytes;
            at += bytes;
        }
    }
    token->kind = GF_TOKEN_STRING;
    token->text = said;
}

static bool read_operator(gf_lexer *lexer, gf_token *token) {
    unsigned char first = (unsigned char)lexer->source->text[lexer->at];
    size_t left = lexer->source->length - lexer->at;
    const spelling *row = first < 0x80 ? lexer->operators->by_first[first] : NULL;
    while (row != NULL &&
           (row->length > left || memcmp(row->text, lexer->source->text + lexer->at, row->length) != 0)) {
        row = row->next;
    }
    if (row == NULL) {
        return false;
    }
    lexer->at += row->length;
    token->kind = row->kind;
    token->infix = row->infix;
    token->prefix = row->prefix;
    return true;
}

gf_token gf_lexer_next(gf_lexer *lexer) {
    gf_token token = {.kind = GF_TOKEN_END};
    if (gf_lexer_is_done(lexer)) {
        lexer->at = lexer->source->length;
    }
    skip_space(lexer, &token);
    token.offset = (uint32_t)lexer->at;
    if (lexer->at >= lexer->source->length) {
        return token;
    }
    char c = lexer->source->text[lexer->at];
    if (is_name_start(c)) {
        read_name(lexer, &token);
    } else if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))) {
        gf_lexer_number(lexer, &token);
    } else if (c == '"') {
        read_string(lexer, &token);
    } else if (!read_operator(lexer, &token)) {
        refuse_characters(lexer, &token);
    }
    token.length = (uint32_t)(lexer->at - token.offset);
    return token;
}
