#include "run/kernel.h"
#include "base/memory.h"
#include "ir/visit.h"
#include "run/job.h"
#include <stdatomic.h>
#include <string.h>

static bool look_at_stmt(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_TRAP || stmt->kind == GF_STMT_ASSERT;
    return !*found;
}

static bool holds_trap(const gf_tree *tree) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .stmt = look_at_stmt, .into_calls = true};
    gf_visit_block(&visitor, tree->kernel.body);
    return found;
}

typedef struct atomic_search {
    const gf_expr *wide;
} atomic_search;

static bool look_at_expr(void *user, const gf_expr *expr) {
    atomic_search *search = user;
    if (expr->kind == GF_EXPR_ATOMIC && gf_type_bytes(expr->ref.symbol->type) == 8) {
        search->wide = search->wide != NULL ? search->wide : expr;
    }
    return true;
}

static bool check_features(const gf_device *device, const gf_tree *tree, gf_diags *diags) {
    atomic_search search = {0};
    gf_visitor visitor = {.user = &search, .expr = look_at_expr, .into_calls = true};
    if (device->limits.atomics_64) {
        return true;
    }
    gf_visit_block(&visitor, tree->kernel.body);
    if (search.wide == NULL) {
        return true;
    }
    return gf_fail(diags, GF_CODE_DEVICE_FEATURE, search.wide->span,
                   "device `%s` has no 64-bit atomics, and the program uses one on `%s`", device->name,
                   search.wide->ref.name);
}

static gf_program *take_program(gf_program *program, const gf_kernel_options *options, gf_diags *diags) {
    const uint32_t *asked = options->workgroup;
    const uint32_t *has = program->checked->kernel.workgroup;
    if ((asked[0] | asked[1] | asked[2]) == 0 || program->checked->kernel.space_kind == GF_SPACE_ONE ||
        memcmp(asked, has, sizeof options->workgroup) == 0) {
        return gf_program_hold(program);
    }
    return gf_override_workgroup(program, asked, diags);
}

gf_kernel *gf_kernel_create(gf_device *device, gf_program *program, const gf_kernel_options *options, gf_diags *diags) {
    if (device == NULL || program == NULL) {
        return NULL;
    }
    if (program->checked == NULL) {
        (void)gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN,
                      "program `%s` was parsed only and not checked: it can be printed and nothing else",
                      gf_program_name(program));
        return NULL;
    }
    gf_kernel_options whole = {0};
    if (options != NULL) {
        size_t size = options->size == 0 || options->size > sizeof whole ? sizeof whole : options->size;
        memcpy(&whole, options, size);
    }
    gf_kernel *kernel = gf_calloc(1, sizeof *kernel);
    if (kernel == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    if (pthread_mutex_init(&kernel->lock, NULL) != 0) {
        (void)gf_fail_memory(diags);
        gf_free(kernel);
        return NULL;
    }
    atomic_init(&kernel->references, 1);
    kernel->device = gf_device_hold(device);
    kernel->plan_options = whole.plan;
    kernel->plan_options.size = sizeof kernel->plan_options;
    kernel->program = take_program(program, &whole, diags);
    if (kernel->program == NULL || !gf_scope_add_tree(&kernel->scope, kernel->program->checked, diags) ||
        !gf_check_workgroup(device, kernel->program->checked, diags) ||
        !check_features(device, kernel->program->checked, diags)) {
        gf_kernel_destroy(kernel);
        return NULL;
    }
    gf_scope_seal(&kernel->scope);
    kernel->may_trap = holds_trap(kernel->program->checked);
    /* Where any grid fits, nothing can speak against compiling now what a run will want. */
    if (device->limits.grid_barrier && device->limits.max_resident_groups == UINT64_MAX &&
        gf_kernel_native(kernel, false, diags) == NULL) {
        gf_kernel_destroy(kernel);
        return NULL;
    }
    return kernel;
}

gf_kernel *gf_kernel_hold(gf_kernel *kernel) {
    (void)atomic_fetch_add(&kernel->references, 1);
    return kernel;
}

void gf_kernel_destroy(gf_kernel *kernel) {
    if (kernel == NULL || atomic_fetch_sub(&kernel->references, 1) != 1) {
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        if (kernel->native[i] != NULL) {
            kernel->device->table.discard(kernel->device->handle, kernel->native[i]);
        }
    }
    for (size_t i = 0; i < GF_PLANNED_KINDS; i++) {
        gf_planned_finish(&kernel->planned[i]);
    }
    gf_scope_finish(&kernel->scope);
    gf_program_destroy(kernel->program);
    gf_device_destroy(kernel->device);
    (void)pthread_mutex_destroy(&kernel->lock);
    gf_free(kernel);
}

static void *compile_whole(gf_kernel *kernel, gf_program *program, gf_diags *diags) {
    gf_device *device = kernel->device;
    return device->table.compile_with != NULL
               ? device->table.compile_with(device->handle, program, &kernel->plan_options, diags)
               : device->table.compile(device->handle, program, diags);
}

static void *compile(gf_kernel *kernel, bool looped, gf_diags *diags) {
    gf_device *device = kernel->device;
    size_t errors = gf_diags_error_count(diags);
    gf_program *program = looped ? gf_make_looped(kernel->program, diags) : gf_program_hold(kernel->program);
    void *native = program != NULL ? compile_whole(kernel, program, diags) : NULL;
    gf_program_destroy(program);
    if (native == NULL && gf_diags_error_count(diags) == errors) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "device `%s` failed to compile program `%s`",
                      device->name, gf_program_name(kernel->program));
    }
    return native;
}

void *gf_kernel_native(gf_kernel *kernel, bool many_passes, gf_diags *diags) {
    bool looped = many_passes && kernel->program->checked->kernel.fixpoint == NULL;
    void **native = &kernel->native[looped ? 1 : 0];
    (void)pthread_mutex_lock(&kernel->lock);
    if (*native == NULL) {
        *native = compile(kernel, looped, diags);
    }
    void *compiled = *native;
    (void)pthread_mutex_unlock(&kernel->lock);
    return compiled;
}

static bool make_planned(gf_kernel *kernel, gf_planned_kind kind, size_t which, bool compiled, gf_diags *diags) {
    gf_planned *planned = &kernel->planned[which];
    if (!kernel->is_planned[which]) {
        gf_plan_options options = kernel->plan_options;
        options.many_passes = options.many_passes || kind.many_passes;
        options.checked = options.checked || kind.checked;
        if (!gf_planned_init(planned, kernel->program, &options, diags)) {
            gf_planned_finish(planned);
            return false;
        }
        kernel->is_planned[which] = true;
    }
    if (compiled && !kernel->is_compiled[which]) {
        kernel->is_compiled[which] = gf_planned_compile(planned, kernel->device, diags);
        return kernel->is_compiled[which];
    }
    return true;
}

const gf_planned *gf_kernel_planned(gf_kernel *kernel, gf_planned_kind kind, bool compiled, gf_diags *diags) {
    size_t which = (kind.many_passes ? 1U : 0U) + (kind.checked ? 2U : 0U);
    (void)pthread_mutex_lock(&kernel->lock);
    bool done = make_planned(kernel, kind, which, compiled, diags);
    (void)pthread_mutex_unlock(&kernel->lock);
    return done ? &kernel->planned[which] : NULL;
}

const gf_plan *gf_kernel_plan(gf_kernel *kernel, bool many_passes, gf_diags *diags) {
    gf_planned_kind kind = {.many_passes = many_passes};
    const gf_planned *planned = kernel != NULL ? gf_kernel_planned(kernel, kind, false, diags) : NULL;
    return planned != NULL ? planned->plan : NULL;
}

uint64_t gf_kernel_max_resident_groups(gf_kernel *kernel) {
    if (kernel == NULL || !kernel->device->limits.grid_barrier) {
        return 0;
    }
    uint64_t most = kernel->device->limits.max_resident_groups;
    if (kernel->device->table.resident_groups != NULL) {
        void *native = gf_kernel_native(kernel, false, NULL);
        uint64_t by_kernel = native != NULL ? kernel->device->table.resident_groups(kernel->device->handle, native) : 0;
        most = by_kernel == UINT64_MAX || by_kernel < most ? by_kernel : most;
    }
    return most;
}
