#include "backend/cuda/load.h"
#include "backend/cuda/turns.h"
#include "base/memory.h"
#include "emit/ptx/grid.h"
#include "emit/ptx/stages.h"
#include <math.h>

#define BLOCK 256
#define ORDERED 4096 /* values of a sum of floats that are summed up at once */

typedef struct counting {
    const gf_cuda_sizes *sizes;
    const gf_cuda_load_options *options;
    gf_cuda_load *load;
    const gf_ptx_guess *turns; /* that loops are laid out for */
    size_t turns_count;
    bool is_inside;               /* by stages: loops are laid out in the body of another */
    bool after_write, after_read; /* in one launch, as gf_ptx_walk */
    bool listed;                  /* the last segment may leave rows to the grid: it meets behind it */
    bool joins;                   /* some segment waits for nobody */
    bool looks;                   /* by stages: a scalar that reads memory waits for its kernel */
} counting;

/* How often a piece of the tree is come to. */
typedef struct often {
    double times;
    double idle;     /* by stages: its kernels run and find nothing to do */
    unsigned copies; /* in the graph */
} often;

static void count_block(counting *c, const gf_plan_block *block, often o);

/* ---- what a node is ---- */

static bool is_scanned(const gf_plan_block *block, uint32_t buffer) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if ((node->kind == GF_PLAN_SCAN && (node->buffer == buffer || node->second == buffer)) ||
            is_scanned(node->body, buffer) || is_scanned(node->otherwise, buffer)) {
            return true;
        }
    }
    return false;
}

/* Values that their segment combines itself: they never lie in memory. */
static bool is_fused(const gf_plan *plan, uint32_t buffer) {
    return plan->buffers[buffer].kind == GF_PLAN_BUFFER_VALUES && !is_scanned(plan->body, buffer);
}

static bool moves_data(gf_collective collective) {
    return collective == GF_COLLECTIVE_ALL_GATHER || collective == GF_COLLECTIVE_REDUCE_SCATTER;
}

static uint64_t turns_of(const counting *c, const gf_plan_node *node) {
    return gf_ptx_turns_of(c->turns, c->turns_count, node);
}

/* Kernels of its own, with turns of the loops in it. */
typedef struct extent {
    unsigned kernels;
    bool has_loop, is_deep; /* there is such a loop; and it has one itself */
} extent;

static extent look_at_block(const counting *c, const gf_plan_block *block) {
    extent all = {0};
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        extent body = {0}, other = {0};
        gf_ptx_joined joined;
        switch (node->kind) {
        case GF_PLAN_SEGMENT:
            i = gf_ptx_find_joined(block, i, c->options->lists, false, &joined);
            all.kernels += c->options->lists[block->items[i]->segment->index] ? 2 : 1;
            break;
        case GF_PLAN_SCAN:
            all.kernels += 2;
            break;
        case GF_PLAN_FILL:
            all.kernels += is_fused(c->sizes->plan, node->buffer) ? 0 : 1;
            break;
        case GF_PLAN_COLLECTIVE:
            all.kernels += moves_data(node->collective) ? 1 : 0;
            break;
        case GF_PLAN_IF:
        case GF_PLAN_WHILE:
        case GF_PLAN_FOR:
            body = look_at_block(c, node->body);
            other = look_at_block(c, node->otherwise);
            bool is_loop = node->kind != GF_PLAN_IF && body.kernels > 0;
            if (is_loop && gf_ptx_is_unrolled(node, body.kernels, body.has_loop)) {
                all.kernels += body.kernels * (unsigned)node->turns;
                break;
            }
            all.kernels += (body.kernels + other.kernels) * (is_loop ? gf_ptx_choose_inner(turns_of(c, node)) : 1);
            all.has_loop |= is_loop || body.has_loop || other.has_loop;
            all.is_deep |= body.is_deep || other.is_deep || (is_loop && body.has_loop);
            break;
        case GF_PLAN_SET:
        case GF_PLAN_REDUCE:
        case GF_PLAN_SWAP:
        case GF_PLAN_CONVERGED:
        case GF_PLAN_BREAK:
        case GF_PLAN_CONTINUE:
        case GF_PLAN_RETURN:
            break;
        }
    }
    return all;
}

static bool is_light(const counting *c, const gf_plan_node *node) {
    return look_at_block(c, node->body).kernels + look_at_block(c, node->otherwise).kernels == 0;
}

/* ---- barriers and kernels ---- */

static void settle(counting *c, often o) {
    c->load->barriers += c->after_write || c->after_read ? o.times : 0;
    c->after_write = c->after_read = c->listed = false;
}

static void add_small(counting *c, often o) {
    c->load->kernels += o.times;
    c->load->idle += o.idle;
    c->load->nodes += o.copies;
}

static void add_kernel(counting *c, uint64_t items, often o) {
    const gf_cuda_load_options *options = c->options;
    uint64_t most = options->multiprocessors * (options->resident_threads / BLOCK);
    uint64_t blocks = items / BLOCK < most ? (items + BLOCK - 1) / BLOCK : most;
    double past = blocks > options->multiprocessors ? (double)(blocks - options->multiprocessors) : 0;
    if (c->looks) {
        add_small(c, o);
        c->looks = false;
    }
    add_small(c, o);
    c->load->wide_blocks += past * o.times;
    c->load->idle_blocks += past * o.idle;
}

static void add_scalar(counting *c, const gf_expr *expr, often o) {
    if (expr != NULL && gf_ptx_reads_memory(expr)) {
        if (c->after_write) {
            settle(c, o);
        }
        c->after_read = true;
        c->looks = true;
    }
}

/* ---- bytes ---- */

static double bytes_of(const counting *c, uint32_t buffer) {
    const gf_plan_buffer *planned = &c->sizes->plan->buffers[buffer];
    uint64_t count = 0;
    if (planned->kind == GF_PLAN_BUFFER_PROGRAM) {
        count = buffer < c->sizes->asked->buffer_count ? c->sizes->asked->buffers[buffer].count : 0;
    } else if (!gf_cuda_sizes_hidden(c->sizes, buffer, &count)) {
        count = 0;
    }
    return (double)count * (double)gf_type_bytes(planned->symbol->type);
}

static bool stays_with_invocations(gf_plan_buffer_kind kind) {
    return kind == GF_PLAN_BUFFER_CARRY || kind == GF_PLAN_BUFFER_RETURNED || kind == GF_PLAN_BUFFER_SHARED;
}

/* As if each segment went through all of its buffers. Of one whose width the device alone knows a part is taken, for
 * such segments share out the work over the turns of a loop; one invocation goes through nothing that matters. */
static void add_bytes(counting *c, const gf_segment *segment, uint64_t items, bool is_known, often o) {
    const gf_plan *plan = c->sizes->plan;
    double part = is_known ? o.times : o.times / GF_CUDA_GUESSED_TURNS;
    uint64_t threads = c->options->multiprocessors * c->options->resident_threads;
    bool has_values = false, is_uneven = is_known && items / GF_PTX_MANY_EACH >= threads && gf_ptx_is_uneven(segment);
    for (size_t i = 0; i < segment->buffer_count && items > 1; i++) {
        const gf_segment_buffer *use = &segment->buffers[i];
        double bytes = bytes_of(c, use->buffer) * (use->role == GF_ROLE_INOUT ? 2 : 1) * part;
        if (stays_with_invocations(plan->buffers[use->buffer].kind)) {
            c->load->values += bytes;
            has_values = true;
        } else if (!is_fused(plan, use->buffer)) {
            c->load->bytes += bytes;
            c->load->uneven += is_uneven ? bytes : 0;
        }
    }
    c->load->value_segments += has_values ? o.times : 0;
}

/* ---- nodes ---- */

/* `is_joined`: by stages it is of the kernel of the one before it. */
static void count_segment(counting *c, const gf_plan_node *node, bool is_joined, often o) {
    const gf_segment *segment = node->segment;
    uint64_t items = 0;
    bool is_known = gf_cuda_sizes_items(c->sizes, segment, &items);
    items = is_known ? items : UINT64_MAX;
    if (gf_ptx_joins(node, false) && !c->listed) {
        c->joins = true;
    } else {
        settle(c, o);
    }
    if (!is_joined) {
        add_kernel(c, items, o);
    }
    if (c->options->lists[segment->index]) {
        add_kernel(c, UINT64_MAX, o);
    }
    add_bytes(c, segment, items, is_known, o);
    c->load->items = items > c->load->items ? items : c->load->items;
    c->after_write = true;
    c->listed = c->options->lists[segment->index];
}

static void count_reduce(counting *c, const gf_plan_node *node, often o) {
    uint64_t count = 0;
    if (c->after_write) {
        settle(c, o);
    }
    bool is_ordered = node->combine == GF_COMBINE_ADD && gf_type_is_float(gf_type_loaded(node->target->type));
    if (is_ordered && !node->by_group && gf_cuda_sizes_hidden(c->sizes, node->buffer, &count) &&
        count > (uint64_t)ORDERED * ORDERED) {
        c->load->barriers += o.times;
    }
}

static void count_move(counting *c, uint32_t from, uint32_t to, unsigned kernels, often o) {
    settle(c, o);
    double bytes = bytes_of(c, from) + bytes_of(c, to);
    uint64_t items = (uint64_t)(bytes_of(c, to) / (double)gf_type_bytes(c->sizes->plan->buffers[to].symbol->type));
    for (unsigned i = 0; i < kernels; i++) {
        add_kernel(c, items, o);
    }
    c->load->bytes += bytes * o.times;
    c->load->barriers += kernels > 1 ? o.times : 0;
    c->after_write = true;
}

/* One of the two, as often as the other. */
static void count_if(counting *c, const gf_plan_node *node, often o) {
    often half = {.times = o.times / 2, .idle = o.idle + o.times / 2, .copies = o.copies};
    add_scalar(c, node->value, o);
    bool write = c->after_write, read = c->after_read;
    count_block(c, node->body, half);
    bool write_then = c->after_write, read_then = c->after_read;
    c->after_write = write;
    c->after_read = read;
    count_block(c, node->otherwise, half);
    c->after_write |= write_then;
    c->after_read |= read_then;
}

/* ---- loops ---- */

/* How a register is set in the whole plan. */
typedef struct counter {
    unsigned starts, steps, others;
    uint64_t from, step; /* `x = from` and `x = x + step` */
} counter;

static void look_at_sets(const gf_plan_block *block, const gf_symbol *symbol, const gf_env *env, counter *found) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        const gf_expr *value = node->target == symbol && node->kind == GF_PLAN_SET ? node->value : NULL;
        bool adds = value != NULL && value->kind == GF_EXPR_OP && value->op == GF_OP_ADD &&
                    value->args[0]->kind == GF_EXPR_NAME && value->args[0]->ref.symbol == symbol;
        if (adds && gf_eval(value->args[1], env, &found->step)) {
            found->steps++;
        } else if (value != NULL && !adds && gf_eval(value, env, &found->from)) {
            found->starts++;
        } else if (node->target == symbol) {
            found->others++;
        }
        look_at_sets(node->body, symbol, env, found);
        look_at_sets(node->otherwise, symbol, env, found);
    }
}

/* `while x < to`, as a `for` has become: x counts from one value that is known, by one that is. */
static bool count_counted(const counting *c, const gf_expr *condition, double *turns) {
    gf_env env = gf_cuda_sizes_env(c->sizes);
    uint64_t to = 0;
    if (condition == NULL || condition->kind != GF_EXPR_OP || condition->op != GF_OP_LT ||
        condition->args[0]->kind != GF_EXPR_NAME || !gf_type_is_integer(condition->args[0]->type) ||
        !gf_eval(condition->args[1], &env, &to)) {
        return false;
    }
    const gf_symbol *symbol = condition->args[0]->ref.symbol;
    counter found = {0};
    look_at_sets(c->sizes->plan->prologue, symbol, &env, &found);
    look_at_sets(c->sizes->plan->body, symbol, &env, &found);
    if (found.starts != 1 || found.steps != 1 || found.others != 0) {
        return false;
    }
    *turns = (double)gf_eval_turns(symbol->type, found.from, to, found.step);
    return true;
}

/* False where only the device will know. */
static bool count_turns(const counting *c, const gf_plan_node *node, double *turns) {
    gf_env env = gf_cuda_sizes_env(c->sizes);
    uint64_t from = 0, to = 0, step = 1;
    *turns = GF_CUDA_GUESSED_TURNS;
    if (node->kind == GF_PLAN_WHILE) {
        return count_counted(c, node->value, turns);
    }
    if (!gf_eval(node->from, &env, &from) || !gf_eval(node->to, &env, &to) ||
        (node->step != NULL && !gf_eval(node->step, &env, &step))) {
        return false;
    }
    *turns = (double)gf_eval_turns(node->target->type, from, to, step);
    return true;
}

/* The body of a loop of the graph, so many turns of it. */
static often begin_loop(counting *c, double turns, bool is_known, unsigned copies, often o) {
    double bodies = turns / copies;
    double whole = (double)(uint64_t)bodies;
    bodies = is_known ? whole + (bodies > whole ? 1 : 0) : bodies + 0.5;
    c->looks = false;
    add_small(c, o); /* sets the flag for the first time */
    often end = {.times = o.times * bodies, .copies = o.copies};
    add_small(c, end); /* and each time again */
    c->load->turns += o.times * bodies;
    c->load->loops++;
    double idle = bodies * copies - turns;
    return (often){.times = o.times * turns, .idle = o.times * (idle > 0 ? idle : 0), .copies = o.copies * copies};
}

/* Turns of a loop in a loop that stand in one turn of that. */
static often stand_inside(double turns, unsigned copies, often o) {
    double idle = copies > turns ? copies - turns : 0;
    return (often){.times = o.times * turns, .idle = o.idle * copies + o.times * idle, .copies = o.copies * copies};
}

static void count_unrolled(counting *c, const gf_plan_node *node, often o) {
    double turns = (double)node->turns;
    often each = {.times = o.times * turns, .idle = o.idle * turns, .copies = o.copies * (unsigned)node->turns};
    count_block(c, node->body, each);
    settle(c, each);
}

static void count_loop(counting *c, const gf_plan_node *node, often o) {
    double turns = 0;
    add_scalar(c, node->from, o);
    add_scalar(c, node->to, o);
    add_scalar(c, node->step, o);
    settle(c, o);
    if (is_light(c, node)) {
        add_scalar(c, node->value, o);
        count_block(c, node->body, o);
        return;
    }
    extent one = look_at_block(c, node->body);
    if (gf_ptx_is_unrolled(node, one.kernels, one.has_loop)) {
        count_unrolled(c, node, o);
        return;
    }
    bool is_known = count_turns(c, node, &turns);
    bool is_inner = c->is_inside;
    bool is_flat = !one.has_loop || (!one.is_deep && gf_ptx_is_flat(one.kernels));
    unsigned copies = is_inner  ? gf_ptx_choose_inner(turns_of(c, node))
                      : is_flat ? gf_ptx_choose_turns(one.kernels, turns_of(c, node))
                                : 1;
    often each = is_inner ? stand_inside(turns, copies, o) : begin_loop(c, turns, is_known, copies, o);
    c->load->is_guessed |= !is_known;
    c->is_inside = is_inner || (one.has_loop && is_flat);
    add_scalar(c, node->value, each);
    count_block(c, node->body, each);
    settle(c, each);
    c->is_inside = is_inner;
    c->looks = false;
}

static void count_node(counting *c, const gf_plan_node *node, often o) {
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
        count_segment(c, node, false, o);
        break;
    case GF_PLAN_SCAN:
        count_move(c, node->buffer, node->second, 2, o);
        break;
    case GF_PLAN_FILL:
        if (!is_fused(c->sizes->plan, node->buffer)) {
            count_move(c, node->buffer, node->buffer, 1, o);
        }
        break;
    case GF_PLAN_COLLECTIVE:
        if (moves_data(node->collective)) {
            count_move(c, node->buffer, node->second, 1, o);
        }
        break;
    case GF_PLAN_SET:
    case GF_PLAN_CONVERGED:
        add_scalar(c, node->value, o);
        break;
    case GF_PLAN_REDUCE:
        count_reduce(c, node, o);
        break;
    case GF_PLAN_IF:
        count_if(c, node, o);
        break;
    case GF_PLAN_WHILE:
    case GF_PLAN_FOR:
        count_loop(c, node, o);
        break;
    case GF_PLAN_SWAP:
    case GF_PLAN_BREAK:
    case GF_PLAN_CONTINUE:
    case GF_PLAN_RETURN:
        break;
    }
}

static void count_block(counting *c, const gf_plan_block *block, often o) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        gf_ptx_joined joined = {0};
        count_node(c, block->items[i], o);
        if (block->items[i]->kind == GF_PLAN_SEGMENT) {
            i = gf_ptx_find_joined(block, i, c->options->lists, false, &joined);
        }
        for (size_t k = 1; k < joined.count; k++) {
            count_segment(c, joined.items[k], true, o);
        }
    }
}

/* ---- passes ---- */

static void count_comparison(counting *c, often o) {
    const gf_plan *plan = c->sizes->plan;
    bool compares = false;
    for (size_t i = 0; c->options->compare && i < plan->buffer_count; i++) {
        bool is_watched = plan->is_fixpoint ? false : plan->buffers[i].kind == GF_PLAN_BUFFER_PROGRAM;
        for (size_t k = 0; plan->is_fixpoint && k < plan->watched_count; k++) {
            is_watched |= plan->watched[k] == i;
        }
        if (is_watched && !(c->options->tracked != NULL && c->options->tracked[i])) {
            c->load->bytes += 2 * bytes_of(c, (uint32_t)i) * o.times;
            compares = true;
        }
    }
    if (compares) {
        settle(c, o);
        add_kernel(c, UINT64_MAX, o);
    }
    if (c->options->compare) {
        c->load->barriers += o.times; /* the vote */
        c->after_write = c->after_read = false;
    }
}

static void count_passes(counting *c, often once) {
    const gf_plan *plan = c->sizes->plan;
    uint64_t most = c->sizes->asked->max_passes;
    bool is_known = !c->options->compare || most == 1;
    double passes = is_known || most < GF_CUDA_GUESSED_TURNS ? (double)most : GF_CUDA_GUESSED_TURNS;
    settle(c, once);
    c->load->is_guessed |= !is_known;
    extent one = look_at_block(c, plan->body);
    unsigned first = 0, copies = one.has_loop ? 1 : gf_ptx_choose_passes(one.kernels, &first);
    double more = passes > first ? passes - first : 0;
    if (first > 0) {
        often ahead = {.times = passes - more, .idle = first - (passes - more), .copies = first};
        count_block(c, plan->body, ahead);
        count_comparison(c, ahead);
        settle(c, ahead);
    }
    often each = begin_loop(c, more, is_known || more <= 0, copies, once);
    count_block(c, plan->body, each);
    count_comparison(c, each);
    settle(c, each);
}

/* A step is what comes between two barriers, and none is laid out for what may not happen. */
static void count_steps(gf_cuda_load *load) {
    double steps = load->barriers + 1, more = steps - GF_CUDA_FIRST_STEPS;
    double bodies = more > 0 ? ceil(more / GF_CUDA_BODY_STEPS) : 0;
    load->turns = bodies;
    load->idle = GF_CUDA_FIRST_STEPS + bodies * GF_CUDA_BODY_STEPS - steps;
    load->idle_blocks = 0;
    load->kernels = steps + bodies + 1;
    load->loops = 1;
    load->nodes = GF_CUDA_FIRST_STEPS + GF_CUDA_BODY_STEPS + 2;
}

gf_cuda_load gf_cuda_load_of(const gf_cuda_sizes *sizes, const gf_cuda_load_options *options) {
    gf_cuda_load load = {0};
    counting c = {.sizes = sizes, .options = options, .load = &load};
    gf_ptx_guess *turns = gf_cuda_guess_turns(sizes, &c.turns_count);
    c.turns = turns;
    often once = {.times = 1, .copies = 1};
    count_block(&c, sizes->plan->prologue, once);
    if (options->passes) {
        count_passes(&c, once);
    } else {
        count_block(&c, sizes->plan->body, once);
        count_comparison(&c, once);
    }
    gf_free(turns);
    load.is_single = load.barriers <= 0 && !c.joins;
    add_small(&c, once); /* tells the outcome */
    if (options->by_steps) {
        count_steps(&load);
    }
    return load;
}
