#include "cli/help.h"
#include "cli/options.h"
#include <getopt.h>
#include <string.h>

int gf_cmd_emit(int argc, char **argv, gf_diags *diags) {
    static const struct option table[] = {
        {"target", 1, NULL, 't'}, {"segment", 1, NULL, 's'}, {"output", 1, NULL, 'o'}, {"help", 0, NULL, 'h'}, {0}};
    static const char *const targets[] = {"llvm", "ptx", "spirv"};
    const char *target = NULL;
    const char *file = NULL;
    gf_cli_getopt_begin();
    for (int got = 0; (got = gf_cli_getopt(argc, argv, table, diags)) != -1;) {
        if (got == 'h') {
            gf_cli_help("emit");
            return GF_STATUS_OK;
        }
        target = got == 't' ? optarg : target;
        file = got == 1 ? optarg : file;
    }
    if (gf_diags_error_count(diags) > 0) {
        return (int)gf_diags_status(diags);
    }
    bool is_known = false;
    for (size_t i = 0; target != NULL && i < sizeof targets / sizeof targets[0]; i++) {
        is_known = is_known || strcmp(target, targets[i]) == 0;
    }
    if (file == NULL || !is_known) {
        (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "emit wants %s",
                      file == NULL ? "a program" : "one of the targets llvm, ptx, spirv");
        gf_fix(diags, "gridfence emit FILE.gf --target llvm|ptx|spirv [--segment K] [-o OUT]");
        return (int)gf_diags_status(diags);
    }
    gf_program *program = gf_cli_program(file, diags);
    if (program != NULL) {
        (void)gf_fail(diags, GF_CODE_EMIT_TARGET, GF_NO_SPAN,
                      "no emitter for %s is built in; of the targets llvm, ptx, spirv this build has none", target);
        gf_fix(diags, "`gridfence plan --segments` shows what would be emitted, `gridfence run` interprets it");
    }
    gf_program_destroy(program);
    return (int)gf_diags_status(diags);
}
