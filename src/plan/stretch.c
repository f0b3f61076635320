/* Segments of one stretch: a `forall` parts them, and no barrier. Where an invocation fails in one of them the others
 * are carried out all the same, for the lowest invocation of the whole stretch is the one that is told. Only what lies
 * between the first and the last segment that may fail is of interest: behind the last one nothing can change what is
 * told. Who has trapped has returned, so that later segments must know of it, lest a loop goes on for ever. (An access
 * that is wrong in checked code does nothing, and its invocation goes on.) */
#include "plan/split.h"

static bool is_own(const gf_piece *piece) {
    return piece->kind == GF_PIECE_STRETCH;
}

/* Whether nothing ends the stretch behind it. */
static bool goes_on(const gf_piece *piece) {
    return is_own(piece) || (piece->kind == GF_PIECE_FORALL && piece->stmt->reduce_count == 0);
}

static bool may_trap(const gf_piece *piece) {
    if (piece->kind == GF_PIECE_FORALL)
        return gf_block_holds_trap(piece->stmt->body);
    bool may = false;
    for (size_t i = 0; is_own(piece) && i < piece->lines.count; i++)
        may |= gf_holds_trap(piece->lines.items[i].stmt);
    return may;
}

static bool may_fail(const gf_split *split, const gf_piece *piece) {
    bool is_empty = is_own(piece) && piece->lines.count == 0;
    return may_trap(piece) || (split->options.checked && !is_empty);
}

static void add_byte(gf_split *split) {
    if (split->reached != NULL)
        return;
    const char *why = "1 where an invocation has come to the end of a segment";
    uint32_t buffer =
        gf_split_add_buffer(split, GF_PLAN_BUFFER_CARRY, "reached", GF_TYPE_U8, gf_split_slot_count(split), why);
    split->reached = split->buffers.items[buffer].symbol;
    gf_push(split->arena, &split->crossings,
            ((gf_crossing){.symbol = split->reached,
                           .fate = GF_FATE_RETURNED,
                           .bytes = 1,
                           .reason = "who has failed takes no part in later segments of the stretch",
                           .buffer = buffer}));
}

/* Pieces [first, last], both of which may fail. */
static void mark_stretch(gf_split *split, gf_piece *const *pieces, size_t first, size_t last) {
    gf_piece *teller = NULL;
    for (size_t i = first; i <= last; i++) {
        gf_piece *piece = pieces[i];
        piece->follows = i > first;
        piece->is_followed = i < last;
        if (!is_own(piece) || piece->lines.count == 0)
            continue;
        if (teller != NULL) {
            add_byte(split);
            piece->finds_failed = teller->tells_failed = true;
        }
        /* What it found itself the byte says to those behind, if it says nothing new. */
        teller = may_trap(piece) ? piece : teller;
    }
}

static void mark_list(gf_split *split, const gf_piece_list *list) {
    size_t none = list->count, first = none, last = none;
    for (size_t i = 0; i < list->count; i++) {
        const gf_piece *piece = list->items[i];
        mark_list(split, &piece->body);
        mark_list(split, &piece->otherwise);
        bool is_work = is_own(piece) || piece->kind == GF_PIECE_FORALL;
        if ((piece->behind_dropped || !is_work) && first != none) {
            mark_stretch(split, list->items, first, last);
            first = none;
        }
        if (is_work && may_fail(split, piece)) {
            first = first != none ? first : i;
            last = i;
        }
        if (!goes_on(piece) && first != none) {
            mark_stretch(split, list->items, first, last);
            first = none;
        }
    }
    if (first != none)
        mark_stretch(split, list->items, first, last);
}

void gf_split_stretches(gf_split *split) {
    if (split->level == GF_LEVEL_GRID)
        mark_list(split, &split->pieces);
}

/* ---- what segments say of it ---- */

/* Nothing says so where an invocation fails, which may be in a function: it has as long as it has not come to the end.
 * At the level of a workgroup it has returned (fate.c). */
const gf_stmt *gf_split_tell_failed(gf_split *split, bool at_end) {
    bool is_grid = split->level == GF_LEVEL_GRID;
    const gf_expr *value = gf_make_literal(split->arena, GF_TYPE_U32, is_grid == at_end);
    return gf_make_store(split->arena, is_grid ? split->reached : split->returned, gf_split_own_slot(split), value);
}

const gf_stmt *gf_split_leave_failed(gf_split *split) {
    gf_arena *arena = split->arena;
    const gf_expr *flag = gf_make_load(arena, split->reached, gf_split_own_slot(split));
    const gf_expr *gone = gf_make_op2(arena, GF_OP_EQ, flag, gf_make_literal(arena, GF_TYPE_U32, 0));
    const gf_stmt **leave = gf_new_array(arena, const gf_stmt *, 1);
    leave[0] = gf_make_simple(arena, GF_STMT_RETURN);
    return gf_make_if(arena, gone, gf_make_block(arena, leave, 1), NULL);
}
