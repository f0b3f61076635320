/* What the tests of the files share: a folder of their own, files made from text, and messages looked at. */
#ifndef GF_TESTS_IO_TEST_H
#define GF_TESTS_IO_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include "scratch.h"
#include <cmocka.h>
#include <gridfence/diag.h>

static char test_folder[SCRATCH_BYTES];

static inline int make_folder(void **state) {
    (void)state;
    return scratch_make(test_folder) ? 0 : -1;
}

/* How many files lie in the folder. */
static inline int count_files(void) {
    int count = 0;
    DIR *folder = opendir(test_folder);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        count += entry->d_name[0] != '.';
    }
    closedir(folder);
    return count;
}

static inline int remove_folder(void **state) {
    (void)state;
    scratch_remove(test_folder);
    return 0;
}

/* The path of a file in the folder; one at a time. */
static inline const char *in_folder(const char *name) {
    static char path[SCRATCH_INSIDE];
    (void)snprintf(path, sizeof path, "%s/%s", test_folder, name);
    return path;
}

static inline const char *write_bytes(const char *name, const void *bytes, size_t size) {
    const char *path = in_folder(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *write_string(const char *name, const char *text) {
    return write_bytes(name, text, strlen(text));
}

/* All of a file as a string; to be freed. */
static inline char *slurp(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 16);
    assert_non_null(text);
    *size = fread(text, 1, (1 << 16) - 1, file);
    (void)fclose(file);
    return text;
}

/* Exactly one message: this code, this line (0: none), and these words in it. Then forgets it. */
static inline void expect_error(gf_diags *diags, const char *code, uint32_t line, const char *words) {
    gf_diag diag = {.code = "", .message = ""};
    if (gf_diags_count(diags) != 1 || !gf_diags_get(diags, 0, &diag)) {
        gf_diags_print(diags, stderr);
        fail_msg("%zu messages, expected one of %s", gf_diags_count(diags), code);
    }
    if (strcmp(diag.code, code) != 0 || diag.line != line || strstr(diag.message, words) == NULL) {
        fail_msg("%s line %u: %s\nexpected %s line %u: %s", diag.code, diag.line, diag.message, code, line, words);
    }
    gf_diags_clear(diags);
}

static inline void expect_fix(gf_diags *diags, const char *words) {
    gf_diag diag = {0};
    assert_true(gf_diags_get(diags, 0, &diag));
    assert_non_null(strstr(diag.fix, words));
}

static inline void expect_no_error(gf_diags *diags) {
    if (gf_diags_count(diags) != 0) {
        gf_diags_print(diags, stderr);
        fail_msg("%zu messages, expected none", gf_diags_count(diags));
    }
}

#endif
