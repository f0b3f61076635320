#include "base/intern.h"
#include <string.h>
#include <xxhash.h>

typedef struct slot {
    uint64_t hash;
    size_t length;
    const char *text; /* NULL: free */
} slot;

struct gf_intern_table {
    gf_arena *arena;
    slot *slots;
    size_t count, capacity; /* capacity is a power of two, at most half of it is used */
};

gf_intern_table *gf_intern_create(gf_arena *arena) {
    gf_intern_table *table = gf_new(arena, gf_intern_table);
    table->arena = arena;
    table->capacity = 64;
    table->slots = gf_new_array(arena, slot, table->capacity);
    return table;
}

/* The slot that holds the text, or the free one where it belongs. */
static slot *find_slot(slot *slots, size_t capacity, uint64_t hash, const char *text, size_t length) {
    for (size_t i = (size_t)hash & (capacity - 1);; i = (i + 1) & (capacity - 1)) {
        slot *at = &slots[i];
        if (at->text == NULL || (at->hash == hash && at->length == length && memcmp(at->text, text, length) == 0)) {
            return at;
        }
    }
}

static void grow(gf_intern_table *table) {
    size_t capacity = table->capacity * 2;
    slot *slots = gf_new_array(table->arena, slot, capacity);
    for (size_t i = 0; i < table->capacity; i++) {
        const slot *old = &table->slots[i];
        if (old->text != NULL) {
            *find_slot(slots, capacity, old->hash, old->text, old->length) = *old;
        }
    }
    table->slots = slots;
    table->capacity = capacity;
}

const char *gf_intern(gf_intern_table *table, const char *text, size_t length) {
    uint64_t hash = XXH3_64bits(text, length);
    slot *found = find_slot(table->slots, table->capacity, hash, text, length);
    if (found->text != NULL) {
        return found->text;
    }
    if (table->count >= table->capacity / 2) {
        grow(table);
        found = find_slot(table->slots, table->capacity, hash, text, length);
    }
    /* The text first: it may escape, and the table must stay whole for whoever catches that. */
    const char *copy = gf_arena_string(table->arena, text, length);
    *found = (slot){.hash = hash, .length = length, .text = copy};
    table->count++;
    return copy;
}
