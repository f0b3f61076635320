/* Random numbers that are the same everywhere: draw i of a seed depends on seed and i alone.
 *
 * Draw i is the i-th output of SplitMix64 started at the seed (G. L. Steele, D. Lea, C. H. Flood, Fast splittable
 * pseudorandom number generators, 2014): mix(seed + (i + 1) * 0x9e3779b97f4a7c15), with the constants of D. Stafford's
 * mix 13. */
#ifndef GF_IO_RANDOM_H
#define GF_IO_RANDOM_H

#include "io/array.h"
#include "io/number.h"

uint64_t gf_random_draw(uint64_t seed, uint64_t index);
/* Uniform in 0 .. bound - 1, from one draw; bound 0 is all 64 bits. The high half of draw * bound; a draw that would
 * make that uneven is replaced by mix(draw) (D. Lemire, Fast random integer generation in an interval, 2019). */
uint64_t gf_random_below(uint64_t draw, uint64_t bound);

/* What elements are drawn from: low .. high - 1, or [low, high) of floats. Made by gf_random_range. */
typedef struct gf_random_range {
    gf_type type;
    bool everything;            /* of an integer type: all its values */
    uint64_t low, bound;        /* of an integer type: low in two's complement, count of values */
    double real_low, real_high; /* of a float */
} gf_random_range;

/* The whole range of an integer type, [0, 1) of a float. */
gf_random_range gf_random_all(gf_type type);
/* Explicit bounds; false where low >= high, where one is not finite or not whole for an integer type, or the values
 * are not in the type. `high` itself may be one past the largest value of an integer type. */
bool gf_random_between(gf_type type, gf_number low, gf_number high, gf_random_range *out);
/* Element `index` of the stream; writes gf_type_bytes(range->type) bytes. A float is low + (high - low) * u, in f64 and
 * rounded once more to its type, u a multiple of 2^-53 (f64), 2^-24 (f32) or 2^-11 (f16); never `high` itself. */
void gf_random_element(const gf_random_range *range, uint64_t seed, uint64_t index, void *out);

#endif
