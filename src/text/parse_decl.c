/* Declarations. */
#include "text/parse_decl.h"

typedef GF_VEC(const gf_symbol *) symbol_list;

/* To the `{` of a function or kernel whose head is wrong, so that the errors in it are found too. */
bool gf_parser_skip_to_body(gf_parser *p) {
    while (!gf_parser_is(p, GF_TOKEN_LEFT_BRACE)) {
        if (gf_parser_is(p, GF_TOKEN_END) || gf_parser_is(p, GF_TOKEN_SEMICOLON) ||
            (p->token.line_start && gf_parser_at_declaration(p))) {
            return false;
        }
        gf_parser_skip(p);
    }
    return true;
}

bool gf_parse_constant(gf_parser *p, gf_symbol *symbol, bool wants_value) {
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
    return gf_parser_semicolon(p, "this declaration");
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
bool gf_parse_array(gf_parser *p, gf_symbol *symbol) {
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
    return gf_parser_semicolon(p, "this declaration");
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

bool gf_parse_function(gf_parser *p, gf_symbol *symbol) {
    bool right = parse_function_head(p, symbol);
    if (!right && !gf_parser_skip_to_body(p)) {
        return false;
    }
    symbol->body =
        gf_parse_block(p, right ? gf_arena_format(p->arena, "`%s`", symbol->name) : "the function", &symbol->trivia);
    return symbol->body != NULL;
}
