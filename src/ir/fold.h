/* The fixed order of sums (language page, "Group and grid operations"), and the other folds of sequences, once for
 * everyone. Blocks of 4096; in a block partial p of 256 takes elements p, p + 256, ...; the partials are halved (p with
 * p + 128, 64, ... 1); the results of the blocks form a new sequence until one is left; what is missing is left out. */
#ifndef GF_IR_FOLD_H
#define GF_IR_FOLD_H

#include "ir/ir.h"

/* Folds values[0 .. count) of an arithmetic type, each as bits in a uint64_t. An empty sequence gives the neutral
 * element. values may be overwritten: it is the work space. */
uint64_t gf_fold_bits(gf_combine combine, gf_type type, uint64_t *values, uint64_t count);
/* The same over elements in memory as a buffer holds them (bool as bytes), which are left alone. Needs no memory. */
uint64_t gf_fold_elements(gf_combine combine, gf_type type, const void *elements, uint64_t count);
/* grid_*: `count` elements in groups of `group_size`, the last perhaps shorter; each group folded, then the results of
 * the groups. False where group_size is 0. */
bool gf_fold_groups(gf_combine combine, gf_type type, const void *elements, uint64_t count, uint64_t group_size,
                    uint64_t *bits);

#endif
