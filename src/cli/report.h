/* What is told of a run. */
#ifndef GF_CLI_REPORT_H
#define GF_CLI_REPORT_H

#include "cli/bind.h"

/* One run, or the median of several. Profile entries are owned. */
typedef struct gf_cli_result {
    gf_stats stats;
    gf_profile_entry *profile;
    size_t profile_count;
    double load_seconds, compile_seconds;
    uint64_t repeat;
} gf_cli_result;

const char *gf_cli_converged_text(int converged);       /* "yes", "no", "null" */
void gf_cli_json_converged(int converged, gf_str *out); /* true, false, null */
/* An object of those outputs that `-` asks for. */
void gf_cli_json_outputs(const gf_cli_data *data, const gf_cli_options *options, gf_str *out);
/* An array of JSON values; NaN and infinities are the strings "nan", "inf", "-inf". */
void gf_cli_json_array(const gf_array *array, gf_str *out);
/* The one object of --json; `data` NULL: without outputs. */
void gf_cli_report_json(const gf_cli_result *result, const gf_cli_data *data, const gf_cli_options *options,
                        const char *program, const gf_diags *diags, int status, gf_str *out);
/* On standard error: one line, or the table of --time. */
void gf_cli_report_line(const gf_cli_result *result, const char *program);
void gf_cli_report_times(const gf_cli_result *result);

#endif
