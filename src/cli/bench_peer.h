/* The other side of the protocol of bench/README.md: a peer as a process that is told when to run. */
#ifndef GF_CLI_BENCH_PEER_H
#define GF_CLI_BENCH_PEER_H

#include "cli/cli.h"
#include <sys/types.h>

#define GF_BENCH_PEERS 8

typedef struct gf_bench_peer {
    char name[32]; /* of the file, without "peer-" */
    char path[4096];
    pid_t pid; /* 0: not running */
    int to, from;
    unsigned patience; /* seconds that it may take for an answer */
    char line[128];    /* what it said last, or why it is of no use */
} gf_bench_peer;

typedef enum gf_bench_answer { GF_BENCH_READY, GF_BENCH_UNSUPPORTED, GF_BENCH_BROKEN } gf_bench_answer;

/* The executables peer-NAME of a folder, by name; 0 where there is no folder. */
size_t gf_bench_peers_find(const char *folder, gf_bench_peer peers[GF_BENCH_PEERS]);
/* Starts it and waits until it is ready. BROKEN: `line` says why. */
gf_bench_answer gf_bench_peer_start(gf_bench_peer *peer, const char *workload, const char *folder, unsigned rounds,
                                    unsigned threads);
/* One run; false where it failed, and it has ended then. */
bool gf_bench_peer_go(gf_bench_peer *peer, double *seconds);
/* Has it write its results. */
bool gf_bench_peer_result(gf_bench_peer *peer);
/* Ends it, if it runs. */
void gf_bench_peer_end(gf_bench_peer *peer);

#endif
