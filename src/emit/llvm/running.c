/* Prefix sums of a block: sixteen at a time, each vector by four shifted additions (W. D. Hillis, G. L. Steele: Data
 * parallel algorithms, CACM 29, 1986), so that the chain from one to the next is one addition. */
#include "emit/llvm/emitter.h"

#define LANES 16

typedef struct running {
    LLVMTypeRef type, vector;
    LLVMValueRef from, values, sum; /* pointers */
} running;

static LLVMValueRef element(gf_emit *e, const running *r, LLVMValueRef of, LLVMValueRef index) {
    return LLVMBuildGEP2(e->ll.builder, r->type, of, &index, 1, "");
}

/* The lanes moved up by `by`, zeros coming in. */
static LLVMValueRef shift(gf_emit *e, const running *r, LLVMValueRef vector, unsigned by) {
    LLVMValueRef mask[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        mask[i] = gf_i32(e, i >= by ? i - by : LANES);
    }
    return LLVMBuildShuffleVector(e->ll.builder, vector, LLVMConstNull(r->vector), LLVMConstVector(mask, LANES), "");
}

static LLVMValueRef spread(gf_emit *e, const running *r, LLVMValueRef vector, unsigned lane) {
    LLVMValueRef mask[LANES];
    for (unsigned i = 0; i < LANES; i++) {
        mask[i] = gf_i32(e, lane);
    }
    return LLVMBuildShuffleVector(e->ll.builder, vector, LLVMGetPoison(r->vector), LLVMConstVector(mask, LANES), "");
}

static void add_vector(gf_emit *e, LLVMValueRef line, void *context) {
    const running *r = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef first = LLVMBuildMul(b, line, gf_i64(e, LANES), ""), at = element(e, r, r->values, first);
    LLVMValueRef values = LLVMBuildLoad2(b, r->vector, element(e, r, r->from, first), "");
    LLVMSetAlignment(values, 4);
    LLVMValueRef sums = values;
    for (unsigned by = 1; by < LANES; by *= 2) {
        sums = LLVMBuildAdd(b, sums, shift(e, r, sums, by), "");
    }
    /* All lanes of `sum` hold what lies before. */
    LLVMValueRef before = LLVMBuildLoad2(b, r->vector, r->sum, "");
    LLVMValueRef store = LLVMBuildStore(b, LLVMBuildAdd(b, before, LLVMBuildSub(b, sums, values, ""), ""), at);
    LLVMSetAlignment(store, 4);
    LLVMBuildStore(b, LLVMBuildAdd(b, before, spread(e, r, sums, LANES - 1), ""), r->sum);
}

static void add_one(gf_emit *e, LLVMValueRef i, void *context) {
    const running *r = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef at = element(e, r, r->values, i);
    LLVMValueRef value = LLVMBuildLoad2(b, r->type, element(e, r, r->from, i), "");
    LLVMValueRef before = LLVMBuildLoad2(b, r->type, r->sum, "");
    LLVMBuildStore(b, before, at);
    LLVMBuildStore(b, LLVMBuildAdd(b, before, value, ""), r->sum);
}

void gf_emit_running_sum(gf_emit *e, LLVMTypeRef type, LLVMValueRef from, LLVMValueRef sums, LLVMValueRef count,
                         LLVMValueRef sum) {
    LLVMBuilderRef b = e->ll.builder;
    running r = {.type = type, .vector = LLVMVectorType(type, LANES), .from = from, .values = sums};
    running rest = r;
    r.sum = gf_alloca(e, r.vector, "sums");
    rest.sum = sum;
    LLVMValueRef before = LLVMBuildLoad2(b, type, sum, "");
    LLVMValueRef first = LLVMBuildInsertElement(b, LLVMGetPoison(r.vector), before, gf_i32(e, 0), "");
    LLVMBuildStore(b, spread(e, &r, first, 0), r.sum);
    LLVMValueRef lines = LLVMBuildUDiv(b, count, gf_i64(e, LANES), "");
    gf_emit_range(e, gf_i64(e, 0), lines, "sum", add_vector, &r);
    LLVMValueRef last = LLVMBuildLoad2(b, r.vector, r.sum, "");
    LLVMBuildStore(b, LLVMBuildExtractElement(b, last, gf_i32(e, 0), ""), sum);
    gf_emit_range(e, LLVMBuildMul(b, lines, gf_i64(e, LANES), ""), count, "sum", add_one, &rest);
}
