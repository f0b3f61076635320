/* NumPy's .npy files, format versions 1, 2 and 3.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#ifndef GF_IO_NPY_H
#define GF_IO_NPY_H

#include "io/array.h"

/* Element types: unsigned and signed integers of 1, 2, 4, 8 bytes, floats of 2, 4, 8, and bool, which is given as u8.
 * Either byte order; Fortran order is brought to C order. The array belongs to the caller (gf_array_free); on failure
 * it is zeroed. */
bool gf_npy_read(const char *path, gf_array *out, gf_diags *diags);
/* The same from bytes in memory; `name` is for messages. */
bool gf_npy_parse(const void *bytes, size_t size, const char *name, gf_array *out, gf_diags *diags);
/* Version 1, C order, this machine's byte order. The file appears as a whole or not at all. */
bool gf_npy_write(const char *path, const gf_array *array, gf_diags *diags);

#endif
