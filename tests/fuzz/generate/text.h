/* Text that grows. */
#ifndef FUZZ_GENERATE_TEXT_H
#define FUZZ_GENERATE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct text {
    char *data; /* ends in '\0' once something was put; NULL before */
    size_t length, capacity;
} text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_put(text *to, const char *format, ...);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 0)))
#endif
void text_put_list(text *to, const char *format, va_list list);
void text_add(text *to, const char *data, size_t length);
void text_clear(text *to);
void text_free(text *to);
const char *text_get(const text *from); /* "" before anything was put */

#endif
