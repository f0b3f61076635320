#include "dev/device.h"
#include "base/memory.h"
#include "base/stop.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

bool gf_backend_stopped(const struct gf_stop *stop) {
    /* The poll writes into it when the clock says so; to a backend it is a thing to ask. */
    return gf_stop_poll((struct gf_stop *)(uintptr_t)stop) != GF_STOP_NONE;
}

/* Where the table ended when its version was made: what stands behind may be missing. */
#define TABLE_LEAST offsetof(gf_backend, compile_with)

static bool table_is_whole(const gf_backend *table, gf_diags *diags) {
    if (table->version != GF_BACKEND_VERSION || table->size < TABLE_LEAST) {
        return gf_fail(
            diags, GF_CODE_BACKEND_TABLE, GF_NO_SPAN,
            "a table of version %u and %zu bytes is not the version %u with at least %zu bytes that this library takes",
            (unsigned)table->version, table->size, (unsigned)GF_BACKEND_VERSION, TABLE_LEAST);
    }
    const char *missing = NULL;
    missing = table->launch == NULL ? "launch" : missing;
    missing = table->discard == NULL ? "discard" : missing;
    missing = table->compile == NULL ? "compile" : missing;
    missing = table->download == NULL ? "download" : missing;
    missing = table->upload == NULL ? "upload" : missing;
    missing = table->release == NULL ? "release" : missing;
    missing = table->alloc == NULL ? "alloc" : missing;
    missing = table->close == NULL ? "close" : missing;
    missing = table->open == NULL ? "open" : missing;
    missing = table->name == NULL ? "name" : missing;
    if (missing != NULL) {
        return gf_fail(diags, GF_CODE_BACKEND_TABLE, GF_NO_SPAN, "the table of a device has no `%s`", missing);
    }
    return true;
}

static bool say_failed(const gf_device *device, const char *what, size_t errors, gf_diags *diags) {
    if (gf_diags_error_count(diags) == errors) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "device `%s` failed to %s", device->name, what);
    }
    return false;
}

gf_device *gf_device_open_backend(const gf_backend *backend, void *user, const char *which, gf_diags *diags) {
    if (backend == NULL) {
        (void)gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "a device needs a table of functions");
        return NULL;
    }
    if (!table_is_whole(backend, diags)) {
        return NULL;
    }
    gf_device *device = gf_calloc(1, sizeof *device);
    if (device == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    which = which != NULL ? which : "";
    memcpy(&device->table, backend, backend->size < sizeof device->table ? backend->size : sizeof device->table);
    atomic_init(&device->references, 1);
    (void)snprintf(device->name, sizeof device->name, "%s%s%s", backend->name, *which != '\0' ? ":" : "", which);
    size_t errors = gf_diags_error_count(diags);
    if (!backend->open(user, which, &device->handle, &device->limits, diags)) {
        (void)say_failed(device, "open", errors, diags);
        gf_free(device);
        return NULL;
    }
    return device;
}

gf_device *gf_device_hold(gf_device *device) {
    (void)atomic_fetch_add(&device->references, 1);
    return device;
}

void gf_device_destroy(gf_device *device) {
    if (device != NULL && atomic_fetch_sub(&device->references, 1) == 1) {
        device->table.close(device->handle);
        gf_free(device);
    }
}

const char *gf_device_name(const gf_device *device) {
    return device != NULL ? device->name : "";
}

const gf_backend_limits *gf_device_limits(const gf_device *device) {
    return device != NULL ? &device->limits : NULL;
}

void gf_device_describe(const gf_device *device, char *text, size_t size) {
    if (size == 0) {
        return;
    }
    text[0] = '\0';
    if (device != NULL && device->table.describe != NULL) {
        device->table.describe(device->handle, text, size);
    }
}

void *gf_device_alloc(gf_device *device, size_t bytes, gf_diags *diags) {
    size_t errors = gf_diags_error_count(diags);
    void *memory = device->table.alloc(device->handle, bytes, diags);
    if (memory == NULL && gf_diags_error_count(diags) == errors) {
        (void)gf_fail(diags, GF_CODE_DEVICE_FAILED, GF_NO_SPAN, "device `%s` has no memory for %zu bytes", device->name,
                      bytes);
    }
    return memory;
}

void gf_device_release(gf_device *device, void *memory) {
    if (memory != NULL) {
        device->table.release(device->handle, memory);
    }
}

bool gf_device_upload(gf_device *device, void *memory, size_t offset, const void *data, size_t bytes, gf_diags *diags) {
    size_t errors = gf_diags_error_count(diags);
    return bytes == 0 || device->table.upload(device->handle, memory, offset, data, bytes, diags) ||
           say_failed(device, "take data", errors, diags);
}

bool gf_device_download(gf_device *device, const void *memory, size_t offset, void *data, size_t bytes,
                        gf_diags *diags) {
    size_t errors = gf_diags_error_count(diags);
    return bytes == 0 || device->table.download(device->handle, memory, offset, data, bytes, diags) ||
           say_failed(device, "give data back", errors, diags);
}

static bool upload_zeros(gf_device *device, void *memory, size_t offset, size_t bytes, gf_diags *diags) {
    static const unsigned char zeros[65536];
    while (bytes > 0) {
        size_t part = bytes < sizeof zeros ? bytes : sizeof zeros;
        if (!device->table.upload(device->handle, memory, offset, zeros, part, diags)) {
            return false;
        }
        offset += part;
        bytes -= part;
    }
    return true;
}

bool gf_device_zero(gf_device *device, void *memory, size_t offset, size_t bytes, gf_diags *diags) {
    if (bytes == 0) {
        return true;
    }
    size_t errors = gf_diags_error_count(diags);
    bool done = device->table.zero != NULL ? device->table.zero(device->handle, memory, offset, bytes, diags)
                                           : upload_zeros(device, memory, offset, bytes, diags);
    return done || say_failed(device, "set memory to zeros", errors, diags);
}

/* ---- buffers ---- */

gf_buffer *gf_buffer_create(gf_device *device, size_t bytes, gf_diags *diags) {
    if (device == NULL) {
        return NULL;
    }
    gf_buffer *buffer = gf_calloc(1, sizeof *buffer);
    if (buffer == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    buffer->device = gf_device_hold(device);
    buffer->bytes = bytes;
    atomic_init(&buffer->references, 1);
    if (bytes > 0) {
        buffer->memory = gf_device_alloc(device, bytes, diags);
        if (buffer->memory == NULL || !gf_device_zero(device, buffer->memory, 0, bytes, diags)) {
            gf_buffer_destroy(buffer);
            return NULL;
        }
    }
    return buffer;
}

gf_buffer *gf_buffer_hold(gf_buffer *buffer) {
    (void)atomic_fetch_add(&buffer->references, 1);
    return buffer;
}

void gf_buffer_destroy(gf_buffer *buffer) {
    if (buffer != NULL && atomic_fetch_sub(&buffer->references, 1) == 1) {
        gf_device_release(buffer->device, buffer->memory);
        gf_device_destroy(buffer->device);
        gf_free(buffer);
    }
}

size_t gf_buffer_bytes(const gf_buffer *buffer) {
    return buffer != NULL ? buffer->bytes : 0;
}

static bool check_range(const gf_buffer *buffer, const char *what, size_t offset, const void *data, size_t bytes,
                        gf_diags *diags) {
    if (offset > buffer->bytes || bytes > buffer->bytes - offset) {
        return gf_fail(diags, GF_CODE_BUFFER_RANGE, GF_NO_SPAN,
                       "a %s of %zu bytes at byte %zu does not lie inside a buffer of %zu bytes", what, bytes, offset,
                       buffer->bytes);
    }
    if (data == NULL && bytes > 0) {
        return gf_fail(diags, GF_CODE_BAD_ARGUMENT, GF_NO_SPAN, "a %s of %zu bytes got no memory", what, bytes);
    }
    return true;
}

bool gf_buffer_write(gf_buffer *buffer, size_t offset, const void *data, size_t bytes, gf_diags *diags) {
    if (buffer == NULL || !check_range(buffer, "write", offset, data, bytes, diags)) {
        return false;
    }
    gf_ticket ticket = {.queue = &buffer->queue};
    gf_order_submit(&ticket, 1);
    gf_order_begin(&ticket, 1);
    bool done = gf_device_upload(buffer->device, buffer->memory, offset, data, bytes, diags);
    gf_order_end(&ticket, 1);
    return done;
}

bool gf_buffer_read(gf_buffer *buffer, size_t offset, void *data, size_t bytes, gf_diags *diags) {
    if (buffer == NULL || !check_range(buffer, "read", offset, data, bytes, diags)) {
        return false;
    }
    gf_ticket ticket = {.queue = &buffer->queue};
    gf_order_submit(&ticket, 1);
    gf_order_begin(&ticket, 1);
    bool done = gf_device_download(buffer->device, buffer->memory, offset, data, bytes, diags);
    gf_order_end(&ticket, 1);
    return done;
}
