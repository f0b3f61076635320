/* madvise is no POSIX; where it is missing or says no, pages are small. */
#define _DEFAULT_SOURCE 1 /* NOLINT */
#include "base/memory.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

static atomic_uint_fast64_t asked;
static atomic_uint_fast64_t fail_at;
static atomic_bool fail_after;
static atomic_uint_fast64_t live;

uint64_t gf_memory_fail_at(uint64_t n, bool all_after) {
    atomic_store(&fail_at, 0);
    uint64_t before = atomic_exchange(&asked, 0);
    atomic_store(&fail_after, all_after);
    atomic_store(&fail_at, n);
    return before;
}

uint64_t gf_memory_live(void) {
    return atomic_load_explicit(&live, memory_order_relaxed);
}

static void *count_given(void *data) {
    if (data != NULL) {
        (void)atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
    }
    return data;
}

static bool must_fail(void) {
    uint64_t number = atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed) + 1;
    uint64_t limit = atomic_load_explicit(&fail_at, memory_order_relaxed);
    if (limit == 0) {
        return false;
    }
    return number == limit || (number > limit && atomic_load_explicit(&fail_after, memory_order_relaxed));
}

/* Past PTRDIFF_MAX a pointer difference is undefined; gcc warns of such sizes and no allocator gives them. */
static bool is_sane(size_t size) {
    return size <= PTRDIFF_MAX;
}

void *gf_malloc(size_t size) {
    if (!is_sane(size) || must_fail()) {
        return NULL;
    }
    return count_given(malloc(size > 0 ? size : 1));
}

void *gf_malloc_aligned(size_t align, size_t size) {
    if (!is_sane(size) || size > PTRDIFF_MAX - align || must_fail()) {
        return NULL;
    }
    return count_given(aligned_alloc(align, (size + align - 1) / align * align + (size == 0 ? align : 0)));
}

void *gf_malloc_data(size_t size) {
    if (size < 2 * HUGE_PAGE) {
        return gf_malloc(size);
    }
    void *data = gf_malloc_aligned(HUGE_PAGE, size);
#ifdef MADV_HUGEPAGE
    if (data != NULL) {
        (void)madvise(data, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    }
#endif
    return data;
}

void *gf_calloc_data(size_t count, size_t size) {
    if (size != 0 && count > PTRDIFF_MAX / size) {
        return NULL;
    }
    void *data = gf_malloc_data(count * size);
    return data != NULL ? memset(data, 0, count * size) : NULL;
}

void *gf_calloc(size_t count, size_t size) {
    if ((size != 0 && count > PTRDIFF_MAX / size) || must_fail()) {
        return NULL;
    }
    return count_given(count == 0 || size == 0 ? calloc(1, 1) : calloc(count, size));
}

void *gf_realloc(void *data, size_t size) {
    if (!is_sane(size) || must_fail()) {
        return NULL;
    }
    void *moved = realloc(data, size > 0 ? size : 1);
    return data == NULL ? count_given(moved) : moved;
}

void gf_free(void *data) {
    if (data != NULL) {
        (void)atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
    }
    free(data);
}

char *gf_strdup(const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = gf_malloc(bytes);
    if (copy != NULL) {
        memcpy(copy, text, bytes);
    }
    return copy;
}
