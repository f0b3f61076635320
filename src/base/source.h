/* A program's text and places in it. */
#ifndef GF_BASE_SOURCE_H
#define GF_BASE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

typedef struct gf_source {
    const char *name; /* as in messages: "reach.gf" */
    const char *text;
    size_t length;
    /* For every GF_SOURCE_STEP bytes of the text, the line there; NULL: lines are counted from the start each time. */
    const struct gf_source_mark *marks;
} gf_source;

#define GF_SOURCE_STEP 4096

typedef struct gf_source_mark {
    uint32_t line, line_offset; /* its number and where it begins */
} gf_source_mark;

/* `marks` of a text, of length / GF_SOURCE_STEP + 1 entries. */
void gf_source_mark_lines(const char *text, size_t length, gf_source_mark *marks);

/* A stretch of one source, in bytes. It is valid as long as the source, which lives in the program's arena; a message
 * copies what it needs. */
typedef struct gf_span {
    const gf_source *source;
    uint32_t offset;
    uint32_t length;
} gf_span;

#define GF_NO_SPAN ((gf_span){0})

/* Line and column from 1, column in bytes; 0, 0 for no place. */
void gf_span_line_column(gf_span span, uint32_t *line, uint32_t *column);
/* From the begin of `first` to the end of `last` (same source). */
gf_span gf_span_join(gf_span first, gf_span last);

#endif
