/* Compiled plans: from the plan to functions that can be called, by way of what was compiled before, in this process or
 * in an earlier one. */
#ifndef GF_BACKEND_CPU_BINARY_H
#define GF_BACKEND_CPU_BINARY_H

#include "backend/cpu/jit.h"
#include "base/disk_cache.h"
#include "emit/llvm/abi.h"
#include "emit/llvm/emit.h"
#include <pthread.h>

/* All code of a device, and where it is kept. */
typedef struct gf_binary_store {
    pthread_mutex_t lock;
    gf_jit *jit;             /* made when first needed */
    gf_disk_cache *disk;     /* NULL: none */
    struct gf_binary *first; /* in use, linked */
    bool unchecked;
} gf_binary_store;

/* The code of one plan with one set of options; shared by all kernels that want it. Read-only. */
typedef struct gf_binary {
    struct gf_binary *next;
    unsigned references; /* under the lock of the store */
    char *key;
    size_t key_bytes;
    gf_jit_code loaded;
    gf_llvm_segment *segments;
    size_t segment_count;
    gf_abi_segment *const *segment_functions;
    gf_abi_scalar *const *scalars;
} gf_binary;

typedef struct gf_binary_options {
    bool checked;
    const bool *tracked;
} gf_binary_options;

bool gf_binary_store_init(gf_binary_store *store, bool use_disk, bool unchecked, gf_diags *diags);
void gf_binary_store_finish(gf_binary_store *store);
gf_jit *gf_binary_store_jit(gf_binary_store *store, gf_diags *diags);

/* NULL with a message. `plan_options` are those by which the plan was made. */
gf_binary *gf_binary_get(gf_binary_store *store, const gf_plan *plan, const gf_binary_options *options,
                         gf_diags *diags);
void gf_binary_release(gf_binary_store *store, gf_binary *code);

/* The options with which a plan is emitted. */
gf_llvm_options gf_binary_emit_options(gf_binary_store *store, const gf_binary_options *options);

#endif
