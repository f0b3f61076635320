/* barrier, vote, round: what a grid barrier costs by hand; without one, a launch or a node of a graph per turn. */
#include "cuda_peer.cuh"

namespace {

enum { GROUPS = 16, WORDS = (2 + 2 * GROUPS) * LINE };

/* Two levels: blocks count in groups, the last of a group counts for it. */
__device__ __forceinline__ void two_level_barrier(unsigned *words, unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned group = blockIdx.x % GROUPS;
        unsigned in_group = gridDim.x / GROUPS + (group < gridDim.x % GROUPS ? 1 : 0);
        unsigned groups = min(gridDim.x, (unsigned)GROUPS);
        if (atom_add_acq_rel(words + (2 + group) * LINE, 1U) + 1 == round * in_group) {
            (void)atom_add_acq_rel(words, 1U);
        }
        while ((int)(load_acquire(words) - round * groups) < 0) {
        }
    }
    __syncthreads();
}

/* The same with a vote; what thread 0 of the blocks brings is added up. */
struct two_level_vote {
    unsigned *words;
    unsigned round, before, before_last;

    __device__ __forceinline__ explicit two_level_vote(unsigned *memory)
        : words(memory), round(0), before(0), before_last(0) {
    }

    __device__ __forceinline__ unsigned operator()(unsigned votes) {
        SHARED(unsigned, answer, 1);
        round++;
        __syncthreads();
        if (threadIdx.x == 0) {
            unsigned group = blockIdx.x % GROUPS;
            unsigned in_group = gridDim.x / GROUPS + (group < gridDim.x % GROUPS ? 1 : 0);
            unsigned all = (round + 1) / 2 * min(gridDim.x, (unsigned)GROUPS);
            unsigned long long *mine = (unsigned long long *)(words + (2 + group) * LINE);
            unsigned long long *root = (unsigned long long *)(words + (round & 1) * LINE);
            unsigned long long add = (unsigned long long)votes << 32 | 1;
            unsigned long long seen = atom_add_acq_rel(mine, add) + add;
            if ((unsigned)seen == in_group) {
                store_relaxed(mine, 0ULL); /* nobody comes here again before the root lets go */
                (void)atom_add_acq_rel(root, (seen >> 32 << 32) + 1);
            }
            for (seen = load_acquire(root); (int)((unsigned)seen - all) < 0; seen = load_acquire(root)) {
            }
            unsigned sum = (unsigned)(seen >> 32);
            *answer = sum - before;
            before = before_last;
            before_last = sum;
        }
        __syncthreads();
        return *answer;
    }
};

__device__ __forceinline__ void barrier_of(unsigned *words, unsigned round, bool two_level) {
    if (two_level) {
        two_level_barrier(words, round);
    } else {
        grid_barrier(words, round);
    }
}

template <bool TWO_LEVEL>
__global__ void __launch_bounds__(1024) barrier_together(uint32_t *y, uint32_t turns, unsigned *words) {
    for (uint32_t i = 1; i <= turns; i++) {
        barrier_of(words, i, TWO_LEVEL);
    }
    if (thread_index() == 0) {
        *y = turns;
    }
}

template <class Vote>
__global__ void __launch_bounds__(1024) vote_together(uint32_t *y, uint32_t turns, unsigned *words) {
    Vote vote(words);
    uint32_t count = 0;
    bool yes = true;
    for (uint32_t i = 0; i < turns; i++) {
        yes = vote(__syncthreads_or(thread_index() % 32 == i % 32 && yes) != 0) != 0;
        count += yes;
    }
    if (thread_index() == 0) {
        *y = count;
    }
}

__device__ __forceinline__ void take_turn(uint32_t *x, uint32_t n, uint32_t there, uint32_t i) {
    x[(i + 1) % 2 * n + thread_index()] = x[i % 2 * n + there] + 1;
}

template <bool TWO_LEVEL>
__global__ void __launch_bounds__(1024)
    round_together(uint32_t *x, uint32_t n, uint32_t apart, uint32_t turns, unsigned *words) {
    uint32_t there = (thread_index() + apart) % n;
    for (uint32_t i = 0; i < turns; i++) {
        take_turn(x, n, there, i);
        barrier_of(words, i + 1, TWO_LEVEL);
    }
}

__global__ void __launch_bounds__(1024) barrier_turn(uint32_t *y, uint32_t i) {
    if (y == nullptr && i == 0) { /* never */
        *y = i;
    }
}

__global__ void barrier_end(uint32_t *y, uint32_t turns) {
    *y = turns;
}

__global__ void __launch_bounds__(1024) round_turn(uint32_t *x, uint32_t n, uint32_t apart, uint32_t i) {
    take_turn(x, n, (thread_index() + apart) % n, i);
}

uint32_t groups, group, turns, n, apart;
uint32_t *result, *first;
unsigned *words;

void load() {
    groups = (uint32_t)peer_param("groups");
    group = (uint32_t)peer_param("group");
    turns = (uint32_t)peer_param("turns");
    n = groups * group;
    words = device_alloc<unsigned>(WORDS);
}

void reset() {
    zero(words, WORDS * sizeof *words);
}

void reset_round() {
    reset();
    copy_on_device(result, first, 2 * (size_t)n * sizeof *first);
}

/* The grid is asked for, and must be resident; where it is not there is no figure. */
template <class... P, class... A>
void add(std::vector<variant> &out, const char *name, void (*kernel)(P...), A... given) {
    if (resident(kernel, group, 32) < groups) {
#ifndef PEER_STANDIN
        return;
#endif
    }
    out.push_back({name, [=] {
                       launch_together(kernel, groups, group, 0, given...);
                       finish();
                   }});
}

void add_launches(std::vector<variant> &out, const std::function<void()> &launches) {
    if (form == FORM_LOOP) {
        out.push_back({"launches", [=] {
                           launches();
                           finish();
                       }});
    } else {
        recording *graph = record(launches);
        out.push_back({"nodes", [=] {
                           replay(graph);
                           finish();
                       }});
    }
}

} // namespace

void barrier_load() {
    load();
    result = device_alloc<uint32_t>(1);
    std::vector<variant> variants;
    if (form == FORM_COOP) {
        add(variants, "one level", barrier_together<false>, result, turns, words);
        add(variants, "two levels", barrier_together<true>, result, turns, words);
    } else {
        add_launches(variants, [] {
            for (uint32_t i = 0; i < turns; i++) {
                launch(barrier_turn, groups, group, result, i);
            }
            launch(barrier_end, 1, 1, result, turns);
        });
    }
    choose_variant("barrier", reset, std::move(variants));
}

void barrier_write() {
    device_write("y", "u32", result, 1);
}

void vote_load() {
    load();
    result = device_alloc<uint32_t>(1);
    std::vector<variant> variants;
    add(variants, "one level", vote_together<grid_vote>, result, turns, barrier_words());
    add(variants, "two levels", vote_together<two_level_vote>, result, turns, words);
    choose_variant("vote", reset, std::move(variants));
}

void vote_write() {
    device_write("y", "u32", result, 1);
}

void round_load() {
    load();
    apart = (uint32_t)peer_param("apart");
    first = device_read<uint32_t>("x", "u32");
    result = device_alloc<uint32_t>(2 * (size_t)n);
    std::vector<variant> variants;
    if (form == FORM_COOP) {
        add(variants, "one level", round_together<false>, result, n, apart, turns, words);
        add(variants, "two levels", round_together<true>, result, n, apart, turns, words);
    } else {
        add_launches(variants, [] {
            for (uint32_t i = 0; i < turns; i++) {
                launch(round_turn, groups, group, result, n, apart, i);
            }
        });
    }
    choose_variant("round", reset_round, std::move(variants));
}

void round_write() {
    device_write("x", "u32", result, 2 * (size_t)n);
}
