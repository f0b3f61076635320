#include "base/clock.h"
#include "base/memory.h"
#include "cli/launch.h"
#include "cli/names.h"
#include "cli/outputs.h"
#include "cli/trace.h"
#include <stdio.h>
#include <string.h>

typedef struct run_command {
    gf_cli_options options;
    gf_program *program;
    gf_device *device;
    gf_cli_data data;
    gf_trace *trace;
    gf_cli_result result;
    bool ran;
} run_command;

static bool make_trace(run_command *at, gf_diags *diags) {
    if (at->options.trace == NULL) {
        return true;
    }
    at->trace = gf_trace_create(0);
    return at->trace != NULL || gf_fail_memory(diags);
}

/* What is checked wants a device that checks: of `auto`, which may be faster than that, the interpreter is the other
 * choice. */
static gf_device *open_device(const gf_cli_options *options, gf_diags *diags) {
    const char *name = options->device != NULL ? options->device : "auto";
    gf_device *device = gf_device_open_with(name, &options->how, diags);
    const gf_backend_limits *limits = gf_device_limits(device);
    if (device != NULL && strcmp(name, "auto") == 0 &&
        ((options->checked && !limits->checked) || (options->check_races && !limits->races))) {
        gf_device_destroy(device);
        device = gf_device_open_with("interp", &options->how, diags);
    }
    return device;
}

static bool run_program(run_command *at, gf_diags *diags) {
    at->program = gf_cli_program(at->options.file, diags);
    if (at->program == NULL) {
        return false;
    }
    double begin = gf_clock_seconds();
    if (!gf_cli_data_load(&at->data, at->program, &at->options, false, diags) ||
        !gf_cli_outputs_check(&at->data, &at->options, diags)) {
        return false;
    }
    at->result.load_seconds = gf_clock_seconds() - begin;
    at->device = open_device(&at->options, diags);
    if (at->device == NULL || !make_trace(at, diags)) {
        return false;
    }
    at->ran = gf_cli_launch(at->device, &at->data, &at->options, at->options.strategy, at->trace,
                            !at->options.json && !at->options.quiet, &at->result, diags);
    bool done = at->ran && gf_cli_outputs_write(&at->data, &at->options, diags);
    /* The picture of a run that failed is wanted too. */
    if (at->trace != NULL) {
        done = gf_cli_trace_write(at->trace, gf_program_name(at->program), at->options.trace, diags) && done;
    }
    return done;
}

static void report_text(const run_command *at) {
    const char *name = gf_program_name(at->program);
    if (!at->options.quiet) {
        gf_cli_report_line(&at->result, name);
    }
    if (at->options.explain) {
        (void)fprintf(stderr, "strategy %s on %s: %s\n", gf_strategy_name(at->result.stats.strategy),
                      at->result.stats.device, at->result.stats.reason);
    }
    if (at->options.time) {
        gf_cli_report_times(&at->result);
    }
}

static int exit_status(const run_command *at, const gf_diags *diags) {
    return gf_cli_status(diags, at->program != NULL);
}

static int report_json(run_command *at, gf_diags *diags) {
    gf_str out = {0};
    int status = exit_status(at, diags);
    gf_cli_report_json(&at->result, at->ran ? &at->data : NULL, &at->options,
                       at->program != NULL ? gf_program_name(at->program) : "", diags, status, &out);
    if (!gf_cli_print(&out, diags) && status == GF_STATUS_OK) {
        return (int)gf_diags_status(diags);
    }
    return status;
}

int gf_cmd_run(int argc, char **argv, gf_diags *diags) {
    run_command at = {0};
    int status = GF_STATUS_OK;
    if (gf_cli_options_read(&at.options, GF_CLI_RUN, argc, argv, diags) && !at.options.help) {
        (void)run_program(&at, diags);
        if (at.ran && (!at.options.json || at.options.time || at.options.explain)) {
            bool quiet = at.options.quiet;
            at.options.quiet = quiet || at.options.json;
            report_text(&at);
            at.options.quiet = quiet;
        }
        status = at.options.json ? report_json(&at, diags) : exit_status(&at, diags);
    } else {
        status = exit_status(&at, diags);
    }
    gf_free(at.result.profile);
    gf_trace_destroy(at.trace);
    gf_cli_data_free(&at.data);
    gf_device_destroy(at.device);
    gf_program_destroy(at.program);
    gf_cli_options_free(&at.options);
    return status;
}
