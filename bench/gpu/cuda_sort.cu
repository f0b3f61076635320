/* sort: radix by 8 bits from the lowest, one pass over the keys per digit. What the whole array holds of each digit is
 * counted at once in the beginning; where the keys of a tile go is found by look-back, digit by digit; see A. Adinets,
 * D. Merrill: Onesweep: a faster least significant digit radix sort for GPUs (2022). */
#include "cuda_peer.cuh"

namespace {

enum { BITS = 8, DIGITS = 1 << BITS, PASSES = 32 / BITS, ASKED = 8 };

/* What a tile says of a digit: nothing yet, its own count, or all up to its end. */
#define SAYS_OWN 0x40000000U
#define SAYS_ALL 0x80000000U
#define SAID 0x3fffffffU

struct keys {
    uint32_t *even, *odd; /* pass p goes from that of its number to the other */
    uint32_t n;
    uint32_t *before; /* per pass and digit: keys of smaller digits; first: keys of the digit */
    uint32_t *said;   /* per pass, tile and digit */
    uint32_t *ticket; /* per pass */
    size_t tiles_most;
};

__device__ __forceinline__ uint32_t digit_of(uint32_t key, uint32_t pass) {
    return key >> pass * BITS & (DIGITS - 1);
}

/* All digits of all keys. `counts` has room for 1024. */
__device__ __forceinline__ void count_digits(const keys &s) {
    SHARED(uint32_t, counts, PASSES * DIGITS);
    for (uint32_t i = threadIdx.x; i < PASSES * DIGITS; i += blockDim.x) {
        counts[i] = 0;
    }
    __syncthreads();
    for (uint32_t i = thread_index(); i < s.n / 4; i += thread_count()) {
        uint4 four = ((const uint4 *)s.even)[i];
#pragma unroll
        for (uint32_t pass = 0; pass < PASSES; pass++) {
            atomicAdd(&counts[pass * DIGITS + digit_of(four.x, pass)], 1U);
            atomicAdd(&counts[pass * DIGITS + digit_of(four.y, pass)], 1U);
            atomicAdd(&counts[pass * DIGITS + digit_of(four.z, pass)], 1U);
            atomicAdd(&counts[pass * DIGITS + digit_of(four.w, pass)], 1U);
        }
    }
    for (uint32_t i = s.n / 4 * 4 + thread_index(); i < s.n; i += thread_count()) {
        for (uint32_t pass = 0; pass < PASSES; pass++) {
            atomicAdd(&counts[pass * DIGITS + digit_of(s.even[i], pass)], 1U);
        }
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < PASSES * DIGITS; i += blockDim.x) {
        if (counts[i] != 0) {
            atomicAdd(&s.before[i], counts[i]);
        }
    }
}

/* Of the threads below DIGITS: the sum of what those before have. All threads of the block come here. */
__device__ __forceinline__ uint32_t add_up_digits(uint32_t mine) {
    SHARED(uint32_t, of_warp, DIGITS / 32);
    uint32_t up_to = mine;
#pragma unroll
    for (unsigned by = 1; by < 32; by *= 2) {
        uint32_t before = __shfl_up_sync(FULL, up_to, by);
        up_to += lane_index() >= by ? before : 0;
    }
    if (threadIdx.x < DIGITS && lane_index() == 31) {
        of_warp[threadIdx.x / 32] = up_to;
    }
    __syncthreads();
    uint32_t others = lane_index() < DIGITS / 32 && lane_index() < threadIdx.x / 32 ? of_warp[lane_index()] : 0;
    uint32_t before = sum_warp(others);
    __syncthreads();
    return before + up_to - mine;
}

/* Lanes with the same digit as this one. */
__device__ __forceinline__ unsigned match_digit(uint32_t digit) {
    unsigned same = FULL;
#pragma unroll
    for (uint32_t bit = 0; bit < BITS; bit++) {
        bool mine = (digit >> bit & 1) != 0;
        unsigned with = __ballot_sync(FULL, mine);
        same &= mine ? with : ~with;
    }
    return same;
}

/* By the thread of a digit: keys of the digit in all tiles before. Several tiles are asked at once: what takes time is
 * the way there and back. */
__device__ __forceinline__ uint32_t look_back(const uint32_t *said, uint32_t tile) {
    uint32_t sum = 0;
    while (tile > 0) {
        uint32_t words[ASKED];
#pragma unroll
        for (uint32_t i = 0; i < ASKED; i++) {
            words[i] = i < tile ? load_relaxed(said + (size_t)(tile - 1 - i) * DIGITS) : SAYS_ALL;
        }
        bool open = true; /* no tile yet that said nothing */
        uint32_t taken = 0;
#pragma unroll
        for (uint32_t i = 0; i < ASKED; i++) {
            open = open && (words[i] & ~SAID) != 0;
            sum += open ? words[i] & SAID : 0;
            taken += open;
            if (open && (words[i] & SAYS_ALL) != 0) {
                return sum;
            }
        }
        tile -= taken;
    }
    return sum;
}

template <int THREADS, int ITEMS, bool MATCH>
__device__ __forceinline__ void sort_tile(const keys &s, uint32_t pass, uint32_t tile, uint32_t before_digit) {
    constexpr uint32_t TILE = THREADS * ITEMS;
    constexpr uint32_t WARPS = THREADS / 32;
    constexpr uint32_t ROOM = TILE > WARPS * DIGITS ? TILE : WARPS * DIGITS;
    SHARED(uint32_t, room, ROOM); /* counts by warp and digit, then the keys in order */
    SHARED(uint32_t, offset, DIGITS);
    SHARED(uint32_t, place, DIGITS);
    const uint32_t *from = pass % 2 == 0 ? s.even : s.odd;
    uint32_t *to = pass % 2 == 0 ? s.odd : s.even;
    uint32_t *said = s.said + (pass * s.tiles_most + tile) * DIGITS + threadIdx.x; /* of the threads below DIGITS */
    uint32_t warp = threadIdx.x / 32;
    uint32_t *mine = room + warp * DIGITS;
    uint32_t first = tile * TILE;
    uint32_t valid = min(TILE, s.n - first);
    uint32_t key[ITEMS];
    uint32_t rank[ITEMS];
    __syncthreads(); /* the tile before has been written */
    for (uint32_t i = threadIdx.x; i < WARPS * DIGITS; i += THREADS) {
        room[i] = 0;
    }
#pragma unroll
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t at = warp * 32 * ITEMS + i * 32 + lane_index();
        key[i] = at < valid ? from[first + at] : UINT32_MAX; /* what is missing comes last */
    }
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t digit = digit_of(key[i], pass);
        unsigned same = MATCH ? __match_any_sync(FULL, digit) : match_digit(digit);
        uint32_t so_far = mine[digit];
        uint32_t lower = (uint32_t)__popc(same & ((1U << lane_index()) - 1));
        rank[i] = so_far + lower;
        __syncwarp();
        if (lower == 0) {
            mine[digit] = so_far + (uint32_t)__popc(same);
        }
        __syncwarp();
    }
    __syncthreads();
    uint32_t count = 0;
    if (threadIdx.x < DIGITS) {
#pragma unroll
        for (uint32_t w = 0; w < WARPS; w++) {
            uint32_t its = room[w * DIGITS + threadIdx.x];
            room[w * DIGITS + threadIdx.x] = count;
            count += its;
        }
        store_relaxed(said, tile == 0 ? SAYS_ALL | (before_digit + count) : SAYS_OWN | count);
    }
    uint32_t before = add_up_digits(count);
    if (threadIdx.x < DIGITS) {
        offset[threadIdx.x] = before;
    }
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t digit = digit_of(key[i], pass);
        rank[i] += offset[digit] + mine[digit];
    }
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < ITEMS; i++) {
        room[rank[i]] = key[i];
    }
    if (threadIdx.x < DIGITS) {
        uint32_t sum = before_digit;
        if (tile > 0) {
            sum = look_back(s.said + pass * s.tiles_most * DIGITS + threadIdx.x, tile);
            store_relaxed(said, SAYS_ALL | (sum + count));
        }
        place[threadIdx.x] = sum - before;
    }
    __syncthreads();
#pragma unroll
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t at = i * THREADS + threadIdx.x;
        if (at < valid) {
            uint32_t it = room[at];
            to[place[digit_of(it, pass)] + at] = it;
        }
    }
}

template <int THREADS, int ITEMS, bool MATCH, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) sort_together(keys s, unsigned *words) {
    unsigned round = 0;
    uint32_t tiles = (s.n + THREADS * ITEMS - 1) / (THREADS * ITEMS);
    for (uint32_t i = thread_index(); i < PASSES * DIGITS; i += thread_count()) {
        s.before[i] = 0;
    }
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        uint4 *said = (uint4 *)(s.said + pass * s.tiles_most * DIGITS);
        for (uint32_t i = thread_index(); i < tiles * (DIGITS / 4); i += thread_count()) {
            said[i] = make_uint4(0, 0, 0, 0);
        }
    }
    grid_barrier(words, ++round);
    count_digits(s);
    grid_barrier(words, ++round);
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        /* Each block adds up for itself. */
        uint32_t count = threadIdx.x < DIGITS ? load_relaxed(s.before + pass * DIGITS + threadIdx.x) : 0;
        uint32_t before = add_up_digits(count);
        for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            sort_tile<THREADS, ITEMS, MATCH>(s, pass, tile, before);
        }
        grid_barrier(words, ++round);
    }
}

__global__ void __launch_bounds__(512) sort_count(keys s) {
    count_digits(s);
}

template <int THREADS, int ITEMS, bool MATCH, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) sort_pass(keys s, uint32_t pass) {
    uint32_t tile = share_block(threadIdx.x == 0 ? atomicAdd(&s.ticket[pass], 1U) : 0U);
    uint32_t before = 0;
    if (tile == 0) {
        before = add_up_digits(threadIdx.x < DIGITS ? s.before[pass * DIGITS + threadIdx.x] : 0);
    }
    sort_tile<THREADS, ITEMS, MATCH>(s, pass, tile, before);
}

keys at;
uint32_t *given;

void reset() {
    copy_on_device(at.even, given, (size_t)at.n * sizeof *at.even);
}

template <int THREADS, int ITEMS, bool MATCH, int BLOCKS> void launch_all(uint32_t tiles) {
    /* Counts, tickets and the words of the first pass lie behind each other. */
    zero(at.before, (PASSES * DIGITS + LINE) * sizeof(uint32_t));
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        zero(at.said + pass * at.tiles_most * DIGITS, (size_t)tiles * DIGITS * sizeof(uint32_t));
    }
    launch(sort_count, std::min(4 * processor_count(), tiles), 512, at);
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        launch(sort_pass<THREADS, ITEMS, MATCH, BLOCKS>, tiles, THREADS, at, pass);
    }
}

template <int THREADS, int ITEMS, bool MATCH, int BLOCKS> void add(std::vector<variant> &out, const char *name) {
    uint32_t tiles = std::max((at.n + THREADS * ITEMS - 1) / (THREADS * ITEMS), 1U);
    if (form == FORM_COOP) {
        unsigned blocks = std::min(resident(sort_together<THREADS, ITEMS, MATCH, BLOCKS>, THREADS, BLOCKS), tiles);
        out.push_back({name, [=] {
                           launch_together(sort_together<THREADS, ITEMS, MATCH, BLOCKS>, blocks, THREADS, 0, at,
                                           barrier_words());
                           finish();
                       }});
    } else if (form == FORM_LOOP) {
        out.push_back({name, [=] {
                           launch_all<THREADS, ITEMS, MATCH, BLOCKS>(tiles);
                           finish();
                       }});
    } else {
        recording *graph = record([=] { launch_all<THREADS, ITEMS, MATCH, BLOCKS>(tiles); });
        out.push_back({name, [=] {
                           replay(graph);
                           finish();
                       }});
    }
}

} // namespace

void sort_load() {
    size_t n = 0;
    given = device_read<uint32_t>("key", "u32", &n);
    if (n > SAID) {
        peer_die("too many keys for", "sort");
    }
    at.n = (uint32_t)n;
    at.even = device_alloc<uint32_t>(n);
    at.odd = device_alloc<uint32_t>(n);
    at.tiles_most = n / (256 * 12) + 1; /* of the smallest tiles */
    at.before = device_alloc<uint32_t>(PASSES * DIGITS + LINE);
    at.ticket = at.before + PASSES * DIGITS;
    at.said = device_alloc<uint32_t>(PASSES * at.tiles_most * DIGITS);
    std::vector<variant> variants;
    add<256, 12, false, 4>(variants, "4 x 256 x 12");
    add<256, 16, false, 4>(variants, "4 x 256 x 16");
    add<256, 20, false, 3>(variants, "3 x 256 x 20");
    add<384, 16, false, 3>(variants, "3 x 384 x 16");
    add<384, 20, false, 2>(variants, "2 x 384 x 20");
    add<512, 16, false, 2>(variants, "2 x 512 x 16");
    add<384, 16, true, 3>(variants, "3 x 384 x 16, match.any");
    choose_variant("sort", reset, std::move(variants));
}

void sort_write() {
    device_write("key", "u32", at.even, at.n);
}
