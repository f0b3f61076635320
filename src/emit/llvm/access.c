/* Elements of arrays: addresses, bounds, loads and stores. */
#include "emit/llvm/emitter.h"
#include "ir/eval.h"

LLVMValueRef gf_array_count(gf_emit *e, const gf_symbol *array) {
    if (array->kind == GF_SYMBOL_SHARED || (array->kind == GF_SYMBOL_VAR && array->is_array)) {
        return gf_i64(e, array->length);
    }
    return gf_name(e, array)->array->count;
}

uint64_t gf_note_place(gf_emit *e, gf_llvm_place place) {
    gf_push(e->arena, &e->places, place);
    return e->places.count - 1;
}

static void store_word(gf_emit *e, size_t offset, LLVMValueRef value) {
    LLVMValueRef index = gf_i64(e, offset);
    LLVMValueRef at = LLVMBuildGEP2(e->ll.builder, e->ll.i8, e->worker, &index, 1, "");
    LLVMBuildStore(e->ll.builder, value, at);
}

static LLVMValueRef linear_id(gf_emit *e) {
    if (e->gid[0] == NULL) {
        return gf_i64(e, 0);
    }
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef linear = gf_i64(e, 0);
    for (int axis = 2; axis >= 0; axis--) {
        linear = LLVMBuildMul(b, linear, LLVMBuildZExt(b, e->space[axis], e->ll.i64, ""), "");
        linear = LLVMBuildAdd(b, linear, LLVMBuildZExt(b, e->gid[axis], e->ll.i64, ""), "");
    }
    return linear;
}

void gf_record(gf_emit *e, LLVMValueRef condition, gf_abi_event event, uint64_t place, LLVMValueRef value,
               LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMBasicBlockRef record = gf_block_new(e, "record"), first = gf_block_new(e, "first"),
                      after = gf_block_new(e, "recorded");
    if (e->live != NULL) {
        condition = LLVMBuildAnd(b, condition, e->live, "");
    }
    gf_branch_likely(e, LLVMBuildNot(b, condition, ""), after, record);
    gf_at(e, record);
    LLVMValueRef linear = linear_id(e);
    LLVMValueRef offset = gf_i64(e, offsetof(gf_abi_worker, culprit));
    LLVMValueRef at = LLVMBuildGEP2(b, e->ll.i8, e->worker, &offset, 1, "");
    LLVMValueRef known = LLVMBuildLoad2(b, e->ll.i64, at, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, linear, known, ""), first, after);
    gf_at(e, first);
    store_word(e, offsetof(gf_abi_worker, culprit), linear);
    store_word(e, offsetof(gf_abi_worker, event), gf_i64(e, event));
    store_word(e, offsetof(gf_abi_worker, place), gf_i64(e, place));
    store_word(e, offsetof(gf_abi_worker, value), value);
    store_word(e, offsetof(gf_abi_worker, count), count);
    gf_branch(e, after);
    gf_at(e, after);
}

/* Many may say so at once, each into memory of its own thread. */
void gf_note_change(gf_emit *e, LLVMValueRef changed) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMBasicBlockRef note = gf_block_new(e, "changed"), after = gf_block_new(e, "noted");
    LLVMBuildCondBr(b, changed, note, after);
    gf_at(e, note);
    store_word(e, offsetof(gf_abi_worker, changed), gf_i64(e, 1));
    gf_branch(e, after);
    gf_at(e, after);
}

const gf_proven *gf_find_proven(const gf_emit *e, const void *node, uint64_t call) {
    for (size_t i = e->proven.count; i > 0; i--) {
        const gf_proven *proven = &e->proven.items[i - 1];
        if (proven->node == node && proven->call == call && proven->variable != NULL) {
            return proven;
        }
    }
    return NULL;
}

static bool is_true(LLVMValueRef condition) {
    return LLVMIsAConstantInt(condition) != NULL && LLVMConstIntGetZExtValue(condition) != 0;
}

static LLVMValueRef add_scaled(gf_emit *e, LLVMValueRef sum, LLVMValueRef variable, int64_t coefficient) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef scaled = coefficient == 1 ? variable : LLVMBuildMul(b, variable, gf_i64(e, (uint64_t)coefficient), "");
    return LLVMBuildAdd(b, sum, scaled, "");
}

static LLVMValueRef proven_index(gf_emit *e, const gf_proven *proven) {
    LLVMValueRef index = add_scaled(e, proven->base, proven->variable, proven->coefficient);
    for (unsigned i = 0; i < proven->inner_count; i++) {
        index = add_scaled(e, index, gf_name(e, proven->inner[i].variable)->wide, proven->inner[i].coefficient);
    }
    return index;
}

gf_element gf_emit_place(gf_emit *e, const void *node, const gf_symbol *array, const gf_expr *index) {
    LLVMBuilderRef b = e->ll.builder;
    const gf_array *known = gf_name(e, array)->array;
    if (known != NULL && known->is_reduced) {
        return (gf_element){.index = LLVMBuildAdd(b, e->row_first, e->lane, "")};
    }
    const gf_proven *proven = gf_find_proven(e, node, e->call);
    if (proven != NULL) {
        gf_element element = {.index = proven_index(e, proven)};
        if (proven->line != NULL) {
            LLVMValueRef lane = LLVMBuildSub(b, proven->variable, proven->line_first, "");
            element.place = LLVMBuildGEP2(b, gf_ll_stored(&e->ll, array->type), proven->line, &lane, 1, "");
        }
        return element;
    }
    gf_element element = {0};
    bool holds = gf_rows_hold(e, node, &element.index);
    if (element.index == NULL) {
        element.index = gf_extend(e, index->type, gf_emit_expr(e, index));
    }
    if (e->only != NULL) {
        element.index = LLVMBuildSelect(b, e->only, element.index, gf_i64(e, 0), "");
    }
    if (e->options.unchecked || holds) {
        return element;
    }
    LLVMValueRef count = gf_array_count(e, array);
    element.inside = LLVMBuildICmp(b, LLVMIntULT, element.index, count, "inside");
    if (is_true(element.inside)) {
        element.inside = NULL;
    }
    return element;
}

void gf_check_element(gf_emit *e, const gf_element *element, gf_span span, const gf_symbol *array,
                      const gf_expr *index) {
    if (!e->options.checked || element->inside == NULL) {
        return;
    }
    gf_llvm_place place = {.array = array, .type = index->type, .span = span};
    LLVMValueRef outside = LLVMBuildNot(e->ll.builder, element->inside, "");
    gf_record(e, outside, GF_ABI_BOUNDS, gf_note_place(e, place), element->index, gf_array_count(e, array));
}

gf_element gf_emit_element(gf_emit *e, const void *node, gf_span span, const gf_symbol *array, const gf_expr *index) {
    gf_element element = gf_emit_place(e, node, array, index);
    gf_check_element(e, &element, span, array, index);
    return element;
}

LLVMValueRef gf_element_ptr(gf_emit *e, const gf_symbol *array, LLVMValueRef index) {
    gf_named *name = gf_name(e, array);
    LLVMValueRef data = name->array != NULL ? name->array->data : name->slot;
    return LLVMBuildGEP2(e->ll.builder, gf_ll_stored(&e->ll, array->type), data, &index, 1, "");
}

static bool is_shared_memory(gf_emit *e, const gf_symbol *array) {
    const gf_array *known = gf_name(e, array)->array;
    return known != NULL && !known->is_private && known->is_written;
}

/* What others may write meanwhile is read once: a load that races gives anything, and frozen it is one value for all
 * that uses it. So a race gives a wrong value and no other harm. */
static LLVMValueRef load_element(gf_emit *e, const gf_symbol *array, const gf_element *element) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef at = gf_element_ptr(e, array, element->index);
    LLVMValueRef raw = LLVMBuildLoad2(b, gf_ll_stored(&e->ll, array->type), at, array->name);
    if (is_shared_memory(e, array)) {
        raw = LLVMBuildFreeze(b, raw, "");
    }
    return gf_ll_widen(&e->ll, array->type, raw);
}

/* The element, or 0 outside. */
static LLVMValueRef load_guarded(gf_emit *e, const gf_symbol *array, const gf_element *element) {
    if (element->inside == NULL) {
        return load_element(e, array, element);
    }
    LLVMBuilderRef b = e->ll.builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), load = gf_block_new(e, "load"), after = gf_block_new(e, "loaded");
    gf_branch_likely(e, element->inside, load, after);
    gf_at(e, load);
    LLVMValueRef value = load_element(e, array, element);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(b);
    gf_branch(e, after);
    gf_at(e, after);
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(value), "");
    LLVMValueRef values[] = {LLVMConstNull(LLVMTypeOf(value)), value};
    LLVMBasicBlockRef blocks[] = {before, end};
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

LLVMValueRef gf_emit_load(gf_emit *e, const gf_expr *expr) {
    gf_element element = gf_emit_element(e, expr, expr->span, expr->ref.symbol, expr->args[0]);
    return load_guarded(e, expr->ref.symbol, &element);
}

static void store_element(gf_emit *e, const gf_symbol *array, const gf_element *element, LLVMValueRef value) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef at = element->place != NULL ? element->place : gf_element_ptr(e, array, element->index);
    /* Nobody sees the bits of a NaN in an array of one invocation, or among values that are folded: they become the one
     * NaN where they leave it. */
    const gf_array *known = gf_name(e, array)->array;
    bool is_hidden = array->kind == GF_SYMBOL_VAR || (known != NULL && known->is_reduced);
    is_hidden = is_hidden && (array->type == GF_TYPE_F32 || array->type == GF_TYPE_F64);
    LLVMValueRef raw = is_hidden ? value : gf_ll_narrow(&e->ll, array->type, value);
    if (is_shared_memory(e, array) && gf_name(e, array)->array->is_tracked) {
        LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(raw), at, "");
        LLVMSetOrdering(old, LLVMAtomicOrderingMonotonic);
        LLVMSetAlignment(old, (unsigned)gf_type_bytes(array->type));
        LLVMTypeRef type = LLVMIntTypeInContext(e->ll.context, 8 * (unsigned)gf_type_bytes(array->type));
        LLVMValueRef new_bits = LLVMBuildBitCast(b, raw, type, ""), old_bits = LLVMBuildBitCast(b, old, type, "");
        gf_note_change(e, LLVMBuildICmp(b, LLVMIntNE, old_bits, new_bits, ""));
    }
    LLVMBuildStore(b, raw, at);
}

static void store_guarded(gf_emit *e, const gf_symbol *array, const gf_element *element, LLVMValueRef value) {
    if (element->inside == NULL) {
        store_element(e, array, element, value);
        return;
    }
    LLVMBasicBlockRef store = gf_block_new(e, "store"), after = gf_block_new(e, "stored");
    gf_branch_likely(e, element->inside, store, after);
    gf_at(e, store);
    store_element(e, array, element, value);
    gf_branch(e, after);
    gf_at(e, after);
}

static void add_to_total(gf_emit *e, const gf_stmt *stmt, const gf_array *known) {
    LLVMBuilderRef b = e->ll.builder;
    gf_type type = gf_type_loaded(stmt->target.symbol->type);
    LLVMValueRef value = gf_emit_expr(e, stmt->value);
    LLVMValueRef old = LLVMBuildLoad2(b, gf_ll_type(&e->ll, type), known->total, "");
    LLVMBuildStore(b, gf_ll_combine(&e->ll, known->combine, type, old, value), known->total);
}

void gf_emit_store(gf_emit *e, const gf_stmt *stmt) {
    const gf_symbol *array = stmt->target.symbol;
    const gf_array *known = gf_name(e, array)->array;
    if (known != NULL && known->total != NULL) {
        add_to_total(e, stmt, known);
        return;
    }
    gf_span span = stmt->target.span.source != NULL ? stmt->target.span : stmt->span;
    gf_element element = gf_emit_place(e, stmt, array, stmt->index);
    if (stmt->op == GF_OP_NONE) {
        LLVMValueRef value = gf_emit_expr(e, stmt->value);
        gf_check_element(e, &element, span, array, stmt->index);
        store_guarded(e, array, &element, value);
        return;
    }
    gf_check_element(e, &element, span, array, stmt->index);
    LLVMValueRef old = load_guarded(e, array, &element);
    LLVMValueRef operand = gf_emit_expr(e, stmt->value);
    gf_type type = gf_type_loaded(array->type);
    store_guarded(e, array, &element,
                  gf_emit_operation(e, stmt->op, type, stmt->value->type, old, operand, NULL, stmt->span));
}

/* ---- copy_async: done where it stands, which is any time up to the wait ---- */

static LLVMValueRef smaller(gf_emit *e, bool is_signed, LLVMValueRef a, LLVMValueRef b) {
    LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
    return LLVMBuildSelect(e->ll.builder, LLVMBuildICmp(e->ll.builder, less, a, b, ""), a, b, "");
}

#define FAR ((uint64_t)1 << 62) /* beyond all arrays */

typedef struct copy_context {
    const gf_stmt *stmt;
    LLVMValueRef to, from;
} copy_context;

static void copy_one(gf_emit *e, LLVMValueRef k, void *context) {
    const copy_context *copy = context;
    LLVMBuilderRef b = e->ll.builder;
    const gf_symbol *source = copy->stmt->second.symbol;
    gf_element from = {.index = LLVMBuildAdd(b, copy->from, k, "")}, to = {.index = LLVMBuildAdd(b, copy->to, k, "")};
    from.inside = LLVMBuildICmp(b, LLVMIntULT, from.index, gf_array_count(e, source), "");
    store_element(e, copy->stmt->target.symbol, &to, load_guarded(e, source, &from));
}

/* In checked code the first element outside of either array is the fault. */
static void record_copy(gf_emit *e, const gf_stmt *stmt, const gf_symbol *array, const gf_expr *at, LLVMValueRef index,
                        LLVMValueRef count, gf_span span) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef length = gf_array_count(e, array);
    LLVMValueRef some = LLVMBuildICmp(b, LLVMIntNE, count, gf_i64(e, 0), "");
    LLVMValueRef starts = LLVMBuildICmp(b, LLVMIntUGE, index, length, "");
    LLVMValueRef room = LLVMBuildSub(b, length, index, "");
    LLVMValueRef beyond = LLVMBuildICmp(b, LLVMIntUGT, count, room, "");
    LLVMValueRef bad = LLVMBuildAnd(b, some, LLVMBuildOr(b, starts, beyond, ""), "");
    LLVMValueRef first = LLVMBuildSelect(b, starts, index, length, "");
    gf_llvm_place place = {.array = array, .type = at->type, .span = span.source != NULL ? span : stmt->span};
    gf_record(e, bad, GF_ABI_BOUNDS, gf_note_place(e, place), first, length);
}

void gf_emit_copy(gf_emit *e, const gf_stmt *stmt) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef zero = gf_i64(e, 0);
    LLVMValueRef to = gf_extend(e, stmt->index->type, gf_emit_expr(e, stmt->index));
    LLVMValueRef from = gf_extend(e, stmt->from->type, gf_emit_expr(e, stmt->from));
    LLVMValueRef count = gf_extend(e, stmt->to->type, gf_emit_expr(e, stmt->to));
    if (gf_type_is_signed(stmt->to->type)) {
        count = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntSLT, count, zero, ""), zero, count, "");
    }
    if (e->options.checked) {
        record_copy(e, stmt, stmt->second.symbol, stmt->from, from, count, stmt->second.span);
        record_copy(e, stmt, stmt->target.symbol, stmt->index, to, count, stmt->target.span);
    }
    /* Only the k for which to + k is inside: no more than there are elements. */
    LLVMValueRef length = gf_array_count(e, stmt->target.symbol);
    LLVMValueRef first = zero, last = LLVMBuildSub(b, length, to, "");
    LLVMValueRef past = LLVMBuildICmp(b, LLVMIntUGE, to, length, "");
    if (gf_type_is_signed(stmt->index->type)) {
        LLVMValueRef negative = LLVMBuildICmp(b, LLVMIntSLT, to, zero, "");
        first = LLVMBuildSelect(b, negative, LLVMBuildSub(b, zero, to, ""), zero, "");
        past = LLVMBuildAnd(b, past, LLVMBuildNot(b, negative, ""), "");
    }
    last = LLVMBuildSelect(b, past, zero, last, "");
    last = smaller(e, false, last, count);
    first = smaller(e, false, first, last);
    if (!gf_type_is_signed(stmt->from->type)) {
        from = smaller(e, false, from, gf_i64(e, FAR)); /* from + k does not go around */
    }
    copy_context copy = {.stmt = stmt, .to = to, .from = from};
    gf_emit_range(e, first, last, "copy", copy_one, &copy);
}
