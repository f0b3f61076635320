/* Programs as PTX: tests/golden/ptx/NAME.gf has NAME.ptx beside it, the whole text, byte for byte. A line
 * `// ptx: checked native stages steps dependent wide threads=N` at the head of a program says how it is written. With
 * --update the files are rewritten. With --assemble PTXAS each text, and every program in the folders that follow in
 * each way, is also given to that assembler: sm_75, which is the oldest that all of them know, and sm_90; where kernels
 * may come early sm_90 alone. */
#include "base/str.h"
#include "emit/ptx/stages.h"
#include "plan/plan.h"
#include "plan/track.h"
#include "scratch.h"
#include <dirent.h>
#include <gridfence/program.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER GF_SOURCE_DIR "/tests/golden/ptx"

typedef struct ways {
    bool checked, native, stages, steps, dependent, wide;
    uint32_t threads;
} ways;

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    gf_str text = {0};
    char part[4096];
    gf_str_add(&text, "");
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;) {
        gf_str_add_n(&text, part, got);
    }
    (void)fclose(file);
    return gf_str_take(&text);
}

static bool write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    bool done = file != NULL && fputs(text, file) >= 0;
    return file != NULL && fclose(file) == 0 && done;
}

/* ---- writing ---- */

static char *write_stages(const gf_plan *plan, const gf_ptx_options *options, gf_diags *diags) {
    gf_ptx_stages stages = {0};
    char *text = NULL;
    if (gf_ptx_emit_stages(plan, options, &stages, diags)) {
        text = stages.module.text;
        stages.module.text = NULL;
    }
    gf_ptx_stages_finish(&stages);
    return text;
}

static char *write_whole(const gf_plan *plan, const gf_ptx_options *options, gf_diags *diags) {
    gf_ptx_module module = {0};
    char *text = NULL;
    if (gf_ptx_emit_whole(plan, options, &module, diags)) {
        text = module.text;
        module.text = NULL;
    }
    gf_ptx_module_finish(&module);
    return text;
}

/* NULL with messages. */
static char *write_ptx(const char *source, const char *name, const ways *how, gf_diags *diags) {
    gf_plan_options asked = {.keep_empty = how->checked, .lower_exits = how->stages || how->steps};
    gf_program *program = gf_program_parse(source, strlen(source), name, diags);
    gf_plan *plan = program != NULL ? gf_plan_create(program, &asked, diags) : NULL;
    char *text = NULL;
    if (plan != NULL && (!how->steps || gf_ptx_can_go_by_steps(plan))) {
        bool *tracked = gf_plan_tracked(plan);
        gf_ptx_options options = {.checked = how->checked,
                                  .native = how->native,
                                  .wide = how->wide,
                                  .by_steps = how->steps,
                                  .dependent = how->dependent,
                                  .threads = how->threads > 0 ? how->threads : 512,
                                  .passes = plan->is_fixpoint,
                                  .compare = plan->is_fixpoint,
                                  .tracked = plan->is_fixpoint ? tracked : NULL};
        text = how->stages ? write_stages(plan, &options, diags) : write_whole(plan, &options, diags);
        gf_free(tracked);
    }
    gf_plan_destroy(plan);
    gf_program_destroy(program);
    return text;
}

static ways read_ways(const char *source) {
    const char *line = strncmp(source, "// ptx:", 7) == 0 ? source : NULL;
    ways how = {0};
    if (line == NULL) {
        return how;
    }
    char words[128];
    (void)snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n"), line);
    const char *threads = strstr(words, "threads=");
    how.checked = strstr(words, " checked") != NULL;
    how.native = strstr(words, " native") != NULL;
    how.stages = strstr(words, " stages") != NULL;
    how.steps = strstr(words, " steps") != NULL;
    how.dependent = strstr(words, " dependent") != NULL;
    how.wide = strstr(words, " wide") != NULL;
    how.threads = threads != NULL ? (uint32_t)strtoul(threads + 8, NULL, 10) : 0;
    return how;
}

/* ---- the assembler ---- */

static bool assemble(const char *ptxas, const char *text, const char *name, const char *how) {
    static const char *const targets[] = {"sm_75", "sm_90"};
    char folder[SCRATCH_BYTES], path[SCRATCH_INSIDE], command[4 * SCRATCH_INSIDE];
    if (!scratch_make(folder)) {
        printf("%s%s: FAILED: no scratch folder\n", name, how);
        return false;
    }
    (void)snprintf(path, sizeof path, "%s/a.ptx", folder);
    bool right = write_file(path, text);
    for (size_t i = strstr(text, ".target sm_90") != NULL; right && i < sizeof targets / sizeof *targets; i++) {
        (void)snprintf(command, sizeof command, "'%s' -arch=%s -o /dev/null '%s'", ptxas, targets[i], path);
        right = system(command) == 0; /* NOLINT(cert-env33-c): the path of a tool, from the command line of the test */
        if (!right) {
            printf("%s%s: FAILED: ptxas -arch=%s does not take it\n", name, how, targets[i]);
        }
    }
    scratch_remove(folder);
    return right;
}

/* ---- golden texts ---- */

static void show_difference(const char *expected, const char *given) {
    unsigned line = 1;
    while (*expected != '\0' && *expected == *given) {
        line += *expected == '\n';
        expected++, given++;
    }
    printf("line %u: expected `%.*s`, given `%.*s`\n", line, (int)strcspn(expected, "\n"), expected,
           (int)strcspn(given, "\n"), given);
}

static bool run_one(const char *name, bool update, const char *ptxas) {
    char path[4096], expected_path[4096];
    (void)snprintf(path, sizeof path, FOLDER "/%s", name);
    (void)snprintf(expected_path, sizeof expected_path, FOLDER "/%.*s.ptx", (int)(strlen(name) - 3), name);
    char *source = read_file(path), *expected = read_file(expected_path);
    gf_diags *diags = gf_diags_create();
    ways how = read_ways(source);
    char *text = write_ptx(source, name, &how, diags);
    bool right = text != NULL && expected != NULL && strcmp(text, expected) == 0;
    if (text == NULL) {
        printf("%s: FAILED\n", name);
        gf_diags_print(diags, stdout);
    } else if (!right && update) {
        right = write_file(expected_path, text);
        printf("%s: rewritten\n", name);
    } else if (!right) {
        printf("%s: FAILED: ", name);
        show_difference(expected != NULL ? expected : "", text);
    }
    right = right && (ptxas == NULL || assemble(ptxas, text, name, ""));
    gf_free(text);
    gf_diags_destroy(diags);
    gf_free(expected);
    gf_free(source);
    return right;
}

/* ---- every program in every way, for the assembler alone ---- */

static bool assemble_ways(const char *ptxas, const char *path) {
    static const struct {
        const char *name;
        ways how;
    } all[] = {{" whole", {0}},
               {" native", {.native = true, .threads = 1024}},
               {" checked", {.checked = true}},
               {" stages", {.stages = true}},
               {" steps", {.steps = true, .dependent = true, .threads = 1024}}};
    char *source = read_file(path);
    bool right = true;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        gf_diags *diags = gf_diags_create();
        char *text = write_ptx(source, path, &all[i].how, diags);
        /* Some are wrong on purpose, and some have no such form: that is for others to say. */
        right = (text == NULL || assemble(ptxas, text, path, all[i].name)) && right;
        gf_free(text);
        gf_diags_destroy(diags);
    }
    gf_free(source);
    return right;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the programs in a folder, in order; freed with free_names. */
static size_t list_programs(const char *folder, char ***names) {
    DIR *open = opendir(folder);
    size_t count = 0;
    *names = NULL;
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".gf") != 0) {
            continue;
        }
        char **larger = realloc((void *)*names, (count + 1) * sizeof *larger);
        if (larger == NULL) {
            abort();
        }
        *names = larger;
        (*names)[count++] = strdup(entry->d_name);
    }
    if (open != NULL) {
        (void)closedir(open);
    }
    if (count > 0) {
        qsort((void *)*names, count, sizeof **names, compare_names);
    }
    return count;
}

static void free_names(char **names, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(names[i]);
    }
    free((void *)names);
}

int main(int argc, char **argv) {
    bool update = false;
    const char *ptxas = NULL;
    size_t passed = 0, failed = 0;
    char **names;
    int folders = argc;
    for (int i = 1; i < argc; i++) {
        update = update || strcmp(argv[i], "--update") == 0;
        if (strcmp(argv[i], "--assemble") == 0 && i + 1 < argc) {
            ptxas = argv[++i];
            folders = i + 1;
        }
    }
    size_t count = list_programs(FOLDER, &names);
    for (size_t i = 0; i < count; i++) {
        run_one(names[i], update, ptxas) ? passed++ : failed++;
    }
    free_names(names, count);
    for (int i = folders; i < argc; i++) {
        size_t programs = list_programs(argv[i], &names);
        for (size_t k = 0; k < programs; k++) {
            char path[4096];
            (void)snprintf(path, sizeof path, "%s/%s", argv[i], names[k]);
            assemble_ways(ptxas, path) ? passed++ : failed++;
        }
        free_names(names, programs);
    }
    printf("%zu passed, %zu failed, 0 skipped\n", passed, failed);
    return failed > 0 || count == 0 ? 1 : 0;
}
