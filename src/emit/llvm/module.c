/* A plan as a module, and the small things that all emission uses. */
#include "base/memory.h"
#include "emit/llvm/emitter.h"
#include "ir/visit.h"
#include <llvm-c/Analysis.h>
#include <string.h>

#define LIKELY 2000 /* to one: what LLVM takes __builtin_expect for */

/* ---- small things ---- */

LLVMValueRef gf_i32(const gf_emit *e, uint64_t value) {
    return LLVMConstInt(e->ll.i32, value, 0);
}

LLVMValueRef gf_i64(const gf_emit *e, uint64_t value) {
    return LLVMConstInt(e->ll.i64, value, 0);
}

LLVMBasicBlockRef gf_block_new(gf_emit *e, const char *name) {
    return LLVMAppendBasicBlockInContext(e->ll.context, e->function, name);
}

void gf_at(gf_emit *e, LLVMBasicBlockRef block) {
    LLVMPositionBuilderAtEnd(e->ll.builder, block);
}

bool gf_is_open(gf_emit *e) {
    return LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->ll.builder)) == NULL;
}

void gf_branch(gf_emit *e, LLVMBasicBlockRef block) {
    if (gf_is_open(e)) {
        LLVMBuildBr(e->ll.builder, block);
    }
}

void gf_branch_likely(gf_emit *e, LLVMValueRef condition, LLVMBasicBlockRef likely, LLVMBasicBlockRef other) {
    LLVMValueRef branch = LLVMBuildCondBr(e->ll.builder, condition, likely, other);
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(e->ll.context, "branch_weights", 14),
                               LLVMValueAsMetadata(gf_i32(e, LIKELY)), LLVMValueAsMetadata(gf_i32(e, 1))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(e->ll.context, parts, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->ll.context, "prof", 4),
                    LLVMMetadataAsValue(e->ll.context, node));
}

LLVMValueRef gf_alloca(gf_emit *e, LLVMTypeRef type, const char *name) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->ll.builder);
    gf_at(e, e->entry);
    LLVMValueRef slot = LLVMBuildAlloca(e->ll.builder, type, name);
    gf_at(e, here);
    return slot;
}

static LLVMValueRef word_at(gf_emit *e, LLVMValueRef base, size_t index) {
    LLVMValueRef at = gf_i64(e, index);
    return LLVMBuildGEP2(e->ll.builder, e->ll.i64, base, &at, 1, "");
}

LLVMValueRef gf_word(gf_emit *e, LLVMValueRef base, size_t index) {
    return LLVMBuildLoad2(e->ll.builder, e->ll.i64, word_at(e, base, index), "");
}

LLVMValueRef gf_word_ptr(gf_emit *e, LLVMValueRef base, size_t index) {
    return LLVMBuildLoad2(e->ll.builder, e->ll.ptr, word_at(e, base, index), "");
}

LLVMValueRef gf_extend(gf_emit *e, gf_type type, LLVMValueRef value) {
    if (gf_type_bytes(type) == 8) {
        return value;
    }
    return gf_type_is_signed(type) ? LLVMBuildSExt(e->ll.builder, value, e->ll.i64, "")
                                   : LLVMBuildZExt(e->ll.builder, value, e->ll.i64, "");
}

LLVMValueRef gf_from_bits(gf_emit *e, gf_type type, LLVMValueRef bits) {
    LLVMTypeRef wanted = gf_ll_type(&e->ll, type);
    if (type == GF_TYPE_BOOL) {
        return LLVMBuildICmp(e->ll.builder, LLVMIntNE, bits, gf_i64(e, 0), "");
    }
    if (gf_type_bytes(type) < 8) {
        bits = LLVMBuildTrunc(e->ll.builder, bits, e->ll.i32, "");
    }
    return LLVMBuildBitCast(e->ll.builder, bits, wanted, "");
}

LLVMValueRef gf_to_bits(gf_emit *e, gf_type type, LLVMValueRef value) {
    if (gf_type_is_float(type)) {
        value = LLVMBuildBitCast(e->ll.builder, value, gf_type_bytes(type) == 8 ? e->ll.i64 : e->ll.i32, "");
    }
    return type == GF_TYPE_U64 || type == GF_TYPE_I64 || type == GF_TYPE_F64
               ? value
               : LLVMBuildZExt(e->ll.builder, value, e->ll.i64, "");
}

void gf_poll(gf_emit *e) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef flag = LLVMBuildLoad2(b, e->ll.i32, e->stop, "stop");
    LLVMSetVolatile(flag, 1);
    LLVMBasicBlockRef on = gf_block_new(e, "");
    gf_branch_likely(e, LLVMBuildICmp(b, LLVMIntEQ, flag, gf_i32(e, 0), ""), on, e->abort);
    gf_at(e, on);
}

static bool note_definition(void *user, const gf_stmt *stmt) {
    gf_emit *e = user;
    if (stmt->kind == GF_STMT_LET) {
        gf_name(e, stmt->target.symbol)->definition = stmt->value;
    }
    return true;
}

void gf_emit_tree(gf_emit *e, const gf_tree *tree) {
    e->tree = tree;
    e->names = gf_new_array(e->arena, gf_named, tree->symbol_count);
    gf_visitor visitor = {.user = e, .stmt = note_definition};
    gf_visit_block(&visitor, tree->kernel.body);
    for (size_t i = 0; i < tree->decl_count; i++) {
        if (tree->decls[i]->kind == GF_SYMBOL_FUNCTION) {
            gf_visit_block(&visitor, tree->decls[i]->body);
        }
    }
}

gf_named *gf_name(gf_emit *e, const gf_symbol *symbol) {
    return &e->names[symbol->id];
}

/* ---- functions ---- */

void gf_begin_function(gf_emit *e, LLVMValueRef function, LLVMValueRef worker) {
    e->function = function;
    e->worker = worker;
    e->entry = gf_block_new(e, "entry");
    e->start = gf_block_new(e, "start");
    e->abort = gf_block_new(e, "abort");
    e->live = NULL;
    e->is_slow = false;
    e->fast_depth = 0;
    e->exit = NULL;
    e->proven.count = 0;
    e->call = 0;
    e->folded = NULL;
    e->row_loads.rows = NULL;
    e->stack_bytes = 0;
    e->has_streams = false;
    gf_at(e, e->start);
    e->stop = worker != NULL ? gf_word_ptr(e, worker, offsetof(gf_abi_worker, stop) / 8) : NULL;
}

/* Behind the last statement a function that gives nothing returns, and so it does where the run is to stop; a scalar
 * gives 0 then, which nobody looks at. */
void gf_end_function(gf_emit *e) {
    LLVMBuilderRef b = e->ll.builder;
    if (gf_is_open(e)) {
        if (e->has_streams) {
            gf_stream_fence(e);
        }
        LLVMBuildRetVoid(b);
    }
    gf_at(e, e->abort);
    if (e->stop != NULL && LLVMGetReturnType(LLVMGlobalGetValueType(e->function)) == e->ll.nothing) {
        LLVMBuildRetVoid(b);
    } else if (e->stop != NULL) {
        LLVMBuildRet(b, gf_i64(e, 0));
    } else {
        LLVMBuildUnreachable(b);
    }
    gf_at(e, e->entry);
    LLVMBuildBr(b, e->start);
}

/* ---- the module ---- */

static void emit_scalar(void *user, const gf_plan_node *node, const gf_expr *expr, size_t index) {
    (void)node;
    gf_emit_scalar(user, expr, index);
}

/* One symbol to look up instead of many. */
static void emit_table(gf_emit *e, size_t count) {
    LLVMValueRef value = LLVMConstArray2(e->ll.ptr, e->functions, count);
    LLVMValueRef table = LLVMAddGlobal(e->ll.module, LLVMArrayType2(e->ll.ptr, count), e->options.table);
    LLVMSetInitializer(table, value);
    LLVMSetGlobalConstant(table, 1);
}

static void emit_all(void *context) {
    gf_emit *e = context;
    size_t count = e->plan->segment_count + gf_llvm_each_scalar(e->plan, NULL, NULL);
    e->functions = gf_new_array(e->arena, LLVMValueRef, count);
    for (size_t i = 0; i < e->plan->segment_count; i++) {
        gf_emit_segment(e, e->plan->segments[i]);
    }
    gf_tree tree = *e->plan->program->checked;
    tree.symbol_count = e->plan->symbol_count;
    gf_emit_tree(e, &tree);
    e->out->scalar_count = gf_llvm_each_scalar(e->plan, emit_scalar, e);
    emit_table(e, count);
}

/* Plans of those segments that have workgroup barriers, cut at them. Checked code keeps what does nothing but fail. */
static bool make_group_plans(const gf_plan *plan, bool checked, const gf_plan **groups, gf_diags *diags) {
    for (size_t i = 0; i < plan->segment_count; i++) {
        const gf_tree *tree = plan->segments[i]->tree;
        if (gf_needs_groups(tree)) {
            gf_plan_options options = {.workgroup = true, .checked = checked};
            groups[i] = gf_plan_create(plan->segments[i]->program, &options, diags);
            if (groups[i] == NULL) {
                return false;
            }
        }
    }
    return true;
}

static bool copy_places(const gf_emit *e, gf_llvm_module *out) {
    out->place_count = e->places.count;
    out->places = gf_calloc(e->places.count, sizeof *out->places);
    if (out->places == NULL) {
        return false;
    }
    if (e->places.count > 0) {
        memcpy(out->places, e->places.items, e->places.count * sizeof *out->places);
    }
    return true;
}

static bool emit_module(gf_emit *e, gf_llvm_module *out, gf_diags *diags) {
    if (!gf_ll_init(&e->ll, "gridfence")) {
        return gf_fail_memory(diags);
    }
    e->ll.converts_half = e->options.converts_half;
    out->segments = gf_calloc(out->segment_count, sizeof *out->segments);
    if (out->segments == NULL || !gf_arena_protect(e->arena, emit_all, e) || !copy_places(e, out)) {
        return gf_fail_memory(diags);
    }
    char *message = NULL;
    bool broken = LLVMVerifyModule(e->ll.module, LLVMReturnStatusAction, &message) != 0;
    if (broken) {
        (void)gf_fail(diags, GF_CODE_INTERNAL, GF_NO_SPAN, "the emitter made a module that LLVM refuses: %s", message);
    }
    LLVMDisposeMessage(message);
    return !broken;
}

bool gf_llvm_emit(const gf_plan *plan, const gf_llvm_options *options, gf_llvm_module *out, gf_diags *diags) {
    if (!gf_plan_compiles(plan, GF_PLAN_MOST_LLVM, diags)) {
        return false;
    }
    gf_emit emission = {.plan = plan, .options = *options, .out = out};
    gf_emit *e = &emission;
    out->segment_count = plan->segment_count;
    e->arena = gf_arena_create();
    e->groups_of = gf_calloc(plan->segment_count, sizeof *e->groups_of);
    bool done = e->arena != NULL && e->groups_of != NULL ? make_group_plans(plan, options->checked, e->groups_of, diags)
                                                         : gf_fail_memory(diags);
    done = done && emit_module(e, out, diags);
    if (e->ll.builder != NULL) {
        LLVMDisposeBuilder(e->ll.builder);
        e->ll.builder = NULL;
    }
    out->context = e->ll.context;
    out->module = e->ll.module;
    out->groups = e->groups_of; /* places point into them */
    gf_arena_destroy(e->arena);
    return done;
}

void gf_llvm_module_finish(gf_llvm_module *module) {
    for (size_t i = 0; module->groups != NULL && i < module->segment_count; i++) {
        gf_plan_destroy((gf_plan *)(uintptr_t)module->groups[i]);
    }
    gf_free(module->groups);
    gf_free(module->segments);
    gf_free(module->places);
    if (module->module != NULL) {
        LLVMDisposeModule(module->module);
    }
    if (module->context != NULL) {
        LLVMContextDispose(module->context);
    }
    memset(module, 0, sizeof *module);
}
