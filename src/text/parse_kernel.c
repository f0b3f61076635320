/* The head of the kernel. */
#include "text/parse_decl.h"

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

bool gf_parse_kernel_head(gf_parser *p, gf_kernel_decl *kernel) {
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
                               "write `kernel (space) workgroup(x) fixpoint(max) on (buffers)`", "%s belongs before %s",
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
        return gf_parse_kernel_head(p, kernel);
    }
    return gf_parser_expected(p, "`{` and the body of the kernel");
}
