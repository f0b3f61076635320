/* Folds over the rows of a compressed matrix or graph:
 *
 *     for e in row[v] .. row[v + 1] { s += val[e] * p[col[e]]; }
 *
 * Rows are short, so what is asked before and behind each of them costs as much as what is in it, and the order of a
 * sum of floats is fixed, so it cannot become vectors. Therefore the lanes are taken a strip at a time:
 *
 *   - whether row[] rises in the strip, and ends in bounds of what is loaded by e alone, is asked once;
 *   - then the rows are folded, by loops that ask for nothing but where they end, into one result per lane;
 *   - then the lanes do all else, by a loop that has no loop inside and becomes vectors.
 *
 * Of an array that nobody writes in the whole run, as col[], whoever runs the segment may know the largest element. If
 * that is in bounds of p[], p[col[e]] is not checked either.
 *
 * Strips for which something of this does not hold go row by row as they would anywhere. */
#include "emit/llvm/emitter.h"
#include <llvm-c/DebugInfo.h>

#define MOST_ELEMENTS ((uint64_t)1 << 24) /* of a strip that asks nobody whether to stop */
#define ALIGN 64
#define LANES 16 /* of a vector */

/* ---- what is asked ---- */

static LLVMValueRef both(gf_emit *e, LLVMValueRef a, LLVMValueRef b) {
    return a == NULL ? b : b == NULL ? a : LLVMBuildAnd(e->ll.builder, a, b, "");
}

/* Each p[col[e]] is there, whatever e is; col[e] may be the 0 of what is not there. NULL: there are none. */
static LLVMValueRef are_values_inside(gf_emit *e, const gf_rows *rows) {
    LLVMValueRef all = NULL;
    for (unsigned i = 0; i < rows->load_count; i++) {
        const gf_row_load *load = &rows->loads[i];
        if (load->by != NULL) {
            LLVMValueRef count = gf_array_count(e, load->node->ref.symbol);
            LLVMValueRef largest = gf_emit_largest(e, load->by->ref.symbol);
            all = both(e, all, LLVMBuildICmp(e->ll.builder, LLVMIntULT, largest, count, ""));
        }
    }
    return all;
}

void gf_rows_begin(gf_emit *e, gf_rows *rows) {
    for (unsigned i = 0; i < rows->result_count; i++) {
        LLVMTypeRef type = gf_ll_type(&e->ll, rows->results[i].symbol->type);
        rows->results[i].values = gf_alloca(e, LLVMArrayType2(type, GF_ROWS_STRIP), "folded");
        LLVMSetAlignment(rows->results[i].values, ALIGN);
    }
    rows->falls = gf_alloca(e, e->ll.i16, "falls");
    rows->inside = e->options.unchecked ? NULL : are_values_inside(e, rows);
}

static LLVMValueRef bound_of(gf_emit *e, const gf_expr *load) {
    return gf_extend(e, load->type, gf_emit_load(e, load));
}

/* ---- a strip ---- */

typedef struct strip {
    const gf_rows *rows;
    gf_lane_fn *enter;
    const void *lanes;
    LLVMValueRef first; /* lane */
    bool is_rising;
} strip;

/* As it stands: a chain of additions is no faster with several of them in a turn, rows are shorter than that, and
 * looking for what cannot be gained takes time. */
static void keep_loop(gf_emit *e, LLVMValueRef back) {
    LLVMContextRef context = e->ll.context;
    LLVMMetadataRef unroll = LLVMMDStringInContext2(context, "llvm.loop.unroll.disable", 24);
    LLVMMetadataRef vector[] = {LLVMMDStringInContext2(context, "llvm.loop.vectorize.enable", 26),
                                LLVMValueAsMetadata(LLVMConstInt(e->ll.i1, 0, 0))};
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
    LLVMMetadataRef parts[] = {self, LLVMMDNodeInContext2(context, &unroll, 1),
                               LLVMMDNodeInContext2(context, vector, 2)};
    LLVMMetadataRef id = LLVMMDNodeInContext2(context, parts, 3);
    LLVMMetadataReplaceAllUsesWith(self, id); /* a loop's node names itself first */
    LLVMSetMetadata(back, LLVMGetMDKindIDInContext(context, "llvm.loop", 9), LLVMMetadataAsValue(context, id));
}

static void note_falls(gf_emit *e, const gf_rows *rows, LLVMValueRef bits) {
    LLVMValueRef old = LLVMBuildLoad2(e->ll.builder, e->ll.i16, rows->falls, "");
    LLVMBuildStore(e->ll.builder, LLVMBuildOr(e->ll.builder, old, bits, ""), rows->falls);
}

static void look_at_lane(gf_emit *e, LLVMValueRef index, void *context) {
    const strip *s = context;
    LLVMBuilderRef b = e->ll.builder;
    s->enter(e, LLVMBuildAdd(b, s->first, index, ""), s->lanes);
    LLVMValueRef from = gf_emit_load(e, s->rows->from), to = gf_emit_load(e, s->rows->to);
    LLVMIntPredicate more = gf_type_is_signed(s->rows->from->type) ? LLVMIntSGT : LLVMIntUGT;
    note_falls(e, s->rows, LLVMBuildZExt(b, LLVMBuildICmp(b, more, from, to, ""), e->ll.i16, ""));
}

/* The bound of some lanes of the strip as a vector. */
static LLVMValueRef bounds_of(gf_emit *e, const gf_expr *load) {
    gf_element element = gf_emit_place(e, load, load->ref.symbol, load->args[0]);
    LLVMTypeRef type = LLVMVectorType(gf_ll_type(&e->ll, load->type), LANES);
    LLVMValueRef bounds = LLVMBuildLoad2(e->ll.builder, type, gf_element_ptr(e, load->ref.symbol, element.index), "");
    LLVMSetAlignment(bounds, (unsigned)gf_type_bytes(load->type));
    return bounds;
}

/* The same of LANES lanes. */
static void look_at_lanes(gf_emit *e, LLVMValueRef index, void *context) {
    const strip *s = context;
    LLVMBuilderRef b = e->ll.builder;
    s->enter(e, LLVMBuildAdd(b, s->first, LLVMBuildMul(b, index, gf_i64(e, LANES), ""), ""), s->lanes);
    LLVMIntPredicate more = gf_type_is_signed(s->rows->from->type) ? LLVMIntSGT : LLVMIntUGT;
    LLVMValueRef falls = LLVMBuildICmp(b, more, bounds_of(e, s->rows->from), bounds_of(e, s->rows->to), "");
    note_falls(e, s->rows, LLVMBuildBitCast(b, falls, e->ll.i16, ""));
}

/* i1: some row of the strip ends before it begins. */
static LLVMValueRef any_falls(gf_emit *e, strip *s, LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef vectors = LLVMBuildUDiv(b, count, gf_i64(e, LANES), "");
    LLVMValueRef rest = LLVMBuildMul(b, vectors, gf_i64(e, LANES), "");
    LLVMBuildStore(b, LLVMConstNull(e->ll.i16), s->rows->falls);
    keep_loop(e, gf_emit_range(e, gf_i64(e, 0), vectors, "rises", look_at_lanes, s));
    keep_loop(e, gf_emit_range(e, rest, count, "rises", look_at_lane, s));
    LLVMValueRef falls = LLVMBuildLoad2(b, e->ll.i16, s->rows->falls, "");
    return LLVMBuildICmp(b, LLVMIntNE, falls, LLVMConstNull(e->ll.i16), "");
}

/* row[] rises from the first lane to the last, and what is loaded by e alone is there for all e. */
static LLVMValueRef is_rising(gf_emit *e, strip *s, LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    const gf_rows *rows = s->rows;
    LLVMValueRef holds = LLVMBuildNot(b, any_falls(e, s, count), "");
    s->enter(e, s->first, s->lanes);
    LLVMValueRef from = bound_of(e, rows->from);
    s->enter(e, LLVMBuildAdd(b, s->first, LLVMBuildSub(b, count, gf_i64(e, 1), ""), ""), s->lanes);
    LLVMValueRef to = bound_of(e, rows->to);
    LLVMValueRef most = gf_i64(e, MOST_ELEMENTS);
    holds = both(e, holds, LLVMBuildICmp(b, LLVMIntULE, LLVMBuildSub(b, to, from, ""), most, ""));
    if (gf_type_is_signed(rows->from->type)) {
        holds = both(e, holds, LLVMBuildICmp(b, LLVMIntSGE, from, gf_i64(e, 0), ""));
    }
    for (unsigned i = 0; i < rows->load_count && !e->options.unchecked; i++) {
        if (rows->loads[i].by == NULL) {
            LLVMValueRef length = gf_array_count(e, rows->loads[i].node->ref.symbol);
            holds = both(e, holds, LLVMBuildICmp(b, LLVMIntULE, to, length, ""));
        }
    }
    return holds;
}

static void emit_element(gf_emit *e, LLVMValueRef variable, void *context) {
    const strip *s = context;
    const gf_stmt *loop = s->rows->loop;
    gf_named *name = gf_name(e, loop->target.symbol);
    name->wide = variable;
    name->value = LLVMBuildTrunc(e->ll.builder, variable, gf_ll_type(&e->ll, loop->target.symbol->type), "");
    gf_emit_block(e, loop->body);
}

static bool has_float(const gf_rows *rows) {
    for (unsigned i = 0; i < rows->result_count; i++) {
        if (gf_type_is_float(rows->results[i].symbol->type)) {
            return true;
        }
    }
    return false;
}

static void fold_lane(gf_emit *e, LLVMValueRef index, void *context) {
    strip *s = context;
    LLVMBuilderRef b = e->ll.builder;
    const gf_rows *rows = s->rows;
    s->enter(e, LLVMBuildAdd(b, s->first, index, ""), s->lanes);
    for (size_t i = 0; i < rows->prefix.count; i++) {
        gf_emit_block(e, &(gf_block){.items = &rows->prefix.items[i], .count = 1});
    }
    if (s->is_rising) {
        LLVMValueRef from = bound_of(e, rows->from), to = bound_of(e, rows->to);
        LLVMValueRef back = gf_emit_range(e, from, to, "element", emit_element, s);
        if (has_float(rows)) {
            keep_loop(e, back);
        }
    } else {
        gf_emit_for(e, rows->loop);
    }
    for (unsigned i = 0; i < rows->result_count; i++) {
        const gf_row_result *result = &rows->results[i];
        LLVMTypeRef type = gf_ll_type(&e->ll, result->symbol->type);
        LLVMValueRef value = LLVMBuildLoad2(b, type, gf_name(e, result->symbol)->slot, "");
        LLVMBuildStore(b, value, LLVMBuildGEP2(b, type, result->values, &index, 1, ""));
    }
}

static void fold_rising(gf_emit *e, strip *s, LLVMValueRef count, bool inside) {
    s->is_rising = true;
    e->row_loads = (gf_row_trust){.rows = s->rows, .values = inside};
    keep_loop(e, gf_emit_range(e, gf_i64(e, 0), count, "fold", fold_lane, s));
    e->row_loads.rows = NULL;
}

void gf_rows_fold(gf_emit *e, const gf_rows *rows, LLVMValueRef first, LLVMValueRef count, gf_lane_fn *enter,
                  const void *lanes) {
    LLVMBuilderRef b = e->ll.builder;
    strip s = {.rows = rows, .enter = enter, .lanes = lanes, .first = first};
    LLVMBasicBlockRef rising = gf_block_new(e, "rising"), other = gf_block_new(e, "other"),
                      after = gf_block_new(e, "folded");
    gf_branch_likely(e, is_rising(e, &s, count), rising, other);
    gf_at(e, rising);
    if (rows->inside != NULL) {
        LLVMBasicBlockRef inside = gf_block_new(e, "inside"), outside = gf_block_new(e, "outside");
        LLVMBuildCondBr(b, rows->inside, inside, outside);
        gf_at(e, outside);
        fold_rising(e, &s, count, false);
        gf_branch(e, after);
        gf_at(e, inside);
    }
    fold_rising(e, &s, count, true);
    gf_branch(e, after);
    gf_at(e, other);
    s.is_rising = false;
    e->is_slow = true;
    keep_loop(e, gf_emit_range(e, gf_i64(e, 0), count, "fold", fold_lane, &s));
    e->is_slow = false;
    gf_branch(e, after);
    gf_at(e, after);
}

void gf_rows_take(gf_emit *e, const gf_rows *rows, LLVMValueRef first) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef index = LLVMBuildSub(b, e->lane, first, "");
    for (unsigned i = 0; i < rows->result_count; i++) {
        const gf_row_result *result = &rows->results[i];
        LLVMTypeRef type = gf_ll_type(&e->ll, result->symbol->type);
        LLVMValueRef value = LLVMBuildLoad2(b, type, LLVMBuildGEP2(b, type, result->values, &index, 1, ""), "");
        LLVMBuildStore(b, value, gf_name(e, result->symbol)->slot);
    }
}

/* ---- its loads ---- */

bool gf_rows_hold(const gf_emit *e, const void *node, LLVMValueRef *index) {
    const gf_rows *rows = e->row_loads.rows;
    for (unsigned i = 0; rows != NULL && i < rows->load_count; i++) {
        const gf_row_load *load = &rows->loads[i];
        if (load->node == node) {
            *index = load->by == NULL ? e->names[rows->loop->target.symbol->id].wide : NULL;
            return load->by == NULL || e->row_loads.values;
        }
    }
    return false;
}
