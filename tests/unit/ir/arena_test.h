/* A body that runs under gf_arena_protect, for tests that make nodes by hand. */
#ifndef GF_TESTS_ARENA_TEST_H
#define GF_TESTS_ARENA_TEST_H

#include "base/arena.h"
#include "base/str.h"
#include "ir/make.h"
#include "unit/unit.h"

static inline void run_in_arena(void (*body)(void *arena)) {
    gf_arena *arena = gf_arena_create();
    assert_non_null(arena);
    assert_true(gf_arena_protect(arena, body, arena));
    gf_arena_destroy(arena);
}

static inline const gf_expr *u32_literal(gf_arena *arena, uint32_t value) {
    return gf_make_literal(arena, GF_TYPE_U32, value);
}

#endif
