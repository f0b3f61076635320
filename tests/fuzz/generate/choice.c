#include "choice.h"

choice_stream choice_from_seed(uint64_t seed) {
    return (choice_stream){.state = seed};
}

choice_stream choice_from_bytes(const uint8_t *bytes, size_t count) {
    static const uint8_t none = 0;
    return (choice_stream){.bytes = bytes != NULL ? bytes : &none, .count = bytes != NULL ? count : 0};
}

/* SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, 2014). */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint32_t next_byte(choice_stream *choices) {
    return choices->at < choices->count ? choices->bytes[choices->at++] : 0;
}

uint32_t choose(choice_stream *choices, uint32_t bound) {
    if (bound <= 1) {
        return 0;
    }
    if (choices->bytes == NULL) {
        return (uint32_t)((next_random(&choices->state) >> 32) * bound >> 32);
    }
    uint32_t value = next_byte(choices);
    for (uint32_t more = bound - 1; more > 0xff; more >>= 8) {
        value = value << 8 | next_byte(choices);
    }
    return value % bound;
}

bool choose_yes(choice_stream *choices, uint32_t percent) {
    return choose(choices, 100) >= 100 - percent;
}

size_t choose_weighted(choice_stream *choices, const uint8_t *weights, size_t count) {
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += weights[i];
    }
    uint32_t at = choose(choices, sum);
    size_t i = 0;
    while (at >= weights[i]) {
        at -= weights[i++];
    }
    return i;
}
