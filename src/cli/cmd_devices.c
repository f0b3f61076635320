#include "base/json_text.h"
#include "cli/help.h"
#include "cli/measure.h"
#include "cli/options.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define DESCRIPTION 2048

static void put_strategies(const gf_backend_limits *limits, const char *quote, gf_str *out) {
    static const gf_strategy order[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_PERSISTENT, GF_STRATEGY_RESIDENT,
                                        GF_STRATEGY_HOST};
    const char *comma = "";
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        bool is_here = order[i] == GF_STRATEGY_NATIVE       ? limits->grid_barrier
                       : order[i] == GF_STRATEGY_PERSISTENT ? limits->grid_barrier && limits->persistent
                                                            : true;
        if (is_here) {
            gf_str_addf(out, "%s%s%s%s", comma, quote, gf_strategy_name(order[i]), quote);
            comma = ", ";
        }
    }
}

/* The next line `WHAT: VALUE` of a description, cut in two in place; false at its end. */
static bool next_line(char **at, const char **what, const char **value) {
    for (char *line = *at; line != NULL && *line != '\0'; line = *at) {
        char *end = strchr(line, '\n');
        char *colon = strchr(line, ':');
        *at = end != NULL ? end + 1 : NULL;
        if (end != NULL) {
            *end = '\0';
        }
        if (colon != NULL && (end == NULL || colon < end)) {
            *colon = '\0';
            *what = line;
            *value = colon + 1 + strspn(colon + 1, " ");
            return true;
        }
    }
    return false;
}

static void put_json(gf_device *device, const gf_cli_measure *measure, gf_str *out) {
    const gf_backend_limits *limits = gf_device_limits(device);
    gf_str_add(out, "{\"name\": ");
    gf_json_string(out, gf_device_name(device));
    gf_str_add(out, ", \"strategies\": [");
    put_strategies(limits, "\"", out);
    gf_str_addf(out,
                "],\n  \"limits\": {\"host_memory\": %s, \"grid_barrier\": %s, \"checked\": %s, \"races\": %s, "
                "\"atomics_64\": %s, \"native_is_resident\": %s, \"persistent\": %s, \"threads\": %u, ",
                limits->host_memory ? "true" : "false", limits->grid_barrier ? "true" : "false",
                limits->checked ? "true" : "false", limits->races ? "true" : "false",
                limits->atomics_64 ? "true" : "false", limits->native_is_resident ? "true" : "false",
                limits->persistent ? "true" : "false", limits->threads);
    if (limits->max_resident_groups == UINT64_MAX) {
        gf_str_add(out, "\"max_resident_groups\": null, ");
    } else {
        gf_str_addf(out, "\"max_resident_groups\": %llu, ", (unsigned long long)limits->max_resident_groups);
    }
    gf_str_addf(out,
                "\"max_groups\": [%llu, %llu, %llu], \"max_workgroup\": %u, \"max_shared_bytes\": %llu, "
                "\"memory_bytes\": %llu},\n",
                (unsigned long long)limits->max_groups[0], (unsigned long long)limits->max_groups[1],
                (unsigned long long)limits->max_groups[2], (unsigned)limits->max_workgroup,
                (unsigned long long)limits->max_shared_bytes, (unsigned long long)limits->memory_bytes);
    gf_str_addf(
        out,
        "  \"measured\": {\"launch_seconds\": %.3g, \"barrier_seconds\": %.3g, \"operations_per_second\": %.4g},\n",
        measure->launch_seconds, measure->barrier_seconds, measure->operations_per_second);
    char text[DESCRIPTION];
    char *at = text;
    const char *what = NULL;
    const char *value = NULL;
    const char *comma = "";
    gf_device_describe(device, text, sizeof text);
    gf_str_add(out, "  \"about\": {");
    while (next_line(&at, &what, &value)) {
        gf_str_add(out, comma);
        gf_json_string(out, what);
        gf_str_add(out, ": ");
        gf_json_string(out, value);
        comma = ", ";
    }
    gf_str_add(out, "}}");
}

static void put_text(gf_device *device, const gf_cli_measure *measure, gf_str *out) {
    const gf_backend_limits *limits = gf_device_limits(device);
    char text[DESCRIPTION];
    char *at = text;
    const char *what = NULL;
    const char *value = NULL;
    gf_str_addf(out, "%s\n  strategies: ", gf_device_name(device));
    put_strategies(limits, "", out);
    gf_str_add(out, limits->grid_barrier && limits->native_is_resident ? "; native and resident are the same" : "");
    gf_device_describe(device, text, sizeof text);
    bool tells_threads = false;
    while (next_line(&at, &what, &value)) {
        gf_str_addf(out, "\n  %s: %s", what, value);
        tells_threads = tells_threads || strcmp(what, "threads") == 0;
    }
    if (limits->threads > 0 && !tells_threads) {
        gf_str_addf(out, "\n  threads: %u", limits->threads);
    }
    gf_str_addf(out, "\n  grid barrier: %s, 64-bit atomics: %s, --checked: %s, --check-races: %s\n",
                limits->grid_barrier ? "yes" : "no", limits->atomics_64 ? "yes" : "no", limits->checked ? "yes" : "no",
                limits->races ? "yes" : "no");
    gf_str_addf(out, "  workgroup: up to %u invocations, %llu bytes of workgroup arrays\n",
                (unsigned)limits->max_workgroup, (unsigned long long)limits->max_shared_bytes);
    gf_str_addf(out, "  measured: a launch %.2g s, a grid barrier of 4 workgroups %.2g s, %.3g operations a second\n",
                measure->launch_seconds, measure->barrier_seconds, measure->operations_per_second);
}

/* False where only help was wanted or something is wrong. */
static bool read_options(int argc, char **argv, bool *json, gf_device_options *how, gf_diags *diags) {
    static const struct option table[] = {{"json", 0, NULL, 'j'},     {"threads", 1, NULL, 't'},
                                          {"no-cache", 0, NULL, 'n'}, {"unchecked", 0, NULL, 'u'},
                                          {"help", 0, NULL, 'h'},     {0}};
    gf_cli_getopt_begin();
    for (int got = 0; (got = gf_cli_getopt(argc, argv, table, diags)) != -1;) {
        if (got == 'h') {
            gf_cli_help("devices");
            return false;
        }
        if (got == 1) {
            (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "devices takes no '%.60s'", optarg);
        }
        if (got == 't') {
            (void)gf_cli_parse_threads(optarg, &how->threads, diags);
        }
        *json = *json || got == 'j';
        how->no_cache = how->no_cache || got == 'n';
        how->unchecked = how->unchecked || got == 'u';
    }
    return gf_diags_error_count(diags) == 0;
}

typedef struct listing {
    bool json;
    gf_device_options how;
    gf_str out;
    gf_str absent;
    size_t count;
} listing;

static bool list_device(listing *list, gf_device *device, gf_diags *diags) {
    gf_cli_measure measure = {0};
    if (!gf_cli_measure_device(device, &measure, diags)) {
        return false;
    }
    if (list->json) {
        gf_str_add(&list->out, list->count > 0 ? ",\n " : "");
        put_json(device, &measure, &list->out);
    } else {
        put_text(device, &measure, &list->out);
    }
    list->count++;
    return true;
}

/* Built in, and nothing of the kind is usable here. */
static void list_absent(listing *list, const char *kind, const gf_diags *why) {
    gf_diag first;
    if (!list->json && gf_diags_get(why, 0, &first)) {
        gf_str_addf(&list->absent, "%s is not here: %s\n", kind, first.message);
    }
}

/* The devices of one kind: KIND, KIND:1 and so on, as long as they open. */
static bool list_kind(listing *list, const char *kind, gf_diags *diags) {
    gf_diags *own = gf_diags_create();
    gf_device *device = gf_device_open_with(kind, &list->how, own);
    bool done = true;
    if (gf_diags_status(own) == GF_STATUS_USAGE) {
        gf_diags_take(diags, own);
        done = false;
    } else if (device == NULL) {
        list_absent(list, kind, own);
    }
    gf_diags_destroy(own);
    for (unsigned index = 1; device != NULL; index++) {
        char name[64];
        done = done && list_device(list, device, diags);
        gf_device_destroy(device);
        (void)snprintf(name, sizeof name, "%s:%u", kind, index);
        device = done ? gf_device_open_with(name, &list->how, NULL) : NULL;
    }
    return done;
}

int gf_cmd_devices(int argc, char **argv, gf_diags *diags) {
    listing list = {0};
    if (!read_options(argc, argv, &list.json, &list.how, diags)) {
        return (int)gf_diags_status(diags);
    }
    gf_str_add(&list.out, list.json ? "[" : "");
    bool done = true;
    for (size_t i = 0; done && gf_device_kind(i) != NULL; i++) {
        done = list_kind(&list, gf_device_kind(i), diags);
    }
    gf_str_add(&list.out, list.json ? "]\n" : "");
    if (done) {
        gf_str_add(&list.out, list.absent.text != NULL ? list.absent.text : "");
        list.out.failed = list.out.failed || list.absent.failed;
        (void)gf_cli_print(&list.out, diags);
    } else {
        gf_str_free(&list.out);
    }
    gf_str_free(&list.absent);
    return (int)gf_diags_status(diags);
}
