/* Reductions in the language's fixed order: in a block of 4096 partial p of 256 takes elements p, p + 256, ...; the
 * partials are halved. What is missing is left out, which the neutral element does bit for bit (of float add it is
 * -0.0). Both loops run over neighbouring elements and vectorise. */
#include "emit/llvm/emitter.h"
#include "ir/eval.h"

#define PARTIALS 256

typedef struct folder {
    gf_combine combine;
    gf_type type, stored;
    LLVMValueRef values;
    LLVMValueRef from; /* where the other operand stands, less the variable */
} folder;

static LLVMValueRef element(gf_emit *e, const folder *f, LLVMValueRef index) {
    return LLVMBuildGEP2(e->ll.builder, gf_ll_stored(&e->ll, f->stored), f->values, &index, 1, "");
}

/* Truth values lie in memory as bytes. */
static LLVMValueRef get(gf_emit *e, const folder *f, LLVMValueRef index) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef raw = LLVMBuildLoad2(b, gf_ll_stored(&e->ll, f->stored), element(e, f, index), "");
    if (f->type == GF_TYPE_BOOL) {
        return LLVMBuildICmp(b, LLVMIntNE, raw, LLVMConstNull(LLVMTypeOf(raw)), "");
    }
    return gf_ll_widen(&e->ll, f->stored, raw);
}

static LLVMValueRef to_stored(gf_emit *e, const folder *f, LLVMValueRef value) {
    if (f->type == GF_TYPE_BOOL) {
        return LLVMBuildZExt(e->ll.builder, value, gf_ll_stored(&e->ll, f->stored), "");
    }
    if (f->stored == GF_TYPE_F32 || f->stored == GF_TYPE_F64) {
        return value; /* a NaN becomes the one NaN where the result goes */
    }
    return gf_ll_narrow(&e->ll, f->stored, value);
}

static void combine_one(gf_emit *e, LLVMValueRef i, void *context) {
    const folder *f = context;
    LLVMValueRef other = LLVMBuildAdd(e->ll.builder, i, f->from, "");
    LLVMValueRef a = get(e, f, i), b = get(e, f, other);
    LLVMValueRef both = gf_ll_combine(&e->ll, f->combine, f->type, a, b);
    LLVMBuildStore(e->ll.builder, to_stored(e, f, both), element(e, f, i));
}

static void neutral_one(gf_emit *e, LLVMValueRef i, void *context) {
    const folder *f = context;
    LLVMValueRef neutral = gf_ll_neutral(&e->ll, f->combine, f->type);
    LLVMBuildStore(e->ll.builder, to_stored(e, f, neutral), element(e, f, i));
}

/* values[p] takes the elements of its row. */
static void add_row(gf_emit *e, LLVMValueRef row, void *context) {
    folder *f = context;
    f->from = LLVMBuildMul(e->ll.builder, row, gf_i64(e, PARTIALS), "");
    gf_emit_range(e, gf_i64(e, 0), gf_i64(e, PARTIALS), "partial", combine_one, f);
}

LLVMValueRef gf_emit_fold(gf_emit *e, gf_combine combine, gf_type type, gf_type stored, LLVMValueRef values,
                          LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    folder f = {.combine = combine, .type = type, .stored = stored, .values = values};
    uint64_t partials = PARTIALS;
    if (LLVMIsAConstantInt(count) != NULL && LLVMConstIntGetZExtValue(count) <= PARTIALS) {
        for (partials = 1; partials < LLVMConstIntGetZExtValue(count);) {
            partials *= 2;
        }
    }
    LLVMValueRef rows = LLVMBuildUDiv(b, LLVMBuildAdd(b, count, gf_i64(e, partials - 1), ""), gf_i64(e, partials), "");
    gf_emit_range(e, count, LLVMBuildMul(b, rows, gf_i64(e, partials), ""), "missing", neutral_one, &f);
    if (partials == PARTIALS) {
        gf_emit_range(e, gf_i64(e, 1), rows, "row", add_row, &f);
    }
    for (uint64_t half = partials / 2; half > 0; half /= 2) {
        f.from = gf_i64(e, half);
        gf_emit_range(e, gf_i64(e, 0), gf_i64(e, half), "half", combine_one, &f);
    }
    LLVMValueRef result = get(e, &f, gf_i64(e, 0));
    if (gf_type_is_float(type) && (combine == GF_COMBINE_MIN || combine == GF_COMBINE_MAX)) {
        /* Nothing but NaN gives the neutral element, whether or not anything was missing. */
        result = gf_ll_combine(&e->ll, combine, type, result, gf_ll_neutral(&e->ll, combine, type));
    }
    return result;
}
