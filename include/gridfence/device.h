/* gridfence/device.h - devices and buffers that live on them. */
#ifndef GRIDFENCE_DEVICE_H
#define GRIDFENCE_DEVICE_H

#include <gridfence/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gf_device gf_device;
typedef struct gf_buffer gf_buffer;

/* How a run is carried out. All give the same bytes for an order-free program. A strategy that is asked for and cannot
 * be had is an error that says why. */
typedef enum gf_strategy {
    GF_STRATEGY_AUTO,
    GF_STRATEGY_NATIVE,     /* one launch, grid barriers in the kernel */
    GF_STRATEGY_PERSISTENT, /* one launch in which workers keep their share of the program's workgroups */
    GF_STRATEGY_RESIDENT,   /* a launch per segment, buffers stay on the device */
    GF_STRATEGY_HOST,       /* a launch per segment, buffers handed over and taken back by the host */
} gf_strategy;
#define GF_STRATEGY_COUNT 5

/* "auto" (the fastest that is here), "interp", "cpu" where it was built in, "cuda" or "cuda:I" for the NVIDIA GPU of
 * that number (0 is the first). A device may be used from many threads; kernels and buffers hold it. NULL with a
 * message that lists the devices there are. */
GF_API gf_device *gf_device_open(const char *name, gf_diags *diags);

/* Zeros everywhere ask for nothing special. A device that has no use for one of them does without. */
typedef struct gf_device_options {
    size_t size;      /* sizeof(gf_device_options), or 0: the whole struct as this header has it */
    unsigned threads; /* that run kernels, the caller's own among them; 0: GRIDFENCE_THREADS, else one per CPU */
    bool no_cache;    /* compiled kernels are neither read from disk nor written there */
    bool unchecked;   /* for measuring only: bounds rules are off, and an access out of bounds is undefined */
} gf_device_options;
#define GF_DEVICE_MAX_THREADS 4096

/* `options` may be NULL, which is gf_device_open. GRIDFENCE_THREADS, where it is set and `threads` is 0, must be a
 * number from 1 to GF_DEVICE_MAX_THREADS: else NULL with a message. */
GF_API gf_device *gf_device_open_with(const char *name, const gf_device_options *options, gf_diags *diags);
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
