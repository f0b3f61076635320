/* Another workgroup size for a program whose results do not depend on it. */
#include "ir/make.h"
#include "ir/visit.h"
#include "run/kernel.h"
#include <stdio.h>

typedef struct dependence {
    const char *what; /* NULL: none found yet */
    gf_span span;
} dependence;

static void note(dependence *found, const char *what, gf_span span) {
    if (found->what == NULL) {
        *found = (dependence){.what = what, .span = span};
    }
}

static const char *builtin_name(gf_builtin builtin) {
    switch (builtin) {
    case GF_BUILTIN_LID:
        return "lid";
    case GF_BUILTIN_WID:
        return "wid";
    case GF_BUILTIN_GRID_SIZE:
        return "grid_size";
    case GF_BUILTIN_GROUP_SIZE:
        return "group_size";
    case GF_BUILTIN_GID:
    case GF_BUILTIN_SPACE:
    case GF_BUILTIN_RANK:
    case GF_BUILTIN_RANKS:
        break;
    }
    return NULL;
}

static bool look_at_expr(void *user, const gf_expr *expr) {
    dependence *found = user;
    if (expr->kind == GF_EXPR_BUILTIN && builtin_name(expr->builtin) != NULL) {
        note(found, builtin_name(expr->builtin), expr->span);
    } else if (expr->kind == GF_EXPR_CROSS && expr->level == GF_LEVEL_GROUP) {
        note(found, "an operation over the workgroup", expr->span);
    } else if (expr->kind == GF_EXPR_CROSS && expr->cross == GF_CROSS_ADD && gf_type_is_float(expr->type)) {
        note(found, "grid_add of floats, which adds by workgroup", expr->span);
    }
    return true;
}

static bool look_at_stmt(void *user, const gf_stmt *stmt) {
    bool has_level = stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE ||
                     stmt->kind == GF_STMT_LOOP;
    if (stmt->kind == GF_STMT_BARRIER || (has_level && stmt->level == GF_LEVEL_GROUP)) {
        note(user, "a workgroup barrier", stmt->span);
    }
    return true;
}

static dependence find_dependence(const gf_tree *tree) {
    dependence found = {0};
    gf_visitor visitor = {.user = &found, .stmt = look_at_stmt, .expr = look_at_expr, .into_calls = true};
    if (tree->kernel.space_kind == GF_SPACE_GROUPS || tree->kernel.space_kind == GF_SPACE_INDIRECT) {
        note(&found, "a space counted in workgroups", tree->kernel.span);
    }
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *symbol = tree->decls[i];
        if (symbol->kind == GF_SYMBOL_SHARED) {
            note(&found, "a workgroup array", symbol->span);
        }
        gf_visit_expr(&visitor, symbol->size);
        gf_visit_expr(&visitor, symbol->returns_from);
        gf_visit_expr(&visitor, symbol->returns_to);
    }
    gf_visit_expr(&visitor, tree->kernel.fixpoint);
    gf_visit_block(&visitor, tree->kernel.body);
    return found;
}

typedef struct copy_context {
    gf_program *copy;
    const gf_tree *tree;
    const uint32_t *workgroup;
} copy_context;

static void copy_tree(void *context) {
    const copy_context *given = context;
    gf_arena *arena = given->copy->arena;
    gf_tree *tree = gf_arena_copy(arena, given->tree, sizeof *tree);
    tree->kernel.workgroup_axes = 3;
    for (int axis = 0; axis < 3; axis++) {
        tree->kernel.workgroup[axis] = given->workgroup[axis];
        tree->kernel.workgroup_size[axis] = gf_make_literal(arena, GF_TYPE_U32, given->workgroup[axis]);
    }
    given->copy->checked = tree;
}

gf_program *gf_override_workgroup(gf_program *program, const uint32_t workgroup[3], gf_diags *diags) {
    uint32_t whole[3];
    for (int axis = 0; axis < 3; axis++) {
        whole[axis] = workgroup[axis] > 0 ? workgroup[axis] : 1;
    }
    dependence found = find_dependence(program->checked);
    if (found.what != NULL) {
        (void)gf_fail(diags, GF_CODE_WORKGROUP_OVERRIDE, found.span,
                      "the workgroup cannot be overridden: the program's results depend on it through %s", found.what);
        gf_fix(diags, "change the workgroup in the program instead");
        return NULL;
    }
    gf_program *copy = gf_program_new(program, diags);
    if (copy == NULL) {
        return NULL;
    }
    copy->source = program->source;
    copy_context context = {.copy = copy, .tree = program->checked, .workgroup = whole};
    if (!gf_arena_protect(copy->arena, copy_tree, &context)) {
        (void)gf_fail_memory(diags);
        gf_program_destroy(copy);
        return NULL;
    }
    return copy;
}
