/* The 16-bit float of IEEE 754 in software: exact to wider, nearest even from wider. */
#ifndef GF_IO_HALF_H
#define GF_IO_HALF_H

#include <stdint.h>

double gf_half_to_double(uint16_t half);
/* One rounding, to nearest, ties to even; subnormals kept; past the largest half (65504) by half a step or more is
 * infinity; a NaN keeps its sign and the high bits of its payload, and is quiet. */
uint16_t gf_half_from_double(double value);

#endif
