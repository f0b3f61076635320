/* A plan as an LLVM module: for each segment one function over a range of its invocations (or workgroups), for each
 * scalar expression of the plan's tree one function, and a table of them. The module needs nothing from outside but
 * what LLVM itself puts in (memcpy, memset, fma of libm). See abi.h for how the functions are called.
 *
 * Bounds rules hold: accesses whose index is affine in a loop's variable are proven once before the loop, which has a
 * form without checks for that case; all others are checked one by one. Nothing is contracted or reassociated. */
#ifndef GF_EMIT_LLVM_EMIT_H
#define GF_EMIT_LLVM_EMIT_H

#include "base/diag.h"
#include "plan/plan.h"
#include <llvm-c/Core.h>

typedef struct gf_llvm_options {
    const char *table;   /* name of the one external symbol: an array of the addresses of all functions, first those of
                            the segments, then those of the scalars */
    bool converts_half;  /* the target has F16C */
    bool checked;        /* out-of-bounds accesses and divisions by zero are recorded */
    bool unchecked;      /* for measuring: accesses are taken to be in bounds */
    const bool *tracked; /* by plan buffer: writes that change something set worker->changed; NULL: none */
} gf_llvm_options;

#define GF_LLVM_REDUCES 4
#define GF_LLVM_LARGEST 4
#define GF_LLVM_SCAN_BLOCK 4096 /* invocations */

/* A reduction that the segment does block by block itself; of values that are scanned, their sum. */
typedef struct gf_llvm_reduce {
    uint32_t buffer; /* of the plan: it takes no memory */
    uint32_t block;  /* invocations: results are one per block, or per less of them: see GF_ABI_BLOCK */
    gf_combine combine;
    gf_type type;     /* bool where truth values lie in bytes */
    bool fixed_order; /* of floats a sum */
} gf_llvm_reduce;

/* Prefix sums that the segment which uses them makes itself, block by block, from the totals that `source` left. Its
 * arguments go on, behind those for reductions, with the address of the totals (exclusive sums by then) and the params
 * and buffers of the source as it was launched. */
typedef struct gf_llvm_scan {
    uint32_t source;       /* segment */
    uint32_t values, sums; /* of the plan: they take no memory */
} gf_llvm_scan;

typedef struct gf_llvm_segment {
    bool by_group;        /* units are workgroups */
    bool has_loop;        /* its invocations may take long */
    uint32_t cost;        /* operations of one invocation without loops, roughly */
    uint64_t group_bytes; /* memory that each worker needs */
    uint32_t unit;        /* chunks are a multiple of this many units, or with reductions and no scan a smaller block */
    uint32_t reduce_count;
    gf_llvm_reduce reduces[GF_LLVM_REDUCES];
    uint32_t largest_count;
    uint32_t largest[GF_LLVM_LARGEST]; /* buffers of the plan, unsigned, nowhere written: see abi.h */
} gf_llvm_segment;

/* Where something can go wrong: the statement or access behind a number. */
typedef struct gf_llvm_place {
    const gf_stmt *stmt;    /* of a trap or assert */
    const gf_symbol *array; /* of an access */
    gf_type type;           /* of the address or index */
    gf_span span;
} gf_llvm_place;

typedef struct gf_llvm_module {
    LLVMContextRef context;
    LLVMModuleRef module;
    gf_llvm_segment *segments; /* by index; by gf_malloc */
    size_t segment_count;
    gf_llvm_place *places;
    size_t place_count;
    size_t scalar_count;
    const gf_plan **groups; /* by segment: its plan one level down, or NULL */
} gf_llvm_module;

/* Fills a zeroed struct; gf_llvm_module_finish is due in any case. */
bool gf_llvm_emit(const gf_plan *plan, const gf_llvm_options *options, gf_llvm_module *out, gf_diags *diags);
void gf_llvm_module_finish(gf_llvm_module *module);

/* The scalar expressions of a plan in the order in which they are numbered: those of the prologue, then of the body, by
 * node, parents first; within a node value, from, to, step, count. */
typedef void gf_llvm_scalar_fn(void *user, const gf_plan_node *node, const gf_expr *expr, size_t index);
size_t gf_llvm_each_scalar(const gf_plan *plan, gf_llvm_scalar_fn *visit, void *user);

/* Which reductions segment `segment` does itself; those nodes and the fills before it are then nobody's work. */
unsigned gf_llvm_fused(const gf_plan *plan, const gf_segment *segment, gf_llvm_reduce reduces[GF_LLVM_REDUCES]);
/* Whether the segment makes prefix sums itself; the scan is then nobody's work but for the sums over blocks. */
bool gf_llvm_scan_of(const gf_plan *plan, const gf_segment *user, gf_llvm_scan *scan);
/* Where the values that a source of such sums makes are elements of one array, each the invocation's own: the number of
 * that array among the segment's buffers. Else SIZE_MAX. */
size_t gf_llvm_copied_by(const gf_segment *source, uint32_t values);

#endif
