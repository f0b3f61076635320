#include "cli/report.h"
#include "base/diag_json.h"
#include "base/json_text.h"
#include "ir/program.h"
#include <stdio.h>
#include <string.h>

const char *gf_cli_converged_text(int converged) {
    return converged > 0 ? "yes" : converged == 0 ? "no" : "null";
}

void gf_cli_json_converged(int converged, gf_str *out) {
    gf_str_add(out, converged > 0 ? "true" : converged == 0 ? "false" : "null");
}

void gf_cli_json_array(const gf_array *array, gf_str *out) {
    size_t width = gf_type_bytes(array->type);
    gf_str_add(out, "[");
    for (uint64_t i = 0; i < array->count; i++) {
        char text[GF_NUMBER_TEXT];
        size_t length = gf_number_format(array->type, (const char *)array->data + i * width, text);
        bool is_word = memchr(text, 'n', length) != NULL; /* nan, inf, -inf */
        gf_str_add(out, i == 0 ? "" : ", ");
        gf_str_add(out, is_word ? "\"" : "");
        gf_str_add_n(out, text, length);
        gf_str_add(out, is_word ? "\"" : "");
    }
    gf_str_add(out, "]");
}

static void put_seconds(const char *name, double seconds, gf_str *out) {
    if (seconds >= 0) {
        gf_str_addf(out, "\"%s\": %.9g", name, seconds);
    } else {
        gf_str_addf(out, "\"%s\": null", name);
    }
}

static void put_profile(const gf_cli_result *result, gf_str *out) {
    gf_str_add(out, ",\n \"profile\": [");
    for (size_t i = 0; i < result->profile_count; i++) {
        const gf_profile_entry *entry = &result->profile[i];
        gf_str_addf(out, "%s{\"segment\": %llu, \"region\": ", i == 0 ? "" : ", ", (unsigned long long)entry->segment);
        gf_json_string(out, entry->region);
        gf_str_addf(out, ", \"launches\": %llu, \"bytes\": %llu, ", (unsigned long long)entry->launches,
                    (unsigned long long)entry->bytes);
        put_seconds("seconds", entry->seconds, out);
        gf_str_add(out, "}");
    }
    gf_str_add(out, "]");
}

void gf_cli_json_outputs(const gf_cli_data *data, const gf_cli_options *options, gf_str *out) {
    gf_str_add(out, "{");
    const char *comma = "";
    for (size_t b = 0; b < data->buffer_count; b++) {
        const char *name = data->buffers[b].symbol->name;
        bool is_wanted = false;
        for (size_t i = 0; i < options->outputs.count; i++) {
            is_wanted = is_wanted || (strcmp(options->outputs.items[i].name, name) == 0 &&
                                      strcmp(options->outputs.items[i].text, "-") == 0);
        }
        if (is_wanted) {
            gf_str_add(out, comma);
            gf_json_string(out, name);
            gf_str_add(out, ": ");
            gf_cli_json_array(&data->buffers[b].result, out);
            comma = ", ";
        }
    }
    gf_str_add(out, "}");
}

static void put_figures(const gf_stats *stats, gf_str *out) {
    const struct {
        const char *name;
        uint64_t value;
    } figures[] = {{"passes", stats->passes},
                   {"launches", stats->launches},
                   {"launches_skipped", stats->launches_skipped},
                   {"barriers", stats->barriers},
                   {"segments", stats->segments},
                   {"bytes_up", stats->bytes_up},
                   {"bytes_down", stats->bytes_down},
                   {"bytes_carried", stats->bytes_carried},
                   {"bytes_device", stats->bytes_device}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        gf_str_addf(out, ", \"%s\": %llu", figures[i].name, (unsigned long long)figures[i].value);
    }
}

void gf_cli_report_json(const gf_cli_result *result, const gf_cli_data *data, const gf_cli_options *options,
                        const char *program, const gf_diags *diags, int status, gf_str *out) {
    const gf_stats *stats = &result->stats;
    gf_str_add(out, "{\"program\": ");
    gf_json_string(out, program);
    gf_str_addf(out, ", \"status\": %d", status);
    if (data != NULL) {
        gf_str_add(out, ", \"strategy\": ");
        gf_json_string(out, gf_strategy_name(stats->strategy));
        gf_str_add(out, ", \"reason\": ");
        gf_json_string(out, stats->reason);
        gf_str_add(out, ", \"device\": ");
        gf_json_string(out, stats->device);
        gf_str_add(out, ",\n \"converged\": ");
        gf_cli_json_converged(stats->converged, out);
        put_figures(stats, out);
        gf_str_addf(out, ", \"repeat\": %llu,\n \"seconds\": {", (unsigned long long)result->repeat);
        put_seconds("wall", stats->seconds_wall, out);
        gf_str_add(out, ", ");
        put_seconds("device", stats->seconds_device, out);
        gf_str_add(out, ", ");
        put_seconds("queue", stats->seconds_queue, out);
        gf_str_add(out, ", ");
        put_seconds("wait", stats->seconds_wait, out);
        gf_str_add(out, ", ");
        put_seconds("load", result->load_seconds, out);
        gf_str_add(out, ", ");
        put_seconds("compile", result->compile_seconds, out);
        gf_str_add(out, "}");
        put_profile(result, out);
        gf_str_add(out, ",\n \"outputs\": ");
        gf_cli_json_outputs(data, options, out);
    }
    gf_str_add(out, ",\n \"diagnostics\": ");
    gf_diags_json(diags, out);
    gf_str_add(out, "}\n");
}

void gf_cli_report_line(const gf_cli_result *result, const char *program) {
    const gf_stats *stats = &result->stats;
    (void)fprintf(stderr, "%s: %s on %s, passes: %llu, converged: %s, %.3g s\n", program,
                  gf_strategy_name(stats->strategy), stats->device, (unsigned long long)stats->passes,
                  gf_cli_converged_text(stats->converged), stats->seconds_wall);
}

static void print_row(const char *name, double seconds, double wall) {
    if (seconds < 0) {
        (void)fprintf(stderr, "  %-24s %12s\n", name, "not known");
    } else {
        (void)fprintf(stderr, "  %-24s %12.6f s %5.1f %%\n", name, seconds, wall > 0 ? 100 * seconds / wall : 0.0);
    }
}

void gf_cli_report_times(const gf_cli_result *result) {
    const gf_stats *stats = &result->stats;
    double wall = stats->seconds_wall;
    (void)fprintf(stderr, "  %-24s %12.6f s\n  %-24s %12.6f s\n", "read inputs", result->load_seconds, "compile",
                  result->compile_seconds);
    print_row(result->repeat > 1 ? "run (median)" : "run", wall, wall);
    print_row("  device", stats->seconds_device, wall);
    print_row("  queue", stats->seconds_queue, wall);
    print_row("  wait", stats->seconds_wait, wall);
    for (size_t i = 0; i < result->profile_count; i++) {
        const gf_profile_entry *entry = &result->profile[i];
        char name[112];
        (void)snprintf(name, sizeof name, "  segment %llu%s%s%s x %llu", (unsigned long long)entry->segment,
                       entry->region[0] != '\0' ? " \"" : "", entry->region, entry->region[0] != '\0' ? "\"" : "",
                       (unsigned long long)entry->launches);
        print_row(name, entry->seconds, wall);
    }
    (void)fprintf(stderr,
                  "  launches %llu (%llu found nothing to do), barriers %llu, bytes up %llu, down %llu, carried %llu\n",
                  (unsigned long long)stats->launches, (unsigned long long)stats->launches_skipped,
                  (unsigned long long)stats->barriers, (unsigned long long)stats->bytes_up,
                  (unsigned long long)stats->bytes_down, (unsigned long long)stats->bytes_carried);
}
