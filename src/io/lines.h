/* Line by line through a text of numbers, with messages that show the line. */
#ifndef GF_IO_LINES_H
#define GF_IO_LINES_H

#include "base/diag.h"
#include <stddef.h>

/* `end` points to a 0 byte. Everything in between may be any byte. */
typedef struct gf_lines {
    const char *name; /* of the file */
    const char *at;   /* the next byte to read */
    const char *end;
    const char *start; /* of the line that `at` is in */
    uint32_t line;     /* its number from 1; stays at the largest u32 */
    gf_diags *diags;
} gf_lines;

/* Skips a byte order mark of UTF-8; refuses an empty text and one in UTF-16. text[length] must be 0. */
bool gf_lines_begin(gf_lines *lines, const char *name, const char *text, size_t length, gf_diags *diags);
/* Past blanks: spaces, tabs, and the carriage return that stands before a line end. */
void gf_lines_skip_blanks(gf_lines *lines);
/* At the line's end or the text's. */
bool gf_lines_at_line_end(const gf_lines *lines);
/* To the begin of the next line; at the text's end stays there. */
void gf_lines_next(gf_lines *lines);

/* An error at `at`, which lies in the present line: "message, expected ...". */
bool gf_lines_fail(const gf_lines *lines, gf_code code, const char *at, const char *format, ...) GF_PRINTF(4, 5);
/* The word at `at`, for a message: at most 40 bytes, made of plain characters. */
#define GF_LINES_WORD 48
void gf_lines_word(const gf_lines *lines, const char *at, char out[GF_LINES_WORD]);

/* A whole number without sign, with what may follow one: a blank, a comma, # or %, a line end or the text's end. False,
 * without a message and without moving, for anything else; *over tells that it was a number of more than 64 bits. */
bool gf_lines_take_u64(gf_lines *lines, uint64_t *out, bool *over);

#endif
