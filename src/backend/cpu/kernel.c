#include "backend/cpu/kernel.h"
#include "base/memory.h"
#include "ir/program.h"
#include "plan/track.h"
#include <string.h>

/* ---- the tree ---- */

typedef struct builder {
    gf_cpu_kernel *kernel;
    uint32_t next_scalar;
} builder;

static uint32_t number(builder *b, const gf_expr *expr) {
    return expr != NULL ? b->next_scalar++ : GF_NO_SCALAR;
}

static uint32_t register_index(const gf_plan *plan, const gf_symbol *symbol) {
    for (size_t i = 0; symbol != NULL && i < plan->register_count; i++) {
        if (plan->registers[i] == symbol) {
            return (uint32_t)i;
        }
    }
    return UINT32_MAX;
}

/* Scalars are numbered as gf_llvm_each_scalar numbers them. */
static gf_cpu_block *build_block(builder *b, const gf_plan_block *block) {
    gf_arena *arena = b->kernel->arena;
    gf_cpu_block *made = gf_new(arena, gf_cpu_block);
    made->count = block != NULL ? block->count : 0;
    made->items = gf_new_array(arena, gf_cpu_node, made->count);
    for (size_t i = 0; i < made->count; i++) {
        const gf_plan_node *node = block->items[i];
        gf_cpu_node *to = &made->items[i];
        to->node = node;
        to->value = number(b, node->value);
        to->from = number(b, node->from);
        to->to = number(b, node->to);
        to->step = number(b, node->step);
        to->count = number(b, node->count);
        to->target = register_index(b->kernel->plan, node->target);
        bool whole = node->kind == GF_PLAN_FILL || node->kind == GF_PLAN_REDUCE || node->kind == GF_PLAN_SCAN;
        to->is_fused = whole && b->kernel->fused[node->buffer];
        to->body = build_block(b, node->body);
        to->otherwise = node->otherwise != NULL ? build_block(b, node->otherwise) : NULL;
    }
    return made;
}

/* ---- segments ---- */

static void build_segment(gf_cpu_kernel *kernel, size_t index) {
    const gf_plan *plan = kernel->plan;
    const gf_segment *segment = plan->segments[index];
    gf_cpu_segment *to = &kernel->segments[index];
    to->segment = segment;
    to->params = gf_new_array(kernel->arena, gf_cpu_source, segment->param_count);
    for (size_t i = 0; i < segment->param_count; i++) {
        const gf_symbol *source = segment->params[i].source;
        uint32_t reg = register_index(plan, source);
        to->params[i] = (gf_cpu_source){.is_register = reg != UINT32_MAX, .index = reg};
        for (uint32_t k = 0; reg == UINT32_MAX && k < gf_tree_count(plan->program->checked, GF_SYMBOL_PARAM); k++) {
            if (gf_tree_nth(plan->program->checked, GF_SYMBOL_PARAM, k) == source) {
                to->params[i].index = k;
            }
        }
    }
    to->forall_count = register_index(plan, segment->forall_count);
    to->reduce_count = gf_llvm_fused(plan, segment, to->reduces);
    for (uint32_t k = 0; k < to->reduce_count; k++) {
        kernel->fused[to->reduces[k].buffer] = true;
    }
    size_t words = GF_ABI_PARAMS + segment->param_count + 2 * segment->buffer_count + to->reduce_count;
    to->has_scan = gf_llvm_scan_of(plan, segment, &to->scan);
    if (to->has_scan) {
        const gf_segment *source = plan->segments[to->scan.source];
        words += 1 + source->param_count + 2 * source->buffer_count;
        kernel->segments[to->scan.source].is_source = true;
        kernel->fused[to->scan.values] = kernel->fused[to->scan.sums] = true;
    }
    words += GF_LLVM_LARGEST;
    kernel->most_words = words > kernel->most_words ? words : kernel->most_words;
}

static void find_hidden(gf_cpu_kernel *kernel, size_t index) {
    const gf_segment *segment = kernel->plan->segments[index];
    for (size_t i = 0; i < segment->buffer_count; i++) {
        uint32_t buffer = segment->buffers[i].buffer;
        bool hidden = kernel->plan->buffers[buffer].kind != GF_PLAN_BUFFER_PROGRAM;
        kernel->segments[index].has_hidden |= hidden && !kernel->fused[buffer];
    }
}

static void build_all(void *context) {
    gf_cpu_kernel *kernel = context;
    const gf_plan *plan = kernel->plan;
    kernel->segments = gf_new_array(kernel->arena, gf_cpu_segment, plan->segment_count);
    kernel->fused = gf_new_array(kernel->arena, bool, plan->buffer_count);
    kernel->written = gf_new_array(kernel->arena, bool, plan->buffer_count);
    kernel->watched = gf_new_array(kernel->arena, uint32_t, plan->buffer_count);
    for (size_t i = 0; i < plan->segment_count; i++) {
        build_segment(kernel, i);
    }
    for (size_t i = 0; i < plan->segment_count; i++) {
        find_hidden(kernel, i);
    }
    builder b = {.kernel = kernel};
    kernel->prologue = build_block(&b, plan->prologue);
    kernel->body = build_block(&b, plan->body);
    gf_plan_written(plan, kernel->written);
    kernel->watched_count = gf_plan_watched(plan, kernel->written, kernel->watched);
    while (kernel->program_buffers < plan->buffer_count &&
           plan->buffers[kernel->program_buffers].kind == GF_PLAN_BUFFER_PROGRAM) {
        kernel->program_buffers++;
    }
}

/* Tracking costs a little with each write; only where something watches. */
static bool find_tracked(gf_cpu_kernel *kernel, gf_diags *diags) {
    kernel->tracked = gf_plan_tracked(kernel->plan);
    if (kernel->tracked == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < kernel->plan->buffer_count; i++) {
        bool watched = false;
        for (size_t k = 0; kernel->plan->is_fixpoint && k < kernel->watched_count; k++) {
            watched |= kernel->watched[k] == i;
        }
        kernel->tracked[i] = kernel->tracked[i] && watched;
    }
    return true;
}

static gf_cpu_kernel *make_kernel(gf_binary_store *store, gf_program *program, const gf_plan_options *options,
                                  bool checked, gf_diags *diags) {
    gf_cpu_kernel *kernel = gf_calloc(1, sizeof *kernel);
    if (kernel == NULL || pthread_mutex_init(&kernel->lock, NULL) != 0) {
        gf_free(kernel);
        (void)gf_fail_memory(diags);
        return NULL;
    }
    kernel->store = store;
    kernel->program = gf_program_hold(program);
    kernel->plan_options = options != NULL ? *options : (gf_plan_options){0};
    kernel->plan = gf_plan_create(program, options, diags);
    kernel->arena = kernel->plan != NULL ? gf_arena_create() : NULL;
    bool done =
        kernel->plan != NULL &&
        ((kernel->arena != NULL && gf_arena_protect(kernel->arena, build_all, kernel)) || gf_fail_memory(diags));
    if (!done || !find_tracked(kernel, diags) || gf_cpu_kernel_code(kernel, checked, diags) == NULL) {
        gf_cpu_kernel_destroy(kernel);
        return NULL;
    }
    return kernel;
}

gf_cpu_kernel *gf_cpu_kernel_create(gf_binary_store *store, gf_program *program, const gf_plan_options *options,
                                    gf_diags *diags) {
    return make_kernel(store, program, options, false, diags);
}

gf_cpu_kernel *gf_cpu_kernel_careful(gf_cpu_kernel *kernel, gf_diags *diags) {
    gf_plan_options options = kernel->plan_options;
    options.checked = true;
    (void)pthread_mutex_lock(&kernel->lock);
    if (kernel->careful == NULL) {
        kernel->careful = make_kernel(kernel->store, kernel->program, &options, true, diags);
    }
    gf_cpu_kernel *careful = kernel->careful;
    (void)pthread_mutex_unlock(&kernel->lock);
    return careful;
}

static void free_places(gf_llvm_module *module) {
    if (module != NULL) {
        gf_llvm_module_finish(module);
        gf_free(module);
    }
}

void gf_cpu_kernel_destroy(gf_cpu_kernel *kernel) {
    if (kernel == NULL) {
        return;
    }
    gf_cpu_kernel_destroy(kernel->careful);
    gf_binary_release(kernel->store, kernel->code[0]);
    gf_binary_release(kernel->store, kernel->code[1]);
    free_places(kernel->places[0]);
    free_places(kernel->places[1]);
    gf_free(kernel->tracked);
    gf_arena_destroy(kernel->arena);
    gf_plan_destroy(kernel->plan);
    gf_program_destroy(kernel->program);
    (void)pthread_mutex_destroy(&kernel->lock);
    gf_free(kernel);
}

const gf_binary *gf_cpu_kernel_code(gf_cpu_kernel *kernel, bool checked, gf_diags *diags) {
    gf_binary_options options = {.checked = checked, .tracked = kernel->tracked};
    (void)pthread_mutex_lock(&kernel->lock);
    gf_binary **code = &kernel->code[checked ? 1 : 0];
    if (*code == NULL) {
        *code = gf_binary_get(kernel->store, kernel->plan, &options, diags);
    }
    const gf_binary *got = *code;
    (void)pthread_mutex_unlock(&kernel->lock);
    return got;
}

static gf_llvm_module *make_places(gf_cpu_kernel *kernel, bool checked, gf_diags *diags) {
    gf_binary_options wanted = {.checked = checked, .tracked = kernel->tracked};
    gf_llvm_options options = gf_binary_emit_options(kernel->store, &wanted);
    gf_llvm_module *module = gf_calloc(1, sizeof *module);
    if (module == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    if (!gf_llvm_emit(kernel->plan, &options, module, diags)) {
        free_places(module);
        return NULL;
    }
    return module;
}

const gf_llvm_place *gf_cpu_kernel_place(gf_cpu_kernel *kernel, bool checked, uint64_t number, gf_diags *diags) {
    (void)pthread_mutex_lock(&kernel->lock);
    gf_llvm_module **places = &kernel->places[checked ? 1 : 0];
    if (*places == NULL) {
        *places = make_places(kernel, checked, diags);
    }
    const gf_llvm_module *module = *places;
    (void)pthread_mutex_unlock(&kernel->lock);
    if (module != NULL && number >= module->place_count) {
        (void)gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "compiled code names a place that the program has not");
        return NULL;
    }
    return module != NULL ? &module->places[number] : NULL;
}
