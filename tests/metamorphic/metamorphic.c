/* The metamorphic test: programs are changed in ways that must change nothing, and give the same bytes, passes and
 * convergence as before.
 *
 *     metamorphic [--seed S] [--times N] [--few] [--only NAME] [--print] FILE.gf...
 *         the cases that `//!` lines give (those of golden programs); a program without such lines gets made-up data.
 *         The original runs natively on the interpreter; each changed program natively and by its plan.
 *         N: how often each change is tried, with other choices (default 1); --few: two changes by turns, not all
 *     metamorphic --device cpu ...
 *         on that device with 1, 2 and 4 threads, by turns: the original, and one changed program of each file
 *
 * Prints what differs and the changed program, and as its last line `N passed, N failed, N skipped`. */
#include "metamorphic/change.h"
#include "metamorphic/run.h"

#include "base/arena.h"
#include "base/memory.h"
#include "ir/program.h"
#include "ir/visit.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

const transformation transformations[] = {
    {.name = "inlined", .apply = NULL}, /* the checked form as it is: functions inlined, names all different */
    {.name = "renamed", .apply = rename_all},
    {.name = "permuted", .apply = permute, .reorders = true},
    {.name = "in regions", .apply = wrap_in_regions},
    {.name = "regions apart", .apply = take_regions_apart},
    {.name = "more grid barriers", .apply = insert_grid_barriers, .reorders = true, .grid_barriers = true},
    {.name = "in grid if true", .apply = wrap_in_grid_if, .reorders = true, .grid_barriers = true},
    {.name = "in if true", .apply = wrap_in_plain_if},
    {.name = "unrolled", .apply = unroll},
    {.name = "expressions split", .apply = split_expressions},
    {.name = "lets inlined", .apply = inline_lets},
    {.name = "lets kept in variables", .apply = lets_to_vars},
};
const size_t transformation_count = sizeof transformations / sizeof *transformations;

enum { MOST_TOKENS = 256, MOST_TEXT = 1 << 22, THREADS = 3 };

typedef struct session {
    gf_device *interp, *devices[THREADS];
    uint64_t seed, times;
    const char *only;
    bool prints, few;
    size_t passed, failed, skipped, turn;
    size_t used[sizeof transformations / sizeof *transformations + 1]; /* how often each change was made */
} session;

/* One set of data of one program. */
typedef struct subject {
    const char *file, *name;
    char *text;
    size_t length;
    gf_program *program;
    gf_cli_options options;
    gf_cli_data data;
    bool order_free, native, host;
    outcome truth;
} subject;

/* ---- changed programs ---- */

typedef struct changing {
    change c;
    const transformation *how;
} changing;

static void apply(void *context) {
    changing *at = context;
    at->how->apply(&at->c);
}

/* The text of the changed program; NULL where there was nothing to change. */
static char *changed_text(const subject *of, const transformation *how, uint64_t seed) {
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(of->text, of->length, of->file, diags);
    changing at = {.how = how,
                   .c = {.tree = (gf_tree *)(uintptr_t)program->checked, .arena = program->arena, .random = seed}};
    gf_str text = {0};
    bool fine = how->apply == NULL || (gf_arena_protect(program->arena, apply, &at) && at.c.made > 0);
    if (fine && !gf_print_tree(at.c.tree, &text)) {
        gf_str_free(&text);
    }
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    return text.text;
}

static void tell(const session *s, const subject *of, const char *what, const char *how, const char *why,
                 const char *text) {
    printf("%s%s%s, %s, %s: %s\n", of->file, of->name[0] == '\0' ? "" : ", ", of->name, what, how, why);
    if (s->prints && text != NULL) {
        printf("%s\n", text);
    }
}

static bool compare(session *s, subject *of, gf_program *program, const char *what, const way *how, const char *text) {
    char why[1024];
    outcome now = run_program(program, &of->data, &of->options, how);
    bool same = is_same_outcome(&of->truth, &now, &of->data, of->order_free, why, sizeof why);
    drop_outcome(&now, &of->data);
    if (!same) {
        tell(s, of, what, how->name, why, text);
    }
    s->passed += same;
    s->failed += !same;
    return same;
}

static void try_change(session *s, subject *of, size_t index, uint64_t seed) {
    const transformation *how = &transformations[index];
    bool free_to_move = of->order_free && of->truth.ok;
    if ((how->reorders && !free_to_move) || (how->grid_barriers && !of->program->checked->has_grid_barrier) ||
        (s->only != NULL && strcmp(s->only, how->name) != 0)) {
        return;
    }
    char *text = changed_text(of, how, seed);
    if (text == NULL) {
        return;
    }
    s->used[index]++;
    gf_diags *diags = gf_diags_create();
    gf_program *program = gf_program_parse(text, strlen(text), "changed", diags);
    if (program == NULL) {
        tell(s, of, how->name, "checked", "refused", text);
        gf_diags_print(diags, stdout);
        s->failed++;
    } else if (s->devices[0] != NULL) {
        way on = {.device = s->devices[s->turn % THREADS], .name = "compiled", .strategy = GF_STRATEGY_AUTO};
        compare(s, of, program, how->name, &on, text);
    } else {
        way native = {.device = s->interp, .name = "native", .strategy = GF_STRATEGY_NATIVE};
        way host = {.device = s->interp, .name = "by its plan", .strategy = GF_STRATEGY_HOST};
        bool same = !of->native || compare(s, of, program, how->name, &native, text);
        if (same && of->host && of->order_free) {
            compare(s, of, program, how->name, &host, text);
        }
    }
    gf_program_destroy(program);
    gf_diags_destroy(diags);
    gf_free(text);
}

/* ---- other workgroups ---- */

static bool note_group_expr(void *user, const gf_expr *expr) {
    bool *found = user;
    bool by_group = expr->kind == GF_EXPR_BUILTIN &&
                    (expr->builtin == GF_BUILTIN_LID || expr->builtin == GF_BUILTIN_WID ||
                     expr->builtin == GF_BUILTIN_GROUP_SIZE || expr->builtin == GF_BUILTIN_GRID_SIZE);
    /* Sums of floats and scans go by workgroup. */
    bool folds = expr->kind == GF_EXPR_CROSS && (expr->level == GF_LEVEL_GROUP || expr->cross == GF_CROSS_SCAN_ADD ||
                                                 (expr->cross == GF_CROSS_ADD && gf_type_is_float(expr->type)));
    *found = *found || by_group || folds;
    return true;
}

static bool note_group_stmt(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_BARRIER || stmt->level == GF_LEVEL_GROUP;
    return true;
}

static bool uses_workgroups(const gf_tree *tree) {
    bool found = tree->kernel.space_kind != GF_SPACE_ITEMS || gf_tree_count(tree, GF_SYMBOL_SHARED) > 0;
    const gf_visitor visitor = {.user = &found, .stmt = note_group_stmt, .expr = note_group_expr, .into_calls = true};
    gf_visit_block(&visitor, tree->kernel.body);
    for (size_t i = 0; i < tree->decl_count; i++) {
        gf_visit_expr(&visitor, tree->decls[i]->size);
    }
    return found;
}

static const char other_workgroups[] = "other workgroups";

static void try_workgroups(session *s, subject *of) {
    static const uint32_t sizes[][3] = {{1, 1, 1}, {32, 1, 1}, {37, 1, 1}, {1024, 1, 1}};
    if (!of->order_free || !of->truth.ok || uses_workgroups(of->program->checked) ||
        (s->only != NULL && strcmp(s->only, other_workgroups) != 0)) {
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        way how = {.device = s->interp, .name = "by its plan", .strategy = GF_STRATEGY_HOST};
        memcpy(how.workgroup, sizes[i], sizeof how.workgroup);
        how.strategy = i % 2 == 0 || !of->host ? GF_STRATEGY_NATIVE : GF_STRATEGY_HOST;
        how.name = i % 2 == 0 || !of->host ? "native" : "by its plan";
        s->used[transformation_count]++;
        compare(s, of, of->program, other_workgroups, &how, NULL);
    }
}

/* ---- cases ---- */

static void try_subject(session *s, subject *of) {
    way native = {.device = s->interp, .name = "native", .strategy = GF_STRATEGY_NATIVE, .check_races = true};
    outcome races = run_program(of->program, &of->data, &of->options, &native);
    /* What a program with a race gives is nothing to compare with. */
    bool usable = strcmp(races.code, "GF0705") != 0;
    drop_outcome(&races, &of->data);
    native.check_races = false;
    of->truth = run_program(of->program, &of->data, &of->options, &native);
    of->order_free = gf_program_order_free(of->program, NULL);
    if (!usable) {
        s->skipped++;
    } else if (s->devices[0] != NULL) {
        if (of->truth.ok && of->order_free) {
            for (size_t i = 0; i < THREADS; i++) {
                way on = {.device = s->devices[i], .name = "compiled", .strategy = GF_STRATEGY_AUTO};
                compare(s, of, of->program, "other threads", &on, NULL);
            }
            try_change(s, of, s->turn % transformation_count, s->seed);
        }
    } else {
        for (uint64_t time = 0; time < s->times; time++) {
            for (size_t i = 0; i < transformation_count; i++) {
                if (!s->few || i % (transformation_count / 2) == s->turn % (transformation_count / 2)) {
                    try_change(s, of, i, s->seed + time * 1000003 + s->turn);
                }
            }
        }
        if (!s->few) {
            try_workgroups(s, of);
        }
    }
    s->turn++;
    drop_outcome(&of->truth, &of->data);
}

/* `args` is cut apart; `ways` are the strategies that the case is for, none: all. */
static void try_case(session *s, subject *of, gf_str *args, const char *ways) {
    char *tokens[MOST_TOKENS] = {(char *)(uintptr_t) "run", (char *)(uintptr_t)of->file};
    int count = 2;
    for (char *token = args->text == NULL ? NULL : strtok(args->text, " "); token != NULL && count < MOST_TOKENS - 1;
         token = strtok(NULL, " ")) {
        tokens[count++] = token;
    }
    gf_diags *diags = gf_diags_create();
    of->native = ways[0] == '\0' || strstr(ways, "native") != NULL;
    of->host = ways[0] == '\0' || strstr(ways, "host") != NULL;
    bool fine = gf_cli_options_read(&of->options, GF_CLI_RUN, count, tokens, diags);
    fine = fine && gf_cli_data_load(&of->data, of->program, &of->options, false, diags);
    /* Those that end by a limit of time end nowhere in particular, those without data were about options. */
    if (fine && of->options.timeout == 0 && (of->native || of->host)) {
        try_subject(s, of);
    } else {
        s->skipped++;
    }
    gf_cli_data_free(&of->data);
    gf_cli_options_free(&of->options);
    of->options = (gf_cli_options){0};
    gf_diags_destroy(diags);
}

/* Data for a program that says nothing of it. */
static void try_made_up(session *s, subject *of) {
    static const unsigned sizes[] = {66, 7, 0};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        gf_str args = {0};
        unsigned n = sizes[k], seed = 1;
        for (size_t i = 0; i < gf_tree_count(of->program->checked, GF_SYMBOL_PARAM); i++) {
            const char *name = gf_tree_nth(of->program->checked, GF_SYMBOL_PARAM, i)->name;
            unsigned value = strcmp(name, "n2") == 0   ? n / 3
                             : strcmp(name, "n3") == 0 ? n / 6
                             : name[0] == 'n'          ? n
                                                       : 11;
            gf_str_addf(&args, "--set %s=%u ", name, value);
        }
        for (size_t i = 0; i < gf_tree_count(of->program->checked, GF_SYMBOL_BUFFER); i++) {
            const gf_symbol *buffer = gf_tree_nth(of->program->checked, GF_SYMBOL_BUFFER, i);
            if (buffer->role == GF_ROLE_IN || buffer->role == GF_ROLE_INOUT) {
                gf_str_addf(&args, "--in %s=random:%u:0:100 ", buffer->name, seed++);
            }
            if (buffer->size == NULL) {
                gf_str_addf(&args, "--size %s=%u ", buffer->name, n);
            }
        }
        try_case(s, of, &args, "");
        gf_str_free(&args);
    }
}

/* The leading `//!` lines, as tests/runner/golden.py reads them. */
static void try_cases(session *s, subject *of) {
    gf_str args = {0};
    char name[64] = "", ways[64] = "";
    bool any = false, open = false;
    char *copy = gf_malloc(of->length + 1), *rest = copy;
    memcpy(copy, of->text, of->length + 1);
    for (char *line = copy; line != NULL; line = rest) {
        rest = strchr(line, '\n');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        if (line[0] != '\0' && strncmp(line, "//", 2) != 0) {
            break;
        }
        if (strncmp(line, "//! ", 4) != 0) {
            continue;
        }
        any = true;
        if (strncmp(line, "//! case", 8) == 0) {
            if (open) {
                of->name = name;
                try_case(s, of, &args, ways);
            }
            gf_str_free(&args);
            args = (gf_str){0};
            (void)snprintf(name, sizeof name, "%s", strlen(line) > 9 ? line + 9 : "");
            ways[0] = '\0';
            open = false;
            continue;
        }
        if (strncmp(line, "//! args ", 9) == 0) {
            gf_str_addf(&args, " %s", line + 9);
        } else if (strncmp(line, "//! only ", 9) == 0 || strncmp(line, "//! strategies ", 15) == 0) {
            (void)snprintf(ways, sizeof ways, "%s", strchr(line + 4, ' '));
        }
        open = true;
    }
    of->name = name;
    if (any) {
        try_case(s, of, &args, ways);
    } else {
        try_made_up(s, of);
    }
    gf_str_free(&args);
    gf_free(copy);
}

static void try_file(session *s, const char *file) {
    gf_diags *diags = gf_diags_create();
    subject of = {.file = file, .name = ""};
    if (!gf_cli_read(file, &of.text, &of.length, diags)) {
        gf_diags_print(diags, stdout);
        s->failed++;
    } else {
        of.program = gf_program_parse(of.text, of.length, file, diags);
        if (of.program != NULL) {
            try_cases(s, &of);
        } else {
            s->skipped++; /* a program that is refused on purpose */
        }
    }
    gf_program_destroy(of.program);
    gf_free(of.text);
    gf_diags_destroy(diags);
    (void)fflush(stdout);
}

static bool is_change(const char *name) {
    bool found = strcmp(name, other_workgroups) == 0;
    for (size_t i = 0; i < transformation_count; i++) {
        found = found || strcmp(name, transformations[i].name) == 0;
    }
    return found;
}

static int usage(void) {
    (void)fputs("metamorphic: see the head of tests/metamorphic/metamorphic.c\n", stderr);
    return 2;
}

int main(int count, char **words) {
    static const struct option table[] = {{"seed", required_argument, NULL, 's'},
                                          {"times", required_argument, NULL, 't'},
                                          {"only", required_argument, NULL, 'o'},
                                          {"device", required_argument, NULL, 'd'},
                                          {"print", no_argument, NULL, 'p'},
                                          {"few", no_argument, NULL, 'f'},
                                          {NULL, 0, NULL, 0}};
    session s = {.seed = 1, .times = 1};
    const char *device = NULL;
    for (int got = 0; (got = getopt_long(count, words, "", table, NULL)) != -1;) {
        switch (got) {
        case 's':
            s.seed = strtoull(optarg, NULL, 10);
            break;
        case 't':
            s.times = strtoull(optarg, NULL, 10);
            break;
        case 'o':
            s.only = optarg;
            break;
        case 'd':
            device = optarg;
            break;
        case 'p':
            s.prints = true;
            break;
        case 'f':
            s.few = true;
            break;
        default:
            return usage();
        }
    }
    if (s.only != NULL && !is_change(s.only)) {
        return usage();
    }
    gf_diags *diags = gf_diags_create();
    s.interp = gf_device_open("interp", diags);
    static const unsigned threads[THREADS] = {1, 2, 4};
    for (size_t i = 0; device != NULL && i < THREADS; i++) {
        gf_device_options options = {.threads = threads[i], .no_cache = true};
        s.devices[i] = gf_device_open_with(device, &options, diags);
    }
    if (device != NULL && s.devices[0] == NULL) {
        printf("skip device %s: it is not here\n0 passed, 0 failed, 1 skipped\n", device);
        return 0;
    }
    for (int i = optind; i < count; i++) {
        try_file(&s, words[i]);
    }
    for (size_t i = 0; i <= transformation_count; i++) {
        printf("%s: %zu\n", i < transformation_count ? transformations[i].name : other_workgroups, s.used[i]);
    }
    for (size_t i = 0; i < THREADS; i++) {
        gf_device_destroy(s.devices[i]);
    }
    gf_device_destroy(s.interp);
    gf_diags_destroy(diags);
    printf("%zu passed, %zu failed, %zu skipped\n", s.passed, s.failed, s.skipped);
    return s.failed != 0;
}
