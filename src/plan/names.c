/* Names that the plan gives to buffers and registers: each once, beside those of the program. */
#include "plan/split.h"
#include <string.h>

struct gf_split_name {
    const char *text;
    unsigned next; /* the number to try next behind this name */
};

static uint64_t hash_text(const char *text) {
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (; *text != 0; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

/* The entry of the text, or the empty one where it belongs. */
static gf_split_name *find(const gf_split *split, const char *text) {
    size_t mask = split->name_capacity - 1;
    for (size_t at = hash_text(text) & mask;; at = (at + 1) & mask)
        if (split->names[at].text == NULL || strcmp(split->names[at].text, text) == 0)
            return &split->names[at];
}

static void grow(gf_split *split) {
    gf_split_name *old = split->names;
    size_t count = split->name_capacity;
    split->name_capacity = count == 0 ? 256 : count * 2;
    split->names = gf_new_array(split->arena, gf_split_name, split->name_capacity);
    for (size_t i = 0; i < count; i++)
        if (old[i].text != NULL)
            *find(split, old[i].text) = old[i];
}

void gf_split_take_name(gf_split *split, const char *text) {
    if (split->name_count * 2 >= split->name_capacity)
        grow(split);
    gf_split_name *entry = find(split, text);
    if (entry->text != NULL)
        return;
    *entry = (gf_split_name){.text = text, .next = 2};
    split->name_count++;
}

const char *gf_split_fresh_name(gf_split *split, const char *prefix, const char *name) {
    for (size_t i = 0; split->names == NULL && i < split->tree->decl_count; i++)
        gf_split_take_name(split, split->tree->decls[i]->name);
    const char *fresh = gf_arena_format(split->arena, "%s%s", prefix, name);
    if (split->names == NULL || find(split, fresh)->text == NULL)
        return fresh;
    gf_split_name *entry = find(split, fresh);
    for (;; entry->next++) {
        const char *numbered = gf_arena_format(split->arena, "%s_%u", fresh, entry->next);
        if (find(split, numbered)->text == NULL)
            return numbered;
    }
}

gf_symbol *gf_split_new_local(gf_split *split, gf_symbol_kind kind, const char *name, gf_type type) {
    return gf_make_symbol(split->arena, kind, gf_split_fresh_name(split, "gf_", name), type, split->symbol_count++);
}
