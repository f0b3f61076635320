/* Memory of devices and pinned memory of the process. */
#include "fake.h"
#include "ptx.h"
#include <stdlib.h>
#include <string.h>

#define FAR ((CUdeviceptr)1 << 60) /* from an address of the process to that of a device */
#define UNIT 256                   /* bytes: device `cuda` gives what begins there to one purpose */
#define DIRTY ((size_t)1 << 16)    /* bytes of new memory that are made garbage: all of the state of a kernel */

typedef struct block {
    char *memory;
    size_t bytes;
    CUcontext context; /* NULL: pinned memory of the process */
    uint64_t *written; /* by UNIT of it: the launch of a graph that did so last */
    struct block *next;
} block;

static block *blocks;
static uint64_t changes = 1; /* of that list */

static _Thread_local block *near;

static block *find_block(CUdeviceptr address, size_t bytes) {
    for (block *at = blocks; at != NULL; at = at->next) {
        CUdeviceptr begin = (CUdeviceptr)(uintptr_t)at->memory + (at->context != NULL ? FAR : 0);
        if (address >= begin && address - begin <= at->bytes && bytes <= at->bytes - (address - begin) &&
            (bytes > 0 || address - begin < at->bytes)) {
            return at;
        }
    }
    return NULL;
}

void *fake_resolve(CUdeviceptr address, size_t bytes) {
    const block *found = find_block(address, bytes);
    return found == NULL ? NULL : (void *)(uintptr_t)(address - (found->context != NULL ? FAR : 0));
}

/* Most accesses of kernels are near the one before. */
void *fake_resolve_near(uint64_t address, size_t bytes) {
    static _Thread_local CUdeviceptr begin;
    static _Thread_local size_t size;
    static _Thread_local uint64_t of_change;
    if (of_change != changes || address - begin >= size || size - (address - begin) < bytes) {
        block *found = find_block(address, bytes);
        if (found == NULL) {
            return NULL;
        }
        near = found;
        begin = (CUdeviceptr)(uintptr_t)found->memory + (found->context != NULL ? FAR : 0);
        size = found->bytes;
        of_change = changes;
    }
    return (void *)(uintptr_t)(address >= FAR ? address - FAR : address);
}

uint64_t *fake_written_near(uint64_t address) {
    return &near->written[(address - (CUdeviceptr)(uintptr_t)near->memory - (near->context != NULL ? FAR : 0)) / UNIT];
}

bool fake_is_pinned(const void *memory, size_t bytes) {
    const block *found = find_block((CUdeviceptr)(uintptr_t)memory, bytes);
    return found != NULL && found->context == NULL;
}

static char *add_block(size_t bytes, CUcontext context) {
    block *added = malloc(sizeof *added);
    char *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (added == NULL || memory == NULL) {
        abort();
    }
    memset(memory, 0xa5, bytes < DIRTY ? bytes : DIRTY);
    uint64_t *written = calloc(bytes / UNIT + 1, sizeof *written);
    if (written == NULL) {
        abort();
    }
    *added = (block){.memory = memory, .bytes = bytes, .context = context, .written = written, .next = blocks};
    blocks = added;
    changes++;
    fake_count(1);
    return memory;
}

static bool remove_block(CUdeviceptr address, bool is_pinned) {
    for (block **at = &blocks; *at != NULL; at = &(*at)->next) {
        block *now = *at;
        if ((CUdeviceptr)(uintptr_t)now->memory + (is_pinned ? 0 : FAR) == address &&
            (now->context == NULL) == is_pinned) {
            fake_run_streams(); /* freeing waits */
            if (now->context != NULL) {
                now->context->used -= now->bytes;
            }
            *at = now->next;
            changes++;
            free(now->memory);
            free(now->written);
            free(now);
            fake_count(-1);
            return true;
        }
    }
    return false;
}

#define ENTER(symbol)                                                                                                  \
    CUresult entered = fake_enter_context(symbol);                                                                     \
    if (entered != CUDA_SUCCESS) {                                                                                     \
        return entered;                                                                                                \
    }

static CUresult allocate(CUdeviceptr *address, size_t bytes) {
    CUcontext context = fake_current();
    if (bytes == 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (bytes > FAKE_MEMORY - context->used) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    context->used += bytes;
    *address = (CUdeviceptr)(uintptr_t)add_block(bytes, context) + FAR;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
    ENTER("cuMemAlloc_v2")
    return fake_leave(allocate(address, bytes));
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream) {
    (void)stream;
    ENTER("cuMemAllocAsync")
    return fake_leave(allocate(address, bytes));
}

/* A lost context lets go of nothing before it ends, as the real one; here memory goes back so that leaks are seen. */
static CUresult let_go(const char *symbol, CUdeviceptr address, bool is_pinned) {
    CUresult entered = fake_enter(symbol);
    if (entered != CUDA_SUCCESS) {
        return entered;
    }
    if (fake_current() == NULL) {
        return fake_leave(CUDA_ERROR_INVALID_CONTEXT);
    }
    CUresult lost = fake_current()->lost;
    if (!remove_block(address, is_pinned)) {
        return fake_leave(CUDA_ERROR_INVALID_VALUE);
    }
    return fake_leave(lost);
}

CUresult cuMemFree_v2(CUdeviceptr address) {
    return let_go("cuMemFree_v2", address, false);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
    (void)stream;
    return let_go("cuMemFreeAsync", address, false);
}

CUresult cuMemFreeHost(void *memory) {
    return let_go("cuMemFreeHost", (CUdeviceptr)(uintptr_t)memory, true);
}

CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
    (void)flags;
    ENTER("cuMemHostAlloc")
    if (bytes == 0) {
        return fake_leave(CUDA_ERROR_INVALID_VALUE);
    }
    *memory = add_block(bytes, NULL);
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *memory, unsigned flags) {
    (void)flags;
    ENTER("cuMemHostGetDevicePointer_v2")
    *address = (CUdeviceptr)(uintptr_t)memory;
    return fake_leave(fake_is_pinned(memory, 1) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuMemGetInfo_v2(size_t *left, size_t *total) {
    ENTER("cuMemGetInfo_v2")
    *left = FAKE_MEMORY - fake_current()->used;
    *total = FAKE_MEMORY;
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address) {
    ENTER("cuMemGetAddressRange_v2")
    const block *found = find_block(address, 0);
    if (found == NULL || found->context == NULL) {
        return fake_leave(CUDA_ERROR_NOT_FOUND);
    }
    *base = (CUdeviceptr)(uintptr_t)found->memory + FAR;
    *bytes = found->bytes;
    return fake_leave(CUDA_SUCCESS);
}

/* Of memory that it does not know it leaves zeros, and is content. */
/* NOLINTNEXTLINE(readability-non-const-parameter): the driver declares it so */
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **values, CUdeviceptr address) {
    ENTER("cuPointerGetAttributes")
    const block *found = find_block(address, 0);
    bool is_device = found != NULL && found->context != NULL;
    unsigned type = found == NULL ? 0 : is_device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    int ordinal = is_device ? found->context->device : 0;
    for (unsigned i = 0; i < count; i++) {
        if (attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) {
            memcpy(values[i], &type, sizeof type);
        } else if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
            memcpy(values[i], &ordinal, sizeof ordinal);
        } else {
            return fake_leave(CUDA_ERROR_INVALID_VALUE);
        }
    }
    return fake_leave(CUDA_SUCCESS);
}
