/* A workgroup: its plan one level down, as code of the thread block that is the workgroup. What crosses a workgroup
 * barrier stays in registers, small arrays too; large ones of an invocation that do lie in memory of the block. */
#include "emit/ptx/grid.h"
#include "ir/eval.h"
#include "ir/program.h"
#include <string.h>

#define ALIGN 16
#define MOST_OF_LANE 256 /* bytes of an array of a thread that stay with it over a barrier */

/* ---- memory ---- */

static const gf_ptx_array *shared_array(gf_ptx_emit *e, const gf_symbol *symbol) {
    gf_ptx_array *array = gf_new(e->arena, gf_ptx_array);
    *array = (gf_ptx_array){.space = GF_PTX_SHARED,
                            .base = "gf_shared",
                            .data = gf_ptx_u64(e->shared_bytes),
                            .count = gf_ptx_u64(symbol->length),
                            .is_written = true};
    e->shared_bytes += (symbol->length * gf_type_bytes(symbol->type) + ALIGN - 1) / ALIGN * ALIGN;
    return array;
}

/* Workgroup arrays begin as zeros. */
static void clear_shared(gf_ptx_emit *e, uint64_t bytes) {
    gf_pv at = gf_ptx_new_value(&e->p, GF_TYPE_U32), base = gf_ptx_new_value(&e->p, GF_TYPE_U32);
    uint32_t head = gf_ptx_label(&e->p), done = gf_ptx_label(&e->p);
    gf_ptx_line(&e->p, "mov.u32 %s, gf_shared;", gf_ptx_spell(base).text);
    gf_ptx_move(&e->p, at, gf_ptx_thread(e));
    gf_ptx_place(&e->p, head);
    gf_ptx_jump_if(&e->p, gf_ptx_do(e, GF_OP_GE, at, gf_ptx_u32((bytes + 3) / 4)), true, done);
    gf_pv address = gf_ptx_do(e, GF_OP_ADD, base, gf_ptx_do(e, GF_OP_MUL, at, gf_ptx_u32(4)));
    gf_ptx_line(&e->p, "st.shared.u32 [%s], 0;", gf_ptx_spell(address).text);
    gf_ptx_move(&e->p, at, gf_ptx_do(e, GF_OP_ADD, at, gf_ptx_threads(e)));
    gf_ptx_jump(&e->p, head);
    gf_ptx_place(&e->p, done);
}

/* ---- names of the plan one level down ---- */

static uint64_t constant_size(const gf_plan_buffer *buffer) {
    gf_env env = {0};
    uint64_t count = 0;
    return buffer->size != NULL && gf_eval_size(buffer->size, &env, "", &count, NULL) ? count : 0;
}

/* A small array that crosses a barrier of the workgroup stays with its thread, where the driver's compiler makes
 * registers of it as it does of others. NULL: it is too large. */
static const gf_ptx_array *lane_array(gf_ptx_emit *e, const gf_plan_buffer *buffer) {
    const uint32_t *size = e->tree->kernel.workgroup;
    uint64_t count = constant_size(buffer) / ((uint64_t)size[0] * size[1] * size[2]);
    uint64_t bytes = (count * gf_type_bytes(buffer->symbol->type) + ALIGN - 1) / ALIGN * ALIGN;
    if (bytes > MOST_OF_LANE) {
        return NULL;
    }
    gf_ptx_array *array = gf_new(e->arena, gf_ptx_array);
    *array = (gf_ptx_array){.space = GF_PTX_LOCAL,
                            .base = "gf_local",
                            .data = gf_ptx_u64(e->local_now),
                            .count = gf_ptx_u64(count),
                            .is_written = true,
                            .is_by_lane = true};
    e->local_now += bytes;
    e->local_bytes = e->local_now > e->local_bytes ? e->local_now : e->local_bytes;
    return array;
}

/* Hidden arrays of arrays: one part of memory for each block. */
static const gf_ptx_array *block_array(gf_ptx_emit *e, const gf_plan_buffer *buffer, uint64_t *offset) {
    uint64_t count = constant_size(buffer);
    gf_pv each = gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_BLOCK + 1);
    gf_pv at = gf_ptx_do(e, GF_OP_MUL, gf_ptx_cast(&e->p, GF_TYPE_U64, gf_ptx_block(e)), each);
    at = gf_ptx_do(e, GF_OP_ADD, gf_ptx_arg(e, GF_TYPE_U64, GF_PTX_ARGS_BLOCK), at);
    gf_ptx_array *array = gf_new(e->arena, gf_ptx_array);
    *array = (gf_ptx_array){.data = gf_ptx_register(&e->p, gf_ptx_do(e, GF_OP_ADD, at, gf_ptx_u64(*offset))),
                            .count = gf_ptx_u64(count),
                            .is_written = true};
    *offset += (count * gf_type_bytes(buffer->symbol->type) + ALIGN - 1) / ALIGN * ALIGN;
    return array;
}

static const gf_ptx_array *own_array(gf_ptx_emit *e, const gf_symbol *symbol) {
    gf_ptx_array *array = gf_new(e->arena, gf_ptx_array);
    *array = (gf_ptx_array){.space = GF_PTX_OWN, .own = gf_ptx_new_value(&e->p, gf_type_loaded(symbol->type))};
    gf_ptx_move(&e->p, array->own, gf_ptx_constant(array->own.type, 0));
    return array;
}

typedef struct set_count {
    const gf_expr *value;
    unsigned count;
} set_count;

static void count_sets(const gf_plan_block *block, const gf_symbol *symbol, set_count *found) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        if (node->target == symbol) {
            found->value = node->kind == GF_PLAN_SET ? node->value : NULL;
            found->count++;
        }
        count_sets(node->body, symbol, found);
        count_sets(node->otherwise, symbol, found);
    }
}

/* Arguments of functions with barriers are registers of the plan: many of them are one number and nothing else. Nobody
 * reads a `let` before it is set, unlike a variable. */
static bool is_number(const gf_plan *plan, const gf_symbol *symbol, uint64_t *bits) {
    set_count found = {0};
    gf_env env = {0};
    if (symbol->kind != GF_SYMBOL_LET && symbol->kind != GF_SYMBOL_ARGUMENT) {
        return false;
    }
    count_sets(plan->prologue, symbol, &found);
    count_sets(plan->body, symbol, &found);
    return found.count == 1 && found.value != NULL && gf_eval(found.value, &env, bits);
}

static gf_ptx_named *make_names(gf_ptx_emit *e, const gf_plan *plan) {
    gf_ptx_named *names = gf_new_array(e->arena, gf_ptx_named, plan->symbol_count);
    memcpy(names, e->names, e->tree->symbol_count * sizeof *names);
    e->shared_bytes = 0;
    for (size_t i = 0; i < plan->register_count; i++) {
        const gf_symbol *symbol = plan->registers[i];
        uint64_t bits = 0;
        if (is_number(plan, symbol, &bits)) {
            names[symbol->id].value = gf_ptx_constant(symbol->type, bits);
            continue;
        }
        names[symbol->id].value = gf_ptx_new_value(&e->p, symbol->type);
        gf_ptx_move(&e->p, names[symbol->id].value, gf_ptx_constant(symbol->type, 0));
    }
    uint64_t offset = 0;
    for (size_t i = 0; i < plan->buffer_count; i++) {
        const gf_plan_buffer *buffer = &plan->buffers[i];
        if (buffer->kind == GF_PLAN_BUFFER_PROGRAM) {
            continue;
        }
        const gf_ptx_array *array = buffer->kind == GF_PLAN_BUFFER_SHARED ? shared_array(e, buffer->symbol)
                                    : buffer->of_array                    ? lane_array(e, buffer)
                                                                          : own_array(e, buffer->symbol);
        names[buffer->symbol->id].array = array != NULL ? array : block_array(e, buffer, &offset);
    }
    e->block_bytes = offset > e->block_bytes ? offset : e->block_bytes;
    return names;
}

/* ---- what each lane does between two barriers of its workgroup ---- */

/* Values that nobody says are neutral. */
static void begin_values(gf_ptx_walk *walk, const gf_plan_block *block, const gf_segment *segment) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        begin_values(walk, node->body, segment);
        begin_values(walk, node->otherwise, segment);
        if (node->kind != GF_PLAN_REDUCE && node->kind != GF_PLAN_SCAN) {
            continue;
        }
        for (size_t k = 0; k < segment->buffer_count; k++) {
            if (segment->buffers[k].buffer == node->buffer && segment->buffers[k].role != GF_ROLE_IN) {
                const gf_symbol *values = walk->plan->buffers[node->buffer].symbol;
                gf_pv own = walk->names[values->id].array->own;
                gf_combine combine = node->kind == GF_PLAN_SCAN ? GF_COMBINE_ADD : node->combine;
                bool is_bool = node->kind == GF_PLAN_REDUCE && node->target->type == GF_TYPE_BOOL;
                gf_pv neutral = gf_ptx_neutral(combine, is_bool ? GF_TYPE_BOOL : own.type);
                gf_ptx_move(&walk->e->p, own, gf_ptx_constant(own.type, neutral.bits));
            }
        }
    }
}

void gf_ptx_emit_piece(gf_ptx_walk *walk, const gf_segment *segment) {
    gf_ptx_emit *e = walk->e;
    uint32_t end = gf_ptx_label(&e->p), on_end = e->on_end, on_return = e->on_return;
    begin_values(walk, walk->plan->body, segment);
    gf_ptx_scope scope = gf_ptx_enter(walk, segment);
    gf_ptx_listen(e); /* whoever is not in the space comes to the end too, with nothing to tell */
    gf_ptx_jump_if(&e->p, walk->in_space, false, end);
    e->on_end = e->on_return = end;
    gf_ptx_emit_block(e, segment->tree->kernel.body);
    gf_ptx_place(&e->p, end);
    e->is_open = true;
    gf_ptx_tell(e);
    e->on_end = on_end;
    e->on_return = on_return;
    gf_ptx_leave(e, scope);
}

/* ---- the workgroup ---- */

void gf_ptx_emit_group(gf_ptx_emit *e, const gf_segment *segment, gf_pv in_space) {
    gf_plan_options options = {.workgroup = true, .checked = e->options.checked};
    gf_push(e->arena, &e->plans, NULL); /* room first: what is made must not be lost where memory ends */
    gf_plan *plan = gf_plan_create(segment->program, &options, e->diags);
    e->plans.items[e->plans.count - 1] = plan;
    if (plan == NULL) {
        e->failed = true;
        return;
    }
    gf_ptx_scope scope = {.tree = e->tree, .names = e->names};
    uint64_t local = e->local_now;
    gf_ptx_walk walk = {.e = e, .plan = plan, .level = GF_LEVEL_GROUP, .names = make_names(e, plan)};
    walk.in_space = gf_ptx_new_value(&e->p, GF_TYPE_BOOL);
    gf_ptx_move(&e->p, walk.in_space, in_space);
    walk.on_return = gf_ptx_label(&e->p);
    e->most_shared_bytes = e->shared_bytes > e->most_shared_bytes ? e->shared_bytes : e->most_shared_bytes;
    if (e->shared_bytes > 0) {
        gf_ptx_sync(e); /* of the workgroup before nobody reads any more */
        clear_shared(e, e->shared_bytes);
        walk.after_write = true;
    }
    gf_ptx_exit *exit = e->exit;
    e->exit = NULL;
    gf_ptx_walk_block(&walk, plan->prologue);
    gf_ptx_walk_block(&walk, plan->body);
    gf_ptx_place(&e->p, walk.on_return);
    e->is_open = true;
    e->exit = exit;
    e->local_now = local;
    gf_ptx_leave(e, scope);
}
