#include "io/input.h"
#include "base/diag.h"
#include "base/memory.h"
#include "io/convert.h"
#include "io/file.h"
#include "io/npy.h"
#include "io/number.h"
#include "io/random.h"
#include "io/text.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The arguments of fill and random, from either spelling. */
typedef struct arguments {
    const char *text[3];
    size_t length[3];
    size_t count;
} arguments;

static void trim(const char **text, size_t *length) {
    while (*length && (**text == ' ' || **text == '\t')) {
        ++*text, --*length;
    }
    while (*length && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t')) {
        --*length;
    }
}

/* True if the source is `word` with arguments, "word:a:b" or "word(a, b)"; more than three arguments count as four. */
static bool take_call(const char *source, const char *word, arguments *out) {
    size_t length = strlen(word), whole = strlen(source);
    *out = (arguments){0};
    if (strncmp(source, word, length) != 0 || (source[length] != ':' && source[length] != '(')) {
        return false;
    }
    char separator = source[length] == '(' ? ',' : ':';
    const char *at = source + length + 1, *end = source + whole;
    if (separator == ',') {
        if (end[-1] != ')') {
            return false;
        }
        end--;
    }
    for (;;) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        if (out->count < 3) {
            out->text[out->count] = at;
            out->length[out->count] = (size_t)((stop ? stop : end) - at);
            trim(&out->text[out->count], &out->length[out->count]);
        }
        out->count += out->count < 4;
        if (stop == NULL) {
            return true;
        }
        at = stop + 1;
    }
}

static bool is_iota(const char *source) {
    return strcmp(source, "iota") == 0 || strcmp(source, "iota()") == 0;
}

bool gf_input_is_generated(const char *source) {
    arguments unused;
    return is_iota(source) || take_call(source, "fill", &unused) || take_call(source, "random", &unused);
}

static bool fail_form(const char *name, const char *source, gf_diags *diags) {
    gf_fail(diags, GF_CODE_INPUT_FORM, GF_NO_SPAN, "buffer '%s': '%.100s' is no source", name, source);
    gf_fix(diags, "give x.npy, x.bin, x.txt, numbers such as 1,2,3, fill:V, iota, random:SEED or random:SEED:LO:HI");
    return false;
}

/* What a message calls one argument: "buffer 'x', fill". */
typedef struct place {
    const char *name;
    const char *part;
} place;

static bool fail_value(place where, const char *text, size_t length, gf_type type, bool is_number, gf_fit fit,
                       gf_diags *diags) {
    char what[160], value[48];
    snprintf(what, sizeof what, "buffer '%.80s', %s", where.name, where.part);
    snprintf(value, sizeof value, "%.*s%s", (int)(length < 40 ? length : 40), text, length > 40 ? "..." : "");
    if (is_number) {
        return gf_fail_fit(diags, what, value, type, fit);
    }
    return gf_fail(diags, GF_CODE_VALUE_SYNTAX, GF_NO_SPAN, "%s: '%s' is no number, expected a value of type %s", what,
                   value, gf_type_name(type));
}

static bool parse_value(place where, const char *text, size_t length, gf_type type, void *out, gf_diags *diags) {
    gf_fit fit = GF_FIT_EXACT;
    bool is_number = gf_number_parse(text, length, type, out, &fit);
    if (is_number && fit <= GF_FIT_ROUNDED) {
        return true;
    }
    return fail_value(where, text, length, type, is_number, fit, diags);
}

static bool parse_bound(place where, const char *text, size_t length, gf_number *out, gf_diags *diags) {
    if (length && gf_number_scan(text, text + length, out) == length) {
        return true;
    }
    return fail_value(where, text, length, GF_TYPE_F64, false, GF_FIT_EXACT, diags);
}

static bool need_count(const char *name, const char *source, uint64_t count, gf_diags *diags) {
    if (count != GF_COUNT_UNKNOWN) {
        return true;
    }
    gf_fail(diags, GF_CODE_INPUT_SIZE, GF_NO_SPAN, "buffer '%s': '%.100s' has no length of its own", name, source);
    gf_fix(diags, "give the number of elements with --size %s=N", name);
    return false;
}

static bool make_fill(const char *name, const arguments *given, gf_type type, gf_array *out, gf_diags *diags) {
    uint64_t element = 0;
    place where = {name, "fill"};
    size_t width = gf_type_bytes(type);
    if (!parse_value(where, given->text[0], given->length[0], type, &element, diags)) {
        return false;
    }
    if (!gf_array_create(out, type, out->count, diags)) {
        return false;
    }
    char *at = out->data;
    for (uint64_t i = 0; i < out->count; i++, at += width) {
        memcpy(at, &element, width);
    }
    return true;
}

static bool make_iota(const char *name, gf_type type, gf_array *out, gf_diags *diags) {
    size_t width = gf_type_bytes(type);
    uint64_t element = 0;
    if (out->count) {
        /* The largest value tells whether all fit: integers up to it are exact in every float that holds it unrounded
         * only as long as it is below the precision, so floats are looked at one by one. */
        gf_number last = {.is_integer = true, .magnitude = out->count - 1};
        char value[24];
        gf_fit fit = gf_number_store(last, type, &element);
        bool float_gap = (type == GF_TYPE_F16 && out->count > 2049) || (type == GF_TYPE_F32 && out->count > 16777217) ||
                         (type == GF_TYPE_F64 && out->count > 9007199254740993);
        if (float_gap && fit == GF_FIT_EXACT) {
            fit = GF_FIT_ROUNDED;
        }
        snprintf(value, sizeof value, "%" PRIu64, out->count - 1);
        if (fit != GF_FIT_EXACT) {
            char what[160];
            snprintf(what, sizeof what, "buffer '%.80s', iota", name);
            return gf_fail_fit(diags, what, value, type, fit);
        }
    }
    if (!gf_array_create(out, type, out->count, diags)) {
        return false;
    }
    char *at = out->data;
    for (uint64_t i = 0; i < out->count; i++, at += width) {
        gf_number_store((gf_number){.is_integer = true, .magnitude = i}, type, at);
    }
    return true;
}

static bool make_random(const char *name, const arguments *given, gf_type type, gf_array *out, gf_diags *diags) {
    uint64_t seed = 0;
    place where = {name, "random"};
    gf_random_range range = gf_random_all(type);
    if (!parse_value(where, given->text[0], given->length[0], GF_TYPE_U64, &seed, diags)) {
        return false;
    }
    if (given->count == 3) {
        gf_number low, high;
        if (!parse_bound(where, given->text[1], given->length[1], &low, diags) ||
            !parse_bound(where, given->text[2], given->length[2], &high, diags)) {
            return false;
        }
        if (!gf_random_between(type, low, high, &range)) {
            return gf_fail(diags, GF_CODE_INPUT_RANGE, GF_NO_SPAN,
                           "buffer '%s', random: no range of %s from %.*s up to, not including, %.*s (%s is %s)", name,
                           gf_type_name(type), (int)given->length[1], given->text[1], (int)given->length[2],
                           given->text[2], gf_type_name(type), gf_type_range(type));
        }
    }
    size_t width = gf_type_bytes(type);
    if (!gf_array_create(out, type, out->count, diags)) {
        return false;
    }
    char *at = out->data;
    for (uint64_t i = 0; i < out->count; i++, at += width) {
        gf_random_element(&range, seed, i, at);
    }
    return true;
}

/* "1,2,3". The numbers may have blanks around them. */
static bool read_literals(const char *name, const char *source, gf_type type, gf_array *out, gf_diags *diags) {
    uint64_t count = 1;
    size_t width = gf_type_bytes(type);
    place where = {name, "literals"};
    for (const char *at = source; *at; at++) {
        count += *at == ',';
    }
    if (!gf_array_create(out, type, count, diags)) {
        return false;
    }
    char *element = out->data;
    for (const char *at = source;; at++, element += width) {
        size_t length = strcspn(at, ",");
        const char *text = at;
        at += length;
        trim(&text, &length);
        if (!parse_value(where, text, length, type, element, diags)) {
            gf_array_free(out);
            return false;
        }
        if (*at == 0) {
            return true;
        }
    }
}

static bool read_raw(const char *source, gf_type type, gf_array *out, gf_diags *diags) {
    gf_file file;
    size_t width = gf_type_bytes(type);
    if (!gf_file_read(source, &file, diags)) {
        return false;
    }
    if (file.size % width != 0) {
        gf_fail(diags, GF_CODE_FILE_SIZE, GF_NO_SPAN, "'%s' has %zu bytes, expected a multiple of %zu (elements of %s)",
                source, file.size, width, gf_type_name(type));
        gf_file_free(&file);
        return false;
    }
    *out = (gf_array){.type = type, .data = file.data, .count = file.size / width, .dims = 1};
    out->shape[0] = out->count;
    if (!gf_host_is_little()) {
        gf_bytes_swap(out->data, out->count, width);
    }
    return true;
}

static bool starts_number(const char *source) {
    gf_number unused;
    size_t length = strlen(source);
    trim(&source, &length);
    return length && (gf_number_scan(source, source + length, &unused) != 0 || *source == '-' || *source == '+' ||
                      *source == '.' || (*source >= '0' && *source <= '9'));
}

static bool read_source(const char *name, const char *source, gf_type type, gf_array *out, gf_diags *diags) {
    if (gf_file_has_extension(source, "npy")) {
        if (gf_npy_read(source, out, diags) && gf_array_convert(out, type, source, diags)) {
            return true;
        }
        gf_array_free(out);
        return false;
    }
    if (gf_file_has_extension(source, "bin")) {
        return read_raw(source, type, out, diags);
    }
    if (gf_file_has_extension(source, "txt")) {
        return gf_text_read(source, type, out, diags);
    }
    if (starts_number(source)) {
        return read_literals(name, source, type, out, diags);
    }
    return fail_form(name, source, diags);
}

bool gf_input_read(const char *name, const char *source, gf_type type, uint64_t count, gf_array *out, gf_diags *diags) {
    arguments given;
    bool fill = take_call(source, "fill", &given);
    bool random = !fill && take_call(source, "random", &given);
    *out = (gf_array){.count = count};
    if (fill || random || is_iota(source)) {
        bool ok = need_count(name, source, count, diags);
        if (ok && fill) {
            ok = given.count == 1 ? make_fill(name, &given, type, out, diags) : fail_form(name, source, diags);
        } else if (ok && random) {
            ok = given.count == 1 || given.count == 3 ? make_random(name, &given, type, out, diags)
                                                      : fail_form(name, source, diags);
        } else if (ok) {
            ok = make_iota(name, type, out, diags);
        }
        if (!ok) {
            *out = (gf_array){0};
        }
        return ok;
    }
    *out = (gf_array){0};
    if (!read_source(name, source, type, out, diags)) {
        return false;
    }
    if (count == GF_COUNT_UNKNOWN || out->count >= count) {
        return true;
    }
    gf_fail(diags, GF_CODE_INPUT_COUNT, GF_NO_SPAN,
            "buffer '%s' has %" PRIu64 " elements, '%.100s' holds only %" PRIu64, name, count, source, out->count);
    gf_array_free(out);
    return false;
}
