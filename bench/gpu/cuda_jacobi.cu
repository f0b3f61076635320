/* jacobi: four points of a row per thread and load, ROWS rows at once, neighbours from the next lanes. Where the width
 * is no multiple of four, a point per thread. */
#include "cuda_peer.cuh"

namespace {

struct grid {
    float *u, *other;
    const float *f;
    uint32_t w, h, most, every;
    float tolerance;
    uint32_t *worst; /* bits of the largest change of a look, in three lines that are used in turn */
    float *halo;     /* rows at the borders of strips, of a sweep and the next */
    uint32_t *state; /* of a graph, in lines: sweep of its first pass; graphs done; sweeps done */
};

/* Parts of a row that a warp has, and groups of ROWS rows one below the other in a block. */
template <int ROWS> __host__ __device__ __forceinline__ uint32_t tile_count(const grid &g, uint32_t warps) {
    uint32_t across = (g.w + 127) / 128;
    return across * ((g.h - 2 + ROWS * warps - 1) / (ROWS * warps));
}

__device__ __forceinline__ float relax(float left, float right, float up, float down, float f) {
    return 0.25F * (left + right + up + down + f);
}

template <int ROWS>
__device__ __forceinline__ float relax_tile(const grid &g, const float *u, float *to, uint32_t tile, bool look) {
    uint32_t across = (g.w + 127) / 128;
    uint32_t x = tile % across * 128 + lane_index() * 4;
    uint32_t y = 1 + (tile / across * (blockDim.x / 32) + threadIdx.x / 32) * ROWS;
    bool inside = x < g.w;
    float worst = 0;
    if (y >= g.h - 1) {
        return 0; /* the whole warp */
    }
    float4 u4[ROWS + 2], f4[ROWS];
    float left[ROWS], right[ROWS];
    const float *at = u + (size_t)y * g.w + x;
    const float *f_at = g.f + (size_t)y * g.w + x;
#pragma unroll
    for (int r = 0; r < ROWS + 2; r++) {
        u4[r] = inside && y + r <= g.h ? *(const float4 *)(at + (r - 1) * (ptrdiff_t)g.w) : make_float4(0, 0, 0, 0);
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        bool here = inside && y + r < g.h - 1;
        f4[r] = here ? __ldg((const float4 *)(f_at + r * (size_t)g.w)) : make_float4(0, 0, 0, 0);
        left[r] = here && lane_index() == 0 && x > 0 ? at[r * (ptrdiff_t)g.w - 1] : 0;
        right[r] = here && lane_index() == 31 && x + 4 < g.w ? at[r * (size_t)g.w + 4] : 0;
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        float4 up = u4[r], mid = u4[r + 1], down = u4[r + 2], out;
        float from_left = __shfl_up_sync(FULL, mid.w, 1);
        float from_right = __shfl_down_sync(FULL, mid.x, 1);
        from_left = lane_index() == 0 ? left[r] : from_left;
        from_right = lane_index() == 31 ? right[r] : from_right;
        out.x = x == 0 ? mid.x : relax(from_left, mid.y, up.x, down.x, f4[r].x);
        out.y = relax(mid.x, mid.z, up.y, down.y, f4[r].y);
        out.z = relax(mid.y, mid.w, up.z, down.z, f4[r].z);
        out.w = x + 4 == g.w ? mid.w : relax(mid.z, from_right, up.w, down.w, f4[r].w);
        if (inside && y + r < g.h - 1) {
            *(float4 *)(to + (size_t)(y + r) * g.w + x) = out;
            if (look) {
                worst = fmaxf(worst, fmaxf(fmaxf(fabsf(out.x - mid.x), fabsf(out.y - mid.y)),
                                           fmaxf(fabsf(out.z - mid.z), fabsf(out.w - mid.w))));
            }
        }
    }
    return worst;
}

/* A point per thread, for any width. */
__device__ __forceinline__ float relax_points(const grid &g, const float *u, float *to) {
    size_t points = (size_t)g.w * (g.h - 2);
    float worst = 0;
    for (size_t p = thread_index(); p < points; p += thread_count()) {
        size_t i = p + g.w;
        uint32_t x = (uint32_t)(p % g.w);
        float next = x == 0 || x == g.w - 1 ? u[i] : relax(u[i - 1], u[i + 1], u[i - g.w], u[i + g.w], g.f[i]);
        worst = fmaxf(worst, fabsf(next - u[i]));
        to[i] = next;
    }
    return worst;
}

template <int ROWS> __device__ __forceinline__ float sweep(const grid &g, const float *u, float *to, bool look) {
    float worst = 0;
    if (g.w % 4 != 0) {
        return relax_points(g, u, to);
    }
    uint32_t tiles = tile_count<ROWS>(g, blockDim.x / 32);
    for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        worst = fmaxf(worst, relax_tile<ROWS>(g, u, to, tile, look));
    }
    return worst;
}

/* The upper and the lower row, which no sweep writes; those at the sides are written by each. */
__device__ __forceinline__ void copy_border(const grid &g) {
    for (uint32_t x = thread_index(); x < g.w; x += thread_count()) {
        size_t last = (size_t)g.w * (g.h - 1) + x;
        g.other[x] = g.u[x];
        g.other[last] = g.u[last];
    }
}

__device__ __forceinline__ void add_worst(uint32_t *to, float worst) {
    worst = max_block(worst);
    if (threadIdx.x == 0) {
        atomicMax(to, __float_as_uint(worst)); /* bits of what is not negative are in its order */
    }
}

/* Whether the sweep is one with a look, and which. */
__host__ __device__ __forceinline__ bool is_look(const grid &g, uint32_t sweep) {
    return (sweep + 1) % g.every == 0 || sweep + 1 == g.most;
}

template <int THREADS, int BLOCKS, int ROWS>
__global__ void __launch_bounds__(THREADS, BLOCKS) jacobi_together(grid g, unsigned *words) {
    float *from = g.u;
    float *to = g.other;
    unsigned round = 0;
    uint32_t it = 0;
    copy_border(g);
    while (it < g.most) {
        uint32_t *worst = g.worst + it / g.every % 3 * LINE;
        uint32_t blind = min(g.every, g.most - it) - 1;
        if (thread_index() == 0) {
            g.worst[(it / g.every + 1) % 3 * LINE] = 0;
        }
        for (uint32_t turn = 0; turn < blind; turn++) {
            (void)sweep<ROWS>(g, from, to, false);
            grid_barrier(words, ++round);
            float *other = from;
            from = to;
            to = other;
        }
        add_worst(worst, sweep<ROWS>(g, from, to, true));
        grid_barrier(words, ++round);
        float *other = from;
        from = to;
        to = other;
        it += blind + 1;
        float change = __uint_as_float(share_block(threadIdx.x == 0 ? load_relaxed(worst) : 0U));
        if (!(change > g.tolerance)) {
            break;
        }
    }
    if (thread_index() == 0) {
        g.state[2 * LINE] = it;
    }
}

/* ---- small grids: a block has a strip of rows in shared memory for the whole run, and only the rows at its borders go
 * through global memory. A thread has CELLS points, THREADS apart. ---- */

__device__ __forceinline__ float *halo_of(const grid &g, uint32_t sweep, uint32_t block, uint32_t side) {
    return g.halo + (((size_t)(sweep % 2) * gridDim.x + block) * 2 + side) * g.w;
}

template <int THREADS, int CELLS>
__global__ void __launch_bounds__(THREADS, 1) jacobi_strip(grid g, uint32_t rows, unsigned *words) {
    DYNAMIC_SHARED(float, near);
    uint32_t first = blockIdx.x * rows;
    uint32_t here = first < g.h ? min(rows, g.h - first) : 0;
    uint32_t w = g.w;
    float *from = near; /* rows first - 1 to first + rows */
    float *to = near + (size_t)(rows + 2) * w;
    float f[CELLS];
    uint32_t inner = 0; /* bits of this thread's points */
    uint32_t last = (here - 1) * w;
    uint32_t it = 0;
    unsigned round = 0;
    for (uint32_t i = threadIdx.x; i < (rows + 2) * w; i += THREADS) {
        uint32_t y = first + i / w; /* one too many */
        from[i] = to[i] = y >= 1 && y <= g.h ? g.u[(size_t)(y - 1) * w + i % w] : 0;
    }
#pragma unroll
    for (int k = 0; k < CELLS; k++) {
        uint32_t i = k * THREADS + threadIdx.x;
        uint32_t y = first + i / w;
        uint32_t x = i % w;
        f[k] = i < here * w ? __ldg(g.f + (size_t)first * w + i) : 0;
        inner |= (uint32_t)(i < here * w && y > 0 && y < g.h - 1 && x > 0 && x < w - 1) << k;
    }
    __syncthreads();
    while (it < g.most) {
        uint32_t *worst = g.worst + it / g.every % 3 * LINE;
        uint32_t turns = min(g.every, g.most - it);
        float change = 0;
        if (thread_index() == 0) {
            g.worst[(it / g.every + 1) % 3 * LINE] = 0;
        }
        for (uint32_t turn = 0; turn < turns; turn++) {
#pragma unroll
            for (int k = 0; k < CELLS; k++) {
                uint32_t i = k * THREADS + threadIdx.x;
                const float *at = from + i + w;
                if ((inner >> k & 1) != 0) {
                    float next = relax(at[-1], at[1], *(at - w), at[w], f[k]);
                    to[i + w] = next;
                    change = turn + 1 == turns ? fmaxf(change, fabsf(next - *at)) : 0;
                }
                if (i < w) {
                    halo_of(g, round, blockIdx.x, 0)[i] = to[i + w];
                }
                if (i < here * w && i >= last) {
                    halo_of(g, round, blockIdx.x, 1)[i - last] = to[i + w];
                }
            }
            if (turn + 1 == turns) {
                add_worst(worst, change);
            }
            grid_barrier(words, round + 1);
            for (uint32_t x = threadIdx.x; x < w && here > 0; x += THREADS) {
                if (blockIdx.x > 0) {
                    to[x] = halo_of(g, round, blockIdx.x - 1, 1)[x];
                }
                if (first + here < g.h) {
                    to[(here + 1) * w + x] = halo_of(g, round, blockIdx.x + 1, 0)[x];
                }
            }
            __syncthreads();
            float *other = from;
            from = to;
            to = other;
            round++;
        }
        it += turns;
        if (!(__uint_as_float(share_block(threadIdx.x == 0 ? load_relaxed(worst) : 0U)) > g.tolerance)) {
            break;
        }
    }
    float *out = it % 2 == 0 ? g.u : g.other;
    for (uint32_t i = threadIdx.x; i < here * w; i += THREADS) {
        out[(size_t)first * w + i] = from[i + w];
    }
    if (thread_index() == 0) {
        g.state[2 * LINE] = it;
    }
}

/* ---- a launch per sweep ---- */

__global__ void jacobi_border(grid g) {
    copy_border(g);
}

template <int THREADS, int BLOCKS, int ROWS, bool LOOK>
__global__ void __launch_bounds__(THREADS, BLOCKS) jacobi_sweep(grid g, const float *from, float *to, uint32_t *worst) {
    float change = sweep<ROWS>(g, from, to, LOOK);
    if (LOOK) {
        add_worst(worst, change);
    }
}

/* ---- sweeps of a graph ---- */

__device__ __forceinline__ bool is_over(const grid &g, uint32_t it) {
    return it >= g.most || (it >= g.every && !(__uint_as_float(g.worst[(it / g.every + 2) % 3 * LINE]) > g.tolerance));
}

template <int THREADS, int BLOCKS, int ROWS>
__global__ void __launch_bounds__(THREADS, BLOCKS) jacobi_guarded(grid g, uint32_t offset) {
    uint32_t it = *g.state + offset;
    bool over = is_over(g, it);
    if (thread_index() == 0 && it % g.every == 0) { /* also where it is over, so that what follows stays over */
        g.worst[(it / g.every + 1) % 3 * LINE] = 0;
    }
    if (over) {
        return;
    }
    float *from = it % 2 == 0 ? g.u : g.other;
    float *to = it % 2 == 0 ? g.other : g.u;
    if (is_look(g, it)) {
        add_worst(g.worst + it / g.every % 3 * LINE, sweep<ROWS>(g, from, to, true));
        if (thread_index() == 0) {
            g.state[2 * LINE] = it + 1;
        }
    } else {
        (void)sweep<ROWS>(g, from, to, false);
    }
}

__global__ void jacobi_tell(grid g, uint32_t passes, uint32_t *word) {
    uint32_t it = *g.state + passes;
    uint32_t done = g.state[LINE] + 1;
    *g.state = it;
    g.state[LINE] = done;
    __threadfence_system();
    *(volatile uint32_t *)word = done << 1 | is_over(g, it);
}

grid at;
float *first;
uint32_t *host_worst;
uint32_t sweeps_done;

void reset() {
    copy_on_device(at.u, first, (size_t)at.w * at.h * sizeof *at.u);
    zero(at.worst, 3 * LINE * sizeof *at.worst);
    zero(at.state, 3 * LINE * sizeof *at.state);
}

/* Persistent: as many blocks as are resident, `per_processor` at most; else a block per tile. */
template <int THREADS, int BLOCKS, int ROWS>
void add(std::vector<variant> &out, const char *name, unsigned per_processor, bool persistent) {
    uint32_t tiles = tile_count<ROWS>(at, THREADS / 32);
    tiles = at.w % 4 != 0 ? (uint32_t)(((size_t)at.w * at.h + THREADS - 1) / THREADS) : tiles;
    if (form == FORM_COOP) {
        if (persistent) {
            unsigned most = resident(jacobi_together<THREADS, BLOCKS, ROWS>, THREADS, per_processor);
            unsigned blocks = std::min(most, tiles);
            out.push_back({name, [=] {
                               launch_together(jacobi_together<THREADS, BLOCKS, ROWS>, blocks, THREADS, 0, at,
                                               barrier_words());
                               finish();
                           }});
        }
        return;
    }
    unsigned most = resident(jacobi_sweep<THREADS, BLOCKS, ROWS, true>, THREADS, per_processor);
    unsigned blocks = persistent ? std::min(most, tiles) : tiles;
    if (form == FORM_LOOP) {
        out.push_back({name, [=] {
                           float *from = at.u;
                           float *to = at.other;
                           uint32_t it = 0;
                           launch(jacobi_border, (at.w + 255) / 256, 256, at);
                           while (it < at.most) {
                               uint32_t turns = std::min(at.every, at.most - it);
                               uint32_t *worst = at.worst + it / at.every % 3 * LINE;
                               for (uint32_t turn = 1; turn < turns; turn++) {
                                   launch(jacobi_sweep<THREADS, BLOCKS, ROWS, false>, blocks, THREADS, at, from, to,
                                          worst);
                                   std::swap(from, to);
                               }
                               launch(jacobi_sweep<THREADS, BLOCKS, ROWS, true>, blocks, THREADS, at, from, to, worst);
                               std::swap(from, to);
                               it += turns;
                               copy_to_pinned(host_worst, worst, sizeof *worst);
                               zero(at.worst + (it / at.every + 1) % 3 * LINE, sizeof *worst);
                               finish();
                               float change = 0;
                               memcpy(&change, host_worst, sizeof change);
                               if (!(change > at.tolerance)) {
                                   break;
                               }
                           }
                           sweeps_done = it;
                       }});
        return;
    }
    static const struct {
        uint32_t sweeps;
        bool ahead;
        const char *name;
    } chunks[] = {{20, true, " x 20 ahead"}, {50, false, " x 50"}, {100, true, " x 100 ahead"}, {200, false, " x 200"}};
    for (auto &chunk : chunks) {
        mapped word = make_mapped();
        recording *graph = record([=] {
            for (uint32_t i = 0; i < chunk.sweeps; i++) {
                launch(jacobi_guarded<THREADS, BLOCKS, ROWS>, blocks, THREADS, at, i);
            }
            launch(jacobi_tell, 1, 1, at, chunk.sweeps, word.device);
        });
        bool ahead = chunk.ahead;
        char *whole = (char *)malloc(64);
        (void)snprintf(whole, 64, "%s%s", name, chunk.name);
        out.push_back({whole, [=] {
                           launch(jacobi_border, (at.w + 255) / 256, 256, at);
                           run_chunks(graph, word, ahead);
                       }});
    }
}

/* As many blocks as have a strip that fits. */
template <int THREADS, int CELLS> void add_strip(std::vector<variant> &out, const char *name) {
    uint32_t rows = (at.h + processor_count() - 1) / processor_count();
    unsigned blocks = (at.h + rows - 1) / rows;
    size_t shared = (size_t)2 * (rows + 2) * at.w * sizeof(float);
    if (form != FORM_COOP || (size_t)rows * at.w > (size_t)THREADS * CELLS || shared > 220 * 1024 ||
        resident(jacobi_strip<THREADS, CELLS>, THREADS, 1, shared) < blocks) {
        return;
    }
    at.halo = device_alloc<float>((size_t)4 * blocks * at.w);
    grid mine = at;
    out.push_back({name, [=] {
                       launch_together(jacobi_strip<THREADS, CELLS>, blocks, THREADS, shared, mine, rows,
                                       barrier_words());
                       finish();
                   }});
}

} // namespace

void jacobi_load() {
    at.w = (uint32_t)peer_param("w");
    at.h = (uint32_t)peer_param("h");
    at.tolerance = (float)peer_param("tol");
    at.most = (uint32_t)peer_param("max_iter");
    at.every = std::max((uint32_t)peer_param_or("every", 10), 1U);
    size_t points = 0;
    first = device_read<float>("u", "f32", &points);
    at.f = device_read<float>("f", "f32");
    at.u = device_alloc<float>(points);
    at.other = device_alloc<float>(points);
    at.worst = device_alloc<uint32_t>(3 * LINE);
    at.state = device_alloc<uint32_t>(3 * LINE);
    host_worst = (uint32_t *)pinned_alloc(LINE * sizeof *host_worst);
    std::vector<variant> variants;
    add<1024, 2, 1>(variants, "2 x 1024", 2, true);
    add<1024, 1, 2>(variants, "1 x 1024, 2 rows", 1, true);
    add<512, 4, 1>(variants, "4 x 512", 4, true);
    add<512, 2, 2>(variants, "2 x 512, 2 rows", 2, true);
    add<256, 4, 1>(variants, "1 x 256", 1, true);
    add<256, 4, 1>(variants, "2 x 256", 2, true);
    add<256, 4, 2>(variants, "4 x 256, 2 rows", 4, true);
    add<256, 3, 4>(variants, "3 x 256, 4 rows", 3, true);
    add<256, 4, 1>(variants, "a block of 256 per tile", 8, false);
    add<256, 3, 4>(variants, "a block of 256 per tile, 4 rows", 3, false);
    add_strip<1024, 2>(variants, "strips of 1024 x 2");
    add_strip<512, 4>(variants, "strips of 512 x 4");
    add_strip<1024, 8>(variants, "strips of 1024 x 8");
    choose_variant("jacobi", reset, std::move(variants));
}

void jacobi_write() {
    if (form != FORM_LOOP) {
        copy_to_host(&sweeps_done, at.state + 2 * LINE, sizeof sweeps_done);
    }
    uint32_t done = sweeps_done;
    device_write("u", "f32", done % 2 == 0 ? at.u : at.other, (size_t)at.w * at.h);
    peer_write("iterations", "u32", &done, 1);
}
