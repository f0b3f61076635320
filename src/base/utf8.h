/* UTF-8 as it comes from outside: possibly broken. */
#ifndef GF_BASE_UTF8_H
#define GF_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define GF_UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Bytes of the well-formed sequence that `text` begins with (1 to 4), and its code point; 0 if there is none.
 * Overlong forms, surrogates and what lies past U+10FFFF are not well-formed. `length` is at least 1. */
size_t gf_utf8_decode(const char *text, size_t length, uint32_t *code_point);

#endif
