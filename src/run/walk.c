#include "run/walk.h"
#include "base/clock.h"
#include "base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How a block was left. */
typedef enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_FAIL } flow;

static flow walk_block(gf_walk *walk, const gf_plan_block *block);

/* ---- scalars ---- */

static bool load_element(void *user, uint32_t index, uint64_t element, uint64_t *bits) {
    gf_walk *walk = user;
    size_t size = walk->store.sizes[index];
    uint64_t raw = 0;
    if (!gf_store_read(&walk->store, index, (size_t)element * size, &raw, size, walk->diags)) {
        walk->is_told = true;
        return false;
    }
    *bits = gf_element_load(walk->planned->plan->buffers[index].symbol->type, &raw);
    return true;
}

/* In checked mode. What the tree computes is computed once, for the whole grid. */
static bool report_fault(void *user, const gf_eval_fault *fault) {
    gf_walk *walk = user;
    char index[32];
    walk->is_told = true;
    if (walk->held.is_there && walk->held.invocation == 0) { /* the grid counts as its first invocation */
        return gf_walk_tell_held(walk);
    }
    if (fault->array == NULL) {
        return gf_fail(walk->diags, GF_CODE_DIVISION_BY_ZERO, fault->span, "the grid divides by zero");
    }
    if (gf_type_is_signed(fault->type)) {
        (void)snprintf(index, sizeof index, "%" PRId64, (int64_t)fault->index);
    } else {
        (void)snprintf(index, sizeof index, "%" PRIu64, fault->index);
    }
    (void)gf_fail(walk->diags, GF_CODE_OUT_OF_BOUNDS, fault->span,
                  "the grid is at `%s[%s]`, which is out of bounds: its length is %" PRIu64, fault->array->name, index,
                  fault->length);
    gf_fix(walk->diags, "guard the access by `if`, or make the buffer longer");
    return false;
}

bool gf_walk_eval(gf_walk *walk, const gf_expr *expr, uint64_t *bits) {
    if (gf_eval(expr, &walk->env, bits)) {
        return true;
    }
    if (!walk->is_told) {
        (void)gf_fail(walk->diags, GF_CODE_INTERNAL, expr->span, "an expression of the plan has no value");
    }
    return false;
}

uint64_t *gf_walk_register(gf_walk *walk, const gf_symbol *symbol) {
    const gf_scope_entry *entry = gf_scope_find(&walk->planned->scope, symbol);
    return entry != NULL && entry->kind == GF_SCOPE_REGISTER ? &walk->registers[entry->index] : NULL;
}

static bool set_register(gf_walk *walk, const gf_plan_node *node, uint64_t bits) {
    uint64_t *target = gf_walk_register(walk, node->target);
    if (target == NULL) {
        return gf_fail(walk->diags, GF_CODE_INTERNAL, node->span, "the plan has no register `%s`", node->target->name);
    }
    *target = bits;
    return true;
}

static bool eval_condition(gf_walk *walk, const gf_plan_node *node, bool *holds) {
    uint64_t bits = 0;
    if (!gf_walk_eval(walk, node->value, &bits)) {
        return false;
    }
    *holds = bits != 0;
    return true;
}

/* ---- control ---- */

/* A loop of the plan may hold no segment at all, so every turn asks. */
static bool may_go_on(gf_walk *walk) {
    return gf_stop_poll(&walk->job->stop) == GF_STOP_NONE ||
           gf_fail_stopped(&walk->job->stop, &walk->job->options, walk->diags);
}

static flow walk_if(gf_walk *walk, const gf_plan_node *node) {
    bool holds = false;
    if (!eval_condition(walk, node, &holds)) {
        return FLOW_FAIL;
    }
    return walk_block(walk, holds ? node->body : node->otherwise);
}

static flow walk_while(gf_walk *walk, const gf_plan_node *node) {
    for (;;) {
        bool holds = true;
        if (!may_go_on(walk) || (node->value != NULL && !eval_condition(walk, node, &holds))) {
            return FLOW_FAIL;
        }
        if (!holds) {
            return FLOW_NEXT;
        }
        flow left = walk_block(walk, node->body);
        if (left == FLOW_BREAK) {
            return FLOW_NEXT;
        }
        if (left == FLOW_RETURN || left == FLOW_FAIL) {
            return left;
        }
    }
}

static flow walk_for(gf_walk *walk, const gf_plan_node *node) {
    uint64_t from = 0;
    uint64_t to = 0;
    uint64_t step = 1;
    if (!gf_walk_eval(walk, node->from, &from) || !gf_walk_eval(walk, node->to, &to) ||
        (node->step != NULL && !gf_walk_eval(walk, node->step, &step))) {
        return FLOW_FAIL;
    }
    gf_type type = node->target->type;
    uint64_t mask = gf_type_bytes(type) >= 8 ? UINT64_MAX : UINT32_MAX;
    uint64_t turns = gf_eval_turns(type, from, to, step);
    for (uint64_t turn = 0; turn < turns; turn++) {
        if (!may_go_on(walk) || !set_register(walk, node, (from + turn * step) & mask)) {
            return FLOW_FAIL;
        }
        flow left = walk_block(walk, node->body);
        if (left == FLOW_BREAK) {
            return FLOW_NEXT;
        }
        if (left == FLOW_RETURN || left == FLOW_FAIL) {
            return left;
        }
    }
    return FLOW_NEXT;
}

static flow next_if(bool done) {
    return done ? FLOW_NEXT : FLOW_FAIL;
}

static flow walk_node(gf_walk *walk, const gf_plan_node *node) {
    uint64_t bits = 0;
    bool holds = false;
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
        return next_if(gf_walk_segment(walk, node));
    case GF_PLAN_SET:
        return next_if(gf_walk_eval(walk, node->value, &bits) && set_register(walk, node, bits));
    case GF_PLAN_REDUCE:
        return next_if(gf_walk_reduce(walk, node));
    case GF_PLAN_SCAN:
        return next_if(gf_walk_scan(walk, node));
    case GF_PLAN_FILL:
        return next_if(gf_walk_size_hidden(walk, node->buffer) &&
                       gf_store_fill(&walk->store, node->buffer, node->bits, walk->diags));
    case GF_PLAN_SWAP:
        gf_store_swap(&walk->store, node->buffer, node->second);
        return FLOW_NEXT;
    case GF_PLAN_COLLECTIVE:
        return next_if(gf_walk_collective(walk, node));
    case GF_PLAN_CONVERGED:
        if (!eval_condition(walk, node, &holds)) {
            return FLOW_FAIL;
        }
        walk->converged = holds ? 1 : 0;
        return FLOW_NEXT;
    case GF_PLAN_IF:
        return walk_if(walk, node);
    case GF_PLAN_WHILE:
        return walk_while(walk, node);
    case GF_PLAN_FOR:
        return walk_for(walk, node);
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
static flow walk_block(gf_walk *walk, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        flow left = walk_node(walk, block->items[i]);
        if (left != FLOW_NEXT) {
            return left;
        }
    }
    return FLOW_NEXT;
}

/* ---- passes ---- */

static bool ask_caller(gf_walk *walk, bool changed) {
    const gf_run_options *options = &walk->job->options;
    if (options->on_pass == NULL) {
        return true;
    }
    gf_float_mode_leave(&walk->float_mode);
    bool go_on = options->on_pass(options->on_pass_user, walk->pass, changed, gf_clock_seconds() - walk->job->begin);
    gf_float_mode_enter(&walk->float_mode);
    return go_on;
}

static bool run_pass(gf_walk *walk, bool *changed) {
    double begin = gf_clock_seconds();
    memcpy(walk->registers, walk->registers_at_pass, walk->planned->plan->register_count * sizeof *walk->registers);
    if (walk->job->compare) {
        gf_store_mark(&walk->store);
    }
    if (walk_block(walk, walk->planned->plan->body) == FLOW_FAIL) {
        return false;
    }
    walk->stats->passes = walk->pass;
    *changed = true;
    if (walk->job->compare && !gf_store_changed(&walk->store, changed, walk->diags)) {
        return false;
    }
    gf_trace_add(walk->job->options.trace, "pass", "pass", begin, gf_clock_seconds(), UINT64_MAX, walk->pass);
    return true;
}

static bool run_passes(gf_walk *walk) {
    bool changed = true;
    if (walk_block(walk, walk->planned->plan->prologue) == FLOW_FAIL) {
        return false;
    }
    memcpy(walk->registers_at_pass, walk->registers, walk->planned->plan->register_count * sizeof *walk->registers);
    for (walk->pass = 1; walk->pass <= walk->job->max_passes; walk->pass++) {
        if (!may_go_on(walk) || !run_pass(walk, &changed)) {
            return false;
        }
        if (!ask_caller(walk, changed) || (walk->job->compare && !changed)) {
            break;
        }
    }
    walk->stats->converged = walk->job->compare && walk->converged < 0 ? !changed : walk->converged;
    return true;
}

/* ---- begin and end ---- */

static void copy_values(void *context) {
    gf_present *present = context;
    gf_arena *arena = present->program->arena;
    size_t count = gf_tree_count(present->program->checked, GF_SYMBOL_PARAM);
    gf_segment_values *state = gf_new(arena, gf_segment_values);
    present->values = gf_new_array(arena, gf_value, count > 0 ? count : 1);
    *state = (gf_segment_values){.count = count, .values = present->values};
    present->program->segment_state = state;
}

static bool make_presents(gf_walk *walk) {
    const gf_plan *plan = walk->planned->plan;
    walk->presents = gf_calloc(plan->segment_count, sizeof *walk->presents);
    if (walk->presents == NULL) {
        return gf_fail_memory(walk->diags);
    }
    for (size_t i = 0; i < plan->segment_count; i++) {
        gf_program *original = plan->segments[i]->program;
        gf_present *present = &walk->presents[i];
        present->program = gf_program_new(original, walk->diags);
        if (present->program == NULL) {
            return false;
        }
        present->program->source = original->source;
        present->program->parsed = original->parsed;
        present->program->checked = original->checked;
        if (!gf_arena_protect(present->program->arena, copy_values, present)) {
            return gf_fail_memory(walk->diags);
        }
    }
    return true;
}

static bool make_registers(gf_walk *walk) {
    size_t count = walk->planned->plan->register_count;
    walk->registers = gf_calloc(count, sizeof *walk->registers);
    walk->registers_at_pass = gf_calloc(count, sizeof *walk->registers_at_pass);
    if (walk->registers == NULL || walk->registers_at_pass == NULL) {
        return gf_fail_memory(walk->diags);
    }
    walk->frame = (gf_frame){.scope = &walk->planned->scope,
                             .params = walk->job->params,
                             .registers = walk->registers,
                             .lengths = walk->job->lengths, /* until the store has those of hidden buffers too */
                             .load = load_element,
                             .fault = walk->job->options.checked ? report_fault : NULL,
                             .user = walk};
    walk->env = gf_frame_env(&walk->frame);
    gf_env_set_geometry(&walk->env, &walk->job->geometry);
    walk->env.in_group = walk->planned->plan->level == GF_LEVEL_GROUP; /* the only one: see check_level */
    return true;
}

static bool make_profile(gf_walk *walk) {
    const gf_plan *plan = walk->planned->plan;
    walk->profile->entries = gf_calloc(plan->segment_count, sizeof *walk->profile->entries);
    if (walk->profile->entries == NULL) {
        return gf_fail_memory(walk->diags);
    }
    walk->profile->count = plan->segment_count;
    for (size_t i = 0; i < plan->segment_count; i++) {
        gf_profile_entry *entry = &walk->profile->entries[i];
        entry->segment = i;
        (void)snprintf(entry->region, sizeof entry->region, "%s",
                       plan->segments[i]->region != NULL ? plan->segments[i]->region : "");
    }
    return true;
}

/* Known before anything is taken: buffers of the program, and hidden ones whose size needs no register. */
static bool check_memory(gf_walk *walk, gf_device *device) {
    const gf_job *job = walk->job;
    bool direct = device == NULL || device->limits.host_memory;
    uint64_t total = 0;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const gf_job_buffer *buffer = &job->buffers[i];
        bool lent = direct && buffer->bound->kind == GF_BOUND_INPUT;
        bool in_place = buffer->bound->kind == GF_BOUND_DEVICE && (device != NULL || direct);
        total += lent || in_place ? 0 : buffer->bytes;
    }
    for (size_t i = job->buffer_count; i < walk->planned->plan->buffer_count; i++) {
        const gf_plan_buffer *buffer = &walk->planned->plan->buffers[i];
        uint64_t count = 0;
        if (buffer->size != NULL && gf_eval_size(buffer->size, &walk->env, "size of a hidden buffer", &count, NULL)) {
            total += count * gf_type_bytes(buffer->symbol->type);
        }
    }
    return gf_job_check_memory(job, total, "the run", walk->diags);
}

/* A plan that is cut at workgroup barriers is for one workgroup: a device runs it for one after the other. */
static bool check_level(const gf_walk *walk) {
    const uint64_t *groups = walk->job->geometry.groups;
    if (walk->planned->plan->level == GF_LEVEL_GRID || (groups[0] <= 1 && groups[1] <= 1 && groups[2] <= 1)) {
        return true;
    }
    gf_fail(walk->diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN,
            "a plan that is cut at workgroup barriers runs one workgroup, and this run has more");
    gf_fix(walk->diags, "leave gf_plan_options.workgroup out");
    return false;
}

static bool begin_walk(gf_walk *walk, gf_device *device) {
    if (!check_level(walk)) {
        return false;
    }
    if (!make_registers(walk) || !check_memory(walk, device) ||
        !gf_store_init(&walk->store, walk->job, walk->planned->plan, device, walk->diags)) {
        return false;
    }
    walk->frame.lengths = walk->store.lengths;
    walk->inner = gf_diags_create();
    walk->held.diags = gf_diags_create();
    if (walk->inner == NULL || walk->held.diags == NULL) {
        return gf_fail_memory(walk->diags);
    }
    return make_presents(walk) && make_profile(walk);
}

static void end_walk(gf_walk *walk) {
    for (size_t i = 0; walk->presents != NULL && i < walk->planned->plan->segment_count; i++) {
        gf_program_destroy(walk->presents[i].program);
    }
    gf_free(walk->presents);
    gf_free(walk->registers);
    gf_free(walk->registers_at_pass);
    gf_diags_destroy(walk->inner);
    gf_diags_destroy(walk->held.diags);
    gf_store_finish(&walk->store);
}

static bool check_converged(const gf_walk *walk) {
    if (walk->job->options.require_converged && walk->stats->converged == 0) {
        return gf_fail(walk->diags, GF_CODE_NOT_CONVERGED, GF_NO_SPAN, "not converged after %llu pass%s",
                       (unsigned long long)walk->stats->passes, walk->stats->passes == 1 ? "" : "es");
    }
    return true;
}

bool gf_walk_run(gf_walk *walk, gf_device *device) {
    walk->converged = -1;
    walk->stats->segments = walk->planned->plan->segment_count;
    walk->store.watched = walk->planned->watched;
    walk->store.watched_count = walk->planned->watched_count;
    gf_float_mode_enter(&walk->float_mode);
    bool done = begin_walk(walk, device);
    if (done && walk->job->is_empty) {
        walk->stats->passes = 1;
        walk->stats->converged = walk->job->compare ? 1 : -1;
    } else if (done) {
        done = run_passes(walk);
    }
    done = done && check_converged(walk) && gf_store_hand_back(&walk->store, walk->diags);
    walk->stats->bytes_up += walk->store.bytes_up;
    walk->stats->bytes_down += walk->store.bytes_down;
    walk->stats->bytes_device = walk->store.bytes_most;
    end_walk(walk);
    gf_float_mode_leave(&walk->float_mode);
    return done;
}
