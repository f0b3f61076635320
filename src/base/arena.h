/* Memory of one program, plan or pass: taken piece by piece, given back as a whole.
 *
 * An arena never gives NULL: where there is no memory (or the limit is reached) it leaves the innermost
 * gf_arena_protect by longjmp, which returns false. So passes need no error path for memory, and nothing leaks,
 * because everything that a pass made lies in the arena. Code that runs inside must own nothing else (no files, locks
 * or malloc), and must not be called without a protect around it. One thread at a time. */
#ifndef GF_BASE_ARENA_H
#define GF_BASE_ARENA_H

#include <gridfence/base.h>
#include <stdarg.h>

typedef struct gf_arena gf_arena;

/* Bytes that one arena hands out at most: no program needs a hundredth of it, and a hostile one stops here. */
#define GF_ARENA_LIMIT ((size_t)1 << 32)

gf_arena *gf_arena_create(void); /* NULL where there is no memory; that is all that can fail outside a protect */
void gf_arena_destroy(gf_arena *arena);
size_t gf_arena_used(const gf_arena *arena);

/* Runs body(context). True if it came back; false if memory ran out inside. May be nested on one arena. */
bool gf_arena_protect(gf_arena *arena, void (*body)(void *context), void *context);

/* Zeroed, aligned for any object. count * size may overflow: then there is no memory. */
void *gf_arena_alloc(gf_arena *arena, size_t size);
void *gf_arena_array(gf_arena *arena, size_t count, size_t size);
void *gf_arena_copy(gf_arena *arena, const void *data, size_t size);
char *gf_arena_string(gf_arena *arena, const char *text, size_t length); /* adds the 0 */
char *gf_arena_format(gf_arena *arena, const char *format, ...) GF_PRINTF(2, 3);
char *gf_arena_format_list(gf_arena *arena, const char *format, va_list list);

#define gf_new(arena, type) ((type *)gf_arena_alloc((arena), sizeof(type)))
#define gf_new_array(arena, type, count) ((type *)gf_arena_array((arena), (count), sizeof(type)))

/* A growing array in an arena: GF_VEC(const gf_stmt *) body = {0}; gf_push(arena, &body, stmt); body.items[i] */
#define GF_VEC(type)                                                                                                   \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }
#define gf_push(arena, vec, item)                                                                                      \
    ((vec)->items = gf_vec_grow((arena), (vec)->items, (vec)->count, &(vec)->capacity, sizeof *(vec)->items),          \
     (vec)->items[(vec)->count++] = (item))
void *gf_vec_grow(gf_arena *arena, void *items, size_t count, size_t *capacity, size_t size);

#endif
