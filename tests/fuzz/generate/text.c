#include "text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(text *to, size_t more) {
    if (to->capacity - to->length > more) {
        return;
    }
    size_t capacity = (to->capacity + more + 64) * 2;
    char *data = realloc(to->data, capacity);
    if (data == NULL) {
        (void)fputs("out of memory\n", stderr);
        exit(3);
    }
    to->data = data;
    to->capacity = capacity;
}

void text_add(text *to, const char *data, size_t length) {
    make_room(to, length);
    memcpy(to->data + to->length, data, length);
    to->length += length;
    to->data[to->length] = '\0';
}

void text_put_list(text *to, const char *format, va_list list) {
    va_list again;
    char few[256];
    va_copy(again, list);
    int length = vsnprintf(few, sizeof few, format, list);
    if (length >= 0 && (size_t)length < sizeof few) {
        text_add(to, few, (size_t)length);
    } else if (length >= 0) {
        make_room(to, (size_t)length);
        to->length += (size_t)vsnprintf(to->data + to->length, (size_t)length + 1, format, again);
    }
    va_end(again);
}

void text_put(text *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    text_put_list(to, format, list);
    va_end(list);
}

void text_clear(text *to) {
    to->length = 0;
    if (to->data != NULL) {
        to->data[0] = '\0';
    }
}

void text_free(text *to) {
    free(to->data);
    *to = (text){0};
}

const char *text_get(const text *from) {
    return from->data != NULL ? from->data : "";
}
