/* Expressions: literals, names, loads. */
#include "writer.h"
#include <string.h>

const gf_type value_types[7] = {GF_TYPE_U32, GF_TYPE_I32, GF_TYPE_F32, GF_TYPE_BOOL,
                                GF_TYPE_U64, GF_TYPE_I64, GF_TYPE_F64};

gf_type pick_type(writer *w) {
    static const uint8_t weights[7] = {40, 14, 14, 10, 9, 7, 6};
    return value_types[choose_weighted(w->choices, weights, 7)];
}

gf_type pick_number(writer *w) {
    static const uint8_t weights[7] = {40, 14, 14, 0, 9, 7, 6};
    return value_types[choose_weighted(w->choices, weights, 7)];
}

gf_type pick_integer(writer *w) {
    static const uint8_t weights[7] = {40, 14, 0, 0, 9, 7, 0};
    return value_types[choose_weighted(w->choices, weights, 7)];
}

static const char *assign_op(writer *w, gf_type type) {
    static const char *const integers[] = {
        "=", "=", "=", "+=", "+=", "-=", "*=", "^=", "|=", "&=", "/=", "%=", "<<=", ">>="};
    static const char *const floats[] = {"=", "=", "=", "+=", "-=", "*=", "/="};
    static const char *const bools[] = {"=", "=", "^=", "|=", "&="};
    return type == GF_TYPE_BOOL     ? choose_of(w->choices, bools)
           : gf_type_is_float(type) ? choose_of(w->choices, floats)
                                    : choose_of(w->choices, integers);
}

/* ---- literals ---- */

static const char *literal_text(writer *w, gf_type type) {
    static const char *const u32s[] = {"0", "1", "2", "3", "7", "31", "255", "4000000000", "0xffffffff"};
    static const char *const i32s[] = {"0", "1", "2", "7", "100", "-1", "-3", "0x7fffffff"};
    static const char *const u64s[] = {"0", "1", "5", "4294967297", "0xffffffffffffffff"};
    static const char *const i64s[] = {"0", "1", "-2", "-4294967297", "0x7fffffffffffffff"};
    static const char *const floats[] = {"0.0",   "1.0", "0.5",  "2.25",   "-3.0",
                                         "100.0", "0.1", "-0.0", "1.0e30", "1.0e-40"};
    static const char *const odd_floats[] = {"nan", "inf", "-inf"};
    switch (type) {
    case GF_TYPE_BOOL:
        return choose(w->choices, 2) != 0 ? "true" : "false";
    case GF_TYPE_U32:
        return choose_of(w->choices, u32s);
    case GF_TYPE_I32:
        return choose_of(w->choices, i32s);
    case GF_TYPE_U64:
        return choose_of(w->choices, u64s);
    case GF_TYPE_I64:
        return choose_of(w->choices, i64s);
    case GF_TYPE_F32:
    case GF_TYPE_F64:
        return choose_yes(w->choices, 4) ? choose_of(w->choices, odd_floats) : choose_of(w->choices, floats);
    case GF_TYPE_NONE:
    case GF_TYPE_U8:
    case GF_TYPE_I8:
    case GF_TYPE_U16:
    case GF_TYPE_I16:
    case GF_TYPE_F16:
        break;
    }
    return "0";
}

void write_literal(writer *w, text *to, gf_type type, bool anchored) {
    const char *literal = literal_text(w, type);
    if (type == GF_TYPE_BOOL || (!anchored && choose_yes(w->choices, 70))) {
        text_put(to, literal[0] == '-' ? "(%s)" : "%s", literal);
    } else {
        text_put(to, "%s(%s)", gf_type_name(type), literal);
    }
}

/* ---- names ---- */

static void write_builtin(writer *w, text *to, gf_level uniform) {
    static const char *const own[] = {"lid.x", "gid.x", "wid.x", "lid.linear", "gid.linear",
                                      "gid.y", "lid.y", "lid.z", "gid.z"};
    static const char *const group[] = {"wid.x", "wid.linear", "wid.y", "wid.z"};
    static const char *const grid[] = {"space.x",     "grid_size.x",  "group_size.x", "space.y",
                                       "grid_size.y", "group_size.z", "ranks",        "rank"};
    bool ids = w->space != GF_SPACE_ONE && !w->in_forall;
    if (uniform == GF_LEVEL_NONE && choose_yes(w->choices, 60)) {
        text_put(to, w->own_type == GF_TYPE_U32 ? "%s" : "u32(%s)", w->own);
    } else if (ids && uniform == GF_LEVEL_NONE && choose_yes(w->choices, 60)) {
        if (w->recording != NULL) {
            w->recording->uses_ids = true;
        }
        text_put(to, "%s", choose_of(w->choices, own));
    } else if (ids && uniform != GF_LEVEL_GRID && choose_yes(w->choices, 60)) {
        if (w->recording != NULL) {
            w->recording->uses_ids = true;
        }
        text_put(to, "%s", choose_of(w->choices, group));
    } else if (w->space != GF_SPACE_ONE && choose_yes(w->choices, 50)) {
        text_put(to, "%s", choose_of(w->choices, grid));
    } else if (w->array_count > 0 && choose_yes(w->choices, 40)) {
        const array *a = &w->arrays[choose(w->choices, (uint32_t)w->array_count)];
        text_put(to, a->is_shared ? "n" : "len(%s)", a->name);
    } else {
        text_put(to, "n");
    }
}

static bool is_value(const local *l, gf_type type) {
    return l->type == type && l->length == 0;
}

static bool is_any(const writer *w, const local *l, gf_type type) {
    (void)w;
    return is_value(l, type);
}

static bool is_of_group(const writer *w, const local *l, gf_type type) {
    (void)w;
    return is_value(l, type) && l->uniform >= GF_LEVEL_GROUP;
}

static bool is_of_grid(const writer *w, const local *l, gf_type type) {
    (void)w;
    return is_value(l, type) && l->uniform == GF_LEVEL_GRID;
}

void write_leaf(writer *w, text *to, wish want) {
    local_test *test = want.uniform == GF_LEVEL_NONE    ? is_any
                       : want.uniform == GF_LEVEL_GROUP ? is_of_group
                                                        : is_of_grid;
    const local *l = choose_yes(w->choices, 75) ? pick_local(w, want.type, test) : NULL;
    if (l != NULL) {
        text_put(to, "%s", l->name);
    } else if (want.type == GF_TYPE_U32 && choose_yes(w->choices, 50)) {
        write_builtin(w, to, want.uniform);
    } else if (choose_yes(w->choices, 25)) {
        bool is_const = choose_yes(w->choices, 30);
        (is_const ? w->uses_const : w->uses_param)[want.type] = true;
        text_put(to, is_const ? "K_%s" : "p_%s", gf_type_name(want.type));
    } else {
        write_literal(w, to, want.type, want.anchored);
    }
}

/* ---- loads ---- */

static bool is_own_here(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return !a->is_shared && could_claim(w, index, USE_OWN, w->owner);
}

static bool is_read_here(const writer *w, size_t index) {
    const array *a = &w->arrays[index];
    return could_claim(w, index, USE_READ, 0) && is_visible(w, a);
}

static bool is_given(const writer *w, size_t index) {
    (void)w;
    return !w->arrays[index].is_shared && w->arrays[index].role == GF_ROLE_IN;
}

static bool is_read_by_head(const writer *w, size_t index) {
    (void)w;
    return !w->arrays[index].is_shared;
}

static bool write_uniform_load(writer *w, text *to, gf_type type, gf_level level) {
    size_t index = pick_array_of(w, type, w->in_head ? is_read_by_head : is_given);
    if (index == NO_ARRAY || !claim(w, index, USE_READ, 0)) {
        return false;
    }
    text_put(to, "%s[", w->arrays[index].name);
    write_index(w, to, index, level);
    text_put(to, "]");
    return true;
}

static bool write_local_element(writer *w, text *to, gf_type type) {
    size_t count = 0;
    size_t at[MOST_NAMES];
    for (size_t i = 0; i < w->local_count; i++) {
        const local *l = &w->locals[i];
        if (l->length != 0 && is_seen(l) && gf_type_loaded(l->type) == type) {
            at[count++] = i;
        }
    }
    if (count == 0) {
        return false;
    }
    const local *l = &w->locals[at[choose(w->choices, (uint32_t)count)]];
    text_put(to, "%s[", l->name);
    write_below(w, to, l->length + 1);
    text_put(to, "]");
    return true;
}

bool write_load(writer *w, text *to, gf_type type) {
    if (choose_yes(w->choices, 20) && write_local_element(w, to, type)) {
        return true;
    }
    size_t index = NO_ARRAY;
    if (w->own_type != GF_TYPE_NONE && choose_yes(w->choices, 50)) {
        index = pick_array_of(w, type, is_own_here);
        if (index != NO_ARRAY && claim(w, index, USE_OWN, w->owner)) {
            text_put(to, "%s[%s]", w->arrays[index].name, w->own);
            return true;
        }
    }
    index = pick_array_of(w, type, is_read_here);
    if (index == NO_ARRAY || !claim(w, index, USE_READ, 0)) {
        return false;
    }
    const array *a = &w->arrays[index];
    if (a->is_shared && w->recording != NULL) {
        w->recording->uses_ids = true;
    }
    bool atomic = takes_atomics(a) && choose_yes(w->choices, 10);
    text_put(to, atomic ? "atomic_load(%s[" : "%s[", a->name);
    write_index(w, to, index, GF_LEVEL_NONE);
    text_put(to, atomic ? "])" : "]");
    return true;
}

bool write_load_at(writer *w, text *to, gf_type type, const char *at) {
    size_t index = pick_array_of(w, type, is_read_here);
    if (index == NO_ARRAY || !claim(w, index, USE_READ, 0)) {
        return false;
    }
    if (w->arrays[index].is_shared && w->recording != NULL) {
        w->recording->uses_ids = true;
    }
    text_put(to, "%s[%s]", w->arrays[index].name, at);
    return true;
}

void write_expr(writer *w, text *to, wish want) {
    uint32_t dice = choose(w->choices, 100);
    if (want.depth == 0 || dice < 25) {
        write_leaf(w, to, want);
        return;
    }
    if (dice < 45) {
        bool uniform = want.uniform != GF_LEVEL_NONE;
        if (want.type != GF_TYPE_BOOL || !uniform) {
            if (uniform ? write_uniform_load(w, to, want.type, want.uniform) : write_load(w, to, want.type)) {
                return;
            }
        }
    } else if (dice < 51 && write_call(w, to, want)) {
        return;
    }
    write_operation(w, to, want);
}

void write_value(writer *w, text *to, gf_type type) {
    write_expr(w, to, (wish){.type = type, .depth = 1 + choose(w->choices, 3)});
}

void write_condition(writer *w, text *to) {
    write_expr(w, to, (wish){.type = GF_TYPE_BOOL, .depth = 1 + choose(w->choices, 2)});
}

void write_uniform(writer *w, text *to, gf_type type, gf_level level, unsigned depth) {
    write_expr(w, to, (wish){.type = type, .depth = depth, .uniform = level});
}

void write_update(writer *w, text *to, gf_type type, gf_level uniform) {
    const char *op = assign_op(w, type);
    bool shifts = op[0] == '<' || op[0] == '>';
    unsigned depth = uniform == GF_LEVEL_NONE ? 1 + choose(w->choices, 3) : 2;
    text_put(to, " %s ", op);
    /* The count of a shift takes no type from what is shifted. */
    write_expr(w, to,
               (wish){.type = shifts ? pick_integer(w) : type, .depth = depth, .uniform = uniform, .anchored = shifts});
}
