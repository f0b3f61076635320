#include "base/checked.h"
#include "io/graph.h"
#include "io/lines.h"
#include <inttypes.h>
#include <string.h>

typedef enum symmetry { SYMMETRY_GENERAL, SYMMETRY_SYMMETRIC, SYMMETRY_SKEW } symmetry;

typedef struct reader {
    gf_lines lines;
    gf_edges *edges;
    symmetry symmetry;
    uint64_t declared, seen; /* entries */
} reader;

static bool is_word(const char *at, size_t length, const char *lower) {
    if (strlen(lower) != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char c = (char)(at[i] >= 'A' && at[i] <= 'Z' ? at[i] | 0x20 : at[i]);
        if (c != lower[i]) {
            return false;
        }
    }
    return true;
}

/* The next word of the line; of length 0 at its end. */
static const char *take_word(gf_lines *lines, size_t *length) {
    gf_lines_skip_blanks(lines);
    const char *word = lines->at;
    while (!gf_lines_at_line_end(lines) && *lines->at != ' ' && *lines->at != '\t' && *lines->at != '\r') {
        lines->at++;
    }
    *length = (size_t)(lines->at - word);
    return word;
}

static bool fail_word(const gf_lines *lines, gf_code code, const char *at, const char *expected) {
    char word[GF_LINES_WORD];
    gf_lines_word(lines, at, word);
    if (*word == 0) {
        return gf_lines_fail(lines, code, at, "the line ends where %s is expected", expected);
    }
    return gf_lines_fail(lines, code, at, "'%s' found, expected %s", word, expected);
}

static bool parse_field(reader *r) {
    size_t length;
    const char *word = take_word(&r->lines, &length);
    if (is_word(word, length, "pattern")) {
        r->edges->weight = GF_WEIGHT_NONE;
    } else if (is_word(word, length, "integer") || is_word(word, length, "unsigned-integer")) {
        r->edges->weight = GF_WEIGHT_INTEGER;
    } else if (is_word(word, length, "real") || is_word(word, length, "double")) {
        r->edges->weight = GF_WEIGHT_REAL;
    } else {
        return fail_word(&r->lines, is_word(word, length, "complex") ? GF_CODE_MTX_KIND : GF_CODE_MTX_HEADER, word,
                         "pattern, integer or real");
    }
    return true;
}

static bool parse_symmetry(reader *r) {
    size_t length;
    const char *word = take_word(&r->lines, &length);
    if (is_word(word, length, "general")) {
        r->symmetry = SYMMETRY_GENERAL;
    } else if (is_word(word, length, "symmetric")) {
        r->symmetry = SYMMETRY_SYMMETRIC;
    } else if (is_word(word, length, "skew-symmetric")) {
        r->symmetry = SYMMETRY_SKEW;
    } else {
        return fail_word(&r->lines, is_word(word, length, "hermitian") ? GF_CODE_MTX_KIND : GF_CODE_MTX_HEADER, word,
                         "general, symmetric or skew-symmetric");
    }
    if (r->symmetry == SYMMETRY_SKEW && r->edges->weight == GF_WEIGHT_NONE) {
        return gf_lines_fail(&r->lines, GF_CODE_MTX_KIND, word,
                             "a pattern has no sign to be skew-symmetric with, expected general or symmetric");
    }
    return true;
}

static bool parse_header(reader *r) {
    size_t length;
    const char *word = take_word(&r->lines, &length);
    if (!is_word(word, length, "%%matrixmarket")) {
        return gf_lines_fail(&r->lines, GF_CODE_MTX_HEADER, r->lines.start,
                             "a Matrix Market file begins with '%%%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    }
    word = take_word(&r->lines, &length);
    if (!is_word(word, length, "matrix")) {
        return fail_word(&r->lines, GF_CODE_MTX_HEADER, word, "matrix");
    }
    word = take_word(&r->lines, &length);
    if (!is_word(word, length, "coordinate")) {
        return fail_word(&r->lines, is_word(word, length, "array") ? GF_CODE_MTX_KIND : GF_CODE_MTX_HEADER, word,
                         "coordinate (a sparse matrix)");
    }
    if (!parse_field(r) || !parse_symmetry(r)) {
        return false;
    }
    word = take_word(&r->lines, &length);
    return length == 0 || fail_word(&r->lines, GF_CODE_MTX_HEADER, word, "the line's end");
}

/* To the next line that has something to say, in front of its first word. False at the text's end. */
static bool find_line(gf_lines *lines) {
    for (;;) {
        gf_lines_skip_blanks(lines);
        if (lines->at >= lines->end) {
            return false;
        }
        if (*lines->at != '\n' && *lines->at != '%') {
            return true;
        }
        gf_lines_next(lines);
    }
}

static bool take_count(reader *r, const char *expected, uint64_t *out) {
    bool over;
    gf_lines_skip_blanks(&r->lines);
    if (gf_lines_take_u64(&r->lines, out, &over) && *out <= UINT64_MAX / 4) {
        return true;
    }
    return fail_word(&r->lines, GF_CODE_MTX_SIZE, r->lines.at, expected);
}

static bool end_line(reader *r, gf_code code, const char *expected) {
    gf_lines_skip_blanks(&r->lines);
    return gf_lines_at_line_end(&r->lines) || fail_word(&r->lines, code, r->lines.at, expected);
}

static bool parse_size(reader *r, gf_diags *diags) {
    gf_lines *lines = &r->lines;
    gf_lines_next(lines);
    if (!find_line(lines)) {
        return gf_lines_fail(lines, GF_CODE_MTX_SIZE, lines->at,
                             "the file ends where a line of rows, columns and entries is expected");
    }
    const char *line = lines->at;
    if (!take_count(r, "the number of rows", &r->edges->rows) ||
        !take_count(r, "the number of columns", &r->edges->cols) ||
        !take_count(r, "the number of entries", &r->declared) ||
        !end_line(r, GF_CODE_MTX_SIZE, "the line's end behind rows, columns and entries")) {
        return false;
    }
    if (r->symmetry != SYMMETRY_GENERAL && r->edges->rows != r->edges->cols) {
        return gf_lines_fail(lines, GF_CODE_MTX_SIZE, line,
                             "a symmetric matrix has as many rows as columns, this one has %" PRIu64 " and %" PRIu64,
                             r->edges->rows, r->edges->cols);
    }
    /* The shortest entry, "1 1", takes four bytes with its line end: what cannot be there is not allocated for. */
    uint64_t room = ((uint64_t)(lines->end - lines->at) + 1) / 4;
    if (r->declared > room) {
        return gf_lines_fail(lines, GF_CODE_MTX_COUNT, line,
                             "%" PRIu64 " entries are announced, the file has room for at most %" PRIu64, r->declared,
                             room);
    }
    return gf_edges_reserve(r->edges, r->declared * (r->symmetry == SYMMETRY_GENERAL ? 1 : 2), diags);
}

/* A row or column from 1 to `extent`, given from 0. */
static bool take_index(reader *r, const char *what, uint64_t extent, uint64_t *out) {
    bool over;
    gf_lines *lines = &r->lines;
    gf_lines_skip_blanks(lines);
    const char *start = lines->at;
    bool taken = gf_lines_take_u64(lines, out, &over);
    bool negative = !taken && start[0] == '-' && start[1] >= '0' && start[1] <= '9';
    if (!taken && !over && !negative) {
        return fail_word(lines, GF_CODE_MTX_ENTRY, start, what);
    }
    if (!taken || *out == 0 || *out > extent) {
        char word[GF_LINES_WORD];
        gf_lines_word(lines, start, word);
        return gf_lines_fail(lines, GF_CODE_MTX_INDEX, start, "%s is no %s, expected 1 to %" PRIu64, word, what,
                             extent);
    }
    --*out;
    return true;
}

static bool take_weight(reader *r, uint64_t *bits) {
    gf_number number;
    gf_lines *lines = &r->lines;
    bool real = r->edges->weight == GF_WEIGHT_REAL;
    gf_lines_skip_blanks(lines);
    size_t length = gf_number_scan(lines->at, lines->end, &number);
    const char *behind = lines->at + length;
    bool closed = behind >= lines->end || *behind == ' ' || *behind == '\t' || *behind == '\r' || *behind == '\n';
    if (length == 0 || !closed || (!real && !number.is_integer)) {
        return fail_word(lines, GF_CODE_MTX_ENTRY, lines->at, real ? "a number" : "a whole number of 64 bits");
    }
    if (gf_number_overflowed(lines->at, number) ||
        gf_number_store(number, real ? GF_TYPE_F64 : GF_TYPE_I64, bits) > GF_FIT_ROUNDED) {
        return fail_word(lines, GF_CODE_MTX_ENTRY, lines->at,
                         real ? "a number of at most about 1.8e308" : "a whole number of 64 bits with sign");
    }
    lines->at = behind;
    return true;
}

static bool negate(uint64_t *bits, bool real) {
    if (real) {
        *bits ^= (uint64_t)1 << 63;
    } else if (*bits == (uint64_t)1 << 63) {
        return false;
    } else {
        *bits = 0 - *bits;
    }
    return true;
}

static bool parse_entry(reader *r, gf_diags *diags) {
    uint64_t row, col, bits = 0;
    gf_edges *edges = r->edges;
    const char *line = r->lines.at;
    if (r->seen == r->declared) {
        return gf_lines_fail(&r->lines, GF_CODE_MTX_COUNT, line,
                             "an entry more than the %" PRIu64 " that the size line announces", r->declared);
    }
    if (!take_index(r, "row", edges->rows, &row) || !take_index(r, "column", edges->cols, &col)) {
        return false;
    }
    bool weighted = edges->weight != GF_WEIGHT_NONE;
    if (weighted && !take_weight(r, &bits)) {
        return false;
    }
    if (!end_line(r, GF_CODE_MTX_ENTRY,
                  weighted ? "the line's end behind row, column and value" : "the line's end behind row and column")) {
        return false;
    }
    r->seen++;
    if (!gf_edges_add(edges, row, col, bits, diags)) {
        return false;
    }
    if (r->symmetry == SYMMETRY_GENERAL || (row == col && r->symmetry == SYMMETRY_SYMMETRIC)) {
        return true;
    }
    if (row == col) {
        return gf_lines_fail(&r->lines, GF_CODE_MTX_ENTRY, line,
                             "a skew-symmetric matrix has no entries on the diagonal");
    }
    if (r->symmetry == SYMMETRY_SKEW && !negate(&bits, edges->weight == GF_WEIGHT_REAL)) {
        return gf_lines_fail(&r->lines, GF_CODE_MTX_ENTRY, line, "the value has no negative in 64 bits");
    }
    return gf_edges_add(edges, col, row, bits, diags);
}

static bool parse_all(reader *r, gf_diags *diags) {
    if (!parse_header(r) || !parse_size(r, diags)) {
        return false;
    }
    for (gf_lines_next(&r->lines); find_line(&r->lines); gf_lines_next(&r->lines)) {
        if (!parse_entry(r, diags)) {
            return false;
        }
    }
    if (r->seen == r->declared) {
        return true;
    }
    return gf_lines_fail(&r->lines, GF_CODE_MTX_COUNT, r->lines.at,
                         "the file ends after %" PRIu64 " entries, its size line announces %" PRIu64, r->seen,
                         r->declared);
}

bool gf_mtx_parse(const char *text, size_t length, const char *name, gf_edges *out, gf_diags *diags) {
    reader r = {.edges = out};
    *out = (gf_edges){0};
    if (gf_lines_begin(&r.lines, name, text, length, diags) && parse_all(&r, diags)) {
        out->mirrored = r.symmetry != SYMMETRY_GENERAL;
        return true;
    }
    gf_edges_free(out);
    return false;
}
