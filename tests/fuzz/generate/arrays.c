/* Buffers and workgroup arrays, declared as they are wanted. */
#include "writer.h"
#include <stdio.h>
#include <string.h>

#define MOST_INDICES 24

bool is_writable(const array *a) {
    return a->is_shared || a->role != GF_ROLE_IN;
}

bool is_visible(const writer *w, const array *a) {
    return !a->is_shared || (!w->in_forall && w->space != GF_SPACE_ONE);
}

bool takes_atomics(const array *a) {
    return is_writable(a) && gf_type_bytes(a->type) >= 4;
}

static void set_size(writer *w, array *a) {
    static const char *const odd_forms[] = {"n / 2 + 1", "n + 3", "max(n, 5) - 2", "n * 2", "n / 100"};
    switch (a->length) {
    case LENGTH_OWN:
        (void)snprintf(a->size, SIZE_TEXT, "%.48s", w->total_text);
        break;
    case LENGTH_FOUR:
        (void)snprintf(a->size, SIZE_TEXT, "(%.48s) * 4", w->total_text);
        break;
    case LENGTH_SMALL:
        a->elements = 1 + choose(w->choices, MOST_SUM);
        (void)snprintf(a->size, SIZE_TEXT, "%u", (unsigned)a->elements);
        break;
    case LENGTH_ODD:
        (void)snprintf(a->size, SIZE_TEXT, "%s", choose_of(w->choices, odd_forms));
        a->elements = w->n / 2 + 1;
        break;
    case LENGTH_OPEN:
        a->elements = choose(w->choices, 4) == 0 ? w->total : w->total + choose(w->choices, 5);
        a->size[0] = '\0';
        break;
    }
}

static size_t add_array(writer *w, const char *stem) {
    if (w->array_count == MOST_ARRAYS) {
        return NO_ARRAY;
    }
    array *a = &w->arrays[w->array_count];
    *a = (array){.twin = -1};
    (void)snprintf(a->name, NAME_SIZE, "%s%u", stem, ++w->next_name);
    return w->array_count++;
}

size_t new_buffer(writer *w, gf_type type, length_kind length, gf_role role) {
    size_t index = add_array(w, "b");
    if (index != NO_ARRAY) {
        array *a = &w->arrays[index];
        a->type = type;
        a->length = length;
        a->role = length == LENGTH_OPEN && role != GF_ROLE_IN ? GF_ROLE_INOUT : role;
        a->returns = a->role == GF_ROLE_OUT && choose_yes(w->choices, 10);
        set_size(w, a);
    }
    return index;
}

size_t new_shared(writer *w, gf_type type, uint32_t length) {
    size_t index = add_array(w, "m");
    if (index != NO_ARRAY) {
        array *a = &w->arrays[index];
        a->type = type;
        a->is_shared = true;
        a->length = length == w->group ? LENGTH_OWN : LENGTH_SMALL;
        a->elements = length;
        (void)snprintf(a->size, SIZE_TEXT, "%u", (unsigned)length);
    }
    return index;
}

size_t twin_of(writer *w, size_t index) {
    const array *a = &w->arrays[index];
    if (a->twin >= 0) {
        return (size_t)a->twin;
    }
    if (a->is_shared || a->role == GF_ROLE_IN || a->length == LENGTH_OPEN) {
        return NO_ARRAY;
    }
    static const gf_role roles[] = {GF_ROLE_SCRATCH, GF_ROLE_INOUT, GF_ROLE_OUT};
    size_t other = add_array(w, "b");
    if (other == NO_ARRAY) {
        return NO_ARRAY;
    }
    array *twin = &w->arrays[other];
    twin->type = a->type;
    twin->length = a->length;
    twin->role = choose_of(w->choices, roles);
    twin->elements = a->elements;
    memcpy(twin->size, a->size, SIZE_TEXT);
    twin->twin = (int)index;
    w->arrays[index].twin = (int)other;
    return other;
}

/* The stored types that a load gives as this one. */
static gf_type stored_as(writer *w, gf_type loaded) {
    static const gf_type u32s[] = {GF_TYPE_U32, GF_TYPE_U32, GF_TYPE_U32, GF_TYPE_U8, GF_TYPE_U16};
    static const gf_type i32s[] = {GF_TYPE_I32, GF_TYPE_I32, GF_TYPE_I16, GF_TYPE_I8};
    static const gf_type f32s[] = {GF_TYPE_F32, GF_TYPE_F32, GF_TYPE_F16};
    return loaded == GF_TYPE_U32   ? choose_of(w->choices, u32s)
           : loaded == GF_TYPE_I32 ? choose_of(w->choices, i32s)
           : loaded == GF_TYPE_F32 ? choose_of(w->choices, f32s)
                                   : loaded;
}

static size_t make_buffer(writer *w, gf_type loaded) {
    static const length_kind lengths[] = {LENGTH_OWN,  LENGTH_OWN,   LENGTH_OWN, LENGTH_OWN,
                                          LENGTH_FOUR, LENGTH_SMALL, LENGTH_ODD, LENGTH_OPEN};
    static const gf_role roles[] = {GF_ROLE_INOUT, GF_ROLE_INOUT, GF_ROLE_OUT,
                                    GF_ROLE_OUT,   GF_ROLE_IN,    GF_ROLE_SCRATCH};
    return new_buffer(w, stored_as(w, loaded), choose_of(w->choices, lengths), choose_of(w->choices, roles));
}

size_t pick_array_of(writer *w, gf_type loaded, array_test *test) {
    size_t count = 0;
    size_t at[MOST_ARRAYS];
    for (size_t i = 0; i < w->array_count; i++) {
        if ((loaded == GF_TYPE_NONE || gf_type_loaded(w->arrays[i].type) == loaded) && test(w, i)) {
            at[count++] = i;
        }
    }
    bool room = w->array_count < w->array_limit;
    if (count > 0 && !(room && choose_yes(w->choices, 15))) {
        return at[choose(w->choices, (uint32_t)count)];
    }
    if (!room || loaded == GF_TYPE_BOOL) {
        return NO_ARRAY;
    }
    size_t made = make_buffer(w, loaded == GF_TYPE_NONE ? pick_number(w) : loaded);
    return made != NO_ARRAY && test(w, made) ? made : NO_ARRAY;
}

size_t pick_array(writer *w, array_test *test) {
    return pick_array_of(w, GF_TYPE_NONE, test);
}

/* ---- indices ---- */

static void write_small(writer *w, text *to, gf_level uniform) {
    write_expr(w, to, (wish){.type = GF_TYPE_U32, .depth = 1, .uniform = uniform, .anchored = true});
}

void write_below(writer *w, text *to, uint32_t bound) {
    text_put(to, "(");
    write_small(w, to, GF_LEVEL_NONE);
    text_put(to, ") %% %u", (unsigned)bound);
}

enum { TERM_SIZE = 40 };

/* A name of a u32 as that type. */
static void convert(char to[TERM_SIZE], gf_type type, const char *name) {
    if (type == GF_TYPE_U32) {
        (void)snprintf(to, TERM_SIZE, "%s", name);
    } else {
        (void)snprintf(to, TERM_SIZE, "%s(%s)", gf_type_name(type), name);
    }
}

/* Of the invocation or a loop, plus, minus or times something: in bounds, in part, or not at all. */
static void write_affine(writer *w, text *to, gf_type type) {
    static const char *const forms[] = {"{i} + {c}",
                                        "{i} - {c}",
                                        "{i} * {d}",
                                        "{i} * {d} + {c}",
                                        "{n} - 1 - {i}",
                                        "{i} + {j}",
                                        "{i} * 4 + {j}",
                                        "({i} + {f}) - {c}",
                                        "{i} + {f}",
                                        "{i} << {c}",
                                        "({i} - {c}) * {d} + {j}",
                                        "{c} - {i}",
                                        "min({i} + {c}, {n} - 1)",
                                        "{i} * {n} + {j}",
                                        "{i} + {n} / 2",
                                        "-{i} + {n}",
                                        "{i}"};
    const char *numbers[26] = {0};
    char texts[5][TERM_SIZE];
    const char *counters[8] = {w->own_type == GF_TYPE_U32 ? w->own : "n"};
    uint32_t count = 1;
    for (size_t i = w->local_count; i-- > 0 && count < 8;) {
        const local *l = &w->locals[i];
        if (l->is_counter && is_seen(l) && l->type == GF_TYPE_U32) {
            counters[count++] = l->name;
        }
    }
    convert(texts[0], type, counters[choose(w->choices, count)]);
    convert(texts[1], type, counters[choose(w->choices, count)]);
    convert(texts[2], type, "n");
    (void)snprintf(texts[3], TERM_SIZE, "%u", (unsigned)choose(w->choices, 4));
    (void)snprintf(texts[4], TERM_SIZE, "%s(%u)", gf_type_name(type), (unsigned)(1 + choose(w->choices, 3)));
    numbers['i' - 'a'] = texts[0];
    numbers['j' - 'a'] = texts[1];
    numbers['n' - 'a'] = texts[2];
    numbers['c' - 'a'] = texts[3];
    numbers['d' - 'a'] = texts[4];
    numbers['f' - 'a'] = type == GF_TYPE_U32   ? "4294967295"
                         : type == GF_TYPE_I32 ? "2147483647"
                         : type == GF_TYPE_U64 ? "u64(0x100000000)"
                                               : "i64(-5)";
    for (const char *f = choose_of(w->choices, forms); *f != '\0'; f++) {
        if (*f == '{') {
            text_put(to, "%s", numbers[f[1] - 'a']);
            f += 2;
        } else {
            text_add(to, f, 1);
        }
    }
}

void write_odd_index(writer *w, text *to) {
    static const gf_type types[] = {GF_TYPE_U32, GF_TYPE_U32, GF_TYPE_I32, GF_TYPE_U64, GF_TYPE_I64};
    write_affine(w, to, choose_of(w->choices, types));
}

void write_index(writer *w, text *to, size_t index, gf_level uniform) {
    const array *a = &w->arrays[index];
    if (w->indices >= MOST_INDICES) {
        text_put(to, "0");
        return;
    }
    if (uniform == GF_LEVEL_NONE && choose_yes(w->choices, 35)) {
        if (w->likes_indices && choose_yes(w->choices, 60)) {
            write_odd_index(w, to);
        } else {
            text_put(to, "%s", w->own);
        }
        return;
    }
    text_put(to, "(");
    w->indices++;
    write_small(w, to, uniform);
    w->indices--;
    text_put(to, ")");
    if (choose_yes(w->choices, 4)) {
        return; /* anywhere */
    }
    if (a->length == LENGTH_OWN && !a->is_shared && choose_yes(w->choices, 80)) {
        text_put(to, " %% (%s)", w->total_text);
    } else if (a->elements != 0) {
        text_put(to, " %% %u", (unsigned)a->elements);
    } else {
        text_put(to, " %% len(%s)", a->name);
    }
}
