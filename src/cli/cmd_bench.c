#include "base/json_text.h"
#include "base/memory.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/workloads.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEAT_DEFAULT 3
#define REPEAT_MOST 1000

typedef struct bench {
    bool json, list;
    uint64_t repeat;
    gf_str out;
    size_t rows;
} bench;

static void bind_data(gf_bindings *bindings, gf_workload_data *data) {
    gf_bind_u32(bindings, "n", data->n);
    for (size_t i = 0; i < data->buffer_count; i++) {
        gf_workload_buffer *buffer = &data->buffers[i];
        memcpy(buffer->data, buffer->initial, buffer->bytes);
        switch (buffer->role) {
        case GF_BUFFER_IN:
            gf_bind_input(bindings, buffer->name, buffer->data, buffer->bytes);
            break;
        case GF_BUFFER_INOUT:
            gf_bind_inout(bindings, buffer->name, buffer->data, buffer->bytes);
            break;
        case GF_BUFFER_OUT:
            gf_bind_output(bindings, buffer->name, buffer->data, buffer->bytes);
            break;
        case GF_BUFFER_SCRATCH:
            break;
        }
    }
}

static bool is_right(const gf_workload_data *data) {
    for (size_t i = 0; i < data->buffer_count; i++) {
        const gf_workload_buffer *buffer = &data->buffers[i];
        if (buffer->expected != NULL && memcmp(buffer->data, buffer->expected, buffer->bytes) != 0) {
            return false;
        }
    }
    return true;
}

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static void add_row(bench *at, const gf_workload *workload, const char *device, const char *strategy, double seconds,
                    bool ok) {
    if (!at->json) {
        (void)printf("%-12s %-36s %-8s %-10s %12.6f s  %s\n", workload->name, workload->size, device, strategy, seconds,
                     ok ? "right" : "WRONG");
        (void)fflush(stdout);
        return;
    }
    gf_str_add(&at->out, at->rows > 0 ? ",\n {\"name\": " : "[{\"name\": ");
    gf_json_string(&at->out, workload->name);
    gf_str_add(&at->out, ", \"size\": ");
    gf_json_string(&at->out, workload->size);
    gf_str_add(&at->out, ", \"device\": ");
    gf_json_string(&at->out, device);
    gf_str_add(&at->out, ", \"strategy\": ");
    gf_json_string(&at->out, strategy);
    gf_str_addf(&at->out, ", \"seconds\": %.9g, \"peers\": {}, \"ok\": %s}", seconds, ok ? "true" : "false");
    at->rows++;
}

/* A strategy that the device does not have makes no row. */
static bool measure(bench *at, const gf_workload *workload, gf_workload_data *data, gf_device *device,
                    gf_kernel *kernel, gf_strategy strategy, gf_diags *diags) {
    gf_bindings *bindings = gf_bindings_create(kernel);
    double *seconds = gf_calloc((size_t)at->repeat, sizeof *seconds);
    gf_diags *own = gf_diags_create();
    gf_run_options options = {.strategy = strategy};
    bool done = bindings != NULL && seconds != NULL && own != NULL;
    bool ok = true;
    if (!done) {
        (void)gf_fail_memory(diags);
    }
    for (uint64_t i = 0; done && i < at->repeat; i++) {
        gf_stats stats;
        bind_data(bindings, data);
        done = gf_run(kernel, bindings, &options, &stats, own);
        if (done) {
            seconds[i] = stats.seconds_wall;
            ok = is_right(data) && ok;
        }
    }
    bool absent = !done && gf_diags_status(own) == GF_STATUS_DEVICE;
    if (done) {
        qsort(seconds, (size_t)at->repeat, sizeof *seconds, compare_doubles);
        add_row(at, workload, gf_device_name(device), gf_strategy_name(strategy), seconds[at->repeat / 2], ok);
    } else if (!absent) {
        gf_diags_take(diags, own);
    }
    if (!ok) {
        (void)gf_fail(diags, GF_CODE_RESULTS_DIFFER, GF_NO_SPAN, "workload %s gave a wrong result on %s by %s",
                      workload->name, gf_device_name(device), gf_strategy_name(strategy));
    }
    gf_diags_destroy(own);
    gf_free(seconds);
    gf_bindings_destroy(bindings);
    return done || absent;
}

static bool measure_device(bench *at, const gf_workload *workload, gf_workload_data *data, gf_program *program,
                           gf_device *device, gf_diags *diags) {
    static const gf_strategy strategies[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_PERSISTENT, GF_STRATEGY_RESIDENT,
                                             GF_STRATEGY_HOST};
    gf_kernel *kernel = gf_kernel_create(device, program, NULL, diags);
    bool done = kernel != NULL;
    for (size_t i = 0; done && i < sizeof strategies / sizeof strategies[0]; i++) {
        done = measure(at, workload, data, device, kernel, strategies[i], diags);
    }
    gf_kernel_destroy(kernel);
    return done;
}

static bool run_workload(bench *at, const gf_workload *workload, gf_diags *diags) {
    gf_workload_data data = {0};
    gf_program *program = gf_program_parse(workload->text, strlen(workload->text), workload->name, diags);
    bool done = program != NULL && workload->make(&data, diags);
    for (size_t i = 0; done && gf_device_kind(i) != NULL; i++) {
        gf_device *device = gf_device_open(gf_device_kind(i), NULL);
        done = device == NULL || measure_device(at, workload, &data, program, device, diags);
        gf_device_destroy(device);
    }
    gf_workload_free(&data);
    gf_program_destroy(program);
    return done;
}

static const gf_workload *find_workload(const char *name) {
    for (size_t i = 0; gf_workload_get(i) != NULL; i++) {
        if (strcmp(gf_workload_get(i)->name, name) == 0) {
            return gf_workload_get(i);
        }
    }
    return NULL;
}

static void list_workloads(void) {
    for (size_t i = 0; gf_workload_get(i) != NULL; i++) {
        (void)printf("%-12s %s\n", gf_workload_get(i)->name, gf_workload_get(i)->size);
    }
}

/* The names that were given, checked. */
static size_t read_options(bench *at, int argc, char **argv, const gf_workload **chosen, bool *help, gf_diags *diags) {
    static const struct option table[] = {
        {"json", 0, NULL, 'j'}, {"list", 0, NULL, 'l'}, {"repeat", 1, NULL, 'r'}, {"help", 0, NULL, 'h'}, {0}};
    size_t count = 0;
    gf_cli_getopt_begin();
    for (int got = 0; (got = gf_cli_getopt(argc, argv, table, diags)) != -1;) {
        at->json = at->json || got == 'j';
        at->list = at->list || got == 'l';
        *help = *help || got == 'h';
        if (got == 'r') {
            char *end = NULL;
            at->repeat = strtoull(optarg, &end, 10);
            if (*end != '\0' || at->repeat < 1 || at->repeat > REPEAT_MOST) {
                (void)gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN,
                              "--repeat: '%.60s' is not a number of runs from 1 to %d", optarg, REPEAT_MOST);
            }
        }
        if (got == 1) {
            chosen[count] = find_workload(optarg);
            if (chosen[count++] == NULL) {
                (void)gf_fail(diags, GF_CODE_WORKLOAD_UNKNOWN, GF_NO_SPAN, "there is no workload '%.60s'", optarg);
                gf_fix(diags, "`gridfence bench --list` names them");
            }
        }
    }
    return count;
}

int gf_cmd_bench(int argc, char **argv, gf_diags *diags) {
    bench at = {.repeat = REPEAT_DEFAULT};
    bool help = false;
    const gf_workload **chosen = gf_calloc((size_t)argc + 1, sizeof *chosen);
    if (chosen == NULL) {
        (void)gf_fail_memory(diags);
        return GF_STATUS_DEVICE;
    }
    size_t count = read_options(&at, argc, argv, chosen, &help, diags);
    if (help) {
        gf_cli_help("bench");
    } else if (gf_diags_error_count(diags) == 0 && at.list) {
        list_workloads();
    } else if (gf_diags_error_count(diags) == 0) {
        bool done = true;
        for (size_t i = 0; done && (count > 0 ? i < count : gf_workload_get(i) != NULL); i++) {
            done = run_workload(&at, count > 0 ? chosen[i] : gf_workload_get(i), diags);
        }
        if (at.json) {
            gf_str_add(&at.out, at.rows > 0 ? "]\n" : "[]\n");
            (void)gf_cli_print(&at.out, diags);
        }
    }
    gf_str_free(&at.out);
    gf_free(chosen);
    return (int)gf_diags_status(diags);
}
