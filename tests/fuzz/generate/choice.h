/* A stream of choices: from a seed, or from bytes that a fuzzer made. Where the bytes have ended every choice is the
 * first one, so whoever offers the plainest possibility first comes to an end. */
#ifndef FUZZ_GENERATE_CHOICE_H
#define FUZZ_GENERATE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct choice_stream {
    uint64_t state;
    const uint8_t *bytes; /* NULL: from the seed */
    size_t count, at;
} choice_stream;

choice_stream choice_from_seed(uint64_t seed);
choice_stream choice_from_bytes(const uint8_t *bytes, size_t count);

uint32_t choose(choice_stream *choices, uint32_t bound); /* 0 .. bound - 1; bound is not 0 */
bool choose_yes(choice_stream *choices, uint32_t percent);
/* An index, as often as its weight says; not all weights are 0. */
size_t choose_weighted(choice_stream *choices, const uint8_t *weights, size_t count);

#define choose_of(choices, array) ((array)[choose((choices), sizeof(array) / sizeof *(array))])

#endif
