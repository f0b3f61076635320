/* CUDA itself, for cuda_peer.cuh. */
#ifndef GPU_DEVICE_CUH
#define GPU_DEVICE_CUH

#include <cuda_runtime.h>
#include <stddef.h>

#define FULL 0xffffffffU
#define SHARED(type, name, count) __shared__ type name[count]
#define DYNAMIC_SHARED(type, name)                                                                                     \
    extern __shared__ double2 dynamic_shared[];                                                                        \
    type *const name = (type *)dynamic_shared

#define CUDA(call) cuda_check((call), #call)
void cuda_check(cudaError_t error, const char *call);
void launch_kernel(bool together, const void *kernel, unsigned blocks, unsigned threads, size_t shared, void **values);
unsigned resident_blocks(const void *kernel, unsigned threads, unsigned per_processor, size_t shared);
extern cudaStream_t stream;

__device__ __forceinline__ unsigned atom_add_acq_rel(unsigned *at, unsigned value) {
    unsigned old;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(value) : "memory");
    return old;
}
__device__ __forceinline__ unsigned long long atom_add_acq_rel(unsigned long long *at, unsigned long long value) {
    unsigned long long old;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], %2;" : "=l"(old) : "l"(at), "l"(value) : "memory");
    return old;
}
__device__ __forceinline__ unsigned load_acquire(const unsigned *at) {
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}
__device__ __forceinline__ unsigned long long load_acquire(const unsigned long long *at) {
    unsigned long long value;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}
__device__ __forceinline__ unsigned load_relaxed(const unsigned *at) {
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}
__device__ __forceinline__ unsigned long long load_relaxed(const unsigned long long *at) {
    unsigned long long value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
    return value;
}
__device__ __forceinline__ float load_relaxed(const float *at) {
    float value;
    asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(value) : "l"(at) : "memory");
    return value;
}
__device__ __forceinline__ void store_relaxed(unsigned *at, unsigned value) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}
__device__ __forceinline__ void store_relaxed(unsigned long long *at, unsigned long long value) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}
__device__ __forceinline__ void store_release(unsigned *at, unsigned value) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
}

#endif
