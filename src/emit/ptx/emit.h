/* A plan as PTX text for the driver's compiler: version 6.0, target sm_70, unless an option wants more; no library.
 * Needs no device to be made. See abi.h for what the kernels in it are given. */
#ifndef GF_EMIT_PTX_EMIT_H
#define GF_EMIT_PTX_EMIT_H

#include "base/diag.h"
#include "plan/plan.h"

typedef enum gf_ptx_event {
    GF_PTX_TRAP,   /* trap or failed assert */
    GF_PTX_BOUNDS, /* checked code: an access outside its array */
    GF_PTX_DIVISION,
} gf_ptx_event;

/* Where something can go wrong: the statement or access behind a number. */
typedef struct gf_ptx_site {
    const gf_stmt *stmt;    /* of a trap or assert */
    const gf_symbol *array; /* of an access */
    gf_type type;           /* of the address or index */
    gf_span span;
    const gf_segment *segment; /* in which it stands; NULL: in the tree of the plan */
} gf_ptx_site;

typedef struct gf_ptx_guess {
    const gf_plan_node *node; /* FOR or WHILE */
    uint64_t count;
} gf_ptx_guess;

typedef struct gf_ptx_options {
    bool checked;        /* out-of-bounds accesses and divisions by zero are recorded */
    bool wide;           /* some buffer has 2^32 elements or more: indices of 32 bits are compared in 64 */
    const bool *tracked; /* by plan buffer: writes that change something are told; NULL: none */
    bool native;         /* each thread keeps its invocation over the whole run, in registers; else blocks share out */
    bool by_steps; /* `gf_step`, which ends where the grid would meet, and `gf_more` behind some of them (abi.h) */
    bool polled;   /* with by_steps: `gf_more` tells the host alone, which launches more where there is more to do */
    /* Kernels of stages and steps may be launched when the blocks of the one before have ended, and wait by themselves
       for what these wrote (programmatic dependent launch, PTX 7.8 and sm_90). */
    bool dependent;
    bool passes;      /* the body may run more than once */
    bool near;        /* few enough elements that buffers may stay near their invocations while a loop goes on */
    bool compare;     /* see after each pass whether it changed anything that is watched */
    uint32_t threads; /* of a block at most; kernels are compiled so that as many fit into the registers */
    uint32_t blocks;  /* of a multiprocessor that the registers should allow for; 0: 1 */
    /* Stages: how often loops of the plan turn, as far as somebody can tell. Nothing but speed depends on it. */
    const gf_ptx_guess *turns;
    size_t turns_count;
    uint32_t sm_shared; /* bytes of a multiprocessor for workgroup arrays: registers should not leave it fewer blocks
                           than these do; 0: as it comes */
} gf_ptx_options;

/* Registers that several invocations of a thread hold for these alone, from which 32 of a thread are not enough. */
#define GF_PTX_HEAVY_PACK 16

/* A text, and what its launcher must know. */
typedef struct gf_ptx_module {
    char *text; /* by gf_malloc */
    gf_ptx_site *places;
    size_t place_count;
    size_t arg_words;
    uint64_t shared_bytes; /* of a block, to be given at the launch */
    uint64_t near_bytes;   /* of a block too, behind them, for buffers that may stay near (abi.h); 0: none may */
    bool *near;            /* by plan buffer: those; by gf_malloc */
    uint64_t block_bytes;  /* of global memory for each block */
    bool by_group;         /* a block is a workgroup: has as many threads, rounded up to 32 */
    bool by_teams;         /* blocks must have a multiple of 256 threads */
    uint32_t block_size;   /* threads of a block, if packs are heavy; 0: any number will do */
    uint32_t *tile_items;  /* by plan buffer: takes what tiles of prefix sums tell each other, which have so many items
                              at least; 0: does not; by gf_malloc */
    uint32_t *each;        /* by segment: invocations that a thread takes at once, 1 at least; by gf_malloc */
    bool *by_block;        /* by segment: a block takes GF_PTX_BLOCK_ITEMS items at once; by gf_malloc */
    unsigned pack_weight;  /* registers that threads with several invocations hold at once for these alone */
    bool sums_rows;        /* goes over rows to add up floats: one load waits for another, and nobody helps */
    bool fills_arrays; /* its registers are fewer for the sake of as many blocks as workgroup arrays leave room for */
    bool has_barrier;  /* waits for the whole grid: a cooperative launch */
    bool *fused;       /* by plan buffer: takes results of blocks; by gf_malloc */
    bool *own;         /* by plan buffer: lies in registers, takes no memory; by gf_malloc */
    bool *ordered;     /* by plan buffer: of those fused, results are one per 4096 items or per workgroup */
    uint64_t local_bytes;  /* of each thread, without what registers spill */
    uint64_t thread_bytes; /* of global memory for each thread: local arrays that are too large for the former */
    uint64_t list_bytes;   /* of global memory for each piece of a row that the grid shares; 0: none is shared */
    gf_plan **plans;       /* what sites point into; by gf_malloc */
    size_t plan_count;
} gf_ptx_module;

/* The parameters of `gf_step`: addresses of sets, the one that the step takes, that it leaves, and the third; and those
 * of `gf_more`, one block: the set that the last step has left, and the flag of a loop that it sets if there is more to
 * do (polled: of no meaning). Each is packed as a C struct. */
typedef struct gf_ptx_step_params {
    uint64_t in, out, next;
} gf_ptx_step_params;

#define GF_PTX_MORE_THREADS 32 /* of that block */

typedef struct gf_ptx_more_params {
    uint64_t in, flag;
} gf_ptx_more_params;

/* By steps the plan must have no exits (gf_plan_options.lower_exits). */

/* steps_find.c: whether stages of a plan would often find nothing to do, with the options of a launch by segments; and
 * whether it can go by steps at all. */
bool gf_ptx_wants_steps(const gf_plan *plan, const gf_ptx_options *options);
bool gf_ptx_can_go_by_steps(const gf_plan *plan);
/* Whether stages of it need a graph with loops. */
bool gf_ptx_wants_loops(const gf_plan *plan, const gf_ptx_options *options);

/* The whole plan in one kernel, `gf_whole`. The plan has no exits (gf_plan_options.lower_exits) or has. Fills a zeroed
 * struct; gf_ptx_module_finish is due in any case. */
bool gf_ptx_emit_whole(const gf_plan *plan, const gf_ptx_options *options, gf_ptx_module *out, gf_diags *diags);
void gf_ptx_module_finish(gf_ptx_module *module);

#endif
