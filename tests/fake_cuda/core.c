/* Devices, contexts, and which calls fail. */
#include "fake.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_PLANS 16
#define MOST_SYMBOLS 128
#define DEEPEST 16

typedef struct plan {
    char symbol[64];
    uint64_t nth; /* 0: each */
    CUresult result;
} plan;

typedef struct counter {
    const char *symbol;
    uint64_t calls;
} counter;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static plan plans[MOST_PLANS];
static size_t plan_count;
static counter counters[MOST_SYMBOLS];
static size_t counter_count;
static int64_t live;
static bool is_started, runs;
static int device_count = 2;
static struct CUctx_st primary[FAKE_MOST_DEVICES];
static _Thread_local CUcontext stack[DEEPEST];
static _Thread_local unsigned depth;

/* ---- what tests call ---- */

static void read_plans(const char *text) {
    plan_count = 0;
    counter_count = 0;
    while (text != NULL && *text != '\0' && plan_count < MOST_PLANS) {
        plan *now = &plans[plan_count];
        int length = 0;
        if (sscanf(text, "%63[^:]:*=%d%n", now->symbol, &now->result, &length) == 2 && length > 0) {
            now->nth = 0;
        } else {
            unsigned long long nth = 0;
            if (sscanf(text, "%63[^:]:%llu=%d%n", now->symbol, &nth, &now->result, &length) != 3 || nth == 0) {
                (void)fprintf(stderr, "fake cuda: a plan `%s` is no SYMBOL:N=RESULT\n", text);
                abort();
            }
            now->nth = nth;
        }
        plan_count++;
        text += length;
        text += *text == ',';
    }
}

void fake_cuda_fail(const char *text) {
    (void)pthread_mutex_lock(&lock);
    read_plans(text);
    (void)pthread_mutex_unlock(&lock);
}

uint64_t fake_cuda_calls(const char *symbol) {
    uint64_t calls = 0;
    (void)pthread_mutex_lock(&lock);
    for (size_t i = 0; i < counter_count; i++) {
        calls += symbol == NULL || strcmp(counters[i].symbol, symbol) == 0 ? counters[i].calls : 0;
    }
    (void)pthread_mutex_unlock(&lock);
    return calls;
}

const char *fake_cuda_symbol(uint64_t index) {
    (void)pthread_mutex_lock(&lock);
    const char *symbol = index < counter_count ? counters[index].symbol : NULL;
    (void)pthread_mutex_unlock(&lock);
    return symbol;
}

int64_t fake_cuda_live(void) {
    (void)pthread_mutex_lock(&lock);
    int64_t count = live;
    (void)pthread_mutex_unlock(&lock);
    return count;
}

void *fake_cuda_memory(uint64_t device_address) {
    (void)pthread_mutex_lock(&lock);
    void *memory = fake_resolve(device_address, 0);
    (void)pthread_mutex_unlock(&lock);
    return memory;
}

/* At the end of the process nothing may be left, but of what a kernel uses that has not ended. */
static void check_left(void) {
    if (live != 0 && !fake_is_busy()) {
        (void)fprintf(stderr, "fake cuda: %lld objects or contexts were not given back\n", (long long)live);
        _exit(86);
    }
}

/* ---- inside ---- */

void fake_count(int64_t made) {
    live += made;
}

bool fake_runs(void) {
    return runs;
}

static int number_of(const char *name, int otherwise) {
    const char *text = getenv(name);
    int asked = text != NULL ? (int)strtol(text, NULL, 10) : otherwise;
    return asked > 0 ? asked : 1;
}

int fake_sms(void) {
    return number_of("FAKE_CUDA_SMS", runs ? 1 : FAKE_SMS);
}

CUcontext fake_current(void) {
    return depth > 0 ? stack[depth - 1] : NULL;
}

CUresult fake_leave(CUresult result) {
    (void)pthread_mutex_unlock(&lock);
    return result;
}

static uint64_t count_call(const char *symbol) {
    size_t i = 0;
    while (i < counter_count && strcmp(counters[i].symbol, symbol) != 0) {
        i++;
    }
    if (i == MOST_SYMBOLS) {
        abort();
    }
    if (i == counter_count) {
        counters[counter_count++] = (counter){.symbol = symbol};
    }
    return ++counters[i].calls;
}

static CUresult find_planned(const char *symbol, uint64_t call) {
    for (size_t i = 0; i < plan_count; i++) {
        if (strcmp(plans[i].symbol, symbol) == 0 && (plans[i].nth == 0 || plans[i].nth == call)) {
            return plans[i].result;
        }
    }
    return CUDA_SUCCESS;
}

/* Of those that tests plan. */
static bool is_sticky(CUresult result) {
    static const CUresult list[] = {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_TIMEOUT, CUDA_ERROR_LAUNCH_FAILED,
                                    CUDA_ERROR_UNKNOWN};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        if (list[i] == result) {
            return true;
        }
    }
    return false;
}

CUresult fake_enter(const char *symbol) {
    (void)pthread_mutex_lock(&lock);
    CUresult planned = find_planned(symbol, count_call(symbol));
    if (planned != CUDA_SUCCESS) {
        if (fake_current() != NULL && is_sticky(planned)) {
            fake_current()->lost = planned;
        }
        return fake_leave(planned);
    }
    return is_started ? CUDA_SUCCESS : fake_leave(CUDA_ERROR_NOT_INITIALIZED);
}

CUresult fake_enter_context(const char *symbol) {
    CUresult result = fake_enter(symbol);
    if (result != CUDA_SUCCESS) {
        return result;
    }
    if (fake_current() == NULL || fake_current()->retained == 0) {
        return fake_leave(CUDA_ERROR_INVALID_CONTEXT);
    }
    return fake_current()->lost == CUDA_SUCCESS ? CUDA_SUCCESS : fake_leave(fake_current()->lost);
}

#define ENTER(symbol)                                                                                                  \
    CUresult entered = fake_enter(symbol);                                                                             \
    if (entered != CUDA_SUCCESS) {                                                                                     \
        return entered;                                                                                                \
    }

/* ---- the driver: devices ---- */

CUresult cuInit(unsigned flags) {
    (void)pthread_mutex_lock(&lock);
    if (!is_started) {
        const char *devices = getenv("FAKE_CUDA_DEVICES");
        device_count = devices != NULL ? atoi(devices) : device_count; /* NOLINT(cert-err34-c) */
        device_count = device_count > FAKE_MOST_DEVICES ? FAKE_MOST_DEVICES : device_count;
        const char *text = getenv("FAKE_CUDA_FAIL");
        if (text != NULL) {
            read_plans(text);
        }
    }
    CUresult result = find_planned("cuInit", count_call("cuInit"));
    result = result == CUDA_SUCCESS && device_count == 0 ? CUDA_ERROR_NO_DEVICE : result;
    if (!is_started && result == CUDA_SUCCESS) {
        runs = getenv("FAKE_CUDA_RUN") != NULL && strcmp(getenv("FAKE_CUDA_RUN"), "1") == 0;
        is_started = atexit(check_left) == 0;
    }
    return fake_leave(flags != 0 ? CUDA_ERROR_INVALID_VALUE : result);
}

CUresult cuDriverGetVersion(int *version) {
    ENTER("cuDriverGetVersion")
    *version = 13000;
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuGetErrorName(CUresult result, const char **text) {
    static const struct {
        CUresult result;
        const char *name;
    } names[] = {{CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
                 {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
                 {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
                 {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE"},
                 {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
                 {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND"},
                 {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                 {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED"},
                 {CUDA_ERROR_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT"},
                 {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
                 {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
                 {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].result == result) {
            *text = names[i].name;
            return CUDA_SUCCESS;
        }
    }
    *text = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult result, const char **text) {
    *text = result == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "the fake driver was told to say so";
    return CUDA_SUCCESS;
}

static bool is_device(CUdevice device) {
    return device >= 0 && device < device_count;
}

CUresult cuDeviceGet(CUdevice *device, int index) {
    ENTER("cuDeviceGet")
    *device = index;
    return fake_leave(is_device(index) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

CUresult cuDeviceGetCount(int *count) {
    ENTER("cuDeviceGetCount")
    *count = device_count;
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    ENTER("cuDeviceGetName")
    (void)snprintf(name, (size_t)size, "Fake GPU %d", device);
    return fake_leave(is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    ENTER("cuDeviceGetUuid")
    memset(uuid->bytes, 'f', sizeof uuid->bytes);
    uuid->bytes[15] = (char)device;
    return fake_leave(is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    ENTER("cuDeviceTotalMem_v2")
    *bytes = FAKE_MEMORY;
    return fake_leave(is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    const struct {
        CUdevice_attribute attribute;
        int value;
    } values[] = {{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
                  {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, INT32_MAX},
                  {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
                  {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
                  {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
                  {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, 65536},
                  {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
                  {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
                  {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000000},
                  {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, fake_sms()},
                  {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
                  {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 4 << 20},
                  {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, FAKE_THREADS_PER_SM},
                  {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
                  {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, number_of("FAKE_CUDA_MAJOR", FAKE_MAJOR)},
                  {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0},
                  {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 98304},
                  {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
                  {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
                  {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 98304},
                  {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, FAKE_BLOCKS_PER_SM}};
    ENTER("cuDeviceGetAttribute")
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (values[i].attribute == attribute && is_device(device)) {
            *value = values[i].value;
            return fake_leave(CUDA_SUCCESS);
        }
    }
    return fake_leave(CUDA_ERROR_INVALID_VALUE);
}

/* ---- the driver: contexts ---- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    ENTER("cuDevicePrimaryCtxRetain")
    if (!is_device(device)) {
        return fake_leave(CUDA_ERROR_INVALID_DEVICE);
    }
    *context = &primary[device];
    primary[device].device = device;
    primary[device].retained++;
    live++;
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    ENTER("cuDevicePrimaryCtxRelease_v2")
    if (!is_device(device) || primary[device].retained == 0) {
        return fake_leave(CUDA_ERROR_INVALID_CONTEXT);
    }
    live--;
    if (--primary[device].retained == 0) {
        primary[device].lost = CUDA_SUCCESS;
    }
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
    ENTER("cuCtxPushCurrent_v2")
    if (context == NULL || context->retained == 0 || depth == DEEPEST) {
        return fake_leave(CUDA_ERROR_INVALID_CONTEXT);
    }
    stack[depth++] = context;
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
    ENTER("cuCtxPopCurrent_v2")
    if (depth == 0) {
        return fake_leave(CUDA_ERROR_INVALID_CONTEXT);
    }
    *context = stack[--depth];
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuCtxSetCurrent(CUcontext context) {
    ENTER("cuCtxSetCurrent")
    depth = depth > 0 ? depth - 1 : 0;
    if (context != NULL) {
        stack[depth++] = context;
    }
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    ENTER("cuCtxGetCurrent")
    *context = fake_current();
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuCtxGetDevice(CUdevice *device) {
    CUresult entered = fake_enter_context("cuCtxGetDevice");
    if (entered != CUDA_SUCCESS) {
        return entered;
    }
    *device = fake_current()->device;
    return fake_leave(CUDA_SUCCESS);
}

CUresult cuCtxSynchronize(void) {
    CUresult entered = fake_enter_context("cuCtxSynchronize");
    if (entered != CUDA_SUCCESS) {
        return entered;
    }
    fake_run_streams();
    return fake_leave(CUDA_SUCCESS);
}
