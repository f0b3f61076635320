#include "text/lex_number.h"
#include <string.h>

typedef struct reader {
    gf_lexer *lexer;
    const char *text;
    size_t begin, at, length;
} reader;

static char look(const reader *r, size_t ahead) {
    return ahead < r->length - r->at ? r->text[r->at + ahead] : '\0';
}

/* 16 and more: no digit. */
static unsigned digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return (unsigned)(c - 'a') + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return (unsigned)(c - 'A') + 10;
    }
    return 16;
}

static bool is_word_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void refuse(reader *r, size_t from, const char *fix, const char *message) {
    gf_span span = gf_lexer_span(r->lexer, (uint32_t)from, (uint32_t)(r->at > from ? r->at - from : 1));
    (void)gf_text_fail(r->lexer, GF_CODE_SYNTAX_NUMBER, span, fix, "%s", message);
}

/* Digits of the base and `_`; false where they do not fit in 64 bits. */
static bool read_digits(reader *r, unsigned base, uint64_t *value) {
    bool fits = true;
    for (char c = look(r, 0); c == '_' || digit_value(c) < base; c = look(r, 0)) {
        if (c != '_') {
            unsigned digit = digit_value(c);
            fits = fits && *value <= (UINT64_MAX - digit) / base;
            *value = *value * base + digit;
        }
        r->at++;
    }
    return fits;
}

static void skip_decimals(reader *r) {
    while ((look(r, 0) >= '0' && look(r, 0) <= '9') || look(r, 0) == '_') {
        r->at++;
    }
}

static bool is_decimal(char c) {
    return c >= '0' && c <= '9';
}

/* Point and exponent, where there are any. */
static bool read_fraction(reader *r) {
    bool is_float = false;
    if (look(r, 0) == '.' && look(r, 1) != '.') {
        is_float = true;
        r->at++;
        if (is_decimal(look(r, 0))) {
            skip_decimals(r);
        } else {
            refuse(r, r->begin,
                   gf_arena_format(r->lexer->arena, "write `%.*s0`",
                                   (int)(r->at - r->begin < 60 ? r->at - r->begin : 60), r->text + r->begin),
                   "a point wants a digit behind it");
        }
    }
    if (look(r, 0) == 'e' || look(r, 0) == 'E') {
        size_t sign = look(r, 1) == '+' || look(r, 1) == '-' ? 1 : 0;
        if (is_decimal(look(r, 1 + sign))) {
            is_float = true;
            r->at += 1 + sign;
            skip_decimals(r);
        }
    }
    return is_float;
}

/* The type that a C suffix asks for. */
static const char *suffix_type(const char *suffix, size_t length, bool is_float) {
    static const struct {
        const char *suffix, *type;
        bool of_float;
    } rows[] = {{"u", "u32", false},   {"U", "u32", false},   {"ul", "u64", false},  {"UL", "u64", false},
                {"ull", "u64", false}, {"ULL", "u64", false}, {"l", "i64", false},   {"L", "i64", false},
                {"ll", "i64", false},  {"LL", "i64", false},  {"i", "i32", false},   {"f", "f32", true},
                {"F", "f32", true},    {"h", "f16", true},    {"u32", "u32", false}, {"i32", "i32", false},
                {"u64", "u64", false}, {"i64", "i64", false}, {"f32", "f32", true},  {"f64", "f64", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strlen(rows[i].suffix) == length && memcmp(rows[i].suffix, suffix, length) == 0 &&
            (rows[i].of_float || !is_float)) {
            return rows[i].type;
        }
    }
    return NULL;
}

static void refuse_suffix(reader *r, unsigned base, bool is_float) {
    size_t suffix = r->at;
    while (is_word_byte(look(r, 0))) {
        r->at++;
    }
    size_t length = r->at - suffix;
    if (length == 0) {
        return;
    }
    int shown = (int)(suffix - r->begin < 60 ? suffix - r->begin : 60);
    const char *type = suffix_type(r->text + suffix, length, is_float);
    if (type != NULL && base == 10) {
        bool of_float = type[0] == 'f';
        refuse(r, r->begin,
               gf_arena_format(r->lexer->arena, "write `%s(%.*s%s)`", type, shown, r->text + r->begin,
                               of_float && !is_float ? ".0" : ""),
               "numbers have no suffix: a cast gives the type");
    } else if (type != NULL) {
        refuse(r, r->begin, gf_arena_format(r->lexer->arena, "write `%s(%.*s)`", type, shown, r->text + r->begin),
               "numbers have no suffix: a cast gives the type");
    } else if (base != 10) {
        refuse(r, suffix, NULL,
               base == 2 ? "this is no digit of a binary number" : "this is no digit of a hexadecimal number");
    } else {
        refuse(r, suffix, "a name does not begin with a digit; a type is given by a cast, `u32(5)`",
               "letters directly behind a number");
    }
}

/* Without the `_`, which have no place in floats. */
static const char *clean_float(reader *r, size_t end) {
    char *clean = gf_arena_string(r->lexer->arena, r->text + r->begin, end - r->begin);
    size_t count = 0;
    for (const char *c = clean; *c != '\0'; c++) {
        if (*c != '_') {
            clean[count++] = *c;
        }
    }
    if (count < end - r->begin) {
        refuse(r, r->begin, gf_arena_format(r->lexer->arena, "write `%.*s`", (int)(count < 60 ? count : 60), clean),
               "`_` stands in whole numbers only");
    }
    clean[count] = '\0';
    return clean;
}

static void read_float_from_point(reader *r, gf_token *token) {
    r->at++;
    skip_decimals(r);
    (void)read_fraction(r);
    refuse(r, r->begin,
           gf_arena_format(r->lexer->arena, "write `0%.*s`", (int)(r->at - r->begin < 60 ? r->at - r->begin : 60),
                           r->text + r->begin),
           "a number begins with a digit");
    refuse_suffix(r, 10, true);
    token->kind = GF_TOKEN_FLOAT;
    token->text = "0.0";
}

static void read_based(reader *r, unsigned base, gf_token *token) {
    r->at += 2;
    size_t digits = r->at;
    bool fits = read_digits(r, base, &token->bits);
    if (r->at == digits || r->text[r->at - 1] == '_') {
        r->at += is_word_byte(look(r, 0)) ? 1 : 0;
        refuse(r, r->begin, NULL, base == 2 ? "`0b` wants digits, 0 or 1, to its end" : "`0x` wants digits to its end");
    } else if (!fits) {
        refuse(r, r->begin, NULL, "this number does not fit in 64 bits");
    }
}

void gf_lexer_number(gf_lexer *lexer, gf_token *token) {
    reader r = {.lexer = lexer,
                .text = lexer->source->text,
                .begin = lexer->at,
                .at = lexer->at,
                .length = lexer->source->length};
    token->kind = GF_TOKEN_INT;
    char second = look(&r, 1);
    unsigned base = 10;
    bool is_float = false;
    if (look(&r, 0) == '.') {
        read_float_from_point(&r, token);
        lexer->at = r.at;
        return;
    }
    if (look(&r, 0) == '0' && (second == 'x' || second == 'X' || second == 'b' || second == 'B')) {
        base = second == 'x' || second == 'X' ? 16 : 2;
        read_based(&r, base, token);
    } else {
        bool fits = read_digits(&r, 10, &token->bits);
        size_t digits_end = r.at;
        is_float = read_fraction(&r);
        if (is_float) {
            token->kind = GF_TOKEN_FLOAT;
            token->bits = 0;
        } else if (!fits) {
            refuse(&r, r.begin, "the largest whole number is 18446744073709551615; a float has a point",
                   "this number does not fit in 64 bits");
        } else if (r.text[r.begin] == '0' && digits_end - r.begin > 1) {
            refuse(&r, r.begin, "leave out the leading zeros; there are no octal numbers",
                   "a whole number does not begin with 0");
        } else if (r.text[digits_end - 1] == '_') {
            refuse(&r, r.begin, "leave out the last `_`", "a number ends in a digit");
        }
    }
    size_t end = r.at;
    refuse_suffix(&r, base, is_float);
    token->text = is_float ? clean_float(&r, end) : gf_arena_string(lexer->arena, r.text + r.begin, end - r.begin);
    lexer->at = r.at;
}
