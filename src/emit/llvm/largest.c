/* What a segment asks of whoever runs it: the largest element of a buffer, by which indices that come from there are
 * known to be in bounds. They are the last words of its arguments. */
#include "emit/llvm/emitter.h"

static size_t number_of(const gf_emit *e, const gf_symbol *buffer) {
    const gf_segment *segment = e->plan->segments[e->segment];
    size_t i = 0;
    while (i < segment->buffer_count && segment->buffers[i].symbol != buffer) {
        i++;
    }
    return i;
}

bool gf_may_know_largest(const gf_emit *e, const gf_symbol *buffer) {
    const gf_segment *segment = e->plan->segments[e->segment];
    size_t i = number_of(e, buffer);
    if (i == segment->buffer_count || !gf_type_is_integer(buffer->type) || gf_type_is_signed(buffer->type)) {
        return false;
    }
    const gf_plan_buffer *planned = &e->plan->buffers[segment->buffers[i].buffer];
    return planned->kind == GF_PLAN_BUFFER_PROGRAM && planned->symbol->role == GF_ROLE_IN;
}

LLVMValueRef gf_emit_largest(gf_emit *e, const gf_symbol *buffer) {
    gf_llvm_segment *info = &e->out->segments[e->segment];
    uint32_t number = e->plan->segments[e->segment]->buffers[number_of(e, buffer)].buffer, k = 0;
    while (k < info->largest_count && info->largest[k] != number) {
        k++;
    }
    if (k == GF_LLVM_LARGEST) {
        return gf_i64(e, UINT64_MAX);
    }
    if (k == info->largest_count) {
        info->largest[info->largest_count++] = number;
    }
    return gf_word(e, LLVMGetParam(e->function, 0), e->largest_word + k);
}
