#include "base/utf8.h"

size_t gf_utf8_decode(const char *text, size_t length, uint32_t *code_point) {
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < 0x80) {
        *code_point = byte[0];
        return 1;
    }
    size_t bytes = 0;
    uint32_t least = 0;
    uint32_t value = 0;
    if (byte[0] >= 0xc2 && byte[0] <= 0xdf) {
        bytes = 2;
        least = 0x80;
        value = byte[0] & 0x1fU;
    } else if (byte[0] >= 0xe0 && byte[0] <= 0xef) {
        bytes = 3;
        least = 0x800;
        value = byte[0] & 0x0fU;
    } else if (byte[0] >= 0xf0 && byte[0] <= 0xf4) {
        bytes = 4;
        least = 0x10000;
        value = byte[0] & 0x07U;
    } else {
        return 0;
    }
    if (length < bytes) {
        return 0;
    }
    for (size_t i = 1; i < bytes; i++) {
        if ((byte[i] & 0xc0U) != 0x80) {
            return 0;
        }
        value = value << 6 | (byte[i] & 0x3fU);
    }
    if (value < least || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
        return 0;
    }
    *code_point = value;
    return bytes;
}
