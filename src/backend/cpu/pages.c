/* madvise is no POSIX; where it is missing or says no, pages are small. */
#define _DEFAULT_SOURCE 1 /* NOLINT */
#include "backend/cpu/pages.h"
#include "base/memory.h"
#include <stdint.h>
#include <sys/mman.h>

#define LINE ((size_t)64)
#define HUGE_PAGE ((size_t)2 << 20)
#define MOST_KEPT ((size_t)48 << 20)
#define LEAST_KEPT ((size_t)64 << 10) /* below it malloc does as well */

typedef struct gf_page_block {
    struct gf_page_block *next;
    void *memory;
    size_t bytes;
    size_t mapped; /* of the system's own mapping; 0: malloc's */
    bool in_use;
    bool is_fresh; /* zeros still, unless a kernel has written to it */
} page_block;

static void free_block(page_block *block) {
    if (block->mapped > 0) {
        (void)munmap(block->memory, block->mapped);
    } else {
        gf_free(block->memory);
    }
    gf_free(block);
}

bool gf_pages_init(gf_pages *pages) {
    *pages = (gf_pages){0};
    return pthread_mutex_init(&pages->lock, NULL) == 0;
}

void gf_pages_finish(gf_pages *pages) {
    for (page_block *block = pages->first; block != NULL;) {
        page_block *next = block->next;
        free_block(block);
        block = next;
    }
    (void)pthread_mutex_destroy(&pages->lock);
}

/* Begins on a huge page: what stands before and behind goes back. */
static bool map_pages(page_block *block, size_t bytes) {
    size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *memory = mmap(NULL, whole + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    size_t before = (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE;
    if (before > 0) {
        (void)munmap(memory, before);
    }
    (void)munmap(memory + before + whole, HUGE_PAGE - before);
    block->memory = memory + before;
    block->mapped = whole;
    block->is_fresh = true;
#ifdef MADV_HUGEPAGE
    (void)madvise(block->memory, whole, MADV_HUGEPAGE);
#endif
    return true;
}

static bool from_system(page_block *block, size_t bytes) {
    if (bytes >= 2 * HUGE_PAGE && bytes <= PTRDIFF_MAX - 2 * HUGE_PAGE && map_pages(block, bytes)) {
        return true;
    }
    block->memory = gf_malloc_aligned(LINE, bytes);
    return block->memory != NULL;
}

/* The smallest that is large enough and not twice too large. */
static page_block *find_kept(const gf_pages *pages, size_t bytes) {
    page_block *best = NULL;
    for (page_block *block = pages->first; block != NULL; block = block->next) {
        if (!block->in_use && block->bytes >= bytes && block->bytes / 2 <= bytes &&
            (best == NULL || block->bytes < best->bytes)) {
            best = block;
        }
    }
    return best;
}

static page_block *new_block(gf_pages *pages, size_t bytes) {
    page_block *block = gf_calloc(1, sizeof *block);
    if (block == NULL || !from_system(block, bytes)) {
        gf_free(block);
        return NULL;
    }
    block->next = pages->first;
    block->bytes = bytes;
    block->in_use = true;
    pages->first = block;
    return block;
}

void *gf_pages_take(gf_pages *pages, size_t bytes) {
    (void)pthread_mutex_lock(&pages->lock);
    page_block *block = find_kept(pages, bytes);
    if (block != NULL) {
        block->in_use = true;
        pages->kept -= block->bytes;
    } else {
        block = new_block(pages, bytes);
    }
    (void)pthread_mutex_unlock(&pages->lock);
    return block != NULL ? block->memory : NULL;
}

void gf_pages_give(gf_pages *pages, void *memory) {
    (void)pthread_mutex_lock(&pages->lock);
    page_block **at = &pages->first;
    while (*at != NULL && (*at)->memory != memory) {
        at = &(*at)->next;
    }
    page_block *block = *at;
    if (block != NULL && block->bytes >= LEAST_KEPT && block->bytes <= MOST_KEPT - pages->kept) {
        block->in_use = block->is_fresh = false;
        pages->kept += block->bytes;
        block = NULL;
    }
    if (block != NULL) {
        *at = block->next;
    }
    (void)pthread_mutex_unlock(&pages->lock);
    if (block != NULL) {
        free_block(block);
    }
}

bool gf_pages_are_zeros(gf_pages *pages, const void *memory) {
    bool zeros = false;
    (void)pthread_mutex_lock(&pages->lock);
    for (page_block *block = pages->first; block != NULL; block = block->next) {
        if (block->memory == memory) {
            zeros = block->is_fresh;
            block->is_fresh = false;
        }
    }
    (void)pthread_mutex_unlock(&pages->lock);
    return zeros;
}
