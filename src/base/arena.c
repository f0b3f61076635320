#include "base/arena.h"
#include "base/memory.h"
#include <setjmp.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CHUNK ((size_t)16 * 1024)
#define LARGEST_CHUNK ((size_t)1024 * 1024)

/* Under AddressSanitizer each piece is an allocation of its own, so that running past its end is seen. */
#if defined(__SANITIZE_ADDRESS__)
#define PIECE_PER_CHUNK true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PIECE_PER_CHUNK true
#endif
#endif
#ifndef PIECE_PER_CHUNK
#define PIECE_PER_CHUNK false
#endif

typedef struct chunk {
    struct chunk *next;
    alignas(max_align_t) unsigned char data[];
} chunk;

struct gf_arena {
    chunk *chunks;
    unsigned char *free; /* the unused rest of the newest shared chunk */
    size_t free_bytes;
    size_t next_chunk;
    size_t used;
    jmp_buf *escape; /* of the innermost protect */
};

gf_arena *gf_arena_create(void) {
    gf_arena *arena = gf_calloc(1, sizeof *arena);
    if (arena != NULL) {
        arena->next_chunk = FIRST_CHUNK;
    }
    return arena;
}

void gf_arena_destroy(gf_arena *arena) {
    if (arena == NULL) {
        return;
    }
    for (chunk *at = arena->chunks; at != NULL;) {
        chunk *next = at->next;
        gf_free(at);
        at = next;
    }
    gf_free(arena);
}

size_t gf_arena_used(const gf_arena *arena) {
    return arena->used;
}

bool gf_arena_protect(gf_arena *arena, void (*body)(void *context), void *context) {
    jmp_buf *outer = arena->escape;
    jmp_buf here;
    arena->escape = &here;
    if (setjmp(here) != 0) {
        arena->escape = outer;
        return false;
    }
    body(context);
    arena->escape = outer;
    return true;
}

static _Noreturn void run_out(gf_arena *arena) {
    if (arena->escape == NULL) {
        /* A fault of ours: a pass was called outside gf_arena_protect. */
        fputs("gridfence: arena used outside gf_arena_protect\n", stderr);
        abort();
    }
    longjmp(*arena->escape, 1);
}

static unsigned char *add_chunk(gf_arena *arena, size_t bytes) {
    if (bytes > GF_ARENA_LIMIT - sizeof(chunk)) {
        run_out(arena);
    }
    chunk *fresh = gf_calloc(1, sizeof(chunk) + bytes);
    if (fresh == NULL) {
        run_out(arena);
    }
    fresh->next = arena->chunks;
    arena->chunks = fresh;
    return fresh->data;
}

void *gf_arena_alloc(gf_arena *arena, size_t size) {
    if (size > GF_ARENA_LIMIT || arena->used > GF_ARENA_LIMIT - size) {
        run_out(arena);
    }
    if (PIECE_PER_CHUNK) {
        void *piece = add_chunk(arena, size > 0 ? size : 1);
        arena->used += size;
        return piece;
    }
    size_t unit = alignof(max_align_t);
    size_t bytes = size > 0 ? (size + unit - 1) / unit * unit : unit;
    if (bytes > arena->free_bytes) {
        if (bytes > LARGEST_CHUNK / 4) {
            void *piece = add_chunk(arena, bytes);
            arena->used += size;
            return piece;
        }
        while (arena->next_chunk < bytes) {
            arena->next_chunk *= 2;
        }
        arena->free = add_chunk(arena, arena->next_chunk);
        arena->free_bytes = arena->next_chunk;
        if (arena->next_chunk < LARGEST_CHUNK) {
            arena->next_chunk *= 2;
        }
    }
    void *piece = arena->free;
    arena->free += bytes;
    arena->free_bytes -= bytes;
    arena->used += size;
    return piece;
}

void *gf_arena_array(gf_arena *arena, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) {
        run_out(arena);
    }
    return gf_arena_alloc(arena, count * size);
}

void *gf_arena_copy(gf_arena *arena, const void *data, size_t size) {
    void *copy = gf_arena_alloc(arena, size);
    if (size > 0) {
        memcpy(copy, data, size);
    }
    return copy;
}

char *gf_arena_string(gf_arena *arena, const char *text, size_t length) {
    if (length == SIZE_MAX) {
        run_out(arena);
    }
    char *copy = gf_arena_alloc(arena, length + 1);
    if (length > 0) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *gf_arena_format_list(gf_arena *arena, const char *format, va_list list) {
    va_list measure;
    va_copy(measure, list);
    int length = vsnprintf(NULL, 0, format, measure);
    va_end(measure);
    if (length < 0) {
        run_out(arena);
    }
    char *text = gf_arena_alloc(arena, (size_t)length + 1);
    (void)vsnprintf(text, (size_t)length + 1, format, list);
    return text;
}

char *gf_arena_format(gf_arena *arena, const char *format, ...) {
    va_list list;
    va_start(list, format);
    char *text = gf_arena_format_list(arena, format, list);
    va_end(list);
    return text;
}

void *gf_vec_grow(gf_arena *arena, void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) {
        return items;
    }
    if (*capacity > SIZE_MAX / 2) {
        run_out(arena);
    }
    size_t larger = *capacity > 0 ? *capacity * 2 : 8;
    void *grown = gf_arena_array(arena, larger, size);
    if (count > 0) {
        memcpy(grown, items, count * size);
    }
    *capacity = larger;
    return grown;
}
