/* gridfence/device.h - devices and buffers that live on them. */
#ifndef GRIDFENCE_DEVICE_H
#define GRIDFENCE_DEVICE_H

#include <gridfence/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_device gf_device;
typedef struct gf_buffer gf_buffer;

/* "auto", "interp", and what was built in besides. A device may be used from many threads; kernels and buffers hold it.
 * NULL with a message that lists the devices there are. */
GF_API gf_device *gf_device_open(const char *name, gf_diags *diags);
GF_API void gf_device_destroy(gf_device *device);
GF_API const char *gf_device_name(const gf_device *device);

/* Device memory that stays across runs, zeros at first. Reads and writes take effect in the order submitted with the
 * runs that use it. Offsets and sizes in bytes; what does not lie inside is refused. */
GF_API gf_buffer *gf_buffer_create(gf_device *device, size_t bytes, gf_diags *diags);
GF_API bool gf_buffer_write(gf_buffer *buffer, size_t offset, const void *data, size_t bytes, gf_diags *diags);
GF_API bool gf_buffer_read(gf_buffer *buffer, size_t offset, void *data, size_t bytes, gf_diags *diags);
GF_API size_t gf_buffer_bytes(const gf_buffer *buffer);
GF_API void gf_buffer_destroy(gf_buffer *buffer);

#ifdef __cplusplus
}
#endif
#endif
