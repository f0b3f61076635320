#include "base/json_text.h"
#include "cli/help.h"
#include "cli/measure.h"
#include "cli/options.h"
#include <getopt.h>
#include <string.h>

static void put_strategies(const gf_backend_limits *limits, const char *quote, gf_str *out) {
    static const gf_strategy order[] = {GF_STRATEGY_NATIVE, GF_STRATEGY_RESIDENT, GF_STRATEGY_HOST};
    const char *comma = "";
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (order[i] != GF_STRATEGY_NATIVE || limits->grid_barrier) {
            gf_str_addf(out, "%s%s%s%s", comma, quote, gf_strategy_name(order[i]), quote);
            comma = ", ";
        }
    }
}

static void put_json(const char *name, const gf_backend_limits *limits, const gf_cli_measure *measure, gf_str *out) {
    gf_str_add(out, "{\"name\": ");
    gf_json_string(out, name);
    gf_str_add(out, ", \"strategies\": [");
    put_strategies(limits, "\"", out);
    gf_str_addf(out,
                "],\n  \"limits\": {\"host_memory\": %s, \"grid_barrier\": %s, \"checked\": %s, \"races\": %s, "
                "\"atomics_64\": %s, ",
                limits->host_memory ? "true" : "false", limits->grid_barrier ? "true" : "false",
                limits->checked ? "true" : "false", limits->races ? "true" : "false",
                limits->atomics_64 ? "true" : "false");
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
        out, "  \"measured\": {\"launch_seconds\": %.3g, \"barrier_seconds\": %.3g, \"operations_per_second\": %.4g}}",
        measure->launch_seconds, measure->barrier_seconds, measure->operations_per_second);
}

static void put_text(const char *name, const gf_backend_limits *limits, const gf_cli_measure *measure, gf_str *out) {
    gf_str_addf(out, "%s\n  strategies: ", name);
    put_strategies(limits, "", out);
    gf_str_addf(out, "\n  grid barrier: %s, 64-bit atomics: %s, --checked: %s, --check-races: %s\n",
                limits->grid_barrier ? "yes" : "no", limits->atomics_64 ? "yes" : "no", limits->checked ? "yes" : "no",
                limits->races ? "yes" : "no");
    gf_str_addf(out, "  workgroup: up to %u invocations, %llu bytes of workgroup arrays\n",
                (unsigned)limits->max_workgroup, (unsigned long long)limits->max_shared_bytes);
    gf_str_addf(out, "  measured: a launch %.2g s, a grid barrier of 4 workgroups %.2g s, %.3g operations a second\n",
                measure->launch_seconds, measure->barrier_seconds, measure->operations_per_second);
}

int gf_cmd_devices(int argc, char **argv, gf_diags *diags) {
    static const struct option table[] = {{"json", 0, NULL, 'j'}, {"help", 0, NULL, 'h'}, {0}};
    bool json = false;
    gf_cli_getopt_begin();
    for (int got = 0; (got = gf_cli_getopt(argc, argv, table, diags)) != -1;) {
        if (got == 'h') {
            gf_cli_help("devices");
            return GF_STATUS_OK;
        }
        if (got == 1) {
            (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "devices takes no '%.60s'", optarg);
        }
        json = json || got == 'j';
    }
    if (gf_diags_error_count(diags) > 0) {
        return (int)gf_diags_status(diags);
    }
    gf_str out = {0};
    const char *comma = "";
    gf_str_add(&out, json ? "[" : "");
    for (size_t i = 0; gf_device_kind(i) != NULL; i++) {
        gf_device *device = gf_device_open(gf_device_kind(i), NULL);
        gf_cli_measure measure = {0};
        if (device == NULL) {
            continue; /* built in, and nothing of the kind is here */
        }
        if (!gf_cli_measure_device(device, &measure, diags)) {
            gf_device_destroy(device);
            gf_str_free(&out);
            return (int)gf_diags_status(diags);
        }
        if (json) {
            gf_str_add(&out, comma);
            put_json(gf_device_name(device), gf_device_limits(device), &measure, &out);
            comma = ",\n ";
        } else {
            put_text(gf_device_name(device), gf_device_limits(device), &measure, &out);
        }
        gf_device_destroy(device);
    }
    gf_str_add(&out, json ? "]\n" : "");
    (void)gf_cli_print(&out, diags);
    return (int)gf_diags_status(diags);
}
