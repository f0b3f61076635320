/* The door of the interpreter: compile, launch, passes. */
#include "backend/interp/interp.h"

#include "backend/interp/races.h"
#include "base/memory.h"
#include "ir/eval.h"

#include <string.h>

struct gf_interp_kernel {
    gf_program *program;
    gf_arena *arena;
    gf_module plain, watched;
};

typedef struct compile_job {
    gf_interp_kernel *kernel;
    gf_diags *diags;
    bool done;
} compile_job;

static void compile_both(void *context) {
    compile_job *job = context;
    gf_interp_kernel *kernel = job->kernel;
    const gf_tree *tree = kernel->program->checked;
    job->done = gf_module_compile(kernel->arena, tree, false, &kernel->plain, job->diags) &&
                gf_module_compile(kernel->arena, tree, true, &kernel->watched, job->diags);
}

gf_interp_kernel *gf_interp_compile(gf_program *program, gf_diags *diags) {
    if (program == NULL) {
        return NULL;
    }
    if (program->checked == NULL) {
        gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "a program that was not checked cannot run");
        return NULL;
    }
    gf_interp_kernel *kernel = gf_calloc(1, sizeof *kernel);
    gf_arena *arena = kernel == NULL ? NULL : gf_arena_create();
    if (arena == NULL) {
        gf_free(kernel);
        gf_fail_memory(diags);
        return NULL;
    }
    kernel->arena = arena;
    kernel->program = gf_program_hold(program);
    compile_job job = {.kernel = kernel, .diags = diags};
    bool enough = gf_arena_protect(arena, compile_both, &job);
    if (!enough) {
        gf_fail_memory(diags);
    }
    if (!enough || !job.done) {
        gf_interp_destroy(kernel);
        return NULL;
    }
    return kernel;
}

void gf_interp_destroy(gf_interp_kernel *kernel) {
    if (kernel != NULL) {
        gf_arena_destroy(kernel->arena);
        gf_program_destroy(kernel->program);
        gf_free(kernel);
    }
}

/* ---- passes ---- */

static uint32_t watched_index(const gf_machine *m, size_t which) {
    const gf_symbol *symbol = m->tree->kernel.watched[which].symbol;
    uint32_t index = 0;
    while (index < m->code->buffer_count && m->code->arrays[index].symbol != symbol) {
        index++;
    }
    return index;
}

static size_t bytes_of(const gf_machine *m, uint32_t buffer) {
    return (size_t)(m->launch->buffers[buffer].count * gf_type_bytes(m->code->arrays[buffer].type));
}

static bool take_snapshots(gf_machine *m) {
    for (size_t i = 0; i < m->tree->kernel.watched_count; i++) {
        uint32_t buffer = watched_index(m, i);
        if (buffer == m->code->buffer_count || bytes_of(m, buffer) == 0) {
            continue;
        }
        if (m->snapshots[i] == NULL) {
            m->snapshots[i] = gf_malloc(bytes_of(m, buffer));
        }
        if (m->snapshots[i] == NULL) {
            m->no_memory = true;
            return false;
        }
        memcpy(m->snapshots[i], m->launch->buffers[buffer].data, bytes_of(m, buffer));
    }
    return true;
}

/* By name: a swap may have put other memory behind it. */
static bool has_changed(const gf_machine *m) {
    for (size_t i = 0; i < m->tree->kernel.watched_count; i++) {
        uint32_t buffer = watched_index(m, i);
        if (m->snapshots[i] != NULL &&
            memcmp(m->snapshots[i], m->launch->buffers[buffer].data, bytes_of(m, buffer)) != 0) {
            return true;
        }
    }
    return false;
}

static void run_passes(gf_machine *m) {
    const gf_launch *launch = m->launch;
    for (uint64_t pass = 0; pass < launch->max_passes; pass++) {
        if (pass > 0) { /* the border of a pass */
            m->result->barriers += m->worked;
            m->stretch++;
            m->foralls = 0;
            m->pending_count = 0;
            gf_races_barrier(m);
        }
        if (gf_must_stop(m) || (launch->compare && !take_snapshots(m)) || gf_run_pass(m) == GF_OUTCOME_STOPPED) {
            return;
        }
        m->result->passes++;
        bool changed = launch->compare ? has_changed(m) : true;
        if (launch->compare && !m->has_said) {
            m->result->converged = changed ? GF_CONVERGED_NO : GF_CONVERGED_YES;
        }
        bool go_on = launch->on_pass == NULL || launch->on_pass(launch->user, m->result->passes, changed);
        if (!changed || !go_on) {
            return;
        }
    }
}

static bool is_empty(const gf_launch *launch) {
    for (int axis = 0; axis < 3; axis++) {
        if (launch->space[axis] == 0 || launch->groups[axis] == 0) {
            return true;
        }
    }
    return false;
}

bool gf_interp_launch(const gf_interp_kernel *kernel, const gf_launch *launch, gf_launch_result *result,
                      gf_diags *diags) {
    const gf_tree *tree = kernel->program->checked;
    *result = (gf_launch_result){.converged = GF_CONVERGED_UNKNOWN};
    if (is_empty(launch)) {
        result->passes = 1;
        result->converged = launch->compare || tree->kernel.fixpoint != NULL ? GF_CONVERGED_YES : GF_CONVERGED_UNKNOWN;
        if (launch->on_pass != NULL) {
            launch->on_pass(launch->user, 1, false);
        }
        return true;
    }
    gf_machine machine;
    const gf_module *code = launch->checked || launch->races ? &kernel->watched : &kernel->plain;
    bool fine = gf_machine_init(&machine, code, tree, launch, result, diags);
    if (fine) {
        gf_float_mode mode;
        gf_float_mode_enter(&mode);
        run_passes(&machine);
        gf_float_mode_leave(&mode);
        fine = gf_report(&machine);
    }
    gf_machine_close(&machine);
    return fine;
}
