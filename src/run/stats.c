#include "run/stats.h"
#include "base/clock.h"
#include "base/memory.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const char *const strategy_names[GF_STRATEGY_COUNT] = {"auto", "native", "persistent", "resident", "host"};

const char *gf_strategy_name(gf_strategy strategy) {
    return (unsigned)strategy < GF_STRATEGY_COUNT ? strategy_names[strategy] : "unknown";
}

bool gf_strategy_from_name(const char *name, gf_strategy *out) {
    for (int i = 0; name != NULL && i < GF_STRATEGY_COUNT; i++) {
        if (strcmp(name, strategy_names[i]) == 0) {
            *out = (gf_strategy)i;
            return true;
        }
    }
    return false;
}

void gf_stats_begin(gf_stats *stats) {
    memset(stats, 0, sizeof *stats);
    stats->size = sizeof *stats;
    stats->converged = -1;
}

void gf_seconds_add(double *sum, double part) {
    *sum = *sum < 0 || part < 0 ? -1 : *sum + part;
}

/* ---- counters ---- */

static struct {
    atomic_uint_fast64_t runs, splits, segments, barriers, passes, early_exits, launches, launches_skipped;
    atomic_uint_fast64_t bytes_up, bytes_down, bytes_carried;
} counters;

static void count(atomic_uint_fast64_t *counter, uint64_t more) {
    (void)atomic_fetch_add_explicit(counter, more, memory_order_relaxed);
}

void gf_counters_add(const gf_stats *stats, bool is_split, bool early_exit) {
    count(&counters.runs, 1);
    count(&counters.splits, is_split ? 1 : 0);
    count(&counters.segments, stats->segments);
    count(&counters.barriers, stats->barriers);
    count(&counters.passes, stats->passes);
    count(&counters.early_exits, early_exit ? 1 : 0);
    count(&counters.launches, stats->launches);
    count(&counters.launches_skipped, stats->launches_skipped);
    count(&counters.bytes_up, stats->bytes_up);
    count(&counters.bytes_down, stats->bytes_down);
    count(&counters.bytes_carried, stats->bytes_carried);
}

void gf_counters_snapshot(gf_counters *out) {
    if (out == NULL) {
        return;
    }
    *out = (gf_counters){.runs = atomic_load(&counters.runs),
                         .splits = atomic_load(&counters.splits),
                         .segments = atomic_load(&counters.segments),
                         .barriers = atomic_load(&counters.barriers),
                         .passes = atomic_load(&counters.passes),
                         .early_exits = atomic_load(&counters.early_exits),
                         .launches = atomic_load(&counters.launches),
                         .launches_skipped = atomic_load(&counters.launches_skipped),
                         .bytes_up = atomic_load(&counters.bytes_up),
                         .bytes_down = atomic_load(&counters.bytes_down),
                         .bytes_carried = atomic_load(&counters.bytes_carried)};
}

/* ---- trace ---- */

#define TRACE_LIMIT 1000000

struct gf_trace {
    pthread_mutex_t lock; /* runs of several threads may share one */
    double begin;
    gf_trace_event *events;
    size_t count, capacity, limit, lost;
};

gf_trace *gf_trace_create(size_t limit) {
    gf_trace *trace = gf_calloc(1, sizeof *trace);
    if (trace == NULL) {
        return NULL;
    }
    if (pthread_mutex_init(&trace->lock, NULL) != 0) {
        gf_free(trace);
        return NULL;
    }
    trace->begin = gf_clock_seconds();
    trace->limit = limit > 0 ? limit : TRACE_LIMIT;
    return trace;
}

void gf_trace_destroy(gf_trace *trace) {
    if (trace != NULL) {
        (void)pthread_mutex_destroy(&trace->lock);
        gf_free(trace->events);
        gf_free(trace);
    }
}

/* An event that finds no memory is lost like one past the limit: a picture is worth no failed run. */
static bool has_room(gf_trace *trace) {
    if (trace->count >= trace->limit) {
        return false;
    }
    if (trace->count < trace->capacity) {
        return true;
    }
    size_t capacity = trace->capacity > 0 ? trace->capacity * 2 : 64;
    gf_trace_event *grown = gf_realloc(trace->events, capacity * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    trace->events = grown;
    trace->capacity = capacity;
    return true;
}

void gf_trace_add(gf_trace *trace, const char *name, const char *category, double begin, double end, uint64_t segment,
                  uint64_t pass) {
    if (trace == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&trace->lock);
    if (has_room(trace)) {
        gf_trace_event *event = &trace->events[trace->count++];
        *event = (gf_trace_event){.category = category,
                                  .begin = begin - trace->begin,
                                  .end = end - trace->begin,
                                  .segment = segment,
                                  .pass = pass};
        (void)snprintf(event->name, sizeof event->name, "%s", name);
    } else {
        trace->lost++;
    }
    (void)pthread_mutex_unlock(&trace->lock);
}

size_t gf_trace_count(const gf_trace *trace) {
    return trace != NULL ? trace->count : 0;
}

size_t gf_trace_lost(const gf_trace *trace) {
    return trace != NULL ? trace->lost : 0;
}

bool gf_trace_get(const gf_trace *trace, size_t index, gf_trace_event *out) {
    if (trace == NULL || out == NULL || index >= trace->count) {
        return false;
    }
    *out = trace->events[index];
    return true;
}
