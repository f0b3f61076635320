/* Barriers that order nothing go: step 5 of the plan.
 *
 * A side of a barrier is all work that can run before (behind) it without crossing another barrier that is kept. The
 * barrier may go if no array is accessed on both sides with a write on one, unless all those accesses are each
 * invocation's own. Barriers are tried in program order, each with the earlier drops in force: so every pair of
 * accesses that needs a barrier still has a kept one between on every path. */
#include "plan/split.h"

/* What one side does to one array. */
typedef struct side_access {
    const gf_access *read, *write, *foreign; /* some read, some write, some access that is not by the owner */
    bool any;
    gf_owner owner; /* of all accesses, where there is no foreign one */
} side_access;

typedef struct side {
    side_access *arrays; /* by array_number */
    gf_flow_list nodes;
    const gf_stmt *pin;
} side;

static void find_owners(gf_split *split, gf_flow_node *node) {
    const gf_piece *piece = node->piece;
    const gf_stmt *forall = piece != NULL && piece->kind == GF_PIECE_FORALL ? piece->stmt : NULL;
    node->owners = gf_new_array(split->arena, gf_owner, node->accesses.count);
    for (size_t i = 0; i < node->accesses.count; i++) {
        const gf_access *access = &node->accesses.items[i];
        node->owners[i] = gf_split_owner(split, access->array, access->index, forall);
        /* A load in a head is by everybody. */
        if (access->in_head && split->tree->kernel.space_kind != GF_SPACE_ONE)
            node->owners[i] = (gf_owner){.kind = GF_OWNER_ANY};
    }
}

static void note_access(gf_split *split, side *s, const gf_access *access, gf_owner owner) {
    side_access *entry = &s->arrays[split->array_number[access->array->id]];
    if (owner.kind == GF_OWNER_ANY || (entry->any && !gf_owner_same(owner, entry->owner)))
        entry->foreign = access;
    entry->owner = owner;
    entry->any = true;
    if (gf_access_writes(access))
        entry->write = access;
    else
        entry->read = access;
}

static void look_at_side(gf_split *split, side *s, uint32_t barrier, bool forward) {
    s->arrays = gf_new_array(split->arena, side_access, split->array_count);
    gf_flow_reach(split, barrier, forward, true, &s->nodes);
    for (size_t i = 0; i < s->nodes.count; i++) {
        gf_flow_node *node = &split->flow.items[s->nodes.items[i]];
        if (node->pins)
            s->pin = node->pin;
        if (node->owners == NULL)
            find_owners(split, node);
        for (size_t k = 0; k < node->accesses.count; k++)
            if (node->accesses.items[k].array->id < split->tree->symbol_count)
                note_access(split, s, &node->accesses.items[k], node->owners[k]);
        split->drop_work += node->accesses.count + 1;
    }
}

static unsigned line_of(const gf_stmt *stmt) {
    uint32_t line, column;
    gf_span_line_column(stmt->span, &line, &column);
    return line;
}

static const char *say_conflict(gf_split *split, const gf_access *before, const gf_access *after) {
    const char *first = gf_access_writes(before) ? "written" : "read";
    const char *second = gf_access_writes(after) ? "written" : "read";
    return gf_arena_format(split->arena, "`%s` is %s before it (line %u) and %s behind it (line %u)",
                           before->array->name, first, line_of(before->stmt), second, line_of(after->stmt));
}

static const char *find_conflict(gf_split *split, const side *before, const side *after) {
    for (uint32_t i = 0; i < split->array_count; i++) {
        const side_access *a = &before->arrays[i], *b = &after->arrays[i];
        if (!a->any || !b->any || (a->write == NULL && b->write == NULL))
            continue;
        if (a->foreign == NULL && b->foreign == NULL && gf_owner_same(a->owner, b->owner))
            continue;
        const gf_access *x = a->write != NULL ? a->write : a->read;
        const gf_access *y = a->write != NULL && b->read != NULL ? b->read : b->write != NULL ? b->write : b->read;
        return say_conflict(split, x, y);
    }
    return NULL;
}

/* NULL: the barrier is dropped now. Else why it stays. */
static const char *try_drop(gf_split *split, uint32_t barrier) {
    side before = {0}, after = {0};
    if (split->drop_work > GF_PLAN_DROP_WORK)
        return "the program is too long to look at all that lies around it";
    split->drop_work += split->array_count;
    look_at_side(split, &before, barrier, false);
    look_at_side(split, &after, barrier, true);
    const gf_stmt *pin = before.pin != NULL ? before.pin : after.pin;
    if (pin != NULL)
        return gf_arena_format(split->arena, "a trap, assert, copy or collective is at its side (line %u)",
                               line_of(pin));
    const char *conflict = find_conflict(split, &before, &after);
    if (conflict == NULL)
        split->flow.items[barrier].dropped = true;
    return conflict;
}

/* ---- constructs ---- */

static bool head_reads_written(const gf_split *split, const gf_piece *piece) {
    gf_access_list accesses = {0};
    const gf_expr *exprs[] = {piece->stmt->value, piece->stmt->from, piece->stmt->to, piece->stmt->step};
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++)
        if (exprs[i] != NULL)
            gf_effects_expr(split->arena, exprs[i], piece->stmt, &accesses);
    for (size_t i = 0; i < accesses.count; i++)
        if (split->written[accesses.items[i].array->id])
            return true;
    return false;
}

static bool only_stretch(const gf_piece_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i]->kind != GF_PIECE_STRETCH)
            return false;
    return true;
}

static void count_items(const gf_piece_list *list, size_t *work, size_t *scalar) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < list->items[i]->items.count; k++) {
            if (list->items[i]->items.items[k].kind == GF_ITEM_WORK)
                ++*work;
            else
                ++*scalar;
        }
}

/* Whether the construct could become a statement of a stretch, barriers apart: it then only sets values of the level
 * (`scalar`), or only does what each invocation can do by itself. */
static bool can_dissolve(const gf_split *split, const gf_piece *piece, bool *scalar, const char **why) {
    if (!only_stretch(&piece->body) || !only_stretch(&piece->otherwise)) {
        *why = "it holds a barrier that stays, or something that the level takes together";
        return false;
    }
    if (head_reads_written(split, piece)) {
        *why = "its head loads from a buffer that the program writes: evaluated once for all";
        return false;
    }
    size_t works = 0, scalars = 0;
    count_items(&piece->body, &works, &scalars);
    count_items(&piece->otherwise, &works, &scalars);
    *scalar = works == 0 && scalars != 0;
    if (works != 0 && scalars != 0) {
        *why = "it sets values of the whole level beside the work of invocations";
        return false;
    }
    if (*scalar && piece->stmt->kind == GF_STMT_LOOP) {
        *why = "it has no end of its own";
        return false;
    }
    return true;
}

static bool drop_edges(gf_split *split, gf_piece *piece, const char **why) {
    for (unsigned i = 0; i < piece->edge_count; i++) {
        *why = try_drop(split, piece->edges[i]);
        if (*why != NULL) {
            for (unsigned k = 0; k < i; k++)
                split->flow.items[piece->edges[k]].dropped = false;
            return false;
        }
    }
    return true;
}

static void drop_in_list(gf_split *split, gf_piece_list *list);

static void note_kept(gf_split *split, const gf_piece *piece, const char *why) {
    split->notes.items[piece->note].reason = why;
}

static void drop_piece(gf_split *split, gf_piece *piece, gf_piece_list *out) {
    const char *why = NULL;
    bool scalar = false;
    switch (piece->kind) {
    case GF_PIECE_BARRIER:
        why = try_drop(split, piece->edges[0]);
        if (why == NULL) {
            split->notes.items[piece->note].dropped = true;
            note_kept(split, piece, "no array is accessed on both sides but by its own invocation");
            return;
        }
        note_kept(split, piece, why);
        break;
    case GF_PIECE_IF:
    case GF_PIECE_WHILE:
    case GF_PIECE_FOR:
        drop_in_list(split, &piece->body);
        drop_in_list(split, &piece->otherwise);
        if (can_dissolve(split, piece, &scalar, &why) && drop_edges(split, piece, &why)) {
            split->notes.items[piece->note].dropped = true;
            note_kept(split, piece, scalar ? "it only sets values of the level" : "its edges order nothing");
            gf_piece *stretch = out->count == 0 ? NULL : out->items[out->count - 1];
            if (stretch == NULL || stretch->kind != GF_PIECE_STRETCH) {
                stretch = gf_new(split->arena, gf_piece);
                *stretch = (gf_piece){
                    .kind = GF_PIECE_STRETCH, .stmt = piece->stmt, .nested = piece->nested, .note = SIZE_MAX};
                stretch->values = stretch->result = stretch->flow = UINT32_MAX;
                stretch->behind_dropped = true;
                gf_push(split->arena, out, stretch);
            }
            gf_item item = {.kind = scalar ? GF_ITEM_SCALAR : GF_ITEM_WORK, .stmt = piece->stmt, .path = piece->path};
            item.scalar = scalar ? piece : NULL;
            gf_push(split->arena, &stretch->items, item);
            return;
        }
        note_kept(split, piece, why);
        break;
    case GF_PIECE_REDUCE:
    case GF_PIECE_SCAN:
        note_kept(split, piece, "its result needs what all have given");
        break;
    case GF_PIECE_LOAD:
    case GF_PIECE_SWAP:
    case GF_PIECE_COLLECTIVE:
        note_kept(split, piece, "done once for all");
        break;
    case GF_PIECE_FORALL:
        if (piece->note != SIZE_MAX)
            note_kept(split, piece, "its result needs what all have given");
        break;
    case GF_PIECE_STRETCH:
        if (out->count != 0 && out->items[out->count - 1]->kind == GF_PIECE_STRETCH) {
            gf_piece *last = out->items[out->count - 1];
            for (size_t i = 0; i < piece->items.count; i++)
                gf_push(split->arena, &last->items, piece->items.items[i]);
            last->behind_dropped |= piece->behind_dropped;
            return;
        }
        break;
    case GF_PIECE_BREAK:
    case GF_PIECE_CONTINUE:
    case GF_PIECE_RETURN:
        break;
    }
    gf_push(split->arena, out, piece);
}

static void drop_in_list(gf_split *split, gf_piece_list *list) {
    gf_piece_list out = {0};
    for (size_t i = 0; i < list->count; i++) {
        const gf_piece *piece = list->items[i];
        drop_piece(split, list->items[i], &out);
        if (piece->note != SIZE_MAX && split->notes.items[piece->note].dropped && i + 1 < list->count)
            list->items[i + 1]->behind_dropped = true;
    }
    *list = out;
}

void gf_split_drop(gf_split *split) {
    if (split->options.keep_barriers || split->options.keep_empty) {
        for (size_t i = 0; i < split->notes.count; i++)
            split->notes.items[i].reason = "kept, as asked for";
        return;
    }
    drop_in_list(split, &split->pieces);
}
