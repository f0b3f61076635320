/* One number on its way between text, files and elements of a buffer: exact integers stay integers, everything else is
 * a double. Independent of the locale of the process. */
#ifndef GF_IO_NUMBER_H
#define GF_IO_NUMBER_H

#include <gridfence/base.h>

typedef struct gf_number {
    bool is_integer;
    bool negative;      /* of an integer: -magnitude; -0 is possible and is the float -0 */
    uint64_t magnitude; /* of an integer */
    double real;        /* of what is no integer */
} gf_number;

typedef enum gf_fit { GF_FIT_EXACT, GF_FIT_ROUNDED, GF_FIT_NOT_WHOLE, GF_FIT_RANGE } gf_fit;

/* Reads the longest number at the begin of `text`: [+-] digits, 0x hex digits, decimal fraction and exponent, inf,
 * infinity, nan (any case). Gives its length in bytes, 0 where there is none. An integer past 64 bits is given as a
 * real. Never looks behind `end`, but *end must be readable and no part of a number (a 0 byte will do). */
size_t gf_number_scan(const char *text, const char *end, gf_number *out);
/* Whether what was scanned from `text` is a decimal beyond every f64, and not infinity as it is spelled. */
bool gf_number_overflowed(const char *text, gf_number number);
/* The whole of `text` as an element of a type, rounded to nearest where the type is a float. False where it is no
 * number at all; else *fit says how it went, and `out` (gf_type_bytes) is written for EXACT and ROUNDED. */
bool gf_number_parse(const char *text, size_t length, gf_type type, void *out, gf_fit *fit);

gf_number gf_number_load(gf_type type, const void *element);
/* Writes `out` for EXACT and ROUNDED; integers are never rounded. A NaN fits every float exactly. */
gf_fit gf_number_store(gf_number number, gf_type type, void *out);

/* The shortest text that reads back to the same element: "-7", "0.1", "1e+30", "inf", "-inf", "nan". Whole floats below
 * 1e15 are written without exponent. Gives the length. */
#define GF_NUMBER_TEXT 32
size_t gf_number_format(gf_type type, const void *element, char text[GF_NUMBER_TEXT]);

#endif
