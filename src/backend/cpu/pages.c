/* madvise is no POSIX; where it is missing or says no, pages are small. */
#define _DEFAULT_SOURCE 1 /* NOLINT */
#include "backend/cpu/pages.h"
#include "base/memory.h"
#include <sys/mman.h>

#define LINE ((size_t)64)
#define HUGE_PAGE ((size_t)2 << 20)
#define MOST_KEPT ((size_t)48 << 20)
#define LEAST_KEPT ((size_t)64 << 10) /* below it malloc does as well */

typedef struct gf_page_block {
    struct gf_page_block *next;
    void *memory;
    size_t bytes;
    bool in_use;
} page_block;

bool gf_pages_init(gf_pages *pages) {
    *pages = (gf_pages){0};
    return pthread_mutex_init(&pages->lock, NULL) == 0;
}

void gf_pages_finish(gf_pages *pages) {
    for (page_block *block = pages->first; block != NULL;) {
        page_block *next = block->next;
        gf_free(block->memory);
        gf_free(block);
        block = next;
    }
    (void)pthread_mutex_destroy(&pages->lock);
}

static void *from_system(size_t bytes) {
    size_t align = bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : LINE;
    void *memory = gf_malloc_aligned(align, bytes);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && align == HUGE_PAGE) {
        (void)madvise(memory, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    }
#endif
    return memory;
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
    page_block *block = gf_malloc(sizeof *block);
    void *memory = block != NULL ? from_system(bytes) : NULL;
    if (memory == NULL) {
        gf_free(block);
        return NULL;
    }
    *block = (page_block){.next = pages->first, .memory = memory, .bytes = bytes, .in_use = true};
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
        block->in_use = false;
        pages->kept += block->bytes;
        block = NULL;
    }
    if (block != NULL) {
        *at = block->next;
    }
    (void)pthread_mutex_unlock(&pages->lock);
    if (block != NULL) {
        gf_free(block->memory);
        gf_free(block);
    }
}
