/* Constructs that the grid, or a workgroup, takes together. */
#include "writer.h"

static void write_head(writer *w, text *to, gf_type type, unsigned depth) {
    gf_level level = level_here(w);
    bool grid = level == GF_LEVEL_GRID;
    bool before = w->in_head;
    w->in_head = grid; /* loads are made once for all, between two barriers */
    write_uniform(w, to, type, level, depth);
    w->in_head = before;
}

/* What makes a construct one: the word before it, or a barrier in it. */
static bool force(writer *w, text *head) {
    bool forced = choose_yes(w->choices, 40);
    if (forced) {
        text_put(head, "%s ", level_word(w));
    }
    return forced;
}

static void body(writer *w, text *head, unsigned most, bool barrier) {
    open_block(w, head);
    fence_here(w);
    level_block(w, most, barrier);
}

static void end_body(writer *w) {
    close_block(w);
    fence_here(w);
}

void level_if(writer *w) {
    text head = {0};
    fence_here(w);
    bool forced = force(w, &head);
    text_put(&head, "if ");
    write_head(w, &head, GF_TYPE_BOOL, 1);
    body(w, &head, 3, !forced);
    end_body(w);
    while (choose_yes(w->choices, 40)) {
        bool again = choose_yes(w->choices, 25);
        text_put(&head, again ? "else if " : "else");
        if (again) {
            write_head(w, &head, GF_TYPE_BOOL, 1);
        }
        /* The second if of a chain is a construct of its own, and made one by what it holds. */
        body(w, &head, 2, again || choose_yes(w->choices, 50));
        end_body(w);
        if (!again) {
            break;
        }
    }
    text_free(&head);
}

/* A way out of the loop, or of everything, that all take together. */
static void level_exit(writer *w, bool may_continue) {
    if (!choose_yes(w->choices, 40)) {
        return;
    }
    text head = {0};
    fence_here(w);
    text_put(&head, "%s if ", level_word(w));
    write_head(w, &head, GF_TYPE_BOOL, 1);
    open_block(w, &head);
    uint32_t kind = choose(w->choices, may_continue ? 8 : 5);
    bool may_return = !w->in_function && kind == 0;
    put(w, may_return ? "return;" : kind < 5 ? "break;" : "continue;");
    end_body(w);
    if (choose_yes(w->choices, 50)) {
        level_statement(w);
    }
    text_free(&head);
}

static void level_for(writer *w, unsigned turns) {
    text head = {0};
    char name[NAME_SIZE];
    fence_here(w);
    bool forced = force(w, &head);
    fresh_name(w, "g", name);
    gf_type type = GF_TYPE_U32;
    switch (choose(w->choices, 6)) {
    case 0:
        text_put(&head, "for %s in 0 .. %u", name, turns);
        break;
    case 1:
        text_put(&head, "for %s in 1 .. %u step 2", name, 2 * turns);
        break;
    case 2:
        text_put(&head, "for %s in %u .. 0", name, turns);
        break;
    case 3:
        text_put(&head, "for %s in i32(%u) .. -1 step -1", name, turns - 1);
        type = GF_TYPE_I32;
        break;
    case 4:
        text_put(&head, "for %s in u64(n %% 3) .. u64(%u)", name, turns);
        type = GF_TYPE_U64;
        break;
    default:
        text_put(&head, "for %s in 0 .. (", name);
        write_head(w, &head, GF_TYPE_U32, 1);
        text_put(&head, ") %% %u", turns + 1);
        break;
    }
    open_block(w, &head);
    add_local(w, name, type, level_here(w), false)->is_counter = true;
    fence_here(w);
    level_block(w, 3, !forced);
    level_exit(w, true);
    end_body(w);
    text_free(&head);
}

static void put_counter(writer *w, char name[NAME_SIZE]) {
    fresh_name(w, "g", name);
    put(w, "var u32 %s = 0;", name);
    local *counter = add_local(w, name, GF_TYPE_U32, level_here(w), false);
    counter->needed = true;
    counter->is_counter = true;
}

static void level_while(writer *w, unsigned turns) {
    text head = {0};
    char name[NAME_SIZE];
    put_counter(w, name);
    fence_here(w);
    bool forced = force(w, &head);
    bool first = choose_yes(w->choices, 50);
    bool more = choose_yes(w->choices, 40);
    text_put(&head, "while %s < %u", name, turns);
    if (more) {
        text_put(&head, " && ");
        write_head(w, &head, GF_TYPE_BOOL, 1);
    }
    open_block(w, &head);
    fence_here(w);
    if (first) {
        put(w, "%s += 1;", name);
    }
    level_block(w, 3, !forced);
    if (first) {
        level_exit(w, true);
    } else {
        put(w, "%s += 1;", name);
        level_exit(w, false);
    }
    end_body(w);
    text_free(&head);
}

static void level_endless(writer *w, unsigned turns) {
    text head = {0};
    char name[NAME_SIZE];
    put_counter(w, name);
    fence_here(w);
    bool forced = force(w, &head);
    text_put(&head, "loop");
    open_block(w, &head);
    fence_here(w);
    put(w, "%s += 1;", name);
    level_block(w, 2, !forced);
    fence_here(w);
    text_put(&head, "if %s >= %u", name, turns);
    open_block(w, &head);
    put(w, "break;");
    end_body(w);
    if (choose_yes(w->choices, 50)) {
        level_block(w, 2, false);
    }
    end_body(w);
    text_free(&head);
}

/* Until the vote says so. */
static void level_voting(writer *w, unsigned turns) {
    text head = {0};
    char name[NAME_SIZE];
    put_counter(w, name);
    fence_here(w);
    text_put(&head, "while %s < %u", name, turns);
    open_block(w, &head);
    fence_here(w);
    level_block(w, 2, true);
    char vote[NAME_SIZE];
    text line = {0};
    text_put(&line, " = %s_any(", level_word(w));
    write_condition(w, &line);
    text_put(&line, ");");
    fresh_name(w, "g", vote);
    put(w, "let %s%s", vote, text_get(&line));
    add_local(w, vote, GF_TYPE_BOOL, level_here(w), false)->needed = true;
    text_free(&line);
    fence_here(w);
    text_put(&head, "if !%s", vote);
    open_block(w, &head);
    put(w, "break;");
    end_body(w);
    put(w, "%s += 1;", name);
    end_body(w);
    text_free(&head);
}

void level_loop(writer *w) {
    unsigned turns = 1 + choose(w->choices, 3);
    if (w->turns * turns > 30) {
        level_if(w);
        return;
    }
    w->turns *= turns;
    switch (choose(w->choices, 5)) {
    case 0:
    case 1:
        level_for(w, turns);
        break;
    case 2:
        level_while(w, turns);
        break;
    case 3:
        level_endless(w, turns);
        break;
    default:
        if (w->space == GF_SPACE_ONE) {
            level_for(w, turns);
        } else {
            level_voting(w, turns);
        }
        break;
    }
    w->turns /= turns;
}

/* Some statements of the workgroup among those of the grid. */
void group_construct(writer *w) {
    place before = w->place;
    w->place = PLACE_GROUP;
    if (choose_yes(w->choices, 50)) {
        level_if(w);
    } else {
        level_loop(w);
    }
    w->place = before;
}
