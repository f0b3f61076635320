/* A context of the driver, as one device of this library uses it, and whether it is lost.
 *
 * Every call into the driver that wants a context stands between gf_cuda_enter and gf_cuda_leave, which make it current
 * for the calling thread and put back what was current before; they nest. */
#ifndef GF_BACKEND_CUDA_CONTEXT_H
#define GF_BACKEND_CUDA_CONTEXT_H

#include "backend/cuda/fail.h"
#include <stdatomic.h>

typedef struct gf_cuda_context {
    const gf_cuda_driver *driver;
    CUcontext context;
    CUdevice device;
    bool is_borrowed; /* a caller's: never released */
    bool dependent;   /* kernels of a graph may be launched before the one in front of them has ended */
    /* "CALL: ERROR" that lost it, written once; NULL while it is well. */
    _Atomic(const char *) lost;
    char lost_text[96];
    _Atomic(bool) is_told;
    _Atomic(bool)
        is_stuck; /* lost to a kernel that does not end: any call that waits for the device would not either */
} gf_cuda_context;

/* The primary context of the device of that index, which others in the process may use too. */
bool gf_cuda_context_retain(gf_cuda_context *context, const gf_cuda_driver *driver, int index, gf_diags *diags);
/* A caller's own. */
bool gf_cuda_context_borrow(gf_cuda_context *context, const gf_cuda_driver *driver, CUcontext theirs, gf_diags *diags);
void gf_cuda_context_finish(gf_cuda_context *context);

/* False with a message where the device is lost, or the driver refuses: then nothing was entered. */
bool gf_cuda_enter(gf_cuda_context *context, gf_diags *diags);
/* The same for destroying things, which must go on whatever happens: a lost context is entered too. */
bool gf_cuda_enter_to_free(gf_cuda_context *context);
/* Whether what the driver gave can be given back: each such call may wait for the device. Else it is left behind. */
bool gf_cuda_can_free(const gf_cuda_context *context);
void gf_cuda_leave(gf_cuda_context *context);

/* As gf_cuda_ok; an error that stays marks the device lost. */
bool gf_cuda_try(gf_cuda_context *context, CUresult result, const char *call, gf_diags *diags);
bool gf_cuda_is_lost(const gf_cuda_context *context);
/* For a kernel that does not end. The device is lost, and so is whatever is opened of it later in this process. */
void gf_cuda_give_up(gf_cuda_context *context);
/* False; with the message that the device is lost since that call. */
bool gf_cuda_fail_lost(const gf_cuda_context *context, gf_diags *diags);

#endif
