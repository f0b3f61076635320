#include "run/store.h"
#include "base/checked.h"
#include "base/memory.h"
#include "run/in_place.h"
#include <string.h>

/* ---- memory ---- */

uint64_t gf_store_memory_left(const gf_store *store) {
    uint64_t limit = store->job->options.memory_limit;
    return limit == 0 ? UINT64_MAX : limit > store->bytes_now ? limit - store->bytes_now : 0;
}

static void *take_memory(gf_store *store, size_t bytes, gf_diags *diags) {
    if (!gf_job_check_memory(store->job, store->bytes_now + bytes, "the run", diags)) {
        return NULL;
    }
    void *memory = NULL;
    if (store->device != NULL) {
        memory = gf_device_alloc(store->device, bytes, diags);
    } else if ((memory = gf_malloc(bytes)) == NULL) {
        (void)gf_fail_memory(diags);
    }
    if (memory != NULL) {
        store->bytes_now += bytes;
        store->bytes_most = store->bytes_now > store->bytes_most ? store->bytes_now : store->bytes_most;
    }
    return memory;
}

static void give_memory(gf_store *store, void *memory, size_t bytes) {
    if (memory == NULL) {
        return;
    }
    store->bytes_now -= bytes;
    if (store->device != NULL) {
        gf_device_release(store->device, memory);
    } else {
        gf_free(memory);
    }
}

static bool put_bytes(gf_store *store, void *memory, size_t offset, const void *data, size_t bytes, gf_diags *diags) {
    if (bytes == 0) {
        return true;
    }
    if (store->device != NULL) {
        store->bytes_up += bytes;
        return gf_device_upload(store->device, memory, offset, data, bytes, diags);
    }
    memcpy((char *)memory + offset, data, bytes);
    return true;
}

static bool get_bytes(gf_store *store, const void *memory, size_t offset, void *data, size_t bytes, gf_diags *diags) {
    if (bytes == 0) {
        return true;
    }
    if (store->device != NULL && !store->direct) {
        store->bytes_down += bytes;
        return gf_device_download(store->device, memory, offset, data, bytes, diags);
    }
    memmove(data, (const char *)memory + offset, bytes);
    return true;
}

static bool zero_bytes(gf_store *store, void *memory, size_t offset, size_t bytes, gf_diags *diags) {
    if (bytes == 0) {
        return true;
    }
    if (store->device != NULL) {
        return gf_device_zero(store->device, memory, offset, bytes, diags);
    }
    memset((char *)memory + offset, 0, bytes);
    return true;
}

/* ---- begin and end ---- */

/* A whole storage to begin with, or nothing where it need not begin as zeros. */
static bool begin_with_zeros(gf_store *store, const gf_storage *storage, gf_diags *diags) {
    size_t index = (size_t)(storage - store->storages);
    bool is_program = index < store->job->buffer_count;
    if (is_program && store->overwritten != NULL && store->overwritten[index]) {
        return true;
    }
    if (is_program && store->zeros != NULL) {
        store->zeros[index] = storage->bytes > 0;
        return true;
    }
    return zero_bytes(store, storage->own, 0, storage->bytes, diags);
}

static bool is_aligned(const void *data, size_t size) {
    return (uintptr_t)data % size == 0;
}

static bool take_lent(gf_store *store, gf_storage *storage, const void *data, size_t element, gf_diags *diags) {
    if (storage->bytes == 0 || (store->direct && is_aligned(data, element))) {
        storage->borrowed = storage->bytes > 0 ? data : NULL;
        storage->ready = true;
        return true;
    }
    storage->own = take_memory(store, storage->bytes, diags);
    if (storage->own == NULL) {
        return false;
    }
    storage->capacity = storage->bytes;
    storage->ready = true;
    return put_bytes(store, storage->own, 0, data, storage->bytes, diags);
}

static bool take_buffer(gf_store *store, gf_storage *storage, gf_buffer *buffer, gf_role role, gf_diags *diags) {
    bool is_zero = role == GF_ROLE_OUT || role == GF_ROLE_SCRATCH;
    if (store->device == NULL && !buffer->device->limits.host_memory) {
        /* The run works on the host: a copy, written back at the end. */
        if (storage->bytes == 0 || is_zero) {
            return true;
        }
        storage->own = take_memory(store, storage->bytes, diags);
        storage->capacity = storage->bytes;
        storage->ready = true;
        return storage->own != NULL &&
               gf_device_download(buffer->device, buffer->memory, 0, storage->own, storage->bytes, diags);
    }
    storage->own = buffer->memory;
    storage->external = true;
    storage->capacity = storage->bytes;
    storage->ready = true;
    return !is_zero || begin_with_zeros(store, storage, diags);
}

static bool take_program_buffer(gf_store *store, size_t index, gf_diags *diags) {
    const gf_job_buffer *buffer = &store->job->buffers[index];
    gf_storage *storage = &store->storages[index];
    storage->bytes = buffer->bytes;
    if (store->in_place && gf_job_buffer_in_place(buffer)) {
        storage->own = buffer->bound->output;
        storage->external = true;
        storage->capacity = storage->bytes;
        storage->ready = buffer->bound->kind == GF_BOUND_INOUT;
        return true;
    }
    switch (buffer->bound->kind) {
    case GF_BOUND_NONE:
    case GF_BOUND_OUTPUT:
        return true;
    case GF_BOUND_INPUT:
    case GF_BOUND_INOUT:
        return take_lent(store, storage, buffer->bound->input, store->sizes[index], diags);
    case GF_BOUND_DEVICE:
        return take_buffer(store, storage, buffer->bound->buffer, buffer->symbol->role, diags);
    }
    return true;
}

bool gf_store_init(gf_store *store, const gf_job *job, const gf_plan *plan, gf_device *device, gf_diags *diags) {
    store->job = job;
    store->device = device;
    store->direct = device == NULL || device->limits.host_memory;
    store->count = plan != NULL ? plan->buffer_count : job->buffer_count;
    store->storages = gf_calloc(store->count, sizeof *store->storages);
    store->names = gf_calloc(store->count, sizeof *store->names);
    store->found = gf_calloc(store->count, sizeof *store->found);
    store->lengths = gf_calloc(store->count, sizeof *store->lengths);
    store->sizes = gf_calloc(store->count, sizeof *store->sizes);
    if (store->storages == NULL || store->names == NULL || store->found == NULL || store->lengths == NULL ||
        store->sizes == NULL) {
        return gf_fail_memory(diags);
    }
    for (size_t i = 0; i < store->count; i++) {
        store->names[i] = (uint32_t)i;
        const gf_symbol *symbol =
            plan == NULL || i < job->buffer_count ? job->buffers[i].symbol : plan->buffers[i].symbol;
        store->sizes[i] = gf_type_bytes(symbol->type);
        if (i < job->buffer_count) {
            store->lengths[i] = job->buffers[i].count;
            if (!take_program_buffer(store, i, diags)) {
                return false;
            }
        }
    }
    return true;
}

void gf_store_finish(gf_store *store) {
    /* The other way round than they were taken: devices keep memory in stacks, and so the next run finds each buffer
     * where this one had it. */
    for (size_t i = store->storages != NULL ? store->count : 0; i-- > 0;) {
        gf_storage *storage = &store->storages[i];
        if (!storage->external) {
            give_memory(store, storage->own, storage->capacity);
        }
        gf_free(storage->snapshot);
    }
    gf_free(store->storages);
    gf_free(store->names);
    gf_free(store->found);
    gf_free(store->lengths);
    gf_free(store->sizes);
    store->storages = NULL;
}

/* ---- access ---- */

bool gf_store_resize(gf_store *store, uint32_t buffer, uint64_t count, gf_diags *diags) {
    gf_storage *storage = &store->storages[store->names[buffer]];
    uint64_t bytes = 0;
    if (!gf_mul_u64(count, store->sizes[buffer], &bytes) || bytes > PTRDIFF_MAX) {
        return gf_fail(diags, GF_CODE_MEMORY_LIMIT, GF_NO_SPAN,
                       "a hidden buffer of the plan would have %llu elements, more than can be addressed",
                       (unsigned long long)count);
    }
    store->lengths[buffer] = count;
    if (bytes > storage->capacity && storage->own != NULL) {
        void *grown = take_memory(store, (size_t)bytes, diags);
        if (grown == NULL) {
            return false;
        }
        void *old = storage->own;
        void *copy = NULL;
        const void *data = NULL;
        bool done = gf_store_host_view(store, buffer, &data, &copy, diags) &&
                    put_bytes(store, grown, 0, data, storage->bytes, diags) &&
                    zero_bytes(store, grown, storage->bytes, (size_t)bytes - storage->bytes, diags);
        gf_free(copy);
        give_memory(store, done ? old : grown, done ? storage->capacity : (size_t)bytes);
        if (!done) {
            return false;
        }
        storage->own = grown;
        storage->capacity = (size_t)bytes;
    } else if (bytes > storage->bytes && storage->ready && storage->own != NULL &&
               !zero_bytes(store, storage->own, storage->bytes, (size_t)bytes - storage->bytes, diags)) {
        return false;
    }
    storage->ready = storage->ready && (storage->own != NULL || bytes == 0);
    storage->bytes = (size_t)bytes;
    return true;
}

static bool make_ready(gf_store *store, gf_storage *storage, gf_diags *diags) {
    if (storage->ready) {
        return true;
    }
    if (storage->bytes > 0 && storage->own == NULL) {
        storage->own = take_memory(store, storage->bytes, diags);
        if (storage->own == NULL) {
            return false;
        }
        storage->capacity = storage->bytes;
    }
    if (!begin_with_zeros(store, storage, diags)) {
        return false;
    }
    storage->ready = true;
    return true;
}

bool gf_store_view(gf_store *store, uint32_t buffer, const void **memory, gf_diags *diags) {
    gf_storage *storage = &store->storages[store->names[buffer]];
    *memory = NULL;
    if (!make_ready(store, storage, diags)) {
        return false;
    }
    *memory = storage->own != NULL ? storage->own : storage->borrowed;
    return true;
}

static bool keep_before(gf_store *store, gf_storage *storage, gf_diags *diags) {
    storage->written = true;
    if (storage->borrowed != NULL) {
        storage->before = storage->borrowed;
        return true;
    }
    if (storage->snapshot_capacity < storage->bytes) {
        gf_free(storage->snapshot);
        storage->snapshot_capacity = 0;
        storage->snapshot = gf_malloc(storage->bytes);
        if (storage->snapshot == NULL) {
            return gf_fail_memory(diags);
        }
        storage->snapshot_capacity = storage->bytes;
    }
    storage->before = storage->snapshot;
    return get_bytes(store, storage->own, 0, storage->snapshot, storage->bytes, diags);
}

static bool make_own(gf_store *store, gf_storage *storage, gf_diags *diags) {
    if (storage->borrowed == NULL) {
        return true;
    }
    storage->own = take_memory(store, storage->bytes, diags);
    if (storage->own == NULL) {
        return false;
    }
    storage->capacity = storage->bytes;
    if (!put_bytes(store, storage->own, 0, storage->borrowed, storage->bytes, diags)) {
        return false;
    }
    storage->borrowed = NULL;
    return true;
}

bool gf_store_own(gf_store *store, uint32_t storage, gf_diags *diags) {
    return make_own(store, &store->storages[storage], diags);
}

bool gf_store_edit(gf_store *store, uint32_t buffer, void **memory, gf_diags *diags) {
    gf_storage *storage = &store->storages[store->names[buffer]];
    *memory = NULL;
    if (!make_ready(store, storage, diags) ||
        (storage->marked && !storage->written && storage->bytes > 0 && !keep_before(store, storage, diags)) ||
        !make_own(store, storage, diags)) {
        return false;
    }
    *memory = storage->own;
    return true;
}

bool gf_store_read(gf_store *store, uint32_t buffer, size_t offset, void *data, size_t bytes, gf_diags *diags) {
    const void *memory = NULL;
    return gf_store_view(store, buffer, &memory, diags) && get_bytes(store, memory, offset, data, bytes, diags);
}

bool gf_store_write(gf_store *store, uint32_t buffer, size_t offset, const void *data, size_t bytes, gf_diags *diags) {
    void *memory = NULL;
    return gf_store_edit(store, buffer, &memory, diags) && put_bytes(store, memory, offset, data, bytes, diags);
}

bool gf_store_host_view(gf_store *store, uint32_t buffer, const void **data, void **copy, gf_diags *diags) {
    *copy = NULL;
    if (!gf_store_view(store, buffer, data, diags)) {
        return false;
    }
    if (store->direct || *data == NULL) {
        return true;
    }
    size_t bytes = store->storages[store->names[buffer]].bytes;
    *copy = gf_malloc(bytes);
    if (*copy == NULL) {
        return gf_fail_memory(diags);
    }
    const void *memory = *data;
    *data = *copy;
    return get_bytes(store, memory, 0, *copy, bytes, diags);
}

bool gf_store_copy(gf_store *store, uint32_t from, uint32_t to, gf_diags *diags) {
    void *copy = NULL;
    const void *data = NULL;
    size_t from_bytes = store->storages[store->names[from]].bytes;
    size_t to_bytes = store->storages[store->names[to]].bytes;
    bool done = gf_store_host_view(store, from, &data, &copy, diags) &&
                gf_store_write(store, to, 0, data, from_bytes < to_bytes ? from_bytes : to_bytes, diags);
    gf_free(copy);
    return done;
}

bool gf_store_fill(gf_store *store, uint32_t buffer, uint64_t bits, gf_diags *diags) {
    unsigned char block[4096];
    size_t size = store->sizes[buffer];
    size_t bytes = store->storages[store->names[buffer]].bytes;
    void *memory = NULL;
    if (!gf_store_edit(store, buffer, &memory, diags)) {
        return false;
    }
    /* Elements are little-endian, as the hosts that this runs on. */
    for (size_t at = 0; at < sizeof block; at += size) {
        memcpy(block + at, &bits, size);
    }
    for (size_t at = 0; at < bytes; at += sizeof block) {
        size_t part = bytes - at < sizeof block ? bytes - at : sizeof block;
        if (!put_bytes(store, memory, at, block, part, diags)) {
            return false;
        }
    }
    return true;
}

void gf_store_swap(gf_store *store, uint32_t a, uint32_t b) {
    uint32_t storage = store->names[a];
    store->names[a] = store->names[b];
    store->names[b] = storage;
}

/* ---- convergence ---- */

void gf_store_mark(gf_store *store) {
    for (size_t i = 0; i < store->count; i++) {
        store->storages[i].marked = false;
        store->storages[i].written = false;
        store->storages[i].before = NULL;
    }
    for (size_t i = 0; i < store->watched_count; i++) {
        uint32_t storage = store->names[store->watched[i]];
        store->found[store->watched[i]] = storage;
        store->storages[storage].marked = true;
    }
}

static bool storage_on_host(gf_store *store, gf_storage *storage, const void **data, void **copy, gf_diags *diags) {
    *copy = NULL;
    if (!make_ready(store, storage, diags)) {
        return false;
    }
    *data = storage->own != NULL ? storage->own : storage->borrowed;
    if (store->direct) {
        return true;
    }
    *copy = gf_malloc(storage->bytes);
    if (*copy == NULL) {
        return gf_fail_memory(diags);
    }
    const void *memory = *data;
    *data = *copy;
    return get_bytes(store, memory, 0, *copy, storage->bytes, diags);
}

static bool name_changed(gf_store *store, uint32_t buffer, bool *changed, gf_diags *diags) {
    gf_storage *found = &store->storages[store->found[buffer]];
    gf_storage *now = &store->storages[store->names[buffer]];
    *changed = false;
    if (now->bytes == 0 || (found == now && !found->written) || (!found->ready && !now->ready)) {
        return true;
    }
    void *found_copy = NULL;
    void *now_copy = NULL;
    const void *before = found->before;
    const void *after = NULL;
    bool done = (found->written || storage_on_host(store, found, &before, &found_copy, diags)) &&
                storage_on_host(store, now, &after, &now_copy, diags);
    *changed = done && memcmp(before, after, now->bytes) != 0;
    gf_free(found_copy);
    gf_free(now_copy);
    return done;
}

bool gf_store_changed(gf_store *store, bool *changed, gf_diags *diags) {
    *changed = false;
    for (size_t i = 0; i < store->watched_count && !*changed; i++) {
        if (!name_changed(store, store->watched[i], changed, diags)) {
            return false;
        }
    }
    return true;
}
