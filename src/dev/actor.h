/* Who did something, in words that are the same on every device. */
#ifndef GF_DEV_ACTOR_H
#define GF_DEV_ACTOR_H

#include "ir/ir.h"
#include <stddef.h>
#include <stdint.h>

/* "invocation 5", "invocation (3, 4)": as many numbers as the space has axes. */
void gf_name_invocation(const uint64_t id[3], const uint64_t space[3], char *text, size_t size);

/* "item -3 of a forall": the one that is `index` behind the first, which is `from`, of that type, as bits. */
void gf_name_item(gf_value from, uint64_t index, char *text, size_t size);

#endif
