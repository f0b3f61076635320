/* Workgroups with barriers: the plan of a segment, cut at its workgroup barriers, as code. The lanes of each piece run
 * in turn, on one thread; what crosses a cut, the workgroup arrays and the values of group operations lie in memory of
 * that thread. Registers are variables, and LLVM makes real registers of them. */
#include "emit/llvm/emitter.h"
#include "ir/eval.h"

static void emit_nodes(gf_emit *e, const gf_plan *plan, const gf_plan_block *block);

static LLVMValueRef slot_of(gf_emit *e, const gf_symbol *symbol) {
    return gf_name(e, symbol)->slot;
}

static void set_register(gf_emit *e, const gf_symbol *symbol, LLVMValueRef value) {
    LLVMBuildStore(e->ll.builder, value, slot_of(e, symbol));
}

static void emit_piece(gf_emit *e, const gf_plan *plan, const gf_segment *segment) {
    const gf_tree *tree = e->tree;
    gf_named *names = e->names;
    gf_emit_tree(e, segment->tree);
    for (size_t i = 0; i < segment->param_count; i++) {
        const gf_symbol *source = segment->params[i].source;
        const gf_named *outer = &names[source->id];
        LLVMValueRef value = outer->value;
        if (outer->slot != NULL) {
            value = LLVMBuildLoad2(e->ll.builder, gf_ll_type(&e->ll, source->type), outer->slot, source->name);
        }
        gf_name(e, segment->params[i].symbol)->value = value;
    }
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_symbol *outer = plan->buffers[segment->buffers[i].buffer].symbol;
        gf_name(e, segment->buffers[i].symbol)->array = names[outer->id].array;
    }
    gf_emit_group_lanes(e, segment->tree->kernel.body);
    e->tree = tree;
    e->names = names;
}

/* ---- whole buffers ---- */

typedef struct filler {
    const gf_symbol *buffer;
    LLVMValueRef value;
} filler;

static void fill_one(gf_emit *e, LLVMValueRef i, void *context) {
    const filler *fill = context;
    LLVMBuildStore(e->ll.builder, fill->value, gf_element_ptr(e, fill->buffer, i));
}

static void emit_fill(gf_emit *e, const gf_plan *plan, const gf_plan_node *node) {
    const gf_symbol *buffer = plan->buffers[node->buffer].symbol;
    LLVMValueRef count = gf_name(e, buffer)->array->count;
    LLVMTypeRef type = gf_ll_stored(&e->ll, buffer->type);
    if (node->bits == 0) {
        LLVMValueRef bytes = LLVMBuildMul(e->ll.builder, count, gf_i64(e, gf_type_bytes(buffer->type)), "");
        LLVMBuildMemSet(e->ll.builder, gf_name(e, buffer)->array->data, LLVMConstInt(e->ll.i8, 0, 0), bytes, 64);
        return;
    }
    LLVMTypeRef bits = LLVMIntTypeInContext(e->ll.context, 8 * (unsigned)gf_type_bytes(buffer->type));
    filler fill = {.buffer = buffer, .value = LLVMConstBitCast(LLVMConstInt(bits, node->bits, 0), type)};
    gf_emit_range(e, gf_i64(e, 0), count, "fill", fill_one, &fill);
}

static void emit_reduce(gf_emit *e, const gf_plan *plan, const gf_plan_node *node) {
    const gf_symbol *buffer = plan->buffers[node->buffer].symbol;
    const gf_array *values = gf_name(e, buffer)->array;
    gf_type type = node->target->type == GF_TYPE_BOOL ? GF_TYPE_BOOL : buffer->type;
    set_register(e, node->target, gf_emit_fold(e, node->combine, type, buffer->type, values->data, values->count));
}

typedef struct scanner {
    const gf_symbol *from, *to;
    LLVMValueRef sum;
    LLVMTypeRef type;
} scanner;

static void scan_one(gf_emit *e, LLVMValueRef i, void *context) {
    const scanner *scan = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef value = LLVMBuildLoad2(b, scan->type, gf_element_ptr(e, scan->from, i), "");
    LLVMValueRef sum = LLVMBuildLoad2(b, scan->type, scan->sum, "");
    LLVMBuildStore(b, sum, gf_element_ptr(e, scan->to, i));
    LLVMBuildStore(b, LLVMBuildAdd(b, sum, value, ""), scan->sum);
}

static void emit_scan(gf_emit *e, const gf_plan *plan, const gf_plan_node *node) {
    scanner scan = {.from = plan->buffers[node->buffer].symbol, .to = plan->buffers[node->second].symbol};
    scan.type = gf_ll_stored(&e->ll, scan.from->type);
    scan.sum = gf_alloca(e, scan.type, "sum");
    LLVMBuildStore(e->ll.builder, LLVMConstNull(scan.type), scan.sum);
    gf_emit_range(e, gf_i64(e, 0), gf_name(e, scan.from)->array->count, "scan", scan_one, &scan);
}

/* ---- control ---- */

static void emit_if(gf_emit *e, const gf_plan *plan, const gf_plan_node *node) {
    LLVMBasicBlockRef then = gf_block_new(e, "group_then"), otherwise = gf_block_new(e, "group_else"),
                      after = gf_block_new(e, "group_endif");
    LLVMBuildCondBr(e->ll.builder, gf_emit_expr(e, node->value), then, otherwise);
    gf_at(e, then);
    emit_nodes(e, plan, node->body);
    gf_branch(e, after);
    gf_at(e, otherwise);
    emit_nodes(e, plan, node->otherwise);
    gf_branch(e, after);
    gf_at(e, after);
}

static void emit_inside(gf_emit *e, const gf_plan *plan, const gf_plan_block *body, LLVMBasicBlockRef latch,
                        LLVMBasicBlockRef after) {
    gf_exit exit = {.outer = e->exit, .on_break = after, .on_continue = latch};
    e->exit = &exit;
    emit_nodes(e, plan, body);
    e->exit = exit.outer;
    gf_branch(e, latch);
}

static void emit_while(gf_emit *e, const gf_plan *plan, const gf_plan_node *node) {
    LLVMBasicBlockRef head = gf_block_new(e, "group_while"), body = gf_block_new(e, ""), after = gf_block_new(e, "");
    gf_branch(e, head);
    gf_at(e, head);
    gf_poll(e);
    LLVMBuildCondBr(e->ll.builder, gf_emit_expr(e, node->value), body, after);
    gf_at(e, body);
    emit_inside(e, plan, node->body, head, after);
    gf_at(e, after);
}

static void emit_for(gf_emit *e, const gf_plan *plan, const gf_plan_node *node) {
    LLVMBuilderRef b = e->ll.builder;
    gf_type type = node->target->type;
    LLVMValueRef from = gf_emit_expr(e, node->from), to = gf_emit_expr(e, node->to);
    LLVMValueRef step = node->step != NULL ? gf_emit_expr(e, node->step) : NULL;
    LLVMValueRef turns = gf_ll_turns(&e->ll, type, from, to, step);
    LLVMValueRef turn = gf_alloca(e, e->ll.i64, "turn");
    LLVMBasicBlockRef head = gf_block_new(e, "group_for"), body = gf_block_new(e, ""), latch = gf_block_new(e, ""),
                      after = gf_block_new(e, "");
    LLVMBuildStore(b, gf_i64(e, 0), turn);
    gf_branch(e, head);
    gf_at(e, head);
    gf_poll(e);
    LLVMValueRef t = LLVMBuildLoad2(b, e->ll.i64, turn, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, t, turns, ""), body, after);
    gf_at(e, body);
    LLVMValueRef wide = LLVMBuildMul(b, t, step != NULL ? gf_extend(e, type, step) : gf_i64(e, 1), "");
    wide = LLVMBuildAdd(b, gf_extend(e, type, from), wide, "");
    set_register(e, node->target, LLVMBuildTrunc(b, wide, gf_ll_type(&e->ll, type), ""));
    emit_inside(e, plan, node->body, latch, after);
    gf_at(e, latch);
    LLVMBuildStore(b, LLVMBuildAdd(b, LLVMBuildLoad2(b, e->ll.i64, turn, ""), gf_i64(e, 1), ""), turn);
    gf_branch(e, head);
    gf_at(e, after);
}

static void emit_node(gf_emit *e, const gf_plan *plan, const gf_plan_node *node) {
    switch (node->kind) {
    case GF_PLAN_SEGMENT:
        emit_piece(e, plan, node->segment);
        break;
    case GF_PLAN_SET:
        set_register(e, node->target, gf_emit_expr(e, node->value));
        break;
    case GF_PLAN_REDUCE:
        emit_reduce(e, plan, node);
        break;
    case GF_PLAN_SCAN:
        emit_scan(e, plan, node);
        break;
    case GF_PLAN_FILL:
        emit_fill(e, plan, node);
        break;
    case GF_PLAN_IF:
        emit_if(e, plan, node);
        break;
    case GF_PLAN_WHILE:
        emit_while(e, plan, node);
        break;
    case GF_PLAN_FOR:
        emit_for(e, plan, node);
        break;
    case GF_PLAN_BREAK:
        gf_branch(e, e->exit->on_break);
        break;
    case GF_PLAN_CONTINUE:
        gf_branch(e, e->exit->on_continue);
        break;
    case GF_PLAN_RETURN:
        gf_branch(e, e->on_group_end);
        break;
    case GF_PLAN_SWAP: /* of the grid alone */
    case GF_PLAN_COLLECTIVE:
    case GF_PLAN_CONVERGED:
        break;
    }
}

static void emit_nodes(gf_emit *e, const gf_plan *plan, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count && gf_is_open(e); i++) {
        emit_node(e, plan, block->items[i]);
    }
}

/* ---- one workgroup after the other ---- */

static void emit_group(gf_emit *e, LLVMValueRef group, void *context) {
    const gf_plan *plan = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef rest = group;
    for (int axis = 0; axis < 3; axis++) {
        LLVMValueRef count = LLVMBuildZExt(b, e->groups[axis], e->ll.i64, "");
        LLVMValueRef at = rest;
        if (axis < 2) {
            at = LLVMBuildURem(b, rest, count, "");
            rest = LLVMBuildUDiv(b, rest, count, "");
        }
        e->wid[axis] = LLVMBuildTrunc(b, at, e->ll.i32, "wid");
    }
    e->on_group_end = gf_block_new(e, "group_end");
    e->exit = NULL;
    gf_poll(e);
    emit_nodes(e, plan, plan->prologue);
    emit_nodes(e, plan, plan->body);
    gf_branch(e, e->on_group_end);
    gf_at(e, e->on_group_end);
}

void gf_emit_groups(gf_emit *e, const gf_plan *plan, LLVMValueRef begin, LLVMValueRef end) {
    for (size_t i = 0; i < plan->register_count; i++) {
        const gf_symbol *symbol = plan->registers[i];
        LLVMTypeRef type = gf_ll_type(&e->ll, symbol->type);
        gf_name(e, symbol)->slot = gf_alloca(e, type, symbol->name);
        LLVMBuildStore(e->ll.builder, LLVMConstNull(type), gf_name(e, symbol)->slot);
    }
    gf_emit_range(e, begin, end, "group", emit_group, (void *)(uintptr_t)plan);
}
