#include "base/memory.h"
#include "io/graph.h"
#include "io/lines.h"
#include <string.h>

static bool fail_word(const gf_lines *lines, gf_code code, const char *expected) {
    char word[GF_LINES_WORD];
    gf_lines_word(lines, lines->at, word);
    if (*word == 0) {
        return gf_lines_fail(lines, code, lines->at, "'%c' found, expected %s", *lines->at == ',' ? ',' : ' ',
                             expected);
    }
    return gf_lines_fail(lines, code, lines->at, "'%s' found, expected %s", word, expected);
}

static bool at_end(const gf_lines *lines) {
    return gf_lines_at_line_end(lines) || *lines->at == '#' || *lines->at == '%';
}

static bool take_id(gf_lines *lines, const char *expected, uint64_t *out) {
    bool over;
    const char *start = lines->at;
    if (gf_lines_take_u64(lines, out, &over) && *out < UINT64_MAX) {
        return true;
    }
    lines->at = start;
    if (at_end(lines)) {
        return gf_lines_fail(lines, GF_CODE_EDGE_LINE, start, "the line ends where %s is expected", expected);
    }
    if (over || *out == UINT64_MAX) {
        return fail_word(lines, GF_CODE_EDGE_ID, "a vertex id below 2^64 - 1");
    }
    if (start[0] == '-' && start[1] >= '0' && start[1] <= '9') {
        return fail_word(lines, GF_CODE_EDGE_ID, "a vertex id from 0 on");
    }
    return fail_word(lines, GF_CODE_EDGE_LINE, expected);
}

/* Blanks with at most one comma among them. */
static void skip_separator(gf_lines *lines) {
    gf_lines_skip_blanks(lines);
    if (*lines->at == ',') {
        lines->at++;
        gf_lines_skip_blanks(lines);
    }
}

/* Integers so far, and now a real: all are reals then. */
static void make_real(gf_edges *edges) {
    for (uint64_t i = 0; i < edges->count; i++) {
        gf_number number = gf_edges_weight(edges, i);
        gf_number_store(number, GF_TYPE_F64, &edges->weights[i]);
    }
    edges->weight = GF_WEIGHT_REAL;
}

static bool take_weight(gf_lines *lines, gf_edges *edges, uint64_t *bits) {
    gf_number number;
    size_t length = gf_number_scan(lines->at, lines->end, &number);
    const char *behind = lines->at + length;
    if (length == 0 || (behind < lines->end && !strchr(" \t\r\n,#%", *behind)) ||
        (behind < lines->end && *behind == 0)) {
        return fail_word(lines, GF_CODE_EDGE_LINE, "a weight");
    }
    if (edges->weight == GF_WEIGHT_INTEGER && !number.is_integer) {
        make_real(edges);
    }
    bool real = edges->weight == GF_WEIGHT_REAL;
    if (gf_number_overflowed(lines->at, number) ||
        gf_number_store(number, real ? GF_TYPE_F64 : GF_TYPE_I64, bits) > GF_FIT_ROUNDED) {
        return fail_word(lines, GF_CODE_EDGE_LINE,
                         real ? "a weight of at most about 1.8e308" : "a weight of 64 bits with sign");
    }
    lines->at = behind;
    return true;
}

static bool parse_line(gf_lines *lines, gf_edges *edges, gf_diags *diags) {
    uint64_t from = 0, to = 0, bits = 0;
    if (!take_id(lines, "a vertex id", &from)) {
        return false;
    }
    skip_separator(lines);
    if (!take_id(lines, "a second vertex id", &to)) {
        return false;
    }
    const char *behind = lines->at;
    skip_separator(lines);
    bool weighted = !at_end(lines);
    if (!weighted && memchr(behind, ',', (size_t)(lines->at - behind))) {
        return gf_lines_fail(lines, GF_CODE_EDGE_LINE, lines->at, "the line ends where a weight is expected");
    }
    if (edges->count == 0 && weighted) {
        edges->weight = GF_WEIGHT_INTEGER;
    }
    if (weighted != (edges->weight != GF_WEIGHT_NONE)) {
        return gf_lines_fail(lines, GF_CODE_EDGE_LINE, lines->at, "%s, expected %s as in the lines before",
                             weighted ? "the line has a third column" : "the line has two columns",
                             weighted ? "two columns" : "a weight in the third");
    }
    if (weighted && !take_weight(lines, edges, &bits)) {
        return false;
    }
    gf_lines_skip_blanks(lines);
    if (!at_end(lines)) {
        return fail_word(lines, GF_CODE_EDGE_LINE, "the line's end behind two ids and a weight");
    }
    uint64_t most = from > to ? from : to;
    if (most >= edges->rows) {
        edges->rows = edges->cols = most + 1;
    }
    return gf_edges_add(edges, from, to, bits, diags);
}

bool gf_edge_list_parse(const char *text, size_t length, const char *name, gf_edges *out, gf_diags *diags) {
    gf_lines lines;
    *out = (gf_edges){.is_open = true};
    if (!gf_lines_begin(&lines, name, text, length, diags)) {
        return false;
    }
    for (; lines.at < lines.end; gf_lines_next(&lines)) {
        gf_lines_skip_blanks(&lines);
        if (!at_end(&lines) && !parse_line(&lines, out, diags)) {
            gf_edges_free(out);
            return false;
        }
    }
    return true;
}
