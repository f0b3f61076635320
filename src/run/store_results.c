/* The end of a run that has succeeded: what its names stand for goes to those who asked for it. */
#include "base/memory.h"
#include "run/store.h"
#include <string.h>

/* ---- results in memory that pointers reach ---- */

/* Swaps have left names in cycles: the contents that name i stands for lie in storage names[i], and go home to storage
 * i. A name without a result to hand back leaves room to begin with; else a block at a time goes round. */
static void move_cycle(gf_store *store, uint32_t first) {
    uint32_t *names = store->names;
    size_t bytes = store->storages[first].bytes;
    unsigned char block[16384];
    uint32_t dead = first;
    do {
        dead = names[dead];
    } while (dead != first && store->job->buffers[dead].bound->kind != GF_BOUND_NONE);
    if (store->job->buffers[dead].bound->kind == GF_BOUND_NONE) {
        for (uint32_t to = names[dead]; to != dead && bytes > 0; to = names[to]) {
            memcpy(store->storages[to].own, store->storages[names[to]].own, bytes);
        }
    } else {
        for (size_t at = 0; at < bytes; at += sizeof block) {
            size_t part = bytes - at < sizeof block ? bytes - at : sizeof block;
            uint32_t to = first;
            memcpy(block, (char *)store->storages[first].own + at, part);
            for (; names[to] != first; to = names[to]) {
                memcpy((char *)store->storages[to].own + at, (char *)store->storages[names[to]].own + at, part);
            }
            memcpy((char *)store->storages[to].own + at, block, part);
        }
    }
    for (uint32_t at = first, next = 0; names[at] != at; at = next) {
        next = names[at];
        names[at] = at;
    }
}

/* Whether all that names stand for can be brought home: nothing of it is only lent. */
static bool can_move(const gf_store *store) {
    for (size_t i = 0; i < store->job->buffer_count; i++) {
        const gf_storage *storage = &store->storages[store->names[i]];
        bool is_own = storage->bytes == 0 || (storage->own != NULL && storage->ready);
        if (store->names[i] != i && (store->names[i] >= store->job->buffer_count || !is_own)) {
            return false;
        }
    }
    return true;
}

static void hand_back_directly(gf_store *store) {
    for (uint32_t i = 0; i < store->job->buffer_count; i++) {
        if (store->names[i] != i) {
            move_cycle(store, i);
        }
    }
    for (uint32_t i = 0; i < store->job->buffer_count; i++) {
        const gf_job_buffer *target = &store->job->buffers[i];
        const gf_storage *storage = &store->storages[i];
        const char *from = storage->own != NULL ? storage->own : storage->borrowed;
        void *output = target->bound->kind != GF_BOUND_DEVICE ? target->bound->output : NULL;
        if (output == NULL || target->back_bytes == 0 || from == output) {
            continue;
        }
        store->bytes_down += store->device != NULL ? target->back_bytes : 0;
        if (storage->ready) {
            memmove(output, from + target->back_offset, target->back_bytes);
        } else {
            memset(output, 0, target->back_bytes); /* nothing has touched it */
        }
    }
}

/* ---- results ---- */

static bool hand_back_host(gf_store *store, uint32_t buffer, gf_diags *diags) {
    const gf_job_buffer *target = &store->job->buffers[buffer];
    void *output = target->bound->output;
    if (output == NULL || target->back_bytes == 0) {
        return true;
    }
    if (store->device != NULL && store->direct) {
        store->bytes_down += target->back_bytes;
    }
    return gf_store_read(store, buffer, target->back_offset, output, target->back_bytes, diags);
}

/* What the name of a device buffer stands for at the end, if it is not the buffer's own memory. */
static bool stage_device(gf_store *store, uint32_t buffer, void **copy, gf_diags *diags) {
    const gf_job_buffer *target = &store->job->buffers[buffer];
    const gf_storage *storage = &store->storages[store->names[buffer]];
    bool in_place = storage->external && storage->own == target->bound->buffer->memory;
    if (target->symbol->role == GF_ROLE_IN || target->bytes == 0 || in_place) {
        return true;
    }
    *copy = gf_malloc(target->bytes);
    if (*copy == NULL) {
        return gf_fail_memory(diags);
    }
    return gf_store_read(store, buffer, 0, *copy, target->bytes, diags);
}

static bool make_results_own(gf_store *store, gf_diags *diags) {
    for (size_t i = 0; i < store->job->buffer_count; i++) {
        /* A name that stands for memory lent under another name: that memory may be written in a moment. */
        if (store->names[i] != i && !gf_store_own(store, store->names[i], diags)) {
            return false;
        }
    }
    return true;
}

static bool hand_back_all(gf_store *store, void **copies, gf_diags *diags) {
    const gf_job *job = store->job;
    for (uint32_t i = 0; i < job->buffer_count; i++) {
        if (job->buffers[i].bound->kind == GF_BOUND_DEVICE && !stage_device(store, i, &copies[i], diags)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < job->buffer_count; i++) {
        if (job->buffers[i].bound->kind != GF_BOUND_DEVICE && !hand_back_host(store, i, diags)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < job->buffer_count; i++) {
        gf_buffer *buffer = job->buffers[i].bound->buffer;
        if (copies[i] != NULL &&
            !gf_device_upload(buffer->device, buffer->memory, 0, copies[i], job->buffers[i].bytes, diags)) {
            return false;
        }
    }
    return true;
}

bool gf_store_hand_back(gf_store *store, gf_diags *diags) {
    bool within_reach = store->job->device == NULL || store->job->device->limits.host_memory;
    if (within_reach && can_move(store)) {
        hand_back_directly(store);
        return true;
    }
    if (!make_results_own(store, diags)) {
        return false;
    }
    void **copies = gf_calloc(store->job->buffer_count, sizeof *copies);
    if (copies == NULL) {
        return gf_fail_memory(diags);
    }
    gf_diags *inner = gf_diags_create();
    bool done = inner != NULL && hand_back_all(store, copies, inner);
    if (!done && gf_diags_status(inner) != GF_STATUS_DEVICE) {
        gf_diags_take(diags, inner);
        if (inner == NULL) {
            (void)gf_fail_memory(diags);
        }
    } else if (!done) {
        gf_diag first = {.message = ""};
        (void)gf_diags_get(inner, 0, &first);
        (void)gf_fail(
            diags, GF_CODE_READ_BACK, GF_NO_SPAN,
            "the run was done, but reading its results back failed; the caller's memory may be written in part");
        gf_note(diags, GF_NO_SPAN, "%s", first.message);
    }
    for (size_t i = 0; i < store->job->buffer_count; i++) {
        gf_free(copies[i]);
    }
    gf_free(copies);
    gf_diags_destroy(inner);
    return done;
}
