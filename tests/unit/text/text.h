/* Helpers of the tests of the text layer. */
#ifndef GF_TESTS_TEXT_H
#define GF_TESTS_TEXT_H

#include "ir/program.h"
#include "ir/visit.h"
#include "text/parse.h"
#include "unit/unit.h"

static inline gf_program *parse_text(const char *text, size_t length, gf_diags *diags) {
    gf_program *program = gf_program_parse_only(text, length, "test.gf", diags);
    assert_int_equal(program == NULL, gf_diags_error_count(diags) > 0);
    return program;
}

/* Fails the test with the messages where the text is refused. */
static inline gf_program *parse_right(const char *text) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse_text(text, strlen(text), diags);
    if (program == NULL) {
        gf_diags_print(diags, stderr);
        fprintf(stderr, "in:\n%s\n", text);
    }
    assert_non_null(program);
    gf_diags_destroy(diags);
    return program;
}

/* A kernel with these statements; the caller frees it. */
static inline char *wrap_body(const char *body) {
    size_t size = strlen(body) + 64;
    char *text = malloc(size);
    assert_non_null(text);
    (void)snprintf(text, size, "program p;\nkernel (1) {\n%s\n}\n", body);
    return text;
}

/* `piece` many times. */
static inline char *repeat_text(const char *before, const char *piece, size_t count, const char *after) {
    char *text = malloc(strlen(before) + count * strlen(piece) + strlen(after) + 1);
    assert_non_null(text);
    char *end = stpcpy(text, before);
    for (size_t i = 0; i < count; i++) {
        end = stpcpy(end, piece);
    }
    (void)stpcpy(end, after);
    return text;
}

#endif
