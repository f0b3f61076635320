/* components: Afforest. The first edges of all vertices, a guess at the largest component from a sample, then all other
 * edges of the vertices outside it. Nothing is decided by the host: the loop is one of launches alone. */
#include "cuda_peer.cuh"

namespace {

enum { ROUNDS = 2, SAMPLES = 1024, WIDE = 32 };

struct forest {
    const uint32_t *row, *col;
    uint32_t *comp; /* others change it all the time, so it is never read from a cache of this processor alone */
    uint32_t *count;
    uint32_t *giant;
    uint32_t n;
};

/* A larger root is hooked below a smaller one. */
__device__ __forceinline__ void link_trees(const forest &s, uint32_t a, uint32_t b) {
    uint32_t p = load_relaxed(s.comp + a);
    uint32_t q = load_relaxed(s.comp + b);
    while (p != q) {
        uint32_t high = max(p, q);
        uint32_t low = min(p, q);
        uint32_t above = load_relaxed(s.comp + high);
        if (above == low || (above == high && atomicCAS(s.comp + high, high, low) == high)) {
            return;
        }
        p = load_relaxed(s.comp + load_relaxed(s.comp + high));
        q = load_relaxed(s.comp + low);
    }
}

__device__ __forceinline__ uint32_t compress(const forest &s, uint32_t v) {
    uint32_t above = load_relaxed(s.comp + v);
    uint32_t root = above;
    for (uint32_t up = load_relaxed(s.comp + root); up != root; up = load_relaxed(s.comp + root)) {
        root = up;
    }
    if (root != above) {
        store_relaxed(s.comp + v, root);
    }
    return root;
}

__device__ __forceinline__ void plant(const forest &s) {
    for (uint32_t v = thread_index(); v < s.n; v += thread_count()) {
        s.comp[v] = v;
    }
    if (thread_index() == 0) {
        *s.count = 0;
    }
}

__device__ __forceinline__ void link_round(const forest &s, uint32_t round) {
    for (uint32_t v = thread_index(); v < s.n; v += thread_count()) {
        uint32_t e = __ldg(s.row + v) + round;
        if (e < __ldg(s.row + v + 1)) {
            link_trees(s, v, __ldg(s.col + e));
        }
    }
}

__device__ __forceinline__ void compress_all(const forest &s) {
    for (uint32_t v = thread_index(); v < s.n; v += thread_count()) {
        (void)compress(s, v);
    }
}

/* By a block: the component that most of a sample are in, or one that shares a place of the table with others. */
__device__ __forceinline__ uint32_t find_giant(const forest &s) {
    SHARED(uint32_t, votes, SAMPLES);
    SHARED(unsigned long long, best, 1);
    uint32_t samples = min((uint32_t)SAMPLES, s.n);
    for (uint32_t i = threadIdx.x; i < SAMPLES; i += blockDim.x) {
        votes[i] = 0;
    }
    if (threadIdx.x == 0) {
        *best = 0;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < samples; i += blockDim.x) {
        atomicAdd(&votes[load_relaxed(s.comp + __umulhi(i * 2654435761U, s.n)) % SAMPLES], 1U);
    }
    __syncthreads();
    unsigned long long mine = 0;
    for (uint32_t i = threadIdx.x; i < samples; i += blockDim.x) {
        uint32_t c = load_relaxed(s.comp + __umulhi(i * 2654435761U, s.n));
        mine = max(mine, (unsigned long long)votes[c % SAMPLES] << 32 | c);
    }
    atomicMax(best, mine);
    __syncthreads();
    return (uint32_t)*best;
}

/* Long rows by the warp, the rest by their thread. */
__device__ __forceinline__ void link_others(const forest &s, uint32_t giant) {
    uint32_t whole = (s.n + 31) / 32 * 32;
    for (uint32_t v = thread_index(); v < whole; v += thread_count()) {
        uint32_t begin = 0;
        uint32_t end = 0;
        if (v < s.n && load_relaxed(s.comp + v) != giant) {
            end = __ldg(s.row + v + 1);
            begin = min(__ldg(s.row + v) + ROUNDS, end);
        }
        unsigned wide = __ballot_sync(FULL, end - begin >= WIDE);
        while (wide != 0) {
            int from = __ffs(wide) - 1;
            wide &= wide - 1;
            uint32_t its_end = __shfl_sync(FULL, end, from);
            uint32_t its_v = __shfl_sync(FULL, v, from);
            for (uint32_t e = __shfl_sync(FULL, begin, from) + lane_index(); e < its_end; e += 32) {
                link_trees(s, its_v, __ldg(s.col + e));
            }
            __syncwarp();
        }
        for (uint32_t e = begin; end - begin < WIDE && e < end; e++) {
            link_trees(s, v, __ldg(s.col + e));
        }
        __syncwarp();
    }
}

__device__ __forceinline__ void count_roots(const forest &s) {
    uint32_t roots = 0;
    for (uint32_t v = thread_index(); v < s.n; v += thread_count()) {
        roots += compress(s, v) == v;
    }
    roots = sum_block(roots);
    if (threadIdx.x == 0 && roots > 0) {
        atomicAdd(s.count, roots);
    }
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) components_together(forest s, unsigned *words) {
    unsigned round = 0;
    plant(s);
    grid_barrier(words, ++round);
    for (uint32_t turn = 0; turn < ROUNDS; turn++) {
        link_round(s, turn);
        grid_barrier(words, ++round);
        compress_all(s);
        grid_barrier(words, ++round);
    }
    /* Each block for itself. Nothing changes until all of them have it, so all find the same one: an edge between the
     * giants of two blocks would be left out at both ends. */
    uint32_t giant = find_giant(s);
    grid_barrier(words, ++round);
    link_others(s, giant);
    grid_barrier(words, ++round);
    count_roots(s);
}

template <int STEP> __global__ void __launch_bounds__(256) components_step(forest s, uint32_t turn) {
    switch (STEP) {
    case 0:
        plant(s);
        break;
    case 1:
        link_round(s, turn);
        break;
    case 2:
        compress_all(s);
        break;
    case 3: {
        uint32_t giant = find_giant(s);
        if (threadIdx.x == 0) {
            *s.giant = giant;
        }
        break;
    }
    case 4:
        link_others(s, *s.giant);
        break;
    default:
        count_roots(s);
        break;
    }
}

forest at;

void launch_all(unsigned blocks) {
    launch(components_step<0>, blocks, 256, at, 0U);
    for (uint32_t turn = 0; turn < ROUNDS; turn++) {
        launch(components_step<1>, blocks, 256, at, turn);
        launch(components_step<2>, blocks, 256, at, 0U);
    }
    launch(components_step<3>, 1, 256, at, 0U);
    launch(components_step<4>, blocks, 256, at, 0U);
    launch(components_step<5>, blocks, 256, at, 0U);
}

template <int THREADS, int BLOCKS> void add_together(std::vector<variant> &out, const char *name) {
    unsigned blocks = resident(components_together<THREADS, BLOCKS>, THREADS, BLOCKS);
    out.push_back({name, [=] {
                       launch_together(components_together<THREADS, BLOCKS>, blocks, THREADS, 0, at, barrier_words());
                       finish();
                   }});
}

void add_launches(std::vector<variant> &out, const char *name, unsigned blocks) {
    if (form == FORM_LOOP) {
        out.push_back({name, [=] {
                           launch_all(blocks);
                           finish();
                       }});
    } else {
        recording *graph = record([=] { launch_all(blocks); });
        out.push_back({name, [=] {
                           replay(graph);
                           finish();
                       }});
    }
}

} // namespace

void components_load() {
    size_t rows = 0;
    at.row = device_read<uint32_t>("row", "u32", &rows);
    at.col = device_read<uint32_t>("col", "u32");
    at.n = (uint32_t)rows - 1;
    at.comp = device_alloc<uint32_t>(at.n);
    at.count = device_alloc<uint32_t>(1);
    at.giant = device_alloc<uint32_t>(1);
    std::vector<variant> variants;
    if (form == FORM_COOP) {
        add_together<1024, 2>(variants, "2 x 1024");
        add_together<512, 4>(variants, "4 x 512");
        add_together<512, 2>(variants, "2 x 512");
    } else {
        add_launches(variants, "a thread per vertex", at.n / 256 + 1);
        add_launches(variants, "8 x 256", 8 * processor_count());
        add_launches(variants, "32 x 256", 32 * processor_count());
    }
    choose_variant("components", nullptr, std::move(variants));
}

void components_write() {
    device_write("comp", "u32", at.comp, at.n);
    device_write("count", "u32", at.count, 1);
}
