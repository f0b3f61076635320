#include "run/bindings.h"
#include "base/memory.h"
#include <stdatomic.h>
#include <string.h>

gf_bindings *gf_bindings_create(gf_kernel *kernel) {
    if (kernel == NULL) {
        return NULL;
    }
    gf_bindings *bindings = gf_calloc(1, sizeof *bindings);
    if (bindings == NULL) {
        return NULL;
    }
    atomic_init(&bindings->references, 1);
    bindings->kernel = gf_kernel_hold(kernel);
    bindings->param_count = gf_tree_count(kernel->program->checked, GF_SYMBOL_PARAM);
    bindings->buffer_count = gf_tree_count(kernel->program->checked, GF_SYMBOL_BUFFER);
    bindings->params = gf_calloc(bindings->param_count, sizeof *bindings->params);
    bindings->buffers = gf_calloc(bindings->buffer_count, sizeof *bindings->buffers);
    if (bindings->params == NULL || bindings->buffers == NULL) {
        gf_bindings_destroy(bindings);
        return NULL;
    }
    return bindings;
}

gf_bindings *gf_bindings_hold(gf_bindings *bindings) {
    (void)atomic_fetch_add(&bindings->references, 1);
    return bindings;
}

void gf_bindings_destroy(gf_bindings *bindings) {
    if (bindings == NULL || atomic_fetch_sub(&bindings->references, 1) != 1) {
        return;
    }
    for (size_t i = 0; bindings->buffers != NULL && i < bindings->buffer_count; i++) {
        gf_buffer_destroy(bindings->buffers[i].buffer);
    }
    gf_free(bindings->params);
    gf_free(bindings->buffers);
    gf_free(bindings->bad_name);
    gf_free(bindings->profile.entries);
    gf_prepared_finish(&bindings->prepared);
    gf_kernel_destroy(bindings->kernel);
    gf_free(bindings);
}

static const char *safe_name(const char *name) {
    return name != NULL ? name : "";
}

static bool may_change(gf_bindings *bindings) {
    if (bindings == NULL) {
        return false;
    }
    if (atomic_load(&bindings->in_flight) > 0) {
        bindings->changed_in_flight = true;
        return false;
    }
    return true;
}

/* The place among the declarations of that kind; false and noted where there is none. */
static bool find_place(gf_bindings *bindings, gf_symbol_kind kind, const char *name, size_t *place) {
    const gf_tree *tree = bindings->kernel->program->checked;
    *place = 0;
    for (size_t i = 0; i < tree->decl_count; i++) {
        if (tree->decls[i]->kind == kind) {
            if (strcmp(tree->decls[i]->name, safe_name(name)) == 0) {
                return true;
            }
            (*place)++;
        }
    }
    if (bindings->bad_name == NULL) {
        bindings->bad_name = gf_strdup(safe_name(name));
        bindings->bad_is_param = kind == GF_SYMBOL_PARAM;
        bindings->no_memory = bindings->bad_name == NULL;
    }
    return false;
}

void gf_bind_value(gf_bindings *bindings, const char *param, gf_value value) {
    size_t place = 0;
    if (may_change(bindings) && find_place(bindings, GF_SYMBOL_PARAM, param, &place)) {
        bindings->params[place] = value;
    }
}

void gf_bind_u32(gf_bindings *bindings, const char *param, uint32_t value) {
    gf_bind_value(bindings, param, (gf_value){.type = GF_TYPE_U32, .bits = value});
}

void gf_bind_i32(gf_bindings *bindings, const char *param, int32_t value) {
    gf_bind_value(bindings, param, (gf_value){.type = GF_TYPE_I32, .bits = (uint32_t)value});
}

void gf_bind_u64(gf_bindings *bindings, const char *param, uint64_t value) {
    gf_bind_value(bindings, param, (gf_value){.type = GF_TYPE_U64, .bits = value});
}

void gf_bind_i64(gf_bindings *bindings, const char *param, int64_t value) {
    gf_bind_value(bindings, param, (gf_value){.type = GF_TYPE_I64, .bits = (uint64_t)value});
}

void gf_bind_f32(gf_bindings *bindings, const char *param, float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    gf_bind_value(bindings, param, (gf_value){.type = GF_TYPE_F32, .bits = bits});
}

void gf_bind_f64(gf_bindings *bindings, const char *param, double value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    gf_bind_value(bindings, param, (gf_value){.type = GF_TYPE_F64, .bits = bits});
}

void gf_bind_bool(gf_bindings *bindings, const char *param, bool value) {
    gf_bind_value(bindings, param, (gf_value){.type = GF_TYPE_BOOL, .bits = value ? 1 : 0});
}

/* Takes over the hold on bound.buffer. */
static void bind(gf_bindings *bindings, const char *name, gf_bound bound) {
    size_t place = 0;
    if (may_change(bindings) && find_place(bindings, GF_SYMBOL_BUFFER, name, &place)) {
        gf_buffer *old = bindings->buffers[place].buffer;
        if (old != NULL && old != bound.buffer) {
            gf_prepared_finish(&bindings->prepared); /* another may be made where that one was */
        }
        bindings->buffers[place] = bound;
        gf_buffer_destroy(old);
    } else {
        gf_buffer_destroy(bound.buffer);
    }
}

void gf_bind_input(gf_bindings *bindings, const char *buffer, const void *data, size_t bytes) {
    bind(bindings, buffer, (gf_bound){.kind = GF_BOUND_INPUT, .input = data, .input_bytes = bytes});
}

void gf_bind_inout(gf_bindings *bindings, const char *buffer, void *data, size_t bytes) {
    bind(
        bindings, buffer,
        (gf_bound){.kind = GF_BOUND_INOUT, .input = data, .input_bytes = bytes, .output = data, .output_bytes = bytes});
}

void gf_bind_output(gf_bindings *bindings, const char *buffer, void *data, size_t bytes) {
    bind(bindings, buffer, (gf_bound){.kind = GF_BOUND_OUTPUT, .output = data, .output_bytes = bytes});
}

void gf_bind_buffer(gf_bindings *bindings, const char *buffer, gf_buffer *data) {
    if (data == NULL) {
        /* The call that should have made it has said why: the buffer counts as not bound. */
        bind(bindings, buffer, (gf_bound){.kind = GF_BOUND_NONE});
        return;
    }
    bind(bindings, buffer, (gf_bound){.kind = GF_BOUND_DEVICE, .buffer = gf_buffer_hold(data)});
}

bool gf_bindings_check(gf_bindings *bindings, gf_diags *diags) {
    bool fine = true;
    if (bindings->no_memory) {
        fine = gf_fail_memory(diags);
    } else if (bindings->bad_name != NULL) {
        fine = gf_fail(diags, GF_CODE_BIND_NAME, GF_NO_SPAN, "program `%s` has no %s `%s`",
                       gf_program_name(bindings->kernel->program), bindings->bad_is_param ? "param" : "buffer",
                       bindings->bad_name);
    } else if (bindings->changed_in_flight) {
        fine = gf_fail(diags, GF_CODE_IN_FLIGHT, GF_NO_SPAN,
                       "bindings were changed while a run that uses them was in flight; the change was not taken");
        gf_fix(diags, "wait for the run first, or use bindings of its own for each run");
    }
    gf_free(bindings->bad_name);
    bindings->bad_name = NULL;
    bindings->no_memory = false;
    bindings->changed_in_flight = false;
    return fine;
}

size_t gf_run_profile(const gf_bindings *bindings, gf_profile_entry *entries, size_t capacity) {
    if (bindings == NULL) {
        return 0;
    }
    size_t count = bindings->profile.count;
    for (size_t i = 0; i < count && i < capacity; i++) {
        entries[i] = bindings->profile.entries[i];
    }
    return count;
}
