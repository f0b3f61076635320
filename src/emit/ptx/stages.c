/* The order of stages: the tree of the plan, laid out flat. See stages.h. */
#include "emit/ptx/stages.h"
#include "base/memory.h"
#include "emit/ptx/scan.h"
#include "emit/ptx/stage.h"
#include "ir/program.h"
#include <string.h>

#define MOST_TURNS 64    /* of a loop, in one body */
#define MOST_COPIES 128  /* stages in one body */
#define GUESSED_TURNS 16 /* and where nobody knows how many it will make */
#define GUESSED_COPIES 48
#define GUESSED_INNER 8  /* the same of a loop in a loop: where these are not enough there is always another turn */
#define MOST_UNROLLED 64 /* stages of all turns of a loop that turns as often as the text says */
#define TURN 4           /* what a body costs, in stages that find nothing to do */
#define MOST_STEPS 4096

static void lay_block(gf_ptx_layout *l, const gf_plan_block *block, int32_t guard);

/* ---- what a node takes ---- */

static bool is_heavy_block(const gf_ptx_layout *l, const gf_plan_block *block);

/* Work of the grid, not of one thread. */
static bool is_heavy(const gf_ptx_layout *l, const gf_plan_node *node) {
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
    case GF_PLAN_SCAN:
        return true;
    case GF_PLAN_FILL:
        return !l->walk->fuse[node->buffer].is_fused;
    case GF_PLAN_COLLECTIVE:
        return node->collective == GF_COLLECTIVE_ALL_GATHER || node->collective == GF_COLLECTIVE_REDUCE_SCATTER;
    case GF_PLAN_IF:
    case GF_PLAN_WHILE:
    case GF_PLAN_FOR:
        return is_heavy_block(l, node->body) || is_heavy_block(l, node->otherwise);
    case GF_PLAN_SET:
    case GF_PLAN_REDUCE:
    case GF_PLAN_SWAP:
    case GF_PLAN_CONVERGED:
    case GF_PLAN_BREAK:
    case GF_PLAN_CONTINUE:
    case GF_PLAN_RETURN:
        return false;
    }
    return false;
}

static bool is_heavy_block(const gf_ptx_layout *l, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        if (is_heavy(l, block->items[i])) {
            return true;
        }
    }
    return false;
}

/* What one turn of a body takes. */
typedef struct extent {
    unsigned stages; /* with turns of the loops in it */
    bool has_loop;
    bool is_deep; /* such a loop has a loop itself */
} extent;

uint64_t gf_ptx_turns_of(const gf_ptx_guess *turns, size_t count, const gf_plan_node *node) {
    for (size_t i = 0; i < count; i++) {
        if (turns[i].node == node) {
            return turns[i].count;
        }
    }
    return 0;
}

static uint64_t turns_of(const gf_ptx_layout *l, const gf_plan_node *node) {
    const gf_ptx_options *options = &l->walk->e->options;
    return gf_ptx_turns_of(options->turns, options->turns_count, node);
}

static extent look_at_body(const gf_ptx_layout *l, const gf_plan_block *block) {
    extent all = {0};
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (!is_heavy(l, node)) {
            continue;
        }
        bool is_loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
        if (!is_loop && node->kind != GF_PLAN_IF) {
            gf_ptx_joined joined;
            bool checked = l->walk->e->options.checked, lists = false;
            if (node->kind == GF_PLAN_SEGMENT) {
                i = gf_ptx_find_joined(block, i, l->lists, checked, &joined);
                lists = l->lists[block->items[i]->segment->index];
            }
            all.stages += node->kind == GF_PLAN_SCAN || lists ? 2 : 1;
            continue;
        }
        extent body = look_at_body(l, node->body), other = look_at_body(l, node->otherwise);
        if (is_loop && gf_ptx_is_unrolled(node, body.stages, body.has_loop)) {
            all.stages += body.stages * (unsigned)node->turns;
            continue;
        }
        all.stages += (body.stages + other.stages) * (is_loop ? gf_ptx_choose_inner(turns_of(l, node)) : 1);
        all.has_loop |= is_loop || body.has_loop || other.has_loop;
        all.is_deep |= body.is_deep || other.is_deep || (is_loop && body.has_loop);
    }
    return all;
}

static bool reads_block(const gf_plan_block *block);

static bool reads_memory(const gf_plan_node *node) {
    const gf_expr *exprs[] = {node->value, node->from, node->to, node->step};
    for (size_t i = 0; i < sizeof exprs / sizeof exprs[0]; i++) {
        if (exprs[i] != NULL && gf_ptx_reads_memory(exprs[i])) {
            return true;
        }
    }
    return reads_block(node->body) || reads_block(node->otherwise);
}

static bool reads_block(const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        if (reads_memory(block->items[i])) {
            return true;
        }
    }
    return false;
}

static bool expr_reads(const gf_expr *expr) {
    return expr != NULL && gf_ptx_reads_memory(expr);
}

static bool op_reads(const gf_ptx_op_item *op) {
    switch (op->kind) {
    case GF_PTX_OP_NODE:
        return reads_memory(op->node);
    case GF_PTX_OP_COND:
    case GF_PTX_OP_HEAD:
        return expr_reads(op->node->value);
    case GF_PTX_OP_BEGIN:
        return expr_reads(op->node->from) || expr_reads(op->node->to) || expr_reads(op->node->step);
    case GF_PTX_OP_START:
    case GF_PTX_OP_NEXT:
    case GF_PTX_OP_PAUSE:
    case GF_PTX_OP_PASSES:
    case GF_PTX_OP_PASS:
    case GF_PTX_OP_CLEAR:
    case GF_PTX_OP_OUTCOME:
        return false;
    }
    return false;
}

/* ---- operations that wait for a stage ---- */

static uint32_t new_cell(gf_ptx_layout *l, gf_type type) {
    gf_push(l->arena, &l->cells, type);
    return (uint32_t)l->cells.count - 1;
}

static void wait_op(gf_ptx_layout *l, gf_ptx_op_item op) {
    gf_push(l->arena, &l->waiting, op);
}

static bool is_same_op(const gf_ptx_op_item *a, const gf_ptx_op_item *b) {
    return a->kind == b->kind && a->node == b->node && a->guard == b->guard && a->loop == b->loop;
}

/* What is joined to a segment is the same wherever that stands. */
static bool is_same_stage(const gf_ptx_work *a, const gf_ptx_work *b) {
    if (a->kind != b->kind || a->node != b->node || a->joined.count != b->joined.count || a->guard != b->guard ||
        a->sets != b->sets || a->ops.count != b->ops.count) {
        return false;
    }
    for (size_t i = 0; i < a->ops.count; i++) {
        if (!is_same_op(&a->ops.items[i], &b->ops.items[i])) {
            return false;
        }
    }
    return true;
}

static uint32_t find_stage(gf_ptx_layout *l, const gf_ptx_work *work) {
    for (size_t i = 0; i < l->works.count; i++) {
        if (is_same_stage(&l->works.items[i], work)) {
            return (uint32_t)i;
        }
    }
    gf_push(l->arena, &l->works, *work);
    return (uint32_t)l->works.count - 1;
}

static void add_stage(gf_ptx_layout *l, gf_ptx_work work) {
    work.ops.items = l->waiting.items;
    work.ops.count = l->waiting.count;
    memset(&l->waiting, 0, sizeof l->waiting);
    if (!l->in_stretch && work.kind != GF_PTX_WORK_PIECES) {
        l->stretch = ++l->stretches;
    }
    gf_ptx_step step = {.kind = GF_PTX_STEP_STAGE,
                        .stage = find_stage(l, &work),
                        .in = l->set,
                        .out = 1 - l->set,
                        .read_area = l->area,
                        .write_area = 1 - l->area,
                        .writer = l->writer,
                        .read_slot = l->slot > 0 ? l->slot - 1 : 0,
                        .write_slot = l->slot,
                        .stretch = l->stretch,
                        .sets = work.sets};
    /* A loop begins where its turns do. */
    bool lands = work.kind == GF_PTX_WORK_TURN;
    l->set = work.ops.count > 0 || lands ? step.out : l->set;
    bool leaves_results = false;
    for (size_t i = 0; work.kind == GF_PTX_WORK_SEGMENT && i < work.node->segment->buffer_count; i++) {
        leaves_results |= l->walk->fuse[work.node->segment->buffers[i].buffer].is_fused;
    }
    if (leaves_results) {
        l->area = step.write_area;
        l->writer = (int32_t)step.stage;
    }
    gf_push(l->arena, &l->steps, step);
    l->is_too_long |= l->steps.count > MOST_STEPS;
}

/* One block alone. */
static void add_turn(gf_ptx_layout *l, int32_t sets) {
    add_stage(l, (gf_ptx_work){.kind = GF_PTX_WORK_TURN, .guard = -1, .sets = sets});
}

static void turn_before_reads(gf_ptx_layout *l) {
    bool reads = false;
    for (size_t i = 0; i < l->waiting.count; i++) {
        reads |= op_reads(&l->waiting.items[i]);
    }
    if (reads) {
        add_turn(l, -1); /* what is looked at may be written by a block that is further on */
    }
}

static void add_work(gf_ptx_layout *l, gf_ptx_work_kind kind, const gf_plan_node *node, int32_t guard) {
    turn_before_reads(l);
    add_stage(l, (gf_ptx_work){.kind = kind, .node = node, .guard = guard, .sets = -1});
}

/* ---- loops ---- */

/* The set of cells with which turns begin must be the same each time that they begin. */
static void land_on(gf_ptx_layout *l, uint32_t set, int32_t sets) {
    if (l->set == set) {
        add_turn(l, -1); /* one more, so that the next leaves the wanted set */
    }
    add_turn(l, sets);
}

/* As many as make the fewest stages that find nothing to do, and the fewest bodies; an even number, so that sets of
 * cells are where they were at the end. */
unsigned gf_ptx_choose_turns(unsigned stages, uint64_t turns) {
    unsigned most = stages > 0 ? (turns > 0 ? MOST_COPIES : GUESSED_COPIES) / stages : 1, best = 0;
    unsigned limit = turns > 0 ? MOST_TURNS : GUESSED_TURNS;
    most = most > limit ? limit : most;
    if (turns == 0 || most < 2) {
        return most > 1 ? most & ~1U : 1;
    }
    uint64_t least = UINT64_MAX;
    turns = turns > UINT32_MAX ? UINT32_MAX : turns;
    for (unsigned count = 2; count <= most; count += 2) {
        uint64_t cost = (turns + count - 1) / count * (TURN + (uint64_t)count * stages);
        best = cost < least ? count : best;
        least = cost < least ? cost : least;
    }
    return best;
}

unsigned gf_ptx_choose_inner(uint64_t turns) {
    return turns == 0 ? GUESSED_INNER : turns < MOST_TURNS ? (unsigned)turns : MOST_TURNS;
}

bool gf_ptx_is_unrolled(const gf_plan_node *loop, unsigned stages, bool has_loop) {
    uint64_t most = MOST_UNROLLED / (stages > 0 ? stages : 1);
    return loop->has_turns && !has_loop && loop->turns <= most;
}

bool gf_ptx_is_flat(unsigned stages) {
    return stages <= MOST_COPIES;
}

static size_t open_loop(gf_ptx_layout *l, uint32_t loop) {
    gf_push(l->arena, &l->steps, ((gf_ptx_step){.kind = GF_PTX_STEP_LOOP, .loop = loop, .sets = -1, .writer = -1}));
    return l->steps.count - 1;
}

static gf_ptx_loop *new_loop(gf_ptx_layout *l, const gf_plan_node *node, int32_t guard, uint32_t *index) {
    gf_ptx_loop loop = {.node = node, .outer = guard, .owner = l->owner, .guard = new_cell(l, GF_TYPE_BOOL)};
    if (node != NULL && node->kind == GF_PLAN_FOR) {
        loop.turn = new_cell(l, GF_TYPE_U64);
        loop.turns = new_cell(l, GF_TYPE_U64);
        loop.at = new_cell(l, node->target->type);
        loop.step = new_cell(l, node->target->type);
    }
    if (loop.owner >= 0) {
        loop.paused = new_cell(l, GF_TYPE_BOOL);
    }
    gf_push(l->arena, &l->loops, loop);
    *index = (uint32_t)l->loops.count - 1;
    return &l->loops.items[*index];
}

/* The same in every turn that is laid out around it, so that their stages are the same. */
static bool find_loop(const gf_ptx_layout *l, const gf_plan_node *node, uint32_t *index) {
    for (size_t i = 0; i < l->loops.count; i++) {
        if (l->loops.items[i].node == node) {
            *index = (uint32_t)i;
            return true;
        }
    }
    return false;
}

static void begin_loop(gf_ptx_layout *l, const gf_plan_node *node, uint32_t index) {
    int32_t guard = (int32_t)l->loops.items[index].guard;
    wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_BEGIN, .node = node, .guard = -1, .loop = index});
    wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_HEAD, .node = node, .guard = guard, .loop = index});
}

/* Turns one behind the other, each with the look whether there is another. */
static void lay_turns(gf_ptx_layout *l, const gf_plan_node *node, uint32_t index, unsigned turns) {
    int32_t guard = (int32_t)l->loops.items[index].guard;
    for (unsigned turn = 0; turn < turns; turn++) {
        lay_block(l, node->body, guard);
        if (node->kind == GF_PLAN_FOR) {
            wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_NEXT, .node = node, .guard = guard, .loop = index});
        }
        wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_HEAD, .node = node, .guard = guard, .loop = index});
    }
}

static void lay_inner(gf_ptx_layout *l, const gf_plan_node *node, int32_t guard) {
    uint32_t index = 0;
    if (!find_loop(l, node, &index)) {
        (void)new_loop(l, node, guard, &index);
    }
    begin_loop(l, node, index);
    lay_turns(l, node, index, gf_ptx_choose_inner(turns_of(l, node)));
    wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_PAUSE, .node = node, .guard = -1, .loop = index});
}

static void lay_loop(gf_ptx_layout *l, const gf_plan_node *node, int32_t guard) {
    extent one = look_at_body(l, node->body);
    if (gf_ptx_is_unrolled(node, one.stages, one.has_loop)) {
        for (uint64_t turn = 0; turn < node->turns; turn++) {
            lay_block(l, node->body, guard);
        }
        return;
    }
    if (l->owner >= 0) {
        lay_inner(l, node, guard);
        return;
    }
    uint32_t index = 0;
    (void)new_loop(l, node, guard, &index);
    begin_loop(l, node, index);
    add_turn(l, (int32_t)index);
    uint32_t set = l->set, area = l->area;
    size_t at = open_loop(l, index);
    bool is_flat = !one.has_loop || (!one.is_deep && gf_ptx_is_flat(one.stages));
    l->owner = one.has_loop && is_flat ? (int32_t)index : -1;
    lay_turns(l, node, index, is_flat ? gf_ptx_choose_turns(one.stages, turns_of(l, node)) : 1);
    l->owner = -1;
    land_on(l, set, (int32_t)index);
    l->area = area;
    l->steps.items[at].child_count = l->steps.count - at - 1;
}

/* ---- the tree ---- */

static uint32_t branch_of(gf_ptx_layout *l, const gf_plan_node *node, int32_t guard) {
    uint32_t index = 0;
    if (find_loop(l, node, &index)) {
        return index;
    }
    gf_ptx_loop branch = {.node = node, .outer = guard, .owner = -1, .guard = new_cell(l, GF_TYPE_BOOL)};
    branch.otherwise = new_cell(l, GF_TYPE_BOOL);
    gf_push(l->arena, &l->loops, branch);
    return (uint32_t)l->loops.count - 1;
}

static void lay_if(gf_ptx_layout *l, const gf_plan_node *node, int32_t guard) {
    uint32_t index = branch_of(l, node, guard);
    gf_ptx_loop branch = l->loops.items[index];
    wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_COND, .node = node, .guard = -1, .loop = index});
    lay_block(l, node->body, (int32_t)branch.guard);
    lay_block(l, node->otherwise, (int32_t)branch.otherwise);
}

/* With those that are of the same stage, and what is set between them; gives the index of the last. */
static size_t lay_segment(gf_ptx_layout *l, const gf_plan_block *block, size_t first, int32_t guard) {
    gf_ptx_work work = {.kind = GF_PTX_WORK_SEGMENT, .node = block->items[first], .guard = guard, .sets = -1};
    size_t end = gf_ptx_find_joined(block, first, l->lists, l->walk->e->options.checked, &work.joined);
    const gf_plan_node *last = block->items[end];
    for (size_t i = first + 1; i < end; i++) {
        if (block->items[i]->kind == GF_PLAN_SET) {
            wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_NODE, .node = block->items[i], .guard = guard});
        }
    }
    turn_before_reads(l);
    add_stage(l, work);
    if (l->lists[last->segment->index]) {
        add_work(l, GF_PTX_WORK_PIECES, last, guard);
    }
    l->in_stretch = last->is_followed;
    return end;
}

static void lay_node(gf_ptx_layout *l, const gf_plan_node *node, int32_t guard) {
    const gf_ptx_scan *scan = gf_ptx_scan_by(l->walk, node);
    if (!is_heavy(l, node)) {
        if (node->kind != GF_PLAN_FILL && node->kind != GF_PLAN_COLLECTIVE) {
            wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_NODE, .node = node, .guard = guard});
        }
        return;
    }
    if (scan != NULL && scan->node == node) {
        add_work(l, GF_PTX_WORK_WORDS, node, guard);
    } else if (node->kind == GF_PLAN_SCAN) {
        add_work(l, GF_PTX_WORK_SUM, node, guard);
        add_work(l, GF_PTX_WORK_SCAN, node, guard);
    } else if (node->kind == GF_PLAN_IF) {
        lay_if(l, node, guard);
    } else if (node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR) {
        lay_loop(l, node, guard);
    } else {
        add_work(l, GF_PTX_WORK_NODE, node, guard);
    }
}

static void lay_block(gf_ptx_layout *l, const gf_plan_block *block, int32_t guard) {
    for (size_t i = 0; block != NULL && i < block->count && !l->is_too_long; i++) {
        const gf_plan_node *node = block->items[i];
        const gf_ptx_scan *scan = gf_ptx_scan_by(l->walk, node);
        if (node->kind != GF_PLAN_SEGMENT) {
            lay_node(l, node, guard);
        } else if (scan == NULL || scan->source != node->segment) { /* else with its user */
            i = lay_segment(l, block, i, guard);
        }
    }
}

/* ---- passes ---- */

static void lay_comparison(gf_ptx_layout *l, int32_t guard) {
    if (l->compares) {
        add_work(l, GF_PTX_WORK_COMPARE, NULL, guard);
    }
}

static void lay_turns_of_passes(gf_ptx_layout *l, uint32_t index, unsigned turns) {
    int32_t guard = (int32_t)l->loops.items[index].guard;
    for (unsigned turn = 0; turn < turns; turn++) {
        if (turn > 0) {
            wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_PASS, .guard = guard, .loop = index});
        }
        l->slot = turn;
        size_t before = l->steps.count;
        lay_block(l, l->plan->body, guard);
        lay_comparison(l, guard);
        if (l->steps.count == before) {
            break; /* a pass that does nothing needs no turns */
        }
    }
    l->slot++;
    wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_PASS, .guard = guard, .loop = index});
    wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_CLEAR, .guard = -1, .loop = index});
}

unsigned gf_ptx_choose_passes(unsigned stages, unsigned *first) {
    unsigned turns = stages > 0 && stages < MOST_COPIES ? MOST_COPIES / stages : 1;
    *first = gf_ptx_choose_turns(stages, 0);
    return turns > GF_PTX_SLOTS ? GF_PTX_SLOTS : turns > 1 ? turns & ~1U : 1;
}

/* Few passes are no loop of the graph, and many one with a long body. */
static void lay_passes(gf_ptx_layout *l) {
    uint32_t index = 0;
    unsigned first = 0, turns = 1;
    (void)new_loop(l, NULL, -1, &index);
    wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_PASSES, .guard = -1, .loop = index});
    extent one = look_at_body(l, l->plan->body);
    if (!one.has_loop) {
        turns = gf_ptx_choose_passes(one.stages, &first);
        lay_turns_of_passes(l, index, first);
    }
    add_turn(l, (int32_t)index);
    l->slot = 0;
    uint32_t set = l->set, area = l->area;
    size_t at = open_loop(l, index);
    lay_turns_of_passes(l, index, turns);
    land_on(l, set, (int32_t)index);
    l->area = area;
    l->slot = 0;
    l->steps.items[at].child_count = l->steps.count - at - 1;
}

void gf_ptx_lay_out(gf_ptx_layout *l) {
    wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_START, .guard = -1, .loop = UINT32_MAX});
    lay_block(l, l->plan->prologue, -1);
    if (l->walk->e->options.passes) {
        lay_passes(l);
    } else {
        lay_block(l, l->plan->body, -1);
        lay_comparison(l, -1);
        l->slot = 1;
        wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_PASS, .guard = -1, .loop = UINT32_MAX});
    }
    wait_op(l, (gf_ptx_op_item){.kind = GF_PTX_OP_OUTCOME, .guard = -1, .loop = UINT32_MAX});
    add_turn(l, -1);
}

/* ---- cells ---- */

void gf_ptx_name_cells(gf_ptx_layout *l) {
    const gf_plan *plan = l->plan;
    for (size_t i = 0; i < plan->register_count; i++) {
        gf_push(l->arena, &l->cells, plan->registers[i]->type);
    }
    l->first_swapped = (uint32_t)l->cells.count;
    for (size_t i = 0; i < plan->buffer_count; i++) {
        if (l->walk->arrays[i] != NULL && l->walk->arrays[i]->space == GF_PTX_GLOBAL) {
            gf_push(l->arena, &l->cells, GF_TYPE_U64);
        }
    }
    uint32_t *own[] = {&l->passes, &l->converged, &l->stable, &l->stopped};
    static const gf_type types[] = {GF_TYPE_U64, GF_TYPE_U32, GF_TYPE_BOOL, GF_TYPE_BOOL};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        *own[i] = (uint32_t)l->cells.count;
        gf_push(l->arena, &l->cells, types[i]);
    }
}
