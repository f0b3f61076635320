#include "io/array.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/memory.h"
#include <string.h>

bool gf_array_bytes(gf_type type, uint64_t count, size_t *bytes) {
    uint64_t total;
    if (!gf_mul_u64(count, gf_type_bytes(type), &total) || total > SIZE_MAX / 2) {
        return false;
    }
    *bytes = (size_t)total;
    return true;
}

bool gf_array_create(gf_array *out, gf_type type, uint64_t count, gf_diags *diags) {
    *out = (gf_array){.type = type, .count = count, .dims = 1, .shape = {count}};
    size_t bytes;
    if (gf_array_bytes(type, count, &bytes)) {
        out->data = gf_malloc_data(bytes);
    }
    if (out->data == NULL) {
        *out = (gf_array){0};
        return gf_fail_memory(diags);
    }
    return true;
}

void gf_array_free(gf_array *array) {
    if (array == NULL) {
        return;
    }
    gf_free(array->data);
    *array = (gf_array){0};
}

void gf_bytes_swap(void *data, uint64_t count, size_t width) {
    unsigned char *at = data;
    if (width < 2) {
        return;
    }
    for (uint64_t i = 0; i < count; i++, at += width) {
        for (size_t low = 0, high = width - 1; low < high; low++, high--) {
            unsigned char byte = at[low];
            at[low] = at[high];
            at[high] = byte;
        }
    }
}

bool gf_host_is_little(void) {
    const uint16_t probe = 1;
    unsigned char first;
    memcpy(&first, &probe, 1);
    return first == 1;
}
