/* Programs that are wrong, or legal and worth a warning, against the messages that they must get.
 *
 * tests/golden/errors/NAME.gf has NAME.err beside it: the printed messages, byte for byte, with those of
 * gf_program_order_free behind them where the program says `// order-free?`. With --update the files are rewritten;
 * names of files may follow. What passes without an error must also survive printing and reading again. */
#include "base/str.h"
#include "check/check.h"
#include "ir/program.h"
#include "ir/visit.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER GF_SOURCE_DIR "/tests/golden/errors"

static char *read_file(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    size_t capacity = 1 << 16;
    char *text = malloc(capacity);
    *length = 0;
    for (size_t got; text != NULL && (got = fread(text + *length, 1, capacity - *length - 1, file)) > 0;) {
        *length += got;
        if (*length + 1 == capacity) {
            capacity *= 2;
            char *larger = realloc(text, capacity);
            if (larger == NULL) {
                free(text);
            }
            text = larger;
        }
    }
    (void)fclose(file);
    if (text != NULL) {
        text[*length] = '\0';
    }
    return text;
}

/* Printing the checked tree and reading it again gives the same tree. */
static bool survives(const gf_program *program) {
    gf_str printed = {0};
    bool right = gf_validate(program->checked, NULL) && gf_print_tree(program->checked, &printed);
    gf_program *again = right ? gf_program_parse(printed.text, printed.length, "again.gf", NULL) : NULL;
    right = again != NULL && gf_equal_tree(program->checked, again->checked);
    gf_program_destroy(again);
    gf_str_free(&printed);
    return right;
}

/* The messages for one program, as a text that the caller frees; NULL: it went wrong. */
static char *collect(const char *path, const char *name, bool *survived) {
    size_t length = 0;
    char *text = read_file(path, &length);
    gf_diags *diags = gf_diags_create();
    FILE *out = tmpfile();
    if (text == NULL || diags == NULL || out == NULL) {
        abort();
    }
    gf_program *program = gf_program_parse(text, length, name, diags);
    if (program != NULL && strstr(text, "// order-free?") != NULL && gf_program_order_free(program, diags)) {
        fputs("order-free\n", out);
    }
    *survived = program == NULL || survives(program);
    gf_program_destroy(program);
    gf_diags_print(diags, out);
    gf_diags_destroy(diags);
    free(text);
    long size = ftell(out);
    char *messages = calloc((size_t)size + 1, 1);
    rewind(out);
    if (messages == NULL || fread(messages, 1, (size_t)size, out) != (size_t)size) {
        abort();
    }
    (void)fclose(out);
    return messages;
}

static bool run_one(const char *name, bool update) {
    char path[4096];
    char expected_path[4096];
    (void)snprintf(path, sizeof path, FOLDER "/%s", name);
    (void)snprintf(expected_path, sizeof expected_path, FOLDER "/%.*s.err", (int)(strlen(name) - 3), name);
    bool survived = false;
    char *messages = collect(path, name, &survived);
    size_t length = 0;
    char *expected = read_file(expected_path, &length);
    bool right = expected != NULL && strcmp(expected, messages) == 0;
    if (!right && update) {
        FILE *out = fopen(expected_path, "wb");
        right = out != NULL && fputs(messages, out) >= 0;
        if (out != NULL) {
            right = fclose(out) == 0 && right;
        }
        printf("%s: rewritten\n", name);
    } else if (!right) {
        printf("%s: FAILED\n--- expected\n%s--- given\n%s---\n", name, expected == NULL ? "(no such file)\n" : expected,
               messages);
    }
    if (!survived) {
        printf("%s: FAILED: printing and reading again does not give the same program\n", name);
    }
    free(expected);
    free(messages);
    return right && survived;
}

static bool is_program(const char *name) {
    size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, ".gf") == 0;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int main(int argc, char **argv) {
    bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
    DIR *folder = opendir(FOLDER);
    if (folder == NULL) {
        perror(FOLDER);
        return 1;
    }
    char *names[1024];
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL && count < 1024;) {
        if (is_program(entry->d_name)) {
            names[count++] = strdup(entry->d_name);
        }
    }
    (void)closedir(folder);
    qsort(names, count, sizeof *names, compare_names);
    size_t passed = 0;
    for (size_t i = 0; i < count; i++) {
        passed += run_one(names[i], update) ? 1 : 0;
        free(names[i]);
    }
    printf("%zu passed, %zu failed, 0 skipped\n", passed, count - passed);
    return passed == count && count > 0 ? 0 : 1;
}
