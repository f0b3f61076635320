#include "cli/cli.h"
#include "cli/help.h"
#include "cli/options.h"
#include "emit/ptx/text.h"
#ifdef GF_HAVE_LLVM
#include "emit/llvm/text.h"
#endif
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

typedef struct emit_options {
    const char *target, *file, *output;
    bool has_segment, help;
    unsigned long long segment;
} emit_options;

static void read_segment(emit_options *options, const char *text, gf_diags *diags) {
    char *end = NULL;
    errno = 0;
    options->segment = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    options->has_segment = true;
    if (end == NULL || *end != '\0' || errno != 0) {
        (void)gf_fail(diags, GF_CODE_OPTION_VALUE, GF_NO_SPAN, "--segment '%.60s' is not the number of a segment",
                      text);
    }
}

static bool read_options(emit_options *options, int argc, char **argv, gf_diags *diags) {
    static const struct option table[] = {
        {"target", 1, NULL, 't'}, {"segment", 1, NULL, 's'}, {"output", 1, NULL, 'o'}, {"help", 0, NULL, 'h'}, {0}};
    static const char *const targets[] = {"llvm", "ptx", "spirv"};
    gf_cli_getopt_begin();
    for (int got = 0; (got = gf_cli_getopt(argc, argv, table, diags)) != -1;) {
        options->help = options->help || got == 'h';
        options->target = got == 't' ? optarg : options->target;
        options->output = got == 'o' ? optarg : options->output;
        options->file = got == 1 ? optarg : options->file;
        if (got == 's') {
            read_segment(options, optarg, diags);
        }
    }
    bool is_known = false;
    for (size_t i = 0; options->target != NULL && i < sizeof targets / sizeof targets[0]; i++) {
        is_known = is_known || strcmp(options->target, targets[i]) == 0;
    }
    if (!options->help && gf_diags_error_count(diags) == 0 && (options->file == NULL || !is_known)) {
        (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "emit wants %s",
                      options->file == NULL ? "a program" : "one of the targets llvm, ptx, spirv");
        gf_fix(diags, "gridfence emit FILE.gf --target llvm|ptx|spirv [--segment K] [-o OUT]");
    }
    return gf_diags_error_count(diags) == 0;
}

/* The plan of the program, or of one of its segments alone. */
static gf_plan *make_plan(const emit_options *options, gf_program *program, gf_diags *diags) {
    gf_plan *plan = gf_plan_create(program, NULL, diags);
    if (plan == NULL || !options->has_segment) {
        return plan;
    }
    gf_plan *part = NULL;
    if (options->segment < gf_plan_segment_count(plan)) {
        part = gf_plan_create(gf_plan_segment_program(plan, options->segment), NULL, diags);
    } else {
        (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "there is no segment %llu; the plan has %zu, from 0",
                      options->segment, gf_plan_segment_count(plan));
    }
    gf_plan_destroy(plan);
    return part;
}

static char *emit_text(const emit_options *options, const gf_plan *plan, gf_diags *diags) {
    if (strcmp(options->target, "ptx") == 0) {
        return gf_ptx_text(plan, diags);
    }
#ifdef GF_HAVE_LLVM
    if (strcmp(options->target, "llvm") == 0) {
        return gf_llvm_text(plan, diags);
    }
    const char *built = "llvm and ptx";
#else
    const char *built = "ptx alone";
#endif
    (void)gf_fail(diags, GF_CODE_EMIT_TARGET, GF_NO_SPAN,
                  "no emitter for %s is built in; of the targets llvm, ptx, spirv this build has %s", options->target,
                  built);
    gf_fix(diags, "`gridfence plan --segments` shows what would be emitted, `gridfence run` runs it");
    return NULL;
}

int gf_cmd_emit(int argc, char **argv, gf_diags *diags) {
    emit_options options = {0};
    gf_program *program = NULL;
    gf_plan *plan = NULL;
    if (!read_options(&options, argc, argv, diags)) {
        return (int)gf_diags_status(diags);
    }
    if (options.help) {
        gf_cli_help("emit");
        return GF_STATUS_OK;
    }
    program = gf_cli_program(options.file, diags);
    plan = program != NULL ? make_plan(&options, program, diags) : NULL;
    char *text = plan != NULL ? emit_text(&options, plan, diags) : NULL;
    if (text != NULL) {
        gf_str out = {0};
        gf_str_add(&out, text);
        (void)(options.output != NULL ? gf_cli_write(options.output, &out, diags) : gf_cli_print(&out, diags));
    }
    gf_free(text);
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    return (int)gf_diags_status(diags);
}
