#include "base/arena.h"
#include "base/memory.h"
#include "unit/unit.h"

typedef struct job {
    gf_arena *arena;
    size_t size, count;
    size_t done;
    bool inner_failed;
} job;

static void take_pieces(void *context) {
    job *work = context;
    for (size_t i = 0; i < work->count; i++) {
        unsigned char *piece = gf_arena_alloc(work->arena, work->size);
        assert_int_equal((uintptr_t)piece % _Alignof(max_align_t), 0);
        for (size_t b = 0; b < work->size; b++) {
            assert_int_equal(piece[b], 0);
        }
        memset(piece, 0xa5, work->size);
        work->done++;
    }
}

static void test_pieces_are_zeroed_and_aligned(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 7, 16, 17, 100, 4000, 20000, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        job work = {.arena = gf_arena_create(), .size = sizes[i], .count = 50};
        assert_true(gf_arena_protect(work.arena, take_pieces, &work));
        assert_int_equal(work.done, 50);
        assert_int_equal(gf_arena_used(work.arena), 50 * sizes[i]);
        gf_arena_destroy(work.arena);
    }
}

static void test_failing_memory_escapes(void **state) {
    (void)state;
    for (uint64_t n = 1;; n++) {
        job work = {.arena = gf_arena_create(), .size = 5000, .count = 100};
        gf_memory_fail_at(n, false);
        bool whole = gf_arena_protect(work.arena, take_pieces, &work);
        uint64_t asked = gf_memory_fail_at(0, false);
        assert_true(whole == (n > asked));
        assert_true(whole == (work.done == 100));
        gf_arena_destroy(work.arena);
        if (whole) {
            assert_true(n > 3);
            break;
        }
    }
}

static void ask_too_much(void *context) {
    job *work = context;
    (void)gf_arena_alloc(work->arena, work->size);
    work->done = 1;
}

static void ask_too_many(void *context) {
    job *work = context;
    (void)gf_arena_array(work->arena, work->count, work->size);
    work->done = 1;
}

static void test_impossible_sizes_escape(void **state) {
    (void)state;
    job work = {.arena = gf_arena_create()};
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 8, SIZE_MAX / 2, GF_ARENA_LIMIT, GF_ARENA_LIMIT + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        work.size = sizes[i];
        assert_false(gf_arena_protect(work.arena, ask_too_much, &work));
    }
    work.size = SIZE_MAX / 4;
    work.count = 8;
    assert_false(gf_arena_protect(work.arena, ask_too_many, &work));
    work.size = (size_t)1 << 33;
    work.count = (size_t)1 << 31; /* the product is 0 in 64 bits */
    assert_false(gf_arena_protect(work.arena, ask_too_many, &work));
    assert_int_equal(work.done, 0);
    assert_int_equal(gf_arena_used(work.arena), 0);
    gf_arena_destroy(work.arena);
}

static void nest(void *context) {
    job *work = context;
    job inner = {.arena = work->arena, .size = SIZE_MAX / 2};
    work->inner_failed = !gf_arena_protect(work->arena, ask_too_much, &inner);
    /* The outer protect must be in force again. */
    (void)gf_arena_alloc(work->arena, 10);
    work->done++;
    (void)gf_arena_alloc(work->arena, SIZE_MAX / 2);
    work->done++;
}

static void test_protect_nests(void **state) {
    (void)state;
    job work = {.arena = gf_arena_create()};
    assert_false(gf_arena_protect(work.arena, nest, &work));
    assert_true(work.inner_failed);
    assert_int_equal(work.done, 1);
    gf_arena_destroy(work.arena);
}

static void make_texts(void *context) {
    gf_arena *arena = context;
    assert_string_equal(gf_arena_string(arena, "barrier", 3), "bar");
    assert_string_equal(gf_arena_string(arena, NULL, 0), "");
    assert_string_equal(gf_arena_format(arena, "%s_%u", "x", 7U), "x_7");
    char *longer = gf_arena_format(arena, "%0*d", 100000, 5);
    assert_int_equal(strlen(longer), 100000);
    static const uint32_t numbers[] = {1, 2, 3};
    const uint32_t *copy = gf_arena_copy(arena, numbers, sizeof numbers);
    assert_memory_equal(copy, numbers, sizeof numbers);
    assert_ptr_not_equal(copy, numbers);
}

static void test_texts(void **state) {
    (void)state;
    gf_arena *arena = gf_arena_create();
    assert_true(gf_arena_protect(arena, make_texts, arena));
    gf_arena_destroy(arena);
}

static void fill_vector(void *context) {
    gf_arena *arena = context;
    GF_VEC(const char *) vector = {0};
    for (size_t i = 0; i < 10000; i++) {
        gf_push(arena, &vector, gf_arena_format(arena, "%zu", i));
    }
    assert_int_equal(vector.count, 10000);
    for (size_t i = 0; i < vector.count; i++) {
        assert_int_equal(strtoul(vector.items[i], NULL, 10), i);
    }
}

static void test_vectors(void **state) {
    (void)state;
    gf_arena *arena = gf_arena_create();
    assert_true(gf_arena_protect(arena, fill_vector, arena));
    gf_arena_destroy(arena);
}

static void test_create_may_fail(void **state) {
    (void)state;
    gf_memory_fail_at(1, false);
    assert_null(gf_arena_create());
    gf_memory_fail_at(0, false);
    gf_arena_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_are_zeroed_and_aligned),
        cmocka_unit_test(test_failing_memory_escapes),
        cmocka_unit_test(test_impossible_sizes_escape),
        cmocka_unit_test(test_protect_nests),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_create_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
