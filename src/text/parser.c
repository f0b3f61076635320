#include "text/parser.h"
#include <string.h>

/* ---- tokens ---- */

void gf_parser_advance(gf_parser *p) {
    p->last = p->token;
    p->last_end = p->token.offset + p->token.length;
    if (p->has_ahead) {
        p->token = p->ahead;
        p->has_ahead = false;
    } else {
        p->token = gf_lexer_next(&p->lexer);
    }
}

void gf_parser_skip(gf_parser *p) {
    p->lexer.is_quiet = true;
    gf_parser_advance(p);
    p->lexer.is_quiet = false;
}

bool gf_parser_at_margin(const gf_parser *p) {
    return p->token.offset == 0 || p->lexer.source->text[p->token.offset - 1] == '\n';
}

const gf_token *gf_parser_peek(gf_parser *p) {
    if (!p->has_ahead) {
        p->ahead = gf_lexer_next(&p->lexer);
        p->has_ahead = true;
    }
    return &p->ahead;
}

bool gf_parser_is(const gf_parser *p, gf_token_kind kind) {
    return p->token.kind == kind;
}

static bool is_keyword(const gf_token *token, gf_keyword keyword) {
    return token->kind == GF_TOKEN_WORD && token->word->kind == GF_WORD_KEYWORD && token->word->keyword == keyword;
}

bool gf_parser_is_keyword(const gf_parser *p, gf_keyword keyword) {
    return is_keyword(&p->token, keyword);
}

bool gf_parser_is_name(const gf_parser *p, const char *text) {
    return p->token.kind == GF_TOKEN_NAME && strcmp(p->token.text, text) == 0;
}

bool gf_parser_take(gf_parser *p, gf_token_kind kind) {
    if (p->token.kind != kind) {
        return false;
    }
    gf_parser_advance(p);
    return true;
}

bool gf_parser_touches(const gf_parser *p) {
    return p->token.offset == p->last_end;
}

gf_span gf_parser_span(const gf_parser *p, const gf_token *token) {
    return gf_lexer_span(&p->lexer, token->offset, token->length);
}

gf_span gf_parser_span_from(const gf_parser *p, uint32_t offset) {
    return gf_lexer_span(&p->lexer, offset, p->last_end > offset ? p->last_end - offset : 0);
}

bool gf_parser_at_declaration(const gf_parser *p) {
    return p->token.kind == GF_TOKEN_WORD && p->token.word->kind == GF_WORD_KEYWORD &&
           p->token.word->keyword <= GF_KEYWORD_KERNEL;
}

bool gf_parser_at_statement(const gf_parser *p) {
    return p->token.kind == GF_TOKEN_WORD && p->token.word->kind == GF_WORD_KEYWORD &&
           p->token.word->keyword > GF_KEYWORD_KERNEL && p->token.word->keyword < GF_KEYWORD_LEN;
}

/* ---- errors ---- */

const char *gf_parser_text(const gf_parser *p, const gf_token *token) {
    size_t length = token->length < 60 ? token->length : 60;
    return gf_arena_string(p->arena, p->lexer.source->text + token->offset, length);
}

static const char *describe(const gf_parser *p, const gf_token *token) {
    if (token->kind == GF_TOKEN_END) {
        return "the end of the text";
    }
    if (token->kind == GF_TOKEN_STRING) {
        return "a string";
    }
    return gf_arena_format(p->arena, "`%s`", gf_parser_text(p, token));
}

/* What a token most likely means that stands where it cannot. */
static const char *guess_fix(const gf_token *token) {
    static const struct {
        const char *text, *fix;
    } rows[] = {{"and", "write `&&`"},        {"or", "write `||`"},         {"not", "write `!`"},
                {"then", "leave out `then`"}, {"do", "leave out `do`"},     {"mod", "write `%`"},
                {"to", "write `..`"},         {"until", "write `while !`"}, {"xor", "write `^`, or `!=` on bool"}};
    for (size_t i = 0; token->kind == GF_TOKEN_NAME && i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].text, token->text) == 0) {
            return rows[i].fix;
        }
    }
    return NULL;
}

bool gf_parser_expected(gf_parser *p, const char *what) {
    if (p->token.kind == GF_TOKEN_BAD) {
        return false;
    }
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token), guess_fix(&p->token),
                       "expected %s, found %s", what, describe(p, &p->token));
    return false;
}

bool gf_parser_expect(gf_parser *p, gf_token_kind kind, const char *what) {
    return gf_parser_take(p, kind) || gf_parser_expected(p, what);
}

bool gf_parser_semicolon(gf_parser *p, const char *what) {
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
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_lexer_span(&p->lexer, p->last_end, 1), "write `;` here",
                       "expected `;` after %s, found %s", what, describe(p, &p->token));
    return p->token.line_start || gf_parser_is(p, GF_TOKEN_RIGHT_BRACE) || gf_parser_is(p, GF_TOKEN_END);
}

bool gf_parser_close(gf_parser *p, gf_token_kind kind, const gf_token *open) {
    const char *close = kind == GF_TOKEN_RIGHT_PAREN ? ")" : "]";
    const char *opened = kind == GF_TOKEN_RIGHT_PAREN ? "(" : "[";
    if (gf_parser_take(p, kind)) {
        return true;
    }
    if (p->token.kind == GF_TOKEN_BAD) {
        return false;
    }
    if (p->token.kind == GF_TOKEN_ASSIGN) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_EQUALS, gf_parser_span(p, &p->token),
                           "write `==` to compare; assign in a statement of its own",
                           "`=` does not stand inside an expression");
        return false;
    }
    gf_code code = p->token.kind == GF_TOKEN_END ? GF_CODE_SYNTAX_UNCLOSED : GF_CODE_SYNTAX;
    if (gf_text_fail(&p->lexer, code, gf_parser_span(p, &p->token), guess_fix(&p->token), "expected `%s`, found %s",
                     close, describe(p, &p->token))) {
        gf_note(p->lexer.diags, gf_parser_span(p, open), "to close this `%s`", opened);
    }
    return false;
}

bool gf_parser_too_deep(gf_parser *p, const char *message, const char *fix) {
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_DEPTH, gf_parser_span(p, &p->token), fix, "%s", message);
    /* Whatever follows would only be misread. */
    p->lexer.errors = GF_TEXT_ERRORS;
    p->has_ahead = false;
    p->token.kind = GF_TOKEN_END;
    return false;
}

bool gf_parser_enter(gf_parser *p, unsigned *depth) {
    if (*depth >= GF_TEXT_DEPTH) {
        return gf_parser_too_deep(p, "nested deeper than 200 levels", "move a part into a `let` or into a function");
    }
    (*depth)++;
    return true;
}

const char *gf_foreign_type(const char *text) {
    static const struct {
        const char *foreign, *own;
    } rows[] = {{"int", "i32"},      {"uint", "u32"},    {"unsigned", "u32"}, {"float", "f32"},    {"double", "f64"},
                {"half", "f16"},     {"char", "i8"},     {"uchar", "u8"},     {"byte", "u8"},      {"short", "i16"},
                {"ushort", "u16"},   {"long", "i64"},    {"ulong", "u64"},    {"size_t", "u64"},   {"usize", "u64"},
                {"int8_t", "i8"},    {"uint8_t", "u8"},  {"int16_t", "i16"},  {"uint16_t", "u16"}, {"int32_t", "i32"},
                {"uint32_t", "u32"}, {"int64_t", "i64"}, {"uint64_t", "u64"}, {"boolean", "bool"}, {"_Bool", "bool"},
                {"float32", "f32"},  {"float64", "f64"}, {"auto", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].foreign, text) == 0) {
            return rows[i].own;
        }
    }
    return NULL;
}

const char *gf_foreign_name(const char *text) {
    static const struct {
        const char *foreign, *fix;
    } rows[] = {{"__syncthreads", "write `barrier;`"},
                {"syncthreads", "write `barrier;`"},
                {"workgroupBarrier", "write `barrier;`"},
                {"storageBarrier", "write `barrier;`"},
                {"threadgroup_barrier", "write `barrier;`"},
                {"gridBarrier", "write `grid_barrier;`"},
                {"grid_sync", "write `grid_barrier;`"},
                {"gridSync", "write `grid_barrier;`"},
                {"globalBarrier", "write `grid_barrier;`"},
                {"__threadfence", "write `barrier;` or `grid_barrier;`: there are no fences"},
                {"atomicAdd", "write `atomic_add(buffer[i], value)`"},
                {"atomicSub", "write `atomic_sub(buffer[i], value)`"},
                {"atomicMin", "write `atomic_min(buffer[i], value)`"},
                {"atomicMax", "write `atomic_max(buffer[i], value)`"},
                {"atomicAnd", "write `atomic_and(buffer[i], value)`"},
                {"atomicOr", "write `atomic_or(buffer[i], value)`"},
                {"atomicXor", "write `atomic_xor(buffer[i], value)`"},
                {"atomicExch", "write `atomic_exchange(buffer[i], value)`"},
                {"atomicExchange", "write `atomic_exchange(buffer[i], value)`"},
                {"atomicCAS", "write `atomic_compare_exchange(buffer[i], expected, desired)`"},
                {"atomicLoad", "write `atomic_load(buffer[i])`"},
                {"atomicStore", "write `atomic_store(buffer[i], value)`"},
                {"atomic_cas", "write `atomic_compare_exchange(buffer[i], expected, desired)`"},
                {"threadIdx", "write `lid.x`"},
                {"blockIdx", "write `wid.x`"},
                {"blockDim", "write `group_size.x`"},
                {"gridDim", "write `grid_size.x`"},
                {"get_global_id", "write `gid.x`"},
                {"get_local_id", "write `lid.x`"},
                {"get_group_id", "write `wid.x`"},
                {"global_id", "write `gid.x`"},
                {"local_id", "write `lid.x`"},
                {"fabs", "write `abs`"},
                {"fmin", "write `min`"},
                {"fmax", "write `max`"},
                {"sqrtf", "write `sqrt`"},
                {"expf", "write `exp`"},
                {"logf", "write `log`"},
                {"popc", "write `popcount`"},
                {"__popc", "write `popcount`"},
                {"isnan", "write `is_nan`"},
                {"isinf", "write `is_inf`"},
                {"length", "write `len(buffer)`"},
                {"arrayLength", "write `len(buffer)`"},
                {"sizeof", "write `len(buffer)` for the number of elements"},
                {"printf", "write values to an `out` buffer"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].foreign, text) == 0) {
            return rows[i].fix;
        }
    }
    return NULL;
}

static bool is_name_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Where the word that ends at `end` begins; `end` itself if there is none. */
static size_t word_before(const gf_source *source, size_t end, size_t *stop) {
    while (end > 0 && (source->text[end - 1] == ' ' || source->text[end - 1] == '\t' || source->text[end - 1] == '\n' ||
                       source->text[end - 1] == '\r')) {
        end--;
    }
    *stop = end;
    while (end > 0 && is_name_part(source->text[end - 1])) {
        end--;
    }
    return end;
}

static bool find_function(const gf_source *source, const char *name) {
    size_t length = strlen(name);
    for (size_t at = 0; at + length <= source->length; at++) {
        if (source->text[at] != name[0] || memcmp(source->text + at, name, length) != 0 ||
            (at > 0 && is_name_part(source->text[at - 1]))) {
            continue;
        }
        /* fn NAME( or fn TYPE NAME( */
        size_t end = at;
        for (unsigned words = 0; words < 2; words++) {
            size_t stop;
            size_t begin = word_before(source, end, &stop);
            if (stop - begin == 2 && memcmp(source->text + begin, "fn", 2) == 0) {
                return true;
            }
            end = begin;
        }
    }
    return false;
}

bool gf_parser_declares_function(gf_parser *p, const char *name) {
    for (size_t i = 0; i < p->foreign.count; i++) {
        if (p->foreign.items[i].name == name) {
            return p->foreign.items[i].declared;
        }
    }
    struct gf_own_name found = {.name = name, .declared = find_function(p->lexer.source, name)};
    gf_push(p->arena, &p->foreign, found);
    return found.declared;
}

/* ---- names, types, strings ---- */

bool gf_parser_declare(gf_parser *p, const char *what, gf_ref *ref) {
    if (p->token.kind != GF_TOKEN_NAME && p->token.kind != GF_TOKEN_WORD) {
        return gf_parser_expected(p, what);
    }
    *ref = (gf_ref){.name = p->token.text, .span = gf_parser_span(p, &p->token)};
    if (p->token.kind == GF_TOKEN_WORD) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_RESERVED, ref->span,
                           gf_arena_format(p->arena, "choose another name, such as `%s_`", ref->name),
                           "`%s` is a word of the language and cannot be %s", ref->name, what);
    }
    gf_parser_advance(p);
    return true;
}

bool gf_parser_refer(gf_parser *p, const char *what, gf_ref *ref) {
    if (p->token.kind != GF_TOKEN_NAME) {
        return gf_parser_expected(p, what);
    }
    *ref = (gf_ref){.name = p->token.text, .span = gf_parser_span(p, &p->token)};
    gf_parser_advance(p);
    return true;
}

bool gf_parser_type(gf_parser *p, gf_type *type) {
    *type = GF_TYPE_NONE;
    if (p->token.kind == GF_TOKEN_WORD && p->token.word->kind == GF_WORD_TYPE) {
        *type = p->token.word->type;
        gf_parser_advance(p);
        return true;
    }
    if (p->token.kind != GF_TOKEN_NAME) {
        return gf_parser_expected(p, "a type, such as `u32`");
    }
    const char *text = p->token.text;
    gf_span span = gf_parser_span(p, &p->token);
    const gf_token *behind = gf_parser_peek(p);
    const char *own = gf_foreign_type(text);
    if (behind->kind == GF_TOKEN_BAD) {
        return false;
    }
    if (own != NULL) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, span, gf_arena_format(p->arena, "write `%s`", own),
                           "there is no type `%s`", text);
        gf_parser_advance(p);
        /* `unsigned int`, `long long` */
        while (p->token.kind == GF_TOKEN_NAME && gf_foreign_type(p->token.text) != NULL) {
            gf_parser_advance(p);
        }
        return true;
    }
    if (behind->kind == GF_TOKEN_NAME || behind->kind == GF_TOKEN_WORD) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, span,
                           "the types are bool u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64", "there is no type `%s`",
                           text);
        gf_parser_advance(p);
        return true;
    }
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, span,
                       gf_arena_format(p->arena, "write `u32 %s`, or another type", text),
                       "expected a type before `%s`", text);
    return true;
}

bool gf_parser_string(gf_parser *p, const char *what, const char **text) {
    *text = p->token.text;
    return gf_parser_expect(p, GF_TOKEN_STRING, what);
}

/* ---- comments ---- */

/* Adds the comments before `end` that are not taken yet to the lines `above` (or NULL), one a line. Empty lines between
 * them stay, several as one. */
static const char *take_until(gf_parser *p, size_t end, const char *above) {
    if (p->taken >= end) {
        return above;
    }
    const gf_comment *items = p->lexer.comments.items;
    size_t length = above != NULL ? strlen(above) : 0;
    size_t most = length;
    for (size_t i = p->taken; i < end; i++) {
        most += (size_t)items[i].length + 2;
    }
    char *lines = gf_arena_alloc(p->arena, most + 1);
    if (length > 0) {
        /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): it ends behind the last comment */
        memcpy(lines, above, length);
    }
    for (; p->taken < end; p->taken++) {
        const gf_comment *comment = &items[p->taken];
        if (comment->blank_above && length > 0 && (length < 2 || lines[length - 2] != '\n')) {
            lines[length++] = '\n';
        }
        memcpy(lines + length, p->lexer.source->text + comment->offset, comment->length);
        length += comment->length;
        lines[length++] = '\n';
    }
    return lines;
}

const char *gf_parser_take_comments(gf_parser *p) {
    return take_until(p, p->token.comments_end, NULL);
}

void gf_parser_begin_item(gf_parser *p, gf_trivia *trivia, bool first) {
    bool has_comment = p->taken < p->token.comments_end;
    bool blank = has_comment ? p->lexer.comments.items[p->taken].blank_above : p->token.blank_above;
    trivia->blank_line = blank && !first;
    trivia->before = gf_parser_take_comments(p);
    if (trivia->before != NULL && p->token.blank_above) {
        trivia->before = gf_arena_format(p->arena, "%s\n", trivia->before);
    }
}

void gf_parser_lift_comments(gf_parser *p) {
    if (p->owner != NULL) {
        p->owner->before = take_until(p, p->token.comments_end, p->owner->before);
    }
}

const char *gf_parser_take_behind(gf_parser *p) {
    if (p->taken >= p->token.comments_end || p->lexer.comments.items[p->taken].line_start) {
        return NULL;
    }
    const gf_comment *comment = &p->lexer.comments.items[p->taken++];
    return gf_arena_string(p->arena, p->lexer.source->text + comment->offset, comment->length);
}

void gf_parser_end_item(gf_parser *p, gf_trivia *trivia) {
    /* What stood inside the item moves above it. */
    trivia->before = take_until(p, p->last.comments_end, trivia->before);
    const char *behind = gf_parser_take_behind(p);
    trivia->after = behind != NULL ? behind : trivia->after;
}
