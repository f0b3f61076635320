/* The function of a segment. An outer one, with the name, takes the arguments apart and calls an inner one to which
 * each array is a parameter that aliases no other: that is how LLVM is told that names never share memory. */
#include "emit/llvm/emitter.h"
#include "ir/eval.h"
#include "ir/visit.h"
#include <stdio.h>
#include <string.h>

#define FIXED_PARAMS 4 /* args, worker, begin, end */
#define GROUP_ALIGN 64
#define SCAN_PART 512 /* values */

/* ---- names ---- */

/* A segment as it is bound to arguments. */
typedef struct bound {
    const gf_segment *segment;
    gf_named *names;
    gf_array **arrays;    /* of its buffers */
    size_t first_word;    /* of its params among the arguments */
    unsigned first_param; /* of its buffers among the parameters of the inner function */
} bound;

typedef struct segment_state {
    const gf_segment *segment;
    const gf_plan *groups; /* NULL: by invocation */
    gf_llvm_segment *info;
    LLVMValueRef args;
    bound own, source;                    /* the latter with has_scan */
    gf_array *reduced[GF_LLVM_REDUCES];   /* the arrays that take the values */
    LLVMValueRef blocks[GF_LLVM_REDUCES]; /* a block of values */
    LLVMValueRef block;                   /* how many invocations have one result */
    bool has_scan;
    gf_llvm_scan scan;
    gf_array *made, *sums; /* of the source; of the segment itself */
    LLVMValueRef scanned;  /* a part of a block of them, in one memory */
    LLVMValueRef sum;      /* pointer: what lies before the part */
} segment_state;

static bool constant_size(const gf_expr *size, uint64_t *count) {
    gf_env env = {0};
    return size != NULL && gf_eval_size(size, &env, "", count, NULL);
}

/* Arrays that are declared with the same size have the same length, as LLVM is to see. */
static LLVMValueRef count_of(gf_emit *e, const bound *b, size_t index, LLVMValueRef given) {
    const gf_expr *size = b->segment->buffers[index].symbol->size;
    uint64_t constant = 0;
    if (constant_size(size, &constant)) {
        return gf_i64(e, constant);
    }
    for (size_t i = 0; i < index && size != NULL; i++) {
        const gf_expr *other = b->segment->buffers[i].symbol->size;
        /* Values that never reach memory have no length there. */
        if (other != NULL && !b->arrays[i]->is_reduced && gf_equal_expr(size, other)) {
            return b->arrays[i]->count;
        }
    }
    return given;
}

/* The values of a fused reduction, or those that are scanned, lie in a block that only this thread knows. */
static void note_block_array(segment_state *s, const bound *b, uint32_t buffer, gf_array *array) {
    for (unsigned k = 0; b == &s->own && k < s->info->reduce_count; k++) {
        if (s->info->reduces[k].buffer == buffer) {
            s->reduced[k] = array;
            array->is_private = array->is_reduced = true;
        }
    }
    if (s->has_scan && b == &s->own && buffer == s->scan.sums) {
        s->sums = array;
        array->is_private = array->is_reduced = true;
    }
    if (s->has_scan && b == &s->source && buffer == s->scan.values) {
        s->made = array;
        array->is_private = array->is_reduced = true;
    }
}

/* Leaves the emitter at the names of the segment. */
static void bind_names(gf_emit *e, segment_state *s, bound *b) {
    const gf_segment *segment = b->segment;
    gf_emit_tree(e, segment->tree);
    b->names = e->names;
    for (size_t i = 0; i < segment->param_count; i++) {
        const gf_symbol *symbol = segment->params[i].symbol;
        gf_name(e, symbol)->value = gf_from_bits(e, symbol->type, gf_word(e, s->args, b->first_word + i));
    }
    b->arrays = gf_new_array(e->arena, gf_array *, segment->buffer_count);
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_segment_buffer *buffer = &segment->buffers[i];
        LLVMValueRef given = gf_word(e, s->args, b->first_word + segment->param_count + 2 * i + 1);
        bool tracked = e->options.tracked != NULL && e->options.tracked[buffer->buffer];
        bool alone = segment->tree->kernel.space_kind == GF_SPACE_ONE && !segment->is_forall;
        gf_array *array = gf_new(e->arena, gf_array);
        *array = (gf_array){.data = LLVMGetParam(e->function, b->first_param + (unsigned)i),
                            .count = count_of(e, b, i, given),
                            .is_written = buffer->role != GF_ROLE_IN,
                            .is_private = alone && !tracked,
                            .is_tracked = tracked};
        b->arrays[i] = array;
        gf_name(e, buffer->symbol)->array = array;
        note_block_array(s, b, buffer->buffer, array);
    }
}

static void bind_geometry(gf_emit *e, const segment_state *s) {
    LLVMBuilderRef b = e->ll.builder;
    for (int axis = 0; axis < 3; axis++) {
        LLVMValueRef space = gf_word(e, s->args, GF_ABI_SPACE + (size_t)axis);
        LLVMValueRef groups = gf_word(e, s->args, GF_ABI_GROUPS + (size_t)axis);
        e->space[axis] = LLVMBuildTrunc(b, space, e->ll.i32, "space");
        e->groups[axis] = LLVMBuildTrunc(b, groups, e->ll.i32, "groups");
    }
}

/* ---- by invocation ---- */

static gf_type stored_type(const gf_emit *e, uint32_t buffer) {
    return e->plan->buffers[buffer].symbol->type;
}

static LLVMValueRef new_block(gf_emit *e, uint32_t buffer, uint32_t count) {
    LLVMTypeRef type = LLVMArrayType2(gf_ll_stored(&e->ll, stored_type(e, buffer)), count + 256);
    LLVMValueRef block = gf_alloca(e, type, "block");
    LLVMSetAlignment(block, GROUP_ALIGN);
    return block;
}

/* As if the block were the part from `first` on of a whole array. */
static LLVMValueRef moved_back(gf_emit *e, uint32_t buffer, LLVMValueRef block, LLVMValueRef first) {
    LLVMValueRef back = LLVMBuildSub(e->ll.builder, gf_i64(e, 0), first, "");
    return LLVMBuildGEP2(e->ll.builder, gf_ll_stored(&e->ll, stored_type(e, buffer)), block, &back, 1, "values");
}

typedef struct neutral_fill {
    LLVMValueRef values, neutral;
} neutral_fill;

static void fill_neutral(gf_emit *e, LLVMValueRef i, void *context) {
    const neutral_fill *fill = context;
    LLVMTypeRef type = LLVMTypeOf(fill->neutral);
    LLVMBuildStore(e->ll.builder, fill->neutral, LLVMBuildGEP2(e->ll.builder, type, fill->values, &i, 1, ""));
}

static bool always_writes(const gf_segment *segment, uint32_t buffer) {
    for (size_t i = 0; i < segment->buffer_count; i++) {
        if (segment->buffers[i].buffer == buffer) {
            return segment->buffers[i].overwrites;
        }
    }
    return false;
}

static LLVMValueRef neutral_of(gf_emit *e, const gf_llvm_reduce *reduce) {
    LLVMValueRef neutral = gf_ll_neutral(&e->ll, reduce->combine, reduce->type);
    gf_type stored = stored_type(e, reduce->buffer);
    return reduce->type == GF_TYPE_BOOL ? LLVMBuildZExt(e->ll.builder, neutral, gf_ll_stored(&e->ll, stored), "")
                                        : gf_ll_narrow(&e->ll, stored, neutral);
}

/* Integers may be taken together as they come, without a block in memory, if each invocation says one value at most. */
typedef struct store_count {
    const gf_symbol *array;
    unsigned stores, loops;
} store_count;

static bool count_store(void *user, const gf_stmt *stmt) {
    store_count *found = user;
    if (gf_holds_loop(&(gf_block){.items = &stmt, .count = 1}) && stmt->kind != GF_STMT_REGION &&
        stmt->kind != GF_STMT_BLOCK && stmt->kind != GF_STMT_IF) {
        store_count inside = {.array = found->array};
        gf_visitor visitor = {.user = &inside, .stmt = count_store};
        gf_visit_block(&visitor, stmt->body);
        found->loops += inside.stores + inside.loops;
        return false;
    }
    found->stores += stmt->kind == GF_STMT_STORE && stmt->target.symbol == found->array;
    return true;
}

static bool is_summed(const segment_state *s, const gf_llvm_reduce *reduce) {
    store_count found = {0};
    for (size_t i = 0; i < s->segment->buffer_count; i++) {
        if (s->segment->buffers[i].buffer == reduce->buffer) {
            found.array = s->segment->buffers[i].symbol;
        }
    }
    gf_visitor visitor = {.user = &found, .stmt = count_store};
    gf_visit_block(&visitor, s->segment->tree->kernel.body);
    return !gf_type_is_float(reduce->type) && found.stores == 1 && found.loops == 0;
}

static LLVMValueRef new_total(gf_emit *e, uint32_t buffer) {
    return gf_alloca(e, gf_ll_type(&e->ll, gf_type_loaded(stored_type(e, buffer))), "total");
}

static LLVMValueRef results_of(gf_emit *e, const segment_state *s, unsigned k) {
    size_t word = GF_ABI_PARAMS + s->segment->param_count + 2 * s->segment->buffer_count + k;
    return gf_word_ptr(e, s->args, word);
}

/* Whether a fixed order is left to others, for the blocks of this launch are smaller than those of the order. */
static LLVMValueRef is_left(gf_emit *e, const segment_state *s, const gf_llvm_reduce *reduce) {
    return LLVMBuildICmp(e->ll.builder, LLVMIntULT, s->block, gf_i64(e, reduce->block), "left");
}

/* An invocation may leave before it has said anything; unless it never does, the block starts with nothing said. */
static void start_block(gf_emit *e, segment_state *s, LLVMValueRef first, LLVMValueRef count) {
    for (unsigned k = 0; k < s->info->reduce_count; k++) {
        const gf_llvm_reduce *reduce = &s->info->reduces[k];
        if (s->reduced[k]->total != NULL) {
            gf_type type = gf_type_loaded(stored_type(e, reduce->buffer));
            uint64_t neutral = gf_combine_neutral(reduce->combine, reduce->type);
            LLVMBuildStore(e->ll.builder, gf_ll_bits(&e->ll, type, neutral), s->reduced[k]->total);
            continue;
        }
        LLVMValueRef data = moved_back(e, reduce->buffer, s->blocks[k], first);
        if (reduce->fixed_order) {
            data = LLVMBuildSelect(e->ll.builder, is_left(e, s, reduce), results_of(e, s, k), data, "values");
        }
        s->reduced[k]->data = data;
        if (!always_writes(s->segment, reduce->buffer)) {
            LLVMTypeRef type = gf_ll_stored(&e->ll, stored_type(e, reduce->buffer));
            neutral_fill fill = {.values = LLVMBuildGEP2(e->ll.builder, type, data, &first, 1, ""),
                                 .neutral = neutral_of(e, reduce)};
            gf_emit_range(e, gf_i64(e, 0), count, "nothing", fill_neutral, &fill);
        }
    }
}

static void end_block(gf_emit *e, segment_state *s, LLVMValueRef first, LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    for (unsigned k = 0; k < s->info->reduce_count; k++) {
        const gf_llvm_reduce *reduce = &s->info->reduces[k];
        gf_type stored = stored_type(e, reduce->buffer);
        LLVMTypeRef type = gf_ll_stored(&e->ll, stored);
        LLVMValueRef value = NULL;
        LLVMBasicBlockRef next = gf_block_new(e, "left");
        if (reduce->fixed_order) {
            LLVMBasicBlockRef fold = gf_block_new(e, "fold");
            LLVMBuildCondBr(b, is_left(e, s, reduce), next, fold);
            gf_at(e, fold);
        }
        if (s->reduced[k]->total != NULL) {
            LLVMTypeRef loaded = gf_ll_type(&e->ll, gf_type_loaded(stored));
            value = gf_ll_narrow(&e->ll, stored, LLVMBuildLoad2(b, loaded, s->reduced[k]->total, ""));
        } else {
            value = gf_emit_fold(e, reduce->combine, reduce->type, stored, s->blocks[k], count);
            value =
                reduce->type == GF_TYPE_BOOL ? LLVMBuildZExt(b, value, type, "") : gf_ll_narrow(&e->ll, stored, value);
        }
        LLVMValueRef index = LLVMBuildUDiv(b, first, s->block, "");
        LLVMBuildStore(b, value, LLVMBuildGEP2(b, type, results_of(e, s, k), &index, 1, ""));
        gf_branch(e, next);
        gf_at(e, next);
    }
}

static void make_values(gf_emit *e, const segment_state *s, LLVMValueRef first, LLVMValueRef end) {
    const gf_tree *tree = e->tree;
    e->tree = s->source.segment->tree;
    e->names = s->source.names;
    gf_emit_invocations(e, e->tree->kernel.body, first, end);
    e->tree = tree;
    e->names = s->own.names;
}

/* Values that are those of an array are taken from there, as far as it goes. */
static LLVMValueRef copied_values(gf_emit *e, const segment_state *s, size_t copied, LLVMValueRef first,
                                  LLVMValueRef end) {
    LLVMBuilderRef b = e->ll.builder;
    const gf_array *array = s->source.arrays[copied];
    LLVMTypeRef type = gf_ll_stored(&e->ll, stored_type(e, s->scan.values));
    LLVMValueRef values[] = {LLVMBuildGEP2(b, type, array->data, &first, 1, ""), s->scanned};
    LLVMBasicBlockRef make = gf_block_new(e, "make"), made = gf_block_new(e, "made"),
                      from[] = {LLVMGetInsertBlock(b), NULL};
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULE, end, array->count, ""), made, make);
    gf_at(e, make);
    make_values(e, s, first, end);
    from[1] = LLVMGetInsertBlock(b);
    gf_branch(e, made);
    gf_at(e, made);
    LLVMValueRef which = LLVMBuildPhi(b, e->ll.ptr, "values");
    LLVMAddIncoming(which, values, from, 2);
    return which;
}

/* The source makes some values, unless they are there. Gives where. */
static LLVMValueRef scanned_values(gf_emit *e, segment_state *s, LLVMValueRef first, LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMTypeRef type = gf_ll_stored(&e->ll, stored_type(e, s->scan.values));
    s->made->data = moved_back(e, s->scan.values, s->scanned, first);
    if (!always_writes(s->source.segment, s->scan.values)) {
        neutral_fill fill = {.values = s->scanned, .neutral = LLVMConstNull(type)};
        gf_emit_range(e, gf_i64(e, 0), count, "nothing", fill_neutral, &fill);
    }
    LLVMValueRef end = LLVMBuildAdd(b, first, count, "");
    size_t copied = gf_llvm_copied_by(s->source.segment, s->scan.values);
    if (copied < s->source.segment->buffer_count) {
        return copied_values(e, s, copied, first, end);
    }
    make_values(e, s, first, end);
    return s->scanned;
}

/* Parts of a block, small enough that reading what is new and writing what is done overlap. All but the first begin
 * with a line of what the segment writes (the first is `back` shorter): a line in two parts could not go past the
 * caches. */
typedef struct parts {
    segment_state *s;
    LLVMValueRef first, count, back;
} parts;

static LLVMValueRef elements_into_line(gf_emit *e, const segment_state *s) {
    for (size_t i = 0; i < s->segment->buffer_count; i++) {
        const gf_array *array = s->own.arrays[i];
        unsigned bytes = gf_type_bytes(s->segment->buffers[i].symbol->type);
        if (s->segment->buffers[i].role == GF_ROLE_OUT && !array->is_reduced && (bytes == 4 || bytes == 8)) {
            LLVMBuilderRef b = e->ll.builder;
            LLVMValueRef address = LLVMBuildPtrToInt(b, array->data, e->ll.i64, "");
            LLVMValueRef into = LLVMBuildAnd(b, address, gf_i64(e, GROUP_ALIGN - 1), "");
            return LLVMBuildUDiv(b, into, gf_i64(e, bytes), "");
        }
    }
    return gf_i64(e, 0);
}

static void emit_part_of(gf_emit *e, LLVMValueRef index, void *context) {
    const parts *all = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef size = gf_i64(e, SCAN_PART), zero = gf_i64(e, 0);
    LLVMValueRef at = LLVMBuildSub(b, LLVMBuildMul(b, index, size, ""), all->back, "");
    LLVMValueRef end = LLVMBuildAdd(b, at, size, "");
    at = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntEQ, index, zero, ""), zero, at, "");
    end = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, all->count, end, ""), all->count, end, "");
    LLVMValueRef first = LLVMBuildAdd(b, all->first, at, ""), count = LLVMBuildSub(b, end, at, "");
    segment_state *s = all->s;
    LLVMValueRef values = scanned_values(e, s, first, count);
    gf_running running = {.type = gf_ll_stored(&e->ll, stored_type(e, s->scan.values)),
                          .array = s->sums,
                          .values = moved_back(e, s->scan.values, values, first),
                          .sums = moved_back(e, s->scan.values, s->scanned, first),
                          .sum = s->sum};
    e->running = &running;
    gf_emit_invocations(e, s->segment->tree->kernel.body, first, LLVMBuildAdd(b, first, count, ""));
    e->running = NULL;
}

static void scan_block(gf_emit *e, segment_state *s, LLVMValueRef first, LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMTypeRef type = gf_ll_stored(&e->ll, stored_type(e, s->scan.values));
    LLVMValueRef index = LLVMBuildUDiv(b, first, gf_i64(e, GF_LLVM_SCAN_BLOCK), "");
    LLVMValueRef totals = results_of(e, s, s->info->reduce_count);
    LLVMBuildStore(b, LLVMBuildLoad2(b, type, LLVMBuildGEP2(b, type, totals, &index, 1, ""), ""), s->sum);
    parts all = {.s = s, .first = first, .count = count, .back = elements_into_line(e, s)};
    LLVMValueRef up = LLVMBuildAdd(b, LLVMBuildAdd(b, count, all.back, ""), gf_i64(e, SCAN_PART - 1), "");
    gf_emit_range(e, gf_i64(e, 0), LLVMBuildUDiv(b, up, gf_i64(e, SCAN_PART), ""), "part", emit_part_of, &all);
}

static void emit_block_of(gf_emit *e, LLVMValueRef index, void *context) {
    segment_state *s = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef size = s->block, end = LLVMGetParam(e->function, 3);
    LLVMValueRef first = LLVMBuildMul(b, index, size, ""), left = LLVMBuildSub(b, end, first, "");
    LLVMValueRef count = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, left, size, ""), left, size, "");
    gf_poll(e);
    start_block(e, s, first, count);
    if (s->has_scan) {
        scan_block(e, s, first, count);
    } else {
        gf_emit_invocations(e, s->segment->tree->kernel.body, first, LLVMBuildAdd(b, first, count, ""));
    }
    end_block(e, s, first, count);
}

static void emit_by_invocation(gf_emit *e, segment_state *s) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef begin = LLVMGetParam(e->function, 2), end = LLVMGetParam(e->function, 3);
    if (s->info->reduce_count == 0 && !s->has_scan) {
        gf_emit_invocations(e, s->segment->tree->kernel.body, begin, end);
        return;
    }
    for (unsigned k = 0; k < s->info->reduce_count; k++) {
        const gf_llvm_reduce *reduce = &s->info->reduces[k];
        if (is_summed(s, reduce)) {
            s->reduced[k]->total = new_total(e, reduce->buffer);
            s->reduced[k]->combine = reduce->combine;
        } else {
            s->blocks[k] = new_block(e, reduce->buffer, s->info->unit);
        }
    }
    if (s->has_scan) {
        s->scanned = new_block(e, s->scan.values, SCAN_PART);
        s->sum = gf_alloca(e, gf_ll_stored(&e->ll, stored_type(e, s->scan.values)), "sum");
    }
    s->block = s->has_scan ? gf_i64(e, s->info->unit) : gf_word(e, s->args, GF_ABI_BLOCK);
    LLVMValueRef up = LLVMBuildAdd(b, end, LLVMBuildSub(b, s->block, gf_i64(e, 1), ""), "");
    LLVMValueRef from = LLVMBuildUDiv(b, begin, s->block, ""), to = LLVMBuildUDiv(b, up, s->block, "");
    gf_emit_range(e, from, to, "block", emit_block_of, s);
}

/* ---- by workgroup ---- */

static uint64_t hidden_count(const gf_plan_buffer *buffer) {
    uint64_t count = buffer->symbol->length;
    if (buffer->kind != GF_PLAN_BUFFER_SHARED) {
        (void)constant_size(buffer->size, &count);
    }
    return count;
}

/* Bytes with room for a fold. */
static uint64_t hidden_bytes(const gf_plan_buffer *buffer) {
    uint64_t bytes = (hidden_count(buffer) + 255) / 256 * 256 * gf_type_bytes(buffer->symbol->type);
    return (bytes + GROUP_ALIGN - 1) / GROUP_ALIGN * GROUP_ALIGN;
}

static void emit_by_group(gf_emit *e, segment_state *s) {
    const gf_plan *plan = s->groups;
    gf_named *names = gf_new_array(e->arena, gf_named, plan->symbol_count);
    memcpy(names, e->names, e->tree->symbol_count * sizeof *names);
    e->names = names;
    size_t at = FIXED_PARAMS + s->segment->buffer_count;
    for (size_t i = 0; i < plan->buffer_count; i++) {
        const gf_plan_buffer *buffer = &plan->buffers[i];
        if (buffer->kind == GF_PLAN_BUFFER_PROGRAM) {
            continue;
        }
        gf_array *array = gf_new(e->arena, gf_array);
        *array = (gf_array){.data = LLVMGetParam(e->function, (unsigned)at++),
                            .count = gf_i64(e, hidden_count(buffer)),
                            .is_private = true,
                            .is_written = true};
        names[buffer->symbol->id].array = array;
    }
    gf_emit_groups(e, plan, LLVMGetParam(e->function, 2), LLVMGetParam(e->function, 3));
}

/* ---- both functions ---- */

static unsigned hidden_buffers(const gf_plan *plan) {
    unsigned count = 0;
    for (size_t i = 0; plan != NULL && i < plan->buffer_count; i++) {
        count += plan->buffers[i].kind != GF_PLAN_BUFFER_PROGRAM;
    }
    return count;
}

static void mark_params(gf_emit *e, LLVMValueRef function, unsigned count) {
    unsigned kind = LLVMGetEnumAttributeKindForName("noalias", 7);
    for (unsigned i = FIXED_PARAMS; i < count; i++) {
        LLVMAddAttributeAtIndex(function, i + 1, LLVMCreateEnumAttribute(e->ll.context, kind, 0));
    }
}

static LLVMValueRef make_inner(gf_emit *e, const segment_state *s, unsigned count, LLVMTypeRef *type) {
    char name[48];
    LLVMTypeRef *types = gf_new_array(e->arena, LLVMTypeRef, count);
    for (unsigned i = 0; i < count; i++) {
        types[i] = i == 2 || i == 3 ? e->ll.i64 : e->ll.ptr;
    }
    *type = LLVMFunctionType(e->ll.nothing, types, count, 0);
    (void)snprintf(name, sizeof name, "body_%u", (unsigned)s->segment->index);
    LLVMValueRef inner = LLVMAddFunction(e->ll.module, name, *type);
    LLVMSetLinkage(inner, LLVMInternalLinkage);
    mark_params(e, inner, count);
    return inner;
}

static void emit_outer(gf_emit *e, const segment_state *s, LLVMValueRef inner, LLVMTypeRef inner_type, unsigned count) {
    char name[32];
    (void)snprintf(name, sizeof name, "segment_%u", (unsigned)s->segment->index);
    LLVMTypeRef types[] = {e->ll.ptr, e->ll.ptr, e->ll.i64, e->ll.i64};
    LLVMValueRef outer = LLVMAddFunction(e->ll.module, name, LLVMFunctionType(e->ll.nothing, types, FIXED_PARAMS, 0));
    LLVMSetLinkage(outer, LLVMInternalLinkage);
    e->functions[s->segment->index] = outer;
    gf_begin_function(e, outer, LLVMGetParam(outer, 1));
    LLVMValueRef args = LLVMGetParam(outer, 0);
    LLVMValueRef *values = gf_new_array(e->arena, LLVMValueRef, count);
    for (unsigned i = 0; i < FIXED_PARAMS; i++) {
        values[i] = LLVMGetParam(outer, i);
    }
    size_t at = FIXED_PARAMS;
    for (size_t i = 0; i < s->segment->buffer_count; i++) {
        values[at++] = gf_word_ptr(e, args, GF_ABI_PARAMS + s->segment->param_count + 2 * i);
    }
    for (size_t i = 0; s->has_scan && i < s->source.segment->buffer_count; i++) {
        values[at++] = gf_word_ptr(e, args, s->source.first_word + s->source.segment->param_count + 2 * i);
    }
    LLVMValueRef memory = NULL;
    uint64_t bytes = 0;
    for (size_t i = 0; s->groups != NULL && i < s->groups->buffer_count; i++) {
        const gf_plan_buffer *buffer = &s->groups->buffers[i];
        if (buffer->kind != GF_PLAN_BUFFER_PROGRAM) {
            memory = memory != NULL ? memory : gf_word_ptr(e, e->worker, offsetof(gf_abi_worker, group_memory) / 8);
            LLVMValueRef offset = gf_i64(e, bytes);
            values[at++] = LLVMBuildGEP2(e->ll.builder, e->ll.i8, memory, &offset, 1, buffer->symbol->name);
            bytes += hidden_bytes(buffer);
        }
    }
    LLVMBuildCall2(e->ll.builder, inner_type, inner, values, count, "");
    gf_end_function(e);
}

static bool count_expr(void *user, const gf_expr *expr) {
    (void)expr;
    uint32_t *count = user;
    *count += *count < UINT32_MAX / 2 ? 1 : 0;
    return true;
}

static void describe(segment_state *s) {
    gf_visitor visitor = {.user = &s->info->cost, .expr = count_expr, .into_calls = false};
    gf_visit_block(&visitor, s->segment->tree->kernel.body);
    s->info->has_loop = gf_holds_loop(s->segment->tree->kernel.body);
    s->info->by_group = s->groups != NULL;
    s->info->unit = s->has_scan ? GF_LLVM_SCAN_BLOCK : s->info->reduce_count > 0 ? s->info->reduces[0].block : 1;
    for (size_t i = 0; s->groups != NULL && i < s->groups->buffer_count; i++) {
        if (s->groups->buffers[i].kind != GF_PLAN_BUFFER_PROGRAM) {
            s->info->group_bytes += hidden_bytes(&s->groups->buffers[i]);
        }
    }
}

static void plan_bounds(gf_emit *e, segment_state *s) {
    const gf_segment *segment = s->segment;
    s->own = (bound){.segment = segment, .first_word = GF_ABI_PARAMS, .first_param = FIXED_PARAMS};
    s->info->reduce_count = gf_llvm_fused(e->plan, segment, s->info->reduces);
    s->has_scan = gf_llvm_scan_of(e->plan, segment, &s->scan);
    if (s->has_scan) {
        size_t words = segment->param_count + 2 * segment->buffer_count + s->info->reduce_count + 1;
        s->source = (bound){.segment = e->plan->segments[s->scan.source],
                            .first_word = GF_ABI_PARAMS + words,
                            .first_param = FIXED_PARAMS + (unsigned)segment->buffer_count};
    }
    e->largest_word = GF_ABI_PARAMS + segment->param_count + 2 * segment->buffer_count + s->info->reduce_count;
    if (s->has_scan) {
        const gf_segment *source = s->source.segment;
        e->largest_word += 1 + source->param_count + 2 * source->buffer_count;
    }
}

void gf_emit_segment(gf_emit *e, const gf_segment *segment) {
    segment_state s = {
        .segment = segment, .info = &e->out->segments[segment->index], .groups = e->groups_of[segment->index]};
    e->segment = segment->index;
    plan_bounds(e, &s);
    describe(&s);
    unsigned count = FIXED_PARAMS + (unsigned)segment->buffer_count + hidden_buffers(s.groups);
    count += s.has_scan ? (unsigned)s.source.segment->buffer_count : 0;
    LLVMTypeRef type = NULL;
    LLVMValueRef inner = make_inner(e, &s, count, &type);
    gf_begin_function(e, inner, LLVMGetParam(inner, 1));
    s.args = LLVMGetParam(inner, 0);
    if (s.has_scan) {
        bind_names(e, &s, &s.source);
    }
    bind_names(e, &s, &s.own);
    bind_geometry(e, &s);
    if (s.groups != NULL) {
        emit_by_group(e, &s);
    } else {
        emit_by_invocation(e, &s);
    }
    gf_end_function(e);
    emit_outer(e, &s, inner, type, count);
}
