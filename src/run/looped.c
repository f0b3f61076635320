/* A program without fixpoint, to be run for many passes in one launch: a copy that watches all it may write. */
#include "ir/make.h"
#include "run/kernel.h"

typedef struct copy_context {
    gf_program *copy;
    const gf_tree *tree;
} copy_context;

static void copy_tree(void *context) {
    const copy_context *given = context;
    gf_arena *arena = given->copy->arena;
    gf_tree *tree = gf_arena_copy(arena, given->tree, sizeof *tree);
    gf_ref *watched = gf_new_array(arena, gf_ref, tree->decl_count + 1);
    tree->kernel.watched_count = 0;
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *symbol = tree->decls[i];
        if (symbol->kind == GF_SYMBOL_BUFFER && symbol->role != GF_ROLE_IN) {
            watched[tree->kernel.watched_count++] =
                (gf_ref){.name = symbol->name, .span = symbol->span, .symbol = symbol};
        }
    }
    tree->kernel.watched = watched;
    tree->kernel.fixpoint = gf_make_literal(arena, GF_TYPE_U64, UINT64_MAX);
    given->copy->checked = tree;
}

gf_program *gf_make_looped(gf_program *program, gf_diags *diags) {
    if (program->checked->kernel.fixpoint != NULL) {
        return gf_program_hold(program);
    }
    gf_program *copy = gf_program_new(program, diags);
    if (copy == NULL) {
        return NULL;
    }
    copy->source = program->source;
    copy_context context = {.copy = copy, .tree = program->checked};
    if (!gf_arena_protect(copy->arena, copy_tree, &context)) {
        (void)gf_fail_memory(diags);
        gf_program_destroy(copy);
        return NULL;
    }
    return copy;
}
