/* madvise is no POSIX; where it is missing or says no, pages are small. */
#define _DEFAULT_SOURCE 1 /* NOLINT */
#include "backend/cpu/pages.h"
#include "base/memory.h"
#include <sys/mman.h>

#define LINE ((size_t)64)
#define HUGE_PAGE ((size_t)2 << 20)

void *gf_pages_alloc(size_t bytes) {
    size_t align = bytes >= 2 * HUGE_PAGE ? HUGE_PAGE : LINE;
    void *memory = gf_malloc_aligned(align, bytes);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && align == HUGE_PAGE) {
        (void)madvise(memory, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    }
#endif
    return memory;
}
