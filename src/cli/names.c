#include "cli/names.h"
#include "base/memory.h"
#include "ir/program.h"
#include <string.h>

static const char *role_text(gf_role role) {
    switch (role) {
    case GF_ROLE_IN:
        return "in";
    case GF_ROLE_INOUT:
        return "inout";
    case GF_ROLE_OUT:
        return "out";
    case GF_ROLE_SCRATCH:
        return "scratch";
    }
    return "";
}

static bool is_wanted(const gf_symbol *symbol, gf_symbol_kind kind, gf_cli_want want) {
    if (symbol->kind != kind) {
        return false;
    }
    switch (want) {
    case GF_CLI_WANT_ANY:
        return true;
    case GF_CLI_WANT_INPUT:
        return symbol->role == GF_ROLE_IN || symbol->role == GF_ROLE_INOUT;
    case GF_CLI_WANT_OUTPUT:
        return symbol->role == GF_ROLE_OUT || symbol->role == GF_ROLE_INOUT;
    }
    return false;
}

static const char *wanted_text(gf_symbol_kind kind, gf_cli_want want) {
    if (kind == GF_SYMBOL_PARAM) {
        return "params";
    }
    switch (want) {
    case GF_CLI_WANT_ANY:
        return "buffers";
    case GF_CLI_WANT_INPUT:
        return "`in` and `inout` buffers";
    case GF_CLI_WANT_OUTPUT:
        return "`out` and `inout` buffers";
    }
    return "";
}

static void suggest(const gf_cli_data *data, const char *name, gf_symbol_kind kind, gf_cli_want want, gf_diags *diags) {
    const gf_tree *tree = data->tree;
    const char **names = gf_calloc(tree->decl_count + 1, sizeof *names);
    gf_str list = {0};
    size_t count = 0;
    for (size_t i = 0; names != NULL && i < tree->decl_count; i++) {
        if (is_wanted(tree->decls[i], kind, want)) {
            gf_str_addf(&list, "%s%s", count > 0 ? ", " : "", tree->decls[i]->name);
            names[count++] = tree->decls[i]->name;
        }
    }
    const char *near = names != NULL ? gf_cli_nearest(name, names, count) : NULL;
    if (near != NULL) {
        gf_fix(diags, "did you mean `%s`? its %s: %s", near, wanted_text(kind, want), list.text);
    } else if (count > 0 && !list.failed) {
        gf_fix(diags, "its %s: %s", wanted_text(kind, want), list.text);
    } else {
        gf_fix(diags, "it has no %s", wanted_text(kind, want));
    }
    gf_str_free(&list);
    gf_free(names);
}

static bool find(const gf_cli_data *data, const char *option, const char *name, gf_symbol_kind kind, gf_cli_want want,
                 size_t *place, gf_diags *diags) {
    const gf_tree *tree = data->tree;
    const gf_symbol *other = NULL;
    *place = 0;
    for (size_t i = 0; i < tree->decl_count; i++) {
        bool is_same = strcmp(tree->decls[i]->name, name) == 0;
        if (is_same && is_wanted(tree->decls[i], kind, want)) {
            return true;
        }
        other = is_same ? tree->decls[i] : other;
        *place += tree->decls[i]->kind == kind;
    }
    if (other != NULL && other->kind == GF_SYMBOL_BUFFER) {
        (void)gf_fail(diags, GF_CODE_NAME_UNKNOWN, GF_NO_SPAN, "--%s: `%s` is an `%s` buffer", option, name,
                      role_text(other->role));
    } else if (other != NULL && other->kind == GF_SYMBOL_PARAM) {
        (void)gf_fail(diags, GF_CODE_NAME_UNKNOWN, GF_NO_SPAN, "--%s: `%s` is a param, which is given by --set", option,
                      name);
    } else {
        (void)gf_fail(diags, GF_CODE_NAME_UNKNOWN, GF_NO_SPAN, "--%s: program `%s` has no %s `%.60s`", option,
                      tree->name, kind == GF_SYMBOL_PARAM ? "param" : "buffer", name);
    }
    suggest(data, name, kind, want, diags);
    return false;
}

bool gf_cli_find_buffer(const gf_cli_data *data, const char *option, const char *name, gf_cli_want want, size_t *place,
                        gf_diags *diags) {
    return find(data, option, name, GF_SYMBOL_BUFFER, want, place, diags);
}

bool gf_cli_find_param(const gf_cli_data *data, const char *option, const char *name, size_t *place, gf_diags *diags) {
    return find(data, option, name, GF_SYMBOL_PARAM, GF_CLI_WANT_ANY, place, diags);
}
