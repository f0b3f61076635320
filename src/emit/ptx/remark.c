/* Comments that make a text readable: before its code the first line of each statement, as it was written, or printed
 * where there is no source. */
#include "emit/ptx/emitter.h"
#include "ir/print.h"
#include <string.h>

#define MOST_REMARK 100 /* characters */

static uint32_t line_of(gf_ptx_emit *e, gf_span span) {
    const gf_source *source = span.source;
    size_t offset = span.offset < source->length ? span.offset : source->length;
    if (e->line_source != source || offset < e->line_offset) {
        e->line_source = source;
        e->line_offset = 0;
        e->line = 1;
    }
    for (const char *at = source->text + e->line_offset; at < source->text + offset; at++) {
        e->line += *at == '\n';
    }
    e->line_offset = offset;
    return e->line;
}

/* What PTX allows in a comment is ASCII, and a line must not go on in the next one. */
static void add_line(gf_ptx_emit *e, const char *text, size_t length) {
    char line[MOST_REMARK + 1];
    size_t count = 0;
    for (size_t i = 0; i < length && text[i] != '\n' && count < MOST_REMARK; i++) {
        unsigned char c = (unsigned char)text[i];
        line[count++] = c == '\t' || c == '\r' ? ' ' : (char)(c < 0x20 || c > 0x7e || c == '\\' ? '?' : c);
    }
    while (count > 0 && line[count - 1] == ' ') {
        count--;
    }
    line[count] = '\0';
    gf_str_addf(&e->p.text, "%s\n", line);
}

/* Only its head: what is inside follows with comments of its own. */
static void print_head(gf_ptx_emit *e, const gf_stmt *stmt) {
    static const gf_block empty = {0};
    gf_stmt head = *stmt;
    head.trivia = (gf_trivia){0};
    head.body = stmt->body != NULL ? &empty : NULL;
    head.otherwise = NULL;
    const gf_stmt *items[] = {&head};
    gf_block block = {.items = items, .count = 1};
    gf_symbol function = {.kind = GF_SYMBOL_FUNCTION, .name = "", .body = &block};
    gf_str text = {0};
    gf_print_function_body(&function, &text);
    e->p.text.failed = e->p.text.failed || text.failed; /* the same text each time, or none */
    const char *line = text.failed || text.text == NULL ? NULL : strchr(text.text, '\n');
    line = line != NULL ? line + 1 + strspn(line + 1, " ") : "";
    add_line(e, line, strlen(line));
    gf_str_free(&text);
}

/* Whether the source at a place begins with the word. */
static bool begins_with(const char *text, size_t length, const char *word, size_t word_length) {
    return length >= word_length && memcmp(text, word, word_length) == 0;
}

/* Statements that the plan made point at what they were made for, which is something else. Names of locals are those of
 * the source, or begin with them. */
static bool is_written(const gf_stmt *stmt, const char *text, size_t length) {
    if (stmt->kind == GF_STMT_LET || stmt->kind == GF_STMT_VAR) {
        const char *word = stmt->kind == GF_STMT_LET ? "let " : "var ";
        return begins_with(text, length, word, strlen(word));
    }
    if (stmt->kind == GF_STMT_ASSIGN || stmt->kind == GF_STMT_STORE) {
        const char *name = stmt->target.symbol->name;
        size_t same = 0;
        while (same < length && name[same] != '\0' && text[same] == name[same]) {
            same++;
        }
        return same > 0 && (same == length || strchr(" [+-*/%&|^<>=", text[same]) != NULL);
    }
    return true;
}

void gf_ptx_remark(gf_ptx_emit *e, const gf_stmt *stmt) {
    if (e->is_quiet || stmt->kind == GF_STMT_BLOCK || stmt->kind == GF_STMT_REGION) {
        return;
    }
    gf_span span = stmt->span;
    if (span.source == NULL) {
        gf_str_add(&e->p.text, "    // ");
        print_head(e, stmt);
        return;
    }
    size_t offset = span.offset < span.source->length ? span.offset : span.source->length;
    size_t left = span.source->length - offset, length = span.length < left ? span.length : left;
    const char *text = span.source->text + offset;
    gf_str_addf(&e->p.text, "    // %u: ", (unsigned)line_of(e, span));
    if (is_written(stmt, text, length)) {
        add_line(e, text, length);
    } else {
        print_head(e, stmt);
    }
}
