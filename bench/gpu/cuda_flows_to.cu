/* flows_to: a bit per rule, hop by hop. A pass takes what has arrived at a vertex, keeps what is new there and sends
 * that on at once: arrivals of a pass and of the next one are kept apart, so one barrier per pass is enough. */
#include "cuda_follow.cuh"

namespace {

enum { RULES = 32 };

/* Of a pass, in three that are used in turn: pass p uses p % 3 and clears the next. */
struct slot {
    uint32_t sent;
    uint32_t pieces;
    uint32_t apart[LINE - 2];
};

struct flow {
    const uint32_t *row, *col, *target;
    uint32_t n, targets;
    uint32_t *state;
    uint32_t *even, *odd; /* what arrived, all zero before a run and after it; a pass takes those of its number */
    uint32_t *count, *deepest;
    uint4 *pieces;
    slot *slots;
    uint32_t *base; /* of a graph: its first pass, and at LINE: graphs done */
};

__device__ __forceinline__ uint32_t *arrivals(const flow &s, uint32_t pass) {
    return pass % 2 == 0 ? s.even : s.odd;
}

struct send {
    const uint32_t *state;
    uint32_t *arriving;

    __device__ __forceinline__ bool operator()(const uint32_t w[4], uint32_t bits) const {
        uint32_t lacking[4];
        bool any = false;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            lacking[i] = w[i] != UNREACHED ? bits & ~state[w[i]] : 0; /* may be what was there before this pass */
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (lacking[i] != 0) {
                lacking[i] &= ~load_relaxed(arriving + w[i]);
                any = true;
            }
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (lacking[i] != 0) {
                (void)atomicOr(arriving + w[i], lacking[i]);
            }
        }
        return any;
    }
};

/* The words of the lanes as rows of bits, turned over: lane r gets bit r of all lanes. */
__device__ __forceinline__ uint32_t turn_over(uint32_t x) {
    uint32_t mask = 0x0000ffff;
#pragma unroll
    for (uint32_t by = 16; by > 0; by /= 2) {
        uint32_t other = __shfl_xor_sync(FULL, x, by);
        x = (lane_index() & by) == 0 ? (x & mask) | (other & mask) << by : (other >> by & mask) | (x & ~mask);
        mask ^= mask << by / 2;
    }
    return x;
}

/* What a thread found: of rule `lane`, how many. */
struct found {
    uint32_t count;
    bool sent, pushed;
};

/* The targets, by one warp: each vertex once, with the bits of all rules that name it. */
__device__ __forceinline__ void send_targets(const flow &s, const send &edge, const pieces &left, found *out) {
    uint32_t lane = lane_index();
    uint32_t v = lane < s.targets ? s.target[lane] : UNREACHED;
    uint32_t bits = 0;
    for (uint32_t r = 0; r < s.targets; r++) {
        bits |= (uint32_t)(__shfl_sync(FULL, v, r) == v) << r;
    }
    bool mine = lane < s.targets && (uint32_t)__ffs(bits) - 1 == lane;
    if (mine) {
        s.state[v] = bits;
    }
    out->sent |= follow_vertex(s.row, s.col, mine, v, bits, edge, left, &out->pushed);
}

/* Four vertices at a time; the arrays have room behind the last one, which stays zero. */
__device__ __forceinline__ void sweep(const flow &s, uint32_t pass, const send &edge, const pieces &left, found *out) {
    uint4 *arrived = (uint4 *)arrivals(s, pass);
    uint32_t quads = (s.n + 3) / 4;
    uint32_t whole = (quads + 31) / 32 * 32; /* warps stay together */
    for (uint32_t i = thread_index(); i < whole; i += thread_count()) {
        uint4 came = make_uint4(0, 0, 0, 0);
        if (i < quads) {
            came = arrived[i];
        }
        bool some = (came.x | came.y | came.z | came.w) != 0;
        if (!__any_sync(FULL, some)) {
            continue;
        }
        if (some) {
            uint4 known = ((const uint4 *)s.state)[i];
            arrived[i] = make_uint4(0, 0, 0, 0);
            came = make_uint4(came.x & ~known.x, came.y & ~known.y, came.z & ~known.z, came.w & ~known.w);
            if ((came.x | came.y | came.z | came.w) != 0) {
                ((uint4 *)s.state)[i] =
                    make_uint4(known.x | came.x, known.y | came.y, known.z | came.z, known.w | came.w);
            }
        }
#pragma unroll 1
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t bits = k == 0 ? came.x : k == 1 ? came.y : k == 2 ? came.z : came.w;
            if (__any_sync(FULL, bits != 0)) {
                out->count += (uint32_t)__popc(turn_over(bits));
                out->sent |= follow_vertex(s.row, s.col, bits != 0, i * 4 + k, bits, edge, left, &out->pushed);
            }
        }
    }
}

__device__ __forceinline__ found take_pass(const flow &s, uint32_t pass, uint32_t *piece_count) {
    pieces left = {s.pieces, piece_count};
    send edge = {s.state, arrivals(s, pass + 1)};
    found out = {0, false, false};
    if (pass > 0) {
        sweep(s, pass, edge, left, &out);
    } else if (thread_index() < 32) {
        send_targets(s, edge, left, &out);
    }
    return out;
}

__device__ __forceinline__ bool take_pieces(const flow &s, uint32_t pass, uint32_t count) {
    send edge = {s.state, arrivals(s, pass + 1)};
    return follow_pieces(s.col, s.pieces, count, edge);
}

/* What the block has counted becomes part of the result. `sums` is zero before and after. */
__device__ __forceinline__ void add_counts(const flow &s, uint32_t pass, uint32_t mine, uint32_t *sums) {
    if (mine != 0) {
        atomicAdd(&sums[lane_index()], mine);
    }
    __syncthreads();
    if (threadIdx.x < RULES && sums[threadIdx.x] != 0) {
        atomicAdd(&s.count[threadIdx.x], sums[threadIdx.x]);
        s.deepest[threadIdx.x] = pass; /* all that write it in a pass write the same, and passes follow each other */
        sums[threadIdx.x] = 0;
    }
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) flows_together(flow s, unsigned *words) {
    SHARED(uint32_t, sums, RULES);
    SHARED(uint32_t, some_pushed, 1);
    grid_vote vote(words);
    for (uint32_t i = thread_index(); i < (s.n + 3) / 4; i += thread_count()) {
        ((uint4 *)s.state)[i] = make_uint4(0, 0, 0, 0);
    }
    if (thread_index() < RULES) {
        s.count[threadIdx.x] = 0;
        s.deepest[threadIdx.x] = 0;
    }
    if (threadIdx.x < RULES) {
        sums[threadIdx.x] = 0;
    }
    (void)vote(0);
    for (uint32_t pass = 0;; pass++) {
        slot *mine = &s.slots[pass % 3];
        if (thread_index() == 0) {
            s.slots[(pass + 1) % 3].pieces = 0;
        }
        if (threadIdx.x == 0) {
            *some_pushed = 0;
        }
        __syncthreads();
        found got = take_pass(s, pass, &mine->pieces);
        if (got.pushed) {
            *some_pushed = 1;
        }
        unsigned votes = __syncthreads_or(got.sent) != 0;
        if (__syncthreads_or(got.count != 0)) {
            add_counts(s, pass, got.count, sums);
        }
        votes = vote(votes + (*some_pushed != 0 ? 1U << 16 : 0));
        bool more = (votes & 0xffff) != 0;
        if (votes >> 16 != 0) {
            bool sent = take_pieces(s, pass, *(volatile uint32_t *)&mine->pieces);
            more = vote(__syncthreads_or(sent) != 0) != 0 || more;
        }
        if (!more) {
            return;
        }
    }
}

/* ---- a launch per pass ---- */

__device__ __forceinline__ void note(uint32_t *at, bool sent) {
    if (__syncthreads_or(sent) && threadIdx.x == 0) {
        atomicOr(at, 1U);
    }
}

__device__ __forceinline__ void take_and_note(const flow &s, uint32_t pass, uint32_t *sums) {
    slot *mine = &s.slots[pass % 3];
    if (threadIdx.x < RULES) {
        sums[threadIdx.x] = 0;
    }
    __syncthreads();
    found got = take_pass(s, pass, &mine->pieces);
    note(&mine->sent, got.sent);
    if (__syncthreads_or(got.count != 0)) {
        add_counts(s, pass, got.count, sums);
    }
}

__device__ __forceinline__ void clear_next(const flow &s, uint32_t pass) {
    if (thread_index() == 0) {
        s.slots[(pass + 1) % 3].sent = 0;
        s.slots[(pass + 1) % 3].pieces = 0;
    }
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) flows_pass(flow s, uint32_t pass) {
    SHARED(uint32_t, sums, RULES);
    clear_next(s, pass);
    take_and_note(s, pass, sums);
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) flows_pieces(flow s, uint32_t pass) {
    slot *mine = &s.slots[pass % 3];
    note(&mine->sent, take_pieces(s, pass, mine->pieces));
}

/* ---- passes of a graph ---- */

__device__ __forceinline__ bool is_over(const flow &s, uint32_t pass) {
    const slot *before = &s.slots[(pass + 2) % 3];
    return pass > 0 && before->sent == 0 && before->pieces == 0;
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) flows_guarded(flow s, uint32_t offset) {
    SHARED(uint32_t, sums, RULES);
    uint32_t pass = *s.base + offset;
    bool over = is_over(s, pass);
    clear_next(s, pass); /* also where it is over, so that what follows stays over */
    if (!over) {
        take_and_note(s, pass, sums);
    }
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) flows_guarded_pieces(flow s, uint32_t offset) {
    uint32_t pass = *s.base + offset;
    uint32_t count = s.slots[pass % 3].pieces;
    if (count > 0) {
        (void)take_pieces(s, pass, count);
    }
}

__global__ void flows_tell(flow s, uint32_t passes, uint32_t *word) {
    uint32_t pass = *s.base + passes;
    uint32_t done = s.base[LINE] + 1;
    *s.base = pass;
    s.base[LINE] = done;
    __threadfence_system();
    *(volatile uint32_t *)word = done << 1 | is_over(s, pass);
}

flow at;
slot *host_slot;
bool huge;

void reset() {
    zero(at.slots, 3 * sizeof *at.slots);
    zero(at.base, 2 * LINE * sizeof *at.base);
}

void begin_run() {
    zero(at.state, (size_t)at.n * sizeof *at.state);
    zero(at.count, 2 * RULES * sizeof *at.count); /* and `deepest` behind it */
}

template <int THREADS, int BLOCKS> void add(std::vector<variant> &out, const char *name) {
    if (form == FORM_COOP) {
        unsigned blocks = resident(flows_together<THREADS, BLOCKS>, THREADS, BLOCKS);
        out.push_back({name, [=] {
                           launch_together(flows_together<THREADS, BLOCKS>, blocks, THREADS, 0, at, barrier_words());
                           finish();
                       }});
        return;
    }
    unsigned blocks = resident(flows_pass<THREADS, BLOCKS>, THREADS, BLOCKS);
    if (form == FORM_LOOP) {
        out.push_back({name, [=] {
                           bool more = true;
                           begin_run();
                           for (uint32_t pass = 0; more; pass++) {
                               launch(flows_pass<THREADS, BLOCKS>, blocks, THREADS, at, pass);
                               copy_to_pinned(host_slot, &at.slots[pass % 3], 2 * sizeof(uint32_t));
                               finish();
                               more = host_slot->sent != 0 || host_slot->pieces != 0;
                               if (host_slot->pieces != 0) {
                                   launch(flows_pieces<THREADS, BLOCKS>, blocks, THREADS, at, pass);
                               }
                           }
                       }});
        return;
    }
    static const struct {
        uint32_t passes;
        bool ahead;
        const char *name;
    } chunks[] = {{4, false, " x 4"}, {4, true, " x 4 ahead"}, {8, false, " x 8"}, {16, false, " x 16"}};
    for (auto &chunk : chunks) {
        mapped word = make_mapped();
        recording *graph = record([=] {
            for (uint32_t i = 0; i < chunk.passes; i++) {
                launch(flows_guarded<THREADS, BLOCKS>, blocks, THREADS, at, i);
                if (huge) {
                    launch(flows_guarded_pieces<THREADS, BLOCKS>, blocks, THREADS, at, i);
                }
            }
            launch(flows_tell, 1, 1, at, chunk.passes, word.device);
        });
        bool ahead = chunk.ahead;
        char *whole = (char *)malloc(64);
        (void)snprintf(whole, 64, "%s%s", name, chunk.name);
        out.push_back({whole, [=] {
                           begin_run();
                           run_chunks(graph, word, ahead);
                       }});
    }
}

} // namespace

void flows_to_load() {
    size_t rows = 0;
    size_t edges = 0;
    size_t targets = 0;
    uint32_t *row = (uint32_t *)peer_read("row", "u32", &rows);
    at.n = (uint32_t)rows - 1;
    huge = has_huge(row, at.n);
    free(row);
    at.row = device_read<uint32_t>("row", "u32");
    at.col = device_read<uint32_t>("col", "u32", &edges);
    at.target = device_read<uint32_t>("target", "u32", &targets);
    at.targets = (uint32_t)targets;
    at.state = device_alloc<uint32_t>((size_t)at.n + 4);
    zero(at.state, ((size_t)at.n + 4) * sizeof *at.state);
    at.even = device_alloc<uint32_t>((size_t)at.n + 4);
    zero(at.even, ((size_t)at.n + 4) * sizeof *at.even);
    at.odd = device_alloc<uint32_t>((size_t)at.n + 4);
    zero(at.odd, ((size_t)at.n + 4) * sizeof *at.odd);
    at.count = device_alloc<uint32_t>(2 * RULES);
    at.deepest = at.count + RULES;
    at.pieces = device_alloc<uint4>(pieces_most(edges));
    at.slots = device_alloc<slot>(3);
    at.base = device_alloc<uint32_t>(2 * LINE);
    host_slot = (slot *)pinned_alloc(sizeof *host_slot);
    std::vector<variant> variants;
    add<512, 3>(variants, "3 x 512");
    add<512, 2>(variants, "2 x 512");
    add<1024, 1>(variants, "1 x 1024");
    add<256, 1>(variants, "1 x 256");
    choose_variant("flows_to", reset, std::move(variants));
}

void flows_to_write() {
    device_write("state", "u32", at.state, at.n);
    device_write("count", "u32", at.count, RULES);
    device_write("deepest", "u32", at.deepest, RULES);
}
