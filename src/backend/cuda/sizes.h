/* What is known of a launch before it runs: params, lengths, and registers of the plan that nothing changes. */
#ifndef GF_BACKEND_CUDA_SIZES_H
#define GF_BACKEND_CUDA_SIZES_H

#include "ir/eval.h"
#include "plan/plan.h"
#include <gridfence/backend.h>

typedef struct gf_cuda_sizes {
    const gf_plan *plan;
    const gf_backend_launch *asked;
    unsigned *left; /* inside: how many more registers may be looked into; NULL from outside */
} gf_cuda_sizes;

/* Over params, lengths of the program's buffers, the geometry, and registers that are set once. Borrows `sizes`. */
gf_env gf_cuda_sizes_env(const gf_cuda_sizes *sizes);
/* A param or register; false where only the device will know. */
bool gf_cuda_sizes_symbol(const gf_cuda_sizes *sizes, const gf_symbol *symbol, uint64_t *bits);
/* Elements of a hidden buffer; false where only the device will know. */
bool gf_cuda_sizes_hidden(const gf_cuda_sizes *sizes, size_t buffer, uint64_t *count);
/* Items of a segment; false where only the device will know. */
bool gf_cuda_sizes_items(const gf_cuda_sizes *sizes, const gf_segment *segment, uint64_t *items);

#endif
