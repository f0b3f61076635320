/* gridfence-cases: carries recorded cases out on a device, many in one process.
 *
 *     gridfence-cases FILE [--device NAME] [--strategy NAME]... [--only TEXT]... [--skip TEXT]... [--shard I/N]
 *                     [--case-seconds S] [--limit-seconds S] [--loop S] [--folder PATH] [--log FILE] [--in-process]
 *                     [--must] [--list] [-- ARGUMENT...]
 *     gridfence-cases FILE --record OUT
 *
 * FILE is written by tests/gpu/record.py (case.h says what is in it). Failures go to standard error, each with the
 * command that repeats it; the last line on standard output is `N passed, N failed, N skipped`. A device that is not
 * here is skipped by its name, or with --must a failure. What stands behind `--` is added to each command. */
#include "base/memory.h"
#include "gpu/supervise.h"
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_TEXTS = 64 };

typedef struct name_list {
    const char *items[MOST_TEXTS];
    size_t count;
} name_list;

typedef struct settings {
    gf_supervise_options run;
    const char *record, *log, *file;
    name_list only, skip, strategies;
    size_t shard, shards;
    bool must, list;
} settings;

static void add_text(name_list *texts, const char *text) {
    if (texts->count < MOST_TEXTS) {
        texts->items[texts->count++] = text;
    }
}

static bool holds_any(const char *name, const name_list *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        if (strstr(name, texts->items[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool read_shard(const char *text, settings *out) {
    char *end = NULL;
    out->shard = strtoul(text, &end, 10);
    out->shards = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    return *end == '\0' && out->shard < out->shards;
}

static bool take_option(int which, settings *out) {
    char *end = NULL;
    double number = optarg != NULL ? strtod(optarg, &end) : 0;
    switch (which) {
    case 'd':
        out->run.how.device = optarg;
        return true;
    case 's':
        add_text(&out->strategies, optarg);
        return true;
    case 'o':
        add_text(&out->only, optarg);
        return true;
    case 'k':
        add_text(&out->skip, optarg);
        return true;
    case 'h':
        return read_shard(optarg, out);
    case 'c':
        out->run.case_seconds = number;
        return *end == '\0' && number > 0;
    case 'l':
        out->run.limit_seconds = number;
        return *end == '\0' && number > 0;
    case 'w':
        out->run.loop_seconds = number;
        return *end == '\0' && number > 0;
    case 'f':
        out->run.how.folder = optarg;
        return true;
    case 'g':
        out->log = optarg;
        return true;
    case 'p':
        out->run.in_process = true;
        return true;
    case 'm':
        out->must = true;
        return true;
    case 't':
        out->list = true;
        return true;
    case 'r':
        out->record = optarg;
        return true;
    default:
        return false;
    }
}

static bool read_options(int argc, char **argv, settings *out) {
    static const struct option table[] = {
        {"device", 1, NULL, 'd'},       {"strategy", 1, NULL, 's'},      {"only", 1, NULL, 'o'},
        {"skip", 1, NULL, 'k'},         {"shard", 1, NULL, 'h'},         {"record", 1, NULL, 'r'},
        {"case-seconds", 1, NULL, 'c'}, {"limit-seconds", 1, NULL, 'l'}, {"loop", 1, NULL, 'w'},
        {"folder", 1, NULL, 'f'},       {"log", 1, NULL, 'g'},           {"in-process", 0, NULL, 'p'},
        {"must", 0, NULL, 'm'},         {"list", 0, NULL, 't'},          {0}};
    int behind = argc;
    for (int i = 1; i < argc && behind == argc; i++) {
        behind = strcmp(argv[i], "--") == 0 ? i : argc;
    }
    *out = (settings){.run = {.how = {.device = "cuda", .folder = "/tmp"}, .case_seconds = 60}, .shards = 1};
    for (int got = 0; (got = getopt_long(behind, argv, "", table, NULL)) != -1;) {
        if (!take_option(got, out)) {
            return false;
        }
    }
    if (out->strategies.count == 0) {
        add_text(&out->strategies, out->record != NULL ? "native" : "auto");
    }
    if (out->record != NULL) {
        out->run.how.device = "interp";
    }
    out->run.how.extra = behind < argc ? (const char *const *)argv + behind + 1 : NULL;
    out->file = optind < behind ? argv[optind] : NULL;
    return out->file != NULL && optind + 1 == behind;
}

static FILE *open_output(const char *path) {
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (path != NULL && file == NULL) {
        (void)fprintf(stderr, "gridfence-cases: cannot write %s\n", path);
        exit(2);
    }
    return file;
}

/* Those of the cases that the options leave, of one strategy. */
static size_t choose(const settings *options, const gf_cases *cases, const char *strategy, const gf_case **out) {
    size_t count = 0;
    size_t number = 0;
    for (size_t i = 0; i < cases->count; i++) {
        const gf_case *item = &cases->items[i];
        if (gf_case_takes(item, strategy) && (options->only.count == 0 || holds_any(item->name, &options->only)) &&
            !holds_any(item->name, &options->skip) && number++ % options->shards == options->shard) {
            out[count++] = item;
        }
    }
    return count;
}

static void run_all(settings *options, const gf_cases *cases, const gf_case **chosen, gf_supervise_counts *sum) {
    for (size_t s = 0; s < options->strategies.count; s++) {
        options->run.how.strategy = options->strategies.items[s];
        options->run.count = choose(options, cases, options->run.how.strategy, chosen);
        options->run.cases = chosen;
        if (options->list) {
            for (size_t i = 0; i < options->run.count; i++) {
                (void)printf("%s: %s\n", options->run.how.strategy, chosen[i]->name);
            }
            continue;
        }
        gf_supervise_counts counts = gf_supervise(&options->run);
        if (!counts.has_device && options->run.count > 0) {
            (void)fprintf(stderr, "%s device %s: it is not here\n", options->must ? "FAIL" : "skip",
                          options->run.how.device);
            counts.failed += options->must;
            counts.skipped += !options->must;
        }
        sum->passed += counts.passed;
        sum->failed += counts.failed;
        sum->skipped += counts.skipped;
        sum->restarts += counts.restarts;
    }
}

int main(int argc, char **argv) {
    settings options;
    gf_cases cases = {0};
    (void)signal(SIGPIPE, SIG_IGN);
    if (!read_options(argc, argv, &options)) {
        (void)fputs("gridfence-cases FILE [--device NAME] [--strategy NAME]... [--only TEXT]... [--skip TEXT]...\n"
                    "    [--shard I/N] [--case-seconds S] [--limit-seconds S] [--loop S] [--folder PATH] [--log FILE]\n"
                    "    [--in-process] [--must] [--list] [--record OUT] [-- ARGUMENT...]\n",
                    stderr);
        return 2;
    }
    if (!gf_cases_read(&cases, options.file)) {
        return 2;
    }
    options.run.record = open_output(options.record);
    options.run.log = open_output(options.log);
    const gf_case **chosen = gf_calloc(cases.count + 1, sizeof *chosen);
    gf_supervise_counts sum = {0};
    /* Standard output may be captured later on. */
    int terminal = dup(STDOUT_FILENO);
    run_all(&options, &cases, chosen, &sum);
    int status = sum.failed > 0;
    if (options.run.record != NULL && fclose(options.run.record) != 0) {
        (void)fprintf(stderr, "gridfence-cases: cannot write %s\n", options.record);
        status = 2;
    }
    if (options.run.log != NULL) {
        (void)fclose(options.run.log);
    }
    (void)fflush(stdout);
    (void)dup2(terminal, STDOUT_FILENO);
    if (!options.list) {
        if (sum.restarts > 0) {
            (void)printf("%zu times a new process had to go on\n", sum.restarts);
        }
        (void)printf("%zu passed, %zu failed, %zu skipped\n", sum.passed, sum.failed, sum.skipped);
    }
    gf_free(chosen);
    gf_cases_free(&cases);
    return status;
}
