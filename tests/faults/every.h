/* What the tests of running out of memory share: a scenario is gone through with the n-th allocation failing, for
 * every n, once with that one alone and once with all that follow too. */
#ifndef GF_TESTS_FAULTS_EVERY_H
#define GF_TESTS_FAULTS_EVERY_H

/* clang-format off */
#include "base/diag.h"
#include "base/memory.h"
#include "unit/unit.h"
/* clang-format on */

/* One scenario. `begin` makes what lives long (NULL with a message where it fails), `act` uses it, asserting itself
 * what must hold of the caller's memory, `end` takes it back. `begin` and `end` may be NULL. */
typedef struct scenario {
    const char *name;
    void *(*begin)(const void *with, gf_diags *diags);
    bool (*act)(void *made, const void *with, gf_diags *diags);
    void (*end)(void *made);
    const void *with;
    /* Where a failure may go unnoticed: something is done without (a cache, say). Else it must be told. */
    bool may_do_without;
    uint64_t step; /* every step-th allocation only, where FAULTS_EVERY is not set; 0: every one */
} scenario;

/* With FAULTS_EVERY=1 in the environment every allocation has its turn: that takes many minutes. With FAULTS_SPARSE=17
 * one in so many of those that would have one: for builds that are slow. */
static inline uint64_t step_of(uint64_t step) {
    const char *sparse = getenv("FAULTS_SPARSE");
    uint64_t most = step > 0 ? step : 1;
    return getenv("FAULTS_EVERY") != NULL ? 1 : sparse != NULL ? most * strtoull(sparse, NULL, 10) : most;
}

/* Before and behind each test: one that was left by an assertion would fail the next. */
static inline int stop_failing(void **state) {
    (void)state;
    (void)gf_memory_fail_at(0, false);
    return 0;
}

/* The error itself, or a segment that failed with it as the reason. */
static inline bool is_memory_told(const gf_diags *diags) {
    gf_diag first = {.code = ""};
    gf_diag why = {.message = ""};
    if (!gf_diags_get(diags, 0, &first) || gf_diags_status(diags) != GF_STATUS_DEVICE) {
        return false;
    }
    (void)gf_diags_get_note(diags, 0, 0, &why);
    return strcmp(first.code, "GF0001") == 0 || strstr(why.message, "memory") != NULL;
}

static inline void expect_memory_error(const scenario *s, uint64_t n, bool all, const gf_diags *diags) {
    if (!is_memory_told(diags)) {
        gf_diags_print(diags, stderr);
        fail_msg("%s, allocation %llu%s: not told as that", s->name, (unsigned long long)n,
                 all ? " and all after" : "");
    }
}

static inline void expect_nothing_left(const scenario *s, uint64_t n, bool all, uint64_t before) {
    if (gf_memory_live() != before) {
        fail_msg("%s, allocation %llu%s: %lld pieces are left", s->name, (unsigned long long)n,
                 all ? " and all after" : "", (long long)(gf_memory_live() - before));
    }
}

/* From the beginning to the end. */
static inline bool go_through(const scenario *s, gf_diags *diags) {
    void *made = s->begin != NULL ? s->begin(s->with, diags) : NULL;
    bool done = (s->begin == NULL || made != NULL) && s->act(made, s->with, diags);
    if (s->end != NULL) {
        s->end(made);
    }
    return done;
}

static inline void expect_well(const scenario *s, bool done, const gf_diags *diags) {
    if (!done) {
        gf_diags_print(diags, stderr);
        fail_msg("%s: does not go well", s->name);
    }
}

/* Allocations of the whole scenario fail: begin and end too. */
static inline void fail_whole(const scenario *s) {
    gf_diags *diags = gf_diags_create();
    assert_non_null(diags);
    expect_well(s, go_through(s, diags), diags); /* what is made once for all is made here */
    gf_diags_clear(diags);
    uint64_t before = gf_memory_live();
    (void)gf_memory_fail_at(0, false);
    expect_well(s, go_through(s, diags), diags);
    uint64_t most = gf_memory_fail_at(0, false);
    gf_diags_clear(diags);
    expect_nothing_left(s, 0, false, before);
    assert_true(most > 0);
    uint64_t failures = 0;
    for (int all = 0; all < 2; all++) {
        for (uint64_t n = 1; n <= most; n += step_of(s->step)) {
            (void)gf_memory_fail_at(n, all != 0);
            bool done = go_through(s, diags);
            (void)gf_memory_fail_at(0, false);
            failures += !done;
            if (!done) {
                expect_memory_error(s, n, all != 0, diags);
            } else if (!s->may_do_without && all != 0) {
                fail_msg("%s, allocation %llu and all after: nothing is told", s->name, (unsigned long long)n);
            }
            gf_diags_clear(diags);
            expect_nothing_left(s, n, all != 0, before);
        }
    }
    assert_true(failures > 0);
    gf_diags_destroy(diags);
}

/* Only those of the act fail; the same objects are used again right away, and must do. */
static inline void fail_act(const scenario *s) {
    gf_diags *diags = gf_diags_create();
    assert_non_null(diags);
    uint64_t before = gf_memory_live();
    bool failed = true;
    for (uint64_t n = 1; failed; n += step_of(s->step)) {
        for (int all = 0; all < 2; all++) {
            void *made = s->begin(s->with, diags);
            assert_non_null(made);
            gf_diags_clear(diags);
            (void)gf_memory_fail_at(n, all != 0);
            bool done = s->act(made, s->with, diags);
            failed = gf_memory_fail_at(0, false) >= n;
            if (!done) {
                expect_memory_error(s, n, all != 0, diags);
            }
            gf_diags_clear(diags);
            expect_well(s, s->act(made, s->with, diags), diags);
            s->end(made);
            gf_diags_clear(diags);
            expect_nothing_left(s, n, all != 0, before);
        }
    }
    gf_diags_destroy(diags);
}

#endif
