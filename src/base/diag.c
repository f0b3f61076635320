#include "base/diag.h"
#include "base/diag_data.h"
#include "base/memory.h"
#include <stdio.h>
#include <string.h>

#define LONGEST_MESSAGE 4096 /* bytes of a message, note or fix */
#define LONGEST_LINE 4096    /* bytes of a source line that are kept, around the span */

typedef struct code_row {
    unsigned number;
    const char *slug;
} code_row;

static const code_row code_rows[GF_CODE_COUNT] = {
#define CODE(name, number, slug, meaning) {number, slug},
#include "base/diags.def"
#undef CODE
};

/* Where a message points, borrowed from the caller. */
typedef struct place {
    const char *file;
    uint32_t line, column, length;
    const char *source;
    size_t source_length;
    uint32_t source_skipped;
} place;

gf_diags *gf_diags_create(void) {
    return gf_calloc(1, sizeof(gf_diags));
}

static void free_extras(gf_diag_item *item) {
    for (gf_diag_item *note = item->notes; note != NULL;) {
        gf_diag_item *next = note->next;
        gf_free(note);
        note = next;
    }
    gf_free(item->fix);
}

void gf_diags_clear(gf_diags *diags) {
    if (diags == NULL) {
        return;
    }
    for (size_t i = 0; i < diags->count; i++) {
        free_extras(diags->items[i]);
        if (diags->items[i] != &diags->memory) {
            gf_free(diags->items[i]);
        }
    }
    memset(diags, 0, sizeof *diags);
}

void gf_diags_destroy(gf_diags *diags) {
    gf_diags_clear(diags);
    gf_free(diags);
}

size_t gf_diags_count(const gf_diags *diags) {
    return diags == NULL ? 0 : diags->count;
}

size_t gf_diags_error_count(const gf_diags *diags) {
    return diags == NULL ? 0 : diags->seen[GF_SEVERITY_ERROR];
}

bool gf_diags_get(const gf_diags *diags, size_t index, gf_diag *out) {
    if (diags == NULL || index >= diags->count) {
        return false;
    }
    *out = diags->items[index]->data;
    return true;
}

bool gf_diags_get_note(const gf_diags *diags, size_t index, size_t note, gf_diag *out) {
    if (diags == NULL || index >= diags->count) {
        return false;
    }
    const gf_diag_item *at = diags->items[index]->notes;
    for (size_t i = 0; i < note && at != NULL; i++) {
        at = at->next;
    }
    if (at == NULL) {
        return false;
    }
    *out = at->data;
    return true;
}

/* Cuts a line to what is worth keeping, with the span inside. */
static void cut_line(place *where) {
    size_t before = where->column > 0 ? where->column - 1 : 0;
    if (where->source_length <= LONGEST_LINE || before > where->source_length) {
        where->source_length = where->source_length < LONGEST_LINE ? where->source_length : LONGEST_LINE;
        return;
    }
    size_t skip = before > LONGEST_LINE / 2 ? before - LONGEST_LINE / 2 : 0;
    size_t left = where->source_length - skip;
    where->source += skip;
    where->source_length = left < LONGEST_LINE ? left : LONGEST_LINE;
    where->source_skipped = (uint32_t)skip;
}

static place find_place(gf_span span) {
    place where = {.file = ""};
    if (span.source == NULL) {
        return where;
    }
    gf_span_line_column(span, &where.line, &where.column);
    where.file = span.source->name != NULL ? span.source->name : "";
    const char *end = span.source->text + span.source->length;
    size_t offset = span.offset < span.source->length ? span.offset : span.source->length;
    const char *at = span.source->text + offset;
    const char *newline = offset < span.source->length ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    const char *line_end = newline != NULL ? newline : end;
    where.source = at - (where.column - 1);
    where.source_length = (size_t)(line_end - where.source);
    if (where.source_length > 0 && line_end[-1] == '\r') {
        where.source_length--;
    }
    /* A span over several lines is underlined to the end of its first. */
    size_t rest = where.source_length + 1 > where.column ? where.source_length + 1 - where.column : 0;
    where.length = (uint32_t)(span.length < rest ? span.length : rest);
    if (where.length == 0) {
        where.length = 1;
    }
    cut_line(&where);
    return where;
}

/* Copies bytes to `to` and returns where the next string goes. A zero inside would end the string early, so it becomes
 * a byte that is shown as unprintable just the same. */
static char *put_string(char *to, const char **field, const char *text, size_t length) {
    *field = to;
    for (size_t i = 0; i < length; i++) {
        to[i] = text[i];
        if (to[i] == '\0') {
            to[i] = '\x01';
        }
    }
    to[length] = '\0';
    return to + length + 1;
}

/* NULL without memory. */
static gf_diag_item *create_item(const place *where, const char *format, va_list list) {
    char message[LONGEST_MESSAGE];
    int printed = vsnprintf(message, sizeof message, format, list);
    if (printed < 0) {
        message[0] = '\0';
    }
    size_t message_length = strlen(message);
    size_t file_length = strlen(where->file);
    gf_diag_item *item = gf_calloc(1, sizeof *item + message_length + file_length + where->source_length + 3);
    if (item == NULL) {
        return NULL;
    }
    gf_diag *data = &item->data;
    char *text = (char *)(item + 1);
    text = put_string(text, &data->message, message, message_length);
    text = put_string(text, &data->file, where->file, file_length);
    (void)put_string(text, &data->source, where->source, where->source_length);
    data->line = where->line;
    data->column = where->column;
    data->length = where->length;
    data->source_skipped = where->source_skipped;
    data->code = "";
    data->name = "";
    data->fix = "";
    return item;
}

static void name_code(gf_diag_item *item, gf_code code) {
    (void)snprintf(item->code, sizeof item->code, "GF%04u", code_rows[code].number % 10000);
    item->data.code = item->code;
    item->data.name = code_rows[code].slug;
}

bool gf_fail_memory(gf_diags *diags) {
    if (diags == NULL) {
        return false;
    }
    diags->seen[GF_SEVERITY_ERROR]++;
    if (diags->out_of_memory) {
        diags->latest = NULL;
        return false;
    }
    gf_diag_item *item = &diags->memory;
    diags->out_of_memory = true;
    item->data = (gf_diag){.severity = GF_SEVERITY_ERROR,
                           .file = "",
                           .message = "out of memory",
                           .source = "",
                           .fix = "make the inputs smaller, or free memory for this process"};
    name_code(item, GF_CODE_NO_MEMORY);
    diags->items[diags->count++] = item;
    diags->latest = item;
    return false;
}

static void add_message(gf_diags *diags, gf_severity severity, gf_code code, const place *where, const char *format,
                        va_list list) {
    if (diags->kept[severity] >= GF_DIAGS_KEPT) {
        diags->seen[severity]++;
        diags->latest = NULL;
        return;
    }
    gf_diag_item *item = create_item(where, format, list);
    if (item == NULL) {
        /* A warning that finds no memory is worth no error. */
        diags->latest = NULL;
        if (severity == GF_SEVERITY_ERROR) {
            (void)gf_fail_memory(diags);
        } else {
            diags->seen[severity]++;
        }
        return;
    }
    item->data.severity = severity;
    name_code(item, code);
    diags->seen[severity]++;
    diags->kept[severity]++;
    diags->items[diags->count++] = item;
    diags->latest = item;
}

bool gf_fail(gf_diags *diags, gf_code code, gf_span span, const char *format, ...) {
    if (diags == NULL) {
        return false;
    }
    place where = find_place(span);
    va_list list;
    va_start(list, format);
    add_message(diags, GF_SEVERITY_ERROR, code, &where, format, list);
    va_end(list);
    return false;
}

bool gf_fail_at_line(gf_diags *diags, gf_code code, const char *file, uint32_t line, uint32_t column,
                     const char *source_line, const char *format, ...) {
    if (diags == NULL) {
        return false;
    }
    place where = {.file = file != NULL ? file : "", .line = line, .column = column, .source = source_line};
    if (line > 0) {
        where.length = 1;
        where.column = column > 0 ? column : 1;
    }
    if (source_line != NULL) {
        where.source_length = strcspn(source_line, "\r\n");
        cut_line(&where);
    }
    va_list list;
    va_start(list, format);
    add_message(diags, GF_SEVERITY_ERROR, code, &where, format, list);
    va_end(list);
    return false;
}

void gf_warn(gf_diags *diags, gf_code code, gf_span span, const char *format, ...) {
    if (diags == NULL) {
        return;
    }
    place where = find_place(span);
    va_list list;
    va_start(list, format);
    add_message(diags, GF_SEVERITY_WARNING, code, &where, format, list);
    va_end(list);
}

void gf_note(gf_diags *diags, gf_span span, const char *format, ...) {
    if (diags == NULL || diags->latest == NULL || diags->latest->data.note_count >= GF_DIAG_NOTES) {
        return;
    }
    place where = find_place(span);
    va_list list;
    va_start(list, format);
    gf_diag_item *note = create_item(&where, format, list);
    va_end(list);
    if (note == NULL) {
        return;
    }
    gf_diag_item *item = diags->latest;
    note->data.severity = item->data.severity;
    if (item->last_note == NULL) {
        item->notes = note;
    } else {
        item->last_note->next = note;
    }
    item->last_note = note;
    item->data.note_count++;
}

void gf_fix(gf_diags *diags, const char *format, ...) {
    if (diags == NULL || diags->latest == NULL) {
        return;
    }
    char fix[LONGEST_MESSAGE];
    va_list list;
    va_start(list, format);
    int printed = vsnprintf(fix, sizeof fix, format, list);
    va_end(list);
    char *copy = printed < 0 ? NULL : gf_strdup(fix);
    if (copy == NULL) {
        return;
    }
    gf_free(diags->latest->fix);
    diags->latest->fix = copy;
    diags->latest->data.fix = copy;
}
