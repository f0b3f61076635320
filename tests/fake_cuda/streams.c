/* Streams, events, and what is put into them: copies and sets of memory. */
#include "fake.h"
#include "ptx.h"
#include <stdlib.h>
#include <string.h>

typedef struct work {
    uint64_t number;
    void *to;
    const void *from; /* NULL: value is set */
    size_t bytes;
    unsigned value, element;
    fake_work other;
    struct work *next;
} work;

struct CUstream_st {
    CUcontext context;
    work *first, *last;
    uint64_t given, done;
    struct CUstream_st *next;
};

struct CUevent_st {
    CUstream stream; /* NULL: not recorded, or the stream is gone */
    uint64_t number;
    unsigned flags;
    uint64_t time; /* when the stream came to it */
    struct CUevent_st *next;
};

static CUstream streams;
static CUevent events;
static struct CUstream_st default_streams[FAKE_MOST_DEVICES];

static void set_memory(const work *now) {
    if (now->value == 0) {
        memset(now->to, 0, now->bytes);
        return;
    }
    for (size_t i = 0; i < now->bytes; i += now->element) {
        memcpy((char *)now->to + i, &now->value, now->element); /* little-endian */
    }
}

/* FAKE_CUDA_CLOCK: an instruction takes 1 ns, and so do 1000 bytes of a copy, and any work 100. */
static uint64_t copied;

static uint64_t now_in_steps(void) {
    return fake_instructions() + copied;
}

static void note_time(CUstream stream) {
    for (CUevent event = events; event != NULL; event = event->next) {
        if (event->stream == stream && event->number == stream->done) {
            event->time = now_in_steps();
        }
    }
}

#define ALL UINT64_MAX
#define SOME ((uint64_t)1 << 18) /* instructions of kernels between two looks at a stream */

/* With ALL instructions to the end; else kernels may not have come to theirs. */
static bool run_part(CUstream stream, uint64_t number, uint64_t instructions) {
    while (stream->first != NULL && stream->first->number <= number) {
        work *now = stream->first;
        bool is_done = now->other.run == NULL || now->other.run(now->other.state, instructions);
        if (!is_done && instructions == ALL) {
            continue;
        }
        if (!is_done) {
            return false;
        }
        if (now->other.end != NULL) {
            now->other.end(now->other.state);
        }
        stream->first = now->next;
        stream->last = stream->first == NULL ? NULL : stream->last;
        if (now->from != NULL) {
            memcpy(now->to, now->from, now->bytes);
        } else if (now->element > 0) {
            set_memory(now);
        }
        copied += 100 + now->bytes / 1000;
        stream->done = now->number;
        note_time(stream);
        free(now);
    }
    return true;
}

static void run_until(CUstream stream, uint64_t number) {
    (void)run_part(stream, number, ALL);
}

bool fake_is_busy(void) {
    bool is_busy = false;
    for (CUstream at = streams; at != NULL; at = at->next) {
        is_busy |= at->first != NULL;
    }
    return is_busy;
}

void fake_run_streams(void) {
    CUcontext context = fake_current();
    for (CUstream at = streams; at != NULL; at = at->next) {
        if (at->context == context) {
            run_until(at, UINT64_MAX);
        }
    }
    if (context != NULL) {
        run_until(&default_streams[context->device], UINT64_MAX);
    }
}

/* NULL where it is none, or of another context than the current one. */
static CUstream find_stream(CUstream stream) {
    if ((uintptr_t)stream < 3) {
        return &default_streams[fake_current()->device];
    }
    for (CUstream at = streams; at != NULL; at = at->next) {
        if (at == stream) {
            return stream->context == fake_current() ? stream : NULL;
        }
    }
    return NULL;
}

static CUresult put_work(CUstream stream, work what) {
    CUstream found = find_stream(stream);
    work *added = malloc(sizeof *added);
    if (added == NULL) {
        abort();
    }
    if (found == NULL) {
        free(added);
        return CUDA_ERROR_INVALID_HANDLE;
    }
    *added = what;
    added->number = ++found->given;
    added->next = NULL;
    if (found->last != NULL) {
        found->last->next = added;
    } else {
        found->first = added;
    }
    found->last = added;
    return CUDA_SUCCESS;
}

#define ENTER(symbol)                                                                                                  \
    CUresult entered = fake_enter_context(symbol);                                                                     \
    if (entered != CUDA_SUCCESS) {                                                                                     \
        return entered;                                                                                                \
    }

/* ---- streams and events ---- */

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
    (void)flags;
    ENTER("cuStreamCreate")
    *stream = calloc(1, sizeof **stream);
    if (*stream == NULL) {
        abort();
    }
    (*stream)->context = fake_current();
    (*stream)->next = streams;
    streams = *stream;
    fake_count(1);
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuStreamDestroy_v2(CUstream stream) {
    CUresult entered = fake_enter("cuStreamDestroy_v2");
    if (entered != CUDA_SUCCESS) {
        return entered;
    }
    for (CUstream *at = &streams; *at != NULL; at = &(*at)->next) {
        if (*at == stream) {
            run_until(stream, UINT64_MAX);
            for (CUevent event = events; event != NULL; event = event->next) {
                event->stream = event->stream == stream ? NULL : event->stream;
            }
            *at = stream->next;
            free(stream);
            fake_count(-1);
            return fake_leave(CUDA_SUCCESS);
        }
    }
    return fake_leave(CUDA_ERROR_INVALID_HANDLE);
}

static CUresult wait_stream(CUstream stream) {
    CUstream found = find_stream(stream);
    if (found != NULL) {
        run_until(found, UINT64_MAX);
    }
    return found != NULL ? fake_current()->lost : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamSynchronize(CUstream stream) {
    ENTER("cuStreamSynchronize")
    return fake_leave(wait_stream(stream));
}

/* What is asked of a stream goes on meanwhile. */
static CUresult look(CUstream stream, uint64_t number) {
    bool is_done = run_part(stream, number, SOME);
    CUresult lost = fake_current()->lost;
    return lost != CUDA_SUCCESS ? lost : is_done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamQuery(CUstream stream) {
    ENTER("cuStreamQuery")
    CUstream found = find_stream(stream);
    if (found == NULL) {
        return fake_leave(CUDA_ERROR_INVALID_HANDLE);
    }
    return fake_leave(look(found, UINT64_MAX));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    (void)flags;
    ENTER("cuStreamWaitEvent")
    if (event->stream != NULL) {
        run_until(event->stream, event->number);
    }
    return fake_leave(find_stream(stream) != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
    CUresult entered = fake_enter("cuStreamGetCtx");
    if (entered != CUDA_SUCCESS) {
        return entered;
    }
    for (CUstream at = streams; at != NULL; at = at->next) {
        if (at == stream) {
            *context = stream->context;
            return fake_leave(CUDA_SUCCESS);
        }
    }
    return fake_leave(CUDA_ERROR_INVALID_HANDLE);
}

CUresult cuEventCreate(CUevent *event, unsigned flags) {
    ENTER("cuEventCreate")
    *event = calloc(1, sizeof **event);
    if (*event == NULL) {
        abort();
    }
    (*event)->flags = flags;
    (*event)->next = events;
    events = *event;
    fake_count(1);
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuEventDestroy_v2(CUevent event) {
    CUresult entered = fake_enter("cuEventDestroy_v2");
    if (entered != CUDA_SUCCESS) {
        return entered;
    }
    for (CUevent *at = &events; *at != NULL; at = &(*at)->next) {
        if (*at == event) {
            *at = event->next;
            free(event);
            fake_count(-1);
            return fake_leave(CUDA_SUCCESS);
        }
    }
    return fake_leave(CUDA_ERROR_INVALID_HANDLE);
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    ENTER("cuEventRecord")
    CUresult result = put_work(stream, (work){0});
    if (result == CUDA_SUCCESS) {
        event->stream = find_stream(stream);
        event->number = event->stream->given;
    }
    return fake_leave(result);
}

static CUresult wait_event(CUevent event) {
    if (event->stream != NULL) {
        run_until(event->stream, event->number);
    }
    return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent event) {
    ENTER("cuEventQuery")
    return fake_leave(event->stream != NULL ? look(event->stream, event->number) : CUDA_SUCCESS);
}

CUresult cuEventSynchronize(CUevent event) {
    ENTER("cuEventSynchronize")
    return fake_leave(wait_event(event));
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
    ENTER("cuEventElapsedTime")
    *milliseconds = getenv("FAKE_CUDA_CLOCK") != NULL ? (float)(to->time - from->time) / 1e6F : 0.001F;
    return fake_leave(((from->flags | to->flags) & CU_EVENT_DISABLE_TIMING) != 0 ? CUDA_ERROR_INVALID_HANDLE
                                                                                 : CUDA_SUCCESS);
}

/* ---- copies ---- */

/* Pageable memory is read or written before the call returns, behind what is in the stream. */
static CUresult put_copy(CUstream stream, void *to, const void *from, size_t bytes, const void *host) {
    if (to == NULL || from == NULL) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUresult result = put_work(stream, (work){.to = to, .from = from, .bytes = bytes});
    if (result == CUDA_SUCCESS && host != NULL && !fake_is_pinned(host, bytes)) {
        return wait_stream(stream);
    }
    return result;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    ENTER("cuMemcpyHtoDAsync_v2")
    return fake_leave(put_copy(stream, fake_resolve(to, bytes), from, bytes, from));
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    ENTER("cuMemcpyDtoHAsync_v2")
    return fake_leave(put_copy(stream, to, fake_resolve(from, bytes), bytes, to));
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    ENTER("cuMemcpyDtoDAsync_v2")
    return fake_leave(put_copy(stream, fake_resolve(to, bytes), fake_resolve(from, bytes), bytes, NULL));
}

static CUresult copy_now(void *to, const void *from, size_t bytes) {
    CUresult result = put_copy(NULL, to, from, bytes, NULL);
    return result == CUDA_SUCCESS ? wait_stream(NULL) : result;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
    ENTER("cuMemcpyHtoD_v2")
    return fake_leave(copy_now(fake_resolve(to, bytes), from, bytes));
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
    ENTER("cuMemcpyDtoH_v2")
    return fake_leave(copy_now(to, fake_resolve(from, bytes), bytes));
}

static CUresult put_set(CUstream stream, CUdeviceptr to, unsigned value, unsigned element, size_t count) {
    void *memory = fake_resolve(to, count * element);
    if (memory == NULL || to % element != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return put_work(stream, (work){.to = memory, .bytes = count * element, .value = value, .element = element});
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
    ENTER("cuMemsetD8Async")
    return fake_leave(put_set(stream, to, value, 1, count));
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
    ENTER("cuMemsetD32Async")
    return fake_leave(put_set(stream, to, value, 4, count));
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
    ENTER("cuMemsetD8_v2")
    return fake_leave(put_set(NULL, to, value, 1, count));
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
    ENTER("cuMemsetD32_v2")
    return fake_leave(put_set(NULL, to, value, 4, count));
}

CUresult fake_put_work(CUstream stream, fake_work what) {
    CUresult result = put_work(stream, (work){.other = what});
    if (result != CUDA_SUCCESS) {
        what.end(what.state);
    }
    return result;
}

/* For launches and graphs: nothing that takes its turn. */
CUresult fake_put_nothing(CUstream stream);
CUresult fake_put_nothing(CUstream stream) {
    return put_work(stream, (work){0});
}
