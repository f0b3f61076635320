#include "backend/cuda/driver.h"
#include "backend/cuda/fail.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libcuda.so.1"

/* The driver keeps threads and memory of its own, so the library is never closed. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static gf_cuda_driver table;
static bool is_open;
static char library[256];        /* the name tried */
static char why[512];            /* it could not be opened */
static const char *lacks = NULL; /* a required symbol that it has not */

/* ISO C has no cast from an object's address to a function's; POSIX promises that the bytes will do. */
static bool find_symbol(void *handle, const char *symbol, void *function, size_t size) {
    void *found = dlsym(handle, symbol);
    memcpy(function, &found, size);
    return found != NULL;
}

static void open_library(void) {
    const char *name = getenv("GRIDFENCE_CUDA_LIBRARY");
    name = name != NULL && *name != '\0' ? name : LIBRARY;
    (void)snprintf(library, sizeof library, "%s", name);
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *text = dlerror();
        (void)snprintf(why, sizeof why, "%s", text != NULL ? text : "it cannot be opened");
        return;
    }
#define REQUIRED(name, symbol, arguments)                                                                              \
    if (!find_symbol(handle, #symbol, &table.name, sizeof table.name) && lacks == NULL) {                              \
        lacks = #symbol;                                                                                               \
    }
#define OPTIONAL(name, symbol, arguments) (void)find_symbol(handle, #symbol, &table.name, sizeof table.name);
#include "backend/cuda/driver.def"
#undef REQUIRED
#undef OPTIONAL
    is_open = lacks == NULL;
}

const gf_cuda_driver *gf_cuda_driver_get(gf_diags *diags) {
    if (pthread_once(&once, open_library) != 0) {
        (void)gf_fail_memory(diags);
        return NULL;
    }
    if (is_open) {
        return &table;
    }
    if (lacks != NULL) {
        (void)gf_fail(diags, GF_CODE_DEVICE_UNKNOWN, GF_NO_SPAN,
                      "the NVIDIA driver's library `%s`, by which device `cuda` works, has no `%s`", library, lacks);
        gf_fix(diags, "update the NVIDIA driver to one of CUDA 11.4 (470) or later");
        return NULL;
    }
    (void)gf_fail(diags, GF_CODE_DEVICE_UNKNOWN, GF_NO_SPAN,
                  "the NVIDIA driver's library `%s`, by which device `cuda` works, was not found", library);
    gf_note(diags, GF_NO_SPAN, "%s", why);
    gf_fix(diags, "install the NVIDIA driver, name its library in GRIDFENCE_CUDA_LIBRARY, or take another device");
    return NULL;
}

int gf_cuda_driver_start(const gf_cuda_driver *driver, gf_diags *diags) {
    int count = 0;
    CUresult result = driver->cuInit(0);
    if (result != CUDA_ERROR_NO_DEVICE) {
        if (!gf_cuda_ok(driver, result, "cuInit", diags) ||
            !gf_cuda_ok(driver, driver->cuDeviceGetCount(&count), "cuDeviceGetCount", diags)) {
            return 0;
        }
    }
    if (count <= 0) {
        (void)gf_fail(diags, GF_CODE_DEVICE_UNKNOWN, GF_NO_SPAN,
                      "the NVIDIA driver is installed, but sees no GPU for device `cuda`");
        gf_fix(diags, "look at what `nvidia-smi` and CUDA_VISIBLE_DEVICES say, or take another device");
        return 0;
    }
    return count;
}
