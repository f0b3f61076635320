/* Declarations, and the program as a whole. */
#include "text/parse.h"
#include "text/parser.h"
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

/* ---- recovery ---- */

/* To the next declaration: past a `;` or a `}`, or before a keyword that begins a line. */
static void skip_declaration(gf_parser *p) {
    unsigned depth = 0;
    while (!gf_parser_is(p, GF_TOKEN_END)) {
        if (depth == 0 && gf_parser_take(p, GF_TOKEN_SEMICOLON)) {
            return;
        }
        if (gf_parser_take(p, GF_TOKEN_LEFT_BRACE)) {
            depth++;
            continue;
        }
        if (gf_parser_take(p, GF_TOKEN_RIGHT_BRACE)) {
            if (depth <= 1) {
                return;
            }
            depth--;
            continue;
        }
        gf_parser_advance(p);
        if (p->token.line_start && gf_parser_at_declaration(p) &&
            (depth == 0 || p->token.offset == 0 || p->lexer.source->text[p->token.offset - 1] == '\n')) {
            return;
        }
    }
}

static bool expect_semicolon(gf_parser *p) {
    if (gf_parser_take(p, GF_TOKEN_SEMICOLON)) {
        return true;
    }
    if (gf_parser_is(p, GF_TOKEN_BAD)) {
        return false;
    }
    const char *found = gf_parser_is(p, GF_TOKEN_END)
                            ? "the end of the text"
                            : gf_arena_format(p->arena, "`%.*s`", (int)(p->token.length < 60 ? p->token.length : 60),
                                              p->lexer.source->text + p->token.offset);
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_lexer_span(&p->lexer, p->last_end, 1), "write `;` here",
                       "expected `;` after this declaration, found %s", found);
    return p->token.line_start || gf_parser_is(p, GF_TOKEN_END);
}

/* ---- declarations ---- */

static bool parse_constant(gf_parser *p, gf_symbol *symbol, bool wants_value) {
    gf_ref name = {0};
    if (!gf_parser_type(p, &symbol->type) ||
        !gf_parser_declare(p, wants_value ? "the name of a constant" : "the name of a param", &name)) {
        return false;
    }
    symbol->name = name.name;
    symbol->span = name.span;
    if (gf_parser_is(p, GF_TOKEN_LEFT_BRACKET)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           gf_arena_format(p->arena, "hand it in as a buffer: `in u32 %s[...];`", symbol->name),
                           "a %s is one value", wants_value ? "constant" : "param");
        return false;
    }
    if (gf_parser_take(p, GF_TOKEN_ASSIGN)) {
        symbol->value = gf_parse_expr(p);
        if (symbol->value == NULL) {
            return false;
        }
    } else if (wants_value) {
        return gf_parser_expected(p, "`=` and the value of the constant");
    }
    return expect_semicolon(p);
}

static bool parse_returns(gf_parser *p, gf_symbol *symbol) {
    if (symbol->kind != GF_SYMBOL_BUFFER || symbol->role != GF_ROLE_OUT) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_CLAUSE, gf_parser_span(p, &p->token),
                           "leave it out, or declare the buffer as `out`", "`returns` belongs to `out` buffers");
    }
    gf_parser_advance(p);
    gf_token open = p->token;
    return gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, "`(` after `returns`, as in `returns(0 .. n)`") &&
           gf_parse_range(p, &symbol->returns_from, &symbol->returns_to) &&
           gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, &open);
}

/* Buffers and workgroup arrays. */
static bool parse_array(gf_parser *p, gf_symbol *symbol) {
    gf_ref name = {0};
    bool is_shared = symbol->kind == GF_SYMBOL_SHARED;
    if (!gf_parser_type(p, &symbol->type) ||
        !gf_parser_declare(p, is_shared ? "the name of a workgroup array" : "the name of a buffer", &name)) {
        return false;
    }
    symbol->name = name.name;
    symbol->span = name.span;
    symbol->is_array = true;
    gf_token open = p->token;
    if (!gf_parser_take(p, GF_TOKEN_LEFT_BRACKET)) {
        if (gf_parser_is(p, GF_TOKEN_SEMICOLON)) {
            (void)gf_text_fail(
                &p->lexer, GF_CODE_SYNTAX, gf_lexer_span(&p->lexer, p->last_end, 1),
                gf_arena_format(p->arena,
                                is_shared ? "write `%s[256]`" : "write `%s[n]`, or `%s[]` for the length that is bound",
                                symbol->name, symbol->name),
                "expected `[` and a length");
            gf_parser_advance(p);
            return true;
        }
        return gf_parser_expected(p, "`[` and a length");
    }
    if (gf_parser_is(p, GF_TOKEN_RIGHT_BRACKET)) {
        if (is_shared || symbol->role == GF_ROLE_SCRATCH) {
            (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token), "write its length",
                               "nothing is bound to `%s`, so `[]` has no length to take", symbol->name);
        }
    } else {
        symbol->size = gf_parse_expr(p);
        if (symbol->size == NULL) {
            return false;
        }
    }
    if (!gf_parser_close(p, GF_TOKEN_RIGHT_BRACKET, &open)) {
        return false;
    }
    if (gf_parser_is_name(p, "returns") && !parse_returns(p, symbol)) {
        return false;
    }
    if (gf_parser_is(p, GF_TOKEN_ASSIGN)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token), "store to it in the kernel",
                           "buffers and arrays have no value in their declaration");
        return false;
    }
    return expect_semicolon(p);
}

static bool parse_parameters(gf_parser *p, gf_symbol *function) {
    symbol_list list = {0};
    gf_token open = p->token;
    if (!gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, "`(` and the arguments of the function")) {
        return false;
    }
    if (!gf_parser_is(p, GF_TOKEN_RIGHT_PAREN)) {
        do {
            gf_symbol *argument = gf_new(p->arena, gf_symbol);
            gf_ref name = {0};
            argument->kind = GF_SYMBOL_ARGUMENT;
            if (!gf_parser_type(p, &argument->type) || !gf_parser_declare(p, "the name of an argument", &name)) {
                return false;
            }
            argument->name = name.name;
            argument->span = name.span;
            if (gf_parser_is(p, GF_TOKEN_LEFT_BRACKET)) {
                (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                                   "use the buffer by its name in the function", "arguments are single values");
                return false;
            }
            gf_push(p->arena, &list, argument);
        } while (gf_parser_take(p, GF_TOKEN_COMMA));
    }
    function->arguments = list.items;
    function->argument_count = list.count;
    return gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, &open);
}

/* To the `{` of a function or kernel whose head is wrong, so that the errors in it are found too. */
static bool skip_to_body(gf_parser *p) {
    while (!gf_parser_is(p, GF_TOKEN_LEFT_BRACE)) {
        if (gf_parser_is(p, GF_TOKEN_END) || gf_parser_is(p, GF_TOKEN_SEMICOLON) ||
            (p->token.line_start && gf_parser_at_declaration(p))) {
            return false;
        }
        gf_parser_advance(p);
    }
    return true;
}

static bool parse_function_head(gf_parser *p, gf_symbol *symbol) {
    gf_ref name = {0};
    const gf_token *behind = gf_parser_peek(p);
    bool has_type = behind->kind == GF_TOKEN_NAME || behind->kind == GF_TOKEN_WORD;
    if (has_type && !gf_parser_type(p, &symbol->type)) {
        return false;
    }
    if (!gf_parser_declare(p, "the name of a function", &name)) {
        return false;
    }
    symbol->name = name.name;
    symbol->span = name.span;
    if (!parse_parameters(p, symbol)) {
        return false;
    }
    if (p->token.kind == GF_TOKEN_OPERATOR && p->token.infix == GF_OP_SUB) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token),
                           gf_arena_format(p->arena, "write `fn u32 %s(...)`, or another type", symbol->name),
                           "the type of a function stands before its name");
        return false;
    }
    return true;
}

static bool parse_function(gf_parser *p, gf_symbol *symbol) {
    bool right = parse_function_head(p, symbol);
    if (!right && !skip_to_body(p)) {
        return false;
    }
    symbol->body =
        gf_parse_block(p, right ? gf_arena_format(p->arena, "`%s`", symbol->name) : "the function", &symbol->trivia);
    return symbol->body != NULL && right;
}

/* ---- the kernel ---- */

/* `(a)`, `(a, b)` or `(a, b, c)` */
static bool parse_axes(gf_parser *p, const char *what, const gf_expr *axes[3], size_t *count) {
    gf_token open = p->token;
    gf_expr_list list = {0};
    if (!gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, gf_arena_format(p->arena, "`(` after `%s`", what)) ||
        !gf_parse_arguments(p, &open, &list)) {
        return false;
    }
    if (list.count < 1 || list.count > 3) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span_from(p, open.offset),
                           list.count < 1 ? "write at least one, such as `(n)`" : "fold axes into one: `(a * b, c)`",
                           "`%s` has 1 to 3 axes, here are %zu", what, list.count);
    }
    *count = list.count < 3 ? list.count : 3;
    for (size_t i = 0; i < *count; i++) {
        axes[i] = list.items[i];
    }
    return true;
}

typedef enum clause { CLAUSE_NONE, CLAUSE_SPACE, CLAUSE_WORKGROUP, CLAUSE_FIXPOINT, CLAUSE_ON } clause;

static clause find_clause(const gf_parser *p) {
    if (gf_parser_is(p, GF_TOKEN_LEFT_PAREN) || gf_parser_is_name(p, "groups") || gf_parser_is_name(p, "indirect")) {
        return CLAUSE_SPACE;
    }
    if (gf_parser_is_name(p, "workgroup")) {
        return CLAUSE_WORKGROUP;
    }
    if (gf_parser_is_name(p, "fixpoint")) {
        return CLAUSE_FIXPOINT;
    }
    return gf_parser_is_name(p, "on") ? CLAUSE_ON : CLAUSE_NONE;
}

static const char *clause_text(clause which) {
    switch (which) {
    case CLAUSE_SPACE:
        return "the space";
    case CLAUSE_WORKGROUP:
        return "`workgroup`";
    case CLAUSE_FIXPOINT:
        return "`fixpoint`";
    case CLAUSE_ON:
        return "`on`";
    case CLAUSE_NONE:
        break;
    }
    return "";
}

static bool parse_space(gf_parser *p, gf_kernel_decl *kernel) {
    if (gf_parser_is_name(p, "groups")) {
        kernel->space_kind = GF_SPACE_GROUPS;
        gf_parser_advance(p);
        return parse_axes(p, "groups", kernel->space, &kernel->space_axes);
    }
    if (gf_parser_is(p, GF_TOKEN_LEFT_PAREN)) {
        kernel->space_kind = GF_SPACE_ITEMS;
        return parse_axes(p, "kernel", kernel->space, &kernel->space_axes);
    }
    kernel->space_kind = GF_SPACE_INDIRECT;
    gf_parser_advance(p);
    gf_token open = p->token;
    if (!gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, "`(` after `indirect`, as in `indirect(counts, 0)`") ||
        !gf_parser_refer(p, "the name of a buffer", &kernel->indirect) ||
        !gf_parser_expect(p, GF_TOKEN_COMMA, "`,` and the index of the first of three counts")) {
        return false;
    }
    kernel->indirect_index = gf_parse_expr(p);
    return kernel->indirect_index != NULL && gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, &open);
}

static bool parse_fixpoint(gf_parser *p, gf_kernel_decl *kernel) {
    gf_parser_advance(p);
    gf_token open = p->token;
    if (!gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, "`(` and the largest number of passes, as in `fixpoint(n)`")) {
        return false;
    }
    kernel->fixpoint = gf_parse_expr(p);
    return kernel->fixpoint != NULL && gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, &open);
}

static bool parse_on(gf_parser *p, gf_kernel_decl *kernel) {
    GF_VEC(gf_ref) watched = {0};
    if (kernel->fixpoint == NULL) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_CLAUSE, gf_parser_span(p, &p->token),
                           "write `fixpoint(max)` before it", "`on` belongs to a `fixpoint`");
    }
    gf_parser_advance(p);
    gf_token open = p->token;
    if (!gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, "`(` after `on`, as in `on (buffer)`")) {
        return false;
    }
    do {
        gf_ref ref = {0};
        if (!gf_parser_refer(p, "the name of a buffer", &ref)) {
            return false;
        }
        gf_push(p->arena, &watched, ref);
    } while (gf_parser_take(p, GF_TOKEN_COMMA));
    kernel->watched = watched.items;
    kernel->watched_count = watched.count;
    kernel->watched_listed = true;
    return gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, &open);
}

static bool parse_clause(gf_parser *p, gf_kernel_decl *kernel, clause which) {
    switch (which) {
    case CLAUSE_SPACE:
        return parse_space(p, kernel);
    case CLAUSE_WORKGROUP:
        gf_parser_advance(p);
        return parse_axes(p, "workgroup", kernel->workgroup_size, &kernel->workgroup_axes);
    case CLAUSE_FIXPOINT:
        return parse_fixpoint(p, kernel);
    case CLAUSE_ON:
        return parse_on(p, kernel);
    case CLAUSE_NONE:
        break;
    }
    return false;
}

static bool parse_kernel_head(gf_parser *p, gf_kernel_decl *kernel) {
    gf_token seen[CLAUSE_ON + 1] = {0};
    clause latest = CLAUSE_NONE;
    for (clause which = find_clause(p); which != CLAUSE_NONE; which = find_clause(p)) {
        if (seen[which].length > 0) {
            if (gf_text_fail(&p->lexer, GF_CODE_SYNTAX_CLAUSE, gf_parser_span(p, &p->token), "leave one of them out",
                             "%s is given twice", clause_text(which))) {
                gf_note(p->lexer.diags, gf_parser_span(p, &seen[which]), "first here");
            }
        } else if (which < latest) {
            (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_CLAUSE, gf_parser_span(p, &p->token),
                               "write `kernel (space) workgroup(x) fixpoint(max) on (buffers)`", "%s stands before %s",
                               clause_text(which), clause_text(latest));
        }
        seen[which] = p->token;
        latest = which > latest ? which : latest;
        if (!parse_clause(p, kernel, which)) {
            return false;
        }
    }
    if (gf_parser_is(p, GF_TOKEN_LEFT_BRACE)) {
        return true;
    }
    if (gf_parser_is(p, GF_TOKEN_NAME) && latest == CLAUSE_NONE && p->last.kind == GF_TOKEN_WORD &&
        (gf_parser_peek(p)->kind == GF_TOKEN_LEFT_PAREN || p->ahead.kind == GF_TOKEN_LEFT_BRACE)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           "leave it out: the program has the name", "a kernel has no name");
        gf_parser_advance(p);
        return parse_kernel_head(p, kernel);
    }
    return gf_parser_expected(p, "`{` and the body of the kernel");
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
    bool right = parse_kernel_head(p, kernel);
    if (!right && !skip_to_body(p)) {
        return false;
    }
    kernel->body = gf_parse_block(p, "the kernel", &kernel->trivia);
    return kernel->body != NULL && right;
}

/* ---- the program ---- */

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
        return parse_function(p, symbol);
    }
    if (keyword == GF_KEYWORD_CONST || keyword == GF_KEYWORD_PARAM) {
        symbol->kind = keyword == GF_KEYWORD_CONST ? GF_SYMBOL_CONST : GF_SYMBOL_PARAM;
        return parse_constant(p, symbol, keyword == GF_KEYWORD_CONST);
    }
    if (keyword == GF_KEYWORD_SHARED || find_role(keyword, &symbol->role)) {
        symbol->kind = keyword == GF_KEYWORD_SHARED ? GF_SYMBOL_SHARED : GF_SYMBOL_BUFFER;
        return parse_array(p, symbol);
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
        if (expect_semicolon(p)) {
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
