/* The function of a segment. An outer one, with the name, takes the arguments apart and calls an inner one to which
 * each array is a parameter that aliases no other: that is how LLVM is told that names never share memory. */
#include "emit/llvm/emitter.h"
#include "ir/eval.h"
#include "ir/visit.h"
#include <stdio.h>
#include <string.h>

#define FIXED_PARAMS 4 /* args, worker, begin, end */
#define GROUP_ALIGN 64

/* ---- which reductions the segment does itself ---- */

typedef struct use_count {
    uint32_t buffer;
    unsigned reduces, others, segments;
    const gf_plan_node *reduce;
} use_count;

static void count_uses(const gf_plan_block *block, use_count *use) {
    for (size_t i = 0; block != NULL && i < block->count; i++) {
        const gf_plan_node *node = block->items[i];
        bool named = node->buffer == use->buffer || node->second == use->buffer;
        if (named && node->kind == GF_PLAN_REDUCE) {
            use->reduces++;
            use->reduce = node;
        } else if (named && node->kind != GF_PLAN_FILL) {
            use->others++;
        }
        count_uses(node->body, use);
        count_uses(node->otherwise, use);
    }
}

static bool has_one_axis(const gf_segment *segment) {
    const gf_kernel_decl *kernel = &segment->tree->kernel;
    return segment->is_forall || kernel->space_kind == GF_SPACE_ONE ||
           (kernel->space_kind != GF_SPACE_INDIRECT && kernel->space_axes <= 1 && kernel->workgroup[1] <= 1 &&
            kernel->workgroup[2] <= 1);
}

static bool needs_groups(const gf_tree *tree) {
    return tree->has_group_barrier || gf_tree_count(tree, GF_SYMBOL_SHARED) > 0;
}

unsigned gf_llvm_fused(const gf_plan *plan, const gf_segment *segment, gf_llvm_reduce reduces[4]) {
    unsigned count = 0;
    if (needs_groups(segment->tree)) {
        return 0;
    }
    for (size_t i = 0; i < segment->buffer_count && count < 4; i++) {
        use_count use = {.buffer = segment->buffers[i].buffer};
        if (plan->buffers[use.buffer].kind != GF_PLAN_BUFFER_VALUES) {
            continue;
        }
        count_uses(plan->body, &use);
        for (size_t k = 0; k < plan->segment_count; k++) {
            for (size_t j = 0; j < plan->segments[k]->buffer_count; j++) {
                use.segments += plan->segments[k]->buffers[j].buffer == use.buffer;
            }
        }
        if (use.reduces != 1 || use.others != 0 || use.segments != 1) {
            continue;
        }
        gf_type type = plan->buffers[use.buffer].symbol->type;
        uint32_t block = 4096;
        /* Sums of floats go by the language's order; anything else may be taken as it comes. */
        if (use.reduce->by_group && gf_type_is_float(type) && use.reduce->combine == GF_COMBINE_ADD) {
            block = segment->tree->kernel.workgroup[0];
            if (!has_one_axis(segment)) {
                continue;
            }
        }
        if (count == 0 || block == reduces[0].block) {
            reduces[count++] = (gf_llvm_reduce){.buffer = use.buffer, .block = block};
        }
    }
    return count;
}

/* ---- names ---- */

typedef struct segment_state {
    const gf_segment *segment;
    const gf_plan *groups; /* NULL: by invocation */
    gf_llvm_segment *info;
    gf_array **arrays;      /* of the segment's buffers */
    gf_array **reduced;     /* by reduction: the array that it takes */
    gf_combine combines[4]; /* and how */
    gf_type types[4], stored[4];
    LLVMValueRef blocks[4]; /* a block of values */
    LLVMValueRef args;
} segment_state;

static bool constant_size(const gf_expr *size, uint64_t *count) {
    gf_env env = {0};
    return size != NULL && gf_eval_size(size, &env, "", count, NULL);
}

/* Arrays that are declared with the same size have the same length, as LLVM is to see. */
static LLVMValueRef count_of(gf_emit *e, const segment_state *s, size_t index, LLVMValueRef given) {
    const gf_expr *size = s->segment->buffers[index].symbol->size;
    uint64_t constant = 0;
    if (constant_size(size, &constant)) {
        return gf_i64(e, constant);
    }
    for (size_t i = 0; i < index && size != NULL; i++) {
        const gf_expr *other = s->segment->buffers[i].symbol->size;
        if (other != NULL && gf_equal_expr(size, other)) {
            return s->arrays[i]->count;
        }
    }
    return given;
}

static void bind_names(gf_emit *e, segment_state *s) {
    const gf_segment *segment = s->segment;
    LLVMBuilderRef b = e->ll.builder;
    for (size_t i = 0; i < segment->param_count; i++) {
        const gf_symbol *symbol = segment->params[i].symbol;
        gf_name(e, symbol)->value = gf_from_bits(e, symbol->type, gf_word(e, s->args, GF_ABI_PARAMS + i));
    }
    s->arrays = gf_new_array(e->arena, gf_array *, segment->buffer_count);
    for (size_t i = 0; i < segment->buffer_count; i++) {
        const gf_segment_buffer *buffer = &segment->buffers[i];
        LLVMValueRef given = gf_word(e, s->args, GF_ABI_PARAMS + segment->param_count + 2 * i + 1);
        bool tracked = e->options.tracked != NULL && e->options.tracked[buffer->buffer];
        bool alone = segment->tree->kernel.space_kind == GF_SPACE_ONE && !segment->is_forall;
        gf_array *array = gf_new(e->arena, gf_array);
        *array = (gf_array){.data = LLVMGetParam(e->function, (unsigned)(FIXED_PARAMS + i)),
                            .count = count_of(e, s, i, given),
                            .is_written = buffer->role != GF_ROLE_IN,
                            .is_private = alone && !tracked,
                            .is_tracked = tracked};
        s->arrays[i] = array;
        gf_name(e, buffer->symbol)->array = array;
        for (unsigned k = 0; k < s->info->reduce_count; k++) {
            if (s->info->reduces[k].buffer == buffer->buffer) {
                s->reduced[k] = array;
                array->is_private = array->is_reduced = true;
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        LLVMValueRef space = gf_word(e, s->args, GF_ABI_SPACE + (size_t)axis);
        LLVMValueRef groups = gf_word(e, s->args, GF_ABI_GROUPS + (size_t)axis);
        e->space[axis] = LLVMBuildTrunc(b, space, e->ll.i32, "space");
        e->groups[axis] = LLVMBuildTrunc(b, groups, e->ll.i32, "groups");
    }
}

/* ---- by invocation ---- */

static void find_reduces(gf_emit *e, segment_state *s) {
    for (unsigned k = 0; k < s->info->reduce_count; k++) {
        use_count use = {.buffer = s->info->reduces[k].buffer};
        count_uses(e->plan->body, &use);
        gf_type stored = e->plan->buffers[use.buffer].symbol->type;
        s->combines[k] = use.reduce->combine;
        s->stored[k] = stored;
        s->types[k] = use.reduce->target->type == GF_TYPE_BOOL ? GF_TYPE_BOOL : stored;
        LLVMTypeRef type = LLVMArrayType2(gf_ll_stored(&e->ll, stored), s->info->reduces[k].block + 256);
        s->blocks[k] = gf_alloca(e, type, "block");
        LLVMSetAlignment(s->blocks[k], GROUP_ALIGN);
    }
}

typedef struct neutral_fill {
    LLVMValueRef values, neutral;
} neutral_fill;

static void fill_neutral(gf_emit *e, LLVMValueRef i, void *context) {
    const neutral_fill *fill = context;
    LLVMTypeRef type = LLVMTypeOf(fill->neutral);
    LLVMBuildStore(e->ll.builder, fill->neutral, LLVMBuildGEP2(e->ll.builder, type, fill->values, &i, 1, ""));
}

/* An invocation may leave before it has said anything; unless it always does, the block starts with nothing said. */
static void start_block(gf_emit *e, segment_state *s, LLVMValueRef first, LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    for (unsigned k = 0; k < s->info->reduce_count; k++) {
        LLVMValueRef back = LLVMBuildSub(b, gf_i64(e, 0), first, "");
        s->reduced[k]->data = LLVMBuildGEP2(b, gf_ll_stored(&e->ll, s->stored[k]), s->blocks[k], &back, 1, "values");
        LLVMValueRef neutral = gf_ll_neutral(&e->ll, s->combines[k], s->types[k]);
        if (s->types[k] == GF_TYPE_BOOL) {
            neutral = LLVMBuildZExt(b, neutral, gf_ll_stored(&e->ll, s->stored[k]), "");
        } else {
            neutral = gf_ll_narrow(&e->ll, s->stored[k], neutral);
        }
        bool always = false;
        for (size_t i = 0; i < s->segment->buffer_count; i++) {
            always |= s->segment->buffers[i].buffer == s->info->reduces[k].buffer && s->segment->buffers[i].overwrites;
        }
        if (!always) {
            neutral_fill fill = {.values = s->blocks[k], .neutral = neutral};
            gf_emit_range(e, gf_i64(e, 0), count, "nothing", fill_neutral, &fill);
        }
    }
}

static void end_block(gf_emit *e, segment_state *s, LLVMValueRef first, LLVMValueRef count) {
    LLVMBuilderRef b = e->ll.builder;
    for (unsigned k = 0; k < s->info->reduce_count; k++) {
        LLVMValueRef value = gf_emit_fold(e, s->combines[k], s->types[k], s->stored[k], s->blocks[k], count);
        LLVMTypeRef type = gf_ll_stored(&e->ll, s->stored[k]);
        value =
            s->types[k] == GF_TYPE_BOOL ? LLVMBuildZExt(b, value, type, "") : gf_ll_narrow(&e->ll, s->stored[k], value);
        size_t word = GF_ABI_PARAMS + s->segment->param_count + 2 * s->segment->buffer_count + k;
        LLVMValueRef results = gf_word_ptr(e, s->args, word);
        LLVMValueRef index = LLVMBuildUDiv(b, first, gf_i64(e, s->info->reduces[k].block), "");
        LLVMBuildStore(b, value, LLVMBuildGEP2(b, type, results, &index, 1, ""));
    }
}

static void emit_block_of(gf_emit *e, LLVMValueRef index, void *context) {
    segment_state *s = context;
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef size = gf_i64(e, s->info->reduces[0].block), end = LLVMGetParam(e->function, 3);
    LLVMValueRef first = LLVMBuildMul(b, index, size, ""), left = LLVMBuildSub(b, end, first, "");
    LLVMValueRef count = LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, left, size, ""), left, size, "");
    gf_poll(e);
    start_block(e, s, first, count);
    gf_emit_invocations(e, s->segment->tree->kernel.body, first, LLVMBuildAdd(b, first, count, ""));
    end_block(e, s, first, count);
}

static void emit_by_invocation(gf_emit *e, segment_state *s) {
    LLVMBuilderRef b = e->ll.builder;
    LLVMValueRef begin = LLVMGetParam(e->function, 2), end = LLVMGetParam(e->function, 3);
    if (s->info->reduce_count == 0) {
        gf_emit_invocations(e, s->segment->tree->kernel.body, begin, end);
        return;
    }
    find_reduces(e, s);
    LLVMValueRef size = gf_i64(e, s->info->reduces[0].block);
    LLVMValueRef up = LLVMBuildAdd(b, end, gf_i64(e, s->info->reduces[0].block - 1), "");
    gf_emit_range(e, LLVMBuildUDiv(b, begin, size, ""), LLVMBuildUDiv(b, up, size, ""), "block", emit_block_of, s);
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
    s->info->unit = s->info->reduce_count > 0 ? s->info->reduces[0].block : 1;
    for (size_t i = 0; s->groups != NULL && i < s->groups->buffer_count; i++) {
        if (s->groups->buffers[i].kind != GF_PLAN_BUFFER_PROGRAM) {
            s->info->group_bytes += hidden_bytes(&s->groups->buffers[i]);
        }
    }
}

void gf_emit_segment(gf_emit *e, const gf_segment *segment) {
    segment_state s = {
        .segment = segment, .info = &e->out->segments[segment->index], .groups = e->groups_of[segment->index]};
    s.info->reduce_count = gf_llvm_fused(e->plan, segment, s.info->reduces);
    gf_array *reduced[4] = {NULL};
    s.reduced = reduced;
    describe(&s);
    unsigned count = FIXED_PARAMS + (unsigned)segment->buffer_count + hidden_buffers(s.groups);
    LLVMTypeRef type = NULL;
    LLVMValueRef inner = make_inner(e, &s, count, &type);
    gf_begin_function(e, inner, LLVMGetParam(inner, 1));
    gf_emit_tree(e, segment->tree);
    s.args = LLVMGetParam(inner, 0);
    bind_names(e, &s);
    if (s.groups != NULL) {
        emit_by_group(e, &s);
    } else {
        emit_by_invocation(e, &s);
    }
    gf_end_function(e);
    emit_outer(e, &s, inner, type, count);
}
