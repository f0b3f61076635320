/* Sums over rows of a sparse matrix, 32 rows per warp at a time. Where the rows have few elements together, all lanes
 * load what lies side by side, and each adds up its row in shared memory; else a long row is added up by the warp, a
 * short one by its lane. */
#ifndef CUDA_ROWS_CUH
#define CUDA_ROWS_CUH

#include "cuda_peer.cuh"

enum { STAGE = 256, LONG_ROW = 32 };

/* The sum of term(e) over row v, which is the first of the warp's plus the lane; rows past n, and those of `skip`
 * elements or more, give 0. `stage`: STAGE floats of the warp's own in shared memory. */
template <class Term>
__device__ __forceinline__ float add_row(const uint32_t *__restrict__ row, uint32_t n, uint32_t v, uint32_t skip,
                                         float *stage, const Term &term) {
    uint32_t begin = __ldg(row + min(v, n));
    uint32_t end = __ldg(row + min(v + 1, n));
    uint32_t first = __shfl_sync(FULL, begin, 0);
    uint32_t total = __shfl_sync(FULL, end, 31) - first;
    float sum = 0;
    if (total <= STAGE) {
        float terms[STAGE / 32];
#pragma unroll
        for (uint32_t k = 0; k < STAGE / 32; k++) {
            uint32_t i = k * 32 + lane_index();
            terms[k] = i < total ? term(first + i) : 0;
        }
        __syncwarp(); /* what was there has been read */
#pragma unroll
        for (uint32_t k = 0; k < STAGE / 32; k++) {
            stage[k * 32 + lane_index()] = terms[k];
        }
        __syncwarp();
        for (uint32_t i = begin - first; i < end - first; i++) {
            sum += stage[i];
        }
        return sum;
    }
    if (end - begin >= skip) {
        begin = end;
    }
    unsigned wide = __ballot_sync(FULL, end - begin >= LONG_ROW);
    while (wide != 0) {
        unsigned from = (unsigned)__ffs(wide) - 1;
        wide &= wide - 1;
        uint32_t its_end = __shfl_sync(FULL, end, from);
        float part[4] = {0, 0, 0, 0};
        for (uint32_t e = __shfl_sync(FULL, begin, from) + lane_index(); e < its_end; e += 128) {
#pragma unroll
            for (uint32_t k = 0; k < 4; k++) {
                part[k] += e + k * 32 < its_end ? term(e + k * 32) : 0;
            }
        }
        float whole = sum_warp((part[0] + part[1]) + (part[2] + part[3]));
        sum = lane_index() == from ? whole : sum;
    }
    if (end - begin < LONG_ROW) {
        float part[4] = {0, 0, 0, 0};
        for (uint32_t e = begin; e < end; e += 4) {
#pragma unroll
            for (uint32_t k = 0; k < 4; k++) {
                part[k] += e + k < end ? term(e + k) : 0;
            }
        }
        sum += (part[0] + part[1]) + (part[2] + part[3]);
    }
    return sum;
}

#endif
