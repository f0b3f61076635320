/* Who did something, in words that are the same on every device. */
#ifndef GF_DEV_ACTOR_H
#define GF_DEV_ACTOR_H

#include <stddef.h>
#include <stdint.h>

/* "invocation 5", "invocation (3, 4)": as many numbers as the space has axes. */
void gf_name_invocation(const uint64_t id[3], const uint64_t space[3], char *text, size_t size);

#endif
