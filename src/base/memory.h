/* malloc with overflow checks, and a switch by which a test makes the n-th allocation fail.
 * Everything in the library that is not in an arena comes from here and goes back by gf_free (gridfence/base.h). */
#ifndef GF_BASE_MEMORY_H
#define GF_BASE_MEMORY_H

#include <gridfence/base.h>

void *gf_malloc(size_t size);                       /* size 0 gives a pointer that may be freed */
void *gf_malloc_aligned(size_t align, size_t size); /* a power of two; freed by gf_free too */
/* For data that kernels go over again and again: where there is much of it, in huge pages if the system gives them. */
void *gf_malloc_data(size_t size);
void *gf_calloc_data(size_t count, size_t size);
void *gf_calloc(size_t count, size_t size); /* NULL on overflow too */
void *gf_realloc(void *data, size_t size);
char *gf_strdup(const char *text);

/* For tests: the n-th allocation from now (from 1) fails, and every one after it if `all_after`; 0 switches off.
 * Process-wide. Returns how many allocations were asked for since the last call. */
uint64_t gf_memory_fail_at(uint64_t n, bool all_after);
/* For tests: pieces that were given and have not been freed. Process-wide. */
uint64_t gf_memory_live(void);

#endif
