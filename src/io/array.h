/* An array of numbers in memory: what every file format is read to and written from. */
#ifndef GF_IO_ARRAY_H
#define GF_IO_ARRAY_H

#include <gridfence/base.h>
#include <gridfence/diag.h>

#define GF_ARRAY_DIMS_MAX 32

/* Elements lie in C order (last axis fastest), in the byte order of this machine. `data` comes from base/memory.h and
 * belongs to whoever holds the array; it is never NULL in an array that was made, even where count is 0. */
typedef struct gf_array {
    gf_type type; /* any type of a buffer */
    void *data;
    uint64_t count; /* elements: the product of shape; 1 where dims is 0 */
    uint32_t dims;
    uint64_t shape[GF_ARRAY_DIMS_MAX];
} gf_array;

/* One axis of `count` elements, not initialised. */
bool gf_array_create(gf_array *out, gf_type type, uint64_t count, gf_diags *diags);
/* NULL and an array that was zeroed or freed are allowed. Leaves the array zeroed. */
void gf_array_free(gf_array *array);
/* Bytes of `count` elements; false where they cannot be addressed. */
bool gf_array_bytes(gf_type type, uint64_t count, size_t *bytes);
/* Reverses the bytes of each of `count` elements of `width` bytes (1, 2, 4 or 8). */
void gf_bytes_swap(void *data, uint64_t count, size_t width);
/* Whether this machine keeps the low byte first. */
bool gf_host_is_little(void);

#endif
