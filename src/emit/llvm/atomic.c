/* Atomics: relaxed, on an element that is there. What orders is the barrier.
 *
 * Where one thread alone touches the array they are plain. min, max, and, or look first: where nothing would change a
 * load is all that happens, which is one of the orders that the language allows. */
#include "emit/llvm/emitter.h"
#include "ir/eval.h"

typedef struct atomic_use {
    const gf_expr *expr;
    gf_type type; /* of the element */
    LLVMValueRef at, a, b;
    LLVMTypeRef bits; /* integer of its width */
    const gf_array *array;
} atomic_use;

static LLVMValueRef to_integer(gf_emit *e, const atomic_use *use, LLVMValueRef value) {
    return LLVMBuildBitCast(e->ll.builder, gf_ll_canonical(&e->ll, use->type, value), use->bits, "");
}

static LLVMValueRef from_integer(gf_emit *e, const atomic_use *use, LLVMValueRef bits) {
    return LLVMBuildBitCast(e->ll.builder, bits, gf_ll_type(&e->ll, use->type), "");
}

static LLVMValueRef load_bits(gf_emit *e, const atomic_use *use) {
    LLVMValueRef load = LLVMBuildLoad2(e->ll.builder, use->bits, use->at, "");
    LLVMSetAlignment(load, (unsigned)gf_type_bytes(use->type));
    if (!use->array->is_private) {
        LLVMSetOrdering(load, LLVMAtomicOrderingMonotonic);
    }
    return load;
}

static void store_bits(gf_emit *e, const atomic_use *use, LLVMValueRef bits) {
    LLVMValueRef store = LLVMBuildStore(e->ll.builder, bits, use->at);
    LLVMSetAlignment(store, (unsigned)gf_type_bytes(use->type));
    if (!use->array->is_private) {
        LLVMSetOrdering(store, LLVMAtomicOrderingMonotonic);
    }
}

/* What the atomic leaves, of an old value, both as values of the type. */
static LLVMValueRef new_value(gf_emit *e, const atomic_use *use, LLVMValueRef old) {
    static const gf_op ops[GF_ATOMIC_COUNT] = {
        [GF_ATOMIC_ADD] = GF_OP_ADD, [GF_ATOMIC_SUB] = GF_OP_SUB, [GF_ATOMIC_MIN] = GF_OP_MIN,
        [GF_ATOMIC_MAX] = GF_OP_MAX, [GF_ATOMIC_AND] = GF_OP_AND, [GF_ATOMIC_OR] = GF_OP_OR,
        [GF_ATOMIC_XOR] = GF_OP_XOR,
    };
    gf_op op = ops[use->expr->atomic];
    return op == GF_OP_NONE ? use->a : gf_ll_op(&e->ll, op, use->type, use->type, old, use->a, NULL);
}

/* old = load; while the new value differs: compare and exchange. Gives the old bits, and whether it changed them. */
static LLVMValueRef exchange_loop(gf_emit *e, const atomic_use *use, LLVMValueRef *changed) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef first = load_bits(e, use);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), look = gf_block_new(e, "look"), swap = gf_block_new(e, "swap"),
                      after = gf_block_new(e, "exchanged");
    gf_branch(e, look);
    gf_at(e, look);
    LLVMValueRef old = LLVMBuildPhi(b, use->bits, "old");
    LLVMValueRef wanted = to_integer(e, use, new_value(e, use, from_integer(e, use, old)));
    LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, old, wanted, "");
    LLVMBasicBlockRef looked = LLVMGetInsertBlock(b);
    LLVMBuildCondBr(b, same, after, swap);
    gf_at(e, swap);
    LLVMValueRef pair =
        LLVMBuildAtomicCmpXchg(b, use->at, old, wanted, LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, 0);
    LLVMValueRef seen = LLVMBuildExtractValue(b, pair, 0, ""), done = LLVMBuildExtractValue(b, pair, 1, "");
    LLVMBuildCondBr(b, done, after, look);
    LLVMValueRef olds[] = {first, seen};
    LLVMBasicBlockRef from[] = {before, swap};
    LLVMAddIncoming(old, olds, from, 2);
    gf_at(e, after);
    LLVMValueRef flag = LLVMBuildPhi(b, e->ll.i1, "");
    LLVMValueRef flags[] = {LLVMConstInt(e->ll.i1, 0, 0), LLVMConstInt(e->ll.i1, 1, 0)};
    LLVMBasicBlockRef ends[] = {looked, swap};
    LLVMAddIncoming(flag, flags, ends, 2);
    *changed = flag;
    return old;
}

static LLVMValueRef plain_update(gf_emit *e, const atomic_use *use) {
    LLVMValueRef old = load_bits(e, use);
    LLVMValueRef value = from_integer(e, use, old);
    LLVMValueRef wanted = NULL;
    if (use->expr->atomic == GF_ATOMIC_COMPARE_EXCHANGE) {
        LLVMValueRef equal = LLVMBuildICmp(e->ll.builder, LLVMIntEQ, old, to_integer(e, use, use->a), "");
        wanted = LLVMBuildSelect(e->ll.builder, equal, to_integer(e, use, use->b), old, "");
    } else {
        wanted = to_integer(e, use, new_value(e, use, value));
    }
    store_bits(e, use, wanted);
    return value;
}

static LLVMValueRef read_modify_write(gf_emit *e, const atomic_use *use, LLVMAtomicRMWBinOp op) {
    LLVMValueRef old =
        LLVMBuildAtomicRMW(e->ll.builder, op, use->at, to_integer(e, use, use->a), LLVMAtomicOrderingMonotonic, 0);
    return from_integer(e, use, old);
}

static LLVMValueRef compare_exchange(gf_emit *e, const atomic_use *use) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef expected = to_integer(e, use, use->a), desired = to_integer(e, use, use->b);
    /* A load first: a locked operation that fails costs as much as one that succeeds. */
    LLVMValueRef seen = load_bits(e, use);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), swap = gf_block_new(e, "swap"), after = gf_block_new(e, "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, seen, expected, ""), swap, after);
    gf_at(e, swap);
    LLVMValueRef pair = LLVMBuildAtomicCmpXchg(b, use->at, expected, desired, LLVMAtomicOrderingMonotonic,
                                               LLVMAtomicOrderingMonotonic, 0);
    LLVMValueRef found = LLVMBuildExtractValue(b, pair, 0, "");
    gf_branch(e, after);
    gf_at(e, after);
    LLVMValueRef phi = LLVMBuildPhi(b, use->bits, "");
    LLVMValueRef values[] = {seen, found};
    LLVMBasicBlockRef blocks[] = {before, swap};
    LLVMAddIncoming(phi, values, blocks, 2);
    return from_integer(e, use, phi);
}

static LLVMValueRef store_atomic(gf_emit *e, const atomic_use *use, bool used) {
    if (used && !use->array->is_private) {
        return read_modify_write(e, use, LLVMAtomicRMWBinOpXchg);
    }
    LLVMValueRef wanted = to_integer(e, use, use->a), old = NULL;
    if (used || use->array->is_tracked) {
        old = load_bits(e, use);
    }
    if (use->array->is_tracked) {
        gf_note_change(e, LLVMBuildICmp(e->ll.builder, LLVMIntNE, old, wanted, ""));
    }
    store_bits(e, use, wanted);
    return old != NULL ? from_integer(e, use, old) : LLVMConstNull(gf_ll_type(&e->ll, use->type));
}

static LLVMValueRef apply(gf_emit *e, const atomic_use *use, bool used) {
    LLVMValueRef changed = NULL, old = NULL;
    bool is_float = gf_type_is_float(use->type);
    gf_atomic atomic = use->expr->atomic;
    if (atomic == GF_ATOMIC_LOAD) {
        return from_integer(e, use, load_bits(e, use));
    }
    if (atomic == GF_ATOMIC_STORE) {
        return store_atomic(e, use, used);
    }
    if (use->array->is_private) {
        return plain_update(e, use);
    }
    switch (atomic) {
    case GF_ATOMIC_LOAD:
    case GF_ATOMIC_STORE:
    case GF_ATOMIC_COUNT:
        break;
    case GF_ATOMIC_ADD:
    case GF_ATOMIC_SUB:
        if (!is_float) {
            return read_modify_write(e, use, atomic == GF_ATOMIC_ADD ? LLVMAtomicRMWBinOpAdd : LLVMAtomicRMWBinOpSub);
        }
        break;
    case GF_ATOMIC_XOR:
        return read_modify_write(e, use, LLVMAtomicRMWBinOpXor);
    case GF_ATOMIC_EXCHANGE:
        return read_modify_write(e, use, LLVMAtomicRMWBinOpXchg);
    case GF_ATOMIC_COMPARE_EXCHANGE:
        return compare_exchange(e, use);
    case GF_ATOMIC_MIN:
    case GF_ATOMIC_MAX:
    case GF_ATOMIC_AND:
    case GF_ATOMIC_OR:
        break;
    }
    old = exchange_loop(e, use, &changed);
    if (use->array->is_tracked) {
        gf_note_change(e, changed);
    }
    return from_integer(e, use, old);
}

LLVMValueRef gf_emit_atomic(gf_emit *e, const gf_expr *expr, bool used) {
    if (e->combined != NULL && e->combined->atomic == expr) {
        return gf_combined_add(e);
    }
    LLVMBuilderRef b = e->ll.builder;
    const gf_symbol *array = expr->ref.symbol;
    gf_element element = gf_emit_place(e, expr, array, expr->args[0]);
    atomic_use use = {.expr = expr, .type = array->type, .array = gf_name(e, array)->array};
    static const gf_array local = {.is_private = true};
    use.array = use.array != NULL ? use.array : &local;
    use.bits = LLVMIntTypeInContext(e->ll.context, 8 * (unsigned)gf_type_bytes(array->type));
    use.a = expr->arg_count > 1 ? gf_emit_expr(e, expr->args[1]) : NULL;
    use.b = expr->arg_count > 2 ? gf_emit_expr(e, expr->args[2]) : NULL;
    gf_check_element(e, &element, expr->span, array, expr->args[0]);
    if (element.inside == NULL) {
        use.at = gf_element_ptr(e, array, element.index);
        return apply(e, &use, used);
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), inside = gf_block_new(e, "atomic"), after = gf_block_new(e, "");
    gf_branch_likely(e, element.inside, inside, after);
    gf_at(e, inside);
    use.at = gf_element_ptr(e, array, element.index);
    LLVMValueRef old = apply(e, &use, used);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(b);
    gf_branch(e, after);
    gf_at(e, after);
    LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(old), "");
    LLVMValueRef values[] = {LLVMConstNull(LLVMTypeOf(old)), old};
    LLVMBasicBlockRef blocks[] = {before, end};
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}
