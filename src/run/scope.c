#include "run/scope.h"
#include "base/checked.h"
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>

bool gf_scope_add(gf_scope *scope, gf_scope_kind kind, const gf_symbol *symbol, gf_diags *diags) {
    if (scope->count == scope->capacity) {
        size_t capacity = scope->capacity > 0 ? scope->capacity * 2 : 16;
        gf_scope_entry *grown = gf_realloc(scope->entries, capacity * sizeof *grown);
        if (grown == NULL) {
            return gf_fail_memory(diags);
        }
        scope->entries = grown;
        scope->capacity = capacity;
    }
    scope->entries[scope->count++] =
        (gf_scope_entry){.symbol = symbol, .index = (uint32_t)scope->counts[kind]++, .kind = kind};
    return true;
}

bool gf_scope_add_tree(gf_scope *scope, const gf_tree *tree, gf_diags *diags) {
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *symbol = tree->decls[i];
        bool is_param = symbol->kind == GF_SYMBOL_PARAM;
        if ((is_param || symbol->kind == GF_SYMBOL_BUFFER) &&
            !gf_scope_add(scope, is_param ? GF_SCOPE_PARAM : GF_SCOPE_BUFFER, symbol, diags)) {
            return false;
        }
    }
    return true;
}

static int compare_entries(const void *a, const void *b) {
    uintptr_t left = (uintptr_t)((const gf_scope_entry *)a)->symbol;
    uintptr_t right = (uintptr_t)((const gf_scope_entry *)b)->symbol;
    return (left > right) - (left < right);
}

void gf_scope_seal(gf_scope *scope) {
    if (scope->count > 0) {
        qsort(scope->entries, scope->count, sizeof *scope->entries, compare_entries);
    }
}

void gf_scope_finish(gf_scope *scope) {
    gf_free(scope->entries);
    memset(scope, 0, sizeof *scope);
}

const gf_scope_entry *gf_scope_find(const gf_scope *scope, const gf_symbol *symbol) {
    if (scope->count == 0) {
        return NULL;
    }
    gf_scope_entry key = {.symbol = symbol};
    return bsearch(&key, scope->entries, scope->count, sizeof key, compare_entries);
}

static bool find_symbol(void *user, const gf_symbol *symbol, uint64_t *bits) {
    const gf_frame *frame = user;
    const gf_scope_entry *entry = gf_scope_find(frame->scope, symbol);
    if (entry == NULL) {
        return false;
    }
    switch (entry->kind) {
    case GF_SCOPE_PARAM:
        *bits = frame->params[entry->index].bits;
        return frame->params[entry->index].type != GF_TYPE_NONE;
    case GF_SCOPE_REGISTER:
        *bits = frame->registers[entry->index];
        return true;
    case GF_SCOPE_BUFFER:
        return false;
    }
    return false;
}

static bool find_length(void *user, const gf_symbol *buffer, uint64_t *count) {
    const gf_frame *frame = user;
    const gf_scope_entry *entry = gf_scope_find(frame->scope, buffer);
    if (entry == NULL || entry->kind != GF_SCOPE_BUFFER || frame->lengths[entry->index] == GF_LENGTH_UNKNOWN) {
        return false;
    }
    *count = frame->lengths[entry->index];
    return true;
}

static bool load_element(void *user, const gf_symbol *buffer, uint64_t index, uint64_t *bits) {
    const gf_frame *frame = user;
    const gf_scope_entry *entry = gf_scope_find(frame->scope, buffer);
    if (entry == NULL || entry->kind != GF_SCOPE_BUFFER || frame->load == NULL ||
        frame->lengths[entry->index] == GF_LENGTH_UNKNOWN) {
        return false;
    }
    if (index >= frame->lengths[entry->index]) {
        *bits = 0;
        return true;
    }
    return frame->load(frame->user, entry->index, index, bits);
}

static bool tell_fault(void *user, const gf_eval_fault *fault) {
    const gf_frame *frame = user;
    return frame->fault(frame->user, fault);
}

gf_env gf_frame_env(const gf_frame *frame) {
    return (gf_env){.user = (void *)(uintptr_t)frame,
                    .symbol = find_symbol,
                    .length = find_length,
                    .load = load_element,
                    .fault = frame->fault == NULL ? NULL : tell_fault};
}

/* ---- geometry ---- */

bool gf_geometry_is_empty(const gf_geometry *geometry) {
    return geometry->groups[0] == 0 || geometry->groups[1] == 0 || geometry->groups[2] == 0;
}

void gf_env_set_geometry(gf_env *env, const gf_geometry *geometry) {
    env->has_geometry = true;
    for (int axis = 0; axis < 3; axis++) {
        env->space[axis] = geometry->space[axis];
        env->groups[axis] = geometry->groups[axis];
        env->workgroup[axis] = geometry->workgroup[axis];
    }
}

static bool product_fits(const uint64_t sizes[3]) {
    uint64_t product = 0;
    if (sizes[0] == 0 || sizes[1] == 0 || sizes[2] == 0) {
        return true;
    }
    return gf_mul_u64(sizes[0], sizes[1], &product) && gf_mul_u64(product, sizes[2], &product);
}

bool gf_geometry_cover(gf_geometry *geometry, const char *what, gf_span span, gf_diags *diags) {
    for (int axis = 0; axis < 3; axis++) {
        if (geometry->space[axis] > UINT32_MAX) {
            return gf_fail(diags, GF_CODE_GRID_LIMIT, span,
                           "%s has %llu invocations on axis %c, and at most 4294967295 can be counted", what,
                           (unsigned long long)geometry->space[axis], "xyz"[axis]);
        }
        uint64_t width = geometry->workgroup[axis];
        geometry->groups[axis] = (geometry->space[axis] + width - 1) / width;
    }
    if (!product_fits(geometry->space)) {
        return gf_fail(diags, GF_CODE_GRID_LIMIT, span, "%s has more than 2^64 invocations", what);
    }
    return true;
}

static bool eval_axes(uint64_t sizes[3], const gf_kernel_decl *kernel, const gf_env *env, gf_diags *diags) {
    static const char *const names[3] = {"first axis of the space", "second axis of the space",
                                         "third axis of the space"};
    for (size_t axis = 0; axis < 3; axis++) {
        sizes[axis] = 1;
        if (axis < kernel->space_axes && !gf_eval_size(kernel->space[axis], env, names[axis], &sizes[axis], diags)) {
            return false;
        }
    }
    return true;
}

static bool load_counts(uint64_t sizes[3], const gf_kernel_decl *kernel, const gf_env *env, gf_diags *diags) {
    uint64_t index = 0;
    if (kernel->indirect_index != NULL &&
        !gf_eval_size(kernel->indirect_index, env, "index of the indirect counts", &index, diags)) {
        return false;
    }
    for (uint64_t axis = 0; axis < 3; axis++) {
        uint64_t at = 0;
        sizes[axis] = 0;
        if (gf_add_u64(index, axis, &at) && !env->load(env->user, kernel->indirect.symbol, at, &sizes[axis])) {
            return gf_fail(diags, GF_CODE_DEVICE_FAILED, kernel->span,
                           "the workgroup counts cannot be read from buffer `%s`", kernel->indirect.name);
        }
    }
    return true;
}

/* From counts of groups to the space that they make. */
static bool multiply_groups(gf_geometry *geometry, gf_span span, gf_diags *diags) {
    for (int axis = 0; axis < 3; axis++) {
        uint64_t groups = geometry->space[axis];
        if (groups > UINT32_MAX / geometry->workgroup[axis]) {
            return gf_fail(diags, GF_CODE_GRID_LIMIT, span,
                           "%llu workgroups of %u on axis %c are more than the 4294967295 invocations that can be "
                           "counted",
                           (unsigned long long)groups, (unsigned)geometry->workgroup[axis], "xyz"[axis]);
        }
        geometry->space[axis] = groups * geometry->workgroup[axis];
    }
    return true;
}

bool gf_geometry_eval(gf_geometry *geometry, const gf_tree *tree, const gf_env *env, gf_diags *diags) {
    const gf_kernel_decl *kernel = &tree->kernel;
    memcpy(geometry->workgroup, kernel->workgroup, sizeof geometry->workgroup);
    switch (kernel->space_kind) {
    case GF_SPACE_ONE:
        geometry->space[0] = geometry->space[1] = geometry->space[2] = 1;
        break;
    case GF_SPACE_ITEMS:
        if (!eval_axes(geometry->space, kernel, env, diags)) {
            return false;
        }
        break;
    case GF_SPACE_GROUPS:
        if (!eval_axes(geometry->space, kernel, env, diags) || !multiply_groups(geometry, kernel->span, diags)) {
            return false;
        }
        break;
    case GF_SPACE_INDIRECT:
        if (!load_counts(geometry->space, kernel, env, diags) || !multiply_groups(geometry, kernel->span, diags)) {
            return false;
        }
        break;
    }
    return gf_geometry_cover(geometry, "the space", kernel->span, diags);
}
