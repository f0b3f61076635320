/* A program made ready for the CPU: its plan, the plan's tree with everything looked up, and the code. Read-only once
 * made, but for the code of checked runs, which is made when first asked for. */
#ifndef GF_BACKEND_CPU_KERNEL_H
#define GF_BACKEND_CPU_KERNEL_H

#include "backend/cpu/binary.h"

#define GF_NO_SCALAR UINT32_MAX

typedef struct gf_cpu_block gf_cpu_block;

/* A node of the plan; scalars are indices into the code's functions. */
typedef struct gf_cpu_node {
    const gf_plan_node *node;
    uint32_t value, from, to, step, count;
    uint32_t target; /* index of the register */
    bool is_fused;   /* FILL, REDUCE, SCAN: a segment does it */
    gf_cpu_block *body, *otherwise;
} gf_cpu_node;

struct gf_cpu_block {
    gf_cpu_node *items;
    size_t count;
};

typedef struct gf_cpu_source {
    bool is_register;
    uint32_t index;
} gf_cpu_source;

typedef struct gf_cpu_segment {
    const gf_segment *segment;
    gf_cpu_source *params;
    uint32_t forall_count; /* register, of a forall */
    uint32_t reduce_count;
    gf_llvm_reduce reduces[GF_LLVM_REDUCES];
    bool has_scan; /* makes prefix sums from what `scan.source` left */
    gf_llvm_scan scan;
    bool is_source;  /* of a scan: its arguments are kept */
    bool has_hidden; /* needs memory for buffers of the plan */
} gf_cpu_segment;

typedef struct gf_cpu_kernel gf_cpu_kernel;
struct gf_cpu_kernel {
    gf_binary_store *store;
    gf_program *program; /* held */
    gf_plan *plan;
    gf_arena *arena;
    gf_cpu_block *prologue, *body;
    gf_cpu_segment *segments;
    bool *fused; /* by plan buffer: it takes no memory */
    size_t program_buffers, most_words;
    bool *written, *tracked; /* by plan buffer */
    uint32_t *watched;
    size_t watched_count;
    pthread_mutex_t lock;
    gf_binary *code[2];        /* plain, checked */
    gf_llvm_module *places[2]; /* of the same, once somebody asked what stands behind a number */
    gf_plan_options plan_options;
    gf_cpu_kernel *careful; /* for checked runs, of a plan that leaves nothing out; made when first asked for */
};

gf_cpu_kernel *gf_cpu_kernel_create(gf_binary_store *store, gf_program *program, const gf_plan_options *options,
                                    gf_diags *diags);
/* What a checked run takes: every access stands in it, between the barriers of the program. NULL with a message. */
gf_cpu_kernel *gf_cpu_kernel_careful(gf_cpu_kernel *kernel, gf_diags *diags);
void gf_cpu_kernel_destroy(gf_cpu_kernel *kernel);
/* NULL with a message. */
const gf_binary *gf_cpu_kernel_code(gf_cpu_kernel *kernel, bool checked, gf_diags *diags);
/* What stands behind the number of a place: emits once more, which numbers the same. NULL with a message. */
const gf_llvm_place *gf_cpu_kernel_place(gf_cpu_kernel *kernel, bool checked, uint64_t number, gf_diags *diags);

#endif
