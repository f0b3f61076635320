/* Stable sorting of columns of 64-bit cells that belong together. */
#ifndef GF_IO_SORT_H
#define GF_IO_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GF_SORT_COLUMNS_MAX 3

/* Orders the rows of up to three columns of `count` cells by the cells of columns[key], rows of equal cells as they
 * were. The columns come from base/memory.h and are exchanged for other blocks of exactly `count` cells. False where
 * there is no memory; the columns then are whole and hold the same rows in some order. */
bool gf_sort_columns(uint64_t **columns, size_t column_count, size_t key, uint64_t count);

#endif
