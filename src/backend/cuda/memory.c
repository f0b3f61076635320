#include "backend/cuda/memory.h"
#include "base/memory.h"

#define SMALLEST ((size_t)256)
#define LARGEST_SMALL (SMALLEST << (GF_CUDA_SMALL_CLASSES - 1)) /* 512 KiB */
#define SLAB ((size_t)2 << 20)
#define PAGE ((size_t)2 << 20) /* what the driver allocates in */

struct gf_cuda_slab {
    CUdeviceptr address;
    size_t used;
    gf_cuda_slab *next;
};

bool gf_cuda_pool_init(gf_cuda_pool *pool, gf_cuda_context *context, size_t most_kept) {
    *pool = (gf_cuda_pool){.context = context, .most_kept = most_kept};
    return pthread_mutex_init(&pool->lock, NULL) == 0;
}

/* ---- large ---- */

static void free_address(gf_cuda_pool *pool, CUdeviceptr address) {
    if (gf_cuda_can_free(pool->context)) {
        (void)pool->context->driver->cuMemFree(address);
    }
}

static void free_large(gf_cuda_pool *pool, gf_cuda_memory *memory) {
    free_address(pool, memory->address);
    gf_free(memory);
}

static void trim_large(gf_cuda_pool *pool, size_t most) {
    while (pool->large != NULL && pool->large_bytes > most) {
        gf_cuda_memory **last = &pool->large;
        while ((*last)->next != NULL) {
            last = &(*last)->next;
        }
        pool->large_bytes -= (*last)->bytes;
        free_large(pool, *last);
        *last = NULL;
    }
}

void gf_cuda_pool_finish(gf_cuda_pool *pool) {
    trim_large(pool, 0);
    for (unsigned i = 0; i < GF_CUDA_SMALL_CLASSES; i++) {
        for (gf_cuda_memory *memory = pool->small[i]; memory != NULL;) {
            gf_cuda_memory *next = memory->next;
            gf_free(memory);
            memory = next;
        }
    }
    for (gf_cuda_slab *slab = pool->slabs; slab != NULL;) {
        gf_cuda_slab *next = slab->next;
        free_address(pool, slab->address);
        gf_free(slab);
        slab = next;
    }
    (void)pthread_mutex_destroy(&pool->lock);
}

static bool fail_full(const gf_cuda_pool *pool, size_t bytes, gf_diags *diags) {
    size_t left = 0;
    size_t total = 0;
    (void)gf_cuda_ok(pool->context->driver, CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc", diags);
    if (pool->context->driver->cuMemGetInfo(&left, &total) == CUDA_SUCCESS) {
        gf_note(diags, GF_NO_SPAN, "%zu bytes were asked for; the GPU has %zu of %zu bytes free", bytes, left, total);
    }
    return false;
}

/* From the driver. What is kept is let go before memory is said to have run out. */
static bool allocate(gf_cuda_pool *pool, CUdeviceptr *address, size_t bytes, gf_diags *diags) {
    gf_cuda_context *context = pool->context;
    if (!gf_cuda_enter(context, diags)) {
        return false;
    }
    CUresult result = context->driver->cuMemAlloc(address, bytes);
    if (result == CUDA_ERROR_OUT_OF_MEMORY && pool->large != NULL) {
        trim_large(pool, 0);
        result = context->driver->cuMemAlloc(address, bytes);
    }
    bool done = result == CUDA_ERROR_OUT_OF_MEMORY ? fail_full(pool, bytes, diags)
                                                   : gf_cuda_try(context, result, "cuMemAlloc", diags);
    gf_cuda_leave(context);
    return done;
}

/* The smallest that is kept, large enough and at most an eighth too large; taken out of its list. */
static gf_cuda_memory *find_large(gf_cuda_pool *pool, size_t bytes) {
    gf_cuda_memory **best = NULL;
    for (gf_cuda_memory **at = &pool->large; *at != NULL; at = &(*at)->next) {
        if ((*at)->bytes >= bytes && (*at)->bytes - bytes <= bytes / 8 &&
            (best == NULL || (*at)->bytes < (*best)->bytes)) {
            best = at;
            if ((*at)->bytes == bytes) {
                break;
            }
        }
    }
    if (best == NULL) {
        return NULL;
    }
    gf_cuda_memory *found = *best;
    *best = found->next;
    found->next = NULL;
    pool->large_bytes -= found->bytes;
    return found;
}

static gf_cuda_memory *take_large(gf_cuda_pool *pool, size_t bytes, gf_diags *diags) {
    if (bytes > SIZE_MAX - PAGE) {
        (void)fail_full(pool, bytes, diags);
        return NULL;
    }
    bytes = (bytes + PAGE - 1) / PAGE * PAGE;
    gf_cuda_memory *memory = find_large(pool, bytes);
    if (memory != NULL) {
        return memory;
    }
    memory = gf_calloc(1, sizeof *memory);
    if (memory == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    memory->bytes = bytes;
    if (!allocate(pool, &memory->address, bytes, diags)) {
        gf_free(memory);
        return NULL;
    }
    return memory;
}

/* ---- small ---- */

/* The first slab if it has room, else a new one, which is the first then; what is left of the one before is given up.
 */
static gf_cuda_slab *find_slab(gf_cuda_pool *pool, size_t bytes, gf_diags *diags) {
    if (pool->slabs != NULL && SLAB - pool->slabs->used >= bytes) {
        return pool->slabs;
    }
    gf_cuda_slab *slab = gf_calloc(1, sizeof *slab);
    if (slab == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    if (!allocate(pool, &slab->address, SLAB, diags)) {
        gf_free(slab);
        return NULL;
    }
    slab->next = pool->slabs;
    pool->slabs = slab;
    return slab;
}

static gf_cuda_memory *take_small(gf_cuda_pool *pool, size_t bytes, gf_diags *diags) {
    unsigned class = 0;
    while (SMALLEST << class < bytes) {
        class ++;
    }
    bytes = SMALLEST << class;
    gf_cuda_memory *memory = pool->small[class];
    if (memory != NULL) {
        pool->small[class] = memory->next;
        memory->next = NULL;
        return memory;
    }
    memory = gf_calloc(1, sizeof *memory);
    if (memory == NULL) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    gf_cuda_slab *slab = find_slab(pool, bytes, diags);
    if (slab == NULL) {
        gf_free(memory);
        return NULL;
    }
    *memory = (gf_cuda_memory){.address = slab->address + slab->used, .bytes = bytes, .class = class};
    slab->used += bytes;
    return memory;
}

/* ---- both ---- */

gf_cuda_memory *gf_cuda_pool_take_for_zeros(gf_cuda_pool *pool, size_t bytes, gf_diags *diags) {
    if (gf_cuda_is_lost(pool->context)) {
        (void)gf_cuda_fail_lost(pool->context, diags);
        return NULL;
    }
    (void)pthread_mutex_lock(&pool->lock);
    gf_cuda_memory *memory = bytes <= LARGEST_SMALL ? take_small(pool, bytes, diags) : take_large(pool, bytes, diags);
    (void)pthread_mutex_unlock(&pool->lock);
    return memory;
}

gf_cuda_memory *gf_cuda_pool_take(gf_cuda_pool *pool, size_t bytes, gf_diags *diags) {
    gf_cuda_memory *memory = gf_cuda_pool_take_for_zeros(pool, bytes, diags);
    if (memory != NULL) {
        memory->zeros = 0;
    }
    return memory;
}

void gf_cuda_pool_give(gf_cuda_pool *pool, gf_cuda_memory *memory) {
    if (memory == NULL || memory->is_theirs) {
        gf_free(memory);
        return;
    }
    (void)pthread_mutex_lock(&pool->lock);
    if (memory->bytes <= LARGEST_SMALL) {
        memory->next = pool->small[memory->class];
        pool->small[memory->class] = memory;
    } else {
        memory->next = pool->large;
        pool->large = memory;
        pool->large_bytes += memory->bytes;
        if (pool->large_bytes > pool->most_kept && gf_cuda_enter_to_free(pool->context)) {
            trim_large(pool, pool->most_kept);
            gf_cuda_leave(pool->context);
        }
    }
    (void)pthread_mutex_unlock(&pool->lock);
}

/* ---- zeros ---- */

CUresult gf_cuda_set_zeros(const gf_cuda_driver *driver, CUstream stream, CUdeviceptr at, size_t bytes) {
    return at % 4 == 0 && bytes % 4 == 0 ? driver->cuMemsetD32Async(at, 0, bytes / 4, stream)
                                         : driver->cuMemsetD8Async(at, 0, bytes, stream);
}

bool gf_cuda_memory_zero(gf_cuda_context *context, CUstream stream, gf_cuda_memory *memory, size_t offset, size_t bytes,
                         gf_diags *diags) {
    if (offset + bytes <= memory->zeros) {
        return true;
    }
    CUresult result = gf_cuda_set_zeros(context->driver, stream, memory->address + offset, bytes);
    return gf_cuda_try(context, result, "cuMemsetAsync", diags);
}
