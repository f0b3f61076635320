/* The storage behind the buffers of a plan during one run, in memory of the host or of a device.
 *
 * A buffer is a name, and names stand for storage: a swap exchanges what two names stand for. What a caller lends is
 * read in place until something first writes it; then it is copied, once. What starts as zeros is made when it is first
 * needed. Of watched buffers the bytes that a pass found are kept, from the moment that something is about to write
 * them.
 *
 * In place, memory that was lent for a result is storage itself: nothing is copied, and nothing is written to it before
 * it is edited. */
#ifndef GF_RUN_STORE_H
#define GF_RUN_STORE_H

#include "plan/plan.h"
#include "run/job.h"

typedef struct gf_storage {
    const void *borrowed; /* the caller's, not to be written; NULL once there is a copy */
    void *own;
    bool external; /* `own` belongs to a gf_buffer, or to the caller (in place) */
    bool ready;    /* borrowed or own holds the contents (bytes may be 0) */
    size_t bytes, capacity;
    bool marked;        /* a watched name stood for it when the pass began */
    bool written;       /* since then */
    const void *before; /* written: the bytes as the pass found them */
    void *snapshot;
    size_t snapshot_capacity;
} gf_storage;

typedef struct gf_store {
    const gf_job *job;
    gf_device *device; /* whose memory it is; NULL: the host's */
    bool direct;       /* pointers can be used as such */
    /* Set before gf_store_init: */
    bool in_place;           /* memory that was lent for results is worked on */
    const bool *overwritten; /* by buffer of the program: it need not begin as zeros; NULL: all must */
    bool *zeros;             /* by buffer of the program: noted here what somebody else will set; NULL: set it */
    gf_storage *storages;
    uint32_t *names;   /* by buffer: its storage */
    uint32_t *found;   /* by buffer, of watched ones: its storage when the pass began */
    uint64_t *lengths; /* by buffer, elements */
    size_t *sizes;     /* by buffer, bytes of an element */
    size_t count;
    const uint32_t *watched;
    size_t watched_count;
    uint64_t bytes_now, bytes_most; /* memory taken */
    uint64_t bytes_up, bytes_down;
} gf_store;

/* Takes up the buffers of the job; the hidden ones of `plan` (NULL: there are none) get their length by
 * gf_store_resize. gf_store_finish is due in any case. */
bool gf_store_init(gf_store *store, const gf_job *job, const gf_plan *plan, gf_device *device, gf_diags *diags);
void gf_store_finish(gf_store *store);
/* Bytes that the run may still take; UINT64_MAX without a limit. */
uint64_t gf_store_memory_left(const gf_store *store);

/* Sets the length of a hidden buffer; what is new is zeros. */
bool gf_store_resize(gf_store *store, uint32_t buffer, uint64_t count, gf_diags *diags);
/* The contents are there, to be read: a pointer of the store's memory. NULL with *failed for an empty buffer not. */
bool gf_store_view(gf_store *store, uint32_t buffer, const void **memory, gf_diags *diags);
/* The same, to be written: lent bytes are copied first, watched ones kept. */
bool gf_store_edit(gf_store *store, uint32_t buffer, void **memory, gf_diags *diags);
/* For store_results.c: a storage that was only lent becomes the store's own copy. */
bool gf_store_own(gf_store *store, uint32_t storage, gf_diags *diags);
bool gf_store_read(gf_store *store, uint32_t buffer, size_t offset, void *data, size_t bytes, gf_diags *diags);
bool gf_store_write(gf_store *store, uint32_t buffer, size_t offset, const void *data, size_t bytes, gf_diags *diags);
bool gf_store_copy(gf_store *store, uint32_t from, uint32_t to, gf_diags *diags);
bool gf_store_fill(gf_store *store, uint32_t buffer, uint64_t bits, gf_diags *diags);
void gf_store_swap(gf_store *store, uint32_t a, uint32_t b);
/* All of it in host memory: *data is the storage itself, or a copy in *copy that the caller frees. */
bool gf_store_host_view(gf_store *store, uint32_t buffer, const void **data, void **copy, gf_diags *diags);

/* A pass begins: what the watched names stand for now is what it found. */
void gf_store_mark(gf_store *store);
/* Whether any watched name holds other bytes than the pass found. */
bool gf_store_changed(gf_store *store, bool *changed, gf_diags *diags);

/* After success: results go to the caller's memory, and device buffers hold what their names stand for. Cannot fail
 * where the store works in place. */
bool gf_store_hand_back(gf_store *store, gf_diags *diags);

#endif
