/* What one barrier costs: a job of the pool in which every thread must take part, against `omp barrier` inside a
 * parallel region, in turns in one process, first with the machine as it is, then beside a process that only spins.
 * Prints one line of JSON: medians of all rounds, in microseconds. The first rounds are short, so that most of them run
 * undisturbed; those beside the spinner are longer than a slice of the scheduler, and so take in what is lost to it.
 *
 *   gcc -std=c17 -O2 -fopenmp -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc bench/barrier.c src/backend/cpu/pool.c \
 *       src/base/clock.c src/base/memory.c src/ir/float_mode.c -lm -o barrier
 *   ./barrier [threads] */
#include "backend/cpu/pool.h"
#include "base/clock.h"

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define QUIET_ROUNDS 101
#define QUIET_SECONDS 0.0005
#define BUSY_ROUNDS 11
#define BUSY_SECONDS 0.05

/* A way to pass `count` barriers with some threads; gives seconds. */
typedef double pass_barriers(void *context, unsigned threads, unsigned count);

typedef struct measured {
    const char *name;
    pass_barriers *pass;
    void *context;
    unsigned threads;
    unsigned count; /* barriers in a round */
    double microseconds[QUIET_ROUNDS];
} measured;

static void do_nothing(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    ((volatile uint64_t *)context)[begin * 16] = end;
}

static double pass_jobs(gf_pool *pool, unsigned threads, unsigned count, bool keep_shares) {
    static uint64_t lines[1024 * 16];
    gf_pool_job job = {.body = do_nothing, .context = lines, .count = threads, .grain = 1, .keep_shares = keep_shares};
    if (!gf_pool_acquire(pool)) {
        abort();
    }
    for (unsigned i = 0; i < 100; i++) {
        gf_pool_run(pool, &job);
    }
    double begin = gf_clock_seconds();
    for (unsigned i = 0; i < count; i++) {
        gf_pool_run(pool, &job);
    }
    double seconds = gf_clock_seconds() - begin;
    gf_pool_release(pool);
    return seconds;
}

static double pass_kept(void *context, unsigned threads, unsigned count) {
    return pass_jobs(context, threads, count, true);
}

static double pass_stolen(void *context, unsigned threads, unsigned count) {
    return pass_jobs(context, threads, count, false);
}

static double pass_openmp(void *context, unsigned threads, unsigned count) {
    (void)context;
    double begin = 0, end = 0;
#pragma omp parallel num_threads(threads)
    {
        for (unsigned i = 0; i < 100; i++) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 0) {
            begin = gf_clock_seconds();
        }
        for (unsigned i = 0; i < count; i++) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 0) {
            end = gf_clock_seconds();
        }
    }
    return end - begin;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Until the threads of who was measured before have gone to sleep. */
static void rest(void) {
    (void)nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
}

/* Rounds of about so many seconds each. */
static void measure(measured *list, size_t length, unsigned rounds, double wanted) {
    for (size_t m = 0; m < length; m++) {
        measured *what = &list[m];
        double seconds = 0;
        what->count = 50;
        do {
            what->count *= 4;
            seconds = what->pass(what->context, what->threads, what->count);
        } while (seconds < wanted / 8 && what->count < 100000000);
        what->count = (unsigned)(what->count * wanted / seconds) + 1;
        rest();
    }
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t m = 0; m < length; m++) {
            double seconds = list[m].pass(list[m].context, list[m].threads, list[m].count);
            list[m].microseconds[round] = seconds / list[m].count * 1e6;
            rest();
        }
    }
}

static void print_medians(const char *name, measured *list, size_t length, unsigned rounds) {
    printf("\"%s\": {", name);
    for (size_t m = 0; m < length; m++) {
        qsort(list[m].microseconds, rounds, sizeof(double), compare_doubles);
        printf("%s\"%s_%u\": %.4f", m == 0 ? "" : ", ", list[m].name, list[m].threads,
               list[m].microseconds[rounds / 2]);
    }
    printf("}");
}

int main(int count, char **arguments) {
    long wide = count > 1 ? strtol(arguments[1], NULL, 10) : 2;
    unsigned threads = wide < 2 ? 2 : wide > 1024 ? 1024 : (unsigned)wide;
    gf_pool *alone = gf_pool_create(1), *team = gf_pool_create(threads);
    if (alone == NULL || team == NULL) {
        return 1;
    }
    measured list[] = {
        {.name = "pool", .pass = pass_kept, .context = team, .threads = threads},
        {.name = "pool_stealing", .pass = pass_stolen, .context = team, .threads = threads},
        {.name = "openmp", .pass = pass_openmp, .threads = threads},
        {.name = "pool", .pass = pass_kept, .context = alone, .threads = 1},
        {.name = "openmp", .pass = pass_openmp, .threads = 1},
    };
    size_t length = sizeof list / sizeof list[0];
    printf("{\"unit\": \"us\", ");
    measure(list, length, QUIET_ROUNDS, QUIET_SECONDS);
    print_medians("quiet", list, length, QUIET_ROUNDS);
    (void)fflush(stdout);
    pid_t spinner = fork();
    if (spinner == 0) {
        for (volatile uint64_t turns = 0;; turns++) {
        }
    }
    if (spinner < 0) {
        return 1;
    }
    measure(list, length, BUSY_ROUNDS, BUSY_SECONDS);
    (void)kill(spinner, SIGKILL);
    (void)waitpid(spinner, NULL, 0);
    printf(", ");
    print_medians("busy", list, length, BUSY_ROUNDS);
    printf("}\n");
    gf_pool_destroy(team);
    gf_pool_destroy(alone);
    return 0;
}
