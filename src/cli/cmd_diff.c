#include "base/diag_json.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "cli/launch.h"
#include "cli/outputs.h"
#include "cli/report.h"
#include "cli/signals.h"
#include <stdio.h>
#include <string.h>

/* What the interpreter gave, to compare with. */
typedef struct reference {
    gf_array *results; /* by buffer; data NULL where nothing is handed back */
    gf_stats stats;
    char *failure; /* its first message, where the run failed */
} reference;

typedef struct comparison {
    gf_cli_options options;
    gf_program *program;
    gf_cli_data data;
    reference right;
    bool order_free;
    size_t differences;
    gf_str table; /* of the runs; with --json the objects of a list */
    size_t rows;
    gf_str outputs; /* with --json: those asked for with `-` */
} comparison;

static char *first_message(const gf_diags *diags) {
    gf_diag diag;
    for (size_t i = 0; gf_diags_get(diags, i, &diag); i++) {
        if (diag.severity == GF_SEVERITY_ERROR) {
            return gf_strdup(diag.message);
        }
    }
    return gf_strdup("");
}

static void add_object(comparison *at, const char *device, gf_strategy strategy, const gf_stats *stats,
                       const char *result) {
    gf_str_add(&at->table, at->rows++ > 0 ? ",\n  {\"device\": " : "\n  {\"device\": ");
    gf_json_string(&at->table, device);
    gf_str_add(&at->table, ", \"strategy\": ");
    gf_json_string(&at->table, gf_strategy_name(strategy));
    if (stats != NULL) {
        gf_str_addf(&at->table, ", \"passes\": %llu, \"converged\": ", (unsigned long long)stats->passes);
        gf_cli_json_converged(stats->converged, &at->table);
    } else {
        gf_str_add(&at->table, ", \"passes\": null, \"converged\": null");
    }
    gf_str_add(&at->table, ", \"result\": ");
    gf_json_string(&at->table, result);
    gf_str_add(&at->table, "}");
}

static void add_row(comparison *at, const char *device, gf_strategy strategy, const gf_stats *stats,
                    const char *result) {
    if (at->options.json) {
        add_object(at, device, strategy, stats, result);
        return;
    }
    char passes[32] = "-";
    if (stats != NULL) {
        (void)snprintf(passes, sizeof passes, "%llu", (unsigned long long)stats->passes);
    }
    gf_str_addf(&at->table, "%-10s %-10s %8s  %-9s  %s\n", device, gf_strategy_name(strategy), passes,
                stats != NULL ? gf_cli_converged_text(stats->converged) : "-", result);
}

/* Keeps the results, which the next run writes anew. */
static bool keep_reference(comparison *at, gf_diags *diags) {
    at->right.results = gf_calloc(at->data.buffer_count + 1, sizeof *at->right.results);
    if (at->right.results == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < at->data.buffer_count; i++) {
        const gf_array *from = &at->data.buffers[i].result;
        gf_array *to = &at->right.results[i];
        if (from->data == NULL) {
            continue;
        }
        if (!gf_array_create(to, from->type, from->count, diags)) {
            return false;
        }
        if (from->count > 0) {
            memcpy(to->data, from->data, (size_t)from->count * gf_type_bytes(from->type));
        }
    }
    return true;
}

/* True if equal; else says where. */
static bool compare_results(const comparison *at, const gf_stats *stats, char *text, size_t capacity) {
    for (size_t b = 0; b < at->data.buffer_count; b++) {
        const gf_array *left = &at->right.results[b];
        const gf_array *right = &at->data.buffers[b].result;
        size_t width = gf_type_bytes(right->type);
        for (uint64_t i = 0; right->data != NULL && i < right->count; i++) {
            const char *expected = (const char *)left->data + i * width;
            const char *found = (const char *)right->data + i * width;
            if (memcmp(expected, found, width) != 0) {
                char want[GF_NUMBER_TEXT];
                char have[GF_NUMBER_TEXT];
                (void)snprintf(text, capacity, "differs: %s[%llu] is %.*s, not %.*s", at->data.buffers[b].symbol->name,
                               (unsigned long long)i, (int)gf_number_format(right->type, found, have), have,
                               (int)gf_number_format(right->type, expected, want), want);
                return false;
            }
        }
    }
    bool as_many = stats->passes == at->right.stats.passes;
    bool is_same = as_many && stats->converged == at->right.stats.converged;
    if (at->order_free && as_many && !is_same) {
        (void)snprintf(text, capacity, "differs: the same bytes and passes, but not the same `converged`");
        return false;
    }
    if (at->order_free && !is_same) {
        (void)snprintf(text, capacity, "differs: the same bytes, but %llu passes, not %llu",
                       (unsigned long long)stats->passes, (unsigned long long)at->right.stats.passes);
        return false;
    }
    (void)snprintf(text, capacity, is_same ? "same" : "same bytes, other passes: they depend on order");
    return true;
}

static bool run_reference(comparison *at, gf_diags *diags) {
    gf_device *device = gf_device_open_with("interp", &at->options.how, diags);
    gf_diags *own = gf_diags_create();
    gf_cli_result result = {0};
    if (device == NULL || own == NULL) {
        gf_device_destroy(device);
        gf_diags_destroy(own);
        return device == NULL ? false : gf_fail_memory(diags);
    }
    bool done =
        gf_cli_launch(device, &at->data, &at->options, GF_STRATEGY_NATIVE, NULL, !at->options.quiet, &result, own);
    at->right.stats = result.stats;
    gf_status status = gf_diags_status(own);
    if (done) {
        done = keep_reference(at, diags);
        add_row(at, "interp", GF_STRATEGY_NATIVE, &result.stats, "the reference");
    } else if (status == GF_STATUS_TRAP || status == GF_STATUS_NOT_CONVERGED) {
        at->right.failure = first_message(own);
        add_row(at, "interp", GF_STRATEGY_NATIVE, NULL, at->right.failure != NULL ? at->right.failure : "");
        done = at->right.failure != NULL;
    }
    gf_diags_take(diags, own);
    gf_free(result.profile);
    gf_diags_destroy(own);
    gf_device_destroy(device);
    return done;
}

static void compare_with(comparison *at, gf_device *device, gf_strategy strategy, gf_diags *diags) {
    gf_diags *own = gf_diags_create();
    gf_cli_result result = {0};
    char text[512];
    bool done = gf_cli_launch(device, &at->data, &at->options, strategy, NULL, !at->options.quiet, &result, own);
    gf_status status = gf_diags_status(own);
    if (done && at->right.failure == NULL) {
        at->differences += !compare_results(at, &result.stats, text, sizeof text);
        add_row(at, gf_device_name(device), strategy, &result.stats, text);
    } else if (!done && status == GF_STATUS_DEVICE) {
        char *message = first_message(own);
        (void)snprintf(text, sizeof text, "not here: %s", message != NULL ? message : "");
        add_row(at, gf_device_name(device), strategy, NULL, text);
        gf_free(message);
    } else if (!done && at->right.failure != NULL) {
        char *message = first_message(own);
        bool is_same = message != NULL && strcmp(message, at->right.failure) == 0;
        (void)snprintf(text, sizeof text, is_same ? "same" : "differs: %s", message != NULL ? message : "");
        add_row(at, gf_device_name(device), strategy, NULL, text);
        at->differences += !is_same;
        gf_free(message);
    } else if (done) {
        add_row(at, gf_device_name(device), strategy, &result.stats, "differs: the run did not fail");
        at->differences++;
    } else {
        add_row(at, gf_device_name(device), strategy, NULL, "failed");
        gf_diags_take(diags, own);
    }
    gf_free(result.profile);
    gf_diags_destroy(own);
}

static void compare_on(comparison *at, gf_device *device, gf_diags *diags) {
    static const gf_strategy strategies[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_PERSISTENT, GF_STRATEGY_RESIDENT,
                                             GF_STRATEGY_HOST};
    gf_strategy asked = at->options.strategy;
    for (size_t s = 0; device != NULL && s < sizeof strategies / sizeof strategies[0]; s++) {
        bool is_reference = strcmp(gf_device_name(device), "interp") == 0 && strategies[s] == GF_STRATEGY_NATIVE;
        bool is_asked = asked == GF_STRATEGY_AUTO || asked == strategies[s];
        if (!is_reference && is_asked && gf_cli_signal() == 0) {
            compare_with(at, device, strategies[s], diags);
        }
    }
    gf_device_destroy(device);
}

/* On every device there is, or on the one that is asked for. */
static void compare_all(comparison *at, gf_diags *diags) {
    const char *asked = at->options.device;
    if (asked != NULL && strcmp(asked, "auto") != 0) {
        compare_on(at, gf_device_open_with(asked, &at->options.how, diags), diags);
        return;
    }
    for (size_t d = 0; gf_device_kind(d) != NULL; d++) {
        compare_on(at, gf_device_open_with(gf_device_kind(d), &at->options.how, NULL), diags);
    }
}

static void judge(comparison *at, gf_diags *diags) {
    if (at->differences == 0) {
        return;
    }
    if (at->order_free) {
        (void)gf_fail(diags, GF_CODE_RESULTS_DIFFER, GF_NO_SPAN,
                      "program `%s` is order-free and gave different results: a fault of gridfence",
                      gf_program_name(at->program));
        gf_fix(diags, "please report it with the program and its data");
        return;
    }
    /* Names the lines, as warnings. */
    (void)gf_program_order_free(at->program, diags);
    if (!at->options.tolerate_order) {
        (void)gf_fail(diags, GF_CODE_ORDER_DEPENDS, GF_NO_SPAN,
                      "results of program `%s` depend on the order of its atomics, at the lines named above",
                      gf_program_name(at->program));
        gf_fix(diags, "--tolerate-order takes such differences for right");
    }
}

static void compare_program(comparison *at, gf_diags *diags) {
    at->program = gf_cli_program(at->options.file, diags);
    if (at->program == NULL || !gf_cli_data_load(&at->data, at->program, &at->options, false, diags) ||
        !gf_cli_outputs_check(&at->data, &at->options, diags)) {
        return;
    }
    gf_diags *reasons = gf_diags_create();
    bool is_known = gf_cli_order_free(at->program, &at->order_free, reasons, diags);
    gf_diags_destroy(reasons);
    if (!is_known) {
        return;
    }
    if (!at->options.json) {
        gf_str_addf(&at->table, "%-10s %-10s %8s  %-9s  %s\n", "device", "strategy", "passes", "converged", "result");
    }
    if (!run_reference(at, diags)) {
        gf_str_free(&at->table);
        return;
    }
    if (at->right.failure == NULL && !gf_cli_outputs_write(&at->data, &at->options, diags)) {
        return;
    }
    if (at->options.json && at->right.failure == NULL) {
        gf_cli_json_outputs(&at->data, &at->options, &at->outputs);
    }
    compare_all(at, diags);
    if (!at->options.json) {
        (void)gf_cli_print(&at->table, diags);
    }
    judge(at, diags);
}

static int exit_status(const comparison *at, const gf_diags *diags) {
    int status = gf_cli_status(diags, at->program != NULL);
    if (at->differences > 0 && at->order_free) {
        status = GF_STATUS_INTERNAL;
    }
    return status;
}

static int report_json(comparison *at, gf_diags *diags) {
    int status = exit_status(at, diags);
    gf_str out = {0};
    gf_str_add(&out, "{\"program\": ");
    gf_json_string(&out, at->program != NULL ? gf_program_name(at->program) : "");
    gf_str_addf(&out, ", \"status\": %d, \"order_free\": %s, \"differences\": %zu,\n \"runs\": [", status,
                at->program == NULL ? "null"
                : at->order_free    ? "true"
                                    : "false",
                at->differences);
    gf_str_add(&out, at->table.text != NULL ? at->table.text : "");
    gf_str_add(&out, "],\n \"outputs\": ");
    gf_str_add(&out, at->outputs.text != NULL ? at->outputs.text : "{}");
    gf_str_add(&out, ",\n \"diagnostics\": ");
    gf_diags_json(diags, &out);
    gf_str_add(&out, "}\n");
    return gf_cli_print(&out, diags) || status != GF_STATUS_OK ? status : (int)gf_diags_status(diags);
}

int gf_cmd_diff(int argc, char **argv, gf_diags *diags) {
    comparison at = {0};
    if (gf_cli_options_read(&at.options, GF_CLI_DIFF, argc, argv, diags) && !at.options.help) {
        compare_program(&at, diags);
    }
    int status = at.options.json && !at.options.help ? report_json(&at, diags) : exit_status(&at, diags);
    for (size_t i = 0; at.right.results != NULL && i < at.data.buffer_count; i++) {
        gf_array_free(&at.right.results[i]);
    }
    gf_free(at.right.results);
    gf_free(at.right.failure);
    gf_str_free(&at.table);
    gf_str_free(&at.outputs);
    gf_cli_data_free(&at.data);
    gf_program_destroy(at.program);
    gf_cli_options_free(&at.options);
    return status;
}
