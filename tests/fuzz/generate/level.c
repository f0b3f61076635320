/* Statements that the whole grid takes together, or a workgroup. */
#include "writer.h"

gf_level level_here(const writer *w) {
    return w->place == PLACE_GRID && !w->one_group ? GF_LEVEL_GRID : GF_LEVEL_GROUP;
}

const char *level_word(const writer *w) {
    return level_here(w) == GF_LEVEL_GRID ? "grid" : "group";
}

void fence_here(writer *w) {
    if (w->place == PLACE_GRID) {
        fence(w);
    } else {
        fence_group(w);
    }
}

void put_barrier(writer *w) {
    put(w, level_here(w) == GF_LEVEL_GRID ? "grid_barrier;" : "barrier;");
    fence_here(w);
}

void level_block(writer *w, unsigned most, bool barrier) {
    unsigned count = 1 + choose(w->choices, most);
    unsigned at = choose(w->choices, count + 1);
    for (unsigned i = 0; i < count; i++) {
        if (barrier && i == at) {
            put_barrier(w);
        }
        level_statement(w);
    }
    if (barrier && at == count) {
        put_barrier(w);
    }
}

static bool put_region(writer *w) {
    text head = {0};
    if (choose_yes(w->choices, 75)) {
        text_put(&head, "region \"big %u\"", ++w->next_name);
    }
    open_block(w, &head);
    level_block(w, 3, false);
    close_block(w);
    text_free(&head);
    return true;
}

static bool say_converged(writer *w) {
    if (w->fixpoint || w->place != PLACE_GRID || w->one_group || w->in_function) {
        return false;
    }
    text line = {0};
    text_put(&line, "converged(");
    write_uniform(w, &line, GF_TYPE_BOOL, GF_LEVEL_GRID, 1);
    text_put(&line, ");");
    put_line(w, &line);
    text_free(&line);
    return true;
}

static bool write_kind(writer *w, level_kind kind) {
    bool grid = level_here(w) == GF_LEVEL_GRID;
    bool ids = w->space != GF_SPACE_ONE;
    switch (kind) {
    case LEVEL_PLAIN:
        plain_statement(w);
        return true;
    case LEVEL_BARRIER:
        put_barrier(w);
        return true;
    case LEVEL_CROSS:
        if (ids) {
            combine_values(w);
        }
        return ids;
    case LEVEL_SET:
        return set_uniform(w);
    case LEVEL_SHARED:
        if (ids) {
            share_in_group(w);
        }
        return ids;
    case LEVEL_IF:
        level_if(w);
        return true;
    case LEVEL_LOOP:
        level_loop(w);
        return true;
    case LEVEL_GROUP:
        if (grid && ids) {
            group_construct(w);
        }
        return grid && ids;
    case LEVEL_FORALL:
        return grid && write_forall(w);
    case LEVEL_SWAP:
        return grid && swap_buffers(w);
    case LEVEL_REGION:
        return put_region(w);
    case LEVEL_CONVERGED:
        return grid && say_converged(w);
    case LEVEL_COLLECTIVE:
        return grid && write_collective(w);
    case LEVEL_LOAD:
        return grid && ids && load_for_all(w);
    case LEVEL_CALL:
        return call_with_barrier(w);
    case LEVEL_COPY:
        return copy_across(w);
    case LEVEL_COUNT:
        break;
    }
    return false;
}

void level_statement(writer *w) {
    uint8_t weights[LEVEL_COUNT];
    bool deep = w->depth > 4 || w->budget <= 0;
    for (int kind = 0; kind < LEVEL_COUNT; kind++) {
        bool nests = kind == LEVEL_IF || kind == LEVEL_LOOP || kind == LEVEL_GROUP || kind == LEVEL_FORALL ||
                     kind == LEVEL_REGION || kind == LEVEL_CALL || kind == LEVEL_COPY;
        weights[kind] = nests && deep ? 0 : w->level_weights[kind];
    }
    for (int tries = 0; tries < 4; tries++) {
        level_kind kind = (level_kind)choose_weighted(w->choices, weights, LEVEL_COUNT);
        w->budget -= kind != LEVEL_PLAIN;
        if (write_kind(w, kind)) {
            return;
        }
    }
    plain_statement(w);
}
