/* scan and sort by CUB, which comes with CUDA. */
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda_runtime.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <vector>
extern "C" {
#include "../peers/peer.h"
}

static cudaStream_t stream;
static size_t n, work_bytes;
static uint32_t *x, *y;
static uint32_t *keys[2];
static void *work;
static cub::DoubleBuffer<uint32_t> buffers;

static void check(cudaError_t error, const char *call) {
    if (error != cudaSuccess) {
        errno = 0;
        peer_die(call, cudaGetErrorString(error));
    }
}
#define CUDA(call) check((call), #call)

static uint32_t *allocate(size_t count) {
    void *data = nullptr;
    CUDA(cudaMalloc(&data, (count + 1) * sizeof(uint32_t)));
    return (uint32_t *)data;
}

static uint32_t *read(const char *name) {
    CUDA(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    void *host = peer_read(name, "u32", &n);
    uint32_t *device = allocate(n);
    CUDA(cudaMemcpy(device, host, n * sizeof *device, cudaMemcpyHostToDevice));
    CUDA(cudaDeviceSynchronize());
    free(host);
    return device;
}

static void write(const char *name, const uint32_t *device, size_t count) {
    std::vector<uint32_t> host(count + 1);
    CUDA(cudaMemcpy(host.data(), device, count * sizeof *device, cudaMemcpyDeviceToHost));
    peer_write(name, "u32", host.data(), count);
}

static void finish() {
    CUDA(cudaStreamSynchronize(stream));
}

/* Before a run the device is this process's own again, and awake. */
static __global__ void wake(uint32_t *word) {
    *word = 0;
}

static void scan_load() {
    x = read("x");
    y = allocate(n);
    CUDA(cub::DeviceScan::InclusiveSum(nullptr, work_bytes, x, y, (uint32_t)n, stream));
    CUDA(cudaMalloc(&work, work_bytes));
}

static void scan_reset() {
    wake<<<1, 1, 0, stream>>>((uint32_t *)work);
    finish();
}

static void scan_run() {
    CUDA(cub::DeviceScan::InclusiveSum(work, work_bytes, x, y, (uint32_t)n, stream));
    finish();
}

static void scan_write() {
    write("y", y, n);
    write("total", y + n - 1, 1);
}

static void sort_load() {
    x = read("key");
    keys[0] = allocate(n);
    keys[1] = allocate(n);
    buffers = cub::DoubleBuffer<uint32_t>(keys[0], keys[1]);
    CUDA(cub::DeviceRadixSort::SortKeys(nullptr, work_bytes, buffers, (uint32_t)n, 0, 32, stream));
    CUDA(cudaMalloc(&work, work_bytes));
}

static void sort_reset() {
    CUDA(cudaMemcpyAsync(keys[0], x, n * sizeof *x, cudaMemcpyDeviceToDevice, stream));
    buffers = cub::DoubleBuffer<uint32_t>(keys[0], keys[1]);
    wake<<<1, 1, 0, stream>>>((uint32_t *)work);
    finish();
}

static void sort_run() {
    CUDA(cub::DeviceRadixSort::SortKeys(work, work_bytes, buffers, (uint32_t)n, 0, 32, stream));
    finish();
}

static void sort_write() {
    write("key", buffers.Current(), n);
}

int main(int argc, char **argv) {
    static peer_workload table[] = {{"scan", scan_load, scan_reset, scan_run, scan_write, 0},
                                    {"sort", sort_load, sort_reset, sort_run, sort_write, 0}};
    return peer_main(argc, argv, table, 2);
}
