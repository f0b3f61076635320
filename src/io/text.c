#include "io/text.h"
#include "base/memory.h"
#include "io/convert.h"
#include "io/file.h"
#include "io/lines.h"
#include "io/number.h"
#include <string.h>

static bool fail_number(const gf_lines *lines, gf_type type, bool is_number, gf_fit fit) {
    char word[GF_LINES_WORD];
    gf_lines_word(lines, lines->at, word);
    if (!is_number) {
        return gf_lines_fail(lines, GF_CODE_VALUE_SYNTAX, lines->at, "'%s' is no number, expected a value of type %s",
                             word, gf_type_name(type));
    }
    if (fit == GF_FIT_NOT_WHOLE) {
        return gf_lines_fail(lines, GF_CODE_VALUE_NOT_WHOLE, lines->at, "%s is not a whole number, expected %s (%s)",
                             word, gf_type_name(type), gf_type_range(type));
    }
    return gf_lines_fail(lines, GF_CODE_VALUE_RANGE, lines->at, "%s does not fit %s (%s)", word, gf_type_name(type),
                         gf_type_range(type));
}

static size_t word_length(const gf_lines *lines) {
    const char *at = lines->at;
    while (at < lines->end && *at != ' ' && *at != '\t' && *at != '\r' && *at != '\n' && *at != ',' && *at != '#') {
        at++;
    }
    return (size_t)(at - lines->at);
}

static bool grow(gf_array *array, size_t *capacity, gf_diags *diags) {
    size_t width = gf_type_bytes(array->type);
    if (array->count < *capacity) {
        return true;
    }
    void *data = *capacity < SIZE_MAX / 32 ? gf_realloc(array->data, *capacity * 2 * width) : NULL;
    if (data == NULL) {
        return gf_fail_memory(diags);
    }
    array->data = data;
    *capacity *= 2;
    return true;
}

/* The numbers of one line, behind which `at` is at the line's end. */
static bool parse_line(gf_lines *lines, gf_array *out, size_t *capacity) {
    bool comma = true; /* a comma wants a number before it, but may end a line */
    for (;;) {
        gf_lines_skip_blanks(lines);
        if (gf_lines_at_line_end(lines) || *lines->at == '#') {
            return true;
        }
        if (*lines->at == ',') {
            if (comma) {
                return gf_lines_fail(lines, GF_CODE_VALUE_SYNTAX, lines->at, "a number is expected before ','");
            }
            comma = true;
            lines->at++;
            continue;
        }
        size_t length = word_length(lines);
        gf_fit fit = GF_FIT_EXACT;
        if (!grow(out, capacity, lines->diags)) {
            return false;
        }
        char *element = (char *)out->data + out->count * gf_type_bytes(out->type);
        bool is_number = gf_number_parse(lines->at, length, out->type, element, &fit);
        if (!is_number || fit > GF_FIT_ROUNDED) {
            return fail_number(lines, out->type, is_number, fit);
        }
        out->count++;
        lines->at += length;
        comma = false;
    }
}

bool gf_text_parse(const char *text, size_t length, const char *name, gf_type type, gf_array *out, gf_diags *diags) {
    gf_lines lines;
    size_t capacity = 64;
    *out = (gf_array){0};
    if (!gf_lines_begin(&lines, name, text, length, diags) || !gf_array_create(out, type, capacity, diags)) {
        return false;
    }
    out->count = 0;
    for (; lines.at < lines.end; gf_lines_next(&lines)) {
        if (!parse_line(&lines, out, &capacity)) {
            gf_array_free(out);
            return false;
        }
    }
    out->shape[0] = out->count;
    return true;
}

bool gf_text_read(const char *path, gf_type type, gf_array *out, gf_diags *diags) {
    gf_file file;
    *out = (gf_array){0};
    if (!gf_file_read(path, &file, diags)) {
        return false;
    }
    bool ok = gf_text_parse(file.data, file.size, path, type, out, diags);
    gf_file_free(&file);
    return ok;
}
