/* Memory for buffers: on lines of its own, and on huge pages where there is much of it. */
#ifndef GF_BACKEND_CPU_PAGES_H
#define GF_BACKEND_CPU_PAGES_H

#include <stddef.h>

/* To be freed with gf_free. NULL: no memory. */
void *gf_pages_alloc(size_t bytes);

#endif
