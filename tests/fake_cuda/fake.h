/* A driver library for tests on machines without a GPU: plays devices on memory of the process. It is strict where the
 * real one is lenient or undefined, so that mistakes show:
 * - device addresses are no addresses of the process; ranges of copies must lie in live memory;
 * - what is put into a stream happens when somebody waits for it, and no sooner (copies of pageable memory: at once);
 * - every call wants cuInit before it, and most a current context of the calling thread; stacks of contexts are per
 *   thread;
 * - an error that stays, stays with its context until nobody retains that.
 * Launches check their arguments and do nothing. Modules are any text; functions and variables are found in it by name.
 * With FAKE_CUDA_RUN=1 in the environment modules are PTX as device `cuda` writes it, and launches and graphs are
 * carried out (ptx.h): some 20 to 50 million instructions a second. With FAKE_CUDA_CLOCK too times between events are
 * those of the work, in instructions; else time stands still.
 *
 * FAKE_CUDA_FAIL="cuMemAlloc_v2:3=2,cuCtxPushCurrent_v2:*=700" in the environment, read by cuInit, or
 * fake_cuda_fail(...): the third cuMemAlloc_v2 from now gives 2, every cuCtxPushCurrent_v2 gives 700.
 * FAKE_CUDA_DEVICES: how many there are (2); each has 1 GiB. FAKE_CUDA_SMS: multiprocessors of each (4; 1 where kernels
 * are carried out). FAKE_CUDA_MAJOR: their compute capability (9). */
#ifndef GF_TESTS_FAKE_CUDA_FAKE_H
#define GF_TESTS_FAKE_CUDA_FAKE_H

#include "backend/cuda/driver.h"

#define FAKE_MOST_DEVICES 8
#define FAKE_MEMORY ((size_t)1 << 30)
#define FAKE_SMS 4
#define FAKE_MAJOR 9
#define FAKE_BLOCKS_PER_SM 32
#define FAKE_THREADS_PER_SM 2048
#define FAKE_CONDITIONS 4096 /* handles of conditional nodes in the life of the process */

/* ---- what tests call ---- */

void fake_cuda_fail(const char *text);           /* NULL or "": nothing fails any more; counts begin anew */
uint64_t fake_cuda_calls(const char *symbol);    /* since then; NULL: all of them */
const char *fake_cuda_symbol(uint64_t index);    /* each that was called since then, in order of the first; NULL: end */
int64_t fake_cuda_live(void);                    /* objects made and not destroyed, contexts retained, bytes or not */
void *fake_cuda_memory(uint64_t device_address); /* of the process, behind a device address; NULL: none */

/* ---- inside ---- */

#define REQUIRED(name, symbol, arguments) CUresult symbol arguments;
#define OPTIONAL(name, symbol, arguments) CUresult symbol arguments;
#include "backend/cuda/driver.def"
#undef REQUIRED
#undef OPTIONAL

struct CUctx_st {
    CUdevice device;
    unsigned retained;
    CUresult lost;
    size_t used; /* bytes */
};

/* Takes the lock, counts the call, and says what it should give: if that is not CUDA_SUCCESS, the lock is free again.
 */
CUresult fake_enter(const char *symbol);         /* any call after cuInit */
CUresult fake_enter_context(const char *symbol); /* that wants a current context, which is well */
CUresult fake_leave(CUresult result);            /* frees the lock, gives the result */
CUcontext fake_current(void);
void fake_count(int64_t made);

/* The memory of the process behind an address of either kind; NULL where [address, address + bytes) is not live. */
void *fake_resolve(CUdeviceptr address, size_t bytes);
bool fake_is_pinned(const void *memory, size_t bytes);
/* Carries out all that is in the streams of the current context. */
void fake_run_streams(void);
/* Whether a stream has work left. */
bool fake_is_busy(void);
/* Whether kernels are carried out. */
bool fake_runs(void);
int fake_sms(void); /* multiprocessors of a device */
/* Work of a stream: does a part of it, and says whether that was the last. `end` lets go of it. */
typedef struct fake_work {
    bool (*run)(void *state, uint64_t instructions);
    void (*end)(void *state);
    void *state;
} fake_work;
CUresult fake_put_work(CUstream stream, fake_work what);

#endif
