#include "plan/track.h"
#include "base/memory.h"
#include "ir/effects.h"

/* Depth is that of the tree, which the parser bounds. */
static void note_nodes(const gf_plan_block *block, bool *written) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        switch (node->kind) {
        case GF_PLAN_SWAP:
            written[node->buffer] = true;
            written[node->second] = true;
            break;
        case GF_PLAN_COLLECTIVE:
            if (node->collective == GF_COLLECTIVE_ALL_GATHER || node->collective == GF_COLLECTIVE_REDUCE_SCATTER) {
                written[node->second] = true;
            }
            break;
        case GF_PLAN_SCAN:
            written[node->second] = true;
            break;
        case GF_PLAN_FILL:
            written[node->buffer] = true;
            break;
        case GF_PLAN_SEGMENT:
        case GF_PLAN_SET:
        case GF_PLAN_REDUCE:
        case GF_PLAN_CONVERGED:
        case GF_PLAN_IF:
        case GF_PLAN_WHILE:
        case GF_PLAN_FOR:
        case GF_PLAN_BREAK:
        case GF_PLAN_CONTINUE:
        case GF_PLAN_RETURN:
            break;
        }
        note_nodes(node->body, written);
        note_nodes(node->otherwise, written);
    }
}

void gf_plan_written(const gf_plan *plan, bool *written) {
    for (size_t i = 0; i < plan->segment_count; i++) {
        const gf_segment *segment = plan->segments[i];
        for (size_t k = 0; k < segment->buffer_count; k++) {
            written[segment->buffers[k].buffer] |= segment->buffers[k].role != GF_ROLE_IN;
        }
    }
    note_nodes(plan->body, written);
}

size_t gf_plan_watched(const gf_plan *plan, const bool *written, uint32_t *watched) {
    size_t count = 0, candidates = plan->is_fixpoint ? plan->watched_count : plan->buffer_count;
    for (size_t i = 0; i < candidates; i++) {
        uint32_t buffer = plan->is_fixpoint ? plan->watched[i] : (uint32_t)i;
        if (written[buffer] && plan->buffers[buffer].kind == GF_PLAN_BUFFER_PROGRAM) {
            watched[count++] = buffer;
        }
    }
    return count;
}

/* ---- tracking ---- */

typedef enum write_kind { WRITES_NOTHING, WRITES_ATOMIC, WRITES_CONSTANT, WRITES_ANYHOW } write_kind;

typedef struct write_state {
    write_kind kind;
    gf_atomic atomic;
    uint64_t bits;
} write_state;

static void add_write(write_state *state, write_state write) {
    if (state->kind == WRITES_NOTHING) {
        *state = write;
    } else if (state->kind != write.kind || state->atomic != write.atomic || state->bits != write.bits) {
        state->kind = WRITES_ANYHOW;
    }
}

/* `true` where the value is one constant, the same in every segment. */
static bool is_constant(const gf_expr *value, uint64_t *bits) {
    if (value != NULL && value->kind == GF_EXPR_LITERAL) {
        *bits = value->bits;
        return true;
    }
    if (value != NULL && value->kind == GF_EXPR_NAME && value->ref.symbol->kind == GF_SYMBOL_CONST) {
        *bits = value->ref.symbol->constant.bits;
        return true;
    }
    return false;
}

static write_state write_of(const gf_access *access) {
    write_state write = {.kind = WRITES_ANYHOW};
    const gf_expr *value = NULL;
    if (access->kind == GF_ACCESS_WRITE && access->stmt->kind == GF_STMT_STORE && access->stmt->op == GF_OP_NONE) {
        value = access->stmt->value;
    } else if (access->kind == GF_ACCESS_ATOMIC) {
        gf_atomic atomic = access->atomic;
        if (atomic == GF_ATOMIC_MIN || atomic == GF_ATOMIC_MAX || atomic == GF_ATOMIC_AND || atomic == GF_ATOMIC_OR) {
            return (write_state){.kind = WRITES_ATOMIC, .atomic = atomic};
        }
        value = atomic == GF_ATOMIC_STORE && !access->result_used ? access->expr->args[1] : NULL;
    }
    if (is_constant(value, &write.bits)) {
        write.kind = WRITES_CONSTANT;
    }
    return write;
}

typedef struct tracker {
    const gf_plan *plan;
    gf_arena *arena;
    write_state *states;
} tracker;

static void look_at_segments(void *context) {
    tracker *t = context;
    for (size_t i = 0; i < t->plan->segment_count; i++) {
        const gf_segment *segment = t->plan->segments[i];
        gf_access_list accesses = {0};
        gf_effects_block(t->arena, segment->tree->kernel.body, &accesses);
        for (size_t k = 0; k < accesses.count; k++) {
            const gf_access *access = &accesses.items[k];
            if (!gf_access_writes(access)) {
                continue;
            }
            for (size_t b = 0; b < segment->buffer_count; b++) {
                if (segment->buffers[b].symbol == access->array) {
                    add_write(&t->states[segment->buffers[b].buffer], write_of(access));
                }
            }
        }
    }
}

bool *gf_plan_tracked(const gf_plan *plan) {
    bool *tracked = gf_calloc(plan->buffer_count, sizeof *tracked);
    bool *by_node = gf_calloc(plan->buffer_count, sizeof *by_node);
    tracker t = {.plan = plan, .arena = gf_arena_create()};
    t.states = gf_calloc(plan->buffer_count, sizeof *t.states);
    bool done = tracked != NULL && by_node != NULL && t.arena != NULL && t.states != NULL &&
                gf_arena_protect(t.arena, look_at_segments, &t);
    if (done) {
        note_nodes(plan->body, by_node);
    }
    for (size_t i = 0; done && i < plan->buffer_count; i++) {
        bool one_way = t.states[i].kind == WRITES_ATOMIC || t.states[i].kind == WRITES_CONSTANT;
        tracked[i] = one_way && !by_node[i] && plan->buffers[i].kind == GF_PLAN_BUFFER_PROGRAM;
    }
    gf_free(by_node);
    gf_free(t.states);
    gf_arena_destroy(t.arena);
    if (!done) {
        gf_free(tracked);
        return NULL;
    }
    return tracked;
}
