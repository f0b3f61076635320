/* The tree of the plan, as the calling thread goes through it. */
#include "backend/cpu/run.h"
#include "ir/eval.h"
#include <string.h>

typedef enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_FAIL } flow;

static flow walk_block(gf_cpu_run *run, const gf_cpu_block *block);

static uint64_t scalar(const gf_cpu_run *run, uint32_t index) {
    return run->code->scalars[index](&run->scalars);
}

/* In checked code an expression of the tree may do wrong too; nothing may come of it. */
static bool is_sound(gf_cpu_run *run) {
    if (!run->asked->checked || run->ended || run->workers[0].abi.culprit == GF_ABI_NOBODY) {
        return true;
    }
    static const uint64_t nowhere[3] = {1, 1, 1};
    gf_cpu_take_wrong(run, NULL, nowhere);
    return gf_cpu_report(run);
}

/* A loop of the plan may hold no segment at all, so every turn asks. */
static bool may_go_on(gf_cpu_run *run) {
    if (!is_sound(run)) {
        return false;
    }
    if (run->stop == NULL || atomic_load_explicit(&run->stop->reason, memory_order_relaxed) == GF_STOP_NONE) {
        return true;
    }
    return gf_cpu_fail_stopped(run);
}

static flow next_if(bool done) {
    return done ? FLOW_NEXT : FLOW_FAIL;
}

static flow walk_while(gf_cpu_run *run, const gf_cpu_node *node) {
    for (;;) {
        if (!may_go_on(run)) {
            return FLOW_FAIL;
        }
        if (node->value != GF_NO_SCALAR && scalar(run, node->value) == 0) {
            return FLOW_NEXT;
        }
        flow left = walk_block(run, node->body);
        if (left == FLOW_BREAK) {
            return FLOW_NEXT;
        }
        if (left == FLOW_RETURN || left == FLOW_FAIL) {
            return left;
        }
    }
}

static flow walk_for(gf_cpu_run *run, const gf_cpu_node *node) {
    uint64_t from = scalar(run, node->from), to = scalar(run, node->to);
    uint64_t step = node->step != GF_NO_SCALAR ? scalar(run, node->step) : 1;
    gf_type type = node->node->target->type;
    uint64_t mask = gf_type_bytes(type) >= 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t turns = gf_eval_turns(type, from, to, step);
    for (uint64_t turn = 0; turn < turns; turn++) {
        if (!may_go_on(run)) {
            return FLOW_FAIL;
        }
        run->registers[node->target] = (from + turn * step) & mask;
        flow left = walk_block(run, node->body);
        if (left == FLOW_BREAK) {
            return FLOW_NEXT;
        }
        if (left == FLOW_RETURN || left == FLOW_FAIL) {
            return left;
        }
    }
    return FLOW_NEXT;
}

static void swap_buffers(gf_cpu_run *run, uint32_t a, uint32_t b) {
    gf_abi_buffer kept = run->buffers[a];
    run->buffers[a] = run->buffers[b];
    run->buffers[b] = kept;
    run->largest[a].is_known = run->largest[b].is_known = false;
}

/* One rank: what all ranks give together is what this one gives. */
static void walk_collective(gf_cpu_run *run, const gf_plan_node *node) {
    switch (node->collective) {
    case GF_COLLECTIVE_ALL_REDUCE:
    case GF_COLLECTIVE_BROADCAST:
        return;
    case GF_COLLECTIVE_ALL_GATHER:
    case GF_COLLECTIVE_REDUCE_SCATTER:
        break;
    }
    const gf_abi_buffer *from = &run->buffers[node->buffer], *to = &run->buffers[node->second];
    uint64_t count = from->count < to->count ? from->count : to->count;
    gf_cpu_copy(run, to->data, from->data,
                (size_t)count * gf_type_bytes(run->kernel->plan->buffers[node->buffer].symbol->type));
}

static flow walk_node(gf_cpu_run *run, const gf_cpu_node *at) {
    const gf_plan_node *node = at->node;
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
        return next_if(may_go_on(run) && gf_cpu_segment_run(run, node));
    case GF_PLAN_SET:
        run->registers[at->target] = scalar(run, at->value);
        return FLOW_NEXT;
    case GF_PLAN_REDUCE:
        return next_if(gf_cpu_reduce(run, at));
    case GF_PLAN_SCAN:
        return next_if(gf_cpu_scan(run, at));
    case GF_PLAN_FILL:
        return next_if(at->is_fused || gf_cpu_fill(run, node));
    case GF_PLAN_SWAP:
        swap_buffers(run, node->buffer, node->second);
        return FLOW_NEXT;
    case GF_PLAN_COLLECTIVE:
        walk_collective(run, node);
        return FLOW_NEXT;
    case GF_PLAN_CONVERGED:
        run->converged = scalar(run, at->value) != 0 ? 1 : 0;
        return FLOW_NEXT;
    case GF_PLAN_IF:
        return walk_block(run, scalar(run, at->value) != 0 ? at->body : at->otherwise);
    case GF_PLAN_WHILE:
        return walk_while(run, at);
    case GF_PLAN_FOR:
        return walk_for(run, at);
    case GF_PLAN_BREAK:
        return FLOW_BREAK;
    case GF_PLAN_CONTINUE:
        return FLOW_CONTINUE;
    case GF_PLAN_RETURN:
        return FLOW_RETURN;
    }
    return FLOW_FAIL;
}

/* Recursion is as deep as the plan's tree, which nests no deeper than the parser allows. */
static flow walk_block(gf_cpu_run *run, const gf_cpu_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        flow left = walk_node(run, &block->items[i]);
        if (left == FLOW_FAIL || !is_sound(run)) {
            return FLOW_FAIL;
        }
        if (left != FLOW_NEXT) {
            return left;
        }
    }
    return FLOW_NEXT;
}

bool gf_cpu_walk(gf_cpu_run *run, const gf_cpu_block *block) {
    return walk_block(run, block) != FLOW_FAIL;
}
