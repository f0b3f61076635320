/* Loops that one invocation makes by itself. */
#include "writer.h"
#include <stdio.h>

static local *add_counter(writer *w, const char *name, gf_type type) {
    local *l = add_local(w, name, type, GF_LEVEL_NONE, false);
    l->is_counter = true;
    return l;
}

typedef struct loop_range {
    gf_type type;
    const char *bounds;
} loop_range;

/* Up, down, by steps, in 64 bits, of no turns, and near where the type wraps. */
static const loop_range ranges[] = {
    {GF_TYPE_U32, "0 .. 3"},
    {GF_TYPE_U32, "0 .. n % 4"},
    {GF_TYPE_U32, "1 .. 6 step 2"},
    {GF_TYPE_U32, "u32(7) .. 0"},
    {GF_TYPE_I32, "i32(3) .. -2 step -1"},
    {GF_TYPE_I32, "i32(-3) .. 4 step 2"},
    {GF_TYPE_U64, "u64(0) .. u64(n % 6) step 2"},
    {GF_TYPE_I64, "i64(n % 5) .. -2 step -2"},
    {GF_TYPE_I32, "i32(n % 9) .. 0 step -3"},
    {GF_TYPE_U32, "4294967290 .. 4294967295 step 2"},
    {GF_TYPE_U32, "0 .. 7 step n % 4"},
    {GF_TYPE_U32, "n - min(n, 2) .. n + 1"},
};

/* ---- rows: bounds that were loaded, and floats that are added up in order ---- */

static void add_turn(writer *w, const char *total, gf_type type, const char *turn) {
    text line = {0};
    text_put(&line, "%s %s ", total, choose(w->choices, 3) == 0 ? "-=" : "+=");
    if (!write_load_at(w, &line, type, turn)) {
        text_put(&line, "%s(%s)", gf_type_name(type), turn);
    }
    if (choose(w->choices, 2) == 0) {
        text_put(&line, " * ");
        if (!write_load_at(w, &line, type, turn)) {
            text_put(&line, "0.5");
        }
    }
    text_put(&line, ";");
    put_line(w, &line);
    text_free(&line);
}

/* Side by side, with gaps or without turns, as invocations come; of neighbours that have it. */
static void sum_rows(writer *w) {
    static const unsigned lengths[] = {1, 3, 5, 9, 40};
    unsigned length = choose_of(w->choices, lengths), sums = 1 + (choose(w->choices, 4) == 0);
    char totals[2][NAME_SIZE], turn[NAME_SIZE];
    gf_type types[2];
    text loaded = {0}, head = {0};
    for (unsigned i = 0; i < sums; i++) {
        types[i] = choose(w->choices, 3) == 0 ? GF_TYPE_F64 : GF_TYPE_F32;
        fresh_name(w, "v", totals[i]);
        put(w, "var %s %s = -0.0;", gf_type_name(types[i]), totals[i]);
        add_local(w, totals[i], types[i], GF_LEVEL_NONE, true)->needed = true;
    }
    if (!write_load(w, &loaded, GF_TYPE_U32)) {
        text_free(&loaded);
        return;
    }
    fresh_name(w, "it", turn);
    text_put(&head, "for %s in %s * %u + %s %% %u .. %s * %u + %u", turn, w->own, length, text_get(&loaded),
             1 + (unsigned)choose(w->choices, 3), w->own, length, length);
    open_block(w, &head);
    add_counter(w, turn, GF_TYPE_U32);
    for (unsigned i = 0; i < sums; i++) {
        add_turn(w, totals[i], types[i], turn);
    }
    close_block(w);
    text_free(&head);
    text_free(&loaded);
}

bool plain_for(writer *w) {
    loop_range range = {GF_TYPE_U32, NULL};
    if (w->own_type == GF_TYPE_U32 && choose_yes(w->choices, 20)) {
        sum_rows(w);
        return true;
    }
    text head = {0};
    char name[NAME_SIZE];
    if (choose_yes(w->choices, 60)) {
        range = choose_of(w->choices, ranges);
    }
    text bounds = {0};
    if (range.bounds != NULL) {
        text_put(&bounds, "%s", range.bounds);
    } else if (w->own_type == GF_TYPE_U32 && choose_yes(w->choices, 30)) {
        text_put(&bounds, "%s * 2 .. %s * 2 + 3", w->own, w->own);
    } else {
        text_put(&bounds, "%u .. (", (unsigned)choose(w->choices, 2));
        write_expr(w, &bounds, (wish){.type = GF_TYPE_U32, .depth = 1, .anchored = true});
        text_put(&bounds, ") %% 5");
    }
    fresh_name(w, "it", name);
    text_put(&head, "for %s in %s", name, text_get(&bounds));
    open_block(w, &head);
    add_counter(w, name, range.type);
    w->plain_loops++;
    plain_block(w, 3);
    w->plain_loops--;
    close_block(w);
    text_free(&bounds);
    text_free(&head);
    return true;
}

bool plain_while(writer *w) {
    text head = {0};
    char name[NAME_SIZE];
    unsigned turns = 1 + choose(w->choices, 4);
    bool is_loop = choose_yes(w->choices, 40);
    fresh_name(w, "c", name);
    put(w, "var u32 %s = 0;", name);
    local *counter = add_counter(w, name, GF_TYPE_U32);
    counter->needed = true;
    if (is_loop) {
        text_put(&head, "loop");
    } else {
        text_put(&head, "while %s < %u && ", name, turns);
        write_condition(w, &head);
    }
    open_block(w, &head);
    put(w, "%s += 1;", name);
    if (is_loop) {
        text_put(&head, "if %s > %u", name, turns);
        open_block(w, &head);
        put(w, "break;");
        close_block(w);
    }
    w->plain_loops++;
    plain_block(w, 3);
    w->plain_loops--;
    close_block(w);
    text_free(&head);
    return true;
}

/* ---- loops in loops, with a load at each level ---- */

static void add_load(writer *w, const char *total, gf_type type) {
    text line = {0};
    text_put(&line, "%s += ", total);
    if (write_load(w, &line, type)) {
        text_put(&line, ";");
        put_line(w, &line);
    }
    text_free(&line);
}

static void open_level(writer *w, unsigned trips) {
    text head = {0};
    char name[NAME_SIZE];
    fresh_name(w, "it", name);
    text_put(&head, "for %s in ", name);
    switch (choose(w->choices, w->own_type == GF_TYPE_U32 ? 7 : 5)) {
    case 0:
        text_put(&head, "0 .. %u", trips);
        break;
    case 1:
        text_put(&head, "1 .. %u", trips + 1);
        break;
    case 2:
        text_put(&head, "0 .. n %% %u", trips + 1);
        break;
    case 3:
        text_put(&head, "0 .. %u step 2", trips * 2);
        break;
    case 4:
        text_put(&head, "n - min(n, 2) .. n + 1");
        break;
    case 5:
        text_put(&head, "%s .. %s + %u", w->own, w->own, trips);
        break;
    default:
        text_put(&head, "%s * 4 .. %s * 4 + %u", w->own, w->own, trips);
        break;
    }
    open_block(w, &head);
    add_counter(w, name, GF_TYPE_U32);
    w->plain_loops++;
    text_free(&head);
}

static void maybe_skip(writer *w) {
    text head = {0};
    if (choose_yes(w->choices, 15)) {
        text_put(&head, "if ");
        write_condition(w, &head);
        open_block(w, &head);
        put(w, choose(w->choices, 2) != 0 ? "break;" : "continue;");
        close_block(w);
    }
    text_free(&head);
}

bool loop_nest(writer *w) {
    static const gf_type types[] = {GF_TYPE_U32, GF_TYPE_U32, GF_TYPE_U32, GF_TYPE_F32, GF_TYPE_U64, GF_TYPE_F64};
    char total[NAME_SIZE];
    gf_type type = choose_of(w->choices, types);
    unsigned levels = 1 + choose(w->choices, 5);
    fresh_name(w, "v", total);
    put(w, "var %s %s;", gf_type_name(type), total);
    add_local(w, total, type, GF_LEVEL_NONE, true)->needed = true;
    for (unsigned i = 0; i < levels; i++) {
        open_level(w, levels < 4 ? 3 : 2);
        if (choose_yes(w->choices, 60)) {
            add_load(w, total, type);
        }
        maybe_skip(w);
    }
    if (choose_yes(w->choices, 30)) {
        plain_statement(w);
    }
    for (unsigned i = 0; i < levels; i++) {
        w->plain_loops--;
        close_block(w);
    }
    return true;
}

/* An array of the invocation, filled and read by a loop, outside as well. */
bool fill_local_array(writer *w) {
    static const gf_type types[] = {GF_TYPE_U32, GF_TYPE_U32, GF_TYPE_F32, GF_TYPE_U64, GF_TYPE_I16, GF_TYPE_F16};
    static const unsigned lengths[] = {3, 5, 16};
    static const char *const ends[] = {"3", "6", "n % 7"};
    gf_type type = choose_of(w->choices, types);
    gf_type loaded = gf_type_loaded(type);
    unsigned length = choose_of(w->choices, lengths);
    char name[NAME_SIZE];
    char total[NAME_SIZE];
    char counter[NAME_SIZE];
    fresh_name(w, "p", name);
    put(w, "var %s %s[%u];", gf_type_name(type), name, length);
    local *made = add_local(w, name, type, GF_LEVEL_NONE, true);
    made->length = length;
    made->needed = true;
    fresh_name(w, "v", total);
    put(w, "var %s %s;", gf_type_name(loaded), total);
    add_local(w, total, loaded, GF_LEVEL_NONE, true)->needed = true;
    text line = {0};
    fresh_name(w, "it", counter);
    text_put(&line, "for %s in 0 .. %s", counter, choose_of(w->choices, ends));
    open_block(w, &line);
    add_counter(w, counter, GF_TYPE_U32);
    text_put(&line, "%s[%s + %u] %s ", name, counter, (unsigned)choose(w->choices, 2),
             choose(w->choices, 2) != 0 ? "+=" : "=");
    write_value(w, &line, loaded);
    text_put(&line, ";");
    put_line(w, &line);
    close_block(w);
    text_put(&line, "for %s in 0 .. %u", counter, 4 + (unsigned)choose(w->choices, 6));
    open_block(w, &line);
    put(w, "%s += %s[%s];", total, name, counter);
    close_block(w);
    text_free(&line);
    return true;
}

/* ---- at the end: what is still in scope is seen ---- */

static bool is_end_target(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return is_writable(a) && !a->is_shared && a->role != GF_ROLE_SCRATCH && a->type != GF_TYPE_F16 &&
           a->type != GF_TYPE_F32 && a->type != GF_TYPE_F64 && could_claim(w, index, USE_OWN, w->owner);
}

void see_everything(writer *w, size_t first_local) {
    if (w->own_type == GF_TYPE_NONE) {
        return;
    }
    size_t index = pick_array_of(w, GF_TYPE_U32, is_end_target);
    if (index == NO_ARRAY) {
        index = new_buffer(w, GF_TYPE_U32, LENGTH_OWN, GF_ROLE_OUT);
    }
    if (index == NO_ARRAY || !claim(w, index, USE_OWN, w->owner)) {
        return;
    }
    const char *name = w->arrays[index].name;
    for (size_t i = first_local; i < w->local_count; i++) {
        const local *l = &w->locals[i];
        if (!is_seen(l)) {
            continue;
        }
        if (l->length != 0) {
            put(w, "%s[%s] ^= u32(%s[n %% %u]) * 7;", name, w->own, l->name, (unsigned)l->length);
        } else {
            put(w, "%s[%s] ^= u32(%s) * %u;", name, w->own, l->name, 3 + 2 * (unsigned)i);
        }
    }
}
