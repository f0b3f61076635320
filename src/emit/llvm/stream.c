/* Results that nobody reads soon, past the caches: a store of a part of a line first reads the line, a third or half of
 * all traffic where a segment does little but write. LLVM's vectoriser makes such stores only where it knows them to be
 * aligned, so the lanes of a line leave their results in an array of its own, which becomes a register, and that goes
 * out.
 *
 * Only for rows without loops, returns and conditions around the store: each lane stores one element, and nothing else
 * in the segment looks at the array. And only where there is much to store: what fits the caches is better left there.
 */
#include "emit/llvm/emitter.h"
#include "ir/effects.h"
#include "ir/visit.h"

#define LINE 64
#define MUCH ((uint64_t)48 << 20) /* bytes */

static bool look_for_return(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_RETURN;
    return !*found;
}

static bool look_for_trap(void *user, const gf_stmt *stmt) {
    bool *found = user;
    *found = *found || stmt->kind == GF_STMT_ASSERT || stmt->kind == GF_STMT_TRAP;
    return !*found;
}

/* No lane leaves early: not by a return of its own, nor by a trap in a function. */
static bool is_quiet(const gf_block *body) {
    bool found = gf_holds_loop(body);
    gf_visitor returns = {.user = &found, .stmt = look_for_return};
    gf_visitor traps = {.user = &found, .stmt = look_for_trap, .into_calls = true};
    gf_visit_block(&returns, body);
    gf_visit_block(&traps, body);
    return !found;
}

/* The statement stands where every lane comes by. */
static bool is_unconditional(const gf_block *body, const void *node) {
    for (size_t i = 0; i < body->count; i++) {
        const gf_stmt *stmt = body->items[i];
        if (stmt == node ||
            ((stmt->kind == GF_STMT_REGION || stmt->kind == GF_STMT_BLOCK) && is_unconditional(stmt->body, node))) {
            return true;
        }
    }
    return false;
}

static bool may_stream(gf_emit *e, const gf_affine_loop *loop, const gf_proven *proven, const gf_access_list *all) {
    const gf_array *array = gf_name(e, proven->array)->array;
    size_t bytes = gf_type_bytes(proven->array->type), accesses = 0;
    if (proven->coefficient != 1 || proven->inner_count > 0 || proven->call != 0 || array->is_private ||
        array->is_tracked || (bytes != 4 && bytes != 8) || !is_unconditional(loop->body, proven->node)) {
        return false;
    }
    for (size_t i = 0; i < all->count; i++) {
        accesses += all->items[i].array == proven->array;
    }
    return accesses == 1;
}

void gf_stream_find(gf_emit *e, const gf_affine_loop *loop, gf_streams *streams) {
    streams->count = 0;
    if (e->options.checked || e->in_group || !is_quiet(loop->body)) {
        return;
    }
    gf_access_list all = {0};
    gf_effects_block(e->arena, loop->body, &all);
    for (size_t i = loop->first; i < loop->end && streams->count < GF_MOST_STREAMS; i++) {
        gf_proven *proven = &e->proven.items[i];
        uint64_t per_line = LINE / gf_type_bytes(proven->array->type);
        if (may_stream(e, loop, proven, &all) && (streams->count == 0 || per_line == streams->per_line)) {
            LLVMTypeRef type = LLVMArrayType2(gf_ll_stored(&e->ll, proven->array->type), per_line);
            LLVMValueRef line = gf_alloca(e, type, "line");
            LLVMSetAlignment(line, LINE);
            streams->per_line = per_line;
            streams->items[streams->count] = proven;
            streams->lines[streams->count++] = line;
        }
    }
}

static LLVMValueRef place_of(gf_emit *e, const gf_proven *proven, LLVMValueRef lane) {
    return gf_element_ptr(e, proven->array, LLVMBuildAdd(e->ll.builder, proven->base, lane, ""));
}

static LLVMValueRef offset_of(gf_emit *e, const gf_proven *proven, LLVMValueRef lane) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef address = LLVMBuildPtrToInt(b, place_of(e, proven, lane), e->ll.i64, "");
    return LLVMBuildAnd(b, address, gf_i64(e, LINE - 1), "");
}

LLVMValueRef gf_stream_pays(gf_emit *e, const gf_streams *streams) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef pays = NULL, zero = gf_i64(e, 0);
    for (unsigned i = 0; i < streams->count; i++) {
        const gf_symbol *array = streams->items[i]->array;
        LLVMValueRef most = gf_i64(e, MUCH / gf_type_bytes(array->type));
        LLVMValueRef much = LLVMBuildICmp(b, LLVMIntUGE, gf_array_count(e, array), most, "");
        pays = pays == NULL ? much : LLVMBuildAnd(b, pays, much, "");
        if (i > 0) { /* lines of all begin with the same lane */
            LLVMValueRef first = offset_of(e, streams->items[0], zero), other = offset_of(e, streams->items[i], zero);
            pays = LLVMBuildAnd(b, pays, LLVMBuildICmp(b, LLVMIntEQ, first, other, ""), "");
        }
    }
    return pays;
}

LLVMValueRef gf_stream_ahead(gf_emit *e, const gf_streams *streams, LLVMValueRef lane) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef back = LLVMBuildSub(b, gf_i64(e, 0), offset_of(e, streams->items[0], lane), "");
    return LLVMBuildUDiv(b, LLVMBuildAnd(b, back, gf_i64(e, LINE - 1), ""), gf_i64(e, LINE / streams->per_line), "");
}

void gf_stream_into_line(const gf_streams *streams, LLVMValueRef first) {
    for (unsigned i = 0; i < streams->count; i++) {
        streams->items[i]->line = first != NULL ? streams->lines[i] : NULL;
        streams->items[i]->line_first = first;
    }
}

void gf_stream_out(gf_emit *e, const gf_streams *streams, LLVMValueRef first) {
    LLVMBuilderRef b = e->ll.builder;
    for (unsigned i = 0; i < streams->count; i++) {
        const gf_proven *proven = streams->items[i];
        LLVMTypeRef type = LLVMVectorType(gf_ll_stored(&e->ll, proven->array->type), (unsigned)streams->per_line);
        LLVMValueRef value = LLVMBuildLoad2(b, type, streams->lines[i], "");
        LLVMSetAlignment(value, LINE);
        LLVMValueRef store = LLVMBuildStore(b, value, place_of(e, proven, first));
        LLVMSetAlignment(store, LINE);
        LLVMMetadataRef one = LLVMValueAsMetadata(gf_i32(e, 1));
        LLVMMetadataRef node = LLVMMDNodeInContext2(e->ll.context, &one, 1);
        LLVMSetMetadata(store, LLVMGetMDKindIDInContext(e->ll.context, "nontemporal", 11),
                        LLVMMetadataAsValue(e->ll.context, node));
    }
}

/* Stores past the caches are not in order with others but across a fence. */
void gf_stream_fence(gf_emit *e) {
    LLVMBuildFence(e->ll.builder, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
}
