/* Memory for buffers: on lines of its own, on huge pages where there is much of it, and kept for the next who asks:
 * a page that the system hands out costs more than most of what runs do with it. */
#ifndef GF_BACKEND_CPU_PAGES_H
#define GF_BACKEND_CPU_PAGES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct gf_pages {
    pthread_mutex_t lock;
    struct gf_page_block *first; /* all blocks, in use and kept */
    size_t kept;                 /* bytes of those not in use */
} gf_pages;

bool gf_pages_init(gf_pages *pages);
/* Nothing may be in use. */
void gf_pages_finish(gf_pages *pages);
/* NULL: no memory. The contents may be anything. */
void *gf_pages_take(gf_pages *pages, size_t bytes);
/* True where the memory came as zeros from the system and this is the first that anyone asks: it is asked before the
 * first write, by whoever would write zeros or anything else. */
bool gf_pages_are_zeros(gf_pages *pages, const void *memory);
void gf_pages_give(gf_pages *pages, void *memory); /* NULL allowed */

#endif
