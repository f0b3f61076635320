/* Arrays of one number type as arrays of another. */
#ifndef GF_IO_CONVERT_H
#define GF_IO_CONVERT_H

#include "io/array.h"
#include "io/number.h"

/* Makes `array` one of `type`, in place of the old data. Every value must fit exactly (a NaN fits every float; a whole
 * float that is in range fits an integer): else an error names the first that does not, with its index, and the array
 * is as it was. `name` is what the message calls the array, such as "x.npy". */
bool gf_array_convert(gf_array *array, gf_type type, const char *name, gf_diags *diags);

/* The message for a value that does not fit: "what: value V does not fit u8 (0 to 255)". `fit` is not EXACT. */
bool gf_fail_fit(gf_diags *diags, const char *what, const char *value, gf_type type, gf_fit fit);
/* The values of a type in words, such as "0 to 255"; static storage. */
const char *gf_type_range(gf_type type);

#endif
