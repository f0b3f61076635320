/* Text that grows: a string builder over malloc, for what is handed to users (plans, JSON, SVG, canonical text).
 * It fails once and stays failed: append freely, look at `failed` at the end. */
#ifndef GF_BASE_STR_H
#define GF_BASE_STR_H

#include <gridfence/base.h>
#include <stdarg.h>

typedef struct gf_str {
    char *text; /* always ends in 0 once anything was appended; NULL before */
    size_t length, capacity;
    bool failed; /* memory ran out: the text is not whole */
} gf_str;

void gf_str_add(gf_str *str, const char *text);
void gf_str_add_n(gf_str *str, const char *text, size_t length);
void gf_str_addf(gf_str *str, const char *format, ...) GF_PRINTF(2, 3);
void gf_str_free(gf_str *str);
/* Gives the text to the caller, who frees it with gf_free; NULL if it failed. Never NULL for an empty text. */
char *gf_str_take(gf_str *str);
/* Levenshtein distance, capped at 3: for "did you mean". */
unsigned gf_edit_distance(const char *a, const char *b);

#endif
