/* gridfence/base.h - what every public header needs: visibility, byte views, element types, values.
 *
 * Threads: nothing here has state. Errors: none. */
#ifndef GRIDFENCE_BASE_H
#define GRIDFENCE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GF_API __attribute__((visibility("default")))
#define GF_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define GF_API
#define GF_PRINTF(fmt, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GF_VERSION_MAJOR 0
#define GF_VERSION_MINOR 1
#define GF_VERSION_PATCH 0

/* "0.1.0"; static storage. */
GF_API const char *gf_version(void);

/* The types of the language. GF_TYPE_NONE is "no type yet" or "gives nothing back".
 * Buffers hold every type but bool; expressions have bool u32 i32 u64 i64 f32 f64. */
typedef enum gf_type {
    GF_TYPE_NONE,
    GF_TYPE_BOOL,
    GF_TYPE_U8,
    GF_TYPE_I8,
    GF_TYPE_U16,
    GF_TYPE_I16,
    GF_TYPE_U32,
    GF_TYPE_I32,
    GF_TYPE_U64,
    GF_TYPE_I64,
    GF_TYPE_F16,
    GF_TYPE_F32,
    GF_TYPE_F64,
} gf_type;
#define GF_TYPE_COUNT 13

/* The spelling in a program ("u32"), static storage; "none" for GF_TYPE_NONE. */
GF_API const char *gf_type_name(gf_type type);
/* Bytes of one element in a buffer; 0 for GF_TYPE_NONE, 1 for bool. */
GF_API size_t gf_type_bytes(gf_type type);

/* One scalar. `bits` is the bit pattern, zero-extended to 64 bits (an i32 of -1 is 0xffffffff; bool is 0 or 1). */
typedef struct gf_value {
    gf_type type;
    uint64_t bits;
} gf_value;

/* A borrowed view of bytes that nobody writes through. `data` may be NULL where `size` is 0. */
typedef struct gf_bytes {
    const void *data;
    size_t size; /* bytes */
} gf_bytes;

/* Storage that a run fills. `data` belongs to the caller and has room for `capacity` bytes; on success `size` says
 * how many were written. On failure nothing is touched. */
typedef struct gf_output {
    void *data;
    size_t size;     /* bytes written */
    size_t capacity; /* bytes of room */
} gf_output;

/* Frees what a function of this library says the caller frees with gf_free. NULL allowed. */
GF_API void gf_free(void *data);

#ifdef __cplusplus
}
#endif
#endif
