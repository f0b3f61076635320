/* cg: three passes per iteration, each over all rows. In the cooperative form r, q and x stay in shared memory where
 * they fit, so that only p and the matrix are read and written. */
#include "cuda_rows.cuh"

namespace {

enum { SLOTS = 6 };

struct system {
    const uint32_t *row, *col;
    const float *val, *b;
    float *x, *r, *p, *q;
    uint32_t n, most;
    float tolerance;
    float *sums;     /* scalar products in lines that are used in turn: step s adds to s % SLOTS, clears s + 2 */
    float *goal;     /* of a graph */
    uint32_t *state; /* of a graph, in lines: iteration of its first pass; graphs done */
};

/* Step 0 is |r|^2 of the guess; of iteration k: 2 k + 1 is p q, 2 k + 2 the new |r|^2. */
__device__ __forceinline__ float *slot(const system &s, uint32_t step) {
    return s.sums + step % SLOTS * LINE;
}

__device__ __forceinline__ void clear_ahead(const system &s, uint32_t step) {
    if (thread_index() == 0) {
        *slot(s, step + 2) = 0;
    }
}

__device__ __forceinline__ void add_product(const system &s, uint32_t step, float mine) {
    float sum = sum_block(mine);
    if (threadIdx.x == 0) {
        atomicAdd(slot(s, step), sum);
    }
}

/* `by` may change in this kernel, so it is loaded as any other data. */
struct product {
    const uint32_t *__restrict__ col;
    const float *__restrict__ val;
    const float *by;

    __device__ __forceinline__ float operator()(uint32_t e) const {
        return __ldg(val + e) * by[__ldg(col + e)];
    }
};

template <int THREADS> __device__ __forceinline__ float multiply_row(const system &s, uint32_t v, const float *by) {
    SHARED(float, stages, THREADS / 32 * STAGE);
    product term = {s.col, s.val, by};
    return add_row(s.row, s.n, v, UNREACHED, stages + threadIdx.x / 32 * STAGE, term);
}

/* ---- one kernel; a block has `share` rows (a multiple of 32), a thread those that are THREADS apart ---- */

__device__ __forceinline__ float sync_product(const system &s, unsigned *words, unsigned *round, uint32_t step) {
    grid_barrier(words, ++*round);
    return share_block(threadIdx.x == 0 ? load_relaxed(slot(s, step)) : 0.0F);
}

template <int THREADS, int BLOCKS, bool NEAR>
__global__ void __launch_bounds__(THREADS, BLOCKS) cg_together(system s, uint32_t share, unsigned *words) {
    DYNAMIC_SHARED(float, kept);
    uint32_t begin = blockIdx.x * share;
    uint32_t end = min(begin + share, s.n);
    uint32_t stop = begin < s.n ? begin + (end - begin + 31) / 32 * 32 : begin; /* warps stay together */
    /* Indexed by row. Pointers before the memory itself are never used. */
    float *r = NEAR ? kept - (ptrdiff_t)begin : s.r;
    float *q = NEAR ? r + share : s.q;
    float *x = NEAR ? q + share : s.x;
    unsigned round = 0;
    uint32_t step = 0;
    float mine = 0;
    for (uint32_t v = begin + threadIdx.x; v < stop; v += THREADS) {
        float ax = multiply_row<THREADS>(s, v, s.x);
        if (v < end) {
            float rest = s.b[v] - ax;
            r[v] = rest;
            s.p[v] = rest;
            mine += rest * rest;
            if (NEAR) {
                x[v] = s.x[v];
            }
        }
    }
    add_product(s, step, mine);
    clear_ahead(s, step);
    float rr = sync_product(s, words, &round, step);
    float goal = s.tolerance * s.tolerance * rr;
    for (uint32_t it = 0; it < s.most && rr > goal; it++) {
        step++;
        mine = 0;
        for (uint32_t v = begin + threadIdx.x; v < stop; v += THREADS) {
            float sum = multiply_row<THREADS>(s, v, s.p);
            if (v < end) {
                q[v] = sum;
                mine += s.p[v] * sum;
            }
        }
        add_product(s, step, mine);
        clear_ahead(s, step);
        float alpha = rr / sync_product(s, words, &round, step);
        step++;
        mine = 0;
        for (uint32_t v = begin + threadIdx.x; v < end; v += THREADS) {
            float rest = r[v] - alpha * q[v];
            r[v] = rest;
            mine += rest * rest;
        }
        add_product(s, step, mine);
        clear_ahead(s, step);
        float next = sync_product(s, words, &round, step);
        float beta = next / rr;
        for (uint32_t v = begin + threadIdx.x; v < end; v += THREADS) {
            float d = s.p[v];
            x[v] += alpha * d;
            s.p[v] = r[v] + beta * d;
        }
        rr = next;
        grid_barrier(words, ++round);
    }
    for (uint32_t v = begin + threadIdx.x; NEAR && v < end; v += THREADS) {
        s.x[v] = x[v];
    }
}

/* ---- a launch per pass ---- */

template <int THREADS, int BLOCKS, bool FIRST>
__device__ __forceinline__ void multiply_all(const system &s, uint32_t step) {
    float mine = 0;
    uint32_t whole = (s.n + 31) / 32 * 32;
    for (uint32_t v = thread_index(); v < whole; v += thread_count()) {
        float sum = multiply_row<THREADS>(s, v, FIRST ? s.x : s.p);
        if (v < s.n && FIRST) {
            float rest = s.b[v] - sum;
            s.r[v] = rest;
            s.p[v] = rest;
            mine += rest * rest;
        } else if (v < s.n) {
            s.q[v] = sum;
            mine += s.p[v] * sum;
        }
    }
    add_product(s, step, mine);
    clear_ahead(s, step);
}

__device__ __forceinline__ void take_rest(const system &s, uint32_t step) {
    float alpha = *slot(s, step - 2) / *slot(s, step - 1);
    float mine = 0;
    for (uint32_t i = thread_index(); i < s.n / 4; i += thread_count()) {
        float4 r = ((const float4 *)s.r)[i];
        float4 q = ((const float4 *)s.q)[i];
        r = make_float4(r.x - alpha * q.x, r.y - alpha * q.y, r.z - alpha * q.z, r.w - alpha * q.w);
        ((float4 *)s.r)[i] = r;
        mine += (r.x * r.x + r.y * r.y) + (r.z * r.z + r.w * r.w);
    }
    for (uint32_t v = s.n / 4 * 4 + thread_index(); v < s.n; v += thread_count()) {
        float rest = s.r[v] - alpha * s.q[v];
        s.r[v] = rest;
        mine += rest * rest;
    }
    add_product(s, step, mine);
    clear_ahead(s, step);
}

__device__ __forceinline__ void go_on(const system &s, uint32_t step) {
    float rr = *slot(s, step - 2);
    float alpha = rr / *slot(s, step - 1);
    float beta = *slot(s, step) / rr;
    for (uint32_t i = thread_index(); i < s.n / 4; i += thread_count()) {
        float4 p = ((const float4 *)s.p)[i];
        float4 r = ((const float4 *)s.r)[i];
        float4 x = ((const float4 *)s.x)[i];
        x = make_float4(x.x + alpha * p.x, x.y + alpha * p.y, x.z + alpha * p.z, x.w + alpha * p.w);
        p = make_float4(r.x + beta * p.x, r.y + beta * p.y, r.z + beta * p.z, r.w + beta * p.w);
        ((float4 *)s.x)[i] = x;
        ((float4 *)s.p)[i] = p;
    }
    for (uint32_t v = s.n / 4 * 4 + thread_index(); v < s.n; v += thread_count()) {
        float d = s.p[v];
        s.x[v] += alpha * d;
        s.p[v] = s.r[v] + beta * d;
    }
}

template <int THREADS, int BLOCKS> __global__ void __launch_bounds__(THREADS, BLOCKS) cg_begin(system s) {
    multiply_all<THREADS, BLOCKS, true>(s, 0);
}
template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) cg_multiply(system s, uint32_t it) {
    multiply_all<THREADS, BLOCKS, false>(s, 2 * it + 1);
}
__global__ void __launch_bounds__(256) cg_rest(system s, uint32_t it) {
    take_rest(s, 2 * it + 2);
}
__global__ void __launch_bounds__(256) cg_go_on(system s, uint32_t it) {
    go_on(s, 2 * it + 2);
}

/* ---- passes of a graph ---- */

__device__ __forceinline__ float find_goal(const system &s, uint32_t it) {
    return it == 0 ? s.tolerance * s.tolerance * *slot(s, 0) : *s.goal;
}

__device__ __forceinline__ bool is_over(const system &s, uint32_t it) {
    return it >= s.most || !(*slot(s, 2 * it) > find_goal(s, it));
}

template <int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) cg_guarded_multiply(system s, uint32_t offset) {
    uint32_t it = *s.state + offset;
    if (is_over(s, it)) {
        clear_ahead(s, 2 * it + 1); /* so that what follows stays over */
        return;
    }
    if (thread_index() == 0 && it == 0) {
        *s.goal = find_goal(s, 0);
    }
    multiply_all<THREADS, BLOCKS, false>(s, 2 * it + 1);
}
__global__ void __launch_bounds__(256) cg_guarded_rest(system s, uint32_t offset) {
    uint32_t it = *s.state + offset;
    if (is_over(s, it)) {
        clear_ahead(s, 2 * it + 2);
    } else {
        take_rest(s, 2 * it + 2);
    }
}
__global__ void __launch_bounds__(256) cg_guarded_go_on(system s, uint32_t offset) {
    uint32_t it = *s.state + offset;
    if (!is_over(s, it)) {
        go_on(s, 2 * it + 2);
    }
}

__global__ void cg_tell(system s, uint32_t passes, uint32_t *word) {
    uint32_t it = *s.state + passes;
    uint32_t done = s.state[LINE] + 1;
    *s.state = it;
    s.state[LINE] = done;
    __threadfence_system();
    *(volatile uint32_t *)word = done << 1 | is_over(s, it);
}

system at;
float *guess;
float *host_sum;

void reset() {
    copy_on_device(at.x, guess, (size_t)at.n * sizeof *at.x);
    zero(at.sums, SLOTS * LINE * sizeof *at.sums);
    zero(at.state, 2 * LINE * sizeof *at.state);
}

template <int THREADS, int BLOCKS, bool NEAR> void add_together(std::vector<variant> &out, const char *name) {
    unsigned blocks = BLOCKS * processor_count();
    uint32_t share = (at.n + blocks - 1) / blocks;
    share = (share + 31) / 32 * 32;
    size_t shared = NEAR ? 3 * sizeof(float) * (size_t)share : 0;
    /* Of the 227 KiB of a processor, and those of the stages and of the system's are not to be had. */
    size_t fixed = THREADS / 32 * STAGE * sizeof(float) + 2048;
    if (BLOCKS * (shared + fixed) > 226 * 1024 ||
        resident(cg_together<THREADS, BLOCKS, NEAR>, THREADS, BLOCKS, shared) < blocks) {
        return;
    }
    out.push_back({name, [=] {
                       launch_together(cg_together<THREADS, BLOCKS, NEAR>, blocks, THREADS, shared, at, share,
                                       barrier_words());
                       finish();
                   }});
}

float read_sum(uint32_t step) {
    copy_to_pinned(host_sum, at.sums + step % SLOTS * LINE, sizeof *host_sum);
    finish();
    return *host_sum;
}

/* Persistent: as many blocks as are resident; else one for each THREADS rows. */
template <int THREADS, int BLOCKS> void add(std::vector<variant> &out, const char *name, bool persistent) {
    unsigned most = resident(cg_multiply<THREADS, BLOCKS>, THREADS, BLOCKS);
    unsigned wanted = (at.n + THREADS - 1) / THREADS;
    unsigned blocks = persistent ? std::min(most, wanted) : wanted;
    unsigned flat = std::min(8 * processor_count(), (at.n / 4 + 255) / 256 + 1);
    if (form == FORM_LOOP) {
        out.push_back({name, [=] {
                           launch(cg_begin<THREADS, BLOCKS>, blocks, THREADS, at);
                           float rr = read_sum(0);
                           float goal = at.tolerance * at.tolerance * rr;
                           for (uint32_t it = 0; it < at.most && rr > goal; it++) {
                               launch(cg_multiply<THREADS, BLOCKS>, blocks, THREADS, at, it);
                               launch(cg_rest, flat, 256, at, it);
                               launch(cg_go_on, flat, 256, at, it);
                               rr = read_sum(2 * it + 2);
                           }
                       }});
        return;
    }
    static const struct {
        uint32_t passes;
        bool ahead;
        const char *name;
    } chunks[] = {{8, true, " x 8 ahead"}, {10, false, " x 10"}, {25, false, " x 25"}, {50, false, " x 50"}};
    for (auto &chunk : chunks) {
        mapped word = make_mapped();
        recording *graph = record([=] {
            for (uint32_t i = 0; i < chunk.passes; i++) {
                launch(cg_guarded_multiply<THREADS, BLOCKS>, blocks, THREADS, at, i);
                launch(cg_guarded_rest, flat, 256, at, i);
                launch(cg_guarded_go_on, flat, 256, at, i);
            }
            launch(cg_tell, 1, 1, at, chunk.passes, word.device);
        });
        bool ahead = chunk.ahead;
        char *whole = (char *)malloc(64);
        (void)snprintf(whole, 64, "%s%s", name, chunk.name);
        out.push_back({whole, [=] {
                           launch(cg_begin<THREADS, BLOCKS>, blocks, THREADS, at);
                           run_chunks(graph, word, ahead);
                       }});
    }
}

} // namespace

void cg_load() {
    size_t rows = 0;
    at.row = device_read<uint32_t>("row", "u32", &rows);
    at.n = (uint32_t)rows - 1;
    at.col = device_read<uint32_t>("col", "u32");
    at.val = device_read<float>("val", "f32");
    at.b = device_read<float>("b", "f32");
    guess = device_read<float>("x", "f32");
    at.most = (uint32_t)peer_param("max_iter");
    at.tolerance = (float)peer_param("tol");
    at.x = device_alloc<float>(at.n);
    at.r = device_alloc<float>(at.n);
    at.p = device_alloc<float>(at.n);
    at.q = device_alloc<float>(at.n);
    at.sums = device_alloc<float>(SLOTS * LINE);
    at.goal = device_alloc<float>(LINE);
    at.state = device_alloc<uint32_t>(2 * LINE);
    host_sum = (float *)pinned_alloc(LINE * sizeof *host_sum);
    std::vector<variant> variants;
    if (form == FORM_COOP) {
        add_together<1024, 1, true>(variants, "1 x 1024, near");
        add_together<1024, 2, true>(variants, "2 x 1024, near");
        add_together<512, 2, true>(variants, "2 x 512, near");
        add_together<512, 3, true>(variants, "3 x 512, near");
        add_together<1024, 2, false>(variants, "2 x 1024");
        add_together<512, 2, false>(variants, "2 x 512");
    } else {
        add<1024, 2>(variants, "2 x 1024", true);
        add<512, 2>(variants, "2 x 512", true);
        add<256, 4>(variants, "a block per 256", false);
        add<256, 8>(variants, "a block per 256, 8 of them", false);
    }
    choose_variant("cg", reset, std::move(variants));
}

void cg_write() {
    device_write("x", "f32", at.x, at.n);
}
