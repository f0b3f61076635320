/* Prefix sums over tiles in one pass, by look-back: a tile says its own sum as soon as it has it, and the sum up to its
 * end once it knows what comes before; see D. Merrill, M. Garland: Single-pass parallel prefix scan with decoupled
 * look-back (2016). */
#ifndef CUDA_LOOKBACK_CUH
#define CUDA_LOOKBACK_CUH

#include "cuda_peer.cuh"

/* What a tile says: which of the two in the high half, the sum in the low one, so that they come together. A run has
 * an epoch of its own, from 1, so that words of earlier runs say nothing. */
__device__ __forceinline__ unsigned long long say_own(uint32_t epoch, uint32_t sum) {
    return (unsigned long long)(epoch * 2) << 32 | sum;
}
__device__ __forceinline__ unsigned long long say_all(uint32_t epoch, uint32_t sum) {
    return (unsigned long long)(epoch * 2 + 1) << 32 | sum;
}

/* By a whole warp: the sum of all tiles before `tile`. */
__device__ __forceinline__ uint32_t look_back(const unsigned long long *said, uint32_t tile, uint32_t epoch) {
    uint32_t sum = 0;
    for (int64_t nearest = (int64_t)tile - 1; nearest >= 0; nearest -= 32) {
        int64_t at = nearest - lane_index();
        unsigned long long word = say_all(epoch, 0);
        bool missing = false;
        do {
            if (at >= 0) {
                word = load_relaxed(said + at);
            }
            missing = (word >> 33) != epoch;
        } while (__any_sync(FULL, missing));
        unsigned whole = __ballot_sync(FULL, (word >> 32 & 1) != 0);
        unsigned last = whole != 0 ? (unsigned)__ffs(whole) - 1 : 31;
        sum += sum_warp(lane_index() <= last ? (uint32_t)word : 0U);
        if (whole != 0) {
            break;
        }
    }
    return sum;
}

#endif
