/* What the programs tried were made of, and what became of them in their plans. Plain data, so that it can lie in
 * memory that processes share. */
#ifndef FUZZ_DIFFERENTIAL_COVERAGE_H
#define FUZZ_DIFFERENTIAL_COVERAGE_H

#include "ir/ir.h"
#include "plan/plan.h"

enum {
    LEVELS = 3,
    EXPR_KINDS = GF_EXPR_CALL + 1,
    BUILTINS = GF_BUILTIN_RANKS + 1,
    COLLECTIVES = GF_COLLECTIVE_BROADCAST + 1,
    ROLES = GF_ROLE_SCRATCH + 1,
    SPACES = GF_SPACE_INDIRECT + 1,
    NODES = GF_PLAN_RETURN + 1,
    FATES = GF_FATE_RETURNED + 1,
    HIDDEN = GF_PLAN_BUFFER_VALUES + 1,
    MOST_REASONS = 80,
    MOST_MODES = 32,
    REASON_SIZE = 112
};

typedef struct coverage_reason {
    char text[REASON_SIZE];
    uint64_t dropped, kept;
} coverage_reason;

typedef struct coverage_table {
    uint64_t programs, statements, order_dependent, racing, with_fixpoint, converged, trapped;
    uint64_t ops[GF_OP_COUNT][GF_TYPE_COUNT];
    uint64_t statement_kinds[GF_STMT_COUNT][LEVELS];
    uint64_t expr_kinds[EXPR_KINDS];
    uint64_t atomics[GF_ATOMIC_COUNT];
    uint64_t crosses[GF_CROSS_COUNT][LEVELS];
    uint64_t builtins[BUILTINS];
    uint64_t collectives[COLLECTIVES];
    uint64_t combines[GF_COMBINE_COUNT];
    uint64_t casts[GF_TYPE_COUNT], values[GF_TYPE_COUNT];
    uint64_t buffers[ROLES][GF_TYPE_COUNT];
    uint64_t workgroup_arrays, local_arrays;
    uint64_t spaces[SPACES], axes[4]; /* of a workgroup */
    uint64_t nodes[NODES];
    uint64_t fates[FATES];
    uint64_t plan_buffers[HIDDEN];
    uint64_t barriers_dropped, barriers_kept;
    uint64_t runs[2][MOST_MODES]; /* on the interpreter, and on the other device */
    coverage_reason reasons[MOST_REASONS];
} coverage_table;

void coverage_add_program(coverage_table *to, const gf_tree *tree);
void coverage_add_plan(coverage_table *to, const gf_plan *plan);
void coverage_sum(coverage_table *to, const coverage_table *part);
void coverage_print(const coverage_table *from, FILE *stream);
/* How many kinds were never seen; each gets a line. */
size_t coverage_missing(const coverage_table *from, FILE *stream);

#endif
