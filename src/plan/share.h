/* Value numbering: what is computed or loaded a second time, with nothing between that could change it, is given a name
 * the first time. A tree to a tree, for emitters; the meaning stays, but for the order of accesses outside of arrays
 * and divisions by zero, which checked code tells: there it must not be used.
 *
 * Shared are loads, and operations that are dear. A load knows of every write to its array by the same invocation
 * (names never share memory) and of every barrier; what other invocations do in between would be a race. What was
 * stored to an element is what is loaded from it, if it is one. */
#ifndef GF_PLAN_SHARE_H
#define GF_PLAN_SHARE_H

#include "ir/ir.h"

/* A checked tree, with the kernel's body rewritten and symbols of its own behind those of `tree`; `tree` itself where
 * there is nothing to share. Lies in the arena. */
const gf_tree *gf_share_values(gf_arena *arena, const gf_tree *tree);

#endif
