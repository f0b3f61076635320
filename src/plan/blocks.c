/* Changes inside the blocks of statements. */
#include "plan/split.h"

const gf_stmt *gf_map_stmt(gf_leaf_map *map, const gf_stmt *stmt, bool in_loop) {
    if (stmt->kind == GF_STMT_BREAK || stmt->kind == GF_STMT_CONTINUE || stmt->kind == GF_STMT_RETURN)
        return map->leaf(map, stmt, in_loop);
    if (stmt->body == NULL)
        return stmt;
    bool loop = stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE || stmt->kind == GF_STMT_LOOP;
    gf_stmt *copy = gf_arena_copy(map->split->arena, stmt, sizeof *stmt);
    copy->body = gf_map_block(map, stmt->body, in_loop || loop);
    copy->otherwise = stmt->otherwise == NULL ? NULL : gf_map_block(map, stmt->otherwise, in_loop);
    return copy;
}

const gf_block *gf_map_block(gf_leaf_map *map, const gf_block *block, bool in_loop) {
    const gf_stmt **items = gf_new_array(map->split->arena, const gf_stmt *, block->count);
    for (size_t i = 0; i < block->count; i++)
        items[i] = gf_map_stmt(map, block->items[i], in_loop);
    return gf_make_block(map->split->arena, items, block->count);
}

/* ---- dissolved constructs ---- */

typedef struct stripping {
    const gf_split *split;
    bool meets; /* workgroups meet somewhere in these lines */
} stripping;

static const gf_block *strip_block(const stripping *s, const gf_block *block);

bool gf_split_note_meeting(void *user, const gf_stmt *stmt) {
    bool *found = user;
    bool construct = stmt->kind == GF_STMT_IF || stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE ||
                     stmt->kind == GF_STMT_LOOP;
    *found |= stmt->kind == GF_STMT_BARRIER || (construct && stmt->level == GF_LEVEL_GROUP) ||
              (stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS);
    return true;
}

typedef struct group_search {
    bool meets; /* as of the lines */
    bool found;
} group_search;

/* What the workgroup does together, or sets for itself where it meets. */
static bool find_group(void *user, const gf_stmt *stmt) {
    group_search *search = user;
    const gf_symbol *target = stmt->target.symbol;
    bool sets = stmt->kind == GF_STMT_ASSIGN && target->uniform >= GF_LEVEL_GROUP && target->declared >= GF_LEVEL_GROUP;
    search->found |= stmt->kind == GF_STMT_BARRIER || stmt->level == GF_LEVEL_GROUP ||
                     (stmt->value != NULL && stmt->value->kind == GF_EXPR_CROSS) || (sets && search->meets);
    return true;
}

/* The level that is left of a construct that the grid no longer takes together. */
static gf_level level_below(const stripping *s, const gf_stmt *stmt) {
    group_search search = {.meets = s->meets};
    gf_visitor visitor = {.user = &search, .stmt = find_group};
    gf_visit_block(&visitor, stmt->body);
    gf_visit_block(&visitor, stmt->otherwise);
    return search.found && s->split->level == GF_LEVEL_GRID ? GF_LEVEL_GROUP : GF_LEVEL_NONE;
}

/* A construct that has dissolved is taken by each invocation for itself, or by its workgroup where that has barriers in
 * it, or sets a value of the workgroup that others of its values, behind a meeting, are made of. The barriers of the
 * level in it are those dropped. */
static const gf_stmt *strip(const stripping *s, const gf_stmt *stmt) {
    if (stmt->body == NULL)
        return stmt;
    gf_stmt *copy = gf_arena_copy(s->split->arena, stmt, sizeof *stmt);
    if (copy->level >= s->split->level) {
        copy->level = level_below(s, stmt);
        copy->forced = GF_LEVEL_NONE;
    }
    copy->body = strip_block(s, stmt->body);
    copy->otherwise = stmt->otherwise == NULL ? NULL : strip_block(s, stmt->otherwise);
    return copy;
}

static const gf_block *strip_block(const stripping *s, const gf_block *block) {
    const gf_split *split = s->split;
    const gf_stmt **items = gf_new_array(split->arena, const gf_stmt *, block->count);
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        const gf_stmt *stmt = block->items[i];
        bool barrier =
            stmt->kind == GF_STMT_GRID_BARRIER || (stmt->kind == GF_STMT_BARRIER && split->level == GF_LEVEL_GROUP);
        if (!barrier)
            items[count++] = strip(s, stmt);
    }
    return gf_make_block(split->arena, items, count);
}

void gf_split_strip(gf_split *split, gf_line_list *lines, bool meets) {
    stripping s = {.split = split, .meets = meets};
    gf_visitor visitor = {.user = &s.meets, .stmt = gf_split_note_meeting};
    for (size_t i = 0; i < lines->count; i++)
        gf_visit_stmt(&visitor, lines->items[i].stmt);
    for (size_t i = 0; i < lines->count; i++)
        if (lines->items[i].stmt->level >= split->level)
            lines->items[i].stmt = strip(&s, lines->items[i].stmt);
}
