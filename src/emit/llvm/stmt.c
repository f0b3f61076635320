/* What one invocation executes. */
#include "emit/llvm/emitter.h"
#include "ir/visit.h"
#include <string.h>

#define FEW_TURNS 64
#define MOST_STACK ((uint64_t)256 << 10) /* bytes of local arrays in a function */
#define LINE 64

/* Whatever takes as long as its numbers say. */
static bool is_loop(const gf_stmt *stmt) {
    return stmt->kind == GF_STMT_FOR || stmt->kind == GF_STMT_WHILE || stmt->kind == GF_STMT_LOOP ||
           stmt->kind == GF_STMT_COPY_ASYNC;
}

static bool look_for_loop(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found |= is_loop(stmt);
    return !*found;
}

bool gf_holds_loop(const gf_block *block) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .stmt = look_for_loop, .into_calls = true};
    gf_visit_block(&visitor, block);
    return found;
}

/* from .. to, both written out, few turns, and no loop inside. */
static bool is_short(const gf_stmt *stmt) {
    return stmt->kind == GF_STMT_FOR && stmt->step == NULL && stmt->from->kind == GF_EXPR_LITERAL &&
           ((stmt->to->kind == GF_EXPR_LITERAL && stmt->to->bits <= FEW_TURNS) ||
            (stmt->to->kind == GF_EXPR_NAME && stmt->to->ref.symbol->kind == GF_SYMBOL_CONST &&
             stmt->to->ref.symbol->constant.bits <= FEW_TURNS)) &&
           !gf_holds_loop(stmt->body);
}

static bool look_for_long(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || (is_loop(stmt) && !is_short(stmt));
    return !*found;
}

bool gf_holds_long_loop(const gf_block *block) {
    bool found = false;
    gf_visitor visitor = {.user = &found, .stmt = look_for_long, .into_calls = true};
    gf_visit_block(&visitor, block);
    return found;
}

/* A stack is small, and may be the caller's: arrays that do not fit lie in memory of the thread. */
static LLVMValueRef in_memory(gf_emit *e, gf_named *name, uint64_t bytes) {
    gf_llvm_segment *info = &e->out->segments[e->segment];
    if (name->memory_bytes == 0) {
        name->memory_offset = info->group_bytes;
        name->memory_bytes = (bytes + LINE - 1) / LINE * LINE;
        info->group_bytes += name->memory_bytes;
    }
    LLVMValueRef memory = gf_word_ptr(e, e->worker, offsetof(gf_abi_worker, group_memory) / 8);
    LLVMValueRef offset = gf_i64(e, name->memory_offset);
    return LLVMBuildGEP2(e->ll.builder, e->ll.i8, memory, &offset, 1, "array");
}

void gf_declare_var(gf_emit *e, const gf_symbol *symbol) {
    gf_named *name = gf_name(e, symbol);
    if (symbol->is_array) {
        uint64_t bytes = symbol->length * gf_type_bytes(symbol->type);
        name->type = LLVMArrayType2(gf_ll_stored(&e->ll, symbol->type), symbol->length > 0 ? symbol->length : 1);
        e->stack_bytes += bytes;
        name->slot = e->stack_bytes > MOST_STACK ? in_memory(e, name, bytes) : gf_alloca(e, name->type, symbol->name);
        e->stack_bytes -= e->stack_bytes > MOST_STACK ? bytes : 0;
        return;
    }
    name->type = gf_ll_type(&e->ll, symbol->type);
    name->slot = gf_alloca(e, name->type, symbol->name);
}

static void emit_var(gf_emit *e, const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    LLVMValueRef value = stmt->value != NULL ? gf_emit_expr(e, stmt->value) : NULL;
    gf_declare_var(e, symbol);
    const gf_named *name = gf_name(e, symbol);
    if (symbol->is_array) {
        uint64_t bytes = symbol->length * gf_type_bytes(symbol->type);
        LLVMBuildMemSet(e->ll.builder, name->slot, LLVMConstInt(e->ll.i8, 0, 0), gf_i64(e, bytes), 8);
        return;
    }
    LLVMBuildStore(e->ll.builder, value != NULL ? value : LLVMConstNull(name->type), name->slot);
}

static void emit_assign(gf_emit *e, const gf_stmt *stmt) {
    const gf_symbol *symbol = stmt->target.symbol;
    const gf_named *name = gf_name(e, symbol);
    LLVMValueRef value = gf_emit_expr(e, stmt->value);
    if (stmt->op != GF_OP_NONE) {
        LLVMValueRef old = LLVMBuildLoad2(e->ll.builder, name->type, name->slot, "");
        value = gf_emit_operation(e, stmt->op, symbol->type, stmt->value->type, old, value, NULL, stmt->span);
    }
    LLVMBuildStore(e->ll.builder, value, name->slot);
}

/* No lane that is being emitted comes into the body. */
static bool is_skipped(const gf_emit *e, const gf_stmt *stmt) {
    for (unsigned i = 0; i < e->single_count; i++) {
        if (e->singles[i].stmt == stmt) {
            return true;
        }
    }
    return false;
}

static void emit_if(gf_emit *e, const gf_stmt *stmt) {
    if (is_skipped(e, stmt)) {
        gf_emit_block(e, stmt->otherwise);
        return;
    }
    LLVMValueRef condition = gf_emit_expr(e, stmt->value);
    LLVMBasicBlockRef then = gf_block_new(e, "then"), otherwise = NULL, after = gf_block_new(e, "endif");
    if (stmt->otherwise != NULL) {
        otherwise = gf_block_new(e, "else");
    }
    LLVMBuildCondBr(e->ll.builder, condition, then, otherwise != NULL ? otherwise : after);
    gf_at(e, then);
    gf_emit_block(e, stmt->body);
    gf_branch(e, after);
    if (otherwise != NULL) {
        gf_at(e, otherwise);
        gf_emit_block(e, stmt->otherwise);
        gf_branch(e, after);
    }
    gf_at(e, after);
}

static void emit_return(gf_emit *e, const gf_stmt *stmt) {
    if (stmt->value != NULL) {
        LLVMBuildStore(e->ll.builder, gf_emit_expr(e, stmt->value), e->result_slot);
    }
    gf_branch(e, e->on_return);
}

static void emit_trap(gf_emit *e, const gf_stmt *stmt) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef value = gf_emit_expr(e, stmt->value);
    bool is_assert = stmt->kind == GF_STMT_ASSERT;
    LLVMValueRef condition = is_assert ? LLVMBuildNot(b, value, "") : LLVMConstInt(e->ll.i1, 1, 0);
    LLVMValueRef address =
        is_assert ? gf_i64(e, 0) : gf_to_bits(e, stmt->value->type, gf_ll_canonical(&e->ll, stmt->value->type, value));
    gf_llvm_place place = {.stmt = stmt, .type = stmt->value->type, .span = stmt->span};
    LLVMBasicBlockRef failed = gf_block_new(e, "trap"), after = gf_block_new(e, "holds");
    LLVMBuildCondBr(b, condition, failed, after);
    gf_at(e, failed);
    gf_record(e, LLVMConstInt(e->ll.i1, 1, 0), GF_ABI_TRAP, gf_note_place(e, place), address, gf_i64(e, 0));
    gf_branch(e, e->on_end);
    gf_at(e, after);
}

static void emit_effect(gf_emit *e, const gf_expr *expr) {
    if (expr->kind == GF_EXPR_ATOMIC) {
        (void)gf_emit_atomic(e, expr, false);
    } else if (expr->kind == GF_EXPR_CALL) {
        gf_emit_call(e, expr, NULL);
    } else {
        (void)gf_emit_expr(e, expr);
    }
}

static void emit_stmt(gf_emit *e, const gf_stmt *stmt) {
    switch (stmt->kind) {
    case GF_STMT_LET:
        gf_name(e, stmt->target.symbol)->value = gf_emit_expr(e, stmt->value);
        break;
    case GF_STMT_VAR:
        emit_var(e, stmt);
        break;
    case GF_STMT_ASSIGN:
        emit_assign(e, stmt);
        break;
    case GF_STMT_STORE:
        gf_emit_store(e, stmt);
        break;
    case GF_STMT_EXPR:
        emit_effect(e, stmt->value);
        break;
    case GF_STMT_IF:
        emit_if(e, stmt);
        break;
    case GF_STMT_FOR:
        gf_emit_for(e, stmt);
        break;
    case GF_STMT_WHILE:
    case GF_STMT_LOOP:
        gf_emit_while(e, stmt);
        break;
    case GF_STMT_BREAK:
        gf_branch(e, e->exit->on_break);
        break;
    case GF_STMT_CONTINUE:
        gf_branch(e, e->exit->on_continue);
        break;
    case GF_STMT_RETURN:
        emit_return(e, stmt);
        break;
    case GF_STMT_REGION:
    case GF_STMT_BLOCK:
        gf_emit_block(e, stmt->body);
        break;
    case GF_STMT_ASSERT:
    case GF_STMT_TRAP:
        emit_trap(e, stmt);
        break;
    case GF_STMT_COPY_ASYNC:
        gf_emit_copy(e, stmt);
        break;
    case GF_STMT_WAIT:
        break;
    case GF_STMT_SWAP: /* of these the plan has made nodes and cuts */
    case GF_STMT_CONVERGED:
    case GF_STMT_FORALL:
    case GF_STMT_BARRIER:
    case GF_STMT_GRID_BARRIER:
    case GF_STMT_COLLECTIVE:
        break;
    }
}

/* What stands behind a break, continue or return is never come to. */
void gf_emit_block(gf_emit *e, const gf_block *block) {
    for (size_t i = 0; block != NULL && i < block->count && gf_is_open(e); i++) {
        emit_stmt(e, block->items[i]);
    }
}

/* A name for a chain of calls, the same each time that the emitter comes by. */
uint64_t gf_call_key(uint64_t outer, const gf_expr *call) {
    return (outer ^ (uint64_t)(uintptr_t)call) * 0x9e3779b97f4a7c15U + 1;
}

/* Functions are put in where they are called; there is no recursion. */
void gf_emit_call(gf_emit *e, const gf_expr *call, LLVMValueRef *result) {
    const gf_symbol *function = call->ref.symbol;
    LLVMBasicBlockRef on_return = e->on_return, after = gf_block_new(e, function->name);
    LLVMValueRef result_slot = e->result_slot;
    gf_exit *exit = e->exit;
    LLVMValueRef *args = gf_new_array(e->arena, LLVMValueRef, call->arg_count);
    for (size_t i = 0; i < call->arg_count; i++) {
        args[i] = gf_emit_expr(e, call->args[i]);
    }
    for (size_t i = 0; i < call->arg_count; i++) {
        gf_name(e, function->arguments[i])->value = args[i];
    }
    e->on_return = after;
    e->exit = NULL;
    LLVMTypeRef type = function->type != GF_TYPE_NONE ? gf_ll_type(&e->ll, function->type) : NULL;
    if (type != NULL) {
        e->result_slot = gf_alloca(e, type, function->name);
        LLVMBuildStore(e->ll.builder, LLVMConstNull(type), e->result_slot);
    }
    LLVMValueRef slot = e->result_slot;
    uint64_t outer = e->call;
    e->call = gf_call_key(outer, call);
    gf_emit_block(e, function->body);
    e->call = outer;
    gf_branch(e, after);
    gf_at(e, after);
    if (type != NULL && result != NULL) {
        *result = LLVMBuildLoad2(e->ll.builder, type, slot, "");
    }
    e->on_return = on_return;
    e->result_slot = result_slot;
    e->exit = exit;
}
