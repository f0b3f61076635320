/* The scalar expressions of a plan's tree: conditions, bounds and values of registers, one function each. */
#include "emit/llvm/emitter.h"
#include "ir/visit.h"
#include <stdio.h>

typedef struct numbering {
    gf_llvm_scalar_fn *visit;
    void *user;
    size_t next;
} numbering;

static void number_expr(numbering *n, const gf_plan_node *node, const gf_expr *expr) {
    if (expr != NULL) {
        if (n->visit != NULL) {
            n->visit(n->user, node, expr, n->next);
        }
        n->next++;
    }
}

/* As deep as the tree, which the parser bounds. */
static void number_block(numbering *n, const gf_plan_block *block) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        number_expr(n, node, node->value);
        number_expr(n, node, node->from);
        number_expr(n, node, node->to);
        number_expr(n, node, node->step);
        number_expr(n, node, node->count);
        number_block(n, node->body);
        number_block(n, node->otherwise);
    }
}

size_t gf_llvm_each_scalar(const gf_plan *plan, gf_llvm_scalar_fn *visit, void *user) {
    numbering n = {.visit = visit, .user = user};
    number_block(&n, plan->prologue);
    number_block(&n, plan->body);
    return n.next;
}

static LLVMValueRef field(gf_emit *e, LLVMValueRef scalars, size_t offset) {
    return gf_word_ptr(e, scalars, offset / 8);
}

/* Names of the plan: each is a load, which LLVM drops where nothing uses it. */
static void bind_names(gf_emit *e, LLVMValueRef scalars) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef params = field(e, scalars, offsetof(gf_abi_scalars, params)),
                 registers = field(e, scalars, offsetof(gf_abi_scalars, registers)),
                 buffers = field(e, scalars, offsetof(gf_abi_scalars, buffers));
    size_t at = 0;
    for (size_t i = 0; i < e->tree->decl_count; i++) {
        const gf_symbol *symbol = e->tree->decls[i];
        if (symbol->kind == GF_SYMBOL_PARAM) {
            gf_name(e, symbol)->value = gf_from_bits(e, symbol->type, gf_word(e, params, at++));
        }
    }
    for (size_t i = 0; i < e->plan->register_count; i++) {
        const gf_symbol *symbol = e->plan->registers[i];
        gf_name(e, symbol)->value = gf_from_bits(e, symbol->type, gf_word(e, registers, i));
    }
    for (size_t i = 0; i < e->plan->buffer_count; i++) {
        const gf_symbol *symbol = e->plan->buffers[i].symbol;
        gf_array *array = gf_new(e->arena, gf_array);
        *array = (gf_array){.data = gf_word_ptr(e, buffers, 2 * i), .count = gf_word(e, buffers, 2 * i + 1)};
        gf_name(e, symbol)->array = array;
    }
    for (int axis = 0; axis < 3; axis++) {
        size_t space = offsetof(gf_abi_scalars, space) / 8 + (size_t)axis,
               groups = offsetof(gf_abi_scalars, groups) / 8 + (size_t)axis;
        e->space[axis] = LLVMBuildTrunc(b, gf_word(e, scalars, space), e->ll.i32, "");
        e->groups[axis] = LLVMBuildTrunc(b, gf_word(e, scalars, groups), e->ll.i32, "");
        e->gid[axis] = e->lid[axis] = e->wid[axis] = NULL;
    }
}

static bool look_for_call(void *user, const gf_expr *expr) {
    bool *calls = user;
    *calls |= expr->kind == GF_EXPR_CALL;
    return !*calls;
}

void gf_emit_scalar(gf_emit *e, const gf_expr *expr, size_t index) {
    char name[32];
    (void)snprintf(name, sizeof name, "scalar_%zu", index);
    LLVMTypeRef type = LLVMFunctionType(e->ll.i64, &e->ll.ptr, 1, 0);
    LLVMValueRef function = LLVMAddFunction(e->ll.module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    e->functions[e->plan->segment_count + index] = function;
    gf_begin_function(e, function, NULL);
    bind_names(e, LLVMGetParam(e->function, 0));
    bool calls = false;
    gf_visit_expr(&(gf_visitor){.user = &calls, .expr = look_for_call}, expr);
    if (e->options.checked || calls) {
        e->worker = gf_word_ptr(e, LLVMGetParam(e->function, 0), offsetof(gf_abi_scalars, worker) / 8);
    }
    if (calls) { /* of a function with a loop that might not end */
        e->stop = gf_word_ptr(e, e->worker, offsetof(gf_abi_worker, stop) / 8);
    }
    LLVMValueRef value = gf_emit_expr(e, expr);
    LLVMBuildRet(e->ll.builder, gf_to_bits(e, expr->type, value));
    gf_end_function(e);
}
