#include "base/source.h"
#include <string.h>

void gf_span_line_column(gf_span span, uint32_t *line, uint32_t *column) {
    *line = 0;
    *column = 0;
    if (span.source == NULL) {
        return;
    }
    size_t offset = span.offset < span.source->length ? span.offset : span.source->length;
    const char *at = span.source->text;
    const char *end = at + offset;
    uint32_t lines = 1;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL) {
            break;
        }
        lines++;
        at = newline + 1;
    }
    *line = lines;
    *column = (uint32_t)(end - at) + 1;
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
