#include "base/memory.h"
#include "cli/bench_report.h"
#include "cli/options.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS_DEFAULT 5
#define ROUNDS_QUICK 1

typedef struct bench {
    gf_bench_options options;
    gf_bench_setup setup;
    gf_bench_report report;
    gf_bench_peer peers[GF_BENCH_PEERS];
    bool json, list, help;
    const char *out, *svg;
    const gf_workload **chosen; /* `count` of them; owned */
    size_t count;
    char *near_peers, *near_graphs; /* folders next to the executable; owned */
} bench;

static const char help_text[] =
    "gridfence bench [NAME...] [OPTIONS]\n\n"
    "Measures the workload library at set sizes on every device and strategy, and with it the peers that were built:\n"
    "the same work by other means, side by side, round by round. Every result is checked. The figures are medians.\n\n"
    "  --list                  the workloads\n"
    "  --json                  a list of objects {name, size, device, strategy, seconds, peers: {NAME: seconds}, ok,\n"
    "                          ...} in place of the table\n"
    "  --device NAME           one device; the interpreter is measured only where it is named, or with --quick\n"
    "  --strategy NAME         one strategy: auto, native, persistent, resident, host\n"
    "  --threads N             of ours and of peers; GRIDFENCE_THREADS, else one per CPU\n"
    "  --no-cache, --unchecked as of `gridfence run`\n"
    "  --rounds N              runs of each (5, with --quick 1); also --repeat N\n"
    "  --quick                 tiny sizes; peers only where --peers is given\n"
    "  --peers FOLDER          where executables peer-NAME are (`peers` next to this one; bench/README.md)\n"
    "  --graphs FOLDER         where depends.mtx and targets.txt of the demo are (`demo` next to this executable)\n"
    "  --data FOLDER           keep there what peers are given, a folder per workload\n"
    "  --out FILE.json         the list into a file too\n"
    "  --svg FILE.svg          a picture of the ratios, ours to the peers'\n"
    "\nExample\n  gridfence bench reach bfs --device cpu --strategy auto\n";

/* ---- options ---- */

enum {
    OPTION_DEVICE = 256,
    OPTION_STRATEGY,
    OPTION_THREADS,
    OPTION_PEERS,
    OPTION_DATA,
    OPTION_GRAPHS,
    OPTION_ROUNDS,
    OPTION_QUICK,
    OPTION_OUT,
    OPTION_SVG,
    OPTION_NO_CACHE,
    OPTION_UNCHECKED
};

static bool read_count(const char *option, const char *text, uint64_t most, unsigned *out, gf_diags *diags) {
    char *end = NULL;
    unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < 1 || value > most) {
        return gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--%s: '%.60s' is not a number from 1 to %llu",
                       option, text, (unsigned long long)most);
    }
    *out = (unsigned)value;
    return true;
}

static void choose(bench *at, const char *name, gf_diags *diags) {
    at->chosen[at->count] = gf_workload_find(name);
    if (at->chosen[at->count++] == NULL) {
        (void)gf_fail(diags, GF_CODE_WORKLOAD_UNKNOWN, GF_NO_SPAN, "there is no workload '%.60s'", name);
        gf_fix(diags, "`gridfence bench --list` names them");
    }
}

static void take_option(bench *at, int option, gf_diags *diags) {
    switch (option) {
    case 'j':
        at->json = true;
        break;
    case 'l':
        at->list = true;
        break;
    case 'h':
        at->help = true;
        break;
    case 1:
        choose(at, optarg, diags);
        break;
    case OPTION_DEVICE:
        at->options.device = optarg;
        break;
    case OPTION_STRATEGY:
        at->options.every_strategy = false;
        if (!gf_strategy_from_name(optarg, &at->options.strategy)) {
            (void)gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--strategy: there is no strategy '%.60s'",
                          optarg);
            gf_fix(diags, "auto, native, persistent, resident or host");
        }
        break;
    case OPTION_THREADS:
        (void)read_count("threads", optarg, GF_DEVICE_MAX_THREADS, &at->options.device_options.threads, diags);
        break;
    case OPTION_ROUNDS:
        (void)read_count("rounds", optarg, GF_BENCH_ROUNDS_MAX, &at->options.rounds, diags);
        break;
    case OPTION_PEERS:
        at->options.peers = optarg;
        break;
    case OPTION_DATA:
        at->options.data = optarg;
        break;
    case OPTION_GRAPHS:
        at->setup.graphs = optarg;
        break;
    case OPTION_QUICK:
        at->options.quick = true;
        break;
    case OPTION_OUT:
        at->out = optarg;
        break;
    case OPTION_SVG:
        at->svg = optarg;
        break;
    case OPTION_NO_CACHE:
        at->options.device_options.no_cache = true;
        break;
    case OPTION_UNCHECKED:
        at->options.device_options.unchecked = true;
        break;
    default: /* a message is there */
        break;
    }
}

static void read_options(bench *at, int argc, char **argv, gf_diags *diags) {
    static const struct option table[] = {{"json", 0, NULL, 'j'},
                                          {"list", 0, NULL, 'l'},
                                          {"help", 0, NULL, 'h'},
                                          {"device", 1, NULL, OPTION_DEVICE},
                                          {"strategy", 1, NULL, OPTION_STRATEGY},
                                          {"threads", 1, NULL, OPTION_THREADS},
                                          {"no-cache", 0, NULL, OPTION_NO_CACHE},
                                          {"unchecked", 0, NULL, OPTION_UNCHECKED},
                                          {"peers", 1, NULL, OPTION_PEERS},
                                          {"data", 1, NULL, OPTION_DATA},
                                          {"graphs", 1, NULL, OPTION_GRAPHS},
                                          {"rounds", 1, NULL, OPTION_ROUNDS},
                                          {"repeat", 1, NULL, OPTION_ROUNDS},
                                          {"quick", 0, NULL, OPTION_QUICK},
                                          {"out", 1, NULL, OPTION_OUT},
                                          {"svg", 1, NULL, OPTION_SVG},
                                          {0}};
    gf_cli_getopt_begin();
    for (int got = 0; (got = gf_cli_getopt(argc, argv, table, diags)) != -1;) {
        take_option(at, got, diags);
    }
}

/* ---- what is not given ---- */

/* A folder next to this executable; NULL where it cannot be told. */
static char *find_near(const char *name) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    gf_str out = {0};
    if (length <= 0) {
        return NULL;
    }
    path[length] = '\0';
    *strrchr(path, '/') = '\0';
    gf_str_addf(&out, "%s/%s", path, name);
    return gf_str_take(&out);
}

static bool has_compiled_device(void) {
    for (size_t i = 0; gf_device_kind(i) != NULL; i++) {
        gf_device *device = strcmp(gf_device_kind(i), "interp") != 0 ? gf_device_open(gf_device_kind(i), NULL) : NULL;
        gf_device_destroy(device);
        if (device != NULL) {
            return true;
        }
    }
    return false;
}

static void complete(bench *at) {
    gf_bench_options *options = &at->options;
    if (!options->quick && options->device == NULL && !has_compiled_device()) {
        options->quick = true;
        (void)fputs("gridfence bench: the interpreter is all there is, so sizes are tiny\n", stderr);
    }
    if (!options->quick && options->peers == NULL) {
        options->peers = at->near_peers = find_near("peers");
    }
    if (at->setup.graphs == NULL) {
        at->setup.graphs = at->near_graphs = find_near("demo");
    }
    at->setup.quick = options->quick;
    options->rounds = options->rounds > 0 ? options->rounds : options->quick ? ROUNDS_QUICK : ROUNDS_DEFAULT;
    /* Peers get as many threads as ours. */
    const char *threads = getenv("GRIDFENCE_THREADS");
    if (options->device_options.threads == 0) {
        (void)read_count("threads", threads != NULL ? threads : "", GF_DEVICE_MAX_THREADS,
                         &options->device_options.threads, NULL);
    }
    if (options->device_options.threads == 0) {
        long here = sysconf(_SC_NPROCESSORS_ONLN);
        options->device_options.threads = here > 0 ? (unsigned)here : 1;
    }
    size_t peers = options->peers != NULL ? gf_bench_peers_find(options->peers, at->peers) : 0;
    options->peers = peers > 0 ? options->peers : NULL;
    for (size_t i = 0; i < peers; i++) {
        at->report.peers[i] = at->peers[i].name;
    }
    at->report.peer_count = peers;
}

/* ---- all of it ---- */

static void list_workloads(void) {
    for (size_t i = 0; gf_workload_get(i) != NULL; i++) {
        (void)printf("%-12s %s\n", gf_workload_get(i)->name, gf_workload_get(i)->size);
    }
}

static bool show(bench *at, void (*put)(const gf_bench_report *, gf_str *), gf_diags *diags) {
    gf_str text = {0};
    put(&at->report, &text);
    return at->json ? (gf_str_free(&text), true) : gf_cli_print(&text, diags);
}

static bool measure(bench *at, const gf_workload *workload, gf_diags *diags) {
    gf_bench_result *result = &at->report.results[at->report.count++];
    gf_str text = {0};
    bool done = gf_bench_measure(workload, &at->setup, &at->options, result, diags);
    if (!at->json && result->our_count > 0) {
        gf_bench_put_rows(&at->report, result, &text);
        done = gf_cli_print(&text, diags) && done;
    }
    return done;
}

static bool write_files(bench *at, gf_diags *diags) {
    gf_str json = {0};
    gf_str svg = {0};
    bool done = true;
    if (at->out != NULL) {
        gf_bench_put_json(&at->report, &json);
        done = gf_cli_write(at->out, &json, diags);
    }
    if (at->svg != NULL) {
        gf_bench_put_svg(&at->report, &svg);
        done = gf_cli_write(at->svg, &svg, diags) && done;
    }
    if (at->json) {
        gf_bench_put_json(&at->report, &json);
        done = gf_cli_print(&json, diags) && done;
    }
    return done;
}

static void run(bench *at, gf_diags *diags) {
    size_t count = at->count;
    for (; at->count == 0 && gf_workload_get(count) != NULL; count++) {
    }
    at->report.results = gf_calloc(count, sizeof *at->report.results);
    if (at->report.results == NULL) {
        (void)gf_fail_memory(diags);
        return;
    }
    complete(at);
    bool done = show(at, gf_bench_put_head, diags);
    for (size_t i = 0; done && i < count; i++) {
        done = measure(at, at->count > 0 ? at->chosen[i] : gf_workload_get(i), diags);
    }
    if (done) {
        (void)show(at, gf_bench_put_means, diags);
    }
    (void)write_files(at, diags);
}

int gf_cmd_bench(int argc, char **argv, gf_diags *diags) {
    bench *at = gf_calloc(1, sizeof *at);
    const gf_workload **chosen = gf_calloc((size_t)argc + 1, sizeof *chosen);
    if (at == NULL || chosen == NULL) {
        gf_free(at);
        gf_free(chosen);
        (void)gf_fail_memory(diags);
        return GF_STATUS_DEVICE;
    }
    at->chosen = chosen;
    at->options.every_strategy = true;
    read_options(at, argc, argv, diags);
    if (at->help) {
        (void)fputs(help_text, stdout);
    } else if (gf_diags_error_count(diags) == 0 && at->list) {
        list_workloads();
    } else if (gf_diags_error_count(diags) == 0) {
        run(at, diags);
    }
    for (size_t i = 0; i < at->report.count; i++) {
        gf_bench_result_free(&at->report.results[i]);
    }
    gf_free(at->report.results);
    gf_bench_setup_free(&at->setup);
    gf_free(at->near_peers);
    gf_free(at->near_graphs);
    gf_free(chosen);
    gf_free(at);
    return (int)gf_diags_status(diags);
}
