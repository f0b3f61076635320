#include "base/source.h"
#include <string.h>

void gf_source_mark_lines(const char *text, size_t length, gf_source_mark *marks) {
    gf_source_mark now = {.line = 1};
    for (size_t from = 0;; from += GF_SOURCE_STEP) {
        *marks++ = now;
        if (length - from < GF_SOURCE_STEP) {
            return;
        }
        const char *at = text + from, *end = at + GF_SOURCE_STEP;
        for (at = memchr(at, '\n', (size_t)(end - at)); at != NULL; at = memchr(at, '\n', (size_t)(end - at))) {
            at++;
            now = (gf_source_mark){.line = now.line + 1, .line_offset = (uint32_t)(at - text)};
        }
    }
}

void gf_span_line_column(gf_span span, uint32_t *line, uint32_t *column) {
    *line = 0;
    *column = 0;
    if (span.source == NULL) {
        return;
    }
    size_t offset = span.offset < span.source->length ? span.offset : span.source->length;
    const char *text = span.source->text, *end = text + offset;
    gf_source_mark start = {.line = 1};
    size_t step = 0;
    if (span.source->marks != NULL) {
        step = offset / GF_SOURCE_STEP;
        start = span.source->marks[step];
    }
    const char *begin = text + start.line_offset;
    for (const char *at = text + step * GF_SOURCE_STEP; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL) {
            break;
        }
        start.line++;
        begin = at = newline + 1;
    }
    *line = start.line;
    *column = (uint32_t)(end - begin) + 1;
}

gf_span gf_span_join(gf_span first, gf_span last) {
    if (first.source == NULL) {
        return last;
    }
    if (last.source != first.source) {
        return first;
    }
    uint64_t first_end = (uint64_t)first.offset + first.length;
    uint64_t last_end = (uint64_t)last.offset + last.length;
    uint64_t end = first_end > last_end ? first_end : last_end;
    uint32_t begin = first.offset < last.offset ? first.offset : last.offset;
    return (gf_span){.source = first.source, .offset = begin, .length = (uint32_t)(end - begin)};
}
