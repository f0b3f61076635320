/* gridfence reads no JSON. What it writes is JSON for any names and texts: any bytes as a string, and as the text of a
 * program whose messages are written. A reader of the strict grammar looks at both. */
#include "base/diag_json.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "bytes.h"
#include <gridfence/program.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *read_value(const char *at);

static const char *skip(const char *at) {
    return at + strspn(at, " \t\r\n");
}

/* One character of UTF-8 that is none of ASCII; NULL: it is none. */
static const char *read_wide(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    int more = at[0] >= 0xf0 ? 3 : at[0] >= 0xe0 ? 2 : 1;
    if (at[0] < 0xc2 || at[0] > 0xf4 || (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xed && at[1] > 0x9f) ||
        (at[0] == 0xf0 && at[1] < 0x90) || (at[0] == 0xf4 && at[1] > 0x8f)) {
        return NULL;
    }
    for (int i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return NULL;
        }
    }
    return text + 1 + more;
}

static const char *read_string(const char *at) {
    if (*at++ != '"') {
        return NULL;
    }
    while (at != NULL && *at != '"') {
        unsigned char c = (unsigned char)*at;
        if (c < 0x20) {
            return NULL;
        }
        if (c >= 0x80) {
            at = read_wide(at);
        } else if (c != '\\') {
            at++;
        } else if (at[1] == 'u') {
            at = strspn(at + 2, "0123456789abcdefABCDEF") >= 4 ? at + 6 : NULL;
        } else {
            at = at[1] != 0 && strchr("\"\\/bfnrt", at[1]) != NULL ? at + 2 : NULL;
        }
    }
    return at != NULL ? at + 1 : NULL;
}

static const char *read_digits(const char *at) {
    size_t digits = strspn(at, "0123456789");
    return digits > 0 ? at + digits : NULL;
}

static const char *read_number(const char *at) {
    at += *at == '-';
    at = *at == '0' ? at + 1 : read_digits(at);
    if (at != NULL && *at == '.') {
        at = read_digits(at + 1);
    }
    if (at != NULL && (*at == 'e' || *at == 'E')) {
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        at = read_digits(at);
    }
    return at;
}

static const char *read_list(const char *at, char end, bool named) {
    at = skip(at + 1);
    if (*at == end) {
        return at + 1;
    }
    for (;;) {
        if (named) {
            at = read_string(skip(at));
            at = at != NULL ? skip(at) : NULL;
            if (at == NULL || *at++ != ':') {
                return NULL;
            }
        }
        at = read_value(skip(at));
        at = at != NULL ? skip(at) : NULL;
        if (at == NULL || (*at != ',' && *at != end)) {
            return NULL;
        }
        if (*at++ == end) {
            return at;
        }
    }
}

static const char *read_value(const char *at) {
    if (*at == '"') {
        return read_string(at);
    }
    if (*at == '{' || *at == '[') {
        return read_list(at, *at == '{' ? '}' : ']', *at == '{');
    }
    static const char *const words[] = {"null", "true", "false"};
    for (int i = 0; i < 3; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            return at + strlen(words[i]);
        }
    }
    return read_number(at);
}

static void need_json(gf_str *text) {
    const char *end = text->failed ? NULL : read_value(text->text);
    if (end == NULL || *skip(end) != 0) {
        fprintf(stderr, "no JSON: %s\n", text->failed ? "(no memory)" : text->text);
        abort();
    }
    gf_str_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = gf_malloc(size + 1);
    gf_diags *diags = gf_diags_create();
    if (text != NULL && diags != NULL) {
        if (size > 0) {
            memcpy(text, data, size);
        }
        text[size] = 0;
        gf_str out = {0};
        gf_json_string(&out, text);
        need_json(&out);
        gf_program_destroy(gf_program_parse(text, size, text, diags));
        gf_diags_json(diags, &out);
        need_json(&out);
    }
    gf_diags_destroy(diags);
    gf_free(text);
    return 0;
}
