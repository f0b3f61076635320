#include "io/npy.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/memory.h"
#include "io/file.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";
#define MAGIC_BYTES 6

/* What the header says. */
typedef struct header {
    gf_type type;
    bool swapped; /* elements are in the other byte order */
    bool fortran;
    uint32_t dims;
    uint64_t shape[GF_ARRAY_DIMS_MAX];
    uint64_t count;
    size_t bytes; /* of the data */
} header;

/* The dictionary text, and where in it the reader is. */
typedef struct cursor {
    const char *at, *end, *begin;
    const char *name;
    gf_diags *diags;
} cursor;

static bool fail_header(const cursor *c, const char *expected) {
    return gf_fail(c->diags, GF_CODE_NPY_HEADER, GF_NO_SPAN, "'%s': header of .npy, byte %zu: expected %s", c->name,
                   (size_t)(c->at - c->begin), expected);
}

static void skip_space(cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r')) {
        c->at++;
    }
}

static bool take(cursor *c, char wanted) {
    skip_space(c);
    if (c->at >= c->end || *c->at != wanted) {
        return false;
    }
    c->at++;
    return true;
}

static bool take_word(cursor *c, const char *word) {
    size_t length = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) {
        return false;
    }
    c->at += length;
    return true;
}

/* A quoted string without escapes, which no file of ours to read has. */
static bool take_string(cursor *c, const char **text, size_t *length) {
    skip_space(c);
    if (c->at >= c->end || (*c->at != '\'' && *c->at != '"')) {
        return false;
    }
    const char *close = memchr(c->at + 1, *c->at, (size_t)(c->end - c->at - 1));
    if (close == NULL) {
        return false;
    }
    *text = c->at + 1;
    *length = (size_t)(close - *text);
    c->at = close + 1;
    return true;
}

static bool is_text(const char *text, size_t length, const char *wanted) {
    return length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

static gf_type type_of_code(const char *code, size_t length) {
    static const struct {
        const char *code;
        gf_type type;
    } types[] = {{"b1", GF_TYPE_U8},  {"u1", GF_TYPE_U8},  {"i1", GF_TYPE_I8},  {"u2", GF_TYPE_U16},
                 {"i2", GF_TYPE_I16}, {"u4", GF_TYPE_U32}, {"i4", GF_TYPE_I32}, {"u8", GF_TYPE_U64},
                 {"i8", GF_TYPE_I64}, {"f2", GF_TYPE_F16}, {"f4", GF_TYPE_F32}, {"f8", GF_TYPE_F64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (is_text(code, length, types[i].code)) {
            return types[i].type;
        }
    }
    return GF_TYPE_NONE;
}

/* A stretch of the header for a message: one line of plain characters. */
static void quote(char *out, size_t room, const char *text, size_t length) {
    size_t n = 0;
    for (; n < length && n + 1 < room; n++) {
        out[n] = (char)(text[n] >= ' ' && text[n] <= '~' ? text[n] : '?');
    }
    out[n] = 0;
}

static bool parse_type(cursor *c, header *h) {
    const char *text;
    size_t length;
    char quoted[40];
    skip_space(c);
    if (c->at < c->end && *c->at == '[') {
        return gf_fail(c->diags, GF_CODE_NPY_TYPE, GF_NO_SPAN,
                       "'%s' holds records, expected numbers of one type (bool, u1 to u8, i1 to i8, f2, f4, f8)",
                       c->name);
    }
    if (!take_string(c, &text, &length)) {
        return fail_header(c, "a quoted type such as '<f4'");
    }
    char order = (char)(length ? *text : 0);
    if (length == 3 && (order == '<' || order == '>' || order == '|')) {
        h->type = type_of_code(text + 1, length - 1);
    }
    /* '|' says that there is no byte order, which holds for single bytes only. */
    if (order == '|' && gf_type_bytes(h->type) > 1) {
        h->type = GF_TYPE_NONE;
    }
    if (h->type == GF_TYPE_NONE) {
        quote(quoted, sizeof quoted, text, length);
        return gf_fail(c->diags, GF_CODE_NPY_TYPE, GF_NO_SPAN,
                       "'%s' holds elements of type '%s', expected bool, u1 to u8, i1 to i8, f2, f4 or f8", c->name,
                       quoted);
    }
    h->swapped = gf_type_bytes(h->type) > 1 && (order == '<') != gf_host_is_little();
    return true;
}

static bool parse_order(cursor *c, header *h) {
    h->fortran = take_word(c, "True");
    return h->fortran || take_word(c, "False") || fail_header(c, "True or False");
}

static bool parse_extent(cursor *c, uint64_t *out) {
    uint64_t value = 0;
    if (c->at >= c->end || *c->at < '0' || *c->at > '9') {
        return fail_header(c, "a number of elements or ')'");
    }
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        if (!gf_mul_u64(value, 10, &value) || !gf_add_u64(value, (uint64_t)(*c->at - '0'), &value)) {
            return gf_fail(c->diags, GF_CODE_NPY_SHAPE, GF_NO_SPAN, "'%s': an extent of the shape is over 64 bits",
                           c->name);
        }
    }
    if (c->at < c->end && *c->at == 'L') {
        c->at++; /* written by Python 2 */
    }
    *out = value;
    return true;
}

static bool parse_shape(cursor *c, header *h) {
    bool comma = true;
    if (!take(c, '(')) {
        return fail_header(c, "a shape such as (3, 4)");
    }
    while (!take(c, ')')) {
        if (!comma) {
            return fail_header(c, "',' or ')'");
        }
        if (h->dims == GF_ARRAY_DIMS_MAX) {
            return gf_fail(c->diags, GF_CODE_NPY_SHAPE, GF_NO_SPAN, "'%s' has more than %d dimensions", c->name,
                           GF_ARRAY_DIMS_MAX);
        }
        if (!parse_extent(c, &h->shape[h->dims])) {
            return false;
        }
        h->dims++;
        comma = take(c, ',');
    }
    /* (3) is a number in brackets, not a shape. */
    return h->dims != 1 || comma || fail_header(c, "',' behind the only extent of a shape");
}

static bool parse_dictionary(cursor *c, header *h) {
    static const char *const keys[3] = {"descr", "fortran_order", "shape"};
    bool (*const parse[3])(cursor *, header *) = {parse_type, parse_order, parse_shape};
    bool seen[3] = {false};
    bool comma = true;
    if (!take(c, '{')) {
        return fail_header(c, "'{'");
    }
    while (!take(c, '}')) {
        const char *key;
        size_t length, which = 0;
        if (!comma) {
            return fail_header(c, "',' or '}'");
        }
        if (!take_string(c, &key, &length)) {
            return fail_header(c, "a quoted key");
        }
        while (which < 3 && !is_text(key, length, keys[which])) {
            which++;
        }
        if (which == 3 || seen[which]) {
            return fail_header(c, "the keys 'descr', 'fortran_order' and 'shape', once each");
        }
        if (!take(c, ':')) {
            return fail_header(c, "':'");
        }
        if (!parse[which](c, h)) {
            return false;
        }
        seen[which] = true;
        comma = take(c, ',');
    }
    if (!seen[0] || !seen[1] || !seen[2]) {
        return fail_header(c, "the keys 'descr', 'fortran_order' and 'shape'");
    }
    skip_space(c);
    return c->at == c->end || fail_header(c, "nothing behind '}'");
}

static bool compute_size(const cursor *c, header *h) {
    bool empty = false, fits = true;
    h->count = 1;
    for (uint32_t i = 0; i < h->dims; i++) {
        fits = gf_mul_u64(h->count, h->shape[i], &h->count) && fits;
        empty = empty || h->shape[i] == 0;
    }
    if (empty) {
        h->count = 0; /* whatever the other extents are */
        fits = true;
    }
    if (!fits || !gf_array_bytes(h->type, h->count, &h->bytes)) {
        return gf_fail(c->diags, GF_CODE_NPY_SHAPE, GF_NO_SPAN, "'%s': the shape has more elements than fit in memory",
                       c->name);
    }
    return true;
}

/* Finds and reads the header; *start is where the data begins. */
static bool parse_header(const unsigned char *bytes, size_t size, const char *name, header *h, size_t *start,
                         gf_diags *diags) {
    if (size == 0) {
        return gf_fail(diags, GF_CODE_FILE_EMPTY, GF_NO_SPAN, "'%s' is empty, expected a .npy file", name);
    }
    if (size < MAGIC_BYTES + 2 || memcmp(bytes, magic, MAGIC_BYTES) != 0) {
        return gf_fail(diags, GF_CODE_NPY_MAGIC, GF_NO_SPAN, "'%s' is no .npy file: it does not begin with \\x93NUMPY",
                       name);
    }
    unsigned version = bytes[MAGIC_BYTES], minor = bytes[MAGIC_BYTES + 1];
    if (version < 1 || version > 3 || minor != 0) {
        return gf_fail(diags, GF_CODE_NPY_MAGIC, GF_NO_SPAN,
                       "'%s' has .npy format version %u.%u, expected 1.0, 2.0 or 3.0", name, version, minor);
    }
    size_t width = version == 1 ? 2 : 4, length = 0;
    *start = MAGIC_BYTES + 2 + width;
    for (size_t i = 0; i < width && *start <= size; i++) {
        length |= (size_t)bytes[MAGIC_BYTES + 2 + i] << (8 * i);
    }
    if (*start > size || length > size - *start) {
        return gf_fail(diags, GF_CODE_NPY_HEADER, GF_NO_SPAN,
                       "'%s' is cut short: its header takes %zu bytes, the file has %zu", name, *start + length, size);
    }
    const char *text = (const char *)bytes + *start;
    cursor c = {text, text + length, text, name, diags};
    *start += length;
    return parse_dictionary(&c, h) && compute_size(&c, h);
}

static bool check_size(const header *h, size_t there, const char *name, gf_diags *diags) {
    if (h->bytes == there) {
        return true;
    }
    return gf_fail(diags, GF_CODE_NPY_SIZE, GF_NO_SPAN,
                   "'%s' holds %zu bytes of data, its header says %zu (%" PRIu64 " elements of %zu bytes)", name, there,
                   h->bytes, h->count, gf_type_bytes(h->type));
}

/* Copies elements from Fortran order (first axis fastest) to C order (last axis fastest). */
static void reorder(const header *h, const unsigned char *from, unsigned char *to) {
    size_t width = gf_type_bytes(h->type);
    uint64_t stride[GF_ARRAY_DIMS_MAX], index[GF_ARRAY_DIMS_MAX] = {0}, at = 0;
    stride[0] = 1;
    for (uint32_t i = 1; i < h->dims; i++) {
        stride[i] = stride[i - 1] * h->shape[i - 1];
    }
    for (uint64_t i = 0; i < h->count; i++, to += width) {
        memcpy(to, from + at * width, width);
        for (uint32_t axis = h->dims; axis-- > 0;) {
            at += stride[axis];
            if (++index[axis] < h->shape[axis]) {
                break;
            }
            at -= stride[axis] * h->shape[axis];
            index[axis] = 0;
        }
    }
}

/* The array of a header; `data` is where its elements are now, `owned` a block that may become the array's. */
static bool finish(const header *h, const unsigned char *data, void *owned, gf_array *out, gf_diags *diags) {
    void *block = owned;
    bool turn = h->fortran && h->dims > 1 && h->count > 1;
    if (turn || block == NULL) {
        block = gf_malloc_data(h->bytes);
    }
    if (block == NULL) {
        gf_free(owned);
        return gf_fail_memory(diags);
    }
    if (turn) {
        reorder(h, data, block);
    } else if (data && h->bytes > 0) {
        memmove(block, data, h->bytes);
    }
    if (block != owned) {
        gf_free(owned);
    }
    *out = (gf_array){.type = h->type, .data = block, .count = h->count, .dims = h->dims};
    memcpy(out->shape, h->shape, sizeof out->shape);
    if (h->swapped) {
        gf_bytes_swap(block, h->count, gf_type_bytes(h->type));
    }
    return true;
}

bool gf_npy_parse(const void *bytes, size_t size, const char *name, gf_array *out, gf_diags *diags) {
    header h = {0};
    size_t start = 0;
    *out = (gf_array){0};
    return parse_header(bytes, size, name, &h, &start, diags) && check_size(&h, size - start, name, diags) &&
           finish(&h, (const unsigned char *)bytes + start, NULL, out, diags);
}

bool gf_npy_read(const char *path, gf_array *out, gf_diags *diags) {
    gf_file file;
    header h = {0};
    size_t start = 0;
    *out = (gf_array){0};
    if (!gf_file_read(path, &file, diags)) {
        return false;
    }
    const unsigned char *bytes = (const unsigned char *)file.data;
    if (!parse_header(bytes, file.size, path, &h, &start, diags) || !check_size(&h, file.size - start, path, diags)) {
        gf_file_free(&file);
        return false;
    }
    /* The file's own block becomes the array: large files are not in memory twice. */
    return finish(&h, bytes + start, file.data, out, diags);
}

static const char *code_of_type(gf_type type) {
    switch (type) {
    case GF_TYPE_NONE:
        return "V0";
    case GF_TYPE_BOOL:
        return "b1";
    case GF_TYPE_U8:
        return "u1";
    case GF_TYPE_I8:
        return "i1";
    case GF_TYPE_U16:
        return "u2";
    case GF_TYPE_I16:
        return "i2";
    case GF_TYPE_U32:
        return "u4";
    case GF_TYPE_I32:
        return "i4";
    case GF_TYPE_U64:
        return "u8";
    case GF_TYPE_I64:
        return "i8";
    case GF_TYPE_F16:
        return "f2";
    case GF_TYPE_F32:
        return "f4";
    case GF_TYPE_F64:
        return "f8";
    }
    return "V0";
}

bool gf_npy_write(const char *path, const gf_array *array, gf_diags *diags) {
    char text[1024]; /* 32 extents of at most 20 digits and what stands around them: under 800 */
    size_t length = MAGIC_BYTES + 4;
    char order = (char)(gf_type_bytes(array->type) == 1 ? '|' : gf_host_is_little() ? '<' : '>');
    memcpy(text, magic, MAGIC_BYTES);
    length +=
        (size_t)snprintf(text + length, sizeof text - length, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                         order, code_of_type(array->type));
    for (uint32_t i = 0; i < array->dims; i++) {
        const char *behind = array->dims == 1 ? "," : i + 1 < array->dims ? ", " : "";
        length += (size_t)snprintf(text + length, sizeof text - length, "%" PRIu64 "%s", array->shape[i], behind);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "), }");
    /* The data begins at a multiple of 64 bytes, behind a line end. */
    while (length % 64 != 63) {
        text[length++] = ' ';
    }
    text[length++] = '\n';
    size_t header_bytes = length - MAGIC_BYTES - 4;
    text[MAGIC_BYTES] = 1;
    text[MAGIC_BYTES + 1] = 0;
    text[MAGIC_BYTES + 2] = (char)(header_bytes & 255);
    text[MAGIC_BYTES + 3] = (char)(header_bytes >> 8);
    gf_file_writer writer;
    size_t bytes;
    if (!gf_array_bytes(array->type, array->count, &bytes)) {
        return gf_fail_memory(diags);
    }
    if (!gf_file_begin(&writer, path, diags)) {
        return false;
    }
    gf_file_put(&writer, text, length);
    gf_file_put(&writer, array->data, bytes);
    return gf_file_commit(&writer, diags);
}
