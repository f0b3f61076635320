/* bfs: by push from a queue of runs of edges, or by pull into what is not yet seen, as programs/bfs.gf decides. The
 * search is a sequence of steps; each block works out the next one for itself, from what the last one has counted. */
#include "cuda_peer.cuh"

namespace {

enum { RUN = 128, SLOTS = 3 };
enum phase { BEGIN, PUSH, MARK, PULL, COLLECT, OVER };

/* What a step counts; step s uses s % SLOTS and clears the next. */
struct slot {
    unsigned long long queued; /* runs in the low half, their edges in the high one */
    uint32_t found, left;
    uint32_t apart[LINE - 4];
};

struct plan {
    uint32_t phase;
    uint32_t begin, end; /* runs of the level, in the queue; new ones go behind `end` */
    uint32_t depth, flip, found;
    uint32_t edges, edges_before, edges_left;
    uint32_t apart[LINE - 9];
};

struct search {
    const uint32_t *row, *col, *in_row, *in_col;
    uint32_t *level;
    uint32_t n, m, source, alpha, beta;
    bool pulls;
    uint2 *queue;
    uint32_t *even, *odd; /* bits of vertices; which of them is the last level: flip */
    slot *slots;
    plan *plans;     /* of a graph: that of step s at s % SLOTS */
    uint32_t *state; /* likewise, in lines: its first step; graphs done */
};

__host__ __device__ __forceinline__ void choose_direction(const search &s, plan *at) {
    bool pull = s.pulls && at->edges > at->edges_before && at->edges > at->edges_left / s.alpha;
    at->phase = at->begin == at->end ? OVER : pull ? MARK : PUSH;
}

/* The step behind `at`, which counted `got`. */
__host__ __device__ __forceinline__ void advance(const search &s, plan *at, unsigned long long queued, uint32_t found,
                                                 uint32_t left) {
    uint32_t before = at->edges;
    switch (at->phase) {
    case BEGIN:
        at->end = (uint32_t)queued;
        at->edges = (uint32_t)(queued >> 32);
        at->edges_left = s.m - at->edges;
        choose_direction(s, at);
        break;
    case PUSH:
        at->begin = at->end;
        at->end += (uint32_t)queued;
        at->edges = (uint32_t)(queued >> 32);
        at->edges_before = before;
        at->edges_left -= at->edges;
        at->depth++;
        choose_direction(s, at);
        break;
    case MARK:
        at->found = 0;
        at->phase = PULL;
        break;
    case PULL:
        at->flip ^= 1;
        at->depth++;
        if (found == 0) {
            at->phase = OVER;
        } else if (!(found >= at->found || found > s.n / s.beta)) {
            at->phase = COLLECT;
        }
        at->found = found;
        break;
    case COLLECT:
        at->begin = at->end;
        at->end += (uint32_t)queued;
        at->edges = (uint32_t)(queued >> 32);
        at->edges_before = UNREACHED; /* at least one level by push */
        at->edges_left = left;
        choose_direction(s, at);
        break;
    default:
        break;
    }
}

/* The edges [begin, end) of each lane that has some go to the queue; all lanes of the warp come here together. */
__device__ __forceinline__ void enqueue(const search &s, uint32_t tail, slot *mine, uint32_t begin, uint32_t end) {
    uint32_t edges = end - begin;
    uint32_t runs = (edges + RUN - 1) / RUN;
    unsigned some = __ballot_sync(FULL, runs > 0);
    if (some == 0) {
        return;
    }
    uint32_t up_to = runs;
    if (__any_sync(FULL, runs > 1)) {
#pragma unroll
        for (unsigned by = 1; by < 32; by *= 2) {
            uint32_t before = __shfl_up_sync(FULL, up_to, by);
            up_to += lane_index() >= by ? before : 0;
        }
    } else {
        up_to = (uint32_t)__popc(some & (FULL >> (31 - lane_index())));
    }
    uint32_t all_edges = sum_warp(edges);
    unsigned long long place = 0;
    if (lane_index() == 31) {
        place = atomicAdd(&mine->queued, (unsigned long long)all_edges << 32 | up_to);
    }
    uint32_t at = tail + (uint32_t)__shfl_sync(FULL, place, 31) + up_to - runs;
    for (uint32_t k = 0; k < runs; k++) {
        s.queue[at + k] = make_uint2(begin + k * RUN, min(begin + (k + 1) * RUN, end));
    }
}

__device__ __forceinline__ void begin_search(const search &s, slot *mine) {
    for (uint32_t i = thread_index(); i < (s.n + 3) / 4; i += thread_count()) {
        uint32_t v = i * 4;
        ((uint4 *)s.level)[i] = make_uint4(v == s.source ? 0 : UNREACHED, v + 1 == s.source ? 0 : UNREACHED,
                                           v + 2 == s.source ? 0 : UNREACHED, v + 3 == s.source ? 0 : UNREACHED);
    }
    if (thread_index() < 32) {
        bool mine_is = lane_index() == 0 && s.source < s.n;
        enqueue(s, 0, mine, mine_is ? s.row[s.source] : 0, mine_is ? s.row[s.source + 1] : 0);
    }
}

__device__ __forceinline__ void push(const search &s, const plan &at, slot *mine) {
    for (uint32_t k = at.begin + thread_index() / 32; k < at.end; k += thread_count() / 32) {
        uint2 run = s.queue[k];
        for (uint32_t first = run.x; first < run.y; first += 64) {
            uint32_t w[2], seen[2];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                uint32_t e = first + i * 32 + lane_index();
                w[i] = e < run.y ? __ldg(s.col + e) : UNREACHED;
            }
#pragma unroll
            for (int i = 0; i < 2; i++) {
                seen[i] = w[i] != UNREACHED ? s.level[w[i]] : 0;
            }
#pragma unroll
            for (int i = 0; i < 2; i++) {
                uint32_t begin = 0;
                uint32_t end = 0;
                if (seen[i] == UNREACHED) { /* its edges are asked for before it is known whether they are wanted */
                    begin = __ldg(s.row + w[i]);
                    end = __ldg(s.row + w[i] + 1);
                    if (atomicCAS(&s.level[w[i]], UNREACHED, at.depth + 1) != UNREACHED) {
                        begin = end;
                    }
                }
                enqueue(s, at.end, mine, begin, end);
            }
        }
    }
}

__device__ __forceinline__ void mark(const search &s, const plan &at) {
    uint32_t *front = at.flip == 0 ? s.even : s.odd;
    for (uint32_t word = thread_index() / 32; word < (s.n + 31) / 32; word += thread_count() / 32) {
        uint32_t v = word * 32 + lane_index();
        unsigned bits = __ballot_sync(FULL, v < s.n && s.level[v] == at.depth);
        if (lane_index() == 0) {
            front[word] = bits;
        }
    }
}

/* Whether an edge into v comes from the front; four edges at a time. */
__device__ __forceinline__ bool has_parent(const search &s, uint32_t v, const uint32_t *front) {
    uint32_t end = __ldg(s.in_row + v + 1);
    for (uint32_t e = __ldg(s.in_row + v); e < end; e += 4) {
        uint32_t u[4];
        uint32_t hit = 0;
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            u[i] = __ldg(s.in_col + min(e + i, end - 1));
        }
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            hit |= front[u[i] / 32] >> u[i] % 32 & 1;
        }
        if (hit != 0) {
            return true;
        }
    }
    return false;
}

__device__ __forceinline__ void pull(const search &s, const plan &at, slot *mine) {
    const uint32_t *front = at.flip == 0 ? s.even : s.odd;
    uint32_t *next = at.flip == 0 ? s.odd : s.even;
    uint32_t found = 0;
    for (uint32_t word = thread_index() / 32; word < (s.n + 31) / 32; word += thread_count() / 32) {
        uint32_t v = word * 32 + lane_index();
        bool here = v < s.n && s.level[v] == UNREACHED && has_parent(s, v, front);
        if (here) {
            s.level[v] = at.depth + 1;
        }
        unsigned bits = __ballot_sync(FULL, here);
        if (lane_index() == 0) {
            next[word] = bits;
        }
        found += here;
    }
    found = sum_block(found);
    if (threadIdx.x == 0 && found > 0) {
        atomicAdd(&mine->found, found);
    }
}

__device__ __forceinline__ void collect(const search &s, const plan &at, slot *mine) {
    const uint32_t *front = at.flip == 0 ? s.even : s.odd;
    uint32_t left = 0;
    for (uint32_t word = thread_index() / 32; word < (s.n + 31) / 32; word += thread_count() / 32) {
        uint32_t v = word * 32 + lane_index();
        bool here = (front[word] >> lane_index() & 1) != 0;
        bool rest = !here && v < s.n && s.level[v] == UNREACHED;
        uint32_t begin = here || rest ? __ldg(s.row + v) : 0;
        uint32_t end = here || rest ? __ldg(s.row + v + 1) : 0;
        left += rest ? end - begin : 0;
        enqueue(s, at.end, mine, here ? begin : 0, here ? end : 0);
    }
    left = sum_block(left);
    if (threadIdx.x == 0 && left > 0) {
        atomicAdd(&mine->left, left);
    }
}

__device__ __forceinline__ void work(const search &s, const plan &at, slot *mine) {
    switch (at.phase) {
    case BEGIN:
        begin_search(s, mine);
        break;
    case PUSH:
        push(s, at, mine);
        break;
    case MARK:
        mark(s, at);
        break;
    case PULL:
        pull(s, at, mine);
        break;
    case COLLECT:
        collect(s, at, mine);
        break;
    default:
        break;
    }
}

__device__ __forceinline__ void clear_next(const search &s, uint32_t step) {
    if (thread_index() == 0) {
        slot *next = &s.slots[(step + 1) % SLOTS];
        next->queued = 0;
        next->found = 0;
        next->left = 0;
    }
}

/* By one thread: the plan of a step, from that of the one before. */
__device__ __forceinline__ void advance_past(const search &s, plan *at, uint32_t step) {
    const slot *last = &s.slots[step % SLOTS];
    unsigned long long queued = load_relaxed(&last->queued);
    uint32_t found = load_relaxed(&last->found);
    uint32_t left = load_relaxed(&last->left);
    advance(s, at, queued, found, left);
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) bfs_together(search s, unsigned *words) {
    SHARED(plan, now, 1);
    if (threadIdx.x == 0) {
        *now = {};
    }
    __syncthreads();
    for (uint32_t step = 0; now->phase != OVER; step++) {
        clear_next(s, step);
        work(s, *now, &s.slots[step % SLOTS]);
        grid_barrier(words, step + 1);
        if (threadIdx.x == 0) {
            advance_past(s, now, step);
        }
        __syncthreads();
    }
}

/* ---- a launch per step ---- */

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) bfs_step(search s, plan at, uint32_t step) {
    clear_next(s, step);
    work(s, at, &s.slots[step % SLOTS]);
}

/* ---- steps of a graph ---- */

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) bfs_guarded(search s, uint32_t offset) {
    SHARED(plan, now, 1);
    uint32_t step = *s.state + offset;
    if (threadIdx.x == 0) {
        *now = {};
        if (step > 0) {
            *now = s.plans[(step - 1) % SLOTS];
            advance_past(s, now, step - 1);
        }
        if (blockIdx.x == 0) {
            s.plans[step % SLOTS] = *now;
        }
    }
    __syncthreads();
    clear_next(s, step);
    work(s, *now, &s.slots[step % SLOTS]);
}

__global__ void bfs_tell(search s, uint32_t steps, uint32_t *word) {
    uint32_t step = *s.state + steps;
    uint32_t done = s.state[LINE] + 1;
    plan now = s.plans[(step - 1) % SLOTS];
    advance_past(s, &now, step - 1);
    *s.state = step;
    s.state[LINE] = done;
    __threadfence_system();
    *(volatile uint32_t *)word = done << 1 | (now.phase == OVER);
}

search at;
slot *host_slot;

void reset() {
    zero(at.slots, SLOTS * sizeof *at.slots);
    zero(at.state, 2 * LINE * sizeof *at.state);
}

template <int THREADS, int BLOCKS> void add(std::vector<variant> &out, const char *name) {
    if (form == FORM_COOP) {
        unsigned blocks = resident(bfs_together<THREADS, BLOCKS>, THREADS, BLOCKS);
        out.push_back({name, [=] {
                           launch_together(bfs_together<THREADS, BLOCKS>, blocks, THREADS, 0, at, barrier_words());
                           finish();
                       }});
        return;
    }
    unsigned blocks = resident(bfs_step<THREADS, BLOCKS>, THREADS, BLOCKS);
    if (form == FORM_LOOP) {
        out.push_back({name, [=] {
                           plan now = {};
                           for (uint32_t step = 0; now.phase != OVER; step++) {
                               launch(bfs_step<THREADS, BLOCKS>, blocks, THREADS, at, now, step);
                               copy_to_pinned(host_slot, &at.slots[step % SLOTS], 16);
                               finish();
                               advance(at, &now, host_slot->queued, host_slot->found, host_slot->left);
                           }
                       }});
        return;
    }
    static const struct {
        uint32_t steps;
        bool ahead;
        const char *name;
    } chunks[] = {{4, true, " x 4 ahead"}, {8, false, " x 8"}, {16, false, " x 16"}, {64, true, " x 64 ahead"}};
    for (auto &chunk : chunks) {
        mapped word = make_mapped();
        recording *graph = record([=] {
            for (uint32_t i = 0; i < chunk.steps; i++) {
                launch(bfs_guarded<THREADS, BLOCKS>, blocks, THREADS, at, i);
            }
            launch(bfs_tell, 1, 1, at, chunk.steps, word.device);
        });
        bool ahead = chunk.ahead;
        char *whole = (char *)malloc(64);
        (void)snprintf(whole, 64, "%s%s", name, chunk.name);
        out.push_back({whole, [=] { run_chunks(graph, word, ahead); }});
    }
}

} // namespace

void bfs_load() {
    size_t rows = 0;
    size_t edges = 0;
    size_t in_rows = 0;
    at.row = device_read<uint32_t>("row", "u32", &rows);
    at.col = device_read<uint32_t>("col", "u32", &edges);
    at.in_row = device_read<uint32_t>("in_row", "u32", &in_rows);
    at.in_col = device_read<uint32_t>("in_col", "u32");
    at.n = (uint32_t)rows - 1;
    at.m = (uint32_t)edges;
    at.pulls = in_rows == rows;
    at.source = (uint32_t)peer_param("source");
    at.alpha = (uint32_t)peer_param_or("alpha", 15);
    at.beta = (uint32_t)peer_param_or("beta", 18);
    at.level = device_alloc<uint32_t>((size_t)at.n + 4);
    at.queue = device_alloc<uint2>(at.n + edges / RUN + 1);
    at.even = device_alloc<uint32_t>(at.n / 32 + 1);
    at.odd = device_alloc<uint32_t>(at.n / 32 + 1);
    at.slots = device_alloc<slot>(SLOTS);
    at.plans = device_alloc<plan>(SLOTS);
    at.state = device_alloc<uint32_t>(2 * LINE);
    host_slot = (slot *)pinned_alloc(sizeof *host_slot);
    std::vector<variant> variants;
    add<1024, 2>(variants, "2 x 1024");
    add<1024, 1>(variants, "1 x 1024");
    add<512, 4>(variants, "4 x 512");
    add<512, 2>(variants, "2 x 512");
    add<256, 1>(variants, "1 x 256");
    choose_variant("bfs", reset, std::move(variants));
}

void bfs_write() {
    device_write("level", "u32", at.level, at.n);
}
