/* The inside of devices and of buffers on them. */
#ifndef GF_DEV_DEVICE_H
#define GF_DEV_DEVICE_H

#include "base/diag.h"
#include "dev/order.h"
#include <gridfence/backend.h>

struct gf_device {
    gf_backend table; /* whole: what the backend's own lacks is NULL */
    void *handle;     /* the backend's */
    gf_backend_limits limits;
    char name[64];
    _Atomic(unsigned) references;
};

struct gf_buffer {
    gf_device *device; /* held */
    void *memory;      /* NULL where bytes is 0 */
    size_t bytes;
    uintptr_t address; /* of memory that other buffers may share, wherever it is; 0: it is this buffer's own */
    gf_queue queue;
    _Atomic(unsigned) references;
};

gf_device *gf_device_hold(gf_device *device);
gf_buffer *gf_buffer_hold(gf_buffer *buffer);

/* The table's functions, with a message made up where the backend left none. bytes may be 0: nothing is done. */
void *gf_device_alloc(gf_device *device, size_t bytes, gf_diags *diags);
void gf_device_release(gf_device *device, void *memory); /* NULL allowed */
bool gf_device_upload(gf_device *device, void *memory, size_t offset, const void *data, size_t bytes, gf_diags *diags);
bool gf_device_download(gf_device *device, const void *memory, size_t offset, void *data, size_t bytes,
                        gf_diags *diags);
bool gf_device_zero(gf_device *device, void *memory, size_t offset, size_t bytes, gf_diags *diags);

#endif
