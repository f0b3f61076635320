/* How often loops of a plan will turn, as far as it can be told before a run: the tree is gone through once, as a run
 * would begin, each loop for one turn. What depends on data is not known. */
#include "backend/cuda/turns.h"
#include "base/memory.h"
#include <string.h>

typedef struct telling {
    const gf_cuda_sizes *sizes;
    uint64_t *bits; /* of registers, by number of the symbol */
    bool *known;
    gf_ptx_guess *turns;
    size_t count;
} telling;

static void tell_block(telling *t, const gf_plan_block *block);

static size_t count_loops(const gf_plan_block *block) {
    size_t count = 0;
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        count += node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
        count += count_loops(node->body) + count_loops(node->otherwise);
    }
    return count;
}

/* ---- values ---- */

static bool is_register(const telling *t, const gf_symbol *symbol) {
    return symbol->kind != GF_SYMBOL_PARAM && symbol->id < t->sizes->plan->symbol_count;
}

static bool symbol_bits(void *user, const gf_symbol *symbol, uint64_t *bits) {
    const telling *t = user;
    if (!is_register(t, symbol)) {
        return gf_cuda_sizes_symbol(t->sizes, symbol, bits);
    }
    *bits = t->bits[symbol->id];
    return t->known[symbol->id];
}

static bool length_of(void *user, const gf_symbol *buffer, uint64_t *count) {
    const telling *t = user;
    gf_env env = gf_cuda_sizes_env(t->sizes);
    return env.length(env.user, buffer, count);
}

static bool tell(telling *t, const gf_expr *expr, uint64_t *bits) {
    gf_env env = gf_cuda_sizes_env(t->sizes);
    env.user = t;
    env.symbol = symbol_bits;
    env.length = length_of;
    return gf_eval(expr, &env, bits);
}

static void set(telling *t, const gf_symbol *symbol, bool is_known, uint64_t bits) {
    t->known[symbol->id] = is_known;
    t->bits[symbol->id] = bits;
}

/* What a loop or a branch may have changed. */
static void forget(telling *t, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (node->target != NULL) {
            set(t, node->target, false, 0);
        }
        forget(t, node->body);
        forget(t, node->otherwise);
    }
}

/* ---- loops ---- */

/* A condition `x < to`, or one that holds no longer than that does. */
static bool find_bound(telling *t, const gf_expr *condition, const gf_symbol **counter, uint64_t *to) {
    if (condition->kind == GF_EXPR_AND) {
        return find_bound(t, condition->args[0], counter, to) || find_bound(t, condition->args[1], counter, to);
    }
    if (condition->kind != GF_EXPR_OP || condition->op != GF_OP_LT || condition->args[0]->kind != GF_EXPR_NAME ||
        !gf_type_is_integer(condition->args[0]->type)) {
        return false;
    }
    *counter = condition->args[0]->ref.symbol;
    return is_register(t, *counter) && tell(t, condition->args[1], to);
}

/* The counter goes on in each turn as it does in the first. */
static uint64_t tell_while(telling *t, const gf_plan_node *node) {
    const gf_symbol *counter = NULL;
    uint64_t to = 0;
    bool is_counted = node->value != NULL && find_bound(t, node->value, &counter, &to) && t->known[counter->id];
    uint64_t from = is_counted ? t->bits[counter->id] : 0;
    tell_block(t, node->body);
    if (!is_counted || !t->known[counter->id]) {
        return 0;
    }
    return gf_eval_turns(counter->type, from, to, gf_eval_op(GF_OP_SUB, counter->type, t->bits[counter->id], from, 0));
}

static uint64_t tell_for(telling *t, const gf_plan_node *node) {
    uint64_t from = 0, to = 0, step = 1, turns = 0;
    bool begins = tell(t, node->from, &from);
    if (begins && tell(t, node->to, &to) && (node->step == NULL || tell(t, node->step, &step))) {
        turns = gf_eval_turns(node->target->type, from, to, step);
        turns = turns > 0 ? turns : 1; /* 0 is what nobody knows */
    }
    set(t, node->target, begins, from);
    tell_block(t, node->body);
    return turns;
}

static void tell_node(telling *t, const gf_plan_node *node) {
    uint64_t bits = 0;
    bool is_loop = node->kind == GF_PLAN_WHILE || node->kind == GF_PLAN_FOR;
    if (is_loop) {
        size_t at = t->count++;
        t->turns[at].node = node;
        t->turns[at].count = node->kind == GF_PLAN_FOR ? tell_for(t, node) : tell_while(t, node);
    } else if (node->kind == GF_PLAN_IF) {
        tell_block(t, node->body);
        forget(t, node->body);
        tell_block(t, node->otherwise);
        forget(t, node->otherwise);
    } else if (node->target != NULL) {
        bool is_known = node->kind == GF_PLAN_SET && tell(t, node->value, &bits);
        set(t, node->target, is_known, bits);
    }
    if (is_loop) {
        forget(t, node->body);
    }
    if (node->kind == GF_PLAN_FOR) {
        set(t, node->target, false, 0);
    }
}

static void tell_block(telling *t, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        tell_node(t, block->items[i]);
    }
}

gf_ptx_guess *gf_cuda_guess_turns(const gf_cuda_sizes *sizes, size_t *count) {
    const gf_plan *plan = sizes->plan;
    *count = count_loops(plan->prologue) + count_loops(plan->body);
    telling t = {.sizes = sizes};
    t.bits = gf_calloc(plan->symbol_count, sizeof *t.bits);
    t.known = gf_calloc(plan->symbol_count, sizeof *t.known);
    t.turns = gf_calloc(*count, sizeof *t.turns);
    if (*count > 0 && t.bits != NULL && t.known != NULL && t.turns != NULL) {
        tell_block(&t, plan->prologue);
        tell_block(&t, plan->body);
    } else {
        gf_free(t.turns);
        t.turns = NULL;
        *count = 0;
    }
    gf_free(t.bits);
    gf_free(t.known);
    return t.turns;
}
