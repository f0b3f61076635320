/* Prefix sums of a block: many at a time, each vector by shifted additions (W. D. Hillis, G. L. Steele: Data parallel
 * algorithms, CACM 29, 1986), so that the chain from one to the next is one addition. */
#include "emit/llvm/emitter.h"

#define LANES 16 /* also the most of a line */

typedef struct vectors {
    const gf_running *running;
    unsigned lanes;
    LLVMTypeRef type;
    LLVMValueRef first, sum; /* i64: the lane of the first; pointer: in all lanes, what lies before */
} vectors;

static LLVMValueRef element(gf_emit *e, const gf_running *r, LLVMValueRef of, LLVMValueRef lane) {
    return LLVMBuildGEP2(e->ll.builder, r->type, of, &lane, 1, "");
}

/* The lanes moved up by `by`, zeros coming in. */
static LLVMValueRef shift(gf_emit *e, const vectors *v, LLVMValueRef vector, unsigned by) {
    LLVMValueRef mask[LANES];
    for (unsigned i = 0; i < v->lanes; i++) {
        mask[i] = gf_i32(e, i >= by ? i - by : v->lanes);
    }
    return LLVMBuildShuffleVector(e->ll.builder, vector, LLVMConstNull(v->type), LLVMConstVector(mask, v->lanes), "");
}

static LLVMValueRef spread(gf_emit *e, const vectors *v, LLVMValueRef vector, unsigned lane) {
    LLVMValueRef mask[LANES];
    for (unsigned i = 0; i < v->lanes; i++) {
        mask[i] = gf_i32(e, lane);
    }
    return LLVMBuildShuffleVector(e->ll.builder, vector, LLVMGetPoison(v->type), LLVMConstVector(mask, v->lanes), "");
}

static void begin_vectors(gf_emit *e, vectors *v, unsigned lanes) {
    LLVMBuilderRef b = e->ll.builder;
    v->running = e->running;
    v->lanes = lanes;
    v->type = LLVMVectorType(e->running->type, lanes);
    v->sum = gf_alloca(e, v->type, "sums");
    LLVMValueRef before = LLVMBuildLoad2(b, e->running->type, e->running->sum, "");
    LLVMValueRef first = LLVMBuildInsertElement(b, LLVMGetPoison(v->type), before, gf_i32(e, 0), "");
    LLVMBuildStore(b, spread(e, v, first, 0), v->sum);
}

static void end_vectors(gf_emit *e, const vectors *v) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef last = LLVMBuildLoad2(b, v->type, v->sum, "");
    LLVMBuildStore(b, LLVMBuildExtractElement(b, last, gf_i32(e, 0), ""), e->running->sum);
}

/* What lies before each of the lanes from `first` on. */
static LLVMValueRef sum_vector(gf_emit *e, const vectors *v, LLVMValueRef first) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef values = LLVMBuildLoad2(b, v->type, element(e, v->running, v->running->values, first), "");
    LLVMSetAlignment(values, 4);
    LLVMValueRef sums = values;
    for (unsigned by = 1; by < v->lanes; by *= 2) {
        sums = LLVMBuildAdd(b, sums, shift(e, v, sums, by), "");
    }
    LLVMValueRef before = LLVMBuildLoad2(b, v->type, v->sum, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, before, spread(e, v, sums, v->lanes - 1), ""), v->sum);
    return LLVMBuildAdd(b, before, LLVMBuildSub(b, sums, values, ""), "");
}

static void add_vector(gf_emit *e, LLVMValueRef line, void *context) {
    const vectors *v = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef first = LLVMBuildAdd(b, v->first, LLVMBuildMul(b, line, gf_i64(e, LANES), ""), "");
    LLVMValueRef store = LLVMBuildStore(b, sum_vector(e, v, first), element(e, v->running, v->running->sums, first));
    LLVMSetAlignment(store, 4);
}

static void add_one(gf_emit *e, LLVMValueRef lane, void *context) {
    const gf_running *r = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef value = LLVMBuildLoad2(b, r->type, element(e, r, r->values, lane), "");
    LLVMValueRef before = LLVMBuildLoad2(b, r->type, r->sum, "");
    LLVMBuildStore(b, before, element(e, r, r->sums, lane));
    LLVMBuildStore(b, LLVMBuildAdd(b, before, value, ""), r->sum);
}

void gf_running_lanes(gf_emit *e, LLVMValueRef from, LLVMValueRef to) {
    LLVMBuilderRef b = e->ll.builder;
    vectors v = {.first = from};
    begin_vectors(e, &v, LANES);
    LLVMValueRef count = LLVMBuildUDiv(b, LLVMBuildSub(b, to, from, ""), gf_i64(e, LANES), "");
    gf_emit_range(e, gf_i64(e, 0), count, "sum", add_vector, &v);
    end_vectors(e, &v);
    LLVMValueRef rest = LLVMBuildAdd(b, from, LLVMBuildMul(b, count, gf_i64(e, LANES), ""), "");
    gf_emit_range(e, rest, to, "sum", add_one, (void *)e->running);
    e->running->array->data = e->running->sums;
}

/* ---- line by line ---- */

void gf_running_begin_lines(gf_emit *e, uint64_t per_line) {
    gf_running *r = e->running;
    vectors v = {0};
    begin_vectors(e, &v, (unsigned)per_line);
    r->line_lanes = v.lanes;
    r->line_sum = v.sum;
    r->line = gf_alloca(e, v.type, "sums");
}

void gf_running_line(gf_emit *e, LLVMValueRef first) {
    LLVMBuilderRef b = e->ll.builder;
    gf_running *r = e->running;
    vectors v = {.running = r, .lanes = r->line_lanes, .type = LLVMVectorType(r->type, r->line_lanes)};
    v.sum = r->line_sum;
    LLVMBuildStore(b, sum_vector(e, &v, first), r->line);
    r->array->data = element(e, r, r->line, LLVMBuildSub(b, gf_i64(e, 0), first, ""));
}

void gf_running_end_lines(gf_emit *e) {
    vectors v = {.lanes = e->running->line_lanes, .sum = e->running->line_sum};
    v.type = LLVMVectorType(e->running->type, v.lanes);
    end_vectors(e, &v);
}
