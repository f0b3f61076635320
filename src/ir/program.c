#include "ir/program.h"

#include "base/memory.h"
#include "ir/eval.h"

#include <stdatomic.h>
#include <string.h>

gf_program *gf_program_new(gf_program *parent, gf_diags *diags) {
    gf_program *program = gf_calloc(1, sizeof *program);
    gf_arena *arena = program == NULL ? NULL : gf_arena_create();
    if (arena == NULL) {
        gf_free(program);
        gf_fail_memory(diags);
        return NULL;
    }
    program->arena = arena;
    program->parent = gf_program_hold(parent);
    atomic_init(&program->references, 1);
    return program;
}

gf_program *gf_program_hold(gf_program *program) {
    if (program != NULL) {
        atomic_fetch_add(&program->references, 1);
    }
    return program;
}

void gf_program_destroy(gf_program *program) {
    while (program != NULL && atomic_fetch_sub(&program->references, 1) == 1) {
        gf_program *parent = program->parent;
        gf_arena_destroy(program->arena);
        gf_free(program);
        program = parent;
    }
}

const gf_tree *gf_program_tree(const gf_program *program) {
    return program == NULL ? NULL : program->checked != NULL ? program->checked : program->parsed;
}

/* A program that a user wrote prints as written; the checked form only where there is no other. */
char *gf_program_text(const gf_program *program, gf_diags *diags) {
    const gf_tree *tree = program == NULL ? NULL : program->parsed != NULL ? program->parsed : program->checked;
    if (tree == NULL) {
        return NULL;
    }
    gf_str out = {0};
    char *text = gf_print_tree(tree, &out) ? gf_str_take(&out) : NULL;
    if (text == NULL) {
        gf_str_free(&out);
        gf_fail_memory(diags);
    }
    return text;
}

const char *gf_program_name(const gf_program *program) {
    const gf_tree *tree = gf_program_tree(program);
    return tree == NULL || tree->name == NULL ? "" : tree->name;
}

size_t gf_tree_count(const gf_tree *tree, gf_symbol_kind kind) {
    size_t count = 0;
    for (size_t i = 0; tree != NULL && i < tree->decl_count; i++) {
        count += tree->decls[i]->kind == kind;
    }
    return count;
}

const gf_symbol *gf_tree_nth(const gf_tree *tree, gf_symbol_kind kind, size_t index) {
    for (size_t i = 0; tree != NULL && i < tree->decl_count; i++) {
        if (tree->decls[i]->kind == kind && index-- == 0) {
            return tree->decls[i];
        }
    }
    return NULL;
}

const gf_symbol *gf_tree_find(const gf_tree *tree, const char *name) {
    for (size_t i = 0; tree != NULL && name != NULL && i < tree->decl_count; i++) {
        if (strcmp(tree->decls[i]->name, name) == 0) {
            return tree->decls[i];
        }
    }
    return NULL;
}

size_t gf_program_param_count(const gf_program *program) {
    return gf_tree_count(gf_program_tree(program), GF_SYMBOL_PARAM);
}

bool gf_program_param_info(const gf_program *program, size_t index, gf_param_info *out) {
    const gf_symbol *param = gf_tree_nth(gf_program_tree(program), GF_SYMBOL_PARAM, index);
    if (param == NULL || out == NULL) {
        return false;
    }
    *out = (gf_param_info){.name = param->name, .type = param->type, .has_default = param->value != NULL};
    return true;
}

size_t gf_program_buffer_count(const gf_program *program) {
    return gf_tree_count(gf_program_tree(program), GF_SYMBOL_BUFFER);
}

static gf_buffer_role public_role(gf_role role) {
    switch (role) {
    case GF_ROLE_IN:
        return GF_BUFFER_IN;
    case GF_ROLE_INOUT:
        return GF_BUFFER_INOUT;
    case GF_ROLE_OUT:
        return GF_BUFFER_OUT;
    case GF_ROLE_SCRATCH:
        break;
    }
    return GF_BUFFER_SCRATCH;
}

bool gf_program_buffer_info(const gf_program *program, size_t index, gf_buffer_info *out) {
    const gf_symbol *buffer = gf_tree_nth(gf_program_tree(program), GF_SYMBOL_BUFFER, index);
    if (buffer == NULL || out == NULL) {
        return false;
    }
    *out = (gf_buffer_info){
        .name = buffer->name, .type = buffer->type, .role = public_role(buffer->role), .sized = buffer->size != NULL};
    return true;
}

bool gf_program_has_fixpoint(const gf_program *program) {
    const gf_tree *tree = gf_program_tree(program);
    return tree != NULL && tree->kernel.fixpoint != NULL;
}

/* Values of the params so far, for defaults that use earlier ones. */
typedef struct defaults {
    const gf_symbol **params;
    uint64_t *bits;
    bool *known;
    size_t count;
} defaults;

static bool default_of(void *user, const gf_symbol *symbol, uint64_t *bits) {
    const defaults *so_far = user;
    for (size_t i = 0; i < so_far->count; i++) {
        if (so_far->params[i] == symbol && so_far->known[i]) {
            *bits = so_far->bits[i];
            return true;
        }
    }
    return false;
}

static bool compute_defaults(const gf_tree *tree, const gf_symbol *wanted, defaults *so_far, uint64_t *bits) {
    gf_env env = {.user = so_far, .symbol = default_of};
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *param = tree->decls[i];
        if (param->kind != GF_SYMBOL_PARAM) {
            continue;
        }
        size_t at = so_far->count;
        so_far->params[at] = param;
        so_far->known[at] = param->value != NULL &&
                            gf_eval_constant(param->value, &env, param->type, param->name, &so_far->bits[at], NULL);
        so_far->count++;
        if (param == wanted) {
            *bits = so_far->bits[at];
            return so_far->known[at];
        }
    }
    return false;
}

static bool default_value(const gf_tree *tree, const gf_symbol *param, uint64_t *bits) {
    size_t count = gf_tree_count(tree, GF_SYMBOL_PARAM);
    defaults so_far = {.params = gf_calloc(count, sizeof *so_far.params),
                       .bits = gf_calloc(count, sizeof *so_far.bits),
                       .known = gf_calloc(count, sizeof *so_far.known)};
    bool found = so_far.params != NULL && so_far.bits != NULL && so_far.known != NULL &&
                 compute_defaults(tree, param, &so_far, bits);
    gf_free(so_far.params);
    gf_free(so_far.bits);
    gf_free(so_far.known);
    return found;
}

bool gf_program_param(const gf_program *program, const char *name, gf_value *out) {
    const gf_tree *tree = gf_program_tree(program);
    const gf_symbol *param = gf_tree_find(tree, name);
    if (param == NULL || param->kind != GF_SYMBOL_PARAM || out == NULL) {
        return false;
    }
    const gf_segment_values *present = program->segment_state;
    if (present != NULL) {
        size_t index = 0;
        while (gf_tree_nth(tree, GF_SYMBOL_PARAM, index) != param) {
            index++;
        }
        if (index >= present->count) {
            return false;
        }
        *out = present->values[index];
        return true;
    }
    uint64_t bits = 0;
    if (param->value == NULL || !default_value(tree, param, &bits)) {
        return false;
    }
    *out = (gf_value){.type = param->type, .bits = bits};
    return true;
}
