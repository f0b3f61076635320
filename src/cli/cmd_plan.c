#include "base/diag_json.h"
#include "base/json_text.h"
#include "cli/bind.h"
#include <stdio.h>

static bool write_plan(const gf_plan *plan, const gf_cli_options *options, const gf_plan_sizes *sizes,
                       gf_diags *diags) {
    gf_plan_format format = GF_PLAN_TEXT;
    if (options->json) {
        format = GF_PLAN_JSON;
    } else if (options->dot) {
        format = GF_PLAN_DOT;
    } else if (options->segments) {
        format = GF_PLAN_SEGMENTS;
    }
    gf_str out = {0};
    char *text = NULL;
    bool done = true;
    if (options->svg != NULL) {
        text = gf_plan_dump_sized(plan, GF_PLAN_SVG, sizes, diags);
        done = text != NULL;
        if (done) {
            gf_str_add(&out, text);
            done = gf_cli_write(options->svg, &out, diags);
        }
        gf_free(text);
        if (!done || format == GF_PLAN_TEXT) {
            return done;
        }
    }
    text = gf_plan_dump_sized(plan, format, sizes, diags);
    if (text == NULL) {
        return false;
    }
    gf_str rest = {0};
    gf_str_add(&rest, text);
    gf_free(text);
    return gf_cli_print(&rest, diags);
}

/* With --json a program that has no plan is told as data too. */
static void print_failure(const gf_program *program, gf_diags *diags) {
    gf_str out = {0};
    gf_str_add(&out, "{\"program\": ");
    gf_json_string(&out, program != NULL ? gf_program_name(program) : "");
    gf_str_addf(&out, ", \"status\": %d,\n \"diagnostics\": ", (int)gf_diags_status(diags));
    gf_diags_json(diags, &out);
    gf_str_add(&out, "}\n");
    (void)gf_cli_print(&out, diags);
}

int gf_cmd_plan(int argc, char **argv, gf_diags *diags) {
    gf_cli_options options = {0};
    gf_cli_data data = {0};
    gf_program *program = NULL;
    gf_plan *plan = NULL;
    if (gf_cli_options_read(&options, GF_CLI_PLAN, argc, argv, diags) && !options.help) {
        program = gf_cli_program(options.file, diags);
    }
    if (program != NULL && gf_cli_data_load(&data, program, &options, true, diags)) {
        gf_plan_options how = {.size = sizeof how,
                               .keep_barriers = options.keep_barriers,
                               .keep_empty = options.keep_empty,
                               .many_passes = options.passes > 1};
        plan = gf_plan_create(program, &how, diags);
    }
    if (plan != NULL) {
        gf_plan_sizes sizes = {.params = data.params, .lengths = data.lengths};
        (void)write_plan(plan, &options, &sizes, diags);
    } else if (options.json && !options.help) {
        print_failure(program, diags);
    }
    gf_plan_destroy(plan);
    gf_cli_data_free(&data);
    gf_program_destroy(program);
    gf_cli_options_free(&options);
    return (int)gf_diags_status(diags);
}
