/* Whole programs as canonical text: print . parse . print is print. */
#include "ir/print.h"

static void print_value(const gf_expr *expr, gf_type wanted, gf_str *out) {
    gf_print_expr_in(expr, wanted, GF_PRECEDENCE_NONE, out);
}

static void print_list(const gf_expr *const *exprs, size_t count, gf_str *out) {
    gf_str_add(out, "(");
    for (size_t i = 0; i < count; i++) {
        gf_str_add(out, i == 0 ? "" : ", ");
        print_value(exprs[i], GF_TYPE_NONE, out);
    }
    gf_str_add(out, ")");
}

static const char *role_name(gf_role role) {
    switch (role) {
    case GF_ROLE_IN:
        return "in";
    case GF_ROLE_INOUT:
        return "inout";
    case GF_ROLE_OUT:
        return "out";
    case GF_ROLE_SCRATCH:
        break;
    }
    return "scratch";
}

static void print_value_decl(const gf_symbol *symbol, const char *keyword, gf_str *out) {
    gf_str_addf(out, "%s %s %s", keyword, gf_type_name(symbol->type), symbol->name);
    if (symbol->value != NULL) {
        gf_str_add(out, " = ");
        print_value(symbol->value, symbol->type, out);
    }
    gf_str_add(out, ";");
}

static void print_array_decl(const gf_symbol *symbol, const char *keyword, gf_str *out) {
    gf_str_addf(out, "%s %s %s[", keyword, gf_type_name(symbol->type), symbol->name);
    if (symbol->size != NULL) {
        print_value(symbol->size, GF_TYPE_NONE, out);
    }
    gf_str_add(out, "]");
    if (symbol->returns_from != NULL && symbol->returns_to != NULL) {
        static const char *const between[] = {" .. "};
        gf_str_add(out, " returns(");
        gf_print_peers((const gf_expr *const[]){symbol->returns_from, symbol->returns_to}, 2, between, out);
        gf_str_add(out, ")");
    }
    gf_str_add(out, ";");
}

static void print_function(const gf_symbol *function, gf_str *out) {
    gf_str_add(out, "fn ");
    if (function->type != GF_TYPE_NONE) {
        gf_str_addf(out, "%s ", gf_type_name(function->type));
    }
    gf_str_addf(out, "%s(", function->name);
    for (size_t i = 0; i < function->argument_count; i++) {
        gf_str_addf(out, "%s%s %s", i == 0 ? "" : ", ", gf_type_name(function->arguments[i]->type),
                    function->arguments[i]->name);
    }
    gf_str_add(out, ")");
    gf_print_function_body(function, out);
}

static void print_decl(const gf_symbol *symbol, gf_str *out) {
    static const gf_trivia none;
    switch (symbol->kind) {
    case GF_SYMBOL_CONST:
        print_value_decl(symbol, "const", out);
        break;
    case GF_SYMBOL_PARAM:
        print_value_decl(symbol, "param", out);
        break;
    case GF_SYMBOL_BUFFER:
        print_array_decl(symbol, role_name(symbol->role), out);
        break;
    case GF_SYMBOL_SHARED:
        print_array_decl(symbol, "shared", out);
        break;
    case GF_SYMBOL_FUNCTION:
        print_function(symbol, out);
        break;
    case GF_SYMBOL_LET:
    case GF_SYMBOL_VAR:
    case GF_SYMBOL_LOOP:
    case GF_SYMBOL_ARGUMENT: /* no declarations of a program */
        break;
    }
    gf_print_line_end(symbol->kind == GF_SYMBOL_FUNCTION ? &none : &symbol->trivia, out);
}

static void print_kernel(const gf_kernel_decl *kernel, gf_str *out) {
    gf_str_add(out, "kernel");
    switch (kernel->space_kind) {
    case GF_SPACE_ONE:
        break;
    case GF_SPACE_ITEMS:
        gf_str_add(out, " ");
        print_list(kernel->space, kernel->space_axes, out);
        break;
    case GF_SPACE_GROUPS:
        gf_str_add(out, " groups");
        print_list(kernel->space, kernel->space_axes, out);
        break;
    case GF_SPACE_INDIRECT:
        gf_str_addf(out, " indirect(%s, ", kernel->indirect.name);
        print_value(kernel->indirect_index, GF_TYPE_NONE, out);
        gf_str_add(out, ")");
        break;
    }
    if (kernel->workgroup_axes != 0) {
        gf_str_add(out, " workgroup");
        print_list(kernel->workgroup_size, kernel->workgroup_axes, out);
    }
    if (kernel->fixpoint != NULL) {
        gf_str_add(out, " fixpoint");
        print_list(&kernel->fixpoint, 1, out);
    }
    if (kernel->watched_listed) {
        gf_str_add(out, " on (");
        for (size_t i = 0; i < kernel->watched_count; i++) {
            gf_str_addf(out, "%s%s", i == 0 ? "" : ", ", kernel->watched[i].name);
        }
        gf_str_add(out, ")");
    }
    gf_print_kernel_body(kernel, out);
    gf_str_add(out, "\n");
}

/* An empty line stands around whatever has a body and behind the program line, wherever else one was written. */
typedef struct layout {
    bool first;
    bool last_had_body;
} layout;

static void begin_item(layout *at, const gf_trivia *trivia, bool has_body, gf_str *out) {
    gf_trivia shown = *trivia;
    shown.blank_line = shown.blank_line || at->first || has_body || at->last_had_body;
    gf_print_before(&shown, false, 0, out);
    at->first = false;
    at->last_had_body = has_body;
}

bool gf_print_tree(const gf_tree *tree, gf_str *out) {
    gf_print_before(&tree->trivia, true, 0, out);
    gf_str_addf(out, "program %s;", tree->name == NULL ? "" : tree->name);
    gf_print_line_end(&tree->trivia, out);
    layout at = {.first = true};
    for (size_t i = 0; i <= tree->decl_count; i++) {
        bool kernel_here = i == tree->kernel_position || (i == tree->decl_count && tree->kernel_position > i);
        if (kernel_here && tree->kernel.body != NULL) {
            begin_item(&at, &tree->kernel.trivia, true, out);
            print_kernel(&tree->kernel, out);
        }
        if (i < tree->decl_count) {
            begin_item(&at, &tree->decls[i]->trivia, tree->decls[i]->kind == GF_SYMBOL_FUNCTION, out);
            print_decl(tree->decls[i], out);
        }
    }
    if (tree->end_comments != NULL) {
        gf_str_add(out, "\n");
        gf_print_comments(tree->end_comments, 0, out);
    }
    return !out->failed;
}
