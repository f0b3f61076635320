#include "base/str.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

/* Room for `more` bytes and the 0. */
static bool make_room(gf_str *str, size_t more) {
    if (str->failed) {
        return false;
    }
    if (more >= SIZE_MAX / 4 - str->length) {
        str->failed = true;
        return false;
    }
    size_t needed = str->length + more + 1;
    if (str->text != NULL && needed <= str->capacity) {
        return true;
    }
    size_t capacity = str->capacity > 0 ? str->capacity : 64;
    while (capacity < needed) {
        capacity *= 2;
    }
    char *grown = gf_realloc(str->text, capacity);
    if (grown == NULL) {
        str->failed = true;
        return false;
    }
    str->text = grown;
    str->capacity = capacity;
    return true;
}

void gf_str_add_n(gf_str *str, const char *text, size_t length) {
    if (!make_room(str, length)) {
        return;
    }
    if (length > 0) {
        memcpy(str->text + str->length, text, length);
    }
    str->length += length;
    str->text[str->length] = '\0';
}

void gf_str_add(gf_str *str, const char *text) {
    gf_str_add_n(str, text, strlen(text));
}

void gf_str_addf(gf_str *str, const char *format, ...) {
    va_list list;
    va_start(list, format);
    va_list again;
    va_copy(again, list);
    /* Most pieces fit where there is room already; the second round is for those that do not. */
    size_t room = str->failed || str->text == NULL ? 0 : str->capacity - str->length;
    int length = vsnprintf(room > 0 ? str->text + str->length : NULL, room, format, list);
    if (length < 0) {
        str->failed = true;
    } else if ((size_t)length < room) {
        str->length += (size_t)length;
    } else if (make_room(str, (size_t)length)) {
        (void)vsnprintf(str->text + str->length, (size_t)length + 1, format, again);
        str->length += (size_t)length;
    } else if (str->text != NULL && room > 0) {
        str->text[str->length] = '\0';
    }
    va_end(again);
    va_end(list);
}

void gf_str_free(gf_str *str) {
    gf_free(str->text);
    *str = (gf_str){0};
}

char *gf_str_take(gf_str *str) {
    if (!str->failed && str->text == NULL) {
        gf_str_add_n(str, NULL, 0);
    }
    if (str->failed) {
        gf_str_free(str);
        return NULL;
    }
    char *text = str->text;
    *str = (gf_str){0};
    return text;
}

static unsigned least(unsigned a, unsigned b, unsigned c) {
    unsigned ab = a < b ? a : b;
    return ab < c ? ab : c;
}

unsigned gf_edit_distance(const char *a, const char *b) {
    enum { CAP = 3, LONGEST = 63 };
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);
    if (strcmp(a, b) == 0) {
        return 0;
    }
    /* Nobody mistypes names that long by letters. */
    if (a_length > LONGEST || b_length > LONGEST) {
        return CAP;
    }
    unsigned row[LONGEST + 1];
    for (unsigned j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1));
            diagonal = above;
        }
    }
    return row[b_length] < CAP ? row[b_length] : CAP;
}
