#include "base/json_text.h"
#include "base/utf8.h"
#include <string.h>

static void add_control(gf_str *str, unsigned char byte) {
    switch (byte) {
    case '\n':
        gf_str_add(str, "\\n");
        break;
    case '\t':
        gf_str_add(str, "\\t");
        break;
    case '\r':
        gf_str_add(str, "\\r");
        break;
    default:
        gf_str_addf(str, "\\u%04x", (unsigned)byte);
        break;
    }
}

void gf_json_string(gf_str *str, const char *text) {
    gf_str_add_n(str, "\"", 1);
    for (size_t left = strlen(text); left > 0;) {
        uint32_t code_point = 0;
        size_t bytes = gf_utf8_decode(text, left, &code_point);
        if (bytes == 0) {
            gf_str_add(str, GF_UTF8_REPLACEMENT);
            bytes = 1;
        } else if (code_point == '"' || code_point == '\\') {
            gf_str_add_n(str, "\\", 1);
            gf_str_add_n(str, text, 1);
        } else if (code_point < 0x20 || code_point == 0x7f) {
            add_control(str, (unsigned char)code_point);
        } else {
            gf_str_add_n(str, text, bytes);
        }
        text += bytes;
        left -= bytes;
    }
    gf_str_add_n(str, "\"", 1);
}
