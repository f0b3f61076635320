/* Statements whose result depends on the order of invocations, and races: for the checkers to name. */
#include "writer.h"

static size_t fresh_buffer(writer *w, gf_type type, length_kind length) {
    w->array_limit = MOST_ARRAYS;
    return new_buffer(w, type, length, GF_ROLE_INOUT);
}

/* ---- the result depends on order ---- */

/* The lines that the checker has to name end in the mark. */
bool depend_on_order(writer *w) {
    if (w->space == GF_SPACE_ONE) {
        return false; /* one invocation: there is no order */
    }
    size_t index = fresh_buffer(w, GF_TYPE_U32, LENGTH_SMALL);
    size_t real = fresh_buffer(w, GF_TYPE_F32, LENGTH_SMALL);
    if (index == NO_ARRAY || real == NO_ARRAY) {
        return false;
    }
    const char *name = w->arrays[index].name;
    const char *real_name = w->arrays[real].name;
    char result[NAME_SIZE];
    put_barrier(w);
    fresh_name(w, "t", result);
    switch (choose(w->choices, 7)) {
    case 0:
        put(w, "let %s = atomic_add(%s[0], 1); // order", result, name);
        add_local(w, result, GF_TYPE_U32, GF_LEVEL_NONE, false);
        break;
    case 1:
        put(w, "atomic_exchange(%s[0], u32(%s)); // order", name, w->own);
        break;
    case 2:
        put(w, "atomic_add(%s[0], 0.1); // order", real_name);
        break;
    case 3:
        put(w, "atomic_add(%s[0], 3);", name);
        put(w, "atomic_max(%s[0], u32(%s)); // order", name, w->own);
        break;
    case 4:
        put(w, "atomic_compare_exchange(%s[0], 0, u32(%s) + 1); // order", name, w->own);
        break;
    case 5:
        put(w, "atomic_store(%s[0], u32(%s)); // order", name, w->own);
        break;
    default:
        put(w, "atomic_min(%s[0], u32(%s) + 1);", name, w->own);
        put(w, "let %s = atomic_load(%s[0]); // order", result, name);
        add_local(w, result, GF_TYPE_U32, GF_LEVEL_NONE, false);
        break;
    }
    put_barrier(w);
    return true;
}

/* ---- races, at the begin of the kernel, where nobody has returned ---- */

bool race(writer *w) {
    if (w->total < 2 || w->space == GF_SPACE_ONE) {
        return false;
    }
    size_t index = fresh_buffer(w, GF_TYPE_U32, LENGTH_OWN);
    char result[NAME_SIZE];
    fresh_name(w, "t", result);
    if (index == NO_ARRAY) {
        return false;
    }
    const char *name = w->arrays[index].name;
    const char *own = w->own;
    bool groups = w->groups > 1 && w->total > w->group;
    switch (choose(w->choices, groups ? 5 : 4)) {
    case 0:
        put(w, "%s[0] = u32(%s); // race", name, own);
        break;
    case 1:
        put(w, "%s[%s] = 3; // race", name, own);
        put(w, "let %s = %s[(%s + 1) %% (%s)]; // race", result, name, own, w->total_text);
        break;
    case 2:
        put(w, "atomic_add(%s[0], 1); // race", name);
        put(w, "let %s = %s[0]; // race", result, name);
        break;
    case 3:
        put(w, "let %s = %s[(%s + 1) %% (%s)]; // race", result, name, own, w->total_text);
        put(w, "%s[%s] = 5; // race", name, own);
        break;
    default:
        /* A barrier of the workgroup where one of the grid was meant. */
        put(w, "%s[%s] = 7; // race", name, own);
        put(w, w->one_group ? "grid_barrier;" : "barrier;");
        put(w, "let %s = %s[(%s) - 1 - %s]; // race", result, name, w->total_text, own);
        break;
    }
    put_barrier(w);
    return true;
}
