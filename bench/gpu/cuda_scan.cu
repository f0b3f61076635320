/* scan: one pass with look-back between tiles. A warp has PARTS times 128 elements that follow each other, four of a
 * part per thread. */
#include "cuda_lookback.cuh"

namespace {

struct sums {
    const uint32_t *x;
    uint32_t *y;
    uint32_t *total;
    uint32_t n;
    unsigned long long *said; /* by tile */
    uint32_t *ticket;         /* tiles taken, over all runs */
};

template <int THREADS, int PARTS> __host__ __device__ constexpr uint32_t tile_size() {
    return THREADS * PARTS * 4;
}

template <int PARTS> __device__ __forceinline__ void load_parts(const sums &s, uint32_t first, uint4 v[PARTS]) {
    if (first + PARTS * 128 <= s.n) {
#pragma unroll
        for (int k = 0; k < PARTS; k++) {
            v[k] = __ldcs((const uint4 *)(s.x + first + k * 128 + lane_index() * 4));
        }
        return;
    }
#pragma unroll
    for (int k = 0; k < PARTS; k++) {
        uint32_t i = first + k * 128 + lane_index() * 4;
        v[k].x = i < s.n ? s.x[i] : 0;
        v[k].y = i + 1 < s.n ? s.x[i + 1] : 0;
        v[k].z = i + 2 < s.n ? s.x[i + 2] : 0;
        v[k].w = i + 3 < s.n ? s.x[i + 3] : 0;
    }
}

template <int PARTS>
__device__ __forceinline__ void store_parts(const sums &s, uint32_t first, const uint4 v[PARTS], uint32_t before) {
#pragma unroll
    for (int k = 0; k < PARTS; k++) {
        uint32_t i = first + k * 128 + lane_index() * 4;
        uint4 out = make_uint4(v[k].x + before, v[k].y + before, v[k].z + before, v[k].w + before);
        if (first + PARTS * 128 <= s.n) {
            __stcs((uint4 *)(s.y + i), out);
            continue;
        }
        if (i < s.n) {
            s.y[i] = out.x;
        }
        if (i + 1 < s.n) {
            s.y[i + 1] = out.y;
        }
        if (i + 2 < s.n) {
            s.y[i + 2] = out.z;
        }
        if (i + 3 < s.n) {
            s.y[i + 3] = out.w;
        }
    }
}

/* Sums within the warp's elements; gives the sum of all of them. */
template <int PARTS> __device__ __forceinline__ uint32_t add_up_parts(uint4 v[PARTS]) {
    uint32_t carry = 0;
#pragma unroll
    for (int k = 0; k < PARTS; k++) {
        v[k].y += v[k].x;
        v[k].z += v[k].y;
        v[k].w += v[k].z;
        uint32_t up_to = v[k].w;
#pragma unroll
        for (unsigned by = 1; by < 32; by *= 2) {
            uint32_t left = __shfl_up_sync(FULL, up_to, by);
            up_to += lane_index() >= by ? left : 0;
        }
        uint32_t before = carry + up_to - v[k].w;
        carry += __shfl_sync(FULL, up_to, 31);
        v[k].x += before;
        v[k].y += before;
        v[k].z += before;
        v[k].w += before;
    }
    return carry;
}

template <int THREADS, int PARTS>
__device__ __forceinline__ void scan_tile(const sums &s, uint32_t tile, uint32_t tiles, uint32_t epoch) {
    SHARED(uint32_t, of_warp, THREADS / 32);
    SHARED(uint32_t, before_tile, 1);
    uint4 v[PARTS];
    uint32_t warp = threadIdx.x / 32;
    uint32_t first = tile * tile_size<THREADS, PARTS>() + warp * PARTS * 128;
    load_parts<PARTS>(s, first, v);
    uint32_t own = add_up_parts<PARTS>(v);
    if (lane_index() == 0) {
        of_warp[warp] = own;
    }
    __syncthreads();
    uint32_t others = lane_index() < THREADS / 32 ? of_warp[lane_index()] : 0;
    uint32_t before = sum_warp(lane_index() < warp ? others : 0U);
    if (warp == 0) {
        uint32_t all = sum_warp(others);
        if (lane_index() == 0) {
            store_relaxed(s.said + tile, tile == 0 ? say_all(epoch, all) : say_own(epoch, all));
        }
        uint32_t so_far = look_back(s.said, tile, epoch);
        if (lane_index() == 0) {
            if (tile > 0) {
                store_relaxed(s.said + tile, say_all(epoch, so_far + all));
            }
            if (tile == tiles - 1) {
                *s.total = so_far + all;
            }
            *before_tile = so_far;
        }
    }
    __syncthreads();
    store_parts<PARTS>(s, first, v, before + *before_tile);
}

/* All blocks are there at once, so a tile's predecessors are always on their way. */
template <int THREADS, int PARTS>
__global__ void __launch_bounds__(THREADS) scan_together(sums s, uint32_t tiles, uint32_t epoch) {
    for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        scan_tile<THREADS, PARTS>(s, tile, tiles, epoch);
    }
}

/* Tiles are taken in the order in which blocks begin; `taken`: tickets of earlier runs. */
template <int THREADS, int PARTS>
__global__ void __launch_bounds__(THREADS) scan_tickets(sums s, uint32_t tiles, uint32_t taken, uint32_t epoch) {
    uint32_t ticket = share_block(threadIdx.x == 0 ? atomicAdd(s.ticket, 1U) : 0U);
    scan_tile<THREADS, PARTS>(s, ticket - taken, tiles, epoch);
}

sums at;
uint32_t epoch; /* of the latest run */
uint32_t taken; /* tickets so far */

template <int THREADS, int PARTS> void add(std::vector<variant> &out, const char *name) {
    uint32_t tiles = std::max((at.n + tile_size<THREADS, PARTS>() - 1) / tile_size<THREADS, PARTS>(), 1U);
    if (form == FORM_COOP) {
        unsigned blocks = std::min(resident(scan_together<THREADS, PARTS>, THREADS, 32), tiles);
        out.push_back({name, [=] {
                           launch_together(scan_together<THREADS, PARTS>, blocks, THREADS, 0, at, tiles, ++epoch);
                           finish();
                       }});
    } else if (form == FORM_LOOP) {
        out.push_back({name, [=] {
                           launch(scan_tickets<THREADS, PARTS>, tiles, THREADS, at, tiles, taken, ++epoch);
                           taken += tiles;
                           finish();
                       }});
    } else {
        recording *graph = record([=] { /* its arguments are the same in each run */
                                        zero(at.ticket, LINE * sizeof *at.ticket + tiles * sizeof *at.said);
                                        launch(scan_tickets<THREADS, PARTS>, tiles, THREADS, at, tiles, 0U, 1U);
        });
        out.push_back({name, [=] {
                           replay(graph);
                           finish();
                       }});
    }
}

} // namespace

void scan_load() {
    size_t n = 0;
    at.x = device_read<uint32_t>("x", "u32", &n);
    at.n = (uint32_t)n;
    at.y = device_alloc<uint32_t>(n);
    at.total = device_alloc<uint32_t>(1);
    size_t words = LINE + (n / 512 + 2) * 2; /* tiles have 512 elements at least */
    at.ticket = device_alloc<uint32_t>(words);
    at.said = (unsigned long long *)(at.ticket + LINE);
    zero(at.ticket, words * sizeof *at.ticket);
    std::vector<variant> variants;
    add<128, 4>(variants, "128 x 16");
    add<128, 8>(variants, "128 x 32");
    add<256, 4>(variants, "256 x 16");
    add<256, 6>(variants, "256 x 24");
    add<256, 8>(variants, "256 x 32");
    add<512, 4>(variants, "512 x 16");
    add<512, 6>(variants, "512 x 24");
    choose_variant("scan", nullptr, std::move(variants));
}

void scan_write() {
    device_write("y", "u32", at.y, at.n);
    device_write("total", "u32", at.total, 1);
}
