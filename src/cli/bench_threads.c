#include "cli/bench_threads.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#define THREADS 64
#define PARTS_PER_THREAD 32 /* parts take different times */

typedef struct job {
    uint64_t count, part;
    gf_bench_body *body;
    void *context;
    atomic_ullong next;
} job;

static void *work(void *user) {
    job *at = user;
    uint64_t begin;
    while ((begin = atomic_fetch_add(&at->next, 1) * at->part) < at->count) {
        at->body(at->context, begin, begin + at->part < at->count ? begin + at->part : at->count);
    }
    return NULL;
}

void gf_bench_share(uint64_t count, uint64_t grain, gf_bench_body *body, void *context) {
    pthread_t threads[THREADS];
    long here = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t parts = grain > 0 ? count / grain : count;
    size_t wanted = here > 1 ? (size_t)here - 1 : 0;
    size_t started = 0;
    job at = {.count = count, .body = body, .context = context};
    wanted = wanted < THREADS ? wanted : THREADS;
    wanted = wanted < parts ? wanted : (size_t)parts;
    at.part = count / ((wanted + 1) * PARTS_PER_THREAD) + 1;
    at.part = at.part > grain ? at.part : grain;
    while (started < wanted && pthread_create(&threads[started], NULL, work, &at) == 0) {
        started++;
    }
    (void)work(&at);
    for (size_t i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
}
