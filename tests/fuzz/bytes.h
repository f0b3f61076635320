/* Choices out of a fuzzer's bytes; zeros where they have ended. */
#ifndef GF_TESTS_FUZZ_BYTES_H
#define GF_TESTS_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct bytes {
    const uint8_t *at;
    size_t left;
} bytes;

static inline unsigned take(bytes *b) {
    if (b->left == 0) {
        return 0;
    }
    b->left--;
    return *b->at++;
}

static inline uint64_t take_u64(bytes *b) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) {
        value = value << 8 | take(b);
    }
    return value;
}

/* The next bytes up to a line break, or what fits, as a string. */
static inline const char *take_line(bytes *b, char *into, size_t size) {
    size_t used = 0;
    while (b->left > 0) {
        char c = (char)take(b);
        if (c == '\n') {
            break;
        }
        if (c != 0 && used + 1 < size) {
            into[used++] = c;
        }
    }
    into[used] = 0;
    return into;
}

#endif
