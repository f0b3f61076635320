#include "base/memory.h"
#include "cli/help.h"
#include "cli/options.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

typedef struct fmt_options {
    bool write, check;
} fmt_options;

static bool format_text(const char *path, const char *text, size_t length, fmt_options options, gf_diags *diags) {
    bool is_stdin = strcmp(path, "-") == 0;
    gf_program *program = gf_program_parse_only(text, length, is_stdin ? "<stdin>" : path, diags);
    char *formatted = program != NULL ? gf_program_text(program, diags) : NULL;
    gf_program_destroy(program);
    if (formatted == NULL) {
        return false;
    }
    bool is_same = strlen(formatted) == length && memcmp(formatted, text, length) == 0;
    bool done = true;
    gf_str out = {0};
    if (options.check && !is_same) {
        done = gf_fail(diags, GF_CODE_NOT_FORMATTED, GF_NO_SPAN, "%s is not in canonical form", path);
        gf_fix(diags, "gridfence fmt --write %s", path);
    } else if (options.write && !is_stdin) {
        gf_str_add(&out, formatted);
        done = is_same || gf_cli_write(path, &out, diags);
    } else if (!options.check) {
        gf_str_add(&out, formatted);
        done = gf_cli_print(&out, diags);
    }
    gf_str_free(&out);
    gf_free(formatted);
    return done;
}

static bool format_file(const char *path, fmt_options options, gf_diags *diags) {
    char *text = NULL;
    size_t length = 0;
    if (!gf_cli_read(path, &text, &length, diags)) {
        return false;
    }
    bool done = format_text(path, text, length, options, diags);
    gf_free(text);
    return done;
}

int gf_cmd_fmt(int argc, char **argv, gf_diags *diags) {
    static const struct option table[] = {
        {"write", 0, NULL, 'w'}, {"check", 0, NULL, 'c'}, {"help", 0, NULL, 'h'}, {0}};
    fmt_options options = {0};
    size_t count = 0;
    const char **files = gf_calloc((size_t)argc + 1, sizeof *files);
    if (files == NULL) {
        (void)gf_fail_memory(diags);
        return GF_STATUS_DEVICE;
    }
    gf_cli_getopt_begin();
    for (int got = 0; (got = gf_cli_getopt(argc, argv, table, diags)) != -1;) {
        if (got == 'h') {
            gf_cli_help("fmt");
            gf_free(files);
            return GF_STATUS_OK;
        }
        options.write = options.write || got == 'w';
        options.check = options.check || got == 'c';
        if (got == 1) {
            files[count++] = optarg;
        }
    }
    if (gf_diags_error_count(diags) == 0 && count == 0) {
        (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "fmt wants a program");
        gf_fix(diags, "gridfence fmt FILE.gf, or - for standard input");
    }
    if (gf_diags_error_count(diags) == 0) {
        for (size_t i = 0; i < count; i++) {
            (void)format_file(files[i], options, diags);
        }
    }
    gf_free(files);
    return (int)gf_diags_status(diags);
}
