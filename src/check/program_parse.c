/* The public way from text to a checked program. */
#include "check/check.h"
#include "text/parse.h"

gf_program *gf_program_parse(const char *text, size_t length, const char *name, gf_diags *diags) {
    if (text == NULL && length > 0) {
        (void)gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "gf_program_parse: text is NULL");
        return NULL;
    }
    gf_program *program = gf_program_new(NULL, diags);
    if (program != NULL && !(gf_parse(program, text, length, name, diags) && gf_check(program, diags))) {
        gf_program_destroy(program);
        return NULL;
    }
    return program;
}
