#include "cli/options.h"
#include "base/checked.h"
#include "base/memory.h"
#include "cli/help.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_SET = 256,
    OPTION_IN,
    OPTION_SIZE,
    OPTION_OUT,
    OPTION_CSR,
    OPTION_EDGES,
    OPTION_TRANSPOSE,
    OPTION_SYMMETRIC,
    OPTION_REMAP,
    OPTION_WORKGROUP,
    OPTION_DEVICE,
    OPTION_STRATEGY,
    OPTION_THREADS,
    OPTION_NO_CACHE,
    OPTION_UNCHECKED,
    OPTION_PASSES,
    OPTION_TIMEOUT,
    OPTION_MEMORY,
    OPTION_REPEAT,
    OPTION_CHECKED,
    OPTION_RACES,
    OPTION_CONVERGED,
    OPTION_KEEP_BARRIERS,
    OPTION_KEEP_EMPTY,
    OPTION_TOLERATE,
    OPTION_TIME,
    OPTION_JSON,
    OPTION_EXPLAIN,
    OPTION_TRACE,
    OPTION_QUIET,
    OPTION_DOT,
    OPTION_SVG,
    OPTION_SEGMENTS,
};

typedef struct option_row {
    const char *name;
    int has_argument;
    int value;
    int commands;
} option_row;

#define RUNS (GF_CLI_RUN | GF_CLI_DIFF)
#define BINDS (GF_CLI_RUN | GF_CLI_DIFF | GF_CLI_PLAN)

static const option_row rows[] = {
    {"set", 1, OPTION_SET, BINDS},
    {"in", 1, OPTION_IN, BINDS},
    {"size", 1, OPTION_SIZE, BINDS},
    {"csr", 1, OPTION_CSR, BINDS},
    {"edges", 1, OPTION_EDGES, BINDS},
    {"transpose", 0, OPTION_TRANSPOSE, BINDS},
    {"symmetric", 0, OPTION_SYMMETRIC, BINDS},
    {"remap", 0, OPTION_REMAP, BINDS},
    {"out", 1, OPTION_OUT, RUNS},
    {"workgroup", 1, OPTION_WORKGROUP, RUNS},
    {"device", 1, OPTION_DEVICE, RUNS},
    {"strategy", 1, OPTION_STRATEGY, RUNS},
    {"threads", 1, OPTION_THREADS, RUNS},
    {"no-cache", 0, OPTION_NO_CACHE, RUNS},
    {"unchecked", 0, OPTION_UNCHECKED, RUNS},
    {"passes", 1, OPTION_PASSES, BINDS},
    {"timeout", 1, OPTION_TIMEOUT, RUNS},
    {"memory-limit", 1, OPTION_MEMORY, RUNS},
    {"repeat", 1, OPTION_REPEAT, RUNS},
    {"checked", 0, OPTION_CHECKED, RUNS},
    {"check-races", 0, OPTION_RACES, RUNS},
    {"require-converged", 0, OPTION_CONVERGED, RUNS},
    {"keep-barriers", 0, OPTION_KEEP_BARRIERS, BINDS},
    {"keep-empty", 0, OPTION_KEEP_EMPTY, BINDS},
    {"tolerate-order", 0, OPTION_TOLERATE, GF_CLI_DIFF},
    {"time", 0, OPTION_TIME, RUNS},
    {"json", 0, OPTION_JSON, BINDS | GF_CLI_CHECK},
    {"explain", 0, OPTION_EXPLAIN, RUNS},
    {"trace", 1, OPTION_TRACE, RUNS},
    {"quiet", 0, OPTION_QUIET, RUNS | GF_CLI_CHECK},
    {"dot", 0, OPTION_DOT, GF_CLI_PLAN},
    {"svg", 1, OPTION_SVG, GF_CLI_PLAN},
    {"segments", 0, OPTION_SEGMENTS, GF_CLI_PLAN},
    {"help", 0, 'h', BINDS | GF_CLI_CHECK},
};
#define ROW_COUNT (sizeof rows / sizeof rows[0])

/* Whether `--` or the end of the options was met. getopt_long, called again behind its -1, would take what follows for
   options once more, and at the end of it go back to the first. */
static bool is_behind_options;

void gf_cli_getopt_begin(void) {
    is_behind_options = false;
    optind = 0; /* glibc: begin anew */
    opterr = 0;
}

static void suggest_option(const char *given, const struct option *table, gf_diags *diags) {
    const char *names[64];
    size_t count = 0;
    while (count < 64 && table[count].name != NULL) {
        names[count] = table[count].name;
        count++;
    }
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
    const char *near = gf_cli_nearest(name, names, count);
    if (near != NULL) {
        gf_fix(diags, "did you mean --%s?", near);
    }
}

/* getopt_long takes the beginning of a name for the name: a slip of the pen would do something, and a name that comes
 * later would break what is written today. */
static bool is_cut_short(const char *given, const struct option *table) {
    size_t length = strncmp(given, "--", 2) == 0 ? strcspn(given + 2, "=") : 0;
    for (size_t i = 0; length > 0 && table[i].name != NULL; i++) {
        if (strlen(table[i].name) == length && memcmp(table[i].name, given + 2, length) == 0) {
            return false;
        }
    }
    return length > 0;
}

int gf_cli_getopt(int argc, char **argv, const struct option *table, gf_diags *diags) {
    int index = optind > 0 ? optind : 1;
    int got = is_behind_options ? -1 : getopt_long(argc, argv, "-:ho:", table, NULL);
    if (got > 1 && got != '?' && got != ':' && index < argc && is_cut_short(argv[index], table)) {
        got = '?';
        optopt = 0;
    }
    if (got == ':') {
        (void)gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "option '%.60s' wants a value", argv[optind - 1]);
        return '?';
    }
    if (got == '?') {
        const char *given = index < argc ? argv[index] : "";
        bool is_long = strncmp(given, "--", 2) == 0;
        if (optopt != 0 && is_long) {
            (void)gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "option '%.*s' takes no value",
                          (int)strcspn(given, "="), given);
        } else {
            (void)gf_fail(diags, GF_CODE_OPTION_UNKNOWN, GF_NO_SPAN, "%s has no option '%.60s'", argv[0], given);
            if (is_long) {
                suggest_option(given + 2, table, diags);
            }
        }
    }
    is_behind_options = got == -1;
    if (got == -1 && optind < argc) {
        optarg = argv[optind++];
        return 1;
    }
    return got;
}

/* ---- values of options ---- */

static bool fail_value(const char *option, const char *text, const char *wanted, gf_diags *diags) {
    return gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--%s: '%.100s' is not %s", option, text, wanted);
}

static bool parse_count(const char *option, const char *text, const char *wanted, uint64_t least, uint64_t most,
                        uint64_t *out, gf_diags *diags) {
    char *end = NULL;
    errno = 0;
    unsigned long long value = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    if (end == NULL || *end != '\0' || errno != 0 || value < least || value > most) {
        return fail_value(option, text, wanted, diags);
    }
    *out = value;
    return true;
}

bool gf_cli_parse_threads(const char *text, unsigned *threads, gf_diags *diags) {
    uint64_t count = 0;
    if (!parse_count("threads", text, "a number of threads from 1 to 4096", 1, GF_DEVICE_MAX_THREADS, &count, diags)) {
        return false;
    }
    *threads = (unsigned)count;
    return true;
}

static bool parse_bytes(const char *text, uint64_t *out, gf_diags *diags) {
    static const char wanted[] = "a number of bytes from 1 on, such as 1000000, 512K, 64M or 2G";
    static const char suffixes[] = "KMG";
    char *end = NULL;
    errno = 0;
    unsigned long long value = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 10) : 0;
    uint64_t factor = 1;
    if (end == NULL || errno != 0 || value == 0) {
        return fail_value("memory-limit", text, wanted, diags);
    }
    const char *suffix = *end != '\0' ? strchr(suffixes, *end >= 'a' ? *end - 'a' + 'A' : *end) : NULL;
    if (suffix != NULL) {
        factor = (uint64_t)1 << (10 * (suffix - suffixes + 1));
        end++;
    }
    if (*end != '\0' || !gf_mul_u64(value, factor, out)) {
        return fail_value("memory-limit", text, wanted, diags);
    }
    return true;
}

static bool parse_seconds(const char *text, double *out, gf_diags *diags) {
    gf_number number = {0};
    size_t length = strlen(text);
    if (length > 0 && gf_number_scan(text, text + length, &number) == length && !number.negative) {
        *out = number.is_integer ? (double)number.magnitude : number.real;
        if (*out > 0 && isfinite(*out)) {
            return true;
        }
    }
    return fail_value("timeout", text, "a number of seconds above 0", diags);
}

static bool parse_workgroup(const char *text, uint32_t out[3], gf_diags *diags) {
    static const char wanted[] = "a workgroup size: X, X,Y or X,Y,Z, each from 1 on";
    const char *at = text;
    out[0] = out[1] = out[2] = 1;
    for (int axis = 0; axis < 3; axis++) {
        char *end = NULL;
        errno = 0;
        unsigned long long value = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : 0;
        if (end == NULL || errno != 0 || value == 0 || value > UINT32_MAX) {
            return fail_value("workgroup", text, wanted, diags);
        }
        out[axis] = (uint32_t)value;
        if (*end == '\0') {
            return true;
        }
        if (*end != ',') {
            return fail_value("workgroup", text, wanted, diags);
        }
        at = end + 1;
    }
    return fail_value("workgroup", text, wanted, diags);
}

static bool add_pair(gf_cli_pairs *pairs, const char *option, const char *form, const char *text, bool may_repeat,
                     gf_diags *diags) {
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        (void)gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--%s: '%.100s' is not of the form %s", option, text,
                      form);
        return false;
    }
    size_t length = (size_t)(equals - text);
    for (size_t i = 0; !may_repeat && i < pairs->count; i++) {
        if (strlen(pairs->items[i].name) == length && memcmp(pairs->items[i].name, text, length) == 0) {
            return gf_fail(diags, GF_CODE_OPTION_TWICE, GF_NO_SPAN, "--%s was given twice for '%s'", option,
                           pairs->items[i].name);
        }
    }
    gf_cli_pair *grown = gf_realloc(pairs->items, (pairs->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return gf_fail_memory(diags);
    }
    pairs->items = grown;
    char *name = gf_malloc(length + 1);
    if (name == NULL) {
        return gf_fail_memory(diags);
    }
    memcpy(name, text, length);
    name[length] = '\0';
    pairs->items[pairs->count++] = (gf_cli_pair){.name = name, .text = equals + 1};
    return true;
}

static bool add_graph(gf_cli_options *options, bool is_csr, const char *text, gf_diags *diags) {
    const char *option = is_csr ? "csr" : "edges";
    const char *form = is_csr ? "ROW,COL[,N[,VAL]]=FILE" : "FROM,TO[,N[,VAL]]=FILE";
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals[1] == '\0') {
        return gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--%s: '%.100s' is not of the form %s", option, text,
                       form);
    }
    gf_cli_graph *grown = gf_realloc(options->graphs, (options->graph_count + 1) * sizeof *grown);
    if (grown == NULL) {
        return gf_fail_memory(diags);
    }
    options->graphs = grown;
    gf_cli_graph *graph = &grown[options->graph_count];
    *graph = (gf_cli_graph){.storage = gf_strdup(text), .file = equals + 1, .is_csr = is_csr};
    if (graph->storage == NULL) {
        return gf_fail_memory(diags);
    }
    options->graph_count++;
    graph->storage[equals - text] = '\0';
    size_t count = 0;
    for (char *at = graph->storage; at != NULL; count++) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (count >= 4 || *at == '\0') {
            count = 0;
            break;
        }
        graph->names[count] = strcmp(at, "-") == 0 ? NULL : at;
        at = comma != NULL ? comma + 1 : NULL;
    }
    return count >= 2 || gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--%s: '%.100s' is not of the form %s",
                                 option, text, form);
}

static gf_graph_options *latest_graph(gf_cli_options *options, const char *option, gf_diags *diags) {
    static gf_graph_options nowhere;
    if (options->graph_count == 0) {
        (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN,
                      "--%s belongs to the --csr or --edges before it, and there is "
                      "none",
                      option);
        return &nowhere;
    }
    return &options->graphs[options->graph_count - 1].options;
}

static bool take_option(gf_cli_options *options, int which, gf_diags *diags) {
    switch (which) {
    case OPTION_SET:
        return add_pair(&options->sets, "set", "NAME=VALUE", optarg, false, diags);
    case OPTION_IN:
        return add_pair(&options->inputs, "in", "NAME=SOURCE", optarg, false, diags);
    case OPTION_SIZE:
        return add_pair(&options->sizes, "size", "NAME=N", optarg, false, diags);
    case OPTION_OUT:
        return add_pair(&options->outputs, "out", "NAME=SINK", optarg, true, diags);
    case OPTION_CSR:
        return add_graph(options, true, optarg, diags);
    case OPTION_EDGES:
        return add_graph(options, false, optarg, diags);
    case OPTION_TRANSPOSE:
        latest_graph(options, "transpose", diags)->transpose = true;
        return true;
    case OPTION_SYMMETRIC:
        latest_graph(options, "symmetric", diags)->symmetric = true;
        return true;
    case OPTION_REMAP:
        latest_graph(options, "remap", diags)->remap = true;
        return true;
    case OPTION_WORKGROUP:
        return parse_workgroup(optarg, options->workgroup, diags);
    case OPTION_DEVICE:
        options->device = optarg;
        return true;
    case OPTION_STRATEGY:
        return gf_strategy_from_name(optarg, &options->strategy) ||
               fail_value("strategy", optarg, "one of auto, native, persistent, resident, host", diags);
    case OPTION_THREADS:
        return gf_cli_parse_threads(optarg, &options->how.threads, diags);
    case OPTION_NO_CACHE:
        options->how.no_cache = true;
        return true;
    case OPTION_UNCHECKED:
        options->how.unchecked = true;
        return true;
    case OPTION_PASSES:
        return parse_count("passes", optarg, "a number of passes from 1 on", 1, UINT64_MAX, &options->passes, diags);
    case OPTION_TIMEOUT:
        return parse_seconds(optarg, &options->timeout, diags);
    case OPTION_MEMORY:
        return parse_bytes(optarg, &options->memory_limit, diags);
    case OPTION_REPEAT:
        return parse_count("repeat", optarg, "a number of runs from 1 to 100000", 1, 100000, &options->repeat, diags);
    case OPTION_CHECKED:
        options->checked = true;
        return true;
    case OPTION_RACES:
        options->check_races = true;
        return true;
    case OPTION_CONVERGED:
        options->require_converged = true;
        return true;
    case OPTION_KEEP_BARRIERS:
        options->keep_barriers = true;
        return true;
    case OPTION_KEEP_EMPTY:
        options->keep_empty = true;
        return true;
    case OPTION_TOLERATE:
        options->tolerate_order = true;
        return true;
    case OPTION_TIME:
        options->time = true;
        return true;
    case OPTION_JSON:
        options->json = true;
        return true;
    case OPTION_EXPLAIN:
        options->explain = true;
        return true;
    case OPTION_TRACE:
        options->trace = optarg;
        return true;
    case OPTION_QUIET:
        options->quiet = true;
        return true;
    case OPTION_DOT:
        options->dot = true;
        return true;
    case OPTION_SVG:
        options->svg = optarg;
        return true;
    case OPTION_SEGMENTS:
        options->segments = true;
        return true;
    default:
        return false;
    }
}

bool gf_cli_options_read(gf_cli_options *options, gf_cli_command command, int argc, char **argv, gf_diags *diags) {
    struct option table[ROW_COUNT + 1];
    size_t count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if ((rows[i].commands & (int)command) != 0) {
            table[count++] = (struct option){rows[i].name, rows[i].has_argument, NULL, rows[i].value};
        }
    }
    table[count] = (struct option){0};
    options->command = argv[0];
    options->repeat = 1;
    gf_cli_getopt_begin();
    for (int got = 0; (got = gf_cli_getopt(argc, argv, table, diags)) != -1;) {
        if (got == 'h') {
            options->help = true;
            gf_cli_help(argv[0]);
            return true;
        }
        if (got == 1) {
            if (options->file != NULL) {
                (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "one program at a time: '%.100s' and '%.100s'",
                              options->file, optarg);
            } else {
                options->file = optarg;
            }
        } else if (got != '?') {
            (void)take_option(options, got, diags);
        }
    }
    if (gf_diags_error_count(diags) == 0 && options->file == NULL) {
        (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "%s wants a program", argv[0]);
        gf_fix(diags, "gridfence %s FILE.gf, or - for standard input", argv[0]);
    }
    if (gf_diags_error_count(diags) == 0 && options->dot + options->json + options->segments > 1) {
        (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "--dot, --json and --segments are different forms: take one");
    }
    if (gf_diags_error_count(diags) == 0 && options->how.unchecked && (options->checked || options->check_races)) {
        (void)gf_fail(diags, GF_CODE_USAGE, GF_NO_SPAN, "--unchecked turns the rules off that --%s asks for: take one",
                      options->checked ? "checked" : "check-races");
    }
    return gf_diags_error_count(diags) == 0;
}

static void free_pairs(gf_cli_pairs *pairs) {
    for (size_t i = 0; i < pairs->count; i++) {
        gf_free(pairs->items[i].name);
    }
    gf_free(pairs->items);
}

void gf_cli_options_free(gf_cli_options *options) {
    free_pairs(&options->sets);
    free_pairs(&options->inputs);
    free_pairs(&options->sizes);
    free_pairs(&options->outputs);
    for (size_t i = 0; i < options->graph_count; i++) {
        gf_free(options->graphs[i].storage);
    }
    gf_free(options->graphs);
    memset(options, 0, sizeof *options);
}
