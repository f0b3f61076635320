/* The thread pool: each index once, shares that stay, many jobs in a row, several threads and pools at once. */
#include "backend/cpu/pool.h"
#include "base/memory.h"
#include "unit/unit.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define INDICES 20000
#define THREADS 8

typedef struct marks {
    unsigned char times[INDICES]; /* how often each index was done; no two workers write the same unless it is wrong */
    unsigned char worker[INDICES];
    uint64_t count, grain;
    atomic_uint wrong; /* calls that break the promises */
    atomic_uint calls;
    unsigned threads;
} marks;

static void mark(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    marks *m = context;
    if (begin >= end || end > m->count || begin % m->grain != 0 || (end % m->grain != 0 && end != m->count) ||
        worker >= m->threads) {
        (void)atomic_fetch_add(&m->wrong, 1);
        return;
    }
    (void)atomic_fetch_add(&m->calls, 1);
    for (uint64_t i = begin; i < end; i++) {
        m->times[i]++;
        m->worker[i] = (unsigned char)worker;
    }
}

static void run_marks(gf_pool *pool, marks *m, uint64_t count, uint64_t grain, bool keep_shares) {
    memset(m->times, 0, sizeof m->times);
    atomic_store(&m->wrong, 0);
    atomic_store(&m->calls, 0);
    m->count = count;
    m->grain = grain == 0 ? 1 : grain;
    m->threads = gf_pool_threads(pool);
    gf_pool_run(pool, &(gf_pool_job){mark, m, count, grain, keep_shares});
    assert_int_equal(atomic_load(&m->wrong), 0);
    for (uint64_t i = 0; i < INDICES; i++) {
        assert_int_equal(m->times[i], i < count);
    }
}

/* c * threads / chunks, as the header says. */
static void assert_shares(const marks *m) {
    uint64_t chunks = m->count / m->grain + (m->count % m->grain != 0);
    for (uint64_t c = 0; c < chunks; c++) {
        assert_int_equal(m->worker[c * m->grain], chunks == 1 ? 0 : c * m->threads / chunks);
    }
}

static void test_every_index_once(void **state) {
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 100, 1000, 4099, INDICES};
    static const uint64_t grains[] = {0, 1, 2, 3, 7, 64, 1000, INDICES, UINT64_MAX};
    static marks m;
    for (unsigned threads = 1; threads <= THREADS; threads++) {
        gf_pool *pool = gf_pool_create(threads);
        assert_int_equal(gf_pool_threads(pool), threads);
        assert_true(gf_pool_acquire(pool));
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++) {
                run_marks(pool, &m, counts[c], grains[g], false);
                run_marks(pool, &m, counts[c], grains[g], true);
                assert_shares(&m);
                assert_true(atomic_load(&m.calls) <= threads);
            }
        }
        gf_pool_release(pool);
        gf_pool_destroy(pool);
    }
    run_marks(NULL, &m, 1000, 7, false);
    assert_int_equal(atomic_load(&m.calls), 1);
}

typedef struct ranges {
    atomic_uint_fast64_t covered;
    atomic_uint calls;
} ranges;

static void cover(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    ranges *r = context;
    (void)atomic_fetch_add(&r->covered, end - begin);
    (void)atomic_fetch_add(&r->calls, 1);
}

/* Counts near the end of 64 bits: no sum of begin and grain may overflow. */
static void test_huge_counts(void **state) {
    (void)state;
    gf_pool *pool = gf_pool_create(3);
    assert_true(gf_pool_acquire(pool));
    for (int keep = 0; keep < 2; keep++) {
        ranges r = {0};
        gf_pool_run(pool, &(gf_pool_job){cover, &r, UINT64_MAX, (uint64_t)1 << 62, keep != 0});
        assert_true(atomic_load(&r.covered) == UINT64_MAX);
        assert_int_equal(atomic_load(&r.calls), keep != 0 ? 3 : 4);
    }
    ranges r = {0};
    gf_pool_run(pool, &(gf_pool_job){cover, &r, UINT64_MAX, 1, true});
    assert_true(atomic_load(&r.covered) == UINT64_MAX);
    gf_pool_release(pool);
    gf_pool_destroy(pool);
}

#define TINY 300000

typedef struct chain {
    uint64_t cells[THREADS * 2];
    uint64_t turn;
} chain;

/* Reads what a neighbour wrote in the job before: wrong, and a race, if a job ends too early. */
static void link_on(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    chain *c = context;
    uint64_t *from = c->cells + (c->turn % 2) * THREADS, *to = c->cells + ((c->turn + 1) % 2) * THREADS;
    for (uint64_t i = begin; i < end; i++) {
        to[i] = from[(i + 1) % THREADS] + 1;
    }
}

/* More jobs than the numbers that mark shares can tell apart. */
static void test_tiny_jobs(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        for (unsigned kind = 0; kind < 3; kind++) { /* stolen, kept, in turns */
            chain c = {.turn = 0};
            gf_pool *pool = gf_pool_create(threads);
            assert_true(gf_pool_acquire(pool));
            uint64_t turns = threads == 2 ? TINY : 3000;
            for (c.turn = 0; c.turn < turns; c.turn++) {
                gf_pool_run(pool, &(gf_pool_job){link_on, &c, THREADS, 1, kind == 1 || (kind == 2 && c.turn % 3 == 0)});
            }
            for (size_t i = 0; i < THREADS; i++) {
                assert_int_equal(c.cells[(turns % 2) * THREADS + i], turns);
            }
            gf_pool_release(pool);
            gf_pool_destroy(pool);
        }
    }
}

/* Shares carry 16 bits of the job's number: one that was last touched so many jobs ago must not read as used up. */
static void test_old_shares(void **state) {
    (void)state;
    static marks m;
    gf_pool *pool = gf_pool_create(2);
    assert_true(gf_pool_acquire(pool));
    for (int round = 0; round < 2; round++) {
        run_marks(pool, &m, 8, 1, false);
        chain c = {.turn = 0};
        for (c.turn = 0; c.turn < 65535; c.turn++) {
            gf_pool_run(pool, &(gf_pool_job){link_on, &c, THREADS, 1, true});
        }
        run_marks(pool, &m, 8, 1, false);
        run_marks(pool, &m, 8, 1, false);
    }
    gf_pool_release(pool);
    gf_pool_destroy(pool);
}

static void work_unevenly(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)worker;
    uint64_t *sums = context;
    for (uint64_t i = begin; i < end; i++) {
        uint64_t turns = i % 97 == 0 ? 20000 : i % 13, sum = i;
        for (uint64_t k = 0; k < turns; k++) {
            sum = sum * 6364136223846793005u + k;
        }
        sums[i] += sum;
    }
}

static void test_uneven_cost(void **state) {
    (void)state;
    static uint64_t want[2000], got[2000];
    memset(want, 0, sizeof want);
    memset(got, 0, sizeof got);
    gf_pool *pool = gf_pool_create(4);
    assert_true(gf_pool_acquire(pool));
    for (int round = 0; round < 10; round++) {
        gf_pool_run(NULL, &(gf_pool_job){work_unevenly, want, 2000, 1, false});
        gf_pool_run(pool, &(gf_pool_job){work_unevenly, got, 2000, 3, round % 2 == 0});
    }
    assert_memory_equal(want, got, sizeof want);
    gf_pool_release(pool);
    gf_pool_destroy(pool);
}

typedef struct stalled {
    atomic_uint others; /* chunks done by helpers */
    atomic_bool given_up;
} stalled;

/* The caller's chunk ends only when helpers have done the nine others. */
static void stall(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)begin;
    (void)end;
    stalled *s = context;
    if (worker != 0) {
        (void)atomic_fetch_add(&s->others, 1);
        return;
    }
    for (int i = 0; i < 10000 && atomic_load(&s->others) < 9; i++) {
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    atomic_store(&s->given_up, atomic_load(&s->others) < 9);
}

static void test_helpers_steal(void **state) {
    (void)state;
    gf_pool *pool = gf_pool_create(2);
    assert_true(gf_pool_acquire(pool));
    for (int round = 0; round < 3; round++) {
        stalled s = {0};
        gf_pool_run(pool, &(gf_pool_job){stall, &s, 10, 1, false});
        /* A helper that slept too long leaves nothing to wait for: then the caller has done more than its one. */
        assert_true(!atomic_load(&s.given_up));
        assert_int_equal(atomic_load(&s.others), 9);
    }
    gf_pool_release(pool);
    gf_pool_destroy(pool);
}

/* Between jobs the helpers have gone to sleep, and in a long job of theirs the caller has. */
static void test_sleepers_wake(void **state) {
    (void)state;
    static marks m;
    for (unsigned threads = 2; threads <= 4; threads++) {
        gf_pool *pool = gf_pool_create(threads);
        assert_true(gf_pool_acquire(pool));
        for (int round = 0; round < 6; round++) {
            run_marks(pool, &m, 40, 1, round % 2 == 0);
            if (round % 2 == 0) {
                assert_shares(&m);
            }
            (void)nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        }
        gf_pool_release(pool);
        gf_pool_destroy(pool);
    }
}

static void nap(void *context, unsigned worker, uint64_t begin, uint64_t end) {
    (void)end;
    (void)nanosleep(&(struct timespec){.tv_nsec = worker == 0 ? 0 : 3000000}, NULL);
    ((uint64_t *)context)[begin] += 1;
}

static void test_caller_sleeps(void **state) {
    (void)state;
    uint64_t done[3] = {0};
    gf_pool *pool = gf_pool_create(3);
    assert_true(gf_pool_acquire(pool));
    for (int round = 0; round < 20; round++) {
        gf_pool_run(pool, &(gf_pool_job){nap, done, 3, 1, true});
        gf_pool_run(pool, &(gf_pool_job){nap, done, 3, 1, false});
    }
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(done[i], 40);
    }
    gf_pool_release(pool);
    gf_pool_destroy(pool);
}

typedef struct user {
    gf_pool *pool;
    unsigned got, alone;
    bool wrong;
} user;

static void *use_pool(void *argument) {
    user *u = argument;
    for (int round = 0; round < 2000; round++) {
        chain c = {.turn = 0};
        bool held = gf_pool_acquire(u->pool);
        for (c.turn = 0; c.turn < 4; c.turn++) {
            gf_pool_run(held ? u->pool : NULL, &(gf_pool_job){link_on, &c, THREADS, 1, round % 2 == 0});
        }
        if (held) {
            gf_pool_release(u->pool);
            u->got++;
        } else {
            u->alone++;
        }
        for (size_t i = 0; i < THREADS; i++) {
            u->wrong = u->wrong || c.cells[i] != 4;
        }
    }
    return NULL;
}

/* Runs users[0..count) on threads of their own. */
static void use_together(user *users, size_t count) {
    pthread_t threads[4];
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, use_pool, &users[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_false(users[i].wrong);
        assert_int_equal(users[i].got + users[i].alone, 2000);
    }
}

static void test_one_pool_for_two(void **state) {
    (void)state;
    gf_pool *pool = gf_pool_create(2);
    assert_true(gf_pool_acquire(pool));
    assert_false(gf_pool_acquire(pool));
    gf_pool_release(pool);
    user users[3] = {{.pool = pool}, {.pool = pool}, {.pool = pool}};
    use_together(users, 3);
    assert_true(users[0].got + users[1].got + users[2].got > 0);
    assert_true(gf_pool_acquire(pool));
    gf_pool_release(pool);
    gf_pool_destroy(pool);
}

static void test_two_pools(void **state) {
    (void)state;
    user users[2] = {{.pool = gf_pool_create(2)}, {.pool = gf_pool_create(3)}};
    use_together(users, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(users[i].got, 2000);
        gf_pool_destroy(users[i].pool);
    }
}

static void test_create_and_destroy(void **state) {
    (void)state;
    gf_pool_destroy(NULL);
    for (unsigned threads = 0; threads < 6; threads++) {
        gf_pool *pool = gf_pool_create(threads);
        assert_non_null(pool);
        assert_true(gf_pool_threads(pool) >= 1);
        gf_pool_destroy(pool);
    }
    gf_pool *wide = gf_pool_create(UINT32_MAX);
    assert_true(gf_pool_threads(wide) > 1);
    gf_pool_destroy(wide);
    assert_int_equal(gf_pool_threads(NULL), 1);
    assert_false(gf_pool_acquire(NULL));
    (void)gf_memory_fail_at(1, false);
    assert_null(gf_pool_create(2));
    (void)gf_memory_fail_at(0, false);
    /* A thread that has only just begun is stopped too. */
    static marks m;
    for (int round = 0; round < 50; round++) {
        gf_pool *pool = gf_pool_create(4);
        run_marks(pool, &m, 8, 1, false);
        gf_pool_destroy(pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_index_once),   cmocka_unit_test(test_huge_counts),
        cmocka_unit_test(test_tiny_jobs),          cmocka_unit_test(test_old_shares),
        cmocka_unit_test(test_uneven_cost),        cmocka_unit_test(test_helpers_steal),
        cmocka_unit_test(test_sleepers_wake),      cmocka_unit_test(test_caller_sleeps),
        cmocka_unit_test(test_one_pool_for_two),   cmocka_unit_test(test_two_pools),
        cmocka_unit_test(test_create_and_destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
