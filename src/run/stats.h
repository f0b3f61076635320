/* What a run tells of itself. */
#ifndef GF_RUN_STATS_H
#define GF_RUN_STATS_H

#include <gridfence/run.h>

/* Grown per run; handed to the bindings at its end. */
typedef struct gf_profile {
    gf_profile_entry *entries;
    size_t count;
} gf_profile;

void gf_stats_begin(gf_stats *stats); /* zeros, times known and 0, convergence unknown */
/* Adds a part; unknown (below 0) makes the sum unknown. */
void gf_seconds_add(double *sum, double part);
void gf_counters_add(const gf_stats *stats, bool is_split, bool early_exit);

/* Copies `name`; NULL trace allowed. Times are of gf_clock_seconds. */
void gf_trace_add(gf_trace *trace, const char *name, const char *category, double begin, double end, uint64_t segment,
                  uint64_t pass);

#endif
