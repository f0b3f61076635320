/* A stand-in for a GPU, so that the peers can be tried where there is none: the threads of a grid are fibers on one CPU
 * thread, each run until it has to wait. Atomics need nothing; what wants other threads to go on must be one of the
 * functions below. Only for tests: slow, and no more of CUDA than the peers use. */
#ifndef GPU_STANDIN_H
#define GPU_STANDIN_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <sys/mman.h>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define FULL 0xffffffffU

struct uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
static inline uint2 make_uint2(unsigned x, unsigned y) {
    return {x, y};
}
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
    return {x, y, z, w};
}
static inline float4 make_float4(float x, float y, float z, float w) {
    return {x, y, z, w};
}

/* Saves what a function must keep, and goes on with another stack. */
extern "C" void standin_switch(void **save, void *load);
#ifdef __x86_64__
__asm__(".text\n.weak standin_switch\nstandin_switch:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");
#else
#error "the stand-in knows x86-64 only"
#endif

namespace standin {

constexpr size_t STACK = 64 * 1024;
constexpr unsigned PROCESSORS = 3; /* odd, so that shares come out uneven */

struct point {
    unsigned x, y, z;
};

struct warp {
    uint64_t slots[32], taken[4][32]; /* the last rounds' values: a lane may be late to read them */
    unsigned arrived = 0, round = 0, lanes = 0;
};

struct block {
    point index;
    unsigned threads, arrived = 0, round = 0;
    int any = 0, taken[4];
    std::vector<warp> warps;
    std::map<const void *, std::vector<double>> shared; /* by the address of a static of the declaration */
    size_t dynamic_bytes;
};

struct fiber {
    void *stack;
    block *home;
    point thread;
    bool over = false;
};

inline fiber *now;
inline void *scheduler;
inline point grid_size, block_size;
inline const std::function<void()> *body;

inline void give_way() {
    standin_switch(&now->stack, scheduler);
}

inline void begin_fiber() {
    (*body)();
    now->over = true;
    give_way();
}

/* They stay from grid to grid. */
inline char *find_stacks(size_t count) {
    static char *stacks;
    static size_t there;
    if (count > there) {
        if (stacks != nullptr) {
            munmap(stacks, there * STACK);
        }
        stacks = (char *)mmap(nullptr, count * STACK, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        there = count;
    }
    return stacks;
}

/* Whether a block goes on in this turn. STANDIN_SEED: some wait, others run ahead, by chance; else all go on. */
inline bool draw_turn() {
    static const char *const seed = getenv("STANDIN_SEED");
    static uint64_t state = seed != nullptr ? strtoull(seed, nullptr, 10) : 0;
    static unsigned held; /* turns that hold on to the last answer, so that some get far ahead */
    static bool last = true;
    if (seed == nullptr) {
        return true;
    }
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    if (held > 0 && (state >> 60) != 0) {
        held--;
        return last ^ ((state >> 40) % 3 == 0);
    }
    held = (unsigned)(state >> 33) % 8;
    last = (state >> 50 & 1) != 0;
    return last;
}

inline void run_blocks(unsigned first, unsigned last, unsigned threads, size_t shared) {
    std::vector<std::unique_ptr<block>> blocks;
    std::vector<std::unique_ptr<fiber>> fibers;
    char *stacks = find_stacks((size_t)(last - first) * threads);
    for (unsigned b = first; b < last; b++) {
        blocks.push_back(std::make_unique<block>());
        block *home = blocks.back().get();
        home->index = {b, 0, 0};
        home->threads = threads;
        home->dynamic_bytes = shared;
        home->warps.resize((threads + 31) / 32);
        for (unsigned t = 0; t < threads; t++) {
            home->warps[t / 32].lanes |= 1U << t % 32;
            fibers.push_back(std::make_unique<fiber>());
            fiber *f = fibers.back().get();
            f->home = home;
            f->thread = {t, 0, 0};
            void **top = (void **)(stacks + fibers.size() * STACK);
            top[-2] = (void *)begin_fiber; /* returned to by the first switch, above six saved registers */
            f->stack = top - 8;
        }
    }
    bool runs = true;
    for (size_t left = fibers.size(); left > 0;) {
        for (size_t i = 0; i < fibers.size(); i++) {
            runs = i % threads == 0 ? draw_turn() : runs;
            if (runs && !fibers[i]->over) {
                now = fibers[i].get();
                standin_switch(&scheduler, now->stack);
                left -= now->over;
            }
        }
    }
}

/* Together: all blocks are there at once; else one after another. */
inline void run_grid(unsigned blocks, unsigned threads, size_t shared, bool together,
                     const std::function<void()> &call) {
    if (threads > 1024 || blocks == 0 || threads == 0) {
        fprintf(stderr, "standin: a launch of %u x %u\n", blocks, threads);
        exit(1);
    }
    grid_size = {blocks, 1, 1};
    block_size = {threads, 1, 1};
    body = &call; /* it outlives the grid */
    if (together) {
        run_blocks(0, blocks, threads, shared);
    } else {
        for (unsigned b = 0; b < blocks; b++) {
            run_blocks(b, b + 1, threads, shared);
        }
    }
}

template <class T> T *shared_place(const void *key, size_t count) {
    std::vector<double> &place = now->home->shared[key];
    if (place.empty()) {
        place.resize(count * sizeof(T) / sizeof(double) + 4, std::nan("")); /* never zeros by luck */
    }
    return (T *)(((uintptr_t)place.data() + 15) / 16 * 16);
}

/* Gives this round's values of all lanes of the warp. */
inline const uint64_t *exchange(uint64_t value) {
    warp &w = now->home->warps[now->thread.x / 32];
    unsigned lane = now->thread.x % 32, round = w.round;
    w.slots[lane] = value;
    w.arrived |= 1U << lane;
    if (w.arrived == w.lanes) {
        memcpy(w.taken[round % 4], w.slots, sizeof w.slots);
        w.arrived = 0;
        w.round++;
    }
    while (w.round == round) {
        give_way();
    }
    return w.taken[round % 4];
}

template <class T> uint64_t pack(T value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> T unpack(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

} // namespace standin

#define threadIdx (standin::now->thread)
#define blockIdx (standin::now->home->index)
#define gridDim standin::grid_size
#define blockDim standin::block_size

static inline int __syncthreads_or(int any) {
    standin::block *b = standin::now->home;
    unsigned round = b->round;
    b->any |= any != 0;
    if (++b->arrived == b->threads) {
        b->taken[round % 4] = b->any;
        b->any = 0;
        b->arrived = 0;
        b->round++;
    }
    while (b->round == round) {
        standin::give_way();
    }
    return b->taken[round % 4];
}
static inline void __syncthreads() {
    (void)__syncthreads_or(0);
}
static inline void __syncwarp() {
    (void)standin::exchange(0);
}
template <class T> T __shfl_sync(unsigned, T value, unsigned from) {
    return standin::unpack<T>(standin::exchange(standin::pack(value))[from % 32]);
}
template <class T> T __shfl_up_sync(unsigned, T value, unsigned by) {
    unsigned lane = threadIdx.x % 32;
    return standin::unpack<T>(standin::exchange(standin::pack(value))[lane < by ? lane : lane - by]);
}
template <class T> T __shfl_down_sync(unsigned, T value, unsigned by) {
    unsigned lane = threadIdx.x % 32;
    return standin::unpack<T>(standin::exchange(standin::pack(value))[lane + by > 31 ? lane : lane + by]);
}
template <class T> T __shfl_xor_sync(unsigned, T value, unsigned by) {
    return standin::unpack<T>(standin::exchange(standin::pack(value))[(threadIdx.x % 32) ^ by]);
}
static inline unsigned __ballot_sync(unsigned, int yes) {
    const uint64_t *all = standin::exchange((uint64_t)(yes != 0));
    unsigned bits = 0;
    for (unsigned i = 0; i < 32; i++) {
        bits |= (unsigned)(all[i] & standin::now->home->warps[threadIdx.x / 32].lanes >> i & 1) << i;
    }
    return bits;
}
static inline int __any_sync(unsigned, int yes) {
    return __ballot_sync(FULL, yes) != 0;
}
static inline int __all_sync(unsigned, int yes) {
    return __ballot_sync(FULL, !yes) == 0;
}
static inline unsigned __match_any_sync(unsigned, unsigned value) {
    const uint64_t *all = standin::exchange(value);
    unsigned bits = 0;
    for (unsigned i = 0; i < 32; i++) {
        bits |= (unsigned)(all[i] == value) << i;
    }
    return bits;
}
static inline unsigned __reduce_add_sync(unsigned, unsigned value) {
    const uint64_t *all = standin::exchange(value);
    unsigned sum = 0;
    for (unsigned i = 0; i < 32; i++) {
        sum += (unsigned)all[i];
    }
    return sum;
}
static inline int __popc(unsigned x) {
    return __builtin_popcount(x);
}
static inline int __ffs(unsigned x) {
    return __builtin_ffs((int)x);
}
static inline int __clz(unsigned x) {
    return x == 0 ? 32 : __builtin_clz(x);
}
static inline unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((uint64_t)a * b >> 32);
}
static inline unsigned __float_as_uint(float x) {
    return standin::unpack<unsigned>(standin::pack(x));
}
static inline float __uint_as_float(unsigned x) {
    return standin::unpack<float>(x);
}
template <class T> T __ldg(const T *at) {
    return *at;
}
template <class T> T __ldcs(const T *at) {
    return *at;
}
template <class T> void __stcs(T *at, T value) {
    *at = value;
}
static inline void __threadfence() {
}
static inline void __threadfence_system() {
}
template <class T, class V> T atomicAdd(T *at, V value) {
    T old = *at;
    *at = (T)(old + (T)value);
    return old;
}
template <class T, class V> T atomicOr(T *at, V value) {
    T old = *at;
    *at = old | (T)value;
    return old;
}
template <class T, class V> T atomicMax(T *at, V value) {
    T old = *at;
    *at = old > (T)value ? old : (T)value;
    return old;
}
template <class T, class V> T atomicMin(T *at, V value) {
    T old = *at;
    *at = old < (T)value ? old : (T)value;
    return old;
}
template <class T> T atomicCAS(T *at, T expected, T value) {
    T old = *at;
    *at = old == expected ? value : old;
    return old;
}
using std::max;
using std::min;

/* What inline PTX does on a GPU. A load that somebody may spin on lets the others go on. */
static inline unsigned atom_add_acq_rel(unsigned *at, unsigned value) {
    return atomicAdd(at, value);
}
static inline unsigned long long atom_add_acq_rel(unsigned long long *at, unsigned long long value) {
    return atomicAdd(at, value);
}
template <class T> T load_acquire(const T *at) {
    standin::give_way();
    return *at;
}
template <class T> T load_relaxed(const T *at) {
    standin::give_way();
    return *at;
}
template <class T> void store_relaxed(T *at, T value) {
    *at = value;
}
template <class T> void store_release(T *at, T value) {
    *at = value;
}

/* One per declaration and block. */
#define SHARED(type, name, count)                                                                                      \
    static const char name##_key = 0;                                                                                  \
    type *const name = standin::shared_place<type>(&name##_key, (count))
#define DYNAMIC_SHARED(type, name)                                                                                     \
    type *const name = standin::shared_place<type>(&standin::now->home->dynamic_bytes,                                 \
                                                   standin::now->home->dynamic_bytes / sizeof(type))

#endif
