#define _GNU_SOURCE
#include "hunt.h"
#include "shrink.h"
#include "trial.h"
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Long: the machine may be busy with other things, and a run ends by itself after RUN_SECONDS of trial.c. */
enum { HANG_SECONDS = 300, ENOUGH_PROGRAMS = 4000, SHRINK_TRIES = 6000, SHRINK_SECONDS = 15 };

/* What a worker tells, in memory that it shares. */
typedef struct worker {
    _Atomic(uint64_t) next; /* seed that it is at, or will begin with */
    _Atomic(uint64_t) done;
    _Atomic(int) over, found; /* found: at `next` there is a difference */
    finding finding;
    coverage_table coverage;
    pid_t pid;
    uint64_t seen; /* by the watcher: `next`, and since when */
    double since;
} worker;

typedef struct hunter {
    const hunt_options *options;
    worker *workers;
    double begin;
    uint64_t failed, crashed;
} hunter;

static double now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- one program of a seed ---- */

generate_kind hunt_kind(const hunt_options *options, uint64_t seed) {
    uint64_t rest = options->plain_only ? 99 : seed % 100;
    return rest < 4 ? GENERATE_ORDER : rest < 8 ? GENERATE_RACE : GENERATE_PLAIN;
}

static void make(const hunt_options *options, uint64_t seed, generated *made) {
    choice_stream choices = choice_from_seed(seed);
    generate_program(&choices, hunt_kind(options, seed), made);
}

static trial_how how_of(const hunt_options *options, uint64_t seed, const generated *made) {
    return (trial_how){.kind = made->kind,
                       .own_atomics = made->own_atomics,
                       .turn = seed,
                       .use_device = options->device != NULL && seed % options->every == 0};
}

static bool try_seed(const hunt_options *options, const device_set *devices, uint64_t seed, coverage_table *coverage,
                     finding *out) {
    generated made;
    make(options, seed, &made);
    const trial_how how = how_of(options, seed, &made);
    bool good = try_program(devices, text_get(&made.text), &how, coverage, out);
    generated_free(&made);
    return good;
}

/* ---- workers ---- */

static void work(const hunter *at, worker *own) {
    device_set devices;
    if (!devices_open(&devices, at->options->device)) {
        _exit(3);
    }
    uint64_t seed = own->next;
    uint64_t end = at->options->count == 0 ? UINT64_MAX : at->options->seed + at->options->count;
    while (seed < end && (at->options->seconds == 0 || now() - at->begin < (double)at->options->seconds)) {
        own->next = seed;
        if (!try_seed(at->options, &devices, seed, &own->coverage, &own->finding)) {
            own->found = 1;
            _exit(1);
        }
        own->done++;
        seed += at->options->jobs;
    }
    own->over = 1;
    devices_close(&devices);
    exit(0); /* not _exit: what measures coverage writes its counts now */
}

static void start(hunter *at, worker *own) {
    (void)fflush(NULL); /* or the child would write it once more */
    own->found = 0;
    own->seen = own->next;
    own->since = now();
    pid_t pid = fork();
    if (pid == 0) {
        (void)signal(SIGINT, SIG_DFL);
        (void)signal(SIGTERM, SIG_DFL);
        work(at, own);
    }
    own->pid = pid;
}

/* ---- findings ---- */

/* In a process of its own: whatever it does is an answer. */
static trial_verdict try_apart(const hunt_options *options, const char *program, const trial_how *how, unsigned seconds,
                               finding *shared) {
    (void)fflush(NULL);
    *shared = (finding){.verdict = VERDICT_CRASH};
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(seconds);
        device_set devices;
        finding found;
        if (freopen("/dev/null", "w", stderr) == NULL ||
            !devices_open(&devices, how->use_device ? options->device : NULL)) {
            _exit(3);
        }
        (void)try_program(&devices, program, how, NULL, &found);
        *shared = found;
        (void)fflush(NULL);
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        shared->verdict = WTERMSIG(status) == SIGALRM ? VERDICT_HANG : VERDICT_CRASH;
    }
    return shared->verdict;
}

typedef struct watched {
    const hunt_options *options;
    trial_how how;
    finding wanted;
    finding *shared;
    double begin;
} watched;

static bool still_shows(void *user, const char *program) {
    watched *at = user;
    const char *mark = at->how.kind == GENERATE_ORDER ? "// order" : at->how.kind == GENERATE_RACE ? "// race" : "";
    if (now() - at->begin > 120 || strstr(program, mark) == NULL) {
        return false;
    }
    trial_verdict verdict = try_apart(at->options, program, &at->how, SHRINK_SECONDS, at->shared);
    bool same_way = at->shared->how == at->wanted.how || verdict == VERDICT_CRASH || verdict == VERDICT_HANG;
    return verdict == at->wanted.verdict && same_way;
}

/* One statement a line. */
static void format(text *program) {
    gf_program *parsed = gf_program_parse_only(text_get(program), program->length, "found.gf", NULL);
    char *formatted = parsed != NULL ? gf_program_text(parsed, NULL) : NULL;
    if (formatted != NULL) {
        text_clear(program);
        text_put(program, "%s", formatted);
    }
    gf_free(formatted);
    gf_program_destroy(parsed);
}

static void save(const hunt_options *options, uint64_t seed, const char *program) {
    char name[4096];
    if (options->findings == NULL) {
        return;
    }
    (void)snprintf(name, sizeof name, "%s/%llu.gf", options->findings, (unsigned long long)seed);
    FILE *file = fopen(name, "wb");
    if (file == NULL || fputs(program, file) < 0 || fclose(file) != 0) {
        perror(name);
    }
}

static void shrink_and_tell(const hunter *at, uint64_t seed, const finding *found) {
    const hunt_options *options = at->options;
    generated made;
    make(options, seed, &made);
    finding *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return;
    }
    watched watch = {
        .options = options, .how = how_of(options, seed, &made), .wanted = *found, .shared = shared, .begin = now()};
    printf("\nseed %llu: %s%s%s%s%s: %s\n", (unsigned long long)seed, verdict_name(found->verdict),
           found->how != NULL ? ", " : "", found->how != NULL ? found->how->name : "", found->how != NULL ? " on " : "",
           found->device, found->why);
    printf("to repeat: differential --seed %llu --count 1%s%s\n", (unsigned long long)seed,
           options->device != NULL ? " --device " : "", options->device != NULL ? options->device : "");
    bool racy = found->verdict == VERDICT_RACE || found->verdict == VERDICT_UNSEEN;
    watch.how.sure = !racy;
    watch.how.timeout = 2;
    format(&made.text);
    bool fine = found->verdict != VERDICT_INVALID && still_shows(&watch, text_get(&made.text));
    if (fine) {
        shrink_test test = {still_shows, &watch, SHRINK_TRIES};
        shrink(&made.text, &test);
    }
    printf("%s:\n%s", fine ? "shrunk" : "as it was", text_get(&made.text));
    if (fine) {
        watch.how.tell = stdout;
        (void)try_apart(options, text_get(&made.text), &watch.how, SHRINK_SECONDS, shared);
        printf("%s: %s\n", verdict_name(shared->verdict), shared->why);
    }
    save(options, seed, text_get(&made.text));
    (void)munmap(shared, sizeof *shared);
    generated_free(&made);
    (void)fflush(stdout);
}

/* ---- watching ---- */

static volatile sig_atomic_t is_over; /* by a signal: what was done until then is told */

static void end_by_signal(int number) {
    (void)number;
    is_over = 1;
}

static void stop_all(const hunter *at) {
    for (unsigned i = 0; i < at->options->jobs; i++) {
        if (at->workers[i].pid > 0) {
            (void)kill(at->workers[i].pid, SIGKILL);
            (void)waitpid(at->workers[i].pid, NULL, 0);
            at->workers[i].pid = 0;
        }
    }
}

/* Once more, with as much time: a machine that is busy otherwise makes anything slow. */
static bool hangs_again(const hunt_options *options, uint64_t seed) {
    finding *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return true;
    }
    generated made;
    make(options, seed, &made);
    const trial_how how = how_of(options, seed, &made);
    bool fine = try_apart(options, text_get(&made.text), &how, HANG_SECONDS, shared) == VERDICT_SAME;
    generated_free(&made);
    (void)munmap(shared, sizeof *shared);
    return !fine;
}

/* A worker has ended; false: nothing more is to be done. */
static bool take_end(hunter *at, worker *own, int status, bool hangs) {
    own->pid = 0;
    if (own->over != 0) {
        return true;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        at->crashed++;
        return false;
    }
    if (own->found == 0 && hangs && !hangs_again(at->options, own->next)) {
        own->next += at->options->jobs;
        start(at, own);
        return true;
    }
    at->failed++;
    if (own->found == 0) {
        own->finding = (finding){.verdict = hangs ? VERDICT_HANG : VERDICT_CRASH};
        (void)snprintf(own->finding.why, sizeof own->finding.why, "signal %d",
                       WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    }
    if (!at->options->keep_going) {
        stop_all(at);
    }
    shrink_and_tell(at, own->next, &own->finding);
    own->next += at->options->jobs;
    if (at->options->keep_going) {
        start(at, own);
    }
    return at->options->keep_going;
}

static void watch(hunter *at) {
    for (bool running = true; running && is_over == 0;) {
        running = false;
        for (unsigned i = 0; i < at->options->jobs; i++) {
            worker *own = &at->workers[i];
            int status = 0;
            if (own->pid <= 0) {
                continue;
            }
            running = true;
            bool hangs = own->seen == own->next && now() - own->since > HANG_SECONDS;
            if (own->seen != own->next) {
                own->seen = own->next;
                own->since = now();
            }
            if (hangs) {
                (void)kill(own->pid, SIGKILL);
            }
            if (waitpid(own->pid, &status, hangs ? 0 : WNOHANG) == own->pid && !take_end(at, own, status, hangs)) {
                stop_all(at);
                return;
            }
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    stop_all(at);
}

static int finish(hunter *at) {
    static coverage_table all;
    uint64_t done = 0;
    size_t never = 0;
    for (unsigned i = 0; i < at->options->jobs; i++) {
        coverage_sum(&all, &at->workers[i].coverage);
        done += at->workers[i].done;
    }
    if (at->options->coverage) {
        coverage_print(&all, stdout);
    }
    if (done >= ENOUGH_PROGRAMS && !at->options->plain_only) {
        never = coverage_missing(&all, stdout);
    }
    printf("seeds from %llu: %llu programs in %.0f s, %llu statements\n", (unsigned long long)at->options->seed,
           (unsigned long long)done, now() - at->begin, (unsigned long long)all.statements);
    uint64_t failed = at->failed + at->crashed + never;
    printf("%llu passed, %llu failed, 0 skipped\n", (unsigned long long)done, (unsigned long long)failed);
    return failed > 0 ? 1 : 0;
}

int hunt(const hunt_options *options) {
    hunter at = {.options = options, .begin = now()};
    size_t size = options->jobs * sizeof(worker);
    at.workers = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at.workers == MAP_FAILED) {
        perror("mmap");
        return 3;
    }
    for (unsigned i = 0; i < options->jobs; i++) {
        at.workers[i].next = options->seed + i;
        start(&at, &at.workers[i]);
    }
    const struct sigaction end = {.sa_handler = end_by_signal};
    (void)sigaction(SIGINT, &end, NULL);
    (void)sigaction(SIGTERM, &end, NULL);
    watch(&at);
    int status = finish(&at);
    (void)munmap(at.workers, size);
    return status;
}
