#include "base/clock.h"
#include "base/memory.h"
#include "cli/bench_report.h"
#include "cli/options.h"
#include "io/file.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS_DEFAULT 5
#define ROUNDS_QUICK 1

/* What is measured at the sizes for GPUs, the most telling first; those of one graph follow each other. */
static const char *const gpu_set[] = {
    "reach:chain=1000",    "jacobi:side=4096,sweeps=200",
    "reach:scale=22",      "cg",
    "scan:count=2^28",     "flows_to:scale=22",
    "bfs:scale=22",        "pagerank:scale=22",
    "components:scale=22", "jacobi:side=512,sweeps=1000",
    "sort:count=2^28",     "jacobi:side=16384,sweeps=50",
    "bfs:chain=1000",      "flows_to",
};
#define CHOICES_MORE 32 /* of a set */

/* What a grid barrier and a copy cost there. */
static const char *const barrier_set[] = {
    "barrier:groups=264,group=1024", "barrier:groups=132,group=256",
    "barrier:groups=264,group=256",  "barrier:groups=528,group=256",
    "barrier:groups=1056,group=256", "barrier:groups=132,group=1024",
    "vote:groups=264,group=1024",    "vote:groups=264,group=256",
    "vote:groups=1056,group=256",    "round:groups=264,group=1024",
    "round:groups=132,group=256",    "round:groups=528,group=256",
    "round:groups=1056,group=256",   "copy:count=2^28",
};

typedef struct choice {
    const gf_workload *workload;
    gf_bench_shape shape;
} choice;

typedef struct bench {
    gf_bench_options options;
    gf_bench_setup setup;
    gf_bench_report report;
    gf_bench_peer peers[GF_BENCH_PEERS];
    bool json, list, help;
    const char *out, *svg;
    choice *chosen; /* `count` of them; owned */
    size_t count;
    bool gpu, barriers;
    unsigned limit_seconds;         /* 0: none */
    char *near_peers, *near_graphs; /* folders next to the executable; owned */
} bench;

static const char help_text[] =
    "gridfence bench [NAME[:SIZE]...] [OPTIONS]\n\n"
    "Measures the workload library at set sizes on every device and strategy, and with it the peers that were built:\n"
    "the same work by other means, side by side, round by round. Every result is checked. The figures are medians.\n"
    "SIZE is another size than the set one: scale=N (R-MAT, 2^N vertices), chain=N (a graph of N layers of N "
    "vertices),\n"
    "side=N (of a grid), sweeps=N, count=N (of an array); several with commas between; N may be 2^K.\n\n"
    "  --list                  the workloads\n"
    "  --gpu                   the set of sizes for GPUs\n"
    "  --barriers              what a grid barrier and a copy cost on a GPU, by workloads that are no part of a set:\n"
    "                          barrier, vote and round, of sizes groups=N, group=N (what a workgroup has); copy\n"
    "  --limit-seconds N       begin no more workloads after so long, and go through fewer rounds\n"
    "  --json                  a list of objects {name, size, device, strategy, seconds, peers: {NAME: seconds}, ok,\n"
    "                          ...} in place of the table\n"
    "  --device NAME           one device; the interpreter is measured only where it is named, or with --quick\n"
    "  --strategy NAME,...     only these: auto, native, persistent, resident, host; all: all five\n"
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
    OPTION_UNCHECKED,
    OPTION_GPU,
    OPTION_BARRIERS,
    OPTION_LIMIT
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

/* NAME or NAME:SIZE. */
static void choose(bench *at, const char *text, gf_diags *diags) {
    char name[64];
    size_t length = strcspn(text, ":");
    choice *chosen = &at->chosen[at->count++];
    (void)snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), text);
    chosen->workload = gf_workload_find(name);
    if (chosen->workload == NULL) {
        (void)gf_fail(diags, GF_CODE_WORKLOAD_UNKNOWN, GF_NO_SPAN, "there is no workload '%.60s'", name);
        gf_fix(diags, "`gridfence bench --list` names them");
    } else if (text[length] == ':') {
        (void)gf_bench_shape_read(text + length + 1, &chosen->shape, diags);
    }
}

static void add_strategy(bench *at, gf_strategy strategy) {
    gf_bench_options *options = &at->options;
    if (options->strategy_count < sizeof options->strategies / sizeof options->strategies[0]) {
        options->strategies[options->strategy_count++] = strategy;
    }
}

static void add_strategies(bench *at, const gf_strategy *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        add_strategy(at, from[i]);
    }
}

static const gf_strategy every[] = {GF_STRATEGY_AUTO, GF_STRATEGY_NATIVE, GF_STRATEGY_PERSISTENT, GF_STRATEGY_RESIDENT,
                                    GF_STRATEGY_HOST};

/* Names with commas between; `all`. */
static void read_strategies(bench *at, const char *text, gf_diags *diags) {
    at->options.strategy_count = 0;
    for (const char *name = text; name != NULL; name = strchr(name, ',') != NULL ? strchr(name, ',') + 1 : NULL) {
        char one[32];
        gf_strategy strategy = GF_STRATEGY_AUTO;
        (void)snprintf(one, sizeof one, "%.*s", (int)strcspn(name, ","), name);
        if (strcmp(one, "all") == 0) {
            add_strategies(at, every, sizeof every / sizeof every[0]);
        } else if (gf_strategy_from_name(one, &strategy)) {
            add_strategy(at, strategy);
        } else {
            (void)gf_fail(diags, GF_CODE_OPTION_ARGUMENT, GF_NO_SPAN, "--strategy: there is no strategy '%.60s'", one);
            gf_fix(diags, "auto, native, persistent, resident or host; several with commas between; all");
        }
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
        at->options.named_strategies = true;
        read_strategies(at, optarg, diags);
        break;
    case OPTION_GPU:
        at->gpu = true;
        break;
    case OPTION_BARRIERS:
        at->barriers = true;
        break;
    case OPTION_LIMIT:
        (void)read_count("limit-seconds", optarg, 1000000, &at->limit_seconds, diags);
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
        at->setup.wants_graphs = true;
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
                                          {"gpu", 0, NULL, OPTION_GPU},
                                          {"barriers", 0, NULL, OPTION_BARRIERS},
                                          {"limit-seconds", 1, NULL, OPTION_LIMIT},
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
    if (options->strategy_count == 0) { /* what auto takes is one of the rest */
        add_strategies(at, every + 1, sizeof every / sizeof every[0] - 1);
    }
    options->every_strategy = options->strategy_count > 1;
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

static bool measure(bench *at, const choice *chosen, gf_diags *diags) {
    gf_bench_result *result = &at->report.results[at->report.count++];
    gf_str text = {0};
    at->setup.shape = chosen->shape;
    bool done = gf_bench_measure(chosen->workload, &at->setup, &at->options, result, diags);
    if (!at->json && result->our_count > 0) {
        gf_bench_put_rows(&at->report, result, &text);
        done = gf_cli_print(&text, diags) && done;
    }
    return done;
}

/* After each workload, so that what was measured is there, whatever happens to the rest. */
static bool write_files(const bench *at, gf_diags *diags) {
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
    return done;
}

/* Rounds of a workload end when it has had its share of the time that is left. */
static void set_deadline(bench *at, double begin, size_t left) {
    double now = gf_clock_seconds();
    double rest = begin + at->limit_seconds - now;
    at->options.deadline = at->limit_seconds == 0 ? 0 : rest > 0 ? now + rest / (double)left : now;
}

static void run(bench *at, gf_diags *diags) {
    double begin = gf_clock_seconds();
    at->report.results = gf_calloc(at->count, sizeof *at->report.results);
    if (at->report.results == NULL) {
        (void)gf_fail_memory(diags);
        return;
    }
    complete(at);
    /* What cannot be written is better known now than hours later. */
    bool done = gf_cli_write_check(at->out, diags) && gf_cli_write_check(at->svg, diags);
    done = done && show(at, gf_bench_put_head, diags);
    for (size_t i = 0; done && i < at->count; i++) {
        if (at->limit_seconds > 0 && gf_clock_seconds() > begin + at->limit_seconds) {
            (void)fprintf(stderr, "gridfence bench: time is over; %zu workloads were left out, the first is %s\n",
                          at->count - i, at->chosen[i].workload->name);
            break;
        }
        set_deadline(at, begin, at->count - i);
        /* One that fails leaves its message, and the others go on; but where the very first one does, it is not up to
         * the workload. */
        done = measure(at, &at->chosen[i], diags) || i > 0;
        done = write_files(at, diags) && done;
    }
    if (done) {
        (void)show(at, gf_bench_put_means, diags);
    }
    if (at->json) {
        gf_str json = {0};
        gf_bench_put_json(&at->report, &json);
        (void)gf_cli_print(&json, diags);
    }
}

/* What is measured where nothing is named. */
static void choose_set(bench *at, gf_diags *diags) {
    for (size_t i = 0; at->gpu && i < sizeof gpu_set / sizeof gpu_set[0]; i++) {
        choose(at, gpu_set[i], diags);
    }
    for (size_t i = 0; at->barriers && i < sizeof barrier_set / sizeof barrier_set[0]; i++) {
        choose(at, barrier_set[i], diags);
    }
    for (size_t i = 0; !at->gpu && !at->barriers && gf_workload_get(i) != NULL; i++) {
        choose(at, gf_workload_get(i)->name, diags);
    }
}

int gf_cmd_bench(int argc, char **argv, gf_diags *diags) {
    bench *at = gf_calloc(1, sizeof *at);
    choice *chosen = gf_calloc((size_t)argc + CHOICES_MORE, sizeof *chosen);
    if (at == NULL || chosen == NULL) {
        gf_free(at);
        gf_free(chosen);
        (void)gf_fail_memory(diags);
        return GF_STATUS_DEVICE;
    }
    at->chosen = chosen;
    read_options(at, argc, argv, diags);
    if (at->count == 0) {
        choose_set(at, diags);
    }
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
