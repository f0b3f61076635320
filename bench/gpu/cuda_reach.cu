/* reach: level by level. A pass goes over all distances, and follows the edges of the vertices of its level. */
#include "cuda_follow.cuh"

namespace {

/* Of a level, in three that are used in turn: level l uses l % 3 and clears the next. */
struct slot {
    uint32_t any;
    uint32_t pieces;
    uint32_t apart[LINE - 2];
};

struct search {
    const uint32_t *row, *col;
    uint32_t *dist;
    uint32_t n;
    uint4 *pieces;
    slot *slots;
    uint32_t *base; /* of a graph: the level of its first pass, and at LINE: graphs done */
};

struct mark {
    uint32_t *dist;

    __device__ __forceinline__ bool operator()(const uint32_t w[4], uint32_t value) const {
        uint32_t old[4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            old[i] = w[i] != UNREACHED ? dist[w[i]] : 0;
        }
        bool any = false;
#pragma unroll
        for (int i = 0; i < 4; i++) {
            if (old[i] == UNREACHED) {
                dist[w[i]] = value; /* all that write it now write the same */
                any = true;
            }
        }
        return any;
    }
};

/* Four vertices at a time; behind the last one there is room that holds no level. */
__device__ __forceinline__ bool sweep(const search &s, uint32_t level, uint32_t *piece_count, bool *pushed) {
    pieces left = {s.pieces, piece_count};
    mark edge = {s.dist};
    bool any = false;
    uint32_t quads = (s.n + 3) / 4;
    uint32_t whole = (quads + 31) / 32 * 32; /* warps stay together */
    for (uint32_t i = thread_index(); i < whole; i += thread_count()) {
        uint4 d = make_uint4(UNREACHED, UNREACHED, UNREACHED, UNREACHED);
        if (i < quads) {
            d = ((const uint4 *)s.dist)[i];
        }
        bool here[4] = {d.x == level, d.y == level, d.z == level, d.w == level};
        if (!__any_sync(FULL, here[0] || here[1] || here[2] || here[3])) {
            continue;
        }
#pragma unroll 1
        for (uint32_t k = 0; k < 4; k++) {
            bool active = k == 0 ? here[0] : k == 1 ? here[1] : k == 2 ? here[2] : here[3];
            any |= follow_vertex(s.row, s.col, active, i * 4 + k, level + 1, edge, left, pushed);
        }
    }
    return any;
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) reach_together(search s, unsigned *words) {
    SHARED(unsigned, some_pushed, 1);
    grid_vote vote(words);
    for (uint32_t level = 0;; level++) {
        slot *mine = &s.slots[level % 3];
        if (thread_index() == 0) {
            s.slots[(level + 1) % 3].pieces = 0;
        }
        if (threadIdx.x == 0) {
            *some_pushed = 0;
        }
        __syncthreads();
        bool pushed = false;
        bool any = sweep(s, level, &mine->pieces, &pushed);
        if (pushed) {
            *some_pushed = 1;
        }
        unsigned votes = __syncthreads_or(any) != 0;
        votes = vote(votes + (*some_pushed != 0 ? 1U << 16 : 0));
        bool more = (votes & 0xffff) != 0;
        if (votes >> 16 != 0) {
            uint32_t count = *(volatile uint32_t *)&mine->pieces;
            any = follow_pieces(s.col, s.pieces, count, mark{s.dist});
            more = vote(__syncthreads_or(any) != 0) != 0 || more;
        }
        if (!more) {
            return;
        }
    }
}

/* ---- a launch per pass ---- */

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) reach_pass(search s, uint32_t level) {
    slot *mine = &s.slots[level % 3];
    if (thread_index() == 0) {
        s.slots[(level + 1) % 3].any = 0;
        s.slots[(level + 1) % 3].pieces = 0;
    }
    bool pushed = false;
    if (__syncthreads_or(sweep(s, level, &mine->pieces, &pushed)) && threadIdx.x == 0) {
        atomicOr(&mine->any, 1U);
    }
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) reach_pieces(search s, uint32_t level) {
    slot *mine = &s.slots[level % 3];
    if (__syncthreads_or(follow_pieces(s.col, s.pieces, mine->pieces, mark{s.dist})) && threadIdx.x == 0) {
        atomicOr(&mine->any, 1U);
    }
}

/* ---- passes of a graph: `offset` behind its first ---- */

__device__ __forceinline__ bool is_over(const search &s, uint32_t level) {
    const slot *before = &s.slots[(level + 2) % 3];
    return level > 0 && before->any == 0 && before->pieces == 0;
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) reach_guarded(search s, uint32_t offset) {
    uint32_t level = *s.base + offset;
    slot *mine = &s.slots[level % 3];
    bool over = is_over(s, level);
    if (thread_index() == 0) { /* also where it is over, so that what follows stays over */
        s.slots[(level + 1) % 3].any = 0;
        s.slots[(level + 1) % 3].pieces = 0;
    }
    bool pushed = false;
    if (!over && __syncthreads_or(sweep(s, level, &mine->pieces, &pushed)) && threadIdx.x == 0) {
        atomicOr(&mine->any, 1U);
    }
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) reach_guarded_pieces(search s, uint32_t offset) {
    uint32_t level = *s.base + offset;
    uint32_t count = s.slots[level % 3].pieces;
    if (count > 0) {
        (void)follow_pieces(s.col, s.pieces, count, mark{s.dist});
    }
}

__global__ void reach_tell(search s, uint32_t passes, uint32_t *word) {
    uint32_t level = *s.base + passes;
    uint32_t done = s.base[LINE] + 1;
    *s.base = level;
    s.base[LINE] = done;
    __threadfence_system();
    *(volatile uint32_t *)word = done << 1 | is_over(s, level);
}

search at;
uint32_t *first;
slot *host_slot;
bool huge;

void reset() {
    copy_on_device(at.dist, first, ((size_t)at.n + 4) * sizeof *at.dist);
    zero(at.slots, 3 * sizeof *at.slots);
    zero(at.base, 2 * LINE * sizeof *at.base);
}

template <int THREADS, int BLOCKS> void add(std::vector<variant> &out, const char *name) {
    if (form == FORM_COOP) {
        unsigned blocks = resident(reach_together<THREADS, BLOCKS>, THREADS, BLOCKS);
        out.push_back({name, [=] {
                           launch_together(reach_together<THREADS, BLOCKS>, blocks, THREADS, 0, at, barrier_words());
                           finish();
                       }});
        return;
    }
    unsigned blocks = resident(reach_pass<THREADS, BLOCKS>, THREADS, BLOCKS);
    if (form == FORM_LOOP) {
        out.push_back({name, [=] {
                           bool more = true;
                           for (uint32_t level = 0; more; level++) {
                               launch(reach_pass<THREADS, BLOCKS>, blocks, THREADS, at, level);
                               copy_to_pinned(host_slot, &at.slots[level % 3], 2 * sizeof(uint32_t));
                               finish();
                               more = host_slot->any != 0 || host_slot->pieces != 0;
                               if (host_slot->pieces != 0) {
                                   launch(reach_pieces<THREADS, BLOCKS>, blocks, THREADS, at, level);
                               }
                           }
                       }});
        return;
    }
    static const struct {
        uint32_t passes;
        bool ahead;
        const char *name;
    } chunks[] = {{4, false, " x 4"},
                  {8, false, " x 8"},
                  {8, true, " x 8 ahead"},
                  {32, true, " x 32 ahead"},
                  {64, true, " x 64 ahead"}};
    for (auto &chunk : chunks) {
        mapped word = make_mapped();
        recording *graph = record([=] {
            for (uint32_t i = 0; i < chunk.passes; i++) {
                launch(reach_guarded<THREADS, BLOCKS>, blocks, THREADS, at, i);
                if (huge) {
                    launch(reach_guarded_pieces<THREADS, BLOCKS>, blocks, THREADS, at, i);
                }
            }
            launch(reach_tell, 1, 1, at, chunk.passes, word.device);
        });
        bool ahead = chunk.ahead;
        char *whole = (char *)malloc(64);
        (void)snprintf(whole, 64, "%s%s", name, chunk.name);
        out.push_back({whole, [=] { run_chunks(graph, word, ahead); }});
    }
}

} // namespace

void reach_load() {
    size_t rows = 0;
    size_t edges = 0;
    uint32_t *row = (uint32_t *)peer_read("row", "u32", &rows);
    at.n = (uint32_t)rows - 1;
    huge = has_huge(row, at.n);
    free(row);
    at.row = device_read<uint32_t>("row", "u32");
    at.col = device_read<uint32_t>("col", "u32", &edges);
    first = device_read<uint32_t>("dist", "u32");
    static const uint32_t none[4] = {UNREACHED, UNREACHED, UNREACHED, UNREACHED};
    copy_to_device(first + at.n, none, sizeof none);
    at.dist = device_alloc<uint32_t>((size_t)at.n + 4);
    at.pieces = device_alloc<uint4>(pieces_most(edges));
    at.slots = device_alloc<slot>(3);
    at.base = device_alloc<uint32_t>(2 * LINE);
    host_slot = (slot *)pinned_alloc(sizeof *host_slot);
    std::vector<variant> variants;
    add<1024, 2>(variants, "2 x 1024");
    add<512, 4>(variants, "4 x 512");
    add<512, 2>(variants, "2 x 512");
    add<256, 8>(variants, "8 x 256");
    choose_variant("reach", reset, std::move(variants));
}

void reach_write() {
    device_write("dist", "u32", at.dist, at.n);
}
