#include "base/diag_json.h"
#include "base/json_text.h"
#include "cli/options.h"
#include <stdio.h>
#include <string.h>

static void add_reasons(const gf_diags *reasons, gf_str *out) {
    gf_diag reason;
    for (size_t i = 0; gf_diags_get(reasons, i, &reason); i++) {
        gf_str_addf(out, "  line %u: %s\n", reason.line, reason.message);
        gf_diag note;
        for (size_t n = 0; gf_diags_get_note(reasons, i, n, &note); n++) {
            gf_str_addf(out, "    line %u: %s\n", note.line, note.message);
        }
    }
}

static bool print_json(const char *file, const gf_program *program, bool order_free, const gf_diags *reasons,
                       gf_diags *diags) {
    gf_str out = {0};
    gf_str_add(&out, "{\"file\": ");
    gf_json_string(&out, file);
    gf_str_add(&out, ", \"program\": ");
    if (program != NULL) {
        gf_json_string(&out, gf_program_name(program));
    } else {
        gf_str_add(&out, "null");
    }
    gf_str_addf(&out, ", \"ok\": %s, \"order_free\": %s, \"order\": ", program != NULL ? "true" : "false",
                program == NULL ? "null"
                : order_free    ? "true"
                                : "false");
    gf_diags_json(reasons, &out);
    gf_str_add(&out, ", \"diagnostics\": ");
    gf_diags_json(diags, &out);
    gf_str_addf(&out, ", \"status\": %d}\n", (int)gf_diags_status(diags));
    return gf_cli_print(&out, diags);
}

int gf_cmd_check(int argc, char **argv, gf_diags *diags) {
    gf_cli_options options = {0};
    gf_program *program = NULL;
    bool order_free = false;
    gf_diags *reasons = gf_diags_create();
    if (!gf_cli_options_read(&options, GF_CLI_CHECK, argc, argv, diags) || options.help) {
        goto done;
    }
    program = gf_cli_program(options.file, diags);
    if (program != NULL) {
        (void)gf_cli_order_free(program, &order_free, reasons, diags);
    }
    if (options.json) {
        int status = (int)gf_diags_status(diags);
        if (print_json(options.file, program, order_free, reasons, diags)) {
            gf_diags_clear(diags); /* they are in the object */
        } else if (status == GF_STATUS_OK) {
            status = (int)gf_diags_status(diags);
        }
        gf_program_destroy(program);
        gf_diags_destroy(reasons);
        gf_cli_options_free(&options);
        return status;
    }
    if (program != NULL && gf_diags_error_count(diags) == 0) {
        gf_str out = {0};
        gf_str_addf(&out, "%s: ok, %sorder-free\n", options.file, order_free ? "" : "not ");
        add_reasons(reasons, &out);
        (void)gf_cli_print(&out, diags);
    }
done:
    gf_program_destroy(program);
    gf_diags_destroy(reasons);
    gf_cli_options_free(&options);
    return (int)gf_diags_status(diags);
}
