/* The tree of a plan as code that all threads go through together. A barrier stands where one is asked for: between a
 * segment and whatever looks at what it wrote, and between what was looked at and the next segment that may write it.
 * Loops begin and end with nothing asked for, so that it does not matter how one came to a place. */
#include "emit/ptx/near.h"
#include "emit/ptx/scan.h"
#include "emit/ptx/whole.h"
#include <string.h>

#define TURNS 4096 /* of a loop of the plan that may not end, between two looks at the stop word */

/* ---- barriers ---- */

void gf_ptx_settle(gf_ptx_walk *walk) {
    if (!walk->by_stages && (walk->after_write || walk->after_read)) {
        if (walk->level == GF_LEVEL_GRID) {
            (void)gf_ptx_grid_barrier(walk, NULL);
        } else {
            gf_ptx_sync(walk->e);
        }
    }
    walk->after_write = walk->after_read = false;
}

/* What the next barrier sees to finds the plan's values as the segment had them, and was begun in any case. */
static void settle_list(gf_ptx_walk *walk) {
    if (walk->listed != NULL && walk->e->is_open) {
        gf_ptx_settle(walk);
    }
}

static void settle_writes(gf_ptx_walk *walk) {
    if (walk->after_write) {
        gf_ptx_settle(walk);
    }
}

/* ---- scalars ---- */

/* What stands in the tree is nobody's, and sizes there are those of the program. */
static void no_invocation(gf_ptx_emit *e) {
    memset(e->gid, 0, sizeof e->gid);
    for (size_t axis = 0; axis < 3; axis++) {
        e->space[axis] = gf_ptx_arg(e, GF_TYPE_U32, GF_PTX_ARGS_SPACE + axis);
        e->groups[axis] = gf_ptx_arg(e, GF_TYPE_U32, GF_PTX_ARGS_GROUPS + axis);
    }
}

/* Threads that have looked at the stop word may have seen different things there, and values of those that left are
 * worth nothing: from here all go on, or none. */
static void agree_to_go_on(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    if (walk->level == GF_LEVEL_GRID) {
        (void)gf_ptx_grid_barrier(walk, NULL);
        walk->after_write = walk->after_read = false;
        return;
    }
    gf_pv any = gf_ptx_fold_block(e, GF_COMBINE_OR, GF_TYPE_BOOL, e->ended);
    gf_ptx_jump_if(&e->p, any, true, walk->on_return);
}

/* In the middle of a stretch: who failed in it is kept, so that what ends a run at the next barrier is what happens in
 * between. Gives a bool; of no type elsewhere. */
static gf_pv set_apart(gf_ptx_walk *walk) {
    gf_ptx_emit *e = walk->e;
    if (!walk->in_stretch || walk->by_stages) {
        return (gf_pv){0};
    }
    gf_pv failed = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    gf_ptx_move(&e->p, failed, e->ended);
    gf_ptx_move(&e->p, e->ended, gf_ptx_constant(GF_TYPE_BOOL, 0));
    return failed;
}

/* One thread of each block looks, and tells the others: all of them at one word would hold each other up. */
static gf_pv look_and_tell(gf_ptx_walk *walk, const gf_expr *expr) {
    gf_ptx_emit *e = walk->e;
    gf_pv result = gf_ptx_new_value(&e->p, expr->type);
    uint32_t told = gf_ptx_label(&e->p);
    e->on_end = told;
    gf_ptx_move(&e->p, result, gf_ptx_constant(expr->type, 0));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_NE, gf_ptx_thread(e), gf_ptx_u32(0)), true, told);
    gf_ptx_move(&e->p, result, gf_ptx_emit_expr(e, expr));
    gf_ptx_place(&e->p, told);
    return gf_ptx_broadcast(e, result);
}

gf_pv gf_ptx_emit_scalar(gf_ptx_walk *walk, const gf_expr *expr) {
    gf_ptx_emit *e = walk->e;
    bool reads = gf_ptx_reads_memory(expr);
    if (reads) {
        settle_writes(walk);
    }
    gf_ptx_scope scope = gf_ptx_enter_plan(walk, expr);
    gf_pv value;
    if (walk->level == GF_LEVEL_GRID) {
        no_invocation(e);
    }
    uint32_t on_end = e->on_end, end = gf_ptx_label(&e->p);
    size_t places = e->places.count;
    gf_pv failed = set_apart(walk);
    e->on_end = end;
    e->has_polled = false;
    value = reads && walk->level == GF_LEVEL_GRID ? look_and_tell(walk, expr) : gf_ptx_emit_expr(e, expr);
    if (e->has_polled || e->places.count > places) {
        gf_ptx_place(&e->p, end);
    }
    e->on_end = on_end;
    gf_ptx_leave(e, scope);
    walk->after_read |= reads;
    if (e->has_polled && walk->by_stages) {
        value = gf_ptx_broadcast(e, value); /* whatever it is worth, the block goes one way */
    } else if (e->has_polled) {
        value = gf_ptx_stay(walk, value);
        walk->failed = failed;
        agree_to_go_on(walk);
        walk->failed = (gf_pv){0};
    }
    if (failed.type != GF_TYPE_NONE && (walk->steps == NULL || !e->has_polled)) {
        gf_ptx_move(&e->p, e->ended, gf_ptx_do(e, GF_OP_OR, e->ended, failed));
    }
    return value;
}

/* ---- whole buffers ---- */

typedef struct mover {
    const gf_ptx_array *to, *from;
    gf_type type;
    uint64_t bits;
} mover;

static gf_pv element_address(gf_ptx_emit *e, const gf_ptx_array *array, gf_type type, gf_pv index) {
    gf_pv bytes = gf_ptx_do(e, GF_OP_MUL, index, gf_ptx_u64(gf_type_bytes(type)));
    return gf_ptx_do(e, GF_OP_ADD, array->data, bytes);
}

static void move_one(gf_ptx_emit *e, gf_pv i, void *context) {
    const mover *m = context;
    unsigned bytes = (unsigned)gf_type_bytes(m->type);
    gf_pv value = gf_ptx_constant(bytes == 8 ? GF_TYPE_U64 : GF_TYPE_U32, m->bits);
    if (m->from != NULL) {
        value = gf_ptx_new_value(&e->p, value.type);
        gf_pv at = element_address(e, m->from, m->type, i);
        gf_ptx_line(&e->p, "ld.global.%s %s, [%s];", gf_ptx_raw_suffix(bytes), gf_ptx_spell(value).text,
                    gf_ptx_spell(gf_ptx_register(&e->p, at)).text);
    }
    value = gf_ptx_register(&e->p, value);
    gf_pv to = gf_ptx_register(&e->p, element_address(e, m->to, m->type, i));
    gf_ptx_line(&e->p, "st.global.%s [%s], %s;", gf_ptx_raw_suffix(bytes), gf_ptx_spell(to).text,
                gf_ptx_spell(value).text);
}

static void walk_fill(gf_ptx_walk *walk, const gf_plan_node *node) {
    if (walk->level == GF_LEVEL_GROUP || walk->fuse[node->buffer].is_fused) {
        return; /* values lie in registers, which begin neutral */
    }
    const gf_ptx_array *array = walk->arrays[node->buffer];
    if (array != NULL && array->space == GF_PTX_OWN) {
        gf_ptx_move(&walk->e->p, array->own, gf_ptx_constant(array->own.type, node->bits)); /* who has returned */
        return;
    }
    gf_ptx_settle(walk);
    mover m = {.to = gf_ptx_array_of(walk, node->buffer, GF_ROLE_INOUT),
               .type = walk->plan->buffers[node->buffer].symbol->type};
    m.bits = node->bits;
    gf_ptx_emit_each(walk->e, m.to->count, move_one, &m);
    walk->after_write = true;
}

/* One rank: what all ranks give together is what this one gives. */
static void walk_collective(gf_ptx_walk *walk, const gf_plan_node *node) {
    if (node->collective == GF_COLLECTIVE_ALL_REDUCE || node->collective == GF_COLLECTIVE_BROADCAST) {
        return;
    }
    gf_ptx_settle(walk);
    mover m = {.from = gf_ptx_array_of(walk, node->buffer, GF_ROLE_INOUT),
               .to = gf_ptx_array_of(walk, node->second, GF_ROLE_INOUT)};
    m.type = walk->plan->buffers[node->buffer].symbol->type;
    gf_ptx_emit_each(walk->e, gf_ptx_do(walk->e, GF_OP_MIN, m.from->count, m.to->count), move_one, &m);
    walk->after_write = true;
}

/* Each thread keeps the names for itself, so that nobody has to be waited for. */
static void walk_swap(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    gf_pv a = walk->arrays[node->buffer]->data, b = walk->arrays[node->second]->data;
    gf_pv kept = gf_ptx_new_value(&e->p, GF_TYPE_U64);
    gf_ptx_move(&e->p, kept, a);
    gf_ptx_move(&e->p, a, b);
    gf_ptx_move(&e->p, b, kept);
}

/* ---- control ---- */

static void walk_if(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    gf_pv condition = gf_ptx_emit_scalar(walk, node->value);
    uint32_t otherwise = gf_ptx_label(&e->p), after = gf_ptx_label(&e->p);
    bool write = walk->after_write, read = walk->after_read, open = e->is_open;
    gf_ptx_jump_if(&e->p, condition, false, otherwise);
    gf_ptx_walk_block(walk, node->body);
    settle_list(walk);
    bool write_then = walk->after_write && e->is_open, read_then = walk->after_read && e->is_open;
    bool open_then = e->is_open;
    if (e->is_open) {
        gf_ptx_jump(&e->p, after);
    }
    gf_ptx_place(&e->p, otherwise);
    e->is_open = open;
    walk->after_write = write;
    walk->after_read = read;
    gf_ptx_walk_block(walk, node->otherwise);
    settle_list(walk);
    walk->after_write = (walk->after_write && e->is_open) || write_then;
    walk->after_read = (walk->after_read && e->is_open) || read_then;
    e->is_open |= open_then;
    gf_ptx_place(&e->p, after);
}

/* Whether each turn does something that threads meet after. */
static bool always_meets(const gf_plan_block *body) {
    for (size_t i = 0; body != NULL && i < body->count; i++) {
        switch (body->items[i]->kind) {
        case GF_PLAN_SEGMENT:
        case GF_PLAN_REDUCE:
        case GF_PLAN_SCAN:
        case GF_PLAN_FILL:
        case GF_PLAN_COLLECTIVE:
            return true;
        case GF_PLAN_SET:
        case GF_PLAN_SWAP:
        case GF_PLAN_CONVERGED:
            break;
        case GF_PLAN_IF:
        case GF_PLAN_WHILE:
        case GF_PLAN_FOR:
        case GF_PLAN_BREAK:
        case GF_PLAN_CONTINUE:
        case GF_PLAN_RETURN:
            return false;
        }
    }
    return false;
}

/* A loop that might go on for ever: at the start of a turn, each so many turns, the threads of the level agree to go
 * on. The grid's barriers do that where each turn has one. */
static void look_now_and_then(gf_ptx_walk *walk, gf_pv turns, uint32_t after) {
    gf_ptx_emit *e = walk->e;
    uint32_t goes_on = gf_ptx_label(&e->p);
    gf_ptx_move(&e->p, turns, gf_ptx_do(e, GF_OP_ADD, turns, gf_ptx_u32(1)));
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_LT, turns, gf_ptx_u32(TURNS)), true, goes_on);
    gf_ptx_move(&e->p, turns, gf_ptx_u32(0));
    if (walk->by_stages) {
        /* A block goes through it alone: it leaves the loop, and what is told of loops further out is that they end. */
        gf_pv any = gf_ptx_fold_block(e, GF_COMBINE_OR, GF_TYPE_BOOL, gf_ptx_is_stopped(e));
        gf_ptx_jump_if(&e->p, any, false, goes_on);
        gf_ptx_tell_left(e);
        gf_ptx_jump(&e->p, after);
        gf_ptx_place(&e->p, goes_on);
        return;
    }
    if (walk->level == GF_LEVEL_GROUP) {
        uint32_t stays = gf_ptx_label(&e->p);
        gf_ptx_jump_if(&e->p, gf_ptx_is_stopped(e), false, stays);
        gf_ptx_tell_left(e);
        gf_ptx_place(&e->p, stays);
    }
    agree_to_go_on(walk);
    gf_ptx_place(&e->p, goes_on);
}

/* The register that look_now_and_then counts in; of no type where nobody has to look. */
static gf_pv turns_of(gf_ptx_walk *walk, const gf_plan_node *node) {
    bool ends = node->kind == GF_PLAN_FOR && gf_type_bytes(node->target->type) < 8;
    gf_pv turns = {0};
    if (!ends && (walk->level == GF_LEVEL_GROUP || walk->by_stages || !always_meets(node->body))) {
        turns = gf_ptx_new_value(&walk->e->p, GF_TYPE_U32);
        gf_ptx_move(&walk->e->p, turns, gf_ptx_u32(0));
        gf_ptx_keep(walk, turns);
    }
    return turns;
}

static void walk_inside(gf_ptx_walk *walk, const gf_plan_block *body, uint32_t latch, uint32_t after) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_exit exit = {.outer = e->exit, .on_break = after, .on_continue = latch};
    e->exit = &exit;
    gf_ptx_walk_block(walk, body);
    e->exit = exit.outer;
    if (e->is_open) {
        gf_ptx_settle(walk);
    }
}

static void walk_while(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    uint32_t head = gf_ptx_label(&e->p), after = gf_ptx_label(&e->p);
    gf_ptx_settle(walk);
    gf_pv looks = turns_of(walk, node);
    gf_ptx_place(&e->p, head);
    if (looks.type != GF_TYPE_NONE) {
        look_now_and_then(walk, looks, after);
    }
    if (node->value != NULL) {
        gf_ptx_jump_if(&e->p, gf_ptx_emit_scalar(walk, node->value), false, after);
    }
    bool read = walk->after_read;
    walk_inside(walk, node->body, head, after);
    if (e->is_open) {
        gf_ptx_jump(&e->p, head);
    }
    gf_ptx_place(&e->p, after);
    e->is_open = true;
    walk->after_write = false;
    walk->after_read = read;
}

static void walk_for(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    gf_type type = node->target->type;
    gf_pv from = gf_ptx_emit_scalar(walk, node->from), to = gf_ptx_emit_scalar(walk, node->to);
    bool has_step = node->step != NULL;
    gf_pv step = has_step ? gf_ptx_emit_scalar(walk, node->step) : gf_ptx_constant(type, 1);
    gf_pv turns = gf_ptx_turns(&e->p, type, from, to, has_step, step);
    /* From one 32-bit number to another by ones there are less than 2^32. */
    gf_type counts = !has_step && gf_type_bytes(type) == 4 ? GF_TYPE_U32 : GF_TYPE_U64;
    gf_pv left = gf_ptx_new_value(&e->p, counts), at = gf_ptx_new_value(&e->p, type);
    gf_pv by = gf_ptx_new_value(&e->p, type), none = gf_ptx_constant(counts, 0), one = gf_ptx_constant(counts, 1);
    gf_ptx_move(&e->p, left, gf_ptx_cast(&e->p, counts, turns));
    gf_ptx_move(&e->p, at, from);
    gf_ptx_move(&e->p, by, step);
    uint32_t head = gf_ptx_label(&e->p), latch = gf_ptx_label(&e->p), after = gf_ptx_label(&e->p);
    gf_ptx_settle(walk);
    gf_pv looks = turns_of(walk, node);
    gf_ptx_place(&e->p, head);
    if (looks.type != GF_TYPE_NONE) {
        look_now_and_then(walk, looks, after);
    }
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_EQ, left, none), true, after);
    gf_ptx_move(&e->p, walk->names[node->target->id].value, at);
    walk_inside(walk, node->body, latch, after);
    gf_ptx_place(&e->p, latch);
    e->is_open = true;
    gf_ptx_move(&e->p, left, gf_ptx_do(e, GF_OP_SUB, left, one));
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_ADD, at, by));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, after);
    e->is_open = true;
    walk->after_write = walk->after_read = false;
}

/* A jump to where nothing is asked for. */
static void walk_exit(gf_ptx_walk *walk, uint32_t label) {
    gf_ptx_settle(walk);
    gf_ptx_jump(&walk->e->p, label);
    walk->e->is_open = false;
}

static void walk_set(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_pv target = walk->names[node->target->id].value;
    for (int axis = 0; axis < 3 && walk->level == GF_LEVEL_GRID; axis++) {
        if (walk->plan->group_count[axis] == node->target) {
            gf_ptx_move(&walk->e->p, target,
                        gf_ptx_arg(walk->e, node->target->type, GF_PTX_ARGS_GROUPS + (size_t)axis));
            return;
        }
    }
    if (!target.is_constant) {
        gf_ptx_move(&walk->e->p, target, gf_ptx_emit_scalar(walk, node->value));
    }
}

static void walk_reduce(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    if (walk->level == GF_LEVEL_GRID) {
        gf_ptx_reduce_grid(walk, node);
        return;
    }
    const gf_symbol *values = walk->plan->buffers[node->buffer].symbol;
    const uint32_t *size = walk->plan->program->checked->kernel.workgroup;
    bool is_bool = node->target->type == GF_TYPE_BOOL;
    gf_pv value = walk->names[values->id].array->own;
    if (is_bool) {
        value = gf_ptx_do(e, GF_OP_NE, value, gf_ptx_u32(0));
    }
    gf_type type = is_bool ? GF_TYPE_BOOL : value.type;
    gf_ptx_move(&e->p, walk->names[node->target->id].value,
                gf_ptx_fold_group(e, node->combine, type, size[0] * size[1] * size[2], value));
    walk->after_write = walk->after_read = false; /* the threads met on the way */
}

static void walk_scan(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_emit *e = walk->e;
    if (walk->level == GF_LEVEL_GRID) {
        gf_ptx_scan_grid(walk, node);
        return;
    }
    const gf_ptx_array *from = walk->names[walk->plan->buffers[node->buffer].symbol->id].array;
    const gf_ptx_array *to = walk->names[walk->plan->buffers[node->second].symbol->id].array;
    gf_ptx_move(&e->p, to->own, gf_ptx_scan_block(e, from->own.type, from->own, NULL));
    walk->after_write = walk->after_read = false;
}

static void walk_segment(gf_ptx_walk *walk, const gf_plan_node *node);

static void walk_converged(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_pv said = gf_ptx_emit_scalar(walk, node->value);
    gf_ptx_move(&walk->e->p, walk->converged, gf_ptx_cast(&walk->e->p, GF_TYPE_U32, said));
}

void gf_ptx_walk_node(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_near near;
    if (walk->listed != NULL && (node->kind != GF_PLAN_REDUCE || walk->fuse[node->buffer].is_published)) {
        settle_list(walk); /* a reduction begins with the barrier that publishes */
    }
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
        walk_segment(walk, node);
        break;
    case GF_PLAN_SET:
        walk_set(walk, node);
        break;
    case GF_PLAN_REDUCE:
        walk_reduce(walk, node);
        break;
    case GF_PLAN_SCAN:
        if (gf_ptx_scan_by(walk, node) == NULL) {
            walk_scan(walk, node);
        }
        break;
    case GF_PLAN_FILL:
        walk_fill(walk, node);
        break;
    case GF_PLAN_SWAP:
        walk_swap(walk, node);
        break;
    case GF_PLAN_COLLECTIVE:
        walk_collective(walk, node);
        break;
    case GF_PLAN_CONVERGED:
        walk_converged(walk, node);
        break;
    case GF_PLAN_IF:
        walk_if(walk, node);
        break;
    case GF_PLAN_WHILE:
        gf_ptx_begin_near(walk, node, &near);
        walk_while(walk, node);
        gf_ptx_end_near(walk, &near);
        break;
    case GF_PLAN_FOR:
        gf_ptx_begin_near(walk, node, &near);
        walk_for(walk, node);
        gf_ptx_end_near(walk, &near);
        break;
    case GF_PLAN_BREAK:
        walk_exit(walk, walk->e->exit->on_break);
        break;
    case GF_PLAN_CONTINUE:
        walk_exit(walk, walk->e->exit->on_continue);
        break;
    case GF_PLAN_RETURN:
        walk_exit(walk, walk->on_return);
        break;
    }
}

void gf_ptx_walk_block(gf_ptx_walk *walk, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count && walk->e->is_open; i++) {
        gf_ptx_walk_node(walk, block->items[i]);
    }
}

/* ---- segments ---- */

static void walk_segment(gf_ptx_walk *walk, const gf_plan_node *node) {
    gf_ptx_scan *scan = gf_ptx_scan_by(walk, node);
    if (scan != NULL && scan->source == node->segment) {
        return; /* with its user */
    }
    /* By steps each segment has one for itself, in which nobody writes what it only reads (scope.c). */
    bool joins = walk->steps == NULL && walk->after_write && gf_ptx_joins(node, walk->e->options.checked);
    if (joins) {
        gf_ptx_sync(walk->e); /* shared memory is that of the next segment now */
    } else {
        gf_ptx_settle(walk);
    }
    bool has_values = false;
    if (walk->steps != NULL) {
        gf_ptx_count_launch(walk->e);
        has_values = gf_ptx_begin_values(walk, node->segment);
    }
    if (scan != NULL) {
        gf_ptx_emit_scan(walk, scan);
    } else if (walk->level == GF_LEVEL_GRID) {
        gf_ptx_emit_items(walk, node->segment);
    } else {
        gf_ptx_emit_piece(walk, node->segment);
    }
    walk->after_write = true;
    walk->in_stretch = node->is_followed;
    if (has_values) {
        gf_ptx_publish(walk, node->segment);
    }
}
