/* Expressions, by climbing precedences. */
#include "text/parser.h"
#include <string.h>

static const gf_expr *parse_unary(gf_parser *p);

static gf_expr *new_expr(gf_parser *p, gf_expr_kind kind) {
    gf_expr *expr = gf_new(p->arena, gf_expr);
    expr->kind = kind;
    return expr;
}

/* Ends an expression that began at `offset` and whose operands are `height` high. */
static const gf_expr *finish(gf_parser *p, gf_expr *expr, uint32_t offset, unsigned height) {
    expr->span = gf_parser_span_from(p, offset);
    p->height = height + 1;
    if (p->height > GF_TEXT_DEPTH) {
        (void)gf_parser_too_deep(p, "an expression of more than 200 operations, one upon the other",
                                 "split it into several `let`s");
        return NULL;
    }
    return expr;
}

static void set_arguments(gf_expr *expr, const gf_expr_list *list) {
    expr->args = list->items;
    expr->arg_count = list->count;
}

bool gf_parse_arguments(gf_parser *p, const gf_token *open, gf_expr_list *arguments) {
    unsigned height = 0;
    if (!gf_parser_is(p, GF_TOKEN_RIGHT_PAREN)) {
        do {
            if (!gf_parser_enter(p, &p->brackets)) {
                return false;
            }
            const gf_expr *argument = gf_parse_expr(p);
            p->brackets--;
            if (argument == NULL) {
                return false;
            }
            height = p->height > height ? p->height : height;
            gf_push(p->arena, arguments, argument);
        } while (gf_parser_take(p, GF_TOKEN_COMMA));
    }
    p->height = height;
    return gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, open);
}

/* `(` after the name of a function, which is the last token; then the arguments. */
static bool parse_call(gf_parser *p, const char *name, gf_expr_list *arguments) {
    gf_token open = p->token;
    if (!gf_parser_take(p, GF_TOKEN_LEFT_PAREN)) {
        return gf_parser_expected(p, gf_arena_format(p->arena, "`(` after `%s`", name));
    }
    return gf_parse_arguments(p, &open, arguments);
}

/* Says so where the number of arguments is wrong; parsing goes on. */
static void check_count(gf_parser *p, const char *name, uint32_t offset, size_t given, size_t wanted) {
    if (given != wanted) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_ARGUMENTS, gf_parser_span_from(p, offset), NULL,
                           "`%s` takes %zu argument%s, not %zu", name, wanted, wanted == 1 ? "" : "s", given);
    }
}

static const gf_expr *parse_literal(gf_parser *p) {
    gf_token token = p->token;
    gf_expr *expr = new_expr(p, GF_EXPR_LITERAL);
    expr->text = token.text;
    expr->bits = token.bits;
    expr->is_float = token.kind == GF_TOKEN_FLOAT;
    if (token.kind == GF_TOKEN_WORD) {
        bool truth = token.word->keyword == GF_KEYWORD_TRUE;
        bool is_bool = truth || token.word->keyword == GF_KEYWORD_FALSE;
        expr->type = is_bool ? GF_TYPE_BOOL : GF_TYPE_NONE;
        expr->bits = truth ? 1 : 0;
        expr->is_float = !is_bool;
    }
    gf_parser_advance(p);
    return finish(p, expr, token.offset, 0);
}

/* `[index]` behind a name. */
static const gf_expr *parse_load(gf_parser *p, gf_ref ref) {
    gf_token open = p->token;
    if (!gf_parser_enter(p, &p->brackets)) {
        return NULL;
    }
    gf_parser_advance(p);
    const gf_expr *index = gf_parse_expr(p);
    p->brackets--;
    if (index == NULL || !gf_parser_close(p, GF_TOKEN_RIGHT_BRACKET, &open)) {
        return NULL;
    }
    if (gf_parser_is(p, GF_TOKEN_LEFT_BRACKET)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           gf_arena_format(p->arena, "compute one index: `%s[row * width + column]`", ref.name),
                           "arrays have one dimension");
        return NULL;
    }
    gf_expr *expr = new_expr(p, GF_EXPR_LOAD);
    gf_expr_list args = {0};
    gf_push(p->arena, &args, index);
    expr->ref = ref;
    set_arguments(expr, &args);
    return finish(p, expr, ref.span.offset, p->height);
}

static const gf_expr *parse_name(gf_parser *p) {
    gf_ref ref = {.name = p->token.text, .span = gf_parser_span(p, &p->token)};
    gf_parser_advance(p);
    if (gf_parser_is(p, GF_TOKEN_LEFT_PAREN)) {
        const char *fix = gf_foreign_name(ref.name);
        const char *type = gf_foreign_type(ref.name);
        if (type != NULL) {
            fix = gf_arena_format(p->arena, "write `%s(...)`", type);
        }
        if (fix != NULL && !gf_parser_declares_function(p, ref.name)) {
            (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, ref.span, fix, "there is no `%s` in this language",
                               ref.name);
        }
        gf_expr *expr = new_expr(p, GF_EXPR_CALL);
        gf_expr_list args = {0};
        if (!parse_call(p, ref.name, &args)) {
            return NULL;
        }
        expr->ref = ref;
        set_arguments(expr, &args);
        return finish(p, expr, ref.span.offset, p->height);
    }
    if (gf_parser_is(p, GF_TOKEN_LEFT_BRACKET)) {
        return parse_load(p, ref);
    }
    if (gf_parser_is(p, GF_TOKEN_DOT)) {
        const char *fix = gf_foreign_name(ref.name);
        (void)gf_text_fail(&p->lexer, fix != NULL ? GF_CODE_SYNTAX_FOREIGN : GF_CODE_SYNTAX, ref.span,
                           fix != NULL ? fix : "`.` stands only behind gid lid wid grid_size group_size space",
                           fix != NULL ? "there is no `%s` in this language" : "`%s` has no parts", ref.name);
        /* Goes on as if it had the part. */
        gf_parser_advance(p);
        if (gf_parser_is(p, GF_TOKEN_NAME)) {
            gf_parser_advance(p);
        }
    }
    gf_expr *expr = new_expr(p, GF_EXPR_NAME);
    expr->ref = ref;
    return finish(p, expr, ref.span.offset, 0);
}

static bool find_axis(const char *text, gf_axis *axis) {
    static const struct {
        const char *text;
        gf_axis axis;
    } rows[] = {{"x", GF_AXIS_X}, {"y", GF_AXIS_Y}, {"z", GF_AXIS_Z}, {"linear", GF_AXIS_LINEAR}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].text, text) == 0) {
            *axis = rows[i].axis;
            return true;
        }
    }
    return false;
}

static const gf_expr *parse_builtin(gf_parser *p) {
    gf_token token = p->token;
    gf_builtin builtin = token.word->builtin;
    bool has_axes = builtin != GF_BUILTIN_RANK && builtin != GF_BUILTIN_RANKS;
    bool has_linear = builtin == GF_BUILTIN_GID || builtin == GF_BUILTIN_LID || builtin == GF_BUILTIN_WID;
    gf_expr *expr = new_expr(p, GF_EXPR_BUILTIN);
    expr->builtin = builtin;
    expr->axis = GF_AXIS_NONE;
    gf_parser_advance(p);
    if (!gf_parser_is(p, GF_TOKEN_DOT)) {
        if (has_axes) {
            (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &token),
                               gf_arena_format(p->arena, "write `%s.x`", token.text), "`%s` wants an axis", token.text);
        }
        return finish(p, expr, token.offset, 0);
    }
    gf_parser_advance(p);
    const char *parts = has_linear ? "`x`, `y`, `z` or `linear`" : "`x`, `y` or `z`";
    if (!gf_parser_is(p, GF_TOKEN_NAME)) {
        (void)gf_parser_expected(p, gf_arena_format(p->arena, "%s behind `%s.`", parts, token.text));
        return NULL;
    }
    bool known = find_axis(p->token.text, &expr->axis);
    if (!has_axes) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           gf_arena_format(p->arena, "write `%s`", token.text), "`%s` has no parts", token.text);
    } else if (!known || (expr->axis == GF_AXIS_LINEAR && !has_linear)) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX, gf_parser_span(p, &p->token),
                           gf_arena_format(p->arena, "write %s", parts), "`%s` has no part `%s`", token.text,
                           p->token.text);
    }
    gf_parser_advance(p);
    return finish(p, expr, token.offset, 0);
}

static const gf_expr *parse_cast(gf_parser *p) {
    gf_token token = p->token;
    gf_expr *expr = new_expr(p, GF_EXPR_CAST);
    gf_expr_list args = {0};
    gf_parser_advance(p);
    if (!parse_call(p, token.text, &args)) {
        return NULL;
    }
    check_count(p, token.text, token.offset, args.count, 1);
    expr->type = token.word->type;
    set_arguments(expr, &args);
    return finish(p, expr, token.offset, p->height);
}

static const gf_expr *parse_bitcast(gf_parser *p) {
    gf_token token = p->token;
    gf_expr *expr = new_expr(p, GF_EXPR_BITCAST);
    gf_expr_list args = {0};
    gf_parser_advance(p);
    if (p->token.infix != GF_OP_LT || p->token.kind != GF_TOKEN_OPERATOR) {
        (void)gf_parser_expected(p, "`<` and a type, as in `bitcast<u32>(x)`");
        return NULL;
    }
    gf_parser_advance(p);
    if (!gf_parser_type(p, &expr->type)) {
        return NULL;
    }
    if (p->token.infix != GF_OP_GT || p->token.kind != GF_TOKEN_OPERATOR) {
        (void)gf_parser_expected(p, "`>` behind the type");
        return NULL;
    }
    gf_parser_advance(p);
    if (!parse_call(p, "bitcast", &args)) {
        return NULL;
    }
    check_count(p, "bitcast", token.offset, args.count, 1);
    set_arguments(expr, &args);
    return finish(p, expr, token.offset, p->height);
}

static const gf_expr *parse_len(gf_parser *p) {
    gf_token token = p->token;
    gf_expr *expr = new_expr(p, GF_EXPR_LEN);
    gf_parser_advance(p);
    gf_token open = p->token;
    if (!gf_parser_expect(p, GF_TOKEN_LEFT_PAREN, "`(` after `len`") ||
        !gf_parser_refer(p, "the name of a buffer", &expr->ref) || !gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, &open)) {
        return NULL;
    }
    return finish(p, expr, token.offset, 0);
}

static const gf_expr *parse_operation(gf_parser *p) {
    gf_token token = p->token;
    gf_expr *expr = new_expr(p, GF_EXPR_OP);
    gf_expr_list args = {0};
    gf_parser_advance(p);
    if (!parse_call(p, token.text, &args)) {
        return NULL;
    }
    /* The table may have one name for several numbers of operands. */
    gf_op op = gf_op_from_name(token.word->text, token.word->length, (unsigned)args.count);
    if (op == GF_OP_NONE) {
        check_count(p, token.text, token.offset, args.count, gf_op_arity(token.word->op));
        op = token.word->op;
    }
    expr->op = op;
    set_arguments(expr, &args);
    return finish(p, expr, token.offset, p->height);
}

/* The element that an atomic or grid_load works on is the first argument. */
static bool is_element(gf_parser *p, const char *name, const gf_expr_list *args) {
    if (args->count > 0 && args->items[0]->kind == GF_EXPR_LOAD) {
        return true;
    }
    if (args->count > 0) {
        const gf_expr *first = args->items[0];
        const char *fix = first->kind == GF_EXPR_NAME ? gf_arena_format(p->arena, "write `%s[i]`", first->ref.name)
                                                      : "the first argument is an element, such as `buffer[i]`";
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_ARGUMENTS, first->span, fix,
                           "`%s` works on an element of a buffer or workgroup array", name);
    }
    return false;
}

static const gf_expr *parse_atomic(gf_parser *p) {
    gf_token token = p->token;
    gf_expr *expr = new_expr(p, GF_EXPR_ATOMIC);
    gf_expr_list args = {0};
    gf_parser_advance(p);
    if (!parse_call(p, token.text, &args)) {
        return NULL;
    }
    check_count(p, token.text, token.offset, args.count, 1 + (size_t)gf_atomic_operands(token.word->atomic));
    expr->atomic = token.word->atomic;
    if (is_element(p, token.text, &args)) {
        expr->ref = args.items[0]->ref;
        args.items[0] = args.items[0]->args[0];
    }
    set_arguments(expr, &args);
    return finish(p, expr, token.offset, p->height);
}

static const gf_expr *parse_cross(gf_parser *p) {
    gf_token token = p->token;
    gf_expr *expr = new_expr(p, GF_EXPR_CROSS);
    gf_expr_list args = {0};
    gf_parser_advance(p);
    if (!parse_call(p, token.text, &args)) {
        return NULL;
    }
    check_count(p, token.text, token.offset, args.count, 1);
    if (token.word->cross == GF_CROSS_LOAD) {
        (void)is_element(p, token.text, &args);
    }
    expr->cross = token.word->cross;
    expr->level = token.word->level;
    set_arguments(expr, &args);
    return finish(p, expr, token.offset, p->height);
}

/* To the end of the statement, past blocks that are no statements. */
static void skip_blocks(gf_parser *p) {
    unsigned open = 0;
    while (!gf_parser_is(p, GF_TOKEN_END) && (open > 0 || !gf_parser_is(p, GF_TOKEN_SEMICOLON))) {
        if (gf_parser_is(p, GF_TOKEN_RIGHT_BRACE)) {
            if (open == 0) {
                return;
            }
            open--;
        }
        open += gf_parser_is(p, GF_TOKEN_LEFT_BRACE) ? 1 : 0;
        gf_parser_skip(p);
    }
}

static const gf_expr *parse_keyword(gf_parser *p) {
    gf_keyword keyword = p->token.word->keyword;
    if (keyword == GF_KEYWORD_LEN) {
        return parse_len(p);
    }
    if (keyword == GF_KEYWORD_BITCAST) {
        return parse_bitcast(p);
    }
    if (keyword >= GF_KEYWORD_TRUE) {
        return parse_literal(p);
    }
    if (keyword == GF_KEYWORD_IF) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token),
                           "write `select(condition, yes, no)`", "`if` is a statement and gives no value");
        skip_blocks(p);
        return NULL;
    }
    (void)gf_parser_expected(p, "an expression");
    return NULL;
}

static const gf_expr *parse_word(gf_parser *p) {
    switch (p->token.word->kind) {
    case GF_WORD_KEYWORD:
        return parse_keyword(p);
    case GF_WORD_TYPE:
        return parse_cast(p);
    case GF_WORD_BUILTIN:
        return parse_builtin(p);
    case GF_WORD_CALL:
        return parse_operation(p);
    case GF_WORD_ATOMIC:
        return parse_atomic(p);
    case GF_WORD_CROSS:
        return parse_cross(p);
    }
    return NULL;
}

/* `(int)x`, the type being next. */
static bool refuse_c_cast(gf_parser *p) {
    if (gf_parser_peek(p)->kind != GF_TOKEN_RIGHT_PAREN) {
        return false;
    }
    bool is_word = p->token.kind == GF_TOKEN_WORD && p->token.word->kind == GF_WORD_TYPE;
    const char *own = is_word ? p->token.text : p->token.kind == GF_TOKEN_NAME ? gf_foreign_type(p->token.text) : NULL;
    if (own == NULL) {
        return false;
    }
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token),
                       gf_arena_format(p->arena, "write `%s(x)`", own), "a cast is written like a call");
    return true;
}

static const gf_expr *parse_primary(gf_parser *p) {
    switch (p->token.kind) {
    case GF_TOKEN_NAME:
        return parse_name(p);
    case GF_TOKEN_WORD:
        return parse_word(p);
    case GF_TOKEN_INT:
    case GF_TOKEN_FLOAT:
        return parse_literal(p);
    case GF_TOKEN_LEFT_PAREN: {
        gf_token open = p->token;
        if (!gf_parser_enter(p, &p->brackets)) {
            return NULL;
        }
        gf_parser_advance(p);
        if (refuse_c_cast(p)) {
            return NULL;
        }
        const gf_expr *inner = gf_parse_condition(p);
        unsigned height = p->height;
        p->brackets--;
        if (inner == NULL || !gf_parser_close(p, GF_TOKEN_RIGHT_PAREN, &open)) {
            return NULL;
        }
        p->height = height;
        return inner;
    }
    case GF_TOKEN_END:
    case GF_TOKEN_BAD:
    case GF_TOKEN_STRING:
    case GF_TOKEN_OPERATOR:
    case GF_TOKEN_ASSIGN_OP:
    case GF_TOKEN_ASSIGN:
    case GF_TOKEN_AND_AND:
    case GF_TOKEN_OR_OR:
    case GF_TOKEN_RIGHT_PAREN:
    case GF_TOKEN_LEFT_BRACE:
    case GF_TOKEN_RIGHT_BRACE:
    case GF_TOKEN_LEFT_BRACKET:
    case GF_TOKEN_RIGHT_BRACKET:
    case GF_TOKEN_COMMA:
    case GF_TOKEN_SEMICOLON:
    case GF_TOKEN_DOT:
    case GF_TOKEN_RANGE:
        break;
    }
    (void)gf_parser_expected(p, "an expression");
    return NULL;
}

static const gf_expr *parse_prefix(gf_parser *p) {
    gf_token token = p->token;
    if (!gf_parser_enter(p, &p->prefixes)) {
        return NULL;
    }
    gf_parser_advance(p);
    const gf_expr *operand = parse_unary(p);
    p->prefixes--;
    if (operand == NULL) {
        return NULL;
    }
    gf_expr *expr = new_expr(p, GF_EXPR_OP);
    gf_expr_list args = {0};
    gf_push(p->arena, &args, operand);
    expr->op = token.prefix;
    set_arguments(expr, &args);
    return finish(p, expr, token.offset, p->height);
}

static const gf_expr *parse_unary(gf_parser *p) {
    if (p->token.kind == GF_TOKEN_OPERATOR && p->token.prefix != GF_OP_NONE) {
        return parse_prefix(p);
    }
    if (p->token.kind == GF_TOKEN_OPERATOR && p->token.infix == GF_OP_ADD) {
        bool twice = (p->last.infix == GF_OP_ADD && gf_parser_touches(p)) || gf_parser_peek(p)->infix == GF_OP_ADD;
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token),
                           twice ? "write `x += 1;` as a statement of its own" : "leave out the `+`",
                           twice ? "there is no `++`" : "there is no `+` before a value");
        return NULL;
    }
    return parse_primary(p);
}

typedef struct infix {
    gf_expr_kind kind;
    gf_op op;
    unsigned precedence; /* GF_PRECEDENCE_NONE: no infix operation */
} infix;

static infix read_infix(const gf_token *token) {
    if (token->kind == GF_TOKEN_AND_AND) {
        return (infix){.kind = GF_EXPR_AND, .precedence = GF_PRECEDENCE_BOTH};
    }
    if (token->kind == GF_TOKEN_OR_OR) {
        return (infix){.kind = GF_EXPR_OR, .precedence = GF_PRECEDENCE_EITHER};
    }
    if (token->kind == GF_TOKEN_OPERATOR) {
        return (infix){.kind = GF_EXPR_OP, .op = token->infix, .precedence = gf_op_precedence(token->infix)};
    }
    return (infix){0};
}

static bool is_order(gf_op op) {
    return op != GF_OP_NONE && gf_op_rule(op) == GF_RULE_ORDER;
}

/* Whether the sign, used already, and the next token are `++` or `--` behind a value. */
static bool is_increment(gf_parser *p, const gf_token *sign) {
    if ((sign->infix != GF_OP_ADD && sign->infix != GF_OP_SUB) || p->token.infix != sign->infix ||
        p->token.kind != GF_TOKEN_OPERATOR || !gf_parser_touches(p)) {
        return false;
    }
    gf_token_kind behind = gf_parser_peek(p)->kind;
    return behind == GF_TOKEN_SEMICOLON || behind == GF_TOKEN_RIGHT_PAREN || behind == GF_TOKEN_RIGHT_BRACE ||
           behind == GF_TOKEN_RIGHT_BRACKET;
}

static const gf_expr *parse_infix(gf_parser *p, unsigned least) {
    uint32_t offset = p->token.offset;
    const gf_expr *left = parse_unary(p);
    while (left != NULL) {
        gf_token token = p->token;
        infix found = read_infix(&token);
        if (found.precedence == GF_PRECEDENCE_NONE || found.precedence < least) {
            break;
        }
        unsigned height = p->height;
        gf_parser_advance(p);
        if (gf_parser_is(p, GF_TOKEN_ASSIGN) && gf_parser_touches(p)) {
            const char *text = gf_parser_text(p, &token);
            (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN,
                               gf_lexer_span(&p->lexer, token.offset, token.length + 1),
                               found.kind == GF_EXPR_OP ? "write `==` to compare"
                                                        : gf_arena_format(p->arena, "write `a = a %s b`", text),
                               "there is no `%s=`", text);
            return NULL;
        }
        if (is_increment(p, &token)) {
            (void)gf_text_fail(
                &p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_lexer_span(&p->lexer, token.offset, token.length + 1),
                gf_arena_format(p->arena, "write `x %s= 1;` as a statement of its own", gf_parser_text(p, &token)),
                "there is no `%s%s`", gf_parser_text(p, &token), gf_parser_text(p, &token));
            return NULL;
        }
        /* In parentheses too: nothing orders truth values. */
        if (is_order(found.op) && left->kind == GF_EXPR_OP && is_order(left->op)) {
            (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_CHAIN, gf_parser_span(p, &token), "write `a < b && b < c`",
                               "comparisons do not chain");
        }
        const gf_expr *right = parse_infix(p, found.precedence + 1);
        if (right == NULL) {
            return NULL;
        }
        gf_expr *expr = new_expr(p, found.kind);
        const gf_expr **args = gf_new_array(p->arena, const gf_expr *, 2);
        args[0] = left;
        args[1] = right;
        expr->op = found.op;
        expr->args = args;
        expr->arg_count = 2;
        left = finish(p, expr, offset, height > p->height ? height : p->height);
    }
    return left;
}

const gf_expr *gf_parse_expr(gf_parser *p) {
    return parse_infix(p, GF_PRECEDENCE_EITHER);
}

const gf_expr *gf_parse_condition(gf_parser *p) {
    const gf_expr *expr = gf_parse_expr(p);
    if (expr == NULL || !gf_parser_is(p, GF_TOKEN_ASSIGN)) {
        return expr;
    }
    (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_EQUALS, gf_parser_span(p, &p->token), "write `==`",
                       "`=` assigns; comparing is `==`");
    gf_parser_advance(p);
    return gf_parse_expr(p);
}

bool gf_parse_range(gf_parser *p, const gf_expr **from, const gf_expr **to) {
    *from = gf_parse_expr(p);
    if (*from == NULL) {
        return false;
    }
    if (!gf_parser_expect(p, GF_TOKEN_RANGE, "`..` and the end of the range")) {
        return false;
    }
    if (gf_parser_is(p, GF_TOKEN_ASSIGN) || (gf_parser_is(p, GF_TOKEN_DOT) && gf_parser_touches(p))) {
        (void)gf_text_fail(&p->lexer, GF_CODE_SYNTAX_FOREIGN, gf_parser_span(p, &p->token), "write `a .. b + 1`",
                           "a range does not hold its end, and there is no other form of it");
        gf_parser_advance(p);
    }
    *to = gf_parse_expr(p);
    return *to != NULL;
}
