/* forall: each item of a range once, by whomever. */
#include "writer.h"

typedef struct kept {
    bool out_of_reach[MOST_NAMES], assignable[MOST_NAMES];
    gf_level uniform[MOST_NAMES];
    size_t count;
    const char *own;
    gf_type own_type;
    uint32_t owner;
    unsigned plain_loops;
    place place;
} kept;

static void keep(const writer *w, kept *old) {
    *old = (kept){.count = w->local_count,
                  .own = w->own,
                  .own_type = w->own_type,
                  .owner = w->owner,
                  .plain_loops = w->plain_loops,
                  .place = w->place};
    for (size_t i = 0; i < w->local_count; i++) {
        old->out_of_reach[i] = w->locals[i].out_of_reach;
        old->assignable[i] = w->locals[i].assignable;
        old->uniform[i] = w->locals[i].uniform;
    }
}

static void put_back(writer *w, const kept *old) {
    for (size_t i = 0; i < old->count && i < w->local_count; i++) {
        w->locals[i].out_of_reach = old->out_of_reach[i];
        w->locals[i].assignable = old->assignable[i];
        w->locals[i].uniform = old->uniform[i];
    }
    w->own = old->own;
    w->own_type = old->own_type;
    w->owner = old->owner;
    w->plain_loops = old->plain_loops;
    w->place = old->place;
    w->in_forall = false;
}

/* ` reduce(add x, or y)`; those reduced belong to the item inside. */
static size_t choose_reductions(writer *w, text *head, size_t reduced[4]) {
    static const char *const of_bools[] = {"or", "and"};
    static const char *const of_numbers[] = {"add", "min", "max"};
    static const char *const of_integers[] = {"add", "add", "min", "max", "or", "and"};
    size_t count = 0;
    for (size_t i = 0; i < w->local_count && count < 4; i++) {
        const local *l = &w->locals[i];
        if (!is_seen(l) || l->needed || !l->assignable || l->uniform != GF_LEVEL_GRID || l->length != 0 ||
            !choose_yes(w->choices, 40)) {
            continue;
        }
        text_put(head, "%s%s %s", count == 0 ? " reduce(" : ", ",
                 l->type == GF_TYPE_BOOL     ? choose_of(w->choices, of_bools)
                 : gf_type_is_float(l->type) ? choose_of(w->choices, of_numbers)
                                             : choose_of(w->choices, of_integers),
                 l->name);
        reduced[count++] = i;
    }
    text_put(head, count > 0 ? ")" : "");
    return count;
}

static gf_type write_range(writer *w, text *to) {
    switch (choose(w->choices, 12)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        text_put(to, "0 .. %s", w->total_text);
        return GF_TYPE_U32;
    case 5:
        text_put(to, "0 .. n");
        return GF_TYPE_U32;
    case 6:
        text_put(to, "n / 2 .. n");
        return GF_TYPE_U32;
    case 7:
        text_put(to, "i32(-2) .. 5");
        return GF_TYPE_I32;
    case 8:
        text_put(to, "u64(1) .. u64(n)");
        return GF_TYPE_U64;
    case 9:
        text_put(to, "i64(n / 3) .. i64(n)");
        return GF_TYPE_I64;
    case 10:
        text_put(to, "0 .. (");
        write_uniform(w, to, GF_TYPE_U32, GF_LEVEL_GRID, 1);
        text_put(to, ") %% 20");
        return GF_TYPE_U32;
    default:
        text_put(to, "5 .. 2");
        return GF_TYPE_U32;
    }
}

static void enter(writer *w, const char *counter, gf_type type, const size_t *reduced, size_t count) {
    for (size_t i = 0; i < w->local_count; i++) {
        local *l = &w->locals[i];
        l->out_of_reach |= l->uniform != GF_LEVEL_GRID || l->length != 0;
        l->assignable = false;
    }
    for (size_t i = 0; i < count; i++) {
        w->locals[reduced[i]].assignable = true;
        w->locals[reduced[i]].uniform = GF_LEVEL_NONE;
    }
    w->in_forall = true;
    w->place = PLACE_PLAIN;
    w->plain_loops = 0;
    w->own = counter;
    w->own_type = type;
    w->owner = ++w->next_owner;
}

bool write_forall(writer *w) {
    if (w->one_group || w->local_count + 4 > MOST_NAMES) {
        return false;
    }
    text head = {0};
    text range = {0};
    size_t reduced[4];
    char counter[NAME_SIZE];
    gf_type type = write_range(w, &range);
    text_put(&head, " in %s", text_get(&range));
    size_t count = choose_reductions(w, &head, reduced);
    fresh_name(w, "it", counter);
    text line = {0};
    text_put(&line, "forall %s%s", counter, text_get(&head));
    kept old;
    keep(w, &old);
    enter(w, counter, type, reduced, count);
    open_block(w, &line);
    add_local(w, counter, type, GF_LEVEL_NONE, false)->needed = true;
    plain_block(w, 4);
    for (size_t i = 0; i < count; i++) {
        const local *l = &w->locals[reduced[i]];
        if (!is_seen(l)) {
            continue;
        }
        text_put(&line, "%s", l->name);
        write_update(w, &line, l->type, GF_LEVEL_NONE);
        text_put(&line, ";");
        put_line(w, &line);
    }
    close_block(w);
    put_back(w, &old);
    if (count > 0) {
        fence(w);
    }
    text_free(&range);
    text_free(&head);
    text_free(&line);
    return true;
}
