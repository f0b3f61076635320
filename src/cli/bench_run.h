/* One workload, measured: ours and peers in turn, round by round, and every result checked. */
#ifndef GF_CLI_BENCH_RUN_H
#define GF_CLI_BENCH_RUN_H

#include "cli/bench_peer.h"
#include "cli/workloads.h"

#define GF_BENCH_ROUNDS_MAX 1000
#define GF_BENCH_WAYS 32 /* devices x strategies, at most 4 x 8 */

typedef struct gf_bench_options {
    const char *device;        /* NULL: all that are fit for the size */
    gf_strategy strategies[8]; /* in the order of the rows */
    size_t strategy_count;
    bool named_strategies; /* by the user: one that is left out is told */
    bool every_strategy; /* one that cannot be had is left out; else, and where it is the only one, that is an error */
    bool quick;
    gf_device_options device_options;
    const char *peers; /* folder; NULL: none */
    const char *data;  /* folder that keeps what peers are given; NULL: one that goes */
    unsigned rounds;
    double deadline; /* of gf_clock_seconds: rounds stop there, once there are some; 0: none */
} gf_bench_options;

/* The times of one contestant. */
typedef struct gf_bench_times {
    double *seconds; /* by round; owned */
    size_t count;
    double median, least, most;
} gf_bench_times;

typedef struct gf_bench_entry {
    char device[64];     /* of ours; "" of a peer */
    const char *program; /* of ours: its name */
    char name[32];       /* strategy that was asked for or, where only one was, that was taken; or peer */
    char took[32];       /* of ours: the strategy that was taken */
    gf_bench_times times;
    double compile_seconds, first_seconds; /* of ours: making the kernel, the run before the first round */
    bool ok;                               /* ran, and its result is right */
    char why[160];                         /* else why not */
} gf_bench_entry;

typedef struct gf_bench_result {
    const char *name;
    char label[64]; /* the name, and the size where it is not the set one */
    char size[96];
    unsigned threads;
    gf_bench_entry ours[GF_BENCH_WAYS];
    size_t our_count;
    gf_bench_entry peers[GF_BENCH_PEERS]; /* those that have the workload */
    size_t peer_count;
} gf_bench_result;

/* False with a message where ours could not be run at all or gave a wrong result; a peer that fails is in the result.
 */
bool gf_bench_measure(const gf_workload *workload, gf_bench_setup *setup, const gf_bench_options *options,
                      gf_bench_result *out, gf_diags *diags);
void gf_bench_result_free(gf_bench_result *result);

/* Ours over the peer's, of medians; 0 where one of them has no figure. */
double gf_bench_ratio(const gf_bench_entry *ours, const gf_bench_entry *peer);

#endif
