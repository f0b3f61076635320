/* Programs as text, run by the interpreter alone: what the tests of this folder stand on. */
#ifndef GF_TESTS_INTERP_JOB_H
#define GF_TESTS_INTERP_JOB_H

#include "backend/interp/interp.h"
#include "base/clock.h"
#include "base/memory.h"
#include "ir/eval.h"
#include <gridfence/program.h>

#include "unit/unit.h"

#define JOB_MOST 12

typedef struct job {
    gf_diags *diags;
    gf_program *program;
    gf_interp_kernel *kernel;
    gf_value params[JOB_MOST];
    gf_launch_buffer buffers[JOB_MOST];
    void *owned[JOB_MOST];
    gf_launch launch;
    gf_launch_result result;
    gf_stop stop;
} job;

static inline size_t job_index(const gf_tree *tree, gf_symbol_kind kind, const char *name) {
    size_t count = gf_tree_count(tree, kind);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(gf_tree_nth(tree, kind, i)->name, name) == 0) {
            return i;
        }
    }
    fail_msg("no `%s`", name);
    return 0;
}

static inline bool job_symbol(void *user, const gf_symbol *symbol, uint64_t *bits) {
    job *j = (job *)user;
    if (symbol->kind != GF_SYMBOL_PARAM) {
        return false;
    }
    *bits = j->params[job_index(j->program->checked, GF_SYMBOL_PARAM, symbol->name)].bits;
    return true;
}

static inline bool job_length(void *user, const gf_symbol *symbol, uint64_t *count) {
    job *j = (job *)user;
    *count = j->buffers[job_index(j->program->checked, GF_SYMBOL_BUFFER, symbol->name)].count;
    return true;
}

/* Parses and compiles; a program that the test got wrong prints why. */
static inline void job_open(job *j, const char *text) {
    memset(j, 0, sizeof *j);
    j->diags = gf_diags_create();
    j->program = gf_program_parse(text, strlen(text), "test.gf", j->diags);
    if (j->program == NULL) {
        gf_diags_print(j->diags, stderr);
        fail_msg("the program of the test is wrong");
        return;
    }
    gf_diags_clear(j->diags); /* warnings */
    j->kernel = gf_interp_compile(j->program, j->diags);
    if (j->kernel == NULL) {
        gf_diags_print(j->diags, stderr);
    }
    assert_non_null(j->kernel);
    const gf_tree *tree = j->program->checked;
    assert_true(gf_tree_count(tree, GF_SYMBOL_PARAM) <= JOB_MOST && gf_tree_count(tree, GF_SYMBOL_BUFFER) <= JOB_MOST);
    j->launch = (gf_launch){.params = j->params, .buffers = j->buffers, .max_passes = 1, .stop = &j->stop};
}

static inline void job_set(job *j, const char *name, uint64_t bits) {
    size_t i = job_index(j->program->checked, GF_SYMBOL_PARAM, name);
    j->params[i] = (gf_value){.type = gf_tree_nth(j->program->checked, GF_SYMBOL_PARAM, i)->type, .bits = bits};
}

static inline void job_bind(job *j, const char *name, void *data, uint64_t count) {
    j->buffers[job_index(j->program->checked, GF_SYMBOL_BUFFER, name)] =
        (gf_launch_buffer){.data = data, .count = count};
}

static inline void *job_data(const job *j, const char *name) {
    return j->buffers[job_index(j->program->checked, GF_SYMBOL_BUFFER, name)].data;
}

static inline uint32_t job_u32(const job *j, const char *name, size_t index) {
    uint32_t value;
    memcpy(&value, (const char *)job_data(j, name) + index * sizeof value, sizeof value);
    return value;
}

/* Gives sized buffers that nobody bound zeros, computes the space, launches. */
static inline bool job_go(job *j) {
    const gf_tree *tree = j->program->checked;
    gf_env env = {.user = j, .symbol = job_symbol, .length = job_length};
    for (size_t i = 0; i < gf_tree_count(tree, GF_SYMBOL_BUFFER); i++) {
        const gf_symbol *symbol = gf_tree_nth(tree, GF_SYMBOL_BUFFER, i);
        uint64_t count;
        if (j->buffers[i].data == NULL && symbol->size != NULL) {
            assert_true(gf_eval_size(symbol->size, &env, symbol->name, &count, j->diags));
            j->owned[i] = calloc((size_t)count + 1, gf_type_bytes(symbol->type));
            assert_non_null(j->owned[i]);
            j->buffers[i] = (gf_launch_buffer){.data = j->owned[i], .count = count};
        }
    }
    for (size_t axis = 0; axis < 3; axis++) {
        uint64_t size = 1, width = tree->kernel.workgroup[axis];
        bool groups = tree->kernel.space_kind == GF_SPACE_GROUPS;
        if (axis < tree->kernel.space_axes) {
            assert_true(gf_eval_size(tree->kernel.space[axis], &env, "space", &size, j->diags));
        }
        j->launch.space[axis] = groups ? size * width : size;
        j->launch.groups[axis] = groups ? size : (size + width - 1) / width;
    }
    gf_diags_clear(j->diags);
    return gf_interp_launch(j->kernel, &j->launch, &j->result, j->diags);
}

/* Launches and prints what goes wrong. */
static inline void job_must(job *j) {
    if (!job_go(j)) {
        gf_diags_print(j->diags, stderr);
        fail_msg("the run failed");
    }
}

static inline void job_close(job *j) {
    for (size_t i = 0; i < JOB_MOST; i++) {
        free(j->owned[i]);
    }
    gf_interp_destroy(j->kernel);
    gf_program_destroy(j->program);
    gf_diags_destroy(j->diags);
}

static inline void job_expect(const job *j, const char *name, const uint32_t *wanted, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (job_u32(j, name, i) != wanted[i]) {
            fail_msg("%s[%zu] is %u, not %u", name, i, (unsigned)job_u32(j, name, i), (unsigned)wanted[i]);
        }
    }
}

/* The code of the first message, "" if there is none. */
static inline const char *job_error(const job *j) {
    static gf_diag diag;
    return gf_diags_get(j->diags, 0, &diag) ? diag.name : "";
}

#endif
