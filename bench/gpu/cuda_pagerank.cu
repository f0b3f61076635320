/* pagerank by pull. Long rows are cut into pieces when a run begins, and shared out over all warps; who adds up the
 * last piece of a row ends it. All other rows go 32 at a time. */
#include "cuda_rows.cuh"

namespace {

enum { HUGE_ROW = 512, PIECE = 512, SLOTS = 3 };

struct hub {
    uint32_t v, pieces;
    uint32_t done; /* pieces of this iteration; 0 before and after */
    float sum;     /* likewise */
};

struct slot {
    float change, lost;
    float apart[LINE - 2];
};

struct ranks {
    const uint32_t *row, *col, *out_row;
    uint32_t n, most;
    float damping, tolerance;
    float *score, *even, *odd; /* shares: iteration i takes those of its number */
    uint4 *pieces;             /* begin, end, hub */
    hub *hubs;
    uint32_t *counts; /* pieces, and at LINE: hubs */
    slot *slots;      /* step s adds to s % SLOTS: 0 is the begin, i + 1 iteration i */
    uint32_t *state;  /* of a graph, in lines: iteration of its first pass; graphs done */
};

__device__ __forceinline__ void add_to_slot(const ranks &s, uint32_t step, float change, float lost) {
    slot *mine = &s.slots[step % SLOTS];
    change = sum_block(change);
    lost = sum_block(lost);
    if (threadIdx.x == 0) {
        atomicAdd(&mine->change, change);
        atomicAdd(&mine->lost, lost);
    }
}

__device__ __forceinline__ void clear_next(const ranks &s, uint32_t step) {
    if (thread_index() == 0) {
        s.slots[(step + 1) % SLOTS].change = 0;
        s.slots[(step + 1) % SLOTS].lost = 0;
    }
}

__device__ __forceinline__ void cut_row(const ranks &s, uint32_t v, uint32_t begin, uint32_t end) {
    uint32_t count = (end - begin + PIECE - 1) / PIECE;
    uint32_t index = atomicAdd(&s.counts[LINE], 1U);
    uint32_t at = atomicAdd(&s.counts[0], count);
    s.hubs[index].v = v;
    s.hubs[index].pieces = count;
    for (uint32_t i = 0; i < count; i++) {
        s.pieces[at + i] = make_uint4(begin + i * PIECE, min(begin + (i + 1) * PIECE, end), index, 0);
    }
}

__device__ __forceinline__ void begin_all(const ranks &s) {
    float base = 1.0F / (float)s.n;
    float lost = 0;
    for (uint32_t v = thread_index(); v < s.n; v += thread_count()) {
        uint32_t links = __ldg(s.out_row + v + 1) - __ldg(s.out_row + v);
        uint32_t begin = __ldg(s.row + v);
        uint32_t end = __ldg(s.row + v + 1);
        s.score[v] = base;
        s.even[v] = links == 0 ? 0 : base / (float)links;
        lost += links == 0 ? base : 0;
        if (end - begin >= HUGE_ROW) {
            cut_row(s, v, begin, end);
        }
    }
    add_to_slot(s, 0, 0, lost);
}

struct gather {
    const uint32_t *__restrict__ col;
    const float *share; /* changes in the cooperative kernel */

    __device__ __forceinline__ float operator()(uint32_t e) const {
        return share[__ldg(col + e)];
    }
};

/* What an iteration needs and gives, of a thread. */
struct pulling {
    float same, spread;
    float *next_share;
    float change, lost;
};

__device__ __forceinline__ void end_row(const ranks &s, uint32_t v, float sum, pulling *at) {
    uint32_t links = __ldg(s.out_row + v + 1) - __ldg(s.out_row + v);
    float next = at->same + s.damping * (sum + at->spread);
    at->change += fabsf(next - s.score[v]);
    at->lost += links == 0 ? next : 0;
    s.score[v] = next;
    at->next_share[v] = links == 0 ? 0 : next / (float)links;
}

__device__ __forceinline__ void pull_piece(const ranks &s, const gather &term, uint4 piece, pulling *at) {
    float part[4] = {0, 0, 0, 0};
    for (uint32_t e = piece.x + lane_index(); e < piece.y; e += 128) {
#pragma unroll
        for (uint32_t k = 0; k < 4; k++) {
            part[k] += e + k * 32 < piece.y ? term(e + k * 32) : 0;
        }
    }
    float sum = sum_warp((part[0] + part[1]) + (part[2] + part[3]));
    hub *home = &s.hubs[piece.z];
    if (lane_index() == 0) {
        atomicAdd(&home->sum, sum);
        __threadfence();
        if (atomicAdd(&home->done, 1U) == home->pieces - 1) {
            __threadfence();
            sum = load_relaxed(&home->sum);
            home->sum = 0; /* the next iteration comes behind a barrier */
            home->done = 0;
            end_row(s, home->v, sum, at);
        }
    }
}

template <int THREADS> __device__ __forceinline__ void pull_all(const ranks &s, uint32_t it) {
    SHARED(float, stages, THREADS / 32 * STAGE);
    float base = 1.0F / (float)s.n;
    float lost = load_relaxed(&s.slots[it % SLOTS].lost);
    gather term = {s.col, it % 2 == 0 ? s.even : s.odd};
    pulling at = {(1 - s.damping) * base, lost * base, it % 2 == 0 ? s.odd : s.even, 0, 0};
    uint32_t warps = thread_count() / 32;
    uint32_t warp = thread_index() / 32;
    uint32_t pieces = s.counts[0];
    for (uint32_t i = warp; i < pieces; i += warps) {
        pull_piece(s, term, s.pieces[i], &at);
    }
    uint32_t tiles = (s.n + 31) / 32;
    for (uint32_t tile = warp; tile < tiles; tile += warps) {
        uint32_t v = tile * 32 + lane_index();
        float sum = add_row(s.row, s.n, v, HUGE_ROW, stages + threadIdx.x / 32 * STAGE, term);
        if (v < s.n && __ldg(s.row + v + 1) - __ldg(s.row + v) < HUGE_ROW) {
            end_row(s, v, sum, &at);
        }
    }
    add_to_slot(s, it + 1, at.change, at.lost);
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) pagerank_together(ranks s, unsigned *words) {
    unsigned round = 0;
    begin_all(s);
    grid_barrier(words, ++round);
    for (uint32_t it = 0; it < s.most; it++) {
        clear_next(s, it + 1);
        pull_all<THREADS>(s, it);
        grid_barrier(words, ++round);
        float change = share_block(threadIdx.x == 0 ? load_relaxed(&s.slots[(it + 1) % SLOTS].change) : 0.0F);
        if (!(change > s.tolerance)) {
            return;
        }
    }
}

/* ---- a launch per pass ---- */

__global__ void __launch_bounds__(256) pagerank_begin(ranks s) {
    begin_all(s);
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) pagerank_pull(ranks s, uint32_t it) {
    clear_next(s, it + 1);
    pull_all<THREADS>(s, it);
}

/* ---- passes of a graph ---- */

__device__ __forceinline__ bool is_over(const ranks &s, uint32_t it) {
    return it >= s.most || (it > 0 && !(s.slots[it % SLOTS].change > s.tolerance));
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) pagerank_guarded(ranks s, uint32_t offset) {
    uint32_t it = *s.state + offset;
    bool over = is_over(s, it);
    clear_next(s, it + 1); /* also where it is over, so that what follows stays over */
    if (!over) {
        pull_all<THREADS>(s, it);
    }
}

__global__ void pagerank_tell(ranks s, uint32_t passes, uint32_t *word) {
    uint32_t it = *s.state + passes;
    uint32_t done = s.state[LINE] + 1;
    *s.state = it;
    s.state[LINE] = done;
    __threadfence_system();
    *(volatile uint32_t *)word = done << 1 | is_over(s, it);
}

ranks at;
float *host_change;

void reset() {
    zero(at.counts, 2 * LINE * sizeof *at.counts);
    zero(at.slots, SLOTS * sizeof *at.slots);
    zero(at.state, 2 * LINE * sizeof *at.state);
}

template <int THREADS, int BLOCKS> void add(std::vector<variant> &out, const char *name) {
    if (form == FORM_COOP) {
        unsigned blocks = resident(pagerank_together<THREADS, BLOCKS>, THREADS, BLOCKS);
        out.push_back({name, [=] {
                           launch_together(pagerank_together<THREADS, BLOCKS>, blocks, THREADS, 0, at, barrier_words());
                           finish();
                       }});
        return;
    }
    unsigned blocks = resident(pagerank_pull<THREADS, BLOCKS>, THREADS, BLOCKS);
    unsigned flat = 8 * processor_count();
    if (form == FORM_LOOP) {
        out.push_back({name, [=] {
                           float change = at.tolerance + 1;
                           launch(pagerank_begin, flat, 256, at);
                           for (uint32_t it = 0; it < at.most && change > at.tolerance; it++) {
                               launch(pagerank_pull<THREADS, BLOCKS>, blocks, THREADS, at, it);
                               copy_to_pinned(host_change, &at.slots[(it + 1) % SLOTS].change, sizeof change);
                               finish();
                               change = *host_change;
                           }
                       }});
        return;
    }
    static const struct {
        uint32_t passes;
        bool ahead;
        const char *name;
    } chunks[] = {{4, false, " x 4"}, {4, true, " x 4 ahead"}, {16, false, " x 16"}};
    for (auto &chunk : chunks) {
        mapped word = make_mapped();
        recording *graph = record([=] {
            for (uint32_t i = 0; i < chunk.passes; i++) {
                launch(pagerank_guarded<THREADS, BLOCKS>, blocks, THREADS, at, i);
            }
            launch(pagerank_tell, 1, 1, at, chunk.passes, word.device);
        });
        bool ahead = chunk.ahead;
        char *whole = (char *)malloc(64);
        (void)snprintf(whole, 64, "%s%s", name, chunk.name);
        out.push_back({whole, [=] {
                           launch(pagerank_begin, flat, 256, at);
                           run_chunks(graph, word, ahead);
                       }});
    }
}

} // namespace

void pagerank_load() {
    size_t rows = 0;
    size_t edges = 0;
    at.row = device_read<uint32_t>("row", "u32", &rows);
    at.n = (uint32_t)rows - 1;
    at.col = device_read<uint32_t>("col", "u32", &edges);
    at.out_row = device_read<uint32_t>("out_row", "u32");
    at.damping = (float)peer_param("damping");
    at.tolerance = (float)peer_param("tol");
    at.most = (uint32_t)peer_param("max_iter");
    at.score = device_alloc<float>(at.n);
    at.even = device_alloc<float>(at.n);
    at.odd = device_alloc<float>(at.n);
    at.pieces = device_alloc<uint4>(edges / PIECE + edges / HUGE_ROW + 64);
    at.hubs = device_alloc<hub>(edges / HUGE_ROW + 64);
    zero(at.hubs, (edges / HUGE_ROW + 64) * sizeof *at.hubs);
    at.counts = device_alloc<uint32_t>(2 * LINE);
    at.slots = device_alloc<slot>(SLOTS);
    at.state = device_alloc<uint32_t>(2 * LINE);
    host_change = (float *)pinned_alloc(LINE * sizeof *host_change);
    std::vector<variant> variants;
    add<1024, 1>(variants, "1 x 1024");
    add<1024, 2>(variants, "2 x 1024");
    add<512, 3>(variants, "3 x 512");
    add<512, 2>(variants, "2 x 512");
    add<256, 6>(variants, "6 x 256");
    choose_variant("pagerank", reset, std::move(variants));
}

void pagerank_write() {
    device_write("score", "f32", at.score, at.n);
}
