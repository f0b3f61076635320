/* Results that nobody reads soon, past the caches: a store of a part of a line first reads the line, a third or half of
 * all traffic where a segment does little but write. LLVM's vectoriser makes such stores only where it knows them to be
 * aligned, so the lanes of a line leave their results in an array of its own, which becomes a register, and that goes
 * out. Which stores these are is for stream_find.c.
 *
 * Only where there is much to store: what fits the caches is better left there. And only where a loop has some lines to
 * store, as its first and its last are shared with others and go the usual way. */
#include "emit/llvm/emitter.h"

#define LINE 64
#define MUCH ((uint64_t)48 << 20) /* bytes */
#define LEAST_LINES 4             /* of a loop's turns */

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

LLVMValueRef gf_stream_pays_in_loop(gf_emit *e, const gf_streams *streams, LLVMValueRef turns) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef least = gf_i64(e, LEAST_LINES * streams->per_line);
    return LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntUGE, turns, least, ""), gf_stream_pays(e, streams), "");
}

/* i64: how many lanes from this one on the first stands with which a line begins. */
static LLVMValueRef lanes_ahead(gf_emit *e, const gf_streams *streams, LLVMValueRef lane) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef back = LLVMBuildSub(b, gf_i64(e, 0), offset_of(e, streams->items[0], lane), "");
    return LLVMBuildUDiv(b, LLVMBuildAnd(b, back, gf_i64(e, LINE - 1), ""), gf_i64(e, LINE / streams->per_line), "");
}

/* From now on results are those of the line whose first lane is `first` (NULL: they go where they should). */
static void into_line(const gf_streams *streams, LLVMValueRef first) {
    for (unsigned i = 0; i < streams->count; i++) {
        streams->items[i]->line = first != NULL ? streams->lines[i] : NULL;
        streams->items[i]->line_first = first;
    }
}

/* That line goes to memory. */
static void line_out(gf_emit *e, const gf_streams *streams, LLVMValueRef first) {
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

typedef struct lines {
    const gf_stretches *all;
    LLVMValueRef first; /* i of the first line */
} lines;

static LLVMValueRef variable_at(gf_emit *e, const gf_stretches *all, LLVMValueRef i) {
    return all->origin != NULL ? LLVMBuildAdd(e->ll.builder, all->origin, i, "") : i;
}

static void emit_line(gf_emit *e, LLVMValueRef index, void *context) {
    const lines *some = context;
    const gf_stretches *all = some->all;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef size = gf_i64(e, all->streams->per_line);
    LLVMValueRef i = LLVMBuildAdd(b, some->first, LLVMBuildMul(b, index, size, ""), "");
    LLVMValueRef first = variable_at(e, all, i);
    into_line(all->streams, first);
    all->line(e, i, all->context);
    into_line(all->streams, NULL);
    line_out(e, all->streams, first);
}

/* for (at = from; at < to;) whole lines, or what is in front of them, or behind. */
void gf_stream_stretches(gf_emit *e, const gf_stretches *all) {
    LLVMBuilderRef b = e->ll.builder;
    const gf_streams *streams = all->streams;
    LLVMValueRef per_line = gf_i64(e, streams->per_line);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = gf_block_new(e, "stretches"),
                      choose = gf_block_new(e, "stretch"), whole = gf_block_new(e, "lines"),
                      plain = gf_block_new(e, "plain"), next = gf_block_new(e, ""),
                      after = gf_block_new(e, "endstretches");
    gf_branch(e, head);
    gf_at(e, head);
    LLVMValueRef at = LLVMBuildPhi(b, e->ll.i64, "at");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, at, all->to, ""), choose, after);
    gf_at(e, choose);
    LLVMValueRef ahead = lanes_ahead(e, streams, variable_at(e, all, at)), left = LLVMBuildSub(b, all->to, at, "");
    LLVMValueRef aligned = LLVMBuildICmp(b, LLVMIntEQ, ahead, gf_i64(e, 0), "");
    LLVMValueRef fits = LLVMBuildAnd(b, aligned, LLVMBuildICmp(b, LLVMIntUGE, left, per_line, ""), "");
    LLVMBuildCondBr(b, LLVMBuildAnd(b, all->pays, fits, ""), whole, plain);

    gf_at(e, whole);
    lines some = {.all = all, .first = at};
    LLVMValueRef count = LLVMBuildUDiv(b, left, per_line, "");
    if (all->has_sums) {
        gf_running_begin_lines(e, streams->per_line);
    }
    gf_emit_range(e, gf_i64(e, 0), count, "line", emit_line, &some);
    if (all->has_sums) {
        gf_running_end_lines(e);
    }
    LLVMValueRef lines_to = LLVMBuildAdd(b, at, LLVMBuildMul(b, count, per_line, ""), "");
    e->has_streams = true;
    LLVMBasicBlockRef lines_end = LLVMGetInsertBlock(b);
    gf_branch(e, next);

    gf_at(e, plain);
    LLVMValueRef cut = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntULT, ahead, left, ""), LLVMBuildNot(b, aligned, ""), "");
    LLVMValueRef short_of = LLVMBuildAdd(b, at, ahead, "");
    LLVMValueRef plain_to = LLVMBuildSelect(b, LLVMBuildAnd(b, all->pays, cut, ""), short_of, all->to, "");
    all->plain(e, at, plain_to, all->context);
    LLVMBasicBlockRef plain_end = LLVMGetInsertBlock(b);
    gf_branch(e, next);

    gf_at(e, next);
    LLVMValueRef end = LLVMBuildPhi(b, e->ll.i64, "");
    LLVMValueRef ends[] = {lines_to, plain_to};
    LLVMBasicBlockRef from[] = {lines_end, plain_end};
    LLVMAddIncoming(end, ends, from, 2);
    gf_branch(e, head);
    LLVMValueRef begins[] = {all->from, end};
    LLVMBasicBlockRef sources[] = {before, next};
    LLVMAddIncoming(at, begins, sources, 2);
    gf_at(e, after);
}

/* Stores past the caches are not in order with others but across a fence. */
void gf_stream_fence(gf_emit *e) {
    LLVMBuildFence(e->ll.builder, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
}
