/* What the hand-written CUDA peers share. One program is three peers, by the form of control that PEER_FORM names:
 *
 *   cuda-coop   one cooperative kernel, with grid barriers of its own
 *   cuda-loop   a launch per pass; what decides is read back
 *   cuda-graph  a CUDA graph; where the number of passes is not known: graphs of some guarded passes, one after
 *               another, until a word in mapped host memory says that it is over
 *
 * A workload may have several variants of a form (shapes of the grid, passes of a graph); the fastest is found while
 * the peer loads, which is not timed. */
#ifndef CUDA_PEER_CUH
#define CUDA_PEER_CUH

#include <algorithm>
#include <functional>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tuple>
#include <utility>
#include <vector>
#ifdef PEER_STANDIN
#include "standin.cuh"
#else
#include "device.cuh"
#endif
extern "C" {
#include "../peers/peer.h"
}

#define UNREACHED UINT32_MAX
#define LINE 32 /* words of 128 bytes: what different blocks write lies on lines of its own */

enum peer_form { FORM_COOP, FORM_LOOP, FORM_GRAPH };
extern peer_form form; /* set before anything is loaded */

/* ---- the host's side; made from CUDA or from the stand-in ---- */

void begin_device();
unsigned processor_count();
void *device_alloc_bytes(size_t bytes);
void copy_to_device(void *to, const void *from, size_t bytes);
void copy_to_host(void *to, const void *from, size_t bytes);
/* These follow each other in one stream, and stand in a graph while one is recorded. */
void copy_on_device(void *to, const void *from, size_t bytes);
void copy_to_pinned(void *to, const void *from, size_t bytes);
void zero(void *at, size_t bytes);
void finish(); /* waits for all of them */

/* Memory of the host that the device can write: `device` is its address there. */
struct mapped {
    volatile uint32_t *host;
    uint32_t *device;
};
mapped make_mapped();
void *pinned_alloc(size_t bytes);

struct recording;
recording *record(const std::function<void()> &launches);
void replay(recording *);
void forget(recording *);

template <class T> T *device_alloc(size_t count) {
    return (T *)device_alloc_bytes((count + 1) * sizeof(T));
}

/* An input of the workload on the device, with room for `more` elements behind. */
template <class T> T *device_read(const char *buffer, const char *type, size_t *count = nullptr, size_t more = 4) {
    size_t n = 0;
    void *data = peer_read(buffer, type, &n);
    T *out = device_alloc<T>(n + more);
    copy_to_device(out, data, n * sizeof(T));
    free(data);
    if (count != nullptr) {
        *count = n;
    }
    return out;
}

template <class T> void device_write(const char *buffer, const char *type, const T *data, size_t count) {
    std::vector<T> host(count + 1);
    copy_to_host(host.data(), data, count * sizeof(T));
    peer_write(buffer, type, host.data(), count);
}

/* The words behind grid barriers, zero before each run. */
#define BARRIER_WORDS (3 * LINE)
unsigned *barrier_words();

/* ---- variants ---- */

/* How many blocks of a kernel are resident at once on the whole device; `per_processor` at most. */
template <class... P>
unsigned resident(void (*kernel)(P...), unsigned threads, unsigned per_processor, size_t shared = 0);

struct variant {
    const char *name;
    std::function<void()> run; /* waits until it is done */
};
/* Runs each some times and keeps the fastest, for run_variant. `reset` goes before each run. */
void choose_variant(const char *workload, void (*reset)(), std::vector<variant> variants);
void run_variant();

/* Replays the graph until the word that its last kernel writes, graphs done << 1 | is it over, says so. Ahead: the next
 * one is queued before the answer is there; passes past the end must do nothing. */
void run_chunks(recording *chunk, mapped word, bool ahead);

/* ---- the device's side ---- */

__device__ __forceinline__ unsigned thread_index() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ unsigned thread_count() {
    return gridDim.x * blockDim.x;
}
__device__ __forceinline__ unsigned lane_index() {
    return threadIdx.x % 32;
}

/* One returning atomic per block, then one thread waits for the rest. `round` counts up from 1 in all blocks alike. */
__device__ __forceinline__ void grid_barrier(unsigned *words, unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = round * gridDim.x;
        if ((int)(atom_add_acq_rel(words, 1U) + 1 - all) < 0) {
            while ((int)(load_acquire(words) - all) < 0) {
            }
        }
    }
    __syncthreads();
}

/* A barrier that gives the sum of what thread 0 of each block brings, the same to all threads. */
struct grid_vote {
    unsigned long long *words;           /* two, used in turn, on lines of their own */
    unsigned round, before, before_last; /* sums seen at the last use of this word, and of the other */

    __device__ __forceinline__ explicit grid_vote(unsigned *barrier)
        : words((unsigned long long *)(barrier + LINE)), round(0), before(0), before_last(0) {
    }

    __device__ __forceinline__ unsigned operator()(unsigned votes) {
        SHARED(unsigned, answer, 1);
        round++;
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned long long *word = words + (round & 1) * (LINE / 2);
            unsigned long long add = (unsigned long long)votes << 32 | 1;
            unsigned all = (round + 1) / 2 * gridDim.x;
            unsigned long long seen = atom_add_acq_rel(word, add) + add;
            while ((int)((unsigned)seen - all) < 0) {
                seen = load_acquire(word);
            }
            unsigned sum = (unsigned)(seen >> 32);
            *answer = sum - before;
            before = before_last;
            before_last = sum;
        }
        __syncthreads();
        return *answer; /* thread 0 writes it again only behind the next __syncthreads */
    }
};

/* Sums over the block, for thread 0. */
template <class T> __device__ __forceinline__ T sum_warp(T x) {
    for (unsigned by = 16; by > 0; by /= 2) {
        x += __shfl_xor_sync(FULL, x, by);
    }
    return x;
}
__device__ __forceinline__ uint32_t sum_warp(uint32_t x) {
    return __reduce_add_sync(FULL, x);
}
template <class T> __device__ __forceinline__ T sum_block(T x) {
    SHARED(T, parts, 32);
    x = sum_warp(x);
    __syncthreads(); /* an earlier sum has been read */
    if (lane_index() == 0) {
        parts[threadIdx.x / 32] = x;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        x = sum_warp(threadIdx.x < (blockDim.x + 31) / 32 ? parts[threadIdx.x] : (T)0);
    }
    return x;
}
__device__ __forceinline__ float max_block(float x) {
    SHARED(float, parts, 32);
    for (unsigned by = 16; by > 0; by /= 2) {
        x = fmaxf(x, __shfl_xor_sync(FULL, x, by));
    }
    __syncthreads();
    if (lane_index() == 0) {
        parts[threadIdx.x / 32] = x;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        x = threadIdx.x < (blockDim.x + 31) / 32 ? parts[threadIdx.x] : 0.0F;
        for (unsigned by = 16; by > 0; by /= 2) {
            x = fmaxf(x, __shfl_xor_sync(FULL, x, by));
        }
    }
    return x;
}

/* What thread 0 has, for the whole block. */
template <class T> __device__ __forceinline__ T share_block(T x) {
    SHARED(T, one, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        *one = x;
    }
    __syncthreads();
    return *one;
}

/* ---- launches ---- */

#ifdef PEER_STANDIN
struct recording {
    std::vector<std::function<void()>> steps;
};
void do_or_record(std::function<void()> step);

template <class... P, class... A>
void launch_on(bool together, void (*kernel)(P...), unsigned blocks, unsigned threads, size_t shared, A... given) {
    std::tuple<P...> values(given...);
    do_or_record([=] {
        std::function<void()> call = [=] { std::apply(kernel, values); };
        standin::run_grid(blocks, threads, shared, together, call);
    });
}
template <class... P> unsigned resident(void (*)(P...), unsigned, unsigned per_processor, size_t) {
    return standin::PROCESSORS * (per_processor > 1 ? 2 : 1);
}
#else
template <class... P, class... A>
void launch_on(bool together, void (*kernel)(P...), unsigned blocks, unsigned threads, size_t shared, A... given) {
    std::tuple<P...> values(given...);
    void *pointers[sizeof...(P) + 1];
    std::apply(
        [&](auto &...at) {
            size_t i = 0;
            ((pointers[i++] = (void *)&at), ...);
        },
        values);
    launch_kernel(together, (const void *)kernel, blocks, threads, shared, pointers);
}
template <class... P> unsigned resident(void (*kernel)(P...), unsigned threads, unsigned per_processor, size_t shared) {
    return resident_blocks((const void *)kernel, threads, per_processor, shared);
}
#endif
template <class... P, class... A> void launch(void (*kernel)(P...), unsigned blocks, unsigned threads, A... given) {
    launch_on(false, kernel, blocks, threads, 0, given...);
}
template <class... P, class... A>
void launch_together(void (*kernel)(P...), unsigned blocks, unsigned threads, size_t shared, A... given) {
    launch_on(true, kernel, blocks, threads, shared, given...);
}

#endif
