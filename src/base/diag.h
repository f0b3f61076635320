/* How the library reports: one call for an error, then notes and a fix for the message just made.
 * `return gf_fail(diags, GF_CODE_X, span, "...", ...)` is the only way to fail. */
#ifndef GF_BASE_DIAG_H
#define GF_BASE_DIAG_H

#include "base/source.h"
#include <gridfence/diag.h>
#include <stdarg.h>

/* Codes are rows of diags.def, which includes one file per layer. A row: CODE(NAME, number, "slug", "what it means and
 * what to do, for doc/errors.md"). */
typedef enum gf_code {
#define CODE(name, number, slug, meaning) GF_CODE_##name,
#include "base/diags.def"
#undef CODE
    GF_CODE_COUNT
} gf_code;

/* All three return false, so that a caller can `return gf_fail(...)`. The message is one line in the user's names,
 * without a full stop. A span of GF_NO_SPAN gives a message without a place. */
bool gf_fail(gf_diags *diags, gf_code code, gf_span span, const char *format, ...) GF_PRINTF(4, 5);
bool gf_fail_at_line(gf_diags *diags, gf_code code, const char *file, uint32_t line, uint32_t column,
                     const char *source_line, const char *format, ...) GF_PRINTF(7, 8);
void gf_warn(gf_diags *diags, gf_code code, gf_span span, const char *format, ...) GF_PRINTF(4, 5);
/* A note or the fix of the latest message; lost where there is none. */
void gf_note(gf_diags *diags, gf_span span, const char *format, ...) GF_PRINTF(3, 4);
void gf_fix(gf_diags *diags, const char *format, ...) GF_PRINTF(2, 3);
/* Out of memory: needs none itself. */
bool gf_fail_memory(gf_diags *diags);

/* Moves all messages of `from` behind those of `to`; `from` is then empty. Needs no memory. */
void gf_diags_take(gf_diags *to, gf_diags *from);
/* The code of a message by its spelling ("GF0304"); GF_CODE_COUNT for none. */
gf_code gf_code_from_text(const char *text);

#endif
