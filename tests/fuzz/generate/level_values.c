/* Operations over the grid or a workgroup, and variables that are the same for all of it. */
#include "writer.h"
#include <stdio.h>

static bool is_settable_grid(const writer *w, const local *l, gf_type type) {
    (void)w;
    return l->assignable && !l->needed && l->length == 0 && l->uniform == GF_LEVEL_GRID &&
           (type == GF_TYPE_NONE || l->type == type);
}

static bool is_settable_group(const writer *w, const local *l, gf_type type) {
    (void)w;
    return l->assignable && !l->needed && l->length == 0 && l->uniform == GF_LEVEL_GROUP &&
           (type == GF_TYPE_NONE || l->type == type);
}

static const local *pick_settable(writer *w, gf_type type, gf_level level) {
    return pick_local(w, type, level == GF_LEVEL_GRID ? is_settable_grid : is_settable_group);
}

/* Of the level itself, or of the workgroup where the grid comes by. */
static gf_level pick_level(writer *w) {
    gf_level level = level_here(w);
    return level == GF_LEVEL_GRID && w->space != GF_SPACE_ONE && choose_yes(w->choices, 25) ? GF_LEVEL_GROUP : level;
}

bool set_uniform(writer *w) {
    gf_level level = pick_level(w);
    const local *found = choose_yes(w->choices, 60) ? pick_settable(w, GF_TYPE_NONE, level) : NULL;
    text line = {0};
    if (found != NULL) {
        const local target = *found;
        text_put(&line, "%s", target.name);
        write_update(w, &line, target.type, level);
        text_put(&line, ";");
        put_line(w, &line);
    } else {
        char name[NAME_SIZE];
        gf_type type = pick_type(w);
        text value = {0};
        write_uniform(w, &value, type, level, 2);
        fresh_name(w, "g", name);
        text_put(&line, "var %s %s = %s;", gf_type_name(type), name, text_get(&value));
        put_line(w, &line);
        add_local(w, name, type, level, true);
        text_free(&value);
    }
    text_free(&line);
    return true;
}

typedef struct operation {
    const char *name;
    bool of_bools, of_integers, is_uniform;
} operation;

static operation pick_operation(writer *w) {
    static const operation all[] = {{"any", true, false, true},      {"all", true, false, true},
                                    {"add", false, false, true},     {"add", false, false, true},
                                    {"min", false, false, true},     {"max", false, false, true},
                                    {"scan_add", false, true, false}};
    return choose_of(w->choices, all);
}

void combine_values(writer *w) {
    operation op = pick_operation(w);
    gf_level level = pick_level(w);
    const char *word = level == GF_LEVEL_GRID ? "grid" : "group";
    gf_type type = op.of_bools ? GF_TYPE_BOOL : op.of_integers ? pick_integer(w) : pick_number(w);
    text value = {0};
    text line = {0};
    write_expr(w, &value, (wish){.type = type, .depth = 2, .anchored = true});
    const local *found = op.is_uniform && choose_yes(w->choices, 30) ? pick_settable(w, type, level) : NULL;
    char name[NAME_SIZE];
    if (found != NULL) {
        bool plain = type == GF_TYPE_BOOL || choose_yes(w->choices, 60);
        text_put(&line, "%s %s %s_%s(%s);", found->name, plain ? "=" : "+=", word, op.name, text_get(&value));
        put_line(w, &line);
    } else {
        bool is_var = choose_yes(w->choices, 30);
        fresh_name(w, "g", name);
        if (is_var) {
            text_put(&line, "var %s %s = %s_%s(%s);", gf_type_name(type), name, word, op.name, text_get(&value));
        } else {
            text_put(&line, "let %s = %s_%s(%s);", name, word, op.name, text_get(&value));
        }
        put_line(w, &line);
        add_local(w, name, type, op.is_uniform ? level : GF_LEVEL_NONE, is_var);
    }
    if (level == GF_LEVEL_GRID || w->one_group) {
        fence_here(w);
    } else {
        fence_group(w);
    }
    text_free(&value);
    text_free(&line);
}

static bool is_buffer(const writer *w, size_t index) {
    return !w->arrays[index].is_shared;
}

bool load_for_all(writer *w) {
    gf_type type = pick_number(w);
    size_t index = pick_array_of(w, type, is_buffer);
    if (index == NO_ARRAY) {
        return false;
    }
    fence(w);
    text line = {0};
    char name[NAME_SIZE];
    text index_text = {0};
    /* What stands in the index is computed before the barrier. */
    write_index(w, &index_text, index, GF_LEVEL_GRID);
    fresh_name(w, "g", name);
    bool is_var = choose_yes(w->choices, 30);
    if (is_var) {
        text_put(&line, "var %s %s", gf_type_name(type), name);
    } else {
        text_put(&line, "let %s", name);
    }
    text_put(&line, " = grid_load(%s[%s]);", w->arrays[index].name, text_get(&index_text));
    put_line(w, &line);
    fence(w);
    add_local(w, name, type, GF_LEVEL_GRID, is_var);
    text_free(&index_text);
    text_free(&line);
    return true;
}

/* ---- what the workgroup hands around ---- */

static bool is_lanes(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return a->is_shared && a->elements == w->group && could_claim(w, index, USE_OWN, w->owner);
}

static bool is_group_buffer(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return !a->is_shared && is_writable(a) && could_claim(w, index, USE_GROUP, 0) &&
           (a->group_use == USE_NONE || a->group_use == USE_OWN);
}

static void read_back(writer *w, const char *name, const char *before, gf_type type) {
    text line = {0};
    char local_name[NAME_SIZE];
    text_put(&line, " = %s[%s(", name, before);
    write_expr(w, &line, (wish){.type = GF_TYPE_U32, .depth = 1, .anchored = true});
    text_put(&line, ") %% %u];", (unsigned)w->group);
    fresh_name(w, "t", local_name);
    put(w, "let %s%s", local_name, text_get(&line));
    add_local(w, local_name, type, GF_LEVEL_NONE, false);
    text_free(&line);
}

/* A buffer in which each workgroup has a stretch of its own. */
static bool share_by_buffer(writer *w) {
    size_t index = pick_array(w, is_group_buffer);
    if (index == NO_ARRAY || !claim(w, index, USE_GROUP, 0)) {
        return false;
    }
    w->arrays[index].group_use = USE_OWN;
    gf_type type = gf_type_loaded(w->arrays[index].type);
    const char *name = w->arrays[index].name;
    text line = {0};
    char before[40];
    (void)snprintf(before, sizeof before, "wid.linear * %u + ", (unsigned)w->group);
    text_put(&line, "%s[%slid.linear]", name, before);
    write_update(w, &line, type, GF_LEVEL_NONE);
    text_put(&line, ";");
    put_line(w, &line);
    text_free(&line);
    put(w, "barrier;");
    fence_group(w);
    if (claim(w, index, USE_GROUP, 0)) {
        w->arrays[index].group_use = USE_READ;
        read_back(w, name, before, type);
    }
    return true;
}

void share_in_group(writer *w) {
    if (choose_yes(w->choices, 25) && share_by_buffer(w)) {
        return;
    }
    static const gf_type types[] = {GF_TYPE_U32, GF_TYPE_U32, GF_TYPE_F32, GF_TYPE_U64, GF_TYPE_I16, GF_TYPE_U8};
    size_t index = pick_array(w, is_lanes);
    if (index == NO_ARRAY) {
        index = new_shared(w, choose_of(w->choices, types), choose_yes(w->choices, 80) ? w->group : 1 + w->group / 2);
    }
    if (index == NO_ARRAY || w->arrays[index].elements != w->group || !claim(w, index, USE_OWN, w->owner)) {
        put(w, "barrier;");
        fence_group(w);
        return;
    }
    gf_type type = gf_type_loaded(w->arrays[index].type);
    text line = {0};
    text_put(&line, "%s[lid.linear]", w->arrays[index].name);
    write_update(w, &line, type, GF_LEVEL_NONE);
    text_put(&line, ";");
    put_line(w, &line);
    text_free(&line);
    if (choose_yes(w->choices, 60)) {
        if (choose_yes(w->choices, 50)) {
            put(w, "barrier;");
            fence_group(w);
        } else {
            put_barrier(w);
        }
        if (claim(w, index, USE_READ, 0)) {
            read_back(w, w->arrays[index].name, "", type);
        }
    }
}

/* ---- whole buffers ---- */

static bool has_twin_maybe(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return !a->is_shared && is_writable(a) && a->length != LENGTH_OPEN &&
           (a->twin >= 0 || w->array_count < MOST_ARRAYS);
}

bool swap_buffers(writer *w) {
    size_t a = pick_array(w, has_twin_maybe);
    size_t b = a == NO_ARRAY ? NO_ARRAY : twin_of(w, a);
    if (b == NO_ARRAY) {
        return false;
    }
    fence(w);
    put(w, "swap(%s, %s);", w->arrays[a].name, w->arrays[b].name);
    fence(w);
    return true;
}

bool write_collective(writer *w) {
    static const char *const integers[] = {"add", "min", "max", "and", "or"};
    size_t a = pick_array(w, has_twin_maybe);
    size_t b = a == NO_ARRAY ? NO_ARRAY : twin_of(w, a);
    if (b == NO_ARRAY) {
        return false;
    }
    const char *combine = integers[choose(w->choices, gf_type_is_float(w->arrays[a].type) ? 3 : 5)];
    fence(w);
    switch (choose(w->choices, 4)) {
    case 0:
        put(w, "all_gather(%s, %s);", w->arrays[a].name, w->arrays[b].name);
        break;
    case 1:
        put(w, "reduce_scatter(%s, %s, %s);", w->arrays[a].name, w->arrays[b].name, combine);
        break;
    case 2:
        put(w, "all_reduce(%s, %s);", w->arrays[a].name, combine);
        break;
    default:
        put(w, "broadcast(%s, 0);", w->arrays[a].name);
        break;
    }
    fence(w);
    return true;
}
