#include "backend/cuda/device.h"
#include <stdio.h>

typedef struct attribute_row {
    CUdevice_attribute attribute;
    int *value;
} attribute_row;

bool gf_cuda_facts_read(gf_cuda_facts *facts, const gf_cuda_driver *driver, CUdevice device, gf_diags *diags) {
    *facts = (gf_cuda_facts){0};
    int cooperative = 0;
    const attribute_row rows[] = {
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &facts->major},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &facts->minor},
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &facts->sms},
        {CU_DEVICE_ATTRIBUTE_WARP_SIZE, &facts->warp},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &facts->threads_per_sm},
        {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, &facts->blocks_per_sm},
        {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &facts->registers_per_sm},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &facts->shared_per_sm},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &facts->shared_per_block},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &facts->shared_optin},
        {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &facts->block_threads},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &facts->grid[0]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, &facts->grid[1]},
        {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, &facts->grid[2]},
        {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &facts->l2_bytes},
        {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, &cooperative},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CUresult result = driver->cuDeviceGetAttribute(rows[i].value, rows[i].attribute, device);
        if (!gf_cuda_ok(driver, result, "cuDeviceGetAttribute", diags)) {
            return false;
        }
    }
    facts->cooperative = cooperative != 0;
    return gf_cuda_ok(driver, driver->cuDeviceGetName(facts->name, (int)sizeof facts->name, device), "cuDeviceGetName",
                      diags) &&
           gf_cuda_ok(driver, driver->cuDeviceGetUuid(&facts->uuid, device), "cuDeviceGetUuid", diags) &&
           gf_cuda_ok(driver, driver->cuDeviceTotalMem(&facts->memory_bytes, device), "cuDeviceTotalMem", diags) &&
           gf_cuda_ok(driver, driver->cuDriverGetVersion(&facts->driver_version), "cuDriverGetVersion", diags);
}

void gf_cuda_facts_describe(const gf_cuda_facts *facts, char *text, size_t size) {
    (void)snprintf(
        text, size, "gpu: %s\ncompute capability: %d.%d\nmultiprocessors: %d\nmemory: %.1f GiB\ndriver: CUDA %d.%d\n",
        facts->name, facts->major, facts->minor, facts->sms, (double)facts->memory_bytes / (double)((size_t)1 << 30),
        facts->driver_version / 1000, facts->driver_version % 1000 / 10);
}
