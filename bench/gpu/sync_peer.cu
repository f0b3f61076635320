/* barrier, vote, round with the grid barrier that CUDA brings: grid.sync() of cooperative groups. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
extern "C" {
#include "../peers/peer.h"
}

namespace cg = cooperative_groups;

static cudaStream_t stream;
static uint32_t groups, group, turns, n, apart;
static uint32_t *result, *first;
static int *flags; /* three, used in turn, on lines of their own */

static void check(cudaError_t error, const char *call) {
    if (error != cudaSuccess) {
        errno = 0;
        peer_die(call, cudaGetErrorString(error));
    }
}
#define CUDA(call) check((call), #call)

__global__ void __launch_bounds__(1024) barrier_kernel(uint32_t *y, uint32_t turns) {
    for (uint32_t i = 0; i < turns; i++) {
        cg::this_grid().sync();
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *y = turns;
    }
}

__global__ void __launch_bounds__(1024) vote_kernel(uint32_t *y, uint32_t turns, int *flags) {
    __shared__ int answer;
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t count = 0;
    int yes = 1;
    for (uint32_t i = 0; i < turns; i++) {
        int *flag = flags + i % 3 * 32;
        if (thread == 0) {
            flags[(i + 1) % 3 * 32] = 0;
        }
        yes = __syncthreads_or(thread % 32 == i % 32 && yes != 0);
        if (threadIdx.x == 0 && yes != 0) {
            *flag = 1;
        }
        cg::this_grid().sync();
        if (threadIdx.x == 0) {
            answer = *(volatile int *)flag;
        }
        __syncthreads();
        yes = answer;
        count += yes != 0;
    }
    if (thread == 0) {
        *y = count;
    }
}

__global__ void __launch_bounds__(1024) round_kernel(uint32_t *x, uint32_t n, uint32_t apart, uint32_t turns) {
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t there = (thread + apart) % n;
    for (uint32_t i = 0; i < turns; i++) {
        x[(i + 1) % 2 * n + thread] = x[i % 2 * n + there] + 1;
        cg::this_grid().sync();
    }
}

static uint32_t *allocate(size_t count) {
    void *data = nullptr;
    CUDA(cudaMalloc(&data, (count + 1) * sizeof(uint32_t)));
    return (uint32_t *)data;
}

static void load() {
    CUDA(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    groups = (uint32_t)peer_param("groups");
    group = (uint32_t)peer_param("group");
    turns = (uint32_t)peer_param("turns");
    n = groups * group;
    result = allocate(2 * (size_t)n);
    flags = (int *)allocate(96);
}

static void load_round() {
    load();
    apart = (uint32_t)peer_param("apart");
    void *host = peer_read("x", "u32", nullptr);
    first = allocate(2 * (size_t)n);
    CUDA(cudaMemcpy(first, host, 2 * (size_t)n * sizeof *first, cudaMemcpyHostToDevice));
    CUDA(cudaDeviceSynchronize());
    free(host);
}

/* Before a run the device is this process's own again, and awake. */
static __global__ void wake(int *flags) {
    flags[threadIdx.x] = 0;
}

static void reset() {
    wake<<<1, 96, 0, stream>>>(flags);
    CUDA(cudaStreamSynchronize(stream));
}

static void reset_round() {
    CUDA(cudaMemcpyAsync(result, first, 2 * (size_t)n * sizeof *first, cudaMemcpyDeviceToDevice, stream));
    reset();
}

static void run(const void *kernel, void **values) {
    CUDA(cudaLaunchCooperativeKernel(kernel, dim3(groups), dim3(group), values, 0, stream));
    CUDA(cudaStreamSynchronize(stream));
}

static void run_barrier() {
    void *values[] = {&result, &turns};
    run((const void *)barrier_kernel, values);
}

static void run_vote() {
    void *values[] = {&result, &turns, &flags};
    run((const void *)vote_kernel, values);
}

static void run_round() {
    void *values[] = {&result, &n, &apart, &turns};
    run((const void *)round_kernel, values);
}

static void write_back(const char *name, size_t count) {
    uint32_t *host = (uint32_t *)malloc((count + 1) * sizeof *host);
    CUDA(cudaMemcpy(host, result, count * sizeof *host, cudaMemcpyDeviceToHost));
    peer_write(name, "u32", host, count);
    free(host);
}

static void write_count() {
    write_back("y", 1);
}

static void write_round() {
    write_back("x", 2 * (size_t)n);
}

int main(int argc, char **argv) {
    static peer_workload table[] = {{"barrier", load, reset, run_barrier, write_count, 0},
                                    {"vote", load, reset, run_vote, write_count, 0},
                                    {"round", load_round, reset_round, run_round, write_round, 0}};
    return peer_main(argc, argv, table, 3);
}
