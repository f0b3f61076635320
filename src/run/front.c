/* The front door: arguments are looked at here and nowhere else. */
#include "base/checked.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/system.h"
#include "ir/visit.h"
#include "run/job.h"
#include "run/overlap.h"
#include "run/prepared.h"
#include <stdio.h>
#include <string.h>

bool gf_options_read(gf_run_options *whole, const gf_run_options *given, gf_diags *diags) {
    memset(whole, 0, sizeof *whole);
    if (given != NULL) {
        size_t size = given->size == 0 || given->size > sizeof *whole ? sizeof *whole : given->size;
        memcpy(whole, given, size);
    }
    whole->size = sizeof *whole;
    if ((unsigned)whole->strategy >= GF_STRATEGY_COUNT) {
        return gf_fail(diags, GF_CODE_OPTION_VALUE, GF_NO_SPAN, "there is no strategy number %d", (int)whole->strategy);
    }
    if (!(whole->timeout >= 0)) {
        return gf_fail(diags, GF_CODE_OPTION_VALUE, GF_NO_SPAN, "a time limit of %g seconds is not possible",
                       whole->timeout);
    }
    return true;
}

static bool load_bound(void *user, uint32_t index, uint64_t element, uint64_t *bits) {
    gf_job *job = user;
    job->has_loaded = true;
    const gf_job_buffer *buffer = &job->buffers[index];
    const gf_bound *bound = buffer->bound;
    gf_type type = buffer->symbol->type;
    size_t size = gf_type_bytes(type);
    size_t offset = (size_t)element * size;
    uint64_t raw = 0;
    *bits = 0;
    if (buffer->symbol->role == GF_ROLE_OUT || buffer->symbol->role == GF_ROLE_SCRATCH) {
        return true;
    }
    if (bound->kind == GF_BOUND_DEVICE) {
        if (!gf_device_download(job->device, bound->buffer->memory, offset, &raw, size, NULL)) {
            return false;
        }
    } else {
        memcpy(&raw, (const char *)bound->input + offset, size);
    }
    *bits = gf_element_load(type, &raw);
    return true;
}

gf_env gf_job_env(const gf_job *job, gf_frame *frame) {
    *frame = (gf_frame){.scope = job->scope,
                        .params = job->params,
                        .lengths = job->lengths,
                        .load = load_bound,
                        .user = (void *)(uintptr_t)job};
    return gf_frame_env(frame);
}

/* The size of a buffer, or an end of what it returns. Texts are made for messages alone: a run of microseconds has no
 * time for others. */
static bool eval_size_of(const gf_expr *expr, const gf_env *env, const gf_symbol *buffer, bool is_range,
                         uint64_t *count, gf_diags *diags) {
    char text[160];
    if (gf_eval_size(expr, env, "", count, NULL)) {
        return true;
    }
    (void)snprintf(text, sizeof text, is_range ? "range that buffer `%s` returns" : "size of buffer `%s`",
                   buffer->name);
    return gf_eval_size(expr, env, text, count, diags);
}

/* ---- what is given, and what is missing ---- */

static void list_name(gf_str *list, const char *kind, const char *name) {
    gf_str_addf(list, "%s%s `%s`", list->length > 0 ? ", " : "", kind, name);
}

static bool is_needed(const gf_symbol *buffer, const gf_request *request) {
    switch (buffer->role) {
    case GF_ROLE_IN:
    case GF_ROLE_INOUT:
        return true;
    case GF_ROLE_OUT:
        return request->outputs_required || buffer->size == NULL;
    case GF_ROLE_SCRATCH:
        return buffer->size == NULL;
    }
    return false;
}

/* A segment of a plan carries values of its own. */
static bool find_present(const gf_program *program, const gf_symbol *param, gf_value *value) {
    return program->segment_state != NULL && gf_program_param(program, param->name, value);
}

static bool check_missing(const gf_job *job, const gf_request *request, gf_diags *diags) {
    gf_str list = {0};
    size_t param = 0;
    size_t buffer = 0;
    for (size_t i = 0; i < job->tree->decl_count; i++) {
        const gf_symbol *symbol = job->tree->decls[i];
        if (symbol->kind == GF_SYMBOL_PARAM) {
            gf_value present;
            if (request->params[param++].type == GF_TYPE_NONE && symbol->value == NULL &&
                !find_present(job->program, symbol, &present)) {
                list_name(&list, "param", symbol->name);
            }
        } else if (symbol->kind == GF_SYMBOL_BUFFER) {
            if (request->bound[buffer++].kind == GF_BOUND_NONE && is_needed(symbol, request)) {
                list_name(&list, "buffer", symbol->name);
            }
        }
    }
    bool complete = list.length == 0 && !list.failed;
    if (list.failed) {
        (void)gf_fail_memory(diags);
    } else if (!complete) {
        (void)gf_fail(diags, GF_CODE_UNBOUND, GF_NO_SPAN, "no value was given for %s of program `%s`", list.text,
                      job->tree->name);
        gf_fix(diags, "bind each of them before the run");
    }
    gf_str_free(&list);
    return complete;
}

static bool set_params(gf_job *job, const gf_request *request, gf_diags *diags) {
    gf_frame frame;
    gf_env env = gf_job_env(job, &frame);
    size_t index = 0;
    for (size_t i = 0; i < job->tree->decl_count; i++) {
        const gf_symbol *symbol = job->tree->decls[i];
        if (symbol->kind != GF_SYMBOL_PARAM) {
            continue;
        }
        gf_value value = request->params[index];
        if (value.type == GF_TYPE_NONE && !find_present(job->program, symbol, &value)) {
            char what[160];
            (void)snprintf(what, sizeof what, "default of param `%s`", symbol->name);
            value.type = symbol->type;
            if (!gf_eval_constant(symbol->value, &env, symbol->type, what, &value.bits, diags)) {
                return false;
            }
        } else if (value.type != symbol->type) {
            (void)gf_fail(diags, GF_CODE_BIND_TYPE, symbol->span, "param `%s` is %s and was given a value of type %s",
                          symbol->name, gf_type_name(symbol->type), gf_type_name(value.type));
            gf_fix(diags, "bind it as %s", gf_type_name(symbol->type));
            return false;
        }
        job->params[index++] = value;
    }
    return true;
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
        return "scratch";
    }
    return "";
}

static bool check_role(const gf_job *job, const gf_job_buffer *buffer, gf_diags *diags) {
    static const char *const kinds[] = {"", "an input", "an inout", "an output", "a device buffer"};
    const gf_symbol *symbol = buffer->symbol;
    const gf_bound *bound = buffer->bound;
    bool fits = true;
    switch (bound->kind) {
    case GF_BOUND_NONE:
        break;
    case GF_BOUND_INPUT:
        fits = symbol->role == GF_ROLE_IN;
        break;
    case GF_BOUND_INOUT:
        fits = symbol->role == GF_ROLE_INOUT;
        break;
    case GF_BOUND_OUTPUT:
        fits = symbol->role == GF_ROLE_OUT;
        break;
    case GF_BOUND_DEVICE:
        if (bound->buffer->device != job->device) {
            return gf_fail(diags, GF_CODE_BIND_ROLE, GF_NO_SPAN,
                           "buffer `%s` was bound to memory of another device than that of the kernel (`%s`)",
                           symbol->name, gf_device_name(job->device));
        }
        break;
    }
    if (!fits) {
        (void)gf_fail(diags, GF_CODE_BIND_ROLE, symbol->span, "buffer `%s` is `%s` and was bound as %s", symbol->name,
                      role_name(symbol->role), kinds[bound->kind]);
        gf_fix(diags, "bind it as its role says: gf_bind_input for in, gf_bind_inout for inout, gf_bind_output for "
                      "out, gf_bind_buffer for any");
        return false;
    }
    if ((bound->input == NULL && bound->input_bytes > 0) || (bound->output == NULL && bound->output_bytes > 0)) {
        return gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "buffer `%s` was bound to no memory and %zu bytes",
                       symbol->name, bound->input_bytes > 0 ? bound->input_bytes : bound->output_bytes);
    }
    return true;
}

/* ---- sizes ---- */

/* Bytes that the program can have of what was bound, by which `[]` gets its length. */
static size_t bound_bytes(const gf_bound *bound) {
    switch (bound->kind) {
    case GF_BOUND_NONE:
        return 0;
    case GF_BOUND_INPUT:
    case GF_BOUND_INOUT:
        return bound->input_bytes;
    case GF_BOUND_OUTPUT:
        return bound->output_bytes;
    case GF_BOUND_DEVICE:
        return bound->buffer->bytes;
    }
    return 0;
}

typedef struct len_search {
    const gf_symbol *buffer;
    const gf_expr *found;
} len_search;

static bool find_narrow_len(void *user, const gf_expr *expr) {
    len_search *search = user;
    if (expr->kind == GF_EXPR_LEN && expr->ref.symbol == search->buffer && expr->type == GF_TYPE_U32) {
        search->found = expr;
    }
    return search->found == NULL;
}

/* `len` of a buffer without a declared size is a u32: a longer one must not be given to a program that asks for it. */
static bool check_narrow_len(const gf_job *job, const gf_symbol *buffer, uint64_t count, gf_diags *diags) {
    len_search search = {.buffer = buffer};
    gf_visitor visitor = {.user = &search, .expr = find_narrow_len, .into_calls = true};
    if (count > UINT32_MAX) {
        gf_visit_block(&visitor, job->tree->kernel.body);
    }
    if (search.found == NULL) {
        return true;
    }
    gf_fail(diags, GF_CODE_BIND_SIZE, search.found->span, "`len(%s)` is a u32, and the buffer was given %llu elements",
            buffer->name, (unsigned long long)count);
    gf_fix(diags, "declare its size by a u64 param, `[n]`: then its `len` is a u64");
    return false;
}

static bool set_bound_length(gf_job *job, size_t index, gf_diags *diags) {
    gf_job_buffer *buffer = &job->buffers[index];
    size_t size = gf_type_bytes(buffer->symbol->type);
    size_t bytes = bound_bytes(buffer->bound);
    if (bytes % size != 0) {
        return gf_fail(diags, GF_CODE_BIND_SIZE, buffer->symbol->span,
                       "buffer `%s` was given %zu bytes, which is no whole number of %s elements (%zu bytes each)",
                       buffer->symbol->name, bytes, gf_type_name(buffer->symbol->type), size);
    }
    job->lengths[index] = bytes / size;
    return check_narrow_len(job, buffer->symbol, bytes / size, diags);
}

static bool set_declared_length(gf_job *job, size_t index, const gf_env *env, gf_diags *diags) {
    const gf_symbol *symbol = job->buffers[index].symbol;
    uint64_t count = 0;
    if (!eval_size_of(symbol->size, env, symbol, false, &count, diags)) {
        return false;
    }
    if (count > PTRDIFF_MAX / gf_type_bytes(symbol->type)) {
        return gf_fail(diags, GF_CODE_BIND_SIZE, symbol->span,
                       "buffer `%s` would have %llu elements, more than can be addressed", symbol->name,
                       (unsigned long long)count);
    }
    job->lengths[index] = count;
    return true;
}

static bool fail_short(const gf_job_buffer *buffer, const char *what, size_t have, size_t want, gf_diags *diags) {
    return gf_fail(diags, GF_CODE_BIND_SIZE, buffer->symbol->span,
                   "buffer `%s` was given %zu bytes%s and needs %zu (%llu elements of %s)", buffer->symbol->name, have,
                   what, want, (unsigned long long)(want / gf_type_bytes(buffer->symbol->type)),
                   gf_type_name(buffer->symbol->type));
}

static bool set_range(const gf_job *job, gf_job_buffer *buffer, const gf_env *env, gf_diags *diags) {
    const gf_symbol *symbol = buffer->symbol;
    size_t size = gf_type_bytes(symbol->type);
    (void)job;
    buffer->back_offset = 0;
    buffer->back_bytes = buffer->bytes;
    if (symbol->returns_from == NULL || symbol->returns_to == NULL) {
        return true;
    }
    uint64_t from = 0;
    uint64_t to = 0;
    if (!eval_size_of(symbol->returns_from, env, symbol, true, &from, diags) ||
        !eval_size_of(symbol->returns_to, env, symbol, true, &to, diags)) {
        return false;
    }
    if (from > to || to > buffer->count) {
        return gf_fail(diags, GF_CODE_RETURNS_RANGE, symbol->span,
                       "buffer `%s` has %llu elements and cannot return %llu .. %llu", symbol->name,
                       (unsigned long long)buffer->count, (unsigned long long)from, (unsigned long long)to);
    }
    buffer->back_offset = (size_t)from * size;
    buffer->back_bytes = (size_t)(to - from) * size;
    return true;
}

static bool check_bytes(const gf_job_buffer *buffer, gf_diags *diags) {
    const gf_bound *bound = buffer->bound;
    switch (bound->kind) {
    case GF_BOUND_NONE:
        return true;
    case GF_BOUND_INPUT:
        return bound->input_bytes >= buffer->bytes || fail_short(buffer, "", bound->input_bytes, buffer->bytes, diags);
    case GF_BOUND_INOUT:
        if (bound->input_bytes < buffer->bytes) {
            return fail_short(buffer, "", bound->input_bytes, buffer->bytes, diags);
        }
        return bound->output_bytes >= buffer->back_bytes ||
               fail_short(buffer, " for its result", bound->output_bytes, buffer->back_bytes, diags);
    case GF_BOUND_OUTPUT:
        return bound->output_bytes >= buffer->back_bytes ||
               fail_short(buffer, "", bound->output_bytes, buffer->back_bytes, diags);
    case GF_BOUND_DEVICE:
        return bound->buffer->bytes >= buffer->bytes ||
               fail_short(buffer, " on the device", bound->buffer->bytes, buffer->bytes, diags);
    }
    return true;
}

static bool set_geometry(gf_job *job, gf_env *env, gf_diags *diags) {
    const gf_kernel_decl *kernel = &job->tree->kernel;
    if (kernel->space_kind == GF_SPACE_INDIRECT) {
        const gf_scope_entry *counts = gf_scope_find(job->scope, kernel->indirect.symbol);
        if (counts == NULL) {
            return gf_fail(diags, GF_CODE_INTERNAL, kernel->span, "no such buffer of counts");
        }
        gf_job_buffer *buffer = &job->buffers[counts->index];
        if (job->lengths[counts->index] == GF_LENGTH_UNKNOWN) {
            if (!set_declared_length(job, counts->index, env, diags)) {
                return false;
            }
        }
        buffer->bytes = (size_t)job->lengths[counts->index] * gf_type_bytes(buffer->symbol->type);
        buffer->count = job->lengths[counts->index];
        /* It is read before the others are looked at. */
        buffer->back_bytes = 0;
        if (!check_bytes(buffer, diags)) {
            return false;
        }
    }
    return gf_geometry_eval(&job->geometry, job->tree, env, diags);
}

static bool set_sizes(gf_job *job, gf_diags *diags) {
    for (size_t i = 0; i < job->buffer_count; i++) {
        job->lengths[i] = GF_LENGTH_UNKNOWN;
        if (!check_role(job, &job->buffers[i], diags) ||
            (job->buffers[i].symbol->size == NULL && !set_bound_length(job, i, diags))) {
            return false;
        }
    }
    gf_frame frame;
    gf_env env = gf_job_env(job, &frame);
    if (!set_geometry(job, &env, diags)) {
        return false;
    }
    gf_env_set_geometry(&env, &job->geometry);
    for (size_t i = 0; i < job->buffer_count; i++) {
        gf_job_buffer *buffer = &job->buffers[i];
        if (job->lengths[i] == GF_LENGTH_UNKNOWN && !set_declared_length(job, i, &env, diags)) {
            return false;
        }
        buffer->count = job->lengths[i];
        buffer->bytes = (size_t)buffer->count * gf_type_bytes(buffer->symbol->type);
        if (!set_range(job, buffer, &env, diags) || !check_bytes(buffer, diags)) {
            return false;
        }
    }
    return true;
}

static bool set_passes(gf_job *job, gf_diags *diags) {
    const gf_expr *limit = job->tree->kernel.fixpoint;
    job->is_empty = gf_geometry_is_empty(&job->geometry);
    job->max_passes = job->options.max_passes;
    if (limit == NULL) {
        job->max_passes = job->max_passes > 0 ? job->max_passes : 1;
        job->compare = job->max_passes > 1;
        return true;
    }
    job->compare = true;
    if (job->max_passes == 0) {
        gf_frame frame;
        gf_env env = gf_job_env(job, &frame);
        gf_env_set_geometry(&env, &job->geometry);
        if (!gf_eval_size(limit, &env, "limit of the fixpoint", &job->max_passes, diags)) {
            return false;
        }
    }
    if (job->max_passes == 0 && !job->is_empty) {
        (void)gf_fail(diags, GF_CODE_PASSES, limit->span, "the fixpoint has a limit of 0 passes, and needs at least 1");
        gf_fix(diags, "give a limit of passes for the run, or a param that makes it larger");
        return false;
    }
    job->max_passes = job->max_passes > 0 ? job->max_passes : 1;
    return true;
}

/* ---- limits ---- */

uint64_t gf_tree_shared_bytes(const gf_tree *tree) {
    uint64_t total = 0;
    for (size_t i = 0; i < tree->decl_count; i++) {
        const gf_symbol *symbol = tree->decls[i];
        uint64_t bytes = 0;
        if (symbol->kind == GF_SYMBOL_SHARED &&
            (!gf_mul_u64(symbol->length, gf_type_bytes(symbol->type), &bytes) || !gf_add_u64(total, bytes, &total))) {
            return UINT64_MAX;
        }
    }
    return total;
}

bool gf_check_workgroup(const gf_device *device, const gf_tree *tree, gf_diags *diags) {
    const uint32_t *workgroup = tree->kernel.workgroup;
    uint64_t product = 0;
    bool fits = gf_mul_u64((uint64_t)workgroup[0] * workgroup[1], workgroup[2], &product);
    if (!fits || product > device->limits.max_workgroup) {
        (void)gf_fail(diags, GF_CODE_WORKGROUP_LIMIT, tree->kernel.span,
                      "a workgroup of %u x %u x %u invocations is more than the %u of device `%s`",
                      (unsigned)workgroup[0], (unsigned)workgroup[1], (unsigned)workgroup[2],
                      (unsigned)device->limits.max_workgroup, device->name);
        gf_fix(diags, "make the workgroup smaller");
        return false;
    }
    uint64_t shared = gf_tree_shared_bytes(tree);
    if (shared > device->limits.max_shared_bytes) {
        return gf_fail(diags, GF_CODE_WORKGROUP_LIMIT, tree->kernel.span,
                       "the workgroup arrays take %llu bytes, and device `%s` has %llu", (unsigned long long)shared,
                       device->name, (unsigned long long)device->limits.max_shared_bytes);
    }
    return true;
}

bool gf_check_groups(const gf_device *device, const gf_geometry *geometry, gf_diags *diags) {
    for (int axis = 0; axis < 3; axis++) {
        if (geometry->groups[axis] > device->limits.max_groups[axis]) {
            return gf_fail(diags, GF_CODE_GRID_LIMIT, GF_NO_SPAN,
                           "%llu workgroups on axis %c are more than the %llu that device `%s` takes",
                           (unsigned long long)geometry->groups[axis], "xyz"[axis],
                           (unsigned long long)device -> limits.max_groups[axis], device->name);
        }
    }
    return true;
}

/* Bytes from which it is worth the time to ask the system what it has left. */
#define WORTH_ASKING ((uint64_t)1 << 20)

bool gf_job_check_memory(const gf_job *job, uint64_t bytes, const char *what, gf_diags *diags) {
    uint64_t limit = job->options.memory_limit;
    uint64_t has = job->device != NULL ? job->device->limits.memory_bytes : 0;
    if ((job->device == NULL || job->device->limits.host_memory) && bytes >= WORTH_ASKING) {
        /* The system gives more than there is and ends the process when it is touched. */
        has = gf_system_memory_available();
    }
    bool by_device = has > 0 && (limit == 0 || has < limit);
    limit = by_device ? has : limit;
    if (limit == 0 || bytes <= limit) {
        return true;
    }
    (void)gf_fail(diags, GF_CODE_MEMORY_LIMIT, GF_NO_SPAN, "%s needs %llu bytes of device memory, and the %s is %llu",
                  what, (unsigned long long)bytes, by_device ? "memory of the device" : "limit",
                  (unsigned long long)limit);
    gf_fix(diags, "raise the limit, or bind less");
    return false;
}

static bool check_device(const gf_job *job, gf_diags *diags) {
    const gf_device *device = job->device;
    if (device == NULL) {
        return true;
    }
    if (job->options.check_races && !device->limits.races) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN, "device `%s` cannot check for races", device->name);
        gf_fix(diags, "use device `interp`");
        return false;
    }
    if (job->options.checked && !device->limits.checked) {
        return gf_fail(diags, GF_CODE_DEVICE_FEATURE, GF_NO_SPAN, "device `%s` has no checked mode", device->name);
    }
    return gf_check_groups(device, &job->geometry, diags);
}

/* ---- the whole ---- */

static bool make_tables(gf_job *job, const gf_request *request, gf_diags *diags) {
    if (job->scope == NULL) {
        job->scope = &job->own_scope;
        if (!gf_scope_add_tree(&job->own_scope, job->tree, diags)) {
            return false;
        }
        gf_scope_seal(&job->own_scope);
    }
    job->param_count = job->scope->counts[GF_SCOPE_PARAM];
    job->buffer_count = job->scope->counts[GF_SCOPE_BUFFER];
    job->params = gf_calloc(job->param_count, sizeof *job->params);
    job->buffers = gf_calloc(job->buffer_count, sizeof *job->buffers);
    job->lengths = gf_calloc(job->buffer_count, sizeof *job->lengths);
    if (job->params == NULL || job->buffers == NULL || job->lengths == NULL) {
        return gf_fail_memory(diags);
    }
    size_t index = 0;
    for (size_t i = 0; i < job->tree->decl_count; i++) {
        if (job->tree->decls[i]->kind == GF_SYMBOL_BUFFER) {
            job->buffers[index].symbol = job->tree->decls[i];
            job->buffers[index].bound = &request->bound[index];
            index++;
        }
    }
    return true;
}

bool gf_job_prepare(gf_job *job, const gf_request *request, gf_diags *diags) {
    job->program = request->program;
    job->tree = request->program->checked;
    job->device = request->device;
    job->scope = request->scope;
    if (request->prepared != NULL && gf_prepared_recall(request->prepared, job, request)) {
        return check_device(job, diags);
    }
    bool done = make_tables(job, request, diags) && check_missing(job, request, diags) &&
                set_params(job, request, diags) && set_sizes(job, diags) && gf_check_overlap(job, diags) &&
                set_passes(job, diags);
    if (done && request->prepared != NULL && !job->has_loaded) {
        gf_prepared_keep(request->prepared, job, request);
    }
    return done && check_device(job, diags);
}

void gf_job_finish(gf_job *job) {
    gf_scope_finish(&job->own_scope);
    gf_free(job->params);
    gf_free(job->buffers);
    gf_free(job->lengths);
    job->params = NULL;
    job->buffers = NULL;
    job->lengths = NULL;
}
