#include "metamorphic/run.h"

#include "base/memory.h"
#include "ir/program.h"

#include <string.h>

static size_t bytes_of(const gf_cli_data *data, size_t buffer) {
    const gf_cli_buffer *of = &data->buffers[buffer];
    return (size_t)(of->symbol->role == GF_ROLE_IN ? of->initial.count : of->result.count) *
           gf_type_bytes(of->symbol->type);
}

static bool is_handed_back(const gf_cli_buffer *buffer) {
    return buffer->symbol->role == GF_ROLE_INOUT || buffer->symbol->role == GF_ROLE_OUT;
}

static bool bind_buffer(gf_cli_data *data, size_t i, const char *name, gf_bindings *bindings, gf_device *device,
                        gf_diags *diags) {
    gf_cli_buffer *buffer = &data->buffers[i];
    size_t bytes = bytes_of(data, i);
    switch (buffer->symbol->role) {
    case GF_ROLE_IN:
        gf_bind_input(bindings, name, buffer->initial.data, bytes);
        return true;
    case GF_ROLE_INOUT:
        if (bytes > 0) {
            memcpy(buffer->result.data, buffer->initial.data, bytes);
        }
        gf_bind_inout(bindings, name, buffer->result.data, bytes);
        return true;
    case GF_ROLE_OUT:
        gf_bind_output(bindings, name, buffer->result.data, bytes);
        return true;
    case GF_ROLE_SCRATCH:
        if (buffer->symbol->size != NULL) {
            return true;
        }
        gf_buffer_destroy(buffer->device);
        buffer->device =
            gf_buffer_create(device, (size_t)data->lengths[i] * gf_type_bytes(buffer->symbol->type), diags);
        gf_bind_buffer(bindings, name, buffer->device);
        return buffer->device != NULL;
    }
    return false;
}

static bool bind_all(gf_program *program, gf_cli_data *data, gf_bindings *bindings, gf_device *device,
                     gf_diags *diags) {
    const gf_tree *tree = gf_program_tree(program);
    bool fine = bindings != NULL;
    for (size_t i = 0; fine && i < data->param_count; i++) {
        gf_bind_value(bindings, gf_tree_nth(tree, GF_SYMBOL_PARAM, i)->name, data->params[i]);
    }
    for (size_t i = 0; fine && i < data->buffer_count; i++) {
        fine = bind_buffer(data, i, gf_tree_nth(tree, GF_SYMBOL_BUFFER, i)->name, bindings, device, diags);
    }
    return fine;
}

static void keep_error(outcome *of, const gf_diags *diags) {
    gf_diag diag;
    for (size_t i = 0; gf_diags_get(diags, i, &diag); i++) {
        if (diag.severity == GF_SEVERITY_ERROR) {
            (void)snprintf(of->code, sizeof of->code, "%s", diag.code);
            (void)snprintf(of->message, sizeof of->message, "%s", diag.message);
            return;
        }
    }
}

outcome run_program(gf_program *program, gf_cli_data *data, const gf_cli_options *options, const way *how) {
    gf_diags *diags = gf_diags_create();
    gf_kernel_options kernel_options = {.workgroup = {how->workgroup[0], how->workgroup[1], how->workgroup[2]}};
    if (how->workgroup[0] == 0) {
        memcpy(kernel_options.workgroup, options->workgroup, sizeof kernel_options.workgroup);
    }
    gf_kernel *kernel = gf_kernel_create(how->device, program, &kernel_options, diags);
    gf_bindings *bindings = kernel == NULL ? NULL : gf_bindings_create(kernel);
    gf_run_options run = {.max_passes = options->passes,
                          .strategy = how->strategy,
                          .timeout = 60,
                          .require_converged = options->require_converged,
                          .check_races = how->check_races};
    gf_stats stats = {0};
    outcome of = {.bytes = gf_calloc(data->buffer_count + 1, sizeof *of.bytes)};
    of.ok = bind_all(program, data, bindings, how->device, diags) && gf_run(kernel, bindings, &run, &stats, diags);
    keep_error(&of, diags);
    of.passes = stats.passes;
    of.converged = stats.converged;
    for (size_t i = 0; of.ok && i < data->buffer_count; i++) {
        if (is_handed_back(&data->buffers[i])) {
            of.bytes[i] = gf_malloc(bytes_of(data, i) + 1);
            memcpy(of.bytes[i], data->buffers[i].result.data, bytes_of(data, i));
        }
    }
    gf_bindings_destroy(bindings);
    gf_kernel_destroy(kernel);
    gf_diags_destroy(diags);
    return of;
}

void drop_outcome(outcome *of, const gf_cli_data *data) {
    for (size_t i = 0; of->bytes != NULL && i < data->buffer_count; i++) {
        gf_free(of->bytes[i]);
    }
    gf_free(of->bytes);
    *of = (outcome){0};
}

bool is_same_outcome(const outcome *a, const outcome *b, const gf_cli_data *data, bool passes, char *why, size_t size) {
    if (a->ok != b->ok || strcmp(a->code, b->code) != 0) {
        (void)snprintf(why, size, "`%s %s`, not `%s %s`", b->code, b->message, a->code, a->message);
        return false;
    }
    if (passes && (a->passes != b->passes || a->converged != b->converged)) {
        (void)snprintf(why, size, "%llu passes and converged %d, not %llu and %d", (unsigned long long)b->passes,
                       (int)b->converged, (unsigned long long)a->passes, (int)a->converged);
        return false;
    }
    for (size_t i = 0; a->ok && i < data->buffer_count; i++) {
        size_t bytes = a->bytes[i] == NULL ? 0 : bytes_of(data, i), at = 0;
        while (at < bytes && a->bytes[i][at] == b->bytes[i][at]) {
            at++;
        }
        if (at < bytes) {
            const gf_symbol *symbol = data->buffers[i].symbol;
            (void)snprintf(why, size, "`%s` differs at element %zu", symbol->name, at / gf_type_bytes(symbol->type));
            return false;
        }
    }
    return true;
}
