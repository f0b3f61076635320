#include "backend/cuda/staging.h"
#include <string.h>
#include <unistd.h>

#define LARGE_SLOT ((size_t)1 << 20)
#define LEAST_CHUNK ((size_t)256 << 10)
#define WORTH_PINNING ((uint64_t)32 << 20)
#define WORTH_THREADS ((size_t)8 << 20)

typedef struct transfer {
    gf_cuda_staging *staging;
    bool is_upload;
    CUdeviceptr device;
    char *host;
    size_t bytes, chunk;
    _Atomic(size_t) next; /* chunk */
    /* The first call that failed. */
    _Atomic(bool) has_failed;
    CUresult result;
    const char *call;
} transfer;

bool gf_cuda_staging_init(gf_cuda_staging *staging, gf_cuda_context *context, CUstream stream) {
    *staging = (gf_cuda_staging){.context = context, .stream = stream};
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    staging->threads = cpus < 1 ? 1 : cpus < GF_CUDA_LANES ? (unsigned)cpus : GF_CUDA_LANES;
    if (pthread_mutex_init(&staging->lock, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(&staging->given, NULL) != 0) {
        (void)pthread_mutex_destroy(&staging->lock);
        return false;
    }
    return true;
}

/* ---- lanes ---- */

static void free_slots(const gf_cuda_driver *driver, gf_cuda_lane *lane) {
    for (unsigned i = 0; i < 2; i++) {
        if (lane->events[i] != NULL) {
            (void)driver->cuEventSynchronize(lane->events[i]); /* the device reads the slot until then */
            (void)driver->cuEventDestroy(lane->events[i]);
            lane->events[i] = NULL;
        }
        if (lane->slots[i] != NULL) {
            (void)driver->cuMemFreeHost(lane->slots[i]);
            lane->slots[i] = NULL;
        }
    }
    lane->slot_bytes = 0;
}

void gf_cuda_staging_finish(gf_cuda_staging *staging) {
    for (unsigned i = 0; i < GF_CUDA_LANES && gf_cuda_can_free(staging->context); i++) {
        free_slots(staging->context->driver, &staging->lanes[i]);
    }
    (void)pthread_cond_destroy(&staging->given);
    (void)pthread_mutex_destroy(&staging->lock);
}

static gf_cuda_lane *find_lane(gf_cuda_staging *staging) {
    for (unsigned i = 0; i < GF_CUDA_LANES; i++) {
        if (!staging->lanes[i].is_taken) {
            staging->lanes[i].is_taken = true;
            return &staging->lanes[i];
        }
    }
    return NULL;
}

/* NULL only where it need not wait. */
static gf_cuda_lane *take_lane(gf_cuda_staging *staging, bool waits) {
    (void)pthread_mutex_lock(&staging->lock);
    gf_cuda_lane *lane = find_lane(staging);
    while (lane == NULL && waits) {
        (void)pthread_cond_wait(&staging->given, &staging->lock);
        lane = find_lane(staging);
    }
    (void)pthread_mutex_unlock(&staging->lock);
    return lane;
}

static void give_lane(gf_cuda_staging *staging, gf_cuda_lane *lane) {
    (void)pthread_mutex_lock(&staging->lock);
    lane->is_taken = false;
    (void)pthread_cond_signal(&staging->given);
    (void)pthread_mutex_unlock(&staging->lock);
}

/* ---- one lane's part of a transfer ---- */

/* False once the transfer has failed, by this call or another. */
static bool note_result(transfer *whole, CUresult result, const char *call) {
    if (result != CUDA_SUCCESS && !atomic_exchange(&whole->has_failed, true)) {
        whole->result = result;
        whole->call = call;
    }
    return result == CUDA_SUCCESS && !atomic_load(&whole->has_failed);
}

/* False where memory cannot be pinned: then the transfer goes without, unless it has failed. */
static bool pin_slots(transfer *whole, gf_cuda_lane *lane, size_t bytes) {
    const gf_cuda_driver *driver = whole->staging->context->driver;
    if (lane->slot_bytes >= bytes) {
        return true;
    }
    for (unsigned i = 0; i < 2; i++) {
        if (lane->events[i] != NULL &&
            !note_result(whole, driver->cuEventSynchronize(lane->events[i]), "cuEventSynchronize")) {
            return false;
        }
    }
    free_slots(driver, lane);
    for (unsigned i = 0; i < 2; i++) {
        void *memory = NULL;
        const char *call = "cuMemHostAlloc";
        CUresult result = driver->cuMemHostAlloc(&memory, bytes, 0);
        lane->slots[i] = result == CUDA_SUCCESS ? memory : NULL;
        if (result == CUDA_SUCCESS) {
            call = "cuEventCreate";
            result = driver->cuEventCreate(&lane->events[i], CU_EVENT_DISABLE_TIMING);
            lane->events[i] = result == CUDA_SUCCESS ? lane->events[i] : NULL;
        }
        if (result != CUDA_SUCCESS) {
            free_slots(driver, lane);
            if (gf_cuda_is_sticky(result)) {
                (void)note_result(whole, result, call);
            }
            return false;
        }
    }
    lane->slot_bytes = bytes;
    return true;
}

typedef struct part {
    size_t offset, bytes; /* 0 bytes: none */
    unsigned slot;
} part;

static part next_part(transfer *whole, gf_cuda_lane *lane) {
    size_t offset = atomic_fetch_add(&whole->next, 1) * whole->chunk;
    if (offset >= whole->bytes) {
        return (part){0};
    }
    size_t left = whole->bytes - offset;
    lane->turn ^= 1U;
    return (part){.offset = offset, .bytes = left < whole->chunk ? left : whole->chunk, .slot = lane->turn};
}

static void upload_parts(transfer *whole, gf_cuda_lane *lane) {
    const gf_cuda_driver *driver = whole->staging->context->driver;
    CUstream stream = whole->staging->stream;
    for (part now = next_part(whole, lane); now.bytes > 0; now = next_part(whole, lane)) {
        if (!note_result(whole, driver->cuEventSynchronize(lane->events[now.slot]), "cuEventSynchronize")) {
            return;
        }
        memcpy(lane->slots[now.slot], whole->host + now.offset, now.bytes);
        CUresult result =
            driver->cuMemcpyHtoDAsync(whole->device + now.offset, lane->slots[now.slot], now.bytes, stream);
        if (!note_result(whole, result, "cuMemcpyHtoDAsync") ||
            !note_result(whole, driver->cuEventRecord(lane->events[now.slot], stream), "cuEventRecord")) {
            return;
        }
    }
}

static bool fetch_part(transfer *whole, gf_cuda_lane *lane, part now) {
    const gf_cuda_driver *driver = whole->staging->context->driver;
    CUstream stream = whole->staging->stream;
    /* What the slot was last used for comes before this in the stream. */
    CUresult result = driver->cuMemcpyDtoHAsync(lane->slots[now.slot], whole->device + now.offset, now.bytes, stream);
    return note_result(whole, result, "cuMemcpyDtoHAsync") &&
           note_result(whole, driver->cuEventRecord(lane->events[now.slot], stream), "cuEventRecord");
}

static void download_parts(transfer *whole, gf_cuda_lane *lane) {
    const gf_cuda_driver *driver = whole->staging->context->driver;
    part before = {0};
    bool goes_on = true;
    while (goes_on) {
        part now = next_part(whole, lane);
        if (now.bytes > 0 && !fetch_part(whole, lane, now)) {
            return;
        }
        if (before.bytes > 0) {
            if (!note_result(whole, driver->cuEventSynchronize(lane->events[before.slot]), "cuEventSynchronize")) {
                return;
            }
            memcpy(whole->host + before.offset, lane->slots[before.slot], before.bytes);
        }
        before = now;
        goes_on = now.bytes > 0;
    }
}

static void do_parts(transfer *whole, gf_cuda_lane *lane) {
    if (whole->is_upload) {
        upload_parts(whole, lane);
    } else {
        download_parts(whole, lane);
    }
}

/* ---- several threads ---- */

typedef struct helper {
    transfer *whole;
    gf_cuda_lane *lane;
    pthread_t thread;
} helper;

static void *help(void *argument) {
    helper *self = argument;
    gf_cuda_context *context = self->whole->staging->context;
    /* A helper that cannot begin leaves its share to the others. */
    if (gf_cuda_enter(context, NULL)) {
        if (pin_slots(self->whole, self->lane, LARGE_SLOT)) {
            do_parts(self->whole, self->lane);
        }
        gf_cuda_leave(context);
    }
    return NULL;
}

static void do_together(transfer *whole, gf_cuda_lane *lane) {
    gf_cuda_staging *staging = whole->staging;
    helper helpers[GF_CUDA_LANES - 1];
    unsigned count = 0;
    while (count + 1 < staging->threads) {
        gf_cuda_lane *another = take_lane(staging, false);
        if (another == NULL) {
            break;
        }
        helpers[count] = (helper){.whole = whole, .lane = another};
        if (pthread_create(&helpers[count].thread, NULL, help, &helpers[count]) != 0) {
            give_lane(staging, another);
            break;
        }
        count++;
    }
    do_parts(whole, lane);
    for (unsigned i = 0; i < count; i++) {
        (void)pthread_join(helpers[i].thread, NULL);
        give_lane(staging, helpers[i].lane);
    }
}

/* ---- ways to move ---- */

/* By the driver alone. It may read or write the process's memory until the stream gets there, so it is waited for. */
static void do_direct(transfer *whole) {
    const gf_cuda_driver *driver = whole->staging->context->driver;
    CUstream stream = whole->staging->stream;
    CUresult result = whole->is_upload ? driver->cuMemcpyHtoDAsync(whole->device, whole->host, whole->bytes, stream)
                                       : driver->cuMemcpyDtoHAsync(whole->host, whole->device, whole->bytes, stream);
    if (note_result(whole, result, whole->is_upload ? "cuMemcpyHtoDAsync" : "cuMemcpyDtoHAsync")) {
        (void)note_result(whole, driver->cuStreamSynchronize(stream), "cuStreamSynchronize");
    }
}

/* Memory of the caller that the driver has pinned needs no staging. */
static bool is_pinned(transfer *whole) {
    unsigned type = 0; /* stays 0 of memory that the driver does not know */
    CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    void *value = &type;
    CUresult result = whole->staging->context->driver->cuPointerGetAttributes(1, &attribute, &value,
                                                                              (CUdeviceptr)(uintptr_t)whole->host);
    if (gf_cuda_is_sticky(result)) {
        (void)note_result(whole, result, "cuPointerGetAttributes");
    }
    return result == CUDA_SUCCESS && type == CU_MEMORYTYPE_HOST;
}

/* True once so much was moved that pinning pays. */
static bool is_worth_pinning(gf_cuda_staging *staging, size_t bytes) {
    (void)pthread_mutex_lock(&staging->lock);
    staging->moved += bytes;
    bool is_worth = staging->moved >= WORTH_PINNING;
    (void)pthread_mutex_unlock(&staging->lock);
    return is_worth;
}

static void do_staged(transfer *whole) {
    gf_cuda_staging *staging = whole->staging;
    bool is_small = whole->bytes <= GF_CUDA_SMALL_TRANSFER;
    gf_cuda_lane *lane = take_lane(staging, true);
    if (!pin_slots(whole, lane, is_small ? GF_CUDA_SMALL_TRANSFER : LARGE_SLOT)) {
        give_lane(staging, lane);
        if (!atomic_load(&whole->has_failed)) {
            do_direct(whole);
        }
        return;
    }
    if (whole->bytes >= WORTH_THREADS) {
        do_together(whole, lane);
    } else {
        do_parts(whole, lane);
    }
    give_lane(staging, lane);
}

static bool move(transfer *whole, gf_diags *diags) {
    gf_cuda_staging *staging = whole->staging;
    gf_cuda_context *context = staging->context;
    if (!gf_cuda_enter(context, diags)) {
        return false;
    }
    size_t quarter = whole->bytes / 4;
    whole->chunk = whole->bytes <= GF_CUDA_SMALL_TRANSFER ? GF_CUDA_SMALL_TRANSFER
                   : quarter < LEAST_CHUNK                ? LEAST_CHUNK
                   : quarter > LARGE_SLOT                 ? LARGE_SLOT
                                                          : quarter;
    bool is_small = whole->bytes <= GF_CUDA_SMALL_TRANSFER;
    bool is_direct = !is_small && (is_pinned(whole) || !is_worth_pinning(staging, whole->bytes));
    if (!atomic_load(&whole->has_failed)) {
        if (is_direct) {
            do_direct(whole);
        } else {
            do_staged(whole);
        }
    }
    bool done = !atomic_load(&whole->has_failed);
    if (!done) {
        (void)context->driver->cuStreamSynchronize(staging->stream); /* nothing is under way in slots given back */
        (void)gf_cuda_try(context, whole->result, whole->call, diags);
    }
    gf_cuda_leave(context);
    return done;
}

bool gf_cuda_upload(gf_cuda_staging *staging, CUdeviceptr to, const void *from, size_t bytes, gf_diags *diags) {
    /* Only read from, as is_upload says. */
    transfer whole = {
        .staging = staging, .is_upload = true, .device = to, .host = (char *)(uintptr_t)from, .bytes = bytes};
    return move(&whole, diags);
}

bool gf_cuda_download(gf_cuda_staging *staging, void *to, CUdeviceptr from, size_t bytes, gf_diags *diags) {
    transfer whole = {.staging = staging, .device = from, .host = to, .bytes = bytes};
    return move(&whole, diags);
}
