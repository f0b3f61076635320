/* Stores and atomics of one invocation. */
#include "writer.h"
#include <stdio.h>

/* ---- at the invocation's own index ---- */

static bool is_own_target(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return is_writable(a) && !a->is_shared && could_claim(w, index, USE_OWN, w->owner);
}

static bool is_own_lane(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return a->is_shared && a->elements == w->group && is_visible(w, a) && could_claim(w, index, USE_OWN, w->owner);
}

bool store_somewhere(writer *w) {
    text line = {0};
    bool lane = w->recording == NULL && choose_yes(w->choices, 15);
    size_t index = w->own_type == GF_TYPE_NONE ? NO_ARRAY : pick_array(w, lane ? is_own_lane : is_own_target);
    if (index == NO_ARRAY || !claim(w, index, USE_OWN, w->owner)) {
        return update_atomic(w);
    }
    gf_type type = gf_type_loaded(w->arrays[index].type);
    text_put(&line, "%s[%s]", w->arrays[index].name, lane ? "lid.linear" : w->own);
    write_update(w, &line, type, GF_LEVEL_NONE);
    text_put(&line, ";");
    put_line(w, &line);
    text_free(&line);
    return true;
}

static const char *own_atomic(writer *w, gf_type type) {
    static const char *const integers[] = {"add", "sub", "min", "max", "and", "or", "xor", "exchange"};
    static const char *const floats[] = {"add", "sub", "min", "max", "exchange"};
    return gf_type_is_float(type) ? choose_of(w->choices, floats) : choose_of(w->choices, integers);
}

static bool is_own_atomic(const writer *w, size_t index) {
    return takes_atomics(&w->arrays[index]) && is_own_target(w, index);
}

/* Nobody else touches the element, so what the atomic finds is certain. */
bool use_own_atomic(writer *w) {
    size_t index = w->own_type == GF_TYPE_NONE ? NO_ARRAY : pick_array(w, is_own_atomic);
    if (index == NO_ARRAY || !claim(w, index, USE_OWN, w->owner)) {
        return false;
    }
    w->result->own_atomics = true;
    const char *array_name = w->arrays[index].name;
    gf_type type = w->arrays[index].type;
    text line = {0};
    text value = {0};
    write_value(w, &value, type);
    if (choose_yes(w->choices, 15)) {
        text_put(&line, "atomic_store(%s[%s], %s);", array_name, w->own, text_get(&value));
    } else {
        char name[NAME_SIZE];
        bool compare = choose_yes(w->choices, 20);
        if (compare) {
            text other = {0};
            write_value(w, &other, type);
            fresh_name(w, "t", name);
            text_put(&line, "let %s = atomic_compare_exchange(%s[%s], %s, %s);", name, array_name, w->own,
                     text_get(&value), text_get(&other));
            text_free(&other);
        } else {
            fresh_name(w, "t", name);
            text_put(&line, "let %s = atomic_%s(%s[%s], %s);", name, own_atomic(w, type), array_name, w->own,
                     text_get(&value));
        }
        add_local(w, name, type, GF_LEVEL_NONE, false);
    }
    put_line(w, &line);
    text_free(&value);
    text_free(&line);
    return true;
}

/* ---- where others write too ---- */

enum { ATOMIC_ADD, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_KINDS };

static bool takes_kind(const writer *w, size_t index, uint32_t kind) {
    const array *a = &w->arrays[index];
    bool fits = !gf_type_is_float(a->type) || kind == ATOMIC_MIN || kind == ATOMIC_MAX;
    return takes_atomics(a) && is_visible(w, a) && fits && could_claim(w, index, USE_ATOMIC, kind);
}

static bool takes_some_kind(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return a->use == USE_ATOMIC ? takes_kind(w, index, a->detail) : takes_kind(w, index, ATOMIC_MIN);
}

static bool is_flag(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return is_writable(a) && is_visible(w, a) && could_claim(w, index, USE_CONSTANT, 0);
}

static bool is_atomic_flag(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return takes_atomics(a) && is_visible(w, a) && could_claim(w, index, USE_CONSTANT, 1);
}

static void write_target(writer *w, text *to, size_t index) {
    const array *a = &w->arrays[index];
    if (a->is_shared && w->recording != NULL) {
        w->recording->uses_ids = true;
    }
    text_put(to, "%s[", a->name);
    write_index(w, to, index, GF_LEVEL_NONE);
    text_put(to, "]");
}

static bool set_flag(writer *w) {
    uint32_t atomic = choose_yes(w->choices, 30);
    size_t index = pick_array(w, atomic != 0 ? is_atomic_flag : is_flag);
    if (index == NO_ARRAY || !claim(w, index, USE_CONSTANT, atomic)) {
        return false;
    }
    const char *seven = gf_type_is_float(w->arrays[index].type) ? "7.0" : "7";
    text line = {0};
    text_put(&line, "%s", atomic != 0 ? "atomic_store(" : "");
    write_target(w, &line, index);
    text_put(&line, atomic != 0 ? ", %s);" : " = %s;", seven);
    put_line(w, &line);
    text_free(&line);
    return true;
}

bool update_atomic(writer *w) {
    static const char *const names[ATOMIC_KINDS][2] = {{"add", "sub"}, {"min", "min"}, {"max", "max"},
                                                       {"and", "and"}, {"or", "or"},   {"xor", "xor"}};
    if (choose_yes(w->choices, 25)) {
        return set_flag(w);
    }
    size_t index = pick_array(w, takes_some_kind);
    if (index == NO_ARRAY) {
        return false;
    }
    uint32_t kind = w->arrays[index].use == USE_ATOMIC ? w->arrays[index].detail : choose(w->choices, ATOMIC_KINDS);
    if (!takes_kind(w, index, kind)) {
        kind = ATOMIC_MAX;
    }
    if (!claim(w, index, USE_ATOMIC, kind)) {
        return false;
    }
    text line = {0};
    text_put(&line, "atomic_%s(", names[kind][choose(w->choices, 2)]);
    write_target(w, &line, index);
    text_put(&line, ", ");
    write_value(w, &line, w->arrays[index].type);
    text_put(&line, ");");
    put_line(w, &line);
    text_free(&line);
    return true;
}

/* ---- at elements that no two invocations share ---- */

enum { FAMILY_FOUR, FAMILY_OTHER };

static uint32_t family(const writer *w, uint32_t form) {
    return form << 16 | w->owner;
}

static bool is_four(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return is_writable(a) && a->length == LENGTH_FOUR && could_claim(w, index, USE_SPREAD, family(w, FAMILY_FOUR));
}

static size_t claim_four(writer *w) {
    size_t index = w->own_type == GF_TYPE_NONE ? NO_ARRAY : pick_array(w, is_four);
    if (index == NO_ARRAY && w->own_type != GF_TYPE_NONE && w->array_count < w->array_limit) {
        index = new_buffer(w, pick_number(w), LENGTH_FOUR, choose(w->choices, 2) != 0 ? GF_ROLE_OUT : GF_ROLE_INOUT);
    }
    return index != NO_ARRAY && claim(w, index, USE_SPREAD, family(w, FAMILY_FOUR)) ? index : NO_ARRAY;
}

static bool store_four(writer *w) {
    size_t index = claim_four(w);
    if (index == NO_ARRAY) {
        return false;
    }
    gf_type type = gf_type_loaded(w->arrays[index].type);
    static const char *const bounds[] = {"0 .. 4", "0 .. 3", "0 .. n % 5", "1 .. 4 step 2"};
    char counter[NAME_SIZE];
    text line = {0};
    fresh_name(w, "it", counter);
    text_put(&line, "for %s in %s", counter, choose_of(w->choices, bounds));
    open_block(w, &line);
    add_local(w, counter, GF_TYPE_U32, GF_LEVEL_NONE, false)->is_counter = true;
    const char *form = choose(w->choices, 2) != 0 ? "<< 2" : "* 4";
    text_put(&line, "%s[(%s %s) + ", w->arrays[index].name, w->own, form);
    if (w->own_type == GF_TYPE_U32) {
        text_put(&line, "%s", counter);
    } else {
        text_put(&line, "%s(%s)", gf_type_name(w->own_type), counter);
    }
    text_put(&line, "]");
    write_update(w, &line, type, GF_LEVEL_NONE);
    text_put(&line, ";");
    put_line(w, &line);
    close_block(w);
    text_free(&line);
    return true;
}

/* Whether the family fits as well shows when it is claimed. */
static bool may_be_spread(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return is_writable(a) && !a->is_shared && (a->use == USE_NONE || a->use == USE_SPREAD);
}

static uint32_t write_spread_index(writer *w, text *to) {
    unsigned constant = choose(w->choices, 4);
    uint32_t form = choose(w->choices, w->own_type == GF_TYPE_U32 ? 7 : 4);
    switch (form) {
    case 0:
        text_put(to, "%s + %u", w->own, constant);
        break;
    case 1:
        text_put(to, "%s - %u", w->own, constant);
        break;
    case 2:
        text_put(to, "%s * 2 + %u", w->own, constant);
        break;
    case 3:
        text_put(to, "%s * 3 - %u", w->own, constant);
        break;
    case 4:
        text_put(to, "i32(%s) - %u", w->own, constant);
        break;
    case 5:
        text_put(to, "n - 1 - %s", w->own);
        break;
    default:
        text_put(to, "u64(%s) + u64(n / 2)", w->own);
        break;
    }
    return family(w, FAMILY_OTHER + form * 4 + constant);
}

bool spread_stores(writer *w) {
    if (w->own_type == GF_TYPE_NONE) {
        return false;
    }
    if (choose_yes(w->choices, 40)) {
        return store_four(w);
    }
    text index_text = {0};
    text line = {0};
    uint32_t detail = write_spread_index(w, &index_text);
    size_t index = pick_array(w, may_be_spread);
    bool done = index != NO_ARRAY && claim(w, index, USE_SPREAD, detail);
    if (done) {
        gf_type type = gf_type_loaded(w->arrays[index].type);
        text_put(&line, "%s[%s]", w->arrays[index].name, text_get(&index_text));
        write_update(w, &line, type, GF_LEVEL_NONE);
        text_put(&line, ";");
        put_line(w, &line);
    }
    text_free(&index_text);
    text_free(&line);
    return done;
}

/* ---- copies ---- */

static size_t pick_source(writer *w, gf_type type) {
    size_t count = 0;
    size_t at[MOST_ARRAYS];
    for (size_t i = 0; i < w->array_count; i++) {
        if (w->arrays[i].type == type && !w->arrays[i].is_shared && could_claim(w, i, USE_READ, 0)) {
            at[count++] = i;
        }
    }
    return count > 0 ? at[choose(w->choices, (uint32_t)count)] : NO_ARRAY;
}

static bool begin_copy(writer *w, char tag[NAME_SIZE], size_t *target, size_t *source) {
    if (w->recording != NULL || w->own_type == GF_TYPE_NONE) {
        return false;
    }
    size_t to = claim_four(w);
    if (to == NO_ARRAY) {
        return false;
    }
    size_t from = pick_source(w, w->arrays[to].type);
    if (from == NO_ARRAY && w->array_count < w->array_limit) {
        from = new_buffer(w, w->arrays[to].type, LENGTH_OWN, GF_ROLE_INOUT);
    }
    if (from == NO_ARRAY || !claim(w, from, USE_READ, 0)) {
        return false;
    }
    static const char *const counts[] = {"4", "3", "min(n, 4)", "i32(n % 4) - 1", "n % 5"};
    (void)snprintf(tag, NAME_SIZE, "g%u", ++w->next_name);
    text line = {0};
    text_put(&line, "copy_async(%s, %s * 4, %s, ", w->arrays[to].name, w->own, w->arrays[from].name);
    write_index(w, &line, from, GF_LEVEL_NONE);
    text_put(&line, ", %s, %s);", choose_of(w->choices, counts), tag);
    put_line(w, &line);
    text_free(&line);
    *target = to;
    *source = from;
    return true;
}

bool copy_and_wait(writer *w) {
    char tag[NAME_SIZE];
    size_t target = 0;
    size_t source = 0;
    if (!begin_copy(w, tag, &target, &source)) {
        return false;
    }
    put(w, "wait(%s);", tag);
    return true;
}

/* What lies between does not touch the elements, unless a barrier of the grid has completed the copy. */
bool copy_across(writer *w) {
    char tag[NAME_SIZE];
    size_t target = 0;
    size_t source = 0;
    if (!begin_copy(w, tag, &target, &source)) {
        return false;
    }
    w->arrays[target].use = USE_BUSY;
    w->arrays[source].use = USE_BUSY;
    unsigned count = 1 + choose(w->choices, 3);
    for (unsigned i = 0; i < count; i++) {
        level_statement(w);
    }
    put(w, "wait(%s);", tag);
    if (w->arrays[target].use == USE_BUSY) {
        w->arrays[target].use = USE_SPREAD;
    }
    if (w->arrays[source].use == USE_BUSY) {
        w->arrays[source].use = USE_READ;
    }
    return true;
}
