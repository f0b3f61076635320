#include "base/diag.h"
#include "text/parse.h"

gf_program *gf_program_parse_only(const char *text, size_t length, const char *name, gf_diags *diags) {
    if (text == NULL && length > 0) {
        (void)gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "gf_program_parse_only: text is NULL");
        return NULL;
    }
    gf_program *program = gf_program_new(NULL, diags);
    if (program != NULL && !gf_parse(program, text, length, name, diags)) {
        gf_program_destroy(program);
        return NULL;
    }
    return program;
}
