/* Edges of many vertices at once, for reach and flows_to: a vertex with few edges is followed by its thread, one with
 * more by its warp, and one with very many is cut into pieces for all warps of the grid, which take them behind a
 * barrier. */
#ifndef CUDA_FOLLOW_CUH
#define CUDA_FOLLOW_CUH

#include "cuda_peer.cuh"

enum { WIDE = 16, HUGE_DEGREE = 256, PIECE = 256 };

struct piece {
    uint32_t begin, end, value, unused;
};

struct pieces {
    uint4 *items; /* begin, end, value */
    uint32_t *count;
};

static inline size_t pieces_most(size_t edges) {
    return edges / PIECE + edges / HUGE_DEGREE + 64;
}

/* The longest row: whether any vertex has pieces. */
static inline bool has_huge(const uint32_t *row, size_t n) {
    bool found = false;
    for (size_t v = 0; v < n; v++) {
        found = found || row[v + 1] - row[v] >= HUGE_DEGREE;
    }
    return found;
}

/* Calls edge(col[e], value) for e from `begin` in steps of `step`, four loads at a time. True: one of them did. */
template <class Edge>
__device__ __forceinline__ bool follow_range(const uint32_t *__restrict__ col, uint32_t begin, uint32_t end,
                                             uint32_t step, uint32_t value, const Edge &edge) {
    bool any = false;
    for (uint32_t e = begin; e < end; e += 4 * step) {
        uint32_t w[4];
#pragma unroll
        for (uint32_t i = 0; i < 4; i++) {
            w[i] = e + i * step < end ? __ldg(col + e + i * step) : UNREACHED;
        }
        any |= edge(w, value);
    }
    return any;
}

/* A vertex per lane, or none; all lanes of the warp come here together. `pushed` is set where pieces were left. */
template <class Edge>
__device__ __forceinline__ bool follow_vertex(const uint32_t *__restrict__ row, const uint32_t *__restrict__ col,
                                              bool active, uint32_t v, uint32_t value, const Edge &edge,
                                              const pieces &left, bool *pushed) {
    uint32_t begin = 0;
    uint32_t end = 0;
    bool any = false;
    if (active) {
        begin = __ldg(row + v);
        end = __ldg(row + v + 1);
    }
    if (end - begin >= HUGE_DEGREE) {
        uint32_t count = (end - begin + PIECE - 1) / PIECE;
        uint32_t at = atomicAdd(left.count, count);
        for (uint32_t i = 0; i < count; i++) {
            left.items[at + i] = make_uint4(begin + i * PIECE, min(begin + (i + 1) * PIECE, end), value, 0);
        }
        *pushed = true;
        begin = end;
    }
    unsigned wide = __ballot_sync(FULL, end - begin >= WIDE);
    while (wide != 0) {
        int from = __ffs(wide) - 1;
        wide &= wide - 1;
        uint32_t its_begin = __shfl_sync(FULL, begin, from);
        uint32_t its_end = __shfl_sync(FULL, end, from);
        uint32_t its_value = __shfl_sync(FULL, value, from);
        any |= follow_range(col, its_begin + lane_index(), its_end, 32, its_value, edge);
    }
    if (end - begin < WIDE) {
        any |= follow_range(col, begin, end, 1, value, edge);
    }
    return any;
}

/* The pieces, by all warps of the grid. */
template <class Edge>
__device__ __forceinline__ bool follow_pieces(const uint32_t *__restrict__ col, const uint4 *items, uint32_t count,
                                              const Edge &edge) {
    bool any = false;
    for (uint32_t i = thread_index() / 32; i < count; i += thread_count() / 32) {
        uint4 piece = items[i];
        any |= follow_range(col, piece.x + lane_index(), piece.y, 32, piece.z, edge);
    }
    return any;
}

#endif
