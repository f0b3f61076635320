#include "io/sort.h"
#include "base/memory.h"

/* Digits of 11 bits: their 2048 places of writing still lie in a core's first cache. */
#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

static unsigned digit_of(uint64_t cell, unsigned shift) {
    return (unsigned)(cell >> shift) & (DIGITS - 1);
}

/* One pass of the radix sort, from one set of columns to the other. */
static void distribute(uint64_t *const *from, uint64_t *const *to, size_t column_count, size_t key, uint64_t count,
                       unsigned shift, uint64_t *begins) {
    uint64_t sum = 0;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        begins[digit] = 0;
    }
    for (uint64_t i = 0; i < count; i++) {
        begins[digit_of(from[key][i], shift)]++;
    }
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        uint64_t here = begins[digit];
        begins[digit] = sum;
        sum += here;
    }
    for (uint64_t i = 0; i < count; i++) {
        uint64_t place = begins[digit_of(from[key][i], shift)]++;
        for (size_t column = 0; column < column_count; column++) {
            to[column][place] = from[column][i];
        }
    }
}

bool gf_sort_columns(uint64_t **columns, size_t column_count, size_t key, uint64_t count) {
    uint64_t begins[DIGITS];
    uint64_t *other[GF_SORT_COLUMNS_MAX] = {NULL};
    uint64_t most = 0;
    bool sorted = true, ok = true;
    for (uint64_t i = 0; i < count; i++) {
        most = columns[key][i] > most ? columns[key][i] : most;
        sorted = sorted && (i == 0 || columns[key][i - 1] <= columns[key][i]);
    }
    if (sorted) {
        return true;
    }
    for (size_t column = 0; column < column_count; column++) {
        other[column] = gf_calloc((size_t)count, sizeof **other);
        ok = ok && other[column] != NULL;
    }
    for (unsigned shift = 0; ok && shift < 64 && most >> shift; shift += DIGIT_BITS) {
        distribute(columns, other, column_count, key, count, shift, begins);
        for (size_t column = 0; column < column_count; column++) {
            uint64_t *swapped = columns[column];
            columns[column] = other[column];
            other[column] = swapped;
        }
    }
    for (size_t column = 0; column < column_count; column++) {
        gf_free(other[column]);
    }
    return ok;
}
