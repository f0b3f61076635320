/* Statements as text, four spaces a level. */
#include "ir/print.h"

#include <string.h>

/* The type that `return` gives back, for literals: the function being printed is the caller's affair. */
typedef struct place {
    gf_str *out;
    unsigned indent;
    gf_type returned;
} place;

static void print_block_at(const place *at, const gf_block *block);
static void print_stmt_at(const place *at, const gf_stmt *stmt);

void gf_print_indent(unsigned indent, gf_str *out) {
    for (unsigned i = 0; i < indent; i++) {
        gf_str_add(out, "    ");
    }
}

void gf_print_comments(const char *comments, unsigned indent, gf_str *out) {
    if (comments == NULL) {
        return;
    }
    while (*comments != 0) {
        const char *end = strchr(comments, '\n');
        const char *next = end == NULL ? comments + strlen(comments) : end + 1;
        size_t length = (size_t)(end == NULL ? next - comments : end - comments);
        while (length != 0 && (*comments == ' ' || *comments == '\t')) {
            comments++;
            length--;
        }
        while (length != 0 && strchr(" \t\r", comments[length - 1]) != NULL) {
            length--;
        }
        if (length != 0) {
            gf_print_indent(indent, out);
            gf_str_add_n(out, comments, length);
        }
        gf_str_add(out, "\n");
        comments = next;
    }
}

void gf_print_before(const gf_trivia *trivia, bool first, unsigned indent, gf_str *out) {
    if (trivia->blank_line && !first) {
        gf_str_add(out, "\n");
    }
    gf_print_comments(trivia->before, indent, out);
}

void gf_print_line_end(const gf_trivia *trivia, gf_str *out) {
    if (trivia->after != NULL) {
        size_t length = strlen(trivia->after);
        const char *text = trivia->after;
        while (*text == ' ' || *text == '\t') {
            text++;
            length--;
        }
        while (length != 0 && strchr(" \t\r", text[length - 1]) != NULL) {
            length--;
        }
        gf_str_add(out, length == 0 ? "" : " ");
        gf_str_add_n(out, text, length);
    }
    gf_str_add(out, "\n");
}

static void print_value(const place *at, const gf_expr *expr, gf_type wanted) {
    gf_print_expr_in(expr, wanted, GF_PRECEDENCE_NONE, at->out);
}

static gf_type target_type(const gf_stmt *stmt) {
    return stmt->target.symbol == NULL ? GF_TYPE_NONE : gf_type_loaded(stmt->target.symbol->type);
}

static void print_var(const place *at, const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    gf_str_addf(at->out, "var %s %s", symbol == NULL ? "?" : gf_type_name(symbol->type), stmt->target.name);
    if (symbol != NULL && symbol->is_array) {
        gf_str_add(at->out, "[");
        if (symbol->size != NULL) {
            print_value(at, symbol->size, GF_TYPE_NONE);
        } else {
            gf_str_addf(at->out, "%llu", (unsigned long long)symbol->length);
        }
        gf_str_add(at->out, "]");
    }
    if (stmt->value != NULL) {
        gf_str_add(at->out, " = ");
        print_value(at, stmt->value, target_type(stmt));
    }
    gf_str_add(at->out, ";");
}

static void print_assignment(const place *at, const gf_stmt *stmt) {
    gf_str_add(at->out, stmt->target.name);
    if (stmt->kind == GF_STMT_STORE) {
        gf_str_add(at->out, "[");
        print_value(at, stmt->index, GF_TYPE_NONE);
        gf_str_add(at->out, "]");
    }
    gf_str_addf(at->out, " %s= ", gf_op_spelling(stmt->op));
    /* A shift count is any integer: the target gives it no type. */
    bool counts = stmt->op != GF_OP_NONE && gf_op_rule(stmt->op) == GF_RULE_SHIFT;
    print_value(at, stmt->value, counts ? GF_TYPE_NONE : target_type(stmt));
    gf_str_add(at->out, ";");
}

static void print_collective(const place *at, const gf_stmt *stmt) {
    const char *target = stmt->target.name, *second = stmt->second.name, *op = gf_combine_name(stmt->combine);
    switch (stmt->collective) {
    case GF_COLLECTIVE_ALL_REDUCE:
        gf_str_addf(at->out, "all_reduce(%s, %s);", target, op);
        return;
    case GF_COLLECTIVE_ALL_GATHER:
        gf_str_addf(at->out, "all_gather(%s, %s);", target, second);
        return;
    case GF_COLLECTIVE_REDUCE_SCATTER:
        gf_str_addf(at->out, "reduce_scatter(%s, %s, %s);", target, second, op);
        return;
    case GF_COLLECTIVE_BROADCAST:
        gf_str_addf(at->out, "broadcast(%s, ", target);
        print_value(at, stmt->value, GF_TYPE_NONE);
        gf_str_add(at->out, ");");
        return;
    }
}

static void print_tag(const place *at, const gf_stmt *stmt) {
    if (stmt->tag_quoted) {
        gf_print_string(stmt->text, at->out);
    } else {
        gf_str_add(at->out, stmt->text == NULL ? "" : stmt->text);
    }
}

static void print_copy(const place *at, const gf_stmt *stmt) {
    gf_str_addf(at->out, "copy_async(%s, ", stmt->target.name);
    print_value(at, stmt->index, GF_TYPE_NONE);
    gf_str_addf(at->out, ", %s, ", stmt->second.name);
    print_value(at, stmt->from, GF_TYPE_NONE);
    gf_str_add(at->out, ", ");
    print_value(at, stmt->to, GF_TYPE_NONE);
    gf_str_add(at->out, ", ");
    print_tag(at, stmt);
    gf_str_add(at->out, ");");
}

/* ` {`, what stood behind it, the statements and `}`, without the last line end. */
static void print_body(const place *at, const gf_block *block, const gf_trivia *trivia) {
    bool empty = block == NULL || (block->count == 0 && block->comments == NULL);
    if (empty && (trivia == NULL || trivia->after == NULL)) {
        gf_str_add(at->out, " {}");
        return;
    }
    static const gf_trivia none;
    gf_str_add(at->out, " {");
    gf_print_line_end(trivia == NULL ? &none : trivia, at->out);
    place inside = *at;
    inside.indent++;
    print_block_at(&inside, block);
    gf_print_indent(at->indent, at->out);
    gf_str_add(at->out, "}");
}

/* An else block that is one bare if, which is how `else if` is held. */
static const gf_stmt *chained_if(const gf_block *block) {
    if (block == NULL || block->count != 1 || block->comments != NULL) {
        return NULL;
    }
    const gf_stmt *only = block->items[0];
    bool bare = only->kind == GF_STMT_IF && only->forced == GF_LEVEL_NONE && only->trivia.before == NULL;
    return bare ? only : NULL;
}

static void print_if(const place *at, const gf_stmt *stmt) {
    gf_str_add(at->out, gf_level_prefix(stmt->forced));
    for (;;) {
        gf_str_add(at->out, "if ");
        print_value(at, stmt->value, GF_TYPE_BOOL);
        print_body(at, stmt->body, &stmt->trivia);
        const gf_stmt *next = chained_if(stmt->otherwise);
        if (next == NULL) {
            break;
        }
        gf_str_add(at->out, " else ");
        stmt = next;
    }
    if (stmt->otherwise != NULL) {
        gf_str_add(at->out, " else");
        print_body(at, stmt->otherwise, NULL);
    }
}

static void print_range(const place *at, const gf_stmt *stmt, const char *keyword) {
    static const char *const between[] = {" .. ", " step "};
    gf_str_addf(at->out, "%s%s %s in ", gf_level_prefix(stmt->forced), keyword, stmt->target.name);
    gf_print_peers((const gf_expr *const[]){stmt->from, stmt->to, stmt->step}, 3, between, at->out);
}

static void print_forall(const place *at, const gf_stmt *stmt) {
    print_range(at, stmt, "forall");
    for (size_t i = 0; i < stmt->reduce_count; i++) {
        const gf_reduce *reduce = &stmt->reduces[i];
        gf_str_addf(at->out, "%s%s %s", i == 0 ? " reduce(" : ", ", gf_combine_name(reduce->combine),
                    reduce->outer.name);
    }
    gf_str_add(at->out, stmt->reduce_count == 0 ? "" : ")");
    print_body(at, stmt->body, &stmt->trivia);
}

/* The statement without its comments; true if what stood behind it went to its first line. */
static bool print_plain(const place *at, const gf_stmt *stmt) {
    gf_str *out = at->out;
    switch (stmt->kind) {
    case GF_STMT_LET:
        gf_str_addf(out, "let %s = ", stmt->target.name);
        print_value(at, stmt->value, GF_TYPE_NONE);
        gf_str_add(out, ";");
        return false;
    case GF_STMT_VAR:
        print_var(at, stmt);
        return false;
    case GF_STMT_ASSIGN:
    case GF_STMT_STORE:
        print_assignment(at, stmt);
        return false;
    case GF_STMT_EXPR:
        print_value(at, stmt->value, GF_TYPE_NONE);
        gf_str_add(out, ";");
        return false;
    case GF_STMT_SWAP:
        gf_str_addf(out, "swap(%s, %s);", stmt->target.name, stmt->second.name);
        return false;
    case GF_STMT_CONVERGED:
        gf_str_add(out, "converged(");
        print_value(at, stmt->value, GF_TYPE_BOOL);
        gf_str_add(out, ");");
        return false;
    case GF_STMT_IF:
        print_if(at, stmt);
        return true;
    case GF_STMT_FOR:
        print_range(at, stmt, "for");
        print_body(at, stmt->body, &stmt->trivia);
        return true;
    case GF_STMT_WHILE:
        gf_str_addf(out, "%swhile ", gf_level_prefix(stmt->forced));
        print_value(at, stmt->value, GF_TYPE_BOOL);
        print_body(at, stmt->body, &stmt->trivia);
        return true;
    case GF_STMT_LOOP:
        gf_str_addf(out, "%sloop", gf_level_prefix(stmt->forced));
        print_body(at, stmt->body, &stmt->trivia);
        return true;
    case GF_STMT_FORALL:
        print_forall(at, stmt);
        return true;
    case GF_STMT_BREAK:
        gf_str_add(out, "break;");
        return false;
    case GF_STMT_CONTINUE:
        gf_str_add(out, "continue;");
        return false;
    case GF_STMT_RETURN:
        gf_str_add(out, "return");
        if (stmt->value != NULL) {
            gf_str_add(out, " ");
            print_value(at, stmt->value, at->returned);
        }
        gf_str_add(out, ";");
        return false;
    case GF_STMT_BARRIER:
        gf_str_add(out, "barrier;");
        return false;
    case GF_STMT_GRID_BARRIER:
        gf_str_add(out, "grid_barrier;");
        return false;
    case GF_STMT_REGION:
        gf_str_add(out, "region ");
        gf_print_string(stmt->text, out);
        print_body(at, stmt->body, &stmt->trivia);
        return true;
    case GF_STMT_BLOCK: {
        /* No keyword before the brace. */
        size_t start = out->length;
        print_body(at, stmt->body, &stmt->trivia);
        if (!out->failed && out->length > start) {
            memmove(out->text + start, out->text + start + 1, out->length - start);
            out->length--;
        }
        return true;
    }
    case GF_STMT_ASSERT:
        gf_str_add(out, "assert(");
        print_value(at, stmt->value, GF_TYPE_BOOL);
        gf_str_add(out, ", ");
        gf_print_string(stmt->text, out);
        gf_str_add(out, ");");
        return false;
    case GF_STMT_TRAP:
        gf_str_add(out, "trap(");
        gf_print_string(stmt->text, out);
        gf_str_add(out, ", ");
        print_value(at, stmt->value, GF_TYPE_NONE);
        gf_str_add(out, ");");
        return false;
    case GF_STMT_COLLECTIVE:
        print_collective(at, stmt);
        return false;
    case GF_STMT_COPY_ASYNC:
        print_copy(at, stmt);
        return false;
    case GF_STMT_WAIT:
        gf_str_add(out, "wait(");
        print_tag(at, stmt);
        gf_str_add(out, ");");
        return false;
    }
    return false;
}

static void print_stmt_at(const place *at, const gf_stmt *stmt) {
    gf_print_indent(at->indent, at->out);
    static const gf_trivia none;
    gf_print_line_end(print_plain(at, stmt) ? &none : &stmt->trivia, at->out);
}

static void print_block_at(const place *at, const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        gf_print_before(&block->items[i]->trivia, i == 0, at->indent, at->out);
        print_stmt_at(at, block->items[i]);
    }
    if (block != NULL) {
        gf_print_comments(block->comments, at->indent, at->out);
    }
}

void gf_print_function_body(const gf_symbol *function, gf_str *out) {
    print_body(&(place){.out = out, .returned = function->type}, function->body, &function->trivia);
}

void gf_print_kernel_body(const gf_kernel_decl *kernel, gf_str *out) {
    print_body(&(place){.out = out}, kernel->body, &kernel->trivia);
}

void gf_print_stmt(const gf_stmt *stmt, unsigned indent, gf_str *out) {
    gf_print_before(&stmt->trivia, true, indent, out);
    print_stmt_at(&(place){.out = out, .indent = indent}, stmt);
}

void gf_print_block(const gf_block *block, unsigned indent, gf_str *out) {
    print_block_at(&(place){.out = out, .indent = indent}, block);
}
