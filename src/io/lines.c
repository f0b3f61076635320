#include "io/lines.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool gf_lines_begin(gf_lines *lines, const char *name, const char *text, size_t length, gf_diags *diags) {
    *lines = (gf_lines){name, text, text + length, text, 1, diags};
    if (length == 0) {
        return gf_fail(diags, GF_CODE_FILE_EMPTY, GF_NO_SPAN, "'%s' is empty, expected text", name);
    }
    if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
        return gf_fail(diags, GF_CODE_FILE_TEXT, GF_NO_SPAN, "'%s' is text in UTF-16, expected UTF-8 or ASCII", name);
    }
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        lines->at = lines->start = text + 3;
    }
    return true;
}

void gf_lines_skip_blanks(gf_lines *lines) {
    while (*lines->at == ' ' || *lines->at == '\t' || *lines->at == '\r') {
        lines->at++;
    }
}

bool gf_lines_at_line_end(const gf_lines *lines) {
    return *lines->at == '\n' || lines->at >= lines->end;
}

void gf_lines_next(gf_lines *lines) {
    const char *stop = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    lines->at = stop ? stop + 1 : lines->end;
    lines->start = lines->at;
    lines->line += lines->line < UINT32_MAX;
}

static char make_plain(char c) {
    return (char)((c >= ' ' && c <= '~') || c == '\t' ? c : '?');
}

void gf_lines_word(const gf_lines *lines, const char *at, char out[GF_LINES_WORD]) {
    size_t n = 0;
    while (n < 40 && at + n < lines->end && !strchr(" \t\r\n,", at[n])) {
        out[n] = make_plain(at[n]), n++;
    }
    /* strchr finds the 0 byte too, so that a stray one ends the word. */
    if (n == 40) {
        out[n++] = '.', out[n++] = '.', out[n++] = '.';
    }
    out[n] = 0;
}

bool gf_lines_fail(const gf_lines *lines, gf_code code, const char *at, const char *format, ...) {
    char message[512], shown[256];
    size_t length = 0;
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    const char *stop = lines->start;
    while (length + 1 < sizeof shown && stop < lines->end && *stop != '\n') {
        shown[length++] = make_plain(*stop++);
    }
    if (length && shown[length - 1] == '?' && stop[-1] == '\r') {
        length--;
    }
    shown[length] = 0;
    /* What does not begin in the stretch that is shown has no caret to show. */
    size_t column = (size_t)(at - lines->start);
    if (column > length) {
        shown[0] = 0;
    }
    return gf_fail_at_line(lines->diags, code, lines->name, lines->line,
                           (uint32_t)(column < UINT32_MAX ? column + 1 : 1), shown, "%s", message);
}

bool gf_lines_take_u64(gf_lines *lines, uint64_t *out, bool *over) {
    const char *at = lines->at;
    uint64_t value = 0;
    bool fits = true;
    while (*at >= '0' && *at <= '9') {
        unsigned digit = (unsigned)(*at++ - '0');
        if (value > UINT64_MAX / 10 || (value == UINT64_MAX / 10 && digit > UINT64_MAX % 10)) {
            fits = false;
        }
        value = value * 10 + digit;
    }
    bool closed = *at == ' ' || *at == '\t' || *at == '\n' || *at == ',' || *at == '\r' || *at == '#' || *at == '%' ||
                  at == lines->end;
    *over = !fits && closed;
    if (at == lines->at || !closed || !fits) {
        return false;
    }
    *out = value;
    lines->at = at;
    return true;
}
