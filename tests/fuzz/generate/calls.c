/* Functions that hold a barrier: called as statements, or for a value, where that barrier may stand. */
#include "writer.h"

static void write_function(writer *w, const char *name, gf_type gives, gf_type argument) {
    aside old;
    text whole = {0};
    char argument_name[NAME_SIZE];
    step_aside(w, &old);
    /* Others may be written while this one is: it has its text for itself until it is done. */
    w->to = &whole;
    w->gives = gives;
    w->own = w->own_by_ids;
    w->own_type = GF_TYPE_U32;
    fresh_name(w, "x", argument_name);
    text_put(&whole, "fn %s%s%s(%s %s) {\n", gives == GF_TYPE_NONE ? "" : gf_type_name(gives),
             gives == GF_TYPE_NONE ? "" : " ", name, gf_type_name(argument), argument_name);
    add_local(w, argument_name, argument, GF_LEVEL_NONE, false);
    put_barrier(w);
    level_block(w, 3, false);
    if (gives != GF_TYPE_NONE) {
        text line = {0};
        text_put(&line, "return ");
        write_expr(w, &line, (wish){.type = gives, .depth = 2});
        text_put(&line, ";");
        put_line(w, &line);
        text_free(&line);
    }
    text_put(&whole, "}\n");
    step_back(w, &old);
    text_add(&w->functions, text_get(&whole), whole.length);
    text_free(&whole);
}

static void put_call(writer *w, const char *name, gf_type gives, const char *value) {
    text line = {0};
    if (gives != GF_TYPE_NONE) {
        char result[NAME_SIZE];
        fresh_name(w, "t", result);
        text_put(&line, "let %s = ", result);
        add_local(w, result, gives, GF_LEVEL_NONE, false);
    }
    text_put(&line, "%s(%s);", name, value);
    put_line(w, &line);
    text_free(&line);
}

bool call_with_barrier(writer *w) {
    if (w->in_function || w->turns > 6) {
        return false;
    }
    char name[NAME_SIZE];
    text value = {0};
    gf_type argument = pick_type(w);
    gf_type gives = choose_yes(w->choices, 40) ? pick_type(w) : GF_TYPE_NONE;
    name_function(w, name);
    /* In the order in which it happens: the argument before the barrier that the function begins with. */
    write_expr(w, &value, (wish){.type = argument, .depth = 1});
    write_function(w, name, gives, argument);
    put_call(w, name, gives, text_get(&value));
    /* Since it begins with a barrier of the grid, it may come once more behind what it ends with. */
    if (w->place == PLACE_GRID && choose_yes(w->choices, 30)) {
        text_clear(&value);
        write_expr(w, &value, (wish){.type = argument, .depth = 1});
        put_call(w, name, gives, text_get(&value));
    }
    text_free(&value);
    return true;
}
