/* How a job travels. All helpers look at one word, which holds the number of the job and what kind it is; the job
 * itself lies in the same cache line, so that one transfer brings it.
 *
 * Each keeps its share: who has a share surely takes part, the caller waits until each of them has set its state to
 * `done with this number`. Two transfers, and no atomic but two exchanges.
 *
 * With stealing, nobody must take part: a helper first says that it is busy with the number, then looks whether the job
 * is still open, and only then touches it. The caller works until all chunks are taken, closes the job, then looks who
 * is busy with it, and waits for those alone. Both sides store before they load (sequentially consistent), so either
 * the helper finds the job closed or the caller finds the helper busy.
 *
 * What waits, spins and then sleeps on a futex: helpers on the word of the job, the caller on the state of a helper. */
#define _GNU_SOURCE
#include "backend/cpu/pool.h"

#include "base/clock.h"
#include "base/memory.h"
#include "ir/eval.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <unistd.h>
#if defined(__linux__) && !defined(GF_POOL_PORTABLE)
#include <linux/futex.h>
#include <sys/syscall.h>
#endif
#if defined(__SSE2__)
#include <emmintrin.h>
#define PAUSE() _mm_pause()
#else
#define PAUSE() ((void)0)
#endif

#define THREADS_MAX 1024
/* Two cache lines: the hardware fetches neighbours in pairs. */
#define LINE 128

/* Who waits spins for about so long: longer than what a run does between two jobs, shorter than a slice of the
 * scheduler. */
#define SPIN_SECONDS 50e-6
/* The caller's first looks are further apart: a look takes the cache line away from the helper that is about to answer
 * in it. */
#define LOOKS 200
#define ANSWER_PAUSES 3

/* The job's word: a number that grows from job to job, and flags. */
#define WORD_OPEN 1u
#define WORD_KEEP 2u
#define WORD_STOP 4u
#define NUMBER_SHIFT 3
/* A worker's state: 0, or the number of a job that it is busy with, or of one with shares to keep that it has done. */
#define STATE_BUSY 1u
#define STATE_WAITED 2u /* the caller sleeps on it */

/* Chunks taken of a share: their number, under the low bits of the job's number. So a share of an earlier job reads as
 * untouched, and nobody has to reset it. */
#define TAG_SHIFT 48
#define TAG_MASK 0xffffu
#define TAKEN_MASK (((uint64_t)1 << TAG_SHIFT) - 1)

typedef struct worker {
    alignas(LINE) _Atomic(uint32_t) own_state;
    _Atomic(uint32_t) *state; /* own_state, or near_state of the pool */
    unsigned index;
    int cpu; /* to be pinned to; -1: none */
    gf_pool *pool;
    pthread_t thread;
    alignas(LINE) _Atomic(uint64_t) taken;
} worker;

struct gf_pool {
    /* The job. Its members are atomic because a helper that has no share may look at them while the next is written;
     * it then finds another word and forgets what it read. */
    alignas(LINE) _Atomic(uint32_t) word;
    _Atomic(uint32_t) rest; /* chunks % threads */
    _Atomic(gf_pool_body *) body;
    _Atomic(void *) context;
    _Atomic(uint64_t) count, grain;
    _Atomic(uint64_t) each; /* chunks / threads */
    /* Of the only helper there is: word and answer in one line go to and fro in half the time of two lines. With more
     * helpers, each answer would take the line from all others. */
    _Atomic(uint32_t) near_state;

    alignas(LINE) _Atomic(unsigned) parked; /* helpers that sleep, or are about to */

    alignas(LINE) _Atomic(bool) held;
    bool started; /* this and the next: of who holds the pool */
    uint32_t number;
    int cpu; /* where the caller's thread was last, when no helper's; -1: not known, nothing is pinned */

    /* What stays as it is, and is read by all. */
    alignas(LINE) _Atomic(unsigned) threads;
    unsigned spins;
    worker *workers;
    void *memory; /* as allocated, before it was aligned */
};

/* A job as one thread sees it. */
typedef struct task {
    gf_pool_body *body;
    void *context;
    uint64_t count, grain, each;
    uint32_t rest, threads;
} task;

/* ---- sleeping ---- */

#if defined(__linux__) && !defined(GF_POOL_PORTABLE)
static void sleep_on(_Atomic(uint32_t) *word, uint32_t seen) {
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
}

static void wake_on(_Atomic(uint32_t) *word, unsigned count) {
    (void)syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, (int)count, NULL, NULL, 0);
}
#else
/* Slow, but right everywhere: one place to sleep for all. */
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sleep_end = PTHREAD_COND_INITIALIZER;

static void sleep_on(_Atomic(uint32_t) *word, uint32_t seen) {
    (void)pthread_mutex_lock(&sleep_lock);
    while (atomic_load(word) == seen) {
        (void)pthread_cond_wait(&sleep_end, &sleep_lock);
    }
    (void)pthread_mutex_unlock(&sleep_lock);
}

static void wake_on(_Atomic(uint32_t) *word, unsigned count) {
    (void)word;
    (void)count;
    (void)pthread_mutex_lock(&sleep_lock);
    (void)pthread_cond_broadcast(&sleep_end);
    (void)pthread_mutex_unlock(&sleep_lock);
}
#endif

/* A pause takes from 5 to 140 cycles, depending on the processor. */
static unsigned count_spins(void) {
    double best = 1;
    for (int round = 0; round < 3; round++) {
        double begin = gf_clock_seconds();
        for (int i = 0; i < 32; i++) {
            PAUSE();
        }
        double seconds = (gf_clock_seconds() - begin) / 32;
        best = seconds < best ? seconds : best;
    }
    /* A look costs about 2 ns by itself. */
    return LOOKS + (unsigned)(SPIN_SECONDS / (best + 2e-9));
}

#if defined(__linux__)
static void pin_thread(pthread_t thread, int cpu) {
    if (cpu >= 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(cpu, &set);
        (void)pthread_setaffinity_np(thread, sizeof set, &set);
    }
}

/* The caller's thread goes where the system puts it. When that is a helper's CPU, the two would take turns there, each
 * spinning while the other waits to run, and no load balancer could help: the helper gets the CPU that became free. */
static void follow_caller(gf_pool *pool) {
    int cpu = pool->cpu < 0 ? -1 : sched_getcpu();
    if (cpu == pool->cpu) {
        return;
    }
    for (unsigned i = 1; i < gf_pool_threads(pool); i++) {
        if (pool->workers[i].cpu == cpu) {
            pool->workers[i].cpu = pool->cpu;
            pin_thread(pool->workers[i].thread, pool->cpu);
        }
    }
    pool->cpu = cpu;
}

/* A CPU for each helper, from the one after the caller's on; none where there are not enough for all. */
static void choose_cpus(gf_pool *pool, unsigned threads) {
    cpu_set_t set;
    int cpu = sched_getcpu();
    if (cpu < 0 || sched_getaffinity(0, sizeof set, &set) != 0 || threads > (unsigned)CPU_COUNT(&set)) {
        return;
    }
    pool->cpu = cpu;
    for (unsigned i = 1; i < threads; i++) {
        do {
            cpu = (cpu + 1) % CPU_SETSIZE;
        } while (!CPU_ISSET(cpu, &set));
        pool->workers[i].cpu = cpu;
    }
}
#else
static void pin_thread(pthread_t thread, int cpu) {
    (void)thread;
    (void)cpu;
}

static void follow_caller(gf_pool *pool) {
    (void)pool;
}

static void choose_cpus(gf_pool *pool, unsigned threads) {
    (void)pool;
    (void)threads;
}
#endif

/* The word once it differs from `seen`. */
static uint32_t await_word(gf_pool *pool, uint32_t seen) {
    uint32_t word;
    for (unsigned i = 0; i < pool->spins; i++) {
        word = atomic_load_explicit(&pool->word, memory_order_acquire);
        if (word != seen) {
            return word;
        }
        PAUSE();
    }
    /* Counted before the last look: who changes the word looks at the count afterwards. */
    (void)atomic_fetch_add(&pool->parked, 1);
    while ((word = atomic_load(&pool->word)) == seen) {
        sleep_on(&pool->word, seen);
    }
    (void)atomic_fetch_sub(&pool->parked, 1);
    return word;
}

/* Until the worker's state is `state` (wanted) or is no longer (not wanted). */
static void await_state(gf_pool *pool, worker *whose, uint32_t state, bool wanted) {
    uint32_t now = atomic_load(whose->state);
    for (unsigned i = 0; ((now & ~STATE_WAITED) == state) != wanted; i++) {
        if (i == LOOKS) {
            follow_caller(pool);
        }
        if (i < pool->spins) {
            for (unsigned pause = 0; pause < (i < LOOKS ? ANSWER_PAUSES : 1); pause++) {
                PAUSE();
            }
        } else if ((now & STATE_WAITED) != 0 ||
                   atomic_compare_exchange_strong(whose->state, &now, now | STATE_WAITED)) {
            sleep_on(whose->state, now | STATE_WAITED);
        }
        now = atomic_load(whose->state);
    }
}

/* Every change by the worker itself looks for a sleeper, else one could be forgotten. */
static void set_state(worker *own, uint32_t state) {
    if ((atomic_exchange(own->state, state) & STATE_WAITED) != 0) {
        wake_on(own->state, 1);
    }
}

/* ---- doing ---- */

/* ceil(index * chunks / threads), without the product of two large numbers. */
static uint64_t first_chunk(const task *t, uint32_t index) {
    uint64_t first = index * t->each;
    return t->rest == 0 ? first : first + (index * t->rest + t->threads - 1) / t->threads;
}

static bool has_share(const task *t, uint32_t index) {
    return t->each != 0 || first_chunk(t, index) != first_chunk(t, index + 1);
}

/* Chunks [first, last) of the job, one at least; the last chunk of all may be shorter than the grain. */
static void do_range(const task *t, uint32_t index, uint64_t first, uint64_t last) {
    uint64_t begin = first * t->grain, size = (last - first) * t->grain;
    t->body(t->context, index, begin, t->count - begin > size ? begin + size : t->count);
}

static void do_share(const task *t, uint32_t index) {
    uint64_t first = first_chunk(t, index), last = first_chunk(t, index + 1);
    if (first != last) {
        do_range(t, index, first, last);
    }
}

/* The next chunk of a share that nobody has taken. */
static bool take_chunk(worker *whose, uint64_t tag, uint64_t size, uint64_t *chunk) {
    uint64_t old = atomic_load_explicit(&whose->taken, memory_order_relaxed);
    do {
        *chunk = old >> TAG_SHIFT == tag ? old & TAKEN_MASK : 0;
        if (*chunk >= size) {
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(&whose->taken, &old, tag << TAG_SHIFT | (*chunk + 1),
                                                    memory_order_relaxed, memory_order_relaxed));
    return true;
}

static void do_chunks(gf_pool *pool, const task *t, uint32_t index, uint32_t number) {
    uint32_t victim = index;
    do {
        uint64_t first = first_chunk(t, victim), size = first_chunk(t, victim + 1) - first, chunk;
        while (size != 0 && take_chunk(&pool->workers[victim], number & TAG_MASK, size, &chunk)) {
            do_range(t, index, first + chunk, first + chunk + 1);
        }
        victim = victim + 1 == t->threads ? 0 : victim + 1;
    } while (victim != index);
}

/* ---- helpers ---- */

static void read_task(gf_pool *pool, task *t) {
    t->body = atomic_load_explicit(&pool->body, memory_order_acquire);
    t->context = atomic_load_explicit(&pool->context, memory_order_acquire);
    t->count = atomic_load_explicit(&pool->count, memory_order_acquire);
    t->grain = atomic_load_explicit(&pool->grain, memory_order_acquire);
    t->each = atomic_load_explicit(&pool->each, memory_order_acquire);
    t->rest = atomic_load_explicit(&pool->rest, memory_order_acquire);
    t->threads = atomic_load_explicit(&pool->threads, memory_order_acquire);
}

static void help(worker *own, uint32_t word) {
    gf_pool *pool = own->pool;
    uint32_t number = word >> NUMBER_SHIFT;
    task t;
    if ((word & WORD_KEEP) != 0) {
        read_task(pool, &t);
        /* Who has a share finds the word unchanged: the caller waits for it. */
        if (atomic_load_explicit(&pool->word, memory_order_acquire) == word && has_share(&t, own->index)) {
            do_share(&t, own->index);
            set_state(own, number << NUMBER_SHIFT);
        }
        return;
    }
    set_state(own, number << NUMBER_SHIFT | STATE_BUSY);
    if (atomic_load(&pool->word) == word) {
        read_task(pool, &t);
        do_chunks(pool, &t, own->index, number);
    }
    set_state(own, 0);
}

static void *serve(void *argument) {
    worker *own = argument;
    gf_float_mode mode;
    gf_float_mode_enter(&mode); /* a thread begins with the mode of who started it */
    uint32_t word = 0;
    for (;;) {
        word = await_word(own->pool, word);
        if ((word & WORD_STOP) != 0) {
            return NULL;
        }
        if ((word & WORD_OPEN) != 0) {
            help(own, word);
        }
    }
}

static void start_helpers(gf_pool *pool) {
    unsigned threads = gf_pool_threads(pool);
    choose_cpus(pool, threads);
    sigset_t all, before; /* signals are for the threads of the program */
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned i = 1; i < threads; i++) {
        if (pthread_create(&pool->workers[i].thread, NULL, serve, &pool->workers[i]) != 0) {
            threads = i;
        } else {
            pin_thread(pool->workers[i].thread, pool->workers[i].cpu);
        }
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    atomic_store_explicit(&pool->threads, threads, memory_order_release);
    pool->started = true;
}

/* ---- the caller ---- */

/* The number of the next job. No worker is at work, so all marks of old numbers can be wiped now and then, before one
 * could be taken for a new one. */
static uint32_t next_number(gf_pool *pool, unsigned threads) {
    uint32_t number = (pool->number + 1) & (UINT32_MAX >> NUMBER_SHIFT);
    if ((number & TAG_MASK) == 0) {
        number++;
        for (unsigned i = 0; i < threads; i++) {
            atomic_store(pool->workers[i].state, 0);
            atomic_store(&pool->workers[i].taken, 0);
        }
    }
    pool->number = number;
    return number;
}

static void wake_helpers(gf_pool *pool, const task *t, bool keep_shares) {
    unsigned parked = atomic_load(&pool->parked);
    if (parked == 0) {
        return;
    }
    unsigned helpers = t->threads - 1, awake = helpers - parked;
    unsigned useful = t->each != 0 ? helpers : t->rest - 1;
    if (keep_shares) {
        wake_on(&pool->word, helpers); /* those with a share may be any of them */
    } else if (useful > awake) {
        wake_on(&pool->word, useful - awake);
    }
}

static void run_together(gf_pool *pool, const task *t, bool keep_shares) {
    uint32_t number = next_number(pool, t->threads);
    uint32_t closed = number << NUMBER_SHIFT;
    /* The word goes first: who still reads the job before must see that it is no longer that. */
    atomic_store_explicit(&pool->word, closed, memory_order_relaxed);
    atomic_store_explicit(&pool->body, t->body, memory_order_release);
    atomic_store_explicit(&pool->context, t->context, memory_order_release);
    atomic_store_explicit(&pool->count, t->count, memory_order_release);
    atomic_store_explicit(&pool->grain, t->grain, memory_order_release);
    atomic_store_explicit(&pool->each, t->each, memory_order_release);
    atomic_store_explicit(&pool->rest, t->rest, memory_order_release);
    atomic_store(&pool->word, closed | WORD_OPEN | (keep_shares ? WORD_KEEP : 0));
    follow_caller(pool);
    wake_helpers(pool, t, keep_shares);
    if (keep_shares) {
        do_share(t, 0);
    } else {
        do_chunks(pool, t, 0, number);
        atomic_store(&pool->word, closed);
    }
    for (uint32_t i = 1; i < t->threads; i++) {
        if (!keep_shares) {
            await_state(pool, &pool->workers[i], closed | STATE_BUSY, false);
        } else if (has_share(t, i)) {
            await_state(pool, &pool->workers[i], closed, true);
        }
    }
}

void gf_pool_run(gf_pool *pool, const gf_pool_job *job) {
    task t = {.body = job->body, .context = job->context, .count = job->count, .grain = job->grain};
    if (t.grain == 0) {
        t.grain = 1;
    }
    if (pool != NULL && t.count > t.grain && gf_pool_threads(pool) > 1) {
        if (!pool->started) {
            start_helpers(pool);
        }
        while (t.count > TAKEN_MASK / 2 && t.count / t.grain > TAKEN_MASK / 2) {
            t.grain *= 2; /* more chunks than anybody will see done */
        }
        uint64_t chunks = (t.count - 1) / t.grain + 1;
        t.threads = gf_pool_threads(pool);
        t.each = chunks / t.threads;
        t.rest = (uint32_t)(chunks % t.threads);
        if (t.threads > 1 && chunks > 1) {
            run_together(pool, &t, job->keep_shares);
            return;
        }
    }
    if (t.count != 0) {
        t.body(t.context, 0, 0, t.count);
    }
}

/* ---- the pool ---- */

static unsigned count_cpus(void) {
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return (unsigned)CPU_COUNT(&set);
    }
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}

gf_pool *gf_pool_create(unsigned threads) {
    if (threads == 0) {
        threads = count_cpus();
    }
    if (threads > THREADS_MAX) {
        threads = THREADS_MAX;
    }
    size_t size = sizeof(gf_pool) + threads * sizeof(worker);
    char *memory = gf_calloc(1, size + LINE);
    if (memory == NULL) {
        return NULL;
    }
    gf_pool *pool = (gf_pool *)(void *)(memory + (LINE - (uintptr_t)memory % LINE));
    pool->memory = memory;
    pool->workers = (worker *)(void *)(pool + 1);
    pool->cpu = -1;
    atomic_init(&pool->threads, threads);
    pool->spins = count_spins();
    for (unsigned i = 0; i < threads; i++) {
        pool->workers[i].index = i;
        pool->workers[i].cpu = -1;
        pool->workers[i].pool = pool;
        pool->workers[i].state = threads == 2 ? &pool->near_state : &pool->workers[i].own_state;
    }
    return pool;
}

void gf_pool_destroy(gf_pool *pool) {
    if (pool == NULL) {
        return;
    }
    if (pool->started) {
        atomic_store(&pool->word, WORD_STOP);
        wake_on(&pool->word, THREADS_MAX);
        for (unsigned i = 1; i < gf_pool_threads(pool); i++) {
            (void)pthread_join(pool->workers[i].thread, NULL);
        }
    }
    gf_free(pool->memory);
}

unsigned gf_pool_threads(const gf_pool *pool) {
    return pool == NULL ? 1 : atomic_load_explicit(&pool->threads, memory_order_acquire);
}

bool gf_pool_acquire(gf_pool *pool) {
    return pool != NULL && !atomic_exchange_explicit(&pool->held, true, memory_order_acquire);
}

void gf_pool_release(gf_pool *pool) {
    atomic_store_explicit(&pool->held, false, memory_order_release);
}
