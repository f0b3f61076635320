/* What a user may write on the right of `--in NAME=SOURCE`:
 *
 *   x.npy                        converted where every value fits (io/convert.h)
 *   x.bin                        raw elements, low byte first
 *   x.txt                        numbers between white space or commas, comments from # to the line's end
 *   1,2,3                        literals: 10, -3, 0xff, 1.5, 1e-3, inf, nan
 *   fill:V       fill(V)         one value
 *   iota                         0, 1, 2, ...
 *   random:SEED  random(SEED)    io/random.h; integers over all of their type, floats in [0, 1)
 *   random:SEED:LO:HI  random(SEED, LO, HI)      LO up to, not including, HI
 */
#ifndef GF_IO_INPUT_H
#define GF_IO_INPUT_H

#include "io/array.h"

#define GF_COUNT_UNKNOWN UINT64_MAX

/* Whether a source takes its length from the buffer (fill, iota, random) instead of having one. Opens nothing. */
bool gf_input_is_generated(const char *source);

/* Makes elements of `type` from a source for buffer `name` (used in messages). `count` is what the buffer declares, or
 * GF_COUNT_UNKNOWN for `[]`: then the source decides, and one that is generated is an error. A source that holds fewer
 * elements than `count` is an error; of one that holds more, all are given. Literals and text are rounded to the
 * nearest value of a float type, values in .npy must fit exactly. */
bool gf_input_read(const char *name, const char *source, gf_type type, uint64_t count, gf_array *out, gf_diags *diags);

#endif
