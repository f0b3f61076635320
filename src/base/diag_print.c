/* Messages as people read them. What comes from outside (source lines, names in messages) is shown safely: control
 * characters, direction marks and broken UTF-8 appear as U+FFFD, so nothing can reach the terminal as a command. */
#include "base/diag_data.h"
#include "base/utf8.h"
#include <string.h>

#define TAB_STOP 4
#define WIDEST_LINE 120 /* columns of a source line shown; more is cut around the span */
#define LEAD 40         /* columns kept before the span where a line is cut */

typedef struct colours {
    const char *error, *warning, *note, *fix, *strong, *dim, *off;
} colours;

static const colours plain = {"", "", "", "", "", "", ""};
static const colours ansi = {"\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1;32m", "\033[1m", "\033[2m", "\033[0m"};

/* One character as shown. */
typedef struct glyph {
    const char *text;
    size_t text_bytes;
    size_t bytes; /* of the source */
    size_t width; /* columns */
} glyph;

static bool is_between(uint32_t code_point, uint32_t first, uint32_t last) {
    return code_point >= first && code_point <= last;
}

static bool is_unprintable(uint32_t c) {
    return c < 0x20 || is_between(c, 0x7f, 0x9f) || is_between(c, 0x200b, 0x200f) || is_between(c, 0x2028, 0x202e) ||
           is_between(c, 0x2060, 0x206f) || c == 0xfeff || is_between(c, 0xfff0, 0xfffb);
}

static bool is_wide(uint32_t c) {
    return is_between(c, 0x1100, 0x115f) || is_between(c, 0x2e80, 0xa4cf) || is_between(c, 0xac00, 0xd7a3) ||
           is_between(c, 0xf900, 0xfaff) || is_between(c, 0xfe30, 0xfe6f) || is_between(c, 0xff00, 0xff60) ||
           is_between(c, 0xffe0, 0xffe6) || is_between(c, 0x1f300, 0x1f64f) || is_between(c, 0x1f900, 0x1f9ff) ||
           is_between(c, 0x20000, 0x3fffd);
}

/* `column` is where it will stand: a tab reaches to the next stop. */
static glyph next_glyph(const char *text, size_t length, size_t column) {
    static const char spaces[TAB_STOP + 1] = "    ";
    if (*text == '\t') {
        size_t width = TAB_STOP - column % TAB_STOP;
        return (glyph){.text = spaces, .text_bytes = width, .bytes = 1, .width = width};
    }
    uint32_t code_point = 0;
    size_t bytes = gf_utf8_decode(text, length, &code_point);
    if (bytes == 0 || is_unprintable(code_point)) {
        return (glyph){.text = GF_UTF8_REPLACEMENT, .text_bytes = 3, .bytes = bytes > 0 ? bytes : 1, .width = 1};
    }
    size_t width = is_between(code_point, 0x300, 0x36f) ? 0 : 1;
    return (glyph){.text = text, .text_bytes = bytes, .bytes = bytes, .width = is_wide(code_point) ? 2 : width};
}

static void print_safely(FILE *stream, const char *text) {
    for (size_t left = strlen(text); left > 0;) {
        glyph shown = next_glyph(text, left, 0);
        (void)fwrite(shown.text, 1, shown.text_bytes, stream);
        text += shown.bytes;
        left -= shown.bytes;
    }
}

/* Columns that the first `bytes` bytes of the line take. */
static size_t measure(const char *line, size_t length, size_t bytes) {
    size_t column = 0;
    for (size_t at = 0; at < bytes && at < length;) {
        glyph shown = next_glyph(line + at, length - at, column);
        at += shown.bytes;
        column += shown.width;
    }
    return column;
}

static void repeat(FILE *stream, char c, size_t count) {
    for (size_t i = 0; i < count; i++) {
        (void)fputc(c, stream);
    }
}

/* The source line and the caret under it. */
static void print_source(FILE *stream, const gf_diag *diag, const colours *use) {
    const char *line = diag->source;
    size_t length = strlen(line);
    if (length == 0 || diag->column == 0) {
        return;
    }
    size_t from_byte = diag->column - 1 >= diag->source_skipped ? diag->column - 1 - diag->source_skipped : 0;
    size_t width = measure(line, length, length);
    size_t from = measure(line, length, from_byte);
    size_t to = measure(line, length, from_byte + diag->length);
    if (from_byte >= length) {
        from += from_byte - length;
    }
    if (to <= from) {
        to = from + 1;
    }
    /* The columns [first, last) are shown. */
    size_t first = 0;
    size_t last = width;
    if (width > WIDEST_LINE) {
        first = from > LEAD ? from - LEAD : 0;
        if (first + WIDEST_LINE > width) {
            first = width > WIDEST_LINE ? width - WIDEST_LINE : 0;
        }
        last = first + WIDEST_LINE;
    }
    bool cut_before = first > 0 || diag->source_skipped > 0;
    bool cut_after = last < width;

    (void)fprintf(stream, "%s%6u | %s%s", use->dim, (unsigned)diag->line, use->off, cut_before ? "..." : "");
    size_t column = 0;
    size_t shown_from = SIZE_MAX;
    for (size_t at = 0; at < length;) {
        glyph shown = next_glyph(line + at, length - at, column);
        if (column >= first && column + shown.width <= last) {
            shown_from = shown_from == SIZE_MAX ? column : shown_from;
            (void)fwrite(shown.text, 1, shown.text_bytes, stream);
        }
        at += shown.bytes;
        column += shown.width;
    }
    (void)fprintf(stream, "%s\n", cut_after ? "..." : "");

    shown_from = shown_from == SIZE_MAX ? first : shown_from;
    if (to > last && last > from) {
        to = last;
    }
    (void)fprintf(stream, "%s       | %s", use->dim, use->off);
    repeat(stream, ' ', (cut_before ? 3 : 0) + (from > shown_from ? from - shown_from : 0));
    (void)fprintf(stream, "%s^", use->fix);
    repeat(stream, '~', to - from - 1);
    (void)fprintf(stream, "%s\n", use->off);
}

static void print_head(FILE *stream, const gf_diag *diag, const char *colour, const char *kind, const colours *use) {
    (void)fputs(use->strong, stream);
    if (diag->file[0] != '\0') {
        print_safely(stream, diag->file);
        (void)fputs(":", stream);
    }
    if (diag->line > 0) {
        (void)fprintf(stream, "%u:%u:", (unsigned)diag->line, (unsigned)diag->column);
    }
    if (diag->file[0] != '\0' || diag->line > 0) {
        (void)fputs(" ", stream);
    }
    (void)fprintf(stream, "%s%s%s", use->off, colour, kind);
    if (diag->code[0] != '\0') {
        (void)fprintf(stream, "[%s]", diag->code);
    }
    (void)fprintf(stream, ":%s ", use->off);
    print_safely(stream, diag->message);
    (void)fputs("\n", stream);
}

void gf_diags_print_colour(const gf_diags *diags, FILE *stream, bool colour) {
    const colours *use = colour ? &ansi : &plain;
    gf_diag diag;
    for (size_t i = 0; gf_diags_get(diags, i, &diag); i++) {
        bool is_error = diag.severity == GF_SEVERITY_ERROR;
        print_head(stream, &diag, is_error ? use->error : use->warning, is_error ? "error" : "warning", use);
        print_source(stream, &diag, use);
        gf_diag note;
        for (size_t n = 0; gf_diags_get_note(diags, i, n, &note); n++) {
            print_head(stream, &note, use->note, "note", use);
            print_source(stream, &note, use);
        }
        if (diag.fix[0] != '\0') {
            (void)fprintf(stream, "%sfix:%s ", use->fix, use->off);
            print_safely(stream, diag.fix);
            (void)fputs("\n", stream);
        }
    }
    if (diags == NULL) {
        return;
    }
    size_t errors = diags->seen[GF_SEVERITY_ERROR] - diags->kept[GF_SEVERITY_ERROR] - (diags->out_of_memory ? 1 : 0);
    size_t warnings = diags->seen[GF_SEVERITY_WARNING] - diags->kept[GF_SEVERITY_WARNING];
    if (errors > 0) {
        (void)fprintf(stream, "and %zu more error%s\n", errors, errors == 1 ? "" : "s");
    }
    if (warnings > 0) {
        (void)fprintf(stream, "and %zu more warning%s\n", warnings, warnings == 1 ? "" : "s");
    }
}

void gf_diags_print(const gf_diags *diags, FILE *stream) {
    gf_diags_print_colour(diags, stream, false);
}
