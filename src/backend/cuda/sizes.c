#include "backend/cuda/sizes.h"
#include "ir/program.h"
#include <string.h>

#define MOST_LOOKS 256 /* a register may be made of itself, or of others that are made of others twice */

static bool length_of(void *user, const gf_symbol *buffer, uint64_t *count) {
    const gf_cuda_sizes *sizes = user;
    for (size_t i = 0; i < sizes->asked->buffer_count; i++) {
        if (sizes->plan->buffers[i].symbol == buffer) {
            *count = sizes->asked->buffers[i].count;
            return true;
        }
    }
    return false;
}

static bool symbol_bits(void *user, const gf_symbol *symbol, uint64_t *bits) {
    return gf_cuda_sizes_symbol(user, symbol, bits);
}

gf_env gf_cuda_sizes_env(const gf_cuda_sizes *sizes) {
    gf_env env = {.user = (void *)(uintptr_t)sizes, .symbol = symbol_bits, .length = length_of, .has_geometry = true};
    memcpy(env.space, sizes->asked->space, sizeof env.space);
    memcpy(env.groups, sizes->asked->groups, sizeof env.groups);
    for (int axis = 0; axis < 3; axis++) {
        env.workgroup[axis] = sizes->plan->program->checked->kernel.workgroup[axis];
    }
    return env;
}

bool gf_cuda_sizes_symbol(const gf_cuda_sizes *sizes, const gf_symbol *symbol, uint64_t *bits) {
    const gf_plan *plan = sizes->plan;
    for (size_t i = 0; symbol->kind == GF_SYMBOL_PARAM && i < sizes->asked->param_count; i++) {
        if (gf_tree_nth(plan->program->checked, GF_SYMBOL_PARAM, i) == symbol) {
            *bits = sizes->asked->params[i].bits;
            return true;
        }
    }
    const gf_plan_node *set = symbol->id < plan->symbol_count ? plan->once[symbol->id] : NULL;
    if (set == NULL || set->target != symbol) {
        return false;
    }
    unsigned most = MOST_LOOKS;
    gf_cuda_sizes inside = {.plan = plan, .asked = sizes->asked, .left = sizes->left != NULL ? sizes->left : &most};
    gf_env env = gf_cuda_sizes_env(&inside);
    if (*inside.left == 0) {
        return false;
    }
    --*inside.left;
    return gf_eval(set->value, &env, bits);
}

bool gf_cuda_sizes_hidden(const gf_cuda_sizes *sizes, size_t buffer, uint64_t *count) {
    const gf_plan_buffer *planned = &sizes->plan->buffers[buffer];
    gf_env env = gf_cuda_sizes_env(sizes);
    *count = 0;
    return planned->size != NULL && gf_eval_size(planned->size, &env, planned->symbol->name, count, NULL);
}

bool gf_cuda_sizes_items(const gf_cuda_sizes *sizes, const gf_segment *segment, uint64_t *items) {
    const uint64_t *space = sizes->asked->space;
    *items = space[0] * space[1] * space[2];
    if (segment->is_forall) {
        return gf_cuda_sizes_symbol(sizes, segment->forall_count, items);
    }
    if (segment->tree->kernel.space_kind == GF_SPACE_ONE) {
        *items = 1;
    }
    return true;
}
