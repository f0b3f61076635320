#include "cli/cli.h"
#include "base/memory.h"
#include "cli/signals.h"
#include "io/file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_standard_input(char **text, size_t *length, gf_diags *diags) {
    gf_str all = {0};
    char chunk[16384];
    gf_str_add(&all, "");
    for (size_t got = 0; (got = fread(chunk, 1, sizeof chunk, stdin)) > 0;) {
        gf_str_add_n(&all, chunk, got);
    }
    if (ferror(stdin) != 0) {
        gf_str_free(&all);
        return gf_fail(diags, GF_CODE_FILE_READ, GF_NO_SPAN, "cannot read standard input: %s", strerror(errno));
    }
    *length = all.length;
    *text = gf_str_take(&all);
    return *text != NULL ? true : gf_fail_memory(diags);
}

bool gf_cli_read(const char *path, char **text, size_t *length, gf_diags *diags) {
    if (strcmp(path, "-") == 0) {
        return read_standard_input(text, length, diags);
    }
    gf_file file = {0};
    if (!gf_file_read(path, &file, diags)) {
        return false;
    }
    *text = file.data;
    *length = file.size;
    return true;
}

gf_program *gf_cli_program(const char *path, gf_diags *diags) {
    char *text = NULL;
    size_t length = 0;
    if (!gf_cli_read(path, &text, &length, diags)) {
        return NULL;
    }
    gf_program *program = gf_program_parse(text, length, strcmp(path, "-") == 0 ? "<stdin>" : path, diags);
    gf_free(text);
    return program;
}

bool gf_cli_order_free(const gf_program *program, bool *order_free, gf_diags *reasons, gf_diags *diags) {
    if (reasons == NULL) {
        return gf_fail_memory(diags);
    }
    *order_free = gf_program_order_free(program, reasons);
    return gf_diags_error_count(reasons) == 0 || gf_fail_memory(diags); /* nothing else fails there */
}

int gf_cli_status(const gf_diags *diags, bool accepted) {
    gf_status status = gf_diags_status(diags);
    gf_diag diag = {0};
    for (size_t i = 0; gf_diags_get(diags, i, &diag) && diag.severity != GF_SEVERITY_ERROR; i++) {
    }
    if (accepted && status == GF_STATUS_PROGRAM && strncmp(diag.code, "GF002", 5) == 0) {
        return GF_STATUS_USAGE;
    }
    if (status == GF_STATUS_TIME && gf_cli_signal() != 0) {
        return GF_EXIT_SIGNAL(gf_cli_signal());
    }
    return (int)status;
}

bool gf_cli_colour(void) {
    const char *off = getenv("NO_COLOR");
    return (off == NULL || *off == '\0') && isatty(STDERR_FILENO) == 1;
}

bool gf_cli_flush(gf_diags *diags) {
    int had_error = ferror(stdout);
    errno = 0;
    int failed = fflush(stdout);
    if (had_error == 0 && failed == 0) {
        return true;
    }
    clearerr(stdout);
    return gf_fail(diags, GF_CODE_OUTPUT_WRITE, GF_NO_SPAN, "cannot write to standard output: %s",
                   errno != 0 ? strerror(errno) : "it is closed or full");
}

bool gf_cli_print(gf_str *text, gf_diags *diags) {
    bool whole = !text->failed;
    if (whole && text->length > 0) {
        (void)fwrite(text->text, 1, text->length, stdout);
    }
    gf_str_free(text);
    return whole ? gf_cli_flush(diags) : gf_fail_memory(diags);
}

bool gf_cli_write(const char *path, gf_str *text, gf_diags *diags) {
    if (strcmp(path, "-") == 0) {
        return gf_cli_print(text, diags);
    }
    gf_file_writer writer;
    bool done = !text->failed || gf_fail_memory(diags);
    done = done && gf_file_begin(&writer, path, diags);
    if (done) {
        gf_file_put(&writer, text->text, text->length);
        done = gf_file_commit(&writer, diags);
    }
    gf_str_free(text);
    return done;
}

bool gf_cli_write_check(const char *path, gf_diags *diags) {
    return path == NULL || strcmp(path, "-") == 0 || gf_file_check(path, diags);
}

const char *gf_cli_nearest(const char *name, const char *const *names, size_t count) {
    const char *best = NULL;
    unsigned least = strlen(name) > 2 ? 3 : 2;
    for (size_t i = 0; i < count; i++) {
        unsigned distance = gf_edit_distance(name, names[i]);
        if (distance < least) {
            least = distance;
            best = names[i];
        }
    }
    return best;
}
