/* https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (Trace Event Format) */
#include "cli/trace.h"
#include "base/json_text.h"
#include <string.h>

/* A row of the picture for each kind of event. */
static const char *const categories[] = {"run", "pass", "segment", "transfer"};
#define CATEGORY_COUNT (sizeof categories / sizeof categories[0])

static size_t row_of(const char *category) {
    size_t row = 0;
    while (row < CATEGORY_COUNT && strcmp(categories[row], category) != 0) {
        row++;
    }
    return row + 1;
}

static void put_name(const char *what, size_t row, const char *name, gf_str *out) {
    gf_str_addf(out, "{\"ph\": \"M\", \"pid\": 1, \"tid\": %zu, \"name\": \"%s\", \"args\": {\"name\": ", row, what);
    gf_json_string(out, name);
    gf_str_add(out, "}}");
}

bool gf_cli_trace_write(const gf_trace *trace, const char *program, const char *path, gf_diags *diags) {
    gf_str out = {0};
    gf_str_add(&out, "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n");
    put_name("process_name", 0, program, &out);
    for (size_t row = 0; row < CATEGORY_COUNT; row++) {
        gf_str_add(&out, ",\n");
        put_name("thread_name", row + 1, categories[row], &out);
    }
    gf_trace_event event;
    for (size_t i = 0; gf_trace_get(trace, i, &event); i++) {
        gf_str_add(&out, ",\n{\"ph\": \"X\", \"pid\": 1, \"name\": ");
        gf_json_string(&out, event.name);
        gf_str_add(&out, ", \"cat\": ");
        gf_json_string(&out, event.category);
        gf_str_addf(&out, ", \"tid\": %zu, \"ts\": %.3f, \"dur\": %.3f, \"args\": {", row_of(event.category),
                    event.begin * 1e6, (event.end - event.begin) * 1e6);
        const char *comma = "";
        if (event.segment != UINT64_MAX) {
            gf_str_addf(&out, "\"segment\": %llu", (unsigned long long)event.segment);
            comma = ", ";
        }
        if (event.pass > 0) {
            gf_str_addf(&out, "%s\"pass\": %llu", comma, (unsigned long long)event.pass);
        }
        gf_str_add(&out, "}}");
    }
    gf_str_addf(&out, "\n], \"otherData\": {\"lost\": %zu}}\n", gf_trace_lost(trace));
    return gf_cli_write(path, &out, diags);
}
