#include "ir/visit.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Uses are compared by name: ids and addresses are a tree's own affair. */
static bool same_ref(gf_ref a, gf_ref b) {
    return same_text(a.name, b.name);
}

static bool same_literal(const gf_expr *a, const gf_expr *b) {
    if (a->is_float != b->is_float) {
        return false;
    }
    /* A parsed float has no bits yet: there the spelling is the value. */
    if (a->is_float && a->type == GF_TYPE_NONE && a->text != NULL && b->text != NULL) {
        return strcmp(a->text, b->text) == 0 || strtod(a->text, NULL) == strtod(b->text, NULL);
    }
    return a->bits == b->bits;
}

static bool same_expr_head(const gf_expr *a, const gf_expr *b) {
    if (a->kind != b->kind || a->type != b->type || a->arg_count != b->arg_count) {
        return false;
    }
    switch (a->kind) {
    case GF_EXPR_LITERAL:
        return same_literal(a, b);
    case GF_EXPR_NAME:
    case GF_EXPR_LEN:
    case GF_EXPR_LOAD:
    case GF_EXPR_CALL:
        return same_ref(a->ref, b->ref);
    case GF_EXPR_BUILTIN:
        return a->builtin == b->builtin && a->axis == b->axis;
    case GF_EXPR_OP:
        return a->op == b->op;
    case GF_EXPR_ATOMIC:
        return a->atomic == b->atomic && same_ref(a->ref, b->ref);
    case GF_EXPR_CROSS:
        return a->cross == b->cross && a->level == b->level;
    case GF_EXPR_AND:
    case GF_EXPR_OR:
    case GF_EXPR_CAST:
    case GF_EXPR_BITCAST:
        return true;
    }
    return false;
}

bool gf_equal_expr(const gf_expr *a, const gf_expr *b) {
    if (a == b) {
        return true;
    }
    if (a == NULL || b == NULL || !same_expr_head(a, b)) {
        return false;
    }
    for (size_t i = 0; i < a->arg_count; i++) {
        if (!gf_equal_expr(a->args[i], b->args[i])) {
            return false;
        }
    }
    return true;
}

/* What the declaration in a VAR says beyond its name. */
static bool same_local(const gf_symbol *a, const gf_symbol *b) {
    if (a == NULL || b == NULL) {
        return a == b;
    }
    return a->type == b->type && a->is_array == b->is_array && gf_equal_expr(a->size, b->size);
}

static bool same_stmt_head(const gf_stmt *a, const gf_stmt *b) {
    if (a->kind != b->kind || a->forced != b->forced || a->level != b->level || !same_ref(a->target, b->target) ||
        !same_ref(a->second, b->second) || a->op != b->op || !same_text(a->text, b->text) ||
        a->reduce_count != b->reduce_count) {
        return false;
    }
    if (a->kind == GF_STMT_VAR && !same_local(a->target.symbol, b->target.symbol)) {
        return false;
    }
    if (a->kind == GF_STMT_COLLECTIVE && (a->collective != b->collective || a->combine != b->combine)) {
        return false;
    }
    for (size_t i = 0; i < a->reduce_count; i++) {
        if (a->reduces[i].combine != b->reduces[i].combine || !same_ref(a->reduces[i].outer, b->reduces[i].outer)) {
            return false;
        }
    }
    return true;
}

static bool same_stmt(const gf_stmt *a, const gf_stmt *b) {
    return a == b ||
           (same_stmt_head(a, b) && gf_equal_expr(a->value, b->value) && gf_equal_expr(a->index, b->index) &&
            gf_equal_expr(a->from, b->from) && gf_equal_expr(a->to, b->to) && gf_equal_expr(a->step, b->step) &&
            gf_equal_block(a->body, b->body) && gf_equal_block(a->otherwise, b->otherwise));
}

bool gf_equal_block(const gf_block *a, const gf_block *b) {
    if (a == b) {
        return true;
    }
    if (a == NULL || b == NULL || a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!same_stmt(a->items[i], b->items[i])) {
            return false;
        }
    }
    return true;
}

static bool same_decl(const gf_symbol *a, const gf_symbol *b) {
    if (a->kind != b->kind || !same_text(a->name, b->name) || a->type != b->type || a->is_array != b->is_array ||
        a->role != b->role || a->argument_count != b->argument_count || !gf_equal_expr(a->size, b->size) ||
        !gf_equal_expr(a->value, b->value) || !gf_equal_expr(a->returns_from, b->returns_from) ||
        !gf_equal_expr(a->returns_to, b->returns_to) || !gf_equal_block(a->body, b->body)) {
        return false;
    }
    for (size_t i = 0; i < a->argument_count; i++) {
        if (!same_text(a->arguments[i]->name, b->arguments[i]->name) ||
            a->arguments[i]->type != b->arguments[i]->type) {
            return false;
        }
    }
    return true;
}

static bool same_kernel(const gf_kernel_decl *a, const gf_kernel_decl *b) {
    if (a->space_kind != b->space_kind || a->space_axes != b->space_axes || a->workgroup_axes != b->workgroup_axes ||
        !same_ref(a->indirect, b->indirect) || !gf_equal_expr(a->indirect_index, b->indirect_index) ||
        !gf_equal_expr(a->fixpoint, b->fixpoint) || a->watched_listed != b->watched_listed ||
        a->watched_count != b->watched_count) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        if (!gf_equal_expr(a->space[i], b->space[i]) || !gf_equal_expr(a->workgroup_size[i], b->workgroup_size[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < a->watched_count; i++) {
        if (!same_ref(a->watched[i], b->watched[i])) {
            return false;
        }
    }
    return gf_equal_block(a->body, b->body);
}

bool gf_equal_tree(const gf_tree *a, const gf_tree *b) {
    if (a == b) {
        return true;
    }
    if (a == NULL || b == NULL || !same_text(a->name, b->name) || a->decl_count != b->decl_count ||
        a->kernel_position != b->kernel_position) {
        return false;
    }
    for (size_t i = 0; i < a->decl_count; i++) {
        if (!same_decl(a->decls[i], b->decls[i])) {
            return false;
        }
    }
    return same_kernel(&a->kernel, &b->kernel);
}
