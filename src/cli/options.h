/* The options of run, diff and plan, and how any command reads its own. */
#ifndef GF_CLI_OPTIONS_H
#define GF_CLI_OPTIONS_H

#include "cli/cli.h"
#include "io/graph.h"

/* NAME=TEXT of an option, both owned. */
typedef struct gf_cli_pair {
    char *name;
    const char *text; /* behind the first `=`: part of the command line */
} gf_cli_pair;

typedef struct gf_cli_pairs {
    gf_cli_pair *items;
    size_t count;
} gf_cli_pairs;

/* `--csr A,B[,N[,VAL]]=FILE` or `--edges`, with what belongs to it. */
typedef struct gf_cli_graph {
    char *names[4]; /* row or from, col or to, n, val; NULL where not named or `-` */
    char *storage;  /* owned: what the names point into */
    const char *file;
    bool is_csr;
    gf_graph_options options;
} gf_cli_graph;

typedef struct gf_cli_options {
    const char *command;
    const char *file; /* the program */
    gf_cli_pairs sets, inputs, sizes, outputs;
    gf_cli_graph *graphs;
    size_t graph_count;
    uint32_t workgroup[3];
    const char *device;
    gf_device_options how; /* the device is opened with */
    gf_strategy strategy;
    uint64_t passes, memory_limit, repeat;
    double timeout;
    bool checked, check_races, require_converged, keep_barriers, keep_empty, tolerate_order;
    bool time, json, explain, quiet;
    const char *trace;
    /* of plan */
    bool dot, segments;
    const char *svg;
    bool help; /* it was printed: nothing else is to be done */
} gf_cli_options;

typedef enum gf_cli_command {
    GF_CLI_RUN = 1,
    GF_CLI_DIFF = 2,
    GF_CLI_PLAN = 4,
    GF_CLI_CHECK = 8,
} gf_cli_command;

/* Reads the command line into zeroed options; what is wrong is told with a fix. gf_cli_options_free is due in any case.
 */
bool gf_cli_options_read(gf_cli_options *options, gf_cli_command command, int argc, char **argv, gf_diags *diags);
void gf_cli_options_free(gf_cli_options *options);

/* --threads, for any command's table. */
bool gf_cli_parse_threads(const char *text, unsigned *threads, gf_diags *diags);

struct option;
/* One getopt_long step over a table of the caller's: the option's `val`, 1 for an argument that is none (in optarg), -1
 * at the end, '?' with a message for what is wrong. Begin with gf_cli_getopt_begin. */
void gf_cli_getopt_begin(void);
int gf_cli_getopt(int argc, char **argv, const struct option *table, gf_diags *diags);

#endif
