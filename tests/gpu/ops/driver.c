#include "gpu/ops/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of cuda.h, whose numbers and types these are: int results, int devices, 64-bit device addresses. */
enum { SUCCESS = 0, ERROR_LOG = 5, ERROR_LOG_BYTES = 6, LOG_ROOM = 16384, THREADS = 256 };

static struct {
    int (*init)(unsigned flags);
    int (*error_name)(int error, const char **name);
    int (*device_count)(int *count);
    int (*device)(int *device, int ordinal);
    int (*device_name)(char *name, int size, int device);
    int (*retain)(void **context, int device);
    int (*make_current)(void *context);
    int (*synchronize)(void);
    int (*load)(driver_module *module, const void *image, unsigned count, int *options, void **values);
    int (*unload)(driver_module module);
    int (*function)(driver_kernel *kernel, driver_module module, const char *name);
    int (*alloc)(uint64_t *address, size_t bytes);
    int (*put)(uint64_t to, const void *from, size_t bytes);
    int (*take)(void *to, uint64_t from, size_t bytes);
    int (*set)(uint64_t at, unsigned char value, size_t count);
    int (*launch)(driver_kernel kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, void *stream, void **arguments, void **extra);
} driver;

static char device_name[128];

static void check(int error, const char *what) {
    if (error != SUCCESS) {
        const char *name = NULL;
        driver.error_name(error, &name);
        printf("FAIL the driver: %s: %s (%d)\n0 passed, 1 failed, 0 skipped\n", what, name != NULL ? name : "", error);
        exit(1);
    }
}

static bool find_functions(void *library) {
    const struct {
        const char *name;
        void *to;
    } table[] = {
        {"cuInit", &driver.init},
        {"cuGetErrorName", &driver.error_name},
        {"cuDeviceGetCount", &driver.device_count},
        {"cuDeviceGet", &driver.device},
        {"cuDeviceGetName", &driver.device_name},
        {"cuDevicePrimaryCtxRetain", &driver.retain},
        {"cuCtxSetCurrent", &driver.make_current},
        {"cuCtxSynchronize", &driver.synchronize},
        {"cuModuleLoadDataEx", &driver.load},
        {"cuModuleUnload", &driver.unload},
        {"cuModuleGetFunction", &driver.function},
        {"cuMemAlloc_v2", &driver.alloc},
        {"cuMemcpyHtoD_v2", &driver.put},
        {"cuMemcpyDtoH_v2", &driver.take},
        {"cuMemsetD8_v2", &driver.set},
        {"cuLaunchKernel", &driver.launch},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        void *symbol = dlsym(library, table[i].name);
        if (symbol == NULL) {
            return false;
        }
        memcpy(table[i].to, &symbol, sizeof symbol);
    }
    return true;
}

bool driver_open(char *why, size_t size) {
    int count = 0, device = 0;
    void *context = NULL, *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(why, size, "no libcuda.so.1");
        return false;
    }
    if (!find_functions(library)) {
        snprintf(why, size, "libcuda.so.1 lacks a function");
        return false;
    }
    int error = driver.init(0);
    if (error != SUCCESS || driver.device_count(&count) != SUCCESS || count == 0) {
        snprintf(why, size, "no device (cuInit gives %d)", error);
        return false;
    }
    check(driver.device(&device, 0), "cuDeviceGet");
    check(driver.device_name(device_name, (int)sizeof device_name, device), "cuDeviceGetName");
    check(driver.retain(&context, device), "cuDevicePrimaryCtxRetain");
    check(driver.make_current(context), "cuCtxSetCurrent");
    return true;
}

const char *driver_device(void) {
    return device_name;
}

driver_module driver_load(const char *ptx) {
    static char log[LOG_ROOM];
    driver_module module = NULL;
    int options[] = {ERROR_LOG, ERROR_LOG_BYTES};
    uintptr_t room = sizeof log;
    void *values[] = {log, (void *)room};
    log[0] = '\0';
    int error = driver.load(&module, ptx, 2, options, values);
    if (error != SUCCESS) {
        printf("%s\n", log);
    }
    check(error, "cuModuleLoadDataEx");
    return module;
}

void driver_unload(driver_module module) {
    check(driver.unload(module), "cuModuleUnload");
}

driver_kernel driver_find(driver_module module, const char *name) {
    driver_kernel kernel = NULL;
    check(driver.function(&kernel, module, name), name);
    return kernel;
}

uint64_t driver_alloc(size_t bytes) {
    uint64_t address = 0;
    check(driver.alloc(&address, bytes), "cuMemAlloc");
    return address;
}

void driver_put(uint64_t to, const void *from, size_t bytes) {
    check(driver.put(to, from, bytes), "cuMemcpyHtoD");
}

void driver_take(void *to, uint64_t from, size_t bytes) {
    check(driver.take(to, from, bytes), "cuMemcpyDtoH");
}

void driver_zero(uint64_t at, size_t bytes) {
    check(driver.set(at, 0, bytes), "cuMemsetD8");
}

void driver_run(driver_kernel kernel, uint64_t in, uint64_t out, uint32_t rows) {
    void *arguments[] = {&in, &out, &rows};
    unsigned blocks = (rows + THREADS - 1) / THREADS;
    check(driver.launch(kernel, blocks, 1, 1, THREADS, 1, 1, 0, NULL, arguments, NULL), "cuLaunchKernel");
    check(driver.synchronize(), "cuCtxSynchronize");
}
