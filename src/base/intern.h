/* One address per spelling: names that are equal have equal pointers. */
#ifndef GF_BASE_INTERN_H
#define GF_BASE_INTERN_H

#include "base/arena.h"

typedef struct gf_intern_table gf_intern_table;

/* Table and strings live in the arena; call inside gf_arena_protect. */
gf_intern_table *gf_intern_create(gf_arena *arena);
/* `text` need not end in 0, the result does. The bytes may hold zeros; then the length counts too. */
const char *gf_intern(gf_intern_table *table, const char *text, size_t length);

#endif
