/* Any bytes as a program: refused with a message, or printed to a text that is the same program, prints to itself and
 * has lost no comment. */
#include "ir/program.h"
#include "ir/visit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what, const gf_diags *diags, const char *text) {
    fprintf(stderr, "%s\n", what);
    gf_diags_print(diags, stderr);
    fprintf(stderr, "printed as:\n%s", text != NULL ? text : "");
    abort();
}

static gf_program *parse(const char *text, size_t length, gf_diags *diags) {
    gf_program *program = gf_program_parse_only(text, length, "fuzz.gf", diags);
    if ((program == NULL) != (gf_diags_error_count(diags) > 0)) {
        fail("an error without a message, or a message without an error", diags, NULL);
    }
    return program;
}

static void check_round_trip(const gf_program *program, gf_diags *diags) {
    char *text = gf_program_text(program, diags);
    if (text == NULL) {
        fail("no text", diags, NULL);
        return;
    }
    gf_program *again = parse(text, strlen(text), diags);
    if (again == NULL) {
        fail("what was printed is refused", diags, text);
        return;
    }
    char *second = gf_program_text(again, diags);
    if (!gf_equal_tree(program->parsed, again->parsed)) {
        fail("what was printed is another program", diags, text);
    }
    if (second == NULL || strcmp(text, second) != 0) {
        fail("what was printed prints otherwise", diags, text);
    }
    gf_free(second);
    gf_free(text);
    gf_program_destroy(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = parse((const char *)data, size, diags);
    if (program != NULL) {
        check_round_trip(program, diags);
    }
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return 0;
}
