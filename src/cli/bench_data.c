#include "cli/bench_data.h"
#include "base/memory.h"
#include "io/file.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 4096

void gf_bench_arrays_free(gf_bench_arrays *arrays) {
    for (size_t i = 0; i < arrays->count; i++) {
        if (!arrays->items[i].borrowed) {
            gf_free(arrays->items[i].data);
        }
    }
    memset(arrays, 0, sizeof *arrays);
}

void gf_bench_case_free(gf_bench_case *at) {
    gf_bench_arrays_free(&at->inputs);
    gf_bench_arrays_free(&at->outputs);
    gf_bench_arrays_free(&at->expected);
    memset(at, 0, sizeof *at);
}

const gf_bench_array *gf_bench_find(const gf_bench_arrays *arrays, const char *name) {
    for (size_t i = 0; i < arrays->count; i++) {
        if (strcmp(arrays->items[i].name, name) == 0) {
            return &arrays->items[i];
        }
    }
    return NULL;
}

void gf_bench_borrow(gf_bench_arrays *arrays, const char *name, gf_type type, void *data, uint64_t count) {
    arrays->items[arrays->count++] =
        (gf_bench_array){.name = name, .type = type, .data = data, .count = count, .borrowed = true};
}

void *gf_bench_add(gf_bench_arrays *arrays, const char *name, gf_type type, uint64_t count, gf_diags *diags) {
    void *data = gf_calloc_data((size_t)count + 1, gf_type_bytes(type));
    if (data == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    gf_bench_borrow(arrays, name, type, data, count);
    arrays->items[arrays->count - 1].borrowed = false;
    return data;
}

void gf_bench_set(gf_bench_case *at, const char *param, double value) {
    at->params[at->param_count++] = (gf_bench_param){.name = param, .value = value};
}

double gf_bench_get(const gf_bench_case *at, const char *param) {
    for (size_t i = 0; i < at->param_count; i++) {
        if (strcmp(at->params[i].name, param) == 0) {
            return at->params[i].value;
        }
    }
    return 0;
}

static void make_path(char path[PATH_SIZE], const char *folder, const char *prefix, const gf_bench_array *array) {
    (void)snprintf(path, PATH_SIZE, "%s/%s%s.%s", folder, prefix, array->name, gf_type_name(array->type));
}

/* An array that holds what an earlier one holds is a link to it. */
static bool save_array(const gf_bench_arrays *arrays, size_t index, const char *folder, gf_diags *diags) {
    const gf_bench_array *array = &arrays->items[index];
    char path[PATH_SIZE];
    make_path(path, folder, "", array);
    for (size_t i = 0; i < index; i++) {
        const gf_bench_array *before = &arrays->items[i];
        if (before->data == array->data && before->count == array->count && before->type == array->type) {
            char name[PATH_SIZE];
            (void)snprintf(name, sizeof name, "%s.%s", before->name, gf_type_name(before->type));
            (void)unlink(path);
            if (symlink(name, path) == 0) {
                return true;
            }
        }
    }
    gf_file_writer writer;
    if (!gf_file_begin(&writer, path, diags)) {
        return false;
    }
    gf_file_put(&writer, array->data, (size_t)array->count * gf_type_bytes(array->type));
    return gf_file_commit(&writer, diags);
}

bool gf_bench_save(const gf_bench_case *at, const char *folder, gf_diags *diags) {
    char path[PATH_SIZE];
    gf_str text = {0};
    for (size_t i = 0; i < at->param_count; i++) {
        gf_str_addf(&text, "%s %.17g\n", at->params[i].name, at->params[i].value);
    }
    (void)snprintf(path, sizeof path, "%s/params.txt", folder);
    bool done = gf_cli_write(path, &text, diags);
    for (size_t i = 0; done && i < at->inputs.count; i++) {
        done = save_array(&at->inputs, i, folder, diags);
    }
    return done;
}

static bool load_result(const gf_bench_array *wanted, const char *folder, gf_bench_arrays *results, char why[160]) {
    char path[PATH_SIZE];
    make_path(path, folder, "out-", wanted);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return true;
    }
    size_t width = gf_type_bytes(wanted->type);
    void *data = gf_bench_add(results, wanted->name, wanted->type, wanted->count, NULL);
    /* The element more that gf_bench_add keeps shows a file that is too long. */
    size_t got = data != NULL ? fread(data, width, (size_t)wanted->count + 1, file) : 0;
    (void)fclose(file);
    if (data != NULL && got == wanted->count) {
        return true;
    }
    (void)snprintf(why, 160, "out-%.40s has %s than %" PRIu64 " elements", wanted->name,
                   got > wanted->count ? "more" : "fewer", wanted->count);
    return false;
}

bool gf_bench_load_results(const gf_bench_case *at, const char *folder, gf_bench_arrays *results, char why[160]) {
    bool done = true;
    for (size_t i = 0; done && i < at->outputs.count; i++) {
        done = load_result(&at->outputs.items[i], folder, results, why);
    }
    return done;
}

void gf_bench_remove_results(const gf_bench_case *at, const char *folder) {
    char path[PATH_SIZE];
    for (size_t i = 0; i < at->outputs.count; i++) {
        make_path(path, folder, "out-", &at->outputs.items[i]);
        (void)unlink(path);
    }
}

void gf_bench_remove(const gf_bench_case *at, const char *folder) {
    char path[PATH_SIZE];
    gf_bench_remove_results(at, folder);
    for (size_t i = 0; i < at->inputs.count; i++) {
        make_path(path, folder, "", &at->inputs.items[i]);
        (void)unlink(path);
    }
    (void)snprintf(path, sizeof path, "%s/params.txt", folder);
    (void)unlink(path);
}
