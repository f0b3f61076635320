/* One launch: the plan carried out by the calling thread, which hands the work of each segment to the pool. */
#ifndef GF_BACKEND_CPU_RUN_H
#define GF_BACKEND_CPU_RUN_H

#include "backend/cpu/kernel.h"
#include "backend/cpu/pool.h"
#include "base/stop.h"
#include <gridfence/backend.h>
#include <stdalign.h>

/* On lines of its own: threads write into theirs all the time. */
typedef struct gf_cpu_worker {
    alignas(128) gf_abi_worker abi;
} gf_cpu_worker;

typedef struct gf_cpu_hidden {
    void *memory;
    size_t capacity; /* bytes */
} gf_cpu_hidden;

/* What is known of the elements of a buffer that nobody writes in the whole run. */
typedef struct gf_cpu_largest {
    uint64_t value;
    bool is_wanted, is_known;
} gf_cpu_largest;

/* What an invocation did wrong, and where: workers have forgotten it. */
typedef struct gf_cpu_wrong {
    gf_abi_worker what;        /* culprit GF_ABI_NOBODY: nobody did */
    const gf_segment *segment; /* NULL: it was the tree of the plan */
    uint64_t space[3], launch;
} gf_cpu_wrong;

typedef struct gf_cpu_run {
    gf_cpu_kernel *kernel;
    const gf_binary *code;
    const gf_backend_launch *asked;
    gf_backend_result *result;
    gf_diags *diags;
    gf_pool *pool; /* NULL: this thread alone */
    unsigned threads;
    gf_cpu_worker *workers;
    gf_stop *stop;
    gf_abi_scalars scalars;
    uint64_t *params, *registers, *registers_at_pass;
    gf_abi_buffer *buffers; /* of the plan; a swap exchanges two */
    gf_cpu_hidden *hidden;  /* by plan buffer */
    void **results;         /* by plan buffer: of fused reductions, one per block, or all values */
    size_t *results_capacity;
    uint64_t *results_count;
    bool *results_unfolded;  /* all values: in a fixed order that is still to be followed */
    gf_cpu_largest *largest; /* by plan buffer */
    gf_cpu_wrong wrong;      /* the lowest invocation of the present stretch that did wrong */
    uint64_t *args;
    uint64_t *source_args; /* of the segment whose values are scanned next */
    void **snapshots;      /* by watched buffer */
    uint64_t bytes_hidden;
    bool ended; /* a trap or fault: the run is over */
    uint64_t launches;
    int converged;
} gf_cpu_run;

bool gf_cpu_launch(gf_cpu_kernel *kernel, gf_pool *pool, const gf_backend_launch *asked, gf_backend_result *result,
                   gf_diags *diags);

/* walk.c: one pass. False: failed, stopped or ended. */
bool gf_cpu_walk(gf_cpu_run *run, const gf_cpu_block *block);
/* segment.c */
bool gf_cpu_segment_run(gf_cpu_run *run, const gf_plan_node *node);
bool gf_cpu_fill(gf_cpu_run *run, const gf_plan_node *node);
bool gf_cpu_size_hidden(gf_cpu_run *run, uint32_t buffer);
/* whole.c: work on whole buffers, by all threads */
bool gf_cpu_reduce(gf_cpu_run *run, const gf_cpu_node *node);
bool gf_cpu_scan(gf_cpu_run *run, const gf_cpu_node *node);
/* Totals [first, end) of blocks of values become the sums before them, beginning with `before`; gives the next one. */
uint64_t gf_cpu_scan_totals(gf_cpu_run *run, uint32_t values, uint64_t first, uint64_t end, uint64_t before);
void gf_cpu_copy(gf_cpu_run *run, void *to, const void *from, size_t bytes);
/* Compares, and copies `now` over `before` where they differ. */
bool gf_cpu_compare_and_copy(gf_cpu_run *run, void *before, const void *now, size_t bytes);
/* largest.c: the largest element of a buffer of unsigned integers; 0 if it has none */
uint64_t gf_cpu_find_largest(gf_cpu_run *run, uint32_t buffer);
/* report.c: takes over what workers noted in a segment (NULL: in the tree), if no lower invocation did wrong before;
 * ends the run with what was taken over. */
void gf_cpu_take_wrong(gf_cpu_run *run, const gf_segment *segment, const uint64_t space[3]);
bool gf_cpu_report(gf_cpu_run *run);
bool gf_cpu_fail_stopped(gf_cpu_run *run);

#endif
