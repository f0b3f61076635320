/* What a user may write on the right of `--out NAME=SINK`:
 *
 *   x.npy    NumPy, in the shape of the array
 *   x.bin    raw elements, low byte first
 *   x.txt    one value a line
 *   -        "NAME: v v v" on a stream
 */
#ifndef GF_IO_SINK_H
#define GF_IO_SINK_H

#include "io/array.h"
#include <stdio.h>

/* Whether the sink has a known form; an error lists the forms. Opens nothing: for use before a long run. */
bool gf_sink_check(const char *name, const char *sink, gf_diags *diags);
/* Writes the array; `stream` is where `-` goes. Numbers are the shortest text that reads back to the same bits. Files
 * appear as a whole or not at all. */
bool gf_sink_write(const char *name, const char *sink, const gf_array *array, FILE *stream, gf_diags *diags);
/* Gives the array 1 to 3 axes, `extents[0]` the slowest; an error where they have not as many elements. */
bool gf_array_reshape(gf_array *array, const uint64_t *extents, uint32_t dims, const char *name, gf_diags *diags);

#endif
