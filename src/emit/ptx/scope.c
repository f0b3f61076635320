/* What names stand for: in the body of a segment, and in expressions of the tree of a plan. */
#include "emit/ptx/near.h"
#include "ir/effects.h"
#include "ir/program.h"
#include "ir/visit.h"
#include "plan/share.h"

static size_t param_index(const gf_plan *plan, const gf_symbol *symbol) {
    size_t count = gf_tree_count(plan->program->checked, GF_SYMBOL_PARAM);
    for (size_t i = 0; i < count; i++) {
        if (gf_tree_nth(plan->program->checked, GF_SYMBOL_PARAM, i) == symbol) {
            return i;
        }
    }
    return SIZE_MAX;
}

static bool is_register(const gf_plan *plan, const gf_symbol *symbol) {
    for (size_t i = 0; i < plan->register_count; i++) {
        if (plan->registers[i] == symbol) {
            return true;
        }
    }
    return false;
}

/* Arguments are loaded again at each place: they are operands from constant memory, and take no registers in between.
 */
static gf_pv value_of(gf_ptx_walk *walk, const gf_symbol *symbol) {
    if (walk->level == GF_LEVEL_GRID && !is_register(walk->plan, symbol)) {
        return gf_ptx_arg(walk->e, symbol->type, GF_PTX_ARGS_PARAMS + param_index(walk->plan, symbol));
    }
    return walk->names[symbol->id].value;
}

/* Between two kernels nobody writes what a segment only reads, whatever the plan does with it elsewhere. */
const gf_ptx_array *gf_ptx_array_of(gf_ptx_walk *walk, uint32_t buffer, gf_role role) {
    gf_ptx_emit *e = walk->e;
    if (walk->level == GF_LEVEL_GROUP) {
        return walk->names[walk->plan->buffers[buffer].symbol->id].array;
    }
    if (walk->arrays[buffer] != NULL && walk->arrays[buffer]->space == GF_PTX_OWN) {
        return walk->arrays[buffer];
    }
    size_t word = gf_ptx_arg_of_buffer(walk->plan, buffer);
    gf_ptx_array *array = gf_new(e->arena, gf_ptx_array);
    if (walk->arrays[buffer] != NULL) {
        *array = *walk->arrays[buffer];
        array->data = array->space == GF_PTX_NEAR ? gf_ptx_near_base(e, array->slot) : array->data;
    } else {
        array->data = gf_ptx_arg(e, GF_TYPE_U64, word);
        array->is_written = e->written[buffer];
    }
    if ((walk->by_stages || walk->steps != NULL) && role == GF_ROLE_IN) {
        array->is_written = false;
        array->is_late = e->options.dependent && e->written[buffer];
    }
    array->is_tracked = e->options.tracked != NULL && e->options.tracked[buffer];
    array->count = gf_ptx_arg(e, GF_TYPE_U64, word + 1);
    return array;
}

typedef struct need {
    gf_ptx_walk *walk;
    bool reads;
} need;

static bool note_need(void *user, const gf_expr *expr) {
    need *n = user;
    n->reads |= expr->kind == GF_EXPR_LOAD || expr->kind == GF_EXPR_ATOMIC;
    const gf_symbol *symbol = expr->ref.symbol;
    if (n->walk == NULL || n->walk->level != GF_LEVEL_GRID || symbol == NULL) {
        return true;
    }
    if (symbol->kind == GF_SYMBOL_PARAM) {
        n->walk->names[symbol->id].value = value_of(n->walk, symbol);
    }
    for (uint32_t i = 0; symbol->kind == GF_SYMBOL_BUFFER && i < n->walk->plan->buffer_count; i++) {
        if (n->walk->plan->buffers[i].symbol == symbol) {
            n->walk->names[symbol->id].array = gf_ptx_array_of(n->walk, i, GF_ROLE_INOUT);
        }
    }
    return true;
}

bool gf_ptx_reads_memory(const gf_expr *expr) {
    need n = {0};
    gf_visitor visitor = {.user = &n, .expr = note_need, .into_calls = true};
    gf_visit_expr(&visitor, expr);
    return n.reads;
}

/* Statements that are told of later must outlive the emitter. */
static bool holds_trap(const gf_block *body) {
    for (size_t i = 0; i < body->count; i++) {
        if (gf_holds_trap(body->items[i])) {
            return true;
        }
    }
    return false;
}

/* A segment's tree with what it computes twice computed once; as it is in checked code, which tells of each fault in
 * its order, and where it is to be cut at the barriers of workgroups. */
static const gf_tree *tree_of(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    if (walk->level != GF_LEVEL_GRID || e->options.checked || gf_ptx_needs_groups(segment->tree) ||
        holds_trap(segment->tree->kernel.body)) {
        return segment->tree;
    }
    if (walk->trees == NULL) {
        walk->trees = gf_new_array(e->arena, const gf_tree *, walk->plan->segment_count);
    }
    if (walk->trees[segment->index] == NULL) {
        walk->trees[segment->index] = gf_share_values(e->arena, segment->tree);
    }
    return walk->trees[segment->index];
}

gf_ptx_scope gf_ptx_enter(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_scope scope = {.tree = e->tree, .names = e->names};
    const gf_tree *tree = tree_of(walk, segment);
    gf_ptx_named *names = gf_new_array(e->arena, gf_ptx_named, tree->symbol_count);
    for (size_t i = 0; i < segment->param_count; i++) {
        names[segment->params[i].symbol->id].value = value_of(walk, segment->params[i].source);
    }
    for (size_t i = 0; i < segment->buffer_count; i++) {
        names[segment->buffers[i].symbol->id].array =
            gf_ptx_array_of(walk, segment->buffers[i].buffer, segment->buffers[i].role);
    }
    e->tree = tree;
    e->names = names;
    return scope;
}

gf_ptx_scope gf_ptx_enter_plan(gf_ptx_walk *walk, const gf_expr *expr) {
    gf_ptx_emit *e = walk->e;
    gf_ptx_scope scope = {.tree = e->tree, .names = e->names};
    need n = {.walk = walk};
    gf_visitor visitor = {.user = &n, .expr = note_need, .into_calls = true};
    gf_visit_expr(&visitor, expr);
    e->tree = walk->plan->program->checked;
    e->names = walk->names;
    return scope;
}

void gf_ptx_leave(gf_ptx_emit *e, gf_ptx_scope scope) {
    e->tree = scope.tree;
    e->names = scope.names;
}
