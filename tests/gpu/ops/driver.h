/* As much of the CUDA driver as one kernel after another needs, opened at run time by declarations of our own. */
#ifndef GF_TESTS_GPU_OPS_DRIVER_H
#define GF_TESTS_GPU_OPS_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct driver_module *driver_module;
typedef struct driver_kernel *driver_kernel;

/* Opens the driver and the first device; where there is none, false and why. */
bool driver_open(char *why, size_t size);
const char *driver_device(void);
/* All below end the program with a message where the driver refuses. */
driver_module driver_load(const char *ptx);
void driver_unload(driver_module module);
driver_kernel driver_find(driver_module module, const char *name);
uint64_t driver_alloc(size_t bytes);
void driver_put(uint64_t to, const void *from, size_t bytes);
void driver_take(void *to, uint64_t from, size_t bytes);
void driver_zero(uint64_t at, size_t bytes);
/* kernel(in, out, rows), one thread a row; comes back when it is done. */
void driver_run(driver_kernel kernel, uint64_t in, uint64_t out, uint32_t rows);

#endif
