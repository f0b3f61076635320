/* The program as a whole. */
#include "text/parse.h"
#include "text/parse_decl.h"
#include <string.h>

#define LARGEST_TEXT ((size_t)64 << 20)

static const gf_keyword declaration_keywords[] = {
    GF_KEYWORD_PROGRAM, GF_KEYWORD_CONST,   GF_KEYWORD_PARAM,  GF_KEYWORD_IN, GF_KEYWORD_INOUT,
    GF_KEYWORD_OUT,     GF_KEYWORD_SCRATCH, GF_KEYWORD_SHARED, GF_KEYWORD_FN, GF_KEYWORD_KERNEL,
};

typedef GF_VEC(const gf_symbol *) symbol_list;

typedef struct parsing {
    gf_parser p;
    gf_tree *tree;
    symbol_list decls;
    bool has_kernel;
    bool fell_out; /* the errors so far leave no sense in asking for a kernel */
} parsing;

/* To the next declaration: past a `;` or a `}`, or before a keyword that begins a line. */
static void skip_declaration(gf_parser *p) {
    unsigned depth = 0;
    for (; !gf_parser_is(p, GF_TOKEN_END); gf_parser_skip(p)) {
        if (p->token.line_start && gf_parser_at_declaration(p) && (depth == 0 || gf_parser_at_margin(p))) {
            return;
        }
        if (depth == 0 && gf_parser_take(p, GF_TOKEN_SEMICOLON)) {
            return;
        }
        if (gf_parser_is(p, GF_TOKEN_RIGHT_BRACE) && depth <= 1) {
            gf_parser_advance(p);
            return;
        }
        depth += gf_parser_is(p, GF_TOKEN_LEFT_BRACE) ? 1 : 0;
        depth -= gf_parser_is(p, GF_TOKEN_RIGHT_BRACE) ? 1 : 0;
    }
}

static bool parse_kernel(parsing *state, gf_kernel_decl *kernel, const gf_token *keyword) {
    gf_parser *p = &state->p;
    bool is_second = state->has_kernel;
    if (is_second && gf_text_fail(&p->lexer, GF_CODE_SYNTAX_KERNEL, gf_parser_span(p, keyword),
                                  "put both in one kernel with `grid_barrier` between, or in two programs",
                                  "a program has one kernel")) {
        gf_note(p->lexer.diags, state->tree->kernel.span, "the first is here");
    }
    kernel->span = gf_parser_span(p, keyword);
    if (!is_second) {
        state->has_kernel = true;
        state->tree->kernel.span = kernel->span;
        state->tree->kernel_position = state->decls.count;
    }
    bool right = gf_parse_kernel_head(p, kernel);
    if (!right && !gf_parser_skip_to_body(p)) {
        return false;
    }
    kernel->body = gf_parse_block(p, "the kernel", &kernel->trivia);
    return kernel->body != NULL;
}

static bool find_role(gf_keyword keyword, gf_role *role) {
    static const struct {
        gf_keyword keyword;
        gf_role role;
    } rows[] = {{GF_KEYWORD_IN, GF_ROLE_IN},
                {GF_KEYWORD_INOUT, GF_ROLE_INOUT},
                {GF_KEYWORD_OUT, GF_ROLE_OUT},
                {GF_KEYWORD_SCRATCH, GF_ROLE_SCRATCH}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].keyword == keyword) {
            *role = rows[i].role;
            return true;
        }
    }
    return false;
}

/* What the keyword declares, which is used already. */
static bool parse_declared(parsing *state, gf_symbol *symbol, gf_kernel_decl *kernel, const gf_token *token) {
    gf_parser *p = &state->p;
    gf_keyword keyword = token->word->keyword;
    if (keyword == GF_KEYWORD_KERNEL) {
        return parse_kernel(state, kernel, token);
    }
    if (keyword == GF_KEYWORD_FN) {
        symbol->kind = GF_SYMBOL_FUNCTION;
        return gf_parse_function(p, symbol);
    }
    if (keyword == GF_KEYWORD_CONST || keyword == GF_KEYWORD_PARAM) {
        symbol->kind = keyword == GF_KEYWORD_CONST ? GF_SYMBOL_CONST : GF_SYMBOL_PARAM;
        return gf_parse_constant(p, symbol, keyword == GF_KEYWORD_CONST);
    }
    if (keyword == GF_KEYWORD_SHARED || find_role(keyword, &symbol->role)) {
        symbol->kind = keyword == GF_KEYWORD_SHARED ? GF_SYMBOL_SHARED : GF_SYMBOL_BUFFER;
        return gf_parse_array(p, symbol);
    }
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_PROGRAM, gf_parser_span(p, token),
                       "put the second program in a file of its own", "a text holds one program");
    return false;
}

static void parse_declaration(parsing *state) {
    gf_parser *p = &state->p;
    gf_token keyword = p->token;
    gf_symbol *symbol = gf_new(p->arena, gf_symbol);
    gf_kernel_decl *kernel = gf_new(p->arena, gf_kernel_decl);
    bool is_kernel = gf_parser_is_keyword(p, GF_KEYWORD_KERNEL);
    gf_trivia *trivia = is_kernel ? &kernel->trivia : &symbol->trivia;
    gf_parser_begin_item(p, trivia, false);
    p->owner = trivia;
    gf_parser_advance(p);
    if (!parse_declared(state, symbol, kernel, &keyword)) {
        p->owner = NULL;
        skip_declaration(p);
        return;
    }
    p->owner = NULL;
    gf_parser_end_item(p, trivia);
    if (is_kernel) {
        state->tree->kernel = *kernel;
    } else {
        gf_push(p->arena, &state->decls, symbol);
    }
}

/* What stands between declarations and begins none. */
static void refuse_between(parsing *state) {
    gf_parser *p = &state->p;
    gf_token token = p->token;
    gf_span span = gf_parser_span(p, &token);
    const char *text = token.kind == GF_TOKEN_NAME || token.kind == GF_TOKEN_WORD ? token.text : "";
    size_t count = sizeof declaration_keywords / sizeof *declaration_keywords;
    const char *like = token.kind == GF_TOKEN_NAME ? gf_keyword_like(text, declaration_keywords, count) : NULL;
    if (gf_parser_take(p, GF_TOKEN_RIGHT_BRACE)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_UNCLOSED, span, "remove it, or look for a `}` too many above it",
                           "this `}` closes nothing");
        return;
    }
    if (gf_parser_take(p, GF_TOKEN_SEMICOLON)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, span, "leave out this `;`", "expected a declaration, found `;`");
        return;
    }
    if (gf_parser_at_statement(p)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_PLACE, span, "move it into the kernel or a function",
                           "`%s` is a statement and stands in a block", text);
    } else if (token.kind == GF_TOKEN_WORD && token.word->kind == GF_WORD_TYPE) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, span,
                           gf_arena_format(p->arena, "write `const %s`, `param %s` or `in %s`", text, text, text),
                           "a declaration begins with what it declares");
    } else if (like != NULL) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, span, gf_arena_format(p->arena, "did you mean `%s`?", like),
                           "`%s` begins no declaration", text);
        state->fell_out = state->fell_out || strcmp(like, "kernel") == 0;
    } else if (strcmp(text, "buffer") == 0 || strcmp(text, "uniform") == 0 || strcmp(text, "storage") == 0) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, span,
                           text[0] == 'u' ? "write `param u32 NAME;`" : "write `in`, `inout`, `out` or `scratch`",
                           "there is no `%s`", text);
    } else if (strcmp(text, "def") == 0 || strcmp(text, "func") == 0 || strcmp(text, "function") == 0 ||
               strcmp(text, "void") == 0) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, span, "write `fn NAME(...) { }`", "there is no `%s`",
                           text);
    } else {
        (void)gf_parser_expected(p, "a declaration: `const param in inout out scratch shared fn kernel`");
    }
    gf_parser_advance(p);
    skip_declaration(p);
}

static void parse_program_line(parsing *state) {
    gf_parser *p = &state->p;
    gf_tree *tree = state->tree;
    gf_parser_begin_item(p, &tree->trivia, true);
    const gf_keyword program[] = {GF_KEYWORD_PROGRAM};
    bool misspelt = gf_parser_is(p, GF_TOKEN_NAME) && gf_keyword_like(p->token.text, program, 1) != NULL;
    if (!gf_parser_is_keyword(p, GF_KEYWORD_PROGRAM)) {
        if (!gf_parser_is(p, GF_TOKEN_BAD)) {
            (void)gf_text_fail(
                &p->lexer, GF_CODE_SYNTAX_PROGRAM, gf_parser_span(p, &p->token), "begin with `program NAME;`",
                gf_parser_is(p, GF_TOKEN_END) ? "the text holds no program" : "a program begins with its name");
        }
        state->fell_out = gf_parser_is(p, GF_TOKEN_END);
        if (misspelt) {
            skip_declaration(p);
        }
        return;
    }
    gf_parser_advance(p);
    gf_ref name = {0};
    if (gf_parser_declare(p, "the name of the program", &name)) {
        tree->name = name.name;
        if (gf_parser_semicolon(p, "this declaration")) {
            gf_parser_end_item(p, &tree->trivia);
            return;
        }
    }
    skip_declaration(p);
}

static void parse_text(parsing *state) {
    gf_parser *p = &state->p;
    p->token = gf_lexer_next(&p->lexer);
    parse_program_line(state);
    while (!gf_parser_is(p, GF_TOKEN_END)) {
        if (gf_parser_at_declaration(p)) {
            parse_declaration(state);
        } else {
            refuse_between(state);
        }
    }
    if (!state->has_kernel && !state->fell_out && p->lexer.errors == 0) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_KERNEL, gf_lexer_span(&p->lexer, p->last_end, 1),
                           "write `kernel (n) { ... }`", "the program has no kernel");
    }
    state->tree->end_comments = gf_parser_take_comments(p);
    state->tree->decls = state->decls.items;
    state->tree->decl_count = state->decls.count;
}

typedef struct request {
    gf_program *program;
    const char *text;
    size_t length;
    const char *name;
    gf_diags *diags;
    bool parsed;
} request;

static void parse_protected(void *context) {
    request *ask = context;
    gf_arena *arena = ask->program->arena;
    gf_source *source = gf_new(arena, gf_source);
    const char *name = ask->name != NULL ? ask->name : "";
    source->name = gf_arena_string(arena, name, strlen(name));
    source->text = gf_arena_string(arena, ask->text, ask->length);
    source->length = ask->length;
    gf_source_mark *marks = gf_new_array(arena, gf_source_mark, ask->length / GF_SOURCE_STEP + 1);
    gf_source_mark_lines(source->text, source->length, marks);
    source->marks = marks;
    ask->program->source = source;
    parsing *state = gf_new(arena, parsing);
    state->tree = gf_new(arena, gf_tree);
    state->p.arena = arena;
    gf_lexer_start(&state->p.lexer, arena, source, ask->diags);
    parse_text(state);
    ask->parsed = state->p.lexer.errors == 0;
    if (ask->parsed) {
        ask->program->parsed = state->tree;
    }
}

bool gf_parse(gf_program *program, const char *text, size_t length, const char *name, gf_diags *diags) {
    if (length > LARGEST_TEXT) {
        gf_fail(diags, GF_CODE_SYNTAX_SIZE, GF_NO_SPAN, "%s%sthe text has %zu bytes; the most is 64 MiB",
                name != NULL ? name : "", name != NULL ? ": " : "", length);
        gf_fix(diags, "hand large tables in as buffers");
        return false;
    }
    request ask = {.program = program, .text = text, .length = length, .name = name, .diags = diags};
    if (!gf_arena_protect(program->arena, parse_protected, &ask)) {
        program->parsed = NULL;
        return gf_fail_memory(diags);
    }
    return ask.parsed;
}
