#include "io/convert.h"
#include "base/diag.h"
#include "base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *gf_type_range(gf_type type) {
    switch (type) {
    case GF_TYPE_NONE:
        return "nothing";
    case GF_TYPE_BOOL:
        return "0 or 1";
    case GF_TYPE_U8:
        return "0 to 255";
    case GF_TYPE_I8:
        return "-128 to 127";
    case GF_TYPE_U16:
        return "0 to 65535";
    case GF_TYPE_I16:
        return "-32768 to 32767";
    case GF_TYPE_U32:
        return "0 to 4294967295";
    case GF_TYPE_I32:
        return "-2147483648 to 2147483647";
    case GF_TYPE_U64:
        return "0 to 18446744073709551615";
    case GF_TYPE_I64:
        return "-9223372036854775808 to 9223372036854775807";
    case GF_TYPE_F16:
        return "up to 65504";
    case GF_TYPE_F32:
        return "up to about 3.4e38";
    case GF_TYPE_F64:
        return "up to about 1.8e308";
    }
    return "nothing";
}

bool gf_fail_fit(gf_diags *diags, const char *what, const char *value, gf_type type, gf_fit fit) {
    const char *name = gf_type_name(type);
    if (fit == GF_FIT_NOT_WHOLE) {
        return gf_fail(diags, GF_CODE_VALUE_NOT_WHOLE, GF_NO_SPAN,
                       "%s: value %s is not a whole number, expected %s (%s)", what, value, name, gf_type_range(type));
    }
    if (fit == GF_FIT_RANGE) {
        return gf_fail(diags, GF_CODE_VALUE_RANGE, GF_NO_SPAN, "%s: value %s does not fit %s (%s)", what, value, name,
                       gf_type_range(type));
    }
    return gf_fail(diags, GF_CODE_VALUE_INEXACT, GF_NO_SPAN, "%s: value %s cannot be kept exactly as %s", what, value,
                   name);
}

/* "[17]" or "[3, 4]": where element `at` is. */
static void describe_index(const gf_array *array, uint64_t at, char *out, size_t room) {
    uint64_t index[GF_ARRAY_DIMS_MAX] = {0};
    for (uint32_t axis = array->dims; axis-- > 0;) {
        index[axis] = at % array->shape[axis];
        at /= array->shape[axis];
    }
    size_t length = (size_t)snprintf(out, room, "[");
    for (uint32_t axis = 0; axis < array->dims && length < room; axis++) {
        length += (size_t)snprintf(out + length, room - length, "%s%" PRIu64, axis ? ", " : "", index[axis]);
    }
    if (length < room) {
        snprintf(out + length, room - length, "]");
    }
}

static bool fail_element(const gf_array *array, uint64_t at, gf_type type, gf_fit fit, const char *name,
                         gf_diags *diags) {
    char value[GF_NUMBER_TEXT], index[GF_ARRAY_DIMS_MAX * 22 + 4], what[512];
    gf_number_format(array->type, (const char *)array->data + at * gf_type_bytes(array->type), value);
    describe_index(array, at, index, sizeof index);
    snprintf(what, sizeof what, "%.256s%.200s", name, index);
    return gf_fail_fit(diags, what, value, type, fit);
}

bool gf_array_convert(gf_array *array, gf_type type, const char *name, gf_diags *diags) {
    if (array->type == type) {
        return true;
    }
    gf_array made;
    if (!gf_array_create(&made, type, array->count, diags)) {
        return false;
    }
    size_t from_width = gf_type_bytes(array->type), to_width = gf_type_bytes(type);
    const char *from = array->data;
    char *to = made.data;
    for (uint64_t i = 0; i < array->count; i++, from += from_width, to += to_width) {
        gf_fit fit = gf_number_store(gf_number_load(array->type, from), type, to);
        if (fit != GF_FIT_EXACT) {
            gf_array_free(&made);
            return fail_element(array, i, type, fit, name, diags);
        }
    }
    gf_free(array->data);
    array->data = made.data;
    array->type = type;
    return true;
}
