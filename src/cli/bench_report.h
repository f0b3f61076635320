/* What the bench measured, for people and for programs. */
#ifndef GF_CLI_BENCH_REPORT_H
#define GF_CLI_BENCH_REPORT_H

#include "cli/bench_run.h"

typedef struct gf_bench_report {
    gf_bench_result *results;
    size_t count;
    const char *peers[GF_BENCH_PEERS]; /* names, in the order of the columns */
    size_t peer_count;
} gf_bench_report;

/* A table, line by line as results come. */
void gf_bench_put_head(const gf_bench_report *report, gf_str *out);
void gf_bench_put_rows(const gf_bench_report *report, const gf_bench_result *result, gf_str *out);
void gf_bench_put_means(const gf_bench_report *report, gf_str *out);
/* A list of objects, one per workload, device and strategy. */
void gf_bench_put_json(const gf_bench_report *report, gf_str *out);
/* Bars of ratios, ours over each peer. */
void gf_bench_put_svg(const gf_bench_report *report, gf_str *out);

/* The geometric mean of the ratios of the first of ours to a peer, over the workloads that have one; 0: none has.
 * NULL: to the fastest peer of each. */
double gf_bench_mean(const gf_bench_report *report, const char *peer, size_t *count);
/* The fastest peer of a result; NULL: none gave a figure. */
const gf_bench_entry *gf_bench_best(const gf_bench_result *result);
/* The entry of that name among the peers of a result; NULL: the peer does not have the workload. */
const gf_bench_entry *gf_bench_find_peer(const gf_bench_result *result, const char *peer);

#endif
