/* Locals in scope. A name may be one of a scope that has ended, or hide one of an outer scope. */
#include "writer.h"
#include <stdio.h>
#include <string.h>

static const local *find_visible(const writer *w, const char *name) {
    for (size_t i = w->local_count; i-- > 0;) {
        if (strcmp(w->locals[i].name, name) == 0) {
            return &w->locals[i];
        }
    }
    return NULL;
}

static bool reuse_retired(writer *w, char name[NAME_SIZE]) {
    unsigned known = w->retired_count < 16 ? w->retired_count : 16;
    if (known == 0 || !choose_yes(w->choices, 30)) {
        return false;
    }
    const char *old = w->retired[choose(w->choices, known)];
    if (find_visible(w, old) != NULL) {
        return false;
    }
    memcpy(name, old, NAME_SIZE);
    return true;
}

static bool hide_outer(writer *w, char name[NAME_SIZE]) {
    if (w->local_count == 0 || !choose_yes(w->choices, 4)) {
        return false;
    }
    const local *outer = &w->locals[choose(w->choices, (uint32_t)w->local_count)];
    const local *innermost = find_visible(w, outer->name);
    if (innermost->scope == w->scope || innermost->needed || outer->needed) {
        return false;
    }
    memcpy(name, outer->name, NAME_SIZE);
    return true;
}

void fresh_name(writer *w, const char *stem, char name[NAME_SIZE]) {
    if (!reuse_retired(w, name) && !hide_outer(w, name)) {
        (void)snprintf(name, NAME_SIZE, "%s%u", stem, ++w->next_name);
    }
}

/* The last one stands for all that find no room: its name is in scope, but nobody picks it. */
local *add_local(writer *w, const char *name, gf_type type, gf_level uniform, bool assignable) {
    for (size_t i = 0; i < w->local_count; i++) {
        w->locals[i].hidden |= strcmp(w->locals[i].name, name) == 0;
    }
    if (w->local_count == MOST_NAMES) {
        w->local_count--;
    }
    local *l = &w->locals[w->local_count++];
    *l = (local){.type = type, .uniform = uniform, .assignable = assignable, .scope = w->scope};
    (void)snprintf(l->name, NAME_SIZE, "%s", name);
    return l;
}

void open_scope(writer *w) {
    w->scope++;
}

void close_scope(writer *w) {
    while (w->local_count > 0 && w->locals[w->local_count - 1].scope == w->scope) {
        const local *last = &w->locals[--w->local_count];
        memcpy(w->retired[w->retired_count++ % 16], last->name, NAME_SIZE);
        /* What it hid is seen again. */
        for (size_t i = w->local_count; i-- > 0;) {
            if (strcmp(w->locals[i].name, last->name) == 0) {
                w->locals[i].hidden = false;
                break;
            }
        }
    }
    w->scope--;
}

bool is_seen(const local *l) {
    return !l->hidden && !l->out_of_reach;
}

local *pick_local(writer *w, gf_type type, local_test *test) {
    size_t count = 0;
    size_t at[MOST_NAMES];
    for (size_t i = 0; i < w->local_count; i++) {
        if (is_seen(&w->locals[i]) && test(w, &w->locals[i], type)) {
            at[count++] = i;
        }
    }
    return count == 0 ? NULL : &w->locals[at[choose(w->choices, (uint32_t)count)]];
}
