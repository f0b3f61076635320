#include "base/diag_json.h"
#include "base/json_text.h"

static void add_field(gf_str *out, const char *name, const char *value) {
    gf_str_addf(out, "\"%s\": ", name);
    gf_json_string(out, value);
    gf_str_add(out, ", ");
}

static void add_place(gf_str *out, const gf_diag *diag) {
    add_field(out, "file", diag->file);
    gf_str_addf(out, "\"line\": %u, \"column\": %u, \"length\": %u, ", (unsigned)diag->line, (unsigned)diag->column,
                (unsigned)diag->length);
    add_field(out, "message", diag->message);
    gf_str_add(out, "\"source\": ");
    gf_json_string(out, diag->source);
}

void gf_diags_json(const gf_diags *diags, gf_str *out) {
    gf_str_add(out, "[");
    gf_diag diag;
    for (size_t i = 0; gf_diags_get(diags, i, &diag); i++) {
        gf_str_add(out, i == 0 ? "{" : ", {");
        add_field(out, "severity", diag.severity == GF_SEVERITY_ERROR ? "error" : "warning");
        add_field(out, "code", diag.code);
        add_field(out, "name", diag.name);
        add_place(out, &diag);
        gf_str_add(out, ", ");
        add_field(out, "fix", diag.fix);
        gf_str_add(out, "\"notes\": [");
        gf_diag note;
        for (size_t n = 0; gf_diags_get_note(diags, i, n, &note); n++) {
            gf_str_add(out, n == 0 ? "{" : ", {");
            add_place(out, &note);
            gf_str_add(out, "}");
        }
        gf_str_add(out, "]}");
    }
    gf_str_add(out, "]");
}
