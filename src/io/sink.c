#include "io/sink.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/npy.h"
#include "io/number.h"
#include <inttypes.h>
#include <string.h>

bool gf_sink_check(const char *name, const char *sink, gf_diags *diags) {
    if (strcmp(sink, "-") == 0 || gf_file_has_extension(sink, "npy") || gf_file_has_extension(sink, "bin") ||
        gf_file_has_extension(sink, "txt")) {
        return true;
    }
    gf_fail(diags, GF_CODE_SINK_FORM, GF_NO_SPAN, "buffer '%s': '%.100s' is no sink", name, sink);
    gf_fix(diags, "give x.npy, x.bin, x.txt, or - for standard output");
    return false;
}

bool gf_array_reshape(gf_array *array, const uint64_t *extents, uint32_t dims, const char *name, gf_diags *diags) {
    uint64_t count = 1;
    bool fits = dims >= 1 && dims <= 3;
    for (uint32_t i = 0; i < dims && fits; i++) {
        fits = gf_mul_u64(count, extents[i], &count);
    }
    if (!fits || count != array->count) {
        return gf_fail(diags, GF_CODE_SINK_SHAPE, GF_NO_SPAN,
                       "buffer '%s' has %" PRIu64 " elements, which its shape of %" PRIu32 " axes does not have", name,
                       array->count, dims);
    }
    array->dims = dims;
    memcpy(array->shape, extents, dims * sizeof *extents);
    return true;
}

/* Values are gathered here before they go out in one piece. */
#define CHUNK_BYTES 65536

static void write_text(const gf_array *array, char before, char behind, char *chunk, FILE *stream,
                       gf_file_writer *writer) {
    size_t width = gf_type_bytes(array->type), used = 0;
    const char *element = array->data;
    for (uint64_t i = 0; i < array->count; i++, element += width) {
        if (before) {
            chunk[used++] = before;
        }
        used += gf_number_format(array->type, element, chunk + used);
        if (behind) {
            chunk[used++] = behind;
        }
        if (used > CHUNK_BYTES - GF_NUMBER_TEXT - 2 || i + 1 == array->count) {
            if (writer) {
                gf_file_put(writer, chunk, used);
            } else if (fwrite(chunk, 1, used, stream) != used) {
                return;
            }
            used = 0;
        }
    }
}

static void write_raw(const gf_array *array, char *chunk, gf_file_writer *writer) {
    size_t width = gf_type_bytes(array->type);
    uint64_t most = CHUNK_BYTES / width;
    const char *at = array->data;
    if (gf_host_is_little()) {
        gf_file_put(writer, at, (size_t)array->count * width);
        return;
    }
    for (uint64_t left = array->count; left > 0;) {
        uint64_t part = left < most ? left : most;
        memcpy(chunk, at, (size_t)part * width);
        gf_bytes_swap(chunk, part, width);
        gf_file_put(writer, chunk, (size_t)part * width);
        at += part * width;
        left -= part;
    }
}

static bool write_file(const char *sink, bool text, const gf_array *array, char *chunk, gf_diags *diags) {
    gf_file_writer writer;
    if (!gf_file_begin(&writer, sink, diags)) {
        return false;
    }
    if (text) {
        write_text(array, 0, '\n', chunk, NULL, &writer);
    } else {
        write_raw(array, chunk, &writer);
    }
    return gf_file_commit(&writer, diags);
}

static bool write_stream(const char *name, const gf_array *array, char *chunk, FILE *stream, gf_diags *diags) {
    fprintf(stream, "%s:", name);
    write_text(array, ' ', 0, chunk, stream, NULL);
    fputc('\n', stream);
    if (fflush(stream) == 0 && !ferror(stream)) {
        return true;
    }
    return gf_fail(diags, GF_CODE_FILE_WRITE, GF_NO_SPAN, "cannot write buffer '%s' to standard output", name);
}

bool gf_sink_write(const char *name, const char *sink, const gf_array *array, FILE *stream, gf_diags *diags) {
    if (!gf_sink_check(name, sink, diags)) {
        return false;
    }
    if (gf_file_has_extension(sink, "npy")) {
        return gf_npy_write(sink, array, diags);
    }
    char *chunk = gf_malloc(CHUNK_BYTES);
    if (chunk == NULL) {
        return gf_fail_memory(diags);
    }
    bool ok = strcmp(sink, "-") == 0 ? write_stream(name, array, chunk, stream, diags)
                                     : write_file(sink, gf_file_has_extension(sink, "txt"), array, chunk, diags);
    gf_free(chunk);
    return ok;
}
