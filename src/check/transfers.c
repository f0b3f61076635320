/* Statements that move whole stretches of arrays: swap, collectives, copies. */
#include "check/checker.h"
#include "ir/visit.h"
#include <string.h>

static check_symbol *check_buffer(checker *c, const gf_ref *ref, const char *what) {
    check_symbol *symbol = gf_check_array(c, ref, what);
    if (symbol != NULL && symbol->symbol.kind != GF_SYMBOL_BUFFER) {
        gf_check_fail(c, GF_CODE_NAME_KIND, ref->span, "%s takes buffers, and `%s` is %s", what, ref->name,
                      gf_check_symbol_noun(&symbol->symbol));
        return NULL;
    }
    return symbol;
}

static bool same_size(const gf_symbol *a, const gf_symbol *b) {
    return a->size != NULL && b->size != NULL && gf_equal_expr(a->size, b->size);
}

/* to[len(from)] is as long as from[]. */
static bool size_is_len_of(const gf_symbol *a, const gf_symbol *b) {
    return a->size != NULL && a->size->kind == GF_EXPR_LEN && a->size->ref.symbol == b;
}

static const char *size_text(checker *c, const gf_symbol *s) {
    return s->size == NULL ? "" : gf_check_text(c, s->size->span);
}

void gf_check_swap(checker *c, const gf_stmt *parsed, stmt_list *out) {
    check_symbol *a = check_buffer(c, &parsed->target, "swap");
    check_symbol *b = check_buffer(c, &parsed->second, "swap");
    if (c->forall != NULL) {
        gf_check_fail(c, GF_CODE_FORALL_HOLDS, parsed->span, "a forall holds no swap, which is a grid barrier");
        gf_fix(c->diags, "swap behind the forall");
        return;
    }
    if (a == NULL || b == NULL) {
        return;
    }
    if (!gf_check_writable(c, a, parsed->target.span, "swap changes") ||
        !gf_check_writable(c, b, parsed->second.span, "swap changes")) {
        return;
    }
    const gf_symbol *x = &a->symbol;
    const gf_symbol *y = &b->symbol;
    if (x == y) {
        gf_check_fail(c, GF_CODE_SWAP_RULE, parsed->span, "`%s` is swapped with itself", x->name);
        return;
    }
    if (x->type != y->type) {
        gf_check_fail(c, GF_CODE_SWAP_RULE, parsed->span,
                      "`%s` holds %s and `%s` holds %s: only buffers of one type are "
                      "swapped",
                      x->name, gf_type_name(x->type), y->name, gf_type_name(y->type));
        gf_note(c->diags, x->span, "`%s` is declared here", x->name);
        gf_note(c->diags, y->span, "`%s` is declared here", y->name);
        return;
    }
    if (!same_size(x, y) && !size_is_len_of(x, y) && !size_is_len_of(y, x)) {
        gf_check_fail(c, GF_CODE_SWAP_RULE, parsed->span, "`%s[%s]` and `%s[%s]` are not declared with one length",
                      x->name, size_text(c, x), y->name, size_text(c, y));
        gf_note(c->diags, x->span, "`%s` is declared here", x->name);
        gf_note(c->diags, y->span, "`%s` is declared here", y->name);
        gf_fix(c->diags, "write the same size for both");
        return;
    }
    check_stmt *made = gf_check_stmt_new(c, parsed);
    made->stmt.target = gf_check_ref(x, parsed->target.span);
    made->stmt.second = gf_check_ref(y, parsed->second.span);
    gf_check_emit(c, out, made);
}

static const char *collective_name(gf_collective collective) {
    switch (collective) {
    case GF_COLLECTIVE_ALL_REDUCE:
        return "all_reduce";
    case GF_COLLECTIVE_ALL_GATHER:
        return "all_gather";
    case GF_COLLECTIVE_REDUCE_SCATTER:
        return "reduce_scatter";
    case GF_COLLECTIVE_BROADCAST:
        return "broadcast";
    }
    return "collective";
}

static bool check_collective_types(checker *c, const gf_stmt *parsed, const gf_symbol *input, const gf_symbol *output) {
    const char *name = collective_name(parsed->collective);
    if (output != NULL && input->type != output->type) {
        gf_check_fail(c, GF_CODE_COLLECTIVE_RULE, parsed->span,
                      "%s takes two buffers of one type: `%s` holds %s and `%s` "
                      "holds %s",
                      name, input->name, gf_type_name(input->type), output->name, gf_type_name(output->type));
        return false;
    }
    if (output == input) {
        gf_check_fail(c, GF_CODE_COLLECTIVE_RULE, parsed->span, "%s takes two different buffers", name);
        return false;
    }
    bool combines =
        parsed->collective == GF_COLLECTIVE_ALL_REDUCE || parsed->collective == GF_COLLECTIVE_REDUCE_SCATTER;
    bool bitwise = parsed->combine == GF_COMBINE_AND || parsed->combine == GF_COMBINE_OR;
    if (combines && bitwise && gf_type_is_float(input->type)) {
        gf_check_fail(c, GF_CODE_COLLECTIVE_RULE, parsed->span, "%s with `%s` does not take %s", name,
                      gf_combine_name(parsed->combine), gf_type_name(input->type));
        gf_fix(c->diags, "floats have add, min and max");
        return false;
    }
    return true;
}

void gf_check_collective(checker *c, const gf_stmt *parsed, stmt_list *out) {
    const char *name = collective_name(parsed->collective);
    if (c->forall != NULL) {
        gf_check_fail(c, GF_CODE_FORALL_HOLDS, parsed->span, "a forall holds no %s", name);
        gf_fix(c->diags, "put it behind the forall");
        return;
    }
    bool two = parsed->collective == GF_COLLECTIVE_ALL_GATHER || parsed->collective == GF_COLLECTIVE_REDUCE_SCATTER;
    check_symbol *first = check_buffer(c, &parsed->target, name);
    check_symbol *second = two ? check_buffer(c, &parsed->second, name) : NULL;
    gf_expr *root = parsed->value == NULL ? NULL : gf_check_integer(c, parsed->value, "the root of broadcast");
    if (first == NULL || (two && second == NULL) || (parsed->value != NULL && root == NULL)) {
        return;
    }
    const check_symbol *written = two ? second : first;
    gf_span span = two ? parsed->second.span : parsed->target.span;
    if (!gf_check_writable(c, written, span, gf_arena_format(c->arena, "%s writes", name)) ||
        !check_collective_types(c, parsed, &first->symbol, two ? &second->symbol : NULL)) {
        return;
    }
    check_stmt *made = gf_check_stmt_new(c, parsed);
    made->stmt.target = gf_check_ref(&first->symbol, parsed->target.span);
    if (two) {
        made->stmt.second = gf_check_ref(&second->symbol, parsed->second.span);
    }
    made->stmt.value = root;
    gf_check_emit(c, out, made);
}

void gf_check_copy(checker *c, const gf_stmt *parsed, stmt_list *out) {
    check_symbol *to = gf_check_array(c, &parsed->target, "copy_async");
    check_symbol *from = gf_check_array(c, &parsed->second, "copy_async");
    gf_expr *to_index = gf_check_integer(c, parsed->index, "the first element of a copy");
    gf_expr *from_index = gf_check_integer(c, parsed->from, "the first element of a copy");
    gf_expr *count = gf_check_integer(c, parsed->to, "the length of a copy");
    if (to == NULL || from == NULL || to_index == NULL || from_index == NULL || count == NULL ||
        !gf_check_writable(c, to, parsed->target.span, "copy_async writes")) {
        return;
    }
    const check_symbol *both[2] = {to, from};
    const gf_ref *refs[2] = {&parsed->target, &parsed->second};
    for (size_t i = 0; i < 2; i++) {
        if (both[i]->symbol.kind == GF_SYMBOL_VAR) {
            gf_check_fail(c, GF_CODE_COPY_RULE, refs[i]->span,
                          "copy_async goes between buffers and workgroup arrays, and `%s` "
                          "is a local array",
                          refs[i]->name);
            gf_fix(c->diags, "copy it with a `for`");
            return;
        }
    }
    if (to->symbol.type != from->symbol.type) {
        gf_check_fail(c, GF_CODE_COPY_RULE, parsed->span,
                      "copy_async copies elements as they are: `%s` holds %s and `%s` "
                      "holds %s",
                      to->symbol.name, gf_type_name(to->symbol.type), from->symbol.name,
                      gf_type_name(from->symbol.type));
        gf_fix(c->diags, "copy with a `for` and a cast");
        return;
    }
    check_stmt *made = gf_check_stmt_new(c, parsed);
    made->stmt.target = gf_check_ref(&to->symbol, parsed->target.span);
    made->stmt.second = gf_check_ref(&from->symbol, parsed->second.span);
    made->stmt.index = to_index;
    made->stmt.from = from_index;
    made->stmt.to = count;
    gf_check_emit(c, out, made);
}

void gf_check_wait(checker *c, const gf_stmt *parsed, stmt_list *out) {
    gf_check_emit(c, out, gf_check_stmt_new(c, parsed));
}
